// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <cstddef>
#include <exception>
#include <thread>
#include <vector>

// Starts threads that share work.

namespace coalescing::detail {

/// Starts threads that all run `work`: `most` of them, or fewer if the system starts no more.
template <class Work>
[[nodiscard]] std::vector<std::thread> helpers_of(std::size_t most, Work const& work) {
  std::vector<std::thread> helpers;
#ifdef __cpp_exceptions
  try {
#endif
    while (helpers.size() < most) helpers.emplace_back(work);
#ifdef __cpp_exceptions
  } catch (std::exception const&) {  // the threads that have started go on
  }
#endif
  return helpers;
}

}  // namespace coalescing::detail

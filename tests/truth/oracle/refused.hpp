// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/misuse.hpp>

#include <optional>
#include <string>

// Catches refusals at run time.

#ifdef __cpp_exceptions

namespace coalescing_tests {

/// The sentence of the refusal; "" if the question was answered.
template <class Question>
std::string refusal(Question const& question) {
  try {
    static_cast<void>(question());
  } catch (coalescing::misuse const& caught) {
    return caught.what();
  }
  return "";
}
/// The answer; no value if the question was refused.
template <class Ask>
auto unless_refused(Ask const& ask) -> std::optional<decltype(ask())> {
  try {
    return ask();
  } catch (coalescing::misuse const&) {
    return std::nullopt;
  }
}

}  // namespace coalescing_tests

#endif

// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/misuse.hpp>

#include <optional>
#include <string>

// What was refused at run time.

#ifdef __cpp_exceptions

namespace coalescing_tests {

/// The sentence, or nothing.
template <class Question>
std::string refusal(Question const& question) {
  try {
    static_cast<void>(question());
  } catch (coalescing::misuse const& caught) {
    return caught.what();
  }
  return "";
}
/// What was asked, or nothing where it was refused.
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

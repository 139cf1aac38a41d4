// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/binary/refused.hpp>

#include <string>

// Catches the refusals of the readers of binaries. (truth/oracle/refused.hpp catches those of the library.)

namespace coalescing_tests::binaries {

/// The sentence of the refusal; empty if nothing is refused.
template <class Question>
std::string refusal(Question const& ask) {
  try {
    ask();
  } catch (coalescing::binary_refused const& refused) {
    return refused.what();
  }
  return {};
}
inline bool has(std::string const& text, std::string const& words) { return text.find(words) != std::string::npos; }

}  // namespace coalescing_tests::binaries

// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/binary/refused.hpp>

#include <string>

// What the reader of AMD's binaries refuses.

namespace coalescing_tests {

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

}  // namespace coalescing_tests

// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <exception>
#include <string>

// The exception that is thrown if a binary cannot be read or run. It has a sentence, with the line of the text.

namespace coalescing {

/// Thrown if a text, a launch or an instruction is refused. Lines are numbered from 1; `line` is 0 if no line is to
/// blame.
class binary_refused : public std::exception {
 public:
  unsigned line;
  explicit binary_refused(std::string sentence, unsigned line_of_text = 0)
      : line(line_of_text),
        words_(line_of_text == 0 ? std::move(sentence) : "line " + std::to_string(line_of_text) + ": " + sentence) {}
  [[nodiscard]] char const* what() const noexcept override { return words_.c_str(); }

 private:
  std::string words_;
};

}  // namespace coalescing

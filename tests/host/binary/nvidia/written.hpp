// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <cstdio>
#include <sstream>
#include <string>
#include <vector>

// Instructions of SASS as nvdisasm prints them, for tests that write their own.

namespace coalescing_tests {

/// The lines of a kernel's code, with their offsets; a line with a colon at the end is a label.
inline std::string sass_code(std::vector<std::string> const& lines) {
  std::string text;
  unsigned offset = 0;
  for (std::string const& line : lines) {
    char place[32];
    std::snprintf(place, sizeof place, "        /*%04x*/  ", offset);
    bool const is_label = line.back() == ':';
    text += is_label ? line + '\n' : place + line + " ;\n";
    offset += is_label ? 0 : 16;
  }
  return text;
}
/// The same, of lines in one text.
inline std::string sass_code(std::string const& text) {
  std::vector<std::string> lines;
  std::stringstream all(text);
  for (std::string line; std::getline(all, line);) lines.push_back(line);
  return coalescing_tests::sass_code(lines);
}

}  // namespace coalescing_tests

// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <cstdio>
#include <cstdlib>
#include <string>

// Running LLVM's tools.

namespace coalescing_tests {

[[noreturn]] inline void fail(std::string const& why) {
  std::printf("HARNESS ERROR: %s\n", why.c_str());
  std::exit(2);
}
inline std::string quoted(std::string const& word) {
  std::string text = "'";
  for (char const c : word) text += c == '\'' ? "'\\''" : std::string(1, c);
  return text + "'";
}
/// The output of a command, on both streams.
inline std::string output_of(std::string const& command) {
  std::FILE* const pipe = popen((command + " 2>&1").c_str(), "r");
  if (!pipe) fail("cannot run " + command);
  std::string text;
  for (int c; (c = std::fgetc(pipe)) != EOF;) text += static_cast<char>(c);
  if (pclose(pipe) != 0) fail(command + " failed:\n" + text);
  return text;
}

}  // namespace coalescing_tests

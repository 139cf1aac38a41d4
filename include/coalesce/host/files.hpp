// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <filesystem>
#include <string>
#include <system_error>

// Files that are named to a program. The name "-" means standard input.

namespace coalescing::detail {

/// Whether a name is that of a folder. (A folder opens as a file does, and reading it fails later, with other words.)
[[nodiscard]] inline bool is_folder(std::string const& name) {
  std::error_code none;
  return std::filesystem::is_directory(name == "-" ? "/dev/stdin" : name, none);
}

}  // namespace coalescing::detail

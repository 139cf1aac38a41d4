// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <system_error>

// Functions about the files whose names a user gives. The name "-" means standard input.

namespace coalescing::detail {

/// Whether a name is that of a folder. (A folder can be opened like a file. Only reading from it fails, and with a less
/// clear error.)
[[nodiscard]] inline bool is_folder(std::string const& name) {
  std::error_code none;
  return std::filesystem::is_directory(name == "-" ? "/dev/stdin" : name, none);
}

/// How many bytes a file has; 0 if it has no size, like a pipe.
[[nodiscard]] inline std::uint64_t size_of_file(std::string const& name) {
  std::error_code failed;
  std::uint64_t const bytes = std::filesystem::file_size(name == "-" ? "/dev/stdin" : name, failed);
  return failed ? 0 : bytes;
}

}  // namespace coalescing::detail

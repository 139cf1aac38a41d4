// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

// What the command reads whole, and whether what it wrote has arrived.

/// A text, or a buffer's contents, has at most so many bytes, which is more than any that is of use: 1 GiB.
inline constexpr std::uint64_t most_bytes = std::uint64_t{1} << 30;

/// The bytes of a file, or of standard input where the name is "-". Refused, by name: a folder; a file that cannot be
/// read; more than `most` bytes, however many there are, since a device or a pipe may have no end.
std::string bytes_of_file(std::string const& name, std::uint64_t most = most_bytes);

/// The same for a text. Refused, too, as soon as it is read: a byte 0, which no text has.
std::string text_of_file(std::string const& name);

/// The bytes of a file. If `is_binary` does not know its beginning, it is read as a text.
std::string contents_of_file(std::string const& name, bool (*is_binary)(std::string_view));

/// A folder for files that the command makes: a new one, which goes with the object, or the one that the user keeps.
/// Refused: a new folder that cannot be made.
class work_folder {
 public:
  explicit work_folder(std::string const& keep = "");
  work_folder(work_folder const&) = delete;
  work_folder& operator=(work_folder const&) = delete;
  ~work_folder();
  [[nodiscard]] std::filesystem::path const& path() const { return path_; }

 private:
  bool is_kept_;
  std::filesystem::path path_;
};

/// `status`, once standard output has taken all that was written; else 2, and a sentence on standard error.
int status_once_written(int status);

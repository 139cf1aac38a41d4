// SPDX-License-Identifier: BSL-1.0
#include "files.hpp"

#include "expression.hpp"

#include <coalesce/host/files.hpp>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <system_error>
#include <vector>

namespace {

/// Reads a file. It may have a byte 0 only if `is_binary` takes its beginning for that of a binary.
std::string read_whole(std::string const& name, std::uint64_t most, bool (*is_binary)(std::string_view)) {
  static bool has_read_input = false;
  bool const is_input = name == "-";
  std::string const called = is_input ? "standard input" : name;
  if (is_input && has_read_input) throw refusal("only one file is standard input");
  has_read_input = has_read_input || is_input;
  if (coalescing::detail::is_folder(name)) throw refusal(called + " is a folder, and not a file");
  std::ifstream file;
  if (!is_input) file.open(name, std::ios::binary);
  std::istream& from = is_input ? std::cin : file;
  if (!from) throw refusal(called + " cannot be read");
  bool is_text = true;
  std::string all;
  std::vector<char> block(std::size_t{1} << 16);
  while (from.read(block.data(), static_cast<std::streamsize>(block.size())), from.gcount() != 0) {
    std::string_view const read(block.data(), static_cast<std::size_t>(from.gcount()));
    if (all.empty()) is_text = !is_binary(read);
    if (is_text && read.find('\0') != read.npos) throw refusal(called + " is not a text: it has a byte 0");
    if (read.size() > most - all.size()) throw refusal(called + " has more than " + std::to_string(most) + " bytes");
    all += read;
  }
  if (from.bad()) throw refusal(called + " cannot be read to its end");
  return all;
}

}  // namespace

std::string bytes_of_file(std::string const& name, std::uint64_t most) {
  return read_whole(name, most, [](std::string_view) { return true; });
}
std::string text_of_file(std::string const& name) {
  return read_whole(name, most_bytes, [](std::string_view) { return false; });
}
std::string contents_of_file(std::string const& name, bool (*is_binary)(std::string_view)) {
  return read_whole(name, most_bytes, is_binary);
}

work_folder::work_folder(std::string const& keep) : is_kept_(!keep.empty()), path_(keep) {
  if (is_kept_) {
    std::filesystem::create_directories(path_);
    return;
  }
  std::filesystem::path const all = std::filesystem::temp_directory_path();
  std::string name = (all / "coalesce-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw refusal("no folder can be made in " + all.string());
  path_ = name;
}
work_folder::~work_folder() {
  std::error_code ignored;
  if (!is_kept_) std::filesystem::remove_all(path_, ignored);
}

int status_once_written(int status) {
  std::cout.flush();
  if (std::cout && std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return status;
  std::cerr << "coalesce: standard output cannot be written, so the answer is cut or missing\n";
  return 2;
}

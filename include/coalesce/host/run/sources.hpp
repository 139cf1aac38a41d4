// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/numbers.hpp>
#include <coalesce/host/run/rewrite.hpp>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

// Writes rewritten copies of a CUDA or HIP program's sources into a folder: of each file of the command line, and of
// each file that they include by a name in quotes or from a folder that the user names. A #line directive keeps the
// numbers of the lines.

namespace coalescing::detail {

class source_tree {
 public:
  /// `folders`: where the user's headers are (-I). `to`: an existing folder, for the new files.
  source_tree(std::vector<std::filesystem::path> folders, std::filesystem::path to)
      : folders_(std::move(folders)), to_(std::move(to)) {}
  std::vector<std::string> dynamic = {};  ///< the names of the shared arrays whose size a launch gives
  /// What the sources use and a host does not have. Each entry is file:line, and what is missing there. (The compiler
  /// may skip some of these lines.)
  std::vector<std::pair<std::string, std::string>> missing = {};
  bool keeps_constexpr = false;                    ///< whether constexpr arrays of the device stay constexpr
  std::vector<std::string> constexpr_arrays = {};  ///< file:line of each such array
  /// The checksum of all files that were added.
  std::uint64_t checksum = detail::checksum_of({});

  /// Rewrites a file and those that it includes, each once. Returns the path of the new file. Refused: a file that
  /// cannot be read.
  std::filesystem::path add(std::filesystem::path const& file) {
    std::filesystem::path const known = std::filesystem::weakly_canonical(file);
    auto const [found, is_new] = made_.try_emplace(known.string());
    if (!is_new) return found->second;
    std::ifstream in(known, std::ios::binary);
    if (!in || std::filesystem::is_directory(known))
      refused::source_is_damaged(file.string(), "this file cannot be read");
    std::string const source{std::istreambuf_iterator<char>(in), {}};
    checksum = detail::checksum_of(source, checksum);
    auto const made = to_ / (std::to_string(made_.size()) + "_" + known.filename().string());
    found->second = made;  // before its includes are added: files may include each other
    source_rewriter rewriter(source, file.string());
    rewriter.keeps_constexpr = keeps_constexpr;
    std::string text = rewriter.rewrite();
    for (std::string const& name : rewriter.dynamic)
      if (std::find(dynamic.begin(), dynamic.end(), name) == dynamic.end()) dynamic.push_back(name);
    missing.insert(missing.end(), rewriter.missing.begin(), rewriter.missing.end());
    for (std::string const& place : rewriter.constexpr_arrays) constexpr_arrays.push_back(place);
    text = with_includes(text, known.parent_path(), file.string());
    std::ofstream(made, std::ios::binary) << "#line 1 \"" << known.string() << "\"\n" << text;
    return made;
  }
  /// The folders of all sources. The compiler looks there for the headers that were not rewritten.
  [[nodiscard]] std::vector<std::string> folders() const {
    std::vector<std::string> all;
    for (auto const& [file, made] : made_) {
      std::string const folder = std::filesystem::path(file).parent_path().string();
      if (std::find(all.begin(), all.end(), folder) == all.end()) all.push_back(folder);
    }
    return all;
  }

 private:
  /// Changes each #include of a user's file so that it includes the rewritten copy of that file.
  std::string with_includes(std::string const& text, std::filesystem::path const& folder, std::string const& file) {
    std::string made;
    unsigned number = 0;
    for (std::size_t at = 0; at < text.size();) {
      std::size_t const end = std::min(text.find('\n', at), text.size() - 1) + 1;
      made += with_include(text.substr(at, end - at), folder, file + ":" + std::to_string(++number)), at = end;
    }
    return made;
  }
  std::string with_include(std::string const& line, std::filesystem::path const& folder, std::string const& place) {
    auto const skip = [&line](std::size_t from) { return std::min(line.find_first_not_of(" \t", from), line.size()); };
    std::size_t at = skip(0);
    if (at == line.size() || line[at] != '#' || line.compare(at = skip(at + 1), 7, "include") != 0) return line;
    std::size_t const open = skip(at + 7);
    if (open == line.size() || (line[open] != '"' && line[open] != '<')) return line;
    std::size_t const close = line.find(line[open] == '"' ? '"' : '>', open + 1);
    if (close == line.npos) return line;
    std::string const name = line.substr(open + 1, close - open - 1);
    // Programs have copies of these two headers of NVIDIA's samples. helper_cuda.h names parts of CUDA's runtime API
    // that this library does not have. So short headers of this library take the place of both copies.
    if (name == "helper_cuda.h" || name == "helper_timer.h")
      return line.substr(0, open) + "<coalesce/host/run/cuda/" + name + ">" + line.substr(close + 1);
    std::vector<std::filesystem::path> places = folders_;
    if (line[open] == '"') places.insert(places.begin(), folder);
    for (auto const& in : places)
      if (std::filesystem::is_regular_file(in / name))
        return line.substr(0, open) + '"' + add(in / name).string() + '"' + line.substr(close + 1);
    for (missing_part const& each : missing_headers)
      if (name.starts_with(each.asked)) missing.emplace_back(place, each.name);
    return line;
  }

  std::vector<std::filesystem::path> folders_;
  std::filesystem::path to_;
  std::map<std::string, std::filesystem::path> made_;  // for each file of the user: its rewritten copy
};

}  // namespace coalescing::detail

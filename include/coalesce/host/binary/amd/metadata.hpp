// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/binary/amd/program.hpp>
#include <coalesce/host/binary/amd/text.hpp>
#include <coalesce/host/binary/amd/wave.hpp>
#include <coalesce/host/binary/launch.hpp>
#include <coalesce/host/binary/refused.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

// Reads what a kernel's metadata says of its launches, and checks a launch against it: LLVM, AMDGPUUsage, "Code Object
// V3 Metadata". A compiler's assembly has the metadata, and so has the output of `llvm-readelf --notes`.

namespace coalescing::amdgcn {

/// Reads the list `amdhsa.kernels:`, line by line.
class metadata_reader {
 public:
  void take(std::string_view line) {
    std::string_view const words = trimmed(line);
    if (words == "amdhsa.kernels:") {
      inside_ = true, now_ = {}, items_ = line.npos;
      return;
    }
    if (!inside_ || words.empty()) return;
    std::size_t const indent = line.find_first_not_of(" \t");
    bool const is_item = words == "-" || begins(words, "- ");
    if (is_item && items_ == line.npos) items_ = indent;
    if (indent < items_ || (indent == items_ && !is_item)) return end();
    std::string_view key = words;
    if (indent == items_) key = trimmed(key.substr(1)), keep();
    std::size_t const at = indent == items_ ? line.find(key) : indent;
    if (numbers_left_ != 0 && begins(words, "- ") && at > items_ + 2) {
      std::int64_t number = 0;
      if (read_integer(trimmed(words.substr(2)), number))
        now_.block[3 - numbers_left_] = static_cast<std::uint64_t>(number);
      --numbers_left_;
      return;
    }
    numbers_left_ = 0;
    if (in_arguments_ && indent > items_ && (is_item || at != items_ + 2)) return take_argument(words, is_item);
    in_arguments_ = at == items_ + 2 && begins(key, ".args:");
    if (at != items_ + 2) return;
    auto const colon = key.find(':');
    std::string_view const text = colon == key.npos ? std::string_view{} : trimmed(key.substr(colon + 1));
    std::int64_t number = 0;
    if (begins(key, ".name:")) name_ = unquoted(text);
    if (begins(key, ".max_flat_workgroup_size:") && read_integer(text, number))
      now_.most_threads = static_cast<unsigned>(number);
    if (begins(key, ".reqd_workgroup_size:")) numbers_left_ = 3;
  }
  /// The metadata of a kernel. Call this function after take() has read the last line of the text.
  [[nodiscard]] kernel_metadata of(std::string const& kernel) {
    keep();
    return sizes_[kernel];
  }

 private:
  void keep() {
    now_.is_stated = true;
    if (!name_.empty()) sizes_[name_] = now_;
    name_.clear(), now_ = {}, numbers_left_ = 0, in_arguments_ = false;
  }
  void take_argument(std::string_view words, bool is_item) {
    if (is_item) now_.arguments.emplace_back(), words = trimmed(words.substr(1));
    if (now_.arguments.empty()) return;
    auto const colon = words.find(':');
    std::string_view const text = colon == words.npos ? std::string_view{} : trimmed(words.substr(colon + 1));
    metadata_argument& to = now_.arguments.back();
    std::int64_t number = 0;
    if (begins(words, ".value_kind:")) to.kind = unquoted(text);
    if (begins(words, ".name:")) to.name = unquoted(text);
    if (begins(words, ".offset:") && read_integer(text, number)) to.offset = static_cast<std::uint64_t>(number);
    if (begins(words, ".size:") && read_integer(text, number)) to.bytes = static_cast<std::uint64_t>(number);
  }
  void end() { keep(), inside_ = false; }
  [[nodiscard]] static std::string unquoted(std::string_view text) {
    for (char const quote : {'\'', '"'})
      if (text.size() > 1 && text.front() == quote && text.back() == quote)
        return std::string(text.substr(1, text.size() - 2));
    return std::string(text);
  }

  bool inside_ = false;
  std::size_t items_ = 0;  ///< the column at which the items of the list of kernels begin
  std::string name_;
  kernel_metadata now_;
  unsigned numbers_left_ = 0;
  bool in_arguments_ = false;  ///< whether the current line is in the list .args
  std::map<std::string, kernel_metadata> sizes_;
};

/// Refused: a work-group of another size than the kernel is compiled for, or with more LDS than the target has.
inline void check_launch(descriptor const& kernel, target const& on, binary_launch const& launch) {
  binary::extents const block = binary::extents_of(launch.block), needs = kernel.sizes.block;
  std::uint64_t const threads = binary::product(block);
  if (kernel.sizes.most_threads != 0 && threads > kernel.sizes.most_threads)
    throw binary_refused("the kernel is compiled for work-groups of at most " +
                         std::to_string(kernel.sizes.most_threads) +
                         " work-items (.max_flat_workgroup_size), and the launch has " + std::to_string(threads));
  if (needs[0] != 0 && needs != block)
    throw binary_refused("the kernel is compiled for work-groups of " + binary::words(needs, " by ") +
                         " (.reqd_workgroup_size), and the launch has " + binary::words(block, " by "));
  if (launch.dynamic_shared > on.lds_bytes || kernel.lds_bytes + launch.dynamic_shared > on.lds_bytes)
    throw binary_refused("the launch takes " + std::to_string(kernel.lds_bytes) + " bytes of LDS and " +
                         std::to_string(launch.dynamic_shared) + " dynamic ones, and a work-group has at most " +
                         std::to_string(on.lds_bytes));
}

}  // namespace coalescing::amdgcn

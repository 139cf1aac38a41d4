// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/binary/launch.hpp>
#include <coalesce/host/binary/nvidia/text.hpp>
#include <coalesce/host/binary/parameters.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

// Which launches a kernel allows. The whole disassembly (`nvdisasm FILE.cubin`) states it, but that of the code alone
// (`-c`) does not. The names of the attributes are those that nvdisasm prints. Their meaning is inferred from kernels
// with .reqntid, .maxntid, .reqnctapercluster and .shared, compiled by ptxas 13.0 (tests/host/binary/nvidia/ends.cu).

namespace coalescing::sass {

struct allowed_launch {
  using extents = binary::extents;

  bool is_stated = false;
  std::uint64_t shared_bytes = 0;  ///< shared memory that the kernel itself declares, and what the target reserves
  extents block = {};              ///< .reqntid: the extents that every block must have
  extents most = {};               ///< .maxntid: a block has at most as many threads as a block of these extents
  extents cluster = {};            ///< .reqnctapercluster: the extents of a cluster, in blocks
  bool has_parameters = false;
  std::uint64_t parameter_bytes = 0;                      ///< bytes up to the end of the last parameter
  std::map<unsigned, binary::parameter> parameters = {};  ///< from a parameter's position to the parameter

  /// Refused: a block whose extents are not those of .reqntid; a block with more threads than the product of .maxntid;
  /// a grid that is not made of whole clusters. (PTX ISA 9.0, "Performance-Tuning Directives", "Cluster Dimension
  /// Directives".)
  void check(binary_launch const& launch) const {
    static_cast<void>(coalescing::detail::threads_of(launch.block));
    extents const threads = binary::extents_of(launch.block), blocks = binary::extents_of(launch.grid);
    if (block != extents{} && block != threads)
      throw binary_refused("the kernel is compiled for blocks of " + binary::words(block, ",") +
                           " threads (.reqntid), and the launch has " + binary::words(threads, ","));
    if (most != extents{} && binary::product(threads) > binary::product(most))
      throw binary_refused("the kernel is compiled for at most " + std::to_string(binary::product(most)) +
                           " threads in a block (.maxntid), and the launch has " +
                           std::to_string(binary::product(threads)));
    for (unsigned k = 0; k != 3; ++k)
      if (cluster[k] != 0 && blocks[k] % cluster[k] != 0)
        throw binary_refused("the kernel's clusters have " + binary::words(cluster, ",") + " blocks, and the grid of " +
                             binary::words(blocks, ",") + " is not made of whole ones");
  }

  /// Refused: a launch whose parameters have more or fewer bytes than the kernel's. (The text may round the kernel's
  /// bytes up to a multiple of 8.)
  void check_parameters(std::uint64_t bytes) const {
    if (has_parameters && (bytes > parameter_bytes || (bytes + 7) / 8 * 8 < parameter_bytes))
      throw binary_refused("the kernel has " + std::to_string(parameter_bytes) +
                           " bytes of parameters, and the launch has " + std::to_string(bytes));
  }
  /// Whether a block is the first one of its cluster. Every block is, if the text states no cluster.
  [[nodiscard]] bool is_first_of_cluster(place const& at) const {
    std::uint64_t const of[] = {at.x, at.y, at.z};
    bool is = true;
    for (unsigned k = 0; k != 3; ++k) is = is && (cluster[k] == 0 || of[k] % cluster[k] == 0);
    return is;
  }
};

/// Reads the sections .nv.info.KERNEL and .nv.shared.KERNEL.
class allowed_launches {
 public:
  void section(std::string_view line) {
    words_ = nullptr, info_ = shared_ = nullptr, count_ = 0, is_parameters_ = is_parameter_ = false;
    if (std::string const kernel = kernel_of(line, ".nv.info."); !kernel.empty())
      info_ = &all_[kernel], info_->is_stated = true;
    else if (std::string const other = kernel_of(line, ".nv.shared."); !other.empty())
      shared_ = &all_[other];
  }
  /// Reads a line of the section whose first line was given to section().
  void line(std::string_view text) {
    if (shared_ != nullptr && begins(text, ".zero")) {
      std::uint64_t bytes = 0;
      if (read_digits(trimmed(text.substr(5)), 10, bytes)) shared_->shared_bytes += bytes;
    }
    if (info_ == nullptr) return;
    if (std::size_t const at = text.find("EIATTR_"); at != text.npos) {
      std::string_view const name = trimmed(text.substr(at + 7));
      words_ = name == "REQNTID"           ? &info_->block
               : name == "MAX_THREADS"     ? &info_->most
               : name == "CTA_PER_CLUSTER" ? &info_->cluster
                                           : nullptr;
      count_ = 0, is_parameters_ = name == "CBANK_PARAM_SIZE";
      is_parameter_ = name == "KPARAM_INFO";
    }
    if (is_parameter_) parameter_line(text);
    if (std::size_t const at = text.find(".short"); is_parameters_ && at != text.npos) {
      std::int64_t bytes = 0;
      if (read_hexadecimal(trimmed(text.substr(at + 6)), bytes))
        info_->parameter_bytes = static_cast<std::uint64_t>(bytes), info_->has_parameters = true;
      is_parameters_ = false;
    }
    std::size_t const at = text.find(".word");
    std::int64_t number = 0;
    if (words_ != nullptr && at != text.npos && count_ != 3 && read_hexadecimal(trimmed(text.substr(at + 5)), number))
      (*words_)[count_++] = static_cast<std::uint64_t>(number);
  }
  [[nodiscard]] allowed_launch of(std::string const& kernel) const {
    auto const found = all_.find(kernel);
    return found == all_.end() ? allowed_launch{} : found->second;
  }

 private:
  [[nodiscard]] static std::string kernel_of(std::string_view line, std::string_view mark) {
    std::size_t const at = line.find(mark), end = line.find(',', at);
    return at == line.npos ? std::string{} : std::string(line.substr(at + mark.size(), end - at - mark.size()));
  }

  /// Reads a line about a parameter: its position, its offset, and its size, which begins at bit 18 of the last word.
  /// (Inferred from what ptxas 13.0 writes of parameters of 1 to 24 bytes.)
  void parameter_line(std::string_view text) {
    std::size_t const half = text.find(".short"), byte = text.find(".byte");
    std::int64_t number = 0;
    if (half != text.npos && count_ != 2 && read_hexadecimal(trimmed(text.substr(half + 6)), number))
      parameter_[count_++] = static_cast<std::uint64_t>(number);
    if (byte == text.npos || count_ != 2) return;
    std::uint64_t word = 0;
    unsigned bytes = 0;
    for (std::string_view rest = text.substr(byte + 5); bytes != 4; ++bytes) {
      std::size_t const comma = rest.find(',');
      if (!read_hexadecimal(trimmed(rest.substr(0, comma)), number)) return;
      word |= static_cast<std::uint64_t>(number) << 8 * bytes;
      rest = comma == rest.npos ? std::string_view{} : rest.substr(comma + 1);
    }
    binary::parameter& made = info_->parameters[static_cast<unsigned>(parameter_[0])];
    made.offset = parameter_[1], made.bytes = word >> 18, is_parameter_ = false;
  }

  std::map<std::string, allowed_launch> all_;
  allowed_launch *info_ = nullptr, *shared_ = nullptr;
  allowed_launch::extents* words_ = nullptr;
  unsigned count_ = 0;
  bool is_parameters_ = false, is_parameter_ = false;
  std::uint64_t parameter_[2] = {};  ///< the position and the offset of a parameter
};

}  // namespace coalescing::sass

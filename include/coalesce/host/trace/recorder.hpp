// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/recording.hpp>
#include <coalesce/host/trace/lines.hpp>
#include <coalesce/host/trace/opcodes.hpp>
#include <coalesce/host/trace/options.hpp>

#include <bit>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

// Makes recordings of a trace. The reader of each format gives the accesses that it reads to a trace_recorder. This
// class has a recording for each kernel, finds an instruction by its words in the trace, and counts what is skipped.

namespace coalescing {

namespace detail {

/// The shared memory of a block lies below this address, and global memory lies above it. (A machine's shared memory
/// has 328 KB at most. A cluster's other blocks begin at multiples of 2^24: inferred from the code of CUDA's compiler
/// for CC 9.0.)
inline constexpr std::uint64_t shared_end = std::uint64_t{1} << 24;

/// The shared memory of all blocks of a cluster lies within so many bytes from the base of the block's own window. (CC
/// 9.0 and later. PTX's shared::cluster addresses have 32 bits.)
inline constexpr std::uint64_t cluster_end = std::uint64_t{1} << 32;

/// Whether the address lies in the window.
constexpr bool is_in(std::optional<address_window> const& window, std::uint64_t address) {
  return window.has_value() && address >= window->base && address - window->base < window->bytes;
}

/// An instruction of a trace. Its first access opens a site of the recording.
struct trace_site {
  bool is_new = true;
  opcode_facts facts = {};
  found_at at = {};
  std::string array = {};  ///< the array's name; if empty, the recording says "global" or "shared"
  std::optional<unsigned> global = {}, shared = {};  ///< the numbers of its sites in each memory; empty: no site
  bool is_the_blocks = false;  ///< whether its shared addresses are all in the block's own shared memory
  std::uint64_t skipped = 0;
  char const* why = "";
};

/// The accesses of a warp: an address for each active lane.
struct trace_row {
  std::uint64_t active = 0;
  std::uint64_t address[64] = {};
};

template <unsigned Lanes>
class trace_recorder {
 public:
  static constexpr unsigned lanes = Lanes;

  trace_recorder(machine_facts<lanes> const& machine, replay_options const& given) : options(given), machine_(machine) {
    forget_windows();
  }

  replay_options const& options;
  std::optional<address_window> shared = {}, local = {};  ///< the current kernel's windows of generic addresses
  std::uint64_t line = 1;                                 ///< the number of the line that is being read
  std::uint64_t instructions = 0;

  /// Forgets the windows of the previous kernel, and takes those of the options again.
  void forget_windows() { shared = options.shared, local = options.local; }

  [[noreturn]] void refuse(std::string const& sentence) const { refused::line_of_a_trace(line, sentence); }

  /// Says to which kernel the rows that follow belong. All launches of a kernel go into one recording.
  void kernel(std::string_view name) {
    if (current_ != nullptr && current_->name == name) return;
    auto found = by_name_.find(name);
    if (found == by_name_.end()) {
      kernels_.push_back(std::make_unique<one_kernel>(std::string(name), rows_of_machine<lanes>(machine_)));
      found = by_name_.emplace(name, kernels_.back().get()).first;
    }
    current_ = found->second;
  }
  [[nodiscard]] bool has_kernel() const { return current_ != nullptr; }
  void begin(place const& block, unsigned warp) { current_->to.begin(block, warp); }
  void block_done() { current_->to.block_done(); }

  /// The instruction that has these words in the trace.
  trace_site& site(std::string const& words) { return current_->sites[words]; }

  /// Takes the access of a warp, or skips it.
  void take(trace_site& s, trace_row& row) {
    if (row.active == 0) return;
    if ((row.active & ~wave_mask<lanes>) != 0) refuse("the mask has lanes that the machine's warps or waves lack");
#ifdef __cpp_exceptions
    try {
      take_row(s, row);
    } catch (trace_error const&) {
      throw;
    } catch (misuse const& wrong) {
      std::string_view const words = wrong.what(), ours = "coalesce: ";
      refuse(std::string(words.substr(words.starts_with(ours) ? ours.size() : 0)));
    }
#else
    take_row(s, row);
#endif
  }
  void skip(trace_site& s, char const* why) {
    if (s.skipped == 0) s.why = why;
    if (s.why == why) return void(++s.skipped);
    ++skipped_[entry(*current_, s, why)];
  }
  /// Counts parts of the launch that are not in the trace.
  void skip_part(std::string const& what, std::string const& why, std::uint64_t count) {
    skipped_[{.what = what, .why = why, .kernel = current_->name}] += count;
  }
  /// Counts a line that cannot be read as an instruction. `may_be_access`: the line may be a damaged access.
  void skip_line(std::string const& why, bool may_be_access) {
    ++skipped_[{.what = "a line", .why = why, .may_be_access = may_be_access}];
  }

  /// Adds the kernels of another recorder, and what it has skipped.
  void add(trace_recorder& other) {
    for (auto& from : other.kernels_) {
      kernel(from->name);
      current_->to.add(std::move(from->to));
    }
    for (auto const& [entry, count] : other.account()) skipped_[entry] += count;
    instructions += other.instructions;
  }

  /// Calls see(name, recording) for each kernel.
  template <class See>
  void each_kernel(See const& see) {
    for (auto& one : kernels_) see(one->name, one->to.result());
  }
  /// Each key says what was skipped, and its value says how often. (The member `count` of each key is 0.)
  [[nodiscard]] std::map<skipped_accesses, std::uint64_t> account() const {
    auto all = skipped_;
    for (auto const& one : kernels_)
      for (auto const& [words, s] : one->sites)
        if (s.skipped != 0) all[entry(*one, s, s.why)] += s.skipped;
    return all;
  }

 private:
  struct one_kernel {
    one_kernel(std::string of, rows_of_machine<lanes> rows) : name(std::move(of)), to(std::move(rows)) {}
    std::string name;
    rows_of_machine<lanes> to;
    std::unordered_map<std::string, trace_site> sites = {};
  };

  static skipped_accesses entry(one_kernel const& of, trace_site const& s, char const* why) {
    // If a read of constants is skipped, the recording misses no access, since constants are neither global nor shared
    // memory. (Each kernel reads its parameters as constants.)
    bool const is_constant = std::string_view(why) == why_constant;
    return {.what = s.at.opcode, .why = why, .kernel = of.name, .at = s.at, .may_be_access = !is_constant};
  }

  void take_row(trace_site& s, trace_row& row) {
    switch (s.facts.memory) {
      case trace_memory::global:
        return put(s, row, memory_space::global, s.facts.kind);
      case trace_memory::shared:
        if (!s.is_the_blocks && count(row, below_shared_end) != std::popcount(row.active)) return skip(s, why_cluster);
        return put(s, row, memory_space::shared, s.facts.kind);
      case trace_memory::copied:
        if (auto const below = count(row, below_shared_end); below == 0)
          return put(s, row, memory_space::global, touch::load);
        else if (below != std::popcount(row.active))
          return skip(s, why_mixed);
        return put(s, row, memory_space::shared, touch::store);
      case trace_memory::generic:
        return take_generic(s, row);
      case trace_memory::matrices:
        return take_matrices(s, row);
      case trace_memory::unseen:
        return skip(s, s.facts.why);
      case trace_memory::nothing:
        return;
    }
  }
  void take_generic(trace_site& s, trace_row& row) {
    if (!shared.has_value()) return skip(s, why_no_window);
    int const active = std::popcount(row.active);
    int const in_shared = count(row, [this](std::uint64_t address) { return detail::is_in(shared, address); });
    int const in_local = count(row, [this](std::uint64_t address) { return detail::is_in(local, address); });
    int const in_cluster = count(row, [this](std::uint64_t address) { return is_of_cluster(address); });
    if (in_local == active) return skip(s, why_local);
    if (in_cluster == active) return skip(s, why_cluster);
    if (in_shared + in_local + in_cluster == 0) return put(s, row, memory_space::global, s.facts.kind);
    if (in_shared != active) return skip(s, why_mixed);
    for (unsigned k = 0; k != lanes; ++k) row.address[k] -= shared->base;
    put(s, row, memory_space::shared, s.facts.kind);
  }
  void take_matrices(trace_site& s, trace_row const& row) {
    if (count(row, below_shared_end) != std::popcount(row.active)) return skip(s, why_cluster);
    for (auto const& one : machine_.of_matrices)
      if (!s.shared.has_value() && one.by.bits != 0 && one.kind == s.facts.kind && one.count == s.facts.bytes)
        s.shared =
            current_->to.open_as(s.at, detail::word_of(memory_space::shared), memory_space::shared, one.kind, one.by);
    if (!s.shared.has_value()) return skip(s, why_matrices);
    current_->to.take(*s.shared, row.active, row.address);
    ++instructions;
  }
  /// Whether a generic address may lie in the shared memory of another block of the cluster.
  [[nodiscard]] bool is_of_cluster(std::uint64_t address) const {
    if (machine_.identity.capability < 90 || shared->bytes == 0) return false;
    bool const is_elsewhere = detail::is_in(shared, address) || detail::is_in(local, address);
    return !is_elsewhere && address - shared->base >= shared_end && address - shared->base < cluster_end;
  }
  static bool below_shared_end(std::uint64_t address) { return address < shared_end; }
  /// How many active lanes have an address for which the predicate is true.
  template <class Predicate>
  static int count(trace_row const& row, Predicate const& is_meant) {
    int sum = 0;
    for (unsigned k = 0; k != lanes; ++k) sum += (row.active >> k & 1) != 0 && is_meant(row.address[k]);
    return sum;
  }
  void put(trace_site& s, trace_row const& row, memory_space space, touch kind) {
    auto& number = space == memory_space::global ? s.global : s.shared;
    if (!number.has_value())
      number = current_->to.open(s.at, s.array.empty() ? detail::word_of(space) : s.array, space, kind, s.facts.bytes,
                                 alignment_of(s.facts.bytes));
    current_->to.take(*number, row.active, row.address);
    ++instructions;
  }
  /// The alignment of an element: the largest power of two, up to 256, that divides its size. (An element of 12 bytes
  /// is aligned to 4 bytes.)
  static constexpr unsigned alignment_of(unsigned bytes) {
    unsigned alignment = 1;
    while (bytes % (2 * alignment) == 0 && alignment != 256) alignment *= 2;
    return alignment;
  }

  machine_facts<lanes> const& machine_;
  std::vector<std::unique_ptr<one_kernel>> kernels_;
  std::map<std::string, one_kernel*, std::less<>> by_name_;
  one_kernel* current_ = nullptr;
  std::map<skipped_accesses, std::uint64_t> skipped_;
};

}  // namespace detail
}  // namespace coalescing

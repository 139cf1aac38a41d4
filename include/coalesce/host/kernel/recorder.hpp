// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/kernel/instructions.hpp>
#include <coalesce/host/kernel/interface.hpp>
#include <coalesce/host/kernel/issue.hpp>
#include <coalesce/host/kernel/launch.hpp>
#include <coalesce/host/kernel/refusals.hpp>
#include <coalesce/host/recording.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

// Makes a recording of the accesses of warps. Each site of the recording gets its line in the source.

namespace coalescing::detail {

/// Merges neighbouring accesses of a lane on the lines for which the user states a width.
class merging {
 public:
  merging(std::vector<host::merged> const& widths, std::function<host_line(std::uint64_t)> line)
      : widths_(widths), line_(std::move(line)) {}
  host_warp merge(host_warp const& warp) {
    if (widths_.empty()) return warp;
    merged_.resize(warp.lanes.size());
    for (std::size_t lane = 0; lane != warp.lanes.size(); ++lane) {
      auto& list = merged_[lane];
      list.clear();
      for (host_access const& next : warp.lanes[lane])
        if (!joins(warp.places, list, next)) list.push_back(next);
    }
    return {warp.block, warp.warp, warp.places, merged_};
  }

 private:
  /// The width in bytes that the user states for a place of the program; 0 if none is stated.
  unsigned bytes_at(std::uint64_t place) {
    auto const [found, is_new] = stated_.try_emplace(place);
    if (!is_new) return found->second.bytes;
    host_line const line = line_(place);
    found->second.line = line.line;
    for (host::merged const& one : widths_)
      if (line.line == one.line && line.file.ends_with(one.file)) found->second.bytes = one.bytes;
    return found->second.bytes;
  }
  bool joins(host_places& places, std::vector<host_access>& list, host_access const& next) {
    using entry = host_access::entry;
    if (list.empty() || next.is != entry::access || list.back().is != entry::access) return false;
    host_access& last = list.back();
    host_place wider = places[last.place];
    host_place const& added = places[next.place];
    unsigned const bytes = bytes_at(added.address);
    if (bytes == 0 || bytes_at(wider.address) != bytes || stated_[wider.address].line != stated_[added.address].line)
      return false;
    if (wider.array != added.array || wider.kind != added.kind || wider.instruction != nullptr) return false;
    if (last.address + wider.bytes != next.address || last.address / bytes != next.address / bytes) return false;
    wider.bytes += added.bytes;
    wider.is_copy = true;  // no type tells how the merged bytes are aligned, so alignment_of() uses the addresses
    last.place = places.number_of(wider), last.unwritten = last.unwritten || next.unwritten;
    return true;
  }

  struct stated {
    unsigned bytes = 0, line = 0;
  };
  std::vector<host::merged> widths_;
  std::function<host_line(std::uint64_t)> line_;
  std::map<std::uint64_t, stated> stated_;
  std::vector<std::vector<host_access>> merged_;
};

/// Records the instructions of warps. Opens a site at the source line of each place.
template <unsigned Lanes>
class instruction_recorder {
 public:
  using lines = std::function<host_line(std::uint64_t place)>;
  using visit = visit_of_lanes<Lanes>;
  /// `arrays` may grow later. `kernel` is an address in the kernel. If this address has a line of the source, the
  /// program was compiled with -g.
  instruction_recorder(rows_of_machine<Lanes>& rows, std::vector<host_array> const& arrays, lines line,
                       std::uint64_t kernel)
      : rows_(rows), arrays_(arrays), line_(std::move(line)), kernel_(kernel) {}

  /// Says to which warp the instructions that follow belong.
  void begin_warp(coalescing::place const& block, unsigned warp) { rows_.begin(block, warp); }
  /// Records an instruction at `place`. The number of the place is v.place.
  void take(visit const& v, host_place const& place, bool uneven, bool unwritten) {
    unsigned const site = site_of(v, place);
    rows_.take(site, v.asked.active, v.asked.address, uneven);
    if (unwritten) rows_.reads_unwritten(site);
  }

 private:
  /// The alignment of an element. A built-in type is aligned to its size. The alignment of bytes that are copied as a
  /// whole, or merged, is the largest power of two, up to 16, that divides their number and the addresses of all lanes.
  static unsigned alignment_of(visit const& v, host_place const& place) {
    unsigned const bytes = place.bytes;
    if (!place.is_copy && bytes <= 16 && (bytes & (bytes - 1)) == 0) return bytes;
    std::uint64_t const bits = v.any | bytes | 16;
    return static_cast<unsigned>(bits & (~bits + 1));
  }
  unsigned site_of(visit const& v, host_place const& place) {
    unsigned const alignment = alignment_of(v, place);
    auto const [found, is_new] = sites_.try_emplace({v.place, alignment});
    if (is_new) {
      host_line const line = line_(place.address);
      host_array const& array = arrays_[place.array];
      // An atomic is a call. If the call has no line, the compiler may have merged several calls of the source.
      if (line.line == 0 && (place.kind == touch::atomic || place.kind == touch::issued) && line_(kernel_).line != 0)
        refused::access_has_no_line(array.name, line.offset);
      found_at const at{line.file, line.line, line.column, line.line == 0 ? line.offset : not_counted, ""};
      if (place.instruction != nullptr)
        found->second = rows_.open_as(at, array.name, array.space, place.kind, issued_piece(*place.instruction));
      else if (place.kind == touch::issued)  // a texture fetch
        found->second = rows_.open_uncounted(at, array.name, array.space, touch::load, place.bytes);
      else
        found->second = rows_.open(at, array.name, array.space, place.kind, place.bytes, alignment);
    }
    return found->second;
  }

  static piece<Lanes> issued_piece(issued_instruction const& of) {
    if constexpr (Lanes == 32)
      if (of.of_32 != nullptr) return of.of_32();
    if constexpr (Lanes == 64)
      if (of.of_64 != nullptr) return of.of_64();
    refused::instruction_is_of_another_machine();
  }

  rows_of_machine<Lanes>& rows_;
  std::vector<host_array> const& arrays_;
  lines line_;
  std::uint64_t kernel_;
  std::map<std::pair<unsigned, unsigned>, unsigned> sites_;
};

/// Finds the instructions of warps from the accesses of their lanes, and records them.
template <unsigned Lanes>
class warp_recorder {
 public:
  warp_recorder(rows_of_machine<Lanes>& rows, std::vector<host_array> const& arrays,
                std::function<host_line(std::uint64_t)> const& line, std::uint64_t kernel,
                std::vector<host::merged> const& widths)
      : to_(rows, arrays, line, kernel), line_(line), merging_(widths, line) {}

  void add_warp(host_warp const& warp) {
    to_.begin_warp(warp.block, warp.warp);
    instructions_.each(
        merging_.merge(warp),
        [&, this](auto const& v, bool uneven, bool unwritten) { to_.take(v, warp.places[v.place], uneven, unwritten); },
        [this](host_place const& place) { refused::lanes_contradict_each_other(line_(place.address).words()); });
  }

 private:
  instruction_recorder<Lanes> to_;
  std::function<host_line(std::uint64_t)> line_;
  merging merging_;
  warp_instructions<Lanes> instructions_;
};

}  // namespace coalescing::detail

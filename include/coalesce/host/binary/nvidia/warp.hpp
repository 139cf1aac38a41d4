// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/binary/loops.hpp>
#include <coalesce/host/binary/nvidia/text.hpp>
#include <coalesce/host/binary/values.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

// A warp: registers of which each bit is known or unknown, and a program counter of each lane.

namespace coalescing::sass {

using binary::cause;
using binary::exact;
using binary::value;
using binary::word;
using u64 = std::uint64_t;

inline constexpr unsigned warp_lanes = 32;

/// What a lane waits for.
enum class waits_for : unsigned char { nothing, lanes, block };

struct lane_state {
  std::size_t counter = 0;
  bool has_exited = false;
  waits_for waits = waits_for::nothing;
  unsigned barrier = 0;                         ///< of the block: the one that it waits at
  std::uint32_t with = 0;                       ///< the lanes that it waits for
  std::array<std::uint32_t, 16> barriers = {};  ///< of each convergence barrier: its lanes
};

struct warp {
  unsigned number = 0;
  std::vector<std::array<word, warp_lanes>> general;
  std::array<word, 256> uniform = {};
  std::array<std::array<word, warp_lanes>, 8> predicates = {};
  std::array<word, 8> uniform_predicates = {};
  std::array<lane_state, warp_lanes> lanes = {};
  std::uint32_t uncertain = 0;  ///< lanes of which it depends on data whether they are still there
  binary::counted_rounds rounds;
  bool is_way = false;  ///< it depends on data which lanes are here
  std::uint64_t executed = 0;
  cause ended = 0;        ///< the instruction at which it ended before its EXIT; 0: none
  value reduced[2] = {};  ///< what the last BAR.RED found: how many predicates were true; whether all or any were

  explicit warp(unsigned which, unsigned registers = zero_register) : number(which), general(registers) {}

  [[nodiscard]] std::uint32_t alive() const {
    std::uint32_t mask = 0;
    for (unsigned k = 0; k != warp_lanes; ++k) mask |= std::uint32_t{!lanes[k].has_exited} << k;
    return mask;
  }
  [[nodiscard]] value general_register(unsigned index, unsigned lane) const {
    return index >= zero_register    ? exact(0)
           : index >= general.size() ? binary::unknown(0)
                                     : general[index][lane].wide();
  }
  [[nodiscard]] value uniform_register(unsigned index) const {
    return index >= zero_register ? exact(0) : uniform[index].wide();
  }
  /// A predicate, as 0 or 1.
  [[nodiscard]] value predicate(operand const& from, unsigned lane) const {
    value const bit = from.index == true_predicate                   ? exact(1)
                      : from.kind == operand_kind::uniform_predicate ? uniform_predicates[from.index].wide()
                                                                     : predicates[from.index][lane].wide();
    return from.is_inverted ? low(~bit, 1) : low(bit, 1);
  }
};

}  // namespace coalescing::sass

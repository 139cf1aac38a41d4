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

// A warp: its registers, each bit of them known or unknown, and the program counter of each lane.

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
  unsigned barrier = 0;                         ///< the number of the block's barrier at which the lane waits
  std::uint32_t with = 0;                       ///< the lanes for which the lane waits
  std::array<std::uint32_t, 16> barriers = {};  ///< for each convergence barrier: the lanes that take part in it
};

/// A warp. A lane's predicate may depend on data. Then a register that an instruction writes under the predicate has
/// two values. The register itself holds the value for the case that the predicate is true: instructions under the same
/// predicate read that value. A list (others_) holds the value for the other case. Any other instruction reads what is
/// known in both cases.
struct warp {
  /// The predicate of an instruction. By default it is PT, which is always true: the instruction has no predicate.
  struct guard_name {
    operand_kind kind = operand_kind::predicate;
    unsigned index = true_predicate;
    bool is_inverted = false;
    constexpr bool operator==(guard_name const&) const = default;
  };

  unsigned number = 0;
  unsigned first_local;  ///< the index in `general` of the first word of local memory
  /// The general registers, and after them the words of the lanes' local memory.
  std::vector<std::array<word, warp_lanes>> general;
  std::array<word, 256> uniform = {};
  std::array<std::array<word, warp_lanes>, 8> predicates = {};
  std::array<word, 8> uniform_predicates = {};
  std::array<lane_state, warp_lanes> lanes = {};
  std::uint32_t uncertain = 0;  ///< lanes that may have exited: unknown data decides
  binary::counted_rounds rounds;
  bool is_way = false;  ///< the warp is followed on one side of a branch, and data decides which lanes take this side
  std::uint64_t executed = 0;
  cause ended = 0;        ///< the instruction, numbered from 1 on, at which the warp ended before its EXIT; 0: none
  value reduced[2] = {};  ///< of the last BAR.RED: how many predicates were true; whether all or any were

  guard_name guard = {};  ///< the predicate of the instruction that runs

  explicit warp(unsigned which, unsigned registers = zero_register, unsigned local_words = 0)
      : number(which), first_local(registers), general(registers + local_words), has_other_(registers + local_words) {}

  [[nodiscard]] std::uint32_t alive() const {
    std::uint32_t mask = 0;
    for (unsigned k = 0; k != warp_lanes; ++k) mask |= std::uint32_t{!lanes[k].has_exited} << k;
    return mask;
  }
  [[nodiscard]] value general_register(unsigned index, unsigned lane) const {
    if (index >= zero_register) return exact(0);
    return index >= first_local ? binary::unknown(0) : held(index, lane);
  }
  [[nodiscard]] unsigned local_words() const { return static_cast<unsigned>(general.size()) - first_local; }
  /// The value of a register or of a word of local memory, as the instruction that runs now reads it.
  [[nodiscard]] value held(unsigned index, unsigned lane) const {
    word made = general[index][lane];
    if ((has_other_[index] >> lane & 1) != 0)
      for (other const& each : others_)
        if (each.index == index && each.lane == lane && !(each.under == guard)) each.join_to(made);
    return made.wide();
  }
  void set_general(unsigned index, unsigned lane, word to) {
    drop(index, lane);
    general[index][lane] = to;
  }
  /// Writes a register under a predicate that depends on data; `why` is the cause.
  void set_general_perhaps(unsigned index, unsigned lane, word to, cause why) {
    word const before(held(index, lane));
    if ((has_other_[index] >> lane & 1) == 0) {
      others_.push_back({index, lane, guard, before, why});
    } else {
      for (other& each : others_)
        if (each.index == index && each.lane == lane && !(each.under == guard))
          each = {index, lane, guard, before, why};
    }
    has_other_[index] |= std::uint32_t{1} << lane;
    general[index][lane] = to;
  }
  /// To be called when a predicate changes, in the lanes of the mask `changed`. An instruction that this predicate
  /// guards may have written a register while the predicate was unknown. The register then has two possible values: the
  /// new one, and the one before. The predicate no longer tells them apart, so the register keeps the bits in which
  /// both agree.
  void settle(operand_kind kind, unsigned which, std::uint32_t changed) {
    settle_if([&](other const& each) {
      return each.under.kind == kind && each.under.index == which && (changed >> each.lane & 1) != 0;
    });
  }
  [[nodiscard]] bool is_settled() const { return others_.empty(); }
  void settle_all() {
    settle_if([](other const&) { return true; });
  }

  [[nodiscard]] value uniform_register(unsigned index) const {
    return index >= zero_register ? exact(0) : uniform[index].wide();
  }
  /// The value of a predicate in a lane: 0, 1 or unknown.
  [[nodiscard]] value predicate(operand const& from, unsigned lane) const {
    if (from.index == true_predicate) return exact(from.is_inverted ? 0 : 1);
    value const bit = from.kind == operand_kind::uniform_predicate ? uniform_predicates[from.index].wide()
                                                                   : predicates[from.index][lane].wide();
    return from.is_inverted ? low(~bit, 1) : low(bit, 1);
  }

 private:
  struct other {
    unsigned index, lane;
    guard_name under;
    word held;  ///< the register's value if the predicate is false
    cause why;  ///< why the predicate is unknown

    void join_to(word& to) const {
      binary::join(to, held, why);
      if (to.known != ~std::uint32_t{0}) to.why = binary::either(to.why, why);
    }
  };
  void drop(unsigned index, unsigned lane) {
    if ((has_other_[index] >> lane & 1) == 0) return;
    has_other_[index] &= ~(std::uint32_t{1} << lane);
    std::erase_if(others_, [=](other const& each) { return each.index == index && each.lane == lane; });
  }
  template <class IsMeant>
  void settle_if(IsMeant const& is_meant) {
    std::erase_if(others_, [&](other const& each) {
      if (!is_meant(each)) return false;
      each.join_to(general[each.index][each.lane]);
      has_other_[each.index] &= ~(std::uint32_t{1} << each.lane);
      return true;
    });
  }

  std::vector<std::uint32_t> has_other_;  ///< for each general register: the lanes that have a value in `others_`
  std::vector<other> others_ = {};
};

}  // namespace coalescing::sass

// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/binary/refused.hpp>
#include <coalesce/host/binary/text.hpp>
#include <coalesce/host/binary/values.hpp>
#include <coalesce/record/sums.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

// What waves report while they run, on the machines of every vendor: what their lanes access, and where a wave ends
// early. This header also says in words what a value depends on.

namespace coalescing::binary {

/// Calls function(lane) for each lane of a mask, from the lowest one on.
template <class Function>
void each_lane(std::uint64_t mask, Function const& function) {
  for (; mask != 0; mask &= mask - 1) function(static_cast<unsigned>(std::countr_zero(mask)));
}

/// What an instruction of a wave does to memory of one space: which bytes its lanes move, or why that is not known. A
/// copy from global to shared memory has two such objects, one for each space.
struct lane_access {
  memory_space space = {};
  touch kind = {};
  unsigned bytes = 4;         ///< bytes that a lane moves
  std::string array = {};     ///< the name of the buffer or of the shared memory; empty where it is not known which one
  std::uint64_t active = 0;   ///< mask of the lanes that take part for certain
  std::uint64_t perhaps = 0;  ///< mask of further lanes: whether they take part depends on unknown data
  std::array<std::uint64_t, 64> address = {};  ///< of each lane that may take part
  /// 0 if the lane's address is known; else the name of an unknown number that is added to `address`.
  std::array<std::uint64_t, 64> base = {};
  std::array<std::uint8_t, 64> aligned = {};  ///< the unknown number is a multiple of 2 to this power
  /// If a lane's address is unknown, all bytes that the lane moves lie in `from` to `to` - 1. `to` is 0 if they may lie
  /// anywhere.
  std::array<std::uint64_t, 64> from = {}, to = {};
  /// A mask of the lanes whose address has a name that rests on an assumption (identity::assumes).
  std::uint64_t assumes = 0;
  /// The number of the buffer whose pointer the lane's address was computed from; 0 if no such pointer is known.
  std::array<buffer_number, 64> in = {};
  /// A mask of the lanes whose unknown address surely lies in the buffer `in`, or in the block's shared memory.
  std::uint64_t inside = 0;
  /// If an unknown argument is assumed to be a pointer to a buffer: the number of that buffer; else 0.
  buffer_number open_pointer = 0;
  std::string why = {};  ///< why the cost of the access is not known; empty if it is known

  [[nodiscard]] std::uint64_t lanes() const { return active | perhaps; }
  /// Whether the lanes that take part, and all their addresses, are known.
  [[nodiscard]] bool is_exact() const {
    bool all = perhaps == 0;
    for (unsigned lane = 0; lane != 64; ++lane) all = all && ((active >> lane & 1) == 0 || base[lane] == 0);
    return all;
  }
  /// Sets the address of a lane. `width` is how many bits an address has: 32 or 64. `pointer` is the name of an unknown
  /// number that may be a pointer; 0: there is no such number. If the address is the sum of this unknown number and a
  /// known one, the unknown number is assumed to be a pointer to a buffer, and so a multiple of 256 bytes.
  void put(unsigned lane, value at, unsigned width, std::uint64_t pointer = 0) {
    value const of = low(at, width);
    address[lane] = of.bits, base[lane] = 0, aligned[lane] = 0, in[lane] = at.in;
    std::uint64_t const bit = std::uint64_t{1} << lane;
    assumes = of.is_known() || !of.is.assumes ? assumes & ~bit : assumes | bit;
    if (of.is_known()) return;
    bool const is_anywhere = of.largest() > ~std::uint64_t{0} - bytes;
    from[lane] = of.bits, to[lane] = is_anywhere ? 0 : of.largest() + bytes;
    if (width == 64 && of.is.part == part_of_number::whole && stays_below(of.is, of.is.offset, 63))
      from[lane] = of.is.offset, to[lane] = of.is.offset + of.is.most + bytes;
    unsigned const known = binary::known_below(of);
    aligned[lane] = static_cast<std::uint8_t>(known);
    address[lane] = known == 0 ? 0 : of.bits & ((std::uint64_t{1} << known) - 1);
    part_of_number const part = width == 64 ? part_of_number::whole : part_of_number::lower;
    bool const has_name = of.is.part == part;
    base[lane] = has_name ? of.is.name : binary::name_of(lane + 1, unnamed);
    offset_[lane] = has_name ? of.is.offset : 0;
    if (has_name && pointer != 0 && of.is.name == pointer)
      aligned[lane] = 8, address[lane] = of.is.offset & 255, open_pointer = at.in;
  }
  /// Narrows the range of a lane whose address is unknown: the lane moves only bytes from `first` to `end` - 1. The
  /// lane is added to `inside` if its range lay there before.
  void keep_within(unsigned lane, std::uint64_t first, std::uint64_t end) {
    if (base[lane] == 0) return;
    if (to[lane] != 0 && from[lane] >= first && to[lane] <= end) inside |= std::uint64_t{1} << lane;
    std::uint64_t const last = to[lane] == 0 ? end : std::min(to[lane], end);
    from[lane] = std::max(from[lane], first), to[lane] = std::max(last, from[lane]);
  }
  /// The name (identities.hpp) that stands for the unknown number which a lane loads. Lanes that load from the same
  /// address get the same name. `issue` is the number of the executed instruction.
  [[nodiscard]] std::uint64_t name_of_loaded(unsigned lane, std::uint64_t issue) const {
    return binary::name_of(binary::name_of(issue, base[lane]), address[lane]);
  }
  /// Call this after put() has been called for all lanes. It changes `address` and `aligned` of lanes with the same
  /// base. Their addresses then differ by the lanes' distances: by 4 if two lanes access base + 8 and base + 12. All
  /// these lanes get the greatest alignment that is known for one of them.
  void settle_bases(unsigned width) {
    std::uint64_t done = 0;
    for (unsigned first = 0; first != 64; ++first) {
      bool const is_open = ((lanes() & ~done) >> first & 1) != 0;
      if (!is_open || base[first] == 0) continue;
      std::uint64_t same = 0;
      unsigned known = first;
      auto const distance = [&](unsigned lane) {
        std::uint64_t const d = offset_[lane] - offset_[first];
        return width == 64 ? static_cast<std::int64_t>(d)
                           : std::int64_t{static_cast<std::int32_t>(static_cast<std::uint32_t>(d))};
      };
      std::int64_t least = 0;
      each_lane(lanes(), [&](unsigned lane) {
        if (base[lane] != base[first]) return;
        same |= std::uint64_t{1} << lane;
        if (aligned[lane] > aligned[known]) known = lane;
        least = std::min(least, distance(lane));
      });
      std::uint8_t const power = aligned[known];
      std::uint64_t const mask = power == 0 ? 0 : power >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << power) - 1;
      std::uint64_t const begin = (address[known] + static_cast<std::uint64_t>(least - distance(known))) & mask;
      each_lane(same, [&](unsigned lane) {
        aligned[lane] = power, address[lane] = begin + static_cast<std::uint64_t>(distance(lane) - least);
      });
      done |= same;
    }
  }

 private:
  static constexpr std::uint64_t unnamed = 0x756e6e616d656421u;
  std::array<std::uint64_t, 64> offset_ = {};
};

/// The functions that are called while waves run. `Access` is a class derived from lane_access, with members that only
/// one vendor needs. `index` is the index of the instruction in the text.
template <class Access>
struct observer {
  static constexpr std::size_t no_loop = ~std::size_t{0};

  /// This wave of the block starts or goes on. All calls are about this wave until wave_goes_on is called again.
  std::function<void(place const& block, unsigned wave)> wave_goes_on;
  /// A wave makes an access. `loop` is the index of the first instruction of the innermost loop around the access that
  /// only unknown data can end; no_loop: there is no such loop.
  std::function<void(std::size_t index, Access const& one, std::size_t loop)> wave_accesses;
  /// An iteration of a loop has ended. It consists of the accesses with a `loop` that were reported since the last call
  /// of round_ends.
  std::function<void()> round_ends;
  /// The wave has come to a branch whose condition is unknown, or to a loop that only unknown data can end. From now on
  /// both sides of the branch are followed, or the loop is followed for any number of iterations.
  std::function<void()> ways_part = [] {};
  /// The wave ends here: it is not followed past this instruction.
  std::function<void(std::size_t index, std::string const& why)> wave_ends_early;
  /// The answer rests on an assumption about this instruction. `what` says what is assumed.
  std::function<void(std::size_t index, std::string const& what)> assumes;
};

/// Passes the accesses of a wave on to an observer. It can hold them back while both sides of a branch on unknown data
/// are followed.
template <class Access>
class held_accesses {
 public:
  explicit held_accesses(observer<Access> const& to) : to_(to) {}
  [[nodiscard]] observer<Access> const& to() const { return to_; }

  void access(std::size_t index, Access const& one) {
    if (holds_)
      held_.push_back({index, false, one}), ++count_;
    else
      to_.wave_accesses(index, one, observer<Access>::no_loop);
  }
  void hold() { to_.ways_part(), holds_ = true; }
  /// Drops the accesses that are held.
  void drop() { held_.clear(), count_ = 0; }
  /// Notes that an iteration of a loop begins. `loop_begin` is the index of the loop's first instruction.
  void begin_round(std::size_t loop_begin) { held_.push_back({loop_begin, true, {}}); }
  [[nodiscard]] bool is_holding() const { return holds_; }
  [[nodiscard]] bool holds_any() const { return count_ != 0; }
  /// Reports the accesses that are held. loop_around(index, none) returns the first instruction of the innermost loop
  /// around the instruction `index` that only unknown data can end, or `none`. is_in(loop_begin, index) says
  /// whether the instruction `index` lies in the loop that begins at `loop_begin`.
  template <class LoopAround, class IsIn>
  void report(LoopAround const& loop_around, IsIn const& is_in) {
    constexpr std::size_t none = observer<Access>::no_loop;
    std::set<std::size_t> in_loops;
    for (held const& each : held_) {
      if (each.is_round) continue;
      if (loop_around(each.index, none) == none)
        to_.wave_accesses(each.index, each.one, none);
      else
        in_loops.insert(each.index);
    }
    for (std::size_t const index : in_loops) {  // all iterations of one instruction, then those of the next
      for (held const& each : held_) {
        if (each.is_round && is_in(each.index, index)) to_.round_ends();
        if (!each.is_round && each.index == index) to_.wave_accesses(index, each.one, loop_around(index, none));
      }
      to_.round_ends();
    }
    holds_ = false, drop();
  }

 private:
  struct held {
    std::size_t index;
    bool is_round;
    Access one;
  };
  observer<Access> const& to_;
  bool holds_ = false;
  std::size_t count_ = 0;
  std::vector<held> held_;
};

/// Says in words what a value depends on: "its address depends on data: line 12, LDG.E". `what` is "its address" here.
/// source_of(instruction) returns the words before the line, such as "data: ". The instruction is the one that made the
/// value unknown. Refused: a value whose cause is an opcode that is not in the tables.
template <class Instruction, class Source>
[[nodiscard]] std::string because(std::vector<Instruction> const& code, value const& of, std::string const& what,
                                  Instruction const& user, Source const& source_of) {
  auto const text_of = [](Instruction const& i) { return "line " + std::to_string(i.line) + ", " + i.printed; };
  cause const number = of.why & ~of_opcode;
  if (number == 0) return what + " depends on a register that nothing wrote";
  Instruction const& made = code[number - 1];
  if ((of.why & of_opcode) != 0)
    throw binary_refused("the opcode " + made.printed + " (or a form of it) is not in the tables, and " + what +
                             " depends on it: " + text_of(user),
                         made.line);
  return what + " depends on " + source_of(made) + text_of(made);
}

}  // namespace coalescing::binary

// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/binary/amd/opcode_rows.hpp>
#include <coalesce/host/binary/amd/program.hpp>
#include <coalesce/host/binary/amd/text.hpp>
#include <coalesce/host/binary/loops.hpp>
#include <coalesce/host/binary/values.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

// The registers of a wave. An instruction reads and writes registers through its operands. If the result of an
// instruction is not computed, the registers that it writes become unknown (forget_results).

namespace coalescing::amdgcn {

using binary::cause;
using binary::exact;
using binary::value;
using binary::word;

inline constexpr unsigned vcc_register = 106, exec_register = 126, m0_register = 124;

/// The properties in which the targets differ.
struct target {
  char const* name = "";
  std::uint64_t lds_bytes = 64 << 10;  ///< the most bytes of LDS that a work-group can have
  unsigned major = 0;                  ///< the number of the generation: 9 for gfx90a, 10 for gfx1030
  bool packed_ids = false;             ///< v0 holds x, y and z of the work-item's id in 10 bits each
  bool ids_in_ttmp = false;  ///< the work-group's numbers are in ttmp9 and ttmp7; the wave's number is in bits 25 to 29
                             ///< of ttmp8
  bool pads_user_registers = false;  ///< a wave of 32 lanes starts with at least 16 scalar registers set: if a kernel
                                     ///< needs fewer, unused ones stand before the work-group's numbers
  /// Whether the ISA guide says that S_MAX sets SCC if both numbers are equal. The guides of CDNA 3 and 4 and of RDNA 3
  /// and 4 say so. RDNA 2's guide says that S_MAX does not, and CDNA 2's guide was not found. On RDNA 2 and CDNA 2, SCC
  /// is unknown after S_MAX of equal numbers.
  bool tells_equal_max = true;
  bool keeps_high_half = false;  ///< each result of 16 bits keeps the register's upper half (on gfx9, most write zeros)
};

/// The bits of a number in half precision. The numbers that an instruction can hold as constants (0.5, 1, 2, 4) are
/// exact.
[[nodiscard]] inline u64 half_of(double a) {
  if (a == 0) return 0;
  u64 const bits = std::bit_cast<u64>(a);
  auto const exponent = static_cast<std::int64_t>(bits >> 52 & 2047) - 1023 + 15;
  return bits >> 63 << 15 | static_cast<u64>(exponent) << 10 | (bits >> 42 & 1023);
}

/// A wave of the block.
///
/// Unknown data may decide whether a lane is active. Then each vector register of the lane has two values. The register
/// itself holds the value for the case that the lane is active, because the lane's next instructions read that value. A
/// list (others_) holds the value for the case that the lane is off. Before an instruction can turn lanes on, settle()
/// joins the two values.
class wave {
 public:
  unsigned lanes;
  unsigned number;  ///< the wave's number in the block
  /// The number of the first register that stands for private memory (scratch). The model keeps the words of private
  /// memory in further vector registers, after those that the wave really has.
  unsigned first_private;
  std::uint64_t counter = 0;  ///< the index of the next instruction
  bool ended = false, waits = false;
  bool has_signaled = false;  ///< after S_BARRIER_SIGNAL of gfx12, until the wave waits at the barrier
  bool perhaps = false;       ///< it depends on data whether the wave reaches its next instruction
  binary::counted_rounds rounds;
  bool indexes = false;  ///< after S_SET_GPR_IDX_ON: vector instructions add an index in M0 to the numbers of registers
                         ///< (indexed.hpp)
  std::uint64_t executed = 0;
  value rounding = exact(0);  ///< bits 0 to 3 of MODE: how results are rounded. 0: to the nearest number, ties to even
  value scc = binary::unknown(0);

  /// Makes a wave with `registers` vector registers. In the model, further registers after these hold the words of
  /// private memory (scratch): only the lane itself accesses its words, so they work like registers. A write to a
  /// register that the wave lacks is lost, and a read of a register that the wave lacks gives an unknown value.
  wave(unsigned all_lanes, unsigned which, unsigned registers = vector_registers, unsigned private_words = 0)
      : lanes(all_lanes),
        number(which),
        first_private(registers),
        vector_(registers + private_words),
        has_other_(registers + private_words) {}

  [[nodiscard]] u64 every_lane() const { return mask_of(lanes); }

  // Scalar registers. A mask of lanes is one register for 32 lanes, and two registers for 64.
  [[nodiscard]] value scalar(unsigned first, unsigned bits) const {
    if (first == null_register) return exact(0);
    if (first + (bits > 32 ? 2 : 1) > scalar_registers) return binary::unknown(0);
    value const below = scalar_[first].wide();
    return bits <= 32 ? below : binary::paired(below, scalar_[first + 1].wide());
  }
  void set_scalar(unsigned first, unsigned bits, value to) {
    unsigned const end = first + (bits > 32 ? 2 : 1);
    if (first == null_register || end > scalar_registers) return;
    if (first <= exec_register + 1 && end > exec_register) settle();
    set_scalar_of_subset(first, bits, to);
  }
  [[nodiscard]] value mask(unsigned first) const { return low(scalar(first, lanes), lanes); }
  /// The bit of a lane in a mask. If the mask holds the carries of a sum (set_carries), an unknown bit also says of
  /// which sum it is the carry (by an identity: identities.hpp).
  [[nodiscard]] value mask_bit(unsigned first, unsigned at) const {
    value const bit = bit_of(mask(first), at);
    return first == carries_in_ ? binary::identified(bit, carries_[at]) : bit;
  }
  void set_carries(unsigned first, value to, std::array<binary::identity, 64> const& of_lanes) {
    set_scalar(first, lanes, to);
    carries_in_ = first, carries_ = of_lanes;
  }
  [[nodiscard]] value exec() const { return exec_; }
  void set_exec(value to) { set_scalar(exec_register, lanes, to); }
  /// Like set_exec, for a new mask that is a subset of the old one. No lane becomes active, so settle() is not called.
  /// A lane that is off now may have been active before. So its registers keep for "off" only what is known in both
  /// cases of the old mask.
  void narrow_exec(value to) {
    for (other& each : others_) binary::join(each.held, vector_[each.which][each.lane], exec_.why);
    set_scalar_of_subset(exec_register, lanes, to);
  }
  /// Notes that no lane is active: a branch on the execution mask has shown it. Each register holds its value for
  /// "off".
  void know_none_is_active() {
    for (other const& each : others_) vector_[each.which][each.lane] = each.held, has_other_[each.which] = 0;
    others_.clear();
    set_scalar_of_subset(exec_register, lanes, exact(0));
  }

  [[nodiscard]] unsigned private_words() const { return static_cast<unsigned>(vector_.size()) - first_private; }

  // Vector registers.
  [[nodiscard]] value lane(unsigned first, unsigned which, unsigned bits) const {
    if (first >= vector_.size()) return binary::unknown(0);
    value const below = vector_[first][which].wide();
    return bits <= 32 || first + 1 >= vector_.size() ? below : binary::paired(below, vector_[first + 1][which].wide());
  }
  /// The bits of a lane's register that are known in both cases: the lane is active, or it is off. (If the case is
  /// unknown, the register has a value for each.)
  [[nodiscard]] value lane_anyway(unsigned first, unsigned which) const {
    if (first >= vector_.size()) return binary::unknown(0);
    word made = vector_[first][which];
    if ((has_other_[first] >> which & 1) == 0) return made.wide();
    for (other const& each : others_)
      if (each.which == first && each.lane == which) binary::join(made, each.held, exec_.why);
    return made.wide();
  }
  /// Writes a 32-bit register of a lane, if the lane is active. If it is unknown whether the lane is active, the old
  /// value stays for the case that the lane is off.
  void set_lane(unsigned which, unsigned at, value to) {
    if (which >= vector_.size()) return;
    u64 const bit = u64{1} << at;
    bool const is_known = (exec_.known & bit) != 0;
    if (is_known && (exec_.bits & bit) == 0) return;
    if (!is_known && (has_other_[which] & bit) == 0)
      others_.push_back({which, at, vector_[which][at]}), has_other_[which] |= bit;
    vector_[which][at] = word(to);
  }
  /// Writes a register of a lane for both cases: the lane is active, or it is not.
  void set_lane_anyway(unsigned which, unsigned at, value to) {
    if (which >= vector_.size()) return;
    vector_[which][at] = word(to);
    if ((has_other_[which] >> at & 1) == 0) return;
    for (other& each : others_)
      if (each.which == which && each.lane == at) each.held = word(to);
  }
  /// Replaces the value that a register has for the case that the lane is active. (While it is unknown whether the lane
  /// is active, the register has a second value, for the case that it is off. This one stays.)
  void replace_lane(unsigned which, unsigned at, value to) {
    if (which < vector_.size()) vector_[which][at] = word(to);
  }
  /// Joins the two values of each register that has one for "the lane is active" and one for "the lane is off", since
  /// it was unknown which is true. Called when lanes that were off may become active. Each register then holds only
  /// what is known in both cases.
  void settle() {
    for (other const& each : others_) {
      binary::join(vector_[each.which][each.lane], each.held, exec_.why);
      has_other_[each.which] = 0;
    }
    others_.clear();
  }

  /// Joins this wave with `from`, which is the same wave after another way to the same instruction. Returns whether
  /// anything changed. On each way a lane may be active or off. The value of a lane's register for "active" is joined
  /// with the value for "active" on the other way, and the value for "off" with the value for "off".
  bool join(wave const& from, cause why) {
    lanes_in const mine(exec_, lanes), theirs(from.exec_, lanes);
    word condition(low(scc, 1));
    bool changed = binary::join(condition, word(low(from.scc, 1)), why) || (from.perhaps && !perhaps) ||
                   (from.has_signaled && !has_signaled);
    word mode(rounding);
    if (binary::join(mode, word(from.rounding), why)) changed = true;
    rounding = low(mode.wide(), 4);
    scc = condition.wide(), perhaps = perhaps || from.perhaps, has_signaled = has_signaled || from.has_signaled;
    for (unsigned k = 0; k != scalar_registers; ++k)
      if (binary::join(scalar_[k], from.scalar_[k], why)) changed = true;
    exec_ = mask(exec_register);
    if (carries_in_ != from.carries_in_ || carries_ != from.carries_) carries_in_ = null_register;
    std::map<std::size_t, word> const off = words_off(), from_off = from.words_off();
    u64 const one_sided = (mine.on ^ theirs.on) | (mine.off ^ theirs.off);
    others_.clear();
    for (std::size_t k = 0; k != vector_.size(); ++k) {
      u64 const apart = one_sided | has_other_[k] | from.has_other_[k];
      has_other_[k] = 0;
      for (unsigned at = 0; at != lanes; ++at) {
        word& here = vector_[k][at];
        word const there = from.vector_[k][at];
        if ((apart >> at & 1) == 0) {
          if (binary::join(here, there, why)) changed = true;
          continue;
        }
        auto const off_in = [&](std::map<std::size_t, word> const& in, word const& otherwise) {
          auto const found = in.find(k * 64 + at);
          return found == in.end() ? otherwise : found->second;
        };
        word if_off = off_in(off, here);
        if (joined_if(mine.off, theirs.off, at, if_off, off_in(from_off, there), why)) changed = true;
        if (joined_if(mine.on, theirs.on, at, here, there, why)) changed = true;
        u64 const bit = u64{1} << at;
        if (((mine.on | theirs.on) & bit) == 0) here = if_off;
        if (((mine.on | theirs.on) & (mine.off | theirs.off) & bit) == 0 || is_identical(here, if_off)) continue;
        others_.push_back({static_cast<unsigned>(k), at, if_off}), has_other_[k] |= bit;
      }
    }
    return changed;
  }
  /// Joins the wave at the head of a loop with the wave after one more iteration. The number of iterations is
  /// unknown, so what they add to a register is an unknown number. Each of these unknown numbers gets a name
  /// (identities.hpp), which is made from `loop`.
  bool join_rounds(wave&& from, std::uint64_t loop, std::array<std::vector<binary::growth>, 2>& grown, cause why) {
    lanes_in const mine(exec_, lanes), theirs(from.exec_, lanes);
    u64 const alike = every_lane() & ~((mine.on ^ theirs.on) | (mine.off ^ theirs.off));
    using scalars = binary::words_of_both<scalar_words, wave>;
    using vectors = binary::words_of_both<vector_words, wave>;
    bool changed = binary::join_rounds(scalars{*this, from}, scalar_registers, 1, loop, grown[0], why, true);
    if (binary::join_rounds(vectors{*this, from}, vector_.size(), alike, loop + 1, grown[1], why)) changed = true;
    from.scalar_ = scalar_;  // so that join() below leaves the registers joined above as they are
    for (std::size_t k = 0; k != vector_.size(); ++k)
      for (unsigned at = 0; at != lanes; ++at)
        if ((alike >> at & 1) != 0) from.vector_[k][at] = vector_[k][at];
    return join(from, why) || changed;
  }
  void widen(wave const& before) {
    binary::widen_rounds(binary::words_of_both<scalar_words, wave>{*this, before}, scalar_registers, 1);
    binary::widen_rounds(binary::words_of_both<vector_words, wave>{*this, before}, vector_.size(), every_lane());
    exec_ = mask(exec_register);
  }
  /// Whether it depends on data which lanes are active. In that case some lanes may have left a loop earlier than
  /// others.
  [[nodiscard]] bool has_unsure_lanes() const { return !exec_.is_known(lanes); }
  void leave_apart(wave const& before) {
    settle();
    binary::part_rounds(binary::words_of_both<vector_words, wave>{*this, before}, vector_.size(), every_lane());
  }
  /// Whether both waves have the same known bits in all registers, with equal values. The names of unknown numbers
  /// (identities.hpp) are not compared.
  [[nodiscard]] bool looks_like(wave const& then) const {
    bool same = word(low(scc, 1)).looks_like(word(low(then.scc, 1))) && word(rounding).looks_like(word(then.rounding));
    for (unsigned k = 0; same && k != scalar_registers; ++k) same = scalar_[k].looks_like(then.scalar_[k]);
    for (std::size_t k = 0; same && k != vector_.size(); ++k)
      for (unsigned lane = 0; same && lane != lanes; ++lane) same = vector_[k][lane].looks_like(then.vector_[k][lane]);
    return same;
  }

  /// Reads a source operand in one lane. `letter` is the operand's letter in the opcode's row. `anyway`: the lane may
  /// be off, and the result is what is known whether it is off or active (lane_anyway).
  [[nodiscard]] value source(operand const& from, char letter, unsigned at, cause why, bool anyway = false) const {
    unsigned const bits = bits_of(letter);
    value read = binary::unknown(why | binary::of_opcode);
    switch (from.kind) {
      case operand_kind::vector:
        read = lane(from.first, at, bits);
        if (anyway) read = lane_anyway(from.first, at);
        if (anyway && bits > 32) read = binary::paired(read, lane_anyway(from.first + 1, at));
        break;
      case operand_kind::scalar:
        if (from.first == 253) return scc;
        if (letter == 'm') return mask_bit(from.first, at);
        read = scalar(from.first, from.registers == 1 ? 32 : bits);
        break;
      case operand_kind::constant:
        read = constant(from, letter, at);
        break;
      case operand_kind::off:
        read = exact(0);
        break;
      case operand_kind::unnamed:
        break;
    }
    if (from.half == 2) read = low(read, 32) >> 16;
    if (from.absolute || from.negated) {
      value const sign = exact(u64{1} << (bits - 1));
      if (from.absolute) read = read & ~sign;
      if (from.negated) read = read ^ sign;
    }
    return low(read, letter == 'm' ? 1 : bits);
  }

 private:
  [[nodiscard]] static value constant(operand const& from, char letter, unsigned at) {
    if (from.is_real) {
      if (letter == 'h') return exact(half_of(from.real));
      if (bits_of(letter) == 64) return exact(std::bit_cast<u64>(from.real));
      return exact(std::bit_cast<std::uint32_t>(static_cast<float>(from.real)));
    }
    // A literal of 32 bits for a double-precision operand is the upper half of the number. For a signed operand of 64
    // bits, its sign is copied to the upper half.
    bool const is_half = from.is_literal && !begins(from.text, "lit64");
    value const whole = exact(static_cast<u64>(from.integer));
    if (letter == 'd' && is_half) return whole << 32;
    if (letter == 'i' && is_half) return binary::sign_extended(whole, 32);
    return letter == 'm' ? bit_of(whole, at) : whole;
  }

  void set_scalar_of_subset(unsigned first, unsigned bits, value to) {
    unsigned const end = first + (bits > 32 ? 2 : 1);
    to = binary::shared_by_lanes(to, binary::name_of(binary::name_of(executed, number), first), bits > 32 ? 64 : 32);
    scalar_[first] = word(to);
    if (bits > 32) scalar_[first + 1] = word(to >> 32);
    if (first <= carries_in_ + 1 && end > carries_in_) carries_in_ = null_register;
    if (first <= exec_register + 1 && end > exec_register) exec_ = mask(exec_register);
  }

  /// The lanes that may be active, and the lanes that may be off.
  struct lanes_in {
    u64 on, off;
    lanes_in(value const& mask, unsigned lanes)
        : on((mask.bits | ~mask.known) & mask_of(lanes)), off(~(mask.bits & mask.known) & mask_of(lanes)) {}
  };
  /// Joins a lane's register where two ways of a branch meet, for one of two cases: the lane is active, or it is off.
  /// (While it is unknown whether the lane is active, its register has a value for each case.) `to` is the value for
  /// this case on one way, and `from` on the other. `mine` is the mask of the lanes for which the case is possible on
  /// the way of `to`, and `theirs` on the way of `from`. A value whose case is not possible does not count. Returns
  /// whether `to` changed.
  static bool joined_if(u64 mine, u64 theirs, unsigned at, word& to, word const& from, cause why) {
    if ((theirs >> at & 1) == 0) return false;
    if ((mine >> at & 1) != 0) return binary::join(to, from, why);
    return to = from, true;
  }
  [[nodiscard]] static bool is_identical(word const& a, word const& b) { return a.looks_like(b) && a.is == b.is; }
  [[nodiscard]] std::map<std::size_t, word> words_off() const {
    std::map<std::size_t, word> all;
    for (other const& each : others_) all.emplace(std::size_t{each.which} * 64 + each.lane, each.held);
    return all;
  }

  /// For binary::join_rounds(), widen_rounds() and part_rounds(): scalar_words finds a scalar register of a wave, which
  /// all lanes share. vector_words finds the 32-bit word that one lane has in a vector register.
  struct scalar_words {
    template <class Wave>
    static auto& of(Wave& w, std::size_t k, unsigned) {
      return w.scalar_[k];
    }
  };
  struct vector_words {
    template <class Wave>
    static auto& of(Wave& w, std::size_t k, unsigned lane) {
      return w.vector_[k][lane];
    }
  };
  /// If it is unknown whether a lane is active: the value of its register `which` for the case that it is off. (The
  /// register itself holds the value for the case that the lane is active.)
  struct other {
    unsigned which, lane;
    word held;
  };
  std::array<word, scalar_registers> scalar_ = {};
  value exec_ = {};
  /// For each lane, which sum its carry is from (identities.hpp). The carries are in the mask that begins at the
  /// register `carries_in_`; if this is null_register, no mask holds carries.
  std::array<binary::identity, 64> carries_ = {};
  unsigned carries_in_ = null_register;
  std::vector<std::array<word, 64>> vector_;
  std::vector<u64> has_other_;  ///< for each vector register: the lanes that have a value in `others_`
  std::vector<other> others_ = {};
};

/// Whether the second operand of an instruction is a result, too, such as a carry or the mask of V_DIV_SCALE.
[[nodiscard]] inline bool has_second_result(std::string_view opcode) {
  for (std::string_view const each :
       {"_co_", "v_div_scale", "v_mad_u64_u32", "v_mad_i64_i32", "swap_b", "ds_bvh_stack"})
    if (opcode.find(each) != opcode.npos) return true;
  return false;
}

/// Makes everything unknown that an instruction writes: its first operand, a second result, SCC, and, if the opcode's
/// name contains "exec", the execution mask. tests/host/binary/amd/implied.cpp compares this with LLVM 22's tables.
/// Products of matrices write the registers of all lanes: V_MFMA does not look at the execution mask, and V_WMMA needs
/// all lanes on.
inline void forget_results(wave& w, instruction const& i, cause why) {
  value const lost = binary::unknown(why);
  bool of_matrices = false;
  for (char const* const each : {"v_mfma_", "v_smfmac_", "v_wmma_", "v_swmmac_"})
    of_matrices = of_matrices || begins(i.opcode, each);
  bool const compares = i.opcode.find("v_cmpx") != i.opcode.npos;  // the first operand of v_cmpx may be a source
  for (std::size_t k = 0; k != i.operands.size() && k != (has_second_result(i.opcode) ? 2u : 1u); ++k) {
    operand const& to = i.operands[k];
    if (to.kind == operand_kind::scalar && to.first == null_register) continue;
    for (unsigned n = 0; n != to.registers; ++n) {
      if (to.kind == operand_kind::scalar) w.set_scalar(to.first + n, 32, lost);
      for (unsigned lane = 0; to.kind == operand_kind::vector && !compares && lane != w.lanes; ++lane)
        if (of_matrices)
          w.set_lane_anyway(to.first + n, lane, low(lost, 32));
        else
          w.set_lane(to.first + n, lane, low(lost, 32));
    }
  }
  if (begins(i.opcode, "image_bvh"))  // its further results are operands in brackets, so all registers become unknown
    for (unsigned k = 0; k != w.first_private; ++k)
      for (unsigned lane = 0; lane != w.lanes; ++lane) w.set_lane(k, lane, low(lost, 32));
  if (begins(i.opcode, "s_")) w.scc = lost;
  if (compares || i.opcode.find("exec") != i.opcode.npos) w.set_exec(low(lost, w.lanes));
}

}  // namespace coalescing::amdgcn

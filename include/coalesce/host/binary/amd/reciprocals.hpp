// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/binary/amd/decode.hpp>
#include <coalesce/host/binary/amd/wave.hpp>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

// Makes reciprocals known where compilers divide integers with them. The hardware's V_RCP_F32 and V_RCP_IFLAG_F32 may
// be wrong by one unit in the last place, so their result is unknown here. But the steps after it in LLVM's divisions
// of integers correct the quotient (LLVM 22, AMDGPUCodeGenPrepare, expandDivRem32 and expandDivRem24;
// AMDGPUISelLowering, LowerUDIVREM64). So there the product with the reciprocal is computed from the correctly rounded
// reciprocal. Any other use of the reciprocal stays unknown. Two things show a division:
// - The reciprocal is multiplied by a number that no other code uses: 2^32 - 512 for 32 bits, 2^64 - 2^42 for 64 bits.
// - For fewer bits, the quotient q = trunc(a * reciprocal of b) is corrected if |a - q * b| >= b. This corrects a wrong
//   last place in up to 22 bits. In 23 and 24 bits, LLVM relies on the hardware.
// tests/host/binary/amd/reals.cpp divides with reciprocals whose last place is wrong.

namespace coalescing::amdgcn {

/// 2^32 - 512 and 2^64 - 2^42, as the bits of 32-bit floats. LLVM's divisions multiply a reciprocal by one of them.
inline constexpr std::int64_t quotient_factors[] = {0x4f7ffffe, 0x5f7ffffc};

namespace detail {

[[nodiscard]] inline bool is_quotient_factor(operand const& of) {
  bool found = false;
  for (std::int64_t const each : quotient_factors)
    found = found || (of.kind == operand_kind::constant && !of.is_real && of.integer == each && !of.negated);
  return found;
}
[[nodiscard]] inline bool names(operand const& of, operand const& other) {
  bool const is_register = of.kind == operand_kind::vector || of.kind == operand_kind::scalar;
  return is_register && of.kind == other.kind && of.first < other.first + other.registers &&
         other.first < of.first + of.registers;
}
/// Whether an instruction may write the register. The result is also true for a store whose first operand is the
/// register, although the store only reads the register.
[[nodiscard]] inline bool may_write(instruction const& i, operand const& which) {
  for (std::size_t k = 0; k != i.operands.size() && k != 2; ++k)
    if (names(i.operands[k], which) && (k == 0 || has_second_result(i.opcode))) return true;
  for (instruction const& other : i.second)
    if (may_write(other, which)) return true;
  return false;
}
[[nodiscard]] inline bool may_write_exec(instruction const& i) {
  bool const writes = !i.operands.empty() && i.operands[0].kind == operand_kind::scalar &&
                      i.operands[0].first + i.operands[0].registers > exec_register && i.operands[0].first < 128;
  return writes || i.opcode.find("v_cmpx") != i.opcode.npos || i.opcode.find("exec") != i.opcode.npos;
}
/// If the instruction multiplies a register by a number in quotient_factors, returns the operand with the register.
/// Else returns null.
[[nodiscard]] inline operand* multiplied(instruction& i) {
  bool const is_product = i.opcode == "v_mul_f32" || i.opcode == "s_mul_f32";
  if (!is_product || i.operands.size() != 3 || !i.modifiers.empty()) return nullptr;
  for (unsigned k = 1; k != 3; ++k) {
    operand& other = i.operands[3 - k];
    bool const is_register = other.kind == operand_kind::vector || other.kind == operand_kind::scalar;
    bool const is_plain = is_register && other.registers == 1 && !other.negated && !other.absolute && other.half == 0;
    if (is_quotient_factor(i.operands[k]) && is_plain) return &other;
  }
  return nullptr;
}

}  // namespace detail

/// Finds the reciprocals in a kernel's divisions of integers. Between the steps of a division, no branch, no target of
/// a branch, and no write to the execution mask may stand. The instruction that computes the reciprocal is replaced by
/// two. One writes an unknown value to the register that the kernel names. The other one writes the rounded value to a
/// register that the kernel does not use. The product is changed to read this second register. V_READFIRSTLANE may
/// stand between both; it is replaced in the same way.
class quotient_finder {
 public:
  explicit quotient_finder(program& code) : code_(code), known_(code.code.size()), is_target_(code.code.size()) {
    for (instruction const& each : code.code) {
      if (each.target < is_target_.size()) is_target_[each.target] = true;
      count(each);
      for (instruction const& other : each.second) count(other);
    }
  }
  void run() {
    for (std::size_t k = 0; k != code_.code.size(); ++k) {
      if (operand* const source = detail::multiplied(code_.code[k]); source != nullptr) round(k, *source);
      for (instruction& other : code_.code[k].second)
        if (operand* const source = detail::multiplied(other); source != nullptr) round(k, *source);
      if (is_any_of(code_.code[k].opcode, comparisons)) correct(k);
    }
  }

 private:
  static constexpr char const* comparisons[] = {"v_cmp_ge_f32", "s_cmp_ge_f32"};
  static constexpr char const* sums[] = {"v_fma_f32",   "v_mad_f32",   "v_fmac_f32", "v_mac_f32",
                                         "v_fmaak_f32", "v_madak_f32", "s_fmac_f32", "s_fmaak_f32"};
  /// An instruction of the text, or of a pair there; none if `by` is null.
  struct step {
    std::size_t at = 0;
    instruction* by = nullptr;

    [[nodiscard]] bool is(char const* first, char const* second, std::size_t operands) const {
      return by != nullptr && (by->opcode == first || by->opcode == second) && by->operands.size() == operands;
    }
  };

  void count(instruction const& i) {
    for (operand const& o : i.operands)
      if (o.kind == operand_kind::vector && o.first < accumulation && o.first + o.registers > vectors_)
        vectors_ = o.first + o.registers;
  }
  /// The instruction before `at` that writes the register, if it surely runs before `at`, and nothing else may write
  /// the register between both.
  [[nodiscard]] step writer_of(std::size_t at, operand const& which) {
    bool const is_register = which.kind == operand_kind::vector || which.kind == operand_kind::scalar;
    for (std::size_t k = at; is_register && k-- != 0 && !is_target_[k + 1];) {
      instruction& i = code_.code[k];
      auto const writes = [&which](instruction const& one) {
        return !one.operands.empty() && which.registers == 1 && one.operands[0].registers == 1 &&
               detail::names(one.operands[0], which);
      };
      if (writes(i)) return {k, &i};
      for (instruction& other : i.second)
        if (writes(other)) return {k, &other};
      if (!is_plain(k) || detail::may_write(i, which)) break;
    }
    return {};
  }
  /// Whether an instruction goes on at the next one, and leaves the execution mask and registers that it does not name.
  [[nodiscard]] bool is_plain(std::size_t k) {
    instruction const& i = code_.code[k];
    if (known_[k] == kind::unknown) {
      action const does = decode(i.opcode).does;
      bool const stays = does != action::jump && does != action::leaving && does != action::end &&
                         does != action::undecoded && does != action::indexed && does != action::indexing;
      known_[k] = stays && !detail::may_write_exec(i) ? kind::plain : kind::other;
    }
    return known_[k] == kind::plain;
  }
  /// Makes the instruction at `at`, whose operand is `source`, read a rounded reciprocal. Returns false if `source` is
  /// not a reciprocal.
  bool round(std::size_t at, operand& source) {
    step const from = writer_of(at, source);
    bool const is_moved = from.is("v_readfirstlane_b32", "", 2), is_vector = source.kind == operand_kind::vector;
    bool const is_reciprocal = is_vector ? from.is("v_rcp_f32", "v_rcp_iflag_f32", 2) : from.is("v_s_rcp_f32", "", 2);
    if ((!is_moved && !is_reciprocal) || !from.by->modifiers.empty()) return false;
    instruction& i = code_.code[from.at];
    if (from.by != &i) return source.first = i.operands[0].first, true;  // rounded before, for another quotient
    if (is_vector ? vectors_ == accumulation : scalars_ == scalar_registers) return false;
    instruction rounded = i;
    if (is_moved && !round(from.at, rounded.operands[1])) return false;
    if (is_reciprocal) rounded.opcode = is_vector ? "v_rcp_of_quotient_f32" : "v_s_rcp_iflag_f32";
    rounded.operands[0].first = source.first = is_vector ? vectors_++ : scalars_++;
    rounded.second.push_back(std::move(i));
    i = std::move(rounded);
    return true;
  }
  /// The operand without its sign, if an instruction before `at` clears the sign; else the operand.
  [[nodiscard]] operand const& with_sign(std::size_t& at, operand const& of) {
    step const from = writer_of(at, of);
    bool const is_bit = from.is("s_bitset0_b32", "", 2) && from.by->operands[1].integer == 31;
    if (is_bit) return at = from.at, of;
    operand const* const other = from.is("v_and_b32", "s_and_b32", 3) ? masked(*from.by, 0x7fffffff) : nullptr;
    return other == nullptr ? of : (at = from.at, *other);
  }
  /// If one source of the instruction is the number, the other one; else null.
  [[nodiscard]] static operand const* masked(instruction const& i, std::uint32_t number) {
    for (unsigned k = 1; k != 3; ++k)
      if (i.operands[k].kind == operand_kind::constant && static_cast<std::uint32_t>(i.operands[k].integer) == number)
        return &i.operands[3 - k];
    return nullptr;
  }
  /// Looks for the steps of a quotient before the comparison that corrects it: q = trunc(a * reciprocal of b),
  /// r = a - q * b, |r| >= |b|.
  void correct(std::size_t at) {
    instruction const& compares = code_.code[at];
    std::size_t const count = compares.operands.size();
    if (count < 2) return;
    std::size_t at_rest = at;
    operand const& of_rest = with_sign(at_rest, compares.operands[count - 2]);
    step const rest = writer_of(at_rest, of_rest);
    if (rest.by == nullptr || !is_any_of(rest.by->opcode, sums) || rest.by->operands.size() < 3) return;
    for (unsigned k = 1; k != 3; ++k) {
      operand const& negative = rest.by->operands[k];
      step truncates = writer_of(rest.at, negative);
      bool const is_xor = truncates.is("v_xor_b32", "s_xor_b32", 3);
      operand const* const positive = is_xor ? masked(*truncates.by, 0x80000000u) : nullptr;
      if (positive != nullptr)
        truncates = writer_of(truncates.at, *positive);
      else if (!negative.negated)
        continue;
      if (!truncates.is("v_trunc_f32", "s_trunc_f32", 2)) continue;
      step const product = writer_of(truncates.at, truncates.by->operands[1]);
      if (!product.is("v_mul_f32", "s_mul_f32", 3) || !product.by->modifiers.empty()) continue;
      std::size_t at_divisor = at;
      if (!detail::names(rest.by->operands[3 - k], with_sign(at_divisor, compares.operands[count - 1]))) continue;
      if (round(product.at, product.by->operands[1]) || round(product.at, product.by->operands[2])) return;
    }
  }

  enum class kind : unsigned char { unknown, plain, other };

  program& code_;
  std::vector<kind> known_;      ///< what is_plain() has found so far
  std::vector<bool> is_target_;  ///< of a branch
  unsigned vectors_ = 0, scalars_ = last_named_scalar + 1;
};

inline void find_quotients(program& code) { quotient_finder(code).run(); }

}  // namespace coalescing::amdgcn

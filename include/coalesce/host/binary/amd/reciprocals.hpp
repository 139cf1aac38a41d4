// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/binary/amd/decode.hpp>
#include <coalesce/host/binary/amd/wave.hpp>

#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

// Makes reciprocals known where compilers divide integers with them. The hardware's V_RCP_F32 may be wrong by one unit
// in the last place, so its result is unknown here. But LLVM's division of integers multiplies this result by a number
// that no other code uses: 2^32 - 512 for 32 bits, 2^64 - 2^42 for 64 bits (LLVM 22, AMDGPUCodeGenPrepare,
// expandDivRem32; AMDGPUISelLowering, LowerUDIVREM64). The steps after this product correct the quotient, whatever the
// last place is. So the product is computed from the correctly rounded reciprocal. Any other use of V_RCP_F32's result
// stays unknown. tests/host/binary/amd/reals.cpp divides with reciprocals whose last place is wrong.

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
    if ((k == 0 || has_second_result(i.opcode)) && names(i.operands[k], which)) return true;
  for (instruction const& other : i.second)
    if (may_write(other, which)) return true;
  return false;
}
[[nodiscard]] inline bool may_write_exec(instruction const& i) {
  bool const writes = !i.operands.empty() && i.operands[0].kind == operand_kind::scalar &&
                      i.operands[0].first + i.operands[0].registers > exec_register && i.operands[0].first < 128;
  return writes || begins(i.opcode, "v_cmpx") || i.opcode.find("exec") != i.opcode.npos;
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

/// Finds each product of a reciprocal (the result of V_RCP_F32 or V_S_RCP_F32) and a number in quotient_factors. No
/// branch, no target of a branch, and no write to the execution mask may stand between the reciprocal and the product.
/// The instruction that computes the reciprocal is replaced by two. One writes an unknown value to the register that
/// the kernel names. The other one writes the rounded value to a register that the kernel does not use. The product is
/// changed to read this second register.
inline void find_quotients(program& code) {
  std::set<std::size_t> targets;
  unsigned vectors = 0, scalars = last_named_scalar + 1;
  for (instruction const& each : code.code) {
    targets.insert(each.target);
    auto const count = [&vectors](instruction const& i) {
      for (operand const& o : i.operands)
        if (o.kind == operand_kind::vector && o.first < accumulation && o.first + o.registers > vectors)
          vectors = o.first + o.registers;
    };
    count(each);
    for (instruction const& other : each.second) count(other);
  }
  auto const find = [&](std::size_t product, operand& source) {
    for (std::size_t k = product; k-- != 0 && targets.count(k + 1) == 0;) {
      instruction& i = code.code[k];
      action const does = decode(i.opcode).does;
      bool const is_vector = source.kind == operand_kind::vector;
      if (i.opcode == (is_vector ? "v_rcp_f32" : "v_s_rcp_f32") && detail::names(i.operands[0], source)) {
        if (i.operands.size() != 2 || !i.modifiers.empty() || !i.second.empty()) return;
        if (is_vector ? vectors == accumulation : scalars == scalar_registers) return;
        instruction rounded = i;
        rounded.opcode = is_vector ? "v_rcp_iflag_f32" : "v_s_rcp_iflag_f32";
        rounded.operands[0].first = source.first = is_vector ? vectors++ : scalars++;
        rounded.second.push_back(std::move(i));
        i = std::move(rounded);
        return;
      }
      bool const is_plain = does != action::jump && does != action::leaving && does != action::end &&
                            does != action::undecoded && does != action::indexed && does != action::indexing;
      if (!is_plain || detail::may_write_exec(i) || detail::may_write(i, source)) return;
    }
  };
  for (std::size_t k = 0; k != code.code.size(); ++k) {
    if (operand* const source = detail::multiplied(code.code[k]); source != nullptr) find(k, *source);
    for (instruction& other : code.code[k].second)
      if (operand* const source = detail::multiplied(other); source != nullptr) find(k, *source);
  }
}

}  // namespace coalescing::amdgcn

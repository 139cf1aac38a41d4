// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/binary/nvidia/constants.hpp>
#include <coalesce/host/binary/nvidia/widths.hpp>

#include <cstddef>
#include <vector>

// The operands that an instruction writes and reads, and their values in a lane.

namespace coalescing::sass {

/// The order of an instruction's operands, which tells its results from its sources.
enum class form : unsigned char {
  value,       ///< results: predicates, a register, more predicates; all other operands are sources
  predicates,  ///< results: at most two predicates; all other operands are sources
  vote         ///< results: a register, predicates; the last operand is the only source
};

struct shape {
  operand const* to = nullptr;        ///< the register that the instruction writes; null: none
  operand const* second = nullptr;    ///< the first register of a second group that it writes; null: none
  operand const* predicates[2] = {};  ///< the predicates that it writes; null: none, or PT
  std::vector<operand const*> from = {};
};

[[nodiscard]] inline bool is_predicate(operand const& o) {
  return o.kind == operand_kind::predicate || o.kind == operand_kind::uniform_predicate;
}
[[nodiscard]] inline bool is_register(operand const& o) {
  return o.kind == operand_kind::general || o.kind == operand_kind::uniform;
}
/// Whether the first two registers among the operands are both results. Inferred from the instructions into which
/// ptxas 13.0 compiles ld.global.v8.b32, tex and tld4.
[[nodiscard]] inline bool has_two_results(instruction const& i) {
  for (char const* base : {"TEX", "TLD", "TLD4", "TXD", "TMML"})
    if (i.base == base) return true;
  return i.has("ENL2") && begins(i.base, "LD");
}
[[nodiscard]] inline shape shape_of(instruction const& i, form stands) {
  shape made;
  unsigned results = 0;
  std::size_t k = 0;
  std::size_t const end = i.operands.size() - std::size_t{stands == form::vote && !i.operands.empty()};
  auto const take_predicates = [&] {
    for (; k != end && results != 2 && is_predicate(i.operands[k]); ++k)
      made.predicates[results++] = i.operands[k].index == true_predicate ? nullptr : &i.operands[k];
  };
  take_predicates();
  if (stands != form::predicates && k != end && is_register(i.operands[k])) {
    made.to = &i.operands[k++];
    if (k != end && i.operands[k].kind == operand_kind::general && has_two_results(i)) made.second = &i.operands[k++];
    take_predicates();
  }
  for (; k != i.operands.size(); ++k) made.from.push_back(&i.operands[k]);
  return made;
}

using binary::sum;

/// An instruction, as one lane executes it.
struct in_lane {
  warp const& w;
  constant_bank const& constants;
  instruction const& i;
  shape const& of;
  unsigned lane;
  cause why;  ///< the instruction, as the cause of unknown values

  /// An unknown value, for a form of the opcode (its modifiers and operands) that is not in the tables.
  [[nodiscard]] value not_in_tables() const { return binary::unknown(why | binary::of_opcode); }

  /// An unknown value. Its cause is this instruction, unless a source depends on an opcode that is not in the tables:
  /// then that opcode is the cause.
  [[nodiscard]] value data() const {
    cause all = why;
    auto const take = [&all](value const& v) {
      if ((v.why & binary::of_opcode) != 0) all = binary::either(all, v.why);
    };
    take(w.predicate(i.guard, lane));
    for (operand const* o : of.from)
      if (is_predicate(*o))
        take(w.predicate(*o, lane));
      else if (o->kind == operand_kind::uniform)
        take(w.uniform_register(o->index));
      else
        take(w.general_register(o->index, lane)), take(w.uniform_register(o->uniform));
    return binary::unknown(all);
  }

  /// The value of an operand before its modifiers are applied. The operand may be a register or a pair, a number, a
  /// predicate or a constant. The bits above a value of 32 bits are 0.
  [[nodiscard]] value plain(operand const& o, unsigned bits) const {
    if (o.has_part) return not_in_tables();
    switch (o.kind) {
      case operand_kind::general: {
        value const first = w.general_register(o.index, lane);
        return bits == 32 || o.index == zero_register ? first
                                                      : binary::paired(first, w.general_register(o.index + 1, lane));
      }
      case operand_kind::uniform: {
        value const first = w.uniform_register(o.index);
        return bits == 32 || o.index == zero_register ? first : binary::paired(first, w.uniform_register(o.index + 1));
      }
      case operand_kind::integer:
        return low(exact(static_cast<u64>(o.number)), bits);
      case operand_kind::predicate:
      case operand_kind::uniform_predicate:
        return w.predicate(o, lane);
      case operand_kind::constant: {
        value at = low(sum(w.general_register(o.index, lane), exact(static_cast<u64>(o.number))), 32);
        if (o.uniform != zero_register) at = low(sum(at, w.uniform_register(o.uniform)), 32);
        if (!at.is_known()) return binary::unknown(at.why);
        return o.bank == 0 ? constants.load(at.bits, bits / 8, why, i.line)
                           : constants.load_compiled(o.bank, at.bits, bits / 8, why);
      }
      case operand_kind::all_predicates:
      case operand_kind::barrier:
      case operand_kind::real:
      case operand_kind::memory:
      case operand_kind::label:
      case operand_kind::special:
      case operand_kind::other:
        return not_in_tables();
    }
    return not_in_tables();
  }
  /// The value of a source operand, in 32 or 64 bits, after its modifiers: absolute value, inversion, negation.
  [[nodiscard]] value source(std::size_t k, unsigned bits = 32) const {
    if (k >= of.from.size()) return not_in_tables();
    operand const& o = *of.from[k];
    value v = plain(o, bits);
    if (is_predicate(o)) return v;
    if (o.is_absolute)
      v = binary::of_known([bits](u64 x, u64, u64) { return (x >> (bits - 1) & 1) != 0 ? 0 - x : x; }, bits, v);
    if (o.is_inverted) v = ~v;
    if (o.is_negative) v = binary::difference(exact(0), v);
    return low(v, bits);
  }
  [[nodiscard]] bool has_source(std::size_t k) const { return k < of.from.size(); }
  [[nodiscard]] bool is_predicate_source(std::size_t k) const {
    return k < of.from.size() && is_predicate(*of.from[k]);
  }
};

/// The results of an instruction in one lane.
struct results {
  value to = {};  ///< 32 bits, or 64 in two registers
  unsigned registers = 1;
  value predicates[2] = {value{}, value{}};  ///< each is 0 or 1
};

/// Unknown results, for a form of the opcode (its modifiers and operands) that is not in the tables.
[[nodiscard]] inline results no_such_form(in_lane const& at) {
  return {at.not_in_tables(), registers_of_unlisted(at.i), {at.not_in_tables(), at.not_in_tables()}};
}

}  // namespace coalescing::sass

// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/binary/access.hpp>
#include <coalesce/host/binary/amd/decode.hpp>
#include <coalesce/host/binary/amd/wave.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

// Finds the addresses of an instruction that accesses memory, lane by lane.

namespace coalescing::amdgcn {

/// An access of a wave's lanes, with the members that only AMD needs.
struct wave_access : binary::lane_access {
  memory_opcode moves = {};
  std::uint64_t offsets[2] = {};  ///< for ds_read2 and its like: the two places, in bytes from the lane's address
};
using observer = binary::observer<wave_access>;
using held_accesses = binary::held_accesses<wave_access>;

/// Says in words why a value is unknown. `what` names the value, and the instruction `user` needs it. Refused: a value
/// that is unknown because an opcode is not in the tables.
[[nodiscard]] inline std::string because(program const& code, value const& of, std::string const& what,
                                         instruction const& user) {
  return binary::because(code.code, of, what, user, [](instruction const&) { return "data: "; });
}

/// The addresses of an access: `of` has one for each lane. `active` is the mask of the lanes that take part; its bits
/// may be unknown.
struct lane_addresses {
  value active = exact(0);
  std::array<value, 64> of = {};
};

[[nodiscard]] inline std::int64_t number_of(instruction const& i, char const* name) {
  modifier const* const found = i.find(name);
  return found == nullptr ? 0 : found->number;
}
using binary::sum;
/// A signed number as a known value of 64 bits.
[[nodiscard]] inline value signed_number(std::int64_t a) { return exact(static_cast<u64>(a)); }

/// The addresses of GLOBAL and FLAT instructions. An address is a register pair, or a scalar pair plus an unsigned
/// 32-bit register; the instruction's offset is signed. ("AMD Instinct MI300 CDNA3 ISA", Flat Memory Instructions,
/// Addressing.)
[[nodiscard]] inline lane_addresses global_addresses(wave const& w, instruction const& i, operand const& at,
                                                     operand const* base, cause why) {
  lane_addresses to{.active = w.exec()};
  bool const has_base = base != nullptr && base->kind == operand_kind::scalar && base->first != null_register;
  for (unsigned lane = 0; lane != w.lanes; ++lane) {
    value const start = has_base ? sum(w.source(*base, 'q', lane, why), widened(w.source(at, 'w', lane, why), false))
                                 : w.source(at, 'q', lane, why);
    to.of[lane] = sum(start, signed_number(number_of(i, "offset")));
  }
  return to;
}

/// Refused: an access to a buffer whose descriptor is of a kind that is not followed. `form` says which kind.
[[noreturn]] inline void refuse_descriptor(instruction const& i, std::string const& form) {
  throw binary_refused(i.printed + ": the buffer's descriptor " + form + ", which is not followed", i.line);
}
/// Refused: an access of several dwords, if only some of them lie below the descriptor's number of records. The
/// hardware leaves out the other dwords, but this library counts either all dwords of a lane or none.
[[noreturn]] inline void refuse_split(instruction const& i, std::string const& who) {
  throw binary_refused(i.printed + ": " + who + " reaches past the descriptor's number of records with some of its " +
                           "dwords, which is not followed",
                       i.line);
}

/// The addresses of BUFFER instructions. A descriptor of four scalar registers has a base of 48 bits, a stride, and the
/// number of records, which are bytes in a raw buffer. A lane whose offset reaches this number does not access memory;
/// kernels mask lanes in this way. Triton gives such a lane the offset 2^31. From gfx10 on, the compared offset
/// includes the scalar offset; on gfx9 it does not. From gfx10 on, two bits of the descriptor choose the check: 3
/// compares the offset, and 2 masks a lane only if the number of records is 0. ("AMD Instinct CDNA4 ISA", 9.1.5.1 Range
/// Checking, raw buffers; "AMD RDNA 4 ISA", Buffer Range Checking, OOB_SELECT.) A swizzled or structured buffer is
/// refused. From gfx11 on, two bits turn on the swizzle (Mesa, ac_descriptors.c, SWIZZLE_ENABLE_GFX11).
[[nodiscard]] inline lane_addresses buffer_addresses(wave const& w, instruction const& i, operand const* offset_in,
                                                     operand const& resource, operand const& scalar_offset,
                                                     target const& on, unsigned bytes, cause why) {
  lane_addresses to{.active = w.exec()};
  if (to.active.is_known() && to.active.bits == 0) return to;
  if (i.has("idxen")) throw binary_refused(i.printed + ": an index (idxen) is not followed", i.line);
  value const base = low(w.scalar(resource.first, 64), 48), records = w.scalar(resource.first + 2, 32);
  value const form = low(w.scalar(resource.first + 1, 32), 32), kind = w.scalar(resource.first + 3, 32);
  value const stride = low(form >> 16, 14), swizzle = form >> (on.major >= 11 ? 30 : 31);
  if (stride.bits != 0) refuse_descriptor(i, "has a stride");
  if (swizzle.bits != 0) refuse_descriptor(i, "turns on a swizzle (SWIZZLE_ENABLE)");
  value const adds_lane = bit_of(kind, 23), compares = on.major == 9 ? exact(3) : low(kind >> 28, 2);
  if (adds_lane.is_known() && adds_lane.bits != 0) refuse_descriptor(i, "adds the lane's number (ADD_TID_ENABLE)");
  if (compares.is_known() && compares.bits < 2)
    refuse_descriptor(i,
                      "has the range check of a structured buffer (OOB_SELECT " + std::to_string(compares.bits) + ")");
  bool const is_plain = stride.is_known() && swizzle.is_known() && adds_lane.is_known() && compares.is_known();
  cause const unsure = !stride.is_known() || !swizzle.is_known() ? form.why : kind.why;
  bool const by_offset = compares.is_known() && compares.bits == 3;
  value const added = w.source(scalar_offset, 'w', 0, why);
  value const further = exact(bytes <= 4 ? 0 : bytes - 4);  // bytes from a lane's first dword to its last one
  for (unsigned lane = 0; lane != w.lanes; ++lane) {
    value own = offset_in != nullptr && i.has("offen") ? w.source(*offset_in, 'w', lane, why) : exact(0);
    bool const may_be_masked =
        by_offset && own.is.part == binary::part_of_number::or_masked && low(records, 32).largest() <= u64{1} << 31;
    value const masked = low(binary::unknown(own.why), 1);
    if (may_be_masked) own = binary::not_masked(own);
    value const offset = low(sum(exact(static_cast<u64>(number_of(i, "offset"))), own), 32);
    value const compared = on.major == 9 ? offset : sum(offset, added);
    value within = binary::order_of(compared, records, 33, false).holds(true, false, false);
    value whole = binary::order_of(sum(compared, further), records, 34, false).holds(true, false, false);
    if (may_be_masked) within = within & masked;
    if (!by_offset) within = whole = binary::order_of(records, exact(0), 32, false).holds(false, false, true);
    if (!is_plain) within = whole = low(binary::unknown(unsure), 1);
    bool const may_be_split = !(within.is_known() && within.bits == 0) && !(whole.is_known() && whole.bits == 1);
    value const active = bit_of(w.exec(), lane);
    if (may_be_split && within.is_known() && whole.is_known() && active.is_known() && active.bits != 0 && !w.perhaps)
      refuse_split(i, "lane " + std::to_string(lane));
    if (may_be_split && within.is_known()) within = low(binary::unknown(whole.is_known() ? why : whole.why), 1);
    to.active = to.active & ~(~low(within, 1) << lane & exact(u64{1} << lane));
    to.of[lane] = sum(sum(base, widened(offset, false)), widened(added, false));
    if (!is_plain) to.of[lane] = binary::unknown(unsure);
  }
  return to;
}

/// The addresses of LDS instructions: a register and the instruction's offset, added in 32 bits.
[[nodiscard]] inline lane_addresses lds_addresses(wave const& w, operand const& at, u64 offset, cause why) {
  lane_addresses to{.active = w.exec()};
  for (unsigned lane = 0; lane != w.lanes; ++lane)
    to.of[lane] = low(sum(w.source(at, 'w', lane, why), exact(offset)), 32);
  return to;
}

/// Modifiers that an access may have. `offen` and `idxen` say which registers make the address; the others do not
/// change the address. (LLVM, AMDGPUModifierSyntax.)
inline constexpr char const* access_modifiers[] = {"offen", "idxen", "lds", "gds", "tfe", "glc", "slc",
                                                   "dlc",   "scc",   "sc0", "sc1", "nt",  "th",  "scope"};
/// Refused: an access with an operand that is not a register or a number (a symbol, an expression), or with an unknown
/// modifier. Either may change the address, so the computed address could be wrong.
inline void check_access(instruction const& i, memory_opcode const& moves) {
  auto const refuse = [&i](std::string const& word) {
    throw binary_refused(i.printed + " has the operand " + word + ", which is not a register or a number", i.line);
  };
  for (operand const& each : i.operands)
    if (each.kind == operand_kind::unnamed) refuse(each.text);
  for (modifier const& each : i.modifiers) {
    bool known = false;
    for (std::string_view const name : access_modifiers) known = known || each.name == name;
    std::int64_t number = 0;
    if (each.name == "offset" || each.name == "offset0" || each.name == "offset1")
      known = read_integer(each.argument, number) || (moves.by == unit::exchange && begins(each.argument, "swizzle("));
    if (!known) refuse(each.name + (each.argument.empty() ? "" : ":" + each.argument));
  }
}

/// The operands of an access, each under the name of its purpose.
struct placed_operands {
  lane_addresses addresses = {};
  operand const* result = nullptr;  ///< null: the access has no result
  /// The registers with the data of a store or an atomic. Only a store to two addresses (ds_write2) has two of them.
  operand const* data[2] = {};
};
[[nodiscard]] inline placed_operands operands_of(wave const& w, instruction const& i, memory_opcode const& moves,
                                                 target const& on, cause why) {
  auto const at = [&i](std::size_t k) -> operand const& {
    if (k >= i.operands.size()) throw binary_refused("the instruction lacks operands: " + i.printed, i.line);
    return i.operands[k];
  };
  bool const to_lds = moves.to_lds || i.has("lds");
  if (to_lds && moves.kind != touch::load) throw binary_refused("only loads go to LDS: " + i.printed, i.line);
  placed_operands to;
  std::size_t next = 0;
  if (moves.by == unit::lds) {
    if (moves.kind == touch::load || moves.returns) to.result = &at(next++);
    operand const& address = at(next++);
    if (moves.kind != touch::load) to.data[0] = &at(next++);
    if (moves.addresses == 2 && moves.kind == touch::store) to.data[1] = &at(next);
    to.addresses = lds_addresses(w, address, moves.addresses == 2 ? 0 : static_cast<u64>(number_of(i, "offset")), why);
  } else if (moves.by == unit::global) {
    if ((moves.kind == touch::load && !to_lds) || (moves.kind == touch::atomic && i.operands.size() > 3))
      to.result = &at(next++);
    operand const& address = at(next++);
    if (moves.kind != touch::load) to.data[0] = &at(next++);
    operand const* const base = next < i.operands.size() ? &i.operands[next] : nullptr;
    to.addresses = global_addresses(w, i, address, base, why);
  } else {
    if (!to_lds) (moves.kind == touch::load ? to.result : to.data[0]) = &at(next++);
    operand const& offset = at(next++);
    operand const &resource = at(next), &scalar_offset = at(next + 1);
    to.addresses = buffer_addresses(w, i, offset.kind == operand_kind::vector ? &offset : nullptr, resource,
                                    scalar_offset, on, moves.bytes, why);
    if (moves.kind == touch::atomic && (i.has("sc0") || i.has("glc") || i.has("th"))) to.result = to.data[0];
  }
  return to;
}

/// Word number `word`, from 0, of what a lane stores. A store of 1 or 2 bytes takes the low bytes of this word.
[[nodiscard]] inline value stored_by(wave const& w, operand const& from, unsigned word, unsigned lane,
                                     memory_opcode const& moves) {
  value const whole = w.lane(from.first + word, lane, 32);
  return moves.half == 2 || from.half == 2 ? whole >> 16 : whole;
}
/// Writes up to 4 loaded bytes to one register of a lane: register number `first` of the result, from 0. A load of half
/// a register keeps the other half, but not on gfx90a, gfx942 and gfx950, whose registers have codes against errors
/// (LLVM 22, GCNSubtarget, d16PreservesUnusedBits): no source tells what is there then.
inline void put_loaded(wave& w, operand const& to, unsigned first, unsigned lane, memory_opcode const& moves,
                       target const& on, value read, unsigned bytes, cause why) {
  unsigned const which = to.first + first;
  if (bytes >= 4) return w.set_lane(which, lane, low(read, 32));
  value const wide = moves.is_signed ? sign_extended(read, 8 * bytes) : low(read, 8 * bytes);
  value const before = on.major == 9 ? binary::unknown(why) : w.lane(which, lane, 32);
  unsigned const half = moves.half != 0 ? moves.half : to.half;
  if (half == 0) return w.set_lane(which, lane, low(wide, 32));
  w.set_lane(which, lane,
             half == 2 ? low(before, 16) | low(wide, 16) << 16 : (low(before, 32) >> 16 << 16) | low(wide, 16));
}

}  // namespace coalescing::amdgcn

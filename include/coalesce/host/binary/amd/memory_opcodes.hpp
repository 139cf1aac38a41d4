// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/record/sums.hpp>

#include <string_view>

// The instructions that access memory. The name of an opcode consists of a unit, what the unit does, and how many bytes
// it moves. Sources: "AMD Instinct MI300 CDNA3 ISA", chapters Vector Memory, Flat Memory, Data Share and Scalar
// Memory Operations; for the opcode names of RDNA 3 and 4, the same chapters of their guides.

namespace coalescing::amdgcn {

/// The units that access memory. `exchange` stands for instructions of LDS that move registers between lanes, and
/// access no memory.
enum class unit { missing, global, flat, scratch, buffer, lds, scalar, scalar_buffer, image, exchange };

/// The access of an opcode to memory.
struct memory_opcode {
  unit by = unit::missing;
  touch kind = touch::load;
  unsigned bytes = 0;      ///< how many bytes a lane moves at each address; 0: no access that is followed
  unsigned addresses = 1;  ///< how many addresses a lane gives: 2 for ds_read2 and its like
  unsigned step = 1;       ///< how many elements an offset of 1 stands for: 64 for ds_read2st64 and its like
  bool is_signed = false;
  unsigned half = 0;        ///< which part of the register is moved: 0 the whole; 1 its low half; 2 its high half
  bool to_lds = false;      ///< it is a load that writes to LDS, and not to registers
  bool returns = false;     ///< an atomic of LDS whose name says that it returns a value
  unsigned sources = 1;     ///< how many data operands an atomic of LDS has
  unsigned transposed = 0;  ///< if a load exchanges elements between lanes: the size of an element in bits; else 0
};

/// The last part of an opcode's name, and how many bytes an opcode with this ending moves.
struct moved {
  char const* name;
  unsigned bytes;
  bool is_signed = false;
  unsigned half = 0;
};
inline constexpr moved loaded[] = {{"ubyte", 1},
                                   {"u8", 1},
                                   {"sbyte", 1, true},
                                   {"i8", 1, true},
                                   {"ushort", 2},
                                   {"u16", 2},
                                   {"sshort", 2, true},
                                   {"i16", 2, true},
                                   {"dword", 4},
                                   {"b32", 4},
                                   {"dwordx2", 8},
                                   {"b64", 8},
                                   {"dwordx3", 12},
                                   {"b96", 12},
                                   {"dwordx4", 16},
                                   {"b128", 16},
                                   {"ubyte_d16", 1, false, 1},
                                   {"d16_u8", 1, false, 1},
                                   {"u8_d16", 1, false, 1},
                                   {"ubyte_d16_hi", 1, false, 2},
                                   {"d16_hi_u8", 1, false, 2},
                                   {"u8_d16_hi", 1, false, 2},
                                   {"sbyte_d16", 1, true, 1},
                                   {"d16_i8", 1, true, 1},
                                   {"i8_d16", 1, true, 1},
                                   {"sbyte_d16_hi", 1, true, 2},
                                   {"d16_hi_i8", 1, true, 2},
                                   {"i8_d16_hi", 1, true, 2},
                                   {"short_d16", 2, false, 1},
                                   {"d16_b16", 2, false, 1},
                                   {"u16_d16", 2, false, 1},
                                   {"short_d16_hi", 2, false, 2},
                                   {"d16_hi_b16", 2, false, 2},
                                   {"u16_d16_hi", 2, false, 2}};
inline constexpr moved stored[] = {{"byte", 1},
                                   {"b8", 1},
                                   {"short", 2},
                                   {"b16", 2},
                                   {"dword", 4},
                                   {"b32", 4},
                                   {"dwordx2", 8},
                                   {"b64", 8},
                                   {"dwordx3", 12},
                                   {"b96", 12},
                                   {"dwordx4", 16},
                                   {"b128", 16},
                                   {"byte_d16_hi", 1, false, 2},
                                   {"d16_hi_b8", 1, false, 2},
                                   {"b8_d16_hi", 1, false, 2},
                                   {"short_d16_hi", 2, false, 2},
                                   {"d16_hi_b16", 2, false, 2},
                                   {"b16_d16_hi", 2, false, 2}};
/// How many bytes a scalar load moves. Most sizes have two names: gfx11 and later say b32, and older targets say dword.
inline constexpr moved scalar_loaded[] = {{"dword", 4},    {"b32", 4},      {"dwordx2", 8},   {"b64", 8},
                                          {"dwordx3", 12}, {"b96", 12},     {"dwordx4", 16},  {"b128", 16},
                                          {"dwordx8", 32}, {"b256", 32},    {"dwordx16", 64}, {"b512", 64},
                                          {"u8", 1},       {"i8", 1, true}, {"u16", 2},       {"i16", 2, true}};

namespace detail {

[[nodiscard]] inline bool take_prefix(std::string_view& text, std::string_view prefix) {
  if (text.substr(0, prefix.size()) != prefix) return false;
  text.remove_prefix(prefix.size());
  return true;
}
template <unsigned N>
void take_moved(memory_opcode& to, std::string_view name, moved const (&table)[N]) {
  for (moved const& each : table)
    if (name == each.name) to.bytes = each.bytes, to.is_signed = each.is_signed, to.half = each.half;
}
/// How many bytes an atomic changes: 8 if its name ends in _x2, _u64, _b64 and the like, else 4.
[[nodiscard]] inline unsigned atomic_bytes(std::string_view name) {
  bool const wide = name.size() > 2 && (name.substr(name.size() - 2) == "64" || name.substr(name.size() - 2) == "x2");
  return wide ? 8 : 4;
}
[[nodiscard]] inline memory_opcode lds_opcode(std::string_view name) {
  memory_opcode to{.by = unit::lds};
  bool const exchanges = name.find("xchg") != name.npos;  // ds_storexchg_* is an exchange, not a store
  bool const stores = !exchanges && (take_prefix(name, "write") || take_prefix(name, "store"));
  if (stores || take_prefix(name, "read") || take_prefix(name, "load")) {
    to.kind = stores ? touch::store : touch::load;
    if (take_prefix(name, "2st64_") || take_prefix(name, "_2addr_stride64_")) {
      to.addresses = 2, to.step = 64;
    } else if (take_prefix(name, "2_") || take_prefix(name, "_2addr_")) {
      to.addresses = 2;
    } else if (!take_prefix(name, "_")) {
      return to;
    }
    for (unsigned const bits : {16u, 8u, 6u, 4u}) {
      std::string_view const ending = bits == 16 ? "_tr_b16" : bits == 8 ? "_tr_b8" : bits == 6 ? "_tr_b6" : "_tr_b4";
      if (name.size() > ending.size() && name.substr(name.size() - ending.size()) == ending)
        to.transposed = bits, name.remove_suffix(ending.size());
    }
    if (stores)
      detail::take_moved(to, name, stored);
    else
      detail::take_moved(to, name, loaded);
    return to;
  }
  for (std::string_view const each : {"bpermute_b32", "permute_b32", "swizzle_b32", "nop", "bpermute_fi_b32"})
    if (name == each) return {.by = unit::exchange};
  for (std::string_view const each : {"gws_", "append", "consume", "ordered", "addtid", "condxchg", "bvh"})
    if (name.find(each) != name.npos) return to;
  to.kind = touch::atomic, to.returns = name.find("rtn_") != name.npos;
  if (name.find("xchg2") != name.npos || name.find("2addr") != name.npos) return to;  // two addresses: not followed
  to.bytes = atomic_bytes(name);
  bool const two = name.find("cmpst") != name.npos || name.find("cmpstore") != name.npos ||
                   name.find("mskor") != name.npos || name.find("wrap") != name.npos;
  to.sources = two ? 2 : 1;
  return to;
}
[[nodiscard]] inline memory_opcode vector_opcode(unit by, std::string_view name) {
  memory_opcode to{.by = by};
  if (take_prefix(name, "atomic_")) {
    to.kind = touch::atomic, to.bytes = atomic_bytes(name);
  } else if (take_prefix(name, "load_")) {
    to.to_lds = take_prefix(name, "lds_");
    detail::take_moved(to, name, loaded);
  } else if (take_prefix(name, "store_")) {
    to.kind = touch::store;
    detail::take_moved(to, name, stored);
  }
  return to;
}

}  // namespace detail

/// The access of an opcode to memory. The unit `by` is `missing` if no memory unit executes the opcode. (Opcodes that
/// only write back or empty caches are in decode.hpp.)
[[nodiscard]] inline memory_opcode memory_opcode_of(std::string_view name) {
  if (detail::take_prefix(name, "ds_")) return detail::lds_opcode(name);
  if (detail::take_prefix(name, "global_")) return detail::vector_opcode(unit::global, name);
  if (detail::take_prefix(name, "flat_")) return detail::vector_opcode(unit::flat, name);
  if (detail::take_prefix(name, "scratch_")) return detail::vector_opcode(unit::scratch, name);
  if (detail::take_prefix(name, "buffer_")) return detail::vector_opcode(unit::buffer, name);
  if (detail::take_prefix(name, "tbuffer_") || detail::take_prefix(name, "image_"))
    return {.by = unit::image,
            .kind = detail::take_prefix(name, "store")    ? touch::store
                    : detail::take_prefix(name, "atomic") ? touch::atomic
                                                          : touch::load};
  if (detail::take_prefix(name, "lds_")) return {.by = unit::lds};  // such as lds_direct_load, which is not followed
  memory_opcode to{.by = unit::scalar};
  bool const scratch = detail::take_prefix(name, "s_scratch_");
  bool const buffer = !scratch && detail::take_prefix(name, "s_buffer_");
  if (!scratch && !buffer && !detail::take_prefix(name, "s_")) return {};
  if (buffer) to.by = unit::scalar_buffer;
  if (detail::take_prefix(name, "load_")) {
    if (!scratch) detail::take_moved(to, name, scalar_loaded);
  } else if (detail::take_prefix(name, "store_")) {
    to.kind = touch::store;  // to.bytes stays 0: not followed
  } else if (detail::take_prefix(name, "atomic_")) {
    to.kind = touch::atomic;  // to.bytes stays 0: not followed
  } else {
    return {};
  }
  return to;
}

}  // namespace coalescing::amdgcn

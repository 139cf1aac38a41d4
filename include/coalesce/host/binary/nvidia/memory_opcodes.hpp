// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/record/sums.hpp>

#include <cstddef>
#include <string_view>

// NVIDIA's opcodes that have to do with memory: which memory each accesses, how, and how many bytes for a lane. The
// readers of traces and of binaries share this table.
//
// Sources of the names: CUDA Binary Utilities 13.0, "Instruction Set Reference"; those that nvdisasm 13.1 prints for
// any encoding of sm_75, 80, 86, 90a, 100a, 103a and 120a (each opcode field was tried); and those of sm_70 in traces.
// An opcode is a name and modifiers: LDG.E.128.CONSTANT. The modifiers tell how many bytes a lane moves: 4 if no
// modifier means a width. (Accel-Sim's trace_parser.cc takes the width from the modifiers, too, since the width that
// NVBit gives is at times wrong. It takes S8 and S16 for 4 bytes; this table takes them for 1 and 2 bytes.)

namespace coalescing::detail {

/// The memory that an opcode accesses.
enum class opcode_memory : unsigned char {
  global,
  shared,
  generic,      ///< global, shared or local memory: the address tells which
  copied,       ///< from global to shared memory
  matrices,     ///< rows of matrices in shared memory (ldmatrix, stmatrix)
  local,        ///< local memory: each lane has its own
  constant,     ///< constant banks
  texture,      ///< textures and surfaces
  bulk,         ///< boxes or rows of an array, which the Tensor Memory Accelerator moves
  cluster,      ///< shared memory of any block of the cluster
  mbarrier,     ///< mbarriers: barriers that are objects in shared memory
  descriptors,  ///< matrices in shared memory, to which descriptors point (wgmma, tcgen05)
  tensor,       ///< Tensor Memory
  graphics,     ///< attributes and buffers of shaders
  nothing       ///< no access of its own: control of caches, prefetches, fences, queries
};

struct memory_opcode {
  std::string_view name;
  opcode_memory memory;
  touch kind;
  unsigned registers;  ///< the most registers that the opcode may write; the reader of binaries makes them all unknown
                       ///< if it does not follow the opcode
  char const* from;    ///< the PTX instruction that compiles to the opcode; empty: only NVIDIA's name is known
};

inline constexpr memory_opcode memory_opcodes[] = {
    {"LDG", opcode_memory::global, touch::load, 8, "ld.global"},
    {"STG", opcode_memory::global, touch::store, 0, "st.global"},
    {"ATOMG", opcode_memory::global, touch::atomic, 4, "atom.global"},
    {"REDG", opcode_memory::global, touch::atomic, 0, "red.global"},
    {"LDS", opcode_memory::shared, touch::load, 4, "ld.shared"},
    {"STS", opcode_memory::shared, touch::store, 0, "st.shared"},
    {"ATOMS", opcode_memory::shared, touch::atomic, 4, "atom.shared"},
    {"LD", opcode_memory::generic, touch::load, 8, "ld"},
    {"ST", opcode_memory::generic, touch::store, 0, "st"},
    {"ATOM", opcode_memory::generic, touch::atomic, 4, "atom"},
    {"RED", opcode_memory::generic, touch::atomic, 0, "red"},
    {"LDGSTS", opcode_memory::copied, touch::load, 0, "cp.async"},
    {"LDSM", opcode_memory::matrices, touch::load, 4, "ldmatrix"},
    {"STSM", opcode_memory::matrices, touch::store, 0, "stmatrix"},
    {"LDL", opcode_memory::local, touch::load, 8, "ld.local"},
    {"STL", opcode_memory::local, touch::store, 0, "st.local"},
    {"LDC", opcode_memory::constant, touch::load, 4, "ld.param, ld.const"},
    {"LDCU", opcode_memory::constant, touch::load, 4, "ld.param, ld.const"},
    {"ULDC", opcode_memory::constant, touch::load, 4, "ld.param, ld.const"},
    {"TEX", opcode_memory::texture, touch::load, 2, "tex"},
    {"TLD", opcode_memory::texture, touch::load, 2, "tex.level"},
    {"TLD4", opcode_memory::texture, touch::load, 2, "tld4"},
    {"TXD", opcode_memory::texture, touch::load, 4, "tex.grad"},
    {"TMML", opcode_memory::texture, touch::load, 4, ""},
    {"FOOTPRINT", opcode_memory::texture, touch::load, 4, ""},
    {"SULD", opcode_memory::texture, touch::load, 4, "suld"},
    {"SUST", opcode_memory::texture, touch::store, 0, "sust"},
    {"SUATOM", opcode_memory::texture, touch::atomic, 4, ""},
    {"SURED", opcode_memory::texture, touch::atomic, 0, "sured"},
    {"UBLKCP", opcode_memory::bulk, touch::load, 0, "cp.async.bulk"},
    {"UBLKRED", opcode_memory::bulk, touch::atomic, 0, "cp.reduce.async.bulk"},
    {"UTMALDG", opcode_memory::bulk, touch::load, 0, "cp.async.bulk.tensor"},
    {"UTMASTG", opcode_memory::bulk, touch::store, 0, "cp.async.bulk.tensor"},
    {"UTMAREDG", opcode_memory::bulk, touch::atomic, 0, "cp.reduce.async.bulk.tensor"},
    {"UMEMSETS", opcode_memory::bulk, touch::store, 0, "st.bulk"},
    {"UGETNEXTWORKID", opcode_memory::bulk, touch::store, 0, "clusterlaunchcontrol.try_cancel"},
    {"STAS", opcode_memory::cluster, touch::store, 0, "st.async"},
    {"REDAS", opcode_memory::cluster, touch::atomic, 0, "red.async"},
    {"SYNCS", opcode_memory::mbarrier, touch::atomic, 2, "mbarrier"},
    {"ARRIVES", opcode_memory::mbarrier, touch::atomic, 0, "cp.async.mbarrier.arrive"},
    {"UTCBAR", opcode_memory::mbarrier, touch::atomic, 0, "tcgen05.commit"},
    {"HGMMA", opcode_memory::descriptors, touch::load, 128, "wgmma"},
    {"IGMMA", opcode_memory::descriptors, touch::load, 128, "wgmma"},
    {"QGMMA", opcode_memory::descriptors, touch::load, 128, "wgmma"},
    {"BGMMA", opcode_memory::descriptors, touch::load, 128, "wgmma"},
    {"UTCHMMA", opcode_memory::descriptors, touch::load, 0, "tcgen05.mma"},
    {"UTCQMMA", opcode_memory::descriptors, touch::load, 0, "tcgen05.mma"},
    {"UTCIMMA", opcode_memory::descriptors, touch::load, 0, "tcgen05.mma"},
    {"UTCOMMA", opcode_memory::descriptors, touch::load, 0, "tcgen05.mma"},
    {"UTCCP", opcode_memory::descriptors, touch::load, 0, "tcgen05.cp"},
    {"LDTM", opcode_memory::tensor, touch::load, 128, "tcgen05.ld"},
    {"STTM", opcode_memory::tensor, touch::store, 0, "tcgen05.st"},
    {"LDT", opcode_memory::tensor, touch::load, 128, ""},
    {"STT", opcode_memory::tensor, touch::store, 0, ""},
    {"UTCSHIFT", opcode_memory::tensor, touch::atomic, 0, "tcgen05.shift"},
    {"ALD", opcode_memory::graphics, touch::load, 4, ""},
    {"AST", opcode_memory::graphics, touch::store, 0, ""},
    {"ISBERD", opcode_memory::graphics, touch::load, 4, ""},
    {"ISBEWR", opcode_memory::graphics, touch::store, 0, ""},
    {"LDTRAM", opcode_memory::graphics, touch::load, 4, ""},
    {"IPA", opcode_memory::graphics, touch::load, 4, ""},
    {"CCTL", opcode_memory::nothing, touch::load, 0, "prefetch, fence"},
    {"CCTLL", opcode_memory::nothing, touch::load, 0, ""},
    {"CCTLT", opcode_memory::nothing, touch::load, 0, ""},
    {"UBLKPF", opcode_memory::nothing, touch::load, 0, "cp.async.bulk.prefetch"},
    {"UTMAPF", opcode_memory::nothing, touch::load, 0, "cp.async.bulk.prefetch.tensor"},
    {"UTMACCTL", opcode_memory::nothing, touch::load, 0, "prefetch.tensormap, fence.proxy.tensormap"},
    {"UTMACMDFLUSH", opcode_memory::nothing, touch::load, 0, "cp.async.bulk.commit_group"},
    {"QSPC", opcode_memory::nothing, touch::load, 1, "isspacep"},
    {"SUQUERY", opcode_memory::nothing, touch::load, 4, "suq"},
};
[[nodiscard]] constexpr memory_opcode const* memory_opcode_of(std::string_view name) {
  for (memory_opcode const& each : memory_opcodes)
    if (each.name == name) return &each;
  return nullptr;
}

/// A modifier with a digit, and how many bytes of a lane it means; 0 if it does not mean a width. A modifier without a
/// digit never means a width.
struct width_row {
  std::string_view name;
  unsigned bytes;
};
inline constexpr width_row width_rows[] = {
    {"8", 1},       {"U8", 1},     {"S8", 1},      {"16", 2},      {"U16", 2},    {"S16", 2},
    {"32", 4},      {"U32", 4},    {"S32", 4},     {"F32", 4},     {"F16x2", 4},  {"BF16x2", 4},
    {"64", 8},      {"U64", 8},    {"S64", 8},     {"F64", 8},     {"F16x4", 8},  {"BF16x4", 8},
    {"F32x2", 8},   {"128", 16},   {"F16x8", 16},  {"BF16x8", 16}, {"F32x4", 16}, {"256", 32},
    {"BF16_V2", 4}, {"LTC64B", 0}, {"LTC128B", 0}, {"LTC256B", 0}, {"ENL2", 0},
};
/// How many bytes a lane moves, by the modifiers after the opcode's name: 16 for "E.128.CONSTANT". The answer is 0 if
/// the width is not known: a modifier with a digit is not in the table, or two modifiers mean a width.
[[nodiscard]] constexpr unsigned width_of(std::string_view modifiers) {
  unsigned bytes = 0;
  while (!modifiers.empty()) {
    std::size_t const dot = modifiers.find('.');
    std::string_view const one = modifiers.substr(0, dot);
    modifiers.remove_prefix(dot == modifiers.npos ? modifiers.size() : dot + 1);
    if (one.find_first_of("0123456789") == one.npos) continue;
    width_row const* known = nullptr;
    for (width_row const& row : width_rows)
      if (row.name == one) known = &row;
    if (known == nullptr || (bytes != 0 && known->bytes != 0)) return 0;
    bytes += known->bytes;
  }
  return bytes == 0 ? 4 : bytes;
}
/// How many matrices of 16-bit elements LDSM and STSM move, by their modifiers as NVIDIA's disassembler prints them
/// (ldmatrix, stmatrix .m8n8). The answer is 0 for any other form. MT88 transposes the matrices; lanes give the same
/// addresses as for M88.
[[nodiscard]] constexpr unsigned matrices_of(std::string_view modifiers) {
  constexpr width_row rows[] = {
      {"16.M88", 1}, {"16.M88.2", 2}, {"16.M88.4", 4}, {"16.MT88", 1}, {"16.MT88.2", 2}, {"16.MT88.4", 4},
  };
  for (width_row const& row : rows)
    if (row.name == modifiers) return row.bytes;
  return 0;
}

}  // namespace coalescing::detail

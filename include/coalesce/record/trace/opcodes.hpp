// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/record/sums.hpp>

#include <string_view>

// NVIDIA's opcodes in traces: which memory each one accesses, how, and how many bytes of a lane.
//
// Names and memories: CUDA Binary Utilities, "Instruction Set Reference". An opcode is a name and modifiers:
// LDG.E.128.CONSTANT. The modifiers tell the width; without one it is 4 bytes. (Accel-Sim's tracer reads them, too,
// since NVBit's own width is at times wrong: trace_parser.cc. It takes S8 and S16 for 4 bytes; we do not.)

namespace coalescing::detail {

/// What an opcode's addresses are.
enum class trace_memory {
  global,
  shared,
  generic,   ///< global, shared or local: the windows of the address space tell
  copied,    ///< one side of LDGSTS, shared or global
  matrices,  ///< rows of matrices in shared memory
  unseen,    ///< memory whose addresses no trace has
  nothing,   ///< no access
};

/// What an opcode accesses. `why` says it of an access that is skipped.
struct opcode_facts {
  trace_memory memory = trace_memory::nothing;
  touch kind = touch::load;
  unsigned bytes = 0;  ///< of a lane; of matrices, how many there are
  char const* why = "";
};

struct opcode_row {
  std::string_view name;
  trace_memory memory;
  touch kind;
  char const* why = "";
};

inline constexpr char const* why_local = "local memory: a trace has each lane's own offset, not where it lies";
inline constexpr char const* why_constant = "constant memory: the trace has no addresses";
inline constexpr char const* why_texture = "textures and surfaces: the trace has no addresses";
inline constexpr char const* why_bulk = "bulk copies: the trace has no boxes";
inline constexpr char const* why_cluster = "shared memory of a cluster: the trace does not tell whose";
inline constexpr char const* why_matrices = "the machine has no such instruction";
inline constexpr char const* why_not_known = "the opcode is not known";
inline constexpr char const* why_no_address = "the line has no addresses";
inline constexpr char const* why_no_window =
    "a generic address: say where shared memory lies (.shared, .local), which the trace does not tell";
inline constexpr char const* why_mixed = "lanes in different memories";

inline constexpr opcode_row opcode_rows[] = {
    {"LDG", trace_memory::global, touch::load},
    {"STG", trace_memory::global, touch::store},
    {"ATOMG", trace_memory::global, touch::atomic},
    {"REDG", trace_memory::global, touch::atomic},
    {"LDS", trace_memory::shared, touch::load},
    {"STS", trace_memory::shared, touch::store},
    {"ATOMS", trace_memory::shared, touch::atomic},
    {"LD", trace_memory::generic, touch::load},
    {"ST", trace_memory::generic, touch::store},
    {"ATOM", trace_memory::generic, touch::atomic},
    {"RED", trace_memory::generic, touch::atomic},
    {"LDGSTS", trace_memory::copied, touch::load},
    {"LDSM", trace_memory::matrices, touch::load},
    {"STSM", trace_memory::matrices, touch::store},
    {"LDL", trace_memory::unseen, touch::load, why_local},
    {"STL", trace_memory::unseen, touch::store, why_local},
    {"LDC", trace_memory::unseen, touch::load, why_constant},
    {"LDCU", trace_memory::unseen, touch::load, why_constant},
    {"ULDC", trace_memory::unseen, touch::load, why_constant},
    {"TEX", trace_memory::unseen, touch::load, why_texture},
    {"TLD", trace_memory::unseen, touch::load, why_texture},
    {"TLD4", trace_memory::unseen, touch::load, why_texture},
    {"TXD", trace_memory::unseen, touch::load, why_texture},
    {"TMML", trace_memory::unseen, touch::load, why_texture},
    {"SULD", trace_memory::unseen, touch::load, why_texture},
    {"SUST", trace_memory::unseen, touch::store, why_texture},
    {"SUATOM", trace_memory::unseen, touch::atomic, why_texture},
    {"SURED", trace_memory::unseen, touch::atomic, why_texture},
    {"UBLKCP", trace_memory::unseen, touch::load, why_bulk},
    {"UBLKRED", trace_memory::unseen, touch::atomic, why_bulk},
    {"UTMALDG", trace_memory::unseen, touch::load, why_bulk},
    {"UTMASTG", trace_memory::unseen, touch::store, why_bulk},
    {"UTMAREDG", trace_memory::unseen, touch::atomic, why_bulk},
    {"STAS", trace_memory::unseen, touch::store, why_cluster},
    {"REDAS", trace_memory::unseen, touch::atomic, why_cluster},
    {"CCTL", trace_memory::nothing, touch::load},
    {"CCTLL", trace_memory::nothing, touch::load},
    {"CCTLT", trace_memory::nothing, touch::load},
    {"QSPC", trace_memory::nothing, touch::load},
};

/// A modifier with a digit, and the bytes of a lane that it tells; 0 where it tells something else. A modifier without
/// a digit tells no width.
struct modifier_row {
  std::string_view name;
  unsigned bytes;
};
inline constexpr modifier_row modifier_rows[] = {
    {"8", 1},    {"U8", 1},     {"S8", 1},      {"16", 2},      {"U16", 2},    {"S16", 2},     {"32", 4},
    {"U32", 4},  {"S32", 4},    {"F32", 4},     {"F16x2", 4},   {"BF16x2", 4}, {"BF16_V2", 4}, {"64", 8},
    {"U64", 8},  {"S64", 8},    {"F64", 8},     {"F16x4", 8},   {"F32x2", 8},  {"128", 16},    {"F32x4", 16},
    {"256", 32}, {"LTC64B", 0}, {"LTC128B", 0}, {"LTC256B", 0}, {"ENL2", 0},
};

/// The modifiers of LDSM and STSM for 1, 2 or 4 matrices of 16-bit elements (ldmatrix, stmatrix .m8n8), as NVIDIA's
/// disassembler prints them. MT88 transposes, and takes addresses as M88 does.
inline constexpr modifier_row matrix_rows[] = {
    {"16.M88", 1}, {"16.M88.2", 2}, {"16.M88.4", 4}, {"16.MT88", 1}, {"16.MT88.2", 2}, {"16.MT88.4", 4},
};

/// What an opcode accesses. One that has an unknown name, an unknown modifier with a digit, or two widths, is not
/// known.
constexpr opcode_facts facts_of(std::string_view opcode) {
  opcode_facts facts{.memory = trace_memory::unseen, .why = why_not_known};
  auto const part = [&opcode] {
    auto const dot = opcode.find('.');
    auto const first = opcode.substr(0, dot);
    opcode.remove_prefix(dot == std::string_view::npos ? opcode.size() : dot + 1);
    return first;
  };
  auto const name = part();
  opcode_row const* found = nullptr;
  for (auto const& row : opcode_rows)
    if (row.name == name) found = &row;
  if (found == nullptr) return facts;
  if (found->memory == trace_memory::unseen || found->memory == trace_memory::nothing)
    return {found->memory, found->kind, 0, found->why};
  if (found->memory == trace_memory::matrices) {
    for (auto const& row : matrix_rows)
      if (row.name == opcode) return {found->memory, found->kind, row.bytes, ""};
    return facts;
  }
  unsigned bytes = 0;
  while (!opcode.empty()) {
    auto const modifier = part();
    if (modifier.find_first_of("0123456789") == std::string_view::npos) continue;
    modifier_row const* known = nullptr;
    for (auto const& row : modifier_rows)
      if (row.name == modifier) known = &row;
    if (known == nullptr || (bytes != 0 && known->bytes != 0)) return facts;
    bytes += known->bytes;
  }
  return {found->memory, found->kind, bytes == 0 ? 4 : bytes, ""};
}

}  // namespace coalescing::detail

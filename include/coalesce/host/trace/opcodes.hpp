// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/binary/nvidia/memory_opcodes.hpp>

#include <string_view>

// NVIDIA's opcodes in traces: which memory each one accesses, how, and how many bytes each lane moves. The reader of
// binaries has the table of opcodes.

namespace coalescing::detail {

/// The memory that an opcode's addresses belong to.
enum class trace_memory {
  global,
  shared,
  generic,   ///< global, shared or local memory; the windows of the address space tell which
  copied,    ///< one side of LDGSTS, which copies from global to shared memory; the addresses tell which side
  matrices,  ///< rows of matrices in shared memory
  unseen,    ///< an access that is skipped; opcode_facts::why says why
  nothing,   ///< no access
};

/// The memory that an opcode accesses, how, and how much of it. `why` is the reason why an access is skipped.
struct opcode_facts {
  trace_memory memory = trace_memory::nothing;
  touch kind = touch::load;
  unsigned bytes = 0;  ///< how many bytes each lane moves; for matrices, how many matrices
  char const* why = "";
};

inline constexpr char const* why_local = "local memory: a trace has each lane's own offset, not where it lies";
inline constexpr char const* why_constant = "constant memory: the trace has no addresses";
inline constexpr char const* why_texture = "textures and surfaces: the trace has no addresses";
inline constexpr char const* why_bulk = "bulk copies: the trace has no boxes";
inline constexpr char const* why_mbarrier = "barriers that are words in shared memory: their cost has no source";
inline constexpr char const* why_descriptors = "matrices in shared memory, by descriptors: the trace has no addresses";
inline constexpr char const* why_tensor = "Tensor Memory: it has no byte addresses";
inline constexpr char const* why_graphics = "memory of shaders: the trace has no addresses";
inline constexpr char const* why_cluster = "shared memory of a cluster: the trace does not tell whose";
inline constexpr char const* why_matrices = "the machine has no such instruction";
inline constexpr char const* why_not_known = "the opcode is not known";
inline constexpr char const* why_form = "this form of the opcode is not known";
inline constexpr char const* why_no_address = "the line has no addresses";
inline constexpr char const* why_no_window =
    "a generic address: say where shared memory lies (.shared, .local), which the trace does not tell";
inline constexpr char const* why_mixed = "lanes in different memories";

/// The facts of an opcode. The accesses are skipped (`unseen`) if the opcode's name or its width is unknown. The width
/// is unknown if a modifier with a digit is unknown, or if two modifiers give a width.
constexpr opcode_facts facts_of(std::string_view opcode) {
  auto const dot = opcode.find('.');
  memory_opcode const* const found = memory_opcode_of(opcode.substr(0, dot));
  if (found == nullptr) return {.memory = trace_memory::unseen, .why = why_not_known};
  std::string_view const modifiers = dot == opcode.npos ? std::string_view{} : opcode.substr(dot + 1);
  unsigned const bytes = found->memory == opcode_memory::matrices ? matrices_of(modifiers) : width_of(modifiers);
  auto const unseen = [&](char const* why) { return opcode_facts{trace_memory::unseen, found->kind, 0, why}; };
  auto const accesses = [&](trace_memory memory) {
    return bytes == 0 ? unseen(why_form) : opcode_facts{memory, found->kind, bytes, ""};
  };
  switch (found->memory) {
    case opcode_memory::global:
      return accesses(trace_memory::global);
    case opcode_memory::shared:
      return accesses(trace_memory::shared);
    case opcode_memory::generic:
      return accesses(trace_memory::generic);
    case opcode_memory::copied:
      return accesses(trace_memory::copied);
    case opcode_memory::matrices:
      return accesses(trace_memory::matrices);
    case opcode_memory::local:
      return unseen(why_local);
    case opcode_memory::constant:
      return unseen(why_constant);
    case opcode_memory::texture:
      return unseen(why_texture);
    case opcode_memory::bulk:
      return unseen(why_bulk);
    case opcode_memory::cluster:
      return unseen(why_cluster);
    case opcode_memory::mbarrier:
      return unseen(why_mbarrier);
    case opcode_memory::descriptors:
      return unseen(why_descriptors);
    case opcode_memory::tensor:
      return unseen(why_tensor);
    case opcode_memory::graphics:
      return unseen(why_graphics);
    case opcode_memory::nothing:
      return {trace_memory::nothing, found->kind, 0, ""};
  }
  return unseen(why_not_known);
}

}  // namespace coalescing::detail

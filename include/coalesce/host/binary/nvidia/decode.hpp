// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/binary/nvidia/memory_opcodes.hpp>
#include <coalesce/host/binary/nvidia/opcodes.hpp>

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

// Finds an instruction's opcode in the tables. If it is not there, the functions below infer from the instruction's
// text whether it may access memory, whether it may be a branch, and how many registers it writes.

namespace coalescing::sass {

/// The reason why the library has no cost for an access to memory of this kind. Null if it may have a cost, or if there
/// is no access.
[[nodiscard]] constexpr char const* why_no_cost(detail::opcode_memory memory) {
  using detail::opcode_memory;
  switch (memory) {
    case opcode_memory::texture:
      return "textures and surfaces have no rule in the library";
    case opcode_memory::bulk:
      return "a bulk copy, or one of the Tensor Memory Accelerator";
    case opcode_memory::cluster:
      return "shared memory of any block of the cluster";
    case opcode_memory::mbarrier:
      return "an mbarrier: its cost has no source";
    case opcode_memory::descriptors:
      return "it reads shared memory through descriptors";
    case opcode_memory::tensor:
      return "Tensor Memory has no byte addresses";
    case opcode_memory::graphics:
      return "memory of shaders has no rule in the library";
    case opcode_memory::global:
    case opcode_memory::shared:
    case opcode_memory::generic:
    case opcode_memory::local:
    case opcode_memory::copied:
    case opcode_memory::matrices:
    case opcode_memory::constant:
    case opcode_memory::nothing:
      return nullptr;
  }
  return nullptr;
}
/// The opcode rows of the instructions in memory_opcodes.hpp.
inline constexpr auto memory_rows = [] {
  std::array<opcode_row, std::size(detail::memory_opcodes)> made{};
  for (std::size_t k = 0; k != made.size(); ++k) {
    detail::memory_opcode const& of = detail::memory_opcodes[k];
    char const* const why = why_no_cost(of.memory);
    action const does = why != nullptr                                 ? action::listed
                        : of.memory == detail::opcode_memory::constant ? action::constant
                        : of.memory != detail::opcode_memory::nothing  ? action::memory
                        : of.registers != 0                            ? action::data
                                                                       : action::nothing;
    made[k] = {of.name.data(), does, form::value, of.registers, nullptr, nullptr, why != nullptr ? why : of.from};
  }
  return made;
}();

[[nodiscard]] inline opcode_row const& row_of(std::string const& base) {
  for (opcode_row const& each : opcode_rows)
    if (base == each.base) return each;
  for (opcode_row const& each : memory_rows)
    if (base == each.base) return each;
  return missing_row;
}
/// Whether an instruction that is not in the tables may access memory. It may if an operand is an address, or if its
/// first operand is not a register or predicate that could be a result.
[[nodiscard]] inline bool may_access(instruction const& i) {
  for (operand const& o : i.operands)
    if (o.kind == operand_kind::memory || (o.kind == operand_kind::other && o.word.find('[') != o.word.npos))
      return true;
  if (i.operands.empty()) return true;
  operand const& first = i.operands[0];
  return !is_predicate(first) && !is_register(first) && first.kind != operand_kind::all_predicates;
}
/// Whether an instruction that is not in the tables may be a branch. It may if an operand is a label, or a list of
/// labels.
[[nodiscard]] inline bool names_places(instruction const& i) {
  for (operand const& o : i.operands)
    if (o.kind == operand_kind::label || o.word.find("BRANCH_TARGETS") != o.word.npos) return true;
  return false;
}
/// Whether an instruction may write to shared or global memory.
[[nodiscard]] inline bool may_write(instruction const& i) {
  using detail::opcode_memory;
  if (row_of(i.base).does == action::missing) return may_access(i);
  detail::memory_opcode const* const of = detail::memory_opcode_of(i.base);
  if (of == nullptr || of->memory == opcode_memory::local || of->memory == opcode_memory::tensor) return false;
  return of->kind != touch::load || of->memory == opcode_memory::bulk || of->memory == opcode_memory::copied;
}
/// How many registers an instruction writes, if the reader does not compute its result.
[[nodiscard]] inline unsigned registers_of(instruction const& i) {
  opcode_row const& row = row_of(i.base);
  if (row.does == action::missing) return may_access(i) ? 8 : registers_of_unlisted(i);
  detail::memory_opcode const* const memory = detail::memory_opcode_of(i.base);
  bool const is_matrix = memory != nullptr && memory->memory == detail::opcode_memory::descriptors;
  if (is_matrix || begins(row.from, "mma")) return registers_of_matrix(i, row.registers);
  return begins(row.from, "cvt") ? registers_of_conversion(i) : row.registers;
}
/// The function that computes an instruction's results. If the opcode has a modifier that its row does not list, it is
/// no_such_form(), which gives unknown results, since the modifier may change the meaning.
[[nodiscard]] inline auto function_of(instruction const& i) -> results (*)(in_lane const&) {
  opcode_row const& row = row_of(i.base);
  if (row.parts == nullptr) return row.function;
  auto const known = split(row.parts, ' ');
  for (std::string const& part : i.parts) {
    bool found = false;
    for (std::string_view const each : known) found = found || each == part;
    if (!found) return no_such_form;
  }
  return row.function;
}

}  // namespace coalescing::sass

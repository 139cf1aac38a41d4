// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/binary/nvidia/arithmetic.hpp>
#include <coalesce/host/binary/nvidia/floats.hpp>
#include <coalesce/host/binary/nvidia/memory_opcodes.hpp>

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

// The opcodes of SASS and their meaning.
//
// NVIDIA names SASS's opcodes ("CUDA Binary Utilities" 13.0, "Instruction Set Reference") and does not say more. So
// each meaning is inferred: from the PTX instruction that the row names ("PTX ISA" 9.0), which ptxas 13.0 turned into
// this opcode, and it is checked by data that kernels carry through (tests/host/binary/nvidia). The opcodes that have
// to do with memory stand in memory_opcodes.hpp.

namespace coalescing::sass {

/// The way that the interpreter runs an opcode.
enum class action : unsigned char {
  compute,   ///< a function of the lane's sources
  constant,  ///< loads from a constant bank
  special,   ///< reads a special register
  lanes,     ///< shuffles, votes
  unpack,    ///< writes predicates
  memory,    ///< accesses memory
  listed,    ///< accesses memory in a way that is not followed: listed with the reason
  control,   ///< moves program counters
  barrier,   ///< waits for the block or the cluster
  nothing,   ///< changes no value
  data,      ///< computes only floating-point numbers and other values that no address depends on
  missing    ///< not in the tables
};

struct opcode_row {
  char const* base;
  action does;
  form stands;
  unsigned registers;  ///< that it writes, where it does not compute
  results (*function)(in_lane const&);
  char const* parts;  ///< that may follow the opcode's name; null: the function checks them itself
  char const* from;   ///< what its meaning was inferred from; for `listed`: why it has no cost
};

inline constexpr opcode_row opcode_rows[] = {
    {"MOV", action::compute, form::value, 1, move, "64", "mov"},
    {"MOV32I", action::compute, form::value, 1, move, "", "mov"},
    {"UMOV", action::compute, form::value, 1, move, "64", "mov"},
    {"R2UR", action::compute, form::value, 1, move, "", "a move to a uniform register"},
    {"IADD3", action::compute, form::value, 1, add, "X", "add, add.cc, addc, sub"},
    {"UIADD3", action::compute, form::value, 1, add, "X 64", "add, add.cc, addc, sub"},
    {"IADD", action::compute, form::value, 1, add, "64", "add"},
    {"VIADD", action::compute, form::value, 1, add, "", "add"},
    {"IMAD", action::compute, form::value, 1, multiply_add, "WIDE HI U32 X MOV SHL IADD",
     "mad.lo, mad.wide, mad.hi, mul, mov"},
    {"UIMAD", action::compute, form::value, 1, multiply_add, "WIDE HI U32 X MOV SHL IADD",
     "mad.lo, mad.wide, mad.hi, mul"},
    {"LEA", action::compute, form::value, 1, scaled_add, "HI X SX32", "shl and add; division by a power of two"},
    {"ULEA", action::compute, form::value, 1, scaled_add, "HI X SX32", "shl and add"},
    {"SHF", action::compute, form::value, 1, funnel_shift, "L R W U32 S32 U64 S64 HI", "shl, shr, shf"},
    {"USHF", action::compute, form::value, 1, funnel_shift, "L R W U32 S32 U64 S64 HI", "shl, shr, shf"},
    {"LOP3", action::compute, form::value, 1, logic, "LUT PAND", "lop3, and, or, xor, not"},
    {"ULOP3", action::compute, form::value, 1, logic, "LUT PAND", "lop3, and, or, xor, not"},
    {"PLOP3", action::compute, form::predicates, 0, predicate_logic, "LUT", "and.pred, or.pred"},
    {"UPLOP3", action::compute, form::predicates, 0, predicate_logic, "LUT", "and.pred, or.pred"},
    {"ISETP", action::compute, form::predicates, 0, compare, "LT EQ LE GT NE GE U32 U64 S64 AND OR XOR EX", "setp"},
    {"UISETP", action::compute, form::predicates, 0, compare, "LT EQ LE GT NE GE U32 U64 S64 AND OR XOR EX", "setp"},
    {"SEL", action::compute, form::value, 1, select, "", "selp"},
    {"USEL", action::compute, form::value, 1, select, "", "selp"},
    {"IMNMX", action::compute, form::value, 1, minimum, "U32", "min, max"},
    {"VIMNMX", action::compute, form::value, 1, minimum, "U32 S32", "min, max"},
    {"VIADDMNMX", action::compute, form::value, 1, add_minimum, "U32", "add and min, max"},
    {"PRMT", action::compute, form::value, 1, permute, "", "prmt"},
    {"UPRMT", action::compute, form::value, 1, permute, "", "prmt"},
    {"SGXT", action::compute, form::value, 1, extend, "U32 W", "bfe, szext"},
    {"USGXT", action::compute, form::value, 1, extend, "U32 W", "bfe, szext"},
    {"BMSK", action::compute, form::value, 1, mask_of, "W", "bmsk"},
    {"UBMSK", action::compute, form::value, 1, mask_of, "W", "bmsk"},
    {"BREV", action::compute, form::value, 1, reverse, "", "brev"},
    {"UBREV", action::compute, form::value, 1, reverse, "", "brev"},
    {"POPC", action::compute, form::value, 1, count_ones, "", "popc"},
    {"UPOPC", action::compute, form::value, 1, count_ones, "", "popc"},
    {"FLO", action::compute, form::value, 1, find_leading_one, "U32 SH", "bfind, clz"},
    {"UFLO", action::compute, form::value, 1, find_leading_one, "U32 SH", "bfind, clz"},
    {"IABS", action::compute, form::value, 1, magnitude, "", "abs.s32"},
    {"P2R", action::compute, form::value, 1, predicates_to_register, "", "predicates that ptxas keeps in a register"},
    {"UP2UR", action::compute, form::value, 1, predicates_to_register, "", "predicates that ptxas keeps in a register"},
    {"HFMA2", action::compute, form::value, 1, halves, nullptr, "mov of an integer; else fma.f16x2, which is data"},

    {"I2F", action::compute, form::value, 1, to_float, nullptr, "div.u32, rem.u32; else cvt, which is data"},
    {"UI2F", action::compute, form::value, 1, to_float, nullptr, "div.u32, rem.u32 of sm_120; else cvt, which is data"},
    {"MUFU", action::compute, form::value, 1, reciprocal, nullptr, "div.u32, rem.u32; else rcp, ex2, which are data"},
    {"F2I", action::compute, form::value, 1, to_integer, nullptr, "div.u32, rem.u32; else cvt, which is data"},

    {"R2P", action::unpack, form::value, 0, nullptr, nullptr, "predicates that ptxas keeps in a register"},
    {"LDC", action::constant, form::value, 1, nullptr, nullptr, "ld.param, ld.const"},
    {"ULDC", action::constant, form::value, 1, nullptr, nullptr, "ld.param, ld.const"},
    {"LDCU", action::constant, form::value, 1, nullptr, nullptr, "ld.param, ld.const"},
    {"S2R", action::special, form::value, 1, nullptr, nullptr, "mov of %tid and others"},
    {"S2UR", action::special, form::value, 1, nullptr, nullptr, "mov of %ctaid and others"},
    {"CS2R", action::special, form::value, 2, nullptr, nullptr, "mov of 0, of a clock"},
    {"CS2UR", action::special, form::value, 2, nullptr, nullptr, "mov of 0, of a clock"},
    {"SHFL", action::lanes, form::value, 1, nullptr, nullptr, "shfl.sync"},
    {"VOTE", action::lanes, form::vote, 1, nullptr, nullptr, "vote.sync"},
    {"VOTEU", action::lanes, form::vote, 1, nullptr, nullptr, "vote.sync, activemask"},
    {"ELECT", action::lanes, form::vote, 1, nullptr, nullptr, "elect.sync"},

    {"BRA", action::control, form::value, 0, nullptr, nullptr, "bra"},
    {"EXIT", action::control, form::value, 0, nullptr, nullptr, "exit, ret"},
    {"BSSY", action::control, form::value, 0, nullptr, nullptr, "where lanes that part meet: a label of bra"},
    {"BSYNC", action::control, form::value, 0, nullptr, nullptr, "where lanes that part meet"},
    {"BREAK", action::control, form::value, 0, nullptr, nullptr, "lanes that leave a loop"},
    {"BMOV", action::control, form::value, 1, nullptr, nullptr, "a convergence barrier, saved and restored"},
    {"WARPSYNC", action::control, form::value, 0, nullptr, nullptr, "bar.warp.sync"},
    {"CALL", action::control, form::value, 0, nullptr, nullptr, "call"},
    {"RET", action::control, form::value, 0, nullptr, nullptr, "ret"},
    {"BRX", action::control, form::value, 0, nullptr, nullptr, "brx.idx"},
    {"JMX", action::control, form::value, 0, nullptr, nullptr, "brx.idx"},
    {"BRXU", action::control, form::value, 0, nullptr, nullptr, "brx.idx"},
    {"JMXU", action::control, form::value, 0, nullptr, nullptr, "brx.idx"},
    {"JMP", action::control, form::value, 0, nullptr, nullptr, "bra"},
    {"KILL", action::control, form::value, 0, nullptr, nullptr, "discard, of shaders"},
    {"BPT", action::control, form::value, 0, nullptr, nullptr, "trap, brkpt"},
    {"RPCMOV", action::control, form::value, 0, nullptr, nullptr, "a return address that is set"},
    {"ENDCOLLECTIVE", action::control, form::value, 0, nullptr, nullptr, "the end of WARPSYNC.COLLECTIVE"},
    {"BAR", action::barrier, form::value, 0, nullptr, nullptr, "bar.sync, barrier"},
    {"UCGABAR_ARV", action::barrier, form::value, 0, nullptr, nullptr, "barrier.cluster.arrive"},
    {"UCGABAR_WAIT", action::barrier, form::value, 0, nullptr, nullptr, "barrier.cluster.wait"},
    {"B2R", action::compute, form::value, 1, barrier_result, nullptr, "bar.red"},

    {"NOP", action::nothing, form::value, 0, nullptr, nullptr, ""},
    {"YIELD", action::nothing, form::value, 0, nullptr, nullptr, ""},
    {"NANOSLEEP", action::nothing, form::value, 0, nullptr, nullptr, "nanosleep"},
    {"DEPBAR", action::nothing, form::value, 0, nullptr, nullptr, "cp.async.wait_group"},
    {"LDGDEPBAR", action::nothing, form::value, 0, nullptr, nullptr, "cp.async.commit_group"},
    {"WARPGROUP", action::nothing, form::value, 0, nullptr, nullptr, "wgmma.fence"},
    {"MEMBAR", action::nothing, form::value, 0, nullptr, nullptr, "membar, fence"},
    {"FENCE", action::nothing, form::value, 0, nullptr, nullptr, "fence.proxy"},
    {"CGAERRBAR", action::nothing, form::value, 0, nullptr, nullptr, "fence.acq_rel.cluster"},
    {"ERRBAR", action::nothing, form::value, 0, nullptr, nullptr, "membar"},
    {"ACQBULK", action::nothing, form::value, 0, nullptr, nullptr, "griddepcontrol.wait"},
    {"PREEXIT", action::nothing, form::value, 0, nullptr, nullptr, "griddepcontrol.launch_dependents"},
    {"USETMAXREG", action::data, form::predicates, 0, nullptr, nullptr, "setmaxnreg: whether it got the registers"},

    {"IDP", action::data, form::value, 1, nullptr, nullptr, "dp4a, dp2a"},
    {"IDP4A", action::data, form::value, 1, nullptr, nullptr, "dp4a"},
    {"VABSDIFF", action::data, form::value, 1, nullptr, nullptr, "vabsdiff"},
    {"VABSDIFF4", action::data, form::value, 1, nullptr, nullptr, "vabsdiff4"},
    {"FADD", action::data, form::value, 1, nullptr, nullptr, "add.f32"},
    {"FADD32I", action::data, form::value, 1, nullptr, nullptr, "add.f32"},
    {"FADD2", action::data, form::value, 2, nullptr, nullptr, "add.f32x2"},
    {"FMUL", action::data, form::value, 1, nullptr, nullptr, "mul.f32"},
    {"FMUL2", action::data, form::value, 2, nullptr, nullptr, "mul.f32x2"},
    {"FFMA", action::data, form::value, 1, nullptr, nullptr, "fma.f32"},
    {"FFMA2", action::data, form::value, 2, nullptr, nullptr, "fma.f32x2"},
    {"FMNMX", action::data, form::value, 1, nullptr, nullptr, "min.f32"},
    {"FMNMX3", action::data, form::value, 1, nullptr, nullptr, "min.f32"},
    {"FSEL", action::data, form::value, 1, nullptr, nullptr, "selp.f32"},
    {"FSET", action::data, form::value, 1, nullptr, nullptr, "set.f32"},
    {"FSETP", action::data, form::predicates, 0, nullptr, nullptr, "setp.f32"},
    {"FCHK", action::data, form::predicates, 0, nullptr, nullptr, "div.f32"},
    {"HADD2", action::data, form::value, 1, nullptr, nullptr, "add.f16x2"},
    {"HMUL2", action::data, form::value, 1, nullptr, nullptr, "mul.f16x2"},
    {"HMNMX2", action::data, form::value, 1, nullptr, nullptr, "min.f16x2"},
    {"HSETP2", action::data, form::predicates, 0, nullptr, nullptr, "setp.f16x2"},
    {"HSET2", action::data, form::value, 1, nullptr, nullptr, "set.f16x2"},
    {"DADD", action::data, form::value, 2, nullptr, nullptr, "add.f64"},
    {"DMUL", action::data, form::value, 2, nullptr, nullptr, "mul.f64"},
    {"DFMA", action::data, form::value, 2, nullptr, nullptr, "fma.f64"},
    {"DSETP", action::data, form::predicates, 0, nullptr, nullptr, "setp.f64"},
    {"F2F", action::data, form::value, 1, nullptr, nullptr, "cvt"},
    {"F2FP", action::data, form::value, 1, nullptr, nullptr, "cvt"},
    {"I2FP", action::data, form::value, 1, nullptr, nullptr, "cvt"},
    {"FRND", action::data, form::value, 1, nullptr, nullptr, "cvt"},
    {"HMMA", action::data, form::value, 4, nullptr, nullptr, "mma.sync"},
    {"IMMA", action::data, form::value, 4, nullptr, nullptr, "mma.sync"},
    {"QMMA", action::data, form::value, 4, nullptr, nullptr, "mma.sync"},
    {"DMMA", action::data, form::value, 8, nullptr, nullptr, "mma.sync"},
    {"OMMA", action::data, form::value, 4, nullptr, nullptr, "mma.sync"},
    {"BMMA", action::data, form::value, 4, nullptr, nullptr, "mma.sync"},
    {"MOVM", action::data, form::value, 1, nullptr, nullptr, "movmatrix"},
};
inline constexpr opcode_row missing_row{"", action::missing, form::value, 4, nullptr, nullptr, ""};

/// Why the library has no cost for an access; null where it may have one, or where there is no access.
[[nodiscard]] constexpr char const* why_no_cost(detail::opcode_memory memory) {
  using detail::opcode_memory;
  switch (memory) {
    case opcode_memory::local:
      return "local memory has no rule in the library";
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
    case opcode_memory::copied:
    case opcode_memory::matrices:
    case opcode_memory::constant:
    case opcode_memory::nothing:
      return nullptr;
  }
  return nullptr;
}
/// The rows of the opcodes that have to do with memory.
inline constexpr auto memory_rows = [] {
  std::array<opcode_row, std::size(detail::memory_opcodes)> made{};
  for (std::size_t k = 0; k != made.size(); ++k) {
    detail::memory_opcode const& of = detail::memory_opcodes[k];
    char const* const why = why_no_cost(of.memory);
    action const does = why != nullptr                                ? action::listed
                        : of.memory != detail::opcode_memory::nothing ? action::memory
                        : of.registers != 0                           ? action::data
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
/// Whether an opcode that is not in the tables may access memory: it has an address, or leaves no result.
[[nodiscard]] inline bool may_access(instruction const& i) {
  for (operand const& o : i.operands)
    if (o.kind == operand_kind::memory || (o.kind == operand_kind::other && o.word.find('[') != o.word.npos))
      return true;
  if (i.operands.empty()) return true;
  operand const& first = i.operands[0];
  return !is_predicate(first) && !is_register(first) && first.kind != operand_kind::all_predicates;
}
/// Whether an opcode that is not in the tables may be a branch: it names a place of the kernel.
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
  detail::memory_opcode const* const memory = detail::memory_opcode_of(i.base);
  bool const is_matrix = memory != nullptr && memory->memory == detail::opcode_memory::descriptors;
  if (memory != nullptr && memory->memory == detail::opcode_memory::local && row.registers != 0)
    if (unsigned const bytes = detail::width_of(modifiers_of(i)); bytes != 0) return (bytes + 3) / 4;
  if (is_matrix || begins(row.from, "mma")) return registers_of_matrix(i, row.registers);
  return begins(row.from, "cvt") ? registers_of_conversion(i) : row.registers;
}
/// The function of an instruction. A part of the opcode that the row does not have may change the meaning.
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

// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/record/sass/arithmetic.hpp>
#include <coalesce/record/sass/floats.hpp>

#include <string>
#include <string_view>

// The opcodes of SASS and their meaning.
//
// NVIDIA names SASS's opcodes ("CUDA Binary Utilities" 13.0, "Instruction Set Reference") and does not say more. So
// each meaning is inferred: from the PTX instruction that the row names ("PTX ISA" 9.0), which ptxas 13.0 turned into
// this opcode, and it is checked by data that kernels carry through (tests/truth/sass).

namespace coalescing::sass {

/// The way that the interpreter runs an opcode.
enum class action : unsigned char {
  compute,   ///< a function of the lane's sources
  constant,  ///< loads from a constant bank
  special,   ///< reads a special register
  lanes,     ///< shuffles, votes
  unpack,    ///< writes predicates
  memory,    ///< accesses memory; memory_rows tells how
  listed,    ///< accesses memory in a way that is not followed: listed with the reason
  control,   ///< moves program counters
  barrier,   ///< waits for the block or the cluster
  nothing,   ///< changes no value
  data,      ///< only floating-point numbers and others that feed no address
  missing    ///< not in the tables
};

struct opcode_row {
  char const* base;
  action does;
  form stands;
  unsigned registers;  ///< that it writes, where it does not compute
  results (*function)(in_lane const&);
  char const* parts;  ///< that an opcode may have behind its first; null: the function looks at them
  char const* from;   ///< what its meaning was inferred from; for `listed`: why it has no cost
};

inline constexpr opcode_row opcode_rows[] = {
    {"MOV", action::compute, form::value, 1, move, "", "mov"},
    {"MOV32I", action::compute, form::value, 1, move, "", "mov"},
    {"UMOV", action::compute, form::value, 1, move, "", "mov"},
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
    {"HFMA2", action::compute, form::value, 1, halves, nullptr, "mov of an integer; else fma.f16x2, which is data"},

    {"I2F", action::compute, form::value, 1, to_float, nullptr, "div.u32, rem.u32; else cvt, which is data"},
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

    {"LDG", action::memory, form::value, 1, nullptr, nullptr, "ld.global"},
    {"LD", action::memory, form::value, 1, nullptr, nullptr, "ld"},
    {"LDS", action::memory, form::value, 1, nullptr, nullptr, "ld.shared"},
    {"STG", action::memory, form::value, 0, nullptr, nullptr, "st.global"},
    {"ST", action::memory, form::value, 0, nullptr, nullptr, "st"},
    {"STS", action::memory, form::value, 0, nullptr, nullptr, "st.shared"},
    {"ATOMG", action::memory, form::value, 1, nullptr, nullptr, "atom.global"},
    {"ATOM", action::memory, form::value, 1, nullptr, nullptr, "atom"},
    {"RED", action::memory, form::value, 0, nullptr, nullptr, "red.global"},
    {"REDG", action::memory, form::value, 0, nullptr, nullptr, "red.global"},
    {"ATOMS", action::memory, form::value, 1, nullptr, nullptr, "atom.shared"},
    {"LDSM", action::memory, form::value, 4, nullptr, nullptr, "ldmatrix"},
    {"STSM", action::memory, form::value, 0, nullptr, nullptr, "stmatrix"},
    {"LDGSTS", action::memory, form::value, 0, nullptr, nullptr, "cp.async"},

    {"LDL", action::listed, form::value, 4, nullptr, nullptr, "local memory has no rule in the library"},
    {"STL", action::listed, form::value, 0, nullptr, nullptr, "local memory has no rule in the library"},
    {"TEX", action::listed, form::value, 4, nullptr, nullptr, "textures have no rule in the library"},
    {"TLD", action::listed, form::value, 4, nullptr, nullptr, "textures have no rule in the library"},
    {"TLD4", action::listed, form::value, 4, nullptr, nullptr, "textures have no rule in the library"},
    {"SULD", action::listed, form::value, 4, nullptr, nullptr, "surfaces have no rule in the library"},
    {"SUST", action::listed, form::value, 0, nullptr, nullptr, "surfaces have no rule in the library"},
    {"HGMMA", action::listed, form::value, 128, nullptr, nullptr, "it reads shared memory through descriptors"},
    {"IGMMA", action::listed, form::value, 128, nullptr, nullptr, "it reads shared memory through descriptors"},
    {"QGMMA", action::listed, form::value, 128, nullptr, nullptr, "it reads shared memory through descriptors"},
    {"BGMMA", action::listed, form::value, 128, nullptr, nullptr, "it reads shared memory through descriptors"},
    {"UTMALDG", action::listed, form::value, 0, nullptr, nullptr, "a copy of the Tensor Memory Accelerator"},
    {"UTMASTG", action::listed, form::value, 0, nullptr, nullptr, "a copy of the Tensor Memory Accelerator"},
    {"UTMAREDG", action::listed, form::value, 0, nullptr, nullptr, "a copy of the Tensor Memory Accelerator"},
    {"UBLKCP", action::listed, form::value, 0, nullptr, nullptr, "a bulk copy"},
    {"UBLKRED", action::listed, form::value, 0, nullptr, nullptr, "a bulk copy"},
    {"SYNCS", action::listed, form::value, 2, nullptr, nullptr, "an mbarrier: its cost has no source"},
    {"LDTM", action::listed, form::value, 128, nullptr, nullptr, "Tensor Memory has no byte addresses"},
    {"STTM", action::listed, form::value, 0, nullptr, nullptr, "Tensor Memory has no byte addresses"},
    {"UTCHMMA", action::listed, form::value, 0, nullptr, nullptr, "it reads shared memory through descriptors"},
    {"UTCQMMA", action::listed, form::value, 0, nullptr, nullptr, "it reads shared memory through descriptors"},
    {"UTCIMMA", action::listed, form::value, 0, nullptr, nullptr, "it reads shared memory through descriptors"},
    {"UTCCP", action::listed, form::value, 0, nullptr, nullptr, "it reads shared memory through descriptors"},

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
    {"JMP", action::control, form::value, 0, nullptr, nullptr, "bra"},
    {"KILL", action::control, form::value, 0, nullptr, nullptr, "trap"},
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
    {"CCTL", action::nothing, form::value, 0, nullptr, nullptr, "prefetch, fence"},
    {"BPT", action::nothing, form::value, 0, nullptr, nullptr, "brkpt"},
    {"ACQBULK", action::nothing, form::value, 0, nullptr, nullptr, "griddepcontrol.wait"},
    {"PREEXIT", action::nothing, form::value, 0, nullptr, nullptr, "griddepcontrol.launch_dependents"},
    {"USETMAXREG", action::nothing, form::value, 0, nullptr, nullptr, "setmaxnreg"},

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
    {"BMMA", action::data, form::value, 4, nullptr, nullptr, "mma.sync"},
    {"MOVM", action::data, form::value, 1, nullptr, nullptr, "movmatrix"},
};
inline constexpr opcode_row missing_row{"", action::missing, form::value, 4, nullptr, nullptr, ""};

[[nodiscard]] inline opcode_row const& row_of(std::string const& base) {
  for (opcode_row const& each : opcode_rows)
    if (base == each.base) return each;
  return missing_row;
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

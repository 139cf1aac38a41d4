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

/// What the interpreter does with an opcode.
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
  results (*function)(in_lane const&);
  char const* parts;  ///< that an opcode may have behind its first; null: the function looks at them
  form stands;
  unsigned registers;  ///< that it writes, where it does not compute
  char const* from;    ///< what its meaning was inferred from; for `listed`: why it has no cost
};

inline constexpr opcode_row opcode_rows[] = {
    {"MOV", action::compute, move, "", form::value, 1, "mov"},
    {"MOV32I", action::compute, move, "", form::value, 1, "mov"},
    {"UMOV", action::compute, move, "", form::value, 1, "mov"},
    {"R2UR", action::compute, move, "", form::value, 1, "a move to a uniform register"},
    {"IADD3", action::compute, add, "X", form::value, 1, "add, add.cc, addc, sub"},
    {"UIADD3", action::compute, add, "X 64", form::value, 1, "add, add.cc, addc, sub"},
    {"IADD", action::compute, add, "64", form::value, 1, "add"},
    {"VIADD", action::compute, add, "", form::value, 1, "add"},
    {"IMAD", action::compute, multiply_add, "WIDE HI U32 X MOV SHL IADD", form::value, 1,
     "mad.lo, mad.wide, mad.hi, mul, mov"},
    {"UIMAD", action::compute, multiply_add, "WIDE HI U32 X MOV SHL IADD", form::value, 1,
     "mad.lo, mad.wide, mad.hi, mul"},
    {"LEA", action::compute, scaled_add, "HI X SX32", form::value, 1, "shl and add; division by a power of two"},
    {"ULEA", action::compute, scaled_add, "HI X SX32", form::value, 1, "shl and add"},
    {"SHF", action::compute, funnel_shift, "L R W U32 S32 U64 S64 HI", form::value, 1, "shl, shr, shf"},
    {"USHF", action::compute, funnel_shift, "L R W U32 S32 U64 S64 HI", form::value, 1, "shl, shr, shf"},
    {"LOP3", action::compute, logic, "LUT PAND", form::value, 1, "lop3, and, or, xor, not"},
    {"ULOP3", action::compute, logic, "LUT PAND", form::value, 1, "lop3, and, or, xor, not"},
    {"PLOP3", action::compute, predicate_logic, "LUT", form::predicates, 0, "and.pred, or.pred"},
    {"UPLOP3", action::compute, predicate_logic, "LUT", form::predicates, 0, "and.pred, or.pred"},
    {"ISETP", action::compute, compare, "LT EQ LE GT NE GE U32 U64 S64 AND OR XOR EX", form::predicates, 0, "setp"},
    {"UISETP", action::compute, compare, "LT EQ LE GT NE GE U32 U64 S64 AND OR XOR EX", form::predicates, 0, "setp"},
    {"SEL", action::compute, select, "", form::value, 1, "selp"},
    {"USEL", action::compute, select, "", form::value, 1, "selp"},
    {"IMNMX", action::compute, minimum, "U32", form::value, 1, "min, max"},
    {"VIMNMX", action::compute, minimum, "U32 S32", form::value, 1, "min, max"},
    {"VIADDMNMX", action::compute, add_minimum, "U32", form::value, 1, "add and min, max"},
    {"PRMT", action::compute, permute, "", form::value, 1, "prmt"},
    {"UPRMT", action::compute, permute, "", form::value, 1, "prmt"},
    {"SGXT", action::compute, extend, "U32 W", form::value, 1, "bfe, szext"},
    {"USGXT", action::compute, extend, "U32 W", form::value, 1, "bfe, szext"},
    {"BMSK", action::compute, mask_of, "W", form::value, 1, "bmsk"},
    {"UBMSK", action::compute, mask_of, "W", form::value, 1, "bmsk"},
    {"BREV", action::compute, reverse, "", form::value, 1, "brev"},
    {"UBREV", action::compute, reverse, "", form::value, 1, "brev"},
    {"POPC", action::compute, count_ones, "", form::value, 1, "popc"},
    {"UPOPC", action::compute, count_ones, "", form::value, 1, "popc"},
    {"FLO", action::compute, find_leading_one, "U32 SH", form::value, 1, "bfind, clz"},
    {"UFLO", action::compute, find_leading_one, "U32 SH", form::value, 1, "bfind, clz"},
    {"IABS", action::compute, magnitude, "", form::value, 1, "abs.s32"},
    {"P2R", action::compute, predicates_to_register, "", form::value, 1, "predicates that ptxas keeps in a register"},
    {"HFMA2", action::compute, halves, nullptr, form::value, 1, "mov of an integer; else fma.f16x2, which is data"},

    {"I2F", action::compute, to_float, nullptr, form::value, 1, "div.u32, rem.u32; else cvt, which is data"},
    {"MUFU", action::compute, reciprocal, nullptr, form::value, 1, "div.u32, rem.u32; else rcp, ex2, which are data"},
    {"F2I", action::compute, to_integer, nullptr, form::value, 1, "div.u32, rem.u32; else cvt, which is data"},

    {"R2P", action::unpack, nullptr, nullptr, form::value, 0, "predicates that ptxas keeps in a register"},
    {"LDC", action::constant, nullptr, nullptr, form::value, 1, "ld.param, ld.const"},
    {"ULDC", action::constant, nullptr, nullptr, form::value, 1, "ld.param, ld.const"},
    {"LDCU", action::constant, nullptr, nullptr, form::value, 1, "ld.param, ld.const"},
    {"S2R", action::special, nullptr, nullptr, form::value, 1, "mov of %tid and others"},
    {"S2UR", action::special, nullptr, nullptr, form::value, 1, "mov of %ctaid and others"},
    {"CS2R", action::special, nullptr, nullptr, form::value, 2, "mov of 0, of a clock"},
    {"CS2UR", action::special, nullptr, nullptr, form::value, 2, "mov of 0, of a clock"},
    {"SHFL", action::lanes, nullptr, nullptr, form::value, 1, "shfl.sync"},
    {"VOTE", action::lanes, nullptr, nullptr, form::vote, 1, "vote.sync"},
    {"VOTEU", action::lanes, nullptr, nullptr, form::vote, 1, "vote.sync, activemask"},
    {"ELECT", action::lanes, nullptr, nullptr, form::vote, 1, "elect.sync"},

    {"LDG", action::memory, nullptr, nullptr, form::value, 1, "ld.global"},
    {"LD", action::memory, nullptr, nullptr, form::value, 1, "ld"},
    {"LDS", action::memory, nullptr, nullptr, form::value, 1, "ld.shared"},
    {"STG", action::memory, nullptr, nullptr, form::value, 0, "st.global"},
    {"ST", action::memory, nullptr, nullptr, form::value, 0, "st"},
    {"STS", action::memory, nullptr, nullptr, form::value, 0, "st.shared"},
    {"ATOMG", action::memory, nullptr, nullptr, form::value, 1, "atom.global"},
    {"ATOM", action::memory, nullptr, nullptr, form::value, 1, "atom"},
    {"RED", action::memory, nullptr, nullptr, form::value, 0, "red.global"},
    {"REDG", action::memory, nullptr, nullptr, form::value, 0, "red.global"},
    {"ATOMS", action::memory, nullptr, nullptr, form::value, 1, "atom.shared"},
    {"LDSM", action::memory, nullptr, nullptr, form::value, 4, "ldmatrix"},
    {"STSM", action::memory, nullptr, nullptr, form::value, 0, "stmatrix"},
    {"LDGSTS", action::memory, nullptr, nullptr, form::value, 0, "cp.async"},

    {"LDL", action::listed, nullptr, nullptr, form::value, 4, "local memory has no rule in the library"},
    {"STL", action::listed, nullptr, nullptr, form::value, 0, "local memory has no rule in the library"},
    {"TEX", action::listed, nullptr, nullptr, form::value, 4, "textures have no rule in the library"},
    {"TLD", action::listed, nullptr, nullptr, form::value, 4, "textures have no rule in the library"},
    {"TLD4", action::listed, nullptr, nullptr, form::value, 4, "textures have no rule in the library"},
    {"SULD", action::listed, nullptr, nullptr, form::value, 4, "surfaces have no rule in the library"},
    {"SUST", action::listed, nullptr, nullptr, form::value, 0, "surfaces have no rule in the library"},
    {"HGMMA", action::listed, nullptr, nullptr, form::value, 128, "it reads shared memory through descriptors"},
    {"IGMMA", action::listed, nullptr, nullptr, form::value, 128, "it reads shared memory through descriptors"},
    {"QGMMA", action::listed, nullptr, nullptr, form::value, 128, "it reads shared memory through descriptors"},
    {"BGMMA", action::listed, nullptr, nullptr, form::value, 128, "it reads shared memory through descriptors"},
    {"UTMALDG", action::listed, nullptr, nullptr, form::value, 0, "a copy of the Tensor Memory Accelerator"},
    {"UTMASTG", action::listed, nullptr, nullptr, form::value, 0, "a copy of the Tensor Memory Accelerator"},
    {"UTMAREDG", action::listed, nullptr, nullptr, form::value, 0, "a copy of the Tensor Memory Accelerator"},
    {"UBLKCP", action::listed, nullptr, nullptr, form::value, 0, "a bulk copy"},
    {"UBLKRED", action::listed, nullptr, nullptr, form::value, 0, "a bulk copy"},
    {"SYNCS", action::listed, nullptr, nullptr, form::value, 2, "an mbarrier: its cost has no source"},
    {"LDTM", action::listed, nullptr, nullptr, form::value, 128, "Tensor Memory has no byte addresses"},
    {"STTM", action::listed, nullptr, nullptr, form::value, 0, "Tensor Memory has no byte addresses"},
    {"UTCHMMA", action::listed, nullptr, nullptr, form::value, 0, "it reads shared memory through descriptors"},
    {"UTCQMMA", action::listed, nullptr, nullptr, form::value, 0, "it reads shared memory through descriptors"},
    {"UTCIMMA", action::listed, nullptr, nullptr, form::value, 0, "it reads shared memory through descriptors"},
    {"UTCCP", action::listed, nullptr, nullptr, form::value, 0, "it reads shared memory through descriptors"},

    {"BRA", action::control, nullptr, nullptr, form::value, 0, "bra"},
    {"EXIT", action::control, nullptr, nullptr, form::value, 0, "exit, ret"},
    {"BSSY", action::control, nullptr, nullptr, form::value, 0, "where lanes that part meet: a label of bra"},
    {"BSYNC", action::control, nullptr, nullptr, form::value, 0, "where lanes that part meet"},
    {"BREAK", action::control, nullptr, nullptr, form::value, 0, "lanes that leave a loop"},
    {"BMOV", action::control, nullptr, nullptr, form::value, 1, "a convergence barrier, saved and restored"},
    {"WARPSYNC", action::control, nullptr, nullptr, form::value, 0, "bar.warp.sync"},
    {"CALL", action::control, nullptr, nullptr, form::value, 0, "call"},
    {"RET", action::control, nullptr, nullptr, form::value, 0, "ret"},
    {"BRX", action::control, nullptr, nullptr, form::value, 0, "brx.idx"},
    {"JMX", action::control, nullptr, nullptr, form::value, 0, "brx.idx"},
    {"JMP", action::control, nullptr, nullptr, form::value, 0, "bra"},
    {"KILL", action::control, nullptr, nullptr, form::value, 0, "trap"},
    {"BAR", action::barrier, nullptr, nullptr, form::value, 0, "bar.sync, barrier"},
    {"UCGABAR_ARV", action::barrier, nullptr, nullptr, form::value, 0, "barrier.cluster.arrive"},
    {"UCGABAR_WAIT", action::barrier, nullptr, nullptr, form::value, 0, "barrier.cluster.wait"},
    {"B2R", action::compute, barrier_result, nullptr, form::value, 1, "bar.red"},

    {"NOP", action::nothing, nullptr, nullptr, form::value, 0, ""},
    {"YIELD", action::nothing, nullptr, nullptr, form::value, 0, ""},
    {"NANOSLEEP", action::nothing, nullptr, nullptr, form::value, 0, "nanosleep"},
    {"DEPBAR", action::nothing, nullptr, nullptr, form::value, 0, "cp.async.wait_group"},
    {"LDGDEPBAR", action::nothing, nullptr, nullptr, form::value, 0, "cp.async.commit_group"},
    {"WARPGROUP", action::nothing, nullptr, nullptr, form::value, 0, "wgmma.fence"},
    {"MEMBAR", action::nothing, nullptr, nullptr, form::value, 0, "membar, fence"},
    {"FENCE", action::nothing, nullptr, nullptr, form::value, 0, "fence.proxy"},
    {"CGAERRBAR", action::nothing, nullptr, nullptr, form::value, 0, "fence.acq_rel.cluster"},
    {"ERRBAR", action::nothing, nullptr, nullptr, form::value, 0, "membar"},
    {"CCTL", action::nothing, nullptr, nullptr, form::value, 0, "prefetch, fence"},
    {"BPT", action::nothing, nullptr, nullptr, form::value, 0, "brkpt"},
    {"ACQBULK", action::nothing, nullptr, nullptr, form::value, 0, "griddepcontrol.wait"},
    {"PREEXIT", action::nothing, nullptr, nullptr, form::value, 0, "griddepcontrol.launch_dependents"},
    {"USETMAXREG", action::nothing, nullptr, nullptr, form::value, 0, "setmaxnreg"},

    {"FADD", action::data, nullptr, nullptr, form::value, 1, "add.f32"},
    {"FADD32I", action::data, nullptr, nullptr, form::value, 1, "add.f32"},
    {"FADD2", action::data, nullptr, nullptr, form::value, 2, "add.f32x2"},
    {"FMUL", action::data, nullptr, nullptr, form::value, 1, "mul.f32"},
    {"FMUL2", action::data, nullptr, nullptr, form::value, 2, "mul.f32x2"},
    {"FFMA", action::data, nullptr, nullptr, form::value, 1, "fma.f32"},
    {"FFMA2", action::data, nullptr, nullptr, form::value, 2, "fma.f32x2"},
    {"FMNMX", action::data, nullptr, nullptr, form::value, 1, "min.f32"},
    {"FMNMX3", action::data, nullptr, nullptr, form::value, 1, "min.f32"},
    {"FSEL", action::data, nullptr, nullptr, form::value, 1, "selp.f32"},
    {"FSET", action::data, nullptr, nullptr, form::value, 1, "set.f32"},
    {"FSETP", action::data, nullptr, nullptr, form::predicates, 0, "setp.f32"},
    {"FCHK", action::data, nullptr, nullptr, form::predicates, 0, "div.f32"},
    {"HADD2", action::data, nullptr, nullptr, form::value, 1, "add.f16x2"},
    {"HMUL2", action::data, nullptr, nullptr, form::value, 1, "mul.f16x2"},
    {"HMNMX2", action::data, nullptr, nullptr, form::value, 1, "min.f16x2"},
    {"HSETP2", action::data, nullptr, nullptr, form::predicates, 0, "setp.f16x2"},
    {"HSET2", action::data, nullptr, nullptr, form::value, 1, "set.f16x2"},
    {"DADD", action::data, nullptr, nullptr, form::value, 2, "add.f64"},
    {"DMUL", action::data, nullptr, nullptr, form::value, 2, "mul.f64"},
    {"DFMA", action::data, nullptr, nullptr, form::value, 2, "fma.f64"},
    {"DSETP", action::data, nullptr, nullptr, form::predicates, 0, "setp.f64"},
    {"F2F", action::data, nullptr, nullptr, form::value, 1, "cvt"},
    {"F2FP", action::data, nullptr, nullptr, form::value, 1, "cvt"},
    {"I2FP", action::data, nullptr, nullptr, form::value, 1, "cvt"},
    {"FRND", action::data, nullptr, nullptr, form::value, 1, "cvt"},
    {"HMMA", action::data, nullptr, nullptr, form::value, 4, "mma.sync"},
    {"IMMA", action::data, nullptr, nullptr, form::value, 4, "mma.sync"},
    {"QMMA", action::data, nullptr, nullptr, form::value, 4, "mma.sync"},
    {"DMMA", action::data, nullptr, nullptr, form::value, 8, "mma.sync"},
    {"BMMA", action::data, nullptr, nullptr, form::value, 4, "mma.sync"},
    {"MOVM", action::data, nullptr, nullptr, form::value, 1, "movmatrix"},
};
inline constexpr opcode_row missing_row{"", action::missing, nullptr, nullptr, form::value, 4, ""};

[[nodiscard]] inline opcode_row const& row_of(std::string const& base) {
  for (opcode_row const& each : opcode_rows)
    if (base == each.base) return each;
  return missing_row;
}
/// What an instruction computes. A part of the opcode that the row does not have may change the meaning.
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

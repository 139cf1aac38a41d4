// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/binary/nvidia/arithmetic.hpp>
#include <coalesce/host/binary/nvidia/floats.hpp>

// The opcodes of SASS and their meaning.
//
// NVIDIA names SASS's opcodes ("CUDA Binary Utilities" 13.0, "Instruction Set Reference") and does not say more. So
// each meaning is inferred from the PTX instruction that the row names ("PTX ISA" 9.0), which ptxas 13.0 turned into
// this opcode. A test runs binaries of kernels with tagged data, and checks what they store
// (tests/host/binary/nvidia/carried.cpp). The opcodes that have to do with memory stand in memory_opcodes.hpp.

namespace coalescing::sass {

/// How the interpreter runs an opcode.
enum class action : unsigned char {
  compute,   ///< a function of the lane's sources
  constant,  ///< loads from a constant bank
  special,   ///< reads a special register
  lanes,     ///< exchanges values between lanes: shuffles, votes
  unpack,    ///< R2P: writes predicates from the bits of a register
  memory,    ///< accesses memory
  listed,    ///< accesses memory in a way that is not followed: the answer lists it with the reason
  control,   ///< moves the lanes' program counters: branches, exits, waits for lanes of the warp
  barrier,   ///< waits for the block or the cluster
  nothing,   ///< changes no value
  data,      ///< its result is not computed (floating-point numbers and their like), so it is unknown
  missing    ///< not in the tables
};

struct opcode_row {
  char const* base = "";
  action does = action::missing;
  form stands = form::value;
  unsigned registers = 0;  ///< how many registers the opcode writes, if its result is not computed
  results (*function)(in_lane const&) = nullptr;
  char const* parts = nullptr;  ///< the modifiers that may follow the opcode's name, with blanks between them; null:
                                ///< the function itself checks the modifiers
  char const* from = "";        ///< what its meaning was inferred from; for `listed`: why it has no cost
};

/// The functions that make the rows of opcode_rows. The name of a function, such as `computed` or `data`, says what the
/// interpreter does with the opcode.
namespace rows {

constexpr opcode_row computed(char const* base, results (*function)(in_lane const&), char const* parts,
                              char const* from) {
  return {base, action::compute, form::value, 1, function, parts, from};
}
constexpr opcode_row computed_predicates(char const* base, results (*function)(in_lane const&), char const* parts,
                                         char const* from) {
  return {base, action::compute, form::predicates, 0, function, parts, from};
}
inline constexpr char const* any_form = nullptr;  ///< for `parts`: the function itself checks the modifiers
/// Makes the row of an opcode whose result no function of the row computes. `written` is how many registers the opcode
/// writes. If `written` is not given, the number is `registers`.
struct action_row {
  action does;
  form stands;
  unsigned registers;
  constexpr opcode_row operator()(char const* base, char const* from) const { return (*this)(base, from, registers); }
  constexpr opcode_row operator()(char const* base, char const* from, unsigned written) const {
    return {base, does, stands, written, nullptr, nullptr, from};
  }
};
inline constexpr action_row data{action::data, form::value, 1}, data_predicates{action::data, form::predicates, 0},
    special{action::special, form::value, 1}, shuffle{action::lanes, form::value, 1},
    vote{action::lanes, form::vote, 1}, unpack{action::unpack, form::value, 0},
    control{action::control, form::value, 0}, barrier{action::barrier, form::value, 0},
    nothing{action::nothing, form::value, 0};

inline constexpr opcode_row opcode_rows[] = {
    computed("MOV", move, "64", "mov"),
    computed("MOV32I", move, "", "mov"),
    computed("UMOV", move, "64", "mov"),
    computed("R2UR", move, "", "a move to a uniform register"),
    computed("IADD3", add, "X", "add, add.cc, addc, sub"),
    computed("UIADD3", add, "X 64", "add, add.cc, addc, sub"),
    computed("IADD", add, "64", "add"),
    computed("VIADD", add, "", "add"),
    computed("IMAD", multiply_add, "WIDE HI U32 X MOV SHL IADD", "mad.lo, mad.wide, mad.hi, mul, mov"),
    computed("UIMAD", multiply_add, "WIDE HI U32 X MOV SHL IADD", "mad.lo, mad.wide, mad.hi, mul"),
    computed("LEA", scaled_add, "HI X SX32", "shl and add; division by a power of two"),
    computed("ULEA", scaled_add, "HI X SX32", "shl and add"),
    computed("SHF", funnel_shift, "L R W U32 S32 U64 S64 HI", "shl, shr, shf"),
    computed("USHF", funnel_shift, "L R W U32 S32 U64 S64 HI", "shl, shr, shf"),
    computed("LOP3", logic, "LUT PAND", "lop3, and, or, xor, not"),
    computed("ULOP3", logic, "LUT PAND", "lop3, and, or, xor, not"),
    computed_predicates("PLOP3", predicate_logic, "LUT", "and.pred, or.pred"),
    computed_predicates("UPLOP3", predicate_logic, "LUT", "and.pred, or.pred"),
    computed_predicates("ISETP", compare, "LT EQ LE GT NE GE U32 U64 S64 AND OR XOR EX", "setp"),
    computed_predicates("UISETP", compare, "LT EQ LE GT NE GE U32 U64 S64 AND OR XOR EX", "setp"),
    computed("SEL", select, "64", "selp"),
    computed("USEL", select, "64", "selp"),
    computed("IMNMX", minimum, "U32 S64 U64", "min, max"),
    computed("UIMNMX", minimum, "U32 S64 U64", "min, max"),
    computed("VIMNMX", minimum, "U32 S32 U16x2 S16x2", "min, max"),
    computed("UVIMNMX", minimum, "U32 S32", "min, max"),
    computed("VIMNMX3", minimum_of_three, "U32 S32", "min, max of three"),
    computed("UVIMNMX3", minimum_of_three, "U32 S32", "min, max of three"),
    computed("VIADDMNMX", add_minimum, "U32", "add and min, max"),
    computed("PRMT", permute, "", "prmt"),
    computed("UPRMT", permute, "", "prmt"),
    computed("SGXT", extend, "U32 W", "bfe, szext"),
    computed("USGXT", extend, "U32 W", "bfe, szext"),
    computed("BMSK", mask_of, "W", "bmsk"),
    computed("UBMSK", mask_of, "W", "bmsk"),
    computed("BREV", reverse, "", "brev"),
    computed("UBREV", reverse, "", "brev"),
    computed("POPC", count_ones, "", "popc"),
    computed("UPOPC", count_ones, "", "popc"),
    computed("FLO", find_leading_one, "U32 SH", "bfind, clz"),
    computed("UFLO", find_leading_one, "U32 SH", "bfind, clz"),
    computed("IABS", magnitude, "", "abs.s32"),
    computed("P2R", predicates_to_register, "", "predicates that ptxas keeps in a register"),
    computed("UP2UR", predicates_to_register, "", "predicates that ptxas keeps in a register"),
    computed("HFMA2", halves, any_form, "mov of an integer; else fma.f16x2, which is data"),

    computed("I2F", to_float, any_form, "div.u32, rem.u32; else cvt, which is data"),
    computed("UI2F", to_float, any_form, "div.u32, rem.u32 of sm_120; else cvt, which is data"),
    computed("MUFU", reciprocal, any_form, "div.u32, rem.u32; else rcp, ex2, which are data"),
    computed("F2I", to_integer, any_form, "div.u32, rem.u32; else cvt, which is data"),
    computed("UF2I", to_integer, any_form, "div.u32, rem.u32 of sm_100 and later; else cvt, which is data"),

    unpack("R2P", "predicates that ptxas keeps in a register"),
    special("S2R", "mov of %tid and others"),
    special("S2UR", "mov of %ctaid and others"),
    special("CS2R", "mov of 0, of a clock", 2),
    special("CS2UR", "mov of 0, of a clock", 2),
    shuffle("SHFL", "shfl.sync"),
    vote("VOTE", "vote.sync"),
    vote("VOTEU", "vote.sync, activemask"),
    vote("ELECT", "elect.sync"),
    shuffle("REDUX", "redux.sync"),
    shuffle("CREDUX", "redux.sync of sm_100 and later"),
    shuffle("MATCH", "match.sync"),

    control("BRA", "bra"),
    control("EXIT", "exit, ret"),
    control("BSSY", "where lanes that part meet: a label of bra"),
    control("BSYNC", "where lanes that part meet"),
    control("BREAK", "lanes that leave a loop"),
    control("BMOV", "a convergence barrier, saved and restored"),
    control("WARPSYNC", "bar.warp.sync"),
    control("CALL", "call"),
    control("RET", "ret"),
    control("BRX", "brx.idx"),
    control("JMX", "brx.idx"),
    control("BRXU", "brx.idx"),
    control("JMXU", "brx.idx"),
    control("JMP", "bra"),
    control("KILL", "discard, of shaders"),
    control("BPT", "trap, brkpt"),
    control("RPCMOV", "a return address that is set"),
    control("ENDCOLLECTIVE", "the end of WARPSYNC.COLLECTIVE"),
    barrier("BAR", "bar.sync, barrier"),
    barrier("UCGABAR_ARV", "barrier.cluster.arrive"),
    barrier("UCGABAR_WAIT", "barrier.cluster.wait"),
    computed("B2R", barrier_result, any_form, "bar.red"),

    nothing("NOP", ""),
    nothing("YIELD", ""),
    nothing("NANOSLEEP", "nanosleep"),
    nothing("DEPBAR", "cp.async.wait_group"),
    nothing("LDGDEPBAR", "cp.async.commit_group"),
    nothing("WARPGROUP", "wgmma.fence"),
    nothing("MEMBAR", "membar, fence"),
    nothing("FENCE", "fence.proxy"),
    nothing("CGAERRBAR", "fence.acq_rel.cluster"),
    nothing("ERRBAR", "membar"),
    nothing("ACQBULK", "griddepcontrol.wait"),
    nothing("PREEXIT", "griddepcontrol.launch_dependents"),
    data_predicates("USETMAXREG", "setmaxnreg: whether it got the registers"),

    data("IDP", "dp4a, dp2a"),
    data("IDP4A", "dp4a"),
    data("VABSDIFF", "vabsdiff"),
    data("VABSDIFF4", "vabsdiff4"),
    data("FADD", "add.f32"),
    data("FADD32I", "add.f32"),
    data("UFADD", "add.f32"),
    data("FADD2", "add.f32x2", 2),
    data("FMUL", "mul.f32"),
    data("FMUL32I", "mul.f32"),
    data("UFMUL", "mul.f32"),
    data("FMUL2", "mul.f32x2", 2),
    data("FFMA", "fma.f32"),
    data("FFMA32I", "fma.f32"),
    data("UFFMA", "fma.f32"),
    data("FFMA2", "fma.f32x2", 2),
    data("FMNMX", "min.f32"),
    data("FMNMX3", "min.f32"),
    data("UFMNMX", "min.f32"),
    data("FSEL", "selp.f32"),
    data("UFSEL", "selp.f32"),
    data("FSET", "set.f32"),
    data("UFSET", "set.f32"),
    data_predicates("FSETP", "setp.f32"),
    data_predicates("UFSETP", "setp.f32"),
    data_predicates("FCHK", "div.f32"),
    data("HADD2", "add.f16x2"),
    data("HMUL2", "mul.f16x2"),
    data("HMNMX2", "min.f16x2"),
    data_predicates("HSETP2", "setp.f16x2"),
    data("HSET2", "set.f16x2"),
    data("DADD", "add.f64", 2),
    data("DMUL", "mul.f64", 2),
    data("DFMA", "fma.f64", 2),
    data_predicates("DSETP", "setp.f64"),
    data("F2F", "cvt"),
    data("F2FP", "cvt"),
    data("UF2FP", "cvt"),
    data("I2FP", "cvt"),
    data("UI2FP", "cvt"),
    data("I2I", "cvt"),
    data("UI2I", "cvt"),
    data("FRND", "cvt"),
    data("UFRND", "cvt"),
    data("HMMA", "mma.sync", 4),
    data("IMMA", "mma.sync", 4),
    data("QMMA", "mma.sync", 4),
    data("DMMA", "mma.sync", 8),
    data("OMMA", "mma.sync", 4),
    data("BMMA", "mma.sync", 4),
    data("MOVM", "movmatrix"),
};

}  // namespace rows
using rows::opcode_rows;
inline constexpr opcode_row missing_row{};

}  // namespace coalescing::sass

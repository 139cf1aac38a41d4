// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/binary/launch.hpp>
#include <coalesce/host/binary/text.hpp>

#include <cstdint>
#include <string>
#include <vector>

// Holds the instructions and the descriptor of an AMD kernel, as they are read from a disassembly or from assembly.

namespace coalescing::amdgcn {

/// The kinds of operand, each with examples.
enum class operand_kind {
  vector,    ///< v0, v[0:1], v0.l
  scalar,    ///< s0, s[0:1], vcc, exec, m0, ttmp9; those with names have the numbers in scalar_names (text.hpp)
  constant,  ///< 1, 0x84, -1.0
  off,       ///< off: no address register
  unnamed,   ///< any other word, such as a symbol or src_private_base: its value is unknown
};

/// An operand of an instruction.
struct operand {
  operand_kind kind = operand_kind::unnamed;
  unsigned first = 0;        ///< the number of the first register; a0 has the number 512
  unsigned registers = 1;    ///< how many registers of 32 bits
  std::int64_t integer = 0;  ///< the value of a constant
  double real = 0;           ///< the value of a constant with a decimal point
  bool is_real = false;
  /// Whether the constant is written in hexadecimal or as lit(), and so has 32 bits. In a source of double precision
  /// these bits are the upper half of the number. In any other source of 64 bits they are the lower half; the upper
  /// half has copies of the sign if the source is a signed number (i64), else it is 0. (lit64() gives all 64 bits.)
  bool is_literal = false;
  bool negated = false, absolute = false;
  unsigned half = 0;  ///< 0: the whole register; 1: its low 16 bits (v0.l), 2: its high ones
  std::string text = {};
};

/// A word after the operands, such as offset:16, and its number if it has one.
struct modifier {
  std::string name = {};
  std::string argument = {};
  std::int64_t number = 0;
};

/// An instruction. If it is one of two that are issued together (v_dual_), `second` holds the other instruction.
struct instruction : binary::printed_instruction {
  std::string opcode = {};  ///< the opcode without _e32, _e64, _sdwa, _dpp
  std::vector<operand> operands = {};
  std::vector<modifier> modifiers = {};
  std::vector<instruction> second = {};

  [[nodiscard]] modifier const* find(char const* name) const {
    for (modifier const& each : modifiers)
      if (each.name == name) return &each;
    return nullptr;
  }
  [[nodiscard]] bool has(char const* name) const { return find(name) != nullptr; }
};

/// An argument in a kernel's metadata. `kind` is its .value_kind, such as hidden_block_count_x.
struct metadata_argument {
  std::string kind = {};
  std::uint64_t offset = 0, bytes = 0;
  std::string name = {};  ///< its name in the source, if the compiler states it (.name)

  [[nodiscard]] bool is_hidden() const { return kind.substr(0, 7) == "hidden_"; }
};

/// A kernel's metadata. A number that the text does not state is 0, and a list that it does not state is empty.
struct kernel_metadata {
  bool is_stated = false;      ///< the text has the kernel's metadata
  unsigned most_threads = 0;   ///< the most threads of a block (.max_flat_workgroup_size)
  binary::extents block = {};  ///< the only size that a block may have (.reqd_workgroup_size)
  std::vector<metadata_argument> arguments = {};
};

/// The kernel's descriptor: LLVM, AMDGPUUsage, "Code Object V3 to V6 Kernel Descriptor".
struct descriptor {
  bool is_there = false;
  unsigned lds_bytes = 0, kernarg_bytes = 0;
  unsigned private_bytes = 0;  ///< bytes of private memory of a lane
  bool private_segment_buffer = false, dispatch_ptr = false, queue_ptr = false, kernarg_ptr = false,
       dispatch_id = false, flat_scratch_init = false, private_segment_size = false;
  /// How many dwords of the arguments are preloaded into SGPRs, and from which dword on.
  unsigned preload_length = 0, preload_offset = 0;
  bool workgroup_id_x = true, workgroup_id_y = false, workgroup_id_z = false, workgroup_info = false;
  bool private_wavefront_offset = false;
  unsigned workitem_id = 0;  ///< 0: at the start, registers hold the thread's index x; 1: x and y; 2: x, y and z
  bool wave32 = false, has_wave_size = false;  ///< has_wave_size: the descriptor states wave32
  unsigned user_registers = 0;  ///< how many scalar registers stand before the work-group's numbers; 0: not stated
  unsigned rounding_32 = 0,
           rounding_64 = 0;    ///< how results of 32 bits, and of 16 or 64, are rounded; 0: to the nearest number
  kernel_metadata sizes = {};  ///< what the metadata states
  std::vector<std::string> directives = {};  ///< the names of all directives, without .amdhsa_
};

struct program {
  std::string kernel = {};
  std::string target = {};  ///< such as gfx942; empty if the text does not name its target
  descriptor start = {};
  std::vector<instruction> code = {};
};

}  // namespace coalescing::amdgcn

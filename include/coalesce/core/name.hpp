// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/config.hpp>

// The names of families, machines and instructions. A family, a machine and an instruction each declare their own name,
// so that explain, compare and figure need no list of machines.

namespace coalescing {

/// A family of machines, and its words.
struct family {
  char const* name = "";              ///< its namespace: cuda
  char const* banked_memory = "LDS";  ///< the memory of level::lds
  char const* piece_of_32 = "line";   ///< a piece of global memory of 32 bytes
  char const* piece = "line";         ///< its word for a piece of another size
};

/// A machine: cuda::cc90. (A family that is one machine has the name alone.)
struct machine_name {
  coalescing::family family = {};
  char const* name = "";
  unsigned capability = 0;  ///< of NVIDIA: 90
  char const* wave = "";    ///< wave64, where that is a part of an instruction's name
};

/// An argument of an instruction's name: a number, a word, or one that is left out, as a default is.
struct name_argument {
  unsigned number = 0;
  char const* word = nullptr;
  bool is_written = false;

  COALESCE_API constexpr name_argument() {}
  COALESCE_API constexpr name_argument(unsigned figure, unsigned by_default = ~0u)
      : number(figure), is_written(figure != by_default) {}
  COALESCE_API constexpr name_argument(char const* words) : word(words), is_written(*words != '\0') {}
};

/// An instruction: cuda::cc90::cp_async<16>::global.
struct instruction_name {
  machine_name machine = {};
  char const* name = "";
  name_argument arguments[3] = {};
  char const* side = "";  ///< global
};

namespace detail {

/// The name that an instruction declares. A user's own instruction may declare none; then it has no machine, and this
/// text in place of a name.
template <class Instruction>
COALESCE_API constexpr instruction_name name_declared_by() {
  if constexpr (requires { Instruction::called; }) {
    static_assert(Instruction::lanes != 0);  // what does not exist says why
    return Instruction::called;
  } else {
    return instruction_name{.name = "an instruction that declares no name"};
  }
}

}  // namespace detail

/// How the rounds or clocks of an instruction are drawn. Where an instruction declares no `drawn`, its rounds are
/// stacks.
struct drawing {
  bool rounds_are_stacks = true;  ///< stacks of the words that the lanes name
  unsigned clocks_of_lanes = 0;   ///< lanes of a group whose clocks are written beside it; 0: no clocks
};

namespace detail {

template <class Instruction>
inline constexpr drawing drawing_of = {};
template <class Instruction>
requires requires { Instruction::drawn; }
inline constexpr drawing drawing_of<Instruction> = Instruction::drawn;
/// The addresses that a lane names: two where an instruction adds two offsets to the one that it gives.
template <class Instruction>
inline constexpr unsigned addresses_of_a_lane = 1;
template <class Instruction>
requires requires { Instruction::addresses; }
inline constexpr unsigned addresses_of_a_lane<Instruction> = Instruction::addresses;
/// The addresses in the form in which the banks tell them apart.
template <class Instruction, class Access>
COALESCE_API constexpr Access seen_by_banks(Access const& asked) {
  if constexpr (requires { Instruction::seen_by_banks(asked); })
    return Instruction::seen_by_banks(asked);
  else
    return asked;
}

}  // namespace detail
}  // namespace coalescing

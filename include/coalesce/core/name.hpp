// SPDX-License-Identifier: BSL-1.0
#pragma once
#ifdef __GNUC__  // g++ 12 warns where a user's global has the name of a parameter in these headers
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#endif
#include <coalesce/core/config.hpp>

// The names of families, machines and instructions. A family, a machine and an instruction each declare their own name,
// so that explain.hpp, compare.hpp and figure.hpp need no list of machines.

namespace coalescing {

/// A family of machines, and the names that the family uses.
struct family {
  char const* name = "";              ///< the namespace of the family, such as cuda
  char const* banked_memory = "LDS";  ///< the family's name for the memory of level::lds
  char const* piece_of_32 = "line";   ///< the family's name for an aligned piece of global memory of 32 bytes
  char const* piece = "line";         ///< its name for a piece of another size; an instruction may override it
  char const* machines = "";          ///< the names of its machines, in the order of every_machine, separated by blanks
};

/// The profiler that reads a machine's counters. A profiler has several enumerators if the names of its counters differ
/// from chip to chip.
enum class profiler {
  none,
  nvprof,          ///< NVIDIA, up to CC 6.2
  nsight_compute,  ///< NVIDIA, from CC 7.0 on
  rocprof_mi100,
  rocprof_mi200,  ///< MI200 and MI300
  rocprof_gfx10,
  rocprof_gfx11,
  rocprof_gfx12
};

/// The name of a machine, such as cuda::cc90, and its profiler. `name` is empty if the machine's family has no other
/// machine.
struct machine_name {
  coalescing::family family = {};
  char const* name = "";
  profiler counted_by = profiler::none;
  unsigned capability = 0;  ///< NVIDIA only: the compute capability, 90 for CC 9.0
  char const* wave = "";    ///< "wave64" if this word is a part of the name of each instruction; else empty
};

/// An argument of an instruction's name: a number or a word. The name leaves out an argument that has its default
/// value.
struct name_argument {
  unsigned number = 0;
  char const* word = nullptr;
  bool is_written = false;

  COALESCE_API constexpr name_argument() {}
  COALESCE_API constexpr name_argument(unsigned figure, unsigned by_default = ~0u)
      : number(figure), is_written(figure != by_default) {}
  COALESCE_API constexpr name_argument(char const* words) : word(words), is_written(*words != '\0') {}
};

/// The parts of an instruction's name, such as cuda::cc90::cp_async<16>::global.
struct instruction_name {
  machine_name machine = {};
  char const* name = "";
  name_argument arguments[3] = {};
  char const* side = "";  ///< "global" or "shared" if the instruction is one side of a copy; else empty
};

namespace detail {

/// The name that an instruction declares. A user's own instruction may declare none. Then the machine is left empty,
/// and a text stands in place of the instruction's name.
template <class Instruction>
COALESCE_API constexpr instruction_name name_declared_by() {
  // If the instruction does not exist, the compiler prints the reason here.
  static_assert(Instruction::lanes != 0);
  if constexpr (requires { Instruction::called; })
    return Instruction::called;
  else
    return instruction_name{.name = "an instruction that declares no name"};
}

}  // namespace detail

}  // namespace coalescing
#ifdef __GNUC__
#pragma GCC diagnostic pop
#endif

// SPDX-License-Identifier: BSL-1.0
#pragma once
#ifdef __GNUC__
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#endif
#include <coalesce/cuda.hpp>
#include <coalesce/host/binary/answer.hpp>
#include <coalesce/host/binary/launch.hpp>
#include <coalesce/host/binary/names.hpp>
#ifndef COALESCE_HOST_COMPILED
#include <coalesce/host/binary/nvidia/block.hpp>
#include <coalesce/host/binary/nvidia/calls.hpp>
#include <coalesce/host/binary/nvidia/read.hpp>
#include <coalesce/host/binary/nvidia/sites.hpp>
#include <coalesce/host/binary/recorder.hpp>
#endif

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

// Finds what NVIDIA's own instructions do to memory, without a GPU. This header is opt-in, for the host. It makes a
// recording from a disassembler's text, the launch and the arguments. manual/nvidia.md describes the recording. In a
// program that links coalesce::host, CMake sets COALESCE_HOST_COMPILED, and this header only declares what that library
// has compiled.

namespace coalescing::sass {

/// Runs the kernel of the text on the Machine, lane by lane, and finds the cost of each instruction that accesses
/// memory.
///
/// The text is what `nvdisasm FILE.cubin` or `cuobjdump -sass FILE` prints. (`nvdisasm -gi` adds the source lines.)
/// What a kernel loads from a buffer without contents is unknown, and so is what is computed from it. If the address or
/// the predicate of an access depends on such data, the numbers of the access are upper bounds. Both ways of a branch
/// on such data are followed (manual/bounds.md). An access without a cost is a row of binary_answer::unknown.
///
/// A warp that cannot be followed ends before its EXIT. The instruction where it ends is a row of
/// binary_answer::unknown, too, with the cause and the number of such warps. If the kernel stores anything, all memory
/// is unknown from then on, since the warp might have written to it.
///
/// Refused, with the line: a text without the kernel; an opcode that is not in the tables and that an address, a
/// predicate of an access or a branch depends on; an address outside all buffers, or outside the block's shared memory;
/// a parameter that the launch lacks; a barrier that too few threads reach; a barrier of a cluster in another block
/// than the first; a binary of another target; a block or a grid that the kernel does not allow (`.reqntid`,
/// `.maxntid`, its cluster), where the text states it.
template <class Machine>
[[nodiscard]] binary_answer record(std::string_view text, binary_launch const& launch);

#ifndef COALESCE_HOST_COMPILED
template <class Machine>
binary_answer record(std::string_view text, binary_launch const& asked) {
  program code = sass::read_program(text, asked.kernel);
  routine_copier(code).copy_all();
  target const& on = sass::target_of(Machine::identity.capability);
  if (code.capability != 0 && code.capability != on.capability)
    throw binary_refused("the text is of sm_" + std::to_string(code.capability) + ", and the machine is " +
                         Machine::identity.name);
  static_cast<void>(coalescing::detail::count_of(asked.grid));
  code.allows.check(asked);
  binary_launch const launch = binary::with_arguments(asked, code.parameters());

  auto const role_of = [&code](std::size_t k) {
    if (code.code[k].is_copy) return binary::role::other;
    action const does = row_of(code.code[k].base).does;
    bool const is_missing = does == action::missing;
    bool const is_access = is_missing ? may_access(code.code[k]) : does == action::memory || does == action::listed;
    return is_access ? binary::role::access : is_missing ? binary::role::passed_over : binary::role::other;
  };
  using recorder = binary::recorder<site_opener<Machine>, instruction>;
  binary_answer answer = binary::answer_of<recorder>(
      code.code, launch, "warp", "shared", Machine::identity.name, code.kernel,
      [&](recorder& to, binary_launch const& of, std::set<std::size_t>& loops, auto const& use) {
        block_runner runner(code, of, on, to.memory, to.reports, loops);
        use(runner);
      },
      role_of);
  answer.arguments = binary::words_of_unstated(asked, launch);
  if (!code.allows.is_stated)
    answer.unchecked =
        "the text does not state the kernel's blocks, clusters and shared memory: `nvdisasm FILE.cubin` without -c "
        "does";
  return answer;
}
#endif

/// Does what record<Machine> does, for a machine that is named by its target: "sm_90". Refused, too: a name that no
/// target has. (This is a template, so that only a file that calls it compiles the readers of all machines.)
template <int = 0>
[[nodiscard]] binary_answer record(std::string_view machine, std::string_view text, binary_launch const& launch) {
  static constexpr binary::named_reader machines[] = {
      {"sm_75", &sass::record<cuda::cc75>},   {"sm_80", &sass::record<cuda::cc80>},
      {"sm_86", &sass::record<cuda::cc86>},   {"sm_87", &sass::record<cuda::cc87>},
      {"sm_88", &sass::record<cuda::cc88>},   {"sm_89", &sass::record<cuda::cc89>},
      {"sm_90", &sass::record<cuda::cc90>},   {"sm_100", &sass::record<cuda::cc100>},
      {"sm_103", &sass::record<cuda::cc103>}, {"sm_107", &sass::record<cuda::cc107>},
      {"sm_110", &sass::record<cuda::cc110>}, {"sm_120", &sass::record<cuda::cc120>},
      {"sm_121", &sass::record<cuda::cc121>},
  };
  if (binary::named_reader const* const found = binary::reader_of(machine, machines))
    return found->record(text, launch);
  throw binary_refused(
      "binaries of " + std::string(machine) +
      " are not read: sm_75, sm_80, sm_86, sm_87, sm_88, sm_89, sm_90, sm_100, sm_103, sm_107, sm_110, sm_120 "
      "and sm_121 are");
}

}  // namespace coalescing::sass
#ifdef __GNUC__
#pragma GCC diagnostic pop
#endif

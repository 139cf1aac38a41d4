// SPDX-License-Identifier: BSL-1.0
#pragma once
#ifdef __GNUC__
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#endif
#include <coalesce/cdna.hpp>
#include <coalesce/host/binary/amd/targets.hpp>
#include <coalesce/host/binary/answer.hpp>
#include <coalesce/host/binary/launch.hpp>
#include <coalesce/host/binary/names.hpp>
#include <coalesce/rdna.hpp>
#ifndef COALESCE_HOST_COMPILED
#include <coalesce/host/binary/amd/block.hpp>
#include <coalesce/host/binary/amd/metadata.hpp>
#include <coalesce/host/binary/amd/read.hpp>
#include <coalesce/host/binary/amd/reciprocals.hpp>
#include <coalesce/host/binary/amd/signs.hpp>
#include <coalesce/host/binary/amd/sites.hpp>
#include <coalesce/host/binary/recorder.hpp>
#endif

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

// Finds what AMD's own instructions do to memory, without a GPU. This header is opt-in, for the host. It makes a
// recording from a disassembler's or a compiler's text, the launch and the arguments. manual/amd.md describes the
// recording. In a program that links coalesce::host, CMake sets COALESCE_HOST_COMPILED, and this header only declares
// what that library has compiled.

namespace coalescing::amdgcn {

/// Runs the kernel of the text on the Machine, lane by lane, and finds the cost of each instruction that accesses
/// memory.
///
/// The text is that of `llvm-objdump -D -j .rodata -j .text FILE` (LLVM 22), or a compiler's assembly. What a kernel
/// loads from a buffer is unknown if the launch does not give the buffer's contents, and so is what is computed from
/// it. If the address or the mask of an access depends on unknown data, the numbers of the access are upper bounds.
/// Both sides of a branch on unknown data are followed (manual/bounds.md). An access without a cost is a row of
/// binary_answer::unknown, and so is an instruction past which a wave cannot be followed.
///
/// Refused, with the line: a text without the kernel or its descriptor; an opcode that is not in the tables and that an
/// address, a mask or a branch depends on; an address outside all buffers or LDS; arguments that the kernel does not
/// take; a binary of another target, or of waves of another size.
template <class Machine>
[[nodiscard]] binary_answer record(std::string_view text, binary_launch const& launch);

#ifndef COALESCE_HOST_COMPILED
template <class Machine>
binary_answer record(std::string_view text, binary_launch const& asked) {
  char const* const name = Machine::identity.name;
  target const& on = amdgcn::target_of(name);
  program code = amdgcn::read_program(text, asked.kernel);
  amdgcn::find_quotients(code);
  constexpr unsigned lanes = Machine::issues::lanes;
  amdgcn::check_target(code, name);
  if (!code.start.has_wave_size) code.start.wave32 = on.major >= 10;  // the default of LLVM 22's assembler
  if ((code.start.wave32 ? 32 : 64) != lanes)
    throw binary_refused(std::string("the kernel's waves have ") + (lanes == 64 ? "32" : "64") +
                         " lanes, the machine's " + std::to_string(lanes));
  static_cast<void>(coalescing::detail::count_of(asked.grid));
  static_cast<void>(coalescing::detail::threads_of(asked.block));
  amdgcn::check_launch(code.start, on, asked);
  binary_launch const launch = binary::with_arguments(asked, amdgcn::parameters_of(code));

  std::vector<decoded> meanings;
  meanings.reserve(code.code.size());
  for (instruction const& each : code.code) meanings.push_back(amdgcn::decode(each.opcode));
  for (std::size_t k = 0; k != meanings.size(); ++k)
    if (amdgcn::is_followed(meanings[k])) amdgcn::check_access(code.code[k], meanings[k].moves);
  auto const role_of = [&meanings](std::size_t k) {
    unit const by = meanings[k].moves.by;
    bool const is_access = meanings[k].does == action::memory && by != unit::scalar && by != unit::exchange;
    return is_access                             ? binary::role::access
           : meanings[k].does == action::missing ? binary::role::passed_over
                                                 : binary::role::other;
  };
  using recorder = binary::recorder<site_opener<Machine>, instruction>;
  binary_answer answer = binary::answer_of<recorder>(
      code.code, launch, "wave", "lds", name, code.kernel,
      [&](recorder& to, binary_launch const& of, std::set<std::size_t>& loops, auto const& use) {
        block_runner runner(code, meanings, on, lanes, of, to.memory, to.reports, loops);
        use(runner);
      },
      role_of);
  answer.arguments = binary::words_of_unstated(asked, launch);
  if (!code.start.sizes.is_stated)
    answer.unchecked =
        "the text has no metadata, which states the kernel's work-groups: put the output of `llvm-readelf --notes "
        "FILE` before it";
  return answer;
}
#endif

/// Does what record<Machine> does, for a machine that is given by its name: "gfx942", "gfx1100", or "gfx1100::wave64"
/// for RDNA's waves of 64 lanes. Refused, too: a name that no machine has. (This is a template, so that only a file
/// that calls it compiles the readers of all machines.)
template <int = 0>
[[nodiscard]] binary_answer record(std::string_view machine, std::string_view text, binary_launch const& launch) {
  static constexpr binary::named_reader machines[] = {
      {"gfx90a", &amdgcn::record<cdna::gfx90a>},
      {"gfx942", &amdgcn::record<cdna::gfx942>},
      {"gfx950", &amdgcn::record<cdna::gfx950>},
      {"gfx1030", &amdgcn::record<rdna::gfx1030>},
      {"gfx1030::wave64", &amdgcn::record<rdna::gfx1030::wave64>},
      {"gfx1100", &amdgcn::record<rdna::gfx1100>},
      {"gfx1100::wave64", &amdgcn::record<rdna::gfx1100::wave64>},
      {"gfx1201", &amdgcn::record<rdna::gfx1201>},
      {"gfx1201::wave64", &amdgcn::record<rdna::gfx1201::wave64>},
  };
  if (binary::named_reader const* const found = binary::reader_of(machine, machines))
    return found->record(text, launch);
  static_cast<void>(amdgcn::target_of(machine));
  throw binary_refused("waves of 64 lanes are named gfx1100::wave64");
}

}  // namespace coalescing::amdgcn
#ifdef __GNUC__
#pragma GCC diagnostic pop
#endif

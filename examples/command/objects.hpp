// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <functional>
#include <string>
#include <vector>

// What the subcommand `coalesce binary` reads: a disassembler's text, or a file that a disassembler reads.

/// The code for one target that a file has.
struct code_of_file {
  std::string text;           ///< as a disassembler prints it
  std::string block, shared;  ///< the launch's, as Triton's cache states it; else empty
  bool is_printed = true;     ///< a disassembler has printed the text just now; false: the file is the text
};

/// All code of a file, or the code for the targets that are asked for where the file has several (`is_asked` takes
/// sm_90a or gfx942). The user's own disassembler prints it. A file is a text (standard input: "-"); a cubin; an
/// executable, an object, a library or an archive with code of CUDA or HIP; a code object of AMD, or clang's bundle of
/// them; a folder of Triton's cache.
///
/// Refused: a file that is none of these, or has no code that is asked for; a file that the disassembler refuses; no
/// disassembler.
std::vector<code_of_file> codes_of_file(std::string const& name,
                                        std::function<bool(std::string const&)> const& is_asked);

// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/binary/answer.hpp>

#include <cstdint>
#include <string>
#include <vector>

// The subcommand `coalesce binary`: the text of a disassembler, a launch and arguments, as the command line tells them.

/// How the command line tells a launch, and which of its blocks run.
struct told_launch {
  std::string kernel, grid = "1", block = "1";  ///< X, X,Y or X,Y,Z
  std::string shared = "0";                     ///< bytes that the launch adds
  std::vector<std::string> arguments;           ///< buffer:BYTES, buffer:BYTES=FILE, u32:NUMBER, f32:NUMBER, ...
  std::vector<std::string> blocks;              ///< all, a number of blocks, or X,Y,Z; empty: block 0,0,0
};

/// Refused: other words; a file that cannot be read.
coalescing::binary_launch launch_of(told_launch const& told);

/// The machines whose binaries are read: gfx942, sm_90, ...
std::vector<std::string> machines_of_binaries();

/// The names of the text's kernels. Refused: another machine than those.
std::vector<std::string> kernels_of(std::string const& machine, std::string const& text);

/// The answer about the text, of the machine in any spelling. Refused: another machine, and what co::amdgcn::record and
/// co::sass::record refuse.
coalescing::binary_answer answer_about(std::string const& machine, std::string const& text,
                                       coalescing::binary_launch const& launch);

/// Which of the unknown numbers, if it were a multiple of 32, makes bounds smaller: a line for each, the one that makes
/// them smallest first.
std::string facts_that_help(std::string const& machine, std::string const& text, told_launch const& told,
                            coalescing::binary_answer const& answer);

/// The answer for people: a line for each instruction, and those without a cost, each with the reason.
std::string table_of(coalescing::binary_answer const& answer);

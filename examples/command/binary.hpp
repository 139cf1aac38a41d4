// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/binary/answer.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

// The subcommand `coalesce binary`: a file with kernels, a launch and arguments, as the command line tells them.

/// How the command line tells a launch, and which of its blocks run.
struct told_launch {
  std::string kernel;                  ///< a name or a part of one; empty: each kernel
  std::string grid = "1", block;       ///< X, X,Y or X,Y,Z; an empty block: the file states it
  std::string shared;                  ///< bytes that the launch adds; empty: 0, unless the file states them
  std::vector<std::string> arguments;  ///< buffer:BYTES, buffer:BYTES=FILE, u32:NUMBER, f32:NUMBER, ...
  unsigned jobs = 1;                   ///< threads that run blocks
  std::vector<std::string> blocks;     ///< all, any, a number of blocks, or X,Y,Z; empty: block 0,0,0
};

/// Refused: other words; a file that cannot be read.
coalescing::binary_launch launch_of(told_launch const& told);

/// The machines whose binaries are read: gfx942, sm_90, ...
std::vector<std::string> machines_of_binaries();

/// A kernel of a file that is asked about.
struct asked_kernel {
  std::string machine;  ///< the name that was asked for; empty: the text states it
  std::shared_ptr<std::string const> text;
  told_launch told;          ///< with the kernel's name
  std::string block_beside;  ///< the block that Triton's cache states; else empty
  bool is_printed = false;   ///< a disassembler has printed the text just now
  std::string assumed = "";  ///< what the launch takes from the file although the file states only a limit; else empty

  /// Takes from the text the machine and the block that were not told. Refused: a text that does not state them.
  void complete();
};

/// The kernels of a file that are asked for: the one with the told name (co::binary::kernel_asked, or a part of a
/// name), or each. Refused: a machine whose binaries are not read; a name that no kernel or several kernels have; a
/// file with code for several machines, if `of_one_target` is true and no machine is told; what codes_of_file refuses.
std::vector<asked_kernel> kernels_of(std::string const& machine, std::string const& file, told_launch const& told,
                                     bool of_one_target);

/// A line for each kernel: its name, its name in the source, its machine and its block.
std::string list_of(std::vector<asked_kernel> kernels);

/// The answer about the text, of the machine in any spelling. Refused: another machine, and what co::amdgcn::record and
/// co::sass::record refuse.
coalescing::binary_answer answer_about(std::string const& machine, std::string const& text,
                                       coalescing::binary_launch const& launch);

/// Which of the unknown numbers would make bounds smaller if they were multiples of 32. There is a line for each, and
/// the one that makes them smallest comes first.
std::string facts_that_help(std::string const& machine, std::string const& text, told_launch const& told,
                            coalescing::binary_answer const& answer);

/// The answer for people: a line for each instruction, and those without a cost, each with the reason.
std::string table_of(coalescing::binary_answer const& answer);

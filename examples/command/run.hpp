// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/run/reader.hpp>

#include <cstdint>
#include <string>
#include <vector>

// The subcommand `coalesce run`: a plain CUDA or HIP program, compiled for this host, and run.

/// How the command line tells the program.
struct told_program {
  std::string machine;
  std::vector<std::string> sources;    ///< .cu, .hip, .cpp, .c, .o, .a, .so
  std::vector<std::string> folders;    ///< -I
  std::vector<std::string> defines;    ///< -D
  std::vector<std::string> libraries;  ///< -l
  std::vector<std::string> options;    ///< more options of the compiler
  std::vector<std::string> arguments;  ///< the program's
  std::string compiler;                ///< empty: CXX, clang++ or g++
  std::string keep;                    ///< a folder for what is compiled; empty: one that goes away
  std::uint64_t blocks = 0;            ///< how many blocks of a launch are recorded; 0: all
  unsigned multiprocessors = 1;        ///< how many the program is told of
  std::uint64_t margin = 0;            ///< bytes on each side of an array that may be accessed, too
  unsigned jobs = 1;                   ///< compilers at a time
  bool tells_progress = false;
};

/// What a run gave: its kernels, and why it was stopped.
struct ran : coalescing::detail::run_result {
  int status = 0;              ///< the program's
  std::uint64_t checksum = 0;  ///< of the sources, their headers (but those of .c files), the macros, the options
  std::string unchecked = {};  ///< what this way of compiling does not see
};

/// Compiles the program and runs it. Refused, with one sentence: what does not compile; no compiler; no Boost.Context.
ran run_program(told_program const& told);

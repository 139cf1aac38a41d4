// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <string>
#include <vector>

// Programs that the command starts, without a shell.

struct started_program {
  int process = 0;
  int reads = -1;  ///< where the other end of the pipe is read
};

/// Starts a program. Its environment is this program's, with `environment` (NAME=VALUE) added. `pipe` is the file
/// descriptor at which it writes to a pipe: 1, 2, or one that it is told of; -1: none. If `folder` is given, the
/// program runs there, without input, and writes its standard error to the file `said_in_folder` there. Refused: a
/// program that cannot be started.
started_program start(std::vector<std::string> const& words, int pipe = -1,
                      std::vector<std::string> const& environment = {}, std::string const& folder = "");
inline constexpr char const* said_in_folder = "said";
/// Waits until the program has ended. Returns its exit status, or 128 plus the number of the signal that ended it.
int status_of(started_program const& program);
/// All that it writes, until it ends.
std::string text_of(started_program const& program);
/// The file of a program, by its path or its name on PATH; empty: there is none.
std::string path_of_program(std::string const& name);

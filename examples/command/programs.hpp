// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <string>
#include <vector>

// Programs that the command starts, without a shell.

struct started_program {
  int process = 0;
  int reads = -1;  ///< where the other end of the pipe is read
};

/// Starts a program, which finds `environment` (NAME=VALUE) beside this one's. `pipe`: the number of the file that it
/// writes to, 1, 2, or one that it is told of; -1: none. `folder`: where it runs, with no input; what it says on
/// standard error is then in a file there. Refused: a program that cannot be started.
started_program start(std::vector<std::string> const& words, int pipe = -1,
                      std::vector<std::string> const& environment = {}, std::string const& folder = "");
inline constexpr char const* said_in_folder = "said";
/// Waits for its end. Returns its exit status, and 128 more than the signal that ended it.
int status_of(started_program const& program);
/// All that it writes, until it ends.
std::string text_of(started_program const& program);
/// The file of a program, by its path or its name on PATH; empty: there is none.
std::string path_of_program(std::string const& name);

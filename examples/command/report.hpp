// SPDX-License-Identifier: BSL-1.0
#pragma once
#include "answers.hpp"
#include "run.hpp"

#include <coalesce/host/binary/answer.hpp>
#include <coalesce/host/recording.hpp>
#include <coalesce/host/trace.hpp>

#include <cstdint>
#include <string>
#include <vector>

// Reports about kernels, site by site, for other programs than this one: --sarif FILE for code hosts, --html FILE for a
// browser. Both are written from the JSON that --json prints.

/// Where the command line wants reports; empty: not wanted.
struct told_reports {
  std::string sarif, html;
  [[nodiscard]] bool is_asked() const { return !sarif.empty() || !html.empty(); }
  /// Refused: one file for both, and a file that would overwrite an input. `report` is the file of --report, if any.
  void check(std::vector<std::string> const& inputs, std::string const& report) const;
};

/// A site that makes so many times the transactions of its ideal is a finding.
inline constexpr std::uint64_t many_times = 2;

/// What a report tells of a kernel.
struct reported_kernel {
  json answer;  ///< as --json prints it; of a kernel that was refused {"kernel", "refused"}
  co::recording<co::any_number> const* sites = nullptr;  ///< null: the kernel was refused
  std::vector<co::found_at> unknown = {};  ///< places of the instructions without a cost that have no site
};

reported_kernel reported(co::binary_answer const& answer);
std::vector<reported_kernel> reported(co::replayed const& all);
std::vector<reported_kernel> reported(ran const& all);

/// What was read: a file, and its text where it is a disassembler's. Sites without a source line stand at its lines.
struct read_file {
  std::string name = {}, text = {};
  bool is_printed = false;  ///< a disassembler has printed the text of the file: its lines are not the file's
};

/// Writes the reports that are wanted. Refused: a file that cannot be written.
void write_reports(told_reports const& to, std::vector<reported_kernel> const& kernels, read_file const& from = {});

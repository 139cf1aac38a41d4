// SPDX-License-Identifier: BSL-1.0
#pragma once
#include "answers.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>

// The subcommand `coalesce merge`: recordings that were made apart, added up as one run over all would have them.

/// Adds up recordings of one machine, kernel by kernel. The order of the recordings and how they are grouped do not
/// change the sum: its sites are sorted by their places.
class merged_recordings {
 public:
  /// Adds what a file or standard input ("-") holds: recordings or lists of them, one after another. It keeps one of
  /// them at a time. Refused: another text; recordings of two machines, or of two editions of a kernel; an answer about
  /// any block, which is not a part of a run; a member that merge does not know, or of another type; a site with a
  /// number that it lacks in another recording; a sum past 2^64.
  void add_file(std::string const& name);

  /// A recording, or a list of them if there are several kernels.
  [[nodiscard]] json all() const;

  /// Whether the gates hold for the sum, as meets() of answers.hpp says.
  [[nodiscard]] bool meets(std::vector<std::string> const& expected) const;

 private:
  struct place_and_cost {
    json words;  ///< the members that identify the site
    co::recorded_cost cost = {};
    std::uint64_t per_iteration = 0;
  };
  struct recorded_kernel {
    std::string checksum;
    bool is_first = true;
    std::map<std::string, std::uint64_t> sums;  ///< blocks, launches, blocks_launched
    std::map<json, place_and_cost> sites;       ///< by their places, so that they are sorted
    std::map<json, std::pair<json, std::uint64_t>> unknown;
    std::map<std::string, std::set<std::string>> sentences;  ///< assumed, arguments, unchecked
  };
  void add(json const& recording);
  void add_site(recorded_kernel& to, json const& site) const;

  std::string machine_;
  std::map<json, recorded_kernel> kernels_;
};

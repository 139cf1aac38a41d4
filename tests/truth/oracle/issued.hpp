// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/binary/answer.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <string_view>
#include <vector>

// An oracle of what a warp's instruction costs. It counts pieces of memory and words of banks from the lanes' addresses
// alone. The same sums of a binary's answer stand beside it.

namespace coalescing_tests {

/// The sums over the accesses of one kind.
struct issued_sums {
  std::uint64_t issued = 0, pieces = 0, bytes = 0;  ///< pieces: transactions, of shared memory rounds
  std::uint64_t worst = 0;                          ///< the pieces of one access
  bool at_most = false, of_a_round = false;         ///< of an answer
};
/// Loads, stores and atomics of global memory, and from `shared_kinds` on of shared memory.
using all_issued = std::array<issued_sums, 6>;
constexpr unsigned shared_kinds = 3;
inline char const* name_of_kind(unsigned kind) {
  static constexpr char const* names[] = {"loads",        "stores",        "atomics",
                                          "shared loads", "shared stores", "shared atomics"};
  return names[kind];
}

/// How a target counts: the bytes of the pieces that loads, stores and atomics move.
struct target_pieces {
  char const* name;
  unsigned lanes;
  unsigned piece[3];
  [[nodiscard]] bool is_nvidia() const { return name[0] == 's'; }
};
constexpr target_pieces targets_of_binaries[] = {
    {"sm_75", 32, {32, 32, 32}},      {"sm_80", 32, {32, 32, 32}},      {"sm_90", 32, {32, 32, 32}},
    {"sm_100", 32, {32, 32, 32}},     {"sm_120", 32, {32, 32, 32}},     {"gfx90a", 64, {64, 64, 64}},
    {"gfx942", 64, {128, 64, 64}},    {"gfx950", 64, {128, 64, 64}},    {"gfx1030", 32, {128, 128, 128}},
    {"gfx1100", 32, {128, 128, 128}}, {"gfx1201", 32, {128, 128, 128}},
};

/// How many aligned pieces the elements of lanes touch.
inline std::uint64_t pieces_of(std::vector<std::uint64_t> const& addresses, unsigned bytes, unsigned piece) {
  std::vector<std::uint64_t> touched;
  for (std::uint64_t const at : addresses)
    for (std::uint64_t each = at / piece; each <= (at + bytes - 1) / piece; ++each) touched.push_back(each);
  std::sort(touched.begin(), touched.end());
  return static_cast<std::uint64_t>(std::unique(touched.begin(), touched.end()) - touched.begin());
}
/// The most words that one of 32 banks of dwords has to give.
inline std::uint64_t rounds_of(std::vector<std::uint64_t> const& addresses) {
  std::set<std::uint64_t> words;
  std::uint64_t of_bank[32] = {}, most = 0;
  for (std::uint64_t const at : addresses)
    if (words.insert(at / 4).second) most = std::max(most, ++of_bank[at / 4 % 32]);
  return most;
}
/// Adds an instruction whose active lanes have these addresses. The rounds of AMD's LDS are not counted.
inline void add_issue(all_issued& to, target_pieces const& on, unsigned kind,
                      std::vector<std::uint64_t> const& addresses, unsigned bytes) {
  bool const is_shared = kind >= shared_kinds;
  std::uint64_t const pieces = !is_shared       ? pieces_of(addresses, bytes, on.piece[kind])
                               : on.is_nvidia() ? rounds_of(addresses)
                                                : 0;
  issued_sums& sums = to[kind];
  ++sums.issued, sums.pieces += pieces, sums.worst = std::max(sums.worst, pieces);
  if (!is_shared) sums.bytes += pieces_of(addresses, bytes, 1);
}

/// The same sums of a binary's answer. On AMD, scalar loads and the rounds of LDS are left out.
inline all_issued sums_of(coalescing::binary_answer const& answer, target_pieces const& on) {
  all_issued made;
  for (coalescing::site const& s : answer.sites) {
    if (!on.is_nvidia() && std::string_view(s.opcode).substr(0, 2) == "s_") continue;
    bool const is_shared = s.space == coalescing::memory_space::shared;
    issued_sums& to = made[static_cast<unsigned>(s.kind) + (is_shared ? shared_kinds : 0)];
    to.at_most = to.at_most || s.at_most;
    bool const has_pieces = !is_shared || on.is_nvidia();
    if (has_pieces) to.worst = std::max(to.worst, s.worst);
    if (s.per_iteration != 0) {
      to.of_a_round = true;
      continue;
    }
    auto const number = [](std::uint64_t n) { return n == coalescing::not_counted ? 0 : n; };
    to.issued += s.cost.issued;
    if (has_pieces) to.pieces += number(is_shared ? s.cost.rounds : s.cost.transactions);
    if (!is_shared) to.bytes += number(s.cost.bytes_used);
  }
  return made;
}

}  // namespace coalescing_tests

// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/engine/banks.hpp>

// Which words make an instruction costly. Both engines (segments.hpp, banks.hpp) count the distinct words among lanes
// that are served together. For some instructions, the rounds, transactions or requests depend on these words alone.
// Such an instruction declares, as `grows_with`, how its words are counted. Then the worst of many accesses can be
// found without trying each of them.

namespace coalescing::detail {

/// How the words that lanes access decide the cost. The lanes are cut into groups, and the lanes of a group are served
/// together. Each word lies in one place, such as a bank. A group takes a round (or transaction, or request) for each
/// distinct word that its lanes want from the busiest place. The costs of the groups add up, unless groups merge.
template <unsigned Lanes>
struct counted_words {
  unsigned groups = 0;  ///< how many groups there are; 0: the cost depends on more than words
  unsigned bytes = 1;   ///< bytes of a word: all addresses within one aligned word count as one
  unsigned places = 1;  ///< how many places there are: word w lies in place w % places
  /// Some loads merge groups: `merged` consecutive groups are then served as one. Groups merge if each lane n has the
  /// same address as lane n ^ 1, or if each lane n has the same address as lane n ^ 2. Pairs with an inactive lane are
  /// ignored. 1: groups never merge.
  unsigned merged = 1;
  unsigned group_of_lane[Lanes] = {};
};

/// The words of shared memory or LDS. A word is as wide as an access, or as wide as a bank if a bank is wider. Its
/// place is the group of banks that holds it, as in count_rounds (banks.hpp).
template <unsigned Banks, unsigned Width, unsigned Alignment, unsigned Lanes, unsigned Phases>
COALESCE_API constexpr counted_words<Lanes> words_in_banks(phase_table<Lanes, Phases> const& phases,
                                                           unsigned merged = 1) {
  constexpr unsigned place = Alignment < Width ? Width : Alignment;
  counted_words<Lanes> words{.groups = Phases, .bytes = place, .places = Banks * Width / place, .merged = merged};
  for (unsigned lane = 0; lane != Lanes; ++lane) words.group_of_lane[lane] = phases.phase_of_lane[lane];
  return words;
}

/// The words of a memory without banks: aligned pieces of `bytes` bytes. They are counted for LanesOfGroup consecutive
/// lanes at a time. All pieces share the one place, so each distinct piece adds to the cost.
template <unsigned Lanes, unsigned LanesOfGroup>
COALESCE_API constexpr counted_words<Lanes> pieces_of_memory(unsigned bytes) {
  counted_words<Lanes> words{.groups = Lanes / LanesOfGroup, .bytes = bytes};
  for (unsigned lane = 0; lane != Lanes; ++lane) words.group_of_lane[lane] = lane / LanesOfGroup;
  return words;
}

/// The number that grows with the distinct words: the first of rounds, transactions, operations and requests that a
/// cost has. The access with the highest such number counts as the worst.
template <class Cost>
COALESCE_API constexpr std::uint64_t number_that_grows(Cost const& cost) {
  if constexpr (requires { cost.rounds; })
    return cost.rounds;
  else if constexpr (requires { cost.transactions; })
    return cost.transactions;
  else if constexpr (requires { cost.operations; })
    return cost.operations;
  else
    return cost.requests;
}

}  // namespace coalescing::detail

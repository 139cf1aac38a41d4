// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/engine/banks.hpp>

// Which words make an instruction costly. Both engines count different words: those of lanes that are served together.
// If the rounds, transactions or requests of an instruction grow with nothing else, it declares as `grows_with` how
// these words are counted. Then the worst of many accesses can be found without trying each of them.

namespace coalescing::detail {

/// How the words that lanes access decide the cost. The lanes of a group are served together. Each word lies in one
/// place, such as a bank. A group takes a round (or transaction, or request) for each different word that it wants at
/// its busiest place. The costs of the groups add up, unless groups merge.
template <unsigned Lanes>
struct counted_words {
  unsigned groups = 0;  ///< 0: the cost depends on more than words
  unsigned bytes = 1;   ///< bytes of a word: all addresses within one aligned word count as one
  unsigned places = 1;  ///< word w lies in place w % places
  unsigned merged = 1;  ///< this many consecutive groups become one where each lane has the same address as its
                        ///< neighbour, or each as its second neighbour
  unsigned group_of_lane[Lanes] = {};
};

/// The words that banks deliver. A place is as wide as an access, or as a bank where a bank is wider, as in
/// count_rounds.
template <unsigned Banks, unsigned Width, unsigned Alignment, unsigned Lanes, unsigned Phases>
COALESCE_API constexpr counted_words<Lanes> words_in_banks(phase_table<Lanes, Phases> const& phases,
                                                           unsigned merged = 1) {
  constexpr unsigned place = Alignment < Width ? Width : Alignment;
  counted_words<Lanes> words{.groups = Phases, .bytes = place, .places = Banks * Width / place, .merged = merged};
  for (unsigned lane = 0; lane != Lanes; ++lane) words.group_of_lane[lane] = phases.phase_of_lane[lane];
  return words;
}

/// Pieces of memory of `bytes` bytes. They are counted for LanesOfGroup consecutive lanes at a time. All pieces lie in
/// one place, so the cost grows with each different piece.
template <unsigned Lanes, unsigned LanesOfGroup>
COALESCE_API constexpr counted_words<Lanes> pieces_of_memory(unsigned bytes) {
  counted_words<Lanes> words{.groups = Lanes / LanesOfGroup, .bytes = bytes};
  for (unsigned lane = 0; lane != Lanes; ++lane) words.group_of_lane[lane] = lane / LanesOfGroup;
  return words;
}

/// The number by which accesses are compared, which grows with the different words: rounds or, where the cost has none,
/// transactions, else operations, else requests.
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

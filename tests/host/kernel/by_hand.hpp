// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/kernel.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <map>
#include <set>
#include <vector>

// Costs by hand: sets of sectors and of words, as slow and plain as can be.

namespace by_hand {

/// The distinct pieces of so many bytes that lanes' elements touch. index_of(lane) is an element's index, or less than
/// 0 where the lane is off.
template <class Index>
std::uint64_t pieces(unsigned lanes, unsigned element_bytes, unsigned piece_bytes, Index const& index_of) {
  std::set<std::uint64_t> touched;
  for (unsigned lane = 0; lane != lanes; ++lane) {
    std::int64_t const index = index_of(lane);
    if (index < 0) continue;
    for (unsigned byte = 0; byte != element_bytes; ++byte)
      touched.insert((static_cast<std::uint64_t>(index) * element_bytes + byte) / piece_bytes);
  }
  return touched.size();
}
/// The most distinct words that one of 32 banks serves to 32 lanes.
template <class Index>
std::uint64_t rounds(Index const& word_of) {
  std::map<std::uint64_t, std::set<std::uint64_t>> banks;
  for (unsigned lane = 0; lane != 32; ++lane)
    if (std::int64_t const word = word_of(lane); word >= 0)
      banks[static_cast<std::uint64_t>(word) % 32].insert(static_cast<std::uint64_t>(word));
  std::uint64_t most = 0;
  for (auto const& [bank, words] : banks) most = words.size() > most ? words.size() : most;
  return most;
}

/// Whether two recordings cost the same, array by array.
template <class A, class B>
bool agree(A const& a, B const& b, std::vector<char const*> const& arrays) {
  for (char const* array : arrays) {
    CHECK_MESSAGE(a.loads(array) == b.loads(array), array);
    CHECK_MESSAGE(a.stores(array) == b.stores(array), array);
    CHECK_MESSAGE(a.atomics(array) == b.atomics(array), array);
    if (!(a.of(array) == b.of(array))) return false;
  }
  return true;
}

inline std::vector<float> count_up(std::size_t elements) {
  std::vector<float> values(elements);
  for (std::size_t k = 0; k != elements; ++k) values[k] = static_cast<float>(k % 61);
  return values;
}

}  // namespace by_hand

// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <algorithm>
#include <array>
#include <bitset>
#include <cstdint>
#include <list>
#include <map>
#include <utility>

// Code that a user would write without coalesce. Each program answers one question: how many transactions, or rounds
// over the banks. `a` holds the addresses of the lanes; all lanes are active.

namespace programs {

using addresses = std::uint64_t const*;

// ---- Global memory: the pieces of Size bytes that the parts of a wave touch ----

/// With std::set or std::unordered_set.
template <class Set, unsigned Lanes, unsigned Part, unsigned Size>
std::uint64_t distinct(addresses a) {
  std::uint64_t count = 0;
  for (unsigned from = 0; from != Lanes; from += Part) {
    Set seen;
    for (unsigned lane = from; lane != from + Part; ++lane) seen.insert(a[lane] / Size);
    count += seen.size();
  }
  return count;
}

/// By hand: a list of those seen, searched from the last one back, since neighbours are likely to share theirs.
template <unsigned Lanes, unsigned Part, unsigned Size>
std::uint64_t by_hand(addresses a) {
  std::uint64_t count = 0;
  for (unsigned from = 0; from != Lanes; from += Part) {
    std::uint64_t seen[Part];
    unsigned found = 0;
    for (unsigned lane = from; lane != from + Part; ++lane) {
      std::uint64_t const piece = a[lane] / Size;
      unsigned k = found;
      while (k != 0 && seen[k - 1] != piece) --k;
      if (k == 0) seen[found++] = piece;
    }
    count += found;
  }
  return count;
}

/// Numbers in 256 slots, a hash that checks nothing: at most 255 of them.
struct slots {
  std::uint64_t number[256];
  bool taken[256] = {};
  /// Whether the number is a new one.
  bool insert(std::uint64_t wanted) {
    unsigned char slot = static_cast<unsigned char>(wanted * 0x9e37'79b9'7f4a'7c15 >> 56);
    while (taken[slot] && number[slot] != wanted) ++slot;
    number[slot] = wanted;
    return !std::exchange(taken[slot], true);
  }
};
/// Numbers in 64 slots with stamps: a slot is taken if it has the stamp of this question, so that nothing is cleared.
/// It checks nothing: at most 64 numbers.
struct stamped_slots {
  inline static std::uint64_t number[64] = {};
  inline static std::uint32_t stamp[64] = {}, now = 0;
  stamped_slots() { ++now; }
  /// Whether the number is a new one.
  bool insert(std::uint64_t wanted) {
    unsigned slot = static_cast<unsigned>(wanted * 0x9e37'79b9'7f4a'7c15 >> 58);
    for (; stamp[slot] == now; slot = (slot + 1) % 64)
      if (number[slot] == wanted) return false;
    number[slot] = wanted, stamp[slot] = now;
    return true;
  }
};
/// With one of these hashes. A lane looks at the piece of the lane before it first.
template <class Slots, unsigned Lanes, unsigned Part, unsigned Size>
std::uint64_t hash(addresses a) {
  std::uint64_t count = 0;
  for (unsigned from = 0; from != Lanes; from += Part) {
    Slots seen;
    for (unsigned lane = from; lane != from + Part; ++lane)
      if (lane == from || a[lane] / Size != a[lane - 1] / Size) count += seen.insert(a[lane] / Size);
  }
  return count;
}

// The plain rule: what the programming guides say, step by step, in the standard library's containers, as a simulator
// would that goes on to carry the transactions out.

struct transaction {
  std::uint64_t address;
  unsigned bytes;
  std::bitset<64> lanes;
};
struct segment {
  std::bitset<4> quarters;  ///< that are used
  std::bitset<64> lanes;
};

template <unsigned Size>
std::map<std::uint64_t, segment> segments_of(addresses a, unsigned from, unsigned lanes) {
  std::map<std::uint64_t, segment> segments;
  for (unsigned lane = from; lane != from + lanes; ++lane) {
    segment& touched = segments[a[lane] / Size * Size];
    touched.quarters.set(a[lane] % Size / (Size / 4));
    touched.lanes.set(lane);
  }
  return segments;
}

/// CC 1.2 and 1.3: for each half-warp the segments of 128 bytes that its threads address; a transaction of which only
/// the lower or upper half is used is reduced to it, down to 32 bytes.
inline std::uint64_t shrinking_segments(addresses a) {
  std::list<transaction> transactions;
  for (unsigned const half : {0u, 16u})
    for (auto const& [address, used] : segments_of<128>(a, half, 16)) {
      transaction next{address, 128, used.lanes};
      auto const quarters = used.quarters.to_ulong();
      if ((quarters & 0b0011) == 0 || (quarters & 0b1100) == 0) {
        bool const upper = (quarters & 0b0011) == 0;
        unsigned long const pair = upper ? quarters >> 2 : quarters;
        next.address += upper ? 64 : 0, next.bytes = 64;
        if (pair != 0b11) next.address += pair == 0b10 ? 32 : 0, next.bytes = 32;
      }
      transactions.push_back(next);
    }
  return transactions.size();
}
/// CC 2.x, and AMD's GCN with 64 bytes: as many transactions as cache lines are necessary to service all the lanes.
template <unsigned Lanes, unsigned Size>
std::uint64_t lines(addresses a) {
  std::list<transaction> transactions;
  for (auto const& [address, used] : segments_of<Size>(a, 0, Lanes))
    transactions.push_back({address, Size, used.lanes});
  return transactions.size();
}
/// CC 6.0 and later: as many 32-byte transactions.
inline std::uint64_t sectors(addresses a) {
  std::list<transaction> transactions;
  for (auto const& [address, used] : segments_of<128>(a, 0, 32))
    for (unsigned quarter = 0; quarter != 4; ++quarter)
      if (used.quarters.test(quarter)) transactions.push_back({address + 32 * quarter, 32, used.lanes});
  return transactions.size();
}

// ---- Banked memory: lanes of one phase that want different words of one bank wait for each other ----

/// NVIDIA's shared memory: the warp is one phase.
struct whole_warp {
  static constexpr unsigned lanes = 32, phases = 1, words = 1;
  static constexpr unsigned lane(unsigned, unsigned k) { return k; }
};
/// LDS of gfx1100, wave64: lanes 0 to 31, and 32 to 63.
struct two_halves {
  static constexpr unsigned lanes = 32, phases = 2, words = 1;
  static constexpr unsigned lane(unsigned phase, unsigned k) { return 32 * phase + k; }
};
/// ds_read_b128 of gfx942: lanes {0-3, 20-23} {4-7, 16-19} {8-11, 28-31} {12-15, 24-27}, and the same 32 lanes on.
struct quads_in_pairs {
  static constexpr unsigned lanes = 8, phases = 8, words = 4;
  static constexpr unsigned lane(unsigned phase, unsigned k) {
    constexpr unsigned first[] = {0, 4, 8, 12}, second[] = {20, 16, 28, 24};
    return phase / 4 * 32 + (k < 4 ? first[phase % 4] + k : second[phase % 4] + k - 4);
  }
};

/// With std::set or std::unordered_set.
template <class Set, class Phases>
std::uint64_t distinct_words(addresses a) {
  std::uint64_t rounds = 0;
  for (unsigned phase = 0; phase != Phases::phases; ++phase) {
    Set seen;
    std::array<unsigned, 32> of_bank{};
    for (unsigned k = 0; k != Phases::lanes; ++k)
      for (unsigned word = 0; word != Phases::words; ++word) {
        std::uint64_t const wanted = a[Phases::lane(phase, k)] / 4 + word;
        if (seen.insert(wanted).second) ++of_bank[wanted % 32];
      }
    rounds += *std::max_element(of_bank.begin(), of_bank.end());
  }
  return rounds;
}
/// The loop by hand: a list of words for each bank.
template <class Phases>
std::uint64_t words_by_hand(addresses a) {
  std::uint64_t rounds = 0;
  for (unsigned phase = 0; phase != Phases::phases; ++phase) {
    std::uint64_t seen[32][Phases::lanes];
    unsigned of_bank[32] = {}, most = 0;
    for (unsigned k = 0; k != Phases::lanes; ++k)
      for (unsigned word = 0; word != Phases::words; ++word) {
        std::uint64_t const wanted = a[Phases::lane(phase, k)] / 4 + word;
        unsigned const bank = wanted % 32;
        unsigned n = of_bank[bank];
        while (n != 0 && seen[bank][n - 1] != wanted) --n;
        if (n == 0) seen[bank][of_bank[bank]++] = wanted, most = std::max(most, of_bank[bank]);
      }
    rounds += most;
  }
  return rounds;
}
/// With one of the hashes. A lane looks at the word of the lane before it first.
template <class Slots, class Phases>
std::uint64_t words_by_hash(addresses a) {
  std::uint64_t rounds = 0;
  for (unsigned phase = 0; phase != Phases::phases; ++phase) {
    Slots seen;
    unsigned of_bank[32] = {}, most = 0;
    std::uint64_t before = ~std::uint64_t{0};
    for (unsigned k = 0; k != Phases::lanes; ++k) {
      std::uint64_t const first = a[Phases::lane(phase, k)] / 4;
      if (first == before) continue;
      before = first;
      for (unsigned word = 0; word != Phases::words; ++word)
        if (seen.insert(first + word)) most = std::max(most, ++of_bank[(first + word) % 32]);
    }
    rounds += most;
  }
  return rounds;
}
/// The plain rule: for each bank the lanes of each of its words.
template <class Phases>
std::uint64_t words_of_banks(addresses a) {
  std::uint64_t rounds = 0;
  for (unsigned phase = 0; phase != Phases::phases; ++phase) {
    std::map<unsigned, std::map<std::uint64_t, std::bitset<64>>> banks;
    for (unsigned k = 0; k != Phases::lanes; ++k)
      for (unsigned word = 0; word != Phases::words; ++word) {
        unsigned const lane = Phases::lane(phase, k);
        banks[(a[lane] / 4 + word) % 32][a[lane] / 4 + word].set(lane);
      }
    std::size_t most = 0;
    for (auto const& [bank, words] : banks) most = std::max(most, words.size());
    rounds += most;
  }
  return rounds;
}

}  // namespace programs

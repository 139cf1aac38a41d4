// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cuda.hpp>

#include "cuda/devices.hpp"
#include "truth/oracle/cuda.hpp"

#include <initializer_list>

// Shared by the tests of NVIDIA's global memory: questions in short, and the comparison with the oracle.

namespace coalescing_tests {

namespace co = coalescing;

struct expected_piece {
  std::uint64_t address, bytes;
};

/// The transactions are these, in order.
template <class Instruction, class Pattern>
constexpr bool makes(Pattern const& pattern, std::uint64_t active, std::initializer_list<expected_piece> pieces) {
  auto const list = co::transactions<Instruction>(pattern, active);
  if (list.size() != pieces.size() || co::cost<Instruction>(pattern, active).transactions != pieces.size())
    return false;
  std::uint64_t at = 0, moved = 0;
  for (auto const& piece : pieces) {
    if (list[at].address != piece.address || list[at].bytes != piece.bytes) return false;
    moved += piece.bytes, ++at;
  }
  return co::cost<Instruction>(pattern, active).bytes_moved == moved;
}
template <class Instruction, class Pattern>
constexpr std::uint64_t count(Pattern const& pattern, std::uint64_t active = co::all_lanes) {
  return co::cost<Instruction>(pattern, active).transactions;
}

inline constexpr std::uint64_t warp = 0xffff'ffff, half = 0xffff;
inline constexpr co::linear at_128{.base = 128, .stride = 4}, at_132{.base = 132, .stride = 4};
/// PG5.5 figure 16, middle: lanes 3 and 4, and 25 and 26, have changed places.
inline constexpr auto swapped = [](unsigned lane) {
  unsigned const word = lane == 3 ? 4 : lane == 4 ? 3 : lane == 25 ? 26 : lane == 26 ? 25 : lane;
  return 128 + 4 * word;
};

// ---- Against the oracle ----

template <class Instruction>
std::vector<std::vector<piece>> listed(random_access const& made, std::vector<std::size_t> const& sizes) {
  auto const list = co::transactions<Instruction>(made.address, made.active);
  std::vector<std::vector<piece>> groups;
  std::uint64_t at = 0;
  for (auto const size : sizes) {
    groups.emplace_back();
    for (std::size_t n = 0; n != size && at != list.size(); ++n, ++at)
      groups.back().push_back({list[at].address, list[at].bytes, list[at].lanes});
  }
  if (at != list.size()) groups.emplace_back();
  return groups;
}

/// The list is the oracle's groups, in order, ascending within each; the cost counts them.
template <class Instruction>
bool agrees(random_access const& made, std::vector<std::vector<piece>> groups, std::uint64_t requests) {
  std::vector<std::size_t> sizes;
  std::uint64_t count = 0, moved = 0;
  for (auto& group : groups) {
    std::sort(group.begin(), group.end());
    sizes.push_back(group.size());
    for (auto const& one : group) ++count, moved += one.bytes;
  }
  auto found = listed<Instruction>(made, sizes);
  for (auto& group : found) {
    if (!std::is_sorted(group.begin(), group.end(), [](auto const& a, auto const& b) { return a.address < b.address; }))
      return false;
    std::sort(group.begin(), group.end());
  }
  auto const cost = co::cost<Instruction>(made.address, made.active);
  bool same = found == groups && cost.transactions == count && cost.bytes_moved == moved &&
              cost.bytes_used == touched_bytes(made, Instruction::bytes).size();
  if constexpr (requires { cost.requests; }) same = same && cost.requests == requests;
  if constexpr (requires { cost.partial_sectors; })
    same = same && cost.partial_sectors == sectors_in_part(made, Instruction::bytes) &&
           cost.operations == lanes_of_address(made).size();
  return same;
}

template <class Instruction, class Oracle>
unsigned disagreements(unsigned count, Oracle const& oracle) {
  unsigned found = 0;
  warp_accesses accesses(Instruction::bytes, Instruction::bytes + count);
  for (unsigned n = 0; n != count; ++n) {
    auto const made = accesses.next();
    auto const [groups, requests] = oracle(made, Instruction::bytes);
    found += !agrees<Instruction>(made, groups, requests);
  }
  return found;
}
using answer = std::pair<std::vector<std::vector<piece>>, std::uint64_t>;

inline auto const in_order_words = [](random_access const& made, unsigned bytes) {
  return answer{{in_order_half(made, 0, bytes), in_order_half(made, 16, bytes)}, parts_with_a_lane(made, 16)};
};
inline auto const segment_protocol = [](random_access const& made, unsigned bytes) {
  return answer{{protocol_half(made, 0, bytes), protocol_half(made, 16, bytes)}, parts_with_a_lane(made, 16)};
};
template <std::uint64_t Piece>
inline auto const requests_of = [](random_access const& made, unsigned bytes) {
  unsigned const lanes = bytes <= 4 ? 32 : bytes == 8 ? 16 : 8;
  return answer{pieces_of_parts(made, bytes, lanes, Piece), parts_with_a_lane(made, lanes)};
};
inline auto const split_sectors = [](random_access const& made, unsigned bytes) {
  return answer{pieces_of_parts(made, bytes, 32, 32), parts_with_a_lane(made, bytes <= 4 ? 8 : bytes == 8 ? 4 : 2)};
};
inline auto const whole_sectors = [](random_access const& made, unsigned bytes) {
  return answer{pieces_of_parts(made, bytes, 32, 32), made.active != 0};
};

template <template <unsigned> class Instruction, class Oracle>
unsigned at_every_width(unsigned count, Oracle const& oracle) {
  return disagreements<Instruction<8>>(count, oracle) + disagreements<Instruction<16>>(count, oracle) +
         disagreements<Instruction<32>>(count, oracle) + disagreements<Instruction<64>>(count, oracle) +
         disagreements<Instruction<128>>(count, oracle);
}
template <unsigned Bits>
using load_10 = cuda::cc10::load<Bits>;
template <unsigned Bits>
using store_11 = cuda::cc11::store<Bits>;
template <unsigned Bits>
using load_12 = cuda::cc12::load<Bits>;
template <unsigned Bits>
using store_13 = cuda::cc13::store<Bits>;
template <unsigned Bits>
using load_20 = cuda::cc20::load<Bits>;
template <unsigned Bits>
using load_20_l2 = cuda::cc20::load<Bits, cuda::caching::l2>;
template <unsigned Bits>
using store_20 = cuda::cc20::store<Bits>;
template <unsigned Bits>
using load_35 = cuda::cc35::load<Bits>;
template <unsigned Bits>
using load_37_l1 = cuda::cc37::load<Bits, cuda::caching::l1>;
template <unsigned Bits>
using load_52 = cuda::cc52::load<Bits>;
template <unsigned Bits>
using store_61 = cuda::cc61::store<Bits>;
template <unsigned Bits>
using load_75 = cuda::cc75::load<Bits>;
template <unsigned Bits>
using load_90 = cuda::cc90::load<Bits>;
template <unsigned Bits>
using store_90 = cuda::cc90::store<Bits>;

}  // namespace coalescing_tests

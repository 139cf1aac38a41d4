// SPDX-License-Identifier: BSL-1.0
#pragma once
#include "oracle.hpp"

#include <optional>
#include <tuple>

// NVIDIA's rules from the words of its guides, on sets of bytes and lanes. The readings that the library does not take
// are controls.

namespace coalescing_tests {

inline constexpr std::uint64_t warp_lanes = 0xffff'ffff;

/// Random accesses of a warp, with naturally aligned words.
class warp_accesses {
 public:
  explicit warp_accesses(unsigned bytes, unsigned seed = 1, std::uint64_t capacity = 0)
      : accesses_(bytes, bytes, seed, capacity) {}
  random_access next() {
    auto made = accesses_.next();
    made.active &= warp_lanes;
    return made;
  }

 private:
  random_accesses accesses_;
};

struct piece {
  std::uint64_t address, bytes, lanes;
  auto operator<=>(piece const&) const = default;
};

inline std::uint64_t lane_bit(unsigned lane) { return std::uint64_t{1} << lane; }
inline std::uint64_t part_mask(unsigned first, unsigned count) {
  std::uint64_t mask = 0;
  for (unsigned lane = first; lane != first + count; ++lane) mask |= lane_bit(lane);
  return mask;
}

/// PG3.2 G.3.2.1, CC 1.0 and 1.1, for the half-warp that begins at lane `first`.
inline std::vector<piece> in_order_half(random_access const& access, unsigned first, unsigned bytes,
                                        unsigned align_of_16_bytes = 128, bool any_order = false) {
  std::uint64_t const alignment = bytes == 4 ? 64 : bytes == 8 ? 128 : align_of_16_bytes;
  std::vector<unsigned> active;
  for (unsigned lane = first; lane != first + 16; ++lane)
    if (is_active(access, lane)) active.push_back(lane);
  if (active.empty()) return {};

  // Try the aligned bases around the first active lane. Does lane k access word k from one of them?
  std::optional<std::uint64_t> base;
  if (bytes >= 4)
    for (std::uint64_t back = 0; back != 5; ++back) {
      std::uint64_t const candidate = access.address[active[0]] / alignment * alignment - back * alignment;
      bool all = true;
      for (unsigned const lane : active)
        all = all && (any_order ? access.address[lane] - candidate < 16 * bytes
                                : access.address[lane] == candidate + (lane - first) * bytes);
      if (all) base = candidate;
    }
  std::vector<piece> pieces;
  if (base) {
    auto const of_segment = [&](std::uint64_t begin, unsigned count) {
      return access.active & part_mask(first + static_cast<unsigned>(begin), count);
    };
    if (bytes == 4) pieces.push_back({*base, 64, of_segment(0, 16)});
    if (bytes == 8) pieces.push_back({*base, 128, of_segment(0, 16)});
    if (bytes == 16)
      pieces.push_back({*base, 128, of_segment(0, 8)}), pieces.push_back({*base + 128, 128, of_segment(8, 8)});
  } else {
    for (unsigned const lane : active)
      pieces.push_back({access.address[lane] - access.address[lane] % 32, 32, lane_bit(lane)});
  }
  return pieces;
}

/// The protocol of PG2.0 5.1.2.1 and PG3.2 G.3.2.2, CC 1.2 and 1.3, step by step.
inline std::vector<piece> protocol_half(random_access const& access, unsigned first, unsigned bytes,
                                        bool shrink_to_32 = true) {
  std::vector<piece> pieces;
  std::set<unsigned> pending;
  for (unsigned lane = first; lane != first + 16; ++lane)
    if (is_active(access, lane)) pending.insert(lane);
  while (!pending.empty()) {
    std::uint64_t size = bytes == 1 ? 32 : bytes == 2 ? 64 : 128;
    std::uint64_t begin = access.address[*pending.begin()] / size * size;
    std::set<std::uint64_t> used;  // offsets of bytes in the segment
    std::uint64_t lanes = 0;
    for (unsigned lane = first; lane != first + 16; ++lane)
      if (pending.contains(lane) && access.address[lane] / size * size == begin) {
        for (unsigned byte = 0; byte != bytes; ++byte) used.insert(access.address[lane] + byte - begin);
        lanes |= lane_bit(lane);
        pending.erase(lane);
      }
    for (std::uint64_t const whole : {std::uint64_t{128}, std::uint64_t{64}}) {
      if (size != whole || (whole == 64 && !shrink_to_32)) continue;
      bool const lower = *used.begin() < whole / 2, upper = *used.rbegin() >= whole / 2;
      if (lower && upper) continue;
      size = whole / 2;
      if (upper) {
        begin += size;
        std::set<std::uint64_t> moved;
        for (auto const offset : used) moved.insert(offset - size);
        used = moved;
      }
    }
    pieces.push_back({begin, size, lanes});
  }
  return pieces;
}

/// The pieces of `size` bytes that each part of a warp touches, one list per part of `lanes` lanes.
inline std::vector<std::vector<piece>> pieces_of_parts(random_access const& access, unsigned bytes, unsigned lanes,
                                                       std::uint64_t size) {
  std::vector<std::vector<piece>> parts;
  for (unsigned first = 0; first != 32; first += lanes) {
    random_access part = access;
    part.active &= part_mask(first, lanes);
    parts.emplace_back();
    for (auto const& [address, served] : served_lanes(part, bytes, size))
      parts.back().push_back({address, size, served});
  }
  return parts;
}

inline std::uint64_t parts_with_a_lane(random_access const& access, unsigned lanes) {
  std::uint64_t count = 0;
  for (unsigned first = 0; first != 32; first += lanes) count += (access.active & part_mask(first, lanes)) != 0;
  return count;
}

/// The number of sectors that the warp writes only in part.
inline std::uint64_t sectors_in_part(random_access const& access, unsigned bytes, std::uint64_t sector_bytes = 32) {
  std::map<std::uint64_t, std::set<std::uint64_t>> written;
  for (auto const byte : touched_bytes(access, bytes)) written[byte / sector_bytes].insert(byte);
  std::uint64_t count = 0;
  for (auto const& [sector, of_it] : written) count += of_it.size() < sector_bytes;
  return count;
}

/// The lanes of each part, where a warp is served in `parts` equal parts.
inline std::vector<std::vector<unsigned>> lanes_of_parts(unsigned parts) {
  std::vector<std::vector<unsigned>> lists(parts);
  for (unsigned lane = 0; lane != 32; ++lane) lists[lane / (32 / parts)].push_back(lane);
  return lists;
}

/// The number of lanes with each address.
inline std::map<std::uint64_t, std::uint64_t> lanes_of_address(random_access const& access) {
  std::map<std::uint64_t, std::uint64_t> lanes;
  for (unsigned lane = 0; lane != 32; ++lane)
    if (is_active(access, lane)) ++lanes[access.address[lane]];
  return lanes;
}
inline std::uint64_t most_lanes_on_one_address(random_access const& access) {
  std::uint64_t most = 0;
  for (auto const& [address, lanes] : lanes_of_address(access)) most = std::max(most, lanes);
  return most;
}

/// Every way to serve a half-warp of CC 1.x. Each step broadcasts one wanted word to all its lanes, and serves one lane
/// of every other bank. Returns the fewest and the most steps, by trying all choices.
class every_choice {
 public:
  using bank = std::vector<unsigned>;  // lanes of each of its words, most first
  using state = std::vector<bank>;
  std::pair<unsigned, unsigned> steps(state wanted) {
    for (auto& of_bank : wanted) {
      std::erase(of_bank, 0u);
      std::sort(of_bank.rbegin(), of_bank.rend());
    }
    std::erase_if(wanted, [](bank const& of_bank) { return of_bank.empty(); });
    std::sort(wanted.begin(), wanted.end());
    if (wanted.empty()) return {0, 0};
    if (auto const known = known_.find(wanted); known != known_.end()) return known->second;
    std::pair<unsigned, unsigned> best{~0u, 0};
    for (std::size_t b = 0; b != wanted.size(); ++b)
      for (std::size_t w = 0; w != wanted[b].size(); ++w) {
        state next = wanted;
        next[b][w] = 0;
        others(next, 0, b, best);
      }
    return known_[wanted] = best;
  }

 private:
  void others(state const& now, std::size_t from, std::size_t broadcast, std::pair<unsigned, unsigned>& best) {
    if (from == now.size()) {
      auto const [fewest, most] = steps(now);
      best = {std::min(best.first, fewest + 1), std::max(best.second, most + 1)};
      return;
    }
    if (from == broadcast) return others(now, from + 1, broadcast, best);
    for (std::size_t w = 0; w != now[from].size(); ++w) {
      if (w != 0 && now[from][w] == now[from][w - 1]) continue;  // the same choice
      state next = now;
      --next[from][w];
      others(next, from + 1, broadcast, best);
    }
  }
  std::map<state, std::pair<unsigned, unsigned>> known_;
};

}  // namespace coalescing_tests

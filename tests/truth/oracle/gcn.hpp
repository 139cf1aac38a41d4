// SPDX-License-Identifier: BSL-1.0
#pragma once
#include "oracle.hpp"

// GCN's L1 rule as the post words it, and other readings of the post. Each other reading is a control: it must disagree
// with the library somewhere.

namespace coalescing_tests {

enum class gcn_reading {
  ours,  ///< a run of 4 elements, anywhere, in any order; repeats and mixed cases allowed; inactive lanes ignored
  aligned_block,   ///< the block of 4 consecutive addresses is aligned
  no_repeats,      ///< in a block each lane has its own address, unless all have one
  no_mixing,       ///< all quads of a group are of one case
  lanes_required,  ///< a quad with an inactive lane does not coalesce
  order_matters,   ///< within a block lanes ascend
  dword_elements,  ///< consecutive means dwords, whatever the element
  whole_line,      ///< it is enough that 16 lanes share a 64-byte line
};

inline bool quad_reads_a_run(random_access const& access, unsigned quad, unsigned size, gcn_reading how) {
  std::vector<std::uint64_t> read;
  for (unsigned lane = quad; lane != quad + 4; ++lane)
    if (is_active(access, lane)) read.push_back(access.address[lane]);
  if (read.empty()) return true;
  if (how == gcn_reading::lanes_required && read.size() != 4) return false;
  if (how == gcn_reading::dword_elements) size = 4;
  bool const one_address = std::all_of(read.begin(), read.end(), [&](auto a) { return a == read[0]; });
  if (one_address) return true;
  if (how == gcn_reading::no_repeats && std::set<std::uint64_t>(read.begin(), read.end()).size() != read.size())
    return false;
  if (how == gcn_reading::order_matters && !std::is_sorted(read.begin(), read.end())) return false;
  // Try every run of four elements that begins at some lane's address: the lowest address of a run always begins it.
  for (auto const start : read) {
    if (how == gcn_reading::aligned_block && start % (4 * size) != 0) continue;
    bool all = true;
    for (auto const address : read) {
      bool found = false;
      for (unsigned element = 0; element != 4; ++element) found = found || address == start + element * size;
      all = all && found;
    }
    if (all) return true;
  }
  return false;
}

inline std::uint64_t quads(random_access const& access) {
  std::uint64_t count = 0;
  for (unsigned quad = 0; quad != max_lanes; quad += 4)
    if (is_active(access, quad) || is_active(access, quad + 1) || is_active(access, quad + 2) ||
        is_active(access, quad + 3))
      ++count;
  return count;
}

inline std::uint64_t coalesced_clocks(random_access const& access, unsigned size, gcn_reading how = gcn_reading::ours) {
  std::uint64_t clocks = 0;
  for (unsigned group = 0; group != max_lanes; group += 16) {
    random_access part = access;
    part.active &= std::uint64_t{0xffff} << group;
    if (part.active == 0) continue;
    bool fast = true, broadcast = false, block = false;
    for (unsigned quad = group; quad != group + 16; quad += 4) {
      fast = fast && quad_reads_a_run(access, quad, size, how);
      std::set<std::uint64_t> addresses;
      for (unsigned lane = quad; lane != quad + 4; ++lane)
        if (is_active(access, lane)) addresses.insert(access.address[lane]);
      broadcast = broadcast || addresses.size() == 1;
      block = block || addresses.size() > 1;
    }
    if (how == gcn_reading::no_mixing && broadcast && block) fast = false;
    if (how == gcn_reading::whole_line) fast = touched_pieces(touched_bytes(part, size), 64).size() == 1;
    clocks += fast ? 1 : quads(part);
  }
  return clocks;
}

}  // namespace coalescing_tests

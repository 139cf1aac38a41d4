// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/access.hpp>
#include <coalesce/detail/config.hpp>

#include <cstdint>

// Engine 1 of 2: the distinct aligned pieces of memory that some lanes touch. Everything about global memory is this.
// The lanes' addresses are put in ascending order, which a coalesced wave already is; then one pass suffices, because
// all lanes are equally wide and so the last piece that each touches ascends with its address.

namespace coalescing {

/// One aligned piece of memory that the machine moves.
struct transaction {
  std::uint64_t address = 0;  ///< of its first byte
  std::uint64_t bytes = 0;    ///< its size
  std::uint64_t lanes = 0;    ///< the lanes it serves: bit k, lane k

  bool operator==(transaction const&) const = default;
};

template <unsigned Capacity>
class transaction_list;

namespace detail {
template <unsigned Lanes>
struct ordered;
template <unsigned Lanes, unsigned Capacity>
COALESCE_API constexpr void list_segments(ordered<Lanes> const&, std::uint64_t, transaction_list<Capacity>&);
template <unsigned Capacity>
COALESCE_API constexpr void append(transaction_list<Capacity>&, transaction const&);
}  // namespace detail

/// The transactions of one instruction: a range of at most Capacity, without allocation.
template <unsigned Capacity>
class transaction_list {
 public:
  [[nodiscard]] COALESCE_API constexpr std::uint64_t size() const { return size_; }
  [[nodiscard]] COALESCE_API constexpr bool empty() const { return size_ == 0; }
  [[nodiscard]] COALESCE_API constexpr transaction const* begin() const { return items_; }
  [[nodiscard]] COALESCE_API constexpr transaction const* end() const { return items_ + size_; }
  [[nodiscard]] COALESCE_API constexpr transaction operator[](std::uint64_t index) const {
    if (index >= size_) refused::list_has_no_such_transaction(index);
    return items_[index];
  }
  bool operator==(transaction_list const&) const = default;

 private:
  template <unsigned Lanes, unsigned Room>
  friend COALESCE_API constexpr void detail::list_segments(detail::ordered<Lanes> const& lanes, std::uint64_t size,
                                                           transaction_list<Room>& list);
  template <unsigned Room>
  friend COALESCE_API constexpr void detail::append(transaction_list<Room>& list, transaction const& next);
  transaction items_[Capacity] = {};
  std::uint64_t size_ = 0;
};

namespace detail {

struct lane_address {
  std::uint64_t address = 0;
  unsigned lane = 0;
};

/// The active lanes of an access in ascending order of address.
template <unsigned Lanes>
struct ordered {
  lane_address at[Lanes] = {};
  unsigned count = 0;
  unsigned bytes = 0;  ///< per lane
};

template <unsigned Lanes>
COALESCE_API constexpr bool is_ascending(ordered<Lanes> const& lanes) {
  for (unsigned k = 1; k < lanes.count; ++k)
    if (lanes.at[k].address < lanes.at[k - 1].address) return false;
  return true;
}

/// Merge sort, bottom up: in a constant expression every move counts, and the worst order costs no more than the
/// others.
template <unsigned Lanes>
COALESCE_API constexpr void sort(ordered<Lanes>& lanes) {
  ordered<Lanes> spare = lanes;
  ordered<Lanes>*from = &lanes, *to = &spare;
  for (unsigned width = 1; width < lanes.count; width *= 2) {
    for (unsigned start = 0; start < lanes.count; start += 2 * width) {
      unsigned const middle = start + width < lanes.count ? start + width : lanes.count;
      unsigned const end = middle + width < lanes.count ? middle + width : lanes.count;
      unsigned left = start, right = middle;
      for (unsigned next = start; next != end; ++next)
        to->at[next] = right == end || (left != middle && from->at[left].address <= from->at[right].address)
                           ? from->at[left++]
                           : from->at[right++];
    }
    ordered<Lanes>* const sorted = to;
    to = from;
    from = sorted;
  }
  if (from != &lanes) lanes = spare;
}

/// The active lanes of a group (a mask) in ascending order of address.
template <unsigned Lanes>
COALESCE_API constexpr ordered<Lanes> in_order(access<Lanes> const& asked, std::uint64_t group = all_lanes) {
  ordered<Lanes> lanes;
  lanes.bytes = asked.bytes;
  std::uint64_t const members = asked.active & group;
  for (unsigned lane = 0; lane != Lanes; ++lane)
    if ((members >> lane & 1) != 0) lanes.at[lanes.count++] = {asked.address[lane], lane};
  if constexpr (Lanes > 1)
    if (!is_ascending(lanes)) sort(lanes);
  return lanes;
}

/// How many aligned groups of `size` lanes have an active one.
COALESCE_API constexpr std::uint64_t active_groups(std::uint64_t active, unsigned size) {
  std::uint64_t const group = all_lanes >> (64 - size);
  std::uint64_t count = 0;
  for (; active != 0; active >>= size) count += (active & group) != 0;
  return count;
}

/// How many distinct addresses the lanes name.
template <unsigned Lanes>
COALESCE_API constexpr std::uint64_t count_addresses(ordered<Lanes> const& lanes) {
  std::uint64_t count = lanes.count == 0 ? 0 : 1;
  for (unsigned k = 1; k < lanes.count; ++k) count += lanes.at[k].address != lanes.at[k - 1].address;
  return count;
}

/// The most lanes that name one address.
template <unsigned Lanes>
COALESCE_API constexpr std::uint64_t most_on_one_address(ordered<Lanes> const& lanes) {
  std::uint64_t most = 0, same = 0;
  for (unsigned k = 0; k != lanes.count; ++k) {
    same = k != 0 && lanes.at[k].address == lanes.at[k - 1].address ? same + 1 : 1;
    if (same > most) most = same;
  }
  return most;
}

/// How many distinct bytes the lanes ask for: each adds what the one before it does not cover.
template <unsigned Lanes>
COALESCE_API constexpr std::uint64_t count_bytes(ordered<Lanes> const& lanes) {
  std::uint64_t count = lanes.count == 0 ? 0 : lanes.bytes;
  for (unsigned k = 1; k < lanes.count; ++k)
    count += lanes.at[k].address - lanes.at[k - 1].address < lanes.bytes  //
                 ? lanes.at[k].address - lanes.at[k - 1].address
                 : lanes.bytes;
  return count;
}

/// How many distinct aligned pieces of `size` bytes (a power of two) the lanes touch.
template <unsigned Lanes>
COALESCE_API constexpr std::uint64_t count_segments(ordered<Lanes> const& lanes, std::uint64_t size) {
  std::uint64_t count = 0, reached = 0;  // reached: the last piece counted
  for (unsigned k = 0; k != lanes.count; ++k) {
    std::uint64_t const first = lanes.at[k].address / size, last = (lanes.at[k].address + (lanes.bytes - 1)) / size;
    count += count != 0 && first <= reached ? last - reached : last - first + 1;
    reached = last;
  }
  return count;
}

/// The same pieces one by one, appended to `list` in ascending order with the lanes that each serves.
template <unsigned Lanes, unsigned Capacity>
COALESCE_API constexpr void list_segments(ordered<Lanes> const& lanes, std::uint64_t size,
                                          transaction_list<Capacity>& list) {
  std::uint64_t const start = list.size_;
  std::uint64_t reached = 0;  // the last piece listed; a lane's pieces up to there are the tail of the list
  for (unsigned k = 0; k != lanes.count; ++k) {
    std::uint64_t const lane = std::uint64_t{1} << lanes.at[k].lane,
                        last = (lanes.at[k].address + (lanes.bytes - 1)) / size;
    for (std::uint64_t piece = lanes.at[k].address / size; piece <= last; ++piece)
      if (list.size_ != start && piece <= reached)
        list.items_[list.size_ - 1 - (reached - piece)].lanes |= lane;
      else
        list.items_[list.size_++] = {piece * size, size, lane}, reached = piece;
  }
}

/// A list of those that a group of an access's lanes touch.
template <unsigned Capacity, unsigned Lanes>
COALESCE_API constexpr transaction_list<Capacity> segments_of(access<Lanes> const& asked, std::uint64_t size,
                                                              std::uint64_t group = all_lanes) {
  transaction_list<Capacity> list;
  detail::list_segments(detail::in_order(asked, group), size, list);
  return list;
}

template <unsigned Capacity>
COALESCE_API constexpr void append(transaction_list<Capacity>& list, transaction const& next) {
  list.items_[list.size_++] = next;
}

}  // namespace detail
}  // namespace coalescing

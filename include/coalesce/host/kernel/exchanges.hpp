// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/kernel/interface.hpp>

#include <cstdint>
#include <type_traits>

// Lets the lanes of a warp exchange values: shuffles, votes, and reductions over all lanes.

namespace coalescing::detail::host_lanes {

/// One exchange of values among the lanes of a mask.
template <class T>
class exchange {
 public:
  exchange(std::uint64_t mask, T const& value, void const* place) : place_(place) {
    static_assert(std::is_trivially_copyable<T>::value || sizeof(T) <= 16, "lanes exchange plain values");
    present = detail::exchange_on_host(mask, &value, sizeof value, place);
  }
  /// The value that `lane` brought to the exchange, be it the running lane or another one. Refused: a lane that did not
  /// take part.
  T of(unsigned lane) const {
    T value{};
    detail::taken_on_host(lane, &value, sizeof value, place_);
    return value;
  }
  std::uint64_t present;

 private:
  void const* place_;
};
/// The first lane of the running lane's segment of `width` lanes.
inline unsigned first_of(int width) {
  return detail::running.lane / static_cast<unsigned>(width) * static_cast<unsigned>(width);
}

template <class T>
T shuffle(std::uint64_t mask, T value, int source, int width, void const* place) {
  exchange<T> const all(mask, value, place);
  return all.of(first_of(width) + static_cast<unsigned>(source) % static_cast<unsigned>(width));
}
template <class T>
T shuffle_up(std::uint64_t mask, T value, unsigned delta, int width, void const* place) {
  exchange<T> const all(mask, value, place);
  unsigned const lane = detail::running.lane;
  return all.of(lane - first_of(width) < delta ? lane : lane - delta);
}
template <class T>
T shuffle_down(std::uint64_t mask, T value, unsigned delta, int width, void const* place) {
  exchange<T> const all(mask, value, place);
  unsigned const lane = detail::running.lane;
  return all.of(lane - first_of(width) + delta < static_cast<unsigned>(width) ? lane + delta : lane);
}
/// Reads the value of the lane whose number differs from the running lane's in the bits of `bits`. If that lane lies
/// after the running lane's segment, the running lane reads its own value; a lane before the segment may be read. (CUDA
/// C++ Programming Guide, "Warp Shuffle Functions".)
template <class T>
T shuffle_xor(std::uint64_t mask, T value, int bits, int width, void const* place) {
  exchange<T> const all(mask, value, place);
  unsigned const lane = detail::running.lane, source = lane ^ static_cast<unsigned>(bits);
  return all.of(source < first_of(width) + static_cast<unsigned>(width) ? source : lane);
}
inline std::uint64_t ballot(std::uint64_t mask, bool vote, void const* place) {
  exchange<bool> const all(mask, vote, place);
  std::uint64_t votes = 0;
  for (unsigned k = 0; k != 64; ++k)
    if ((all.present >> k & 1) != 0) votes |= std::uint64_t{all.of(k)} << k;
  return votes;
}
/// Combines the values of all lanes of the mask.
template <class T, class Combine>
T reduce(std::uint64_t mask, T value, Combine const& combine, void const* place) {
  exchange<T> const all(mask, value, place);
  T result = value;
  for (unsigned k = 0; k != 64; ++k)
    if ((all.present >> k & 1) != 0 && k != detail::running.lane) result = combine(result, all.of(k));
  return result;
}
template <class T>
std::uint64_t match(std::uint64_t mask, T value, void const* place) {
  exchange<T> const all(mask, value, place);
  std::uint64_t equal = 0;
  for (unsigned k = 0; k != 64; ++k)
    if ((all.present >> k & 1) != 0) equal |= std::uint64_t{all.of(k) == value} << k;
  return equal;
}

}  // namespace coalescing::detail::host_lanes

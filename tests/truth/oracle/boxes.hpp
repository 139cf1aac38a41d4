// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cuda/tma.hpp>

#include <cstdint>
#include <set>

// The oracle of cuda/tma.hpp: walks a box of a tensor element by element, and puts the memory pieces it touches into
// sets.

namespace coalescing_tests {

struct walked {
  std::set<std::uint64_t> of_16, of_32, of_64, of_128, of_512;
  std::uint64_t bits_read = 0, bits_boxed = 0;
  bool past_the_top = false;  // a byte lies beyond the 64-bit address space
};

inline unsigned bits_of(coalescing::cuda::tensor_element element) {
  constexpr unsigned bits[] = {8, 16, 32, 32, 64, 64, 16, 32, 64, 16, 32, 32, 32, 4, 4, 6};
  return bits[static_cast<unsigned>(element)];
}

inline walked walk(coalescing::cuda::tensor_map const& map, std::int64_t const (&start)[5]) {
  __extension__ using wide = unsigned __int128;
  walked seen;
  unsigned const bits = bits_of(map.element);
  std::int64_t offset[5] = {};  // into the box, in elements of the tensor
  for (;;) {
    bool inside = true;
    for (unsigned k = 0; k != map.rank; ++k) {
      std::int64_t const at = start[k] + offset[k];
      inside = inside && at >= 0 && at < static_cast<std::int64_t>(map.extent[k]);
    }
    wide bit = wide{map.address} * 8;
    for (unsigned k = 0; inside && k != map.rank; ++k)
      bit += static_cast<wide>(start[k] + offset[k]) * (k == 0 ? bits : map.stride[k - 1] * 8);
    seen.bits_boxed += bits;
    if (inside) {
      seen.bits_read += bits;
      seen.past_the_top = seen.past_the_top || (bit + bits - 1) >> 67 != 0;
      for (wide const at : {bit / 8, (bit + bits - 1) / 8}) {
        auto const byte = static_cast<std::uint64_t>(at);
        seen.of_16.insert(byte / 16), seen.of_32.insert(byte / 32), seen.of_64.insert(byte / 64);
        seen.of_128.insert(byte / 128), seen.of_512.insert(byte / 512);
      }
    }
    unsigned k = 0;
    for (; k != map.rank; ++k) {
      offset[k] += k == 0 ? 1 : map.element_stride[k];
      if (offset[k] < map.box[k]) break;
      offset[k] = 0;
    }
    if (k == map.rank) return seen;
  }
}

}  // namespace coalescing_tests

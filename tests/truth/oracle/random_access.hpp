// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <array>
#include <cstdint>
#include <random>

// Random accesses, both common in kernels and hard for models: strides up and down, permutations, tiles, gathers,
// broken runs, any base that the alignment allows, both ends of the address space, many kinds of masks.

// Builds that are slow by nature (sanitizers) ask one in COALESCE_TEST_SHARE of the random questions.
#ifndef COALESCE_TEST_SHARE
#define COALESCE_TEST_SHARE 1
#endif

namespace coalescing_tests {

constexpr unsigned share(unsigned count) { return count / COALESCE_TEST_SHARE; }

inline constexpr unsigned max_lanes = 64;

struct random_access {
  std::array<std::uint64_t, max_lanes> address{};
  std::uint64_t active = 0;
};

class random_accesses {
 public:
  /// `capacity`: all bytes lie below it; 0: anywhere below 2^64.
  random_accesses(unsigned bytes, unsigned alignment, unsigned seed = 1, std::uint64_t capacity = 0)
      : bytes_(bytes), alignment_(alignment), capacity_(capacity), engine_(seed) {}

  random_access next() {
    random_access made;
    made.active = mask();
    std::uint64_t const base = this->base();
    switch (below(7)) {
      case 0:
        linear(made, base);
        break;
      case 1:
        linear(made, base), shuffle(made);
        break;
      case 2:
        tile(made, base);
        break;
      case 3:
        gather(made, base, std::uint64_t{alignment_} << below(12));
        break;
      case 4:
        gather(made, base, 0);
        break;
      case 5:
        runs_of_four(made);
        break;
      case 6:
        runs_of_four(made), made.address[below(max_lanes)] += alignment_ * below(8);
        break;
    }
    for (auto& address : made.address) address = fit(address);
    return made;
  }

 private:
  std::uint64_t below(std::uint64_t bound) { return engine_() % bound; }

  std::uint64_t base() {
    switch (below(4)) {
      case 0:
        return 256 * below(1 << 20);
      case 1:
        return alignment_ * below(1 << 20);
      case 2:
        return std::uint64_t{0} - alignment_ * below(1024);  // the last bytes of the address space, and past them
      default:
        return engine_();
    }
  }

  std::uint64_t mask() {
    switch (below(8)) {
      case 0:
      case 1:
      case 2:
        return ~std::uint64_t{0};
      case 3:
        return engine_();
      case 4:
        return engine_() & engine_() & engine_();
      case 5:
        return ~std::uint64_t{0} >> below(64);  // the first lanes
      case 6:
        return std::uint64_t{1} << below(64) | std::uint64_t{1} << below(64);
      default:
        return 0x1111'1111'1111'1111 * below(16);  // the same lanes of every quad, or none
    }
  }

  void linear(random_access& made, std::uint64_t base) {
    std::uint64_t const strides[] = {bytes_, 2u * bytes_, alignment_, 0, 64, 128, 4096, alignment_ * below(64)};
    std::uint64_t stride = strides[below(8)];
    if (below(2) == 0) stride = std::uint64_t{0} - stride;
    for (unsigned lane = 0; lane != max_lanes; ++lane) made.address[lane] = base + lane * stride;
  }

  /// Swaps lanes within aligned groups of 2, 4, 16 or 64.
  void shuffle(random_access& made) {
    unsigned const group = std::array{2u, 4u, 16u, 64u}[below(4)];
    for (unsigned lane = 0; lane != max_lanes; ++lane)
      std::swap(made.address[lane], made.address[lane / group * group + below(group)]);
  }

  void tile(random_access& made, std::uint64_t base) {
    std::uint64_t const width = std::uint64_t{1} << below(6), pitch = alignment_ * below(1024);
    for (unsigned lane = 0; lane != max_lanes; ++lane)
      made.address[lane] = base + lane % width * bytes_ + lane / width * pitch;
  }

  void gather(random_access& made, std::uint64_t base, std::uint64_t window) {
    for (auto& address : made.address)
      address = base + (window == 0 ? engine_() : below(window) / alignment_ * alignment_);
  }

  /// Every quad reads somewhere in a run of four elements of its own, in any order, with repeats.
  void runs_of_four(random_access& made) {
    for (unsigned quad = 0; quad != max_lanes; quad += 4) {
      std::uint64_t const start = base();
      for (unsigned lane = quad; lane != quad + 4; ++lane) made.address[lane] = start + below(4) * bytes_;
    }
  }

  /// Aligned, and with all its bytes below 2^64 or the capacity.
  std::uint64_t fit(std::uint64_t address) const {
    std::uint64_t const last = capacity_ - bytes_;
    if (capacity_ != 0) address %= capacity_;
    return (address > last ? last : address) / alignment_ * alignment_;
  }

  unsigned bytes_;
  unsigned alignment_;
  std::uint64_t capacity_;
  std::mt19937_64 engine_;
};

}  // namespace coalescing_tests

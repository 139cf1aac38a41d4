// SPDX-License-Identifier: BSL-1.0
#pragma once
#include "truth/oracle/random_access.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

// Shared by the fuzz targets: an input's bytes as choices, and as an access of a wave; and the report of a find.

namespace coalescing_tests {

/// The control: with COALESCE_FUZZ_BREAK in the environment each oracle states one rule wrongly, and must be found out.
inline bool const oracle_is_broken = std::getenv("COALESCE_FUZZ_BREAK") != nullptr;

/// libFuzzer keeps the input of a program that aborts.
[[noreturn]] inline void report(char const* what) {
  std::fprintf(stderr, "the library and its oracle differ: %s\n", what);
  std::abort();
}
inline void expect(bool same, char const* what) {
  if (!same) report(what);
}

/// The bytes as choices. Where they end, numbers go on that the first two bytes are the seed of: so a short input is a
/// whole question already, and a changed byte changes little of a long one.
class fuzz_input {
 public:
  fuzz_input(std::uint8_t const* data, std::size_t size) : data_(data), left_(size) {
    rest_ = 1;
    rest_ = std::uint64_t{1} + byte();
    rest_ = rest_ * 257 + byte();
  }

  unsigned byte() {
    if (left_ != 0) return --left_, *data_++;
    rest_ += 0x9e37'79b9'7f4a'7c15;  // splitmix64
    std::uint64_t mixed = (rest_ ^ rest_ >> 30) * 0xbf58'476d'1ce4'e5b9;
    mixed = (mixed ^ mixed >> 27) * 0x94d0'49bb'1331'11eb;
    return static_cast<unsigned>(mixed >> 56);
  }
  std::uint64_t number(unsigned bytes) {
    std::uint64_t made = 0;
    for (unsigned k = 0; k != bytes; ++k) made = made << 8 | byte();
    return made;
  }
  /// A number less than the bound, which is not 0.
  std::uint64_t below(std::uint64_t bound) {
    return number(bound <= 256 ? 1 : bound <= 65536 ? 2 : bound >> 32 == 0 ? 4 : 8) % bound;
  }
  bool one_in(std::uint64_t n) { return below(n) == n - 1; }
  template <class T, std::size_t Count>
  T one_of(T const (&choices)[Count]) {
    return choices[below(Count)];
  }

 private:
  std::uint8_t const* data_;
  std::size_t left_;
  std::uint64_t rest_;
};

/// The bounds of an access: lanes, bytes, alignment, capacity.
struct access_form {
  unsigned lanes = 64, bytes = 4, alignment = 4;
  std::uint64_t capacity = 0;  ///< bytes of the memory; 0: all that 64 bits address
  std::uint64_t reach = 0;     ///< bytes from the address to the farthest access
  std::uint64_t nearest = 0;   ///< bytes from the address to the nearest access: so far may it lie below byte 0
};

/// An access such as kernels make, and such as break models: strides, permutations, tiles, gathers, quads, near each
/// other or at the top of the address space, then a few lanes moved. One in eight may be refused.
class access_reader {
 public:
  access_reader(fuzz_input& in, access_form const& form) : in_(in), form_(form) {}

  random_access next() {
    random_access made;
    made.active = mask();
    std::uint64_t const base = this->base();
    switch (in_.below(6)) {
      case 0:
        linear(made, base);
        break;
      case 1:
        linear(made, base), permute(made);
        break;
      case 2:
        tile(made, base);
        break;
      case 3:
        near(made, base);
        break;
      case 4:
        for (auto& address : made.address) address = this->base() + form_.bytes * in_.below(4);
        break;
      default:
        quads(made);
    }
    for (std::uint64_t moved = in_.below(4); moved != 0; --moved) move(made);
    if (!in_.one_in(8))
      for (auto& address : made.address) address = fit(address);
    return made;
  }

 private:
  std::uint64_t mask() {
    std::uint64_t const wave = ~std::uint64_t{0} >> (64 - form_.lanes);
    switch (in_.below(8)) {
      case 0:
      case 1:
        return ~std::uint64_t{0};
      case 2:
        return wave;
      case 3:
        return in_.number(8) & (in_.one_in(16) ? ~std::uint64_t{0} : wave);
      case 4:
        return in_.number(8) & in_.number(8) & in_.number(8) & wave;
      case 5:
        return ~std::uint64_t{0} >> in_.below(64) & wave;
      case 6:
        return (std::uint64_t{1} << in_.below(64) | std::uint64_t{1} << in_.below(64)) & wave;
      default:
        return 0x1111'1111'1111'1111 * in_.below(16) & wave;
    }
  }
  std::uint64_t base() {
    switch (in_.below(6)) {
      case 0:
        return 256 * in_.below(256);
      case 1:
        return form_.alignment * in_.below(256);
      case 2:
        return 0 - form_.alignment * in_.below(256);  // the end of memory, and past it
      case 3:
        return std::uint64_t{1} << in_.below(64);
      case 4:
        return form_.alignment * in_.below(65536);
      default:
        return in_.number(8);
    }
  }
  void linear(random_access& made, std::uint64_t base) {
    std::uint64_t const strides[] = {
        form_.bytes,  2u * form_.bytes, form_.alignment, 0, 32, 64, 128, 256, 4096, form_.alignment * in_.below(64),
        in_.number(2)};
    std::uint64_t stride = in_.one_of(strides);
    if (in_.one_in(3)) stride = 0 - stride;
    for (unsigned lane = 0; lane != max_lanes; ++lane) made.address[lane] = base + lane * stride;
  }
  void permute(random_access& made) {
    std::uint64_t const how = in_.below(3), flip = in_.below(64), factor = 2 * in_.below(32) + 1;
    auto const from = made.address;
    for (unsigned lane = 0; lane != max_lanes; ++lane)
      made.address[lane] = from[how == 0 ? lane ^ flip : how == 1 ? (lane * factor + flip) % 64 : in_.below(64)];
  }
  void tile(random_access& made, std::uint64_t base) {
    std::uint64_t const width = std::uint64_t{1} << in_.below(7), pitch = form_.alignment * in_.below(1024);
    for (unsigned lane = 0; lane != max_lanes; ++lane)
      made.address[lane] = base + lane % width * form_.bytes + lane / width * pitch;
  }
  void near(random_access& made, std::uint64_t base) {
    std::uint64_t const unit = std::uint64_t{form_.alignment} << in_.below(6), window = 1 + in_.below(256);
    for (auto& address : made.address) address = base + in_.below(window) * unit;
  }
  void quads(random_access& made) {
    for (unsigned quad = 0; quad != max_lanes; quad += 4) {
      std::uint64_t const start = base(), order = in_.byte();
      for (unsigned k = 0; k != 4; ++k) made.address[quad + k] = start + (order >> 2 * k & 3) * form_.bytes;
    }
  }
  void move(random_access& made) {
    auto& address = made.address[in_.below(max_lanes)];
    switch (in_.below(5)) {
      case 0:
        address = made.address[in_.below(max_lanes)];
        break;
      case 1:
        address += form_.alignment * in_.below(256);
        break;
      case 2:
        address -= in_.below(64);
        break;
      case 3:  // an offset brings it back, or not quite
        address = (0 - form_.nearest + form_.alignment * in_.below(8) - form_.alignment) >> (in_.below(2) * 32);
        break;
      default:
        address = form_.capacity - form_.reach - in_.below(64);
    }
  }
  /// Aligned, and with all its bytes in memory.
  std::uint64_t fit(std::uint64_t address) const {
    std::uint64_t const last = form_.capacity - form_.reach - form_.bytes;
    if (form_.capacity != 0) address %= form_.capacity - form_.reach;
    return (address > last ? last : address) / form_.alignment * form_.alignment;
  }

  fuzz_input& in_;
  access_form form_;
};

}  // namespace coalescing_tests

// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cdna/litmus.hpp>

#include <functional>
#include <random>
#include <utility>

// Random litmus tests on two locations, with any placement, memory, scope and reuse. Waits, write-backs, invalidations
// and fences stand at random places between the accesses. Some tests drop one axiom, or a random set of axioms.

namespace coalescing_tests {

namespace cdna = coalescing::cdna;

inline unsigned number_of_values(cdna::litmus_test const& test) {
  unsigned found = 0;
  for (unsigned wave = 0; wave != test.size(); ++wave)
    for (unsigned k = 0; k != test.wave(wave).size; ++k) {
      auto const& what = test.wave(wave).program[k];
      if (what.kind == cdna::litmus_kind::load || (what.kind == cdna::litmus_kind::atomic && what.bits.sc0)) ++found;
    }
  return found;
}

class random_litmus_tests {
 public:
  /// `waves`: 2 waves have up to 3 accesses each; 3 waves 2; 4 waves 1, occasionally 2. With more than 2 waves, two
  /// waves share each compute unit.
  explicit random_litmus_tests(unsigned seed, unsigned waves = 2)
      : waves_(waves), number_([engine = std::mt19937_64(seed)]() mutable { return engine(); }) {}
  /// Takes its random numbers from the caller.
  explicit random_litmus_tests(std::function<std::uint64_t()> number, unsigned waves = 2)
      : waves_(waves), number_(std::move(number)) {}

  cdna::litmus_test next() {
    cdna::environment const where{.l2_caches = below(3) == 0 ? 1u : 2u, .tg_split = below(4) == 0};
    cdna::litmus_wave first{}, second{};
    place(second, where);
    cdna::litmus_wave const at_first = first, at_second = second;
    unsigned const most = waves_ == 2 ? 3 : waves_ == 3 || below(16) == 0 ? 2 : 1;
    first = program(first, most);
    second = program(second, most);
    auto test = cdna::litmus(where, first, second);
    if (waves_ == 3) test = cdna::litmus(where, first, second, program(at_first, most));
    if (waves_ == 4) test = cdna::litmus(where, first, second, program(at_first, most), program(at_second, most));
    for (unsigned location = 0; location != 2; ++location)
      test = test.memory(location, {.agent = below(2), .local = type(), .remote = type()});
    unsigned const fewer = below(8);
    if (fewer < 2) return test.without(static_cast<cdna::axiom>(below(6)));
    for (unsigned set = fewer == 2 ? below(64) : 0, k = 0; k != 6; ++k)
      if ((set >> k & 1) != 0) test = test.without(static_cast<cdna::axiom>(k));
    return test;
  }

 private:
  unsigned below(unsigned bound) { return static_cast<unsigned>(number_() % bound); }

  void place(cdna::litmus_wave& wave, cdna::environment const& where) {
    switch (below(4)) {
      case 0:
        break;
      case 1:
        wave.compute_unit = 1;
        break;
      case 2:
        (where.l2_caches > 1 ? wave.xcd : wave.compute_unit) = 1;
        break;
      case 3:
        wave.agent = 1;
        break;
    }
  }
  cdna::memory_type type() { return static_cast<cdna::memory_type>(below(8) < 4 ? 0 : below(4)); }
  cdna::scope any_scope() { return static_cast<cdna::scope>(below(4)); }
  cdna::bits bits() {
    return cdna::encode(any_scope(), below(4) == 0 ? cdna::reuse::non_temporal : cdna::reuse::temporal);
  }

  cdna::litmus_wave program(cdna::litmus_wave made, unsigned most) {
    for (unsigned left = 1 + below(most); left != 0; --left) {
      unsigned const location = below(2);
      switch (below(8)) {
        case 0:
        case 1:
        case 2:
        case 3:
          made = made.load(location, bits());
          break;
        case 4:
          made = made.atomic(location, cdna::bits{.sc1 = below(2) == 0, .sc0 = below(2) == 0});
          break;
        default:
          made = made.store(location, bits());
      }
      if (left != 1) made = between(made);
    }
    return made;
  }
  cdna::litmus_wave between(cdna::litmus_wave const& made) {
    switch (below(7)) {
      case 0:
        return made.release(any_scope());
      case 1:
        return made.acquire(any_scope());
      case 2:
        return made.wait({.vmcnt = below(2)});
      case 3:
        return made.write_back(any_scope());
      case 4:
        return made.invalidate(any_scope());
      case 5:
        return made.fence(cdna::memory_order::seq_cst, any_scope());
      default:
        return made;
    }
  }

  unsigned waves_;
  std::function<std::uint64_t()> number_;
};

}  // namespace coalescing_tests

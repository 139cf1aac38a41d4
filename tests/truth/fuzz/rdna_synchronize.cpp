// SPDX-License-Identifier: BSL-1.0
//
// RDNA's synchronization against its rule in words, on every chip and in both modes. (Against LLVM 22 itself:
// tests/truth/outside.)
#include <coalesce/rdna.hpp>

#include "truth/fuzz/input.hpp"
#include "truth/oracle/rdna_synchronization.hpp"

namespace {

using namespace coalescing_tests;

/// Beyond the last enumerator too, now and then.
template <class Enumeration>
Enumeration any(fuzz_input& in, unsigned count) {
  return static_cast<Enumeration>(in.one_in(32) ? in.byte() : in.below(count));
}

/// The oracle's name for a generation.
template <class Generation>
constexpr unsigned number_of = 0;
template <>
constexpr unsigned number_of<rdna::gfx10> = 10;
template <>
constexpr unsigned number_of<rdna::gfx11> = 11;
template <>
constexpr unsigned number_of<rdna::gfx12> = 12;
template <>
constexpr unsigned number_of<rdna::gfx1250> = 1250;

/// The chips whose generation is known.
constexpr unsigned known_chips = [] {
  unsigned count = 0;
  rdna::every_machine::each([&]<class Chip>() {
    if constexpr (requires { typename Chip::generation; }) ++count;
  });
  return count;
}();

template <class Machine>
void compare(rdna::description const& asked, bool cu_mode) {
  constexpr unsigned generation = number_of<typename Machine::generation>;
  static_assert(generation != 0, "a generation without a line in tests/truth/fuzz/rdna_synchronize.cpp, number_of");
  auto told = asked;
  if (oracle_is_broken && told.scope == rdna::scope::agent) told.scope = rdna::scope::workgroup;
  auto const expected = slow_rdna_synchronization::text(told, generation, cu_mode);
  try {
    auto const made = rdna::synchronize<Machine>(asked, {.cu_mode = cu_mode});
    expect(expected.has_value(), "a synchronization is not refused");
    expect(made.text() == expected->c_str(), "a sequence");
  } catch (coalescing::misuse const&) {
    expect(!expected.has_value(), "a synchronization is refused");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  fuzz_input in(data, size);
  rdna::description const asked{.kind = any<rdna::operation>(in, 6),
                                .space = any<rdna::address_space>(in, 3),
                                .order = any<rdna::memory_order>(in, 6),
                                .failure = any<rdna::memory_order>(in, 6),
                                .scope = any<rdna::scope>(in, 6),
                                .one_address_space = in.one_in(2)};
  auto turn = in.below(known_chips);
  rdna::every_machine::each([&]<class Chip>() {
    if constexpr (requires { typename Chip::generation; })
      if (turn-- == 0) compare<Chip>(asked, in.one_in(2));
  });
  return 0;
}

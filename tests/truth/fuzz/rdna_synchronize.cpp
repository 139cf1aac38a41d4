// SPDX-License-Identifier: BSL-1.0
//
// RDNA's synchronization against its rule in words, in every generation and both modes. (Against LLVM 22 itself:
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

template <class Machine>
void compare(rdna::description const& asked, unsigned generation, bool cu_mode) {
  auto told = asked;
  if (oracle_is_broken && told.kind == rdna::operation::fence && told.scope == rdna::scope::cluster)
    told.scope = rdna::scope::workgroup;
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
  bool const cu_mode = in.one_in(2);
  switch (in.below(5)) {
    case 0:
      compare<rdna::gfx1010>(asked, 10, cu_mode);
      break;
    case 1:
      compare<rdna::gfx1030>(asked, 10, cu_mode);
      break;
    case 2:
      compare<rdna::gfx1151>(asked, 11, cu_mode);
      break;
    case 3:
      compare<rdna::gfx1201>(asked, 12, cu_mode);
      break;
    default:
      compare<rdna::gfx1250>(asked, 1250, !in.one_in(8));  // WGP mode is refused
  }
  return 0;
}

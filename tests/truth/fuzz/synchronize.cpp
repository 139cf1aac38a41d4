// SPDX-License-Identifier: BSL-1.0
//
// CDNA's synchronization against its rule in words, and S_WAITCNT against its encoding. (Against LLVM 22 itself:
// tests/truth/outside.)
#include <coalesce/cdna.hpp>

#include "truth/fuzz/input.hpp"
#include "truth/oracle/synchronization.hpp"

namespace {

using namespace coalescing_tests;

/// Beyond the last enumerator too, now and then.
template <class Enumeration>
Enumeration any(fuzz_input& in, unsigned count) {
  return static_cast<Enumeration>(in.one_in(32) ? in.byte() : in.below(count));
}

void sequence(fuzz_input& in) {
  cdna::description asked{.kind = any<cdna::operation>(in, 6),
                          .space = any<cdna::address_space>(in, 3),
                          .order = any<cdna::memory_order>(in, 6),
                          .failure = any<cdna::memory_order>(in, 6),
                          .scope = any<cdna::scope>(in, 4),
                          .one_address_space = in.one_in(2)};
  cdna::environment const where{.l2_caches = static_cast<unsigned>(in.below(9)), .tg_split = in.one_in(2)};
  auto told = asked;
  if (oracle_is_broken && told.kind == cdna::operation::load && told.order == cdna::memory_order::acquire)
    told.order = cdna::memory_order::monotonic;
  auto const expected = slow_synchronization::text(told, where);
  try {
    auto const made = cdna::synchronize(asked, where);
    expect(expected.has_value(), "a synchronization is not refused");
    expect(made.text() == expected->c_str(), "a sequence");
  } catch (coalescing::misuse const&) {
    expect(!expected.has_value(), "a synchronization is refused");
  }
}

void wait(fuzz_input& in) {
  cdna::waitcnt const asked{.vmcnt = static_cast<unsigned>(in.below(70)),
                            .expcnt = static_cast<unsigned>(in.below(9)),
                            .lgkmcnt = static_cast<unsigned>(in.below(18))};
  bool const exists = asked.vmcnt < 64 && asked.expcnt < 8 && asked.lgkmcnt < 16;
  // Bit by bit, from the highest: vmcnt's upper two, two that are 0, lgkmcnt, one that is 0, expcnt, vmcnt's lower
  // four.
  std::string bits;
  auto const append = [&](unsigned value, unsigned from, unsigned count) {
    for (unsigned bit = from + count; bit-- != from;) bits += (value >> bit & 1) != 0 ? '1' : '0';
  };
  append(asked.vmcnt, 4, 2), bits += "00", append(asked.lgkmcnt, 0, 4);
  bits += '0', append(asked.expcnt, 0, 3), append(asked.vmcnt, 0, 4);
  auto const expected = static_cast<unsigned>(std::stoul(bits, nullptr, 2));
  try {
    expect(asked.simm16() == expected && exists, "simm16");
    expect(cdna::waitcnt::decode(expected) == asked, "decode");
  } catch (coalescing::misuse const&) {
    expect(!exists, "a wait is refused");
  }
  auto const any_word = static_cast<unsigned>(in.number(2));
  bool const is_one = (any_word & 0x3080) == 0;
  try {
    expect(cdna::waitcnt::decode(any_word).simm16() == any_word && is_one, "decode of any 16 bits");
  } catch (coalescing::misuse const&) {
    expect(!is_one, "16 bits are refused");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  fuzz_input in(data, size);
  in.one_in(4) ? wait(in) : sequence(in);
  return 0;
}

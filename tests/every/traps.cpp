// SPDX-License-Identifier: BSL-1.0
//
// Code that reads well and would mean something else is refused, by a name that says why. (Misuses that do not compile
// are in tests/says/must_fail.)
#include <coalesce/coalesce.hpp>

#include "cuda/devices.hpp"
#include "machinery/check.hpp"
#include "truth/oracle/refused.hpp"

#include <array>
#include <string>
#include <vector>

namespace co = coalescing;
namespace gcn = co::gcn;
namespace cdna = co::cdna;
using namespace coalescing_tests;

static_assert(!co::lane_mask<char> && !co::lane_mask<char8_t> && !co::lane_mask<char32_t> && !co::lane_mask<wchar_t>);
static_assert(co::lane_mask<unsigned char> && co::lane_mask<signed char>, "numbers, by their names in <cstdint>");
static_assert(!std::is_constructible_v<co::linear, int> && !std::is_constructible_v<co::linear, int, int>);
static_assert(!std::is_convertible_v<int, co::linear>);

TEST_CASE("linear is given by name, in full or in part") {
  COALESCE_CHECK(co::linear{.base = 8, .stride = 4}(2) == 16);
  COALESCE_CHECK(co::linear{.stride = 4}(2) == 8);
  COALESCE_CHECK(co::linear{.base = 8}(2) == 8);
  COALESCE_CHECK(co::linear{}(2) == 0);
  COALESCE_CHECK(sizeof(co::linear) == 16);
}

TEST_CASE("a text compares with strings of any kind") {
  constexpr auto text = cdna::waitcnt{.vmcnt = 3}.text();
  COALESCE_CHECK(text == "s_waitcnt vmcnt(3)");
  CHECK(text == std::string("s_waitcnt vmcnt(3)"));
  CHECK(std::string("s_waitcnt vmcnt(3)") == text);
  CHECK(text != std::string("s_waitcnt vmcnt(4)"));
  CHECK(text != std::string("s_waitcnt vmcnt(3) "));
}

#ifdef __cpp_exceptions
namespace {

bool says(std::string const& said, char const* words) { return said.find(words) != std::string::npos; }

}  // namespace

TEST_CASE("an offset past the end of shared memory or LDS is refused, and so is one below 0; the last word is not") {
  auto const check = []<class Instruction>() {
    static_assert(Instruction::capacity >= 16 * 1024);
    co::broadcast const last{Instruction::capacity - Instruction::alignment}, beyond{Instruction::capacity};
    CHECK(refusal([&] { return co::cost<Instruction>(last); }) == "");
    CHECK(says(refusal([&] { return co::cost<Instruction>(beyond); }), "past the end of this machine's shared memory"));
    CHECK(says(refusal([] { return co::cost<Instruction>(co::broadcast{0ull - 16}); }), "lane 0, address 0xf"));
  };
  auto const shared = [&]<class Device>() {
    check.template operator()<typename Device::template shared_load<32>>();
    check.template operator()<typename Device::template shared_store<128>>();
  };
  tesla::each(shared), fermi_and_kepler::each(shared), maxwell_and_pascal::each(shared), volta_on::each(shared);
  check.template operator()<cuda::cc90::shared_atomic<32>>();
  check.template operator()<gcn::ds_read<32>>(), check.template operator()<gcn::ds_write<128>>();
  check.template operator()<cdna::gfx942::ds_read<64>>(), check.template operator()<cdna::gfx950::ds_read<128>>();
  check.template operator()<cdna::gfx942::ds_atomic<64>>();
  check.template operator()<co::rdna::gfx1100::ds_load<64>>();
}
TEST_CASE("what each machine's shared memory or LDS holds, in KB") {
  COALESCE_CHECK(cuda::cc13::shared_load<32>::capacity == 16 * 1024);   // PG3.2 G.1
  COALESCE_CHECK(cuda::cc20::shared_load<32>::capacity == 48 * 1024);   // PG5.5 G.1
  COALESCE_CHECK(cuda::cc37::shared_load<32>::capacity == 112 * 1024);  // PG10.2 H.1
  COALESCE_CHECK(cuda::cc52::shared_load<32>::capacity == 96 * 1024);
  COALESCE_CHECK(cuda::cc70::shared_load<32>::capacity == 96 * 1024);  // cuda_occupancy.h from here on
  COALESCE_CHECK(cuda::cc75::shared_load<32>::capacity == 64 * 1024);
  COALESCE_CHECK(cuda::cc80::shared_load<32>::capacity == 164 * 1024);
  COALESCE_CHECK(cuda::cc86::shared_load<32>::capacity == 100 * 1024);
  COALESCE_CHECK(cuda::cc90::shared_load<32>::capacity == 228 * 1024);
  COALESCE_CHECK(cuda::cc100::shared_load<32>::capacity == 228 * 1024);
  COALESCE_CHECK(cuda::cc107::shared_load<32>::capacity == 328 * 1024);
  COALESCE_CHECK(cuda::cc120::shared_load<32>::capacity == 100 * 1024);
  COALESCE_CHECK(gcn::ds_read<32>::capacity == 64 * 1024);
  COALESCE_CHECK(cdna::gfx942::ds_read<32>::capacity == 64 * 1024);
  COALESCE_CHECK(cdna::gfx950::ds_read<32>::capacity == 160 * 1024);
  COALESCE_CHECK(co::rdna::gfx1201::ds_load<32>::capacity == 64 * 1024);
}

TEST_CASE("a negative address narrower than int is refused; wider ones are offsets before an origin") {
  std::vector<short> table(64);
  for (unsigned lane = 0; lane != 64; ++lane) table[lane] = static_cast<short>(4 * lane);
  CHECK(refusal([&] { return co::cost<gcn::buffer_load<32>>(table); }) == "");
  table[7] = -4;
  CHECK(says(refusal([&] { return co::cost<gcn::buffer_load<32>>(table); }), "a negative number narrower than int"));
  CHECK(says(refusal([] {
               return co::cost<gcn::buffer_load<8>>(
                   [](unsigned lane) { return static_cast<signed char>(lane == 9 ? -1 : 0); });
             }),
             "narrower than int"));
  CHECK(refusal([] { return co::cost<gcn::buffer_load<32>>([](int lane) { return 4 * lane - 64; }); }) == "");
  CHECK(refusal([] { return co::cost<gcn::buffer_load<32>>([](int lane) { return 4ll * lane - 64; }); }) == "");
}

TEST_CASE("a number of bytes is no mask of a footprint that knows its bytes") {
  using load = gcn::buffer_load<32>;
  int const sizes[] = {1, 2, 4, 8, 12, 16, 32};
  for (int const bytes : sizes)
    CHECK(says(refusal([=] { return co::footprint<64, load>(co::linear{.stride = 4}, bytes); }), "say so in 64 bits"));
  COALESCE_CHECK(co::footprint<64, load>(co::linear{.stride = 4}, 4ull) == 64);  // lane 2
  COALESCE_CHECK(co::footprint<64, load>(co::linear{.stride = 4}, 0xff) == 64);
  COALESCE_CHECK(co::footprint<64, load>(co::linear{.stride = 4}, -1) == 256);
  COALESCE_CHECK(co::footprint<64>(co::linear{.stride = 4}, 4) == 256);
}

TEST_CASE("an enumerator that does not exist is refused everywhere in the same words") {
  char const* const words = "not one of its enumeration's names";
  using cdna::cache_op, cdna::home, cdna::issued, cdna::memory_type, cdna::scope;
  CHECK(says(refusal([&] { return cdna::may_hit(cache_op(99)); }), words));
  CHECK(says(refusal([&] { return cdna::must_go_on(cache_op(-1)); }), words));
  CHECK(says(refusal([&] { return cdna::line_after_access(cache_op(6)); }), words));
  CHECK(says(refusal([&] { return cdna::marks_dirty(cache_op(6), cdna::mi300x::l2); }), words));
  CHECK(says(refusal([&] { return cdna::cached_in_l2(memory_type(9)); }), words));
  CHECK(says(refusal([&] { return cdna::dropped_by_buffer_inv(memory_type(9)); }), words));
  CHECK(says(refusal([&] { return cdna::kept_coherent_by_probes(memory_type(9), home::local); }), words));
  CHECK(says(refusal([&] { return cdna::kept_coherent_by_probes(memory_type::rw, home(9)); }), words));
  CHECK(says(refusal([&] { return cdna::complete_in_order(issued(99), issued::lds); }), words));
  CHECK(says(refusal([&] { return cdna::complete_in_order(issued::lds, issued(-1)); }), words));
  CHECK(says(refusal([&] { return cdna::issued_operations(issued(40)); }), words));
  CHECK(says(refusal([&] { return cdna::encode(scope(4)); }), words));
  CHECK(says(refusal([&] { return cdna::encode(scope::wave, cdna::reuse(2)); }), words));
  CHECK(says(refusal([&] { return cdna::encode_atomic({.scope = scope(4)}); }), words));
  CHECK(says(refusal([&] { return cdna::reach_of_completed_store(scope(4), {}); }), words));
  CHECK(says(refusal([&] { return cdna::synchronize({.kind = cdna::operation(6)}, {}); }), words));
  CHECK(says(refusal([&] { return cdna::synchronize({.space = cdna::address_space(3)}, {}); }), words));
  CHECK(says(refusal([&] { return cdna::synchronize({.order = cdna::memory_order(6)}, {}); }), words));
  CHECK(says(refusal([&] { return cdna::synchronize({.failure = cdna::memory_order(6)}, {}); }), words));
  CHECK(says(refusal([&] { return cdna::synchronize({.scope = scope(4)}, {}); }), words));
  CHECK(says(refusal([&] { return cdna::mi300x::has(cdna::partition(9)); }), words));
  CHECK(says(refusal([&] { return cdna::gfx942::occupancy({}, cdna::lds_counting(9)); }), words));
}
#endif

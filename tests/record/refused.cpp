// SPDX-License-Identifier: BSL-1.0
#include <coalesce/cdna.hpp>
#include <coalesce/cuda.hpp>
#include <coalesce/gcn.hpp>
#include <coalesce/record.hpp>

#include <string>
#include <vector>

#include "machinery/check.hpp"
#include "truth/oracle/refused.hpp"

// The refusals of a recording at run time: the sentence names the array, the line and the lane.

namespace co = coalescing;
using co::cdna::gfx942, co::cuda::cc90;
using coalescing_tests::refusal;

namespace {

/// The refusal of a body of 64 threads.
template <class Body, class... Arrays>
std::string refused(Body const& body, Arrays const&... arrays) {
  return refusal([&] { return co::record<cc90>(co::kernel{co::launch{.block = {64}}, body, arrays...}); });
}
bool says(std::string const& text, std::string const& words) { return text.find(words) != std::string::npos; }
std::string line_of(unsigned line) { return "line " + std::to_string(line) + ":"; }

struct alignas(16) four {
  float x, y, z, w;
};

}  // namespace

TEST_CASE("record refuses an access outside its array") {
  co::global<float> const out{"out", 64};
  unsigned const line = __LINE__ + 1;
  auto const text = refused([](auto const& t, auto a) { a[t.index() + 1] = 0.f; }, out);
  CHECK(says(text, "array \"out\", "));
  CHECK(says(text, line_of(line)));
  CHECK(says(text, "lane 31, address 0x100: "));  // the byte of the array
  CHECK(says(text, "lies outside"));
  CHECK(refused([](auto const& t, auto a) { a[t.index()] = 0.f; }, out).empty());
  CHECK(says(refused([](auto const&, auto a) { a[-1] = 0.f; }, out), "outside"));
  CHECK(says(refused([](auto const&, auto a) { co::as<four>(a)[16] = {}; }, out), "outside"));
  CHECK(refused([](auto const&, auto a) { co::as<four>(a)[15] = {}; }, out).empty());
  // The last bytes of an element can lie outside, too.
  CHECK(says(refused([](auto const&, auto a) { co::as<four>(a + 60)[1] = {}; }, out), "outside"));
  CHECK(says(refused([](auto const&, auto a) { co::as<double>(a)[1] = 0; }, co::global<float>{"out", 3}), "outside"));
  // Extents, contents and .elements say how large an array is. Without them nothing does.
  CHECK(says(refused([](auto const& t, auto s) { s[t.index()][0] = 0.f; }, co::shared<float[63][2]>{"s"}),
             "array \"s\""));
  CHECK(
      says(refused([](auto const& t, auto s) { s[t.index()] = 0; }, co::shared<unsigned char[]>{"s", 63}), "outside"));
  std::vector<int> const few(63);
  CHECK(says(refused([](auto const& t, auto a) { static_cast<void>(co::value(a[t.index()])); },
                     co::global<int const>{.contents = few}),
             "outside"));
  CHECK(refused([](auto const& t, auto a) { a[t.index() + 99] = 0.f; }, co::global<float>{"out"}).empty());
  // An instruction of co::issue accesses each of its places, and not the address itself.
  auto const issues = [&](auto const& issue) {
    auto const body = [&](auto const& t, auto s) { issue(&s[t.lane()]); };
    co::kernel const k{co::launch{.block = {64}}, body, co::shared<float[128]>{"s"}};
    CHECK(refusal([&] { return co::races<64>(k); }).empty() == refusal([&] { return co::record<gfx942>(k); }).empty());
    return refusal([&] { return co::record<gfx942>(k); });
  };
  CHECK(issues([](auto p) { co::issue<gfx942::ds_read2<32, 0, 64>>(p); }).empty());
  CHECK(says(issues([](auto p) { co::issue<gfx942::ds_read2<32, 0, 65>>(p); }), "lane 63, address 0x200: "));
  CHECK(says(issues([](auto p) { co::issue<gfx942::ds_read2<32, 0, 255>>(p); }), "outside the array"));
  CHECK(issues([](auto p) { co::issue<gfx942::ds_read2<32, 4, 5>>(p - 4); }).empty());
  // One past the end is no access.
  CHECK(refused([](auto const&, auto a) { static_cast<void>(a + 65 == a); }, out).empty());
}

TEST_CASE("record refuses an element past the end of memory, whatever came before it") {
  struct three {
    float x, y, z;
  };
  // CC 9.0 has 233,472 bytes of shared memory, which are 19,456 elements. Both accesses cost the same, since they lie
  // 384 bytes apart, a multiple of the period.
  auto const both = [](auto const&, auto tile) {
    for (unsigned k = 19'423; k <= 19'455; k += 32) tile[k] = {};
  };
  CHECK(refused(both, co::shared<three[]>{"tile", 20'000, 0}).empty());
  for (std::uint64_t const base : {4u, 8u})
    CHECK(
        says(refused(both, co::shared<three[]>{"tile", 20'000, base}), "past the end of this machine's shared memory"));
  constexpr std::uint64_t top = ~std::uint64_t{0} - 11;  // the last address of 12 bytes
  auto const one = [](auto const&, auto a) { a[0] = {}; };
  CHECK(refused(one, co::global<three>{"out", 0, top}).empty());
  for (std::uint64_t const base : {top + 4, top + 8})
    CHECK(says(refused(one, co::global<three>{"out", 0, base}), "past the top of the 64-bit address space"));
}

TEST_CASE("record refuses an address that is less aligned than its type") {
  unsigned const line = __LINE__ + 1;
  auto const text = refused([](auto const&, auto a) { co::as<four>(a + 1)[0] = {}; }, co::global<float>{"out", 64});
  CHECK(says(text, "alignment"));
  CHECK(says(text, line_of(line)));
  CHECK(says(text, "array \"out\""));
  CHECK(says(refused([](auto const&, auto a) { a[0] = 0.f; }, co::global<float>{"out", 64, 2}), "alignment"));
  CHECK(says(refused([](auto const&, auto s) { co::as<float>(s + 2)[0] = 0.f; }, co::shared<char[64]>{"s"}),
             "alignment"));
}

TEST_CASE("record refuses integers without contents") {
  co::global<float> const out{"out", 64};
  co::global<int const> const in{"in", 64};
  auto const gather = [](auto const& t, auto a, auto index) { a[index[t.index()]] = 0.f; };
  auto const text = refused(gather, out, in);
  CHECK(says(text, "array \"in\""));
  CHECK(says(text, "contents"));
  CHECK(says(text, "lane 0, address 0x0"));
  CHECK(refused(gather, out, co::global<int const>{.name = "in", .elements = 64, .any_value = true}).empty());
  CHECK(says(refused([](auto const&, auto a) { static_cast<void>(co::value(co::as<int>(a)[0])); }, out), "contents"));
  enum class key : int {};
  CHECK(says(refused([](auto const&, auto a) { static_cast<void>(co::value(a[0])); }, co::global<key>{"keys", 4}),
             "contents"));
  // So is an atomic's result, where it is used.
  co::global<unsigned> const counter{"counter", 1};
  CHECK(refused([](auto const&, auto c) { co::atomic_add(c[0], 1); }, counter).empty());
  unsigned const line = __LINE__ + 1;
  auto const used = refused([](auto const&, auto c) { static_cast<void>(unsigned(co::atomic_add(c[0], 1))); }, counter);
  CHECK(says(used, "contents"));
  CHECK(says(used, line_of(line)));
}

TEST_CASE("record refuses lanes that reach accesses in different orders") {
  co::global<float> const a{"a", 64}, b{"b", 64};
  // Even lanes visit a and then b, odd lanes b and then a.
  auto const turns = [](auto const& t, auto x, auto y) {
    for (unsigned k = 0; k != 2; ++k)
      if ((k + t.lane()) % 2 == 0)
        x[t.lane()] = 0.f;
      else
        y[t.lane()] = 0.f;
  };
  auto const text = refused(turns, a, b);
  CHECK(says(text, "different orders"));
  CHECK(says(text, "t.loop()"));
  CHECK(says(text, "lane 1"));
  CHECK(refused(
            [](auto const& t, auto x, auto y) {
              unsigned k = 0;
              for (auto again = t.loop(); again(k < 2); ++k)
                if ((k + t.lane()) % 2 == 0)
                  x[t.lane()] = 0.f;
                else
                  y[t.lane()] = 0.f;
            },
            a, b)
            .empty());
  // Over three places, no two of which two lanes share in both orders: 0 and 1, 1 and 2, 2 and 0.
  auto const circle = [](auto const& t, auto x, auto y) {
    auto const one = [&] { x[0] = 0.f; };
    auto const two = [&] { y[0] = 0.f; };
    auto const three = [&] { y[1] = 0.f; };
    if (t.lane() == 0) one(), two();
    if (t.lane() == 1) two(), three();
    if (t.lane() == 2) three(), one();
  };
  CHECK(says(refused(circle, a, b), "lane 2"));
  // The inner loop of an unmarked one differs between lanes.
  CHECK(says(refused(
                 [](auto const& t, auto x, auto y) {
                   for (unsigned i = 0; i != 2; ++i) {
                     x[t.lane()] = 0.f;
                     for (unsigned j = 0; j != (i + t.lane()) % 2; ++j) y[t.lane()] = 0.f;
                   }
                 },
                 a, b),
             "different orders"));
}

TEST_CASE("record refuses what it cannot hold, and questions without an answer") {
  co::global<float> const out{"out", 64};
  co::kernel const two{co::launch{.grid = {2, 3}, .block = {64}}, [](auto const& t, auto a) { a[t.index()] = a[0]; },
                       out};
  auto const small = refusal([&] { return co::record<cc90, 1>(two); });
  CHECK(says(small, "MostSites"));
  CHECK(says(small, "array \"out\""));
  auto const seen = co::record<cc90>(two);
  CHECK(says(refusal([&] { return seen.of("ou"); }), "no array of that name"));
  CHECK(says(refusal([&] { return seen.loads("outs"); }), "no array of that name"));
  CHECK(seen.atomics(co::memory_space::shared).issued == 0);
  CHECK(says(refusal([&] { return seen.at(1); }), "no access was recorded at that line"));
  CHECK(says(refusal([&] { return seen[2].bits; }), "number of sites"));
  CHECK(says(refusal([&] { return seen.expected("l1tex__sectors"); }), "no counter of that name"));
  CHECK(says(refusal([&] { return co::record<cc90>(two, co::place{2, 0}); }), "outside the grid"));
  CHECK(says(refusal([&] { return co::record<cc90>(two, co::place{0, 3}); }), "outside the grid"));
  CHECK(says(refusal([&] { return co::record<cc90>(two, co::place{0, 0, 1}); }), "outside the grid"));
  CHECK(says(refusal([&] { return co::races(two, co::place{2, 0}); }), "outside the grid"));
  CHECK(says(refusal([&] { return co::record<cc90>(two, co::warps{.block = {2, 0}}); }), "outside the grid"));
  CHECK(says(refusal([&] { return co::record<cc90>(two, co::warps{.first = 1, .count = 2}); }), "fewer warps"));
  CHECK(says(refused([](auto const&, auto) {}, co::shared<char[]>{"s"}), ".elements"));
  CHECK(says(refused([](auto const&, auto a) { co::issue<gfx942::ds_read<32>>(a); }, co::shared<float[64]>{"s"}),
             "wider or narrower warps"));
  co::kernel const narrow{co::launch{.block = {64}},
                          [](auto const& t, auto a) { co::issue<cc90::load<32>>(a + t.index()); }, out};
  CHECK(says(refusal([&] { return co::record<gfx942>(narrow); }), "wider or narrower warps"));
  CHECK(co::record<cc90>(narrow).total().issued == 2);
  std::vector<float> const none;
  auto const reads = [](auto const& t, auto a, auto b) { b[t.index()] = a[t.index()]; };
  CHECK(says(refused(reads, co::global<float const>{.name = "a", .contents = none}, out), "have no element"));
  // An array that ends at the top of memory, and one that would run past it.
  auto const top = [](auto const& t, auto a) { a[t.index()] = 0; };
  CHECK(refused(top, co::global<char>{"out", 64, 0 - std::uint64_t{65}}).empty());
  CHECK(says(refused(top, co::global<char>{"out", 64, 0 - std::uint64_t{63}}), "top of the 64-bit address space"));
  // Shared arrays that no shared memory holds.
  auto const both = [](auto const& t, auto s, auto far) { far[t.index()] = s[t.index()] = 1; };
  auto const at = [&](std::uint64_t base) {
    return refused(both, co::shared<int[64]>{"s"}, co::shared<int[64]>{.name = "far", .base = base});
  };
  CHECK(at(1024).empty());
  CHECK(says(at(1u << 24), "span more than 2^24 bytes"));
  CHECK(says(at(std::uint64_t{1} << 34), "span more than 2^24 bytes"));
  CHECK(says(at((1u << 24) - 256), "end of this machine's shared memory"));
  // A shared array that is larger than the machine's shared memory.
  CHECK(says(refused([](auto const& t, auto s) { s[240 * 1024 - t.index()] = 0; }, co::shared<char[256 * 1024]>{"s"}),
             "end of this machine's shared memory"));
}

TEST_CASE("record: what a counter should show") {
  co::kernel const atomics{co::launch{.block = {32}},
                           [](auto const& t, auto a, auto s) {
                             a[t.lane()] = 0;
                             s[t.lane()] = 0;
                             co::atomic_add(s[0], 1u);
                           },
                           co::global<unsigned>{"a", 32}, co::shared<unsigned[32]>{"s"}};
  auto const known = co::record<cc90>(atomics);
  CHECK(known.expected("l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum") == 4);
  CHECK(known.expected("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum") == 1);
  CHECK(known.expected("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum") == 0);
  // No source tells what atomics in LDS of GCN cost, so none tells what the counter of LDS shows.
  auto const some = co::record<co::gcn::machine>(atomics);
  CHECK(!some.atomics("s").is_counted);
  CHECK(some.expected("SQ_LDS_BANK_CONFLICT") == co::not_counted);
  CHECK(some.expected("TCP_TCC_READ_REQ_sum") == co::not_counted);  // of no recorded access, and one is unknown
  auto const cdna = co::record<gfx942>(atomics);
  CHECK(cdna.expected("TCP_TCC_WRITE_REQ_sum") == 2);  // 128 bytes, 64 in a write
}

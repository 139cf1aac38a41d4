// SPDX-License-Identifier: BSL-1.0
#include <coalesce/cdna.hpp>
#include <coalesce/cuda.hpp>
#include <coalesce/gcn.hpp>
#include <coalesce/record.hpp>

#include <array>
#include <string_view>
#include <vector>

#include "machinery/check.hpp"

// The words of a kernel's body, and the accesses that they make. Warps have 32 lanes, sectors 32 bytes.

namespace co = coalescing;
using co::cdna::gfx942, co::cuda::cc13, co::cuda::cc90;

namespace {

constexpr co::launch warp{.block = {32}};
constexpr co::global<float> floats{"a", 128};
constexpr co::global<unsigned> counters{.name = "c", .elements = 64, .any_value = true};

/// The accesses of a body of one warp to an array of floats.
template <class Body>
constexpr auto seen_of(Body const& body) {
  return co::record<cc90, 8>(co::kernel{warp, body, floats});
}
template <class Body>
constexpr auto counted(Body const& body) {
  return co::record<cc90, 8>(co::kernel{warp, body, counters});
}

struct particle {
  float x, y, z, mass;
};
struct three {
  float x, y, z;
};
struct alignas(16) four {
  float x, y, z, w;
};

}  // namespace

TEST_CASE("record: a load is a conversion, a store an assignment") {
  constexpr auto load = seen_of([](auto const& t, auto a) {
    float const x = a[t.lane()];
    static_cast<void>(x);
  });
  COALESCE_CHECK(load.size() == 1);
  COALESCE_CHECK(load[0].kind == co::touch::load);
  COALESCE_CHECK(load[0].bits == 32);
  COALESCE_CHECK(load[0].space == co::memory_space::global);
  COALESCE_CHECK(load[0].cost.transactions == 4);
  COALESCE_CHECK(load[0].worst == 4);
  COALESCE_CHECK(load[0].cost.rounds == co::not_counted);
  COALESCE_CHECK(load[0].cost.issued == 1);
  COALESCE_CHECK(load[0].cost.is_counted);
  COALESCE_CHECK(std::string_view(load[0].instruction) == "cuda::cc90::load<32>");
  COALESCE_CHECK(std::string_view(load[0].array) == "a");
  COALESCE_CHECK(load.blocks == 1);

  constexpr auto store = seen_of([](auto const& t, auto a) { a[2 * t.lane()] = 1.f; });
  COALESCE_CHECK(store.size() == 1);
  COALESCE_CHECK(store[0].kind == co::touch::store);
  COALESCE_CHECK(store[0].cost.transactions == 8);
  COALESCE_CHECK(store[0].ideal.transactions == 4);
  COALESCE_CHECK(store[0].cost.partial_sectors == 8);

  constexpr auto copy = seen_of([](auto const& t, auto a) { a[t.lane()] = a[t.lane() + 64]; });
  COALESCE_CHECK(copy.size() == 2);
  COALESCE_CHECK(copy[0].kind == co::touch::load);
  COALESCE_CHECK(copy[1].kind == co::touch::store);
  COALESCE_CHECK(copy.total().issued == 2);
  COALESCE_CHECK(copy.total().transactions == 8);
  COALESCE_CHECK(copy.stores("a").bytes_used == 128);
}

TEST_CASE("record: a compound assignment is a load and a store") {
  constexpr auto plus = seen_of([](auto const& t, auto a) { a[t.lane()] += 1.f; });
  COALESCE_CHECK(plus.size() == 2);
  COALESCE_CHECK(plus.loads("a").transactions == 4);
  COALESCE_CHECK(plus.stores("a").transactions == 4);
  constexpr auto first = counted([](auto const& t, auto c) {
    auto const k = t.lane();
    c[k] -= 1, c[k] *= 2u, c[k] /= 3u;
  });
  COALESCE_CHECK(first.loads("c").issued == 3);
  COALESCE_CHECK(first.stores("c").issued == 3);
  constexpr auto second = counted([](auto const& t, auto c) {
    auto const k = t.lane();
    c[k] %= 4u, c[k] |= 5u, c[k] &= 6u, c[k] ^= 7u;
  });
  COALESCE_CHECK(second.loads("c").issued == 4);
  COALESCE_CHECK(second.stores("c").issued == 4);
  constexpr auto third = counted([](auto const& t, auto c) {
    auto const k = t.lane();
    c[k] <<= 1, c[k] >>= 1;
    ++c[k], c[k]++;
  });
  COALESCE_CHECK(third.loads("c").issued == 4);
  COALESCE_CHECK(third.stores("c").issued == 4);
  constexpr auto down = counted([](auto const& t, auto c) {
    --c[t.lane()];
    c[t.lane()]--;
    c[t.lane()] += c[t.lane() + 32];  // the right operand is read first
  });
  COALESCE_CHECK(down.loads("c").issued == 4);
  COALESCE_CHECK(down.stores("c").issued == 3);
  COALESCE_CHECK(down.size() == 7);
  COALESCE_CHECK(down[4].kind == co::touch::load);
  COALESCE_CHECK(down[5].kind == co::touch::load);
}

TEST_CASE("record: pointers move, compare and subtract as raw ones do") {
  constexpr auto moves = seen_of([](auto const& t, auto a) {
    auto p = a + t.lane();
    p += 32, p -= 16, ++p, --p, p++, p--;
    auto q = 16 + a;
    float sum = *p;  // element lane + 16: sectors 2 to 5
    sum += q[-16];   // element 0
    sum += p[8];     // lane + 24
    sum += (p - a == t.lane() + 16 && q - 16 == a && p != a && a < p && p > a && a <= q && q >= a) ? 0.f : *(a + 127);
    sum += a == nullptr || !a ? *(a + 127) : 0.f;
    auto* none = static_cast<float*>(nullptr);
    static_cast<void>(none);
    static_cast<void>(sum);
  });
  COALESCE_CHECK(moves.size() == 3);
  COALESCE_CHECK(moves[0].cost.transactions == 4);
  COALESCE_CHECK(moves[1].cost.transactions == 1);
  COALESCE_CHECK(moves[2].cost.transactions == 4);
  // An index that stands first has its line, too: two stores, each of 16 lanes.
  constexpr auto branches = seen_of([](auto const& t, auto a) {
    if (t.lane() % 2 != 0)
      *(t.lane() + a) = 0.f;
    else
      *(t.lane() + a) = 1.f;
  });
  COALESCE_CHECK((branches.size() == 2 && branches.total().issued == 2 && branches[1].at.line != branches[0].at.line));
  constexpr auto address = seen_of([](auto const& t, auto a) {
    auto p = &a[t.lane()];
    *p = *(p + 32);
    auto r = &*p;
    r[1] = 0.f;
  });
  COALESCE_CHECK(address.size() == 3);
  COALESCE_CHECK(address.loads("a").transactions == 4);
  COALESCE_CHECK(address[2].cost.transactions == 5);
  constexpr auto constant = seen_of([](auto const& t, auto a) {
    auto const sum = []<class Pointer>(Pointer const& p) { return p[0] + p[1]; };
    a[t.lane()] = sum(a + t.lane());
  });
  COALESCE_CHECK(constant.loads("a").issued == 2);
  COALESCE_CHECK(constant.loads("a").transactions == 4 + 5);
}

TEST_CASE("record: values of elements, of members, and of other types") {
  constexpr auto value = seen_of([](auto const& t, auto a) {
    auto const x = co::value(a[t.lane()]);
    static_assert(std::is_same_v<decltype(x), float const>);
    a[t.lane()] = x < co::value(a[0]) ? x : 0.f;
  });
  COALESCE_CHECK(value.loads("a").issued == 2);
  COALESCE_CHECK(value.loads("a").transactions == 5);
  COALESCE_CHECK(co::value(3) == 3);

  constexpr co::kernel members{warp,
                               [](auto const& t, auto p) {
                                 co::member(p[t.lane()], &particle::mass) = 1.f;
                                 float const y = (p + t.lane())->*&particle::y;
                                 particle const whole = p[t.lane()];
                                 static_cast<void>(y), static_cast<void>(whole);
                               },
                               co::global<particle>{"p", 32}};
  constexpr auto on_nvidia = co::record<cc90, 4>(members);
  COALESCE_CHECK(on_nvidia.size() == 3);
  COALESCE_CHECK(on_nvidia[0].bits == 32);
  COALESCE_CHECK(on_nvidia[0].cost.transactions == 16);
  COALESCE_CHECK(on_nvidia[1].cost.transactions == 16);
  COALESCE_CHECK(on_nvidia[2].bits == 128);
  COALESCE_CHECK(on_nvidia[2].cost.issued == 4);
  COALESCE_CHECK(on_nvidia[2].cost.transactions == 4 * 16);  // 4 loads of 32 bits
  COALESCE_CHECK(on_nvidia[2].worst == 64);
  constexpr auto on_cdna =
      co::record<gfx942, 4>(co::kernel{co::launch{.block = {32}}, members.body, co::global<particle>{"p", 32}});
  COALESCE_CHECK(on_cdna[2].cost.issued == 1);  // one of 128 bits

  constexpr auto wide = seen_of([](auto const& t, auto a) {
    four const v = co::as<four>(a)[t.lane()];
    static_cast<void>(v);
  });
  COALESCE_CHECK(wide.size() == 1);
  COALESCE_CHECK(wide[0].cost.issued == 1);
  COALESCE_CHECK(wide[0].bits == 128);
  COALESCE_CHECK(wide[0].cost.transactions == 16);
}

TEST_CASE("record: an element is moved by the widest instructions that its alignment allows") {
  constexpr auto body = [](auto const& t, auto p) {
    three const x = p[t.lane()];
    static_cast<void>(x);
  };
  constexpr co::kernel vectors{co::launch{.block = {64}}, body, co::global<three const>{"p", 64}};
  constexpr auto nvidia = co::record<cc90, 2>(vectors);
  COALESCE_CHECK(nvidia[0].cost.issued == 2 * 3);
  COALESCE_CHECK(nvidia[0].cost.transactions == 2 * 3 * 12);
  COALESCE_CHECK(co::record<gfx942, 2>(vectors)[0].cost.issued == 1);  // of 96 bits
  COALESCE_CHECK(co::record<co::gcn::machine, 2>(vectors)[0].cost.issued == 1);
  // In LDS 96 bits are aligned as 128 are, so three elements of 32 bits are moved.
  constexpr co::kernel in_lds{co::launch{.block = {64}}, body, co::shared<three[64]>{"p"}};
  COALESCE_CHECK(co::record<gfx942, 2>(in_lds)[0].cost.issued == 3);
  struct alignas(8) twelve {
    double a;
    float b;
  };
  static_assert(sizeof(twelve) == 16);
  constexpr auto pairs = co::record<cc90, 2>(co::kernel{warp,
                                                        [](auto const& t, auto p) {
                                                          twelve const x = p[t.lane()];
                                                          static_cast<void>(x);
                                                        },
                                                        co::global<twelve const>{"p", 32}});
  COALESCE_CHECK(pairs[0].cost.issued == 2);
  COALESCE_CHECK(pairs[0].cost.transactions == 2 * 16);  // 64 bits each
}

TEST_CASE("record: arrays of one to three extents, and without one") {
  constexpr auto cube = co::record<cc90, 4>(co::kernel{warp,
                                                       [](auto const& t, auto s) {
                                                         s[1][2][t.lane()] = 0.f;
                                                         auto row = s[1][2];
                                                         row[t.lane()] = 1.f;
                                                         *(row + t.lane()) = 2.f;
                                                         s[t.lane() / 16][0][0] = 0.f;
                                                       },
                                                       co::shared<float[2][4][32]>{"s"}});
  COALESCE_CHECK(cube.size() == 4);
  COALESCE_CHECK(cube[0].cost.rounds == 1);
  COALESCE_CHECK(cube[2].cost.conflicts == 0);
  COALESCE_CHECK(cube[3].cost.rounds == 2);  // 512 bytes apart: one bank
  // Shared arrays follow one another at multiples of 128 bytes; one of another base says so.
  constexpr auto bases =
      co::record<cc90, 8>(co::kernel{warp,
                                     [](auto const& t, auto s, auto raw, auto last) {
                                       s[0] = 0.f;
                                       co::as<float>(raw)[t.lane()] = 0.f;
                                       last[t.lane()] = 0.f;
                                     },
                                     co::shared<float[3]>{"s"}, co::shared<unsigned char[]>{"raw", 256},
                                     co::shared<float[32]>{.name = "last", .base = 1024}});
  COALESCE_CHECK(bases.size() == 3);
  COALESCE_CHECK(bases.of("raw").rounds == 1);
  COALESCE_CHECK(bases.of("last").rounds == 1);
  constexpr auto one = co::record<cc90, 2>(
      co::kernel{warp, [](auto const& t, auto a) { a[t.lane()] = 0.f; }, co::global<float>{"a", 32, 4}});
  COALESCE_CHECK(one.of("a").transactions == 5);  // its base is byte 4
}

TEST_CASE("record: contents") {
  constexpr std::array<unsigned, 32> table = [] {
    std::array<unsigned, 32> all{};
    for (unsigned k = 0; k != 32; ++k) all[k] = 8 * k;
    return all;
  }();
  static constexpr auto kept = table;
  constexpr co::kernel gather{warp, [](auto const& t, auto index, auto a) { a[index[t.lane()]] = 0.f; },
                              co::global<unsigned const>{.name = "index", .contents = kept},
                              co::global<float>{"a", 256}};
  constexpr auto seen = co::record<cc90, 4>(gather);
  COALESCE_CHECK(seen.of("a").transactions == 32);
  COALESCE_CHECK(seen.of("index").transactions == 4);

  std::vector<unsigned char> const bytes(32, 3);
  co::kernel const chosen{warp, [](auto const& t, auto index, auto a) { a[index[t.lane()]] = 0.f; },
                          co::global<unsigned char const>{.name = "index", .contents = bytes},
                          co::global<float>{"a", 4}};
  CHECK(co::record<cc90>(chosen).of("a").transactions == 1);
  CHECK(co::record<cc90>(chosen).of("index").transactions == 1);
  // Other loads are 0, and classes are empty.
  constexpr auto zero = counted([](auto const& t, auto c) { c[c[t.lane()] + t.lane()] = 1; });
  COALESCE_CHECK(zero.stores("c").transactions == 4);
}

TEST_CASE("record: atomics") {
  constexpr auto one = counted([](auto const&, auto c) { co::atomic_add(c[0], 1); });
  COALESCE_CHECK(one.size() == 1);
  COALESCE_CHECK(one[0].kind == co::touch::atomic);
  COALESCE_CHECK(one[0].cost.lanes_on_one_address == 32);
  COALESCE_CHECK(one.atomics("c").issued == 1);
  COALESCE_CHECK(one.atomics("c").transactions == 1);
  COALESCE_CHECK(one.stores("c").issued == 0);
  constexpr auto all = counted([](auto const& t, auto c) {
    co::atomic_sub(c[t.lane()], 1), co::atomic_min(c[t.lane()], 1u), co::atomic_max(c[t.lane()], 1u);
    co::atomic_and(c[t.lane()], 1u), co::atomic_or(c[t.lane()], 1u), co::atomic_xor(c[t.lane()], 1u);
    co::atomic_exchange(c[t.lane()], 1u), co::atomic_cas(c[t.lane()], 1u, 2u);
  });
  COALESCE_CHECK(all.size() == 8);
  COALESCE_CHECK(all.atomics("c").issued == 8);
  COALESCE_CHECK(all.atomics("c").transactions == 32);
  COALESCE_CHECK(all.atomics("c").lanes_on_one_address == 1);
  // A maximum stays one.
  constexpr auto most =
      counted([](auto const& t, auto c) { co::atomic_add(c[t.lane() / 4], 1), co::atomic_add(c[t.lane() / 2], 1); });
  COALESCE_CHECK(most.of("c").lanes_on_one_address == 4);
  // Its result is used where the array says any_value.
  constexpr auto slot = counted([](auto const& t, auto c) {
    unsigned const before = co::atomic_add(c[0], 1);
    c[before + t.lane()] = 1;
  });
  COALESCE_CHECK(slot.stores("c").transactions == 4);
  // The cost of atomics on CC 1.x, and in LDS of GCN: no source tells it.
  constexpr co::kernel old{warp, [](auto const&, auto c) { co::atomic_add(c[0], 1), c[0] = 1; }, counters};
  constexpr auto unknown = co::record<cc13, 4>(old);
  COALESCE_CHECK(!unknown[0].cost.is_counted);
  COALESCE_CHECK(unknown[0].cost.transactions == co::not_counted);
  COALESCE_CHECK(unknown.of("c").transactions == co::not_counted);
  COALESCE_CHECK(unknown.of("c").issued == 2);
  COALESCE_CHECK(!unknown.total().is_counted);
  COALESCE_CHECK(unknown.stores("c").is_counted);
  COALESCE_CHECK(*unknown[0].instruction == '\0');
  COALESCE_CHECK(unknown[0].worst == 0);

  // For raw references they are plain arithmetic on the host.
  constexpr auto plain = [] {
    unsigned x = 5;
    unsigned const before[] = {co::atomic_add(x, 3),      co::atomic_sub(x, 1),       co::atomic_min(x, 6u),
                               co::atomic_max(x, 9u),     co::atomic_and(x, 8u),      co::atomic_or(x, 3u),
                               co::atomic_xor(x, 1u),     co::atomic_exchange(x, 7u), co::atomic_cas(x, 7u, 20u),
                               co::atomic_cas(x, 7u, 30u)};
    unsigned const expected[] = {5, 8, 7, 6, 9, 8, 11, 10, 7, 20};
    for (unsigned k = 0; k != 10; ++k)
      if (before[k] != expected[k]) return false;
    return x == 20;
  };
  COALESCE_CHECK(plain());
}

TEST_CASE("record: an instruction of the kernel's own") {
  constexpr co::kernel own{warp,
                           [](auto const& t, auto s) {
                             co::issue<cc90::ldmatrix<4>>(s + 8 * t.lane());
                             co::issue<cc90::ldmatrix<1>>(s + 8 * t.lane());  // of eight lanes
                           },
                           co::shared<unsigned short[256]>{"s"}};
  constexpr auto seen = co::record<cc90, 2>(own);
  COALESCE_CHECK(seen.size() == 2);
  COALESCE_CHECK(seen[0].kind == co::touch::issued);
  COALESCE_CHECK(seen[0].cost.rounds == 4);
  COALESCE_CHECK(seen[1].cost.rounds == 1);
  COALESCE_CHECK(seen.of("s").issued == 2);
  COALESCE_CHECK(seen.loads("s").issued == 0);
  COALESCE_CHECK(std::string_view(seen[1].instruction) == "cuda::cc90::ldmatrix<1>");
  int raw = 0;
  co::issue<cc90::ldmatrix<4>>(&raw);  // of a raw pointer it is nothing
}

TEST_CASE("record: threads") {
  constexpr co::launch threads{.grid = {3, 2, 2}, .block = {8, 4, 2}};
  constexpr auto body = [](auto const& t, auto a) {
    using thread = std::remove_cvref_t<decltype(t)>;
    static_assert(thread::is_recorded && thread::warp_size() == 32);
    bool const right = t.index() == t.thread.x + 8 * (t.thread.y + 4 * t.thread.z) && t.lane() == t.index() % 32 &&
                       t.warp() == t.index() / 32 && t.block.x == 2 && t.block.y == 1 && t.block.z == 1 &&
                       t.grid_size == co::place{3, 2, 2} && t.block_size == co::place{8, 4, 2};
    if (right) a[t.index()] = 0.f;
  };
  constexpr co::kernel k{threads, body, floats};
  constexpr auto seen = co::record<cc90, 2>(k, co::place{2, 1, 1});
  COALESCE_CHECK(seen.of("a").bytes_used == 64 * 4);
  COALESCE_CHECK(seen.of("a").issued == 2);
  COALESCE_CHECK(seen[0].worst_block == co::place{2, 1, 1});
  COALESCE_CHECK(co::record<cc90, 2>(k, co::place{1, 1, 1}).size() == 0);
  constexpr auto part = co::record<cc90, 2>(k, co::warps{.block = {2, 1, 1}, .first = 1});
  COALESCE_CHECK(part.of("a").issued == 1);
  COALESCE_CHECK(part[0].worst_warp == 1);
  COALESCE_CHECK(co::record<gfx942, 2>(co::kernel{threads, [](auto const& t, auto a) { a[t.index()] = 0.f; }, floats})
                     .of("a")
                     .issued == 1);
}

// SPDX-License-Identifier: BSL-1.0
#include <coalesce/cuda.hpp>
#include <coalesce/gcn.hpp>
#include <coalesce/record.hpp>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "machinery/check.hpp"
#include "truth/oracle/refused.hpp"

// Values that lanes pass through shared memory. Bodies keep what they load in the host's memory, which the last pass,
// the recording, writes last.

namespace co = coalescing;
using co::cuda::cc90;
using coalescing_tests::refusal;

namespace {

constexpr co::launch threads(unsigned n) { return {.block = {n}}; }
bool says(std::string const& text, std::string const& words) { return text.find(words) != std::string::npos; }

template <unsigned N>
struct numbers {
  unsigned of[N] = {};
  bool operator==(numbers const&) const = default;
};

/// What 4 or 8 threads keep, where an array of unsigned is remembered.
template <unsigned N, class Body>
constexpr numbers<N> kept(Body const& body) {
  numbers<N> keep;
  auto const with = [&](auto const& t, auto s) { body(t, s, keep.of); };
  static_cast<void>(co::record<cc90, 8>(
      co::kernel{threads(N), with, co::shared<unsigned[N]>{.name = "s", .remembered = true}}, co::place{}));
  return keep;
}

}  // namespace

TEST_CASE("intervals: a load gives what another thread stored before the barrier") {
  COALESCE_CHECK(kept<4>([](auto const& t, auto s, unsigned* keep) {
                   s[t.index()] = 10 + t.index();
                   t.sync();
                   keep[t.index()] = s[3 - t.index()];
                 }) == numbers<4>{{13, 12, 11, 10}});
  // The version of an earlier interval stays, until a thread writes again.
  COALESCE_CHECK(kept<4>([](auto const& t, auto s, unsigned* keep) {
                   s[t.index()] = t.index();
                   t.sync();
                   if (t.index() == 0) s[3] = 7;
                   t.sync();
                   keep[t.index()] = s[3 - t.index()] * 10 + s[1];
                 }) == numbers<4>{{71, 21, 11, 1}});
  // A thread sees its own stores at once, and others' of the intervals before.
  COALESCE_CHECK(kept<4>([](auto const& t, auto s, unsigned* keep) {
                   s[t.index()] = 1;
                   s[t.index()] += 2;
                   s[t.index()] += s[t.index()];
                   t.sync();
                   keep[t.index()] = s[t.index() ^ 1];
                 }) == numbers<4>{{6, 6, 6, 6}});
}

TEST_CASE("intervals: a prefix sum in place, at compile time") {
  COALESCE_CHECK(kept<4>([](auto const& t, auto s, unsigned* keep) {
                   unsigned const i = t.index();
                   s[i] = i + 1;
                   t.sync();
                   for (unsigned d = 1; d < 4; d *= 2) {
                     unsigned const left = i < d ? 0 : unsigned(s[i - d]);
                     t.sync();
                     s[i] += left;
                     t.sync();
                   }
                   keep[i] = s[i];
                 }) == numbers<4>{{1, 3, 6, 10}});
}

namespace {

/// Stream compaction: a prefix sum of flags steers a scatter. Elements i with (7 i + 3) % 5 < 2 are kept.
constexpr bool is_kept(unsigned i) { return (i * 7 + 3) % 5 < 2; }
struct compaction {
  template <class Thread, class Out, class Shared>
  constexpr void operator()(Thread const& t, Out out, Shared s) const {
    unsigned const i = t.index(), n = t.block_size.x;
    s[i] = is_kept(i);
    t.sync();
    for (unsigned d = 1; d < n; d *= 2) {
      unsigned const left = i < d ? 0 : unsigned(s[i - d]);
      t.sync();
      s[i] += left;
      t.sync();
    }
    if (is_kept(i)) out[s[i] - 1u] = 0.f;
  }
};
/// The addresses that the only store to `out` has, by lane, of a warp. (0: the lane stores nothing.)
template <class Recording>
std::vector<std::uint64_t> stored(Recording const& seen) {
  for (co::site const& s : seen)
    if (s.kind == co::touch::store && s.space == co::memory_space::global) {
      std::vector<std::uint64_t> all;
      for (unsigned k = 0; k != 32; ++k)
        all.push_back((s.worst_access.active >> k & 1) != 0 ? s.worst_access.address[k] : 0);
      return all;
    }
  return {};
}

}  // namespace

TEST_CASE("intervals: a scan that steers a scatter") {
  for (unsigned const n : {32u, 64u, 256u, 1000u})
    for (unsigned warp = 0; warp != (n + 31) / 32; ++warp) {
      auto const seen = co::record<cc90>(
          co::kernel{threads(n), compaction{}, co::global<float>{.name = "out", .elements = n, .base = 4096},
                     co::shared<unsigned[1000]>{"s"}},
          co::warps{.first = warp});
      unsigned before = 0;
      for (unsigned i = 0; i != warp * 32; ++i) before += is_kept(i);
      std::vector<std::uint64_t> expected;
      for (unsigned i = warp * 32; i != warp * 32 + 32; ++i)
        expected.push_back(i < n && is_kept(i) ? 4096 + 4 * before++ : 0);
      CHECK(stored(seen) == expected);
    }
  // Lanes may be those of another machine, and a block of the grid starts anew.
  auto const all =
      co::record<co::gcn::machine>(co::kernel{co::launch{.grid = {3}, .block = {128}}, compaction{},
                                              co::global<float>{"out", 128}, co::shared<unsigned[128]>{"s"}},
                                   co::every_block);
  CHECK(all.blocks == 3);
  CHECK(all.blocks_alike);
}

namespace {

/// Bitonic sort of N keys by N threads, whose last positions steer stores.
template <unsigned N>
struct bitonic {
  template <class Thread, class In, class Out, class Keys>
  constexpr void operator()(Thread const& t, In in, Out out, Keys key) const {
    unsigned const i = t.index();
    key[i] = in[i];
    t.sync();
    for (unsigned size = 2; size <= N; size *= 2)
      for (unsigned d = size / 2; d != 0; d /= 2) {
        if ((i ^ d) > i) {
          auto const a = co::value(key[i]), b = co::value(key[i ^ d]);
          if ((a > b) == ((i & size) == 0)) key[i] = b, key[i ^ d] = a;
        }
        t.sync();
      }
    out[static_cast<unsigned>(co::value(key[i]))] = static_cast<float>(i);
  }
};

}  // namespace

TEST_CASE("intervals: a sort whose keys steer stores, of integers and of floats") {
  constexpr unsigned n = 64;
  std::vector<int> keys(n);
  for (unsigned i = 0; i != n; ++i) keys[i] = static_cast<int>(i * 37 % n);  // each of 0 to 63 once
  std::vector<std::uint64_t> expected(32);
  for (unsigned i = 0; i != 32; ++i) expected[i] = 4096 + 4 * i;
  co::global<float> const out{.name = "out", .elements = n, .base = 4096};
  CHECK(stored(co::record<cc90>(co::kernel{threads(n), bitonic<n>{}, co::global<int const>{.contents = keys}, out,
                                           co::shared<int[n]>{"keys"}},
                                co::warps{.count = 1})) == expected);
  std::vector<float> const floats(keys.begin(), keys.end());
  CHECK(stored(co::record<cc90>(co::kernel{threads(n), bitonic<n>{}, co::global<float const>{.contents = floats}, out,
                                           co::shared<float[n]>{"keys"}},
                                co::warps{.count = 1})) == expected);
}

TEST_CASE("intervals: a transpose carries its values") {
  std::vector<unsigned> in(32 * 32), out(32 * 32);
  std::iota(in.begin(), in.end(), 5u);
  auto const body = [&](auto const& t, auto from, auto tile) {
    for (unsigned j = 0; j < 32; j += 8) tile[t.thread.y + j][t.thread.x] = from[(t.thread.y + j) * 32 + t.thread.x];
    t.sync();
    for (unsigned j = 0; j < 32; j += 8) out[(t.thread.y + j) * 32 + t.thread.x] = tile[t.thread.x][t.thread.y + j];
  };
  auto const seen =
      co::record<cc90>(co::kernel{co::launch{.block = {32, 8}}, body, co::global<unsigned const>{.contents = in},
                                  co::shared<unsigned[32][33]>{"tile"}});
  CHECK(seen.of("tile").conflicts == 0);
  for (unsigned r = 0; r != 32; ++r)
    for (unsigned c = 0; c != 32; ++c) CHECK(out[c * 32 + r] == in[r * 32 + c]);
}

TEST_CASE("intervals: atomics, and their sums behind the barrier") {
  COALESCE_CHECK(kept<8>([](auto const& t, auto s, unsigned* keep) {
                   s[t.index()] = 0;
                   t.sync();
                   co::atomic_add(s[t.index() * t.index() % 8], 1u);  // 0 1 4 1 0 1 4 1
                   t.sync();
                   keep[t.index()] = s[t.index()];
                 }) == numbers<8>{{2, 4, 0, 0, 2, 0, 0, 0}});
  // An atomic on an element of which one byte was written: the others are those of the contents.
  static constexpr unsigned contents[] = {0x105};
  unsigned left = 0;
  auto const adds = [&left](auto const& t, auto s) {
    if (t.index() == 0) co::as<unsigned char>(s)[0] = 7;
    t.sync();
    if (t.index() == 0) co::atomic_add(s[0], 1u);
    t.sync();
    left = s[0];
  };
  static_cast<void>(
      co::record<cc90>(co::kernel{co::launch{.block = {32}}, adds,
                                  co::shared<unsigned[32]>{.name = "s", .contents = contents, .remembered = true}}));
  CHECK(left == 0x108);
  std::vector<int> kept(7);
  auto const body = [&](auto const& t, auto s) {
    int const i = static_cast<int>(t.index());
    if (i < 7) s[i] = i == 3 ? -1 : i == 4 ? 0 : 100;
    t.sync();
    co::atomic_sub(s[0], i);      // 100 - 63 * 64 / 2
    co::atomic_min(s[1], 7 - i);  // 7 - 63
    co::atomic_max(s[2], i * i);
    co::atomic_and(s[3], ~(i & 12));  // ~12
    co::atomic_or(s[4], 1 << i % 5);
    co::atomic_xor(s[5], i == 9 ? 3 : 0);
    co::atomic_exchange(s[6], 42);  // each thread stores one value
    t.sync();
    for (int k = 0; i == 0 && k != 7; ++k) kept[static_cast<unsigned>(k)] = s[k];
  };
  static_cast<void>(co::record<cc90>(co::kernel{threads(64), body, co::shared<int[7]>{"s"}}));
  CHECK(kept == std::vector<int>{100 - 2016, -56, 3969, ~12, 31, 100 ^ 3, 42});

  // Integers wrap, sums of floats are those of the threads in ascending order, a lone thread's atomics have its order.
  float sum = 0;
  unsigned wrapped = 0;
  int swapped = 0;
  auto const floats = [&](auto const& t, auto f, auto u, auto c) {
    if (t.index() == 0) f[0] = 0.5f, u[0] = ~0u, c[0] = 3;
    t.sync();
    co::atomic_add(f[0], 1.f), co::atomic_add(u[0], 1u);
    if (t.index() == 5) co::atomic_cas(c[0], 3, 4), co::atomic_cas(c[0], 3, 5), co::atomic_add(c[0], 10);
    t.sync();
    sum = f[0], wrapped = u[0], swapped = c[0];
  };
  static_cast<void>(co::record<cc90>(co::kernel{threads(8), floats, co::shared<float[1]>{"f"},
                                                co::shared<unsigned[1]>{"u"}, co::shared<int[1]>{"c"}}));
  CHECK(sum == 8.5f);
  CHECK(wrapped == 7);
  CHECK(swapped == 14);
}

namespace {

struct mixed {
  unsigned char tag;
  int number;  // behind three bytes of padding
};

}  // namespace

TEST_CASE("intervals: other types, members and casts") {
  std::vector<unsigned> kept(32);
  auto const members = [&](auto const& t, auto s) {
    unsigned const i = t.index();
    co::member(s[i], &mixed::number) = static_cast<int>(i) - 5;
    co::member(s[i], &mixed::tag) = static_cast<unsigned char>(i + 100);
    t.sync();
    mixed const whole = s[31 - i];
    kept[i] = static_cast<unsigned>(whole.number + 5) * 1000 + whole.tag;
    t.sync();
    s[i] = mixed{static_cast<unsigned char>(i), 7};
    t.sync();
    kept[i] += 1000000u * unsigned(co::member(s[i ^ 1], &mixed::tag));
  };
  static_cast<void>(co::record<cc90>(co::kernel{threads(32), members, co::shared<mixed[32]>{"s"}}));
  for (unsigned i = 0; i != 32; ++i) CHECK(kept[i] == (i ^ 1) * 1000000 + (31 - i) * 1000 + 31 - i + 100);

  auto const bytes = [&](auto const& t, auto raw) {
    auto words = co::as<unsigned>(raw);
    words[t.index()] = 0x01020304u * (t.index() % 2 + 1);
    t.sync();
    kept[t.index()] = raw[4 * (t.index() ^ 1) + 1];
    t.sync();
    raw[4 * t.index()] = 0xff;
    t.sync();
    kept[t.index()] |= words[t.index()] << 8;
  };
  static_cast<void>(
      co::record<cc90>(co::kernel{threads(32), bytes, co::shared<unsigned char[]>{.name = "raw", .elements = 128}}));
  CHECK(kept[0] == (0x0203ffu << 8 | 6));
  CHECK(kept[1] == (0x0406ffu << 8 | 3));
}

// Thread 0 runs before its neighbour has stored. With 0 in its place these bodies would trap at run time, and would not
// be constant expressions.
TEST_CASE("intervals: a body may divide by what a later thread stores") {
  COALESCE_CHECK(kept<4>([](auto const& t, auto s, unsigned* keep) {
                   s[t.index()] = t.index() + 1;
                   t.sync();
                   unsigned const next = s[(t.index() + 1) % 4];
                   keep[t.index()] = 12 / next + 100 * (7 % next);
                 }) == numbers<4>{{106, 104, 303, 12}});
  // Where its own store stands waits for a value, too.
  COALESCE_CHECK(kept<4>([](auto const& t, auto s, unsigned* keep) {
                   s[t.index()] = 3 - t.index();
                   t.sync();
                   unsigned const to = s[3 - t.index()];
                   t.sync();
                   s[to] = to + 1;
                   t.sync();
                   keep[t.index()] = 12 / s[3 - t.index()];
                 }) == numbers<4>{{3, 4, 6, 12}});
  // A loop whose step is such a value ends.
  COALESCE_CHECK(kept<4>([](auto const& t, auto s, unsigned* keep) {
                   s[t.index()] = 2;
                   t.sync();
                   unsigned const step = s[3 - t.index()];
                   for (unsigned k = 0; k < 8; k += step) keep[t.index()] = k;
                 }) == numbers<4>{{6, 6, 6, 6}});
}
// What no thread stores is refused as ever, whatever the passes made up.
TEST_CASE("intervals: what no thread stores may not be divided by") {
  auto const of_none = refusal([] {
    static_cast<void>(kept<4>([](auto const& t, auto s, unsigned* keep) {
      if (t.index() == 0) s[0] = 5;
      t.sync();
      keep[t.index()] = 10 / s[1];
    }));
  });
  CHECK_MESSAGE(says(of_none, "an integer is read, which may steer addresses"), of_none);
}
TEST_CASE("intervals: which arrays are remembered") {
  std::vector<unsigned> const given{5, 6, 7, 8};
  auto const keeps = [&](auto const& array) {
    std::vector<unsigned> keep(4);
    auto const body = [&](auto const& t, auto s) {
      s[t.index()] = 1;
      t.sync();
      keep[t.index()] = s[3 - t.index()];
    };
    static_cast<void>(co::record<cc90>(co::kernel{threads(4), body, array}));
    return keep;
  };
  using array = co::shared<unsigned[4]>;
  CHECK(keeps(array{"s"}) == std::vector<unsigned>{1, 1, 1, 1});
  CHECK(keeps(array{.name = "s", .any_value = true}) == std::vector<unsigned>{0, 0, 0, 0});
  CHECK(keeps(array{.name = "s", .contents = given}) == std::vector<unsigned>{8, 7, 6, 5});
  CHECK(keeps(array{.name = "s", .contents = given, .remembered = true}) == std::vector<unsigned>{1, 1, 1, 1});
  // A stored 0 counts.
  std::vector<float> const ones(4, 1.f);
  float sum = 0;
  auto const clears = [&](auto const& t, auto s) {
    if (t.index() < 3) s[t.index()] = 0.f;
    t.sync();
    sum = s[0] + s[1] + s[2] + s[3];
  };
  co::shared<float[4]> const floats{.name = "s", .contents = ones, .remembered = true};
  static_cast<void>(co::record<cc90>(co::kernel{threads(4), clears, floats}));
  CHECK(sum == 1.f);
  // Where nothing is stored, .contents and .any_value say what a load gives, and what an atomic changes.
  auto const adds = [&](auto const& with) {
    std::vector<unsigned> keep(4);
    auto const body = [&](auto const& t, auto s) {
      co::atomic_add(s[t.index() % 2], 10u);
      t.sync();
      keep[t.index()] = s[t.index()];
    };
    static_cast<void>(co::record<cc90>(co::kernel{threads(4), body, with}));
    return keep;
  };
  CHECK(adds(array{.name = "s", .contents = given, .remembered = true}) == std::vector<unsigned>{25, 26, 7, 8});
  CHECK(adds(array{.name = "s", .any_value = true, .remembered = true}) == std::vector<unsigned>{20, 20, 0, 0});
}

TEST_CASE("intervals: a kernel runs for its values only where they matter") {
  unsigned runs = 0;
  std::vector<float> const some(64, 1.f);
  auto const count = [&](auto const& in, auto const& shared) {
    runs = 0;
    auto const body = [&](auto const& t, auto a, auto s) {
      ++runs;
      s[t.index()] = a[t.index()];
      t.sync();
      static_cast<void>(co::value(s[63 - t.index()]));
    };
    static_cast<void>(co::record<cc90>(co::kernel{threads(64), body, in, shared}));
    return runs / 64;
  };
  CHECK(count(co::global<float const>{"in", 64}, co::global<float>{"out", 64}) == 1);
  CHECK(count(co::global<float const>{"in", 64}, co::shared<float[64]>{"s"}) == 2);  // all are 0: one look
  // Two intervals: two passes, and the recording. (Half of the threads have looked before.)
  CHECK(count(co::global<float const>{.contents = some}, co::shared<float[64]>{"s"}) == 3);
  CHECK(count(co::global<int const>{.name = "in", .elements = 64, .any_value = true}, co::shared<int[64]>{"s"}) == 3);
}

TEST_CASE("intervals: an array of floats, whose values may matter") {
  co::shared<float[32]> const s{"s"};
  co::global<float> const out{"out", 128};
  auto const at = [&](auto const& body) {
    return co::record<cc90>(co::kernel{threads(32), body, out, s}).stores("out");
  };
  // A thread's own stores: it counts to 4, divides by a number, goes on by a factor.
  CHECK(at([](auto const& t, auto a, auto x) {
          x[t.index()] = 0.f;
          while (x[t.index()] < 4.f) x[t.index()] += 1.f;
          a[32 * unsigned(float(x[t.index()])) / 4 + t.index()] = 0.f;
        }).transactions == 4);
  CHECK(at([](auto const& t, auto a, auto x) {
          x[t.index()] = 4.f;
          a[100 / unsigned(float(x[t.index()])) + t.index()] = 0.f;
        }).transactions == 5);
  CHECK(at([](auto const& t, auto a, auto x) {
          x[t.index()] = 2.f;
          float const factor = x[t.index()];
          for (float k = 1; k < 32; k *= factor) a[unsigned(k)] = 0.f;
        }).issued == 5);
  // A marked loop that ends by a value of the last thread.
  auto const until = [](float end) {
    return [end](auto const& t, auto a, auto x) {
      if (t.index() == 0) x[0] = 0.f;
      t.sync();
      for (auto again = t.loop(); again(x[0] < end);) {
        t.sync();
        if (t.index() == 31) x[0] += .5f;
        t.sync();
        a[t.index()] = 0.f;
      }
    };
  };
  CHECK(at(until(1)).issued == 2);
  CHECK(at(until(50)).issued == 100);
  CHECK(says(refusal([&] {
               return at([](auto const& t, auto, auto x) {
                 while (x[0] < 1.f) t.sync();
               });
             }),
             "do not settle"));
  // Where all is 0, the number of barriers has no limit, nor the length of a marked loop.
  CHECK(at([](auto const& t, auto a, auto x) {
          unsigned k = 0;
          for (auto again = t.loop(); again(k != 5000); ++k) x[t.index()] = x[31 - t.index()], t.sync();
          a[t.index()] = 0.f;
        }).issued == 1);
}

TEST_CASE("intervals: as many passes as intervals") {
  // A token goes from the last thread to the first, one thread an interval: each pass finds one interval more.
  constexpr unsigned n = 150;
  unsigned last = 0, runs = 0;
  auto const body = [&](auto const& t, auto s) {
    if (t.index() == 0) ++runs;
    if (t.index() == n - 1) s[n - 1] = 1000;
    t.sync();
    for (unsigned k = n - 1; k != 0; --k) {
      if (t.index() == k - 1) s[k - 1] = s[k] + 1;
      t.sync();
    }
    last = s[0];
  };
  static_cast<void>(co::record<cc90>(co::kernel{threads(n), body, co::shared<unsigned[n]>{"s"}}));
  CHECK(last == 1000 + n - 1);
  CHECK(runs > n);
}

TEST_CASE("intervals: a loop that ends by a value of a later thread is marked") {
  // The last thread stores that all are done, after 100 turns.
  unsigned turns = 0;
  unsigned line = 0;
  auto const marked = [&](auto const& t, auto done) {
    unsigned const last = t.block_size.x - 1;
    if (t.index() == last) done[0] = 0;
    t.sync();
    unsigned k = 0;
    for (auto again = t.loop(); again(done[0] == 0u);) {
      t.sync();
      if (++k == 100 && t.index() == last) done[0] = 1;
      t.sync();
    }
    turns = k;
  };
  co::shared<unsigned[1]> const flag{"done"};
  static_cast<void>(co::record<cc90>(co::kernel{threads(8), marked, flag}));
  CHECK(turns == 100);
  auto const unmarked = [&](auto const& t, auto done) {
    if (t.index() == 7) done[0] = 2;  // a pass makes up a 1
    t.sync();
    line = __LINE__ + 1;
    while (done[0] != 2u) t.sync();
  };
  auto const text = refusal([&] { return co::record<cc90>(co::kernel{threads(8), unmarked, flag}); });
  CHECK(says(text, "array \"done\", line " + std::to_string(line) + ": the values in shared memory do not settle"));
  CHECK(says(text, "lane 0"));
  // No thread stores what all wait for, with and without a barrier.
  auto const forever = [](auto const& t, auto done) {
    done[0] = 0;
    while (done[0] == 0u) t.sync();
  };
  CHECK(says(refusal([&] { return co::record<cc90>(co::kernel{threads(8), forever, flag}); }), "do not settle"));
  auto const spin = [](auto const&, auto done) {
    done[0] = 0;
    while (done[0] == 0u) {
    }
  };
  CHECK(says(refusal([&] { return co::record<cc90>(co::kernel{threads(8), spin, flag}); }), "do not settle"));
}

namespace {

/// How many stores 4 threads make whose rows begin at 0, 2, 4 and 6, and end at 8. Each thread fills a row in a marked
/// loop, and the last thread stores where the last row ends.
template <class Rows>
constexpr std::uint64_t stores_of_rows(Rows const& fill) {
  auto const body = [&](auto const& t, auto out, auto s) {
    unsigned const i = t.index();
    s[i] = 2 * i;
    if (i == 3) s[4] = 8;
    t.sync();
    fill(t, out, s);
  };
  return co::record<cc90, 16>(co::kernel{threads(4), body, co::global<float>{"out", 64},
                                         co::shared<unsigned[5]>{.name = "s", .remembered = true}})
      .stores("out")
      .issued;
}

}  // namespace

TEST_CASE("intervals: a marked loop without a barrier, which wrong values make very long") {
  // In the first pass a row ends at a made-up 1, which lies before its beginning: 2^32 iterations.
  COALESCE_CHECK(stores_of_rows([](auto const& t, auto out, auto s) {
                   unsigned const first = s[t.index()], n = s[t.index() + 1] - first;
                   unsigned k = 0;
                   for (auto again = t.loop(); again(k < n); ++k) out[first + k] = 0.f;
                 }) == 2);
  COALESCE_CHECK(stores_of_rows([](auto const& t, auto out, auto s) {
                   unsigned k = s[t.index()];
                   for (auto again = t.loop(); again(k != s[t.index() + 1]); ++k) out[k] = 0.f;
                 }) == 2);
  // A factor of 1 does not go on. Here the values are right in the second pass, and each thread makes more iterations
  // than a pass allows, in an interval whose values are not known to be right before the fourth.
  COALESCE_CHECK(stores_of_rows([](auto const& t, auto out, auto s) {
                   unsigned const factor = s[4] / 4u;
                   unsigned k = 1;
                   for (auto again = t.loop(); again(k < 32); k *= factor) out[k] = 0.f;
                 }) == 5);
  auto const last_of = [](unsigned turns) {
    return [turns](auto const& t, auto out, auto s) {
      t.sync(), t.sync();
      unsigned k = 0;
      for (auto again = t.loop(); again(k != turns); ++k)
        if (k + 1 == turns) s[t.index()] = 3 - t.index();
      t.sync();
      out[16 * s[t.index() ^ 1]] = 0.f;
    };
  };
  COALESCE_CHECK(stores_of_rows(last_of(300)) == 1);
  CHECK(stores_of_rows(last_of(100000)) == 1);
}

namespace {

template <class Body, class Array = co::shared<unsigned[32]>>
std::string refused(Body const& body, Array const& array = {"s"}) {
  return refusal([&] { return co::record<cc90>(co::kernel{threads(32), body, array}); });
}
void use(unsigned) {}

}  // namespace

TEST_CASE("intervals: an integer whose value depends on the order of lanes is refused") {
  char const* const depends = "depends on the order of lanes";
  unsigned line = 0;
  auto const text = refused([&](auto const& t, auto s) {
    s[t.index()] = 1;
    line = __LINE__ + 1;
    use(s[t.index() ^ 1]);
  });
  CHECK(says(text, "array \"s\", line " + std::to_string(line) + ": an integer is read"));
  CHECK(says(text, depends));
  CHECK(says(text, "lane 0, address 0x4: "));
  // The reader runs before the writer, or behind it; the value that it would see is the same; a byte of a word.
  CHECK(says(refused([](auto const& t, auto s) {
               s[t.index()] = 1;
               t.sync();
               if (t.index() == 0) use(s[9]);
               if (t.index() == 9) s[9] = 1;
             }),
             depends));
  CHECK(says(refused([](auto const& t, auto s) {
               s[t.index()] = 1;
               t.sync();
               if (t.index() == 9) s[0] = 2;
               if (t.index() == 10) use(s[0]);
             }),
             depends));
  CHECK(says(refused([](auto const& t, auto s) {
               s[t.index()] = 1;
               t.sync();
               if (t.index() == 9) co::as<unsigned char>(s)[3] = 2;
               if (t.index() == 10) use(s[0]);
             }),
             depends));
  // converge() orders nothing. The next barrier does.
  CHECK(says(refused([](auto const& t, auto s) {
               s[t.index()] = 1;
               t.converge();
               use(s[t.index() ^ 1]);
             }),
             depends));
  // Threads that store different values, or one value.
  auto const flag = [](unsigned of_thread_3) {
    return [of_thread_3](auto const& t, auto s) {
      if (t.index() % 2 == 1) s[0] = t.index() == 3 ? of_thread_3 : 1u;
      t.sync();
      use(s[0]);
    };
  };
  CHECK(says(refused(flag(2)), depends));
  CHECK(refused(flag(1)).empty());
  auto const twice = [](unsigned which) {
    return [which](auto const& t, auto s) {
      if (t.index() == which) s[0] = 5;
      if (t.index() < 2) s[0] = 1;
      t.sync();
      use(s[0]);
    };
  };
  CHECK(says(refused(twice(0)), depends));
  CHECK(says(refused(twice(1)), depends));
  CHECK(refused(twice(2)).find(depends) != std::string::npos);
  CHECK(refused(twice(32)).empty());
  // Atomics: mixed, beside a load, on memory that was never written, compare-and-swap of several.
  auto const atomics = [](auto const& act) {
    return [&act](auto const& t, auto s) {
      s[t.index()] = 0;
      t.sync();
      act(t, s);
      t.sync();
      use(s[0]);
    };
  };
  CHECK(refused(atomics([](auto const&, auto s) { co::atomic_add(s[0], 1u); })).empty());
  CHECK(refused(atomics([](auto const& t, auto s) {
          t.index() == 1 ? static_cast<void>(co::atomic_add(s[0], 1u)) : static_cast<void>(co::atomic_sub(s[0], 3u));
        })).empty());
  CHECK(says(refused(atomics([](auto const& t, auto s) {
               t.index() == 1 ? static_cast<void>(co::atomic_max(s[0], 1u))
                              : static_cast<void>(co::atomic_add(s[0], 3u));
             })),
             depends));
  CHECK(says(refused(atomics([](auto const& t, auto s) { co::atomic_exchange(s[0], t.index()); })), depends));
  CHECK(says(refused(atomics([](auto const& t, auto s) { co::atomic_cas(s[0], 0u, t.index()); })), depends));
  CHECK(says(refused(atomics([](auto const& t, auto s) {
               co::atomic_add(s[0], 1u);
               if (t.index() == 9) use(s[0]);
             })),
             depends));
  CHECK(says(refused([](auto const& t, auto s) {
               co::atomic_add(s[0], 1u);
               t.sync();
               use(s[0]);
             }),
             depends));
  // A sum carries from byte to byte: who stores half of a word spoils the other half, too.
  CHECK(says(refused([](auto const& t, auto s) {
               s[t.index()] = 0;
               t.sync();
               if (t.index() == 0) co::atomic_add(s[0], 0xffffu);
               if (t.index() == 1) co::as<unsigned short>(s)[0] = static_cast<unsigned short>(1);
               t.sync();
               use(static_cast<unsigned short>(co::as<unsigned short>(s)[1]));
             }),
             depends));
  // Floats are refused never: they are 0 where nothing is stored, and what one of the threads stored.
  CHECK(refused(
            [](auto const& t, auto s) {
              s[t.index()] = 1.f;
              static_cast<void>(co::value(s[t.index() ^ 1]));
            },
            co::shared<float[32]>{"s"})
            .empty());
}

TEST_CASE("intervals: an integer that the kernel never stored is refused") {
  auto const text = refused([](auto const& t, auto s) {
    if (t.index() != 7) s[t.index()] = 1;
    t.sync();
    use(s[t.index()]);
  });
  CHECK(says(text, "give .contents, or say .any_value = true"));
  CHECK(says(text, "lane 7, address 0x1c: "));
  CHECK(says(refused([](auto const& t, auto s) {
               if (t.index() == 0) co::as<unsigned char>(s)[1] = 1;
               if (t.index() == 0) use(s[0]);
             }),
             "give .contents"));
  // So is the result of an atomic.
  CHECK(says(refused([](auto const& t, auto s) {
               s[t.index()] = 1;
               t.sync();
               use(co::atomic_add(s[0], 1u));
             }),
             "give .contents"));
}

TEST_CASE("intervals: what a pass does with wrong values is not refused") {
  // In the first pass thread 0 does not know the index yet: 0 - 1 lies outside both arrays.
  std::vector<int> const table{3, 1, 4, 1};
  std::vector<int> kept(4);
  auto const body = [&](auto const& t, auto in, auto s, auto out) {
    unsigned const i = t.index();
    if (i == 3)
      for (unsigned k = 0; k != 4; ++k) s[k] = k + 1;
    t.sync();
    unsigned const index = s[i] - 1u;
    s[index] = s[index] + 0u;
    kept[i] = in[index];
    out[index] = 0.f;
  };
  auto const seen = co::record<cc90>(co::kernel{threads(4), body, co::global<int const>{.contents = table},
                                                co::shared<unsigned[4]>{"s"}, co::global<float>{"out", 4}});
  CHECK(kept == table);
  CHECK(seen.of("out").transactions == 1);
  // The recording refuses.
  CHECK(says(refused([](auto const& t, auto s) {
               if (t.index() == 31) s[0] = 32;
               t.sync();
               s[s[0]] = 1;
             }),
             "lies outside"));
}

namespace {

constexpr unsigned sevens[] = {7, 7, 7, 7}, pairs[] = {3, 3};
/// How many stores to `out` 4 threads make. Each thread knows in the second pass where it stores.
template <class Body, class... Arrays>
constexpr std::uint64_t stores_to_out(Body const& body, Arrays const&... arrays) {
  co::global<float> const out{"out", 128};
  return co::record<cc90, 16>(co::kernel{threads(4), body, out, arrays...}).stores("out").issued;
}

}  // namespace

TEST_CASE("intervals: no integer that a pass makes up is 0, since kernels divide by integers") {
  // Outside an array: in the first pass an index is 1 - 10.
  constexpr auto outside = [](auto const& t, auto out, auto s, auto in) {
    s[t.index()] = t.index() + 10;
    t.sync();
    out[100 / in[(s[3 - t.index()] - 10u) / 2]] = 0.f;
  };
  using words = co::shared<unsigned[4]>;
  constexpr words s{.name = "s", .remembered = true};
  COALESCE_CHECK(stores_to_out(outside, s, co::global<unsigned const>{.name = "in", .contents = pairs}) == 1);
  // Past contents that are shorter than the array.
  constexpr auto past = [](auto const& t, auto out, auto q) {
    if (t.index() >= 2) q[t.index()] = t.index();
    t.sync();
    out[100 / q[3 - t.index()]] = 0.f;
  };
  COALESCE_CHECK(stores_to_out(past, words{.name = "q", .contents = pairs, .remembered = true}) == 1);
  // Bytes that mean nothing; an array without contents; the result of an atomic. The recording refuses them all.
  auto const divides_by = [](auto const& number) {
    return [number](auto const& t, auto out, auto x, auto in) {
      x[t.index()] = t.index();
      t.sync();
      out[x[3 - t.index()] + 100 / unsigned(number(t, in))] = 0.f;
    };
  };
  auto const element = [](auto const& t, auto in) { return co::value(co::as<unsigned>(in)[t.index()]); };
  auto const old = [](auto const&, auto in) { return co::atomic_add(in[0], 1u); };
  struct no_bytes {
    unsigned number = 1;
    no_bytes() = default;
    no_bytes(no_bytes const& other) : number(other.number) {}
  };
  std::vector<no_bytes> const few(4);
  CHECK(
      says(refusal([&] { return stores_to_out(divides_by(element), s, co::global<no_bytes const>{.contents = few}); }),
           "bytes mean nothing"));
  co::global<unsigned> const in{"in", 4};
  CHECK(says(refusal([&] { return stores_to_out(divides_by(element), s, in); }), "array \"in\""));
  CHECK(says(refusal([&] { return stores_to_out(divides_by(old), s, in); }), "give .contents"));
  // .any_value says that all is 0, in a pass, too.
  auto const adds = [&](auto const& t, auto out, auto x, auto a) {
    x[t.index()] = t.index();
    t.sync();
    while (a[0] != 0u) out[0] = 0.f;
    out[32 * x[3 - t.index()] + co::atomic_add(a[0], 1u)] = 0.f;
  };
  CHECK(stores_to_out(adds, s, co::global<unsigned>{.name = "in", .elements = 4, .any_value = true}) == 1);
}

TEST_CASE("intervals: a lane that waits for a value that a pass makes up is refused") {
  auto const while_other = [](auto const& wait) {
    return [wait](auto const& t, auto s, auto in) {
      s[t.index()] = 7;
      t.sync();
      wait(in, s);
    };
  };
  auto const waits = [&](auto const& wait) {
    return refusal([&] {
      return co::record<cc90>(
          co::kernel{threads(4), while_other(wait), co::shared<unsigned[4]>{"s"}, co::global<unsigned>{"in", 4}});
    });
  };
  char const* const gives = "array \"in\"";
  CHECK(says(waits([](auto in, auto) {
               while (in[0] != 0u) {
               }
             }),
             gives));
  CHECK(says(waits([](auto in, auto) {
               while (co::atomic_cas(in[0], 0u, 1u) != 0u) {
               }
             }),
             gives));
  // In the first pass the search begins at s[3] - 3, which is 1 - 3.
  auto const search = [](bool is_marked) {
    return [is_marked](auto const& t, auto s, auto in) {
      if (t.index() == 3) s[0] = 3;
      t.sync();
      unsigned k = s[0] - 3u;
      if (is_marked)
        for (auto again = t.loop(); again(in[k] != 0u && k != 0);) --k;
      else
        while (in[k] != 0u && k != 0) --k;
    };
  };
  auto const finds = [&](bool is_marked) {
    return refusal([&] {
      return co::record<cc90>(co::kernel{threads(4), search(is_marked), co::shared<unsigned[1]>{"s"},
                                         co::global<unsigned const>{.name = "in", .contents = sevens}});
    });
  };
  CHECK(finds(true).empty());
  CHECK(says(finds(false), "do not settle"));
}

TEST_CASE("intervals: contents without bytes are refused only if the kernel reads them") {
  struct counted {  // not trivially copyable, so its bytes mean nothing
    int number = 0;
    counted() = default;
    counted(counted const& other) : number(other.number) {}
  };
  std::vector<counted> const table(4);
  auto const body = [](unsigned expected) {
    return [=](auto const& t, auto in, auto s) {
      if (t.index() == 3)
        for (unsigned k = 0; k != 4; ++k) s[k] = k + 2;
      t.sync();
      if (s[t.index()] == expected) use(co::value(co::as<unsigned>(in)[0]));
    };
  };
  co::global<counted const> const in{.contents = table};
  co::shared<unsigned[4]> const s{"s"};
  // In the first pass threads 0 to 2 take s for 1, since thread 3 has not stored yet. In the end no thread reads 1.
  CHECK(refusal([&] { return co::record<cc90>(co::kernel{threads(4), body(1), in, s}); }).empty());
  CHECK(says(refusal([&] { return co::record<cc90>(co::kernel{threads(4), body(2), in, s}); }), "bytes mean nothing"));
}

TEST_CASE("intervals: a store that only an early pass makes is taken back") {
  // In the first pass thread 0 stores 9, since it does not know s[1] yet. The version before is the one that stays.
  COALESCE_CHECK(kept<4>([](auto const& t, auto s, unsigned* keep) {
                   if (t.index() == 0) s[0] = 7;
                   if (t.index() == 3) s[1] = 1;
                   t.sync();
                   if (t.index() == 0 && s[1] == 0u) s[0] = 9;
                   t.sync();
                   keep[t.index()] = s[0];
                 }) == numbers<4>{{7, 7, 7, 7}});
}

TEST_CASE("intervals: races() and suggest() know the values, too") {
  // Thread i writes where thread i - 1 told it: no race. Without the values all would write to s[0].
  co::shared<unsigned[2][32]> const s{"s"};
  auto const body = [](auto const& t, auto a) {
    a[0][t.index()] = (t.index() + 1) % 32;
    t.sync();
    a[1][a[0][t.index()]] = 1;
  };
  CHECK(co::races(co::kernel{threads(32), body, s}).count == 0);
  auto const racing = [](auto const& t, auto a) {
    a[0][t.index()] = t.index() / 2;
    t.sync();
    a[1][a[0][t.index()]] = 1;
  };
  CHECK(co::races(co::kernel{threads(32), racing, s}).count == 16 * 4);
  auto const early = [](auto const& t, auto a) {
    a[0][t.index()] = 0;
    a[1][a[0][t.index() ^ 1]] = 1;
  };
  CHECK(co::races(co::kernel{threads(32), early, s}).count > 32 * 4);
  // A column whose index is stored first: 32 lanes on one bank, until a padding is found.
  auto const column = [](auto const& t, auto tile, auto index) {
    index[t.index()] = 31 - t.index();
    t.sync();
    static_cast<void>(co::value(tile[index[t.index()]][0]));
  };
  auto const found = co::suggest<cc90>(
      co::kernel{threads(32), column, co::shared<float[32][32]>{"tile"}, co::shared<unsigned[32]>{"index"}}, "tile");
  CHECK(found.before.conflicts == 31);
  CHECK(found.after.conflicts == 0);
}

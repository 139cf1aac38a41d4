// SPDX-License-Identifier: BSL-1.0
#include <coalesce/cuda.hpp>
#include <coalesce/record.hpp>

#include <cstdint>
#include <random>
#include <string_view>
#include <vector>

#include "machinery/check.hpp"

// Two threads, one byte of shared memory, no barrier between them, one of them writes, not both atomic.

namespace co = coalescing;

namespace {

constexpr co::launch threads{.block = {8}};
constexpr co::shared<int[8]> ints{.name = "s", .any_value = true};
template <class Body>
constexpr auto found(Body const& body) {
  return co::races(co::kernel{threads, body, ints});
}

}  // namespace

TEST_CASE("races: reads, writes and atomics") {
  COALESCE_CHECK(found([](auto const& t, auto s) { s[t.index()] = 1; }).count == 0);
  COALESCE_CHECK(found([](auto const& t, auto s) { s[t.index()] = s[t.index()]; }).count == 0);
  COALESCE_CHECK(found([](auto const&, auto s) { static_cast<void>(co::value(s[0])); }).count == 0);
  COALESCE_CHECK(found([](auto const&, auto s) { co::atomic_add(s[0], 1); }).count == 0);
  COALESCE_CHECK(found([](auto const&, auto s) { s[0] = 1; }).count == 4);  // bytes
  COALESCE_CHECK(found([](auto const& t, auto s) {
                   if (t.index() == 2) s[0] = 1;
                   if (t.index() == 5) static_cast<void>(co::value(s[0]));
                 }).count == 4);
  COALESCE_CHECK(found([](auto const& t, auto s) {
                   if (t.index() == 2) co::atomic_add(s[0], 1);
                   if (t.index() == 5) static_cast<void>(co::value(s[0]));
                 }).count == 4);
  COALESCE_CHECK(found([](auto const& t, auto s) {
                   if (t.index() == 2) co::atomic_add(s[0], 1);
                   if (t.index() == 5) s[0] = 1;
                 }).count == 4);
  // Two bytes of one word are no race; a word and one of its bytes are.
  COALESCE_CHECK(
      co::races(co::kernel{threads, [](auto const& t, auto s) { s[t.index()] = 1; }, co::shared<unsigned char[8]>{"s"}})
          .count == 0);
  COALESCE_CHECK(found([](auto const& t, auto s) {
                   if (t.index() == 0) s[1] = 1;
                   if (t.index() == 1) co::as<unsigned char>(s)[6] = 1;
                 }).count == 1);
}

TEST_CASE("races: barriers order, converge() does not") {
  COALESCE_CHECK(found([](auto const& t, auto s) {
                   s[t.index()] = 1;
                   t.sync();
                   static_cast<void>(co::value(s[7 - t.index()]));
                 }).count == 0);
  COALESCE_CHECK(found([](auto const& t, auto s) {
                   s[t.index()] = 1;
                   t.converge();
                   static_cast<void>(co::value(s[7 - t.index()]));
                 }).count == 32);
  // In a loop the reads of one iteration and the writes of the next need a barrier, too.
  constexpr auto once = found([](auto const& t, auto s) {
    for (unsigned k = 0; k != 3; ++k) {
      s[t.index()] = 1;
      t.sync();
      static_cast<void>(co::value(s[7 - t.index()]));
    }
  });
  COALESCE_CHECK(once.count == 2 * 32);
  COALESCE_CHECK(once.first_thread == 0);
  COALESCE_CHECK(once.second_thread == 7);
  constexpr auto twice = found([](auto const& t, auto s) {
    for (unsigned k = 0; k != 3; ++k) {
      s[t.index()] = 1;
      t.sync();
      static_cast<void>(co::value(s[7 - t.index()]));
      t.sync();
    }
  });
  COALESCE_CHECK(twice.count == 0);
}

TEST_CASE("races: who races, for what, and where") {
  constexpr unsigned line = __LINE__ + 3;
  constexpr auto race = co::races(co::kernel{threads,
                                             [](auto const& t, auto, auto s) {
                                               if (t.index() == 3) s[2][1] = 1.f;
                                               if (t.index() == 6) s[2][1] = 2.f;
                                             },
                                             ints, co::shared<float[4][2]>{"tile"}});
  COALESCE_CHECK(race.count == 4);
  COALESCE_CHECK(race.first_thread == 3);
  COALESCE_CHECK(race.second_thread == 6);
  COALESCE_CHECK(race.first.line == line);
  COALESCE_CHECK(race.second.line == line + 1);
  COALESCE_CHECK(std::string_view(race.array) == "tile");
  // Global memory is not looked at.
  COALESCE_CHECK(
      co::races(co::kernel{threads, [](auto const&, auto a) { a[0] = 1.f; }, co::global<float>{"a"}}).count == 0);
  // Another block.
  constexpr co::kernel second{co::launch{.grid = {2}, .block = {8}},
                              [](auto const& t, auto s) { s[t.block.x == 0 ? t.index() : 0] = 1; }, ints};
  COALESCE_CHECK(co::races(second).count == 0);
  COALESCE_CHECK(co::races(second, co::place{1}).count == 4);
}

TEST_CASE("races: what they take is proportional to what is touched") {
  // A GiB between 500 barriers. (One record for each byte and barrier would be 30 TB.)
  auto const sparse = [](auto const& t, auto s) {
    for (unsigned k = 0; k != 500; ++k) {
      s[(t.index() << 27) + k % 4] = 1;
      if (k == 300 && t.index() == 5) s[std::uint64_t{3} << 27] = 2;
      t.sync();
    }
  };
  auto const race = co::races(
      co::kernel{threads, sparse,
                 co::shared<unsigned char[]>{.name = "s", .elements = std::uint64_t{1} << 30, .any_value = true}});
  CHECK((race.count == 1 && race.first_thread == 3 && race.second_thread == 5));
  // Narrower accesses that come after wider ones divide what these have touched.
  constexpr auto divided = [](auto const& t, auto s) {
    struct wide {
      std::uint64_t of[2];
    };
    if (t.index() == 1) co::as<wide>(s)[1] = wide{};
    if (t.index() == 2) co::as<short>(s)[9] = 1;
    if (t.index() == 3) co::as<unsigned char>(s)[29] = 1;
    if (t.index() == 4) co::as<unsigned char>(s)[32] = 1;
    if (t.index() == 5) static_cast<void>(co::value(s[7]));
  };
  constexpr auto pieces = co::races(co::kernel{threads, divided, co::shared<int[16]>{.name = "s", .any_value = true}});
  COALESCE_CHECK(pieces.count == 2 + 4);  // of the byte all four are read
  COALESCE_CHECK(pieces.first_thread == 1);
  COALESCE_CHECK(pieces.second_thread == 2);
}

TEST_CASE("races: all pairs of threads, at random") {
  struct step {
    co::touch kind;
    unsigned byte, bytes;
    bool barrier;
  };
  unsigned races = 0, none = 0;
  for (unsigned seed = 0; seed != 3000; ++seed) {
    std::mt19937 random(seed);
    auto const upto = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
    unsigned const count = 2 + upto(5), size = 8 + 8 * upto(8);
    std::vector<bool> barriers(1 + upto(6));
    for (std::size_t k = 0; k != barriers.size(); ++k) barriers[k] = upto(2) != 0;
    std::vector<std::vector<step>> all(count);
    for (auto& steps : all)
      for (bool const barrier : barriers) {
        unsigned const bytes = 1u << upto(4);
        steps.push_back({static_cast<co::touch>(upto(3)), upto(size / bytes) * bytes, bytes, barrier});
      }
    auto const body = [&](auto const& t, auto s) {
      auto const touch = [&]<class T>(step const& now, T) {
        auto element = co::as<T>(s)[now.byte / sizeof(T)];
        if (now.kind == co::touch::load)
          static_cast<void>(co::value(co::as<T>(s)[now.byte / sizeof(T)]));
        else if (now.kind == co::touch::store)
          co::as<T>(s)[now.byte / sizeof(T)] = T(1);
        else
          co::atomic_add(element, T(1));
      };
      for (step const& now : all[t.index()]) {
        if (now.bytes == 1) touch(now, static_cast<unsigned char>(0));
        if (now.bytes == 2) touch(now, static_cast<unsigned short>(0));
        if (now.bytes == 4) touch(now, 0u);
        if (now.bytes == 8) touch(now, std::uint64_t{0});
        if (now.barrier) t.sync();
      }
    };
    auto const answer =
        co::races(co::kernel{co::launch{.block = {count}}, body,
                             co::shared<unsigned char[]>{.name = "s", .elements = size, .any_value = true}});
    // The oracle: every byte of every phase, every pair of threads.
    std::uint64_t expected = 0;
    unsigned second = 0;
    std::size_t const phases = barriers.size() + 1;
    for (std::size_t phase = 0; phase != phases; ++phase)
      for (unsigned byte = 0; byte != size; ++byte) {
        bool raced = false;
        for (unsigned y = 0; y != count; ++y)
          for (unsigned x = 0; x != y; ++x) {
            std::size_t now_x = 0;
            for (step const& a : all[x]) {
              std::size_t now_y = 0;
              for (step const& b : all[y]) {
                bool const meet = now_x == phase && now_y == phase && a.byte <= byte && byte < a.byte + a.bytes &&
                                  b.byte <= byte && byte < b.byte + b.bytes;
                bool const reads = a.kind == co::touch::load && b.kind == co::touch::load;
                bool const atomics = a.kind == co::touch::atomic && b.kind == co::touch::atomic;
                if (meet && !reads && !atomics && !raced) {
                  raced = true;
                  if (expected++ == 0) second = y;
                }
                now_y += b.barrier;
              }
              now_x += a.barrier;
            }
          }
      }
    CAPTURE(seed);
    REQUIRE(answer.count == expected);
    if (expected != 0) {
      CHECK(answer.second_thread == second);
      CHECK(answer.first_thread < second);
    }
    ++(expected != 0 ? races : none);
  }
  CHECK(races > 500);
  CHECK(none > 500);
}

// SPDX-License-Identifier: BSL-1.0
#include <coalesce/cuda.hpp>
#include <coalesce/record.hpp>

#include <array>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "machinery/check.hpp"
#include "truth/oracle/refused.hpp"

// What loads give of an array's contents, whatever type they have, and which values may not be guessed. The oracle is
// memcpy of the contents' own bytes, and numbers by hand.

namespace co = coalescing;
using co::cuda::cc90;
using coalescing_tests::refusal;

namespace {

/// What read(arrays...) gives to one thread.
template <class Read, class... Arrays>
constexpr double told(Read const& read, Arrays const&... arrays) {
  double seen = 0;
  auto const body = [&](auto const&, auto... all) { seen = static_cast<double>(read(all...)); };
  static_cast<void>(co::record<cc90>(co::kernel{co::launch{.block = {1}}, body, arrays...}));
  return seen;
}
template <class Body, class... Arrays>
std::string refused(Body const& body, Arrays const&... arrays) {
  return refusal([&] { return co::record<cc90>(co::kernel{co::launch{.block = {32}}, body, arrays...}); });
}
bool says(std::string const& text, std::string const& words) { return text.find(words) != std::string::npos; }

struct padded {
  char tag;
  float weight;  // after three bytes of padding
  short last;    // two bytes of padding after it
};
constexpr padded three[] = {{1, 4.f, 5}, {2, 0.5f, -6}, {3, -8.f, 7}};
constexpr std::uint32_t words[] = {0x3f800000, 0x40490fdb, 0xc0000000, 0x01020304};  // 1, pi, -2 as floats

struct edge {
  int from, to;
};
struct point {
  float x, y, z;
};
union either {
  float x;
  int k;
};
class hidden {
 public:
  hidden() = default;

 private:
  [[maybe_unused]] int k_ = 0;
};
struct half {  // as CUDA's __half
  half() = default;
  constexpr explicit half(float) {}
  constexpr operator float() const { return bits == 0 ? 0.f : 1.f; }
  constexpr operator int() const { return bits; }

 private:
  unsigned short bits = 0;
};
enum class color { red };

}  // namespace

TEST_CASE("contents: a member of a class") {
  constexpr co::global<padded const> in{.name = "in", .contents = three};
  COALESCE_CHECK(told([](auto p) { return co::value(co::member(p[0], &padded::weight)); }, in) == 4.);
  COALESCE_CHECK(told([](auto p) { return co::value(co::member(p[2], &padded::weight)); }, in) == -8.);
  COALESCE_CHECK(told([](auto p) { return co::value(co::member(p[1], &padded::tag)); }, in) == 2.);
  COALESCE_CHECK(told([](auto p) { return co::value((p + 1)->*&padded::last); }, in) == -6.);
  COALESCE_CHECK(told([](auto p) { return co::value((&co::member(p[2], &padded::last))[0]); }, in) == 7.);
  // In shared memory, too, and where the kernel has stored another member of it.
  constexpr co::shared<padded[3]> s{.name = "s", .contents = three};
  COALESCE_CHECK(told([](auto p) { return co::value(co::member(p[2], &padded::weight)); }, s) == -8.);
  auto const stores_a_neighbour = [](auto p) {
    co::member(p[1], &padded::last) = 9;
    return 100 * co::value(co::member(p[1], &padded::weight)) + co::value(co::member(p[1], &padded::last));
  };
  CHECK(told(stores_a_neighbour, co::shared<padded[3]>{.name = "s", .contents = three, .remembered = true}) == 59.);
  // An integer member steers what its array steers.
  constexpr edge edges[] = {{3, 1}, {2, 0}};
  constexpr auto body = [](auto const& t, auto e, auto out) {
    out[32 * co::value(co::member(e[t.lane() % 2], &edge::from))] = 0.f;
  };
  constexpr auto seen = co::record<cc90>(co::kernel{co::launch{.block = {2}}, body,
                                                    co::global<edge const>{.name = "e", .contents = edges},
                                                    co::global<float>{"out", 128}});
  COALESCE_CHECK(seen.of("out").transactions == 2);
  COALESCE_CHECK(seen[1].worst_access.address[0] - seen[1].worst_access.address[1] == 128);
}

namespace {

enum class set : bool { no, yes };
struct switches {
  bool first, second;
};
struct cell {
  float x;
  bool on;
  set kind;
  switches both;
};
constexpr cell cells[] = {{1.f, false, set::no, {}}, {2.f, true, set::yes, {false, true}}};
/// The offset of the member that a kernel stores to.
template <class Class, class Member>
constexpr std::uint64_t stored_at(Member Class::*which) {
  auto const body = [which](auto const& t, auto p) { co::member(p[t.lane()], which) = Member{}; };
  auto const seen = co::record<cc90>(
      co::kernel{co::launch{.block = {2}}, body, co::global<Class>{.name = "p", .elements = 2, .base = 0}});
  return seen[0].worst_access.address[1] - sizeof(Class);
}

}  // namespace

TEST_CASE(
    "contents: a member of the element's second base; a vector of a derived class is refused as contents of its base") {
  struct first {
    float a;
  };
  struct second {
    float b;
  };
  struct both : first, second {};
  constexpr both known[] = {{{1.f}, {2.f}}, {{3.f}, {4.f}}};
  COALESCE_CHECK(told([](auto p) { return co::value(co::member(p[1], &both::b)); },
                      co::global<both const>{.name = "p", .contents = known}) == 4);
  auto const store = [](auto const& t, auto p) { co::member(p[t.lane()], &both::b) = 0.f; };
  co::kernel const k{co::launch{.block = {32}}, store, co::global<both>{.name = "p", .elements = 32, .base = 0}};
  CHECK(co::record<cc90>(k)[0].worst_access.address[0] == 4);
  struct without_size {
    first const* data() const;
  };
  CHECK(!std::is_constructible<co::values_of<first>, without_size>::value);
  CHECK(!std::is_constructible<co::values_of<first>, std::vector<both>>::value);
  CHECK(std::is_constructible<co::values_of<both>, std::vector<both>>::value);
}
TEST_CASE("contents: a member of a type that has no value for some bytes") {
  COALESCE_CHECK(stored_at(&cell::x) == 0);
  COALESCE_CHECK(stored_at(&cell::on) == 4);
  COALESCE_CHECK(stored_at(&cell::both) == 6);
  COALESCE_CHECK(stored_at(&switches::second) == 1);
  constexpr co::global<cell const> in{.name = "in", .contents = cells};
  COALESCE_CHECK(told([](auto p) { return bool(co::member(p[1], &cell::on)); }, in) == 1.);
  COALESCE_CHECK(told([](auto p) { return bool(co::member(p[0], &cell::on)); }, in) == 0.);
  // Clang's constant expressions cannot bit_cast from an enumeration of bool.
  CHECK(stored_at(&cell::kind) == 5);
  CHECK(told([](auto p) { return co::value(co::member(p[1], &cell::kind)) == set::yes; }, in) == 1.);
}

TEST_CASE("contents: read as another type") {
  constexpr co::global<std::uint32_t const> in{.name = "in", .contents = words};
  COALESCE_CHECK(told([](auto p) { return co::value(co::as<float>(p)[0]); }, in) == 1.);
  COALESCE_CHECK(told([](auto p) { return co::value(co::as<float>(p + 2)[0]); }, in) == -2.);
  COALESCE_CHECK(told([](auto p) { return co::value(co::as<unsigned char>(p)[12]); }, in) == 4.);  // little-endian
  COALESCE_CHECK(told([](auto p) { return co::value(co::as<std::uint64_t>(p)[1]) >> 32; }, in) == 0x01020304);
  COALESCE_CHECK(told(
                     [](auto p) {
                       point const q = co::as<point>(p)[0];
                       return q.x + q.z;
                     },
                     in) == -1.);
  COALESCE_CHECK(told([](auto p) { return co::value(co::as<std::uint32_t>(co::as<float>(p))[3]); }, in) == 0x01020304);
  COALESCE_CHECK(told([](auto p) { return co::value(co::member(co::as<point>(p)[0], &point::z)); }, in) == -2.);
  COALESCE_CHECK(told([](auto p) { return co::value(co::as<float>(p)[2]); },
                      co::shared<std::uint32_t[4]>{.name = "s", .contents = words}) == -2.);
  // The values of a padded class: its padding is not touched.
  constexpr co::global<padded const> of_class{.name = "in", .contents = three};
  COALESCE_CHECK(told([](auto p) { return co::value(co::as<float>(p)[4]); }, of_class) == .5);
  COALESCE_CHECK(told([](auto p) { return co::value(co::as<short>(p)[10]); }, of_class) == -6.);
  // The class, from bytes.
  constexpr unsigned char bytes[12] = {7, 0, 0, 0, 0, 0, 0x80, 0x3f, 0xff, 0xff};
  COALESCE_CHECK(told(
                     [](auto p) {
                       padded const q = co::as<padded>(p)[0];
                       return 1000 * q.tag + 10 * q.weight + q.last;
                     },
                     co::global<unsigned char const>{.name = "in", .base = 64, .contents = bytes}) == 7009.);
}

namespace {

template <class From, class To>
void compare_with_memcpy(std::vector<From> const& all) {
  co::global<From const> const in{.name = "in", .base = 1024, .contents = all};
  co::shared<From[]> const s{.name = "s", .elements = all.size(), .contents = all};
  for (std::size_t k = 0; k != all.size() * sizeof(From) / sizeof(To); ++k) {
    To expected;
    std::memcpy(&expected, reinterpret_cast<char const*>(all.data()) + k * sizeof(To), sizeof expected);
    To seen[2] = {};
    auto const body = [&](auto const&, auto p, auto q) { seen[0] = co::as<To>(p)[k], seen[1] = co::as<To>(q)[k]; };
    static_cast<void>(co::record<cc90>(co::kernel{co::launch{.block = {1}}, body, in, s}));
    CHECK(std::memcmp(&seen[0], &expected, sizeof expected) == 0);
    CHECK(std::memcmp(&seen[1], &expected, sizeof expected) == 0);
  }
}
template <class From>
void compare_all(std::mt19937& random) {
  std::vector<From> all(1 + 24 / sizeof(From) + random() % 4);
  for (From& each : all)
    for (std::size_t k = 0; k != sizeof(From); ++k)
      reinterpret_cast<unsigned char*>(&each)[k] = static_cast<unsigned char>(random());
  compare_with_memcpy<From, unsigned char>(all), compare_with_memcpy<From, std::int16_t>(all);
  compare_with_memcpy<From, std::uint32_t>(all), compare_with_memcpy<From, std::int64_t>(all);
  compare_with_memcpy<From, edge>(all), compare_with_memcpy<From, std::array<std::uint32_t, 3>>(all);
}

}  // namespace

TEST_CASE("contents: every pair of types at every place, beside memcpy") {
  std::mt19937 random(34);
  for (unsigned k = 0; k != 10; ++k) {
    compare_all<unsigned char>(random), compare_all<std::uint16_t>(random), compare_all<std::int32_t>(random);
    compare_all<std::uint64_t>(random), compare_all<edge>(random), compare_all<std::array<std::uint16_t, 5>>(random);
  }
}

TEST_CASE("contents that are shorter than a shared array") {
  std::vector<float> const few(20, 2.f);
  co::shared<float[32]> const s{.name = "s", .contents = few};
  unsigned const line = __LINE__ + 1;
  auto const text = refused([](auto const& t, auto p) { static_cast<void>(co::value(p[t.lane()])); }, s);
  CHECK(says(text, "array \"s\", line " + std::to_string(line) + ":"));
  CHECK(says(text, "lane 20, address 0x50: "));  // byte 80
  CHECK(says(text, "the load lies past the array's .contents"));
  CHECK(refused([](auto const& t, auto p) { static_cast<void>(co::value(p[t.lane() % 20])); }, s).empty());
  CHECK(says(refused([](auto const&, auto p) { static_cast<void>(co::value(co::as<double>(p)[10])); }, s), "past"));
  CHECK(refused([](auto const&, auto p) { static_cast<void>(co::value(co::as<double>(p)[9])); }, s).empty());
  // Also where any value would do, and in rows.
  CHECK(says(refused([](auto const&, auto p) { static_cast<void>(co::value(p[31])); },
                     co::shared<float[32]>{.name = "s", .contents = few, .any_value = true}),
             "past"));
  CHECK(says(refused([](auto const&, auto p) { static_cast<void>(co::value(p[2][4])); },
                     co::shared<float[4][8]>{.name = "s", .contents = few}),
             "past"));
  CHECK(refused([](auto const&, auto p) { static_cast<void>(co::value(p[2][3])); },
                co::shared<float[4][8]>{.name = "s", .contents = few})
            .empty());
  // What the kernel has stored after them is known.
  auto const fills = [](auto const& t, auto p) {
    if (t.lane() >= 20) p[t.lane()] = 3.f;
    t.sync();
    static_cast<void>(co::value(p[31 - t.lane()]));
  };
  CHECK(refused(fills, co::shared<float[32]>{.name = "s", .contents = few, .remembered = true}).empty());
  CHECK(says(refused(fills, s), "past"));
  // An atomic that finds no value leaves none that is known.
  auto const adds = [](auto const& t, auto p, auto out) {
    co::atomic_add(p[4 * t.lane()], 1);
    t.sync();
    out[p[4 * t.lane()]] = 0.f;
  };
  constexpr int four[] = {1, 2, 3, 4};
  CHECK(says(refused(adds, co::shared<int[128]>{.name = "s", .contents = four, .remembered = true},
                     co::global<float>{"out", 64}),
             "order of lanes"));
  // .elements beside contents, or beside the extents of a type, is their number or is refused.
  auto const nothing = [](auto const&, auto) {};
  CHECK(refused(nothing, co::global<int const>{.name = "in", .elements = 4, .contents = four}).empty());
  CHECK(refused(nothing, co::shared<int[4]>{.name = "s", .elements = 4}).empty());
  CHECK(
      says(refused(nothing, co::global<int const>{.name = "in", .elements = 5, .contents = four}), ".elements is not"));
  CHECK(says(refused(nothing, co::shared<int[2][2]>{.name = "s", .elements = 2}), ".elements is not"));
  // An empty vector is no contents, wherever its memory is.
  std::vector<float> none;
  none.reserve(8);
  CHECK(refused([](auto const&, auto p) { static_cast<void>(co::value(p[31])); },
                co::global<float const>{.name = "in", .elements = 32, .contents = none})
            .empty());
}

TEST_CASE("record refuses to guess what may steer addresses") {
  auto const reads = [](auto const& t, auto p) { static_cast<void>(co::value(p[t.lane()])); };
  auto const refuses = [&]<class T>(T, char const* words_of_it) {
    auto const text = refused(reads, co::global<T const>{"in", 32});
    bool const all = says(text, words_of_it) && says(text, ".any_value = true") && says(text, "lane 0");
    bool const in_shared = says(refused(reads, co::shared<T[32]>{"s"}), words_of_it);
    bool const but_any = refused(reads, co::global<T const>{.name = "in", .elements = 32, .any_value = true}).empty() &&
                         refused(reads, co::shared<T[32]>{.name = "s", .any_value = true}).empty();
    return all && in_shared && but_any;
  };
  CHECK(refuses(int{}, "an integer is read"));
  CHECK(refuses(color{}, "an integer is read"));
  CHECK(refuses(true, "an integer is read"));
  CHECK(refuses(edge{}, "not of floating-point numbers alone"));
  CHECK(refuses(padded{}, "not of floating-point numbers alone"));
  CHECK(refuses(hidden{}, "not of floating-point numbers alone"));
  CHECK(refuses(std::array<short, 3>{}, "not of floating-point numbers alone"));
  auto const accepts = [&]<class T>(T) {
    return refused(reads, co::global<T const>{"in", 32}).empty() && refused(reads, co::shared<T[32]>{"s"}).empty();
  };
  CHECK(accepts(float{}));
  CHECK(accepts(double{}));
  CHECK(accepts(point{}));
  CHECK(accepts(std::array<float, 4>{}));
  CHECK(accepts(half{}));
  // The way it was found: an edge's end steers a load.
  auto const gathers = [](auto const& t, auto v, auto e) {
    static_cast<void>(co::value(v[co::value(e[t.lane()]).from]));
  };
  CHECK(says(refused(gathers, co::global<float const>{"v", 32}, co::global<edge const>{"e", 32}), "array \"e\""));
  // The result of an atomic, and a class that shared memory holds in part.
  auto const halves = [](auto const& t, auto p) {
    co::member(p[t.lane()], &edge::from) = 1;
    t.sync();
    static_cast<void>(co::value(p[t.lane()]));
  };
  CHECK(says(refused(halves, co::shared<edge[32]>{"s"}), "not of floating-point numbers alone"));
  auto const both = [](auto const& t, auto p) {
    co::member(p[t.lane()], &padded::tag) = 1, co::member(p[t.lane()], &padded::weight) = 1.f;
    co::member(p[t.lane()], &padded::last) = 1;
    t.sync();
    static_cast<void>(co::value(p[t.lane()]));
  };
  CHECK(refused(both, co::shared<padded[32]>{"s"}).empty());  // padding needs no value
}

namespace {

template <class T>
constexpr bool steers = co::detail::may_steer_addresses<T>();
struct numbers_in_rows {
  point p;
  float q[3];
  half h;
};
struct derived_number : point {
  double w;
};
struct derived_integer : point {
  int w;
};
struct bits_of_integers {
  float x;
  int k : 3;
};
struct unnamed_union {
  float x;
  union {
    float y;
    int k;
  };
};
struct late {
  struct {
    float a, b;
  } x;
  bool y;
};
struct points {
  float x;
  int* p;
};
struct many {
  float x[200];
};
struct many_and_one {
  float x[200];
  int k;
};
template <class X, class Y>
struct pair_of {  // as CUDA's __half2
  X x;
  Y y;
  pair_of() = default;
  constexpr pair_of(X a, Y b) : x(a), y(b) {}
};
template <class T>
struct and_more : pair_of<T, T> {
  and_more() = default;
  constexpr explicit and_more(int k) : more(k) {}
  int more = 0;
};
using four_floats [[gnu::vector_size(16)]] = float;
using four_integers [[gnu::vector_size(16)]] = int;

}  // namespace

TEST_CASE("which types may steer addresses") {
  COALESCE_CHECK((!steers<float> && !steers<double> && !steers<long double> && !steers<half>));
  COALESCE_CHECK(
      (steers<bool> && steers<char> && steers<std::int64_t> && steers<color> && steers<int*> && steers<float*>));
  COALESCE_CHECK((!steers<point> && !steers<numbers_in_rows> && !steers<derived_number> && !steers<many>));
  COALESCE_CHECK((steers<edge> && steers<padded> && steers<hidden> && steers<either> && steers<derived_integer>));
  COALESCE_CHECK(
      (steers<bits_of_integers> && steers<unnamed_union> && steers<late> && steers<points> && steers<many_and_one>));
  COALESCE_CHECK((!steers<four_floats> && steers<four_integers>));
  COALESCE_CHECK((!steers<pair_of<half, half>> && !steers<pair_of<float, float>>));
  COALESCE_CHECK((steers<pair_of<float, int>> && steers<pair_of<int, int>> && steers<and_more<float>>));
#ifdef __SIZEOF_INT128__
  __extension__ using wide = __int128;
  COALESCE_CHECK((steers<wide>));
#endif
}

TEST_CASE("record refuses an index outside its row") {
  co::shared<float[32][32]> const tile{"tile"};
  unsigned const line = __LINE__ + 1;
  auto const text = refused([](auto const& t, auto s) { s[0][t.lane() + 11] = 0.f; }, tile);
  CHECK(says(text, "array \"tile\", line " + std::to_string(line) + ": the index 32 lies outside its extent of 32"));
  CHECK(says(text, "lane 21,"));
  CHECK(says(refused([](auto const&, auto s) { s[0][42] = 0.f; }, tile), "the index 42 "));
  CHECK(says(refused([](auto const&, auto s) { s[1][-1] = 0.f; }, tile), "the index -1 "));
  CHECK(says(refused([](auto const&, auto s) { s[32][0] = 0.f; }, tile), "the index 32 lies outside its extent of 32"));
  CHECK(refused([](auto const&, auto s) { s[31][31] = 0.f; }, tile).empty());
  co::shared<float[2][3][4]> const box{"box"};
  CHECK(refused([](auto const&, auto s) { s[1][2][3] = 0.f; }, box).empty());
  CHECK(says(refused([](auto const&, auto s) { s[0][3][0] = 0.f; }, box), "the index 3 lies outside its extent of 3"));
  CHECK(says(refused([](auto const&, auto s) { s[0][0][4] = 0.f; }, box), "the index 4 lies outside its extent of 4"));
  CHECK(says(refused([](auto const&, auto s) { s[2][0][0] = 0.f; }, box), "the index 2 lies outside its extent of 2"));
  // A pointer reaches over rows, as one of C++ does on the hardware.
  CHECK(refused([](auto const&, auto s) { (s[0] + 42)[0] = 0.f; }, tile).empty());
  CHECK(refused([](auto const&, auto s) { (&s[0][0])[42] = 0.f; }, tile).empty());
  CHECK(refused([](auto const&, auto s) { co::as<point>(s[1])[0] = point{}; }, tile).empty());
  // A pass over wrong values refuses nothing: in the first one lane 0 knows no index, and takes 0 for it.
  auto const settles = [](auto const& t, auto s, auto index) {
    index[t.lane()] = static_cast<int>(t.lane()) + 1;
    t.sync();
    s[0][co::value(index[31 - t.lane()]) - 1] = 0.f;
  };
  CHECK(refused(settles, tile, co::shared<int[32]>{"index"}).empty());
}

// SPDX-License-Identifier: BSL-1.0
// What <coalesce/record.hpp> refuses. Each section must not compile, and the compiler must say its EXPECT, a regular
// expression. (must_fail.cmake compiles what stands here, and one section.)
#include <coalesce/cuda.hpp>
#include <coalesce/record.hpp>
namespace co = coalescing;
using co::cuda::cc90;

constexpr co::launch warp{.block = {32}};
constexpr co::global<float> out{"out", 32};
template <class Body, class... Arrays>
constexpr auto seen(Body const& body, Arrays const&... arrays) {
  return co::record<cc90>(co::kernel{warp, body, arrays...}).size();
}

// ---- access_outside ----
// EXPECT: access_lies_outside_its_array
constexpr auto sites = seen([](auto const& t, auto a) { a[t.lane() + 1] = 0.f; }, out);

// ---- alignment ----
// EXPECT: access_is_less_aligned_than_its_type
constexpr auto sites = seen([](auto const&, auto a) { co::as<double>(a + 1)[0] = 0; }, out);

// ---- array_unknown ----
// EXPECT: recording_has_no_such_array
constexpr auto sites = co::record<cc90>(co::kernel{warp, [](auto const&, auto a) { a[0] = 0.f; }, out}).of("in");

// ---- atomic_of_const ----
// EXPECT: the kernel writes to an array of const elements
constexpr auto sites = seen([](auto const&, auto a) { co::atomic_add(a[0], 1u); }, co::global<unsigned const>{"a", 1});

// ---- atomic_result ----
// EXPECT: integer_is_read_from_an_array_without_contents
constexpr auto sites = seen([](auto const&, auto c) { static_cast<void>(unsigned(co::atomic_add(c[0], 1u))); },
                            co::global<unsigned>{"counter", 1});

// ---- auto_holds_no_value ----
// EXPECT: auto x = p\[i\] holds no value
constexpr auto sites = seen(
    [](auto const&, auto a) {
      auto x = a[0];
      a[1] = x + 1.f;
    },
    out);

// ---- auto_is_stored ----
// EXPECT: auto x = p\[i\] holds no value
constexpr auto sites = seen(
    [](auto const&, auto a) {
      auto x = a[0];
      a[1] = x;
    },
    out);

// ---- block_outside_the_grid ----
// EXPECT: grid_has_no_such_block
constexpr auto sites =
    co::record<cc90>(co::kernel{warp, [](auto const&, auto a) { a[0] = 0.f; }, out}, co::place{1, 0}).size();

// ---- class_of_integers ----
// EXPECT: class_that_may_hold_integers_is_read_from_an_array_without_contents
struct edge {
  float weight;
  int from;
};
constexpr auto sites = seen([](auto const& t, auto v, auto e) { v[co::value(e[t.lane()]).from] = 0.f; }, out,
                            co::global<edge const>{"e", 32});

// ---- contents_shorter_than_the_array ----
// EXPECT: load_lies_past_the_contents
constexpr float few[] = {1.f, 2.f};
constexpr auto sites = seen([](auto const& t, auto s) { static_cast<void>(co::value(s[t.lane()])); },
                            co::shared<float[32]>{.name = "s", .contents = few});

// ---- counter_unknown ----
// EXPECT: counter_is_unknown
constexpr auto sites =
    co::record<cc90>(co::kernel{warp, [](auto const&, auto a) { a[0] = 0.f; }, out}).expected("l1tex__sectors.sum");

// ---- different_orders ----
// EXPECT: lanes_take_their_turns_in_different_orders
constexpr auto sites = seen(
    [](auto const& t, auto a, auto b) {
      for (unsigned k = 0; k != 2; ++k)
        if ((k + t.lane()) % 2 == 0)
          a[t.lane()] = 0.f;
        else
          b[t.lane()] = 0.f;
    },
    out, co::global<float>{"b", 32});

// ---- index_outside_its_row ----
// EXPECT: index_lies_outside_its_row
constexpr auto sites = seen([](auto const&, auto s) { s[0][42] = 0.f; }, co::shared<float[32][32]>{"tile"});

// ---- integers_without_contents ----
// EXPECT: integer_is_read_from_an_array_without_contents
constexpr auto sites =
    seen([](auto const& t, auto a, auto in) { a[in[t.lane()]] = 0.f; }, out, co::global<int const>{"in", 32});

// ---- issue_of_a_wider_machine ----
// EXPECT: instruction_has_other_lanes_than_the_warp
#include <coalesce/cdna.hpp>

constexpr auto sites =
    seen([](auto const&, auto s) { co::issue<co::cdna::gfx942::ds_read<32>>(s); }, co::shared<float[32]>{"s"});

// ---- line_without_access ----
// EXPECT: recording_has_no_access_at_that_line
constexpr auto sites = co::record<cc90>(co::kernel{warp, [](auto const&, auto a) { a[0] = 0.f; }, out}).at(1);

// ---- machine_without_instructions ----
// EXPECT: record<Machine>: a machine, such as co::cuda::cc90
constexpr auto sites = co::record<int>(co::kernel{warp, [](auto const&, auto a) { a[0] = 0.f; }, out}).size();

// ---- shared_integer_before_the_barrier ----
// EXPECT: integer_depends_on_the_order_of_lanes
constexpr auto sites = seen(
    [](auto const& t, auto s) {
      s[t.lane()] = 1;
      s[s[t.lane() ^ 1]] = 2;
    },
    co::shared<int[32]>{.name = "s", .remembered = true});

// ---- shared_array_of_no_extent ----
// EXPECT: shared_array_has_no_elements
constexpr auto sites = seen([](auto const&, auto) {}, co::shared<unsigned char[]>{"raw"});

// ---- array_of_other_elements_than_its_extent ----
// EXPECT: array_says_another_number_of_elements
constexpr auto sites = seen([](auto const&, auto) {}, co::shared<float[32]>{.name = "s", .elements = 33});

// ---- shared_integer_is_never_stored ----
// EXPECT: integer_is_read_from_an_array_without_contents
constexpr auto sites = seen([](auto const& t, auto a, auto s) { a[s[t.lane()]] = 0.f; }, out,
                            co::shared<int[32]>{.name = "s", .remembered = true});

// ---- shared_integer_is_not_remembered ----
// EXPECT: integer_is_read_from_an_array_without_contents
constexpr auto sites = seen(
    [](auto const& t, auto s) {
      s[t.lane()] = 1;
      t.sync();
      s[s[t.lane() ^ 1]] = 2;
    },
    co::shared<int[32]>{"s"});

// ---- shared_of_four_extents ----
// EXPECT: an array of one to three extents
constexpr co::shared<float[2][2][2][2]> four{"s"};

// ---- shared_of_no_array ----
// EXPECT: an array of one to three extents
constexpr co::shared<float> one{"s"};

// ---- shared_values_do_not_settle ----
// EXPECT: values_in_shared_memory_do_not_settle
constexpr auto sites = seen(
    [](auto const& t, auto s) {
      s[0] = 1;
      while (s[0] != 0) t.sync();
    },
    co::shared<int[1]>{.name = "s", .remembered = true});

// ---- site_unknown ----
// EXPECT: recording_has_no_such_site
constexpr auto sites = co::record<cc90>(co::kernel{warp, [](auto const&, auto a) { a[0] = 0.f; }, out})[1].bits;

// ---- store_to_const ----
// EXPECT: the kernel writes to an array of const elements
constexpr auto sites = seen([](auto const&, auto a) { a[0] = 0.f; }, co::global<float const>{"a", 1});

// ---- too_many_arrays ----
// EXPECT: a kernel is given at most 16 arrays
constexpr auto sites = seen([](auto const&, auto...) {}, out, out, out, out, out, out, out, out, out, out, out, out,
                            out, out, out, out, out);

// ---- too_many_sites ----
// EXPECT: recording_has_too_many_sites
constexpr auto sites = co::record<cc90, 1>(co::kernel{warp, [](auto const&, auto a) { a[0] = a[1]; }, out}).size();

// ---- warps_unknown ----
// EXPECT: block_has_no_such_warp
constexpr auto sites =
    co::record<cc90>(co::kernel{warp, [](auto const&, auto a) { a[0] = 0.f; }, out}, co::warps{.first = 1}).size();

// ---- suggest_of_an_unknown_array ----
// EXPECT: recording_has_no_such_array
constexpr auto found = co::suggest<cc90>(co::kernel{warp, [](auto const&, auto a) { a[0] = 0.f; }, out}, "tile");

// ---- suggest_of_no_tile ----
// EXPECT: array_is_no_tile_in_shared_memory
constexpr auto found = co::suggest<cc90>(co::kernel{warp, [](auto const&, auto a) { a[0] = 0.f; }, out}, "out");

// ---- suggest_on_no_machine ----
// EXPECT: suggest<Machine>.kernel, array.: a machine, such as co::cuda::cc90
constexpr auto found = co::suggest<int>(
    co::kernel{warp, [](auto const&, auto a) { a[0][0] = 0.f; }, co::shared<float[4][4]>{"tile"}}, "tile");

// SPDX-License-Identifier: BSL-1.0
// The refusals of co::worst over co::any, <coalesce/claims.hpp>. Each section must not compile, and the compiler must
// say its EXPECT, a regular expression. (must_fail.cmake compiles what stands here, and one section.)
#include <coalesce/cdna.hpp>
#include <coalesce/claims.hpp>
#include <coalesce/cuda.hpp>
#include <coalesce/gcn.hpp>
#include <coalesce/rdna.hpp>
namespace co = coalescing;
using co::cuda::cc90;
constexpr auto bins = [](unsigned, unsigned bin) { return 4 * bin; };

// ---- any_before_the_domain ----
// EXPECT: co::any comes after the domain
constexpr auto found = co::worst<cc90::shared_load<32>>(
    [](unsigned, unsigned warp, unsigned bin) { return 4 * (bin + warp); }, co::any{8}, co::domain{4});

// ---- best_of_any ----
// EXPECT: co::any has no best and no total
constexpr auto found = co::best<cc90::shared_load<32>>(bins, co::any{8});

// ---- best_of_any_over_a_domain ----
// EXPECT: co::any has no best and no total
constexpr auto found = co::best<cc90::shared_load<32>>(bins, co::domain{4}, co::any{8});

// ---- cc_1x ----
// EXPECT: with the order of lanes .CC 1.x.
constexpr auto found = co::worst<co::cuda::cc13::load<32>>(bins, co::any{8});

// ---- cc_1x_shared ----
// EXPECT: with the order of lanes .CC 1.x.
constexpr auto found = co::worst<co::cuda::cc10::shared_load<32>>(bins, co::any{8});

// ---- choice_of_two_pieces ----
// EXPECT: choice_touches_two_pieces
static_assert(co::worst<co::cdna::gfx942::global_load<64>>([](unsigned, unsigned k) { return 124 + 4 * k; }, co::any{2})
                  .cost.transactions == 2);

// ---- clocks_of_gcn ----
// EXPECT: with clocks .GCN, gfx1030's loads.
constexpr auto found = co::worst<co::gcn::buffer_load<32>>(bins, co::any{8});

// ---- clocks_of_gfx1030 ----
// EXPECT: with clocks .GCN, gfx1030's loads.
constexpr auto found = co::worst<co::rdna::gfx1030::global_load<32>>(bins, co::any{8});

// ---- layout_of_elements ----
// EXPECT: this layout gives elements
struct mapping {
  constexpr int extents() const { return 0; }
  constexpr int required_span_size() const { return 1024; }
  constexpr int operator()(unsigned row, unsigned column) const { return static_cast<int>(32 * row + column); }
};
constexpr auto found = co::worst<cc90::load<32>>(mapping{}, co::any{8});

// ---- lds_atomic_of_unknown_phases ----
// EXPECT: it does not declare what its cost grows
constexpr auto found = co::worst<co::cdna::gfx942::ds_atomic<32>>(bins, co::any{8});

// ---- mask_of_a_letter ----
// EXPECT: not a mask of lanes
constexpr auto found = co::worst<cc90::load<32>>(bins, co::any{8}, 'x');

// ---- no_choice ----
// EXPECT: there_is_no_choice
static_assert(co::worst<cc90::shared_load<32>>(bins, co::any{0}).cost.ways == 1);

// ---- no_lane_picks ----
// EXPECT: no_lane_picks
static_assert(co::worst<cc90::shared_load<32>>(bins, co::any{.choices = 8, .together = 0}).cost.ways == 1);

// ---- pair_merge ----
// EXPECT: lanes_may_share_words
constexpr auto found = co::worst<co::cuda::cc75::shared_load<64, co::cuda::shared_mode::pair_merge>>(
    [](unsigned, unsigned k) { return 8 * k; }, co::any{8});

// ---- pattern_of_no_address ----
// EXPECT: not a pattern
constexpr auto found = co::worst<cc90::load<32>>([](unsigned lane, unsigned k) { return lane < k; }, co::any{8});

// ---- pattern_without_the_choice ----
// EXPECT: at last the choice
constexpr auto found = co::worst<cc90::shared_load<32>>([](unsigned lane) { return 4 * lane; }, co::any{8});

// ---- pattern_without_the_choice_over_a_domain ----
// EXPECT: at last the choice
constexpr auto found = co::worst<cc90::shared_load<32>>(bins, co::domain{4}, co::any{8});

// ---- together_in_two_phases ----
// EXPECT: lanes_that_pick_together_are_served_apart
static_assert(co::worst<cc90::shared_load<128>>([](unsigned lane, unsigned row) { return 512 * row + 16 * lane; },
                                                co::any{.choices = 2, .together = 16})
                  .cost.ways == 2);

// ---- together_overlap_in_part ----
// EXPECT: choices_overlap_in_part
static_assert(co::worst<cc90::load<32>>([](unsigned lane, unsigned row) { return 32 * row + lane % 2 * 32; },
                                        co::any{.choices = 2, .together = 2})
                  .cost.transactions == 4);

// ---- total_of_any ----
// EXPECT: co::any has no best and no total
constexpr auto found = co::total<cc90::load<32>>(bins, co::any{8});

// ---- total_of_any_over_a_domain ----
// EXPECT: co::any has no best and no total
constexpr auto found = co::total<cc90::load<32>>(bins, co::domain{4}, co::any{8});

// ---- worst_of_braces ----
// EXPECT: say what the braces are
constexpr auto found = co::worst<cc90::load<32>>([](unsigned lane, unsigned k) { return 4 * lane * k; }, {8});

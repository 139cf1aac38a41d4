// SPDX-License-Identifier: BSL-1.0
// What <coalesce/cdna/litmus.hpp> refuses. Each section must not compile, and the compiler must say its EXPECT, a
// regular expression. (must_fail.cmake compiles what stands here, and one section.)
#include <coalesce/cdna/litmus.hpp>
namespace co = coalescing;
namespace cdna = co::cdna;

// ---- atomic_of_group_scope ----
// EXPECT: atomics_have_device_or_system_scope
constexpr auto wave = cdna::litmus_wave{}.atomic(0, cdna::scope::group);

// ---- fence_that_is_monotonic ----
// EXPECT: ordering_does_not_exist_for_the_operation
constexpr auto wave = cdna::litmus_wave{}.fence(cdna::memory_order::monotonic, cdna::scope::device);

// ---- fifth_location ----
// EXPECT: litmus_has_four_locations
constexpr auto wave = cdna::litmus_wave{}.store(4);

// ---- lds ----
// EXPECT: litmus_has_no_lds
constexpr auto wave = cdna::litmus_wave{}.sequence(
    cdna::synchronize({.kind = cdna::operation::load, .space = cdna::address_space::local}, {}), 0);

// ---- ninth_access ----
// EXPECT: litmus_wave_has_too_many_accesses
constexpr auto four(cdna::litmus_wave const& wave) { return wave.load(0).load(1).load(2).load(3); }
constexpr auto wave = four(four(cdna::litmus_wave{})).load(0);

// ---- of_five_waves ----
// EXPECT: one to four waves
constexpr cdna::litmus_wave wave;
constexpr auto test = cdna::litmus({}, wave, wave, wave, wave, wave);

// ---- outcome_of_another_size ----
// EXPECT: outcome_has_another_number_of_values
// Stores give no value.
static_assert(!cdna::litmus({}, cdna::litmus_wave{}.store(0).load(0)).allows({1, 0}));

// ---- reader_of_nothing ----
// EXPECT: nothing_writes_that_location
static_assert(cdna::litmus({}, cdna::litmus_wave{}.store(0)).reaches(1, cdna::scope::device));

// ---- second_xcd_of_one ----
// EXPECT: agent_has_no_such_xcd
// By default an agent has one L2.
constexpr auto test = cdna::litmus({}, cdna::litmus_wave{.xcd = 1}.load(0));

// ---- sequence_without_location ----
// EXPECT: litmus_has_four_locations
// A sequence with an access: to which location?
constexpr auto wave = cdna::litmus_wave{}.sequence(cdna::synchronize({.kind = cdna::operation::store}, {}));

// ---- value_of_2 ----
// EXPECT: litmus_values_are_0_and_1
static_assert(!cdna::litmus({}, cdna::litmus_wave{}.load(0)).allows({2}));

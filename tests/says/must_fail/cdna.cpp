// SPDX-License-Identifier: BSL-1.0
// What <coalesce/cdna.hpp> refuses. Each section must not compile, and the compiler must say its EXPECT, a regular
// expression. (must_fail.cmake compiles what stands here, and one section.)
#include <coalesce/cdna.hpp>
namespace co = coalescing;
namespace cdna = co::cdna;

// ---- atomic_of_group_scope ----
// EXPECT: atomics_have_device_or_system_scope
static_assert(co::cdna::encode_atomic({.scope = co::cdna::scope::group}).sc0);

// ---- aux ----
// EXPECT: aux_has_bits_that_are_not_sc0_nt_or_sc1
static_assert(co::cdna::from_aux(4).nt);

// ---- cache_op_that_does_not_exist ----
// EXPECT: no_such_enumerator
static_assert(co::cdna::may_hit(co::cdna::cache_op(99)));

// ---- counter_out_of_range ----
// EXPECT: counter_is_out_of_range
static_assert(co::cdna::waitcnt{.vmcnt = 64}.simm16() == 0);

// ---- buffer_width ----
// EXPECT: cdna global_load, global_store, buffer_load, buffer_store, ds_read<Bits>: Bits are 8, 16, 32, 64, 96 or 128
static_assert(co::cost<cdna::gfx942::buffer_store<48>>(co::linear{.stride = 8}).transactions == 8);

// ---- ds_read2_offset ----
// EXPECT: offsets are 0 to 255, in elements of Bits
static_assert(co::cost<cdna::gfx942::ds_read2<32, 0, 256>>(co::linear{.stride = 4}).conflicts == 0);

// ---- ds_read2_second_address_past_lds ----
// EXPECT: access_runs_past_the_end_of_shared_memory
static_assert(co::cost<cdna::gfx942::ds_read2<64, 0, 1>>(co::broadcast{65536 - 8}).conflicts == 0);

// ---- ds_read2_stays_below_lds ----
// EXPECT: access_runs_past_the_end_of_shared_memory
// One offset brings lane 0 back into LDS, the other leaves it 8 bytes below.
static_assert(co::cost<cdna::gfx942::ds_read2<64, 2, 1>>(co::linear{.base = 0 - 16ull, .stride = 8}).conflicts == 0);

// ---- ds_read2_width ----
// EXPECT: Bits are 32 or 64, those at one address
static_assert(co::cost<cdna::gfx942::ds_read2<128, 0, 1>>(co::linear{.stride = 16}).conflicts == 0);

// ---- ds_read2st64_offset_past_lds ----
// EXPECT: an offset leads past the end of LDS
static_assert(co::cost<cdna::gfx942::ds_read2st64<64, 0, 128>>(co::linear{.stride = 8}).conflicts == 0);

// ---- ds_read_tr_form ----
// EXPECT: 64 bits of a lane in elements of 16, 8 or 4, or 96 in elements of 6
static_assert(cdna::gfx950::ds_read_tr<96>::source_of(0, 0).lane == 0);

// ---- ds_read_tr_of_6_bits_is_unknown ----
// EXPECT: no source tells the phases of ds_read_b96_tr_b6
static_assert(co::cost<cdna::gfx950::ds_read_tr<96, 6>>(co::linear{.stride = 16}).conflicts == 0);

// ---- ds_read_tr_on_gfx942 ----
// EXPECT: only gfx950 has transpose loads
static_assert(co::cost<cdna::gfx942::ds_read_tr<64>>(co::linear{.stride = 8}).conflicts == 0);

// ---- ds_read_tr_value_that_does_not_exist ----
// EXPECT: transpose_has_no_such_lane_or_value
static_assert(cdna::gfx950::ds_read_tr<64>::source_of(0, 4).lane == 0);

// ---- ds_read_tr_with_an_inactive_lane ----
// EXPECT: transpose_loads_need_every_lane
static_assert(co::cost<cdna::gfx950::ds_read_tr<64>>(co::linear{.stride = 8}, 0xffff).conflicts == 0);

// ---- footprint_of_two_addresses ----
// EXPECT: of two addresses a lane .ds_read2, ds_write2., say footprint
static_assert(co::footprint<64, co::cdna::gfx942::ds_read2<32, 0, 64>>(co::linear{.stride = 4}) == 512);

// ---- global_atomic_width ----
// EXPECT: cdna global_atomic<Bits>: Bits are 32 or 64
static_assert(co::cost<cdna::gfx942::global_atomic<128>>(co::linear{.stride = 16}).operations == 64);

// ---- global_load_to_lds_of_96_bits_on_gfx942 ----
// EXPECT: Bits are 8, 16 or 32, and on gfx950 96 or 128
static_assert(co::cost<cdna::gfx942::global_load_lds<96>::global>(co::linear{.stride = 12}).transactions == 6);

// ---- global_load_to_lds_on_gfx90a ----
// EXPECT: gfx942 and gfx950 have it; gfx90a has only buffer_load_lds
static_assert(co::cost<cdna::gfx90a::global_load_lds<32>::global>(co::linear{.stride = 4}).transactions == 4);

// ---- global_width ----
// EXPECT: cdna global_load, global_store, buffer_load, buffer_store, ds_read<Bits>: Bits are 8, 16, 32, 64, 96 or 128
static_assert(co::cost<cdna::gfx942::global_load<256>>(co::linear{.stride = 32}).transactions == 16);

// ---- lane_in_two_phases ----
// EXPECT: every_lane_must_be_in_exactly_one_phase
// Lane 7 twice.
constexpr std::uint64_t masks[2] = {0x0000'00ff, 0x0000'ff80};
constexpr auto table = co::detail::phases_of_masks<16>(masks);

// ---- lanes_beyond_the_wave ----
// EXPECT: every_lane_must_be_in_exactly_one_phase
// Masks that name lane 16 of 16.
constexpr std::uint64_t masks[2] = {0x0000'00ff, 0x0001'ff00};
constexpr auto table = co::detail::phases_of_masks<16>(masks);

// ---- lanes_in_no_phase ----
// EXPECT: every_lane_must_be_in_exactly_one_phase
// Masks that leave lane 15 out.
constexpr std::uint64_t masks[2] = {0x0000'00ff, 0x0000'7f00};
constexpr auto table = co::detail::phases_of_masks<16>(masks);

// ---- lds_conflicts_print_both_numbers ----
// EXPECT: 56 == 0
static_assert(co::cost<cdna::gfx942::ds_read<128>>(co::linear{.stride = 128}).conflicts == 0);

// ---- lds_write_96_is_unknown ----
// EXPECT: no source tells the phases of ds_write_b96
static_assert(co::cost<cdna::gfx950::ds_write<96>>(co::linear{.stride = 16}).conflicts == 0);

// ---- load_to_lds_m0 ----
// EXPECT: m0_or_offset_of_a_load_to_lds_is_out_of_range
static_assert(cdna::gfx942::global_load_lds<32>::lds_address({.m0 = 2}, 1) == 6);

// ---- load_to_lds_of_128_bits_on_gfx942 ----
// EXPECT: Bits are 8, 16 or 32, and on gfx950 96 or 128
static_assert(co::cost<cdna::gfx942::buffer_load_lds<128>::global>(co::linear{.stride = 16}).transactions == 8);

// ---- load_to_lds_of_64_bits ----
// EXPECT: on gfx950 96 or 128, never 64
static_assert(cdna::gfx950::global_load_lds<64>::lds_address({}, 0) == 0);

// ---- load_to_lds_past_the_end ----
// EXPECT: access_runs_past_the_end_of_shared_memory
static_assert(cdna::gfx942::global_load_lds<32>::lds_address({.m0 = 65532}, 1) == 0);

// ---- load_to_lds_without_a_side ----
// EXPECT: this is no memory instruction
constexpr auto cost = co::cost<cdna::gfx950::global_load_lds<128>>(co::linear{.stride = 16});

// ---- local_under_tg_split ----
// EXPECT: lds_cannot_be_used_under_tg_split
constexpr auto steps = co::cdna::synchronize(
    {.kind = co::cdna::operation::load, .space = co::cdna::address_space::local}, {.tg_split = true});

// ---- negative_offset_in_lds ----
// EXPECT: access_runs_past_the_end_of_shared_memory
static_assert(co::cost<co::cdna::gfx942::ds_read<32>>(co::linear{.stride = -4}).rounds == 2);

// ---- occupancy_of_more_than_there_is ----
// EXPECT: kernel_uses_more_than_there_is
// A tile that fits gfx950's 160 KiB, on gfx942.
static_assert(cdna::gfx942::occupancy({.lds_bytes = 128 * 1024, .work_group_size = 256}).waves == 1);

// ---- occupancy_without_a_work_group_size ----
// EXPECT: kernel_with_lds_needs_a_work_group_size
static_assert(cdna::gfx942::occupancy({.lds_bytes = 16 * 1024}).waves == 4);

// ---- operation_that_does_not_exist ----
// EXPECT: no_such_enumerator
static_assert(co::cdna::synchronize({.kind = co::cdna::operation(9)}, {}).empty());

// ---- ordering ----
// EXPECT: ordering_does_not_exist_for_the_operation
constexpr auto steps =
    co::cdna::synchronize({.kind = co::cdna::operation::load, .order = co::cdna::memory_order::release}, {});

// ---- partition ----
// EXPECT: product_has_no_such_partition
static_assert(co::cdna::mi300x::l2_caches(co::cdna::partition::tpx) == 3);

// ---- phase_of_lanes_beyond_the_wave ----
// EXPECT: every_lane_must_be_in_exactly_one_phase
// Of 17 lanes.
constexpr std::uint64_t masks[2] = {0x0000'00ff, 0x0001'ff00};
constexpr auto table = co::detail::phases_of_masks<16>(masks);

// ---- scalar_load_width ----
// EXPECT: cdna s_load<Dwords>: Dwords are 1, 2, 4, 8 or 16
static_assert(co::cost<cdna::gfx942::s_load<3>>(co::linear{}).transactions == 1);

// ---- scope_that_does_not_exist ----
// EXPECT: no_such_enumerator
static_assert(co::cdna::encode(co::cdna::scope(9)).sc0);

// ---- view_of_a_temporary ----
// EXPECT: deleted
#include <string_view>

std::string_view const dangling = co::cdna::waitcnt{.vmcnt = 3}.text();

// ---- conflicts_of_global_memory ----
// EXPECT: global_memory_has_no_banks_ask_transactions
static_assert(co::cost<co::cdna::gfx942::global_load<32>>(co::linear{.stride = 4}).conflicts == 0);

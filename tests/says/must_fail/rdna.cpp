// SPDX-License-Identifier: BSL-1.0
// What <coalesce/rdna.hpp> refuses. Each section must not compile, and the compiler must say its EXPECT, a regular
// expression. (must_fail.cmake compiles what stands here, and one section.)
#include <coalesce/rdna.hpp>
namespace co = coalescing;
namespace rdna = co::rdna;

// ---- asynccnt_out_of_range ----
// EXPECT: rdna_counter_is_out_of_range
#include <coalesce/rdna/counters.hpp>

static_assert(co::rdna::waitcnt<co::rdna::gfx1250>{.asynccnt = 64}.encoding().size() == 1);

// ---- atomic_of_gfx1172 ----
// EXPECT: rdna: for gfx1170, gfx1171, gfx1172 and gfx1310, sources tell only how much LDS a work-group has
static_assert(co::cost<rdna::gfx1172::global_atomic<32>>(co::linear{.stride = 4}).transactions == 1);

// ---- atomic_of_gfx1250 ----
// EXPECT: rdna global_atomic: no source tells gfx1250's lines
static_assert(co::cost<rdna::gfx1250::global_atomic<32>>(co::linear{.stride = 16}).transactions == 4);

// ---- buffer_load_of_gfx1250 ----
// EXPECT: rdna global_load, global_store, buffer_load, buffer_store: no source tells gfx1250's lines
static_assert(co::cost<rdna::gfx1250::buffer_load<32>>(co::linear{.stride = 16}).transactions == 4);

// ---- buffer_load_has_no_clocks ----
// EXPECT: clocks
static_assert(co::cost<rdna::gfx1030::buffer_load<32>>(co::linear{.stride = 4}).clocks == 1);

// ---- aux_beyond_the_scope ----
// EXPECT: aux_has_bits_that_are_not_th_or_scope
#include <coalesce/rdna/bits.hpp>

static_assert(co::rdna::from_aux<co::rdna::gfx1201>(32).th == 0);

// ---- aux_of_gfx942_on_gfx11 ----
// EXPECT: aux_has_bits_that_are_not_glc_slc_or_dlc
#include <coalesce/rdna/bits.hpp>

static_assert(co::rdna::from_aux<co::rdna::gfx1100>(16).glc);

// ---- cascading_atomic_that_returns ----
// EXPECT: cascading_atomics_return_nothing
#include <coalesce/rdna/caches.hpp>

static_assert(co::rdna::encode_atomic<co::rdna::gfx1201>({.returns_value = true, .cascades = true}).th == 5);

// ---- clocks_of_128_bits ----
// EXPECT: clocks
// Loads of 32 and 64 bits were measured.
static_assert(co::cost<rdna::gfx1030::global_load<128>>(co::linear{.stride = 16}).clocks == 4);

// ---- clocks_of_gfx1100 ----
// EXPECT: clocks
// Measured on gfx1030 alone.
static_assert(co::cost<rdna::gfx1100::global_load<32>>(co::linear{.stride = 16}).clocks == 4);

// ---- counter_out_of_range ----
// EXPECT: rdna_counter_is_out_of_range
#include <coalesce/rdna/counters.hpp>

static_assert(co::rdna::waitcnt<co::rdna::gfx1100>{.vmcnt = 64}.simm16() == 0);

// ---- gfx10_bits_of_one_source ----
// EXPECT: one_source_alone_tells_of_these_bits
#include <coalesce/rdna/caches.hpp>

static_assert(co::rdna::caches_of_load<co::rdna::gfx1030>({.dlc = true}).l0_may_hit);

// ---- gfx1250_in_wgp_mode ----
// EXPECT: gfx1250_has_cu_mode_only
#include <coalesce/rdna/synchronize.hpp>

constexpr auto steps = co::rdna::synchronize<co::rdna::gfx1250>({}, {.cu_mode = false});

// ---- global_atomic_width ----
// EXPECT: rdna global_atomic<Bits>: Bits are 32 or 64
static_assert(co::cost<rdna::gfx1100::global_atomic<16>>(co::linear{.stride = 16}).transactions == 4);

// ---- global_width ----
// EXPECT: rdna global_load, global_store, buffer_load, buffer_store<Bits>: Bits are 8, 16, 32, 64, 96 or 128
static_assert(co::cost<rdna::gfx1100::global_store<256>>(co::linear{.stride = 16}).transactions == 4);

// ---- lanes_beyond_a_wave32 ----
// EXPECT: mask_names_lanes_beyond_the_wave
static_assert(co::cost<rdna::gfx1100::ds_load<32>>(co::linear{.stride = 16}, 1ull << 32).rounds == 1);

// ---- lds_atomic_is_unknown ----
// EXPECT: rdna ds_atomic: no source tells what atomics in LDS cost
static_assert(co::cost<rdna::gfx1100::ds_atomic<32>>(co::linear{.stride = 16}).rounds == 4);

// ---- lds_granule_of_gfx1170 ----
// EXPECT: lds_granule_of_the_chip_is_unknown
static_assert(rdna::gfx1170::lds_allocated(1) == 1024);

// ---- lds_load_128_of_rdna_1 ----
// EXPECT: rdna ds_load<96>, ds_load<128>: no source tells which lanes RDNA 1 serves together
static_assert(co::cost<rdna::gfx1010::wave64::ds_load<128>>(co::linear{.stride = 16}).rounds == 8);

// ---- lds_load_96_of_rdna_1 ----
// EXPECT: rdna ds_load<96>, ds_load<128>: no source tells which lanes RDNA 1 serves together
static_assert(co::cost<rdna::gfx1012::ds_load<96>>(co::linear{.stride = 16}).rounds == 4);

// ---- lds_load_width ----
// EXPECT: rdna ds_load<Bits>: Bits are 8, 16, 32, 64, 96 or 128
static_assert(co::cost<rdna::gfx1100::ds_load<4>>(co::linear{.stride = 16}).rounds == 4);

// ---- lds_of_gfx1250 ----
// EXPECT: gfx1250 has 64 banks, and sources contradict each other
static_assert(co::cost<rdna::gfx1250::ds_load<32>>(co::linear{.stride = 16}).rounds == 1);

// ---- lds_of_gfx1310 ----
// EXPECT: rdna: for gfx1170, gfx1171, gfx1172 and gfx1310, sources tell only how much LDS a work-group has
static_assert(co::cost<rdna::gfx1310::ds_load<32>>(co::linear{.stride = 4}).rounds == 1);

// ---- lds_store_96_is_unknown ----
// EXPECT: rdna ds_store<96>: no source tells which lanes ds_store_b96 serves together
static_assert(co::cost<rdna::gfx1151::ds_store<96>>(co::linear{.stride = 16}).rounds == 4);

// ---- lds_store_of_gfx1251 ----
// EXPECT: rdna ds_store: AMD's guide gives gfx1250 64 banks, but no source tells which lanes are served together
static_assert(co::cost<rdna::gfx1251::ds_store<32>>(co::linear{.stride = 16}).rounds == 1);

// ---- lds_store_width ----
// EXPECT: rdna ds_store<Bits>: Bits are 8, 16, 32, 64 or 128
static_assert(co::cost<rdna::gfx1100::ds_store<12>>(co::linear{.stride = 16}).rounds == 4);

// ---- lds_two_addresses_of_gfx1250 ----
// EXPECT: Triton's padding for gfx1250 has conflicts between the two addresses of a lane
static_assert(co::cost<rdna::gfx1250::ds_load_2addr<64, 0, 1>>(co::linear{.stride = 16}).rounds == 4);

// ---- lds_two_addresses_offset ----
// EXPECT: offsets are 0 to 255, in elements of Bits
static_assert(co::cost<rdna::gfx1201::ds_store_2addr<32, 0, 256>>(co::linear{.stride = 16}).rounds == 4);

// ---- lds_two_addresses_past_the_end ----
// EXPECT: an offset leads past the end of LDS from byte 0 already
static_assert(co::cost<rdna::gfx1030::ds_store_2addr_stride64<64, 0, 200>>(co::linear{.stride = 16}).rounds == 4);

// ---- lds_two_addresses_width ----
// EXPECT: rdna ds_load_2addr, ds_store_2addr<Bits, O0, O1>: Bits are 32 or 64, those at one address
static_assert(co::cost<rdna::gfx1100::wave64::ds_load_2addr_stride64<128, 0, 1>>(co::linear{.stride = 16}).rounds == 4);

// ---- lines_of_gfx1170 ----
// EXPECT: rdna: for gfx1170, gfx1171, gfx1172 and gfx1310, sources tell only how much LDS a work-group has
static_assert(co::cost<rdna::gfx1170::global_load<32>>(co::linear{.stride = 4}).transactions == 1);

// ---- lines_of_gfx1250 ----
// EXPECT: rdna global_load, global_store, buffer_load, buffer_store: no source tells gfx1250's lines
static_assert(co::cost<rdna::gfx1250::global_load<32>>(co::linear{.stride = 16}).transactions == 4);

// ---- maintenance_of_gfx11_by_scope ----
// EXPECT: only the cache operations of gfx12 and gfx1250 have a scope
#include <coalesce/rdna/maintenance.hpp>

static_assert(co::rdna::maintains<co::rdna::gfx1100>(co::rdna::cache_scope::dev).cu_cache);

// ---- occupancy_of_gfx1310 ----
// EXPECT: occupancy_of_the_chip_is_unknown
static_assert(rdna::gfx1310::occupancy({.vgprs = 8}, {}).waves == 16);

// ---- occupancy_of_more_than_there_is ----
// EXPECT: kernel_uses_more_than_there_is
// A work-group can have half of what a workgroup processor has.
static_assert(rdna::gfx1100::occupancy({.lds_bytes = 128 * 1024, .work_group_size = 256}, {}).waves == 1);

// ---- occupancy_without_a_work_group_size ----
// EXPECT: kernel_with_lds_needs_a_work_group_size
static_assert(rdna::gfx1100::occupancy({.lds_bytes = 1024}, {}).waves == 16);

// ---- ordering ----
// EXPECT: ordering_does_not_exist_for_the_operation
#include <coalesce/rdna/synchronize.hpp>

constexpr auto steps = co::rdna::synchronize<co::rdna::gfx1100>(
    {.kind = co::rdna::operation::load, .order = co::rdna::memory_order::release}, {});

// ---- registers_of_gfx1250_above_1024 ----
// EXPECT: kernel_uses_more_than_there_is
static_assert(rdna::gfx1250::occupancy({.vgprs = 1025}, {}).waves == 1);

// ---- scalar_load_of_gfx1250 ----
// EXPECT: rdna s_load: no source tells gfx1250's lines
static_assert(co::cost<rdna::gfx1250::s_load<4>>(co::broadcast{}).transactions == 1);

// ---- scalar_load_of_gfx1310 ----
// EXPECT: rdna: for gfx1170, gfx1171, gfx1172 and gfx1310, sources tell only how much LDS a work-group has
static_assert(co::cost<rdna::gfx1310::s_load<4>>(co::broadcast{}).transactions == 1);

// ---- scalar_load_width ----
// EXPECT: rdna s_load<Dwords>: Dwords are 1, 2, 4, 8 or 16, and on gfx12 3
// S_LOAD_B96 is gfx12's.
static_assert(co::cost<rdna::gfx1100::s_load<3>>(co::broadcast{}).transactions == 1);

// ---- stores_of_gfx10_are_unknown ----
// EXPECT: Mesa and LLVM 22 differ
#include <coalesce/rdna/caches.hpp>

static_assert(co::rdna::caches_of_store<co::rdna::gfx1030>({}).allocates_in_mall);

// ---- synchronization_of_gfx1170 ----
// EXPECT: rdna: for gfx1170, gfx1171, gfx1172 and gfx1310, sources tell only how much LDS a work-group has
constexpr auto steps = rdna::synchronize<rdna::gfx1170>({}, {});

// ---- tensor_copy_of_gfx12 ----
// EXPECT: generation_does_not_issue_that
#include <coalesce/rdna/issued.hpp>

constexpr rdna::issued_operations<rdna::gfx12> wave(rdna::issued::tensor);

// ---- waits_of_gfx1310 ----
// EXPECT: rdna: for gfx1170, gfx1171, gfx1172 and gfx1310, sources tell only how much LDS a work-group has
static_assert(rdna::waitcnt<rdna::gfx1310>{}.encoding().empty());

// ---- wave64_of_gfx1171 ----
// EXPECT: rdna: for gfx1170, gfx1171, gfx1172 and gfx1310, sources tell only how much LDS a work-group has
static_assert(co::cost<rdna::gfx1171::wave64::ds_store<32>>(co::linear{.stride = 4}).rounds == 2);

// ---- wave64_of_gfx1250 ----
// EXPECT: rdna wave64: waves of gfx1250 have 32 lanes only
static_assert(rdna::gfx1250::wave64::occupancy({.vgprs = 8}, {}).waves == 16);

// ---- wgp_mode_of_gfx1250 ----
// EXPECT: gfx1250_has_cu_mode_only
static_assert(rdna::gfx1250::occupancy({.vgprs = 8}, {.cu_mode = false}).waves == 16);

// ---- word_that_is_no_wait ----
// EXPECT: no_such_wait
#include <coalesce/rdna/counters.hpp>

static_assert(co::rdna::waitcnt<co::rdna::gfx11>::decode(0xbf8c0000).vmcnt == 0);

// ---- write_back_of_gfx11 ----
// EXPECT: generation_does_not_issue_that
#include <coalesce/rdna/issued.hpp>

static_assert(co::rdna::counts_in<co::rdna::gfx1100>(co::rdna::issued::write_back).vscnt == 0);

// ---- conflicts_of_global_memory ----
// EXPECT: global_memory_has_no_banks_ask_transactions
static_assert(co::cost<co::rdna::gfx1100::global_atomic<32>>(co::linear{.stride = 4}).conflicts == 0);

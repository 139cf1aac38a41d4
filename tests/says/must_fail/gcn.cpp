// SPDX-License-Identifier: BSL-1.0
// What <coalesce/gcn.hpp> refuses. Each section must not compile, and the compiler must say its EXPECT, a regular
// expression. (must_fail.cmake compiles what stands here, and one section.)
#include <coalesce/gcn.hpp>
namespace co = coalescing;
namespace gcn = co::gcn;

// ---- array_too_short ----
// EXPECT: the array of addresses has fewer elements than the instruction has lanes
constexpr unsigned addresses[32] = {};
static_assert(co::cost<gcn::buffer_load<32>>(addresses).transactions == 1);

// ---- atomic_width ----
// EXPECT: gcn::buffer_atomic<Bits>: Bits are 32 or 64
static_assert(co::cost<gcn::buffer_atomic<16>>(co::linear{.stride = 4}).clocks == 16);

// ---- bool_as_mask ----
// EXPECT: not a mask of lanes
static_assert(co::cost<gcn::buffer_load<32>>(co::linear{.stride = 4}, true).transactions == 1);

// ---- character_as_mask ----
// EXPECT: not a mask of lanes
constexpr auto cost = co::cost<co::gcn::buffer_load<32>>(co::linear{.stride = 4}, 'x');

// ---- clocks_print_both_numbers ----
// EXPECT: 16 == 4
// A layout that somebody broke: both numbers are printed.
static_assert(co::cost<gcn::buffer_load<32>>(co::linear{.stride = 8}).clocks == 4);

// ---- conflicts_print_both_numbers ----
// EXPECT: 62 == 0
static_assert(co::cost<gcn::ds_read<32>>(co::linear{.stride = 128}).conflicts == 0);

// ---- filtered_texel_size ----
// EXPECT: texels have 8, 16, 32, 64 or 128 bits
static_assert(co::cost<gcn::image_sample<96>>(co::linear{.stride = 12}).clocks == 48);

// ---- format_that_does_not_exist ----
// EXPECT: gcn::buffer_load, gcn::buffer_store<Bits, Channels>: Bits per channel
static_assert(co::cost<gcn::buffer_store<8, 3>>(co::linear{.stride = 4}).clocks == 4);

// ---- granularity_that_is_no_power_of_two ----
// EXPECT: Granularity is a power of two
static_assert(co::footprint<48>(co::linear{.stride = 4}, 4) == 288);

// ---- index_past_the_list ----
// EXPECT: list_has_no_such_transaction
static_assert(co::transactions<gcn::buffer_load<32>>(co::linear{})[1].bytes == 64);

// ---- lds_width ----
// EXPECT: gcn::ds_read<Bits>: Bits are
static_assert(co::cost<gcn::ds_read<24>>(co::linear{.stride = 4}).conflicts == 0);

// ---- lds_write_96_is_unknown ----
// EXPECT: no source tells the phases of ds_write_b96
static_assert(co::cost<gcn::ds_write<96>>(co::linear{.stride = 16}).conflicts == 0);

// ---- mask_beyond_the_wave ----
// EXPECT: mask_names_lanes_beyond_the_wave
static_assert(co::cost<gcn::s_load<4>>(co::linear{}, 0b10).transactions == 1);

// ---- misaligned_dword ----
// EXPECT: address_is_misaligned
// EXPECT Clang: check_address\(0, 2, 4,
// GCN would drop the two low bits and read elsewhere.
static_assert(co::cost<gcn::buffer_load<32>>(co::linear{.base = 2, .stride = 4}).clocks == 4);

// ---- narrow_negative_address ----
// EXPECT: address_is_a_narrow_negative_number
// A table that ran past 32767.
constexpr auto overflowed = [](unsigned lane) { return static_cast<short>(lane == 63 ? -32768 : 4 * lane); };
static_assert(co::cost<co::gcn::buffer_load<32>>(overflowed).transactions == 4);

// ---- negative_mask ----
// EXPECT: mask_is_a_negative_number
static_assert(co::cost<gcn::buffer_load<32>>(co::linear{.stride = 4}, -2).transactions == 4);

// ---- no_width_of_gcn ----
// EXPECT: an instruction has a width, in bits of a lane
static_assert(co::cost<co::gcn::ds_read>(co::linear{.stride = 4}).conflicts == 0);

// ---- not_an_instruction ----
// EXPECT: this is no memory instruction
static_assert(co::cost<gcn::compute_unit>(co::linear{.stride = 4}).clocks == 4);

// ---- number_as_pattern ----
// EXPECT: not a pattern
static_assert(co::cost<gcn::buffer_load<32>>(1024).transactions == 1);

// ---- past_the_top_of_memory ----
// EXPECT: access_runs_past_the_top_of_memory
static_assert(co::cost<gcn::buffer_load<32, 4>>(co::broadcast{0xffff'ffff'ffff'fffc}).clocks == 16);

// ---- pattern_as_mask ----
// EXPECT: not a mask of lanes
static_assert(co::cost<gcn::buffer_load<32>>(co::linear{.stride = 4}, co::linear{.stride = 4}).clocks == 4);

// ---- peak_of_a_store ----
// EXPECT: the post gives peaks for vector loads only
static_assert(gcn::peak_clocks<gcn::buffer_store<32>> == 16);

// ---- peak_of_a_width_that_does_not_exist ----
// EXPECT: Bits per channel are 8, 16 or 32
static_assert(gcn::peak_clocks<gcn::buffer_load<24>> == 4);

// ---- pointer_as_pattern ----
// EXPECT: a pointer has no length
auto clocks(unsigned long long const* addresses) { return co::cost<gcn::buffer_load<32>>(addresses).clocks; }

// ---- position_outside_the_work_group ----
// EXPECT: position_is_outside_the_work_group
static_assert(gcn::invocation_index({8, 0, 0}, {8, 8}) == 8);

// ---- predicate_as_pattern ----
// EXPECT: not a pattern
// A callable that returns bool is a mask, not a pattern: the arguments are the wrong way round.
static_assert(co::cost<gcn::buffer_load<32>>([](unsigned lane) { return lane < 16; }, 0xffff).clocks == 1);

// ---- scalar_width ----
// EXPECT: Dwords are 1, 2, 4, 8 or 16
static_assert(co::cost<gcn::s_load<3>>(co::linear{}).transactions == 1);

// ---- show_prints_the_cost ----
// EXPECT: load_cost<.*>::clocks, 16.*>::transactions, 8.*>::bytes_moved, 512.*>::bytes_used, 256
co::show<co::cost<gcn::buffer_load<32>>(co::linear{.stride = 8})> printed;

// ---- is_prints_both_numbers ----
// EXPECT: Got is not Wanted
// EXPECT GNU: Got = 16; .*Wanted = 4
// EXPECT Clang: 'coalescing::is<16UL?L?, 4UL?L?>'
static_assert(co::is<co::cost<gcn::buffer_load<32>>(co::linear{.stride = 8}).clocks, 4>());

// ---- is_prints_both_costs ----
// EXPECT: Got is not Wanted
// EXPECT GNU: Got = [^;]*{16, 8, 512, 256}.*Wanted = [^;]*{4, 4, 256, 256}
// EXPECT Clang: {16, 8, 512, 256}
static_assert(co::is<co::cost<gcn::buffer_load<32>>(co::linear{.stride = 8}),
                     co::cost<gcn::buffer_load<32>>(co::linear{.stride = 4})>());

// ---- is_of_a_negative_number ----
// EXPECT: -1
static_assert(co::is<co::cost<gcn::buffer_load<32>>(co::linear{.stride = 8}).clocks, -1>());

// ---- std_array_too_short ----
// EXPECT: array_is_shorter_than_the_wave
#include <array>

constexpr std::array<unsigned, 32> addresses{};
static_assert(co::cost<gcn::buffer_load<32>>(addresses).transactions == 1);

// ---- transactions_of_lds ----
// EXPECT: this instruction makes no transactions
// LDS serves banks, not transactions.
static_assert(co::transactions<gcn::ds_read<32>>(co::linear{.stride = 4}).size() == 2);

// ---- transactions_print_both_numbers ----
// EXPECT: 5 <= 4
static_assert(co::cost<gcn::buffer_load<32>>(co::linear{.base = 4, .stride = 4}).transactions <= 4);

// ---- width_that_does_not_exist ----
// EXPECT: Bits per channel are 8, 16 or 32
static_assert(co::cost<gcn::buffer_load<24>>(co::linear{.stride = 4}).clocks == 4);

// ---- conflicts_of_global_memory ----
// EXPECT: global_memory_has_no_banks_ask_transactions
static_assert(co::cost<co::gcn::buffer_load<32>>(co::linear{.stride = 4}).conflicts == 0);

// ---- bytes_of_a_width_that_does_not_exist ----
// EXPECT: gcn::buffer_load, gcn::buffer_store<Bits, Channels>: Bits per channel
static_assert(gcn::buffer_load<24>::bytes == 3);

// ---- phases_of_a_width_that_does_not_exist ----
// EXPECT: gcn::ds_read<Bits>: Bits are
static_assert(co::phases<gcn::ds_read<24>>(co::linear{.stride = 4}).size() == 2);

// ---- transactions_of_a_width_that_does_not_exist ----
// EXPECT: gcn::buffer_load, gcn::buffer_store<Bits, Channels>: Bits per channel
static_assert(co::transactions<gcn::buffer_load<24>>(co::linear{.stride = 4}).size() == 4);

// ---- counters_of_a_width_that_does_not_exist ----
// EXPECT: gcn::buffer_load, gcn::buffer_store<Bits, Channels>: Bits per channel
#include <coalesce/explain.hpp>
static_assert(co::counters_of<gcn::buffer_load<24>>().size() == 1);

// ---- explained_width_that_does_not_exist ----
// EXPECT: gcn::buffer_load, gcn::buffer_store<Bits, Channels>: Bits per channel
#include <coalesce/explain.hpp>
constexpr auto said = co::explain<gcn::buffer_load<24>>(co::linear{.stride = 4});

// ---- worst_width_that_does_not_exist ----
// EXPECT: gcn::buffer_load, gcn::buffer_store<Bits, Channels>: Bits per channel
#include <coalesce/total.hpp>
constexpr auto found =
    co::worst<gcn::buffer_load<24>>([](unsigned lane, unsigned row) { return 256 * row + 4 * lane; }, co::domain{4});

// ---- total_of_a_width_that_does_not_exist ----
// EXPECT: gcn::buffer_load, gcn::buffer_store<Bits, Channels>: Bits per channel
#include <coalesce/total.hpp>
constexpr auto found =
    co::total<gcn::buffer_load<24>>([](unsigned lane, unsigned row) { return 256 * row + 4 * lane; }, co::domain{4});

// ---- picture_of_a_width_that_does_not_exist ----
// EXPECT: gcn::ds_read<Bits>: Bits are
#include <coalesce/figure.hpp>
auto const drawn = co::svg<gcn::ds_read<24>>(co::linear{.stride = 4});

// ---- compared_width_that_does_not_exist ----
// EXPECT: gcn::ds_read<Bits>: Bits are
#include <coalesce/compare.hpp>
constexpr auto found = co::compare(co::linear{.stride = 4}, co::on<gcn::ds_read<24>>());

// SPDX-License-Identifier: BSL-1.0
// What <coalesce/cuda.hpp> refuses. Each section must not compile, and the compiler must say its EXPECT, a regular
// expression. (must_fail.cmake compiles what stands here, and one section.)
#include <coalesce/cuda.hpp>
namespace co = coalescing;

// ---- 256_bits_before_blackwell ----
// EXPECT: on CC 10.0 and later 256
namespace cuda = co::cuda;

static_assert(co::cost<cuda::cc90::load<256>>(co::linear{.stride = 32}).transactions == 32);

// ---- atomic_of_128_bits_before_hopper ----
// EXPECT: cuda atomic<128>: since CC 9.0
static_assert(co::cost<co::cuda::cc89::atomic<128>>(co::linear{.stride = 16}).transactions == 16);

// ---- atomic_of_16_bits_before_volta ----
// EXPECT: cuda atomic<16>: since CC 7.0
static_assert(co::cost<co::cuda::cc61::atomic<16>>(co::linear{.stride = 2}).transactions == 2);

// ---- red_of_a_vector ----
// EXPECT: no source tells the transactions of vector reductions
static_assert(co::cost<co::cuda::cc90::red<128>>(co::linear{.stride = 16}).transactions == 16);

// ---- tcgen05_ld_is_unknown ----
// EXPECT: Tensor Memory has lanes and columns, no byte addresses, and no source tells
static_assert(co::cost<co::cuda::cc100::tcgen05_ld<32>>(co::linear{.stride = 4}).rounds == 1);

// ---- atomic_on_tesla ----
// EXPECT: no source tells the transactions of atomics on CC 1.x
namespace cuda = co::cuda;

static_assert(co::cost<cuda::cc13::atomic<32>>(co::linear{.stride = 4}).transactions == 4);

// ---- banks_by_choice_after_kepler ----
// EXPECT: only CC 3.x has a choice of banks
namespace cuda = co::cuda;

static_assert(
    co::cost<cuda::cc50::shared_load<64, cuda::shared_mode::eight_byte_banks>>(co::linear{.stride = 8}).rounds == 1);

// ---- caching_that_does_not_exist ----
// EXPECT: Caching is caching::by_default, caching::l1 or caching::l2
constexpr auto cost = co::cost<co::cuda::cc20::load<32, co::cuda::caching(9)>>(co::linear{.stride = 4});

// ---- cp_async_before_ampere ----
// EXPECT: cuda cp_async: since CC 8.0
constexpr auto cost = co::cost<co::cuda::cc75::cp_async<16>::global>(co::linear{.stride = 16});

// ---- cp_async_in_bits ----
// EXPECT: 4, 8 or 16 bytes of a lane
constexpr auto cost = co::cost<co::cuda::cc80::cp_async<128>::shared>(co::linear{.stride = 16});

// ---- cp_async_reads_more ----
// EXPECT: no more is read than is written
constexpr auto cost = co::cost<co::cuda::cc80::cp_async<8, 16>::global>(co::linear{.stride = 16});

// ---- cp_async_without_a_side ----
// EXPECT: this is no memory instruction
constexpr auto cost = co::cost<co::cuda::cc80::cp_async<16>>(co::linear{.stride = 16});

// ---- cp_async_without_a_side_names_both ----
// EXPECT: has two sides: ask about its ::global or its ::shared
constexpr auto cost = co::cost<co::cuda::cc80::cp_async<16>>(co::linear{.stride = 16});

// ---- footprint_of_a_short_array ----
// EXPECT: the array of addresses has fewer elements than the instruction has lanes
constexpr unsigned addresses[31] = {};
static_assert(co::footprint<32, 32>(addresses, 4) == 128);

// ---- footprint_takes_no_bytes ----
// EXPECT: mask_could_be_a_number_of_bytes
static_assert(co::footprint<64, co::cuda::cc90::load<32>>(co::linear{.stride = 4}, 4) == 128);

// ---- l1_on_a_device_that_cannot ----
// EXPECT: no guide says that this device can cache global loads
namespace cuda = co::cuda;

static_assert(co::cost<cuda::cc30::load<32, cuda::caching::l1>>(co::linear{.stride = 4}).transactions == 1);

// ---- l2_on_a_device_without_the_choice ----
// EXPECT: only CC 2.x and 3.x tell loads through L1
namespace cuda = co::cuda;

static_assert(co::cost<cuda::cc90::load<32, cuda::caching::l2>>(co::linear{.stride = 4}).transactions == 4);

// ---- layout_of_elements ----
// EXPECT: this layout gives elements
// A layout of elements, as cute::Layout, ComposedLayout and Tensor are known.
struct tile {
  constexpr tile layout() const { return {}; }
  constexpr int shape() const { return 32; }
  constexpr int operator()(int at) const { return 32 * at; }
};
static_assert(co::cost<co::cuda::cc90::shared_load<32>>(tile{}).conflicts == 31);

// ---- ldmatrix_b8_before_blackwell ----
// EXPECT: matrices of 8, 6 and 4 bits since CC 10.0
constexpr auto cost =
    co::cost<co::cuda::cc90::ldmatrix<1, co::cuda::matrix::m16n16_trans_b8>>(co::linear{.stride = 16});

// ---- ldmatrix_before_turing ----
// EXPECT: cuda ldmatrix: since CC 7.5
constexpr auto cost = co::cost<co::cuda::cc70::ldmatrix<4>>(co::linear{.stride = 16});

// ---- ldmatrix_of_a_store_form ----
// EXPECT: Form is matrix::m8n8, m8n8_trans
constexpr auto cost =
    co::cost<co::cuda::cc100::ldmatrix<1, co::cuda::matrix::m16n8_trans_b8>>(co::linear{.stride = 16});

// ---- ldmatrix_of_a_form_without_a_row ----
// EXPECT: another one whose row in matrix_forms .cuda/matrix.hpp. says that it is loaded
constexpr auto cost = co::cost<co::cuda::cc100::ldmatrix<1, co::cuda::matrix(99)>>(co::linear{.stride = 16});

// ---- ldmatrix_of_four_16_by_16 ----
// EXPECT: of 16 x 16, 1 or 2
constexpr auto cost =
    co::cost<co::cuda::cc100::ldmatrix<4, co::cuda::matrix::m16n16_trans_b8>>(co::linear{.stride = 16});

// ---- ldmatrix_of_three ----
// EXPECT: 1, 2 or 4 matrices
constexpr auto cost = co::cost<co::cuda::cc90::ldmatrix<3>>(co::linear{.stride = 16});

// ---- ldmatrix_row_misaligned ----
// EXPECT: address_is_misaligned
static_assert(co::cost<co::cuda::cc80::ldmatrix<4>>(co::linear{.stride = 8}).conflicts == 0);

// ---- ldmatrix_with_a_mask ----
// EXPECT: matrix_instructions_need_every_lane
static_assert(co::cost<co::cuda::cc80::ldmatrix<4>>(co::linear{.stride = 16}, 0xff).conflicts == 0);

// ---- linear_by_position ----
// EXPECT: say_base_or_stride_by_name
constexpr auto cost = co::cost<co::cuda::cc90::load<32>>(co::linear{128});

// ---- linear_by_positions ----
// EXPECT: say_base_or_stride_by_name
constexpr auto cost = co::cost<co::cuda::cc90::load<32>>(co::linear{128, 4});

// ---- mapping_of_elements ----
// EXPECT: this layout gives elements
// The mapping of an mdspan, as it is known.
struct mapping {
  constexpr int extents() const { return 32; }
  constexpr int required_span_size() const { return 32; }
  constexpr int operator()(int at) const { return at; }
};
static_assert(co::cost<co::cuda::cc90::load<32>>(mapping{}).transactions == 4);

// ---- matrix_value_that_does_not_exist ----
// EXPECT: matrix_has_no_such_lane_or_value
static_assert(co::cuda::cc80::ldmatrix<2>::source_of(0, 4).lane == 0);

// ---- misaligned ----
// EXPECT: address_is_misaligned
namespace cuda = co::cuda;

static_assert(co::cost<cuda::cc90::load<128>>(co::linear{.base = 8, .stride = 16}).transactions == 16);

// ---- negative_offset_in_shared_memory ----
// EXPECT: access_runs_past_the_end_of_shared_memory
static_assert(co::cost<co::cuda::cc90::shared_load<32>>([](int lane) { return 4ll * lane - 4; }).rounds == 1);

// ---- no_width ----
// EXPECT: an instruction has a width, in bits of a lane
static_assert(co::cost<co::cuda::cc90::shared_load>(co::linear{.stride = 4}).conflicts == 0);

// ---- offset_past_shared_memory ----
// EXPECT: access_runs_past_the_end_of_shared_memory
// CC 9.0 has 228 KB.
static_assert(co::cost<co::cuda::cc90::shared_load<32>>(co::broadcast{228 * 1024}).rounds == 1);

// ---- no_merge_of_a_store ----
// EXPECT: only loads are known to merge pairs of lanes
namespace cuda = co::cuda;

static_assert(co::cost<cuda::cc90::shared_store<128, cuda::shared_mode::no_merge>>(co::broadcast{}).rounds == 4);

// ---- pair_merge_before_maxwell ----
// EXPECT: pairs of lanes merge on CC 5.0 and later; of CC 1.x to 3.x no source says so
namespace cuda = co::cuda;

static_assert(co::cost<cuda::cc37::shared_load<128, cuda::shared_mode::pair_merge>>(co::broadcast{}).rounds == 2);

// ---- phase_past_the_list ----
// EXPECT: list_has_no_such_phase
static_assert(co::phases<co::cuda::cc90::shared_load<32>>(co::linear{.stride = 4})[1].rounds == 1);

// ---- phases_of_a_global_load ----
// EXPECT: this instruction has no phases
static_assert(co::phases<co::cuda::cc90::load<32>>(co::linear{.stride = 4}).empty());

// ---- phases_of_a_short_array ----
// EXPECT: the array of addresses has fewer elements than the instruction has lanes
constexpr unsigned addresses[31] = {};
static_assert(co::phases<co::cuda::cc90::shared_load<32>>(addresses).size() == 1);

// ---- sectors_print_both_numbers ----
// EXPECT: 32 == 16
namespace cuda = co::cuda;

static_assert(co::cost<cuda::cc90::load<128>>(co::linear{.stride = 65536}).transactions == 16);

// ---- shared_mode_that_does_not_exist ----
// EXPECT: Mode is shared_mode::by_default
constexpr auto cost = co::cost<co::cuda::cc35::shared_load<32, co::cuda::shared_mode(9)>>(co::linear{.stride = 4});

// ---- shared_width_in_bytes ----
// EXPECT: bits of a lane, not bytes: a float is shared_load<32>
constexpr auto cost = co::cost<co::cuda::cc90::shared_load<4>>(co::linear{.stride = 4});

// ---- stmatrix_before_hopper ----
// EXPECT: cuda stmatrix: since CC 9.0
constexpr auto cost = co::cost<co::cuda::cc89::stmatrix<4>>(co::linear{.stride = 16});

// ---- stmatrix_of_a_load_form ----
// EXPECT: Form is matrix::m8n8, m8n8_trans
constexpr auto cost = co::cost<co::cuda::cc100::stmatrix<1, co::cuda::matrix::m8n16_b4>>(co::linear{.stride = 16});

// ---- stmatrix_of_a_form_without_a_row ----
// EXPECT: another one whose row in matrix_forms .cuda/matrix.hpp. says that it is stored
constexpr auto cost = co::cost<co::cuda::cc100::stmatrix<1, co::cuda::matrix(99)>>(co::linear{.stride = 16});

// ---- store_has_no_operations_on_tesla ----
// EXPECT: no member named .operations|has no member named
// How many of the writes to one location are done on CC 1.x is open in the guide.
namespace cuda = co::cuda;

static_assert(co::cost<cuda::cc10::store<32>>(co::broadcast{}).operations == 1);

// ---- transactions_of_a_short_array ----
// EXPECT: the array of addresses has fewer elements than the instruction has lanes
constexpr unsigned addresses[31] = {};
static_assert(co::transactions<co::cuda::cc90::load<32>>(addresses).size() == 4);

// ---- type_for_a_width ----
// EXPECT: expected a constant of type|must be an expression
struct float4 {
  float of[4];
};
constexpr auto cost = co::cost<co::cuda::cc90::load<float4>>(co::linear{.stride = 16});

// ---- unknown_capability ----
// EXPECT: constraints not satisfied
namespace cuda = co::cuda;

static_assert(co::cost<cuda::device<91>::load<32>>(co::linear{.stride = 4}).transactions == 4);

// ---- width ----
// EXPECT: cuda load<Bits>: Bits are 8, 16, 32, 64 or 128
namespace cuda = co::cuda;

static_assert(co::cost<cuda::cc90::load<24>>(co::linear{.stride = 4}).transactions == 4);

// ---- width_in_bytes ----
// EXPECT: bits of a lane, not bytes: a float is load<32>, a float4 load<128>
constexpr auto cost = co::cost<co::cuda::cc90::load<4>>(co::linear{.stride = 4});

// ---- three_numbers_without_a_domain ----
// EXPECT: say over which, as in co::total<Instruction>.pattern, co::domain.8, 4.
constexpr auto cost = co::cost<co::cuda::cc90::load<32>>(
    [](unsigned lane, unsigned warp, unsigned step) { return 4 * lane + 128 * warp + 4096 * step; });

// ---- conflicts_of_global_memory ----
// EXPECT: global_memory_has_no_banks_ask_transactions
static_assert(co::cost<co::cuda::cc90::load<32>>(co::linear{.stride = 4}).conflicts == 0);

// ---- conflicts_of_a_store_to_global_memory ----
// EXPECT: global_memory_has_no_banks_ask_transactions
static_assert(co::cost<co::cuda::cc13::store<32>>(co::linear{.stride = 4}).conflicts == 0);

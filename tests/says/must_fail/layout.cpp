// SPDX-License-Identifier: BSL-1.0
// What <coalesce/layout.hpp> refuses. Each section must not compile, and the compiler must say its EXPECT, a regular
// expression. (must_fail.cmake compiles what stands here, and one section.)
#include <coalesce/cuda.hpp>
#include <coalesce/layout.hpp>
namespace co = coalescing;

// ---- bit_layout_beyond_its_bases ----
// EXPECT: bit_layout_has_no_such_element
// Four bases name 16 elements; a warp has 32 lanes.
static_assert(co::cost<co::cuda::cc90::load<32>>(co::bit_layout{co::bits{4, 8, 16, 32}}).transactions == 2);

// ---- array_of_a_pointer ----
// EXPECT: takes the type of an array with its extents
static_assert(co::array_of<float*>{}(0) == 0);

// ---- array_of_beyond_its_extent ----
// EXPECT: array_has_no_such_element
// The row above ends at column 31: column 32 would be the next row's first.
static_assert(co::array_of<float[32][32]>{}(0, 32) == 128);

// ---- elements_of_a_tensor ----
// EXPECT: takes the layout that says where they are
// A tensor of integers, as cute::Tensor is known: called, it gives what lies there.
struct tensor {
  struct where {
    constexpr int shape() const { return 32; }
  };
  constexpr where layout() const { return {}; }
  constexpr int const* data() const { return nullptr; }
  constexpr int operator()(unsigned) const { return 0; }
};
static_assert(co::cost<co::cuda::cc90::load<32>>(co::elements<int>(tensor{})).transactions == 4);

// ---- layout_with_too_few_elements ----
// EXPECT: layout_has_no_such_element
// A warp has 32 lanes; say which are active, or that the launch is of 16 threads.
static_assert(co::cost<co::cuda::cc90::load<32>>(co::layout<1>{.shape = {16}, .stride = {4}}).transactions == 2);

// ---- packed_elements ----
// EXPECT: elements of this type are packed
// An integer of 4 bits, as cutlass::int4b_t is known: its sizeof is 1.
struct int4b_t {
  using Storage = unsigned char;
  static constexpr Storage bits_mask_ = 0xf;
  Storage storage;
};
constexpr auto fours = co::elements<int4b_t>([](unsigned lane) { return 8 * lane; });
static_assert(co::cost<co::cuda::cc90::load<32>>(fours).transactions == 4);

// ---- swizzle_of_elements ----
// EXPECT: say over.co::elements
// A layout of elements, as cute::Layout, ComposedLayout and Tensor are known.
struct tile {
  constexpr tile layout() const { return {}; }
  constexpr int shape() const { return 32; }
  constexpr int operator()(int at) const { return 32 * at; }
};
static_assert(co::cost<co::cuda::cc90::shared_load<32>>(co::swizzle{.bits = 3, .base = 4, .shift = 3}.over(tile{}))
                  .conflicts == 31);

// ---- swizzle_of_overlapping_bits ----
// EXPECT: swizzle_is_no_permutation
static_assert(co::swizzle{.bits = 3, .base = 4, .shift = 2}(0) == 0);

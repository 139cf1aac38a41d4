// SPDX-License-Identifier: BSL-1.0
#include <coalesce/cuda/fragments.hpp>

#include "core/fragments.hpp"
#include "machinery/check.hpp"

#include <iterator>
#include <string>

namespace co = coalescing;
namespace cuda = co::cuda;
using coalescing_tests::is_a_partition;

// ---- The examples of PTX's figures, by lane ----

TEST_CASE("mma 16 x 8 x 16 of 16 bits: A of lane 13") {
  using a = cuda::mma<16, 8, 16, 16>::a;
  COALESCE_CHECK(a::values == 8);
  COALESCE_CHECK(a::lanes == 32);
  COALESCE_CHECK(a::rows == 16);
  COALESCE_CHECK(a::columns == 16);
  COALESCE_CHECK([] {
    constexpr co::cell expected[] = {{3, 2}, {3, 3}, {11, 2}, {11, 3}, {3, 10}, {3, 11}, {11, 10}, {11, 11}};
    for (unsigned value = 0; value != 8; ++value)
      if (a::of(13, value) != expected[value] || a::owner(expected[value]) != co::holder{13, value}) return false;
    return true;
  }());
}
TEST_CASE("mma 16 x 8 x 16 of 16 bits: B and C of lane 13") {
  using mma = cuda::mma<16, 8, 16, 16>;
  COALESCE_CHECK(mma::b::of(13, 2) == co::cell{.row = 10, .column = 3});
  COALESCE_CHECK(mma::c::of(13, 2) == co::cell{.row = 11, .column = 2});
  COALESCE_CHECK(mma::b::rows == 16);
  COALESCE_CHECK(mma::b::columns == 8);
  COALESCE_CHECK(mma::b::values == 4);
  COALESCE_CHECK(mma::c::rows == 16);
  COALESCE_CHECK(mma::c::columns == 8);
  COALESCE_CHECK(mma::c::values == 4);
}
TEST_CASE("mma 16 x 8 x 32 of 8 bits: A and B of lane 22") {
  using mma = cuda::mma<16, 8, 32, 8>;
  COALESCE_CHECK(mma::a::of(22, 9) == co::cell{.row = 5, .column = 25});
  COALESCE_CHECK(mma::a::of(22, 14) == co::cell{.row = 13, .column = 26});
  COALESCE_CHECK(mma::b::of(22, 6) == co::cell{.row = 26, .column = 5});
}
TEST_CASE("wgmma: C of lane 77") {
  using c = cuda::wgmma<128, 16>::c;
  COALESCE_CHECK(c::lanes == 128);
  COALESCE_CHECK(c::values == 64);
  COALESCE_CHECK(c::rows == 64);
  COALESCE_CHECK(c::columns == 128);
  COALESCE_CHECK(c::of(77, 0) == co::cell{.row = 35, .column = 2});
  COALESCE_CHECK(c::of(77, 3) == co::cell{.row = 43, .column = 3});
  COALESCE_CHECK(c::of(77, 6) == co::cell{.row = 43, .column = 10});
}
TEST_CASE("the accumulator of one product is A of the next, which attention kernels rely on") {
  using c = cuda::wgmma<64, 16>::c;
  using a = cuda::wgmma<64, 16>::a;
  bool same = true;
  for (unsigned lane = 0; lane != 128; ++lane)
    for (unsigned value = 0; value != c::values; ++value) {
      co::cell at = c::of(lane, value);
      at.column %= a::columns;
      same = same && at == a::of(lane, value % a::values);
    }
  CHECK(same);
}

// ---- Every shape against the table of the facts, row by row ----

namespace {

struct place {
  unsigned row, column;
};
// g and t, in PTX's words groupID and threadID_in_group; i counts values.
using formula = place (*)(unsigned g, unsigned t, unsigned i);

constexpr place c_of_all(unsigned g, unsigned t, unsigned i) { return {g + 8 * (i >> 1), 2 * t + (i & 1)}; }

/// Whether the map of a warp equals the formula, and its inverse is the inverse of the formula.
template <class Fragment>
bool is(formula expected) {
  bool same = is_a_partition<Fragment>();
  for (unsigned lane = 0; lane != 32; ++lane)
    for (unsigned i = 0; i != Fragment::values; ++i) {
      auto const [row, column] = expected(lane / 4, lane % 4, i);
      same = same && Fragment::of(lane, i) == co::cell{row, column};
    }
  return same;
}
/// The same of the four warps of wgmma.
template <class Fragment>
bool is_by_warp(formula expected) {
  bool same = is_a_partition<Fragment>() && Fragment::lanes == 128;
  for (unsigned thread = 0; thread != 128; ++thread)
    for (unsigned i = 0; i != Fragment::values; ++i) {
      unsigned const lane = thread % 32;
      auto const [row, column] = expected(lane / 4, lane % 4, i);
      same = same && Fragment::of(thread, i) == co::cell{16 * (thread / 32) + row, column};
    }
  return same;
}

constexpr place a_of_f16_k16(unsigned g, unsigned t, unsigned i) {
  return {g + 8 * (i >> 1 & 1), 2 * t + (i & 1) + 8 * (i >> 2)};
}
constexpr place a_of_8_bit_k32(unsigned g, unsigned t, unsigned i) {
  return {g + 8 * (i >> 2 & 1), 4 * t + (i & 3) + 16 * (i >> 3)};
}
constexpr place a_of_tf32_k8(unsigned g, unsigned t, unsigned i) { return {g + 8 * (i & 1), t + 4 * (i >> 1)}; }

template <unsigned N>
bool wgmma_is_right() {
  formula const c = [](unsigned g, unsigned t, unsigned i) -> place {
    return {g + 8 * (i >> 1 & 1), 8 * (i >> 2) + 2 * t + (i & 1)};
  };
  bool const right = cuda::wgmma<N, 16>::c::values == N / 2 && is_by_warp<typename cuda::wgmma<N, 16>::c>(c);
  if constexpr (N == 256)
    return right;
  else
    return right && wgmma_is_right<N + 8>();
}

}  // namespace

TEST_CASE("mma 16 x 8 x 16, f16 and bf16") {
  using mma = cuda::mma<16, 8, 16, 16>;
  CHECK(is<mma::a>(a_of_f16_k16));
  CHECK(is<mma::b>([](unsigned g, unsigned t, unsigned i) -> place { return {2 * t + (i & 1) + 8 * (i >> 1), g}; }));
  CHECK(is<mma::c>(c_of_all));
  COALESCE_CHECK(mma::since == 80);
}
TEST_CASE("mma 16 x 8 x 8, f16 and bf16") {
  using mma = cuda::mma<16, 8, 8, 16>;
  CHECK(is<mma::a>([](unsigned g, unsigned t, unsigned i) -> place { return {g + 8 * (i >> 1), 2 * t + (i & 1)}; }));
  CHECK(is<mma::b>([](unsigned g, unsigned t, unsigned i) -> place { return {2 * t + i, g}; }));
  CHECK(is<mma::c>(c_of_all));
  COALESCE_CHECK(mma::since == 75);
  COALESCE_CHECK(mma::a::values == 4);
  COALESCE_CHECK(mma::b::values == 2);
}
TEST_CASE("mma 16 x 8 x 32, 8 bits") {
  using mma = cuda::mma<16, 8, 32, 8>;
  CHECK(is<mma::a>(a_of_8_bit_k32));
  CHECK(is<mma::b>([](unsigned g, unsigned t, unsigned i) -> place { return {4 * t + (i & 3) + 16 * (i >> 2), g}; }));
  CHECK(is<mma::c>(c_of_all));
  COALESCE_CHECK(mma::since == 80);
  COALESCE_CHECK(mma::a::values == 16);
  COALESCE_CHECK(mma::b::values == 8);
}
TEST_CASE("mma 16 x 8 x 4, tf32") {
  using mma = cuda::mma<16, 8, 4, 32>;
  CHECK(is<mma::a>([](unsigned g, unsigned t, unsigned i) -> place { return {g + 8 * i, t}; }));
  CHECK(is<mma::b>([](unsigned g, unsigned t, unsigned) -> place { return {t, g}; }));
  CHECK(is<mma::c>(c_of_all));
  COALESCE_CHECK(mma::since == 80);
  COALESCE_CHECK(mma::a::values == 2);
  COALESCE_CHECK(mma::b::values == 1);
}
TEST_CASE("mma 16 x 8 x 8, tf32") {
  using mma = cuda::mma<16, 8, 8, 32>;
  CHECK(is<mma::a>(a_of_tf32_k8));
  CHECK(is<mma::b>([](unsigned g, unsigned t, unsigned i) -> place { return {t + 4 * i, g}; }));
  CHECK(is<mma::c>(c_of_all));
  COALESCE_CHECK(mma::since == 80);
  COALESCE_CHECK(mma::a::values == 4);
  COALESCE_CHECK(mma::b::values == 2);
}
TEST_CASE("mma 16 x 8 x 16 and 8 x 8 x 16, 8 bits; 16 x 8 x 64, 4 bits") {
  using mma = cuda::mma<16, 8, 16, 8>;
  CHECK(is<mma::a>([](unsigned g, unsigned t, unsigned i) -> place { return {g + 8 * (i >> 2), 4 * t + (i & 3)}; }));
  CHECK(is<mma::b>([](unsigned g, unsigned t, unsigned i) -> place { return {4 * t + i, g}; }));
  CHECK(is<mma::c>(c_of_all));
  using small = cuda::mma<8, 8, 16, 8>;
  CHECK(is<small::a>([](unsigned g, unsigned t, unsigned i) -> place { return {g, 4 * t + i}; }));
  CHECK(is<small::b>([](unsigned g, unsigned t, unsigned i) -> place { return {4 * t + i, g}; }));
  CHECK(is<small::c>([](unsigned g, unsigned t, unsigned i) -> place { return {g, 2 * t + i}; }));
  using nibbles = cuda::mma<16, 8, 64, 4>;
  CHECK(is<nibbles::a>([](unsigned g, unsigned t, unsigned i) -> place {
    return {g + 8 * (i >> 3 & 1), 8 * t + (i & 7) + 32 * (i >> 4)};
  }));
  CHECK(is<nibbles::c>(c_of_all));
  CHECK(is<nibbles::b>([](unsigned g, unsigned t, unsigned i) -> place {
    return {8 * t + (i & 7) + 32 * (i >> 3), g};
  }));
}
TEST_CASE("mma of f64") {
  using small = cuda::mma<8, 8, 4, 64>;
  CHECK(is<small::a>([](unsigned g, unsigned t, unsigned) -> place { return {g, t}; }));
  CHECK(is<small::b>([](unsigned g, unsigned t, unsigned) -> place { return {t, g}; }));
  CHECK(is<small::c>([](unsigned g, unsigned t, unsigned i) -> place { return {g, 2 * t + i}; }));
  formula const a = [](unsigned g, unsigned t, unsigned i) -> place { return {g + 8 * (i & 1), t + 4 * (i >> 1)}; };
  formula const b = [](unsigned g, unsigned t, unsigned i) -> place { return {t + 4 * i, g}; };
  CHECK(is<cuda::mma<16, 8, 4, 64>::a>(a));
  CHECK(is<cuda::mma<16, 8, 8, 64>::a>(a));
  CHECK(is<cuda::mma<16, 8, 16, 64>::a>(a));
  CHECK(is<cuda::mma<16, 8, 4, 64>::b>(b));
  CHECK(is<cuda::mma<16, 8, 8, 64>::b>(b));
  CHECK(is<cuda::mma<16, 8, 16, 64>::b>(b));
  CHECK(is<cuda::mma<16, 8, 4, 64>::c>(c_of_all));
  CHECK(is<cuda::mma<16, 8, 8, 64>::c>(c_of_all));
  CHECK(is<cuda::mma<16, 8, 16, 64>::c>(c_of_all));
}
TEST_CASE("wgmma: C of every N, A in registers of every width") {
  CHECK(wgmma_is_right<8>());
  CHECK(is_by_warp<cuda::wgmma<8, 16>::a>(a_of_f16_k16));
  CHECK(is_by_warp<cuda::wgmma<128, 8>::a>(a_of_8_bit_k32));
  CHECK(is_by_warp<cuda::wgmma<256, 32>::a>(a_of_tf32_k8));
  COALESCE_CHECK(cuda::wgmma<8, 16>::a::columns == 16);
  COALESCE_CHECK(cuda::wgmma<8, 8>::a::columns == 32);
  COALESCE_CHECK(cuda::wgmma<8, 32>::a::columns == 8);
  COALESCE_CHECK(cuda::wgmma<8, 16>::since == 90);
}
TEST_CASE("mma: since which compute capability each shape exists (PTX 9.1, mma.sync, target notes), and no other") {
  COALESCE_CHECK((cuda::mma<16, 8, 8, 16>::since == 75 && cuda::mma<16, 8, 16, 16>::since == 80));
  COALESCE_CHECK((cuda::mma<8, 8, 16, 8>::since == 75 && cuda::mma<16, 8, 16, 8>::since == 80));
  COALESCE_CHECK((cuda::mma<16, 8, 32, 8>::since == 80 && cuda::mma<16, 8, 64, 4>::since == 80));
  COALESCE_CHECK((cuda::mma<16, 8, 4, 32>::since == 80 && cuda::mma<16, 8, 8, 32>::since == 80));
  COALESCE_CHECK((cuda::mma<8, 8, 4, 64>::since == 80 && cuda::mma<16, 8, 4, 64>::since == 90));
  COALESCE_CHECK((cuda::mma<16, 8, 8, 64>::since == 90 && cuda::mma<16, 8, 16, 64>::since == 90));
  COALESCE_CHECK(std::size(cuda::mma_shapes) == 12);
  constexpr auto none = cuda::mma_shape_of<16, 8, 32, 16>;
  COALESCE_CHECK((none.m == 0 && none.n == 0 && none.k == 0 && none.bits == 0 && none.since == 0));
}
TEST_CASE("wgmma: N is a multiple of 8 from 8 to 256, of 8, 16 and 32 bits") {
  COALESCE_CHECK((cuda::wgmma_shape<8, 8> && cuda::wgmma_shape<16, 16> && cuda::wgmma_shape<256, 32>));
  COALESCE_CHECK((!cuda::wgmma_shape<0, 16> && !cuda::wgmma_shape<4, 16> && !cuda::wgmma_shape<9, 16>));
  COALESCE_CHECK((!cuda::wgmma_shape<252, 16> && !cuda::wgmma_shape<257, 16> && !cuda::wgmma_shape<264, 16>));
  COALESCE_CHECK((!cuda::wgmma_shape<64, 4> && !cuda::wgmma_shape<64, 64> && !cuda::wgmma_shape<64, 12>));
}
TEST_CASE("fragments: PTX has the maps and the shapes in words") {
  auto const check = [](co::fragment_sources const& sources, char const* map, char const* shape) {
    for (auto const& from : {sources.map, sources.shape}) {
      CHECK(std::string(from.document) + ", " + from.edition ==
            "NVIDIA Parallel Thread Execution ISA, 9.1 (CUDA 13.1)");
      CHECK(from.evidence == co::evidence::documented);
    }
    CHECK(std::string(sources.map.section) == map);
    CHECK(std::string(sources.shape.section) == shape);
  };
  check(cuda::mma<16, 8, 16, 16>::a::sources, "9.7.14.5", "9.7.14.5.8");
  check(cuda::mma<16, 8, 4, 32>::b::sources, "9.7.14.5", "9.7.14.5.6");
  check(cuda::wgmma<64, 16>::c::sources, "9.7.15.5.1.1", "9.7.15.2");
}
TEST_CASE("fragments: of one block; a warp holds an operand of mma, four a row of pieces of wgmma's each") {
  COALESCE_CHECK((cuda::mma<16, 8, 16, 16>::a::blocks == 1 && cuda::wgmma<64, 16>::c::blocks == 1));
  COALESCE_CHECK((cuda::mma<8, 8, 4, 64>::c::lanes == 32 && cuda::wgmma<64, 16>::a::lanes == 128));
}
TEST_CASE("control: a formula that is not the shape's is noticed") {
  CHECK(!is<cuda::mma<16, 8, 16, 16>::a>([](unsigned g, unsigned t, unsigned i) -> place {
    return {g + 8 * (i >> 2), 2 * t + (i & 1) + 8 * (i >> 1 & 1)};  // registers to the right first
  }));
}

TEST_CASE("what lies outside an operand is refused") {
  coalescing_tests::refuses_what_lies_outside<cuda::mma<16, 8, 16, 16>::a>();
  coalescing_tests::refuses_what_lies_outside<cuda::mma<16, 8, 16, 16>::b>();
  coalescing_tests::refuses_what_lies_outside<cuda::mma<16, 8, 4, 32>::c>();
  coalescing_tests::refuses_what_lies_outside<cuda::wgmma<24, 16>::c>();
}

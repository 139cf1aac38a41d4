// SPDX-License-Identifier: BSL-1.0
//
// Matrix loads and stores move the fragments of the instructions beside them: the classic proofs.
#include <coalesce/cuda.hpp>
#include <coalesce/cuda/fragments.hpp>
#include <coalesce/total.hpp>

#include "machinery/check.hpp"

namespace co = coalescing;
namespace cu = co::cuda;
using cu::cc75, cu::cc80, cu::cc90, cu::cc100;
using hmma = cu::mma<16, 8, 16, 16>;

namespace {

// 16 x 16 halves in rows of 128 bytes.
constexpr co::tile tile{.rows = 16, .columns = 16, .element_bytes = 2, .pitch = 128};
// The rows of the four matrices of 8 x 8: the upper two rows of matrices, then their right neighbours.
constexpr auto rows = [](unsigned lane) { return tile(lane % 16, 8 * (lane / 16)); };
constexpr co::swizzle atoms{.bits = 3, .base = 4, .shift = 3};

}  // namespace

TEST_CASE("ldmatrix.x4 over a 16 x 16 tile is the A fragment of m16n8k16 (copies.md 1f)") {
  COALESCE_CHECK(co::moves<cc75::ldmatrix<4>, hmma::a>(rows, tile));
  // Swizzled addresses on both sides too: chunks of 16 bytes stay whole.
  COALESCE_CHECK(co::moves<cc80::ldmatrix<4>, hmma::a>(atoms.over(rows), atoms.over(tile)));
  // The controls: rows in another order, a tile of another pitch, the transposed form.
  COALESCE_CHECK(!co::moves<cc75::ldmatrix<4>, hmma::a>(
      [](unsigned lane) { return tile(8 * (lane / 16) + lane % 8, lane / 8 % 2); }, tile));
  COALESCE_CHECK(!co::moves<cc80::ldmatrix<4>, hmma::a>(rows, atoms.over(tile)));
  // ldmatrix loads pairs of bytes, and halves of tf32: PTX ISA 9.1, 9.7.14.5.15 and 9.7.14.5.10.
  constexpr auto rows_of_32 = [](unsigned lane) { return 32 * (lane % 16) + 16 * (lane / 16); };
  constexpr auto beside = [](unsigned lane) { return 32 * (lane % 16) + 16 * (lane / 16) + 1024; };
  constexpr co::tile bytes{.rows = 16, .columns = 32, .element_bytes = 1},
      words{.rows = 16, .columns = 8, .element_bytes = 4};
  using bytes_a = co::cuda::mma<16, 8, 32, 8>::a;
  COALESCE_CHECK(co::moves<cc80::ldmatrix<4>, bytes_a>(rows_of_32, bytes));
  COALESCE_CHECK(!co::moves<cc80::ldmatrix<4>, bytes_a>(beside, bytes));
  COALESCE_CHECK(co::moves<cc80::ldmatrix<4>, co::cuda::mma<16, 8, 8, 32>::a>(rows_of_32, words));
  constexpr auto right = [](unsigned lane) { return 32 * (lane % 16) + 16; };  // the last two registers
  COALESCE_CHECK(co::moves<cc80::ldmatrix<2>, bytes_a>(right, bytes, 8));
  COALESCE_CHECK(!co::moves<cc80::ldmatrix<2>, bytes_a>(right, bytes));
  CHECK_THROWS_AS(static_cast<void>(co::moves<cc80::ldmatrix<2>, bytes_a>(right, bytes, 6)), co::misuse);
  COALESCE_CHECK(!co::moves<cc80::ldmatrix<4, cu::matrix::m8n8_trans>, hmma::a>(rows, tile));
}
TEST_CASE("ldmatrix.x2 over the right half of the tile is the second half of A's registers: values 4 to 7") {
  constexpr auto right = [](unsigned lane) { return tile(lane % 16, 8); };
  COALESCE_CHECK(co::moves<cc80::ldmatrix<2>, hmma::a>(right, tile, 4));
  COALESCE_CHECK(!co::moves<cc80::ldmatrix<2>, hmma::a>(right, tile, 0));
}
TEST_CASE("moves: one element in another place is noticed, the first, which lane 0 holds, and the last") {
  constexpr auto but = [](unsigned of_row, unsigned of_column) {
    return [=](unsigned row, unsigned column) {
      return tile(row, column) + (row == of_row && column == of_column ? 4096 : 0);
    };
  };
  COALESCE_CHECK(!co::moves<cc80::ldmatrix<4>, hmma::a>(rows, but(0, 0)));
  COALESCE_CHECK(!co::moves<cc80::ldmatrix<4>, hmma::a>(rows, but(15, 15)));
  COALESCE_CHECK(co::moves<cc80::ldmatrix<4>, hmma::a>(rows, but(16, 0)));
}
TEST_CASE("ldmatrix.x2.trans over K x 8 rows is the B fragment of m16n8k16 (copies.md 5f)") {
  constexpr auto k_rows = [](unsigned lane) { return tile(lane, 0); };
  COALESCE_CHECK(co::moves<cc80::ldmatrix<2, cu::matrix::m8n8_trans>, hmma::b>(k_rows, tile));
  COALESCE_CHECK(!co::moves<cc80::ldmatrix<2>, hmma::b>(k_rows, tile));
  // B stored by columns: then not transposed.
  constexpr auto by_columns = [](unsigned row, unsigned column) { return tile(column, row); };
  constexpr auto columns = [](unsigned lane) { return tile(lane % 8, 8 * (lane / 8)); };
  COALESCE_CHECK(co::moves<cc80::ldmatrix<2>, hmma::b>(columns, by_columns));
}
TEST_CASE("stmatrix.x2 stores the accumulator of m16n8k16, as 16-bit values") {
  constexpr auto of_8 = [](unsigned lane) { return tile(lane, 0); };
  COALESCE_CHECK(co::moves<cc90::stmatrix<2>, hmma::c>(of_8, tile));
  COALESCE_CHECK(!co::moves<cc90::stmatrix<2>, hmma::c>([](unsigned lane) { return tile(lane ^ 1, 0); }, tile));
}
#ifdef __cpp_exceptions
TEST_CASE("moves: more values than are left of the fragment, and more lanes than the instruction has, are refused") {
  // Whether or not a value before the missing one lies elsewhere.
  constexpr auto elsewhere = [](unsigned) { return 1u; };
  auto const refused = [&]<class Instruction, class Fragment>(auto const& from, unsigned first, char const* words) {
    CHECK_THROWS_WITH_AS(static_cast<void>(co::moves<Instruction, Fragment>(from, tile, first)),
                         doctest::Contains(words), co::misuse);
  };
  constexpr char const *values = "moves more values than are left of the fragment", *lanes = "not less than 32";
  auto const beyond = [&](auto const& from) {
    refused.template operator()<cc80::ldmatrix<4>, hmma::a>(from, 1, values);
    refused.template operator()<cc80::ldmatrix<4>, hmma::a>(from, 8, values);
    refused.template operator()<cc80::ldmatrix<2>, hmma::a>(from, 5, values);
    refused.template operator()<cc80::ldmatrix<1>, hmma::a>(from, 7, values);
    refused.template operator()<cc80::ldmatrix<1>, hmma::a>(from, ~0u, values);
    refused.template operator()<cc80::ldmatrix<1>, hmma::a>(from, ~0u - 1, values);
    refused.template operator()<cc80::ldmatrix<4, cu::matrix::m8n8_trans>, hmma::b>(from, 0, values);
    refused.template operator()<cc90::stmatrix<4>, hmma::c>(from, 0, values);
    refused.template operator()<cc90::stmatrix<2>, cu::wgmma<8, 16>::c>(from, 0, lanes);  // of four warps
  };
  beyond(rows), beyond(elsewhere);
  constexpr unsigned held[] = {0, 4, 6};
  for (unsigned const first : held)
    CHECK_NOTHROW(static_cast<void>(co::moves<cc80::ldmatrix<1>, hmma::a>(elsewhere, tile, first)));
}
#endif
TEST_CASE("ldmatrix.x2.m16n16.trans.b8 over 32 x 16 bytes is the B fragment of m16n8k32, of two n-tiles") {
  using imma = cu::mma<16, 8, 32, 8>;
  static constexpr co::tile bytes{.rows = 32, .columns = 16, .element_bytes = 1, .pitch = 16};
  using load = cc100::ldmatrix<2, cu::matrix::m16n16_trans_b8>;
  // Columns 0 to 7 are the first register of each matrix, 8 to 15 the second: values 0-3 and 8-11, 4-7 and 12-15.
  constexpr bool holds = [] {
    for (unsigned lane = 0; lane != 32; ++lane)
      for (unsigned value = 0; value != 16; ++value) {
        co::origin const from = load::source_of(lane, value);
        unsigned const of_b = value % 4 + value / 8 * 4, tile_of_n = value / 4 % 2;
        co::cell const at = imma::b::of(lane, of_b);
        if (bytes(from.lane, from.element) != bytes(at.row, at.column + 8 * tile_of_n)) return false;
      }
    return true;
  }();
  COALESCE_CHECK(holds);
}
TEST_CASE("a fragment and a layout are the pattern of the loads that feed it, one for each value") {
  // Loaded value by value, 16 bits at a time, or by pairs, which lie beside each other.
  COALESCE_CHECK(co::total<cc80::shared_load<16>>(hmma::a::in(tile), co::domain{8}).phases == 8);
  constexpr auto pairs = [](unsigned lane, unsigned pair) { return hmma::a::in(tile)(lane, 2 * pair); };
  COALESCE_CHECK(co::total<cc80::shared_load<32>>(pairs, co::domain{4}).ways == 8);
  static constexpr co::tile padded{.rows = 16, .columns = 16, .element_bytes = 2, .pitch = 144};
  constexpr auto padded_pairs = [](unsigned lane, unsigned pair) { return hmma::a::in(padded)(lane, 2 * pair); };
  COALESCE_CHECK(co::total<cc80::shared_load<32>>(padded_pairs, co::domain{4}).ways == 1);
  // Straight from global memory: 8 rows of 16 bytes.
  COALESCE_CHECK(co::total<cc80::load<32>>(pairs, co::domain{4}).transactions == 4 * 8);
}

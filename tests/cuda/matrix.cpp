// SPDX-License-Identifier: BSL-1.0
#include <coalesce/cuda.hpp>
#include <coalesce/layout.hpp>

#include "cuda/devices.hpp"
#include "machinery/check.hpp"
#include "truth/instructions/cuda.hpp"
#include "truth/oracle/random_access.hpp"

#include <array>
#include <iterator>
#include <set>
#include <string>
#include <utility>

namespace co = coalescing;
using namespace coalescing_tests;
using cuda::cc75, cuda::cc80, cuda::cc90, cuda::cc100, cuda::cc120;
using cuda::matrix;

namespace {

using x4 = cc80::ldmatrix<4>;

/// Row r of matrix m of 8 x 8 halves, in rows `pitch` bytes apart, matrices side by side: the sheet's example 1b.
template <unsigned Pitch>
constexpr unsigned side_by_side(unsigned lane) {
  return Pitch * (lane % 8) + 16 * (lane / 8);
}
/// Example 1c's maps: CuTe's Swizzle<n, 4, 3>.
template <unsigned Bits>
constexpr auto swizzled = co::swizzle{.bits = Bits, .base = 4, .shift = 3}.over(side_by_side<128>);

/// Word by word, eight rows after the other.
template <std::size_t Rows>
co::bank_cost<> slowly(std::array<std::uint64_t, Rows> const& row) {
  co::bank_cost<> cost;
  for (std::size_t first = 0; first != Rows; first += 8) {
    std::array<std::set<std::uint64_t>, 32> words;
    for (std::size_t k = first; k != first + 8; ++k)
      for (std::uint64_t byte = row[k]; byte != row[k] + 16; ++byte) words[byte / 4 % 32].insert(byte / 4);
    std::uint64_t most = 0;
    for (auto const& of_bank : words) most = of_bank.size() > most ? of_bank.size() : most;
    cost += {.rounds = most, .conflicts = most - 1, .phases = 1, .ways = most};
  }
  return cost;
}

/// The map spelt out from PTX's figures: M[i][j] is element j of row i of matrix `m`.
struct element {
  unsigned m = 0, i = 0, j = 0;
};
element of_figure(matrix form, unsigned lane, unsigned v) {
  switch (form) {
    case matrix::m8n8:
      return {v / 2, lane / 4, 2 * (lane % 4) + v % 2};
    case matrix::m8n8_trans:
      return {v / 2, 2 * (lane % 4) + v % 2, lane / 4};
    case matrix::m8n16_b6:
    case matrix::m8n16_b4:
      return {v / 4, lane / 4, 4 * (lane % 4) + v % 4};
    case matrix::m16n8_trans_b8:
      return {v / 4, 2 * (lane % 4) + (v & 1), lane / 4 + 8 * (v >> 1 & 1)};
    case matrix::m16n16_trans_b8:
    case matrix::m16n16_trans_b6:
    case matrix::m16n16_trans_b4:
      return {v / 8, 4 * (lane % 4) + v % 4, lane / 4 + (v / 4 % 2 == 0 ? 0 : 8)};
  }
  return {~0u, 0, 0};  // a form without a case: every check fails
}
/// Every element of every row is held once, where the figure says.
template <class Instruction>
void holds_each_once(matrix form, unsigned rows, unsigned elements) {
  std::set<std::pair<unsigned, unsigned>> held;
  for (unsigned lane = 0; lane != 32; ++lane)
    for (unsigned v = 0; v != Instruction::values; ++v) {
      co::origin const at = [&] {
        if constexpr (requires { Instruction::source_of(0, 0); })
          return Instruction::source_of(lane, v);
        else
          return Instruction::target_of(lane, v);
      }();
      auto const [m, i, j] = of_figure(form, lane, v);
      CHECK(at.lane == rows * m + i);
      CHECK(at.element == j);
      held.insert({at.lane, at.element});
    }
  CHECK(held.size() == Instruction::lanes * elements);
  CHECK(held.size() == 32 * Instruction::values);
  CHECK(held.rbegin()->first == Instruction::lanes - 1);
}
template <std::size_t Index>
void holds_each_once() {
  constexpr cuda::matrix_form const& row = cuda::matrix_forms[Index];
  INFO(std::string{row.name}, " (tests/cuda/matrix.cpp, of_figure)");
  constexpr unsigned rows = row.transposed ? row.columns : row.rows, elements = row.rows * row.columns / rows;
  if constexpr (row.loaded) holds_each_once<cc100::ldmatrix<1, row.form>>(row.form, rows, elements);
  if constexpr (row.stored) holds_each_once<cc100::stmatrix<1, row.form>>(row.form, rows, elements);
}

}  // namespace

TEST_CASE("ldmatrix: PTX 9.7.14.5.15: .x1 takes addresses of lanes 0-7, .x2 of 0-15, .x4 of all; rows of 16 bytes") {
  static_assert(cc75::ldmatrix<1>::lanes == 8 && cc80::ldmatrix<2>::lanes == 16 && x4::lanes == 32);
  static_assert(x4::bytes == 16 && x4::alignment == 16 && x4::values == 8 && x4::level == co::level::lds);
  static_assert(cc100::ldmatrix<2, matrix::m16n16_trans_b8>::lanes == 32);
  static_assert(cc100::ldmatrix<2, matrix::m16n16_trans_b8>::values == 16);
  // Elements below a byte fill one in shared memory.
  static_assert(x4::element_bits == 16 && cc80::ldmatrix<1, matrix::m8n8_trans>::element_bits == 16);
  static_assert(cc100::ldmatrix<1, matrix::m8n16_b6>::element_bits == 8);
  static_assert(cc100::ldmatrix<1, matrix::m16n16_trans_b4>::element_bits == 8);
  static_assert(cc100::stmatrix<1, matrix::m16n8_trans_b8>::element_bits == 8);
}
TEST_CASE("ldmatrix, examples 1a to 1e: dense, side by side at each pitch, swizzled, one matrix, one address") {
  COALESCE_CHECK(co::cost<x4>(co::linear{.stride = 16}).rounds == 4);
  COALESCE_CHECK(co::cost<x4>(co::linear{.stride = 16}).conflicts == 0);
  COALESCE_CHECK(co::cost<x4>(side_by_side<128>).rounds == 32);
  COALESCE_CHECK(co::cost<x4>(side_by_side<128>).conflicts == 28);
  COALESCE_CHECK(co::cost<x4>(side_by_side<144>).conflicts == 0);
  COALESCE_CHECK(co::cost<x4>(side_by_side<64>).rounds == 16);
  COALESCE_CHECK(co::cost<x4>(side_by_side<32>).rounds == 8);
  COALESCE_CHECK(co::cost<x4>(swizzled<3>).conflicts == 0);
  COALESCE_CHECK(co::cost<x4>(swizzled<2>).rounds == 8);
  COALESCE_CHECK(co::cost<x4>(swizzled<1>).rounds == 16);
  COALESCE_CHECK(co::cost<cc80::ldmatrix<1>>(co::linear{.stride = 128}).rounds == 8);
  COALESCE_CHECK(co::cost<cc80::ldmatrix<1>>(co::linear{.stride = 128}).conflicts == 7);
  COALESCE_CHECK(co::cost<x4>(co::broadcast{}).rounds == 4);
}
TEST_CASE("ldmatrix, measured on CC 8.9 (copies.md 1): conflicts of an instruction, by pitch") {
  // x4 at pitch 32: 4; x2.trans at pitch 256: 14; pitches 48 and 272: none.
  COALESCE_CHECK(co::cost<cuda::cc89::ldmatrix<4>>(side_by_side<32>).conflicts == 4);
  COALESCE_CHECK(co::cost<cuda::cc89::ldmatrix<2, matrix::m8n8_trans>>(co::linear{.stride = 256}).conflicts == 14);
  COALESCE_CHECK(co::cost<cuda::cc89::ldmatrix<4>>(side_by_side<48>).conflicts == 0);
  COALESCE_CHECK(co::cost<cuda::cc89::ldmatrix<2, matrix::m8n8_trans>>(co::linear{.stride = 272}).conflicts == 0);
}
TEST_CASE("ldmatrix: the phases are matrices of eight rows, and the lanes that collide are listed") {
  constexpr auto phases = co::phases<x4>(side_by_side<64>);
  COALESCE_CHECK(phases.size() == 4);
  COALESCE_CHECK(phases[1].lanes == 0xff00);
  COALESCE_CHECK(phases[1].rounds == 4);
  COALESCE_CHECK(phases[1].colliding == 0x5500);
}
TEST_CASE("ldmatrix costs what a 16-byte load with the same addresses costs; transposed the same") {
  COALESCE_CHECK(co::cost<x4>(side_by_side<80>) == co::cost<cc80::shared_load<128>>(side_by_side<80>));
  COALESCE_CHECK(co::cost<cc80::ldmatrix<4, matrix::m8n8_trans>>(side_by_side<80>) == co::cost<x4>(side_by_side<80>));
}
TEST_CASE_TEMPLATE("matrix instructions: random rows against words in sets", Instruction, cc75::ldmatrix<1>,
                   cc80::ldmatrix<2>, cc90::ldmatrix<4>, cc90::stmatrix<4>, cc100::ldmatrix<2, matrix::m16n16_trans_b8>,
                   cc120::ldmatrix<4, matrix::m8n16_b4>, cc120::stmatrix<2, matrix::m16n8_trans_b8>) {
  std::mt19937 random(5);
  unsigned wrong = 0, conflicts = 0;
  for (unsigned k = 0; k != share(5000); ++k) {
    std::uint64_t const pitch = 16 * (random() % 40), spread = 1 + random() % 64;
    bool const gathered = random() % 3 == 0;
    std::array<std::uint64_t, Instruction::lanes> rows{};
    for (unsigned lane = 0; lane != Instruction::lanes; ++lane)
      rows[lane] = gathered ? 16 * (random() % spread) : pitch * (lane % 8) + 16 * (lane / 8 * spread % 64);
    auto const cost = co::cost<Instruction>(rows);
    wrong += cost != slowly(rows);
    conflicts += cost.conflicts != 0;
  }
  CHECK(wrong == 0);
  CHECK(conflicts != 0);
}
TEST_CASE("ldmatrix: any two rows of a matrix conflict where their 16 bytes lie in the same four banks") {
  for (unsigned a = 0; a != 32; ++a)
    for (unsigned b = 0; b != a; ++b) {
      // All rows are one, but a and b.
      auto const rows = [&](unsigned lane) { return lane == a ? 128u : lane == b ? 256u : 16u; };
      CHECK(co::cost<x4>(rows).conflicts == (a / 8 == b / 8 ? 1 : 0));
    }
}

TEST_CASE("every form that has a name has its row and its name there") {
  for (matrix_name const& line : matrix_names) {
    INFO(line.name, " (include/coalesce/cuda/matrix.hpp, matrix_forms)");
    CHECK(cuda::rules::row_of(line.form).rows != 0);
    CHECK(std::string{cuda::rules::row_of(line.form).name} == std::string{line.form == matrix::m8n8 ? "" : line.name});
  }
  CHECK(cuda::rules::row_of(matrix{99}).rows == 0);  // the control
}
TEST_CASE("which value is which element: PTX figures 104 to 108, each element exactly once") {
  holds_each_once<cc75::ldmatrix<1>>(matrix::m8n8, 8, 8);
  holds_each_once<cc80::ldmatrix<4>>(matrix::m8n8, 8, 8);
  holds_each_once<cc80::ldmatrix<2, matrix::m8n8_trans>>(matrix::m8n8_trans, 8, 8);
  holds_each_once<cc100::ldmatrix<2, matrix::m16n16_trans_b8>>(matrix::m16n16_trans_b8, 16, 16);
  holds_each_once<cc100::ldmatrix<2, matrix::m16n16_trans_b6>>(matrix::m16n16_trans_b6, 16, 16);
  holds_each_once<cc100::ldmatrix<1, matrix::m16n16_trans_b4>>(matrix::m16n16_trans_b4, 16, 16);
  holds_each_once<cc100::ldmatrix<2, matrix::m8n16_b4>>(matrix::m8n16_b4, 8, 16);
  holds_each_once<cc100::ldmatrix<4, matrix::m8n16_b6>>(matrix::m8n16_b6, 8, 16);
  holds_each_once<cc90::stmatrix<4>>(matrix::m8n8, 8, 8);
  holds_each_once<cc90::stmatrix<1, matrix::m8n8_trans>>(matrix::m8n8_trans, 8, 8);
  holds_each_once<cc100::stmatrix<2, matrix::m16n8_trans_b8>>(matrix::m16n8_trans_b8, 8, 16);
  // Every form of the table, too.
  [&]<std::size_t... Index>(std::index_sequence<Index...>) { (holds_each_once<Index>(), ...); }
  (std::make_index_sequence<std::size(cuda::matrix_forms)>{});
  COALESCE_CHECK(x4::source_of(13, 3) == co::origin{.lane = 11, .element = 3});
  COALESCE_CHECK(cc80::ldmatrix<2, matrix::m8n8_trans>::source_of(13, 2) == co::origin{.lane = 10, .element = 3});
}
TEST_CASE(
    "matrix instructions know no masks but of all lanes and of none, rows are aligned to 16 bytes, and lie in shared "
    "memory") {
  CHECK_THROWS_AS(static_cast<void>(co::cost<x4>(co::linear{.stride = 16}, 0xffff)), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(co::phases<cc90::stmatrix<1>>(co::linear{.stride = 16}, 1)), co::misuse);
  CHECK_NOTHROW(static_cast<void>(co::cost<x4>(co::linear{.stride = 16}, 0)));  // not issued
  CHECK_THROWS_AS(static_cast<void>(co::cost<x4>(co::linear{.stride = 8})), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(co::cost<x4>(co::linear{.base = 164 * 1024, .stride = 16})), co::misuse);
  CHECK_NOTHROW(static_cast<void>(x4::source_of(31, 7)));
  CHECK_THROWS_AS(static_cast<void>(x4::source_of(32, 0)), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(x4::source_of(0, 8)), co::misuse);
}
TEST_CASE("matrix instructions: who has them, and how it is known") {
  capabilities<75, 90>::each([]<class Machine>() {
    constexpr bool is_neighbour = Machine::identity.capability == 88;
    static_assert(Machine::template ldmatrix<4>::sources.rounds.evidence ==
                  (is_neighbour ? co::evidence::inferred : co::evidence::documented));
  });
  static_assert(cc100::ldmatrix<4>::sources.rounds.evidence == co::evidence::inferred);
  static_assert(cc90::stmatrix<4>::sources.rounds.evidence == co::evidence::measured);
  static_assert(cc100::stmatrix<4>::sources.rounds.evidence == co::evidence::inferred);
  static_assert(cc100::ldmatrix<1, matrix::m8n16_b6>::sources.rounds.evidence == co::evidence::inferred);
}

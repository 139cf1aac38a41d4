// SPDX-License-Identifier: BSL-1.0
#include <coalesce/cdna.hpp>
#include <coalesce/cdna/fragments.hpp>

#include "core/fragments.hpp"
#include "every/machines.hpp"
#include "machinery/check.hpp"

#include <string>

namespace co = coalescing;
namespace cdna = co::cdna;
using coalescing_tests::is_a_partition;

TEST_CASE("MFMA 16 x 16 x 16: A and C of lane 37") {
  using mfma = cdna::mfma<16, 16, 16, 16>;
  COALESCE_CHECK(mfma::a::of(37, 0) == co::cell{.row = 5, .column = 8});
  COALESCE_CHECK(mfma::b::of(37, 0) == co::cell{.row = 8, .column = 5});
  COALESCE_CHECK(mfma::c::of(37, 0) == co::cell{.row = 8, .column = 5});
  COALESCE_CHECK(mfma::c::of(37, 1) == co::cell{.row = 9, .column = 5});
  COALESCE_CHECK(mfma::c::of(37, 2) == co::cell{.row = 10, .column = 5});
  COALESCE_CHECK(mfma::c::of(37, 3) == co::cell{.row = 11, .column = 5});
  COALESCE_CHECK(mfma::a::lanes == 64);
  COALESCE_CHECK(mfma::a::values == 4);
  COALESCE_CHECK(mfma::c::values == 4);
}
TEST_CASE("MFMA 32 x 32: C of lane 37; 4 x 4 x 4: its block 9") {
  using c = cdna::mfma<32, 32, 8, 16>::c;
  COALESCE_CHECK(c::of(37, 0) == co::cell{.row = 4, .column = 5});
  COALESCE_CHECK(c::of(37, 5) == co::cell{.row = 13, .column = 5});
  COALESCE_CHECK(c::of(37, 15) == co::cell{.row = 31, .column = 5});
  COALESCE_CHECK(c::owner({.row = 31, .column = 5}) == co::holder{.lane = 37, .value = 15});
  COALESCE_CHECK(cdna::mfma<4, 4, 4, 16, 16>::c::of(37, 2) == co::cell{.row = 2, .column = 1, .block = 9});
}

// ---- Every shape: the table of the facts, lane and item by lane and item ----

namespace {

using formula = co::cell (*)(unsigned lane, unsigned item);

template <class Fragment>
bool is(formula expected) {
  bool same = is_a_partition<Fragment>() && Fragment::lanes == 64;
  for (unsigned lane = 0; lane != 64; ++lane)
    for (unsigned item = 0; item != Fragment::values; ++item) {
      co::cell const at = expected(lane, item);
      same = same && Fragment::of(lane, item) == at;
    }
  return same;
}
/// A by the formula; B by the same with j in the place of i.
template <class Mfma>
bool takes(formula a) {
  bool same = is<typename Mfma::a>(a) && is_a_partition<typename Mfma::b>();
  for (unsigned lane = 0; lane != 64; ++lane)
    for (unsigned item = 0; item != Mfma::b::values; ++item) {
      co::cell const at = a(lane, item);
      same = same && Mfma::b::of(lane, item) == co::cell{at.column, at.row, at.block};
    }
  return same;
}

constexpr co::cell c_of_16x16(unsigned l, unsigned r) { return {4 * (l / 16) + r, l % 16}; }
constexpr co::cell c_of_32x32(unsigned l, unsigned r) { return {8 * (r / 4) + 4 * (l / 32) + r % 4, l % 32}; }

}  // namespace

TEST_CASE("MFMA of 16 bits, all chips") {
  CHECK(takes<cdna::mfma<16, 16, 16, 16>>([](unsigned l, unsigned e) -> co::cell {
    return {l % 16, 4 * (l / 16) + e};
  }));
  CHECK(is<cdna::mfma<16, 16, 16, 16>::c>(c_of_16x16));
  CHECK(takes<cdna::mfma<32, 32, 8, 16>>([](unsigned l, unsigned e) -> co::cell {
    return {l % 32, 4 * (l / 32) + e};
  }));
  CHECK(is<cdna::mfma<32, 32, 8, 16>::c>(c_of_32x32));
  CHECK(takes<cdna::mfma<4, 4, 4, 16, 16>>([](unsigned l, unsigned e) -> co::cell { return {l % 4, e, l / 4}; }));
  CHECK(is<cdna::mfma<4, 4, 4, 16, 16>::c>([](unsigned l, unsigned r) -> co::cell { return {r, l % 4, l / 4}; }));
  constexpr auto chips = cdna::mfma<16, 16, 16, 16>::chips;
  COALESCE_CHECK(chips.gfx90a);
  COALESCE_CHECK(chips.gfx942);
  COALESCE_CHECK(chips.gfx950);
}
TEST_CASE("MFMA of 16 bits, gfx950; of 8 bits, from gfx942 on") {
  formula const k_by_8 = [](unsigned l, unsigned e) -> co::cell { return {l % 16, 8 * (l / 16) + e}; };
  CHECK(takes<cdna::mfma<16, 16, 32, 16>>(k_by_8));
  CHECK(is<cdna::mfma<16, 16, 32, 16>::c>(c_of_16x16));
  CHECK(takes<cdna::mfma<32, 32, 16, 16>>([](unsigned l, unsigned e) -> co::cell {
    return {l % 32, 8 * (l / 32) + e};
  }));
  CHECK(is<cdna::mfma<32, 32, 16, 16>::c>(c_of_32x32));
  CHECK(takes<cdna::mfma<16, 16, 32, 8>>(k_by_8));
  CHECK(is<cdna::mfma<16, 16, 32, 8>::c>(c_of_16x16));
  constexpr auto wide = cdna::mfma<16, 16, 32, 16>::chips, bytes = cdna::mfma<16, 16, 32, 8>::chips;
  COALESCE_CHECK(!wide.gfx90a);
  COALESCE_CHECK(!wide.gfx942);
  COALESCE_CHECK(wide.gfx950);
  COALESCE_CHECK(!bytes.gfx90a);
  COALESCE_CHECK(bytes.gfx942);
  COALESCE_CHECK(bytes.gfx950);
}
TEST_CASE("MFMA f8f6f4: 8 bits in two runs of 16, the second from K / 2 on; 6 and 4 bits in one") {
  formula const two_runs_16 = [](unsigned l, unsigned e) -> co::cell {
    return e < 16 ? co::cell{l % 16, 16 * (l / 16) + e} : co::cell{l % 16, 64 + 16 * (l / 16) + e - 16};
  };
  formula const two_runs_32 = [](unsigned l, unsigned e) -> co::cell {
    return e < 16 ? co::cell{l % 32, 16 * (l / 32) + e} : co::cell{l % 32, 32 + 16 * (l / 32) + e - 16};
  };
  formula const one_run_16 = [](unsigned l, unsigned e) -> co::cell { return {l % 16, 32 * (l / 16) + e}; };
  formula const one_run_32 = [](unsigned l, unsigned e) -> co::cell { return {l % 32, 32 * (l / 32) + e}; };
  CHECK(takes<cdna::mfma<16, 16, 128, 8>>(two_runs_16));
  CHECK(takes<cdna::mfma<32, 32, 64, 8>>(two_runs_32));
  CHECK(takes<cdna::mfma<16, 16, 128, 6>>(one_run_16));
  CHECK(takes<cdna::mfma<16, 16, 128, 4>>(one_run_16));
  CHECK(takes<cdna::mfma<32, 32, 64, 6>>(one_run_32));
  CHECK(takes<cdna::mfma<32, 32, 64, 4>>(one_run_32));
  CHECK(is<cdna::mfma<16, 16, 128, 8>::c>(c_of_16x16));
  CHECK(is<cdna::mfma<16, 16, 128, 4>::c>(c_of_16x16));
  CHECK(is<cdna::mfma<32, 32, 64, 8>::c>(c_of_32x32));
  CHECK(is<cdna::mfma<32, 32, 64, 6>::c>(c_of_32x32));
  CHECK(!takes<cdna::mfma<16, 16, 128, 8>>(one_run_16));  // the control
  CHECK(!takes<cdna::mfma<32, 32, 64, 4>>(two_runs_32));
}
TEST_CASE("MFMA f64 4 x 4 x 4: A and B as all, C as AMD's calculator has it and not as the formula") {
  using mfma = cdna::mfma<4, 4, 4, 64, 4>;
  CHECK(takes<mfma>([](unsigned l, unsigned) -> co::cell { return {l % 4, l / 16, l / 4 % 4}; }));
  CHECK(is<mfma::c>([](unsigned l, unsigned) -> co::cell { return {l / 16, l % 4, l / 4 % 4}; }));
  COALESCE_CHECK(mfma::c::owner({.row = 2, .column = 1, .block = 3}) == co::holder{.lane = 2 * 16 + 3 * 4 + 1});
  COALESCE_CHECK(mfma::chips.gfx90a);
  COALESCE_CHECK(mfma::chips.gfx942);
  COALESCE_CHECK(!mfma::chips.gfx950);
  CHECK(std::string(mfma::a::sources.map.document) == cdna::documents::isa_4.title);
  CHECK(std::string(mfma::c::sources.map.document) == cdna::documents::matrix_calculator.title);
}

namespace {

void is_documented(co::source const& from, char const* document) {
  CHECK(std::string(from.document) == document);
  CHECK(from.evidence == co::evidence::documented);
}
constexpr char const *isa_4 = "AMD Instinct CDNA4 Instruction Set Architecture, Reference Guide",
                     *calculator = "AMD Matrix Instruction Calculator", *llvm = "LLVM, VOP3PInstructions.td";

template <class Mfma>
void is_of(char const* map_of_c, char const* types) {
  is_documented(Mfma::a::sources.map, isa_4);
  is_documented(Mfma::b::sources.map, isa_4);
  is_documented(Mfma::c::sources.map, map_of_c);
  for (co::source const& from : {Mfma::a::sources.shape, Mfma::b::sources.shape, Mfma::c::sources.shape}) {
    is_documented(from, llvm);
    CHECK(std::string(from.claim) == types);
  }
}

}  // namespace

TEST_CASE("whose word it is: the maps ISA4's, but C of f64 4 x 4 x 4 the calculator's; which chips, LLVM's") {
  is_of<cdna::mfma<16, 16, 4, 64>>(isa_4, "f64");                        // H is 1
  is_of<cdna::mfma<4, 4, 4, 64, 4>>(calculator, "f64");                  // its own map of C
  is_of<cdna::mfma<16, 16, 8, 32>>(isa_4, "xf32");                       // H is 4
  is_of<cdna::mfma<32, 32, 64, 8>>(isa_4, "f8f6f4: fp8, bf8");           // two runs
  is_of<cdna::mfma<4, 4, 4, 16, 16>>(isa_4, "f16, bf16 (gfx90a: _1k)");  // several blocks
}

TEST_CASE("every chip has a column in the table of shapes") {
  cdna::every_machine::each([]<class Chip>() {
    INFO(Chip::name,
         " has no member in mfma_chips, and no column in mfma_shapes (cdna/fragments.hpp), or no line here");
    CHECK(coalescing_tests::lists("gfx90a gfx942 gfx950", Chip::name));
  });
}

// ---- Which chips: an instruction of each shape, as llvm-mc 22 takes or refuses it with -mcpu ----

namespace {

template <class Mfma>
constexpr bool on(bool gfx90a, bool gfx942, bool gfx950) {
  return Mfma::chips.gfx90a == gfx90a && Mfma::chips.gfx942 == gfx942 && Mfma::chips.gfx950 == gfx950;
}
template <class Mfma>
constexpr bool on_all = on<Mfma>(true, true, true);
template <class Mfma>
constexpr bool only_on_gfx90a = on<Mfma>(true, false, false);
template <class Mfma>
constexpr bool only_on_gfx950 = on<Mfma>(false, false, true);

}  // namespace

TEST_CASE("llvm-mc 22, MFMA of f32, f16, i8 and f64: gfx90a, gfx942 and gfx950") {
  using cdna::mfma;
  COALESCE_CHECK(on_all<mfma<32, 32, 1, 32, 2>>);  // v_mfma_f32_32x32x1f32
  COALESCE_CHECK(on_all<mfma<16, 16, 1, 32, 4>>);  // v_mfma_f32_16x16x1f32
  COALESCE_CHECK(on_all<mfma<4, 4, 1, 32, 16>>);   // v_mfma_f32_4x4x1f32
  COALESCE_CHECK(on_all<mfma<32, 32, 2, 32>>);     // v_mfma_f32_32x32x2f32
  COALESCE_CHECK(on_all<mfma<16, 16, 4, 32>>);     // v_mfma_f32_16x16x4f32
  COALESCE_CHECK(on_all<mfma<32, 32, 4, 16, 2>>);  // v_mfma_f32_32x32x4f16
  COALESCE_CHECK(on_all<mfma<16, 16, 4, 16, 4>>);  // v_mfma_f32_16x16x4f16
  COALESCE_CHECK(on_all<mfma<4, 4, 4, 16, 16>>);   // v_mfma_f32_4x4x4f16
  COALESCE_CHECK(on_all<mfma<32, 32, 8, 16>>);     // v_mfma_f32_32x32x8f16
  COALESCE_CHECK(on_all<mfma<16, 16, 16, 16>>);    // v_mfma_f32_16x16x16f16
  COALESCE_CHECK(on_all<mfma<32, 32, 4, 8, 2>>);   // v_mfma_i32_32x32x4i8
  COALESCE_CHECK(on_all<mfma<16, 16, 4, 8, 4>>);   // v_mfma_i32_16x16x4i8
  COALESCE_CHECK(on_all<mfma<4, 4, 4, 8, 16>>);    // v_mfma_i32_4x4x4i8
  COALESCE_CHECK(on_all<mfma<16, 16, 4, 64>>);     // v_mfma_f64_16x16x4f64
}
TEST_CASE("llvm-mc 22, MFMA that came or went: bf16 without _1k, the first i8, xf32, the wide ones of gfx950") {
  using cdna::mfma;
  COALESCE_CHECK(only_on_gfx90a<mfma<32, 32, 2, 16, 2>>);         // v_mfma_f32_32x32x2bf16
  COALESCE_CHECK(only_on_gfx90a<mfma<16, 16, 2, 16, 4>>);         // v_mfma_f32_16x16x2bf16
  COALESCE_CHECK(only_on_gfx90a<mfma<4, 4, 2, 16, 16>>);          // v_mfma_f32_4x4x2bf16
  COALESCE_CHECK(only_on_gfx90a<mfma<32, 32, 4, 16>>);            // v_mfma_f32_32x32x4bf16
  COALESCE_CHECK(only_on_gfx90a<mfma<16, 16, 8, 16>>);            // v_mfma_f32_16x16x8bf16
  COALESCE_CHECK(only_on_gfx90a<mfma<32, 32, 8, 8>>);             // v_mfma_i32_32x32x8i8
  COALESCE_CHECK(only_on_gfx90a<mfma<16, 16, 16, 8>>);            // v_mfma_i32_16x16x16i8
  COALESCE_CHECK((on<mfma<32, 32, 4, 32>>(false, true, false)));  // v_mfma_f32_32x32x4_xf32
  COALESCE_CHECK((on<mfma<16, 16, 8, 32>>(false, true, false)));  // v_mfma_f32_16x16x8_xf32
  COALESCE_CHECK((on<mfma<32, 32, 16, 8>>(false, true, true)));   // v_mfma_i32_32x32x16_i8
  COALESCE_CHECK((on<mfma<16, 16, 32, 8>>(false, true, true)));   // v_mfma_i32_16x16x32_i8
  COALESCE_CHECK(only_on_gfx950<mfma<32, 32, 16, 16>>);           // v_mfma_f32_32x32x16_f16
  COALESCE_CHECK(only_on_gfx950<mfma<16, 16, 32, 16>>);           // v_mfma_f32_16x16x32_f16
  COALESCE_CHECK(only_on_gfx950<mfma<32, 32, 32, 8>>);            // v_mfma_i32_32x32x32_i8
  COALESCE_CHECK(only_on_gfx950<mfma<16, 16, 64, 8>>);            // v_mfma_i32_16x16x64_i8
  COALESCE_CHECK(only_on_gfx950<mfma<16, 16, 128, 8>>);           // v_mfma_f32_16x16x128_f8f6f4, and below
  COALESCE_CHECK(only_on_gfx950<mfma<16, 16, 128, 6>>);
  COALESCE_CHECK(only_on_gfx950<mfma<16, 16, 128, 4>>);
  COALESCE_CHECK(only_on_gfx950<mfma<32, 32, 64, 8>>);  // v_mfma_f32_32x32x64_f8f6f4, and below
  COALESCE_CHECK(only_on_gfx950<mfma<32, 32, 64, 6>>);
  COALESCE_CHECK(only_on_gfx950<mfma<32, 32, 64, 4>>);
}
TEST_CASE("f64 4 x 4 x 4: gfx950 has the instruction (ISA4 Table 90, opcode 111), and no source has its map of C") {
  COALESCE_CHECK((on<cdna::mfma<4, 4, 4, 64, 4>>(true, true, false)));  // v_mfma_f64_4x4x4_4b_f64
}

// ---- Every shape against ISA4 7.1.4 as it is written there, from element to lane and item ----

namespace {

/// Where the formulas of dense matrices put each element, and whether our map says the same of all.
template <unsigned M, unsigned N, unsigned K, unsigned Bits, unsigned B, bool InputsToo = true>
bool is_dense() {
  using mfma = cdna::mfma<M, N, K, Bits, B>;
  unsigned const k_l = K * M * B / 64, h = Bits == 64 ? 1 : 4, b_i = (64 * h + N * M - 1) / (N * M), m_i = 64 / b_i / N,
                 g = M / (h * m_i);
  bool same =
      is_a_partition<typename mfma::a>() && is_a_partition<typename mfma::b>() && is_a_partition<typename mfma::c>();
  for (unsigned b = 0; b != B; ++b) {
    for (unsigned k = 0; k != K && InputsToo; ++k) {
      for (unsigned i = 0; i != M; ++i)
        same = same && mfma::a::owner({i, k, b}) == co::holder{i + M * (b + B * (k / k_l)), k % k_l};
      for (unsigned j = 0; j != N; ++j)
        same = same && mfma::b::owner({k, j, b}) == co::holder{j + N * (b + B * (k / k_l)), k % k_l};
    }
    for (unsigned i = 0; i != M; ++i)
      for (unsigned j = 0; j != N; ++j)
        same = same && mfma::c::owner({i, j, b}) == co::holder{j + N * ((i / h) % m_i + m_i * (b % b_i)),
                                                               (i % h) + h * (i / (h * m_i) + g * (b / b_i))};
  }
  return same;
}

}  // namespace

TEST_CASE("MFMA: the manual's formulas for dense matrices, and its exceptions") {
  CHECK(is_dense<16, 16, 16, 16, 1>());
  CHECK(is_dense<32, 32, 8, 16, 1>());
  CHECK(is_dense<4, 4, 4, 16, 16>());
  CHECK(is_dense<16, 16, 32, 16, 1>());
  CHECK(is_dense<32, 32, 16, 16, 1>());
  CHECK(is_dense<16, 16, 32, 8, 1>());
  CHECK(is_dense<32, 32, 1, 32, 2>());
  CHECK(is_dense<16, 16, 1, 32, 4>());
  CHECK(is_dense<4, 4, 1, 32, 16>());
  CHECK(is_dense<32, 32, 2, 32, 1>());
  CHECK(is_dense<16, 16, 4, 32, 1>());
  CHECK(is_dense<32, 32, 4, 32, 1>());
  CHECK(is_dense<16, 16, 8, 32, 1>());
  CHECK(is_dense<32, 32, 4, 16, 2>());
  CHECK(is_dense<16, 16, 4, 16, 4>());
  CHECK(is_dense<32, 32, 2, 16, 2>());
  CHECK(is_dense<16, 16, 2, 16, 4>());
  CHECK(is_dense<4, 4, 2, 16, 16>());
  CHECK(is_dense<32, 32, 4, 16, 1>());
  CHECK(is_dense<16, 16, 8, 16, 1>());
  CHECK(is_dense<32, 32, 4, 8, 2>());
  CHECK(is_dense<16, 16, 4, 8, 4>());
  CHECK(is_dense<4, 4, 4, 8, 16>());
  CHECK(is_dense<32, 32, 8, 8, 1>());
  CHECK(is_dense<16, 16, 16, 8, 1>());
  CHECK(is_dense<32, 32, 16, 8, 1>());
  CHECK(is_dense<32, 32, 32, 8, 1>());
  CHECK(is_dense<16, 16, 64, 8, 1>());
  CHECK(is_dense<16, 16, 4, 64, 1>());
  CHECK(is_dense<16, 16, 128, 6, 1>());
  CHECK(is_dense<16, 16, 128, 4, 1>());
  CHECK(is_dense<32, 32, 64, 6, 1>());
  CHECK(is_dense<32, 32, 64, 4, 1>());
  CHECK(is_dense<16, 16, 128, 8, 1, false>());
  CHECK(is_dense<32, 32, 64, 8, 1, false>());
  CHECK(!is_dense<16, 16, 128, 8, 1>());
  CHECK(!is_dense<32, 32, 64, 8, 1>());
  CHECK(!is_dense<4, 4, 4, 64, 4>());
}

TEST_CASE("what lies outside an operand is refused") {
  coalescing_tests::refuses_what_lies_outside<cdna::mfma<32, 32, 8, 16>::a>();
  coalescing_tests::refuses_what_lies_outside<cdna::mfma<32, 32, 8, 16>::b>();
  coalescing_tests::refuses_what_lies_outside<cdna::mfma<4, 4, 4, 16, 16>::a>();
  coalescing_tests::refuses_what_lies_outside<cdna::mfma<4, 4, 4, 16, 16>::b>();
  coalescing_tests::refuses_what_lies_outside<cdna::mfma<4, 4, 4, 64, 4>::c>();
}

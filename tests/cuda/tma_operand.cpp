// SPDX-License-Identifier: BSL-1.0
#include <coalesce/cuda/tma.hpp>

#include "machinery/check.hpp"
#include "truth/oracle/random_access.hpp"

#include <random>
#include <set>
#include <string>

namespace co = coalescing;
namespace cu = co::cuda;
using namespace coalescing_tests;
using cu::major, cu::operand_fault, cu::shared_operand, cu::tensor_core, cu::tensor_element, cu::tensor_map,
    cu::tensor_swizzle;

namespace {

template <auto>
struct carried {};

constexpr shared_operand tile_a{.bits = 16, .major = major::k, .swizzle = tensor_swizzle::bytes_128, .stride = 1024};
[[maybe_unused]] carried<tile_a> structural;

/// CuTe's shape and stride, nested once: two modes of up to three digits each, in elements.
struct digits {
  std::uint64_t shape[3], stride[3];
  std::uint64_t operator()(std::uint64_t at) const {
    std::uint64_t sum = 0;
    for (unsigned k = 0; k != 2; ++k) sum += at % shape[k] * stride[k], at /= shape[k];
    return sum + at * stride[2];
  }
};
struct canonical {
  digits mn, k;
};

/// The table of copies.md 3.4: T is 16 bytes in elements, lbo and sbo are elements too.
canonical by_the_table(shared_operand const& of) {
  std::uint64_t const t = 128 / of.bits, lbo = of.leading * 8 / of.bits, sbo = of.stride * 8 / of.bits;
  std::uint64_t const units = of.swizzle == tensor_swizzle::bytes_32   ? 2
                              : of.swizzle == tensor_swizzle::bytes_64 ? 4
                                                                       : 8;
  bool const plain = of.swizzle == tensor_swizzle::none;
  if (of.major == major::k)
    return plain ? canonical{{{8, 1, 0}, {t, 0, sbo}}, {{t, 1, 0}, {1, 0, lbo}}}
                 : canonical{{{8, 1, 0}, {units * t, 0, sbo}}, {{t, 1, 0}, {1, 0, t}}};
  if (plain) return {{{t, 1, 0}, {1, 0, sbo}}, {{8, 1, 0}, {t, 0, lbo}}};
  std::uint64_t const rows = of.swizzle == tensor_swizzle::bytes_128_atom_32 ? 4 : 8;
  return {{{t, units, 0}, {1, t, lbo}}, {{rows, 1, 0}, {units * t, 0, sbo}}};
}
/// Bit by bit.
std::uint64_t swizzled(tensor_swizzle mode, std::uint64_t address) {
  auto const move = [&](unsigned low, unsigned high) { address ^= (address >> high & 1) << low; };
  if (mode == tensor_swizzle::bytes_32) move(4, 7);
  if (mode == tensor_swizzle::bytes_64) move(4, 7), move(5, 8);
  if (mode == tensor_swizzle::bytes_128) move(4, 7), move(5, 8), move(6, 9);
  if (mode == tensor_swizzle::bytes_128_atom_32) move(5, 7), move(6, 8);
  return address;
}
bool legal(shared_operand const& of) {
  return of.fault(tensor_core::wgmma) == operand_fault::none || of.fault(tensor_core::tcgen05) == operand_fault::none;
}

template <class Function>
void for_every_layout(Function function) {
  for (unsigned const bits : {8u, 16u, 32u})
    for (auto const major : {major::k, major::mn})
      for (int swizzle = 0; swizzle != 7; ++swizzle)
        function(shared_operand{.bits = bits, .major = major, .swizzle = static_cast<tensor_swizzle>(swizzle)});
}

}  // namespace

TEST_CASE("copies.md 3e: K-major 128B, f16, SBO 1024: byte offset of (row 3, k 20), (63, 63)") {
  COALESCE_CHECK(tile_a(3, 20) == 408);
  COALESCE_CHECK(tile_a(63, 63) == 8078);
}
TEST_CASE("copies.md 3f: descriptors of start 0x8400, LBO enc 1, SBO 1024, 128B") {
  COALESCE_CHECK(tile_a.wgmma_descriptor(0x8400) == 0x4000004000010840);
  COALESCE_CHECK(tile_a.tcgen05_descriptor(0x8400) == 0x4000404000010840);
}

TEST_CASE("shared_operand: which are legal") {
  // Widths of 8, 16, 32 bits times seven swizzles, as in the tables: of wgmma MN-major 16 bits only, of tcgen05 32-bit
  // MN-major the 32-byte atoms only.
  unsigned by_unit[2] = {};
  for_every_layout([&](shared_operand const& of) {
    bool const plain = of.swizzle <= tensor_swizzle::bytes_128;
    bool const wgmma = plain && (of.major == major::k || of.bits == 16);
    bool const tcgen05 =
        of.major == major::mn && of.bits == 32 ? of.swizzle == tensor_swizzle::bytes_128_atom_32 : plain;
    CHECK((of.fault(tensor_core::wgmma) == operand_fault::none) == wgmma);
    CHECK((of.fault(tensor_core::tcgen05) == operand_fault::none) == tcgen05);
    by_unit[0] += wgmma, by_unit[1] += tcgen05;
  });
  CHECK(by_unit[0] == 4 * 3 + 4);
  CHECK(by_unit[1] == 4 * 3 + 4 * 2 + 1);
}
TEST_CASE("shared_operand: each fault, in its order") {
  using enum operand_fault;
  COALESCE_CHECK(tile_a.fault(tensor_core::wgmma) == none);
  COALESCE_CHECK(tile_a.fault(static_cast<tensor_core>(2)) == no_such_enumerator);
  COALESCE_CHECK(shared_operand{.swizzle = static_cast<tensor_swizzle>(7)}.fault(tensor_core::wgmma) ==
                 no_such_enumerator);
  COALESCE_CHECK(shared_operand{.bits = 4}.fault(tensor_core::tcgen05) == bits_are_not_8_16_or_32);
  COALESCE_CHECK(shared_operand{.bits = 8, .major = major::mn}.fault(tensor_core::wgmma) == bits_are_read_k_major_only);
  COALESCE_CHECK(shared_operand{.bits = 8, .major = major::mn}.fault(tensor_core::tcgen05) == none);
  COALESCE_CHECK(shared_operand{.swizzle = tensor_swizzle::bytes_128_atom_64}.fault(tensor_core::tcgen05) ==
                 swizzle_is_not_for_the_operand);
  COALESCE_CHECK(shared_operand{.bits = 32, .major = major::mn, .swizzle = tensor_swizzle::bytes_128}.fault(
                     tensor_core::tcgen05) == swizzle_is_not_for_the_operand);
  COALESCE_CHECK(shared_operand{.leading = 8}.fault(tensor_core::wgmma) == offset_is_not_a_multiple_of_16);
  COALESCE_CHECK(shared_operand{.stride = 24}.fault(tensor_core::wgmma) == offset_is_not_a_multiple_of_16);
  COALESCE_CHECK(shared_operand{.stride = 1 << 18}.fault(tensor_core::wgmma) == offset_is_not_below_2_18);
  COALESCE_CHECK(shared_operand{.stride = (1 << 18) - 16}.fault(tensor_core::wgmma) == none);
  COALESCE_CHECK(shared_operand{.leading = 1 << 18}.fault(tensor_core::wgmma) == offset_is_not_below_2_18);
  COALESCE_CHECK(shared_operand{.leading = (1 << 18) - 16}.fault(tensor_core::wgmma) == none);
}
TEST_CASE("shared_operand: a value below or above the names of its enumeration is none") {
  for (int const outside : {-1, 2}) {
    CHECK(tile_a.fault(static_cast<tensor_core>(outside)) == operand_fault::no_such_enumerator);
    CHECK(shared_operand{.major = static_cast<major>(outside)}.fault(tensor_core::wgmma) ==
          operand_fault::no_such_enumerator);
  }
  for (int const outside : {-1, 7})
    CHECK(shared_operand{.swizzle = static_cast<tensor_swizzle>(outside)}.fault(tensor_core::tcgen05) ==
          operand_fault::no_such_enumerator);
}

TEST_CASE("shared_operand: where each rule stands, and how it is known") {
  auto const stands = [](operand_fault fault, char const* where, co::evidence how) {
    auto const from = cu::rule_of(fault).from;
    CAPTURE(static_cast<int>(fault));
    CHECK(std::string(from.document) + ", " + from.edition + ", " + from.section == where);
    CHECK(from.evidence == how);
  };
  using enum operand_fault;
  auto const inferred = co::evidence::inferred, documented = co::evidence::documented;
  stands(none, "our reading, , ", inferred);
  stands(no_such_enumerator, "our reading, , ", inferred);
  stands(bits_are_not_8_16_or_32,
         "NVIDIA CUTLASS, include/cute/atom and include/cute/arch, 7107b055, 2026, mma_traits_sm90_gmma.hpp, "
         "mma_traits_sm100.hpp",
         documented);
  std::string const ptx = "NVIDIA Parallel Thread Execution ISA, 9.1 (CUDA 13.1), ";
  stands(bits_are_read_k_major_only, (ptx + "9.7.15.5, wgmma.mma_async").c_str(), documented);
  stands(swizzle_is_not_for_the_operand, (ptx + "9.7.15.5.1.2, 9.7.16.3.3, Table 54").c_str(), documented);
  stands(offset_is_not_a_multiple_of_16, (ptx + "9.7.15.5.1.2").c_str(), documented);
  stands(offset_is_not_below_2_18, (ptx + "9.7.15.5.1.2").c_str(), documented);
}

TEST_CASE("shared_operand: every layout is that of the table, for random offsets") {
  std::mt19937 random(5);
  for_every_layout([&](shared_operand of) {
    if (!legal(of)) return;
    bool same = true;
    for (unsigned round = 0; round != share(20) + 1; ++round) {
      of.leading = 16 * (1 + random() % 1000), of.stride = 16 * (1 + random() % 1000);
      auto const table = by_the_table(of);
      bool const one_row = of.major == major::k && of.swizzle != tensor_swizzle::none;
      unsigned const spans[] = {16, 32, 64, 128};
      std::uint64_t const ks = one_row ? spans[static_cast<int>(of.swizzle)] * 8 / of.bits : 64;
      for (std::uint64_t mn = 0; mn < 160; mn += 1 + random() % 3)
        for (std::uint64_t k = 0; k < ks; k += 1 + random() % 3)
          same = same && of(mn, k) == swizzled(of.swizzle, (table.mn(mn) + table.k(k)) * of.bits / 8);
      if (one_row) CHECK_THROWS_AS(static_cast<void>(of(0, ks)), co::misuse);
    }
    CHECK(same);
  });
}
TEST_CASE("shared_operand: dense tiles hold each element once") {
  for_every_layout([](shared_operand of) {
    if (!legal(of)) return;
    unsigned const bytes = of.bits / 8, spans[] = {16, 32, 64, 128, 128};
    unsigned const span = spans[static_cast<int>(of.swizzle)];
    unsigned const rows = of.swizzle == tensor_swizzle::bytes_128_atom_32 ? 4 : 8;
    // Two atoms along, three across; the atoms of a K-major swizzled row are the next descriptor's.
    bool const one_row = of.major == major::k && of.swizzle != tensor_swizzle::none;
    unsigned const atom = span * rows, along = (one_row ? 1 : 2) * span / bytes, across = 3 * rows;
    of.leading = atom, of.stride = (one_row ? 1 : 2) * atom;
    if (of.major == major::mn && of.swizzle == tensor_swizzle::none) of.stride = atom, of.leading = 2 * atom;
    std::set<std::uint64_t> seen;
    for (unsigned i = 0; i != along; ++i)
      for (unsigned j = 0; j != across; ++j) {
        auto const at = of.major == major::k ? of(j, i) : of(i, j);
        CHECK(at % bytes == 0);
        CHECK(at < along * across * bytes);
        seen.insert(at);
      }
    CHECK(seen.size() == along * across);
  });
}
TEST_CASE("shared_operand: an element before the first, or past what a descriptor reaches, is refused") {
  // .stride is said, so that elements go on across; along K of a plain operand .leading is.
  constexpr shared_operand plain{.leading = 128, .stride = 1024};
  auto const refused = [](shared_operand const& of, auto mn, auto k) {
    CHECK_THROWS_WITH_AS(static_cast<void>(of(mn, k)), doctest::Contains("element of an operand"), co::misuse);
  };
  for (auto const& of : {tile_a, plain}) {
    refused(of, -1, 0), refused(of, -1ll, 0u), refused(of, std::int8_t{-1}, 0), refused(of, ~0u, 0);
    refused(of, 0, -1), refused(of, 1 << 18, 0), refused(of, 0, 1 << 18), refused(of, 0ull, ~0ull);
  }
  CHECK_NOTHROW(static_cast<void>(tile_a((1 << 18) - 1, 0)));
  CHECK_NOTHROW(static_cast<void>(plain(0, (1 << 18) - 1)));
}
TEST_CASE("shared_operand: what goes on without .leading or .stride is refused") {
  CHECK_THROWS_AS(static_cast<void>(shared_operand{}(0, 8)), co::misuse);
  CHECK_NOTHROW(static_cast<void>(shared_operand{}(7, 7)));
  CHECK_THROWS_AS(static_cast<void>(shared_operand{}(8, 0)), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(tile_a(0, 64)), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(tile_a(0, -1)), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(shared_operand{.bits = 4}(0, 0)), co::misuse);
}

TEST_CASE("descriptors: assembled by hand, field by field") {
  constexpr std::uint64_t wgmma_codes[] = {0, 3, 2, 1}, tcgen05_codes[] = {0, 6, 4, 2, 1};
  std::mt19937 random(6);
  for_every_layout([&](shared_operand of) {
    for (unsigned round = 0; round != 20; ++round) {
      of.leading = 16 * (random() % 16384), of.stride = 16 * (random() % 16384);
      std::uint64_t const start = 1024 * (random() % 256), pattern = 128 * (random() % (start / 128 + 1));
      std::uint64_t const beyond =
          start + 128 * (1 + random() % 2048);  // a pattern that begins there does not hold start
      unsigned const repeats[] = {1, 256, 512, 1024, 512, 512, 256};
      std::uint64_t const lbo = of.major == major::k && of.swizzle != tensor_swizzle::none ? 1 : of.leading / 16;
      std::uint64_t const base = pattern % repeats[static_cast<int>(of.swizzle)] == 0 ? 0 : pattern / 128 % 8;
      std::uint64_t const fields = start / 16 + lbo * 0x10000 + of.stride / 16 * 0x100000000;
      if (of.fault(tensor_core::wgmma) == operand_fault::none) {
        std::uint64_t const mode = wgmma_codes[static_cast<int>(of.swizzle)] << 62;
        CHECK(of.wgmma_descriptor(start) == fields + mode);
        CHECK(of.wgmma_descriptor(start, pattern) == fields + mode + (base << 49));
        CHECK_THROWS_AS(static_cast<void>(of.wgmma_descriptor(start, beyond)), co::misuse);
      } else {
        CHECK_THROWS_AS(static_cast<void>(of.wgmma_descriptor(start)), co::misuse);
      }
      if (of.fault(tensor_core::tcgen05) == operand_fault::none) {
        std::uint64_t const mode = (tcgen05_codes[static_cast<int>(of.swizzle)] << 61) + 0x400000000000;
        CHECK(of.tcgen05_descriptor(start) == fields + mode);
        CHECK(of.tcgen05_descriptor(start, pattern) == fields + mode + (base << 49));
        CHECK_THROWS_AS(static_cast<void>(of.tcgen05_descriptor(start, beyond)), co::misuse);
      } else {
        CHECK_THROWS_AS(static_cast<void>(of.tcgen05_descriptor(start, start)), co::misuse);
      }
    }
  });
}
TEST_CASE(
    "descriptors: the start may advance within the first row; elsewhere it is not clear where the pattern starts") {
  COALESCE_CHECK(tile_a.wgmma_descriptor(0x8460) == tile_a.wgmma_descriptor(0x8400) + 6);
  COALESCE_CHECK(tile_a.wgmma_descriptor(0x8480, 0x8480) == tile_a.wgmma_descriptor(0x8400) + 8 + (1ull << 49));
  COALESCE_CHECK(tile_a.wgmma_descriptor(0x8480, 0x8400) == tile_a.wgmma_descriptor(0x8400) + 8);
  CHECK_THROWS_AS(static_cast<void>(tile_a.wgmma_descriptor(0x8480)), co::misuse);
  CHECK_NOTHROW(static_cast<void>(shared_operand{}.wgmma_descriptor(0x8480)));
  CHECK_THROWS_AS(static_cast<void>(tile_a.wgmma_descriptor(0x8408)), co::misuse);
  // The first row's last byte is in the pattern's first row, and no multiple of 16.
  CHECK_THROWS_WITH_AS(static_cast<void>(tile_a.wgmma_descriptor(0x847f)), doctest::Contains("multiple of 16 below"),
                       co::misuse);
  CHECK_THROWS_AS(static_cast<void>(tile_a.tcgen05_descriptor(1 << 18)), co::misuse);
  CHECK_NOTHROW(static_cast<void>(tile_a.tcgen05_descriptor((1 << 18) - 1024)));
  // The base offset cannot say that a pattern begins between two multiples of 128.
  CHECK_THROWS_AS(static_cast<void>(tile_a.wgmma_descriptor(0x8440, 0x8440)), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(tile_a.tcgen05_descriptor(0x8400, 100)), co::misuse);
  CHECK_NOTHROW(static_cast<void>(shared_operand{}.wgmma_descriptor(0x8440, 0x8440)));  // none has no pattern
  // The first byte lies in the pattern, so this begins there or before.
  for (auto const& of : {tile_a, shared_operand{}}) {
    CHECK_THROWS_WITH_AS(static_cast<void>(of.wgmma_descriptor(0x400, 0x10000)),
                         doctest::Contains("begins beyond the start address"), co::misuse);
    CHECK_THROWS_AS(static_cast<void>(of.tcgen05_descriptor(0x400, 0x480)), co::misuse);
  }
  CHECK_THROWS_AS(static_cast<void>(tile_a.wgmma_descriptor(0x400, std::uint64_t{0} - 128)), co::misuse);
}

TEST_CASE("shared_operand::matches: a box of TMA lies as the descriptor says, element by element") {
  constexpr tensor_map box{.element = tensor_element::f16,
                           .rank = 2,
                           .extent = {4096, 4096},
                           .stride = {8192},
                           .box = {64, 64},
                           .swizzle = tensor_swizzle::bytes_128};
  COALESCE_CHECK(tile_a.matches(box));
  COALESCE_CHECK(shared_operand{.major = major::mn, .swizzle = tensor_swizzle::bytes_128, .stride = 1024}.matches(box));
  COALESCE_CHECK(!shared_operand{.swizzle = tensor_swizzle::bytes_128, .stride = 2048}.matches(box));
  COALESCE_CHECK(!shared_operand{.swizzle = tensor_swizzle::bytes_64, .stride = 512}.matches(box));
  COALESCE_CHECK(!shared_operand{.bits = 8, .swizzle = tensor_swizzle::bytes_128, .stride = 1024}.matches(box));
  bool same = true;
  for (unsigned mn = 0; mn != 64; ++mn)
    for (unsigned k = 0; k != 64; ++k) same = same && tile_a(mn, k) == box.shared_offset({k, mn});
  CHECK(same);

  constexpr tensor_map cube{.element = tensor_element::f16,
                            .rank = 3,
                            .extent = {64, 64, 64},
                            .stride = {128, 8192},
                            .box = {64, 64, 2},
                            .swizzle = tensor_swizzle::bytes_128};
  CHECK_THROWS_AS(static_cast<void>(tile_a.matches(cube)), co::misuse);
  auto plane = cube;
  plane.box[2] = 1;
  CHECK(tile_a.matches(plane));
}
TEST_CASE("shared_operand::matches: of one row of a box it is .leading, or MN-major .stride, that has to fit") {
  constexpr tensor_map row{.element = tensor_element::f16, .extent = {4096}, .box = {64}};
  COALESCE_CHECK(shared_operand{.leading = 16}.matches(row));
  COALESCE_CHECK(!shared_operand{.leading = 32}.matches(row));
  COALESCE_CHECK(shared_operand{.major = major::mn, .stride = 16}.matches(row));
  COALESCE_CHECK(!shared_operand{.major = major::mn, .leading = 16, .stride = 32}.matches(row));
  // Counts beyond the rank are ignored.
  auto box = row.shared();
  box.count[1] = 2;
  CHECK(shared_operand{.leading = 16}.matches(box));
}
TEST_CASE("shared_operand::matches: elements of 4 and 6 bits lie with gaps, where no operand has them") {
  for (auto const element : {tensor_element::u4_align16, tensor_element::u6_align16}) {
    tensor_map const map{.element = element, .rank = 2, .extent = {128, 8}, .stride = {128}, .box = {128, 8}};
    CHECK(!shared_operand{.bits = 8, .leading = 16, .stride = 128}.matches(map));
  }
  constexpr tensor_map bytes{.rank = 2, .extent = {128, 8}, .stride = {128}, .box = {16, 8}};
  COALESCE_CHECK(shared_operand{.bits = 8, .leading = 16, .stride = 128}.matches(bytes));
}
TEST_CASE("shared_operand::matches: a box without elements, or of no rank, is refused") {
  constexpr cu::shared_operand operand{.swizzle = tensor_swizzle::bytes_128, .stride = 1024};
  cu::shared_box box{.element = cu::tensor_element::f16, .swizzle = tensor_swizzle::bytes_128, .rank = 2, .pitch = 128};
  CHECK_THROWS_AS(static_cast<void>(operand.matches(box)), co::misuse);
  box.count[0] = 64, box.count[1] = 8;
  CHECK(operand.matches(box));
  for (unsigned const rank : {0u, 6u, 7u}) {
    box.rank = rank;
    CHECK_THROWS_AS(static_cast<void>(operand.matches(box)), co::misuse);
  }
}
TEST_CASE("shared_operand::matches: an operand that no unit reads is refused, however small the box") {
  constexpr cu::shared_box one{.element = tensor_element::f64, .count = {1}};
  CHECK_THROWS_AS(static_cast<void>(shared_operand{.bits = 64}.matches(one)), co::misuse);
}
TEST_CASE("shared_operand::matches: TMA swizzles the whole address, so a box has to begin where a pattern does") {
  for (auto const swizzle :
       {tensor_swizzle::none, tensor_swizzle::bytes_32, tensor_swizzle::bytes_64, tensor_swizzle::bytes_128}) {
    bool const plain = swizzle == tensor_swizzle::none;
    std::uint64_t const span = plain ? 16 : cu::row_of(swizzle).span;
    tensor_map const map{.element = tensor_element::f16,
                         .rank = 2,
                         .extent = {256, 256},
                         .stride = {1024},
                         .box = {static_cast<unsigned>(span / 2), 32},
                         .swizzle = swizzle};
    shared_operand const of{.swizzle = swizzle, .stride = 8 * span};
    for (std::uint64_t base = 0; base != 4096; base += 128) {
      bool same = true;
      for (unsigned i = 0; i != span / 2; ++i)
        for (unsigned j = 0; j != 32; ++j) same = same && map.shared(base)(i, j) == base + of(j, i);
      INFO(base, ", a span of ", span);
      CHECK(of.matches(map.shared(base)) == same);
      CHECK(same == (plain || base % (8 * span) == 0));  // patterns of 256, 512, 1024 bytes
    }
  }
}
TEST_CASE("shared_operand::matches: boxes of every swizzle and width, against all elements") {
  unsigned agree = 0, differ = 0;
  for_every_layout([&](shared_operand of) {
    if (!legal(of)) return;
    for (auto const element : {tensor_element::u8, tensor_element::bf16, tensor_element::f32})
      for (int swizzle = 0; swizzle != 5; ++swizzle)
        for (std::uint64_t const offset : {128u, 256u, 512u, 1024u}) {
          unsigned const spans[] = {16, 32, 64, 128, 128}, span = spans[swizzle];
          unsigned const bytes = cu::row_of(element).bits / 8;
          tensor_map const map{.element = element,
                               .rank = 2,
                               .extent = {256, 256},
                               .stride = {1024},
                               .box = {span / bytes, 32},
                               .swizzle = static_cast<tensor_swizzle>(swizzle)};
          of.leading = of.stride = offset;
          bool same = 8 * bytes == of.bits;
          for (unsigned i = 0; same && i != span / bytes; ++i)
            for (unsigned j = 0; same && j != 32; ++j) {
              bool const by_k = of.major == major::k;
              // Beyond the operand's row is not where it has it.
              unsigned const row = of.swizzle == tensor_swizzle::none ? 16 : spans[static_cast<int>(of.swizzle)];
              same = !(by_k && of.swizzle != tensor_swizzle::none && i * bytes >= row) &&
                     map.shared_offset({i, j}) == (by_k ? of(j, i) : of(i, j));
            }
          // A swizzle of rows that never reach its bits is the same map as none; matches() compares the modes.
          if (of.swizzle != map.swizzle) {
            CHECK(!of.matches(map));
            continue;
          }
          CHECK(of.matches(map) == same);
          ++(same ? agree : differ);
        }
  });
  CHECK(agree >= 20);
  CHECK(differ >= 20);
}

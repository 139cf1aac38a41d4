// SPDX-License-Identifier: BSL-1.0
//
// Tiles in shared memory and LDS, described by how they are written and how they are read: the layout with the fewest
// rounds in total. Small questions are answered while this compiles, long ones when it runs. Then the same tiles under
// constraints: paddings alone, a copy that writes lane after lane, and the boxes of TMA.

#include <coalesce/cdna.hpp>
#include <coalesce/cuda.hpp>
#include <coalesce/suggest.hpp>

#include <cstdio>

namespace co = coalescing;
using co::cell, co::domain, co::use;
using co::cdna::gfx942, co::cdna::gfx950, co::cuda::cc80, co::cuda::cc90;

// A transpose: written by rows, read by columns.
constexpr auto row = [](unsigned lane) { return cell{.row = 0, .column = lane}; };
constexpr auto column = [](unsigned lane) { return cell{.row = lane, .column = 0}; };
constexpr co::tile floats{.rows = 32, .columns = 32, .element_bytes = 4};
constexpr auto transpose = co::suggest(floats, use<cc80::shared_store<32>>(row), use<cc80::shared_load<32>>(column));
static_assert(transpose.is_optimal && transpose.bytes == 32 * 32 * 4);

// 64 halves a row, staged in LDS: 8 lanes write a row in 16 bytes each, then each lane reads along a row of its own.
constexpr auto eighths = [](unsigned lane, unsigned step) { return cell{8 * step + lane / 8, lane % 8 * 8}; };
constexpr auto own_row = [](unsigned lane, unsigned step) { return cell{lane, 8 * step}; };

// How much do I pad? A float after each row.
constexpr auto padded =
    co::suggest(floats, co::paddings, use<cc80::shared_store<32>>(row), use<cc80::shared_load<32>>(column));
static_assert(padded.is_optimal && padded.layout.every == 1 && padded.layout.gap == 4);

// The halves again, loaded straight to LDS, 16 bytes a lane: which cell each lane fetches, and where each step writes.
constexpr co::tile halves{.rows = 64, .columns = 64, .element_bytes = 2};
constexpr auto direct =
    co::suggest(halves, co::copied<gfx950::global_load_lds<128>>(), use<gfx950::ds_read<128>>(own_row, domain{8}));
static_assert(direct.is_optimal && direct.steps == 8 && direct.destination(1) == 1024);
static_assert(direct.layout(direct.source(5, 3).row, direct.source(5, 3).column) == direct.destination(3) + 16 * 5);

// The halves in boxes that TMA writes, read by ldmatrix.
constexpr auto boxed = co::suggest(halves, co::tensor_boxes,
                                   use<cc90::ldmatrix<4>>(
                                       [](unsigned lane, unsigned k) {
                                         return cell{lane % 16, 16 * k + lane / 16 * 8};
                                       },
                                       domain{4}));
static_assert(boxed.is_optimal && boxed.boxes == 1);

namespace {

template <class Machine>
auto staged() {
  return co::suggest({.rows = 64, .columns = 64, .element_bytes = 2},
                     use<typename Machine::template ds_write<128>>(eighths, domain{8}),
                     use<typename Machine::template ds_read<128>>(own_row, domain{8}));
}

// SGEMM_CUDA 8, which its five more columns do not help: B is stored four floats a lane, read eight apart.
auto sgemm_8() {
  return co::suggest({.rows = 8, .columns = 128, .element_bytes = 4},
                     use<cc80::shared_store<32>>(
                         [](unsigned lane, unsigned warp, unsigned i) {
                           return cell{warp, 4 * lane + i};
                         },
                         domain{8, 4}),
                     use<cc80::shared_load<32>>(
                         [](unsigned lane, unsigned d, unsigned i) {
                           return cell{d, 8 * (lane % 16) + i};
                         },
                         domain{8, 8}));
}

// CUTLASS example 50: accumulators go in by `mma` fragments, and come out in rows of 16.
auto cutlass_50(std::int64_t columns) {
  return co::suggest({.rows = 64, .columns = columns, .element_bytes = 4},
                     use<cc90::shared_store<32>>(
                         [](unsigned lane, unsigned warp, unsigned i, unsigned ja, unsigned b) {
                           return cell{2 * (lane % 4) + ja % 2 + 8 * b, lane / 4 + 8 * i + 16 * warp + 64 * (ja / 2)};
                         },
                         domain{4, 2, 4, 8}),
                     use<cc90::shared_load<128>>(
                         [](unsigned lane, unsigned warp, unsigned v, unsigned rest) {
                           unsigned const element = 16 * (32 * warp + lane) + 4 * v;
                           return cell{element / 128 + 16 * rest, element % 128};
                         },
                         domain{4, 4, 4}));
}

template <unsigned Uses>
void say(char const* what, co::suggestion<Uses> const& found) {
  std::printf("%-38s", what);
  for (unsigned k = 0; k != Uses; ++k)
    std::printf("%6llu ->%5llu", static_cast<unsigned long long>(found.before[k].rounds),
                static_cast<unsigned long long>(found.after[k].rounds));
  auto const& swizzle = found.layout.swizzle;
  std::printf("   rows of %lld bytes", static_cast<long long>(found.layout.pitch));
  if (swizzle.bits != 0) std::printf(", swizzle %u, %u, %d", swizzle.bits, swizzle.base, swizzle.shift);
  if (found.is_optimal)
    std::printf("\n");
  else
    std::printf("; none of %llu is free\n", static_cast<unsigned long long>(found.tried));
}

}  // namespace

int main() {
  std::printf("%-38s%13s%13s\n", "rounds", "written", "read");
  say("transpose of 32 x 32 floats, CC 8.0", transpose);
  say("halves staged in LDS, gfx942", staged<gfx942>());
  say("the same, gfx950", staged<gfx950>());
  say("SGEMM_CUDA 8, CC 8.0", sgemm_8());
  say("CUTLASS example 50, CC 9.0", cutlass_50(128));
  say("the same in rows of 132", cutlass_50(132));  // how to ask for a padding and a swizzle together
  say("rows, the diagonal, and columns",
      co::suggest(floats, use<cc80::shared_store<32>>(row),
                  use<cc80::shared_load<32>>([](unsigned lane) { return cell{.row = lane, .column = lane}; }),
                  use<cc80::shared_load<32>>(column)));

  std::printf("\n%-38s%13s%13s\n", "under constraints", "before", "after");
  auto const reads = [](char const* what, co::bank_cost<> const& before, co::bank_cost<> const& after) {
    std::printf("%-38s%13llu%13llu   ", what, static_cast<unsigned long long>(before.rounds),
                static_cast<unsigned long long>(after.rounds));
  };
  reads("transpose, padded alone", padded.before[1], padded.after[1]);
  std::printf("%llu bytes after every %llu rows\n", static_cast<unsigned long long>(padded.layout.gap),
              static_cast<unsigned long long>(padded.layout.every));
  reads("halves loaded straight to LDS, gfx950", direct.before[0], direct.after[0]);
  std::printf("%llu loads; in load 1 lane 8 fetches from row %u, column %u\n",
              static_cast<unsigned long long>(direct.steps), direct.source(8, 1).row, direct.source(8, 1).column);
  reads("halves in boxes, CC 9.0", boxed.before[0], boxed.after[0]);
  std::printf("rows of %llu bytes, swizzle %u, %u, %d\n", static_cast<unsigned long long>(boxed.layout.box_bytes),
              boxed.layout.swizzle.bits, boxed.layout.swizzle.base, boxed.layout.swizzle.shift);
}

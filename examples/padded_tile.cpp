// SPDX-License-Identifier: BSL-1.0
//
// A tile of 32 x 32 floats in shared memory, filled row by row and read column by column, with and without padding;
// which lanes collide; and the whole loop of a transpose added up.

#include <coalesce/cdna.hpp>
#include <coalesce/cuda.hpp>

#include <cstdio>

namespace co = coalescing;
using co::cdna::gfx942, co::cuda::cc90;

/// Rows of 32 floats and some more, in bytes.
struct tile {
  unsigned padding;  ///< floats
  constexpr unsigned operator()(unsigned row, unsigned column) const { return ((32 + padding) * row + column) * 4; }
};

/// The cost in shared memory of a warp of CC 9.0 that transposes the tile: 32 rows in, 32 columns out.
constexpr co::bank_cost<> transpose(tile const& at) {
  co::bank_cost<> sum;
  for (unsigned k = 0; k != 32; ++k) {
    sum += co::cost<cc90::shared_store<32>>([=](unsigned lane) { return at(k, lane); });
    sum += co::cost<cc90::shared_load<32>>([=](unsigned lane) { return at(lane, k); });
  }
  return sum;
}
static_assert(transpose({.padding = 0}).rounds == 32 + 32 * 32);
static_assert(transpose({.padding = 0}).ways == 32);
static_assert(transpose({.padding = 1}).conflicts == 0);

/// Four columns at a time, one float4 a lane: a row starts 16 bytes on, so quarter-warps are conflict-free.
constexpr auto four_columns = [](unsigned lane) { return tile{.padding = 4}(lane, 0); };
static_assert(co::cost<cc90::shared_load<128>>(four_columns).conflicts == 0);
static_assert(co::cost<cc90::shared_load<32>>(four_columns).ways == 4);

namespace {

using number = unsigned long long;

template <class Instruction>
void list(char const* name, auto const& pattern) {
  auto const cost = co::cost<Instruction>(pattern);
  std::printf("%s: %llu rounds, %llu conflicts, %llu-way\n", name, number{cost.rounds}, number{cost.conflicts},
              number{cost.ways});
  for (co::bank_phase const& phase : co::phases<Instruction>(pattern)) {
    std::printf("  lanes %016llx: %2llu rounds", number{phase.lanes}, number{phase.rounds});
    if (phase.colliding != 0)
      std::printf(", in bank %llu collide %016llx", number{phase.bank}, number{phase.colliding});
    std::printf("\n");
  }
}

}  // namespace

int main() {
  std::printf("a transpose through shared memory, CC 9.0, a warp\n");
  unsigned const paddings[] = {0, 1, 2, 4};
  for (unsigned const padding : paddings) {
    auto const cost = transpose({.padding = padding});
    std::printf("  padding %u: %4llu rounds, %4llu of them conflicts, %2llu-way at worst\n", padding,
                number{cost.rounds}, number{cost.conflicts}, number{cost.ways});
  }
  list<cc90::shared_load<32>>("a column of rows of 36 floats, CC 9.0", four_columns);
  list<cc90::shared_load<128>>("four columns at once, a float4 each, CC 9.0", four_columns);
  list<gfx942::ds_read<128>>("the same of 64 rows of 40 floats, gfx942",
                             [](unsigned lane) { return tile{.padding = 8}(lane, 0); });
}

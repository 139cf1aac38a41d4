// SPDX-License-Identifier: BSL-1.0
//
// Why an access costs what it costs, in words: a column of float4 in global memory, a tile written by columns, and the
// same address pattern in the LDS of two chips that serve other lanes together.

#include <coalesce/cdna.hpp>
#include <coalesce/cuda.hpp>
#include <coalesce/explain.hpp>

#include <cstdio>
#include <string_view>

namespace co = coalescing;
using co::cdna::gfx942, co::cdna::gfx950, co::cuda::cc90;

// Each is made by the compiler; in C++26 it could be the message of the static_assert that fails.
constexpr auto column = co::explain<cc90::load<128>>(co::linear{.stride = 65536});
constexpr auto late = co::explain<cc90::load<32>>(co::linear{.base = 4, .stride = 4});
constexpr auto tile = co::explain<cc90::shared_store<32>>(co::linear{.stride = 36 * 4});
constexpr auto rows_of_40 = co::linear{.stride = 40 * 4};
constexpr auto lds = co::explain<gfx942::ds_read<128>>(rows_of_40);
constexpr auto more_banks = co::explain<gfx950::ds_read<128>>(rows_of_40);
static_assert(co::cost<gfx942::ds_read<128>>(rows_of_40).conflicts == 8);

namespace {

/// The part of an explanation before its rules.
template <class Text>
void print_numbers(Text const& why) {
  std::string_view const all = why;
  std::printf("\n%.*s", static_cast<int>(all.find("Rules:")), all.data());
}

}  // namespace

int main() {
  std::printf("%s", tile.c_str());
  print_numbers(column);
  print_numbers(late);
  print_numbers(lds);
  print_numbers(more_banks);
}

// SPDX-License-Identifier: BSL-1.0
//
// The pictures of the pages: those of the texts that explain coalescing, drawn from the addresses. With a folder,
// writes them there as SVG; without, prints what each shows. Each number is asserted here, so what compiles is what is
// drawn.

#include <coalesce/cdna.hpp>
#include <coalesce/cuda.hpp>
#include <coalesce/figure.hpp>
#include <coalesce/gcn.hpp>
#include <coalesce/layout.hpp>

#include <cstdio>
#include <fstream>
#include <string>

namespace co = coalescing;
namespace cuda = co::cuda;
namespace gcn = co::gcn;
using co::cdna::gfx942, co::cdna::gfx950;

// ---- Half-warps of CC 1.x: the six pictures of "How to efficiently use global memory?" (Mindfire Solutions) ----

constexpr std::uint64_t half_warp = 0xffff;
constexpr auto in_order = co::linear{.base = 128, .stride = 4};
constexpr auto pairs_swapped = [](unsigned lane) { return 128 + 4 * (lane ^ 1); };
constexpr auto late = co::linear{.base = 132, .stride = 4};
constexpr auto across_segments = co::linear{.base = 128 - 60, .stride = 4};  // 15 words below byte 128, one above
constexpr auto across_halves = co::linear{.base = 128 + 4, .stride = 4};     // 15 words below byte 192, one above
using cc10_load = cuda::cc10::load<32>;
using cc13_load = cuda::cc13::load<32>;

static_assert(co::cost<cc10_load>(in_order, half_warp & ~8ull).transactions == 1);
static_assert(co::cost<cc10_load>(pairs_swapped, half_warp).transactions == 16);
static_assert(co::cost<cc10_load>(late, half_warp).transactions == 16);
static_assert(co::cost<cc13_load>(pairs_swapped, half_warp).transactions == 1);
static_assert(co::cost<cc13_load>(across_segments, half_warp).bytes_moved == 64 + 32);
static_assert(co::cost<cc13_load>(across_halves, half_warp).bytes_moved == 128);

// ---- The float4s of two SAXPY kernels on an RTX 4070: "Sectors, Coalescing and Vector Loads in CUDA" ----

using float4 = cuda::cc89::load<128>;
constexpr auto neighbours = co::linear{.stride = 16};
constexpr auto four_rows_apart = co::linear{.stride = 4 * 4096 * 4};
static_assert(co::cost<float4>(neighbours).transactions == 16);
static_assert(co::cost<float4>(four_rows_apart).transactions == 32);

// ---- "Understanding Memory Coalescing on GCN" (T. Lottes): the cases in which 16 lanes are one clock, and others ----

using dword = gcn::buffer_load<32>;
constexpr auto one_address = co::broadcast{.base = 64};
constexpr auto an_address_a_quad = [](unsigned lane) { return 4 * (lane / 4); };
constexpr auto quads_of_any_order = [](unsigned lane) { return 4 * (lane ^ lane / 4 % 4); };
constexpr auto across_quads = [](unsigned lane) { return 4 * (lane / 16 * 16 + lane * 5 % 16); };
constexpr auto every_second = co::linear{.stride = 8};
static_assert(co::cost<dword>(one_address).clocks == 4);
static_assert(co::cost<dword>(an_address_a_quad).clocks == 4);
static_assert(co::cost<dword>(quads_of_any_order).clocks == 4);
static_assert(co::cost<dword>(across_quads).clocks == 16 && co::cost<dword>(across_quads).transactions == 4);
static_assert(co::cost<dword>(every_second).clocks == 16 && co::cost<dword>(every_second).transactions == 8);
static_assert(co::cost<gcn::buffer_load<32, 4>>(neighbours).clocks == 16);
static_assert(co::cost<gcn::image_sample<128>>(neighbours).clocks == 64);

// ---- A float late, from machine to machine ----

constexpr auto a_float_late = co::linear{.base = 4, .stride = 4};
static_assert(co::cost<cuda::cc10::load<32>>(a_float_late).transactions == 32);
static_assert(co::cost<cuda::cc13::load<32>>(a_float_late).transactions == 3);
static_assert(co::cost<cuda::cc20::load<32, cuda::caching::l1>>(a_float_late).transactions == 2);
static_assert(co::cost<cuda::cc90::load<32>>(a_float_late).transactions == 5);
static_assert(co::cost<gfx942::global_load<32>>(a_float_late).transactions == 3);
static_assert(co::cost<dword>(a_float_late).transactions == 5);

// ---- Shared memory and LDS: a column of a tile of floats; 16 or 32 rows of 64 halves, as they are and swizzled ----

constexpr auto column_of_32 = co::linear{.stride = 32 * 4};
constexpr auto column_of_33 = co::linear{.stride = 33 * 4};
constexpr auto column_of_36 = co::linear{.stride = 36 * 4};
using shared = cuda::cc90::shared_load<32>;
static_assert(co::cost<shared>(column_of_32).rounds == 32);
static_assert(co::cost<shared>(column_of_33).rounds == 1);
static_assert(co::cost<shared>(column_of_36).rounds == 4);
constexpr auto row_of_32 = co::linear{.stride = 4};
constexpr co::swizzle by_column{.bits = 5, .base = 2, .shift = 5};  // float's column ^ row
static_assert(co::cost<shared>(by_column.over(column_of_32)).rounds == 1);
static_assert(co::cost<cuda::cc90::shared_store<32>>(by_column.over(row_of_32)).rounds == 1);

constexpr auto rows_of_16 = [](unsigned lane) { return 128 * (lane % 16) + 16 * (lane / 16); };
constexpr auto rows_of_32 = [](unsigned lane) { return 128 * (lane % 32) + 16 * (lane / 32); };
constexpr co::swizzle by_row{.bits = 3, .base = 4, .shift = 3};  // 16-byte column ^ row % 8
constexpr auto filled_by_rows = [](unsigned lane) { return 16 * lane; };
static_assert(co::cost<gfx942::ds_write<128>>(filled_by_rows).conflicts == 0);
static_assert(co::cost<gfx942::ds_write<128>>(by_row.over(filled_by_rows)).conflicts == 0);
static_assert(co::cost<gfx942::ds_read<128>>(rows_of_16).conflicts == 24);
static_assert(co::cost<gfx942::ds_read<128>>(by_row.over(rows_of_16)).conflicts == 0);
static_assert(co::cost<gfx942::ds_read<128>>(by_row.over(rows_of_32)).conflicts == 0);
static_assert(co::cost<gfx950::ds_read<128>>(by_row.over(rows_of_32)).conflicts == 4);

namespace {

class gallery {
 public:
  explicit gallery(char const* to) : folder(to) {}
  bool good = true;

  template <class Instruction, class Pattern>
  void show(char const* name, Pattern const& pattern, std::uint64_t active = co::all_lanes,
            co::caption words = co::caption::whole) {
    if (folder == nullptr) {
      std::string const text = co::terminal<Instruction>(pattern, active);
      std::printf("%-24s%s\n", name, text.substr(0, text.find('\n')).c_str());
      return;
    }
    write(name, co::svg<Instruction>(pattern, active, words));
  }
  template <class Write, class Read, class Written, class WasRead>
  void show_swizzle(char const* name, co::swizzle const& by, Written const& written, WasRead const& read) {
    if (folder == nullptr)
      std::printf("%-24sread in %llu rounds, swizzled %llu\n", name, rounds<Read>(read), rounds<Read>(by.over(read)));
    else
      write(name, co::svg<Write, Read>(by, written, read));
  }

 private:
  char const* folder;

  void write(char const* name, std::string const& picture) {
    std::ofstream file(std::string(folder) + '/' + name + ".svg", std::ios::binary);
    file << picture;
    good = good && file.flush().good();
  }
  template <class Instruction, class Pattern>
  static unsigned long long rounds(Pattern const& pattern) {
    return co::cost<Instruction>(pattern).rounds;
  }
};

}  // namespace

int main(int count, char** arguments) {
  gallery pictures(count > 1 ? arguments[1] : nullptr);
  pictures.show<cc10_load>("half_warp_1", in_order, half_warp & ~8ull);
  pictures.show<cc10_load>("half_warp_2", pairs_swapped, half_warp);
  pictures.show<cc10_load>("half_warp_3", late, half_warp);
  pictures.show<cc13_load>("half_warp_4", pairs_swapped, half_warp);
  pictures.show<cc13_load>("half_warp_5", across_segments, half_warp);
  pictures.show<cc13_load>("half_warp_6", across_halves, half_warp);

  pictures.show<float4>("saxpy_coalesced", neighbours);
  pictures.show<float4>("saxpy_strided", four_rows_apart);

  pictures.show<dword>("gcn_one_address", one_address);
  pictures.show<dword>("gcn_address_a_quad", an_address_a_quad);
  pictures.show<dword>("gcn_any_order", quads_of_any_order);
  pictures.show<dword>("gcn_across_quads", across_quads);
  pictures.show<dword>("gcn_every_second", every_second);
  pictures.show<gcn::buffer_load<32, 4>>("gcn_four_channels", neighbours);
  pictures.show<gcn::image_sample<128>>("gcn_filtered", neighbours);

  pictures.show<cuda::cc10::load<32>>("late_cc10", a_float_late);
  pictures.show<cuda::cc13::load<32>>("late_cc13", a_float_late);
  pictures.show<cuda::cc20::load<32, cuda::caching::l1>>("late_cc20", a_float_late);
  pictures.show<cuda::cc90::load<32>>("late_cc90", a_float_late);
  pictures.show<gfx942::global_load<32>>("late_gfx942", a_float_late);
  pictures.show<dword>("late_gcn", a_float_late);

  pictures.show<shared>("first_screen", column_of_32, co::all_lanes, co::caption::title);  // of README.md
  pictures.show<shared>("first_screen_padded", column_of_33, co::all_lanes, co::caption::title);
  pictures.show<shared>("column_of_32", column_of_32);
  pictures.show<shared>("column_of_33", column_of_33);
  pictures.show<shared>("column_of_36", column_of_36);
  pictures.show<gfx942::ds_read<128>>("lds_plain", rows_of_16);
  pictures.show<gfx942::ds_read<128>>("lds_swizzled", by_row.over(rows_of_16));
  pictures.show<gfx942::ds_read<128>>("ds_read_b128_gfx942", by_row.over(rows_of_32));
  pictures.show<gfx950::ds_read<128>>("ds_read_b128_gfx950", by_row.over(rows_of_32));
  pictures.show_swizzle<gfx942::ds_write<128>, gfx942::ds_read<128>>("swizzle_gfx942", by_row, filled_by_rows,
                                                                     rows_of_16);
  pictures.show_swizzle<cuda::cc90::shared_store<32>, shared>("swizzle_cc90", by_column, row_of_32, column_of_32);
  return pictures.good ? 0 : 1;
}

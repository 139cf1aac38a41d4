// SPDX-License-Identifier: BSL-1.0
#include <coalesce/cdna.hpp>
#include <coalesce/cuda.hpp>
#include <coalesce/rdna.hpp>

#include "machinery/check.hpp"

#include <algorithm>
#include <concepts>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace co = coalescing;
namespace cuda = co::cuda;
namespace cdna = co::cdna;
namespace rdna = co::rdna;

TEST_CASE("sm_90 is cc90, and so for every compute capability") {
  static_assert(std::same_as<cuda::sm_13, cuda::cc13> && std::same_as<cuda::sm_35, cuda::cc35>);
  static_assert(std::same_as<cuda::sm_75, cuda::cc75> && std::same_as<cuda::sm_86, cuda::cc86>);
  static_assert(std::same_as<cuda::sm_90, cuda::cc90> && std::same_as<cuda::sm_121, cuda::cc121>);
  using all =
      co::machine_list<cuda::sm_10, cuda::sm_11, cuda::sm_12, cuda::sm_13, cuda::sm_20, cuda::sm_21, cuda::sm_30,
                       cuda::sm_32, cuda::sm_35, cuda::sm_37, cuda::sm_50, cuda::sm_52, cuda::sm_53, cuda::sm_60,
                       cuda::sm_61, cuda::sm_62, cuda::sm_70, cuda::sm_72, cuda::sm_75, cuda::sm_80, cuda::sm_86,
                       cuda::sm_87, cuda::sm_88, cuda::sm_89, cuda::sm_90, cuda::sm_100, cuda::sm_103, cuda::sm_107,
                       cuda::sm_110, cuda::sm_120, cuda::sm_121>;
  static_assert(std::same_as<all, cuda::every_machine>);
}

// NVIDIA's tables of compute capabilities, a line for each that has products here.
static_assert(std::same_as<co::machine_list<cuda::gb10>, co::machine_list<cuda::cc121>>);
template <class Machine, class... Products>
inline constexpr bool all_are = (std::same_as<Machine, Products> && ...);
static_assert(all_are<cuda::cc120, cuda::rtx5090, cuda::rtx5080, cuda::rtx5070ti, cuda::rtx5070, cuda::rtx5060ti,
                      cuda::rtx5060, cuda::rtx5050, cuda::rtx_pro_6000>);
static_assert(all_are<cuda::cc110, cuda::jetson_t5000, cuda::jetson_t4000>);
static_assert(all_are<cuda::cc103, cuda::gb300, cuda::b300>);
static_assert(all_are<cuda::cc100, cuda::gb200, cuda::b200>);
static_assert(all_are<cuda::cc90, cuda::gh200, cuda::h200, cuda::h100>);
static_assert(all_are<cuda::cc89, cuda::l4, cuda::l40, cuda::l40s, cuda::rtx4090, cuda::rtx4080, cuda::rtx4070ti,
                      cuda::rtx4070, cuda::rtx4060ti, cuda::rtx4060>);
static_assert(all_are<cuda::cc87, cuda::jetson_agx_orin, cuda::jetson_orin_nx, cuda::jetson_orin_nano>);
static_assert(all_are<cuda::cc86, cuda::a40, cuda::a10, cuda::a16, cuda::a2, cuda::rtx_a6000, cuda::rtx3090,
                      cuda::rtx3080, cuda::rtx3070, cuda::rtx3060>);
static_assert(all_are<cuda::cc80, cuda::a100, cuda::a30>);
static_assert(all_are<cuda::cc75, cuda::t4, cuda::rtx2080ti, cuda::rtx2080, cuda::rtx2070, cuda::rtx2060, cuda::gtx1660,
                      cuda::gtx1650>);
static_assert(all_are<cuda::cc72, cuda::jetson_agx_xavier, cuda::jetson_xavier_nx>);
static_assert(all_are<cuda::cc70, cuda::v100, cuda::titan_v> && all_are<cuda::cc62, cuda::jetson_tx2>);
static_assert(all_are<cuda::cc61, cuda::p40, cuda::p4, cuda::gtx1080ti, cuda::gtx1080, cuda::gtx1070, cuda::gtx1060>);
static_assert(all_are<cuda::cc60, cuda::p100> && all_are<cuda::cc53, cuda::jetson_nano>);
static_assert(all_are<cuda::cc52, cuda::m60, cuda::m40, cuda::gtx980ti, cuda::gtx980, cuda::gtx970>);
static_assert(all_are<cuda::cc37, cuda::k80> && all_are<cuda::cc35, cuda::k40, cuda::k20>);
static_assert(!all_are<cuda::cc90, cuda::h100, cuda::b200>);  // the control

// LLVM's table of processors.
static_assert(all_are<rdna::gfx1010, rdna::rx5700, rdna::rx5700xt> &&
              all_are<rdna::gfx1012, rdna::rx5500, rdna::rx5500xt>);
static_assert(all_are<rdna::gfx1030, rdna::rx6800, rdna::rx6800xt, rdna::rx6900xt, rdna::w6800, rdna::v620>);
static_assert(all_are<rdna::gfx1100, rdna::rx7900xt, rdna::rx7900xtx, rdna::rx7900gre, rdna::w7800, rdna::w7900>);
static_assert(all_are<rdna::gfx1101, rdna::rx7700, rdna::rx7700xt, rdna::rx7800xt>);
static_assert(all_are<rdna::gfx1102, rdna::rx7600, rdna::rx7600xt> &&
              all_are<rdna::gfx1150, rdna::radeon_890m, rdna::radeon_880m>);
static_assert(all_are<rdna::gfx1151, rdna::radeon_8060s, rdna::radeon_8050s, rdna::radeon_8040s> &&
              all_are<rdna::gfx1152, rdna::radeon_860m>);
static_assert(all_are<rdna::gfx1200, rdna::rx9060, rdna::rx9060xt>);
static_assert(all_are<rdna::gfx1201, rdna::rx9070, rdna::rx9070gre, rdna::rx9070xt, rdna::r9700>);
static_assert(all_are<cdna::gfx90a, cdna::mi210, cdna::mi250, cdna::mi250x>);

TEST_CASE("a product of CDNA 3 or 4 has the instructions of its chip") {
  static_assert(std::same_as<cdna::mi300x::ds_read<128>, cdna::gfx942::ds_read<128>>);
  static_assert(std::same_as<cdna::mi300a::global_load<32>, cdna::gfx942::global_load<32>>);
  static_assert(std::same_as<cdna::mi325x::ds_read2<32, 0, 1>, cdna::gfx942::ds_read2<32, 0, 1>>);
  static_assert(std::same_as<cdna::mi355x::ds_read_tr<64>, cdna::gfx950::ds_read_tr<64>>);
  static_assert(std::same_as<cdna::mi350x::ds_write<64>, cdna::gfx950::ds_write<64>>);
  static_assert(!std::same_as<cdna::mi355x::ds_read<128>, cdna::gfx942::ds_read<128>>);
  // gfx942 serves 16 bytes of consecutive lanes without a conflict, in eight phases of 8 lanes.
  COALESCE_CHECK(co::cost<cdna::mi300x::ds_read<128>>(co::linear{.stride = 16}).conflicts == 0);
  COALESCE_CHECK(cdna::mi300x::lds_for_work_groups(2) == cdna::gfx942::lds_for_work_groups(2));
}

/// How many words the lists for host/named.hpp have: as many as the lists above.
template <class Rows>
static std::vector<std::string> words_of(Rows const& rows) {
  std::vector<std::string> words;
  for (auto const& row : rows) {
    std::istringstream text(row.names);
    for (std::string word; text >> word;) words.push_back(word);
  }
  return words;
}
TEST_CASE("the lists of products for host/named.hpp have each name once") {
  std::vector<std::pair<std::vector<std::string>, std::size_t>> const lists = {
      {words_of(cuda::every_product), 69},
      {words_of(rdna::every_product), 31},
      {words_of(cdna::products_without_figures), 3}};
  for (auto const& [words, count] : lists) {
    CHECK(words.size() == count);
    CHECK(std::set<std::string>(words.begin(), words.end()).size() == count);
  }
}

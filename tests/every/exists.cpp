// SPDX-License-Identifier: BSL-1.0
//
// Whether an instruction exists can be asked without an error, of any width. (must_fail has the
// sentences of those that do not exist.)
#include <coalesce/coalesce.hpp>

#include "machinery/check.hpp"

namespace co = coalescing;
namespace gcn = co::gcn;

namespace {

/// Bit k: the k-th of these widths exists.
template <template <unsigned> class Instruction>
constexpr unsigned of_widths() {
  return Instruction<4>::exists << 0 | Instruction<8>::exists << 1 | Instruction<16>::exists << 2 |
         Instruction<24>::exists << 3 | Instruction<32>::exists << 4 | Instruction<64>::exists << 5 |
         Instruction<96>::exists << 6 | Instruction<128>::exists << 7 | Instruction<256>::exists << 8;
}
/// The same of 1 to 16 dwords.
template <template <unsigned> class Instruction>
constexpr unsigned of_dwords() {
  return Instruction<1>::exists << 0 | Instruction<2>::exists << 1 | Instruction<3>::exists << 2 |
         Instruction<4>::exists << 3 | Instruction<8>::exists << 4 | Instruction<16>::exists << 5 |
         Instruction<32>::exists << 6;
}
constexpr unsigned all_of_amd = 0b0'1111'0110, without_96 = 0b0'1011'0110, atomics = 0b0'0011'0000;

template <unsigned Bits>
using buffer_load_of_gcn = gcn::buffer_load<Bits>;
template <unsigned Bits>
using two_channels_of_gcn = gcn::buffer_load<Bits, 2>;
template <unsigned Bits>
using three_channels_of_gcn = gcn::buffer_store<Bits, 3>;
template <unsigned Bits>
using five_channels_of_gcn = gcn::buffer_store<Bits, 5>;

}  // namespace

TEST_CASE("GCN: whether an instruction exists can be asked") {
  COALESCE_CHECK(of_widths<buffer_load_of_gcn>() == all_of_amd);
  COALESCE_CHECK(of_widths<two_channels_of_gcn>() == 0b0'0001'0110);
  COALESCE_CHECK(of_widths<three_channels_of_gcn>() == 0b0'0001'0000);
  COALESCE_CHECK(of_widths<five_channels_of_gcn>() == 0);
  COALESCE_CHECK(of_widths<gcn::buffer_atomic>() == atomics);
  COALESCE_CHECK(of_widths<gcn::image_load>() == without_96);
  COALESCE_CHECK(of_widths<gcn::image_sample>() == without_96);
  COALESCE_CHECK(of_widths<gcn::image_store>() == without_96);
  COALESCE_CHECK(of_widths<gcn::ds_read>() == all_of_amd);
  COALESCE_CHECK(of_widths<gcn::ds_write>() == without_96);
  COALESCE_CHECK(of_dwords<gcn::s_load>() == 0b0111011);
}

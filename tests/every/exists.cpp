// SPDX-License-Identifier: BSL-1.0
//
// Whether an instruction exists can be asked without an error, of any width. (must_fail has the
// sentences of those that do not exist.)
#include <coalesce/coalesce.hpp>

#include "machinery/check.hpp"

namespace co = coalescing;
namespace gcn = co::gcn;
namespace cdna = co::cdna;
namespace rdna = co::rdna;
namespace cuda = co::cuda;

namespace {

/// Bit k: the k-th of these widths exists.
template <template <unsigned> class Instruction>
constexpr unsigned of_widths() {
  return Instruction<4>::exists << 0 | Instruction<8>::exists << 1 | Instruction<16>::exists << 2 |
         Instruction<24>::exists << 3 | Instruction<32>::exists << 4 | Instruction<64>::exists << 5 |
         Instruction<96>::exists << 6 | Instruction<128>::exists << 7 | Instruction<256>::exists << 8;
}
/// The same of 1 to 32 dwords, matrices, or bytes of a copy.
template <template <unsigned> class Instruction>
constexpr unsigned of_counts() {
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

template <class Device>
struct of_cuda {
  template <unsigned Bits>
  using load = typename Device::template load<Bits>;
  template <unsigned Bits>
  using load_l1 = typename Device::template load<Bits, cuda::caching::l1>;
  template <unsigned Bits>
  using load_l2 = typename Device::template load<Bits, cuda::caching::l2>;
  template <unsigned Bits, cuda::shared_mode Mode>
  static constexpr bool reads = Device::template shared_load<Bits, Mode>::exists;
  template <unsigned Bits, cuda::shared_mode Mode>
  static constexpr bool writes = Device::template shared_store<Bits, Mode>::exists;
  template <unsigned Bits>
  using shared_load = typename Device::template shared_load<Bits>;
  template <unsigned Bits>
  using shared_store = typename Device::template shared_store<Bits>;
  template <unsigned Matrices>
  using ldmatrix = typename Device::template ldmatrix<Matrices>;
  template <unsigned Matrices>
  using ldmatrix_of_6_bits = typename Device::template ldmatrix<Matrices, cuda::matrix::m8n16_b6>;
  template <unsigned Matrices>
  using ldmatrix_of_8_bits = typename Device::template ldmatrix<Matrices, cuda::matrix::m16n16_trans_b8>;
  template <unsigned Matrices>
  using stmatrix = typename Device::template stmatrix<Matrices>;
  template <unsigned Matrices>
  using stmatrix_of_6_bits = typename Device::template stmatrix<Matrices, cuda::matrix::m8n16_b6>;
  template <unsigned Bytes>
  using copy = typename Device::template cp_async<Bytes>;
  template <unsigned Bytes>
  using copy_of_8 = typename Device::template cp_async<Bytes, 8>::global;
};

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
  COALESCE_CHECK(of_counts<gcn::s_load>() == 0b0111011);
}

TEST_CASE("CDNA: whether an instruction exists can be asked") {
  using old = cdna::gfx90a;
  using chip = cdna::gfx942;
  using wide = cdna::gfx950;
  COALESCE_CHECK(of_widths<chip::global_load>() == all_of_amd);
  COALESCE_CHECK(of_widths<chip::global_store>() == all_of_amd);
  COALESCE_CHECK(of_widths<chip::buffer_load>() == all_of_amd);
  COALESCE_CHECK(of_widths<chip::buffer_store>() == all_of_amd);
  COALESCE_CHECK(of_widths<chip::global_atomic>() == atomics);
  COALESCE_CHECK(of_widths<chip::ds_read>() == all_of_amd);
  COALESCE_CHECK(of_widths<chip::ds_write>() == without_96);
  COALESCE_CHECK(of_widths<chip::ds_atomic>() == atomics);
  COALESCE_CHECK(of_counts<chip::s_load>() == 0b0111011);

  // Loads to LDS and their sides; transposing loads.
  COALESCE_CHECK(of_widths<old::global_load_lds>() == 0);
  COALESCE_CHECK(of_widths<chip::global_load_lds>() == 0b0'0001'0110);
  COALESCE_CHECK(of_widths<wide::global_load_lds>() == 0b0'1101'0110);
  COALESCE_CHECK(of_widths<old::buffer_load_lds>() == 0b0'0001'0110);
  COALESCE_CHECK(of_widths<wide::buffer_load_lds>() == 0b0'1101'0110);
  COALESCE_CHECK(chip::global_load_lds<32>::global::exists);
  COALESCE_CHECK(!chip::global_load_lds<64>::global::exists);
  COALESCE_CHECK(!chip::buffer_load_lds<64>::global::exists);
  COALESCE_CHECK(!chip::ds_read_tr<64>::exists);
  COALESCE_CHECK(wide::ds_read_tr<64>::exists);
  COALESCE_CHECK(wide::ds_read_tr<96, 6>::exists);
  COALESCE_CHECK(!wide::ds_read_tr<96>::exists);

  // Pairs: a width, offsets of 8 bits, and both ends in LDS of 64 KB, or of 160 KB.
  COALESCE_CHECK(chip::ds_read2<32, 0, 255>::exists);
  COALESCE_CHECK(!chip::ds_read2<32, 0, 256>::exists);
  COALESCE_CHECK(!chip::ds_read2<32, 256, 0>::exists);
  COALESCE_CHECK(!chip::ds_write2<16, 0, 1>::exists);
  COALESCE_CHECK(chip::ds_read2st64<32, 0, 255>::exists);
  COALESCE_CHECK(chip::ds_write2st64<64, 127, 0>::exists);
  COALESCE_CHECK(!chip::ds_write2st64<64, 128, 0>::exists);
  COALESCE_CHECK(wide::ds_write2st64<64, 0, 255>::exists);
}

TEST_CASE("RDNA: whether an instruction exists can be asked") {
  using chip = rdna::gfx1100;
  using first = rdna::gfx1010;
  using last = rdna::gfx1250;
  COALESCE_CHECK(of_widths<chip::global_load>() == all_of_amd);
  COALESCE_CHECK(of_widths<chip::global_store>() == all_of_amd);
  COALESCE_CHECK(of_widths<chip::buffer_load>() == all_of_amd);
  COALESCE_CHECK(of_widths<chip::buffer_store>() == all_of_amd);
  COALESCE_CHECK(of_widths<chip::wave64::global_atomic>() == atomics);
  COALESCE_CHECK(of_widths<chip::ds_load>() == all_of_amd);
  COALESCE_CHECK(of_widths<first::ds_load>() == 0b0'0011'0110);
  COALESCE_CHECK(of_widths<chip::ds_store>() == without_96);
  COALESCE_CHECK(of_widths<chip::ds_atomic>() == 0);
  COALESCE_CHECK(of_counts<chip::s_load>() == 0b0111011);
  COALESCE_CHECK(of_counts<rdna::gfx1200::s_load>() == 0b0111111);
  COALESCE_CHECK(chip::ds_load_2addr<64, 0, 255>::exists);
  COALESCE_CHECK(!chip::ds_load_2addr<64, 0, 256>::exists);
  COALESCE_CHECK(!chip::ds_store_2addr<128, 0, 1>::exists);
  COALESCE_CHECK(chip::ds_load_2addr_stride64<64, 127, 0>::exists);
  COALESCE_CHECK(!chip::ds_store_2addr_stride64<64, 128, 0>::exists);

  // gfx1250, and a chip that is only named.
  COALESCE_CHECK(of_widths<last::global_load>() == 0);
  COALESCE_CHECK(of_widths<last::buffer_store>() == 0);
  COALESCE_CHECK(of_widths<last::global_atomic>() == 0);
  COALESCE_CHECK(of_widths<last::ds_load>() == 0);
  COALESCE_CHECK(of_widths<last::ds_store>() == 0);
  COALESCE_CHECK(of_counts<last::s_load>() == 0);
  COALESCE_CHECK(!last::ds_load_2addr<32, 0, 1>::exists);
  COALESCE_CHECK(of_widths<rdna::gfx1170::ds_load>() == 0);
  COALESCE_CHECK(!rdna::gfx1170::wave64::global_load<32>::exists);
  COALESCE_CHECK(!last::wave64::global_load<32>::exists);
  COALESCE_CHECK(!last::wave64::ds_load_2addr<32, 0, 1>::exists);
}

TEST_CASE("CUDA: whether an instruction exists can be asked") {
  using cuda::cc10, cuda::cc20, cuda::cc35, cuda::cc60, cuda::cc70, cuda::cc75, cuda::cc80, cuda::cc90, cuda::cc100;
  using cuda::shared_mode;
  constexpr unsigned words = 0b0'1011'0110;
  COALESCE_CHECK(of_widths<of_cuda<cc90>::load>() == words);
  COALESCE_CHECK(of_widths<of_cuda<cc100>::load>() == (words | 1u << 8));
  COALESCE_CHECK(of_widths<cc90::store>() == words);
  COALESCE_CHECK(of_widths<cc100::store>() == (words | 1u << 8));
  COALESCE_CHECK(of_widths<of_cuda<cc20>::load_l1>() == words);
  COALESCE_CHECK(of_widths<of_cuda<cc35>::load_l2>() == words);
  COALESCE_CHECK(of_widths<of_cuda<cc90>::load_l1>() == 0);
  COALESCE_CHECK(of_widths<of_cuda<cc90>::load_l2>() == 0);
  COALESCE_CHECK(of_widths<cc10::atomic>() == 0);
  COALESCE_CHECK(of_widths<cc60::atomic>() == atomics);
  COALESCE_CHECK(of_widths<cc70::atomic>() == (atomics | 1u << 2));
  COALESCE_CHECK(of_widths<cc90::atomic>() == (atomics | 1u << 2 | 1u << 7));
  COALESCE_CHECK(of_widths<cc10::red>() == 0);
  COALESCE_CHECK(of_widths<cc90::red>() == (atomics | 1u << 2));
  COALESCE_CHECK(of_widths<cc10::shared_atomic>() == 0);
  COALESCE_CHECK(of_widths<cc90::shared_atomic>() == atomics);
  COALESCE_CHECK(of_widths<cc100::tcgen05_ld>() == 0);
  COALESCE_CHECK(!cc100::tcgen05_ld<0>::exists);
  COALESCE_CHECK(of_widths<cc100::constant_load>() == words);
  COALESCE_CHECK(of_widths<of_cuda<cc100>::shared_load>() == words);
  COALESCE_CHECK(of_widths<of_cuda<cc100>::shared_store>() == words);

  // The choices of shared memory.
  COALESCE_CHECK(of_cuda<cc35>::reads<32, shared_mode::eight_byte_banks>);
  COALESCE_CHECK(of_cuda<cc35>::writes<32, shared_mode::four_byte_banks>);
  COALESCE_CHECK(!of_cuda<cc35>::reads<64, shared_mode::pair_merge>);
  COALESCE_CHECK(!of_cuda<cc90>::reads<32, shared_mode::eight_byte_banks>);
  COALESCE_CHECK(!of_cuda<cc90>::writes<32, shared_mode::four_byte_banks>);
  COALESCE_CHECK(of_cuda<cc90>::reads<64, shared_mode::no_merge>);
  COALESCE_CHECK(!of_cuda<cc90>::reads<24, shared_mode::no_merge>);
  COALESCE_CHECK(!of_cuda<cc90>::writes<64, shared_mode::no_merge>);

  // Matrices and copies.
  COALESCE_CHECK(of_counts<of_cuda<cc70>::ldmatrix>() == 0);
  COALESCE_CHECK(of_counts<of_cuda<cc75>::ldmatrix>() == 0b0001011);
  COALESCE_CHECK(of_counts<of_cuda<cc90>::ldmatrix_of_6_bits>() == 0);
  COALESCE_CHECK(of_counts<of_cuda<cc100>::ldmatrix_of_6_bits>() == 0b0001011);
  COALESCE_CHECK(of_counts<of_cuda<cc100>::ldmatrix_of_8_bits>() == 0b0000011);
  COALESCE_CHECK(of_counts<of_cuda<cc80>::stmatrix>() == 0);
  COALESCE_CHECK(of_counts<of_cuda<cc90>::stmatrix>() == 0b0001011);
  COALESCE_CHECK(of_counts<of_cuda<cc100>::stmatrix_of_6_bits>() == 0);
  COALESCE_CHECK(of_counts<of_cuda<cc75>::copy>() == 0);
  COALESCE_CHECK(of_counts<of_cuda<cc80>::copy>() == 0b0111000);
  COALESCE_CHECK(of_counts<of_cuda<cc80>::copy_of_8>() == 0b0110000);
  COALESCE_CHECK(cc80::cp_async<16>::shared::exists);
  COALESCE_CHECK(!cc75::cp_async<16>::shared::exists);
}

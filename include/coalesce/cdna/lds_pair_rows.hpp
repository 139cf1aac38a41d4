// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cdna/lds_rows.hpp>

// The phases of instructions with two addresses, DS_READ2 and DS_WRITE2: which lanes the LDS of CDNA serves together.
// All phases of the first address come before all phases of the second. For MI300, AMD's guide (kernel_guide) says so.
// For gfx950, AMD's authors of Triton assume that a DS_READ2 uses 32 banks. They pad tiles in LDS so that the accesses
// of a quarter wave at one of the two addresses do not conflict.

namespace coalescing::cdna {

inline constexpr char const* pairs_as_on_gfx942 =
    "as on MI300, whose phases of one address it has: those of the first, then of the second";

/// The rows of DS_READ2 and DS_WRITE2. Step is the number of elements that an offset of 1 stands for: 1 or 64.
template <chip Chip, unsigned Bits, unsigned Step>
struct ds_read2_row;
template <chip Chip, unsigned Bits, unsigned Step>
struct ds_write2_row;
template <chip Chip, unsigned Bits, unsigned Step>
requires takes_from<Chip, ds_read2_row<row<Chip>::lds_of, Bits, Step>>
struct ds_read2_row<Chip, Bits, Step> : served_as<Chip, ds_read2_row<row<Chip>::lds_of, Bits, Step>> {
};
template <chip Chip, unsigned Bits, unsigned Step>
requires takes_from<Chip, ds_write2_row<row<Chip>::lds_of, Bits, Step>>
struct ds_write2_row<Chip, Bits, Step> : served_as<Chip, ds_write2_row<row<Chip>::lds_of, Bits, Step>> {
};

template <>
struct ds_read2_row<chip::gfx942, 64, 1> : row<chip::gfx942> {
  static constexpr fact phases{
      amd::quarters,
      documents::kernel_guide.says("Avoiding LDS Bank Conflicts, MI300",
                                   "the quarter waves of the first address, then of the second", idle_phases)};
};
template <>
struct ds_read2_row<chip::gfx942, 64, 64> : row<chip::gfx942> {
  static constexpr fact phases{
      amd::quarters, documents::kernel_guide.implies("Avoiding LDS Bank Conflicts, MI300", "as ds_read2_b64")};
};
template <unsigned Step>
struct ds_read2_row<chip::gfx942, 32, Step> : row<chip::gfx942> {
  static constexpr fact phases{
      amd::halves, documents::kernel_guide.implies("Avoiding LDS Bank Conflicts, MI300",
                                                   "as ds_read2_b64 is two of ds_read_b64, two of ds_read_b32")};
};
template <unsigned Step>
struct ds_write2_row<chip::gfx942, 64, Step> : row<chip::gfx942> {
  static constexpr fact phases{
      amd::quarters, documents::kernel_guide.implies("Avoiding LDS Bank Conflicts, MI300",
                                                     "as ds_read2_b64 is two of ds_read_b64, two of ds_write_b64")};
};
template <unsigned Step>
struct ds_write2_row<chip::gfx942, 32, Step> : row<chip::gfx942> {
  static constexpr fact phases{
      amd::halves, documents::kernel_guide.implies("Avoiding LDS Bank Conflicts, MI300",
                                                   "as ds_read2_b64 is two of ds_read_b64, two of ds_write_b32")};
};

// gfx90a serves each of the two addresses as gfx942 does, with the same lanes together.
template <unsigned Step>
struct ds_read2_row<chip::gfx90a, 64, Step> : row<chip::gfx90a> {
  static constexpr fact phases{
      amd::quarters, documents::kernel_guide.implies("Avoiding LDS Bank Conflicts, MI300", pairs_as_on_gfx942)};
};
template <unsigned Step>
struct ds_read2_row<chip::gfx90a, 32, Step> : row<chip::gfx90a> {
  static constexpr fact phases{
      amd::halves, documents::kernel_guide.implies("Avoiding LDS Bank Conflicts, MI300", pairs_as_on_gfx942)};
};
template <unsigned Bits, unsigned Step>
requires(Bits == 32 || Bits == 64) struct ds_write2_row<chip::gfx90a, Bits, Step>
    : ds_read2_row<chip::gfx90a, Bits, Step> {
};

struct pairs_of_half_the_banks : row<chip::gfx950> {
  static constexpr fact banks{32, documents::triton_padding.says("composePaddedLayoutForAsyncCopyCDNA4",
                                                                 "ds_read2_b64, and all but ds_read_b64 and b128: 32 "
                                                                 "banks")};
};
template <unsigned Step>
struct ds_read2_row<chip::gfx950, 64, Step> : pairs_of_half_the_banks {
  static constexpr fact phases{
      amd::quarters,
      documents::triton_padding.implies("composePaddedLayoutForAsyncCopyCDNA4",
                                        "the quarter waves of the first address, then of the second: so 16 rows that "
                                        "are padded by 8 bytes are free of conflicts, as it takes them to be; on MI300 "
                                        "AMD's guide says so")};
};
template <unsigned Step>
struct ds_read2_row<chip::gfx950, 32, Step> : pairs_of_half_the_banks {
  static constexpr fact phases{
      amd::halves,
      documents::triton_padding.implies("composePaddedLayoutForAsyncCopyCDNA4",
                                        "as ds_read2_b64 is two of 8 bytes, two of 4 bytes on 32 banks: half waves")};
};
template <unsigned Step>
struct ds_write2_row<chip::gfx950, 64, Step> : half_as_others_do {
  static constexpr fact phases{amd::quarters,
                               documents::kernel_guide.implies("Avoiding LDS Bank Conflicts, MI300",
                                                               "as ds_read2_b64 on MI300 is two of ds_read_b64, two of "
                                                               "ds_write_b64")};
};
template <unsigned Step>
struct ds_write2_row<chip::gfx950, 32, Step> : half_as_others_do {
  static constexpr fact phases{amd::halves,
                               documents::kernel_guide.implies("Avoiding LDS Bank Conflicts, MI300",
                                                               "as ds_read2_b64 on MI300 is two of ds_read_b64, two of "
                                                               "ds_write_b32")};
};

}  // namespace coalescing::cdna

// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/amd/lds.hpp>
#include <coalesce/cdna/rows.hpp>

// Which lanes the LDS of CDNA 3 and 4 serves together, and from how many banks: a row for each instruction of a chip.
// An instruction without a row does not exist, or no source tells its phases.

namespace coalescing::cdna {

inline constexpr char const* idle_phases = "a phase without an active lane takes a round";

template <chip Chip, unsigned Bits>
struct ds_read_row;
template <chip Chip, unsigned Bits>
struct ds_write_row;
/// Step: the elements that an offset of 1 stands for, 1 or 64.
template <chip Chip, unsigned Bits, unsigned Step>
struct ds_read2_row;
template <chip Chip, unsigned Bits, unsigned Step>
struct ds_write2_row;
template <chip Chip, unsigned Bits, unsigned ElementBits>
struct ds_read_tr_row;

template <>
struct ds_read_row<chip::gfx942, 32> : row<chip::gfx942> {
  static constexpr fact phases{
      amd::halves,
      documents::shark.shows("cdna3info", "half waves (the profiler's documentation agrees)", idle_phases)};
};
template <>
struct ds_read_row<chip::gfx942, 16> : row<chip::gfx942> {
  static constexpr fact phases{
      amd::halves,
      documents::ck_transposes.shows(
          "ds_read_u16",
          "half waves; lanes on the two halves of a dword do not conflict: 14 and 6 conflicts of a read, 0",
          idle_phases)};
};
template <>
struct ds_read_row<chip::gfx942, 8> : row<chip::gfx942> {
  static constexpr fact phases{amd::halves, documents::ck_transposes.implies("ds_read_u16", "as 16 bits")};
};
template <>
struct ds_read_row<chip::gfx942, 64> : row<chip::gfx942> {
  static constexpr fact phases{amd::quarters, documents::shark.shows("cdna3info", "quarter waves", idle_phases)};
};
template <>
struct ds_read_row<chip::gfx942, 96> : row<chip::gfx942> {
  static constexpr fact phases{
      amd::paired_quads, documents::hipkittens.implies("ds_read_b96", "as ds_read_b128: measured on gfx950 only")};
};
template <>
struct ds_read_row<chip::gfx942, 128> : row<chip::gfx942> {
  static constexpr fact phases{
      amd::paired_quads,
      documents::ck.says("ds_read_b128", "eight phases (amd-shark-ai on MI300X agrees)", idle_phases)};
};
template <>
struct ds_write_row<chip::gfx942, 32> : row<chip::gfx942> {
  static constexpr fact phases{
      amd::halves,
      documents::shark.implies("cdna3info",
                               "half waves as ds_read_b32 (masks from runs on gfx942 that IREE's loom quotes agree)")};
};
template <>
struct ds_write_row<chip::gfx942, 16> : row<chip::gfx942> {
  static constexpr fact phases{
      amd::halves,
      documents::ck_transposes.shows(
          "ds_write_b16", "half waves; lanes on the two halves of a dword do not conflict: 6 conflicts of a write",
          idle_phases)};
};
template <>
struct ds_write_row<chip::gfx942, 8> : row<chip::gfx942> {
  static constexpr fact phases{amd::halves, documents::ck_transposes.implies("ds_write_b16", "as 16 bits")};
};
template <>
struct ds_write_row<chip::gfx942, 64> : row<chip::gfx942> {
  static constexpr fact phases{
      amd::quarters,
      documents::hipkittens.implies(
          "ds_write_b64",
          "quarter waves: measured on gfx950 (masks from runs on gfx942 that IREE's loom quotes agree)")};
};
template <>
struct ds_write_row<chip::gfx942, 128> : row<chip::gfx942> {
  static constexpr fact phases{
      amd::eighths,
      documents::ck.says("ds_write_b128", "eight phases of consecutive lanes (amd-shark-ai on MI300X agrees)",
                         idle_phases)};
};

// gfx942: all phases of the first address, then all of the second. gfx950 has no row: two of its DS_READ would
// contradict the pairs of addresses that Triton takes to be free of conflicts there, and no counter is public.
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

// gfx950 has 64 banks. Some instructions use 32 at a time.
struct half_of_the_banks : row<chip::gfx950> {
  static constexpr fact banks{32, documents::hipkittens.shows("ds_read_b96, ds_write_b64", "32 banks")};
};
struct half_as_others_do : row<chip::gfx950> {
  static constexpr fact banks{
      32, documents::hipkittens.implies("ds_write_b64", "32 banks: measured for this width of writes only")};
};
template <>
struct ds_read_row<chip::gfx950, 32> : row<chip::gfx950> {
  static constexpr fact phases{
      amd::whole_wave, documents::shark.implies("cdna4info",
                                                "the whole wave, 64 banks: by latency without public figures, and "
                                                "in the kernel guide beside it (MI350); AMD's "
                                                "own model in rocRoller has 32 banks, 16 lanes a clock")};
};
template <>
struct ds_read_row<chip::gfx950, 16> : row<chip::gfx950> {
  static constexpr fact phases{amd::whole_wave, documents::shark.implies("cdna4info", "as ds_read_b32")};
};
template <>
struct ds_read_row<chip::gfx950, 8> : ds_read_row<chip::gfx950, 16> {};
template <>
struct ds_read_row<chip::gfx950, 64> : row<chip::gfx950> {
  static constexpr fact phases{
      amd::halves,
      documents::hipkittens.shows("ds_read_b64", "half waves, 64 banks (amd-shark-ai on MI350X agrees)", idle_phases)};
};
template <>
struct ds_read_row<chip::gfx950, 96> : half_of_the_banks {
  static constexpr fact phases{amd::paired_quads,
                               documents::hipkittens.shows("ds_read_b96", "eight phases, 32 banks", idle_phases)};
};
template <>
struct ds_read_row<chip::gfx950, 128> : row<chip::gfx950> {
  /// Lanes {0-3, 12-15, 20-23, 24-27} {4-7, 8-11, 16-19, 28-31}, and the same 32 lanes on.
  static constexpr fact<amd::lane_masks<4>> phases{
      {{0x0000'0000'0ff0'f00f, 0x0000'0000'f00f'0ff0, 0x0ff0'f00f'0000'0000, 0xf00f'0ff0'0000'0000}},
      documents::hipkittens.shows("ds_read_b128, phase_results.txt",
                                  "four phases, 64 banks (amd-shark-ai on MI350X agrees)", idle_phases)};
};
template <>
struct ds_read_tr_row<chip::gfx950, 64, 16> : row<chip::gfx950> {
  static constexpr source map = transpose_lanes.from;
  static constexpr fact phases{
      amd::halves, documents::primus_turbo.shows("ds_read_b64_tr_b16", "half waves, 64 banks, as ds_read_b64")};
};
/// The addresses are those of 16-bit elements; the elements there have other widths.
struct transposed_as_16_bits : row<chip::gfx950> {
  static constexpr fact phases{amd::halves,
                               documents::primus_turbo.implies("ds_read_b64_tr_b16", "as ds_read_b64_tr_b16")};
};
template <>
struct ds_read_tr_row<chip::gfx950, 64, 8> : transposed_as_16_bits {
  static constexpr source map = transpose_lanes.from;
};
template <>
struct ds_read_tr_row<chip::gfx950, 64, 4> : transposed_as_16_bits {
  static constexpr source map = documents::iree_transpose.implies(
      "", "as 16 and 8 bits (the code that Triton generates agrees, and CDNA4 ISA 11.4)");
};
/// No source tells its phases.
template <>
struct ds_read_tr_row<chip::gfx950, 96, 6> : row<chip::gfx950> {
  static constexpr source map = documents::iree_transpose.implies("", "as 16 and 8 bits (CDNA4 ISA 11.4 agrees)");
};
template <>
struct ds_write_row<chip::gfx950, 32> : half_as_others_do {
  static constexpr fact phases{amd::halves,
                               documents::hipkittens.implies("", "half waves, 32 banks, as the wider writes")};
};
template <>
struct ds_write_row<chip::gfx950, 16> : ds_write_row<chip::gfx950, 32> {};
template <>
struct ds_write_row<chip::gfx950, 8> : ds_write_row<chip::gfx950, 32> {};
template <>
struct ds_write_row<chip::gfx950, 64> : half_of_the_banks {
  static constexpr fact phases{amd::quarters,
                               documents::hipkittens.shows("ds_write_b64", "quarter waves, 32 banks", idle_phases)};
};
template <>
struct ds_write_row<chip::gfx950, 128> : half_as_others_do {
  static constexpr fact phases{amd::eighths, documents::ck.implies("ds_write_b128", "as gfx942")};
};

}  // namespace coalescing::cdna

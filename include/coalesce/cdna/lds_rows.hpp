// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/amd/lds.hpp>
#include <coalesce/cdna/rows.hpp>

// Which lanes the LDS of CDNA serves together (the phases), and from how many banks: a row for each instruction of a
// chip. If an instruction has no row, then it does not exist, or no source tells its phases. (Instructions of two
// addresses: cdna/lds_pair_rows.hpp.)

namespace coalescing::cdna {

inline constexpr char const* idle_phases = "a phase without an active lane takes a round";

template <chip Chip, unsigned Bits>
struct ds_read_row;
template <chip Chip, unsigned Bits>
struct ds_write_row;
template <chip Chip, unsigned Bits, unsigned ElementBits>
struct ds_read_tr_row;

/// The row of an instruction for a chip that has the LDS of another chip (lds_of) and no rows of its own: the phases
/// and banks are those of the other chip's instruction.
template <chip Chip, class Other>
struct served_as : row<Chip> {
  static constexpr auto phases = Other::phases;
  static constexpr auto banks = Other::banks;
};
template <chip Chip, class Other>
concept takes_from = row<Chip>::lds_of != Chip&& requires {
  Other::phases;
};
template <chip Chip, unsigned Bits>
requires takes_from<Chip, ds_read_row<row<Chip>::lds_of, Bits>>
struct ds_read_row<Chip, Bits> : served_as<Chip, ds_read_row<row<Chip>::lds_of, Bits>> {
};
template <chip Chip, unsigned Bits>
requires takes_from<Chip, ds_write_row<row<Chip>::lds_of, Bits>>
struct ds_write_row<Chip, Bits> : served_as<Chip, ds_write_row<row<Chip>::lds_of, Bits>> {
};
template <chip Chip, unsigned Bits, unsigned ElementBits>
requires takes_from<Chip, ds_read_tr_row<row<Chip>::lds_of, Bits, ElementBits>>
struct ds_read_tr_row<Chip, Bits, ElementBits> : served_as<Chip, ds_read_tr_row<row<Chip>::lds_of, Bits, ElementBits>> {
};

// gfx90a and gfx942 have the same phases (groups of lanes that LDS serves together). AMD's rocKE says that its table
// was measured on gfx90a, and takes it for gfx942 in pull request 11096, which is open. Omniprobe has one table for
// gfx906 to gfx942.
template <>
struct ds_read_row<chip::gfx90a, 32> : row<chip::gfx90a> {
  static constexpr fact phases{
      amd::halves, documents::profiler.shows("LDS, test runs on MI250",
                                             "half waves (rocKE's and Omniprobe's tables agree)", idle_phases)};
};
template <>
struct ds_read_row<chip::gfx90a, 16> : row<chip::gfx90a> {
  static constexpr fact phases{
      amd::halves, documents::omniprobe.says("conflict_set", "half waves, for 1, 2 and 4 bytes", idle_phases)};
};
template <>
struct ds_read_row<chip::gfx90a, 8> : ds_read_row<chip::gfx90a, 16> {};
template <>
struct ds_read_row<chip::gfx90a, 64> : row<chip::gfx90a> {
  static constexpr fact phases{
      amd::quarters,
      documents::rocke.says("gfx90a.py, phase_key", "quarter waves (Omniprobe's table agrees)", idle_phases)};
};
template <>
struct ds_read_row<chip::gfx90a, 128> : row<chip::gfx90a> {
  static constexpr fact phases{
      amd::paired_quads,
      documents::rocke.says("gfx90a.py, phase_key",
                            "eight phases, by bits 5, 4 xor 2, and 3 of the lane (Omniprobe's table agrees; IREE's "
                            "pull request 24471 has consecutive lanes, and no measurement)",
                            idle_phases)};
};
template <>
struct ds_read_row<chip::gfx90a, 96> : row<chip::gfx90a> {
  static constexpr fact phases{
      amd::paired_quads, documents::hipkittens.implies("ds_read_b96", "as ds_read_b128: measured on gfx950 only")};
};
template <>
struct ds_write_row<chip::gfx90a, 32> : row<chip::gfx90a> {
  static constexpr fact phases{
      amd::halves, documents::rocke.says("gfx90a.py, phase_key", "half waves (Omniprobe's table agrees)", idle_phases)};
};
template <>
struct ds_write_row<chip::gfx90a, 16> : ds_read_row<chip::gfx90a, 16> {};
template <>
struct ds_write_row<chip::gfx90a, 8> : ds_read_row<chip::gfx90a, 16> {};
template <>
struct ds_write_row<chip::gfx90a, 64> : row<chip::gfx90a> {
  static constexpr fact<amd::lane_masks<4>> phases = ds_read_row<chip::gfx90a, 64>::phases;
};
template <>
struct ds_write_row<chip::gfx90a, 128> : row<chip::gfx90a> {
  static constexpr fact phases{
      amd::eighths, documents::rocke.says("gfx90a.py, phase_key", "eight phases of consecutive lanes", idle_phases)};
};

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
      documents::shark.implies(
          "cdna3info", "quarter waves as ds_read_b64 (masks from runs on gfx942 that IREE's loom quotes agree)")};
};
template <>
struct ds_write_row<chip::gfx942, 128> : row<chip::gfx942> {
  static constexpr fact phases{
      amd::eighths,
      documents::ck.says("ds_write_b128", "eight phases of consecutive lanes (amd-shark-ai on MI300X agrees)",
                         idle_phases)};
};

// gfx950 has 64 banks. Some instructions use only 32 banks at a time.
struct half_of_the_banks : row<chip::gfx950> {
  static constexpr fact banks{32, documents::hipkittens.shows("ds_read_b96, ds_write_b64", "32 banks")};
};
struct half_as_others_do : row<chip::gfx950> {
  static constexpr fact banks{32, documents::rocke.implies("gfx950.py, collision_key",
                                                           "writes: 32 banks (a swizzle of Triton 3.9 for 16-bit "
                                                           "writes has no conflicts with 64 only)")};
};
template <>
struct ds_read_row<chip::gfx950, 32> : row<chip::gfx950> {
  static constexpr fact phases{
      amd::whole_wave, documents::shark.implies("cdna4info",
                                                "the whole wave, 64 banks: by latency without public figures, and "
                                                "in the kernel guide beside it (MI350); AMD's rocKE and rocRoller, "
                                                "and its authors of Triton, have half waves and 32 banks")};
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
  /// Four phases: the lanes {0-3, 12-15, 20-27}, the lanes {4-11, 16-19, 28-31}, and both sets moved by 32 lanes.
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
/// Transpose loads of elements of 8 and 4 bits. Each lane reads 64 bits at its address, as for elements of 16 bits. So
/// we infer that LDS serves the same lanes together.
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
/// The row has no phases, since no source tells which lanes LDS serves together in a DS_READ_B96_TR_B6.
template <>
struct ds_read_tr_row<chip::gfx950, 96, 6> : row<chip::gfx950> {
  static constexpr source map = documents::iree_transpose.implies("", "as 16 and 8 bits (CDNA4 ISA 11.4 agrees)");
};
template <>
struct ds_write_row<chip::gfx950, 32> : half_as_others_do {
  static constexpr fact phases{amd::halves,
                               documents::rocke.implies("gfx950.py", "half waves, 32 banks, as gfx90a", idle_phases)};
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
  static constexpr fact phases{
      amd::eighths, documents::rocke.implies("gfx950.py", "eight phases of consecutive lanes, as gfx90a", idle_phases)};
};

}  // namespace coalescing::cdna

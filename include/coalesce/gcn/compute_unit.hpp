// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/gcn/misuse.hpp>
#include <coalesce/gcn/rows.hpp>

#include <cstdint>

// GCN's compute unit: its throughput, and how invocations become waves, lanes and quads. POST is AMD's post on GCN's
// memory coalescing (documents::gcn_post).

namespace coalescing::gcn {

/// The throughput of one compute unit (POST, "Reviewing peak throughput limits for a GCN Compute Unit"): the facts of
/// gcn::row, and the numbers that follow from them.
struct compute_unit {
  static constexpr unsigned lanes_per_wave = row::lanes.value;
  static constexpr unsigned simds = row::simds.value;
  static constexpr unsigned tex_units = row::tex_units.value;
  static constexpr unsigned lanes_per_simd = row::simd_lanes.value;
  static constexpr unsigned valu_clocks_per_wave = lanes_per_wave / lanes_per_simd;
  static constexpr unsigned valu_lanes_per_clock = simds * lanes_per_simd;

  static constexpr unsigned lanes_per_quad = row::quad_lanes.value;
  static constexpr unsigned quads_per_wave = lanes_per_wave / lanes_per_quad;
  static constexpr unsigned quads_per_clock = row::quads_per_clock.value;
  static constexpr unsigned tex_clocks_per_wave = quads_per_wave / quads_per_clock;
  static constexpr unsigned image_addresses_per_clock = quads_per_clock * lanes_per_quad;

  static constexpr unsigned texel_reads_per_fragment = row::texel_reads_per_fragment.value;  ///< for one filtered value
  static constexpr unsigned texel_reads_per_clock = image_addresses_per_clock * texel_reads_per_fragment;
  static constexpr unsigned channels_per_texel = row::channels_per_texel.value;
  static constexpr unsigned returns_per_clock = image_addresses_per_clock * channels_per_texel;  ///< values of 32 bits

  static constexpr unsigned point_sampled_texel_bits =
      row::point_sampled_texel_bits.value;  ///< the widest texel that is served at the full rate
  static constexpr unsigned point_sampled_texels_per_clock = image_addresses_per_clock;
  static constexpr unsigned filtered_bits_per_fragment_per_clock = row::filtered_bits.value;
  static constexpr unsigned filtered_128_bit_clocks_per_quad = 128 / filtered_bits_per_fragment_per_clock;

  /// Buffer loads of one channel use the paths of the texture filter. In one clock, these paths read and return one
  /// value for each lane of a group.
  static constexpr unsigned lanes_per_coalesced_group = row::coalesced_lanes.value;
  static constexpr unsigned coalesced_clocks_per_wave = lanes_per_wave / lanes_per_coalesced_group;

  static constexpr fact_list rests_on =
      fact_list{}
          .with("lanes a wave", row::lanes)
          .with("SIMDs", row::simds)
          .with("lanes a SIMD", row::simd_lanes)
          .with("texture units", row::tex_units)
          .with("lanes a quad", row::quad_lanes)
          .with("quads a clock", row::quads_per_clock)
          .with("reads a filtered texel", row::texel_reads_per_fragment)
          .with("channels a texel", row::channels_per_texel)
          .with("bits of the widest point-sampled texel", row::point_sampled_texel_bits)
          .with("bits of a lane that are filtered in a clock", row::filtered_bits)
          .with("lanes a coalesced group", row::coalesced_lanes);
};

/// The size in bytes of the aligned pieces that L1 requests from L2 (POST, "Coalescing For L2 Access").
inline constexpr unsigned l2_request_bytes = row::request_bytes.value;
inline constexpr unsigned lds_banks = row::banks.value;
inline constexpr unsigned lds_bank_bytes = row::bank_bytes.value;

/// An invocation's position in its work-group.
struct position {
  unsigned x = 0, y = 0, z = 0;
};
/// The size of a work-group, in invocations.
struct extent {
  unsigned width = 1, height = 1;
};

/// The linear index of a compute invocation in its work-group. POST: x + (width * y) + (width * height * z).
/// Refused: x or y outside the extent, and an index of 2^64 or more.
[[nodiscard]] COALESCE_API constexpr std::uint64_t invocation_index(position const& at, extent const& group) {
  if (at.x >= group.width || at.y >= group.height) refused::position_is_outside_the_work_group();
  std::uint64_t const in_layer = at.x + std::uint64_t{group.width} * at.y;
  std::uint64_t const layer = std::uint64_t{group.width} * group.height;  // at least 1, and more than in_layer
  if (at.z > (~std::uint64_t{0} - in_layer) / layer) refused::invocation_index_is_too_large();
  return in_layer + layer * at.z;
}
/// The wave that runs an invocation, by the invocation's linear index.
[[nodiscard]] COALESCE_API constexpr std::uint64_t wave_of(std::uint64_t index) {
  return index / compute_unit::lanes_per_wave;
}
/// The lane of an invocation in its wave, by the invocation's linear index.
[[nodiscard]] COALESCE_API constexpr unsigned lane_of(std::uint64_t index) {
  return static_cast<unsigned>(index % compute_unit::lanes_per_wave);
}
/// The quad (0 to 15) of an invocation's lane, by the invocation's linear index.
[[nodiscard]] COALESCE_API constexpr unsigned quad_of(std::uint64_t index) {
  return lane_of(index) / compute_unit::lanes_per_quad;
}
/// The lanes of a quad, as a mask of four consecutive lanes. Refused: a quad above 15. In a compute kernel these lanes
/// run invocations with four consecutive linear indices, and in a pixel shader one 2x2 fragment quad. The hardware
/// serves a quad as one group in compute kernels and in pixel shaders (POST, "Coalescing For L1 Access Via Image
/// Operations").
[[nodiscard]] COALESCE_API constexpr std::uint64_t quad_lanes(unsigned quad) {
  if (quad >= compute_unit::quads_per_wave) refused::wave_has_no_such_quad_or_lane(quad);
  return ~std::uint64_t{0} >> (64 - compute_unit::lanes_per_quad) << quad * compute_unit::lanes_per_quad;
}
/// The 2x2 fragment quad (0 to 15) that a pixel shader's lane belongs to. Refused: a lane above 63.
[[nodiscard]] COALESCE_API constexpr unsigned fragment_quad_of(unsigned lane) {
  if (lane >= compute_unit::lanes_per_wave) refused::wave_has_no_such_quad_or_lane(lane);
  return lane / compute_unit::lanes_per_quad;
}

}  // namespace coalescing::gcn

// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cuda/rows/volta_and_later.hpp>

// The capabilities whose facts we take over from a similar capability, the neighbour: CC 8.8 has the facts of CC 8.9.

namespace coalescing::cuda {

/// The row of a capability that no chapter of NVIDIA's guides describes, as far as we have seen. The row has the facts
/// of ComputeCapability, the neighbour. The facts that are defined again here are marked as inferred. All other facts
/// keep the evidence that they have in the neighbour's row.
template <unsigned ComputeCapability>
struct as_its_neighbour : row<ComputeCapability> {
  using neighbour = row<ComputeCapability>;
  static constexpr char const* assumption =
      "that it is as its neighbour, what was taken over there included: we have seen no chapter on this capability";
  static constexpr fact<unsigned> sector_bytes = taken_over(neighbour::sector_bytes, assumption),
                                  tags_per_cycle = taken_over(neighbour::tags_per_cycle, assumption),
                                  constant_lanes = taken_over(neighbour::constant_lanes, assumption),
                                  banks = taken_over(neighbour::banks, assumption),
                                  bank_bytes = taken_over(neighbour::bank_bytes, assumption);
  static constexpr by_width<fact<unsigned>> shared_lanes{
      .of_1 = taken_over(neighbour::shared_lanes.of_1, assumption),
      .of_2 = taken_over(neighbour::shared_lanes.of_2, assumption),
      .of_4 = taken_over(neighbour::shared_lanes.of_4, assumption),
      .of_8 = taken_over(neighbour::shared_lanes.of_8, assumption),
      .of_16 = taken_over(neighbour::shared_lanes.of_16, assumption)};
  static constexpr by_width<fact<unsigned>> merged_parts{
      .of_8 = taken_over(neighbour::merged_parts.of_8, assumption),
      .of_16 = taken_over(neighbour::merged_parts.of_16, assumption)};
};
template <>
struct row<88> : as_its_neighbour<89> {
  static constexpr fact<unsigned> matrix_phase_lanes = taken_over(neighbour::matrix_phase_lanes, assumption);
};
template <>
struct row<103> : as_its_neighbour<100> {};
template <>
struct row<107> : as_its_neighbour<100> {
  static constexpr fact shared_bytes{328 * 1024, shared_size_by_occupancy};
  static constexpr source narrow_tensor_copies = documents::ptxas_13_5.says(
      "tensormap.replace on sm_107a", "takes swizzles of atoms of 32 and 64 bytes, elements of 4 and 6 bits");
};
template <>
struct row<110> : as_its_neighbour<100> {};
template <>
struct row<121> : as_its_neighbour<120> {};

}  // namespace coalescing::cuda

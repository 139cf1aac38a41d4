// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/amd/occupancy.hpp>
#include <coalesce/core/config.hpp>
#include <coalesce/rdna/environment.hpp>
#include <coalesce/rdna/rows.hpp>

// The LDS and registers of a workgroup processor or compute unit, and how many waves fit. The figures are in
// rdna/rows.hpp.

namespace coalescing::rdna {

using amd::lds_counting;

/// How many work-groups of several waves fit where AMD's guide and LLVM 22 differ: gfx1250, 32 and 16.
enum class group_counting { by_guide, by_llvm };
COALESCE_API constexpr bool is_enumerator(group_counting value) {
  return value == group_counting::by_guide || value == group_counting::by_llvm;
}

/// What a kernel uses. (SGPRs never limit: each wave has the same number.)
struct kernel_resources {
  unsigned vgprs = 0;            ///< a lane, at most 256, on gfx1250 1024
  unsigned lds_bytes = 0;        ///< a work-group
  unsigned work_group_size = 0;  ///< lanes, at most 1024; 0: not known, refused where there are lds_bytes
};

/// How many waves a SIMD can hold.
struct waves_per_simd {
  unsigned by_vgprs;
  unsigned by_lds;  ///< and by the size of a work-group
  unsigned waves;   ///< the least of them

  bool operator==(waves_per_simd const&) const = default;
};

/// What shares its LDS among its work-groups: in WGP mode and on gfx1250 a workgroup processor, in CU mode one of its
/// compute units.
struct processor {
  unsigned simds, lds_bytes;
  unsigned groups;  ///< at most, of several waves each
};
template <class Row>
COALESCE_API constexpr processor processor_in(bool on_both_compute_units,
                                              group_counting counting = group_counting::by_guide) {
  if constexpr (requires { Row::simds_of_cu; })
    if (!on_both_compute_units) return {Row::simds_of_cu.value, Row::lds_of_cu.value, Row::groups_of_cu.value};
  if constexpr (requires { Row::groups_of_wgp_by_llvm; })
    if (counting == group_counting::by_llvm)
      return {Row::simds_of_wgp.value, Row::lds_of_wgp.value, Row::groups_of_wgp_by_llvm.value};
  return {Row::simds_of_wgp.value, Row::lds_of_wgp.value, Row::groups_of_wgp.value};
}

/// The row's facts of LDS, registers and waves, and what follows from them for waves of so many lanes.
template <class Row, unsigned Lanes, class Environment>
struct compute_unit {
  static constexpr unsigned lanes_per_wave = Lanes;
  static constexpr unsigned most_waves_per_simd = Row::waves_per_simd.value;
  static constexpr unsigned work_group_limit = Row::work_group_lanes.value;  ///< lanes

  static constexpr unsigned lds_granule = Row::lds_granule.value;
  static constexpr unsigned lds_bytes = Row::lds_bytes.value;  ///< at most of a work-group

  static constexpr unsigned vgprs_of_a_wave = Row::vgprs_of_a_wave.value;
  /// Of a SIMD, for each lane of a wave: a wave64 has two lanes for each one of a wave32.
  static constexpr unsigned vgprs = Row::vgprs.value * Row::lanes.value / Lanes;
  static constexpr unsigned vgpr_granule = Row::vgpr_granule.value * Row::lanes.value / Lanes;

  /// Bytes of LDS that a work-group of so many bytes takes.
  [[nodiscard]] COALESCE_API static constexpr unsigned lds_allocated(unsigned bytes) {
    if (bytes > lds_bytes) refused::kernel_uses_more_than_there_is();
    return round_up(bytes, lds_granule);
  }

  /// How many waves of such a kernel a SIMD can hold: LLVM 22's rule, but for LDS, which the hardware rounds up, and on
  /// gfx1250 for the number of work-groups. Both can be counted as LLVM 22 does. What registers allow is not rounded to
  /// whole work-groups. {} is WGP mode; on gfx1250 what LLVM 22 calls CU mode, the only one there. Dynamic VGPRs are
  /// not modelled.
  [[nodiscard]] COALESCE_API static constexpr waves_per_simd occupancy(
      kernel_resources const& kernel, Environment const& mode, lds_counting counting = lds_counting::by_granule,
      group_counting groups = group_counting::by_guide) {
    bool const wgp = rules::on_both_compute_units(mode);
    if (kernel.vgprs > vgprs_of_a_wave || kernel.work_group_size > work_group_limit)
      refused::kernel_uses_more_than_there_is();
    coalescing::detail::check_enumerator(counting);
    coalescing::detail::check_enumerator(groups);
    unsigned const allocated = lds_allocated(kernel.lds_bytes);
    if (kernel.lds_bytes != 0 && kernel.work_group_size == 0) refused::kernel_with_lds_needs_a_work_group_size();
    unsigned const by_vgprs =
                       least(most_waves_per_simd, vgprs / round_up(kernel.vgprs == 0 ? 1 : kernel.vgprs, vgpr_granule)),
                   by_lds = kernel.work_group_size == 0
                                ? most_waves_per_simd
                                : fit_groups(kernel.work_group_size,
                                             counting == lds_counting::by_granule ? allocated : kernel.lds_bytes,
                                             rdna::processor_in<Row>(wgp, groups));
    return {.by_vgprs = by_vgprs, .by_lds = by_lds, .waves = least(by_vgprs, by_lds)};
  }

 private:
  COALESCE_API static constexpr unsigned least(unsigned a, unsigned b) { return a < b ? a : b; }
  COALESCE_API static constexpr unsigned round_up(unsigned number, unsigned granule) {
    return (number + granule - 1) / granule * granule;
  }
  /// Work-groups that fit, by waves, barriers and LDS; their waves are dealt to the SIMDs.
  COALESCE_API static constexpr unsigned fit_groups(unsigned lanes, unsigned bytes, processor const& among) {
    unsigned const waves = round_up(lanes, Lanes) / Lanes;
    unsigned groups = most_waves_per_simd * among.simds / waves;
    if (waves > 1) groups = least(groups, among.groups);
    if (bytes != 0) groups = least(groups, among.lds_bytes / bytes);
    return round_up(groups * waves, among.simds) / among.simds;
  }
};

}  // namespace coalescing::rdna

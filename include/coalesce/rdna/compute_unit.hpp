// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/amd/occupancy.hpp>
#include <coalesce/rdna/environment.hpp>

// The LDS and registers of a workgroup processor or compute unit, and how many waves fit (occupancy). The numbers are
// in rdna/rows.hpp.

namespace coalescing::rdna {

using amd::lds_counting;

/// Which source says how many work-groups a workgroup processor holds at most, if each work-group has several waves.
/// AMD's guide and LLVM 22 differ on gfx1250 only: the guide says 32, LLVM 22 says 16.
enum class group_counting { by_guide, by_llvm };
COALESCE_API constexpr bool is_enumerator(group_counting value) {
  return value == group_counting::by_guide || value == group_counting::by_llvm;
}

/// The resources that a kernel uses. SGPRs are left out: every wave gets the same number of them, so they never limit
/// how many waves fit.
struct kernel_resources {
  unsigned vgprs = 0;            ///< VGPRs of each lane: at most 256, on gfx1250 at most 1024
  unsigned lds_bytes = 0;        ///< bytes of each work-group
  unsigned work_group_size = 0;  ///< in lanes, at most 1024; 0: unknown, which is refused if lds_bytes is not 0
};

/// How many waves a SIMD can hold.
struct waves_per_simd {
  unsigned by_vgprs;  ///< the limit due to the VGPRs
  unsigned by_lds;    ///< the limit due to LDS and to the size of a work-group
  unsigned waves;     ///< the smaller of the two limits

  bool operator==(waves_per_simd const&) const = default;
};

/// The unit whose work-groups share one LDS. In WGP mode, and on gfx1250, it is a workgroup processor. In CU mode it is
/// one of the two compute units of a workgroup processor.
using amd::processor;
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

/// The LDS, registers and waves of a chip, for waves of Lanes lanes.
template <class Row, unsigned Lanes, class Environment>
struct compute_unit : amd::rules::occupancy<Row, Lanes> {
  using shared = amd::rules::occupancy<Row, Lanes>;
  using shared::most_waves_per_simd;
  using shared::work_group_limit;

  static constexpr unsigned vgprs_of_a_wave = Row::vgprs_of_a_wave.value;  ///< the most VGPRs that a lane can have
  /// The VGPRs that a SIMD has for each lane of a wave. All waves on the SIMD share them. Waves of 64 lanes have half
  /// as many for each lane as waves of 32 lanes.
  static constexpr unsigned vgprs = Row::vgprs.value * Row::lanes.value / Lanes;
  /// The number of VGPRs of a lane is rounded up to a multiple of this.
  static constexpr unsigned vgpr_granule = Row::vgpr_granule.value * Row::lanes.value / Lanes;

  static constexpr fact_list facts() {
    auto const all = fact_list{}
                         .with("waves a SIMD", Row::waves_per_simd)
                         .with("lanes a wave", Row::lanes)
                         .with("waves of 64 lanes", Row::wave64.from)
                         .with("lanes a work-group", Row::work_group_lanes)
                         .with("bytes of LDS that a work-group can have", Row::lds_bytes)
                         .with("bytes of LDS that are given at a time", Row::lds_granule)
                         .with("VGPRs", Row::vgprs)
                         .with("VGPRs that a wave can have", Row::vgprs_of_a_wave)
                         .with("VGPRs that are given at a time", Row::vgpr_granule)
                         .with("SIMDs of a workgroup processor", Row::simds_of_wgp)
                         .with("bytes of LDS of a workgroup processor", Row::lds_of_wgp)
                         .with("work-groups of a workgroup processor", Row::groups_of_wgp);
    if constexpr (requires { Row::groups_of_wgp_by_llvm; })
      return all.with("work-groups by LLVM", Row::groups_of_wgp_by_llvm)
          .with("SGPRs of a wave", Row::sgprs_of_a_wave)
          .with("banks", Row::banks)
          .with("bytes a bank", Row::bank_bytes);
    else
      return all.with("SIMDs of a compute unit", Row::simds_of_cu)
          .with("bytes of LDS of a compute unit", Row::lds_of_cu)
          .with("work-groups of a compute unit", Row::groups_of_cu);
  }
  static constexpr fact_list rests_on = facts();

  /// How many waves of a kernel a SIMD can hold. The rule is LLVM 22's, with two differences. First, the LDS of a
  /// work-group is rounded up to granules, as the hardware does. Second, AMD's guide says how many work-groups a
  /// workgroup processor of gfx1250 holds. `counting` can choose LLVM 22's rule for the first, and `groups` for the
  /// second. by_vgprs is not rounded down to whole work-groups. The mode {} is WGP mode, except on gfx1250: there {} is
  /// the only mode, which LLVM 22 calls CU mode. Dynamic VGPRs are not modelled. Refused: more registers, LDS or lanes
  /// than there are; LDS without work_group_size; WGP mode on gfx1250.
  [[nodiscard]] COALESCE_API static constexpr waves_per_simd occupancy(
      kernel_resources const& kernel, Environment const& mode, lds_counting counting = lds_counting::by_granule,
      group_counting groups = group_counting::by_guide) {
    bool const wgp = rules::on_both_compute_units(mode);
    if (kernel.vgprs > vgprs_of_a_wave || kernel.work_group_size > work_group_limit)
      refused::kernel_uses_more_than_there_is();
    coalescing::detail::check_enumerator(groups);
    unsigned const by_lds = shared::by_groups(kernel, counting, rdna::processor_in<Row>(wgp, groups)),
                   by_vgprs = amd::rules::least(
                       most_waves_per_simd,
                       vgprs / amd::rules::round_up(kernel.vgprs == 0 ? 1 : kernel.vgprs, vgpr_granule));
    return {.by_vgprs = by_vgprs, .by_lds = by_lds, .waves = amd::rules::least(by_vgprs, by_lds)};
  }
};

}  // namespace coalescing::rdna

// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/amd/occupancy.hpp>
#include <coalesce/cdna/misuse.hpp>
#include <coalesce/cdna/rows.hpp>

// A compute unit's LDS and registers, and how many waves fit. The numbers are in cdna/rows.hpp.

namespace coalescing::cdna {

inline constexpr unsigned lanes_per_wave = every_chip::lanes.value;

/// The registers, LDS and lanes that a kernel uses.
struct kernel_resources {
  unsigned arch_vgprs = 0;       ///< VGPRs of a lane, at most 256
  unsigned acc_vgprs = 0;        ///< AGPRs of a lane, at most 256; they come from the same register file
  unsigned sgprs = 0;            ///< SGPRs of a wave, at most 108: the 6 of VCC, flat_scratch and xnack count, too
  unsigned lds_bytes = 0;        ///< bytes of LDS that a work-group uses
  unsigned work_group_size = 0;  ///< lanes, at most 1024; 0: any size (only for a kernel without LDS)
};

using amd::lds_counting;

/// How many waves a SIMD can hold.
struct waves_per_simd {
  unsigned by_vgprs, by_sgprs;
  unsigned by_lds;  ///< how many fit in whole work-groups, by their LDS and their waves
  unsigned waves;   ///< the smallest of the three limits

  bool operator==(waves_per_simd const&) const = default;
};

/// The limits of a chip's compute unit (LDS, registers and waves), and how many waves and work-groups fit within them.
/// Row, of cdna/rows.hpp, states the limits.
template <class Row>
struct compute_unit : amd::rules::occupancy<Row, Row::lanes.value> {
  using shared = amd::rules::occupancy<Row, Row::lanes.value>;
  using shared::lds_bytes;  ///< bytes of LDS of a compute unit; one work-group can have them all
  using shared::lds_granule;
  using shared::most_waves_per_simd;
  using shared::work_group_limit;
  static constexpr unsigned simds = Row::simds.value;

  static constexpr unsigned lds_banks = Row::banks.value;  ///< of the widest reads; other accesses may use fewer banks
  static constexpr unsigned lds_bank_bytes = Row::bank_bytes.value;
  /// The peak rates of LDS, for all waves together. In one clock, read_banks banks deliver a dword each, or write_banks
  /// banks take a dword each.
  static constexpr unsigned lds_read_bytes_per_clock = Row::read_banks.value * lds_bank_bytes;
  static constexpr unsigned lds_write_bytes_per_clock = Row::write_banks.value * lds_bank_bytes;

  static constexpr unsigned vgprs = Row::vgprs.value;  ///< VGPRs and AccVGPRs together that a SIMD has for each lane
  static constexpr unsigned vgpr_granule = Row::vgpr_granule.value;
  static constexpr unsigned sgprs = Row::sgprs.value;  ///< SGPRs of a SIMD, for all its waves
  static constexpr unsigned sgpr_granule = Row::sgpr_granule.value;

  static constexpr fact_list rests_on = fact_list{}
                                            .with("SIMDs", Row::simds)
                                            .with("waves a SIMD", Row::waves_per_simd)
                                            .with("lanes a wave", Row::lanes)
                                            .with("lanes a work-group", Row::work_group_lanes)
                                            .with("banks", Row::banks)
                                            .with("bytes a bank", Row::bank_bytes)
                                            .with("bytes of LDS", Row::lds_bytes)
                                            .with("bytes of LDS that are given at a time", Row::lds_granule)
                                            .with("banks that are read in a clock", Row::read_banks)
                                            .with("banks that are written in a clock", Row::write_banks)
                                            .with("VGPRs", Row::vgprs)
                                            .with("VGPRs of a kind that a wave can have", Row::vgprs_of_a_kind)
                                            .with("VGPRs that are given at a time", Row::vgpr_granule)
                                            .with("VGPRs that the first AGPR is a multiple of", Row::acc_vgpr_start)
                                            .with("SGPRs", Row::sgprs)
                                            .with("SGPRs that are given at a time", Row::sgpr_granule)
                                            .with("SGPRs that a wave can have", Row::sgprs_of_a_wave);

  /// The most LDS, in bytes, that each work-group can have if a compute unit is to hold `count` work-groups. Refused: a
  /// count that is not 1 to 32, since a compute unit holds 32 waves.
  [[nodiscard]] COALESCE_API static constexpr unsigned lds_for_work_groups(unsigned count) {
    if (count == 0 || count > simds * most_waves_per_simd) refused::compute_unit_holds_1_to_32_work_groups(count);
    return lds_bytes / lds_granule / count * lds_granule;
  }

  /// How many waves of a kernel a SIMD can hold. Refused: more registers, LDS or lanes than there are; LDS without
  /// work_group_size. The limit by registers is not rounded to whole work-groups: 3 waves of 129 VGPRs fit on a SIMD,
  /// although a work-group of 16 such waves does not fit on the compute unit.
  [[nodiscard]] COALESCE_API static constexpr waves_per_simd occupancy(
      kernel_resources const& kernel, lds_counting counting = lds_counting::by_granule) {
    using amd::rules::least, amd::rules::round_up;
    constexpr unsigned most = Row::vgprs_of_a_kind.value;
    if (kernel.arch_vgprs > most || kernel.acc_vgprs > most || kernel.sgprs > Row::sgprs_of_a_wave.value ||
        kernel.work_group_size > work_group_limit)
      refused::kernel_uses_more_than_there_is();
    // LLVM also counts barriers, of which there are 16. The barriers never limit: a compute unit holds 32 waves, so at
    // most 16 work-groups of two or more waves.
    constexpr amd::processor unit{.simds = simds, .lds_bytes = lds_bytes, .groups = simds * most_waves_per_simd};
    unsigned const by_lds = shared::by_groups(kernel, counting, unit);
    unsigned const all_vgprs = kernel.acc_vgprs == 0
                                   ? kernel.arch_vgprs
                                   : round_up(kernel.arch_vgprs, Row::acc_vgpr_start.value) + kernel.acc_vgprs;
    unsigned const by_vgprs = fit(vgprs, round_up(all_vgprs, vgpr_granule)),
                   by_sgprs = fit(sgprs, round_up(kernel.sgprs, sgpr_granule));
    return {.by_vgprs = by_vgprs,
            .by_sgprs = by_sgprs,
            .by_lds = by_lds,
            .waves = least(by_vgprs, least(by_sgprs, by_lds))};
  }

 private:
  COALESCE_API static constexpr unsigned fit(unsigned all, unsigned each) {
    return each == 0 ? most_waves_per_simd : amd::rules::least(most_waves_per_simd, all / each);
  }
};

}  // namespace coalescing::cdna

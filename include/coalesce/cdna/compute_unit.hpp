// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cost.hpp>
#include <coalesce/detail/config.hpp>
#include <coalesce/detail/lds.hpp>
#include <coalesce/misuse.hpp>

// A compute unit's LDS and registers, and how many waves fit. The sources are named in cdna.hpp.

namespace coalescing::cdna {

inline constexpr unsigned lanes_per_wave = 64;

/// What a kernel uses.
struct kernel_resources {
  unsigned arch_vgprs = 0;       ///< a lane, at most 256
  unsigned acc_vgprs = 0;        ///< a lane, at most 256: AGPRs, from the same file
  unsigned sgprs = 0;            ///< a wave, with the 6 of VCC, flat_scratch and xnack: at most 108
  unsigned lds_bytes = 0;        ///< a work-group
  unsigned work_group_size = 0;  ///< lanes, at most 1024; asked for only where there are lds_bytes
};

/// How LDS is counted.
enum class lds_counting {
  by_granule,  ///< as the hardware allocates it
  raw_bytes    ///< as LLVM 22 does for the occupancy that it prints
};

/// How many waves a SIMD can hold.
struct waves_per_simd {
  unsigned by_vgprs, by_sgprs, by_lds;
  unsigned waves;  ///< the least of them

  bool operator==(waves_per_simd const&) const = default;
};

/// What gfx942 and gfx950 share (ISA4 3.6; LLVMDOC, COMPUTE_PGM_RSRC tables; LLVM). Banks is how many of them the
/// widest reads use at a time; LDS is allocated in granules, of which there are 128.
template <unsigned Banks, unsigned GranuleBytes>
struct compute_unit {
  static constexpr unsigned simds = 4;
  static constexpr unsigned most_waves_per_simd = 8;
  static constexpr unsigned lanes_per_wave = cdna::lanes_per_wave;
  static constexpr unsigned work_group_limit = 1024;  ///< lanes (ISA4 4.3)

  static constexpr unsigned lds_banks = Banks;
  static constexpr unsigned lds_bank_bytes = coalescing::detail::lds_bank_bytes;
  static constexpr unsigned lds_granule = GranuleBytes;
  static constexpr unsigned lds_bytes = 128 * GranuleBytes;  ///< of a compute unit, and at most of a work-group
  /// At peak, for all waves together: a dword from each bank. 128 on gfx942 (the post; PROF, who has 64 for a wave
  /// alone). On gfx950 CD4 has "doubled read bandwidth" and says nothing of writes: inferred.
  static constexpr unsigned lds_read_bytes_per_clock = lds_banks * lds_bank_bytes;
  static constexpr unsigned lds_write_bytes_per_clock = 32 * lds_bank_bytes;

  static constexpr unsigned vgprs = 512;  ///< a lane of a SIMD, of both kinds
  static constexpr unsigned vgpr_granule = 8;
  static constexpr unsigned sgprs = 800;  ///< a SIMD
  static constexpr unsigned sgpr_granule = 16;

  /// Bytes of LDS that a work-group of so many bytes takes.
  [[nodiscard]] COALESCE_API static constexpr unsigned lds_allocated(unsigned bytes) {
    if (bytes > lds_bytes) refused::kernel_uses_more_than_there_is();
    return round_up(bytes, lds_granule);
  }
  /// The most LDS, in bytes, that each of so many work-groups can have on one compute unit, which has room for 32
  /// waves.
  [[nodiscard]] COALESCE_API static constexpr unsigned lds_for_work_groups(unsigned count) {
    if (count == 0 || count > simds * most_waves_per_simd) refused::compute_unit_holds_1_to_32_work_groups(count);
    return lds_bytes / lds_granule / count * lds_granule;
  }

  /// How many waves of such a kernel a SIMD can hold. What registers allow is not rounded to whole work-groups: of 16
  /// waves of 129 VGPRs, 3 fit on a SIMD, and so none of the work-group does.
  [[nodiscard]] COALESCE_API static constexpr waves_per_simd occupancy(
      kernel_resources const& kernel, lds_counting counting = lds_counting::by_granule) {
    if (kernel.arch_vgprs > 256 || kernel.acc_vgprs > 256 || kernel.sgprs > 108 ||
        kernel.work_group_size > work_group_limit)
      refused::kernel_uses_more_than_there_is();
    if (counting != lds_counting::by_granule && counting != lds_counting::raw_bytes) refused::no_such_enumerator();
    if (kernel.lds_bytes != 0 && kernel.work_group_size == 0) refused::kernel_with_lds_needs_a_work_group_size();
    unsigned const all_vgprs =
        kernel.acc_vgprs == 0 ? kernel.arch_vgprs : round_up(kernel.arch_vgprs, 4) + kernel.acc_vgprs;
    unsigned const by_vgprs = fit(vgprs, round_up(all_vgprs, vgpr_granule)),
                   by_sgprs = fit(sgprs, round_up(kernel.sgprs, sgpr_granule)), by_lds = fit_lds(kernel, counting);
    return {by_vgprs, by_sgprs, by_lds, least(by_vgprs, least(by_sgprs, by_lds))};
  }

 private:
  COALESCE_API static constexpr unsigned least(unsigned a, unsigned b) { return a < b ? a : b; }
  COALESCE_API static constexpr unsigned round_up(unsigned number, unsigned granule) {
    return (number + granule - 1) / granule * granule;
  }
  COALESCE_API static constexpr unsigned fit(unsigned all, unsigned each) {
    return each == 0 ? most_waves_per_simd : least(most_waves_per_simd, all / each);
  }
  /// Work-groups that fit, by their LDS and by waves; their waves are dealt to the SIMDs. (The 16 barriers, which LLVM
  /// counts, are never fewer than the work-groups of two waves and more that fit.)
  COALESCE_API static constexpr unsigned fit_lds(kernel_resources const& kernel, lds_counting counting) {
    unsigned const allocated = lds_allocated(kernel.lds_bytes);
    if (kernel.lds_bytes == 0) return most_waves_per_simd;
    unsigned const waves = round_up(kernel.work_group_size, lanes_per_wave) / lanes_per_wave;
    unsigned const groups = least(lds_bytes / (counting == lds_counting::by_granule ? allocated : kernel.lds_bytes),
                                  simds * most_waves_per_simd / waves);
    return round_up(groups * waves, simds) / simds;
  }
};

}  // namespace coalescing::cdna

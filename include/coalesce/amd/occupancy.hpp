// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/misuse.hpp>

// How many waves a SIMD can hold: the part of the rule that CDNA and RDNA share.

namespace coalescing::refused {

[[noreturn]] COALESCE_API inline void kernel_uses_more_than_there_is() {
  detail::refuse("the kernel asks for more registers, LDS or lanes than a wave or a work-group may have");
}
[[noreturn]] COALESCE_API inline void kernel_with_lds_needs_a_work_group_size() {
  detail::refuse("how many work-groups with LDS fit depends on kernel_resources::work_group_size, which is 0");
}

}  // namespace coalescing::refused

namespace coalescing::amd {

/// How the bytes of LDS of a work-group are counted.
enum class lds_counting {
  by_granule,  ///< rounded up to whole granules, as the hardware allocates them
  raw_bytes    ///< not rounded, as LLVM 22 counts them for the occupancy that it prints
};
COALESCE_API constexpr bool is_enumerator(lds_counting value) {
  return value == lds_counting::by_granule || value == lds_counting::raw_bytes;
}

/// The unit whose work-groups share one LDS: a compute unit, or a workgroup processor.
struct processor {
  unsigned simds, lds_bytes;
  unsigned groups;  ///< the most work-groups of two or more waves that it holds: each needs a barrier
};

namespace rules {

COALESCE_API constexpr unsigned least(unsigned a, unsigned b) { return a < b ? a : b; }
COALESCE_API constexpr unsigned round_up(unsigned number, unsigned granule) {
  return (number + granule - 1) / granule * granule;
}

/// The waves of a SIMD when equal work-groups fill a processor. The number of work-groups is limited by the processor's
/// waves, by its barriers (processor::groups) and by its LDS. Their waves are spread over the SIMDs.
COALESCE_API constexpr unsigned waves_of_groups(unsigned waves, unsigned lds_bytes, unsigned most_waves_per_simd,
                                                processor const& among) {
  unsigned groups = most_waves_per_simd * among.simds / waves;
  if (waves > 1) groups = rules::least(groups, among.groups);
  if (lds_bytes != 0) groups = rules::least(groups, among.lds_bytes / lds_bytes);
  return rules::round_up(groups * waves, among.simds) / among.simds;
}

/// The limits of LDS and waves that a chip's Row states, and how many waves of Lanes lanes fit on a SIMD within them.
template <class Row, unsigned Lanes>
struct occupancy {
  static constexpr unsigned lanes_per_wave = Lanes;
  static constexpr unsigned most_waves_per_simd = Row::waves_per_simd.value;
  static constexpr unsigned work_group_limit = Row::work_group_lanes.value;  ///< the most lanes of a work-group

  static constexpr unsigned lds_granule = Row::lds_granule.value;
  static constexpr unsigned lds_bytes = Row::lds_bytes.value;  ///< the most bytes of LDS that a work-group can have

  /// The bytes of LDS that the hardware allocates for a work-group that asks for `bytes`.
  [[nodiscard]] COALESCE_API static constexpr unsigned lds_allocated(unsigned bytes) {
    if (bytes > lds_bytes) refused::kernel_uses_more_than_there_is();
    return rules::round_up(bytes, lds_granule);
  }

 protected:
  /// How many waves a SIMD can hold, as far as LDS and whole work-groups limit them. Only a kernel without LDS may have
  /// a work_group_size of 0, which leaves the size open. The answer is then most_waves_per_simd.
  template <class Kernel>
  COALESCE_API static constexpr unsigned by_groups(Kernel const& kernel, lds_counting counting,
                                                   processor const& among) {
    coalescing::detail::check_enumerator(counting);
    unsigned const allocated = lds_allocated(kernel.lds_bytes);
    if (kernel.lds_bytes != 0 && kernel.work_group_size == 0) refused::kernel_with_lds_needs_a_work_group_size();
    if (kernel.work_group_size == 0) return most_waves_per_simd;
    return rules::waves_of_groups(rules::round_up(kernel.work_group_size, Lanes) / Lanes,
                                  counting == lds_counting::by_granule ? allocated : kernel.lds_bytes,
                                  most_waves_per_simd, among);
  }
};

}  // namespace rules
}  // namespace coalescing::amd

// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/amd/memory.hpp>
#include <coalesce/cdna/costs.hpp>
#include <coalesce/cdna/rows.hpp>

// The rules that turn a wave's global accesses into requests between L1 and L2. The numbers of the chips are in
// cdna/rows.hpp, the instructions in cdna.hpp.

namespace coalescing::cdna::rules {

/// The facts of an access to global memory in which each lane accesses `bytes` bytes. L1 requests pieces of `unit`
/// bytes from L2. Atomics are naturally aligned (LLVM).
template <class Row>
COALESCE_API constexpr amd::memory_facts global_facts(unsigned bytes, unsigned unit, bool atomic) {
  return {.level = coalescing::level::l2,
          .unit = unit,
          .alignment = atomic ? bytes : amd::alignment_up_to(Row::aligned_bytes.value, bytes)};
}
/// The facts on which every cost of global memory rests.
template <class Row>
inline constexpr fact_list facts_of_memory = fact_list{}
                                                 .with("lanes a quad", Row::quad_lanes)
                                                 .with("lanes a wave", Row::lanes)
                                                 .with("bytes that addresses are a multiple of", Row::aligned_bytes);

template <class Row, unsigned Bits>
struct load
    : amd::memory<Row::lanes.value, Bits / 8, rules::global_facts<Row>(Bits / 8, Row::line_bytes.value, false)> {
  using cost_type = load_cost<>;
  static constexpr load_cost<citations> sources = [] {
    auto cited = load::template cite<load_cost<citations>>(Row::loads);
    cited.quads = Row::quad_lanes.from;
    return cited;
  }();
  static constexpr fact_list rests_on = facts_of_memory<Row>.with("bytes a line", Row::line_bytes);
  COALESCE_API static constexpr load_cost<> cost_of(access<Row::lanes.value> const& asked) {
    auto cost = load::template count<load_cost<>>(asked);
    cost.quads = coalescing::detail::active_groups(asked.active, Row::quad_lanes.value);
    return cost;
  }
};

/// A store to global memory, or an atomic there.
template <class Row, unsigned Bits, bool Atomic>
struct write
    : amd::memory<Row::lanes.value, Bits / 8, rules::global_facts<Row>(Bits / 8, Row::write_bytes.value, Atomic)> {
  using cost_type = write_cost<>;
  static constexpr char const* piece = "request";  ///< co::explain's word for what L1 asks of L2
  static constexpr write_cost<citations> sources = [] {
    auto cited = write::template cite<write_cost<citations>>(Row::writes);
    cited.quads = Row::quad_lanes.from;
    cited.operations = Atomic ? coalescing::detail::counted_from_the_addresses : Row::one_writer;
    return cited;
  }();
  static constexpr fact_list rests_on = facts_of_memory<Row>.with("bytes a request", Row::write_bytes);
  COALESCE_API static constexpr write_cost<> cost_of(access<Row::lanes.value> const& asked) {
    auto cost = write::template count<write_cost<>>(asked);
    cost.quads = coalescing::detail::active_groups(asked.active, Row::quad_lanes.value);
    cost.operations = write::template operations<Atomic>(asked);
    return cost;
  }
};

/// Loads and stores through a buffer descriptor cost what global loads and stores at the same addresses cost. The
/// access has the final addresses in memory: the descriptor's base, the offsets and the index are already added up.
/// Lanes outside the descriptor's range must be inactive. Buffers whose descriptor swizzles addresses are not covered.
template <class Row, unsigned Bits>
struct buffer_load : load<Row, Bits> {
  static constexpr fact_list rests_on = load<Row, Bits>::rests_on.with("buffer accesses", Row::buffer_accesses);
};
template <class Row, unsigned Bits>
struct buffer_store : write<Row, Bits, false> {
  static constexpr fact_list rests_on = write<Row, Bits, false>::rests_on.with("buffer accesses", Row::buffer_accesses);
};

/// The facts of a scalar load. Its cost is a number of lines of the scalar cache. (A function, since CUDA 12.4 does not
/// compile a variable of this type that is a template.)
template <class Row>
COALESCE_API constexpr amd::memory_facts scalar_facts() {
  return {.level = coalescing::level::constant_cache,
          .unit = Row::scalar_line_bytes.value,
          .alignment = Row::scalar_alignment.value};
}
template <class Row, unsigned Dwords>
struct scalar_load : amd::scalar_load<Row::lanes.value, Dwords, rules::scalar_facts<Row>()> {
  static constexpr scalar_cost<citations> sources =
      scalar_load::template cite<scalar_cost<citations>>(Row::scalar_line_bytes.from);
  static constexpr fact_list rests_on = fact_list{}
                                            .with("bytes a line", Row::scalar_line_bytes)
                                            .with("bytes that addresses are a multiple of", Row::scalar_alignment)
                                            .with("lanes a wave", Row::lanes);
};

}  // namespace coalescing::cdna::rules

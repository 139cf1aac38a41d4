// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/amd/memory.hpp>
#include <coalesce/gcn/costs.hpp>
#include <coalesce/gcn/rows.hpp>

#include <cstdint>

// How a wave's accesses to buffers and images become clocks of L1 and requests to L2. The numbers are in gcn/rows.hpp,
// the instructions in gcn.hpp.

namespace coalescing::gcn::rules {

/// The clocks of an access that is served by quads: one for each aligned quad of lanes that has an active lane.
COALESCE_API constexpr std::uint64_t quad_clocks(std::uint64_t active) {
  return coalescing::detail::active_groups(active, row::quad_lanes.value);
}

/// Whether the active lanes of a quad read within a run of 4 elements. (This covers the three cases that AMD's post,
/// documents::gcn_post, lists.) An element is as wide as the access. The run starts at any address. Lanes read its
/// elements in any order, and several lanes may read one element. If the first active lane reads element e, every
/// possible run lies within e - 3 to e + 3. Here these 7 elements are numbered from 0:
///
///     element   0 1 2 3 4 5 6     element 3 is the first active lane's, element 0 is `origin`
///     a run       # # # #         `seen`: bit k is set where a lane reads element k
///     no run    #     #   #
///
/// In a run every bit is at most 3 above the lowest one: seen <= 0b1111 * lowest. (The arithmetic is modulo 2^64, so no
/// address is special.)
template <unsigned Bytes>
COALESCE_API constexpr bool reads_a_run(access<row::lanes.value> const& asked, unsigned quad) {
  constexpr unsigned elements = row::run_elements.value, reach = (elements - 1) * Bytes;
  // odd: not 0 if a lane reads between elements; beyond: 1 if a lane reads past the 7 elements
  std::uint64_t origin = 0, seen = 0, odd = 0, beyond = 0;
  for (unsigned lane = quad; lane != quad + row::quad_lanes.value; ++lane)
    if ((asked.active >> lane & 1) != 0)
      origin = seen != 0 ? origin : asked.address[lane] - reach, odd |= (asked.address[lane] - origin) % Bytes,
      beyond |= asked.address[lane] - origin > 2 * reach,
      seen |= std::uint64_t{1} << (asked.address[lane] - origin) / Bytes % 64;
  return (odd | beyond) == 0 && seen <= ((1u << elements) - 1) * (seen & (~seen + 1));
}

/// Whether `first` and `second` are active lanes of one quad whose elements do not fit in one run of 4 elements. If no
/// two lanes of a quad are such a pair, the quad reads within a run (reads_a_run).
template <unsigned Bytes>
COALESCE_API constexpr bool break_a_run(access<row::lanes.value> const& asked, unsigned first, unsigned second) {
  if (first / row::quad_lanes.value != second / row::quad_lanes.value ||
      (asked.active >> first & asked.active >> second & 1) == 0)
    return false;
  std::uint64_t const up = asked.address[second] - asked.address[first], distance = up >> 63 != 0 ? 0 - up : up;
  return distance % Bytes != 0 || distance / Bytes >= row::run_elements.value;
}

/// The clocks of a wave, which is served in aligned groups of 16 lanes. A group with an active lane takes one
/// clock if each of its four quads reads within a run of 4 elements (reads_a_run). Otherwise it takes a clock for each
/// quad that has an active lane (the OpenCL guide, 2.4; measured, perftest).
template <unsigned Bytes>
COALESCE_COUNT constexpr std::uint64_t coalesced_clocks(access<row::lanes.value> const& asked) {
  constexpr unsigned lanes = row::coalesced_lanes.value;
  std::uint64_t clocks = 0;
  for (unsigned group = 0; group != row::lanes.value; group += lanes) {
    std::uint64_t const active = asked.active & coalescing::detail::part_of_wave(group / lanes, lanes);
    bool runs = true;
    for (unsigned quad = group; runs && quad != group + lanes; quad += row::quad_lanes.value)
      runs = reads_a_run<Bytes>(asked, quad);
    clocks += runs ? active != 0 : quad_clocks(active);
  }
  return clocks;
}

/// The facts of an access of `bytes` bytes. The hardware takes accesses narrower than a dword at any address.
COALESCE_API constexpr amd::memory_facts vector_facts(unsigned bytes) {
  return {.level = coalescing::level::l2,  // the level of the transactions; the clocks are L1's
          .unit = row::request_bytes.value,
          .alignment = bytes < row::aligned_bytes.value ? 1 : row::aligned_bytes.value};
}

/// The base class of all vector memory instructions.
template <unsigned Bytes>
struct vector_memory : amd::memory<row::lanes.value, Bytes, rules::vector_facts(Bytes)> {
  /// How many lanes a group has. The clocks of a wave are the sum of its groups' clocks.
  static constexpr unsigned clock_lanes = row::coalesced_lanes.value;
  static constexpr coalescing::detail::counted_words<row::lanes.value>
      grows_with{};  // empty, since the clocks depend on more than the words that lanes touch
  static constexpr fact_list rests_on = fact_list{}
                                            .with("bytes a request", row::request_bytes)
                                            .with("lanes a quad", row::quad_lanes)
                                            .with("lanes a wave", row::lanes)
                                            .with("bytes that addresses are a multiple of", row::aligned_bytes);

  COALESCE_API static constexpr load_cost<> load(access<row::lanes.value> const& asked, std::uint64_t clocks) {
    auto cost = vector_memory::template count<load_cost<>>(asked);
    cost.clocks = clocks;
    return cost;
  }
  template <bool Atomic>
  COALESCE_API static constexpr write_cost<> write(access<row::lanes.value> const& asked) {
    auto cost = vector_memory::template count<write_cost<>>(asked);
    cost.clocks = quad_clocks(asked.active);
    cost.operations = vector_memory::template operations<Atomic>(asked);
    return cost;
  }

  static constexpr load_cost<citations> sources_of_loads(source const& clocks, source const& lines) {
    auto cited = vector_memory::template cite<load_cost<citations>>(lines);
    cited.clocks = clocks;
    return cited;
  }
  static constexpr write_cost<citations> sources_of_writes(source const& clocks, source const& lines) {
    auto cited = vector_memory::template cite<write_cost<citations>>(lines);
    cited.clocks = clocks;
    cited.operations = row::one_writer;
    return cited;
  }
};

// ---- The instructions that exist ----

template <unsigned Bits, unsigned Channels>
struct buffer_load : vector_memory<Bits * Channels / 8> {
  using cost_type = load_cost<>;
  static constexpr bool may_coalesce = Channels == 1 && Bits <= row::coalesced_bits.value;
  static constexpr load_cost<citations> sources = buffer_load::sources_of_loads(
      may_coalesce ? row::run_elements.from : row::quad_lanes.from, row::request_bytes.from);
  static constexpr fact_list without_runs =
      vector_memory<Bits * Channels / 8>::rests_on.with("bits of the widest coalesced channel", row::coalesced_bits);
  static constexpr fact_list rests_on =
      may_coalesce
          ? without_runs.with("lanes a coalesced group", row::coalesced_lanes).with("elements a run", row::run_elements)
          : without_runs;

  /// Whether lanes `first` and `second` alone keep their group of 16 lanes from being served in one clock.
  COALESCE_API static constexpr bool break_a_run(access<row::lanes.value> const& asked, unsigned first,
                                                 unsigned second) requires may_coalesce {
    return rules::break_a_run<Bits / 8>(asked, first, second);
  }
  COALESCE_API static constexpr load_cost<> cost_of(access<row::lanes.value> const& asked) {
    if constexpr (may_coalesce)
      return buffer_load::load(asked, coalesced_clocks<Bits / 8>(asked));
    else
      return buffer_load::load(asked, quad_clocks(asked.active));
  }
};

template <unsigned Bits, unsigned Channels>
struct buffer_store : vector_memory<Bits * Channels / 8> {
  using cost_type = write_cost<>;
  static constexpr write_cost<citations> sources =
      buffer_store::sources_of_writes(row::store_clocks, row::request_bytes.from);

  COALESCE_API static constexpr write_cost<> cost_of(access<row::lanes.value> const& asked) {
    return buffer_store::template write<false>(asked);
  }
};

template <unsigned Bits>
struct buffer_atomic : vector_memory<Bits / 8> {
  using cost_type = write_cost<>;
  static constexpr write_cost<citations> sources =
      buffer_atomic::sources_of_writes(row::atomic_clocks, row::atomic_lines);

  COALESCE_API static constexpr write_cost<> cost_of(access<row::lanes.value> const& asked) {
    return buffer_atomic::template write<true>(asked);
  }
};

template <unsigned Bits>
struct image_load : vector_memory<Bits / 8> {
  using cost_type = load_cost<>;
  static constexpr load_cost<citations> sources =
      image_load::sources_of_loads(row::quad_lanes.from, row::request_bytes.from);

  COALESCE_API static constexpr load_cost<> cost_of(access<row::lanes.value> const& asked) {
    return image_load::load(asked, quad_clocks(asked.active));
  }
};

template <unsigned Bits>
struct image_sample : vector_memory<Bits / 8> {
  using cost_type = load_cost<>;
  static constexpr unsigned clocks_per_quad = Bits <= row::filtered_bits.value ? 1 : Bits / row::filtered_bits.value;
  static constexpr fact_list rests_on =
      vector_memory<Bits / 8>::rests_on.with("bits of a lane that are filtered in a clock", row::filtered_bits);
  static constexpr load_cost<citations> sources =
      image_sample::sources_of_loads(row::filtered_bits.from, row::named_texels);

  COALESCE_API static constexpr load_cost<> cost_of(access<row::lanes.value> const& asked) {
    return image_sample::load(asked, clocks_per_quad * quad_clocks(asked.active));
  }
};

template <unsigned Bits>
struct image_store : vector_memory<Bits / 8> {
  using cost_type = write_cost<>;
  static constexpr write_cost<citations> sources =
      image_store::sources_of_writes(row::image_store_clocks, row::request_bytes.from);

  COALESCE_API static constexpr write_cost<> cost_of(access<row::lanes.value> const& asked) {
    return image_store::template write<false>(asked);
  }
};

}  // namespace coalescing::gcn::rules

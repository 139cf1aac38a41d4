// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cost.hpp>
#include <coalesce/detail/config.hpp>
#include <coalesce/detail/segments.hpp>
#include <coalesce/gcn/compute_unit.hpp>
#include <coalesce/gcn/cost.hpp>

#include <cstdint>

// GCN's vector memory instructions, on buffers and images. The sources are named in gcn.hpp.

namespace coalescing::gcn {

namespace detail {

using wave = access<compute_unit::lanes_per_wave>;

/// POST, "Coalescing For L1 Access Via Image Operations": an aligned group of 4 lanes a clock. A quad without an active
/// lane takes none (inferred).
COALESCE_API constexpr std::uint64_t quad_clocks(std::uint64_t active) {
  return coalescing::detail::active_groups(active, compute_unit::lanes_per_quad);
}

/// POST, "Coalescing for L1 Access Via Buffer Operations", its three cases in one: the active lanes of an aligned quad
/// read within a run of 4 consecutive elements. The run starts anywhere, and an element is as wide as the access (both
/// measured, PERFTEST); in any order (POST); repeats are allowed and inactive lanes ignored (inferred). A run that
/// holds the first active lane lies within the 7 elements around it: `seen` marks which of them are read. The
/// arithmetic is modulo 2^64, so no address is special.
COALESCE_API constexpr bool reads_a_run(wave const& asked, unsigned quad) {
  std::uint64_t origin = 0, seen = 0;
  for (unsigned lane = quad; lane != quad + compute_unit::lanes_per_quad; ++lane)
    if ((asked.active >> lane & 1) != 0) {
      if (seen == 0) origin = asked.address[lane] - 3 * asked.bytes;
      std::uint64_t const offset = asked.address[lane] - origin;
      if (offset % asked.bytes != 0 || offset > 6 * asked.bytes) return false;
      seen |= std::uint64_t{1} << offset / asked.bytes;
    }
  return seen <= 0b1111 * (seen & (~seen + 1));  // no bit more than 3 above the lowest
}

/// The same section: in aligned groups of 16 lanes, one clock where all four quads read such runs. A group that fails
/// is served by quads (OPT 2.4; measured, PERFTEST), and so costs what its active quads cost.
COALESCE_API constexpr std::uint64_t coalesced_clocks(wave const& asked) {
  std::uint64_t clocks = 0;
  for (unsigned group = 0; group != compute_unit::lanes_per_wave; group += compute_unit::lanes_per_coalesced_group) {
    std::uint64_t const active = asked.active >> group & 0xffff;
    bool const runs = reads_a_run(asked, group) && reads_a_run(asked, group + 4) && reads_a_run(asked, group + 8) &&
                      reads_a_run(asked, group + 12);
    clocks += runs ? active != 0 : quad_clocks(active);
  }
  return clocks;
}

/// What all vector memory instructions share.
template <unsigned Bytes>
struct vector_memory {
  static constexpr unsigned lanes = compute_unit::lanes_per_wave;
  static constexpr unsigned bytes = Bytes;  ///< per lane
  /// GCN3ISA 8.1.6: of a dword or wider access the hardware ignores the two low address bits. We refuse such an
  /// address.
  static constexpr unsigned alignment = Bytes < 4 ? 1 : 4;
  static constexpr coalescing::level level = coalescing::level::l2;  ///< of the transactions; clocks are L1's
  static constexpr unsigned unit = l2_request_bytes;
  static constexpr unsigned period = l2_request_bytes;

  static constexpr source l2_rule{"POST, Coalescing For L2 Access Via Image or Buffer Operations",
                                  evidence::documented};
  static constexpr source by_definition = coalescing::detail::counted_from_the_addresses;

  COALESCE_API static constexpr load_cost<> load(coalescing::detail::ordered<lanes> const& in_order,
                                                 std::uint64_t clocks) {
    auto const lines = coalescing::detail::count_segments(in_order, unit);
    return {clocks, lines, lines * unit, coalescing::detail::count_bytes(in_order)};
  }
  COALESCE_API static constexpr load_cost<> load(wave const& asked, std::uint64_t clocks) {
    return load(coalescing::detail::in_order(asked), clocks);
  }
  /// POST: lanes that store to the same address collapse into one write; of atomics each remains.
  COALESCE_API static constexpr write_cost<> write(wave const& asked, bool atomic) {
    auto const in_order = coalescing::detail::in_order(asked);
    load_cost<> const lines = load(in_order, quad_clocks(asked.active));
    return {lines.clocks, lines.transactions, lines.bytes_moved, lines.bytes_used,
            atomic ? in_order.count : coalescing::detail::count_addresses(in_order)};
  }

  COALESCE_API static constexpr auto list(wave const& asked) {
    constexpr unsigned most = bytes <= alignment ? lanes : 2 * lanes;  // a wider access may straddle two lines
    return coalescing::detail::segments_of<most>(asked, unit);
  }
};

}  // namespace detail

// ---- Buffers ----

/// The buffer formats that exist (GCN3ISA 8.1, data formats): 8-, 16- or 32-bit channels, 1, 2 or 4 of them, or 3 of 32
/// bits; and the untyped dwordx2, x3 and x4 as one element of 64, 96 or 128 bits.
template <unsigned Bits, unsigned Channels>
concept buffer_format = ((Bits == 8 || Bits == 16 || Bits == 32) &&
                         (Channels == 1 || Channels == 2 || Channels == 4)) ||
                        (Bits == 32 && Channels == 3) || ((Bits == 64 || Bits == 96 || Bits == 128) && Channels == 1);

/// BUFFER_LOAD_*: Bits per channel, Channels of the format in memory: to read only .x of RGBA8 is <8, 4>, and
/// 10_10_10_2 is no single channel of 32 bits. A single channel of 32 bits or less may be coalesced in groups of 16
/// lanes; everything else is served as a point-sampled image is, a quad a clock. A 16-bit access at an odd address is
/// answered as asked: only CLRX says that the hardware would align it.
template <unsigned Bits, unsigned Channels = 1>
struct buffer_load : detail::vector_memory<Bits * Channels / 8> {
  static_assert(
      buffer_format<Bits, Channels>,
      "gcn::buffer_load<Bits, Channels>: Bits per channel are 8, 16 or 32 with 1, 2 or 4 channels, 32 with 3, or "
      "64, 96 or 128 with 1");
  using memory = detail::vector_memory<Bits * Channels / 8>;
  using cost_type = load_cost<>;

  static constexpr bool may_coalesce = Channels == 1 && Bits <= 32;
  static constexpr load_cost<source> sources{
      .clocks =
          may_coalesce
              ? source{"POST, Coalescing for L1 Access Via Buffer Operations; a run of 4 starts anywhere and steps by "
                       "the access's own size: PERFTEST; repeats in a run, groups of mixed cases and inactive lanes: "
                       "inferred",
                       evidence::measured}
              : source{"POST, Coalescing for L1 Access Via Buffer Operations (as point sampled images); inactive "
                       "quads: inferred",
                       evidence::documented},
      .transactions = memory::l2_rule,
      .bytes_moved = memory::l2_rule,
      .bytes_used = memory::by_definition};

  COALESCE_API static constexpr load_cost<> answer(detail::wave const& asked) {
    return memory::load(asked, may_coalesce ? detail::coalesced_clocks(asked) : detail::quad_clocks(asked.active));
  }
};

/// BUFFER_STORE_*: a quad a clock, never the 16-lane path: POST grants that to loads only. `operations`: lanes that
/// write the same address collapse into one write.
template <unsigned Bits, unsigned Channels = 1>
struct buffer_store : detail::vector_memory<Bits * Channels / 8> {
  static_assert(
      buffer_format<Bits, Channels>,
      "gcn::buffer_store<Bits, Channels>: Bits per channel are 8, 16 or 32 with 1, 2 or 4 channels, 32 with 3, or "
      "64, 96 or 128 with 1");
  using memory = detail::vector_memory<Bits * Channels / 8>;
  using cost_type = write_cost<>;

  static constexpr write_cost<source> sources{
      .clocks = {"a quad a clock as loads by quads; CLRX times 16 a wave; OPT 2.1.2 has 8 on Southern Islands",
                 evidence::inferred},
      .transactions = memory::l2_rule,
      .bytes_moved = memory::l2_rule,
      .bytes_used = memory::by_definition,
      .operations = memory::l2_rule};

  COALESCE_API static constexpr write_cost<> answer(detail::wave const& asked) { return memory::write(asked, false); }
};

/// BUFFER_ATOMIC_* of 32 or 64 bits. `operations`: one for each active lane, whatever the address. The clocks are those
/// of the addresses; what L2 takes to serialise them is in no document, nor what it makes of 64 bits that straddle two
/// lines.
template <unsigned Bits>
struct buffer_atomic : detail::vector_memory<Bits / 8> {
  static_assert(Bits == 32 || Bits == 64, "gcn::buffer_atomic<Bits>: Bits are 32 or 64");
  using memory = detail::vector_memory<Bits / 8>;
  using cost_type = write_cost<>;

  static constexpr write_cost<source> sources{
      .clocks = {"4 addresses a clock, as for loads by quads", evidence::inferred},
      .transactions = {"the line rule of POST, which names loads and stores", evidence::inferred},
      .bytes_moved = {"the line rule of POST, which names loads and stores", evidence::inferred},
      .bytes_used = memory::by_definition,
      .operations = memory::l2_rule};

  COALESCE_API static constexpr write_cost<> answer(detail::wave const& asked) { return memory::write(asked, true); }
};

// ---- Images ----

/// The texel sizes that exist, in bits.
template <unsigned Bits>
concept texel_size = Bits == 8 || Bits == 16 || Bits == 32 || Bits == 64 || Bits == 128;

/// IMAGE_LOAD and point-sampled IMAGE_SAMPLE: the pattern gives the byte address of each lane's texel, after tiling
/// (which is the user's to know: no public document gives the tile functions). A quad a clock; PERFTEST measures more
/// for 128 bits.
template <unsigned Bits>
struct image_load : detail::vector_memory<Bits / 8> {
  static_assert(texel_size<Bits>, "gcn::image_load<Bits>: texels have 8, 16, 32, 64 or 128 bits");
  using memory = detail::vector_memory<Bits / 8>;
  using cost_type = load_cost<>;

  static constexpr load_cost<source> sources{
      .clocks = {"POST, Coalescing For L1 Access Via Image Operations; inactive quads: inferred", evidence::documented},
      .transactions = memory::l2_rule,
      .bytes_moved = memory::l2_rule,
      .bytes_used = memory::by_definition};

  COALESCE_API static constexpr load_cost<> answer(detail::wave const& asked) {
    return memory::load(asked, detail::quad_clocks(asked.active));
  }
};

/// IMAGE_SAMPLE with filtering: 32 bits for each lane of a quad a clock, so 1, 1, 1, 2 or 4 clocks a quad by texel
/// size. The pattern names one texel for each lane, and the lines are those of these texels: the filter's other texels
/// are not counted. Ask image_load about each of them.
template <unsigned Bits>
struct image_sample : detail::vector_memory<Bits / 8> {
  static_assert(texel_size<Bits>, "gcn::image_sample<Bits>: texels have 8, 16, 32, 64 or 128 bits");
  using memory = detail::vector_memory<Bits / 8>;
  using cost_type = load_cost<>;

  static constexpr unsigned clocks_per_quad = Bits <= compute_unit::filtered_bits_per_fragment_per_clock
                                                  ? 1
                                                  : Bits / compute_unit::filtered_bits_per_fragment_per_clock;
  static constexpr source named_texels{"POST, Coalescing For L2 Access, for the one texel that each lane names",
                                       evidence::inferred};
  static constexpr load_cost<source> sources{
      .clocks = {"POST, peak throughput limits (filtered); inactive quads: inferred", evidence::documented},
      .transactions = named_texels,
      .bytes_moved = named_texels,
      .bytes_used = memory::by_definition};

  COALESCE_API static constexpr load_cost<> answer(detail::wave const& asked) {
    return memory::load(asked, clocks_per_quad * detail::quad_clocks(asked.active));
  }
};

/// IMAGE_STORE: a quad a clock. `operations` as for buffer_store.
template <unsigned Bits>
struct image_store : detail::vector_memory<Bits / 8> {
  static_assert(texel_size<Bits>, "gcn::image_store<Bits>: texels have 8, 16, 32, 64 or 128 bits");
  using memory = detail::vector_memory<Bits / 8>;
  using cost_type = write_cost<>;

  static constexpr write_cost<source> sources{
      .clocks = {"POST, Coalescing For L1 Access Via Image Operations, for the groups of 4; it gives no rate of stores",
                 evidence::inferred},
      .transactions = memory::l2_rule,
      .bytes_moved = memory::l2_rule,
      .bytes_used = memory::by_definition,
      .operations = memory::l2_rule};

  COALESCE_API static constexpr write_cost<> answer(detail::wave const& asked) { return memory::write(asked, false); }
};

// ---- The post's summary ----

/// Clocks of a full wave at peak. POST, "Summary of peak throughput per wave supported by data paths". The table has no
/// rows for stores and atomics, so there is no number for them.
template <class Instruction>
struct peak_clocks_row {
  static_assert(sizeof(Instruction) == 0, "gcn::peak_clocks: the post gives peaks for vector loads only");
};
template <unsigned Bits, unsigned Channels>
struct peak_clocks_row<buffer_load<Bits, Channels>> {
  static constexpr unsigned value = 16;
};
template <unsigned Bits>
requires(Bits <= 32) struct peak_clocks_row<buffer_load<Bits, 1>> {
  static constexpr unsigned value = 4;
};
template <unsigned Bits>
struct peak_clocks_row<image_load<Bits>> {
  static constexpr unsigned value = 16;
};
template <unsigned Bits>
struct peak_clocks_row<image_sample<Bits>> {
  static constexpr unsigned value = Bits <= 32 ? 16 : Bits == 64 ? 32 : 64;
};
template <instruction Instruction>
inline constexpr unsigned peak_clocks = peak_clocks_row<Instruction>::value;

}  // namespace coalescing::gcn

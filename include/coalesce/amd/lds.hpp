// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/cost.hpp>
#include <coalesce/engine/words.hpp>

#include <cstdint>

// The LDS rule of AMD's families: bank = (address / width of a bank) mod banks; lanes that are served together (a
// phase) conflict where they want different words of one bank; the same word is one access for all of them. A phase
// without an active lane still takes one round, unless no lane of the wave is active: then the instruction is not
// issued. How many banks there are, and which lanes form a phase, are facts of the row of a machine and instruction.

namespace coalescing::amd {

/// The lanes of each phase, as the sources print them: bit k of a mask is lane k.
template <unsigned Phases>
struct lane_masks {
  std::uint64_t phase[Phases];
};
inline constexpr lane_masks<1> whole_wave{{0xffff'ffff'ffff'ffff}};
inline constexpr lane_masks<2> halves{{0x0000'0000'ffff'ffff, 0xffff'ffff'0000'0000}};
inline constexpr lane_masks<4> quarters{
    {0x0000'0000'0000'ffff, 0x0000'0000'ffff'0000, 0x0000'ffff'0000'0000, 0xffff'0000'0000'0000}};
inline constexpr lane_masks<8> eighths{
    {0x0000'0000'0000'00ff, 0x0000'0000'0000'ff00, 0x0000'0000'00ff'0000, 0x0000'0000'ff00'0000,  //
     0x0000'00ff'0000'0000, 0x0000'ff00'0000'0000, 0x00ff'0000'0000'0000, 0xff00'0000'0000'0000}};
/// Lanes {0-3, 20-23} {4-7, 16-19} {8-11, 28-31} {12-15, 24-27}, and these four sets moved by 32 lanes.
inline constexpr lane_masks<8> paired_quads{
    {0x0000'0000'00f0'000f, 0x0000'0000'000f'00f0, 0x0000'0000'f000'0f00, 0x0000'0000'0f00'f000,  //
     0x00f0'000f'0000'0000, 0x000f'00f0'0000'0000, 0xf000'0f00'0000'0000, 0x0f00'f000'0000'0000}};

/// The base class of LDS instructions. Row states these facts: lanes (of the wave), banks, bank_bytes, lds_bytes (that
/// a work-group can have) and phases.
template <unsigned Bits, class Row>
struct lds_memory {
  using cost_type = bank_cost<>;
  static constexpr unsigned lanes = Row::lanes.value;
  static constexpr unsigned bytes = Bits / 8;  ///< bytes per lane
  /// The natural alignment, in bytes; an access of 96 bits aligns as one of 128 bits. LLVM uses these instructions only
  /// with that alignment (SIISelLowering.cpp, allowsMisalignedMemoryAccessesImpl; for gfx942 and gfx950 this is the
  /// default). CLRX says that the hardware drops the low bits of an address. GFX9 and later have a mode in which
  /// smaller alignments work; no source says what such an access costs.
  static constexpr unsigned alignment = coalescing::detail::next_power_of_two(bytes);
  static constexpr std::uint64_t capacity = Row::lds_bytes.value;  ///< bytes of LDS: no access may end beyond them
  static constexpr coalescing::level level = coalescing::level::lds;
  static constexpr unsigned banks = Row::banks.value;
  static constexpr unsigned unit = Row::bank_bytes.value;
  static constexpr unsigned period = banks * unit;
  static constexpr source from = Row::phases.from;
  static constexpr bank_cost<citations> sources{.rounds = from, .conflicts = from, .phases = from, .ways = from};
  static constexpr fact_list rests_on = fact_list{}
                                            .with("phases", sizeof(Row::phases.value) / 8, Row::phases.from)
                                            .with("banks", Row::banks)
                                            .with("bytes a bank", Row::bank_bytes)
                                            .with("lanes a wave", Row::lanes)
                                            .with("bytes of LDS", Row::lds_bytes);
  static constexpr auto table = coalescing::detail::phases_of_masks<lanes>(Row::phases.value.phase);
  static constexpr auto grows_with = coalescing::detail::words_in_banks<banks, unit, alignment>(table);

  COALESCE_API static constexpr bank_cost<> cost_of(access<lanes> const& asked) {
    if (asked.active == 0) return {};
    constexpr auto phases = table;  // a copy of the table, since nvcc does not accept the table itself here
    auto const count = coalescing::detail::count_rounds<banks, unit, alignment>(asked, phases);
    std::uint64_t rounds = 0, ways = 0;
    for (unsigned const of_phase : count.rounds) {
      unsigned const taken = of_phase == 0 ? 1 : of_phase;
      rounds += taken, ways = taken > ways ? taken : ways;
    }
    return {.rounds = rounds, .conflicts = rounds - phases.phases, .phases = phases.phases, .ways = ways};
  }
  COALESCE_API static constexpr auto phases_of(access<lanes> const& asked) {
    constexpr auto phases = table;
    if (asked.active == 0) return phase_list<phases.phases>{};
    auto list = coalescing::detail::describe_phases<banks, unit>(asked, phases);
    for (bank_phase& phase : list.items)
      if (phase.rounds == 0) phase.rounds = 1;  // a phase without an active lane takes one round, too
    return list;
  }
};

}  // namespace coalescing::amd

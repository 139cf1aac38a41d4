// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/cost.hpp>
#include <coalesce/engine/words.hpp>

#include <cstdint>

// The LDS rule of AMD's families. The bank of an address is (address / width of a bank) mod banks. A phase is a set of
// lanes that LDS serves together. Lanes of one phase conflict if they access different words of one bank. Lanes that
// access the same word share one access. A phase without an active lane still takes one round. If no lane of the wave
// is active, the instruction is not issued and takes no round. The row of an instruction on a chip, as in
// cdna/lds_rows.hpp, states how many banks there are and which lanes form a phase.

namespace coalescing::amd {

/// A mask of the lanes of each phase, as the sources print it: bit k is lane k.
template <unsigned Phases>
struct lane_masks {
  std::uint64_t phase[Phases];
};
inline constexpr lane_masks<1> whole_wave{{0xffff'ffff'ffff'ffff}};
inline constexpr lane_masks<2> halves{{0x0000'0000'ffff'ffff, 0xffff'ffff'0000'0000}};
inline constexpr lane_masks<4> quarters{
    {0x0000'0000'0000'ffff, 0x0000'0000'ffff'0000, 0x0000'ffff'0000'0000, 0xffff'0000'0000'0000}};
inline constexpr lane_masks<8> eighths{
    {0x0000'0000'0000'00ff, 0x0000'0000'0000'ff00, 0x0000'0000'00ff'0000, 0x0000'0000'ff00'0000,  // lanes 0 to 31
     0x0000'00ff'0000'0000, 0x0000'ff00'0000'0000, 0x00ff'0000'0000'0000, 0xff00'0000'0000'0000}};
/// Lanes {0-3, 20-23} {4-7, 16-19} {8-11, 28-31} {12-15, 24-27}, and these four sets moved by 32 lanes.
inline constexpr lane_masks<8> paired_quads{
    {0x0000'0000'00f0'000f, 0x0000'0000'000f'00f0, 0x0000'0000'f000'0f00, 0x0000'0000'0f00'f000,  // lanes 0 to 31
     0x00f0'000f'0000'0000, 0x000f'00f0'0000'0000, 0xf000'0f00'0000'0000, 0x0f00'f000'0000'0000}};

/// The base class of LDS instructions. Row states these facts: lanes (of the wave), banks, bank_bytes, lds_bytes (that
/// a work-group can have) and phases.
template <unsigned Bits, class Row>
struct lds_memory {
  using cost_type = bank_cost<>;
  static constexpr unsigned lanes = Row::lanes.value;
  static constexpr unsigned bytes = Bits / 8;  ///< bytes per lane
  /// The natural alignment, in bytes. An access of 96 bits has the alignment of 128 bits. CLRX, an assembler with
  /// documentation of its own, says that the hardware drops the low bits of an address. GFX9 and later have a mode in
  /// which smaller alignments work. For amdhsa LLVM 22 relies on this mode: if it knows an alignment of 1 or 2 bytes
  /// only, it reads 16 bytes with one DS_READ_B128; if it knows 4 or 8, it uses DS_READ2 (SIISelLowering.cpp,
  /// allowsMisalignedMemoryAccessesImpl; tried with llc 22 for gfx942, gfx950 and gfx1100). No source says what an
  /// access of a smaller alignment costs.
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

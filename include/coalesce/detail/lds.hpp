// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cost.hpp>
#include <coalesce/detail/banks.hpp>
#include <coalesce/detail/config.hpp>
#include <coalesce/detail/segments.hpp>

#include <cstdint>

// AMD's local data share, as GCN and CDNA have it: banks of dwords, bank = dword address mod banks; lanes that are
// served together (a phase) conflict where they want different dwords of one bank; the same dword is one access for all
// of them. A phase without an active lane still takes one round (counters of ROCm Compute Profiler's test runs, of
// 32-bit reads; of others inferred). How many banks and which phases is a row, by machine and instruction.

namespace coalescing::detail {

inline constexpr unsigned lds_bank_bytes = 4;

// The types of the tables are written out, so that a table is not computed before it is asked for.

/// Rows: phases of consecutive lanes.
template <unsigned Banks, unsigned Phases>
struct consecutive {
  static constexpr unsigned banks = Banks;
  static constexpr phase_table<64, Phases> phases = coalescing::detail::consecutive_phases<64, Phases>();
};
/// Rows: lanes {0-3, 20-23} {4-7, 16-19} {8-11, 28-31} {12-15, 24-27}, and the same 32 lanes on.
template <unsigned Banks>
struct crossed {
  static constexpr unsigned banks = Banks;
  static constexpr phase_table<64, 8> phases = coalescing::detail::phases<64, 8>(
      {0x0000'0000'00f0'000f, 0x0000'0000'000f'00f0, 0x0000'0000'f000'0f00, 0x0000'0000'0f00'f000,  //
       0x00f0'000f'0000'0000, 0x000f'00f0'0000'0000, 0xf000'0f00'0000'0000, 0x0f00'f000'0000'0000});
};

/// What the LDS instructions share. Row says banks, phases and the source of both (rule).
template <unsigned Bits, class Row>
struct lds_memory {
  using cost_type = bank_cost<>;
  static constexpr unsigned lanes = 64;
  static constexpr unsigned bytes = Bits / 8;  ///< per lane
  /// Natural, 96 bits as 128: LLVM uses these instructions for nothing less (SIISelLowering,
  /// allowsMisalignedMemoryAccessesImpl; gfx942 and gfx950 by their default too), and CLRX has the low bits dropped.
  /// GFX9 and later have a mode that allows less; what that costs is in no source.
  static constexpr unsigned alignment = Bits == 96 ? 16 : bytes;
  static constexpr coalescing::level level = coalescing::level::lds;
  static constexpr unsigned banks = Row::banks;
  static constexpr unsigned unit = lds_bank_bytes;
  static constexpr unsigned period = banks * lds_bank_bytes;
  static constexpr bank_cost<source> sources{.rounds = Row::rule, .conflicts = Row::rule, .phases = Row::rule};

  COALESCE_API static constexpr bank_cost<> answer(access<lanes> const& asked) {
    constexpr auto phases = Row::phases;  // nvcc wants the table here, not a reference to it
    auto const degree =
        coalescing::detail::bank_conflicts<banks, lds_bank_bytes>(coalescing::detail::in_order(asked), phases);
    std::uint64_t rounds = 0;
    for (unsigned const worst : degree.of) rounds += worst == 0 ? 1 : worst;
    return {.rounds = rounds, .conflicts = rounds - phases.phases, .phases = phases.phases};
  }
};

}  // namespace coalescing::detail

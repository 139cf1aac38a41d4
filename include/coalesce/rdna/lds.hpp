// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/amd/lds.hpp>
#include <coalesce/amd/lds_pairs.hpp>
#include <coalesce/rdna/rows.hpp>

// The LDS of RDNA 1 to 4: the rules of amd/lds.hpp and amd/lds_pairs.hpp on 32 banks. A phase is a set of lanes that
// LDS serves together. For each instruction of a chip, a struct (its row) states the phases of a wave of 32 lanes. An
// instruction without a row does not exist, or no source tells its phases. The other facts are in rdna/rows.hpp, the
// instructions in rdna.hpp.

namespace coalescing::rdna {

inline constexpr char const *two_halves = "that a wave64 is two such halves, and that an idle phase takes a round",
                            *two_halves_elsewhere =
                                "that it is as on gfx1100 and gfx1151, that a wave64 is two such halves, and "
                                "that an idle phase takes a round",
                            *bytes_as_halves =
                                "that it is as ds_load_u16 on gfx1100 and gfx1151, and that an idle phase takes a "
                                "round",
                            *bytes_in_two_halves =
                                "that it is as ds_load_u16 on gfx1100 and gfx1151, that a wave64 is two such halves, "
                                "and that an idle phase takes a round",
                            *store_bytes_as_halves =
                                "that it is as ds_store_b16 on gfx1100 and gfx1151, that lanes which store to one "
                                "dword are one request, and that an idle phase takes a round",
                            *store_bytes_in_two_halves =
                                "that it is as ds_store_b16 on gfx1100 and gfx1151, that lanes which store to one "
                                "dword are one request, that a wave64 is two such halves, and that an idle phase takes "
                                "a round",
                            *pairs_in_two_halves =
                                "that it is as on gfx11, that a wave64 is two such halves, and that an idle phase "
                                "takes a round";

template <class Row>
concept has_loads = requires {
  Row::loads_of_32;
};
/// Whether the row states the phases of loads of 96 and 128 bits.
template <class Row>
concept has_wide_loads = requires {
  Row::wide_loads;
};

/// The facts of a chip, and the phases in which its LDS serves one instruction.
template <chip Chip, auto Masks, source const* From>
struct served : row<Chip> {
  static constexpr fact phases{Masks, *From};
};

template <chip Chip, unsigned Bits>
struct ds_load_row;
template <chip Chip, unsigned Bits>
struct ds_store_row;

template <chip Chip>
requires has_loads<row<Chip>>
struct ds_load_row<Chip, 32> : served<Chip, all_of_32, &row<Chip>::loads_of_32> {
};
template <chip Chip>
requires has_loads<row<Chip>>
struct ds_load_row<Chip, 16> : served<Chip, all_of_32, &row<Chip>::loads_of_16> {
};
template <chip Chip>
requires has_loads<row<Chip>>
struct ds_load_row<Chip, 8> : row<Chip> {
  static constexpr fact phases{all_of_32, taken_over(phases_by::loom_loads, bytes_as_halves)};
  static constexpr char const* assumed_in_wave64 = bytes_in_two_halves;
};
template <chip Chip>
requires has_loads<row<Chip>>
struct ds_load_row<Chip, 64> : served<Chip, halves_of_32, &row<Chip>::loads_of_64> {
};
template <chip Chip>
requires has_wide_loads<row<Chip>>
struct ds_load_row<Chip, 128> : row<Chip> {
  static constexpr fact<amd::lane_masks<4>> phases = row<Chip>::wide_loads;
};
template <chip Chip>
requires has_wide_loads<row<Chip>>
struct ds_load_row<Chip, 96> : row<Chip> {
  static constexpr fact phases{row<Chip>::wide_loads.value, row<Chip>::loads_of_96};
};

template <chip Chip>
requires has_loads<row<Chip>>
struct ds_store_row<Chip, 32> : served<Chip, all_of_32, &row<Chip>::stores_of_32> {
};
template <chip Chip>
requires has_loads<row<Chip>>
struct ds_store_row<Chip, 16> : served<Chip, all_of_32, &row<Chip>::stores> {
};
template <chip Chip>
requires has_loads<row<Chip>>
struct ds_store_row<Chip, 8> : row<Chip> {
  static constexpr fact phases{all_of_32, taken_over(phases_by::loom_stores, store_bytes_as_halves)};
  static constexpr char const* assumed_in_wave64 = store_bytes_in_two_halves;
};
template <chip Chip>
requires has_loads<row<Chip>>
struct ds_store_row<Chip, 64> : served<Chip, halves_of_32, &row<Chip>::stores> {
};
template <chip Chip>
requires has_loads<row<Chip>>
struct ds_store_row<Chip, 128> : served<Chip, quarters_of_32, &row<Chip>::stores> {
};

/// The facts of a load or store with two addresses for each lane. Each address is served in the phases of an
/// instruction with one address.
template <chip Chip, unsigned Bits>
struct ds_pair_row;
template <chip Chip>
requires has_loads<row<Chip>>
struct ds_pair_row<Chip, 32> : served<Chip, all_of_32, &row<Chip>::pairs> {
  static constexpr char const* assumed_in_wave64 = pairs_in_two_halves;
  static constexpr bool wave64_was_run = false;
};
template <chip Chip>
requires has_loads<row<Chip>>
struct ds_pair_row<Chip, 64> : served<Chip, halves_of_32, &row<Chip>::pairs> {
  static constexpr char const* assumed_in_wave64 = pairs_in_two_halves;
  static constexpr bool wave64_was_run = false;
};

/// The phases of a wave of 64: first those of a wave of 32 for lanes 0 to 31, then the same ones for lanes 32 to 63.
template <unsigned Phases>
COALESCE_API constexpr amd::lane_masks<2 * Phases> twice(amd::lane_masks<Phases> const& half) {
  amd::lane_masks<2 * Phases> whole{};
  for (unsigned k = 0; k != Phases; ++k) whole.phase[k] = half.phase[k], whole.phase[Phases + k] = half.phase[k] << 32;
  return whole;
}
/// The text that says which assumptions the phases of a wave of 64 rest on. These include the assumptions of the phases
/// of a wave of 32.
template <class Row>
COALESCE_API constexpr char const* assumed_in_wave64() {
  if constexpr (requires { Row::assumed_in_wave64; })
    return Row::assumed_in_wave64;
  else
    return Row::phases.from.evidence == evidence::inferred ? two_halves_elsewhere : two_halves;
}
template <class Row>
struct of_wave64 : Row {
  static constexpr fact lanes{64, Row::wave64.from};
  static constexpr fact<decltype(rdna::twice(Row::phases.value))> phases{
      rdna::twice(Row::phases.value), (Row::wave64_was_run && Row::phases.from.evidence == evidence::inferred)
                                          ? Row::phases.from
                                          : taken_over(Row::phases.from, rdna::assumed_in_wave64<Row>())};
};

namespace rules {

template <chip Chip, unsigned Bits>
concept ds_load_row_exists = requires {
  ds_load_row<Chip, Bits>::phases;
};
template <chip Chip, unsigned Bits>
concept ds_store_row_exists = requires {
  ds_store_row<Chip, Bits>::phases;
};

/// The struct of an instruction's facts (its row), for waves of 32 or 64 lanes.
template <unsigned Lanes, class Row>
struct row_of_wave {
  using type = Row;
};
template <class Row>
struct row_of_wave<64, Row> {
  using type = of_wave64<Row>;
};

/// An access to LDS by a wave of 32 or 64 lanes.
template <unsigned Lanes, unsigned Bits, template <chip, unsigned> class Row, chip Chip>
struct lds_access : amd::lds_memory<Bits, typename row_of_wave<Lanes, Row<Chip, Bits>>::type> {};
/// An access with two addresses for each lane.
template <unsigned Lanes, chip Chip, unsigned Bits, unsigned Step, unsigned O0, unsigned O1>
struct lds_pair : amd::pair_access<typename row_of_wave<Lanes, ds_pair_row<Chip, Bits>>::type, Bits, Step, O0, O1> {};

}  // namespace rules
}  // namespace coalescing::rdna

// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/amd/lds.hpp>
#include <coalesce/rdna/rows.hpp>

#include <type_traits>

// The LDS of RDNA 1 to 4: the rule of amd/lds.hpp on 32 banks. A row for each instruction of a chip says which lanes of
// a wave of 32 are served together (a phase). An instruction without a row does not exist, or no source tells its
// phases. The other figures are in rdna/rows.hpp, the instructions in rdna.hpp.

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
                                "and that an idle phase takes a round";

inline constexpr amd::lane_masks<1> all_of_32{{0xffff'ffff}};
inline constexpr amd::lane_masks<2> halves_of_32{{0x0000'ffff, 0xffff'0000}};
inline constexpr amd::lane_masks<4> quarters_of_32{{0x0000'00ff, 0x0000'ff00, 0x00ff'0000, 0xff00'0000}};
/// Lanes {0-3, 20-23} {4-7, 16-19} {8-11, 28-31} {12-15, 24-27}.
inline constexpr amd::lane_masks<4> paired_quads_of_32{{0x00f0'000f, 0x000f'00f0, 0xf000'0f00, 0x0f00'f000}};

template <class Row>
concept has_loads = requires {
  Row::loads_of_32;
};
template <class Row>
concept has_stores = requires {
  Row::stores;
};

/// A chip's row with the phases of one instruction.
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
// The chips that were run differ, so no other chip has a row.
template <>
struct ds_load_row<chip::gfx1100, 128> : served<chip::gfx1100, paired_quads_of_32, &phases_by::shark_w7900> {};
template <>
struct ds_load_row<chip::gfx1151, 128> : served<chip::gfx1151, paired_quads_of_32, &phases_by::loom_loads> {};
template <>
struct ds_load_row<chip::gfx1201, 128> : served<chip::gfx1201, quarters_of_32, &phases_by::shark_9070_xt> {};

template <chip Chip>
requires has_stores<row<Chip>>
struct ds_store_row<Chip, 32> : served<Chip, all_of_32, &row<Chip>::stores> {
};
template <chip Chip>
requires has_stores<row<Chip>>
struct ds_store_row<Chip, 16> : ds_store_row<Chip, 32> {
};
template <chip Chip>
requires has_stores<row<Chip>>
struct ds_store_row<Chip, 64> : served<Chip, halves_of_32, &row<Chip>::stores> {
};
template <chip Chip>
requires has_stores<row<Chip>>
struct ds_store_row<Chip, 128> : served<Chip, quarters_of_32, &row<Chip>::stores> {
};

/// The phases of a wave of 32, followed by these phases moved by 32 lanes.
template <unsigned Phases>
COALESCE_API constexpr amd::lane_masks<2 * Phases> twice(amd::lane_masks<Phases> const& half) {
  amd::lane_masks<2 * Phases> whole{};
  for (unsigned k = 0; k != Phases; ++k) whole.phase[k] = half.phase[k], whole.phase[Phases + k] = half.phase[k] << 32;
  return whole;
}
/// The assumption behind the phases of a wave of 64. It includes the assumptions of a wave of 32.
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

/// The rule for a wave of 32 or 64 lanes.
template <unsigned Lanes, unsigned Bits, template <chip, unsigned> class Row, chip Chip>
struct lds_access
    : amd::lds_memory<Bits, std::conditional_t<Lanes == 32, Row<Chip, Bits>, of_wave64<Row<Chip, Bits>>>> {};

}  // namespace rules
}  // namespace coalescing::rdna

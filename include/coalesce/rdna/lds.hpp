// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/amd/lds.hpp>
#include <coalesce/core/config.hpp>
#include <coalesce/core/cost.hpp>
#include <coalesce/rdna/lds_rows.hpp>
#include <coalesce/rdna/rows.hpp>

#include <type_traits>

// The LDS of RDNA 1 to 4: the rule of amd/lds.hpp on 32 banks. The phases are in rdna/lds_rows.hpp, the other figures
// in rdna/rows.hpp, the instructions in rdna.hpp.

namespace coalescing::rdna::rules {

/// The row of a wave of 32 or 64 lanes, made from the row of a wave of 32.
template <class Row, unsigned Lanes>
using row_of_wave = std::conditional_t<Lanes == 32, std::type_identity<Row>, std::type_identity<of_wave64<Row>>>;
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
struct lds_access : amd::lds_memory<Bits, typename row_of_wave<Row<Chip, Bits>, Lanes>::type> {};

}  // namespace coalescing::rdna::rules

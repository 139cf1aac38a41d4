// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/amd/lds.hpp>
#include <coalesce/core/config.hpp>
#include <coalesce/core/cost.hpp>
#include <coalesce/rdna/lds_rows.hpp>
#include <coalesce/rdna/rows.hpp>

#include <type_traits>

// LDS of RDNA: the rule of amd/lds.hpp on 32 banks, and what no source tells, refused by name. The figures are in
// rdna/rows.hpp, the instructions in rdna.hpp.

namespace coalescing::rdna::rules {

/// A row is that of a wave of 32 lanes.
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

/// The rule, of a wave of so many lanes.
template <unsigned Lanes, unsigned Bits, template <chip, unsigned> class Row, chip Chip>
struct lds_access : amd::lds_memory<Bits, typename row_of_wave<Row<Chip, Bits>, Lanes>::type> {};

}  // namespace coalescing::rdna::rules

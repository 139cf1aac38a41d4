// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cdna.hpp>

#include <string>

#include "every/machines.hpp"

namespace coalescing_tests {

/// The abilities of a chip that not every chip has.
struct cdna_abilities {
  bool transpose_loads = false;
  unsigned buffer_lds_bits = 32, global_lds_bits = 0;  ///< the widest loads straight to LDS; 0: there is none
  bool operator==(cdna_abilities const&) const = default;
};
/// Every chip of cdna::every_machine, by hand; every/every_instruction.cpp compares with the headers.
inline constexpr can<cdna_abilities> cdna_chips[] = {
    {"gfx90a", {}},
    {"gfx942", {.global_lds_bits = 32}},
    {"gfx950", {.transpose_loads = true, .buffer_lds_bits = 128, .global_lds_bits = 128}},
};
template <class Chip>
constexpr cdna_abilities abilities_of_cdna() {
  for (can<cdna_abilities> const& line : cdna_chips)
    if (lists_machine(line.machines, Chip::name)) return line.what;
  return {};
}

/// Calls see.template operator()<Instruction>(machine, name) for every instruction of CDNA, for pairs with
/// some offsets.
template <class See>
void each_instruction_of_cdna(See const& see) {
  namespace cdna = coalescing::cdna;
  auto const with = [](char const* name, unsigned bits) {
    return name + std::string("<") + std::to_string(bits) + ">";
  };
  auto const memory = [&]<class Chip, unsigned... Bits>(std::string const& chip) {
    auto const width = [&]<unsigned Width>() {
      see.template operator()<typename Chip::template global_load<Width>>(chip, with("global_load", Width));
      see.template operator()<typename Chip::template global_store<Width>>(chip, with("global_store", Width));
      see.template operator()<typename Chip::template buffer_load<Width>>(chip, with("buffer_load", Width));
      see.template operator()<typename Chip::template buffer_store<Width>>(chip, with("buffer_store", Width));
      if constexpr (Width == 32 || Width == 64)
        see.template operator()<typename Chip::template global_atomic<Width>>(chip, with("global_atomic", Width));
    };
    (width.template operator()<Bits>(), ...);
  };
  auto const scalar = [&]<class Chip, unsigned... Dwords>(std::string const& chip) {
    (see.template operator()<typename Chip::template s_load<Dwords>>(chip, with("s_load", Dwords)), ...);
  };
  auto const lds = [&]<class Chip, unsigned... Bits>(std::string const& chip) {
    auto const width = [&]<unsigned Width>() {
      see.template operator()<typename Chip::template ds_read<Width>>(chip, with("ds_read", Width));
      if constexpr (Width != 96)
        see.template operator()<typename Chip::template ds_write<Width>>(chip, with("ds_write", Width));
      if constexpr (Width == 32 || Width == 64)
        see.template operator()<typename Chip::template ds_atomic<Width>>(chip, with("ds_atomic", Width));
    };
    (width.template operator()<Bits>(), ...);
  };
  auto const pairs = [&]<class Chip, unsigned Bits, unsigned O0, unsigned O1>(std::string const& chip) {
    std::string const of = "<" + std::to_string(Bits) + "," + std::to_string(O0) + "," + std::to_string(O1) + ">";
    see.template operator()<typename Chip::template ds_read2<Bits, O0, O1>>(chip, "ds_read2" + of);
    see.template operator()<typename Chip::template ds_read2st64<Bits, O0, O1>>(chip, "ds_read2st64" + of);
    see.template operator()<typename Chip::template ds_write2<Bits, O0, O1>>(chip, "ds_write2" + of);
    see.template operator()<typename Chip::template ds_write2st64<Bits, O0, O1>>(chip, "ds_write2st64" + of);
  };
  auto const buffer_copies = [&]<class Chip, unsigned... Bits>(std::string const& chip) {
    (see.template operator()<typename Chip::template buffer_load_lds<Bits>::global>(
         chip, with("buffer_load_lds", Bits) + "::global"),
     ...);
  };
  auto const copies = [&]<class Chip, unsigned... Bits>(std::string const& chip) {
    (see.template operator()<typename Chip::template global_load_lds<Bits>::global>(
         chip, with("global_load_lds", Bits) + "::global"),
     ...);
  };
  auto const transpose_loads = [&]<class Chip, unsigned... ElementBits>(std::string const& chip) {
    (see.template operator()<typename Chip::template ds_read_tr<64, ElementBits>>(
         chip, "ds_read_tr<64," + std::to_string(ElementBits) + ">"),
     ...);
  };

  each_that<cdna::every_machine, is_shown<See>>([&]<class Chip>() {
    constexpr cdna_abilities has = abilities_of_cdna<Chip>();
    memory.template operator()<Chip, 8, 16, 32, 64, 96, 128>(Chip::name);
    scalar.template operator()<Chip, 1, 2, 4, 8, 16>(Chip::name);
    lds.template operator()<Chip, 8, 16, 32, 64, 96, 128>(Chip::name);
    pairs.template operator()<Chip, 32, 0, 1>(Chip::name), pairs.template operator()<Chip, 64, 0, 1>(Chip::name);
    pairs.template operator()<Chip, 32, 7, 7>(Chip::name), pairs.template operator()<Chip, 64, 3, 3>(Chip::name);
    pairs.template operator()<Chip, 64, 5, 0>(Chip::name);
    buffer_copies.template operator()<Chip, 8, 16, 32>(Chip::name);
    if constexpr (has.buffer_lds_bits == 128) buffer_copies.template operator()<Chip, 96, 128>(Chip::name);
    if constexpr (has.global_lds_bits != 0) copies.template operator()<Chip, 8, 16, 32>(Chip::name);
    if constexpr (has.global_lds_bits == 128) copies.template operator()<Chip, 96, 128>(Chip::name);
    if constexpr (has.transpose_loads) transpose_loads.template operator()<Chip, 16, 8, 4>(Chip::name);
  });
}

}  // namespace coalescing_tests

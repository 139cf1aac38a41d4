// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cdna.hpp>

#include <string>

#include "unit/machines.hpp"

namespace coalescing_tests {

/// Its LDS is not modelled, and it has no global_load_lds.
inline constexpr char const* without_lds = "gfx90a";

/// Calls see.template operator()<Instruction>(machine, name) for every instruction of CDNA; of pairs, for some offsets.
template <class See>
void each_instruction_of_cdna(See const& see) {
  namespace cdna = coalescing::cdna;
  auto const with = [](char const* name, unsigned bits) {
    return name + std::string("<") + std::to_string(bits) + ">";
  };
  auto const memory = [&]<class Chip, unsigned... Bits>(char const* chip) {
    auto const width = [&]<unsigned Width>() {
      see.template operator()<typename Chip::template global_load<Width>>(chip, with("global_load", Width));
      see.template operator()<typename Chip::template global_store<Width>>(chip, with("global_store", Width));
      if constexpr (Width == 32 || Width == 64)
        see.template operator()<typename Chip::template global_atomic<Width>>(chip, with("global_atomic", Width));
    };
    (width.template operator()<Bits>(), ...);
  };
  auto const lds = [&]<class Chip, unsigned... Bits>(char const* chip) {
    auto const width = [&]<unsigned Width>() {
      see.template operator()<typename Chip::template ds_read<Width>>(chip, with("ds_read", Width));
      if constexpr (Width != 96)
        see.template operator()<typename Chip::template ds_write<Width>>(chip, with("ds_write", Width));
      if constexpr (Width == 32 || Width == 64)
        see.template operator()<typename Chip::template ds_atomic<Width>>(chip, with("ds_atomic", Width));
    };
    (width.template operator()<Bits>(), ...);
  };
  cdna::every_machine::each([&]<class Chip>() {
    memory.template operator()<Chip, 8, 16, 32, 64, 96, 128>(Chip::name);
    if constexpr (!lists(without_lds, Chip::name)) lds.template operator()<Chip, 8, 16, 32, 64, 96, 128>(Chip::name);
  });

  auto const pairs = [&]<unsigned Bits, unsigned O0, unsigned O1>() {
    using chip = cdna::gfx942;
    std::string const of = "<" + std::to_string(Bits) + "," + std::to_string(O0) + "," + std::to_string(O1) + ">";
    see.template operator()<chip::ds_read2<Bits, O0, O1>>("gfx942", "ds_read2" + of);
    see.template operator()<chip::ds_read2st64<Bits, O0, O1>>("gfx942", "ds_read2st64" + of);
    see.template operator()<chip::ds_write2<Bits, O0, O1>>("gfx942", "ds_write2" + of);
    see.template operator()<chip::ds_write2st64<Bits, O0, O1>>("gfx942", "ds_write2st64" + of);
  };
  pairs.template operator()<32, 0, 1>(), pairs.template operator()<64, 0, 1>(), pairs.template operator()<32, 7, 7>();
  pairs.template operator()<64, 3, 3>(), pairs.template operator()<64, 5, 0>();

  auto const buffer_copies = [&]<class Chip, unsigned... Bits>(char const* chip) {
    (see.template operator()<typename Chip::template buffer_load_lds<Bits>::global>(
         chip, with("buffer_load_lds", Bits) + "::global"),
     ...);
  };
  auto const copies = [&]<class Chip, unsigned... Bits>(char const* chip) {
    (see.template operator()<typename Chip::template global_load_lds<Bits>::global>(
         chip, with("global_load_lds", Bits) + "::global"),
     ...);
  };
  cdna::every_machine::each([&]<class Chip>() {
    buffer_copies.template operator()<Chip, 8, 16, 32>(Chip::name);
    if constexpr (!lists(without_lds, Chip::name)) copies.template operator()<Chip, 8, 16, 32>(Chip::name);
  });

  // Instructions of one chip.
  buffer_copies.template operator()<cdna::gfx950, 96, 128>("gfx950");
  copies.template operator()<cdna::gfx950, 96, 128>("gfx950");
  see.template operator()<cdna::gfx950::ds_read_tr<64, 16>>("gfx950", "ds_read_tr<64,16>");
  see.template operator()<cdna::gfx950::ds_read_tr<64, 8>>("gfx950", "ds_read_tr<64,8>");
  see.template operator()<cdna::gfx950::ds_read_tr<64, 4>>("gfx950", "ds_read_tr<64,4>");
}

}  // namespace coalescing_tests

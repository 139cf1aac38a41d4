// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/rdna.hpp>

#include <string>

#include "every/machines.hpp"

namespace coalescing_tests {

/// No source tells how these reach memory.
inline constexpr char const* without_memory = "gfx1250 gfx1251 gfx1170 gfx1171 gfx1172 gfx1310";
/// No source tells which lanes of 96 and 128 bits their LDS serves together.
inline constexpr char const* without_wide_loads = "gfx1010 gfx1012";

/// Calls see.template operator()<Instruction>(machine, name) for every instruction of RDNA; names of waves of 64 begin
/// with "wave64::".
template <class See>
void each_instruction_of_rdna(See const& see) {
  namespace rdna = coalescing::rdna;
  // One text a call, since a compiler makes each call: the machine's stands already.
  auto const with = [](std::string const& wave, char const* name, unsigned bits) {
    return wave + name + "<" + std::to_string(bits) + ">";
  };
  auto const global = [&]<class Wave, unsigned... Bits>(std::string const& chip, std::string const& wave) {
    auto const width = [&]<unsigned Width>() {
      see.template operator()<typename Wave::template global_load<Width>>(chip, with(wave, "global_load", Width));
      see.template operator()<typename Wave::template global_store<Width>>(chip, with(wave, "global_store", Width));
      see.template operator()<typename Wave::template buffer_load<Width>>(chip, with(wave, "buffer_load", Width));
      see.template operator()<typename Wave::template buffer_store<Width>>(chip, with(wave, "buffer_store", Width));
      if constexpr (Width == 32 || Width == 64)
        see.template operator()<typename Wave::template global_atomic<Width>>(chip, with(wave, "global_atomic", Width));
    };
    (width.template operator()<Bits>(), ...);
  };
  auto const lds_loads = [&]<class Wave, unsigned... Bits>(std::string const& chip, std::string const& wave) {
    (see.template operator()<typename Wave::template ds_load<Bits>>(chip, with(wave, "ds_load", Bits)), ...);
  };
  auto const lds_stores = [&]<class Wave, unsigned... Bits>(std::string const& chip, std::string const& wave) {
    (see.template operator()<typename Wave::template ds_store<Bits>>(chip, with(wave, "ds_store", Bits)), ...);
  };
  auto const pairs = [&]<class Wave, unsigned Bits, unsigned O0, unsigned O1>(std::string const& chip,
                                                                              std::string const& wave) {
    std::string const of = "<" + std::to_string(Bits) + "," + std::to_string(O0) + "," + std::to_string(O1) + ">";
    see.template operator()<typename Wave::template ds_load_2addr<Bits, O0, O1>>(chip, wave + "ds_load_2addr" + of);
    see.template operator()<typename Wave::template ds_load_2addr_stride64<Bits, O0, O1>>(
        chip, wave + "ds_load_2addr_stride64" + of);
    see.template operator()<typename Wave::template ds_store_2addr<Bits, O0, O1>>(chip, wave + "ds_store_2addr" + of);
    see.template operator()<typename Wave::template ds_store_2addr_stride64<Bits, O0, O1>>(
        chip, wave + "ds_store_2addr_stride64" + of);
  };
  auto const scalar = [&]<class Chip, unsigned... Dwords>(std::string const& chip) {
    (see.template operator()<typename Chip::template s_load<Dwords>>(chip, with("", "s_load", Dwords)), ...);
    (see.template operator()<typename Chip::wave64::template s_load<Dwords>>(chip, with("wave64::", "s_load", Dwords)),
     ...);
  };
  auto const waves = [&]<class Chip>(std::string const& chip) {
    auto const wave = [&]<class Wave>(std::string const& name) {
      global.template operator()<Wave, 8, 16, 32, 64, 96, 128>(chip, name);
      lds_loads.template operator()<Wave, 8, 16, 32, 64>(chip, name);
      lds_stores.template operator()<Wave, 8, 16, 32, 64, 128>(chip, name);
      pairs.template operator()<Wave, 32, 0, 1>(chip, name), pairs.template operator()<Wave, 64, 0, 1>(chip, name);
      pairs.template operator()<Wave, 32, 7, 7>(chip, name), pairs.template operator()<Wave, 64, 5, 0>(chip, name);
    };
    wave.template operator()<Chip>(""), wave.template operator()<typename Chip::wave64>("wave64::");
    scalar.template operator()<Chip, 1, 2, 4, 8, 16>(chip);
  };
  each_that<rdna::every_machine, is_shown<See>>([&]<class Chip>() {
    if constexpr (!lists(without_memory, Chip::name)) {
      waves.template operator()<Chip>(Chip::name);
      if constexpr (!lists(without_wide_loads, Chip::name)) {
        lds_loads.template operator()<Chip, 96, 128>(Chip::name, "");
        lds_loads.template operator()<typename Chip::wave64, 96, 128>(Chip::name, "wave64::");
      }
    }
  });

  // Known for some chips only.
  if constexpr (is_shown<See>("gfx1200")) scalar.template operator()<rdna::gfx1200, 3>("gfx1200");
  if constexpr (is_shown<See>("gfx1201")) scalar.template operator()<rdna::gfx1201, 3>("gfx1201");
}

}  // namespace coalescing_tests

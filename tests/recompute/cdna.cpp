// SPDX-License-Identifier: BSL-1.0
#include <coalesce/cdna.hpp>

#include "questions.hpp"

namespace recompute {

namespace cdna = co::cdna;

namespace {

std::string with(char const* name, unsigned bits) { return name + std::string("<") + std::to_string(bits) + ">"; }

template <class Chip>
void ask_memory(char const* chip) {
  auto const width = [&]<unsigned Bits>() {
    recompute::ask<typename Chip::template global_load<Bits>>(chip, with("global_load", Bits), 40);
    recompute::ask<typename Chip::template global_store<Bits>>(chip, with("global_store", Bits), 40);
    if constexpr (Bits == 32 || Bits == 64)
      recompute::ask<typename Chip::template global_atomic<Bits>>(chip, with("global_atomic", Bits), 40);
  };
  width.template operator()<8>(), width.template operator()<16>(), width.template operator()<32>();
  width.template operator()<64>(), width.template operator()<96>(), width.template operator()<128>();
}
template <class Chip>
void ask_lds(char const* chip) {
  auto const width = [&]<unsigned Bits>() {
    recompute::ask<typename Chip::template ds_read<Bits>>(chip, with("ds_read", Bits), 80);
    if constexpr (Bits != 96) recompute::ask<typename Chip::template ds_write<Bits>>(chip, with("ds_write", Bits), 80);
    if constexpr (Bits == 32 || Bits == 64)
      recompute::ask<typename Chip::template ds_atomic<Bits>>(chip, with("ds_atomic", Bits), 40);
  };
  width.template operator()<8>(), width.template operator()<16>(), width.template operator()<32>();
  width.template operator()<64>(), width.template operator()<96>(), width.template operator()<128>();
}
template <class Chip, unsigned Bits, unsigned O0, unsigned O1>
void ask_pairs() {
  std::string const of = "<" + std::to_string(Bits) + "," + std::to_string(O0) + "," + std::to_string(O1) + ">";
  recompute::ask<typename Chip::template ds_read2<Bits, O0, O1>>("gfx942", "ds_read2" + of, 40);
  recompute::ask<typename Chip::template ds_read2st64<Bits, O0, O1>>("gfx942", "ds_read2st64" + of, 40);
  recompute::ask<typename Chip::template ds_write2<Bits, O0, O1>>("gfx942", "ds_write2" + of, 40);
  recompute::ask<typename Chip::template ds_write2st64<Bits, O0, O1>>("gfx942", "ds_write2st64" + of, 40);
}
template <class Chip, unsigned... Bits>
void ask_buffer_copies(char const* chip) {
  (recompute::ask<typename Chip::template buffer_load_lds<Bits>::global>(chip, with("buffer_load_lds", Bits), 40), ...);
}
template <class Chip, unsigned... Bits>
void ask_copies(char const* chip) {
  (recompute::ask<typename Chip::template global_load_lds<Bits>::global>(chip, with("global_load_lds", Bits), 40), ...);
}

}  // namespace

void ask_cdna() {
  recompute::ask_memory<cdna::gfx90a>("gfx90a");
  recompute::ask_memory<cdna::gfx942>("gfx942");
  recompute::ask_memory<cdna::gfx950>("gfx950");
  recompute::ask_lds<cdna::gfx942>("gfx942");
  recompute::ask_lds<cdna::gfx950>("gfx950");
  recompute::ask_pairs<cdna::gfx942, 32, 0, 1>();
  recompute::ask_pairs<cdna::gfx942, 64, 0, 1>();
  recompute::ask_pairs<cdna::gfx942, 32, 7, 7>();
  recompute::ask_pairs<cdna::gfx942, 64, 3, 3>();
  recompute::ask_pairs<cdna::gfx942, 64, 5, 0>();
  recompute::ask_buffer_copies<cdna::gfx90a, 8, 16, 32>("gfx90a");
  recompute::ask_buffer_copies<cdna::gfx942, 8, 16, 32>("gfx942");
  recompute::ask_buffer_copies<cdna::gfx950, 8, 16, 32, 96, 128>("gfx950");
  recompute::ask_copies<cdna::gfx942, 8, 16, 32>("gfx942");
  recompute::ask_copies<cdna::gfx950, 8, 16, 32, 96, 128>("gfx950");
  recompute::ask<cdna::gfx950::ds_read_tr<64, 16>>("gfx950", "ds_read_tr<64,16>", 60);
  recompute::ask<cdna::gfx950::ds_read_tr<64, 8>>("gfx950", "ds_read_tr<64,8>", 60);
  recompute::ask<cdna::gfx950::ds_read_tr<64, 4>>("gfx950", "ds_read_tr<64,4>", 60);
}

}  // namespace recompute

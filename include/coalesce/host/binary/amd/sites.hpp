// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cdna.hpp>
#include <coalesce/host/binary/amd/accesses.hpp>
#include <coalesce/host/binary/answer.hpp>
#include <coalesce/host/recording.hpp>
#include <coalesce/rdna.hpp>

#include <cstdint>

// Which of the library's instructions an instruction of the binary is.

namespace coalescing::amdgcn {

/// Opens a site for an instruction, if the machine has it. Returns whether it has.
template <class Instruction, class Rows>
bool open_if_it_exists(Rows& rows, unsigned& site, found_at const& at, wave_access const& one) {
  if constexpr (Instruction::exists) site = rows.template open_as<Instruction>(at, one.array, one.space, one.kind);
  return Instruction::exists;
}

/// Opens a site for a pair of addresses on RDNA (ds_load_2addr). A pair costs twice the phases of its first place,
/// since two places that differ cost what the offsets 0 and 1 cost.
template <class Rows, rdna::chip Chip, unsigned Lanes>
bool open_pair_of_rdna(Rows& rows, unsigned& site, found_at const& at, wave_access const& one,
                       rdna::rules::instructions<Chip, Lanes> const*) {
  using machine = rdna::rules::instructions<Chip, Lanes>;
  bool opened = false;
  auto const open = [&]<unsigned Bits>() {
    if (one.moves.bytes != Bits / 8) return;
    bool const same = one.offsets[0] == one.offsets[1];
    auto const as = [&]<class Pair>() { opened = amdgcn::open_if_it_exists<Pair>(rows, site, at, one); };
    if (one.kind == touch::load)
      same ? as.template operator()<typename machine::template ds_load_2addr<Bits, 0, 0>>()
           : as.template operator()<typename machine::template ds_load_2addr<Bits, 0, 1>>();
    else
      same ? as.template operator()<typename machine::template ds_store_2addr<Bits, 0, 0>>()
           : as.template operator()<typename machine::template ds_store_2addr<Bits, 0, 1>>();
  };
  open.template operator()<32>(), open.template operator()<64>();
  return opened;
}

/// The instructions of a machine that do not just move one element: pairs of addresses, loads to LDS, transpose loads.
/// Each opens a site, and says whether the machine has a rule for it.
template <class Machine>
struct special_sites {
  template <class Rows>
  static bool open_pair(Rows& rows, unsigned& site, found_at const& at, wave_access const& one) {
    return amdgcn::open_pair_of_rdna(rows, site, at, one, static_cast<Machine const*>(nullptr));
  }
  template <class Rows>
  static bool open_to_lds(Rows&, unsigned&, found_at const&, wave_access const&) {
    return false;
  }
  template <class Rows>
  static bool open_transposed(Rows&, unsigned&, found_at const&, wave_access const&) {
    return false;
  }
};

template <cdna::chip Chip>
struct special_sites<cdna::machine<Chip>> {
  using machine = cdna::machine<Chip>;
  /// A pair costs twice the phases of its first place, since two places that differ cost what the offsets 0 and 1 cost.
  template <class Rows>
  static bool open_pair(Rows& rows, unsigned& site, found_at const& at, wave_access const& one) {
    if (one.moves.bytes == 4) return open_pair_of<32>(rows, site, at, one);
    return one.moves.bytes == 8 && open_pair_of<64>(rows, site, at, one);
  }
  template <unsigned Bits, class Rows>
  static bool open_pair_of(Rows& rows, unsigned& site, found_at const& at, wave_access const& one) {
    auto const open = [&]<class Two, class Same>() {
      site = one.offsets[0] == one.offsets[1] ? rows.template open_as<Same>(at, one.array, one.space, one.kind)
                                              : rows.template open_as<Two>(at, one.array, one.space, one.kind);
    };
    if (one.kind == touch::load)
      open.template
      operator()<typename machine::template ds_read2<Bits, 0, 1>, typename machine::template ds_read2<Bits, 0, 0>>();
    else
      open.template
      operator()<typename machine::template ds_write2<Bits, 0, 1>, typename machine::template ds_write2<Bits, 0, 0>>();
    return true;
  }
  /// The memory side of a load to LDS. Its LDS side has no rule.
  template <class Rows>
  static bool open_to_lds(Rows& rows, unsigned& site, found_at const& at, wave_access const& one) {
    if (one.space == memory_space::shared) return false;
    unsigned const bytes = one.moves.bytes;
    if (bytes == 1) return open_to_lds_of<8>(rows, site, at, one);
    if (bytes == 2) return open_to_lds_of<16>(rows, site, at, one);
    if (bytes == 4) return open_to_lds_of<32>(rows, site, at, one);
    if (bytes == 12) return open_to_lds_of<96>(rows, site, at, one);
    if (bytes == 16) return open_to_lds_of<128>(rows, site, at, one);
    return false;
  }
  template <unsigned Bits, class Rows>
  static bool open_to_lds_of(Rows& rows, unsigned& site, found_at const& at, wave_access const& one) {
    if (one.moves.by == unit::buffer)
      return amdgcn::open_if_it_exists<typename machine::template buffer_load_lds<Bits>::global>(rows, site, at, one);
    return amdgcn::open_if_it_exists<typename machine::template global_load_lds<Bits>::global>(rows, site, at, one);
  }
  template <class Rows>
  static bool open_transposed(Rows& rows, unsigned& site, found_at const& at, wave_access const& one) {
    if (one.moves.bytes != 8) return false;
    unsigned const bits = one.moves.transposed;
    if (bits == 16)
      return amdgcn::open_if_it_exists<typename machine::template ds_read_tr<64, 16>>(rows, site, at, one);
    if (bits == 8) return amdgcn::open_if_it_exists<typename machine::template ds_read_tr<64, 8>>(rows, site, at, one);
    if (bits == 4) return amdgcn::open_if_it_exists<typename machine::template ds_read_tr<64, 4>>(rows, site, at, one);
    return false;
  }
};

/// Opens a scalar load, by its bytes. Returns whether the machine has a rule for it: none has one for S_BUFFER_LOAD.
template <class Rows>
bool open_scalar(Rows&, unsigned&, found_at const&, wave_access const&, void const*) {
  return false;
}
template <class Rows, rdna::chip Chip, unsigned Lanes>
bool open_scalar(Rows& rows, unsigned& site, found_at const& at, wave_access const& one,
                 rdna::rules::instructions<Chip, Lanes> const*) {
  using machine = rdna::rules::instructions<Chip, Lanes>;
  if (one.moves.by != unit::scalar) return false;
  bool opened = false;
  auto const open = [&]<unsigned Dwords>() {
    if (one.moves.bytes == 4 * Dwords)
      opened = amdgcn::open_if_it_exists<typename machine::template s_load<Dwords>>(rows, site, at, one);
  };
  open.template operator()<1>(), open.template operator()<2>(), open.template operator()<3>();
  open.template operator()<4>(), open.template operator()<8>(), open.template operator()<16>();
  return opened;
}

template <class Rows, cdna::chip Chip>
bool open_scalar(Rows& rows, unsigned& site, found_at const& at, wave_access const& one, cdna::machine<Chip> const*) {
  if (one.moves.by != unit::scalar) return false;
  bool opened = false;
  auto const open = [&]<unsigned Dwords>() {
    if (one.moves.bytes == 4 * Dwords)
      opened = amdgcn::open_if_it_exists<typename cdna::machine<Chip>::template s_load<Dwords>>(rows, site, at, one);
  };
  open.template operator()<1>(), open.template operator()<2>(), open.template operator()<4>();
  open.template operator()<8>(), open.template operator()<16>();
  return opened;
}

/// Opens the sites of accesses.
template <class Machine>
struct site_opener {
  using access = wave_access;
  row_recorder<Machine> rows = {};

  unsigned open(instruction const& i, wave_access const& one) {
    found_at const at = binary::place_of(i);
    unsigned site = 0;
    if (one.moves.addresses == 2) {
      if (special::open_pair(rows, site, at, one)) return site;
      return rows.open_uncounted(at, one.array, one.space, one.kind, 2 * one.bytes);
    }
    bool is_open = false;
    if (one.moves.transposed != 0)
      is_open = special::open_transposed(rows, site, at, one);
    else if (one.moves.to_lds || i.has("lds"))
      is_open = special::open_to_lds(rows, site, at, one);
    else if (one.moves.by == unit::scalar || one.moves.by == unit::scalar_buffer)
      is_open = amdgcn::open_scalar(rows, site, at, one, static_cast<Machine const*>(nullptr));
    else
      return rows.open(at, one.array, one.space, one.kind, one.bytes, 16);
    return is_open ? site : rows.open_uncounted(at, one.array, one.space, one.kind, one.bytes);
  }

 private:
  using special = special_sites<Machine>;
};

}  // namespace coalescing::amdgcn

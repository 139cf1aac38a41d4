// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cdna.hpp>
#include <coalesce/host/binary/amd/accesses.hpp>
#include <coalesce/host/binary/answer.hpp>
#include <coalesce/host/recording.hpp>
#include <coalesce/rdna.hpp>

#include <cstdint>

// Finds the library's type for an instruction of the binary, such as cdna::machine<Chip>::ds_read2 for DS_READ2_B32.

namespace coalescing::amdgcn {

/// The types of a machine's instructions that do more than move one element at one address. `Bits` is how many bits a
/// lane moves at each address; for `transposed` it is the size of an element in bits. `load_pair` and `store_pair` have
/// two offsets: 0 and `Second`. `Second` is 1 for any two different offsets, because all of them cost the same: twice
/// as many phases as one address.
template <class Machine>
struct special {
  template <unsigned Bits, unsigned Second>
  using load_pair = typename Machine::template ds_load_2addr<Bits, 0, Second>;
  template <unsigned Bits, unsigned Second>
  using store_pair = typename Machine::template ds_store_2addr<Bits, 0, Second>;
  template <unsigned>
  using global_to_lds = coalescing::detail::missing;
  template <unsigned>
  using buffer_to_lds = coalescing::detail::missing;
  template <unsigned>
  using transposed = coalescing::detail::missing;
};
template <cdna::chip Chip>
struct special<cdna::machine<Chip>> {
  using machine = cdna::machine<Chip>;
  template <unsigned Bits, unsigned Second>
  using load_pair = typename machine::template ds_read2<Bits, 0, Second>;
  template <unsigned Bits, unsigned Second>
  using store_pair = typename machine::template ds_write2<Bits, 0, Second>;
  template <unsigned Bits>
  using global_to_lds = typename machine::template global_load_lds<Bits>::global;
  template <unsigned Bits>
  using buffer_to_lds = typename machine::template buffer_load_lds<Bits>::global;
  template <unsigned Bits>
  using transposed = typename machine::template ds_read_tr<64, Bits>;
};

/// Opens a site of the recording for each instruction that makes an access. A site collects the accesses that all
/// waves make at one place of the kernel (record/recording.hpp).
template <class Machine>
struct site_opener {
  using access = wave_access;
  row_recorder<Machine> rows = {};

  unsigned open(instruction const& i, wave_access const& one) {
    found_at const at = binary::place_of(i);
    unsigned const bytes = one.bytes;
    unsigned site = 0;
    bool opened = false;
    auto const open = [&]<class Instruction>() {
      if constexpr (Instruction::exists)
        site = rows.template open_as<Instruction>(at, one.array, one.space, one.kind), opened = true;
    };
    using found = special<Machine>;
    if (one.moves.addresses == 2) {
      with_the<32, 64>(8 * bytes, [&]<unsigned Bits>() {
        bool const load = one.kind == touch::load, same = one.offsets[0] == one.offsets[1];
        if (load && same) open.template operator()<typename found::template load_pair<Bits, 0>>();
        if (load && !same) open.template operator()<typename found::template load_pair<Bits, 1>>();
        if (!load && same) open.template operator()<typename found::template store_pair<Bits, 0>>();
        if (!load && !same) open.template operator()<typename found::template store_pair<Bits, 1>>();
      });
    } else if (one.moves.transposed != 0) {
      with_the<4, 8, 16>(bytes == 8 ? one.moves.transposed : 0, [&]<unsigned Bits>() {
        open.template operator()<typename found::template transposed<Bits>>();
      });
    } else if (one.moves.to_lds || i.has("lds")) {  // the LDS write is not counted: no source states its cost
      with_the<8, 16, 32, 96, 128>(one.space == memory_space::shared ? 0 : 8 * bytes, [&]<unsigned Bits>() {
        if (one.moves.by == unit::buffer)
          open.template operator()<typename found::template buffer_to_lds<Bits>>();
        else
          open.template operator()<typename found::template global_to_lds<Bits>>();
      });
    } else if (one.moves.by == unit::scalar) {
      with_the<1, 2, 3, 4, 8, 16>(bytes % 4 == 0 ? bytes / 4 : 0, [&]<unsigned Dwords>() {
        open.template operator()<typename Machine::template s_load<Dwords>>();
      });
    } else if (one.moves.by != unit::scalar_buffer && !is_misaligned(one)) {  // S_BUFFER_LOAD: no rule, not counted
      return rows.open(at, one.array, one.space, one.kind, bytes, 16);
    }
    return opened ? site : rows.open_uncounted(at, one.array, one.space, one.kind, one.moves.addresses * bytes);
  }

 private:
  /// Whether a lane of a load may have an address for which no cost is known. gfx1030's costs were measured on
  /// naturally aligned loads alone, but the hardware also loads from any other multiple of 4.
  [[nodiscard]] static bool is_misaligned(wave_access const& one) {
    bool const is_load = one.space == memory_space::global && one.kind == touch::load;
    bool found = false;
    with_the<64, 96, 128>(is_load ? 8 * one.bytes : 0, [&]<unsigned Bits>() {
      using load = typename Machine::template global_load<Bits>;
      if constexpr (load::exists && load::alignment > 4)
        binary::each_lane(one.lanes(), [&](unsigned lane) {
          bool const is_known = one.base[lane] == 0 || std::uint64_t{1} << (one.aligned[lane] & 63) >= load::alignment;
          found = found || !is_known || one.address[lane] % load::alignment != 0;
        });
    });
    return found;
  }
  /// Calls do_it<N>() for the N of Numbers that equals `number`, if there is one.
  template <unsigned... Numbers, class DoIt>
  static void with_the(unsigned number, DoIt const& do_it) {
    (void(number == Numbers && (do_it.template operator()<Numbers>(), true)), ...);
  }
};

}  // namespace coalescing::amdgcn

// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cdna.hpp>
#include <coalesce/core/misuse.hpp>
#include <coalesce/host/binary/amd/accesses.hpp>
#include <coalesce/host/binary/answer.hpp>
#include <coalesce/host/recording.hpp>
#include <coalesce/rdna.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <utility>

// Which of the library's instructions an instruction of the binary is.

namespace coalescing::amdgcn {

/// The instructions of a machine that do not just move one element, by the bits of each address or element. A pair
/// costs twice the phases of its first place: two places that differ cost what the offsets 0 and 1 cost.
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

/// Takes the accesses of the waves, and makes the answer of them.
template <class Machine>
class site_taker {
 public:
  explicit site_taker(program const& code) : code_(code) {}

  void begin(place const& block, unsigned wave) { rows.begin(block, wave); }
  void take(std::size_t index, wave_access const& one) {
    instruction const& i = code_.code[index];
    if (!one.why.empty()) return note(index, one.why, 1);
    found_at const at = binary::place_of(i);
    auto address = one.address;
    unsigned const bytes = one.moves.bytes;
    unsigned site = 0;
    bool opened = false;
    auto const open = [&]<class Instruction>() {
      if constexpr (Instruction::exists)
        site = rows.template open_as<Instruction>(at, one.array, one.space, one.kind), opened = true;
    };
    try {
      if (one.moves.addresses == 2) {
        std::uint64_t const nearest = one.offsets[0] < one.offsets[1] ? one.offsets[0] : one.offsets[1];
        for (std::uint64_t& each : address) each = (each + nearest) & 0xffffffffu;
        with_the<32, 64>(8 * bytes, [&]<unsigned Bits>() {
          bool const load = one.kind == touch::load, same = one.offsets[0] == one.offsets[1];
          using found = special<Machine>;
          if (load && same) open.template operator()<typename found::template load_pair<Bits, 0>>();
          if (load && !same) open.template operator()<typename found::template load_pair<Bits, 1>>();
          if (!load && same) open.template operator()<typename found::template store_pair<Bits, 0>>();
          if (!load && !same) open.template operator()<typename found::template store_pair<Bits, 1>>();
        });
      } else if (one.moves.transposed != 0) {
        with_the<4, 8, 16>(bytes == 8 ? one.moves.transposed : 0, [&]<unsigned Bits>() {
          open.template operator()<typename special<Machine>::template transposed<Bits>>();
        });
      } else if (one.moves.to_lds || i.has("lds")) {  // no source tells the cost of the side in LDS
        with_the<8, 16, 32, 96, 128>(one.space == memory_space::shared ? 0 : 8 * bytes, [&]<unsigned Bits>() {
          if (one.moves.by == unit::buffer)
            open.template operator()<typename special<Machine>::template buffer_to_lds<Bits>>();
          else
            open.template operator()<typename special<Machine>::template global_to_lds<Bits>>();
        });
      } else if (one.moves.by == unit::scalar) {
        with_the<1, 2, 3, 4, 8, 16>(bytes % 4 == 0 ? bytes / 4 : 0, [&]<unsigned Dwords>() {
          open.template operator()<typename Machine::template s_load<Dwords>>();
        });
      } else if (one.moves.by != unit::scalar_buffer) {  // no machine has a rule for S_BUFFER_LOAD
        site = rows.open(at, one.array, one.space, one.kind, bytes, 16), opened = true;
      }
      if (!opened) site = rows.open_uncounted(at, one.array, one.space, one.kind, one.moves.addresses * bytes);
      rows.take(site, one.active, address.data());
    } catch (misuse const& refused) {
      throw binary_refused(i.printed + ": " + refused.what(), i.line);
    }
  }
  /// An access without a cost, with the reason.
  void note(std::size_t index, std::string const& why, std::uint64_t issued) {
    auto const found = notes_.try_emplace({index, why}, 0).first;
    found->second += issued;
  }
  [[nodiscard]] std::vector<binary_unknown> unknown() const {
    std::vector<binary_unknown> all;
    all.reserve(notes_.size());
    for (auto const& [key, issued] : notes_)
      all.push_back({binary::place_of(code_.code[key.first]), key.second, issued});
    return all;
  }

  row_recorder<Machine> rows;

 private:
  /// Calls do_it<N>() for the one of Numbers that equals `number`, if any.
  template <unsigned... Numbers, class DoIt>
  static void with_the(unsigned number, DoIt const& do_it) {
    (void(number == Numbers && (do_it.template operator()<Numbers>(), true)), ...);
  }

  program const& code_;
  std::map<std::pair<std::size_t, std::string>, std::uint64_t> notes_;
};

}  // namespace coalescing::amdgcn

// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/binary/amd/accesses.hpp>
#include <coalesce/host/binary/amd/arguments.hpp>
#include <coalesce/host/binary/amd/lanes.hpp>
#include <coalesce/host/binary/amd/reach.hpp>
#include <coalesce/host/binary/amd/told.hpp>
#include <coalesce/host/binary/memory.hpp>

#include <array>
#include <cstdint>
#include <string>

// Executes the instructions that access memory, for one block.

namespace coalescing::amdgcn {

class memory_units {
 public:
  memory_units(program const& code, target const& on, binary_launch const& launch, binary::global_memory& memory,
               observer const& told)
      : arguments(arguments_of(launch, code.start, memory)),
        packet_(packet_of(launch, code.start)),
        code_(code),
        on_(on),
        memory_(memory),
        told_(told),
        lds_bytes_(code.start.lds_bytes + launch.dynamic_shared) {}

  filled_memory const arguments;
  binary::moment now = {};  ///< of the wave that runs

  void begin_block() { lds_ = binary::known_bytes(lds_bytes_); }
  /// A wave that may still store is no longer followed.
  void give_up(bool global, bool lds, cause why) {
    if (global) memory_.give_up(why);
    if (lds) lds_.give_up(why);
  }

  void access(wave& w, std::size_t index, instruction const& i, memory_opcode const& moves, cause why) {
    ++now.access;
    if (i.has("gds")) return pass(w, index, i, moves, why);
    switch (moves.by) {
      case unit::exchange:
        return run_exchange(w, i, why);
      case unit::scalar:
      case unit::scalar_buffer:
        return load_scalars(w, index, i, moves, why);
      case unit::global:
      case unit::buffer:
      case unit::lds:
        break;
      case unit::missing:
      case unit::flat:
      case unit::scratch:
      case unit::image:
        return pass(w, index, i, moves, why);
    }
    if (moves.bytes == 0 || i.has("tfe")) return pass(w, index, i, moves, why);  // tfe: a register more
    vector_access(w, index, i, moves, why);
  }

 private:
  [[nodiscard]] value load_global(std::uint64_t address, unsigned bytes, cause why) {
    if (arguments.has(address)) return arguments.load(address, bytes, why);
    if (packet_.has(address)) return packet_.load(address, bytes, why);
    binary::global_array* const in = memory_.of(address, bytes);
    if (in == nullptr || !in->has_contents) return low(binary::unknown(why), 8 * bytes);
    return in->bytes.load(address - in->base, bytes, now, why);
  }
  void store_global(std::uint64_t address, unsigned bytes, value what) {
    binary::global_array* const in = memory_.of(address, bytes);
    if (in != nullptr && in->has_contents) in->bytes.store(address - in->base, bytes, what, now);
  }

  /// Lists an access that is not followed.
  void pass(wave& w, std::size_t index, instruction const& i, memory_opcode const& moves, cause why) {
    wave_access one{.moves = moves, .kind = moves.kind};
    one.active = low(w.exec(), w.lanes).bits;
    one.why = i.has("gds")                ? "global data share: this library has no rule for it"
              : moves.by == unit::flat    ? "a flat access: this library has no rule for it"
              : moves.by == unit::scratch ? "private memory of the lanes: this library has no rule for it"
              : moves.by == unit::image   ? "an image or a formatted buffer: not followed"
                                          : "the opcode is not in the tables";
    if (one.active != 0 || !w.exec().is_known() || moves.by == unit::scalar || moves.by == unit::scalar_buffer)
      told_.access(index, w, one);
    possible_stores const writes = amdgcn::stores_of(i, moves);
    if (writes.global) memory_.forget(why);
    if (writes.lds) lds_.forget(why);
    if (moves.kind != touch::store) forget_results(w, i, moves.bytes == 0 ? why | binary::of_opcode : why);
  }

  void load_scalars(wave& w, std::size_t index, instruction const& i, memory_opcode const& moves, cause why) {
    if (i.operands.size() < 2 || moves.bytes == 0) return pass(w, index, i, moves, why);
    value base = w.scalar(i.operands[1].first, 64);
    if (moves.by == unit::scalar_buffer) base = low(base, 48);
    value const offset = i.operands.size() > 2
                             ? w.source(i.operands[2], i.operands[2].kind == operand_kind::constant ? 'q' : 'w', 0, why)
                             : exact(0);
    value const address = sum(sum(base, offset), signed_number(number_of(i, "offset")));
    wave_access one{.moves = moves, .space = memory_space::global, .kind = touch::load, .active = 1};
    if (!address.is_known()) {
      one.why = because(address, "the address of a scalar load", i);
      told_.access(index, w, one);
    } else if (!arguments.has(address.bits) && !packet_.has(address.bits)) {
      one.address[0] = address.bits & ~u64{3};
      one.array = array_at(address.bits, 1, i, 0);
      told_.access(index, w, one);
    }
    for (unsigned k = 0; k * 4 < moves.bytes; ++k) {
      unsigned const bytes = moves.bytes < 4 ? moves.bytes : 4;
      value read = address.is_known() ? load_global((address.bits & ~u64{bytes - 1}) + 4 * k, bytes, why)
                                      : low(binary::unknown(why), 8 * bytes);
      if (moves.is_signed) read = low(sign_extended(read, 8 * bytes), 32);
      w.set_scalar(i.operands[0].first + k, 32, read);
    }
  }

  /// The buffer that holds the bytes. Refused: an address outside all buffers.
  [[nodiscard]] std::string array_at(std::uint64_t address, unsigned bytes, instruction const& i, unsigned lane) {
    binary::global_array const* const in = memory_.of(address, bytes);
    if (in != nullptr) return in->name;
    std::uint64_t const number = address / binary::global_memory::spacing;
    std::string where = "in no buffer";
    if (number >= 1 && number <= memory_.arrays().size()) {
      binary::global_array const& near = memory_.arrays()[number - 1];
      where = "at byte " + std::to_string(address - near.base) + " of " + near.name + ", which has " +
              std::to_string(near.extent);
    }
    throw binary_refused(
        i.printed + ": lane " + std::to_string(lane) + " accesses " + std::to_string(bytes) + " bytes " + where,
        i.line);
  }

  void vector_access(wave& w, std::size_t index, instruction const& i, memory_opcode moves, cause why);

  [[nodiscard]] std::string because(value const& of, char const* what, instruction const& user) const {
    return amdgcn::because(code_, of, what, user);
  }

  filled_memory const packet_;
  program const& code_;
  target const& on_;
  binary::global_memory& memory_;
  observer const& told_;
  std::uint64_t const lds_bytes_;
  binary::known_bytes lds_;
};

inline void memory_units::vector_access(wave& w, std::size_t index, instruction const& i, memory_opcode moves,
                                        cause why) {
  bool const to_lds = moves.to_lds || i.has("lds"), stores = moves.kind == touch::store;
  placed_operands from = operands_of(w, i, moves, why);
  lane_addresses& lanes = from.addresses;
  operand const* const result = from.result;

  wave_access one{
      .moves = moves, .space = moves.by == unit::lds ? memory_space::shared : memory_space::global, .kind = moves.kind};
  unsigned const element = moves.bytes;
  if (moves.addresses == 2) {
    one.offsets[0] = static_cast<u64>(number_of(i, "offset0")) * moves.step * element;
    one.offsets[1] = static_cast<u64>(number_of(i, "offset1")) * moves.step * element;
  }
  lanes.active = low(lanes.active, w.lanes);
  bool known = lanes.active.is_known();
  if (!known) one.why = because(lanes.active, "which lanes are active", i);
  one.active = lanes.active.bits;
  for (unsigned lane = 0; lane != w.lanes && known; ++lane) {
    if ((one.active >> lane & 1) == 0) continue;
    known = lanes.of[lane].is_known();
    if (!known) one.why = because(lanes.of[lane], "the address", i);
    one.address[lane] = lanes.of[lane].bits;
  }
  if (known && one.active == 0) {  // no lane is active: not issued. (A lane that a descriptor masks loads 0.)
    for (unsigned lane = 0; result != nullptr && moves.by == unit::buffer && lane != w.lanes; ++lane)
      for (unsigned k = 0; k * 4 < element; ++k)
        put_loaded(w, *result, k, lane, moves, exact(0), element < 4 ? element : 4);
    return;
  }
  bool of_arguments = known && moves.by == unit::global;
  for (unsigned lane = 0; lane != w.lanes && known; ++lane) {
    if ((one.active >> lane & 1) == 0) continue;
    std::uint64_t const a = one.address[lane];
    bool const is_argument = one.space == memory_space::global && (arguments.has(a) || packet_.has(a));
    of_arguments = of_arguments && is_argument;
    if (one.space == memory_space::global) {
      if (!is_argument) {
        std::string const in = array_at(a, element, i, lane);
        one.array = one.array.empty() || one.array == in ? in : "several buffers";
      }
    } else {
      for (unsigned k = 0; k != moves.addresses; ++k)
        if (low(exact(a + one.offsets[k]), 32).bits + element > lds_.size())
          throw binary_refused(i.printed + ": lane " + std::to_string(lane) + " accesses byte " +
                                   std::to_string(a + one.offsets[k]) + " of LDS, which has " +
                                   std::to_string(lds_.size()),
                               i.line);
    }
  }
  if (one.space == memory_space::shared) one.array = "lds";
  if (!of_arguments) told_.access(index, w, one);

  // The values.
  unsigned const step = element < 4 ? element : 4;
  bool const shared = one.space == memory_space::shared;
  if (!known && moves.kind != touch::load) shared ? lds_.forget(why) : memory_.forget(why);
  value const m0 = low(w.scalar(m0_register, 32), on_.lds_bytes > 65536 ? 18 : 16);
  wave_access copied{
      .moves = moves, .space = memory_space::shared, .kind = touch::store, .array = "lds", .active = one.active};
  if (to_lds) {
    bool const placed = known && m0.is_known();
    if (!placed) copied.why = known ? because(m0, "M0, which tells where LDS is written,", i) : one.why;
    for (unsigned lane = 0; lane != w.lanes && placed; ++lane) {
      copied.address[lane] = m0.bits + static_cast<u64>(number_of(i, "offset")) + (element > 4 ? 16 : 4) * lane;
      if ((one.active >> lane & 1) != 0 && copied.address[lane] + element > lds_.size())
        throw binary_refused(i.printed + ": lane " + std::to_string(lane) + " writes past the end of LDS", i.line);
    }
    if (!placed) lds_.forget(why);
    told_.access(index, w, copied);
  }
  // All loads come before the first write, since the address may be in a register that is written.
  std::array<std::array<value, 8>, 64> read;
  for (unsigned lane = 0; lane != w.lanes; ++lane) {
    bool const active = (one.active >> lane & 1) != 0;
    for (unsigned p = 0; p != moves.addresses; ++p) {
      for (unsigned k = 0; k * step < element; ++k) {
        value& got = read[lane][p * ((element + 3) / 4) + k];
        got = low(binary::unknown(why), 8 * step);
        std::uint64_t const a = (one.address[lane] + one.offsets[p]) + k * step;
        if (stores && known && active) {
          operand const& data = *from.data[p];
          value what = w.source({.kind = operand_kind::vector, .first = data.first + k}, 'w', lane, why);
          if (moves.half == 2 || data.half == 2) what = what >> 16;
          if (shared)
            lds_.store(low(exact(a), 32).bits, step, what, now);
          else
            store_global(a, step, what);
        } else if (moves.kind == touch::load && known && active && moves.transposed == 0) {
          got = shared ? lds_.load(low(exact(a), 32).bits, step, now, why) : load_global(a, step, why);
          if (to_lds && copied.why.empty()) lds_.store(copied.address[lane] + k * step, step, got, now);
        } else if (moves.kind == touch::atomic && known && active) {
          if (shared)
            lds_.store(low(exact(a), 32).bits, step, got, now);
          else
            store_global(a, step, got);
        } else if (moves.kind == touch::load && moves.by == unit::buffer && lanes.active.is_known()) {
          got = exact(0);  // out of the descriptor's range
        }
      }
    }
  }
  if (result == nullptr || (to_lds && moves.kind == touch::load)) return;
  for (unsigned lane = 0; lane != w.lanes; ++lane)
    for (unsigned p = 0; p != moves.addresses; ++p)
      for (unsigned k = 0; k * step < element; ++k) {
        unsigned const which = p * ((element + 3) / 4) + k;
        put_loaded(w, *result, which, lane, moves, read[lane][which], step);
      }
}

}  // namespace coalescing::amdgcn

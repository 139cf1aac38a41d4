// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/binary/amd/accesses.hpp>
#include <coalesce/host/binary/amd/arguments.hpp>
#include <coalesce/host/binary/amd/lanes.hpp>
#include <coalesce/host/binary/amd/reach.hpp>

#include <cstdint>
#include <string>

// Executes the instructions that access memory, for one block: finds the lanes' addresses, checks that they lie in a
// buffer or in LDS, and moves bytes between memory and registers.

namespace coalescing::amdgcn {

class memory_units {
 public:
  memory_units(program const& code, target const& on, binary_launch const& launch, binary::global_memory& buffers,
               observer const& reports)
      : memory(buffers, "lds", code.start.lds_bytes + launch.dynamic_shared,
               {arguments_of(launch, code.start, buffers), packet_of(launch, code.start)}),
        code_(code),
        on_(on),
        reports_(reports) {}

  binary::block_memory memory;
  binary::moment now = {};  ///< of the wave that runs
  [[nodiscard]] filled_memory const& arguments() const { return memory.filled()[0]; }

  void access(wave& w, std::size_t index, instruction const& i, memory_opcode const& moves, cause why) {
    ++now.access;
    unit const by = moves.by;
    bool const is_followed = by == unit::global || by == unit::buffer || by == unit::lds;
    bool const is_scalar = by == unit::scalar || by == unit::scalar_buffer, has_other_place = i.has("gds");
    if (by == unit::exchange && !has_other_place) return run_exchange(w, i, why);
    if (is_scalar && !has_other_place) return load_scalars(w, index, i, moves, why);
    if (!is_followed || has_other_place || moves.bytes == 0 || i.has("tfe"))  // tfe: a register more
      return pass(w, index, i, moves, why);
    access_lanes(w, index, i, moves, why);
  }

 private:
  static constexpr memory_space global = memory_space::global, shared = memory_space::shared;

  [[nodiscard]] static wave_access access_of(memory_opcode const& moves, memory_space space, touch kind) {
    wave_access one;
    one.moves = moves, one.space = space, one.kind = kind, one.bytes = moves.bytes;
    return one;
  }

  /// Lists an access that is not followed.
  void pass(wave& w, std::size_t index, instruction const& i, memory_opcode const& moves, cause why) {
    wave_access one = access_of(moves, {}, moves.kind);
    one.active = low(w.exec(), w.lanes).bits;
    one.why = i.has("gds")                ? "global data share: this library has no rule for it"
              : moves.by == unit::flat    ? "a flat access: this library has no rule for it"
              : moves.by == unit::scratch ? "private memory of the lanes: this library has no rule for it"
              : moves.by == unit::image   ? "an image or a formatted buffer: not followed"
                                          : "the opcode is not in the tables";
    if (one.active != 0 || !w.exec().is_known() || moves.by == unit::scalar || moves.by == unit::scalar_buffer)
      reports_.wave_accesses(index, one);
    possible_stores const writes = amdgcn::stores_of(i, moves);
    memory.forget(writes.global, writes.lds, why);
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
    wave_access one = access_of(moves, global, touch::load);
    one.active = 1, one.address[0] = address.bits & ~u64{3};
    if (!address.is_known())
      one.why = because(code_, address, "the address of a scalar load", i);
    else if (!memory.is_filled(address.bits))
      one.array = array_of(i, 0, global, address.bits, 1);
    if (!address.is_known() || !memory.is_filled(address.bits)) reports_.wave_accesses(index, one);
    unsigned const bytes = moves.bytes < 4 ? moves.bytes : 4;
    for (unsigned k = 0; k * 4 < moves.bytes; ++k) {
      value read = address.is_known() ? memory.load(global, (address.bits & ~u64{bytes - 1}) + 4 * k, bytes, now, why)
                                      : low(binary::unknown(why), 8 * bytes);
      if (moves.is_signed) read = low(sign_extended(read, 8 * bytes), 32);
      w.set_scalar(i.operands[0].first + k, 32, read);
    }
  }

  void access_lanes(wave& w, std::size_t index, instruction const& i, memory_opcode const& moves, cause why) {
    placed_operands const from = operands_of(w, i, moves, why);
    wave_access one = located(w, i, moves, from.addresses);
    bool const is_known = one.why.empty(), to_lds = moves.to_lds || i.has("lds");
    if (is_known && one.active == 0)  // not issued. (A lane that a descriptor masks loads 0.)
      return moves.by == unit::buffer ? move(w, from, one, nullptr, why) : void();
    if (!check(one, i) || moves.by != unit::global)
      reports_.wave_accesses(index, moves.addresses == 2 ? at_first_place(one) : one);
    if (!is_known && moves.kind != touch::load) memory.forget(one.space == global, one.space == shared, why);
    wave_access const copied = to_lds ? copied_of(w, i, one) : wave_access{};
    if (!copied.why.empty()) memory.forget(false, true, why);
    if (to_lds) reports_.wave_accesses(index, copied);
    move(w, from, one, to_lds ? &copied : nullptr, why);
  }
  /// The lanes' addresses; or why they, or the lanes, are not known.
  [[nodiscard]] wave_access located(wave const& w, instruction const& i, memory_opcode const& moves,
                                    lane_addresses const& lanes) const {
    wave_access one = access_of(moves, moves.by == unit::lds ? shared : global, moves.kind);
    if (one.space == shared) one.array = memory.shared_name();
    for (unsigned k = 0; moves.addresses == 2 && k != 2; ++k)
      one.offsets[k] = static_cast<u64>(number_of(i, k == 0 ? "offset0" : "offset1")) * moves.step * moves.bytes;
    value const active = low(lanes.active, w.lanes);
    one.active = active.bits;
    if (!active.is_known()) return one.why = because(code_, active, "which lanes are active", i), one;
    binary::each_lane(one.active, [&](unsigned lane) {
      if (one.why.empty() && !lanes.of[lane].is_known()) one.why = because(code_, lanes.of[lane], "the address", i);
      one.address[lane] = lanes.of[lane].bits;
    });
    return one;
  }
  /// Finds the array. Returns whether the lanes access only what the runtime has filled. Refused: bytes outside.
  [[nodiscard]] bool check(wave_access& one, instruction const& i) const {
    bool all_filled = one.why.empty();
    binary::each_lane(one.why.empty() ? one.active : 0, [&](unsigned lane) {
      bool const is_filled = one.space == global && memory.is_filled(one.address[lane]);
      all_filled = all_filled && is_filled;
      for (unsigned k = 0; !is_filled && k != one.moves.addresses; ++k) {
        std::string const& in = array_of(i, lane, one.space, one.address[lane] + one.offsets[k], one.bytes);
        if (one.array != in) one.array = one.array.empty() ? in : "several buffers";
      }
    });
    return all_filled;
  }
  /// The array that holds a lane's bytes. Refused: bytes outside.
  [[nodiscard]] std::string const& array_of(instruction const& i, unsigned lane, memory_space space, u64 at,
                                            unsigned bytes) const {
    bool const is_lds = space == shared;
    return memory.array_of(space, is_lds ? at & 0xffffffffu : at, bytes, [&](binary::global_array const* near) {
      std::string const what =
          is_lds ? "byte " + std::to_string(at) + " of LDS, which has " : std::to_string(bytes) + " bytes ";
      std::string const where = is_lds            ? std::to_string(memory.shared_bytes())
                                : near == nullptr ? "in no buffer"
                                                  : "at byte " + std::to_string(at - near->base) + " of " + near->name +
                                                        ", which has " + std::to_string(near->extent);
      throw binary_refused(i.printed + ": lane " + std::to_string(lane) + " accesses " + what + where, i.line);
    });
  }
  /// The same access with the address of the first of each lane's two places.
  [[nodiscard]] static wave_access at_first_place(wave_access one) {
    u64 const nearest = one.offsets[0] < one.offsets[1] ? one.offsets[0] : one.offsets[1];
    for (u64& each : one.address) each = (each + nearest) & 0xffffffffu;
    return one;
  }
  /// The side of a load to LDS that writes: M0 and the instruction's offset tell where.
  [[nodiscard]] wave_access copied_of(wave const& w, instruction const& i, wave_access const& from) const {
    value const m0 = low(w.scalar(m0_register, 32), on_.lds_bytes > 65536 ? 18 : 16);
    wave_access one = access_of(from.moves, shared, touch::store);
    one.array = memory.shared_name(), one.active = from.active, one.why = from.why;
    if (one.why.empty() && !m0.is_known()) one.why = because(code_, m0, "M0, which tells where LDS is written,", i);
    binary::each_lane(one.why.empty() ? one.active : 0, [&](unsigned lane) {
      one.address[lane] = m0.bits + static_cast<u64>(number_of(i, "offset")) + (one.bytes > 4 ? 16 : 4) * lane;
      static_cast<void>(memory.array_of(shared, one.address[lane], one.bytes, [&](auto const*) {
        throw binary_refused(i.printed + ": lane " + std::to_string(lane) + " writes past the end of LDS", i.line);
      }));
    });
    return one;
  }
  /// Moves the lanes' bytes, up to 4 at a time. `copied`: the side of a load to LDS that writes, else null.
  void move(wave& w, placed_operands const& from, wave_access const& one, wave_access const* copied, cause why) {
    memory_opcode const& moves = one.moves;
    unsigned const step = one.bytes < 4 ? one.bytes : 4, words = (one.bytes + 3) / 4;
    bool const is_masked = moves.by == unit::buffer && low(from.addresses.active, w.lanes).is_known();
    value const lost = low(binary::unknown(why), 8 * step);
    for (unsigned lane = 0; lane != w.lanes; ++lane) {
      bool const is_known = one.why.empty() && (one.active >> lane & 1) != 0;
      for (unsigned k = 0; k != moves.addresses * words; ++k) {
        u64 const at = one.address[lane] + one.offsets[k / words] + k % words * step;
        value read = lost;
        if (moves.kind == touch::load && is_known && moves.transposed == 0)
          read = memory.load(one.space, at, step, now, why);
        else if (is_masked && (moves.kind == touch::load || one.active == 0))
          read = exact(0);  // out of the descriptor's range
        if (is_known && moves.kind == touch::store)
          memory.store(one.space, at, step, stored_by(w, *from.data[k / words], k % words, lane, moves), now);
        else if (is_known && moves.kind == touch::atomic)
          memory.store(one.space, at, step, lost, now);
        else if (is_known && copied != nullptr && copied->why.empty())
          memory.store(shared, copied->address[lane] + k * step, step, read, now);
        if (from.result != nullptr && copied == nullptr) put_loaded(w, *from.result, k, lane, moves, read, step);
      }
    }
  }

  program const& code_;
  target const& on_;
  observer const& reports_;
};

}  // namespace coalescing::amdgcn

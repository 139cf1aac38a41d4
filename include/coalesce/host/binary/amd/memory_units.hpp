// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/binary/amd/accesses.hpp>
#include <coalesce/host/binary/amd/arguments.hpp>
#include <coalesce/host/binary/amd/lanes.hpp>
#include <coalesce/host/binary/amd/reach.hpp>

#include <cstdint>
#include <string>
#include <string_view>

// Executes the instructions of one block that access memory. The class finds the lanes' addresses, checks that they lie
// in a buffer or in LDS, and moves bytes between memory and registers.

namespace coalescing::amdgcn {

/// When a wave accesses memory. Between its S_BARRIER_SIGNAL and its S_BARRIER_WAIT, other waves may still be before
/// the barrier, or already after it. So the access does not see what the barrier orders, and only the next barrier
/// orders it before the accesses of other waves.
struct access_moment {
  binary::moment now;
  bool has_signaled;

  [[nodiscard]] binary::moment when() const {
    binary::moment then = now;
    if (has_signaled) ++then.barriers;
    return then;
  }
  [[nodiscard]] bool sees(binary::writers const& by) const { return now.sees(by); }
};

class memory_units {
 public:
  memory_units(program const& code, target const& on, binary_launch const& launch, binary::global_memory& buffers,
               held_accesses& reports)
      : memory(buffers, "lds", code.start.lds_bytes + launch.dynamic_shared,
               {arguments_of(launch, code.start, buffers), packet_of(launch, code.start)}),
        code_(code),
        on_(on),
        reports_(reports) {}

  binary::block_memory memory;
  binary::moment now = {};  ///< the block and the wave that run, and the counts of barriers and accesses so far
  [[nodiscard]] filled_memory const& arguments() const { return memory.filled()[0]; }

  void access(wave& w, std::size_t index, instruction const& i, memory_opcode const& moves, cause why) {
    ++now.access;
    unit const by = moves.by;
    bool const is_followed = by == unit::global || by == unit::buffer || by == unit::lds;
    bool const is_scalar = by == unit::scalar || by == unit::scalar_buffer, has_other_place = i.has("gds");
    if (by == unit::exchange && !has_other_place) return run_exchange(w, i, on_, why);
    if (is_scalar && !has_other_place) return load_scalars(w, index, i, moves, why);
    if (is_private(w, i, moves)) return access_private(w, index, i, moves, why);
    if (!is_followed || has_other_place || moves.bytes == 0 || i.has("tfe"))  // tfe loads one register more
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

  /// Sets the mask of the lanes that surely take part, and the mask of those that perhaps do.
  static void put_lanes(wave_access& one, wave const& w, value mask) {
    value const active = low(mask, w.lanes);
    one.active = w.perhaps ? 0 : active.bits;
    one.perhaps = (active.bits | ~active.known) & w.every_lane() & ~one.active;
  }

  /// Puts an access that is not followed into the answer's list `unknown`, and makes unknown what the access may write.
  void pass(wave& w, std::size_t index, instruction const& i, memory_opcode const& moves, cause why) {
    wave_access one = access_of(moves, {}, moves.kind);
    put_lanes(one, w, w.exec());
    one.why = i.has("gds")                ? "global data share: this library has no rule for it"
              : moves.by == unit::flat    ? "a flat access: this library has no rule for it"
              : moves.by == unit::scratch ? "private memory of the lanes: this library has no rule for it"
              : moves.by == unit::image   ? "an image or a formatted buffer: not followed"
              : begins(i.opcode, "lds_")  ? "a read of LDS at the address in M0: not followed"
                                          : "the opcode is not in the tables";
    if (one.lanes() != 0 || moves.by == unit::scalar || moves.by == unit::scalar_buffer) reports_.access(index, one);
    possible_stores const writes = amdgcn::stores_of(i, moves);
    memory.forget(writes.global, writes.lds, why);
    if (moves.kind != touch::store) forget_results(w, i, moves.bytes == 0 ? why | binary::of_opcode : why);
  }

  /// The size in bytes against which scalar loads from a buffer are checked: the descriptor's number of records, times
  /// the stride if the stride is not 0.
  /// ("AMD RDNA 4 ISA", Buffer Range Checking, scalar loads.)
  [[nodiscard]] static value records_of(wave const& w, operand const& resource) {
    value const records = w.scalar(resource.first + 2, 32), stride = low(w.scalar(resource.first + 1, 32) >> 16, 14);
    if (!stride.is_known()) return binary::unknown(stride.why);
    return stride.bits == 0 ? low(records, 32) : product(low(records, 32), stride);
  }
  void load_scalars(wave& w, std::size_t index, instruction const& i, memory_opcode const& moves, cause why) {
    if (i.operands.size() < 2 || moves.bytes == 0) return pass(w, index, i, moves, why);
    value base = w.scalar(i.operands[1].first, 64);
    if (moves.by == unit::scalar_buffer) base = low(base, 48);
    value offset = i.operands.size() > 2
                       ? w.source(i.operands[2], i.operands[2].kind == operand_kind::constant ? 'q' : 'w', 0, why)
                       : exact(0);
    // The hardware ignores the 2 lowest bits of an offset in a register, before it adds (AMD's guides, S_LOAD_DWORD:
    // "the 2 LSBs are ignored"). Loads of 1 and 2 bytes take all bits.
    if (moves.bytes >= 4 && i.operands.size() > 2 && i.operands[2].kind == operand_kind::scalar)
      offset = offset & exact(~u64{3});
    value const past_base = sum(offset, signed_number(number_of(i, "offset"))), address = sum(base, past_base);
    // S_BUFFER_LOAD checks each dword. A dword past the end of the buffer is not read, and its register gets 0.
    bool const is_checked = moves.by == unit::scalar_buffer;
    value const records = is_checked ? records_of(w, i.operands[1]) : exact(0);
    auto const within = [&](unsigned place) {
      if (!is_checked) return exact(1);
      return binary::order_of(sum(past_base, exact(place)), records, 48, false).holds(true, false, false);
    };
    unsigned const bytes = moves.bytes < 4 ? moves.bytes : 4;
    value const first = within(0), last = within(moves.bytes - bytes);
    bool const is_within = first.is_known() && last.is_known() && first.bits == 1 && last.bits == 1;
    if (first.is_known() && first.bits == 0) {
      for (unsigned k = 0; k * 4 < moves.bytes; ++k) w.set_scalar(i.operands[0].first + k, 32, exact(0));
      return;
    }
    if (last.is_known() && last.bits == 0 && first.is_known() && !w.perhaps) refuse_split(i, "the load");
    wave_access one = access_of(moves, global, touch::load);
    (w.perhaps || !is_within ? one.perhaps : one.active) = 1;
    one.put(0, address & exact(~u64{3}), 64, memory.open_name_of(address.in)), one.settle_bases(64);
    one.array = memory.name_of(address.in);
    if (address.is_known() && !memory.is_filled(address.bits)) one.array = array_of(i, one, 0, address.bits, 1);
    if (!address.is_known() || !memory.is_filled(address.bits)) reports_.access(index, one);
    for (unsigned k = 0; k * 4 < moves.bytes; ++k) {
      value read = address.is_known()
                       ? memory.load(global, (address.bits & ~u64{bytes - 1}) + 4 * k, bytes, moment_of(w, true), why)
                       : low(binary::unknown(why), 8 * bytes);
      if (moves.is_signed) read = low(sign_extended(read, 8 * bytes), 32);
      if (bytes == 4) read = binary::loaded_word(read, one.name_of_loaded(0, now.issue()), k, (one.assumes & 1) != 0);
      read = chosen(within(4 * k), exact(0), read);
      w.set_scalar(i.operands[0].first + k, 32, read);
    }
  }

  /// Whether an instruction loads registers from the lanes' private memory or stores registers to it, in a form that is
  /// followed.
  [[nodiscard]] static bool is_private(wave const& w, instruction const& i, memory_opcode const& moves) {
    bool const is_simple = moves.kind != touch::atomic && moves.bytes != 0 && !moves.to_lds && !i.has("lds");
    if (moves.by == unit::scratch) return is_simple && i.operands.size() == 3;
    if (moves.by != unit::buffer || i.operands.size() != 4 || i.has("idxen")) return false;
    value const base = low(w.scalar(i.operands[2].first, 64), 48);
    return is_simple && base.is_known() && binary::is_private(base.bits);
  }
  /// Runs an access to private memory. Each of its words is recorded as an access of its own.
  void access_private(wave& w, std::size_t index, instruction const& i, memory_opcode const& moves, cause why) {
    bool const is_store = moves.kind == touch::store, by_buffer = moves.by == unit::buffer;
    operand const& data = i.operands[by_buffer || !is_store ? 0 : 1];
    operand const& own = i.operands[by_buffer || !is_store ? 1 : 0];
    operand const& added = i.operands[by_buffer ? 3 : 2];
    unsigned const step = moves.bytes < 4 ? moves.bytes : 4;
    std::array<value, 64> offset;
    for (unsigned lane = 0; lane != w.lanes; ++lane) {
      value const from =
          own.kind == operand_kind::off || (by_buffer && !i.has("offen")) ? exact(0) : w.source(own, 'w', lane, why);
      value const all = sum(from, w.source(added, 'w', 0, why), signed_number(number_of(i, "offset")));
      offset[lane] = low(all, 32);
      // The words of the lanes alternate in private memory: the next word of a lane is w.lanes words further on. But
      // the scalar offset of a buffer access is not multiplied by w.lanes. So a lane may reach the word of another
      // lane, and its offset is unknown here.
      if (by_buffer && !(added.kind == operand_kind::constant && added.integer == 0) && added.first != null_register)
        offset[lane] = low(binary::unknown(why), 32);
    }
    for (unsigned at = 0; at != moves.bytes; at += step) report_private(w, index, i, moves, step, at, offset);
    for (unsigned lane = 0; lane != w.lanes; ++lane)
      for (unsigned k = 0; k * step != moves.bytes; ++k)
        move_private(w, moves, data, lane, k, binary::private_piece(offset[lane], k * step, step), why);
  }
  void report_private(wave const& w, std::size_t index, instruction const& i, memory_opcode const& moves, unsigned step,
                      unsigned at, std::array<value, 64> const& offsets) {
    wave_access one = access_of(moves, global, moves.kind);
    one.bytes = one.moves.bytes = step, one.array = "scratch";
    put_lanes(one, w, w.exec());
    binary::put_private(one, offsets, at, w.lanes, w.number,
                        [&](value const& of) { static_cast<void>(because(code_, of, "the address", i)); });
    if (one.lanes() != 0) reports_.access(index, one);
  }
  void move_private(wave& w, memory_opcode const& moves, operand const& data, unsigned lane, unsigned k,
                    binary::private_piece const& piece, cause why) {
    bool const is_store = moves.kind == touch::store, is_followed = piece.is_in(w.private_words());
    unsigned const place = w.first_private + (is_followed ? piece.word() : 0);
    if (is_followed && is_store) {
      w.set_lane(place, lane, piece.stored(w.lane(place, lane, 32), stored_by(w, data, k, lane, moves)));
    } else if (is_followed) {
      put_loaded(w, data, k, lane, moves, on_, piece.loaded(w.lane(place, lane, 32)), piece.bytes, why);
    } else if (is_store) {
      for (unsigned n = 0; !piece.is_outside(w.private_words()) && n != w.private_words(); ++n)
        w.set_lane(w.first_private + n, lane, low(binary::unknown(why), 32));
    } else {
      put_loaded(w, data, k, lane, moves, on_, low(binary::unknown(why), 8 * piece.bytes), piece.bytes, why);
    }
  }

  void access_lanes(wave& w, std::size_t index, instruction const& i, memory_opcode const& moves, cause why) {
    placed_operands const from = operands_of(w, i, moves, on_, why);
    wave_access one = located(w, i, moves, from.addresses);
    bool const to_lds = moves.to_lds || i.has("lds");
    // If no lane accesses memory, nothing is reported of it. A buffer load still writes 0 to the registers, or to the
    // LDS, of those lanes whose offset is out of the descriptor's range.
    if (one.lanes() == 0 && moves.by != unit::buffer) return;
    if (one.lanes() != 0 && (!check(one, i) || moves.by != unit::global))
      reports_.access(index, moves.addresses == 2 ? at_first_place(one) : one);
    wave_access const copied = to_lds ? copied_of(w, i, one) : wave_access{};
    if (copied.lanes() != 0) reports_.access(index, copied);
    move(w, from, one, to_lds ? &copied : nullptr, why);
  }
  /// The access, with the masks of its lanes and the address of each lane.
  [[nodiscard]] wave_access located(wave const& w, instruction const& i, memory_opcode const& moves,
                                    lane_addresses const& lanes) const {
    wave_access one = access_of(moves, moves.by == unit::lds ? shared : global, moves.kind);
    if (one.space == shared) one.array = memory.shared_name();
    for (unsigned k = 0; moves.addresses == 2 && k != 2; ++k)
      one.offsets[k] = static_cast<u64>(number_of(i, k == 0 ? "offset0" : "offset1")) * moves.step * moves.bytes;
    put_lanes(one, w, lanes.active);
    value const active = low(lanes.active, w.lanes);
    if (!active.is_known() && (active.why & binary::of_opcode) != 0)
      one.why = because(code_, active, "which lanes are active", i);  // throws: an opcode is not in the tables
    unsigned const width = one.space == shared ? 32 : 64;
    binary::each_lane(one.lanes(), [&](unsigned lane) {
      value const at = lanes.of[lane];
      if (one.why.empty() && !at.is_known() && (at.why & binary::of_opcode) != 0)
        one.why = because(code_, at, "the address", i);  // throws: an opcode is not in the tables
      one.put(lane, at, width, one.space == shared ? 0 : memory.open_name_of(at.in));
      if (moves.addresses == 1) memory.keep_within(one, lane);
    });
    one.settle_bases(width);
    return one;
  }
  /// Finds the array that the lanes access. Returns whether they access only memory that the runtime has filled (the
  /// arguments, the dispatch packet). Refused: bytes outside every array, if their lane takes part for certain.
  [[nodiscard]] bool check(wave_access& one, instruction const& i) const {
    bool all_filled = one.why.empty();
    auto const is_in = [&one](std::string_view array) {
      if (one.array != array) one.array = one.array.empty() ? array : "several buffers";
    };
    binary::each_lane(one.why.empty() ? one.lanes() : 0, [&](unsigned lane) {
      bool const is_known = one.base[lane] == 0;
      bool const is_filled = one.space == global && is_known && memory.is_filled(one.address[lane]);
      all_filled = all_filled && is_filled;
      if (one.space == global && !is_known) is_in(memory.name_of(one.in[lane]));
      for (unsigned k = 0; is_known && !is_filled && k != one.moves.addresses; ++k) {
        std::string_view const in = array_of(i, one, lane, one.address[lane] + one.offsets[k], one.bytes);
        // If no array holds the bytes, the lane does not take part. (If the lane takes part for certain, array_of()
        // throws.)
        if (!in.empty()) is_in(in);
      }
    });
    return all_filled;
  }
  /// The array that holds the bytes of a lane. Refused: bytes outside every array, if the lane takes part for certain.
  [[nodiscard]] std::string_view array_of(instruction const& i, wave_access const& one, unsigned lane, u64 at,
                                          unsigned bytes) const {
    bool const is_lds = one.space == shared, is_certain = (one.active >> lane & 1) != 0;
    return memory.array_of(one.space, is_lds ? at & 0xffffffffu : at, bytes, [&](binary::global_array const* near) {
      if (!is_certain) return;
      std::string const what =
          is_lds ? "byte " + std::to_string(at) + " of LDS, which has " : std::to_string(bytes) + " bytes ";
      std::string const where = is_lds            ? std::to_string(memory.shared_bytes())
                                : near == nullptr ? "in no buffer"
                                                  : "at byte " + std::to_string(at - near->base) + " of " + near->name +
                                                        ", which has " + std::to_string(near->extent);
      throw binary_refused(i.printed + ": lane " + std::to_string(lane) + " accesses " + what + where, i.line);
    });
  }
  /// An access of two addresses (such as ds_read2) as it is reported: each lane has the lower one of its addresses.
  [[nodiscard]] static wave_access at_first_place(wave_access one) {
    u64 const nearest = one.offsets[0] < one.offsets[1] ? one.offsets[0] : one.offsets[1];
    for (unsigned lane = 0; lane != 64; ++lane) {
      one.address[lane] += nearest;
      if (one.base[lane] == 0) one.address[lane] &= 0xffffffffu;
    }
    return one;
  }
  /// The store to LDS that is part of a load to LDS. Lane n stores at the address
  /// M0 + the instruction's offset + 4 * n. If a lane moves more than 4 bytes, 16 * n stands in the place of 4 * n.
  /// Lanes that a buffer's descriptor masks store 0 there.
  [[nodiscard]] wave_access copied_of(wave const& w, instruction const& i, wave_access const& from) const {
    value const m0 = low(w.scalar(m0_register, 32), on_.lds_bytes > 65536 ? 18 : 16);
    wave_access one = access_of(from.moves, shared, touch::store);
    one.array = memory.shared_name(), one.why = from.why;
    put_lanes(one, w, w.exec());
    if ((m0.why & binary::of_opcode) != 0) one.why = because(code_, m0, "M0, which tells where LDS is written,", i);
    binary::each_lane(one.lanes(), [&](unsigned lane) {
      u64 const at = static_cast<u64>(number_of(i, "offset")) + (one.bytes > 4 ? 16 : 4) * lane;
      one.put(lane, sum(m0, exact(at)), 32);
      if (one.base[lane] != 0) return;
      static_cast<void>(memory.array_of(shared, one.address[lane], one.bytes, [&](auto const*) {
        if ((one.active >> lane & 1) == 0) return;
        throw binary_refused(i.printed + ": lane " + std::to_string(lane) + " writes past the end of LDS", i.line);
      }));
    });
    one.settle_bases(32);
    return one;
  }
  [[nodiscard]] access_moment moment_of(wave const& w, bool is_certain) const {
    access_moment then{now, w.has_signaled};
    then.now.perhaps = !is_certain;
    return then;
  }
  /// Moves the lanes' bytes, up to 4 at a time. `copied` is the store to LDS if the access is a load to LDS, else null.
  void move(wave& w, placed_operands const& from, wave_access const& one, wave_access const* copied, cause why) {
    memory_opcode const& moves = one.moves;
    unsigned const step = one.bytes < 4 ? one.bytes : 4, words = (one.bytes + 3) / 4;
    value const mask = low(from.addresses.active, w.lanes);
    value const lost = low(binary::unknown(why), 8 * step);
    for (unsigned lane = 0; lane != w.lanes; ++lane) {
      u64 const bit = u64{1} << lane;
      bool const may = (one.lanes() & bit) != 0, is_known = may && one.why.empty() && one.base[lane] == 0;
      bool const is_masked = moves.by == unit::buffer && (mask.known & bit) != 0 && (mask.bits & bit) == 0;
      access_moment const then = moment_of(w, (one.active & bit) != 0);
      for (unsigned k = 0; k != moves.addresses * words; ++k) {
        u64 const at = one.address[lane] + one.offsets[k / words] + k % words * step;
        value read = lost;
        if (moves.kind == touch::load && is_known && moves.transposed == 0)
          read = memory.load(one.space, at, step, then, why);
        else if (is_masked)
          read = exact(0);  // the lane is out of the descriptor's range
        if (moves.kind == touch::load && may && step == 4 && moves.transposed == 0)
          read = binary::loaded_word(read, binary::name_of(one.name_of_loaded(lane, now.issue()), k / words), k % words,
                                     (one.assumes & bit) != 0);
        if (moves.by == unit::buffer && may && (mask.known & bit) == 0)  // perhaps out of range: then it reads 0
          read = chosen(bit_of(mask, lane), exact(0), read);
        if (is_known && moves.kind == touch::store)
          memory.store(one.space, at, step, stored_by(w, *from.data[k / words], k % words, lane, moves), then);
        else if (is_known && moves.kind == touch::atomic)
          memory.store(one.space, at, step, lost, then);
        else if (copied != nullptr && (copied->lanes() & bit) != 0 && copied->why.empty() && copied->base[lane] == 0)
          memory.store(shared, copied->address[lane] + k * step, step, read, moment_of(w, (copied->active & bit) != 0));
        if (from.result != nullptr && copied == nullptr)
          put_loaded(w, *from.result, k, lane, moves, on_, read, step, why);
      }
    }
    if (moves.kind != touch::load) memory.forget_unknown(one, why, moment_of(w, true));
    if (copied != nullptr) memory.forget_unknown(*copied, why, moment_of(w, true));
  }
  program const& code_;
  target const& on_;
  held_accesses& reports_;
};

}  // namespace coalescing::amdgcn

// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/binary/block_memory.hpp>
#include <coalesce/host/binary/nvidia/accesses.hpp>
#include <coalesce/host/binary/nvidia/barriers.hpp>
#include <coalesce/host/binary/nvidia/registers.hpp>
#include <coalesce/host/binary/private_memory.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>

// Runs loads, stores and atomics: finds which bytes they access, and what is known of their values.

namespace coalescing::sass {

class memory_runner {
 public:
  /// `shared_bytes` is the size of a block's shared memory, with the bytes that sm_90 and later reserve. `found` is for
  /// block_memory::watch.
  memory_runner(program const& code, register_runner const& registers, binary::global_memory& memory,
                held_accesses& reports, std::uint64_t shared_bytes, std::set<std::size_t>& found)
      : code_(code), registers_(registers), reports_(reports), memory_(memory, "shared", shared_bytes) {
    memory_.watch(found);
    for (instruction const& each : code.code) stores_ = stores_ || may_write(each);
  }

  void begin_block() { memory_.begin_block(); }
  /// Sets which warp makes the accesses that follow, and which writes it sees.
  void now(warp_view const& view) { now_ = view, now_.now.access = ++accesses_; }
  /// How often a byte of memory, or what is known of it, has changed.
  [[nodiscard]] std::uint64_t changes() const { return memory_.changes(); }
  /// Makes all memory unknown, because other blocks may have written any byte.
  void forget_all(std::size_t index) { memory_.forget(true, true, why_of(index)); }
  /// Makes all memory unknown for good. To be called if a warp ended before its EXIT, or may have passed a barrier
  /// alone: the warp may then write any byte at any time. Nothing changes if the kernel has no instruction that stores,
  /// unless the warp ended at a CALL: the code that it calls may store.
  void give_up(std::size_t index) {
    if (stores_ || code_.code[index].base == "CALL") memory_.give_up(true, true, why_of(index));
  }

  /// Puts an instruction that is not followed into the answer's list `unknown`, and makes unknown what the instruction
  /// may write. An instruction on an mbarrier may write the mbarrier's 8 bytes (PTX ISA, "mbarrier"), or any shared
  /// memory if the address is unknown. For any other instruction that may write, all memory becomes unknown.
  void list(warp& w, std::size_t index, std::uint32_t lanes, char const* why) {
    report(index, why);
    instruction const& i = code_.code[index];
    if (!may_write(i)) return;
    detail::memory_opcode const* const of = detail::memory_opcode_of(i.base);
    if (of == nullptr) forget_local(w, lanes, why_of(index));
    operand const* at = nullptr;
    for (operand const& o : i.operands)
      if (o.kind == operand_kind::memory) at = &o;
    if (of == nullptr || of->memory != detail::opcode_memory::mbarrier || at == nullptr) return forget_all(index);
    each_lane(lanes, [&](unsigned lane) {
      value const address = shared_address(w, *at, lane);
      if (address.is_known() && address.bits + 8 <= memory_.shared_bytes())
        memory_.store(memory_space::shared, address.bits, 8, binary::unknown(why_of(index)), now_);
      else
        memory_.forget(false, true, why_of(index));
    });
  }

  /// Runs an access. `active` is the mask of lanes that surely take part, `perhaps` of those that take part or not,
  /// depending on data.
  void access(warp& w, std::size_t index, std::uint32_t active, std::uint32_t perhaps) {
    instruction const& i = code_.code[index];
    shape const& s = registers_.shape_at(index);
    operand const* places[2] = {};
    operand const* data = nullptr;
    unsigned found = 0;
    for (operand const* o : s.from)
      if (o->kind == operand_kind::memory && found != 2)
        places[found++] = o;
      else if (o->kind == operand_kind::general && data == nullptr)
        data = o;
    using detail::opcode_memory;
    detail::memory_opcode const& of = *detail::memory_opcode_of(i.base);
    bool const is_copy = of.memory == opcode_memory::copied, is_matrices = of.memory == opcode_memory::matrices;
    if (found != (is_copy ? 2u : 1u))
      throw binary_refused("the operands of " + i.printed + " are not understood", i.line);
    unsigned const width = is_matrices ? detail::matrices_of(modifiers_of(i)) : detail::width_of(modifiers_of(i));
    if (width == 0) {
      report(index, "a form of the opcode that is not in the tables");
      if (may_write(i) || of.memory == opcode_memory::local) forget_local(w, active | perhaps, why_of(index));
      if (may_write(i)) forget_all(index);
      return registers_.forget(w, index, active | perhaps, why_of(index), 8);
    }
    warp_access one;
    one.bytes = is_matrices ? 16 : width, one.is_copy = is_copy, one.is_generic = of.memory == opcode_memory::generic;
    one.kind = of.kind;
    if (of.memory == opcode_memory::local || one.is_generic) {
      local_lanes const local = lanes_of_local(w, *places[0], active | perhaps, one.is_generic);
      if (one.kind != touch::load) forget_local(w, local.perhaps, why_of(index));
      if (local.surely != 0 && local.surely == (active | perhaps) && one.kind != touch::atomic)
        return access_local(w, index, active, perhaps, one, data, local.offset);
      if (local.surely != 0) {
        report(index, "local memory in some lanes, or atomics of it");
        forget_local(w, local.surely, why_of(index));
        if (may_write(i)) forget_all(index);
        return registers_.forget(w, index, active | perhaps, why_of(index), 8);
      }
    }
    if (is_copy) return copy(w, index, s, *places[0], *places[1], active, perhaps, one);
    one.space = is_matrices || of.memory == opcode_memory::shared ? memory_space::shared : memory_space::global;
    if (is_matrices)
      one.matrices = width, one.is_transposed = i.has("MT88");
    else if (one.kind == touch::atomic && one.bytes < 4)
      one.bytes = 4;
    locate(w, index, *places[0], active, perhaps, one);
    if (one.lanes() == 0) return;
    if (one.matrices != 0)
      move_matrices(w, index, one);
    else if (one.kind == touch::load)
      load(w, index, one, active | perhaps);
    else if (one.kind == touch::store)
      store(w, index, one, data);
    else
      lose(w, index, one, active | perhaps);
    reports_.access(index, one);
  }

 private:
  [[nodiscard]] static cause why_of(std::size_t index) { return static_cast<cause>(index + 1); }
  /// Puts an instruction whose cost is not known into the answer's list `unknown`.
  void report(std::size_t index, char const* why) {
    warp_access one;
    one.why = why, reports_.access(index, one);
  }

  /// Finds each lane's address, and the buffer that is accessed. Refused: an address outside all buffers, or outside
  /// shared memory, if its lane surely takes part.
  void locate(warp const& w, std::size_t index, operand const& at, std::uint32_t active, std::uint32_t perhaps,
              warp_access& one) const {
    instruction const& i = code_.code[index];
    bool const shared = one.space == memory_space::shared;
    std::uint32_t const given =
        one.matrices == 0 || one.matrices == 4 ? ~std::uint32_t{0} : (std::uint32_t{1} << 8 * one.matrices) - 1;
    one.active = active & given, one.perhaps = perhaps & ~active & given;
    one.array = shared ? memory_.shared_name() : "";
    each_lane(one.lanes(), [&](unsigned lane) {
      value const address = shared ? shared_address(w, at, lane) : global_address(w, at, lane);
      one.put(lane, address, shared ? 32 : 64, shared ? 0 : memory_.open_name_of(address.in));
      memory_.keep_within(one, lane);
      bool const is_refused = (address.why & binary::of_opcode) != 0, is_anywhere = one.is_generic && address.in == 0;
      if (!address.is_known() && (is_refused || is_anywhere) && one.why.empty())
        one.why = because(code_, address, "its address", i);
      std::string_view in;
      if (one.base[lane] == 0)
        in = memory_.array_of(one.space, address.bits, one.bytes, [&](auto const* near) {
          if ((one.active >> lane & 1) == 0) return;
          throw binary_refused(
              "lane " + std::to_string(lane) + " accesses " +
                  (shared ? outside_shared(address.bits, memory_.shared_bytes()) : outside_buffers(address.bits, near)),
              i.line);
        });
      else if (!shared)
        in = memory_.name_of(address.in);
      if (one.array.empty()) one.array = in;
    });
    one.settle_bases(shared ? 32 : 64);
  }
  [[nodiscard]] static bool is_known(warp_access const& one, unsigned lane) {
    return one.why.empty() && (one.lanes() >> lane & 1) != 0 && one.base[lane] == 0;
  }
  /// The moment of a lane's store, and which writes its warp sees. The moment also says whether the store surely takes
  /// place.
  [[nodiscard]] warp_view moment_of(warp_access const& one, unsigned lane) const {
    warp_view then = now_;
    then.now.perhaps = (one.active >> lane & 1) == 0;
    return then;
  }

  void load(warp& w, std::size_t index, warp_access const& one, std::uint32_t lanes) {
    instruction const& i = code_.code[index];
    shape const& s = registers_.shape_at(index);
    value const lost = low(binary::unknown(why_of(index)), 32);
    for (operand const* o : s.predicates)  // LDG.E P0, R2, ... also writes a predicate, which becomes unknown
      if (o != nullptr)
        each_lane(lanes, [&](unsigned lane) {
          w.settle(operand_kind::predicate, o->index, std::uint32_t{1} << lane);
          w.predicates[o->index][lane] = word(low(lost, 1));
        });
    bool const is_signed = i.has("S8") || i.has("S16");
    unsigned const width = one.bytes < 4 ? one.bytes : 4;
    register_groups const to = loaded_groups(index, one.bytes);
    each_lane(lanes, [&](unsigned lane) {
      u64 const name = one.name_of_loaded(lane, now_.now.issue());
      value const guard = w.predicate(i.guard, lane);
      for (unsigned k = 0; 4 * k < one.bytes; ++k) {
        if (to.of(k) >= zero_register) continue;
        value v =
            is_known(one, lane) ? memory_.load(one.space, one.address[lane] + 4 * k, width, now_, why_of(index)) : lost;
        if (is_signed) v = low(sign_extended(v, 8 * width), 32);
        if (width == 4 && one.why.empty()) v = binary::loaded_word(v, name, k, (one.assumes >> lane & 1) != 0);
        put(w, to.of(k), lane, v, guard);
      }
    });
  }
  /// The registers that a load writes in a lane. stored_groups() finds the registers whose values a store writes.
  [[nodiscard]] register_groups loaded_groups(std::size_t index, unsigned bytes) const {
    shape const& s = registers_.shape_at(index);
    return {code_.code[index], bytes, s.second != nullptr ? s.second : s.to, s.second != nullptr ? s.to : nullptr};
  }
  [[nodiscard]] register_groups stored_groups(std::size_t index, unsigned bytes, operand const* data) const {
    operand const* second = nullptr;
    if (code_.code[index].has("ENL2"))
      for (operand const* o : registers_.shape_at(index).from)
        if (o->kind == operand_kind::general && o != data) second = o;
    return {code_.code[index], bytes, data, second};
  }
  [[nodiscard]] static value stored_word(warp const& w, std::size_t index, register_groups const& from,
                                         operand const* data, unsigned k, unsigned lane) {
    return data == nullptr ? binary::unknown(why_of(index)) : w.general_register(from.of(k), lane);
  }
  /// Writes a register or a word of local memory for one lane. The predicate `guard` decides: nothing is written if it
  /// is false. If it is unknown, both the old and the new value are possible.
  static void put(warp& w, unsigned index, unsigned lane, value v, value guard) {
    if (guard.is_known() && guard.bits != 0)
      w.set_general(index, lane, word(v));
    else if (!guard.is_known())
      w.set_general_perhaps(index, lane, word(v), guard.why);
  }
  /// The lanes whose address surely lies in local memory, those whose address may lie there, and the address of each
  /// lane as an offset in local memory.
  struct local_lanes {
    std::uint32_t surely = 0, perhaps = 0;
    std::array<value, 64> offset = {};
  };
  [[nodiscard]] static local_lanes lanes_of_local(warp const& w, operand const& at, std::uint32_t lanes,
                                                  bool is_generic) {
    local_lanes made;
    each_lane(lanes, [&](unsigned lane) {
      value const address = is_generic ? global_address(w, at, lane) : shared_address(w, at, lane);
      bool const is_there = !is_generic || (address.is_known() && binary::is_private(address.bits));
      bool const may_be = !address.is_known() && address.in == 0;
      (is_there ? made.surely : made.perhaps) |= std::uint32_t{is_there || may_be} << lane;
      made.offset[lane] = low(address, 32);
    });
    return made;
  }
  /// Runs an access to local memory. Each of its 4-byte words is recorded as an access of its own.
  void access_local(warp& w, std::size_t index, std::uint32_t active, std::uint32_t perhaps, warp_access one,
                    operand const* data, std::array<value, 64> const& offsets) {
    instruction const& i = code_.code[index];
    unsigned const bytes = one.bytes;
    one.bytes = bytes < 4 ? bytes : 4, one.space = memory_space::global, one.array = "local";
    one.active = active, one.perhaps = perhaps & ~active;
    for (unsigned at = 0; at != bytes; at += one.bytes) {
      binary::put_private(one, offsets, at, warp_lanes, w.number,
                          [&](value const& of) { static_cast<void>(because(code_, of, "its address", i)); });
      reports_.access(index, one);
    }
    bool const is_store = one.kind == touch::store, is_signed = i.has("S8") || i.has("S16");
    register_groups const words = is_store ? stored_groups(index, bytes, data) : loaded_groups(index, bytes);
    each_lane(one.lanes(), [&](unsigned lane) {
      value const guard = w.predicate(i.guard, lane);
      for (unsigned k = 0; k * one.bytes != bytes; ++k) {
        binary::private_piece const piece(offsets[lane], k * one.bytes, one.bytes);
        bool const is_followed = piece.is_in(w.local_words());
        unsigned const place = w.first_local + (is_followed ? piece.word() : 0);
        value const held = is_followed ? w.held(place, lane) : low(binary::unknown(why_of(index)), 32);
        if (is_store && is_followed)
          put(w, place, lane, piece.stored(held, stored_word(w, index, words, data, k, lane)), guard);
        else if (is_store && !piece.is_outside(w.local_words()))
          forget_local(w, std::uint32_t{1} << lane, why_of(index));
        if (is_store || words.of(k) >= zero_register) continue;
        value const read = is_followed ? piece.loaded(held) : low(held, 8 * one.bytes);
        put(w, words.of(k), lane, is_signed ? low(sign_extended(read, 8 * one.bytes), 32) : read, guard);
      }
    });
  }
  /// Makes the local memory of these lanes unknown, because an instruction that is not followed may have written it.
  static void forget_local(warp& w, std::uint32_t lanes, cause why) {
    each_lane(lanes, [&](unsigned lane) {
      for (unsigned n = 0; n != w.local_words(); ++n)
        w.set_general(w.first_local + n, lane, word(low(binary::unknown(why), 32)));
    });
  }
  void store(warp const& w, std::size_t index, warp_access const& one, operand const* data) {
    register_groups const from = stored_groups(index, one.bytes, data);
    each_lane(one.lanes(), [&](unsigned lane) {
      if (!is_known(one, lane)) return;
      for (unsigned k = 0; 4 * k < one.bytes; ++k) {
        memory_.store(one.space, one.address[lane] + 4 * k, one.bytes < 4 ? one.bytes : 4,
                      stored_word(w, index, from, data, k, lane), moment_of(one, lane));
      }
    });
    memory_.forget_unknown(one, why_of(index), now_, one.is_generic);
  }
  /// Runs atomics: what they leave in memory and what they return becomes unknown, since their order is not known.
  void lose(warp& w, std::size_t index, warp_access const& one, std::uint32_t lanes) {
    memory_.forget_unknown(one, why_of(index), now_, one.is_generic);
    each_lane(one.lanes(), [&](unsigned lane) {
      for (unsigned k = 0; is_known(one, lane) && k < one.bytes; k += 4)
        memory_.store(one.space, one.address[lane] + k, 4, binary::unknown(why_of(index)), moment_of(one, lane));
    });
    registers_.forget(w, index, lanes, why_of(index), one.bytes / 4);
  }
  /// Runs LDSM and STSM. A register of a lane holds two elements of a row. (PTX ISA, "ldmatrix": lane l holds the
  /// elements 2 (l % 4) and 2 (l % 4) + 1 of row l / 4; with .trans, those of the transposed matrix.)
  void move_matrices(warp& w, std::size_t index, warp_access const& one) {
    shape const& s = registers_.shape_at(index);
    operand const* data = s.to;
    for (operand const* o : s.from)
      if (one.kind == touch::store && o->kind == operand_kind::general) data = o;
    bool const is_whole =
        one.why.empty() && one.is_exact() && std::popcount(one.active) == static_cast<int>(8 * one.matrices);
    if (one.kind == touch::store && !is_whole) return memory_.forget(false, true, why_of(index), now_);
    if (data == nullptr || data->index == zero_register) return;
    for (unsigned matrix = 0; matrix != one.matrices; ++matrix)
      for (unsigned lane = 0; lane != warp_lanes; ++lane) {
        if (data->index + matrix >= zero_register) continue;
        value const at = w.general_register(data->index + matrix, lane);
        value v = is_whole ? exact(0) : low(binary::unknown(why_of(index)), 32);
        for (unsigned half = 0; is_whole && half != 2; ++half) {
          unsigned const row = one.is_transposed ? lane % 4 * 2 + half : lane / 4,
                         column = one.is_transposed ? lane / 4 : lane % 4 * 2 + half;
          std::uint64_t const from = one.address[8 * matrix + row] + 2 * column;
          if (one.kind == touch::load)
            v = v | memory_.load(one.space, from, 2, now_, why_of(index)) << (16 * half);
          else
            memory_.store(one.space, from, 2, at >> (16 * half), now_);
        }
        if (one.kind == touch::load) w.set_general(data->index + matrix, lane, word(v));
      }
  }
  /// Runs LDGSTS. A predicate among the operands may be false for a lane: the lane then reads nothing, and writes
  /// zeros. (PTX ISA, "cp.async", ignore-src.) If this predicate is unknown, so is what the lane writes.
  void copy(warp& w, std::size_t index, shape const& s, operand const& to, operand const& from, std::uint32_t active,
            std::uint32_t perhaps, warp_access one) {
    warp_access read = one;
    read.space = memory_space::global, read.kind = touch::load;
    one.space = memory_space::shared, one.kind = touch::store;
    std::uint32_t reads = active, may_read = perhaps, writes_zeros = 0, writes_either = 0;
    for (operand const* o : s.from)
      if (is_predicate(*o))
        each_lane(active | perhaps, [&](unsigned lane) {
          value const is = w.predicate(*o, lane);
          std::uint32_t const bit = std::uint32_t{1} << lane;
          if (is.is_known() && is.bits != 0) return;
          reads &= ~bit;
          if (is.is_known()) may_read &= ~bit, writes_zeros |= bit;
          if (!is.is_known()) may_read |= bit, writes_either |= bit;
        });
    locate(w, index, from, reads, may_read, read);
    locate(w, index, to, active, perhaps, one);
    each_lane(one.lanes(), [&](unsigned lane) {
      if (!is_known(one, lane)) return;
      bool const is_zero = (writes_zeros >> lane & 1) != 0, is_read = (writes_either >> lane & 1) == 0;
      for (unsigned k = 0; k < one.bytes; k += 4) {
        value v = is_zero ? exact(0) : low(binary::unknown(why_of(index)), 32);
        if (!is_zero && is_read && is_known(read, lane))
          v = memory_.load(read.space, read.address[lane] + k, 4, now_, why_of(index));
        memory_.store(one.space, one.address[lane] + k, 4, v, moment_of(one, lane));
      }
    });
    memory_.forget_unknown(one, why_of(index), now_, one.is_generic);
    if (read.lanes() != 0) reports_.access(index, read);
    if (one.lanes() != 0) reports_.access(index, one);
  }

  program const& code_;
  register_runner const& registers_;
  held_accesses& reports_;
  binary::block_memory memory_;
  bool stores_ = false;
  warp_view now_;
  std::uint32_t accesses_ = 0;
};

}  // namespace coalescing::sass

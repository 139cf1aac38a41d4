// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/binary/answer.hpp>
#include <coalesce/host/binary/nvidia/accesses.hpp>
#include <coalesce/host/binary/nvidia/barriers.hpp>
#include <coalesce/host/binary/nvidia/registers.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

// Loads, stores and atomics: which bytes they move, and what of them is known.

namespace coalescing::sass {

class memory_runner {
 public:
  /// `shared_bytes`: the bytes that a block has, and those that sm_90 and later reserve.
  memory_runner(program const& code, register_runner const& registers, binary::global_memory& memory,
                observer const& told, std::uint64_t shared_bytes)
      : code_(code), registers_(registers), global_(memory), told_(told), shared_bytes_(shared_bytes) {
    for (instruction const& each : code.code) stores_ = stores_ || may_write(each);
  }

  void begin_block() { shared_ = binary::known_bytes(shared_bytes_); }
  /// The warp whose accesses follow.
  void now(warp_view const& view) { now_ = view, now_.now.access = ++accesses_; }
  /// Forgets all memory: other blocks may have written any byte.
  void forget_all(std::size_t index) { shared_.forget(why_of(index)), global_.forget(why_of(index)); }

  /// A warp ended before its EXIT: where the kernel stores at all, or calls what is not followed, any byte may be
  /// written by it, at any time.
  void give_up(std::size_t index) {
    if (stores_ || code_.code[index].base == "CALL") shared_.give_up(why_of(index)), global_.give_up(why_of(index));
  }
  /// Makes unknown what an instruction that is not followed may write. An mbarrier has 8 bytes. (PTX ISA, "mbarrier".)
  void lose_listed(warp const& w, std::size_t index, std::uint32_t lanes) {
    instruction const& i = code_.code[index];
    if (!may_write(i)) return;
    detail::memory_opcode const* const of = detail::memory_opcode_of(i.base);
    operand const* at = nullptr;
    for (operand const& o : i.operands)
      if (o.kind == operand_kind::memory) at = &o;
    if (of == nullptr || of->memory != detail::opcode_memory::mbarrier || at == nullptr) return forget_all(index);
    each_lane(lanes, [&](unsigned lane) {
      value const address = shared_address(w, *at, lane);
      if (address.is_known() && address.bits + 8 <= shared_bytes_)
        shared_.store(address.bits, 8, binary::unknown(why_of(index)), now_);
      else
        shared_.forget(why_of(index));
    });
  }

  /// In words, what a value depends on. Refused: an opcode that is not in the tables.
  [[nodiscard]] std::string because(value const& of, char const* what, instruction const& user) const {
    cause const number = of.why & ~binary::of_opcode;
    if (number == 0) return std::string(what) + " depends on a register that nothing wrote";
    instruction const& made = code_.code[number - 1];
    if ((of.why & binary::of_opcode) != 0)
      throw binary_refused("the opcode " + made.printed + " (or a form of it) is not in the tables, and " + what +
                               " depends on it: line " + std::to_string(user.line) + ", " + user.printed,
                           made.line);
    action const does = row_of(made.base).does;
    if (does == action::control || does == action::barrier)
      return std::string(what) + " depends on a warp that ended at line " + std::to_string(made.line) + ", " +
             made.printed;
    if (does == action::special)
      return std::string(what) + " depends on " + (made.operands.empty() ? made.printed : made.operands.back().word) +
             ": line " + std::to_string(made.line) + ", " + made.printed;
    return std::string(what) + " depends on data: line " + std::to_string(made.line) + ", " + made.printed;
  }

  void access(warp& w, std::size_t index, std::uint32_t active, std::uint32_t perhaps, value guard) {
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
      told_.listed(index, "a form of the opcode that is not in the tables");
      if (may_write(i)) forget_all(index);
      return registers_.forget(w, index, active | perhaps, why_of(index), 8);
    }
    warp_access one{.bytes = is_matrices ? 16 : width};
    one.is_copy = is_copy, one.is_generic = of.memory == opcode_memory::generic;
    if (is_copy) return copy(w, index, s, *places[0], *places[1], active, perhaps, guard, one);
    one.space = is_matrices || of.memory == opcode_memory::shared ? memory_space::shared : memory_space::global;
    one.kind = of.kind;
    if (is_matrices)
      one.matrices = width, one.is_transposed = i.has("MT88");
    else if (one.kind == touch::atomic && one.bytes < 4)
      one.bytes = 4;
    locate(w, index, *places[0], active, perhaps, guard, one);
    if (one.active == 0 && one.why.empty()) return;
    if (one.matrices != 0)
      move_matrices(w, index, one);
    else if (one.kind == touch::load)
      load(w, index, one, active, perhaps);
    else if (one.kind == touch::store)
      store(w, index, one, data);
    else
      lose(w, index, one, active | perhaps);
    told_.access(index, one);
  }

 private:
  [[nodiscard]] static cause why_of(std::size_t index) { return static_cast<cause>(index + 1); }

  /// The lanes' addresses, and the buffer. Refused: an address outside of all buffers or of shared memory.
  void locate(warp const& w, std::size_t index, operand const& at, std::uint32_t active, std::uint32_t perhaps,
              value guard, warp_access& one) {
    instruction const& i = code_.code[index];
    bool const shared = one.space == memory_space::shared;
    one.active = active, one.array = shared ? "shared" : "";
    if (one.matrices != 0)
      one.active &= one.matrices == 4 ? ~std::uint32_t{0} : (std::uint32_t{1} << 8 * one.matrices) - 1;
    each_lane(one.active, [&](unsigned lane) {
      value const address = shared ? shared_address(w, at, lane) : global_address(w, at, lane);
      if (!address.is_known()) {
        one.why = because(address, "its address", i);
        return;
      }
      one.address[lane] = address.bits;
      if (shared) {
        if (address.bits + one.bytes > shared_bytes_)
          throw binary_refused("lane " + std::to_string(lane) + " accesses byte " + std::to_string(address.bits) +
                                   " of shared memory, and the block has " + std::to_string(shared_bytes_) + " bytes",
                               i.line);
        return;
      }
      binary::global_array const* const array = global_.of(address.bits, one.bytes);
      if (array == nullptr)
        throw binary_refused("lane " + std::to_string(lane) + " accesses address " + detail::json_offset(address.bits) +
                                 ", which lies in no buffer" + where(address.bits),
                             i.line);
      if (one.array.empty()) one.array = array->name;
    });
    if (perhaps != 0) one.why = because(guard, "its predicate", i);
  }
  [[nodiscard]] std::string where(std::uint64_t address) const {
    std::uint64_t const number = address / binary::global_memory::spacing;
    auto const& all = global_.arrays();
    if (number == 0 || number > all.size()) return "";
    return ": " + all[number - 1].name + " has " + std::to_string(all[number - 1].extent) +
           " bytes, and this is byte " + std::to_string(address - all[number - 1].base);
  }

  /// Up to 4 bytes.
  [[nodiscard]] value load_word(warp_access const& one, std::uint64_t at, unsigned bytes, cause why) {
    if (one.space == memory_space::shared) return shared_.load(at, bytes, now_, why);
    binary::global_array const* const array = global_.of(at, bytes);
    if (array == nullptr || !array->has_contents) return low(binary::unknown(why), 8 * bytes);
    return array->bytes.load(at - array->base, bytes, now_, why);
  }
  void store_word(warp_access const& one, std::uint64_t at, unsigned bytes, value what) {
    if (one.space == memory_space::shared) return shared_.store(at, bytes, what, now_);
    binary::global_array* const array = global_.of(at, bytes);
    if (array != nullptr && array->has_contents) array->bytes.store(at - array->base, bytes, what, now_);
  }
  void forget_memory(warp_access const& one, cause why) {
    if (one.space == memory_space::shared || one.is_generic) shared_.forget(why);
    if (one.space != memory_space::shared) global_.forget(why);
  }

  void load(warp& w, std::size_t index, warp_access const& one, std::uint32_t active, std::uint32_t perhaps) {
    instruction const& i = code_.code[index];
    shape const& s = registers_.shape_at(index);
    for (operand const* o : s.predicates)  // LDG.E P0, R2, ...: not followed
      if (o != nullptr && o->index != true_predicate)
        each_lane(active | perhaps,
                  [&](unsigned lane) { w.predicates[o->index][lane] = word(low(binary::unknown(why_of(index)), 1)); });
    bool const is_signed = i.has("S8") || i.has("S16");
    unsigned const words = one.bytes < 4 ? 1 : one.bytes / 4, width = one.bytes < 4 ? one.bytes : 4;
    check_groups(i, words, s.second);
    each_lane(active | perhaps, [&](unsigned lane) {
      bool const is_known = one.why.empty() && (active >> lane & 1) != 0;
      for (unsigned k = 0; k != words; ++k) {
        bool const is_low = s.second != nullptr && k < 4;  // the register that is named last has the first words
        operand const* const to = is_low ? s.second : s.to;
        unsigned const number = to == nullptr ? zero_register : to->index + (s.second == nullptr ? k : k % 4);
        if (to == nullptr || to->index == zero_register || number >= zero_register) continue;
        value v = is_known ? load_word(one, one.address[lane] + 4 * k, width, why_of(index))
                           : low(binary::unknown(why_of(index)), 32);
        if (is_signed) v = low(sign_extended(v, 8 * width), 32);
        w.general[number][lane] = word(v);
      }
    });
  }
  /// 32 bytes are two groups of four registers: words 0 to 3, which a load names last and a store names first, and
  /// words 4 to 7. Inferred from what ptxas 13.0 makes of ld.global.v8.b32 and st.global.v8.b32 for sm_100.
  static void check_groups(instruction const& i, unsigned words, operand const* second) {
    if ((words == 8) != (second != nullptr))
      throw binary_refused("the operands of " + i.printed + " are not understood", i.line);
  }
  void store(warp const& w, std::size_t index, warp_access const& one, operand const* data) {
    if (!one.why.empty()) return forget_memory(one, why_of(index));
    unsigned const words = one.bytes < 4 ? 1 : one.bytes / 4, width = one.bytes < 4 ? one.bytes : 4;
    operand const* second = nullptr;
    if (code_.code[index].has("ENL2"))
      for (operand const* o : registers_.shape_at(index).from)
        if (o->kind == operand_kind::general && o != data) second = o;
    check_groups(code_.code[index], words, second);
    each_lane(one.active, [&](unsigned lane) {
      for (unsigned k = 0; k != words; ++k) {
        operand const* const from = second != nullptr && k >= 4 ? second : data;
        bool const is_zero = from != nullptr && from->index == zero_register;
        value const v = from == nullptr ? binary::unknown(why_of(index))
                        : is_zero       ? exact(0)
                                        : w.general_register(from->index + (second != nullptr ? k % 4 : k), lane);
        store_word(one, one.address[lane] + 4 * k, width, v);
      }
    });
  }
  /// Atomics: nothing orders them, so what they leave and return is unknown.
  void lose(warp& w, std::size_t index, warp_access const& one, std::uint32_t lanes) {
    if (!one.why.empty())
      forget_memory(one, why_of(index));
    else
      each_lane(one.active, [&](unsigned lane) {
        for (unsigned k = 0; k < one.bytes; k += 4)
          store_word(one, one.address[lane] + k, 4, binary::unknown(why_of(index)));
      });
    registers_.forget(w, index, lanes, why_of(index), one.bytes / 4);
  }
  /// LDSM and STSM: a register holds a row's two elements in each lane. (PTX ISA, "ldmatrix": lane l has row l / 4, and
  /// elements 2 (l % 4) and the next one; .trans: the matrix is transposed.)
  void move_matrices(warp& w, std::size_t index, warp_access const& one) {
    shape const& s = registers_.shape_at(index);
    operand const* data = s.to;
    for (operand const* o : s.from)
      if (one.kind == touch::store && o->kind == operand_kind::general) data = o;
    bool const is_whole = one.why.empty() && std::popcount(one.active) == static_cast<int>(8 * one.matrices);
    if (one.kind == touch::store && !is_whole) return forget_memory(one, why_of(index));
    if (data == nullptr || data->index == zero_register) return;
    for (unsigned matrix = 0; matrix != one.matrices; ++matrix)
      for (unsigned lane = 0; lane != warp_lanes; ++lane) {
        if (data->index + matrix >= zero_register) continue;
        word& at = w.general[data->index + matrix][lane];
        value v = is_whole ? exact(0) : low(binary::unknown(why_of(index)), 32);
        for (unsigned half = 0; is_whole && half != 2; ++half) {
          unsigned const row = one.is_transposed ? lane % 4 * 2 + half : lane / 4,
                         column = one.is_transposed ? lane / 4 : lane % 4 * 2 + half;
          std::uint64_t const from = one.address[8 * matrix + row] + 2 * column;
          if (one.kind == touch::load)
            v = v | load_word(one, from, 2, why_of(index)) << (16 * half);
          else
            store_word(one, from, 2, at.wide() >> (16 * half));
        }
        if (one.kind == touch::load) at = word(v);
      }
  }
  /// LDGSTS: lanes whose last predicate is false read nothing, and write zeros. (PTX ISA, "cp.async", ignore-src.)
  void copy(warp& w, std::size_t index, shape const& s, operand const& to, operand const& from, std::uint32_t active,
            std::uint32_t perhaps, value guard, warp_access one) {
    warp_access read = one;
    read.space = memory_space::global, read.kind = touch::load;
    one.space = memory_space::shared, one.kind = touch::store;
    std::uint32_t reads = active, unsure = perhaps;
    for (operand const* o : s.from)
      if (is_predicate(*o))
        each_lane(active, [&](unsigned lane) {
          value const is = w.predicate(*o, lane);
          if (!is.is_known()) unsure |= std::uint32_t{1} << lane, guard = is;
          if (!is.is_known() || is.bits == 0) reads &= ~(std::uint32_t{1} << lane);
        });
    locate(w, index, from, reads, unsure, guard, read);
    locate(w, index, to, active, perhaps, guard, one);
    if (!one.why.empty()) forget_memory(one, why_of(index));
    for (unsigned lane = 0; lane != warp_lanes && one.why.empty(); ++lane)
      for (unsigned k = 0; k < one.bytes && (one.active >> lane & 1) != 0; k += 4) {
        bool const is_unsure = !read.why.empty() || (unsure >> lane & 1) != 0;
        value const v = is_unsure                  ? binary::unknown(why_of(index))
                        : (reads >> lane & 1) != 0 ? load_word(read, read.address[lane] + k, 4, why_of(index))
                                                   : exact(0);
        store_word(one, one.address[lane] + k, 4, v);
      }
    if (read.active != 0 || !read.why.empty()) told_.access(index, read);
    if (one.active != 0 || !one.why.empty()) told_.access(index, one);
  }

  program const& code_;
  register_runner const& registers_;
  binary::global_memory& global_;
  observer const& told_;
  std::uint64_t shared_bytes_;
  bool stores_ = false;
  binary::known_bytes shared_;
  warp_view now_;
  std::uint32_t accesses_ = 0;
};

}  // namespace coalescing::sass

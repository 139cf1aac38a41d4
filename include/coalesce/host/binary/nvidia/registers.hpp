// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/binary/access.hpp>
#include <coalesce/host/binary/nvidia/decode.hpp>
#include <coalesce/host/binary/nvidia/read.hpp>
#include <coalesce/total/launch.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// Runs instructions that change only registers. If a lane's predicate is unknown, the register holds either the new
// value or the old one afterwards, so the bits in which these differ become unknown.

namespace coalescing::sass {

using binary::each_lane, binary::part_of_number;

class register_runner {
 public:
  register_runner(program const& code, constant_bank const& constants, binary_launch const& launch)
      : code_(code), constants_(constants), launch_(launch) {
    for (instruction const& each : code.code)
      shapes_.push_back(shape_of(each, row_of(each.base).stands)), functions_.push_back(function_of(each)),
          registers_.push_back(registers_of(each));
  }
  [[nodiscard]] shape const& shape_at(std::size_t index) const { return shapes_[index]; }
  [[nodiscard]] in_lane reader(warp const& w, std::size_t index, unsigned lane) const {
    return {w, constants_, code_.code[index], shapes_[index], lane, static_cast<cause>(index + 1)};
  }

  void compute(warp& w, std::size_t index, std::uint32_t active, std::uint32_t perhaps) const {
    instruction const& i = code_.code[index];
    shape const& s = shapes_[index];
    bool const has_words = !i.has("64") && !i.has("WIDE") && s.from.size() <= 6;
    bool const has_predicates = s.predicates[0] != nullptr || s.predicates[1] != nullptr;
    write(w, index, active, perhaps, [&, function = functions_[index]](in_lane const& at) {
      results made = function(at);
      bool const has_open =
          made.registers == 1 && !made.to.is_known(32) && !made.to.is && (made.to.why & binary::of_opcode) == 0;
      bool const are_known = made.predicates[0].is_known(1) && made.predicates[1].is_known(1);
      if (!has_words || (!has_open && (are_known || !has_predicates))) return made;
      value from[6] = {exact(0), exact(0), exact(0), exact(0), exact(0), exact(0)};
      for (std::size_t k = 0; k != at.of.from.size(); ++k) from[k] = at.source(k, bits_of_source(i, k));
      if (at.of.from.empty()) from[0] = exact(w.executed);  // no source: B2R.RESULT may give another number each time
      if (has_open) made.to = binary::named_by(low(made.to, 32), at.why, 32, from);
      for (unsigned k = 0; k != 2; ++k)
        if ((made.predicates[k].why & binary::of_opcode) == 0)
          made.predicates[k] = binary::named_by(made.predicates[k], at.why, 1, from, k + 1);
      return made;
    });
  }
  /// Reads a special register: %tid, %ctaid and others. (PTX ISA, "Special Registers".)
  void special(warp& w, std::size_t index, std::uint32_t active, std::uint32_t perhaps, place const& block) const {
    write(w, index, active, perhaps, [&](in_lane const& at) {
      bool const wide = at.i.base == "CS2R" && !at.i.has("32");
      return results{special_value(at, block), wide ? 2u : 1u};
    });
  }
  void load_constant(warp& w, std::size_t index, std::uint32_t active, std::uint32_t perhaps) const {
    instruction const& i = code_.code[index];
    unsigned const words = i.has("128") ? 4 : i.has("64") ? 2 : 1;
    bool const is_signed = i.has("S8") || i.has("S16");
    unsigned const narrow = i.has("U8") || i.has("S8") ? 8 : i.has("U16") || i.has("S16") ? 16 : 32;
    // All words of all lanes are read before the first one is written, because a result may be the address's register.
    std::array<std::array<value, warp_lanes>, 4> read = {};
    each_lane(active | perhaps, [&](unsigned lane) {
      in_lane const at = reader(w, index, lane);
      operand from = at.of.from.empty() ? operand{} : *at.of.from[0];
      for (unsigned k = 0; k != words; ++k, from.number += 4) {
        value const word = at.plain(from, narrow);
        read[k][lane] = is_signed ? low(sign_extended(word, narrow), 32) : low(word, narrow);
      }
    });
    for (unsigned k = 0; k != words; ++k)
      write(
          w, index, active, perhaps, [&](in_lane const& at) { return results{read[k][at.lane]}; }, k);
  }
  /// Runs SHFL, VOTE, ELECT, REDUX, MATCH.
  void exchange(warp& w, std::size_t index, std::uint32_t active, std::uint32_t perhaps) const {
    instruction const& i = code_.code[index];
    warp const before = w;
    std::uint32_t const there = active | perhaps;
    write(w, index, active, perhaps, [&](in_lane const& now) {
      in_lane const at{before, now.constants, now.i, now.of, now.lane, now.why};
      if (perhaps != 0 && i.base != "SHFL") {  // it is not known whether the lanes of `perhaps` take part
        value const guards = binary::unknown(guards_of(before, index, perhaps));
        return results{guards, 1, {guards, guards}};
      }
      if (i.base == "SHFL") return shuffled(at, there);
      if (i.base == "MATCH") return matched(at, there);
      if (i.base == "REDUX" || i.base == "CREDUX") return reduced(at, there);
      if (i.base == "ELECT") {
        results made{exact(first_of(there))};
        made.predicates[0] = exact(at.lane == first_of(there) ? 1 : 0);
        return made;
      }
      return voted(at, there);
    });
  }
  /// For each bit k that is 1 in the mask, R2P sets predicate k to bit k of the register. From R4.B1 it takes bit 8 +
  /// k. Inferred from what ptxas 13.0 makes of branches on each bit of a number.
  void unpack(warp& w, std::size_t index, std::uint32_t active, std::uint32_t perhaps) const {
    w.settle_all();
    each_lane(active | perhaps, [&](unsigned lane) {
      in_lane const at = reader(w, index, lane);
      operand from = at.of.from.size() == 3 ? *at.of.from[1] : operand{};
      if (from.byte) from.has_part = false;
      value const bits = at.plain(from, 32) >> 8 * from.byte.value_or(0), mask = at.source(2),
                  guard = w.predicate(at.i.guard, lane);
      bool const is_known_form =
          at.of.from.size() == 3 && mask.is_known() && at.i.parts.empty() && !at.of.from[0]->has_part && !from.has_part;
      for (unsigned k = 0; k != 7; ++k) {
        word& to = w.predicates[k][lane];
        value const made = !is_known_form              ? low(at.not_in_tables(), 1)
                           : (mask.bits >> k & 1) != 0 ? binary::bit_of(bits, k)
                                                       : to.wide();
        to = word((perhaps >> lane & 1) != 0 ? low(chosen(guard, to.wide(), made), 1) : made);
      }
    });
  }
  /// Makes everything unknown that an instruction writes.
  void forget(warp& w, std::size_t index, std::uint32_t lanes, cause why, unsigned registers = 0) const {
    instruction const& i = code_.code[index];
    if (registers == 0) registers = registers_[index];
    for (unsigned k = 0; k == 0 || k < registers; ++k)
      write(
          w, index, 0, lanes,
          [why](in_lane const& at) {
            value lost = at.data();
            lost.why = binary::either(lost.why, why);
            return results{lost, 1, {lost, lost}};
          },
          k, true);
    if (operand const* const second = shapes_[index].second)
      each_lane(lanes, [&](unsigned lane) {
        value lost = reader(w, index, lane).data();
        lost.why = binary::either(lost.why, why);
        for (unsigned k = 0; k != registers && second->index + k < w.first_local; ++k)
          w.set_general(second->index + k, lane, word(lost));
      });
    if (!i.operands.empty() && i.operands[0].kind == operand_kind::all_predicates) {
      bool const is_uniform = begins(i.operands[0].word, "U");
      w.settle_all();
      word const lost(low(binary::unknown(why), 1));
      for (unsigned k = 0; k != true_predicate; ++k)
        if (is_uniform)
          w.uniform_predicates[k] = lost;
        else
          w.predicates[k].fill(lost);
    }
  }
  [[nodiscard]] static unsigned first_of(std::uint32_t mask) { return static_cast<unsigned>(std::countr_zero(mask)); }

 private:
  /// How many bits of a source an instruction reads, if its result has 32 bits: 64 if the source is a pair of
  /// registers. (SHF.U64 names the registers of its pair one by one.)
  [[nodiscard]] static unsigned bits_of_source(instruction const& i, std::size_t k) {
    bool const are_pairs = (i.has("U64") || i.has("S64")) && !binary::ends(i.base, "SHF");
    bool const is_sum = k == 2 && i.has("HI") && binary::ends(i.base, "IMAD");
    return are_pairs || is_sum ? 64 : 32;
  }
  [[nodiscard]] value special_value(in_lane const& at, place const& block) const {
    std::string const& name = at.of.from.empty() ? at.i.base : at.of.from[0]->word;
    auto const thread = coalescing::detail::place_of(u64{at.w.number} * warp_lanes + at.lane, launch_.block);
    u64 const bit = u64{1} << at.lane;
    if (name == "SRZ") return exact(0);
    if (name == "SR_TID.X") return exact(thread.x);
    if (name == "SR_TID.Y") return exact(thread.y);
    if (name == "SR_TID.Z") return exact(thread.z);
    static constexpr char const* blocks[] = {"SR_CTAID.X", "SR_CTAID.Y", "SR_CTAID.Z"};
    for (unsigned axis = 0; axis != 3; ++axis)
      if (name == blocks[axis]) return binary::block_index(launch_, block, axis);
    if (name == "SR_LANEID") return exact(at.lane);
    if (name == "SR_EQMASK") return exact(bit);
    if (name == "SR_LTMASK") return exact(bit - 1);
    if (name == "SR_LEMASK") return exact(2 * bit - 1);
    if (name == "SR_GTMASK") return exact(0xffffffffu & ~(2 * bit - 1));
    if (name == "SR_GEMASK") return exact(0xffffffffu & ~(bit - 1));
    // The block's number in its cluster is 0 if there are no clusters, or if the block is the first one of its cluster.
    // For any other block it is unknown here.
    if (name == "SR_CgaCtaId" && code_.allows.is_first_of_cluster(launch_.is_of_many() ? place{1, 1, 1} : block))
      return exact(0);
    return binary::unknown(at.why);
  }

  /// Runs SHFL. (PTX ISA, "shfl.sync". Bits 0 to 4 of operand c limit which lane of the segment is read. Bits 8 to 12
  /// are a mask of the bits of a lane's number that select its segment.)
  [[nodiscard]] results shuffled(in_lane const& at, std::uint32_t active) const {
    value const by = at.source(1), limits = at.source(2);
    if (!by.is_known() || !limits.is_known()) {
      value const lost = binary::unknown(binary::either(by.why, limits.why));
      return {lost, 1, {lost, lost}};
    }
    auto const lane = at.lane, b = static_cast<unsigned>(by.bits & 31), clamp = static_cast<unsigned>(limits.bits & 31),
               segment = static_cast<unsigned>(limits.bits >> 8 & 31);
    unsigned const last = (lane & segment) | (clamp & ~segment), first = lane & segment;
    int from = 0;
    bool is_in = false;
    if (at.i.has("UP"))
      from = static_cast<int>(lane) - static_cast<int>(b), is_in = from >= static_cast<int>(last);
    else if (at.i.has("DOWN"))
      from = static_cast<int>(lane + b), is_in = from <= static_cast<int>(last);
    else if (at.i.has("BFLY"))
      from = static_cast<int>(lane ^ b), is_in = from <= static_cast<int>(last);
    else if (at.i.has("IDX"))
      from = static_cast<int>(first | (b & ~segment)), is_in = from <= static_cast<int>(last);
    else
      return {at.not_in_tables(), 1, {at.not_in_tables(), {}}};
    if (!is_in) from = static_cast<int>(lane);
    in_lane const there{at.w, at.constants, at.i, at.of, static_cast<unsigned>(from), at.why};
    bool const is_there = (active >> from & 1) != 0;
    return {is_there ? there.source(0) : binary::unknown(at.why), 1, {exact(is_in ? 1 : 0), {}}};
  }
  [[nodiscard]] static in_lane with_lane(in_lane const& at, unsigned lane) {
    return {at.w, at.constants, at.i, at.of, lane, at.why};
  }
  /// Runs REDUX and CREDUX (PTX ISA, "redux.sync"). REDUX computes AND if no modifier names another operation.
  [[nodiscard]] results reduced(in_lane const& at, std::uint32_t active) const {
    bool const smaller = at.i.has("MIN"), larger = at.i.has("MAX"), adds = at.i.has("SUM"), is_or = at.i.has("OR"),
               is_xor = at.i.has("XOR"), is_signed = at.i.has("S32");
    for (std::string const& part : at.i.parts)
      if (part != "MIN" && part != "MAX" && part != "SUM" && part != "OR" && part != "XOR" && part != "S32" &&
          part != "U32")
        return {at.data()};  // floating-point numbers
    bool const is_and = !smaller && !larger && !adds && !is_or && !is_xor;
    bool is_first = true;
    value all = exact(0);
    each_lane(active, [&](unsigned lane) {
      value const one = with_lane(at, lane).source(0);
      if (is_first)
        all = one;
      else if (smaller || larger)
        all = smaller_or_larger({32, is_signed}, all, one, truth(smaller));
      else
        all = low(adds ? sum(all, one) : is_or ? all | one : is_xor ? all ^ one : all & one, 32);
      is_first = false;
    });
    return {is_and && at.i.base == "CREDUX" ? at.data() : all};
  }
  /// Runs MATCH (PTX ISA, "match.sync"). .ANY gives the mask of lanes whose numbers equal the lane's own number. .ALL
  /// gives the mask of all lanes that take part if all their numbers are equal, and otherwise 0.
  [[nodiscard]] results matched(in_lane const& at, std::uint32_t active) const {
    unsigned const bits = at.i.has("U64") ? 64 : 32;
    bool const is_all = at.i.has("ALL");
    value const own = with_lane(at, is_all ? first_of(active) : at.lane).source(0, bits);
    value equal = exact(0), all = exact(1);
    each_lane(active, [&](unsigned lane) {
      value const is =
          binary::order_of(own, with_lane(at, lane).source(0, bits), bits, false).holds(false, true, false);
      equal = equal | is << lane, all = all & is;
    });
    if (!is_all) return {at.i.has("ANY") ? equal : at.not_in_tables()};
    return {low(chosen(all, exact(0), exact(active)), 32), 1, {all, at.not_in_tables()}};
  }
  [[nodiscard]] results voted(in_lane const& at, std::uint32_t active) const {
    value bits = exact(0), any = exact(0), all = exact(1);
    each_lane(active, [&](unsigned lane) {
      in_lane const there{at.w, at.constants, at.i, at.of, lane, at.why};
      value const one = there.source(0);
      bits = bits | low(one, 1) << lane, any = any | one, all = all & one;
    });
    bool const is_all = at.i.has("ALL");
    if (!is_all && !at.i.has("ANY")) return {at.not_in_tables(), 1, {at.not_in_tables(), at.not_in_tables()}};
    return {bits, 1, {is_all ? all : any, at.not_in_tables()}};
  }

  /// Why the predicates of these lanes are unknown.
  [[nodiscard]] cause guards_of(warp const& w, std::size_t index, std::uint32_t lanes) const {
    cause all = static_cast<cause>(index + 1);
    each_lane(lanes, [&](unsigned lane) { all = binary::either(all, w.predicate(code_.code[index].guard, lane).why); });
    return all;
  }

  [[nodiscard]] static bool is_of_warp(operand const* o) {
    return o != nullptr && (o->kind == operand_kind::uniform || o->kind == operand_kind::uniform_predicate);
  }
  /// The results of the first lane, which an instruction writes to uniform registers and predicates. If data decides
  /// which lane is the first one, a bit of the results is known only if all lanes agree on it. `perhaps` is the mask of
  /// lanes whose predicate is unknown.
  template <class Function>
  [[nodiscard]] results results_of_warp(warp const& w, std::size_t index, std::uint32_t active, std::uint32_t perhaps,
                                        Function const& function, bool is_lost) const {
    std::uint32_t const lanes = active | perhaps;
    results made = function(reader(w, index, first_of(lanes)));
    if ((!w.is_way && w.uncertain == 0 && perhaps == 0) || is_lost) return made;
    each_lane(lanes, [&](unsigned other) {
      results const its = function(reader(w, index, other));
      value const bit = binary::unknown(static_cast<cause>(index + 1));
      made.to = chosen(bit, made.to, its.to);
      for (unsigned k = 0; k != 2; ++k) made.predicates[k] = chosen(bit, made.predicates[k], its.predicates[k]);
    });
    return made;
  }
  /// Calls a function for each lane, and writes the results that it returns. Each lane's results go to its own
  /// registers and predicates, and those of the first lane to uniform registers and predicates. The first register
  /// written has the number that the instruction names, plus `next`. With `is_lost` the result is unknown, so even a
  /// lane of `perhaps` does not keep its old value.
  template <class Function>
  void write(warp& w, std::size_t index, std::uint32_t active, std::uint32_t perhaps, Function const& function,
             unsigned next = 0, bool is_lost = false) const {
    shape const& s = shapes_[index];
    std::uint32_t const lanes = active | perhaps;
    bool has_uniform = false, has_general = false;
    for (operand const* o : {s.to, s.predicates[0], s.predicates[1]})
      if (o != nullptr) (is_of_warp(o) ? has_uniform : has_general) = true;
    auto const each_register = [&](results const& made, auto const& put) {
      for (unsigned k = 0; s.to != nullptr && k != made.registers; ++k) {
        unsigned const number = s.to->index + next + k;
        if (number >= zero_register || s.to->index == zero_register) break;
        put(number, k < 2 ? made.to >> (32 * k) : binary::unknown(made.to.why));
      }
    };
    // The results for uniform registers are computed before any lane writes, because a lane may write a register from
    // which they are computed.
    results of_warp;
    value guard_of_warp = exact(1);
    if (has_uniform) {
      of_warp = results_of_warp(w, index, active, perhaps, function, is_lost);
      bool const is_certain = is_lost || (active >> first_of(lanes) & 1) != 0;
      if (!is_certain) guard_of_warp = w.predicate(code_.code[index].guard, first_of(lanes));
      if (active != 0 && perhaps != 0 && !is_lost) {  // it is not known which lane is the first active one
        cause const guards = guards_of(w, index, perhaps);
        auto const lose = [guards](value& v) { v = binary::unknown(binary::either(v.why, guards)); };
        lose(of_warp.to), lose(of_warp.predicates[0]), lose(of_warp.predicates[1]);
      }
    }
    each_lane(has_general ? lanes : 0, [&](unsigned lane) {
      bool const is_certain = is_lost || (active >> lane & 1) != 0;
      value const guard = w.predicate(code_.code[index].guard, lane);
      results const made = function(reader(w, index, lane));
      if (!is_of_warp(s.to))
        each_register(made, [&](unsigned number, value const& v) {
          if (number >= w.first_local) return;
          if (is_certain || guard.is_known())
            w.set_general(number, lane, word(low(v, 32)));
          else
            w.set_general_perhaps(number, lane, word(low(v, 32)), guard.why);
        });
      for (unsigned k = 0; next == 0 && k != 2; ++k) {
        operand const* const to = s.predicates[k];
        if (to == nullptr || is_of_warp(to)) continue;
        w.settle(to->kind, to->index, std::uint32_t{1} << lane);
        word& old = w.predicates[to->index][lane];
        old = word(low(is_certain ? made.predicates[k] : chosen(guard, old.wide(), made.predicates[k]), 1));
      }
    });
    auto const put = [&](word& to, value const& v, unsigned bits, std::uint64_t which) {
      value const is = low(chosen(guard_of_warp, to.wide(), v), bits);
      to = word(binary::shared_by_lanes(is, binary::name_of(binary::name_of(w.executed, index + 1), which), 32));
    };
    if (is_of_warp(s.to))
      each_register(of_warp, [&](unsigned number, value const& v) { put(w.uniform[number], v, 32, number); });
    for (unsigned k = 0; next == 0 && k != 2; ++k)
      if (operand const* const to = s.predicates[k]; is_of_warp(to)) {
        w.settle(to->kind, to->index, ~std::uint32_t{0});
        put(w.uniform_predicates[to->index], of_warp.predicates[k], 1, zero_register + 1 + k);
      }
  }

  program const& code_;
  constant_bank const& constants_;
  binary_launch const& launch_;
  std::vector<shape> shapes_;
  std::vector<results (*)(in_lane const&)> functions_;
  std::vector<unsigned> registers_;  ///< for each instruction whose result is not computed: how many registers it
                                     ///< writes
};

}  // namespace coalescing::sass

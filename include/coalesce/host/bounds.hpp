// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/access.hpp>
#include <coalesce/core/misuse.hpp>
#include <coalesce/engine/distinct.hpp>
#include <coalesce/explain/ideal.hpp>
#include <coalesce/record/journal.hpp>
#include <coalesce/record/sums.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

// Finds upper bounds on the cost of an access that is known in part. Each number of the cost has a bound of its own.
// The bound holds for any set of the lanes that may take part, and for any values of the unknown bases. The bounds rest
// on one rule: one more lane never makes a number smaller. The rule has two exceptions, which this header handles:
// partial sectors (all_partial), and loads whose parts may merge (bound_of_part). With these exceptions the rule holds
// on the machines whose binaries are read (tests/every/bounds.cpp). It does not hold on CC 1.x, CC 2.x and GCN.

namespace coalescing {

/// An access that is known in part.
template <unsigned Lanes>
struct possible_access {
  std::uint64_t may = 0;     ///< mask of the lanes that may take part
  std::uint64_t surely = 0;  ///< mask of those lanes of `may` that take part for certain
  /// The byte address of a lane that may take part. If `base` is not 0, the unknown base is added to it.
  std::uint64_t address[Lanes] = {};
  /// 0: the lane's address is known. Else the number of an unknown base: lanes with the same number add the same base.
  std::uint32_t base[Lanes] = {};
  /// The unknown base is a multiple of 2 to this power. Lanes with the same base have the same power.
  std::uint8_t aligned[Lanes] = {};
  /// If `base` is not 0, all bytes that the lane accesses lie from `from` on and before `to`. `to` is 0 if they may lie
  /// anywhere.
  std::uint64_t from[Lanes] = {}, to[Lanes] = {};
};

namespace detail {

/// How the parts of a warp (cuda/shared.hpp) are served. as_issued: the lanes' addresses decide whether the parts
/// merge. apart: the parts do not merge. merged: the parts merge.
enum class serving { as_issued, apart, merged };

/// What the bounds need to know of an instruction.
struct bounded_by {
  address_limits limits = {};
  /// If all addresses move by this many bytes, no number of the cost changes. 0: no published document states the cost.
  std::uint64_t period = 0;
  bool needs_every_lane = false;  ///< all lanes of the wave must be active: see checks_lanes
  bool is_scalar = false;         ///< a scalar load: one address serves all lanes
  /// Takes the mask of a wave's active lanes, and returns the mask of the lanes that give an address.
  std::uint64_t (*asked_of_wave)(std::uint64_t active) = nullptr;
};

/// The cost of an instruction, as a function of the lanes that give an address. If an instruction takes fewer addresses
/// than a wave has lanes, the first lanes of the wave give them.
template <unsigned Lanes>
struct costs_of_lanes {
  [[nodiscard]] virtual bounded_by facts() const = 0;
  [[nodiscard]] virtual recorded_cost cost(access<Lanes> const& asked, serving by) const = 0;
  [[nodiscard]] virtual bool may_merge() const = 0;
  [[nodiscard]] virtual bool merges(access<Lanes> const& asked) const = 0;

 protected:
  ~costs_of_lanes() = default;
};

/// Sign-extends a negative 32-bit address to 64 bits, as extend_signs (core/access.hpp) does.
inline std::uint64_t with_sign(address_limits const& limits, std::uint64_t address) {
  constexpr std::uint64_t wrap = std::uint64_t{1} << 32;
  return address < wrap && address + limits.nearest >= wrap ? address - wrap : address;
}

/// If the lanes of an access are divided into parts, each of these numbers is at most the sum of the parts' numbers.
/// The bound is the number for lanes that share nothing, minus a saving for each part. The saving is the number that
/// the lanes of the part would have if they shared nothing, minus the bound of the part (bound_of_parts). Example: 8
/// lanes that share nothing need 8 transactions. Four of them are a part whose bound is 1. This part saves 3, so the
/// bound of all 8 lanes is 5.
using numbers_that_add_up =
    members<&compared_cost::requests, &compared_cost::transactions, &compared_cost::bytes_moved,
            &compared_cost::bytes_used, &compared_cost::lines, &compared_cost::data_wavefronts, &compared_cost::quads,
            &compared_cost::rounds, &compared_cost::conflicts, &compared_cost::phases, &compared_cost::operations>;
/// Each of these numbers, too, is at most the sum of the parts' numbers. The bound is the lesser of two values: that
/// sum, and the number for lanes that share nothing.
using numbers_below_their_sum =
    members<&compared_cost::clocks, &compared_cost::tag_wavefronts_at_least, &compared_cost::partial_sectors,
            &compared_cost::rounds_at_least, &compared_cost::ways>;

template <class See, auto... Members>
void each_of(members<Members...>, See const& see) {
  (see(Members), ...);
}
/// Keeps in `most` the greater of the two values of each number.
inline void keep_greater(recorded_cost& most, recorded_cost const& other) {
  detail::each_number(
      most, other,
      [](std::uint64_t& to, std::uint64_t number, bool) {
        if (to == not_counted || (number != not_counted && to < number)) to = number;
      },
      compared_cost::numbers{});
  most.issued = std::max(most.issued, other.issued);
  most.is_counted = most.is_counted && other.is_counted, most.at_most = most.at_most || other.at_most;
}
inline std::uint64_t or_none(std::uint64_t number) { return number == not_counted ? 0 : number; }
/// The number by which accesses are compared, chosen as in number_that_grows (engine/words.hpp).
inline std::uint64_t weight_of(recorded_cost const& cost) {
  for (std::uint64_t const number : {cost.rounds, cost.transactions, cost.operations})
    if (number != not_counted) return number;
  return detail::or_none(cost.requests);
}

/// Finds the bound of an access. Memory is seen as rows, each as long as the period (bounded_by::period). The lanes are
/// divided into parts, and the lanes of a part move together. There are three kinds of parts: lanes whose offsets in
/// their rows are known, whichever rows these are; lanes that share one unknown base; lanes that share their unknown
/// bases with no other lane. To find what a part costs at most, all its bases below the period are tried. For all parts
/// together, the bound begins with the cost of lanes that are each in a row of their own. From this cost it subtracts
/// what each part saves, since the lanes of the part share rows (numbers_that_add_up).
template <unsigned Lanes>
class bound_finder {
 public:
  bound_finder(costs_of_lanes<Lanes> const& costs, possible_access<Lanes> const& asked)
      : costs_(costs), facts_(costs.facts()), asked_(asked) {
    apart_ = (facts_.limits.bytes > facts_.limits.alignment ? 2 : 1) * facts_.period;
    drop_impossible_lanes();
    take_apart();
  }
  /// The lanes that may take part, without those whose addresses the instruction cannot have.
  [[nodiscard]] std::uint64_t may() const { return asked_.may; }
  /// An upper bound on each number of the access's cost.
  [[nodiscard]] recorded_cost bound() {
    recorded_cost most;
    if (parts_.size() == 1)
      most = bound_of_part(parts_[0]);
    else
      for (serving const by : {serving::as_issued, serving::apart, serving::merged})
        if ((by == serving::as_issued) != costs_.may_merge()) detail::keep_greater(most, bound_of_parts(by));
    keep_in_range(most);
    most.issued = 1, most.at_most = true;
    return most;
  }
  /// One of the possible accesses. Each part lies where it costs most by itself. The access may cost less than the
  /// bound, which may assume conflicts between parts.
  [[nodiscard]] access<Lanes> example() const {
    access<Lanes> made{};
    std::uint64_t next = 0, left = asked_.may;  // next: the first byte after all lanes placed so far
    auto const place = [&](unsigned lane, std::uint64_t address) {
      made.address[lane] = address, left &= ~(std::uint64_t{1} << lane);
      if (facts_.limits.hold(address))
        made.active |= std::uint64_t{1} << lane, next = std::max(next, address + facts_.limits.bytes);
    };
    for (unsigned k = 0; k != Lanes; ++k)
      if ((asked_.may >> k & 1) != 0 && asked_.base[k] == 0) place(k, asked_.address[k]);
    while (left != 0) {
      unsigned const first = lowest(left);
      // low: how many bytes the lowest address among the lanes with this base lies below the address of lane `first`
      std::uint64_t of_base = 0, low = 0;
      for (unsigned k = first; k != Lanes; ++k) {
        if ((left >> k & 1) == 0 || asked_.base[k] != asked_.base[first]) continue;
        of_base |= std::uint64_t{1} << k;
        std::uint64_t const below = asked_.address[first] - asked_.address[k];
        if (below >> 63 == 0) low = std::max(low, below);
      }
      // `base` is the lowest possible base from `from` on at which the part of lane `first` costs most. If the possible
      // bases are multiples of the period, all cost the same. If not, the remainder modulo the period decides.
      std::uint64_t const cycle = std::max(step_of(first), facts_.period), from = next + low - asked_.address[first];
      std::uint64_t in_cycle = 0;
      for (part const& each : parts_)
        if ((each.lanes.active >> first & 1) != 0 && step_of(first) < facts_.period)
          in_cycle = asked_.address[first] % step_of(first) + each.worst_base - asked_.address[first];
      std::uint64_t const base = from + (in_cycle - from) % cycle;
      for (unsigned k = first; k != Lanes; ++k)
        if ((of_base >> k & 1) != 0) place(k, base + asked_.address[k]);
    }
    detail::fill(made);
    if (facts_.needs_every_lane) made.active = asked_.may;
    return made;
  }

 private:
  struct part {
    access<Lanes> lanes;
    /// The base is a multiple of `step`, which is at most the period. If it is the period, each lane's address modulo
    /// the period is known.
    std::uint64_t step;
    bool is_one_base;                          ///< the lanes share a base, so their distances are known
    std::uint64_t worst_base = 0, weight = 0;  ///< the base at which the part costs most, and what it costs there
  };

  [[nodiscard]] std::uint64_t step_of(unsigned lane) const {
    return asked_.base[lane] == 0 ? std::uint64_t{1} << 63
                                  : std::uint64_t{1} << std::min<unsigned>(asked_.aligned[lane], 63);
  }
  /// Drops the lanes whose addresses the instruction cannot have. They do not take part. Refused: such an address of a
  /// lane that takes part for certain.
  void drop_impossible_lanes() {
    std::uint64_t bad = 0;
    for (unsigned k = 0; k != Lanes; ++k) {
      if ((asked_.may >> k & 1) == 0) continue;
      address_limits const& limits = facts_.limits;
      std::uint64_t const alignment = std::min<std::uint64_t>(step_of(k), limits.alignment);
      if (asked_.base[k] == 0) asked_.address[k] = detail::with_sign(limits, asked_.address[k]);
      bool const can = asked_.address[k] % alignment == 0 && (asked_.base[k] != 0 || limits.hold(asked_.address[k]));
      if (can) continue;
      if ((asked_.surely >> k & 1) != 0) {
        if (asked_.base[k] == 0) detail::check_address(k, asked_.address[k], limits.alignment, limits);
        refused::address_is_misaligned(k, asked_.address[k], limits.alignment);
      }
      bad |= std::uint64_t{1} << k;
    }
    asked_.may &= ~bad, asked_.surely &= asked_.may;
  }
  /// Whether two lanes belong to one part. That is so if they have the same base and their distance is a multiple of
  /// the alignment.
  [[nodiscard]] bool are_together(unsigned a, unsigned b) const {
    return asked_.base[a] == asked_.base[b] && (asked_.address[a] - asked_.address[b]) % facts_.limits.alignment == 0;
  }
  void take_apart() {
    std::uint64_t placed = 0, alone = 0, left = asked_.may;
    for (unsigned k = 0; k != Lanes; ++k)
      if ((left >> k & 1) != 0 && step_of(k) >= facts_.period) placed |= std::uint64_t{1} << k;
    left &= ~placed;
    if (placed != 0) add_placed(placed);
    for (unsigned first = 0; first != Lanes; ++first) {
      if ((left >> first & 1) == 0) continue;
      std::uint64_t group = 0;
      for (unsigned k = first; k != Lanes; ++k)
        if ((left >> k & 1) != 0 && are_together(first, k)) group |= std::uint64_t{1} << k;
      left &= ~group;
      if ((group & (group - 1)) == 0)
        alone |= group;
      else
        add_group(group, first);
    }
    for (unsigned first = 0; first != Lanes; ++first) {
      if ((alone >> first & 1) == 0) continue;
      std::uint64_t const step = step_of(first);
      part one{{}, step, false};
      for (unsigned k = first; k != Lanes; ++k)
        if ((alone >> k & 1) != 0 && step_of(k) == step && (asked_.address[k] - asked_.address[first]) % step == 0)
          one.lanes.active |= std::uint64_t{1} << k, one.lanes.address[k] = k * apart_ + asked_.address[k] % step;
      alone &= ~one.lanes.active;
      parts_.push_back(one);
    }
  }
  /// Puts the lanes whose offsets in their rows are known into one part. Lanes with different bases are put into
  /// different rows.
  void add_placed(std::uint64_t lanes) {
    unsigned const first = lowest(lanes);
    bool is_one_base = true;
    for (unsigned k = first; k != Lanes; ++k)
      if ((lanes >> k & 1) != 0 && asked_.base[k] != asked_.base[first]) is_one_base = false;
    if (is_one_base) return add_group(lanes, first);
    part one{{}, facts_.period, false};
    one.lanes.active = lanes;
    for (unsigned k = first; k != Lanes; ++k) {
      if ((lanes >> k & 1) == 0) continue;
      unsigned row = first;  // a row is numbered by its first lane
      while (asked_.base[row] != asked_.base[k] ||
             asked_.address[row] / facts_.period != asked_.address[k] / facts_.period || (lanes >> row & 1) == 0)
        ++row;
      one.lanes.address[k] = row * apart_ + asked_.address[k] % facts_.period;
    }
    parts_.push_back(one);
  }
  /// Puts lanes that share one base into one part. If the base is unknown, the addresses are moved so that none of them
  /// wraps around.
  void add_group(std::uint64_t lanes, unsigned first) {
    std::uint64_t const step = std::min(step_of(first), facts_.period);
    part one{{}, step, true};
    one.lanes.active = lanes;
    if (asked_.base[first] == 0) {
      std::copy(asked_.address, asked_.address + Lanes, one.lanes.address);
    } else {
      std::uint64_t to = std::uint64_t{1} << 63;
      bool fits = false;
      for (; !fits; to += std::uint64_t{1} << 50) {
        fits = true;
        for (unsigned k = 0; k != Lanes; ++k)
          if ((lanes >> k & 1) != 0) {
            one.lanes.address[k] = to + asked_.address[first] % step + (asked_.address[k] - asked_.address[first]);
            fits = fits && one.lanes.address[k] + 2 * facts_.period > one.lanes.address[k];
          }
      }
    }
    parts_.push_back(one);
  }

  /// An access whose addresses are moved by `by` bytes. Inactive lanes get the address of an active one.
  [[nodiscard]] static access<Lanes> moved(access<Lanes> asked, std::uint64_t by) {
    asked = detail::only(asked, asked.active), asked.differ = 0;
    for (std::uint64_t& address : asked.address) address += by, asked.differ |= address ^ asked.address[0];
    return asked;
  }
  /// The greatest value that each number of cost_at(access) has at any base. All bases below the period that the
  /// alignment allows are tried.
  template <class CostAt>
  [[nodiscard]] recorded_cost at_each_base(part& of, CostAt const& cost_at) const {
    recorded_cost most;
    std::uint64_t const alignment = facts_.limits.alignment, step = std::max(of.step, alignment);
    std::uint64_t const first = (alignment - of.lanes.address[lowest(of.lanes.active)] % alignment) % alignment;
    for (std::uint64_t base = first; base < facts_.period; base += step) {
      recorded_cost const one = cost_at(moved(of.lanes, base));
      if (std::uint64_t const weight = detail::weight_of(one); weight > of.weight)
        of.weight = weight, of.worst_base = base;
      detail::keep_greater(most, one);
    }
    return most;
  }
  [[nodiscard]] static unsigned lowest(std::uint64_t lanes) {
    unsigned first = 0;
    while ((lanes >> first & 1) == 0) ++first;
    return first;
  }
  [[nodiscard]] recorded_cost cost(access<Lanes> asked, serving by) const {
    asked.bytes = facts_.limits.bytes;
    return costs_.cost(asked, by);
  }
  /// Counts every transaction as a sector that is written in part, since some of its lanes may not take part.
  static void all_partial(recorded_cost& to) {
    if (to.partial_sectors != not_counted) to.partial_sectors = to.transactions;
  }
  /// The bound if all lanes make one part, so that their addresses move together: all bases that the part may have are
  /// tried one by one (at_each_base).
  [[nodiscard]] recorded_cost bound_of_part(part& of) const {
    bool const is_whole = asked_.surely == asked_.may && of.is_one_base;
    recorded_cost most = at_each_base(of, [&](access<Lanes> const& asked) {
      if (is_whole || !costs_.may_merge()) return cost(asked, serving::as_issued);
      // The parts here are those of a warp (cuda/shared.hpp), which may merge. If they merge, they also merge with
      // fewer active lanes. If they do not merge, they do not merge with more active lanes either. Both statements hold
      // only if the distances between the lanes are known (is_one_base).
      if (of.is_one_base && costs_.merges(asked)) return cost(asked, serving::merged);
      recorded_cost both = cost(asked, serving::apart);
      if (of.is_one_base && !costs_.merges(moved(detail::only(asked, asked_.surely), 0))) return both;
      detail::keep_greater(both, cost(asked, serving::merged));
      return both;
    });
    if (!is_whole) all_partial(most);
    if (!of.is_one_base && most.lanes_on_one_address != not_counted)
      most.lanes_on_one_address = detail::count_bits(of.lanes.active);
    return most;
  }
  /// The cost if each lane is in a row of its own. No two lanes share a byte, and all lanes begin at the same byte of
  /// their rows.
  [[nodiscard]] recorded_cost scattered(std::uint64_t lanes, serving by) const {
    recorded_cost most;
    access<Lanes> asked{};
    asked.active = lanes;
    for (unsigned k = 0; k != Lanes; ++k) asked.address[k] = k * apart_;
    detail::keep_greater(most, cost(moved(asked, 0), by));
    // An element that is larger than its alignment may begin in one row and end in the next.
    if (facts_.limits.bytes > facts_.limits.alignment)
      detail::keep_greater(most, cost(moved(asked, facts_.period - facts_.limits.alignment), by));
    return most;
  }
  /// The bound if the lanes make several parts (the lanes of a part move together). For most numbers, it is the cost of
  /// lanes that share no memory (scattered), minus what each part saves because its lanes do (numbers_that_add_up).
  [[nodiscard]] recorded_cost bound_of_parts(serving by) {
    recorded_cost all = scattered(asked_.may, by), sums;
    if (facts_.needs_every_lane) return all;
    std::uint64_t on_one_address = 0;
    detail::each_of(numbers_below_their_sum{}, [&](auto member) { sums.*member = 0; });
    for (part& each : parts_) {
      recorded_cost one = at_each_base(each, [&](access<Lanes> const& asked) { return cost(asked, by); });
      if ((each.lanes.active & ~asked_.surely) != 0) all_partial(one);
      recorded_cost const alone = scattered(each.lanes.active, by);
      detail::each_of(numbers_that_add_up{}, [&](auto member) {
        if (all.*member != not_counted) all.*member -= alone.*member - one.*member;
      });
      detail::each_of(numbers_below_their_sum{}, [&](auto member) { sums.*member += detail::or_none(one.*member); });
      on_one_address += each.is_one_base ? one.lanes_on_one_address : detail::count_bits(each.lanes.active);
    }
    detail::each_of(numbers_below_their_sum{}, [&](auto member) {
      if (all.*member != not_counted) all.*member = std::min(all.*member, sums.*member);
    });
    if (all.lanes_on_one_address != not_counted) all.lanes_on_one_address = on_one_address;
    return all;
  }

  /// The ranges of addresses in which the bytes of all lanes lie, in ascending order. Ranges that overlap or touch are
  /// joined. Empty if some lane may lie anywhere, or if the ranges are so large that they cannot lower the bound.
  [[nodiscard]] std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges() const {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> all, joined;
    std::uint64_t bytes = 0;
    for (unsigned k = 0; k != Lanes; ++k) {
      if ((asked_.may >> k & 1) == 0) continue;
      std::uint64_t const from = asked_.base[k] == 0 ? asked_.address[k] : asked_.from[k];
      std::uint64_t const to = asked_.base[k] == 0 ? from + facts_.limits.bytes : asked_.to[k];
      if (to <= from || to - from > Lanes * facts_.period) return {};
      all.emplace_back(from, to);
    }
    std::sort(all.begin(), all.end());
    for (auto const& each : all)
      if (!joined.empty() && each.first <= joined.back().second)
        joined.back().second = std::max(joined.back().second, each.second);
      else
        joined.push_back(each);
    for (auto const& each : joined) bytes += each.second - each.first;
    return bytes <= Lanes * facts_.period ? joined : decltype(joined){};
  }
  using numbers_of_pieces = members<&recorded_cost::transactions, &recorded_cost::bytes_moved, &recorded_cost::lines,
                                    &recorded_cost::rounds, &recorded_cost::ways>;
  /// Each number of numbers_of_pieces counts pieces of memory: sectors, lines, or rows of all banks. piece_sizes has
  /// the size in bytes of such a piece, for each number. The size is found by trying: it is the least distance at which
  /// two lanes cost more than two lanes at one address. 0: two lanes never cost more.
  using piece_sizes = std::array<std::uint64_t, 5>;
  [[nodiscard]] piece_sizes find_pieces(serving by) const {
    piece_sizes found = {};
    for (std::uint64_t bytes = 2 * facts_.period; bytes >= facts_.limits.alignment; bytes /= 2)
      for (unsigned other = 1; other < Lanes; other *= 2) {
        access<Lanes> two{};
        two.active = std::uint64_t{1} << other | 1;
        two.address[0] = two.address[other] = 16 * facts_.period;
        recorded_cost const at_one = cost(moved(two, 0), by);
        two.address[other] += bytes;
        recorded_cost const apart = cost(moved(two, 0), by);
        std::size_t k = 0;
        detail::each_of(numbers_of_pieces{}, [&](auto member) {
          if (apart.*member != not_counted && at_one.*member < apart.*member) found[k] = bytes;
          ++k;
        });
      }
    return found;
  }
  [[nodiscard]] piece_sizes pieces(serving by) const {
    thread_local std::map<std::pair<void const*, serving>, piece_sizes> known;
    auto const [at, is_new] = known.try_emplace({&costs_, by});
    if (is_new) at->second = find_pieces(by);
    return at->second;
  }
  /// Lowers the bound if the ranges of the lanes are known. The lanes touch no more sectors, lines or rows of banks
  /// (piece_sizes) than the ranges have, and each of these costs at most as much as all lanes at one address.
  void keep_in_range(recorded_cost& most) const {
    if (facts_.needs_every_lane || facts_.is_scalar || asked_.may == 0) return;
    auto const where = ranges();
    if (where.empty()) return;
    serving const by = costs_.may_merge() ? serving::apart : serving::as_issued;
    access<Lanes> asked{};
    asked.active = asked_.may;
    for (std::uint64_t& each : asked.address) each = 16 * facts_.period;
    recorded_cost const at_one = cost(moved(asked, 0), by);
    piece_sizes const sizes = pieces(by);
    std::size_t k = 0;
    std::uint64_t conflicts = most.conflicts;
    detail::each_of(numbers_of_pieces{}, [&](auto member) {
      std::uint64_t const bytes = sizes[k++];
      std::uint64_t count = 0, next = 0;
      for (auto const& [from, to] : where) {
        if (bytes == 0) return;
        std::uint64_t const first = std::max(from / bytes, next), end = (to - 1) / bytes + 1;
        if (first < end) count += end - first, next = end;
      }
      if (most.*member == not_counted) return;
      // On AMD several groups of lanes may each count the same sector or line of global memory, so the ranges do not
      // limit the number.
      bool const is_rounds = member == &recorded_cost::rounds,
                 is_of_banks = is_rounds || member == &recorded_cost::ways;
      if (!is_of_banks && most.data_wavefronts == not_counted) return;
      most.*member = std::min(most.*member, count * at_one.*member);
      // A phase (lanes that are served together) takes one round for each different word that they want from its
      // busiest bank. Each of the `count` rows of banks has one word of this bank, so a phase takes at most `count`
      // rounds. Its first round is not a conflict.
      if (is_rounds && at_one.rounds == at_one.phases) conflicts = std::min(conflicts, (count - 1) * most.phases);
    });
    if (most.conflicts != not_counted) most.conflicts = conflicts;
    if (most.partial_sectors != not_counted) most.partial_sectors = std::min(most.partial_sectors, most.transactions);
  }

  costs_of_lanes<Lanes> const& costs_;
  bounded_by facts_;
  possible_access<Lanes> asked_;
  std::uint64_t apart_;
  std::vector<part> parts_;
};

}  // namespace detail
}  // namespace coalescing

// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/access.hpp>
#include <coalesce/core/misuse.hpp>
#include <coalesce/host/bounds.hpp>
#include <coalesce/host/pieces.hpp>
#include <coalesce/record/prices.hpp>
#include <coalesce/record/recorder.hpp>
#include <coalesce/record/recording.hpp>
#include <coalesce/record/sums.hpp>
#include <coalesce/record/table.hpp>
#include <coalesce/total/launch.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

// Makes recordings of accesses that are found at run time, row by row. A row has an instruction, a mask, the lanes'
// addresses, and the place in a source, a binary or a trace. Opt-in, for the host. The recorder of the unmodified
// kernel, the readers of traces and the readers of binaries give their rows to a row_recorder, which makes a
// co::recording.

namespace coalescing {

namespace refused {

[[noreturn]] inline void bounds_are_not_known_on_this_machine() {
  detail::refuse("take_at_most: on this machine an access may cost more with fewer lanes");
}

}  // namespace refused

/// recording<any_number> keeps its sites in a vector, so their number need not be known at compile time.
inline constexpr unsigned any_number = 0;

/// A recording that was made at run time. It owns its strings.
template <>
struct recording<any_number> : detail::questions_of_sites<recording<any_number>> {
  std::vector<site> sites;
  std::vector<char const*> names;  ///< the names of the arrays
  machine_name machine = {};
  std::uint64_t blocks = 0;  ///< how many blocks were recorded, wholly or in part
  /// Whether each recorded block costs at every site as much as the first one. If the costs are bounds, whether the
  /// blocks' bounds are equal.
  bool blocks_alike = true;
  std::shared_ptr<std::set<std::string> const> words = {};  ///< the strings to which `sites` and `names` point

  [[nodiscard]] std::uint64_t size() const { return sites.size(); }
  [[nodiscard]] site const* begin() const { return sites.data(); }
  [[nodiscard]] site const* end() const { return sites.data() + sites.size(); }
  [[nodiscard]] bool has_array(char const* array) const {
    for (char const* name : names)
      if (detail::same_words(name, array)) return true;
    return false;
  }
  /// A table with a line for each site.
  [[nodiscard]] std::string text() const {
    detail::site_columns columns;
    for (site const& s : sites) columns.fit(s);
    std::string all;
    auto const add = [&all](auto const& put) {
      coalescing::text<detail::site_line> line;
      put(line), all += line.c_str();
    };
    add([&](auto& line) { detail::put_heading(line, columns); });
    for (site const& s : sites) add([&](auto& line) { detail::put_site(line, columns, s); });
    return all;
  }
};

/// Where an instruction stands. A line or a column that is not known is 0, and an offset that is not known is
/// not_counted.
struct found_at {
  std::string file = {};
  unsigned line = 0, column = 0;
  std::uint64_t offset = not_counted;  ///< bytes from the kernel's start to the instruction in its binary
  std::string opcode = {};             ///< the opcode as the binary or the trace spells it
  auto operator<=>(found_at const&) const = default;
};

namespace detail {

/// The part of a row_recorder that does not depend on the machine's type, but only on the machine's number of lanes.
/// The constructor takes the machine's facts.
template <unsigned Lanes>
class rows_of_machine {
 public:
  static constexpr unsigned lanes = Lanes;  ///< how many lanes a warp or wave has

  explicit rows_of_machine(machine_facts<lanes> const& on) : machine_(&on) { made_.machine = on.identity; }

  /// Adds the name of an array. The array need not be accessed.
  void array(std::string const& name) {
    char const* const kept = keep(name);
    for (char const* known : made_.names)
      if (known == kept) return;
    made_.names.push_back(kept);
  }

  /// Opens a site: a place in the code, where the costs of all accesses add up. Each lane moves `bytes` bytes there, at
  /// an address that is a multiple of `alignment`. Returns the number of the site. The bytes are moved by the widest
  /// instructions that the alignment allows, as in co::record. Refused: a size that no instruction moves.
  unsigned open(found_at const& at, std::string const& array, memory_space space, touch kind, unsigned bytes,
                unsigned alignment) {
    return open_site({at, array, space, kind, bytes, alignment, ""},
                     [&] { return detail::pieces_of(*machine_, space, kind, bytes, alignment); });
  }
  /// Opens the site of an instruction that is given as a type.
  template <class Instruction>
  unsigned open_as(found_at const& at, std::string const& array, memory_space space, touch kind) {
    static_assert(detail::wave_of<Instruction> == lanes,
                  "the instruction is of a machine with wider or narrower warps or waves");
    return open_as(at, array, space, kind, detail::facts_of_piece<Instruction, lanes>());
  }
  /// Opens the site of an instruction that is given by its facts, as an object.
  unsigned open_as(found_at const& at, std::string const& array, memory_space space, touch kind,
                   detail::piece_facts<lanes> const& of) {
    return open_site({at, array, space, kind, of.bits / 8, 1, of.instruction},
                     [&of] { return pieces{detail::piece<lanes>(of)}; });
  }
  /// Opens a site whose cost is not known, because no document states it.
  unsigned open_uncounted(found_at const& at, std::string const& array, memory_space space, touch kind,
                          unsigned bytes) {
    return open_site({at, array, space, kind, bytes, 0, ""},
                     [bytes] { return pieces{detail::piece<lanes>(detail::facts_of_uncounted<lanes>(bytes))}; });
  }

  /// Says which warp or wave, of which block, makes the accesses that follow.
  void begin(place const& block, unsigned warp) {
    if (!(block == block_)) add_rounds();
    block_ = block, warp_ = warp;
  }

  /// Records an instruction of a warp or wave: its active lanes (bit k is lane k), and the byte address of each lane.
  /// Without an active lane nothing is issued. `uneven`: lanes of the warp came to this instruction different numbers
  /// of times without converging (site::uneven). Refused: an address that the site's instruction cannot have.
  void take(unsigned which, std::uint64_t active, std::uint64_t const* address_of_lane, bool uneven = false) {
    if (which >= costs_.size()) refused::recording_has_no_such_site(which);
    active &= detail::wave_mask<lanes>;
    if (active == 0) return;
    access<lanes> asked;
    asked.active = active;
    std::uint64_t any = 0, all = ~std::uint64_t{0};
    for (unsigned k = 0; k != lanes; ++k) {
      bool const is_active = (active >> k & 1) != 0;
      asked.address[k] = is_active ? address_of_lane[k] : 0;
      any |= asked.address[k], all &= is_active ? asked.address[k] : ~std::uint64_t{0};
    }
    detail::fill(asked), asked.differ = any & ~all;
    costs& c = costs_[which];
    asked.bytes = made_.sites[which].bits / 8;
    c.prices.add_access(made_.sites[which], asked, any, uneven, block_, warp_,
                        [&c](access<lanes> const& from, std::uint64_t bits) {
                          detail::price sum;
                          for (auto const& one : c.of) one.add(sum, from, bits);
                          return sum;
                        });
  }

  /// Records an instruction whose access is known only in part. Each number of the recorded cost is an upper bound. The
  /// bounds hold for any set of lanes that has all lanes of `surely` and is within `may`, and for any values of the
  /// unknown bases.
  ///
  /// `loop` is for an instruction inside a loop that only unknown data can end: the line of that loop, or of the
  /// innermost one. The site's numbers are then those of one iteration. 0: there is no such loop.
  ///
  /// If no lane may take part, nothing is issued. A lane of `may` with an address that the instruction cannot have does
  /// not take part. If everything is known and `loop` is 0, this function does the same as take(). Refused: a lane of
  /// `surely` with an address that the instruction cannot have; CC 1.x, CC 2.x and GCN.
  void take_at_most(unsigned which, possible_access<lanes> const& asked, unsigned loop = 0) {
    if (which >= costs_.size()) refused::recording_has_no_such_site(which);
    possible_access<lanes> of = asked;
    of.may &= detail::wave_mask<lanes>, of.surely &= of.may;
    if (of.may == 0) return;
    bool is_known = of.surely == of.may;
    for (unsigned k = 0; k != lanes; ++k) is_known = is_known && ((of.may >> k & 1) == 0 || of.base[k] == 0);
    if (is_known && loop == 0) return take(which, of.may, of.address);
    machine_name const& on = machine_->identity;
    if ((on.capability != 0 && on.capability < 30) || detail::same_words(on.family.name, "gcn"))
      refused::bounds_are_not_known_on_this_machine();
    auto const& [sum, example] = bound_of(which, of);
    if (sum.cost.issued == 0) return;
    site& s = made_.sites[which];
    s.at_most = true;
    if (loop == 0) {
      add(s, sum);
    } else {
      if (s.per_iteration == 0) s.per_iteration = loop;
      rounds& of_warp = rounds_[{warp_, which}];
      of_warp.loop = loop, detail::add_up(of_warp.now.cost, sum.cost), detail::add_up(of_warp.now.ideal, sum.ideal);
    }
    if (sum.weight <= s.worst) return;
    s.worst = sum.weight, s.worst_block = block_, s.worst_warp = warp_, s.worst_access.active = example.active;
    std::copy(example.address, example.address + lanes, s.worst_access.address);
  }
  /// Ends an iteration of a loop for the warp of the last begin(). The iteration has the accesses that this warp has
  /// given to take_at_most() with a `loop` since the warp's last iteration ended. (The warps of a block may take turns
  /// within an iteration.) For each number, a site's cost for a warp is that of the most expensive iteration. The costs
  /// of the warps add up. If loops are nested, give `loop`: only accesses with the same `loop` belong to the iteration.
  /// 0: accesses with any `loop` belong to it.
  void end_round(unsigned loop = 0) {
    for (auto& [whose, of_warp] : rounds_)
      if (whose.first == warp_ && (loop == 0 || of_warp.loop == loop)) of_warp.end();
  }

  /// Ends a block: its costs are compared with the first block's.
  void block_done() {
    flush();
    bool const is_first = made_.blocks == 0;
    std::size_t const known = before_.size(), sites = made_.sites.size();
    first_.resize(sites), before_.resize(sites);
    bool const alike =
        detail::grows_alike(made_.sites.data(), static_cast<unsigned>(sites), first_.data(), before_.data(), is_first);
    made_.blocks_alike = is_first || (made_.blocks_alike && known == sites && alike);
    ++made_.blocks;
  }

  /// Notes that a row of the site `which` has read shared memory that nothing has written.
  void reads_unwritten(unsigned which) { made_.sites[which].unwritten = true; }

  /// Adds the rows of another recorder. The costs of equal sites are added up, and sites that only the other recorder
  /// has are appended. The numbers of blocks are added up, too. All blocks are alike (blocks_alike) if the blocks of
  /// each recorder are alike, and if the first blocks of the two recorders are alike.
  void add(rows_of_machine other) {
    flush(), other.flush();
    bool alike = made_.blocks_alike && other.made_.blocks_alike;
    bool const both = made_.blocks != 0 && other.made_.blocks != 0;
    for (char const* name : other.made_.names) array(name);
    std::size_t const known = made_.sites.size();
    std::vector<recorded_cost> first(known);
    for (std::size_t from = 0; from != other.keys_.size(); ++from) {
      unsigned const to = open_site(other.keys_[from], [&] { return other.costs_[from].of; });
      if (to == first.size()) first.emplace_back();
      if (from < other.first_.size()) first[to] = other.first_[from];
      merge(made_.sites[to], other.made_.sites[from]);
    }
    first_.resize(first.size());
    for (std::size_t k = 0; both && k != first.size(); ++k)
      alike = alike && detail::has_grown_by(first_[k], zeros_of(first[k]), first[k]);
    if (made_.blocks == 0) first_ = first;
    before_.resize(first.size());
    for (std::size_t k = 0; k != before_.size(); ++k) before_[k] = made_.sites[k].cost;
    made_.blocks_alike = alike, made_.blocks += other.made_.blocks;
  }

  /// Multiplies the costs by `blocks`, as if this many equal blocks had been recorded. Only one block may have been
  /// recorded before.
  void repeat(std::uint64_t blocks) {
    flush();
    for (site& s : made_.sites)
      detail::add_up(s.cost, recorded_cost(s.cost), blocks - 1),
          detail::add_up(s.ideal, recorded_cost(s.ideal), blocks - 1);
    made_.blocks *= blocks;
  }
  /// Returns a number of bytes. If all addresses of an access at this site move by that many bytes, no number of its
  /// cost changes.
  [[nodiscard]] std::uint64_t period_of(unsigned which) const {
    std::uint64_t most = 1;
    for (auto const& one : costs_[which].of) most = std::max(most, one.by->facts().period);
    return most;
  }

  /// The recording of all rows so far.
  [[nodiscard]] recording<any_number> result() {
    flush();
    made_.words = words_;
    return made_;
  }

 private:
  struct known_bound {
    detail::price sum = {};
    access<lanes> example = {};
  };
  /// The bound of an access. It is kept for the next time, since a bound takes as long as a hundred exact costs, and
  /// the iterations of a loop need the same bound again and again.
  [[nodiscard]] known_bound const& bound_of(unsigned which, possible_access<lanes> of) {
    for (unsigned k = 0; k != lanes; ++k) {
      bool const may = (of.may >> k & 1) != 0;
      if (!may) of.address[k] = 0, of.base[k] = 0;
      if (of.base[k] == 0) of.aligned[k] = 0, of.from[k] = of.to[k] = 0;
    }
    static_assert(std::has_unique_object_representations_v<possible_access<lanes>>);
    std::string words(sizeof of + sizeof which, 0);
    std::memcpy(words.data(), &of, sizeof of), std::memcpy(words.data() + sizeof of, &which, sizeof which);
    if (auto const found = bounds_.find(words); found != bounds_.end()) return found->second;
    known_bound made;
    for (auto const& one : costs_[which].of) one.add_bound(made.sum, of, made.example);
    if (bounds_.size() == most_bounds) bounds_.clear();
    return bounds_.emplace(std::move(words), made).first->second;
  }
  static constexpr std::size_t most_bounds = 4096;
  std::unordered_map<std::string, known_bound> bounds_;

  using pieces = std::vector<detail::piece<lanes>>;
  /// What tells two sites apart: they differ in at least one of these members. `instruction` is empty unless open_as()
  /// has opened the site.
  struct key {
    found_at at;
    std::string array;
    memory_space space;
    touch kind;
    unsigned bytes, alignment;
    std::string instruction;
    auto operator<=>(key const&) const = default;
  };
  struct costs {
    pieces of;
    detail::priced<lanes> prices = {};
  };

  /// What the iterations of a loop cost one warp at one site.
  struct rounds {
    detail::price now = {};   ///< the cost of the current iteration so far
    detail::price most = {};  ///< the greatest cost of an iteration, number by number
    unsigned loop = 0;
    void end() {
      detail::keep_greater(most.cost, now.cost), detail::keep_greater(most.ideal, now.ideal);
      now = {};
    }
  };
  static void add(site& to, detail::price const& sum) {
    detail::add_up(to.cost, sum.cost), detail::add_up(to.ideal, sum.ideal);
  }
  /// Adds to each site, for each warp, the cost of the most expensive iteration.
  void add_rounds() {
    for (auto& [whose, of_warp] : rounds_) of_warp.end(), add(made_.sites[whose.second], of_warp.most);
    rounds_.clear();
  }

  /// The same cost with all its numbers set to 0. has_grown_by() takes it as the sum before the first block.
  static recorded_cost zeros_of(recorded_cost cost) {
    cost.issued = 0;
    detail::each_number(
        cost, cost,
        [](std::uint64_t& number, std::uint64_t, bool) {
          if (number != not_counted) number = 0;
        },
        compared_cost::numbers{});
    return cost;
  }
  char const* keep(std::string const& word) { return words_->insert(word).first->c_str(); }

  template <class Pieces>
  unsigned open_site(key const& what, Pieces const& pieces_of) {
    if (auto const found = numbers_.find(what); found != numbers_.end()) return found->second;
    costs made{pieces_of()};
    array(what.array);
    site s;
    s.at = {keep(what.at.file), what.at.line, what.at.column}, s.offset = what.at.offset;
    s.opcode = keep(what.at.opcode), s.array = keep(what.array), s.space = what.space, s.kind = what.kind;
    s.bits = 8 * what.bytes, s.instruction = made.of[0].instruction, s.counters = made.of[0].counters;
    auto const number = static_cast<unsigned>(made_.sites.size());
    made_.sites.push_back(s), costs_.push_back(std::move(made)), keys_.push_back(what);
    return numbers_[what] = number;
  }
  void flush() {
    add_rounds();
    for (std::size_t k = 0; k != costs_.size(); ++k) costs_[k].prices.flush(made_.sites[k]);
  }
  static void merge(site& to, site const& from) {
    detail::add_up(to.cost, from.cost), detail::add_up(to.ideal, from.ideal);
    to.uneven = to.uneven || from.uneven, to.unwritten = to.unwritten || from.unwritten;
    to.at_most = to.at_most || from.at_most;
    if (to.per_iteration == 0) to.per_iteration = from.per_iteration;
    if (from.worst <= to.worst) return;
    to.worst = from.worst, to.worst_block = from.worst_block, to.worst_warp = from.worst_warp;
    to.worst_access = from.worst_access;
  }

  machine_facts<lanes> const* machine_;
  recording<any_number> made_ = {};
  std::vector<key> keys_;
  std::map<key, unsigned> numbers_;  // the number of each site
  std::vector<costs> costs_;
  std::vector<recorded_cost> first_;   // for each site, its cost in the first block
  std::vector<recorded_cost> before_;  // for each site, its cost up to the end of the last block
  std::shared_ptr<std::set<std::string>> words_ = std::make_shared<std::set<std::string>>();
  place block_ = {};
  unsigned warp_ = 0;
  std::map<std::pair<unsigned, unsigned>, rounds> rounds_;  // by warp of the block and site: the costs of iterations
};

}  // namespace detail

/// Makes a recording of the accesses of warps or waves on the Machine. The caller gives each access to take(), one
/// after the other.
template <class Machine>
class row_recorder : public detail::rows_of_machine<Machine::issues::lanes> {
 public:
  row_recorder() : detail::rows_of_machine<Machine::issues::lanes>(detail::instructions_of_machine<Machine>) {}
};

}  // namespace coalescing

// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/compare/compared_cost.hpp>
#include <coalesce/core/config.hpp>
#include <coalesce/core/name.hpp>
#include <coalesce/core/text.hpp>
#include <coalesce/explain/counters.hpp>
#include <coalesce/explain/numbers.hpp>
#include <coalesce/explain/words.hpp>
#include <coalesce/record/refusals.hpp>
#include <coalesce/record/sums.hpp>
#include <coalesce/record/table.hpp>
#include <coalesce/total/launch.hpp>

#include <cstdint>

// A recording: what a kernel's accesses cost, place by place in its source. This header does not find the accesses. It
// adds up their costs, compares and prints them.

namespace coalescing {

/// One access of a warp or wave: the mask of its active lanes, and a pattern, which gives their addresses.
struct recorded_access {
  std::uint64_t active = 0;
  std::uint64_t address[64] = {};  ///< the byte at which each active lane's element begins
  [[nodiscard]] COALESCE_API constexpr std::uint64_t operator()(unsigned lane) const { return address[lane]; }
};

/// The accesses that a kernel makes at one place of its source, in all warps that were recorded.
struct site {
  source_place at = {};
  /// Bytes from the kernel's start to the instruction, if a binary or a trace gives them; else not_counted.
  std::uint64_t offset = not_counted;
  char const* opcode = "";  ///< the opcode as a binary or a trace spells it
  char const* array = "";   ///< the array's name
  memory_space space = {};
  touch kind = {};
  unsigned bits = 0;  ///< bits that a lane accesses: the whole element, even if several instructions move it
  /// The name of the first instruction that moves the element; empty if no published source states its cost.
  char const* instruction = "";
  recorded_cost cost = {};
  recorded_cost ideal = {};  ///< what the accesses would cost if their active lanes accessed neighbouring words
  /// The most rounds that one access of a warp takes. If its cost has no rounds: the most transactions, else
  /// operations, else requests.
  std::uint64_t worst = 0;
  place worst_block = {};   ///< the first block with an access that costs `worst`
  unsigned worst_warp = 0;  ///< the warp or wave of worst_block that makes this access
  recorded_access worst_access = {};
  bool uneven = false;  ///< lanes of a warp came here different numbers of times without converging
  /// Whether loads here have read bytes of shared memory that no thread of the block had written before. This is found
  /// only where the kernel runs on the host.
  bool unwritten = false;
  bool at_most = false;  ///< an access is not known in full, so each number of the cost is an upper bound
  /// If not 0, the line of a loop: the numbers are those of one of its iterations. 0: they are those of all iterations.
  unsigned per_iteration = 0;
  counter_list (*counters)() = nullptr;
};

namespace detail {

/// The member functions that every recording has. A Recording is a range of sites. Its has_array(name) tells whether
/// the kernel was given an array of that name.
template <class Recording>
struct questions_of_sites {
  [[nodiscard]] COALESCE_API constexpr site const& operator[](std::uint64_t index) const {
    if (index >= self().size()) refused::recording_has_no_such_site(index);
    return self().begin()[index];
  }
  /// The cost of all accesses to an array.
  [[nodiscard]] COALESCE_API constexpr recorded_cost of(char const* array) const {
    must_know(array);
    return sum([&](site const& s) { return is_in(s, array); });
  }
  /// The cost of the loads from one array, given by its name, or from one memory_space.
  template <class Where>
  [[nodiscard]] COALESCE_API constexpr recorded_cost loads(Where const& where) const {
    return of_kind(touch::load, where);
  }
  template <class Where>
  [[nodiscard]] COALESCE_API constexpr recorded_cost stores(Where const& where) const {
    return of_kind(touch::store, where);
  }
  template <class Where>
  [[nodiscard]] COALESCE_API constexpr recorded_cost atomics(Where const& where) const {
    return of_kind(touch::atomic, where);
  }
  /// The cost of all sites on a line of the source, in any file.
  [[nodiscard]] COALESCE_API constexpr recorded_cost at(unsigned line) const {
    bool found = false;
    for (site const& s : self()) found = found || s.at.line == line;
    if (!found) refused::recording_has_no_access_at_that_line(line);
    return sum([&](site const& s) { return s.at.line == line; });
  }
  [[nodiscard]] COALESCE_API constexpr recorded_cost total() const {
    return sum([](site const&) { return true; });
  }

  /// What a profiler should show for this counter: the number that it counts, summed over all sites that have the
  /// counter. The answer is not_counted in these cases:
  /// - One of these sites has only upper bounds.
  /// - No published source states the cost of some site that has the same memory_space as one of these sites.
  /// - No site has the counter, and no published source states the cost of some site, whatever its memory_space.
  [[nodiscard]] COALESCE_API constexpr std::uint64_t expected(char const* counter_name) const {
    bool known = false;
    counter_table const table = all_counters();
    for (counter const& line : table.lines) known = known || detail::same_words(line.name, counter_name);
    if (!known) refused::counter_is_unknown(counter_name);
    std::uint64_t sum = 0;
    // For each memory_space: whether the cost of all its sites is known, and whether one of its sites has the counter.
    bool is_counted[2] = {true, true}, is_asked[2] = {};
    bool at_most = false;
    for (site const& s : self()) {
      auto const space = static_cast<unsigned>(s.space);
      is_counted[space] = is_counted[space] && s.cost.is_counted;
      if (s.counters == nullptr) continue;
      counter_list const lines = s.counters();
      for (counter const& line : lines)
        if (detail::same_words(line.name, counter_name))
          is_asked[space] = true, at_most = at_most || s.at_most,
          sum += number_named(static_cast<compared_cost const&>(s.cost), line.number);
    }
    bool const anywhere = !is_asked[0] && !is_asked[1];
    bool const is_whole =
        (is_counted[0] || !(is_asked[0] || anywhere)) && (is_counted[1] || !(is_asked[1] || anywhere));
    return is_whole && !at_most ? sum : not_counted;
  }

 private:
  COALESCE_API constexpr Recording const& self() const { return static_cast<Recording const&>(*this); }
  COALESCE_API static constexpr bool is_in(site const& s, char const* array) {
    return detail::same_words(s.array, array);
  }
  COALESCE_API static constexpr bool is_in(site const& s, memory_space space) { return s.space == space; }
  COALESCE_API constexpr void must_know(memory_space) const {}
  COALESCE_API constexpr void must_know(char const* array) const {
    if (!self().has_array(array)) refused::recording_has_no_such_array(array);
  }
  template <class Where>
  COALESCE_API constexpr recorded_cost of_kind(touch kind, Where const& where) const {
    must_know(where);
    return sum([&](site const& s) { return s.kind == kind && is_in(s, where); });
  }
  template <class Predicate>
  COALESCE_API constexpr recorded_cost sum(Predicate const& is_meant) const {
    recorded_cost total;
    for (site const& s : self())
      if (is_meant(s)) detail::add_up(total, s.per_iteration == 0 ? s.cost : detail::left_out(s.cost));
    return total;
  }
};

}  // namespace detail

/// A recording: a range of sites, in the order in which threads first reached them. Read its members, but do not change
/// them.
///
/// The functions that take the name of an array, a memory_space or a line add up the costs of the sites there. `loads`,
/// `stores` and `atomics` leave out co::issue's instructions. Refused: an array that the kernel was not given, a line
/// without an access, and an unknown counter.
template <unsigned MostSites>
struct recording : detail::questions_of_sites<recording<MostSites>> {
  static constexpr unsigned most_arrays = 16;

  site sites[MostSites] = {};
  unsigned count = 0;
  char const* names[most_arrays] = {};  ///< the names of the arrays
  unsigned arrays = 0;
  machine_name machine = {};
  std::uint64_t blocks = 0;  ///< how many blocks were recorded, wholly or in part
  /// Whether at every site each recorded block costs as much as the first block, or has the same upper bounds.
  bool blocks_alike = true;

  [[nodiscard]] COALESCE_API constexpr std::uint64_t size() const { return count; }
  [[nodiscard]] COALESCE_API constexpr site const* begin() const { return sites; }
  [[nodiscard]] COALESCE_API constexpr site const* end() const { return sites + count; }
  [[nodiscard]] COALESCE_API constexpr bool has_array(char const* array) const {
    for (unsigned k = 0; k != arrays; ++k)
      if (detail::same_words(names[k], array)) return true;
    return false;
  }
  /// A table with a line for each site.
  [[nodiscard]] COALESCE_API constexpr auto text() const { return detail::table_of<MostSites>(*this); }
};

namespace detail {

/// Whether each site's cost has grown in this block by as much as in the first block. `first` is what each site cost in
/// the first block, `before` what it cost up to the end of the block before this one. The call sets `first` in the
/// first block, and updates `before` in every block.
COALESCE_API constexpr bool grows_alike(site const* sites, unsigned count, recorded_cost* first, recorded_cost* before,
                                        bool is_first_block) {
  bool alike = true;
  for (unsigned k = 0; k != count; ++k) {
    if (is_first_block) first[k] = sites[k].cost;
    alike = alike && (is_first_block || detail::has_grown_by(first[k], before[k], sites[k].cost));
    before[k] = sites[k].cost;
  }
  return alike;
}

}  // namespace detail
}  // namespace coalescing

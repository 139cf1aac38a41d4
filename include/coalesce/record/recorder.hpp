// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/access.hpp>
#include <coalesce/core/config.hpp>
#include <coalesce/core/instruction.hpp>
#include <coalesce/explain/counters.hpp>
#include <coalesce/explain/words.hpp>
#include <coalesce/record/arrays.hpp>
#include <coalesce/record/journal.hpp>
#include <coalesce/record/prices.hpp>
#include <coalesce/record/recording.hpp>
#include <coalesce/record/refusals.hpp>
#include <coalesce/total/visits.hpp>

#include <cstdint>
#include <type_traits>

// The pointers and threads of a recorded kernel report each access to a recorder. The recorder checks the access and
// notes it in its journal (journal.hpp), which joins the accesses of lanes to instructions of the warp. At the end of a
// warp the journal hands these instructions to a sink, which makes the recording.

namespace coalescing::detail {

template <class Instruction>
inline constexpr auto lasting_name = name_of<Instruction>();
template <class Instruction>
inline constexpr char tag_of = 0;

/// Notes the accesses of warps of `Lanes` lanes, as the journal (journal.hpp) does, but checks each access first.
template <unsigned Lanes, class Sink>
struct recorder : journal<Lanes, Sink> {
  using journal<Lanes, Sink>::journal;

  /// Checks and notes an access to an element of type T. If the kernel names an Instruction with co::issue, that
  /// instruction does the access.
  template <memory_space Space, touch Kind, class T, class Instruction = void>
  COALESCE_API constexpr void access_to(source_place const& at, array_facts const& array, std::uint64_t address) {
    constexpr bool named = !std::is_void<Instruction>::value;
    constexpr unsigned bytes = sizeof(T), alignment = named ? 1 : alignof(T);
    if constexpr (named)
      for (std::uint64_t const offset : offsets_of<Instruction>.from)
        detail::check_access(at, array, address + offset, bytes, alignment, this->lane);
    else
      detail::check_access(at, array, address, bytes, alignment, this->lane);
    void const* const tag = named ? &tag_of<Instruction> : nullptr;
    this->note({at, array.id, bytes, alignment, Kind, tag, array.name}, address, [&](visited_place& fresh) {
      fresh.site = this->sink.template add_site<Space, Kind, bytes, alignment, Instruction>(at, array, this->lane);
    });
  }
};

/// The last access of a site, its cost, and how many accesses in a row had this cost. The costs of these accesses are
/// not yet in the sums of the site.
template <unsigned Lanes>
struct priced {
  access<Lanes> asked = {};
  price last = {};
  std::uint64_t times = 0;

  /// Adds an access of a warp. If it equals the last access, or equals the last access moved by a multiple of
  /// price::period bytes, both cost the same. Then only `times` grows.
  template <class PriceOf>
  constexpr void add_access(site& s, access<Lanes> const& next, std::uint64_t any, bool uneven, place const& block,
                            unsigned warp, PriceOf const& price_of) {
    if (uneven) s.uneven = true;
    if (times != 0 && any <= last.last_start && detail::is_moved_by_multiples(next, asked, last.period))
      return void(++times);
    flush(s);
    last = price_of(next, any), asked = next, times = 1;
    if (last.weight <= s.worst) return;
    s.worst = last.weight, s.worst_block = block, s.worst_warp = warp, s.worst_access.active = next.active;
    for (unsigned k = 0; k != Lanes; ++k) s.worst_access.address[k] = next.address[k];
  }
  /// Adds to the sums of the site the cost of the last `times` accesses, which the sums do not contain yet.
  constexpr void flush(site& s) {
    if (times == 0) return;
    detail::add_up(s.cost, last.cost, times), detail::add_up(s.ideal, last.ideal, times);
    times = 0;
  }
};

/// Makes a recording from the accesses of warps.
template <class Machine, unsigned MostSites>
struct cost_sink {
  using issues = typename Machine::issues;
  static constexpr unsigned lanes = issues::lanes;

  using price_of = price_function<lanes>;
  recording<MostSites> seen = {};
  price_of functions[MostSites] = {};
  priced<lanes> prices[MostSites] = {};
  place block = {};
  unsigned warp = 0;

  template <memory_space Space, touch Kind, unsigned Bytes, unsigned Alignment, class Instruction>
  constexpr unsigned add_site(source_place const& at, array_facts const& array, unsigned lane) {
    if (seen.count == MostSites) refused::recording_has_too_many_sites(array.name, at.line, lane, MostSites);
    site& s = seen.sites[seen.count];
    s.at = at, s.array = array.name, s.space = Space, s.kind = Kind, s.bits = 8 * Bytes;
    if constexpr (std::is_void<Instruction>::value) {
      functions[seen.count] = &price_of_element<issues, Space, Kind, Bytes, Alignment, lanes>;
      constexpr auto first = detail::next_instruction<issues, Space, Kind, Bytes, Alignment>();
      if constexpr (first.is_counted) name<typename decltype(first)::type>(s);
    } else {
      functions[seen.count] = &price_of_instruction<Instruction, lanes>;
      name<Instruction>(s);
    }
    return seen.count++;
  }
  template <class Instruction>
  static constexpr void name(site& s) {
    s.instruction = lasting_name<Instruction>.characters, s.counters = &counters_of<Instruction>;
  }

  constexpr void add_access(unsigned which, access<lanes> const& asked, std::uint64_t any, bool uneven) {
    prices[which].add_access(seen.sites[which], asked, any, uneven, block, warp, functions[which]);
  }
  /// Adds to the sums of every site the costs that they do not contain yet (priced::flush).
  constexpr void flush() {
    for (unsigned k = 0; k != seen.count; ++k) prices[k].flush(seen.sites[k]);
  }
};

}  // namespace coalescing::detail

// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/compare/table.hpp>
#include <coalesce/core/config.hpp>
#include <coalesce/explain/words.hpp>
#include <coalesce/record.hpp>

#include <cstddef>
#include <cstdint>

// co::compare<Machines...>(kernel) records a kernel on several machines, side by side. Opt-in.

namespace coalescing {

namespace detail {

/// Whether two sites, of different machines, are one place where the kernel does one thing.
constexpr bool same_site(site const& a, site const& b) {
  return a.at.line == b.at.line && a.at.column == b.at.column && a.kind == b.kind && a.bits == b.bits &&
         detail::same_words(a.array, b.array) && detail::same_words(a.at.file, b.at.file) &&
         (a.kind != touch::issued || detail::same_words(a.instruction, b.instruction));
}
/// The machine's name, rdna::gfx1100::wave64.
constexpr text<80> recorded_machine(machine_name const& machine) {
  text<80> words = detail::words_of(machine);
  detail::say(words, *machine.wave == '\0' ? "" : "::", machine.wave);
  return words;
}

}  // namespace detail

/// A kernel on several machines, in the order in which they were named. Only read the members. Refused: an index past
/// the last machine.
template <unsigned Machines>
struct kernel_comparison : detail::fixed_list<recording<32>, Machines> {
  [[nodiscard]] constexpr recording<32> const& operator[](std::uint64_t index) const {
    if (index >= this->count) refused::comparison_has_no_such_row(index);
    return this->items[index];
  }

  /// A table: for each site a line for each machine. It has the columns of recording::text().
  [[nodiscard]] constexpr auto text() const {
    coalescing::text<320 * (32 * Machines + 1)> out;
    std::size_t place = 4, array = 5, access = 6, machine = 7;
    for (recording<32> const& of : *this) {
      machine = detail::wider(machine, detail::recorded_machine(of.machine).length);
      for (site const& s : of) {
        detail::named_site const names = detail::names_of(s);
        place = detail::wider(place, names.place.length), array = detail::wider(array, names.array.length),
        access = detail::wider(access, names.access.length);
      }
    }
    detail::put_left(out, "line", place + 2), detail::put_left(out, "array", array + 2);
    detail::put_left(out, "access", access + 2), detail::put_left(out, "machine", machine);
    out.append(detail::heads_of_numbers);
    for (unsigned m = 0; m != this->count; ++m)
      for (unsigned k = 0; k != this->items[m].count; ++k) {
        site const& met = this->items[m].sites[k];
        if (is_met_before(m, k)) continue;
        for (recording<32> const& of : *this)
          for (site const& s : of) {
            if (!detail::same_site(s, met)) continue;
            detail::named_site const names = detail::names_of(s);
            detail::put_left(out, names.place, place + 2), detail::put_left(out, names.array, array + 2);
            detail::put_left(out, names.access, access + 2);
            detail::put_left(out, detail::recorded_machine(of.machine), machine);
            detail::put_numbers(out, s);
          }
      }
    return out;
  }

 private:
  /// Whether an earlier machine has the site, or this one has it twice.
  constexpr bool is_met_before(unsigned machine, unsigned index) const {
    for (unsigned m = 0; m <= machine; ++m)
      for (unsigned k = 0; k != (m == machine ? index : this->items[m].count); ++k)
        if (detail::same_site(this->items[m].sites[k], this->items[machine].sites[index])) return true;
    return false;
  }
};

/// Records a kernel on several machines: one block, by default {0, 0, 0}, or what record() takes for a place. Two
/// machines' numbers compare only where both count alike: a warp has 32 lanes, a wave 32 or 64.
/// Refused: what record<Machine>() refuses on one of them.
///
///     co::compare<cc80, cc90, gfx942>(kernel).text()
template <class First, class... More, class Body, class... Arrays, class Which = place>
[[nodiscard]] constexpr auto compare(kernel<Body, Arrays...> const& what, Which const& which = {}) {
  kernel_comparison<1 + sizeof...(More)> all;
  all.append(coalescing::record<First>(what, which));
  (all.append(coalescing::record<More>(what, which)), ...);
  return all;
}

}  // namespace coalescing

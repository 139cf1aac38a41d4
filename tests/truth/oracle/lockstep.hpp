// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/record.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <type_traits>
#include <utility>
#include <vector>

// Random kernels of accesses, ifs, marked loops with breaks, loops that all lanes run alike, barriers and returns. The
// journal runs lane after lane. The oracle runs all lanes in lockstep, with a mask, as a warp does. Both must find the
// same instructions: the same lanes at the same addresses.

namespace coalescing_tests::programs {

// ---- Programs ----

enum class form { access, choice, marked_loop, plain_loop, barrier, leave_loop, leave_kernel };

struct statement {
  form is = form::access;
  unsigned id = 0;                                 ///< its line
  unsigned trips = 0;                              ///< of a plain loop; of a marked one, at most
  std::vector<statement> first = {}, second = {};  ///< what a loop repeats; the branches of a choice
};

/// A lane: its number, and the iterations of the loops around.
inline std::uint64_t mix(std::uint64_t x) {
  x ^= x >> 31, x *= 0x9e3779b97f4a7c15, x ^= x >> 29, x *= 0xbf58476d1ce4e5b9;
  return x ^ x >> 32;
}
struct knowledge {
  unsigned lane = 0;
  std::uint64_t path = 0;
};
inline knowledge inside(knowledge k, unsigned iteration) { return {k.lane, mix(k.path + iteration + 1)}; }
inline std::uint64_t answer(statement const& s, knowledge const& k) {
  return mix(s.id * 1000003ull + k.lane * 131ull + k.path);
}

/// Makes programs of choices: below(n) gives a number less than n.
template <class Below>
struct program_maker {
  Below below;
  unsigned next_line = 1;

  unsigned upto(unsigned n) { return static_cast<unsigned>(below(n)); }
  std::vector<statement> some(unsigned depth, bool in_marked, bool diverged) {
    std::vector<statement> all(1 + upto(3));
    for (statement& s : all) s = one(depth, in_marked, diverged);
    return all;
  }
  /// `diverged`: some of the lanes that are in the innermost loop may not be here.
  statement one(unsigned depth, bool in_marked, bool diverged) {
    statement s{.id = next_line++};
    unsigned const kind = depth == 0 ? 0 : upto(10);
    if (kind < 3) return s;
    if (kind < 5) {
      s.is = form::choice, s.first = some(depth - 1, in_marked, true);
      if (upto(2) != 0) s.second = some(depth - 1, in_marked, true);
    } else if (kind < 8) {
      s.is = form::marked_loop, s.trips = 1 + upto(5), s.first = some(depth - 1, true, false);
    } else if (kind < 9 && !diverged) {
      s.is = form::plain_loop, s.trips = 1 + upto(3), s.first.push_back({.id = next_line++});
      if (depth > 1 && upto(2) != 0) {
        statement loop{.is = form::marked_loop, .id = next_line++, .trips = 1 + upto(4)};
        loop.first = some(depth - 2, true, false), s.first.push_back(loop);
      }
      s.first.push_back({.id = next_line++});
    } else if (in_marked && upto(3) != 0) {
      s.is = form::leave_loop;
    } else if (!in_marked && !diverged) {
      s.is = form::barrier;
    } else if (upto(6) == 0) {
      s.is = form::leave_kernel;
    }
    return s;
  }
};
template <class Below>
program_maker(Below) -> program_maker<Below>;  // clang 16 deduces no aggregate

// ---- One lane after the other: the journal ----

enum class next_step { go_on, leave_loop, leave_kernel };

template <class Thread, class Array>
next_step run(Thread const& t, Array const& a, std::vector<statement> const& all, knowledge const& k, bool marks);

template <class Thread, class Array>
next_step run(Thread const& t, Array const& a, statement const& s, knowledge const& k, bool marks) {
  switch (s.is) {
    case form::access:
      a[coalescing::detail::placed_index(answer(s, k) % 4096, "program", s.id, 1)] = 0.f;
      return next_step::go_on;
    case form::choice:
      return run(t, a, answer(s, k) % 2 != 0 ? s.first : s.second, k, marks);
    case form::plain_loop:
      for (unsigned j = 0; j != s.trips; ++j)
        if (next_step const then = run(t, a, s.first, inside(k, j), marks); then != next_step::go_on) return then;
      return next_step::go_on;
    case form::marked_loop: {
      auto const repeat = [&](auto& again) {
        unsigned const trips = static_cast<unsigned>(answer(s, k) % (s.trips + 1));
        for (unsigned j = 0; again(j < trips); ++j) {
          next_step const then = run(t, a, s.first, inside(k, j), marks);
          if (then == next_step::leave_loop) break;
          if (then == next_step::leave_kernel) return then;
        }
        return next_step::go_on;
      };
      if (marks) {
        auto again = t.loop({"program", s.id, 1});
        return repeat(again);
      }
      auto again = [](bool goes_on) { return goes_on; };
      return repeat(again);
    }
    case form::barrier:
      t.sync();
      return next_step::go_on;
    case form::leave_loop:
      return answer(s, k) % 3 == 0 ? next_step::leave_loop : next_step::go_on;
    case form::leave_kernel:
      return answer(s, k) % 5 == 0 ? next_step::leave_kernel : next_step::go_on;
  }
  return next_step::go_on;
}
template <class Thread, class Array>
next_step run(Thread const& t, Array const& a, std::vector<statement> const& all, knowledge const& k, bool marks) {
  for (statement const& s : all)
    if (next_step const then = run(t, a, s, k, marks); then != next_step::go_on) return then;
  return next_step::go_on;
}

/// An instruction: its line, and the addresses of its lanes.
using instruction = std::pair<unsigned, std::map<unsigned, std::uint64_t>>;
using instructions = std::vector<instruction>;

template <unsigned Lanes>
struct collector {
  instructions all;
  std::vector<unsigned> lines;

  template <coalescing::memory_space, coalescing::touch, unsigned, unsigned, class>
  unsigned add_site(coalescing::source_place const& at, coalescing::detail::array_facts const&, unsigned) {
    lines.push_back(at.line);
    return static_cast<unsigned>(lines.size() - 1);
  }
  void add_access(unsigned site, coalescing::access<Lanes> const& asked, std::uint64_t, bool) {
    std::map<unsigned, std::uint64_t> lanes;
    for (unsigned k = 0; k != Lanes; ++k)
      if ((asked.active >> k & 1) != 0) lanes[k] = asked.address[k];
    all.emplace_back(lines[site], lanes);
  }
};
template <unsigned Lanes>
struct collecting : coalescing::detail::recorder<Lanes, collector<Lanes>> {
  using base = coalescing::detail::recorder<Lanes, collector<Lanes>>;
  collector<Lanes> found;
  collecting() : base(found) {}
  void begin_warp(coalescing::place const&, unsigned) { base::begin_warp(); }
};

template <unsigned Lanes>
instructions by_journal(std::vector<statement> const& program, unsigned threads, bool marks) {
  auto const body = [&](auto const& t, auto a) { run(t, a, program, {.lane = t.lane()}, marks); };
  coalescing::kernel const kernel{coalescing::launch{.block = {threads}}, body,
                                  coalescing::global<float>{"a", 4096, 0}};
  collecting<Lanes> to;
  coalescing::detail::runner<collecting<Lanes>, std::remove_const_t<decltype(kernel)>> const runs{kernel, to};
  runs.run({}, 0, 1);
  std::sort(to.found.all.begin(), to.found.all.end());
  return to.found.all;
}

// ---- All lanes in lockstep: the oracle ----

using mask = std::vector<bool>;

struct warp {
  instructions all;
  mask gone;  ///< lanes that left the kernel

  bool any(mask const& lanes) const { return std::find(lanes.begin(), lanes.end(), true) != lanes.end(); }

  /// Runs statements for some lanes, each of which knows what it knows. Returns those that leave the loop.
  mask run(std::vector<statement> const& statements, mask active, std::vector<knowledge> const& know) {
    mask left(active.size());
    for (statement const& s : statements) {
      mask const leaves = run(s, active, know);
      for (std::size_t k = 0; k != active.size(); ++k) {
        if (leaves[k]) left[k] = true;
        if (leaves[k] || gone[k]) active[k] = false;
      }
    }
    return left;
  }
  mask run(statement const& s, mask active, std::vector<knowledge> const& know) {
    mask left(active.size());
    if (!any(active)) return left;
    auto const each = [&](auto const& what) {
      for (std::size_t k = 0; k != active.size(); ++k)
        if (active[k]) what(k);
    };
    switch (s.is) {
      case form::access: {
        instruction one{s.id, {}};
        each([&](std::size_t k) { one.second[static_cast<unsigned>(k)] = answer(s, know[k]) % 4096 * 4; });
        all.push_back(one);
        break;
      }
      case form::choice: {
        mask yes(active.size()), no(active.size());
        each([&](std::size_t k) { (answer(s, know[k]) % 2 != 0 ? yes : no)[k] = true; });
        mask const a = run(s.first, yes, know), b = run(s.second, no, know);
        each([&](std::size_t k) { left[k] = a[k] || b[k]; });
        break;
      }
      case form::plain_loop:
      case form::marked_loop: {
        bool const marked = s.is == form::marked_loop;
        for (unsigned j = 0; any(active); ++j) {
          each([&](std::size_t k) {
            if (j == (marked ? answer(s, know[k]) % (s.trips + 1) : s.trips)) active[k] = false;
          });
          auto deeper = know;
          for (knowledge& k : deeper) k = inside(k, j);
          mask const leaves = run(s.first, active, deeper);
          each([&](std::size_t k) {
            if (leaves[k] && !marked) left[k] = true;
            if (leaves[k] || gone[k]) active[k] = false;
          });
        }
        break;
      }
      case form::barrier:
        break;
      case form::leave_loop:
        each([&](std::size_t k) { left[k] = answer(s, know[k]) % 3 == 0; });
        break;
      case form::leave_kernel:
        each([&](std::size_t k) { gone[k] = gone[k] || answer(s, know[k]) % 5 == 0; });
        break;
    }
    return left;
  }
};
inline instructions in_lockstep(std::vector<statement> const& program, unsigned threads) {
  warp w{{}, mask(threads)};
  std::vector<knowledge> know(threads);
  for (unsigned k = 0; k != threads; ++k) know[k].lane = k;
  w.run(program, mask(threads, true), know);
  std::sort(w.all.begin(), w.all.end());
  return w.all;
}

}  // namespace coalescing_tests::programs

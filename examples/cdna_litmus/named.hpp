// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cdna/litmus.hpp>

// The litmus tests that everyone knows, with LLVM 22's sequences and with the mistakes that kernels have been shipped
// with, for each placement of the waves. The tests of the library hold each to an oracle.

namespace named_litmus {

namespace cdna = coalescing::cdna;
using cdna::litmus_outcome, cdna::litmus_test, cdna::litmus_wave, cdna::memory_type, cdna::operation, cdna::scope;

/// Where the waves are, the scope that takes, and the memory.
struct placement {
  char const* name;
  scope visible;
  cdna::environment where;
  unsigned agents, xcds, compute_units;  // how many of each the waves are dealt over, in turn
  cdna::litmus_memory memory = {};

  constexpr litmus_wave wave(unsigned number) const {
    return litmus_wave{.agent = number % agents, .xcd = number % xcds, .compute_unit = number % compute_units};
  }
};
inline constexpr placement placements[] = {
    {"unit", scope::group, {.l2_caches = 8}, 1, 1, 1},
    {"split", scope::group, {.l2_caches = 8, .tg_split = true}, 1, 1, 4},
    {"1 L2", scope::device, {.l2_caches = 1}, 1, 1, 4},
    {"8 L2s", scope::device, {.l2_caches = 8}, 1, 4, 1},
    {"NC", scope::device, {.l2_caches = 8}, 1, 4, 1, {.local = memory_type::nc}},
    {"agents", scope::system, {.l2_caches = 1}, 2, 1, 4},
    {"theirs", scope::system, {.l2_caches = 1}, 2, 1, 4, {.agent = 1}},
};
inline constexpr unsigned placement_count = sizeof placements / sizeof placements[0];

enum : unsigned { data, flag, data_2, flag_2 };

/// A test and the outcome that must not happen.
struct question {
  litmus_test test;
  litmus_outcome unwanted;
};
struct named_test {
  char const* name;
  question (*ask)(placement const&);
};

template <class... Waves>
constexpr litmus_test in(placement const& at, Waves const&... waves) {
  return cdna::litmus(at.where, waves...)
      .memory(0, at.memory)
      .memory(1, at.memory)
      .memory(2, at.memory)
      .memory(3, at.memory)
      .named("data", "flag", "data 2", "flag 2");
}
constexpr auto ordered(placement const& at, operation kind, cdna::memory_order order) {
  return cdna::synchronize({.kind = kind, .space = cdna::address_space::global, .order = order, .scope = at.visible},
                           at.where);
}

// ---- Message passing: flag seen, data stale ----

constexpr litmus_wave producer(placement const& at) {
  return at.wave(0).store(data).release(at.visible).store(flag, at.visible);
}
constexpr litmus_wave consumer(placement const& at) {
  return at.wave(1).load(flag, at.visible).acquire(at.visible).load(data);
}
constexpr question passing(placement const& at) { return {in(at, producer(at), consumer(at)), {1, 0}}; }
/// Without the first instruction of that kind in that wave, if there is one.
constexpr question passing_without(placement const& at, unsigned wave, cdna::litmus_kind kind) {
  auto const whole = passing(at);
  for (unsigned k = 0; k != whole.test.wave(wave).size; ++k)
    if (whole.test.wave(wave).program[k].kind == kind) return {whole.test.without(wave, k), whole.unwanted};
  return whole;
}
constexpr question passing_at(placement const& at, scope narrower) {
  return {in(at, at.wave(0).store(data).release(narrower).store(flag, narrower),
             at.wave(1).load(flag, narrower).acquire(narrower).load(data)),
          {1, 0}};
}

/// A wave learns something at group scope from another wave on its compute unit, and passes it on at a wider scope.
constexpr question causality(placement const& at) {
  return {in(at, at.wave(0).store(data).release(scope::group).store(flag, scope::group),
             at.wave(0).load(flag, scope::group).acquire(scope::group).release(at.visible).store(flag_2, at.visible),
             at.wave(1).load(flag_2, at.visible).acquire(at.visible).load(data)),
          {1, 1, 0}};
}

inline constexpr named_test tests[] = {
    {"message passing, LLVM's", passing},
    {"  no wait before the flag is written",
     [](placement const& at) { return passing_without(at, 0, cdna::litmus_kind::wait); }},
    {"  no write-back", [](placement const& at) { return passing_without(at, 0, cdna::litmus_kind::write_back); }},
    {"  no wait after the flag is read",
     [](placement const& at) { return passing_without(at, 1, cdna::litmus_kind::wait); }},
    {"  no invalidation", [](placement const& at) { return passing_without(at, 1, cdna::litmus_kind::invalidate); }},
    {"  both at the next narrower scope",
     [](placement const& at) { return passing_at(at, static_cast<scope>(static_cast<unsigned>(at.visible) - 1)); }},
    {"  the flag written with aux = 0",
     [](placement const& at) -> question {
       return {in(at, at.wave(0).store(data).store(flag, cdna::from_aux(0)), consumer(at)), {1, 0}};
     }},
    {"  relaxed: scopes only",
     [](placement const& at) -> question {
       return {in(at, at.wave(0).store(data, at.visible).store(flag, at.visible),
                  at.wave(1).load(flag, at.visible).load(data, at.visible)),
               {1, 0}};
     }},
    {"  scopes and waits, nothing else",
     [](placement const& at) -> question {
       return {in(at, at.wave(0).store(data, at.visible).wait({.vmcnt = 0}).store(flag, at.visible),
                  at.wave(1).load(flag, at.visible).wait({.vmcnt = 0}).load(data, at.visible)),
               {1, 0}};
     }},

    // ---- Each writes one and reads the other: both old ----
    {"store buffering, seq_cst",
     [](placement const& at) -> question {
       auto const store = ordered(at, operation::store, cdna::memory_order::seq_cst);
       auto const load = ordered(at, operation::load, cdna::memory_order::seq_cst);
       return {in(at, at.wave(0).sequence(store, data).sequence(load, flag),
                  at.wave(1).sequence(store, flag).sequence(load, data)),
               {0, 0}};
     }},
    {"  release and acquire",
     [](placement const& at) -> question {
       auto const store = ordered(at, operation::store, cdna::memory_order::release);
       auto const load = ordered(at, operation::load, cdna::memory_order::acquire);
       return {in(at, at.wave(0).sequence(store, data).sequence(load, flag),
                  at.wave(1).sequence(store, flag).sequence(load, data)),
               {0, 0}};
     }},

    // ---- Each reads one and writes the other: both new ----
    {"load buffering, acquire and release",
     [](placement const& at) -> question {
       auto const store = ordered(at, operation::store, cdna::memory_order::release);
       auto const load = ordered(at, operation::load, cdna::memory_order::acquire);
       return {in(at, at.wave(0).sequence(load, flag).sequence(store, data),
                  at.wave(1).sequence(load, data).sequence(store, flag)),
               {1, 1}};
     }},
    {"  relaxed",
     [](placement const& at) -> question {
       return {in(at, at.wave(0).load(flag, at.visible).store(data, at.visible),
                  at.wave(1).load(data, at.visible).store(flag, at.visible)),
               {1, 1}};
     }},

    // ---- Two readers see two writes in either order ----
    {"IRIW, the readers acquire",
     [](placement const& at) -> question {
       auto const load = ordered(at, operation::load, cdna::memory_order::acquire);
       return {in(at, at.wave(0).store(data, at.visible), at.wave(1).store(flag, at.visible),
                  at.wave(2).sequence(load, data).sequence(load, flag),
                  at.wave(3).sequence(load, flag).sequence(load, data)),
               {1, 0, 1, 0}};
     }},
    {"  relaxed",
     [](placement const& at) -> question {
       return {in(at, at.wave(0).store(data, at.visible), at.wave(1).store(flag, at.visible),
                  at.wave(2).load(data, at.visible).load(flag, at.visible),
                  at.wave(3).load(flag, at.visible).load(data, at.visible)),
               {1, 0, 1, 0}};
     }},

    // ---- A spin lock: who takes it from its owner sees what he wrote. 1: it is free again ----
    {"spin lock, taken by acquire",
     [](placement const& at) -> question {
       auto const take = ordered(at, operation::atomic_return, cdna::memory_order::acquire);
       auto const give = ordered(at, operation::store, cdna::memory_order::release);
       return {in(at, at.wave(0).store(data).sequence(give, flag), at.wave(1).sequence(take, flag).load(data)), {1, 0}};
     }},
    {"  taken relaxed",
     [](placement const& at) -> question {
       auto const take = ordered(at, operation::atomic_return, cdna::memory_order::monotonic);
       auto const give = ordered(at, operation::store, cdna::memory_order::release);
       return {in(at, at.wave(0).store(data).sequence(give, flag), at.wave(1).sequence(take, flag).load(data)), {1, 0}};
     }},

    // ---- The last block adds up: both count, the second reads what the first has left ----
    {"last block, fences around the count",
     [](placement const& at) -> question {
       auto const count = ordered(at, operation::atomic_return, cdna::memory_order::acq_rel);
       return {in(at, at.wave(0).store(data).sequence(count, flag).load(data_2),
                  at.wave(1).store(data_2).sequence(count, flag).load(data)),
               {0, 1, 1, 0}};
     }},
    {"  no fence after it",
     [](placement const& at) -> question {
       auto const count = ordered(at, operation::atomic_return, cdna::memory_order::release);
       return {in(at, at.wave(0).store(data).sequence(count, flag).load(data_2),
                  at.wave(1).store(data_2).sequence(count, flag).load(data)),
               {0, 1, 1, 0}};
     }},
    {"  no fence at all",
     [](placement const& at) -> question {
       auto const count = ordered(at, operation::atomic_return, cdna::memory_order::monotonic);
       return {in(at, at.wave(0).store(data).sequence(count, flag).load(data_2),
                  at.wave(1).store(data_2).sequence(count, flag).load(data)),
               {0, 1, 1, 0}};
     }},

    // ---- An all-reduce's barrier: each writes its data, raises the other's flag, waits for its own ----
    {"all-reduce barrier",
     [](placement const& at) -> question {
       auto const raise = ordered(at, operation::store, cdna::memory_order::release);
       auto const poll = ordered(at, operation::load, cdna::memory_order::acquire);
       auto const test = in(at, at.wave(0).store(data).sequence(raise, flag_2).sequence(poll, flag).load(data_2),
                            at.wave(1).store(data_2).sequence(raise, flag).sequence(poll, flag_2).load(data));
       return {test.memory(data_2, {.agent = at.agents - 1}).memory(flag_2, {.agent = at.agents - 1}), {1, 1, 1, 0}};
     }},
    {"  flags raised relaxed",
     [](placement const& at) -> question {
       auto const poll = ordered(at, operation::load, cdna::memory_order::acquire);
       auto const test = in(at, at.wave(0).store(data).store(flag_2, at.visible).sequence(poll, flag).load(data_2),
                            at.wave(1).store(data_2).store(flag, at.visible).sequence(poll, flag_2).load(data));
       return {test.memory(data_2, {.agent = at.agents - 1}).memory(flag_2, {.agent = at.agents - 1}), {1, 1, 1, 0}};
     }},

    // ---- What a wave learns from another of its work-group, on the same unit, it passes on ----
    {"causality, group scope first", causality},
    {"  the wider scope throughout",
     [](placement const& at) -> question {
       litmus_wave const neighbour = at.wave(0);
       return {in(at, at.wave(0).store(data).release(at.visible).store(flag, at.visible),
                  neighbour.load(flag, at.visible).acquire(at.visible).release(at.visible).store(flag_2, at.visible),
                  at.wave(1).load(flag_2, at.visible).acquire(at.visible).load(data)),
               {1, 1, 0}};
     }},
};

}  // namespace named_litmus

// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/amd/synchronization.hpp>
#include <coalesce/core/config.hpp>
#include <coalesce/core/misuse.hpp>
#include <coalesce/core/text.hpp>
#include <coalesce/rdna/bits.hpp>
#include <coalesce/rdna/counters.hpp>
#include <coalesce/rdna/environment.hpp>

// Release and acquire: the instructions that LLVM 22 gives for an atomic access or a fence, by one rule for gfx10,
// gfx11, gfx12 and gfx1250 (SIMemoryLegalizer.cpp; tests/truth/outside compares every combination with the compiler).
// gfx1250's change after LLVM 22 (PR 175865). What you disassemble may wait for less: a later pass (SIInsertWaitcnts)
// drops a counter that has nothing outstanding, and joins two waits of gfx12. Volatile accesses are not here. The
// documents are in rdna/documents.hpp.

namespace coalescing::rdna {

using amd::address_space;
using amd::memory_order;
using amd::operation;

/// To whom the access must be visible, as LLVM names it. A cluster of work-groups is gfx1250's; elsewhere it is taken
/// for the agent.
enum class scope { singlethread, wavefront, workgroup, cluster, agent, system };
COALESCE_API constexpr bool is_enumerator(scope value) {
  return value == scope::singlethread || value == scope::wavefront || value == scope::workgroup ||
         value == scope::cluster || value == scope::agent || value == scope::system;
}

/// What is to be synchronized. By default the safe end of everything.
struct description {
  operation kind = operation::fence;
  /// Of a fence: what it orders, flat for all. (global and local are LLVM's !mmra "amdgpu-synchronize-as".)
  address_space space = address_space::flat;
  memory_order order = memory_order::seq_cst;
  memory_order failure = memory_order::seq_cst;  ///< of an exchange that finds another value
  rdna::scope scope = rdna::scope::system;
  /// False: HIP's and HSA's scopes, which order all memory. True: OpenCL's ("agent-one-as", ...), which order only the
  /// address space of the access.
  bool one_address_space = false;
};

enum class step_kind { memory_operation, wait, write_back, invalidate, invalidate_gl1, invalidate_gl0 };

/// One instruction of a sequence.
template <class Generation>
struct instruction_step {
  step_kind kind = step_kind::memory_operation;
  policy<Generation> bits = {};     ///< of the access and, on gfx12 and gfx1250, of write-back and invalidation
  waits<Generation> counters = {};  ///< of waits

  bool operator==(instruction_step const&) const = default;
};

/// The instructions, in order: a range, and a template argument (so its members are public: only read them).
template <class Generation>
struct instruction_sequence {
  static constexpr unsigned capacity = 10;  // gfx12: write-back, five waits, the operation, two waits, invalidation

  instruction_step<Generation> steps[capacity] = {};
  unsigned count = 0;
  operation kind = operation::fence;
  address_space space = address_space::flat;

  [[nodiscard]] COALESCE_API constexpr unsigned size() const { return count; }
  [[nodiscard]] COALESCE_API constexpr bool empty() const { return count == 0; }
  [[nodiscard]] COALESCE_API constexpr instruction_step<Generation> const* begin() const { return steps; }
  [[nodiscard]] COALESCE_API constexpr instruction_step<Generation> const* end() const { return steps + count; }

  bool operator==(instruction_sequence const&) const = default;

  /// One instruction a line. The access is spelt by its family: global_load, flat_store, ds_load (whatever its width
  /// and its operation).
  [[nodiscard]] COALESCE_API constexpr coalescing::text<319> text() const {
    coalescing::text<319> lines;
    access_kind const of = kind == operation::load    ? access_kind::load
                           : kind == operation::store ? access_kind::store
                                                      : access_kind::atomic;
    for (unsigned k = 0; k != count; ++k) {
      if (k != 0) lines.append("\n");
      auto const& [what, said, counters] = steps[k];
      if (what == step_kind::wait) {
        lines.append(counters.text().characters);
        continue;
      }
      if (what == step_kind::memory_operation) amd::rules::append_access(lines, kind, space);
      if (what == step_kind::write_back) lines.append("global_wb");
      if (what == step_kind::invalidate) lines.append("global_inv");
      if (what == step_kind::invalidate_gl1) lines.append("buffer_gl1_inv");
      if (what == step_kind::invalidate_gl0) lines.append("buffer_gl0_inv");
      auto const words = said.text(of);
      if (!words.empty()) lines.append(" "), lines.append(words.characters);
    }
    return lines;
  }
};

namespace rules {

/// How the generations differ, besides their waits and their bits.
struct synchronization_row {
  bool loads_pass_gl1_by_dlc = false;  ///< past the work-group: DLC besides GLC
  bool has_clusters = false;           ///< else a cluster is the agent
  bool group_waits_in_cu_mode =
      false;                           ///< acquires too: the cache has two ports without order between them (PR 160453)
  bool waits_for_images = false;       ///< bvhcnt and samplecnt, before a release and a seq_cst load
  bool writes_back_for_agent = false;  ///< besides system
  bool waits_for_translation = false;  ///< xcnt, before what writes
};
template <class Generation>
inline constexpr synchronization_row synchronization_of{};
template <>
inline constexpr synchronization_row synchronization_of<gfx10>{.loads_pass_gl1_by_dlc = true};
template <>
inline constexpr synchronization_row synchronization_of<gfx11>{};
template <>
inline constexpr synchronization_row synchronization_of<gfx12>{.waits_for_images = true};
template <>
inline constexpr synchronization_row synchronization_of<gfx1250>{
    .has_clusters = true, .group_waits_in_cu_mode = true, .writes_back_for_agent = true, .waits_for_translation = true};

/// The memories that an instruction may touch, or that a wait or a cache operation is for.
struct memories {
  bool vector, lds;
};
/// What a wait is for.
struct wanted {
  bool loads, stores, images;
};

/// What synchronization is made of.
template <class Generation>
struct synchronization {
  static constexpr synchronization_row row = synchronization_of<Generation>;

  scope visible;
  bool wgp;    // the work-group is on both compute units
  bool cross;  // whether to order other memories than the access's own
  instruction_sequence<Generation> made = {};

  COALESCE_API constexpr void append(instruction_step<Generation> const& step) { made.steps[made.count++] = step; }
  COALESCE_API constexpr void wait_for(waits<Generation> const& counters) {
    append({.kind = step_kind::wait, .counters = counters});
  }
  COALESCE_API constexpr cache_scope named() const {
    if (visible == scope::workgroup) return wgp ? cache_scope::se : cache_scope::cu;
    constexpr cache_scope names[] = {cache_scope::cu, cache_scope::cu,  cache_scope::cu,
                                     cache_scope::se, cache_scope::dev, cache_scope::sys};
    return names[static_cast<unsigned>(visible)];
  }

  /// Until the wave's accesses to these memories are done, as far as that scope can tell. A release of a work-group
  /// waits for vector memory in CU mode too: happens-before goes through other waves (PR 161638).
  COALESCE_API constexpr void wait(memories which, wanted what, bool releases) {
    bool const group = visible == scope::workgroup && (wgp || row.group_waits_in_cu_mode || releases);
    bool const vector = which.vector && (visible > scope::workgroup || group);
    bool const lds = cross && which.lds && visible >= scope::workgroup;
    if constexpr (names_a_scope<Generation>) {
      if constexpr (row.waits_for_images)
        if (vector && what.images) wait_for({.bvhcnt = 0}), wait_for({.samplecnt = 0});
      if (vector && what.loads) wait_for({.loadcnt = 0});
      if (vector && what.stores) wait_for({.storecnt = 0});
      if (lds) wait_for({.dscnt = 0});
    } else {
      waits<Generation> together;
      if (vector && what.loads) together.vmcnt = 0;
      if (lds) together.lgkmcnt = 0;
      if (together != waits<Generation>{}) wait_for(together);
      if (vector && what.stores) wait_for({.vscnt = 0});
    }
  }
  /// Acquire: drop what caches may hold that is stale.
  COALESCE_API constexpr void invalidate(memories which) {
    if (!which.vector || named() == cache_scope::cu) return;
    if constexpr (names_a_scope<Generation>) {
      append({.kind = step_kind::invalidate, .bits = {.scope = named()}});
    } else {
      if (visible > scope::workgroup) append({.kind = step_kind::invalidate_gl1});
      append({.kind = step_kind::invalidate_gl0});
    }
  }
  /// Release: write back what caches may hold that others cannot see, and wait for it and for all that came before.
  COALESCE_API constexpr void release(memories which) {
    if constexpr (names_a_scope<Generation>)
      if (which.vector && (visible == scope::system || (row.writes_back_for_agent && visible == scope::agent)))
        append({.kind = step_kind::write_back, .bits = {.scope = named()}});
    wait(which, {.loads = true, .stores = true, .images = true}, true);
  }
  /// The access itself. An access to LDS has no cache bits, an unordered one no scope.
  COALESCE_API constexpr void operate(description const& asked) {
    made.kind = asked.kind;
    made.space = asked.space;
    bool const returns = asked.kind == operation::atomic_return || asked.kind == operation::exchange;
    policy<Generation> said;
    if (asked.space != address_space::local) {
      if constexpr (row.waits_for_translation)
        if (asked.kind != operation::load) wait_for({.xcnt = 0});
      if constexpr (names_a_scope<Generation>) {
        said.th = returns ? 1 : 0;
        if (asked.order != memory_order::unordered) said.scope = named();
      } else if (asked.kind == operation::load) {
        said.glc = asked.order != memory_order::unordered && named() != cache_scope::cu;
        said.dlc = said.glc && row.loads_pass_gl1_by_dlc && visible > scope::workgroup;
      } else {
        said.glc = returns;
      }
    }
    append({.kind = step_kind::memory_operation, .bits = said});
  }
};

}  // namespace rules

/// What the compiler gives for that chip: what turns out to do nothing stays. Refused: an ordering that the operation
/// does not have, and WGP mode on gfx1250.
template <class Machine>
[[nodiscard]] COALESCE_API constexpr auto synchronize(description const& asked, environment<Machine> const& where) {
  using generation = typename generation_of<Machine>::type;
  amd::rules::check_synchronization(asked.kind, asked.space, asked.order, asked.failure);
  coalescing::detail::check_enumerator(asked.scope);
  bool const fence = asked.kind == operation::fence, load = asked.kind == operation::load,
             store = asked.kind == operation::store, exchange = asked.kind == operation::exchange;

  scope visible = asked.scope;
  if (visible == scope::cluster && !rules::synchronization_of<generation>.has_clusters) visible = scope::agent;
  if (!fence && asked.space == address_space::local && visible > scope::workgroup)
    visible = scope::workgroup;  // LDS is the work-group's own

  rules::memories const own{.vector = asked.space != address_space::local, .lds = asked.space != address_space::global};
  rules::memories const ordered = fence || asked.one_address_space ? own : rules::memories{.vector = true, .lds = true};
  auto const order = amd::rules::meaning_of(asked.order);
  auto const failure = exchange ? amd::rules::meaning_of(asked.failure) : amd::rules::ordering_row{};
  bool const acquires = !store && (order.acquires || failure.acquires);
  bool const releases = !load && (order.releases || failure.releases);
  bool const counts_as_store = asked.kind == operation::atomic;

  rules::synchronization<generation> steps{
      .visible = visible, .wgp = rules::on_both_compute_units(where), .cross = !asked.one_address_space};
  if (releases)
    steps.release(ordered);
  else if (fence || (load && asked.order == memory_order::seq_cst))
    steps.wait(ordered, {.loads = true, .stores = true, .images = load}, order.releases);
  if (!fence) steps.operate(asked);
  if (acquires) {
    if (!fence)
      steps.wait(own, {.loads = !counts_as_store, .stores = counts_as_store, .images = false}, order.releases);
    steps.invalidate(ordered);
  }
  return steps.made;
}

}  // namespace coalescing::rdna

// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/amd/sequence.hpp>
#include <coalesce/rdna/bits.hpp>
#include <coalesce/rdna/counters.hpp>
#include <coalesce/rdna/environment.hpp>

// Release and acquire: the instructions that LLVM 22 makes of an atomic access or a fence, by one rule for gfx10,
// gfx11, gfx12 and gfx1250 (SIMemoryLegalizer.cpp; tests/truth/outside compares every combination with the compiler).
// LLVM changed the sequences of gfx1250 after release 22 (PR 175865). Disassembled code may wait for less: a later pass
// (SIInsertWaitcnts) drops a counter that has nothing outstanding, and joins two waits of gfx12. Volatile accesses are
// not modelled. The documents are in rdna/documents.hpp.

namespace coalescing::rdna {

using amd::address_space;
using amd::memory_order;
using amd::operation;

/// The threads that must see the access, named as in LLVM. Only gfx1250 has clusters of work-groups; on other chips
/// cluster means agent.
enum class scope { singlethread, wavefront, workgroup, cluster, agent, system };
COALESCE_API constexpr bool is_enumerator(scope value) {
  return value == scope::singlethread || value == scope::wavefront || value == scope::workgroup ||
         value == scope::cluster || value == scope::agent || value == scope::system;
}

/// Describes a fence, or an access that synchronizes.
using description = amd::description<scope>;

enum class step_kind { memory_operation, wait, write_back, invalidate, invalidate_gl1, invalidate_gl0 };

/// One instruction of a sequence.
template <class Generation>
struct instruction_step {
  step_kind kind = step_kind::memory_operation;
  /// The cache bits of an access; on gfx12 and gfx1250 also those of a write-back or an invalidation.
  policy<Generation> bits = {};
  waits<Generation> counters = {};  ///< the counters that a wait waits for

  bool operator==(instruction_step const&) const = default;

  /// The name of a cache operation.
  COALESCE_API constexpr char const* name() const {
    constexpr char const* names[] = {"", "", "global_wb", "global_inv", "buffer_gl1_inv", "buffer_gl0_inv"};
    return names[static_cast<unsigned>(kind)];
  }
  template <class Text>
  COALESCE_API constexpr void append_bits(Text& line, operation access) const {
    auto const words = bits.text(access == operation::load    ? access_kind::load
                                 : access == operation::store ? access_kind::store
                                                              : access_kind::atomic);
    if (!words.empty()) line.append(" "), line.append(words.characters);
  }
};

/// The instructions in order, at most 10. The longest sequence is gfx12's: write-back, five waits, the operation, two
/// waits, invalidation.
template <class Generation>
using instruction_sequence = amd::instruction_sequence<instruction_step<Generation>, 10, 319>;

namespace rules {

/// How the sequences of the generations differ, apart from their counters and cache bits.
struct synchronization_row {
  /// Whether loads of a scope wider than work-group set DLC, too, to bypass GL1. (GLC bypasses L0.)
  bool loads_pass_gl1_by_dlc = false;
  bool has_clusters = false;  ///< whether clusters exist; if not, cluster means agent
  /// Whether a wait of work-group scope waits for vector memory in CU mode, too. gfx1250 needs this, because the cache
  /// of its compute unit has two ports without an order between them (PR 160453).
  bool group_waits_in_cu_mode = false;
  /// Whether a release, and the wait before a seq_cst load, also wait for bvhcnt and samplecnt (image instructions).
  bool waits_for_images = false;
  /// Whether a release of agent scope writes caches back, as a release of system scope does.
  bool writes_back_for_agent = false;
  /// Whether a wait for xcnt (address translations) stands before every access that may write, except to LDS.
  bool waits_for_translation = false;
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

/// The memories (vector memory, LDS) that an instruction touches, or that a wait or a cache operation concerns.
struct memories {
  bool vector, lds;
};
/// The kinds of operations that a wait waits for.
struct wanted {
  bool loads, stores, images;
};

/// Builds the sequence of a synchronization, step by step, in `made`.
template <class Generation>
struct synchronization {
  static constexpr synchronization_row row = synchronization_of<Generation>;

  scope visible;
  bool wgp;    // whether the work-group runs on both compute units of a WGP
  bool cross;  // whether memories that the access does not touch are ordered, too
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

  /// Waits until the wave's accesses to these memories are visible in the scope. A release of work-group scope waits
  /// for vector memory in CU mode too, because happens-before is transitive: another wave of the work-group may acquire
  /// this release, and then release to threads elsewhere (PR 161638).
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
  /// The acquire: invalidates the caches that may have stale lines.
  COALESCE_API constexpr void invalidate(memories which) {
    if (!which.vector || named() == cache_scope::cu) return;
    if constexpr (names_a_scope<Generation>) {
      append({.kind = step_kind::invalidate, .bits = {.scope = named()}});
    } else {
      if (visible > scope::workgroup) append({.kind = step_kind::invalidate_gl1});
      append({.kind = step_kind::invalidate_gl0});
    }
  }
  /// The release. On gfx12 and gfx1250 it first writes back the cache lines that other threads of the scope cannot see
  /// yet. Then it waits for this write-back and for all earlier accesses.
  COALESCE_API constexpr void release(memories which) {
    if constexpr (names_a_scope<Generation>)
      if (which.vector && (visible == scope::system || (row.writes_back_for_agent && visible == scope::agent)))
        append({.kind = step_kind::write_back, .bits = {.scope = named()}});
    wait(which, {.loads = true, .stores = true, .images = true}, true);
  }
  COALESCE_API constexpr void wait_before(memories which, description const& asked) {
    wait(which, {.loads = true, .stores = true, .images = asked.kind == operation::load},
         amd::rules::meaning_of(asked.order).releases);
  }
  /// Waits until the access is done. An atomic that returns no value counts as a store.
  COALESCE_API constexpr void wait_after(memories which, description const& asked) {
    bool const as_store = asked.kind == operation::atomic;
    wait(which, {.loads = !as_store, .stores = as_store, .images = false},
         amd::rules::meaning_of(asked.order).releases);
  }
  /// The access itself. An access to LDS has no cache bits. An unordered access has no scope.
  COALESCE_API constexpr void operate(description const& asked) {
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

/// The instructions that LLVM 22 makes of an access or a fence on a chip. Some may have no effect, such as a wait for a
/// counter with nothing outstanding. Refused: an ordering that the operation does not have, and WGP mode on gfx1250.
template <class Machine>
[[nodiscard]] COALESCE_API constexpr auto synchronize(description const& asked, environment<Machine> const& where) {
  using generation = typename generation_of<Machine>::type;
  amd::rules::check_synchronization(asked.kind, asked.space, asked.order, asked.failure);
  coalescing::detail::check_enumerator(asked.scope);
  scope visible = asked.scope;
  if (visible == scope::cluster && !rules::synchronization_of<generation>.has_clusters) visible = scope::agent;
  if (asked.kind != operation::fence && asked.space == address_space::local && visible > scope::workgroup)
    visible = scope::workgroup;  // no other work-group sees this LDS

  constexpr rules::memories all{.vector = true, .lds = true};
  rules::memories const own{.vector = asked.space != address_space::local, .lds = asked.space != address_space::global};
  rules::synchronization<generation> steps{
      .visible = visible, .wgp = rules::on_both_compute_units(where), .cross = !asked.one_address_space};
  amd::rules::synchronize(steps, asked, own, all);
  return steps.made;
}

}  // namespace coalescing::rdna

// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/amd/sequence.hpp>
#include <coalesce/cdna/caches.hpp>
#include <coalesce/cdna/counters.hpp>

// Release and acquire: the instructions that LLVM 22 emits for an atomic access or a fence on gfx942 and gfx950. One
// rule gives them for both chips (SIMemoryLegalizer.cpp; tests/truth/outside compares every combination with the
// compiler). The code that you disassemble may wait for less: from each wait, a later pass (SIInsertWaitcnts) removes
// the counters in which no operation is outstanding (see issued_operations). The pass also adds vmcnt(0) to a
// work-group's release where LDS-DMA is outstanding. The documents are in cdna/documents.hpp.

namespace coalescing::cdna {

using amd::address_space;
using amd::memory_order;
using amd::operation;

/// A question to synchronize(...): an access or a fence, with its ordering and its scope.
using description = amd::description<scope>;

enum class step_kind { memory_operation, wait, write_back, invalidate };

/// One instruction of a sequence.
struct instruction_step {
  step_kind kind = step_kind::memory_operation;
  cdna::bits bits = {};   ///< the cache bits; a wait has none
  waitcnt counters = {};  ///< for a wait: it ends when no counter is above these counts

  bool operator==(instruction_step const&) const = default;

  /// The mnemonic of a cache operation.
  COALESCE_API constexpr char const* name() const {
    return kind == step_kind::write_back ? "buffer_wbl2" : "buffer_inv";
  }
  template <class Text>
  COALESCE_API constexpr void append_bits(Text& line, operation) const {
    rules::append_bits(line, bits);
  }
};

/// The instructions, in order: write-back, wait, the access, wait, invalidate. A sequence may lack some of them.
using instruction_sequence = amd::instruction_sequence<instruction_step, 5, 127>;

namespace rules {

using amd::rules::has_ordering;

/// A set of memories: those that an instruction may touch, or those that a wait or a cache operation concerns.
struct memories {
  bool global;
  bool lds;
  bool gds;
};

/// Builds a sequence: amd::rules::synchronize calls the member functions in the order of the steps.
struct synchronization {
  environment where;
  scope visible;
  bool cross;  // whether the ordering covers several address spaces; if it is false, wait() leaves out LDS and GDS
  instruction_sequence made = {};

  COALESCE_API constexpr void append(instruction_step const& step) { made.steps[made.count++] = step; }

  /// Waits until the wave's accesses to these memories are done, as seen in the scope `visible`. LLVM does not wait for
  /// vector memory if all waves of the scope share one L1.
  COALESCE_API constexpr void wait(memories which) {
    scope of_vector = visible;
    if (where.tg_split) {
      if (visible == scope::group) of_vector = scope::device;
      which.lds = false;
    }
    waitcnt counters;
    if (which.global && of_vector >= scope::device) counters.vmcnt = 0;
    if (cross && ((which.lds && visible >= scope::group) || (which.gds && of_vector >= scope::device)))
      counters.lgkmcnt = 0;
    if (counters.vmcnt == 0 || counters.lgkmcnt == 0) append({.kind = step_kind::wait, .counters = counters});
  }
  COALESCE_API constexpr void wait_before(memories const& which, description const&) { wait(which); }
  COALESCE_API constexpr void wait_after(memories const& which, description const&) { wait(which); }
  /// The acquire part: drops cache lines that may be stale.
  COALESCE_API constexpr void invalidate(memories const& which) {
    if (which.global && (visible >= scope::device || (visible == scope::group && where.tg_split)))
      append({.kind = step_kind::invalidate, .bits = encode(visible)});
  }
  /// The release part: writes back L2's dirty lines, which nobody outside this L2 can see, and waits until the
  /// write-back and all earlier operations are done.
  COALESCE_API constexpr void release(memories const& which) {
    if (which.global && visible >= scope::device) append({.kind = step_kind::write_back, .bits = encode(visible)});
    wait(which);
  }
  /// Appends the access itself. An access to LDS has no cache bits. SC0 of an atomic does not state a scope: it asks
  /// for the old value.
  COALESCE_API constexpr void operate(description const& asked) {
    bool const atomic = asked.kind != operation::load && asked.kind != operation::store;
    cdna::bits said;
    if (asked.space != address_space::local) {
      if (atomic)
        said = {.sc1 = visible == scope::system, .sc0 = asked.kind != operation::atomic};
      else if (asked.order != memory_order::unordered)
        said = encode(visible);
    }
    append({.kind = step_kind::memory_operation, .bits = said});
  }
};

}  // namespace rules

/// The instructions that LLVM 22 emits for an access or a fence. LLVM does not know how many L2s the agent has, so the
/// sequence may have steps that do nothing in the environment `where`. Refused: an ordering that the operation does not
/// have, and LDS under tg_split.
[[nodiscard]] COALESCE_API constexpr instruction_sequence synchronize(description const& asked,
                                                                      environment const& where) {
  static_cast<void>(rules::has_one_l2(where));  // refuses an agent without an L2
  static_cast<void>(encode(asked.scope));       // refuses a scope that does not exist
  amd::rules::check_synchronization(asked.kind, asked.space, asked.order, asked.failure);
  bool const fence = asked.kind == operation::fence, local = !fence && asked.space == address_space::local;
  if (local && !has_lds_and_barrier(where)) refused::lds_cannot_be_used_under_tg_split();

  constexpr rules::memories all{.global = true, .lds = true, .gds = true};
  rules::memories const own =
      fence ? all : rules::memories{.global = !local, .lds = asked.space != address_space::global, .gds = false};
  rules::synchronization steps{
      .where = where,
      .visible = local && asked.scope != scope::wave ? scope::group : asked.scope,  // no other work-group sees LDS
      .cross = !asked.one_address_space};
  amd::rules::synchronize(steps, asked, own, all);
  return steps.made;
}

}  // namespace coalescing::cdna

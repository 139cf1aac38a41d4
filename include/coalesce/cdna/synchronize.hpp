// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/amd/synchronization.hpp>
#include <coalesce/cdna/bits.hpp>
#include <coalesce/cdna/caches.hpp>
#include <coalesce/cdna/counters.hpp>
#include <coalesce/cdna/misuse.hpp>
#include <coalesce/core/config.hpp>
#include <coalesce/core/text.hpp>

// Release and acquire: the instructions that LLVM 22 gives for an atomic access or a fence on gfx942 and gfx950, by one
// rule (SIMemoryLegalizer.cpp; tests/truth/outside compares every combination with the compiler). What you disassemble
// may wait for less: a later pass (SIInsertWaitcnts) drops a counter that has nothing outstanding, which
// issued_operations tells; it adds vmcnt(0) to a work-group's release where LDS-DMA is outstanding. The documents
// are in cdna/documents.hpp.

namespace coalescing::cdna {

using amd::address_space;
using amd::memory_order;
using amd::operation;

/// What is to be synchronized. By default the safe end of everything.
struct description {
  operation kind = operation::fence;
  address_space space = address_space::flat;  ///< a fence has none
  memory_order order = memory_order::seq_cst;
  memory_order failure = memory_order::seq_cst;  ///< of an exchange that finds another value
  cdna::scope scope = cdna::scope::system;
  /// False: HIP's and HSA's scopes, which order all memory. True: OpenCL's ("agent-one-as", ...), which order only the
  /// address space of the access.
  bool one_address_space = false;
};

enum class step_kind { memory_operation, wait, write_back, invalidate };

/// One instruction of a sequence.
struct instruction_step {
  step_kind kind = step_kind::memory_operation;
  cdna::bits bits = {};   ///< of all but waits
  waitcnt counters = {};  ///< of waits

  bool operator==(instruction_step const&) const = default;
};

/// The instructions, in order: a range, and a template argument (so its members are public: only read them).
struct instruction_sequence {
  static constexpr unsigned capacity = 5;  // write-back, wait, the operation, wait, invalidate

  instruction_step steps[capacity] = {};
  unsigned count = 0;
  operation kind = operation::fence;
  address_space space = address_space::flat;

  [[nodiscard]] COALESCE_API constexpr unsigned size() const { return count; }
  [[nodiscard]] COALESCE_API constexpr bool empty() const { return count == 0; }
  [[nodiscard]] COALESCE_API constexpr instruction_step const* begin() const { return steps; }
  [[nodiscard]] COALESCE_API constexpr instruction_step const* end() const { return steps + count; }

  bool operator==(instruction_sequence const&) const = default;

  /// One instruction a line. The access is spelt by its family: global_load, flat_store, ds_load (whatever its width
  /// and its operation).
  [[nodiscard]] COALESCE_API constexpr coalescing::text<127> text() const {
    coalescing::text<127> lines;
    for (unsigned k = 0; k != count; ++k) {
      if (k != 0) lines.append("\n");
      auto const& [what, said, counters] = steps[k];
      if (what == step_kind::wait) {
        lines.append(counters.text().characters);
        continue;
      }
      if (what == step_kind::memory_operation) {
        amd::rules::append_access(lines, kind, space);
      } else {
        lines.append(what == step_kind::write_back ? "buffer_wbl2" : "buffer_inv");
      }
      rules::append_bits(lines, said);
    }
    return lines;
  }
};

namespace rules {

using amd::rules::has_ordering;
using amd::rules::meaning_of;
using amd::rules::ordering_row;

/// The memories that an instruction may touch, or that a wait or a cache operation is for.
struct memories {
  bool global;
  bool lds;
  bool gds;
};

/// The three things that synchronization is made of.
struct synchronization {
  environment where;
  bool cross;  // whether to order other memories than the access's own
  instruction_sequence made = {};

  COALESCE_API constexpr void append(instruction_step const& step) { made.steps[made.count++] = step; }

  /// Until the wave's accesses to these memories are done, as far as that scope can tell: LLVM waits for no vector
  /// memory where all of the scope shares one L1.
  COALESCE_API constexpr void wait(scope visible, memories which) {
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
  /// Acquire: drop what caches may hold that is stale.
  COALESCE_API constexpr void invalidate(scope visible, memories which) {
    if (which.global && (visible >= scope::device || (visible == scope::group && where.tg_split)))
      append({.kind = step_kind::invalidate, .bits = encode(visible)});
  }
  /// Release: write back what L2 may hold that others cannot see, and wait for it and for all that came before.
  COALESCE_API constexpr void release(scope visible, memories which) {
    if (which.global && visible >= scope::device) append({.kind = step_kind::write_back, .bits = encode(visible)});
    wait(visible, which);
  }
};

/// An access to LDS has no cache bits. SC0 of an atomic is no scope: it returns the value.
COALESCE_API constexpr bits bits_of(description const& asked, scope visible) {
  if (asked.space == address_space::local) return {};
  if (asked.kind == operation::load || asked.kind == operation::store)
    return asked.order == memory_order::unordered ? bits{} : encode(visible);
  return {.sc1 = visible == scope::system, .sc0 = asked.kind != operation::atomic};
}

}  // namespace rules

/// What the compiler gives, whatever the number of L2s: what turns out to do nothing stays. Refused: an ordering that
/// the operation does not have, and LDS under tg_split.
[[nodiscard]] COALESCE_API constexpr instruction_sequence synchronize(description const& asked,
                                                                      environment const& where) {
  static_cast<void>(rules::has_one_l2(where));  // refuses an agent without
  static_cast<void>(encode(asked.scope));       // and a scope that does not exist
  amd::rules::check_synchronization(asked.kind, asked.space, asked.order, asked.failure);
  bool const fence = asked.kind == operation::fence, load = asked.kind == operation::load,
             store = asked.kind == operation::store, exchange = asked.kind == operation::exchange;
  bool const local = !fence && asked.space == address_space::local;
  if (local && !has_lds_and_barrier(where)) refused::lds_cannot_be_used_under_tg_split();

  scope const visible = local && asked.scope != scope::wave ? scope::group : asked.scope;  // LDS is the group's own
  constexpr rules::memories all{.global = true, .lds = true, .gds = true};
  rules::memories const own =
      fence ? all : rules::memories{.global = !local, .lds = asked.space != address_space::global, .gds = false};
  rules::memories const ordered = asked.one_address_space ? own : all;
  auto const order = rules::meaning_of(asked.order);
  auto const failure = exchange ? rules::meaning_of(asked.failure) : rules::ordering_row{};
  bool const acquire = !store && (order.acquires || failure.acquires);
  bool const release = !load && (order.releases || failure.releases);

  rules::synchronization steps{.where = where, .cross = !asked.one_address_space};
  steps.made.kind = asked.kind;
  if (!fence) steps.made.space = asked.space;
  if (release)
    steps.release(visible, ordered);
  else if (fence || (load && asked.order == memory_order::seq_cst))
    steps.wait(visible, ordered);
  if (!fence) steps.append({.kind = step_kind::memory_operation, .bits = rules::bits_of(asked, visible)});
  if (acquire) {
    if (!fence) steps.wait(visible, own);
    steps.invalidate(visible, ordered);
  }
  return steps.made;
}

}  // namespace coalescing::cdna

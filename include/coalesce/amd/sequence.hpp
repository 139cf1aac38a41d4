// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/amd/synchronization.hpp>
#include <coalesce/core/text.hpp>

// The sequence of instructions that implements a fence, or an access that synchronizes: the steps of the release, the
// access, the steps of the acquire. Each family supplies the instructions of these steps (cdna/synchronize.hpp,
// rdna/synchronize.hpp).

namespace coalescing::amd {

/// Describes a fence, or an access that synchronizes. Each member's default is the safest value.
template <class Scope>
struct description {
  operation kind = operation::fence;
  /// For an access: the memory that its pointer addresses. For an RDNA fence: the memory that the fence orders, where
  /// flat means all. (global and local are LLVM's !mmra "amdgpu-synchronize-as".) A CDNA fence ignores this member.
  address_space space = address_space::flat;
  memory_order order = memory_order::seq_cst;
  memory_order failure = memory_order::seq_cst;  ///< the ordering of a compare-exchange that fails
  Scope scope = Scope::system;
  /// False: HIP's and HSA's scopes, which order all memory. True: OpenCL's ("agent-one-as", ...), which order only the
  /// address space of the access.
  bool one_address_space = false;
};

/// The instructions of an access or a fence, in order, as a range of steps. A step has its kind, the counters that it
/// waits for, the name of a cache operation and its bits. The members are public only so that a sequence can be a
/// template argument: read them, but do not write them.
template <class Step, unsigned Capacity, unsigned Characters>
struct instruction_sequence {
  static constexpr unsigned capacity = Capacity;

  Step steps[capacity] = {};
  unsigned count = 0;
  operation kind = operation::fence;
  address_space space = address_space::flat;

  [[nodiscard]] COALESCE_API constexpr unsigned size() const { return count; }
  [[nodiscard]] COALESCE_API constexpr bool empty() const { return count == 0; }
  [[nodiscard]] COALESCE_API constexpr Step const* begin() const { return steps; }
  [[nodiscard]] COALESCE_API constexpr Step const* end() const { return steps + count; }

  bool operator==(instruction_sequence const&) const = default;

  /// The sequence as text, one instruction on a line. An access is written without its width, and an atomic without its
  /// operation: global_load, ds_store, flat_atomic.
  [[nodiscard]] COALESCE_API constexpr coalescing::text<Characters> text() const {
    coalescing::text<Characters> lines;
    for (unsigned k = 0; k != count; ++k) {
      if (k != 0) lines.append("\n");
      Step const& step = steps[k];
      using kinds = decltype(step.kind);
      if (step.kind == kinds::wait) {
        auto const waits = step.counters.text();  // a variable, since CUDA 12 cannot use the characters of a temporary
        lines.append(waits.characters);
        continue;
      }
      if (step.kind == kinds::memory_operation)
        rules::append_access(lines, kind, space);
      else
        lines.append(step.name());
      step.append_bits(lines, kind);
    }
    return lines;
  }
};

namespace rules {

/// Puts the steps in order, for every family. A release writes back and waits. Without a release, a fence or a
/// sequentially consistent load may still have to wait first. An acquire waits for its access and then invalidates.
/// `own`: the address spaces that the access touches, or that the fence orders. `all`: every address space; HSA's
/// scopes order all of them.
///
/// Steps holds the sequence, `made`. These members of Steps append to it: release(memories), wait_before(memories,
/// asked), operate(asked), wait_after(memories, asked), invalidate(memories).
template <class Steps, class Scope, class Memories>
COALESCE_API constexpr void synchronize(Steps& steps, description<Scope> const& asked, Memories const& own,
                                        Memories const& all) {
  bool const fence = asked.kind == operation::fence, load = asked.kind == operation::load,
             store = asked.kind == operation::store;
  Memories const& ordered = fence || asked.one_address_space ? own : all;
  ordering_row const order = rules::meaning_of(asked.order),
                     failure = asked.kind == operation::exchange ? rules::meaning_of(asked.failure) : ordering_row{};
  if (!load && (order.releases || failure.releases))
    steps.release(ordered);
  else if (fence || (load && asked.order == memory_order::seq_cst))
    steps.wait_before(ordered, asked);
  if (!fence) {
    steps.made.kind = asked.kind;
    steps.made.space = asked.space;
    steps.operate(asked);
  }
  if (!store && (order.acquires || failure.acquires)) {
    if (!fence) steps.wait_after(own, asked);
    steps.invalidate(ordered);
  }
}

}  // namespace rules
}  // namespace coalescing::amd

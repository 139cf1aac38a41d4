// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/amd/issued.hpp>
#include <coalesce/rdna/counters.hpp>

// Completion: the counters of an instruction, the order in which instructions complete, and a model of the operations
// of one wave that are not complete yet. Sources: LLVMDOC (gfx10, gfx11), ISA4 5.7.1 (gfx12), CDNA5 5.7.1 and 10.11.1
// and LLVM 22.1's User Guide for AMDGPU Backend, Memory Model GFX125x (gfx1250). FLAT operations lower their counters
// in the order of issue from gfx10 on (LLVM 22, GCNSubtarget.h, hasFlatLgkmVMemCountInOrder; on gfx1250 CDNA5 5.7.1.3,
// too). The documents are in rdna/documents.hpp.

namespace coalescing::rdna {

/// The kinds of operations that a wave can have outstanding. The kind of an operation says in which counters it counts.
enum class issued {
  vector_load,           ///< global, scratch or buffer
  vector_store,          ///< on gfx12 it is complete when the data is written to the cache level of its scope
  vector_atomic,         ///< returns no value
  vector_atomic_return,  ///< returns a value
  image_sample,          ///< image_sample, image_gather4
  image_bvh,             ///< gfx12 alone: on other generations no source tells its counter
  write_back,            ///< gfx12 and gfx1250: global_wb, global_wbinv
  invalidate,            ///< gfx12 and gfx1250: global_inv
  /// FLAT load, or atomic that returns a value. It may access global memory or LDS, so it counts in the counters of
  /// both.
  flat_load,
  flat_store,   ///< FLAT store, or atomic that returns no value
  async_load,   ///< gfx1250: from memory to LDS
  async_store,  ///< gfx1250: from LDS to memory
  tensor,       ///< gfx1250: tensor_load_to_lds, tensor_store_from_lds
  lds,          ///< any ds_ instruction
  scalar,       ///< any s_load
  message       ///< s_sendmsg
};
COALESCE_API constexpr bool is_enumerator(issued value) {
  return value == issued::vector_load || value == issued::vector_store || value == issued::vector_atomic ||
         value == issued::vector_atomic_return || value == issued::image_sample || value == issued::image_bvh ||
         value == issued::write_back || value == issued::invalidate || value == issued::flat_load ||
         value == issued::flat_store || value == issued::async_load || value == issued::async_store ||
         value == issued::tensor || value == issued::lds || value == issued::scalar || value == issued::message;
}

namespace rules {

/// A set of kinds of operations: a mask with a bit for each.
template <class... Kinds>
COALESCE_API constexpr unsigned kinds(Kinds... of) {
  return ((1u << static_cast<unsigned>(of)) | ...);
}
/// A counter, and the kinds of operations that count in it. FLAT operations count in two counters.
template <class Waits>
struct counting_row {
  // Without this alias, nvcc turns `unsigned Waits::*counter` into code that g++ warns about (-Wparentheses).
  using counter_of = unsigned Waits::*;
  counter_of counter;
  unsigned kinds;
};
/// The table of the counters of gfx10 and gfx11. A kind of operation is in no row if the generation does not have it,
/// or if no source tells its counter.
template <class Generation>
struct counting {
  using enum issued;
  using of = waits<Generation>;
  counting_row<of> rows[3] = {{&of::vmcnt, kinds(vector_load, vector_atomic_return, image_sample, flat_load)},
                              {&of::vscnt, kinds(vector_store, vector_atomic, flat_store)},
                              {&of::lgkmcnt, kinds(flat_load, flat_store, lds, scalar, message)}};
};
template <>
struct counting<gfx12> {
  using enum issued;
  using of = waits<gfx12>;
  counting_row<of> rows[6] = {{&of::loadcnt, kinds(vector_load, vector_atomic_return, invalidate, flat_load)},
                              {&of::storecnt, kinds(vector_store, vector_atomic, write_back, flat_store)},
                              {&of::samplecnt, kinds(image_sample)},
                              {&of::bvhcnt, kinds(image_bvh)},
                              {&of::dscnt, kinds(flat_load, flat_store, lds)},
                              {&of::kmcnt, kinds(scalar, message)}};
};
/// gfx1250 has no counters for images. The hardware's xcnt counts translations of addresses, but no operation counts in
/// xcnt here: a wait for a memory counter also waits for xcnt (LLVM 22.1, Memory Model GFX125x), so a wait for xcnt
/// adds nothing. A scalar load of several dwords counts 2 in kmcnt. That changes no wait: operations that kmcnt counts
/// complete in no known order, so only a wait for kmcnt 0 is sure.
template <>
struct counting<gfx1250> {
  using enum issued;
  using of = waits<gfx1250>;
  counting_row<of> rows[6] = {{&of::loadcnt, kinds(vector_load, vector_atomic_return, invalidate, flat_load)},
                              {&of::storecnt, kinds(vector_store, vector_atomic, write_back, flat_store)},
                              {&of::dscnt, kinds(flat_load, flat_store, lds)},
                              {&of::kmcnt, kinds(scalar, message)},
                              {&of::asynccnt, kinds(async_load, async_store)},
                              {&of::tensorcnt, kinds(tensor)}};
};

/// Whether operations of a kind lower their counter in the order of issue. In LLVM 22.1's memory model of GFX125X,
/// gfx1250's asynchronous loads and stores are one type of operation, "ASYNC LDS". Within a type, completion is
/// reported in the order of issue. So an asynchronous load and an asynchronous store are in order, too.
COALESCE_API constexpr bool counts_in_order(issued kind) { return kind != issued::scalar && kind != issued::message; }

/// What amd::issued_operations needs to know about the counters of a generation.
template <class Generation>
struct completion {
  using issued = rdna::issued;
  using waits = rdna::waits<Generation>;
  using counter = unsigned waits::*;

  COALESCE_API static constexpr counting<Generation> counters() { return {}; }
  COALESCE_API static constexpr waits counts_in(issued kind) {
    coalescing::detail::check_enumerator(kind);
    constexpr counting<Generation> table{};
    waits all;
    for (auto const& row : table.rows)
      if ((row.kinds >> static_cast<unsigned>(kind) & 1) != 0) all.*row.counter = 0;
    if (all == waits{}) refused::generation_does_not_issue_that();
    return all;
  }
  COALESCE_API static constexpr bool in_order(issued first, issued second, counter) {
    return rules::counts_in_order(first) && rules::counts_in_order(second);
  }
  COALESCE_API static constexpr void refuse_too_large(waits const& until) { static_cast<void>(until.encoding()); }
};
template <class Machine>
using completion_of = completion<typename generation_of<Machine>::type>;

}  // namespace rules

/// The wait for all operations of a kind: every counter in which the kind counts must be 0. Refused: a kind that the
/// generation does not have, or whose counter no source tells.
template <class Machine>
[[nodiscard]] COALESCE_API constexpr waitcnt<Machine> counts_in(issued kind) {
  return rules::completion_of<Machine>::counts_in(kind);
}

/// Whether a wave's first operation is sure to be complete when its second one is. That is so if the second counts in
/// each counter of the first, and if both lower these counters in the order of issue. For example:
/// - A load is complete when a later FLAT load is, since the FLAT load counts in the load's counter (and in LDS's).
/// - A FLAT load need not be complete when a later load is, since that load does not count in LDS's counter.
/// - Scalar loads and messages have no order.
/// - On gfx12 loads have no order with samples, BVH and stores. On gfx12, stores to different addresses may also be
///   written out of order, although storecnt falls in order.
template <class Machine>
[[nodiscard]] COALESCE_API constexpr bool complete_in_order(issued first, issued second) {
  return amd::completes_in_order<rules::completion_of<Machine>>(first, second);
}

/// The operations that one wave has issued, in order. weakest_wait(n) is the weakest wait after which operation n is
/// complete. If operation n's counter has outstanding operations without a known order (scalar loads, messages), the
/// wait is for 0.
template <class Machine>
using issued_operations = amd::issued_operations<rules::completion_of<Machine>>;

}  // namespace coalescing::rdna

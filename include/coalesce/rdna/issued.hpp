// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/amd/issued.hpp>
#include <coalesce/core/config.hpp>
#include <coalesce/rdna/counters.hpp>
#include <coalesce/rdna/misuse.hpp>
#include <coalesce/rdna/rows.hpp>

// Completion: what an instruction counts in, what completes in order, and a model of what one wave has outstanding.
// Sources: LLVMDOC (gfx10, gfx11), ISA4 5.7.1 (gfx12), CDNA5 5.7.1 and 10.11.1 (gfx1250); that FLAT counts in order:
// LLVM 22 from gfx10 on (GCNSubtarget.h, hasFlatLgkmVMemCountInOrder), of gfx1250 CDNA5 5.7.1.3 too. The documents are
// in rdna/documents.hpp.

namespace coalescing::rdna {

/// What a wave can have outstanding, by what it does to the counters.
enum class issued {
  vector_load,           ///< global, scratch or buffer
  vector_store,          ///< on gfx12 complete when written to the level of its scope
  vector_atomic,         ///< that returns nothing
  vector_atomic_return,  ///< that returns a value
  image_sample,          ///< sampled or gathered
  image_bvh,             ///< gfx12: of the others no source tells the order
  write_back,            ///< gfx12: global_wb, global_wbinv
  invalidate,            ///< gfx12: global_inv
  flat_load,             ///< or an atomic that returns a value: it may be either memory, so it counts in both
  flat_store,            ///< or an atomic that returns nothing
  async_load,            ///< gfx1250: from memory to LDS
  async_store,           ///< gfx1250: from LDS to memory
  tensor,                ///< gfx1250: tensor_load_to_lds, tensor_store_from_lds
  lds,                   ///< ds_
  scalar,                ///< s_load
  message                ///< s_sendmsg
};

namespace rules {

/// Where the operations of a generation count; nullptr: it does not issue them, or no source tells.
template <class Generation>
struct counting_row {
  using counter = unsigned waits<Generation>::*;
  counter loads, stores, lds, scalars;
  counter samples = nullptr, bvh = nullptr;  // of images
  counter write_backs = nullptr, invalidations = nullptr;
  counter async = nullptr, tensors = nullptr;
};
template <class Generation>
inline constexpr counting_row<Generation> counting{};
template <>
inline constexpr counting_row<gfx10> counting<gfx10>{.loads = &waits<gfx10>::vmcnt,
                                                     .stores = &waits<gfx10>::vscnt,
                                                     .lds = &waits<gfx10>::lgkmcnt,
                                                     .scalars = &waits<gfx10>::lgkmcnt,
                                                     .samples = &waits<gfx10>::vmcnt};
template <>
inline constexpr counting_row<gfx11> counting<gfx11>{.loads = &waits<gfx11>::vmcnt,
                                                     .stores = &waits<gfx11>::vscnt,
                                                     .lds = &waits<gfx11>::lgkmcnt,
                                                     .scalars = &waits<gfx11>::lgkmcnt,
                                                     .samples = &waits<gfx11>::vmcnt};
template <>
inline constexpr counting_row<gfx12> counting<gfx12>{.loads = &waits<gfx12>::loadcnt,
                                                     .stores = &waits<gfx12>::storecnt,
                                                     .lds = &waits<gfx12>::dscnt,
                                                     .scalars = &waits<gfx12>::kmcnt,
                                                     .samples = &waits<gfx12>::samplecnt,
                                                     .bvh = &waits<gfx12>::bvhcnt,
                                                     .write_backs = &waits<gfx12>::storecnt,
                                                     .invalidations = &waits<gfx12>::loadcnt};
/// There are no counters for images. xcnt counts translations of addresses besides. A scalar load of several dwords
/// counts 2 in kmcnt, which no wait needs to know: only 0 is sure there.
template <>
inline constexpr counting_row<gfx1250> counting<gfx1250>{.loads = &waits<gfx1250>::loadcnt,
                                                         .stores = &waits<gfx1250>::storecnt,
                                                         .lds = &waits<gfx1250>::dscnt,
                                                         .scalars = &waits<gfx1250>::kmcnt,
                                                         .write_backs = &waits<gfx1250>::storecnt,
                                                         .invalidations = &waits<gfx1250>::loadcnt,
                                                         .async = &waits<gfx1250>::asynccnt,
                                                         .tensors = &waits<gfx1250>::tensorcnt};

/// The counters of memory operations.
template <class Generation>
struct memory_counters {
  unsigned waits<Generation>::*members[3] = {&waits<Generation>::vmcnt, &waits<Generation>::vscnt,
                                             &waits<Generation>::lgkmcnt};
};
template <>
struct memory_counters<gfx12> {
  unsigned waits<gfx12>::*members[6] = {&waits<gfx12>::loadcnt, &waits<gfx12>::storecnt, &waits<gfx12>::samplecnt,
                                        &waits<gfx12>::bvhcnt,  &waits<gfx12>::dscnt,    &waits<gfx12>::kmcnt};
};
template <>
struct memory_counters<gfx1250> {
  unsigned waits<gfx1250>::*members[6] = {&waits<gfx1250>::loadcnt,  &waits<gfx1250>::storecnt,
                                          &waits<gfx1250>::dscnt,    &waits<gfx1250>::kmcnt,
                                          &waits<gfx1250>::asynccnt, &waits<gfx1250>::tensorcnt};
};

/// What counts in one counter does so in the order of issue where all of it is of one of these orders.
enum class order_of_count { none, common, async_stores };
COALESCE_API constexpr order_of_count order_of(issued kind) {
  if (kind == issued::scalar || kind == issued::message) return order_of_count::none;
  return kind == issued::async_store ? order_of_count::async_stores : order_of_count::common;
}

/// The facts of amd::issued_operations.
template <class Generation>
struct completion {
  using issued = rdna::issued;
  using waits = rdna::waits<Generation>;
  using counter = unsigned waits::*;

  COALESCE_API static constexpr memory_counters<Generation> counters() { return {}; }
  COALESCE_API static constexpr waits counts_in(issued kind) {
    constexpr counting_row<Generation> row = counting<Generation>;
    switch (kind) {
      case issued::vector_load:
      case issued::vector_atomic_return:
        return in(row.loads);
      case issued::vector_store:
      case issued::vector_atomic:
        return in(row.stores);
      case issued::image_sample:
        return in(row.samples);
      case issued::image_bvh:
        return in(row.bvh);
      case issued::write_back:
        return in(row.write_backs);
      case issued::invalidate:
        return in(row.invalidations);
      case issued::flat_load:
        return in(row.loads, row.lds);
      case issued::flat_store:
        return in(row.stores, row.lds);
      case issued::async_load:
      case issued::async_store:
        return in(row.async);
      case issued::tensor:
        return in(row.tensors);
      case issued::lds:
        return in(row.lds);
      case issued::scalar:
      case issued::message:
        return in(row.scalars);
    }
    refused::no_such_enumerator();
  }
  COALESCE_API static constexpr bool in_order(issued first, issued second, counter) {
    return rules::order_of(first) != order_of_count::none && rules::order_of(first) == rules::order_of(second);
  }
  COALESCE_API static constexpr void check(waits const& until) { static_cast<void>(until.encoding()); }

 private:
  COALESCE_API static constexpr waits in(counter one) {
    if (one == nullptr) refused::generation_does_not_issue_that();
    waits all;
    all.*one = 0;
    return all;
  }
  COALESCE_API static constexpr waits in(counter one, counter other) {
    waits both = in(one);
    both.*other = 0;
    return both;
  }
};
template <class Machine>
using completion_of = completion<typename generation_of<Machine>::type>;

}  // namespace rules

/// What an instruction counts in: the wait for all of it. Refused where the generation has no such instruction, or no
/// source tells.
template <class Machine>
[[nodiscard]] COALESCE_API constexpr waitcnt<Machine> counts_in(issued kind) {
  return rules::completion_of<Machine>::counts_in(kind);
}

/// Whether a wave's first operation is sure to be complete where its second is: each counter that the first counts in
/// has the second too, and counts them in order. So a load completes before a later FLAT, which counts in LDS's counter
/// besides, and FLAT not before a later load. Scalar memory and messages are in no order, on gfx1250 asynchronous loads
/// and stores in none with each other. On gfx12 stores to different addresses may be written out of order all the same,
/// and loads are in no order with samples, BVH and stores.
template <class Machine>
[[nodiscard]] COALESCE_API constexpr bool complete_in_order(issued first, issued second) {
  return amd::completes_in_order<rules::completion_of<Machine>>(first, second);
}

/// What one wave has issued, in order, and what is known to be complete: weakest_wait is zero where scalar memory,
/// messages, or on gfx1250 asynchronous loads and stores together, are outstanding, since their order is unknown.
template <class Machine>
using issued_operations = amd::issued_operations<rules::completion_of<Machine>>;

}  // namespace coalescing::rdna

// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/amd/issued.hpp>
#include <coalesce/rdna/counters.hpp>

// Completion: the counters of an instruction, the order in which instructions complete, and a model of what one wave
// has outstanding. Sources: LLVMDOC (gfx10, gfx11), ISA4 5.7.1 (gfx12), CDNA5 5.7.1 and 10.11.1 (gfx1250). FLAT counts
// in order from gfx10 on by LLVM 22 (GCNSubtarget.h, hasFlatLgkmVMemCountInOrder), on gfx1250 by CDNA5 5.7.1.3 too. The
// documents are in rdna/documents.hpp.

namespace coalescing::rdna {

/// The operations that a wave can have outstanding, told apart by their counters.
enum class issued {
  vector_load,           ///< global, scratch or buffer
  vector_store,          ///< on gfx12 complete when written to the level of its scope
  vector_atomic,         ///< returns no value
  vector_atomic_return,  ///< returns a value
  image_sample,          ///< sampled or gathered
  image_bvh,             ///< on gfx12; elsewhere no source tells its order
  write_back,            ///< gfx12: global_wb, global_wbinv
  invalidate,            ///< gfx12: global_inv
  flat_load,    ///< or an atomic that returns a value; it counts in both counters, since it may go to either memory
  flat_store,   ///< or an atomic that returns no value
  async_load,   ///< gfx1250: from memory to LDS
  async_store,  ///< gfx1250: from LDS to memory
  tensor,       ///< gfx1250: tensor_load_to_lds, tensor_store_from_lds
  lds,          ///< ds_
  scalar,       ///< s_load
  message       ///< s_sendmsg
};

namespace rules {

/// The counter of each kind of operation. It is missing (nullptr) where the generation does not issue such operations,
/// or no source tells their counter.
template <class Generation>
struct counting_row {
  using counter = unsigned waits<Generation>::*;
  counter loads, stores, lds, scalars;
  counter samples = nullptr, bvh = nullptr;  // of images
  counter write_backs = nullptr, invalidations = nullptr;
  counter async = nullptr, tensors = nullptr;
};
/// gfx10 and gfx11.
template <class Generation>
inline constexpr counting_row<Generation> counting{.loads = &waits<Generation>::vmcnt,
                                                   .stores = &waits<Generation>::vscnt,
                                                   .lds = &waits<Generation>::lgkmcnt,
                                                   .scalars = &waits<Generation>::lgkmcnt,
                                                   .samples = &waits<Generation>::vmcnt};
template <>
inline constexpr counting_row<gfx12> counting<gfx12>{.loads = &waits<gfx12>::loadcnt,
                                                     .stores = &waits<gfx12>::storecnt,
                                                     .lds = &waits<gfx12>::dscnt,
                                                     .scalars = &waits<gfx12>::kmcnt,
                                                     .samples = &waits<gfx12>::samplecnt,
                                                     .bvh = &waits<gfx12>::bvhcnt,
                                                     .write_backs = &waits<gfx12>::storecnt,
                                                     .invalidations = &waits<gfx12>::loadcnt};
/// gfx1250 has no counters for images. xcnt, which counts translations of addresses, has no operations here. A scalar
/// load of several dwords counts 2 in kmcnt. That changes no wait, since only a wait for 0 is sure there.
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

/// Operations in one counter complete in the order of issue if all of them have the same order, and it is not none.
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

/// The wait for every operation of that kind: 0 in each of its counters. Refused: a kind that the generation does not
/// have, or whose counter no source tells.
template <class Machine>
[[nodiscard]] COALESCE_API constexpr waitcnt<Machine> counts_in(issued kind) {
  return rules::completion_of<Machine>::counts_in(kind);
}

/// Whether a wave's first operation is sure to be complete when its second is. That holds if each counter of the first
/// counts the second too, in order. So a load completes before a later FLAT, which counts in LDS's counter too; FLAT
/// does not complete before a later load. Scalar memory and messages have no order. On gfx1250 asynchronous loads and
/// stores have no order with each other. On gfx12 loads have no order with samples, BVH and stores, and stores to
/// different addresses may be written out of order although they count in order.
template <class Machine>
[[nodiscard]] COALESCE_API constexpr bool complete_in_order(issued first, issued second) {
  return amd::completes_in_order<rules::completion_of<Machine>>(first, second);
}

/// The operations that one wave has issued, in order. weakest_wait(n) is the weakest wait after which operation n is
/// complete. It is a wait for zero where operations without a known order are outstanding: scalar memory, messages, on
/// gfx1250 asynchronous loads and stores together.
template <class Machine>
using issued_operations = amd::issued_operations<rules::completion_of<Machine>>;

}  // namespace coalescing::rdna

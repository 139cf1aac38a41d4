// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/config.hpp>
#include <coalesce/rdna/counters.hpp>
#include <coalesce/rdna/misuse.hpp>

#include <concepts>

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

/// The counters of memory operations.
template <class Generation>
struct memory_counters {
  static constexpr unsigned count = 3;
  unsigned waits<Generation>::*members[count] = {&waits<Generation>::vmcnt, &waits<Generation>::vscnt,
                                                 &waits<Generation>::lgkmcnt};
};
template <>
struct memory_counters<gfx12> {
  static constexpr unsigned count = 6;
  unsigned waits<gfx12>::*members[count] = {&waits<gfx12>::loadcnt, &waits<gfx12>::storecnt, &waits<gfx12>::samplecnt,
                                            &waits<gfx12>::bvhcnt,  &waits<gfx12>::dscnt,    &waits<gfx12>::kmcnt};
};
template <>
struct memory_counters<gfx1250> {
  static constexpr unsigned count = 6;
  unsigned waits<gfx1250>::*members[count] = {&waits<gfx1250>::loadcnt,  &waits<gfx1250>::storecnt,
                                              &waits<gfx1250>::dscnt,    &waits<gfx1250>::kmcnt,
                                              &waits<gfx1250>::asynccnt, &waits<gfx1250>::tensorcnt};
};

/// What counts in which counters, as the wait for all of it.
template <class Generation>
struct counting_row {
  using in = waits<Generation>;
  COALESCE_API static constexpr in of(issued kind) {
    switch (kind) {
      case issued::vector_load:
      case issued::vector_atomic_return:
      case issued::image_sample:
        return {.vmcnt = 0};
      case issued::vector_store:
      case issued::vector_atomic:
        return {.vscnt = 0};
      case issued::flat_load:
        return {.vmcnt = 0, .lgkmcnt = 0};
      case issued::flat_store:
        return {.lgkmcnt = 0, .vscnt = 0};
      case issued::lds:
      case issued::scalar:
      case issued::message:
        return {.lgkmcnt = 0};
      case issued::image_bvh:
      case issued::write_back:
      case issued::invalidate:
      case issued::async_load:
      case issued::async_store:
      case issued::tensor:
        refused::generation_does_not_issue_that();
    }
    refused::no_such_enumerator();
  }
};
template <>
struct counting_row<gfx12> {
  using in = waits<gfx12>;
  COALESCE_API static constexpr in of(issued kind) {
    switch (kind) {
      case issued::vector_load:
      case issued::vector_atomic_return:
      case issued::invalidate:
        return {.loadcnt = 0};
      case issued::vector_store:
      case issued::vector_atomic:
      case issued::write_back:
        return {.storecnt = 0};
      case issued::image_sample:
        return {.samplecnt = 0};
      case issued::image_bvh:
        return {.bvhcnt = 0};
      case issued::flat_load:
        return {.loadcnt = 0, .dscnt = 0};
      case issued::flat_store:
        return {.storecnt = 0, .dscnt = 0};
      case issued::lds:
        return {.dscnt = 0};
      case issued::scalar:
      case issued::message:
        return {.kmcnt = 0};
      case issued::async_load:
      case issued::async_store:
      case issued::tensor:
        refused::generation_does_not_issue_that();
    }
    refused::no_such_enumerator();
  }
};

/// There are no counters for images. xcnt counts translations of addresses besides. A scalar load of several dwords
/// counts 2 in kmcnt, which no wait needs to know: only 0 is sure there.
template <>
struct counting_row<gfx1250> {
  using in = waits<gfx1250>;
  COALESCE_API static constexpr in of(issued kind) {
    switch (kind) {
      case issued::vector_load:
      case issued::vector_atomic_return:
      case issued::invalidate:
        return {.loadcnt = 0};
      case issued::vector_store:
      case issued::vector_atomic:
      case issued::write_back:
        return {.storecnt = 0};
      case issued::flat_load:
        return {.loadcnt = 0, .dscnt = 0};
      case issued::flat_store:
        return {.storecnt = 0, .dscnt = 0};
      case issued::lds:
        return {.dscnt = 0};
      case issued::scalar:
      case issued::message:
        return {.kmcnt = 0};
      case issued::async_load:
      case issued::async_store:
        return {.asynccnt = 0};
      case issued::tensor:
        return {.tensorcnt = 0};
      case issued::image_sample:
      case issued::image_bvh:
        refused::generation_does_not_issue_that();
    }
    refused::no_such_enumerator();
  }
};

/// What counts in one counter does so in the order of issue where all of it is of one of these orders.
enum class order_of_count { none, common, async_stores };
COALESCE_API constexpr order_of_count order_of(issued kind) {
  if (kind == issued::scalar || kind == issued::message) return order_of_count::none;
  return kind == issued::async_store ? order_of_count::async_stores : order_of_count::common;
}
COALESCE_API constexpr bool count_in_order(issued first, issued second) {
  return rules::order_of(first) != order_of_count::none && rules::order_of(first) == rules::order_of(second);
}

}  // namespace rules

/// What an instruction counts in: the wait for all of it. Refused where the generation has no such instruction, or no
/// source tells.
template <class Machine>
[[nodiscard]] COALESCE_API constexpr waitcnt<Machine> counts_in(issued kind) {
  return rules::counting_row<typename generation_of<Machine>::type>::of(kind);
}

/// Whether a wave's first operation is sure to be complete where its second is: each counter that the first counts in
/// has the second too, and counts them in order. So a load completes before a later FLAT, which counts in LDS's counter
/// besides, and FLAT not before a later load. Scalar memory and messages are in no order, on gfx1250 asynchronous loads
/// and stores in none with each other. On gfx12 stores to different addresses may be written out of order all the same,
/// and loads are in no order with samples, BVH and stores.
template <class Machine>
[[nodiscard]] COALESCE_API constexpr bool complete_in_order(issued first, issued second) {
  auto const one = rdna::counts_in<Machine>(first), other = rdna::counts_in<Machine>(second);
  constexpr rules::memory_counters<typename generation_of<Machine>::type> counters{};
  for (auto const member : counters.members)
    if (one.*member == 0 && other.*member != 0) return false;
  return rules::count_in_order(first, second);
}

/// What one wave has issued, in order, and what is known to be complete. Operations are numbered from 0.
template <class Machine>
class issued_operations {
  using generation = typename generation_of<Machine>::type;
  using list = rules::memory_counters<generation>;

 public:
  static constexpr unsigned capacity = 128;  ///< operations in all, complete ones included

  template <class... Kinds>
  requires(std::same_as<Kinds, issued>&&...) COALESCE_API constexpr explicit issued_operations(Kinds... kinds) {
    (static_cast<void>(issue(kinds)), ...);
  }

  /// Issues one more, and gives its number.
  COALESCE_API constexpr unsigned issue(issued kind) {
    if (size_ == capacity) refused::too_many_operations();
    operations_[size_] = {kind, counts_in<generation>(kind)};
    return size_++;
  }

  /// The weakest wait after which that operation is sure to be complete: of each counter that it still counts in, as
  /// many as have been issued after it; zero where scalar memory, messages, or on gfx1250 asynchronous loads and stores
  /// together, are outstanding there, since their order is unknown. Never a counter's largest value, which would not
  /// wait. Of a complete operation: a wait for nothing.
  [[nodiscard]] COALESCE_API constexpr waitcnt<Machine> weakest_wait(unsigned number) const {
    if (number >= size_) refused::no_such_operation(number);
    waitcnt<Machine> needed;
    constexpr list counters{};
    for (auto const member : counters.members)
      if (operations_[number].holds.*member == 0) needed.*member = value(member, number);
    return needed;
  }

  /// Goes past a wait: notes what is complete then.
  COALESCE_API constexpr void wait(waitcnt<Machine> const& until) {
    static_cast<void>(until.encoding());  // refuses what there is not
    constexpr list counters{};
    for (auto const member : counters.members) {
      unsigned complete = 0;  // that one and all before it
      bool const in_order = counted_in_order(member);
      unsigned younger = 0;
      for (unsigned k = size_; k-- != 0;) {
        if (operations_[k].holds.*member != 0) continue;
        if (until.*member <= least(younger, in_order, member)) {
          complete = k + 1;
          break;
        }
        ++younger;
      }
      for (unsigned k = 0; k != complete; ++k) operations_[k].holds.*member = waitcnt<Machine>{}.*member;
    }
  }

  /// Whether that operation is sure to be complete.
  [[nodiscard]] COALESCE_API constexpr bool is_complete(unsigned number) const {
    if (number >= size_) refused::no_such_operation(number);
    return operations_[number].holds == waitcnt<Machine>{};
  }
  /// Whether it would be after such a wait.
  [[nodiscard]] COALESCE_API constexpr bool is_complete_after(waitcnt<Machine> const& until, unsigned number) const {
    issued_operations then = *this;
    then.wait(until);
    return then.is_complete(number);
  }

 private:
  using counter = unsigned waitcnt<Machine>::*;
  /// 0 in each counter in which it may still count.
  struct operation {
    issued kind = issued::vector_load;
    waitcnt<Machine> holds = {};
  };
  COALESCE_API constexpr bool counted_in_order(counter member) const {
    operation const* oldest = nullptr;
    for (unsigned k = 0; k != size_; ++k) {
      if (operations_[k].holds.*member != 0) continue;
      if (oldest == nullptr) oldest = &operations_[k];
      if (!rules::count_in_order(oldest->kind, operations_[k].kind)) return false;
    }
    return true;
  }
  COALESCE_API constexpr unsigned value(counter member, unsigned number) const {
    unsigned younger = 0;
    for (unsigned k = number + 1; k < size_; ++k) younger += operations_[k].holds.*member == 0 ? 1 : 0;
    return least(younger, counted_in_order(member), member);
  }
  COALESCE_API static constexpr unsigned least(unsigned younger, bool in_order, counter member) {
    unsigned const most = waitcnt<Machine>{}.*member - 1;
    return !in_order ? 0 : younger < most ? younger : most;
  }

  operation operations_[capacity] = {};
  unsigned size_ = 0;
};

}  // namespace coalescing::rdna

// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/amd/issued.hpp>
#include <coalesce/cdna/misuse.hpp>
#include <coalesce/core/text.hpp>

#include <concepts>

// Completion: VM_CNT and LGKM_CNT, the instruction that waits for them, and a model of what one wave has outstanding.
// The documents are in cdna/documents.hpp.

namespace coalescing::cdna {

/// S_WAITCNT. It waits until each counter is at most the value given here. The largest value of a counter means: do not
/// wait for this counter (ISA4 4.4). EXP_CNT is unused on CDNA.
struct waitcnt {
  static constexpr unsigned most_vmcnt = 63;
  static constexpr unsigned most_expcnt = 7;
  static constexpr unsigned most_lgkmcnt = 15;

  unsigned vmcnt = most_vmcnt;      ///< counts vector memory, FLAT included
  unsigned expcnt = most_expcnt;    ///< unused on CDNA
  unsigned lgkmcnt = most_lgkmcnt;  ///< counts LDS, scalar memory, messages, FLAT

  bool operator==(waitcnt const&) const = default;

  /// The instruction's immediate: vmcnt in bits 15:14 and 3:0, lgkmcnt in 11:8, expcnt in 6:4 (llvm-mc).
  [[nodiscard]] COALESCE_API constexpr unsigned simm16() const {
    if (vmcnt > most_vmcnt) refused::counter_is_out_of_range(vmcnt);
    if (expcnt > most_expcnt) refused::counter_is_out_of_range(expcnt);
    if (lgkmcnt > most_lgkmcnt) refused::counter_is_out_of_range(lgkmcnt);
    return (vmcnt & 15) | expcnt << 4 | lgkmcnt << 8 | (vmcnt >> 4) << 14;
  }
  /// The wait that an immediate encodes. Refused: an immediate with a bit that belongs to no counter.
  [[nodiscard]] COALESCE_API static constexpr waitcnt decode(unsigned simm16) {
    waitcnt const wait{
        .vmcnt = (simm16 & 15) | (simm16 >> 14 & 3) << 4, .expcnt = simm16 >> 4 & 7, .lgkmcnt = simm16 >> 8 & 15};
    if (wait.simm16() != simm16) refused::simm16_has_bits_that_are_no_counter(simm16);
    return wait;
  }

  /// The assembler's text. It names the counters that are waited for: "s_waitcnt vmcnt(3)". The text of a wait for no
  /// counter names all counters.
  [[nodiscard]] COALESCE_API constexpr coalescing::text<48> text() const {
    bool const none = simm16() == waitcnt{}.simm16();
    coalescing::text<48> words;
    words.append("s_waitcnt");
    if (none || vmcnt != most_vmcnt) words.append(" vmcnt("), words.append(vmcnt), words.append(")");
    if (none || expcnt != most_expcnt) words.append(" expcnt("), words.append(expcnt), words.append(")");
    if (none || lgkmcnt != most_lgkmcnt) words.append(" lgkmcnt("), words.append(lgkmcnt), words.append(")");
    return words;
  }
};

/// The operations that a wave can have outstanding, by their effect on the counters (ISA4 3.1, 4.4, 8.3, 10.2).
enum class issued {
  vector_load,    ///< global, scratch or buffer
  vector_store,   ///< complete when its data is in L2; a store that bypasses L2, when the data is visible in its scope
  vector_atomic,  ///< with or without a return value
  lds_dma,        ///< global_load_lds, buffer_load ... lds: its data is in LDS when VM_CNT counts it as complete
  write_back,     ///< buffer_wbl2
  invalidate,     ///< buffer_inv: counts in no counter (LLVM), so no wait is needed
  flat,           ///< any flat_ access: it may be to global memory or to LDS, so it counts in both counters
  lds,            ///< any ds_ instruction
  scalar_dword,   ///< s_load_dword
  scalar_wide,    ///< s_load of two dwords and more, s_memtime: adds 2 to the counter
  message         ///< s_sendmsg
};
COALESCE_API constexpr bool is_enumerator(issued value) {
  return value == issued::vector_load || value == issued::vector_store || value == issued::vector_atomic ||
         value == issued::lds_dma || value == issued::write_back || value == issued::invalidate ||
         value == issued::flat || value == issued::lds || value == issued::scalar_dword ||
         value == issued::scalar_wide || value == issued::message;
}

namespace rules {

/// What amd::issued_operations needs to know about CDNA's counters (amd/issued.hpp lists the members).
struct completion {
  using issued = cdna::issued;
  using waits = waitcnt;
  // The type has a name, since g++ warns of the code that nvcc makes of `unsigned waitcnt::*counter`.
  using counter_of = unsigned waitcnt::*;
  struct counted {
    counter_of counter;
  };
  struct both_counters {
    counted rows[2] = {{&waitcnt::vmcnt}, {&waitcnt::lgkmcnt}};
  };
  COALESCE_API static constexpr both_counters counters() { return {}; }

  COALESCE_API static constexpr waitcnt counts_in(issued kind) {
    switch (kind) {
      case issued::vector_load:
      case issued::vector_store:
      case issued::vector_atomic:
      case issued::lds_dma:
      case issued::write_back:
        return {.vmcnt = 0};
      case issued::flat:
        return {.vmcnt = 0, .lgkmcnt = 0};
      case issued::lds:
      case issued::scalar_dword:
      case issued::scalar_wide:
      case issued::message:
        return {.lgkmcnt = 0};
      case issued::invalidate:
        return {};
    }
    refused::no_such_enumerator();
  }
  /// Whether two operations lower a counter in the order of issue. Vector memory operations do so in VM_CNT, and LDS
  /// operations in LGKM_CNT; FLAT, scalar memory and messages do not.
  COALESCE_API static constexpr bool in_order(issued first, issued second, unsigned waitcnt::*counter) {
    auto const ordered = [counter](issued kind) {
      return counter == &waitcnt::vmcnt ? kind != issued::flat : kind == issued::lds;
    };
    return ordered(first) && ordered(second);
  }
  COALESCE_API static constexpr void refuse_too_large(waitcnt const& until) { static_cast<void>(until.simm16()); }
};

}  // namespace rules

/// Whether a wave's first operation is sure to complete before its second. Vector memory operations complete in the
/// order of issue, loads, stores and atomics mixed; so do LDS operations. No order holds for FLAT, scalar memory or
/// messages, between vector memory and LDS (ISA4 4.4, 8.3, 10.2), or between two waves.
[[nodiscard]] COALESCE_API constexpr bool complete_in_order(issued first, issued second) {
  return amd::completes_in_order<rules::completion>(first, second);
}

/// The operations that one wave has issued, in order, and which of them are known to be complete. weakest_wait()
/// follows ISA4 and LLVM 22. FLAT accesses, scalar loads and messages complete in no known order. (Scalar loads
/// complete in any order, and a wide one in parts: ISA4 8.3, 10.2.2.) While one of these is outstanding in a counter, a
/// wait for any operation of this counter must wait for 0. That includes an LDS operation, although LDS operations
/// complete in order among themselves.
class issued_operations : public amd::issued_operations<rules::completion> {
  using issued = cdna::issued;
  using model = amd::issued_operations<rules::completion>;

 public:
  template <class... Kinds>
  requires(std::same_as<Kinds, issued>&&...) COALESCE_API constexpr explicit issued_operations(Kinds... kinds) {
    (static_cast<void>(issue(kinds)), ...);
  }
  /// Issues one more operation and returns its number.
  COALESCE_API constexpr unsigned issue(issued kind) {
    unsigned const number = model::issue(kind);
    waitcnt const counts = rules::completion::counts_in(kind);
    unsigned const lgkm = kind == issued::scalar_wide ? 2 : counts.lgkmcnt == 0;
    vm_cnt_ = least(vm_cnt_ + (counts.vmcnt == 0), waitcnt::most_vmcnt);
    lgkm_cnt_ = least(lgkm_cnt_ + lgkm, waitcnt::most_lgkmcnt);
    return number;
  }
  /// Notes that the wave passes an s_waitcnt, and marks the operations that are complete after the s_waitcnt.
  COALESCE_API constexpr void wait(waitcnt const& until) {
    model::wait(until);
    vm_cnt_ = least(vm_cnt_, until.vmcnt);
    lgkm_cnt_ = least(lgkm_cnt_, until.lgkmcnt);
  }

  /// The largest value that each counter can have now. Each operation that the counter counts raises this value, up
  /// to the counter's maximum of 63 or 15. A wait lowers the value to the count until which it waits.
  [[nodiscard]] COALESCE_API constexpr unsigned vm_cnt() const { return vm_cnt_; }
  [[nodiscard]] COALESCE_API constexpr unsigned lgkm_cnt() const { return lgkm_cnt_; }

 private:
  COALESCE_API static constexpr unsigned least(unsigned a, unsigned b) { return a < b ? a : b; }

  unsigned vm_cnt_ = 0, lgkm_cnt_ = 0;
};

}  // namespace coalescing::cdna

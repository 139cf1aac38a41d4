// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/amd/misuse.hpp>

#include <concepts>

// Completion: a model of what one wave has outstanding. Most operations count in one or more counters: an operation
// raises these counters when it is issued, and lowers them when it completes.
//
// The functions here take a template parameter Completion: a family's struct with these members.
//   issued            the kinds of operations
//   waits             a value for each counter; waits{} waits for nothing
//   counters()        the counters: a struct with an array `rows`; each row's `counter` points to a member of waits
//   counts_in(kind)   a value of waits: 0 for each counter in which operations of the kind count
//   in_order(a, b, counter)   whether operations of kinds a and b, which both count in a counter, lower this counter in
//                     the order of issue
//   refuse_too_large  refuses a wait with a value that its counter cannot have

namespace coalescing::amd {

/// Tells whether a wave's first operation is sure to be complete when the second one is complete. That is so if the
/// second operation counts in every counter in which the first one counts, and if both lower those counters in the
/// order of issue. It is never so if the first operation counts in no counter.
template <class Completion>
[[nodiscard]] COALESCE_API constexpr bool completes_in_order(typename Completion::issued first,
                                                             typename Completion::issued second) {
  auto const one = Completion::counts_in(first), other = Completion::counts_in(second);
  bool counts = false;
  constexpr auto counters = Completion::counters();
  for (auto const& row : counters.rows) {
    if (one.*row.counter != 0) continue;
    if (other.*row.counter != 0 || !Completion::in_order(first, second, row.counter)) return false;
    counts = true;
  }
  return counts;
}

/// The operations that one wave has issued, in order, and which of them are known to be complete. They are numbered
/// from 0.
template <class Completion>
class issued_operations {
  using issued = typename Completion::issued;
  using waits = typename Completion::waits;
  using counter = unsigned waits::*;

 public:
  static constexpr unsigned capacity = 128;  ///< the most operations that can be issued, complete ones included

  template <class... Kinds>
  requires(std::same_as<Kinds, issued>&&...) COALESCE_API constexpr explicit issued_operations(Kinds... kinds) {
    (static_cast<void>(issue(kinds)), ...);
  }

  /// Issues one more operation and returns its number.
  COALESCE_API constexpr unsigned issue(issued kind) {
    if (size_ == capacity) refused::too_many_operations();
    operations_[size_] = {kind, Completion::counts_in(kind)};
    return size_++;
  }

  /// The weakest wait after which an operation is sure to be complete. Each counter in which the operation still counts
  /// gets the number of later operations that still count there. For example, after five vector memory operations,
  /// number 1 (the second) needs 3. A counter gets 0 if its outstanding operations complete in no known order. It gets
  /// at most one less than its largest value, because the largest value would not wait. If the operation is complete
  /// already, the result waits for nothing.
  [[nodiscard]] COALESCE_API constexpr waits weakest_wait(unsigned number) const {
    if (number >= size_) refused::no_such_operation(number);
    waits needed;
    constexpr auto counters = Completion::counters();
    for (auto const& row : counters.rows) {
      if (operations_[number].holds.*row.counter != 0) continue;
      unsigned younger = 0;
      for (unsigned k = number + 1; k < size_; ++k) younger += operations_[k].holds.*row.counter == 0 ? 1 : 0;
      needed.*row.counter = value(younger, counted_in_order(row.counter), row.counter);
    }
    return needed;
  }

  /// Notes that the wave passes a wait, and marks the operations that are complete after the wait.
  COALESCE_API constexpr void wait(waits const& until) {
    Completion::refuse_too_large(until);
    constexpr auto counters = Completion::counters();
    for (auto const& row : counters.rows) {
      // `complete`: how many operations, from the first on, no longer count in this counter after the wait.
      unsigned complete = 0, younger = 0;
      bool const in_order = counted_in_order(row.counter);
      for (unsigned k = size_; k-- != 0 && complete == 0;) {
        if (operations_[k].holds.*row.counter != 0) continue;
        if (until.*row.counter <= value(younger++, in_order, row.counter)) complete = k + 1;
      }
      for (unsigned k = 0; k != complete; ++k) operations_[k].holds.*row.counter = waits{}.*row.counter;
    }
  }

  /// Tells whether an operation is sure to be complete.
  [[nodiscard]] COALESCE_API constexpr bool is_complete(unsigned number) const {
    if (number >= size_) refused::no_such_operation(number);
    return operations_[number].holds == waits{};
  }
  /// Tells whether an operation would be complete after a wait.
  [[nodiscard]] COALESCE_API constexpr bool is_complete_after(waits const& until, unsigned number) const {
    issued_operations then = *this;
    then.wait(until);
    return then.is_complete(number);
  }

 private:
  /// An operation that was issued. `holds` has a member for each counter: 0 if the operation may still count there.
  struct operation {
    issued kind = {};
    waits holds = {};
  };
  /// Whether all operations that are outstanding in a counter lower it in the order of issue.
  COALESCE_API constexpr bool counted_in_order(counter member) const {
    operation const* oldest = nullptr;
    for (unsigned k = 0; k != size_; ++k) {
      if (operations_[k].holds.*member != 0) continue;
      if (oldest == nullptr) oldest = &operations_[k];
      if (!Completion::in_order(oldest->kind, operations_[k].kind, member)) return false;
    }
    return true;
  }
  /// The value of a counter at which an operation is sure to be complete. `younger`: how many operations were issued
  /// after it and still count there. `in_order`: whether all operations that still count there lower the counter in the
  /// order of issue.
  COALESCE_API static constexpr unsigned value(unsigned younger, bool in_order, counter member) {
    unsigned const most = waits{}.*member - 1;
    return !in_order ? 0 : younger < most ? younger : most;
  }

  operation operations_[capacity] = {};
  unsigned size_ = 0;
};

}  // namespace coalescing::amd

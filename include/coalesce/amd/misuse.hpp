// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/misuse.hpp>

// The refusals that several of AMD's families share. Refusals that all families share are in core/misuse.hpp.

namespace coalescing::refused {

[[noreturn]] COALESCE_API inline void ordering_does_not_exist_for_the_operation() {
  detail::refuse(
      "that ordering does not exist for the operation: loads are not release, stores not acquire, neither acq_rel; "
      "only loads and stores are unordered; fences are not monotonic; a failure ordering is monotonic, acquire or "
      "seq_cst");
}
[[noreturn]] COALESCE_API inline void too_many_operations() {
  detail::refuse("more operations than the model holds, complete ones included (issued_operations::capacity)");
}
[[noreturn]] COALESCE_API inline void no_such_operation(unsigned) {
  detail::refuse("no operation of that number has been issued");
}

}  // namespace coalescing::refused

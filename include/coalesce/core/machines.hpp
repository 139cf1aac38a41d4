// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/config.hpp>

#include <cstddef>

// Lists of machines. Each family has a list every_machine (cuda/machines.hpp, rdna/generations.hpp, ...), and each
// machine in the list has a `name`. The families cuda, cdna and rdna also have a list of products: product_names, in
// FAMILY/products.hpp.

namespace coalescing {

/// A list of machines, each of which is a type.
template <class... Machines>
struct machine_list {
  static constexpr std::size_t count = sizeof...(Machines);

  /// Calls see.template operator()<Machine>() for each machine, in the order of the list.
#if defined(__CUDACC__) && defined(__NVCC__)
#pragma nv_exec_check_disable
#endif
  template <class See>
  COALESCE_API static constexpr void each(See const& see) {
    (static_cast<void>(see.template operator()<Machines>()), ...);
  }
};

/// A machine, as its family identifies it (NVIDIA by the compute capability, AMD by the chip), and the names of its
/// products, separated by spaces.
template <class Machine>
struct products_of_machine {
  Machine machine;
  char const* names;
};

}  // namespace coalescing

// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cuda/atomics.hpp>
#include <coalesce/cuda/boxes.hpp>
#include <coalesce/cuda/copy.hpp>
#include <coalesce/cuda/fermi.hpp>
#include <coalesce/cuda/forms.hpp>
#include <coalesce/cuda/products.hpp>
#include <coalesce/cuda/sectors.hpp>
#include <coalesce/cuda/shared_tesla.hpp>
#include <coalesce/cuda/tesla.hpp>
#include <coalesce/engine/footprint.hpp>

#include <type_traits>

// NVIDIA GPUs, compute capability 1.0 to 12.1: the instructions, and a type for each capability. cuda/rows.hpp has the
// facts and their sources. cuda/costs.hpp has the types of the costs. cuda/README.md explains all of this on one page.

namespace coalescing::cuda {

inline constexpr family words_of_nvidia{.name = "cuda",
                                        .banked_memory = "shared",
                                        .piece_of_32 = "sector",
                                        .piece = "segment",
                                        .machines = names_of_machines};

/// The machine of a compute capability: 90 is 9.0, 121 is 12.1.
template <unsigned ComputeCapability>
requires known_compute_capability<ComputeCapability>
struct device {
  using row = cuda::row<ComputeCapability>;
  static constexpr char const* name = detail::capability_name<ComputeCapability>::value;
  static constexpr machine_name identity{words_of_nvidia, name, row::counted_by, ComputeCapability};

  /// A global load of Bits per lane. On CC 2.x and 3.x, Caching says whether the load goes through L1.
  template <unsigned Bits, caching Caching = caching::by_default>
  struct load : coalescing::detail::if_form_exists<rules::load_form<row, Bits, Caching>,
                                                   typename row::global::template load<row, Bits, Caching>> {
    static constexpr instruction_name called{identity, "load", {Bits, words_of(Caching)}};
  };

  /// A global store of Bits per lane.
  template <unsigned Bits>
  struct store : coalescing::detail::if_form_exists<rules::store_form<row, Bits>,
                                                    typename row::global::template store<row, Bits>> {
    static constexpr instruction_name called{identity, "store", {Bits}};
  };

  /// A global atomic (atom). Its widths are 32 and 64 bits; 16 bits since CC 7.0; 128 bits since CC 9.0, for exchange
  /// and compare-and-swap. It does not exist here on CC 1.x, because no source states the transactions of atomics
  /// there. Its addresses are naturally aligned. The cost is that of one instruction. The compiler may turn an
  /// operation into a loop (LLVM: a 16-bit compare-and-swap). Then count the instruction once for each iteration.
  template <unsigned Bits>
  struct atomic
      : coalescing::detail::if_form_exists<rules::atomic_form<row, Bits, false>, rules::l2_atomic<row, Bits>> {
    static constexpr instruction_name called{identity, "atomic", {Bits}};
  };

  /// A global reduction (red): an atomic that returns nothing. Each lane gives one number (not a vector, as with .v2).
  /// L2 executes a reduction like an atomic, so both have the same cost.
  template <unsigned Bits>
  struct red : coalescing::detail::if_form_exists<rules::atomic_form<row, Bits, true>, rules::l2_atomic<row, Bits>> {
    static constexpr instruction_name called{identity, "red", {Bits}};
  };

  /// A load from Tensor Memory (tcgen05.ld). It is refused in every width, because no source states its cost.
  template <unsigned Bits>
  struct tcgen05_ld : coalescing::detail::if_form_exists<rules::tensor_memory_form<Bits>, void> {};

  /// A load through the constant cache (__constant__ memory): one request for each different address.
  template <unsigned Bits>
  struct constant_load
      : coalescing::detail::if_form_exists<rules::constant_form<row, Bits>, rules::constant_access<row, Bits>> {
    static constexpr instruction_name called{identity, "constant_load", {Bits}};
  };

  /// A load of Bits per lane from shared memory.
  template <unsigned Bits, shared_mode Mode = shared_mode::by_default>
  struct shared_load : coalescing::detail::if_form_exists<rules::shared_form<row, Bits, Mode, false>,
                                                          typename row::shared::template load<row, Bits, Mode>> {
    static constexpr instruction_name called{identity, "shared_load", {Bits, words_of(Mode)}};
  };

  /// A store of Bits per lane to shared memory.
  template <unsigned Bits, shared_mode Mode = shared_mode::by_default>
  struct shared_store : coalescing::detail::if_form_exists<rules::shared_form<row, Bits, Mode, true>,
                                                           typename row::shared::template store<row, Bits, Mode>> {
    static constexpr instruction_name called{identity, "shared_store", {Bits, words_of(Mode)}};
  };

  /// An atomic of 32 or 64 bits in shared memory. It does not exist here on CC 1.x, because no source states the rounds
  /// of atomics there.
  template <unsigned Bits>
  struct shared_atomic : coalescing::detail::if_form_exists<rules::shared_atomic_form<row, Bits>,
                                                            rules::shared_atomic<row, shared_store<Bits>>> {
    static constexpr instruction_name called{identity, "shared_atomic", {Bits}};
  };

  /// A load of 1, 2 or 4 small matrices from shared memory: ldmatrix, since CC 7.5. The pattern gives one address for
  /// each row: lane 8m + r gives the address of row r of matrix m (lane 16m + r, if a matrix has 16 rows). So `lanes`
  /// is the number of rows, 8 to 32. A row has 16 bytes and begins at any multiple of 16. source_of(lane, value)
  /// returns the element in shared memory that lane number `lane` receives as its value number `value`.
  template <unsigned Matrices, matrix Form = matrix::m8n8>
  struct ldmatrix : coalescing::detail::if_form_exists<rules::matrices_form<row, Matrices, Form, false>,
                                                       rules::matrix_load<row, Matrices, Form>> {
    static constexpr instruction_name called{identity, "ldmatrix", {Matrices, rules::matrix_form_of<Form>.name}};
  };

  /// A store of 1, 2 or 4 small matrices to shared memory: stmatrix, since CC 9.0. Lanes and rows are as in ldmatrix.
  /// target_of(lane, value) returns the element in shared memory to which a lane's value goes.
  template <unsigned Matrices, matrix Form = matrix::m8n8>
  struct stmatrix : coalescing::detail::if_form_exists<rules::matrices_form<row, Matrices, Form, true>,
                                                       rules::matrix_store<row, Matrices, Form>> {
    static constexpr instruction_name called{identity, "stmatrix", {Matrices, rules::matrix_form_of<Form>.name}};
  };

  /// An asynchronous copy of Bytes per lane from global to shared memory: cp.async, since CC 8.0. The copy has two
  /// costs: that of ::global for the addresses that it reads, and that of ::shared for the addresses that it writes.
  /// The copy reads the first SourceBytes of the Bytes and fills the other bytes with zeros. (SourceBytes is PTX's
  /// src-size; with ignore-src it is 0.) If only some lanes have a source size of 0, leave these lanes out of the mask
  /// for ::global, because they read nothing.
  template <unsigned Bytes, unsigned SourceBytes = Bytes>
  struct cp_async {
    using form = rules::copy_form<row, Bytes, SourceBytes>;
    static constexpr bool exists = form::exists;
    struct global : coalescing::detail::if_form_exists<form, rules::copied_from_global<row, Bytes, SourceBytes>> {
      static constexpr instruction_name called{identity, "cp_async", {Bytes, {SourceBytes, Bytes}}, "global"};
      /// A type that copies of all widths share, so that suggest_lanes() can compare the widths. A copy that fills with
      /// zeros reads less than its width, and shares the type with no other copy.
      using any_width = std::conditional_t<SourceBytes == Bytes, coalescing::detail::any_width<cp_async>, global>;
    };
    struct shared : coalescing::detail::if_form_exists<form, rules::copied_to_shared<row, Bytes>> {
      static constexpr instruction_name called{identity, "cp_async", {Bytes, {SourceBytes, Bytes}}, "shared"};
    };
  };

  /// The instructions that record.hpp counts. Bits is the width of the element that each lane loads, stores or updates.
  /// `uncounted` stands for atomics whose cost no source states (on CC 1.x), and for atomics of other widths than 32
  /// and 64 bits.
  struct issues {
    static constexpr unsigned lanes = row::lanes.value;

    template <unsigned Bits>
    using global_load = load<Bits>;
    template <unsigned Bits>
    using global_store = store<Bits>;
    template <unsigned Bits>
    using global_atomic = std::conditional_t<shared_atomic<Bits>::exists, atomic<Bits>, coalescing::detail::uncounted>;
    template <unsigned Bits>
    using banked_load = shared_load<Bits>;
    template <unsigned Bits>
    using banked_store = shared_store<Bits>;
    template <unsigned Bits>
    using banked_atomic = shared_atomic<Bits>;
    template <unsigned Matrices>
    using matrix_load = ldmatrix<Matrices>;
    template <unsigned Matrices>
    using matrix_store = stmatrix<Matrices>;
  };
};

/// The warp that runs a thread of a block. `index` is the thread's linear index in the block (co::thread_index of
/// total/launch.hpp, where x varies fastest). CUDA C++ Programming Guide, "SIMT Architecture": a warp has threads of
/// consecutive thread IDs.
[[nodiscard]] COALESCE_API constexpr std::uint64_t warp_of(std::uint64_t index) {
  return index / every_capability::lanes.value;
}
/// The lane of a thread in its warp, by the thread's linear index in the block.
[[nodiscard]] COALESCE_API constexpr unsigned lane_of(std::uint64_t index) {
  return static_cast<unsigned>(index % every_capability::lanes.value);
}

}  // namespace coalescing::cuda

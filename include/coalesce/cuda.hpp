// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/config.hpp>
#include <coalesce/core/cost.hpp>
#include <coalesce/core/name.hpp>
#include <coalesce/core/pattern.hpp>
#include <coalesce/cuda/atomics.hpp>
#include <coalesce/cuda/copy.hpp>
#include <coalesce/cuda/costs.hpp>
#include <coalesce/cuda/fermi.hpp>
#include <coalesce/cuda/machines.hpp>
#include <coalesce/cuda/matrix.hpp>
#include <coalesce/cuda/products.hpp>
#include <coalesce/cuda/rows.hpp>
#include <coalesce/cuda/sectors.hpp>
#include <coalesce/cuda/shared.hpp>
#include <coalesce/cuda/shared_tesla.hpp>
#include <coalesce/cuda/tesla.hpp>
#include <coalesce/engine/footprint.hpp>

#include <type_traits>

// NVIDIA GPUs, compute capability 1.0 to 12.1: the instructions, and a type for each capability. The facts and their
// sources are in cuda/rows.hpp, the numbers in cuda/costs.hpp, a page in cuda/README.md.

namespace coalescing::cuda {

/// The widths of an access, in bits: 8 to 128. Global memory has 256 too, from CC 10.0 on.
template <unsigned Bits, unsigned Widest>
inline constexpr bool access_width =
    (Bits == 8 || Bits == 16 || Bits == 32 || Bits == 64 || Bits == 128 || Bits == 256) && Bits <= Widest;

namespace rules {

// Tests for the facts that only some rows have.
template <class Row>
concept caches_in_lines = requires {
  Row::line_bytes, Row::default_caching;
};
template <class Row>
concept has_caching = requires {
  Row::default_caching;
};
template <class Row>
concept has_atomics = requires {
  Row::atomics;
};
template <class Row>
concept has_wide_banks = requires {
  Row::wide_bank_bytes;
};
template <class Row>
concept has_pair_merge = requires {
  Row::merged_parts;
};

template <class Row>
concept has_matrix_loads = requires {
  Row::matrix_load;
};
template <class Row>
concept has_half_word_atomics = requires {
  Row::atomics_of_16_bits;
};
template <class Row>
concept has_wide_atomics = requires {
  Row::atomics_of_128_bits;
};
/// Whether a machine has a reduction of that width, of one number of a lane: an atomic that returns nothing.
template <class Row, unsigned Bits>
inline constexpr bool reduction_width = Bits == 32 || Bits == 64 || (Bits == 16 && has_half_word_atomics<Row>);
/// Whether it has an atomic of that width.
template <class Row, unsigned Bits>
inline constexpr bool atomic_width = reduction_width<Row, Bits> || (Bits == 128 && has_wide_atomics<Row>);
template <class Row>
concept has_matrix_stores = requires {
  Row::matrix_store;
};
template <class Row>
concept has_narrow_matrices = requires {
  Row::narrow_matrix;
};
template <class Row>
concept has_copies_to_shared = requires {
  Row::copied_sectors;
};
/// Whether an instruction moves this number of matrices: 1, 2 or 4, with at most as many rows as the warp has lanes.
template <class Row, unsigned Matrices, matrix Form>
inline constexpr bool number_of_matrices = (Matrices == 1 || Matrices == 2 || Matrices == 4) &&
                                           Matrices* rows_in_memory(matrix_form_of<Form>) <= Row::lanes.value;
/// Whether the machine has the elements of a form.
template <class Row, matrix Form>
inline constexpr bool has_elements = !is_narrow(matrix_form_of<Form>) || has_narrow_matrices<Row>;

template <shared_mode Mode>
concept chooses_banks = Mode == shared_mode::four_byte_banks || Mode == shared_mode::eight_byte_banks;
template <shared_mode Mode>
concept chooses_merging = Mode == shared_mode::pair_merge || Mode == shared_mode::no_merge;
template <shared_mode Mode>
concept is_a_mode = Mode == shared_mode::by_default || chooses_banks<Mode> || chooses_merging<Mode>;
template <class Row, shared_mode Mode>
concept has_mode = Mode == shared_mode::by_default || (chooses_banks<Mode> && has_wide_banks<Row>) ||
                   (chooses_merging<Mode> && has_pair_merge<Row>);
template <class Row, caching Caching>
concept has_choice = Caching == caching::by_default || (Caching == caching::l2 && has_caching<Row>) ||
                     (Caching == caching::l1 && caches_in_lines<Row>);

}  // namespace rules

inline constexpr family words_of_nvidia{
    .name = "cuda", .banked_memory = "shared", .piece_of_32 = "sector", .piece = "segment"};

/// A machine of that compute capability: 90 is 9.0, 121 is 12.1.
template <unsigned ComputeCapability>
requires known_compute_capability<ComputeCapability>
struct device {
  using row = cuda::row<ComputeCapability>;
  static constexpr char const* name = detail::capability_name<ComputeCapability>::value;
  static constexpr machine_name identity{words_of_nvidia, name, ComputeCapability};

  /// A global load of Bits per lane. On CC 2.x and 3.x, Caching says whether through L1.
  template <unsigned Bits, caching Caching = caching::by_default>
  struct load
      : coalescing::detail::exists_if<access_width<Bits, row::widest_bits.value> && rules::has_choice<row, Caching>,
                                      typename row::global::template load<row, Bits, Caching>, load<Bits, Caching>> {
    static constexpr instruction_name called{identity, "load", {Bits, words_of(Caching)}};
    COALESCE_API static constexpr void refuse() {
      static_assert(access_width<Bits, row::widest_bits.value>,
                    "cuda load<Bits>: Bits are 8, 16, 32, 64 or 128, and on CC 10.0 and later 256 (bits of a lane, not "
                    "bytes: a float is load<32>, a float4 load<128>)");
      static_assert(Caching == caching::by_default || Caching == caching::l1 || Caching == caching::l2,
                    "cuda load<Bits, Caching>: Caching is caching::by_default, caching::l1 or caching::l2");
      static_assert(
          Caching != caching::l1 || rules::has_choice<row, Caching>,
          "cuda load<Bits, caching::l1>: no guide says that this device can cache global loads in 128-byte lines of L1 "
          "(CC 2.x, 3.5 and 3.7 can)");
      static_assert(Caching != caching::l2 || rules::has_choice<row, Caching>,
                    "cuda load<Bits, caching::l2>: only CC 2.x and 3.x tell loads through L1 from loads past it");
    }
  };

  /// A global store of Bits per lane.
  template <unsigned Bits>
  struct store : coalescing::detail::exists_if<access_width<Bits, row::widest_bits.value>,
                                               typename row::global::template store<row, Bits>, store<Bits>> {
    static constexpr instruction_name called{identity, "store", {Bits}};
    COALESCE_API static constexpr void refuse() {
      static_assert(
          store::exists,
          "cuda store<Bits>: Bits are 8, 16, 32, 64 or 128, and on CC 10.0 and later 256 (bits of a lane, not "
          "bytes: a float is store<32>, a float4 store<128>)");
    }
  };

  /// A global atomic (atom) of 32 or 64 bits; of 16 bits since CC 7.0; of 128 bits, exchange and compare-and-swap,
  /// since CC 9.0. Not on CC 1.x: no source tells its transactions there. Naturally aligned. The cost is that of one
  /// instruction: where the compiler makes a loop of an operation, as of a 16-bit compare-and-swap (LLVM), count its
  /// rounds.
  template <unsigned Bits>
  struct atomic : coalescing::detail::exists_if<rules::atomic_width<row, Bits> && rules::has_atomics<row>,
                                                rules::l2_atomic<row, Bits>, atomic<Bits>> {
    static constexpr instruction_name called{identity, "atomic", {Bits}};
    COALESCE_API static constexpr void refuse() {
      static_assert(Bits == 16 || Bits == 32 || Bits == 64 || Bits == 128,
                    "cuda atomic<Bits>: modelled are 32 and 64 bits, 16 bits since CC 7.0, and 128 bits since CC 9.0");
      static_assert(Bits != 16 || rules::has_half_word_atomics<row>, "cuda atomic<16>: since CC 7.0");
      static_assert(Bits != 128 || rules::has_wide_atomics<row>, "cuda atomic<128>: since CC 9.0");
      static_assert(rules::has_atomics<row>,
                    "cuda atomic<Bits>: no source tells the transactions of atomics on CC 1.x");
    }
  };

  /// A global reduction (red): an atomic that returns nothing, of one number of a lane. L2 does it as it does atomics.
  template <unsigned Bits>
  struct red : coalescing::detail::exists_if<rules::reduction_width<row, Bits> && rules::has_atomics<row>,
                                             rules::l2_atomic<row, Bits>, red<Bits>> {
    static constexpr instruction_name called{identity, "red", {Bits}};
    COALESCE_API static constexpr void refuse() {
      static_assert(Bits == 16 || Bits == 32 || Bits == 64,
                    "cuda red<Bits>: modelled are 32 and 64 bits, and 16 bits since CC 7.0; no source tells the "
                    "transactions of vector reductions (.v2, .v4, .v8)");
      static_assert(Bits != 16 || rules::has_half_word_atomics<row>, "cuda red<16>: since CC 7.0");
      static_assert(rules::has_atomics<row>, "cuda red<Bits>: no source tells the transactions of atomics on CC 1.x");
    }
  };

  /// A load of Tensor Memory (tcgen05.ld): unknown.
  template <unsigned Bits>
  struct tcgen05_ld : coalescing::detail::exists_if<false, void, tcgen05_ld<Bits>> {
    COALESCE_API static constexpr void refuse() {
      static_assert(Bits == 0,
                    "cuda tcgen05_ld: Tensor Memory has lanes and columns, no byte addresses, and no source tells what "
                    "its loads cost");
    }
  };

  /// A load through the constant cache (__constant__ memory): one request for each different address.
  template <unsigned Bits>
  struct constant_load : coalescing::detail::exists_if<access_width<Bits, row::widest_shared_bits.value>,
                                                       rules::constant_access<row, Bits>, constant_load<Bits>> {
    static constexpr instruction_name called{identity, "constant_load", {Bits}};
    COALESCE_API static constexpr void refuse() {
      static_assert(constant_load::exists, "cuda constant_load<Bits>: Bits are 8, 16, 32, 64 or 128");
    }
  };

  /// A load from shared memory of Bits per lane.
  template <unsigned Bits, shared_mode Mode = shared_mode::by_default>
  struct shared_load
      : coalescing::detail::exists_if<access_width<Bits, row::widest_shared_bits.value> && rules::has_mode<row, Mode>,
                                      typename row::shared::template load<row, Bits, Mode>, shared_load<Bits, Mode>> {
    static constexpr instruction_name called{identity, "shared_load", {Bits, words_of(Mode)}};
    COALESCE_API static constexpr void refuse() {
      static_assert(access_width<Bits, row::widest_shared_bits.value>,
                    "cuda shared_load<Bits>: Bits are 8, 16, 32, 64 or 128 (bits of a lane, not bytes: a float is "
                    "shared_load<32>, a float4 shared_load<128>)");
      static_assert(rules::is_a_mode<Mode>,
                    "cuda shared_load<Bits, Mode>: Mode is shared_mode::by_default, four_byte_banks, eight_byte_banks, "
                    "pair_merge or no_merge");
      static_assert(!rules::chooses_banks<Mode> || rules::has_mode<row, Mode>,
                    "cuda shared_load: only CC 3.x has a choice of banks");
      static_assert(!rules::chooses_merging<Mode> || rules::has_mode<row, Mode>,
                    "cuda shared_load: pairs of lanes merge on CC 5.0 and later; of CC 1.x to 3.x no source says so");
    }
  };

  /// A store to shared memory of Bits per lane.
  template <unsigned Bits, shared_mode Mode = shared_mode::by_default>
  struct shared_store
      : coalescing::detail::exists_if<access_width<Bits, row::widest_shared_bits.value> && rules::has_mode<row, Mode> &&
                                          !rules::chooses_merging<Mode>,
                                      typename row::shared::template store<row, Bits, Mode>, shared_store<Bits, Mode>> {
    static constexpr instruction_name called{identity, "shared_store", {Bits, words_of(Mode)}};
    COALESCE_API static constexpr void refuse() {
      static_assert(access_width<Bits, row::widest_shared_bits.value>,
                    "cuda shared_store<Bits>: Bits are 8, 16, 32, 64 or 128 (bits of a lane, not bytes: a float is "
                    "shared_store<32>, a float4 shared_store<128>)");
      static_assert(
          rules::is_a_mode<Mode>,
          "cuda shared_store<Bits, Mode>: Mode is shared_mode::by_default, four_byte_banks or eight_byte_banks");
      static_assert(!rules::chooses_banks<Mode> || rules::has_mode<row, Mode>,
                    "cuda shared_store: only CC 3.x has a choice of banks");
      static_assert(!rules::chooses_merging<Mode>, "cuda shared_store: only loads are known to merge pairs of lanes");
    }
  };

  /// An atomic in shared memory of 32 or 64 bits. Not on CC 1.x: no source tells its rounds there.
  template <unsigned Bits>
  struct shared_atomic
      : coalescing::detail::exists_if<(Bits == 32 || Bits == 64) && rules::has_atomics<row>,
                                      rules::shared_atomic<row, shared_store<Bits>>, shared_atomic<Bits>> {
    static constexpr instruction_name called{identity, "shared_atomic", {Bits}};
    COALESCE_API static constexpr void refuse() {
      static_assert(Bits == 32 || Bits == 64, "cuda shared_atomic<Bits>: modelled are 32 and 64 bits");
      static_assert(rules::has_atomics<row>,
                    "cuda shared_atomic<Bits>: no source tells the rounds of atomics on CC 1.x");
    }
  };

  /// A load of 1, 2 or 4 small matrices from shared memory: ldmatrix, since CC 7.5. The pattern gives the address of
  /// the row of each lane that supplies one: row r of matrix m is lane 8m + r (of 16 rows, 16m + r), so `lanes` is 8 to
  /// 32; a row has 16 bytes and lies anywhere. source_of(lane, value) tells what a lane receives.
  template <unsigned Matrices, matrix Form = matrix::m8n8>
  struct ldmatrix : coalescing::detail::exists_if<rules::has_matrix_loads<row> && rules::matrix_form_of<Form>.loaded &&
                                                      rules::has_elements<row, Form> &&
                                                      rules::number_of_matrices<row, Matrices, Form>,
                                                  rules::matrix_load<row, Matrices, Form>, ldmatrix<Matrices, Form>> {
    static constexpr instruction_name called{identity, "ldmatrix", {Matrices, rules::matrix_form_of<Form>.name}};
    COALESCE_API static constexpr void refuse() {
      static_assert(rules::has_matrix_loads<row>, "cuda ldmatrix: since CC 7.5");
      static_assert(rules::matrix_form_of<Form>.loaded,
                    "cuda ldmatrix<Matrices, Form>: Form is matrix::m8n8, m8n8_trans, or another one whose row in "
                    "matrix_forms (cuda/matrix.hpp) says that it is loaded");
      static_assert(
          !rules::has_matrix_loads<row> || !rules::matrix_form_of<Form>.loaded || rules::has_elements<row, Form>,
          "cuda ldmatrix<Matrices, Form>: matrices of 8, 6 and 4 bits since CC 10.0 (its targets with an a or f)");
      static_assert(rules::number_of_matrices<row, Matrices, Form>,
                    "cuda ldmatrix<Matrices, Form>: 1, 2 or 4 matrices; of 16 x 16, 1 or 2");
    }
  };

  /// A store of 1, 2 or 4 small matrices to shared memory: stmatrix, since CC 9.0. Lanes and rows are as in ldmatrix;
  /// target_of(lane, value) tells where a value goes.
  template <unsigned Matrices, matrix Form = matrix::m8n8>
  struct stmatrix : coalescing::detail::exists_if<rules::has_matrix_stores<row> && rules::matrix_form_of<Form>.stored &&
                                                      rules::has_elements<row, Form> &&
                                                      rules::number_of_matrices<row, Matrices, Form>,
                                                  rules::matrix_store<row, Matrices, Form>, stmatrix<Matrices, Form>> {
    static constexpr instruction_name called{identity, "stmatrix", {Matrices, rules::matrix_form_of<Form>.name}};
    COALESCE_API static constexpr void refuse() {
      static_assert(rules::has_matrix_stores<row>, "cuda stmatrix: since CC 9.0");
      static_assert(rules::matrix_form_of<Form>.stored,
                    "cuda stmatrix<Matrices, Form>: Form is matrix::m8n8, m8n8_trans, or another one whose row in "
                    "matrix_forms (cuda/matrix.hpp) says that it is stored");
      static_assert(
          !rules::has_matrix_stores<row> || !rules::matrix_form_of<Form>.stored || rules::has_elements<row, Form>,
          "cuda stmatrix<Matrices, Form>: matrices of 8 bits since CC 10.0 (its targets with an a or f)");
      static_assert(rules::number_of_matrices<row, Matrices, Form>,
                    "cuda stmatrix<Matrices, Form>: 1, 2 or 4 matrices");
    }
  };

  /// An asynchronous copy of Bytes per lane from global to shared memory: cp.async, since CC 8.0. Each side
  /// has a cost of its own: ::global for the addresses that it reads, ::shared for those that it writes. It reads the
  /// first SourceBytes of the Bytes and fills the rest with zeros (src-size; 0 with ignore-src). Lanes whose source
  /// size is 0 are not active on the global side.
  template <unsigned Bytes, unsigned SourceBytes = Bytes>
  struct cp_async {
    static constexpr bool exists =
        rules::has_copies_to_shared<row> && (Bytes == 4 || Bytes == 8 || Bytes == 16) && SourceBytes <= Bytes;
    COALESCE_API static constexpr void refuse() {
      static_assert(rules::has_copies_to_shared<row>, "cuda cp_async: since CC 8.0");
      static_assert(Bytes == 4 || Bytes == 8 || Bytes == 16,
                    "cuda cp_async<Bytes>: 4, 8 or 16 bytes of a lane (bytes, as PTX has them, not bits)");
      static_assert(SourceBytes <= Bytes, "cuda cp_async<Bytes, SourceBytes>: no more is read than is written");
    }
    struct global
        : coalescing::detail::exists_if<exists, rules::copied_from_global<row, Bytes, SourceBytes>, cp_async> {
      static constexpr instruction_name called{identity, "cp_async", {Bytes, {SourceBytes, Bytes}}, "global"};
      /// The type that copies of all widths share. A copy that fills with zeros reads less than its width and has its
      /// own.
      using any_width = std::conditional_t<SourceBytes == Bytes, coalescing::detail::any_width<cp_async>, global>;
    };
    struct shared : coalescing::detail::exists_if<exists, rules::copied_to_shared<row, Bytes>, cp_async> {
      static constexpr instruction_name called{identity, "cp_async", {Bytes, {SourceBytes, Bytes}}, "shared"};
    };
  };

  /// The instructions that move Bits of each lane, for record.hpp; `uncounted` where no source tells the cost
  /// (atomics of CC 1.x, and of other widths than 32 and 64 bits).
  struct issues {
    static constexpr unsigned lanes = row::lanes.value;

    template <unsigned Bits>
    using global_load = load<Bits>;
    template <unsigned Bits>
    using global_store = store<Bits>;
    template <unsigned Bits>
    using global_atomic =
        std::conditional_t<Bits == 32 || Bits == 64, coalescing::detail::if_counted<true, atomic<Bits>>,
                           coalescing::detail::uncounted>;
    template <unsigned Bits>
    using banked_load = shared_load<Bits>;
    template <unsigned Bits>
    using banked_store = shared_store<Bits>;
    template <unsigned Bits>
    using banked_atomic = coalescing::detail::if_counted<true, shared_atomic<Bits>>;
    template <unsigned Matrices>
    using matrix_load = ldmatrix<Matrices>;
    template <unsigned Matrices>
    using matrix_store = stmatrix<Matrices>;
  };
};

/// The warp of the block that runs the thread with this linear index (co::thread_index of total/launch.hpp: x counts
/// fastest), and the thread's lane there. CUDA C++ Programming Guide, "SIMT Architecture": a warp has threads of
/// consecutive thread IDs.
[[nodiscard]] COALESCE_API constexpr std::uint64_t warp_of(std::uint64_t index) {
  return index / every_capability::lanes.value;
}
[[nodiscard]] COALESCE_API constexpr unsigned lane_of(std::uint64_t index) {
  return static_cast<unsigned>(index % every_capability::lanes.value);
}

}  // namespace coalescing::cuda

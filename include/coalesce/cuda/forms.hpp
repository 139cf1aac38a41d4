// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cuda/matrix.hpp>

// Which forms of an instruction (its width and mode) exist on a machine, and the error message for a form that does not
// exist. A form exists if the machine's row in cuda/rows.hpp has the facts from which the form's cost is counted.

namespace coalescing::cuda {

/// Whether an access can have a width of Bits bits: a power of two from 8 to 128, and in global memory from CC 10.0 on
/// also 256. Widest is the machine's limit in bits.
template <unsigned Bits, unsigned Widest>
inline constexpr bool access_width =
    (Bits == 8 || Bits == 16 || Bits == 32 || Bits == 64 || Bits == 128 || Bits == 256) && Bits <= Widest;

namespace rules {

// Each has_... says whether a machine's row in cuda/rows.hpp has a fact that not every row has.
template <class Row>
inline constexpr bool has_atomics = requires {
  Row::atomics;
};

template <class Row>
inline constexpr bool has_matrix_loads = requires {
  Row::matrix_load;
};
template <class Row>
inline constexpr bool has_half_word_atomics = requires {
  Row::atomics_of_16_bits;
};
template <class Row>
inline constexpr bool has_wide_atomics = requires {
  Row::atomics_of_128_bits;
};
template <class Row>
inline constexpr bool has_matrix_stores = requires {
  Row::matrix_store;
};
template <class Row>
inline constexpr bool has_copies_to_shared = requires {
  Row::copied_sectors;
};
/// Whether one instruction can move this number of matrices: 1, 2 or 4 matrices, which together have at most as many
/// rows as the warp has lanes.
template <class Row, unsigned Matrices, matrix Form>
inline constexpr bool number_of_matrices = (Matrices == 1 || Matrices == 2 || Matrices == 4) &&
                                           Matrices* rows_in_memory(matrix_form_of<Form>) <= Row::lanes.value;
/// Whether the machine can move elements that have as many bits as the form's elements. Every machine that moves
/// matrices can move elements of 16 bits.
template <class Row, matrix Form>
inline constexpr bool has_elements = !is_narrow(matrix_form_of<Form>) || requires {
  Row::narrow_matrix;
};

template <shared_mode Mode>
inline constexpr bool chooses_banks = Mode == shared_mode::four_byte_banks || Mode == shared_mode::eight_byte_banks;
template <shared_mode Mode>
inline constexpr bool chooses_merging = Mode == shared_mode::pair_merge || Mode == shared_mode::no_merge;
template <shared_mode Mode>
inline constexpr bool is_a_mode = Mode == shared_mode::by_default || chooses_banks<Mode> || chooses_merging<Mode>;
template <class Row, shared_mode Mode>
inline constexpr bool has_mode = Mode == shared_mode::by_default ||
                                 (chooses_banks<Mode> && requires { Row::wide_bank_bytes; }) ||
                                 (chooses_merging<Mode> && requires { Row::merged_parts; });
template <class Row, caching Caching>
inline constexpr bool has_choice = Caching == caching::by_default ||
                                   (Caching == caching::l2 && requires { Row::default_caching; }) ||
                                   (Caching == caching::l1 && requires { Row::line_bytes, Row::default_caching; });

// ---- For each instruction: whether a form of it exists, and the error message if it does not ----

/// Whether a global load of Bits bits per lane exists, with this caching.
template <class Row, unsigned Bits, caching Caching>
struct load_form {
  static constexpr bool has_width = access_width<Bits, Row::widest_bits.value>,
                        exists = has_width && has_choice<Row, Caching>;
  COALESCE_API static constexpr void refuse() {
    static_assert(has_width,
                  "cuda load<Bits>: Bits are 8, 16, 32, 64 or 128, and on CC 10.0 and later 256 (bits of a lane, not "
                  "bytes: a float is load<32>, a float4 load<128>)");
    static_assert(!has_width || Caching == caching::by_default || Caching == caching::l1 || Caching == caching::l2,
                  "cuda load<Bits, Caching>: Caching is caching::by_default, caching::l1 or caching::l2");
    static_assert(
        !has_width || exists || Caching != caching::l1,
        "cuda load<Bits, caching::l1>: no guide says that this device can cache global loads in 128-byte lines of L1 "
        "(CC 2.x, 3.5 and 3.7 can)");
    static_assert(!has_width || exists || Caching != caching::l2,
                  "cuda load<Bits, caching::l2>: only CC 2.x and 3.x tell loads through L1 from loads past it");
  }
};

/// Whether a global store of Bits bits per lane exists.
template <class Row, unsigned Bits>
struct store_form {
  static constexpr bool exists = access_width<Bits, Row::widest_bits.value>;
  COALESCE_API static constexpr void refuse() {
    static_assert(exists,
                  "cuda store<Bits>: Bits are 8, 16, 32, 64 or 128, and on CC 10.0 and later 256 (bits of a lane, not "
                  "bytes: a float is store<32>, a float4 store<128>)");
  }
};

/// Whether a global atomic of Bits bits per lane exists. If Reduction, whether a reduction exists: an atomic that
/// returns nothing and takes one number from each lane.
template <class Row, unsigned Bits, bool Reduction>
struct atomic_form {
  static constexpr bool is_wide = Bits == 128 && !Reduction,
                        has_width = Bits == 16 || Bits == 32 || Bits == 64 || is_wide,
                        exists = has_width && has_atomics<Row> &&
                                 (Bits != 16 || has_half_word_atomics<Row>)&&(!is_wide || has_wide_atomics<Row>);
  COALESCE_API static constexpr void refuse() {
    static_assert(Reduction || has_width,
                  "cuda atomic<Bits>: modelled are 32 and 64 bits, 16 bits since CC 7.0, and 128 bits since CC 9.0");
    static_assert(!Reduction || has_width,
                  "cuda red<Bits>: modelled are 32 and 64 bits, and 16 bits since CC 7.0; no source tells the "
                  "transactions of vector reductions (.v2, .v4, .v8)");
    static_assert(!has_atomics<Row> || Bits != 16 || has_half_word_atomics<Row>,
                  "cuda red<16>, cuda atomic<16>: since CC 7.0");
    static_assert(!has_atomics<Row> || !is_wide || has_wide_atomics<Row>, "cuda atomic<128>: since CC 9.0");
    static_assert(!has_width || has_atomics<Row>,
                  "cuda atomic, red<Bits>: no source tells the transactions of atomics on CC 1.x");
  }
};

/// A load from Tensor Memory exists in no width, because no source states its cost.
template <unsigned Bits>
struct tensor_memory_form {
  static constexpr bool exists = sizeof(tensor_memory_form*) == 0;  // never, but no compiler knows that without Bits
  COALESCE_API static constexpr void refuse() {
    static_assert(exists,
                  "cuda tcgen05_ld: Tensor Memory has lanes and columns, no byte addresses, and no source tells what "
                  "its loads cost");
  }
};

/// Whether a load of Bits bits per lane through the constant cache exists.
template <class Row, unsigned Bits>
struct constant_form {
  static constexpr bool exists = access_width<Bits, Row::widest_shared_bits.value>;
  COALESCE_API static constexpr void refuse() {
    static_assert(exists, "cuda constant_load<Bits>: Bits are 8, 16, 32, 64 or 128");
  }
};

/// Whether a load from shared memory (a store, if Store) of Bits bits per lane exists, in this mode.
template <class Row, unsigned Bits, shared_mode Mode, bool Store>
struct shared_form {
  static constexpr bool has_width = access_width<Bits, Row::widest_shared_bits.value>,
                        exists = has_width && has_mode<Row, Mode> && !(Store && chooses_merging<Mode>);
  COALESCE_API static constexpr void refuse() {
    static_assert(
        has_width,
        "cuda shared_load, shared_store<Bits>: Bits are 8, 16, 32, 64 or 128 (bits of a lane, not bytes: a float is "
        "shared_load<32>, a float4 shared_load<128>)");
    static_assert(!has_width || is_a_mode<Mode>,
                  "cuda shared_load, shared_store<Bits, Mode>: Mode is shared_mode::by_default, four_byte_banks or "
                  "eight_byte_banks, "
                  "of loads also pair_merge or no_merge");
    static_assert(!has_width || exists || !chooses_banks<Mode>,
                  "cuda shared_load, shared_store: only CC 3.x has a choice of banks");
    static_assert(!has_width || exists || !chooses_merging<Mode> || !Store,
                  "cuda shared_store: only loads are known to merge pairs of lanes");
    static_assert(!has_width || exists || !chooses_merging<Mode> || Store,
                  "cuda shared_load: pairs of lanes merge on CC 5.0 and later; of CC 1.x to 3.x no source says so");
  }
};

/// Whether an atomic of Bits bits per lane exists in shared memory.
template <class Row, unsigned Bits>
struct shared_atomic_form {
  static constexpr bool has_width = Bits == 32 || Bits == 64, exists = has_width && has_atomics<Row>;
  COALESCE_API static constexpr void refuse() {
    static_assert(has_width, "cuda shared_atomic<Bits>: modelled are 32 and 64 bits");
    static_assert(!has_width || has_atomics<Row>,
                  "cuda shared_atomic<Bits>: no source tells the rounds of atomics on CC 1.x");
  }
};

/// Whether an ldmatrix (an stmatrix, if Store) of so many matrices of this form exists.
template <class Row, unsigned Matrices, matrix Form, bool Store>
struct matrices_form {
  static constexpr matrix_form of = matrix_form_of<Form>;
  static constexpr bool machine_has_it = Store ? has_matrix_stores<Row> : has_matrix_loads<Row>,
                        has_form = Store ? of.stored : of.loaded,
                        exists = machine_has_it && has_form && has_elements<Row, Form> &&
                                 number_of_matrices<Row, Matrices, Form>;
  COALESCE_API static constexpr void refuse() {
    static_assert(Store || machine_has_it, "cuda ldmatrix: since CC 7.5");
    static_assert(!Store || machine_has_it, "cuda stmatrix: since CC 9.0");
    static_assert(!machine_has_it || Store || has_form,
                  "cuda ldmatrix<Matrices, Form>: Form is matrix::m8n8, m8n8_trans, or another one whose row in "
                  "matrix_forms (cuda/matrix.hpp) says that it is loaded");
    static_assert(!machine_has_it || !Store || has_form,
                  "cuda stmatrix<Matrices, Form>: Form is matrix::m8n8, m8n8_trans, or another one whose row in "
                  "matrix_forms (cuda/matrix.hpp) says that it is stored");
    static_assert(!machine_has_it || !has_form || has_elements<Row, Form>,
                  "cuda ldmatrix, stmatrix<Matrices, Form>: matrices of 8, 6 and 4 bits since CC 10.0 (its targets "
                  "with an a or f)");
    static_assert(!machine_has_it || !has_form || !has_elements<Row, Form> || exists,
                  "cuda ldmatrix, stmatrix<Matrices, Form>: 1, 2 or 4 matrices; of 16 x 16, 1 or 2");
  }
};

/// Whether a cp.async exists that writes Bytes bytes per lane and reads SourceBytes of them.
template <class Row, unsigned Bytes, unsigned SourceBytes>
struct copy_form {
  static constexpr bool has_width = Bytes == 4 || Bytes == 8 || Bytes == 16,
                        exists = has_copies_to_shared<Row> && has_width && SourceBytes <= Bytes;
  COALESCE_API static constexpr void refuse() {
    static_assert(has_copies_to_shared<Row>, "cuda cp_async: since CC 8.0");
    static_assert(!has_copies_to_shared<Row> || has_width,
                  "cuda cp_async<Bytes>: 4, 8 or 16 bytes of a lane (bytes, as PTX has them, not bits)");
    static_assert(!has_copies_to_shared<Row> || !has_width || exists,
                  "cuda cp_async<Bytes, SourceBytes>: no more is read than is written");
  }
};

}  // namespace rules
}  // namespace coalescing::cuda

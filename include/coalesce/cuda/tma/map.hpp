// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cuda/tma/box.hpp>
#include <coalesce/cuda/tma/rules.hpp>
#include <coalesce/cuda/tma/shared.hpp>

#include <cstddef>
#include <cstdint>

// Tensor maps: which rule a map breaks, what a box touches in global memory, and where the elements of the box lie in
// shared memory.

namespace coalescing::cuda {

/// The parameters of cuTensorMapEncodeTiled, in the order in which that function takes them (CUDA Driver API 13.0,
/// Tensor Map Object Management). Only the first `rank` entries of each array are used, and only the first rank - 1
/// entries of `stride`.
struct tensor_map {
  tensor_element element = tensor_element::u8;
  unsigned rank = 1;             ///< dimensions of the tensor: 1 to 5
  std::uint64_t address = 0;     ///< byte address of the tensor: a multiple of 16
  std::uint64_t extent[5] = {};  ///< elements of the tensor, the fastest dimension first
  std::uint64_t stride[4] = {};  ///< bytes from one row, plane, ... to the next
  std::uint32_t box[5] = {};     ///< elements that a box spans, by dimension
  /// Entry k is 1 to 8. If it is n, a box copies only every n-th element along dimension k. Entry 0 is used only if the
  /// map is interleaved.
  std::uint32_t element_stride[5] = {1, 1, 1, 1, 1};
  tensor_interleave interleave = tensor_interleave::none;
  tensor_swizzle swizzle = tensor_swizzle::none;
  tensor_promotion promotion = tensor_promotion::none;
  tensor_fill fill = tensor_fill::zeros;
  tensor_mode mode = tensor_mode::tile;  ///< the driver's function that makes the map; not one of its parameters

  /// The alignment in bytes that cuda.h and CuTe ask of `address` and of the strides.
  [[nodiscard]] COALESCE_API constexpr std::uint64_t alignment() const {
    return interleave == tensor_interleave::bytes_32 || is_padded() ? 32 : 16;
  }
  /// The alignment in bytes that the programming guide (13.1, 4.11.2, Table 25) asks of `address`: 128 if there is a
  /// swizzle. cuda.h and CuTe do not ask for 128, so fault() does not either.
  [[nodiscard]] COALESCE_API constexpr std::uint64_t alignment_in_the_guide() const {
    return swizzle != tensor_swizzle::none ? 128 : alignment();
  }

  /// The first rule that the map breaks, or `none` if the map is legal.
  [[nodiscard]] COALESCE_API constexpr tensor_fault fault() const {
    using enum tensor_fault;
    if (!is_enumerator(element) || !is_enumerator(interleave) || !is_enumerator(swizzle) || !is_enumerator(promotion) ||
        !is_enumerator(fill) || !is_enumerator(mode))
      return no_such_enumerator;
    if (mode == tensor_mode::im2col) return im2col_is_not_modelled;
    bool const interleaved = interleave != tensor_interleave::none;
    auto const row = row_of(element);
    auto const swizzled = row_of(swizzle);

    if (rank < 1 || rank > 5) return rank_is_not_1_to_5;
    if (interleaved && rank < 3) return interleaved_rank_is_not_3_to_5;
    if (address % 16 != 0) return address_is_not_a_multiple_of_16;
    if (address % alignment() != 0) return address_is_not_a_multiple_of_32;
    for (unsigned k = 0; k != rank; ++k)
      if (extent[k] == 0 || extent[k] > std::uint64_t{1} << 32) return extent_is_not_1_to_2_32;
    if (element == tensor_element::u4_align8 && extent[0] % 2 != 0) return extent_is_odd;
    if (is_padded() && extent[0] % 128 != 0) return extent_is_not_a_multiple_of_128;
    for (unsigned k = 0; k + 1 != rank; ++k) {
      if (stride[k] % 16 != 0) return stride_is_not_a_multiple_of_16;
      if (stride[k] % alignment() != 0) return stride_is_not_a_multiple_of_32;
      if (stride[k] >> 40 != 0) return stride_is_not_below_2_40;
    }
    for (unsigned k = 0; k != rank; ++k)
      if (box[k] == 0 || box[k] > 256) return box_is_not_1_to_256;
    if (is_padded() && box[0] != 128) return box_is_not_128_wide;
    if (!interleaved && box[0] * row.bits % (16 * 8) != 0) return box_row_is_not_a_multiple_of_16_bytes;
    for (unsigned k = interleaved ? 0 : 1; k != rank; ++k)
      if (element_stride[k] == 0 || element_stride[k] > 8) return element_stride_is_not_1_to_8;
    if (interleaved && element == tensor_element::u6_align16) return element_is_not_interleaved;
    if (interleave == tensor_interleave::bytes_32 && swizzle != tensor_swizzle::bytes_32)
      return interleave_of_32_needs_the_swizzle_of_32;
    if (!interleaved && swizzled.span != 0 && box[0] * row.bits > swizzled.span * 8)
      return box_row_is_wider_than_the_swizzle;
    if (is_padded() && swizzle != tensor_swizzle::none && swizzle != tensor_swizzle::bytes_128 &&
        swizzle != tensor_swizzle::bytes_128_atom_32 &&
        !(element == tensor_element::u6_align16 && swizzle == tensor_swizzle::bytes_128_atom_64))
      return element_has_no_such_swizzle;
    if (fill == tensor_fill::nan && !row.floating_point) return fill_of_nan_needs_floating_point;
    return none;
  }
  /// The first rule that a copy in this direction breaks. The rules of every map come first, then the rules of the
  /// direction.
  [[nodiscard]] COALESCE_API constexpr tensor_fault fault(tensor_copy direction) const {
    coalescing::detail::check_enumerator(direction);
    auto const first = fault();
    if (first != tensor_fault::none) return first;
    bool const stores = direction == tensor_copy::store;
    if (stores && element == tensor_element::u4_align16) return tensor_fault::element_is_loaded_only;
    if (!stores && element == tensor_element::u6_align16 && swizzle == tensor_swizzle::bytes_128_atom_64)
      return tensor_fault::swizzle_is_for_stores_only;
    if (stores && swizzle == tensor_swizzle::bytes_128_atom_32_flip_8) return tensor_fault::swizzle_is_for_loads_only;
    return tensor_fault::none;
  }
  /// The first rule that the map breaks on a machine, as in fault_on<cc90>(). The rules of every map come first, then
  /// what the machine must have. Two features exist only from CC 10.0 on, on targets with an a or f (sm_100a): swizzles
  /// with atoms, and elements of less than 8 bits. (sm_120a has neither in loads to shared::cluster.) The function does
  /// not know the target, so it accepts both features on every machine from CC 10.0 on.
  template <class Device>
  [[nodiscard]] COALESCE_API constexpr tensor_fault fault_on() const {
    auto const first = fault();
    if (first != tensor_fault::none) return first;
    if (!rules::has_tensor_copies<typename Device::row>) return tensor_fault::machine_has_no_tensor_copies;
    if (!rules::has_narrow_tensor_copies<typename Device::row>) {
      if (row_of(swizzle).has_atoms) return tensor_fault::machine_has_no_swizzle_atoms;
      if (row_of(element).bits < 8) return tensor_fault::machine_has_no_elements_below_a_byte;
    }
    return tensor_fault::none;
  }

  /// How many elements a box copies along a dimension. Dimension 0 is the fastest one. Refused: a dimension that the
  /// tensor does not have.
  [[nodiscard]] COALESCE_API constexpr std::uint64_t count(unsigned dimension) const {
    if (dimension >= rank || rank > 5) refused::tensor_has_another_rank();
    std::uint64_t const step = dimension == 0 ? 1 : element_stride[dimension];
    if (step == 0) refused::tensor_map_is_not_legal_see_its_fault();
    return (box[dimension] + step - 1) / step;
  }

  /// The cost in global memory of the box that starts at these coordinates. There is one coordinate for each dimension,
  /// the fastest first. A coordinate counts elements, has 32 bits, and may lie outside the tensor; in a load it may be
  /// negative. In bytes, the first coordinate must be a multiple of 16. For u4_align16 and u6_align16 it must be a
  /// multiple of 128 elements (PTX ISA 9.1, 9.7.9.27.1.1), in a store of 64, which is enough on sm_103a.
  /// Refused: maps that are not legal, interleaved maps, boxes whose rows interleave.
  template <std::size_t Rank>
  [[nodiscard]] COALESCE_API constexpr bulk_cost<> cost(std::int64_t const (&start)[Rank],
                                                        tensor_copy direction = tensor_copy::load) const {
    auto const rows = rows_at(start, direction);
    std::uint64_t inside = rows.inside, boxed = 1;
    for (unsigned k = 0; k != rank; ++k) boxed *= count(k);
    unsigned const bits = row_of(element).bits;
    return {.sectors = rows.row.template pieces<32>(),
            .lines = rows.row.template pieces<128>(),
            .bytes_read = inside * bits / 8,
            .bytes_signalled = direction == tensor_copy::load ? boxed * bits / 8 : 0};
  }
  /// The bytes of the distinct aligned pieces of Granularity bytes that a load of the box touches: what a cold cache
  /// would fetch in such pieces. Granularity is a power of two up to 1024.
  template <std::uint64_t Granularity, std::size_t Rank>
  [[nodiscard]] COALESCE_API constexpr std::uint64_t footprint(std::int64_t const (&start)[Rank]) const {
    return Granularity * rows_at(start, tensor_copy::load).row.template pieces<Granularity>();
  }
  static constexpr bulk_cost<citations> sources{
      .sectors = documents::ptx_9_1.implies(
          "5.5.3",
          "the rows of the box that lie inside the tensor, in pieces of 32 bytes: the pieces are not documented"),
      .lines = documents::ptx_9_1.implies(
          "5.5.3",
          "the rows of the box that lie inside the tensor, in pieces of 128 bytes: the pieces are not documented"),
      .bytes_read = documents::ptx_9_1.says("5.5.3.3", "what lies outside is filled, not read"),
      .bytes_signalled = documents::copies_13_1.says("4.11.2", "the full box counts, filled elements included",
                                                     "of elements below a byte: without gaps, as CUTLASS expects")};

  /// The layout of the box in shared memory after a load. `base` is a byte address, a multiple of 128. (The swizzle's
  /// pattern begins at `base` if `base` is a multiple of row_of(swizzle).repeats().) `pitch` is the number of bytes
  /// from one row to the next. It must be given if a row is narrower than the swizzle's span, because no source says
  /// how far apart such rows lie. Whether the box fits the shared memory of a machine is not checked. Refused:
  /// interleaved maps, and a box that runs past the last address.
  [[nodiscard]] COALESCE_API constexpr shared_box shared(std::uint64_t base = 0, std::uint64_t pitch = 0) const {
    if (fault(tensor_copy::load) != tensor_fault::none) refused::tensor_map_is_not_legal_see_its_fault();
    if (interleave != tensor_interleave::none) refused::interleaved_boxes_are_not_modelled();
    if (base % 128 != 0) refused::box_in_shared_memory_is_aligned_to_128_bytes(base);
    std::uint64_t const row = std::uint64_t{box[0]} * row_of(element).shared_bits / 8, span = row_of(swizzle).span;
    bool const known = span == 0 || span == row;
    if (pitch == 0 && !known) refused::box_is_narrower_than_its_swizzle_say_the_pitch();
    if (pitch != 0 && (pitch % 16 != 0 || pitch < row || (known && pitch != row)))
      refused::pitch_does_not_fit_the_box(pitch);
    shared_box made{.base = base, .element = element, .swizzle = swizzle, .rank = rank, .pitch = known ? row : pitch};
    std::uint64_t last[5] = {};
    for (unsigned k = 0; k != rank; ++k) made.count[k] = count(k), last[k] = made.count[k] - 1;
    if (made.unswizzled(last) > ~base) refused::box_runs_past_the_top_of_memory();
    return made;
  }
  /// Where the element at these coordinates of the box lies, in bytes from a base at which the swizzle's pattern
  /// begins.
  template <std::size_t Rank>
  [[nodiscard]] COALESCE_API constexpr std::uint64_t shared_offset(std::uint64_t const (&at)[Rank],
                                                                   std::uint64_t pitch = 0) const {
    if (Rank != rank) refused::tensor_has_another_rank();
    std::uint64_t place[5] = {};
    for (std::size_t k = 0; k != Rank && k != 5; ++k) place[k] = at[k];
    return swizzle_address(swizzle, shared(0, pitch).unswizzled(place));
  }

  bool operator==(tensor_map const&) const = default;

 private:
  struct touched {
    rules::repeated_row row;
    std::uint64_t inside = 1;  ///< elements of the box that lie inside the tensor
  };

  /// Whether the box has gaps in shared memory: one after every 16 elements.
  COALESCE_API constexpr bool is_padded() const {
    return element == tensor_element::u4_align16 || element == tensor_element::u6_align16;
  }

  /// The rows of the box that begins at `start`, without what lies outside the tensor.
  template <std::size_t Rank>
  COALESCE_API constexpr touched rows_at(std::int64_t const (&start)[Rank], tensor_copy direction) const {
    if (fault(direction) != tensor_fault::none) refused::tensor_map_is_not_legal_see_its_fault();
    if (interleave != tensor_interleave::none) refused::interleaved_boxes_are_not_modelled();
    if (Rank != rank) refused::tensor_has_another_rank();
    unsigned const bits = row_of(element).bits;
    std::uint64_t from[5] = {}, copied[5] = {};
    touched made;
    for (unsigned k = 0; k != rank; ++k) {
      std::int64_t const at = start[k];
      if (at < INT32_MIN || at > INT32_MAX) refused::box_starts_beyond_32_bits(at);
      if (at < 0 && direction == tensor_copy::store) refused::stored_box_starts_before_the_tensor(at);
      if (k == 0 && at * static_cast<std::int64_t>(bits) % (16 * 8) != 0)
        refused::box_starts_off_a_multiple_of_16_bytes(at);
      if (k == 0 && is_padded() && at % (direction == tensor_copy::load ? 128 : 64) != 0)
        refused::box_with_gaps_starts_off_a_multiple_of_128_elements(at);
      // Along this dimension, the box's elements number `skipped` to `end` - 1 lie inside the tensor.
      std::int64_t const step = k == 0 ? 1 : element_stride[k], extent_k = static_cast<std::int64_t>(extent[k]),
                         skipped = at < 0 ? (step - 1 - at) / step : 0,
                         fit = at < extent_k ? (extent_k - at + step - 1) / step : 0,
                         end = fit < static_cast<std::int64_t>(count(k)) ? fit : static_cast<std::int64_t>(count(k));
      copied[k] = end > skipped ? static_cast<std::uint64_t>(end - skipped) : 0;
      from[k] = static_cast<std::uint64_t>(at + skipped * step);
      made.inside *= copied[k];
    }
    if (made.inside == 0) return made;

    made.row.first = address + from[0] * bits / 8, made.row.length = copied[0] * bits / 8;
    std::uint64_t top = made.row.first;  // after the loop: where the last row of the box begins
    if (top < address) refused::box_runs_past_the_top_of_memory();
    for (unsigned k = 1; k != rank; ++k) {
      std::uint64_t const to = from[k] + (copied[k] - 1) * element_stride[k];
      if (stride[k - 1] != 0 && to > (~std::uint64_t{0} - top) / stride[k - 1])
        refused::box_runs_past_the_top_of_memory();
      top += to * stride[k - 1], made.row.first += from[k] * stride[k - 1];
    }
    if (top + (made.row.length - 1) < top) refused::box_runs_past_the_top_of_memory();

    // Takes the smallest stride first, because repeat() must be called with the strides in ascending order.
    bool taken[4] = {};
    for (unsigned n = 1; n != rank; ++n) {
      unsigned least = 4;
      for (unsigned k = 0; k + 1 != rank; ++k)
        if (!taken[k] && (least == 4 || by(k) < by(least))) least = k;
      taken[least] = true, made.row.repeat(copied[least + 1], by(least));
    }
    return made;
  }
  /// Bytes between neighbouring copied elements of dimension k + 1.
  COALESCE_API constexpr std::uint64_t by(unsigned k) const { return stride[k] * element_stride[k + 1]; }
};

}  // namespace coalescing::cuda

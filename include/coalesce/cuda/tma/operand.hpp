// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cuda/tma/map.hpp>

#include <cstdint>

// Operands of wgmma and tcgen05.mma in shared memory: where their elements lie, and the descriptors that point the
// tensor cores to them. No public rule or counter shows how many bank conflicts the tensor cores' own reads have, so
// there is no cost.

namespace coalescing::cuda {

/// The instructions that read operands by descriptor: wgmma on sm_90a, tcgen05.mma on sm_100a and later families.
enum class tensor_core { wgmma, tcgen05 };
COALESCE_API constexpr bool is_enumerator(tensor_core value) {
  return value == tensor_core::wgmma || value == tensor_core::tcgen05;
}
/// The dimension along which an operand is contiguous.
enum class major {
  k,  ///< along K
  mn  ///< along M for A, along N for B: PTX's transposed operand
};
COALESCE_API constexpr bool is_enumerator(major value) { return value == major::k || value == major::mn; }

/// The rules of an operand. fault() names the first rule, in this order, that the operand breaks.
enum class operand_fault {
  none,  ///< the operand is legal
  no_such_enumerator,
  bits_are_not_8_16_or_32,
  bits_are_read_k_major_only,
  swizzle_is_not_for_the_operand,
  offset_is_not_a_multiple_of_16,
  offset_is_not_below_2_18
};
COALESCE_API constexpr bool is_enumerator(operand_fault value) {
  return value == operand_fault::none || value == operand_fault::no_such_enumerator ||
         value == operand_fault::bits_are_not_8_16_or_32 || value == operand_fault::bits_are_read_k_major_only ||
         value == operand_fault::swizzle_is_not_for_the_operand ||
         value == operand_fault::offset_is_not_a_multiple_of_16 || value == operand_fault::offset_is_not_below_2_18;
}
/// The rule in words, and its source.
[[nodiscard]] COALESCE_API constexpr tensor_rule rule_of(operand_fault fault) {
  constexpr tensor_rule rules[] = {
      {"legal", our_reading.implies("", "keeps every rule below")},
      {"a value is not one of its enumeration's names", our_reading.implies("", "the enumerations")},
      {"elements have 8, 16 or 32 bits in shared memory (those of 4 and 6 bits with gaps: 8)",
       documents::cute.says("mma_traits_sm90_gmma.hpp, mma_traits_sm100.hpp", "canonical layouts of whole bytes")},
      {"wgmma reads only 16-bit elements MN-major",
       documents::ptx_9_1.says("9.7.15.5, wgmma.mma_async", "imm-trans-a, imm-trans-b: .f16 and .bf16 only")},
      {"swizzles are none, bytes_32, bytes_64 and bytes_128; of 32-bit MN-major elements, which only tcgen05 reads, "
       "bytes_128_atom_32 alone",
       documents::ptx_9_1.says("9.7.15.5.1.2, 9.7.16.3.3, Table 54", "layouts and swizzles of operands")},
      {".leading and .stride are multiples of 16 bytes",
       documents::ptx_9_1.says("9.7.15.5.1.2", "offsets are encoded without their four low bits")},
      {".leading and .stride are less than 2^18 bytes",
       documents::ptx_9_1.says("9.7.15.5.1.2", "offsets are encoded in 14 bits")},
  };
  coalescing::detail::check_enumerator(fault);
  return rules[static_cast<unsigned>(fault)];
}
/// The rule in words.
[[nodiscard]] COALESCE_API constexpr char const* sentence(operand_fault fault) { return rule_of(fault).text; }

/// A matrix in shared memory as a descriptor describes it. Called with (mn, k), an element's index along M or N and its
/// index along K, it returns the element's byte offset after the swizzle, from a base at which the swizzle's pattern
/// begins. Refused: an index that is negative, or 2^18 or more, because a descriptor cannot reach the element.
///
/// Before the swizzle, the operand consists of groups of 8 rows (4 rows where atoms have 32 bytes). A row is as long as
/// the swizzle's span: 32, 64 or 128 bytes, or 16 bytes without a swizzle. The rows of a group follow each other
/// without gaps. .leading and .stride are the distances in bytes between the parts that the table names ("8 of MN" are
/// 8 elements along M or N):
///
///     major  swizzle         .leading is from              .stride is from
///     k      none            16 bytes of K to the next     8 of MN to the next 8
///     k      32, 64, 128     unused                        8 of MN to the next 8
///     mn     none            8 of K to the next 8          16 bytes of MN to the next
///     mn     32, 64, 128     a span of MN to the next      8 of K to the next 8
///     mn     128, atom 32    a span of MN to the next      4 of K to the next 4
///
/// (PTX 9.1, 9.7.15.5.1.2 and 9.7.16.3.3; CuTe's mma_traits_sm90_gmma.hpp and mma_traits_sm100.hpp.)
struct shared_operand {
  unsigned bits = 16;  ///< bits of an element in shared memory: 8, 16 or 32
  cuda::major major = cuda::major::k;
  tensor_swizzle swizzle = tensor_swizzle::none;
  std::uint64_t leading = 0;  ///< LBO, the leading dimension byte offset
  std::uint64_t stride = 0;   ///< SBO, the stride dimension byte offset

  /// The first rule that the operand breaks if `unit` reads it, or `none` if the operand is legal.
  [[nodiscard]] COALESCE_API constexpr operand_fault fault(tensor_core unit) const {
    using enum operand_fault;
    if (!is_enumerator(unit) || !is_enumerator(major) || !is_enumerator(swizzle)) return no_such_enumerator;
    if (bits != 8 && bits != 16 && bits != 32) return bits_are_not_8_16_or_32;
    if (unit == tensor_core::wgmma && major == cuda::major::mn && bits != 16) return bits_are_read_k_major_only;
    bool const atoms = major == cuda::major::mn && bits == 32;
    if (atoms ? swizzle != tensor_swizzle::bytes_128_atom_32 : row_of(swizzle).has_atoms)
      return swizzle_is_not_for_the_operand;
    if (leading % 16 != 0 || stride % 16 != 0) return offset_is_not_a_multiple_of_16;
    if (leading >> 18 != 0 || stride >> 18 != 0) return offset_is_not_below_2_18;
    return none;
  }

  /// An element's byte offset from the base, after the swizzle.
  template <coalescing::detail::integer Mn, coalescing::detail::integer K>
  [[nodiscard]] COALESCE_API constexpr std::uint64_t operator()(Mn mn, K k) const {
    return swizzle_address(swizzle, unswizzled(static_cast<std::uint64_t>(mn), static_cast<std::uint64_t>(k)));
  }

  /// The 64 bits of wgmma's descriptor for the operand whose first byte is at `start` in shared memory, a multiple of
  /// 16 below 2^18. `pattern` is the byte at which the swizzle's pattern begins: a multiple of 128, at or below
  /// `start`. The descriptor's base offset is set if `pattern` is not a multiple of the pattern's length. Without the
  /// argument `pattern`, the pattern begins at the last multiple of its length at or below `start`. Then `start` must
  /// lie in the first 128 bytes of the pattern. (A kernel may still move `start` along K inside these 128 bytes.) PTX
  /// ISA 9.1, 9.7.15.5.1.2.
  [[nodiscard]] COALESCE_API constexpr std::uint64_t wgmma_descriptor(std::uint64_t start) const {
    return descriptor(tensor_core::wgmma, start, aligned_pattern(start));
  }
  [[nodiscard]] COALESCE_API constexpr std::uint64_t wgmma_descriptor(std::uint64_t start,
                                                                      std::uint64_t pattern) const {
    return descriptor(tensor_core::wgmma, start, pattern);
  }
  /// The 64 bits of tcgen05.mma's descriptor, with the same parameters as wgmma_descriptor. PTX ISA 9.1, 9.7.16.4.1.
  [[nodiscard]] COALESCE_API constexpr std::uint64_t tcgen05_descriptor(std::uint64_t start) const {
    return descriptor(tensor_core::tcgen05, start, aligned_pattern(start));
  }
  [[nodiscard]] COALESCE_API constexpr std::uint64_t tcgen05_descriptor(std::uint64_t start,
                                                                        std::uint64_t pattern) const {
    return descriptor(tensor_core::tcgen05, start, pattern);
  }

  /// Whether TMA puts every element of a box where this operand expects the element, if the operand begins at the base
  /// of the box. The first two dimensions of the box are K and MN if the operand is K-major, else MN and K. Any further
  /// dimension must have one element. The swizzle is the same in both layouts. Before the swizzle, each layout's
  /// address is a sum of one term for each coordinate. So the layouts are equal if they are equal for the elements with
  /// at most one coordinate other than 0. TMA swizzles the whole address. So the base of the box must be a multiple of
  /// the bytes after which the swizzle repeats.
  [[nodiscard]] COALESCE_API constexpr bool matches(shared_box const& box) const {
    if (box.rank < 1 || box.rank > 5 || box.size() == 0) refused::tensor_has_another_rank();
    for (unsigned k = 2; k < box.rank; ++k)
      if (box.count[k] != 1) refused::operand_is_compared_with_boxes_of_two_dimensions();
    if (box.swizzle != swizzle || row_of(box.element).bits != bits) return false;  // elements with gaps never match
    if (box.base % row_of(swizzle).repeats() != 0) return false;
    bool const by_k = major == cuda::major::k;
    for (std::uint64_t at = 0; at != box.count[0]; ++at)
      if (box.unswizzled({at}) != (by_k ? unswizzled(0, at) : unswizzled(at, 0))) return false;
    for (std::uint64_t at = 0; box.rank > 1 && at != box.count[1]; ++at)
      if (box.unswizzled({0, at}) != (by_k ? unswizzled(at, 0) : unswizzled(0, at))) return false;
    return true;
  }
  /// Whether this operand matches the boxes of a map. `pitch` is the number of bytes from one row of a box to the next,
  /// as in tensor_map::shared.
  [[nodiscard]] COALESCE_API constexpr bool matches(tensor_map const& map, std::uint64_t pitch = 0) const {
    return matches(map.shared(0, pitch));
  }

  bool operator==(shared_operand const&) const = default;

 private:
  /// A coordinate, split into whole steps and a remainder. `rest` is the number of elements of the remainder. `bytes`
  /// is the size of the whole steps.
  struct split {
    std::uint64_t rest, bytes;
  };
  /// Splits a coordinate into steps of `in` elements. One step takes `by` bytes. Example: if `in` is 8 and `by` is 256,
  /// coordinate 11 has rest = 3 and bytes = 256.
  COALESCE_API static constexpr split stepped(std::uint64_t at, std::uint64_t in, std::uint64_t by) {
    if (at >= in && by == 0) refused::operand_goes_on_say_leading_or_stride();
    return {at % in, at / in * by};
  }
  /// An element's byte offset from the base, before the swizzle.
  COALESCE_API constexpr std::uint64_t unswizzled(std::uint64_t mn, std::uint64_t k) const {
    if (fault(tensor_core::wgmma) != operand_fault::none && fault(tensor_core::tcgen05) != operand_fault::none)
      refused::operand_is_not_legal_see_its_fault();
    // A negative index is a large unsigned number here, so it is refused too.
    if (mn >> 18 != 0 || k >> 18 != 0) refused::operand_has_no_such_element(mn, k);
    bool const plain = swizzle == tensor_swizzle::none, by_k = major == cuda::major::k;
    std::uint64_t const bytes = bits / 8, span = plain ? 16 : row_of(swizzle).span, row = span / bytes;
    std::uint64_t const along = by_k ? k : mn, across = by_k ? mn : k;
    if (by_k && !plain && along >= row) refused::k_lies_beyond_the_swizzle_span(k);
    // An MN-major operand without a swizzle steps along its rows by .stride, and from one group of rows to the next by
    // .leading. All other operands do the reverse.
    bool const swapped = plain && !by_k;
    auto const in_row = stepped(along, row, swapped ? stride : leading);
    auto const of_rows =
        stepped(across, swizzle == tensor_swizzle::bytes_128_atom_32 ? 4 : 8, swapped ? leading : stride);
    return in_row.rest * bytes + in_row.bytes + of_rows.rest * span + of_rows.bytes;
  }

  COALESCE_API constexpr std::uint64_t aligned_pattern(std::uint64_t start) const {
    std::uint64_t const in_pattern = start % row_of(swizzle).repeats();
    if (swizzle != tensor_swizzle::none && in_pattern >= 128)
      refused::start_is_not_in_the_first_row_say_where_the_pattern_starts(start);
    return start - in_pattern;
  }
  COALESCE_API constexpr std::uint64_t descriptor(tensor_core unit, std::uint64_t start, std::uint64_t pattern) const {
    // The values of the descriptor's swizzle field, for no swizzle, spans of 32, 64 and 128 bytes, and (tcgen05 alone)
    // a span of 128 bytes with atoms of 32 bytes: PTX ISA 9.1, 9.7.15.5.1.2 and 9.7.16.4.1.
    constexpr std::uint64_t of_wgmma[] = {0, 3, 2, 1}, of_tcgen05[] = {0, 6, 4, 2, 1};
    if (fault(unit) != operand_fault::none) refused::operand_is_not_legal_see_its_fault();
    if (start % 16 != 0 || start >> 18 != 0) refused::descriptor_address_is_no_multiple_of_16_below_2_18(start);
    if (swizzle != tensor_swizzle::none && pattern % 128 != 0)
      refused::swizzle_pattern_begins_at_a_multiple_of_128(pattern);
    if (pattern > start) refused::swizzle_pattern_begins_beyond_the_start(pattern);
    bool const unused = major == cuda::major::k && swizzle != tensor_swizzle::none;
    bool const aligned = pattern % row_of(swizzle).repeats() == 0;
    std::uint64_t const fields =
        start >> 4 | (unused ? 1 : leading >> 4) << 16 | stride >> 4 << 32 | (aligned ? 0 : pattern >> 7 & 7) << 49;
    auto const which = static_cast<unsigned>(swizzle);
    return unit == tensor_core::wgmma ? fields | of_wgmma[which] << 62
                                      : fields | std::uint64_t{1} << 46 | of_tcgen05[which] << 61;
  }
};

}  // namespace coalescing::cuda

// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/config.hpp>
#include <coalesce/core/misuse.hpp>

#include <cstdint>
#include <cstdio>

// The refusals of a recording. If the kernel makes a mistake, the refusal names the array, the line and the lane.

namespace coalescing {

namespace detail {

/// Refuses an access of the kernel. The error gives the sentence, the name of the array and the line of the source.
[[noreturn]] COALESCE_API inline void refuse_access(char const* sentence, [[maybe_unused]] char const* array,
                                                    [[maybe_unused]] unsigned line, unsigned lane,
                                                    std::uint64_t address) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  detail::refuse(sentence, lane, address);
#else
  char words[256];
  std::snprintf(words, sizeof words, "array \"%s\", line %u: %s", array, line, sentence);
  detail::refuse(words, lane, address);
#endif
}

}  // namespace detail

// The compiler prints the arguments of these functions: the array, the line, the lane, and the byte of the array or
// another value that the sentence is about.
namespace refused {

[[noreturn]] COALESCE_API inline void access_lies_outside_its_array(char const* array, unsigned line, unsigned lane,
                                                                    std::uint64_t byte) {
  detail::refuse_access("the access lies outside the array (.elements, .contents or extents say how large it is)",
                        array, line, lane, byte);
}
[[noreturn]] COALESCE_API inline void access_is_less_aligned_than_its_type(char const* array, unsigned line,
                                                                           unsigned lane, std::uint64_t address) {
  detail::refuse_access("the address is no multiple of the alignment of the element's type", array, line, lane,
                        address);
}
[[noreturn]] COALESCE_API inline void integer_is_read_from_an_array_without_contents(char const* array, unsigned line,
                                                                                     unsigned lane,
                                                                                     std::uint64_t byte) {
  detail::refuse_access(
      "an integer is read, which may steer addresses: give .contents, or say .any_value = true, and it is 0", array,
      line, lane, byte);
}
[[noreturn]] COALESCE_API inline void class_that_may_hold_integers_is_read_from_an_array_without_contents(
    char const* array, unsigned line, unsigned lane, std::uint64_t byte) {
  detail::refuse_access(
      "a value is read that is not of floating-point numbers alone, as far as its type tells, so it may steer "
      "addresses: give .contents, or say .any_value = true, and it is T{}",
      array, line, lane, byte);
}
[[noreturn]] COALESCE_API inline void load_lies_past_the_contents(char const* array, unsigned line, unsigned lane,
                                                                  std::uint64_t byte) {
  detail::refuse_access("the load lies past the array's .contents, which are shorter than the array", array, line, lane,
                        byte);
}
[[noreturn]] COALESCE_API inline void contents_have_no_bytes(char const* array, unsigned line, unsigned lane,
                                                             std::uint64_t byte) {
  detail::refuse_access(
      "another type is read than that of .contents, and one of the two is not trivially copyable: its bytes mean "
      "nothing",
      array, line, lane, byte);
}
/// `at` is the address of the row. The error shows the index as a signed number, as the kernel computed it.
[[noreturn]] COALESCE_API inline void index_lies_outside_its_row(char const* array, unsigned line, unsigned lane,
                                                                 [[maybe_unused]] std::int64_t index,
                                                                 [[maybe_unused]] std::uint64_t extent,
                                                                 std::uint64_t at) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  detail::refuse_access("an index lies outside its extent", array, line, lane, at);
#else
  char words[128];
  std::snprintf(words, sizeof words,
                "the index %lld lies outside its extent of %llu (a pointer reaches further: (row + index)[0])",
                static_cast<long long>(index), static_cast<unsigned long long>(extent));
  detail::refuse_access(words, array, line, lane, at);
#endif
}
[[noreturn]] COALESCE_API inline void integer_depends_on_the_order_of_lanes(char const* array, unsigned line,
                                                                            unsigned lane, std::uint64_t byte) {
  detail::refuse_access(
      "an integer is read, which may steer addresses, and its value depends on the order of lanes: another thread "
      "writes it without t.sync() between, or threads wrote different values",
      array, line, lane, byte);
}
[[noreturn]] COALESCE_API inline void values_in_shared_memory_do_not_settle(char const* array, unsigned line,
                                                                            unsigned lane, std::uint64_t barriers) {
  detail::refuse_access(
      "the values in shared memory do not settle: the lane waits for a value that no thread has stored yet. Mark the "
      "loop, for (auto again = t.loop(); again(condition);)",
      array, line, lane, barriers);
}
[[noreturn]] COALESCE_API inline void lanes_take_their_turns_in_different_orders(char const* array, unsigned line,
                                                                                 unsigned lane, std::uint64_t turn) {
  detail::refuse_access(
      "lanes reach this access and others in different orders: mark the outer loop, for (auto again = t.loop(); "
      "again(k "
      "< end); ++k), or say t.converge() where the lanes are together again",
      array, line, lane, turn);
}
[[noreturn]] COALESCE_API inline void recording_has_too_many_sites(char const* array, unsigned line, unsigned lane,
                                                                   std::uint64_t most) {
  detail::refuse_access(
      "the kernel accesses memory at more places than the recording holds: record<Machine, MostSites>", array, line,
      lane, most);
}
[[noreturn]] COALESCE_API inline void instruction_has_other_lanes_than_the_warp(char const* array, unsigned line,
                                                                                unsigned lane, std::uint64_t lanes) {
  detail::refuse_access("issue: the instruction is of a machine with wider or narrower warps or waves", array, line,
                        lane, lanes);
}
[[noreturn]] COALESCE_API inline void rounds_of_an_access_are_unknown(char const* array, unsigned line, unsigned lane,
                                                                      std::uint64_t bytes) {
  detail::refuse_access("suggest: no source tells the rounds of this access to the tile", array, line, lane, bytes);
}
[[noreturn]] COALESCE_API inline void element_crosses_what_stays_together(char const* array, unsigned line,
                                                                          unsigned lane, std::uint64_t bytes) {
  detail::refuse_access(
      "suggest: a lane's bytes leave their row, or an aligned piece of a power of two of bytes, which a layout may "
      "take "
      "apart",
      array, line, lane, bytes);
}
[[noreturn]] COALESCE_API inline void second_place_of_a_lane_is_at_a_fixed_distance(char const* array, unsigned line,
                                                                                    unsigned lane,
                                                                                    std::uint64_t bytes) {
  detail::refuse_access(
      "suggest: the instruction accesses a second place at a fixed distance from the first, which a swizzle does not "
      "keep",
      array, line, lane, bytes);
}
[[noreturn]] COALESCE_API inline void tile_is_not_accessed(char const*) {
  detail::refuse("suggest: the block neither loads from the tile nor stores to it");
}
[[noreturn]] COALESCE_API inline void shared_array_has_no_elements(char const*) {
  detail::refuse("co::shared<T[]> says how large it is: .elements");
}
[[noreturn]] COALESCE_API inline void shared_arrays_lie_too_far_apart(std::uint64_t) {
  detail::refuse("shared arrays whose stores are remembered span more than 2^24 bytes, from the first to the last one");
}
[[noreturn]] COALESCE_API inline void array_says_another_number_of_elements(char const*, std::uint64_t, std::uint64_t) {
  detail::refuse("an array's .elements is not the number that its contents, or its type's extents, have");
}
[[noreturn]] COALESCE_API inline void contents_of_array_are_empty(char const*) {
  detail::refuse("the .contents of an array have no element: leave them out, or say .elements");
}
[[noreturn]] COALESCE_API inline void recording_has_no_such_array(char const*) {
  detail::refuse("the kernel is given no array of that name");
}
[[noreturn]] COALESCE_API inline void recording_has_no_access_at_that_line(unsigned) {
  detail::refuse("no access was recorded at that line of the source");
}
[[noreturn]] COALESCE_API inline void recording_has_no_such_site(std::uint64_t) {
  detail::refuse("the index is not less than the number of sites");
}
[[noreturn]] COALESCE_API inline void counter_is_unknown(char const*) {
  detail::refuse("no counter of that name is in co::all_counters()");
}
[[noreturn]] COALESCE_API inline void grid_has_no_such_block() { detail::refuse("the block lies outside the grid"); }
[[noreturn]] COALESCE_API inline void block_has_no_such_warp(unsigned) {
  detail::refuse("the block has fewer warps or waves");
}
[[noreturn]] COALESCE_API inline void array_is_no_tile_in_shared_memory(char const*) {
  detail::refuse("suggest: the array is no co::shared<T[rows][columns]>");
}

}  // namespace refused
}  // namespace coalescing

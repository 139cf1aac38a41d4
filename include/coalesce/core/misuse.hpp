// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/config.hpp>

#include <cstdint>
#include <cstdio>
// <cstdlib> comes before <new>, since clang's own <new> for HIP and CUDA calls ::malloc without declaring it.
#if !defined(__cpp_exceptions) || (defined(__clang__) && (defined(__HIP__) || defined(__CUDA__)))
#include <cstdlib>
#endif
#include <new>

// <new> provides std::exception, as the base of bad_alloc, and compiles in half the time of <exception>.
//
// Refusals: what happens if the arguments of a call are invalid, such as a misaligned address. In a constant expression
// the compiler stops at the call of a function in `refused`, whose name says what is wrong. At run time that call
// throws `misuse`; where exceptions are off, the call prints the same sentence and aborts. This header has the refusals
// of the core; each family adds its own.

namespace coalescing {

/// Thrown at run time if the arguments of a call are invalid, such as a misaligned address.
class misuse : public std::exception {
 public:
  static constexpr unsigned no_lane = ~0u;

  explicit misuse(char const* sentence, unsigned lane = no_lane, std::uint64_t address = 0) noexcept
      : lane_(lane), address_(address) {
    if (lane == no_lane)
      std::snprintf(text_, sizeof text_, "coalesce: %s", sentence);
    else
      std::snprintf(text_, sizeof text_, "coalesce: lane %u, address 0x%llx: %s", lane,
                    static_cast<unsigned long long>(address), sentence);
  }
  /// The sentence that says what is wrong. If one lane is to blame, it names this lane and its byte address.
  [[nodiscard]] char const* what() const noexcept override { return text_; }
  /// The lane to blame, or no_lane.
  [[nodiscard]] unsigned lane() const noexcept { return lane_; }
  /// The byte address of the lane to blame. 0 if no lane is to blame, or if the lane has no address (its pattern gave a
  /// narrow negative number).
  [[nodiscard]] std::uint64_t address() const noexcept { return address_; }

 private:
  unsigned lane_;
  std::uint64_t address_;
  char text_[256];
};

namespace detail {

[[noreturn]] COALESCE_API inline void refuse([[maybe_unused]] char const* sentence,
                                             [[maybe_unused]] unsigned lane = misuse::no_lane,
                                             [[maybe_unused]] std::uint64_t address = 0) {
#if defined(__CUDA_ARCH__) && defined(__NVCC__)
  __trap();  // only layouts and fragments get here: in a kernel, cost() must be a constant expression (access.hpp)
#elif defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  __builtin_trap();
#elif defined(__cpp_exceptions)
  throw misuse(sentence, lane, address);
#else
  std::fprintf(stderr, "%s\n", misuse(sentence, lane, address).what());
  std::abort();
#endif
}

/// Refuses with a sentence that consists of two texts and a number between them.
[[noreturn]] COALESCE_API inline void refuse_number(char const* before, [[maybe_unused]] std::uint64_t number,
                                                    [[maybe_unused]] char const* after, unsigned lane = misuse::no_lane,
                                                    std::uint64_t address = 0) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  detail::refuse(before, lane, address);
#else
  char words[256];
  std::snprintf(words, sizeof words, "%s%llu%s", before, static_cast<unsigned long long>(number), after);
  detail::refuse(words, lane, address);
#endif
}

}  // namespace detail

/// These functions are not constexpr, on purpose: a compiler prints their names when a static_assert makes a call with
/// invalid arguments.
namespace refused {

[[noreturn]] COALESCE_API inline void address_is_misaligned(unsigned lane, std::uint64_t address,
                                                            std::uint64_t alignment) {
  detail::refuse_number("the address is not a multiple of this instruction's alignment, ", alignment,
                        " bytes (a pattern gives bytes, not elements)", lane, address);
}
[[noreturn]] COALESCE_API inline void access_runs_past_the_top_of_memory(unsigned lane, std::uint64_t address) {
  detail::refuse("the access runs past the top of the 64-bit address space", lane, address);
}
[[noreturn]] COALESCE_API inline void access_runs_past_the_end_of_shared_memory(unsigned lane, std::uint64_t address,
                                                                                std::uint64_t capacity) {
  detail::refuse_number("the access runs past the end of this machine's shared memory or LDS, ", capacity,
                        " bytes, offsets of the instruction included", lane, address);
}
[[noreturn]] COALESCE_API inline void address_is_a_narrow_negative_number(unsigned lane) {
  detail::refuse("the address is a negative number narrower than int: its sign would fill the 64 bits", lane);
}
[[noreturn]] COALESCE_API inline void access_has_no_bytes() {
  detail::refuse("each lane must ask for at least one byte");
}
[[noreturn]] COALESCE_API inline void array_is_shorter_than_the_wave(std::uint64_t) {
  detail::refuse("the array of addresses has fewer elements than the instruction has lanes");
}
[[noreturn]] COALESCE_API inline void mask_names_lanes_beyond_the_wave(std::uint64_t) {
  detail::refuse("the mask names lanes that the instruction does not have (all_lanes means every lane it has)");
}
[[noreturn]] COALESCE_API inline void mask_is_a_negative_number() {
  detail::refuse("the mask is a negative number narrower than 64 bits: its sign would fill the lanes above");
}
[[noreturn]] COALESCE_API inline void mask_could_be_a_number_of_bytes(std::uint64_t) {
  detail::refuse(
      "footprint<Granularity, Instruction> knows the bytes of a lane, and takes a mask of lanes second; as a mask this "
      "number means one or two lanes: say so in 64 bits (1ull << lane) or by a predicate");
}
[[noreturn]] COALESCE_API inline void list_has_no_such_transaction(std::uint64_t) {
  detail::refuse("the index is not less than the number of transactions");
}
[[noreturn]] COALESCE_API inline void list_has_no_such_phase(std::uint64_t) {
  detail::refuse("the index is not less than the number of phases");
}
[[noreturn]] COALESCE_API inline void no_such_enumerator() {
  detail::refuse("the value is not one of its enumeration's names");
}
[[noreturn]] COALESCE_API inline void text_is_full() { detail::refuse("the text has no room for more"); }

}  // namespace refused

namespace detail {

/// Refuses a value that is not one of its enumeration's names. The function is_enumerator(value), beside the
/// enumeration, lists all these names. A test compares this list with the enumeration
/// (tests/machinery/enumerators.cmake).
template <class Enumeration>
COALESCE_API constexpr void check_enumerator(Enumeration value) {
  if (!is_enumerator(value)) refused::no_such_enumerator();
}

}  // namespace detail
}  // namespace coalescing

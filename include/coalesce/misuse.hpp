// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/detail/config.hpp>

#include <cstdint>
#include <cstdio>
#include <exception>
#ifndef __cpp_exceptions
#include <cstdlib>
#endif

// What happens to a question that has no answer. In a constant expression the compiler stops at a call of one of the
// functions in `refused`, whose name says what is wrong. At run time the same call throws `misuse`; where exceptions
// are off it prints the same text and aborts.

namespace coalescing {

/// A question that has no answer, asked at run time.
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
  /// The sentence, with the lane and its address where one lane is to blame.
  [[nodiscard]] char const* what() const noexcept override { return text_; }
  /// The lane to blame, or no_lane.
  [[nodiscard]] unsigned lane() const noexcept { return lane_; }
  /// That lane's byte address.
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
  __trap();  // never reached: device code asks in constant expressions only (access.hpp)
#elif defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  __builtin_trap();
#elif defined(__cpp_exceptions)
  throw misuse(sentence, lane, address);
#else
  std::fprintf(stderr, "%s\n", misuse(sentence, lane, address).what());
  std::abort();
#endif
}

}  // namespace detail

/// Not constexpr on purpose: these names are what a compiler prints when a static_assert asks something unanswerable.
namespace refused {

[[noreturn]] COALESCE_API inline void address_is_misaligned(unsigned lane, std::uint64_t address) {
  detail::refuse("the address is not a multiple of this instruction's alignment (Instruction::alignment bytes)", lane,
                 address);
}
[[noreturn]] COALESCE_API inline void access_runs_past_the_top_of_memory(unsigned lane, std::uint64_t address) {
  detail::refuse("the access runs past the top of the 64-bit address space", lane, address);
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
[[noreturn]] COALESCE_API inline void list_has_no_such_transaction(std::uint64_t) {
  detail::refuse("the index is not less than the number of transactions");
}

[[noreturn]] COALESCE_API inline void position_is_outside_the_work_group() {
  detail::refuse("the position is outside the work-group's width or height");
}

[[noreturn]] COALESCE_API inline void wave_has_no_such_quad_or_lane(unsigned) {
  detail::refuse("a wave has quads 0 to 15 and lanes 0 to 63");
}

[[noreturn]] COALESCE_API inline void agent_has_no_l2_cache() {
  detail::refuse("an agent has at least one L2 cache: environment::l2_caches is 0");
}
[[noreturn]] COALESCE_API inline void aux_has_bits_that_are_not_sc0_nt_or_sc1(unsigned) {
  detail::refuse("the aux operand has bits other than SC0 (1), NT (2) and SC1 (16)");
}
[[noreturn]] COALESCE_API inline void atomics_have_device_or_system_scope() {
  detail::refuse("there is no atomic of wave or group scope: it runs as one of device scope");
}
[[noreturn]] COALESCE_API inline void product_has_no_such_partition() {
  detail::refuse("the product cannot be partitioned so");
}
[[noreturn]] COALESCE_API inline void counter_is_out_of_range(unsigned) {
  detail::refuse("s_waitcnt: vmcnt is at most 63, expcnt at most 7, lgkmcnt at most 15 (the most means: do not wait)");
}
[[noreturn]] COALESCE_API inline void simm16_has_bits_that_are_no_counter(unsigned) {
  detail::refuse("s_waitcnt: bits 7, 12, 13 and those above 15 of simm16 are zero");
}
[[noreturn]] COALESCE_API inline void too_many_operations() {
  detail::refuse("more operations than the model holds, complete ones included (cdna::issued_operations::capacity)");
}
[[noreturn]] COALESCE_API inline void no_such_operation(unsigned) {
  detail::refuse("no operation of that number has been issued");
}
[[noreturn]] COALESCE_API inline void ordering_does_not_exist_for_the_operation() {
  detail::refuse(
      "that ordering does not exist for the operation: loads are not release, stores not acquire, neither acq_rel; "
      "only loads and stores are unordered; fences are not monotonic; a failure ordering is monotonic, acquire or "
      "seq_cst");
}
[[noreturn]] COALESCE_API inline void lds_cannot_be_used_under_tg_split() {
  detail::refuse("under tg_split the waves of a work-group share no LDS");
}
[[noreturn]] COALESCE_API inline void transpose_loads_need_every_lane() {
  detail::refuse("ds_read_tr needs all 64 lanes active (CDNA4 ISA 11.4)");
}
[[noreturn]] COALESCE_API inline void kernel_uses_more_than_there_is() {
  detail::refuse("the kernel asks for more registers, LDS or lanes than a wave or a work-group may have");
}
[[noreturn]] COALESCE_API inline void kernel_with_lds_needs_a_work_group_size() {
  detail::refuse("how many work-groups with LDS fit depends on kernel_resources::work_group_size, which is 0");
}
[[noreturn]] COALESCE_API inline void compute_unit_holds_1_to_32_work_groups(unsigned) {
  detail::refuse("a compute unit holds 1 to 32 work-groups: it has room for 32 waves");
}
[[noreturn]] COALESCE_API inline void no_such_enumerator() { detail::refuse("the value is none of its enumeration's"); }
[[noreturn]] COALESCE_API inline void text_is_full() { detail::refuse("the text has no room for more"); }

}  // namespace refused
}  // namespace coalescing

// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/detail/config.hpp>
#include <coalesce/misuse.hpp>

#include <concepts>
#include <cstdint>
#include <type_traits>

// What one memory instruction asks for: the lanes' byte addresses, the mask of active lanes, the bytes per lane.
//
// A pattern is only asked about active lanes. Addresses are 64 bits wide and their arithmetic is modulo 2^64; a pattern
// that computes in 32 bits wraps at 4 GiB before we see its address.

namespace coalescing {

/// The default mask: every lane that the instruction has.
inline constexpr std::uint64_t all_lanes = ~std::uint64_t{0};

namespace detail {

template <class T>
concept boolean = std::same_as<bool, std::remove_cvref_t<T>>;
template <class T>
concept integer = std::integral<std::remove_cvref_t<T>> && !boolean<T> && sizeof(T) <= sizeof(std::uint64_t);

template <class T>
concept callable_pattern = requires(T const& pattern, unsigned lane) {
  { pattern(lane) } -> integer;
};

template <class T>
concept has_size = std::is_bounded_array_v<T> || requires(T const& array) {
  { array.size() } -> std::convertible_to<std::uint64_t>;
};

template <class T>
concept array_pattern = !callable_pattern<T> && has_size<T> && requires(T const& array, unsigned lane) {
  { array[lane] } -> integer;
};

}  // namespace detail

/// A callable from a lane to a byte address (an integer; bool is none), or an array, span or vector of byte addresses.
template <class T>
concept pattern = detail::callable_pattern<T> || detail::array_pattern<T>;

/// Which lanes are active: a 64-bit mask, bit k being lane k, or a predicate lane -> bool.
template <class T>
concept lane_mask = detail::integer<T> || requires(T const& active, unsigned lane) {
  { active(lane) } -> detail::boolean;
};

/// A pattern applied to the lanes of a wave or warp.
template <unsigned Lanes>
struct access {
  std::uint64_t address[Lanes] = {};  ///< byte address by lane; 0 where the lane is not active
  std::uint64_t active = 0;           ///< bit k: lane k takes part
  unsigned bytes = 0;                 ///< bytes per lane
};

namespace detail {

template <unsigned Lanes>
inline constexpr std::uint64_t wave_mask = all_lanes >> (64 - Lanes);

#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
/// Declared and never defined: what the device linker names when a kernel asks at run time.
COALESCE_API void device_code_must_ask_coalesce_in_a_constant_expression();
#endif

/// The one place that calls a user's pattern or predicate, so that a host-only functor is welcome in a constant
/// expression inside a kernel. nvcc would compile a run-time call of such a functor to nothing, so apply() refuses that
/// by name.
#if defined(__CUDACC__) && defined(__NVCC__)
#pragma nv_exec_check_disable
#endif
template <class Function>
COALESCE_API constexpr auto at(Function const& function, unsigned lane) {
  return function(lane);
}
#if defined(__CUDACC__) && defined(__NVCC__)
#pragma nv_exec_check_disable
#endif
template <array_pattern Array>
COALESCE_API constexpr auto at(Array const& array, unsigned lane) {
  return array[lane];
}

template <unsigned Lanes, lane_mask Active>
COALESCE_API constexpr std::uint64_t mask_of(Active const& active) {
  if constexpr (std::integral<Active>) {
    if constexpr (std::signed_integral<Active> && sizeof(Active) < sizeof(std::uint64_t))
      if (active < -1) refused::mask_is_a_negative_number();
    auto const mask = static_cast<std::uint64_t>(active);
    if (mask == all_lanes) return wave_mask<Lanes>;
    if ((mask & ~wave_mask<Lanes>) != 0) refused::mask_names_lanes_beyond_the_wave(mask);
    return mask;
  } else {
    std::uint64_t mask = 0;
    for (unsigned lane = 0; lane != Lanes; ++lane)
      if (detail::at(active, lane)) mask |= std::uint64_t{1} << lane;
    return mask;
  }
}

/// One sentence where a pattern or a mask is neither, or cannot do for a wave of Lanes; false then, so that no more is
/// said.
template <class Pattern, class Active, unsigned Lanes>
consteval bool well_formed() {
  static_assert(
      pattern<Pattern>,
      "not a pattern: a pattern is a const-callable from unsigned to an integer, the byte address (not bool, not a "
      "pointer, not a floating-point number), or an array, span or vector of such addresses (a pointer has no length)");
  static_assert(
      lane_mask<Active>,
      "not a mask of lanes: active is a 64-bit mask (bit k = lane k) or a predicate: a const-callable from lane to "
      "exactly bool");
  constexpr bool long_enough = !std::is_bounded_array_v<Pattern> || std::extent_v<Pattern> >= Lanes;
  static_assert(long_enough, "the array of addresses has fewer elements than the instruction has lanes");
  return pattern<Pattern> && lane_mask<Active> && long_enough;
}

/// Refuses what no machine could answer. (clang prints the arguments of constexpr functions, and so lane and address.)
COALESCE_API constexpr void check_address(unsigned lane, std::uint64_t address, unsigned alignment,
                                          std::uint64_t last_start) {
  if (address > last_start) refused::access_runs_past_the_top_of_memory(lane, address);
  if (address % alignment != 0) refused::address_is_misaligned(lane, address);
}

/// Asks the pattern about every active lane.
#if defined(__CUDACC__) && defined(__NVCC__)
#pragma nv_exec_check_disable
#endif
template <unsigned Lanes, pattern Pattern, lane_mask Active>
COALESCE_API constexpr access<Lanes> apply(Pattern const& pattern, Active const& active, unsigned bytes,
                                           unsigned alignment) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  if (!__builtin_is_constant_evaluated()) device_code_must_ask_coalesce_in_a_constant_expression();
#endif
  if constexpr (array_pattern<Pattern> && !std::is_bounded_array_v<Pattern>)
    if (pattern.size() < Lanes) refused::array_is_shorter_than_the_wave(pattern.size());

  access<Lanes> asked{.active = detail::mask_of<Lanes>(active), .bytes = bytes};
  std::uint64_t const last_start = all_lanes - (bytes - 1);
  for (unsigned lane = 0; lane != Lanes; ++lane)
    if ((asked.active >> lane & 1) != 0) {
      asked.address[lane] = static_cast<std::uint64_t>(detail::at(pattern, lane));
      // One test for what every access passes; a call for each lane would cost constexpr steps.
      if (asked.address[lane] % alignment != 0 || asked.address[lane] > last_start)
        detail::check_address(lane, asked.address[lane], alignment, last_start);
    }
  return asked;
}

}  // namespace detail
}  // namespace coalescing

// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/misuse.hpp>
#include <coalesce/core/pattern.hpp>

#include <concepts>
#include <cstdint>
#include <type_traits>

// The request of one memory instruction: the lanes' byte addresses, the mask of active lanes, and the bytes per lane.

namespace coalescing {

/// The default mask. It stands for every lane that the instruction has.
inline constexpr std::uint64_t all_lanes = ~std::uint64_t{0};

/// The addresses that a pattern gives to the lanes of a wave or warp. An inactive lane gets the address of an active
/// one, so it adds no byte to those that the lanes touch. Without any active lane all addresses are 0.
template <unsigned Lanes>
struct access {
  std::uint64_t address[Lanes];  ///< byte address by lane
  std::uint64_t active = 0;      ///< bit k: lane k takes part
  std::uint64_t differ = 0;      ///< the address bits that are not equal in all lanes
  unsigned bytes = 0;            ///< bytes per lane
};

namespace detail {

template <unsigned Lanes>
inline constexpr std::uint64_t wave_mask = all_lanes >> (64 - Lanes);

/// The smallest power of two that is at least `bytes`. It is the natural alignment of an access of `bytes` bytes: 16
/// for 12 bytes.
COALESCE_API constexpr unsigned next_power_of_two(unsigned bytes) {
  unsigned power = 1;
  while (power < bytes) power *= 2;
  return power;
}

#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
/// Declared and never defined: the device linker prints this name when a kernel calls the library at run time.
COALESCE_API void device_code_must_ask_coalesce_in_a_constant_expression();
#endif

/// Whether a pattern and a mask are valid arguments of cost() and similar functions, for a wave of `Lanes` lanes.
/// (Callables are tested before arrays: for a lambda the compiler can skip the array test.)
template <class Pattern, class Active, unsigned Lanes>
concept well_formed = lane_mask<Active> && !gives_elements<Pattern> &&
                      (callable_pattern<Pattern> ||
                       (array_pattern<Pattern> && (!c_array<Pattern> || std::extent<Pattern>::value >= Lanes)));

template <class Function, class... Numbers>
concept takes_numbers = requires(Function const& function, Numbers... k) {
  function(k...);
};
/// The smallest number of unsigned arguments, from 1 to 5, with which a function can be called. 0 if it can be called
/// with none of these numbers of arguments.
template <class Function, class U = unsigned>
inline constexpr unsigned numbers_taken = takes_numbers<Function, U>               ? 1
                                          : takes_numbers<Function, U, U>          ? 2
                                          : takes_numbers<Function, U, U, U>       ? 3
                                          : takes_numbers<Function, U, U, U, U>    ? 4
                                          : takes_numbers<Function, U, U, U, U, U> ? 5
                                                                                   : 0;

/// Makes the compiler print one sentence about an argument that is not a pattern or not a mask, or about an array that
/// has fewer than `Lanes` elements. This function returns a default Answer, so that the compiler prints no further
/// errors.
template <class Answer, class Pattern, class Active, unsigned Lanes>
COALESCE_API constexpr Answer ill_formed() {
  static_assert(!gives_elements<Pattern>,
                "this layout gives elements, and a pattern gives byte addresses: say co::elements<T>(layout), of "
                "<coalesce/layout.hpp>");
  static_assert(pattern<Pattern> || numbers_taken<Pattern> <= 1,
                "this pattern takes more numbers than the lane, such as a warp and a step: say over which, as in "
                "co::total<Instruction>(pattern, co::domain{8, 4}) of <coalesce/total.hpp>; cost() asks about one "
                "instruction, whose pattern takes the lane alone");
  static_assert(
      pattern<Pattern> || gives_elements<Pattern> || (numbers_taken<Pattern> > 1),
      "not a pattern: a pattern is a const-callable from unsigned to an integer, the byte address (not bool, not a "
      "pointer, not a floating-point number), or an array, span or vector of such addresses (a pointer has no length)");
  static_assert(
      lane_mask<Active>,
      "not a mask of lanes: active is a 64-bit mask (bit k = lane k) or a predicate: a const-callable from lane to "
      "exactly bool");
  static_assert(!c_array<Pattern> || std::extent<Pattern>::value >= Lanes,
                "the array of addresses has fewer elements than the instruction has lanes");
  return {};
}

/// The limits on every lane's address.
struct address_limits {
  unsigned bytes;              ///< bytes per lane
  unsigned alignment;          ///< every address is a multiple of this many bytes, a power of two
  std::uint64_t capacity = 0;  ///< the size of the memory in bytes; 0: the memory is the whole address space
  std::uint64_t reach =
      0;  ///< bytes from the address to the farthest access, where the instruction adds offsets; else 0
  std::uint64_t nearest = 0;  ///< bytes from the address to the nearest access, 0 where the instruction adds no offsets
  COALESCE_API constexpr std::uint64_t last_start() const { return capacity - reach - bytes; }
  /// Whether all accesses of a lane that gives this address lie in the memory. A negative address passes too, if the
  /// offsets bring each of the accesses back into the memory.
  COALESCE_API constexpr bool hold(std::uint64_t address) const {
    return address <= last_start() || address + nearest < nearest;
  }
};

/// Sign-extends negative 32-bit addresses to 64 bits. The machine adds an instruction's offsets in 32 bits, so a
/// negative address is legal if the offsets bring each of its accesses back into the memory. A pattern may give such an
/// address, say -8, as 2^32 - 8 or as a 64-bit -8. Both become the 64-bit -8. Other addresses stay as they are.
template <unsigned Lanes>
COALESCE_API constexpr void extend_signs(access<Lanes>& asked, address_limits const& limits) {
  constexpr std::uint64_t wrap = std::uint64_t{1} << 32;
  asked.differ = 0;
  for (std::uint64_t& address : asked.address) {
    if (address < wrap && address + limits.nearest >= wrap) address -= wrap;
    asked.differ |= address ^ asked.address[0];
  }
}

/// Refuses an address that is misaligned, or whose accesses do not all lie in the memory. (The lane, the address and
/// the alignment are parameters, because clang's error shows the arguments of constexpr functions.)
COALESCE_API constexpr void check_address(unsigned lane, std::uint64_t address, unsigned alignment,
                                          address_limits const& limits) {
  if (!limits.hold(address)) {
    if (limits.capacity != 0) refused::access_runs_past_the_end_of_shared_memory(lane, address, limits.capacity);
    refused::access_runs_past_the_top_of_memory(lane, address);
  }
  if (address % alignment != 0) refused::address_is_misaligned(lane, address, alignment);
}

/// Completes the addresses of an access, and checks them. Inactive lanes before the first active lane get the address
/// of that active lane. All other lanes have their addresses already. `any` holds each bit that is set in at least one
/// address.
template <unsigned Lanes>
COALESCE_API inline constexpr void complete(access<Lanes>& asked, std::uint64_t any, address_limits const& limits) {
  unsigned first = 0;
  while ((asked.active >> first & 1) == 0 && first != Lanes - 1) ++first;
  for (unsigned lane = 0; lane != first; ++lane) asked.address[lane] = asked.address[first];

  // `any` has all bits of all addresses. So if `any` is aligned and within the limit, each address is aligned and
  // within the limit, and the lanes need no check one by one.
  if ((any & (limits.alignment - 1)) == 0 && any <= limits.last_start()) return;
  if (limits.nearest != 0) detail::extend_signs(asked, limits);
  for (unsigned lane = 0; lane != Lanes; ++lane)
    if ((asked.active >> lane & 1) != 0) detail::check_address(lane, asked.address[lane], limits.alignment, limits);
}

/// Whether an integer type is signed and narrower than int, such as short. A pattern that returns a negative number of
/// such a type has probably overflowed, so the library refuses that number.
template <class Integer>
inline constexpr bool is_narrow = std::is_signed<std::remove_cvref_t<Integer>>::value && sizeof(Integer) < sizeof(int);

/// Refuses negative numbers of a narrow type. (At this point an inactive lane has address 0, or the address of an
/// active lane before it. So the first lane that is refused is an active lane.)
template <unsigned Lanes>
COALESCE_API constexpr void check_signs(access<Lanes> const& asked) {
  for (unsigned lane = 0; lane != Lanes; ++lane)
    if (asked.address[lane] >> 63 != 0) refused::address_is_a_narrow_negative_number(lane);
}

// mask_of() and apply() call a user's predicate and pattern. Such a user's function may take the lane in a narrow type,
// such as unsigned char, so warnings of conversions are off here. In a kernel, nvcc lets a constant expression call a
// functor that is host-only. At run time a call of such a functor would compile to nothing. So at run time in a kernel,
// apply() calls a function without a definition, and the device linker prints the name of that function.
#ifdef __GNUC__
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#endif

#if defined(__CUDACC__) && defined(__NVCC__)
#pragma nv_exec_check_disable
#endif
template <unsigned Lanes, class Active>
COALESCE_API constexpr std::uint64_t mask_of(Active const& active) {
  if constexpr (integer<Active>) {
    if constexpr (std::signed_integral<Active> && sizeof(Active) < sizeof(std::uint64_t))
      if (active < -1) refused::mask_is_a_negative_number();
    auto const mask = static_cast<std::uint64_t>(active);
    if (mask == all_lanes) return wave_mask<Lanes>;
    if ((mask & ~wave_mask<Lanes>) != 0) refused::mask_names_lanes_beyond_the_wave(mask);
    return mask;
  } else {
    std::uint64_t mask = 0;
    for (unsigned lane = 0; lane != Lanes; ++lane)
      if (active(lane)) mask |= std::uint64_t{1} << lane;
    return mask;
  }
}

template <unsigned Lanes>
COALESCE_API constexpr std::uint64_t mask_of(every_lane) {
  return wave_mask<Lanes>;
}

/// Takes the addresses of the active lanes from the pattern, and checks them.
#if defined(__CUDACC__) && defined(__NVCC__)
#pragma nv_exec_check_disable
#endif
template <unsigned Lanes, class Pattern, class Active>
COALESCE_API inline constexpr access<Lanes> apply(Pattern const& pattern, Active const& active,
                                                  address_limits const& limits) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  if (!__builtin_is_constant_evaluated()) device_code_must_ask_coalesce_in_a_constant_expression();
#endif
  constexpr bool callable = callable_pattern<Pattern>;
  if constexpr (!callable)
    if constexpr (!c_array<Pattern>)
      if (auto const size = static_cast<std::uint64_t>(pattern.size()); size < Lanes)
        refused::array_is_shorter_than_the_wave(size);
  std::uint64_t const mask = detail::mask_of<Lanes>(active);
  access<Lanes> asked;
  asked.active = mask;
  asked.bytes = limits.bytes;

  // Compilers limit the number of statements in a constant expression. So for a full wave one statement takes the
  // addresses of four lanes, and the mask is not tested.
  std::uint64_t any = 0, all = all_lanes;
  if (Lanes % 4 == 0 && mask == wave_mask<Lanes>)
    for (unsigned lane = 0; lane != Lanes; lane += 4)
      if constexpr (callable)
        asked.address[lane] = static_cast<std::uint64_t>(pattern(lane)),
        asked.address[lane + 1] = static_cast<std::uint64_t>(pattern(lane + 1)),
        asked.address[lane + 2] = static_cast<std::uint64_t>(pattern(lane + 2)),
        asked.address[lane + 3] = static_cast<std::uint64_t>(pattern(lane + 3)),
        any |= asked.address[lane] | asked.address[lane + 1] | asked.address[lane + 2] | asked.address[lane + 3],
        all &= asked.address[lane] & asked.address[lane + 1] & asked.address[lane + 2] & asked.address[lane + 3];
      else
        asked.address[lane] = static_cast<std::uint64_t>(pattern[lane]),
        asked.address[lane + 1] = static_cast<std::uint64_t>(pattern[lane + 1]),
        asked.address[lane + 2] = static_cast<std::uint64_t>(pattern[lane + 2]),
        asked.address[lane + 3] = static_cast<std::uint64_t>(pattern[lane + 3]),
        any |= asked.address[lane] | asked.address[lane + 1] | asked.address[lane + 2] | asked.address[lane + 3],
        all &= asked.address[lane] & asked.address[lane + 1] & asked.address[lane + 2] & asked.address[lane + 3];
  else if constexpr (Lanes % 4 != 0 || !__is_base_of(every_lane, Active)) {
    std::uint64_t here = 0;
    for (unsigned lane = 0; lane != Lanes; ++lane)
      if ((mask >> lane & 1) == 0)
        asked.address[lane] = here;
      else if constexpr (callable)
        here = static_cast<std::uint64_t>(pattern(lane)), asked.address[lane] = here, any |= here, all &= here;
      else
        here = static_cast<std::uint64_t>(pattern[lane]), asked.address[lane] = here, any |= here, all &= here;
  }
  if constexpr (callable) {
    if constexpr (is_narrow<decltype(pattern(0u))>) detail::check_signs(asked);
  } else if constexpr (is_narrow<decltype(pattern[0u])>) {
    detail::check_signs(asked);
  }
  asked.differ = any & ~all;
  detail::complete(asked, any, limits);
  return asked;
}

#ifdef __GNUC__
#pragma GCC diagnostic pop
#endif

}  // namespace detail
}  // namespace coalescing

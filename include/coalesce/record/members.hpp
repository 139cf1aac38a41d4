// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/config.hpp>
#include <coalesce/record/elements.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

// Finds the offset of a class's member, so that a member of a recorded element is an element, too.

namespace coalescing::detail {

/// The offset of a member in bytes. Two objects of the class are filled with byte indices: byte k is the low 8 bits of
/// k in the first object, and the high 8 bits of k in the second. The member's first byte in both objects gives its
/// offset.
template <class Class, class Member>
constexpr std::uint64_t offset_of(Member Class::*which) {
  bytes_of_object<sizeof(Class)> low{}, high{};
  // CUDA before 12.9 can bit_cast to a class only if an earlier line uses the class, as this line does.
  static_assert(sizeof(bytes_of_object<sizeof(Member)>) == sizeof(Member));
  for (std::size_t k = 0; k != sizeof(Class); ++k)
    low.byte[k] = static_cast<unsigned char>(k), high.byte[k] = static_cast<unsigned char>(k >> 8);
  auto const first_byte = [which](bytes_of_object<sizeof(Class)> const& numbered) {
    Class const object = __builtin_bit_cast(Class, numbered);
    return __builtin_bit_cast(bytes_of_object<sizeof(Member)>, object.*which).byte[0];
  };
  return first_byte(low) + 256u * first_byte(high);
}
template <class Recorder, memory_space Space, class T, class Class, class Member>
COALESCE_API constexpr auto member_of(recorded_element<Recorder, Space, T> const& e, Member Class::*which) {
  using member = std::conditional_t<std::is_const<T>::value, Member const, Member>;
  return recorded_element<Recorder, Space, member>{e.to, e.array, nullptr, e.address + detail::offset_of(which), e.at};
}

}  // namespace coalescing::detail

// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/config.hpp>
#include <coalesce/record/elements.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

// Finds the offset of a class's member, so that a member of a recorded element is an element, too.

namespace coalescing::detail {

/// The offset of a member in bytes. For each bit of an offset, an object of the class is filled with that bit of each
/// byte's index. The member's first byte then has that bit of the member's offset. So every byte is 0 or 1, which are
/// values of every type, of bool, too.
template <class Class, class Member>
constexpr std::uint64_t offset_of(Member Class::*which) {
  std::uint64_t offset = 0;
  for (unsigned bit = 0; (sizeof(Class) - 1) >> bit != 0; ++bit) {
    bytes_of_object<sizeof(Class)> bits{};
    for (std::size_t k = 0; k != sizeof(Class); ++k) bits.byte[k] = k >> bit & 1;
    Class const object = __builtin_bit_cast(Class, bits);
    auto const of_member = detail::as_bytes(object.*which);
    offset |= std::uint64_t{of_member.byte[0]} << bit;
  }
  return offset;
}
template <class Recorder, memory_space Space, class T, class Class, class Member>
COALESCE_API constexpr auto member_of(recorded_element<Recorder, Space, T> const& e, Member Class::*which) {
  using member = std::conditional_t<std::is_const<T>::value, Member const, Member>;
  // Class may be a base of the element's class. Its member is one of that class, too, at another offset.
  std::uint64_t const offset = detail::offset_of<std::remove_cv_t<T>, Member>(which);
  return recorded_element<Recorder, Space, member>{e.to, e.array, nullptr, e.address + offset, e.at};
}

}  // namespace coalescing::detail

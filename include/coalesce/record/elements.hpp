// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/access.hpp>
#include <coalesce/core/config.hpp>
#include <coalesce/record/arrays.hpp>
#include <coalesce/record/recording.hpp>
#include <coalesce/record/refusals.hpp>

#include <cstddef>
#include <cstdint>
#include <source_location>
#include <type_traits>

// An element p[i] of a recorded kernel. Its conversion to a value is a load, an assignment to it a store.

namespace coalescing::detail {

/// Where a function is called that has here() as a default argument. (GCC and nvcc give columns only to
/// std::source_location.)
#if defined(__clang__) && !defined(__CUDACC__)
COALESCE_API constexpr source_place here(char const* file = __builtin_FILE(), unsigned line = __builtin_LINE(),
                                         unsigned column = __builtin_COLUMN()) {
  return {file, line, column};
}
#else
COALESCE_API constexpr source_place here(char const* file = __builtin_FILE(), unsigned line = __builtin_LINE(),
                                         unsigned column = std::source_location::current().column()) {
  return {file, line, column};
}
#endif

/// An index, and where it stands in the source. (An operator has no default arguments. A conversion has.)
struct placed_index {
  std::uint64_t value;
  source_place at;

  template <class Index>
  requires(std::is_convertible_v<Index, std::int64_t>) COALESCE_API
      constexpr placed_index(Index i, char const* file = __builtin_FILE(), unsigned line = __builtin_LINE(),
#if defined(__clang__) && !defined(__CUDACC__)
                             unsigned column = __builtin_COLUMN()
#else
                             unsigned column = std::source_location::current().column()
#endif
                                 )
      : value(static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<Index&&>(i)))), at{file, line, column} {
  }
};

template <class Recorder, memory_space Space, class T>
struct recorded_pointer;
template <class Recorder, memory_space Space, class T>
struct recorded_element;

template <class T>
inline constexpr bool is_recorded_element = false;
template <class Recorder, memory_space Space, class T>
inline constexpr bool is_recorded_element<recorded_element<Recorder, Space, T>> = true;

/// The value of an element, or the value itself.
template <class V>
COALESCE_API constexpr auto value_of(V&& v) {
  if constexpr (is_recorded_element<std::remove_cvref_t<V>>)
    return static_cast<typename std::remove_cvref_t<V>::value>(static_cast<std::remove_cvref_t<V>>(v));
  else
    return v;
}

/// The type of p[i].
template <class Recorder, memory_space Space, class T>
struct recorded_element {
  using value = std::remove_cv_t<T>;

  Recorder* to;
  array_facts const* array;
  value const* values;
  std::uint64_t address;
  source_place at;

  COALESCE_API constexpr recorded_element(Recorder* recorder, array_facts const* facts, value const* contents,
                                          std::uint64_t where, source_place const& place)
      : to(recorder), array(facts), values(contents), address(where), at(place) {}
  recorded_element(recorded_element const&) = default;

  /// The load.
  COALESCE_API constexpr operator value() && {
    to->template access_to<Space, touch::load, T>(at, *array, address);
    return contents();
  }
  /// The value of a load.
  COALESCE_API constexpr value contents() const {
    if (values != nullptr) return values[(address - array->base) / sizeof(T)];
    if constexpr (!std::is_floating_point<value>::value)
      if (!array->any_value && (is_integer<value> || array->holds_integers))
        refused::integer_is_read_from_an_array_without_contents(array->name, at.line, to->lane, address - array->base);
    return value{};
  }
  COALESCE_API constexpr operator value() const& {
    static_assert(sizeof(Recorder) == 0,
                  "auto x = p[i] holds no value in a recorded kernel: say float x = p[i], or auto x = co::value(p[i])");
    return {};
  }

  /// The store.
  COALESCE_API constexpr value operator=(value const& v) const {
    static_assert(!std::is_const<T>::value, "the kernel writes to an array of const elements");
    to->template access_to<Space, touch::store, T>(at, *array, address);
    return v;
  }
  COALESCE_API constexpr value operator=(recorded_element&& v) const {
    return *this = static_cast<value>(static_cast<recorded_element&&>(v));
  }
  template <memory_space OtherSpace, class U>
  COALESCE_API constexpr value operator=(recorded_element<Recorder, OtherSpace, U>&& v) const {
    return *this = static_cast<value>(
               static_cast<std::remove_cv_t<U>>(static_cast<recorded_element<Recorder, OtherSpace, U>&&>(v)));
  }
  COALESCE_API constexpr value operator=(recorded_element const& v) const {
    return *this = static_cast<value>(v);  // refused by the conversion
  }

  // Compound assignments: a load and a store. The right operand is read first.
  template <class V>
  COALESCE_API constexpr value operator+=(V&& v) const {
    return change(static_cast<V&&>(v), [](auto const& x, auto const& y) { return x + y; });
  }
  template <class V>
  COALESCE_API constexpr value operator-=(V&& v) const {
    return change(static_cast<V&&>(v), [](auto const& x, auto const& y) { return x - y; });
  }
  template <class V>
  COALESCE_API constexpr value operator*=(V&& v) const {
    return change(static_cast<V&&>(v), [](auto const& x, auto const& y) { return x * y; });
  }
  template <class V>
  COALESCE_API constexpr value operator/=(V&& v) const {
    return change(static_cast<V&&>(v), [](auto const& x, auto const& y) { return x / y; });
  }
  template <class V>
  COALESCE_API constexpr value operator%=(V&& v) const {
    return change(static_cast<V&&>(v), [](auto const& x, auto const& y) { return x % y; });
  }
  template <class V>
  COALESCE_API constexpr value operator|=(V&& v) const {
    return change(static_cast<V&&>(v), [](auto const& x, auto const& y) { return x | y; });
  }
  template <class V>
  COALESCE_API constexpr value operator&=(V&& v) const {
    return change(static_cast<V&&>(v), [](auto const& x, auto const& y) { return x & y; });
  }
  template <class V>
  COALESCE_API constexpr value operator^=(V&& v) const {
    return change(static_cast<V&&>(v), [](auto const& x, auto const& y) { return x ^ y; });
  }
  template <class V>
  COALESCE_API constexpr value operator<<=(V&& v) const {
    return change(static_cast<V&&>(v), [](auto const& x, auto const& y) { return x << y; });
  }
  template <class V>
  COALESCE_API constexpr value operator>>=(V&& v) const {
    return change(static_cast<V&&>(v), [](auto const& x, auto const& y) { return x >> y; });
  }
  COALESCE_API constexpr value operator++() const { return *this += value(1); }
  COALESCE_API constexpr value operator--() const { return *this -= value(1); }
  COALESCE_API constexpr value operator++(int) const { return static_cast<value>(++*this - value(1)); }
  COALESCE_API constexpr value operator--(int) const { return static_cast<value>(--*this + value(1)); }

  COALESCE_API constexpr recorded_pointer<Recorder, Space, T> operator&() const {
    return {to, array, values, address, at};
  }

 private:
  template <class V, class Operation>
  COALESCE_API constexpr value change(V&& v, Operation const& operation) const {
    auto const right = detail::value_of(static_cast<V&&>(v));
    value const left = static_cast<value>(recorded_element(*this));
    if constexpr (std::is_arithmetic<value>::value && std::is_arithmetic<std::remove_cvref_t<V>>::value) {
      using common = decltype(true ? left : right);  // x += 1 of an unsigned x warns of no conversion
      return *this = static_cast<value>(operation(static_cast<common>(left), static_cast<common>(right)));
    } else {
      return *this = static_cast<value>(operation(left, right));
    }
  }
};

// ---- Members ----

template <std::size_t Bytes>
struct bytes_of_object {
  unsigned char byte[Bytes];
};
/// The offset of a member, in bytes: where it is in an object whose bytes are numbered.
template <class Class, class Member>
constexpr std::uint64_t offset_of(Member Class::*which) {
  bytes_of_object<sizeof(Class)> low{}, high{};
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

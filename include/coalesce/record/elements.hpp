// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/access.hpp>
#include <coalesce/core/config.hpp>
#include <coalesce/record/arrays.hpp>
#include <coalesce/record/intervals.hpp>
#include <coalesce/record/operators.hpp>
#include <coalesce/record/places.hpp>
#include <coalesce/record/recording.hpp>
#include <coalesce/record/refusals.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

// An element p[i] of a recorded kernel. Converting it to a value is a load. Assigning to it is a store.

namespace coalescing::detail {

template <class Recorder, memory_space Space, class T>
struct recorded_pointer;

/// The value that a load gives in a pass if the true value is not known, or if a recording refuses such a load. (A pass
/// is a run of the block that only finds values, intervals.hpp.) For an integer it is 1 and not 0, since kernels divide
/// by integers; but 0 if the array has .any_value.
template <class T>
COALESCE_API constexpr T made_up(array_facts const& array) {
  if constexpr (std::is_integral<T>::value)
    if (!array.any_value) return T{1};
  return T{};
}
/// Whether a load of an unknown value is refused. In a pass (a run of the block that only finds values, intervals.hpp)
/// it is refused only if the lane seems to wait forever for the value.
template <class Recorder>
COALESCE_API constexpr bool refuses_to_guess(Recorder& to) {
  if constexpr (is_passing<Recorder>)
    return to.memory->is_lost();
  else
    return true;
}

/// The type of p[i] in a recorded kernel.
template <class Recorder, memory_space Space, class T>
struct recorded_element : operators_of_element<recorded_element<Recorder, Space, T>, std::remove_cv_t<T>> {
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

  /// The load of the element.
  COALESCE_API constexpr operator value() && {
    to->template access_to<Space, touch::load, T>(at, *array, address);
    if constexpr (is_passing<Recorder>)
      if (!detail::lies_inside(*array, address, sizeof(T))) {
        refuse_to_wait();
        return detail::made_up<value>(*array);
      }
    if constexpr (is_rememberable<Space, value>)
      if (array->memory != nullptr) return remembered();
    return contents();
  }
  /// What a load gives from memory that the kernel has not written.
  COALESCE_API constexpr value contents() const {
    if (array->contents != nullptr) {
      std::uint64_t const byte = address - array->base;
      // A global array is exactly as large as its contents, so a load inside the array needs no check.
      if constexpr (Space == memory_space::shared || is_passing<Recorder>)
        if (!is_in_contents()) {
          if constexpr (is_passing<Recorder>) return detail::made_up<value>(*array);
          refused::load_lies_past_the_contents(array->name, at.line, to->lane, byte);
        }
      return values != nullptr ? values[byte / sizeof(T)] : value_of_bytes();
    }
    if (may_steer() && detail::refuses_to_guess(*to)) refuse_to_guess();
    if constexpr (is_passing<Recorder>) return detail::made_up<value>(*array);
    return value{};
  }
  COALESCE_API constexpr bool is_in_contents() const {
    std::uint64_t const byte = address - array->base;
    return byte < array->contents_bytes && array->contents_bytes - byte >= sizeof(T);
  }
  /// What a load gives if its type is not that of the contents: the bytes of the contents, taken as a value of the
  /// load's type.
  COALESCE_API constexpr value value_of_bytes() const {
    if constexpr (std::is_trivially_copyable<value>::value) {
      bytes_of_object<sizeof(T)> seen{};
      if (array->contents->read(address - array->base, seen.byte, sizeof(T))) return __builtin_bit_cast(value, seen);
    }
    // A pass (a run that only finds the values in shared memory) does not refuse the load: the thread may still have
    // wrong values, and make a load that it does not make with the right ones.
    if constexpr (is_passing<Recorder>)
      return detail::made_up<value>(*array);
    else
      refused::contents_have_no_bytes(array->name, at.line, to->lane, address - array->base);
  }
  COALESCE_API constexpr void refuse_to_guess() const {
    if constexpr (is_integer<value>)
      refused::integer_is_read_from_an_array_without_contents(array->name, at.line, to->lane, address - array->base);
    else
      refused::class_that_may_hold_integers_is_read_from_an_array_without_contents(array->name, at.line, to->lane,
                                                                                   address - array->base);
  }
  /// Refuses a lane that seems to wait forever. (Called in a pass: a run of the block that only finds values.)
  COALESCE_API constexpr void refuse_to_wait() const {
    if (to->memory->is_lost())
      refused::values_in_shared_memory_do_not_settle(array->name, at.line, to->lane, to->memory->interval);
  }
  /// What a load gives from shared memory, which the kernel may have written.
  COALESCE_API constexpr value remembered() const {
    interval_memory& memory = *array->memory;
    if constexpr (is_passing<Recorder>) {
      refuse_to_wait();
      if (memory.looks) {
        value const none{};
        if (!detail::may_steer_addresses<value>() && detail::is_zero(none)) return none;
        memory.looks = false;
      }
    }
    bytes_of_object<sizeof(T)> seen{};
    auto const answer = memory.load(address, seen.byte, sizeof(T));
    if constexpr (!tolerates_races<Recorder>)
      if (!answer.is_known && may_steer())
        refused::integer_depends_on_the_order_of_lanes(array->name, at.line, to->lane, address - array->base);
    if (!answer.is_written && !is_written_but_for_padding()) {
      seen = detail::as_bytes(not_stored_yet(answer.is_known));
      memory.load(address, seen.byte, sizeof(T));
    }
    return __builtin_bit_cast(value, seen);
  }
  /// What a load gives from bytes that no thread has stored. (In a pass, a run of the block that only finds values,
  /// threads run one after the other, so a later thread may still store them.)
  COALESCE_API constexpr value not_stored_yet(bool is_known) const {
    if constexpr (is_passing<Recorder>)
      if (!is_in_contents()) return detail::made_up<value>(*array);
    return may_steer() && !is_known ? value{} : contents();
  }
  COALESCE_API constexpr bool is_written_but_for_padding() const {
    if constexpr (std::is_class<value>::value) {
      bytes_of_object<sizeof(T)> zeros{}, ones = detail::bytes_with_values<value>();
      array->memory->load(address, zeros.byte, sizeof(T)), array->memory->load(address, ones.byte, sizeof(T));
      for (std::size_t k = 0; k != sizeof(T); ++k)
        if (zeros.byte[k] != ones.byte[k]) return false;
      return true;
    }
    return false;
  }
  /// Whether addresses may depend on the value. An array with any_value says that they do not.
  COALESCE_API constexpr bool may_steer() const {
    if constexpr (std::is_floating_point<value>::value)
      return false;
    else
      return !array->any_value && (array->holds_integers || detail::may_steer_addresses<value>());
  }
  COALESCE_API constexpr operator value() const& {
    static_assert(sizeof(Recorder) == 0,
                  "auto x = p[i] holds no value in a recorded kernel: say float x = p[i], or auto x = co::value(p[i])");
    return {};
  }

  /// The store to the element.
  COALESCE_API constexpr value operator=(value const& v) const {
    static_assert(!std::is_const<T>::value, "the kernel writes to an array of const elements");
    to->template access_to<Space, touch::store, T>(at, *array, address);
    if constexpr (is_rememberable<Space, value>)
      if (array->memory != nullptr) remember(v);
    return v;
  }
  COALESCE_API constexpr void remember(value const& v, manner const& how = {}, bool is_known = true) const {
    interval_memory& memory = *array->memory;
    if (memory.looks && detail::is_zero(v)) return;
    memory.looks = false;
    if (is_passing<Recorder> && !detail::lies_inside(*array, address, sizeof(T))) return;
    auto const bytes = detail::as_bytes(v);
    memory.store(address, bytes.byte, sizeof(T), how, is_known);
  }
  /// Remembers what an atomic leaves in the element. The value is not known if no thread has written the element
  /// before, and neither .contents nor .any_value says what the element held. (An exchange leaves its operand, which is
  /// always known.)
  template <change What>
  COALESCE_API constexpr void remember_change(value const& v, value const& expected) const {
    if (is_passing<Recorder> && !detail::lies_inside(*array, address, sizeof(T))) return;
    if constexpr (is_computed<What, value>) {
      bool is_known = array->contents != nullptr ? is_in_contents() : array->any_value;
      // The bytes that threads have written take the place of those of the contents.
      auto seen = detail::as_bytes(is_known ? contents() : value{});
      auto const answer = array->memory->current(address, seen.byte, sizeof(T));
      is_known = (is_known || answer.is_written) && answer.is_known;
      auto const before = __builtin_bit_cast(value, seen);
      remember(detail::changed_by<What>(before, v, expected), detail::manner_of<What, value>(),
               is_known || What == change::store);
    } else {
      remember(v, {}, false);
    }
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
    return *this = static_cast<value>(v);  // a compile error: operator value() const& says what to write instead
  }

  COALESCE_API constexpr recorded_pointer<Recorder, Space, T> operator&() const {
    return {to, array, values, address, at};
  }
};

}  // namespace coalescing::detail

// SPDX-License-Identifier: BSL-1.0
#include <coalesce/cuda.hpp>
#include <coalesce/record.hpp>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <type_traits>
#include <utility>

#include "machinery/check.hpp"
#include "truth/oracle/random_access.hpp"

// Compound operators of recorded elements, beside C++'s own: each operator, of each pair of types, on values around
// zero and the types' ends. What has no defined outcome is left out: by the rules of C++, written here once more.

#ifdef __GNUC__  // what is converted here is the question
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wfloat-conversion"
#pragma GCC diagnostic ignored "-Wint-in-bool-context"
#endif

namespace co = coalescing;
using co::cuda::cc90;

namespace {

enum class form { add, subtract, multiply, divide, rest, both, either, unlike, left, right };
constexpr form forms[] = {form::add,  form::subtract, form::multiply, form::divide, form::rest,
                          form::both, form::either,   form::unlike,   form::left,   form::right};

template <form Form, class T, class V>
constexpr auto apply(T&& x, V const& y) {
  if constexpr (Form == form::add)
    return x += y;
  else if constexpr (Form == form::subtract)
    return x -= y;
  else if constexpr (Form == form::multiply)
    return x *= y;
  else if constexpr (Form == form::divide)
    return x /= y;
  else if constexpr (Form == form::rest)
    return x %= y;
  else if constexpr (Form == form::both)
    return x &= y;
  else if constexpr (Form == form::either)
    return x |= y;
  else if constexpr (Form == form::unlike)
    return x ^= y;
  else if constexpr (Form == form::left)
    return x <<= y;
  else
    return x >>= y;
}
constexpr bool is_of_integers(form of) {
  return of != form::add && of != form::subtract && of != form::multiply && of != form::divide;
}

/// Whether C++ defines x OP= y. Integers are computed in 128 bits, where nothing overflows.
template <form Form, class T, class V>
constexpr bool is_defined(T x, V y) {
  using common = decltype(x + y);
  using promoted = decltype(+x);
  if constexpr (Form == form::left || Form == form::right) {
    return y >= V(0) && static_cast<std::uint64_t>(y) < 8 * sizeof(promoted);  // C++20: whatever the sign of x is
  } else if constexpr (std::is_floating_point_v<common>) {
    if (Form == form::divide && static_cast<common>(y) == 0) return false;
    common const a = static_cast<common>(x), b = static_cast<common>(y);
    common const sum = Form == form::add        ? a + b
                       : Form == form::subtract ? a - b
                       : Form == form::multiply ? a * b
                                                : a / b;
    // An infinity, and a number outside the type's range, have no defined outcome in a constant expression.
    if (!(sum <= std::numeric_limits<common>::max() && sum >= std::numeric_limits<common>::lowest())) return false;
    if constexpr (std::is_same_v<T, bool>)
      return true;
    else
      return static_cast<long double>(sum) < static_cast<long double>(std::numeric_limits<T>::max()) &&
             static_cast<long double>(sum) > static_cast<long double>(std::numeric_limits<T>::lowest());
  } else {
    if ((Form == form::divide || Form == form::rest) && y == V(0)) return false;
    if constexpr (std::is_signed_v<common>) {
      __extension__ using wide = __int128;
      wide const a = static_cast<common>(x), b = static_cast<common>(y);
      wide const sum = Form == form::add ? a + b : Form == form::subtract ? a - b : Form == form::multiply ? a * b : 0;
      if (sum > std::numeric_limits<common>::max() || sum < std::numeric_limits<common>::min()) return false;
      if ((Form == form::divide || Form == form::rest) && b == -1 && a == std::numeric_limits<common>::min())
        return false;
    }
    return true;
  }
}

template <class T>
constexpr T value_at(unsigned k) {
  if constexpr (std::is_same_v<T, bool>)
    return k % 2 != 0;
  else if constexpr (std::is_floating_point_v<T>)
    return k == 0 ? T(0.5) : k == 1 ? T(-7.75) : k == 2 ? T(0.1L) : k == 3 ? T(3e9L) : k == 4 ? T(-1) : T(40);
  else
    return k == 0   ? T(5)
           : k == 1 ? static_cast<T>(-8)
           : k == 2 ? std::numeric_limits<T>::max()
           : k == 3 ? std::numeric_limits<T>::min()
           : k == 4 ? T(1)
                    : T(33);
}
constexpr unsigned values = 6;

struct tally {
  unsigned compared = 0, different = 0;
};
/// x OP= y of an element, and of a variable: what the operator gives, and what it leaves.
template <form Form, class T, class V, class Thread, class Shared>
constexpr void compare(tally& all, Thread const& t, Shared const& s) {
  if constexpr (!is_of_integers(Form) || (std::is_integral_v<T> && std::is_integral_v<V>))
    for (unsigned a = 0; a != values; ++a)
      for (unsigned b = 0; b != values; ++b) {
        T const x = value_at<T>(a);
        V const y = value_at<V>(b);
        if (!is_defined<Form>(x, y) || (std::is_constant_evaluated() && (a != 1 || b != 4))) continue;
        t.converge();
        s[0] = x;
        T const given = apply<Form>(s[0], y), left = s[0];
        T variable = x;
        T const expected = apply<Form>(variable, y);
        ++all.compared;
        if (!(given == expected && left == variable)) ++all.different;
      }
}
template <class T, class V, class Thread, class Shared>
constexpr void compare_forms(tally& all, Thread const& t, Shared const& s) {
  [&]<std::size_t... K>(std::index_sequence<K...>) { (compare<forms[K], T, V>(all, t, s), ...); }
  (std::make_index_sequence<std::size(forms)>{});
}
template <class... T>
struct types {};
/// All operators of a T and of each V. (A pass before the recording runs the body, too.)
template <class T, class... V>
constexpr tally compared(types<V...>) {
  tally all;
  auto const body = [&](auto const& t, auto s) {
    all = {};
    (compare_forms<T, V>(all, t, s), ...);
  };
  static_cast<void>(
      co::record<cc90>(co::kernel{co::launch{.block = {1}}, body, co::shared<T[1]>{.name = "s", .remembered = true}}));
  return all;
}

#if COALESCE_TEST_SHARE == 1
using all_types = types<bool, char, signed char, unsigned char, short, unsigned short, int, unsigned, long,
                        unsigned long, long long, unsigned long long, char16_t, char32_t, wchar_t, float, double>;
#else  // one of each width, with a sign and without
using all_types = types<bool, signed char, unsigned short, int, unsigned long long, double>;
#endif
template <class... T>
void check_all(types<T...> every) {
  (
      [&] {
        tally const all = compared<T>(every);
        CAPTURE(sizeof(T));
        CAPTURE(all.compared);
        CHECK(all.different == 0);
        CHECK(all.compared > 1000 / COALESCE_TEST_SHARE);
      }(),
      ...);
}
template <class T, class V>  // a constant each, since compilers count its steps
constexpr bool agrees_with = compared<T>(types<V>{}).different == 0;
template <class T, class... V>
constexpr bool agrees(types<V...>) {
  return (agrees_with<T, V> && ...);
}

}  // namespace

TEST_CASE("compound operators: all, of every pair of types") { check_all(all_types{}); }

TEST_CASE("compound operators in constant expressions") {
  // Types whose conversions differ: narrower than int and not, with a sign and without, and floating-point numbers.
  using some = types<signed char, unsigned short, int, unsigned, float>;
  static_assert(agrees<signed char>(some{}));
  static_assert(agrees<unsigned short>(some{}));
  static_assert(agrees<int>(some{}));
  static_assert(agrees<unsigned>(some{}));
  static_assert(agrees<float>(some{}));
}

namespace {

/// What read(s) gives to one thread, of an element that is `before`.
template <class T, class Read>
constexpr T told(T before, Read const& read) {
  T seen = {};
  auto const body = [&](auto const&, auto s) { s[0] = before, seen = read(s); };
  static_cast<void>(
      co::record<cc90>(co::kernel{co::launch{.block = {1}}, body, co::shared<T[1]>{.name = "s", .remembered = true}}));
  return seen;
}
template <class T>
concept counts = requires(co::detail::recorded_element<int, co::memory_space::shared, T> const& e) {
  ++e;
};
struct counter {
  float value = 0;
  unsigned plus = 0;
  constexpr counter& operator+=(float more) { return value += more, ++plus, *this; }
};

}  // namespace

// A pass that only looks whether values matter gives 0 to every load. Bytes are not looked at so: this would trap.
TEST_CASE("a byte that the kernel wrote may be divided by") {
  int seen = 0;
  auto const body = [&](auto const&, auto s) { s[0] = 5, seen = 10 / static_cast<int>(s[0]); };
  static_cast<void>(
      co::record<cc90>(co::kernel{co::launch{.block = {1}}, body, co::shared<unsigned char[1]>{.name = "s"}}));
  CHECK(seen == 2);
}

TEST_CASE("++ and --, and operators of the element's own class") {
  COALESCE_CHECK(told(-8, [](auto s) {
                   s[0] >>= 1u;
                   return s[0];
                 }) == -4);  // not 2147483644
  constexpr auto plus = [](auto s) { return s[0]++; };
  constexpr auto plus_before = [](auto s) { return ++s[0]; };
  constexpr auto minus = [](auto s) { return s[0]--; };
  constexpr auto minus_before = [](auto s) { return --s[0]; };
  COALESCE_CHECK(told(0.1f, plus) == 0.1f);  // what was there, and not one more less one
  COALESCE_CHECK(told(1e-10f, minus) == 1e-10f);
  COALESCE_CHECK(told(0.5f, plus_before) == 1.5f);
  COALESCE_CHECK(told(static_cast<unsigned char>(255), plus) == 255);
  COALESCE_CHECK(told(static_cast<unsigned char>(255), plus_before) == 0);
  COALESCE_CHECK(told(static_cast<short>(-32768), minus_before) == 32767);
  COALESCE_CHECK(told(0u, minus_before) == ~0u);
  COALESCE_CHECK(told(7, [](auto s) {
                   s[0]--;
                   return s[0];
                 }) == 6);
  COALESCE_CHECK((counts<int> && counts<double> && !counts<bool>));  // C++ has no ++ of bool
  auto const twice = [](auto s) {
    s[0] += 2.f, s[0] += 3;
    return s[0];
  };
  CHECK((told(counter{1.f}, twice).value == 6.f && told(counter{1.f}, twice).plus == 2));
}

// SPDX-License-Identifier: BSL-1.0
#include <coalesce/core/text.hpp>

#include "machinery/check.hpp"

#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace co = coalescing;

namespace {

template <std::size_t Capacity>
constexpr co::text<Capacity> of(char const* words) {
  co::text<Capacity> made;
  made.append(words);
  return made;
}

}  // namespace

static_assert(sizeof(co::text<4>::characters) == 5, "four and a zero");
static_assert(std::is_convertible_v<co::text<4> const&, std::string_view> &&
              std::is_convertible_v<co::text<4> const&, std::string>);
static_assert(!std::is_convertible_v<co::text<4>, std::string_view>, "a view of a temporary would dangle");
static_assert(std::is_convertible_v<co::text<4>, std::string>, "which a string does not");
static_assert(!std::is_convertible_v<co::text<4> const&, std::vector<char>>, "no string, though it has characters");

// More characters than there is room for are refused in a constant expression too, where clang copies them at once.
template <unsigned Begun>
constexpr bool takes_two_more() {
  auto made = of<4>(Begun == 2 ? "ab" : "abc");
  made.append("de");
  return true;
}
template <unsigned Begun>
concept has_room_for_two = requires {
  typename std::bool_constant<takes_two_more<Begun>()>;
};
static_assert(has_room_for_two<2> && !has_room_for_two<3>);

TEST_CASE("an empty text has no characters, and equals nothing but an empty one") {
  constexpr co::text<4> empty;
  COALESCE_CHECK(empty.empty());
  COALESCE_CHECK(empty.size() == 0);
  COALESCE_CHECK(empty.c_str()[0] == '\0');
  COALESCE_CHECK(empty == "");
  COALESCE_CHECK(empty == std::string_view());
  COALESCE_CHECK(empty == of<4>(""));
  COALESCE_CHECK(!(empty == "a"));
  COALESCE_CHECK(!(empty == std::string_view("a")));
  COALESCE_CHECK(!(empty == of<4>("a")));
  COALESCE_CHECK(co::text<0>{}.empty());
  COALESCE_CHECK(co::text<0>{} == "");
  CHECK(std::string(empty).empty());
}
TEST_CASE("a text holds as many characters as its capacity, and a zero after them") {
  constexpr auto full = of<4>("abcd");
  COALESCE_CHECK(!full.empty());
  COALESCE_CHECK(full.size() == 4);
  COALESCE_CHECK(full.c_str()[4] == '\0');
  COALESCE_CHECK(full == "abcd");
  COALESCE_CHECK(full == std::string_view("abcd"));
  COALESCE_CHECK(!(full == "abc"));
  COALESCE_CHECK(!(full == "abcde"));
  COALESCE_CHECK(!(full == "abce"));
  COALESCE_CHECK(!(full == std::string_view("abc")));
  COALESCE_CHECK(!(full == std::string_view("abce")));
  COALESCE_CHECK(!(full == of<4>("abc")));
  CHECK(std::string(full) == "abcd");
  constexpr auto by_pieces = [] {
    co::text<4> made;
    made.append("a");
    made.append(10u);
    made.append_character('z');
    return made;
  }();
  COALESCE_CHECK(by_pieces == "a10z");
}
TEST_CASE("numbers are written in decimal, none with zeros before it") {
  constexpr auto written = [](unsigned number) {
    co::text<10> made;
    made.append(number);
    return made;
  };
  COALESCE_CHECK(written(0) == "0");
  COALESCE_CHECK(written(9) == "9");
  COALESCE_CHECK(written(10) == "10");
  COALESCE_CHECK(written(4294967295u) == "4294967295");
}
TEST_CASE("numbers are written in hexadecimal as assemblers print them, without zeros before them") {
  constexpr auto written = [](unsigned number) {
    co::text<10> made;
    made.append_hexadecimal(number);
    return made;
  };
  COALESCE_CHECK(written(0) == "0x0");
  COALESCE_CHECK(written(1) == "0x1");
  COALESCE_CHECK(written(15) == "0xf");
  COALESCE_CHECK(written(16) == "0x10");
  COALESCE_CHECK(written(0x0fed'cba9) == "0xfedcba9");
  COALESCE_CHECK(written(0x1234'5678) == "0x12345678");
  COALESCE_CHECK(written(0xbfc0'0a03) == "0xbfc00a03");
  COALESCE_CHECK(written(0xffff'ffff) == "0xffffffff");
}
#ifdef __cpp_exceptions
TEST_CASE("a character more than the capacity is refused, and what was there stays") {
  auto full = of<4>("abcd");
  CHECK_NOTHROW(full.append(""));
  CHECK_THROWS_AS(full.append("e"), co::misuse);
  CHECK_THROWS_AS(full.append(1u), co::misuse);
  CHECK_THROWS_AS(full.append_character('e'), co::misuse);
  CHECK(full == "abcd");
  co::text<4> empty;
  CHECK_THROWS_AS(empty.append("abcde"), co::misuse);
  CHECK_THROWS_AS(co::text<0>{}.append_character('a'), co::misuse);
}
#endif

// SPDX-License-Identifier: BSL-1.0
#include <coalesce/core/cost.hpp>
#include <coalesce/core/source.hpp>

#include "machinery/check.hpp"

#include <string_view>

namespace co = coalescing;
using std::string_view;

TEST_CASE("a source of which nothing is said claims nothing: it is inferred, from no document, and cannot be opened") {
  constexpr co::source none;
  COALESCE_CHECK(none.evidence == co::evidence::inferred);
  COALESCE_CHECK(none.document == string_view("none"));
  COALESCE_CHECK(none.address == string_view("none known"));
  for (char const* const words : {none.section, none.claim, none.assumes, none.edition}) CHECK(words == string_view());
}
TEST_CASE("a source names its document, the section, what is said there, and how it is known") {
  constexpr co::document post{"a post", "2020", "https://example.org"};
  constexpr co::source from{post, "1.2", "so it is", co::evidence::measured, "that it is so elsewhere"};
  COALESCE_CHECK(from.document == string_view("a post"));
  COALESCE_CHECK(from.edition == string_view("2020"));
  COALESCE_CHECK(from.address == string_view("https://example.org"));
  COALESCE_CHECK(from.section == string_view("1.2"));
  COALESCE_CHECK(from.claim == string_view("so it is"));
  COALESCE_CHECK(from.evidence == co::evidence::measured);
  COALESCE_CHECK(from.assumes == string_view("that it is so elsewhere"));
  COALESCE_CHECK(co::source{post, "1.2", "so it is", co::evidence::measured}.assumes == string_view());
}
TEST_CASE("each kind of evidence is called by its name") {
  COALESCE_CHECK(co::detail::words_of(co::evidence::documented) == string_view("documented"));
  COALESCE_CHECK(co::detail::words_of(co::evidence::measured) == string_view("measured"));
  COALESCE_CHECK(co::detail::words_of(co::evidence::inferred) == string_view("inferred"));
}
TEST_CASE("what is counted from the addresses of the question needs no document to be looked up") {
  constexpr co::source counted = co::detail::counted_from_the_addresses;
  COALESCE_CHECK(counted.evidence == co::evidence::documented);
  COALESCE_CHECK(counted.address == string_view("none needed"));
}

// Skipped unless a control of the suite asks for it, which reads what it prints.
TEST_CASE("control: this assertion fails, and prints the title of the document" * doctest::skip()) {
  constexpr co::document post{"a post", "2020", "https://example.org"};
  CHECK(post.says("1.2", "so it is").document == string_view("another post"));
}

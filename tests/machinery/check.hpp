// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <doctest/doctest.h>

// One statement, checked twice: as a constant expression while the tests compile, and again while they run.
#define COALESCE_CHECK(...)     \
  do {                          \
    static_assert(__VA_ARGS__); \
    CHECK(__VA_ARGS__);         \
  } while (false)

// A failing assertion prints the words that a `char const*` points at, such as a document's title. doctest prints the
// address, and its own option for this (DOCTEST_CONFIG_TREAT_CHAR_STAR_AS_STRING) does not compile in doctest 2.4.9.
template <>
struct doctest::StringMaker<char const*> {
  static String convert(char const* words) { return words == nullptr ? "nullptr" : words; }
};

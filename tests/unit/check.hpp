// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <doctest/doctest.h>

// One statement, checked twice: as a constant expression while the tests compile, and again while they run.
#define COALESCE_CHECK(...)     \
  do {                          \
    static_assert(__VA_ARGS__); \
    CHECK(__VA_ARGS__);         \
  } while (false)

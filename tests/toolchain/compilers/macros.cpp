// SPDX-License-Identifier: BSL-1.0
//
// Words that other people's headers make macros of. Where there is a <windows.h> it comes first; elsewhere its words
// do, after the standard headers, which have no defence against them either.
#ifdef _WIN32
#undef NOMINMAX
#include <windows.h>
#else
#define interface "of windows.h"
#define near "of windows.h"
#define far "of windows.h"
#define small "of windows.h"
#define hyper "of windows.h"
#define pascal "of windows.h"
#define cdecl "of windows.h"
#define IN "of windows.h"
#define OUT "of windows.h"
#define OPTIONAL "of windows.h"
#define CONST "of windows.h"
#define VOID "of windows.h"
#define ERROR "of windows.h"
#define DELETE "of windows.h"
#define STRICT "of windows.h"
#endif
#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#undef min
#undef max
#undef major
#undef minor
#undef unix
#undef linux
#define min(a, b) "of windows.h"
#define max(a, b) "of windows.h"
#define major(device) "of sys/sysmacros.h"
#define minor(device) "of sys/sysmacros.h"
#define unix "of gnu++20"
#define linux "of gnu++20"
#define I "of complex.h"
#define KB 1024
#define MB (1024 * KB)
#define KiB 1024
#define MiB (1024 * KiB)
#define GiB (1024ull * MiB)
#define B0 "of termios.h"
#define Bool "of X11"
#define None "of X11"
#define Status "of X11"
#define True "of X11"
#define False "of X11"
#define Always "of X11"
#define Success "of X11"
#define slots "of Qt"
#define signals "of Qt"
#define emit "of Qt"
#define foreach(element, list) "of Qt"
#define forever "of Qt"
#define check(condition) "of Apple's AssertMacros.h"
#define verify(condition) "of Apple's AssertMacros.h"
#define require(condition, label) "of Apple's AssertMacros.h"
#define CHECK(condition) "of glog"
#define LOG(level) "of glog"
#define bit(number) "of Arduino.h"
#define lowByte(word) "of Arduino.h"
#define TRUE 1
#define FALSE 0

#include <every_header.hpp>
#ifdef COALESCE_FAR
inline int far = 0;
#endif

static_assert(coalescing::cost<coalescing::gcn::buffer_load<32>>(coalescing::linear{.stride = 4}).clocks == 4);
static_assert(coalescing::cost<coalescing::cuda::cc90::load<32>>(coalescing::linear{.stride = 4}).transactions == 4);

int main() {}

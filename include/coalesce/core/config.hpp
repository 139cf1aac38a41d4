// SPDX-License-Identifier: BSL-1.0
#pragma once

// MSVC keeps __cplusplus at 199711L unless asked, and says the truth in _MSVC_LANG.
// The sentence is the name of a header that does not exist, because that ends the compilation on every compiler: after
// an #error they go on, into a wall of errors.
#if (defined(_MSVC_LANG) && _MSVC_LANG < 202002L) || (!defined(_MSVC_LANG) && __cplusplus < 202002L)
#include <coalesce needs C++20: compile this file with -std=c++20 (nvcc does not choose it by itself)>
#endif

// Every public function carries this mark, so that a kernel may ask in a constant expression.
#if defined(__CUDACC__) && defined(__NVCC__)
#define COALESCE_API __host__ __device__
#elif defined(__clang__) && (defined(__HIP__) || defined(__CUDA__))
#define COALESCE_API __attribute__((host)) __attribute__((device))
#else
#define COALESCE_API
#endif

// At run time one number of a cost is often all that is read. So cost() is COALESCE_INLINE, and the functions that
// count are COALESCE_COUNT: they only read their arguments, and stay calls; a compiler drops those whose number is not
// read. (Left to themselves g++ and clang keep all: a third of the speed of cuda::cc90::load<32>'s transactions.)
#ifdef _MSC_VER  // which warns of attributes that it does not know
#define COALESCE_COUNT COALESCE_API
#define COALESCE_INLINE COALESCE_API
#else
#define COALESCE_COUNT [[gnu::pure, gnu::noinline]] COALESCE_API
#define COALESCE_INLINE [[gnu::always_inline]] COALESCE_API
#endif

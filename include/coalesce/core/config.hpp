// SPDX-License-Identifier: BSL-1.0
#pragma once

// MSVC keeps __cplusplus at 199711L unless an option changes that, and gives the true version in _MSVC_LANG. The
// message below is the name of a header that does not exist, because a missing header ends the compilation on every
// compiler. After an #error, compilers go on and print many more errors.
#if (defined(_MSVC_LANG) && _MSVC_LANG < 202002L) || (!defined(_MSVC_LANG) && __cplusplus < 202002L)
#include <coalesce needs C++20: compile this file with -std=c++20 (nvcc does not choose it by itself)>
#endif

// The library also exists as one single header, and this header's text is the beginning of it. Compilation stops here
// if a source file includes both the single header and another header of the library, or two copies of the library.
#ifdef COALESCE_API
#include <coalesce is here twice: this file includes the single header and another one, or headers of two folders>
#endif

// Every public function is marked COALESCE_API, so a kernel may call it in a constant expression.
#if defined(__CUDACC__) && defined(__NVCC__)
#define COALESCE_API __host__ __device__
#elif defined(__clang__) && (defined(__HIP__) || defined(__CUDA__))
#define COALESCE_API __attribute__((host)) __attribute__((device))
#else
#define COALESCE_API
#endif

// nvcc hands each `.stride = 4` to its host compiler as `stride: 4`. clang warns about that form.
#if defined(__CUDACC__) && defined(__NVCC__) && defined(__clang__)
#pragma clang diagnostic ignored "-Wgnu-designator"
#endif

// At run time a program often reads only one number of a cost. So cost() is COALESCE_INLINE, and the counting functions
// that it calls are COALESCE_COUNT. COALESCE_COUNT says that a function is not inlined and only reads its arguments. So
// the compiler can drop each call whose result is not used. (Without these marks g++ and clang keep all the calls: a
// program that reads only the transactions of cuda::cc90::load<32> then runs at a third of the speed.)
#ifdef _MSC_VER  // MSVC warns about attributes that it does not know
#define COALESCE_COUNT COALESCE_API
#define COALESCE_INLINE COALESCE_API
#else
#define COALESCE_COUNT [[gnu::pure, gnu::noinline]] COALESCE_API
#define COALESCE_INLINE [[gnu::always_inline]] COALESCE_API
#endif

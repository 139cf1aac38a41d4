// SPDX-License-Identifier: BSL-1.0
#pragma once

// MSVC keeps __cplusplus at 199711L unless an option changes that, and gives the true version in _MSVC_LANG. The
// message below is the name of a header that does not exist, because a missing header ends the compilation on every
// compiler. After an #error, compilers go on and print many more errors.
#if (defined(_MSVC_LANG) && _MSVC_LANG < 202002L) || (!defined(_MSVC_LANG) && __cplusplus < 202002L)
#include <coalesce needs C++20: compile this file with -std=c++20 (nvcc does not choose it by itself)>
#endif

// The single header of the library begins with the text of this header too. A source file stops here if it includes the
// single header beside another header of the library, or if it includes two copies of the library.
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
// that it calls are COALESCE_COUNT: these are not inlined and only read their arguments, so the compiler can drop each
// call whose result is not used. (Without these marks g++ and clang keep all the calls: the transactions of
// cuda::cc90::load<32> then run at a third of the speed.)
#ifdef _MSC_VER  // MSVC warns about attributes that it does not know
#define COALESCE_COUNT COALESCE_API
#define COALESCE_INLINE COALESCE_API
#else
#define COALESCE_COUNT [[gnu::pure, gnu::noinline]] COALESCE_API
#define COALESCE_INLINE [[gnu::always_inline]] COALESCE_API
#endif

// SPDX-License-Identifier: BSL-1.0
#pragma once

// The keywords of CUDA and HIP, for a compiler that makes code for the host.
//
// Shared memory is thread-local here. All threads of a kernel are fibers of one thread of the host, so they share its
// thread-local variables. On a GPU the launch gives the size of an array `extern __shared__ T a[]`. Here the program
// that launches the kernel defines the array, in the kernel's namespace: `__shared__ T a[elements];`.

#define __global__ __attribute__((noinline))
#define __device__
#define __managed__
#define __host__
#define __shared__ __attribute__((aligned(128))) thread_local
#define __constant__ __attribute__((section("coalesce_constant")))
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __grid_constant__

// These are macros, since the C library has functions of the same names, which no program may call.
#define __expf expf
#define __exp10f exp10f
#define __logf logf
#define __log2f log2f
#define __log10f log10f
#define __sinf sinf
#define __cosf cosf
#define __tanf tanf
#define __sincosf sincosf
#define __powf powf

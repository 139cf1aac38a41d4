// SPDX-License-Identifier: BSL-1.0
#pragma once

// C++17: the layout that the kernel and its assertions share. It knows nothing of coalesce.

#if defined(__CUDACC__) || defined(__HIP__)
#define KERNELS_CONSTEXPR __host__ __device__ constexpr
#else
#define KERNELS_CONSTEXPR constexpr
#endif

namespace kernels {

/// A column of a tile of 32 floats a row, padded by one: lane -> byte in shared memory.
struct column {
  KERNELS_CONSTEXPR unsigned operator()(unsigned lane) const { return lane * 33 * sizeof(float); }
};

/// A row of it in global memory: lane -> byte.
struct row {
  KERNELS_CONSTEXPR unsigned operator()(unsigned lane) const { return lane * sizeof(float); }
};

}  // namespace kernels

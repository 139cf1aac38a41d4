// SPDX-License-Identifier: BSL-1.0
#pragma once
// What programs take of the header of that name in NVIDIA's CUDA Samples.
#include <cuda_runtime.h>

#include <cstdlib>

#define checkCudaErrors(call)                                                                                      \
  do {                                                                                                             \
    if (auto const coalesce_error = (call); coalesce_error != cudaSuccess)                                         \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(coalesce_error)), std::exit(1); \
  } while (false)
#define getLastCudaError(words) checkCudaErrors(cudaGetLastError())
inline int findCudaDevice(int, char const**) { return 0; }
inline int gpuGetMaxGflopsDeviceId() { return 0; }

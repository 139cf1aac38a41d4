/* SPDX-License-Identifier: BSL-1.0 */
#pragma once
#include <stddef.h>

/* The functions of the runtime API that files in C call, for `coalesce run`. run/api.hpp has the API for C++.
   run/runtime.hpp defines these functions. */

typedef int cudaError_t;
enum { cudaSuccess = 0 };
enum cudaMemcpyKind { cudaMemcpyHostToHost, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice, cudaMemcpyDefault };
cudaError_t cudaSetDevice(int device);
cudaError_t cudaGetDeviceCount(int* count);
cudaError_t cudaDeviceSynchronize(void);
cudaError_t cudaThreadSynchronize(void);
cudaError_t cudaThreadExit(void);
cudaError_t cudaDeviceReset(void);
cudaError_t cudaGetLastError(void);
char const* cudaGetErrorString(cudaError_t error);
cudaError_t cudaMalloc(void** to, size_t bytes);
cudaError_t cudaMallocHost(void** to, size_t bytes);
cudaError_t cudaFree(void* memory);
cudaError_t cudaFreeHost(void* memory);
cudaError_t cudaMemcpy(void* to, void const* from, size_t bytes, enum cudaMemcpyKind kind);
cudaError_t cudaMemset(void* to, int value, size_t bytes);

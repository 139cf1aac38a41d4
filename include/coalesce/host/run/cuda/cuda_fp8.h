// SPDX-License-Identifier: BSL-1.0
#pragma once
// Includes NVIDIA's own header, which has arithmetic for hosts, too. It takes the vector types of cuda_runtime.h.
#include <cuda_runtime.h>
#ifndef __clang__
#error "coalesce run: g++ does not tell accesses to 8-bit floating point, which are copies of a struct; clang++ does"
#endif
#if !__has_include_next(<cuda_fp8.h>)
#error "coalesce run: cuda_fp8.h is NVIDIA's, and is not here: set CUDA_HOME, or 'pip install nvidia-cuda-runtime'"
#endif
// NVIDIA's vector_types.h, which is not included here, defines these two.
#define __NV_SILENCE_DEPRECATION_BEGIN
#define __NV_SILENCE_DEPRECATION_END
#include <coalesce/host/run/cuda/begin_host_header.h>
#include_next <cuda_fp8.h>
#include <coalesce/host/run/cuda/end_host_header.h>

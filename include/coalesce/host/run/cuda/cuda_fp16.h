// SPDX-License-Identifier: BSL-1.0
#pragma once
// Includes NVIDIA's own header, which has arithmetic for hosts, too. It takes the vector types of cuda_runtime.h.
#include <cuda_runtime.h>
#ifndef __clang__
#error "coalesce run: g++ does not tell accesses to 16-bit floating point, which are copies of a struct; clang++ does"
#endif
#if !__has_include_next(<cuda_fp16.h>)
#error "coalesce run: cuda_fp16.h is NVIDIA's, and is not here: set CUDA_HOME, or 'pip install nvidia-cuda-runtime'"
#endif
#include <coalesce/host/run/cuda/begin_host_header.h>
#include <coalesce/host/run/cuda/begin_copied_pairs.h>
#include_next <cuda_fp16.h>
#include <coalesce/host/run/cuda/end_copied_pairs.h>
#include <coalesce/host/run/cuda/end_host_header.h>
#include <coalesce/host/run/halves.hpp>
COALESCE_HALVES(__half, __half2)
inline int __half2int_rn(__half x) { return static_cast<int>(std::nearbyint(static_cast<float>(x))); }

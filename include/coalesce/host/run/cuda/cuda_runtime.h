// SPDX-License-Identifier: BSL-1.0
#pragma once
// What a plain CUDA program includes, for `coalesce run`, which defines COALESCE_RUN_ARCH.
#ifdef __cplusplus
// Programs define a lerp of their own, as NVIDIA's samples do. libstdc++'s math.h makes C++20's lerp global.
#define lerp coalesce_lerp
#include <math.h>
#undef lerp
#include <coalesce/host/cuda.hpp>
#include <coalesce/host/run/api.hpp>
#include <coalesce/host/run/textures.hpp>
#include <coalesce/host/run/words.hpp>
#else
#include <coalesce/host/run/api.h>
#endif

// Macros of nvcc that programs ask about: NVIDIA CUDA Compiler Driver, "NVCC Identification Macro"; CUDA C++ Programming
// Guide, "__CUDA_ARCH__".
#define __NVCC__ 1
#define __CUDACC__ 1
#define __CUDA_ARCH__ COALESCE_RUN_ARCH
#define CUDA_VERSION 13000
#define CUDART_VERSION 13000
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0

// NVIDIA's headers then take the vector types that are here. A copy of these is one access, which a copy of theirs is not.
#define __VECTOR_TYPES_H__
#define __VECTOR_FUNCTIONS_H__

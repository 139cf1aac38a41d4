// SPDX-License-Identifier: BSL-1.0
// From here to end_host_header.h, headers are read as a compiler for the host reads them. (This file has no #pragma once,
// since each use needs it.)
#pragma push_macro("__CUDACC__")
#pragma push_macro("__CUDA_ARCH__")
#pragma push_macro("__NVCC__")
#undef __CUDACC__
#undef __CUDA_ARCH__
#undef __NVCC__

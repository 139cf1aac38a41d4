// SPDX-License-Identifier: BSL-1.0
// What follows is read as a compiler for the host reads it, until end_host_header.h. It is included again and again.
#pragma push_macro("__CUDACC__")
#pragma push_macro("__CUDA_ARCH__")
#pragma push_macro("__NVCC__")
#undef __CUDACC__
#undef __CUDA_ARCH__
#undef __NVCC__

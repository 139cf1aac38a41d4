// SPDX-License-Identifier: BSL-1.0
#pragma once
// What a plain HIP program includes, for `coalesce run`, which says by a macro which chip it is (__gfx942__), and
// writes CUDA's names for the runtime API in the place of HIP's.
#include <coalesce/host/hip.hpp>
#include <coalesce/host/run/api.hpp>
#include <coalesce/host/run/words.hpp>

namespace coalescing::host::api {

/// HIP_SYMBOL(variable), which programs give to hipMemcpyToSymbol.
template <class T>
T& HIP_SYMBOL(T& variable) {
  return variable;
}

}  // namespace coalescing::host::api

// Macros of hipcc that programs ask about: HIP's documentation, "HIP C++ language extensions".
#define __HIPCC__ 1
#define __HIP__ 1
#define __HIP_PLATFORM_AMD__ 1
#define __HIP_DEVICE_COMPILE__ 1
#define HIP_VERSION 60000000
#define HIP_KERNEL_NAME(...) __VA_ARGS__
#define HIP_DYNAMIC_SHARED(type, name) type* const name = reinterpret_cast<type*>(::coalesce_dynamic_shared);
#define hipLaunchKernelGGL(kernel, grid, block, bytes, stream, ...)                                        \
  ::coalescing::host::configured(#kernel, grid, block, bytes, stream)([=](auto const&... coalesce_given) { \
    return kernel(coalesce_given...);                                                                      \
  })(__VA_ARGS__)

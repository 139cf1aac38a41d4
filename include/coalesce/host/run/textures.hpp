// SPDX-License-Identifier: BSL-1.0
#pragma once
#ifdef __clang__  // the program is instrumented; this library is not
#pragma clang attribute push(__attribute__((no_sanitize("coverage", "thread"))), apply_to = function)
#endif
#include <coalesce/host/run/api.hpp>

#include <cstddef>
#include <cstdint>

// Textures of one dimension on linear memory, which old programs have. A fetch is an access without a cost here, since
// no source tells what it costs. Other textures do not compile.
// Source: CUDA C Programming Guide 11.8, "Texture Reference API".

namespace coalescing::host::api {

inline constexpr cudaError_t CUDA_SUCCESS = cudaSuccess;  // the driver API's name, which some programs use, too

enum cudaTextureReadMode { cudaReadModeElementType = 0, cudaReadModeNormalizedFloat = 1 };
enum cudaTextureFilterMode { cudaFilterModePoint = 0, cudaFilterModeLinear = 1 };
enum cudaTextureAddressMode {
  cudaAddressModeWrap = 0,
  cudaAddressModeClamp = 1,
  cudaAddressModeMirror = 2,
  cudaAddressModeBorder = 3
};
enum cudaChannelFormatKind {
  cudaChannelFormatKindSigned = 0,
  cudaChannelFormatKindUnsigned = 1,
  cudaChannelFormatKindFloat = 2,
  cudaChannelFormatKindNone = 3
};
struct cudaChannelFormatDesc {
  int x = 0, y = 0, z = 0, w = 0;
  cudaChannelFormatKind f = cudaChannelFormatKindNone;
};
template <class T>
cudaChannelFormatDesc cudaCreateChannelDesc() {
  return {.x = 8 * sizeof(T)};
}
inline cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}

template <class T, int Dimensions = 1, cudaTextureReadMode = cudaReadModeElementType>
struct texture;
template <class T>
struct texture<T, 1, cudaReadModeElementType> {
  T const* first = nullptr;
  std::size_t elements = 0;
  bool normalized = false;
  cudaTextureFilterMode filterMode = cudaFilterModePoint;
  cudaTextureAddressMode addressMode[3] = {};
  cudaChannelFormatDesc channelDesc = {};
};
template <class T>
[[gnu::noinline]] cudaError_t cudaBindTexture(std::size_t* offset, texture<T>& to, void const* memory,
                                              std::size_t bytes) {
  detail::check_on_host(memory, bytes, "cudaBindTexture", __builtin_return_address(0));
  if (offset != nullptr) *offset = 0;
  return to.first = static_cast<T const*>(memory), to.elements = bytes / sizeof(T), cudaSuccess;
}
template <class T>
cudaError_t cudaBindTexture(std::size_t* offset, texture<T>& to, void const* memory, cudaChannelFormatDesc const&,
                            std::size_t bytes) {
  return api::cudaBindTexture(offset, to, memory, bytes);
}
template <class T>
cudaError_t cudaBindTexture(std::size_t* offset, texture<T>* to, void const* memory, cudaChannelFormatDesc const*,
                            std::size_t bytes) {
  return api::cudaBindTexture(offset, *to, memory, bytes);
}
template <class T>
cudaError_t cudaUnbindTexture(T const&) {
  return cudaSuccess;
}
/// Returns 0 outside the texture.
template <class T>
[[gnu::noinline]] T tex1Dfetch(texture<T> const& from, int at) {
  if (at < 0 || static_cast<std::size_t>(at) >= from.elements) return T{};
  detail::note_on_host(from.first + at, sizeof(T), touch::issued, __builtin_return_address(0));
  return from.first[at];
}

}  // namespace coalescing::host::api
#ifdef __clang__
#pragma clang attribute pop
#endif

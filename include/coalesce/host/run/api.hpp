// SPDX-License-Identifier: BSL-1.0
#pragma once
#ifdef __clang__  // the program is instrumented; this library is not
#pragma clang attribute push(__attribute__((no_sanitize("coverage", "thread"))), apply_to = function)
#endif
#include <coalesce/host/run/launch.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <tuple>
#include <type_traits>
#include <utility>

// CUDA's runtime API, for unmodified programs that run on this host. HIP programs use it, too, since source_rewriter
// replaces HIP's names by CUDA's. Memory of the device is memory of the program, and unused bytes lie around each
// allocation. Everything is done at once and in order, so streams and events change nothing, and all times are 0. The
// errors have CUDA's numbers. Source: CUDA Runtime API, "Modules": Device, Error, Stream and Event Management, Memory
// Management, Execution Control.

namespace coalescing {

namespace detail {

/// The machine's values that cudaDeviceProp gives to the program. 0: the library does not know the value.
struct host_machine {
  char name[64] = {};
  unsigned lanes = 32, major = 0, minor = 0, multiprocessors = 0;
  unsigned shared_of_block = 0;           ///< bytes of shared memory of a block
  unsigned shared_of_asking_block = 0;    ///< of a block whose kernel asks for more (cudaFuncSetAttribute)
  unsigned shared_of_multiprocessor = 0;  ///< of a multiprocessor
};

// ---- defined in run/runtime.hpp ----

/// Allocates an array. `words`: the text of the call's arguments. The last name in the first argument is the array's.
void* allocate_on_host(std::uint64_t bytes, char const* words, void const* place);
/// Frees an array. Refused: memory that was never allocated, or is free already.
void free_on_host(void const* memory, void const* place);
/// Checks what a copy accesses. Refused: bytes that do not lie in one array that the device can access.
void check_on_host(void const* memory, std::uint64_t bytes, char const* function, void const* place);
bool is_of_device(void const* memory);
[[noreturn]] void refuse_on_host(char const* why, void const* place);
host_machine const& machine_on_host();
inline int last_error = 0;

/// The most threads of a block and the most blocks of a grid, along each axis.
struct launch_limits {
  host::uint3 block, grid;
};
/// Sources: CUDA C++ Programming Guide, "Technical Specifications per Compute Capability" (from 3.0 on). AMD: rocminfo,
/// "Workgroup Max Size per Dimension"; HIP's runtime (ROCm/clr, hip_device.cpp), which gives a program these sizes.
inline launch_limits launch_limits_on_host() {
  bool const is_nvidia = detail::machine_on_host().major != 0;
  unsigned const depth = is_nvidia ? 64 : 1024, rows = is_nvidia ? 65535 : 65536;
  return {{1024, 1024, depth}, {2147483647, rows, rows}};
}

}  // namespace detail

namespace host::api {

enum cudaError_t {
  cudaSuccess = 0,
  cudaErrorInvalidValue = 1,
  cudaErrorMemoryAllocation = 2,
  cudaErrorInitializationError = 3,
  cudaErrorInvalidConfiguration = 9,
  cudaErrorInvalidSymbol = 13,
  cudaErrorInvalidDevice = 101,
  cudaErrorNotReady = 600,
  cudaErrorIllegalAddress = 700,
  cudaErrorLaunchFailure = 719,
  cudaErrorUnknown = 999
};
using cudaError = cudaError_t;
enum cudaMemcpyKind {
  cudaMemcpyHostToHost = 0,
  cudaMemcpyHostToDevice = 1,
  cudaMemcpyDeviceToHost = 2,
  cudaMemcpyDeviceToDevice = 3,
  cudaMemcpyDefault = 4
};
struct CUstream_st;
struct CUevent_st;
using cudaStream_t = CUstream_st*;
using cudaEvent_t = CUevent_st*;
enum cudaFuncCache {
  cudaFuncCachePreferNone = 0,
  cudaFuncCachePreferShared = 1,
  cudaFuncCachePreferL1 = 2,
  cudaFuncCachePreferEqual = 3
};
enum cudaSharedMemConfig {
  cudaSharedMemBankSizeDefault = 0,
  cudaSharedMemBankSizeFourByte = 1,
  cudaSharedMemBankSizeEightByte = 2
};
enum cudaFuncAttribute {
  cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
  cudaFuncAttributePreferredSharedMemoryCarveout = 9
};
enum cudaLimit { cudaLimitStackSize = 0, cudaLimitPrintfFifoSize = 1, cudaLimitMallocHeapSize = 2 };
enum cudaMemoryAdvise {
  cudaMemAdviseSetReadMostly = 1,
  cudaMemAdviseUnsetReadMostly,
  cudaMemAdviseSetPreferredLocation,
  cudaMemAdviseUnsetPreferredLocation,
  cudaMemAdviseSetAccessedBy,
  cudaMemAdviseUnsetAccessedBy
};
enum cudaDeviceAttr {
  cudaDevAttrMaxThreadsPerBlock = 1,
  cudaDevAttrMaxBlockDimX = 2,
  cudaDevAttrMaxBlockDimY = 3,
  cudaDevAttrMaxBlockDimZ = 4,
  cudaDevAttrMaxGridDimX = 5,
  cudaDevAttrMaxGridDimY = 6,
  cudaDevAttrMaxGridDimZ = 7,
  cudaDevAttrMaxSharedMemoryPerBlock = 8,
  cudaDevAttrTotalConstantMemory = 9,
  cudaDevAttrWarpSize = 10,
  cudaDevAttrMaxRegistersPerBlock = 12,
  cudaDevAttrClockRate = 13,
  cudaDevAttrMultiProcessorCount = 16,
  cudaDevAttrMemoryClockRate = 36,
  cudaDevAttrGlobalMemoryBusWidth = 37,
  cudaDevAttrL2CacheSize = 38,
  cudaDevAttrMaxThreadsPerMultiProcessor = 39,
  cudaDevAttrComputeCapabilityMajor = 75,
  cudaDevAttrComputeCapabilityMinor = 76,
  cudaDevAttrMaxSharedMemoryPerMultiprocessor = 81,
  cudaDevAttrManagedMemory = 83,
  cudaDevAttrConcurrentManagedAccess = 89,
  cudaDevAttrCooperativeLaunch = 95,
  cudaDevAttrMaxSharedMemoryPerBlockOptin = 97
};
/// The type of cudaStreamDefault, which programs use both as a flag and as a stream.
struct default_stream {
  constexpr operator unsigned() const { return 0; }
  constexpr operator cudaStream_t() const { return nullptr; }
};
inline constexpr default_stream cudaStreamDefault{};
inline constexpr unsigned cudaStreamNonBlocking = 1, cudaEventDefault = 0, cudaEventBlockingSync = 1,
                          cudaEventDisableTiming = 2, cudaHostAllocDefault = 0, cudaHostAllocPortable = 1,
                          cudaHostAllocMapped = 2, cudaHostAllocWriteCombined = 4, cudaHostRegisterDefault = 0,
                          cudaMemAttachGlobal = 1, cudaDeviceMapHost = 8, cudaDeviceScheduleAuto = 0,
                          cudaDeviceScheduleSpin = 1, cudaDeviceScheduleYield = 2, cudaDeviceScheduleBlockingSync = 4;
inline constexpr int cudaCpuDeviceId = -1, cudaInvalidDeviceId = -2;

/// Properties that the library knows have the machine's values. The sizes of the memories, and what a device can do,
/// are the same for all machines. All other properties are 0.
struct cudaDeviceProp {
  char name[256];
  std::size_t totalGlobalMem, sharedMemPerBlock, sharedMemPerBlockOptin, sharedMemPerMultiprocessor, totalConstMem,
      textureAlignment, memPitch;
  int warpSize, regsPerBlock, regsPerMultiprocessor, maxThreadsPerBlock, maxThreadsPerMultiProcessor, maxThreadsDim[3],
      maxGridSize[3], clockRate, memoryClockRate, memoryBusWidth, l2CacheSize, multiProcessorCount, major, minor,
      computeMode, integrated, canMapHostMemory, concurrentKernels, deviceOverlap, asyncEngineCount, ECCEnabled,
      pciBusID, pciDeviceID, pciDomainID, unifiedAddressing, managedMemory, concurrentManagedAccess, tccDriver,
      kernelExecTimeoutEnabled, cooperativeLaunch, isMultiGpuBoard, clockInstructionRate;
  char gcnArchName[256];
};

}  // namespace host::api

// A program may have functions named copy, set or check, so the functions below are in a namespace of their own.
namespace detail::host_memory_calls {

using namespace host::api;

#ifdef __clang__
#pragma clang attribute push(__attribute__((not_tail_called)), apply_to = function)
#endif
/// The macros at the end of this header call this function with their arguments as text, so that each allocation gets
/// the name of its variable. Some of these macros also take flags or streams, which change nothing here.
template <class T, class... Options>
[[gnu::noinline]] cudaError_t allocate(char const* words, T** to, std::size_t bytes, Options const&...) {
  *to = static_cast<T*>(detail::allocate_on_host(bytes, words, __builtin_return_address(0)));
  return cudaSuccess;
}
/// Rows begin at multiples of 512 bytes here. (What a GPU chooses is not documented.)
template <class T>
[[gnu::noinline]] cudaError_t allocate_rows(char const* words, T** to, std::size_t* pitch, std::size_t width,
                                            std::size_t height) {
  *pitch = (width + 511) / 512 * 512;
  *to = static_cast<T*>(detail::allocate_on_host(*pitch * height, words, __builtin_return_address(0)));
  return cudaSuccess;
}
inline void check(void const* to, void const* from, std::size_t bytes, cudaMemcpyKind kind, void const* place) {
  bool const is_default = kind == cudaMemcpyDefault;
  if (kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice || (is_default && detail::is_of_device(to)))
    detail::check_on_host(to, bytes, "cudaMemcpy", place);
  if (kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice || (is_default && detail::is_of_device(from)))
    detail::check_on_host(from, bytes, "cudaMemcpy", place);
}
inline cudaError_t copy(void* to, void const* from, std::size_t bytes, cudaMemcpyKind kind, void const* place) {
  check(to, from, bytes, kind, place);
  return bytes == 0 ? nullptr : std::memmove(to, from, bytes), cudaSuccess;
}
inline cudaError_t copy_rows(void* to, std::size_t to_pitch, void const* from, std::size_t from_pitch,
                             std::size_t width, std::size_t height, cudaMemcpyKind kind, void const* place) {
  for (std::size_t row = 0; row != height; ++row)
    copy(static_cast<char*>(to) + row * to_pitch, static_cast<char const*>(from) + row * from_pitch, width, kind,
         place);
  return cudaSuccess;
}
inline cudaError_t set(void* to, int value, std::size_t bytes, void const* place) {
  detail::check_on_host(to, bytes, "cudaMemset", place);
  return std::memset(to, value, bytes), cudaSuccess;
}
/// The address at an offset in a variable. Refused: an offset from which `bytes` bytes reach past the variable's end.
template <class T>
char* place_in(T& symbol, std::size_t bytes, std::size_t offset, void const* place) {
  if (bytes > sizeof symbol || offset > sizeof symbol - bytes)
    detail::refuse_on_host("a copy reaches past the end of its variable", place);
  return const_cast<char*>(reinterpret_cast<char const*>(&symbol)) + offset;
}
/// Copies between a variable and other memory. nullptr in `to` or `from` stands for the variable. A program that gives
/// the variable's name in quotes gets an error, as it does since CUDA 5.
template <class T>
cudaError_t copy_of_variable(T& symbol, void* to, void const* from, std::size_t bytes, std::size_t offset,
                             cudaMemcpyKind kind, void const* place) {
  if constexpr (std::is_same_v<std::remove_extent_t<T>, char const>) {
    last_error = cudaErrorInvalidSymbol;
    return cudaErrorInvalidSymbol;
  } else {
    char* const in_it = place_in(symbol, bytes, offset, place);
    void const* const other = to == nullptr ? from : to;
    if (kind == cudaMemcpyDeviceToDevice || (kind == cudaMemcpyDefault && detail::is_of_device(other)))
      detail::check_on_host(other, bytes, to == nullptr ? "cudaMemcpyToSymbol" : "cudaMemcpyFromSymbol", place);
    std::memmove(to == nullptr ? in_it : to, from == nullptr ? in_it : from, bytes);
    return cudaSuccess;
  }
}
#ifdef __clang__
#pragma clang attribute pop
#endif

}  // namespace detail::host_memory_calls

namespace host::api {

#define COALESCE_API_FUNCTION [[gnu::noinline, maybe_unused]] static
#ifdef __clang__
#pragma clang attribute push(__attribute__((not_tail_called)), apply_to = function)
#endif

// ---- Errors and devices ----

inline cudaError_t cudaGetLastError() {
  auto const last = static_cast<cudaError_t>(detail::last_error);
  return detail::last_error = 0, last;
}
inline cudaError_t cudaPeekAtLastError() { return static_cast<cudaError_t>(detail::last_error); }
namespace own {
struct error_words {
  cudaError_t error;
  char const *name, *words;
};
inline constexpr error_words words_of_errors[] = {
    {cudaSuccess, "cudaSuccess", "no error"},
    {cudaErrorInvalidValue, "cudaErrorInvalidValue", "invalid argument"},
    {cudaErrorMemoryAllocation, "cudaErrorMemoryAllocation", "out of memory"},
    {cudaErrorInvalidConfiguration, "cudaErrorInvalidConfiguration", "invalid configuration argument"},
    {cudaErrorInvalidSymbol, "cudaErrorInvalidSymbol", "invalid device symbol"},
    {cudaErrorInvalidDevice, "cudaErrorInvalidDevice", "invalid device ordinal"},
};
}  // namespace own
inline char const* cudaGetErrorName(cudaError_t error) {
  for (own::error_words const& each : own::words_of_errors)
    if (each.error == error) return each.name;
  return "cudaErrorUnknown";
}
inline char const* cudaGetErrorString(cudaError_t error) {
  for (own::error_words const& each : own::words_of_errors)
    if (each.error == error) return each.words;
  return "unknown error";
}
inline cudaError_t cudaGetDeviceCount(int* count) { return *count = 1, cudaSuccess; }
inline cudaError_t cudaGetDevice(int* device) { return *device = 0, cudaSuccess; }
inline cudaError_t cudaSetDevice(int device) {
  if (device == 0) return cudaSuccess;
  detail::last_error = cudaErrorInvalidDevice;
  return cudaErrorInvalidDevice;
}
inline cudaError_t cudaGetDeviceProperties(cudaDeviceProp* to, int) {
  auto const& machine = detail::machine_on_host();
  std::memset(to, 0, sizeof *to);
  std::memcpy(to->name, machine.name, sizeof machine.name),
      std::memcpy(to->gcnArchName, machine.name, sizeof machine.name);
  to->warpSize = static_cast<int>(machine.lanes), to->major = static_cast<int>(machine.major);
  to->minor = static_cast<int>(machine.minor), to->multiProcessorCount = static_cast<int>(machine.multiprocessors);
  to->sharedMemPerBlock = machine.shared_of_block, to->sharedMemPerBlockOptin = machine.shared_of_asking_block;
  to->sharedMemPerMultiprocessor = machine.shared_of_multiprocessor;
  to->maxThreadsPerBlock = 1024;
  auto const most = detail::launch_limits_on_host();
  unsigned const sizes[] = {most.block.x, most.block.y, most.block.z, most.grid.x, most.grid.y, most.grid.z};
  for (unsigned k = 0; k != 3; ++k)
    to->maxThreadsDim[k] = static_cast<int>(sizes[k]), to->maxGridSize[k] = static_cast<int>(sizes[k + 3]);
  to->totalGlobalMem = std::size_t{1} << 34, to->totalConstMem = 65536;
  to->deviceOverlap = to->concurrentKernels = to->asyncEngineCount = 1;
  to->canMapHostMemory = to->unifiedAddressing = to->managedMemory = to->concurrentManagedAccess = 1;
  return cudaSuccess;
}
inline cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr which, int device) {
  cudaDeviceProp all;
  cudaGetDeviceProperties(&all, device);
  std::pair<cudaDeviceAttr, int> const known[] = {
      {cudaDevAttrMaxThreadsPerBlock, all.maxThreadsPerBlock},
      {cudaDevAttrMaxBlockDimX, all.maxThreadsDim[0]},
      {cudaDevAttrMaxBlockDimY, all.maxThreadsDim[1]},
      {cudaDevAttrMaxBlockDimZ, all.maxThreadsDim[2]},
      {cudaDevAttrMaxGridDimX, all.maxGridSize[0]},
      {cudaDevAttrMaxGridDimY, all.maxGridSize[1]},
      {cudaDevAttrMaxGridDimZ, all.maxGridSize[2]},
      {cudaDevAttrMaxSharedMemoryPerBlock, static_cast<int>(all.sharedMemPerBlock)},
      {cudaDevAttrMaxSharedMemoryPerBlockOptin, static_cast<int>(all.sharedMemPerBlockOptin)},
      {cudaDevAttrTotalConstantMemory, static_cast<int>(all.totalConstMem)},
      {cudaDevAttrWarpSize, all.warpSize},
      {cudaDevAttrMultiProcessorCount, all.multiProcessorCount},
      {cudaDevAttrComputeCapabilityMajor, all.major},
      {cudaDevAttrComputeCapabilityMinor, all.minor},
      {cudaDevAttrMaxSharedMemoryPerMultiprocessor, static_cast<int>(all.sharedMemPerMultiprocessor)},
      {cudaDevAttrManagedMemory, 1},
      {cudaDevAttrConcurrentManagedAccess, 1},
  };
  *value = 0;  // for an attribute that the library does not know
  for (auto const& [attribute, figure] : known)
    if (attribute == which) *value = figure;
  return cudaSuccess;
}
inline cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }
inline cudaError_t cudaThreadSynchronize() { return cudaSuccess; }
inline cudaError_t cudaDeviceReset() { return cudaSuccess; }
inline cudaError_t cudaThreadExit() { return cudaSuccess; }
inline cudaError_t cudaSetDeviceFlags(unsigned) { return cudaSuccess; }
inline cudaError_t cudaDeviceSetLimit(cudaLimit, std::size_t) { return cudaSuccess; }
inline cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return cudaSuccess; }
inline cudaError_t cudaThreadSetCacheConfig(cudaFuncCache) { return cudaSuccess; }
inline cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) { return cudaSuccess; }
template <class Kernel>
cudaError_t cudaFuncSetCacheConfig(Kernel const&, cudaFuncCache) {
  return cudaSuccess;
}
template <class Kernel, class Attribute>
cudaError_t cudaFuncSetAttribute(Kernel const&, Attribute, int) {
  return cudaSuccess;
}
inline cudaError_t cudaRuntimeGetVersion(int* version) { return *version = 13000, cudaSuccess; }
inline cudaError_t cudaDriverGetVersion(int* version) { return *version = 13000, cudaSuccess; }
inline cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  return *free = *total = std::size_t{1} << 34, cudaSuccess;
}
inline cudaError_t cudaProfilerStart() { return cudaSuccess; }
inline cudaError_t cudaProfilerStop() { return cudaSuccess; }

// ---- Streams and events ----

inline cudaError_t cudaStreamCreate(cudaStream_t* stream) { return *stream = nullptr, cudaSuccess; }
inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) { return *stream = nullptr, cudaSuccess; }
inline cudaError_t cudaStreamCreateWithPriority(cudaStream_t* to, unsigned, int) { return *to = nullptr, cudaSuccess; }
inline cudaError_t cudaStreamDestroy(cudaStream_t) { return cudaSuccess; }
inline cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaSuccess; }
inline cudaError_t cudaStreamQuery(cudaStream_t) { return cudaSuccess; }
inline cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned = 0) { return cudaSuccess; }
inline cudaError_t cudaEventCreate(cudaEvent_t* event) { return *event = nullptr, cudaSuccess; }
inline cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) { return *event = nullptr, cudaSuccess; }
inline cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned) { return *event = nullptr, cudaSuccess; }
inline cudaError_t cudaEventDestroy(cudaEvent_t) { return cudaSuccess; }
inline cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t = nullptr) { return cudaSuccess; }
inline cudaError_t cudaEventSynchronize(cudaEvent_t) { return cudaSuccess; }
inline cudaError_t cudaEventQuery(cudaEvent_t) { return cudaSuccess; }
inline cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t, cudaEvent_t) {
  return *milliseconds = 0, cudaSuccess;
}

// ---- Memory ----

COALESCE_API_FUNCTION cudaError_t cudaFree(void const volatile* memory) {
  detail::free_on_host(const_cast<void const*>(memory), __builtin_return_address(0));
  return cudaSuccess;
}
COALESCE_API_FUNCTION cudaError_t cudaFreeHost(void const volatile* memory) {
  detail::free_on_host(const_cast<void const*>(memory), __builtin_return_address(0));
  return cudaSuccess;
}
COALESCE_API_FUNCTION cudaError_t cudaFreeAsync(void const volatile* memory, cudaStream_t) {
  detail::free_on_host(const_cast<void const*>(memory), __builtin_return_address(0));
  return cudaSuccess;
}
COALESCE_API_FUNCTION cudaError_t cudaMemcpy(void* to, void const* from, std::size_t bytes, cudaMemcpyKind kind) {
  return detail::host_memory_calls::copy(to, from, bytes, kind, __builtin_return_address(0));
}
COALESCE_API_FUNCTION cudaError_t cudaMemcpyAsync(void* to, void const* from, std::size_t bytes, cudaMemcpyKind kind,
                                                  cudaStream_t = nullptr) {
  return detail::host_memory_calls::copy(to, from, bytes, kind, __builtin_return_address(0));
}
COALESCE_API_FUNCTION cudaError_t cudaMemcpy2D(void* to, std::size_t to_pitch, void const* from, std::size_t from_pitch,
                                               std::size_t width, std::size_t height, cudaMemcpyKind kind) {
  return detail::host_memory_calls::copy_rows(to, to_pitch, from, from_pitch, width, height, kind,
                                              __builtin_return_address(0));
}
COALESCE_API_FUNCTION cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, void const* from,
                                                    std::size_t from_pitch, std::size_t width, std::size_t height,
                                                    cudaMemcpyKind kind, cudaStream_t = nullptr) {
  return detail::host_memory_calls::copy_rows(to, to_pitch, from, from_pitch, width, height, kind,
                                              __builtin_return_address(0));
}
COALESCE_API_FUNCTION cudaError_t cudaMemset(void* to, int value, std::size_t bytes) {
  return detail::host_memory_calls::set(to, value, bytes, __builtin_return_address(0));
}
COALESCE_API_FUNCTION cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t = nullptr) {
  return detail::host_memory_calls::set(to, value, bytes, __builtin_return_address(0));
}
COALESCE_API_FUNCTION cudaError_t cudaMemset2D(void* to, std::size_t pitch, int value, std::size_t width,
                                               std::size_t height) {
  for (std::size_t row = 0; row != height; ++row)
    detail::host_memory_calls::set(static_cast<char*>(to) + row * pitch, value, width, __builtin_return_address(0));
  return cudaSuccess;
}
template <class T>
[[gnu::noinline]] cudaError_t cudaMemcpyToSymbol(T& symbol, void const* from, std::size_t bytes, std::size_t offset = 0,
                                                 cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return detail::host_memory_calls::copy_of_variable(symbol, nullptr, from, bytes, offset, kind,
                                                     __builtin_return_address(0));
}
template <class T>
[[gnu::noinline]] cudaError_t cudaMemcpyToSymbolAsync(T& symbol, void const* from, std::size_t bytes,
                                                      std::size_t offset, cudaMemcpyKind kind, cudaStream_t = nullptr) {
  return detail::host_memory_calls::copy_of_variable(symbol, nullptr, from, bytes, offset, kind,
                                                     __builtin_return_address(0));
}
template <class T>
[[gnu::noinline]] cudaError_t cudaMemcpyFromSymbol(void* to, T& symbol, std::size_t bytes, std::size_t offset = 0,
                                                   cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return detail::host_memory_calls::copy_of_variable(symbol, to, nullptr, bytes, offset, kind,
                                                     __builtin_return_address(0));
}
template <class Pointer, class T>
cudaError_t cudaGetSymbolAddress(Pointer** to, T const& symbol) {
  *to = const_cast<std::remove_const_t<T>*>(&symbol);
  return cudaSuccess;
}
template <class T>
cudaError_t cudaGetSymbolSize(std::size_t* size, T const&) {
  return *size = sizeof(T), cudaSuccess;
}
template <class T>
cudaError_t cudaHostGetDevicePointer(T** to, void* memory, unsigned) {
  return *to = static_cast<T*>(memory), cudaSuccess;
}
inline cudaError_t cudaMemPrefetchAsync(void const*, std::size_t, int, cudaStream_t = nullptr) { return cudaSuccess; }
inline cudaError_t cudaMemAdvise(void const*, std::size_t, cudaMemoryAdvise, int) { return cudaSuccess; }

// ---- Launches ----

template <class... Parameters>
[[gnu::noinline]] cudaError_t cudaLaunchKernel(void (*kernel)(Parameters...), dim3 grid, dim3 block, void** arguments,
                                               std::size_t bytes = 0, cudaStream_t = nullptr) {
  auto const call = [&]<std::size_t... K>(std::index_sequence<K...>) {
    std::tuple<void (*)(Parameters...), std::decay_t<Parameters>...> const all{
        kernel, *static_cast<std::decay_t<Parameters>*>(arguments[K])...};
    detail::launch_on_host(
        {"", grid, block, bytes},
        [](void const* self) {
          auto const& of = *static_cast<decltype(all)*>(self);
          std::get<0>(of)(std::get<K + 1>(of)...);
        },
        &all, sizeof all, __builtin_return_address(0));
  };
  call(std::index_sequence_for<Parameters...>{});
  return cudaPeekAtLastError();
}
#ifdef __clang__
#pragma clang attribute pop
#endif
#undef COALESCE_API_FUNCTION

}  // namespace host::api
}  // namespace coalescing
#ifdef __clang__
#pragma clang attribute pop
#endif

using namespace coalescing::host::api;  // programs use these names without a namespace

#define COALESCE_ALLOCATE(...) ::coalescing::detail::host_memory_calls::allocate(#__VA_ARGS__, __VA_ARGS__)
#define cudaMalloc(...) COALESCE_ALLOCATE(__VA_ARGS__)
#define cudaMallocAsync(...) COALESCE_ALLOCATE(__VA_ARGS__)
#define cudaMallocManaged(...) COALESCE_ALLOCATE(__VA_ARGS__)
#define cudaMallocHost(...) COALESCE_ALLOCATE(__VA_ARGS__)
#define cudaHostAlloc(...) COALESCE_ALLOCATE(__VA_ARGS__)
#define cudaMallocPitch(...) ::coalescing::detail::host_memory_calls::allocate_rows(#__VA_ARGS__, __VA_ARGS__)

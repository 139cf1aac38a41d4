// SPDX-License-Identifier: BSL-1.0
//
// Launches the kernels of tests/host/binary/everyday.cu, in their order and with the contents of one number, on the GPU
// of this machine: `run` here counts the accesses of each instruction with ncu. Then the kernels below, whose accesses
// have one kind each: to local memory, and atomics of shared memory.
//   kernels CONTENTS
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <functional>

#include "host/binary/everyday_contents.hpp"

namespace everyday {
#include "host/binary/everyday.cu"
}  // namespace everyday

namespace {

using everyday::filled, everyday::made;

void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
  std::exit(1);
}

struct row {
  char const* name;
  std::function<void(std::array<char*, 3>)> run;
  filled first, second;
};
template <class Out, class A, class B, class Number>
row row_of(char const* name, void (*run)(Out*, A*, B*, Number), filled first, filled second, std::uint64_t n = 0,
           made = made::as_written) {
  return {name,
          [run, n](std::array<char*, 3> at) {
            run<<<everyday::blocks, everyday::threads>>>(reinterpret_cast<Out*>(at[0]), reinterpret_cast<A*>(at[1]),
                                                         reinterpret_cast<B*>(at[2]), static_cast<Number>(n));
          },
          first, second};
}

#include "host/binary/everyday_rows.inc"

// A local array of 32 elements, which the indices of the lanes read and write.
template <class T>
__device__ void local(unsigned* out, unsigned const* index) {
  T numbers[32];
#pragma unroll 1
  for (unsigned k = 0; k != 32; ++k) numbers[k] = T(k * threadIdx.x);
  numbers[index[threadIdx.x] & 31] = T(threadIdx.x);
  out[threadIdx.x] = static_cast<unsigned>(numbers[index[32 + threadIdx.x] & 31]);
}
struct alignas(16) sixteen {
  unsigned long long low, high;
  __device__ sixteen() {}
  __device__ explicit sixteen(unsigned k) : low(k), high(k + 1) {}
  __device__ explicit operator unsigned() const { return static_cast<unsigned>(low + high); }
};
#define local_array(name, type) \
  extern "C" __global__ void name(unsigned* out, unsigned const* index) { local<type>(out, index); }
local_array(local_1, unsigned char);
local_array(local_2, unsigned short);
local_array(local_4, unsigned);
local_array(local_8, unsigned long long);
local_array(local_16, sixteen);

// Atomics of shared memory, at the word that the index of each lane names, by the lanes that take part.
#define shared_atomics(name, type, what)                                  \
  extern "C" __global__ void name(unsigned* out, unsigned const* index) { \
    __shared__ type words[1024];                                          \
    type* const at = &words[index[threadIdx.x] & 1023];                   \
    type const x = static_cast<type>(index[32 + threadIdx.x]);            \
    *at = 0;                                                              \
    __syncwarp();                                                         \
    if (index[64 + threadIdx.x] != 0) what;                               \
    __syncwarp();                                                         \
    out[threadIdx.x] = static_cast<unsigned>(*at);                        \
  }
shared_atomics(shared_add_4, unsigned, atomicAdd(at, x));
shared_atomics(shared_add_4_and_back, unsigned, out[32 + threadIdx.x] = atomicAdd(at, x));
shared_atomics(shared_max_4, unsigned, atomicMax(at, x));
shared_atomics(shared_cas_4, unsigned, out[32 + threadIdx.x] = atomicCAS(at, 0u, x));
shared_atomics(shared_swap_8, unsigned long long, out[32 + threadIdx.x] = (unsigned)atomicExch(at, x));
shared_atomics(shared_cas_8, unsigned long long, out[32 + threadIdx.x] = (unsigned)atomicCAS(at, 0ull, x));

}  // namespace

int main(int count, char** with) {
  if (count != 2) return std::puts("usage: kernels CONTENTS"), 2;
  unsigned const n = static_cast<unsigned>(std::atoi(with[1]));
  std::array<char*, 3> at;
  for (char*& each : at) check(cudaMalloc(&each, everyday::buffer_bytes));
  auto const copy = [](char* to, std::vector<unsigned char> const& from) {
    check(cudaMemcpy(to, from.data(), from.size(), cudaMemcpyHostToDevice));
  };
  for (row const& each : rows()) {
    everyday::generator random(n);
    auto const values = reinterpret_cast<std::uint64_t>(at[2]);
    check(cudaMemset(at[0], 0, everyday::buffer_bytes));
    copy(at[1], contents(random, each.first, n, values));
    copy(at[2], contents(random, each.second, n / 2, values));
    each.run(at);
    check(cudaGetLastError());
    check(cudaDeviceSynchronize());
  }
  // The index of each lane for its store or atomic, then that for its load: one for all, the lane's, and random ones.
  // Then whether the lane takes part in an atomic: from the sixth contents on, half of them do.
  everyday::generator random(n);
  std::vector<unsigned char> bytes(everyday::buffer_bytes);
  for (unsigned lane = 0; lane != 96; ++lane) {
    unsigned const number = random(), few = 8u << n % 3 * 3;
    unsigned const index = lane >= 64 ? n < 6 || number % 2 == 0
                           : n == 0   ? 7u
                           : n == 1   ? lane
                           : n == 2   ? lane * 32
                           : n == 3   ? lane / 2
                                      : number % few;
    std::memcpy(&bytes[lane * 4], &index, 4);
  }
  copy(at[1], bytes);
  for (auto* run : {&local_1, &local_2, &local_4, &local_8, &local_16, &shared_add_4, &shared_add_4_and_back,
                    &shared_max_4, &shared_cas_4, &shared_swap_8, &shared_cas_8}) {
    (*run)<<<1, 32>>>(reinterpret_cast<unsigned*>(at[0]), reinterpret_cast<unsigned const*>(at[1]));
    check(cudaGetLastError());
    check(cudaDeviceSynchronize());
  }
  return 0;
}

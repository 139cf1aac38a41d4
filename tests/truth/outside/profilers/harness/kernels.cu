// SPDX-License-Identifier: BSL-1.0
//
// Runs the patterns of a file (harness.cpp), each as one instruction of one warp in a kernel of its own, in their
// order: `run` here counts them with ncu. The addresses are the kernel's arguments, which no counter of L1 or shared
// memory sees.
//   kernels PATTERNS
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

namespace {

constexpr std::size_t global_bytes = 16u << 20, shared_bytes = 32u << 10;  // harness.cpp has as many
constexpr std::size_t spare = 64u << 10;                                   // no copy ends beyond

struct addresses {
  std::uint64_t at[32];
  std::uint32_t active;
};

void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
  std::exit(1);
}

extern __shared__ __align__(1024) char in_shared[];
__device__ std::uint32_t shared_at(std::uint64_t offset) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(in_shared)) + static_cast<std::uint32_t>(offset);
}

// Keeps a load alive: its value is stored if it equals this one, which memory never holds.
constexpr std::uint64_t never = 0x9e37'79b9'7f4a'7c15;

template <unsigned Bytes>
struct load {
  static __device__ void run(char* memory, addresses const& of) {
    char const* const from = memory + of.at[threadIdx.x];
    std::uint64_t value = 0, more = 0;
    if constexpr (Bytes == 1)
      asm volatile("{.reg .u32 t; ld.global.u8 t, [%1]; cvt.u64.u32 %0, t;}" : "=l"(value) : "l"(from));
    if constexpr (Bytes == 2)
      asm volatile("{.reg .u32 t; ld.global.u16 t, [%1]; cvt.u64.u32 %0, t;}" : "=l"(value) : "l"(from));
    if constexpr (Bytes == 4)
      asm volatile("{.reg .u32 t; ld.global.u32 t, [%1]; cvt.u64.u32 %0, t;}" : "=l"(value) : "l"(from));
    if constexpr (Bytes == 8) asm volatile("ld.global.u64 %0, [%1];" : "=l"(value) : "l"(from));
    if constexpr (Bytes == 16) asm volatile("ld.global.v2.u64 {%0, %1}, [%2];" : "=l"(value), "=l"(more) : "l"(from));
    if ((value ^ more) == never) *reinterpret_cast<std::uint64_t*>(memory) = value;
  }
};
template <unsigned Bytes>
struct store {
  static __device__ void run(char* memory, addresses const& of) {
    char* const to = memory + of.at[threadIdx.x];
    std::uint64_t const value = threadIdx.x;
    if constexpr (Bytes == 1)
      asm volatile("st.global.u8 [%0], %1;" ::"l"(to), "r"(static_cast<unsigned>(value)) : "memory");
    if constexpr (Bytes == 2)
      asm volatile("st.global.u16 [%0], %1;" ::"l"(to), "h"(static_cast<unsigned short>(value)) : "memory");
    if constexpr (Bytes == 4)
      asm volatile("st.global.u32 [%0], %1;" ::"l"(to), "r"(static_cast<unsigned>(value)) : "memory");
    if constexpr (Bytes == 8) asm volatile("st.global.u64 [%0], %1;" ::"l"(to), "l"(value) : "memory");
    if constexpr (Bytes == 16) asm volatile("st.global.v2.u64 [%0], {%1, %1};" ::"l"(to), "l"(value) : "memory");
  }
};
template <unsigned Bytes>
struct shared_load {
  static __device__ void run(char* memory, addresses const& of) {
    auto const from = shared_at(of.at[threadIdx.x]);
    std::uint64_t value = 0, more = 0;
    if constexpr (Bytes == 1)
      asm volatile("{.reg .u32 t; ld.shared.u8 t, [%1]; cvt.u64.u32 %0, t;}" : "=l"(value) : "r"(from));
    if constexpr (Bytes == 2)
      asm volatile("{.reg .u32 t; ld.shared.u16 t, [%1]; cvt.u64.u32 %0, t;}" : "=l"(value) : "r"(from));
    if constexpr (Bytes == 4)
      asm volatile("{.reg .u32 t; ld.shared.u32 t, [%1]; cvt.u64.u32 %0, t;}" : "=l"(value) : "r"(from));
    if constexpr (Bytes == 8) asm volatile("ld.shared.u64 %0, [%1];" : "=l"(value) : "r"(from));
    if constexpr (Bytes == 16) asm volatile("ld.shared.v2.u64 {%0, %1}, [%2];" : "=l"(value), "=l"(more) : "r"(from));
    if ((value ^ more) == never) *reinterpret_cast<std::uint64_t*>(memory) = value;
  }
};
template <unsigned Bytes>
struct shared_store {
  static __device__ void run(char*, addresses const& of) {
    auto const to = shared_at(of.at[threadIdx.x]);
    std::uint64_t const value = threadIdx.x;
    if constexpr (Bytes == 1)
      asm volatile("st.shared.u8 [%0], %1;" ::"r"(to), "r"(static_cast<unsigned>(value)) : "memory");
    if constexpr (Bytes == 2)
      asm volatile("st.shared.u16 [%0], %1;" ::"r"(to), "h"(static_cast<unsigned short>(value)) : "memory");
    if constexpr (Bytes == 4)
      asm volatile("st.shared.u32 [%0], %1;" ::"r"(to), "r"(static_cast<unsigned>(value)) : "memory");
    if constexpr (Bytes == 8) asm volatile("st.shared.u64 [%0], %1;" ::"r"(to), "l"(value) : "memory");
    if constexpr (Bytes == 16) asm volatile("st.shared.v2.u64 [%0], {%1, %1};" ::"r"(to), "l"(value) : "memory");
  }
};

// The instruction as it is or with .trans, in a struct with Matrices and Transposed. What follows the count is the rest
// of the asm statement.
#define IF_MATRICES(instruction, count, ...)                                            \
  if constexpr (Matrices == count && !Transposed)                                       \
    asm volatile(instruction ".sync.aligned.m8n8.x" #count ".shared.b16 " __VA_ARGS__); \
  if constexpr (Matrices == count && Transposed)                                        \
  asm volatile(instruction ".sync.aligned.m8n8.x" #count ".trans.shared.b16 " __VA_ARGS__)
// Lanes beyond those that give an address give one of theirs: those of lane % (8 * Matrices).
template <unsigned Matrices, bool Transposed = false>
struct ldmatrix {
  static __device__ void run(char* memory, addresses const& of) {
    auto const from = shared_at(of.at[threadIdx.x % (8 * Matrices)]);
    unsigned a = 0, b = 0, c = 0, d = 0;
    IF_MATRICES("ldmatrix", 1, "{%0}, [%1];" : "=r"(a) : "r"(from));
    IF_MATRICES("ldmatrix", 2, "{%0, %1}, [%2];" : "=r"(a), "=r"(b) : "r"(from));
    IF_MATRICES("ldmatrix", 4, "{%0, %1, %2, %3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "r"(from));
    if ((a ^ b ^ c ^ d) == static_cast<unsigned>(never)) *reinterpret_cast<unsigned*>(memory) = a;
  }
};
template <unsigned Matrices, bool Transposed = false>
struct stmatrix {
  static __device__ void run(char*, addresses const& of) {
#if __CUDA_ARCH__ >= 900
    auto const to = shared_at(of.at[threadIdx.x % (8 * Matrices)]);
    unsigned const value = threadIdx.x;
    IF_MATRICES("stmatrix", 1, "[%0], {%1};" ::"r"(to), "r"(value) : "memory");
    IF_MATRICES("stmatrix", 2, "[%0], {%1, %1};" ::"r"(to), "r"(value) : "memory");
    IF_MATRICES("stmatrix", 4, "[%0], {%1, %1, %1, %1};" ::"r"(to), "r"(value) : "memory");
#endif
  }
};
template <class Number>
struct atomic {
  static __device__ void run(char* memory, addresses const& of) {
    auto* const at = reinterpret_cast<Number*>(memory + of.at[threadIdx.x]);
    if (atomicAdd(at, Number{1}) == static_cast<Number>(never)) *reinterpret_cast<Number*>(memory) = Number{2};
  }
};

/// The pattern is of one side; on the other, lanes have neighbouring words.
template <unsigned Bytes, bool OfGlobal, unsigned Read = Bytes>
struct cp_async {
  static __device__ void run(char* memory, addresses const& of) {
#if __CUDA_ARCH__ >= 800
    std::uint64_t const mine = of.at[threadIdx.x], neighbour = Bytes * threadIdx.x;
    auto const to = shared_at(OfGlobal ? neighbour : mine);
    char const* const from = memory + (OfGlobal ? mine : neighbour);
    if constexpr (Read == Bytes)
      asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(to), "l"(from), "n"(Bytes) : "memory");
    else
      asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(to), "l"(from), "n"(Bytes), "n"(Read)
                   : "memory");
    asm volatile("cp.async.wait_all;" ::: "memory");
#endif
  }
};

template <class Instruction>
__global__ void one_warp(char* memory, __grid_constant__ addresses const of) {
  if (of.active >> threadIdx.x & 1) Instruction::run(memory, of);
}
template <class Instruction>
void launch(char* memory, addresses const& of) {
  one_warp<Instruction><<<1, 32, shared_bytes>>>(memory, of);
}

std::map<std::string, void (*)(char*, addresses const&)> const kernels{
    {"load<8>", launch<load<1>>},
    {"load<16>", launch<load<2>>},
    {"load<32>", launch<load<4>>},
    {"load<64>", launch<load<8>>},
    {"load<128>", launch<load<16>>},
    {"store<8>", launch<store<1>>},
    {"store<16>", launch<store<2>>},
    {"store<32>", launch<store<4>>},
    {"store<64>", launch<store<8>>},
    {"store<128>", launch<store<16>>},
    {"shared_load<8>", launch<shared_load<1>>},
    {"shared_load<16>", launch<shared_load<2>>},
    {"shared_load<32>", launch<shared_load<4>>},
    {"shared_load<64>", launch<shared_load<8>>},
    {"shared_load<128>", launch<shared_load<16>>},
    {"shared_store<8>", launch<shared_store<1>>},
    {"shared_store<16>", launch<shared_store<2>>},
    {"shared_store<32>", launch<shared_store<4>>},
    {"shared_store<64>", launch<shared_store<8>>},
    {"shared_store<128>", launch<shared_store<16>>},
    {"ldmatrix<1>", launch<ldmatrix<1>>},
    {"ldmatrix<2>", launch<ldmatrix<2>>},
    {"ldmatrix<4>", launch<ldmatrix<4>>},
    {"ldmatrix<4, matrix::m8n8_trans>", launch<ldmatrix<4, true>>},
    {"stmatrix<4>", launch<stmatrix<4>>},
    {"cp_async<4>::global", launch<cp_async<4, true>>},
    {"cp_async<8>::global", launch<cp_async<8, true>>},
    {"cp_async<16>::global", launch<cp_async<16, true>>},
    {"cp_async<4>::shared", launch<cp_async<4, false>>},
    {"cp_async<8>::shared", launch<cp_async<8, false>>},
    {"cp_async<16>::shared", launch<cp_async<16, false>>},
    {"ldmatrix<1, matrix::m8n8_trans>", launch<ldmatrix<1, true>>},
    {"ldmatrix<2, matrix::m8n8_trans>", launch<ldmatrix<2, true>>},
    {"stmatrix<1>", launch<stmatrix<1>>},
    {"stmatrix<2>", launch<stmatrix<2>>},
    {"stmatrix<1, matrix::m8n8_trans>", launch<stmatrix<1, true>>},
    {"stmatrix<2, matrix::m8n8_trans>", launch<stmatrix<2, true>>},
    {"stmatrix<4, matrix::m8n8_trans>", launch<stmatrix<4, true>>},
    {"cp_async<4, 1>::global", launch<cp_async<4, true, 1>>},
    {"cp_async<8, 5>::global", launch<cp_async<8, true, 5>>},
    {"cp_async<16, 4>::global", launch<cp_async<16, true, 4>>},
    {"cp_async<4, 1>::shared", launch<cp_async<4, false, 1>>},
    {"cp_async<8, 5>::shared", launch<cp_async<8, false, 5>>},
    {"cp_async<16, 4>::shared", launch<cp_async<16, false, 4>>},
    {"atomic<32>", launch<atomic<unsigned>>},
    {"atomic<64>", launch<atomic<unsigned long long>>},
};

}  // namespace

/// With --names, prints the instructions that there are kernels for, and needs no GPU.
int main(int count, char** arguments) {
  if (count == 2 && std::string(arguments[1]) == "--names") {
    for (auto const& [name, launch] : kernels) std::printf("%s\n", name.c_str());
    return 0;
  }
  std::ifstream in{count == 2 ? arguments[1] : ""};
  if (!in) return std::fprintf(stderr, "usage: kernels PATTERNS|--names\n"), 2;
  char* memory = nullptr;
  check(cudaMalloc(&memory, global_bytes + spare));
  check(cudaMemset(memory, 0, global_bytes + spare));
  for (std::string line; std::getline(in, line);) {
    std::istringstream words{line};
    std::string number, name, mask, word;
    std::getline(words, number, '\t'), std::getline(words, name, '\t'), std::getline(words, mask, '\t');
    addresses of{};
    of.active = static_cast<std::uint32_t>(std::stoull(mask, nullptr, 16));
    for (auto& address : of.at) {
      std::getline(words, word, '\t');
      address = std::stoull(word);
    }
    auto const kernel = kernels.find(name);
    if (kernel == kernels.end()) return std::fprintf(stderr, "no kernel for %s\n", name.c_str()), 1;
    kernel->second(memory, of);
    check(cudaGetLastError()), check(cudaDeviceSynchronize());
  }
}

// SPDX-License-Identifier: BSL-1.0
#include <coalesce/cuda.hpp>

#include <coalesce/record/host/cuda.hpp>

// Kernels with a mistake each.
__global__ void outside(float* a, unsigned past) { a[threadIdx.x + (blockIdx.x == 1 ? past : 0u)] = 0.f; }
__global__ void not_all(float* a) {
  if (threadIdx.x == 5) return;
  __syncthreads();
  a[threadIdx.x] = 0.f;
}
__global__ void two_barriers(float* a) {
  if (threadIdx.x < 32) {
    __syncthreads();
    a[threadIdx.x] = 1.f;
  } else {
    a[threadIdx.x] = 2.f;
    __syncthreads();
  }
}
__global__ void left_lane(int* a) {
  if (threadIdx.x == 7) return;
  a[threadIdx.x] = __shfl_sync(0xffffffffu, static_cast<int>(threadIdx.x), 7);
}
__global__ void mask_of_others(int* a) {
  if (threadIdx.x < 16)
    a[threadIdx.x] = __shfl_sync(0xffffffffu, 1, 0);
  else
    __syncthreads();
}
__global__ void mask_without_itself(int* a) { a[threadIdx.x] = __shfl_sync(1u, 1, 0); }
__global__ void waits(int* a) {
  while (*const_cast<int volatile*>(a) == 0) {
  }
}
__global__ void contradicts(int* a, int* b, unsigned times) {
  for (unsigned k = 0; k != times; ++k)
    if ((threadIdx.x + k) % 2 == 0)
      a[threadIdx.x] = 0;
    else
      b[threadIdx.x] = 0;
}
__device__ int variable[32];
__constant__ int constant[4] = {1, 2, 3, 4};
__global__ void reads_variables(int* a) { a[threadIdx.x] = variable[threadIdx.x] + constant[threadIdx.x % 4]; }
struct six {
  float x[6];
};
__global__ void copies_structs(six const* in, six* out) { out[threadIdx.x] = in[threadIdx.x]; }
__global__ void votes(unsigned* a) {
  unsigned const odd = __ballot_sync(0xffffffffu, threadIdx.x & 1);
  int const all = __all_sync(0xffffffffu, threadIdx.x < 32), any = __any_sync(0xffffffffu, threadIdx.x == 40);
  int const many = __syncthreads_count(threadIdx.x < 3);
  a[threadIdx.x] = odd + (all ? 1u : 0u) + (any ? 2u : 0u) + 4u * static_cast<unsigned>(many) +
                   static_cast<unsigned>(__shfl_up_sync(0xffffffffu, static_cast<int>(threadIdx.x), 1, 16));
}
__global__ void halves(int* a) {  // the halves of a warp meet apart
  unsigned const half = threadIdx.x < 16 ? 0x0000ffffu : 0xffff0000u;
  a[threadIdx.x] = __reduce_add_sync(half, static_cast<int>(threadIdx.x));
}
__global__ void doubles(float* a) { a[blockIdx.x * blockDim.x + threadIdx.x] *= 2.f; }

#include "by_hand.hpp"

#include <chrono>
#include <string>

namespace co = coalescing;
using co::cuda::cc90;
using co::host::array;

/// The words of a refusal.
template <class... Arguments>
static std::string refused_words(Arguments const&... arguments) {
  try {
    static_cast<void>(co::host::record<cc90>(arguments...));
  } catch (co::misuse const& refusal) {
    return refusal.what();
  }
  return "";
}
static bool has(std::string const& words, char const* part) {
  INFO(words);
  CHECK(words.find(part) != std::string::npos);
  return words.find(part) != std::string::npos;
}

TEST_CASE("host: refusals name the line and the thread") {
  std::vector<float> floats(64), next(64);
  std::vector<int> ints(64), more(64);
  co::launch const warp{.block = {32}}, two{.block = {64}};
  std::string words = refused_words(outside, co::launch{.grid = {2}, .block = {32}}, array{"a", floats}, 40u);
  CHECK((has(words, "refusals.cpp:7, block (1,0,0), thread (24,0,0): an access of 4 bytes lies outside every array")));
  CHECK(has(refused_words(not_all, warp, array{"a", floats}),
            "thread (0,0,0) waits at a barrier; block (0,0,0), thread (5,0,0) has left"));
  CHECK(has(refused_words(two_barriers, two, array{"a", floats}), "wait at different barriers"));
  words = refused_words(left_lane, warp, array{"a", ints});
  CHECK((has(words, "refusals.cpp:24, block (0,0,0), thread (0,0,0): reads from lane 7, which has left")));
  CHECK(has(refused_words(mask_of_others, warp, array{"a", ints}),
            "waits for lanes of its mask that do not come; the first is 16"));
  CHECK(has(refused_words(mask_without_itself, warp, array{"a", ints}),
            "thread (1,0,0): the mask does not name the lane itself"));
  co::host::launch patient{.block = {32}, .most_accesses = 1000};
  CHECK(has(refused_words(waits, patient, array{"a", ints}), "too many accesses before a barrier"));
  CHECK(has(refused_words(contradicts, warp, array{"a", ints}, array{"b", more}, 2u), "in different orders"));
  CHECK(has(refused_words(reads_variables, warp, array{"a", ints}), "outside every array"));
  CHECK(has(refused_words(doubles, co::host::launch{.block = {32}, .every = 0}, array{"a", floats}), ".every is 0"));
  // After refusals all goes on.
  CHECK(co::host::record<cc90>(outside, warp, array{"a", floats}, 0u).stores("a").transactions == 4);
}

TEST_CASE("host: threads that leave, where that is meant") {
  std::vector<float> floats(32, 1.f);
  auto const seen =
      co::host::record<cc90>(not_all, co::host::launch{.block = {32}, .threads_may_leave = true}, array{"a", floats});
  CHECK((seen.stores("a").issued == 1 && floats[5] == 1.f && floats[6] == 0.f));
}

TEST_CASE("host: arrays that are no arguments, and constants") {
  for (int k = 0; k != 32; ++k) variable[k] = 10 * k;
  std::vector<int> out(32);
  auto const seen = co::host::record<cc90>(
      reads_variables, co::host::launch{.block = {32}, .also = {array{"variable", variable, 32}}}, array{"a", out});
  CHECK((out[5] == 52 && seen.loads("variable").transactions == 4 && seen.size() == 2));
}

TEST_CASE("host: votes, and lanes that meet apart") {
  std::vector<unsigned> out(32);
  static_cast<void>(co::host::record<cc90>(votes, co::launch{.block = {32}}, array{"a", out}));
  for (unsigned k = 0; k != 32; ++k) CHECK(out[k] == 0xaaaaaaaau + 1 + 12 + (k % 16 == 0 ? k : k - 1));
  std::vector<int> sums(32);
  static_cast<void>(co::host::record<cc90>(halves, co::launch{.block = {32}}, array{"a", sums}));
  CHECK((sums[0] == 120 && sums[31] == 376));
}

TEST_CASE("host: structs that are copied whole") {
  std::vector<six> in(32), out(32);
  auto const seen =
      co::host::record<cc90>(copies_structs, co::launch{.block = {32}}, array{"in", in}, array{"out", out});
#ifdef SEES_STRUCTS
  // 24 bytes at addresses that have 8 in common: three accesses of 8 bytes, each to all 24 sectors.
  CHECK((seen.loads("in").issued == 3 && seen.loads("in").transactions == 3 * 24));
  CHECK((seen.stores("out").issued == 3 && seen.stores("out").transactions == 3 * 24));
#else
  CHECK(seen.total().issued == 0);  // clang's trace-loads does not see them: the manual says so
#endif
}

TEST_CASE("host: a million threads, and blocks that are sampled, with progress") {
  std::vector<float> values(1 << 20, 1.f);
  std::uint64_t told = 0;
  auto const begin = std::chrono::steady_clock::now();
  auto const seen = co::host::record<cc90>(
      doubles,
      co::host::launch{.grid = {4096}, .block = {256}, .tell = [&](std::uint64_t done, std::uint64_t) { told = done; }},
      array{"a", values});
  auto const took = std::chrono::steady_clock::now() - begin;
  MESSAGE("a million threads took ms: " << std::chrono::duration_cast<std::chrono::milliseconds>(took).count());
  CHECK((told == 4096 && seen.blocks_alike && seen.of("a").issued == 2 * 32768));
  CHECK((seen.of("a").transactions == 2 * 32768 * 4 && values.back() == 2.f));
  auto const some = co::host::record<cc90>(doubles, co::host::launch{.grid = {4096}, .block = {256}, .every = 512},
                                           array{"a", values});
  CHECK((some.blocks == 8 && some.loads("a").issued == 64));
}

// SPDX-License-Identifier: BSL-1.0
#include <coalesce/cuda.hpp>

#include <coalesce/host/cuda.hpp>

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
constexpr unsigned line_of_c = __LINE__ + 7;
__global__ void contradicts_before_c(int* a, int* b, int* c) {
  for (unsigned k = 0; k != 2 && threadIdx.x != 0; ++k)
    if ((threadIdx.x + k) % 2 == 0)
      a[threadIdx.x] = 0;
    else
      b[threadIdx.x] = 0;
  c[threadIdx.x] = 0;
}
__device__ int variable[32];
__constant__ int constant[4] = {1, 2, 3, 4};
__global__ void reads_variables(int* a) { a[threadIdx.x] = variable[threadIdx.x] + constant[threadIdx.x % 4]; }
extern "C" void* __tsan_memset(void* to, int value, std::size_t bytes);  // what instrumented code calls
__global__ void sets(char* a, std::size_t bytes) { __tsan_memset(a, 0, bytes); }
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
__global__ void sums_of_four(float const* in, float* out, int times) {  // as compilers for GPUs merge: float4
  float sum = 0.f;
  for (int k = 0; k < times; ++k) sum += in[threadIdx.x * 4u + static_cast<unsigned>(k)];
  out[threadIdx.x] = sum;
}
constexpr unsigned line_of_sums_of_two = __LINE__ + 2;
__global__ void sums_of_two(float const* in, float* out) {  // at bytes 4 and 8 of 16
  out[threadIdx.x] = in[threadIdx.x * 4u + 1u] + in[threadIdx.x * 4u + 2u];
}
__global__ void adds_two_arrays(float const* a, float const* b, float* out) {
  out[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x];
}
__global__ void past_the_end(float* lower, float* upper) {
  lower[threadIdx.x + 48u] = 2.f;
  upper[threadIdx.x] = 3.f;
}
__global__ void doubles(float* a) { a[blockIdx.x * blockDim.x + threadIdx.x] *= 2.f; }
// A kernel's last statement is an atomic: a compiler would jump to it, or make one call of two.
constexpr unsigned line_of_one_atomic = __LINE__ + 1;
__global__ void ends_with_an_atomic(int* a) { atomicAdd(&a[threadIdx.x], 1); }
constexpr unsigned line_of_two_atomics = __LINE__ + 3;
__global__ void ends_with_one_of_two(int* a, unsigned odd) {
  if (threadIdx.x % 2 == odd)
    atomicAdd(&a[threadIdx.x], 1);
  else
    atomicAdd(&a[32 * threadIdx.x], 1);
}
__device__ __attribute__((noinline)) void adds(int* a) { atomicAdd(a, 1); }
__global__ void ends_with_a_function(int* a) { adds(a + threadIdx.x); }
#ifdef __clang__  // g++ has no functions without lines
__device__ __attribute__((nodebug, noinline)) void adds_without_lines(int* a) { atomicAdd(a, 1); }
__global__ void ends_without_lines(int* a) { adds_without_lines(a + threadIdx.x), a[0] = 1; }
#endif
__global__ void waits_for_ever(int* a) {
  while (a[0] == 0) __syncthreads();
}
__global__ void meets_for_ever(unsigned* a, unsigned times) {
  unsigned all = 0;
  for (unsigned k = 0; k < times; ++k) all += __ballot_sync(0xffffffffu, 1);
  a[0] = all;
}
__global__ void reads_unwritten(float* a, unsigned written) {
  __shared__ float half_written[64];
  if (threadIdx.x < written) half_written[threadIdx.x] = 1.f;
  __syncthreads();
  a[threadIdx.x] = half_written[threadIdx.x];
}
constexpr unsigned line_of_lockstep = __LINE__ + 6;
__global__ void relies_on_lockstep(int* out, bool own) {
  __shared__ int turned[32];
  turned[threadIdx.x] = 1000000;  // no index
  unsigned const other = own ? threadIdx.x : 31 - threadIdx.x;
  turned[other] = static_cast<int>(threadIdx.x);
  out[turned[threadIdx.x]] = 1;
}
__global__ void waits_for_the_warp(int* out) {
  __shared__ int turned_in_order[32];
  turned_in_order[threadIdx.x] = 1000000;
  __syncwarp();
  turned_in_order[31 - threadIdx.x] = static_cast<int>(threadIdx.x);
  __syncwarp();
  out[turned_in_order[threadIdx.x]] = 1;
}

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
  std::vector<int> ints(64), more(64), third(64);
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
  words = refused_words(contradicts_before_c, warp, array{"a", ints}, array{"b", more}, array{"c", third});
  CHECK(has(words, "in different orders"));
  CHECK(words.find(":" + std::to_string(line_of_c)) == std::string::npos);  // the first access, after the contradiction
  CHECK(has(refused_words(reads_variables, warp, array{"a", ints}), "outside every array"));
  CHECK(has(refused_words(doubles, co::host::launch{.block = {32}, .every = 0}, array{"a", floats}), ".every is 0"));
  // After refusals all goes on.
  CHECK(co::host::record<cc90>(outside, warp, array{"a", floats}, 0u).stores("a").transactions == 4);
}

TEST_CASE("host: 4 GiB that a thread sets at once are refused") {
  std::vector<char> bytes(64);
  co::launch const one{.block = {1}};
  CHECK(has(refused_words(sets, one, array{"a", bytes}, std::size_t{1} << 32),
            "copies or sets 4294967296 bytes at once; a copy of 4 GiB or more is not counted"));
  CHECK(has(refused_words(sets, one, array{"a", bytes}, (std::size_t{1} << 32) - 1), "an access of 4294967295 bytes"));
  CHECK(refused_words(sets, one, array{"a", bytes}, bytes.size()).empty());
}

TEST_CASE("host: atomics at the end of a kernel keep their lines") {
  std::vector<int> ints(1024);
  auto const warp = co::launch{.block = {32}};
  auto const one = co::host::record<cc90>(ends_with_an_atomic, warp, array{"a", ints});
  CHECK((one.size() == 1 && one[0].at.line == line_of_one_atomic && one.at(line_of_one_atomic).transactions == 4));
  auto const two = co::host::record<cc90>(ends_with_one_of_two, warp, array{"a", ints}, 1u);
  REQUIRE(two.size() == 2);
  CHECK((two.at(line_of_two_atomics).issued == 1 && two.at(line_of_two_atomics + 2).issued == 1));
  CHECK((two.at(line_of_two_atomics).transactions == 4 && two.at(line_of_two_atomics + 2).transactions == 16));
  auto const function = co::host::record<cc90>(ends_with_a_function, warp, array{"a", ints});
  CHECK((function.size() == 1 && function[0].at.line == line_of_two_atomics + 4));
#ifdef __clang__
  CHECK(has(refused_words(ends_without_lines, warp, array{"a", ints}),
            "an atomic, or an instruction of host::issue, has no line"));
#endif
}

TEST_CASE("host: loops that never end") {
  std::vector<int> ints(64);
  std::vector<unsigned> votes_of(1);
  co::host::launch const patient{.block = {64}, .most_accesses = 1000, .most_barriers = 500};
  CHECK(has(refused_words(waits_for_ever, patient, array{"a", ints}), "waits at a barrier after 500 others"));
  co::host::launch one{.block = {32}, .most_accesses = 2000};
  CHECK(has(refused_words(meets_for_ever, one, array{"a", votes_of}, 3000u), "too many accesses before a barrier"));
  CHECK(refused_words(meets_for_ever, one, array{"a", votes_of}, 1500u).empty());
  co::host::launch const enough{.block = {64}, .most_barriers = 2};
  std::vector<float> floats(64);
  CHECK(refused_words(reads_unwritten, enough, array{"a", floats}, 64u).empty());
}

TEST_CASE("host: reads of shared memory that nothing wrote are marked") {
  std::vector<float> floats(64);
  auto const seen = [&](unsigned written) {
    return co::host::record<cc90>(reads_unwritten, co::launch{.grid = {2}, .block = {64}}, array{"a", floats}, written);
  };
  auto const is_marked = [](auto const& recording) {
    unsigned marked = 0;
    for (auto const& s : recording)
      if (s.unwritten) marked += s.kind == co::touch::load && s.space == co::memory_space::shared ? 1u : 100u;
    bool const says = std::string(recording.text().c_str()).find("reads what nothing wrote") != std::string::npos;
    CHECK(says == (marked != 0));
    return marked == 1;
  };
  CHECK(is_marked(seen(63)));
  CHECK(is_marked(seen(0)));
  CHECK(!is_marked(seen(64)));
}

TEST_CASE("host: code that relies on lockstep is told so") {
  std::vector<int> out(32);
  auto const warp = co::launch{.block = {32}};
  std::string const words = refused_words(relies_on_lockstep, warp, array{"out", out}, false);
  auto const at = [](unsigned line) { return "refusals.cpp:" + std::to_string(line); };
  CHECK(has(words, ("read \"turned\" at " + at(line_of_lockstep) + ", which lane 31 of its warp writes at " +
                    at(line_of_lockstep - 1))
                       .c_str()));
  CHECK(has(words, "without __syncwarp() between"));
  CHECK(words.find("outside every array") == std::string::npos);
  // With __syncwarp() the kernel is right. A lane that read only what it wrote itself has another reason.
  CHECK(refused_words(waits_for_the_warp, warp, array{"out", out}).empty());
  CHECK(refused_words(relies_on_lockstep, warp, array{"out", out}, true).empty());
  CHECK(has(refused_words(relies_on_lockstep, warp, co::host::array{"out", out.data(), 31}, true),
            "outside every array"));
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

TEST_CASE("host: an array's neighbour is not hit by accident, and an array may be given twice") {
  std::vector<float> both(128, 1.f);
  auto const lower = array{"lower", both.data(), 64}, upper = array{"upper", both.data() + 64, 64};
  CHECK(has(refused_words(past_the_end, co::launch{.block = {32}}, lower, upper), "outside every array"));
  auto const seen = co::host::record<cc90>(past_the_end, co::launch{.block = {16}}, lower, lower);
  CHECK((seen.stores("lower").issued == 2 && both[0] == 3.f && both[48] == 2.f && both[64] == 1.f));
}

TEST_CASE("host: arrays that overlap and are not the same are refused, if one may be written") {
  std::vector<float> all(128, 1.f);
  co::launch const how{.block = {16}};
  auto const part = [&](char const* name, unsigned first, unsigned elements) {
    return array{name, all.data() + first, elements};
  };
  auto const read_only = [&](char const* name, unsigned first, unsigned elements) {
    return array<float const>{name, all.data() + first, elements};
  };
  std::string const words = "the arrays \"lower\" and \"upper\" overlap";
  CHECK(has(refused_words(past_the_end, how, part("lower", 0, 64), part("upper", 63, 65)), words.c_str()));
  CHECK(has(refused_words(past_the_end, how, part("lower", 63, 65), part("upper", 0, 64)), words.c_str()));
  CHECK(has(refused_words(past_the_end, how, part("lower", 0, 64), part("upper", 0, 63)), words.c_str()));
  CHECK(has(refused_words(sums_of_two, how, read_only("lower", 0, 64), part("upper", 32, 32)), words.c_str()));
  CHECK(all == std::vector<float>(128, 1.f));
  // Neighbours, and arrays that are only read.
  CHECK(refused_words(past_the_end, how, part("lower", 0, 64), part("upper", 64, 64)).empty());
  std::vector<float> out(16);
  CHECK(refused_words(adds_two_arrays, how, read_only("lower", 0, 64), read_only("upper", 32, 64), array{"out", out})
            .empty());
  CHECK(out[0] == all[0] + all[32]);
  CHECK(refused_words(past_the_end, how, part("lower", 0, 64), part("empty", 8, 0)).find("overlap") ==
        std::string::npos);
}

TEST_CASE("host: a width that the user states") {
  auto in = by_hand::count_up(128), out = by_hand::count_up(32);
  auto const as_written =
      co::host::record<cc90>(sums_of_four, co::launch{.block = {32}}, array{"in", in}, array{"out", out}, 4);
  CHECK((as_written.loads("in").issued == 4 && as_written.loads("in").transactions == 4 * 16));
  unsigned const line = as_written[0].at.line;
  auto const with = [&](co::host::merged const& width) {
    return co::host::record<cc90>(sums_of_four, co::host::launch{.block = {32}, .widths = {width}}, array{"in", in},
                                  array{"out", out}, 4);
  };
  auto const of_16 = with({"refusals.cpp", line, 16});
  CHECK((of_16.loads("in").issued == 1 && of_16.loads("in").transactions == 16 && of_16[0].bits == 128));
  auto const of_8 = with({"refusals.cpp", line, 8});
  CHECK((of_8.loads("in").issued == 2 && of_8.loads("in").transactions == 32));
  CHECK(with({"refusals.cpp", line + 1, 16}).loads("in").issued == 4);
  CHECK(with({"other.cpp", line, 16}).loads("in").issued == 4);
  // Two neighbours that no instruction of 8 bytes can move: each lane's are at bytes 4 and 8 of 16.
  auto const two = co::host::record<cc90>(
      sums_of_two, co::host::launch{.block = {32}, .widths = {{"refusals.cpp", line_of_sums_of_two, 16}}},
      array{"in", in}, array{"out", out});
  CHECK((two.loads("in").issued == 2 && two.loads("in").transactions == 2 * 16));
  CHECK(out[1] == in[5] + in[6]);
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

#ifdef SEES_STRUCTS
constexpr unsigned blocks = 512;  // g++'s way is slower
#else
constexpr unsigned blocks = 4096;
#endif

TEST_CASE("host: a million threads, and blocks that are sampled, with progress") {
  std::vector<float> values(256 * blocks, 1.f);
  std::uint64_t told = 0;
  auto const begin = std::chrono::steady_clock::now();
  auto const seen = co::host::record<cc90>(
      doubles,
      co::host::launch{
          .grid = {blocks}, .block = {256}, .tell = [&](std::uint64_t done, std::uint64_t) { told = done; }},
      array{"a", values});
  auto const took = std::chrono::steady_clock::now() - begin;
  MESSAGE((256 * blocks) << " threads took ms: "
                         << std::chrono::duration_cast<std::chrono::milliseconds>(took).count());
  CHECK((told == blocks && seen.blocks_alike && seen.of("a").issued == 2 * 8 * blocks));
  CHECK((seen.of("a").transactions == 2 * 8 * 4 * blocks && values.back() == 2.f));
  auto const some =
      co::host::record<cc90>(doubles,
                             co::host::launch{.grid = {blocks},
                                              .block = {256},
                                              .every = blocks / 8,
                                              .tell = [&](std::uint64_t done, std::uint64_t) { told += done; }},
                             array{"a", values});
  CHECK((some.blocks == 8 && some.loads("a").issued == 64));
  CHECK(told == blocks + (0 + 1 + 2 + 3 + 4 + 5 + 6) * (blocks / 8) + 7 + blocks);
}

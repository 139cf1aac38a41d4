// SPDX-License-Identifier: BSL-1.0
//
// Every public constexpr function, named in device code of every kind, by nvcc without special flags and by clang as
// HIP.
#include <coalesce/cdna/explain.hpp>
#include <coalesce/cdna/fragments.hpp>
#include <coalesce/cdna/litmus.hpp>
#include <coalesce/claims.hpp>
#include <coalesce/coalesce.hpp>
#include <coalesce/compare.hpp>
#include <coalesce/cuda/fragments.hpp>
#include <coalesce/cuda/tma.hpp>
#include <coalesce/explain.hpp>
#include <coalesce/rdna/caches.hpp>
#include <coalesce/rdna/issued.hpp>
#include <coalesce/rdna/maintenance.hpp>
#include <coalesce/rdna/synchronize.hpp>
#include <coalesce/suggest.hpp>

// Earlier CUDA records no kernels.
#if defined(__CUDACC_VER_MAJOR__) && __CUDACC_VER_MAJOR__ == 12 && __CUDACC_VER_MINOR__ < 4
#define COALESCE_NO_RECORD
#else
#include <coalesce/record.hpp>
#endif

#ifndef __global__
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#endif

namespace co = coalescing;
namespace cuda = co::cuda;
namespace gcn = co::gcn;
namespace cdna = co::cdna;
namespace rdna = co::rdna;

struct swapped {  // not marked for the device: constexpr is enough
  constexpr unsigned operator()(unsigned lane) const { return 4 * (lane ^ 1); }
};
template <auto Cost>
struct carried {};
struct pair_of_floats {
  float first, second;
};
/// A function, since CUDA 12 takes no element of a temporary's array, and clang 16 no variable of the answer.
template <class Necessary>
COALESCE_API constexpr bool second_and_third_of_wave_1(Necessary const& which) {
  return which.asked[1] == 0b110 && !which.all();
}
#ifndef COALESCE_NO_RECORD
struct recorded_body {
  template <class Thread, class Floats, class Counts, class Tile>
  COALESCE_API constexpr void operator()(Thread const& t, Floats floats, Counts counts, Tile tile) const {
    unsigned k = 0;
    for (auto again = t.loop(); again(k < 1); ++k) tile[t.index()] = co::value(floats[t.lane() + t.warp()]);
    t.sync();
    t.converge();
    co::member(co::as<pair_of_floats>(floats)[t.lane()], &pair_of_floats::second) = tile[31 - t.lane() % t.warp_size()];
    co::atomic_add(counts[0], 1u), co::atomic_sub(counts[0], 1u), co::atomic_min(counts[0], 1u);
    co::atomic_max(counts[0], 1u), co::atomic_and(counts[0], 1u), co::atomic_or(counts[0], 1u);
    co::atomic_xor(counts[0], 1u), co::atomic_exchange(counts[0], 1u), co::atomic_cas(counts[0], 1u, 2u);
    co::issue<cuda::cc90::ldmatrix<4>>(tile);
  }
};
constexpr co::kernel recorded_kernel{co::launch{.block = {32}}, recorded_body{}, co::global<float>{"floats", 64},
                                     co::global<unsigned>{"counts", 1}, co::shared<float[32]>{"tile"}};
constexpr auto recorded = co::record<cuda::cc90>(recorded_kernel);
static_assert(co::races(recorded_kernel).count == 0);
/// The body as a kernel has it.
__global__ void recorded_on_the_device(float* floats, unsigned* counts, float* tile) {
  recorded_body{}(co::this_thread(), floats, counts, tile);
}
#endif

/// One lane: each answers one request, one round, one operation.
template <class Machine>
__host__ __device__ constexpr bool ask_every_instruction() {
  constexpr co::broadcast one{};
  bool good = co::cost<typename Machine::template load<32>>(one, 1).requests == 1 &&
              co::cost<typename Machine::template store<32>>(one, 1).requests == 1 &&
              co::cost<typename Machine::template constant_load<32>>(one, 1).requests == 1 &&
              co::cost<typename Machine::template shared_load<32>>(one, 1).rounds == 1 &&
              co::cost<typename Machine::template shared_store<32>>(one, 1).rounds == 1;
  if constexpr (cuda::rules::has_atomics<typename Machine::row>)
    good = good && co::cost<typename Machine::template atomic<32>>(one, 1).operations == 1 &&
           co::cost<typename Machine::template shared_atomic<32>>(one, 1).operations == 1;
  return good;
}
template <class Machine>
inline constexpr bool every_instruction_answers = ask_every_instruction<Machine>();
template <class Machines>
inline constexpr bool every_machine_answers = false;
template <class... Machines>
inline constexpr bool every_machine_answers<co::machine_list<Machines...>> = (every_instruction_answers<Machines> &&
                                                                              ...);
struct sees_nothing {
  template <class Machine>
  __host__ __device__ constexpr void operator()() const {}
};

// Before clang 16 (ROCm's hipcc 5.2) `new` in a device function calls the host's malloc, also in a constant expression.
#if defined(__HIP__) && __clang_major__ < 16
#define ASKS_SUGGESTIONS_OUTSIDE
#endif

__device__ void in_a_device_function(){
#include "every_function.inc"
} __host__ __device__ void on_both_sides(){
#include "every_function.inc"
} __global__ void in_a_kernel(unsigned long long* out) {
#include "every_function.inc"
  auto const in_a_lambda = [] {
#include "every_function.inc"
    return rows.base;
  };
  // A kernel may call these at run time too: its place in the launch, and the address of a pattern.
  unsigned const lane = static_cast<unsigned>(out[1]);
  out[0] = in_a_lambda() + rows(lane) + one(0) + gcn::lane_of(out[2]) + gcn::wave_of(out[3]) + matrix(lane, 1) +
           matrix(lane) + tile(lane, 2) + atoms.over(tile)(lane, 2) + co::thread_index({lane}, {32, 8}) +
           mma::a::of(lane, 1).row + wgmma::c::owner({.row = lane}).lane + mfma::b::owner(mfma::b::of(lane, 2)).value;
#ifndef ASKS_SUGGESTIONS_OUTSIDE
  out[3] = suggested.layout(lane, 2) + padded.layout(lane, 2) + direct.layout(lane, 8) + direct.source(lane, 1).row +
           boxed.layout(lane, 2);
#endif
}
template <class Cost>
__global__ void in_a_kernel_template(Cost* out) {
#include "every_function.inc"
  *out = cost;  // a cost may be carried at run time
}
template __global__ void in_a_kernel_template(gcn::load_cost<>*);

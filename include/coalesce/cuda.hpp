// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cost.hpp>
#include <coalesce/cuda/cost.hpp>
#include <coalesce/cuda/global.hpp>
#include <coalesce/cuda/machines.hpp>
#include <coalesce/cuda/shared.hpp>
#include <coalesce/detail/config.hpp>
#include <coalesce/pattern.hpp>

// NVIDIA GPUs, compute capability 1.0 to 12.1: a type for each, a row of facts each (cuda/machines.hpp).
//
// Sources, by the names used in this folder:
//   PG2.0, PG3.2, PG5.5, PG10.2, PG12.3   CUDA (C, C++) Programming Guide of that release
//   PG12.9x   the edition whose chapter 20 has CC 10.0 and 12.0;   PG13   CUDA Programming Guide 13.x
//   BPG5.5, BPG13   CUDA C++ Best Practices Guide 5.5, 9.2.1, and 13.x, 10.2.1
//   NCU         Nsight Compute Profiling Guide, 2.3.7, 2.11
//   forum n     forums.developer.nvidia.com thread n
//   gpu-benches te42kyfo/gpu-benches, gpu-strides: A100, A40, H200
//
// There is no time in any number, and numbers of different stages are not to be divided by each other: sectors, lines
// and wavefronts each are the work of one stage.

namespace coalescing::cuda {

/// The widths of a global access, in bits; 256 from CC 10.0 on.
template <unsigned Bits, unsigned Widest>
concept access_width =
    (Bits == 8 || Bits == 16 || Bits == 32 || Bits == 64 || Bits == 128 || Bits == 256) && Bits <= Widest;

/// The compute capabilities that have a row.
template <unsigned ComputeCapability>
concept known_compute_capability = requires {
  sizeof(detail::row<ComputeCapability>);
};

/// A machine of that compute capability: 90 is 9.0, 121 is 12.1.
template <unsigned ComputeCapability>
requires known_compute_capability<ComputeCapability>
struct device {
  using row = detail::row<ComputeCapability>;

  /// A global load of Bits per lane. On CC 2.x and 3.x, Caching says whether through L1.
  template <unsigned Bits, caching Caching = caching::by_default>
  struct load : row::rules::template load<row, Bits, Caching> {
    static_assert(access_width<Bits, row::widest>,
                  "cuda load<Bits>: Bits are 8, 16, 32, 64 or 128, and on CC 10.0 and later 256");
    static_assert(
        Caching != caching::l1 || row::caches_in_l1,
        "cuda load<Bits, caching::l1>: no guide says that this device can cache global loads in 128-byte lines of L1 "
        "(CC 2.x, 3.5 and 3.7 can)");
    static_assert(Caching != caching::l2 || row::bypasses_l1,
                  "cuda load<Bits, caching::l2>: only CC 2.x and 3.x tell loads through L1 from loads past it");
  };

  /// A global store of Bits per lane.
  template <unsigned Bits>
  struct store : row::rules::template store<row, Bits> {
    static_assert(access_width<Bits, row::widest>,
                  "cuda store<Bits>: Bits are 8, 16, 32, 64 or 128, and on CC 10.0 and later 256");
  };

  /// A global atomic of 32 or 64 bits. Not on CC 1.x: no source tells its transactions there.
  template <unsigned Bits>
  struct atomic : detail::l2_atomic<row, Bits> {
    static_assert(Bits == 32 || Bits == 64, "cuda atomic<Bits>: modelled are 32 and 64 bits");
    static_assert(row::atomics_in_l2, "cuda atomic<Bits>: no source tells the transactions of atomics on CC 1.x");
  };

  /// A load through the constant cache (__constant__ memory): one request for each different address.
  template <unsigned Bits>
  struct constant_load : detail::constant_access<row, Bits> {
    static_assert(access_width<Bits, 128>, "cuda constant_load<Bits>: Bits are 8, 16, 32, 64 or 128");
  };

  /// A load from shared memory of Bits per lane.
  template <unsigned Bits, shared_mode Mode = shared_mode::by_default>
  struct shared_load : row::rules::template shared_load<row, Bits, Mode> {
    static_assert(access_width<Bits, 128>, "cuda shared_load<Bits>: Bits are 8, 16, 32, 64 or 128");
    static_assert(detail::has_banks<row, Mode>, "cuda shared_load: only CC 3.x has a choice of banks");
    static_assert(Mode != shared_mode::pair_merge || row::merges_pairs,
                  "cuda shared_load: only CC 7.0 to 7.5 are known to merge pairs of lanes");
  };

  /// A store to shared memory of Bits per lane.
  template <unsigned Bits, shared_mode Mode = shared_mode::by_default>
  struct shared_store : row::rules::template shared_store<row, Bits, Mode> {
    static_assert(access_width<Bits, 128>, "cuda shared_store<Bits>: Bits are 8, 16, 32, 64 or 128");
    static_assert(detail::has_banks<row, Mode>, "cuda shared_store: only CC 3.x has a choice of banks");
    static_assert(Mode != shared_mode::pair_merge, "cuda shared_store: only loads are known to merge pairs of lanes");
  };

  /// An atomic in shared memory of 32 or 64 bits. Not on CC 1.x: no source tells its rounds there.
  template <unsigned Bits>
  struct shared_atomic : detail::shared_atomic_of<row, shared_load<Bits>> {
    static_assert(Bits == 32 || Bits == 64, "cuda shared_atomic<Bits>: modelled are 32 and 64 bits");
    static_assert(row::atomics_in_l2, "cuda shared_atomic<Bits>: no source tells the rounds of atomics on CC 1.x");
  };
};

using cc10 = device<10>;
using cc11 = device<11>;
using cc12 = device<12>;
using cc13 = device<13>;
using cc20 = device<20>;
using cc21 = device<21>;
using cc30 = device<30>;
using cc32 = device<32>;
using cc35 = device<35>;
using cc37 = device<37>;
using cc50 = device<50>;
using cc52 = device<52>;
using cc53 = device<53>;
using cc60 = device<60>;
using cc61 = device<61>;
using cc62 = device<62>;
using cc70 = device<70>;
using cc72 = device<72>;
using cc75 = device<75>;
using cc80 = device<80>;
using cc86 = device<86>;
using cc87 = device<87>;
using cc88 = device<88>;
using cc89 = device<89>;
using cc90 = device<90>;
using cc100 = device<100>;
using cc103 = device<103>;
using cc110 = device<110>;
using cc120 = device<120>;
using cc121 = device<121>;

}  // namespace coalescing::cuda

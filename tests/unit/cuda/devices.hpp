// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cuda.hpp>

namespace coalescing_tests {

namespace cuda = coalescing::cuda;

template <class... Devices>
struct devices {
  /// Calls `test.template operator()<Device>()` for each.
  template <class Test>
  static void each(Test const& test) {
    (test.template operator()<Devices>(), ...);
  }
};
using tesla = devices<cuda::cc10, cuda::cc11, cuda::cc12, cuda::cc13>;
using fermi_and_kepler = devices<cuda::cc20, cuda::cc21, cuda::cc30, cuda::cc32, cuda::cc35, cuda::cc37>;
using maxwell_and_pascal = devices<cuda::cc50, cuda::cc52, cuda::cc53, cuda::cc60, cuda::cc61, cuda::cc62>;
using volta_on = devices<cuda::cc70, cuda::cc72, cuda::cc75, cuda::cc80, cuda::cc86, cuda::cc87, cuda::cc88, cuda::cc89,
                         cuda::cc90, cuda::cc100, cuda::cc103, cuda::cc107, cuda::cc110, cuda::cc120, cuda::cc121>;
using with_256_bits = devices<cuda::cc100, cuda::cc103, cuda::cc107, cuda::cc110, cuda::cc120, cuda::cc121>;

}  // namespace coalescing_tests

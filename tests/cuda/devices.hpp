// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cuda.hpp>

#include "truth/instructions/cuda.hpp"

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
/// Those of cuda::every_machine from CC First to CC Last.
template <unsigned First, unsigned Last = 9999>
struct capabilities {
  template <class Test>
  static void each(Test const& test) {
    cuda::every_machine::each([&]<class Device>() {
      if constexpr (capability_of<Device> >= First && capability_of<Device> <= Last) test.template operator()<Device>();
    });
  }
};
using tesla = capabilities<10, 13>;
using fermi_and_kepler = capabilities<20, 37>;
using maxwell_and_pascal = capabilities<50, 62>;
using volta_on = capabilities<70>;
using with_256_bits = capabilities<100>;

}  // namespace coalescing_tests

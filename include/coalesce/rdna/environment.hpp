// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/config.hpp>
#include <coalesce/misuse.hpp>
#include <coalesce/rdna/generations.hpp>

// How a work-group runs on a workgroup processor. {} is what the compiler does unasked.

namespace coalescing::refused {

[[noreturn]] COALESCE_API inline void gfx1250_has_no_wgp_mode() {
  detail::refuse("gfx1250 runs in CU mode only: cu_mode = false is no hardware there");
}

}  // namespace coalescing::refused

namespace coalescing::rdna {

/// Of gfx10, gfx11 and gfx12.
template <class Generation>
struct environment {
  /// false, WGP mode: a work-group's waves run on both compute units of a workgroup processor (the compiler's default).
  /// true: on one of them.
  bool cu_mode = false;
  COALESCE_API constexpr void check() const {}
};

/// gfx1250 has CU mode only; false is refused where it is asked about.
template <>
struct environment<gfx1250> {
  bool cu_mode = true;
  COALESCE_API constexpr void check() const {
    if (!cu_mode) refused::gfx1250_has_no_wgp_mode();
  }
};

}  // namespace coalescing::rdna

// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/config.hpp>
#include <coalesce/rdna/generations.hpp>
#include <coalesce/rdna/misuse.hpp>
#include <coalesce/rdna/rows.hpp>

// How a work-group is launched. The documents are in rdna/documents.hpp.

namespace coalescing::rdna {
namespace rules {

template <class Generation>
struct environment {
  bool cu_mode = false;
};
/// What LLVM 22 calls CU mode is the only one (PR 153680). Its compute unit is AMD's workgroup processor: four SIMDs.
template <>
struct environment<gfx1250> {
  bool cu_mode = true;
};

/// Whether a work-group is on two compute units in LLVM's sense: which have a cache each. Refused: WGP mode on gfx1250.
template <class Generation>
COALESCE_API constexpr bool on_both_compute_units(environment<Generation> const& where) {
  return !where.cu_mode;
}
template <>
COALESCE_API constexpr bool on_both_compute_units<gfx1250>(environment<gfx1250> const& where) {
  if (!where.cu_mode) refused::gfx1250_has_cu_mode_only();
  return false;
}

}  // namespace rules

/// In WGP mode the waves of a work-group run on both compute units of a WGP, in CU mode on one of them. Of a
/// generation, or of a chip's; by default what clang 22 does unasked.
template <class Machine>
using environment = rules::environment<typename generation_of<Machine>::type>;

}  // namespace coalescing::rdna

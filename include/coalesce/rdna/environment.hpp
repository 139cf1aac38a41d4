// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/rdna/misuse.hpp>
#include <coalesce/rdna/rows.hpp>

// The mode in which a work-group runs: CU mode or WGP mode. The documents are in rdna/documents.hpp.

namespace coalescing::rdna {
namespace rules {

template <class Generation>
struct environment {
  bool cu_mode = false;
};
/// gfx1250 has one mode, which LLVM 22 calls CU mode (PR 153680). What LLVM 22 calls a compute unit of gfx1250 is AMD's
/// workgroup processor.
template <>
struct environment<gfx1250> {
  bool cu_mode = true;
};

/// Whether the waves of a work-group run on two compute units. Each compute unit has a cache of its own, so such waves
/// use two caches. (What LLVM 22 calls a compute unit counts as one.) Refused: WGP mode on gfx1250.
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

/// The mode in which a work-group runs. In WGP mode its waves run on both compute units of a workgroup processor, in CU
/// mode on one of them. The default mode is the one for which clang 22 compiles by default. Machine is a generation or
/// a chip.
template <class Machine>
using environment = rules::environment<typename generation_of<Machine>::type>;

}  // namespace coalescing::rdna

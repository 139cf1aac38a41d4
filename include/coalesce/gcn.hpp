// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/gcn/compute_unit.hpp>
#include <coalesce/gcn/lds.hpp>
#include <coalesce/gcn/scalar.hpp>
#include <coalesce/gcn/vector.hpp>
#include <coalesce/pattern.hpp>

// AMD Graphics Core Next, GCN 1 to 5 (GFX6 to GFX9 with 64-byte lines: Southern Islands to Vega 20, and MI100).
//
// Sources, by the names used below:
//   POST      T. Lottes, Understanding Memory Coalescing on GCN, GPUOpen
//   OPT       AMD APP SDK OpenCL Optimization Guide, rev. 1.0, August 2015, chapter 2
//   GCN3ISA   AMD Graphics Core Next Generation 3 ISA, 2016
//   RCP       ROCm Compute Profiler, documentation and counters of its test runs
//   CK        ROCm composable_kernel, lds_bank_conflicts
//   PERFTEST  sebbbi/perftest: L1-hit load rates on R9 390X, Fury, RX 480, Vega FE
//   CLRX      CLRX assembler documentation, timings of its own
//   amd-shark-ai (nod-ai, empirical-lds), HipKittens (HazyResearch): LDS phases measured on gfx942 and gfx950
//   LLVM (AMDGPU backend), Linux (amdkfd/kfd_crat.c): cited where they are used
//
// Clocks are peaks: what the data paths allow when every line hits L1. Transactions assume the opposite, that every
// line misses. So the two are never divided by each other.

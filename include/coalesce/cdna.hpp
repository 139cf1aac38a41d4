// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cdna/caches.hpp>
#include <coalesce/cdna/compute_unit.hpp>
#include <coalesce/cdna/cost.hpp>
#include <coalesce/cdna/counters.hpp>
#include <coalesce/cdna/hierarchy.hpp>
#include <coalesce/cdna/machines.hpp>
#include <coalesce/cdna/synchronize.hpp>
#include <coalesce/pattern.hpp>

// AMD CDNA 3 (gfx942: MI300A, MI300X, MI325X) and CDNA 4 (gfx950: MI350X, MI355X, MI350P): caches by scope, completion,
// synchronization, LDS, global memory; of CDNA 2 (gfx90a) global memory only.
//
// Sources, by the names used in this folder:
//   ISA4     AMD "CDNA4" Instruction Set Architecture Reference Guide, chapters 2 to 4, 8 to 11; ISA3 the CDNA3 guide,
//            known to us through quotations
//   HIPDOC   AMD HIP documentation, global-to-LDS intrinsics, cache policy
//   LLVMDOC  LLVM 22, AMDGPUUsage: memory model gfx942, COMPUTE_PGM_RSRC;   LLVMSRC its SIMemoryLegalizer.cpp
//   WP3      AMD CDNA 3 white paper;   CD4 ROCm, MI350 architecture;   SPECS ROCm, GPU architecture specifications
//   PROF     ROCm Compute Profiler, documentation and analysis configurations
//   KMD      Linux amdgpu driver: aqua_vanjaram.c, gmc_v9_0.c
//   CK       ROCm composable_kernel, lds_bank_conflicts
//   HK       HazyResearch/HipKittens, LDS phases measured on gfx950;   PT Primus-Turbo, a kernel derived from it
//   LDSM     nod-ai/amd-shark-ai, empirical-lds: measured on MI300X and MI350X
//   GPUOpen  T. Lottes, Understanding Memory Coalescing on GCN
//   post     "Inside the Memory Hierarchy and Model of AMD CDNA GPUs"

// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/source.hpp>

// The documents that several of AMD's families cite.

namespace coalescing::amd::documents {

/// A post of AMD on GCN's L1 and L2.
inline constexpr document gcn_post{"T. Lottes, Understanding Memory Coalescing on GCN, AMD GPUOpen", "undated",
                                   "https://gpuopen.com/learn/gcn-memory-coalescing/"};
/// The profiler's documentation, its analysis configurations, and the counters of its test runs.
inline constexpr document profiler{
    "ROCm Compute Profiler", "3.0.0, 95b600ea",
    "https://github.com/ROCm/rocprofiler-compute/tree/95b600ea582f168425bbf50f9707bcce1aa9d73c/docs"};
/// Which lanes LDS serves together (the LDS phases) in 128-bit accesses on 32 banks.
inline constexpr document ck{"AMD composable_kernel, Understanding AMD GPU LDS and Bank Conflicts", "f1f51746",
                             "https://github.com/ROCm/composable_kernel/blob/f1f51746e0d603b9a73525524789e190b2b848ec/"
                             "docs/conceptual/ck_tile/hardware/lds_bank_conflicts.rst"};
/// Counters and latencies of MI300X (gfx942), MI350X (gfx950), W7900 (gfx1100) and RX 9070 XT (gfx1201).
inline constexpr document shark{
    "nod-ai/amd-shark-ai, Empirical LDS Measurements", "efa471ae, 2026-07-09",
    "https://github.com/nod-ai/amd-shark-ai/tree/efa471aeef66a260c85983cc41e833bfa769dade/docs/empirical-lds"};
/// Measurements on gfx950 of which lanes LDS serves together (the LDS phases).
inline constexpr document hipkittens{
    "HazyResearch/HipKittens, LDS phases", "f09e9685, 2025-11-20",
    "https://github.com/HazyResearch/HipKittens/tree/f09e9685c4c6aaa41fb3ebd4fe4ca664938589e1/analysis/"
    "paper_experiments/phases"};
/// The kernel guide in amd-shark-ai, by authors at AMD. It states the phases of LDS, and does not measure them.
inline constexpr document kernel_guide{"nod-ai/amd-shark-ai, AMDGPU Kernel Optimization Guide", "efa471ae, 2025-08-14",
                                       "https://github.com/nod-ai/amd-shark-ai/blob/"
                                       "efa471aeef66a260c85983cc41e833bfa769dade/docs/"
                                       "amdgpu_kernel_optimization_guide.md"};
/// The LDS phases that AMD's own predictor of conflicts assumes. Its profile gfx90a.py says that the phases of gfx90a
/// were measured; the measurements are not public.
inline constexpr document rocke{
    "AMD rocm-libraries, rocKE's LDS conflict profiles", "4e05b9a1, eea23bc6, 2026-08",
    "https://github.com/ROCm/rocm-libraries/blob/4e05b9a1c1eecb618cdbc4f065c224ef744b8716/dnn-providers/"
    "hip-kernel-provider/rocke/platform/python/rocke/analysis/lds/profiles/gfx90a.py"};
/// A tool of AMD that analyzes memory traces. It assumes LDS phases (lanes served together) for gfx906 to gfx942.
inline constexpr document omniprobe{"AMDResearch/omniprobe, memory_analysis_handler.h", "d2ab9c08, 2026",
                                    "https://github.com/AMDResearch/omniprobe/blob/"
                                    "d2ab9c0816eceef14a418d3f0ff102f47e3df006/inc/memory_analysis_handler.h"};
/// The code of LLVM that decides how an offset of an LDS instruction is added.
inline constexpr document llvm_features{
    "LLVM, GCNSubtarget.h", "22.1.0",
    "https://github.com/llvm/llvm-project/blob/llvmorg-22.1.0/llvm/lib/Target/AMDGPU/GCNSubtarget.h"};
/// LLVM's use of LDS instructions with two addresses.
inline constexpr document llvm_pairs{
    "LLVM, SILoadStoreOptimizer.cpp", "22.1.0",
    "https://github.com/llvm/llvm-project/blob/llvmorg-22.1.0/llvm/lib/Target/AMDGPU/SILoadStoreOptimizer.cpp"};
/// LLVM's numbers of registers and waves of a SIMD, and of bytes of LDS.
inline constexpr document llvm_subtarget{
    "LLVM, AMDGPUBaseInfo.cpp", "22.1.0",
    "https://github.com/llvm/llvm-project/blob/llvmorg-22.1.0/llvm/lib/Target/AMDGPU/Utils/AMDGPUBaseInfo.cpp"};

}  // namespace coalescing::amd::documents

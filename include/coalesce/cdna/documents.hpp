// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/amd/documents.hpp>

// The documents that state the facts of CDNA. Documents that several of AMD's families cite are in amd/documents.hpp.
// Comments cite some of them by a short name: ISA4, OPTGUIDE, LLVMDOC, LLVMSRC, MIC, WP3, CD4, SPECS, PROF (the
// profiler's pages), KMD (the driver), and "the 21verses post" (cdna_post, below).

namespace coalescing::cdna::documents {

using namespace amd::documents;

/// Comments cite this document as ISA4.
inline constexpr document isa_4{
    "AMD Instinct CDNA4 Instruction Set Architecture, Reference Guide", "2025",
    "https://www.amd.com/content/dam/amd/en/documents/instinct-tech-docs/instruction-set-architectures/"
    "amd-instinct-cdna4-instruction-set-architecture.pdf"};
/// Comments cite this document as OPTGUIDE.
inline constexpr document rocm_optimization_guide{
    "AMD ROCm Optimization Guide, Global-to-LDS intrinsics, cache policy", "2d78cbe8",
    "https://github.com/ROCm/amd-rocm-optimization-guide/blob/2d78cbe87b954f5e5c7a14f31dddbdeff5a6d339/docs/"
    "hardware-intrinsics/cross-arch/direct-to-lds-intrinsics.rst"};
/// Comments cite this document as LLVMDOC.
inline constexpr document llvm_doc{"LLVM, User Guide for AMDGPU Backend", "22.1.0",
                                   "https://releases.llvm.org/22.1.0/docs/AMDGPUUsage.html#memory-model-gfx942"};
/// Comments cite this document as LLVMSRC. Up to and including LLVM 21 the class was SIGfx940CacheControl (pull request
/// 168052).
inline constexpr document llvm_source{
    "LLVM, SIMemoryLegalizer.cpp, SIGfx6CacheControl", "22.1.0",
    "https://github.com/llvm/llvm-project/blob/llvmorg-22.1.0/llvm/lib/Target/AMDGPU/SIMemoryLegalizer.cpp"};
/// The assembler shows which instructions a chip has, and how wide their fields are.
inline constexpr document llvm_assembler{
    "LLVM, assembler of AMDGPU (llvm-mc)", "22.1.0",
    "https://github.com/llvm/llvm-project/tree/llvmorg-22.1.0/llvm/lib/Target/AMDGPU"};
/// This document says where a load straight to LDS puts the data of each lane.
inline constexpr document llvm_dma{
    "LLVM, AMDGPU DMA Operations", "3418f640, 2026: after 22",
    "https://github.com/llvm/llvm-project/blob/3418f640dfcd275f36f031e182f237664bc5a6f1/llvm/docs/"
    "AMDGPUDMAOperations.md"};
/// This source file of LLVM says which chips have which matrix instruction.
inline constexpr document llvm_mfma{
    "LLVM, VOP3PInstructions.td", "22.1.0",
    "https://github.com/llvm/llvm-project/blob/llvmorg-22.1.0/llvm/lib/Target/AMDGPU/VOP3PInstructions.td"};
/// Comments cite this document as MIC.
inline constexpr document matrix_calculator{"AMD Matrix Instruction Calculator", "2ef9189",
                                            "https://github.com/ROCm/amd_matrix_instruction_calculator/tree/2ef9189"};
/// Comments cite this document as WP3.
inline constexpr document white_paper_3{
    "AMD CDNA 3 Architecture, white paper", "2023",
    "https://www.amd.com/content/dam/amd/en/documents/instinct-tech-docs/white-papers/amd-cdna-3-white-paper.pdf"};
/// Comments cite this document as CD4.
inline constexpr document mi350{"AMD ROCm, Instinct MI350 Series microarchitecture", "002654d6, 2026",
                                "https://github.com/ROCm/rocm-docs/blob/002654d682cc540a946f88e04616b754e9f47a65/docs/"
                                "reference/gpu-arch/mi350.rst"};
/// Comments cite this document as SPECS.
inline constexpr document specifications{"AMD ROCm, Accelerator and GPU hardware specifications", "7.2.4",
                                         "https://rocm.docs.amd.com/en/docs-7.2.4/reference/gpu-arch-specs.html"};
/// Comments cite this document and the next one as KMD.
inline constexpr document driver_partitions{
    "Linux amdgpu, aqua_vanjaram.c", "v6.17",
    "https://github.com/torvalds/linux/blob/v6.17/drivers/gpu/drm/amd/amdgpu/aqua_vanjaram.c"};
inline constexpr document driver_pages{
    "Linux amdgpu, gmc_v9_0.c", "v6.17",
    "https://github.com/torvalds/linux/blob/v6.17/drivers/gpu/drm/amd/amdgpu/gmc_v9_0.c"};
/// The source of a kernel that is derived from HipKittens. Its comments say what a profiler counted.
inline constexpr document primus_turbo{
    "AMD-AGI/Primus-Turbo, hk_attn_fwd_d128_gfx950.cu", "a6a16cdc, 2026-08-21",
    "https://github.com/AMD-AGI/Primus-Turbo/blob/a6a16cdce46bd2235a248b41f501fb363c215b9b/csrc/kernels/attention/"
    "hipkittens/hk_attn_fwd_d128_gfx950.cu#L150-L186"};
/// A tutorial of AMD on transposes through LDS. It has kernels and rocprofv3's counters of these kernels. Its notes
/// explain only some of the counters.
inline constexpr document ck_transposes{
    "AMD, tutorial_14_bank_conflict_scenarios", "393ebc1a, 2026",
    "https://github.com/ROCm/composable_kernel/tree/393ebc1a50e32b59d1bf894eaec89d506f9b93b6/example/ck_tile/"
    "99_toy_tutorial/tutorial_14_bank_conflict_scenarios"};
/// This change says how AMD's authors of Triton pad tiles in LDS against bank conflicts on gfx950.
inline constexpr document triton_padding{
    "triton-lang/triton, pull request 9544 (composePaddedLayoutForAsyncCopyCDNA4)", "merged, 2026-02; file 02fb99e6",
    "https://github.com/triton-lang/triton/blob/02fb99e6840292f8dcb02c09e0eb39db04cec584/third_party/amd/lib/"
    "TritonAMDGPUTransforms/Utility.cpp"};
/// The driver's tables of caches: their sizes, and the sizes of their lines.
inline constexpr document driver_caches{
    "Linux amdkfd, kfd_crat.c", "v6.17",
    "https://github.com/torvalds/linux/blob/v6.17/drivers/gpu/drm/amd/amdkfd/kfd_crat.c"};
/// The code with which the compiler IREE makes transpose loads. It shows which lane receives which elements.
inline constexpr document iree_transpose{"iree-org/iree, ROCDLLoadToTransposeLoad.cpp", "b48a595",
                                         "https://github.com/iree-org/iree/blob/b48a595/compiler/src/iree/compiler/"
                                         "Codegen/LLVMGPU/ROCDLLoadToTransposeLoad.cpp"};
/// Comments cite this document as the 21verses post.
inline constexpr document cdna_post{"Inside the Memory Hierarchy and Model of AMD CDNA GPUs, 21verses", "2026-01-13",
                                    "https://www.21verses.xyz/2026/01/13/CDNA_Memory_Hierarchy"};

}  // namespace coalescing::cdna::documents

// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/amd/documents.hpp>

// The documents that the facts of RDNA and gfx1250 cite. Documents that AMD's families share are in amd/documents.hpp.
// Comments call these ISA2, ISA3, ISA35, ISA4, CDNA5, LLVMDOC, LLVMSRC, KFD, MESA, GB (gpu-benches), LOOM.

namespace coalescing::rdna::documents {

using namespace amd::documents;  // the documents that AMD's families share

/// Comments cite it as ISA2. We know section 12.1 from quotations only, and do not know which edition they quote.
inline constexpr document isa_2{
    "AMD RDNA 2 Instruction Set Architecture, Reference Guide", "as quoted in public",
    "https://www.amd.com/content/dam/amd/en/documents/radeon-tech-docs/instruction-set-architectures/"
    "rdna2-shader-instruction-set-architecture.pdf"};
/// Comments cite it as ISA3.
inline constexpr document isa_3{
    "AMD RDNA 3 Instruction Set Architecture, Reference Guide", "2023-08-15",
    "https://www.amd.com/content/dam/amd/en/documents/radeon-tech-docs/instruction-set-architectures/"
    "rdna3-shader-instruction-set-architecture-feb-2023_0.pdf"};
/// Comments cite it as ISA35.
inline constexpr document isa_35{
    "AMD RDNA 3.5 Instruction Set Architecture, Reference Guide", "2024-07-23",
    "https://www.amd.com/content/dam/amd/en/documents/radeon-tech-docs/instruction-set-architectures/"
    "rdna35_instruction_set_architecture.pdf"};
/// Comments cite it as ISA4. The date is from AMD's list of documents, where this guide has number 70651.
inline constexpr document isa_4{
    "AMD RDNA 4 Instruction Set Architecture, Reference Guide", "2025-04-08",
    "https://www.amd.com/content/dam/amd/en/documents/radeon-tech-docs/instruction-set-architectures/"
    "rdna4-instruction-set-architecture.pdf"};
/// Comments cite it as CDNA5. It is the guide of gfx1250 and gfx1251.
inline constexpr document isa_cdna_5{
    "AMD CDNA5 Instruction Set Architecture, Reference Guide", "2026-07-27",
    "https://www.amd.com/content/dam/amd/en/documents/instinct-tech-docs/instruction-set-architectures/"
    "amd-instinct-cdna5-instruction-set-architecture.pdf"};
/// Comments cite it as KFD. It has the sizes of caches and of cache lines.
inline constexpr document driver_caches{
    "Linux amdkfd, kfd_crat.c", "v6.17",
    "https://github.com/torvalds/linux/blob/v6.17/drivers/gpu/drm/amd/amdkfd/kfd_crat.c"};
/// Comments cite it as MESA. AMD writes this file.
inline constexpr document mesa{"Mesa, ac_gpu_info.c", "0ba4b08e, 2026",
                               "https://gitlab.freedesktop.org/mesa/mesa/-/blob/"
                               "0ba4b08edc65075e9346d20d5310261939aaaf48/src/amd/common/ac_gpu_info.c"};
/// LLVM's list of chips, with the size of each chip's LDS.
inline constexpr document llvm_targets{
    "LLVM, AMDGPU.td", "22.1.0",
    "https://github.com/llvm/llvm-project/blob/llvmorg-22.1.0/llvm/lib/Target/AMDGPU/AMDGPU.td"};
/// Pull requests of LLVM about gfx1250.
inline constexpr document llvm_wave32_only{"LLVM, pull request 153690", "",
                                           "https://github.com/llvm/llvm-project/pull/153690"};
inline constexpr document llvm_cu_mode_only{"LLVM, pull request 153680", "",
                                            "https://github.com/llvm/llvm-project/pull/153680"};
inline constexpr document llvm_lds_granule{"LLVM, pull request 167614", "",
                                           "https://github.com/llvm/llvm-project/pull/167614"};
/// Pull requests of LLVM about chips that its release 22 does not have.
inline constexpr document llvm_gfx1170{"LLVM, pull request 180185", "2026-02",
                                       "https://github.com/llvm/llvm-project/pull/180185"};
inline constexpr document llvm_gfx117x{"LLVM, pull request 204816", "2026-06",
                                       "https://github.com/llvm/llvm-project/pull/204816"};
inline constexpr document llvm_gfx13_lds{"LLVM, pull request 214513", "2026-08",
                                         "https://github.com/llvm/llvm-project/pull/214513"};
/// Comments cite it as GB. It has the measured cycles of strided loads on a Radeon RX 6900 XT (gfx1030).
inline constexpr document gpu_benches{"te42kyfo/gpu-benches, gpu-strides/rdna2.txt", "0a45416b, 2024-04-15",
                                      "https://github.com/te42kyfo/gpu-benches/blob/"
                                      "0a45416b2118f4f355cef2af0daa2ec38fe25513/gpu-strides/rdna2.txt"};
/// Comments cite it as LOOM. It is by the IREE authors. Its table has LDS phases that were found by runs on gfx1100,
/// gfx1151 and gfx942, without the measured numbers. The table was rewritten several times. We cite the edition whose
/// rows have the keys that are named below (native-...); the address is that of the table's history.
inline constexpr document loom{"IREE authors' loom, lds_bank_service.py",
                               "native-narrow-2026-09-24, native-b64-2026-09-25",
                               "https://github.com/ROCm/hrx-system/commits/HEAD/loom/py/loom/target/arch/amdgpu/"
                               "lds_bank_service.py"};
/// This pull request says in which order LDS serves lanes. Its author works at AMD, and quotes AMD's notes on GFX12 in
/// the thread (2026-08-27). The merged code treats RDNA 2 and 3 like CDNA 3.
inline constexpr document triton_phases{"triton-lang/triton, pull request 11365", "merged, 2026-08",
                                        "https://github.com/triton-lang/triton/pull/11365"};
/// LLVM 22's assembler, which knows the encodings of each chip.
inline constexpr document llvm_assembler{
    "LLVM, assembler of AMDGPU (llvm-mc)", "22.1.0",
    "https://github.com/llvm/llvm-project/tree/llvmorg-22.1.0/llvm/lib/Target/AMDGPU"};
/// Comments cite it as LLVMDOC.
inline constexpr document llvm_doc{"LLVM, User Guide for AMDGPU Backend", "22.1.0",
                                   "https://releases.llvm.org/22.1.0/docs/AMDGPUUsage.html#memory-model-gfx10-gfx11"};
/// Comments cite it as LLVMSRC.
inline constexpr document llvm_source{
    "LLVM, SIMemoryLegalizer.cpp", "22.1.0",
    "https://github.com/llvm/llvm-project/blob/llvmorg-22.1.0/llvm/lib/Target/AMDGPU/SIMemoryLegalizer.cpp"};
/// What Mesa's driver says about the cache bits. AMD writes this file.
inline constexpr document mesa_cache_flags{
    "Mesa, ac_shader_util.c, ac_get_hw_cache_flags", "0ba4b08e, 2026",
    "https://gitlab.freedesktop.org/mesa/mesa/-/blob/0ba4b08edc65075e9346d20d5310261939aaaf48/src/amd/common/"
    "ac_shader_util.c"};

}  // namespace coalescing::rdna::documents

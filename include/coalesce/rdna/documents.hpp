// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/source.hpp>

// What the facts of RDNA rest on, each document once; those that AMD's families share are in amd/documents.hpp.
// Comments call them ISA3, ISA4, LLVMDOC, LLVMSRC.

namespace coalescing::rdna::documents {

/// ISA3.
inline constexpr document isa_3{
    "AMD RDNA3 Instruction Set Architecture, Reference Guide", "2023-08-15",
    "https://www.amd.com/content/dam/amd/en/documents/radeon-tech-docs/"
    "instruction-set-architectures/rdna3-shader-instruction-set-architecture-feb-2023_0.pdf"};
/// ISA4.
inline constexpr document isa_4{
    "AMD RDNA4 Instruction Set Architecture, Reference Guide", "2025",
    "https://www.amd.com/content/dam/amd/en/documents/radeon-tech-docs/instruction-set-architectures/"
    "rdna4-instruction-set-architecture.pdf"};
/// Which encodings a chip has.
inline constexpr document llvm_assembler{
    "LLVM, assembler of AMDGPU (llvm-mc)", "22.1.0",
    "https://github.com/llvm/llvm-project/tree/llvmorg-22.1.0/llvm/lib/Target/AMDGPU"};
/// LLVMDOC.
inline constexpr document llvm_doc{"LLVM, User Guide for AMDGPU Backend", "22.1.0",
                                   "https://releases.llvm.org/22.1.0/docs/AMDGPUUsage.html#memory-model-gfx10-gfx11"};
/// LLVMSRC.
inline constexpr document llvm_source{
    "LLVM, SIMemoryLegalizer.cpp", "22.1.0",
    "https://github.com/llvm/llvm-project/blob/llvmorg-22.1.0/llvm/lib/Target/AMDGPU/SIMemoryLegalizer.cpp"};
/// Written by AMD.
inline constexpr document mesa_cache_flags{
    "Mesa, ac_shader_util.c, ac_get_hw_cache_flags", "0ba4b08e, 2026",
    "https://gitlab.freedesktop.org/mesa/mesa/-/blob/0ba4b08edc65075e9346d20d5310261939aaaf48/src/amd/common/"
    "ac_shader_util.c"};

}  // namespace coalescing::rdna::documents

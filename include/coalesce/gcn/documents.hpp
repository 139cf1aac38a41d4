// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/amd/documents.hpp>

// The documents of GCN's facts. Those that several of AMD's families cite are in amd/documents.hpp. In GCN's comments,
// POST means amd::documents::gcn_post.

namespace coalescing::gcn::documents {

using namespace amd::documents;  // the documents that AMD's families share

inline constexpr document opt{"AMD APP SDK OpenCL Optimization Guide", "rev. 1.0, August 2015",
                              "https://www.amd.com/content/dam/amd/en/documents/radeon-tech-docs/programmer-references/"
                              "AMD_OpenCL_Programming_Optimization_Guide2.pdf"};
inline constexpr document gcn3_isa{
    "AMD Graphics Core Next Architecture, Generation 3, Reference Guide", "2016",
    "https://www.amd.com/content/dam/amd/en/documents/radeon-tech-docs/instruction-set-architectures/"
    "gcn3-instruction-set-architecture.pdf"};
/// Load rates where L1 hits, for R9 390X, Fury, RX 480 and Vega FE (GCN 2 to 5).
inline constexpr document perftest{
    "sebbbi/perftest", "d75b3af8, 2020-11-19",
    "https://github.com/sebbbi/perftest/blob/d75b3af867cf1fe7177bb1396fda54cae7eb8f83/README.md"};
inline constexpr document clrx{
    "CLRX assembler, GcnTimings", "fb8fbf97, 2025-02-16",
    "https://github.com/CLRX/CLRX-mirror/blob/fb8fbf972e19ea1fb1f7a9c8d84fdef1bf7cc3df/doc/GcnTimings.md"};
inline constexpr document kfd{"Linux amdkfd, kfd_crat.c", "v6.17",
                              "https://github.com/torvalds/linux/blob/v6.17/drivers/gpu/drm/amd/amdkfd/kfd_crat.c"};
}  // namespace coalescing::gcn::documents

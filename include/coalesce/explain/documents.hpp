// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/source.hpp>

// The documents that say what a profiler's counter counts.

namespace coalescing::detail::documents {

inline constexpr document nsight_cli{"NVIDIA Nsight Compute CLI, nvprof Metric Comparison", "2020.1",
                                     "https://docs.nvidia.com/nsight-compute/2020.1/pdf/NsightComputeCli.pdf"};
inline constexpr document forum_359822{
    "NVIDIA forum, bank_conflicts metric vs wavefronts for shared memory LDS.128", "thread 359822",
    "https://forums.developer.nvidia.com/t/"
    "clarification-bank-conflicts-metric-vs-wavefronts-for-shared-memory-lds-128/359822"};
/// This guide says what the metrics of the Source page count, and what their ideal is. ncu computes these metrics from
/// the addresses.
inline constexpr document nsight_guide{"NVIDIA Nsight Compute, User Guide", "latest",
                                       "https://docs.nvidia.com/nsight-compute/NsightCompute/index.html"};
/// The text of `ncu --query-metrics`, from libnvperf_host.so in the Python wheel of ncu-report.
inline constexpr document ncu_report{"NVIDIA ncu-report, descriptions of its metrics", "2026.3.1",
                                     "https://pypi.org/project/ncu-report/"};
/// This README shows the sectors, the ideal and the tag requests of each instruction of a kernel, on an RTX 4090.
inline constexpr document batchlas{
    "jonasdelacour/BatchLAS", "3f0afbd6",
    "https://github.com/jonasdelacour/BatchLAS/blob/3f0afbd660dea8d7fab4e2b26cc4e502fc673fa5/experiments/wp4_gemm_ld/"
    "gpu1/README.md"};
/// The log of a transpose on CC 8.9. It shows two counters of the bank conflicts of stores: the names begin with
/// sm__sass_ and l1tex__.
inline constexpr document transpose_log{"ncu, a log of a transpose on CC 8.9", "undated", "none known"};
/// NVIDIA's table of nvprof's metrics. Measurements on a K80, a GTX 1060 and a GT 1030 show that the shared memory
/// transactions of this table are what we call rounds.
inline constexpr document nvprof_metrics{"NVIDIA Profiler User's Guide, Metrics Reference, Capability 3.x to 6.x",
                                         "12.8",
                                         "https://docs.nvidia.com/cuda/archive/12.8.0/profiler-users-guide/"
                                         "index.html#metrics-reference"};
inline constexpr document gpu_benches_strides{
    "te42kyfo/gpu-benches, gpu-strides", "1c36d509, 2024-06-21",
    "https://github.com/te42kyfo/gpu-benches/tree/1c36d509ee717dca9215c27135fa1e611bb03ed1/gpu-strides"};
inline constexpr document leetcuda{"xlite-dev/LeetCUDA, kernels/swizzle/README.md", "2024-12",
                                   "https://github.com/xlite-dev/LeetCUDA/blob/main/kernels/swizzle/README.md"};
inline constexpr document rocm_counters{
    "AMD ROCm, MI300 and MI200 series performance counters and metrics", "6.1.1",
    "https://rocm.docs.amd.com/en/docs-6.1.1/conceptual/gpu-arch/mi300-mi200-performance-counters.html"};
inline constexpr document rocm_lds{
    "ROCm Compute Profiler, Local data share (LDS)", "latest",
    "https://rocm.docs.amd.com/projects/rocprofiler-compute/en/latest/conceptual/local-data-share.html"};
/// This file lists the counters of each chip, with their descriptions.
inline constexpr document rocm_counter_defs{"AMD ROCprofiler-SDK, counter_defs.yaml", "rocm-systems, cd7d96bb",
                                            "https://github.com/ROCm/rocm-systems/blob/"
                                            "cd7d96bbf9e3f134d442e14d317c47473302b086/projects/rocprofiler-sdk/source/"
                                            "share/rocprofiler-sdk/counter_defs.yaml"};

}  // namespace coalescing::detail::documents

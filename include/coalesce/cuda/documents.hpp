// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/source.hpp>

// The documents that the facts of NVIDIA's machines cite, each once. In the names, pg means the programming guide, bpg
// the best practices guide, ncu Nsight Compute. The chapters that we cite of guide 12.3 are numbered as in its PDF: the
// HTML of that release numbers them differently.

namespace coalescing::cuda::documents {

inline constexpr document pg_2_0{
    "NVIDIA CUDA Programming Guide", "2.0, 2008",
    "https://developer.download.nvidia.com/compute/cuda/2_0/docs/NVIDIA_CUDA_Programming_Guide_2.0.pdf"};
inline constexpr document pg_3_2{
    "NVIDIA CUDA C Programming Guide", "3.2, 2010",
    "https://developer.download.nvidia.com/compute/cuda/3_2_prod/toolkit/docs/CUDA_C_Programming_Guide.pdf"};
/// The address of this guide at NVIDIA is not known. Copies elsewhere have the number PG-02829-001_v5.5.
inline constexpr document pg_5_5{"NVIDIA CUDA C Programming Guide", "5.5, 2013, PG-02829-001_v5.5", "none known"};
inline constexpr document pg_10_2{"NVIDIA CUDA C++ Programming Guide", "10.2, 2019",
                                  "https://docs.nvidia.com/cuda/archive/10.2/cuda-c-programming-guide/index.html"};
inline constexpr document pg_12_3{"NVIDIA CUDA C++ Programming Guide", "12.3, October 2023 (PDF)",
                                  "https://docs.nvidia.com/cuda/archive/12.3.0/pdf/CUDA_C_Programming_Guide.pdf"};
inline constexpr document bpg_13{"NVIDIA CUDA C++ Best Practices Guide", "13.0",
                                 "https://docs.nvidia.com/cuda/archive/13.0.0/cuda-c-best-practices-guide/"
                                 "index.html#coalesced-access-to-global-memory"};
inline constexpr document ncu{"NVIDIA Nsight Compute, Profiling Guide", "2026.1",
                              "https://docs.nvidia.com/nsight-compute/ProfilingGuide/index.html"};
inline constexpr document nsight_atomics{
    "NVIDIA Nsight Visual Studio Edition, Memory Statistics, Atomics", "2015",
    "https://docs.nvidia.com/gameworks/content/developertools/desktop/analysis/report/cudaexperiments/kernellevel/"
    "memorystatisticsatomics.htm"};
inline constexpr document ptx_8_8{"NVIDIA Parallel Thread Execution ISA", "8.8 (CUDA 12.9)",
                                  "https://docs.nvidia.com/cuda/archive/12.9.0/parallel-thread-execution/index.html"};
inline constexpr document ptx_9_1{"NVIDIA Parallel Thread Execution ISA", "9.1 (CUDA 13.1)",
                                  "https://docs.nvidia.com/cuda/archive/13.1.0/parallel-thread-execution/index.html"};
inline constexpr document copies_13_1{
    "NVIDIA CUDA Programming Guide, Asynchronous Data Copies", "13.1",
    "https://docs.nvidia.com/cuda/archive/13.1.0/cuda-programming-guide/04-special-topics/async-copies.html"};
/// NVIDIA's own fusing compiler. It counts bank conflicts on CC 7.0 and later. In the same directory, the header
/// bank_conflict.h cites GTC 2018, S81006, pages 54 to 72.
inline constexpr document fuser{"NVIDIA Fuser, csrc/device_lower/analysis/bank_conflict.cpp", "81c4b22f, 2026",
                                "https://github.com/NVIDIA/Fuser/blob/81c4b22fd750d377d69e24928c32233162f6b2bd/csrc/"
                                "device_lower/analysis/bank_conflict.cpp"};
/// The comments of cuda.h, as the pages of the driver interface show them.
inline constexpr document cuda_h_13_0{
    "NVIDIA CUDA Driver API, Tensor Map Object Management (cuda.h)", "13.0",
    "https://docs.nvidia.com/cuda/archive/13.0.0/cuda-driver-api/group__CUDA__TENSOR__MEMORY.html"};
inline constexpr document cute{
    "NVIDIA CUTLASS, include/cute/atom and include/cute/arch", "7107b055, 2026",
    "https://github.com/NVIDIA/cutlass/tree/7107b05535f8977f5ecb9d01ee203205b1fd9bc4/include/cute/atom"};
/// The size of shared memory that the toolkit's own library states for each capability from 6.0 on. For 8.8, 10.3, 11.0
/// and 12.1 the library takes the size of another capability.
inline constexpr document cccl{
    "NVIDIA CCCL, libcudacxx/include/cuda/__device/arch_traits.h", "004ad198, 2026",
    "https://github.com/NVIDIA/cccl/blob/004ad1986064aaa82892ed00d0dbda88b90fa6e6/libcudacxx/include/cuda/__device/"
    "arch_traits.h"};
/// The toolkit's calculation of occupancy. The address leads to the package that contains this header.
inline constexpr document cuda_occupancy_13_5{"NVIDIA CUDA Toolkit, cuda_occupancy.h", "13.5, October 2026",
                                              "https://pypi.org/project/nvidia-cuda-runtime/13.5.37/"};
/// The toolkit's assembler. It accepts or refuses an instruction for a target.
inline constexpr document ptxas_13_5{"NVIDIA CUDA Toolkit, ptxas", "13.5, October 2026",
                                     "https://pypi.org/project/nvidia-cuda-nvcc/13.5.37/"};

// Answers of NVIDIA's employees in NVIDIA's forum.
inline constexpr document forum_49571{"NVIDIA forum, Pascal L1 cache", "thread 49571",
                                      "https://forums.developer.nvidia.com/t/pascal-l1-cache/49571"};
inline constexpr document forum_77228{
    "NVIDIA forum, Unexpected shared memory bank conflict", "thread 77228",
    "https://forums.developer.nvidia.com/t/unexpected-shared-memory-bank-conflict/77228/2"};
inline constexpr document forum_312884{
    "NVIDIA forum, Understanding L1/TEX Cache Sectors/Req", "thread 312884",
    "https://forums.developer.nvidia.com/t/understanding-l1-tex-cache-sectors-req/312884"};

// Articles, papers and books by other authors, and measurements.

/// Counters that a user of the forum read in Nsight Compute on A10 and H100. The copy that we have ends with the user's
/// own interpretation of the counters, before any answer.
inline constexpr document forum_373160{
    "NVIDIA forum, Discrepancy in LDS.128 Wavefronts", "thread 373160",
    "https://forums.developer.nvidia.com/t/discrepancy-in-lds-128-wavefronts-does-smem-broadcast-across-quarter-warps/"
    "373160"};
inline constexpr document shm_microbench{
    "kzwrime/gpu_shm_microbench, README.md", "d8b12079",
    "https://github.com/kzwrime/gpu_shm_microbench/blob/d8b12079302d8c8e23a502fac821c8efb495ffcd/README.md"};
inline constexpr document maxas_8{"NervanaSystems/maxas, issue 8", "2016-03-18",
                                  "https://github.com/NervanaSystems/maxas/issues/8"};
inline constexpr document jia{"Z. Jia et al., Dissecting the NVIDIA Volta GPU Architecture via Microbenchmarking",
                              "arXiv 1804.06826, 2018", "https://arxiv.org/abs/1804.06826"};
inline constexpr document gpu_benches{
    "te42kyfo/gpu-benches, gpu-strides", "1c36d509, 2024-06-21",
    "https://github.com/te42kyfo/gpu-benches/tree/1c36d509ee717dca9215c27135fa1e611bb03ed1/gpu-strides"};
/// Our own measurement, with Nsight Compute on an H100. The address is the path of the measured rows in this
/// repository.
inline constexpr document counts_of_h100{"coalesce, an H100's counters for single instructions",
                                         "2026-11-26, driver 580.159.04, ncu 2025.3.1",
                                         "tests/truth/measured/gpu/NVIDIA-H100-80GB-HBM3.csv"};
inline constexpr document professional_cuda{"J. Cheng, M. Grossman, T. McKercher, Professional CUDA C Programming",
                                            "Wrox, 2014", "none known"};

}  // namespace coalescing::cuda::documents

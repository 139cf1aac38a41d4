// SPDX-License-Identifier: BSL-1.0
//
// Every figure of every row of NVIDIA, GCN, CDNA and RDNA, against a table written by hand from the notes on the
// documents: its value, how it is known, by which document; and that no row has a figure that the table does not give
// it. every/figures.hpp walks the rows.
#include <coalesce/coalesce.hpp>

#include "every/figures.hpp"
#include "every/machines.hpp"
#include "every/measured_by.hpp"
#include "machinery/check.hpp"

#include <cstdint>
#include <set>
#include <string>

namespace co = coalescing;
using coalescing_tests::lists, coalescing_tests::lists_machine, coalescing_tests::text;

namespace {

constexpr auto documented = co::evidence::documented, measured = co::evidence::measured,
               inferred = co::evidence::inferred;

// ---- The table ----

/// A figure of machines or eras. A figure for words of n bytes has a name that ends in .of_n; a figure of an
/// instruction has a name that begins with the instruction. An instruction without a line has its machine's figure.
struct figure {
  char const *machines, *names;
  char const* value;  ///< "" of a source without a figure
  co::evidence evidence;
  char const* document;  ///< words of its title and edition, which no other has
};

constexpr char const *guide_3_2 = "C Programming Guide, 3.2", *guide_5_5 = "C Programming Guide, 5.5",
                     *guide_10_2 = "C++ Programming Guide, 10.2", *guide_12_3 = "C++ Programming Guide, 12.3",
                     *nsight_compute = "Nsight Compute", *counts_of_h100 = "an H100's counters",
                     *gpu_strides = "gpu-strides, 1c36d509", *cccl = "CCCL", *occupancy = "cuda_occupancy.h",
                     *fuser = "NVIDIA Fuser", *the_post = "Understanding Memory Coalescing on GCN",
                     *opencl = "OpenCL Optimization Guide", *cdna_4_isa = "CDNA4 Instruction Set",
                     *profiler = "ROCm Compute Profiler", *specifications = "hardware specifications",
                     *mi350 = "MI350 Series", *white_paper = "CDNA 3 Architecture, white paper",
                     *llvm_guide = "User Guide for AMDGPU", *base_info = "AMDGPUBaseInfo.cpp",
                     *assembler = "assembler of AMDGPU", *shark = "Empirical LDS", *hipkittens = "HipKittens",
                     *ck = "composable_kernel", *kernel_guide = "Kernel Optimization Guide", *loom = "loom",
                     *kfd = "kfd_crat.c", *rdna_2_isa = "RDNA 2 Instruction Set",
                     *rdna_3_isa = "RDNA 3 Instruction Set", *rdna_4_isa = "RDNA 4 Instruction Set",
                     *cdna_5_isa = "CDNA5 Instruction Set", *dma_page = "AMDGPU DMA Operations",
                     *rocke = "rocKE's LDS conflict profiles", *omniprobe = "memory_analysis_handler.h",
                     *triton_padding = "pull request 9544", *triton_phases = "pull request 11365",
                     *partitions = "aqua_vanjaram.c", *page_types = "gmc_v9_0.c", *none = "our reading";

// The lanes of each phase, as cdna.md 7 and rdna.md 2.2 list them.
constexpr char const *wave = "0-63", *halves = "0-31 32-63", *quarters = "0-15 16-31 32-47 48-63",
                     *eighths = "0-7 8-15 16-23 24-31 32-39 40-47 48-55 56-63",
                     *paired_quads =
                         "0-3,20-23 4-7,16-19 8-11,28-31 12-15,24-27 32-35,52-55 36-39,48-51 40-43,60-63 44-47,56-59",
                     *four_of_16 = "0-3,12-15,20-27 4-11,16-19,28-31 32-35,44-47,52-59 36-43,48-51,60-63",
                     *all_of_32 = "0-31", *halves_of_32 = "0-15 16-31", *quarters_of_32 = "0-7 8-15 16-23 24-31",
                     *paired_quads_of_32 = "0-3,20-23 4-7,16-19 8-11,28-31 12-15,24-27";

// The first line that fits.
constexpr figure figures[] = {
    // ---- NVIDIA: nvidia.md, first its preconditions ----
    {"nvidia", "lanes", "32", documented, guide_3_2},
    {"blackwell", "widest_bits", "256", documented, "ISA, 8.8"},  // 6.6: of global memory
    {"nvidia", "widest_bits widest_shared_bits", "128", documented, guide_5_5},

    // 1, 2: Tesla. Segments by word; half-warps; those that are left over one by one.
    {"tesla", "request_lanes", "16", documented, guide_3_2},
    {"tesla", "sector_bytes", "32", documented, guide_3_2},
    {"cc10 cc11", "segment_bytes.of_4", "64", documented, guide_3_2},
    {"cc10 cc11", "segment_bytes.of_8 segment_bytes.of_16", "128", documented, guide_3_2},
    {"cc12 cc13", "segment_bytes.of_1", "32", documented, guide_3_2},
    {"cc12 cc13", "segment_bytes.of_2", "64", documented, guide_3_2},
    {"cc12 cc13", "segment_bytes.of_4 segment_bytes.of_8 segment_bytes.of_16", "128", documented, guide_3_2},

    // 3, 4: Fermi and Kepler. Half- and quarter-warps; lines of 128 bytes where L1 is asked.
    {"fermi", "request_lanes.of_1 request_lanes.of_2 request_lanes.of_4", "32", documented, guide_3_2},
    {"fermi", "request_lanes.of_8", "16", documented, guide_3_2},
    {"fermi", "request_lanes.of_16", "8", documented, guide_3_2},
    {"kepler", "request_lanes.of_1 request_lanes.of_2 request_lanes.of_4", "32", documented, guide_10_2},
    {"kepler", "request_lanes.of_8", "16", documented, guide_10_2},
    {"kepler", "request_lanes.of_16", "8", documented, guide_10_2},
    {"fermi", "sector_bytes", "32", documented, guide_3_2},
    {"kepler", "sector_bytes", "32", documented, guide_10_2},
    {"fermi", "line_bytes", "128", documented, guide_3_2},
    {"cc35 cc37", "line_bytes", "128", documented, guide_10_2},
    {"fermi", "default_caching", "l1", documented, guide_3_2},
    {"kepler", "default_caching", "l2", documented, guide_5_5},
    {"fermi kepler", "stores", "", inferred, "Professional CUDA C Programming"},

    // 5: Maxwell and Pascal: 8, 4 or 2 lanes; L1 by default from CC 6.0 on.
    {"maxwell pascal", "request_lanes.of_1 request_lanes.of_2 request_lanes.of_4", "8", documented, "thread 49571"},
    {"maxwell pascal", "request_lanes.of_8", "4", documented, "thread 49571"},
    {"maxwell pascal", "request_lanes.of_16", "2", documented, "thread 49571"},
    {"maxwell pascal", "sector_bytes", "32", documented, "thread 49571"},
    {"maxwell pascal", "line_bytes", "128", documented, "thread 49571"},
    {"maxwell", "loads_at", "l2", documented, guide_10_2},
    {"pascal", "loads_at", "l1", documented, "Best Practices Guide, 13.0"},
    {"maxwell pascal", "stores_at", "l2", inferred, guide_10_2},

    // 6: from Volta on. One request; 4 tags a clock; the data stage, measured for words of 4 and 8 bytes.
    {"from_volta",
     "request_lanes.of_1 request_lanes.of_2 request_lanes.of_4 request_lanes.of_8 request_lanes.of_16 "
     "request_lanes.of_32",
     "32", documented, nsight_compute},
    {"neighbours", "sector_bytes", "32", inferred, "Best Practices Guide, 13.0"},
    {"from_volta", "sector_bytes", "32", documented, "Best Practices Guide, 13.0"},
    {"from_volta", "line_bytes", "128", documented, nsight_compute},
    {"from_volta", "loads_at stores_at", "l1", documented, nsight_compute},
    {"neighbours cc100 cc120", "tags_per_cycle", "4", inferred, "thread 312884"},
    {"from_volta", "tags_per_cycle", "4", documented, "thread 312884"},
    {"from_volta", "tag_stage_of_stores", "", inferred, "thread 312884"},
    {"on_gpu_strides", "data_lanes.of_4 words_of_4", "32", measured, gpu_strides},
    {"on_gpu_strides", "data_lanes.of_8 words_of_8", "16", measured, gpu_strides},
    {"from_volta", "data_lanes.of_1 data_lanes.of_2 data_lanes.of_4", "32", inferred, gpu_strides},
    {"from_volta", "data_lanes.of_8", "16", inferred, gpu_strides},
    {"from_volta", "data_lanes.of_16", "8", inferred, gpu_strides},
    {"from_volta", "data_lanes.of_32", "4", inferred, gpu_strides},
    {"from_volta", "data_stage_of_stores", "", inferred, gpu_strides},
    {"blackwell", "sectors_of_256_bits", "", inferred, "ISA, 8.8"},

    // copies.md 6: sectors written in part. 3 to 5: one writer.
    {"fermi kepler maxwell pascal", "partial", "", inferred, nsight_compute},
    {"from_volta", "partial", "", documented, nsight_compute},
    {"fermi", "one_writer", "", documented, guide_3_2},
    {"kepler from_maxwell", "one_writer", "", inferred, guide_3_2},

    // 7: shared memory.
    {"tesla", "banks", "16", documented, guide_3_2},
    {"tesla", "bank_bytes", "4", documented, guide_3_2},
    {"tesla", "shared_lanes", "16", documented, "Programming Guide, 2.0"},
    {"fermi", "banks", "32", documented, guide_3_2},
    {"fermi", "bank_bytes", "4", documented, guide_3_2},
    {"fermi", "shared_lanes.of_1 shared_lanes.of_2 shared_lanes.of_4", "32", documented, guide_3_2},
    {"fermi", "shared_lanes.of_8", "16", documented, guide_3_2},
    {"fermi", "shared_lanes.of_16", "8", documented, guide_3_2},
    {"fermi", "more_ways.of_16", "1", documented, guide_3_2},
    {"kepler", "banks", "32", documented, guide_5_5},
    {"kepler", "bank_bytes", "4", documented, guide_5_5},
    {"kepler", "wide_bank_bytes delivered_bytes", "8", documented, guide_5_5},
    {"kepler", "shared_lanes.of_1 shared_lanes.of_2 shared_lanes.of_4", "32", documented, guide_5_5},
    {"kepler", "shared_lanes.of_8", "32", inferred, guide_5_5},
    {"kepler", "shared_lanes.of_16", "16", inferred, guide_5_5},
    {"cc100 cc120", "banks", "32", documented, nsight_compute},
    {"neighbours_of_blackwell", "banks", "32", inferred, nsight_compute},
    {"cc88", "banks", "32", inferred, guide_12_3},
    {"from_maxwell", "banks", "32", documented, guide_12_3},
    {"cc100 cc120", "bank_bytes", "4", documented, nsight_compute},
    {"neighbours_of_blackwell", "bank_bytes", "4", inferred, nsight_compute},
    {"cc88", "bank_bytes", "4", inferred, guide_12_3},
    {"from_maxwell", "bank_bytes", "4", documented, guide_12_3},
    {"cc100 cc120", "shared_lanes.of_1 shared_lanes.of_2 shared_lanes.of_4", "32", documented, nsight_compute},
    {"neighbours_of_blackwell", "shared_lanes.of_1 shared_lanes.of_2 shared_lanes.of_4", "32", inferred,
     nsight_compute},
    {"cc88", "shared_lanes.of_1 shared_lanes.of_2 shared_lanes.of_4", "32", inferred, guide_12_3},
    {"from_maxwell", "shared_lanes.of_1 shared_lanes.of_2 shared_lanes.of_4", "32", documented, guide_12_3},
    {"maxwell pascal neighbours cc100 cc120", "shared_lanes.of_8", "16", inferred, fuser},
    {"from_volta", "shared_lanes.of_8", "16", documented, fuser},
    {"maxwell pascal neighbours cc100 cc120", "shared_lanes.of_16", "8", inferred, fuser},
    {"from_volta", "shared_lanes.of_16", "8", documented, fuser},
    // Pairs of lanes that merge: a comment on CC 5.2, NVIDIA's forum, times of A100, counters of A10 and H100.
    {"maxwell pascal", "merged_parts.of_8 merged_parts.of_16", "2", inferred, "maxas, issue 8"},
    {"cc70 cc72 cc75", "merged_parts.of_8 merged_parts.of_16", "2", documented, "thread 77228"},
    {"cc80", "merged_parts.of_8 merged_parts.of_16", "2", measured, "gpu_shm_microbench"},
    {"cc86 cc90", "merged_parts.of_16", "2", measured, "thread 373160"},
    {"cc90", "merged_parts.of_8", "2", measured, counts_of_h100},
    {"from_volta", "merged_parts.of_8", "2", inferred, "gpu_shm_microbench"},
    {"from_volta", "merged_parts.of_16", "2", inferred, "thread 373160"},
    // The rows of several widths are made of these. A machine that behaves as its neighbour has the neighbour's.
    {"blackwell", "up_to_4_bytes", "32", documented, nsight_compute},
    {"from_maxwell", "up_to_4_bytes", "32", documented, guide_12_3},

    // The shared memory of a multiprocessor: the tables of guides 3.2 to 10.2, of 12.3 for CC 7.2; the toolkit's
    // library for CC 6.x, its calculation of occupancy for CC 7.0 and later.
    {"tesla", "shared_bytes", "16384", documented, guide_3_2},
    {"cc37", "shared_bytes", "114688", documented, guide_10_2},
    {"fermi kepler", "shared_bytes", "49152", documented, guide_5_5},
    {"cc50 cc53", "shared_bytes", "65536", documented, guide_10_2},
    {"cc52", "shared_bytes", "98304", documented, guide_10_2},
    {"cc60 cc62", "shared_bytes", "65536", documented, cccl},
    {"cc61", "shared_bytes", "98304", documented, cccl},
    {"cc70", "shared_bytes", "98304", documented, occupancy},
    {"cc72", "shared_bytes", "98304", documented, guide_12_3},
    {"cc75", "shared_bytes", "65536", documented, occupancy},
    {"cc80 cc87", "shared_bytes", "167936", documented, occupancy},
    {"cc86 cc88 cc89 cc120 cc121", "shared_bytes", "102400", documented, occupancy},
    {"cc90 cc100 cc103 cc110", "shared_bytes", "233472", documented, occupancy},
    {"cc107", "shared_bytes", "335872", documented, occupancy},

    // 8: constant memory, atomics.
    {"tesla", "constant_lanes", "16", documented, "Programming Guide, 2.0"},
    {"fermi kepler", "constant_lanes", "32", documented, guide_5_5},
    {"neighbours cc100 cc120", "constant_lanes", "32", inferred, guide_12_3},
    {"from_maxwell", "constant_lanes", "32", documented, guide_12_3},
    {"fermi", "atomics", "", documented, "Memory Statistics, Atomics"},
    {"kepler from_maxwell", "atomics", "", inferred, "Memory Statistics, Atomics"},
    {"fermi kepler", "shared_atomics", "", inferred, "arXiv 1804.06826"},
    {"from_maxwell", "shared_atomics", "", inferred, guide_12_3},
    {"nvidia", "serialized", "", documented, guide_12_3},

    // copies.md 1 to 3.
    {"cc75 ampere cc90 blackwell", "matrix_load", "", documented, "ISA, 9.1"},
    {"blackwell cc88", "matrix_phase_lanes", "8", inferred, fuser},
    {"cc75 ampere cc90", "matrix_phase_lanes", "8", documented, fuser},
    {"cc90", "matrix_store", "", measured, counts_of_h100},
    {"blackwell", "matrix_store", "", inferred, fuser},
    {"blackwell", "narrow_matrix", "", inferred, "include/cute/atom"},
    {"cc90", "copied_sectors copied_rounds", "", measured, counts_of_h100},
    {"ampere cc90 blackwell", "copied_sectors copied_lines copied_rounds", "", inferred, "Asynchronous Data Copies"},
    {"cc90 blackwell", "tensor_copies", "", documented, "cuda.h"},
    {"cc107", "narrow_tensor_copies", "", documented, "ptxas, 13.5"},  // newer than PTX 9.1
    {"from_volta", "atomics_of_16_bits", "", documented, "ISA, 9.1"},
    {"cc90 blackwell", "atomics_of_128_bits", "", documented, "ISA, 9.1"},
    {"blackwell", "narrow_tensor_copies", "", documented, "ISA, 9.1"},

    // ---- GCN: gcn.md 1, 2, 3, 6; its LDS: 5 ----
    {"gcn", "lanes", "64", documented, the_post},
    {"gcn", "simds", "4", documented, the_post},
    {"gcn", "simd_lanes", "16", documented, the_post},
    {"gcn", "tex_units", "1", documented, the_post},
    {"gcn", "quads_per_clock", "1", documented, the_post},
    {"gcn", "texel_reads_per_fragment", "4", documented, the_post},
    {"gcn", "channels_per_texel", "4", documented, the_post},
    {"gcn", "point_sampled_texel_bits", "128", documented, the_post},
    {"gcn", "filtered_bits", "32", documented, the_post},
    {"gcn", "quad_lanes", "4", documented, the_post},
    {"gcn", "coalesced_lanes", "16", documented, the_post},
    {"gcn", "coalesced_bits", "32", documented, the_post},
    {"gcn", "run_elements", "4", measured, "perftest"},
    {"gcn", "store_clocks", "", inferred, "CLRX"},
    {"gcn", "atomic_clocks image_store_clocks atomic_lines named_texels", "", inferred, the_post},
    {"gcn", "aligned_bytes", "4", documented, "Graphics Core Next"},
    {"gcn", "request_bytes", "64", documented, the_post},
    {"gcn", "one_writer", "", documented, the_post},
    {"gcn", "scalar_line_bytes", "64", documented, kfd},
    {"gcn", "scalar_alignment", "4", documented, "Graphics Core Next"},
    {"gcn", "banks", "32", documented, opencl},
    {"gcn", "bank_bytes", "4", documented, opencl},
    {"gcn", "lds_bytes", "65536", documented, opencl},
    {"gcn", "ds_read<8>.phases ds_read<16>.phases ds_read<32>.phases", halves, documented, opencl},
    {"gcn", "ds_read<64>.phases", quarters, inferred, shark},
    {"gcn", "ds_read<96>.phases", paired_quads, inferred, hipkittens},
    {"gcn", "ds_read<128>.phases", paired_quads, documented, ck},
    {"gcn", "ds_write<32>.phases", halves, documented, opencl},
    {"gcn", "ds_write<8>.phases ds_write<16>.phases", halves, inferred, opencl},
    {"gcn", "ds_write<64>.phases", quarters, inferred, hipkittens},
    {"gcn", "ds_write<128>.phases", eighths, documented, ck},

    // ---- CDNA: cdna.md 5 to 8, 10; copies.md 4 ----
    {"cdna_4", "lanes", "64", documented, cdna_4_isa},
    {"cdna", "lanes", "64", inferred, cdna_4_isa},
    {"cdna_4", "write_bytes", "64", inferred, profiler},
    {"cdna", "write_bytes", "64", documented, profiler},
    {"cdna_2", "line_bytes", "64", documented, profiler},
    {"cdna_3", "line_bytes", "128", documented, white_paper},
    {"cdna_4", "line_bytes", "128", documented, mi350},
    {"cdna", "quad_lanes", "4", inferred, profiler},
    {"cdna", "aligned_bytes", "4", inferred, none},
    {"cdna", "loads writes loads_to_lds", "", inferred, profiler},
    {"cdna", "one_writer", "", inferred, the_post},
    {"cdna", "buffer_accesses", "", inferred, profiler},
    {"cdna", "lds_atomics", "", documented, profiler},
    {"cdna_4", "pair_offset", "255", documented, cdna_4_isa},
    {"cdna", "pair_offset", "255", inferred, cdna_4_isa},
    {"cdna_4", "st64_elements", "64", documented, cdna_4_isa},
    {"cdna", "st64_elements", "64", inferred, cdna_4_isa},
    {"cdna_4", "equal_offsets", "", documented, cdna_4_isa},
    {"cdna", "equal_offsets", "", inferred, cdna_4_isa},
    {"cdna", "offsets_wrap", "", documented, "GCNSubtarget.h"},
    {"cdna", "lds_slot", "4", documented, dma_page},
    {"cdna_4", "wide_lds_slot", "16", documented, cdna_4_isa},
    {"cdna", "lds_load_offset", "4095", documented, assembler},
    {"gfx90a cdna_3", "buffer_lds_bits", "32", documented, assembler},
    {"cdna_4", "buffer_lds_bits", "128", documented, cdna_4_isa},
    {"cdna_3", "global_lds_bits", "32", documented, assembler},
    {"cdna_4", "global_lds_bits", "128", documented, cdna_4_isa},
    {"gfx90a cdna_3", "lds_load_bytes", "65536", documented, specifications},
    {"cdna_4", "lds_load_bytes", "163840", documented, specifications},
    {"gfx90a cdna_3", "m0_bits", "16", inferred, cdna_4_isa},
    {"cdna_4", "m0_bits", "18", documented, cdna_4_isa},
    {"cdna", "m0_multiple", "4", inferred, cdna_4_isa},
    {"cdna_2", "scalar_line_bytes", "64", documented, kfd},
    {"cdna", "scalar_line_bytes", "64", inferred, kfd},
    {"cdna", "scalar_alignment", "4", inferred, none},
    {"cdna_4", "bank_bytes", "4", documented, cdna_4_isa},
    {"cdna", "bank_bytes", "4", inferred, cdna_4_isa},
    {"cdna_4", "simds", "4", documented, cdna_4_isa},
    {"cdna", "simds", "4", inferred, cdna_4_isa},
    {"cdna", "waves_per_simd", "8", documented, base_info},
    {"cdna_4", "work_group_lanes", "1024", documented, cdna_4_isa},
    {"cdna", "work_group_lanes", "1024", inferred, cdna_4_isa},
    {"cdna_4", "vgprs", "512", documented, cdna_4_isa},
    {"cdna", "vgprs", "512", inferred, cdna_4_isa},
    {"cdna_4", "vgprs_of_a_kind", "256", documented, cdna_4_isa},
    {"cdna", "vgprs_of_a_kind", "256", inferred, cdna_4_isa},
    {"cdna", "vgpr_granule", "8", documented, llvm_guide},
    {"cdna", "acc_vgpr_start", "4", documented, llvm_guide},
    {"cdna", "sgprs", "800", documented, specifications},
    {"cdna", "sgpr_granule", "16", documented, llvm_guide},
    {"cdna", "sgprs_of_a_wave", "108", documented, base_info},
    {"cdna_2", "banks", "32", documented, rocke},
    {"cdna_3", "banks", "32", measured, shark},
    {"cdna_4", "banks", "64", documented, cdna_4_isa},
    {"gfx90a cdna_3", "lds_bytes", "65536", documented, specifications},
    {"cdna_4", "lds_bytes", "163840", documented, specifications},
    {"gfx90a cdna_3", "lds_granule", "512", documented, llvm_guide},
    {"cdna_4", "lds_granule", "1280", documented, llvm_guide},
    {"gfx90a cdna_3", "read_banks write_banks", "32", documented, profiler},
    {"cdna_4", "read_banks", "64", inferred, mi350},
    {"cdna_4", "write_banks", "32", inferred, mi350},
    {"cdna_4", "transpose_lanes", "16", documented, "ROCDLLoadToTransposeLoad"},

    {"cdna_2", "ds_read<32>.phases", halves, measured, profiler},
    {"cdna_2", "ds_read<8>.phases ds_read<16>.phases ds_write<8>.phases ds_write<16>.phases", halves, documented,
     omniprobe},
    {"cdna_2", "ds_read<64>.phases ds_write<64>.phases", quarters, documented, rocke},
    {"cdna_2", "ds_read<96>.phases", paired_quads, inferred, hipkittens},
    {"cdna_2", "ds_read<128>.phases", paired_quads, documented, rocke},
    {"cdna_2", "ds_write<32>.phases", halves, documented, rocke},
    {"cdna_2", "ds_write<128>.phases", eighths, documented, rocke},
    {"cdna_2", "ds_read2<64>.phases ds_read2st64<64>.phases ds_write2<64>.phases ds_write2st64<64>.phases", quarters,
     inferred, kernel_guide},
    {"cdna_2", "ds_read2<32>.phases ds_read2st64<32>.phases ds_write2<32>.phases ds_write2st64<32>.phases", halves,
     inferred, kernel_guide},
    {"cdna_3", "ds_read<32>.phases", halves, measured, shark},
    {"cdna_3", "ds_read<16>.phases ds_write<16>.phases", halves, measured, "tutorial_14"},
    {"cdna_3", "ds_read<8>.phases ds_write<8>.phases", halves, inferred, "tutorial_14"},
    {"cdna_3", "ds_read<64>.phases", quarters, measured, shark},
    {"cdna_3", "ds_read<96>.phases", paired_quads, inferred, hipkittens},
    {"cdna_3", "ds_read<128>.phases", paired_quads, documented, ck},
    {"cdna_3", "ds_write<32>.phases", halves, inferred, shark},
    {"cdna_3", "ds_write<64>.phases", quarters, inferred, shark},
    {"cdna_3", "ds_write<128>.phases", eighths, documented, ck},
    {"cdna_3", "ds_read2<64>.phases", quarters, documented, kernel_guide},
    {"cdna_3", "ds_read2st64<64>.phases ds_write2<64>.phases ds_write2st64<64>.phases", quarters, inferred,
     kernel_guide},
    {"cdna_3", "ds_read2<32>.phases ds_read2st64<32>.phases ds_write2<32>.phases ds_write2st64<32>.phases", halves,
     inferred, kernel_guide},
    {"cdna_4", "ds_read<8>.phases ds_read<16>.phases ds_read<32>.phases", wave, inferred, shark},
    {"cdna_4", "ds_read<64>.phases", halves, measured, hipkittens},
    {"cdna_4", "ds_read<96>.phases", paired_quads, measured, hipkittens},
    {"cdna_4", "ds_read<128>.phases", four_of_16, measured, hipkittens},
    {"cdna_4", "ds_write<8>.phases ds_write<16>.phases ds_write<32>.phases", halves, inferred, rocke},
    {"cdna_4", "ds_write<64>.phases", quarters, measured, hipkittens},
    {"cdna_4", "ds_write<128>.phases", eighths, inferred, rocke},
    {"cdna_4", "ds_read2<64>.phases ds_read2st64<64>.phases", quarters, inferred, triton_padding},
    {"cdna_4", "ds_read2<32>.phases ds_read2st64<32>.phases", halves, inferred, triton_padding},
    {"cdna_4", "ds_write2<64>.phases ds_write2st64<64>.phases", quarters, inferred, kernel_guide},
    {"cdna_4", "ds_write2<32>.phases ds_write2st64<32>.phases", halves, inferred, kernel_guide},
    {"cdna_4", "ds_read2<32>.banks ds_read2st64<32>.banks ds_read2<64>.banks ds_read2st64<64>.banks", "32", documented,
     triton_padding},
    {"cdna_4", "ds_write2<32>.banks ds_write2st64<32>.banks ds_write2<64>.banks ds_write2st64<64>.banks", "32",
     inferred, rocke},
    {"cdna_4", "ds_read<96>.banks ds_write<64>.banks", "32", measured, hipkittens},
    {"cdna_4", "ds_write<8>.banks ds_write<16>.banks ds_write<32>.banks ds_write<128>.banks", "32", inferred, rocke},
    {"cdna_4", "ds_read_tr<16>.phases", halves, measured, "Primus-Turbo"},
    {"cdna_4", "ds_read_tr<8>.phases ds_read_tr<4>.phases", halves, inferred, "Primus-Turbo"},
    {"cdna_4", "ds_read_tr<16>.map ds_read_tr<8>.map", "", documented, "ROCDLLoadToTransposeLoad"},
    {"cdna_4", "ds_read_tr<4>.map ds_read_tr<6>.map", "", inferred, "ROCDLLoadToTransposeLoad"},

    // ---- Products of CDNA: cdna.md 6, 9. 0: no source ----
    {"mi325x", "vector_l1", "32768", inferred, white_paper},
    {"cdna_3_products", "vector_l1", "32768", documented, white_paper},
    {"cdna_4_products", "vector_l1", "32768", documented, mi350},
    {"cdna_3_products cdna_4_products", "scalar_l1", "16384", documented, specifications},
    {"mi325x", "instruction_l1", "65536", inferred, white_paper},
    {"cdna_3_products", "instruction_l1", "65536", documented, white_paper},
    {"cdna_4_products", "instruction_l1", "65536", documented, mi350},
    {"mi325x", "l2", "4194304", inferred, white_paper},
    {"cdna_3_products", "l2", "4194304", documented, white_paper},
    {"cdna_4_products", "l2", "4194304", documented, mi350},
    {"mi325x", "infinity_cache", "268435456", inferred, white_paper},
    {"cdna_3_products", "infinity_cache", "268435456", documented, white_paper},
    {"mi350x mi355x", "infinity_cache", "268435456", documented, specifications},
    {"mi350p", "infinity_cache", "134217728", documented, mi350},
    {"mi300x mi325x mi350x mi355x", "xcds", "8", documented, specifications},
    {"mi300a", "xcds", "6", documented, specifications},
    {"mi350p", "xcds", "4", documented, mi350},
    {"cdna_3_products", "compute_units_per_xcd", "38", documented, specifications},
    {"cdna_4_products", "compute_units_per_xcd", "32", documented, mi350},
    {"mi325x", "physical_compute_units_per_xcd", "40", inferred, white_paper},
    {"cdna_3_products", "physical_compute_units_per_xcd", "40", documented, white_paper},
    {"cdna_4_products", "physical_compute_units_per_xcd", "36", documented, mi350},
    {"mi325x", "io_dies", "4", inferred, white_paper},
    {"cdna_3_products", "io_dies", "4", documented, white_paper},
    {"mi350x mi355x", "io_dies", "2", documented, mi350},
    {"mi350p", "io_dies", "1", documented, mi350},
    {"mi325x", "hbm_stacks", "8", inferred, white_paper},
    {"cdna_3_products", "hbm_stacks", "8", documented, white_paper},
    {"mi350x mi355x", "hbm_stacks", "8", documented, mi350},
    {"mi350p", "hbm_stacks", "4", documented, mi350},
    {"mi300x", "hbm_gigabytes", "192", documented, specifications},
    {"mi325x", "hbm_gigabytes", "256", documented, specifications},
    {"mi300a", "hbm_gigabytes", "128", documented, specifications},
    {"mi350x mi355x", "hbm_gigabytes", "288", documented, specifications},
    {"mi350p", "hbm_gigabytes", "144", documented, mi350},
    {"mi300x mi325x mi350x mi355x", "partitions", "8 4 0 2 1", documented, partitions},
    {"mi300a", "partitions", "6 0 2 0 1", documented, partitions},
    {"mi350p", "partitions", "4 2 0 0 1", documented, partitions},
    {"cdna_3_products cdna_4_products", "of_remote_pages", "nc", documented, page_types},
    {"mi300x mi325x", "of_host_pages", "uc", documented, page_types},
    {"mi300a cdna_4_products", "of_host_pages", "nc", documented, page_types},

    // ---- RDNA: rdna.md 1, 2.1, 3, 7; its LDS: 2.2 ----
    {"gfx125x", "lanes", "32", documented, "pull request 153690"},
    {"gfx1100 gfx1101 gfx1102 gfx1103", "lanes", "32", documented, rdna_3_isa},
    {"rdna", "lanes", "32", inferred, rdna_3_isa},
    {"gfx125x", "wave64", "false", documented, "pull request 153690"},
    {"gfx1100 gfx1101 gfx1102 gfx1103", "wave64", "true", documented, rdna_3_isa},
    {"rdna", "wave64", "true", inferred, rdna_3_isa},
    {"gfx1100 gfx1101 gfx1151 rdna_4", "vgprs", "1536", documented, base_info},
    {"every_rdna", "vgprs", "1024", documented, base_info},
    {"rdna_1", "vgpr_granule", "8", documented, base_info},
    {"gfx1100 gfx1101 gfx1151 rdna_4", "vgpr_granule", "24", documented, base_info},
    {"gfx125x", "vgpr_granule", "16", documented, cdna_5_isa},
    {"rdna", "vgpr_granule", "16", documented, base_info},
    {"gfx125x", "vgprs_of_a_wave", "1024", documented, cdna_5_isa},
    {"gfx125x", "sgprs_of_a_wave", "106", documented, cdna_5_isa},
    {"rdna", "vgprs_of_a_wave", "256", documented, base_info},
    {"rdna_1", "waves_per_simd", "20", documented, base_info},
    {"every_rdna", "waves_per_simd", "16", documented, base_info},
    {"every_rdna", "work_group_lanes", "1024", documented, base_info},
    {"rdna_4", "simds_of_cu", "2", documented, rdna_4_isa},
    {"rdna", "simds_of_cu", "2", inferred, rdna_4_isa},
    {"gfx125x", "simds_of_wgp", "4", documented, cdna_5_isa},
    {"rdna_4", "simds_of_wgp", "4", documented, rdna_4_isa},
    {"rdna", "simds_of_wgp", "4", inferred, rdna_4_isa},
    {"gfx125x", "lds_of_wgp", "327680", documented, cdna_5_isa},
    {"rdna_4", "lds_of_cu", "65536", documented, rdna_4_isa},
    {"rdna", "lds_of_cu", "65536", inferred, rdna_4_isa},
    {"rdna_4", "lds_of_wgp", "131072", documented, rdna_4_isa},
    {"rdna", "lds_of_wgp", "131072", inferred, rdna_4_isa},
    {"rdna", "groups_of_cu", "16", documented, base_info},
    {"gfx125x", "groups_of_wgp", "32", documented, cdna_5_isa},
    {"gfx125x", "groups_of_wgp_by_llvm", "16", documented, base_info},
    {"rdna", "groups_of_wgp", "32", documented, base_info},
    {"gfx125x", "lds_bytes", "327680", documented, "AMDGPU.td"},
    {"gfx1170", "lds_bytes", "65536", inferred, "pull request 180185"},
    {"gfx117x", "lds_bytes", "65536", inferred, "pull request 204816"},
    {"gfx1310", "lds_bytes", "196608", documented, "pull request 214513"},
    {"gfx1310", "lds_of_two_simds", "98304", documented, "pull request 214513"},
    {"rdna_4", "lds_bytes", "65536", documented, rdna_4_isa},
    {"rdna", "lds_bytes", "65536", inferred, rdna_4_isa},
    {"gfx125x", "lds_granule", "2048", documented, "pull request 167614"},
    {"rdna_1", "lds_granule", "512", documented, "Mesa, ac_gpu_info.c"},
    {"rdna_4", "lds_granule", "1024", documented, rdna_4_isa},
    {"rdna_2 gfx1100 gfx1101 gfx1102 gfx1103", "lds_granule", "1024", documented, "Mesa, ac_gpu_info.c"},
    {"rdna", "lds_granule", "1024", documented, "RDNA 3.5 Instruction Set"},
    {"rdna_1", "banks", "32", inferred, rdna_2_isa},
    {"rdna_2", "banks", "32", documented, rdna_2_isa},
    {"rdna_4", "banks", "32", documented, rdna_4_isa},
    {"gfx1100 gfx1101 gfx1102 gfx1103", "banks", "32", documented, rdna_3_isa},
    {"rdna", "banks", "32", inferred, rdna_3_isa},
    {"gfx125x", "banks", "64", documented, cdna_5_isa},
    {"gfx125x", "bank_bytes", "4", documented, cdna_5_isa},
    {"gfx1100 gfx1101 gfx1102 gfx1103", "bank_bytes", "4", documented, rdna_3_isa},
    {"rdna", "bank_bytes", "4", inferred, rdna_3_isa},
    {"rdna_4", "line_bytes", "128", inferred, kfd},
    {"rdna", "line_bytes", "128", documented, kfd},
    {"rdna", "lines_of_a_wave atomic_lines", "", inferred, kfd},
    {"rdna", "buffer_accesses", "", inferred, none},
    {"rdna_4", "scalar_line_bytes", "64", inferred, kfd},
    {"rdna", "scalar_line_bytes", "64", documented, kfd},
    {"rdna_4", "scalar_load_b96", "", documented, assembler},  // 1: gfx12 has it
    {"rdna", "aligned_bytes", "4", inferred, none},
    {"gfx1030", "clocks", "", measured, "gpu-strides/rdna2.txt"},
    {"gfx1030", "tag_banks", "4", measured, "gpu-strides/rdna2.txt"},
    {"gfx1030", "data_banks", "32", measured, "gpu-strides/rdna2.txt"},
    {"gfx1030", "lines_of_one_clock", "2", measured, "gpu-strides/rdna2.txt"},

    // Loads on gfx1100 were measured with public figures. Loom also ran gfx1151, waves of 64, halves and stores, and
    // published no figures.
    {"gfx1100", "loads_of_32 loads_of_64", "", measured, shark},
    {"on_loom", "stores", "", inferred, loom},
    {"rdna_4", "stores stores_of_32", "", inferred, triton_phases},
    {"rdna_2", "stores_of_32", "", documented, rdna_2_isa},
    {"gfx1100 gfx1101 gfx1102 gfx1103", "stores_of_32", "", documented, rdna_3_isa},
    {"gfx1101 gfx1102 gfx1103", "loads_of_32", "", documented, rdna_3_isa},
    {"rdna", "stores stores_of_32", "", inferred, loom},
    {"rdna_4", "loads_of_96", "", documented, triton_phases},
    {"rdna_2 rdna_3", "loads_of_96", "", inferred, triton_phases},
    {"rdna", "pairs", "", inferred, kernel_guide},
    {"rdna", "pair_offset", "255", documented, "SILoadStoreOptimizer.cpp"},
    {"rdna", "st64_elements", "64", documented, "SILoadStoreOptimizer.cpp"},
    {"rdna", "equal_offsets", "", inferred, none},
    {"rdna", "offsets_wrap", "", documented, "GCNSubtarget.h"},
    {"gfx1100", "wide_loads ds_load<128>.phases", paired_quads_of_32, measured, shark},
    {"gfx1151", "wide_loads ds_load<128>.phases", paired_quads_of_32, inferred, loom},
    {"gfx1201", "wide_loads ds_load<128>.phases", quarters_of_32, measured, shark},
    {"gfx1200", "wide_loads ds_load<128>.phases", quarters_of_32, documented, triton_phases},
    {"rdna_2 rdna_3", "wide_loads ds_load<128>.phases", paired_quads_of_32, inferred, triton_phases},
    {"rdna_4", "ds_load<96>.phases", quarters_of_32, documented, triton_phases},
    {"rdna_2 rdna_3", "ds_load<96>.phases", paired_quads_of_32, inferred, triton_phases},
    {"rdna", "ds_2addr<32>.phases", all_of_32, inferred, kernel_guide},
    {"rdna", "ds_2addr<64>.phases", halves_of_32, inferred, kernel_guide},
    {"gfx1201", "loads_of_32 loads_of_64", "", measured, shark},
    {"rdna_2", "loads_of_32", "", documented, rdna_2_isa},
    {"rdna", "loads_of_16 loads_of_32 loads_of_64", "", inferred, loom},
    {"rdna", "ds_load<8>.phases", all_of_32, inferred, loom},
    {"gfx1100 gfx1201", "ds_load<32>.phases", all_of_32, measured, shark},
    {"gfx1101 gfx1102 gfx1103", "ds_load<32>.phases", all_of_32, documented, rdna_3_isa},
    {"rdna_2", "ds_load<32>.phases", all_of_32, documented, rdna_2_isa},
    {"rdna", "ds_load<16>.phases ds_load<32>.phases", all_of_32, inferred, loom},
    {"gfx1100 gfx1201", "ds_load<64>.phases", halves_of_32, measured, shark},
    {"rdna", "ds_load<64>.phases", halves_of_32, inferred, loom},
    {"rdna", "ds_store<8>.phases", all_of_32, inferred, loom},
    {"rdna_2", "ds_store<32>.phases", all_of_32, documented, rdna_2_isa},
    {"gfx1100 gfx1101 gfx1102 gfx1103", "ds_store<32>.phases", all_of_32, documented, rdna_3_isa},
    {"rdna_4", "ds_store<16>.phases ds_store<32>.phases", all_of_32, inferred, triton_phases},
    {"rdna_4", "ds_store<64>.phases", halves_of_32, inferred, triton_phases},
    {"rdna_4", "ds_store<128>.phases", quarters_of_32, inferred, triton_phases},
    {"rdna", "ds_store<16>.phases ds_store<32>.phases", all_of_32, inferred, loom},
    {"rdna", "ds_store<64>.phases", halves_of_32, inferred, loom},
    {"rdna", "ds_store<128>.phases", quarters_of_32, inferred, loom},
    // Waves of 64: the same 32 lanes on; loom ran them, elsewhere they are taken to be two halves.
    {"gfx1100 gfx1101 gfx1102 gfx1103",
     "wave64_ds_load<8>.lanes wave64_ds_load<128>.lanes wave64_ds_store<128>.lanes "
     "wave64_ds_2addr<64>.lanes",
     "64", documented, rdna_3_isa},
    {"rdna",
     "wave64_ds_load<8>.lanes wave64_ds_load<128>.lanes wave64_ds_store<128>.lanes "
     "wave64_ds_2addr<64>.lanes",
     "64", inferred, rdna_3_isa},
    {"rdna", "wave64_ds_load<8>.phases", halves, inferred, loom},
    {"gfx1100", "wave64_ds_load<128>.phases", paired_quads, inferred, shark},
    {"gfx1151", "wave64_ds_load<128>.phases", paired_quads, inferred, loom},
    {"gfx1201", "wave64_ds_load<128>.phases", eighths, inferred, shark},
    {"gfx1200", "wave64_ds_load<128>.phases", eighths, inferred, triton_phases},
    {"rdna_2 rdna_3", "wave64_ds_load<128>.phases", paired_quads, inferred, triton_phases},
    {"rdna_4", "wave64_ds_store<128>.phases", eighths, inferred, triton_phases},
    {"rdna", "wave64_ds_store<128>.phases", eighths, inferred, loom},
    {"rdna", "wave64_ds_2addr<64>.phases", quarters, inferred, kernel_guide},
};

// ---- Whether it says what the table does ----

std::set<figure const*> used;
std::set<coalescing_tests::public_figures const*> figures_used;
std::set<std::string> documents;
unsigned figures_checked = 0;

figure const* line_of(std::string const& machine, std::string const& name) {
  for (figure const& line : figures)
    if (lists(line.names, name) && lists_machine(line.machines, machine)) return &line;
  return nullptr;
}
/// The fault of a figure; empty if it has no fault.
std::string fault(std::string const& machine, std::string const& name, std::string const& value,
                  co::source const& from) {
  figure const* line = line_of(machine, name);
  if (line == nullptr && name.find(">.") != std::string::npos) line = line_of(machine, name.substr(name.find('.') + 1));
  if (line == nullptr) return "not in the table";
  used.insert(line);
  std::string const document = std::string(from.document) + ", " + from.edition;
  documents.insert(document);
  if (value != line->value) return "another value, " + value;
  if (from.evidence != line->evidence) return "another evidence";
  if (coalescing_tests::is_measured_without_figures(from)) return "measured, and no public figures are known";
  if (auto const* const there = coalescing_tests::figures_of(from)) figures_used.insert(there);
  return document.find(line->document) == std::string::npos ? "another document, " + document : "";
}

/// Compares each figure with the table.
struct compares {
  void figure(std::string const& machine, std::string const& name, std::string const& value,
              co::source const& from) const {
    ++figures_checked;
    std::string const wrong = fault(machine, name, value, from);
    if (!wrong.empty()) FAIL_CHECK(machine, ", ", name, ": ", wrong, " (tests/every/every_figure.cpp, table figures)");
  }
  void missing(std::string const& machine, std::string const& name) const {
    if (line_of(machine, name) != nullptr)
      FAIL_CHECK(machine, " has no ", name, " (tests/every/every_figure.cpp, table figures)");
  }
};

}  // namespace

TEST_CASE("every figure of every row: its value, how it is known, and by which document") {
  compares compare;
  coalescing_tests::show_cuda(compare), coalescing_tests::show_gcn(compare);
  coalescing_tests::show_cdna(compare), coalescing_tests::show_rdna(compare);
  CHECK(figures_checked > 1'500);

  for (figure const& line : figures) {
    INFO((std::string(line.machines) + ": " + line.names + ", " + line.document));
    CHECK(used.count(&line) == 1);  // no line that no row has
    unsigned documents_meant = 0;
    for (std::string const& document : documents) documents_meant += document.find(line.document) != std::string::npos;
    CHECK(documents_meant == 1);
  }
  for (auto const& line : coalescing_tests::measured_by) {
    INFO((std::string(line.title) + ": " + line.section));
    CHECK(figures_used.count(&line) == 1);  // no line for what no row cites as measured
  }
}
TEST_CASE("control: a figure that the table has otherwise, or not at all, is noticed") {
  constexpr auto lines = co::rdna::row<co::rdna::chip::gfx1201>::line_bytes;
  CHECK(fault("gfx1201", "line_bytes", "128", lines.from) == "");
  CHECK(fault("gfx1201", "line_bytes", "127", lines.from) == "another value, 127");
  CHECK(fault("gfx1100", "line_bytes", "128", lines.from) == "another evidence");
  CHECK(fault("gfx1201", "banks", "32", co::cuda::row<90>::banks.from) ==
        "another document, NVIDIA CUDA C++ Programming Guide, 12.3, October 2023 (PDF)");
  CHECK(fault("gfx1250", "line_bytes", "128", lines.from) == "not in the table");
  CHECK(line_of("cc75", "merged_parts.of_16") != nullptr);
  CHECK(line_of("cc37", "merged_parts.of_16") == nullptr);
  using b96 = co::cdna::ds_read_row<co::cdna::chip::gfx950, 96>;
  CHECK(fault("gfx950", "ds_read<96>.banks", "32", b96::banks.from) == "");
  CHECK(fault("gfx950", "ds_read<64>.banks", "32", b96::banks.from) == "another value, 32");
  CHECK(text(b96::phases.value) == paired_quads);
  CHECK(text(co::amd::lane_masks<2>{{0x8000'0000'0000'0001, 0x6}}) == "0-0,63-63 1-2");
}
TEST_CASE("something for each size of word, by its size") {
  constexpr co::cuda::by_width<unsigned> itself{1, 2, 4, 8, 16, 32};
  COALESCE_CHECK(itself.of(1) == 1);
  COALESCE_CHECK(itself.of(2) == 2);
  COALESCE_CHECK(itself.of(4) == 4);
  COALESCE_CHECK(itself.of(8) == 8);
  COALESCE_CHECK(itself.of(16) == 16);
  COALESCE_CHECK(itself.of(32) == 32);
}

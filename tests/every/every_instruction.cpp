// SPDX-License-Identifier: BSL-1.0
//
// Every instruction of NVIDIA, GCN, CDNA and RDNA against tables written by hand from the notes on the documents: the
// document and evidence of each of its numbers, its level, its unit, and its period in bytes.
#include <coalesce/coalesce.hpp>
#include <coalesce/explain.hpp>

#include "every/machines.hpp"
#include "machinery/check.hpp"
#include "truth/instructions/cdna.hpp"
#include "truth/instructions/cuda.hpp"
#include "truth/instructions/gcn.hpp"
#include "truth/instructions/rdna.hpp"

#include <set>
#include <string>
#include <type_traits>
#include <utility>

namespace co = coalescing;
using coalescing_tests::can, coalescing_tests::lists, coalescing_tests::lists_machine;

namespace {

constexpr auto documented = co::evidence::documented, measured = co::evidence::measured,
               inferred = co::evidence::inferred;

/// An instruction's name apart: "load<32,l1>" is load and 32,l1, "cp_async<4,4>::global" cp_async::global and 4,4.
struct parts {
  std::string name, arguments;
  explicit parts(std::string const& whole)
      : name(whole.substr(0, whole.find('<')) + whole.substr(whole.find('>') + 1)),
        arguments(whole.substr(whole.find('<') + 1, whole.find('>') - whole.find('<') - 1)) {}
};

// ---- Where the numbers come from ----

struct citation {
  char const *machines, *instructions, *arguments, *numbers;
  co::evidence evidence;
  char const* document;  ///< words of its title or edition
};

constexpr char const* rounds = "rounds conflicts phases ways rounds_at_least";
constexpr char const* pieces = "transactions bytes_moved";

// The first that fits.
constexpr citation citations[] = {
    // This needs no rule of a machine.
    {"*", "*", "*", "bytes_used", documented, "the question itself"},
    {"cdna", "global_atomic ds_atomic", "*", "operations", documented, "the question itself"},
    {"rdna", "global_atomic wave64::global_atomic", "*", "operations", documented, "the question itself"},

    // nvidia.md 1, 2: the sections of guide 3.2; 7, 8: constant and shared memory.
    {"tesla", "load store", "*", "requests transactions bytes_moved", documented, "C Programming Guide, 3.2"},
    {"tesla", "constant_load", "*", "requests", documented, "Programming Guide, 2.0"},
    {"tesla", "shared_load shared_store", "*", rounds, documented, "Programming Guide, 2.0"},
    // 3: Fermi; that stores go in 32 bytes only a book says.
    {"fermi", "load", "*", "requests transactions bytes_moved", documented, "C Programming Guide, 3.2"},
    {"fermi", "store", "*", "requests operations", documented, "C Programming Guide, 3.2"},
    {"fermi kepler", "store", "*", pieces, inferred, "Professional CUDA C Programming"},
    {"fermi", "shared_load shared_store", "*", rounds, documented, "C Programming Guide, 3.2"},
    {"fermi", "atomic red", "*", pieces, documented, "Memory Statistics, Atomics"},
    // 4: Kepler; that half-warps of 16-byte words, and the warp of 8-byte words, go at once is inferred.
    {"kepler", "load", "*", "requests transactions bytes_moved", documented, "Programming Guide, 10.2"},
    {"kepler", "store", "*", "requests", documented, "Programming Guide, 10.2"},
    {"kepler", "shared_load shared_store",
     "64 64,four_byte_banks 64,eight_byte_banks 128 128,four_byte_banks 128,eight_byte_banks", rounds, inferred,
     "C Programming Guide, 5.5"},
    {"kepler", "shared_load shared_store", "*", rounds, documented, "C Programming Guide, 5.5"},
    {"fermi kepler", "constant_load", "*", "requests", documented, "C Programming Guide, 5.5"},
    {"fermi kepler", "shared_atomic", "*", rounds, inferred, "arXiv 1804.06826"},
    // Elsewhere "as CC 2.x" is our reading; of sectors written in part NVIDIA tells from CC 7.0 on.
    {"kepler from_maxwell", "store", "*", "operations", inferred, "C Programming Guide, 3.2"},
    {"kepler from_maxwell", "atomic red", "*", pieces, inferred, "Memory Statistics, Atomics"},
    {"from_volta", "store", "*", "partial_sectors", documented, "Nsight Compute"},
    {"fermi kepler maxwell pascal", "store", "*", "partial_sectors", inferred, "Nsight Compute"},
    {"from_fermi", "atomic red shared_atomic", "*", "operations lanes_on_one_address", documented,
     "C++ Programming Guide, 12.3"},
    // 5: Maxwell and Pascal, an employee of NVIDIA.
    {"maxwell pascal", "load store", "*", "requests transactions bytes_moved", documented, "thread 49571"},
    // 6: from Volta on. 256 bits are documented, their sectors not.
    {"from_volta", "load store", "*", "requests lines", documented, "Nsight Compute"},
    {"from_volta", "load store", "256", pieces, inferred, "Parallel Thread Execution ISA, 8.8"},
    {"neighbours", "load store", "*", pieces, inferred, "Best Practices Guide, 13.0"},
    {"from_volta", "load store", "*", pieces, documented, "Best Practices Guide, 13.0"},
    {"on_gpu_strides", "load", "32 64", "data_wavefronts", measured, "gpu-strides"},
    {"from_volta", "load store", "*", "data_wavefronts", inferred, "gpu-strides"},
    {"neighbours cc100 cc120", "load store", "*", "tag_wavefronts_at_least", inferred, "thread 312884"},
    {"from_volta", "load", "*", "tag_wavefronts_at_least", documented, "thread 312884"},
    {"from_volta", "store", "*", "tag_wavefronts_at_least", inferred, "thread 312884"},
    // 7: shared memory from Maxwell on; wide words as NVIDIA's Fuser counts them, which supports CC 7.0 and later.
    // Pairs of lanes that merge: NVIDIA said so of CC 7.0 to 7.5, others measured it on 8.0, and 16 bytes on 8.6
    // and 9.0. We counted 8 bytes on 9.0.
    {"cc70 cc72 cc75", "shared_load", "64 64,pair_merge 128 128,pair_merge", rounds, documented, "thread 77228"},
    {"cc80", "shared_load", "64 64,pair_merge 128 128,pair_merge", rounds, measured, "gpu_shm_microbench"},
    {"cc86 cc90", "shared_load", "128 128,pair_merge", rounds, measured, "thread 373160"},
    {"cc90", "shared_load", "64 64,pair_merge", rounds, measured, "an H100's counters"},
    {"maxwell pascal", "shared_load", "64,pair_merge 128,pair_merge", rounds, inferred, "maxas, issue 8"},
    {"from_volta", "shared_load", "64,pair_merge", rounds, inferred, "gpu_shm_microbench"},
    {"from_volta", "shared_load", "128,pair_merge", rounds, inferred, "thread 373160"},
    {"maxwell pascal neighbours cc100 cc120", "shared_load shared_store", "64 64,no_merge 128 128,no_merge", rounds,
     inferred, "NVIDIA Fuser"},
    {"from_volta", "shared_load shared_store", "64 64,no_merge 128 128,no_merge", rounds, documented, "NVIDIA Fuser"},
    {"neighbours_of_blackwell", "shared_load shared_store", "*", rounds, inferred, "Nsight Compute"},
    {"cc100 cc120", "shared_load shared_store", "*", rounds, documented, "Nsight Compute"},
    {"cc88", "shared_load shared_store", "*", rounds, inferred, "C++ Programming Guide, 12.3"},
    {"from_maxwell", "shared_load shared_store", "*", rounds, documented, "C++ Programming Guide, 12.3"},
    {"from_maxwell", "shared_atomic", "*", rounds, inferred, "C++ Programming Guide, 12.3"},
    // 8: constant memory: the chapters of 10.x and 12.x were not seen to say it.
    {"neighbours cc100 cc120", "constant_load", "*", "requests", inferred, "C++ Programming Guide, 12.3"},
    {"from_maxwell", "constant_load", "*", "requests", documented, "C++ Programming Guide, 12.3"},

    // copies.md 1: eight rows at a time is NVIDIA's own, of loads of 16-bit matrices up to CC 9.0.
    {"blackwell", "ldmatrix stmatrix",
     "1,m16n16_trans_b8 2,m16n16_trans_b8 1,m16n16_trans_b6 2,m16n16_trans_b6 1,m16n16_trans_b4 2,m16n16_trans_b4 "
     "1,m8n16_b6 2,m8n16_b6 4,m8n16_b6 1,m8n16_b4 2,m8n16_b4 4,m8n16_b4 1,m16n8_trans_b8 2,m16n8_trans_b8 "
     "4,m16n8_trans_b8",
     rounds, inferred, "CUTLASS"},
    {"blackwell cc88", "ldmatrix", "*", rounds, inferred, "NVIDIA Fuser"},
    {"cc75 ampere cc90", "ldmatrix", "*", rounds, documented, "NVIDIA Fuser"},
    {"cc90", "stmatrix", "*", rounds, measured, "an H100's counters"},
    {"blackwell", "stmatrix", "*", rounds, inferred, "NVIDIA Fuser"},
    // 2: both sides of a copy.
    {"cc90", "cp_async::global", "*", "requests transactions bytes_moved", measured, "an H100's counters"},
    {"cc90", "cp_async::shared", "*", rounds, measured, "an H100's counters"},
    {"ampere cc90 blackwell", "cp_async::global", "*", "requests transactions bytes_moved lines", inferred,
     "Asynchronous Data Copies"},
    {"ampere cc90 blackwell", "cp_async::shared", "*", rounds, inferred, "Asynchronous Data Copies"},

    // gcn.md 1, 2: the post and perftest; 3: stores and atomics.
    {"gcn", "buffer_load", "8 16 32", "clocks", measured, "perftest"},
    {"gcn", "buffer_load image_load image_sample", "*", "clocks", documented, "Understanding Memory Coalescing on GCN"},
    {"gcn", "buffer_store", "*", "clocks", inferred, "CLRX"},
    {"gcn", "buffer_atomic image_store", "*", "clocks", inferred, "Understanding Memory Coalescing on GCN"},
    {"gcn", "buffer_atomic image_sample", "*", pieces, inferred, "Understanding Memory Coalescing on GCN"},
    {"gcn", "buffer_load buffer_store image_load image_store", "*", pieces, documented,
     "Understanding Memory Coalescing on GCN"},
    {"gcn", "buffer_store buffer_atomic image_store", "*", "operations", documented,
     "Understanding Memory Coalescing on GCN"},
    {"gcn", "s_load", "*", pieces, documented, "kfd_crat.c"},
    // gcn.md 5, D1, D4: LDS. Measurements on CDNA count as inferred here.
    {"gcn", "ds_read", "8 16 32", rounds, documented, "OpenCL Optimization Guide"},
    {"gcn", "ds_write", "32", rounds, documented, "OpenCL Optimization Guide"},
    {"gcn", "ds_write", "8 16", rounds, inferred, "OpenCL Optimization Guide"},
    {"gcn", "ds_read", "64", rounds, inferred, "amd-shark-ai, Empirical LDS"},
    {"gcn", "ds_write", "64", rounds, inferred, "HipKittens"},
    {"gcn", "ds_read", "96", rounds, inferred, "HipKittens"},
    {"gcn", "ds_read ds_write", "128", rounds, documented, "composable_kernel"},

    // cdna.md 8: lower bounds, inferred; copies.md 4.1: loads to LDS as loads to registers.
    {"cdna", "global_load global_store buffer_load buffer_store global_atomic", "*", "transactions bytes_moved quads",
     inferred, "ROCm Compute Profiler"},
    {"cdna", "global_load_lds::global buffer_load_lds::global", "*", "transactions bytes_moved quads", inferred,
     "ROCm Compute Profiler"},
    {"cdna", "global_store buffer_store", "*", "operations", inferred, "Understanding Memory Coalescing on GCN"},
    {"cdna", "ds_atomic", "*", "lanes_on_one_address", documented, "ROCm Compute Profiler"},
    // cdna.md 7: phases by chip and width.
    {"gfx90a", "ds_read", "32", rounds, measured, "ROCm Compute Profiler"},
    {"gfx90a", "ds_read", "96", rounds, inferred, "HipKittens"},
    {"gfx90a", "ds_read ds_write", "8 16", rounds, documented, "AMDResearch/omniprobe"},
    {"gfx90a", "ds_read ds_write", "32 64 128", rounds, documented, "rocKE"},
    {"cdna_3", "ds_read", "32 64", rounds, measured, "amd-shark-ai, Empirical LDS"},
    {"cdna_3", "ds_read ds_write", "16", rounds, measured, "tutorial_14"},
    {"cdna_3", "ds_read ds_write", "8", rounds, inferred, "tutorial_14"},
    {"cdna_3", "ds_read", "96", rounds, inferred, "HipKittens"},
    {"cdna_3", "ds_read ds_write", "128", rounds, documented, "composable_kernel"},
    {"cdna_3", "ds_write", "32 64", rounds, inferred, "amd-shark-ai, Empirical LDS"},
    {"gfx950", "ds_read", "8 16 32", rounds, inferred, "amd-shark-ai, Empirical LDS"},
    {"gfx950", "ds_read", "64 96 128", rounds, measured, "HipKittens"},
    {"gfx950", "ds_write", "64", rounds, measured, "HipKittens"},
    {"gfx950", "ds_write", "8 16 32 128", rounds, inferred, "rocKE"},
    // copies.md 4.2, 4.3.
    {"cdna_3", "ds_read2", "64,0,1 64,3,3 64,5,0", rounds, documented, "AMDGPU Kernel Optimization Guide"},
    {"gfx950", "ds_read2 ds_read2st64", "*", rounds, inferred, "pull request 9544"},
    {"cdna", "ds_read2 ds_read2st64 ds_write2 ds_write2st64", "*", rounds, inferred,
     "AMDGPU Kernel Optimization Guide"},
    {"gfx950", "ds_read_tr", "64,16", rounds, measured, "Primus-Turbo"},
    {"gfx950", "ds_read_tr", "64,8 64,4", rounds, inferred, "Primus-Turbo"},

    // rdna.md 2.2 and its table of masks: measured where figures are public, which loom's are not; 1: a wave64 is two
    // halves, inferred.
    {"rdna",
     "ds_load_2addr ds_load_2addr_stride64 ds_store_2addr ds_store_2addr_stride64 wave64::ds_load_2addr "
     "wave64::ds_load_2addr_stride64 wave64::ds_store_2addr wave64::ds_store_2addr_stride64",
     "*", rounds, inferred, "AMDGPU Kernel Optimization Guide"},
    {"rdna", "ds_store wave64::ds_store", "8", rounds, inferred, "loom"},
    {"rdna_4", "ds_store wave64::ds_store", "*", rounds, inferred, "pull request 11365"},
    {"rdna_2", "ds_store ds_load", "32", rounds, documented, "RDNA 2 Instruction Set Architecture"},
    {"rdna_2", "wave64::ds_store wave64::ds_load", "32", rounds, inferred, "RDNA 2 Instruction Set Architecture"},
    {"gfx1100 gfx1101 gfx1102 gfx1103", "ds_store", "32", rounds, documented, "RDNA 3 Instruction Set Architecture"},
    {"gfx1100 gfx1101 gfx1102 gfx1103", "wave64::ds_store", "32", rounds, inferred,
     "RDNA 3 Instruction Set Architecture"},
    {"gfx1101 gfx1102 gfx1103", "ds_load", "32", rounds, documented, "RDNA 3 Instruction Set Architecture"},
    {"gfx1101 gfx1102 gfx1103", "wave64::ds_load", "32", rounds, inferred, "RDNA 3 Instruction Set Architecture"},
    {"rdna", "ds_store wave64::ds_store", "*", rounds, inferred, "loom"},
    {"gfx1100 gfx1201", "ds_load", "32 64 128", rounds, measured, "amd-shark-ai, Empirical LDS"},
    {"gfx1100 gfx1201", "wave64::ds_load", "32 64 128", rounds, inferred, "amd-shark-ai, Empirical LDS"},
    {"gfx1151", "ds_load wave64::ds_load", "128", rounds, inferred, "loom"},
    {"rdna_4", "ds_load", "96 128", rounds, documented, "pull request 11365"},
    {"rdna", "ds_load wave64::ds_load", "96 128", rounds, inferred, "pull request 11365"},
    {"rdna", "ds_load wave64::ds_load", "*", rounds, inferred, "loom"},
    {"gfx90a", "s_load", "*", pieces, documented, "kfd_crat.c"},
    {"cdna", "s_load", "*", pieces, inferred, "kfd_crat.c"},
    // 3.1, 3.3: sizes of lines are documented, of gfx12 not; that a wave32 asks for each line once is inferred.
    {"rdna",
     "global_load global_store buffer_load buffer_store global_atomic wave64::global_load wave64::global_store "
     "wave64::buffer_load wave64::buffer_store wave64::global_atomic",
     "*", pieces, inferred, "kfd_crat.c"},
    {"rdna_4", "s_load wave64::s_load", "*", pieces, inferred, "kfd_crat.c"},
    {"rdna", "s_load wave64::s_load", "*", pieces, documented, "kfd_crat.c"},
    // 3.2: clocks.
    {"gfx1030", "global_load", "32 64", "clocks", measured, "gpu-strides/rdna2.txt"},
    {"gfx1030", "wave64::global_load", "32 64", "clocks", inferred, "gpu-strides/rdna2.txt"},
};

unsigned numbers_checked = 0;
std::set<citation const*> used;

/// The fault of a number's source; empty if it has no fault.
std::string fault(std::string const& machine, std::string const& instruction, std::string const& number,
                  co::source const& from) {
  parts const asked(instruction);
  for (citation const& line : citations) {
    if (!lists_machine(line.machines, machine) || !lists(line.instructions, asked.name)) continue;
    if (!lists(line.arguments, asked.arguments) || !lists(line.numbers, number)) continue;
    used.insert(&line);
    if (from.evidence != line.evidence) return "another evidence";
    if ((std::string(from.document) + ", " + from.edition).find(line.document) == std::string::npos)
      return "another document";
    return "";
  }
  return "not in the table";
}

// ---- Where it is counted ----

struct place {
  char const *machines, *instructions, *arguments;
  co::level level;
  unsigned unit, period, lanes;
};

constexpr place places[] = {
    {"tesla", "load store", "*", co::level::dram, 32, 128, 32},  // before any cache
    {"fermi", "load", "8 16 32 64 128", co::level::l1, 128, 128, 32},
    {"*", "load", "8,l1 16,l1 32,l1 64,l1 128,l1", co::level::l1, 128, 128, 32},
    {"cc30 cc32", "load store atomic red", "*", co::level::l2, 32, 32, 32},  // no lines of 128 bytes anywhere
    {"fermi kepler", "load store", "*", co::level::l2, 32, 128, 32},
    {"maxwell", "load store", "*", co::level::l2, 32, 128, 32},  // global memory is not in L1 by default
    {"pascal", "load", "*", co::level::l1, 32, 128, 32},
    {"pascal", "store", "*", co::level::l2, 32, 128, 32},
    {"from_volta", "load store cp_async::global", "*", co::level::l1, 32, 128, 32},
    {"from_fermi", "atomic red", "*", co::level::l2, 32, 128, 32},
    {"*", "constant_load", "8", co::level::constant_cache, 1, 1, 32},
    {"*", "constant_load", "16", co::level::constant_cache, 2, 2, 32},
    {"*", "constant_load", "32", co::level::constant_cache, 4, 4, 32},
    {"*", "constant_load", "64", co::level::constant_cache, 8, 8, 32},
    {"*", "constant_load", "128", co::level::constant_cache, 16, 16, 32},
    {"kepler", "shared_load shared_store",
     "8,eight_byte_banks 16,eight_byte_banks 32,eight_byte_banks 64,eight_byte_banks 128,eight_byte_banks",
     co::level::lds, 8, 256, 32},
    {"kepler", "shared_load shared_store shared_atomic", "*", co::level::lds, 4, 256, 32},
    {"*", "shared_load shared_store shared_atomic cp_async::shared", "*", co::level::lds, 4, 128, 32},
    {"*", "ldmatrix stmatrix", "1,m8n8 1,m8n8_trans 1,m8n16_b6 1,m8n16_b4 1,m16n8_trans_b8", co::level::lds, 4, 128, 8},
    {"*", "ldmatrix stmatrix",
     "2,m8n8 2,m8n8_trans 2,m8n16_b6 2,m8n16_b4 2,m16n8_trans_b8 1,m16n16_trans_b8 1,m16n16_trans_b6 1,m16n16_trans_b4",
     co::level::lds, 4, 128, 16},
    {"*", "ldmatrix stmatrix", "*", co::level::lds, 4, 128, 32},
    {"gcn", "s_load", "*", co::level::l2, 64, 64, 1},
    {"gcn", "buffer_load buffer_store buffer_atomic image_load image_sample image_store", "*", co::level::l2, 64, 64,
     64},
    {"gfx90a", "global_load buffer_load buffer_load_lds::global", "*", co::level::l2, 64, 64, 64},
    {"cdna_3_and_4", "global_load buffer_load buffer_load_lds::global global_load_lds::global", "*", co::level::l2, 128,
     128, 64},
    {"cdna", "global_store buffer_store global_atomic", "*", co::level::l2, 64, 64, 64},
    {"cdna", "s_load", "*", co::level::constant_cache, 64, 64, 1},
    {"gfx950", "ds_read", "96", co::level::lds, 4, 128, 64},  // from 32 of the 64 banks
    {"gfx950", "ds_read ds_read_tr", "*", co::level::lds, 4, 256, 64},
    {"cdna", "ds_atomic", "32", co::level::lds, 4, 4, 64},
    {"cdna", "ds_atomic", "64", co::level::lds, 8, 8, 64},
    {"gcn cdna", "ds_read ds_write ds_read2 ds_read2st64 ds_write2 ds_write2st64", "*", co::level::lds, 4, 128, 64},
    {"rdna", "ds_load ds_store ds_load_2addr ds_load_2addr_stride64 ds_store_2addr ds_store_2addr_stride64", "*",
     co::level::lds, 4, 128, 32},
    {"rdna",
     "wave64::ds_load wave64::ds_store wave64::ds_load_2addr wave64::ds_load_2addr_stride64 wave64::ds_store_2addr "
     "wave64::ds_store_2addr_stride64",
     "*", co::level::lds, 4, 128, 64},
    {"gfx1030", "global_load", "32 64", co::level::l0, 128, 512, 32},  // four tag banks
    {"gfx1030", "wave64::global_load", "32 64", co::level::l0, 128, 512, 64},
    {"rdna", "global_load global_store buffer_load buffer_store", "*", co::level::l0, 128, 128, 32},
    {"rdna", "wave64::global_load wave64::global_store wave64::buffer_load wave64::buffer_store", "*", co::level::l0,
     128, 128, 64},
    {"rdna", "global_atomic", "*", co::level::l2, 128, 128, 32},
    {"rdna", "wave64::global_atomic", "*", co::level::l2, 128, 128, 64},
    {"rdna", "s_load wave64::s_load", "*", co::level::constant_cache, 64, 64, 1},
};

/// By which a launch is cut, however few lanes an instruction asks.
unsigned threads_of_a_wave(std::string const& machine, std::string const& instruction) {
  bool const nvidia = machine.rfind("cc", 0) == 0, rdna = machine.rfind("gfx1", 0) == 0;
  return nvidia || (rdna && instruction.rfind("wave64::", 0) != 0) ? 32 : 64;
}

unsigned instructions_checked = 0;
std::set<place const*> seen;

struct answers {
  co::level level;
  std::uint64_t unit, period;
  unsigned lanes, wave;
};
template <class Instruction>
constexpr answers answers_of{.level = Instruction::level,
                             .unit = Instruction::unit,
                             .period = Instruction::period,
                             .lanes = Instruction::lanes,
                             .wave = co::detail::wave_of<Instruction>};
std::string fault(std::string const& machine, std::string const& instruction, answers const& found) {
  parts const asked(instruction);
  for (place const& line : places) {
    if (!lists_machine(line.machines, machine) || !lists(line.instructions, asked.name)) continue;
    if (!lists(line.arguments, asked.arguments)) continue;
    seen.insert(&line);
    if (found.level != line.level) return "another level";
    if (found.unit != line.unit) return "another unit";
    if (found.period != line.period) return "another period";
    if (found.lanes != line.lanes) return "another number of lanes";
    if (found.wave != threads_of_a_wave(machine, instruction)) return "another wave";
    return "";
  }
  return "not in the table";
}

// ---- All of them ----

void check_source(std::string const& machine, std::string const& instruction, std::string const& number,
                  co::source const& from) {
  ++numbers_checked;
  if (std::string const wrong = fault(machine, instruction, number, from); !wrong.empty())
    FAIL_CHECK(machine, " ", instruction, ", ", number, ": ", from.document, ", ", from.edition, ", ",
               co::detail::words_of(from.evidence), ": ", wrong,
               " (tests/every/every_instruction.cpp, table citations)");
}
struct sees_sources {
  template <auto... Numbers, auto... Origins, class Sources>
  static void each(std::string const& machine, std::string const& instruction, co::detail::members<Numbers...>,
                   co::detail::members<Origins...>, Sources const& sources) {
    (check_source(machine, instruction, co::detail::name_of_number<Numbers>().c_str(), sources.*Origins), ...);
  }
  template <class Instruction>
  void operator()(std::string const& machine, std::string const& instruction) const {
    each(machine, instruction, typename Instruction::cost_type::numbers{},
         typename std::remove_cvref_t<decltype(Instruction::sources)>::numbers{}, Instruction::sources);
  }
};
void check_place(std::string const& machine, std::string const& instruction, answers const& found) {
  ++instructions_checked;
  if (std::string const wrong = fault(machine, instruction, found); !wrong.empty())
    FAIL_CHECK(machine, " ", instruction, ": ", wrong, " (tests/every/every_instruction.cpp, table places)");
}
struct sees_places {
  template <class Instruction>
  void operator()(std::string const& machine, std::string const& instruction) const {
    check_place(machine, instruction, answers_of<Instruction>);
  }
};
template <class See>
void see_all() {
  coalescing_tests::each_instruction_of_cuda(See{});
  coalescing_tests::each_instruction_of_gcn(See{});
  coalescing_tests::each_instruction_of_cdna(See{});
  coalescing_tests::each_instruction_of_rdna(See{});
}

}  // namespace

TEST_CASE("every number of every instruction rests on the document, and is known in the way, that the notes say") {
  see_all<sees_sources>();
  CHECK(numbers_checked > 8'000);
  for (citation const& line : citations) {  // no line of the table that nothing asks for
    INFO((std::string(line.machines) + ": " + line.instructions + " " + line.arguments + ", " + line.numbers));
    CHECK(used.count(&line) == 1);
  }
}
TEST_CASE("every instruction is counted at its level, in its unit, by its lanes, and repeats after its period") {
  see_all<sees_places>();
  CHECK(instructions_checked > 2'000);
  for (place const& line : places) {
    INFO((std::string(line.machines) + ": " + line.instructions + " " + line.arguments));
    CHECK(seen.count(&line) == 1);
  }
}
TEST_CASE("control: a number whose source is another, or that the table does not have, is noticed") {
  using load = co::cuda::cc90::load<32>;
  co::source from = load::sources.transactions;
  CHECK(fault("cc90", "load<32>", "transactions", from) == "");
  CHECK(fault("cc103", "load<32>", "transactions", from) == "another evidence");
  CHECK(fault("cc90", "load<32>", "lines", from) == "another document");
  CHECK(fault("cc91", "load<32>", "lines", from) == "not in the table");
  CHECK(fault("cc90", "load<32>", answers_of<load>) == "");
  CHECK(fault("cc60", "load<32>", answers_of<load>) == "");
  CHECK(fault("cc60", "store<32>", answers_of<load>) == "another level");
  CHECK(fault("cc35", "load<32,l1>", answers_of<load>) == "another unit");
  CHECK(fault("cc30", "load<32>", answers_of<co::cuda::cc50::load<32>>) == "another period");
  using wave64 = co::rdna::gfx1030::wave64;
  CHECK(fault("gfx1030", "global_load<32>", "clocks", wave64::global_load<32>::sources.clocks) == "another evidence");
  CHECK(fault("gfx1030", "ds_load<32>", answers_of<wave64::ds_load<32>>) == "another number of lanes");
  CHECK(fault("gfx1030", "s_load<4>", answers_of<wave64::s_load<4>>) == "another wave");
  CHECK(fault("gfx1030", "wave64::s_load<4>", answers_of<wave64::s_load<4>>) == "");
}

// ---- What each machine is, and what it has not ----

namespace {

/// The fault of a machine's abilities; empty if they have no fault.
template <class Abilities, std::size_t Count>
std::string fault(can<Abilities> const (&lines)[Count], char const* table, std::string const& machine,
                  Abilities const& found) {
  std::string const where = std::string(" (tests/") + table + ")";
  for (can<Abilities> const& line : lines)
    if (lists_machine(line.machines, machine))
      return line.what == found ? "" : machine + " has other abilities" + where;
  return machine + " is not in the table" + where;
}

/// The instructions that only some capabilities have. The others must refuse them.
struct abilities {
  bool l1 = false, l2 = false, eight_byte_banks = false, pair_merge = false, atomics = false, bits_256 = false,
       ldmatrix = false, stmatrix = false, narrow_matrices = false, cp_async = false;
  unsigned shared_kib = 0;
  bool operator==(abilities const&) const = default;
};
/// Asked of the concepts that the refusals ask.
template <class device>
constexpr abilities abilities_of() {
  namespace rules = co::cuda::rules;
  using co::cuda::caching, co::cuda::shared_mode;
  using row = typename device::row;
  return {.l1 = rules::has_choice<row, caching::l1>,
          .l2 = rules::has_choice<row, caching::l2>,
          .eight_byte_banks = rules::has_mode<row, shared_mode::eight_byte_banks>,
          .pair_merge = rules::has_mode<row, shared_mode::pair_merge>,
          .atomics = rules::has_atomics<row>,
          .bits_256 = co::cuda::access_width<256, row::widest_bits.value>,
          .ldmatrix = rules::has_matrix_loads<row>,
          .stmatrix = rules::has_matrix_stores<row>,
          .narrow_matrices = rules::has_elements<row, co::cuda::matrix::m8n16_b6>,
          .cp_async = rules::has_copies_to_shared<row>,
          .shared_kib = static_cast<unsigned>(device::template shared_load<32>::capacity / 1024)};
}

constexpr abilities tesla{.shared_kib = 16}, fermi{.l1 = true, .l2 = true, .atomics = true, .shared_kib = 48},
    kepler{.l2 = true, .eight_byte_banks = true, .atomics = true, .shared_kib = 48},
    with_l1{.l1 = true, .l2 = true, .eight_byte_banks = true, .atomics = true, .shared_kib = 48},
    k80{.l1 = true, .l2 = true, .eight_byte_banks = true, .atomics = true, .shared_kib = 112},
    of_64{.pair_merge = true, .atomics = true, .shared_kib = 64},
    of_96{.pair_merge = true, .atomics = true, .shared_kib = 96},
    volta{.pair_merge = true, .atomics = true, .shared_kib = 96},
    turing{.pair_merge = true, .atomics = true, .ldmatrix = true, .shared_kib = 64},
    a100{.pair_merge = true, .atomics = true, .ldmatrix = true, .cp_async = true, .shared_kib = 164},
    ada{.pair_merge = true, .atomics = true, .ldmatrix = true, .cp_async = true, .shared_kib = 100},
    hopper{
        .pair_merge = true, .atomics = true, .ldmatrix = true, .stmatrix = true, .cp_async = true, .shared_kib = 228},
    b200{.pair_merge = true,
         .atomics = true,
         .bits_256 = true,
         .ldmatrix = true,
         .stmatrix = true,
         .narrow_matrices = true,
         .cp_async = true,
         .shared_kib = 228},
    rubin{.pair_merge = true,
          .atomics = true,
          .bits_256 = true,
          .ldmatrix = true,
          .stmatrix = true,
          .narrow_matrices = true,
          .cp_async = true,
          .shared_kib = 328},
    rtx_50{.pair_merge = true,
           .atomics = true,
           .bits_256 = true,
           .ldmatrix = true,
           .stmatrix = true,
           .narrow_matrices = true,
           .cp_async = true,
           .shared_kib = 100};
constexpr char const* the_capabilities = "every/every_instruction.cpp, table capabilities";
constexpr can<abilities> capabilities[] = {
    {"cc10 cc11 cc12 cc13", tesla},
    {"cc20 cc21", fermi},
    {"cc30 cc32", kepler},
    {"cc35", with_l1},
    {"cc37", k80},
    {"cc50 cc53 cc60 cc62", of_64},
    {"cc52 cc61", of_96},
    {"cc70 cc72", volta},
    {"cc75", turing},
    {"cc80 cc87", a100},
    {"cc86 cc88 cc89", ada},
    {"cc90", hopper},
    {"cc100 cc103 cc110", b200},
    {"cc107", rubin},
    {"cc120 cc121", rtx_50},
};

}  // namespace

TEST_CASE("what each capability can be asked, and what is refused of it") {
  co::cuda::every_machine::each(
      []<class Device>() { CHECK(fault(capabilities, the_capabilities, Device::name, abilities_of<Device>()) == ""); });
}

namespace {

/// The abilities of a chip of CDNA, by the headers.
template <co::cdna::chip Chip>
constexpr coalescing_tests::cdna_abilities abilities_of_cdna(co::cdna::machine<Chip>*) {
  namespace cdna = co::cdna;
  using row = cdna::row<Chip>;
  return {.transpose_loads = cdna::rules::transpose_form<row, 64, 16>::chip_has_it,
          .buffer_lds_bits = cdna::rules::widest_to_lds<row, true>,
          .global_lds_bits = cdna::rules::widest_to_lds<row, false>};
}

template <class Machine>
inline constexpr co::rdna::chip chip_of{};
template <co::rdna::chip Chip>
inline constexpr co::rdna::chip chip_of<co::rdna::machine<Chip>> = Chip;

/// The same of a chip of RDNA.
struct chip_abilities {
  bool lds_and_lines = false, wide_ds_loads = false, clocks = false, s_load_3 = false, wave64 = false;
  unsigned lds_kib = 0;
  bool operator==(chip_abilities const&) const = default;
};
template <class Machine>
constexpr chip_abilities abilities_of_chip() {
  namespace rdna = co::rdna;
  using row = typename Machine::row;
  constexpr rdna::chip Chip = chip_of<Machine>;
  constexpr bool s_load_3 = requires { row::scalar_load_b96; };
  return {.lds_and_lines = rdna::has_loads<row> && rdna::rules::has_lines<row>,
          .wide_ds_loads = rdna::rules::ds_load_row_exists<Chip, 96> && rdna::rules::ds_load_row_exists<Chip, 128>,
          .clocks = rdna::rules::has_clocks<row>,
          .s_load_3 = s_load_3,
          .wave64 = row::wave64.value,
          .lds_kib = Machine::lds_bytes / 1024};
}

constexpr chip_abilities rdna_1{.lds_and_lines = true, .wave64 = true, .lds_kib = 64},
    most{.lds_and_lines = true, .wide_ds_loads = true, .wave64 = true, .lds_kib = 64},
    gfx1030{.lds_and_lines = true, .wide_ds_loads = true, .clocks = true, .wave64 = true, .lds_kib = 64},
    rdna_4{.lds_and_lines = true, .wide_ds_loads = true, .s_load_3 = true, .wave64 = true, .lds_kib = 64},
    gfx1250{.lds_kib = 320};
constexpr can<chip_abilities> chips[] = {
    {"gfx1010 gfx1012", rdna_1},  {"gfx1036 gfx1100 gfx1101 gfx1102 gfx1103 gfx1150 gfx1151 gfx1152 gfx1153", most},
    {"gfx1030", gfx1030},         {"gfx1200 gfx1201", rdna_4},
    {"gfx1250 gfx1251", gfx1250},
};

}  // namespace

TEST_CASE("control: a machine that the table of abilities lacks, or has otherwise, is noticed") {
  std::string const where = " (tests/every/every_instruction.cpp, table capabilities)";
  CHECK(fault(capabilities, the_capabilities, "cc10", tesla) == "");
  CHECK(fault(capabilities, the_capabilities, "cc10", fermi) == "cc10 has other abilities" + where);
  CHECK(fault(capabilities, the_capabilities, "cc14", tesla) == "cc14 is not in the table" + where);
}
TEST_CASE("what each chip of CDNA can be asked, and what is refused of it") {
  co::cdna::every_machine::each([]<class Chip>() {
    CHECK(fault(coalescing_tests::cdna_chips, "truth/instructions/cdna.hpp, table cdna_chips", Chip::name,
                abilities_of_cdna(static_cast<Chip*>(nullptr))) == "");
  });
}
TEST_CASE("what each chip of RDNA can be asked, and what is refused of it") {
  co::rdna::every_machine::each([]<class Chip>() {
    if constexpr (!lists_machine("gfx117x gfx13", Chip::name))
      CHECK(fault(chips, "every/every_instruction.cpp, table chips", Chip::name, abilities_of_chip<Chip>()) == "");
  });
  // LLVM's newest sources tell how much LDS a work-group of these has, and nothing else.
  COALESCE_CHECK(co::rdna::gfx1170::lds_bytes == 64 * 1024);
  COALESCE_CHECK(co::rdna::gfx1171::lds_bytes == 64 * 1024);
  COALESCE_CHECK(co::rdna::gfx1172::lds_bytes == 64 * 1024);
  COALESCE_CHECK(co::rdna::gfx1310::lds_bytes == 192 * 1024);
  COALESCE_CHECK(co::rdna::gfx1310::row::lds_of_two_simds.value == 96 * 1024);
  using co::rdna::chip;
  static_assert(!co::rdna::is_only_named<chip::gfx1250> && co::rdna::is_only_named<chip::gfx1310>);
}

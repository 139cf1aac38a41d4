// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/explain/documents.hpp>
#include <coalesce/explain/words.hpp>

#include <cstdint>

// The table of the profiler counters with which our numbers can be compared, and the functions that find the lines of
// an instruction in this table. If a number has no line, we know no counter that counts it.

namespace coalescing {

/// How a profiler's count for a kernel may differ from the sum of our costs over all accesses of the kernel: it may
/// show more, or fewer, or either.
enum class deviation { none, more, fewer, either };

/// A profiler's counter for one number of a cost, summed over the instructions of a kernel. If all instructions of one
/// kind are alike, counter / executed is the number that co::cost gives for one instruction. `executed` is the counter
/// of how many such instructions were executed. It is empty if no such counter is known, or if `name` is that counter.
struct counter {
  profiler by = profiler::none;  ///< the machine's profiler: machine_name::counted_by
  unsigned since = 0;            ///< NVIDIA only: the first compute capability that has the counter; 70 is CC 7.0
  /// The instruction's name without its width: "load", "cp_async::global". "ds_read*" stands for each name that begins
  /// with ds_read, such as ds_read2st64.
  char const* instruction = "";
  char const* number = "";    ///< the member of the cost that the counter counts: "rounds"
  char const* name = "";      ///< the counter's name, for ncu --metrics or rocprofv3 --pmc
  char const* executed = "";  ///< the counter of executed instructions of this kind
  char const* noise = "";     ///< what else the counter counts, or leaves out
  source from = {};
  deviation may_be = deviation::none;  ///< how the counter may differ from the sum over all such instructions
  /// The name of an instruction of SASS, such as "LDG": ncu's Source page shows the counter beside each such
  /// instruction. Empty: the Source page does not show the counter.
  char const* sass = "";
  bool has_ideal = false;  ///< the profiler also shows the ideal of this counter, under its name with _ideal added
};

/// The counters that are known to count our numbers, each with its source. NVIDIA's machines have counters from CC 3.0
/// on. CDNA has its own counters. For GCN the table has the counters of MI100, for RDNA 1 to 3 only those of LDS.
struct counter_table {
  counter lines[52];
};
/// Every line of the table. This is a function because device code of nvcc cannot read a table that is a variable.
[[nodiscard]] COALESCE_API constexpr counter_table all_counters() {
  namespace documents = detail::documents;
  constexpr source nvprof = documents::nsight_cli.says("nvprof Metric Comparison", "what replaces a metric of nvprof");
  constexpr source load_conflicts =
      documents::forum_359822.shows("", "of 16-byte loads it is wavefronts less four an instruction");
  constexpr source store_conflicts =
      documents::transpose_log.implies("", "31 a store, where l1tex__ counters have some more");
  constexpr source atomics = documents::nsight_cli.says("nvprof Metric Comparison", "atomic_transactions_per_request");
  constexpr source before_volta = documents::nvprof_metrics.says(
      "", "shared memory transactions, load and store", "that a transaction is a round: measured on CC 3.7 and 6.1");
  constexpr source stages = documents::gpu_benches_strides.shows("", "passes of the stages, if all lines hit");
  constexpr source ldmatrix = documents::leetcuda.shows("op_ldsm", "the conflicts of ldmatrix on CC 8.9");
  constexpr source lds = documents::rocm_lds.says("", "cycles of LDS, and those that conflicts add");
  constexpr source l2 = documents::rocm_counters.says("TCP, interface to L2", "requests of all L1s to L2");
  constexpr source l2_of_gcn = taken_over(l2, "that GCN's caches count as MI100's");
  constexpr source lds_of_gcn = taken_over(lds, "that GCN's LDS counts as MI100's");
  constexpr source lds_of_rdna =
      documents::rocm_counter_defs.implies("SQC_LDS_IDX_ACTIVE, SQC_LDS_BANK_CONFLICT",
                                           "cycles of LDS, and those that conflicts add: on gfx1010, gfx103x, gfx110x",
                                           "that they count as CDNA's, whose words they have");
  constexpr source sectors = documents::nsight_guide.says("Source Page", "the sectors asked of L2");
  constexpr source waves = documents::nsight_guide.says("Source Page", "wavefronts in shared memory");
  constexpr source more_waves = documents::ncu_report.says("smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared",
                                                           "wavefronts of LDS, STS, ATOMS, LDSM, LDGSTS, STSM alike");
  constexpr source lookups = documents::batchlas.shows("", "16 from 16 columns, 4 from 512 bytes in a row");
  constexpr source tags = documents::rocm_counters.implies("TCP", "that an access of L1 is a quad");
  constexpr source scalar = documents::rocm_counters.says("SQC", "data read requests to L2");
  constexpr source scalar_of_gcn = taken_over(scalar, l2_of_gcn.assumes);

  constexpr char const *loads = "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
                       *stores = "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
                       *shared_loads = "smsp__sass_inst_executed_op_shared_ld.sum",
                       *shared_stores = "smsp__sass_inst_executed_op_shared_st.sum", *reads = "SQ_INSTS_VMEM_RD",
                       *writes = "SQ_INSTS_VMEM_WR", *scalar_reads = "SQ_INSTS_SMEM", *of_lds = "SQ_INSTS_LDS";
  constexpr char const* matrices =
      "ldmatrix counts there too, and other arbitration: 0.2 a load at most in a transpose on CC 8.6; may show fewer "
      "where memory_l1_wavefronts_shared may";
  constexpr char const* arbitration =
      "stmatrix counts there too, and other arbitration: of a transpose on CC 8.9 its conflicts are 2,048,522, and "
      "those of sm__sass_l1tex_data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum 2,031,616";
  constexpr char const* again =
      "may show more: lanes on one address count again, 32 for one sector on CC 8.6; of atomics without a result, "
      "_op_red";
  constexpr char const* red_again = "may show more: lanes on one address may count again, as they do in op_atom";
  constexpr char const* whole_stage = "stores, atomics and shared memory use the stage and count there too";
  constexpr auto more = deviation::more, fewer = deviation::fewer, either = deviation::either;
  constexpr char const *each = "inst_executed", *l2_sectors = "memory_l2_theoretical_sectors_global",
                       *l1_tags = "memory_l1_tag_requests_global", *l1_waves = "memory_l1_wavefronts_shared";
  // On some machines, parts of a warp merge into one round if pairs of lanes read one address (cuda/shared.hpp).
  // `rounds` is the number after the merges. The counter memory_l1_wavefronts_shared counts after them, too: on A10 and
  // H100 it is 2, not 4, for a 16-byte load if each half-warp reads one word (NVIDIA's forum, thread 373160). An ncu
  // report of GA102 agrees (we do not have its web address): 1,048,576 x (32 LDS + 8 LDS.128 of one word + 2 STS) took
  // 52,428,800 wavefronts. That is 2 for each LDS.128, and 1 for each other instruction.
  constexpr char const* merged =
      "may show fewer where pairs of lanes read one address and rounds does not merge them: 8-byte words on CC 8.6, "
      "8 and 16 bytes on 8.7, 8.8, 8.9 and from 10.0 on, and with shared_mode::no_merge on every CC; on those "
      "machines it may show more than with shared_mode::pair_merge, which has the fewest";
  constexpr char const* merged_before_volta =
      "may show fewer where pairs of lanes read one address and rounds does not merge them: 8- and 16-byte words on CC "
      "5.0 to 6.2; it may show more than with shared_mode::pair_merge, which has the fewest";
  constexpr char const* one_place = "lanes that write one place count apart, as measured on CC 9.0";
  constexpr char const* flat = "FLAT and scratch are among the instructions";
  constexpr char const* misses =
      "it counts misses, and what we count are the lines if all miss; FLAT and scratch are among the instructions";
  constexpr char const* scalar_misses = "it counts misses, and what we count are the lines if all miss";
  constexpr char const* quads =
      "may show more: lanes far apart cost more; loads and stores count there alike; FLAT and scratch are among the "
      "instructions";
  constexpr char const* both = "reads, writes and atomics of LDS count there alike; FLAT is among the instructions";
  constexpr char const* mi100_active =
      "rocprofv3 has it on MI100 alone, on no GCN; reads, writes and atomics of LDS count there alike; FLAT is among "
      "the instructions";
  constexpr char const* gcn5_conflicts =
      "rocprofv3 has it on GCN 5 (gfx900, gfx906) and MI100, not on GCN 1 to 4; reads, writes and atomics of LDS count "
      "there alike; FLAT is among the instructions";
  constexpr char const* mi100_l2 =
      "rocprofv3 has it on MI100 alone, on no GCN; it counts misses, and what we count are the lines if all miss; FLAT "
      "and scratch are among the instructions";
  constexpr char const* mi100_writes =
      "rocprofv3 has it on MI100 alone, on no GCN; FLAT and scratch are among the instructions";
  constexpr char const* mi100_scalar =
      "rocprofv3 has it on MI100 alone, on no GCN; it counts misses, and what we count are the lines if all miss";
  constexpr auto none = deviation::none;
  constexpr auto ncu = profiler::nsight_compute, old = profiler::nvprof, mi100 = profiler::rocprof_mi100,
                 mi200 = profiler::rocprof_mi200, gfx10 = profiler::rocprof_gfx10, gfx11 = profiler::rocprof_gfx11;
  return {{
      {ncu, 70, "load", "transactions", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", loads, "", nvprof},
      {ncu, 70, "load", "requests", loads, "", "", nvprof},
      {ncu, 70, "load", "transactions", l2_sectors, each, "", sectors, none, "LDG", true},
      {ncu, 70, "load", "lines", l1_tags, each, "", lookups, none, "LDG"},
      {ncu, 70, "store", "transactions", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", stores, "", nvprof},
      {ncu, 70, "store", "requests", stores, "", "", nvprof},
      {ncu, 70, "store", "transactions", l2_sectors, each, "", sectors, none, "STG", true},
      {ncu, 70, "store", "lines", l1_tags, each, "", lookups, none, "STG"},
      {ncu, 70, "shared_load", "rounds", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", shared_loads, matrices,
       nvprof, either},
      {ncu, 70, "shared_load", "conflicts", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", shared_loads,
       matrices, load_conflicts, either},
      {ncu, 70, "shared_load", "rounds", l1_waves, each, merged, waves, fewer, "LDS", true},
      {ncu, 70, "shared_store", "rounds", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", shared_stores,
       arbitration, nvprof, more},
      {ncu, 70, "shared_store", "conflicts", "sm__sass_l1tex_data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
       shared_stores, "", store_conflicts},
      {ncu, 70, "shared_store", "rounds", l1_waves, each, "", waves, none, "STS", true},
      {ncu, 80, "ldmatrix", "conflicts", "sm__sass_l1tex_data_bank_conflicts_pipe_lsu_mem_shared_op_ldsm.sum",
       "smsp__inst_executed_op_ldsm.sum", "", ldmatrix},
      {ncu, 75, "ldmatrix", "rounds", l1_waves, each, "", more_waves, none, "LDSM", true},
      {ncu, 90, "stmatrix", "rounds", l1_waves, each, "", more_waves, none, "STSM", true},
      {ncu, 80, "cp_async::shared", "rounds", l1_waves, each, one_place, more_waves, more, "LDGSTS", true},
      {ncu, 70, "load", "data_wavefronts", "l1tex__data_pipe_lsu_wavefronts.sum", loads, whole_stage, stages, more},
      {ncu, 70, "load", "tag_wavefronts_at_least", "l1tex__t_output_wavefronts_pipe_lsu_mem_global_op_ld.sum", loads,
       "may show more: lines of one set follow one another", stages, more},
      {ncu, 70, "atomic", "transactions", "l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum",
       "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum", again, atomics, more},
      {ncu, 70, "red", "transactions", "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum",
       "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum", red_again, atomics, more},
      {old, 30, "shared_load", "rounds", "shared_load_transactions", "", merged_before_volta, before_volta, fewer},
      {old, 30, "shared_store", "rounds", "shared_store_transactions", "", "", before_volta},
      {mi200, 0, "ds_read*", "rounds", "SQ_LDS_IDX_ACTIVE", of_lds, both, lds},
      {mi200, 0, "ds_read*", "conflicts", "SQ_LDS_BANK_CONFLICT", of_lds, both, lds},
      {mi200, 0, "ds_write*", "rounds", "SQ_LDS_IDX_ACTIVE", of_lds, both, lds},
      {mi200, 0, "ds_write*", "conflicts", "SQ_LDS_BANK_CONFLICT", of_lds, both, lds},
      {mi100, 0, "ds_read", "rounds", "SQ_LDS_IDX_ACTIVE", of_lds, mi100_active, lds_of_gcn},
      {mi100, 0, "ds_read", "conflicts", "SQ_LDS_BANK_CONFLICT", of_lds, gcn5_conflicts, lds_of_gcn},
      {mi100, 0, "ds_write", "rounds", "SQ_LDS_IDX_ACTIVE", of_lds, mi100_active, lds_of_gcn},
      {mi100, 0, "ds_write", "conflicts", "SQ_LDS_BANK_CONFLICT", of_lds, gcn5_conflicts, lds_of_gcn},
      {gfx10, 0, "ds_load*", "rounds", "SQC_LDS_IDX_ACTIVE", of_lds, both, lds_of_rdna},
      {gfx10, 0, "ds_load*", "conflicts", "SQC_LDS_BANK_CONFLICT", of_lds, both, lds_of_rdna},
      {gfx10, 0, "ds_store*", "rounds", "SQC_LDS_IDX_ACTIVE", of_lds, both, lds_of_rdna},
      {gfx10, 0, "ds_store*", "conflicts", "SQC_LDS_BANK_CONFLICT", of_lds, both, lds_of_rdna},
      {gfx11, 0, "ds_load*", "rounds", "SQC_LDS_IDX_ACTIVE", of_lds, both, lds_of_rdna},
      {gfx11, 0, "ds_load*", "conflicts", "SQC_LDS_BANK_CONFLICT", of_lds, both, lds_of_rdna},
      {gfx11, 0, "ds_store*", "rounds", "SQC_LDS_IDX_ACTIVE", of_lds, both, lds_of_rdna},
      {gfx11, 0, "ds_store*", "conflicts", "SQC_LDS_BANK_CONFLICT", of_lds, both, lds_of_rdna},
      {mi200, 0, "global_load", "transactions", "TCP_TCC_READ_REQ_sum", reads, misses, l2, fewer},
      {mi200, 0, "global_load", "quads", "TCP_TOTAL_CACHE_ACCESSES_sum", reads, quads, tags, more},
      {mi200, 0, "global_store", "transactions", "TCP_TCC_WRITE_REQ_sum", writes, flat, l2},
      {mi200, 0, "global_store", "quads", "TCP_TOTAL_CACHE_ACCESSES_sum", writes, quads, tags, more},
      {mi200, 0, "buffer_load", "transactions", "TCP_TCC_READ_REQ_sum", reads, misses, l2, fewer},
      {mi200, 0, "buffer_load", "quads", "TCP_TOTAL_CACHE_ACCESSES_sum", reads, quads, tags, more},
      {mi200, 0, "buffer_store", "transactions", "TCP_TCC_WRITE_REQ_sum", writes, flat, l2},
      {mi200, 0, "buffer_store", "quads", "TCP_TOTAL_CACHE_ACCESSES_sum", writes, quads, tags, more},
      {mi200, 0, "s_load", "transactions", "SQC_TC_DATA_READ_REQ", scalar_reads, scalar_misses, scalar, fewer},
      {mi100, 0, "buffer_load", "transactions", "TCP_TCC_READ_REQ_sum", reads, mi100_l2, l2_of_gcn, fewer},
      {mi100, 0, "buffer_store", "transactions", "TCP_TCC_WRITE_REQ_sum", writes, mi100_writes, l2_of_gcn},
      {mi100, 0, "s_load", "transactions", "SQC_TC_DATA_READ_REQ", scalar_reads, mi100_scalar, scalar_of_gcn, fewer},
  }};
}

namespace detail {

/// The key by which a line of the table is found.
struct counter_key {
  profiler by = profiler::none;
  unsigned capability = 0;    ///< NVIDIA's compute capability, else 0
  text<80> instruction = {};  ///< the instruction's name without arguments: cp_async::global
  unsigned bits = 0;          ///< the first argument of the name; for a load, the bits that a lane reads
  char const* mode = "";      ///< the second argument, if it is a word: "pair_merge"
};
COALESCE_API constexpr counter_key key_of(instruction_name const& called) {
  char const* const mode = called.arguments[1].word;
  return {called.machine.counted_by, called.machine.capability, detail::words_of(called, false),
          called.arguments[0].number, mode != nullptr ? mode : ""};
}

/// Whether an instruction's name is `line`, or begins with what stands before the * at the end of `line`.
COALESCE_API constexpr bool is_named(char const* name, char const* line) {
  while (*name != '\0' && *name == *line) ++name, ++line;
  return *line == '*' || *name == *line;
}
/// Whether a line of the table is for the key's instruction and machine. The caller has checked that it is of the key's
/// profiler.
COALESCE_API constexpr bool is_for(counter const& line, counter_key const& key) {
  return key.capability >= line.since && is_named(key.instruction.characters, line.instruction);
}

/// The reason why a counter that a reader may expect is not in the table.
struct no_counter {
  profiler by;
  char const* instruction;  ///< how the instruction's name begins
  char const* why;
};
/// Why the table has no counter of an instruction: the reason in the first of the lines below that fits the key. The
/// text is empty if no line fits.
COALESCE_API constexpr char const* why_no_counter(counter_key const& key) {
  constexpr char const
      *wave64 = "no document says whether a wave64 counts once or by its halves",
      *atomics = "no document says what the counters of op_atom in shared memory count",
      *constants = "no document says which counter counts the words of constant memory that a warp reads in turn",
      *to_lds = "no document says which counters count a load from memory to LDS",
      *results = "L1 counts atomics with a result and those without it apart, and the name does not tell which it is";
  constexpr no_counter lines[] = {
      {profiler::rocprof_gfx12, "ds_", "SQC_LDS_BANK_CONFLICT reads 0 on gfx1201 (ROCm/rocm-systems, issue 5953)"},
      {profiler::rocprof_gfx10, "wave64::ds_", wave64},
      {profiler::rocprof_gfx11, "wave64::ds_", wave64},
      {profiler::rocprof_gfx12, "wave64::ds_", wave64},
      {profiler::nsight_compute, "cp_async::global",
       "on an H100 the sectors are those of op_ldgsts_cache_access and op_ldgsts_cache_bypass together, and a line has "
       "one counter"},
      {profiler::nsight_compute, "cp_async", "no document says what Nsight Compute's counters of op_ldgsts count"},
      {profiler::nsight_compute, "stmatrix", "of stmatrix no document names another"},
      {profiler::nsight_compute, "shared_atomic", atomics},
      {profiler::nvprof, "shared_atomic", atomics},
      {profiler::nsight_compute, "constant_load", constants},
      {profiler::nvprof, "constant_load", constants},
      {profiler::rocprof_mi200, "global_load_lds", to_lds},
      {profiler::rocprof_mi200, "buffer_load_lds", to_lds},
      {profiler::rocprof_mi200, "global_atomic", results},
      {profiler::rocprof_mi100, "buffer_atomic", results},
      {profiler::rocprof_mi200, "ds_atomic",
       "lanes on one address take turns, and no document says how many cycles that adds"},
      {profiler::nvprof, "load",
       "nvprof's gld_transactions counts neither sectors nor requests, as measured on CC 6.1"},
  };
  for (no_counter const& line : lines)
    if (line.by == key.by && begins_with(key.instruction.characters, line.instruction)) return line.why;
  return "";
}

}  // namespace detail

/// The lines of the table for one instruction, in the order of the table. The members are only for reading.
struct counter_list {
  counter items[8] = {};
  std::uint64_t count = 0;

  [[nodiscard]] COALESCE_API constexpr std::uint64_t size() const { return count; }
  [[nodiscard]] COALESCE_API constexpr counter const* begin() const { return items; }
  [[nodiscard]] COALESCE_API constexpr counter const* end() const { return items + count; }
};

namespace detail {

/// Whether the hardware may take fewer rounds than we count, or more, if pairs of lanes read one address in shared
/// memory (cuda/shared.hpp). On some machines we only infer that parts of such a warp merge. There we count them apart
/// by default, and merged with shared_mode::pair_merge. With no_merge we count them apart on every machine.
COALESCE_API constexpr deviation by_merging(counter_key const& key) {
  if (key.capability < 50 || (key.bits != 64 && key.bits != 128)) return deviation::none;
  bool const is_inferred = key.capability < 70 || (key.capability >= 87 && key.capability <= 89) ||
                           key.capability >= 100 || (key.capability == 86 && key.bits == 64);
  if (detail::same_words(key.mode, "no_merge")) return deviation::fewer;
  if (!is_inferred) return deviation::none;
  return detail::same_words(key.mode, "pair_merge") ? deviation::more : deviation::fewer;
}

COALESCE_API constexpr counter_list counters_for(counter_key const& key) {
  counter_table const table = all_counters();
  counter_list list;
  for (counter const& line : table.lines) {
    if (line.by != key.by || !detail::is_for(line, key)) continue;  // `by` first: it rules out most lines
    counter& found = list.items[list.count++] = line;
    // In the table, every counter of NVIDIA's shared loads may show fewer. Whether this one may, by_merging() says.
    bool const may_merge = line.may_be == deviation::fewer || line.may_be == deviation::either;
    if (!may_merge || (line.by != profiler::nsight_compute && line.by != profiler::nvprof)) continue;
    deviation const merging = detail::by_merging(key);
    if (line.may_be == deviation::fewer) {
      found.may_be = merging;
      if (merging == deviation::none) found.noise = "";
    }
    if (line.may_be == deviation::either && merging != deviation::fewer) found.may_be = deviation::more;
  }
  return list;
}
}  // namespace detail

/// The counters to compare an instruction's numbers with, each with its source. A number may have several counters. If
/// no source names a counter of a number, the number has none here, so the list may be empty.
template <class Instruction>
[[nodiscard]] COALESCE_API constexpr counter_list counters_of() {
  return detail::counters_for(detail::key_of(detail::name_declared_by<Instruction>()));
}

}  // namespace coalescing

// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/source.hpp>

#include <string_view>

// The documents that may be cited as measured, "on hardware, by a named party that published the numbers"
// (core/source.hpp), and the place of their figures. Written by hand, from the documents. A document that only says
// that runs were made (loom's table), or a guide that states a rule without figures, has no line here.

namespace coalescing_tests {

struct public_figures {
  char const *title, *section;
  char const* where;  ///< the figures stand
};
inline constexpr public_figures measured_by[] = {
    {"te42kyfo/gpu-benches, gpu-strides", "a100.txt (CC 8.0), a40.txt (8.6), h200.txt (9.0)",
     "those files: counters and cycles of each stride and block"},
    {"coalesce, an H100's counters for single instructions", "shared_load<64>",
     "the rows of that instruction: wavefronts of one warp"},
    {"coalesce, an H100's counters for single instructions", "stmatrix",
     "the rows of these instructions: wavefronts of one warp"},
    {"coalesce, an H100's counters for single instructions", "cp_async::global",
     "the rows of these instructions: sectors of one warp"},
    {"coalesce, an H100's counters for single instructions", "cp_async::shared",
     "the rows of these instructions: wavefronts of one warp"},
    {"kzwrime/gpu_shm_microbench, README.md", "A100, V100", "README.md: milliseconds of each case, also as printed"},
    {"NVIDIA forum, Discrepancy in LDS.128 Wavefronts", "A10, H100", "the first post: wavefronts of both patterns"},
    {"te42kyfo/gpu-benches, gpu-strides/rdna2.txt", "", "the file: cycles of each stride and block"},
    {"sebbbi/perftest", "loadTypedBody, loadRawBody", "README.md, Results: milliseconds of each load on each GPU"},
    {"ROCm Compute Profiler", "LDS, test runs on MI250",
     "docs/tutorial/includes/lds-examples.rst: SQ_LDS_IDX_ACTIVE and SQ_LDS_BANK_CONFLICT of lds.hip"},
    {"nod-ai/amd-shark-ai, Empirical LDS Measurements", "cdna3info",
     "cdna3info.md: conflicts and cycles of 32, 64 and 128 bits by stride"},
    {"nod-ai/amd-shark-ai, Empirical LDS Measurements", "rdna3info",
     "rdna3info.md: ticks of 32, 64 and 128 bits by stride"},
    {"nod-ai/amd-shark-ai, Empirical LDS Measurements", "rdna4info",
     "rdna4info.md: cycles of 32, 64 and 128 bits by stride"},
    {"AMD, tutorial_14_bank_conflict_scenarios", "ds_read_u16",
     "bank_conflict_slides.html, All Six, Side by Side; investigation/PROFILER_FINDINGS.md, "
     "PROFILER_RESULTS_INTER_LANE_FP16.md"},
    {"AMD, tutorial_14_bank_conflict_scenarios", "ds_write_b16",
     "bank_conflict_slides.html, All Six, Side by Side: 02"},
    {"HazyResearch/HipKittens, LDS phases", "ds_read_b64", "ds_read_b64/bank_results.txt"},
    {"HazyResearch/HipKittens, LDS phases", "ds_read_b96", "ds_read_b96/bank_results.txt"},
    {"HazyResearch/HipKittens, LDS phases", "ds_read_b128, phase_results.txt",
     "ds_read_b128/phase_results.txt, bank_results.txt"},
    {"HazyResearch/HipKittens, LDS phases", "ds_write_b64", "ds_write_b64/bank_results.txt"},
    {"HazyResearch/HipKittens, LDS phases", "ds_read_b96, ds_write_b64",
     "ds_read_b96/bank_results.txt, ds_write_b64/bank_results.txt"},
    {"AMD-AGI/Primus-Turbo, hk_attn_fwd_d128_gfx950.cu", "ds_read_b64_tr_b16",
     "the comment at lines 150 to 186: the profiler's conflicts of a launch"},
};

/// The line of a source that is cited as measured and may be; else nullptr.
inline public_figures const* figures_of(coalescing::source const& from) {
  if (from.evidence != coalescing::evidence::measured) return nullptr;
  for (public_figures const& line : measured_by)
    if (std::string_view(from.document) == line.title && std::string_view(from.section) == line.section) return &line;
  return nullptr;
}
/// Whether a source is cited as measured, and has no line with the place of its figures.
inline bool is_measured_without_figures(coalescing::source const& from) {
  return from.evidence == coalescing::evidence::measured && figures_of(from) == nullptr;
}

}  // namespace coalescing_tests

// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/source.hpp>

#include <string_view>

// The cited documents that we have not opened: their rows stand on an older reading, or on quotations. The pages of the
// figures and of the counters say so beside each (print_rows.cpp); every/sources.cpp holds this list to the citations.

namespace coalescing_tests {

struct not_opened {
  char const *document, *edition;  ///< as coalescing::document has them
  char const* section;             ///< how the sections begin that were not seen; "": all of them
  char const* instead;             ///< what was opened instead, and what it says
};

/// Tried on 2026-11-23: search in stored pages, documentation, code and threads, and copies in public repositories.
inline constexpr not_opened not_opened_list[] = {
    {"NVIDIA CUDA C Programming Guide", "3.2, 2010", "",
     "guide 4.2 says so of requests, lines, segments of 32 bytes, one writer and banks in F.3.3 to F.4.3"},
    {"NVIDIA CUDA C Programming Guide", "5.5, 2013, PG-02829-001_v5.5", "",
     "guide 4.2 says so of shared memory on CC 3.0 in F.5.3; that global loads bypass L1 is younger"},
    {"NVIDIA CUDA C++ Programming Guide", "12.3, October 2023 (PDF)", "",
     "the guide on one page, 13.x, says so of shared memory on CC 5.x in 20.4.3, and of 96 KB on CC 7.0 in 20.6.4"},
    {"NVIDIA Nsight Compute, User Guide", "latest", "", "no copy of its page on the Source page was found"},
    {"NVIDIA Nsight Compute CLI, nvprof Metric Comparison", "2020.1", "",
     "the names of the metrics are in public use with ncu"},
    {"NVIDIA forum, Understanding L1/TEX Cache Sectors/Req", "thread 312884", "",
     "post 14 of thread 49571, by an employee of NVIDIA, has four tags a cycle for Volta"},
    {"J. Cheng, M. Grossman, T. McKercher, Professional CUDA C Programming", "Wrox, 2014", "", "no copy was found"},
    {"AMD CDNA 3 Architecture, white paper", "2023", "",
     "a stranger's notes of 2026-10 quote it on compute units, L2, Infinity Cache, I/O dies, stacks and the "
     "instruction "
     "cache; not on lines of L1"},
    {"T. Lottes, Understanding Memory Coalescing on GCN, AMD GPUOpen", "undated", "Coalescing",
     "stored copies end with the peak rates, which agree"},
};

/// The entry of a citation, or null.
constexpr not_opened const* not_opened_of(coalescing::source const& cited) {
  for (not_opened const& each : not_opened_list)
    if (std::string_view(each.document) == cited.document && std::string_view(each.edition) == cited.edition &&
        std::string_view(cited.section).starts_with(each.section))
      return &each;
  return nullptr;
}

}  // namespace coalescing_tests

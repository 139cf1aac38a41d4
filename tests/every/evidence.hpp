// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/coalesce.hpp>

#include "every/figures.hpp"
#include "every/not_opened.hpp"
#include "truth/instructions/cdna.hpp"
#include "truth/instructions/cuda.hpp"
#include "truth/instructions/gcn.hpp"
#include "truth/instructions/rdna.hpp"

#include <string>
#include <type_traits>

// How many numbers are documented, measured and inferred: of every instruction that the tests see, and of every figure
// of the rows.

namespace coalescing_tests {

struct evidence_count {
  unsigned documented = 0, measured = 0, inferred = 0;
  unsigned assuming = 0;    ///< documented or measured, where something is assumed besides
  unsigned not_opened = 0;  ///< of a document, or section, that we have not opened

  void add(co::source const& from) {
    ++(from.evidence == co::evidence::documented ? documented
       : from.evidence == co::evidence::measured ? measured
                                                 : inferred);
    if (from.evidence != co::evidence::inferred && *from.assumes != '\0') ++assuming;
    if (not_opened_of(from) != nullptr) ++not_opened;
  }
  [[nodiscard]] unsigned all() const { return documented + measured + inferred; }
  evidence_count& operator+=(evidence_count const& more) {
    documented += more.documented, measured += more.measured, inferred += more.inferred;
    assuming += more.assuming, not_opened += more.not_opened;
    return *this;
  }
  bool operator==(evidence_count const&) const = default;
};

/// Counts the numbers of each instruction's cost.
struct counts_numbers {
  evidence_count& into;
  unsigned& instructions;

  template <auto... Members, class Sources>
  void add_all(co::detail::members<Members...>, Sources const& sources) const {
    (into.add(sources.*Members), ...);
  }
  template <class Instruction>
  void operator()(std::string const&, std::string const&) const {
    ++instructions;
    add_all(typename std::remove_cvref_t<decltype(Instruction::sources)>::numbers{}, Instruction::sources);
  }
};
/// Counts the figures of the rows.
struct counts_figures {
  evidence_count into;

  void figure(std::string const&, std::string const&, std::string const&, co::source const& from) { into.add(from); }
  static void missing(std::string const&, std::string const&) {}
};

struct family_evidence {
  char const* family = "";
  unsigned instructions = 0;
  evidence_count numbers, figures;
};
inline void count_family(family_evidence (&families)[4]) {
  families[0].family = "NVIDIA", families[1].family = "GCN", families[2].family = "CDNA", families[3].family = "RDNA";
  auto const see = [&](unsigned k) { return counts_numbers{families[k].numbers, families[k].instructions}; };
  each_instruction_of_cuda(see(0));
  each_instruction_of_gcn(see(1));
  each_instruction_of_cdna(see(2));
  each_instruction_of_rdna(see(3));
  counts_figures rows[4];
  show_cuda(rows[0]), show_gcn(rows[1]), show_cdna(rows[2]), show_rdna(rows[3]);
  for (unsigned k = 0; k != 4; ++k) families[k].figures = rows[k].into;
}

}  // namespace coalescing_tests

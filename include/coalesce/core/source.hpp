// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/config.hpp>

#include <cstdint>

// Where a figure comes from, and a figure that cannot be parted from it. Each family lists its documents once
// (cuda/documents.hpp, ...); its rows of facts cite them.

namespace coalescing {

/// How something is known.
enum class evidence {
  documented,  ///< the vendor's words or source code, its employees' in its own forum included
  measured,    ///< on hardware, by a named party with public figures
  inferred     ///< our reading, where neither says it outright; the claim says from what
};
namespace detail {
COALESCE_API constexpr char const* words_of(evidence known) {
  return known == evidence::documented ? "documented" : known == evidence::measured ? "measured" : "inferred";
}
}  // namespace detail

struct source;

/// A publication. Its three verbs make the source of a figure: what it says, what its measurements show, and what we
/// infer from it. `assumes` is what the figure takes for granted besides.
struct document {
  char const* title = "";
  char const* edition = "";  ///< release, revision or date
  char const* address = "";  ///< where it can be opened, or "none known"

  [[nodiscard]] COALESCE_API constexpr source says(char const* section, char const* claim,
                                                   char const* assumes = "") const;
  [[nodiscard]] COALESCE_API constexpr source shows(char const* section, char const* claim,
                                                    char const* assumes = "") const;
  [[nodiscard]] COALESCE_API constexpr source implies(char const* section, char const* claim,
                                                      char const* assumes = "") const;
};

/// What no document says: what we conclude, or restrict ourselves to.
inline constexpr document our_reading{"our reading", "", "none known"};

/// Where a number comes from: one claim of one document.
struct source {
  char const* document = "none";  ///< its title
  coalescing::evidence evidence = coalescing::evidence::inferred;
  char const* section = "";
  char const* claim = "";    ///< what the document says there; of an inference, what we conclude from it
  char const* assumes = "";  ///< what the number takes for granted besides, which no document says: inferred
  char const* edition = "";
  char const* address = "none known";

  COALESCE_API constexpr source() {}
  COALESCE_API constexpr source(coalescing::document const& where, char const* section_of_it, char const* what_it_says,
                                coalescing::evidence how, char const* what_it_does_not_say = "")
      : document(where.title),
        evidence(how),
        section(section_of_it),
        claim(what_it_says),
        assumes(what_it_does_not_say),
        edition(where.edition),
        address(where.address) {}
};

COALESCE_API constexpr source document::says(char const* section, char const* claim, char const* assumes) const {
  return {*this, section, claim, evidence::documented, assumes};
}
COALESCE_API constexpr source document::shows(char const* section, char const* claim, char const* assumes) const {
  return {*this, section, claim, evidence::measured, assumes};
}
COALESCE_API constexpr source document::implies(char const* section, char const* claim, char const* assumes) const {
  return {*this, section, claim, evidence::inferred, assumes};
}

/// A figure of a machine beside its source.
template <class T>
struct fact {
  T value{};
  source from = {};
};
/// A number is unsigned, so that a row can say fact lanes{32, guide.says("4.1", "a warp is 32 threads")}.
fact(int, source)->fact<unsigned>;
template <class T>
fact(T, source) -> fact<T>;

/// A fact that numbers rest on, by name: 32 "banks".
struct named_fact {
  std::uint64_t value = 0;  ///< 0: a rule, no figure
  char const* name = "";
  source from = {};
};
/// The facts of a row that the numbers of an instruction rest on.
struct fact_list {
  named_fact items[24] = {};
  unsigned count = 0;

  [[nodiscard]] COALESCE_API constexpr named_fact const* begin() const { return items; }
  [[nodiscard]] COALESCE_API constexpr named_fact const* end() const { return items + count; }
  [[nodiscard]] COALESCE_API constexpr unsigned size() const { return count; }

  /// This list and one fact more.
  [[nodiscard]] COALESCE_API constexpr fact_list with(char const* name, std::uint64_t value, source const& from) const {
    fact_list longer = *this;
    longer.items[longer.count++] = {value, name, from};
    return longer;
  }
  [[nodiscard]] COALESCE_API constexpr fact_list with(char const* name, fact<unsigned> const& figure) const {
    return with(name, figure.value, figure.from);
  }
  [[nodiscard]] COALESCE_API constexpr fact_list with(char const* name, source const& rule) const {
    return with(name, 0, rule);
  }
};

/// The same of a machine that has no document of its own but is taken to be as another one.
[[nodiscard]] COALESCE_API constexpr source taken_over(source from, char const* assumption) {
  from.evidence = evidence::inferred;
  from.assumes = assumption;
  return from;
}
template <class T>
[[nodiscard]] COALESCE_API constexpr fact<T> taken_over(fact<T> const& figure, char const* assumption) {
  return {figure.value, coalescing::taken_over(figure.from, assumption)};
}

}  // namespace coalescing

// SPDX-License-Identifier: BSL-1.0
#pragma once
#ifdef __GNUC__  // g++ 12 warns where a user's global has the name of a parameter in these headers
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#endif
#include <coalesce/core/config.hpp>

#include <cstdint>

// A source says where a fact about a machine comes from. A `fact` is a value together with its source. Each family
// lists its documents once (cuda/documents.hpp, ...). Each machine has a row, the struct of its facts. The facts cite
// the documents.

namespace coalescing {

/// The kind of evidence for a fact.
enum class evidence {
  documented,  ///< by the vendor: in its documents or source code, or by its employees in its own forum
  measured,    ///< on hardware, by a named party that published the numbers
  inferred     ///< our conclusion, where no document and no measurement states the fact; source::claim gives the reason
};
namespace detail {
COALESCE_API constexpr char const* words_of(evidence known) {
  return known == evidence::documented ? "documented" : known == evidence::measured ? "measured" : "inferred";
}
}  // namespace detail

struct source;

/// A publication. Three functions make a source that cites it: says() for what the document says, shows() for what its
/// measurements show, implies() for what we infer from it. `assumes` states what the cited number takes for granted
/// beyond the claim.
struct document {
  char const* title = "";
  char const* edition = "";  ///< release, revision or date
  char const* address = "";  ///< URL where it can be opened, or "none known"

  [[nodiscard]] COALESCE_API constexpr source says(char const* section, char const* claim,
                                                   char const* assumes = "") const;
  [[nodiscard]] COALESCE_API constexpr source shows(char const* section, char const* claim,
                                                    char const* assumes = "") const;
  [[nodiscard]] COALESCE_API constexpr source implies(char const* section, char const* claim,
                                                      char const* assumes = "") const;
};

/// Stands in place of a document for a claim that no document makes: our conclusion, or a restriction of this library.
inline constexpr document our_reading{"our reading", "", "none known"};

/// The source of a number: one claim of one document.
struct source {
  char const* document = "none";  ///< the title of the document
  coalescing::evidence evidence = coalescing::evidence::inferred;
  char const* section = "";
  char const* claim = "";    ///< what the document says there; for an inference, what we conclude
  char const* assumes = "";  ///< what the number takes for granted beyond the claim; empty: nothing
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

/// A value that describes a machine, with the source of the value.
template <class T>
struct fact {
  T value{};
  source from = {};
};
/// Makes an int unsigned: fact lanes{32, guide.says("4.1", "a warp is 32 threads")} is a fact<unsigned>.
fact(int, source)->fact<unsigned>;
template <class T>
fact(T, source) -> fact<T>;

/// A fact with a name, on which numbers of a cost rest. For example, the fact 32 has the name "banks".
struct named_fact {
  std::uint64_t value = 0;  ///< 0 if the fact is a rule without a number
  char const* name = "";
  source from = {};
};
/// The facts of a machine on which the numbers of an instruction rest.
struct fact_list {
  named_fact items[24] = {};
  unsigned count = 0;

  [[nodiscard]] COALESCE_API constexpr named_fact const* begin() const { return items; }
  [[nodiscard]] COALESCE_API constexpr named_fact const* end() const { return items + count; }
  [[nodiscard]] COALESCE_API constexpr unsigned size() const { return count; }

  /// Returns this list with one more fact.
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

/// Takes over a source, or a value with its source, from another machine, for a machine without a document of its own.
/// `assumption` says in which respect we take the two machines to be alike. The evidence becomes `inferred`.
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
#ifdef __GNUC__
#pragma GCC diagnostic pop
#endif

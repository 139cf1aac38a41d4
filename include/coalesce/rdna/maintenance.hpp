// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/rdna/bits.hpp>

#include <cstdint>

// Instructions that maintain whole caches: BUFFER_GL0_INV and BUFFER_GL1_INV of gfx10 and gfx11; GLOBAL_INV, GLOBAL_WB
// and GLOBAL_WBINV of gfx12 and gfx1250. The encodings are those of LLVM 22's assembler. The documents are in
// rdna/documents.hpp.

namespace coalescing::rdna {

/// The cache that an instruction of gfx10 or gfx11 invalidates: the compute unit's L0 or the shader array's GL1. To
/// invalidate both, invalidate GL1 first; otherwise L0 may be refilled with stale lines of GL1 (LLVMSRC).
enum class invalidation { gl0, gl1 };
COALESCE_API constexpr bool is_enumerator(invalidation value) {
  return value == invalidation::gl0 || value == invalidation::gl1;
}
/// The cache operations of gfx12 and gfx1250: GLOBAL_INV, GLOBAL_WB and GLOBAL_WBINV.
enum class maintenance { invalidate, write_back, write_back_invalidate };
COALESCE_API constexpr bool is_enumerator(maintenance value) {
  return value == maintenance::invalidate || value == maintenance::write_back ||
         value == maintenance::write_back_invalidate;
}

namespace rules {
/// The first dwords of BUFFER_GL0_INV and BUFFER_GL1_INV.
struct invalidation_words {
  std::uint32_t gl0, gl1;
};
template <class Generation>
inline constexpr invalidation_words invalidation_row{};
template <>
inline constexpr invalidation_words invalidation_row<gfx10>{0xe1c4'0000, 0xe1c8'0000};
template <>
inline constexpr invalidation_words invalidation_row<gfx11>{0xe0ac'0000, 0xe0b0'0000};
}  // namespace rules

/// The first dword of BUFFER_GL0_INV or BUFFER_GL1_INV; the second is 0.
template <class Machine>
requires(!rules::names_a_scope<typename generation_of<Machine>::type>) [[nodiscard]] COALESCE_API
    constexpr std::uint64_t encoding_of(invalidation of) {
  coalescing::detail::check_enumerator(of);
  constexpr auto words = rules::invalidation_row<typename generation_of<Machine>::type>;
  return of == invalidation::gl0 ? words.gl0 : words.gl1;
}
/// The first two dwords of GLOBAL_INV, GLOBAL_WB or GLOBAL_WBINV; the third is 0.
template <class Machine>
requires rules::names_a_scope<typename generation_of<Machine>::type>
[[nodiscard]] COALESCE_API constexpr std::uint64_t encoding_of(maintenance of, cache_scope scope) {
  coalescing::detail::check_enumerator(of);
  constexpr std::uint32_t words[] = {0xee0a'c07c, 0xee0b'007c, 0xee13'c07c};
  return words[static_cast<unsigned>(of)] | bits<Machine>{.scope = scope}.encoding(instruction_format::global);
}

/// The caches of gfx12 on which GLOBAL_INV, GLOBAL_WB and GLOBAL_WBINV of a scope act.
struct maintained_gfx12 {
  bool cu_cache, l2;

  bool operator==(maintained_gfx12 const&) const = default;
};
/// The caches of gfx1250 on which GLOBAL_INV, GLOBAL_WB and GLOBAL_WBINV of a scope act. The workgroup processor's
/// cache holds clean data only, so a write-back does nothing there.
struct maintained_gfx1250 {
  bool wgp_cache, l2;

  bool operator==(maintained_gfx1250 const&) const = default;
};

namespace rules {
template <class Generation>
struct maintenance_row;
template <>
struct maintenance_row<gfx12> {
  using maintained = maintained_gfx12;
  static constexpr source from = documents::isa_4.says("Table 16", "which caches WB, WBINV and INV act on, by scope");
};
template <>
struct maintenance_row<gfx1250> {
  using maintained = maintained_gfx1250;
  static constexpr source from = documents::isa_cdna_5.says("Table 13", "which caches WB and INV act on, by scope",
                                                            "that WBINV acts on the caches of both");
};
}  // namespace rules

/// Tells on which caches a cache operation acts if it has this scope (ISA4 Table 16, CDNA5 Table 13). Refused: gfx10
/// and gfx11, whose cache operations have no scope.
template <class Machine>
[[nodiscard]] COALESCE_API constexpr auto maintains(cache_scope scope) {
  using generation = typename generation_of<Machine>::type;
  static_assert(rules::names_a_scope<generation>,
                "rdna maintains: only the cache operations of gfx12 and gfx1250 have a scope");
  coalescing::detail::check_enumerator(scope);
  return typename rules::maintenance_row<generation>::maintained{scope != cache_scope::cu, scope == cache_scope::sys};
}
/// The source of maintains().
template <class Machine>
inline constexpr source maintenance_from = rules::maintenance_row<typename generation_of<Machine>::type>::from;

}  // namespace coalescing::rdna

// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/config.hpp>
#include <coalesce/core/misuse.hpp>
#include <coalesce/core/source.hpp>
#include <coalesce/rdna/bits.hpp>
#include <coalesce/rdna/documents.hpp>

#include <cstdint>

// Bulk maintenance of caches: BUFFER_GL0_INV and BUFFER_GL1_INV of gfx10 and gfx11, GLOBAL_INV, GLOBAL_WB and
// GLOBAL_WBINV of gfx12 and gfx1250. Encodings: LLVM 22's assembler. The documents are in rdna/documents.hpp.

namespace coalescing::rdna {

/// Of gfx10 and gfx11: what the instruction invalidates, the compute unit's L0 or the shader array's GL1. GL1 first:
/// else L0 is refilled with what GL1 still holds (LLVMSRC).
enum class invalidation { gl0, gl1 };
COALESCE_API constexpr bool is_enumerator(invalidation value) {
  return value == invalidation::gl0 || value == invalidation::gl1;
}
/// Of gfx12 and gfx1250.
enum class maintenance { invalidate, write_back, write_back_invalidate };
COALESCE_API constexpr bool is_enumerator(maintenance value) {
  return value == maintenance::invalidate || value == maintenance::write_back ||
         value == maintenance::write_back_invalidate;
}

namespace rules {
/// BUFFER_GL0_INV, BUFFER_GL1_INV.
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

/// The caches that GLOBAL_INV, GLOBAL_WB and GLOBAL_WBINV of that scope act on, on gfx12 and on gfx1250.
struct maintained_gfx12 {
  bool cu_cache, l2;

  bool operator==(maintained_gfx12 const&) const = default;
};
/// The workgroup processor's cache holds clean data only: there a write-back has nothing to do.
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

template <class Machine>
[[nodiscard]] COALESCE_API constexpr auto maintains(cache_scope scope) {
  using generation = typename generation_of<Machine>::type;
  static_assert(rules::names_a_scope<generation>,
                "rdna maintains: only the cache operations of gfx12 and gfx1250 have a scope");
  coalescing::detail::check_enumerator(scope);
  return typename rules::maintenance_row<generation>::maintained{scope != cache_scope::cu, scope == cache_scope::sys};
}
/// Where that is from.
template <class Machine>
inline constexpr source maintenance_from = rules::maintenance_row<typename generation_of<Machine>::type>::from;

}  // namespace coalescing::rdna

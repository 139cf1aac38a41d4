// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/rdna/bits.hpp>

// The effect of an access's cache bits (rdna/bits.hpp) on the caches. Bits that no source explains are refused. The
// documents are in rdna/documents.hpp.

namespace coalescing::rdna {

// ---- gfx10 ----

/// Whether a load of gfx10 may hit in the L0 of its compute unit, and in the GL1 of its shader array.
struct load_caches_gfx10 {
  bool l0_may_hit, gl1_may_hit;
  bool non_temporal;

  bool operator==(load_caches_gfx10 const&) const = default;
};

// ---- gfx11 ----

/// What a load does in L0 or GL1. hit: it may find its line in the cache; miss: it fetches the line anew. lru: the line
/// stays in the cache after the load; evict: it does not. The names are ISA3's.
enum class cache_op { hit_lru, hit_evict, miss_evict };
/// The two replacement policies of GL2 in ISA3.
enum class l2_policy { lru, stream };

/// What each cache level does with a load of gfx11. If a descriptor's llc_noalloc is 2 or 3, MALL (the Infinity Cache)
/// allocates no line, whatever the bits say.
struct load_caches_gfx11 {
  cache_op l0, gl1;
  l2_policy gl2;
  bool allocates_in_mall;

  bool operator==(load_caches_gfx11 const&) const = default;
};
/// What GL2 and MALL do with a store or an atomic of gfx11. Stores and atomics always have device scope.
struct store_caches_gfx11 {
  l2_policy gl2;
  bool allocates_in_mall;

  bool operator==(store_caches_gfx11 const&) const = default;
};

// ---- gfx12 and gfx1250 ----

/// How the kernel will use the cache line of an access: regularly (rt), not again (nt), with priority (ht), for the
/// last time (lu). wb (write-back) is for stores only. bypass exists on gfx12 only, for system scope. In a hint with
/// two parts, such as nt_rt, the first part is for the caches near the compute unit, and the second for the far caches.
enum class temporal_hint { rt, nt, ht, lu, wb, bypass, nt_rt, rt_nt, nt_ht, nt_wb };

/// The caches of gfx12 that may serve the access. Such a cache answers a read that hits, acknowledges a write, and
/// performs an atomic. The other caches pass the access on.
struct served_gfx12 {
  bool by_cu_cache, by_l2;
  temporal_hint hint;

  bool operator==(served_gfx12 const&) const = default;
};
/// The caches of gfx1250 that may serve the access. The workgroup processor's cache holds clean data only.
struct served_gfx1250 {
  bool by_wgp_cache, by_l2;
  temporal_hint hint;

  bool operator==(served_gfx1250 const&) const = default;
};

namespace rules {

/// How the caches of a generation treat an access. A row lacks `store` if sources differ on what a store does.
template <class Generation>
struct cache_row;
template <>
struct cache_row<gfx10> {
  static constexpr source from = documents::mesa_cache_flags.says(
      "ac_get_hw_cache_flags",
      "what GLC, DLC and SLC of a load mean; LLVM gives these bits for the same scopes and for "
      "nontemporal loads");
  COALESCE_API static constexpr load_caches_gfx10 load(policy<gfx10> const& said) {
    if ((said.slc && said.aux() != 2) || said.aux() == 4) refused::one_source_alone_tells_of_these_bits();
    return {.l0_may_hit = !said.glc, .gl1_may_hit = !said.dlc, .non_temporal = said.slc};
  }
};
template <>
struct cache_row<gfx11> {
  static constexpr source from = documents::isa_3.says("4.1.1", "what each cache does, by DLC, SLC and GLC");
  COALESCE_API static constexpr load_caches_gfx11 load(policy<gfx11> const& said) {
    using enum cache_op;
    return {.l0 = said.glc ? miss_evict : hit_lru,
            .gl1 = said.glc   ? miss_evict
                   : said.slc ? hit_evict
                              : hit_lru,
            .gl2 = said.slc ? l2_policy::stream : l2_policy::lru,
            .allocates_in_mall = !said.dlc};
  }
  COALESCE_API static constexpr store_caches_gfx11 store(policy<gfx11> const& said) {
    return {.gl2 = said.slc ? l2_policy::stream : l2_policy::lru, .allocates_in_mall = !said.dlc};
  }
};

/// What TH (the temporal hint) means in a load of gfx12 and gfx1250; hint_of_store is for stores. Refused: a TH
/// above 7; TH 7 of a load, which is reserved.
COALESCE_API constexpr temporal_hint hint_of_load(unsigned th) {
  using enum temporal_hint;
  if (th > 7) refused::th_is_out_of_range(th);
  if (th == 7) refused::th_is_reserved();
  constexpr temporal_hint hints[] = {rt, nt, ht, lu, nt_rt, rt_nt, nt_ht};
  return hints[th];
}
COALESCE_API constexpr temporal_hint hint_of_store(unsigned th) {
  using enum temporal_hint;
  if (th > 7) refused::th_is_out_of_range(th);
  constexpr temporal_hint hints[] = {rt, nt, ht, wb, nt_rt, rt_nt, nt_ht, nt_wb};
  return hints[th];
}
template <class Generation>
struct cache_row_by_scope {
  COALESCE_API static constexpr auto load(policy<Generation> const& said) {
    return cache_row<Generation>::served(said, rules::hint_of_load(said.th));
  }
  COALESCE_API static constexpr auto store(policy<Generation> const& said) {
    return cache_row<Generation>::served(said, rules::hint_of_store(said.th));
  }
};
template <>
struct cache_row<gfx12> : cache_row_by_scope<gfx12> {
  static constexpr source from =
      documents::isa_4.says("4.1.1", "a cache serves accesses whose scope is no wider than its own; TH is a hint",
                            "that L2's scope is the device: Table 16 acts on it for SYS alone");
  COALESCE_API static constexpr served_gfx12 served(policy<gfx12> const& said, temporal_hint hint) {
    coalescing::detail::check_enumerator(said.scope);
    bool const bypasses = said.th == 3 && said.scope == cache_scope::sys;
    return {.by_cu_cache = said.scope == cache_scope::cu,
            .by_l2 = said.scope != cache_scope::sys,
            .hint = bypasses ? temporal_hint::bypass : hint};
  }
};
template <>
struct cache_row<gfx1250> : cache_row_by_scope<gfx1250> {
  static constexpr source from = documents::isa_cdna_5.says(
      "4.1.1, Tables 10 and 11",
      "a cache serves accesses whose scope is no wider than its own; TH is a hint, and nothing bypasses",
      "that L2's scope is the device: Table 13 acts on it for SYS alone");
  COALESCE_API static constexpr served_gfx1250 served(policy<gfx1250> const& said, temporal_hint hint) {
    coalescing::detail::check_enumerator(said.scope);
    return {.by_wgp_cache = said.scope == cache_scope::wgp, .by_l2 = said.scope != cache_scope::sys, .hint = hint};
  }
};

template <class Machine>
using cache_row_of = cache_row<typename generation_of<Machine>::type>;

}  // namespace rules

/// How the caches treat a vector load with these bits. On gfx10 four combinations of bits are known, because LLVM 22
/// and Mesa agree on them: no bit, GLC, GLC with DLC, SLC. The other combinations are refused. Sources: Mesa,
/// ac_get_hw_cache_flags (gfx10), ISA3 4.1.1, ISA4 4.1.1, CDNA5 4.1.1.
template <class Machine>
[[nodiscard]] COALESCE_API constexpr auto caches_of_load(bits<Machine> const& said) {
  return rules::cache_row_of<Machine>::load(said);
}
/// How the caches treat a store with these bits; on gfx11 this holds for atomics, too. Refused: gfx10.
template <class Machine>
[[nodiscard]] COALESCE_API constexpr auto caches_of_store(bits<Machine> const& said) {
  using row = rules::cache_row_of<Machine>;
  constexpr bool stores_are_known = requires { row::store(said); };
  static_assert(stores_are_known, "Mesa and LLVM 22 differ in what gfx10's caches do with a store");
  if constexpr (stores_are_known)
    return row::store(said);
  else
    return store_caches_gfx11{};  // any value: without a return, the compiler would report a second error
}
/// The source of caches_of_load() and caches_of_store().
template <class Machine>
inline constexpr source caches_from = rules::cache_row_of<Machine>::from;

// ---- Atomics ----

/// Whether an atomic with these bits returns the value that memory held before. GLC says so on gfx10 and gfx11, bit 0
/// of TH on gfx12 and gfx1250.
template <class Machine>
[[nodiscard]] COALESCE_API constexpr bool returns_value(bits<Machine> const& said) {
  return (said.aux() & 1) != 0;
}

/// What TH (the temporal hint) and the scope mean in an atomic of gfx12 or gfx1250 (ISA4 4.1.1, CDNA5 4.1.1).
struct atomic_control {
  bool returns_value = false;  ///< bit 0 of TH
  bool non_temporal = false;   ///< bit 1 of TH
  bool cascades = false;       ///< bit 2 of TH: deferred scope, for atomics that return no value
  rdna::cache_scope scope = rdna::cache_scope::sys;

  bool operator==(atomic_control const&) const = default;
};
/// Reads the bits of an atomic. Refused: TH above 7, and an atomic that cascades and returns a value.
template <class Machine>
requires rules::names_a_scope<typename generation_of<Machine>::type>
[[nodiscard]] COALESCE_API constexpr atomic_control decode_atomic(bits<Machine> const& said) {
  static_cast<void>(said.aux());  // refuses a TH above 7
  if ((said.th & 5) == 5) refused::cascading_atomics_return_nothing();
  return {.returns_value = (said.th & 1) != 0,
          .non_temporal = (said.th & 2) != 0,
          .cascades = (said.th & 4) != 0,
          .scope = said.scope};
}
/// Makes the cache bits of an atomic with these properties. Refused: an atomic that cascades and returns a value.
template <class Machine>
requires rules::names_a_scope<typename generation_of<Machine>::type>
[[nodiscard]] COALESCE_API constexpr bits<Machine> encode_atomic(atomic_control const& atomic) {
  if (atomic.cascades && atomic.returns_value) refused::cascading_atomics_return_nothing();
  bits<Machine> const made{
      .th = (atomic.returns_value ? 1u : 0u) | (atomic.non_temporal ? 2u : 0u) | (atomic.cascades ? 4u : 0u),
      .scope = atomic.scope};
  static_cast<void>(made.aux());
  return made;
}

}  // namespace coalescing::rdna

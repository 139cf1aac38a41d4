// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cdna/bits.hpp>
#include <coalesce/cdna/documents.hpp>

// What each cache of CDNA 3 and 4 does with a load or a store, depending on the scope and reuse of the access. The
// documents are in cdna/documents.hpp.

namespace coalescing::cdna {

/// The cache operations, with ISA4's names. No AMD document explains them. The predicates below follow the glossary of
/// the 21verses post (documents::cdna_post).
enum class cache_op { hit_lru, hit_stream, hit_evict, miss_lru, miss_evict, coherent_bypass };
COALESCE_API constexpr bool is_enumerator(cache_op value) {
  return value == cache_op::hit_lru || value == cache_op::hit_stream || value == cache_op::hit_evict ||
         value == cache_op::miss_lru || value == cache_op::miss_evict || value == cache_op::coherent_bypass;
}

/// Whether a line that is present may serve the operation. The line may serve a hit, but not a miss or a bypass. The
/// 21verses post: "Hit: if the line is present, it may be used to service the operation."
[[nodiscard]] COALESCE_API constexpr bool may_hit(cache_op op) {
  coalescing::detail::check_enumerator(op);
  return op == cache_op::hit_lru || op == cache_op::hit_stream || op == cache_op::hit_evict;
}
/// Whether the operation must go on to the next level. The 21verses post: "Miss: forced to go to the next level of
/// cache even if the line is present." Every store misses L1 in this sense, since L1 is write-through.
[[nodiscard]] COALESCE_API constexpr bool must_go_on(cache_op op) { return !may_hit(op); }

/// The state of a line after an access that found the line in the cache, by the glossary of the 21verses post. The
/// glossary does not have the coherent bypass, so the state after a coherent bypass is `unknown`.
enum class line_after {
  recently_used,    ///< after an LRU operation
  unlikely_reused,  ///< after a Stream operation: at capacity, L2 tries to evict such lines first (PROF)
  gone,             ///< after an Evict operation: invalidated, or evicted right after the access
  unknown
};
[[nodiscard]] COALESCE_API constexpr line_after line_after_access(cache_op op) {
  switch (op) {
    case cache_op::hit_lru:
    case cache_op::miss_lru:
      return line_after::recently_used;
    case cache_op::hit_stream:
      return line_after::unlikely_reused;
    case cache_op::hit_evict:
    case cache_op::miss_evict:
      return line_after::gone;
    case cache_op::coherent_bypass:
      return line_after::unknown;
  }
  refused::no_such_enumerator();
}

/// What an access does in each cache: `cu` is the compute unit's L1, `l2` the XCD's L2, `llc` the last level (Infinity
/// Cache). By the 21verses post, a store that is miss_lru in L1 updates the line if L1 has the line. No document tells
/// whether such a store allocates a line that L1 does not have. In a measurement on an MI300X, the stores allocated
/// none (README.md). A store that hits L2 writes the line and marks it dirty: marks_dirty() in cdna/cache_levels.hpp.
struct caches {
  cache_op cu, l2, llc;

  bool operator==(caches const&) const = default;
};

namespace rules {

COALESCE_API constexpr bool has_one_l2(environment const& where) {
  if (where.l2_caches == 0) refused::agent_has_no_l2_cache();
  return where.l2_caches == 1;
}

/// A row of ISA4's tables of cache operations. The tables have two columns for L2: for an agent with one L2, and for an
/// agent with more.
struct cache_row {
  cache_op cu, one_l2, more_l2, llc;
};
/// One of ISA4's tables of cache operations. NT and the scope (wave, group, device, system) choose the row.
struct cache_table {
  cache_row temporal[4], non_temporal[4];
  COALESCE_API constexpr caches operator()(bits said, bool one_l2) const {
    cache_row const& row = (said.nt ? non_temporal : temporal)[scope_index(said)];
    return {.cu = row.cu, .l2 = one_l2 ? row.one_l2 : row.more_l2, .llc = row.llc};
  }
};

inline constexpr source load_table = documents::isa_4.says(
    "9.1.10, Table 49", "what each cache does with a load (the ROCm Optimization Guide has it for CDNA 3)",
    "that TG_SPLIT on CDNA 3 is as on CDNA 4");
inline constexpr source store_table =
    documents::isa_4.says("9.1.10, Table 50", "what each cache does with a store",
                          "CDNA 3 has the same: a third party prints one table for both");

}  // namespace rules

/// What each cache does with a load whose instruction has the cache bits `said` (SC0, SC1, NT): ISA4 Table 49.
[[nodiscard]] COALESCE_API constexpr caches caches_of_load(bits said, environment const& where) {
  using enum cache_op;
  constexpr rules::cache_table table = {
      // Temporal. Rows: wave, group, device, system. Columns: CU, L2 if the agent has one L2, L2 if it has more, LLC.
      {{hit_lru, hit_lru, hit_lru, hit_lru},
       // hit_evict looks odd among its neighbours, but ISA4, OPTGUIDE and every copy of the table print it so.
       {hit_lru, hit_lru, hit_lru, hit_evict},
       {miss_evict, hit_lru, coherent_bypass, hit_lru},
       {miss_evict, coherent_bypass, coherent_bypass, hit_lru}},
      // Non-temporal.
      {{miss_evict, hit_stream, hit_stream, hit_evict},
       {miss_evict, hit_stream, hit_stream, hit_evict},
       {miss_evict, hit_stream, coherent_bypass, hit_evict},
       {miss_evict, coherent_bypass, coherent_bypass, hit_evict}}};
  // TG_SPLIT changes one row, temporal loads of group scope, in the columns of the CU and of the LLC.
  constexpr caches split_group = {.cu = miss_lru, .l2 = hit_lru, .llc = hit_lru};
  bool const one_l2 = rules::has_one_l2(where);
  if (where.tg_split && said == bits{.sc0 = true}) return split_group;
  return table(said, one_l2);
}

/// What each cache does with a store of these bits: ISA4 Table 50. TG_SPLIT changes nothing. No store completes in L1.
[[nodiscard]] COALESCE_API constexpr caches caches_of_store(bits said, environment const& where) {
  using enum cache_op;
  constexpr rules::cache_table table = {// Temporal. Rows (scopes) and columns (caches) as in caches_of_load.
                                        {{miss_lru, hit_lru, hit_lru, hit_lru},
                                         {miss_lru, hit_lru, hit_lru, hit_lru},
                                         {miss_evict, hit_lru, coherent_bypass, hit_lru},
                                         {miss_evict, coherent_bypass, coherent_bypass, hit_lru}},
                                        // Non-temporal.
                                        {{miss_evict, hit_stream, hit_stream, hit_evict},
                                         {miss_evict, hit_stream, hit_stream, hit_evict},
                                         {miss_evict, hit_stream, coherent_bypass, hit_evict},
                                         {miss_evict, coherent_bypass, coherent_bypass, hit_evict}}};
  return table(said, rules::has_one_l2(where));
}

/// The level of memory that an operation has reached when it is complete. A reader that gets the line from this level,
/// or from a level beyond it, sees the operation. The L1s of other compute units may still hold the old line.
enum class reach {
  compute_unit,  ///< every operation on LDS: once LGKM_CNT counts it as complete (ISA4 4.4), the whole unit sees it
  xcd,
  agent,
  system
};
inline constexpr reach reach_of_completed_lds = reach::compute_unit;

/// The level that a store has reached when VM_CNT counts it as complete. VM_CNT falls when the store is in L2 (ISA4
/// 4.4). If the store bypasses L2, VM_CNT falls when the store is visible in its scope (inferred: LLVM relies on this).
[[nodiscard]] COALESCE_API constexpr reach reach_of_completed_store(scope visible, environment const& where) {
  if (may_hit(caches_of_store(encode(visible), where).l2)) return rules::has_one_l2(where) ? reach::agent : reach::xcd;
  return visible == scope::system ? reach::system : reach::agent;
}

/// A type for a load with the given scope and reuse. `encoding` is the load's cache bits (SC1, SC0, NT). on() returns
/// what each cache does with the load.
template <scope Scope, reuse Reuse = reuse::temporal>
struct scoped_load {
  static constexpr bits encoding = encode(Scope, Reuse);
  static constexpr source from = rules::load_table;
  [[nodiscard]] COALESCE_API static constexpr caches on(environment const& where) {
    return caches_of_load(encoding, where);
  }
};

/// A type for a store with the given scope and reuse. `encoding` is the store's cache bits (SC1, SC0, NT). on() returns
/// what each cache does with the store, and reach_when_complete() the level that the complete store has reached.
template <scope Scope, reuse Reuse = reuse::temporal>
struct scoped_store {
  static constexpr bits encoding = encode(Scope, Reuse);
  static constexpr source from = rules::store_table;
  [[nodiscard]] COALESCE_API static constexpr caches on(environment const& where) {
    return caches_of_store(encoding, where);
  }

  static constexpr source reach_from =
      Scope == scope::wave || Scope == scope::group
          ? documents::isa_4.says("4.4", "VM_CNT falls when the store is in L2")
          : documents::llvm_source.implies(
                "", "VM_CNT falls for a store past L2 when it is done at its scope: LLVM relies on it");
  [[nodiscard]] COALESCE_API static constexpr reach reach_when_complete(environment const& where) {
    return reach_of_completed_store(Scope, where);
  }
};

/// Where a global atomic of device scope is done. Such an atomic bypasses L1 (LLVMDOC). If the agent has one L2, the
/// atomic is done in L2 (the 21verses post). If the agent has several L2s, the atomic bypasses them (inferred: no
/// document states it).
enum class atomic_place { l2, past_l2 };
[[nodiscard]] COALESCE_API constexpr atomic_place place_of_device_atomic(environment const& where) {
  return rules::has_one_l2(where) ? atomic_place::l2 : atomic_place::past_l2;
}

/// Whether a work-group has LDS and S_BARRIER. Under tg_split it has neither (LLVMDOC).
[[nodiscard]] COALESCE_API constexpr bool has_lds_and_barrier(environment const& where) { return !where.tg_split; }

}  // namespace coalescing::cdna

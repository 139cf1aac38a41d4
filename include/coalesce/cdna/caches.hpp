// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cost.hpp>
#include <coalesce/detail/config.hpp>
#include <coalesce/misuse.hpp>

// Cache behaviour by scope on CDNA 3 and 4: the tables of SC1, SC0 and NT, and what BUFFER_WBL2 and BUFFER_INV do. The
// sources are named in cdna.hpp.

namespace coalescing::cdna {

// ---- What an access says ----

/// Who must see the access: a wave's 64 lanes, a work-group, the agent (the GPU, or the partition of it that the
/// program sees), or several agents and the CPU.
enum class scope { wave, group, device, system };

/// Whether the line is expected to be used again.
enum class reuse { temporal, non_temporal };

/// Who the access runs for.
struct environment {
  unsigned l2_caches = 1;  ///< of the agent: see partition (cdna/hierarchy.hpp)
  bool tg_split = false;   ///< the waves of a work-group may run on several compute units of an XCD
};

/// The cache control bits of a vector memory instruction (flat, global, scratch, buffer).
struct bits {
  bool sc1 = false;
  bool sc0 = false;
  bool nt = false;

  /// As the operand of the buffer intrinsics: SC0 is bit 0, NT bit 1, SC1 bit 4 (HIPDOC).
  [[nodiscard]] COALESCE_API constexpr unsigned aux() const {
    return (sc0 ? 1u : 0u) | (nt ? 2u : 0u) | (sc1 ? 16u : 0u);
  }
  bool operator==(bits const&) const = default;
};

/// From that operand; refused where it has a bit that is none of the three.
[[nodiscard]] COALESCE_API constexpr bits from_aux(unsigned aux) {
  bits const known{.sc1 = (aux & 16) != 0, .sc0 = (aux & 1) != 0, .nt = (aux & 2) != 0};
  if (known.aux() != aux) refused::aux_has_bits_that_are_not_sc0_nt_or_sc1(aux);
  return known;
}

/// {SC1, SC0} count from wave, 0, to system, 3; NT says that no reuse is expected (ISA4 9.1.10.2).
[[nodiscard]] COALESCE_API constexpr bits encode(scope visible, reuse hint = reuse::temporal) {
  unsigned const count = static_cast<unsigned>(visible), nt = static_cast<unsigned>(hint);
  if (count > 3 || nt > 1) refused::no_such_enumerator();
  return {.sc1 = (count & 2) != 0, .sc0 = (count & 1) != 0, .nt = nt != 0};
}

namespace detail {
/// {SC1, SC0}: wave, group, device, system.
COALESCE_API constexpr unsigned index_of(bits of) { return (of.sc1 ? 2u : 0u) + (of.sc0 ? 1u : 0u); }
}  // namespace detail

/// What the bits of a load or store say.
struct decoded {
  cdna::scope scope = scope::system;
  cdna::reuse reuse = reuse::temporal;

  bool operator==(decoded const&) const = default;
};
[[nodiscard]] COALESCE_API constexpr decoded decode(bits of) {
  return {static_cast<scope>(detail::index_of(of)), static_cast<reuse>(of.nt ? 1 : 0)};
}

/// What the same bits say on an atomic (ISA4 9.1.10.2): atomics pass L1 by themselves, so one bit is free.
struct atomic_control {
  bool returns_value = false;         ///< SC0: the value before the operation
  cdna::scope scope = scope::system;  ///< SC1: system, else device. There is none of wave or group scope.
  bool allocates_in_llc = true;       ///< not NT

  bool operator==(atomic_control const&) const = default;
};
[[nodiscard]] COALESCE_API constexpr atomic_control decode_atomic(bits of) {
  return {of.sc0, of.sc1 ? scope::system : scope::device, !of.nt};
}
/// Refused: wave and group scope. Such an atomic runs as one of device scope; say that.
[[nodiscard]] COALESCE_API constexpr bits encode_atomic(atomic_control const& atomic) {
  if (atomic.scope != scope::device && atomic.scope != scope::system) refused::atomics_have_device_or_system_scope();
  return {.sc1 = atomic.scope == scope::system, .sc0 = atomic.returns_value, .nt = !atomic.allocates_in_llc};
}

// ---- What a cache does with it ----

/// ISA4's names. What they mean is in no AMD document; the post's glossary is below, predicate by predicate.
enum class cache_op { hit_lru, hit_stream, hit_evict, miss_lru, miss_evict, coherent_bypass };

/// "Hit: if the line is present, it may be used to service the operation." (post) Not on a miss, nor on a bypass.
[[nodiscard]] COALESCE_API constexpr bool may_hit(cache_op op) {
  return op == cache_op::hit_lru || op == cache_op::hit_stream || op == cache_op::hit_evict;
}
/// "Miss: forced to go to the next level of cache even if the line is present." (post) A store goes on from every L1
/// all the same: L1 is write-through.
[[nodiscard]] COALESCE_API constexpr bool must_go_on(cache_op op) { return !may_hit(op); }

/// What becomes of the line where it is present (post). A coherent bypass is in no glossary.
enum class line_after {
  recently_used,    ///< LRU
  unlikely_reused,  ///< Stream: at capacity, L2 tries to evict such lines first (PROF)
  gone,             ///< Evict: invalidated, or evicted right after the access
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

/// What each level does with an access: a compute unit's L1, the XCD's L2, the last level (Infinity Cache). Of a store,
/// miss_lru in L1 updates the line if it is there (whether it allocates one is in no document), and a hit in L2 writes
/// it and marks it dirty: marks_dirty() in cdna/hierarchy.hpp.
struct caches {
  cache_op cu, l2, llc;

  bool operator==(caches const&) const = default;
};

namespace detail {

COALESCE_API constexpr bool has_one_l2(environment const& where) {
  if (where.l2_caches == 0) refused::agent_has_no_l2_cache();
  return where.l2_caches == 1;
}

/// A line of the tables; the column of L2 depends on how many there are in the agent.
struct cache_row {
  cache_op cu, one_l2, more_l2, llc;
};

COALESCE_API constexpr caches row_of(cache_row const (&rows)[4][2], bits of, bool one_l2) {
  cache_row const& row = rows[detail::index_of(of)][of.nt ? 1 : 0];
  return {row.cu, one_l2 ? row.one_l2 : row.more_l2, row.llc};
}

}  // namespace detail

/// ISA4 Table 49 (HIPDOC has the same for CDNA 3).
[[nodiscard]] COALESCE_API constexpr caches caches_of_load(bits of, environment const& where) {
  using enum cache_op;
  constexpr detail::cache_row rows[4][2] = {
      // temporal: CU, one L2, more L2s, LLC                  non-temporal
      {{hit_lru, hit_lru, hit_lru, hit_lru}, {miss_evict, hit_stream, hit_stream, hit_evict}},  // wave
      // The LLC of the first is odd beside its neighbours, but so print ISA4, HIPDOC and every copy.
      {{hit_lru, hit_lru, hit_lru, hit_evict}, {miss_evict, hit_stream, hit_stream, hit_evict}},  // group
      {{miss_evict, hit_lru, coherent_bypass, hit_lru},
       {miss_evict, hit_stream, coherent_bypass, hit_evict}},  // device
      {{miss_evict, coherent_bypass, coherent_bypass, hit_lru},
       {miss_evict, coherent_bypass, coherent_bypass, hit_evict}},  // system
  };
  constexpr caches split_group = {miss_lru, hit_lru, hit_lru};  // the one row that TG_SPLIT changes, in two places
  bool const one_l2 = detail::has_one_l2(where);
  if (where.tg_split && !of.sc1 && of.sc0 && !of.nt) return split_group;
  return detail::row_of(rows, of, one_l2);
}

/// ISA4 Table 50. TG_SPLIT changes nothing. No store completes in L1.
[[nodiscard]] COALESCE_API constexpr caches caches_of_store(bits of, environment const& where) {
  using enum cache_op;
  constexpr detail::cache_row rows[4][2] = {
      {{miss_lru, hit_lru, hit_lru, hit_lru}, {miss_evict, hit_stream, hit_stream, hit_evict}},  // wave
      {{miss_lru, hit_lru, hit_lru, hit_lru}, {miss_evict, hit_stream, hit_stream, hit_evict}},  // group
      {{miss_evict, hit_lru, coherent_bypass, hit_lru},
       {miss_evict, hit_stream, coherent_bypass, hit_evict}},  // device
      {{miss_evict, coherent_bypass, coherent_bypass, hit_lru},
       {miss_evict, coherent_bypass, coherent_bypass, hit_evict}},  // system
  };
  return detail::row_of(rows, of, detail::has_one_l2(where));
}

/// Whom a completed operation has reached: those who read there, or further on. The L1s of others may still hold the
/// old line.
enum class reach {
  compute_unit,  ///< all that LDS ever does: once LGKM_CNT says so (ISA4 4.4), it is there for the whole unit
  xcd,
  agent,
  system
};
inline constexpr reach reach_of_completed_lds = reach::compute_unit;

/// Of a store: VM_CNT falls when it is in L2 (ISA4 4.4); of one that passes L2, when it is done at its scope (inferred:
/// LLVM relies on it).
[[nodiscard]] COALESCE_API constexpr reach reach_of_completed_store(scope visible, environment const& where) {
  if (may_hit(caches_of_store(encode(visible), where).l2)) return detail::has_one_l2(where) ? reach::agent : reach::xcd;
  return visible == scope::system ? reach::system : reach::agent;
}

/// A load of that scope and reuse, as a policy.
template <scope Scope, reuse Reuse = reuse::temporal>
struct scoped_load {
  static constexpr bits encoding = encode(Scope, Reuse);
  static constexpr source rule{"ISA4 Table 49; HIPDOC, cache policy", evidence::documented};
  [[nodiscard]] COALESCE_API static constexpr caches on(environment const& where) {
    return caches_of_load(encoding, where);
  }
};

/// A store of that scope and reuse, as a policy.
template <scope Scope, reuse Reuse = reuse::temporal>
struct scoped_store {
  static constexpr bits encoding = encode(Scope, Reuse);
  static constexpr source rule{"ISA4 Table 50, for CDNA 4; of CDNA 3 quoted by third parties", evidence::documented};
  [[nodiscard]] COALESCE_API static constexpr caches on(environment const& where) {
    return caches_of_store(encoding, where);
  }

  static constexpr source reach_rule =
      Scope == scope::wave || Scope == scope::group
          ? source{"ISA4 4.4: VM_CNT falls when the store is in L2", evidence::documented}
          : source{"ISA4 4.4; of a store past L2, when it is done at its scope: LLVM relies on it", evidence::inferred};
  [[nodiscard]] COALESCE_API static constexpr reach reach_when_complete(environment const& where) {
    return reach_of_completed_store(Scope, where);
  }
};

/// Where a global atomic of device scope is done, having passed L1 (LLVMDOC). With one L2 there (the post); with
/// several, past them: inferred, no document says it outright.
enum class atomic_place { l2, past_l2 };
[[nodiscard]] COALESCE_API constexpr atomic_place place_of_device_atomic(environment const& where) {
  return detail::has_one_l2(where) ? atomic_place::l2 : atomic_place::past_l2;
}

/// LLVMDOC: under tg_split a work-group has neither LDS nor S_BARRIER.
[[nodiscard]] COALESCE_API constexpr bool has_lds_and_barrier(environment const& where) { return !where.tg_split; }

// ---- Bulk maintenance ----

/// What BUFFER_WBL2 or BUFFER_INV does to a cache.
enum class cache_action {
  nothing,
  write_back,              ///< of dirty lines; that they stay, clean, is inferred
  invalidate,              ///< of all lines
  invalidate_non_coherent  ///< of the lines that no probe keeps coherent: memory_type::nc
};
struct cache_actions {
  cache_action l1, l2;

  bool operator==(cache_actions const&) const = default;
};

/// BUFFER_WBL2 with the bits of that scope (ISA4 Table 51). It counts in VM_CNT, and stays behind the wave's earlier
/// accesses (LLVMSRC).
template <scope Scope>
struct buffer_wbl2 {
  static constexpr bits encoding = encode(Scope);
  static constexpr source rule{"ISA4 Table 51", evidence::documented};
  [[nodiscard]] COALESCE_API static constexpr cache_actions on(environment const& where) {
    using enum cache_action;
    constexpr cache_action l2[4][2] = {
        // one L2, more
        {nothing, nothing},        // wave
        {nothing, nothing},        // group
        {nothing, write_back},     // device
        {write_back, write_back},  // system
    };
    return {nothing, l2[detail::index_of(encoding)][detail::has_one_l2(where) ? 0 : 1]};
  }
};

/// BUFFER_INV with the bits of that scope (ISA4 Table 52). Later loads stay behind it (LLVMSRC).
template <scope Scope>
struct buffer_inv {
  static constexpr bits encoding = encode(Scope);
  static constexpr source rule{"ISA4 Table 52", evidence::documented};
  [[nodiscard]] COALESCE_API static constexpr cache_actions on(environment const& where) {
    using enum cache_action;
    constexpr cache_action l1[4][2] = {
        // without TG_SPLIT, with it
        {nothing, nothing},        // wave
        {nothing, invalidate},     // group
        {invalidate, invalidate},  // device
        {invalidate, invalidate},  // system
    };
    constexpr cache_action l2[4][2] = {
        // one L2, more
        {nothing, nothing},                                  // wave
        {nothing, nothing},                                  // group
        {nothing, invalidate_non_coherent},                  // device
        {invalidate_non_coherent, invalidate_non_coherent},  // system
    };
    return {l1[detail::index_of(encoding)][where.tg_split ? 1 : 0],
            l2[detail::index_of(encoding)][detail::has_one_l2(where) ? 0 : 1]};
  }
};

// ---- Memory types ----

/// How a page is cached in L2 (the PTE's MTYPE; LLVMDOC, PROF).
enum class memory_type {
  rw,  ///< cached, read and write; other writers' probes invalidate it
  nc,  ///< cached, and consistent only where software synchronizes
  cc,  ///< cached by its owner; probes keep it coherent
  uc   ///< never cached
};

/// Where a line lives, as seen from the L2 that holds it (KMD, gmc_v9_0.c).
enum class home {
  local,   ///< memory of this agent: of this device, and of its memory partition; on an APU, system memory of the node
  remote,  ///< memory of another device or partition
  host     ///< system memory that is not local
};

/// Whether L2 holds lines of that type.
[[nodiscard]] COALESCE_API constexpr bool cached_in_l2(memory_type type) { return type != memory_type::uc; }

/// Whether probes invalidate the line when someone else writes it: lines of type RW or CC that are local (LLVMDOC).
/// Probes come of coherent requests: of GPUs to pages with the PTE's C-bit, of the CPU over XGMI, of coherent PCIe. A
/// line of type RW or CC that is not local would be neither probed nor dropped; the driver makes none.
[[nodiscard]] COALESCE_API constexpr bool kept_coherent_by_probes(memory_type type, home where) {
  return where == home::local && (type == memory_type::rw || type == memory_type::cc);
}

/// Whether BUFFER_INV, where it acts on L2, drops the line: ISA4's "non-coherently cached lines" are those of type NC
/// (ISA4 and LLVMDOC together). What becomes of a dirty one is in no document.
[[nodiscard]] COALESCE_API constexpr bool dropped_by_buffer_inv(memory_type type) { return type == memory_type::nc; }

}  // namespace coalescing::cdna

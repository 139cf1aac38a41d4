// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cdna/caches.hpp>

// The instructions that maintain whole caches of CDNA 3 and 4, BUFFER_WBL2 and BUFFER_INV, and the memory types. What
// these instructions do to a line depends on its memory type. The documents are in cdna/documents.hpp.

namespace coalescing::cdna {

/// What BUFFER_WBL2 or BUFFER_INV does to a cache.
enum class cache_action {
  nothing,
  write_back,              ///< dirty lines are written back; we infer that they stay in the cache, clean
  invalidate,              ///< all lines are dropped
  invalidate_non_coherent  ///< the lines that no probe keeps coherent (memory_type::nc) are dropped
};
struct cache_actions {
  cache_action l1, l2;

  bool operator==(cache_actions const&) const = default;
};

namespace rules {

/// What BUFFER_WBL2 with these bits does to each cache: ISA4 Table 51.
COALESCE_API constexpr cache_actions write_back_by(bits said, environment const& where) {
  using enum cache_action;
  constexpr cache_action l2[][2] = {
      // rows: scopes; columns: the agent has one L2, has several L2s
      {nothing, nothing},        // wave scope
      {nothing, nothing},        // group scope
      {nothing, write_back},     // device scope
      {write_back, write_back},  // system scope
  };
  return {.l1 = nothing, .l2 = l2[scope_index(said)][has_one_l2(where) ? 0 : 1]};
}
/// What BUFFER_INV with these bits does to each cache: ISA4 Table 52.
COALESCE_API constexpr cache_actions invalidate_by(bits said, environment const& where) {
  using enum cache_action;
  constexpr cache_action l1[][2] = {
      // rows: scopes; columns: without TG_SPLIT, with TG_SPLIT
      {nothing, nothing},        // wave scope
      {nothing, invalidate},     // group scope
      {invalidate, invalidate},  // device scope
      {invalidate, invalidate},  // system scope
  };
  constexpr cache_action l2[][2] = {
      // rows: scopes; columns: the agent has one L2, has several L2s
      {nothing, nothing},                                  // wave scope
      {nothing, nothing},                                  // group scope
      {nothing, invalidate_non_coherent},                  // device scope
      {invalidate_non_coherent, invalidate_non_coherent},  // system scope
  };
  return {.l1 = l1[scope_index(said)][where.tg_split ? 1 : 0], .l2 = l2[scope_index(said)][has_one_l2(where) ? 0 : 1]};
}

}  // namespace rules

/// BUFFER_WBL2 with the bits of a scope (ISA4 Table 51). VM_CNT counts it. It completes only after the wave's earlier
/// accesses have completed (LLVMSRC).
template <scope Scope>
struct buffer_wbl2 {
  static constexpr bits encoding = encode(Scope);
  static constexpr source from = documents::isa_4.says("9.1.10, Table 51", "what BUFFER_WBL2 does");
  [[nodiscard]] COALESCE_API static constexpr cache_actions on(environment const& where) {
    return rules::write_back_by(encoding, where);
  }
};

/// BUFFER_INV with the bits of a scope (ISA4 Table 52). The wave's later loads are not done before the BUFFER_INV
/// (LLVMSRC).
template <scope Scope>
struct buffer_inv {
  static constexpr bits encoding = encode(Scope);
  static constexpr source from = documents::isa_4.says("9.1.10, Table 52", "what BUFFER_INV does");
  [[nodiscard]] COALESCE_API static constexpr cache_actions on(environment const& where) {
    return rules::invalidate_by(encoding, where);
  }
};

// ---- Memory types ----

/// How a page is cached in L2 (the PTE's MTYPE; LLVMDOC, PROF).
enum class memory_type {
  rw,  ///< cached for reads and writes; a probe invalidates the line when someone else writes it
  nc,  ///< cached, and consistent only where software synchronizes
  cc,  ///< cached by the agent whose memory it is; probes keep the line coherent
  uc   ///< never cached
};
COALESCE_API constexpr bool is_enumerator(memory_type value) {
  return value == memory_type::rw || value == memory_type::nc || value == memory_type::cc || value == memory_type::uc;
}

/// Where a line lives, as seen from the L2 that holds it (KMD, gmc_v9_0.c).
enum class home {
  local,   ///< memory in this agent's device and memory partition; on an APU, also the system memory of its own node
  remote,  ///< memory of another device or partition
  host     ///< system memory, unless it is `local`
};
COALESCE_API constexpr bool is_enumerator(home value) {
  return value == home::local || value == home::remote || value == home::host;
}

/// Whether L2 holds lines of a memory type.
[[nodiscard]] COALESCE_API constexpr bool cached_in_l2(memory_type type) {
  coalescing::detail::check_enumerator(type);
  return type != memory_type::uc;
}

/// Whether probes invalidate a line when someone else writes it. They do so for local lines of type RW or CC (LLVMDOC).
/// Three kinds of coherent request cause probes: GPU accesses to pages whose PTE has the C-bit, CPU accesses over XGMI,
/// and coherent PCIe accesses. No probe and no BUFFER_INV would remove a line of type RW or CC that is not local; the
/// driver makes no such lines.
[[nodiscard]] COALESCE_API constexpr bool kept_coherent_by_probes(memory_type type, home where) {
  coalescing::detail::check_enumerator(type);
  coalescing::detail::check_enumerator(where);
  return where == home::local && (type == memory_type::rw || type == memory_type::cc);
}

/// Whether a BUFFER_INV that acts on L2 drops lines of this type. ISA4's "non-coherently cached lines" are the lines of
/// type NC (ISA4 and LLVMDOC together). No document tells what becomes of a dirty line that is dropped.
[[nodiscard]] COALESCE_API constexpr bool dropped_by_buffer_inv(memory_type type) {
  coalescing::detail::check_enumerator(type);
  return type == memory_type::nc;
}

}  // namespace coalescing::cdna

// SPDX-License-Identifier: BSL-1.0
#pragma once
#ifdef __GNUC__  // g++ 12 warns where a user's global has the name of a parameter in these headers
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#endif
#include <coalesce/cdna/maintenance.hpp>
#include <coalesce/cdna/synchronize.hpp>
#include <coalesce/explain.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>

// Explains in words why each cache of CDNA 3 and 4 treats a load or a store of some scope as it does, and why each
// instruction of a synchronization is there. The rules are in caches.hpp, maintenance.hpp and synchronize.hpp.

namespace coalescing::cdna {

namespace rules {

COALESCE_API constexpr char const* words_of(scope visible) {
  constexpr char const* words[] = {"wave", "group", "device", "system"};
  return words[static_cast<unsigned>(visible)];
}
/// Names the lanes, waves or processors that must see an access of a scope.
COALESCE_API constexpr char const* others_of(scope visible) {
  constexpr char const* words[] = {"the lanes of the wave", "the waves of the work-group", "the waves of the agent",
                                   "other agents and the CPU"};
  return words[static_cast<unsigned>(visible)];
}
COALESCE_API constexpr char const* name_of(cache_op op) {
  constexpr char const* words[] = {"hit LRU", "hit stream", "hit evict", "miss LRU", "miss evict", "coherent bypass"};
  return words[static_cast<unsigned>(op)];
}
/// The meaning of a cache operation, by the glossary of the 21verses post (documents::cdna_post).
COALESCE_API constexpr char const* meaning_of(cache_op op) {
  constexpr char const* words[] = {"may be served here, and the line counts as recently used",
                                   "may be served here, and the line is not expected to be used again",
                                   "may be served here, and the line goes",
                                   "goes on even if the line is here, which counts as recently used",
                                   "goes on even if the line is here, and the line goes",
                                   "goes on past this cache (what becomes of the line is in no glossary)"};
  return words[static_cast<unsigned>(op)];
}

/// Writes a line of text about one cache: its operation, and one of three reasons:
/// - L1 is write-through;
/// - no reuse is expected;
/// - whether all waves that must see the access share the cache.
template <std::size_t Capacity>
COALESCE_API constexpr void say_cache(coalescing::text<Capacity>& out, char const* cache, cache_op op, scope visible,
                                      bool shared, bool written_through) {
  coalescing::detail::say(out, "  ", cache, ": ", name_of(op), ", ", meaning_of(op), "; ");
  if (must_go_on(op) && written_through)
    out.append("L1 writes through, so no store is done here");
  else if (must_go_on(op) && shared)
    out.append("no reuse is expected");
  else
    coalescing::detail::say(out, shared ? "shared by " : "not shared by ", others_of(visible));
  out.append("\n");
}

/// What a cache operation does to L2: a write-back or an invalidate with the bits of a scope.
COALESCE_API constexpr cache_action l2_action(step_kind kind, scope visible, environment const& where) {
  bool const writes = kind == step_kind::write_back;
  return (writes ? write_back_by(encode(visible), where) : invalidate_by(encode(visible), where)).l2;
}

/// Writes which earlier operations an s_waitcnt waits for. The text says "all" only if the s_waitcnt waits for both
/// counters.
template <std::size_t Capacity>
COALESCE_API constexpr void say_done(coalescing::text<Capacity>& out, waitcnt const& counters, bool written_back) {
  bool const vector = counters.vmcnt == 0, local = counters.lgkmcnt == 0;
  coalescing::detail::say(out,
                          vector && local ? "all that the wave did before is done"
                          : vector        ? "what the wave did before in vector memory is done"
                                          : "what the wave did before in LDS, GDS and scalar memory, and its messages, "
                                            "are done",
                          written_back ? ", the write-back too, before others can see the access" : "");
  if (!vector) out.append("; vector memory is not waited for");
  if (!local) out.append("; LDS, GDS, scalar memory and messages are not waited for");
}
/// The text that explains a wait after the access itself. Both counters count a FLAT access, whichever memory it reads,
/// so a wait for one counter may not wait for the value.
COALESCE_API constexpr char const* value_of(waitcnt const& counters, address_space space) {
  if (space != address_space::flat || (counters.vmcnt == 0 && counters.lgkmcnt == 0)) return "the value is here";
  return counters.vmcnt == 0 ? "a value from vector memory is here; one from LDS is not waited for"
                             : "a value from LDS is here; one from vector memory is not waited for";
}

}  // namespace rules

/// Explains why the caches treat scoped_load<...> or scoped_store<...> as they do in an environment. The behaviour is
/// documented (Access::from). The reason is our reading: a cache may serve an access if all who must see the access
/// share the cache. Refused: an environment without an L2 cache.
template <class Access>
requires requires(environment const& where) {
  { Access::on(where) } -> std::same_as<caches>;
}
[[nodiscard]] COALESCE_API constexpr auto explain(environment const& where) {
  constexpr decoded said = decode(Access::encoding);
  constexpr bool store = requires { Access::reach_from; };
  bool const one_l2 = rules::has_one_l2(where);
  caches const of = Access::on(where);
  coalescing::text<1400> out;
  coalescing::detail::say(out, store ? "store" : "load", " of scope ", rules::words_of(said.scope),
                          said.reuse == reuse::non_temporal ? ", non-temporal, " : ", ", std::uint64_t{where.l2_caches},
                          one_l2 ? " L2" : " L2s", where.tg_split ? ", TG_SPLIT:\n" : ":\n");
  bool const wave = said.scope == scope::wave, group = said.scope == scope::group;
  rules::say_cache(out, "L1 of the compute unit", of.cu, said.scope, wave || (group && !where.tg_split), store);
  rules::say_cache(out, "L2 of the XCD", of.l2, said.scope, wave || group || (said.scope == scope::device && one_l2),
                   false);
  rules::say_cache(out, "last level, at the memory", of.llc, said.scope, true, false);
  out.append("Who shares what, and so why, is our reading. Rule: ");
  coalescing::detail::put_source(out, Access::from, true);
  return out;
}

/// Explains why each instruction of synchronize(asked, where) is there, with one line for each instruction, and says
/// which instructions do nothing in the environment. Refused: what synchronize(...) refuses. The sequences are from
/// LLVMSRC; the reasons are our reading.
[[nodiscard]] COALESCE_API constexpr auto explain(description const& asked, environment const& where) {
  auto const sequence = synchronize(asked, where);
  bool const local = asked.kind != operation::fence && asked.space == address_space::local;
  bool accessed = false, released = false;
  coalescing::text<1400> out;
  for (instruction_step const& step : sequence) {
    instruction_sequence one = sequence;
    one.steps[0] = step, one.count = 1;
    coalescing::detail::say(out, one.text(), ": ");
    switch (step.kind) {
      case step_kind::write_back:
        released = true;
        coalescing::detail::say(out, "release, L2 writes back what ", rules::others_of(asked.scope), " could not see");
        if (rules::l2_action(step.kind, asked.scope, where) == cache_action::nothing)
          out.append("; here it does nothing, since they share the one L2");
        break;
      case step_kind::wait:
        if (accessed)
          coalescing::detail::say(out, "acquire, nothing later may go before ",
                                  rules::value_of(step.counters, sequence.space));
        else
          rules::say_done(out, step.counters, released);
        break;
      case step_kind::memory_operation:
        accessed = true;
        coalescing::detail::say(out, "the access", local ? "; LDS has no caches, and no bits for them" : "");
        break;
      case step_kind::invalidate:
        coalescing::detail::say(out, "acquire, L1 drops its lines, which may be older than what ",
                                rules::others_of(asked.scope), " wrote");
        if (rules::l2_action(step.kind, asked.scope, where) != cache_action::nothing)
          out.append("; L2 those that no probe keeps coherent");
        break;
    }
    out.append("\n");
  }
  if (sequence.empty()) out.append("no instruction: nothing is to wait for, to write back or to drop\n");
  out.append("Rule: ");
  coalescing::detail::put_source(
      out, documents::llvm_source.says("", "which instructions, in which order", "why they are there is our reading"),
      true);
  return out;
}

}  // namespace coalescing::cdna
#ifdef __GNUC__
#pragma GCC diagnostic pop
#endif

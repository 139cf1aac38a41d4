// SPDX-License-Identifier: BSL-1.0
//
// One wave writes data and raises a flag, another polls the flag and reads the data: what the compiler must emit on
// CDNA 3 and 4 at each scope, why each instruction is there, and what bulk maintenance saves.

#include <coalesce/cdna.hpp>

#include <cstdio>

namespace co = coalescing;
namespace cdna = co::cdna;
using cdna::cache_action, cdna::scope;
using cdna::step_kind;

constexpr auto raise_flag(scope visible, cdna::environment where) {
  return cdna::synchronize({.kind = cdna::operation::store,
                            .space = cdna::address_space::global,
                            .order = cdna::memory_order::release,
                            .scope = visible},
                           where);
}
constexpr auto poll_flag(scope visible, cdna::environment where) {
  return cdna::synchronize({.kind = cdna::operation::load,
                            .space = cdna::address_space::global,
                            .order = cdna::memory_order::acquire,
                            .scope = visible},
                           where);
}

// A whole MI300X is one agent with eight L2s; in CPX mode each XCD is an agent of its own.
constexpr auto whole = cdna::mi300x::agent(cdna::partition::spx);
constexpr auto one_xcd = cdna::mi300x::agent(cdna::partition::cpx);

static_assert(raise_flag(scope::device, whole).text() ==
              "buffer_wbl2 sc1\n"
              "s_waitcnt vmcnt(0) lgkmcnt(0)\n"
              "global_store sc1");
static_assert(poll_flag(scope::device, whole).text() ==
              "global_load sc1\n"
              "s_waitcnt vmcnt(0)\n"
              "buffer_inv sc1");

// Why there is anything to do: a plain store that is complete has reached its XCD, and no more.
static_assert(cdna::reach_of_completed_store(scope::wave, whole) == cdna::reach::xcd);
static_assert(cdna::reach_of_completed_store(scope::device, whole) == cdna::reach::agent);

// Bulk: a wave that stores 100 times to the same 256 bytes.
using store = cdna::gfx942::global_store<32>;
constexpr auto tile = co::linear{.stride = 4};
constexpr auto scoped_requests = (100 * co::cost<store>(tile)).transactions;  // each bypasses L2
constexpr auto written_back = co::cost<store>(tile).transactions;             // dirty in L2, once
static_assert(scoped_requests == 400 && written_back == 4);

namespace {

char const* name(cache_action action) {
  switch (action) {
    case cache_action::nothing:
      return "nothing";
    case cache_action::write_back:
      return "writes back";
    case cache_action::invalidate:
      return "drops all";
    case cache_action::invalidate_non_coherent:
      return "drops NC lines";
  }
  return "?";
}

void print_step(char const* instruction, char const* why) { std::printf("  %-32s%s\n", instruction, why); }

/// The lines of a text, each with its reason.
template <class Text, class... Reasons>
void print_steps(Text const& text, Reasons... reasons) {
  char const* const why[] = {reasons...};
  char const* line = text.c_str();
  for (char const* reason : why) {
    char copy[64] = {};
    unsigned length = 0;
    while (*line != '\0' && *line != '\n') copy[length++] = *line++;
    if (*line == '\n') ++line;
    print_step(copy, reason);
  }
}

/// In one line, with what the cache operations do there.
template <scope Scope>
void print_line(char const* role, cdna::instruction_sequence const& sequence, cdna::environment where) {
  auto const wbl2 = cdna::buffer_wbl2<Scope>::on(where), inv = cdna::buffer_inv<Scope>::on(where);
  auto const text = sequence.text();
  char const* at = text.c_str();
  std::printf("  %-9s", role);
  for (cdna::instruction_step const& each : sequence) {
    while (*at != '\0' && *at != '\n') std::putchar(*at++);
    if (each.kind == step_kind::write_back) std::printf(" [L2: %s]", name(wbl2.l2));
    if (each.kind == step_kind::invalidate) std::printf(" [L1: %s, L2: %s]", name(inv.l1), name(inv.l2));
    if (*at == '\n') std::printf("; "), ++at;
  }
  std::printf("\n");
}
template <scope Scope>
void print_scope(char const* title, cdna::environment where) {
  std::printf("%s\n", title);
  print_line<Scope>("release:", raise_flag(Scope, where), where);
  print_line<Scope>("acquire:", poll_flag(Scope, where), where);
}

}  // namespace

int main() {
  std::printf("device scope, MI300X as one agent with %u L2s: the producer, on one XCD\n", whole.l2_caches);
  print_step("global_store", "the data: dirty in this XCD's L2, which is all that its completion means");
  auto const release = raise_flag(scope::device, whole).text();
  print_steps(release, "pushes dirty lines out of this L2; it stays behind the stores before it",
              "until those stores and the write-back are done",
              "the flag: past L2, where every XCD looks for it, after the data");
  std::printf("the consumer, on another XCD\n");
  auto const acquire = poll_flag(scope::device, whole).text();
  print_steps(acquire, "the flag, polled: misses L1, bypasses L2, so it is never stale", "until it is here",
              "drops L1, and of L2 what no probe keeps coherent; later loads stay behind it");
  print_step("global_load", "the data: a plain load, which may hit only lines that are fresh now");

  std::printf("\nthe same flag at each scope\n");
  print_scope<scope::wave>("wave", whole);
  print_scope<scope::group>("group", whole);
  print_scope<scope::group>("group, tg_split", {.l2_caches = whole.l2_caches, .tg_split = true});
  print_scope<scope::device>("device, one L2 (CPX: an XCD is an agent)", one_xcd);
  print_scope<scope::device>("device, several L2s (SPX: the whole MI300X is one agent)", whole);
  print_scope<scope::system>("system", whole);

  std::printf("\n100 stores of a wave to the same 256 bytes: requests of 64 bytes that leave L2 with them\n");
  std::printf(
      "  at device scope, each past L2: %llu\n  plain, then one buffer_wbl2: %llu, if nothing evicted them before (and "
      "all else that is dirty)\n",
      static_cast<unsigned long long>(scoped_requests), static_cast<unsigned long long>(written_back));
}

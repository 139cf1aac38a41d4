// SPDX-License-Identifier: BSL-1.0
//
// One wave writes data and raises a flag, another polls the flag and reads the data: what LLVM 22 gives for it on RDNA
// 2, 3 and 4 and on gfx1250, side by side, and what CU mode saves a work-group.

#include <coalesce/rdna.hpp>

#include <cstdio>

namespace co = coalescing;
namespace rdna = co::rdna;
using rdna::gfx1030, rdna::gfx1100, rdna::gfx1201, rdna::gfx1250;
using rdna::scope;

constexpr rdna::description raise_flag(scope visible) {
  return {.kind = rdna::operation::store,
          .space = rdna::address_space::global,
          .order = rdna::memory_order::release,
          .scope = visible};
}
constexpr rdna::description poll_flag(scope visible) {
  return {.kind = rdna::operation::load,
          .space = rdna::address_space::global,
          .order = rdna::memory_order::acquire,
          .scope = visible};
}

static_assert(rdna::synchronize<gfx1201>(poll_flag(scope::agent), {}).text() ==
              "global_load scope:SCOPE_DEV\n"
              "s_wait_loadcnt 0x0\n"
              "global_inv scope:SCOPE_DEV");

// Until its data is stored a wave need not wait for its loads: on RDNA they count apart. A release orders them too.
constexpr rdna::issued_operations<gfx1100> producer(rdna::issued::vector_load, rdna::issued::vector_store);
static_assert(producer.weakest_wait(1).text() == "s_waitcnt_vscnt null, 0x0");

namespace {

constexpr unsigned columns = 4, width = 32;

/// The lines of four texts, side by side.
template <class... Texts>
void print_beside(Texts const&... texts) {
  char const* at[columns] = {texts.c_str()...};
  for (bool more = true; more;) {
    more = false;
    char line[columns * width + 1] = {};
    unsigned length = 0, used = 0;
    for (unsigned k = 0; k != columns; ++k) {
      while (length < k * width) line[length++] = ' ';
      while (*at[k] != '\0' && *at[k] != '\n') line[length++] = *at[k]++, used = length;
      if (*at[k] == '\n') ++at[k];
      more = more || *at[k] != '\0';
    }
    line[used] = '\0';
    std::printf("  %s\n", line);
  }
}
void print_on_each(char const* title, rdna::description const& asked) {
  std::printf("%s\n", title);
  print_beside(rdna::synchronize<gfx1030>(asked, {}).text(), rdna::synchronize<gfx1100>(asked, {}).text(),
               rdna::synchronize<gfx1201>(asked, {}).text(), rdna::synchronize<gfx1250>(asked, {}).text());
}
template <class Chip>
void print_modes(char const* name) {
  auto const asked = poll_flag(scope::workgroup);
  auto const wgp = rdna::synchronize<Chip>(asked, {.cu_mode = false}),
             cu = rdna::synchronize<Chip>(asked, {.cu_mode = true});
  std::printf("  %s: %u instructions in WGP mode, %u in CU mode\n", name, wgp.size(), cu.size());
}

}  // namespace

int main() {
  std::printf("agent scope, as the compiler does unasked\n");
  std::printf("  %-*s%-*s%-*s%s\n", static_cast<int>(width), "gfx1030", static_cast<int>(width), "gfx1100",
              static_cast<int>(width), "gfx1201", "gfx1250");
  print_on_each("the producer, behind a plain store of the data", raise_flag(scope::agent));
  print_on_each("the consumer, before a plain load of the data", poll_flag(scope::agent));

  std::printf("\na work-group's acquire\n");
  print_modes<gfx1030>("gfx1030");
  print_modes<gfx1201>("gfx1201");
  std::printf("  gfx1250: %u, in its only mode, which LLVM calls CU mode\n",
              rdna::synchronize<gfx1250>(poll_flag(scope::workgroup), {}).size());

  std::printf("\nbehind a load and the store of the data, until the data is stored: %s\n",
              producer.weakest_wait(1).text().c_str());
}

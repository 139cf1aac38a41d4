// SPDX-License-Identifier: BSL-1.0
//
// cdna::synchronize and rdna::synchronize against the AMDGPU backend of LLVM 22: every kind of operation, ordering,
// scope and address space, on every chip of the families' lists, in each way that a work-group can be launched.
//   synchronize PATH_OF_LLC WORK_FOLDER [--break]
// --break asks about a neighbouring scope, as a control: both families must show mismatches then.
// Exit status: 0 all equal, 1 mismatches, 2 the comparison itself went wrong. WORK_FOLDER keeps the .ll and .mir files.
#include <coalesce/cdna.hpp>
#include <coalesce/rdna.hpp>

#include "sequences.hpp"

#include <array>
#include <optional>
#include <utility>

#include "every/machines.hpp"
#include "truth/oracle/random_access.hpp"

namespace cdna = coalescing::cdna;
namespace rdna = coalescing::rdna;
using namespace coalescing_tests;
using enum amd::operation;

namespace {

// ---- LLVM's answers: the machine code after the pass that inserts cache operations and waits ----

constexpr spelling spellings[] = {
    {"GLOBAL_LOAD_", role::memory, "global_load"},
    {"GLOBAL_STORE_", role::memory, "global_store"},
    {"GLOBAL_ATOMIC_", role::memory, "global_atomic"},
    {"FLAT_LOAD_", role::memory, "flat_load"},
    {"FLAT_STORE_", role::memory, "flat_store"},
    {"FLAT_ATOMIC_", role::memory, "flat_atomic"},
    {"DS_READ_", role::memory, "ds_load"},
    {"DS_WRITE_", role::memory, "ds_store"},
    {"DS_ADD_", role::memory, "ds_atomic"},
    {"DS_WRXCHG_", role::memory, "ds_atomic"},
    {"DS_CMPST", role::memory, "ds_atomic"},
    {"S_WAITCNT_soft", role::wait, "s_waitcnt"},
    {"S_WAITCNT_VSCNT_soft", role::wait, "s_waitcnt_vscnt null, "},
    {"S_WAIT_LOADCNT_soft", role::wait, "s_wait_loadcnt "},
    {"S_WAIT_STORECNT_soft", role::wait, "s_wait_storecnt "},
    {"S_WAIT_SAMPLECNT_soft", role::wait, "s_wait_samplecnt "},
    {"S_WAIT_BVHCNT_soft", role::wait, "s_wait_bvhcnt "},
    {"S_WAIT_DSCNT_soft", role::wait, "s_wait_dscnt "},
    {"S_WAIT_XCNT_soft", role::wait, "s_wait_xcnt "},
    {"BUFFER_WBL2", role::cache, "buffer_wbl2"},
    {"BUFFER_INV", role::cache, "buffer_inv"},
    {"BUFFER_GL0_INV", role::bare, "buffer_gl0_inv"},
    {"BUFFER_GL1_INV", role::bare, "buffer_gl1_inv"},
    {"GLOBAL_INV", role::cache, "global_inv"},
    {"GLOBAL_WB", role::cache, "global_wb"},
    {"S_WAITCNT_lds_direct", role::ignored, ""},
    {"V_MOV_B32_", role::ignored, ""},
    {"V_DUAL_MOV_B32_", role::ignored, ""},
    {"S_SETPC_B64_return", role::ignored, ""},
};

/// LLVM's encodings, written again: how the operands of a chip's instructions are read.
enum class style { gfx940, gfx10, gfx11, gfx12 };

std::string cache_bits(std::string_view instruction, unsigned policy, style of) {
  std::string text;
  if (of != style::gfx12) {
    using bit_names = std::array<std::pair<unsigned, char const*>, 3>;
    unsigned rest = policy;
    for (auto const& [bit, name] : of == style::gfx940 ? bit_names{{{1, " sc0"}, {2, " nt"}, {16, " sc1"}}}
                                                       : bit_names{{{1, " glc"}, {2, " slc"}, {4, " dlc"}}}) {
      if (policy & bit) text += name;
      rest &= ~bit;
    }
    return rest != 0 ? text + " and others of " + std::to_string(policy) : text;
  }
  if (policy % 8 == 1 && instruction.find("atomic") != instruction.npos)
    text = " th:TH_ATOMIC_RETURN";
  else if (policy % 8 != 0)
    text = " th " + std::to_string(policy % 8);
  char const* const names[] = {"", " scope:SCOPE_SE", " scope:SCOPE_DEV", " scope:SCOPE_SYS"};
  return policy > 31 ? text + " and others of " + std::to_string(policy) : text + names[policy / 8];
}
std::string counters(std::string_view instruction, unsigned immediate, style of) {
  if (instruction != "s_waitcnt") {
    char number[16];
    std::snprintf(number, sizeof number, "0x%x", immediate);
    return number;
  }
  auto const field = [](char const* name, unsigned value, unsigned no_wait) {
    return value == no_wait ? "" : std::string{" "} + name + "(" + std::to_string(value) + ")";
  };
  if (of == style::gfx11)
    return field("vmcnt", immediate >> 10, 63) + field("expcnt", immediate & 7, 7) +
           field("lgkmcnt", immediate >> 4 & 63, 63);
  unsigned const lgkmcnt_bits = of == style::gfx940 ? 15 : 63;
  return field("vmcnt", (immediate & 15) | (immediate >> 14 & 3) << 4, 63) + field("expcnt", immediate >> 4 & 7, 7) +
         field("lgkmcnt", immediate >> 8 & lgkmcnt_bits, lgkmcnt_bits);
}

// ---- The families ----

/// A processor, with an option for the launch of work-groups.
struct target {
  std::string processor;
  std::string attribute;
  style of;
};

std::string written(auto const& sequence) {
  auto const text = sequence.text();
  return std::string{static_cast<std::string_view>(text)};
}

struct cdna_chips {
  static constexpr char const* name = "CDNA";
  using description = cdna::description;
  static inline scope<cdna::scope> const scopes[] = {
      {cdna::scope::wave, cdna::scope::group, "singlethread", "singlethread-one-as"},
      {cdna::scope::wave, cdna::scope::group, "wavefront", "wavefront-one-as"},
      {cdna::scope::group, cdna::scope::device, "workgroup", "workgroup-one-as"},
      {cdna::scope::device, cdna::scope::system, "agent", "agent-one-as"},
      {cdna::scope::system, cdna::scope::device, "", "one-as"},
  };
  static constexpr std::size_t share = 1;
  /// A fence orders all address spaces.
  static bool asks(form const& of, pointer const& at) { return of.kind != fence || at.space == description{}.space; }
  static char const* mark_of(form const&, pointer const&) { return ""; }

  /// Calls see(target, ours). ours(description) is empty where the library refuses it.
  template <class See>
  static void each(See const& see) {
    cdna::every_machine::each([&]<class Chip>() {
      if (lists("gfx90a", Chip::name)) return;  // another memory model: cdna::synchronize is of gfx942 and gfx950
      for (bool const tg_split : {false, true})
        see(target{Chip::name, tg_split ? "+tgsplit" : "-tgsplit", style::gfx940},
            [=](description const& asked) -> std::optional<std::string> {
              if (tg_split && asked.kind != fence && asked.space == cdna::address_space::local) return {};
              return written(cdna::synchronize(asked, {.tg_split = tg_split}));
            });
    });
  }
};

template <class Generation>
constexpr style style_of = style::gfx12;
template <>
constexpr style style_of<rdna::gfx10> = style::gfx10;
template <>
constexpr style style_of<rdna::gfx11> = style::gfx11;

struct rdna_chips {
  static constexpr char const* name = "RDNA";
  using description = rdna::description;
  static inline scope<rdna::scope> const scopes[] = {
      {rdna::scope::singlethread, rdna::scope::workgroup, "singlethread", "singlethread-one-as"},
      {rdna::scope::wavefront, rdna::scope::workgroup, "wavefront", "wavefront-one-as"},
      {rdna::scope::workgroup, rdna::scope::agent, "workgroup", "workgroup-one-as"},
      {rdna::scope::cluster, rdna::scope::system, "cluster", "cluster-one-as"},
      {rdna::scope::agent, rdna::scope::workgroup, "agent", "agent-one-as"},
      {rdna::scope::system, rdna::scope::workgroup, "", "one-as"},
  };
  static constexpr std::size_t share = COALESCE_TEST_SHARE;  // one in so many functions is asked
  /// An exchange is ordered as an addition is, so additions are asked alone.
  static bool asks(form const& of, pointer const&) {
    return std::string_view{of.instruction}.find("atomicrmw xchg") == std::string_view::npos;
  }
  /// A fence may order one address space.
  static char const* mark_of(form const& of, pointer const& at) {
    if (of.kind != fence || at.space == amd::address_space::flat) return "";
    return at.space == amd::address_space::global ? ", !mmra !1" : ", !mmra !2";
  }

  template <class See>
  static void each(See const& see) {
    rdna::every_machine::each([&]<class Chip>() {
      if constexpr (requires { typename Chip::generation; }) {  // LLVM 22 does not know the others
        using generation = typename Chip::generation;
        for (bool const cu_mode : {false, true}) {
          if (!cu_mode && rdna::environment<generation>{}.cu_mode) continue;  // it has no WGP mode
          see(target{Chip::name, cu_mode ? "+cumode" : "-cumode", style_of<generation>},
              [=](description const& asked) -> std::optional<std::string> {
                return written(rdna::synchronize<Chip>(asked, {.cu_mode = cu_mode}));
              });
        }
      }
    });
  }
};

// ---- The comparison ----

/// The metadata that the functions name. !1 and !2 are the address spaces that a fence orders.
constexpr char const* marks =
    "!0 = !{}\n!1 = !{!\"amdgpu-synchronize-as\", !\"global\"}\n!2 = !{!\"amdgpu-synchronize-as\", !\"local\"}\n";

template <class Family>
std::vector<question<typename Family::description>> questions(bool break_it) {
  std::vector<question<typename Family::description>> all, some;
  for (auto const& of : forms)
    for (auto const& at : pointers)
      if (Family::asks(of, at)) add_orderings(all, Family::scopes, of, at, Family::mark_of(of, at), break_it);
  std::size_t const share = break_it ? 10 : Family::share;
  for (std::size_t n = 0; n != all.size(); ++n)
    if ((n + n / 12) % share == 0)
      some.push_back(all[n]);  // not every n-th: with RDNA's 12 scopes one would be left out
  return some;
}

template <class Family>
totals compare(std::string const& llc, std::filesystem::path const& folder, bool break_it) {
  auto const all = questions<Family>(break_it);
  totals sums;
  Family::each([&](target const& on, auto const& ours) {
    auto const where = on.processor + ", " + on.attribute;
    auto answers = compile(
        all, marks, folder / (on.processor + on.attribute), llc, "-mcpu=" + on.processor + " -mattr=" + on.attribute,
        spellings, [&](spelling const& one, unsigned number) {
          return one.is == role::wait ? counters(one.text, number, on.of) : cache_bits(one.text, number, on.of);
        });
    for (std::size_t n = 0; n != all.size(); ++n) {
      if (auto const text = ours(all[n].asked))
        compare_text(sums, all[n].asked.kind, where, all[n].function, answers["f" + std::to_string(n)], *text);
      else
        ++sums.left_out;
    }
  });
  if (sums.unreadable != 0)
    fail(std::to_string(sums.unreadable) + " functions of " + Family::name + " could not be read");
  if (sums.compared < all.size() || all.empty()) fail(std::string{"hardly any function of "} + Family::name);
  if (break_it && sums.mismatches == 0) fail(std::string{"the control finds no mismatch in "} + Family::name);
  return sums;
}

}  // namespace

int main(int count, char** arguments) {
  std::vector<std::string> const words(arguments, arguments + count);
  bool const break_it = count == 4 && words[3] == "--break";
  if (count != 3 && !break_it) fail("usage: synchronize PATH_OF_LLC WORK_FOLDER [--break]");
  auto const version = version_of(words[1]);
  std::filesystem::create_directories(words[2]);
  auto const of_cdna = compare<cdna_chips>(words[1], words[2], break_it);
  auto const of_rdna = compare<rdna_chips>(words[1], words[2], break_it);
  std::printf(
      "%u combinations of CDNA and %u of RDNA compared with %s, %u mismatches, "
      "%u left out (local memory under tg_split)\n",
      of_cdna.compared, of_rdna.compared, version.c_str(), of_cdna.mismatches + of_rdna.mismatches, of_cdna.left_out);
  return of_cdna.mismatches + of_rdna.mismatches == 0 ? 0 : 1;
}

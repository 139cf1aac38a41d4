// SPDX-License-Identifier: BSL-1.0
//
// rdna::synchronize against the AMDGPU backend of LLVM 22: every kind of operation, ordering, scope, address space and
// mode, on two processors of each generation.
//   rdna_synchronize PATH_OF_LLC WORK_FOLDER [--break]
// --break asks about a neighbouring scope, as a control: there must be mismatches then.
// Exit status: 0 all equal, 1 mismatches, 2 the comparison itself went wrong. WORK_FOLDER keeps the .ll and .mir files.
#include <coalesce/rdna/synchronize.hpp>

#include "sequences.hpp"

// Builds that are slow by nature ask one in COALESCE_TEST_SHARE of the functions, the control one in ten.
#ifndef COALESCE_TEST_SHARE
#define COALESCE_TEST_SHARE 1
#endif

namespace rdna = coalescing::rdna;
using namespace coalescing_tests;
using enum amd::operation;
using asks = question<rdna::description>;

namespace {

scope<rdna::scope> const scopes[] = {
    {rdna::scope::singlethread, rdna::scope::workgroup, "singlethread", "singlethread-one-as"},
    {rdna::scope::wavefront, rdna::scope::workgroup, "wavefront", "wavefront-one-as"},
    {rdna::scope::workgroup, rdna::scope::agent, "workgroup", "workgroup-one-as"},
    {rdna::scope::cluster, rdna::scope::system, "cluster", "cluster-one-as"},
    {rdna::scope::agent, rdna::scope::workgroup, "agent", "agent-one-as"},
    {rdna::scope::system, rdna::scope::workgroup, "", "one-as"},
};
/// What the functions' marks refer to: !1 and !2 are the address spaces that a fence orders.
constexpr char const* marks =
    "!0 = !{}\n!1 = !{!\"amdgpu-synchronize-as\", !\"global\"}\n!2 = !{!\"amdgpu-synchronize-as\", !\"local\"}\n";

char const* mark_of(form const& of, pointer const& at) {
  if (of.kind != fence || at.space == amd::address_space::flat) return "";
  return at.space == amd::address_space::global ? ", !mmra !1" : ", !mmra !2";
}

std::vector<asks> questions(bool break_it) {
  std::vector<asks> all;
  for (auto const& of : forms) {
    if (std::string_view{of.instruction}.find("atomicrmw xchg") != std::string_view::npos) continue;  // as add
    for (auto const& at : pointers) add_orderings(all, scopes, of, at, mark_of(of, at), break_it);
  }
  std::size_t const share = break_it ? 10 : COALESCE_TEST_SHARE;
  std::vector<asks> some;  // not every n-th: each has 12 scopes
  for (std::size_t n = 0; n != all.size(); ++n)
    if ((n + n / 12) % share == 0) some.push_back(all[n]);
  return some;
}

// ---- LLVM's answers ----

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
    {"BUFFER_GL0_INV", role::bare, "buffer_gl0_inv"},
    {"BUFFER_GL1_INV", role::bare, "buffer_gl1_inv"},
    {"GLOBAL_INV", role::cache, "global_inv"},
    {"GLOBAL_WB", role::cache, "global_wb"},
    {"S_WAITCNT_lds_direct", role::ignored, ""},
    {"V_MOV_B32_", role::ignored, ""},
    {"V_DUAL_MOV_B32_", role::ignored, ""},
    {"S_SETPC_B64_return", role::ignored, ""},
};

/// LLVM's encodings, written again: how the generation's operands are to be read.
enum class style { gfx10, gfx11, gfx12 };

std::string cache_bits(std::string_view instruction, unsigned policy, style of) {
  std::string text;
  if (of != style::gfx12) {
    for (auto const& [bit, name] : {std::pair{1u, " glc"}, {2u, " slc"}, {4u, " dlc"}})
      if (policy & bit) text += name;
    return policy > 7 ? text + " and others of " + std::to_string(policy) : text;
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
  if (of == style::gfx10)
    return field("vmcnt", (immediate & 15) | (immediate >> 14 & 3) << 4, 63) + field("expcnt", immediate >> 4 & 7, 7) +
           field("lgkmcnt", immediate >> 8 & 63, 63);
  return field("vmcnt", immediate >> 10, 63) + field("expcnt", immediate & 7, 7) +
         field("lgkmcnt", immediate >> 4 & 63, 63);
}

// ---- The comparison ----

template <class Chip>
void compare(totals& sums, std::vector<asks> const& all, std::string const& processor, style of,
             std::vector<std::string> const& words) {
  for (bool const cu_mode : {false, true}) {
    if (!cu_mode && std::is_same_v<typename rdna::generation_of<Chip>::type, rdna::gfx1250>) {
      sums.left_out += static_cast<unsigned>(all.size());  // no hardware: the library refuses it
      continue;
    }
    auto const where = processor + (cu_mode ? ", CU mode" : ", WGP mode");
    auto answers =
        compile(all, marks, words[2] + "/" + processor + (cu_mode ? "_cu" : "_wgp"), words[1],
                "-mcpu=" + processor + " -mattr=" + (cu_mode ? "+cumode" : "-cumode"), spellings,
                [=](spelling const& one, unsigned number) {
                  return one.is == role::wait ? counters(one.text, number, of) : cache_bits(one.text, number, of);
                });
    for (std::size_t n = 0; n != all.size(); ++n) {
      auto const text = rdna::synchronize<Chip>(all[n].asked, {.cu_mode = cu_mode}).text();
      compare_text(sums, all[n].asked.kind, where, all[n].function, answers["f" + std::to_string(n)],
                   std::string{static_cast<std::string_view>(text)});
    }
  }
}

}  // namespace

int main(int count, char** arguments) {
  std::vector<std::string> const words(arguments, arguments + count);
  if (count != 3 && !(count == 4 && words[3] == "--break"))
    fail("usage: rdna_synchronize PATH_OF_LLC WORK_FOLDER [--break]");
  auto const version = version_of(words[1]);
  std::filesystem::create_directories(words[2]);
  auto const all = questions(count == 4);
  totals sums;
  compare<rdna::gfx1010>(sums, all, "gfx1010", style::gfx10, words);
  compare<rdna::gfx1030>(sums, all, "gfx1030", style::gfx10, words);
  compare<rdna::gfx1100>(sums, all, "gfx1100", style::gfx11, words);
  compare<rdna::gfx1151>(sums, all, "gfx1151", style::gfx11, words);
  compare<rdna::gfx1200>(sums, all, "gfx1200", style::gfx12, words);
  compare<rdna::gfx1201>(sums, all, "gfx1201", style::gfx12, words);
  compare<rdna::gfx1250>(sums, all, "gfx1250", style::gfx12, words);
  compare<rdna::gfx1251>(sums, all, "gfx1251", style::gfx12, words);
  if (sums.unreadable != 0) std::printf("HARNESS ERROR: %u functions could not be read\n", sums.unreadable);
  std::printf("%u combinations compared with %s, %u mismatches, %u left out (gfx1250 has no WGP mode)\n", sums.compared,
              version.c_str(), sums.mismatches, sums.left_out);
  if (sums.unreadable != 0 || sums.compared != all.size() * 14) return 2;
  return sums.mismatches == 0 ? 0 : 1;
}

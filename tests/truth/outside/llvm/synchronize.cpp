// SPDX-License-Identifier: BSL-1.0
//
// cdna::synchronize against the AMDGPU backend of LLVM 22: every kind of operation, ordering, scope and address space.
//   synchronize PATH_OF_LLC WORK_FOLDER [--break]
// --break asks about a neighbouring scope, as a control: there must be mismatches then.
// Exit status: 0 all equal, 1 mismatches, 2 the comparison itself went wrong. WORK_FOLDER keeps the .ll and .mir files.
#include <coalesce/cdna.hpp>

#include "sequences.hpp"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cdna = coalescing::cdna;
using namespace coalescing_tests;
using enum amd::operation;
using asks = question<cdna::description>;

namespace {

// ---- The questions ----

scope<cdna::scope> const scopes[] = {
    {cdna::scope::wave, cdna::scope::group, "singlethread", "singlethread-one-as"},
    {cdna::scope::wave, cdna::scope::group, "wavefront", "wavefront-one-as"},
    {cdna::scope::group, cdna::scope::device, "workgroup", "workgroup-one-as"},
    {cdna::scope::device, cdna::scope::system, "agent", "agent-one-as"},
    {cdna::scope::system, cdna::scope::device, "", "one-as"},
};

std::vector<asks> questions(bool break_it) {
  std::vector<asks> all;
  for (auto const& of : forms)
    for (auto const& at : pointers) {
      if (of.kind == fence && at.space != cdna::description{}.space) continue;  // a fence has no pointer
      add_orderings(all, scopes, of, at, "", break_it);
    }
  return all;
}

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
    {"DS_CMPST_", role::memory, "ds_atomic"},
    {"S_WAITCNT_soft", role::wait, "s_waitcnt"},
    {"BUFFER_WBL2", role::cache, "buffer_wbl2"},
    {"BUFFER_INV", role::cache, "buffer_inv"},
    {"S_WAITCNT_lds_direct", role::ignored, ""},
    {"V_MOV_B32_", role::ignored, ""},
    {"S_SETPC_B64_return", role::ignored, ""},
};

std::string cache_bits(unsigned policy) {
  std::string text;
  for (auto const& [bit, name] : {std::pair{1u, " sc0"}, {2u, " nt"}, {16u, " sc1"}})
    if (policy & bit) text += name;
  return policy & ~19u ? text + " and others of " + std::to_string(policy) : text;
}
std::string counters(unsigned immediate) {
  auto const field = [](char const* name, unsigned value, unsigned no_wait) {
    return value == no_wait ? "" : std::string{" "} + name + "(" + std::to_string(value) + ")";
  };
  return field("vmcnt", (immediate & 15) | (immediate >> 14 & 3) << 4, 63) + field("expcnt", immediate >> 4 & 7, 7) +
         field("lgkmcnt", immediate >> 8 & 15, 15);
}

std::string operand(spelling const& of, unsigned number) {
  return of.is == role::wait ? counters(number) : cache_bits(number);
}

// ---- The comparison ----

struct target {
  std::string processor;
  bool tg_split;
};
target const targets[] = {{"gfx942", false}, {"gfx942", true}, {"gfx950", false}, {"gfx950", true}};

}  // namespace

int main(int count, char** arguments) {
  std::vector<std::string> const words(arguments, arguments + count);
  if (count != 3 && !(count == 4 && words[3] == "--break"))
    fail("usage: synchronize PATH_OF_LLC WORK_FOLDER [--break]");
  auto const version = version_of(words[1]);
  std::filesystem::create_directories(words[2]);
  auto const all = questions(count == 4);
  totals sums;
  for (auto const& on : targets) {
    auto const stem = words[2] + "/" + on.processor + (on.tg_split ? "_tgsplit" : "");
    auto answers =
        compile(all, "!0 = !{}\n", stem, words[1],
                "-mcpu=" + on.processor + " -mattr=" + (on.tg_split ? "+tgsplit" : "-tgsplit"), spellings, operand);
    for (std::size_t n = 0; n != all.size(); ++n) {
      auto const& [asked, function] = all[n];
      // The library refuses it, because LDS cannot be used under tg_split.
      if (on.tg_split && asked.kind != fence && asked.space == cdna::address_space::local) {
        ++sums.left_out;
        continue;
      }
      auto const text = cdna::synchronize(asked, {.tg_split = on.tg_split}).text();
      compare_text(sums, asked.kind, on.processor + (on.tg_split ? ", tg_split on" : ", tg_split off"), function,
                   answers["f" + std::to_string(n)], std::string{static_cast<std::string_view>(text)});
    }
  }
  if (sums.unreadable != 0) std::printf("HARNESS ERROR: %u functions could not be read\n", sums.unreadable);
  std::printf("%u combinations compared with %s, %u mismatches, %u left out (local memory under tg_split)\n",
              sums.compared, version.c_str(), sums.mismatches, sums.left_out);
  if (sums.unreadable != 0 || sums.compared <= 3000) return 2;
  return sums.mismatches == 0 ? 0 : 1;
}

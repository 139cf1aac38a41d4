// SPDX-License-Identifier: BSL-1.0
//
// cdna::synchronize against the AMDGPU backend of LLVM: every kind of operation, ordering, scope and address space.
//   synchronize PATH_OF_LLC WORK_FOLDER [--break]
// --break asks about a neighbouring scope, as a control: there must be mismatches then.
// Exit status: 0 all equal, 1 mismatches, 2 the comparison itself went wrong. WORK_FOLDER keeps the .ll and .mir files.
#include <coalesce/cdna.hpp>

#include "run.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cdna = coalescing::cdna;
using namespace coalescing_tests;

namespace {

// ---- The questions ----

struct ordering {
  cdna::memory_order value;
  char const* name;
};
constexpr ordering orderings[] = {
    {cdna::memory_order::unordered, "unordered"}, {cdna::memory_order::monotonic, "monotonic"},
    {cdna::memory_order::acquire, "acquire"},     {cdna::memory_order::release, "release"},
    {cdna::memory_order::acq_rel, "acq_rel"},     {cdna::memory_order::seq_cst, "seq_cst"},
};

struct pointer {
  cdna::address_space space;
  char const* type;
};
constexpr pointer pointers[] = {
    {cdna::address_space::flat, "ptr"},
    {cdna::address_space::global, "ptr addrspace(1)"},
    {cdna::address_space::local, "ptr addrspace(3)"},
};

struct scope {
  cdna::scope value, neighbour;
  std::string name, one_address_space;
};
scope const scopes[] = {
    {cdna::scope::wave, cdna::scope::group, "singlethread", "singlethread-one-as"},
    {cdna::scope::wave, cdna::scope::group, "wavefront", "wavefront-one-as"},
    {cdna::scope::group, cdna::scope::device, "workgroup", "workgroup-one-as"},
    {cdna::scope::device, cdna::scope::system, "agent", "agent-one-as"},
    {cdna::scope::system, cdna::scope::device, "", "one-as"},
};

/// PTR: the type of the pointer; HOW: the scope and the orderings.
struct form {
  cdna::operation kind;
  char const* instruction;
  char const* end;
  std::string_view orders;
  std::string_view failures = "monotonic";  // the library looks at it only if there is a failure ordering
};
constexpr std::string_view modifying = "monotonic acquire release acq_rel seq_cst";
constexpr char const* old = "%r = extractvalue {i32, i1} %c, 0\n  ret i32 %r";
using enum cdna::operation;
constexpr form forms[] = {
    {load, "%r = load atomic i32, PTR %p HOW, align 4", "ret i32 %r", "unordered monotonic acquire seq_cst"},
    {store, "store atomic i32 %v, PTR %p HOW, align 4", "ret i32 %v", "unordered monotonic release seq_cst"},
    {atomic, "%r = atomicrmw add PTR %p, i32 %v HOW, align 4", "ret i32 %v", modifying},
    {atomic, "%r = atomicrmw xchg PTR %p, i32 %v HOW, align 4", "ret i32 %v", modifying},
    {atomic_return, "%r = atomicrmw add PTR %p, i32 %v HOW, align 4", "ret i32 %r", modifying},
    {atomic_return, "%r = atomicrmw xchg PTR %p, i32 %v HOW, align 4", "ret i32 %r", modifying},
    {exchange, "%c = cmpxchg PTR %p, i32 %v, i32 %w HOW, align 4", old, modifying, "monotonic acquire seq_cst"},
    {fence, "fence HOW", "ret i32 %v", "acquire release acq_rel seq_cst"},
};
// Without it LLVM expects memory on which the hardware's own atomics fail, and expands some of them into a loop.
constexpr char const* in_hardware = ", !amdgpu.no.fine.grained.memory !0, !amdgpu.no.remote.memory !0";

struct question {
  cdna::description asked;
  std::string function;  // what follows its name, in LLVM's language
};
std::string replaced(std::string text, std::string_view what, std::string const& with) {
  if (auto const at = text.find(what); at != text.npos) text.replace(at, what.size(), with);
  return text;
}
std::string function(form const& of, pointer const& at, std::string const& how) {
  auto const marks = of.kind == load || of.kind == store || of.kind == fence ? "" : in_hardware;
  return replaced("(PTR %p, i32 %v, i32 %w) {\n  ", "PTR", at.type) +
         replaced(replaced(of.instruction, "PTR", at.type), "HOW", how) + marks + "\n  " + of.end + "\n}\n";
}
void add_scopes(std::vector<question>& to, form const& of, pointer const& at, ordering order, ordering failure,
                bool break_it) {
  auto const orders = order.name + (of.kind == exchange ? std::string{" "} + failure.name : "");
  for (auto const& among : scopes)
    for (bool const one_address_space : {false, true}) {
      auto const& name = one_address_space ? among.one_address_space : among.name;
      to.push_back({{.kind = of.kind,
                     .space = at.space,
                     .order = order.value,
                     .failure = failure.value,
                     .scope = break_it ? among.neighbour : among.value,
                     .one_address_space = one_address_space},
                    function(of, at, (name.empty() ? "" : "syncscope(\"" + name + "\") ") + orders)});
    }
}
std::vector<question> questions(bool break_it) {
  std::vector<question> all;
  for (auto const& of : forms)
    for (auto const& at : pointers) {
      if (of.kind == fence && at.space != cdna::description{}.space) continue;  // a fence has no pointer
      for (auto const& order : orderings)
        for (auto const& failure : orderings)
          if (of.orders.find(order.name) != of.orders.npos && of.failures.find(failure.name) != of.failures.npos)
            add_scopes(all, of, at, order, failure, break_it);
    }
  return all;
}

// ---- LLVM's answers: the machine code after the pass that inserts cache operations and waits ----

enum class role { ignored, memory, wait, cache };
struct spelling {
  std::string_view opcode;  // how it begins
  role is;
  char const* text;
};
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

struct answer {
  std::string text;
  unsigned blocks = 0, operations = 0;
  std::string unknown;  // lines that this program cannot read
};
/// The last operand that is a number: the cache policy, the counters, or (of a DS instruction) the GDS flag.
bool last_number(std::string_view operands, unsigned& number) {
  std::istringstream words{std::string{operands}};
  bool found = false;
  for (std::string word; words >> word;) {
    if (word.ends_with(',')) word.pop_back();
    if (word.find_first_not_of("0123456789") != word.npos) continue;
    number = static_cast<unsigned>(std::stoul(word));
    found = true;
  }
  return found;
}
void read_instruction(answer& to, std::string_view line) {
  auto code = line.substr(0, line.find(" :: "));
  if (auto const equals = code.find(" = "); equals != code.npos) code.remove_prefix(equals + 3);
  code.remove_prefix(code.find_first_not_of(' '));
  auto const known = std::find_if(std::begin(spellings), std::end(spellings),
                                  [=](auto const& of) { return code.starts_with(of.opcode); });
  unsigned number = 0;
  if (known == std::end(spellings) || (known->is != role::ignored && !last_number(code, number))) {
    to.unknown += std::string{line} + '\n';
    return;
  }
  if (known->is == role::ignored) return;
  to.operations += known->is == role::memory;
  to.text += (to.text.empty() ? "" : "\n") + std::string{known->text} +
             (known->is == role::wait ? counters(number) : cache_bits(number));
}
std::map<std::string, answer> read_answers(std::filesystem::path const& file) {
  std::map<std::string, answer> all;
  answer* now = nullptr;
  bool body = false;
  std::ifstream in{file};
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("name: ")) now = &all[line.substr(line.find_last_of(' ') + 1)];
    if (line == "...") body = false;
    if (body && line.starts_with("  bb."))
      ++now->blocks;
    else if (body && line.find_first_not_of(' ') != line.npos && !line.starts_with("    liveins:"))
      read_instruction(*now, line);
    if (line.starts_with("body: ")) body = true;
  }
  return all;
}

// ---- The comparison ----

std::string version_of(std::string const& llc) {
  std::istringstream lines{output_of(quoted(llc) + " --version")};
  for (std::string line; std::getline(lines, line);)
    if (line.find("LLVM version") != line.npos) return line.substr(line.find_first_not_of(' '));
  fail(llc + " does not say its version");
}

struct target {
  std::string processor;
  bool tg_split;
};
target const targets[] = {{"gfx942", false}, {"gfx942", true}, {"gfx950", false}, {"gfx950", true}};

std::map<std::string, answer> compile(std::vector<question> const& all, target const& on, std::string const& llc,
                                      std::filesystem::path const& folder) {
  auto const stem = (folder / on.processor).string() + (on.tg_split ? "_tgsplit" : "");
  std::ofstream out{stem + ".ll"};
  for (std::size_t n = 0; n != all.size(); ++n) out << "define i32 @f" << n << all[n].function;
  out << "!0 = !{}\n";
  out.close();
  if (!out) fail("cannot write " + stem + ".ll");
  output_of(quoted(llc) + " -mtriple=amdgcn-amd-amdhsa -mcpu=" + on.processor + " -mattr=" + (on.tg_split ? "+" : "-") +
            "tgsplit -stop-after=si-memory-legalizer " + quoted(stem + ".ll") + " -o " + quoted(stem + ".mir"));
  return read_answers(stem + ".mir");
}

struct totals {
  unsigned compared = 0, mismatches = 0, left_out = 0, unreadable = 0;
};
void report(unsigned& sum, char const* what, question const& q, target const& on, std::string const& details) {
  if (++sum <= 20)
    std::printf("%s: %s, tg_split %s, function%s%s\n\n", what, on.processor.c_str(), on.tg_split ? "on" : "off",
                q.function.c_str(), details.c_str());
}
void compare(totals& sums, question const& q, target const& on, answer const& llvm) {
  bool const is_fence = q.asked.kind == fence;
  // The library refuses it, because LDS cannot be used under tg_split.
  if (on.tg_split && !is_fence && q.asked.space == cdna::address_space::local) return void(++sums.left_out);
  // Exactly one memory operation in straight code (of a fence: none), or LLVM has expanded it.
  if (llvm.blocks != 1 || !llvm.unknown.empty() || llvm.operations != (is_fence ? 0 : 1))
    return report(sums.unreadable, "HARNESS ERROR", q, on,
                  std::to_string(llvm.blocks) + " blocks, " + std::to_string(llvm.operations) + " memory operations\n" +
                      llvm.text + "\nnot understood:\n" + llvm.unknown);
  ++sums.compared;
  auto const text = cdna::synchronize(q.asked, {.tg_split = on.tg_split}).text();
  std::string const ours{static_cast<std::string_view>(text)};
  if (ours != llvm.text) report(sums.mismatches, "MISMATCH", q, on, "-- LLVM:\n" + llvm.text + "\n-- ours:\n" + ours);
}

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
    auto answers = compile(all, on, words[1], words[2]);
    for (std::size_t n = 0; n != all.size(); ++n) compare(sums, all[n], on, answers["f" + std::to_string(n)]);
  }
  if (sums.unreadable != 0) std::printf("HARNESS ERROR: %u functions could not be read\n", sums.unreadable);
  std::printf("%u combinations compared with %s, %u mismatches, %u left out (local memory under tg_split)\n",
              sums.compared, version.c_str(), sums.mismatches, sums.left_out);
  if (sums.unreadable != 0 || sums.compared <= 3000) return 2;
  return sums.mismatches == 0 ? 0 : 1;
}

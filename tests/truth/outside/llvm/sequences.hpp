// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/amd/synchronization.hpp>

#include "run.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

// For synchronize.cpp: the atomic operations in LLVM's language, and a reader of the machine code after the pass that
// inserts cache operations and waits (si-memory-legalizer).

namespace coalescing_tests {

namespace amd = coalescing::amd;

// ---- The questions ----

struct ordering {
  amd::memory_order value;
  char const* name;
};
inline constexpr ordering orderings[] = {
    {amd::memory_order::unordered, "unordered"}, {amd::memory_order::monotonic, "monotonic"},
    {amd::memory_order::acquire, "acquire"},     {amd::memory_order::release, "release"},
    {amd::memory_order::acq_rel, "acq_rel"},     {amd::memory_order::seq_cst, "seq_cst"},
};

struct pointer {
  amd::address_space space;
  char const* type;
};
inline constexpr pointer pointers[] = {
    {amd::address_space::flat, "ptr"},
    {amd::address_space::global, "ptr addrspace(1)"},
    {amd::address_space::local, "ptr addrspace(3)"},
};

/// PTR: the type of the pointer; HOW: the scope and the orderings.
struct form {
  amd::operation kind;
  char const* instruction;
  char const* end;
  std::string_view orders;
  std::string_view failures = "monotonic";  // the library looks at it only if there is a failure ordering
};
inline constexpr std::string_view modifying = "monotonic acquire release acq_rel seq_cst";
inline constexpr char const* old = "%r = extractvalue {i32, i1} %c, 0\n  ret i32 %r";
inline constexpr form forms[] = {
    {amd::operation::load, "%r = load atomic i32, PTR %p HOW, align 4", "ret i32 %r",
     "unordered monotonic acquire seq_cst"},
    {amd::operation::store, "store atomic i32 %v, PTR %p HOW, align 4", "ret i32 %v",
     "unordered monotonic release seq_cst"},
    {amd::operation::atomic, "%r = atomicrmw add PTR %p, i32 %v HOW, align 4", "ret i32 %v", modifying},
    {amd::operation::atomic, "%r = atomicrmw xchg PTR %p, i32 %v HOW, align 4", "ret i32 %v", modifying},
    {amd::operation::atomic_return, "%r = atomicrmw add PTR %p, i32 %v HOW, align 4", "ret i32 %r", modifying},
    {amd::operation::atomic_return, "%r = atomicrmw xchg PTR %p, i32 %v HOW, align 4", "ret i32 %r", modifying},
    {amd::operation::exchange, "%c = cmpxchg PTR %p, i32 %v, i32 %w HOW, align 4", old, modifying,
     "monotonic acquire seq_cst"},
    {amd::operation::fence, "fence HOW", "ret i32 %v", "acquire release acq_rel seq_cst"},
};
// Without it LLVM expects memory on which the hardware's own atomics fail, and expands some of them into a loop.
inline constexpr char const* in_hardware = ", !amdgpu.no.fine.grained.memory !0, !amdgpu.no.remote.memory !0";

/// A question: the library's description, and a function in LLVM's language, from after its name.
template <class Description>
struct question {
  Description asked;
  std::string function;
};
inline std::string replaced(std::string text, std::string_view what, std::string const& with) {
  if (auto const at = text.find(what); at != text.npos) text.replace(at, what.size(), with);
  return text;
}
inline std::string function(form const& of, pointer const& at, std::string const& how) {
  using enum amd::operation;
  auto const marks = of.kind == load || of.kind == store || of.kind == fence ? "" : in_hardware;
  return replaced("(PTR %p, i32 %v, i32 %w) {\n  ", "PTR", at.type) +
         replaced(replaced(of.instruction, "PTR", at.type), "HOW", how) + marks + "\n  " + of.end + "\n}\n";
}

/// A scope by its names in LLVM's language, over all address spaces and over one; and another, for the control.
template <class Scope>
struct scope {
  Scope value, neighbour;
  std::string name, one_address_space;
};
/// The questions of an operation about all scopes. MARK: what follows its orderings.
template <class Description, std::size_t Count>
void add_scopes(std::vector<question<Description>>& to, scope<decltype(Description::scope)> const (&scopes)[Count],
                form const& of, pointer const& at, ordering order, ordering failure, std::string const& mark,
                bool break_it) {
  auto const orders = order.name + (of.kind == amd::operation::exchange ? std::string{" "} + failure.name : "") + mark;
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

/// The same in all its orderings.
template <class Description, std::size_t Count>
void add_orderings(std::vector<question<Description>>& to, scope<decltype(Description::scope)> const (&scopes)[Count],
                   form const& of, pointer const& at, std::string const& mark, bool break_it) {
  for (auto const& order : orderings)
    for (auto const& failure : orderings)
      if (of.orders.find(order.name) != of.orders.npos && of.failures.find(failure.name) != of.failures.npos)
        add_scopes(to, scopes, of, at, order, failure, mark, break_it);
}

// ---- LLVM's answers ----

enum class role { ignored, memory, wait, cache, bare };  // bare: no operand is a number
struct spelling {
  std::string_view opcode;  // how it begins
  role is;
  char const* text;
};

struct answer {
  std::string text;
  unsigned blocks = 0, operations = 0;
  std::string unknown;  // lines that this program cannot read
};
/// The last operand that is a number: the cache policy, the counters, or (of a DS instruction) the GDS flag.
inline bool last_number(std::string_view operands, unsigned& number) {
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
template <std::size_t Count, class Operand>
void read_instruction(answer& to, std::string_view line, spelling const (&spellings)[Count], Operand const& operand) {
  auto code = line.substr(0, line.find(" :: "));
  if (auto const equals = code.find(" = "); equals != code.npos) code.remove_prefix(equals + 3);
  code.remove_prefix(code.find_first_not_of(' '));
  auto const known = std::find_if(std::begin(spellings), std::end(spellings),
                                  [=](auto const& of) { return code.starts_with(of.opcode); });
  unsigned number = 0;
  bool const has_number = known != std::end(spellings) && known->is != role::ignored && known->is != role::bare;
  if (known == std::end(spellings) || (has_number && !last_number(code, number))) {
    to.unknown += std::string{line} + '\n';
    return;
  }
  if (known->is == role::ignored) return;
  to.operations += known->is == role::memory;
  to.text += (to.text.empty() ? "" : "\n") + std::string{known->text} + (has_number ? operand(*known, number) : "");
}
/// What LLVM 22's machine code says, function by function, each line in the library's spelling.
template <std::size_t Count, class Operand>
std::map<std::string, answer> read_answers(std::filesystem::path const& file, spelling const (&spellings)[Count],
                                           Operand const& operand) {
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
      read_instruction(*now, line, spellings, operand);
    if (line.starts_with("body: ")) body = true;
  }
  return all;
}

inline std::string version_of(std::string const& llc) {
  std::istringstream lines{output_of(quoted(llc) + " --version")};
  for (std::string line; std::getline(lines, line);)
    if (line.find("LLVM version") != line.npos) return line.substr(line.find_first_not_of(' '));
  fail(llc + " does not say its version");
}

/// Compiles all functions at once; END: what their marks refer to. OPTIONS: of the processor.
template <class Description, std::size_t Count, class Operand>
std::map<std::string, answer> compile(std::vector<question<Description>> const& all, std::string const& end,
                                      std::filesystem::path const& stem, std::string const& llc,
                                      std::string const& options, spelling const (&spellings)[Count],
                                      Operand const& operand) {
  std::ofstream out{stem.string() + ".ll"};
  for (std::size_t n = 0; n != all.size(); ++n) out << "define i32 @f" << n << all[n].function;
  out << end;
  out.close();
  if (!out) fail("cannot write " + stem.string() + ".ll");
  output_of(quoted(llc) + " -mtriple=amdgcn-amd-amdhsa " + options + " -stop-after=si-memory-legalizer " +
            quoted(stem.string() + ".ll") + " -o " + quoted(stem.string() + ".mir"));
  return read_answers(stem.string() + ".mir", spellings, operand);
}

struct totals {
  unsigned compared = 0, mismatches = 0, left_out = 0, unreadable = 0;
};
inline void report(unsigned& sum, char const* what, std::string const& where, std::string const& function,
                   std::string const& details) {
  if (++sum <= 20) std::printf("%s: %s, function%s%s\n\n", what, where.c_str(), function.c_str(), details.c_str());
}
/// Exactly one memory operation in straight code (of a fence: none), or LLVM has expanded it.
inline void compare_text(totals& sums, amd::operation kind, std::string const& where, std::string const& function,
                         answer const& llvm, std::string const& ours) {
  if (llvm.blocks != 1 || !llvm.unknown.empty() || llvm.operations != (kind == amd::operation::fence ? 0 : 1))
    return report(sums.unreadable, "HARNESS ERROR", where, function,
                  std::to_string(llvm.blocks) + " blocks, " + std::to_string(llvm.operations) + " memory operations\n" +
                      llvm.text + "\nnot understood:\n" + llvm.unknown);
  ++sums.compared;
  if (ours != llvm.text)
    report(sums.mismatches, "MISMATCH", where, function, "-- LLVM:\n" + llvm.text + "\n-- ours:\n" + ours);
}

}  // namespace coalescing_tests

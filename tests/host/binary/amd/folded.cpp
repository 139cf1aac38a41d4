// SPDX-License-Identifier: BSL-1.0
// Each opcode that computes beside LLVM 22, which folds its operation (operations.hip) on constant operands.
//   folded --calls              prints LLVM IR: a function for each row, with a call for each set of operands
//   folded --operations         prints LLVM IR: a function for each row, with its operands in registers
//   folded TEXT [ASSEMBLY...]   compares the text that `opt` made of the calls with the interpreter of the binary; and
//                               finds the rows whose operation LLVM compiles to their opcode alone, on a target
//   folded --results            prints each row of integers with operands and our result, for guide.py
//   folded TEXT --break         compares results on other operands, and must find mismatches
#include <coalesce/host/binary/amd/arithmetic.hpp>
#include <coalesce/host/binary/amd/targets.hpp>

#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "folded_rows.hpp"

namespace amdgcn = coalescing::amdgcn;
using coalescing::binary::exact;
using coalescing::binary::value;
using folding::not_folded;
using folding::row;
using folding::rows;

namespace {

constexpr unsigned sets = 192;

/// Where the sources of a row are: registers in the order of the parameters.
struct source {
  unsigned first = 0, bits = 32;
  bool is_vector = false, is_mask = false, is_constant = false, is_scc = false, is_exec = false;
};
struct parsed {
  amdgcn::instruction code;
  amdgcn::decoded means;
  std::vector<source> sources;
  unsigned results = 1;  ///< operands that are results
  unsigned bits = 32;    ///< of the result
};
std::string with_constant(std::string text, std::uint64_t constant) {
  if (auto const at = text.find('%'); at != text.npos) text.replace(at, 1, std::to_string(constant));
  return text;
}
parsed parse(row const& from) {
  parsed to;
  to.code = amdgcn::read_instruction(with_constant(from.text, 0), 1);
  to.means = amdgcn::decode(to.code.opcode);
  auto const& all = to.code.operands;
  bool const is_vector = from.text[0] == 'v';
  if (!is_vector && from.is('x')) to.results = 0;
  if (is_vector && all.size() > 1 && all[1].kind == amdgcn::operand_kind::scalar && !from.is('x')) to.results = 2;
  if (to.results != 0) to.bits = from.is('x') ? 32 : 32 * all[0].registers;
  auto const add = [&](amdgcn::operand const& each) {
    source one{.first = each.first, .bits = 32 * each.registers};
    one.is_vector = each.kind == amdgcn::operand_kind::vector;
    one.is_constant = each.kind == amdgcn::operand_kind::constant;
    one.is_mask = is_vector && each.kind == amdgcn::operand_kind::scalar;
    if (one.is_mask || one.is_constant) one.bits = 32;
    to.sources.push_back(one);
  };
  if (from.is('e')) to.sources.push_back({.first = amdgcn::exec_register, .bits = to.bits, .is_exec = true});
  if (from.is('t')) add(all[0]);
  for (std::size_t k = to.results; k < all.size(); ++k) add(all[k]);
  if (from.is('l')) to.sources.push_back({.first = amdgcn::vcc_register, .is_mask = true});
  if (from.is('c')) to.sources.push_back({.is_scc = true});
  return to;
}

/// The operands of a row: the sets begin with edges, and go on with random numbers of random length.
std::vector<std::vector<std::uint64_t>> operands_of(row const& from, parsed const& like, unsigned seed) {
  static constexpr std::uint64_t edges[] = {
      0, 1, 31, 32, 63, 0x7fffffff, 0x80000000, 0xffffffff, 0x8000, 0xffff, ~std::uint64_t{0}, std::uint64_t{1} << 63};
  static constexpr float floats[] = {0.0f,          -0.0f,         1.0f,           -1.0f, 0.5f,
                                     4294967296.0f, 2147483648.0f, -2147483648.0f, 1e30f};
  std::mt19937_64 random(seed);
  std::vector<std::vector<std::uint64_t>> all;
  for (unsigned k = 0; k != sets; ++k) {
    std::vector<std::uint64_t> one;
    for (source const& each : like.sources) {
      std::uint64_t number = random() % 3 == 0 ? edges[random() % 12] : random() >> random() % 64;
      if (random() % 8 == 0) number = ~number;
      if (from.is('f') || from.is('g')) {
        float x = random() % 4 == 0 ? floats[random() % 9]
                                    : static_cast<float>(static_cast<std::int64_t>(random()) >> random() % 60) / 64;
        if (from.is('g') && random() % 16 == 0) x = std::numeric_limits<float>::quiet_NaN();
        number = std::bit_cast<std::uint32_t>(x);
      }
      if (one.size() == 1 && each.bits == like.sources[0].bits && random() % 16 == 0) number = one[0];
      if (std::strncmp(from.text, "s_bfe_", 6) == 0 && &each == &like.sources[1])
        number &= ~(like.bits == 64 ? 0x400000u : 0x600000u);
      if (each.is_mask || each.is_scc) number &= 1;
      if (each.is_constant) number &= 0xffff;
      if (each.bits == 32) number &= 0xffffffff;
      one.push_back(number);
    }
    all.push_back(one);
  }
  return all;
}

// ---- LLVM's side ----

void print_calls() {
  for (unsigned r = 0; r != std::size(rows); ++r) {
    parsed const like = parse(rows[r]);
    auto const all = operands_of(rows[r], like, r);
    bool const wide = like.bits == 64 || rows[r].is('b');
    std::printf("define void @calls.%u(ptr %%to) alwaysinline {\n", r);
    for (unsigned k = 0; k != all.size(); ++k) {
      std::printf("  %%r%u = call i%d @%s(", k, wide ? 64 : 32, rows[r].operation);
      for (std::size_t s = 0; s != like.sources.size(); ++s)
        std::printf("%si%u %lld", s == 0 ? "" : ", ", like.sources[s].bits,
                    like.sources[s].bits == 64 ? static_cast<long long>(all[k][s])
                                               : static_cast<long long>(static_cast<std::int32_t>(all[k][s])));
      std::printf(")\n  store volatile i%d %%r%u, ptr %%to\n", wide ? 64 : 32, k);
    }
    std::printf("  ret void\n}\n");
  }
}
/// The numbers that are stored in each function @calls.N; a store of anything else is not folded.
struct folded {
  std::vector<std::uint64_t> numbers;
  unsigned left = 0;
};
std::map<unsigned, folded> read_folded(char const* path) {
  std::map<unsigned, folded> all;
  std::ifstream from(path);
  folded* now = nullptr;
  for (std::string line; std::getline(from, line);) {
    if (auto const at = line.find("@calls."); line.rfind("define", 0) == 0)
      now = at == line.npos ? nullptr : &all[static_cast<unsigned>(std::stoul(line.substr(at + 7)))];
    auto const at = line.find("store volatile i");
    if (now == nullptr || at == line.npos) continue;
    std::string const number = line.substr(at + 19);
    if (number[0] == '%') ++now->left;
    now->numbers.push_back(number[0] == '%' ? 0 : static_cast<std::uint64_t>(std::stoll(number)));
  }
  return all;
}

void print_operations() {
  for (unsigned r = 0; r != std::size(rows); ++r) {
    parsed const like = parse(rows[r]);
    bool const is_vector = rows[r].text[0] == 'v', wide = like.bits == 64 || rows[r].is('b');
    char const* const type = wide ? "i64" : "i32";
    // Shaders return integers in scalar registers, and floating-point numbers in vector registers.
    char const* const returned = !is_vector ? type : wide ? "<2 x float>" : "float";
    std::printf("define amdgpu_ps %s @row.%u(", returned, r);
    std::string arguments;
    for (std::size_t s = 0; s != like.sources.size(); ++s) {
      std::string const bits = "i" + std::to_string(like.sources[s].bits), name = " %a" + std::to_string(s);
      arguments.append(s == 0 ? "" : ", ").append(bits).append(name);
      std::printf("%s%s%s%s", s == 0 ? "" : ", ", bits.c_str(), is_vector ? "" : " inreg", name.c_str());
    }
    std::printf(") {\n  %%r = call %s @%s(%s)\n", type, rows[r].operation, arguments.c_str());
    if (is_vector) std::printf("  %%f = bitcast %s %%r to %s\n", type, returned);
    std::printf("  ret %s %s\n}\n", returned, is_vector ? "%f" : "%r");
  }
}
/// The rows whose function in a compiler's assembly is their opcode alone.
void find_selected(char const* path, std::set<unsigned>& selected) {
  std::ifstream from(path);
  std::map<unsigned, std::vector<std::string>> code;
  std::vector<std::string>* now = nullptr;
  for (std::string line; std::getline(from, line);) {
    if (line.rfind("row.", 0) == 0) now = &code[static_cast<unsigned>(std::stoul(line.substr(4)))];
    if (line.rfind(".Lfunc_end", 0) == 0) now = nullptr;
    if (now == nullptr || line.size() < 3 || line[0] != '\t' || line[1] < 'a' || line[1] > 'z') continue;
    std::string const opcode = amdgcn::read_instruction(amdgcn::trimmed(line), 1).opcode;
    if (amdgcn::decode(opcode).does != amdgcn::action::nothing) now->push_back(opcode);
  }
  for (auto const& [r, opcodes] : code) {
    amdgcn::decoded const ours = parse(rows[r]).means;
    if (opcodes.size() != 1 || ours.row == nullptr) continue;
    amdgcn::decoded const found = amdgcn::decode(opcodes[0]);
    if (found.row == ours.row && found.does == ours.does) selected.insert(r);
  }
}

// ---- Our side ----

void execute(amdgcn::wave& w, amdgcn::instruction const& i, amdgcn::decoded const& means, amdgcn::target const& on) {
  using amdgcn::action;
  if (means.does == action::scalar) return amdgcn::run_scalar(w, i, *means.row, on, 1);
  if (means.does == action::saving) return amdgcn::run_saving(w, i, *means.row, 1);
  if (means.does == action::vector) return amdgcn::run_vector(w, i, *means.row, on, 1);
  if (means.does == action::packed) return amdgcn::run_packed(w, i, *means.row, 1);
  if (means.does == action::comparison) return amdgcn::run_comparison(w, i, means.compares, on, 1);
  throw coalescing::binary_refused("the row's opcode does not compute: " + i.printed);
}
/// Results of an instruction on its sets of operands, with the bit above them where the row says so. A vector
/// instruction has a set in each lane.
struct made {
  std::uint64_t result = 0;
  bool is_known = false, scc = false;
};
std::vector<made> results_of(row const& from, parsed const& like, std::vector<std::vector<std::uint64_t>> const& all) {
  amdgcn::target const& on = amdgcn::target_of("gfx942");
  bool const is_vector = from.text[0] == 'v';
  unsigned const step = is_vector ? 64 : 1;
  std::vector<made> to;
  for (unsigned first = 0; first != all.size(); first += step) {
    amdgcn::wave w(64, 0);
    w.set_exec(exact(~std::uint64_t{0}));
    w.scc = exact(0);
    std::map<unsigned, std::uint64_t> masks;
    amdgcn::instruction code = like.code;
    for (unsigned lane = 0; lane != step; ++lane)
      for (std::size_t s = 0; s != like.sources.size(); ++s) {
        source const& each = like.sources[s];
        std::uint64_t const number = all[first + lane][s];
        if (each.is_constant) {
          code = amdgcn::read_instruction(with_constant(from.text, number), 1);
        } else if (each.is_scc) {
          w.scc = exact(number);
        } else if (each.is_mask) {
          masks[each.first] |= number << lane;
        } else if (each.is_vector) {
          w.set_lane(each.first, lane, exact(number & 0xffffffff));
          if (each.bits == 64) w.set_lane(each.first + 1, lane, exact(number >> 32));
        } else {
          w.set_scalar(each.first, each.bits, exact(number));
        }
      }
    for (auto const& [at, bits] : masks) w.set_scalar(at, 64, exact(bits));
    execute(w, code, like.means, on);
    for (unsigned lane = 0; lane != step; ++lane) {
      value found = exact(0), bit = exact(0);
      if (from.is('e'))
        found = w.exec();
      else if (from.is('x'))
        found = is_vector ? bit_of(w.scalar(code.operands[0].first, 64), lane) : low(w.scc, 1);
      else
        found =
            is_vector ? w.lane(code.operands[0].first, lane, like.bits) : w.scalar(code.operands[0].first, like.bits);
      // operations.cpp has tests of the register's upper half after a result of 16 bits.
      if (like.means.does == amdgcn::action::vector && like.means.row->operands[0] == 'h') found = low(found, 16);
      if (from.is('b')) {
        bit = is_vector ? bit_of(w.scalar(code.operands[1].first, 64), lane) : low(w.scc, 1);
        found = found | bit << 32;
      }
      bool const known = found.is_known() && (!from.is('z') || w.scc.is_known(1));
      to.push_back({found.bits, known, (w.scc.bits & 1) != 0});
    }
  }
  return to;
}

bool is_same(row const& from, std::uint64_t a, std::uint64_t b) {
  auto const is_nan = [](std::uint64_t x) { return (x & 0x7fffffff) > 0x7f800000; };
  return a == b || ((from.is('f') || from.is('i')) && is_nan(a) && is_nan(b));
}

/// Whether the mode or the hardware may decide what a result of floating-point numbers is: one of them is denormal, or
/// the result is not a number.
bool is_left_to_the_mode(row const& from, std::vector<std::uint64_t> const& operands, std::uint64_t expected) {
  auto const is = [](std::uint64_t x, bool with_nan) {
    auto const exponent = x >> 23 & 255, fraction = x & 0x7fffff;
    return (exponent == 0 && fraction != 0) || (with_nan && exponent == 255 && fraction != 0);
  };
  bool found = from.is('f') && is(expected, true);
  for (std::uint64_t const each : operands) found = found || ((from.is('f') || from.is('g')) && is(each, from.is('f')));
  return found;
}

int compare(char const* path, bool is_broken, std::set<unsigned> const& selected) {
  auto const all = read_folded(path);
  std::set<std::string_view> checked;
  unsigned long compared = 0, mismatches = 0;
  for (unsigned r = 0; r != std::size(rows); ++r) {
    row const& each = rows[r];
    parsed const like = parse(each);
    auto const operands = operands_of(each, like, is_broken ? r + 1000 : r);
    auto const found = results_of(each, like, operands);
    auto const llvm = all.find(r);
    if (llvm == all.end() || llvm->second.numbers.size() != operands.size()) {
      std::printf("%s: LLVM's text lacks it\n", each.text), ++mismatches;
      continue;
    }
    if (llvm->second.left != 0)
      std::printf("%s: LLVM does not fold %u of %u\n", each.text, llvm->second.left, sets), ++mismatches;
    unsigned long wrong = 0;
    for (unsigned k = 0; k != operands.size(); ++k) {
      std::uint64_t expected = llvm->second.numbers[k];
      if (like.bits == 32 && !each.is('b')) expected &= 0xffffffff;
      bool const scc = !each.is('z') || found[k].scc == (expected != 0);
      if (is_same(each, found[k].result, expected) && found[k].is_known && scc) continue;
      if (!found[k].is_known && is_left_to_the_mode(each, operands[k], expected)) continue;
      if (wrong++ < (is_broken ? 0u : 3u)) {
        std::printf("%s:", each.text);
        for (std::uint64_t const operand : operands[k])
          std::printf(" 0x%llx", static_cast<unsigned long long>(operand));
        std::printf(" is 0x%llx%s%s; LLVM folds 0x%llx\n", static_cast<unsigned long long>(found[k].result),
                    found[k].is_known ? "" : " (unknown)", scc ? "" : " (SCC differs)",
                    static_cast<unsigned long long>(expected));
      }
    }
    compared += operands.size(), mismatches += wrong;
    checked.insert(like.means.row != nullptr ? like.means.row->name : std::string_view(each.text).substr(0, 5));
  }
  unsigned opcodes = 0, without = 0;
  auto const look_up = [&](std::string_view name) {
    ++opcodes;
    bool is_left = false;
    for (folding::left_out const& each : not_folded) is_left = is_left || name == each.name;
    without += is_left;
    if (is_left == (checked.count(name) != 0))
      std::printf("%.*s: %s\n", static_cast<int>(name.size()), name.data(),
                  is_left ? "it is checked, and said not to be" : "it is not checked"),
          ++mismatches;
  };
  for (auto const& each : amdgcn::vector_opcodes) look_up(each.name);
  for (auto const& each : amdgcn::scalar_opcodes) look_up(each.name);
  for (auto const& each : amdgcn::saving_opcodes) look_up(each.name);
  std::set<std::string_view> grounded;
  for (unsigned const r : selected) grounded.insert(parse(rows[r]).means.row->name);
  std::printf(
      "folded by LLVM: %zu instructions, %u of %u opcodes of the tables, %zu of which LLVM selects for the operation; "
      "compared %lu results, %lu mismatches\n",
      std::size(rows), opcodes - without, opcodes, grounded.size(), compared, mismatches);
  return mismatches == 0 ? 0 : 1;
}

/// A line for each set: the row, how it is asked, the operands, our result, SCC.
void print_results() {
  for (unsigned r = 0; r != std::size(rows); ++r) {
    if (rows[r].is('f') || rows[r].is('g') || rows[r].is('i')) continue;
    parsed const like = parse(rows[r]);
    auto const operands = operands_of(rows[r], like, r);
    auto const found = results_of(rows[r], like, operands);
    for (unsigned k = 0; k < operands.size(); k += 2) {
      std::printf("%s|%s|", rows[r].text, rows[r].how);
      for (std::uint64_t const each : operands[k]) std::printf("%llx ", static_cast<unsigned long long>(each));
      std::printf("|%llx|%d\n", static_cast<unsigned long long>(found[k].result), found[k].scc ? 1 : 0);
    }
  }
}

}  // namespace

int main(int count, char** given) try {
  if (count < 2) return 2;
  if (std::strcmp(given[1], "--calls") == 0) return print_calls(), 0;
  if (std::strcmp(given[1], "--results") == 0) return print_results(), 0;
  if (std::strcmp(given[1], "--operations") == 0) return print_operations(), 0;
  bool const is_broken = count > 2 && std::strcmp(given[2], "--break") == 0;
  std::set<unsigned> selected;
  for (int k = 2; k < count && !is_broken; ++k) find_selected(given[k], selected);
  return compare(given[1], is_broken, selected);
} catch (std::exception const& refused) {
  std::printf("refused: %s\n", refused.what());
  return 1;
}

// SPDX-License-Identifier: BSL-1.0
//
// rdna::bits and the cache operations against LLVM 22: in the encodings of global, buffer and scalar instructions, as
// text, and as the operand of the buffer intrinsics; a word of each instruction is given to the disassembler, with all
// values of the bits.
//   rdna_bits PATH_OF_LLVM_MC WORK_FOLDER [--break]
// --break sets a bit too many, as a control. Exit status: 0 all equal, 1 mismatches, 2 it went wrong.
#include <coalesce/rdna.hpp>

#include "run.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

namespace rdna = coalescing::rdna;
using namespace coalescing_tests;
using rdna::access_kind;
using in = rdna::instruction_format;

namespace {

/// The first 64 bits of an instruction without cache bits, as llvm-mc-22 gives them; what follows; how its text begins.
struct base {
  char const* name;
  std::uint64_t first;
  unsigned third;  // 0: the instruction has two dwords, unless is_long
  bool is_long;
  in format;
  access_kind of;
};
constexpr base gfx10[] = {
    {"global_load_dword", 0x017d0002dc308000, 0, false, in::global, access_kind::load},
    {"buffer_load_dword", 0x03020100e0300000, 0, false, in::buffer, access_kind::load},
    {"s_load_dword", 0xfa000000f4000041, 0, false, in::scalar, access_kind::load},
};
constexpr base gfx11[] = {
    {"global_load_b32", 0x017c0002dc520000, 0, false, in::global, access_kind::load},
    {"buffer_load_b32", 0x03020100e0500000, 0, false, in::buffer, access_kind::load},
    {"s_load_b32", 0xf8000000f4000041, 0, false, in::scalar, access_kind::load},
};
constexpr base gfx12[] = {
    {"global_load_b32", 0x00000001ee05007c, 2, true, in::global, access_kind::load},
    {"global_store_b32", 0x00800000ee06807c, 2, true, in::global, access_kind::store},
    {"global_atomic_add_u32", 0x00800004ee0d407c, 2, true, in::global, access_kind::atomic},
    {"buffer_load_b32", 0x00801001c4050003, 0, true, in::buffer, access_kind::load},
    {"s_load_b32", 0xf8000000f4000041, 0, false, in::scalar, access_kind::load},
};

struct asked {
  std::string words, text;
};
std::string bytes(std::uint64_t first, unsigned third, bool is_long) {
  std::string all;
  char byte[8];
  for (unsigned n = 0; n != (is_long ? 12 : 8); ++n) {
    std::snprintf(byte, sizeof byte, "0x%02x,",
                  static_cast<unsigned>(n < 8 ? first >> 8 * n : third >> 8 * (n - 8)) & 0xff);
    all += byte;
  }
  return all;
}

template <class Chip, std::size_t Count>
void ask_bits(std::vector<asked>& all, base const (&bases)[Count], bool break_it) {
  using bits = rdna::bits<Chip>;
  constexpr bool scoped = requires(bits one) { one.scope; };
  for (auto const& one : bases)
    for (unsigned aux = 0; aux != (scoped ? 32 : 8); ++aux) {
      auto const said = bits::from_aux(aux);
      if (said.aux() != aux) fail("an aux operand does not come back");
      if constexpr (scoped) {
        if (one.format == in::scalar && said.th > 3) continue;      // no such encoding
        if (one.of == access_kind::load && said.th == 7) continue;  // reserved
        if (one.of == access_kind::atomic && said.th >= 4 && (said.th % 2 == 1 || said.scope < rdna::cache_scope::dev))
          continue;  // no such atomic
      } else {
        if (one.format == in::scalar && said.slc) continue;
      }
      std::uint64_t const first = one.first | said.encoding(one.format);
      if (bits::decode(first, one.format) != said) fail("bits do not come back from the encoding");
      auto const text = said.text(one.of);
      all.push_back(
          {bytes(break_it ? one.first | bits::from_aux(aux | 1).encoding(one.format) : first, one.third, one.is_long),
           std::string{one.name} + (text.empty() ? " ..." : " ... ") + text.c_str()});
    }
}
template <class Chip>
void ask_maintenance(std::vector<asked>& all) {
  if constexpr (requires(rdna::bits<Chip> one) { one.scope; }) {
    char const* const names[] = {"global_inv", "global_wb", "global_wbinv"};
    char const* const scopes[] = {"", " scope:SCOPE_SE", " scope:SCOPE_DEV", " scope:SCOPE_SYS"};
    for (unsigned of = 0; of != 3; ++of)
      for (unsigned scope = 0; scope != 4; ++scope)
        all.push_back(
            {bytes(rdna::encoding_of<Chip>(static_cast<rdna::maintenance>(of), static_cast<rdna::cache_scope>(scope)),
                   0, true),
             std::string{names[of]} + " ..." + scopes[scope]});
  } else {
    all.push_back({bytes(rdna::encoding_of<Chip>(rdna::invalidation::gl0), 0, false), "buffer_gl0_inv ..."});
    all.push_back({bytes(rdna::encoding_of<Chip>(rdna::invalidation::gl1), 0, false), "buffer_gl1_inv ..."});
  }
}

/// The name and the cache bits of a line of assembly: "global_load_b32 ... th:TH_LOAD_NT".
std::string name_and_bits(std::string const& line) {
  std::istringstream words{line};
  std::string name, text;
  words >> name;
  for (std::string word; words >> word;)
    if (word == "glc" || word == "slc" || word == "dlc" || word.starts_with("th:") || word.starts_with("scope:"))
      text += ' ' + word;
  return name + " ..." + text;
}

template <class Chip, std::size_t Count>
void compare(std::size_t& compared, std::size_t& mismatches, std::string const& processor, base const (&bases)[Count],
             std::vector<std::string> const& arguments) {
  std::vector<asked> all;
  ask_bits<Chip>(all, bases, arguments.size() == 4);
  ask_maintenance<Chip>(all);
  auto const file = arguments[2] + "/" + processor + ".txt";
  std::ofstream out{file};
  for (auto const& one : all) out << one.words << '\n';
  out.close();
  if (!out) fail("cannot write " + file);
  std::istringstream said{output_of(quoted(arguments[1]) + " -triple=amdgcn-amd-amdhsa -mcpu=" + processor +
                                    " -disassemble " + quoted(file))};
  std::size_t n = 0;
  for (std::string line; std::getline(said, line);) {
    auto const text = name_and_bits(line);
    if (text.starts_with(" ...") || text.starts_with(".")) continue;  // no instruction
    if (n == all.size()) fail("more lines than asked for: " + line);
    if (text != all[n].text) {
      if (++mismatches <= 20) std::printf("%s: %s, we say %s\n", processor.c_str(), text.c_str(), all[n].text.c_str());
    }
    ++n, ++compared;
  }
  if (n != all.size()) fail("fewer lines than asked for");
}

}  // namespace

int main(int count, char** arguments) {
  std::vector<std::string> const words(arguments, arguments + count);
  if (count != 3 && !(count == 4 && words[3] == "--break"))
    fail("usage: rdna_bits PATH_OF_LLVM_MC WORK_FOLDER [--break]");
  std::filesystem::create_directories(words[2]);
  std::size_t compared = 0, mismatches = 0;
  rdna::every_machine::each([&]<class Chip>() {
    if constexpr (requires { Chip::row::wave64; }) {  // LLVM 22 does not know the others
      using generation = typename rdna::generation_of<Chip>::type;
      if constexpr (std::is_same_v<generation, rdna::gfx10>)
        compare<Chip>(compared, mismatches, Chip::name, gfx10, words);
      else if constexpr (std::is_same_v<generation, rdna::gfx11>)
        compare<Chip>(compared, mismatches, Chip::name, gfx11, words);
      else
        compare<Chip>(compared, mismatches, Chip::name, gfx12, words);
    }
  });
  std::printf("%zu encodings compared, %zu mismatches\n", compared, mismatches);
  return mismatches == 0 ? 0 : 1;
}

// SPDX-License-Identifier: BSL-1.0
#include <coalesce/rdna/issued.hpp>

#include "machinery/check.hpp"
#include "truth/oracle/random_access.hpp"
#include "truth/oracle/refused.hpp"

#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace co = coalescing;
namespace rdna = co::rdna;
using rdna::gfx10, rdna::gfx11, rdna::gfx12, rdna::gfx1250;
using rdna::issued, rdna::issued_operations, rdna::waitcnt;

// ---- The instructions. Every value is compared with LLVM 22 by tests/truth/outside/llvm/rdna_waitcnt.cpp ----

TEST_CASE("RDNA: immediates of s_waitcnt that llvm-mc gives") {
  COALESCE_CHECK(waitcnt<gfx10>{}.simm16() == 0xff7f);
  COALESCE_CHECK(waitcnt<gfx10>{.vmcnt = 0}.simm16() == 0x3f70);
  COALESCE_CHECK(waitcnt<gfx10>{.lgkmcnt = 0}.simm16() == 0xc07f);
  COALESCE_CHECK(waitcnt<gfx10>{.vmcnt = 0, .lgkmcnt = 0}.simm16() == 0x0070);
  COALESCE_CHECK(waitcnt<gfx11>{}.simm16() == 0xfff7);
  COALESCE_CHECK(waitcnt<gfx11>{.vmcnt = 0}.simm16() == 0x03f7);
  COALESCE_CHECK(waitcnt<gfx11>{.lgkmcnt = 0}.simm16() == 0xfc07);
  COALESCE_CHECK(waitcnt<gfx11>{.vmcnt = 0, .lgkmcnt = 0}.simm16() == 0x0007);
}
TEST_CASE("RDNA: words that llvm-mc gives") {
  COALESCE_CHECK(waitcnt<gfx10>{.vmcnt = 0}.encoding()[0] == 0xbf8c'3f70);
  COALESCE_CHECK(waitcnt<gfx11>{.vmcnt = 0}.encoding()[0] == 0xbf89'03f7);
  COALESCE_CHECK(waitcnt<gfx10>{.vscnt = 0}.encoding()[0] == 0xbbfd'0000);
  COALESCE_CHECK(waitcnt<gfx11>{.vscnt = 62}.encoding()[0] == 0xbc7c'003e);
  COALESCE_CHECK(waitcnt<gfx12>{.storecnt = 5}.encoding()[0] == 0xbfc1'0005);
  COALESCE_CHECK(waitcnt<gfx12>{.kmcnt = 30}.encoding()[0] == 0xbfc7'001e);
  COALESCE_CHECK(waitcnt<gfx1250>{.xcnt = 0}.encoding()[0] == 0xbfc5'0000);
  COALESCE_CHECK(waitcnt<gfx1250>{.asynccnt = 0}.encoding()[0] == 0xbfca'0000);
  COALESCE_CHECK(waitcnt<gfx1250>{.tensorcnt = 0}.encoding()[0] == 0xbfcb'0000);
}
TEST_CASE("RDNA: a text names what is waited for, a line an instruction, and the words are in its order") {
  COALESCE_CHECK(waitcnt<gfx10>{.vmcnt = 62, .expcnt = 3, .lgkmcnt = 0, .vscnt = 1}.text() ==
                 "s_waitcnt vmcnt(62) expcnt(3) lgkmcnt(0)\ns_waitcnt_vscnt null, 0x1");
  constexpr auto all =
      waitcnt<gfx12>{.loadcnt = 62, .storecnt = 1, .samplecnt = 2, .bvhcnt = 3, .expcnt = 4, .dscnt = 5, .kmcnt = 16};
  COALESCE_CHECK(all.text() ==
                 "s_wait_loadcnt 0x3e\ns_wait_storecnt 0x1\ns_wait_samplecnt 0x2\ns_wait_bvhcnt 0x3\n"
                 "s_wait_expcnt 0x4\ns_wait_dscnt 0x5\ns_wait_kmcnt 0x10");
  COALESCE_CHECK(all.encoding().size() == 7);
  COALESCE_CHECK(all.encoding()[6] == 0xbfc7'0010);
  COALESCE_CHECK(waitcnt<gfx1250>{.asynccnt = 0, .tensorcnt = 0}.text() == "s_wait_asynccnt 0x0\ns_wait_tensorcnt 0x0");
  COALESCE_CHECK(waitcnt<gfx12>{}.text() == "");
  COALESCE_CHECK(waitcnt<gfx10>{}.encoding().empty());
}
TEST_CASE("RDNA: a chip waits as its generation does") {
  static_assert(std::is_same_v<waitcnt<rdna::gfx1030>, waitcnt<gfx10>>);
  static_assert(std::is_same_v<waitcnt<rdna::gfx1151>, waitcnt<gfx11>>);
  static_assert(std::is_same_v<waitcnt<rdna::gfx1201>, waitcnt<gfx12>>);
  static_assert(std::is_same_v<waitcnt<rdna::gfx1251>, waitcnt<gfx1250>>);
}
TEST_CASE("RDNA: words that the library reads and does not write") {
  COALESCE_CHECK(waitcnt<gfx10>::decode(0xbc7d'0005) == waitcnt<gfx10>{.vmcnt = 5});
  COALESCE_CHECK(waitcnt<gfx11>::decode(0xbcfc'0005) == waitcnt<gfx11>{.vmcnt = 5});
  COALESCE_CHECK(waitcnt<gfx12>::decode(0xbfc8'0304) == waitcnt<gfx12>{.loadcnt = 3, .dscnt = 4});
  COALESCE_CHECK(waitcnt<gfx1250>::decode(0xbfc9'0304) == waitcnt<gfx1250>{.storecnt = 3, .dscnt = 4});
}
namespace {
/// Every value of s_waitcnt has an immediate of its own, within the bits of the generation, and is read back.
template <class Generation>
void check_immediates(unsigned bits, std::uint32_t opcode) {
  std::set<unsigned> seen;
  for (unsigned value = 0; value != 64 * 8 * 64; ++value) {
    waitcnt<Generation> const one{.vmcnt = value % 64, .expcnt = value / 64 % 8, .lgkmcnt = value / 512};
    auto const code = one.simm16();
    bool const good =
        (code & ~bits) == 0 && seen.insert(code).second && waitcnt<Generation>::decode(opcode | code) == one;
    if (!good) CHECK(good);
  }
  CHECK(seen.size() == 32768);
}
}  // namespace
TEST_CASE("RDNA: every s_waitcnt has an immediate of its own and comes back") {
  check_immediates<gfx10>(0xff7f, 0xbf8c'0000);
  check_immediates<gfx11>(0xfff7, 0xbf89'0000);
}

// ---- Every counter by itself ----

namespace {

/// A counter, its largest value, and the word that waits for it to be 0 (llvm-mc 22). Six bits, expcnt three (ISA3,
/// ISA4 5.7.1), bvhcnt three and kmcnt five (ISA4 5.7.1), xcnt six (LLVM).
template <class Generation>
struct counter_row {
  char const* name;
  unsigned waitcnt<Generation>::*value;
  unsigned most;
  std::uint32_t word;
};
constexpr counter_row<gfx10> of_gfx10[] = {
    {"vscnt", &waitcnt<gfx10>::vscnt, 63, 0xbbfd'0000},
    {"vmcnt", &waitcnt<gfx10>::vmcnt, 63, 0xbc7d'0000},
    {"expcnt", &waitcnt<gfx10>::expcnt, 7, 0xbcfd'0000},
    {"lgkmcnt", &waitcnt<gfx10>::lgkmcnt, 63, 0xbd7d'0000},
};
constexpr counter_row<gfx11> of_gfx11[] = {
    {"vscnt", &waitcnt<gfx11>::vscnt, 63, 0xbc7c'0000},
    {"vmcnt", &waitcnt<gfx11>::vmcnt, 63, 0xbcfc'0000},
    {"expcnt", &waitcnt<gfx11>::expcnt, 7, 0xbd7c'0000},
    {"lgkmcnt", &waitcnt<gfx11>::lgkmcnt, 63, 0xbdfc'0000},
};
constexpr counter_row<gfx12> of_gfx12[] = {
    {"loadcnt", &waitcnt<gfx12>::loadcnt, 63, 0xbfc0'0000},
    {"storecnt", &waitcnt<gfx12>::storecnt, 63, 0xbfc1'0000},
    {"samplecnt", &waitcnt<gfx12>::samplecnt, 63, 0xbfc2'0000},
    {"bvhcnt", &waitcnt<gfx12>::bvhcnt, 7, 0xbfc3'0000},
    {"expcnt", &waitcnt<gfx12>::expcnt, 7, 0xbfc4'0000},
    {"dscnt", &waitcnt<gfx12>::dscnt, 63, 0xbfc6'0000},
    {"kmcnt", &waitcnt<gfx12>::kmcnt, 31, 0xbfc7'0000},
};
/// Counters have six bits, kmcnt five (AMD's guide of CDNA 5, 3.1).
constexpr counter_row<gfx1250> of_gfx1250[] = {
    {"loadcnt", &waitcnt<gfx1250>::loadcnt, 63, 0xbfc0'0000},
    {"storecnt", &waitcnt<gfx1250>::storecnt, 63, 0xbfc1'0000},
    {"dscnt", &waitcnt<gfx1250>::dscnt, 63, 0xbfc6'0000},
    {"kmcnt", &waitcnt<gfx1250>::kmcnt, 31, 0xbfc7'0000},
    {"xcnt", &waitcnt<gfx1250>::xcnt, 63, 0xbfc5'0000},
    {"asynccnt", &waitcnt<gfx1250>::asynccnt, 63, 0xbfca'0000},
    {"tensorcnt", &waitcnt<gfx1250>::tensorcnt, 63, 0xbfcb'0000},
};

std::string hexadecimal(unsigned value) {
  std::ostringstream out;
  out << "0x" << std::hex << value;
  return out.str();
}
/// The wait for one counter of a generation: its assembly and its word.
template <class Generation>
std::string line_of(counter_row<Generation> const& row, unsigned value) {
  if constexpr (std::is_same_v<Generation, gfx10> || std::is_same_v<Generation, gfx11>)
    return row.value == &waitcnt<Generation>::vscnt
               ? "s_waitcnt_vscnt null, " + hexadecimal(value)
               : std::string("s_waitcnt ") + row.name + '(' + std::to_string(value) + ')';
  else
    return std::string("s_wait_") + row.name + ' ' + hexadecimal(value);
}
template <class Generation, std::size_t Count>
void check_values(counter_row<Generation> const (&rows)[Count]) {
  for (auto const& row : rows) {
    INFO(row.name);
    CHECK(waitcnt<Generation>{}.*row.value == row.most);  // the largest, and the default, waits for nothing
    CHECK(waitcnt<Generation>::decode(row.word | row.most) == waitcnt<Generation>{});
    for (unsigned value = 0; value != row.most; ++value) {
      waitcnt<Generation> one;
      one.*row.value = value;
      CHECK(one.text() == line_of(row, value));
      CHECK(one.encoding().size() == 1);
      CHECK(waitcnt<Generation>::decode(one.encoding()[0]) == one);
      CHECK(waitcnt<Generation>::decode(row.word | value) == one);
    }
  }
}

}  // namespace

TEST_CASE("RDNA: every value of every counter, as text, as a word and back") {
  check_values(of_gfx10), check_values(of_gfx11), check_values(of_gfx12), check_values(of_gfx1250);
  for (auto const& row : of_gfx12) {  // one word each: the counter's own
    waitcnt<gfx12> one;
    one.*row.value = 5;
    CHECK(one.encoding()[0] == (row.word | 5));
  }
  for (auto const& row : of_gfx1250) {
    waitcnt<gfx1250> one;
    one.*row.value = 5;
    CHECK(one.encoding()[0] == (row.word | 5));
  }
  COALESCE_CHECK(waitcnt<gfx1250>::decode(0xbfca'0000) == waitcnt<gfx1250>{.asynccnt = 0});
  COALESCE_CHECK(waitcnt<gfx1250>::decode(0xbfcb'0000) == waitcnt<gfx1250>{.tensorcnt = 0});
  COALESCE_CHECK(waitcnt<gfx1250>{.asynccnt = 62}.encoding()[0] == 0xbfca'003e);
  COALESCE_CHECK(waitcnt<gfx1250>{.tensorcnt = 1}.text() == "s_wait_tensorcnt 0x1");
}
TEST_CASE("RDNA: loads and LDS, or stores and LDS, in one word: every pair of values") {
  unsigned wrong = 0;
  for (unsigned first = 0; first != 64; ++first)
    for (unsigned second = 0; second != 64; ++second) {
      std::uint32_t const both = first << 8 | second;
      wrong += waitcnt<gfx12>::decode(0xbfc8'0000 | both) != waitcnt<gfx12>{.loadcnt = first, .dscnt = second};
      wrong += waitcnt<gfx12>::decode(0xbfc9'0000 | both) != waitcnt<gfx12>{.storecnt = first, .dscnt = second};
      wrong += waitcnt<gfx1250>::decode(0xbfc8'0000 | both) != waitcnt<gfx1250>{.loadcnt = first, .dscnt = second};
    }
  CHECK(wrong == 0);
}
TEST_CASE("RDNA: words are a range, and the longest wait fits: gfx12's seven words, gfx1250's seven lines") {
  constexpr auto three = waitcnt<gfx12>{.loadcnt = 1, .storecnt = 2, .kmcnt = 3}.encoding();
  CHECK(std::vector<std::uint32_t>(three.begin(), three.end()) ==
        std::vector<std::uint32_t>{0xbfc0'0001, 0xbfc1'0002, 0xbfc7'0003});
  COALESCE_CHECK(!three.empty());
  COALESCE_CHECK(waitcnt<gfx12>{}.encoding().empty());
  constexpr waitcnt<gfx12> words{
      .loadcnt = 0, .storecnt = 0, .samplecnt = 0, .bvhcnt = 0, .expcnt = 0, .dscnt = 0, .kmcnt = 0};
  COALESCE_CHECK(words.encoding().size() == rdna::instruction_words::capacity);
  constexpr waitcnt<gfx1250> lines{
      .loadcnt = 62, .storecnt = 62, .dscnt = 62, .kmcnt = 30, .xcnt = 62, .asynccnt = 62, .tensorcnt = 62};
  COALESCE_CHECK(lines.text().size() == sizeof(rdna::wait_text::characters) - 1);
}

#ifdef __cpp_exceptions
namespace {

/// Whether the word is a wait of the generation.
template <class Generation>
bool is_wait(std::uint32_t word) {
  try {
    static_cast<void>(waitcnt<Generation>::decode(word));
  } catch (co::misuse const&) {
    return false;
  }
  return true;
}
template <class Generation>
std::vector<unsigned> opcodes() {
  std::vector<unsigned> found;
  for (unsigned high = 0xbb00; high != 0xc000; ++high)
    if (is_wait<Generation>(high << 16)) found.push_back(high);
  return found;
}
template <class Generation, std::size_t Count>
void check_limits(counter_row<Generation> const (&rows)[Count]) {
  for (auto const& row : rows) {
    INFO(row.name);
    waitcnt<Generation> one;
    one.*row.value = row.most + 1;
    CHECK_THROWS_AS(static_cast<void>(one.text()), co::misuse);
    CHECK_THROWS_AS(static_cast<void>(one.encoding()), co::misuse);
    for (unsigned bit = row.most + 1; bit != 0x1'0000; bit *= 2) CHECK(!is_wait<Generation>(row.word | bit));
  }
}

}  // namespace

TEST_CASE("RDNA, refused: one more than the largest, whichever counter, and every bit above it in a word") {
  check_limits(of_gfx10), check_limits(of_gfx11), check_limits(of_gfx12), check_limits(of_gfx1250);
  for (std::uint32_t const both : {0xbfc8'0000u, 0xbfc9'0000u})
    for (unsigned const bit : {0x40u, 0x80u, 0x4000u, 0x8000u}) {
      CHECK(!is_wait<gfx12>(both | bit));
      CHECK(!is_wait<gfx1250>(both | bit));
    }
}
TEST_CASE("RDNA: which opcodes wait, and which immediates s_waitcnt has: all but one bit, all but another") {
  CHECK(opcodes<gfx10>() == std::vector<unsigned>{0xbbfd, 0xbc7d, 0xbcfd, 0xbd7d, 0xbf8c});
  CHECK(opcodes<gfx11>() == std::vector<unsigned>{0xbc7c, 0xbcfc, 0xbd7c, 0xbdfc, 0xbf89});
  CHECK(opcodes<gfx12>() ==
        std::vector<unsigned>{0xbfc0, 0xbfc1, 0xbfc2, 0xbfc3, 0xbfc4, 0xbfc6, 0xbfc7, 0xbfc8, 0xbfc9});
  CHECK(opcodes<gfx1250>() ==
        std::vector<unsigned>{0xbfc0, 0xbfc1, 0xbfc5, 0xbfc6, 0xbfc7, 0xbfc8, 0xbfc9, 0xbfca, 0xbfcb});
  unsigned wrong = 0;
  for (unsigned immediate = 0; immediate != 0x1'0000; ++immediate) {
    wrong += is_wait<gfx10>(0xbf8c'0000 | immediate) != ((immediate & 0x80) == 0);
    wrong += is_wait<gfx11>(0xbf89'0000 | immediate) != ((immediate & 8) == 0);
  }
  CHECK(wrong == 0);
}
TEST_CASE("RDNA, refused: values that the counter does not have, words that are no wait") {
  CHECK_THROWS_AS(static_cast<void>(waitcnt<gfx10>{.vmcnt = 64}.simm16()), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(waitcnt<gfx10>{.expcnt = 8}.text()), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(waitcnt<gfx11>{.lgkmcnt = 64}.encoding()), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(waitcnt<gfx11>{.vscnt = 64}.encoding()), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(waitcnt<gfx12>{.loadcnt = 64}.text()), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(waitcnt<gfx12>{.bvhcnt = 8}.encoding()), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(waitcnt<gfx12>{.kmcnt = 32}.text()), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(waitcnt<gfx1250>{.xcnt = 64}.text()), co::misuse);
  for (unsigned const below : {0u, 62u}) {  // rdna.md 5: six bits each, kmcnt five; the largest waits for nothing
    CHECK(waitcnt<gfx1250>{.loadcnt = below}.encoding().size() == 1);
    CHECK(waitcnt<gfx1250>{.storecnt = below}.encoding().size() == 1);
    CHECK(waitcnt<gfx1250>{.dscnt = below}.encoding().size() == 1);
    CHECK(waitcnt<gfx1250>{.xcnt = below}.encoding().size() == 1);
    CHECK(waitcnt<gfx1250>{.kmcnt = below / 2 - below / 62}.encoding().size() == 1);
  }
  CHECK_THROWS_AS(static_cast<void>(waitcnt<gfx1250>{.asynccnt = 64}.text()), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(waitcnt<gfx1250>{.tensorcnt = ~0u}.encoding()), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(waitcnt<gfx10>{}.encoding()[0]), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(waitcnt<gfx10>::decode(0xbf8c'0080)), co::misuse);  // bit 7
  CHECK_THROWS_AS(static_cast<void>(waitcnt<gfx11>::decode(0xbf89'0008)), co::misuse);  // bit 3
  CHECK_THROWS_AS(static_cast<void>(waitcnt<gfx11>::decode(0xbf8c'0000)), co::misuse);  // gfx10's
  CHECK_THROWS_AS(static_cast<void>(waitcnt<gfx10>::decode(0x3f70)), co::misuse);       // the immediate alone
  CHECK_THROWS_AS(static_cast<void>(waitcnt<gfx10>::decode(0xbbfd'0040)), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(waitcnt<gfx12>::decode(0xbfc0'0040)), co::misuse);  // llvm-mc takes it
  CHECK_THROWS_AS(static_cast<void>(waitcnt<gfx12>::decode(0xbfc8'4000)), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(waitcnt<gfx12>::decode(0xbfc5'0000)), co::misuse);    // gfx1250's xcnt
  CHECK_THROWS_AS(static_cast<void>(waitcnt<gfx1250>::decode(0xbfc3'0000)), co::misuse);  // gfx12's bvhcnt
}
#endif

// ---- What is outstanding ----

namespace {
constexpr auto load = issued::vector_load;
constexpr auto store = issued::vector_store;
constexpr auto lds = issued::lds;
}  // namespace

TEST_CASE("RDNA: loads and stores count apart, atomics with the loads where they return a value") {
  COALESCE_CHECK(rdna::counts_in<gfx10>(load) == waitcnt<gfx10>{.vmcnt = 0});
  COALESCE_CHECK(rdna::counts_in<gfx11>(store) == waitcnt<gfx11>{.vscnt = 0});
  COALESCE_CHECK(rdna::counts_in<gfx10>(issued::vector_atomic) == waitcnt<gfx10>{.vscnt = 0});
  COALESCE_CHECK(rdna::counts_in<gfx10>(issued::vector_atomic_return) == waitcnt<gfx10>{.vmcnt = 0});
  COALESCE_CHECK(rdna::counts_in<gfx12>(issued::vector_atomic) == waitcnt<gfx12>{.storecnt = 0});
  COALESCE_CHECK(rdna::counts_in<gfx12>(issued::vector_atomic_return) == waitcnt<gfx12>{.loadcnt = 0});
  COALESCE_CHECK(rdna::counts_in<gfx12>(issued::invalidate) == waitcnt<gfx12>{.loadcnt = 0});
  COALESCE_CHECK(rdna::counts_in<gfx12>(issued::write_back) == waitcnt<gfx12>{.storecnt = 0});
  COALESCE_CHECK(rdna::counts_in<gfx12>(issued::flat_store) == waitcnt<gfx12>{.storecnt = 0, .dscnt = 0});
  COALESCE_CHECK(rdna::counts_in<rdna::gfx1201>(issued::message) == waitcnt<gfx12>{.kmcnt = 0});
}
TEST_CASE("gfx1250's loads, stores, LDS and scalar memory count as gfx12's; it has no counters for images") {
  using of = waitcnt<gfx1250>;
  COALESCE_CHECK(rdna::counts_in<gfx1250>(issued::vector_load) == of{.loadcnt = 0});
  COALESCE_CHECK(rdna::counts_in<gfx1250>(issued::vector_atomic_return) == of{.loadcnt = 0});
  COALESCE_CHECK(rdna::counts_in<gfx1250>(issued::invalidate) == of{.loadcnt = 0});
  COALESCE_CHECK(rdna::counts_in<gfx1250>(issued::vector_store) == of{.storecnt = 0});
  COALESCE_CHECK(rdna::counts_in<rdna::gfx1251>(issued::vector_atomic) == of{.storecnt = 0});
  COALESCE_CHECK(rdna::counts_in<gfx1250>(issued::write_back) == of{.storecnt = 0});
  COALESCE_CHECK(rdna::counts_in<gfx1250>(issued::flat_load) == of{.loadcnt = 0, .dscnt = 0});
  COALESCE_CHECK(rdna::counts_in<gfx1250>(issued::flat_store) == of{.storecnt = 0, .dscnt = 0});
  COALESCE_CHECK(rdna::counts_in<gfx1250>(issued::lds) == of{.dscnt = 0});
  COALESCE_CHECK(rdna::counts_in<gfx1250>(issued::scalar) == of{.kmcnt = 0});
  COALESCE_CHECK(rdna::counts_in<gfx1250>(issued::message) == of{.kmcnt = 0});
  COALESCE_CHECK(rdna::counts_in<gfx1250>(issued::async_load) == of{.asynccnt = 0});
  COALESCE_CHECK(rdna::counts_in<gfx1250>(issued::async_store) == of{.asynccnt = 0});
  COALESCE_CHECK(rdna::counts_in<gfx1250>(issued::tensor) == of{.tensorcnt = 0});
#ifdef __cpp_exceptions
  CHECK_THROWS_AS(static_cast<void>(rdna::counts_in<gfx1250>(issued::image_sample)), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(rdna::counts_in<gfx1250>(issued::image_bvh)), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(rdna::counts_in<gfx1250>(static_cast<issued>(99))), co::misuse);
#endif
}
TEST_CASE("LLVM 22 on gfx10 and gfx12: load, atomic that returns, use of the load: one is outstanding") {
  COALESCE_CHECK(issued_operations<gfx10>(load, issued::vector_atomic_return).weakest_wait(0) ==
                 waitcnt<gfx10>{.vmcnt = 1});
  COALESCE_CHECK(issued_operations<gfx12>(load, issued::invalidate, issued::vector_atomic_return, issued::write_back)
                     .weakest_wait(0) == waitcnt<gfx12>{.loadcnt = 2});
}
TEST_CASE("RDNA: a store behind a load does not weaken its wait, unlike CDNA's") {
  COALESCE_CHECK(issued_operations<gfx11>(load, store).weakest_wait(0) == waitcnt<gfx11>{.vmcnt = 0});
  COALESCE_CHECK(issued_operations<gfx11>(store, store, load).weakest_wait(0) == waitcnt<gfx11>{.vscnt = 1});
  COALESCE_CHECK(issued_operations<gfx12>(store, load, store).is_complete_after({.storecnt = 1}, 0));
  COALESCE_CHECK(!issued_operations<gfx12>(store, load, store).is_complete_after({.storecnt = 1}, 1));
}
TEST_CASE("gfx12: samples and BVH are in no order with loads; gfx10: samples count with them") {
  COALESCE_CHECK(issued_operations<gfx12>(load, issued::image_sample).weakest_wait(0) == waitcnt<gfx12>{.loadcnt = 0});
  COALESCE_CHECK(issued_operations<gfx12>(issued::image_bvh, load).weakest_wait(0) == waitcnt<gfx12>{.bvhcnt = 0});
  COALESCE_CHECK(issued_operations<gfx10>(load, issued::image_sample).weakest_wait(0) == waitcnt<gfx10>{.vmcnt = 1});
  COALESCE_CHECK(rdna::complete_in_order<gfx10>(load, issued::image_sample));
  COALESCE_CHECK(!rdna::complete_in_order<gfx12>(load, issued::image_sample));
}
TEST_CASE("RDNA: after scalar memory or messages only 0 is sure, in the counters that they count in") {
  COALESCE_CHECK(issued_operations<gfx10>(lds, issued::scalar, lds).weakest_wait(0) == waitcnt<gfx10>{.lgkmcnt = 0});
  COALESCE_CHECK(issued_operations<gfx12>(lds, issued::scalar, lds).weakest_wait(0) == waitcnt<gfx12>{.dscnt = 1});
  COALESCE_CHECK(issued_operations<gfx12>(issued::scalar, issued::scalar).weakest_wait(0) ==
                 waitcnt<gfx12>{.kmcnt = 0});
  COALESCE_CHECK(issued_operations<gfx1250>(issued::scalar, issued::scalar).weakest_wait(0) ==
                 waitcnt<gfx1250>{.kmcnt = 0});
}
TEST_CASE("RDNA: FLAT counts in order, in each of its counters (LLVM's hasFlatLgkmVMemCountInOrder)") {
  COALESCE_CHECK(issued_operations<gfx10>(load, issued::flat_load, load).weakest_wait(0) == waitcnt<gfx10>{.vmcnt = 2});
  COALESCE_CHECK(issued_operations<gfx11>(issued::flat_load, lds, load, load).weakest_wait(0) ==
                 waitcnt<gfx11>{.vmcnt = 2, .lgkmcnt = 1});
  COALESCE_CHECK(issued_operations<gfx10>(load, issued::flat_store, load).weakest_wait(0) ==
                 waitcnt<gfx10>{.vmcnt = 1});
  COALESCE_CHECK(issued_operations<gfx12>(issued::flat_load).weakest_wait(0) ==
                 waitcnt<gfx12>{.loadcnt = 0, .dscnt = 0});
  COALESCE_CHECK(issued_operations<gfx12>(issued::flat_store, issued::flat_load, lds).weakest_wait(0) ==
                 waitcnt<gfx12>{.storecnt = 0, .dscnt = 2});
  COALESCE_CHECK(issued_operations<gfx1250>(issued::flat_load, lds, load).weakest_wait(0) ==
                 waitcnt<gfx1250>{.loadcnt = 1, .dscnt = 1});
  // It does not where scalar memory shares the counter, as in lgkmcnt of gfx10 and gfx11.
  COALESCE_CHECK(issued_operations<gfx11>(issued::flat_load, issued::scalar, load).weakest_wait(0) ==
                 waitcnt<gfx11>{.vmcnt = 1, .lgkmcnt = 0});
}
TEST_CASE("RDNA: FLAT completes after what is older in one of its counters; what counts in one completes before it") {
  COALESCE_CHECK(rdna::complete_in_order<gfx11>(load, issued::flat_load));
  COALESCE_CHECK(rdna::complete_in_order<gfx12>(lds, issued::flat_store));
  COALESCE_CHECK(rdna::complete_in_order<gfx1250>(issued::flat_load, issued::flat_load));
  COALESCE_CHECK(!rdna::complete_in_order<gfx11>(issued::flat_load, load));  // its LDS half may take longer
  COALESCE_CHECK(!rdna::complete_in_order<gfx12>(issued::flat_load, issued::flat_store));
  COALESCE_CHECK(!rdna::complete_in_order<gfx12>(store, issued::flat_load));
  COALESCE_CHECK(!rdna::complete_in_order<gfx10>(issued::scalar, issued::flat_load));
}
TEST_CASE(
    "gfx1250: loads with loads, stores with stores, LDS, copies of tensors; scalar loads and messages in no order") {
  COALESCE_CHECK(rdna::complete_in_order<gfx1250>(load, load));
  COALESCE_CHECK(rdna::complete_in_order<rdna::gfx1251>(store, issued::write_back));
  COALESCE_CHECK(rdna::complete_in_order<gfx1250>(lds, lds));
  COALESCE_CHECK(rdna::complete_in_order<gfx1250>(issued::tensor, issued::tensor));
  COALESCE_CHECK(!rdna::complete_in_order<gfx1250>(load, store));
  COALESCE_CHECK(!rdna::complete_in_order<gfx1250>(issued::scalar, issued::scalar));
  COALESCE_CHECK(!rdna::complete_in_order<gfx1250>(issued::message, issued::message));
  COALESCE_CHECK(!rdna::complete_in_order<gfx1250>(issued::tensor, lds));
  COALESCE_CHECK(issued_operations<gfx1250>(issued::tensor, load, issued::tensor).weakest_wait(0) ==
                 waitcnt<gfx1250>{.tensorcnt = 1});
  COALESCE_CHECK(issued_operations<gfx1250>(load, store, load).is_complete_after({.loadcnt = 1}, 0));
}
// LLVM 22.1, Memory Model GFX125x: "ASYNC LDS" is one type of operation, and completion is reported in order of issue
// within a type.
TEST_CASE("gfx1250: loads and stores between memory and LDS share a counter and are in order with each other only") {
  using enum issued;
  COALESCE_CHECK(rdna::complete_in_order<gfx1250>(async_load, async_load));
  COALESCE_CHECK(rdna::complete_in_order<gfx1250>(async_store, async_store));
  COALESCE_CHECK(rdna::complete_in_order<gfx1250>(async_load, async_store));
  COALESCE_CHECK(rdna::complete_in_order<gfx1250>(async_store, async_load));
  COALESCE_CHECK(!rdna::complete_in_order<gfx1250>(async_load, lds));
  COALESCE_CHECK(!rdna::complete_in_order<gfx1250>(async_load, load));
  COALESCE_CHECK(!rdna::complete_in_order<gfx1250>(async_store, tensor));
  COALESCE_CHECK(issued_operations<gfx1250>(async_load, async_load).weakest_wait(0) == waitcnt<gfx1250>{.asynccnt = 1});
  COALESCE_CHECK(issued_operations<gfx1250>(async_load, async_store).weakest_wait(0) ==
                 waitcnt<gfx1250>{.asynccnt = 1});
  COALESCE_CHECK(issued_operations<gfx1250>(async_store, async_load, load).weakest_wait(1) ==
                 waitcnt<gfx1250>{.asynccnt = 0});
}
TEST_CASE("RDNA: the largest value does not wait: of 100 loads the first needs 62, of 20 BVH 6") {
  constexpr auto many = [](issued kind, unsigned count) {
    issued_operations<gfx12> made;
    for (unsigned k = 0; k != count; ++k) static_cast<void>(made.issue(kind));
    return made;
  };
  COALESCE_CHECK(many(load, 100).weakest_wait(0) == waitcnt<gfx12>{.loadcnt = 62});
  COALESCE_CHECK(many(issued::image_bvh, 20).weakest_wait(0) == waitcnt<gfx12>{.bvhcnt = 6});
  COALESCE_CHECK(!many(issued::image_bvh, 20).is_complete_after({.bvhcnt = 7}, 0));
}
TEST_CASE("RDNA: after a wait, what it has shown counts no longer") {
  constexpr auto wave = [] {
    issued_operations<gfx12> made(load, issued::flat_load, lds);
    made.wait({.loadcnt = 0, .dscnt = 0});
    static_cast<void>(made.issue(load));
    static_cast<void>(made.issue(load));
    return made;
  }();
  COALESCE_CHECK(wave.is_complete(1));
  COALESCE_CHECK(wave.weakest_wait(0) == waitcnt<gfx12>{});
  COALESCE_CHECK(wave.weakest_wait(3) == waitcnt<gfx12>{.loadcnt = 1});
}

TEST_CASE("RDNA: a full wave, of 128 operations: the last needs 0, the first the most that a counter can say") {
  constexpr auto full = [] {
    issued_operations<gfx11> made;
    for (unsigned k = 0; k != made.capacity; ++k) static_cast<void>(made.issue(store));
    return made;
  }();
  COALESCE_CHECK(full.capacity == 128);
  COALESCE_CHECK(full.weakest_wait(127) == waitcnt<gfx11>{.vscnt = 0});
  COALESCE_CHECK(full.weakest_wait(100) == waitcnt<gfx11>{.vscnt = 27});
  COALESCE_CHECK(full.weakest_wait(0) == waitcnt<gfx11>{.vscnt = 62});
}

#ifdef __cpp_exceptions
using coalescing_tests::refusal;
TEST_CASE(
    "RDNA, refused: what a generation does not issue, operations that were not issued, more than the model holds") {
  char const* const words = "this generation has no such instruction";
  for (auto const kind : {issued::async_load, issued::async_store, issued::tensor}) {
    CHECK(refusal([=] { return rdna::counts_in<gfx10>(kind); }).find(words) != std::string::npos);
    CHECK(refusal([=] { return rdna::counts_in<gfx11>(kind); }).find(words) != std::string::npos);
    CHECK(refusal([=] { return rdna::counts_in<gfx12>(kind); }).find(words) != std::string::npos);
  }
  for (auto const kind : {issued::write_back, issued::invalidate, issued::image_bvh}) {
    CHECK(refusal([=] { return rdna::counts_in<gfx10>(kind); }).find(words) != std::string::npos);
    CHECK(refusal([=] { return rdna::counts_in<gfx11>(kind); }).find(words) != std::string::npos);
  }
  auto const no_name = static_cast<issued>(static_cast<int>(issued::message) + 1);
  CHECK_THROWS_AS(static_cast<void>(rdna::counts_in<gfx10>(no_name)), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(rdna::counts_in<gfx11>(no_name)), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(rdna::counts_in<gfx12>(no_name)), co::misuse);
  issued_operations<gfx11> wave;
  CHECK_THROWS_AS(static_cast<void>(wave.weakest_wait(0)), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(wave.is_complete(0)), co::misuse);
  CHECK_THROWS_AS(wave.wait({.vmcnt = 64}), co::misuse);
  for (unsigned k = 0; k != 128; ++k) CHECK(wave.issue(load) == k);
  CHECK_THROWS_AS(static_cast<void>(wave.issue(load)), co::misuse);
}
#endif

// ---- Against a search: every set of operations that may still be outstanding ----

namespace {

/// Counters are letters: l is vm or load, s is vs or store, d is lgkm or ds, i is sample, b is bvh, k is km, a is
/// async, t is tensor. Operations with one letter as their order count in order with each other. '-' has no order, not
/// even with itself.
struct behaviour {
  issued kind;
  char const *gfx10, *gfx12, *gfx1250;  // nullptr: no such instruction
  char order;
};
constexpr behaviour behaviours[] = {
    {issued::vector_load, "l", "l", "l", 'o'},
    {issued::vector_store, "s", "s", "s", 'o'},
    {issued::vector_atomic, "s", "s", "s", 'o'},
    {issued::vector_atomic_return, "l", "l", "l", 'o'},
    {issued::image_sample, "l", "i", nullptr, 'o'},
    {issued::flat_load, "ld", "ld", "ld", 'o'},
    {issued::flat_store, "sd", "sd", "sd", 'o'},
    {issued::lds, "d", "d", "d", 'o'},
    {issued::scalar, "d", "k", "k", '-'},
    {issued::message, "d", "k", "k", '-'},
    {issued::image_bvh, nullptr, "b", nullptr, 'o'},
    {issued::write_back, nullptr, "s", "s", 'o'},
    {issued::invalidate, nullptr, "l", "l", 'o'},
    {issued::async_load, nullptr, nullptr, "a", 'o'},
    {issued::async_store, nullptr, nullptr, "a", 'o'},
    {issued::tensor, nullptr, nullptr, "t", 'o'},
};
template <class Generation>
constexpr char const* letters_of(behaviour const& one) {
  return std::is_same_v<Generation, gfx1250> ? one.gfx1250 : std::is_same_v<Generation, gfx12> ? one.gfx12 : one.gfx10;
}
constexpr bool has(char const* letters, char letter) {
  for (; *letters != '\0'; ++letters)
    if (*letters == letter) return true;
  return false;
}
/// Mistakes for the controls: operations without an order are believed to be in order, or FLAT to have no order, which
/// was our rule before LLVM's.
enum class believed { the_rule, all_in_order, flat_in_no_order };

/// The largest value of a counter that shows that operation to be done. It is one less than the fewest operations that
/// may be outstanding together with it. Operations in order are done after all older ones.
template <class Generation>
unsigned weakest(std::vector<behaviour> const& program, char counter, unsigned asked, unsigned most, believed what) {
  unsigned const size = static_cast<unsigned>(program.size());
  bool ordered = true;
  char first = '\0';
  for (auto const& one : program) {
    auto const* const letters = letters_of<Generation>(one);
    if (!has(letters, counter)) continue;
    bool const flat = letters[1] != '\0';
    if (first == '\0') first = one.order;
    ordered = ordered && one.order == first && one.order != '-' && !(flat && what == believed::flat_in_no_order);
  }
  ordered = ordered || what == believed::all_in_order;
  unsigned fewest = most + 1;
  for (unsigned set = 0; set != 1u << size; ++set) {
    if ((set >> asked & 1) == 0) continue;
    unsigned count = 0;
    bool possible = true, older_outstanding = false;
    for (unsigned k = 0; k != size; ++k) {
      bool const in = has(letters_of<Generation>(program[k]), counter), outstanding = (set >> k & 1) != 0;
      if (!in) {
        possible = possible && !outstanding;
        continue;
      }
      count += outstanding;
      if (ordered && older_outstanding && !outstanding) possible = false;
      older_outstanding = older_outstanding || outstanding;
    }
    if (possible && count < fewest) fewest = count;
  }
  return fewest - 1;
}

template <class Generation>
unsigned disagreements(believed what) {
  constexpr bool has_loadcnt = requires(waitcnt<Generation> one) { one.loadcnt; };
  std::vector<behaviour> all;
  for (auto const& one : behaviours)
    if (letters_of<Generation>(one) != nullptr) all.push_back(one);
  std::mt19937 engine(11);
  unsigned found = 0;
  for (unsigned n = 0; n != coalescing_tests::share(2'000); ++n) {
    std::vector<behaviour> program(1 + engine() % 8);
    bool const few_kinds = engine() % 2 == 0;
    for (auto& one : program) one = all[engine() % (few_kinds ? 4 : all.size())];
    issued_operations<Generation> wave;
    for (auto const& one : program) static_cast<void>(wave.issue(one.kind));
    for (unsigned k = 0; k != program.size(); ++k) {
      auto const need = [&](char counter, unsigned most) {
        return has(letters_of<Generation>(program[k]), counter) ? weakest<Generation>(program, counter, k, most, what)
                                                                : most;
      };
      waitcnt<Generation> needed, asked;
      unsigned const value = engine() % 8;
      if constexpr (std::is_same_v<Generation, gfx1250>)
        needed = {.loadcnt = need('l', 63),
                  .storecnt = need('s', 63),
                  .dscnt = need('d', 63),
                  .kmcnt = need('k', 31),
                  .asynccnt = need('a', 63),
                  .tensorcnt = need('t', 63)};
      else if constexpr (has_loadcnt)
        needed = {.loadcnt = need('l', 63),
                  .storecnt = need('s', 63),
                  .samplecnt = need('i', 63),
                  .bvhcnt = need('b', 7),
                  .dscnt = need('d', 63),
                  .kmcnt = need('k', 31)};
      else
        needed = {.vmcnt = need('l', 63), .lgkmcnt = need('d', 63), .vscnt = need('s', 63)};
      found += wave.weakest_wait(k) != needed;
      auto others = needed;  // what is not waited for
      bool complete = false;
      if constexpr (has_loadcnt) {
        asked = {.loadcnt = value, .storecnt = value};
        complete = value <= needed.loadcnt && value <= needed.storecnt;
        others.loadcnt = others.storecnt = 63;
      } else {
        asked = {.vmcnt = value, .lgkmcnt = value};
        complete = value <= needed.vmcnt && value <= needed.lgkmcnt;
        others.vmcnt = others.lgkmcnt = 63;
      }
      found += wave.is_complete_after(asked, k) != (complete && others == waitcnt<Generation>{});
    }
  }
  return found;
}

}  // namespace

TEST_CASE("RDNA: the weakest wait and what a wait completes agree with a search over all that may be outstanding") {
  CHECK(disagreements<gfx10>(believed::the_rule) == 0);
  CHECK(disagreements<gfx11>(believed::the_rule) == 0);
  CHECK(disagreements<gfx12>(believed::the_rule) == 0);
  CHECK(disagreements<gfx1250>(believed::the_rule) == 0);
}
TEST_CASE("RDNA, control: scalar memory taken for in order, and FLAT taken for unordered, are told apart") {
  for (auto const what : {believed::all_in_order, believed::flat_in_no_order}) {
    CHECK(disagreements<gfx10>(what) > 0);
    CHECK(disagreements<gfx12>(what) > 0);
    CHECK(disagreements<gfx1250>(what) > 0);
  }
}

namespace {

/// Whether the first is sure to be complete when the second is, by a search through all orders of their counts.
template <class Generation>
bool slow_in_order(behaviour const& first, behaviour const& second) {
  auto const *const one = letters_of<Generation>(first), *const other = letters_of<Generation>(second);
  std::string const both = std::string(one) + other;
  unsigned const of_first = static_cast<unsigned>(std::string(one).size()), all = static_cast<unsigned>(both.size());
  bool sure = true;
  for (unsigned done = 0; done != 1u << all; ++done) {  // a bit a count, those of the first before
    bool possible = true, first_is = true, second_is = true;
    for (unsigned k = 0; k != all; ++k) {
      bool const counted = (done >> k & 1) != 0;
      (k < of_first ? first_is : second_is) &= counted;
      if (k < of_first || !counted || first.order != second.order || first.order == '-') continue;
      for (unsigned older = 0; older != of_first; ++older)
        if (both[older] == both[k] && (done >> older & 1) == 0) possible = false;
    }
    if (possible && second_is && !first_is) sure = false;
  }
  return sure;
}
template <class Generation>
unsigned disagreements_of_pairs() {
  unsigned found = 0;
  for (auto const& first : behaviours)
    for (auto const& second : behaviours)
      if (letters_of<Generation>(first) != nullptr && letters_of<Generation>(second) != nullptr)
        found +=
            rdna::complete_in_order<Generation>(first.kind, second.kind) != slow_in_order<Generation>(first, second);
  return found;
}

}  // namespace

TEST_CASE("RDNA: of every pair, whether they complete in order agrees with all orders in which they may be counted") {
  CHECK(disagreements_of_pairs<gfx10>() == 0);
  CHECK(disagreements_of_pairs<gfx11>() == 0);
  CHECK(disagreements_of_pairs<gfx12>() == 0);
  CHECK(disagreements_of_pairs<gfx1250>() == 0);
  // A control: a load completes before a later FLAT, and FLAT does not before a later load.
  CHECK(slow_in_order<gfx12>(behaviours[0], behaviours[5]));
  CHECK(!slow_in_order<gfx12>(behaviours[5], behaviours[0]));
}

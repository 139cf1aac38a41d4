// SPDX-License-Identifier: BSL-1.0
#include <coalesce/cdna.hpp>
#include <coalesce/cuda.hpp>
#include <coalesce/figure.hpp>
#include <coalesce/gcn.hpp>

#include "machinery/check.hpp"
#include "truth/oracle/random_access.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

namespace co = coalescing;
namespace gcn = co::gcn;
using co::cdna::gfx942, co::cdna::gfx950, co::cuda::cc10, co::cuda::cc13, co::cuda::cc20, co::cuda::cc35,
    co::cuda::cc60, co::cuda::cc75, co::cuda::cc90;

namespace {

// ---- An SVG read back ----

std::size_t count(std::string const& text, std::string const& words) {
  std::size_t found = 0;
  for (std::size_t at = text.find(words); at != std::string::npos; at = text.find(words, at + 1)) ++found;
  return found;
}

/// A tag, its attributes, and the text behind it.
struct tag {
  std::string name = {}, text = {};
  std::map<std::string, std::string> attributes = {};

  [[nodiscard]] unsigned number(char const* attribute) const {
    return static_cast<unsigned>(std::strtoul(attributes.at(attribute).c_str(), nullptr, 10));
  }
  [[nodiscard]] bool is(char const* kind) const {
    auto const found = attributes.find("class");
    return found != attributes.end() &&
           (' ' + found->second + ' ').find(std::string(" ") + kind + ' ') != std::string::npos;
  }
};

/// The tags in order, or none where the text is no XML: tags that nest and close, attributes once and in quotes, no
/// stray & or <, ids that are unique.
std::vector<tag> parsed(std::string const& text) {
  std::vector<tag> tags;
  std::vector<std::string> open;
  std::map<std::string, int> ids;
  std::size_t at = 0, roots = 0;
  while (at < text.size()) {
    if (text[at] != '<') {
      std::size_t const end = std::min(text.find('<', at), text.size());
      std::string const words = text.substr(at, end - at);
      if (open.empty() && words != "\n") return {};
      if (words.find('>') != std::string::npos) return {};
      for (std::size_t k = words.find('&'); k != std::string::npos; k = words.find('&', k + 1))
        if (words.compare(k, 5, "&amp;") != 0 && words.compare(k, 4, "&lt;") != 0 && words.compare(k, 4, "&gt;") != 0 &&
            words.compare(k, 6, "&quot;") != 0)
          return {};
      if (!tags.empty()) tags.back().text += words;
      at = end;
      continue;
    }
    std::size_t const end = text.find('>', at);
    if (end == std::string::npos) return {};
    if (text[at + 1] == '/') {
      if (open.empty() || open.back() != text.substr(at + 2, end - at - 2)) return {};
      open.pop_back(), at = end + 1;
      continue;
    }
    tag next;
    std::size_t place = at + 1;
    while (text[place] != ' ' && text[place] != '>' && text[place] != '/') next.name += text[place++];
    while (text[place] == ' ') {
      std::size_t const equals = text.find("=\"", place), closing = text.find('"', equals + 2);
      if (equals > end || closing > end) return {};
      if (!next.attributes
               .emplace(text.substr(place + 1, equals - place - 1), text.substr(equals + 2, closing - equals - 2))
               .second)
        return {};
      place = closing + 1;
    }
    if (next.attributes.count("id") != 0 && ++ids[next.attributes["id"]] > 1) return {};
    roots += open.empty();
    if (text[place] == '>')
      open.push_back(next.name);
    else if (text[place] != '/' || place + 1 != end)
      return {};
    tags.push_back(next), at = end + 1;
  }
  if (!open.empty() || roots != 1) return {};
  return tags;
}

std::size_t count(std::vector<tag> const& tags, char const* kind) {
  std::size_t found = 0;
  for (tag const& each : tags) found += each.is(kind);
  return found;
}

/// Whether no two texts overlap, and none leaves the page. A letter is 0.6 of its size wide.
bool texts_are_apart(std::vector<tag> const& tags) {
  struct area {
    double left, right, top, bottom;
  };
  std::vector<area> areas;
  for (tag const& each : tags) {
    if (each.name != "text") continue;
    double const size = each.is("h") ? 13 : each.is("c") ? 11 : each.is("s") ? 8 : 10;
    std::string words = each.text.substr(0, each.text.find('\n'));
    for (auto const* entity : {"&lt;", "&gt;", "&amp;", "\u00d7"})
      while (words.find(entity) != std::string::npos)
        words.replace(words.find(entity), std::string(entity).size(), "x");
    double const width = 0.6 * size * static_cast<double>(words.size()), x = each.number("x"), y = each.number("y");
    double const left = each.is("l") ? x - width : each.is("m") || each.is("n") ? x - width / 2 : x;
    areas.push_back({left, left + width, y - 0.75 * size, y + 0.2 * size});
  }
  for (std::size_t a = 0; a != areas.size(); ++a) {
    if (areas[a].left < 0 || areas[a].right > 800) return false;
    for (std::size_t b = 0; b != a; ++b)
      if (areas[a].left < areas[b].right && areas[b].left < areas[a].right && areas[a].top < areas[b].bottom &&
          areas[b].top < areas[a].bottom)
        return false;
  }
  return true;
}

/// The tallest stack of each phase, in rounds: how many words lie in its fullest column of a half of the banks.
std::vector<std::uint64_t> stacks(std::vector<tag> const& tags) {
  std::vector<std::uint64_t> tallest;
  std::map<unsigned, std::uint64_t> words;  // by column and half
  unsigned half = 0;
  for (tag const& each : tags) {
    if (each.is("phase")) tallest.push_back(0), half = 0, words.clear();
    if (each.is("round")) half = 0;
    if (each.is("frame")) half = 1;
    if (each.is("word"))
      for (unsigned x = each.number("x"); x != each.number("x") + each.number("width"); x += 20)
        tallest.back() = std::max(tallest.back(), ++words[x + 10000 * half]);
  }
  return tallest;
}

/// An element's tag, and the words of its title.
std::string tip_of(std::vector<tag> const& tags, std::string const& id) {
  for (std::size_t k = 0; k + 1 < tags.size(); ++k)
    if (tags[k].attributes.count("id") != 0 && tags[k].attributes.at("id") == id)
      return tags[k + 1].text.substr(0, tags[k + 1].text.find('\n'));
  return "";
}
/// Without the words that stand below a drawing: lines with two blanks before them.
std::string without_further_words(std::string const& drawing) {
  std::size_t at = 0;
  while (at < drawing.size() && !(drawing.compare(at, 2, "  ") == 0 && drawing[at + 2] != ' '))
    at = drawing.find('\n', at) + 1;
  return drawing.substr(0, at);
}
/// The drawing for a terminal, without the words above it.
std::string below_the_words(std::string const& text) {
  std::size_t const lanes = text.find("\n               lanes "), banks = text.find("\n               banks ");
  return without_further_words(text.substr(std::min(lanes, banks) + 1));
}
/// Its rows of memory.
std::string rows_of_memory(std::string const& text) {
  return without_further_words(text.substr(text.rfind('\n', text.find("byte 0x")) + 1));
}
std::vector<std::string> lines_of(std::string const& text) {
  std::vector<std::string> lines(1);
  for (char const letter : text)
    if (letter == '\n')
      lines.emplace_back();
    else
      lines.back() += letter;
  return lines;
}

/// Checks the rows that are not folded, at five pixels a byte: an outline stands around each transaction, cells cover
/// exactly the bytes that its lanes want, and words that are wanted in part are hatched.
template <class Access, class List>
bool bytes_are_covered(std::vector<tag> const& tags, Access const& asked, List const& list) {
  struct row {
    unsigned top = 0;
    std::map<std::uint64_t, unsigned> cells = {}, hatched = {};  // bytes of the line
    std::vector<std::size_t> transactions = {};
  };
  std::vector<row> rows;
  for (tag const& each : tags) {
    if (each.name != "rect" || each.attributes.count("x") == 0) continue;
    unsigned const x = each.number("x"), width = each.number("width"), top = each.number("y");
    bool const is_lane = each.attributes.count("id") != 0 && each.attributes.at("id")[0] == 'l';
    if (each.is("frame")) rows.push_back({.top = top});
    if (is_lane || rows.empty() || (top != rows.back().top && top + 2 != rows.back().top)) continue;
    if (each.is("cell"))
      for (unsigned at = x; at != x + width; ++at) ++rows.back().cells[(at - 128) / 5];
    if (each.is("unused"))
      for (unsigned at = x; at != x + width; ++at) ++rows.back().hatched[(at - 128) / 5];
    if (each.is("transaction") && width != 14) {
      std::size_t const n = std::strtoul(each.attributes.at("id").c_str() + 1, nullptr, 10);
      auto const& piece = list[n];
      if (x != 128 + piece.address % 128 * 5 + 1 || width != piece.bytes * 5 - 2) return false;
      rows.back().transactions.push_back(n);
    }
  }
  for (row const& drawn : rows) {
    std::map<std::uint64_t, unsigned> wanted, hatched;
    for (std::size_t const n : drawn.transactions) {
      std::map<std::uint64_t, unsigned> here;  // of this transaction
      for (unsigned lane = 0; lane != asked.size(); ++lane)
        for (unsigned byte = 0; (list[n].lanes >> lane & 1) != 0 && byte != asked.bytes; ++byte)
          if (asked[lane] + byte - list[n].address < list[n].bytes) here[(asked[lane] + byte) % 128] = 5;
      for (std::uint64_t word = list[n].address % 128; word != list[n].address % 128 + list[n].bytes; word += 4)
        if (here.count(word) + here.count(word + 1) + here.count(word + 2) + here.count(word + 3) != 4)
          for (std::uint64_t byte = word; byte != word + 4; ++byte) hatched[byte] = 5;
      wanted.insert(here.begin(), here.end());
    }
    if (drawn.cells != wanted || drawn.hatched != hatched) return false;
  }
  return !rows.empty() || list.size() == 0;
}
/// Addresses, with how many bytes each lane wants.
template <class Addresses>
struct bytes_at {
  Addresses const& addresses;
  unsigned lanes, bytes;
  [[nodiscard]] unsigned size() const { return lanes; }
  std::uint64_t operator[](unsigned lane) const { return static_cast<std::uint64_t>(addresses[lane]); }
};

// ---- Figures of random accesses ----

/// `read`: bytes of each lane that are read or written.
template <class Instruction>
void check_memory(unsigned read = Instruction::bytes) {
  coalescing_tests::random_accesses accesses(Instruction::bytes, Instruction::alignment);
  for (unsigned k = 0; k != coalescing_tests::share(60); ++k) {
    auto const made = accesses.next();
    auto const active = made.active & co::detail::wave_mask<Instruction::lanes>;
    std::string const drawn = co::svg<Instruction>(made.address, active);
    auto const tags = parsed(drawn);
    auto const list = co::transactions<Instruction>(made.address, active);
    CAPTURE(drawn);
    REQUIRE(!tags.empty());
    REQUIRE(count(tags, "transaction") == list.size());
    REQUIRE(count(tags, "transaction") == co::cost<Instruction>(made.address, active).transactions);
    REQUIRE(bytes_are_covered(tags, bytes_at<decltype(made.address)>{made.address, Instruction::lanes, read}, list));
    REQUIRE(count(tags, "off") == Instruction::lanes - static_cast<unsigned>(co::detail::count_bits(active)));
    REQUIRE(texts_are_apart(tags));
    REQUIRE(drawn == co::svg<Instruction>(made.address, active));
    REQUIRE(!co::terminal<Instruction>(made.address, active).empty());
  }
}
/// `exact`: the rounds are words, and no rule adds any.
template <class Instruction>
void check_banks(bool exact = true) {
  coalescing_tests::random_accesses accesses(Instruction::bytes, Instruction::alignment, 1, Instruction::capacity);
  for (unsigned k = 0; k != coalescing_tests::share(60); ++k) {
    auto const made = accesses.next();
    auto const active = made.active & co::detail::wave_mask<Instruction::lanes>;
    std::string const drawn = co::svg<Instruction>(made.address, active);
    auto const tags = parsed(drawn);
    auto const list = co::phases<Instruction>(made.address, active);
    auto const tallest = stacks(tags);
    CAPTURE(drawn);
    REQUIRE(!tags.empty());
    REQUIRE(count(tags, "phase") == list.size());
    REQUIRE(count(tags, "round") == co::cost<Instruction>(made.address, active).rounds);
    for (std::size_t phase = 0; phase != list.size(); ++phase)
      if (exact && list[phase].lanes != 0)
        REQUIRE(tallest[phase] == list[phase].rounds);
      else
        REQUIRE(tallest[phase] <= list[phase].rounds);
    REQUIRE(texts_are_apart(tags));
    REQUIRE(drawn == co::svg<Instruction>(made.address, active));
    REQUIRE(!co::terminal<Instruction>(made.address, active).empty());
    auto const cost = co::cost<Instruction>(made.address, active);
    if constexpr (requires { cost.rounds_at_least; })  // CC 1.x: of rounds that depend on the choice of a word
      REQUIRE(count(drawn, "; drawn with the worst choices, with the best " + std::to_string(cost.rounds_at_least) +
                               '<') == (cost.rounds_at_least != cost.rounds));
  }
}

}  // namespace

TEST_CASE("a figure of global memory has an element for each transaction, folded or not") {
  check_memory<cc10::load<32>>();
  check_memory<cc10::store<128>>();
  check_memory<cc13::load<8>>();
  check_memory<cc20::load<64, co::cuda::caching::l1>>();
  check_memory<cc60::load<128>>();
  check_memory<cc90::load<16>>();
  check_memory<cc90::store<32>>();
  check_memory<gcn::buffer_load<32>>();
  check_memory<gcn::buffer_load<32, 4>>();
  check_memory<gfx942::global_load<96>>();
  check_memory<gfx942::global_store<8>>();
}
TEST_CASE("a figure of a copy shows the bytes that are read, and not those that are filled with zeros") {
  check_memory<cc90::cp_async<16>::global>();
  check_memory<cc90::cp_async<16, 12>::global>(12);
  check_memory<cc90::cp_async<8, 1>::global>(1);
  check_memory<cc90::cp_async<16, 0>::global>(0);
  check_memory<cc90::cp_async<4, 0>::global>(0);
}
TEST_CASE("a figure of banks is as high as the rounds of each phase") {
  check_banks<cc20::shared_load<64>>();
  check_banks<cc35::shared_load<32>>();
  check_banks<cc35::shared_load<64, co::cuda::shared_mode::eight_byte_banks>>();
  check_banks<cc75::shared_load<64, co::cuda::shared_mode::pair_merge>>();
  check_banks<cc90::shared_load<8>>();
  check_banks<cc90::shared_store<128>>();
  check_banks<gfx942::ds_read<96>>();
  check_banks<gfx942::ds_read<128>>();
  check_banks<gfx950::ds_read<128>>();
  check_banks<gfx950::ds_read<32>>();
  check_banks<cc10::shared_load<32>>(false);
}
TEST_CASE("figures: of CC 1.x the caption says what the best choices would take") {
  // Two words of bank 0, two lanes on each: which of them is broadcast is free to choose.
  std::string const drawn =
      co::svg<cc10::shared_load<32>>([](unsigned lane) { return lane < 2   ? 0
                                                                : lane < 4 ? 64
                                                                           : 4 * lane; }, 0xffff);
  auto const cost =
      co::cost<cc10::shared_load<32>>([](unsigned lane) { return lane < 2   ? 0
                                                                 : lane < 4 ? 64
                                                                            : 4 * lane; }, 0xffff);
  INFO(cost.rounds);
  INFO(cost.rounds_at_least);
  CHECK(cost.rounds_at_least < cost.rounds);
  CHECK(count(drawn, "with the best " + std::to_string(cost.rounds_at_least) + '<') == 1);
}
TEST_CASE("figures: addresses of other machines' sectors would be counted otherwise") {  // a control
  auto const late = co::linear{.base = 4, .stride = 4};
  CHECK(count(parsed(co::svg<cc90::load<32>>(late)), "transaction") !=
        count(parsed(co::svg<gfx942::global_load<32>>(late, 0xffff'ffff)), "transaction"));
  auto const tags = parsed(co::svg<cc90::shared_load<32>>(co::linear{.stride = 8}));
  CHECK(stacks(tags)[0] == 2);
  CHECK(stacks(tags)[0] != co::cost<cc90::shared_load<32>>(co::linear{.stride = 4}).rounds);
}

TEST_CASE("figures: the caption says the asserted numbers, the ideal, the rule and the counter") {
  std::string const late = co::svg<cc90::load<32>>(co::linear{.base = 4, .stride = 4});
  CHECK(count(late, "cuda::cc90::load&lt;32&gt; at lane * 4 + 4: 5 transactions at L1 (ideal: 4)<") == 2);
  CHECK(count(late, "128 bytes used of 160 moved") == 1);
  CHECK(count(late, "(documented: NVIDIA CUDA C++ Best Practices") == 1);
  CHECK(count(late, "profiler: transactions = l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum /") == 1);
  std::string const column = co::terminal<cc90::shared_load<32>>(co::linear{.stride = 36 * 4});
  CHECK(
      column.find(
          "cuda::cc90::shared_load<32> at lane * 144: 4 rounds (ideal: 1)\n  1 phase, 3 conflicts; at worst 4-way;") ==
      0);
  CHECK(count(column, "(may show more)\n") == 1);
  CHECK(count(late, "profiler: transactions = memory_l2_theoretical_sectors_global / inst_executed, each LDG<") == 1);
  CHECK(count(column, "memory_l1_wavefronts_shared / inst_executed, each LDS\n") == 1);
  std::string const on_amd = co::terminal<gfx942::global_load<32>>(co::linear{.stride = 4});
  CHECK(on_amd.find("profiler: transactions = TCP_TCC_READ_REQ_sum / SQ_INSTS_VMEM_RD (may show fewer)\n") !=
        on_amd.npos);
  std::string const sampled = co::svg<gcn::image_sample<128>>(co::linear{.stride = 16});
  CHECK(count(sampled,
              "gcn::image_sample&lt;128&gt; at lane * 16: 64 clocks at L1 (ideal: 64), 16 transactions at L2") == 2);
  CHECK(count(sampled, ">16 clocks<") == 4);
}
TEST_CASE("figures: the ideal of nine lanes that conflict side by side is that in place") {
  std::string const drawn = co::terminal<gfx942::ds_read<128>>(
      [](unsigned lane) { return 16ull * (lane == 0    ? 0
                                          : lane == 20 ? 8
                                                       : lane - 3); }, 0x10'07f1);
  CHECK(drawn.find("cdna::gfx942::ds_read<128> at 0, 16, 32, 48, ..., lanes 0 4-10 20: 9 rounds (ideal: 8)\n") == 0);
}
TEST_CASE("figures: rows that are alike are folded, and counted all the same") {
  std::string const strided = co::svg<cc90::load<128>>(co::linear{.stride = 65536});
  CHECK(count(strided, ">28 more alike<") == 1);
  CHECK(count(strided, ">byte 0x") == 4);
  CHECK(count(parsed(strided), "transaction") == 32);
  CHECK(count(co::svg<cc90::load<128>>(co::linear{.stride = 16}), "more alike") == 0);
}
TEST_CASE("figures: each 16 lanes of GCN have their own clocks") {
  std::string const drawn =
      co::svg<gcn::buffer_load<32>>([](unsigned lane) { return lane < 16 ? 4 * lane : 64 * lane; });
  CHECK(count(drawn, ">1 clock<") == 1);
  CHECK(count(drawn, ">4 clocks<") == 3);
}
TEST_CASE("figures: of six rows or more that are alike all but three and the last are folded") {
  for (unsigned const rows : {4u, 5u, 6u, 7u, 20u}) {
    std::string const drawn = co::svg<cc90::load<128>>(co::linear{.stride = 65536}, (std::uint64_t{1} << rows) - 1);
    std::string const text = co::terminal<cc90::load<128>>(co::linear{.stride = 65536}, (std::uint64_t{1} << rows) - 1);
    unsigned const folded = rows < 6 ? 0 : rows - 4;
    CAPTURE(rows);
    CHECK(count(parsed(drawn), "frame") == rows - folded);
    CHECK(count(drawn, " more alike<") == (folded != 0));
    CHECK(count(drawn, '>' + std::to_string(folded) + " more alike<") == (folded != 0));
    CHECK(count(text, "  " + std::to_string(folded) + " more alike\n") == (folded != 0));
    CHECK(count(text, "byte 0x") == rows - folded);
  }
  // The first of the seven stands alone, as long as it differs: by where it lies, how much of it is used, how many
  // words a cell has, whose size the transaction is of.
  auto const rows_of = [](auto first) { return [=](unsigned lane) { return lane == 0 ? first : 65536u * lane; }; };
  auto const drawn = [](auto const& pattern, auto mask) {
    return count(parsed(co::svg<cc90::load<32>>(pattern, mask)), "frame");
  };
  CHECK(drawn(rows_of(0u), 0x7f) == 7 - 3);
  CHECK(drawn(rows_of(4u), 0x7f) == 7 - 2);   // another word of the sector
  CHECK(drawn(rows_of(32u), 0x7f) == 7 - 2);  // another sector
  CHECK(drawn(rows_of(4u), 0x3f) == 6);       // and five that are alike
  auto const twice = [](unsigned lane) { return lane == 7 ? 4u : 65536u * lane; };
  CHECK(drawn(twice, 0xff) == 7 - 2);  // two words of the first row
  auto const sectors = [](unsigned lane) { return lane == 7 ? 96u : 65536u * lane; };
  CHECK(drawn(sectors, 0xff) == 7 - 2);  // two transactions of the first row
  auto const last = [](unsigned lane) { return lane == 7 ? 65536u * 6 + 96u : 65536u * lane; };
  CHECK(drawn(last, 0xff) == 7 - 2);  // of the last, which stands alone
  CHECK(count(parsed(co::svg<cc90::load<8>>(rows_of(0u), 0x7f)), "frame") == 7 - 3);
  CHECK(count(parsed(co::svg<cc90::load<8>>(rows_of(1u), 0x7f)), "frame") == 7 - 2);  // another byte of the word
  // CC 1.3: 32 or 64 bytes, and a second row alike after one that is not.
  auto const sizes = [](unsigned lane) { return lane == 7 ? 32u : 65536u * lane; };
  CHECK(count(parsed(co::svg<cc13::load<32>>(sizes, 0xff)), "frame") == 7 - 2);
  auto const middle = [](unsigned lane) { return 65536u * lane + (lane == 8 ? 4u : 0u); };
  CHECK(drawn(middle, 0x1ffff) == 17 - 4 - 4);  // eight alike, one that is not, eight alike
}
TEST_CASE("figures: folded transactions stand in rows of 32, in small") {
  std::string const drawn = co::svg<gcn::buffer_load<32>>(co::linear{.stride = 4096});
  auto const tags = parsed(drawn);
  CHECK(count(drawn, ">60 more alike<") == 1);
  std::map<unsigned, std::vector<unsigned>> at;  // x by y
  unsigned after = 0;
  for (tag const& each : tags) {
    if (each.is("transaction") && each.number("width") == 14) {
      at[each.number("y")].push_back(each.number("x"));
      CHECK(each.number("height") == 12);
    }
    if (each.is("frame")) after = each.number("y");
  }
  REQUIRE(at.size() == 2);
  auto const [top, first] = *at.begin();
  auto const [below, second] = *at.rbegin();
  CHECK(below == top + 16);
  CHECK(after == below + 24);
  CHECK(first.size() == 32);
  CHECK(second.size() == 28);
  for (unsigned k = 0; k != 32; ++k) CHECK(first[k] == 128 + 20 * k + 3);
  for (unsigned k = 0; k != 28; ++k) CHECK(second[k] == first[k]);
  CHECK(texts_are_apart(tags));
}
TEST_CASE("figures: each transaction and each lane says what it is") {
  auto const tags = parsed(co::svg<cc90::load<32>>(co::linear{.base = 4, .stride = 4}, 0xffff'00ff));
  CHECK(tip_of(tags, "t0") == "transaction 0: 32 bytes from 0x0, for lanes 0-6");
  CHECK(tip_of(tags, "t2") == "transaction 2: 32 bytes from 0x40, for lanes 16-22");
  CHECK(tip_of(tags, "t4") == "transaction 4: 32 bytes from 0x80, for lanes 31");
  CHECK(tip_of(tags, "lane31") == "lane 31: byte 128");
  auto const small = parsed(co::svg<cc13::load<8>>(co::linear{.base = 31}, 1));
  CHECK(tip_of(small, "t0") == "transaction 0: 32 bytes from 0x0, for lanes 0");
}
TEST_CASE("figures: a row is named by its first byte, and called one where there is room") {
  auto const name = [](std::uint64_t base, char const* is) {
    std::string const drawn = co::svg<cc90::load<32>>(co::linear{.base = base, .stride = 4});
    return count(drawn, std::string(">") + is + '<') == 1 && texts_are_apart(parsed(drawn));
  };
  CHECK(name(0x80, "byte 0x80"));
  CHECK(name(0xfedcba98700, "byte 0xfedcba98700"));
  CHECK(name(0xfedcba987600, "0xfedcba987600"));
}
TEST_CASE("figures: up to eight transactions of a warp have a line from each lane to its first byte in the first row") {
  auto const links = [](std::string const& drawn) {
    std::vector<std::string> found;
    for (tag const& each : parsed(drawn))
      if (each.is("link")) found.push_back(each.attributes.at("d"));
    return found;
  };
  // Lane k, at the middle of its column, to word k + 1. Lane 31 has its word in the second row: its line would run
  // behind the first. (The lanes end where the lines begin; the first row begins 44 further.)
  auto const late = links(co::svg<cc90::load<32>>(co::linear{.base = 4, .stride = 4}));
  REQUIRE(late.size() == 31);
  unsigned const top = static_cast<unsigned>(std::strtoul(late[0].substr(late[0].find(' ') + 1).c_str(), nullptr, 10));
  for (unsigned lane = 0; lane != 31; ++lane)
    CHECK(late[lane] == 'M' + std::to_string(128 + 20 * lane + 10) + ' ' + std::to_string(top) + 'L' +
                            std::to_string(128 + 20 * (lane + 1) + 10) + ' ' + std::to_string(top + 44));
  // Words of 16 bytes end in the middle of four; lanes of one word end together; an inactive lane has none.
  auto const wide = links(co::svg<cc90::load<128>>(co::linear{.stride = 16}, 0xffff));
  REQUIRE(wide.size() == 8);  // those of the first line
  CHECK(wide[0].find('L' + std::to_string(128 + 40) + ' ') != std::string::npos);
  CHECK(wide[1].find('L' + std::to_string(128 + 80 + 40) + ' ') != std::string::npos);
  CHECK(links(co::svg<cc90::load<32>>(co::broadcast{.base = 64}, 0xf0)).size() == 4);
  // Eight transactions have them, four in the first row; nine have not, nor have waves of 64 lanes.
  CHECK(links(co::svg<cc90::load<32>>(co::linear{.stride = 32}, 0xff)).size() == 4);
  CHECK(links(co::svg<cc90::load<32>>(co::linear{.stride = 32}, 0x1ff)).empty());
  CHECK(links(co::svg<gfx942::global_load<32>>(co::linear{.stride = 4}, 0xff)).empty());
  CHECK(links(co::svg<cc90::load<32>>(co::linear{.stride = 4}, 0)).empty());
}
TEST_CASE("figures: transactions of several sizes say theirs") {
  // CC 1.3: fifteen words of a half-warp in 64 bytes, one in the 32 bytes behind them.
  std::string const sizes = co::svg<cc13::load<32>>(co::linear{.base = 68, .stride = 4}, 0xffff);
  CHECK(count(sizes, ">64 bytes<") == 1);
  CHECK(count(sizes, ">32 bytes<") == 1);
  CHECK(texts_are_apart(parsed(sizes)));
  CHECK(count(co::svg<cc13::load<32>>(co::linear{.stride = 4}, 0xffff), ">64 bytes<") == 0);  // one size
}
TEST_CASE("figures: what is moved twice is drawn twice") {
  std::string const late = co::svg<cc10::load<32>>(co::linear{.base = 132, .stride = 4}, 0xffff);
  CHECK(count(parsed(late), "transaction") == 16);
  CHECK(count(late, ">byte 0x80<") == 1);
  CHECK(count(late, ">byte 0x80, 2nd time<") == 1);
  CHECK(count(late, ">byte 0x80, 3rd time<") == 1);
  CHECK(count(late, ">byte 0x80, 8th time<") == 1);
  CHECK(count(late, " time<") == 7);
  // A label has room for 20 letters.
  auto const twice = [](std::uint64_t base) {
    return co::svg<cc10::load<32>>(co::linear{.base = base + 4, .stride = 4}, 0x3);
  };
  CHECK(count(twice(0xa00), ">byte 0xa00, 2nd time<") == 1);
  CHECK(count(twice(0xa000), ">0xa000, 2nd time<") == 1);
  CHECK(count(twice(0xa0000000), ">0xa0000000, 2nd time<") == 1);
  CHECK(count(twice(0xa00000000), ">2nd time<") == 1);
}
TEST_CASE("figures: half-warps whose segments overlap stand in two rows, those that meet in one") {
  auto const rows = [](auto first, auto second) {
    return count(
        parsed(co::svg<cc13::load<32>>([=](unsigned lane) { return lane < 16 ? first(lane) : second(lane - 16); })),
        "frame");
  };
  auto const over_128 = [](unsigned lane) { return 8 * lane; };
  auto const over_64 = [](unsigned lane) { return 64 + 4 * lane; };
  auto const lower_64 = [](unsigned lane) { return 4 * lane; };
  CHECK(rows(over_128, over_64) == 2);
  CHECK(rows(over_64, over_128) == 2);
  CHECK(rows(over_64, lower_64) == 1);
  CHECK(rows(lower_64, over_64) == 1);
}
TEST_CASE("figures: no lane, one lane, both ends of the address space") {
  for (std::uint64_t const mask : {std::uint64_t{0}, std::uint64_t{1} << 31}) {
    CHECK(!parsed(co::svg<cc90::load<32>>(co::linear{.stride = 4}, mask)).empty());
    CHECK(!parsed(co::svg<cc90::shared_load<32>>(co::linear{.stride = 4}, mask)).empty());
    CHECK(!parsed(co::svg<gfx942::ds_read<128>>(co::linear{.stride = 16}, mask)).empty());
    CHECK(!parsed(co::svg<gcn::buffer_load<32>>(co::linear{.stride = 4}, mask)).empty());
  }
  CHECK(count(parsed(co::svg<gfx942::ds_read<128>>(co::linear{.stride = 16}, 0)), "round") == 0);
  CHECK(co::terminal<gfx942::ds_read<128>>(co::linear{.stride = 16}, 0)
            .find("cdna::gfx942::ds_read<128>, no lane: 0 rounds (ideal: 0)\n  0 phases, 0 conflicts;") == 0);
  std::string const top = co::svg<cc90::load<32>>(co::linear{.base = ~std::uint64_t{3}, .stride = -4});
  CHECK(count(top, ">0xffffffffffffff80<") == 1);
  CHECK(count(parsed(top), "transaction") == 4);
  CHECK(texts_are_apart(parsed(top)));
  // The segment of 128 bytes around address 0 of CC 1.0, whose lane 1 stands at 0.
  CHECK(!parsed(co::svg<cc10::load<32>>([](unsigned lane) { return 4ull * lane - 4; }, 0xfffe)).empty());
}
TEST_CASE("figures: a copy that reads nothing has lanes, and no transaction") {
  using nothing = cc90::cp_async<16, 0>::global;
  std::string const drawn = co::svg<nothing>(co::linear{.stride = 16}, 0xffff'fff0);
  auto const tags = parsed(drawn);
  REQUIRE(!tags.empty());
  CHECK(count(tags, "transaction") == 0);
  CHECK(count(tags, "frame") == 0);  // no row of memory
  CHECK(count(tags, "off") == 4);
  CHECK(count(tags, "cell") == 28);
  CHECK(count(drawn, "fill=\"url(#f") == 0);  // hues are of transactions
  CHECK(tip_of(tags, "lane5") == "lane 5: byte 80, not read");
  CHECK(count(drawn, ">0 bytes used of 0 moved<") == 1);
  CHECK(texts_are_apart(tags));
  std::string const text = co::terminal<nothing>(co::linear{.stride = 16}, 0xffff'fff0);
  CHECK(
      below_the_words(text) ==
      "               lanes  -  -  -  -  4  5  6  7  8  9  10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 "
      "30 31\n");
  for (std::uint64_t const mask : {std::uint64_t{0}, std::uint64_t{1} << 31}) {
    CHECK(!parsed(co::svg<nothing>(co::linear{.stride = 16}, mask)).empty());
    CHECK(!co::terminal<nothing>(co::linear{.stride = 16}, mask).empty());
  }
  // Beside it: a byte that is read has its sector and its hue.
  CHECK(count(parsed(co::svg<cc90::cp_async<16, 1>::global>(co::linear{.stride = 16}, 1)), "transaction") == 1);
}
TEST_CASE("figures: 64 banks are two halves of one round, and several lanes of a word are one cell") {
  auto const wide = parsed(co::svg<gfx950::ds_read<32>>(co::linear{.stride = 4}));
  CHECK(count(wide, "round") == 1);
  CHECK(count(wide, "frame") == 1);
  CHECK(count(wide, "word") == 64);
  std::string const same = co::svg<cc90::shared_load<32>>(co::broadcast{.base = 0});
  CHECK(count(parsed(same), "word") == 1);
  CHECK(count(same, ">\u00d732<") == 1);
}

TEST_CASE("figures: a phase without lanes, and a round that a rule adds, say so") {
  std::string const half = co::svg<gfx942::ds_read<32>>(co::linear{.stride = 4}, 0xffff'ffff);
  CHECK(count(half, ">no lane is active: a round all the same<") == 1);
  CHECK(count(half, ">0 lanes<") == 1);
  CHECK(count(half, ">0-31<") == 1);
  CHECK(count(half, ">phase 0, 1 round<") == 1);
  CHECK(count(half, ">phase 1, 1 round<") == 1);
  CHECK(count(half, "a round that the rule adds") == 0);
}
TEST_CASE("figures: why a round is there stands in its middle; lanes are named where 18 letters are enough") {
  auto const tags = parsed(co::svg<gfx942::ds_read<32>>(co::linear{.stride = 4}, 0xffff'ffff));
  unsigned rounds = 0, top = 0;
  for (tag const& each : tags) {
    if (each.is("round") && ++rounds == 2) top = each.number("y");
    if (each.text.find("no lane is active") == 0) {
      CHECK(rounds == 2);
      CHECK(each.number("x") == 128 + 32 * 20 / 2);
      CHECK(each.number("y") == top + 13);
    }
  }
  auto const says = [](std::uint64_t lanes, char const* words) {
    return count(co::svg<gfx942::ds_read<32>>(co::linear{.stride = 4}, lanes), std::string(">") + words + '<') == 1;
  };
  CHECK(says(0x55405, "0 2 10 12 14 16 18"));
  CHECK(says(0x155401, "7 lanes"));  // 19 letters
}
TEST_CASE("figures: a cell names its lanes where they fit, six letters in two words") {
  CHECK(count(co::svg<cc90::load<64>>(co::broadcast{}, 0x100f), ">0-3 12<") == 1);
  CHECK(count(co::svg<cc90::load<64>>(co::broadcast{}, 0x103f00), ">8-13 20<") == 0);
  CHECK(count(co::svg<cc90::load<64>>(co::broadcast{}, 0x103f00), ">\u00d77<") == 1);
}
TEST_CASE("figures: each word says its banks, its round and its lanes") {
  // Lanes 8 words apart in rows of 32 banks: four words in each of eight banks; of gfx950 two halves.
  std::string const column = co::svg<cc90::shared_load<32>>(co::linear{.stride = 32});
  for (unsigned lane = 0; lane != 32; ++lane)
    CHECK(count(column, ">bank " + std::to_string(8 * lane % 32) + ", round " + std::to_string(lane / 4 + 1) +
                            ": lanes " + std::to_string(lane) + '<') == 1);
  std::string const halves = co::svg<gfx950::ds_read<64>>(co::linear{.stride = 8});
  CHECK(count(halves, ">bank 0 to 1, round 1: lanes 0<") == 1);
  CHECK(count(halves, ">bank 0 to 1, round 1: lanes 32<") == 1);
  CHECK(count(halves, ">bank 32 to 33, round 1: lanes 16<") == 1);
  CHECK(count(halves, ">bank 62 to 63, round 1: lanes 63<") == 1);
  CHECK(count(halves, ">banks, upper row<") == 1);
  CHECK(count(halves, ">banks, lower row<") == 1);
  CHECK(count(halves, ">63<") == 1 + 1 + 1);  // a bank, and lane 63: above, and in its cell
}

TEST_CASE("figures: each of two rounds of 64 banks has two rows, and says its lanes") {
  // Eight lanes in the upper row, eight a row of banks further, and eight in the lower row of the first.
  std::string const drawn = co::svg<gfx950::ds_read<64>>(
      [](unsigned lane) { return lane < 8    ? 8 * lane
                                 : lane < 16 ? 8 * (lane - 8) + 256
                                             : 8 * lane; }, 0xff'ffff);
  CHECK(count(drawn, ">phase 0, round 1<") == 1);
  CHECK(count(drawn, ">0-7 16-23<") == 1);
  CHECK(count(drawn, ">round 2<") == 1);
  CHECK(count(drawn, ">8-15<") == 1);
  CHECK(count(drawn, ">phase 1, 1 round<") == 1);
  // The rows of the first round stand above those of the second.
  std::vector<unsigned> tops;
  for (tag const& each : parsed(drawn))
    if (each.is("round") || each.is("frame")) tops.push_back(each.number("y"));
  REQUIRE(tops.size() == 2 * 3);
  CHECK(tops[1] == tops[0] + 18);
  CHECK(tops[2] > tops[1] + 18);
  CHECK(tops[3] == tops[2] + 18);
}
TEST_CASE("figures: the pieces of a line say how far they lie behind its first byte") {
  std::string const sectors = co::svg<cc90::load<32>>(co::linear{.base = 4, .stride = 4});
  for (char const* piece : {">+0<", ">+32<", ">+64<", ">+96<"}) CHECK(count(sectors, piece) == 1);
  std::string const halves = co::svg<gcn::buffer_load<32>>(co::linear{.stride = 4});
  CHECK(count(halves, ">+0<") + count(halves, ">+64<") == 2);
  CHECK(count(halves, ">+32<") == 0);
  CHECK(count(co::svg<gfx942::global_load<32>>(co::linear{.stride = 4}), ">+") == 0);  // lines of 128 bytes
}

// ---- Legends, titles, colours ----

TEST_CASE("figures: the legend explains what the picture has, and nothing else") {
  auto const has = [](std::string const& drawn, std::vector<char const*> const& words) {
    for (char const* all : {"a transaction", "a colour for each transaction", "moved, not used", "as many lanes",
                            "an inactive lane", "a lane that reads nothing", "a transaction of a row like those above",
                            "4 lanes (a quad), and 16 lanes with their clocks", "a word, and the lanes that want it",
                            "a word that had to wait: a conflict", "a colour for each phase",
                            "a word of the read, and its lanes", "words of the write"}) {
      bool const is_wanted = std::find_if(words.begin(), words.end(),
                                          [all](char const* each) { return std::string(each) == all; }) != words.end();
      if (count(drawn, '>' + std::string(all) + '<') != is_wanted) {
        MESSAGE(all);
        return false;
      }
    }
    return texts_are_apart(parsed(drawn));
  };
  CHECK(has(co::svg<cc90::load<32>>(co::linear{.base = 4, .stride = 4}),
            {"a transaction", "a colour for each transaction", "moved, not used"}));
  CHECK(has(co::svg<gfx942::global_load<32>>(co::linear{.stride = 4}, 0xffff),
            {"a transaction", "moved, not used", "an inactive lane"}));
  CHECK(has(co::svg<cc90::load<64>>(co::linear{.stride = 65536}),
            {"a transaction", "a colour for each transaction", "moved, not used",
             "a transaction of a row like those above"}));
  CHECK(has(co::svg<cc90::load<32>>(co::broadcast{}), {"a transaction", "moved, not used", "as many lanes"}));
  CHECK(has(co::svg<cc90::cp_async<16, 0>::global>(co::linear{.stride = 16}), {"a lane that reads nothing"}));
  CHECK(has(co::svg<gcn::buffer_load<32>>(co::linear{.stride = 4}),
            {"a transaction", "a colour for each transaction", "4 lanes (a quad), and 16 lanes with their clocks"}));
  CHECK(has(co::svg<cc90::shared_load<32>>(co::linear{.stride = 4}), {"a word, and the lanes that want it"}));
  CHECK(has(co::svg<cc90::shared_load<32>>(co::linear{.stride = 8}),
            {"a word, and the lanes that want it", "a word that had to wait: a conflict"}));
  CHECK(has(co::svg<gfx942::ds_read<32>>(co::broadcast{}),
            {"a word, and the lanes that want it", "a colour for each phase", "as many lanes"}));
  CHECK(has(co::svg<cc90::shared_store<32>, cc90::shared_load<32>>(co::swizzle{.bits = 5, .base = 2, .shift = 5},
                                                                   co::linear{.stride = 4}, co::linear{.stride = 128}),
            {"a word of the read, and its lanes", "words of the write"}));
}
TEST_CASE("figures: the title alone, with the drawing and its legend") {
  auto const late = co::linear{.base = 4, .stride = 4};
  std::string const whole = co::svg<cc90::load<32>>(late);
  std::string const title = co::svg<cc90::load<32>>(late, co::all_lanes, co::caption::title);
  CHECK(whole == co::svg<cc90::load<32>>(late, co::all_lanes, co::caption::whole));
  CHECK(count(whole, "128 bytes used of 160 moved") == 1);
  CHECK(count(title, "128 bytes used of 160 moved") == 0);
  CHECK(count(title, "documented") == 0);
  // Its <title> too.
  CHECK(count(title, ">cuda::cc90::load&lt;32&gt; at lane * 4 + 4: 5 transactions at L1 (ideal: 4)<") == 2);
  auto const tags = parsed(title);
  CHECK(count(tags, "c") == 0);
  CHECK(count(tags, "transaction") == 5);
  CHECK(count(title, ">moved, not used<") == 1);
  CHECK(texts_are_apart(tags));
  std::string const swizzled = co::svg<cc90::shared_store<32>, cc90::shared_load<32>>(
      co::swizzle{.bits = 5, .base = 2, .shift = 5}, co::linear{.stride = 4}, co::linear{.stride = 128},
      co::caption::title);
  CHECK(count(parsed(swizzled), "c") == 0);
  CHECK(count(swizzled, ">31<") == 2 + 2);  // a bank and a lane, on both sides
#ifdef __cpp_exceptions
  CHECK_THROWS_AS(static_cast<void>(co::svg<cc90::load<32>>(late, co::all_lanes, static_cast<co::caption>(2))),
                  co::misuse);
#endif
}

namespace {

/// Relative luminance of a colour of three or six digits, #222 or #e69f00 (WCAG 2.2, "relative luminance").
double luminance(std::string const& colour) {
  double const weight[3] = {0.2126, 0.7152, 0.0722};
  double sum = 0;
  for (unsigned part = 0; part != 3; ++part) {
    std::string const digits = colour.size() == 4 ? std::string(2, colour[1 + part]) : colour.substr(1 + 2 * part, 2);
    double const value = static_cast<double>(std::strtoul(digits.c_str(), nullptr, 16)) / 255;
    sum += weight[part] * (value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4));
  }
  return sum;
}
/// How well two colours can be told apart: 1 to 21 (WCAG 2.2, "contrast ratio").
double contrast(std::string const& a, std::string const& b) {
  double const first = luminance(a), second = luminance(b);
  return (std::max(first, second) + 0.05) / (std::min(first, second) + 0.05);
}
/// The last colour that a style sheet gives a class: "fill" or "stroke" of ".link". In the dark its last block counts.
std::string colour_of(std::string const& drawn, std::string const& selector, std::string const& property, bool dark) {
  std::size_t const begin = drawn.find("<style>"), at_dark = drawn.find("@media", begin), end = drawn.find("</style>");
  std::string sheet = drawn.substr(begin + 7, (dark ? end : at_dark) - begin - 7), found;
  sheet.erase(std::remove(sheet.begin(), sheet.end(), '\n'), sheet.end());
  for (std::size_t at = 0, open; (open = sheet.find('{', at)) != std::string::npos;) {
    std::string const selectors = ',' + sheet.substr(at, open - at) + ',';
    if (selectors.find("@media") != std::string::npos) {
      at = open + 1;
      continue;
    }
    std::size_t const close = sheet.find('}', open);
    std::string const rules = ';' + sheet.substr(open + 1, close - open - 1) + ';';
    std::size_t const rule = rules.find(';' + property + ":#");
    if (selectors.find(',' + selector + ',') != std::string::npos && rule != std::string::npos)
      found = rules.substr(rule + property.size() + 2, rules.find(';', rule + 1) - rule - property.size() - 2);
    at = close + 1;
  }
  return found;
}

}  // namespace

TEST_CASE("figures: every colour stands out from both grounds, and every digit from its cell") {
  std::string const drawn = co::svg<cc90::load<32>>(co::linear{.base = 4, .stride = 4});
  CHECK(contrast("#000", "#fff") == doctest::Approx(21));
  CHECK(contrast("#767676", "#ffffff") == doctest::Approx(4.54).epsilon(0.01));  // WCAG's example of 4.5
  for (bool const dark : {false, true}) {
    CAPTURE(dark);
    std::string const ground = colour_of(drawn, ".page", "fill", dark);
    CHECK(ground == (dark ? "#16181c" : "#fff"));
    // Text: 4.5. Lines and outlines that carry a meaning: 3. The grid, which carries none: less.
    for (char const* selector : {"text", ".m", ".r"}) {
      std::string const colour = colour_of(drawn, selector, "fill", dark);
      CAPTURE(selector);
      REQUIRE(!colour.empty());
      CHECK(contrast(colour, ground) >= 4.5);
    }
    for (char const* selector : {".transaction", ".again", ".written", ".link", ".bracket", ".hatch", ".off",
                                 ".key-transaction", ".key-again", ".key-written", ".key-bracket", ".key-off"}) {
      std::string const colour = colour_of(drawn, selector, "stroke", dark);
      CAPTURE(selector);
      REQUIRE(!colour.empty());
      CHECK(contrast(colour, ground) >= 3);
    }
    for (char const* selector : {".frame", ".round", ".tick"}) {
      std::string const colour = colour_of(drawn, selector, "stroke", dark);
      REQUIRE(!colour.empty());
      CHECK(contrast(colour, ground) >= 1.5);
    }
    // The digits of a cell, in each hue; its outline, or its hue itself, against the ground.
    for (unsigned hue = 0; hue != 7; ++hue) {
      std::string const kind = ".k" + std::to_string(hue), cell = colour_of(drawn, kind, "stroke", dark);
      CAPTURE(kind);
      REQUIRE(!cell.empty());
      CHECK(contrast(colour_of(drawn, kind, "fill", dark), cell) >= 4.5);
      CHECK(std::max(contrast(cell, ground), contrast(colour_of(drawn, ".cell", "stroke", dark), ground)) >= 3);
    }
  }
  // The control: the colour that conflicts had on the dark ground.
  CHECK(contrast("#222", "#16181c") < 3);
}

// ---- In a terminal ----

TEST_CASE("in a terminal: words late, and lanes that are not active") {
  CHECK(
      below_the_words(co::terminal<cc90::load<32>>(co::linear{.base = 4, .stride = 4}, 0xffff'00ff)) ==
      "               lanes  0  1  2  3  4  5  6  7  -  -  -  -  -  -  -  -  16 17 18 19 20 21 22 23 24 25 26 27 28 29 "
      "30 31\n"
      "            byte 0x0 [.  0  1  2  3  4  5  6 |7  .  .  .  .  .  .  . |.  16 17 18 19 20 21 22|23 24 25 26 27 28 "
      "29 30]\n"
      "           byte 0x80 [31 .  .  .  .  .  .  . ]\n");
}
TEST_CASE("in a terminal: lanes that share a word, wide words, a line that is moved twice") {
  // Sixteen lanes in word 0, eight in word 16 and eight, 200 bytes further, in word 2 of line 2.
  CHECK(rows_of_memory(co::terminal<cc90::load<8>>(
            [](unsigned lane) { return lane < 16 ? lane / 8 * 2 : 64 + 200 * (lane & 1); })) ==
        "            byte 0x0 [++ .  .  .  .  .  .  . ]                       [++ .  .  .  .  .  .  . ]\n"
        "          byte 0x100 [.  .  ++ .  .  .  .  . ]\n");
  // Two words have room for five letters.
  CHECK(rows_of_memory(co::terminal<cc90::load<64>>(co::broadcast{}, 0xfff0'ffff)) ==
        "            byte 0x0 [many  .  .  .  .  .  . ]\n");
  CHECK(rows_of_memory(co::terminal<cc90::load<64>>(co::broadcast{}, 0xff00)) ==
        "            byte 0x0 [8-15  .  .  .  .  .  . ]\n");
  // CC 1.3: a half-warp's bytes 100, 103 ... 145, the other's 148 ... 193, in segments of 32 bytes.
  CHECK(rows_of_memory(co::terminal<cc13::load<8>>(co::linear{.base = 100, .stride = 3})) ==
        "            byte 0x0                                                                         "
        "[.  ++ 2  3  ++ 6  7  ++]\n"
        "           byte 0x80 [10 11 ++ 14 15 .  .  . |++ 22 23 ++ 26 27 ++ 30|31 .  .  .  .  .  .  . ]\n"
        " byte 0x80, 2nd time [.  .  .  .  .  ++ 18 19]\n");
}
TEST_CASE("in a terminal: two rows of lanes, their clocks, and rows that are folded") {
  // Lanes 0 to 15 are neighbours, the others 16 bytes apart.
  CHECK(
      below_the_words(
          co::terminal<gcn::buffer_load<32>>([](unsigned lane) { return lane < 16 ? 4 * lane : 16 * lane; })) ==
      "               lanes  0  1  2  3  4  5  6  7  8  9  10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 "
      "30 31\n"
      "               lanes  32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 "
      "62 63\n"
      "              clocks [                    1 clock                    |                   4 clocks              "
      "      ]\n"
      "              clocks [                   4 clocks                    |                   4 clocks              "
      "      ]\n"
      "            byte 0x0 [0  1  2  3  4  5  6  7  8  9  10 11 12 13 14 15]\n"
      "          byte 0x100 [16 .  .  .  17 .  .  .  18 .  .  .  19 .  .  . |20 .  .  .  21 .  .  .  22 .  .  .  23 .  "
      ".  . ]\n"
      "          byte 0x180 [24 .  .  .  25 .  .  .  26 .  .  .  27 .  .  . |28 .  .  .  29 .  .  .  30 .  .  .  31 .  "
      ".  . ]\n"
      "          byte 0x200 [32 .  .  .  33 .  .  .  34 .  .  .  35 .  .  . |36 .  .  .  37 .  .  .  38 .  .  .  39 .  "
      ".  . ]\n"
      "                      2 more alike\n"
      "          byte 0x380 [56 .  .  .  57 .  .  .  58 .  .  .  59 .  .  . |60 .  .  .  61 .  .  .  62 .  .  .  63 .  "
      ".  . ]\n");
}
TEST_CASE("in a terminal: the banks of one phase, and those of two with two rounds each") {
  constexpr char const* banks =
      "               banks  0  1  2  3  4  5  6  7  8  9  10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 "
      "30 31\n";
  CHECK(below_the_words(co::terminal<cc90::shared_load<32>>(co::broadcast{.base = 8})) ==
        std::string(banks) + "             1 round       [++]\n");
  // Half-warps: 16 bytes apart, lane 8 of each is at bank 0 again.
  CHECK(below_the_words(co::terminal<cc90::shared_load<64>>(co::linear{.stride = 16})) ==
        std::string(banks) +
            "   phase 0, 2 rounds [  0  ]     [  1  ]     [  2  ]     [  3  ]     [  4  ]     [  5  ]     [  6  ]     "
            "[  7  ]\n"
            "                     [  8  ]     [  9  ]     [ 10  ]     [ 11  ]     [ 12  ]     [ 13  ]     [ 14  ]     "
            "[ 15  ]\n"
            "   phase 1, 2 rounds [ 16  ]     [ 17  ]     [ 18  ]     [ 19  ]     [ 20  ]     [ 21  ]     [ 22  ]     "
            "[ 23  ]\n"
            "                     [ 24  ]     [ 25  ]     [ 26  ]     [ 27  ]     [ 28  ]     [ 29  ]     [ 30  ]     "
            "[ 31  ]\n");
  // gfx942 takes a round for 32 lanes of which none is active.
  CHECK(below_the_words(co::terminal<gfx942::ds_read<32>>(co::linear{.stride = 8}, 0xffff)) ==
        std::string(banks) +
            "    phase 0, 1 round [0 ]  [1 ]  [2 ]  [3 ]  [4 ]  [5 ]  [6 ]  [7 ]  [8 ]  [9 ]  [10]  [11]  [12]  [13]  "
            "[14]  [15]\n"
            "    phase 1, 1 round                              no lane is active: a round all the same\n");
}
TEST_CASE("in a terminal: 64 banks are two lines a round") {
  // Two dwords a lane, sixteen lanes a line; lanes 32 to 35 at the end of the lower row.
  CHECK(
      below_the_words(co::terminal<gfx950::ds_read<64>>(
          [](unsigned lane) { return 8 * lane + (lane >= 32 && lane < 36 ? 256 - 32 : 0); }, 0xf'ffff'ffff)) ==
      "               banks  0  1  2  3  4  5  6  7  8  9  10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 "
      "29 30 31\n"
      "                      32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 "
      "61 62 63\n"
      "    phase 0, 1 round [  0  |  1  |  2  |  3  |  4  |  5  |  6  |  7  |  8  |  9  | 10  | 11  | 12  | 13  | 14  "
      "| 15  ]\n"
      "                     [ 16  | 17  | 18  | 19  | 20  | 21  | 22  | 23  | 24  | 25  | 26  | 27  | 28  | 29  | 30  "
      "| 31  ]\n"
      "    phase 1, 1 round\n"
      "                                                                                             [ 32  | 33  | 34  "
      "| 35  ]\n");
}
TEST_CASE("in a terminal: two rounds of 64 banks, upper and lower row each") {
  // Eight lanes a row of banks further than eight others, in the upper row, and eight in the lower.
  auto const text = lines_of(below_the_words(co::terminal<gfx950::ds_read<64>>(
      [](unsigned lane) { return lane < 8    ? 8 * lane
                                 : lane < 16 ? 8 * (lane - 8) + 256
                                             : 8 * lane; }, 0xff'ffff)));
  REQUIRE(text.size() == 2 + 4 + 2 + 1);
  CHECK(text[2] == "   phase 0, 2 rounds [  0  |  1  |  2  |  3  |  4  |  5  |  6  |  7  ]");
  CHECK(text[3] == "                     [  8  |  9  | 10  | 11  | 12  | 13  | 14  | 15  ]");
  CHECK(text[4] == "                     [ 16  | 17  | 18  | 19  | 20  | 21  | 22  | 23  ]");
  CHECK(text[5] == "");
  CHECK(text[6] == "    phase 1, 1 round                              no lane is active: a round all the same");
  CHECK(text[7] == "");
}
TEST_CASE("in a terminal: no line is longer than 120 columns") {
  for (std::string const& text :
       {co::terminal<gcn::buffer_load<32>>(co::linear{.stride = 4}),
        co::terminal<cc90::load<32>>(co::linear{.base = ~std::uint64_t{127}, .stride = 4}),
        co::terminal<gfx950::ds_read<128>>(co::linear{.stride = 16}), co::terminal<cc20::shared_load<8>>(co::linear{})})
    for (std::string const& line : lines_of(text)) {
      CHECK(line.size() <= 120);
      CHECK((line.empty() || line.back() != ' '));
    }
}

// ---- Words ----

TEST_CASE("figures: lanes as ranges, numbers with their nouns, addresses") {
  using namespace co::detail::figure;
  CHECK(ranges(0) == "");
  CHECK(ranges(1) == "0");
  CHECK(ranges(0b11) == "0 1");
  CHECK(ranges(0b111) == "0-2");
  CHECK(ranges(0x00f0'000f) == "0-3 20-23");
  CHECK(ranges(std::uint64_t{1} << 63) == "63");
  CHECK(ranges(std::uint64_t{3} << 62 | 1) == "0 62 63");
  CHECK(ranges(co::all_lanes) == "0-63");
  CHECK(counted(0, "clock") == "0 clocks");
  CHECK(counted(1, "clock") == "1 clock");
  CHECK(counted(2, "clock") == "2 clocks");
  CHECK(hexadecimal(0) == "0x0");
  CHECK(hexadecimal(0x10) == "0x10");
  CHECK(hexadecimal(~std::uint64_t{0}) == "0xffffffffffffffff");
  CHECK(escaped("a<b> & \"c\"") == "a&lt;b&gt; &amp; &quot;c&quot;");
}
TEST_CASE("figures: lines break at the last space that fits, and where there is none") {
  using lines = std::vector<std::string>;
  auto const wrapped = [](char const* text, std::size_t letters) {
    auto const made = co::detail::figure::wrapped(text, letters);
    return lines(made.begin(), made.end());
  };
  CHECK(wrapped("", 5) == lines{""});
  CHECK(wrapped("one", 5) == lines{"one"});
  CHECK(wrapped("12345", 5) == lines{"12345"});
  CHECK(wrapped("one two", 5) == lines{"one", "two"});
  CHECK(wrapped("12345 6", 5) == lines{"12345", "6"});
  CHECK(wrapped("1 2 3 4", 5) == lines{"1 2 3", "4"});
  CHECK(wrapped("123456789", 5) == lines{"12345", "6789"});
  CHECK(wrapped("12345678901", 5) == lines{"12345", "67890", "1"});
}
TEST_CASE("figures: titles have 96 letters a line, other words 109, in a terminal 116") {
  using namespace co::detail::figure;
  auto const letters = [](std::size_t number) { return std::string(number, 'a'); };
  auto const said = [](std::string const& title, std::vector<std::string> const& lines) {
    return caption_words{title, {lines.data(), lines.data() + lines.size()}};
  };
  canvas drawn;
  caption_words const words = said(letters(96) + " b", {letters(109) + " c", letters(110)});
  drawn.words(words);
  drawn.further_words(words);
  auto const tags = parsed(drawn.finish({"", {}}));
  std::vector<std::size_t> lengths;
  std::vector<unsigned> baselines;
  for (tag const& each : tags)
    if (each.name == "text")
      lengths.push_back(each.text.find('\n') == std::string::npos ? each.text.size() : each.text.find('\n')),
          baselines.push_back(each.number("y"));
  CHECK(lengths == std::vector<std::size_t>{96, 1, 109, 1, 109, 1});
  CHECK(baselines == std::vector<unsigned>{30, 46, 62, 78, 116, 132});
  caption_words const three = said("title", {letters(116) + " b", letters(116)});
  CHECK(words_above(three) == "title\n  " + letters(116) + "\n  b\n  " + letters(116) + "\n");
  CHECK(words_below(three) == "");
  // the third line would not stand before the second
  caption_words const four = said("title", {letters(116) + " b", letters(117), "c"});
  CHECK(words_above(four) == "title\n  " + letters(116) + "\n  b\n");
  CHECK(words_below(four) == "  " + letters(116) + "\n  a\n  c\n");
}
TEST_CASE("figures: a title and three lines above the drawing, the rest of the words below it") {
  auto const check = [](std::string const& drawn, std::size_t words) {
    auto const tags = parsed(drawn);
    unsigned top = ~0u, bottom = 0;
    for (tag const& each : tags)
      if (each.name == "rect" && each.attributes.count("y") != 0)
        top = std::min(top, each.number("y")), bottom = std::max(bottom, each.number("y"));
    std::size_t above = 0, below = 0;
    for (tag const& each : tags)
      if (each.is("c")) {
        bool const is_above = each.number("y") < top;
        CHECK((is_above || each.number("y") > bottom));
        (is_above ? above : below) += 1;
      }
    CHECK(above <= 3);
    CHECK(above + below == words);
    CHECK(texts_are_apart(tags));
    return below;
  };
  auto const lines = [](std::string const& drawn) { return count(parsed(drawn), "c"); };
  std::size_t below = 0;
  for (std::string const& drawn :
       {co::svg<cc90::load<32>>(co::linear{.base = 4, .stride = 4}),
        co::svg<cc90::shared_load<32>>(co::linear{.stride = 128}),
        co::svg<gcn::buffer_load<32>>(co::linear{.stride = 8}), co::svg<gfx942::ds_read<128>>(co::linear{.stride = 64}),
        co::svg<cc13::load<32>>(co::linear{.stride = 8}),
        co::svg<gfx942::global_load<32>>(co::linear{.stride = 4}, 0xffff)})
    below += check(drawn, lines(drawn));
  CHECK(below > 6);
  // In a terminal the drawing begins with the banks, or the lanes.
  std::string const column = co::terminal<cc90::shared_load<32>>(co::linear{.stride = 36 * 4});
  CHECK(count(column.substr(0, column.find("banks  ")), "\n") <= 4);
  CHECK(column.find("profiler: ") > column.find("[31]"));
  CHECK(count(co::terminal<cc90::shared_load<32>>(co::linear{.stride = 36 * 4}, co::all_lanes, co::caption::title),
              "profiler: ") == 0);
}
TEST_CASE("figures: the title names the pattern that was asked, as its user writes it") {
  auto const named = [](auto const& pattern, std::uint64_t active = co::all_lanes) {
    std::string const drawn = co::terminal<cc75::load<32>>(pattern, active);
    std::string const name = "cuda::cc75::load<32>";
    REQUIRE(drawn.find(name) == 0);
    return drawn.substr(name.size(), drawn.find(": ") - name.size());
  };
  using every = co::linear;
  CHECK(named(every{.stride = 128}) == " at lane * 128");
  CHECK(named(every{.base = 4, .stride = 4}) == " at lane * 4 + 4");
  CHECK(named(every{.base = 124, .stride = -4}) == " at lane * -4 + 124");
  CHECK(named(every{.base = 64}) == " at 64");
  CHECK(named(every{}) == " at 0");
  CHECK(named(every{.stride = 4}, 0xffff) == " at lane * 4, lanes 0-15");
  CHECK(named(every{.stride = 4}, 0x8000'0000) == " at 124, lane 31");
  CHECK(named(every{.stride = 4}, 0) == ", no lane");
  CHECK(named(every{.stride = 4}, 0x5555'5555) == " at lane * 4, 16 lanes");
  CHECK(named([](unsigned lane) { return lane < 16 ? 0 : 4 * lane - 64; }, 0xffff'0000) ==
        " at lane * 4 - 64, lanes 16-31");
  CHECK(named([](unsigned lane) { return lane % 8 * 4096 + lane / 8 * 4; }) == " at lane % 8 * 4096 + lane / 8 * 4");
  CHECK(named([](unsigned lane) { return lane / 4 * 4; }) == " at lane / 4 * 4");
  CHECK(named([](unsigned lane) { return lane % 4 * 4 + 8; }) == " at lane % 4 * 4 + 8");
  CHECK(named([](unsigned lane) { return (lane ^ lane / 4 % 4) * 4; }) == " at 0, 4, 8, 12, ...");
  CHECK(named([](unsigned lane) { return lane * lane * 4; }, 0x1c) == " at 16, 36, 64, lanes 2-4");
  CHECK(named(every{.base = ~std::uint64_t{3}, .stride = -4}) == " at lane * -4 - 4");  // the top of the address space
  // Each text means the addresses: none but its own pattern is named so.
  CHECK(named([](unsigned lane) { return lane == 31 ? 128 : lane * 4; }) == " at 0, 4, 8, 12, ...");
  // An instruction of one lane. clang warned of the second lane's address.
  CHECK(co::terminal<gcn::s_load<4>>(co::broadcast{.base = 64}).find("gcn::s_load<4> at 64: ") == 0);
}
TEST_CASE("figures: where a transaction goes, at each level") {
  using co::detail::figure::place_of, co::level;
  CHECK(std::string(place_of(level::dram)) == "to DRAM");
  CHECK(std::string(place_of(level::l2)) == "at L2");
  CHECK(std::string(place_of(level::l1)) == "at L1");
  CHECK(std::string(place_of(level::l0)) == "at L0");
  CHECK(std::string(place_of(level::constant_cache)) == "at the constant cache");
  CHECK(std::string(place_of(level::lds)) == "");
}

TEST_CASE("figures: instructions of all lanes") {
  CHECK(count(parsed(co::svg<cc90::ldmatrix<4>>(co::linear{.stride = 128})), "round") == 32);
  CHECK(count(parsed(co::svg<gfx950::ds_read_tr<64>>(co::linear{.stride = 8})), "round") ==
        co::cost<gfx950::ds_read_tr<64>>(co::linear{.stride = 8}).rounds);
}

TEST_CASE("figures: a swizzle before and after, with a phase of its read and of its write") {
  constexpr co::swizzle by_row{.bits = 3, .base = 4, .shift = 3};
  constexpr auto rows = [](unsigned lane) { return 128 * (lane % 16) + 16 * (lane / 16); };
  constexpr auto neighbours = co::linear{.stride = 16};
  std::string const drawn = co::svg<gfx942::ds_write<128>, gfx942::ds_read<128>>(by_row, neighbours, rows);
  auto const tags = parsed(drawn);
  CHECK(
      count(drawn,
            ">cdna::gfx942::ds_read&lt;128&gt; at lane % 16 * 128 + lane / 16 * 16: 32 rounds, 8 with the swizzle<") ==
      2);
  CHECK(count(drawn, ">before: read in 32 rounds, written in 8 rounds<") == 1);
  CHECK(count(drawn, ">after: read in 8 rounds, written in 8 rounds<") == 1);
  CHECK(count(tags, "read") == 2 * 8);
  CHECK(count(tags, "written") == 2 * 8);
  CHECK(texts_are_apart(tags));
  // The read has as many elements above each other as its phase has rounds: four before, one after.
  std::map<unsigned, unsigned> before, after;
  for (tag const& each : tags)
    if (each.is("read")) ++(each.number("x") < 440 ? before : after)[each.number("x")];
  CHECK(before.size() == 2);
  CHECK(before.begin()->second == co::phases<gfx942::ds_read<128>>(rows)[0].rounds);
  CHECK(after.size() == 8);
}

TEST_CASE("figures: of a swizzle the phases with the most rounds, whichever they are") {
  // The second half-wave reads a column, and writes one of 16-byte steps; 64 bits a lane have room for their lanes.
  constexpr auto read = [](unsigned lane) { return lane < 32 ? 8 * lane : 256 * (lane - 32); };
  constexpr auto written = [](unsigned lane) { return lane < 32 ? 8 * lane : 16 * lane; };
  std::string const drawn =
      co::svg<gfx942::ds_write<64>, gfx942::ds_read<64>>(co::swizzle{.bits = 2, .base = 3, .shift = 5}, written, read);
  auto const of = [](auto const& list) {
    std::size_t most = 0;
    for (std::size_t k = 0; k != list.size(); ++k)
      if (list[k].rounds > list[most].rounds) most = k;
    return most;
  };
  auto const reads = co::phases<gfx942::ds_read<64>>(read), writes = co::phases<gfx942::ds_write<64>>(written);
  REQUIRE(of(reads) != 0);
  REQUIRE(of(writes) != 0);
  using co::detail::figure::ranges;
  CHECK(count(drawn, "the phase of the read with the most rounds, lanes " + ranges(reads[of(reads)].lanes)) == 1);
  auto const tags = parsed(drawn);
  // Every outline lies within a row, a pixel from its edges, and every word that is read in one; with its lane.
  std::map<unsigned, unsigned> frames;
  unsigned named = 0, filled = 0;
  for (tag const& each : tags) {
    if (each.is("frame")) ++frames[each.number("y")];
    named += each.name == "text" && each.is("n"), filled += each.is("read");
  }
  CHECK(named == filled);
  CHECK(frames.size() > 2);
  std::map<unsigned, unsigned> outlined;
  for (tag const& each : tags) {
    if (each.is("read")) CHECK(frames.count(each.number("y")) == 1);
    if (!each.is("written")) continue;
    CHECK(frames.count(each.number("y") - 1) == 1);
    ++outlined[each.number("y")];
  }
  CHECK(outlined.size() > 1);
  CHECK(count(drawn, "co::swizzle{.bits = 2, .base = 3, .shift = 5}") == 1);
}
TEST_CASE("figures: a swizzle that moves nothing, and one from below") {
  constexpr auto neighbours = co::linear{.stride = 4};
  using write = cc90::shared_store<32>;
  using read = cc90::shared_load<32>;
  CHECK(count(co::svg<write, read>(co::swizzle{}, neighbours, neighbours), ".bits = 0, .base = 0, .shift = 0}") == 1);
  CHECK(count(co::svg<write, read>(co::swizzle{.bits = 2, .base = 5, .shift = -3}, neighbours, neighbours),
              ".bits = 2, .base = 5, .shift = -3}") == 1);
}

TEST_CASE("the checkers of figures notice") {  // controls
  CHECK(parsed("<a><b/></a>\n").size() == 2);
  CHECK(parsed("<a><b></a>\n").empty());
  CHECK(parsed("<a><b></a></b>\n").empty());
  CHECK(parsed("<a/><b/>\n").empty());
  CHECK(parsed("<a>1 & 2</a>\n").empty());
  CHECK(parsed("<a x=\"1\" x=\"2\"/>\n").empty());
  CHECK(parsed("<a><b id=\"1\"/><b id=\"1\"/></a>\n").empty());
  CHECK(!texts_are_apart(
      parsed("<a><text class=\"m\" x=\"50\" y=\"20\">12</text><text class=\"m\" x=\"60\" y=\"20\">345</text></a>\n")));
  CHECK(texts_are_apart(
      parsed("<a><text class=\"m\" x=\"50\" y=\"20\">12</text><text class=\"m\" x=\"70\" y=\"20\">345</text></a>\n")));
  CHECK(!texts_are_apart(parsed("<a><text class=\"m\" x=\"3\" y=\"20\">12</text></a>\n")));
}

// SPDX-License-Identifier: BSL-1.0
#include <coalesce/cdna.hpp>
#include <coalesce/cuda.hpp>
#include <coalesce/figure.hpp>
#include <coalesce/gcn.hpp>

#include "oracle/random_access.hpp"
#include "unit/check.hpp"

#include <algorithm>
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
    double const size = each.is("h") ? 13 : each.is("c") ? 11 : 10;
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
    if (each.is("frame")) half = 1;
    if (each.is("word"))
      for (unsigned x = each.number("x"); x != each.number("x") + each.number("width"); x += 20)
        tallest.back() = std::max(tallest.back(), ++words[x + 10000 * half]);
  }
  return tallest;
}

// ---- Figures of random accesses ----

template <class Instruction>
void check_memory() {
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
  CHECK(count(late, "cuda::cc90::load&lt;32&gt;: 5 transactions at L1 (ideal: 4)<") == 2);
  CHECK(count(late, "128 bytes used of 160 moved") == 1);
  CHECK(count(late, "(documented: NVIDIA CUDA C++ Best Practices") == 1);
  CHECK(count(late, "profiler: transactions = l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum /") == 1);
  std::string const column = co::terminal<cc90::shared_load<32>>(co::linear{.stride = 36 * 4});
  CHECK(column.find("cuda::cc90::shared_load<32>: 4 rounds (ideal: 1)\n  1 phase, 3 conflicts; at worst 4-way;") == 0);
  CHECK(count(column, "(may show more)\n") == 1);
  std::string const on_amd = co::terminal<gfx942::global_load<32>>(co::linear{.stride = 4});
  CHECK(on_amd.find("profiler: transactions = TCP_TCC_READ_REQ_sum / SQ_INSTS_VMEM_RD (may show fewer)\n") !=
        on_amd.npos);
  std::string const sampled = co::svg<gcn::image_sample<128>>(co::linear{.stride = 16});
  CHECK(count(sampled,
              "gcn::image_sample&lt;128&gt;: 64 clocks at L1 (ideal: 64), 16 transactions at L2 (ideal: 16)") == 2);
  CHECK(count(sampled, ">16 clocks<") == 4);
}
TEST_CASE("figures: the ideal of nine lanes that conflict side by side is that in place") {
  std::string const drawn = co::terminal<gfx942::ds_read<128>>(
      [](unsigned lane) { return 16ull * (lane == 0    ? 0
                                          : lane == 20 ? 8
                                                       : lane - 3); }, 0x10'07f1);
  CHECK(drawn.find("cdna::gfx942::ds_read<128>: 9 rounds (ideal: 8)\n") == 0);
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
TEST_CASE("figures: what is moved twice is drawn twice") {
  std::string const late = co::svg<cc10::load<32>>(co::linear{.base = 132, .stride = 4}, 0xffff);
  CHECK(count(parsed(late), "transaction") == 16);
  CHECK(count(late, ">byte 0x80<") == 8);
}
TEST_CASE("figures: no lane, one lane, both ends of the address space") {
  for (std::uint64_t const mask : {std::uint64_t{0}, std::uint64_t{1} << 31}) {
    CHECK(!parsed(co::svg<cc90::load<32>>(co::linear{.stride = 4}, mask)).empty());
    CHECK(!parsed(co::svg<cc90::shared_load<32>>(co::linear{.stride = 4}, mask)).empty());
    CHECK(!parsed(co::svg<gfx942::ds_read<128>>(co::linear{.stride = 16}, mask)).empty());
    CHECK(!parsed(co::svg<gcn::buffer_load<32>>(co::linear{.stride = 4}, mask)).empty());
  }
  std::string const top = co::svg<cc90::load<32>>(co::linear{.base = ~std::uint64_t{3}, .stride = -4});
  CHECK(count(top, ">0xffffffffffffff80<") == 1);
  CHECK(count(parsed(top), "transaction") == 4);
  CHECK(texts_are_apart(parsed(top)));
  // The segment of 128 bytes around address 0 of CC 1.0, whose lane 1 stands at 0.
  CHECK(!parsed(co::svg<cc10::load<32>>([](unsigned lane) { return 4ull * lane - 4; }, 0xfffe)).empty());
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
  CHECK(count(drawn, ">cdna::gfx942::ds_read&lt;128&gt;: 32 rounds, swizzled 8<") == 2);
  CHECK(count(drawn, ">before: read in 32 rounds, written in 8 rounds<") == 1);
  CHECK(count(drawn, ">after: read in 8 rounds, written in 8 rounds<") == 1);
  CHECK(count(tags, "read") == 2 * 8);
  CHECK(count(tags, "written") == 2 * 8);
  CHECK(texts_are_apart(tags));
  // As many of the read stand over each other as its phase has rounds: before four, after one.
  std::map<unsigned, unsigned> before, after;
  for (tag const& each : tags)
    if (each.is("read")) ++(each.number("x") < 440 ? before : after)[each.number("x")];
  CHECK(before.size() == 2);
  CHECK(before.begin()->second == co::phases<gfx942::ds_read<128>>(rows)[0].rounds);
  CHECK(after.size() == 8);
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

// SPDX-License-Identifier: BSL-1.0
//
// That what co::explain says is true. Of random accesses the sentences after the numbers are read back, and what each
// claims is looked up among the addresses, byte by byte; and they agree with the numbers: of what is dearer than its
// ideal a reason is given, and "nothing is dearer" is said of nothing else. The adversary's findings by name.
#include <coalesce/coalesce.hpp>
#include <coalesce/explain.hpp>

#include "truth/oracle/random_access.hpp"
#include "unit/check.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace co = coalescing;
namespace gcn = co::gcn;
namespace cdna = co::cdna;
namespace cuda = co::cuda;
namespace rdna = co::rdna;

namespace {

/// What precedes the rules: the instruction, its numbers, and why.
std::string head(std::string const& text) { return text.substr(0, text.find("Rules:\n")); }
std::string why(std::string const& text) {
  std::string const before = head(text);
  return before.substr(std::min(before.find("Why: "), before.size()));
}
bool has(std::string_view text, std::string_view words) { return text.find(words) != std::string_view::npos; }

/// 65,536 as 65536.
std::string without_commas(std::string words) {
  for (std::size_t k = 1; k + 1 < words.size(); ++k)
    if (words[k] == ',' && words[k - 1] >= '0' && words[k - 1] <= '9' && words[k + 1] >= '0' && words[k + 1] <= '9')
      words.erase(k, 1);
  return words;
}
/// "lanes 0 to 3 and 20 to 23" at the beginning of words, as a set; what is left out ("13 more") makes it empty.
/// `rest`: what follows.
std::set<unsigned> lanes_in(std::string words, std::string& rest) {
  std::set<unsigned> lanes;
  words.erase(0, words.find(' ') + 1);
  unsigned last = 0;
  bool to = false, known = true;
  for (;;) {
    char* end = nullptr;
    unsigned const lane = static_cast<unsigned>(std::strtoul(words.c_str(), &end, 10));
    if (end == words.c_str()) break;
    words.erase(0, static_cast<std::size_t>(end - words.c_str()));
    if (words.substr(0, 5) == " more") known = false, words.erase(0, 5);
    for (unsigned k = to ? last : lane; k <= lane; ++k) lanes.insert(k);
    last = lane, to = words.substr(0, 4) == " to ";
    bool more = false;
    for (char const* joint : {" to ", ", ", " and "})
      if (std::string const with = joint;
          words.substr(0, with.size()) == with && words.size() > with.size() && std::isdigit(words[with.size()])) {
        words.erase(0, with.size()), more = true;
        break;
      }
    if (!more) break;
  }
  rest = words;
  return known ? lanes : std::set<unsigned>{};
}

/// An access, to look things up in.
struct looked_at {
  std::vector<std::uint64_t> address;
  std::uint64_t active = 0;
  unsigned bytes = 0;

  [[nodiscard]] bool is_active(unsigned lane) const { return (active >> lane & 1) != 0; }
  [[nodiscard]] std::uint64_t apart(unsigned a, unsigned b) const {
    return std::max(address[a], address[b]) - std::min(address[a], address[b]);
  }
  /// The lanes with a byte in a piece of memory, and how many of its bytes some lanes name.
  [[nodiscard]] std::set<unsigned> lanes_on(std::uint64_t at, std::uint64_t size) const {
    std::set<unsigned> found;
    for (unsigned lane = 0; lane != address.size(); ++lane)
      for (unsigned byte = 0; byte != bytes; ++byte)
        if (is_active(lane) && address[lane] + byte - at < size) found.insert(lane);
    return found;
  }
  [[nodiscard]] std::size_t used(std::set<unsigned> const& lanes, std::uint64_t at, std::uint64_t size) const {
    std::set<std::uint64_t> named;
    for (unsigned const lane : lanes)
      for (unsigned byte = 0; byte != bytes; ++byte)
        if (address[lane] + byte - at < size) named.insert(address[lane] + byte);
    return named.size();
  }
};

/// Of a number, by its name.
template <class Cost>
std::uint64_t number(Cost const& cost, char const* name) {
  return co::number_named(cost, name);
}

/// What is not true in one sentence "Why: ..."; "": all is. `merges`: lanes on one piece are served together.
template <class Instruction>
std::string lie(std::string const& sentence, looked_at const& in, bool merges) {
  std::string words = without_commas(sentence), rest, tail;
  auto const cost = [&](std::uint64_t active) { return co::cost<Instruction>(in.address, active); };
  unsigned a = 0, b = 0, used = 0;
  unsigned long long apart = 0, size = 0, at = 0;
  char noun[16] = {};
  auto const check_use = [&](std::string const& of) -> std::string {  // "the 32-byte sector at byte 0 serves ..."
    if (std::sscanf(of.c_str(), "the %llu-byte %15s at byte %llu serves ", &size, noun, &at) != 3) return "use? " + of;
    std::string after;
    auto lanes = lanes_in(of.substr(of.find(" serves ") + 8), after);
    if (std::sscanf(after.c_str(), ", and %u of its bytes", &used) != 1) return "used? " + after;
    if ((std::string(noun) == "sector") != (size == 32) && std::string(noun) != "line") return "noun";
    auto const on = in.lanes_on(at, size);
    if (lanes.empty() && !merges) return "";  // not all are named
    if (lanes.empty()) lanes = on;
    for (unsigned const lane : lanes)
      if (on.count(lane) == 0) return "serves no such lane";
    if (merges && lanes != on) return "serves others too";
    if (used >= size || in.used(lanes, at, size) != used) return "uses others";
    return at % size == 0 ? "" : "no piece";
  };
  if (std::sscanf(words.c_str(),
                  "Why: lanes %u and %u are %llu bytes apart: each opens its own %llu-byte %15s and uses "
                  "%u byte",
                  &a, &b, &apart, &size, noun, &used) == 6) {
    for (unsigned const lane : {a, b}) {
      at = in.address[lane] / size * size;
      if (in.lanes_on(at, size) != std::set<unsigned>{lane} || in.used({lane}, at, size) != used) return "not its own";
    }
    return in.apart(a, b) == apart ? "" : "not so far apart";
  }
  if (std::sscanf(words.c_str(), "Why: lanes %u and %u are %llu byte", &a, &b, &apart) == 3) {
    if (!in.is_active(a) || !in.is_active(b) || in.apart(a, b) != apart) return "not so far apart";
    tail = words.substr(words.find(": ", 5) + 2);
    if (Instruction::level == co::level::constant_cache) return apart != 0 ? "" : "one address";
    return check_use(tail);
  }
  if (words.substr(0, 9) == "Why: the " && words[9] >= '0' && words[9] <= '9') return check_use(words.substr(5));
  if (std::sscanf(words.c_str(), "Why: lane %u begins %llu byte", &a, &at) == 2) {
    tail = words.substr(words.find(" into a ") + 8);
    if (std::sscanf(tail.c_str(), "%llu-byte %15s", &size, noun) != 2) return "late?";
    if (in.address[a] % size != at) return "begins elsewhere";
    looked_at moved = in;  // it is for this reason: begun with a piece, they reach into fewer
    for (auto& address : moved.address) address -= at;
    auto const now = cost(in.active), then = co::cost<Instruction>(moved.address, in.active);
    char const* of = number(now, "lines") != 0 && size == 128 ? "lines" : "transactions";
    return number(then, of) < number(now, of) ? "" : "they reach as far from there";
  }
  if (words.substr(0, 13) == "Why: each of ") {
    unsigned count = 0, best = 0;
    if (std::sscanf(words.c_str(), "Why: each of %u pieces is used whole, where neighbours take %u: ", &count, &best) !=
        2)
      return "pieces?";
    if constexpr (requires(co::access<Instruction::lanes> const& asked) { Instruction::transactions_of(asked); }) {
      auto const list = co::transactions<Instruction>(in.address, in.active);
      for (auto const& piece : list) {
        std::set<unsigned> lanes;
        for (unsigned lane = 0; lane != in.address.size(); ++lane)
          if ((piece.lanes >> lane & 1) != 0) lanes.insert(lane);
        if (in.used(lanes, piece.address, piece.bytes) != piece.bytes) return "not whole";
      }
      return count == list.size() && best < count ? "" : "not so many";
    }
    return "there are no pieces";
  }
  if (has(words, ", where neighbours take ")) {  // clocks, data_wavefronts
    auto const lanes = lanes_in(words.substr(5), rest);
    std::uint64_t mask = 0;
    for (unsigned const lane : lanes) mask |= std::uint64_t{1} << lane;
    unsigned taken = 0, best = 0;
    if (lanes.empty()) return "";  // lanes that are not all named
    if (std::sscanf(rest.c_str(), " take %u %15[a-z_], where neighbours take %u: ", &taken, noun, &best) != 3)
      return "take? " + rest;
    if (number(cost(mask), noun) != taken || best >= taken) return "takes another number";
    tail = rest.substr(rest.find(": ") + 2);
    if (std::sscanf(tail.c_str(), "lanes %u and %u are %llu bytes apart", &a, &b, &apart) == 3 &&
        !has(tail, " alone ")) {
      // Guilty: with any lane of another quad, these two take a clock for each quad.
      if (in.apart(a, b) != apart) return "not so far apart";
      for (unsigned const lane : lanes)
        if (lane / 4 != a / 4)
          if (number(cost(std::uint64_t{1} << a | std::uint64_t{1} << b | std::uint64_t{1} << lane), noun) != 2)
            return "innocent";
      return "";
    }
    auto const few = lanes_in(tail, rest);
    if (few.empty()) return "";
    mask = 0;
    for (unsigned const lane : few) mask |= std::uint64_t{1} << lane;
    if (std::sscanf(rest.c_str(), " alone take %u", &taken) != 1) return "alone? " + rest;
    if (number(cost(mask), noun) != taken || taken <= best) return "takes another number alone";
    mask &= ~(std::uint64_t{1} << *few.rbegin());
    return number(cost(mask), noun) <= best ? "" : "fewer lanes do too";
  }
  if (words.substr(0, 14) == "Why: in phase ") {
    unsigned phase = 0, count = 0;
    if (std::sscanf(words.c_str(), "Why: in phase %u of %u ", &phase, &count) != 2) return "phase?";
    auto const guilty = lanes_in(words.substr(words.find(") ") + 2), rest);
    unsigned bank = 0, rounds = 0;
    if (std::sscanf(rest.substr(rest.find("bank ")).c_str(), "bank %u: %u rounds", &bank, &rounds) != 2) return "bank?";
    if constexpr (requires(co::access<Instruction::lanes> const& asked) { Instruction::phases_of(asked); }) {
      auto const list = co::phases<Instruction>(in.address, in.active);
      if (list.size() != count || list[phase - 1].rounds != rounds) return "another number of rounds";
      for (unsigned const lane : guilty)
        if ((list[phase - 1].lanes >> lane & 1) == 0) return "of another phase";
      return bank < Instruction::banks ? "" : "no bank";
    }
    return "there are no phases";
  }
  if (std::sscanf(words.c_str(), "Why: lanes") == 0 && has(words, " name byte ")) {
    auto const lanes = lanes_in(words.substr(5), rest);
    if (std::sscanf(rest.c_str(), " name byte %llu", &at) != 1) return "byte?";
    for (unsigned const lane : lanes)
      if (in.address[lane] != at) return "another byte";
    return "";
  }
  if (words == "Why: no lane is active") return in.active == 0 ? "" : "one is";
  if (words == "Why: nothing is dearer than for the same lanes at neighbouring words" ||
      words == "Why: the same lanes at neighbouring words have no fewer conflicts")
    return "";
  return "unknown: " + words;
}

/// What does not fit between the numbers of a text and its reasons; "": all does.
std::string contradiction(std::string const& text) {
  bool const dear = has(head(text), ", ideal ");
  bool const none = has(text, "Why: nothing is dearer"), as_many = has(text, "have no fewer conflicts"),
             idle = has(text, "Why: no lane is active");
  if (dear && (none || as_many || idle)) return "something is dearer";
  if (!dear && !none && !as_many && !idle) return "nothing is dearer";
  bool const conflicts = has(text, "\n  conflicts ") && !has(text, "\n  conflicts 0\n");
  if (conflicts && none) return "there are conflicts";
  if (as_many && !conflicts) return "there is no conflict";
  return "";
}

std::map<std::string, unsigned> kinds;  // how often which sort of sentence was looked at

template <class Instruction>
void look(std::vector<std::uint64_t> const& address, std::uint64_t active, bool merges) {
  std::string const text = co::explain<Instruction>(address, active);
  looked_at in{{address.begin(), address.begin() + Instruction::lanes}, active, Instruction::bytes};
  if constexpr (requires { Instruction::source_bytes; }) in.bytes = Instruction::source_bytes;
  INFO(text);
  REQUIRE(contradiction(text) == "");
  std::istringstream sentences(why(text));
  for (std::string sentence; std::getline(sentences, sentence);) {
    REQUIRE(lie<Instruction>(sentence, in, merges) == "");
    for (char const* words :
         {"each opens its own", " serves ", " begins ", "is used whole", "neighbours take 1: lanes", " alone take ",
          "different words", " wait for bank", "no fewer conflicts", "nothing is dearer", "name byte", "is a request"})
      if (has(sentence, words)) ++kinds[words];
  }
}

/// Random accesses of all kinds; and those that lie together but for an element, begin late, or are in no order.
template <class Instruction>
void check_one(bool merges) {
  constexpr bool all = requires(co::access<Instruction::lanes> const& asked) { Instruction::check_lanes(asked); };
  std::mt19937_64 engine(7);
  auto const below = [&](std::uint64_t bound) { return engine() % bound; };
  coalescing_tests::random_accesses accesses(Instruction::bytes, Instruction::alignment, 1,
                                             co::detail::capacity_of<Instruction> - co::detail::reach_of<Instruction>);
  constexpr unsigned step = co::detail::bytes_to_the_next_word<Instruction>;
  for (unsigned k = 0; k != coalescing_tests::share(160); ++k) {
    auto const made = accesses.next();
    std::vector<std::uint64_t> address(made.address.begin(), made.address.end());
    std::uint64_t active = all ? co::all_lanes : made.active;
    if (k % 2 != 0) {
      std::uint64_t const base = below(3) * below(33) * Instruction::alignment;
      for (unsigned lane = 0; lane != 64; ++lane) address[lane] = base + lane * step;
      if (k % 3 == 0)
        for (auto n = below(40) + 1; n != 0; --n) std::swap(address[below(64)], address[below(64)]);
      if (k % 5 == 0) address[below(64)] += below(64) * Instruction::alignment;
      if (k % 7 == 0) std::reverse(address.begin(), address.begin() + Instruction::lanes);
      if (k % 11 == 0)
        for (unsigned lane = 0; lane != 64; ++lane) address[lane] = base + (lane % 8 * 8 + lane / 8) * step;
      if (k % 13 == 0)
        for (unsigned lane = static_cast<unsigned>(below(64)); lane != 64; ++lane) address[lane] += 1024;
      if (k % 4 == 1) active = co::all_lanes;
    }
    look<Instruction>(address, active & co::detail::wave_mask<Instruction::lanes>, merges);
  }
}
/// Whose lanes on one piece of memory are served together; and not: halves of a wave, parts of a warp.
template <class... Instructions>
void check() {
  (check_one<Instructions>(true), ...);
}
template <class... Instructions>
void check_parts() {
  (check_one<Instructions>(false), ...);
}

}  // namespace

// ---- By name ----

TEST_CASE("nine lanes of gfx942's ds_read_b128 side by side have a conflict that they have not in place") {
  using read = cdna::gfx942::ds_read<128>;
  constexpr std::uint64_t nine = 0x10'07f1;  // lanes 0, 4 to 10 and 20: in place none meet
  constexpr auto packed = [](unsigned lane) { return 16ull * (lane == 0 ? 0 : lane == 20 ? 8 : lane - 3); };
  COALESCE_CHECK(co::cost<read>(packed, nine).conflicts == 1);
  COALESCE_CHECK(co::cost<read>(co::linear{.stride = 16}, nine).conflicts == 0);
  CHECK(head(co::explain<read>(packed, nine)) ==
        "cdna::gfx942::ds_read<128>: 64 lanes of 16 bytes, active: lanes 0, 4 to 10 and 20\n"
        "  rounds 9, ideal 8: 1 more\n"
        "  conflicts 1, ideal 0: 1 more\n"
        "  phases 8\n"
        "  ways 2, ideal 1: 2 times that\n"
        "Why: in phase 1 of 8 (lanes 0 and 20) lanes 0 and 20 want different words of bank 0: 2 rounds\n");
  CHECK(why(co::explain<read>(co::linear{.stride = 16}, nine)) ==
        "Why: nothing is dearer than for the same lanes at neighbouring words\n");
}
TEST_CASE("GCN: a quad whose four words are in no order is a run; the quads after it are none") {
  constexpr auto words = [](unsigned lane) {
    unsigned const first[] = {0, 8, 4, 12};
    return lane < 4 ? first[lane] : lane < 16 ? 16 + 4 * ((lane - 4) * 5 % 12) : 4 * lane;
  };
  using load = gcn::buffer_load<32>;
  COALESCE_CHECK(co::cost<load>(words).clocks == 7);
  CHECK(why(co::explain<load>(words)) ==
        "Why: lanes 0 to 15 take 4 clocks, where neighbours take 1: lanes 4 and 5 are 20 bytes apart\n");
  COALESCE_CHECK(co::cost<load>([=](unsigned lane) { return lane < 4 ? 4 * lane : words(lane); }).clocks == 7);
  COALESCE_CHECK(co::cost<load>([=](unsigned lane) { return lane < 4 ? words(lane) : 4 * lane; }).clocks == 4);
}
TEST_CASE("GCN: a quad reads a run where no two of its lanes break it") {
  std::mt19937_64 engine(5);
  unsigned runs = 0, none = 0;
  for (unsigned n = 0; n != coalescing_tests::share(4000); ++n) {
    co::access<64> asked{};
    asked.active = engine() % 16, asked.bytes = 4;
    for (unsigned lane = 0; lane != 4; ++lane) asked.address[lane] = 1000 + engine() % 5 * 4 + (engine() % 16 == 0);
    bool broken = false;
    for (unsigned a = 0; a != 4; ++a)
      for (unsigned b = 0; b != 4; ++b) broken = broken || gcn::rules::break_a_run<4>(asked, a, b);
    CHECK(broken != gcn::rules::reads_a_run<4>(asked, 0));
    ++(broken ? none : runs);
  }
  CHECK(runs > coalescing_tests::share(500));
  CHECK(none > coalescing_tests::share(500));
}
TEST_CASE("four floats of each 64 bytes: lane 3's sector is not its own") {
  CHECK(why(co::explain<cuda::cc90::load<32>>([](unsigned lane) { return lane / 4 * 64 + lane % 4 * 4; })) ==
        "Why: lanes 3 and 4 are 52 bytes apart: the 32-byte sector at byte 0 serves lanes 0 to 3, and 16 of its bytes "
        "are used\n");
}
TEST_CASE("of two sectors at a gap, that which is not used whole is named") {
  CHECK(
      why(co::explain<cuda::cc90::load<32>>([](unsigned lane) { return lane < 8 ? 4 * lane : 1028 + 4 * lane; })) ==
      "Why: lanes 7 and 8 are 1,032 bytes apart: the 32-byte sector at byte 1,056 serves lanes 8 to 14, and 28 of its "
      "bytes are used\n");
}
TEST_CASE("a late start is that of the lowest lane, in whatever order, and of lines where only lines are more") {
  CHECK(why(co::explain<cuda::cc90::load<32>>(co::linear{.base = 128, .stride = -4})) ==
        "Why: lane 31 begins 4 bytes into a 32-byte sector, so the lanes reach into more of them than if they began "
        "with one\n");
  CHECK(why(co::explain<cuda::cc90::load<32>>(co::linear{.base = 32, .stride = 4})) ==
        "Why: lane 0 begins 32 bytes into a 128-byte line, so the lanes reach into more of them than if they began "
        "with one\n");
  // CC 1.0 serves each lane on its own here, and would from a sector on too.
  CHECK(why(co::explain<cuda::cc10::load<32>>(co::linear{.base = 4, .stride = 4})) ==
        "Why: the 32-byte sector at byte 0 serves lane 0, and 4 of its bytes are used\n");
}
TEST_CASE("whole sectors that lie together, read across: the data stage is to blame") {
  constexpr auto across = [](unsigned lane) { return 16 * (lane % 4 * 8 + lane / 4); };
  COALESCE_CHECK(co::cost<cuda::cc90::load<128>>(across).transactions == 16);
  CHECK(why(co::explain<cuda::cc90::load<128>>(across)) ==
        "Why: lanes 0 to 7 take 4 data_wavefronts, where neighbours take 1: lanes 0 and 1 alone take 2\n");
}
TEST_CASE("CC 1.3: segments that are used whole, and are more than neighbours take") {
  CHECK(why(co::explain<cuda::cc13::load<32>>(co::linear{.base = 96, .stride = 4}, 0xffff)) ==
        "Why: each of 2 pieces is used whole, where neighbours take 1: lane 0 begins at byte 96\n");
  CHECK(why(co::explain<cuda::cc13::load<32>>([](unsigned lane) { return 4 * lane + lane / 8 * 1024; }, 0xffff)) ==
        "Why: each of 2 pieces is used whole, where neighbours take 1: lanes 7 and 8 are 1,028 bytes apart\n");
}
TEST_CASE("CC 1.0: of stores of bytes five of one bank, where neighbours are four; and the bank is named") {
  // Lanes 16 to 20 write the bytes of one word and one 16 words on, the others bytes of banks of their own.
  constexpr auto bytes = [](unsigned lane) {
    return lane < 16 ? lane : lane < 20 ? 12 + lane - 16 : lane == 20 ? 76 : lane;
  };
  using store = cuda::cc10::shared_store<8>;
  COALESCE_CHECK(co::cost<store>(bytes).ways == 5);
  CHECK(co::phases<store>(bytes)[1] ==
        co::bank_phase{.lanes = 0xffff'0000, .rounds = 5, .bank = 3, .colliding = 0x1f'0000});
  CHECK(has(co::explain<store>(bytes).c_str(),
            "Why: in phase 2 of 2 (lanes 16 to 31) lanes 16 and 20 want different words of bank 3: 5 rounds\n"));
  // Loads of one word of each bank: rounds come of who is not broadcast to, and it has a bank with more lanes than one.
  CHECK(co::phases<cuda::cc10::shared_load<8>>([](unsigned lane) { return lane < 1 ? 0u : 4u; }, 0xf)[0] ==
        co::bank_phase{.lanes = 0xf, .rounds = 2, .bank = 1, .colliding = 0xe});
}
TEST_CASE("conflicts that neighbours have too are no 'nothing'") {
  CHECK(why(co::explain<cuda::cc20::shared_load<128>>(co::linear{.stride = 16})) ==
        "Why: the same lanes at neighbouring words have no fewer conflicts\n");
}

/// The ideal by the words of its definition: each number of two accesses, the lesser.
template <class Instruction>
unsigned check_ideal() {
  std::mt19937_64 engine(3);
  unsigned in_place_is_less = 0;
  for (unsigned n = 0; n != coalescing_tests::share(300); ++n) {
    std::uint64_t const active =
        (n % 2 == 0 ? engine() : engine() & engine()) & co::detail::wave_mask<Instruction::lanes>;
    std::vector<std::uint64_t> side_by_side(64), in_place(64);
    unsigned next = 0;
    for (unsigned lane = 0; lane != 64; ++lane) {
      in_place[lane] = lane * Instruction::bytes;
      if ((active >> lane & 1) != 0) side_by_side[lane] = next++ * Instruction::bytes;
    }
    auto const asked =
        co::detail::apply<Instruction::lanes>(side_by_side, active, co::detail::limits_of<Instruction>());
    auto const ideal = co::detail::ideal_of<Instruction>(asked);
    auto const one = co::cost<Instruction>(side_by_side, active), other = co::cost<Instruction>(in_place, active);
    auto const check = [&]<auto... Members>(co::detail::members<Members...>) {
      CHECK(((ideal.*Members == std::min(one.*Members, other.*Members)) && ...));
      in_place_is_less += ((other.*Members < one.*Members) || ...);
    };
    check(typename Instruction::cost_type::numbers{});
  }
  return in_place_is_less;
}
TEST_CASE("the ideal is, of each number, the lesser of side by side and in place") {
  CHECK(check_ideal<cdna::gfx942::ds_read<128>>() > coalescing_tests::share(50));
  CHECK(check_ideal<cuda::cc10::load<32>>() > coalescing_tests::share(50));
  CHECK(check_ideal<cuda::cc10::shared_store<8>>() > coalescing_tests::share(50));
  CHECK(check_ideal<cuda::cc20::load<64>>() > coalescing_tests::share(1));
  CHECK(check_ideal<cuda::cc90::load<128>>() == 0);
  CHECK(check_ideal<gcn::buffer_load<32>>() == 0);
}

// ---- Random accesses ----

TEST_CASE("what is said of accesses to NVIDIA's global memory is true, and agrees with the numbers") {
  check_parts<cuda::cc10::load<8>, cuda::cc10::load<32>, cuda::cc10::load<128>, cuda::cc10::store<64>,
              cuda::cc13::load<8>, cuda::cc13::load<16>, cuda::cc13::load<32>, cuda::cc13::load<64>,
              cuda::cc13::store<128>, cuda::cc20::load<32>, cuda::cc20::load<128>, cuda::cc20::store<64>,
              cuda::cc35::load<64>, cuda::cc20::atomic<32>>();
  check<cuda::cc52::load<32>, cuda::cc61::load<128>, cuda::cc61::store<64>, cuda::cc90::load<8>, cuda::cc90::load<32>,
        cuda::cc90::load<64>, cuda::cc90::load<128>, cuda::cc90::store<8>, cuda::cc90::store<32>,
        cuda::cc90::store<128>, cuda::cc100::load<256>, cuda::cc100::store<256>, cuda::cc90::atomic<64>,
        cuda::cc90::constant_load<32>, cuda::cc80::cp_async<16>::global, cuda::cc80::cp_async<16, 0>::global,
        cuda::cc80::cp_async<8, 4>::global>();
}
TEST_CASE("what is said of accesses to shared memory is true, and agrees with the numbers") {
  check<cuda::cc10::shared_load<8>, cuda::cc10::shared_load<16>, cuda::cc10::shared_load<32>,
        cuda::cc10::shared_load<64>, cuda::cc10::shared_store<8>, cuda::cc10::shared_store<16>,
        cuda::cc10::shared_store<32>, cuda::cc20::shared_load<64>, cuda::cc20::shared_load<128>,
        cuda::cc20::shared_atomic<32>, cuda::cc35::shared_load<32>, cuda::cc35::shared_load<128>,
        cuda::cc35::shared_load<64, cuda::shared_mode::eight_byte_banks>,
        cuda::cc75::shared_load<64, cuda::shared_mode::pair_merge>,
        cuda::cc75::shared_load<128, cuda::shared_mode::pair_merge>, cuda::cc90::shared_load<8>,
        cuda::cc90::shared_load<32>, cuda::cc90::shared_load<128>, cuda::cc90::shared_atomic<64>,
        cuda::cc90::ldmatrix<4>, cuda::cc90::ldmatrix<1>, cuda::cc100::ldmatrix<2, cuda::matrix::m16n16_trans_b8>,
        cuda::cc90::stmatrix<2>, cuda::cc80::cp_async<4>::shared>();
}
TEST_CASE("what is said of accesses of GCN and CDNA is true, and agrees with the numbers") {
  check<gcn::buffer_load<8>, gcn::buffer_load<16>, gcn::buffer_load<32>, gcn::buffer_load<128>, gcn::buffer_load<16, 4>,
        gcn::buffer_store<32>, gcn::buffer_store<96>, gcn::buffer_atomic<64>, gcn::image_sample<64>, gcn::s_load<16>,
        gcn::ds_read<32>, gcn::ds_read<96>, gcn::ds_read<128>, gcn::ds_write<8>, gcn::ds_write<128>>();
  check<cdna::gfx942::global_load<8>, cdna::gfx942::global_load<96>, cdna::gfx942::global_load<128>,
        cdna::gfx942::global_store<32>, cdna::gfx90a::global_load<64>, cdna::gfx942::global_atomic<64>,
        cdna::gfx942::ds_read2<64, 0, 255>, cdna::gfx942::ds_read<128>, cdna::gfx950::ds_read<64>,
        cdna::gfx950::ds_read<96>, cdna::gfx950::ds_read<128>, cdna::gfx950::ds_read_tr<64>, cdna::gfx950::ds_write<32>,
        cdna::gfx950::global_load_lds<128>::global, cdna::gfx942::ds_atomic<32>>();
}
TEST_CASE("what is said of accesses of RDNA is true, and agrees with the numbers") {
  check<rdna::gfx1030::global_load<32>, rdna::gfx1030::global_load<64>, rdna::gfx1030::global_load<128>,
        rdna::gfx1100::global_atomic<64>, rdna::gfx1201::s_load<3>, rdna::gfx1100::s_load<16>>();
  check_parts<rdna::gfx1030::wave64::global_load<64>, rdna::gfx1100::wave64::global_store<96>>();
  check<rdna::gfx1100::wave64::ds_load<128>, rdna::gfx1100::ds_load<32>, rdna::gfx1201::wave64::ds_load<8>,
        rdna::gfx1100::wave64::ds_store<16>>();
}
TEST_CASE("every sort of sentence was said, and looked at") {  // so it stands behind them
  for (char const* words :
       {"each opens its own", " serves ", " begins ", "is used whole", "neighbours take 1: lanes", " alone take ",
        "different words", " wait for bank", "no fewer conflicts", "nothing is dearer", "name byte", "is a request"}) {
    INFO(std::string(words));
    CHECK(kinds[words] >= coalescing_tests::share(10));
  }
}
TEST_CASE("control: each sentence that is not true is noticed") {
  std::vector<std::uint64_t> address(32);
  for (unsigned lane = 0; lane != 32; ++lane) address[lane] = lane / 4 * 64 + lane % 4 * 4;
  looked_at const tiles{address, 0xffff'ffff, 4};
  using load = cuda::cc90::load<32>;
  auto const said = [&](char const* words) { return lie<load>(words, tiles, true); };
  CHECK(said("Why: lanes 3 and 4 are 52 bytes apart: the 32-byte sector at byte 0 serves lanes 0 to 3, and 16 of its "
             "bytes are used") == "");
  CHECK(said("Why: lanes 3 and 4 are 52 bytes apart: each opens its own 32-byte sector and uses 16 bytes of it") ==
        "not its own");
  CHECK(said("Why: lanes 3 and 4 are 51 bytes apart: the 32-byte sector at byte 0 serves lanes 0 to 3, and 16 of its "
             "bytes are used") == "not so far apart");
  CHECK(said("Why: the 32-byte sector at byte 0 serves lanes 0 to 3, and 12 of its bytes are used") == "uses others");
  CHECK(said("Why: the 32-byte sector at byte 0 serves lanes 0 to 2, and 12 of its bytes are used") ==
        "serves others too");
  CHECK(said("Why: the 32-byte sector at byte 0 serves lanes 3 and 4, and 4 of its bytes are used") ==
        "serves no such lane");
  CHECK(
      said("Why: lane 1 begins 4 bytes into a 32-byte sector, so the lanes reach into more of them than if they began "
           "with one") == "they reach as far from there");
  CHECK(said("Why: lane 1 begins 8 bytes into a 32-byte sector, so") == "begins elsewhere");
  CHECK(said("Why: each of 8 pieces is used whole, where neighbours take 4: lanes 3 and 4 are 52 bytes apart") ==
        "not whole");
  CHECK(said("Why: lanes 0 to 31 name byte 0: their operations follow one another") == "another byte");
  CHECK(said("Why: no lane is active") == "one is");
  CHECK(said("Why: it is slow").substr(0, 7) == "unknown");
  CHECK(contradiction("  rounds 8\n  ways 5, ideal 4: 1 more\nWhy: nothing is dearer") == "something is dearer");
  CHECK(contradiction("  rounds 8\n  conflicts 1\nWhy: nothing is dearer") == "there are conflicts");
  CHECK(contradiction("  rounds 8\nWhy: in phase 1") == "nothing is dearer");

  // GCN: lanes 0 to 3 read a run, 4 and 5 no run.
  address.resize(64);
  for (unsigned lane = 0; lane != 64; ++lane) address[lane] = 4 * lane;
  address[1] = 8, address[2] = 4, address[5] = 36, address[9] = 20;
  looked_at const quads{address, co::all_lanes, 4};
  auto const of_gcn = [&](char const* words) { return lie<gcn::buffer_load<32>>(words, quads, true); };
  CHECK(of_gcn("Why: lanes 0 to 15 take 4 clocks, where neighbours take 1: lanes 4 and 5 are 20 bytes apart") == "");
  CHECK(of_gcn("Why: lanes 0 to 15 take 4 clocks, where neighbours take 1: lanes 0 and 1 are 8 bytes apart") ==
        "innocent");
  CHECK(of_gcn("Why: lanes 0 to 15 take 3 clocks, where neighbours take 1: lanes 4 and 5 are 20 bytes apart") ==
        "takes another number");
}

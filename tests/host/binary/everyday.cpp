// SPDX-License-Identifier: BSL-1.0
// Asks the binaries of everyday.cu without contents, and holds the answers to what the source does: each kernel runs on
// the host too, thread by thread, and notes the bytes of its accesses; sectors, lines and banks are counted from these
// alone. Exact numbers must be equal for any contents, and no contents may exceed a bound. Then the binaries run with
// contents, and no site may exceed its bound. The column of everyday.md must be what is printed.
// With --counted, the answers are held to what a GPU counted of the same binaries.
// With --times, it prints how much longer the reader takes without contents than with those that take longest.
// everyday TARGET TEXT [everyday.md] [--tries N] [--counted CSV] [--times] [--break]: --break halves each number of the
// binary.
#include <coalesce/host/binary.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fstream>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <source_location>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "host/binary/everyday_contents.hpp"
#include "host/binary/everyday_counted.hpp"
#include "truth/oracle/issued.hpp"

namespace co = coalescing;
using namespace coalescing_tests;

// The words in which everyday.cu is written, for the host.
namespace everyday {

/// An access of one thread: where in the source, for the which time, and the bytes.
struct noted {
  unsigned thread;      ///< of the grid
  unsigned kind;        ///< a co::touch; from `shared_kinds` on, of shared memory
  bool is_same;         ///< of global memory, at one address for a wave
  std::uint64_t own;    ///< where the memory of the thread's own begins; 0: it is another
  std::uint32_t where;  ///< the line and the column
  std::uint32_t turn;
  std::uint64_t address;
  unsigned bytes;
};

/// Where a thread is in its kernel, and the memory of the grid.
struct thread_state {
  unsigned block = 0, thread = 0;
  std::map<std::uint64_t, std::vector<unsigned char>> memory;  ///< by the address of its first byte
  std::vector<noted> accesses;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> turns;  ///< of this thread: how often it was at a place

  /// The bytes at an address.
  unsigned char* at(std::uint64_t address, std::uint64_t bytes) {
    auto found = memory.upper_bound(address);
    if (found == memory.begin()) throw std::logic_error("no memory there");
    --found;
    if (address - found->first + bytes > found->second.size()) throw std::logic_error("past the end of a buffer");
    return &found->second[address - found->first];
  }
  std::uint64_t allocate(std::uint64_t bytes) {
    std::uint64_t const at = memory.empty() ? 1 << 20 : memory.rbegin()->first + (1 << 20);
    memory[at].resize(bytes);
    return at;
  }
  void note(co::touch kind, std::uint64_t address, unsigned bytes, std::source_location const& where, bool is_same);
};
inline thread_state here;
inline std::set<std::uint64_t> is_shared, is_own;  ///< the addresses of shared memory, and of the threads' own

inline void thread_state::note(co::touch kind, std::uint64_t address, unsigned bytes, std::source_location const& where,
                               bool is_same) {
  std::uint64_t const begin = (--memory.upper_bound(address))->first;
  bool const shared = is_shared.count(begin) != 0;
  if (accesses.size() > 1'000'000) throw std::logic_error("a kernel does not end");
  std::uint32_t const at = where.line() << 12 | (where.column() << 4 & 0xff0) | static_cast<unsigned>(kind);
  auto turn = std::find_if(turns.begin(), turns.end(), [at](auto const& each) { return each.first == at; });
  if (turn == turns.end()) turn = turns.insert(turn, {at, 0});
  accesses.push_back({block * threads + thread, static_cast<unsigned>(kind) + (shared ? shared_kinds : 0),
                      is_same && !shared, is_own.count(begin) != 0 ? begin : 0, at, turn->second++, address, bytes});
}

struct same_index {
  std::uint64_t index;
};
template <class T>
struct element;
/// An index, and the place in the source that has it.
struct index_here {
  std::uint64_t index;
  bool is_same;
  std::source_location where;
  template <class Number, class = std::enable_if_t<std::is_integral_v<Number>>>
  index_here(Number k, std::source_location w = std::source_location::current())
      : index(static_cast<std::uint64_t>(k)), is_same(false), where(w) {}
  template <class T>
  index_here(element<T> const& k, std::source_location w = std::source_location::current())
      : index_here(static_cast<typename element<T>::number>(k), w) {}
  index_here(same_index k, std::source_location w = std::source_location::current())
      : index(k.index), is_same(true), where(w) {}
};

template <class T>
struct element {
  std::uint64_t address;
  bool is_same;
  std::source_location where;
  using number = std::remove_const_t<T>;
  operator number() const {
    number is;
    std::memcpy(static_cast<void*>(&is), here.at(address, sizeof is), sizeof is);
    here.note(co::touch::load, address, sizeof is, where, is_same);
    return is;
  }
  void operator=(number to) const {
    std::memcpy(here.at(address, sizeof to), &to, sizeof to);
    here.note(co::touch::store, address, sizeof to, where, is_same);
  }
  void operator=(element const& from) const { *this = static_cast<number>(from); }
};
template <class T>
struct array {
  std::uint64_t base;
  element<T> operator[](index_here k) const { return {base + k.index * sizeof(T), k.is_same, k.where}; }
};
template <class T>
T add_atomically(array<T> at, index_here k, T number) {
  T was;
  unsigned char* const to = here.at(at.base + k.index * sizeof was, sizeof was);
  std::memcpy(&was, to, sizeof was);
  number = was + number;
  std::memcpy(to, &number, sizeof was);
  here.note(co::touch::atomic, at.base + k.index * sizeof was, sizeof was, k.where, k.is_same);
  return was;
}
inline unsigned swap_if(array<unsigned> at, index_here k, unsigned expected, unsigned wanted) {
  unsigned was;
  unsigned char* const to = here.at(at.base + k.index * sizeof was, sizeof was);
  std::memcpy(&was, to, sizeof was);
  if (was == expected) std::memcpy(to, &wanted, sizeof was);
  here.note(co::touch::atomic, at.base + k.index * sizeof was, sizeof was, k.where, k.is_same);
  return was;
}
inline std::uint64_t shared_memory(std::uint64_t bytes) {
  std::uint64_t const at = here.allocate(bytes);
  return is_shared.insert(at), at;
}
/// Threads run one after the other, and each writes its own memory before it reads it: one place is enough.
inline std::uint64_t own_memory(std::uint64_t bytes) {
  std::uint64_t const at = here.allocate(bytes);
  return is_own.insert(at), at;
}
inline same_index same(std::uint64_t index) { return {index}; }
/// 16 bits of which only the access matters.
struct half {
  std::uint16_t bits = 0;
  half() = default;
  explicit half(float x) : bits(static_cast<std::uint16_t>(static_cast<std::int64_t>(x))) {}
  explicit operator float() const { return bits; }
};

#define kernel inline void
#define thread_in_block here.thread
#define block_number here.block
#define block_size threads
#define grid_size blocks
#define wait_for_block() static_cast<void>(0)
#define in_shared(type, name, count)                                                  \
  static std::uint64_t const place_of_##name = shared_memory(sizeof(type) * (count)); \
  array<type> const name { place_of_##name }
#define in_private(type, name, count)                                              \
  static std::uint64_t const place_of_##name = own_memory(sizeof(type) * (count)); \
  array<type> const name { place_of_##name }
#define in_constant(type, name, ...) constexpr type name[] = __VA_ARGS__
#define rolled
#include "everyday.cu"
#undef kernel
#undef same

}  // namespace everyday

namespace {

using everyday::contents, everyday::filled, everyday::generator, everyday::here, everyday::made;

struct row {
  char const* name;
  std::function<void(std::array<std::uint64_t, 3>, std::uint64_t)> run;
  filled first, second;
  std::uint64_t n;
  unsigned bytes_of_n;
  made how;
};
template <class Out, class A, class B, class Number>
row row_of(char const* name, void (*run)(everyday::array<Out>, everyday::array<A>, everyday::array<B>, Number),
           filled first, filled second, std::uint64_t n = 0, made how = made::as_written) {
  return {name,
          [run](std::array<std::uint64_t, 3> at, std::uint64_t number) {
            run({at[0]}, {at[1]}, {at[2]}, static_cast<Number>(number));
          },
          first,
          second,
          n,
          sizeof(Number),
          how};
}

#include "host/binary/everyday_rows.inc"

/// Runs a kernel on the host, and counts.
class oracle {
 public:
  explicit oracle(target_pieces const& of) : of_(of) {
    for (std::uint64_t& each : at) each = here.allocate(everyday::buffer_bytes);
  }
  std::array<std::uint64_t, 3> at;

  all_issued run(row const& each, std::vector<unsigned char> const& a, std::vector<unsigned char> const& b) {
    here.memory[at[0]].assign(everyday::buffer_bytes, 0);
    here.memory[at[1]] = a, here.memory[at[2]] = b;
    here.accesses.clear();
    // A thread after the other: what one reads of another one's words in shared memory steers no address, but for the
    // word of a block's first thread.
    for (here.block = 0; here.block != everyday::blocks; ++here.block)
      for (here.thread = 0; here.thread != everyday::threads; ++here.thread) here.turns.clear(), each.run(at, each.n);
    return counted();
  }

 private:
  all_issued counted() {
    // The n-th accesses of a warp's lanes at one place are one instruction.
    auto const& all = here.accesses;
    issues_.clear();
    for (std::uint32_t k = 0; k != all.size(); ++k)
      issues_.push_back({std::uint64_t{all[k].where} << 32 | all[k].thread / of_.lanes << 24 | all[k].turn, k});
    std::sort(issues_.begin(), issues_.end());
    all_issued made;
    std::vector<std::uint64_t> addresses;
    for (std::size_t begin = 0, end = 0; begin != issues_.size(); begin = end) {
      everyday::noted const& first = all[issues_[begin].second];
      addresses.clear();
      for (; end != issues_.size() && issues_[end].first == issues_[begin].first; ++end)
        addresses.push_back(address_of(all[issues_[end].second]));
      if (first.is_same && !of_.is_nvidia()) continue;   // it may be a scalar load
      if (first.own != 0 && !of_.is_nvidia()) continue;  // clang keeps it in registers
      add_issue(made, of_, first.kind, addresses, first.bytes);
    }
    return made;
  }
  /// Words of the threads' own memory: of all lanes the first ones, then of all lanes the second ones.
  [[nodiscard]] std::uint64_t address_of(everyday::noted const& one) const {
    if (one.own == 0) return one.address;
    std::uint64_t const row = (one.address - one.own) / 4, lane = one.thread % of_.lanes;
    return one.own + row * of_.lanes * 4 + lane * 4 + one.address % 4;
  }
  target_pieces const& of_;
  std::vector<std::pair<std::uint64_t, std::uint32_t>> issues_;  ///< which instruction, and the access
};

/// The text without the code of all kernels but one, as parsing takes long.
std::string text_of(std::string const& all, std::string const& name, std::set<std::string> const& kernels) {
  std::string made;
  bool is_kept = true;
  for (std::size_t at = 0, end = 0; at < all.size(); at = end) {
    end = std::min(all.find('\n', at), all.size() - 1) + 1;
    std::string_view const line(&all[at], end - at);
    for (std::string_view const before : {".section .text.", " <"}) {  // nvdisasm; llvm-objdump
      std::size_t const begin = line.find(before), from = begin + before.size(), to = line.find_first_of(",>", from);
      if (begin == line.npos || to == line.npos || (before == " <" && begin != 16)) continue;
      std::string const found(line.substr(from, to - from));
      is_kept = found == name || kernels.count(found) == 0;
    }
    if (is_kept) made += line;
  }
  return made;
}

/// Whether a number of a site in a run is above its bound. Sums over rounds are not compared with the bound of one.
template <auto... Members>
bool is_above(co::site const& run, co::site const& bound, unsigned divisor, co::detail::members<Members...>) {
  bool above = false;
  co::detail::each_number(
      run.cost, bound.cost,
      [&](std::uint64_t number, std::uint64_t most, bool is_maximum) {
        if (number == co::not_counted || (bound.per_iteration != 0 && !is_maximum)) return;
        above = above || most == co::not_counted || number > most / divisor;
      },
      co::detail::members<Members...>{});
  return above || (bound.per_iteration == 0 && run.cost.issued > bound.cost.issued / divisor);
}
/// The site of the bounds that a site of a run belongs to. Its array may be unknown there.
co::site const* bound_of(co::site const& s, co::binary_answer const& bounds) {
  co::site const* found = nullptr;
  for (bool const is_of_any_array : {true, false})
    for (co::site const& other : bounds.sites)
      if (other.offset == s.offset && other.at.line == s.at.line && other.space == s.space &&
          std::string_view(other.opcode) == s.opcode &&
          std::string_view(other.array) == (is_of_any_array ? "" : s.array))
        found = &other;
  return found;
}

/// The least CPU time of three runs.
template <class Run>
double seconds_of(Run const& run) {
  double least = 1e9;
  for (unsigned k = 0; k != 3; ++k) {
    std::clock_t const begin = std::clock();
    static_cast<void>(run());
    least = std::min(least, double(std::clock() - begin) / CLOCKS_PER_SEC);
  }
  return least;
}

/// Holds the column to the page's, or prints it without a page. Returns how many cells differ.
unsigned hold_to_page(std::map<std::string, std::string> const& column, std::string_view target,
                      std::string const& page) {
  if (page.empty())
    for (auto const& [name, status] : column) std::printf("| %s | %s |\n", name.c_str(), status.c_str());
  if (page.empty()) return 0;
  std::ifstream table(page);
  std::size_t place = 0;
  unsigned compared = 0, failures = 0;
  for (std::string line; std::getline(table, line);) {
    std::vector<std::string> cells;
    std::stringstream cut(line);
    for (std::string cell; std::getline(cut, cell, '|');) {
      cell.erase(0, cell.find_first_not_of(' ')), cell.erase(cell.find_last_not_of(' ') + 1);
      cells.push_back(cell);
    }
    auto const at = std::find(cells.begin(), cells.end(), target);
    if (at != cells.end()) place = static_cast<std::size_t>(at - cells.begin());
    auto const found = cells.size() > 2 ? column.find(cells[1]) : column.end();
    if (found == column.end() || place == 0 || place >= cells.size()) continue;
    ++compared;
    if (cells[place] == found->second) continue;
    ++failures;
    std::printf("%s: the page has `%s`, and it is `%s`\n", cells[1].c_str(), cells[place].c_str(),
                found->second.c_str());
  }
  if (compared != column.size()) ++failures, std::puts("the page lacks a kernel");
  return failures;
}

}  // namespace

int main(int count, char** with) {
  if (count < 3)
    return std::puts("usage: everyday TARGET TEXT [PAGE] [--tries N] [--counted CSV] [--times] [--break]"), 2;
  std::string_view const target = with[1];
  std::string page;
  std::map<std::string, std::vector<counted_on_gpu>> counted;
  unsigned tries = 0;
  bool is_broken = false, is_timed = false;
  for (int k = 3; k < count; ++k) {
    std::string_view const option = with[k];
    if (option == "--tries" && k + 1 < count)
      tries = static_cast<unsigned>(std::stoul(with[++k]));
    else if (option == "--counted" && k + 1 < count)
      counted = read_counts(with[++k]);
    else if (option == "--times")
      is_timed = true;
    else if (option == "--break")
      is_broken = true;
    else
      page = option;
  }
  unsigned const divisor = is_broken ? 2 : 1;
  auto const rule = std::find_if(std::begin(targets_of_binaries), std::end(targets_of_binaries),
                                 [&](auto& of) { return of.name == target; });
  if (rule == std::end(targets_of_binaries)) return std::puts("no such target"), 2;
  bool const is_nvidia = target.substr(0, 3) == "sm_";
  std::ifstream in(with[2], std::ios::binary);
  std::stringstream whole;
  whole << in.rdbuf();
  std::set<std::string> kernels;
  for (row const& each : rows()) kernels.insert(each.name);
  std::string text;
  auto const ask = [&](row const& each, co::binary_argument first, co::binary_argument second) {
    co::binary_launch launch{
        .kernel = each.name, .grid = {everyday::blocks}, .block = {everyday::threads}, .every_block = true};
    launch.arguments = {co::binary_argument::buffer(everyday::buffer_bytes), std::move(first), std::move(second),
                        co::binary_argument::number(each.n, each.bytes_of_n)};
    return is_nvidia ? co::sass::record(target, text, launch) : co::amdgcn::record(target, text, launch);
  };
  oracle host(*rule);
  unsigned failures = 0, answered = 0, found_wrong = 0;
  compared_counts counts;
  std::uint64_t host_runs = 0, runs = 0;
  std::map<std::string, std::string> column;
  auto const note = [&](row const& each, std::set<std::string> const& wrong) {
    found_wrong += !wrong.empty(), failures += static_cast<unsigned>(wrong.size());
    for (std::string const& what : wrong)
      if (!is_broken) std::printf("%s: %s\n", each.name, what.c_str());
  };
  for (row const& each : rows()) {
    text = text_of(whole.str(), each.name, kernels);
    std::set<std::string> wrong;
    generator random(37);
    co::binary_answer bounds;
    std::string reason;
    auto const empty = co::binary_argument::buffer(everyday::buffer_bytes);
    try {
      bounds = ask(each, empty, empty);
      for (co::binary_unknown const& one : bounds.unknown)
        if (reason.empty()) reason = one.at.opcode + ": " + one.why;
      for (co::site const& s : bounds.sites)
        if (reason.empty() && !s.cost.is_counted) reason = std::string(s.opcode) + ": no source tells what it costs";
    } catch (co::binary_refused const& refused) {
      reason = refused.what();
    }
    if (!reason.empty()) {
      std::printf("%s: not yet: %s\n", each.name, reason.c_str());
      column[each.name] = "not yet";
      continue;
    }
    ++answered;
    if (!counted.empty()) {
      compared_counts const of = compare_with_counts(bounds, counted[each.name], divisor, wrong);
      if (of.all == 0) wrong.insert("the GPU's counts have no row");
      counts.all += of.all, counts.exact += of.exact, counts.rounds += of.rounds;
      note(each, wrong);
      continue;
    }
    // The contents of the binary's runs. Floating-point numbers stay data, and pointers stay unknown.
    bool const stay_unknown =
        each.first == filled::floats || each.first == filled::doubles || each.first == filled::pointers;
    auto const ask_with = [&](unsigned n) {
      auto const buffer = [&](filled how) {
        return co::binary_argument::buffer(everyday::buffer_bytes, contents(random, how, 6 * n + 2, 0));
      };
      return ask(each, buffer(each.first), buffer(each.second));
    };
    if (is_timed && !stay_unknown) {
      double longest = 0;
      for (unsigned n = 0; n != 4; ++n) longest = std::max(longest, seconds_of([&] { return ask_with(n); }));
      double const without = seconds_of([&] { return ask(each, empty, empty); });
      std::printf("%s: %.2f ms without contents, %.2f with: %.2f times\n", each.name, 1000 * without, 1000 * longest,
                  without / longest);
    }
    if (is_timed) continue;
    all_issued const told = sums_of(bounds, *rule);
    unsigned const kinds = each.how == made::pairs_on_amd && !is_nvidia ? shared_kinds : 6;
    bool const has_more = each.how == (is_nvidia ? made::table_on_nvidia : made::table_on_amd);
    all_issued most{};
    auto const hold = [&](unsigned n) {
      auto const a = contents(random, each.first, n, host.at[2]), b = contents(random, each.second, n / 2, host.at[2]);
      all_issued const is = host.run(each, a, b);
      ++host_runs;
      for (unsigned k = 0; k != kinds; ++k) {
        auto const compare = [&](std::uint64_t number, std::uint64_t bound, char const* what) {
          bound /= divisor;
          if (told[k].at_most || has_more ? number > bound : number != bound)
            wrong.insert(std::string(name_of_kind(k)) + ": " + std::to_string(number) + ' ' + what +
                         ", and the binary has " + (told[k].at_most ? "at most " : "") + std::to_string(bound));
        };
        most[k].issued = std::max(most[k].issued, is[k].issued);
        most[k].pieces = std::max(most[k].pieces, is[k].pieces);
        most[k].worst = std::max(most[k].worst, is[k].worst);
        if (is[k].worst > told[k].worst / divisor) compare(is[k].worst, told[k].worst, "in one access");
        if (told[k].of_a_round) continue;
        if (k < shared_kinds) compare(is[k].bytes, told[k].bytes, "bytes");
        compare(is[k].issued, told[k].issued, "issued");
        compare(is[k].pieces, told[k].pieces, "pieces");
      }
    };
    for (unsigned n = 0; n != 24; ++n) hold(n);
    // Exact; or at most, and how far above the most that was found: in a sum, or in one access.
    bool at_most = false, of_a_round = false;
    double above = 1;
    auto const compare = [&above](std::uint64_t bound, std::uint64_t found) {
      if (bound != found) above = std::max(above, found == 0 ? 99.0 : double(bound) / double(found));
    };
    for (unsigned k = 0; k != told.size(); ++k) {
      at_most = at_most || told[k].at_most, of_a_round = of_a_round || told[k].of_a_round;
      if (!told[k].at_most || has_more || k >= kinds) continue;
      if (told[k].of_a_round)
        compare(told[k].worst, most[k].worst);
      else
        compare(told[k].issued, most[k].issued), compare(told[k].pieces, most[k].pieces);
    }
    char status[64];
    std::snprintf(status, sizeof status, "%s%.1f", of_a_round ? "round " : "", above);
    column[each.name] = at_most ? status : "exact";
    for (unsigned n = 24; n < tries; ++n) hold(n);
    // The binary with contents, site by site.
    for (unsigned n = 0; n != 2 && !stay_unknown; ++n, ++runs) {
      try {
        co::binary_answer const run = ask_with(n);
        for (co::binary_unknown const& one : run.unknown)
          wrong.insert("with contents: " + one.at.opcode + ": " + one.why);
        for (co::site const& s : run.sites) {
          co::site const* const bound = bound_of(s, bounds);
          if (bound == nullptr)
            wrong.insert("an access without a bound: " + std::string(s.opcode));
          else if (is_above(s, *bound, divisor, co::compared_cost::numbers{}))
            wrong.insert("above its bound: " + std::string(s.opcode) + " of " + s.array);
        }
      } catch (co::binary_refused const& refused) {
        wrong.insert(std::string("with contents, refused: ") + refused.what());
      }
    }
    note(each, wrong);
  }
  if (counted.empty()) {
    if (!is_broken) failures += hold_to_page(column, target, page);
    std::printf(
        "%s: %zu kernels, %u answered, %llu runs on the host and %llu of the binary, %u kernels wrong, %u failures\n",
        with[1], column.size(), answered, static_cast<unsigned long long>(host_runs),
        static_cast<unsigned long long>(runs), found_wrong, failures);
  } else {
    std::printf(
        "%s: %u kernels answered, %u counts of a GPU compared, %u of them with exact numbers, %u rows left out "
        "(numbers "
        "of one round), %u kernels wrong, %u failures\n",
        with[1], answered, counts.all, counts.exact, counts.rounds, found_wrong, failures);
  }
  if (is_broken && found_wrong == answered) std::puts("all answered kernels are wrong");
  return failures != 0;
}

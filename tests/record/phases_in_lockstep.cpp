// SPDX-License-Identifier: BSL-1.0
#include <coalesce/record.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <tuple>
#include <vector>

#include "machinery/check.hpp"
#include "truth/oracle/refused.hpp"

// Random kernels whose threads pass words, halves and bytes through shared memory, with atomics, ifs, returns, and
// loops around barriers. What they load steers what they do. The library runs thread after thread, in passes. The
// oracle runs all threads from barrier to barrier, in a random order, and compares each load with each write of other
// threads. Both must find the same registers, or both that a value depends on the order of lanes.

namespace co = coalescing;

namespace {

// ---- Programs ----

constexpr unsigned most_threads = 12, words = 16, registers = 3;

enum class act {
  load,
  store,
  add,
  sub,
  min,
  max,
  bits_and,
  bits_or,
  bits_xor,
  exchange,
  cas,
  compute,
  choice,
  loop,
  barrier,
  leave
};
enum class index_of { own, mirrored, neighbour, flipped, fixed, of_register };

struct statement {
  act is = act::compute;
  unsigned bytes = 4;  ///< of an access
  index_of where = index_of::own;
  unsigned k = 0;         ///< of an index, a condition; the turns of a loop
  unsigned a = 0, b = 0;  ///< registers: the first is read, the second is read or written
  std::vector<statement> inner = {};
};
using program = std::vector<statement>;

struct generator {
  std::mt19937 random;
  unsigned upto(unsigned n) { return static_cast<unsigned>(random() % n); }

  statement access(act is) {
    statement s{.is = is, .bytes = upto(4) != 0 || (is != act::load && is != act::store) ? 4u : upto(2) + 1};
    unsigned const kind = upto(12);
    s.where = kind < 4    ? index_of::own
              : kind < 6  ? index_of::mirrored
              : kind < 8  ? index_of::neighbour
              : kind < 10 ? index_of::flipped
              : kind < 11 ? index_of::fixed
                          : index_of::of_register;
    s.k = upto(words), s.a = upto(registers), s.b = upto(registers);
    return s;
  }
  statement one(unsigned depth, bool uniform) {
    unsigned const kind = upto(20);
    if (kind < 4) return access(act::load);
    if (kind < 7) return access(act::store);
    if (kind < 8) {
      auto s = access(static_cast<act>(static_cast<unsigned>(act::add) + upto(9)));
      s.where = upto(2) != 0 ? index_of::fixed : index_of::of_register, s.k = upto(2);
      return s;
    }
    if (kind < 10) return {.is = act::compute, .k = upto(5), .a = upto(registers), .b = upto(registers)};
    if (kind < 12 && depth != 0)
      return {.is = act::choice, .k = upto(4), .a = upto(registers), .inner = some(depth - 1, false)};
    if (kind < 14 && depth != 0 && uniform) {
      statement loop{.is = act::loop, .k = 1 + upto(4), .inner = some(depth - 1, true)};
      loop.inner.push_back({.is = act::barrier});
      return loop;
    }
    if (kind == 14 && upto(8) == 0) return {.is = act::leave, .k = upto(9), .a = upto(registers)};
    if (uniform) return {.is = act::barrier};
    return access(act::store);
  }
  program some(unsigned depth, bool uniform) {
    program all(1 + upto(4));
    for (statement& s : all) s = one(depth, uniform);
    return all;
  }
  /// Most kernels store their own word first, and then read others' between barriers.
  program kernel() {
    program all;
    if (upto(10) != 0) all.push_back({.is = act::store, .a = upto(registers)}), all.push_back({.is = act::barrier});
    for (unsigned k = 2 + upto(5); k != 0; --k) {
      all.push_back(one(2, true));
      if (upto(3) != 0) all.push_back({.is = act::barrier});
    }
    return all;
  }
};

/// A thread: its registers, and where it runs. Memory has load(), store(), change() and barrier().
template <class Memory>
struct interpreter {
  Memory& memory;
  unsigned thread, threads;
  std::array<unsigned, registers> r;

  interpreter(Memory& m, unsigned which, unsigned of)
      : memory(m), thread(which), threads(of), r{which, which * 2654435761u >> 20, 7} {}

  unsigned byte_of(statement const& s) const {
    unsigned word = 0;
    switch (s.where) {
      case index_of::own:
        word = thread;
        break;
      case index_of::mirrored:
        word = threads - 1 - thread;
        break;
      case index_of::neighbour:
        word = (thread + s.k) % threads;
        break;
      case index_of::flipped:
        word = (thread ^ s.k) % words;
        break;
      case index_of::fixed:
        word = s.k;
        break;
      case index_of::of_register:
        word = r[s.b] % words;
        break;
    }
    return 4 * word + (s.bytes == 4 ? 0 : s.k % (4 / s.bytes) * s.bytes);
  }
  /// Returns false where the thread leaves the kernel.
  bool run(program const& all) {
    for (statement const& s : all) switch (s.is) {
        case act::load:
          r[s.a] = memory.load(byte_of(s), s.bytes);
          break;
        case act::store:
          memory.store(byte_of(s), s.bytes, r[s.a]);
          break;
        case act::add:
        case act::sub:
        case act::min:
        case act::max:
        case act::bits_and:
        case act::bits_or:
        case act::bits_xor:
        case act::exchange:
        case act::cas:
          memory.change(s.is, byte_of(s), r[s.a]);
          break;
        case act::compute:
          r[s.b] = r[s.a] * 5 + r[s.b] + s.k;
          break;
        case act::choice:
          if (r[s.a] % 4 == s.k && !run(s.inner)) return false;
          break;
        case act::loop:
          for (unsigned k = 0; k != s.k; ++k)
            if (!run(s.inner)) return false;
          break;
        case act::barrier:
          memory.barrier();
          break;
        case act::leave:
          if (r[s.a] % 9 == s.k) return false;
          break;
      }
    return true;
  }
};

using answer = std::optional<std::vector<std::array<unsigned, registers>>>;  // no value: refused

// ---- The library ----

template <class Thread, class Pointer>
struct recorded_memory {
  Thread const& t;
  Pointer s;

  unsigned load(unsigned byte, unsigned bytes) const {
    if (bytes == 4) return s[byte / 4];
    if (bytes == 2) return static_cast<unsigned short>(co::as<unsigned short>(s)[byte / 2]);
    return static_cast<unsigned char>(co::as<unsigned char>(s)[byte]);
  }
  void store(unsigned byte, unsigned bytes, unsigned v) const {
    if (bytes == 4)
      s[byte / 4] = v;
    else if (bytes == 2)
      co::as<unsigned short>(s)[byte / 2] = static_cast<unsigned short>(v);
    else
      co::as<unsigned char>(s)[byte] = static_cast<unsigned char>(v);
  }
  void change(act is, unsigned byte, unsigned v) const {
    auto const k = byte / 4;
    if (is == act::add) co::atomic_add(s[k], v);
    if (is == act::sub) co::atomic_sub(s[k], v);
    if (is == act::min) co::atomic_min(s[k], v);
    if (is == act::max) co::atomic_max(s[k], v);
    if (is == act::bits_and) co::atomic_and(s[k], v);
    if (is == act::bits_or) co::atomic_or(s[k], v);
    if (is == act::bits_xor) co::atomic_xor(s[k], v);
    if (is == act::exchange) co::atomic_exchange(s[k], v);
    if (is == act::cas) co::atomic_cas(s[k], 7u, v);
  }
  void barrier() const { t.sync(); }
};
/// Costs nothing, groups nothing.
struct plain_recorder {
  static constexpr unsigned lanes = 32;
  struct loop_state {};
  unsigned lane = 0;
  void begin_warp(co::place const&, unsigned) {}
  void end_warp() {}
  void begin_lane(unsigned which, unsigned) { lane = which; }
  void sync() {}
  template <co::memory_space, co::touch, class T>
  void access_to(co::source_place const& at, co::detail::array_facts const& array, std::uint64_t address) {
    co::detail::check_access(at, array, address, sizeof(T), alignof(T), lane);
  }
};
answer recorded(program const& all, unsigned threads) {
  return coalescing_tests::unless_refused([&] {
    std::vector<std::array<unsigned, registers>> found(threads);
    auto const body = [&](auto const& t, auto s) {
      recorded_memory<std::remove_cvref_t<decltype(t)>, decltype(s)> memory{t, s};
      interpreter one(memory, t.index(), threads);
      one.run(all), found[t.index()] = one.r;
    };
    co::kernel const what{co::launch{.block = {threads}}, body, co::shared<unsigned[words]>{"s"}};
    plain_recorder to;
    co::detail::runner<plain_recorder, std::remove_cv_t<decltype(what)>>{what, to}.run({}, 0, 1);
    return found;
  });
}

// ---- The oracle ----

enum class known { never, yes, no };
struct byte_state {
  known is = known::never;
  unsigned value = 0;
};
struct write {
  unsigned thread, address, bytes, value;
  act is;
};
struct read {
  unsigned thread, address, bytes;
};
struct reached_the_barrier {};

unsigned changed(act is, unsigned before, unsigned v) {
  switch (is) {
    case act::add:
      return before + v;
    case act::sub:
      return before - v;
    case act::min:
      return std::min(before, v);
    case act::max:
      return std::max(before, v);
    case act::bits_and:
      return before & v;
    case act::bits_or:
      return before | v;
    case act::bits_xor:
      return before ^ v;
    case act::cas:
      return before == 7 ? v : before;
    case act::load:
    case act::store:
    case act::exchange:
    case act::compute:
    case act::choice:
    case act::loop:
    case act::barrier:
    case act::leave:
      break;
  }
  return v;
}

/// One thread, run anew in each phase: what it loaded in earlier ones is in its log.
struct lockstep_thread {
  std::vector<byte_state> const& left;  ///< by the phases before
  unsigned thread, phase;
  std::vector<unsigned>& log;
  std::vector<write>& writes;
  std::vector<read>& reads;
  bool& unknown;
  std::map<unsigned, byte_state> own = {};
  unsigned now = 0;
  std::size_t loads = 0;

  byte_state at(unsigned byte) const {
    auto const mine = own.find(byte);
    return mine != own.end() ? mine->second : left[byte];
  }
  unsigned load(unsigned byte, unsigned bytes) {
    if (loads != log.size()) return log[loads++];
    unsigned v = 0;
    for (unsigned k = 0; k != bytes; ++k) {
      auto const one = at(byte + k);
      unknown = unknown || one.is != known::yes;
      v |= one.value << 8 * k;
    }
    reads.push_back({thread, byte, bytes});
    log.push_back(v), ++loads;
    return v;
  }
  void put(unsigned byte, unsigned bytes, unsigned v, known is, act how) {
    for (unsigned k = 0; k != bytes; ++k) {
      bool const spoilt = own.contains(byte + k) && own[byte + k].is == known::no;
      own[byte + k] = {spoilt ? known::no : is, v >> 8 * k & 255};
    }
    writes.push_back({thread, byte, bytes, v, how});
  }
  void store(unsigned byte, unsigned bytes, unsigned v) {
    if (now == phase) put(byte, bytes, v, known::yes, act::store);
  }
  void change(act is, unsigned byte, unsigned v) {
    if (now != phase) return;
    if (is == act::exchange) return put(byte, 4, v, known::yes, act::store);
    unsigned before = 0;
    known base = known::yes;
    for (unsigned k = 0; k != 4; ++k) {
      if (at(byte + k).is != known::yes) base = known::no;
      before |= at(byte + k).value << 8 * k;
    }
    put(byte, 4, changed(is, before, v), base, is);
    writes.back().value = v;
  }
  void barrier() {
    if (now++ == phase) throw reached_the_barrier{};
  }
};

answer in_lockstep(program const& all, unsigned threads, std::mt19937& random) {
  std::vector<byte_state> left(4 * words);
  std::vector<std::vector<unsigned>> logs(threads);
  std::vector<std::array<unsigned, registers>> found(threads);
  std::vector<unsigned> order(threads);
  for (unsigned k = 0; k != threads; ++k) order[k] = k;
  bool unknown = false;
  for (unsigned phase = 0, waiting = 1; waiting != 0; ++phase) {
    waiting = 0;
    std::vector<write> writes;
    std::vector<read> reads;
    std::vector<std::map<unsigned, byte_state>> own(threads);
    std::shuffle(order.begin(), order.end(), random);
    for (unsigned const t : order) {
      lockstep_thread memory{left, t, phase, logs[t], writes, reads, unknown};
      interpreter one(memory, t, threads);
      try {
        one.run(all);
      } catch (reached_the_barrier const&) {
        ++waiting;
      }
      found[t] = one.r, own[t] = memory.own;
    }
    for (read const& r : reads)
      for (write const& w : writes)
        if (r.thread != w.thread && r.address < w.address + w.bytes && w.address < r.address + r.bytes) unknown = true;
    if (unknown) return {};
    auto const before = left;
    for (unsigned byte = 0; byte != 4 * words; ++byte) {
      std::vector<write> here;
      for (write const& w : writes)
        if (w.address <= byte && byte < w.address + w.bytes) here.push_back(w);
      if (here.empty()) continue;
      // An atomic moves carries through its word, so all writes to the word count.
      if (std::any_of(here.begin(), here.end(), [](auto& w) { return w.is != act::store; })) {
        here.clear();
        for (write const& w : writes)
          if (w.address / 4 == byte / 4) here.push_back(w);
      }
      bool const alone = std::all_of(here.begin(), here.end(), [&](auto& w) { return w.thread == here[0].thread; });
      auto const kind = [](act is) { return is == act::sub ? act::add : is; };
      bool const alike = std::all_of(here.begin(), here.end(), [&](auto& w) { return kind(w.is) == kind(here[0].is); });
      auto const value_in = [byte](write const& w) { return w.value >> 8 * (byte - w.address) & 255; };
      bool spoilt = false;
      for (write const& w : here) {
        auto const its = own[w.thread].find(byte);
        spoilt = spoilt || (its != own[w.thread].end() && its->second.is == known::no);
      }
      if (alone) {
        left[byte] = own[here[0].thread].at(byte);
      } else if (!alike || here[0].is == act::cas || spoilt) {
        left[byte] = {known::no, 0};
      } else if (here[0].is == act::store) {
        bool const equal =
            std::all_of(here.begin(), here.end(), [&](auto& w) { return value_in(w) == value_in(here[0]); });
        left[byte] = {equal ? known::yes : known::no, value_in(here[0])};
      } else {
        std::shuffle(here.begin(), here.end(), random);
        unsigned word = 0;
        for (unsigned k = 0; k != 4; ++k) word |= before[here[0].address + k].value << 8 * k;
        for (write const& w : here) word = changed(w.is, word, w.value);
        left[byte] = {known::yes, word >> 8 * (byte - here[0].address) & 255};
      }
    }
  }
  return found;
}

/// The control: threads that run one after the other, each through the whole kernel, on one memory.
struct memory_without_phases {
  std::array<unsigned, 4 * words> byte = {};

  unsigned load(unsigned at, unsigned bytes) const {
    unsigned v = 0;
    for (unsigned k = 0; k != bytes; ++k) v |= byte[at + k] << 8 * k;
    return v;
  }
  void store(unsigned at, unsigned bytes, unsigned v) {
    for (unsigned k = 0; k != bytes; ++k) byte[at + k] = v >> 8 * k & 255;
  }
  void change(act is, unsigned at, unsigned v) { store(at, 4, changed(is, load(at, 4), v)); }
  void barrier() const {}
};
answer one_after_the_other(program const& all, unsigned threads) {
  std::vector<std::array<unsigned, registers>> found;
  memory_without_phases memory;
  for (unsigned t = 0; t != threads; ++t) {
    interpreter one(memory, t, threads);
    one.run(all), found.push_back(one.r);
  }
  return found;
}

}  // namespace

TEST_CASE("phases: random kernels, in passes and in lockstep") {
  unsigned answered = 0, refused = 0, wrong_control = 0, wrong = 0;
  std::mt19937 order(99);
  for (unsigned seed = 1; seed <= 10000; ++seed) {
    generator g{std::mt19937(seed)};
    unsigned const threads = 2 + g.upto(most_threads - 1);
    auto const all = g.kernel();
    auto const expected = in_lockstep(all, threads, order), seen = recorded(all, threads);
    if (expected != seen && ++wrong < 5) CHECK_MESSAGE(false, "seed " << seed);
    expected ? ++answered : ++refused;
    if (expected && one_after_the_other(all, threads) != seen) ++wrong_control;
  }
  CHECK(wrong == 0);
  CHECK(answered > 5000);
  CHECK(refused > 2500);
  CHECK(wrong_control > 1000);
}

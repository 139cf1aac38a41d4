// SPDX-License-Identifier: BSL-1.0
#pragma once
#include "truth/fuzz/input.hpp"

#include <coalesce/host/binary/answer.hpp>
#include <coalesce/host/binary/launch.hpp>
#include <coalesce/host/binary/refused.hpp>

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Shared by the targets that read binaries: a random kernel as a list of steps, evaluated thread by thread; what is
// asked of its text; and its text, spaced in another way or damaged.

namespace coalescing_tests {

/// A step of a thread. Its registers are six words; `a`, `b` and `c` are numbers of registers.
struct kernel_step {
  enum class op {
    add,
    sub,
    mul,
    conjunction,
    disjunction,
    exclusive,
    left,
    right,
    least,
    most,
    constant,  ///< `number`
    choose,    ///< a where b < c, else what it was
    load,      ///< word a & 255 of the buffer `in`
    store,     ///< a, to the thread's place in row `number` of `out`
    exchange,  ///< what thread t ^ number has in a, through shared memory
    begin_if,  ///< where a < b
    end_if,
    begin_loop,  ///< `number` times, all threads
    end_loop
  };
  /// Steps of targets that ask for them: what a reader cannot follow, and what compilers make of arrays and `switch`.
  enum class special {
    none,
    data_branch,   ///< the second half of the threads branches by a word of a buffer without contents, and ends on both
                   ///< ways
    quiet_branch,  ///< all threads branch by such a word, around an instruction that changes only a register
    far_branch,    ///< the first half of the threads goes on at an address in a register, which is the end
    choose_by_wave,  ///< a switch: a, b or c plus one, by the thread's wave
    divide,          ///< a / (number | 1), where the number is an argument
    unlisted,        ///< a register that is never stored becomes the result of an opcode that is in no table
    indexed_write,   ///< register number `number % 6`, named by an index, becomes a
    indexed_read     ///< what register number `number % 6` is, named by an index
  };
  op does = op::add;
  unsigned to = 0, a = 0, b = 0, c = 0;
  std::uint32_t number = 0;
  special how = special::none;
};
constexpr unsigned kernel_threads = 128, kernel_registers = 6, kernel_words = 256;
using kernel_steps = std::vector<kernel_step>;

inline kernel_steps random_steps(fuzz_input& in, bool with_specials = false) {
  using op = kernel_step::op;
  using special = kernel_step::special;
  static constexpr special specials[] = {special::choose_by_wave, special::divide,       special::unlisted,
                                         special::indexed_write,  special::indexed_read, special::quiet_branch};
  static constexpr op plain[] = {op::add,       op::sub,    op::mul,   op::conjunction, op::disjunction,
                                 op::exclusive, op::left,   op::right, op::least,       op::most,
                                 op::constant,  op::choose, op::load,  op::store};
  kernel_steps made;
  bool in_loop = false, in_if = false;
  // Where a wave ends early, all contents are unknown, and so is what they would make: nothing is loaded there.
  bool const has_end = with_specials && in.one_in(3);
  std::uint32_t rows = 0;
  auto const pick = [&in] { return static_cast<unsigned>(in.below(kernel_registers)); };
  auto const count = 4 + in.below(20);
  for (std::uint64_t k = 0; k != count; ++k) {
    kernel_step each{in.one_of(plain), pick(), pick(), pick(), pick(), 0};
    auto const what = in.below(12);
    if (what == 0) {
      each.does = in_if ? op::end_if : op::begin_if, in_if = !in_if;
    } else if (what == 1 && !in_if) {
      each.does = in_loop ? op::end_loop : op::begin_loop, in_loop = !in_loop;
      each.number = 1 + static_cast<std::uint32_t>(in.below(4));
    } else if (what == 2 && !in_if) {
      each.does = op::exchange, each.number = static_cast<std::uint32_t>(in.below(kernel_threads));
    }
    if (has_end && each.does == op::load) each.does = op::add;
    if (has_end && each.does == op::exchange) each.does = op::sub;
    if (what == 3 && with_specials && !in_if) each.how = in.one_of(specials), each.does = op::constant;
    if (what == 4 && has_end && !in_if && !in_loop)
      each.how = in.one_in(2) ? special::data_branch : special::far_branch, each.does = op::constant;
    if (each.does == op::constant) each.number = static_cast<std::uint32_t>(in.number(4) >> in.below(32));
    if (each.does == op::store) each.number = rows++;
    made.push_back(each);
  }
  if (in_if) made.push_back({op::end_if});
  if (in_loop) made.push_back({op::end_loop});
  for (unsigned r = 0; r != kernel_registers; ++r) made.push_back({op::store, 0, r, 0, 0, rows++});
  return made;
}
inline std::uint32_t rows_of(kernel_steps const& steps) {
  std::uint32_t rows = 0;
  for (auto const& each : steps) rows += each.does == kernel_step::op::store;
  return rows;
}
inline std::uint32_t word_of_in(unsigned k) { return k * 0x9e3779b9u >> k % 31; }

/// The words that a kernel leaves in `out`, and how many instructions of its waves access memory.
struct kernel_outcome {
  std::vector<std::int64_t> out;  ///< -1: not written
  std::uint64_t loads = 0, stores = 0, shared = 0;
  std::uint64_t ended = 0;  ///< waves that end at a branch that is not followed
};
constexpr std::uint32_t kernel_divisor = 13;
/// Step by step, and thread by thread.
inline kernel_outcome evaluated(kernel_steps const& steps, unsigned lanes) {
  using op = kernel_step::op;
  kernel_outcome made;
  made.out.assign(std::size_t{rows_of(steps)} * kernel_threads, -1);
  std::vector<std::vector<std::uint32_t>> r(kernel_threads, std::vector<std::uint32_t>(kernel_registers));
  std::vector<bool> active(kernel_threads, true), gone(kernel_threads);
  for (unsigned t = 0; t != kernel_threads; ++t)
    for (unsigned k = 0; k != kernel_registers; ++k) r[t][k] = t * (k + 1);
  std::size_t start = 0;
  std::uint32_t left = 0;
  for (std::size_t k = 0; k != steps.size(); ++k) {
    kernel_step const& s = steps[k];
    std::uint64_t issued = 0;
    for (unsigned t = 0; t != kernel_threads; t += lanes) {
      bool any = false;
      for (unsigned lane = 0; lane != lanes; ++lane) any = any || active[t + lane];
      issued += any;
    }
    if (s.does == op::begin_loop) start = k, left = s.number;
    if (s.does == op::end_loop && --left != 0) k = start;
    if (s.does == op::load) made.loads += issued;
    if (s.does == op::store) made.stores += issued;
    if (s.does == op::exchange) made.shared += 2 * issued;
    using special = kernel_step::special;
    bool const ends_some = s.how == special::data_branch || s.how == special::far_branch;
    for (unsigned t = 0; t < kernel_threads && ends_some; t += lanes) {
      bool const leaves = (t < kernel_threads / 2) == (s.how == special::far_branch);
      if (!leaves || gone[t]) continue;
      made.ended += s.how == special::data_branch ? 2 : 1;  // each way has its place
      for (unsigned lane = 0; lane != lanes; ++lane) gone[t + lane] = true, active[t + lane] = false;
    }
    auto const before = r;
    for (unsigned t = 0; t != kernel_threads; ++t) {
      std::uint32_t const a = before[t][s.a], b = before[t][s.b], c = before[t][s.c];
      std::uint32_t& to = r[t][s.to];
      if (s.does == op::begin_if) active[t] = a < b;
      if (s.does == op::end_if) active[t] = !gone[t];
      if (s.does == op::begin_if) active[t] = active[t] && !gone[t];
      if (!active[t]) continue;
      if (s.how == special::choose_by_wave) to = t / lanes == 0 ? a : t / lanes == 1 ? b : c + 1;
      if (s.how == special::divide) to = a / kernel_divisor;
      if (s.how == special::indexed_write) r[t][s.number % kernel_registers] = a;
      if (s.how == special::indexed_read) to = before[t][s.number % kernel_registers];
      if (s.how != special::none) continue;
      if (s.does == op::add) to = a + b;
      if (s.does == op::sub) to = a - b;
      if (s.does == op::mul) to = a * b;
      if (s.does == op::conjunction) to = a & b;
      if (s.does == op::disjunction) to = a | b;
      if (s.does == op::exclusive) to = a ^ b;
      if (s.does == op::left) to = oracle_is_broken && b > 31 ? 0 : a << b % 32;
      if (s.does == op::right) to = a >> b % 32;
      if (s.does == op::least) to = a < b ? a : b;
      if (s.does == op::most) to = a < b ? b : a;
      if (s.does == op::constant) to = s.number;
      if (s.does == op::choose && b < c) to = a;
      if (s.does == op::load) to = word_of_in(a & 255);
      if (s.does == op::store) made.out[s.number * std::size_t{kernel_threads} + t] = a;
      if (s.does == op::exchange) to = before[t ^ s.number][s.a];
    }
  }
  return made;
}

/// The buffers of a kernel: `in`, and `out` with a row for each store.
inline coalescing::binary_launch launch_of(kernel_steps const& steps, bool with_specials = false) {
  std::vector<unsigned char> words(4 * kernel_words);
  for (unsigned k = 0; k != kernel_words; ++k) {
    std::uint32_t const word = word_of_in(k);
    std::memcpy(&words[4 * k], &word, 4);
  }
  std::uint64_t const bytes = std::uint64_t{4} * kernel_threads * rows_of(steps);
  coalescing::binary_launch launch;
  launch.block = {kernel_threads};
  launch.arguments = {coalescing::binary_argument::buffer(words.size(), words),
                      coalescing::binary_argument::buffer(bytes, std::vector<unsigned char>(1))};
  if (with_specials) {  // the words that threads branch by, and what they divide by
    launch.arguments.push_back(coalescing::binary_argument::buffer(256));
    launch.arguments.push_back(coalescing::binary_argument::u32(kernel_divisor));
  }
  launch.most_instructions = 5000;
  return launch;
}
/// The library's answer about a text, whole, or the sentence of its refusal.
struct binary_outcome {
  std::string told;
  bool is_refused = false;
  coalescing::binary_answer answer = {};
};
template <class Machine, class Record>
binary_outcome asked(Record const& record, std::string const& text, coalescing::binary_launch const& launch) {
  binary_outcome made;
  try {
    made.answer = record(text, launch);
    made.told = coalescing::json(made.answer);
    for (auto const& each : made.answer.buffers)
      for (std::uint64_t k = 0; k != each.bytes.size(); ++k)
        made.told += ' ' + std::to_string(each.bytes.final_byte(k));
  } catch (coalescing::binary_refused const& refused) {
    made.told = refused.what(), made.is_refused = true;
    expect(!made.told.empty(), "a refusal without a sentence");
  }
  return made;
}
/// A whole kernel's text beside the steps.
inline void compare(binary_outcome const& made, kernel_steps const& steps, unsigned lanes) {
  using coalescing::memory_space, coalescing::touch;
  expect(!made.is_refused, "a kernel is refused");
  kernel_outcome const expected = evaluated(steps, lanes);
  std::uint64_t ended = 0;
  for (auto const& each : made.answer.unknown) {
    bool const is_end = each.why.find("end here: ") != each.why.npos;
    if (is_end) ended += each.issued;
    expect(is_end || expected.ended != 0, "an access is unknown");
  }
  expect(ended == (oracle_is_broken ? 0 : expected.ended), "the waves that end where they are not followed");
  kernel_outcome found;
  for (auto const& s : made.answer.sites)
    if (std::string_view(s.array) != "arg2")  // the words that threads branch by
      (s.space == memory_space::shared ? found.shared
       : s.kind == touch::load         ? found.loads
                                       : found.stores) += s.cost.issued;
  expect(found.loads == expected.loads && found.stores == expected.stores, "the instructions on global memory");
  expect(found.shared == expected.shared, "the instructions on shared memory");
  auto const& out = made.answer.buffers[1].bytes;
  for (std::size_t k = 0; k != expected.out.size(); ++k)
    for (unsigned byte = 0; byte != 4; ++byte) {
      int const is = out.final_byte(4 * k + byte);
      std::int64_t const word = expected.out[k];
      if (expected.ended != 0) expect(is == -1, "what a wave may have stored that ended before");
      if (word < 0 || expected.ended != 0) continue;
      expect(is == static_cast<int>(word >> (8 * byte) & 255), "what the kernel stores");
    }
}

/// The text with other blanks at the ends of its lines and behind its commas, and with comments.
inline std::string respaced(fuzz_input& in, std::string const& text, char const* comment, bool only_at_ends) {
  static constexpr char const* blanks[] = {"", "\t", "   ", " \t "};
  std::string made;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t const end = text.find('\n', at) == text.npos ? text.size() : text.find('\n', at);
    std::string const line = text.substr(at, end - at);
    made += in.one_of(blanks);
    for (char const c : line) {
      made += c;
      if (c == ',' && !only_at_ends && line.find('"') == line.npos) made += in.one_of(blanks);
    }
    // NVIDIA's text has comments behind instructions only.
    if (comment[0] == ';' || (!line.empty() && line.back() == ';')) made += in.one_in(3) ? comment : "";
    made += in.one_of(blanks);
    if (in.one_in(8)) made += '\r';
    if (end != text.size()) made += '\n';
    at = end + 1;
  }
  return made;
}
/// The text with a few lines or characters that are lost, moved or replaced.
inline void damage(fuzz_input& in, std::string& text, std::vector<std::string_view> const& words) {
  static constexpr char letters[] = " ,[]():;/*\"@!-.x0129avsRPZ_\n";
  for (auto left = 1 + in.below(4); left != 0 && !text.empty(); --left) {
    std::size_t const at = in.below(text.size()), line = text.rfind('\n', at) + 1;
    std::size_t const end = text.find('\n', at) == text.npos ? text.size() : text.find('\n', at) + 1;
    std::string const whole = text.substr(line, end - line);
    switch (in.below(8)) {
      case 0:
        text.resize(at);
        break;
      case 1:
        text.erase(line, end - line);
        break;
      case 2:
        text.insert(line, whole);
        break;
      case 3:
        text.erase(line, end - line), text.insert(text.rfind('\n', in.below(text.size() + 1)) + 1, whole);
        break;
      case 4:
        text[at] = letters[in.below(sizeof letters - 1)];
        break;
      case 5:
        text.erase(at, 1 + in.below(8));
        break;
      case 6: {  // a word becomes another one
        std::size_t const blank = text.find_first_of(" ,\n", at);
        text.replace(at, (blank == text.npos ? text.size() : blank) - at, words[in.below(words.size())]);
        break;
      }
      default:
        text.insert(at, words[in.below(words.size())]);
    }
  }
}

/// The whole question of a target: `write(steps)` is the kernel's text.
template <class Machine, class Record, class Write>
void ask(std::uint8_t const* data, std::size_t size, unsigned lanes, Record const& record, Write const& write,
         char const* comment, std::vector<std::string_view> const& words, bool with_specials = false) {
  fuzz_input in(data, size);
  kernel_steps const steps = random_steps(in, with_specials);
  auto const launch = launch_of(steps, with_specials);
  if (in.one_in(16)) {
    static_cast<void>(asked<Machine>(record, std::string(reinterpret_cast<char const*>(data), size), launch));
    return;
  }
  std::string text = write(steps, in);
  bool const is_damaged = in.one_in(2);
  if (is_damaged) damage(in, text, words);
  auto const made = asked<Machine>(record, text, launch);
  if (!is_damaged) compare(made, steps, lanes);
  if (in.one_in(2)) return;
  auto const again = asked<Machine>(record, respaced(in, text, comment, is_damaged), launch);
  expect(made.told == again.told, "a text, and the text with other blanks and comments");
}

}  // namespace coalescing_tests

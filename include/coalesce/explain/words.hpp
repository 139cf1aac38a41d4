// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/name.hpp>
#include <coalesce/core/text.hpp>

#include <cstddef>
#include <cstdint>

// Puts numbers, lanes and names into sentences.

namespace coalescing::detail {

/// Lanes that put() writes by their numbers. Bit k of the mask is lane k.
struct lanes_named {
  std::uint64_t mask;
};

/// Writes 65536 as 65,536.
template <std::size_t Capacity>
COALESCE_API constexpr void put(text<Capacity>& out, std::uint64_t number) {
  char digits[26] = {};
  unsigned count = 0, written = 0;
  do {
    if (written++ % 3 == 0 && count != 0) digits[count++] = ',';
    digits[count++] = static_cast<char>('0' + number % 10);
  } while ((number /= 10) != 0);
  while (count != 0) out.append_character(digits[--count]);
}
template <std::size_t Capacity>
COALESCE_API constexpr void put(text<Capacity>& out, char const* words) {
  out.append(words);
}
template <std::size_t Capacity, std::size_t Other>
COALESCE_API constexpr void put(text<Capacity>& out, text<Other> const& words) {
  out.append(words.characters);
}
/// Writes "lane 3", "lanes 0 to 3 and 20 to 23", "lanes 0, 8, 16 and 24", "lanes 0, 2, 4 and 13 more".
template <std::size_t Capacity>
COALESCE_API constexpr void put(text<Capacity>& out, lanes_named lanes) {
  constexpr unsigned most = 4;
  unsigned first[64] = {}, last[64] = {}, runs = 0, count = 0, written = 0;
  for (unsigned k = 0; k != 64; ++k) {
    if ((lanes.mask >> k & 1) == 0) continue;
    ++count;
    bool const goes_on = runs != 0 && last[runs - 1] + 1 == k;
    if (goes_on)
      last[runs - 1] = k;
    else
      first[runs] = last[runs] = k, ++runs;
  }
  out.append(count == 0 ? "no lane" : count == 1 ? "lane " : "lanes ");
  for (unsigned run = 0; run != runs; ++run) {
    bool const rest = run == most - 1 && runs > most;
    if (run != 0) out.append(run + 1 == runs || rest ? " and " : ", ");
    put(out, std::uint64_t{rest ? count - written : first[run]});
    if (rest) return out.append(" more");
    if (last[run] != first[run]) out.append(count == 2 ? " and " : " to "), put(out, std::uint64_t{last[run]});
    written += last[run] - first[run] + 1;
  }
}

/// Writes 65536 as 65536, without a comma.
template <std::size_t Capacity>
COALESCE_API constexpr void put_digits(text<Capacity>& out, unsigned number) {
  if (number >= 10) detail::put_digits(out, number / 10);
  out.append_character(static_cast<char>('0' + number % 10));
}

/// Writes words, numbers and lanes, one after the other.
template <std::size_t Capacity, class... Words>
COALESCE_API constexpr void say(text<Capacity>& out, Words const&... words) {
  (put(out, words), ...);  // argument-dependent lookup also finds a put() declared beside the argument's type
}

// ---- Names ----

/// Whether two texts are equal. In a constant expression clang compares all characters at once, which is ten times as
/// fast.
COALESCE_API constexpr bool same_words(char const* a, char const* b) {
#ifdef __clang__
  if (__builtin_is_constant_evaluated()) return __builtin_strcmp(a, b) == 0;
#endif
  while (*a != '\0' && *a == *b) ++a, ++b;
  return *a == *b;
}
COALESCE_API constexpr bool begins_with(char const* words, char const* begin) {
  while (*begin != '\0' && *words == *begin) ++words, ++begin;
  return *begin == '\0';
}
/// The name of a machine with its family: cuda::cc90.
COALESCE_API constexpr text<80> words_of(machine_name const& machine) {
  text<80> words;
  detail::say(words, machine.family.name, *machine.name == '\0' ? "" : "::", machine.name);
  return words;
}
/// An instruction's name: cp_async<16>::global. Counters are found by the name without arguments, cp_async::global.
COALESCE_API constexpr text<80> words_of(instruction_name const& called, bool with_arguments = true) {
  text<80> words;
  detail::say(words, called.machine.wave, *called.machine.wave == '\0' ? "" : "::", called.name);
  char const* between = "<";
  for (name_argument const& argument : called.arguments) {
    if (!with_arguments || !argument.is_written) continue;
    words.append(between);
    if (argument.word != nullptr)
      words.append(argument.word);
    else
      detail::put_digits(words, argument.number);
    between = ", ";
  }
  if (*between == ',') words.append(">");  // at least one argument was written, so a bracket is open
  detail::say(words, *called.side == '\0' ? "" : "::", called.side);
  return words;
}

/// The name of an instruction with its machine: cuda::cc90::load<128>.
COALESCE_API constexpr text<80> full_name(instruction_name const& called) {
  text<80> name = detail::words_of(called.machine);
  detail::say(name, name.empty() ? "" : "::", detail::words_of(called));
  return name;
}

}  // namespace coalescing::detail

namespace coalescing {

/// The name of an instruction: cuda::cc90::load<128>, gcn::ds_read<32>, cdna::gfx942::ds_read2<64, 0, 1>. A user's own
/// instruction has the name that it declares: `static constexpr co::instruction_name called{.name = "my_load"}`.
template <class Instruction>
[[nodiscard]] COALESCE_API constexpr auto name_of() {
  constexpr instruction_name called = detail::name_declared_by<Instruction>();
  return detail::full_name(called);
}

}  // namespace coalescing

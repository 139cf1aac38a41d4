// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/config.hpp>
#include <coalesce/core/name.hpp>
#include <coalesce/core/text.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

// Puts numbers, lanes and names into sentences. The compiler knows the names of numbers, and of users' instructions.

namespace coalescing::detail {

/// Lanes to write by their numbers: bit k is lane k.
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

/// Writes 65536 as 65536.
template <std::size_t Capacity>
COALESCE_API constexpr void put_digits(text<Capacity>& out, unsigned number) {
  if (number >= 10) detail::put_digits(out, number / 10);
  out.append_character(static_cast<char>('0' + number % 10));
}

/// Writes words, numbers and lanes, one after the other.
template <std::size_t Capacity, class... Words>
COALESCE_API constexpr void say(text<Capacity>& out, Words const&... words) {
  (put(out, words), ...);  // also finds a put() that is declared beside the type of its argument
}

// ---- Names ----

COALESCE_API constexpr bool same_words(char const* a, char const* b) {
  while (*a != '\0' && *a == *b) ++a, ++b;
  return *a == *b;
}
COALESCE_API constexpr bool begins_with(char const* words, char const* begin) {
  while (*begin != '\0' && *words == *begin) ++words, ++begin;
  return *begin == '\0';
}
/// Whether a text ends with these words.
template <std::size_t Capacity>
COALESCE_API constexpr bool ends_with(text<Capacity> const& words, char const* end) {
  std::size_t length = 0;
  while (end[length] != '\0') ++length;
  return words.length >= length && detail::same_words(words.characters + (words.length - length), end);
}
template <std::size_t Capacity>
COALESCE_API constexpr void drop(text<Capacity>& words, std::size_t count) {
  for (; count != 0; --count) words.characters[--words.length] = '\0';
}

/// Makes cuda::cc90::load<32, l1> from a compiler's "... [T = coalescing::cuda::device<90>::load<32,
/// coalescing::cuda::caching::l1>]" (or "with T ="). It keeps only the last part of a qualified name in brackets, and
/// leaves default arguments out.
COALESCE_API constexpr text<80> readable(char const* function) {
  text<80> name;
  while (*function != '=') ++function;
  function += 2;
  std::size_t argument = 0;  // where the argument begins
  unsigned depth = 0;
  bool whole = false;  // the brackets hold the machine's number; they are not written
  for (; *function != ']'; ++function) {
    bool const of_a_number = *function == 'U' && name.length != 0 && name.characters[name.length - 1] >= '0' &&
                             name.characters[name.length - 1] <= '9';  // nvcc: 90U
    if (*function == ' ' || of_a_number) {
      continue;
    } else if (*function == '<') {
      whole = depth++ == 0 && (ends_with(name, "device") || ends_with(name, "machine"));
      if (whole) {
        bool const number = ends_with(name, "device");
        drop(name, number ? 6 : 7);
        if (number) name.append("cc");
      } else {
        name.append("<");
      }
      argument = name.length;
    } else if (*function == '>') {
      if (ends_with(name, ", by_default")) drop(name, 12);
      if (ends_with(name, ", m8n8")) drop(name, 6);
      if (--depth != 0 || !whole) name.append(">");
      whole = false;
    } else if (*function == ',') {
      name.append(", ");
      argument = name.length;
    } else if (*function == ':' && depth != 0) {
      drop(name, name.length - argument);
    } else {
      name.append_character(*function);
    }
    if (depth == 0 && same_words(name.characters, "coalescing::")) drop(name, name.length);
  }
  return name;
}
/// The name after the last "::" of "&coalescing::bank_cost<...>::rounds", up to a "]" that follows it.
COALESCE_API constexpr text<32> last_name(char const* function) {
  char const* begin = function;
  for (; *function != '\0' && !(*function == ']' && function != begin); ++function)
    if (*function == ':' || *function == '<' || *function == ' ') begin = function + 1;
  text<32> name;
  for (; begin != function; ++begin) name.append_character(*begin);
  return name;
}

/// A machine's name with its family: cuda::cc90.
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
  if (with_arguments) words.append(">");
  detail::say(words, *called.side == '\0' ? "" : "::", called.side);
  return words;
}

template <class T>
COALESCE_API constexpr char const* function_of_type() {
  return __PRETTY_FUNCTION__;
}
template <auto Member>
COALESCE_API constexpr char const* function_of_member() {
  return __PRETTY_FUNCTION__;
}
template <auto Member>
COALESCE_API constexpr text<32> name_of_number() {
  return detail::last_name(detail::function_of_member<Member>());
}

}  // namespace coalescing::detail

namespace coalescing {

/// The name of an instruction: cuda::cc90::load<128>, gcn::ds_read<32>, cdna::gfx942::ds_read2<64, 0, 1>. If a user's
/// own instruction declares no name, this is the compiler's name of the type.
template <class Instruction>
[[nodiscard]] COALESCE_API constexpr auto name_of() {
  if constexpr (requires { Instruction::called; }) {
    text<80> name = detail::words_of(Instruction::called.machine);
    detail::say(name, "::", detail::words_of(Instruction::called));
    return name;
  } else {
    return detail::readable(detail::function_of_type<Instruction>());
  }
}

}  // namespace coalescing

// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/binary/kernels.hpp>
#include <coalesce/host/binary/launch.hpp>
#include <coalesce/host/binary/text.hpp>
#include <coalesce/host/numbers.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Makes the arguments of a launch that does not state them. They come from the binary's own tables, and from the
// parameters in the kernel's mangled name.

namespace coalescing::binary {

/// The type of a parameter, as far as a table or a name tells it.
enum class parameter_type : unsigned char { unknown, pointer, number };

/// A parameter of a kernel. `bytes` is 0 if nothing tells its size.
struct parameter {
  std::string name = {};
  std::uint64_t offset = 0, bytes = 0;
  parameter_type type = parameter_type::unknown;
};

/// A parameter of this type. The type is written as in a demangled name: int, float const*. For a type that is neither
/// a pointer nor in `numbers`, `bytes` is 0 and `type` is unknown. (Itanium C++ ABI; the sizes are those of CUDA and
/// HIP on Linux.)
[[nodiscard]] inline parameter parameter_of_type(std::string_view type) {
  static constexpr struct {
    std::string_view name;
    unsigned bytes;
  } numbers[] = {{"bool", 1},  {"char", 1},           {"signed char", 1}, {"unsigned char", 1},
                 {"short", 2}, {"unsigned short", 2}, {"int", 4},         {"unsigned int", 4},
                 {"long", 8},  {"unsigned long", 8},  {"long long", 8},   {"unsigned long long", 8},
                 {"float", 4}, {"double", 8}};
  if (!type.empty() && type.back() == '*') return {.bytes = 8, .type = parameter_type::pointer};
  for (auto const& each : numbers)
    if (type == each.name) return {.bytes = each.bytes, .type = parameter_type::number};
  return {};
}

/// The parameters of a kernel, read from its mangled name. Empty if it has none, or if the name is not mangled.
[[nodiscard]] inline std::vector<parameter> parameters_of_name(std::string const& kernel) {
  std::string const words = binary::unmangled(kernel);
  std::size_t const begin = binary::begin_of_last(words, '(', ')');
  if (words == kernel || begin == words.size()) return {};
  std::size_t depth = 0;
  std::vector<parameter> all;
  std::string type;
  for (std::size_t k = begin + 1; k != words.size(); ++k) {
    char const c = words[k];
    depth += c == '(' || c == '<', depth -= depth != 0 && (c == ')' || c == '>');
    if (k + 1 != words.size() && (c != ',' || depth != 0)) {
      type += c;
      continue;
    }
    std::string_view const is = trimmed(type);
    if (!is.empty() && is != "void") all.push_back(parameter_of_type(is));
    type.clear();
  }
  return all;
}

/// The parameters of a kernel. If the binary has a table of them, they come from the table. Where the table leaves a
/// type open, the mangled name may give the type. The name must then have as many parameters as the table, and the type
/// must have the size that the table states. Without a table, the parameters come from the name alone, and the list is
/// empty if the name does not tell the size of each.
[[nodiscard]] inline std::vector<parameter> parameters_of(std::string const& kernel, bool has_table,
                                                          std::vector<parameter> table) {
  std::vector<parameter> named = parameters_of_name(kernel);
  if (has_table) {
    for (std::size_t k = 0; k != table.size() && named.size() == table.size(); ++k)
      if (table[k].type == parameter_type::unknown && named[k].bytes == table[k].bytes) table[k].type = named[k].type;
    return table;
  }
  std::uint64_t next = 0;
  for (parameter& each : named) {
    if (each.bytes == 0) return {};
    each.offset = (next + each.bytes - 1) / each.bytes * each.bytes, next = each.offset + each.bytes;
  }
  return named;
}

/// The least common multiple; if it does not fit 64 bits, the largest number of 64 bits.
[[nodiscard]] inline std::uint64_t common_multiple(std::uint64_t a, std::uint64_t b) {
  std::uint64_t const all = ~std::uint64_t{0}, part = a / std::gcd(a, b);
  return part > all / b ? all : part * b;
}
/// Adds what the launch says of an argument, `from`, to what the binary says of it, `to`. A number of an argument that
/// has less than 64 bits may be its 64-bit sign extension (-4). Refused: a number that does not fit the argument, and
/// statements that contradict each other.
inline void add_known(binary_argument& to, binary_argument from, std::string const& name) {
  from.most = std::min(to.most, from.most), from.factor = common_multiple(to.factor, from.factor);
  auto const refuse_unless = [&name](bool is) {
    if (!is) throw binary_refused("the statements about the argument " + name + " cannot all be true");
  };
  auto const agree = [&] { return ((to.bits ^ from.bits) & to.known & from.known) == 0; };
  auto const check_number = [&] {
    std::uint64_t const number = to.bits & to.every_bit();
    refuse_unless((to.known & to.every_bit()) != to.every_bit() || (number <= to.most && number % to.factor == 0));
  };
  if (from.is_buffer || (from.bytes != 0 && from.known == ~std::uint64_t{0})) {
    std::uint64_t const at = to.at;
    if (from.bytes != to.bytes)
      throw binary_refused("the argument " + name + " has " + std::to_string(to.bytes) + " bytes, and " +
                           std::to_string(from.bytes) + " are given");
    refuse_unless(to.is_buffer || from.is_buffer || agree());
    std::string const array = from.name.empty() ? to.name : from.name;
    to = from, to.at = at, to.name = array;
    return check_number();
  }
  if (to.is_buffer) to = binary_argument{.bytes = 8, .name = to.name, .known = 0, .at = to.at};
  bool const is_negative = (from.bits | to.every_bit() >> 1) == ~std::uint64_t{0};
  if (is_negative) from.bits &= to.every_bit();
  if ((from.bits & ~to.every_bit()) != 0)
    throw binary_refused("the argument " + name + " has " + std::to_string(to.bytes) +
                         " bytes, and the number does not fit");
  refuse_unless(agree());
  to.bits |= from.bits, to.known |= from.known, to.most = from.most, to.factor = from.factor;
  check_number();
  if (to.known == ~std::uint64_t{0}) to.may_point = false;
}

/// The launch, with arguments made for these parameters if the launch has none.
[[nodiscard]] inline binary_launch with_arguments(binary_launch launch, std::vector<parameter> const& parameters) {
  if (!launch.arguments.empty() && !launch.named.empty())
    throw binary_refused("arguments are given by name only where the others come from the binary");
  if (!launch.arguments.empty()) return launch;
  std::vector<bool> is_used(launch.named.size());
  for (std::size_t place = 0; place != parameters.size(); ++place) {
    parameter const& each = parameters[place];
    std::string const number = std::to_string(place), name = each.name.empty() ? "arg" + number : each.name;
    std::size_t const first = launch.arguments.size();
    if (each.type == parameter_type::pointer) {
      launch.arguments.push_back(binary_argument::pointer(name));
      launch.arguments.back().at = each.offset;
    }
    // A structure becomes several numbers.
    for (std::uint64_t at = 0; each.type != parameter_type::pointer && at != each.bytes;) {
      unsigned bytes = 8;
      while (bytes > each.bytes - at || (each.offset + at) % bytes != 0) bytes /= 2;
      binary_argument one = binary_argument::unknown(bytes);
      one.at = each.offset + at, one.may_point = bytes == 8 && each.type == parameter_type::unknown;
      one.name = bytes == each.bytes ? name : name + " at byte " + std::to_string(at);
      launch.arguments.push_back(one);
      at += bytes;
    }
    for (std::size_t k = 0; k != launch.named.size(); ++k) {
      std::string const& asked = launch.named[k].name;
      if (asked != number && asked != name) continue;
      is_used[k] = true;
      if (launch.arguments.size() != first + 1)
        throw binary_refused("the argument " + asked + " is a structure of " + std::to_string(each.bytes) +
                             " bytes, which has no number");
      add_known(launch.arguments.back(), launch.named[k].is, asked);
    }
  }
  std::string names;
  for (std::size_t place = 0; place != parameters.size(); ++place)
    names += (place == 0 ? "" : ", ") + std::to_string(place) +
             (parameters[place].name.empty() ? "" : " (" + parameters[place].name + ")");
  for (std::size_t k = 0; k != is_used.size(); ++k)
    if (!is_used[k])
      throw binary_refused("the kernel has no argument " + launch.named[k].name +
                           (names.empty() ? ": it has none" : "; its arguments are " + names));
  // A number that may be a pointer gets a buffer, and a launch has at most 127 buffers. So after 100 arguments that are
  // or may be pointers, a number no longer counts as a possible pointer.
  unsigned open = 0;
  for (binary_argument& each : launch.arguments) {
    open += each.is_buffer || each.may_point;
    if (open > 100) each.may_point = false;
  }
  return launch;
}

/// Describes in words an argument that was not stated.
[[nodiscard]] inline std::string words_of(binary_argument const& of) {
  std::string const bytes = std::to_string(of.bytes) + (of.bytes == 1 ? " byte" : " bytes");
  std::uint64_t const known = of.known & of.every_bit();
  if (of.is_buffer && of.extent == binary_argument::any_extent) return of.name + ": a pointer to a buffer of any size";
  if (of.is_buffer) return of.name + ": a buffer of " + std::to_string(of.extent) + " bytes";
  if (known == of.every_bit()) return of.name + ": " + std::to_string(of.bits & known);
  if (known == 0) return of.name + ": " + bytes + ", unknown" + (of.may_point ? ", perhaps a pointer" : "");
  return of.name + ": " + bytes + ", of which the bits " + coalescing::detail::hexadecimal(known) + " are known";
}
/// Describes in words the arguments that the launch did not state. `asked` is the launch as it was given, `launch` the
/// one with all arguments.
[[nodiscard]] inline std::vector<std::string> words_of_unstated(binary_launch const& asked,
                                                                binary_launch const& launch) {
  std::vector<std::string> all;
  if (asked.arguments.empty())
    for (binary_argument const& each : launch.arguments) all.push_back(binary::words_of(each));
  return all;
}

}  // namespace coalescing::binary

// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/binary/refused.hpp>
#include <coalesce/host/named/nearest.hpp>

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>
#if __has_include(<cxxabi.h>)
#include <cxxabi.h>
#endif

// Finds a kernel by its name in the text of a disassembler or a compiler. The name may be spelled as in the text, or as
// in the source.

namespace coalescing::binary {

/// A kernel's name as the source has it: copy(unsigned int*) for _Z4copyPj. A name that is not mangled is returned
/// unchanged, and so is any name on a host without the Itanium ABI.
[[nodiscard]] inline std::string unmangled(std::string const& name) {
#if __has_include(<cxxabi.h>)
  int status = 0;
  std::unique_ptr<char, decltype(&std::free)> const words{
      name.starts_with("_Z") ? abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status) : nullptr, &std::free};
  if (words != nullptr) return words.get();
#endif
  return name;
}

/// If `words` ends with a pair of brackets, the position of the opening bracket: 1 in f(int). Else the length of
/// `words`.
[[nodiscard]] inline std::size_t begin_of_last(std::string const& words, char open, char close) {
  if (words.empty() || words.back() != close) return words.size();
  std::size_t at = words.size(), depth = 0;
  do {
    --at;
    depth += words[at] == close, depth -= words[at] == open;
  } while (at != 0 && depth != 0);
  return at;
}

/// The spellings of a kernel's name in the source, the longest first: the full name, such as void ns::f<int>(int*), and
/// ns::f<int>(int*), ns::f<int>, ns::f, f.
[[nodiscard]] inline std::vector<std::string> ways_to_say(std::string const& name) {
  std::string words = binary::unmangled(name);
  std::vector<std::string> ways{words};
  auto const add = [&] {
    if (ways.back() != words) ways.push_back(words);
  };
  auto const cut_last = [&words](char open, char close) {  // removes (...) or <...> from the end
    std::size_t const at = binary::begin_of_last(words, open, close);
    if (at != 0) words.resize(at);
  };
  auto const after = [&words](auto const& parts) {  // keeps what follows the last blank or colon outside of brackets
    std::size_t depth = 0, from = 0;
    for (std::size_t k = 0; k != words.size(); ++k) {
      depth += words[k] == '<' || words[k] == '(', depth -= depth != 0 && (words[k] == '>' || words[k] == ')');
      if (depth == 0 && parts(words[k])) from = k + 1;
    }
    words.erase(0, from);
  };
  std::string const whole = words;
  cut_last('(', ')');
  std::string const parameters = whole.substr(words.size());
  after([](char c) { return c == ' '; });
  std::string const called = words;
  words = called + parameters, add();
  words = called, add();
  cut_last('<', '>'), add();
  after([](char c) { return c == ':'; }), add();
  return ways;
}

/// The first names of a list: "a, b, c and 14 more".
[[nodiscard]] inline std::string first_of(std::vector<std::string> const& names) {
  constexpr std::size_t most = 3;
  std::size_t const shown = names.size() <= most + 1 ? names.size() : most;
  std::string words;
  for (std::size_t k = 0; k != shown; ++k) words += (k == 0 ? "" : k + 1 == names.size() ? " and " : ", ") + names[k];
  return shown == names.size() ? words : words + " and " + std::to_string(names.size() - shown) + " more";
}

/// Finds the kernel that `asked` means, among the kernels of the text. If `asked` is empty, it means the only kernel.
/// Else it means the kernel with this name, spelled as in the text or as in the source. If no kernel has the name, it
/// means the kernel whose name contains `asked`. Refused: a name that no kernel has (the error gives the nearest
/// names); a name that several kernels have; no name if there are several kernels.
[[nodiscard]] inline std::string kernel_asked(std::string const& asked, std::vector<std::string> const& known) {
  if (asked.empty()) {
    if (known.size() == 1) return known[0];
    throw binary_refused("the text has " + std::to_string(known.size()) +
                         " kernels: name one of them: " + binary::first_of(known));
  }
  auto const packed = [](std::string const& words) {
    std::string all;
    for (char const c : words)
      if (c != ' ') all += c;
    return all;
  };
  std::vector<std::string> ways;
  // meant[k] has the kernels whose spelling number k in ways_to_say() is equal to `asked`, apart from blanks.
  std::vector<std::vector<std::string>> meant(6);
  for (std::string const& each : known) {
    if (each == asked) return each;
    auto const all = binary::ways_to_say(each);
    for (std::size_t k = 0; k != all.size(); ++k) {
      ways.push_back(all[k]);
      if (packed(all[k]) == packed(asked)) meant[k].push_back(each);
    }
    ways.push_back(each);
  }
  for (auto const& names : meant) {
    if (names.size() == 1) return names[0];
    if (!names.empty())
      throw binary_refused("the text has " + std::to_string(names.size()) + " kernels of the name " + asked +
                           ": name one of them: " + binary::first_of(names));
  }
  std::vector<std::string> having;
  for (std::string const& each : known)
    if (each.find(asked) != each.npos || packed(binary::unmangled(each)).find(packed(asked)) != each.npos)
      having.push_back(each);
  if (having.size() == 1) return having[0];
  if (!having.empty())
    throw binary_refused("the text has " + std::to_string(having.size()) + " kernels with " + asked +
                         " in their names: name one of them: " + binary::first_of(having));
  throw binary_refused("the text has no kernel of the name " + asked + "; the nearest names are " +
                       coalescing::detail::nearest(asked, ways));
}

}  // namespace coalescing::binary

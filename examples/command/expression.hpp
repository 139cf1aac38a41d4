// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

/// A question that is not answered: what() is a sentence, and the exit status is 2.
struct refusal : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The names that an expression knows, and their values.
using values = std::vector<std::pair<std::string, std::uint64_t>>;

/// An expression of integers as C writes them: lane / 8 * 128 + (lane % 8 ^ lane / 8 % 8) * 16. Tcl's `expr` evaluates
/// it, whose operators and precedence are C's. Its integers have no end, and its division rounds down. It contains
/// names, integers and operators alone, so it runs no command. Refused: anything else.
///
/// Four other libraries of Debian 12 were tried. muparser and muparserx compute in doubles, which lack 2^53 + 1, and
/// take `^` for a power or refuse it. Lua has no `?:` and no `!`, and takes `^` for a power of doubles. libtcc compiles
/// C itself: -1 then is an address, 1 << 40 overflows, and a division by 0 ends the command.
class expression {
 public:
  explicit expression(std::string const& text);

  [[nodiscard]] bool has_name(std::string const& name) const;
  /// Refused: a name without a value; a result that is not an integer from 0 to 2^64 - 1.
  [[nodiscard]] std::uint64_t value(values const& known) const;
  /// The value of an expression without names, of up to 64 bits and any sign, in decimal digits. Refused: a name; a
  /// value of more bits.
  [[nodiscard]] std::string digits() const { return digits({}); }

 private:
  struct compiled;
  [[nodiscard]] std::string digits(values const& known) const;
  std::string text_;
  std::vector<std::string> names_;
  std::shared_ptr<compiled> compiled_;
};

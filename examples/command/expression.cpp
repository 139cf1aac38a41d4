// SPDX-License-Identifier: BSL-1.0
#include "expression.hpp"

#include <tcl.h>

#include <algorithm>
#include <charconv>
#include <regex>

namespace {

/// In Tcl a name has this in front, since Tcl's own variables have names such as env and tcl_precision.
constexpr char const* ours = "of_";

/// What Tcl says of an expression, without its marks: missing operand at _@_, in expression "$of_lane * _@_* 4".
std::string words_of(std::string const& why) {
  std::string const mark = "_@_";
  std::string words = std::regex_replace(why, std::regex(std::string(R"(\$)") + ours), "");
  auto const end = words.find('\n'), place = words.find(mark, std::min(end, words.size()));
  std::string const rest = place == words.npos ? "" : words.substr(place + mark.size());
  words.resize(std::min(end, words.size()));
  if (auto const at = words.find("at " + mark); at != words.npos)
    words.replace(at, mark.size() + 3,
                  rest.size() < 2 ? "at its end" : "before '" + rest.substr(0, rest.find('"')) + "'");
  return words;
}

/// One interpreter, without Tcl's library of commands.
Tcl_Interp* interpreter() {
  static std::unique_ptr<Tcl_Interp, decltype(&Tcl_DeleteInterp)> const made{
      (Tcl_FindExecutable(nullptr), Tcl_CreateInterp()), Tcl_DeleteInterp};
  return made.get();
}

}  // namespace

/// The text with $of_name for each name, which Tcl compiles at its first use.
struct expression::compiled {
  Tcl_Obj* object;
  explicit compiled(std::string const& text)
      : object((static_cast<void>(interpreter()), Tcl_NewStringObj(text.data(), static_cast<int>(text.size())))) {
    Tcl_IncrRefCount(object);
  }
  compiled(compiled const&) = delete;
  compiled& operator=(compiled const&) = delete;
  ~compiled() { Tcl_DecrRefCount(object); }
};

expression::expression(std::string const& text) : text_(text) {
  constexpr std::size_t longest = 4096;  // std::regex takes stack for each character of a word
  if (text.size() > longest)
    throw refusal("an expression has " + std::to_string(text.size()) + " characters, and may have " +
                  std::to_string(longest));
  // A number with C's suffixes, a name, an operator, or blanks.
  static std::regex const token(
      R"((0[xX][0-9a-fA-F]+|[0-9]+)[uUlL]*(?![\w.])|([A-Za-z_]\w*)(\s*\()?|\*\*|[-+*/%^&|~<>=!?:(),]|\s+)");
  std::string tcl;
  auto at = text.cbegin();
  for (std::smatch found; at != text.cend(); at = found[0].second) {
    if (!std::regex_search(at, text.cend(), found, token, std::regex_constants::match_continuous))
      throw refusal("'" + text + "' has '" + std::string(at, text.cend()) +
                    "', which is not a name, an integer or an operator of C");
    std::string const number = found[1], name = found[2];
    if (!number.empty()) {
      if (number[0] == '0' && number.size() > 1 && number[1] != 'x' && number[1] != 'X' &&
          number.find_first_of("89") != number.npos)
        throw refusal("'" + text + "' has '" + number + "', and after a 0 stand octal digits, as in C");
      tcl += number;
    } else if (!name.empty() && found[3].matched) {
      throw refusal("'" + text + "' calls " + name + ", and an expression calls no function");
    } else if (!name.empty()) {
      names_.push_back(name);
      tcl += std::string("$") + ours + name;
    } else if (found[0] == "**") {  // Tcl's power
      throw refusal("'" + text + "' has '**', which is not an operator of C");
    } else {
      tcl += found[0];
    }
  }
  compiled_ = std::make_shared<compiled>(tcl);
}

bool expression::has_name(std::string const& name) const {
  return std::find(names_.begin(), names_.end(), name) != names_.end();
}

std::string expression::digits(values const& known) const {
  Tcl_Interp* const tcl = interpreter();
  for (std::string const& name : names_) {
    auto const found =
        std::find_if(known.begin(), known.end(), [&name](auto const& each) { return each.first == name; });
    if (found == known.end()) {
      std::string names;
      for (auto const& each : known) names += (names.empty() ? "" : ", ") + each.first;
      throw refusal("'" + text_ + "' names " + name +
                    ", which has no value; these have one: " + (names.empty() ? "none" : names));
    }
    std::string const digits = std::to_string(found->second);  // Tcl's own numbers are signed
    Tcl_Obj* const is = Tcl_NewStringObj(digits.data(), static_cast<int>(digits.size()));
    if (Tcl_SetVar2Ex(tcl, (ours + name).c_str(), nullptr, is, 0) == nullptr)
      throw refusal("'" + text_ + "': " + name + " cannot have a value");
  }
  Tcl_Obj* result = nullptr;
  if (Tcl_ExprObj(tcl, compiled_->object, &result) != TCL_OK) {
    std::string const why = words_of(Tcl_GetStringResult(tcl));
    Tcl_ResetResult(tcl);
    throw refusal("'" + text_ + "': " + why);
  }
  Tcl_WideInt bits = 0;  // Tcl makes digits of a number with millions of bits for hours
  bool const is_small = Tcl_GetWideIntFromObj(nullptr, result, &bits) == TCL_OK;
  std::string const words = is_small ? Tcl_GetString(result) : "";
  Tcl_DecrRefCount(result);
  if (!is_small) throw refusal("'" + text_ + "' takes more than 64 bits");
  return words;
}

std::uint64_t expression::value(values const& known) const {
  std::string const words = digits(known);
  std::uint64_t number = 0;
  auto const [end, error] = std::from_chars(words.data(), words.data() + words.size(), number);
  if (error != std::errc() || end != words.data() + words.size())
    throw refusal("'" + text_ + "' is " + words + ", which is not an integer from 0 to 2^64 - 1");
  return number;
}

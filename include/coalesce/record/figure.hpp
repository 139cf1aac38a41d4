// SPDX-License-Identifier: BSL-1.0
#pragma once
#ifdef __GNUC__  // g++ 12 warns where a user's global has the name of a parameter in these headers
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#endif
#include <coalesce/figure.hpp>
#include <coalesce/record/explain.hpp>

#include <string>
#include <string_view>

// co::svg<Machine>(site) draws the most expensive access of a site. This header is opt-in and for host code only, like
// figure.hpp.

namespace coalescing {

namespace refused {

[[noreturn]] COALESCE_API inline void site_has_no_figure(char const*) {
  detail::refuse("there is no figure of this site's instruction (figure.hpp says of which)");
}

}  // namespace refused

namespace detail::figure {

/// Whether there is a figure of the instruction, so that svg() takes it.
template <class Instruction>
concept has_figure = (lists_transactions<Instruction> || lists_phases<Instruction>)&&rounds_are_stacks<Instruction>;

template <class Asked>
std::string site_svg(site const& s, caption of) {
  std::string drawn;
  text<500> where;
  detail::say_worst(where, s);
  if (s.cost.is_counted)
    detail::see_instruction<Asked>(s, [&drawn, &where, &s, of](auto named) {
      using instruction = typename decltype(named)::type;
      detail::say_part<instruction>(where, s);
      if constexpr (has_figure<instruction>)
        drawn =
            coalescing::svg<instruction>(s.worst_access, detail::asked_of_wave<instruction>(s.worst_access.active), of);
    });
  if (drawn.empty()) refused::site_has_no_figure(s.instruction);
  std::string const says = "<desc>" + escaped(std::string_view(where).substr(0, where.length - 1)) + "</desc>\n";
  return drawn.insert(drawn.find("<style>"), says);
}

}  // namespace detail::figure

/// Draws the most expensive access of a site of record<Machine>. The picture is co::svg of the access's addresses; its
/// <desc> has the place in the source, the block and the warp. With caption::title only the title stands above the
/// picture. Where several instructions move an element, the picture shows the first one, and the <desc> says so.
/// Refused: a site that co::explain refuses, and an instruction without a figure.
template <class Machine>
requires detail::has_issues<Machine>
[[nodiscard]] std::string svg(site const& of, caption words = caption::whole) {
  return detail::figure::site_svg<Machine>(of, words);
}
/// Draws the most expensive access of a site of co::issue<Instruction>.
template <instruction Instruction>
[[nodiscard]] std::string svg(site const& of, caption words = caption::whole) {
  return detail::figure::site_svg<Instruction>(of, words);
}

}  // namespace coalescing
#ifdef __GNUC__
#pragma GCC diagnostic pop
#endif

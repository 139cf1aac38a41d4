// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/named/instruction.hpp>
#include <coalesce/named/machines.hpp>
#include <coalesce/named/nearest.hpp>
#include <coalesce/named/suggest.hpp>

#include <string>
#include <string_view>
#include <vector>

// Machines and instructions by their names, at run time: co::named("cuda::cc90", "shared_load", 32). Opt-in, for the
// host. One source file of the program includes <coalesce/named/every.hpp>, which compiles every instruction once; all
// others include this header, which knows no machine.

namespace coalescing {

namespace refused {

[[noreturn]] inline void machine_is_unknown(std::string_view name, std::string const& nearest) {
  detail::refuse(("named: there is no machine " + std::string(name) + "; the nearest names are " + nearest).c_str());
}
[[noreturn]] inline void instruction_is_unknown(std::string_view name, std::string const& machine,
                                                std::string const& nearest) {
  detail::refuse((nearest.empty() ? "named: " + machine + " has no instruction whose cost a source tells"
                                  : "named: " + machine + " has no " + std::string(name) +
                                        " whose cost a source tells; the nearest names are " + nearest)
                     .c_str());
}
[[noreturn]] inline void width_is_unknown(std::string const& instruction, unsigned width, std::string const& widths) {
  detail::refuse(("named: " + instruction + " has no width " + std::to_string(width) + "; it has " + widths).c_str());
}
[[noreturn]] inline void width_is_not_given(std::string const& instruction, std::string const& widths) {
  detail::refuse(("named: " + instruction + " has a width: " + widths).c_str());
}

}  // namespace refused

/// Every machine of every family, and its instructions.
[[nodiscard]] inline std::vector<named_machine> const& named_machines() {
  static std::vector<named_machine> const machines = [] {
    std::vector<named_machine> all;
    detail::list_machines_of_cuda_to_turing(all), detail::list_machines_of_cuda_from_ampere(all);
    detail::list_machines_of_gcn(all), detail::list_machines_of_cdna(all), detail::list_machines_of_rdna(all);
    return all;
  }();
  return machines;
}

namespace detail {

/// The name without its family: cc90 of cuda::cc90.
inline std::string_view without_family(std::string_view name) {
  auto const at = name.find("::");
  return at == name.npos ? name : name.substr(at + 2);
}
/// Whether two spellings differ in blanks alone: ds_read2<64,0,1>.
inline bool is_spelt(std::string_view name, std::string_view asked) {
  std::string packed[2];
  for (char const c : name)
    if (c != ' ') packed[0] += c;
  for (char const c : asked)
    if (c != ' ') packed[1] += c;
  return packed[0] == packed[1];
}

}  // namespace detail

/// The machine of that name, or of that other name; the family may be left out: cc90, sm_90, h100. Refused: a name that
/// no machine has.
[[nodiscard]] inline named_machine const& named(std::string_view machine) {
  bool const is_whole = machine.find("::") != machine.npos;
  std::vector<std::string> known;
  for (named_machine const& each : named_machines()) {
    std::vector<std::string> names = each.also;
    names.insert(names.begin(), each.name);
    for (std::string const& name : names) {
      if (name == machine || detail::without_family(name) == machine) return each;
      known.emplace_back(is_whole ? std::string_view(name) : detail::without_family(name));
    }
  }
  refused::machine_is_unknown(machine, detail::nearest(machine, known));
}

/// The instruction of that name: ("cuda::cc90", "shared_load", 32), or with all its arguments ("cuda::cc35",
/// "shared_load<32, eight_byte_banks>"). `width` is the first argument. Refused: a name that the machine does not have,
/// or whose cost no source tells; a width that the instruction does not have.
[[nodiscard]] inline named_instruction const& named(std::string_view machine, std::string_view instruction,
                                                    unsigned width = 0) {
  named_machine const& of = coalescing::named(machine);
  std::vector<std::string> known;
  std::string widths;
  for (named_instruction const& each : of.instructions) {
    if (detail::is_spelt(each.name, instruction)) return each;
    if (each.verb == instruction && each.is_plain) {
      if (each.width == width) return each;
      widths += (widths.empty() ? "" : ", ") + std::to_string(each.width);
    }
    known.push_back(instruction.find('<') == instruction.npos ? each.verb : each.name);
  }
  if (widths.empty()) refused::instruction_is_unknown(instruction, of.name, detail::nearest(instruction, known));
  std::string const whole = of.name + "::" + std::string(instruction);
  if (width == 0) refused::width_is_not_given(whole, widths);
  refused::width_is_unknown(whole, width, widths);
}

}  // namespace coalescing

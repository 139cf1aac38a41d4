// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/named/instruction.hpp>
#include <coalesce/host/named/machines.hpp>
#include <coalesce/host/named/nearest.hpp>
#include <coalesce/host/named/spelling.hpp>
#include <coalesce/host/named/suggest.hpp>

#include <map>
#include <string>
#include <string_view>
#include <vector>

// Finds machines and instructions by their names, at run time: co::named("cuda::cc90", "shared_load", 32). Opt-in, for
// the host. One source file of the program includes <coalesce/host/named/every.hpp>, which compiles every instruction
// once. All other files include this header, which only declares the functions that list the machines.

namespace coalescing {

namespace detail {

/// A name that the user asked for, cut so that an error message stays short.
inline std::string in_short(std::string_view name) {
  constexpr std::size_t most = 60;
  return name.size() <= most ? std::string(name) : std::string(name.substr(0, most)) + "...";
}

}  // namespace detail

namespace refused {

[[noreturn]] inline void machine_is_unknown(std::string_view name, std::string const& nearest) {
  detail::refuse(("there is no machine " + detail::in_short(name) + "; the nearest names are " + nearest).c_str());
}
[[noreturn]] inline void machine_has_one_size_of_waves(std::string const& machine) {
  detail::refuse((machine + " has waves of one size: leave ::wave64 out").c_str());
}
[[noreturn]] inline void machine_has_no_instruction(std::string const& machine) {
  detail::refuse(("no source tells what an instruction of " + machine + " costs").c_str());
}
[[noreturn]] inline void instruction_is_unknown(std::string_view name, std::string const& machine,
                                                std::string const& nearest) {
  detail::refuse((machine + " has no instruction " + detail::in_short(name) +
                  ", or no source tells what it costs; the nearest names are " + nearest)
                     .c_str());
}
[[noreturn]] inline void instruction_has_more_arguments(std::string const& machine, std::string const& names) {
  detail::refuse(("name the instruction of " + machine + " with all its arguments, as " + names).c_str());
}
[[noreturn]] inline void width_is_unknown(std::string const& instruction, unsigned width, std::string const& widths) {
  detail::refuse((instruction + " has no width " + std::to_string(width) + "; it has " + widths).c_str());
}
[[noreturn]] inline void width_is_not_given(std::string const& instruction, std::string const& widths) {
  detail::refuse((instruction + " has a width, which is not given: " + widths).c_str());
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
/// Whether two spellings of a name are equal except for blanks: ds_read2<64,0,1> and ds_read2<64, 0, 1>.
inline bool is_spelt(std::string_view name, std::string_view asked) {
  std::string packed[2];
  for (char const c : name)
    if (c != ' ') packed[0] += c;
  for (char const c : asked)
    if (c != ' ') packed[1] += c;
  return packed[0] == packed[1];
}

/// The machine that the user asked for, or null, and whether the user's name ends in ::wave64.
struct machine_asked {
  named_machine const* machine = nullptr;
  bool is_wave64 = false;
};
/// Finds the machine that has the name `asked`: any of its names, with its family or without. The machine is null if
/// none has the name. Refused: ::wave64 after a machine that has only one size of waves.
[[nodiscard]] inline machine_asked find_machine(std::string_view asked) {
  static std::map<std::string, named_machine const*> const by_spelling = [] {
    std::map<std::string, named_machine const*> all;
    for (named_machine const& each : named_machines()) {
      std::vector<std::string> names = each.also;
      names.push_back(each.name);
      for (std::string const& name : names)
        all[detail::spelling_of(name).name] = all[detail::spelling_of(detail::without_family(name)).name] = &each;
    }
    return all;
  }();
  machine_spelling const spelling = detail::spelling_of(asked);
  auto const found = by_spelling.find(spelling.name);
  if (found == by_spelling.end()) return {};
  bool has_wave64 = false;
  for (named_instruction const& each : found->second->instructions)
    has_wave64 = has_wave64 || each.name.starts_with("wave64::");
  if (spelling.is_wave64 && !has_wave64) refused::machine_has_one_size_of_waves(found->second->name);
  return {found->second, spelling.is_wave64};
}
/// Finds the machine as find_machine does. Refused: what find_machine refuses; a name that no machine has.
[[nodiscard]] inline machine_asked machine_of(std::string_view asked) {
  machine_asked const found = detail::find_machine(asked);
  if (found.machine != nullptr) return found;
  bool const has_family = asked.find("::") != asked.npos;
  std::vector<std::string> known;
  for (named_machine const& each : named_machines()) {
    known.emplace_back(has_family ? std::string_view(each.name) : detail::without_family(each.name));
    for (std::string const& name : each.also)
      known.emplace_back(has_family ? std::string_view(name) : detail::without_family(name));
  }
  refused::machine_is_unknown(asked, detail::nearest(detail::lower_case(asked), known));
}

}  // namespace detail

/// The machine with this name: any of its names, in any spelling (host/named/spelling.hpp). The family may be left out:
/// cc90, sm_90a, H100, gfx942:xnack-. Refused: a name that no machine has, and ::wave64 after a machine that has only
/// one size of waves.
[[nodiscard]] inline named_machine const& named(std::string_view machine) {
  return *detail::machine_of(machine).machine;
}

/// The instruction with this name: ("cuda::cc90", "shared_load", 32), or with all its arguments ("cuda::cc35",
/// "shared_load<32, eight_byte_banks>"). `width` is the first argument of the instruction's template. 0: no width is
/// given, as for a name with all its arguments. If ::wave64 follows the machine's name, the instruction is that of
/// waves of 64 lanes. Refused: a name that the machine does not have, or whose cost no source tells; a width that the
/// instruction does not have, or that is not the one in its name.
[[nodiscard]] inline named_instruction const& named(std::string_view machine, std::string_view instruction,
                                                    unsigned width = 0) {
  auto const [of, is_wave64] = detail::machine_of(machine);
  std::string const asked =
      (is_wave64 && !instruction.starts_with("wave64::") ? "wave64::" : "") + std::string(instruction);
  std::vector<std::string> known;
  std::string widths, whole_names;
  for (named_instruction const& each : of->instructions) {
    if (detail::is_spelt(each.name, asked)) {
      if (width != 0 && width != each.width)
        refused::width_is_unknown(each.full_name(), width, std::to_string(each.width));
      return each;
    }
    if (each.verb == asked && each.is_plain) {
      if (each.width == width) return each;
      widths += (widths.empty() ? "" : ", ") + std::to_string(each.width);
    } else if (each.verb == asked) {
      whole_names += (whole_names.empty() ? "" : " or ") + each.name;
    }
    known.push_back(asked.find('<') == asked.npos ? each.verb : each.name);
  }
  if (of->instructions.empty()) refused::machine_has_no_instruction(of->name);
  if (widths.empty() && !whole_names.empty()) refused::instruction_has_more_arguments(of->name, whole_names);
  if (widths.empty()) refused::instruction_is_unknown(asked, of->name, detail::nearest(asked, known));
  std::string const whole = of->name + "::" + asked;
  if (width == 0) refused::width_is_not_given(whole, widths);
  refused::width_is_unknown(whole, width, widths);
}

}  // namespace coalescing

// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <string_view>

#include "truth/oracle/random_access.hpp"

// The machines of a table's line, by name and by era; those that tests ask about each instruction.

namespace coalescing_tests {

/// Whether a list of words, with spaces between, has the word; "*" has every one.
constexpr bool lists(std::string_view list, std::string_view word) {
  if (list == "*") return true;
  for (auto at = list.find(word); at != list.npos; at = list.find(word, at + 1)) {
    auto const end = at + word.size();
    if ((at == 0 || list[at - 1] == ' ') && (end == list.size() || list[end] == ' ')) return true;
  }
  return false;
}

/// A name for machines, by their names and by other such names.
struct era {
  char const *name, *machines;
};
/// Every machine of a family's every_machine, and every product, stands in one era (every/machines.cpp).
inline constexpr era eras[] = {
    {"tesla", "cc10 cc11 cc12 cc13"},
    {"fermi", "cc20 cc21"},
    {"kepler", "cc30 cc32 cc35 cc37"},
    {"maxwell", "cc50 cc52 cc53"},
    {"pascal", "cc60 cc61 cc62"},
    {"volta", "cc70 cc72 cc75"},
    {"ampere", "cc80 cc86 cc87 cc88 cc89"},
    {"hopper", "cc90"},
    {"blackwell", "cc100 cc103 cc107 cc110 cc120 cc121"},
    {"cdna_2", "gfx90a"},
    {"cdna_3", "gfx942"},
    {"cdna_4", "gfx950"},
    {"rdna_1", "gfx1010 gfx1012"},
    {"rdna_2", "gfx1030 gfx1036"},
    {"rdna_3", "gfx1100 gfx1101 gfx1102 gfx1103 gfx1150 gfx1151 gfx1152 gfx1153"},
    {"rdna_4", "gfx1200 gfx1201"},
    {"gfx125x", "gfx1250 gfx1251"},
    {"gfx117x", "gfx1170 gfx1171 gfx1172"},
    {"gfx13", "gfx1310"},
    {"cdna_3_products", "mi300x mi325x mi300a"},
    {"cdna_4_products", "mi350x mi355x mi350p"},
};
/// Machines and eras that share lines of the tables.
inline constexpr era groups_of_eras[] = {
    {"from_volta", "volta ampere hopper blackwell"},
    {"from_maxwell", "maxwell pascal from_volta"},
    {"from_fermi", "fermi kepler from_maxwell"},
    {"nvidia", "tesla from_fermi"},
    // We have seen no chapter on these: the documents of their neighbours are inferred here.
    {"neighbours_of_blackwell", "cc103 cc107 cc110 cc121"},
    {"neighbours", "cc88 neighbours_of_blackwell"},
    // gpu-strides was run on A100, A40 and H200.
    {"on_gpu_strides", "cc80 cc86 cc90"},
    {"cdna_3_and_4", "cdna_3 cdna_4"},
    {"cdna", "cdna_2 cdna_3_and_4"},
    {"rdna", "rdna_1 rdna_2 rdna_3 rdna_4"},
    {"every_rdna", "rdna gfx125x"},
    // Loom was run on these.
    {"on_loom", "gfx1100 gfx1151"},
};
/// Whether a list of machines, eras and groups has the machine.
constexpr bool lists_machine(std::string_view list, std::string_view machine) {
  if (list == "*" || lists(list, machine)) return true;
  for (era const& of : eras)
    if (lists(list, of.name) && lists(of.machines, machine)) return true;
  for (era const& of : groups_of_eras)
    if (lists(list, of.name) && lists_machine(of.machines, machine)) return true;
  return false;
}

/// Those of NVIDIA, CDNA and RDNA that tests ask about each instruction where they ask few questions: each stands for
/// others with the same rules. The figures and sources of every machine are asked for in any case.
inline constexpr era one_of_each_rule{"one_of_each_rule",
                                      "cc13 cc20 cc35 cc61 cc75 cc90 cc100 gfx942 gfx950 gfx1030 gfx1100 gfx1201"};
constexpr bool is_asked(std::string_view machine) {
  return COALESCE_TEST_SHARE == 1 || lists(one_of_each_rule.machines, machine);
}
/// Whether `See` is shown the instructions of a machine: all are, unless it says which by a function `asks`.
template <class See>
constexpr bool is_shown(std::string_view machine) {
  if constexpr (requires { See::asks(machine); })
    return See::asks(machine);
  else
    return true;
}
/// Calls see.template operator()<Machine>() for the machines of a list that `Asks` says.
template <class Machines, bool (*Asks)(std::string_view), class See>
void each_that(See const& see) {
  Machines::each([&]<class Machine>() {
    if constexpr (Asks(Machine::name)) see.template operator()<Machine>();
  });
}

/// The abilities of machines: a line of a table.
template <class Abilities>
struct can {
  char const* machines;
  Abilities what;
};

}  // namespace coalescing_tests

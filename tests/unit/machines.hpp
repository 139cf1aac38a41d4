// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <string_view>

// The machines of a table's line, by name and by era.

namespace coalescing_tests {

/// Whether a list of words, with spaces between, has the word; "*" has every one.
inline bool lists(std::string_view list, std::string_view word) {
  if (list == "*") return true;
  for (auto at = list.find(word); at != list.npos; at = list.find(word, at + 1)) {
    auto const end = at + word.size();
    if ((at == 0 || list[at - 1] == ' ') && (end == list.size() || list[end] == ' ')) return true;
  }
  return false;
}

/// The machines of an era.
struct era {
  char const *name, *machines;
};
inline constexpr era eras[] = {
    {"tesla", "cc10 cc11 cc12 cc13"},
    {"fermi", "cc20 cc21"},
    {"kepler", "cc30 cc32 cc35 cc37"},
    {"maxwell", "cc50 cc52 cc53"},
    {"pascal", "cc60 cc61 cc62"},
    {"volta", "cc70 cc72 cc75"},
    {"ampere", "cc80 cc86 cc87 cc88 cc89"},
    {"blackwell", "cc100 cc103 cc107 cc110 cc120 cc121"},
    {"from_fermi",
     "cc20 cc21 cc30 cc32 cc35 cc37 cc50 cc52 cc53 cc60 cc61 cc62 cc70 cc72 cc75 cc80 cc86 cc87 cc88 cc89 cc90 cc100 "
     "cc103 cc107 cc110 cc120 cc121"},
    {"from_maxwell",
     "cc50 cc52 cc53 cc60 cc61 cc62 cc70 cc72 cc75 cc80 cc86 cc87 cc88 cc89 cc90 cc100 cc103 cc107 cc110 cc120 cc121"},
    {"from_volta", "cc70 cc72 cc75 cc80 cc86 cc87 cc88 cc89 cc90 cc100 cc103 cc107 cc110 cc120 cc121"},
    // Of these no chapter is known to us: nothing is documented of them that a neighbour's would have to say.
    {"neighbours", "cc88 cc103 cc107 cc110 cc121"},
    // gpu-strides was run on A100, A40 and H200.
    {"on_gpu_strides", "cc80 cc86 cc90"},
    {"nvidia",
     "cc10 cc11 cc12 cc13 cc20 cc21 cc30 cc32 cc35 cc37 cc50 cc52 cc53 cc60 cc61 cc62 cc70 cc72 cc75 cc80 cc86 cc87 "
     "cc88 cc89 cc90 "
     "cc100 cc103 cc107 cc110 cc120 cc121"},
    {"cdna", "gfx90a gfx942 gfx950"},
    {"rdna",
     "gfx1010 gfx1012 gfx1030 gfx1036 gfx1100 gfx1101 gfx1102 gfx1103 gfx1150 gfx1151 gfx1152 gfx1153 gfx1200 gfx1201"},
    {"every_rdna",
     "gfx1010 gfx1012 gfx1030 gfx1036 gfx1100 gfx1101 gfx1102 gfx1103 gfx1150 gfx1151 gfx1152 gfx1153 gfx1200 gfx1201 "
     "gfx1250 gfx1251"},
    {"rdna_1", "gfx1010 gfx1012"},
    {"rdna_2", "gfx1030 gfx1036"},
    {"rdna_4", "gfx1200 gfx1201"},
    {"gfx125x", "gfx1250 gfx1251"},
    {"gfx117x", "gfx1170 gfx1171 gfx1172"},
    {"cdna_3_products", "mi300x mi325x mi300a"},
    {"cdna_4_products", "mi350x mi355x mi350p"},
    // What loom was run on.
    {"on_loom", "gfx1100 gfx1151"},
};
/// Whether a list of machines and eras has the machine.
inline bool lists_machine(std::string_view list, std::string_view machine) {
  for (era const& of : eras)
    if (lists(list, of.name) && list != "*" && lists(of.machines, machine)) return true;
  return lists(list, machine);
}

}  // namespace coalescing_tests

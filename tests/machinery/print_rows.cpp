// SPDX-License-Identifier: BSL-1.0
//
// Prints tables of the pages from the code, so that they cannot go stale: cuda, gcn, cdna or rdna, the figures of a
// family with their sources (include/coalesce/FAMILY/figures.md); counters, the profilers' counters (in
// include/coalesce/manual/profilers.md); mma, mfma, the shapes of matrix instructions (in the README.md of cuda, cdna);
// evidence, how many numbers are documented, measured and inferred (in tests/README.md).
// The tests page.printed.* compare.
#include <coalesce/cdna/fragments.hpp>
#include <coalesce/cuda/fragments.hpp>
#include <coalesce/cuda/tma.hpp>
#include <coalesce/explain.hpp>

#include "every/evidence.hpp"
#include "every/figures.hpp"
#include "every/not_opened.hpp"

#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace co = coalescing;

namespace {

void print(std::string const& text) { std::fputs(text.c_str(), stdout); }

/// A text in a cell of a table.
std::string in_cell(std::string_view text) {
  std::string result;
  for (char const c : text) {
    if (c == '|' || c == '<' || c == '*' || c == '_') result += '\\';
    result += c;
  }
  return result;
}
std::string with_commas(std::string list, std::string const& item) { return list += (list.empty() ? "" : ", ") + item; }

/// The title and edition of a document, in a cell or a heading.
std::string title_of(co::source const& from) {
  std::string const edition = in_cell(from.edition);
  return in_cell(from.document) + (edition.empty() ? "" : ", " + edition);
}

std::string evidence_of(co::source const& from) {
  bool const opened = coalescing_tests::not_opened_of(from) == nullptr;
  return std::string(co::detail::words_of(from.evidence)) + (opened ? "" : ", not opened");
}

// ---- The figures of a family ----

struct shown {
  std::string machine, name, value;
  co::source from;
};
bool is_same(co::source const& a, co::source const& b) {
  using view = std::string_view;
  return a.evidence == b.evidence && view(a.document) == b.document && view(a.edition) == b.edition &&
         view(a.section) == b.section && view(a.claim) == b.claim && view(a.assumes) == b.assumes;
}
/// Collects every figure of a family, machine by machine. An instruction's figure that is its machine's stands there.
struct collects {
  std::vector<std::string> machines;
  std::vector<shown> figures;

  void figure(std::string const& machine, std::string const& name, std::string const& value, co::source const& from) {
    if (machines.empty() || machines.back() != machine) machines.push_back(machine);
    auto const own = name.find(">.");
    if (own != name.npos)
      for (shown const& there : figures)
        if (there.machine == machine && there.name == name.substr(own + 2) && there.value == value &&
            is_same(there.from, from))
          return;
    figures.push_back({machine, name, value, from});
  }
  static void missing(std::string const&, std::string const&) {}
};

/// A statement at one place of a document, and the machines and figures that rest on it.
struct line {
  co::source from;
  std::vector<std::string> machines;
  std::vector<std::pair<std::string, std::string>> figures;  ///< name and value
};
/// A line for each source and set of machines with the same figures, in the order of the machines.
std::vector<line> lines_of(collects const& family) {
  std::vector<line> lines;
  for (std::string const& machine : family.machines) {
    std::vector<line> own;
    for (shown const& each : family.figures) {
      if (each.machine != machine) continue;
      line* found = nullptr;
      for (line& there : own)
        if (is_same(there.from, each.from)) found = &there;
      if (found == nullptr) found = &own.emplace_back(line{each.from, {machine}, {}});
      found->figures.emplace_back(each.name, each.value);
    }
    for (line const& each : own) {
      line* found = nullptr;
      for (line& there : lines)
        if (is_same(there.from, each.from) && there.figures == each.figures) found = &there;
      if (found == nullptr)
        lines.push_back(each);
      else
        found->machines.push_back(machine);
    }
  }
  return lines;
}

/// "cc10 to cc13, cc20": neighbours in the family's list as a range.
std::string words_of(std::vector<std::string> const& some, std::vector<std::string> const& all) {
  if (some.size() == all.size()) return "all";
  std::string result;
  for (std::size_t k = 0, next = 0; k != all.size() && next != some.size(); ++k) {
    if (all[k] != some[next]) continue;
    std::size_t length = 1;
    while (next + length != some.size() && all[k + length] == some[next + length]) ++length;
    result = with_commas(result, all[k] + (length == 1 ? "" : (length == 2 ? ", " : " to ") + all[k + length - 1]));
    next += length;
    k += length - 1;
  }
  return result;
}
/// "`banks` 32, `shared_lanes` (1, 2, 4 bytes) 32": names with one value, and the widths of a name, together.
std::string words_of(std::vector<std::pair<std::string, std::string>> const& figures) {
  std::string result;
  for (std::size_t k = 0; k != figures.size();) {
    auto const& [name, value] = figures[k];
    auto const width = name.find(".of_");
    std::string widths;
    std::string names = "`" + name.substr(0, width) + "`";
    std::size_t end = k;
    if (width != name.npos) {
      for (; end != figures.size() && figures[end].second == value &&
             figures[end].first.substr(0, width + 4) == name.substr(0, width + 4);
           ++end)
        widths = with_commas(widths, figures[end].first.substr(width + 4));
      names += " (" + widths + (widths == "1" ? " byte)" : " bytes)");
    } else {
      for (++end; end != figures.size() && figures[end].second == value &&
                  figures[end].first.find(".of_") == std::string::npos;
           ++end)
        names += ", `" + figures[end].first + "`";
    }
    result += (k == 0 ? "" : "; ") + names + (value.empty() ? "" : " " + value);
    k = end;
  }
  return result;
}

void print_figures(char const* title, collects const& family) {
  print("# The figures of " + std::string(title) + "\n\n");
  print(
      "[print_rows.cpp](../../../tests/machinery/print_rows.cpp) printed this page from the rows, and a test compares "
      "them.\nA line is one statement of a document, with the machines and figures that rest on it. The evidence is "
      "*documented*\n(the vendor says it), *measured* (a named party published figures) or *inferred* (our "
      "reading).\n*Not opened*: the row stands on an older reading or on quotations, since no copy was found when the "
      "citations were read again.\n");
  auto const lines = lines_of(family);
  std::vector<bool> printed(lines.size());
  for (std::size_t first = 0; first != lines.size(); ++first) {
    if (printed[first]) continue;
    co::source const& from = lines[first].from;
    std::string const document = from.document, edition = from.edition, address = from.address;
    print("\n## " + title_of(from) + "\n\n");
    if (address.starts_with("https://")) print("<" + address + ">\n\n");
    if (address.starts_with("tests/")) print("[" + address + "](../../../" + address + ")\n\n");
    for (coalescing_tests::not_opened const& each : coalescing_tests::not_opened_list)
      if (document == each.document && edition == each.edition)
        print("Not opened" + (*each.section == '\0' ? "" : " where the section begins with " + in_cell(each.section)) +
              ": " + in_cell(each.instead) + ".\n\n");
    print("| section | statement | evidence | machines | figures |\n|---|---|---|---|---|\n");
    for (std::size_t k = first; k != lines.size(); ++k) {
      auto const& [said, machines, figures] = lines[k];
      if (said.document != document || said.edition != edition) continue;
      printed[k] = true;
      print("| " + in_cell(said.section) + " | " + in_cell(said.claim));
      if (*said.assumes != '\0') print(". Assumed: " + in_cell(said.assumes));
      print(" | " + evidence_of(said) + " | " + words_of(machines, family.machines) + " | " + words_of(figures) +
            " |\n");
    }
  }
}

// ---- The rules of TMA ----

template <class Fault>
void print_rules_of(char const* what, Fault last) {
  for (unsigned k = 1; k <= static_cast<unsigned>(last); ++k) {
    co::cuda::tensor_rule const rule = rule_of(static_cast<Fault>(k));
    std::string const document = title_of(rule.from);
    print("| " + std::string(what) + " | " + in_cell(rule.text) + " | " + document + " | " +
          in_cell(rule.from.section) + " | " + in_cell(rule.from.claim) + " | " + evidence_of(rule.from) + " |\n");
  }
}
void print_rules_of_tma() {
  using namespace co::cuda;
  print(
      "\n## The rules of TMA\n\nA rule is broken if `.fault()` names it.\n\n"
      "| of | rule | document | section | statement | evidence |\n|---|---|---|---|---|---|\n");
  print_rules_of("`tensor_map`", tensor_fault::machine_has_no_elements_below_a_byte);
  print_rules_of("`cp_async_bulk`", bulk_fault::machine_has_no_bulk_copies);
  print_rules_of("`shared_operand`", operand_fault::offset_is_not_below_2_18);
}

// ---- The shapes of matrix instructions ----

void print_mma() {
  print("| shape | types of A and B | from CC | section of PTX ISA 9.1 |\n|---|---|---|---|\n");
  for (co::cuda::mma_shape const& shape : co::cuda::mma_shapes)
    print("| `mma<" + std::to_string(shape.m) + ", " + std::to_string(shape.n) + ", " + std::to_string(shape.k) + ", " +
          std::to_string(shape.bits) + ">` | " + in_cell(shape.types) + " | " + std::to_string(shape.since / 10) + "." +
          std::to_string(shape.since % 10) + " | " + in_cell(shape.section) + " |\n");
}
/// A line for all shapes of the same bits, types and chips.
void print_mfma() {
  auto const beginning = [](co::cdna::mfma_shape const& shape) {
    std::string chips;
    if (shape.chips.gfx90a) chips = with_commas(chips, "gfx90a");
    if (shape.chips.gfx942) chips = with_commas(chips, "gfx942");
    if (shape.chips.gfx950) chips = with_commas(chips, "gfx950");
    return "| " + std::to_string(shape.bits) + " | " + in_cell(shape.types) + " | " + chips + " | ";
  };
  std::vector<std::pair<std::string, std::string>> lines;
  for (co::cdna::mfma_shape const& shape : co::cdna::mfma_shapes) {
    std::string const with_x = std::to_string(shape.m) + " x " + std::to_string(shape.n) + " x " +
                               std::to_string(shape.k) +
                               (shape.blocks == 1 ? "" : " (" + std::to_string(shape.blocks) + " blocks)");
    std::pair<std::string, std::string>* found = nullptr;
    for (auto& line : lines)
      if (line.first == beginning(shape)) found = &line;
    if (found == nullptr) found = &lines.emplace_back(beginning(shape), "");
    found->second = with_commas(found->second, with_x);
  }
  print("| Bits | types | chips | shapes |\n|---|---|---|---|\n");
  for (auto const& [bits, shapes] : lines) print(bits + shapes + " |\n");
}

// ---- The profilers' counters ----

/// The machines of a line: "CC 7.0 on", "CDNA".
std::string machines_of(co::counter const& line) {
  auto const capability = std::to_string(line.since / 10) + "." + std::to_string(line.since % 10);
  switch (line.by) {
    case co::profiler::none:
      return "none";
    case co::profiler::nvprof:
      return "CC " + capability + " to 6.2";
    case co::profiler::nsight_compute:
      return "CC " + capability + " on";
    case co::profiler::rocprof_mi100:
      return "GCN";
    case co::profiler::rocprof_mi200:
      return "CDNA";
    case co::profiler::rocprof_gfx10:
      return "gfx10xx";
    case co::profiler::rocprof_gfx11:
      return "gfx11xx";
    case co::profiler::rocprof_gfx12:
      return "gfx12xx";
  }
  return "";
}
void print_counters() {
  struct cells {
    std::string machines, instructions, number, counter, besides, source;
  };
  std::vector<cells> table;
  for (co::counter const& line : co::all_counters().lines) {
    std::string besides = in_cell(line.noise);
    if (line.may_be != co::deviation::none) {
      besides += besides.empty() ? "" : "; ";
      besides += line.may_be == co::deviation::more    ? "may be larger"
                 : line.may_be == co::deviation::fewer ? "may be smaller"
                                                       : "may be larger or smaller";
    }
    bool const opens = std::string_view(line.from.address).starts_with("https://");
    std::string const source = std::string(opens ? "[" : "") + in_cell(line.from.document) +
                               (opens ? "](" + std::string(line.from.address) + ")" : "");
    std::string instruction = "`" + std::string(line.instruction) + "`";
    if (*line.sass != '\0') instruction += " (" + std::string(line.sass) + ")";
    table.push_back(
        {machines_of(line), instruction, line.number, line.name, besides, source + ", " + evidence_of(line.from)});
  }
  // Joins lines that differ in the machines alone, then those that differ in the instruction alone.
  for (auto const differs : {&cells::machines, &cells::instructions})
    for (std::size_t k = 0; k != table.size(); ++k)
      for (std::size_t other = k + 1; other < table.size();) {
        cells joined = table[other];
        joined.*differs = table[k].*differs;
        bool const is_same = joined.machines == table[k].machines && joined.instructions == table[k].instructions &&
                             joined.number == table[k].number && joined.counter == table[k].counter &&
                             joined.besides == table[k].besides && joined.source == table[k].source;
        if (!is_same) {
          ++other;
          continue;
        }
        table[k].*differs = with_commas(table[k].*differs, table[other].*differs);
        table.erase(table.begin() + static_cast<std::ptrdiff_t>(other));
      }
  print("| machines | instruction | number | counter | what it counts besides | source |\n|---|---|---|---|---|---|\n");
  for (cells const& line : table)
    print("| " + line.machines + " | " + line.instructions + " | `" + line.number + "` | `" + line.counter + "` | " +
          line.besides + " | " + line.source + " |\n");
}

// ---- The evidence ----

/// 12,345.
std::string with_thousands(unsigned number) {
  std::string result = std::to_string(number);
  for (std::size_t end = result.size(); end > 3; end -= 3) result.insert(end - 3, ",");
  return result;
}
std::string cells_of(coalescing_tests::evidence_count const& count) {
  std::string result;
  for (unsigned const number :
       {count.all(), count.documented, count.measured, count.inferred, count.assuming, count.not_opened})
    result += " " + with_thousands(number) + " |";
  return result + "\n";
}
void print_evidence() {
  coalescing_tests::family_evidence families[4], all;
  coalescing_tests::count_family(families);
  for (auto const& each : families) {
    all.instructions += each.instructions;
    all.numbers += each.numbers, all.figures += each.figures;
  }
  char const* const heads =
      " | documented | measured | inferred | with an assumption | of documents not opened "
      "|\n|---|---|---|---|---|---|---|";
  print("| family | instructions | their numbers" + std::string(heads) + "---|\n");
  for (auto const& each : families)
    print("| " + std::string(each.family) + " | " + with_thousands(each.instructions) + " |" + cells_of(each.numbers));
  print("| all | " + with_thousands(all.instructions) + " |" + cells_of(all.numbers));
  print("\n| family | figures of rows" + std::string(heads) + "\n");
  for (auto const& each : families) print("| " + std::string(each.family) + " |" + cells_of(each.figures));
  print("| all |" + cells_of(all.figures));
}

}  // namespace

int main(int count, char** arguments) {
  std::string_view const what = count == 2 ? arguments[1] : "";
  collects family;
  if (what == "cuda") {
    coalescing_tests::show_cuda(family);
    print_figures("NVIDIA", family);
    print_rules_of_tma();
  } else if (what == "gcn") {
    coalescing_tests::show_gcn(family);
    print_figures("AMD GCN", family);
  } else if (what == "cdna") {
    coalescing_tests::show_cdna(family);
    print_figures("AMD CDNA", family);
  } else if (what == "rdna") {
    coalescing_tests::show_rdna(family);
    print_figures("AMD RDNA", family);
  } else if (what == "counters") {
    print_counters();
  } else if (what == "mma") {
    print_mma();
  } else if (what == "mfma") {
    print_mfma();
  } else if (what == "evidence") {
    print_evidence();
  } else {
    std::fputs("print_rows cuda|gcn|cdna|rdna|counters|mma|mfma|evidence\n", stderr);
    return 1;
  }
}

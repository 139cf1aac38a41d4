// SPDX-License-Identifier: BSL-1.0
//
// Makes C++ of the tables of a folder. Whatever is not understood is refused.
//   generate rows FOLDER [MORE.csv...]        measured_rows and what stands beside them
//   generate questions FOLDER [MORE.csv...]   a line for each instruction that the rows name and the library has
#include "csv.hpp"

#include <algorithm>
#include <cstdio>
#include <set>

using namespace coalescing_tests;

namespace {

std::string literal(std::string const& text) {
  std::string quoted = "\"";
  for (char const c : text) (c == '"' || c == '\\' ? quoted += '\\' : quoted) += c;
  return quoted + '"';
}

/// A number as C++ has it; nothing before or after it.
std::string number_of(csv_row const& row, char const* column) {
  std::size_t end = 0;
  auto const& text = row[column];
  try {
    if (std::stod(text, &end) < 0) end = 0;
  } catch (std::exception const&) {
  }
  if (end == 0 || end != text.size()) throw malformed(row.where + column + " is no number: " + text);
  return text;
}

/// An expression of `l` has numbers, operators, parentheses, `l`, and at most std::array{...}[l].
std::string formula_of(csv_row const& row) {
  auto const& text = row["lanes_formula"];
  std::string word;
  for (std::size_t at = 0; at <= text.size(); ++at) {
    char const c = at == text.size() ? ' ' : text[at];
    if ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == ':') {
      word += c;
      continue;
    }
    bool const is_number = !word.empty() && word[0] >= '0' && word[0] <= '9' && word.find(':') == std::string::npos;
    if (!word.empty() && word != "l" && word != "std::array" && !is_number)
      throw malformed(row.where + "lanes_formula has a name other than l: " + word);
    word.clear();
    if (std::string(" +-*/%^&|<>~()[]{},").find(c) == std::string::npos)
      throw malformed(row.where + "lanes_formula has what is no operator: " + c);
  }
  if (text.empty()) throw malformed(row.where + "no lanes_formula");
  return text;
}

std::string mask_of(csv_row const& row) {
  auto const& text = row["active"];
  if (text.empty()) return "~std::uint64_t{0}";
  if (text.size() < 3 || text.substr(0, 2) != "0x" || text.size() > 18 ||
      text.find_first_not_of("0123456789abcdefABCDEF", 2) != std::string::npos)
    throw malformed(row.where + "active is no hexadecimal mask: " + text);
  return text + "ull";
}

struct tables {
  std::vector<csv_row> rows, machines, silent, known;
};

tables read(std::string const& folder, std::vector<std::string> const& more) {
  std::vector<std::string> const columns{"id",     "machine", "chip",     "instruction", "lanes_formula",
                                         "active", "number",  "measured", "tolerance",   "kind",
                                         "source", "date",    "note"};
  auto with_groups = columns;
  with_groups.insert(with_groups.begin() + 1, "group");
  tables all{read_csv(folder + "/measured.csv", columns),
             read_csv(folder + "/machines.csv", {"machine", "type", "reason"}),
             read_csv(folder + "/silent.csv", {"machine", "instruction", "number", "reason"}),
             read_csv(folder + "/known.csv", {"id", "reason"})};
  for (auto const& path : more)
    for (auto& row : read_csv(path, columns)) all.rows.push_back(std::move(row));
  for (auto& row : all.rows) row.cells["group"] = "";
  for (auto& row : read_csv(folder + "/measured_orderings.csv", with_groups)) {
    if (row["group"].empty()) throw malformed(row.where + "no group");
    row.cells["tolerance"] = "0";
    all.rows.push_back(std::move(row));
  }

  std::set<std::string> ids, machines;
  for (auto const& row : all.machines) {
    machines.insert(row["machine"]);
    if (row["type"].empty() == row["reason"].empty())
      throw malformed(row.where + "a machine has a type, or a reason why it has none");
  }
  std::set<std::string> const kinds{"counter", "cycles", "time-ratio", "latency"};
  for (auto const& row : all.rows) {
    if (!ids.insert(row["id"]).second) throw malformed(row.where + "the id stands twice: " + row["id"]);
    if (machines.count(row["machine"]) == 0) throw malformed(row.where + "unknown machine " + row["machine"]);
    if (kinds.count(row["kind"]) == 0) throw malformed(row.where + "unknown kind " + row["kind"]);
    for (auto const column : {"id", "chip", "instruction", "number", "source", "date"})
      if (row[column].empty()) throw malformed(row.where + "no " + column);
  }
  for (auto const& row : all.known)
    if (ids.count(row["id"]) == 0) throw malformed(row.where + "no row has the id " + row["id"]);
  return all;
}

/// The tables of measured_lane_pairs.txt: a heading such as ds_read_b128, then a line for each lane.
std::string lane_pairs_of(std::string const& path) {
  std::ifstream in{path};
  if (!in) throw malformed(path + ": cannot be read");
  std::string text, line;
  for (unsigned number = 1, lines = 64; std::getline(in, line) || lines != 64; ++number) {
    auto const where = path + ":" + std::to_string(number) + ": ";
    if (line.find_first_not_of(".01") == std::string::npos && line.size() == 64 && lines != 64) {
      text += literal(line) + (++lines == 64 ? "}},\n" : ",\n");
    } else if (auto const bits = line.find("_b");
               line.compare(0, 3, "ds_") == 0 && bits != std::string::npos && lines == 64) {
      text += "{" + literal(line.substr(0, bits) + "<" + line.substr(bits + 2) + ">") + ", {\n";
      lines = 0;
    } else if (!(lines == 64 && (line.empty() || line[0] == '#'))) {
      throw malformed(where + "neither a heading nor a line for each of 64 lanes");
    }
  }
  return text;
}

void write_rows(std::string const& folder, tables const& all) {
  std::printf("#include \"rows.hpp\"\n#include <array>\nnamespace coalescing_tests {\nnamespace {\n");
  std::map<std::string, std::size_t> formulas;
  for (auto const& row : all.rows)
    if (auto const& [at, is_new] = formulas.emplace(formula_of(row), formulas.size()); is_new)
      std::printf("std::uint64_t f%zu([[maybe_unused]] std::uint64_t l) { return %s; }\n", at->second,
                  at->first.c_str());
  std::printf("}\nstd::vector<measured_row> const measured_rows{\n");
  for (auto const& row : all.rows) {
    std::printf("{");
    for (auto const column : {"id", "group", "machine", "chip", "instruction"})
      std::printf("%s, ", literal(row[column]).c_str());
    std::printf("&f%zu, %s, %s, %s, %s, %s, %s},\n", formulas[row["lanes_formula"]], mask_of(row).c_str(),
                literal(row["number"]).c_str(), number_of(row, "measured").c_str(), number_of(row, "tolerance").c_str(),
                literal(row["kind"]).c_str(), literal(row["source"]).c_str());
  }
  std::printf("};\nstd::vector<lane_pairs> const measured_lane_pairs{\n%s};\n",
              lane_pairs_of(folder + "/measured_lane_pairs.txt").c_str());
  std::printf("std::vector<known_difference> const known_differences{\n");
  for (auto const& row : all.known)
    std::printf("{%s, %s},\n", literal(row["id"]).c_str(), literal(row["reason"]).c_str());
  std::printf("};\nstd::vector<silence> const silences{\n");
  for (auto const& row : all.machines)
    if (row["type"].empty())
      std::printf("{%s, \"\", \"\", %s},\n", literal(row["machine"]).c_str(), literal(row["reason"]).c_str());
  for (auto const& row : all.silent)
    std::printf("{%s, %s, %s, %s},\n", literal(row["machine"]).c_str(), literal(row["instruction"]).c_str(),
                literal(row["number"]).c_str(), literal(row["reason"]).c_str());
  std::printf("};\n}\n");
}

void write_questions(tables const& all) {
  std::map<std::string, std::string> types;
  for (auto const& row : all.machines) types[row["machine"]] = row["type"];
  std::set<std::pair<std::string, std::string>> asked, silent;
  for (auto const& row : all.silent)
    if (row["number"].empty()) silent.insert({row["machine"], row["instruction"]});
  for (auto const& row : all.rows) {
    auto const& type = types[row["machine"]];
    std::pair const instruction{row["machine"], row["instruction"]};
    if (type.empty() || silent.count(instruction) != 0 || !asked.insert(instruction).second) continue;
    auto name = row["instruction"];
    // The tables call RDNA's ds_load by its older name.
    if (type.find("::rdna::") != std::string::npos && name.compare(0, 8, "ds_read<") == 0)
      name.replace(0, 7, "ds_load");
    std::printf("question_about<%s::%s>(%s, %s),\n", type.c_str(), name.c_str(), literal(row["machine"]).c_str(),
                literal(row["instruction"]).c_str());
  }
}

}  // namespace

int main(int count, char** arguments) {
  std::vector<std::string> const words(arguments, arguments + count);
  if (count < 3 || (words[1] != "rows" && words[1] != "questions"))
    return std::fprintf(stderr, "usage: generate rows|questions FOLDER [MORE.csv...]\n"), 2;
  try {
    auto const all = read(words[2], {words.begin() + 3, words.end()});
    words[1] == "rows" ? write_rows(words[2], all) : write_questions(all);
  } catch (malformed const& why) {
    return std::fprintf(stderr, "refused: %s\n", why.what()), 1;
  }
}

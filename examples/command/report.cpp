// SPDX-License-Identifier: BSL-1.0
#include "report.hpp"

#include "page.hpp"

#include <coalesce/host/binary/amd/read.hpp>
#include <coalesce/host/binary/kernels.hpp>
#include <coalesce/host/binary/nvidia/read.hpp>
#include <coalesce/version.hpp>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <tuple>

namespace fs = std::filesystem;

namespace {

using lines = std::vector<std::string>;

/// A number with commas: 4,096.
std::string in_digits(std::uint64_t number) {
  co::text<40> words;
  co::detail::say(words, number);
  return words.c_str();
}

/// A number of things: 1 round, 4,096 rounds.
std::string counted(std::uint64_t number, char const* what) {
  return in_digits(number) + " " + what + (number == 1 ? "" : "s");
}

std::string words_of(co::misuse const& why) {
  std::string const words = why.what();
  return words.starts_with("coalesce: ") ? words.substr(10) : words;
}

/// The path relative to the working folder where the file lies in it; else the whole path.
std::string short_path(std::string const& file) {
  std::error_code failed;
  fs::path const path = fs::proximate(file, failed);
  bool const is_inside = !failed && path.is_relative() && *path.begin() != "..";
  return (is_inside ? path : fs::absolute(file, failed).lexically_normal()).generic_string();
}

// ---- What is found ----

struct rule {
  char const *id, *level, *title, *help;
};
constexpr rule rules[] = {
    {"bank-conflicts", "warning", "Lanes want different words of one bank",
     "The lanes of a warp or wave want different words of one bank of shared memory or LDS, so the access takes more "
     "rounds. Pad the rows of the array, swizzle it, or let neighbouring lanes take neighbouring words. `coalesce "
     "suggest` finds a layout; the page of --html shows it."},
    {"excess-transactions", "warning", "An access moves at least twice what it needs",
     "The access to global memory makes at least twice as many transactions as its lanes would make on neighbouring "
     "words. Let neighbouring lanes take neighbouring words, from an address that is a multiple of a transaction's "
     "bytes. `coalesce explain` tells which lanes are to blame."},
    {"no-number", "note", "An access has no number",
     "The access was not counted, so no sum has it. The message says why: data decide its address, the machine's cost "
     "of it is not known, or its kernel was refused."}};

/// The rules that a site breaks, and a sentence for each.
json findings_of(json const& site) {
  json found = json::array();
  std::string const bound = site.value("at_most", false) ? "at most " : "";
  std::string const loop = site.contains("per_iteration") ? " in each round of the loop at line " +
                                                                std::to_string(site["per_iteration"].get<unsigned>())
                                                          : "";
  auto const number = [&site](char const* name) { return site.value(name, std::uint64_t{0}); };
  auto const add = [&](unsigned which, std::string const& sentence) {
    found.push_back({{"rule", rules[which].id},
                     {"level", bound.empty() ? rules[which].level : "note"},  // a bound may be far from what a run does
                     {"text", sentence}});
  };
  // Upper bounds hold one by one: the conflicts may be bounded by more than 0 although the rounds are at most the
  // ideal. That is not a finding.
  if (number("conflicts") != 0 && (bound.empty() || number("rounds") > number("ideal")))
    add(0, "has " + bound + counted(number("conflicts"), "bank conflict") + loop + ": it takes " + bound +
               counted(number("rounds"), "round") + ", ideally " + in_digits(number("ideal")));
  if (number("transactions") != 0 && number("transactions") >= many_times * number("ideal"))
    add(1, "makes " + bound + counted(number("transactions"), "transaction") + loop + ", ideally " +
               in_digits(number("ideal")));
  return found;
}

// ---- Sites: where they stand, what they show ----

/// The lines of the text at which a kernel's instructions stand.
std::map<co::found_at, unsigned> lines_of_instructions(json const& answer, std::string const& text) {
  std::map<co::found_at, unsigned> all;
  auto const add = [&all](auto const& code) {
    for (auto const& each : code) all.emplace(co::binary::place_of(each), each.line);
  };
  std::string const kernel = answer.at("kernel").get<std::string>();
  if (answer.at("machine").get<std::string>().starts_with("cuda::"))
    add(co::sass::read_program(text, kernel).code);
  else
    add(co::amdgcn::read_program(text, kernel).code);
  return all;
}

/// Adds where a site stands: a line of a source, a line of the text, or both. A trace may tell a line and no file.
void add_place(json& to, co::found_at const& at, std::map<co::found_at, unsigned> const& in_text) {
  if (auto const found = in_text.find(at); found != in_text.end()) to["text_line"] = found->second;
  if (!at.file.empty()) to["file"] = short_path(at.file);
  if (at.line != 0 && (!at.file.empty() || in_text.empty())) to["line"] = at.line;
  if (at.column != 0) to["column"] = at.column;
}

/// The costliest access of a site, and the instruction that makes it.
struct shown_access {
  co::named_instruction const* instruction;
  std::vector<std::uint64_t> address;
  std::uint64_t active;

  /// Calls see(lane, address) for each lane that takes part.
  template <class See>
  void each_lane(See const& see) const {
    for (unsigned lane = 0; lane != instruction->lanes; ++lane)
      if ((active >> lane & 1) != 0) see(lane, address[lane]);
  }
};
shown_access shown_of(co::site const& s, std::string const& machine, std::string const& instruction) {
  auto const& [active, address] = s.worst_access;
  return {&co::named(machine, instruction), {std::begin(address), std::end(address)}, active};
}
/// The access, moved down by pages where this changes no number: then patterns that are alike have one picture.
shown_access moved_down(shown_access const& one) {
  shown_access moved = one;
  std::uint64_t lowest = ~std::uint64_t{0};
  one.each_lane([&](unsigned, std::uint64_t at) { lowest = std::min(lowest, at & ~std::uint64_t{4095}); });
  one.each_lane([&](unsigned lane, std::uint64_t at) { moved.address[lane] = at - lowest; });
  auto const cost_of = [](shown_access const& of) { return of.instruction->cost(of.address, of.active); };
  return cost_of(moved) == cost_of(one) ? moved : one;
}

/// Pictures and explanations that sites have in common: each text once.
class shared_texts {
 public:
  unsigned number_of(std::string const& text) {
    auto const [at, is_new] = numbers_.emplace(text, static_cast<unsigned>(all.size()));
    if (is_new) all.push_back(text);
    return at->second;
  }
  lines all = {};

 private:
  std::map<std::string, unsigned> numbers_;
};

/// Adds the reason and the picture of a site. The explanation ends with the rules, which sites have in common.
void add_shown(json& to, shown_access const& one, shared_texts& pictures, shared_texts& rules_said) {
  std::string const why = one.instruction->explain(one.address, one.active);
  auto const end = std::min(why.find("Rules:\n"), why.size());
  to["why"] = why.substr(0, end), to["rules"] = rules_said.number_of(why.substr(end));
  to["picture"] = pictures.number_of(one.instruction->svg(one.address, one.active));
}

/// An array in shared memory, and its sites for which another layout can be tried: their numbers are exact, they are
/// not atomics, and one instruction moves the element. `accesses` has the costliest access of each.
struct of_array {
  std::vector<shown_access> accesses = {};
  std::vector<std::size_t> sites = {};
  std::size_t all_sites = 0;
  bool has_conflicts = false;
};

/// Finds layouts of an array with fewer rounds: rows of bytes that are swizzled or padded as co::suggest finds, and the
/// smallest padding that is as good. The rows need not be those of the source, since a layout of the array's bytes is a
/// layout of the array. Adds what each site costs then, and its picture.
void suggest_layout(json& kernel, std::string const& name, of_array const& of, shared_texts& pictures) {
  unsigned element = 16, widest = 1;
  std::uint64_t lowest = ~std::uint64_t{0}, past = 0;
  for (shown_access const& one : of.accesses) {
    element = std::min(element, one.instruction->bytes), widest = std::max(widest, one.instruction->bytes);
    one.each_lane([&](unsigned, std::uint64_t at) {
      lowest = std::min(lowest, at & ~std::uint64_t{127}), past = std::max(past, at + one.instruction->bytes);
    });
  }
  auto const moved = [lowest](shown_access one, unsigned row, co::suggested_layout const& to) {
    one.each_lane([&](unsigned lane, std::uint64_t at) {
      one.address[lane] = to.byte_at((at - lowest) / row, (at - lowest) % row);
    });
    return one;
  };
  auto const is_as_good = [&](unsigned row, co::suggested_layout const& to, std::uint64_t rounds) {
    std::uint64_t sum = 0;
    try {
      for (shown_access const& one : of.accesses) {
        shown_access const there = moved(one, row, to);
        sum += there.instruction->cost(there.address, there.active).rounds;
      }
    } catch (co::misuse const&) {  // the padded array is longer than the memory
      return false;
    }
    return sum <= rounds;
  };
  constexpr unsigned rows[] = {128, 256, 512, 1024};
  std::optional<co::recorded_suggestion> best;
  unsigned best_row = 0;
  for (unsigned const row : rows) try {
      std::vector<co::named_use> uses;
      for (shown_access const& one : of.accesses) {
        co::named_use use{one.instruction, std::vector<co::cell>(one.instruction->lanes), one.active};
        one.each_lane([&](unsigned lane, std::uint64_t at) {
          use.cells[lane] = {.row = static_cast<unsigned>((at - lowest) / row),
                             .column = static_cast<unsigned>((at - lowest) % row) / element};
        });
        uses.push_back(use);
      }
      auto const found = co::suggest({.rows = static_cast<unsigned>((past - lowest + row - 1) / row),
                                      .columns = row / element,
                                      .element_bytes = element},
                                     uses);
      if (found.after.rounds >= (best ? best->after.rounds : found.before.rounds)) continue;
      best = found, best_row = row;
    } catch (co::misuse const&) {  // such rows are not for these instructions, or for this memory
    }
  if (!best) return;
  auto const& [bits, base, shift] = best->layout.swizzle;
  json made{{"row", best_row},
            {"pitch", best->layout.pitch},
            {"swizzle", bits == 0 ? json() : json{{"bits", bits}, {"base", base}, {"shift", shift}}},
            {"before", best->before.rounds},
            {"after", best->after.rounds},
            {"accesses", of.accesses.size()},
            {"is_optimal", best->is_optimal}};
  for (unsigned const row : rows)
    for (unsigned pad = widest; pad <= 128 && bits != 0 && !made.contains("padded"); pad += widest)
      if (is_as_good(row, {.element_bytes = element, .pitch = row + pad}, best->after.rounds))
        made["padded"] = {{"row", row}, {"pitch", row + pad}, {"element", element}};
  kernel["suggestions"][name] = made;
  for (std::size_t k = 0; k != of.sites.size(); ++k) {
    json& site = kernel["sites"][of.sites[k]];
    shown_access const there = moved(of.accesses[k], best_row, best->layout);
    site["rounds_then"] = there.instruction->cost(there.address, there.active).rounds;
    if (site.contains("picture"))
      site["picture_then"] = pictures.number_of(there.instruction->svg(there.address, there.active));
  }
}

/// The kernel's answer, and for each site where it stands, its ideal, its findings, its reason and its picture.
json report_of(reported_kernel const& of, read_file const& from, shared_texts& pictures, shared_texts& rules_said) {
  json all = of.answer;
  if (all["kernel"].is_string()) all["name"] = co::binary::unmangled(all["kernel"].get<std::string>());
  if (of.sites == nullptr) return all;
  auto const in_text = from.text.empty() ? std::map<co::found_at, unsigned>{} : lines_of_instructions(all, from.text);
  for (auto const& [at, line] : in_text) {
    json& range = all["text_lines"];
    if (range.is_null()) range = {line, line};
    range = {std::min(range[0].get<unsigned>(), line), std::max(range[1].get<unsigned>(), line)};
  }
  std::vector<co::found_at> unknown;
  std::map<std::string, of_array> arrays;
  std::size_t k = 0;
  for (co::site const& s : *of.sites) {
    co::found_at const at{s.at.file, s.at.line, s.at.column, s.offset, s.opcode};
    of_array* const array = s.space == co::memory_space::shared ? &arrays[s.array] : nullptr;
    if (array != nullptr) ++array->all_sites, array->has_conflicts |= s.cost.is_counted && s.cost.conflicts != 0;
    if (!s.cost.is_counted) {
      unknown.push_back(at);
      continue;
    }
    json& site = all["sites"][k++];
    add_place(site, at, in_text);
    if (auto const ideal = s.cost.rounds != co::not_counted ? s.ideal.rounds : s.ideal.transactions;
        ideal != co::not_counted)
      site["ideal"] = ideal;
    site["worst"] = s.worst, site["warp"] = s.worst_warp;
    site["block"] = {s.worst_block.x, s.worst_block.y, s.worst_block.z};
    if (s.uneven) site["uneven"] = true;
    if (s.unwritten) site["unwritten"] = true;
    site["findings"] = findings_of(site);
    try {
      shown_access const one = shown_of(s, all["machine"].get<std::string>(), site["instruction"].get<std::string>());
      bool const is_exact = !s.at_most && s.kind != co::touch::atomic && s.bits == 8 * one.instruction->bytes;
      if (array != nullptr && is_exact) array->accesses.push_back(one), array->sites.push_back(k - 1);
      add_shown(site, moved_down(one), pictures, rules_said);
    } catch (co::misuse const& why) {
      site["no_picture"] = words_of(why);
    }
  }
  unknown.insert(unknown.end(), of.unknown.begin(), of.unknown.end());
  for (k = 0; k != all["unknown"].size() && k != unknown.size(); ++k) add_place(all["unknown"][k], unknown[k], in_text);
  for (auto const& [name, each] : arrays)
    if (each.has_conflicts && each.accesses.size() == each.all_sites) suggest_layout(all, name, each, pictures);
  return all;
}

// ---- SARIF ----

/// The file as a link.
std::string link_of(std::string const& file) {
  std::string const path = short_path(file), digits = "0123456789ABCDEF";
  std::string link = path.starts_with('/') ? "file://" : "";
  for (char const c : path) {
    auto const byte = static_cast<unsigned char>(c);
    bool const is_plain =
        byte < 128 && (std::isalnum(byte) != 0 || std::string_view("-._~/").find(c) != std::string::npos);
    link += is_plain ? std::string{c} : std::string{'%', digits[byte >> 4], digits[byte & 15]};
  }
  return link;
}

json result_of(std::string const& id, std::string const& level, std::string const& sentence, json const& at,
               read_file const& from) {
  std::string words;  // in a message of SARIF, [ begins a link, and { a placeholder
  for (char const c : sentence) {
    if (c == '[' || c == ']' || c == '\\') words += '\\';
    if (c == '{' || c == '}') words += c;
    words += c;
  }
  auto const which =
      std::find_if(std::begin(rules), std::end(rules), [&id](rule const& each) { return each.id == id; });
  json made{{"ruleId", id}, {"ruleIndex", which - std::begin(rules)}, {"level", level}, {"message", {{"text", words}}}};
  std::string const file = at.value("file", from.name);
  if (file.empty() || file == "-") return made;
  json place{{"artifactLocation", {{"uri", link_of(file)}}}};
  char const* const line = at.contains("file") ? "line" : "text_line";
  bool const is_line_of_file = at.contains("file") || !from.is_printed;
  if (is_line_of_file && at.contains(line) && at[line] != 0) place["region"] = {{"startLine", at[line]}};
  if (place.contains("region") && at.contains("column")) place["region"]["startColumn"] = at["column"];
  made["locations"] = json::array({{{"physicalLocation", place}}});
  return made;
}

/// shared load of 32 bits, LDS at 0x50, array tile
std::string words_of(json const& site) {
  std::string words;
  if (site.contains("space"))
    words = site["space"].get<std::string>() + " " + site["kind"].get<std::string>() + " of " +
            std::to_string(site["bits"].get<unsigned>()) + " bits";
  if (site["opcode"].is_string())
    words += (words.empty() ? "" : ", ") + site["opcode"].get<std::string>() +
             (site["at"].is_string() ? " at " + site["at"].get<std::string>() : "");
  if (site.contains("line") && !site.contains("file"))
    words += " at line " + std::to_string(site["line"].get<unsigned>());
  if (site.contains("array") && site["array"].is_string()) words += ", array " + site["array"].get<std::string>();
  return words;
}

std::string sarif_of(json const& kernels, read_file const& from) {
  json results = json::array(), of_rules = json::array();
  for (rule const& each : rules)
    of_rules.push_back({{"id", each.id},
                        {"shortDescription", {{"text", each.title}}},
                        {"fullDescription", {{"text", each.help}}},
                        {"help", {{"text", each.help}}},
                        {"defaultConfiguration", {{"level", each.level}}},
                        {"properties", {{"tags", {"performance"}}}}});
  for (json const& kernel : kernels) {
    std::string const name = kernel.value("name", std::string("the kernel"));
    if (kernel.contains("refused")) {
      results.push_back(result_of("no-number", "warning",
                                  name + " was refused: " + kernel["refused"].get<std::string>() + ".", json::object(),
                                  from));
      continue;
    }
    std::string const end = ". Kernel " + name + ", " + kernel["machine"].get<std::string>() + ".";
    for (json const& site : kernel["sites"])
      for (json const& each : site["findings"]) {
        std::string why = site.value("at_most", false) ? "" : site.value("why", std::string());
        why = why.substr(std::min(why.find("Why: "), why.size()));
        results.push_back(result_of(each["rule"], each["level"],
                                    words_of(site) + ": " + each["text"].get<std::string>() + end +
                                        (why.empty() ? "" : " " + why.substr(0, why.find('\n')) + "."),
                                    site, from));
      }
    for (json const& each : kernel["unknown"])
      results.push_back(result_of("no-number", rules[2].level,
                                  words_of(each) + ": no number, since " + each["why"].get<std::string>() + end, each,
                                  from));
  }
  std::string const version = std::to_string(COALESCE_VERSION_MAJOR) + "." + std::to_string(COALESCE_VERSION_MINOR) +
                              "." + std::to_string(COALESCE_VERSION_PATCH);
  json const run{{"tool", {{"driver", {{"name", "coalesce"}, {"version", version}, {"rules", of_rules}}}}},
                 {"columnKind", "utf16CodeUnits"},
                 {"results", results}};
  json const all{
      {"$schema", "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"},
      {"version", "2.1.0"},
      {"runs", json::array({run})}};
  return all.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

// ---- The page ----

constexpr std::size_t most_of_page = 1'000'000, most_of_sources = 300'000, most_of_line = 300;

lines split(std::string const& text) {
  lines all;
  std::istringstream from{text};
  for (std::string line; std::getline(from, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    all.push_back(line.size() <= most_of_line ? line : line.substr(0, most_of_line) + " ...");
  }
  return all;
}

/// The lines of a file as parts, [first line, lines...]: those from `first` to `last`, or, if these have more than
/// `most` characters, those around the sites.
json parts_of(lines const& all, std::set<unsigned> const& sites, unsigned first, unsigned last, std::size_t most) {
  json parts;
  last = std::min(last, static_cast<unsigned>(all.size()));
  for (unsigned around : {last, 40u, 10u, 2u, 0u}) {
    parts = json::array();
    std::size_t size = 0;
    unsigned next = 0;
    for (unsigned line = std::max(1u, first); line <= last; ++line) {
      auto const near = sites.lower_bound(line > around ? line - around : 0);
      if (around != last && (near == sites.end() || *near > line + around)) continue;
      if (line != next) parts.push_back(json::array({line}));
      parts.back().push_back(all[line - 1]), size += all[line - 1].size() + 4, next = line + 1;
    }
    if (size <= most) break;
  }
  return parts;
}

/// The files in whose lines sites stand. A source that cannot be read here has no parts.
json files_of(json const& kernels, read_file const& from) {
  std::map<std::string, std::set<unsigned>> sites;
  std::set<unsigned> in_text;
  unsigned first = ~0u, last = 0;
  for (json const& kernel : kernels) {
    if (kernel.contains("text_lines"))
      first = std::min(first, kernel["text_lines"][0].get<unsigned>()),
      last = std::max(last, kernel["text_lines"][1].get<unsigned>());
    for (char const* const list : {"sites", "unknown"})
      for (json const& each : kernel.value(list, json::array())) {
        if (each.contains("file")) sites[each["file"].get<std::string>()].insert(each.value("line", 0u));
        if (each.contains("text_line")) in_text.insert(each["text_line"].get<unsigned>());
      }
  }
  json all = json::array();
  std::size_t const most = most_of_sources / (sites.size() + 1);
  for (auto const& [name, wanted] : sites) {
    std::error_code failed;
    json one{{"name", name}, {"parts", json::array()}};
    std::ifstream file;
    if (fs::is_regular_file(name, failed)) file.open(name, std::ios::binary);  // a pipe would wait for a writer
    if (file.is_open()) {
      std::ostringstream text;
      text << file.rdbuf();
      one["parts"] = parts_of(split(text.str()), wanted, 1, ~0u, most);
    }
    all.push_back(one);
  }
  if (!in_text.empty())
    all.push_back({{"name", (from.is_printed ? "disassembly of " : "") +
                                (from.name == "-" || from.name.empty() ? "standard input" : from.name)},
                   {"is_text", true},
                   {"parts", parts_of(split(from.text), in_text, first, last, most)}});
  return all;
}

/// The JSON as it may stand in a page: nothing in it ends the element of the page.
std::string in_page(json const& all) {
  std::string const text = all.dump(-1, ' ', false, json::error_handler_t::replace);
  std::string made;
  for (std::size_t k = 0; k != text.size(); ++k)
    made += text[k] != '<' ? std::string{text[k]} : text[k + 1] == '/' || text[k + 1] == '!' ? "\\u003c" : "<";
  return made;
}

std::string page_of(json kernels, read_file const& from, lines const& pictures, shared_texts texts) {
  for (json& kernel : kernels)
    for (char const* const list : {"sites", "unknown"})
      if (kernel.contains(list))
        for (json& site : kernel[list]) {
          site.erase("source");  // `file` and `line` say the same
          if (site.contains("rules")) site["why"] = texts.number_of(site["why"]);
        }
  json data{{"kernels", kernels}, {"files", files_of(kernels, from)}, {"texts", texts.all}};
  std::string const page = page_template, mark = "{\"data\":null}";
  std::size_t size = in_page(data).size() + page.size();
  // Pictures follow while there is room, those of findings and of costly sites first. They share one style.
  std::vector<std::tuple<bool, std::uint64_t, std::size_t>> order;  // has findings, its cost, the picture
  for (json const& kernel : kernels)
    for (json const& site : kernel.value("sites", json::array()))
      for (char const* const name : {"picture", "picture_then"})
        if (site.contains(name)) order.emplace_back(!site["findings"].empty(), site["worst"], site[name]);
  std::sort(order.rbegin(), order.rend());
  data["pictures"] = json::array();
  for (std::size_t k = 0; k != pictures.size(); ++k) data["pictures"].push_back(nullptr);
  for (auto const& [has_findings, worst, which] : order) {
    if (!data["pictures"][which].is_null()) continue;
    std::string picture = pictures[which];
    auto const begin = picture.find("<style>"), end = picture.find("</style>");
    if (begin != picture.npos && end != picture.npos) {
      if (!data.contains("style")) data["style"] = picture.substr(begin + 7, end - begin - 7);
      if (picture.compare(begin + 7, end - begin - 7, data["style"].get<std::string>()) == 0)
        picture.erase(begin, end + 8 - begin);
    }
    json const written = picture;
    if (size + in_page(written).size() + 4096 > most_of_page) continue;
    data["pictures"][which] = written, size += in_page(written).size();
  }
  std::size_t const at = page.find(mark);
  return page.substr(0, at) + in_page(data) + page.substr(at + mark.size());
}

void write(std::string const& name, std::string const& text) {
  std::ofstream to(name, std::ios::binary);
  if (!(to << text).flush()) throw refusal(name + " cannot be written");
}

}  // namespace

reported_kernel reported(co::binary_answer const& answer) {
  reported_kernel made{parsed(co::json(answer)), &answer.sites};
  for (co::binary_unknown const& each : answer.unknown) made.unknown.push_back(each.at);
  return made;
}
std::vector<reported_kernel> reported(co::replayed const& all) {
  std::vector<reported_kernel> made;
  for (auto const& kernel : all.kernels) {
    std::vector<co::skipped_accesses> skipped;  // what belongs to no kernel stands with the first
    for (auto const& each : all.skipped)
      if (each.may_be_access && (each.kernel == kernel.name || (each.kernel.empty() && made.empty())))
        skipped.push_back(each);
    made.push_back({recording_of(kernel.seen, kernel.name, skipped), &kernel.seen});
    for (auto const& each : skipped) made.back().unknown.push_back(each.at);
  }
  return made;
}
std::vector<reported_kernel> reported(ran const& all) {
  std::vector<reported_kernel> made;
  for (auto const& each : all.kernels) {
    std::vector<co::skipped_accesses> launches;
    for (auto const& [place, failed] : each.failed) {
      auto const& [at, times] = failed;
      launches.push_back({.what = "launch",
                          .why = "the launch failed (invalid configuration)",
                          .count = times,
                          .at = {at.file, at.line, at.column, at.offset, "launch"}});
    }
    made.push_back({recording_of(each.seen, each.name, launches), &each.seen});
    for (auto const& launch : launches) made.back().unknown.push_back(launch.at);
    json& answer = made.back().answer;
    answer["launches"] = each.launches, answer["blocks_launched"] = each.blocks;
    answer["checksum"] = co::detail::hexadecimal(all.checksum);
    if (!all.unchecked.empty()) answer["unchecked"] = all.unchecked;
  }
  if (!all.refused.empty()) made.push_back({{{"kernel", "the program"}, {"refused", all.refused}}});
  return made;
}

void told_reports::check(std::vector<std::string> const& inputs, std::string const& report) const {
  std::error_code failed;
  std::pair<char const*, std::string const&> const outputs[] = {
      {"--html", html}, {"--sarif", sarif}, {"--report", report}};
  for (auto const& [option, output] : outputs)
    for (std::string const& input : inputs)
      if (!output.empty() && fs::is_regular_file(input, failed) && fs::equivalent(input, output, failed))
        throw refusal(std::string(option) + " names the input " + input);
  auto const place = [&failed](std::string const& file) {
    return fs::weakly_canonical(fs::absolute(file, failed), failed);
  };
  for (auto const& [option, output] : outputs)
    for (auto const& [other, same] : outputs) {
      if (option == other) break;
      if (!output.empty() && !same.empty() && place(output) == place(same))
        throw refusal(std::string(other) + " and " + option + " name one file: " + same);
    }
}

void write_reports(told_reports const& to, std::vector<reported_kernel> const& kernels, read_file const& from) {
  json all = json::array();
  shared_texts pictures, rules_said;
  for (reported_kernel const& each : kernels) all.push_back(report_of(each, from, pictures, rules_said));
  if (!to.sarif.empty()) write(to.sarif, sarif_of(all, from));
  if (!to.html.empty()) write(to.html, page_of(all, from, pictures.all, rules_said));
}

// SPDX-License-Identifier: BSL-1.0
#include "profile.hpp"

#include <algorithm>
#include <cstdlib>

namespace {

using record = std::vector<std::string>;

/// The next record; "" in quotes is one quote, and a line may break there. False at the end.
bool read_record(std::istream& in, record& fields, unsigned& line) {
  fields.clear();
  std::string field;
  bool quoted = false, any = false;
  unsigned const begun = line + 1;
  for (char c; in.get(c);) {
    any = true;
    if (c == '\n') ++line;
    if (quoted) {
      if (c != '"')
        field += c;
      else if (in.peek() == '"')
        field += static_cast<char>(in.get());
      else
        quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == ',') {
      fields.push_back(field), field.clear();
    } else if (c == '\n') {
      return fields.push_back(field), true;
    } else if (c != '\r') {
      field += c;
    }
  }
  if (quoted) throw malformed("line " + std::to_string(begun) + ": a quote is not closed");
  if (any) fields.push_back(field), ++line;
  return any;
}

std::size_t column(record const& header, char const* name) {
  return static_cast<std::size_t>(std::find(header.begin(), header.end(), name) - header.begin());
}

/// "1,024", "1024", "1024.000000"; commas part thousands, as ncu prints them in an English locale.
double number(std::string const& words, unsigned line) {
  std::string digits;
  std::size_t const end = std::min(words.find('.'), words.size());
  bool wrong = words.empty();
  for (std::size_t k = 0; k != words.size(); ++k) {
    bool const parts_thousands = k != 0 && k < end && (end - k) % 4 == 0;
    if (words[k] != ',')
      digits += words[k];
    else
      wrong = wrong || !parts_thousands;
  }
  if (digits.size() != words.size())  // where one is parted all are
    for (std::size_t k = end; k > 4 && !wrong; k -= 4) wrong = words[k - 4] != ',';
  char* rest = nullptr;
  double const value = std::strtod(digits.c_str(), &rest);
  if (wrong || *rest != '\0') throw malformed("line " + std::to_string(line) + ": \"" + words + "\" is no number");
  return value;
}
bool is_absent(std::string const& words) { return words.empty() || words == "n/a" || words == "N/A" || words == "nan"; }

}  // namespace

double reading::value(std::string const& name) const {
  std::string const where = "line " + std::to_string(line) + ": ";
  if (is_twice) throw malformed(where + name + " stands in this launch again, with another value");
  if (!unit.empty() && (unit[0] == 'K' || unit[0] == 'M' || unit[0] == 'G'))
    throw malformed(where + name + " is in " + unit + ": profile with --print-units base");
  return number(words, line);
}

std::vector<launch> read_profile(std::istream& in) {
  unsigned line = 0;
  record header, fields;
  auto const has = [&](char const* name) { return column(header, name) != header.size(); };
  do
    if (!read_record(in, header, line)) throw malformed("no line is the header of ncu --csv or of rocprofv3");
  while (!has("Kernel Name") && !has("Kernel_Name"));

  bool const amd = has("Kernel_Name"), wide = !amd && !has("Metric Name");
  char const *const id = amd ? "Dispatch_Id" : "ID", *const kernel = amd ? "Kernel_Name" : "Kernel Name";
  char const *const name = amd ? "Counter_Name" : "Metric Name", *const value = amd ? "Counter_Value" : "Metric Value";
  for (char const* needed : {id, wide ? id : name, wide ? id : value})
    if (!has(needed)) throw malformed(std::string("the header has no column \"") + needed + "\"");

  std::vector<launch> launches;
  std::size_t current = 0;
  auto const add = [&](std::string const& counter, std::string const& unit, std::string const& words) {
    if (is_absent(words)) return;
    auto const [at, is_new] = launches[current].counters.emplace(counter, reading{words, unit, line});
    at->second.is_twice = at->second.is_twice || (!is_new && at->second.words != words);
  };
  record units(header.size());
  while (read_record(in, fields, line)) {
    if (fields.size() == 1 && (fields[0].empty() || fields[0].rfind("==", 0) == 0)) continue;
    if (fields.size() != header.size())
      throw malformed("line " + std::to_string(line) + ": " + std::to_string(fields.size()) +
                      " fields, where the header has " + std::to_string(header.size()));
    std::string const &which = fields[column(header, id)], &who = fields[column(header, kernel)];
    if (wide && which.empty()) {
      units = fields;  // the line after the header
      continue;
    }
    current = 0;
    while (current != launches.size() && (launches[current].id != which || launches[current].kernel != who)) ++current;
    if (current == launches.size()) launches.push_back({which, who, {}});
    if (!wide)
      add(fields[column(header, name)], has("Metric Unit") ? fields[column(header, "Metric Unit")] : "",
          fields[column(header, value)]);
    for (std::size_t k = 0; wide && k != header.size(); ++k)
      if (header[k].find("__") != std::string::npos) add(header[k], units[k], fields[k]);
  }
  if (launches.empty()) throw malformed("no launch follows the header");
  return launches;
}

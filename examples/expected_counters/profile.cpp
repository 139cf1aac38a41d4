// SPDX-License-Identifier: BSL-1.0
#include "profile.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <iterator>

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

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// "1,024", "1024", "1024.000000"; commas part thousands, as ncu prints them in an English locale.
amount number(std::string const& words, unsigned line) {
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
  std::string const whole = digits.substr(0, digits.find('.')), fraction = digits.substr(whole.size());
  wrong = wrong || whole.empty() || fraction.size() == 1 || !std::all_of(whole.begin(), whole.end(), is_digit) ||
          (!fraction.empty() && !std::all_of(fraction.begin() + 1, fraction.end(), is_digit));
  std::string const called = "line " + std::to_string(line) + ": \"" + words + '"';
  if (wrong) throw malformed(called + " is no number");
  amount value;
  if (std::from_chars(whole.data(), whole.data() + whole.size(), value.whole).ec != std::errc())
    throw malformed(called + " is past 2^64");
  if (!fraction.empty()) value.fraction = std::strtod(("0" + fraction).c_str(), nullptr);
  return value;
}
bool is_absent(std::string const& words) {
  return words.empty() || words == "-" || words == "n/a" || words == "N/A" || words == "nan";
}

// ---- The Source page ----

/// Its columns, by their labels, and the names of the metrics, which ncu-report has. Nsight Compute, User Guide, Source
/// Page. (No other column is compared. Some stand twice.)
struct column_of_source {
  char const *label, *metric;
};
constexpr column_of_source columns_of_source[] = {
    {"Instructions Executed", "inst_executed"},
    {"L1 Tag Requests Global", "memory_l1_tag_requests_global"},
    {"L1 Wavefronts Shared", "memory_l1_wavefronts_shared"},
    {"L1 Wavefronts Shared Ideal", "memory_l1_wavefronts_shared_ideal"},
    {"L2 Theoretical Sectors Global", "memory_l2_theoretical_sectors_global"},
    {"L2 Theoretical Sectors Global Ideal", "memory_l2_theoretical_sectors_global_ideal"},
};

/// "LDG 128" of "@P0 LDG.E.128.CONSTANT R4, [R2.64]": the operation, and the bits of a lane, which are 32 where none
/// are named. A lane of the instructions for matrices has an address of 16 bytes. "" of what is no access to global or
/// shared memory.
std::string kind_of(std::string const& source) {
  std::size_t const at =
      source[0] == '@' ? std::min(source.find_first_not_of(' ', source.find(' ')), source.size()) : 0;
  std::string const name = source.substr(at, source.find(' ', at) - at) + '.';
  std::string const operation = name.substr(0, name.find('.'));
  constexpr char const* accesses[] = {"LDG", "STG", "LDS", "STS", "LDSM", "STSM", "LDGSTS", "ATOMS", "ATOMG", "RED"};
  if (std::find(std::begin(accesses), std::end(accesses), operation) == std::end(accesses)) return "";
  std::string bits = operation == "LDSM" || operation == "STSM" ? "128" : "32";
  if (bits == "32")
    for (std::size_t begin = operation.size() + 1; begin != name.size(); begin = name.find('.', begin) + 1) {
      std::string const part = name.substr(begin, name.find('.', begin) - begin);
      for (char const* known : {"8", "16", "64", "128", "256"})
        if (part == known || part == std::string("U") + known || part == std::string("S") + known) bits = known;
    }
  return operation + ' ' + bits;
}

/// From "Kernel Name","..." on: a header, and a line an instruction; then the next kernel.
std::vector<launch> read_source_page(std::istream& in, record kernel, unsigned line) {
  std::vector<launch> launches;
  record header, fields;
  bool more = true;
  while (more) {
    if (!read_record(in, header, line)) throw malformed("no header follows \"Kernel Name\" of " + kernel[1]);
    for (char const* needed : {"Address", "Source"})
      if (column(header, needed) == header.size())
        throw malformed("line " + std::to_string(line) + ": the header has no column \"" + needed + "\"");
    launches.push_back({std::to_string(launches.size()), kernel[1], {}, {}});
    launch& current = launches.back();
    while ((more = read_record(in, fields, line))) {
      if (fields.size() == 1 && (fields[0].empty() || fields[0].rfind("==", 0) == 0)) continue;
      if (fields.size() == 2 && fields[0] == "Kernel Name") break;
      if (fields.size() != header.size())
        throw malformed("line " + std::to_string(line) + ": " + std::to_string(fields.size()) +
                        " fields, where the header has " + std::to_string(header.size()));
      std::string source = fields[column(header, "Source")];
      source.erase(source.find_last_not_of(' ') + 1).erase(0, source.find_first_not_of(' '));
      current.instructions.push_back({fields[column(header, "Address")], source, kind_of(source), {}});
      auto& counters = current.instructions.back().counters;
      for (std::size_t k = 0; k != header.size(); ++k)
        for (column_of_source const& known : columns_of_source)
          if ((header[k] == known.label || header[k] == known.metric) && !is_absent(fields[k])) {
            auto const [at, is_new] = counters.emplace(known.metric, reading{fields[k], "", line});
            at->second.is_twice = at->second.is_twice || (!is_new && at->second.words != fields[k]);
          }
    }
    if (current.instructions.empty()) throw malformed("no instruction follows the header of " + kernel[1]);
    kernel = fields;
  }
  return launches;
}

}  // namespace

std::string amount::words() const {
  std::string words = std::to_string(whole);
  if (fraction == 0) return words;
  char digits[32] = {};
  static_cast<void>(std::snprintf(digits, sizeof digits, "%.15f", fraction));
  words += digits + 1;  // 0.25 without its 0
  return words.erase(words.find_last_not_of('0') + 1);
}

amount reading::value(std::string const& name) const {
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

  if (header.size() == 2 && header[0] == "Kernel Name") return read_source_page(in, header, line);

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
    if (current == launches.size()) launches.push_back({which, who, {}, {}});
    if (!wide)
      add(fields[column(header, name)], has("Metric Unit") ? fields[column(header, "Metric Unit")] : "",
          fields[column(header, value)]);
    for (std::size_t k = 0; wide && k != header.size(); ++k)
      if (header[k].find("__") != std::string::npos) add(header[k], units[k], fields[k]);
  }
  if (launches.empty()) throw malformed("no launch follows the header");
  return launches;
}

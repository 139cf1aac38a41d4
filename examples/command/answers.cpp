// SPDX-License-Identifier: BSL-1.0
#include "answers.hpp"

#include <algorithm>
#include <charconv>
#include <iostream>

namespace {

using numbers = co::detail::numbers_of<co::compared_cost::numbers>;

/// The numbers by which accesses are compared: the first one decides, and the second one where it is equal.
std::pair<std::uint64_t, std::uint64_t> weight_of(co::compared_cost const& cost) {
  std::uint64_t const on_one = cost.lanes_on_one_address == co::not_counted ? 0 : cost.lanes_on_one_address;
  for (std::uint64_t const number : {cost.rounds, cost.clocks, cost.transactions, cost.requests, cost.operations})
    if (number != co::not_counted) return {number, on_one};
  return {0, on_one};
}

char const* words_of(co::touch kind) {
  switch (kind) {
    case co::touch::load:
      return "load";
    case co::touch::store:
      return "store";
    case co::touch::atomic:
      return "atomic";
    case co::touch::issued:
      return "issued";
  }
  return "";
}

template <auto... Members>
void read_members(json const& from, co::compared_cost& to, co::detail::members<Members...>) {
  unsigned k = 0;
  auto const number = [&from](std::string const& name) {
    return from.contains(name) ? number_in(from, name) : co::not_counted;
  };
  ((to.*Members = number(numbers::name().of[k++].c_str())), ...);
}

bool is_met(std::string const& sign, std::uint64_t is, std::uint64_t number) {
  return sign == "="    ? is == number
         : sign == "<=" ? is <= number
         : sign == ">=" ? is >= number
         : sign == "<"  ? is < number
                        : is > number;
}
/// Whether the comparison holds whatever the data.
bool is_shown(gated_number const& of, std::string const& sign, std::uint64_t number) {
  return of.left_out == 0 && of.without == nullptr && is_met(sign, of.is, number) && (!of.at_most || sign[0] == '<');
}
/// A site in a sentence: LDS at k.cu:9 0x50. If nothing tells the opcode, the library's name stands in its place.
std::string words_of(co::site const& s) {
  std::string const words = s.opcode[0] != '\0' ? s.opcode : s.instruction;
  std::string const place = co::detail::names_of(s).place.c_str();
  return words + (place.empty() ? "" : " at " + place);
}
/// Why it is not shown.
std::string why_not(gated_number const& of, std::string const& sign, std::uint64_t number) {
  if (of.left_out != 0)
    return "the sum of " + of.name + " leaves out the loop at line " + std::to_string(of.left_out) +
           ": data decide how often it runs";
  if (of.without != nullptr) return "no source tells the " + of.name + " of " + words_of(*of.without);
  if (!of.at_most) return of.name + " is " + std::to_string(of.is);
  std::string const words = of.name + " is at most " + std::to_string(of.is);
  if (sign[0] != '<' && number >= of.is && !is_met(sign, of.is, number)) return words;  // no data meet it
  if (sign[0] == '>' || (sign == "=" && number != 0))
    return words + ": data decide it, and an upper bound does not show " + sign + std::to_string(number);
  return words + ": data decide it, and " + words_of(*of.largest) + " has the largest share, " +
         (of.largest->at_most ? "at most " : "") + std::to_string(of.share);
}

/// Makes the JSON of what the parser tells. nlohmann::json itself keeps the last of two members with one name.
class json_maker : public nlohmann::json_sax<json> {
 public:
  json made;

  bool null() override { return add(nullptr); }
  bool boolean(bool is) override { return add(is); }
  bool number_integer(json::number_integer_t number) override { return add(number); }
  bool number_unsigned(json::number_unsigned_t number) override { return add(number); }
  bool number_float(json::number_float_t number, std::string const&) override { return add(number); }
  bool string(std::string& words) override { return add(words); }
  bool binary(json::binary_t& bytes) override { return add(json::binary(bytes)); }
  bool start_object(std::size_t) override { return open(json::object()); }
  bool start_array(std::size_t) override { return open(json::array()); }
  bool end_object() override { return open_.pop_back(), true; }
  bool end_array() override { return open_.pop_back(), true; }
  bool key(std::string& name) override {
    if (open_.back()->contains(name)) throw refusal("the JSON has " + name + " twice in one object");
    member_ = &(*open_.back())[name];
    return true;
  }
  bool parse_error(std::size_t, std::string const&, json::exception const& why) override { throw json::exception(why); }

 private:
  json* place_of(json is) {
    if (open_.empty()) return &(made = std::move(is));
    if (open_.back()->is_object()) return &(*member_ = std::move(is));
    open_.back()->push_back(std::move(is));
    return &open_.back()->back();
  }
  bool add(json is) { return place_of(std::move(is)), true; }
  bool open(json is) {
    constexpr std::size_t most = 64;  // the stack may not hold a copy of more
    if (open_.size() == most)
      throw refusal("the JSON has more than " + std::to_string(most) + " lists and objects in one another");
    return open_.push_back(place_of(std::move(is))), true;
  }

  std::vector<json*> open_;  ///< the lists and objects that have not ended, one in another
  json* member_ = nullptr;   ///< the value of the last key
};

}  // namespace

std::string words_of(json::exception const& why) {
  std::string const words = why.what();
  auto const end = words.find("] ");
  return words.starts_with("[json.") && end != words.npos ? words.substr(end + 2) : words;
}

json read_json(std::istream& from, bool is_whole) {
  json_maker maker;
  static_cast<void>(json::sax_parse(from, &maker, json::input_format_t::json, is_whole));
  return std::move(maker.made);
}

std::uint64_t number_in(json const& from, std::string const& name) {
  json const& is = from.at(name);
  if (!is.is_number_unsigned() || is.get<std::uint64_t>() == co::not_counted)
    throw refusal("the recording's " + name + " is " + is.dump() + ", and not a count below 2^64 - 1");
  return is.get<std::uint64_t>();
}

void read_numbers(json const& from, co::compared_cost& to) { read_members(from, to, co::compared_cost::numbers{}); }

void add_numbers(json& to, co::compared_cost const& cost) {
  auto const all = numbers::value(cost);
  for (unsigned k = 0; k != numbers::count; ++k)
    if (all.of[k] != co::not_counted) to[numbers::name().of[k].c_str()] = all.of[k];
}

json site_of(co::named_instruction const& instruction, co::recorded_cost const& cost) {
  json site{{"at", nullptr},
            {"opcode", nullptr},
            {"source", nullptr},
            {"space", instruction.space() == co::memory_space::shared ? "shared" : "global"},
            {"kind", words_of(instruction.kind)},
            {"bits", 8 * instruction.bytes},
            {"instruction", instruction.name},
            {"issued", cost.issued}};
  add_numbers(site, cost);
  return site;
}

json recording_of(co::named_instruction const& instruction, co::recorded_cost const& cost) {
  return {{"machine", instruction.machine},
          {"kernel", nullptr},
          {"blocks", nullptr},
          {"sites", json::array({site_of(instruction, cost)})},
          {"unknown", json::array()}};
}

std::string written(json const& all, int indent) {
  return all.dump(indent, ' ', false, json::error_handler_t::replace);
}
json parsed(std::string const& text) { return json::parse(json::parse(written(text, -1)).get<std::string>()); }

json recording_of(co::recording<co::any_number> const& seen, std::string const& kernel,
                  std::vector<co::skipped_accesses> const& skipped) {
  json all = parsed(co::json(seen, kernel));
  for (co::skipped_accesses const& one : skipped)
    if (one.may_be_access) {
      json entry = parsed(co::detail::place_in_json(one.at.offset, one.what) +
                          co::detail::source_in_json(one.at.file, one.at.line, one.at.column) + "}");
      entry["why"] = one.why, entry["issued"] = one.count;
      all["unknown"].push_back(std::move(entry));
    }
  return all;
}

kernel kernel_of(std::istream& recording, std::string const& name, std::uint64_t times) {
  json all;
  try {
    all = read_json(recording, true);
  } catch (json::exception const& why) {
    throw refusal("the recording is no JSON: " + words_of(why));
  }
  kernel made{name, {}};
  try {
    if (!all.at("unknown").empty())
      throw refusal("the cost of " + std::to_string(all["unknown"].size()) +
                    " of the recording's instructions is unknown, and counters count all of them together");
    auto const is_bound = [](json const& site) {
      return site.value("at_most", false) || site.contains("per_iteration");
    };
    if (auto const bounds = std::count_if(all.at("sites").begin(), all["sites"].end(), is_bound); bounds != 0)
      throw refusal("the numbers of " + std::to_string(bounds) +
                    " of the recording's instructions are upper bounds, and a counter counts what one run did");
    for (json const& site : all.at("sites")) {
      co::named_instruction const& instruction =
          co::named(all.at("machine").get<std::string>(), site.at("instruction").get<std::string>());
      if (number_in(site, "bits") % (8 * instruction.bytes) != 0)
        throw refusal("instructions of several widths move the element of a site of " + instruction.full_name());
      co::recorded_cost one, sum;
      one.issued = number_in(site, "issued");
      read_numbers(site, one);
      add_checked(sum, one, times);
      made.executes(instruction.full_name(), instruction.counters(), 8 * instruction.bytes, sum, sum.issued);
    }
  } catch (json::exception const& why) {
    throw refusal("the JSON is not a recording: " + words_of(why));
  }
  return made;
}

std::string table_of(co::compared_cost const& cost) {
  std::string table;
  std::size_t width[2] = {23, 12};  // at least
  named_numbers const all = named_numbers_of(cost);
  for (auto const& [name, number] : all)
    width[0] = std::max(width[0], name.size()), width[1] = std::max(width[1], std::to_string(number).size());
  for (auto const& [name, number] : all) {
    std::string const digits = std::to_string(number);
    table += "  " + name + std::string(width[0] + 1 + width[1] - name.size() - digits.size(), ' ') + digits + "\n";
  }
  return table;
}

named_numbers named_numbers_of(co::compared_cost const& cost) {
  auto const all = numbers::value(cost);
  named_numbers named;
  for (unsigned k = 0; k != numbers::count; ++k)
    if (all.of[k] != co::not_counted) named.emplace_back(numbers::name().of[k].c_str(), all.of[k]);
  return named;
}

bool meets(std::vector<std::string> const& expected, co::compared_cost const& cost) {
  std::vector<gated_number> are;
  for (auto const& [name, number] : named_numbers_of(cost)) are.push_back({.name = name, .is = number});
  return meets(expected, are);
}
bool meets(std::vector<std::string> const& expected, std::vector<gated_number> const& are) {
  bool holds = true;
  for (std::string const& line : expected) {
    auto const at = line.find_first_of("<>=");
    std::string const name = line.substr(0, at);
    bool const has_two_signs = at != line.npos && line[at] != '=' && line.substr(at + 1, 1) == "=";
    std::string const sign = at == line.npos ? "" : line.substr(at, has_two_signs ? 2 : 1);
    std::string const digits = at == line.npos ? "" : line.substr(at + sign.size());
    std::uint64_t number = 0;
    auto const [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    bool const is_number = error == std::errc() && end == digits.data() + digits.size() && !digits.empty();
    if (auto const why = why_octal(digits); !why.empty()) throw refusal("--expect '" + line + "': " + why);
    if (!is_number)
      throw refusal("--expect '" + line + "' is not NAME=NUMBER, NAME<=NUMBER or NAME>=NUMBER; < and > compare, too");
    gated_number const* is = nullptr;
    std::string known;
    for (gated_number const& each : are) {
      known += (known.empty() ? "" : ", ") + each.name;
      if (each.name == name) is = &each;
    }
    if (is == nullptr)
      throw refusal("--expect '" + line + "': " +
                    (known.empty() || known == "unknown" ? "nothing was counted here, so there is no " + name
                                                         : "the numbers here are " + known));
    if (is_shown(*is, sign, number)) continue;
    std::cerr << "coalesce: expected " << line << ", and " << why_not(*is, sign, number) << "\n";
    holds = false;
  }
  return holds;
}

std::vector<std::string> with_unknown(std::vector<std::string> expected) {
  bool const tells_unknown =
      std::any_of(expected.begin(), expected.end(), [](auto const& each) { return each.starts_with("unknown"); });
  if (!expected.empty() && !tells_unknown) expected.emplace_back("unknown=0");
  return expected;
}
namespace {

/// Whether each access to a space has this number, unless no source tells it. All other numbers are of one kind of
/// access alone, such as `operations` of atomics and `quads` of loads.
bool is_of_each_access(std::string const& number, co::memory_space space) {
  std::vector<std::string> const of_shared{"rounds", "conflicts", "phases", "ways"},
      of_global{"clocks", "requests", "transactions", "bytes_moved", "bytes_used"};
  auto const& of_space = space == co::memory_space::shared ? of_shared : of_global;
  return std::find(of_space.begin(), of_space.end(), number) != of_space.end();
}

}  // namespace

std::vector<gated_number> numbers_of_sites(std::vector<co::recording<co::any_number> const*> const& recordings,
                                           std::uint64_t unknown) {
  std::vector<gated_number> all;
  for (auto const& name : numbers::name().of) all.push_back({.name = name.c_str()});
  co::recorded_cost sum, exact;
  for (auto const* each : recordings)
    for (co::site const& s : *each) {
      if (!s.cost.is_counted) continue;
      co::recorded_cost const part = s.per_iteration == 0 ? s.cost : co::detail::left_out(s.cost);
      add_checked(sum, part);
      if (!s.at_most) add_checked(exact, part);
      auto const whole = numbers::value(s.cost), added = numbers::value(part);
      for (unsigned k = 0; k != numbers::count; ++k) {
        if (whole.of[k] == co::not_counted && s.cost.issued != 0 && is_of_each_access(all[k].name, s.space))
          all[k].without = &s;
        if (added.of[k] != whole.of[k])
          all[k].left_out = s.per_iteration;
        else if (added.of[k] != co::not_counted && added.of[k] > all[k].share)
          all[k].share = added.of[k], all[k].largest = &s;
      }
    }
  auto const sums = numbers::value(sum), of_exact = numbers::value(exact);
  for (unsigned k = 0; k != numbers::count; ++k) {
    all[k].is = sums.of[k];
    // A bound of 0 is exact, and so is a maximum that an exact site has.
    all[k].at_most = sums.of[k] != (of_exact.of[k] == co::not_counted ? 0 : of_exact.of[k]);
  }
  std::erase_if(all, [](gated_number const& each) { return each.is == co::not_counted && each.left_out == 0; });
  all.push_back({.name = "unknown", .is = unknown});
  return all;
}

co::recorded_cost cost_of(co::named_instruction const& instruction, std::vector<access_of_wave> const& accesses) {
  co::recorded_cost sum;
  for (access_of_wave const& each : accesses) {
    co::recorded_cost one;
    static_cast<co::compared_cost&>(one) = instruction.cost(each.address, each.active);
    one.issued = each.active != 0;
    co::detail::add_up(sum, one);
  }
  return sum;
}

access_of_wave const& worst_of(co::named_instruction const& instruction, std::vector<access_of_wave> const& accesses) {
  access_of_wave const* worst = nullptr;
  std::pair<std::uint64_t, std::uint64_t> most;
  for (access_of_wave const& each : accesses) {
    auto const weight = weight_of(instruction.cost(each.address, each.active));
    if (worst == nullptr || weight > most) worst = &each, most = weight;
  }
  return *worst;
}

std::vector<co::named_instruction const*> instructions_of(std::string const& name) {
  std::vector<co::named_instruction const*> found;
  std::string const words = name.substr(0, name.find('<'));  // after it :: is of cp_async<16>::global
  std::size_t machine_ends = 0;
  for (auto at = words.find("::"); at != words.npos; at = words.find("::", at + 2))
    if (co::detail::find_machine(words.substr(0, at)).machine != nullptr) machine_ends = at;
  if (machine_ends != 0) return {&co::named(words.substr(0, machine_ends), name.substr(machine_ends + 2))};
  auto const last = words.rfind("::");
  std::vector<std::string> known;
  for (co::named_machine const& machine : co::named_machines())
    for (co::named_instruction const& each : machine.instructions) {
      if (co::detail::is_spelt(each.name, name)) found.push_back(&each);
      known.push_back(each.name);
    }
  if (found.empty() && last != words.npos && words.substr(0, last) != "wave64")
    static_cast<void>(co::named(words.substr(0, last)));  // refuses the machine
  if (found.empty()) {
    std::sort(known.begin(), known.end());
    known.erase(std::unique(known.begin(), known.end()), known.end());
    throw refusal("no machine has " + name + "; the nearest names are " + co::detail::nearest(name, known) +
                  "; 'coalesce list' shows all");
  }
  return found;
}

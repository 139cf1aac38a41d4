// SPDX-License-Identifier: BSL-1.0
#include "merge.hpp"

#include <coalesce/host/files.hpp>
#include <coalesce/host/numbers.hpp>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <vector>

namespace {

using numbers = co::detail::numbers_of<co::compared_cost::numbers>;

constexpr char const* words_of_site[] = {"at",    "opcode", "source", "line", "column",
                                         "array", "space",  "kind",   "bits", "instruction"};
constexpr char const* words_of_unknown[] = {"at", "opcode", "source", "line", "column", "why"};
constexpr char const* sums_of_recording[] = {"blocks", "launches", "blocks_launched"};
constexpr char const* sentences_of_recording[] = {"assumed", "arguments", "unchecked"};

template <class Names>
bool has(Names const& names, std::string const& name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}
std::vector<std::string> names_of_numbers() {
  std::vector<std::string> all;
  for (auto const& each : numbers::name().of) all.emplace_back(each.c_str());
  return all;
}

json const& list_in(json const& recording, std::string const& name) {
  json const& is = recording.at(name);
  if (!is.is_array()) throw refusal("the recording's " + name + " is " + is.dump() + ", and not a list");
  return is;
}
/// Refuses a member that is neither null nor of a type that recordings have.
void check_word(std::string const& name, json const& is) {
  constexpr char const *counts[] = {"line", "column", "bits"}, *spaces[] = {"global", "shared"},
                       *kinds[] = {"load", "store", "atomic", "issued"};
  bool const is_count = has(counts, name);
  auto const is_one_of = [&is](auto const& names) { return is.is_string() && has(names, is.get<std::string>()); };
  if (is_count ? is.is_number_unsigned() : is.is_null() || is.is_string()) {
    if (name == "space" && !is_one_of(spaces))
      throw refusal("a site's space is " + is.dump() + ", and not global or shared");
    if (name == "kind" && !is_one_of(kinds))
      throw refusal("a site's kind is " + is.dump() + ", and not load, store, atomic or issued");
    return;
  }
  throw refusal("the recording's " + name + " is " + is.dump() + ", and not " + (is_count ? "a count" : "a word"));
}
/// Refuses a number that a site has in one recording alone, since its sum would leave out the others. A site that was
/// never executed has no number.
void check_numbers_of(json const& words, co::recorded_cost const& sum, co::recorded_cost const& more) {
  named_numbers const before = named_numbers_of(sum), now = named_numbers_of(more);
  if ((sum.issued == 0 && before.empty()) || (more.issued == 0 && now.empty())) return;
  auto const check = [&words](named_numbers const& some, named_numbers const& others) {
    for (auto const& [name, number] : some)
      if (std::none_of(others.begin(), others.end(), [&name](auto const& each) { return each.first == name; }))
        throw refusal("a site of " + words.value("instruction", std::string("no instruction")) + " has " + name +
                      " in one recording, and lacks it in another");
  };
  check(before, now), check(now, before);
}
[[noreturn]] void refuse_member(std::string const& name) {
  throw refusal("a recording has " + name + ", which merge does not know how to add");
}
std::string named(json const& kernel) { return kernel.is_null() ? "" : " of " + kernel.get<std::string>(); }

/// The members with these names, and a key by which places are sorted: by file first, and by lines as numbers.
template <class Names>
std::pair<json, json> words_in(json const& from, Names const& names) {
  json words = json::object(), place = json::array();
  for (char const* const name : names) {
    auto const found = from.find(name);
    json const is = found == from.end() ? json() : *found;
    if (found != from.end()) words[name] = is;
    std::uint64_t number = 0;
    if (std::string(name) == "source" && is.is_string()) {
      std::string const source = is.get<std::string>();
      auto const colon = std::min(source.rfind(':'), source.size());
      bool const has_line = colon != source.size() && co::detail::read_digits(source.substr(colon + 1), 10, number);
      place.insert(place.begin(), {source.substr(0, colon), has_line ? number : 0});
    } else if (std::string(name) == "at" && is.is_string() && is.get<std::string>().starts_with("0x") &&
               co::detail::read_digits(is.get<std::string>().substr(2), 16, number)) {
      place.push_back(number);
    } else {
      place.push_back(is);
    }
  }
  return {words, place};
}

}  // namespace

void merged_recordings::add_site(recorded_kernel& to, json const& site) const {
  auto const counted = names_of_numbers();
  auto const [words, place] = words_in(site, words_of_site);
  place_and_cost& sum = to.sites.try_emplace(place, place_and_cost{words}).first->second;
  co::recorded_cost more;
  for (auto const& [name, value] : site.items()) {
    if (has(words_of_site, name)) check_word(name, value);
    if (has(words_of_site, name) || name == "at_most" || name == "per_iteration" || name == "issued") continue;
    if (!has(counted, name)) refuse_member("a site with " + name);
  }
  read_numbers(site, more), more.issued = number_in(site, "issued");
  more.at_most = site.value("at_most", false);
  check_numbers_of(words, sum.cost, more);
  std::uint64_t const loop = site.contains("per_iteration") ? number_in(site, "per_iteration") : 0;
  if (loop != 0 && sum.per_iteration != 0 && loop != sum.per_iteration)
    throw refusal("one site has the numbers of a round of the loop at line " +
                  std::to_string(std::min(loop, sum.per_iteration)) + " in one recording, and at line " +
                  std::to_string(std::max(loop, sum.per_iteration)) + " in another");
  if (loop != 0) sum.per_iteration = loop;
  add_checked(sum.cost, more);
}

void merged_recordings::add(json const& recording) {
  json const& kernel = recording.at("kernel");
  check_word("kernel", kernel);
  if (recording.contains("refused"))
    throw refusal("the numbers" + named(kernel) + " are missing: " + recording["refused"].get<std::string>());
  std::string const machine = recording.at("machine").get<std::string>();
  if (!machine_.empty() && machine != machine_)
    throw refusal("recordings of " + std::min(machine, machine_) + " and of " + std::max(machine, machine_) +
                  " do not add up");
  machine_ = machine;
  if (recording.value("any_block", false))
    throw refusal("an answer about any block bounds each block, and is not a part of a run: ask --blocks all");
  if (recording.at("blocks").is_null()) throw refusal("this is not the recording of a kernel: it has no blocks");
  recorded_kernel& to = kernels_[kernel];
  std::string const checksum = recording.value("checksum", std::string());
  if (!to.is_first && checksum != to.checksum)
    throw refusal("the recordings" + named(kernel) +
                  " are of two editions of it: the checksums of their texts are different");
  to.is_first = false, to.checksum = checksum;
  for (auto const& [name, value] : recording.items()) {
    if (has(sums_of_recording, name)) {
      std::uint64_t& sum = to.sums[name];
      sum = sum_of(name, sum, number_in(recording, name));
    } else if (has(sentences_of_recording, name)) {
      for (json const& each : value.is_array() ? value : json::array({value}))
        to.sentences[name].insert(each.get<std::string>());
    } else if (name != "machine" && name != "kernel" && name != "checksum" && name != "at_most" &&
               name != "any_block" && name != "sites" && name != "unknown") {
      refuse_member(name);
    }
  }
  for (json const& site : list_in(recording, "sites")) add_site(to, site);
  // Equal entries of several recordings are one instruction. Equal entries of one recording are several.
  std::map<json, unsigned> alike;
  for (json const& each : list_in(recording, "unknown")) {
    for (auto const& [name, value] : each.items())
      if (has(words_of_unknown, name))
        check_word(name, value);
      else if (name != "issued")
        refuse_member("an unknown instruction with " + name);
    auto [words, place] = words_in(each, words_of_unknown);
    place.push_back(alike[place]++);
    std::uint64_t& issued = to.unknown.try_emplace(place, words, 0).first->second.second;
    issued = sum_of("issued", issued, number_in(each, "issued"));
  }
}

void merged_recordings::add_file(std::string const& name) {
  bool const is_input = name == "-";
  std::string const called = is_input ? "standard input" : name;
  if (co::detail::is_folder(name)) throw refusal(called + " is a folder, and not a file");
  std::ifstream file;
  if (!is_input) file.open(name, std::ios::binary);
  std::istream& from = is_input ? std::cin : file;
  if (!from) throw refusal(called + " cannot be read");
  bool is_empty = true;
  try {
    while (from >> std::ws && from.peek() != std::istream::traits_type::eof()) {
      json const next = read_json(from, false);
      for (json const& each : next.is_array() ? next : json::array({next})) add(each), is_empty = false;
    }
  } catch (json::exception const& why) {
    throw refusal(called + " is not a recording: " + words_of(why));
  } catch (std::runtime_error const& why) {  // a refusal, or a sum past 2^64
    throw refusal(called + ": " + why.what());
  }
  if (is_empty) throw refusal(called + " has no recording");
}

json merged_recordings::all() const {
  json list = json::array();
  for (auto const& [kernel, of] : kernels_) {
    json one{{"machine", machine_}, {"kernel", kernel}, {"blocks", of.sums.at("blocks")}};
    if (!of.checksum.empty()) one["checksum"] = of.checksum;
    json sites = json::array(), unknown = json::array();
    for (auto const& [place, each] : of.sites) {
      sites.push_back(each.words);
      if (each.cost.at_most) one["at_most"] = sites.back()["at_most"] = true;
      if (each.per_iteration != 0) sites.back()["per_iteration"] = each.per_iteration;
      sites.back()["issued"] = each.cost.issued;
      add_numbers(sites.back(), each.cost);
    }
    for (auto const& [place, each] : of.unknown) {
      unknown.push_back(each.first);
      unknown.back()["issued"] = each.second;
    }
    one["sites"] = std::move(sites), one["unknown"] = std::move(unknown);
    for (auto const& [name, words] : of.sentences)
      one[name] = name == "unchecked" && words.size() == 1 ? json(*words.begin()) : json(words);
    for (auto const& [name, sum] : of.sums)
      if (name != "blocks") one[name] = sum;
    list.push_back(std::move(one));
  }
  return list.size() == 1 ? list[0] : list;
}

bool merged_recordings::meets(std::vector<std::string> const& expected) const {
  if (expected.empty()) return true;
  std::set<std::string> words;
  co::recording<co::any_number> all;
  std::uint64_t unknown = 0;
  for (auto const& [kernel, of] : kernels_) {
    unknown += of.unknown.size();
    for (auto const& [place, each] : of.sites) {
      auto const word = [&words, &from = each.words](char const* name) {
        auto const found = from.find(name);
        return words.insert(found != from.end() && found->is_string() ? found->get<std::string>() : "").first->c_str();
      };
      co::site s;
      s.opcode = word("opcode"), s.array = word("array"), s.cost = each.cost, s.at_most = each.cost.at_most;
      s.instruction = word("instruction");
      s.space = word("space") == std::string("shared") ? co::memory_space::shared : co::memory_space::global;
      std::string const source = word("source");
      auto const colon = std::min(source.rfind(':'), source.size());
      std::uint64_t line = 0;
      static_cast<void>(co::detail::read_digits(source.substr(std::min(colon + 1, source.size())), 10, line));
      s.at = {words.insert(source.substr(0, colon)).first->c_str(), static_cast<unsigned>(line), 0};
      s.per_iteration = static_cast<unsigned>(each.per_iteration);
      all.sites.push_back(s);
    }
  }
  return ::meets(with_unknown(expected), numbers_of_sites({&all}, unknown));
}

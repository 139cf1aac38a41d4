// SPDX-License-Identifier: BSL-1.0
#include "binary.hpp"

#include "answers.hpp"
#include "files.hpp"
#include "objects.hpp"

#include <coalesce/host/binary.hpp>
#include <coalesce/host/binary/amd/read.hpp>
#include <coalesce/host/binary/nvidia/read.hpp>
#include <coalesce/host/numbers.hpp>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <set>

namespace {

std::uint64_t number_of(std::string const& words) { return expression{words}.value({}); }

/// Reads X, X,Y or X,Y,Z. Numbers that are not told are `other`.
std::vector<std::uint64_t> numbers_of(std::string const& option, std::string const& words, std::uint64_t other) {
  std::vector<std::uint64_t> all;
  for (std::size_t from = 0; from <= words.size();) {
    std::size_t const comma = std::min(words.find(',', from), words.size());
    all.push_back(number_of(words.substr(from, comma - from)));
    if (all.back() >> 31 != 0) throw refusal("'" + words + "' has a number past 2^31 - 1");
    from = comma + 1;
  }
  if (all.size() > 3) throw refusal(option + " '" + words + "' is not X, X,Y or X,Y,Z");
  all.resize(3, other);
  return all;
}
co::block extents_of(std::string const& option, std::string const& words) {
  auto const all = numbers_of(option, words, 1);
  return {static_cast<std::int64_t>(all[0]), static_cast<std::int64_t>(all[1]), static_cast<std::int64_t>(all[2])};
}

[[noreturn]] void refuse_size(std::string const& words, unsigned bytes) {
  throw refusal("'" + words + "' does not fit " + std::to_string(8 * bytes) + " bits");
}
double real_of(std::string const& words) {
  char* end = nullptr;
  errno = 0;
  double const number = std::strtod(words.c_str(), &end);
  if (words.empty() || *end != 0) throw refusal("'" + words + "' is not a number");
  if (errno == ERANGE && std::isinf(number)) refuse_size(words, 8);
  return number;
}
std::uint64_t unsigned_of(std::string const& words, unsigned bytes) {
  std::uint64_t const number = number_of(words);
  if (bytes != 8 && number >> (8 * bytes) != 0) refuse_size(words, bytes);
  return number;
}
/// The bits of a number from `-least` to `most`.
std::uint64_t bits_of(std::string const& words, unsigned bytes, std::uint64_t least, std::uint64_t most) {
  std::string const digits = expression{words}.digits();
  bool const is_negative = digits[0] == '-';
  std::uint64_t size = 0;
  bool const is_read = co::detail::read_digits(digits.substr(is_negative ? 1 : 0), 10, size);
  if (!is_read || size > (is_negative ? least : most)) refuse_size(words, bytes);
  return (is_negative ? 0 - size : size) & ~std::uint64_t{0} >> (64 - 8 * bytes);
}
std::uint64_t signed_of(std::string const& words, unsigned bytes) {
  std::uint64_t const least = std::uint64_t{1} << (8 * bytes - 1);
  return bits_of(words, bytes, least, least - 1);
}
std::uint64_t float_of(std::string const& words, unsigned) {
  double const number = real_of(words);
  auto const rounded = static_cast<float>(number);
  if (std::isinf(rounded) && !std::isinf(number)) refuse_size(words, 4);
  return std::bit_cast<std::uint32_t>(rounded);
}
std::uint64_t double_of(std::string const& words, unsigned) { return std::bit_cast<std::uint64_t>(real_of(words)); }

struct kind_of_number {
  char const* name;
  unsigned bytes;
  std::uint64_t (*bits)(std::string const&, unsigned);
};
constexpr kind_of_number kinds[] = {{"u8", 1, unsigned_of},  {"u16", 2, unsigned_of}, {"u32", 4, unsigned_of},
                                    {"u64", 8, unsigned_of}, {"i32", 4, signed_of},   {"i64", 8, signed_of},
                                    {"f32", 4, float_of},    {"f64", 8, double_of}};

/// Reads what is known of an argument that the binary tells by its name: NAME=NUMBER, NAME=KIND:..., NAME%FACTOR==0 or
/// NAME<=NUMBER.
co::named_argument named_of(std::string const& words, std::size_t at,
                            co::binary_argument (*positional)(std::string const&)) {
  std::string const name = words.substr(0, at), rest = words.substr(at + 1);
  if (words[at] == '=' && rest.find(':') == rest.npos && rest != "pointer")
    return {name, co::binary_argument::number(bits_of(rest, 8, std::uint64_t{1} << 63, ~std::uint64_t{0}), 0)};
  if (words[at] == '=') return {name, positional(rest)};
  bool const is_at_most = words[at] == '<';
  std::size_t const end = is_at_most ? rest.size() : rest.find("==0");
  if ((is_at_most && !rest.starts_with('=')) || end == rest.npos || (!is_at_most && end + 3 != rest.size()))
    throw refusal("--arg '" + words + "' is not NAME=NUMBER, NAME%FACTOR==0 or NAME<=NUMBER");
  std::uint64_t const number = number_of(is_at_most ? rest.substr(1) : rest.substr(0, end));
  if (!is_at_most && number == 0) throw refusal("--arg '" + words + "' divides by 0");
  return {name, is_at_most ? co::binary_argument::at_most(number) : co::binary_argument::multiple_of(number)};
}

co::binary_argument argument_of(std::string const& words) {
  auto const colon = std::min(words.find(':'), words.size());
  std::string const kind = words.substr(0, colon), value = words.substr(std::min(colon + 1, words.size()));
  if (words == "pointer") return co::binary_argument::pointer();
  if (kind == "buffer") {
    auto const equals = value.find('=');
    std::uint64_t const extent = number_of(value.substr(0, equals));
    if (equals == value.npos) return co::binary_argument::buffer(extent);
    try {
      std::string const contents = bytes_of_file(value.substr(equals + 1), std::min(extent, most_bytes));
      return co::binary_argument::buffer(extent, {contents.begin(), contents.end()});
    } catch (refusal const& why) {
      throw refusal("--arg '" + words + "': " + why.what());
    }
  }
  std::string known = "pointer, buffer:BYTES, buffer:BYTES=FILE";
  for (kind_of_number const& each : kinds) {
    if (kind == each.name) return co::binary_argument::number(each.bits(value, each.bytes), each.bytes);
    known += std::string(", ") + each.name + ":NUMBER";
  }
  throw refusal("--arg '" + words + "' is not one of " + known + ", or NAME=NUMBER, NAME%FACTOR==0, NAME<=NUMBER");
}

}  // namespace

co::binary_launch launch_of(told_launch const& told) {
  co::binary_launch launch;
  launch.kernel = told.kernel, launch.jobs = told.jobs;
  launch.grid = extents_of("--grid", told.grid), launch.block = extents_of("--block", told.block);
  launch.dynamic_shared = told.shared.empty() ? 0 : number_of(told.shared);
  for (std::string const& each : told.arguments) {
    std::size_t const at = each.find_first_of("=%<:");
    if (at == each.npos || each[at] == ':')
      launch.arguments.push_back(argument_of(each));
    else
      launch.named.push_back(named_of(each, at, argument_of));
  }
  for (std::string const& each : told.blocks) {
    if (each == "all") {
      launch.every_block = true;
    } else if (each == "any") {
      launch.any_block = true;
    } else if (each.find(',') != each.npos) {
      auto const at = numbers_of("--blocks", each, 0);
      launch.blocks.push_back(
          {static_cast<unsigned>(at[0]), static_cast<unsigned>(at[1]), static_cast<unsigned>(at[2])});
    } else {
      std::uint64_t const count = number_of(each), all = co::detail::count_of(launch.grid);
      if (count == 0 || count > all)
        throw refusal("--blocks " + each + ": the grid has " + std::to_string(all) + " blocks");
      std::uint64_t const steps = count == 1 ? 1 : count - 1, step = (all - 1) / steps, rest = (all - 1) % steps;
      for (std::uint64_t k = 0; k != count;
           ++k)  // spread evenly from the first block to the last: k * (all - 1) / steps
        launch.blocks.push_back(co::detail::place_of(k * step + k * rest / steps, launch.grid));
    }
  }
  if (launch.every_block && !launch.blocks.empty()) throw refusal("--blocks all leaves no other block to name");
  if (launch.any_block && (launch.every_block || !launch.blocks.empty()))
    throw refusal("--blocks any stands for each block, and leaves no other block to name");
  return launch;
}

std::vector<std::string> machines_of_binaries() {
  return {"gfx90a",          "gfx942", "gfx950", "gfx1030", "gfx1030::wave64", "gfx1100", "gfx1100::wave64", "gfx1201",
          "gfx1201::wave64", "sm_75",  "sm_80",  "sm_86",   "sm_87",           "sm_88",   "sm_89",           "sm_90",
          "sm_100",          "sm_103", "sm_107", "sm_110",  "sm_120",          "sm_121"};
}

namespace {

/// The machine as the readers of binaries call it.
std::string target_of(std::string const& machine) {
  auto const asked = co::detail::machine_of(machine);
  std::string names;
  for (std::string const& each : machines_of_binaries()) {
    auto const known = co::detail::machine_of(each);
    if (known.machine == asked.machine && known.is_wave64 == asked.is_wave64) return each;
    names += (names.empty() ? "" : ", ") + each;
  }
  throw refusal("binaries of " + asked.machine->name + " are not read: those of " + names + " are");
}

/// What a text states of a kernel's launches.
struct stated_launch {
  std::string machine;        ///< empty: it does not state it
  co::binary::extents block;  ///< the block that the kernel is compiled for; all 0: not stated
  co::binary::extents most;   ///< the largest block that it allows; all 0: not stated
};
/// A block as the command line tells it: 256, and not 256,1,1.
std::string told_of(co::binary::extents const& block) {
  std::string words = co::binary::words(block, ",");
  while (words.ends_with(",1")) words.resize(words.size() - 2);
  return words;
}
bool is_of_nvidia(std::string const& text) { return !co::sass::kernels_of(text).empty(); }
stated_launch stated_of(std::string const& text, std::string const& kernel) {
  if (is_of_nvidia(text)) {
    auto const code = co::sass::read_program(text, kernel);
    return {code.capability == 0 ? "" : "sm_" + std::to_string(code.capability), code.allows.block, code.allows.most};
  }
  auto const code = co::amdgcn::read_program(text, kernel);
  bool const has_two_sizes = !code.target.empty() && co::amdgcn::target_of(code.target).major >= 10;
  auto const& sizes = code.start.sizes;
  constexpr unsigned unlimited = 1024;  // what the compiler writes, too, where the source has no launch bounds
  return {code.target + (has_two_sizes && !code.start.wave32 ? "::wave64" : ""), sizes.block,
          sizes.most_threads == 0 || sizes.most_threads == unlimited ? co::binary::extents{}
                                                                     : co::binary::extents{sizes.most_threads, 1, 1}};
}

}  // namespace

void asked_kernel::complete() {
  if (!machine.empty() && !told.block.empty()) return;
  stated_launch const stated = stated_of(*text, told.kernel);
  if (machine.empty()) machine = stated.machine;
  if (machine.empty()) throw co::binary_refused("the text does not state its target: --machine does");
  if (!told.block.empty()) return;
  constexpr co::binary::extents unstated{};
  if (stated.block != unstated) {
    told.block = told_of(stated.block);
  } else if (!block_beside.empty()) {
    told.block = block_beside;
  } else if (stated.most != unstated) {
    told.block = told_of(stated.most);
    assumed = "blocks of " + told.block + " threads, the most that the kernel's launch bounds allow";
  } else {
    throw co::binary_refused("the file does not state how many threads a block has: --block does");
  }
}

std::vector<asked_kernel> kernels_of(std::string const& machine, std::string const& file, told_launch const& told,
                                     bool of_one_target) {
  std::string const called = file == "-" ? "standard input" : file, target = machine.empty() ? "" : target_of(machine);
  auto const is_asked = [&target](std::string const& of_code) {
    return target.empty() || co::detail::find_machine(of_code).machine == co::detail::find_machine(target).machine;
  };
  std::vector<asked_kernel> kernels;
  std::set<std::string> targets;
  std::vector<std::string> names;
  std::string last_text;
  for (code_of_file& code : codes_of_file(file, is_asked)) {
    asked_kernel one{target, std::make_shared<std::string const>(std::move(code.text)), told, code.block,
                     code.is_printed};
    if (told.shared.empty()) one.told.shared = code.shared;
    std::string const& text = last_text = *one.text;
    bool const is_nvidias = target.empty() ? is_of_nvidia(text) : target.starts_with("sm_");
    for (std::string const& name : is_nvidias ? co::sass::kernels_of(text) : co::amdgcn::kernels_of(text)) {
      if (target.empty() && (kernels.empty() || kernels.back().text != one.text)) try {
          std::string const found = stated_of(text, name).machine;
          targets.insert(found.substr(0, found.find(':')));
        } catch (co::binary_refused const&) {  // the kernel's answer says so
        }
      one.told.kernel = name;
      kernels.push_back(one);
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  }
  if (kernels.empty()) {
    if (target.empty() || !of_one_target)
      throw refusal(called +
                    " has no kernel: it must be a GPU's binary, or the text of nvdisasm, cuobjdump or llvm-objdump" +
                    co::sass::likeness(last_text));
    return {{target, std::make_shared<std::string const>(last_text), told, ""}};  // its reader says what it lacks
  }
  if (of_one_target && targets.size() > 1)
    throw refusal(called + " has code of " + co::binary::first_of({targets.begin(), targets.end()}) +
                  ": --machine chooses");
  if (!told.kernel.empty()) {
    std::string const asked = co::binary::kernel_asked(told.kernel, names);
    std::erase_if(kernels, [&asked](asked_kernel const& each) { return each.told.kernel != asked; });
  }
  return kernels;
}

std::string list_of(std::vector<asked_kernel> kernels) {
  std::string lines;
  for (asked_kernel& each : kernels) {
    std::string words;
    try {
      each.complete();
      words = each.machine + (each.assumed.empty() ? ", blocks of " : ", blocks of at most ") + each.told.block;
    } catch (co::binary_refused const& why) {
      words = (each.machine.empty() ? "" : each.machine + ", ") + why.what();
    }
    std::string const name = co::binary::unmangled(each.told.kernel);
    lines += each.told.kernel + (name == each.told.kernel ? "" : " (" + name + ")") + ": " + words + "\n";
  }
  return lines;
}

co::binary_answer answer_about(std::string const& machine, std::string const& text, co::binary_launch const& launch) {
  std::string const target = target_of(machine);
  return target.starts_with("sm_") ? co::sass::record(target, text, launch) : co::amdgcn::record(target, text, launch);
}

std::string table_of(co::binary_answer const& answer) {
  auto const blocks = answer.sites.blocks;
  std::string table = answer.kernel + " on " + answer.machine + ", " +
                      (answer.any_block ? "any one" : std::to_string(blocks)) +
                      (blocks == 1 ? " block\n" : " blocks\n") + answer.sites.text();
  std::uint64_t bounds = 0, of_rounds = 0;
  for (co::site const& each : answer.sites) bounds += each.at_most, of_rounds += each.per_iteration != 0;
  if (bounds != 0)
    table += "at most: the numbers of " + std::to_string(bounds) + " of " + std::to_string(answer.sites.size()) +
             " sites are upper bounds" +
             (of_rounds == 0 ? ""
                             : "; those of " + std::to_string(of_rounds) +
                                   " are of one round of a loop, and sums leave them out") +
             "\n";
  for (std::string const& each : answer.arguments) table += "argument " + each + "\n";
  for (std::string const& each : answer.assumed) table += "assumed: " + each + "\n";
  for (co::binary_unknown const& each : answer.unknown) {
    table += "unknown: " + each.at.opcode;
    if (each.at.line != 0) table += " at " + each.at.file + ":" + std::to_string(each.at.line);
    if (each.at.offset != co::not_counted) table += " at byte " + std::to_string(each.at.offset);
    table += ", issued " + std::to_string(each.issued) + ": " + each.why + "\n";
  }
  if (!answer.unchecked.empty()) table += "not checked: " + answer.unchecked + "\n";
  if (answer.passed_over != 0)
    table +=
        "passed over: " + std::to_string(answer.passed_over) +
        " instructions of the text, whose opcodes are not in the tables: nothing that was followed depends on them\n";
  return table;
}

std::string facts_that_help(std::string const& machine, std::string const& text, told_launch const& told,
                            co::binary_answer const& answer) {
  auto const sum_of = [](co::binary_answer const& of) {
    std::uint64_t sum = 0;
    for (co::site const& each : of.sites)
      for (std::uint64_t const number : {each.cost.transactions, each.cost.rounds})
        if (number != co::not_counted) sum += number;
    return sum;
  };
  std::uint64_t const without = sum_of(answer);
  std::vector<std::pair<std::uint64_t, std::string>> found;
  for (std::string const& each : answer.arguments) {
    if (!each.ends_with(" bytes, unknown")) continue;
    told_launch known = told;
    known.arguments.push_back(each.substr(0, each.find(':')) + "%32==0");
    std::uint64_t const with = sum_of(answer_about(machine, text, launch_of(known)));
    if (with < without) found.emplace_back(with, known.arguments.back());
  }
  std::sort(found.begin(), found.end());
  std::string lines;
  for (auto const& [with, fact] : found)
    lines += "fact: --arg '" + fact + "' makes transactions and rounds together at most " + std::to_string(with) +
             ", and not " + std::to_string(without) + "\n";
  return lines.empty() ? "fact: no unknown number that is a multiple of 32 makes a bound smaller\n" : lines;
}

// SPDX-License-Identifier: BSL-1.0
//
// Every instruction declares its own name. It is compared with the spelling in the lists of tests/truth/instructions,
// and with the name that g++ and clang give the type. The names of the numbers of a cost are compared with those of
// its members.
#include <coalesce/coalesce.hpp>
#include <coalesce/compare.hpp>
#include <coalesce/cuda/tma.hpp>
#include <coalesce/explain.hpp>

#include "machinery/check.hpp"
#include "truth/instructions/cdna.hpp"
#include "truth/instructions/cuda.hpp"
#include "truth/instructions/gcn.hpp"
#include "truth/instructions/rdna.hpp"

#include <set>
#include <string>
#include <type_traits>

namespace co = coalescing;

namespace {

/// A name without its spaces.
std::string tight(std::string name) {
  std::erase(name, ' ');
  return name;
}
/// A list spells defaults out that a name leaves out; g++ does where the program does.
bool is_spelt(std::string const& name, std::string const& listed) {
  if (tight(name).ends_with(listed)) return true;
  for (std::string const left_out : {",m8n8>", ",16>", ",1>", ",4>", ",8>"})
    if (std::size_t const at = listed.find(left_out); at != listed.npos)
      if (tight(name).ends_with(listed.substr(0, at) + ">" + listed.substr(at + left_out.size()))) return true;
  return false;
}
/// A type's name as a program spells it. RDNA's rules::instructions<gfx1100, 64>::ds_load<32> is
/// gfx1100::wave64::ds_load<32>.
std::string as_typed(std::string const& type) {
  std::string const begin = "rules::instructions<";
  std::size_t const at = type.find(begin), chip = at + begin.size(), lanes = type.find(',', at), end = lanes + 6;
  if (at == type.npos) return type;
  std::string const wave = type.substr(lanes, 6) == ",64>::" ? "wave64::" : "";
  return type.substr(0, at) + type.substr(chip, lanes - chip) + "::" + wave + type.substr(end);
}

// ---- What the compiler says ----

template <class T>
constexpr char const* function_of_type() {
  return __PRETTY_FUNCTION__;
}
template <auto Member>
constexpr char const* function_of_member() {
  return __PRETTY_FUNCTION__;
}
void drop_at_the_end(std::string& words, std::string const& end) {
  if (words.ends_with(end)) words.resize(words.size() - end.size());
}
/// From "... [T = coalescing::cuda::device<90>::load<32, coalescing::cuda::caching::l1>]" (or "with T =") to
/// cuda::cc90::load<32, l1>: in brackets the last name counts, and what is by default is left out.
std::string readable(std::string const& function) {
  std::string name;
  std::size_t argument = 0;  // where one begins
  unsigned depth = 0;
  bool whole = false;  // what is in these brackets is the machine, and they are not written
  for (std::size_t at = function.find('=') + 2; function[at] != ']'; ++at) {
    char const next = function[at];
    if (next == ' ') {
      continue;
    } else if (next == '<') {
      bool const number = name.ends_with("device");
      whole = depth++ == 0 && (number || name.ends_with("machine"));
      drop_at_the_end(name, whole ? number ? "device" : "machine" : "");
      name += !whole ? "<" : number ? "cc" : "";
      argument = name.size();
    } else if (next == '>') {
      drop_at_the_end(name, ", by_default");
      drop_at_the_end(name, ", m8n8");
      if (--depth != 0 || !whole) name += ">";
      whole = false;
    } else if (next == ',') {
      name += ", ";
      argument = name.size();
    } else if (next == ':' && depth != 0) {
      name.resize(argument);
    } else {
      name += next;
    }
    if (depth == 0 && name == "coalescing::") name.clear();
  }
  return name;
}
/// After the last "::" of "[Member = &coalescing::bank_cost<...>::rounds]".
std::string last_name(std::string const& function) {
  std::string const from = function.substr(function.rfind(':') + 1);
  return from.substr(0, from.find_first_of("])"));
}

/// The first number of a cost that it calls otherwise than the compiler does; nothing, if there is none.
template <auto... Members>
std::string misnamed(co::detail::members<Members...>) {
  std::string found;
  auto const check = [&](std::string const& declared, std::string const& member) {
    if (found.empty() && declared != member) found = member + " is called " + declared;
  };
  (check(std::string(co::detail::name_of_number<Members>()), last_name(function_of_member<Members>())), ...);
  return found;
}

std::set<std::string> seen;
void check(std::string const& machine, std::string const& listed, std::string const& name, std::string const& type,
           std::string const& misnamed) {
  INFO(name);
  INFO(listed);
  CHECK(is_spelt(name, listed));
  CHECK(name.find(machine) != name.npos);
  CHECK(is_spelt(name, as_typed(tight(type))));
  CHECK(seen.insert(name).second);
  CHECK(misnamed == "");
}
struct checker {
  static constexpr bool asks(std::string_view machine) { return coalescing_tests::is_asked(machine); }
  template <class Instruction>
  void operator()(std::string const& machine, std::string const& listed) const {
    using numbers = typename Instruction::cost_type::numbers;
    using sources = typename std::remove_cvref_t<decltype(Instruction::sources)>::numbers;
    check(machine, listed, co::name_of<Instruction>().c_str(), readable(function_of_type<Instruction>()),
          misnamed(numbers{}) + misnamed(sources{}));
  }
};

/// One of a user's own, which declares no name.
struct users_own : co::cuda::row<90>::global::load<co::cuda::row<90>, 32, co::cuda::caching::by_default> {};
struct named_own : users_own {
  static constexpr co::instruction_name called{.name = "my_load"};
};
/// A cost of a user's own, whose two names are in the wrong order.
struct exchanged {
  std::uint64_t first = 0, second = 0;
  using numbers = co::detail::members<&exchanged::first, &exchanged::second>;
  static constexpr char const* names[2] = {"second", "first"};
};

}  // namespace

TEST_CASE("every instruction of NVIDIA declares what it is called") {
  coalescing_tests::each_instruction_of_cuda(checker{});
  CHECK(seen.contains("cuda::cc35::load<32, l1>"));
  CHECK(seen.contains("cuda::cc90::cp_async<16, 12>::global"));
}
TEST_CASE("every instruction of AMD declares what it is called") {
  coalescing_tests::each_instruction_of_gcn(checker{});
  coalescing_tests::each_instruction_of_cdna(checker{});
  coalescing_tests::each_instruction_of_rdna(checker{});
  CHECK(seen.contains("gcn::buffer_load<32>"));
  CHECK(seen.contains("cdna::gfx942::ds_read2<64, 0, 1>"));
  CHECK(seen.contains("rdna::gfx1100::wave64::ds_load<32>"));
}
TEST_CASE("an instruction that declares no name has no machine and no counter, and says so") {
  std::string const name(co::name_of<users_own>());
  CHECK(name == "an instruction that declares no name");
  CHECK(co::counters_of<users_own>().size() == 0);
  CHECK(std::string(co::explain<users_own>(co::linear{.stride = 4})).starts_with(name + ": 32 lanes of 4 bytes"));
  CHECK(std::string(co::compare(co::linear{.stride = 4}, co::on<users_own>()).text()).find(name) != std::string::npos);
}
TEST_CASE("an instruction of a user's own has the name that it declares") {
  CHECK(co::name_of<named_own>() == "my_load");
  CHECK(std::string(co::explain<named_own>(co::linear{.stride = 4})).starts_with("my_load: 32 lanes of 4 bytes"));
}
TEST_CASE("costs that no instruction of the lists has name their numbers, too") {
  CHECK(misnamed(co::cuda::bulk_cost<>::numbers{}) == "");
  CHECK(misnamed(co::compared_cost::numbers{}) == "");
}
TEST_CASE("a cost whose names are exchanged is noticed") {
  CHECK(misnamed(exchanged::numbers{}) == "first is called second");
}
TEST_CASE("names are read from what each compiler says") {
  // clang leaves out what is by default, GCC does not.
  CHECK(readable("const char *function_of_type() [T = coalescing::cuda::device<90>::load<128>]") ==
        "cuda::cc90::load<128>");
  CHECK(readable("constexpr const char* function_of_type() [with T = coalescing::cuda::device<90>::load<128, "
                 "coalescing::cuda::caching::by_default>]") == "cuda::cc90::load<128>");
  CHECK(readable("[T = coalescing::cuda::device<80>::ldmatrix<4, coalescing::cuda::matrix::m8n8_trans>]") ==
        "cuda::cc80::ldmatrix<4, m8n8_trans>");
  CHECK(readable("[T = coalescing::cuda::device<90>::cp_async<16>::global]") == "cuda::cc90::cp_async<16>::global");
  CHECK(last_name("[with auto Member = &coalescing::bank_cost<coalescing::counts>::rounds]") == "rounds");
}

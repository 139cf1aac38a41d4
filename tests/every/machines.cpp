// SPDX-License-Identifier: BSL-1.0
//
// The lists of machines: how each machine is named, and that the tests' table of eras has them all.
// tests/machinery/machines.cmake holds the lists to the rows and to the names that users type.
#include "every/machines.hpp"

#include <coalesce/coalesce.hpp>

#include <set>
#include <sstream>
#include <string>

#include "machinery/check.hpp"

namespace co = coalescing;
using coalescing_tests::era, coalescing_tests::eras, coalescing_tests::groups_of_eras;
using coalescing_tests::lists, coalescing_tests::lists_machine;

namespace {

std::set<std::string> seen;

/// The fault of a machine's name, or of its place in an era; empty if there is no fault.
std::string fault(std::string const& name, std::string const& expected) {
  if (name != expected) return expected + " has the name of " + name;
  for (era const& of : eras)
    if (lists(of.machines, name)) return "";
  return name + " is in no era (tests/every/machines.hpp, table eras)";
}
void check(std::string const& name, std::string const& expected) {
  CHECK(fault(name, expected) == "");
  CHECK(seen.insert(name).second);
}

// Their names a second time: by the number, and by what the compiler calls the enumerator or the type.
template <unsigned Capability>
void check(co::cuda::device<Capability>*) {
  check(co::cuda::device<Capability>::name, "cc" + std::to_string(Capability));
}
void check_words(era const& of, std::set<std::string> const& known) {
  std::istringstream words{of.machines};
  for (std::string word; words >> word;) {
    INFO(of.name, ": ", word);
    CHECK(known.contains(word));
  }
}
#if defined(__GNUC__)
/// The last name of a template argument: "gfx942" of "... [Chip = coalescing::cdna::chip::gfx942]".
std::string last_name(std::string const& function) {
  std::string const from = function.substr(function.rfind(':') + 1);
  return from.substr(0, from.find_first_of("];"));
}
template <co::cdna::chip Chip>
void check(co::cdna::machine<Chip>*) {
  check(co::cdna::machine<Chip>::name, last_name(__PRETTY_FUNCTION__));
}
template <co::rdna::chip Chip>
void check(co::rdna::machine<Chip>*) {
  check(co::rdna::machine<Chip>::name, last_name(__PRETTY_FUNCTION__));
}
template <class Row>
void check(co::cdna::product<Row>*) {
  std::string const row = last_name(__PRETTY_FUNCTION__);
  check(co::cdna::product<Row>::name, row.substr(0, row.find("_row")));
}
#endif

}  // namespace

TEST_CASE("every machine has a name of its own, and is in an era") {
  seen.clear();
  auto const one = []<class Machine>() { check(static_cast<Machine*>(nullptr)); };
  co::cuda::every_machine::each(one);
  CHECK(fault(co::gcn::machine::name, "gcn") == "gcn is in no era (tests/every/machines.hpp, table eras)");  // alone
#if defined(__GNUC__)
  co::cdna::every_machine::each(one);
  co::rdna::every_machine::each(one);
  co::cdna::every_product::each(one);
  // Every other word of the tables is an era or a group.
  auto words = seen;
  for (era const& of : eras) words.insert(of.name);
  for (era const& of : groups_of_eras) words.insert(of.name);
  for (era const& of : eras) check_words(of, seen);
  for (era const& of : groups_of_eras) check_words(of, words);
  check_words(coalescing_tests::one_of_each_rule, seen);
#endif
}
TEST_CASE("control: a machine without an era, and one with its neighbour's name, are noticed") {
  CHECK(fault("cc90", "cc90") == "");
  CHECK(fault("cc999", "cc999") == "cc999 is in no era (tests/every/machines.hpp, table eras)");
  CHECK(fault("cc120", "cc121") == "cc121 has the name of cc120");
}
TEST_CASE("an era has its machines, and those of the eras that it is made of") {
  CHECK((lists_machine("tesla", "cc10") && !lists_machine("tesla", "cc100") && !lists_machine("tesla", "cc20")));
  CHECK((lists_machine("nvidia", "cc10") && lists_machine("nvidia", "cc121")));
  CHECK((lists_machine("from_volta cc61", "cc61") && !lists_machine("from_volta", "cc61")));
  CHECK((lists_machine("*", "cc125") && !lists_machine("nvidia rdna", "gfx942")));
  CHECK((!lists_machine("cc10", "cc1") && !lists_machine("", "cc10")));
}
TEST_CASE("a list of machines calls for each, in order, and counts them") {
  using two = co::machine_list<co::cuda::cc90, co::cdna::gfx942>;
  COALESCE_CHECK(two::count == 2);
  std::string names;
  two::each([&]<class Machine>() { names.append(Machine::name).append(" "); });
  CHECK(names == "cc90 gfx942 ");
  COALESCE_CHECK(co::machine_list<>::count == 0);
}

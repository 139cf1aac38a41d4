// SPDX-License-Identifier: BSL-1.0
//
// Every instruction declares its own name. It is compared with the spelling in the lists of tests/truth/instructions,
// and with the name that g++ and clang give the type.
#include <coalesce/coalesce.hpp>
#include <coalesce/explain.hpp>

#include "truth/instructions/cdna.hpp"
#include "truth/instructions/cuda.hpp"
#include "truth/instructions/gcn.hpp"
#include "truth/instructions/rdna.hpp"
#include "unit/check.hpp"

#include <set>
#include <string>

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

std::set<std::string> seen;
void check(std::string const& machine, std::string const& listed, std::string const& name, std::string const& type) {
  INFO(name);
  INFO(listed);
  CHECK(is_spelt(name, listed));
  CHECK(name.find(machine) != name.npos);
  CHECK(is_spelt(name, tight(type)));
  CHECK(seen.insert(name).second);
}
struct checker {
  template <class Instruction>
  void operator()(std::string const& machine, std::string const& listed) const {
    check(machine, listed, co::name_of<Instruction>().c_str(),
          co::detail::readable(co::detail::function_of_type<Instruction>()).c_str());
  }
};

/// One of a user's own, which declares no name.
struct users_own : co::cuda::row<90>::global::load<co::cuda::row<90>, 32, co::cuda::caching::by_default> {};

}  // namespace

TEST_CASE("every instruction of NVIDIA declares what it is called") {
  co::cuda::every_machine::each([]<class Device>() { coalescing_tests::each_instruction<Device>(checker{}); });
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
TEST_CASE("an instruction that declares no name has the compiler's, no machine and no counter") {
  CHECK(std::string(co::name_of<users_own>()).find("users_own") != std::string::npos);
  CHECK(co::counters_of<users_own>().size() == 0);
  CHECK(std::string(co::explain<users_own>(co::linear{.stride = 4})).find("users_own") != std::string::npos);
}

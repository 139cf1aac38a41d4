// SPDX-License-Identifier: BSL-1.0
#include "truth/instructions/cdna.hpp"
#include "host/named/typed.hpp"

TEST_CASE("named: cdna, every instruction by its name and by its type") {
  std::set<std::string> met;
  coalescing_tests::each_instruction_of_cdna(coalescing_tests::named_against_typed{met, coalescing_tests::share(20)});
  coalescing_tests::check_listing<coalescing::cdna::every_machine>("cdna", met);
}

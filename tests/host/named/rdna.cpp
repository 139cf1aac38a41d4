// SPDX-License-Identifier: BSL-1.0
#include "truth/instructions/rdna.hpp"
#include "host/named/typed.hpp"

TEST_CASE("named: rdna, every instruction by its name and by its type") {
  std::set<std::string> met;
  coalescing_tests::each_instruction_of_rdna(coalescing_tests::named_against_typed{met, coalescing_tests::share(20)});
  coalescing_tests::check_listing<coalescing::rdna::every_machine>("rdna", met);
}

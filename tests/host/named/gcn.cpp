// SPDX-License-Identifier: BSL-1.0
#include "truth/instructions/gcn.hpp"
#include "host/named/typed.hpp"

TEST_CASE("named: gcn, every instruction by its name and by its type") {
  std::set<std::string> met;
  coalescing_tests::each_instruction_of_gcn(coalescing_tests::named_against_typed{met, coalescing_tests::share(20)});
  coalescing_tests::check_listing<coalescing::gcn::every_machine>("gcn", met);
}

TEST_CASE("control: an instruction that answers as another one does fails" * doctest::should_fail()) {
  using coalescing::gcn::ds_read;
  std::set<std::string> met;
  coalescing_tests::check_named({"gcn::ds_read<32>", 64, 4, 4, 4, ds_read<32>::capacity, coalescing::level::lds, false,
                                 coalescing_tests::ask_by_type<ds_read<64>>},
                                met, 20);
}

// SPDX-License-Identifier: BSL-1.0
#include "truth/instructions/cuda.hpp"
#include "host/named/typed.hpp"

namespace {

/// The stores with banks of four bytes, which the other tests' list leaves out.
template <class Device, class See>
void stores_in_four_byte_banks(See const& see) {
  constexpr auto mode = coalescing::cuda::shared_mode::four_byte_banks;
  see.template operator()<typename Device::template shared_store<8, mode>>("", "");
  see.template operator()<typename Device::template shared_store<16, mode>>("", "");
  see.template operator()<typename Device::template shared_store<32, mode>>("", "");
  see.template operator()<typename Device::template shared_store<64, mode>>("", "");
  see.template operator()<typename Device::template shared_store<128, mode>>("", "");
}

}  // namespace

TEST_CASE("named: cuda, every instruction by its name and by its type") {
  std::set<std::string> met;
  coalescing_tests::named_against_typed const compare{met, coalescing_tests::share(20)};
  coalescing_tests::each_instruction_of_cuda(compare);
  stores_in_four_byte_banks<coalescing::cuda::cc30>(compare);
  stores_in_four_byte_banks<coalescing::cuda::cc32>(compare);
  stores_in_four_byte_banks<coalescing::cuda::cc35>(compare);
  stores_in_four_byte_banks<coalescing::cuda::cc37>(compare);
  coalescing_tests::check_listing<coalescing::cuda::every_machine>("cuda", met);
}

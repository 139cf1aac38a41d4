// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cuda.hpp>
#include <coalesce/host/named/listing.hpp>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

// Lists the instructions of one compute capability. host/named/cuda_to_turing.hpp and host/named/cuda_from_ampere.hpp
// use these functions to list the instructions of all capabilities.

namespace coalescing::detail {

/// Lists the instructions of a compute capability. Asynchronous copies are listed only if they read as much as they
/// write.
template <class Device>
struct list_of_cuda {
  named_listing const& to;

  template <unsigned Bits>
  void width() const {
    using cuda::caching, cuda::shared_mode;
    to.add<touch::load, typename Device::template load<Bits>>();
    to.add<touch::store, typename Device::template store<Bits>>();
    to.add<touch::load, typename Device::template load<Bits, caching::l1>>();
    to.add<touch::load, typename Device::template load<Bits, caching::l2>>();
    to.add<touch::load, typename Device::template constant_load<Bits>>();
    shared<Bits, shared_mode::by_default>(), shared<Bits, shared_mode::four_byte_banks>();
    shared<Bits, shared_mode::eight_byte_banks>();
    if constexpr (Bits > 32)  // with up to 32 bits per lane, a warp has no parts to merge
      shared<Bits, shared_mode::pair_merge>(), shared<Bits, shared_mode::no_merge>();
    to.add<touch::atomic, typename Device::template atomic<Bits>>();
    to.add<touch::atomic, typename Device::template red<Bits>>();
    to.add<touch::atomic, typename Device::template shared_atomic<Bits>>();
  }
  template <unsigned Bits, cuda::shared_mode Mode>
  void shared() const {
    to.add<touch::load, typename Device::template shared_load<Bits, Mode>>();
    to.add<touch::store, typename Device::template shared_store<Bits, Mode>>();
  }
  template <unsigned Matrices, cuda::matrix Form>
  void matrices() const {
    to.add<touch::load, typename Device::template ldmatrix<Matrices, Form>>();
    to.add<touch::store, typename Device::template stmatrix<Matrices, Form>>();
  }
  template <unsigned Bytes>
  void copy() const {
    to.add<touch::load, typename Device::template cp_async<Bytes>::global>();
    to.add<touch::store, typename Device::template cp_async<Bytes>::shared>();
  }
  void all() const {
    width<8>(), width<16>(), width<32>(), width<64>(), width<128>(), width<256>();
    [&]<std::size_t... Form>(std::index_sequence<Form...>) {
      ((matrices<1, cuda::matrix_forms[Form].form>(), matrices<2, cuda::matrix_forms[Form].form>(),
        matrices<4, cuda::matrix_forms[Form].form>()),
       ...);
    }
    (std::make_index_sequence<sizeof cuda::matrix_forms / sizeof cuda::matrix_forms[0]>{});
    copy<4>(), copy<8>(), copy<16>();
  }
};

/// Appends the machines before Ampere, or those from Ampere on. The two halves take equally long to compile.
template <bool IsBeforeAmpere>
void list_half_of_cuda(std::vector<named_machine>& machines) {
  cuda::every_machine::each([&machines]<class Device>() {
    if constexpr ((Device::identity.capability < 80) == IsBeforeAmpere) {
      named_machine& made = machines.emplace_back(named_machine{std::string("cuda::") + Device::name, {}});
      detail::add_names(made, "cuda", "sm_" + std::to_string(Device::identity.capability));
      for (auto const& each : cuda::product_names)
        if (each.machine == Device::identity.capability) detail::add_names(made, "cuda", each.names);
      list_of_cuda<Device>{named_listing{made}}.all();
    }
  });
}

}  // namespace coalescing::detail

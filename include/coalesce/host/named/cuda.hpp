// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cuda.hpp>
#include <coalesce/host/named/listing.hpp>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

// The instructions of a compute capability. host/named/cuda_to_turing.hpp and host/named/cuda_from_ampere.hpp list them
// all.

namespace coalescing::detail {

/// The machine's row tells which instructions there are, as it does in cuda.hpp. The list has the copies that read as
/// much as they write.
template <class Device>
struct list_of_cuda {
  using row = typename Device::row;
  named_listing const& to;

  template <unsigned Bits>
  void width() const {
    using cuda::caching, cuda::shared_mode;
    if constexpr (cuda::access_width<Bits, row::widest_bits.value>) {
      to.add<touch::load, typename Device::template load<Bits>>();
      to.add<touch::store, typename Device::template store<Bits>>();
      if constexpr (cuda::rules::has_choice<row, caching::l1>)
        to.add<touch::load, typename Device::template load<Bits, caching::l1>>();
      if constexpr (cuda::rules::has_choice<row, caching::l2>)
        to.add<touch::load, typename Device::template load<Bits, caching::l2>>();
    }
    if constexpr (cuda::access_width<Bits, row::widest_shared_bits.value>) {
      to.add<touch::load, typename Device::template constant_load<Bits>>();
      shared<Bits, shared_mode::by_default>(), shared<Bits, shared_mode::four_byte_banks>();
      shared<Bits, shared_mode::eight_byte_banks>();
      if constexpr (Bits > 32)  // no narrower words merge
        shared<Bits, shared_mode::pair_merge>(), shared<Bits, shared_mode::no_merge>();
    }
    if constexpr (cuda::rules::has_atomics<row>) {
      if constexpr (cuda::rules::atomic_width<row, Bits>)
        to.add<touch::atomic, typename Device::template atomic<Bits>>();
      if constexpr (cuda::rules::reduction_width<row, Bits>)
        to.add<touch::atomic, typename Device::template red<Bits>>();
      if constexpr (Bits == 32 || Bits == 64) to.add<touch::atomic, typename Device::template shared_atomic<Bits>>();
    }
  }
  template <unsigned Bits, cuda::shared_mode Mode>
  void shared() const {
    if constexpr (cuda::rules::has_mode<row, Mode>) {
      to.add<touch::load, typename Device::template shared_load<Bits, Mode>>();
      if constexpr (!cuda::rules::chooses_merging<Mode>)
        to.add<touch::store, typename Device::template shared_store<Bits, Mode>>();
    }
  }
  template <unsigned Matrices, cuda::matrix Form>
  void matrices() const {
    constexpr cuda::matrix_form const form = cuda::rules::matrix_form_of<Form>;
    if constexpr (cuda::rules::has_elements<row, Form> && cuda::rules::number_of_matrices<row, Matrices, Form>) {
      if constexpr (cuda::rules::has_matrix_loads<row> && form.loaded)
        to.add<touch::load, typename Device::template ldmatrix<Matrices, Form>>();
      if constexpr (cuda::rules::has_matrix_stores<row> && form.stored)
        to.add<touch::store, typename Device::template stmatrix<Matrices, Form>>();
    }
  }
  template <unsigned Bytes>
  void copy() const {
    if constexpr (cuda::rules::has_copies_to_shared<row>) {
      to.add<touch::load, typename Device::template cp_async<Bytes>::global>();
      to.add<touch::store, typename Device::template cp_async<Bytes>::shared>();
    }
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

/// The machines before Ampere, or those from Ampere on. The two halves take a compiler equally long.
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

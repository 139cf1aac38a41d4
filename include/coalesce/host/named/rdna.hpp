// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/named/listing.hpp>
#include <coalesce/host/named/machines.hpp>
#include <coalesce/rdna.hpp>

#include <string>
#include <vector>

// The instructions of RDNA's chips, in waves of 32 and of 64 lanes. Include this header, or host/named/every.hpp, in
// one source file.

namespace coalescing::detail {

/// The chip's rows tell which instructions there are, as they do in rdna.hpp.
template <rdna::chip Chip, class Wave>
struct list_of_rdna {
  using row = rdna::row<Chip>;
  named_listing const& to;

  template <unsigned Bits>
  void width() const {
    if constexpr (rdna::rules::memory_width<Bits> && rdna::rules::has_lines<row>) {
      to.add<touch::load, typename Wave::template global_load<Bits>>();
      to.add<touch::store, typename Wave::template global_store<Bits>>();
      to.add<touch::load, typename Wave::template buffer_load<Bits>>();
      to.add<touch::store, typename Wave::template buffer_store<Bits>>();
      if constexpr (rdna::rules::atomic_width<Bits>)
        to.add<touch::atomic, typename Wave::template global_atomic<Bits>>();
    }
    if constexpr (rdna::rules::ds_load_row_exists<Chip, Bits>)
      to.add<touch::load, typename Wave::template ds_load<Bits>>();
    if constexpr (rdna::rules::ds_store_row_exists<Chip, Bits>)
      to.add<touch::store, typename Wave::template ds_store<Bits>>();
    if constexpr ((Bits == 32 || Bits == 64) && rdna::has_loads<row>) {
      to.add<touch::load, typename Wave::template ds_load_2addr<Bits, 0, 1>>();
      to.add<touch::load, typename Wave::template ds_load_2addr_stride64<Bits, 0, 1>>();
      to.add<touch::store, typename Wave::template ds_store_2addr<Bits, 0, 1>>();
      to.add<touch::store, typename Wave::template ds_store_2addr_stride64<Bits, 0, 1>>();
    }
  }
  template <unsigned Dwords>
  void scalar() const {
    if constexpr (rdna::rules::scalar_width<row, Dwords> && rdna::rules::has_lines<row>)
      to.add<touch::load, typename Wave::template s_load<Dwords>>();
  }
  void all() const {
    width<8>(), width<16>(), width<32>(), width<64>(), width<96>(), width<128>();
    scalar<1>(), scalar<2>(), scalar<3>(), scalar<4>(), scalar<8>(), scalar<16>();
  }
};

template <rdna::chip Chip>
void list_chip(std::vector<named_machine>& machines, rdna::machine<Chip> const*) {
  using machine = rdna::machine<Chip>;
  named_machine& made = machines.emplace_back(named_machine{std::string("rdna::") + machine::name, {}});
  for (auto const& each : rdna::product_names)
    if (each.machine == Chip) detail::add_names(made, "rdna", each.names);
  if constexpr (!rdna::is_only_named<Chip>) {
    named_listing const to{made};
    list_of_rdna<Chip, machine>{to}.all();
    if constexpr (rdna::row<Chip>::wave64.value) list_of_rdna<Chip, typename machine::wave64>{to}.all();
  }
}

void list_machines_of_rdna(std::vector<named_machine>& machines) {
  rdna::every_machine::each(
      [&machines]<class Machine>() { detail::list_chip(machines, static_cast<Machine const*>(nullptr)); });
}

}  // namespace coalescing::detail

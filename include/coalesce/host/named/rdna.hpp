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

template <class Wave>
struct list_of_rdna {
  named_listing const& to;

  template <unsigned Bits>
  void width() const {
    to.add<touch::load, typename Wave::template global_load<Bits>>();
    to.add<touch::store, typename Wave::template global_store<Bits>>();
    to.add<touch::load, typename Wave::template buffer_load<Bits>>();
    to.add<touch::store, typename Wave::template buffer_store<Bits>>();
    to.add<touch::atomic, typename Wave::template global_atomic<Bits>>();
    to.add<touch::load, typename Wave::template ds_load<Bits>>();
    to.add<touch::store, typename Wave::template ds_store<Bits>>();
    to.add<touch::load, typename Wave::template ds_load_2addr<Bits, 0, 1>>();
    to.add<touch::load, typename Wave::template ds_load_2addr_stride64<Bits, 0, 1>>();
    to.add<touch::store, typename Wave::template ds_store_2addr<Bits, 0, 1>>();
    to.add<touch::store, typename Wave::template ds_store_2addr_stride64<Bits, 0, 1>>();
  }
  template <unsigned Dwords>
  void scalar() const {
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
  named_listing const to{made};
  list_of_rdna<machine>{to}.all(), list_of_rdna<typename machine::wave64>{to}.all();
}

void list_machines_of_rdna(std::vector<named_machine>& machines) {
  rdna::every_machine::each(
      [&machines]<class Machine>() { detail::list_chip(machines, static_cast<Machine const*>(nullptr)); });
}

}  // namespace coalescing::detail

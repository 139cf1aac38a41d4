// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cdna.hpp>
#include <coalesce/host/named/listing.hpp>
#include <coalesce/host/named/machines.hpp>

#include <string>
#include <vector>

// The instructions of CDNA's chips. Include this header, or host/named/every.hpp, in one source file.

namespace coalescing::detail {

/// Lists the instructions of a chip. An instruction with two addresses, such as ds_read2, is another type for each pair
/// of offsets. Only the type for the offsets 0 and 1 is listed.
template <cdna::chip Chip>
struct list_of_cdna {
  using machine = cdna::machine<Chip>;
  named_listing const& to;

  template <unsigned Bits>
  void width() const {
    to.add<touch::load, typename machine::template global_load<Bits>>();
    to.add<touch::store, typename machine::template global_store<Bits>>();
    to.add<touch::load, typename machine::template buffer_load<Bits>>();
    to.add<touch::store, typename machine::template buffer_store<Bits>>();
    to.add<touch::atomic, typename machine::template global_atomic<Bits>>();
    to.add<touch::load, typename machine::template ds_read<Bits>>();
    to.add<touch::store, typename machine::template ds_write<Bits>>();
    to.add<touch::atomic, typename machine::template ds_atomic<Bits>>();
    to.add<touch::load, typename machine::template ds_read2<Bits, 0, 1>>();
    to.add<touch::load, typename machine::template ds_read2st64<Bits, 0, 1>>();
    to.add<touch::store, typename machine::template ds_write2<Bits, 0, 1>>();
    to.add<touch::store, typename machine::template ds_write2st64<Bits, 0, 1>>();
    to.add<touch::load, typename machine::template global_load_lds<Bits>::global>();
    to.add<touch::load, typename machine::template buffer_load_lds<Bits>::global>();
  }
  template <unsigned ElementBits>
  void transposed() const {
    to.add<touch::load, typename machine::template ds_read_tr<64, ElementBits>>();
  }
  template <unsigned Dwords>
  void scalar() const {
    to.add<touch::load, typename machine::template s_load<Dwords>>();
  }
  void all() const {
    width<8>(), width<16>(), width<32>(), width<64>(), width<96>(), width<128>();
    transposed<16>(), transposed<8>(), transposed<4>();
    scalar<1>(), scalar<2>(), scalar<4>(), scalar<8>(), scalar<16>();
  }
};

template <cdna::chip Chip>
void list_chip(std::vector<named_machine>& machines, cdna::machine<Chip> const*) {
  named_machine& made = machines.emplace_back(named_machine{std::string("cdna::") + cdna::machine<Chip>::name, {}});
  for (auto const& each : cdna::product_names)
    if (each.machine == Chip) detail::add_names(made, "cdna", each.names);
  list_of_cdna<Chip>{named_listing{made}}.all();
}

void list_machines_of_cdna(std::vector<named_machine>& machines) {
  cdna::every_machine::each(
      [&machines]<class Machine>() { detail::list_chip(machines, static_cast<Machine const*>(nullptr)); });
}

}  // namespace coalescing::detail

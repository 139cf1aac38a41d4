// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/gcn.hpp>
#include <coalesce/host/named/listing.hpp>
#include <coalesce/host/named/machines.hpp>

#include <vector>

// The instructions of GCN. Include this header, or host/named/every.hpp, in exactly one source file
// of the program.

namespace coalescing::detail {

struct list_of_gcn {
  named_listing const& to;

  template <unsigned Bits, unsigned Channels>
  void format() const {
    to.add<touch::load, gcn::buffer_load<Bits, Channels>>(), to.add<touch::store, gcn::buffer_store<Bits, Channels>>();
  }
  template <unsigned Bits>
  void width() const {
    format<Bits, 1>(), format<Bits, 2>(), format<Bits, 3>(), format<Bits, 4>();
    to.add<touch::atomic, gcn::buffer_atomic<Bits>>();
    to.add<touch::load, gcn::image_load<Bits>>(), to.add<touch::load, gcn::image_sample<Bits>>();
    to.add<touch::store, gcn::image_store<Bits>>();
    to.add<touch::load, gcn::ds_read<Bits>>(), to.add<touch::store, gcn::ds_write<Bits>>();
  }
  template <unsigned Dwords>
  void scalar() const {
    to.add<touch::load, gcn::s_load<Dwords>>();
  }
  void all() const {
    width<8>(), width<16>(), width<32>(), width<64>(), width<96>(), width<128>();
    scalar<1>(), scalar<2>(), scalar<4>(), scalar<8>(), scalar<16>();
  }
};

void list_machines_of_gcn(std::vector<named_machine>& machines) {
  named_machine& made = machines.emplace_back(named_machine{"gcn", {}});
  list_of_gcn{named_listing{made}}.all();
}

}  // namespace coalescing::detail

// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/gcn.hpp>
#include <coalesce/host/named/listing.hpp>
#include <coalesce/host/named/machines.hpp>

#include <vector>

// The instructions of GCN. Include this header, or host/named/every.hpp, in one source file.

namespace coalescing::detail {

struct list_of_gcn {
  named_listing const& to;

  template <unsigned Bits, unsigned Channels>
  void format() const {
    if constexpr (gcn::buffer_format<Bits, Channels>) {
      to.add<touch::load, gcn::buffer_load<Bits, Channels>>();
      to.add<touch::store, gcn::buffer_store<Bits, Channels>>();
    }
  }
  template <unsigned Bits>
  void width() const {
    format<Bits, 1>(), format<Bits, 2>(), format<Bits, 3>(), format<Bits, 4>();
    if constexpr (Bits == 32 || Bits == 64) to.add<touch::atomic, gcn::buffer_atomic<Bits>>();
    if constexpr (gcn::texel_size<Bits>) {
      to.add<touch::load, gcn::image_load<Bits>>();
      to.add<touch::load, gcn::image_sample<Bits>>();
      to.add<touch::store, gcn::image_store<Bits>>();
    }
    if constexpr (gcn::ds_read_width<Bits>) to.add<touch::load, gcn::ds_read<Bits>>();
    if constexpr (gcn::ds_write_width<Bits>) to.add<touch::store, gcn::ds_write<Bits>>();
  }
  template <unsigned Dwords>
  void scalar() const {
    if constexpr (gcn::scalar_width<Dwords>) to.add<touch::load, gcn::s_load<Dwords>>();
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

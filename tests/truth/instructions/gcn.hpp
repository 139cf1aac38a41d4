// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/gcn.hpp>

#include <string>

namespace coalescing_tests {

/// Calls see.template operator()<Instruction>(machine, name) for every instruction of GCN.
template <class See>
void each_instruction_of_gcn(See const& see) {
  namespace gcn = coalescing::gcn;
  auto const with = [](char const* name, unsigned bits, unsigned channels = 1) {
    return name + std::string("<") + std::to_string(bits) + (channels == 1 ? "" : "," + std::to_string(channels)) + ">";
  };
  auto const buffers = [&]<unsigned Bits, unsigned Channels = 1>() {
    see.template operator()<gcn::buffer_load<Bits, Channels>>("gcn", with("buffer_load", Bits, Channels));
    see.template operator()<gcn::buffer_store<Bits, Channels>>("gcn", with("buffer_store", Bits, Channels));
  };
  buffers.template operator()<8>(), buffers.template operator()<16>(), buffers.template operator()<32>();
  buffers.template operator()<64>(), buffers.template operator()<96>(), buffers.template operator()<128>();
  buffers.template operator()<8, 2>(), buffers.template operator()<8, 4>(), buffers.template operator()<16, 2>();
  buffers.template operator()<16, 4>(), buffers.template operator()<32, 2>(), buffers.template operator()<32, 3>();
  buffers.template operator()<32, 4>();
  see.template operator()<gcn::buffer_atomic<32>>("gcn", "buffer_atomic<32>");
  see.template operator()<gcn::buffer_atomic<64>>("gcn", "buffer_atomic<64>");
  auto const images = [&]<unsigned Bits>() {
    see.template operator()<gcn::image_load<Bits>>("gcn", with("image_load", Bits));
    see.template operator()<gcn::image_sample<Bits>>("gcn", with("image_sample", Bits));
    see.template operator()<gcn::image_store<Bits>>("gcn", with("image_store", Bits));
  };
  images.template operator()<8>(), images.template operator()<16>(), images.template operator()<32>();
  images.template operator()<64>(), images.template operator()<128>();
  auto const lds = [&]<unsigned Bits>() {
    see.template operator()<gcn::ds_read<Bits>>("gcn", with("ds_read", Bits));
    if constexpr (Bits != 96) see.template operator()<gcn::ds_write<Bits>>("gcn", with("ds_write", Bits));
  };
  lds.template operator()<8>(), lds.template operator()<16>(), lds.template operator()<32>();
  lds.template operator()<64>(), lds.template operator()<96>(), lds.template operator()<128>();
  auto const scalar = [&]<unsigned Dwords>() {
    see.template operator()<gcn::s_load<Dwords>>("gcn", with("s_load", Dwords));
  };
  scalar.template operator()<1>(), scalar.template operator()<2>(), scalar.template operator()<4>();
  scalar.template operator()<8>(), scalar.template operator()<16>();
}

}  // namespace coalescing_tests

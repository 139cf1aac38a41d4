// SPDX-License-Identifier: BSL-1.0
#include <coalesce/gcn.hpp>

#include "questions.hpp"

namespace gcn = coalescing::gcn;

void recompute::ask_gcn() {
  auto const with = [](char const* name, unsigned bits, unsigned channels = 1) {
    return name + std::string("<") + std::to_string(bits) + (channels == 1 ? "" : "," + std::to_string(channels)) + ">";
  };
  auto const buffers = [&]<unsigned Bits, unsigned Channels = 1>(unsigned questions) {
    recompute::ask<gcn::buffer_load<Bits, Channels>>("gcn", with("buffer_load", Bits, Channels), questions);
    recompute::ask<gcn::buffer_store<Bits, Channels>>("gcn", with("buffer_store", Bits, Channels), questions / 2);
  };
  buffers.template operator()<8>(150), buffers.template operator()<16>(150), buffers.template operator()<32>(300);
  buffers.template operator()<64>(80), buffers.template operator()<96>(80), buffers.template operator()<128>(80);
  buffers.template operator()<8, 2>(40), buffers.template operator()<8, 4>(40), buffers.template operator()<16, 2>(40);
  buffers.template operator()<16, 4>(40), buffers.template operator()<32, 2>(40),
      buffers.template operator()<32, 3>(40);
  buffers.template operator()<32, 4>(40);
  recompute::ask<gcn::buffer_atomic<32>>("gcn", "buffer_atomic<32>", 80);
  recompute::ask<gcn::buffer_atomic<64>>("gcn", "buffer_atomic<64>", 80);
  auto const images = [&]<unsigned Bits>() {
    recompute::ask<gcn::image_load<Bits>>("gcn", with("image_load", Bits), 40);
    recompute::ask<gcn::image_sample<Bits>>("gcn", with("image_sample", Bits), 40);
    recompute::ask<gcn::image_store<Bits>>("gcn", with("image_store", Bits), 40);
  };
  images.template operator()<8>(), images.template operator()<16>(), images.template operator()<32>();
  images.template operator()<64>(), images.template operator()<128>();
  auto const lds = [&]<unsigned Bits>() {
    recompute::ask<gcn::ds_read<Bits>>("gcn", with("ds_read", Bits), 80);
    if constexpr (Bits != 96) recompute::ask<gcn::ds_write<Bits>>("gcn", with("ds_write", Bits), 80);
  };
  lds.template operator()<8>(), lds.template operator()<16>(), lds.template operator()<32>();
  lds.template operator()<64>(), lds.template operator()<96>(), lds.template operator()<128>();
  recompute::ask<gcn::s_load<1>>("gcn", "s_load<1>", 30);
  recompute::ask<gcn::s_load<2>>("gcn", "s_load<2>", 30);
  recompute::ask<gcn::s_load<4>>("gcn", "s_load<4>", 30);
  recompute::ask<gcn::s_load<8>>("gcn", "s_load<8>", 30);
  recompute::ask<gcn::s_load<16>>("gcn", "s_load<16>", 30);
}

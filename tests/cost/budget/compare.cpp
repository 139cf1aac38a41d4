// SPDX-License-Identifier: BSL-1.0
//
// The same access on all capabilities of NVIDIA, in no order, and on GCN.
#include <coalesce/compare.hpp>
#include <coalesce/cuda.hpp>
#include <coalesce/gcn.hpp>
namespace co = coalescing;
using namespace co::cuda;

constexpr auto swapped = [](unsigned lane) { return 128 + 4 * (lane ^ 1); };
constexpr auto compared = co::compare(
    swapped, co::on<cc10::load<32>, cc11::load<32>, cc12::load<32>, cc13::load<32>, cc20::load<32>, cc21::load<32>,
                    cc30::load<32>, cc32::load<32>, cc35::load<32>, cc37::load<32>, cc50::load<32>, cc52::load<32>,
                    cc53::load<32>, cc60::load<32>, cc61::load<32>, cc62::load<32>, cc70::load<32>, cc72::load<32>,
                    cc75::load<32>, cc80::load<32>, cc86::load<32>, cc87::load<32>, cc88::load<32>, cc89::load<32>,
                    cc90::load<32>, cc100::load<32>, cc103::load<32>, cc107::load<32>, cc110::load<32>, cc120::load<32>,
                    cc121::load<32>, co::gcn::buffer_load<32>>(0xffff'ffff));

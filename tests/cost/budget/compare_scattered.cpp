// SPDX-License-Identifier: BSL-1.0
//
// The same on all capabilities of NVIDIA of words that are scattered: the dearest that was found is a load of 128 bits
// from shared memory.
#include <coalesce/compare.hpp>
#include <coalesce/cuda.hpp>
namespace co = coalescing;
using namespace co::cuda;

constexpr auto scattered = [](unsigned lane) { return (lane * 2654435761u >> 7) % 1000 * 16; };
constexpr auto compared = co::compare(
    scattered, co::on<cc10::shared_load<128>, cc11::shared_load<128>, cc12::shared_load<128>, cc13::shared_load<128>,
                      cc20::shared_load<128>, cc21::shared_load<128>, cc30::shared_load<128>, cc32::shared_load<128>,
                      cc35::shared_load<128>, cc37::shared_load<128>, cc50::shared_load<128>, cc52::shared_load<128>,
                      cc53::shared_load<128>, cc60::shared_load<128>, cc61::shared_load<128>, cc62::shared_load<128>,
                      cc70::shared_load<128>, cc72::shared_load<128>, cc75::shared_load<128>, cc80::shared_load<128>,
                      cc86::shared_load<128>, cc87::shared_load<128>, cc88::shared_load<128>, cc89::shared_load<128>,
                      cc90::shared_load<128>, cc100::shared_load<128>, cc103::shared_load<128>, cc107::shared_load<128>,
                      cc110::shared_load<128>, cc120::shared_load<128>, cc121::shared_load<128>>());

// SPDX-License-Identifier: BSL-1.0
// EXPECT: one to four waves
#include <coalesce/cdna/litmus.hpp>

namespace co = coalescing;
namespace cdna = co::cdna;

constexpr cdna::litmus_wave wave;
constexpr auto test = cdna::litmus({}, wave, wave, wave, wave, wave);

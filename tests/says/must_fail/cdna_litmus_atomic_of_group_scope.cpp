// SPDX-License-Identifier: BSL-1.0
// EXPECT: atomics_have_device_or_system_scope
#include <coalesce/cdna/litmus.hpp>

namespace co = coalescing;
namespace cdna = co::cdna;

constexpr auto wave = cdna::litmus_wave{}.atomic(0, cdna::scope::group);

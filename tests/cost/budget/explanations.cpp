// SPDX-License-Identifier: BSL-1.0
//
// Explanations: the longest texts of a warp, and of a wave of 64.
#include <coalesce/coalesce.hpp>
#include <coalesce/explain.hpp>
namespace co = coalescing;
using co::cdna::gfx942, co::cuda::cc90;

constexpr auto scattered = [](unsigned lane) { return std::uint64_t{lane * 2654435761u / 64 * 64}; };
static_assert(co::explain<cc90::store<32>>(co::linear{.stride = 8}).size() > 2000);
static_assert(co::explain<cc90::store<128>>(scattered).size() > 2000);
static_assert(co::explain<cc90::atomic<32>>(scattered).size() > 1000);
static_assert(co::explain<cc90::shared_store<32>>(co::linear{.stride = 128}).size() > 1000);
static_assert(co::explain<cc90::ldmatrix<4>>(co::linear{.stride = 128}).size() > 1000);
static_assert(co::explain<co::gcn::buffer_store<32>>(scattered).size() > 1000);
static_assert(co::explain<gfx942::global_load<128>>(scattered).size() > 1000);
static_assert(co::explain<gfx942::ds_read<128>>(co::linear{.stride = 512}).size() > 1000);

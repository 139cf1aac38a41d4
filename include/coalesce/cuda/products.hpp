// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cuda/machines.hpp>

// Products by name: cuda::h100 is cuda::cc90. Only names that mean one compute capability are here. TITAN X is missing
// because it can be CC 5.2 or CC 6.1. RTX 6000 is missing because it is CC 7.5, or with "Ada" in the name CC 8.9.
// Source: NVIDIA, CUDA GPU Compute Capability, and Legacy CUDA GPU Compute Capability, the tables
// (https://developer.nvidia.com/cuda-gpus, https://developer.nvidia.com/cuda-legacy-gpus).

namespace coalescing::cuda {

using gb10 = cc121;
using rtx5090 = cc120;
using rtx5080 = cc120;
using rtx5070ti = cc120;
using rtx5070 = cc120;
using rtx5060ti = cc120;
using rtx5060 = cc120;
using rtx5050 = cc120;
using rtx_pro_6000 = cc120;
using jetson_t5000 = cc110;
using jetson_t4000 = cc110;
using gb300 = cc103;
using b300 = cc103;
using gb200 = cc100;
using b200 = cc100;
using gh200 = cc90;
using h200 = cc90;
using h100 = cc90;
using l4 = cc89;
using l40 = cc89;
using l40s = cc89;
using rtx4090 = cc89;
using rtx4080 = cc89;
using rtx4070ti = cc89;
using rtx4070 = cc89;
using rtx4060ti = cc89;
using rtx4060 = cc89;
using jetson_agx_orin = cc87;
using jetson_orin_nx = cc87;
using jetson_orin_nano = cc87;
using a40 = cc86;
using a10 = cc86;
using a16 = cc86;
using a2 = cc86;
using rtx_a6000 = cc86;
using rtx3090 = cc86;
using rtx3080 = cc86;
using rtx3070 = cc86;
using rtx3060 = cc86;
using a100 = cc80;
using a30 = cc80;
using t4 = cc75;
using rtx2080ti = cc75;
using rtx2080 = cc75;
using rtx2070 = cc75;
using rtx2060 = cc75;
using gtx1660 = cc75;
using gtx1650 = cc75;
using jetson_agx_xavier = cc72;
using jetson_xavier_nx = cc72;
using v100 = cc70;
using titan_v = cc70;
using jetson_tx2 = cc62;
using p40 = cc61;
using p4 = cc61;
using gtx1080ti = cc61;
using gtx1080 = cc61;
using gtx1070 = cc61;
using gtx1060 = cc61;
using p100 = cc60;
using jetson_nano = cc53;
using m60 = cc52;
using m40 = cc52;
using gtx980ti = cc52;
using gtx980 = cc52;
using gtx970 = cc52;
using k80 = cc37;
using k40 = cc35;
using k20 = cc35;

/// The product names above as a list, by compute capability. host/named/cuda.hpp gives these names to its machines, so
/// that a program can look up a machine by its name.
inline constexpr products_of_machine<unsigned> product_names[] = {
    {121, "gb10"},
    {120, "rtx5090 rtx5080 rtx5070ti rtx5070 rtx5060ti rtx5060 rtx5050 rtx_pro_6000"},
    {110, "jetson_t5000 jetson_t4000"},
    {103, "gb300 b300"},
    {100, "gb200 b200"},
    {90, "gh200 h200 h100"},
    {89, "l4 l40 l40s rtx4090 rtx4080 rtx4070ti rtx4070 rtx4060ti rtx4060"},
    {87, "jetson_agx_orin jetson_orin_nx jetson_orin_nano"},
    {86, "a40 a10 a16 a2 rtx_a6000 rtx3090 rtx3080 rtx3070 rtx3060"},
    {80, "a100 a30"},
    {75, "t4 rtx2080ti rtx2080 rtx2070 rtx2060 gtx1660 gtx1650"},
    {72, "jetson_agx_xavier jetson_xavier_nx"},
    {70, "v100 titan_v"},
    {62, "jetson_tx2"},
    {61, "p40 p4 gtx1080ti gtx1080 gtx1070 gtx1060"},
    {60, "p100"},
    {53, "jetson_nano"},
    {52, "m60 m40 gtx980ti gtx980 gtx970"},
    {37, "k80"},
    {35, "k40 k20"},
};

}  // namespace coalescing::cuda

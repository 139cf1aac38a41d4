// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/machines.hpp>
#include <coalesce/cuda/rows.hpp>

// The compute capabilities by name, and the list of all of them. Their instructions are in cuda.hpp.

namespace coalescing::cuda {

/// The compute capabilities that have a row of facts in cuda/rows.hpp.
template <unsigned ComputeCapability>
concept known_compute_capability = requires {
  sizeof(cuda::row<ComputeCapability>);
};

template <unsigned ComputeCapability>
requires known_compute_capability<ComputeCapability>
struct device;  // defined in cuda.hpp

namespace detail {

/// "cc" and the digits of a row's number: "cc90" for row<90>.
template <unsigned ComputeCapability, char... Digits>
struct capability_name
    : capability_name<ComputeCapability / 10, static_cast<char>('0' + ComputeCapability % 10), Digits...> {};
template <char... Digits>
struct capability_name<0, Digits...> {
  static constexpr char value[] = {'c', 'c', Digits..., '\0'};
};

}  // namespace detail

using cc10 = device<10>;
using cc11 = device<11>;
using cc12 = device<12>;
using cc13 = device<13>;
using cc20 = device<20>;
using cc21 = device<21>;
using cc30 = device<30>;
using cc32 = device<32>;
using cc35 = device<35>;
using cc37 = device<37>;
using cc50 = device<50>;
using cc52 = device<52>;
using cc53 = device<53>;
using cc60 = device<60>;
using cc61 = device<61>;
using cc62 = device<62>;
using cc70 = device<70>;
using cc72 = device<72>;
using cc75 = device<75>;
using cc80 = device<80>;
using cc86 = device<86>;
using cc87 = device<87>;
using cc88 = device<88>;
using cc89 = device<89>;
using cc90 = device<90>;
using cc100 = device<100>;
using cc103 = device<103>;
using cc107 = device<107>;
using cc110 = device<110>;
using cc120 = device<120>;
using cc121 = device<121>;

// The names that nvcc's -arch takes.
using sm_10 = cc10;
using sm_11 = cc11;
using sm_12 = cc12;
using sm_13 = cc13;
using sm_20 = cc20;
using sm_21 = cc21;
using sm_30 = cc30;
using sm_32 = cc32;
using sm_35 = cc35;
using sm_37 = cc37;
using sm_50 = cc50;
using sm_52 = cc52;
using sm_53 = cc53;
using sm_60 = cc60;
using sm_61 = cc61;
using sm_62 = cc62;
using sm_70 = cc70;
using sm_72 = cc72;
using sm_75 = cc75;
using sm_80 = cc80;
using sm_86 = cc86;
using sm_87 = cc87;
using sm_88 = cc88;
using sm_89 = cc89;
using sm_90 = cc90;
using sm_100 = cc100;
using sm_103 = cc103;
using sm_107 = cc107;
using sm_110 = cc110;
using sm_120 = cc120;
using sm_121 = cc121;

/// Every compute capability, oldest first. Tests, examples and pages use this list.
using every_machine = machine_list<  // by generation
    cc10, cc11, cc12, cc13,          // Tesla
    cc20, cc21,                      // Fermi
    cc30, cc32, cc35, cc37,          // Kepler
    cc50, cc52, cc53,                // Maxwell
    cc60, cc61, cc62,                // Pascal
    cc70, cc72, cc75,                // Volta, Turing
    cc80, cc86, cc87, cc88, cc89,    // Ampere, Ada
    cc90,                            // Hopper
    cc100, cc103, cc107, cc110, cc120, cc121>;
/// The names of the machines in every_machine, in the same order. co::compare looks up here which machines follow each
/// other, to write them as a range: cc60 to cc75.
inline constexpr char names_of_machines[] =
    "cc10 cc11 cc12 cc13 cc20 cc21 cc30 cc32 cc35 cc37 cc50 cc52 cc53 cc60 cc61 cc62 cc70 cc72 cc75 cc80 cc86 cc87 "
    "cc88 "
    "cc89 cc90 cc100 cc103 cc107 cc110 cc120 cc121";

}  // namespace coalescing::cuda

// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/named.hpp>
#include <coalesce/host/named/cdna.hpp>
#include <coalesce/host/named/cuda_from_ampere.hpp>
#include <coalesce/host/named/cuda_to_turing.hpp>
#include <coalesce/host/named/gcn.hpp>
#include <coalesce/host/named/rdna.hpp>

// Defines every instruction of every machine by its name. Include this header in one source file of the program: it
// defines what host/named.hpp declares, and two files that include it do not link. The file takes g++ 12 some 18
// seconds and 0.8 GB. Instead, five files may each include one of the headers above, and be compiled at the same time.

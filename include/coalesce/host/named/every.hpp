// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/named.hpp>
#include <coalesce/host/named/cdna.hpp>
#include <coalesce/host/named/cuda_from_ampere.hpp>
#include <coalesce/host/named/cuda_to_turing.hpp>
#include <coalesce/host/named/gcn.hpp>
#include <coalesce/host/named/rdna.hpp>

// Every instruction of every machine. Include it in one source file of the program: it defines what host/named.hpp
// declares. Two files that include it do not link. It takes g++ 12 some 18 seconds and 0.8 GB. Five files that
// each include one of the headers above are compiled beside one another.

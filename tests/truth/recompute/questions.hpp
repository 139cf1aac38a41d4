// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/cost.hpp>

#include <cstdint>
#include <string>

// A fixed corpus of questions, and what the library answers: a line for each, that rules.py reads and recomputes.
//
//   cc90 load<32> lanes=32 mask=ffffffff at=100:4*31 : requests=1 transactions=4 ...
//   cc90 load<32> lanes=32 mask=ffffffff at=102:4*31 : refused=misaligned lane=0
//
// Questions about whole launches, one thread for each element of a layout, in linear order or in blocks:
//
//   cc90 load<32> lanes=32 base=4096 shape=70,3 stride=4,512 block=16,2 swizzle=3,4,3 : requests=7 ...
//
// Questions about occupancy, the waves of a kernel that a SIMD holds:
//
//   gfx942 occupancy arch=129 acc=0 sgprs=6 lds=0 group=0 raw=0 : by_vgprs=3 by_sgprs=8 by_lds=8 waves=3
//   gfx1100 occupancy lanes=32 vgprs=129 lds=0 group=0 cu=0 raw=0 : by_vgprs=10 by_lds=16 waves=10
//
// `at` is the address of lane 0, then the differences from lane to lane, *n where one repeats. All are hexadecimal, and
// inactive lanes are included. To add a family: its instructions in tests/truth/instructions, a function like those
// below, called in main.cpp, and its rules in rules.py.

namespace recompute {

namespace co = coalescing;

/// splitmix64 (public domain, Sebastiano Vigna): every question is the same on every machine.
struct random_numbers {
  std::uint64_t state = 0;
  explicit random_numbers(std::string const& seed) {
    for (char const letter : seed) state = state * 131 + static_cast<unsigned char>(letter);
  }
  std::uint64_t next() {
    std::uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
  }
  std::uint64_t below(std::uint64_t bound) { return next() % bound; }
  bool one_in(unsigned n) { return below(n) == 0; }
};

/// The pattern of every question, so that a question costs the compiler little.
struct addresses {
  std::uint64_t of_lane[64];
  constexpr std::uint64_t operator()(unsigned lane) const { return of_lane[lane]; }
};

/// name=value for each number of a cost.
template <class Cost>
std::string numbers_of(Cost const& cost) {
  std::string line;
  auto const put = [&](char const* name, std::uint64_t value) {
    line.append(" ").append(name).append("=").append(std::to_string(value));
  };
  unsigned named = 0;
#define COALESCE_PUT(number) \
  if constexpr (requires { cost.number; }) put(#number, cost.number), ++named;
  COALESCE_PUT(requests)
  COALESCE_PUT(transactions)
  COALESCE_PUT(bytes_moved)
  COALESCE_PUT(bytes_used)
  COALESCE_PUT(lines)
  COALESCE_PUT(data_wavefronts)
  COALESCE_PUT(tag_wavefronts_at_least)
  COALESCE_PUT(partial_sectors)
  COALESCE_PUT(operations)
  COALESCE_PUT(lanes_on_one_address)
  COALESCE_PUT(clocks)
  COALESCE_PUT(quads)
  COALESCE_PUT(rounds)
  COALESCE_PUT(conflicts)
  COALESCE_PUT(phases)
  COALESCE_PUT(ways)
  COALESCE_PUT(rounds_at_least)
#undef COALESCE_PUT
  if (named * sizeof(std::uint64_t) != sizeof cost) line += " a_number_without_a_name=1";
  return line;
}

struct instruction {
  std::string machine, name;
  unsigned lanes, bytes;
  std::uint64_t capacity;  ///< bytes that an address can lie in; 0: all that 64 bits address
  std::uint64_t below;     ///< bytes below 0 that an address can lie in
  bool needs_all_lanes;
  std::string (*answer)(addresses const& at, std::uint64_t active);
};

/// One word for what a misuse says.
char const* kind_of(char const* sentence);

/// Asks so many questions about it, and prints them.
void ask(instruction const& about, unsigned questions);

template <class Instruction>
std::string answer(addresses const& at, std::uint64_t active) {
  return recompute::numbers_of(co::cost<Instruction>(at, active));
}
/// Sees every instruction of a machine (tests/truth/instructions), and asks this many questions about each.
struct asker {
  unsigned questions;
  template <class Instruction>
  void operator()(std::string const& machine, std::string const& name) const {
    recompute::ask(
        {machine, name, Instruction::lanes, Instruction::bytes,
         co::detail::capacity_of<Instruction> - co::detail::reach_of<Instruction>, co::detail::nearest_of<Instruction>,
         name.find("matrix") != name.npos || name.find("_tr<") != name.npos, recompute::answer<Instruction>},
        questions);
  }
};

// The families.
void ask_tesla_to_kepler();
void ask_maxwell_and_pascal();
void ask_volta_to_ada();
void ask_hopper_on();
void ask_gcn();
void ask_cdna();
void ask_rdna();
void ask_launches();

}  // namespace recompute

// SPDX-License-Identifier: BSL-1.0
#include <coalesce/cdna.hpp>
#include <coalesce/cuda.hpp>
#include <coalesce/gcn.hpp>
#include <coalesce/rdna.hpp>
#include <coalesce/total.hpp>

#include <cstdio>

#include "questions.hpp"

namespace recompute {

namespace {

std::string listed(char const* name, std::int64_t a, std::int64_t b, std::int64_t c) {
  return std::string(" ") + name + "=" + std::to_string(a) + "," + std::to_string(b) + "," + std::to_string(c);
}

/// Less than any wave has: instructions of so few lanes do not ask each lane of one.
constexpr unsigned few = 32;

/// About the totals of an instruction over layouts of up to three modes.
template <class Instruction>
void ask_totals(std::string const& machine, std::string const& name, unsigned questions) {
  constexpr auto bytes = static_cast<std::int64_t>(Instruction::bytes);
  std::string const instruction = machine + " " + name + " lanes=" + std::to_string(Instruction::lanes);
  random_numbers random(instruction);
  auto const number = [&](std::uint64_t bound) { return static_cast<std::int64_t>(random.below(bound)); };
  for (unsigned k = 0; k != questions; ++k) {
    co::layout<3> rows{.base = 4096 + Instruction::bytes * random.below(64),
                       .shape = {1 + number(random.one_in(2) ? 150 : 12), 1 + number(9), 1 + number(3)}};
    std::int64_t const strides[] = {bytes, 2 * bytes, 128, bytes * number(20), 0, bytes * rows.shape[0]};
    for (std::int64_t& stride : rows.stride) stride = strides[random.below(6)] / bytes * bytes;
    if (random.one_in(2)) rows.stride[0] = bytes;
    for (unsigned mode = 0; mode != 3; ++mode)
      if (random.one_in(6)) {  // backwards
        rows.base += static_cast<std::uint64_t>(rows.stride[mode] * (rows.shape[mode] - 1));
        rows.stride[mode] = -rows.stride[mode];
      }
    co::swizzle const swizzle = {
        .bits = static_cast<unsigned>(number(4)), .base = 4, .shift = 3 + static_cast<int>(number(2))};
    co::block block{1 + number(40), 1 + number(5), 1 + number(2)};
    bool const swizzled = random.one_in(3), by_blocks = random.one_in(2);
    // Waves that are asked by few of their lanes are mostly made whole, and of a scalar load alike.
    if (Instruction::lanes < few && !random.one_in(4)) {
      rows.shape[0] = 64 * (1 + number(2));
      if (Instruction::lanes == 1) rows.base = 4096, rows.stride[0] = 0;
      if (by_blocks && !random.one_in(3)) block = {64, 1 + number(3), 1};
      if (random.one_in(3)) rows.shape[1] = block.y * (1 + number(2)), rows.shape[2] = block.z;
      for (std::int64_t& stride : rows.stride) stride = stride < 0 ? -stride : stride;
    }
    std::string line = instruction + " base=" + std::to_string(rows.base) +
                       listed("shape", rows.shape[0], rows.shape[1], rows.shape[2]) +
                       listed("stride", rows.stride[0], rows.stride[1], rows.stride[2]) +
                       (by_blocks ? listed("block", block.x, block.y, block.z) : " block=0,0,0") +
                       (swizzled ? listed("swizzle", swizzle.bits, swizzle.base, swizzle.shift) : " swizzle=0,0,0") +
                       " :";
    try {
      auto const cost = swizzled    ? by_blocks ? co::total<Instruction>(swizzle.over(rows), block)
                                                : co::total<Instruction>(swizzle.over(rows))
                           : by_blocks ? co::total<Instruction>(rows, block)
                                    : co::total<Instruction>(rows);
      line += recompute::numbers_of(cost);
    } catch (co::misuse const& refused) {
      line.append(" refused=").append(recompute::kind_of(refused.what()));
    }
    std::puts(line.c_str());
  }
}

}  // namespace

void ask_launches() {
  ask_totals<co::cuda::cc13::load<32>>("cc13", "load<32>", 60);
  ask_totals<co::cuda::cc20::load<64>>("cc20", "load<64>", 40);
  ask_totals<co::cuda::cc90::store<128>>("cc90", "store<128>", 60);
  ask_totals<co::cuda::cc90::shared_load<64>>("cc90", "shared_load<64>", 60);
  ask_totals<co::cuda::cc90::atomic<32>>("cc90", "atomic<32>", 40);
  ask_totals<co::cuda::cc75::ldmatrix<1>>("cc75", "ldmatrix<1>", 60);
  ask_totals<co::cuda::cc90::ldmatrix<2>>("cc90", "ldmatrix<2>", 60);
  ask_totals<co::cuda::cc90::stmatrix<1>>("cc90", "stmatrix<1>", 60);
  ask_totals<co::gcn::s_load<4>>("gcn", "s_load<4>", 60);
  ask_totals<co::rdna::gfx1201::s_load<8>>("gfx1201", "s_load<8>", 60);
  ask_totals<co::rdna::gfx1030::wave64::s_load<2>>("gfx1030", "wave64::s_load<2>", 60);
  ask_totals<co::gcn::buffer_load<32>>("gcn", "buffer_load<32>", 40);
  ask_totals<co::cdna::gfx950::ds_read<128>>("gfx950", "ds_read<128>", 40);
  ask_totals<co::rdna::gfx1030::global_load<32>>("gfx1030", "global_load<32>", 40);
  ask_totals<co::rdna::gfx1100::wave64::ds_load<128>>("gfx1100", "wave64::ds_load<128>", 40);
}

}  // namespace recompute

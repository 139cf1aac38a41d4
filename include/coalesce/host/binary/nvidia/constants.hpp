// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/binary/memory.hpp>
#include <coalesce/host/binary/nvidia/read.hpp>
#include <coalesce/host/binary/nvidia/warp.hpp>
#include <coalesce/host/binary/private_memory.hpp>

#include <cstdint>
#include <string>

// The constant banks of a launch. Bank 0 has the sizes of the block and the grid, and the kernel's parameters. Another
// bank has the constants that the compiler made.

namespace coalescing::sass {

/// Where a target keeps what a launch sets: byte offsets in constant bank 0. Inferred from kernels that store blockDim,
/// gridDim and their parameters, compiled by nvcc 13.0 for each of these targets except sm_107
/// (tests/host/binary/nvidia/kernels.cu). nvcc 13.0 does not know sm_107: its offsets are assumed to be those of sm_100
/// to sm_121. Each of these kernels first loads R1 from `stack_at`. To make a generic address of a pointer to local
/// memory, nvcc's code adds the number at `window_at` (seen for sm_75, 80, 90, 100 and 120).
struct target {
  unsigned capability;
  unsigned block_at;       ///< blockDim.x; blockDim.y and .z follow, 4 bytes each
  unsigned grid_at;        ///< gridDim.x; gridDim.y and .z follow, 4 bytes each
  unsigned parameters_at;  ///< the first parameter
  unsigned window_at;      ///< where 8 bytes hold the generic address at which local memory begins
  unsigned stack_at;       ///< the first value of R1: the end of a lane's local memory
  /// `shared_bytes` is the most bytes of shared memory that a block may have. CUDA C++ Programming Guide 13.0,
  /// "Technical Specifications per Compute Capability", states 64 KB for CC 7.5, 163 KB for 8.0 and 8.7, 99 KB for 8.6,
  /// 8.9 and 12.0, 227 KB for 9.0, 10.0, 10.3 and 11.0. The values for CC 8.8, 10.7 and 12.1 are inferred: 1 KB less
  /// than a multiprocessor has, as for the others from CC 8.0 on. `reserved` is how many bytes the target reserves in
  /// addition: ptxas 13.0 reserves 1 KB from sm_90 on.
  unsigned shared_bytes, reserved;
};
inline constexpr target targets[] = {
    {75, 0x0, 0xc, 0x160, 0x20, 0x28, 64 * 1024, 0},
    {80, 0x0, 0xc, 0x160, 0x20, 0x28, 163 * 1024, 0},
    {86, 0x0, 0xc, 0x160, 0x20, 0x28, 99 * 1024, 0},
    {87, 0x0, 0xc, 0x160, 0x20, 0x28, 163 * 1024, 0},
    {88, 0x0, 0xc, 0x160, 0x20, 0x28, 99 * 1024, 0},
    {89, 0x0, 0xc, 0x160, 0x20, 0x28, 99 * 1024, 0},
    {90, 0x0, 0xc, 0x210, 0x20, 0x28, 227 * 1024, 1024},
    {100, 0x360, 0x370, 0x380, 0x2f8, 0x37c, 227 * 1024, 1024},
    {103, 0x360, 0x370, 0x380, 0x2f8, 0x37c, 227 * 1024, 1024},
    {107, 0x360, 0x370, 0x380, 0x2f8, 0x37c, 327 * 1024, 1024},
    {110, 0x360, 0x370, 0x380, 0x2f8, 0x37c, 227 * 1024, 1024},
    {120, 0x360, 0x370, 0x380, 0x2f8, 0x37c, 99 * 1024, 1024},
    {121, 0x360, 0x370, 0x380, 0x2f8, 0x37c, 99 * 1024, 1024},
};

[[nodiscard]] inline target const& target_of(unsigned capability) {
  for (target const& each : targets)
    if (each.capability == capability) return each;
  throw binary_refused("binaries of sm_" + std::to_string(capability) +
                       " are not read: sm_75, 80, 86, 87, 88, 89, 90, 100, 103, 107, 110, 120 and 121 are");
}

/// The bytes of constant bank 0, and of the bank with the compiler's constants. A byte is unknown if nothing sets it.
class constant_bank {
 public:
  /// Each parameter is placed at a multiple of its own size. (PTX ISA, "Kernel Function Parameters": natural
  /// alignment.)
  constant_bank(target const& on, binary_launch const& launch, binary::global_memory const& memory,
                unsigned local_bytes = 0)
      : first_parameter_(on.parameters_at), bytes_(on.parameters_at) {
    binary::extents const block = binary::extents_of(launch.block);
    for (unsigned k = 0; k != 3; ++k)
      bytes_.give(on.block_at + 4 * k, exact(block[k]), 4),
          bytes_.give(on.grid_at + 4 * k, binary::grid_size(launch, k), 4);
    bytes_.give(on.window_at, exact(binary::private_base), 8), bytes_.give(on.stack_at, exact(local_bytes), 4);
    memory.place_arguments(launch.arguments, [&](std::uint64_t at, value const& is, unsigned bytes) {
      bytes_.give(on.parameters_at + at, is, bytes);
    });
  }
  [[nodiscard]] std::uint64_t parameter_bytes() const { return bytes_.size() - first_parameter_; }
  /// Takes over the constants that the compiler has put into another bank.
  void put_compiled(compiled_constants const& from) {
    bank_ = from.bank, compiled_ = binary::known_bytes(from.bytes.size(), from.bytes);
  }
  [[nodiscard]] value load_compiled(unsigned bank, std::uint64_t at, unsigned bytes, cause why) const {
    return bank == bank_ ? compiled_.load(at, bytes, why) : low(binary::unknown(why), 8 * bytes);
  }
  /// Loads from bank 0. Refused: a parameter that the launch lacks.
  [[nodiscard]] value load(std::uint64_t at, unsigned bytes, cause why, unsigned line) const {
    if (at + bytes > bytes_.size() && at >= first_parameter_)
      throw binary_refused(
          "the kernel reads byte " + std::to_string(at + bytes - 1 - first_parameter_) +
              " of its parameters, and the launch has " + std::to_string(bytes_.size() - first_parameter_) +
              " bytes of them" +
              (bytes_.size() == first_parameter_ ? " (the text does not tell them: `nvdisasm FILE.cubin` "
                                                   "without -c does, or the launch states each)"
                                                 : ""),
          line);
    return bytes_.load(at, bytes, why);
  }

 private:
  std::uint64_t first_parameter_;
  binary::given_bytes bytes_;
  unsigned bank_ = 0;
  binary::known_bytes compiled_;
};

}  // namespace coalescing::sass

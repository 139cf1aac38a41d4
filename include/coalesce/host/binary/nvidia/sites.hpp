// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cuda.hpp>
#include <coalesce/host/binary/answer.hpp>
#include <coalesce/host/binary/nvidia/accesses.hpp>
#include <coalesce/host/recording.hpp>

// Finds the library's type for an instruction of the binary, such as ldmatrix<4> of the machine for LDSM.16.M88.4.

namespace coalescing::sass {

/// Opens a site of the recording (record/recording.hpp) for each instruction that makes an access.
template <class Machine>
class site_opener {
 public:
  using access = warp_access;
  row_recorder<Machine> rows = {};

  unsigned open(instruction const& i, warp_access const& one) { return site_of(binary::place_of(i), one); }

 private:
  /// Opens a site for an `Instruction` of the library. If the machine does not have this instruction, the cost of the
  /// site is not known.
  template <class Instruction>
  unsigned open_as(found_at const& at, warp_access const& one) {
    if constexpr (Instruction::exists)
      return rows.template open_as<Instruction>(at, one.array, one.space, one.kind);
    else
      return uncounted(at, one);
  }
  unsigned uncounted(found_at const& at, warp_access const& one) {
    return rows.open_uncounted(at, one.array, one.space, one.kind, one.bytes);
  }
  template <unsigned Matrices, cuda::matrix Form>
  unsigned matrices(found_at const& at, warp_access const& one) {
    return one.kind == touch::load ? open_as<typename Machine::template ldmatrix<Matrices, Form>>(at, one)
                                   : open_as<typename Machine::template stmatrix<Matrices, Form>>(at, one);
  }
  template <cuda::matrix Form>
  unsigned matrices(found_at const& at, warp_access const& one) {
    return one.matrices == 4   ? matrices<4, Form>(at, one)
           : one.matrices == 2 ? matrices<2, Form>(at, one)
                               : matrices<1, Form>(at, one);
  }
  template <unsigned Bytes>
  unsigned copied(found_at const& at, warp_access const& one) {
    using copy = typename Machine::template cp_async<Bytes>;
    return one.space == memory_space::global ? open_as<typename copy::global>(at, one)
                                             : open_as<typename copy::shared>(at, one);
  }
  unsigned site_of(found_at const& at, warp_access const& one) {
    if (one.matrices != 0)
      return one.is_transposed ? matrices<cuda::matrix::m8n8_trans>(at, one) : matrices<cuda::matrix::m8n8>(at, one);
    if (one.is_copy)
      return one.bytes == 16 ? copied<16>(at, one) : one.bytes == 8 ? copied<8>(at, one) : copied<4>(at, one);
    if (one.bytes > 16 && !Machine::template load<256>::exists) return uncounted(at, one);
    return rows.open(at, one.array, one.space, one.kind, one.bytes, one.bytes);
  }
};

}  // namespace coalescing::sass

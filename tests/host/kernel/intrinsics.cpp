// SPDX-License-Identifier: BSL-1.0
#include <coalesce/cdna.hpp>
#include <coalesce/cuda.hpp>

#include <coalesce/host/cuda.hpp>
#include <coalesce/host/kernel/issue.hpp>

namespace co = coalescing;
using co::cdna::gfx950;
using co::cuda::cc90;
using co::host::issue;

// The kernel's own wrappers, with a body for the host.
__device__ __forceinline__ void ldmatrix_x4(std::uint16_t (&values)[8], void const* row) {
  co::host::load_across<cc90::ldmatrix<4>>(values, row);
}
__device__ __forceinline__ void copy_16(void* to, void const* from) {
  co::host::cp_async<cc90::cp_async<16>>(to, from);
}

// Rows of 64 half-precision numbers, of which four matrices of 8 x 8 are read.
__global__ void matrices(uint4 const* in, std::uint16_t* out) {
  __shared__ uint4 tile[32][8];
  for (unsigned k = 0; k < 8; ++k) copy_16(&tile[threadIdx.x][k], in + threadIdx.x * 8 + k);
  __syncthreads();
  std::uint16_t values[8];
  ldmatrix_x4(values, &tile[threadIdx.x][0]);
  for (unsigned v = 0; v < 8; ++v) out[threadIdx.x * 8 + v] = values[v];
}
__global__ void turned(std::uint16_t const* in, std::uint16_t* out) {
  __shared__ std::uint16_t tile[64 * 4];
  for (unsigned k = 0; k < 4; ++k) tile[threadIdx.x * 4 + k] = in[threadIdx.x * 4 + k];
  __syncthreads();
  std::uint16_t values[4];
  co::host::load_across<gfx950::ds_read_tr<64>>(values, &tile[threadIdx.x * 4]);
  for (unsigned v = 0; v < 4; ++v) out[threadIdx.x * 4 + v] = values[v];
}

#include "kernels/halves.cu"
//
#include "by_hand.hpp"

using co::host::array;

TEST_CASE("host: ldmatrix and cp.async by the kernel's own wrappers") {
  std::vector<std::uint16_t> in(32 * 64), out(32 * 8);
  for (unsigned k = 0; k != in.size(); ++k) in[k] = static_cast<std::uint16_t>(k);
  auto const seen = co::host::record<cc90>(matrices, co::launch{.block = {32}},
                                           array{"in", reinterpret_cast<uint4*>(in.data()), 32 * 8}, array{"out", out});
  // PTX ISA, "ldmatrix": lane k receives of each matrix the elements 2 (k % 4) and the next of row k / 4.
  for (unsigned lane = 0; lane != 32; ++lane)
    for (unsigned v = 0; v != 8; ++v) CHECK(out[lane * 8 + v] == (v / 2 * 8 + lane / 4) * 64 + lane % 4 * 2 + v % 2);
  unsigned found = 0;
  for (co::site const& s : seen) {
    if (std::string(s.instruction).find("ldmatrix") != std::string::npos) {
      CHECK((s.kind == co::touch::issued && s.cost.issued == 1));
      CHECK((s.cost.rounds == 4 * 8 && std::string(s.array) == "tile"));  // rows of 128 bytes: all on the same banks
      CHECK(std::string(s.at.file).ends_with("intrinsics.cpp"));
      ++found;
    }
    if (std::string(s.instruction).find("cp_async") != std::string::npos) {
      CHECK((s.kind == co::touch::issued && s.cost.issued == 8));
      found += 10;
    }
  }
  CHECK(found == 21);
}

TEST_CASE("host: a transposing read of LDS") {
  std::vector<std::uint16_t> in(256), out(256);
  for (unsigned k = 0; k != 256; ++k) in[k] = static_cast<std::uint16_t>(k);
  auto const seen = co::host::record<gfx950>(turned, co::launch{.block = {64}}, array{"in", in}, array{"out", out});
  // In each group of 16 lanes: a 16 x 4 matrix in rows is received in columns.
  for (unsigned lane = 0; lane != 64; ++lane)
    for (unsigned v = 0; v != 4; ++v) {
      unsigned const column = lane % 16;
      CHECK(out[lane * 4 + v] == (lane - column + v * 4 + column / 4) * 4 + column % 4);
    }
  CHECK(std::string(seen.text()).find("ds_read_tr") != std::string::npos);
}

TEST_CASE("host: an instruction of wider waves") {
  std::vector<std::uint16_t> in(256), out(256);
  CHECK_THROWS_AS(
      static_cast<void>(co::host::record<cc90>(turned, co::launch{.block = {64}}, array{"in", in}, array{"out", out})),
      co::misuse);
}

TEST_CASE("host: exchanges of a part of the warp do not part the lanes after them") {
  std::vector<int> in(32), out(64);
  for (unsigned k = 0; k != 32; ++k) in[k] = static_cast<int>(k);
  auto const seen = co::host::record<cc90>(halves, co::launch{.block = {32}}, array{"in", in}, array{"out", out});
  CHECK((out[32] == 0 + 1 + 2 + 3 && out[63] == 30 + 31));
  CHECK(seen.loads("in").issued == 1);
  CHECK(seen.stores("out").issued == 2);  // of 16 lanes, and of all
  CHECK(seen.stores("out").transactions == 2 + 4);
}

// CUDA C++ Programming Guide, "Built-in Vector Types", table "Alignment Requirements".
TEST_CASE("host: vector types have CUDA's sizes and alignments, and functions that make them") {
  unsigned checked = 0;
  auto const check = [&](std::size_t bytes, std::size_t alignment, auto one, auto two, auto three, auto four) {
    auto const is = [](auto const& made, std::size_t size, std::size_t aligned) {
      return sizeof made == size && alignof(decltype(made)) == aligned;
    };
    CHECK((is(one, bytes, bytes) && one.x == 1));
    CHECK((is(two, 2 * bytes, 2 * bytes) && two.x == 1 && two.y == 2));
    CHECK((is(three, 3 * bytes, bytes) && three.x == 1 && three.y == 2 && three.z == 3));
    CHECK((is(four, 4 * bytes, alignment) && four.x == 1 && four.y == 2 && four.z == 3 && four.w == 4));
    ++checked;
  };
  check(1, 4, make_char1(1), make_char2(1, 2), make_char3(1, 2, 3), make_char4(1, 2, 3, 4));
  check(1, 4, make_uchar1(1), make_uchar2(1, 2), make_uchar3(1, 2, 3), make_uchar4(1, 2, 3, 4));
  check(2, 8, make_short1(1), make_short2(1, 2), make_short3(1, 2, 3), make_short4(1, 2, 3, 4));
  check(2, 8, make_ushort1(1), make_ushort2(1, 2), make_ushort3(1, 2, 3), make_ushort4(1, 2, 3, 4));
  check(4, 16, make_int1(1), make_int2(1, 2), make_int3(1, 2, 3), make_int4(1, 2, 3, 4));
  check(4, 16, make_uint1(1), make_uint2(1, 2), make_uint3(1, 2, 3), make_uint4(1, 2, 3, 4));
  check(8, 16, make_long1(1), make_long2(1, 2), make_long3(1, 2, 3), make_long4(1, 2, 3, 4));
  check(8, 16, make_ulong1(1), make_ulong2(1, 2), make_ulong3(1, 2, 3), make_ulong4(1, 2, 3, 4));
  check(8, 16, make_longlong1(1), make_longlong2(1, 2), make_longlong3(1, 2, 3), make_longlong4(1, 2, 3, 4));
  check(8, 16, make_ulonglong1(1), make_ulonglong2(1, 2), make_ulonglong3(1, 2, 3), make_ulonglong4(1, 2, 3, 4));
  check(4, 16, make_float1(1), make_float2(1, 2), make_float3(1, 2, 3), make_float4(1, 2, 3, 4));
  check(8, 16, make_double1(1), make_double2(1, 2), make_double3(1, 2, 3), make_double4(1, 2, 3, 4));
  CHECK(checked == 12);
}

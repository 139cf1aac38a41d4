// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cuda.hpp>

#include <iterator>
#include <string>
#include <type_traits>
#include <utility>

#include "every/machines.hpp"

namespace coalescing_tests {

namespace cuda = coalescing::cuda;

/// The forms of ldmatrix and stmatrix as PTX spells them.
struct matrix_name {
  cuda::matrix form;
  char const* name;
};
inline constexpr matrix_name matrix_names[] = {
    {cuda::matrix::m8n8, "m8n8"},
    {cuda::matrix::m8n8_trans, "m8n8_trans"},
    {cuda::matrix::m16n16_trans_b8, "m16n16_trans_b8"},
    {cuda::matrix::m16n16_trans_b6, "m16n16_trans_b6"},
    {cuda::matrix::m16n16_trans_b4, "m16n16_trans_b4"},
    {cuda::matrix::m8n16_b6, "m8n16_b6"},
    {cuda::matrix::m8n16_b4, "m8n16_b4"},
    {cuda::matrix::m16n8_trans_b8, "m16n8_trans_b8"},
};
constexpr char const* spelling_of(cuda::matrix form) {
  for (matrix_name const& line : matrix_names)
    if (line.form == form) return line.name;
  return nullptr;
}

/// 90 of cuda::cc90.
template <class Device>
inline constexpr unsigned capability_of = 0;
template <unsigned Number>
inline constexpr unsigned capability_of<cuda::device<Number>> = Number;

/// Calls see.template operator()<Instruction>(machine, name) for every instruction of a compute capability. Which it
/// has is written out here, not asked of the library: those of 1.x have no atomics, and so on.
template <class Device, class See>
void each_instruction(See const& see) {
  constexpr unsigned capability = capability_of<Device>;
  std::string const m = Device::name;
  // One text a call, since a compiler makes each call.
  auto const named = [](char const* begin, std::string const& middle, char const* end) { return begin + middle + end; };
  auto const width = [&]<unsigned Bits>() {
    std::string const bits = std::to_string(Bits);
    see.template operator()<typename Device::template load<Bits>>(m, named("load<", bits, ">"));
    see.template operator()<typename Device::template store<Bits>>(m, named("store<", bits, ">"));
    if constexpr (capability >= 20 && capability < 40)
      see.template operator()<typename Device::template load<Bits, cuda::caching::l2>>(m, named("load<", bits, ",l2>"));
    if constexpr (capability == 20 || capability == 21 || capability == 35 || capability == 37)
      see.template operator()<typename Device::template load<Bits, cuda::caching::l1>>(m, named("load<", bits, ",l1>"));
    if constexpr (Bits != 256) {
      see.template operator()<typename Device::template constant_load<Bits>>(m, named("constant_load<", bits, ">"));
      see.template operator()<typename Device::template shared_load<Bits>>(m, named("shared_load<", bits, ">"));
      see.template operator()<typename Device::template shared_store<Bits>>(m, named("shared_store<", bits, ">"));
      if constexpr (capability >= 30 && capability < 40) {
        see.template operator()<typename Device::template shared_load<Bits, cuda::shared_mode::four_byte_banks>>(
            m, named("shared_load<", bits, ",four_byte_banks>"));
        see.template operator()<typename Device::template shared_load<Bits, cuda::shared_mode::eight_byte_banks>>(
            m, named("shared_load<", bits, ",eight_byte_banks>"));
        see.template operator()<typename Device::template shared_store<Bits, cuda::shared_mode::eight_byte_banks>>(
            m, named("shared_store<", bits, ",eight_byte_banks>"));
      }
      if constexpr (capability >= 50 && (Bits == 64 || Bits == 128)) {
        see.template operator()<typename Device::template shared_load<Bits, cuda::shared_mode::pair_merge>>(
            m, named("shared_load<", bits, ",pair_merge>"));
        see.template operator()<typename Device::template shared_load<Bits, cuda::shared_mode::no_merge>>(
            m, named("shared_load<", bits, ",no_merge>"));
      }
    }
    constexpr bool red = Bits == 32 || Bits == 64 || (Bits == 16 && capability >= 70);
    if constexpr (capability >= 20 && red)
      see.template operator()<typename Device::template red<Bits>>(m, named("red<", bits, ">"));
    if constexpr ((Bits == 16 && capability >= 70) || (Bits == 128 && capability >= 90))
      see.template operator()<typename Device::template atomic<Bits>>(m, named("atomic<", bits, ">"));
    if constexpr ((Bits == 32 || Bits == 64) && capability >= 20) {
      see.template operator()<typename Device::template atomic<Bits>>(m, named("atomic<", bits, ">"));
      see.template operator()<typename Device::template shared_atomic<Bits>>(m, named("shared_atomic<", bits, ">"));
    }
  };
  width.template operator()<8>();
  width.template operator()<16>();
  width.template operator()<32>();
  width.template operator()<64>();
  width.template operator()<128>();
  if constexpr (capability >= 100) width.template operator()<256>();

  auto const matrices = [&]<std::size_t Index>() {
    constexpr cuda::matrix_form const& row = cuda::matrix_forms[Index];
    constexpr char const* form = spelling_of(row.form);
    static_assert(form != nullptr, "a form without a line in tests/truth/instructions/cuda.hpp, table matrix_names");
    auto const number = [&]<unsigned N>() {
      std::string const name = "<" + std::to_string(N) + "," + form + ">";
      if constexpr (row.loaded && capability >= 75)
        see.template operator()<typename Device::template ldmatrix<N, row.form>>(m, named("ldmatrix", name, ""));
      if constexpr (row.stored && capability >= 90)
        see.template operator()<typename Device::template stmatrix<N, row.form>>(m, named("stmatrix", name, ""));
    };
    if constexpr (row.bits == 16 || capability >= 100) {
      number.template operator()<1>(), number.template operator()<2>();
      if constexpr ((row.transposed ? row.columns : row.rows) == 8) number.template operator()<4>();
    }
  };
  [&]<std::size_t... Index>(std::index_sequence<Index...>) { (matrices.template operator()<Index>(), ...); }
  (std::make_index_sequence<std::size(cuda::matrix_forms)>{});
  auto const copy = [&]<unsigned Bytes, unsigned Source>() {
    std::string const name = "cp_async<" + std::to_string(Bytes) + "," + std::to_string(Source) + ">";
    see.template operator()<typename Device::template cp_async<Bytes, Source>::global>(m, named("", name, "::global"));
    if constexpr (Bytes == Source)
      see.template operator()<typename Device::template cp_async<Bytes, Source>::shared>(m,
                                                                                         named("", name, "::shared"));
  };
  if constexpr (capability >= 80) {
    copy.template operator()<4, 4>();
    copy.template operator()<8, 8>();
    copy.template operator()<16, 16>();
    copy.template operator()<16, 12>();
    copy.template operator()<16, 0>();
    copy.template operator()<8, 1>();
  }
}
/// For every instruction of every compute capability.
template <class See>
void each_instruction_of_cuda(See const& see) {
  each_that<cuda::every_machine, is_shown<See>>([&]<class Device>() { each_instruction<Device>(see); });
}

}  // namespace coalescing_tests

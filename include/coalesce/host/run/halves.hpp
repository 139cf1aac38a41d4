// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <cmath>

// The functions that NVIDIA's headers of 16-bit floating point have only for devices. Here they compute with floats. A
// macro writes them out for each of the two types. Source: CUDA Math API, "Half Precision Intrinsics", "Bfloat16
// Precision Intrinsics".

#define COALESCE_HALF_FUNCTION(type, pair, name, of_two, words) \
  inline type name(type of) {                                   \
    float const x = static_cast<float>(of);                     \
    return type(static_cast<float>(words));                     \
  }                                                             \
  inline pair of_two(pair of) { return {name(of.x), name(of.y)}; }
#define COALESCE_HALVES(type, pair)                                                             \
  COALESCE_HALF_FUNCTION(type, pair, hexp, h2exp, std::exp(x))                                  \
  COALESCE_HALF_FUNCTION(type, pair, hexp2, h2exp2, std::exp2(x))                               \
  COALESCE_HALF_FUNCTION(type, pair, hexp10, h2exp10, std::pow(10.0f, x))                       \
  COALESCE_HALF_FUNCTION(type, pair, hlog, h2log, std::log(x))                                  \
  COALESCE_HALF_FUNCTION(type, pair, hlog2, h2log2, std::log2(x))                               \
  COALESCE_HALF_FUNCTION(type, pair, hlog10, h2log10, std::log10(x))                            \
  COALESCE_HALF_FUNCTION(type, pair, hsqrt, h2sqrt, std::sqrt(x))                               \
  COALESCE_HALF_FUNCTION(type, pair, hrsqrt, h2rsqrt, 1 / std::sqrt(x))                         \
  COALESCE_HALF_FUNCTION(type, pair, hrcp, h2rcp, 1 / x)                                        \
  COALESCE_HALF_FUNCTION(type, pair, hsin, h2sin, std::sin(x))                                  \
  COALESCE_HALF_FUNCTION(type, pair, hcos, h2cos, std::cos(x))                                  \
  COALESCE_HALF_FUNCTION(type, pair, htanh, h2tanh, std::tanh(x))                               \
  COALESCE_HALF_FUNCTION(type, pair, hfloor, h2floor, std::floor(x))                            \
  COALESCE_HALF_FUNCTION(type, pair, hceil, h2ceil, std::ceil(x))                               \
  COALESCE_HALF_FUNCTION(type, pair, hrint, h2rint, std::rint(x))                               \
  COALESCE_HALF_FUNCTION(type, pair, htrunc, h2trunc, std::trunc(x))                            \
  inline type __hfma(type a, type b, type c) {                                                  \
    return type(std::fma(static_cast<float>(a), static_cast<float>(b), static_cast<float>(c))); \
  }                                                                                             \
  inline pair __hfma2(pair a, pair b, pair c) { return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)}; }

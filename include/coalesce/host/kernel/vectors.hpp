// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/kernel/interface.hpp>

#include <cstdint>
#include <type_traits>

// float4 and its like: vectors of two to four numbers. A copy of one is a single access, as a GPU's vector load is.
// Alignments: CUDA C++ Programming Guide, "Built-in Vector Types".

namespace coalescing::detail::host_words {

template <unsigned Bytes>
struct of_bytes;
template <>
struct of_bytes<2> {
  typedef std::uint16_t type __attribute__((may_alias));
};
template <>
struct of_bytes<4> {
  typedef std::uint32_t type __attribute__((may_alias));
};
template <>
struct of_bytes<8> {
  typedef std::uint64_t type __attribute__((may_alias));
};
template <>
struct of_bytes<16> {
  typedef std::uint32_t type __attribute__((vector_size(16), may_alias));
};

/// Copies a vector in as few accesses as a GPU would, each of at most 16 bytes.
template <unsigned Bytes>
__attribute__((always_inline)) inline void copy(void* to, void const* from) {
  constexpr unsigned step = Bytes < 16 ? Bytes : 16;
  using word = typename of_bytes<step>::type;
  static_cast<word*>(to)[0] = static_cast<word const*>(from)[0];
  if constexpr (Bytes == 32) static_cast<word*>(to)[1] = static_cast<word const*>(from)[1];
}

}  // namespace coalescing::detail::host_words

namespace coalescing::host::words {

using host::dim3;
using host::uint3;

template <class T, unsigned Count>
struct vector_of;

template <class T>
struct alignas(2 * sizeof(T)) vector_of<T, 2> {
  T x, y;
  vector_of() = default;
  constexpr vector_of(T a, T b) : x(a), y(b) {}
  __attribute__((always_inline)) vector_of(vector_of const& from) {
    detail::host_words::copy<sizeof from>(this, &from);
  }
  __attribute__((always_inline)) vector_of& operator=(vector_of const& from) {
    detail::host_words::copy<sizeof from>(this, &from);
    return *this;
  }
};
template <class T>
struct vector_of<T, 3> {
  T x, y, z;
};
template <class T>
struct alignas(4 * sizeof(T) < 16 ? 4 * sizeof(T) : 16) vector_of<T, 4> {
  T x, y, z, w;
  vector_of() = default;
  constexpr vector_of(T a, T b, T c, T d) : x(a), y(b), z(c), w(d) {}
  __attribute__((always_inline)) vector_of(vector_of const& from) {
    detail::host_words::copy<sizeof from>(this, &from);
  }
  __attribute__((always_inline)) vector_of& operator=(vector_of const& from) {
    detail::host_words::copy<sizeof from>(this, &from);
    return *this;
  }
};

using uint = unsigned;
using uchar = unsigned char;
using ushort = unsigned short;
using longlong = long long;
using ulonglong = unsigned long long;

using char2 = vector_of<signed char, 2>;
using char4 = vector_of<signed char, 4>;
using uchar2 = vector_of<uchar, 2>;
using uchar4 = vector_of<uchar, 4>;
using short2 = vector_of<short, 2>;
using short4 = vector_of<short, 4>;
using ushort2 = vector_of<ushort, 2>;
using ushort4 = vector_of<ushort, 4>;
using int2 = vector_of<int, 2>;
using int3 = vector_of<int, 3>;
using int4 = vector_of<int, 4>;
using uint2 = vector_of<uint, 2>;
using uint4 = vector_of<uint, 4>;
using longlong2 = vector_of<longlong, 2>;
using ulonglong2 = vector_of<ulonglong, 2>;
using float2 = vector_of<float, 2>;
using float3 = vector_of<float, 3>;
using float4 = vector_of<float, 4>;
using double2 = vector_of<double, 2>;
using double3 = vector_of<double, 3>;
using double4 = vector_of<double, 4>;

inline int2 make_int2(int x, int y) { return {x, y}; }
inline int3 make_int3(int x, int y, int z) { return {x, y, z}; }
inline int4 make_int4(int x, int y, int z, int w) { return {x, y, z, w}; }
inline uint2 make_uint2(uint x, uint y) { return {x, y}; }
inline uint3 make_uint3(uint x, uint y, uint z) { return {x, y, z}; }
inline uint4 make_uint4(uint x, uint y, uint z, uint w) { return {x, y, z, w}; }
inline float2 make_float2(float x, float y) { return {x, y}; }
inline float3 make_float3(float x, float y, float z) { return {x, y, z}; }
inline float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }
inline double2 make_double2(double x, double y) { return {x, y}; }
inline uchar4 make_uchar4(uchar x, uchar y, uchar z, uchar w) { return {x, y, z, w}; }

}  // namespace coalescing::host::words

// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/kernel/interface.hpp>

#include <cstdint>
#include <type_traits>

// The vectors of one to four numbers, such as float4. A vector of two or four numbers is copied by as few accesses as
// on a GPU. Alignments: CUDA C++ Programming Guide, "Built-in Vector Types".

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
struct vector_of<T, 1> {
  T x;
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
using ulong = unsigned long;
using longlong = long long;
using ulonglong = unsigned long long;

// A macro writes out the types of an element, and the functions that make them: float1 to float4, make_float1 to
// make_float4.
#define COALESCE_VECTORS(name, element)                                                \
  using name##1 = vector_of<element, 1>;                                               \
  using name##2 = vector_of<element, 2>;                                               \
  using name##4 = vector_of<element, 4>;                                               \
  inline name##1 make_##name##1(element x) { return {x}; }                             \
  inline name##2 make_##name##2(element x, element y) { return {x, y}; }               \
  inline name##3 make_##name##3(element x, element y, element z) { return {x, y, z}; } \
  inline name##4 make_##name##4(element x, element y, element z, element w) { return {x, y, z, w}; }
#define COALESCE_TRIPLES(name, element)  \
  using name##3 = vector_of<element, 3>; \
  COALESCE_VECTORS(name, element)
COALESCE_TRIPLES(char, signed char)
COALESCE_TRIPLES(uchar, uchar)
COALESCE_TRIPLES(short, short)
COALESCE_TRIPLES(ushort, ushort)
COALESCE_TRIPLES(int, int)
COALESCE_VECTORS(uint, uint)  // not uint3, which is the type of threadIdx
COALESCE_TRIPLES(long, long)
COALESCE_TRIPLES(ulong, ulong)
COALESCE_TRIPLES(longlong, longlong)
COALESCE_TRIPLES(ulonglong, ulonglong)
COALESCE_TRIPLES(float, float)
COALESCE_TRIPLES(double, double)
#undef COALESCE_TRIPLES
#undef COALESCE_VECTORS

}  // namespace coalescing::host::words

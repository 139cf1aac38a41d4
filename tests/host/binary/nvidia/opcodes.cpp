// SPDX-License-Identifier: BSL-1.0
// Each opcode of SASS that computes addresses or predicates, beside a slow oracle that works on lists of bits: on
// random operands, in a kernel that stores what the opcode left; and on operands whose bits are partly unknown.
//
// opcodes TEXT... [--break]: the opcodes of these texts must be among the forms below. --break compares with results of
// which one bit is wrong, and must find each form wrong.
#include <coalesce/host/binary/nvidia.hpp>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace co = coalescing;
namespace sass = coalescing::sass;
using co::binary_argument;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

namespace {

unsigned failures = 0;
void fail(std::string const& what) { ++failures, std::printf("%s\n", what.c_str()); }

// ---- Numbers as lists of bits, the lowest first ----

using bits = std::vector<int>;
using B = bits const&;
bits list(u64 a, std::size_t width) {
  bits to;
  for (std::size_t k = 0; k != width; ++k, a /= 2) to.push_back(static_cast<int>(a % 2));
  return to;
}
u64 number(B a) {
  u64 to = 0;
  for (std::size_t k = a.size(); k != 0; --k) to = 2 * to + static_cast<u64>(a[k - 1]);
  return to;
}
bits cut(bits a, std::size_t width, int fill = 0) { return a.resize(width, fill), a; }
bits stretched(B a, std::size_t width) { return cut(a, width, a.back()); }
bits upper(B a) { return {a.begin() + 32, a.end()}; }
/// b above a.
bits pair(bits a, B b) { return a.insert(a.end(), b.begin(), b.end()), a; }
bits flipped(bits a) {
  for (int& bit : a) bit = 1 - bit;
  return a;
}
bits sum(B a, B b, int carry = 0) {
  bits to;
  for (std::size_t k = 0; k != a.size(); ++k) {
    int const all = a[k] + b[k] + carry;
    to.push_back(all % 2), carry = all / 2;
  }
  return to;
}
bits negated(B a) { return sum(flipped(a), bits(a.size()), 1); }
bits difference(B a, B b) { return sum(a, negated(b)); }
bits up(B a, std::size_t count) {
  bits to(a.size());
  for (std::size_t k = count; k < a.size(); ++k) to[k] = a[k - count];
  return to;
}
bits down(B a, std::size_t count, int fill = 0) {
  bits to(a.size(), fill);
  for (std::size_t k = 0; k + count < a.size(); ++k) to[k] = a[k + count];
  return to;
}
/// The product of two numbers of 32 bits: 64 bits.
bits product(B a, B b, bool is_signed) {
  bits const x = is_signed ? stretched(a, 64) : cut(a, 64), y = is_signed ? stretched(b, 64) : cut(b, 64);
  bits to(64);
  for (std::size_t k = 0; k != 64; ++k)
    if (y[k] != 0) to = sum(to, up(x, k));
  return to;
}
/// Which of two numbers is less, from the highest bit on.
bool less(B a, B b, bool is_signed) {
  for (std::size_t k = a.size(); k != 0; --k)
    if (a[k - 1] != b[k - 1]) return (a[k - 1] < b[k - 1]) != (is_signed && k == a.size());
  return false;
}
bool compared(std::string const& how, B a, B b, bool is_signed) {
  if (how == "LT") return less(a, b, is_signed);
  if (how == "GT") return less(b, a, is_signed);
  if (how == "LE") return !less(b, a, is_signed);
  if (how == "GE") return !less(a, b, is_signed);
  return (a == b) == (how == "EQ");
}
bits by_bit(B a, B b, B c, std::function<int(int, int, int)> const& pick) {
  bits to;
  for (std::size_t k = 0; k != a.size(); ++k) to.push_back(pick(a[k], b[k], c[k]) & 1);
  return to;
}
bool some(B a) { return number(a) != 0; }
/// How often 2^32 fits into a sum of up to three numbers.
unsigned carries(std::vector<bits> const& terms, unsigned more = 0) {
  u64 all = more;
  for (B each : terms) all += number(each);
  return static_cast<unsigned>(all >> 32);
}

// ---- Operands, results, forms ----

/// A lane has: four words and pairs of words, three predicates.
struct operands {
  u32 word[8] = {};
  [[nodiscard]] bits r(unsigned k) const { return list(word[k - 4], 32); }
  [[nodiscard]] bits pair_at(unsigned k) const { return pair(r(k), r(k + 1)); }
  [[nodiscard]] bool p(unsigned k) const { return (word[7] >> k & 1) != 0; }
};
struct result {
  bits to = {};  ///< 32 or 64 bits, or nothing
  int first = -1, second = -1;
  bool operator==(result const&) const = default;
};
using meaning = std::function<result(operands const&)>;
struct form {
  std::vector<std::string> texts;  ///< they mean one thing
  meaning means;
};
u32 const parameter = 0x89abcdef;  // c[0x0][0x220]

result in_register(bits to) { return {std::move(to)}; }
result in_predicates(bool first, bool second) { return {{}, first, second}; }
/// A sum of 32 bits, with one carry or two.
result added(std::vector<bits> const& terms, unsigned more = 0, bool with_carries = true) {
  bits all = list(more, 32);
  for (B each : terms) all = sum(all, each);
  unsigned const over = carries(terms, more);
  return with_carries ? result{all, over >= 1, over >= 2} : result{all};
}

// The registers of a lane: R4 to R10 are words, R11 has the predicates P0 to P2; RZ is 0. UR4 to UR11, UP0 to UP2 hold
// the same. Results go to R20, R21, P4, P5, or to UR20, UR21, UP4, UP5.
std::vector<form> forms() {
  std::vector<form> made;
  auto const add = [&made](std::vector<std::string> texts, meaning means) {
    made.push_back({std::move(texts), std::move(means)});
  };
  using O = operands const&;
  add({"MOV R20, R4", "IMAD.MOV.U32 R20, RZ, RZ, R4", "IMAD.MOV R20, RZ, RZ, R4", "UMOV UR20, UR4",
       "IMAD.U32 R20, RZ, RZ, UR4", "R2UR UR20, R4", "SEL R20, R4, R6, PT", "LOP3.LUT R20, R4, RZ, RZ, 0xfc, !PT"},
      [](O o) { return in_register(o.r(4)); });
  add({"MOV R20, 0x80000001", "MOV32I R20, 0x80000001", "HFMA2.MMA R20, -RZ, RZ, -0.0, 5.9604644775390625e-08",
       "HFMA2 R20, -RZ, RZ, -0, 5.9604644775390625e-08", "UMOV UR20, 0x80000001"},
      [](O) { return in_register(list(0x80000001u, 32)); });
  add({"MOV.64 R20, R4", "UMOV.64 UR20, UR4"}, [](O o) { return in_register(o.pair_at(4)); });
  add({"MOV R20, c[0x0][0x220]"}, [](O) { return in_register(list(parameter, 32)); });

  // Sums
  add({"IADD3 R20, P4, P5, R4, R6, R8", "IADD3 R20, P4, P5, R8, R4.reuse, R6", "UIADD3 UR20, UP4, UP5, UR4, UR6, UR8"},
      [](O o) {
        return added({o.r(4), o.r(6), o.r(8)});
      });
  add({"IADD3 R20, R4, R6, R8", "IADD3 R20, R4, UR6, R8", "IADD3 R20, PT, PT, R4, R6, R8"}, [](O o) {
    return added({o.r(4), o.r(6), o.r(8)}, 0, false);
  });
  // a - b carries where it does not borrow: a >= b.
  add({"IADD3 R20, P4, R4, -R6, RZ", "IADD3 R20, P4, PT, R4, -R6, RZ", "UIADD3 UR20, UP4, UR4, -UR6, URZ"}, [](O o) {
    return result{difference(o.r(4), o.r(6)), !less(o.r(4), o.r(6), false), -1};
  });
  add({"IADD3 R20, -R4, R6, R8", "IADD3 R20, R6, -R4, R8"},
      [](O o) { return in_register(difference(sum(o.r(6), o.r(8)), o.r(4))); });
  add({"IADD3 R20, R4, -R6, -R8"}, [](O o) { return in_register(difference(difference(o.r(4), o.r(6)), o.r(8))); });
  add({"IADD3 R20, P4, R4, 0xfffffff0, RZ", "IADD3 R20, P4, R4, -0x10, RZ"}, [](O o) {
    return result{added({o.r(4), list(0xfffffff0u, 32)}).to, !less(o.r(4), list(16, 32), false), -1};
  });
  add({"IADD3 R20, R4, c[0x0][0x220], RZ"}, [](O o) { return in_register(sum(o.r(4), list(parameter, 32))); });
  add({"IADD3 R20, R4, -c[0x0][0x220], RZ"}, [](O o) { return in_register(difference(o.r(4), list(parameter, 32))); });
  add({"IADD3.X R20, P4, P5, R4, R6, R8, P0, P1", "UIADD3.X UR20, UP4, UP5, UR4, UR6, UR8, UP0, UP1"}, [](O o) {
    return added({o.r(4), o.r(6), o.r(8)}, unsigned{o.p(0)} + unsigned{o.p(1)});
  });
  add({"IADD3.X R20, P4, R4, ~R6, RZ, P0, !PT", "UIADD3.X UR20, UP4, UR4, ~UR6, URZ, UP0, !UPT"}, [](O o) {
    result to = added({o.r(4), flipped(o.r(6))}, unsigned{o.p(0)});
    return to.second = -1, to;
  });
  add({"IADD3.X R20, R4, R6, RZ, !P0, !PT"}, [](O o) { return in_register(sum(o.r(4), o.r(6), o.p(0) ? 0 : 1)); });
  add({"IADD.64 R20, R4, R6"}, [](O o) { return in_register(sum(o.pair_at(4), o.pair_at(6))); });
  add({"UIADD3.64 UR20, UPT, UPT, UR4, UR6, UR8"},
      [](O o) { return in_register(sum(sum(o.pair_at(4), o.pair_at(6)), o.pair_at(8))); });
  add({"VIADD R20, R4, R6", "IMAD.IADD R20, R4, 0x1, R6", "IMAD.IADD.U32 R20, R4, 0x1, R6", "IADD3 R20, R4, R6, RZ"},
      [](O o) { return in_register(sum(o.r(4), o.r(6))); });
  add({"VIADD R20, R4, 0xffffffff"}, [](O o) { return in_register(difference(o.r(4), list(1, 32))); });
  add({"IMAD.IADD R20, R4, 0x1, -R6", "VIADD R20, R4, -R6"},
      [](O o) { return in_register(difference(o.r(4), o.r(6))); });

  // Products
  auto const low = [](B a) { return cut(a, 32); };
  add({"IMAD R20, R4, R6, R8", "UIMAD UR20, UR4, UR6, UR8", "IMAD R20, R4, UR6, R8", "IMAD.U32 R20, R4, R6, R8"},
      [=](O o) { return in_register(sum(low(product(o.r(4), o.r(6), false)), o.r(8))); });
  add({"IMAD R20, R4, R6, -R8"},
      [=](O o) { return in_register(difference(low(product(o.r(4), o.r(6), false)), o.r(8))); });
  add({"IMAD R20, R4, -R6, R8", "IMAD R20, -R4, R6, R8"},
      [=](O o) { return in_register(difference(o.r(8), low(product(o.r(4), o.r(6), false)))); });
  add({"IMAD R20, R4, -0x3, R8"},
      [=](O o) { return in_register(difference(o.r(8), sum(sum(o.r(4), o.r(4)), o.r(4)))); });
  add({"IMAD R20, R4, c[0x0][0x220], R8"},
      [=](O o) { return in_register(sum(low(product(o.r(4), list(parameter, 32), false)), o.r(8))); });
  add({"IMAD.SHL.U32 R20, R4, 0x20, RZ", "IMAD.SHL R20, R4, 0x20, RZ", "SHF.L.U32 R20, R4, 0x5, RZ",
       "USHF.L.U32 UR20, UR4, 0x5, URZ", "LEA R20, R4, RZ, 0x5"},
      [](O o) { return in_register(up(o.r(4), 5)); });
  add({"IMAD.X R20, R4, R6, R8, P0", "UIMAD.X UR20, UR4, UR6, UR8, UP0"},
      [=](O o) { return in_register(sum(low(product(o.r(4), o.r(6), false)), o.r(8), o.p(0) ? 1 : 0)); });
  add({"IMAD.X R20, RZ, RZ, R8, !P0"}, [](O o) { return in_register(sum(o.r(8), bits(32), o.p(0) ? 0 : 1)); });
  add({"IMAD.WIDE R20, R4, R6, R8", "UIMAD.WIDE UR20, UR4, UR6, UR8"},
      [](O o) { return in_register(sum(product(o.r(4), o.r(6), true), o.pair_at(8))); });
  add({"IMAD.WIDE R20, R4, -0x8, R8"},
      [](O o) { return in_register(difference(o.pair_at(8), up(stretched(o.r(4), 64), 3))); });
  add({"IMAD.WIDE.U32 R20, R4, R6, RZ"}, [](O o) { return in_register(product(o.r(4), o.r(6), false)); });
  add({"IMAD.WIDE.U32 R20, P4, R4, R6, R8", "UIMAD.WIDE.U32 UR20, UP4, UR4, UR6, UR8"}, [](O o) {
    bits const all = sum(product(o.r(4), o.r(6), false), o.pair_at(8));
    return result{all, less(all, o.pair_at(8), false), -1};  // it wraps where the sum is less than a term
  });
  add({"IMAD.WIDE.U32.X R20, R4, R6, R8, P0"},
      [](O o) { return in_register(sum(product(o.r(4), o.r(6), false), o.pair_at(8), o.p(0) ? 1 : 0)); });
  add({"IMAD.HI R20, R4, R6, R8"},
      [](O o) { return in_register(upper(sum(product(o.r(4), o.r(6), true), o.pair_at(8)))); });
  add({"IMAD.HI.U32 R20, R4, R6, R8", "UIMAD.HI.U32 UR20, UR4, UR6, UR8"},
      [](O o) { return in_register(upper(sum(product(o.r(4), o.r(6), false), o.pair_at(8)))); });
  add({"IMAD.HI.U32 R20, R4, R6, RZ"}, [](O o) { return in_register(upper(product(o.r(4), o.r(6), false))); });
  add({"IMAD.HI R20, R4, 0x2aaaaaab, RZ"},
      [](O o) { return in_register(upper(product(o.r(4), list(0x2aaaaaabu, 32), true))); });

  // LEA
  add({"LEA R20, P4, R4, R6, 0x3", "ULEA UR20, UP4, UR4, UR6, 0x3"}, [](O o) {
    return result{added({up(o.r(4), 3), o.r(6)}).to, carries({up(o.r(4), 3), o.r(6)}) >= 1, -1};
  });
  add({"LEA R20, R4, R6, 0x18", "LEA R20, R4, UR6, 0x18"},
      [](O o) { return in_register(sum(up(o.r(4), 24), o.r(6))); });
  add({"LEA R20, R4, -R6, 0x2"}, [](O o) { return in_register(difference(up(o.r(4), 2), o.r(6))); });
  add({"LEA R20, -R4, R6, 0x2"}, [](O o) { return in_register(difference(o.r(6), up(o.r(4), 2))); });
  add({"LEA.HI R20, R4, R6, R8, 0x5", "ULEA.HI UR20, UR4, UR6, UR8, 0x5"},
      [](O o) { return in_register(sum(upper(up(pair(o.r(4), o.r(8)), 5)), o.r(6))); });
  add({"LEA.HI R20, R4, R6, RZ, 0x1"}, [](O o) { return in_register(sum(down(o.r(4), 31), o.r(6))); });
  add({"LEA.HI.X R20, P4, R4, R6, R8, 0x5, P0", "ULEA.HI.X UR20, UP4, UR4, UR6, UR8, 0x5, UP0"}, [](O o) {
    bits const scaled = upper(up(pair(o.r(4), o.r(8)), 5));
    return result{sum(scaled, o.r(6), o.p(0) ? 1 : 0), carries({scaled, o.r(6)}, o.p(0)) >= 1, -1};
  });
  add({"LEA.HI.X.SX32 R20, R4, R6, 0x2, P0", "ULEA.HI.X.SX32 UR20, UR4, UR6, 0x2, UP0"},
      [](O o) { return in_register(sum(upper(up(stretched(o.r(4), 64), 2)), o.r(6), o.p(0) ? 1 : 0)); });
  add({"LEA.HI.SX32 R20, R4, R6, 0x1b"},
      [](O o) { return in_register(sum(upper(up(stretched(o.r(4), 64), 27)), o.r(6))); });

  // Shifts: the count of PTX's shf clamps at 32, or wraps.
  auto const count = [](B a, u64 most) { return static_cast<std::size_t>(number(a) < most ? number(a) : most); };
  auto const wrapped = [](B a, std::size_t width) { return static_cast<std::size_t>(number(cut(a, width))); };
  add({"SHF.L.U32 R20, R4, R6, RZ", "USHF.L.U32 UR20, UR4, UR6, URZ"},
      [=](O o) { return in_register(up(o.r(4), count(o.r(6), 32))); });
  add({"SHF.L.U32.HI R20, R4, R6, R8"},
      [=](O o) { return in_register(upper(up(pair(o.r(4), o.r(8)), count(o.r(6), 32)))); });
  add({"SHF.L.W.U32.HI R20, R4, R6, R8", "USHF.L.W.U32.HI UR20, UR4, UR6, UR8"},
      [=](O o) { return in_register(upper(up(pair(o.r(4), o.r(8)), wrapped(o.r(6), 5)))); });
  add({"SHF.L.W.U32 R20, R4, R6, R8"},
      [=](O o) { return in_register(low(up(pair(o.r(4), o.r(8)), wrapped(o.r(6), 5)))); });
  add({"SHF.R.W.U32.HI R20, R4, R6, R8"},
      [=](O o) { return in_register(upper(down(pair(o.r(4), o.r(8)), wrapped(o.r(6), 5)))); });
  add({"SHF.L.U64.HI R20, R4, R6, R8", "USHF.L.U64.HI UR20, UR4, UR6, UR8"},
      [=](O o) { return in_register(upper(up(pair(o.r(4), o.r(8)), count(o.r(6), 64)))); });
  add({"SHF.R.U32 R20, R4, R6, R8"},
      [=](O o) { return in_register(low(down(pair(o.r(4), o.r(8)), count(o.r(6), 32)))); });
  add({"SHF.R.W.U32 R20, R4, R6, R8"},
      [=](O o) { return in_register(low(down(pair(o.r(4), o.r(8)), wrapped(o.r(6), 5)))); });
  add({"SHF.R.U64 R20, R4, R6, R8", "USHF.R.U64 UR20, UR4, UR6, UR8"},
      [=](O o) { return in_register(low(down(pair(o.r(4), o.r(8)), count(o.r(6), 64)))); });
  add({"SHF.R.U32.HI R20, RZ, R6, R8", "USHF.R.U32.HI UR20, URZ, UR6, UR8"},
      [=](O o) { return in_register(down(o.r(8), count(o.r(6), 32))); });
  add({"SHF.R.U32.HI R20, RZ, 0x7, R8"}, [](O o) { return in_register(down(o.r(8), 7)); });
  add({"SHF.R.S32.HI R20, RZ, R6, R8", "USHF.R.S32.HI UR20, URZ, UR6, UR8"},
      [=](O o) { return in_register(down(o.r(8), count(o.r(6), 32), o.r(8)[31])); });
  add({"SHF.R.S32.HI R20, RZ, 0x1f, R8"}, [](O o) { return in_register(bits(32, o.r(8)[31])); });
  add({"SHF.R.S64 R20, R4, R6, R8"},
      [=](O o) { return in_register(low(down(pair(o.r(4), o.r(8)), count(o.r(6), 64), o.r(8)[31]))); });

  // Bits
  auto const lop3 = [&](std::vector<std::string> texts, std::function<int(int, int, int)> pick) {
    add(std::move(texts), [pick](O o) { return in_register(by_bit(o.r(4), o.r(6), o.r(8), pick)); });
  };
  lop3({"LOP3.LUT R20, R4, R6, R8, 0x80, !PT", "ULOP3.LUT UR20, UR4, UR6, UR8, 0x80, !UPT"},
       [](int a, int b, int c) { return a & b & c; });
  lop3({"LOP3.LUT R20, R4, R6, R8, 0xfe, !PT"}, [](int a, int b, int c) { return a | b | c; });
  lop3({"LOP3.LUT R20, R4, R6, R8, 0x96, !PT", "LOP3.LUT R20, R4, UR6, R8, 0x96, !PT"},
       [](int a, int b, int c) { return a ^ b ^ c; });
  lop3({"LOP3.LUT R20, R4, R6, R8, 0xca, !PT"}, [](int a, int b, int c) { return a != 0 ? b : c; });
  lop3({"LOP3.LUT R20, R4, R6, R8, 0xe8, !PT"}, [](int a, int b, int c) { return a + b + c >= 2 ? 1 : 0; });
  lop3({"LOP3.LUT R20, R4, R6, R8, 0x70, !PT"}, [](int a, int b, int c) { return a & (1 - (b & c)); });
  lop3({"LOP3.LUT R20, R4, R6, R8, 0xf2, !PT"}, [](int a, int b, int c) { return a | ((1 - b) & c); });
  lop3({"LOP3.LUT R20, RZ, R6, RZ, 0x33, !PT", "ULOP3.LUT UR20, URZ, UR6, URZ, 0x33, !UPT"},
       [](int, int b, int) { return 1 - b; });
  lop3({"LOP3.LUT R20, R4, R6, RZ, 0x3c, !PT"}, [](int a, int b, int) { return a ^ b; });
  lop3({"LOP3.LUT R20, R4, 0xffffffff, R8, 0x6c, !PT"}, [](int a, int, int c) { return 1 - (a & c); });
  add({"LOP3.LUT P4, R20, R4, R6, RZ, 0xc0, !PT", "ULOP3.LUT UP4, UR20, UR4, UR6, URZ, 0xc0, !UPT"}, [](O o) {
    bits const is = by_bit(o.r(4), o.r(6), o.r(8), [](int a, int b, int) { return a & b; });
    return result{is, some(is), -1};
  });
  add({"LOP3.LUT P4, RZ, R4, 0x8000001, RZ, 0xc0, P0"}, [](O o) {
    return result{{}, o.r(4)[0] + o.r(4)[27] != 0 || o.p(0), -1};
  });
  add({"LOP3.LUT.PAND P4, RZ, R4, 0x8000001, RZ, 0xc0, P0"}, [](O o) {
    return result{{}, o.r(4)[0] + o.r(4)[27] != 0 && o.p(0), -1};
  });
  add({"PLOP3.LUT P4, P5, P0, P1, P2, 0x80, 0xfe", "UPLOP3.LUT UP4, UP5, UP0, UP1, UP2, 0x80, 0xfe"},
      [](O o) { return in_predicates(o.p(0) && o.p(1) && o.p(2), o.p(0) || o.p(1) || o.p(2)); });
  add({"PLOP3.LUT P4, PT, !P0, P1, PT, 0x40, 0x0"},  // bit 6: a, b and not c
      [](O) {
        return result{{}, false, -1};
      });
  add({"PLOP3.LUT P4, P5, !P0, P1, P2, 0x96, 0xe8"}, [](O o) {
    int const a = o.p(0) ? 0 : 1, b = o.p(1) ? 1 : 0, c = o.p(2) ? 1 : 0;
    return in_predicates((a + b + c) % 2 == 1, a + b + c >= 2);
  });
  add({"BREV R20, R4", "UBREV UR20, UR4"}, [](O o) {
    bits const a = o.r(4);
    return in_register(bits(a.rbegin(), a.rend()));
  });
  add({"POPC R20, R4", "UPOPC UR20, UR4"}, [](O o) {
    u64 count_of = 0;
    for (int const bit : o.r(4)) count_of += static_cast<u64>(bit);
    return in_register(list(count_of, 32));
  });
  auto const leading = [](bits a, bool is_signed, bool from_above) {
    if (is_signed && a[31] != 0) a = flipped(a);
    for (std::size_t k = 32; k != 0; --k)
      if (a[k - 1] != 0) return in_register(list(from_above ? 32 - k : k - 1, 32));
    return in_register(bits(32, 1));
  };
  add({"FLO.U32 R20, R4", "UFLO.U32 UR20, UR4"}, [=](O o) { return leading(o.r(4), false, false); });
  add({"FLO.U32.SH R20, R4", "UFLO.U32.SH UR20, UR4"}, [=](O o) { return leading(o.r(4), false, true); });
  add({"FLO R20, R4"}, [=](O o) { return leading(o.r(4), true, false); });
  add({"FLO.SH R20, R4"}, [=](O o) { return leading(o.r(4), true, true); });
  add({"FLO.U32 R20, ~R4"}, [=](O o) { return leading(flipped(o.r(4)), false, false); });
  add({"IABS R20, R4"}, [](O o) { return in_register(o.r(4)[31] != 0 ? negated(o.r(4)) : o.r(4)); });
  auto const sign_of_part = [=](B a, std::size_t width, bool is_signed) {
    if (width == 0) return in_register(bits(32));
    return in_register(is_signed ? stretched(cut(a, width), 32) : cut(cut(a, width), 32));
  };
  add({"SGXT R20, R4, R6", "USGXT UR20, UR4, UR6"}, [=](O o) { return sign_of_part(o.r(4), count(o.r(6), 32), true); });
  add({"SGXT.U32 R20, R4, R6", "USGXT.U32 UR20, UR4, UR6"},
      [=](O o) { return sign_of_part(o.r(4), count(o.r(6), 32), false); });
  add({"SGXT R20, R4, 0x18"}, [=](O o) { return sign_of_part(o.r(4), 24, true); });
  add({"SGXT.W R20, R4, R6"}, [=](O o) { return sign_of_part(o.r(4), wrapped(o.r(6), 5), true); });
  add({"SGXT.W.U32 R20, R4, R6"}, [=](O o) { return sign_of_part(o.r(4), wrapped(o.r(6), 5), false); });
  auto const mask = [](std::size_t first, std::size_t width) {
    bits to(32);
    for (std::size_t k = first; k < first + width && k < 32; ++k) to[k] = 1;
    return in_register(to);
  };
  add({"BMSK R20, R4, R6", "UBMSK UR20, UR4, UR6"}, [=](O o) { return mask(count(o.r(4), 32), count(o.r(6), 32)); });
  add({"BMSK.W R20, R4, R6"}, [=](O o) { return mask(wrapped(o.r(4), 5), wrapped(o.r(6), 5)); });
  auto const permuted = [](O o, B selectors) {
    bits const bytes = pair(o.r(4), o.r(8));
    bits to;
    for (std::size_t k = 0; k != 4; ++k) {
      std::size_t const from = number({selectors.begin() + static_cast<std::ptrdiff_t>(4 * k),
                                       selectors.begin() + static_cast<std::ptrdiff_t>(4 * k + 3)});
      for (std::size_t bit = 0; bit != 8; ++bit) to.push_back(bytes[8 * from + (selectors[4 * k + 3] != 0 ? 7 : bit)]);
    }
    return in_register(to);
  };
  add({"PRMT R20, R4, R6, R8", "UPRMT UR20, UR4, UR6, UR8"}, [=](O o) { return permuted(o, o.r(6)); });
  add({"PRMT R20, R4, 0x654, R8"}, [=](O o) { return permuted(o, list(0x654, 32)); });
  add({"PRMT R20, R4, 0x8880, RZ"}, [](O o) { return in_register(stretched(cut(o.r(4), 8), 32)); });
  add({"PRMT R20, R4, 0xba98, RZ"}, [](O o) {
    bits to;
    for (std::size_t k = 0; k != 32; ++k) to.push_back(o.r(4)[k / 8 * 8 + 7]);
    return in_register(to);
  });

  // Choices
  add({"SEL R20, R4, R6, P0", "USEL UR20, UR4, UR6, UP0"}, [](O o) { return in_register(o.p(0) ? o.r(4) : o.r(6)); });
  add({"SEL.64 R20, R4, R6, P0", "USEL.64 UR20, UR4, UR6, UP0"},
      [](O o) { return in_register(o.p(0) ? o.pair_at(4) : o.pair_at(6)); });
  add({"SEL R20, R4, 0x7, !P0"}, [](O o) { return in_register(o.p(0) ? list(7, 32) : o.r(4)); });
  for (bool const is_signed : {true, false})
    for (int const smaller : {0, 1, 2}) {  // 2: PT
      std::string const to[] = {"!P0", "P0", "PT"}, u = is_signed ? "" : ".U32";
      std::string const of_warp[] = {"!UP0", "UP0", "UPT"}, s = is_signed ? ".S32" : ".U32";
      auto const either = [=](B a, B b, bool wants_smaller) { return less(a, b, is_signed) == wants_smaller ? a : b; };
      auto const wants_smaller = [=](O o) { return smaller == 2 || o.p(0) == (smaller == 1); };
      add({"IMNMX" + u + " R20, R4, R6, " + to[smaller], "VIMNMX" + s + " R20, R4, R6, " + to[smaller],
           "VIMNMX" + u + " R20, PT, PT, R4, R6, " + to[smaller],
           "UVIMNMX" + s + " UR20, UR4, UR6, " + of_warp[smaller],
           "UIMNMX" + u + " UR20, UR4, UR6, " + of_warp[smaller]},
          [=](O o) { return in_register(either(o.r(4), o.r(6), wants_smaller(o))); });
      add({"VIMNMX3" + u + " R20, R4, R6, R8, " + to[smaller],
           "UVIMNMX3" + s + " UR20, UR4, UR6, UR8, " + of_warp[smaller]},
          [=](O o) {
            bool const wants = wants_smaller(o);
            return in_register(either(either(o.r(8), o.r(4), wants), o.r(6), wants));
          });
      std::string const wide = is_signed ? ".S64" : ".U64";
      add({"IMNMX" + wide + " PT, PT, R20, R4, R6, " + to[smaller] + ", !PT",
           "UIMNMX" + wide + " UPT, UPT, UR20, UR4, UR6, " + of_warp[smaller] + ", !UPT"},
          [=](O o) { return in_register(either(o.pair_at(4), o.pair_at(6), wants_smaller(o))); });
      add({"IMNMX" + wide + " PT, PT, R20, R4, 0x7fff0000, " + to[smaller] + ", !PT"},
          [=](O o) { return in_register(either(o.pair_at(4), list(0x7fff0000u, 64), wants_smaller(o))); });
      add({std::string("VIMNMX") + (is_signed ? ".S16x2" : ".U16x2") + " R20, R4, R6, " + to[smaller]}, [=](O o) {
        bits const a = o.r(4), b = o.r(6);
        auto const half = [](B of, int from) { return bits(of.begin() + from, of.begin() + from + 16); };
        return in_register(
            pair(either(half(a, 0), half(b, 0), wants_smaller(o)), either(half(a, 16), half(b, 16), wants_smaller(o))));
      });
    }
  add({"VIADDMNMX R20, R4, R6, R8, PT"}, [](O o) {
    bits const all = sum(o.r(4), o.r(6));
    return in_register(less(all, o.r(8), true) ? all : o.r(8));
  });
  add({"VIADDMNMX.U32 R20, R4, R6, R8, !PT"}, [](O o) {
    bits const all = sum(o.r(4), o.r(6));
    return in_register(less(all, o.r(8), false) ? o.r(8) : all);
  });

  // Comparisons
  // Equality has no sign. 64 bits stand in pairs, or are a chain, of which the harness leaves the lower half in P3.
  for (std::string const how : {"LT", "LE", "GT", "GE", "EQ", "NE"})
    for (std::string const join : {"AND", "OR", "XOR"})
      for (bool const is_signed : {true, false}) {
        bool const has_sign = how != "EQ" && how != "NE";
        if (!has_sign && !is_signed) continue;
        std::vector<std::string> texts, wide;
        for (bool const sign : {true, false}) {
          if (has_sign && sign != is_signed) continue;
          std::string const all = how + (sign ? "." : ".U32.") + join;
          for (char const* operands_of :
               {"ISETP.# P4, P5, R4, R6, P0", "UISETP.# UP4, UP5, UR4, UR6, UP0", "ISETP.# P4, P5, R4, UR6, P0"})
            texts.push_back(std::string(operands_of).replace(std::string(operands_of).find('#'), 1, all));
          wide.push_back("ISETP." + all + ".EX P4, P5, R5, R7, P0, P3");
          wide.push_back("ISETP." + how + (sign ? ".S64." : ".U64.") + join + " P4, P5, R4, R6, P0");
        }
        auto const joined = [join](bool is, bool other) {
          auto const one = [&](bool x) { return join == "AND" ? x && other : join == "OR" ? x || other : x != other; };
          return in_predicates(one(is), one(!is));
        };
        add(texts, [=](O o) { return joined(compared(how, o.r(4), o.r(6), is_signed), o.p(0)); });
        add(wide, [=](O o) { return joined(compared(how, o.pair_at(4), o.pair_at(6), is_signed), o.p(0)); });
      }
  add({"ISETP.GE.AND P4, PT, R4, RZ, !P0"}, [](O o) { return result{{}, o.r(4)[31] == 0 && !o.p(0), -1}; });
  add({"ISETP.GT.U32.AND P4, PT, R4, 0xffff, PT"}, [](O o) { return result{{}, some(down(o.r(4), 16)), -1}; });

  // Predicates as bits
  add({"P2R R20, PR, R4, 0x7", "UP2UR UR20, UPR, UR4, 0x7"}, [](O o) {
    bits to = o.r(4);
    for (unsigned k = 0; k != 3; ++k) to[k] = o.p(k) ? 1 : 0;
    return in_register(to);
  });
  add({"P2R R20, PR, RZ, 0x6"}, [](O o) { return in_register(list((o.p(1) ? 2u : 0u) + (o.p(2) ? 4u : 0u), 32)); });
  add({"R2P PR, R4, 0x30"}, [](O o) { return in_predicates(o.r(4)[4] != 0, o.r(4)[5] != 0); });
  add({"R2P PR, R4.B1, 0x30"}, [](O o) { return in_predicates(o.r(4)[12] != 0, o.r(4)[13] != 0); });
  add({"R2P PR, R4.B3, 0x30"}, [](O o) { return in_predicates(o.r(4)[28] != 0, o.r(4)[29] != 0); });
  return made;
}

// ---- A kernel of each form ----

constexpr unsigned lanes_of_form = 2048;
constexpr std::size_t stride = 16 * lanes_of_form;  // bytes of a form's results

/// Numbers that meet their edges: any, small ones, those beside 0 and 2^31, runs of ones.
struct generator {
  std::mt19937 random{28};
  u32 operator()() {
    u32 const x = static_cast<u32>(random());
    switch (random() % 6) {
      case 0:
        return x % 70;
      case 1:
        return 0u - x % 3;
      case 2:
        return 0x80000000u + x % 3 - 1;
      case 3:
        return 0xffffffffu >> x % 32;
      default:
        return x;
    }
  }
  operands all() {
    operands o;
    for (u32& each : o.word) each = (*this)();
    if (random() % 4 == 0) o.word[2] = o.word[0];
    if (random() % 4 == 0) o.word[3] = o.word[1];
    o.word[7] = static_cast<u32>(random());
    return o;
  }
};

bool is_uniform(std::string const& text) { return text.find("UR") != text.npos || text.find("UP") != text.npos; }
/// The comparison of the lower halves, before a form that continues it.
std::string lower_halves(std::string const& text) {
  if (text.find(".EX ") == text.npos) return "";
  return "ISETP." + text.substr(6, 2) + ".U32.AND P3, PT, R4, R6, PT\n";
}
/// Loads the operands of a lane, runs each form, and stores what it leaves: R20, R21, P4, P5.
std::string kernel_of(std::vector<std::string> const& texts, bool uniform) {
  std::string code = "S2R R0, SR_TID.X\nS2R R1, SR_CTAID.X\nIMAD R0, R1, 0x400, R0\n";
  // A warp of one lane: its uniform registers are the lane's.
  if (uniform) code += "S2R R1, SR_LANEID\nISETP.NE.AND P0, PT, R1, RZ, PT\n@P0 EXIT\nSHF.R.U32.HI R0, RZ, 0x5, R0\n";
  code +=
      "LDC.64 R2, c[0x0][0x210]\nIMAD.WIDE.U32 R2, R0, 0x20, R2\nLDC.64 R12, c[0x0][0x218]\n"
      "IMAD.WIDE.U32 R12, R0, 0x10, R12\nLDG.E.128 R4, desc[UR4][R2.64]\nLDG.E.128 R8, desc[UR4][R2.64+0x10]\n"
      "MOV R18, 0x1\nR2P PR, R11, 0x7\n";
  if (uniform)
    for (unsigned k = 4; k != 12; ++k) code += "R2UR UR" + std::to_string(k) + ", R" + std::to_string(k) + "\n";
  for (unsigned k = 0; k != 3 && uniform; ++k)
    code += "ULOP3.LUT UR12, UR11, 0x" + std::to_string(1u << k) + ", URZ, 0xc0, !UPT\nUISETP.NE.U32.AND UP" +
            std::to_string(k) + ", UPT, UR12, URZ, UPT\n";
  for (std::size_t k = 0; k != texts.size(); ++k) {
    bool const to_uniform = texts[k].find("UR20") != std::string::npos || texts[k].find("UP4") != std::string::npos;
    std::string const u = to_uniform ? "U" : "";
    code += lower_halves(texts[k]) + texts[k] + "\n";
    if (to_uniform) code += "MOV R20, UR20\nMOV R21, UR21\n";
    char offset[32];
    std::snprintf(offset, sizeof(offset), "%zx", k * stride);
    code += "SEL R22, R18, RZ, " + u + "P4\nSEL R23, R18, RZ, " + u + "P5\n" + "STG.E.128 desc[UR4][R12.64+0x" +
            offset + "], R20\n";
  }
  std::string all = ".target sm_90\n.text.made:\n";
  std::stringstream lines(code + "EXIT\n");
  unsigned at = 0;
  for (std::string line; std::getline(lines, line); at += 16) {
    char digits[32];
    std::snprintf(digits, sizeof(digits), "/*%04x*/ ", at);
    all += digits + line + " ;\n";
  }
  return all;
}

/// Compares the results of each form with the oracle. How many were compared.
u64 run_forms(std::vector<std::pair<std::string, meaning>> const& batch, bool uniform, bool is_broken,
              std::set<std::string>& wrong) {
  generator random;
  std::vector<operands> in(lanes_of_form);
  for (operands& each : in) each = random.all();
  std::vector<unsigned char> bytes(in.size() * 32);
  std::memcpy(bytes.data(), in.data(), bytes.size());
  std::vector<std::string> texts;
  for (auto const& [text, means] : batch) texts.push_back(text);
  co::binary_launch launch;
  launch.grid = {uniform ? 64 : 2}, launch.block = {1024}, launch.every_block = true;
  launch.arguments = {binary_argument::buffer(bytes.size(), bytes),
                      binary_argument::buffer(stride * batch.size(), std::vector<unsigned char>(1)),
                      binary_argument::u32(parameter)};
  co::binary_answer const answer = co::sass::record<co::cuda::cc90>(kernel_of(texts, uniform), launch);
  u64 checked = 0;
  for (std::size_t k = 0; k != batch.size(); ++k)
    for (std::size_t t = 0; t != in.size(); ++t) {
      auto const& out = answer.buffers[1].bytes;
      auto const word = [&](unsigned n) {
        u64 to = 0;
        for (unsigned b = 0; b != 4; ++b) {
          int const byte = out.final_byte(k * stride + t * 16 + 4 * n + b);
          to = byte < 0 ? ~u64{0} : to | static_cast<u64>(byte) << (8 * b);
          if (byte < 0) break;
        }
        return to;
      };
      result want = batch[k].second(in[t]);
      if (is_broken) want.to.empty() ? void(want.first = 1 - want.first) : void(want.to[t % 32] = 1 - want.to[t % 32]);
      bool right = true;
      if (!want.to.empty()) right = word(0) == number(cut(want.to, 32));
      if (want.to.size() == 64) right = right && word(1) == number(upper(want.to));
      if (want.first >= 0) right = right && word(2) == static_cast<u64>(want.first);
      if (want.second >= 0) right = right && word(3) == static_cast<u64>(want.second);
      ++checked;
      if (!right && wrong.insert(batch[k].first).second && !is_broken)
        fail(batch[k].first + ": of " + std::to_string(in[t].word[0]) + ", " + std::to_string(in[t].word[2]) + ", " +
             std::to_string(in[t].word[4]) + " it left " + std::to_string(word(0)) + ", predicates " +
             std::to_string(word(2)) + " " + std::to_string(word(3)) + ", and not " + std::to_string(number(want.to)));
    }
  return checked;
}

// ---- Operands whose bits are partly unknown ----

/// Each bit that is known must be that of all operands which the unknown bits may stand for.
u64 run_unknown(std::string const& text, meaning const& means, bool is_broken) {
  co::binary_launch launch;
  launch.arguments = {binary_argument::u64(0), binary_argument::u64(0), binary_argument::u32(parameter)};
  co::binary::global_memory const memory(launch.arguments);
  sass::constant_bank const constants(sass::target_of(90), launch, memory);
  sass::instruction const i = sass::read_instruction(text, 1);
  sass::shape const shape = sass::shape_of(i, sass::row_of(i.base).stands);
  generator random;
  u64 checked = 0;
  for (unsigned n = 0; n != 200; ++n) {
    operands const o = random.all();
    operands known;
    for (u32& each : known.word)
      each = random.random() % 3 == 0 ? ~u32{0} : static_cast<u32>(random.random() | random.random());
    sass::warp w(0);
    for (unsigned k = 0; k != 8; ++k) {
      sass::word one;
      one.bits = o.word[k] & known.word[k], one.known = known.word[k], one.why = 5;
      w.general[4 + k][0] = w.uniform[4 + k] = one;
    }
    for (unsigned k = 0; k != 3; ++k)
      w.predicates[k][0] = w.uniform_predicates[k] = sass::word(co::binary::low(w.general[11][0].wide() >> k, 1));
    sass::results const left = sass::function_of(i)({w, constants, i, shape, 0, 1});
    for (unsigned again = 0; again != 12; ++again) {
      operands filled = o;
      for (unsigned k = 0; k != 8; ++k)
        if (again != 0) filled.word[k] = (o.word[k] & known.word[k]) | (random() & ~known.word[k]);
      result want = means(filled);
      if (is_broken && !want.to.empty()) want.to = flipped(want.to);
      bool right = ((number(want.to) ^ left.to.bits) & left.to.known &
                    (want.to.empty() ? 0 : number(bits(want.to.size(), 1)))) == 0;
      int const predicates[] = {want.first, want.second};
      for (unsigned k = 0; k != 2; ++k)
        if (predicates[k] >= 0 && (left.predicates[k].known & 1) != 0)
          right = right && (left.predicates[k].bits & 1) == (static_cast<u64>(predicates[k]) ^ u64{is_broken});
      ++checked;
      if (!right) {
        fail(text + ": a bit is called known, and depends on unknown bits");
        return checked;
      }
    }
  }
  return checked;
}

// ---- Whole ----

/// The opcodes of a text that the interpreter computes.
std::set<std::string> computed(std::string const& text) {
  std::set<std::string> to;
  std::stringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::size_t const close = line.find("*/"), stop = line.find(';');
    if (line.find("/*") == line.npos || close == line.npos || stop == line.npos) continue;
    sass::instruction const i = sass::read_instruction(line.substr(close + 2, stop - close - 2), 1);
    if (sass::row_of(i.base).parts != nullptr) to.insert(i.printed);
  }
  return to;
}

}  // namespace

int main(int count, char** arguments) {
  bool const is_broken = count > 1 && std::string(arguments[count - 1]) == "--break";
  std::vector<form> const all = forms();
  u64 checked = 0, texts = 0, partly = 0;
  std::set<std::string> wrong, opcodes, bases;
  for (bool const uniform : {false, true}) {
    std::vector<std::pair<std::string, meaning>> batch;
    auto const run = [&] {
      if (!batch.empty()) checked += run_forms(batch, uniform, is_broken, wrong);
      batch.clear();
    };
    for (form const& each : all)
      for (std::string const& text : each.texts) {
        if (is_uniform(text) != uniform) continue;
        sass::instruction const i = sass::read_instruction(text, 1);
        ++texts, opcodes.insert(i.printed), bases.insert(i.base);
        batch.emplace_back(text, each.means);
        if (batch.size() == 32) run();
        if (i.base == "R2P" || text.find(".EX ") != text.npos) continue;  // P3 and what R2P writes are not of the lane
        partly += run_unknown(text, each.means, is_broken);
      }
    run();
  }
  // The operands tell the meanings apart: two forms that leave results of one shape leave different ones.
  generator random;
  std::vector<operands> in(2000);
  for (operands& each : in) each = random.all();
  std::map<std::string, std::vector<result>> results;
  for (form const& each : all)
    for (operands const& o : in) results[each.texts[0]].push_back(each.means(o));
  for (auto a = results.begin(); a != results.end(); ++a)
    for (auto b = std::next(a); b != results.end(); ++b)
      if (a->second == b->second) fail(a->first + " and " + b->first + " leave one result");

  for (sass::opcode_row const& row : sass::opcode_rows)
    if (row.parts != nullptr && bases.count(row.base) == 0) fail(std::string(row.base) + " has no form here");
  for (int k = 1; k != count - int{is_broken}; ++k) {
    std::stringstream text;
    text << std::ifstream(arguments[k]).rdbuf();
    for (std::string const& opcode : computed(text.str()))
      if (opcodes.count(opcode) == 0) fail(opcode + " of " + arguments[k] + " has no form here");
  }
  std::printf(
      "%llu forms of %zu opcodes: %llu results compared, %llu of operands that are partly unknown; %zu forms wrong",
      static_cast<unsigned long long>(texts), bases.size(), static_cast<unsigned long long>(checked),
      static_cast<unsigned long long>(partly), wrong.size());
  std::printf("%s\n", wrong.size() == texts ? ", which are all" : "");
  return failures == 0 && wrong.empty() ? 0 : 1;
}

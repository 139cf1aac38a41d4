// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/binary/nvidia/text.hpp>

#include <cstdint>
#include <string>
#include <string_view>

// How many registers the results of conversions and of matrix instructions take. Inferred: ptxas 13.0 compiled cvt, mma
// and wgmma with each type and shape for sm_75 to sm_120, and `nvdisasm -plr` showed which registers each instruction
// writes. tests/host/binary/nvidia/texts.cpp has the rows.

namespace coalescing::sass {

/// How many registers a conversion writes, by its modifiers. The first type among the modifiers of F2F is the result's
/// type. F2I has the modifier S64 or U64 only if its result has 64 bits. I2F and FRND have the modifier F64 only if
/// their result is F64.
[[nodiscard]] inline unsigned registers_of_conversion(instruction const& i) {
  std::string_view const base = std::string_view(i.base).substr(begins(i.base, "U") ? 1 : 0);
  if (base == "F2I" || base == "I2I") return i.has("S64") || i.has("U64") ? 2 : 1;
  if (base == "I2F" || base == "FRND") return i.has("F64") ? 2 : 1;
  for (std::string const& part : i.parts)
    if (part == "F64" || part == "F32" || part == "F16" || part == "BF16") return part == "F64" ? 2 : 1;
  return base == "F2F" ? 2 : 1;
}

/// How many registers an instruction writes if it accesses no memory, and its opcode, or this form of the opcode, is
/// not in the tables. The answer is 1, unless a modifier or the opcode's name says that the result is wider. Inferred:
/// each opcode of the tables that writes more than one register says so in a modifier (64, F64, WIDE, 128) or in its
/// name (DADD, FADD2, HMMA; CS2R).
[[nodiscard]] inline unsigned registers_of_unlisted(instruction const& i) {
  if (binary::ends(i.base, "MMA")) return 8;
  bool const is_pair = begins(i.base, "D") || binary::ends(i.base, "2") || begins(i.base, "CS2");
  unsigned most = is_pair ? 2 : 1;
  for (std::string_view const part : i.parts) {
    bool const is_wide = part.find("64") != part.npos || part.find("32x2") != part.npos || part == "WIDE";
    unsigned const registers = part.find("256") != part.npos ? 8 : part.find("128") != part.npos ? 4 : is_wide ? 2 : 1;
    most = most < registers ? registers : most;
  }
  return most;
}

/// The rows and columns of a matrix, as a modifier gives them: 16 and 8 in "16816", in "16x8x16" and in "168128"; 8 and
/// 8 in "884"; 64 and 256 in "64x256x16". 0: the modifier gives no shape.
struct matrix_extents {
  unsigned rows = 0, columns = 0;
};
[[nodiscard]] inline matrix_extents extents_of(std::string_view part) {
  std::uint64_t rows = 0, columns = 0, depth = 0;
  auto const words = split(part, 'x');
  if (words.size() == 3) {
    if (!read_digits(words[0], 10, rows) || !read_digits(words[1], 10, columns) || rows > 64 || columns > 256)
      return {};
    return {static_cast<unsigned>(rows), static_cast<unsigned>(columns)};
  }
  if (part.size() < 3 || !read_digits(part, 10, depth)) return {};
  if (begins(part, "168")) return {16, 8};
  return begins(part, "88") ? matrix_extents{8, 8} : matrix_extents{};
}
/// How many registers a matrix instruction writes in a lane: those that hold the lane's elements, of 16, 32 or 64 bits.
/// Four warps share a result of 64 rows. The answer is `most` if the shape is not known.
[[nodiscard]] inline unsigned registers_of_matrix(instruction const& i, unsigned most) {
  if (i.base == "HMMA" && i.has("884")) return 2;  // each step of HMMA.884 writes two registers
  unsigned const bits = i.base == "DMMA" ? 64 : !i.has("F32") && i.has("F16") ? 16 : 32;
  for (std::string const& part : i.parts)
    if (matrix_extents const of = extents_of(part); of.rows != 0) {
      unsigned const made = of.rows * of.columns / (of.rows == 64 ? 128 : 32) * bits / 32;
      return made != 0 && made <= most ? made : most;
    }
  return most;
}

}  // namespace coalescing::sass

// SPDX-License-Identifier: BSL-1.0
//
// Rows of CC 9.0 in which one fact has another citation: the explanation of every number that rests on it changes.
#include <coalesce/cuda.hpp>
#include <coalesce/explain.hpp>

#include "machinery/check.hpp"

#include <string>

namespace coalescing::cuda {

inline constexpr source made_up = our_reading.implies("", "a citation that is made up");

template <>
struct row<990> : row<90> {
  static constexpr fact<unsigned> banks{32, made_up};
};
template <>
struct row<991> : row<90> {
  static constexpr fact<unsigned> bank_bytes{4, made_up};
};
template <>
struct row<992> : row<90> {
  static constexpr fact<unsigned> lanes{32, made_up};
};
template <>
struct row<993> : row<90> {
  static constexpr fact<unsigned> shared_bytes{228 * 1024, made_up};
};
template <>
struct row<994> : row<90> {
  static constexpr fact<unsigned> sector_bytes{32, made_up};
};
template <>
struct row<995> : row<90> {
  static constexpr fact<unsigned> matrix_phase_lanes{8, made_up};
};

}  // namespace coalescing::cuda

namespace co = coalescing;
namespace cuda = co::cuda;

namespace {

/// Whether an explanation names the citation.
template <class Instruction>
bool names_it() {
  std::string const text = co::explain<Instruction>(co::linear{.stride = 16});
  return text.find("a citation that is made up") != text.npos;
}
template <unsigned Row>
using device = cuda::device<Row>;

}  // namespace

TEST_CASE("rounds rest on the banks, on their bytes, on the warp and on the size of shared memory") {
  CHECK(names_it<device<990>::shared_load<32>>());
  CHECK(names_it<device<991>::shared_load<32>>());
  CHECK(names_it<device<992>::shared_load<32>>());
  CHECK(names_it<device<993>::shared_load<32>>());
  CHECK(names_it<device<990>::shared_store<128>>());
  CHECK(names_it<device<991>::shared_atomic<32>>());
  CHECK(names_it<device<990>::ldmatrix<4>>());
  CHECK(names_it<device<995>::ldmatrix<4>>());
  CHECK(names_it<device<995>::stmatrix<4>>());
  CHECK(names_it<device<991>::cp_async<16>::shared>());
}
TEST_CASE(
    "wavefronts of the data stage rest on the banks, and sectors of a load, store, copy or atomic on their size") {
  CHECK(names_it<device<990>::load<32>>());
  CHECK(names_it<device<991>::store<64>>());
  CHECK(names_it<device<994>::load<32>>());
  CHECK(names_it<device<994>::store<32>>());
  CHECK(names_it<device<994>::atomic<32>>());
  CHECK(names_it<device<994>::cp_async<16>::global>());
}
TEST_CASE("control: an explanation does not name the citation of a fact that its numbers do not rest on") {
  CHECK(!names_it<cuda::cc90::shared_load<32>>());
  CHECK(!names_it<device<994>::shared_load<32>>());
  CHECK(!names_it<device<995>::shared_load<32>>());
  CHECK(!names_it<device<993>::load<32>>());
}

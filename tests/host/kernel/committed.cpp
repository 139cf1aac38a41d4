// SPDX-License-Identifier: BSL-1.0
#include <coalesce/cuda.hpp>

#include <coalesce/host/cuda.hpp>

namespace with_it {
__device__ inline unsigned swizzle(unsigned row, unsigned column) { return row ^ column; }
#include "kernels/swizzle.cuh"
}  // namespace with_it
namespace without_it {
__device__ inline unsigned swizzle(unsigned, unsigned column) { return column; }
#include "kernels/swizzle.cuh"
}  // namespace without_it

#include "by_hand.hpp"

#include <coalesce/host/kernel/committed.hpp>

#include <cstdio>
#include <fstream>

// Who deleted the swizzle? The numbers of a kernel stand in a file, and the change is named by line.

namespace co = coalescing;
using co::cuda::cc90;
using co::host::array;

static std::string const folder = std::string(__FILE__).substr(0, std::string(__FILE__).rfind('/') + 1);

TEST_CASE("host: committed numbers") {
  auto in = by_hand::count_up(32 * 32), out = by_hand::count_up(32 * 32);
  co::launch const threads{.block = {32}};
  auto const with = co::host::record<cc90>(with_it::turn, threads, array{"in", in}, array{"out", out});
  auto const without = co::host::record<cc90>(without_it::turn, threads, array{"in", in}, array{"out", out});
  CHECK(co::host::changed_numbers(with, folder + "swizzle.numbers") == "");
  CHECK(co::host::changed_numbers(without, folder + "swizzle.numbers") ==
        "- swizzle.cuh:6: tile, shared load 32: issued 32, transactions -, rounds 32, conflicts 0\n"
        "+ swizzle.cuh:6: tile, shared load 32: issued 32, transactions -, rounds 1024, conflicts 992\n");
  CHECK(co::host::changed_numbers(with, folder + "no.numbers").find("COALESCE_COMMIT=1 writes it") !=
        std::string::npos);

  // Written, moved by two lines, and compared.
  std::string const file = "coalesce_host_committed.numbers";
  setenv("COALESCE_COMMIT", "1", 1);
  CHECK(co::host::changed_numbers(with, file) == "");
  unsetenv("COALESCE_COMMIT");
  CHECK(co::host::changed_numbers(with, file) == "");
  std::string moved;
  std::ifstream written(file);
  for (std::string line; std::getline(written, line);)
    moved += line.substr(0, line.find(':')) + ":1" + line.substr(line.find(':') + 1) + "\n";
  std::ofstream(file) << moved;
  CHECK(co::host::changed_numbers(with, file) == "");
  CHECK(co::host::changed_numbers(without, file) != "");
  std::remove(file.c_str());
}

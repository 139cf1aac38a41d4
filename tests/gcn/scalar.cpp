// SPDX-License-Identifier: BSL-1.0
#include <coalesce/gcn.hpp>

#include "machinery/check.hpp"
#include "truth/oracle/oracle.hpp"

namespace co = coalescing;
namespace gcn = co::gcn;

namespace {

template <unsigned Dwords>
unsigned disagreements(std::uint64_t line = 64) {
  unsigned found = 0;
  for (std::uint64_t address = 0; address != 4096; address += 4) {
    std::set<std::uint64_t> lines;  // one by one, dword by dword
    for (unsigned dword = 0; dword != Dwords; ++dword) lines.insert((address + 4 * dword) / line);
    auto const cost = co::cost<gcn::s_load<Dwords>>(co::broadcast{address});
    found += cost.transactions != lines.size() || cost.bytes_moved != 64 * lines.size() ||
             cost.bytes_used != 4 * Dwords ||
             co::transactions<gcn::s_load<Dwords>>(co::broadcast{address}).size() != lines.size();
  }
  return found;
}

}  // namespace

TEST_CASE("GCN3ISA 7.2: s_load_dwordx16 is one line only when it is aligned to 64 bytes") {
  COALESCE_CHECK(co::cost<gcn::s_load<16>>(co::broadcast{0x100}).transactions == 1);
  COALESCE_CHECK(co::cost<gcn::s_load<16>>(co::broadcast{0x104}).transactions == 2);
  COALESCE_CHECK(co::cost<gcn::s_load<16>>(co::broadcast{0x13c}).transactions == 2);
}
TEST_CASE("GCN3ISA 7.2: smaller loads touch a second line only where they cross into it") {
  COALESCE_CHECK(co::cost<gcn::s_load<4>>(co::broadcast{48}) ==
                 gcn::scalar_cost<>{.transactions = 1, .bytes_moved = 64, .bytes_used = 16});
  COALESCE_CHECK(co::cost<gcn::s_load<4>>(co::broadcast{52}) ==
                 gcn::scalar_cost<>{.transactions = 2, .bytes_moved = 128, .bytes_used = 16});
  COALESCE_CHECK(co::cost<gcn::s_load<1>>(co::broadcast{60}).transactions == 1);
}
TEST_CASE("a scalar load is one request for the wave: its one lane is lane 0") {
  COALESCE_CHECK(gcn::s_load<1>::lanes == 1);
  COALESCE_CHECK(gcn::s_load<8>::bytes == 32);
  COALESCE_CHECK(gcn::s_load<8>::level == co::level::l2);  // every line misses the scalar cache
  COALESCE_CHECK(co::transactions<gcn::s_load<16>>(co::broadcast{4})[1] ==
                 co::transaction{.address = 64, .bytes = 64, .lanes = 1});
}
TEST_CASE("every dword address of 64 lines agrees with counting the lines dword by dword; 32-byte lines would not") {
  CHECK(disagreements<1>() == 0);
  CHECK(disagreements<2>() == 0);
  CHECK(disagreements<4>() == 0);
  CHECK(disagreements<8>() == 0);
  CHECK(disagreements<16>() == 0);
  CHECK(disagreements<16>(32) > 100);
}
#ifdef __cpp_exceptions
TEST_CASE("GCN3ISA 7.2: the address is truncated to a dword, so others are refused") {
  CHECK_THROWS_AS(static_cast<void>(co::cost<gcn::s_load<4>>(co::broadcast{2})), co::misuse);
}
#endif

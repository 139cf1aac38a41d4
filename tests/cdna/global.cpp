// SPDX-License-Identifier: BSL-1.0
#include <coalesce/cdna.hpp>
#include <coalesce/gcn.hpp>

#include "machinery/check.hpp"
#include "truth/oracle/oracle.hpp"

#include <string>

namespace co = coalescing;
namespace cdna = co::cdna;
namespace gcn = co::gcn;
using namespace coalescing_tests;
using cdna::gfx90a, cdna::gfx942, cdna::gfx950;

namespace {

constexpr std::uint64_t B = 0x1000;  // a base aligned to every line

constexpr cdna::load_cost<> loads(unsigned line, std::uint64_t lines, std::uint64_t used, std::uint64_t quads = 16) {
  return {.transactions = lines, .bytes_moved = line * lines, .bytes_used = used, .quads = quads};
}
constexpr cdna::write_cost<> writes(std::uint64_t requests, std::uint64_t used, std::uint64_t operations,
                                    std::uint64_t quads = 16) {
  return {.transactions = requests,
          .bytes_moved = 64 * requests,
          .bytes_used = used,
          .quads = quads,
          .operations = operations};
}

}  // namespace

// ---- Loads ----

TEST_CASE("contract: a coalesced wave of dwords on gfx942 is 2 transactions") {
  COALESCE_CHECK(co::cost<gfx942::global_load<32>>(co::linear{.stride = 4}).transactions == 2);
}
TEST_CASE("WP3, PROF: b32, 256 bytes: 2 lines of 128 bytes on CDNA 3 and 4, 4 of 64 on CDNA 2") {
  COALESCE_CHECK(co::cost<gfx942::global_load<32>>(co::linear{.base = B, .stride = 4}) == loads(128, 2, 256));
  COALESCE_CHECK(co::cost<gfx950::global_load<32>>(co::linear{.base = B, .stride = 4}) == loads(128, 2, 256));
  COALESCE_CHECK(co::cost<gfx90a::global_load<32>>(co::linear{.base = B, .stride = 4}) == loads(64, 4, 256));
}
TEST_CASE("WP3, PROF: global_load_dwordx4, 1024 bytes: 8 lines on CDNA 3 and 4, 16 on CDNA 2") {
  COALESCE_CHECK(co::cost<gfx942::global_load<128>>(co::linear{.base = B, .stride = 16}) == loads(128, 8, 1024));
  COALESCE_CHECK(co::cost<gfx950::global_load<128>>(co::linear{.base = B, .stride = 16}) == loads(128, 8, 1024));
  COALESCE_CHECK(co::cost<gfx90a::global_load<128>>(co::linear{.base = B, .stride = 16}) == loads(64, 16, 1024));
}
TEST_CASE("the other widths, each lane's data after the last's") {
  COALESCE_CHECK(co::cost<gfx942::global_load<8>>(co::linear{.base = B, .stride = 1}) == loads(128, 1, 64));
  COALESCE_CHECK(co::cost<gfx942::global_load<16>>(co::linear{.base = B, .stride = 2}) == loads(128, 1, 128));
  COALESCE_CHECK(co::cost<gfx942::global_load<64>>(co::linear{.base = B, .stride = 8}) == loads(128, 4, 512));
  COALESCE_CHECK(co::cost<gfx942::global_load<96>>(co::linear{.base = B, .stride = 12}) == loads(128, 6, 768));
}
TEST_CASE("lines are aligned: what starts half a line late takes one more") {
  COALESCE_CHECK(co::cost<gfx942::global_load<32>>(co::linear{.base = B + 64, .stride = 4}) == loads(128, 3, 256));
  COALESCE_CHECK(co::cost<gfx90a::global_load<32>>(co::linear{.base = B + 64, .stride = 4}) == loads(64, 4, 256));
  COALESCE_CHECK(co::cost<gfx90a::global_load<32>>(co::linear{.base = B + 4, .stride = 4}) == loads(64, 5, 256));
}
TEST_CASE("a line is one transaction for all of the wave's lanes, in any order") {
  COALESCE_CHECK(co::cost<gfx942::global_load<32>>(co::broadcast{B}) == loads(128, 1, 4));
  COALESCE_CHECK(co::cost<gfx942::global_load<32>>([](unsigned lane) { return B + 4 * (63 - lane); }) ==
                 loads(128, 2, 256));
  COALESCE_CHECK(co::cost<gfx942::global_load<32>>([](unsigned lane) { return B + 128 * (lane % 2); }) ==
                 loads(128, 2, 8));
  COALESCE_CHECK(co::cost<gfx942::global_load<32>>(co::linear{.base = B, .stride = 128}) == loads(128, 64, 256));
}
TEST_CASE("a 16-byte access may straddle two lines") {
  COALESCE_CHECK(co::cost<gfx942::global_load<128>>(co::linear{.base = B + 124, .stride = 4096}) ==
                 loads(128, 128, 1024));
  COALESCE_CHECK(co::cost<gfx942::global_load<128>>(co::broadcast{B + 116}) == loads(128, 2, 16));
  COALESCE_CHECK(co::cost<gfx942::global_load<128>>(co::broadcast{B + 112}) == loads(128, 1, 16));
  COALESCE_CHECK(co::cost<gfx942::global_load<128>>(co::broadcast{B + 52}) == loads(128, 1, 16));
  COALESCE_CHECK(co::cost<gfx90a::global_load<128>>(co::broadcast{B + 52}) == loads(64, 2, 16));
}

// ---- Quads ----

TEST_CASE("PROF: a coalesced wave makes 16 accesses of L1, 4 lanes each: quads that have an active lane") {
  COALESCE_CHECK(co::cost<gfx942::global_load<32>>(co::linear{.base = B, .stride = 4}).quads == 16);
  COALESCE_CHECK(co::cost<gfx942::global_load<32>>(co::linear{.base = B, .stride = 4}, 0xf).quads == 1);
  COALESCE_CHECK(co::cost<gfx942::global_load<32>>(co::linear{.base = B, .stride = 4}, 0b1'1000).quads ==
                 2);  // lanes 3 and 4
  COALESCE_CHECK(co::cost<gfx942::global_load<32>>(co::linear{.base = B, .stride = 4}, 0x1111'1111'1111'1111).quads ==
                 16);
  COALESCE_CHECK(co::cost<gfx942::global_store<32>>(co::linear{.base = B, .stride = 4}, 0xff00).quads == 2);
  COALESCE_CHECK(co::cost<gfx942::global_atomic<32>>(co::broadcast{B}, 1ull << 63).quads == 1);
}
TEST_CASE("no lane, no cost") {
  COALESCE_CHECK(co::cost<gfx942::global_load<32>>(co::linear{.base = B, .stride = 4}, 0) == cdna::load_cost<>{});
  COALESCE_CHECK(co::cost<gfx942::global_store<32>>(co::linear{.base = B, .stride = 4}, 0) == cdna::write_cost<>{});
  COALESCE_CHECK(co::cost<gfx942::global_atomic<32>>(co::linear{.base = B, .stride = 4}, 0) == cdna::write_cost<>{});
  COALESCE_CHECK(co::transactions<gfx942::global_load<32>>(co::linear{.base = B, .stride = 4}, 0).empty());
}

// ---- Stores and atomics ----

TEST_CASE("PROF: writes reach L2 in requests of 64 bytes on gfx942, though lines have 128") {
  COALESCE_CHECK(co::cost<gfx942::global_store<32>>(co::linear{.base = B, .stride = 4}) == writes(4, 256, 64));
  COALESCE_CHECK(co::cost<gfx942::global_store<128>>(co::linear{.base = B, .stride = 16}) == writes(16, 1024, 64));
  COALESCE_CHECK(co::cost<gfx942::global_store<8>>(co::linear{.base = B, .stride = 1}) == writes(1, 64, 64));
  COALESCE_CHECK(co::cost<gfx942::global_atomic<64>>(co::linear{.base = B, .stride = 8}) == writes(8, 512, 64));
  COALESCE_CHECK(co::cost<gfx950::global_store<32>>(co::linear{.base = B, .stride = 4}) == writes(4, 256, 64));
  COALESCE_CHECK(co::cost<gfx950::global_atomic<32>>(co::linear{.base = B, .stride = 4}) == writes(4, 256, 64));
  COALESCE_CHECK(co::cost<gfx90a::global_store<32>>(co::linear{.base = B, .stride = 4}) == writes(4, 256, 64));
  COALESCE_CHECK(co::cost<gfx90a::global_atomic<32>>(co::linear{.base = B, .stride = 4}) == writes(4, 256, 64));
}
TEST_CASE("stores of several lanes to one address are one operation; overlapping ones are not") {
  COALESCE_CHECK(co::cost<gfx942::global_store<32>>(co::broadcast{B}) == writes(1, 4, 1));
  COALESCE_CHECK(co::cost<gfx942::global_store<32>>([](unsigned lane) { return B + 4 * (lane / 2); }) ==
                 writes(2, 128, 32));
  COALESCE_CHECK(co::cost<gfx942::global_store<128>>(co::linear{.base = B, .stride = 4}) == writes(5, 63 * 4 + 16, 64));
}
TEST_CASE("atomics are one operation for each active lane, whatever the address") {
  COALESCE_CHECK(co::cost<gfx942::global_atomic<32>>(co::broadcast{B}) == writes(1, 4, 64));
  COALESCE_CHECK(co::cost<gfx942::global_atomic<64>>(co::broadcast{B}, 0b1011) == writes(1, 8, 3, 1));
}

// ---- One by one ----

TEST_CASE("transactions() lists the lines of a load, and the 64-byte requests of a store, with the lanes of each") {
  constexpr auto lines = co::transactions<gfx942::global_load<32>>(co::linear{.base = B, .stride = 4});
  COALESCE_CHECK(lines.size() == 2);
  COALESCE_CHECK(lines[0] == co::transaction{.address = B, .bytes = 128, .lanes = 0xffff'ffff});
  COALESCE_CHECK(lines[1] == co::transaction{.address = B + 128, .bytes = 128, .lanes = 0xffff'ffff'0000'0000});
  constexpr auto requests = co::transactions<gfx942::global_store<32>>(co::linear{.base = B, .stride = 4});
  COALESCE_CHECK(requests.size() == 4);
  COALESCE_CHECK(requests[3] == co::transaction{.address = B + 192, .bytes = 64, .lanes = 0xffff'0000'0000'0000});
  constexpr auto straddling = co::transactions<gfx942::global_load<128>>(co::linear{.base = B + 124, .stride = 4096});
  COALESCE_CHECK(straddling.size() == 128);
  COALESCE_CHECK(straddling[127] == co::transaction{.address = B + 63 * 4096 + 128, .bytes = 128, .lanes = 1ull << 63});
}

// ---- What an instruction says of itself ----

TEST_CASE("what global instructions say of themselves") {
  COALESCE_CHECK(gfx942::global_load<96>::bytes == 12);
  COALESCE_CHECK(gfx942::global_load<32>::lanes == 64);
  COALESCE_CHECK(gfx942::global_load<32>::level == co::level::l2);
  COALESCE_CHECK(gfx942::global_load<32>::unit == 128);
  COALESCE_CHECK(gfx950::global_load<32>::unit == 128);
  COALESCE_CHECK(gfx90a::global_load<32>::unit == 64);
  COALESCE_CHECK(gfx942::global_store<32>::unit == 64);
  COALESCE_CHECK(gfx942::global_atomic<32>::unit == 64);
  COALESCE_CHECK(gfx942::global_load<32>::period == 128);
  COALESCE_CHECK(gfx90a::global_load<32>::period == 64);
}
TEST_CASE(
    "every number says how it is known: sizes are documented, that a wave makes one request for each is inferred") {
  using enum co::evidence;
  COALESCE_CHECK(gfx942::global_load<32>::sources.bytes_used.evidence == documented);
  COALESCE_CHECK(gfx90a::global_load<32>::sources.transactions.evidence == inferred);
  COALESCE_CHECK(gfx90a::global_store<32>::sources.transactions.evidence == inferred);
  COALESCE_CHECK(gfx942::global_load<32>::sources.transactions.evidence == inferred);
  COALESCE_CHECK(gfx942::global_load<32>::sources.bytes_moved.evidence == inferred);
  COALESCE_CHECK(gfx942::global_store<32>::sources.transactions.evidence == inferred);
  COALESCE_CHECK(gfx942::global_atomic<32>::sources.bytes_moved.evidence == inferred);
  COALESCE_CHECK(gfx950::global_load<32>::sources.transactions.evidence == inferred);
  COALESCE_CHECK(gfx950::global_store<32>::sources.transactions.evidence == inferred);
  COALESCE_CHECK(gfx950::global_atomic<32>::sources.bytes_moved.evidence == inferred);
  COALESCE_CHECK(gfx942::global_load<32>::sources.quads.evidence == inferred);
  COALESCE_CHECK(gfx950::global_store<32>::sources.quads.evidence == inferred);
  COALESCE_CHECK(gfx942::global_store<32>::sources.operations.evidence == inferred);
  CHECK(std::string(gfx942::global_load<32>::sources.transactions.document) == "ROCm Compute Profiler");
}

#ifdef __cpp_exceptions
TEST_CASE("a dword or wider access that is not dword-aligned is refused, as is a narrower one of less than its size") {
  CHECK_THROWS_AS(static_cast<void>(co::cost<gfx942::global_load<32>>(co::linear{.base = B + 2, .stride = 4})),
                  co::misuse);
  CHECK_THROWS_AS(static_cast<void>(co::cost<gfx942::global_load<128>>(co::linear{.base = B + 1, .stride = 16})),
                  co::misuse);
  CHECK_THROWS_AS(static_cast<void>(co::cost<gfx90a::global_store<64>>(co::linear{.base = B + 6, .stride = 8})),
                  co::misuse);
  CHECK_THROWS_AS(static_cast<void>(co::cost<gfx950::global_atomic<32>>(co::linear{.base = B + 2, .stride = 4})),
                  co::misuse);
  CHECK_THROWS_AS(static_cast<void>(co::cost<gfx950::global_atomic<64>>(co::linear{.base = B + 4, .stride = 8})),
                  co::misuse);
  CHECK_THROWS_AS(static_cast<void>(co::cost<gfx942::global_load<16>>(co::linear{.base = B + 1, .stride = 2})),
                  co::misuse);
  CHECK_NOTHROW(static_cast<void>(co::cost<gfx942::global_load<128>>(co::linear{.base = B + 4, .stride = 16})));
  CHECK_NOTHROW(static_cast<void>(co::cost<gfx942::global_load<8>>(co::linear{.base = B + 1, .stride = 1})));
}
TEST_CASE("an access past the top of memory is refused") {
  CHECK_THROWS_AS(static_cast<void>(co::cost<gfx942::global_load<64>>(co::broadcast{~3ull})), co::misuse);
  CHECK_NOTHROW(static_cast<void>(co::cost<gfx942::global_load<32>>(co::broadcast{~3ull})));
}
#endif

// ---- Against the oracle ----

namespace {

enum class kind { load, store, atomic };

std::uint64_t slow_quads(random_access const& made) {
  std::set<unsigned> quads;
  for (unsigned lane = 0; lane != max_lanes; ++lane)
    if (is_active(made, lane)) quads.insert(lane / 4);
  return quads.size();
}
std::uint64_t slow_operations(random_access const& made, kind what) {
  std::set<std::uint64_t> addresses;
  std::uint64_t active = 0;
  for (unsigned lane = 0; lane != max_lanes; ++lane)
    if (is_active(made, lane)) addresses.insert(made.address[lane]), ++active;
  return what == kind::atomic ? active : addresses.size();
}

template <class Instruction>
bool agrees(random_access const& made, unsigned unit, kind what) {
  auto const bytes = touched_bytes(made, Instruction::bytes);
  auto const pieces = touched_pieces(bytes, unit).size();
  auto const cost = co::cost<Instruction>(made.address, made.active);
  if (cost.transactions != pieces || cost.bytes_moved != pieces * unit || cost.bytes_used != bytes.size() ||
      cost.quads != slow_quads(made))
    return false;
  if constexpr (requires { cost.operations; })
    if (cost.operations != slow_operations(made, what)) return false;

  auto const list = co::transactions<Instruction>(made.address, made.active);
  auto const served = served_lanes(made, Instruction::bytes, unit);
  return list.size() == served.size() &&
         std::equal(list.begin(), list.end(), served.begin(), [=](auto const& piece, auto const& line) {
           return piece.address == line.first && piece.bytes == unit && piece.lanes == line.second;
         });
}
template <class Instruction>
unsigned disagreements(unsigned unit, kind what, unsigned count) {
  unsigned found = 0;
  random_accesses accesses(Instruction::bytes, Instruction::alignment, Instruction::bytes + unit);
  for (unsigned n = 0; n != count; ++n) found += !agrees<Instruction>(accesses.next(), unit, what);
  return found;
}

template <class Chip>
unsigned disagreements_of_loads(unsigned unit, unsigned count) {
  return disagreements<typename Chip::template global_load<8>>(unit, kind::load, count) +
         disagreements<typename Chip::template global_load<16>>(unit, kind::load, count) +
         disagreements<typename Chip::template global_load<32>>(unit, kind::load, count) +
         disagreements<typename Chip::template global_load<64>>(unit, kind::load, count) +
         disagreements<typename Chip::template global_load<96>>(unit, kind::load, count) +
         disagreements<typename Chip::template global_load<128>>(unit, kind::load, count);
}
template <class Chip>
unsigned disagreements_of_writes(unsigned unit, unsigned count) {
  return disagreements<typename Chip::template global_store<8>>(unit, kind::store, count) +
         disagreements<typename Chip::template global_store<16>>(unit, kind::store, count) +
         disagreements<typename Chip::template global_store<32>>(unit, kind::store, count) +
         disagreements<typename Chip::template global_store<64>>(unit, kind::store, count) +
         disagreements<typename Chip::template global_store<96>>(unit, kind::store, count) +
         disagreements<typename Chip::template global_store<128>>(unit, kind::store, count) +
         disagreements<typename Chip::template global_atomic<32>>(unit, kind::atomic, count) +
         disagreements<typename Chip::template global_atomic<64>>(unit, kind::atomic, count);
}

}  // namespace

TEST_CASE(
    "loads agree with the oracle on 18,000 random accesses: lines of 128 bytes on CDNA 3 and 4, of 64 on CDNA 2") {
  CHECK(disagreements_of_loads<gfx942>(128, share(1'000)) == 0);
  CHECK(disagreements_of_loads<gfx950>(128, share(1'000)) == 0);
  CHECK(disagreements_of_loads<gfx90a>(64, share(1'000)) == 0);
}
TEST_CASE("stores and atomics agree with the oracle on 24,000 random accesses: requests of 64 bytes") {
  CHECK(disagreements_of_writes<gfx942>(64, share(1'000)) == 0);
  CHECK(disagreements_of_writes<gfx950>(64, share(1'000)) == 0);
  CHECK(disagreements_of_writes<gfx90a>(64, share(1'000)) == 0);
}
TEST_CASE("control: the other size, and the operations of the other kind, are told apart") {
  CHECK(disagreements<gfx942::global_load<32>>(64, kind::load, 1'000) > 10);
  CHECK(disagreements<gfx950::global_load<128>>(64, kind::load, 1'000) > 10);
  CHECK(disagreements<gfx90a::global_load<32>>(128, kind::load, 1'000) > 10);
  CHECK(disagreements<gfx942::global_store<32>>(128, kind::store, 1'000) > 10);
  CHECK(disagreements<gfx942::global_atomic<64>>(128, kind::atomic, 1'000) > 10);
  CHECK(disagreements<gfx942::global_store<32>>(64, kind::atomic, 1'000) > 10);
  CHECK(disagreements<gfx942::global_atomic<32>>(64, kind::store, 1'000) > 10);
}
TEST_CASE("control: GCN's lines of 64 bytes are gfx90a's, and not gfx942's") {
  unsigned as_gfx90a = 0, as_gfx942 = 0;
  random_accesses accesses(4, 4, 3);
  for (unsigned n = 0; n != 1'000; ++n) {
    auto const made = accesses.next();
    auto const lines = co::cost<gcn::buffer_load<32>>(made.address, made.active).transactions;
    as_gfx90a += lines == co::cost<gfx90a::global_load<32>>(made.address, made.active).transactions;
    as_gfx942 += lines == co::cost<gfx942::global_load<32>>(made.address, made.active).transactions;
  }
  CHECK(as_gfx90a == 1'000);
  CHECK(as_gfx942 < 900);
}

// ---- Properties ----

TEST_CASE("shifting every address by the period changes nothing, across the top of the address space too") {
  random_accesses accesses(4, 4, 9);
  unsigned different = 0;
  for (unsigned n = 0; n != share(5'000); ++n) {
    auto const made = accesses.next();
    auto shifted = made;
    for (auto& address : shifted.address) address += gfx942::global_load<32>::period;
    different += co::cost<gfx942::global_load<32>>(made.address, made.active) !=
                     co::cost<gfx942::global_load<32>>(shifted.address, made.active) ||
                 co::cost<gfx942::global_store<32>>(made.address, made.active) !=
                     co::cost<gfx942::global_store<32>>(shifted.address, made.active);
  }
  CHECK(different == 0);
}
TEST_CASE("fewer lanes never cost more, and the order of the lanes does not matter to lines and bytes") {
  random_accesses accesses(16, 4, 10);
  std::mt19937_64 engine(10);
  unsigned wrong = 0;
  for (unsigned n = 0; n != share(5'000); ++n) {
    auto made = accesses.next();
    using load = gfx942::global_load<128>;
    auto const all = co::cost<load>(made.address, made.active),
               some = co::cost<load>(made.address, made.active & engine());
    wrong += some.transactions > all.transactions || some.bytes_used > all.bytes_used || some.quads > all.quads;
    auto shuffled = made;
    std::shuffle(shuffled.address.begin(), shuffled.address.end(), engine);
    wrong += co::cost<load>(made.address) != co::cost<load>(shuffled.address);
  }
  CHECK(wrong == 0);
}

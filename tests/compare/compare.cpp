// SPDX-License-Identifier: BSL-1.0
//
// The rows of co::compare: rows by hand, each number against co::cost on random accesses, folding and refusals.
#include <coalesce/coalesce.hpp>
#include <coalesce/compare.hpp>

#include "machinery/check.hpp"

#include <array>
#include <random>
#include <string>
#include <string_view>

namespace co = coalescing;
namespace gcn = co::gcn;
using co::cdna::gfx942;
using namespace coalescing::cuda;

namespace {

constexpr co::linear one_late{.base = 132, .stride = 4};
constexpr std::uint64_t warp = 0xffff'ffff;

constexpr auto machines = co::on<cc10::load<32>, cc11::load<32>, cc12::load<32>, cc13::load<32>, cc20::load<32>,
                                 cc60::load<32>, cc61::load<32>, cc70::load<32>, cc80::load<32>, cc90::load<32>>(warp);
constexpr auto late = co::compare(one_late, machines, co::on<gcn::buffer_load<32>, gfx942::global_load<32>>(warp));

std::string_view line_of(std::string_view table, unsigned line) {
  for (; line != 0; --line) table.remove_prefix(table.find('\n') + 1);
  return table.substr(0, table.find('\n'));
}

/// A number of a row, by its name; the member must be one of the row's.
template <auto... Members>
std::uint64_t by_name(co::comparison_row const& row, std::string_view name, co::detail::members<Members...>) {
  std::uint64_t found = 0, times = 0;
  ((std::string_view(co::detail::name_of_number<Members>().c_str()) == name ? void((found = row.*Members, ++times))
                                                                            : void()),
   ...);
  return times == 1 ? found : co::not_counted - 1;
}
/// Whether a row has each number of a cost under its name, and no other.
template <class Cost, auto... Members>
bool has_all(co::comparison_row const& row, Cost const& cost, co::detail::members<Members...>) {
  using numbers = co::compared_cost::numbers;
  bool const same = ((by_name(row, co::detail::name_of_number<Members>().c_str(), numbers{}) == cost.*Members) && ...);
  auto const values = co::detail::numbers_of<numbers>::value(row);
  unsigned counted = 0;
  for (std::uint64_t const value : values.of) counted += value != co::not_counted;
  return same && counted == sizeof...(Members);
}

template <class... Instructions>
void against_cost(unsigned seed) {
  std::mt19937_64 random(seed);
  for (unsigned k = 0; k != 200; ++k) {
    std::array<std::uint64_t, 64> addresses;
    for (std::uint64_t& address : addresses) address = random() % 2048 * 16;
    std::uint64_t const mask = random() & random() & warp;
    auto const rows = co::compare(addresses, co::on<Instructions...>(mask));
    unsigned machine = 0, listed = 0;
    for (auto const& row : rows) listed += unsigned(row.machines);
    CHECK(listed == sizeof...(Instructions));
    auto const one = [&]<class Instruction>(Instruction*) {
      auto const row = rows.of(machine++);
      CHECK(has_all(row, co::cost<Instruction>(addresses, mask), typename Instruction::cost_type::numbers{}));
      CHECK(row.level == Instruction::level);
      CHECK(row.unit == Instruction::unit);
      CHECK(row.lanes == Instruction::lanes);
      CHECK(row.bytes == Instruction::bytes);
    };
    (one(static_cast<Instructions*>(nullptr)), ...);
    for (unsigned r = 1; r < rows.size(); ++r)
      CHECK(
          !(static_cast<co::compared_access const&>(rows[r]) == static_cast<co::compared_access const&>(rows[r - 1])));
  }
}

}  // namespace

TEST_CASE("one word late, through the machines: the figures of their guides") {
  COALESCE_CHECK(late.size() == 7);
  // CC 1.0 gives up; CC 1.2 takes 128 + 64 + 32 bytes; CC 2.0 two lines; then five sectors; AMD's lines of 64 and 128.
  COALESCE_CHECK(late[0].transactions == 32);
  COALESCE_CHECK(late[0].bytes_moved == 1024);
  COALESCE_CHECK(late[0].machines == 2);
  COALESCE_CHECK(late[1].transactions == 3);
  COALESCE_CHECK(late[1].bytes_moved == 224);
  COALESCE_CHECK(late[1].machines == 2);
  COALESCE_CHECK(late[2].transactions == 2);
  COALESCE_CHECK(late[2].unit == 128);
  COALESCE_CHECK(late[2].machines == 1);
  COALESCE_CHECK(late[3].transactions == 5);
  COALESCE_CHECK(late[3].requests == 4);
  COALESCE_CHECK(late[3].machines == 2);
  COALESCE_CHECK(late[4].transactions == 5);
  COALESCE_CHECK(late[4].requests == 1);
  COALESCE_CHECK(late[4].machines == 3);
  COALESCE_CHECK(late[5].transactions == 3);
  COALESCE_CHECK(late[5].unit == 64);
  COALESCE_CHECK(late[5].level == co::level::l2);
  COALESCE_CHECK(late[6].transactions == 2);
  COALESCE_CHECK(late[6].unit == 128);
  COALESCE_CHECK(late[6].lanes == 64);
}
TEST_CASE("a number that a machine does not have is not counted") {
  COALESCE_CHECK(late[0].lines == co::not_counted);
  COALESCE_CHECK(late[4].lines == 2);
  COALESCE_CHECK(late[5].clocks == 2);
  COALESCE_CHECK(late[5].requests == co::not_counted);
  COALESCE_CHECK(late[4].clocks == co::not_counted);
  COALESCE_CHECK(late[6].rounds == co::not_counted);
  COALESCE_CHECK(co::not_counted == UINT64_MAX);
}
TEST_CASE("without an active lane every number that a machine has is 0") {
  constexpr auto none = co::compare(co::linear{.base = 1}, co::on<cc13::shared_load<32>, gfx942::ds_read<32>>(0));
  for (unsigned row = 0; row != 2; ++row) {
    CHECK(none[row].refused == co::refusal::none);
    for (std::uint64_t const value : co::detail::numbers_of<co::compared_cost::numbers>::value(none[row]).of)
      CHECK((value == 0 || value == co::not_counted));
  }
  COALESCE_CHECK(none[1].rounds == 0);
  COALESCE_CHECK(none[1].phases == 0);
}
TEST_CASE("a row of which nothing is said: no number, no refusal, nobody") {
  constexpr co::comparison_row nobody;
  for (std::uint64_t const value : co::detail::numbers_of<co::compared_cost::numbers>::value(nobody).of)
    CHECK(value == co::not_counted);
  COALESCE_CHECK(nobody.unit + nobody.lanes + nobody.bytes + nobody.machines == 0);
  COALESCE_CHECK(nobody.refused == co::refusal::none);
  COALESCE_CHECK(nobody.refused_lane + nobody.refused_address + nobody.refused_by == 0);
}
TEST_CASE("who shares a row: the family once where it is one") {
  auto const who = [](char const* first, char const* last, unsigned sharing) {
    co::comparison_row row;
    row.first_machine.append(first), row.last_machine.append(last);
    row.machines = sharing;
    return std::string(row.who().c_str());
  };
  CHECK(who("cuda::cc60", "cuda::cc60", 1) == "cuda::cc60");
  CHECK(who("cuda::cc60", "cuda::cc61", 2) == "cuda::cc60 and cc61");
  CHECK(who("cuda::cc60", "cuda::cc121", 3) == "cuda::cc60 to cc121");
  CHECK(who("gcn", "gcn", 2) == "gcn and gcn");
  CHECK(who("cdna::gfx942", "rdna::gfx1100", 2) == "cdna::gfx942 and rdna::gfx1100");
}
TEST_CASE("where a row is counted, in a word") {
  auto const where = [](co::level level, char const* machine, char const* banked_memory = "LDS") {
    co::comparison_row row;
    row.level = level;
    row.first_machine.append(machine);
    row.banked_memory.append(banked_memory);
    return std::string(row.where());
  };
  CHECK(where(co::level::dram, "cuda::cc10") == "DRAM");
  CHECK(where(co::level::l2, "gcn") == "L2");
  CHECK(where(co::level::l1, "cuda::cc90") == "L1");
  CHECK(where(co::level::l0, "rdna::gfx1030") == "L0");
  CHECK(where(co::level::constant_cache, "cuda::cc90") == "constant");
  CHECK(where(co::level::lds, "cuda::cc90", co::cuda::words_of_nvidia.banked_memory) == "shared");
  CHECK(where(co::level::lds, "cdna::gfx942") == "LDS");
  CHECK(where(co::level::lds, "a user's", "") == "LDS");
  CHECK(where(static_cast<co::level>(9), "gcn").empty());
}
TEST_CASE("equal neighbours share a row, and only neighbours") {
  COALESCE_CHECK(late[4].first_machine == "cuda::cc70");
  COALESCE_CHECK(late[4].last_machine == "cuda::cc90");
  COALESCE_CHECK(late.of(7) == late[4]);
  COALESCE_CHECK(late.of(9) == late[4]);
  COALESCE_CHECK(late.of(10) == late[5]);
  COALESCE_CHECK(late[0].who() == "cuda::cc10 and cc11");
  COALESCE_CHECK(late[4].who() == "cuda::cc70, cc80, cc90");  // not "cc70 to cc90": cc75 was not asked
  COALESCE_CHECK(late[5].who() == "gcn");
  COALESCE_CHECK(late[5].instruction == "buffer_load<32>");
  constexpr auto apart = co::compare(one_late, co::on<cc90::load<32>, cc20::load<32>, cc100::load<32>>());
  COALESCE_CHECK(apart.size() == 3);
  // The same numbers of another instruction are another row.
  constexpr auto other = co::compare(one_late, co::on<cc90::load<32>, cc90::store<32>>());
  COALESCE_CHECK(other.size() == 2);
  constexpr auto again = co::compare(one_late, co::on<cc90::load<32>>(), co::on<cc100::load<32>>(0xff));
  COALESCE_CHECK(again.size() == 2);
  COALESCE_CHECK(again[1].bytes_used == 32);
}
TEST_CASE("a row names a range only where its machines follow one another in the family's list") {
  // Without an active lane all numbers are 0, so all machines of an instruction share a row.
  constexpr auto who = [](auto... those) {
    auto const rows = co::compare(co::linear{}, co::on<typename decltype(those)::template shared_load<32>...>(0));
    return rows.size() == 1 ? rows[0].who() : co::text<200>{};
  };
  COALESCE_CHECK(who(cc20{}, cc80{}, cc90{}) == "cuda::cc20, cc80, cc90");
  COALESCE_CHECK(who(cc20{}, cc21{}, cc30{}) == "cuda::cc20 to cc30");
  COALESCE_CHECK(who(cc20{}, cc21{}, cc35{}, cc37{}) == "cuda::cc20, cc21, cc35, cc37");
  COALESCE_CHECK(who(cc20{}, cc21{}, cc30{}, cc70{}, cc80{}, cc86{}, cc87{}, cc100{}) ==
                 "cuda::cc20 to cc30, cc70, cc80 to cc87, cc100");
  COALESCE_CHECK(who(cc90{}, cc89{}, cc88{}) == "cuda::cc90, cc89, cc88");
  COALESCE_CHECK(who(cc90{}, cc90{}, cc90{}) == "cuda::cc90, cc90, cc90");
  COALESCE_CHECK(who(cc20{}, cc80{}) == "cuda::cc20 and cc80");
  // Another family begins a run, though its machine has the next place in its own list.
  co::comparison_row row, next;
  row.first_machine.append("cdna::gfx90a"), row.machines = row.place = 1, row.last_machine = row.first_machine;
  next.first_machine.append("rdna::gfx1012"), next.machines = 1, next.place = 2;
  CHECK(row.take(next));
  CHECK(row.take(next));
  CHECK(row.who() == "cdna::gfx90a, rdna::gfx1012, rdna::gfx1012");
  // A row that is full begins another one, and no machine is lost.
  unsigned taken = 3;
  for (; row.take(next); ++taken) CHECK(row.machines == taken + 1);
  CHECK(taken > 4);
  CHECK(row.machines == taken);
}
TEST_CASE("each family names its machines in the order of its list") {
  auto const names = []<class... Machines>(co::machine_list<Machines...>) {
    std::string all;
    ((all += (all.empty() ? "" : " ") + std::string(Machines::name)), ...);
    return all;
  };
  CHECK(names(co::cuda::every_machine{}) == cc90::identity.family.machines);
  CHECK(names(co::cdna::every_machine{}) == gfx942::identity.family.machines);
  CHECK(names(co::rdna::every_machine{}) == co::rdna::gfx1100::identity.family.machines);
}
TEST_CASE("RDNA: clocks at L0, waves of 64 lanes under their own name, chips that share a row") {
  using namespace co::rdna;
  constexpr auto rows = co::compare(
      one_late,
      co::on<gfx1030::global_load<32>, gfx1100::ds_load<32>, gfx1151::ds_load<32>, gfx1100::wave64::ds_load<32>>());
  COALESCE_CHECK(rows.size() == 3);
  CHECK(std::string_view(rows[0].where()) == "L0");
  COALESCE_CHECK(rows[0].clocks == 1);  // two lines of other tag banks, and a dword of each bank of data
  COALESCE_CHECK(rows[1].who() == "rdna::gfx1100 and gfx1151");
  CHECK(std::string_view(rows[1].where()) == "LDS");
  COALESCE_CHECK(rows[2].who() == "rdna::gfx1100");
  COALESCE_CHECK(rows[2].instruction == "wave64::ds_load<32>");
  COALESCE_CHECK(rows[2].lanes == 64);
}
TEST_CASE("what an instruction refuses for its addresses is a row that says so") {
  constexpr auto wide = co::compare(one_late, co::on<cc80::load<32>, cc80::load<64>, cc90::load<64>>());
  COALESCE_CHECK(wide.size() == 2);
  COALESCE_CHECK(wide[0].refused == co::refusal::none);
  COALESCE_CHECK(wide[1].refused == co::refusal::address_is_misaligned);
  COALESCE_CHECK(wide[1].refused_lane == 0);
  COALESCE_CHECK(wide[1].refused_address == 132);
  COALESCE_CHECK(wide[1].refused_by == 8);
  COALESCE_CHECK(wide[1].transactions == co::not_counted);
  COALESCE_CHECK(wide[1].machines == 2);

  // Rows of 4 KiB: 16 KiB of CC 1.x, 48 KiB of CC 2.x, 64 of GCN, 227 of CC 9.0.
  constexpr auto deep =
      co::compare(co::linear{.stride = 4096},
                  co::on<cc10::shared_load<32>, cc20::shared_load<32>, gcn::ds_read<32>, cc90::shared_load<32>>());
  COALESCE_CHECK(deep[0].refused == co::refusal::access_runs_past_the_end);
  COALESCE_CHECK(deep[0].refused_lane == 4);
  COALESCE_CHECK(deep[1].refused_lane == 12);
  COALESCE_CHECK(deep[1].refused_by == 49152);
  COALESCE_CHECK(deep[2].refused_lane == 16);
  COALESCE_CHECK(deep[2].refused_address == 65536);
  COALESCE_CHECK(deep[3].refused == co::refusal::none);
  COALESCE_CHECK(deep[3].rounds == 32);
  // An inactive lane is not to blame.
  constexpr auto few = co::compare(co::linear{.stride = 4096}, co::on<cc10::shared_load<32>>(0xf));
  COALESCE_CHECK(few[0].refused == co::refusal::none);

  constexpr auto top = co::compare(co::linear{.base = ~std::uint64_t{0} - 3, .stride = 0}, co::on<cc90::load<64>>());
  COALESCE_CHECK(top[0].refused == co::refusal::access_runs_past_the_top);
  // The last word of 16 KiB, and the first behind them; the last byte that there is.
  constexpr auto end = co::compare(co::linear{.base = 16380, .stride = 4}, co::on<cc10::shared_load<32>>(1),
                                   co::on<cc10::shared_load<32>>(3));
  COALESCE_CHECK(end[0].refused == co::refusal::none);
  COALESCE_CHECK(end[0].rounds == 1);
  COALESCE_CHECK(end[1].refused == co::refusal::access_runs_past_the_end);
  COALESCE_CHECK(end[1].refused_lane == 1);
  COALESCE_CHECK(end[1].refused_by == 16384);
  constexpr auto last = co::compare(co::broadcast{.base = ~std::uint64_t{0}}, co::on<cc90::load<8>>());
  COALESCE_CHECK(last[0].refused == co::refusal::none);
  COALESCE_CHECK(last[0].transactions == 1);
  // An odd address is a row, too; the lane to blame is the first that is active.
  constexpr auto odd = co::compare(co::linear{.base = 1, .stride = 4}, co::on<cc90::load<16>>(0b110));
  COALESCE_CHECK(odd[0].refused == co::refusal::address_is_misaligned);
  COALESCE_CHECK(odd[0].refused_lane == 1);
  COALESCE_CHECK(odd[0].refused_address == 5);
  COALESCE_CHECK(odd[0].refused_by == 2);
  constexpr auto second = co::compare([](unsigned lane) { return lane == 2 ? 9u : 4 * lane; },  //
                                      co::on<cc90::load<32>>(0b101), co::on<cc90::load<32>>(0b011));
  COALESCE_CHECK(second[0].refused_lane == 2);
  COALESCE_CHECK(second[1].refused == co::refusal::none);
}
TEST_CASE("each number is what co::cost gives, on random accesses") {
  against_cost<cc10::load<32>, cc13::load<64>, cc20::load<128>, cc35::load<32, caching::l1>, cc52::load<8>,
               cc61::load<32>, cc75::load<64>, cc80::load<64>, cc90::load<128>, cc100::load<128>, cc120::store<32>,
               cc61::store<64>, cc13::store<32>, gcn::buffer_load<32>, gcn::buffer_store<32>, gcn::image_sample<64>,
               gfx942::global_load<32>, gfx942::global_store<64>, gfx942::global_atomic<32>>(1);
  against_cost<cc20::shared_load<32>, cc35::shared_load<64>, cc70::shared_load<64, shared_mode::pair_merge>,
               cc90::shared_load<128>, cc90::shared_store<32>, cc90::shared_atomic<32>, cc90::atomic<32>,
               cc90::constant_load<32>, cc90::cp_async<16>::global, gcn::ds_read<128>, gcn::ds_write<64>,
               gfx942::ds_read<128>, gfx942::ds_read<32>, gfx942::ds_atomic<32>>(2);
}
TEST_CASE("control: a row of another machine is noticed") {
  auto const rows = co::compare(one_late, co::on<cc20::load<32>, cc90::load<32>>());
  CHECK(has_all(rows[1], co::cost<cc90::load<32>>(one_late), cc90::load<32>::cost_type::numbers{}));
  CHECK(!has_all(rows[0], co::cost<cc90::load<32>>(one_late), cc90::load<32>::cost_type::numbers{}));
  // A number too many, and one that differs.
  CHECK(!has_all(rows[1], co::cost<cc20::load<32>>(one_late), cc20::load<32>::cost_type::numbers{}));
  auto other = rows[1];
  other.lines = 3;
  CHECK(!has_all(other, co::cost<cc90::load<32>>(one_late), cc90::load<32>::cost_type::numbers{}));
}
TEST_CASE("the table, line by line") {
  constexpr auto rows = co::compare(co::linear{.base = 4, .stride = 132},
                                    co::on<cc20::shared_load<32>, cc90::shared_load<32>, cc90::shared_load<64>,
                                           gfx942::ds_read<32>, cc90::constant_load<32>>());
  constexpr auto text = rows.text();
  std::string const table = text;
  CHECK(
      line_of(table, 0) ==
      "                                        lanes  level     unit  requests  bytes_used  rounds  conflicts  phases  "
      "ways");
  CHECK(
      line_of(table, 1) ==
      "cuda::cc20 and cc90  shared_load<32>       32  shared       4         -           -       1          0       1  "
      "   1");
  CHECK(line_of(table, 2) ==
        "cuda::cc90           shared_load<64>       32  shared       4  refused: lane 0 at byte 4, no multiple of 8");
  CHECK(
      line_of(table, 3) ==
      "cdna::gfx942         ds_read<32>           64  LDS          4         -           -       2          0       2  "
      "   1");
  CHECK(line_of(table, 4).starts_with("cuda::cc90           constant_load<32>     32  constant "));
  // Each way to be refused, and every column: 64 KiB are beyond the memory of CC 1.0, and within that of CC 9.0.
  std::string const refused =
      co::compare(co::linear{.base = ~std::uint64_t{0} - 3}, co::on<cc90::load<64>, cc10::shared_load<32>>()).text();
  CHECK(line_of(refused, 1)
            .ends_with("  refused: lane 0 at byte 18,446,744,073,709,551,612 runs past the top of the "
                       "address space"));
  CHECK(line_of(refused, 2)
            .ends_with("  refused: lane 0 at byte 18,446,744,073,709,551,612 runs past the end of the "
                       "memory, 16,384 bytes"));
  std::string const wide =
      co::compare(co::linear{.stride = 4},
                  co::on<gcn::buffer_load<32>, gfx942::global_load<32>, cc90::store<32>, cc90::atomic<32>>())
          .text();
  CHECK(line_of(wide, 0) ==
        "                               lanes  level     unit  clocks  requests  transactions  bytes_moved  "
        "bytes_used  lines  data_wavefronts  tag_wavefronts_at_least  quads  partial_sectors  operations  "
        "lanes_on_one_address");
  CHECK(line_of(wide, 1) ==
        "gcn           buffer_load<32>     64  L2          64       4         -             4          256         "
        "256      -                -                        -      -                -           -                     "
        "-");
  CHECK(line_of(wide, 2) ==
        "cdna::gfx942  global_load<32>     64  L2         128       -         -             2          256         "
        "256      -                -                        -     16                -           -                     "
        "-");
  CHECK(line_of(wide, 3) ==
        "cuda::cc90    store<32>           32  L1          32       -         1             4          128         "
        "128      1                1                        1      -                0          32                     "
        "-");
  CHECK(line_of(wide, 4) ==
        "cuda::cc90    atomic<32>          32  L2          32       -         -             4          128         "
        "128      -                -                        -      -                -          32                     "
        "1");
  // One row alone says no lanes.
  constexpr auto one = co::compare(co::linear{.stride = 4}, co::on<cc90::shared_load<32>>()).text();
  COALESCE_CHECK(one ==
                 "                             level     unit  rounds  conflicts  phases  ways\n"
                 "cuda::cc90  shared_load<32>  shared       4       1          0       1     1\n");
  std::string const warps = co::compare(one_late, machines).text();
  CHECK(warps.find("lanes  ") == std::string::npos);
}
#ifdef __cpp_exceptions
TEST_CASE("what cost() refuses besides, compare() does; and a row that there is not") {
  CHECK_THROWS_AS((static_cast<void>(co::compare(one_late, co::on<cc90::load<32>>(1ull << 40)))), co::misuse);
  CHECK_THROWS_AS(
      (static_cast<void>(co::compare(co::linear{.stride = 8}, co::on<co::cdna::gfx950::ds_read_tr<64>>(1)))),
      co::misuse);
  CHECK_THROWS_AS(static_cast<void>(late[7]), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(late.of(12)), co::misuse);
}
#endif

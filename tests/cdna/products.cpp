// SPDX-License-Identifier: BSL-1.0
#include <coalesce/cdna.hpp>

#include "every/machines.hpp"
#include "machinery/check.hpp"

#include <concepts>
#include <initializer_list>
#include <string>

namespace co = coalescing;
namespace cdna = co::cdna;
using cdna::home, cdna::memory_type, cdna::partition;

TEST_CASE("partitions: as many L2 caches for each agent as XCDs (KMD, WP3, CD4)") {
  COALESCE_CHECK(cdna::mi300x::l2_caches(partition::spx) == 8);
  COALESCE_CHECK(cdna::mi300x::l2_caches(partition::dpx) == 4);
  COALESCE_CHECK(cdna::mi300x::l2_caches(partition::qpx) == 2);
  COALESCE_CHECK(cdna::mi300x::l2_caches(partition::cpx) == 1);
  COALESCE_CHECK(cdna::mi325x::l2_caches(partition::qpx) == 2);
  COALESCE_CHECK(cdna::mi350x::l2_caches(partition::dpx) == 4);
  COALESCE_CHECK(cdna::mi355x::l2_caches(partition::cpx) == 1);
  COALESCE_CHECK(cdna::mi300a::l2_caches(partition::spx) == 6);
  COALESCE_CHECK(cdna::mi300a::l2_caches(partition::tpx) == 2);
  COALESCE_CHECK(cdna::mi300a::l2_caches(partition::cpx) == 1);
  COALESCE_CHECK(cdna::mi350p::l2_caches(partition::spx) == 4);
  COALESCE_CHECK(cdna::mi350p::l2_caches(partition::dpx) == 2);
  COALESCE_CHECK(cdna::mi350p::l2_caches(partition::cpx) == 1);
}
TEST_CASE("partitions that a product does not have") {
  COALESCE_CHECK(!cdna::mi300x::has(partition::tpx));
  COALESCE_CHECK(!cdna::mi355x::has(partition::tpx));
  COALESCE_CHECK(!cdna::mi300a::has(partition::dpx));
  COALESCE_CHECK(!cdna::mi300a::has(partition::qpx));
  COALESCE_CHECK(!cdna::mi350p::has(partition::tpx));
  COALESCE_CHECK(!cdna::mi350p::has(partition::qpx));
#ifdef __cpp_exceptions
  CHECK_THROWS_AS(static_cast<void>(cdna::mi300x::l2_caches(partition::tpx)), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(cdna::mi300a::agent(partition::dpx)), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(cdna::mi350p::agents(static_cast<partition>(9))), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(cdna::mi300x::has(static_cast<partition>(-1))), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(cdna::mi300x::has(static_cast<partition>(5))), co::misuse);
  cdna::cache const of_nobody{.shared_by = static_cast<cdna::sharers>(9)};
  CHECK_THROWS_AS(static_cast<void>(cdna::mi300x::compute_units_sharing(of_nobody)), co::misuse);
#endif
}
TEST_CASE("CDNA post: eight XCDs are 1, 2, 4 or 8 agents of 8, 4, 2 or 1 XCDs") {
  COALESCE_CHECK(cdna::mi355x::agents(partition::spx) == 1);
  COALESCE_CHECK(cdna::mi355x::agents(partition::dpx) == 2);
  COALESCE_CHECK(cdna::mi355x::agents(partition::qpx) == 4);
  COALESCE_CHECK(cdna::mi355x::agents(partition::cpx) == 8);
}

namespace {

/// The driver's rule for the modes that it accepts (KMD, aqua_vanjaram.c), in its own terms; TPX and QPX need 6 and 8.
bool driver_accepts(partition as, unsigned xcds) {
  switch (as) {
    case partition::spx:
      return true;
    case partition::dpx:
      return xcds % 4 == 0;
    case partition::tpx:
      return xcds % 3 == 0;
    case partition::qpx:
      return xcds / 4 >= 2;
    case partition::cpx:
      return xcds > 1;
  }
  return false;
}
template <class Product>
void agrees_with_the_driver() {
  unsigned const parts[] = {1, 2, 3, 4, Product::xcds};
  for (unsigned k = 0; k != 5; ++k) {
    auto const as = static_cast<partition>(k);
    CHECK(Product::has(as) == driver_accepts(as, Product::xcds));
    if (Product::has(as)) {
      CHECK(Product::l2_caches(as) == Product::xcds / parts[k]);
      CHECK(Product::agents(as) * Product::l2_caches(as) == Product::xcds);
      CHECK(Product::agent(as, true).l2_caches == Product::l2_caches(as));
      CHECK(Product::agent(as, true).tg_split);
      CHECK(!Product::agent(as).tg_split);
    }
  }
}

}  // namespace

TEST_CASE("the table of partitions agrees with the driver's rule for every product and mode") {
  cdna::every_product::each([]<class Product>() { agrees_with_the_driver<Product>(); });
}
TEST_CASE("an agent of a product and partition is what the policies ask for") {
  using cdna::cache_op, cdna::scope;
  COALESCE_CHECK(cdna::scoped_load<scope::device>::on(cdna::mi300x::agent(partition::spx)).l2 ==
                 cache_op::coherent_bypass);
  COALESCE_CHECK(cdna::scoped_load<scope::device>::on(cdna::mi300x::agent(partition::cpx)).l2 == cache_op::hit_lru);
}

TEST_CASE("SPECS: how many there are of everything") {
  COALESCE_CHECK(cdna::mi300x::compute_units == 304);
  COALESCE_CHECK(cdna::mi325x::compute_units == 304);
  COALESCE_CHECK(cdna::mi300a::compute_units == 228);
  COALESCE_CHECK(cdna::mi350x::compute_units == 256);
  COALESCE_CHECK(cdna::mi355x::compute_units == 256);
  COALESCE_CHECK(cdna::mi350p::compute_units == 128);
  COALESCE_CHECK(cdna::mi300x::hbm_gigabytes == 192);
  COALESCE_CHECK(cdna::mi325x::hbm_gigabytes == 256);
  COALESCE_CHECK(cdna::mi300a::hbm_gigabytes == 128);
  COALESCE_CHECK(cdna::mi355x::hbm_gigabytes == 288);
  COALESCE_CHECK(cdna::mi350p::hbm_gigabytes == 144);
  COALESCE_CHECK(cdna::mi300x::io_dies == 4);
  COALESCE_CHECK(cdna::mi350x::io_dies == 2);
  COALESCE_CHECK(cdna::mi350p::io_dies == 1);
  COALESCE_CHECK(cdna::mi300x::hbm_stacks == 8);
}
TEST_CASE("SPECS, WP3, CD4: XCDs, compute units of an XCD, dies, stacks and HBM of every product") {
  struct counts {
    unsigned xcds, active, physical, dies, stacks, gigabytes;
    bool operator==(counts const&) const = default;
  };
  constexpr auto of = []<class Product>() {
    return counts{
        Product::xcds,       Product::compute_units_per_xcd, Product::physical_compute_units_per_xcd, Product::io_dies,
        Product::hbm_stacks, Product::hbm_gigabytes};
  };
  COALESCE_CHECK(of.template operator()<cdna::mi300x>() == counts{8, 38, 40, 4, 8, 192});
  COALESCE_CHECK(of.template operator()<cdna::mi325x>() == counts{8, 38, 40, 4, 8, 256});
  COALESCE_CHECK(of.template operator()<cdna::mi300a>() == counts{6, 38, 40, 4, 8, 128});
  COALESCE_CHECK(of.template operator()<cdna::mi350x>() == counts{8, 32, 36, 2, 8, 288});
  COALESCE_CHECK(of.template operator()<cdna::mi355x>() == counts{8, 32, 36, 2, 8, 288});
  COALESCE_CHECK(of.template operator()<cdna::mi350p>() == counts{4, 32, 36, 1, 4, 144});
}
TEST_CASE("CD4: MI350P has four stacks of HBM, and the 36 compute units of every XCD of CDNA 4") {
  using row = cdna::mi350p::row;
  COALESCE_CHECK(row::hbm_stacks.value == 4);
  COALESCE_CHECK(row::physical_compute_units_per_xcd.value == 36);
  COALESCE_CHECK(cdna::mi350p::physical_compute_units_per_xcd > cdna::mi350p::compute_units_per_xcd);
  for (co::source const& from : {row::hbm_stacks.from, row::physical_compute_units_per_xcd.from}) {
    CHECK(std::string(from.document) == cdna::documents::mi350.title);
    CHECK(from.evidence == co::evidence::documented);
  }
}
TEST_CASE("CD4: the instruction cache of CDNA 4, its ways too: nothing is assumed") {
  co::source const from = cdna::mi355x::instruction_l1.from;
  CHECK(std::string(from.document) == cdna::documents::mi350.title);
  CHECK(std::string(from.assumes) == "");
  CHECK(from.evidence == co::evidence::documented);
  COALESCE_CHECK(cdna::mi355x::instruction_l1.ways == 8);
}
TEST_CASE("CD4 is cited at a commit, for the page moves") {
  CHECK(std::string(cdna::documents::mi350.address) ==
        "https://github.com/ROCm/rocm-docs/blob/002654d682cc540a946f88e04616b754e9f47a65/docs/reference/gpu-arch/"
        "mi350.rst");
}
TEST_CASE("MI325X came after WP3: what the paper says of MI300X's dies is taken over, with its numbers") {
  using after = cdna::mi325x::row;
  using before = cdna::mi300x::row;
  for (co::source const& from :
       {after::vector_l1.from, after::instruction_l1.from, after::l2.from, after::infinity_cache.from,
        after::physical_compute_units_per_xcd.from, after::io_dies.from, after::hbm_stacks.from}) {
    CHECK(from.evidence == co::evidence::inferred);
    CHECK(std::string(from.assumes) == "that MI325X has MI300X's dies");
    CHECK(std::string(from.document) == cdna::documents::white_paper_3.title);
  }
  for (co::source const& from :
       {before::vector_l1.from, before::l2.from, before::io_dies.from, after::scalar_l1.from, after::xcds.from,
        after::compute_units_per_xcd.from, after::hbm_gigabytes.from, cdna::mi300a::row::l2.from})
    CHECK(from.evidence == co::evidence::documented);
}
TEST_CASE("the scalar cache's stores stand in CDNA 4's guide: of CDNA 3 that is assumed") {
  for (co::source const& from :
       {cdna::mi300x::scalar_l1.from, cdna::mi325x::scalar_l1.from, cdna::mi300a::scalar_l1.from})
    CHECK(std::string(from.assumes) == "that earlier chips do as CDNA 4");
  for (co::source const& from :
       {cdna::mi350x::scalar_l1.from, cdna::mi355x::scalar_l1.from, cdna::mi350p::scalar_l1.from})
    CHECK(std::string(from.assumes) == "");
}
TEST_CASE("which chip a product is") {
  COALESCE_CHECK(std::same_as<cdna::mi300x::machine, cdna::gfx942>);
  COALESCE_CHECK(std::same_as<cdna::mi325x::machine, cdna::gfx942>);
  COALESCE_CHECK(std::same_as<cdna::mi300a::machine, cdna::gfx942>);
  COALESCE_CHECK(std::same_as<cdna::mi350x::machine, cdna::gfx950>);
  COALESCE_CHECK(std::same_as<cdna::mi355x::machine, cdna::gfx950>);
  COALESCE_CHECK(std::same_as<cdna::mi350p::machine, cdna::gfx950>);
}

namespace {

/// A cache without its source.
struct plain_cache {
  cdna::sharers shared_by;
  cdna::store_policy stores;
  cdna::allocation on_store_miss;
  bool point_of_coherence;
  std::uint64_t bytes;
  unsigned line_bytes, ways, channels, read, write, fill;
  bool operator==(plain_cache const&) const = default;
};
constexpr plain_cache plain(cdna::cache const& of) {
  return {of.shared_by,           of.stores, of.on_store_miss, of.point_of_coherence,   of.bytes,
          of.line_bytes,          of.ways,   of.channels,      of.read_bytes_per_clock, of.write_bytes_per_clock,
          of.fill_bytes_per_clock};
}

/// The caches in which the products differ; 0 where no source tells.
struct cache_figures {
  char const* products;
  unsigned vector_ways, vector_read, l2_line, l2_clock, infinity_mib;
};
constexpr cache_figures caches_of_products[] = {
    {"mi300x mi325x mi300a", 0, 128, 128, 2048, 256},
    {"mi350x mi355x", 64, 0, 0, 0, 256},
    {"mi350p", 64, 0, 0, 0, 128},
};

template <class Product>
bool has_caches(cache_figures const& of) {
  using enum cdna::store_policy;
  using cdna::allocation, cdna::sharers;
  constexpr unsigned kib = 1024, mib = 1024 * kib;
  bool const infinity_is_told = of.l2_line != 0;  // only CDNA 3's is
  return plain(Product::vector_l1) == plain_cache{sharers::compute_unit,
                                                  write_through,
                                                  allocation::unknown,
                                                  false,
                                                  32 * kib,
                                                  128,
                                                  of.vector_ways,
                                                  0,
                                                  of.vector_read,
                                                  0,
                                                  0} &&
         plain(Product::scalar_l1) ==
             plain_cache{
                 sharers::two_compute_units, write_through, allocation::unknown, false, 16 * kib, 0, 0, 0, 0, 0, 0} &&
         plain(Product::instruction_l1) ==
             plain_cache{sharers::two_compute_units, read_only, allocation::no, false, 64 * kib, 0, 8, 0, 0, 0, 0} &&
         plain(Product::l2) ==
             plain_cache{sharers::xcd, write_back,  allocation::yes, true,           4 * mib, of.l2_line, 16,
                         16,           of.l2_clock, of.l2_clock / 2, of.l2_clock / 2} &&
         plain(Product::infinity_cache) == plain_cache{sharers::device,
                                                       memory_side,
                                                       allocation::unknown,
                                                       false,
                                                       std::uint64_t{of.infinity_mib} * mib,
                                                       0,
                                                       infinity_is_told ? 16u : 0,
                                                       infinity_is_told ? 128u : 0,
                                                       infinity_is_told ? 8192u : 0,
                                                       0,
                                                       0};
}
/// The fault of the caches of a product of that name; empty if they have no fault.
template <class Product>
std::string fault_of_caches(char const* name) {
  std::string const where = " (tests/cdna/products.cpp, table caches_of_products)";
  for (cache_figures const& line : caches_of_products)
    if (coalescing_tests::lists(line.products, name))
      return has_caches<Product>(line) ? "" : name + (" has other caches" + where);
  return name + (" is not in the table" + where);
}

}  // namespace

TEST_CASE("SPECS, WP3, CD4: every cache of every product; 0 where no source tells") {
  cdna::every_product::each([]<class Product>() { CHECK(fault_of_caches<Product>(Product::name) == ""); });
  constexpr cdna::cache unsaid;
  COALESCE_CHECK(plain(unsaid) ==
                 plain_cache{unsaid.shared_by, unsaid.stores, cdna::allocation::unknown, false, 0, 0, 0, 0, 0, 0, 0});
}
TEST_CASE("control: a product that the table of caches lacks, or has otherwise, is noticed") {
  std::string const where = " (tests/cdna/products.cpp, table caches_of_products)";
  CHECK(fault_of_caches<cdna::mi350x>("mi355x") == "");
  CHECK(fault_of_caches<cdna::mi350x>("mi350p") == "mi350p has other caches" + where);
  CHECK(fault_of_caches<cdna::mi350x>("mi360x") == "mi360x is not in the table" + where);
}
TEST_CASE("CDNA post: 32 compute units in an XCD of CDNA 4, 8 XCDs, 4 MB of L2 each, 256 MB of Infinity Cache") {
  COALESCE_CHECK(cdna::mi355x::compute_units_per_xcd == 32);
  COALESCE_CHECK(cdna::mi355x::xcds == 8);
  COALESCE_CHECK(cdna::mi355x::l2.bytes == 4 * 1024 * 1024);
  COALESCE_CHECK(cdna::mi355x::infinity_cache.bytes == 256 * 1024 * 1024);
  COALESCE_CHECK(cdna::mi350p::infinity_cache.bytes == 128 * 1024 * 1024);
}
TEST_CASE("CDNA post: 64 KB of LDS on CDNA 3, 160 KB on CDNA 4") {
  COALESCE_CHECK(cdna::mi300x::machine::lds_bytes == 64 * 1024);
  COALESCE_CHECK(cdna::mi350x::machine::lds_bytes == 160 * 1024);
}
TEST_CASE("CDNA post: L1 is of one compute unit, write-through, never dirty; L2 of an XCD, write-back, allocating") {
  constexpr auto l1 = cdna::mi355x::vector_l1;
  COALESCE_CHECK(l1.shared_by == cdna::sharers::compute_unit);
  COALESCE_CHECK(l1.stores == cdna::store_policy::write_through);
  COALESCE_CHECK(!l1.may_be_dirty());
  COALESCE_CHECK(!l1.point_of_coherence);
  COALESCE_CHECK(l1.on_store_miss == cdna::allocation::unknown);  // in no document
  constexpr auto l2 = cdna::mi355x::l2;
  COALESCE_CHECK(l2.shared_by == cdna::sharers::xcd);
  COALESCE_CHECK(l2.stores == cdna::store_policy::write_back);
  COALESCE_CHECK(l2.may_be_dirty());
  COALESCE_CHECK(l2.point_of_coherence);
  COALESCE_CHECK(l2.on_store_miss == cdna::allocation::yes);
  COALESCE_CHECK(cdna::mi355x::compute_units_sharing(l1) == 1);
  COALESCE_CHECK(cdna::mi355x::compute_units_sharing(l2) == 32);
  COALESCE_CHECK(cdna::mi300x::compute_units_sharing(cdna::mi300x::l2) == 38);
  COALESCE_CHECK(cdna::mi300x::compute_units_sharing(cdna::mi300x::infinity_cache) == 304);
  COALESCE_CHECK(cdna::mi300x::compute_units_sharing(cdna::mi300x::scalar_l1) == 2);
}
TEST_CASE("CDNA post: the instruction cache is read-only, of two compute units; Infinity Cache is memory-side, clean") {
  constexpr auto instructions = cdna::mi355x::instruction_l1;
  COALESCE_CHECK(instructions.shared_by == cdna::sharers::two_compute_units);
  COALESCE_CHECK(instructions.stores == cdna::store_policy::read_only);
  COALESCE_CHECK(!instructions.may_be_dirty());
  COALESCE_CHECK(cdna::mi355x::scalar_l1.shared_by == cdna::sharers::two_compute_units);
  constexpr auto infinity = cdna::mi300x::infinity_cache;
  COALESCE_CHECK(infinity.shared_by == cdna::sharers::device);
  COALESCE_CHECK(infinity.stores == cdna::store_policy::memory_side);
  COALESCE_CHECK(!infinity.may_be_dirty());
  COALESCE_CHECK(!infinity.point_of_coherence);
}
TEST_CASE("WP3: lines, ways, channels and bytes a clock of CDNA 3") {
  constexpr auto l1 = cdna::mi300x::vector_l1;
  constexpr auto l2 = cdna::mi300x::l2;
  constexpr auto infinity = cdna::mi300x::infinity_cache;
  COALESCE_CHECK(l1.bytes == 32 * 1024);
  COALESCE_CHECK(l1.line_bytes == 128);
  COALESCE_CHECK(l1.read_bytes_per_clock == 128);
  COALESCE_CHECK(l1.bytes / l1.line_bytes == 256);
  COALESCE_CHECK(l2.channels == 16);
  COALESCE_CHECK(l2.bytes / l2.channels == 256 * 1024);
  COALESCE_CHECK(l2.read_bytes_per_clock == 2048);
  COALESCE_CHECK(l2.write_bytes_per_clock == 1024);
  COALESCE_CHECK(l2.fill_bytes_per_clock == 1024);
  COALESCE_CHECK(l2.bytes / l2.line_bytes == 32768);
  COALESCE_CHECK(l2.bytes / l2.line_bytes / l2.ways == 2048);
  COALESCE_CHECK(infinity.ways == 16);
  COALESCE_CHECK(infinity.channels == 128);
  COALESCE_CHECK(infinity.read_bytes_per_clock == 8192);
  COALESCE_CHECK(infinity.bytes / infinity.channels == 2 * 1024 * 1024);
  COALESCE_CHECK(infinity.line_bytes == 0);  // in no document
  COALESCE_CHECK(cdna::mi300x::instruction_l1.bytes == 64 * 1024);
  COALESCE_CHECK(cdna::mi300x::scalar_l1.bytes == 16 * 1024);
  COALESCE_CHECK(cdna::mi355x::vector_l1.ways == 64);
  COALESCE_CHECK(cdna::mi355x::l2.line_bytes == 0);  // CD4 does not say
  COALESCE_CHECK(l2.from.evidence == co::evidence::documented);
}
TEST_CASE("the L1 line of a product is the line of its machine's loads") {
  COALESCE_CHECK(cdna::mi300x::vector_l1.line_bytes == cdna::gfx942::global_load<32>::unit);
  COALESCE_CHECK(cdna::mi355x::vector_l1.line_bytes == cdna::gfx950::global_load<32>::unit);
}

// ---- Which type the driver gives a page ----

TEST_CASE(
    "KMD: in SPX/NPS1 all memory of the device is RW for all its L2s; host memory is UC on CDNA 3, NC on CDNA 4") {
  COALESCE_CHECK(cdna::mi300x::driver_memory_type({}) == memory_type::rw);
  COALESCE_CHECK(cdna::mi355x::driver_memory_type({}) == memory_type::rw);
  COALESCE_CHECK(cdna::mi300x::driver_memory_type({.where = home::host}) == memory_type::uc);
  COALESCE_CHECK(cdna::mi355x::driver_memory_type({.where = home::host}) == memory_type::nc);
  COALESCE_CHECK(cdna::mi350p::driver_memory_type({.where = home::host}) == memory_type::nc);
  COALESCE_CHECK(cdna::mi300x::driver_memory_type({.where = home::remote}) == memory_type::nc);
  COALESCE_CHECK(cdna::mi300a::driver_memory_type({.where = home::remote}) == memory_type::nc);
}
TEST_CASE("KMD: uncached pages are UC; coherent ones CC where local, else UC") {
  COALESCE_CHECK(cdna::mi300x::driver_memory_type({.uncached = true, .ext_coherent = true}) == memory_type::uc);
  COALESCE_CHECK(cdna::mi300x::driver_memory_type({.ext_coherent = true}) == memory_type::cc);
  COALESCE_CHECK(cdna::mi355x::driver_memory_type({.where = home::remote, .ext_coherent = true}) == memory_type::uc);
  COALESCE_CHECK(cdna::mi300a::driver_memory_type({.where = home::host, .ext_coherent = true}) == memory_type::uc);
}
TEST_CASE("KMD: local, remote and host pages of every product") {
  constexpr auto of = []<class Product>(home where) { return Product::driver_memory_type({.where = where}); };
  COALESCE_CHECK(of.template operator()<cdna::mi325x>(home::local) == memory_type::rw);
  COALESCE_CHECK(of.template operator()<cdna::mi300a>(home::local) == memory_type::rw);
  COALESCE_CHECK(of.template operator()<cdna::mi350x>(home::local) == memory_type::rw);
  COALESCE_CHECK(of.template operator()<cdna::mi350p>(home::local) == memory_type::rw);
  COALESCE_CHECK(of.template operator()<cdna::mi325x>(home::remote) == memory_type::nc);
  COALESCE_CHECK(of.template operator()<cdna::mi350x>(home::remote) == memory_type::nc);
  COALESCE_CHECK(of.template operator()<cdna::mi355x>(home::remote) == memory_type::nc);
  COALESCE_CHECK(of.template operator()<cdna::mi350p>(home::remote) == memory_type::nc);
  COALESCE_CHECK(of.template operator()<cdna::mi325x>(home::host) == memory_type::uc);
  COALESCE_CHECK(of.template operator()<cdna::mi300a>(home::host) == memory_type::nc);
  COALESCE_CHECK(of.template operator()<cdna::mi350x>(home::host) == memory_type::nc);
#ifdef __cpp_exceptions
  CHECK_THROWS_AS(static_cast<void>(of.template operator()<cdna::mi300x>(static_cast<home>(3))), co::misuse);
#endif
  COALESCE_CHECK(cdna::page{}.where == home::local);
  COALESCE_CHECK(!cdna::page{}.uncached);
  COALESCE_CHECK(!cdna::page{}.ext_coherent);
}
TEST_CASE("whatever the driver gives local memory by default, no line of it is dropped by BUFFER_INV") {
  COALESCE_CHECK(!cdna::dropped_by_buffer_inv(cdna::mi300x::driver_memory_type({})));
  COALESCE_CHECK(cdna::kept_coherent_by_probes(cdna::mi300x::driver_memory_type({}), home::local));
  COALESCE_CHECK(cdna::dropped_by_buffer_inv(cdna::mi300x::driver_memory_type({.where = home::remote})));
}

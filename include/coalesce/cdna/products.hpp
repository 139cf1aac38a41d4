// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cdna/bits.hpp>
#include <coalesce/cdna/cache_levels.hpp>
#include <coalesce/cdna/caches.hpp>
#include <coalesce/cdna/documents.hpp>
#include <coalesce/cdna/maintenance.hpp>
#include <coalesce/cdna/misuse.hpp>
#include <coalesce/cdna/rows.hpp>
#include <coalesce/core/config.hpp>
#include <coalesce/core/machines.hpp>
#include <coalesce/core/source.hpp>

#include <cstdint>

// The products of CDNA 3 and 4: their caches, the numbers of their parts, and their partitions into agents. The
// documents are in cdna/documents.hpp.

namespace coalescing::cdna {

// ---- Partitions ----

/// How the driver divides a product into agents: 1 (spx), 2 (dpx), 3 (tpx), 4 (qpx), or one for each XCD (cpx).
enum class partition { spx, dpx, tpx, qpx, cpx };
COALESCE_API constexpr bool is_enumerator(partition value) {
  return value == partition::spx || value == partition::dpx || value == partition::tpx || value == partition::qpx ||
         value == partition::cpx;
}

/// A request for a page of memory, as the driver sees it (KMD, gmc_v9_0.c).
struct page {
  home where = home::local;
  bool uncached = false;
  bool ext_coherent = false;  ///< immediately coherent with other devices
};

namespace rules {

/// L2 caches of each agent, in the order of `partition`. 0: the product has no such partition.
struct partition_row {
  unsigned l2_caches[5];
};

}  // namespace rules

// ---- The rows: first what the products of a generation share, then each product ----

struct cdna3 {
  using machine = cdna::machine<chip::gfx942>;

  static constexpr cache vector_l1{
      .shared_by = sharers::compute_unit,
      .stores = store_policy::write_through,
      .bytes = 32 * 1024,
      .line_bytes = 128,
      .read_bytes_per_clock = 128,
      .from = documents::white_paper_3.says("", "32 KB of 128-byte lines, 128 bytes a clock")};
  static constexpr cache scalar_l1{
      .shared_by = sharers::two_compute_units,
      .stores = store_policy::write_through,
      .bytes = 16 * 1024,
      .from = documents::specifications.says("", "16 KiB for 2 compute units; stores: ISA4 9.1.10.1")};
  static constexpr cache instruction_l1{
      .shared_by = sharers::two_compute_units,
      .stores = store_policy::read_only,
      .on_store_miss = allocation::no,
      .bytes = 64 * 1024,
      .ways = 8,
      .from = documents::white_paper_3.says("", "64 KB, 8 ways, for 2 compute units")};
  static constexpr cache l2{
      .shared_by = sharers::xcd,
      .stores = store_policy::write_back,
      .on_store_miss = allocation::yes,
      .point_of_coherence = true,
      .bytes = 4 * 1024 * 1024,
      .line_bytes = 128,
      .ways = 16,
      .channels = 16,
      .read_bytes_per_clock = 16 * 128,
      .write_bytes_per_clock = 16 * 64,
      .fill_bytes_per_clock = 16 * 64,
      .from = documents::white_paper_3.says("", "4 MB, 16 ways, 16 channels of 128 bytes read and 64 written a clock")};
  /// Each channel moves 64 bytes a clock. The white paper does not say whether it does so in both directions at once,
  /// so only reads are given.
  static constexpr cache infinity_cache{
      .shared_by = sharers::device,
      .stores = store_policy::memory_side,
      .bytes = 256 * 1024 * 1024,
      .ways = 16,
      .channels = 128,
      .read_bytes_per_clock = 128 * 64,
      .from = documents::white_paper_3.says("", "256 MB, 16 ways, 128 channels of 64 bytes a clock")};

  static constexpr fact compute_units_per_xcd{38, documents::specifications.says("", "active compute units of an XCD")};
  static constexpr fact physical_compute_units_per_xcd{
      40, documents::white_paper_3.says("", "physical compute units of an XCD")};
  static constexpr fact io_dies{4, documents::white_paper_3.says("", "I/O dies")};
  static constexpr fact hbm_stacks{8, documents::white_paper_3.says("", "stacks of HBM")};
};

struct cdna4 {
  using machine = cdna::machine<chip::gfx950>;

  static constexpr cache vector_l1{.shared_by = sharers::compute_unit,
                                   .stores = store_policy::write_through,
                                   .bytes = 32 * 1024,
                                   .line_bytes = 128,
                                   .ways = 64,
                                   .from = documents::mi350.says("", "32 KB of 128-byte lines, 64 ways")};
  static constexpr cache scalar_l1 = cdna3::scalar_l1;
  static constexpr cache instruction_l1{.shared_by = sharers::two_compute_units,
                                        .stores = store_policy::read_only,
                                        .on_store_miss = allocation::no,
                                        .bytes = 64 * 1024,
                                        .ways = 8,
                                        .from = documents::mi350.says("", "64 KB, 8 ways, for 2 compute units")};
  static constexpr cache l2{.shared_by = sharers::xcd,
                            .stores = store_policy::write_back,
                            .on_store_miss = allocation::yes,
                            .point_of_coherence = true,
                            .bytes = 4 * 1024 * 1024,
                            .ways = 16,
                            .channels = 16,
                            .from = documents::mi350.says("", "4 MB, 16 ways, 16 channels")};
  static constexpr cache infinity_cache{.shared_by = sharers::device,
                                        .stores = store_policy::memory_side,
                                        .bytes = 256 * 1024 * 1024,
                                        .from = documents::specifications.says("", "256 MiB")};

  static constexpr fact compute_units_per_xcd{32, documents::mi350.says("", "active compute units of an XCD")};
  static constexpr fact physical_compute_units_per_xcd{36,
                                                       documents::mi350.says("", "physical compute units of an XCD")};
  static constexpr fact io_dies{2, documents::mi350.says("", "I/O dies")};
  static constexpr fact hbm_stacks{8, documents::mi350.says("", "stacks of HBM")};
};

/// The memory types that the driver gives to pages that are not local (KMD, gmc_v9_0.c).
inline constexpr source page_types =
    documents::driver_pages.says("gmc_v9_0_get_coherence_flags", "memory types by home, of GC 9.4.3, 9.4.4 and 9.5.0");
inline constexpr source modes = documents::driver_partitions.says(
    "", "compute partition modes that the driver accepts: as many L2s for an agent as XCDs");

struct mi300x_row : cdna3 {
  static constexpr char const* name = "mi300x";
  static constexpr fact xcds{8, documents::specifications.says("", "XCDs")};
  static constexpr fact hbm_gigabytes{192, documents::specifications.says("", "VRAM, in GiB")};
  static constexpr fact<rules::partition_row> partitions{{{8, 4, 0, 2, 1}}, modes};
  static constexpr fact<memory_type> of_remote_pages{memory_type::nc, page_types},
      of_host_pages{memory_type::uc, page_types};
};
/// MI325X is younger than the white paper, so most of its numbers rest on the assumption `same_dies`.
struct mi325x_row : mi300x_row {
  static constexpr char const* name = "mi325x";
  static constexpr char const* same_dies = "that MI325X has MI300X's dies";
  static constexpr cache vector_l1 = taken_over(cdna3::vector_l1, same_dies),
                         instruction_l1 = taken_over(cdna3::instruction_l1, same_dies),
                         l2 = taken_over(cdna3::l2, same_dies),
                         infinity_cache = taken_over(cdna3::infinity_cache, same_dies);
  static constexpr fact<unsigned> physical_compute_units_per_xcd =
      taken_over(cdna3::physical_compute_units_per_xcd, same_dies);
  static constexpr fact<unsigned> io_dies = taken_over(cdna3::io_dies, same_dies);
  static constexpr fact<unsigned> hbm_stacks = taken_over(cdna3::hbm_stacks, same_dies);
  static constexpr fact hbm_gigabytes{256, documents::specifications.says("", "VRAM, in GiB")};
};
struct mi300a_row : cdna3 {
  static constexpr char const* name = "mi300a";
  static constexpr fact xcds{6, documents::specifications.says("", "XCDs")};
  static constexpr fact hbm_gigabytes{128, documents::specifications.says("", "VRAM, in GiB")};
  /// The driver accepts CPX, six agents. The white paper says that there are at most three partitions.
  static constexpr fact<rules::partition_row> partitions{{{6, 0, 2, 0, 1}}, modes};
  static constexpr fact<memory_type> of_remote_pages{memory_type::nc, page_types},
      of_host_pages{memory_type::nc, page_types};
};
struct mi350x_row : cdna4 {
  static constexpr char const* name = "mi350x";
  static constexpr fact xcds{8, documents::specifications.says("", "XCDs")};
  static constexpr fact hbm_gigabytes{288, documents::specifications.says("", "VRAM, in GiB")};
  static constexpr fact<rules::partition_row> partitions{{{8, 4, 0, 2, 1}}, modes};
  static constexpr fact<memory_type> of_remote_pages{memory_type::nc, page_types},
      of_host_pages{memory_type::nc, page_types};
};
struct mi355x_row : mi350x_row {
  static constexpr char const* name = "mi355x";
};
struct mi350p_row : mi350x_row {
  static constexpr char const* name = "mi350p";
  static constexpr fact xcds{4, documents::mi350.says("", "XCDs")};
  static constexpr fact io_dies{1, documents::mi350.says("", "I/O dies")};
  static constexpr fact hbm_stacks{4, documents::mi350.says("", "stacks of HBM")};
  static constexpr fact hbm_gigabytes{144, documents::mi350.says("", "GB of HBM")};
  static constexpr fact<rules::partition_row> partitions{{{4, 2, 0, 0, 1}}, modes};
  static constexpr cache infinity_cache{.shared_by = sharers::device,
                                        .stores = store_policy::memory_side,
                                        .bytes = 128 * 1024 * 1024,
                                        .from = documents::mi350.says("", "128 MB")};
};

/// A product: its caches, the numbers of its parts, and its partitions. 0 means that no source gives the number. The
/// row's facts carry the sources: `row::xcds.from` and so on.
template <class Row>
struct product {
  using row = Row;
  using machine = typename Row::machine;
  static constexpr char const* name = Row::name;
  static constexpr cache vector_l1 = Row::vector_l1, scalar_l1 = Row::scalar_l1, instruction_l1 = Row::instruction_l1,
                         l2 = Row::l2, infinity_cache = Row::infinity_cache;
  static constexpr unsigned xcds = Row::xcds.value;
  static constexpr unsigned compute_units_per_xcd = Row::compute_units_per_xcd.value;  ///< active ones
  static constexpr unsigned physical_compute_units_per_xcd = Row::physical_compute_units_per_xcd.value;
  static constexpr unsigned compute_units = xcds * compute_units_per_xcd;
  static constexpr unsigned io_dies = Row::io_dies.value;
  static constexpr unsigned hbm_stacks = Row::hbm_stacks.value;
  static constexpr unsigned hbm_gigabytes = Row::hbm_gigabytes.value;

  /// Whether the product has that partition.
  [[nodiscard]] COALESCE_API static constexpr bool has(partition as) {
    coalescing::detail::check_enumerator(as);
    constexpr auto table = Row::partitions.value;
    return table.l2_caches[static_cast<unsigned>(as)] != 0;
  }
  /// L2 caches of each agent in that partition: one for each XCD. Refused: a partition that the product does not have.
  [[nodiscard]] COALESCE_API static constexpr unsigned l2_caches(partition as) {
    if (!has(as)) refused::product_has_no_such_partition();
    constexpr auto table = Row::partitions.value;
    return table.l2_caches[static_cast<unsigned>(as)];
  }
  /// Agents in that partition. Refused: a partition that the product does not have.
  [[nodiscard]] COALESCE_API static constexpr unsigned agents(partition as) { return xcds / l2_caches(as); }
  /// The environment of one agent in that partition: the argument of scoped_load<...>::on, synchronize(...) and others.
  /// Refused: a partition that the product does not have.
  [[nodiscard]] COALESCE_API static constexpr environment agent(partition as, bool tg_split = false) {
    return {.l2_caches = l2_caches(as), .tg_split = tg_split};
  }

  /// The number of active compute units that share one such cache.
  [[nodiscard]] COALESCE_API static constexpr unsigned compute_units_sharing(cache const& level) {
    switch (level.shared_by) {
      case sharers::compute_unit:
        return 1;
      case sharers::two_compute_units:
        return 2;
      case sharers::xcd:
        return compute_units_per_xcd;
      case sharers::device:
        return compute_units;
    }
    refused::no_such_enumerator();
  }

  /// The memory type that the driver gives a page (KMD, gmc_v9_0.c). (Its parameter amdgpu_mtype_local can change the
  /// type of local pages.) So if a device is one partition, all its memory has type RW for all its L2s. System memory
  /// of an APU's own node is local.
  [[nodiscard]] COALESCE_API static constexpr memory_type driver_memory_type(page const& asked) {
    coalescing::detail::check_enumerator(asked.where);
    bool const local = asked.where == home::local;
    if (asked.uncached) return memory_type::uc;
    if (asked.ext_coherent) return local ? memory_type::cc : memory_type::uc;
    if (local) return memory_type::rw;
    return asked.where == home::remote ? Row::of_remote_pages.value : Row::of_host_pages.value;
  }
};

struct mi300x : product<mi300x_row> {};
struct mi325x : product<mi325x_row> {};
struct mi300a : product<mi300a_row> {};
struct mi350x : product<mi350x_row> {};
struct mi355x : product<mi355x_row> {};
struct mi350p : product<mi350p_row> {};

/// Every product, in the order of the table: tests, examples and pages ask this list.
using every_product = machine_list<mi300x, mi325x, mi300a, mi350x, mi355x, mi350p>;

}  // namespace coalescing::cdna

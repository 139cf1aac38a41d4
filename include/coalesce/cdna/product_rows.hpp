// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cdna/cache_levels.hpp>
#include <coalesce/cdna/maintenance.hpp>
#include <coalesce/cdna/rows.hpp>

// The facts of the products of CDNA 3 and 4, each with its source: first the facts that all products of a generation
// share, then a row for each product. Users read them through cdna/products.hpp.

namespace coalescing::cdna {

namespace rules {

/// How many L2 caches each agent has: a number for each enumerator of `partition`, in their order. 0 means that the
/// product does not have the partition.
struct partition_row {
  unsigned l2_caches[5];
};

inline constexpr source page_types =
    documents::driver_pages.says("gmc_v9_0_get_coherence_flags", "memory types by home, of GC 9.4.3, 9.4.4 and 9.5.0");
inline constexpr source modes = documents::driver_partitions.says(
    "", "compute partition modes that the driver accepts: as many L2s for an agent as XCDs");

/// The memory types that the driver gives to remote pages and to host pages (`home` in cdna/maintenance.hpp), unless
/// the row of a product states its own.
struct every_product_row {
  static constexpr fact<memory_type> of_remote_pages{memory_type::nc, page_types};
  static constexpr fact<memory_type> of_host_pages{memory_type::nc, page_types};
};

}  // namespace rules

struct cdna3 : rules::every_product_row {
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
      .from = documents::specifications.says("", "16 KiB for 2 compute units; stores: ISA4 9.1.10.1",
                                             row<chip::gfx942>::as_cdna_4)};
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
  /// Each channel moves 64 bytes in a clock. The white paper (WP3) does not say whether a channel moves 64 bytes in
  /// both directions at once. So the row states bytes for reads only.
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

struct cdna4 : rules::every_product_row {
  using machine = cdna::machine<chip::gfx950>;

  static constexpr cache vector_l1{.shared_by = sharers::compute_unit,
                                   .stores = store_policy::write_through,
                                   .bytes = 32 * 1024,
                                   .line_bytes = 128,
                                   .ways = 64,
                                   .from = documents::mi350.says("", "32 KB of 128-byte lines, 64 ways")};
  static constexpr cache scalar_l1{
      .shared_by = sharers::two_compute_units,
      .stores = store_policy::write_through,
      .bytes = 16 * 1024,
      .from = documents::specifications.says("", "16 KiB for 2 compute units; stores: ISA4 9.1.10.1")};
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

struct mi300x_row : cdna3 {
  static constexpr char const* name = "mi300x";
  static constexpr fact xcds{8, documents::specifications.says("", "XCDs")};
  static constexpr fact hbm_gigabytes{192, documents::specifications.says("", "VRAM, in GiB")};
  static constexpr fact<rules::partition_row> partitions{{{8, 4, 0, 2, 1}}, rules::modes};
  static constexpr fact<memory_type> of_host_pages{memory_type::uc, rules::page_types};
};
/// MI325X is younger than the white paper on CDNA 3 (WP3). So the numbers from this paper rest on the assumption
/// `same_dies`.
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
  /// The row follows the driver, which accepts CPX with six agents. The white paper (WP3) says otherwise: at most three
  /// partitions.
  static constexpr fact<rules::partition_row> partitions{{{6, 0, 2, 0, 1}}, rules::modes};
};
struct mi350x_row : cdna4 {
  static constexpr char const* name = "mi350x";
  static constexpr fact xcds{8, documents::specifications.says("", "XCDs")};
  static constexpr fact hbm_gigabytes{288, documents::specifications.says("", "VRAM, in GiB")};
  static constexpr fact<rules::partition_row> partitions{{{8, 4, 0, 2, 1}}, rules::modes};
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
  static constexpr fact<rules::partition_row> partitions{{{4, 2, 0, 0, 1}}, rules::modes};
  static constexpr cache infinity_cache{.shared_by = sharers::device,
                                        .stores = store_policy::memory_side,
                                        .bytes = 128 * 1024 * 1024,
                                        .from = documents::mi350.says("", "128 MB")};
};

}  // namespace coalescing::cdna

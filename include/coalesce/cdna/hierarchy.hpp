// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cdna/caches.hpp>
#include <coalesce/cdna/machines.hpp>
#include <coalesce/cost.hpp>
#include <coalesce/detail/config.hpp>
#include <coalesce/misuse.hpp>

#include <cstdint>

// The products of CDNA 3 and 4: their caches, how many there are of everything, and how they divide into agents. The
// sources are named in cdna.hpp.

namespace coalescing::cdna {

// ---- Caches ----

/// Who shares one cache.
enum class sharers { compute_unit, two_compute_units, xcd, device };

/// What a cache does with a store.
enum class store_policy {
  read_only,
  write_through,  ///< every store goes on, so no line is dirty
  write_back,     ///< stores stay, so lines may be dirty
  memory_side     ///< in front of memory and of nobody's coherence: it holds what memory holds, and no line is dirty
};

enum class allocation { yes, no, unknown };

/// A kind of cache. 0 stands for a number that no source gives.
struct cache {
  sharers shared_by = sharers::compute_unit;
  store_policy stores = store_policy::write_through;
  allocation on_store_miss = allocation::unknown;
  bool point_of_coherence = false;  ///< for all that share it
  std::uint64_t bytes = 0;          ///< of one
  unsigned line_bytes = 0;
  unsigned ways = 0;
  unsigned channels = 0;               ///< that work in parallel
  unsigned read_bytes_per_clock = 0;   ///< of one cache, all channels, towards the compute units
  unsigned write_bytes_per_clock = 0;  ///< of one cache, all channels, from them
  unsigned fill_bytes_per_clock = 0;   ///< of one cache, all channels, from the next level
  source rule = {};

  [[nodiscard]] COALESCE_API constexpr bool may_be_dirty() const { return stores == store_policy::write_back; }
};

/// The post's glossary, of a store: where it may hit in a write-back cache, the line is updated and marked dirty.
[[nodiscard]] COALESCE_API constexpr bool marks_dirty(cache_op op, cache const& level) {
  return may_hit(op) && level.may_be_dirty();
}

// ---- Partitions ----

/// How the driver divides a product into agents: as one, two, three, four, or an agent for each XCD.
enum class partition { spx, dpx, tpx, qpx, cpx };

/// A page of memory, as the driver is asked for it (KMD).
struct page {
  home where = home::local;
  bool uncached = false;
  bool ext_coherent = false;  ///< coherent with other devices at once
};

namespace detail {

inline constexpr std::uint64_t KiB = 1024, MiB = 1024 * KiB;

/// L2s for each agent, in the order of `partition`; 0 where there is no such partition.
struct partition_row {
  unsigned l2_caches[5];
};

// ---- The table: what the products of a generation share, then the products ----

struct cdna3 {
  using machine = gfx942;
  static constexpr cache vector_l1{.shared_by = sharers::compute_unit,
                                   .stores = store_policy::write_through,
                                   .bytes = 32 * KiB,
                                   .line_bytes = 128,
                                   .read_bytes_per_clock = 128,
                                   .rule = {"SPECS; WP3", evidence::documented}};
  static constexpr cache scalar_l1{.shared_by = sharers::two_compute_units,
                                   .stores = store_policy::write_through,
                                   .bytes = 16 * KiB,
                                   .rule = {"SPECS; stores: ISA4 9.1.10.1", evidence::documented}};
  static constexpr cache instruction_l1{.shared_by = sharers::two_compute_units,
                                        .stores = store_policy::read_only,
                                        .on_store_miss = allocation::no,
                                        .bytes = 64 * KiB,
                                        .ways = 8,
                                        .rule = {"SPECS; WP3, CD4", evidence::documented}};
  static constexpr cache l2{.shared_by = sharers::xcd,
                            .stores = store_policy::write_back,
                            .on_store_miss = allocation::yes,
                            .point_of_coherence = true,
                            .bytes = 4 * MiB,
                            .line_bytes = 128,
                            .ways = 16,
                            .channels = 16,
                            .read_bytes_per_clock = 16 * 128,
                            .write_bytes_per_clock = 16 * 64,
                            .fill_bytes_per_clock = 16 * 64,
                            .rule = {"WP3", evidence::documented}};
  /// 64 bytes a clock for each channel; WP3 does not say whether both ways at once, so reads only are given.
  static constexpr cache infinity_cache{.shared_by = sharers::device,
                                        .stores = store_policy::memory_side,
                                        .bytes = 256 * MiB,
                                        .ways = 16,
                                        .channels = 128,
                                        .read_bytes_per_clock = 128 * 64,
                                        .rule = {"WP3", evidence::documented}};
  static constexpr unsigned compute_units_per_xcd = 38;  ///< active ones
  static constexpr unsigned physical_compute_units_per_xcd = 40;
  static constexpr unsigned io_dies = 4;
  static constexpr unsigned hbm_stacks = 8;
};

struct cdna4 {
  using machine = gfx950;
  static constexpr cache vector_l1{.shared_by = sharers::compute_unit,
                                   .stores = store_policy::write_through,
                                   .bytes = 32 * KiB,
                                   .line_bytes = 128,
                                   .ways = 64,
                                   .rule = {"CD4; post", evidence::documented}};
  static constexpr cache scalar_l1 = cdna3::scalar_l1;
  static constexpr cache instruction_l1 = cdna3::instruction_l1;
  static constexpr cache l2{.shared_by = sharers::xcd,
                            .stores = store_policy::write_back,
                            .on_store_miss = allocation::yes,
                            .point_of_coherence = true,
                            .bytes = 4 * MiB,
                            .ways = 16,
                            .channels = 16,
                            .rule = {"CD4; post", evidence::documented}};
  static constexpr cache infinity_cache{.shared_by = sharers::device,
                                        .stores = store_policy::memory_side,
                                        .bytes = 256 * MiB,
                                        .rule = {"SPECS; CD4", evidence::documented}};
  static constexpr unsigned compute_units_per_xcd = 32;  ///< active ones
  static constexpr unsigned physical_compute_units_per_xcd = 36;
  static constexpr unsigned io_dies = 2;
  static constexpr unsigned hbm_stacks = 8;
};

struct mi300x_row : cdna3 {
  static constexpr unsigned xcds = 8;
  static constexpr unsigned hbm_gigabytes = 192;
  static constexpr partition_row partitions{{8, 4, 0, 2, 1}};
  static constexpr memory_type of_remote_pages = memory_type::nc, of_host_pages = memory_type::uc;
};
struct mi325x_row : mi300x_row {
  static constexpr unsigned hbm_gigabytes = 256;
};
struct mi300a_row : cdna3 {
  static constexpr unsigned xcds = 6;
  static constexpr unsigned hbm_gigabytes = 128;
  /// CPX is the driver's; WP3 says that there are at most three partitions.
  static constexpr partition_row partitions{{6, 0, 2, 0, 1}};
  static constexpr memory_type of_remote_pages = memory_type::nc, of_host_pages = memory_type::nc;
};
struct mi350x_row : cdna4 {
  static constexpr unsigned xcds = 8;
  static constexpr unsigned hbm_gigabytes = 288;
  static constexpr partition_row partitions{{8, 4, 0, 2, 1}};
  static constexpr memory_type of_remote_pages = memory_type::nc, of_host_pages = memory_type::nc;
};
struct mi350p_row : mi350x_row {
  static constexpr unsigned xcds = 4;
  static constexpr unsigned physical_compute_units_per_xcd = 0;  ///< no source
  static constexpr unsigned io_dies = 1;
  static constexpr unsigned hbm_stacks = 0;  ///< no source
  static constexpr unsigned hbm_gigabytes = 144;
  static constexpr partition_row partitions{{4, 2, 0, 0, 1}};
  static constexpr cache infinity_cache{.shared_by = sharers::device,
                                        .stores = store_policy::memory_side,
                                        .bytes = 128 * MiB,
                                        .rule = {"SPECS; CD4", evidence::documented}};
};

/// What is asked of every product.
template <class Row>
struct product : Row {
  static constexpr unsigned compute_units = Row::xcds * Row::compute_units_per_xcd;
  static constexpr source rule{"SPECS, WP3, CD4; partitions: KMD, WP3, CD4", evidence::documented};

  /// Whether it can be divided so.
  [[nodiscard]] COALESCE_API static constexpr bool has(partition as) {
    constexpr auto table = Row::partitions;
    return static_cast<unsigned>(as) < 5 && table.l2_caches[static_cast<unsigned>(as)] != 0;
  }
  /// How many L2 caches each agent has then: as many as XCDs. Refused where it cannot be divided so.
  [[nodiscard]] COALESCE_API static constexpr unsigned l2_caches(partition as) {
    if (!has(as)) refused::product_has_no_such_partition();
    constexpr auto table = Row::partitions;
    return table.l2_caches[static_cast<unsigned>(as)];
  }
  /// How many agents there are then.
  [[nodiscard]] COALESCE_API static constexpr unsigned agents(partition as) { return Row::xcds / l2_caches(as); }
  /// An agent, as scoped_load<...>::on and the like ask for it.
  [[nodiscard]] COALESCE_API static constexpr environment agent(partition as, bool tg_split = false) {
    return {.l2_caches = l2_caches(as), .tg_split = tg_split};
  }

  /// How many compute units share one such cache.
  [[nodiscard]] COALESCE_API static constexpr unsigned compute_units_sharing(cache const& level) {
    switch (level.shared_by) {
      case sharers::compute_unit:
        return 1;
      case sharers::two_compute_units:
        return 2;
      case sharers::xcd:
        return Row::compute_units_per_xcd;
      case sharers::device:
        return compute_units;
    }
    refused::no_such_enumerator();
  }

  /// The type that the driver gives a page (KMD, gmc_v9_0.c), unless its parameter amdgpu_mtype_local says otherwise of
  /// local ones. So all memory of a device in one partition is of type RW for all its L2s. System memory of an APU's
  /// own node is local.
  [[nodiscard]] COALESCE_API static constexpr memory_type driver_memory_type(page const& asked) {
    if (asked.where < home::local || asked.where > home::host) refused::no_such_enumerator();
    bool const local = asked.where == home::local;
    if (asked.uncached) return memory_type::uc;
    if (asked.ext_coherent) return local ? memory_type::cc : memory_type::uc;
    return local ? memory_type::rw : asked.where == home::remote ? Row::of_remote_pages : Row::of_host_pages;
  }
};

}  // namespace detail

struct mi300x : detail::product<detail::mi300x_row> {};
struct mi325x : detail::product<detail::mi325x_row> {};
struct mi300a : detail::product<detail::mi300a_row> {};
struct mi350x : detail::product<detail::mi350x_row> {};
struct mi355x : detail::product<detail::mi350x_row> {};
struct mi350p : detail::product<detail::mi350p_row> {};

}  // namespace coalescing::cdna

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
  sharers shared_by;
  store_policy stores;
  allocation on_store_miss;
  bool point_of_coherence;  ///< for all that share it
  std::uint64_t bytes;      ///< of one
  unsigned line_bytes;
  unsigned ways;
  unsigned channels;               ///< that work in parallel
  unsigned read_bytes_per_clock;   ///< of one cache, all channels, towards the compute units
  unsigned write_bytes_per_clock;  ///< of one cache, all channels, from them
  source rule;

  [[nodiscard]] COALESCE_API constexpr bool may_be_dirty() const { return stores == store_policy::write_back; }
};

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
  static constexpr cache vector_l1{sharers::compute_unit,
                                   store_policy::write_through,
                                   allocation::unknown,
                                   false,
                                   32 * KiB,
                                   128,
                                   0,
                                   0,
                                   128,
                                   0,
                                   {"SPECS; WP3", evidence::documented}};
  static constexpr cache scalar_l1{sharers::two_compute_units,
                                   store_policy::write_through,
                                   allocation::yes,
                                   false,
                                   16 * KiB,
                                   0,
                                   0,
                                   0,
                                   0,
                                   0,
                                   {"SPECS; ISA4 9.1.10.1", evidence::documented}};
  static constexpr cache instruction_l1{
      sharers::two_compute_units,          store_policy::read_only, allocation::no, false, 64 * KiB, 0, 8, 0, 0, 0,
      {"SPECS; WP3", evidence::documented}};
  static constexpr cache l2{
      sharers::xcd, store_policy::write_back,     allocation::yes, true, 4 * MiB, 128, 16, 16, 16 * 128,
      16 * 64,      {"WP3", evidence::documented}};
  static constexpr cache infinity_cache{sharers::device,
                                        store_policy::memory_side,
                                        allocation::unknown,
                                        false,
                                        256 * MiB,
                                        0,
                                        16,
                                        128,
                                        128 * 64,
                                        0,
                                        {"WP3", evidence::documented}};
  static constexpr unsigned compute_units_per_xcd = 38;  ///< active ones
  static constexpr unsigned physical_compute_units_per_xcd = 40;
  static constexpr unsigned io_dies = 4;
  static constexpr unsigned hbm_stacks = 8;
};

struct cdna4 {
  using machine = gfx950;
  static constexpr cache vector_l1{
      sharers::compute_unit,        store_policy::write_through, allocation::unknown, false, 32 * KiB, 128, 64, 0, 0, 0,
      {"CD4", evidence::documented}};
  static constexpr cache scalar_l1 = cdna3::scalar_l1;
  static constexpr cache instruction_l1 = cdna3::instruction_l1;
  static constexpr cache l2{sharers::xcd,
                            store_policy::write_back,
                            allocation::yes,
                            true,
                            4 * MiB,
                            128,
                            16,
                            16,
                            0,
                            0,
                            {"CD4; the line as CDNA 3", evidence::inferred}};
  static constexpr cache infinity_cache{sharers::device,
                                        store_policy::memory_side,
                                        allocation::unknown,
                                        false,
                                        256 * MiB,
                                        0,
                                        0,
                                        0,
                                        0,
                                        0,
                                        {"SPECS; CD4", evidence::documented}};
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
  static constexpr cache infinity_cache{sharers::device,
                                        store_policy::memory_side,
                                        allocation::unknown,
                                        false,
                                        128 * MiB,
                                        0,
                                        0,
                                        0,
                                        0,
                                        0,
                                        {"SPECS; CD4", evidence::documented}};
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

  /// The type that the driver gives a page (KMD, gmc_v9_0.c). So all memory of a device in one partition is of type RW
  /// for all its L2s.
  [[nodiscard]] COALESCE_API static constexpr memory_type driver_memory_type(page const& asked) {
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

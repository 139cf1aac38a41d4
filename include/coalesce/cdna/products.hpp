// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cdna/machines.hpp>
#include <coalesce/cdna/product_rows.hpp>

// Products by name: cdna::mi300x::ds_read<128> is cdna::gfx942::ds_read<128>. The products of CDNA 3 and 4 also state
// their caches, how many compute units and other parts they have, and their partitions into agents
// (cdna/product_rows.hpp).

namespace coalescing::cdna {

/// Into how many agents the driver divides a product: 1 (spx), 2 (dpx), 3 (tpx), 4 (qpx), or one for each XCD (cpx).
enum class partition { spx, dpx, tpx, qpx, cpx };
COALESCE_API constexpr bool is_enumerator(partition value) {
  return value == partition::spx || value == partition::dpx || value == partition::tpx || value == partition::qpx ||
         value == partition::cpx;
}

/// A request for a page of memory, as the driver sees it (KMD, gmc_v9_0.c).
struct page {
  home where = home::local;
  bool uncached = false;
  bool ext_coherent = false;  ///< the page is immediately coherent with other devices
};

/// A product: the instructions of its chip, its caches, how many compute units and other parts it has, and its
/// partitions. The facts of the row have the sources: `row::xcds.from` and so on.
template <class Row>
struct product : Row::machine {
  using row = Row;
  using machine = typename Row::machine;
  static constexpr char const* name = Row::name;
  static constexpr cache vector_l1 = Row::vector_l1, scalar_l1 = Row::scalar_l1, instruction_l1 = Row::instruction_l1,
                         l2 = Row::l2, infinity_cache = Row::infinity_cache;
  static constexpr unsigned xcds = Row::xcds.value;
  static constexpr unsigned compute_units_per_xcd = Row::compute_units_per_xcd.value;  ///< the active ones only
  static constexpr unsigned physical_compute_units_per_xcd = Row::physical_compute_units_per_xcd.value;
  static constexpr unsigned compute_units = xcds * compute_units_per_xcd;
  static constexpr unsigned io_dies = Row::io_dies.value;
  static constexpr unsigned hbm_stacks = Row::hbm_stacks.value;
  static constexpr unsigned hbm_gigabytes = Row::hbm_gigabytes.value;

  /// Whether the driver can divide the product into agents as this partition says.
  [[nodiscard]] COALESCE_API static constexpr bool has(partition as) {
    coalescing::detail::check_enumerator(as);
    constexpr auto table = Row::partitions.value;
    return table.l2_caches[static_cast<unsigned>(as)] != 0;
  }
  /// How many L2 caches each agent has in a partition: one for each of its XCDs. Refused: a partition that the product
  /// does not have.
  [[nodiscard]] COALESCE_API static constexpr unsigned l2_caches(partition as) {
    if (!has(as)) refused::product_has_no_such_partition();
    constexpr auto table = Row::partitions.value;
    return table.l2_caches[static_cast<unsigned>(as)];
  }
  /// How many agents the product has in a partition. Refused: a partition that the product does not have.
  [[nodiscard]] COALESCE_API static constexpr unsigned agents(partition as) { return xcds / l2_caches(as); }
  /// The environment of one agent in a partition: the argument of scoped_load<...>::on, synchronize(...) and others.
  /// Refused: a partition that the product does not have.
  [[nodiscard]] COALESCE_API static constexpr environment agent(partition as, bool tg_split = false) {
    return {.l2_caches = l2_caches(as), .tg_split = tg_split};
  }

  /// The number of active compute units that share one cache of this kind.
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

  /// The memory type that the driver gives a page (KMD, gmc_v9_0.c). (The driver's parameter amdgpu_mtype_local can
  /// change the type of local pages.) If a device is one partition, all its memory is local, so all its L2s cache it as
  /// RW. System memory of an APU's own node is local, too.
  [[nodiscard]] COALESCE_API static constexpr memory_type driver_memory_type(page const& asked) {
    coalescing::detail::check_enumerator(asked.where);
    bool const local = asked.where == home::local;
    if (asked.uncached) return memory_type::uc;
    if (asked.ext_coherent) return local ? memory_type::cc : memory_type::uc;
    if (local) return memory_type::rw;
    return asked.where == home::remote ? Row::of_remote_pages.value : Row::of_host_pages.value;
  }
};

using mi300x = product<mi300x_row>;
using mi325x = product<mi325x_row>;
using mi300a = product<mi300a_row>;
using mi350x = product<mi350x_row>;
using mi355x = product<mi355x_row>;
using mi350p = product<mi350p_row>;

/// Every product that has a row, in the order of the rows. Tests, examples and pages go through this list.
using every_product = machine_list<mi300x, mi325x, mi300a, mi350x, mi355x, mi350p>;

/// The products of CDNA 2. They have no rows of their own: each is another name of the chip. Source: LLVM 22.1, User
/// Guide for AMDGPU Backend, Processors (https://releases.llvm.org/22.1.0/docs/AMDGPUUsage.html#processors).
using mi210 = gfx90a;
using mi250 = gfx90a;
using mi250x = gfx90a;

/// The names of the products of each chip, for host/named.hpp.
inline constexpr products_of_machine<chip> product_names[] = {
    {chip::gfx90a, "mi210 mi250 mi250x"},
    {chip::gfx942, "mi300x mi325x mi300a"},
    {chip::gfx950, "mi350x mi355x mi350p"},
};

}  // namespace coalescing::cdna

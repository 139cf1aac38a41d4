// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/coalesce.hpp>

#include <cstdint>
#include <string>

// A walk over every figure of every row, for a test that compares them with a table written by hand, and for the
// program that prints them. tests/machinery/figures.cmake holds the list of names below to the rows.

namespace coalescing_tests {

namespace co = coalescing;

// ---- A figure's value as text ----

inline std::string text(unsigned value) { return std::to_string(value); }
inline std::string text(bool value) { return value ? "true" : "false"; }
inline std::string text(co::cuda::caching value) {
  return value == co::cuda::caching::l1 ? "l1" : value == co::cuda::caching::l2 ? "l2" : "by_default";
}
inline std::string text(co::level value) {
  return value == co::level::l1 ? "l1" : value == co::level::l2 ? "l2" : "another level";
}
inline std::string text(co::cdna::memory_type value) {
  using enum co::cdna::memory_type;
  return value == nc ? "nc" : value == uc ? "uc" : "another type";
}
inline std::string text(co::cdna::rules::partition_row const& value) {
  std::string all;
  for (unsigned const caches : value.l2_caches) all += (all.empty() ? "" : " ") + std::to_string(caches);
  return all;
}
/// The lanes of each phase: "0-3,20-23 4-7,16-19".
template <unsigned Phases>
std::string text(co::amd::lane_masks<Phases> const& value) {
  std::string all;
  for (std::uint64_t const mask : value.phase) {
    if (!all.empty()) all += " ";
    char const* comma = "";
    for (unsigned lane = 0; lane != 64; ++lane) {
      if ((mask >> lane & 1) == 0) continue;
      unsigned const first = lane;
      while (lane != 63 && (mask >> (lane + 1) & 1) != 0) ++lane;
      all += comma + std::to_string(first) + "-" + std::to_string(lane);
      comma = ",";
    }
  }
  return all;
}

// ---- The figures of a row ----

/// Shows a visitor each figure of a machine's row: visitor.figure(machine, name, value, source), and
/// visitor.missing(machine, name) where the row does not have it. A source without a figure has the value "".
template <class Visitor>
struct shows {
  Visitor& visitor;
  std::string machine;

  void without(std::string const& name) const {
    for (char const* width : {"", ".of_1", ".of_2", ".of_4", ".of_8", ".of_16", ".of_32"})
      visitor.missing(machine, name + width);
  }

  void operator()(std::string const& name, co::source const& from) const { visitor.figure(machine, name, "", from); }
  template <class T>
  void operator()(std::string const& name, co::fact<T> const& of) const {
    visitor.figure(machine, name, text(of.value), of.from);
  }
  void operator()(std::string const& name, co::cdna::cache const& of) const {
    visitor.figure(machine, name, text(static_cast<unsigned>(of.bytes)), of.from);
  }
  /// A width with the value 0 is missing.
  void operator()(std::string const& name, co::cuda::by_width<co::fact<unsigned>> const& of) const {
    for (unsigned bytes = 1; bytes <= 32; bytes *= 2) {
      std::string const of_width = name + ".of_" + std::to_string(bytes);
      if (of.of(bytes).value == 0)
        visitor.missing(machine, of_width);
      else
        (*this)(of_width, of.of(bytes));
    }
  }
  void operator()(std::string const& name, co::fact<co::cuda::by_width<unsigned>> const& of) const {
    auto const& all = of.value;
    (*this)(name, co::cuda::by_width<co::fact<unsigned>>{{all.of_1, of.from},
                                                         {all.of_2, of.from},
                                                         {all.of_4, of.from},
                                                         {all.of_8, of.from},
                                                         {all.of_16, of.from},
                                                         {all.of_32, of.from}});
  }
};

#define COALESCE_FIGURE(name)            \
  if constexpr (requires { Row::name; }) \
    show(prefix + #name, Row::name);     \
  else                                   \
    show.without(prefix + #name);

template <class Row, class Visitor>
void show_row(Visitor& visitor, std::string const& machine) {
  shows<Visitor> const show{visitor, machine};
  std::string const prefix;
  // In the order of the alphabet.
  COALESCE_FIGURE(acc_vgpr_start)
  COALESCE_FIGURE(aligned_bytes)
  COALESCE_FIGURE(atomic_clocks)
  COALESCE_FIGURE(atomic_lines)
  COALESCE_FIGURE(atomics)
  COALESCE_FIGURE(bank_bytes)
  COALESCE_FIGURE(banks)
  COALESCE_FIGURE(buffer_lds_bits)
  COALESCE_FIGURE(channels_per_texel)
  COALESCE_FIGURE(clocks)
  COALESCE_FIGURE(coalesced_bits)
  COALESCE_FIGURE(coalesced_lanes)
  COALESCE_FIGURE(compute_units_per_xcd)
  COALESCE_FIGURE(constant_lanes)
  COALESCE_FIGURE(copied_lines)
  COALESCE_FIGURE(copied_rounds)
  COALESCE_FIGURE(copied_sectors)
  COALESCE_FIGURE(data_banks)
  COALESCE_FIGURE(data_lanes)
  COALESCE_FIGURE(data_stage_of_stores)
  COALESCE_FIGURE(default_caching)
  COALESCE_FIGURE(delivered_bytes)
  COALESCE_FIGURE(equal_offsets)
  COALESCE_FIGURE(offsets_wrap)
  COALESCE_FIGURE(atomics_of_16_bits)
  COALESCE_FIGURE(atomics_of_128_bits)
  COALESCE_FIGURE(buffer_accesses)
  COALESCE_FIGURE(filtered_bits)
  COALESCE_FIGURE(global_lds_bits)
  COALESCE_FIGURE(groups_of_cu)
  COALESCE_FIGURE(groups_of_wgp)
  COALESCE_FIGURE(groups_of_wgp_by_llvm)
  COALESCE_FIGURE(hbm_gigabytes)
  COALESCE_FIGURE(hbm_stacks)
  COALESCE_FIGURE(image_store_clocks)
  COALESCE_FIGURE(infinity_cache)
  COALESCE_FIGURE(instruction_l1)
  COALESCE_FIGURE(io_dies)
  COALESCE_FIGURE(l2)
  COALESCE_FIGURE(lanes)
  COALESCE_FIGURE(lds_atomics)
  COALESCE_FIGURE(lds_bytes)
  COALESCE_FIGURE(lds_granule)
  COALESCE_FIGURE(lds_load_bytes)
  COALESCE_FIGURE(lds_load_offset)
  COALESCE_FIGURE(lds_of_cu)
  COALESCE_FIGURE(lds_of_two_simds)
  COALESCE_FIGURE(lds_of_wgp)
  COALESCE_FIGURE(lds_slot)
  COALESCE_FIGURE(line_bytes)
  COALESCE_FIGURE(lines_of_a_wave)
  COALESCE_FIGURE(lines_of_one_clock)
  COALESCE_FIGURE(loads)
  COALESCE_FIGURE(loads_at)
  COALESCE_FIGURE(loads_of_16)
  COALESCE_FIGURE(loads_of_32)
  COALESCE_FIGURE(loads_of_64)
  COALESCE_FIGURE(loads_of_96)
  COALESCE_FIGURE(loads_to_lds)
  COALESCE_FIGURE(m0_bits)
  COALESCE_FIGURE(m0_multiple)
  COALESCE_FIGURE(matrix_load)
  COALESCE_FIGURE(matrix_phase_lanes)
  COALESCE_FIGURE(matrix_store)
  COALESCE_FIGURE(merged_parts)
  COALESCE_FIGURE(more_ways)
  COALESCE_FIGURE(named_texels)
  COALESCE_FIGURE(narrow_matrix)
  COALESCE_FIGURE(narrow_tensor_copies)
  COALESCE_FIGURE(of_host_pages)
  COALESCE_FIGURE(of_remote_pages)
  COALESCE_FIGURE(one_writer)
  COALESCE_FIGURE(pair_offset)
  COALESCE_FIGURE(pairs)
  COALESCE_FIGURE(partial)
  COALESCE_FIGURE(partitions)
  COALESCE_FIGURE(physical_compute_units_per_xcd)
  COALESCE_FIGURE(point_sampled_texel_bits)
  COALESCE_FIGURE(quad_lanes)
  COALESCE_FIGURE(quads_per_clock)
  COALESCE_FIGURE(read_banks)
  COALESCE_FIGURE(request_bytes)
  COALESCE_FIGURE(request_lanes)
  COALESCE_FIGURE(run_elements)
  COALESCE_FIGURE(scalar_alignment)
  COALESCE_FIGURE(scalar_l1)
  COALESCE_FIGURE(scalar_line_bytes)
  COALESCE_FIGURE(scalar_load_b96)
  COALESCE_FIGURE(sector_bytes)
  COALESCE_FIGURE(sectors_of_256_bits)
  COALESCE_FIGURE(segment_bytes)
  COALESCE_FIGURE(serialized)
  COALESCE_FIGURE(sgpr_granule)
  COALESCE_FIGURE(sgprs)
  COALESCE_FIGURE(sgprs_of_a_wave)
  COALESCE_FIGURE(shared_atomics)
  COALESCE_FIGURE(shared_bytes)
  COALESCE_FIGURE(shared_lanes)
  COALESCE_FIGURE(simd_lanes)
  COALESCE_FIGURE(simds)
  COALESCE_FIGURE(simds_of_cu)
  COALESCE_FIGURE(simds_of_wgp)
  COALESCE_FIGURE(st64_elements)
  COALESCE_FIGURE(store_clocks)
  COALESCE_FIGURE(stores)
  COALESCE_FIGURE(stores_of_32)
  COALESCE_FIGURE(stores_at)
  COALESCE_FIGURE(tag_banks)
  COALESCE_FIGURE(tag_stage_of_stores)
  COALESCE_FIGURE(tags_per_cycle)
  COALESCE_FIGURE(tensor_copies)
  COALESCE_FIGURE(tex_units)
  COALESCE_FIGURE(texel_reads_per_fragment)
  COALESCE_FIGURE(transpose_lanes)
  COALESCE_FIGURE(up_to_4_bytes)
  COALESCE_FIGURE(vector_l1)
  COALESCE_FIGURE(vgpr_granule)
  COALESCE_FIGURE(vgprs)
  COALESCE_FIGURE(vgprs_of_a_kind)
  COALESCE_FIGURE(vgprs_of_a_wave)
  COALESCE_FIGURE(wave64)
  COALESCE_FIGURE(waves_per_simd)
  COALESCE_FIGURE(wide_bank_bytes)
  COALESCE_FIGURE(wide_lds_slot)
  COALESCE_FIGURE(wide_loads)
  COALESCE_FIGURE(widest_bits)
  COALESCE_FIGURE(widest_shared_bits)
  COALESCE_FIGURE(words_of_4)
  COALESCE_FIGURE(words_of_8)
  COALESCE_FIGURE(work_group_lanes)
  COALESCE_FIGURE(write_banks)
  COALESCE_FIGURE(write_bytes)
  COALESCE_FIGURE(writes)
  COALESCE_FIGURE(xcds)
}
/// The row of an LDS instruction, if there is one.
template <class Row, class Visitor>
void show_instruction(Visitor& visitor, std::string const& machine, std::string const& instruction) {
  shows<Visitor> const show{visitor, machine};
  std::string const prefix = instruction + ".";
  COALESCE_FIGURE(banks)
  COALESCE_FIGURE(lanes)
  COALESCE_FIGURE(map)
  COALESCE_FIGURE(phases)
}
#undef COALESCE_FIGURE

// ---- The rows of a family ----

template <class Visitor>
void show_cuda(Visitor& visitor) {
  co::cuda::every_machine::each([&]<class Machine>() { show_row<typename Machine::row>(visitor, Machine::name); });
}

inline std::string with_bits(std::string const& name, unsigned bits) { return name + "<" + std::to_string(bits) + ">"; }
template <class Visitor, unsigned... Bits>
void show_lds_of_gcn(Visitor& visitor) {
  (show_instruction<co::gcn::ds_read_row<Bits>>(visitor, "gcn", with_bits("ds_read", Bits)), ...);
  (show_instruction<co::gcn::ds_write_row<Bits>>(visitor, "gcn", with_bits("ds_write", Bits)), ...);
}
template <class Visitor>
void show_gcn(Visitor& visitor) {
  show_row<co::gcn::row>(visitor, "gcn");
  show_lds_of_gcn<Visitor, 8, 16, 32, 64, 96, 128>(visitor);
}

template <co::cdna::chip Chip, unsigned Bits, class Visitor>
void show_lds_of_cdna(Visitor& visitor, std::string const& machine) {
  namespace cdna = co::cdna;
  show_instruction<cdna::ds_read_row<Chip, Bits>>(visitor, machine, with_bits("ds_read", Bits));
  show_instruction<cdna::ds_write_row<Chip, Bits>>(visitor, machine, with_bits("ds_write", Bits));
  show_instruction<cdna::ds_read2_row<Chip, Bits, 1>>(visitor, machine, with_bits("ds_read2", Bits));
  show_instruction<cdna::ds_read2_row<Chip, Bits, 64>>(visitor, machine, with_bits("ds_read2st64", Bits));
  show_instruction<cdna::ds_write2_row<Chip, Bits, 1>>(visitor, machine, with_bits("ds_write2", Bits));
  show_instruction<cdna::ds_write2_row<Chip, Bits, 64>>(visitor, machine, with_bits("ds_write2st64", Bits));
}
template <co::cdna::chip Chip, class Visitor>
void show_cdna_chip(Visitor& visitor, std::string const& machine) {
  namespace cdna = co::cdna;
  show_row<cdna::row<Chip>>(visitor, machine);
  show_lds_of_cdna<Chip, 8>(visitor, machine), show_lds_of_cdna<Chip, 16>(visitor, machine);
  show_lds_of_cdna<Chip, 32>(visitor, machine), show_lds_of_cdna<Chip, 64>(visitor, machine);
  show_lds_of_cdna<Chip, 96>(visitor, machine), show_lds_of_cdna<Chip, 128>(visitor, machine);
  show_instruction<cdna::ds_read_tr_row<Chip, 64, 16>>(visitor, machine, "ds_read_tr<16>");
  show_instruction<cdna::ds_read_tr_row<Chip, 64, 8>>(visitor, machine, "ds_read_tr<8>");
  show_instruction<cdna::ds_read_tr_row<Chip, 64, 4>>(visitor, machine, "ds_read_tr<4>");
  show_instruction<cdna::ds_read_tr_row<Chip, 96, 6>>(visitor, machine, "ds_read_tr<6>");
}
template <co::cdna::chip Chip, class Visitor>
void show_machine(Visitor& visitor, co::cdna::machine<Chip>*) {
  show_cdna_chip<Chip>(visitor, co::cdna::machine<Chip>::name);
}
template <class Visitor>
void show_cdna(Visitor& visitor) {
  co::cdna::every_machine::each([&]<class Machine>() { show_machine(visitor, static_cast<Machine*>(nullptr)); });
  co::cdna::every_product::each([&]<class Product>() { show_row<typename Product::row>(visitor, Product::name); });
}

template <co::rdna::chip Chip, class Visitor>
void show_rdna_chip(Visitor& visitor, std::string const& machine) {
  namespace rdna = co::rdna;
  using row = rdna::row<Chip>;
  show_row<row>(visitor, machine);
  show_instruction<rdna::ds_load_row<Chip, 8>>(visitor, machine, "ds_load<8>");
  show_instruction<rdna::ds_load_row<Chip, 16>>(visitor, machine, "ds_load<16>");
  show_instruction<rdna::ds_load_row<Chip, 32>>(visitor, machine, "ds_load<32>");
  show_instruction<rdna::ds_load_row<Chip, 64>>(visitor, machine, "ds_load<64>");
  show_instruction<rdna::ds_load_row<Chip, 96>>(visitor, machine, "ds_load<96>");
  show_instruction<rdna::ds_load_row<Chip, 128>>(visitor, machine, "ds_load<128>");
  show_instruction<rdna::ds_store_row<Chip, 8>>(visitor, machine, "ds_store<8>");
  show_instruction<rdna::ds_store_row<Chip, 16>>(visitor, machine, "ds_store<16>");
  show_instruction<rdna::ds_store_row<Chip, 32>>(visitor, machine, "ds_store<32>");
  show_instruction<rdna::ds_store_row<Chip, 64>>(visitor, machine, "ds_store<64>");
  show_instruction<rdna::ds_store_row<Chip, 96>>(visitor, machine, "ds_store<96>");
  show_instruction<rdna::ds_store_row<Chip, 128>>(visitor, machine, "ds_store<128>");
  show_instruction<rdna::ds_pair_row<Chip, 32>>(visitor, machine, "ds_2addr<32>");
  show_instruction<rdna::ds_pair_row<Chip, 64>>(visitor, machine, "ds_2addr<64>");
  if constexpr (rdna::has_loads<row>) {
    show_instruction<rdna::of_wave64<rdna::ds_store_row<Chip, 128>>>(visitor, machine, "wave64_ds_store<128>");
    show_instruction<rdna::of_wave64<rdna::ds_load_row<Chip, 8>>>(visitor, machine, "wave64_ds_load<8>");
    show_instruction<rdna::of_wave64<rdna::ds_pair_row<Chip, 64>>>(visitor, machine, "wave64_ds_2addr<64>");
  }
  if constexpr (requires { rdna::ds_load_row<Chip, 128>::phases; })
    show_instruction<rdna::of_wave64<rdna::ds_load_row<Chip, 128>>>(visitor, machine, "wave64_ds_load<128>");
}
template <co::rdna::chip Chip, class Visitor>
void show_machine(Visitor& visitor, co::rdna::machine<Chip>*) {
  show_rdna_chip<Chip>(visitor, co::rdna::row<Chip>::name);
}
template <class Visitor>
void show_rdna(Visitor& visitor) {
  co::rdna::every_machine::each([&]<class Machine>() { show_machine(visitor, static_cast<Machine*>(nullptr)); });
}

}  // namespace coalescing_tests

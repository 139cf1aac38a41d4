// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/binary/amd/program.hpp>
#include <coalesce/host/binary/amd/text.hpp>
#include <coalesce/host/binary/amd/wave.hpp>
#include <coalesce/host/binary/block_memory.hpp>
#include <coalesce/host/binary/parameters.hpp>
#include <coalesce/host/binary/private_memory.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Sets up what a wave finds when it starts: the kernel's arguments in memory, and the values of the first registers.
// Sources: LLVM, AMDGPUUsage: "Kernarg Segment", "Code Object V5 Metadata" (hidden arguments), "Initial Kernel
// Execution State".

namespace coalescing::amdgcn {

using binary::buffer_number, binary::filled_memory;

/// Bounds the memory that hidden arguments take: one that lies at this byte or above stays unknown.
inline constexpr std::uint64_t kernarg_limit = 65536;
inline constexpr std::uint64_t kernarg_base = std::uint64_t{200} << 40, dispatch_base = std::uint64_t{201} << 40;

/// The kernel's parameters. The list is empty if neither the metadata nor the kernel's name states them. (LLVM,
/// AMDGPUUsage, "Code Object V3 Metadata": the values of .value_kind.)
[[nodiscard]] inline std::vector<binary::parameter> parameters_of(program const& code) {
  std::vector<binary::parameter> table;
  for (metadata_argument const& each : code.start.sizes.arguments)
    if (!each.is_hidden())
      table.push_back({.name = each.name,
                       .offset = each.offset,
                       .bytes = each.bytes,
                       .type = each.kind == "global_buffer"            ? binary::parameter_type::pointer
                               : each.kind == "dynamic_shared_pointer" ? binary::parameter_type::number
                                                                       : binary::parameter_type::unknown});
  return binary::parameters_of(code.kernel, code.start.sizes.is_stated, std::move(table));
}

/// Where an argument of the launch lies: its first byte, and its size in bytes.
struct placed_argument {
  std::uint64_t offset = 0, bytes = 0;
};

/// Refused: arguments of the launch that do not fit the kernel's metadata. Each argument of the launch must lie within
/// an argument of the kernel. At the first byte of each argument of the kernel, an argument of the launch must begin.
/// So the launch may give a structure as several numbers.
inline void check_arguments(std::vector<placed_argument> const& given, std::vector<metadata_argument> const& taken) {
  auto const begins_at = [&given](metadata_argument const& each) {
    for (placed_argument const& one : given)
      if (one.offset == each.offset) return true;
    return false;
  };
  auto const is_inside = [&taken](placed_argument const& one) {
    for (metadata_argument const& each : taken)
      if (!each.is_hidden() && each.offset <= one.offset && one.offset + one.bytes <= each.offset + each.bytes)
        return true;
    return false;
  };
  bool fits = true;
  std::string takes, gives;
  auto const add = [](std::string& to, std::uint64_t bytes, std::uint64_t offset) {
    to += (to.empty() ? "" : ", ") + std::to_string(bytes) + " at " + std::to_string(offset);
  };
  for (metadata_argument const& each : taken)
    if (!each.is_hidden()) fits = fits && begins_at(each), add(takes, each.bytes, each.offset);
  for (placed_argument const& one : given) fits = fits && is_inside(one), add(gives, one.bytes, one.offset);
  if (!fits)
    throw binary_refused("the kernel takes these bytes of arguments: " + (takes.empty() ? "none" : takes) +
                         " (.args); and the launch gives " + (gives.empty() ? "none" : gives));
}

struct hidden_argument {
  char const* kind;
  std::uint64_t offset;  ///< in bytes, from the first hidden argument
};
/// The hidden arguments whose values the launch gives, as in code object V5. All other hidden arguments stay unknown.
inline constexpr hidden_argument hidden_arguments[] = {
    {"hidden_block_count_x", 0},    {"hidden_block_count_y", 4},     {"hidden_block_count_z", 8},
    {"hidden_group_size_x", 12},    {"hidden_group_size_y", 14},     {"hidden_group_size_z", 16},
    {"hidden_remainder_x", 18},     {"hidden_remainder_y", 20},      {"hidden_remainder_z", 22},
    {"hidden_global_offset_x", 40}, {"hidden_global_offset_y", 48},  {"hidden_global_offset_z", 56},
    {"hidden_grid_dims", 64},       {"hidden_dynamic_lds_size", 120}};
inline void put_hidden(filled_memory& to, binary_launch const& launch, std::string_view kind, std::uint64_t at) {
  binary::extents const block = binary::extents_of(launch.block);
  auto const axis = static_cast<unsigned>(kind.back() - 'x');
  if (begins(kind, "hidden_block_count_") && axis < 3) to.put(at, binary::grid_size(launch, axis), 4);
  if (begins(kind, "hidden_group_size_") && axis < 3) to.put(at, block[axis], 2);
  if (begins(kind, "hidden_remainder_")) to.put(at, 0, 2);
  if (begins(kind, "hidden_global_offset_")) to.put(at, 0, 8);
  if (kind == "hidden_grid_dims") to.put(at, 3, 2);
  if (kind == "hidden_dynamic_lds_size") to.put(at, launch.dynamic_shared, 4);
}

/// Puts the arguments into memory. An argument lies where the launch says, or at the next multiple of its size. The
/// hidden arguments lie where the metadata says. Without metadata, the size of all arguments (kernarg_size) tells
/// whether there are hidden arguments. Hidden arguments then take 256 bytes from the next multiple of 8 on, as in code
/// object V5. If the kernel's descriptor does not state kernarg_size, there are no hidden arguments. Refused: fewer or
/// more arguments than the kernel takes. (LLVM, AMDGPUUsage, "Kernarg Segment": the size is a multiple of 4.)
[[nodiscard]] inline filled_memory arguments_of(binary_launch const& launch, descriptor const& start,
                                                binary::global_memory const& memory) {
  filled_memory to{.base = kernarg_base};
  std::vector<placed_argument> given;
  std::uint64_t at = 0;
  memory.place_arguments(launch.arguments, [&](std::uint64_t begin, value const& is, unsigned bytes) {
    to.put(begin, is, bytes), given.push_back({begin, bytes}), at = begin + bytes;
  });
  std::vector<metadata_argument> const& taken = start.sizes.arguments;
  bool is_complete = !taken.empty();
  for (metadata_argument const& each : taken) is_complete = is_complete && !each.kind.empty() && each.bytes != 0;
  if (is_complete) {
    check_arguments(given, taken);
    for (metadata_argument const& each : taken)
      if (each.is_hidden() && each.offset < kernarg_limit) put_hidden(to, launch, each.kind, each.offset);
    return to;
  }
  bool is_stated = false;
  for (std::string const& each : start.directives) is_stated = is_stated || each == "kernarg_size";
  std::uint64_t const hidden = (at + 7) / 8 * 8;
  if (!is_stated || start.kernarg_bytes == (at + 3) / 4 * 4) return to;
  if (start.kernarg_bytes != hidden + 256)
    throw binary_refused("the kernel takes " + std::to_string(start.kernarg_bytes) + " bytes of arguments, and " +
                         std::to_string(at) + " are given" +
                         (at < start.kernarg_bytes ? " (the hidden ones of code object V5 are 256 more; for another "
                                                     "version append the output of `llvm-readelf --notes FILE`)"
                                                   : ""));
  for (hidden_argument const& each : hidden_arguments) put_hidden(to, launch, each.kind, hidden + each.offset);
  return to;
}
/// The dispatch packet in memory: sizes of the block and of the grid, bytes of LDS, address of the arguments (HSA
/// Platform System Architecture Specification, "Kernel dispatch packet").
[[nodiscard]] inline filled_memory packet_of(binary_launch const& launch, descriptor const& start) {
  filled_memory to{.base = dispatch_base};
  binary::extents const block = binary::extents_of(launch.block);
  for (unsigned k = 0; k != 3; ++k) {
    to.put(4 + 2 * k, block[k], 2);
    to.put(12 + 4 * k, low(product(binary::grid_size(launch, k), exact(block[k])), 32), 4);
  }
  to.put(28, start.lds_bytes + launch.dynamic_shared, 4);
  to.put(40, kernarg_base, 8);
  return to;
}

/// Sets the registers with which a wave starts.
inline void start(wave& w, descriptor const& from, target const& on, filled_memory const& arguments,
                  binary_launch const& launch, place const& block) {
  unsigned next = 0;
  auto const skip = [&](bool enabled, unsigned registers) { next += enabled ? registers : 0; };
  auto const pointer = [&](bool enabled, std::uint64_t to) {
    if (enabled) w.set_scalar(next, 64, exact(to)), next += 2;
  };
  if (from.private_segment_buffer) w.set_scalar(next, 64, exact(binary::private_base)), next += 4;
  pointer(from.dispatch_ptr, dispatch_base);
  skip(from.queue_ptr, 2);
  pointer(from.kernarg_ptr, kernarg_base);
  skip(from.dispatch_id, 2);
  skip(from.flat_scratch_init, 2);
  skip(from.private_segment_size, 1);
  for (unsigned k = 0; k != from.preload_length; ++k)
    w.set_scalar(next++, 32, arguments.load(kernarg_base + 4 * (from.preload_offset + k), 4, 0));
  if (from.user_registers > next) next = from.user_registers;
  w.rounding = exact((from.rounding_32 & 3) | (from.rounding_64 & 3) << 2);
  auto const id = [&](unsigned axis) { return binary::block_index(launch, block, axis); };
  if (on.ids_in_ttmp) {
    value const y = id(1), z = id(2), both = y | z << 16;
    binary::identity const is =
        both.is_known() ? binary::identity{}
                        : binary::named(binary::name_of(y.is.name, z.is.name), binary::part_of_number::lower);
    w.set_scalar(108 + 9, 32, id(0));
    w.set_scalar(108 + 7, 32, binary::identified(both, is));
    w.set_scalar(108 + 8, 32, {u64{w.number} << 25, u64{31} << 25, 0});
  } else {
    unsigned const ids =
        unsigned{from.workgroup_id_x} + from.workgroup_id_y + from.workgroup_id_z + from.workgroup_info;
    if (on.pads_user_registers && w.lanes == 32 && next + ids < 16) next = 16 - ids;
    if (from.workgroup_id_x) w.set_scalar(next++, 32, id(0));
    if (from.workgroup_id_y) w.set_scalar(next++, 32, id(1));
    if (from.workgroup_id_z) w.set_scalar(next++, 32, id(2));
    if (from.workgroup_info) ++next;
    if (from.private_wavefront_offset && on.major < 11) w.set_scalar(next, 32, exact(0));
  }
  binary::extents const size = binary::extents_of(launch.block);
  u64 active = 0;
  for (unsigned lane = 0; lane != w.lanes; ++lane) {
    u64 const thread = u64{w.number} * w.lanes + lane;
    if (thread >= binary::product(size)) continue;
    active |= u64{1} << lane;
    u64 const rest = thread / size[0];
    u64 const ids[] = {thread % size[0], from.workitem_id < 1 ? 0 : rest % size[1],
                       from.workitem_id < 2 ? 0 : rest / size[1]};
    if (on.packed_ids) {
      w.set_lane_anyway(0, lane, exact(ids[0] | ids[1] << 10 | ids[2] << 20));
    } else {
      for (unsigned k = 0; k <= from.workitem_id && k != 3; ++k) w.set_lane_anyway(k, lane, exact(ids[k]));
    }
  }
  w.set_exec(exact(active));
}

}  // namespace coalescing::amdgcn

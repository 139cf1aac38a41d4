// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/compare.hpp>
#include <coalesce/explain/counters.hpp>
#include <coalesce/figure/caption.hpp>
#include <coalesce/record/sums.hpp>
#include <coalesce/suggest/uses.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

// An instruction of a machine as a value. Its functions give costs, transactions, phases and figures at run time.

namespace coalescing {

/// The byte address of each lane, in the order of the lanes: a span, a vector or an array.
using lane_addresses = std::span<std::uint64_t const>;

namespace refused {

[[noreturn]] inline void instruction_makes_no_transactions() {
  detail::refuse(
      "this instruction makes no transactions: shared memory and LDS have phases, and the constant cache counts "
      "requests, which cost() gives");
}
[[noreturn]] inline void instruction_has_no_phases() {
  detail::refuse("this instruction has no phases: only those on shared memory and LDS do, others have transactions");
}
[[noreturn]] inline void instruction_has_no_figure() {
  detail::refuse(
      "there is no figure of this instruction: it has neither transactions nor phases, or its rounds are not stacks of "
      "words (two addresses a lane, words wider than a bank on CC 1.x, 128-bit words of shared memory on CC 2.x)");
}

}  // namespace refused

namespace detail {

/// The facts of an instruction's type, and functions that give its costs and figures. (host/named/listing.hpp defines
/// these functions for each type.)
struct named_facts {
  instruction_name called;
  coalescing::level level;
  std::uint64_t unit;
  unsigned lanes;
  address_limits limits;
  bool can_be_used;  ///< whether co::suggest accepts accesses by the instruction
  use_limits use;    ///< what such an access demands of a tile; zeros if co::suggest does not accept it

  constexpr named_facts(instruction_name const& name, coalescing::level counted_at, std::uint64_t of_unit,
                        unsigned of_lanes, address_limits const& of_lane, bool is_used, use_limits const& of_use)
      : called(name),
        level(counted_at),
        unit(of_unit),
        lanes(of_lanes),
        limits(of_lane),
        can_be_used(is_used),
        use(of_use) {}

  virtual compared_cost cost(lane_addresses, std::uint64_t active) const = 0;
  virtual std::vector<transaction> transactions(lane_addresses, std::uint64_t active) const = 0;
  virtual std::vector<bank_phase> phases(lane_addresses, std::uint64_t active) const = 0;
  virtual std::string explain(lane_addresses, std::uint64_t active) const = 0;
  virtual std::string draw(lane_addresses, std::uint64_t active, caption, bool as_svg) const = 0;
  /// The rounds in which the banks serve one access to a tile. `any` has the bits that are set in at least one address.
  virtual bank_cost<> rounds(access<64> const&, std::uint64_t any) const = 0;

 protected:
  ~named_facts() = default;
};

}  // namespace detail

/// An instruction of a machine. Each function takes the address of every lane and a mask (bit k: lane k), and returns
/// what the function of the same name returns for the instruction's type. Refused: what that function refuses at run
/// time; transactions or phases that the instruction does not have; fewer addresses than lanes.
struct named_instruction {
  std::string machine;  ///< such as cuda::cc90
  std::string name;     ///< such as shared_load<32>, cp_async<16>::global, wave64::ds_load<32>
  std::string verb;     ///< the name without its arguments, such as cp_async::global
  /// The number in the name. It counts bits per lane, but dwords for s_load, bytes for cp_async, matrices for ldmatrix.
  unsigned width = 0;
  bool is_plain = true;  ///< whether the name has no other argument than the width
  touch kind = touch::load;
  coalescing::level level = level::dram;
  std::uint64_t unit = 0;  ///< bytes of the smallest transaction, or of a bank
  unsigned lanes = 0;      ///< how many lanes give an address
  unsigned bytes = 0;      ///< bytes per lane
  unsigned alignment = 0;  ///< each address must be a multiple of this number of bytes
  detail::named_facts const* facts = nullptr;

  /// The name with its machine, as co::name_of gives it: cuda::cc90::shared_load<32>.
  [[nodiscard]] std::string full_name() const { return machine + "::" + name; }
  /// The memory that the instruction accesses: `shared` for shared memory or LDS, otherwise `global`.
  [[nodiscard]] memory_space space() const { return level == level::lds ? memory_space::shared : memory_space::global; }

  /// The cost of an access. A number that the instruction does not have is not_counted.
  [[nodiscard]] compared_cost cost(lane_addresses at, std::uint64_t active = all_lanes) const {
    return facts->cost(at, active);
  }
  /// The row of co::compare for an access. If the instruction refuses an address, the row says so.
  [[nodiscard]] comparison_row row(lane_addresses at, std::uint64_t active = all_lanes) const {
    comparison_row made;
    made.machines = 1, made.level = level, made.unit = unit, made.lanes = lanes, made.bytes = bytes;
    made.instruction.append(name.c_str()), made.first_machine.append(machine.c_str());
    made.place = detail::place_in_family(facts->called.machine);
    made.last_machine = made.first_machine, made.banked_memory.append(facts->called.machine.family.banked_memory);
    if (at.size() < lanes) refused::array_is_shorter_than_the_wave(at.size());
    access<64> asked{.address = {}, .active = active == all_lanes ? all_lanes >> (64 - lanes) : active};
    for (unsigned lane = 0; lane != lanes; ++lane) asked.address[lane] = at[lane];
    if (detail::takes(asked, facts->limits, made)) static_cast<compared_cost&>(made) = cost(at, active);
    return made;
  }
  [[nodiscard]] std::vector<transaction> transactions(lane_addresses at, std::uint64_t active = all_lanes) const {
    return facts->transactions(at, active);
  }
  [[nodiscard]] std::vector<bank_phase> phases(lane_addresses at, std::uint64_t active = all_lanes) const {
    return facts->phases(at, active);
  }
  [[nodiscard]] std::string explain(lane_addresses at, std::uint64_t active = all_lanes) const {
    return facts->explain(at, active);
  }
  /// The picture of an access: svg() as SVG, terminal() for a terminal of 120 columns.
  [[nodiscard]] std::string svg(lane_addresses at, std::uint64_t active = all_lanes,
                                caption of = caption::whole) const {
    return facts->draw(at, active, of, true);
  }
  [[nodiscard]] std::string terminal(lane_addresses at, std::uint64_t active = all_lanes,
                                     caption of = caption::whole) const {
    return facts->draw(at, active, of, false);
  }
  /// The profilers' counters that count what cost() gives.
  [[nodiscard]] counter_list counters() const { return detail::counters_for(detail::key_of(facts->called)); }
};

/// A machine, and its instructions whose cost is known. Some machines have no such instruction: sources tell only how
/// much LDS they have.
struct named_machine {
  std::string name;  ///< such as cuda::cc90 or gcn
  std::vector<named_instruction> instructions;
  std::vector<std::string> also = {};  ///< its other names: cuda::sm_90, cuda::h100
};

}  // namespace coalescing

// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/source.hpp>

#include <cstdint>

// The numbers of a cost: how they add up, what they are called, and how a compiler prints them.
//
// A cost is a struct template over the kind of its members. In Cost<> the members are counts. In Cost<citations> the
// members of the same names are the sources of these counts. If costs are added, members declared as `sum` are added; a
// member declared as `most` becomes the larger of the two.

namespace coalescing {

struct counts;

namespace detail {

/// In Cost<growth> each member is a flag. It tells whether the number of this name is a maximum or a sum.
struct growth {
  struct sum {
    bool is_maximum = false;
  };
  struct most {
    bool is_maximum = true;
  };
};

/// Costs of global memory have a private member `conflicts` of this type. If a program asks for `conflicts`, the
/// compiler's error contains this name.
struct global_memory_has_no_banks_ask_transactions {};

/// A list of a cost's members, as pointers to members.
template <auto... Members>
struct members {};

/// Adds the numbers of one cost to those of another; a maximum becomes the larger of the two. Members are added one by
/// one, because CUDA 12 before 12.9 cannot turn a cost into an array.
template <class Cost, auto... Members, class Growth, auto... Flags>
COALESCE_API constexpr void add_numbers(Cost& total, Cost const& more, members<Members...>, Growth grows,
                                        members<Flags...>) {
  static_assert(sizeof(Cost) == sizeof...(Members) * sizeof(std::uint64_t), "a cost lists each of its numbers");
  ((total.*Members = !(grows.*Flags).is_maximum       ? total.*Members + more.*Members
                     : total.*Members < more.*Members ? more.*Members
                                                      : total.*Members),
   ...);
}
/// Multiplies the numbers of a cost by n. A maximum stays as it is, but for n = 0 it becomes 0, too.
template <class Cost, auto... Members, class Growth, auto... Flags>
COALESCE_API constexpr void multiply_numbers(Cost& product, std::uint64_t n, members<Members...>, Growth grows,
                                             members<Flags...>) {
  static_assert(sizeof(Cost) == sizeof...(Members) * sizeof(std::uint64_t), "a cost lists each of its numbers");
  ((product.*Members *= (grows.*Flags).is_maximum && n != 0 ? 1 : n), ...);
}

}  // namespace detail

/// The template argument of a cost whose members are counts: 64-bit integers. Its operators add and multiply costs:
/// argument-dependent lookup finds them for every such cost.
struct counts {
  using sum = std::uint64_t;
  using most = std::uint64_t;

  /// The cost of two accesses: sums are added, and a maximum becomes the larger of the two.
  template <template <class> class Cost>
  [[nodiscard]] friend COALESCE_API constexpr Cost<counts> operator+(Cost<counts> const& a, Cost<counts> const& b) {
    Cost<counts> total = a;
    detail::add_numbers(total, b, typename Cost<counts>::numbers{}, Cost<detail::growth>{},
                        typename Cost<detail::growth>::numbers{});
    return total;
  }
  template <template <class> class Cost>
  friend COALESCE_API constexpr Cost<counts>& operator+=(Cost<counts>& a, Cost<counts> const& b) {
    return a = a + b;
  }
  /// The cost of n equal accesses. For n = 0 every number is 0.
  template <template <class> class Cost>
  [[nodiscard]] friend COALESCE_API constexpr Cost<counts> operator*(Cost<counts> const& a, std::uint64_t n) {
    Cost<counts> product = a;
    detail::multiply_numbers(product, n, typename Cost<counts>::numbers{}, Cost<detail::growth>{},
                             typename Cost<detail::growth>::numbers{});
    return product;
  }
  template <template <class> class Cost>
  [[nodiscard]] friend COALESCE_API constexpr Cost<counts> operator*(std::uint64_t n, Cost<counts> const& a) {
    return a * n;
  }
};

/// A template argument for the cost types: bank_cost<citations> has members of the same names as bank_cost<>, and each
/// holds the source of a number in place of the number.
struct citations {
  using sum = source;
  using most = source;
};

/// The cost of one access to banked memory (NVIDIA shared memory, AMD LDS).
template <class Of = counts>
struct bank_cost {
  typename Of::sum rounds{};     ///< passes over the banks, summed over the phases
  typename Of::sum conflicts{};  ///< rounds beyond the first of each phase: rounds == phases + conflicts
  typename Of::sum phases{};     ///< sets of lanes that the memory serves one after the other
  typename Of::most ways{};      ///< the most rounds of one phase: the N of "N-way conflict"; 1: no conflict

  using numbers = detail::members<&bank_cost::rounds, &bank_cost::conflicts, &bank_cost::phases, &bank_cost::ways>;
  static constexpr char const* names[4] = {"rounds", "conflicts", "phases", "ways"};
  bool operator==(bank_cost const&) const = default;
};

namespace detail {
/// In every_number, the value of a number that the instruction at hand does not have.
template <class Of>
inline constexpr typename Of::sum no_number{};
/// A cost with a member for every number that some instruction's cost has.
template <class Of>
struct every_number {
  static constexpr typename Of::sum none = no_number<Of>;
  typename Of::sum clocks = none, requests = none, transactions = none, bytes_moved = none, bytes_used = none,
                   lines = none, data_wavefronts = none, tag_wavefronts_at_least = none, quads = none,
                   partial_sectors = none, rounds = none, rounds_at_least = none, conflicts = none, phases = none,
                   ways = none, operations = none, lanes_on_one_address = none;

  using numbers =
      members<&every_number::clocks, &every_number::requests, &every_number::transactions, &every_number::bytes_moved,
              &every_number::bytes_used, &every_number::lines, &every_number::data_wavefronts,
              &every_number::tag_wavefronts_at_least, &every_number::quads, &every_number::partial_sectors,
              &every_number::rounds, &every_number::rounds_at_least, &every_number::conflicts, &every_number::phases,
              &every_number::ways, &every_number::operations, &every_number::lanes_on_one_address>;
  static constexpr char const* names[17] = {"clocks",
                                            "requests",
                                            "transactions",
                                            "bytes_moved",
                                            "bytes_used",
                                            "lines",
                                            "data_wavefronts",
                                            "tag_wavefronts_at_least",
                                            "quads",
                                            "partial_sectors",
                                            "rounds",
                                            "rounds_at_least",
                                            "conflicts",
                                            "phases",
                                            "ways",
                                            "operations",
                                            "lanes_on_one_address"};
  bool operator==(every_number const&) const = default;
};

/// The source of numbers, such as bytes_used, that follow from the addresses alone.
inline constexpr source counted_from_the_addresses{{"the question itself", "", "none needed"},
                                                   "",
                                                   "counted from the addresses: no rule of the machine",
                                                   evidence::documented};
}  // namespace detail

// ---- How a program makes a compiler print a cost ----

template <auto Member, std::uint64_t Value>
struct number;
/// Declared, never defined: when a program uses `show`, the compiler prints the template arguments of this type.
template <class... Numbers>
struct the_numbers_are;

/// Declared, never defined. If a program names show<co::cost<...>(...)>, every compiler prints an error that contains
/// the numbers. For a single cost, the error also contains the names of the numbers.
template <auto... Values>
struct show;

namespace detail {
template <auto Cost, class Members>
struct named;
template <auto Cost, auto... Members>
struct named<Cost, members<Members...>> : the_numbers_are<number<Members, Cost.*Members>...> {};
}  // namespace detail

template <auto Cost>
requires requires { typename decltype(Cost)::numbers; }
struct show<Cost> : detail::named<Cost, typename decltype(Cost)::numbers> {};

/// Whether a number is the wanted one, as in `static_assert(co::is<co::cost<...>(...).rounds, 4>())`. If it is not,
/// every compiler prints both numbers. (For a static_assert of `rounds == 4` nvcc prints neither.) Instead of a number,
/// Got may be a cost or any other value that compares with ==. Refused: a Got that is not Wanted; a Wanted that is not
/// a value of Got's type, such as -1.
template <auto Got, decltype(Got) Wanted>
[[nodiscard]] COALESCE_API constexpr bool is() {
  static_assert(Got == Wanted, "co::is<Got, Wanted>: Got is not Wanted");
  return true;
}

}  // namespace coalescing

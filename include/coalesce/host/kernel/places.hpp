// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/record/sums.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

// Gives a number to each place of an unmodified program at which its threads access memory.

namespace coalescing::detail {

/// An instruction that an intrinsic issues. Defined in issue.hpp.
struct issued_instruction;

/// A place in the code of an unmodified program at which the kernel accesses memory, and what the access does.
struct host_place {
  std::uint64_t address = 0;  ///< the address in the program of the call that notes the access
  issued_instruction const* instruction = nullptr;
  unsigned bytes = 0, array = 0;
  touch kind = {};
  bool is_copy = false;  ///< bytes that are copied, set or merged as a whole, which may have any alignment
  memory_space space = memory_space::global;  ///< of the array
  auto operator<=>(host_place const&) const = default;
};
/// Whether lanes that come to these places together execute one instruction there. So it is if the places differ by
/// their arrays in shared memory alone: `p[k]`, where p is one array in some lanes and another one in others. (In
/// global memory such lanes count for each array apart, as one instruction for each. Their transactions are the same.)
inline bool is_one_instruction(host_place const& a, host_place const& b) {
  host_place other = b;
  other.array = a.array;
  return a == b || (a.space == memory_space::shared && a == other);
}

/// Numbers the places of a program in the order in which threads first come to them.
class host_places {
 public:
  static constexpr unsigned none = ~0u;  ///< no place has this number
  [[nodiscard]] std::size_t size() const { return places_.size(); }
  host_place const& operator[](unsigned number) const { return places_[number]; }
  /// The number of a place. A place that is not known yet gets the next number.
  unsigned number_of(host_place const& what) {
    auto const [found, is_new] = numbers_.try_emplace(what, static_cast<unsigned>(places_.size()));
    if (is_new) places_.push_back(what);
    return recent_[what.address % recent_.size()] = found->second;
  }
  /// Guesses the place at an address: the last place given to number_of() whose address is equal to this one modulo
  /// 1,024. The guess may be wrong, so the caller must compare the place. nullptr: there is no place yet.
  [[nodiscard]] host_place const* recent_at(std::uint64_t address, unsigned& number) const {
    number = recent_[address % recent_.size()];
    return number < places_.size() ? &places_[number] : nullptr;
  }

 private:
  std::vector<host_place> places_;
  std::map<host_place, unsigned> numbers_;
  std::array<unsigned, 1024> recent_ = {};  // for each address modulo 1,024: what number_of() returned last
};

}  // namespace coalescing::detail

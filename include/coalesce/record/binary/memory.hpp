// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/record/binary/launch.hpp>
#include <coalesce/record/binary/values.hpp>

#include <cstdint>
#include <string>
#include <vector>

// Memory whose bytes are known or unknown. A byte that another wave wrote since the last barrier is unknown, since
// nothing orders the two; so is one that another block wrote.

namespace coalescing::binary {

/// Who accesses memory, and when: its block (they run one after the other), the barriers so far, its wave.
struct moment {
  std::uint32_t block = 0, barriers = 0, wave = 0;
  /// Whether a write at `then` is seen now.
  [[nodiscard]] constexpr bool sees(moment const& then) const {
    return then.block == block && (then.wave == wave || then.barriers < barriers);
  }
};

/// Bytes with what is known of them.
class known_bytes {
 public:
  known_bytes() = default;
  /// `size` bytes, of which the first are known.
  explicit known_bytes(std::uint64_t size, std::vector<unsigned char> const& first = {}) : cells_(size) {
    for (std::uint64_t k = 0; k != first.size(); ++k) cells_[k] = {first[k], state::given, {}, 0};
  }
  [[nodiscard]] std::uint64_t size() const { return cells_.size(); }

  /// Up to 8 bytes. A byte that is not known has the cause `why`, or that of the value that was stored.
  /// `now.sees(then)` tells whether a write is seen.
  template <class Now>
  [[nodiscard]] value load(std::uint64_t at, unsigned bytes, Now const& now, cause why) const {
    value all = exact(0);
    for (unsigned k = 0; k != bytes; ++k) {
      cell const& from = cells_[at + k];
      bool const known = from.is == state::given || (from.is == state::stored && now.sees(from.when));
      value const byte = known ? exact(from.bits) : low(unknown(either(why, from.why)), 8);
      all = all | byte << (8 * k);
    }
    return all;
  }
  void store(std::uint64_t at, unsigned bytes, value what, moment now) {
    if (is_given_up_) return;
    for (unsigned k = 0; k != bytes; ++k) {
      value const byte = low(what >> (8 * k), 8);
      bool const known = byte.is_known(8);
      cells_[at + k] = {static_cast<unsigned char>(known ? byte.bits : 0), known ? state::stored : state::lost, now,
                        known ? 0 : byte.why};
    }
  }
  /// Forgets all bytes: a store went to an address that is not known.
  void forget(cause why) {
    for (cell& each : cells_) each = {0, state::lost, {}, why};
  }
  /// Forgets all bytes, and what is stored from now on: a wave that is no longer followed may write any byte, at any
  /// time.
  void give_up(cause why) { forget(why), is_given_up_ = true; }
  /// The byte as it is at the end, for checks: -1 where it is not known.
  [[nodiscard]] int final_byte(std::uint64_t at) const {
    cell const& from = cells_[at];
    return from.is == state::given || from.is == state::stored ? from.bits : -1;
  }

 private:
  enum class state : unsigned char { lost, given, stored };
  struct cell {
    unsigned char bits = 0;
    state is = state::lost;
    moment when = {};
    cause why = 0;
  };
  std::vector<cell> cells_;
  bool is_given_up_ = false;
};

/// A buffer in global memory.
struct global_array {
  std::string name = {};
  std::uint64_t base = 0, extent = 0;
  bool has_contents = false;
  known_bytes bytes = {};  ///< empty where the buffer has no contents
};

/// All buffers. The k-th begins at (k + 1) * 2^40, as the arrays of a recorded kernel do: 48 bits hold the address, and
/// buffers of up to 2^40 bytes do not touch.
class global_memory {
 public:
  static constexpr std::uint64_t spacing = std::uint64_t{1} << 40;

  explicit global_memory(std::vector<binary_argument> const& arguments) {
    unsigned place = 0;
    for (binary_argument const& each : arguments) {
      if (each.is_buffer) {
        if (each.extent > spacing || arrays_.size() == 127)
          throw binary_refused("a launch has at most 127 buffers of 2^40 bytes each");
        bool const full = !each.contents.empty();
        arrays_.push_back({each.name.empty() ? "arg" + std::to_string(place) : each.name,
                           (arrays_.size() + 1) * spacing, each.extent, full,
                           full ? known_bytes(each.extent, each.contents) : known_bytes()});
      }
      ++place;
    }
  }
  [[nodiscard]] std::vector<global_array> const& arrays() const { return arrays_; }
  [[nodiscard]] std::vector<global_array>& arrays() { return arrays_; }
  /// The buffer that holds all these bytes; null where the bytes lie in no buffer.
  [[nodiscard]] global_array* of(std::uint64_t address, unsigned bytes) {
    std::uint64_t const number = address / spacing;
    if (number == 0 || number > arrays_.size()) return nullptr;
    global_array& found = arrays_[number - 1];
    std::uint64_t const offset = address - found.base;
    return bytes <= found.extent && offset <= found.extent - bytes ? &found : nullptr;
  }
  /// Forgets the contents of all buffers: a store went to an address that is not known.
  void forget(cause why) {
    for (global_array& each : arrays_) each.bytes.forget(why);
  }
  /// Forgets them for good: a wave that is no longer followed may store to any of them.
  void give_up(cause why) {
    for (global_array& each : arrays_) each.bytes.give_up(why);
  }

 private:
  std::vector<global_array> arrays_;
};

}  // namespace coalescing::binary

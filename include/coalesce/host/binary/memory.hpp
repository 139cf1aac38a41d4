// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/binary/launch.hpp>
#include <coalesce/host/binary/values.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

// Models memory: each byte is known or unknown. A byte that another wave wrote since the last barrier is unknown to a
// load, since nothing orders the store and the load. A byte that another block wrote is unknown for the same reason. If
// two stores that nothing orders leave different values in a byte, the byte stays unknown after a barrier, too: either
// store may come last. A store to an unknown address may be a store to any byte. Waves run one after the other, so a
// load may run before the store of another wave that a flag orders before it. Such a load is noted, and the launch runs
// again with its result unknown (early_load). (PTX ISA 9.0, "Memory Consistency Model", "Conflict and Data-races". If
// two lanes of one st write the same byte, it is "undefined" which lane is last.)

namespace coalescing::binary {

/// Which waves of a block wrote a byte, and when. After a write that is ordered after all earlier writes, `waves` has
/// only the wave of that write. The same is kept of the waves that read it.
struct writers {
  std::uint32_t block = 0, barriers = 0;  ///< the block, and the most barriers that one of the writers had passed
  std::uint32_t waves = 0;                ///< bit k: wave k wrote it. A block has at most 32 waves
  std::uint32_t access = 0;               ///< the number of the last write (moment::access)
};

/// Which wave accesses memory, and when. `block` is the number of the wave's block; blocks run one after the other.
/// `barriers` is how many barriers the wave has passed. `access` is the number of the executed instruction, counted
/// from 1 on.
struct moment {
  std::uint32_t block = 0, barriers = 0, wave = 0, access = 0;
  bool perhaps = false;  ///< it depends on data whether the store that is made now takes place

  [[nodiscard]] constexpr moment const& when() const { return *this; }
  [[nodiscard]] constexpr std::uint32_t bit() const { return std::uint32_t{1} << wave % 32; }
  /// A number that is different for each executed instruction of all blocks, and grows with time: `block` is in the
  /// high 32 bits, `access` in the low ones.
  [[nodiscard]] constexpr std::uint64_t issue() const { return std::uint64_t{block} << 32 | access; }
  /// Whether all writes by the waves `then` come before this moment, in an order that the program guarantees.
  [[nodiscard]] constexpr bool sees(writers const& then) const {
    return then.block == block && (then.waves == bit() || then.barriers < barriers);
  }
};

/// A run of bytes, each known or unknown.
class known_bytes {
 public:
  known_bytes() = default;
  /// Makes `size` bytes. The first ones are those of `first`, and the others are unknown.
  explicit known_bytes(std::uint64_t size, std::vector<unsigned char> const& first = {}) : cells_(size) {
    for (std::uint64_t k = 0; k != first.size(); ++k) cells_[k] = {first[k], state::given, false, {}, 0, 0};
  }
  [[nodiscard]] std::uint64_t size() const { return cells_.size(); }

  /// Sets bytes that are there before the kernel starts: its arguments, the sizes of the launch. The memory grows if it
  /// is too short; bytes that nothing sets are unknown.
  void give(std::uint64_t at, std::uint64_t bits, unsigned bytes, buffer_number in = 0) {
    if (cells_.size() < at + bytes) cells_.resize(at + bytes);
    for (unsigned k = 0; k != bytes; ++k)
      cells_[at + k] = {static_cast<unsigned char>(bits >> (8 * k)), state::given, false, {}, 0, in};
  }
  /// Loads up to 8 bytes. A byte that is not known has the cause `why`, or the cause of the value that was stored. A
  /// byte past the end is not known. now.sees(by) tells whether the writes `by` surely come before the load.
  template <class Now>
  [[nodiscard]] value load(std::uint64_t at, unsigned bytes, Now const& now, cause why) const {
    value all = exact(0);
    buffer_number in = bytes == 0 || at >= cells_.size() ? buffer_number{0} : cells_[at].in;
    for (unsigned k = 0; k != bytes; ++k) {
      cell const from = at + k < cells_.size() ? cells_[at + k] : cell{};
      value const byte = is_seen(from, now) ? exact(from.bits) : low(unknown(either(why, from.why)), 8);
      all = all | byte << (8 * k);
      if (from.in != in) in = 0;
    }
    all.in = in;
    return all;
  }
  /// Loads up to 8 bytes from memory that no instruction stores to.
  [[nodiscard]] value load(std::uint64_t at, unsigned bytes, cause why) const { return load(at, bytes, moment{}, why); }
  /// Notes that the instruction `by` loaded these bytes.
  template <class Now>
  void note_load(std::uint64_t at, unsigned bytes, Now const& now, cause by) {
    moment const& when = now.when();
    reads_.resize(cells_.size());
    for (unsigned k = 0; k != bytes && at + k < cells_.size(); ++k) {
      if (!is_seen(cells_[at + k], now)) continue;
      writers& read = reads_[at + k];
      writers const before = read;
      read = {when.block, when.barriers, when.bit(), by};
      if (before.waves == 0 || now.sees(before)) continue;
      read.waves |= before.waves, read.barriers = std::max(read.barriers, before.barriers);
      if (before.block != when.block) read.block = several_blocks;
    }
  }
  /// Stores up to 8 bytes. A store past the end changes nothing. (Only a lane that perhaps takes part can store there:
  /// the caller has refused such an address of any other lane.) If two waves, or two lanes of one instruction, write a
  /// byte in no guaranteed order, the byte stays known only if both write the same value. Returns an instruction that
  /// loaded a byte, if the store changes the byte and nothing orders the load before the store. 0: there is none.
  template <class Now>
  cause store(std::uint64_t at, unsigned bytes, value what, Now const& now) {
    is_stored_ = true;
    if (is_given_up_ || bytes > cells_.size() || at > cells_.size() - bytes) return 0;
    moment const& when = now.when();
    cause early = 0;
    for (unsigned k = 0; k != bytes; ++k) {
      value const byte = low(what >> (8 * k), 8);
      cell& to = cells_[at + k];
      bool const is_written = to.by.waves != 0, is_same_block = to.by.block == when.block;
      bool const is_same = is_written && is_same_block && when.access != 0 && to.by.access == when.access;
      bool const is_ordered = !is_written || (!is_same && !to.has_blocks && now.sees(to.by));
      bool const is_equal = to.is == state::stored && byte.is_known(8) && to.bits == byte.bits;
      bool const was_equal = to.is != state::lost && to.bits == byte.bits;
      bool const is_known = byte.is_known(8) && (is_ordered || is_equal) && (!when.perhaps || was_equal);
      bool const is_last = is_ordered && !when.perhaps;  // what the byte was part of before is surely gone
      bool const stays = was_equal && byte.is_known(8);
      cause const why = is_known ? 0 : either(byte.why, is_ordered ? 0 : to.why);
      cell const made{static_cast<unsigned char>(is_known ? byte.bits : 0),
                      is_known ? state::stored : state::lost,
                      has_blocks_after(to, when),
                      writers_after(to, when, is_ordered),
                      why,
                      is_last || what.in == to.in ? what.in : buffer_number{0}};
      if (!stays) early = either(early, take_early_load(at + k, now));
      if (made.is != to.is || made.bits != to.bits || made.in != to.in) ++changes_;
      to = made;
    }
    return early;
  }
  /// Forgets all bytes, because something that is not followed may have written them.
  void forget(cause why) {
    is_stored_ = true;
    for (cell& each : cells_) {
      if (each.is != state::lost) ++changes_;
      each = {0, state::lost, each.has_blocks, each.by, why};
    }
  }
  /// Forgets all bytes, because a store went to an unknown address. Returns what store() does.
  template <class Now>
  cause forget(cause why, Now const& now) {
    cause early = 0;
    for (std::uint64_t k = 0; k != reads_.size(); ++k) early = either(early, take_early_load(k, now));
    for (cell& each : cells_) {
      bool const is_ordered = each.by.waves == 0 || (!each.has_blocks && now.sees(each.by));
      bool const has_blocks = has_blocks_after(each, now.when());
      each.by = writers_after(each, now.when(), is_ordered), each.has_blocks = has_blocks;
    }
    forget(why);
    return early;
  }
  /// Whether anything was stored, or may have been.
  [[nodiscard]] bool is_stored() const { return is_stored_; }
  /// How often a byte, or what is known of a byte, has changed so far.
  [[nodiscard]] std::uint64_t changes() const { return changes_; }
  /// Forgets all bytes for good, also those that are stored later, because a wave that is no longer followed may write
  /// any byte at any time.
  void give_up(cause why) { forget(why), is_given_up_ = true; }
  /// The value of a byte after the kernel has ended, for tests; -1: it is not known.
  [[nodiscard]] int final_byte(std::uint64_t at) const {
    cell const& from = cells_[at];
    return from.is == state::given || from.is == state::stored ? from.bits : -1;
  }

 private:
  enum class state : unsigned char { lost, given, stored };
  struct cell {
    unsigned char bits = 0;
    state is = state::lost;
    bool has_blocks = false;  ///< more than one block wrote the byte, and nothing orders their writes
    writers by = {};
    cause why = 0;
    buffer_number in = 0;  ///< if the byte is part of a pointer: the buffer that it points into
  };
  static constexpr std::uint32_t several_blocks = 0;  ///< the blocks of a launch are numbered from 1 on
  /// Whether the wave of `now` wrote the byte. (Other waves may have written the byte later, in no guaranteed order. If
  /// they had written another value, the byte would be `lost`.)
  [[nodiscard]] static bool is_own(cell const& from, moment const& now) {
    return from.by.block == now.block && (from.by.waves & now.bit()) != 0;
  }
  /// Whether the byte is known to the wave of `now`.
  template <class Now>
  [[nodiscard]] static bool is_seen(cell const& from, Now const& now) {
    return from.is == state::given || (from.is == state::stored && (is_own(from, now.when()) || now.sees(from.by)));
  }
  /// Called when a byte changes. Returns the instruction that loaded the byte before, if nothing orders the load before
  /// `now`; else 0.
  template <class Now>
  [[nodiscard]] cause take_early_load(std::uint64_t at, Now const& now) {
    if (at >= reads_.size() || reads_[at].waves == 0) return 0;
    writers const read = std::exchange(reads_[at], {});
    return now.sees(read) ? 0 : read.access;
  }
  /// The writers of a byte after one more write. `is_ordered`: it comes after all earlier ones.
  [[nodiscard]] static writers writers_after(cell const& of, moment const& when, bool is_ordered) {
    writers by{when.block, when.barriers, when.bit(), when.access};
    if (!is_ordered && of.by.block == when.block)
      by.waves |= of.by.waves, by.barriers = std::max(by.barriers, of.by.barriers);
    return by;
  }
  [[nodiscard]] static bool has_blocks_after(cell const& of, moment const& when) {
    return of.has_blocks || (of.by.waves != 0 && of.by.block != when.block);
  }
  std::vector<cell> cells_;
  /// Which waves loaded each byte that is known; `access` is the instruction of the last load. Empty: none did.
  std::vector<writers> reads_;
  bool is_given_up_ = false, is_stored_ = false;
  std::uint64_t changes_ = 0;
};

/// Bytes that are set before the kernel starts, and that no instruction stores to: arguments, the sizes of the launch.
class given_bytes {
 public:
  given_bytes() = default;
  explicit given_bytes(std::uint64_t size) : bytes_(size) {}
  [[nodiscard]] std::uint64_t size() const { return bytes_.size(); }
  /// Sets a number of up to 8 bytes. Its unknown bits are the same for all threads.
  void give(std::uint64_t at, value number, unsigned bytes) {
    bytes_.give(at, number.bits, bytes, number.in);
    if (!number.is_known(8 * bytes)) open_.push_back({at, bytes, number});
  }
  /// Loads up to 8 bytes. `why` is the cause of bytes that are not known.
  [[nodiscard]] value load(std::uint64_t at, unsigned bytes, cause why) const {
    for (open_number const& each : open_)
      if (each.at <= at && at + bytes <= each.at + each.bytes) {
        value part = low(each.is >> static_cast<unsigned>(8 * (at - each.at)), 8 * bytes);
        part.why = why;
        return part;
      }
    for (open_number const& each : open_)
      if (each.at < at + bytes && at < each.at + each.bytes) {
        value all = exact(0);
        for (unsigned k = 0; k != bytes; ++k) all = all | load(at + k, 1, why) << (8 * k);
        return all;
      }
    return bytes_.load(at, bytes, why);
  }

 private:
  struct open_number {
    std::uint64_t at;
    unsigned bytes;
    value is;
  };
  known_bytes bytes_ = {};
  std::vector<open_number> open_ = {};
};

/// Whether the launch stands for a grid of any size. Then the number of blocks along an axis, and the index of the
/// block that runs, are unknown. Such a grid is assumed to have at most 2^31 threads along an axis, so that the index
/// of each thread fits an int.
[[nodiscard]] inline bool has_any_grid(binary_launch const& launch) {
  return launch.any_block && product(extents_of(launch.grid)) == 1;
}
[[nodiscard]] inline std::uint64_t most_blocks(binary_launch const& launch, unsigned axis) {
  return (std::uint64_t{1} << 31) / std::max<std::uint64_t>(extents_of(launch.block)[axis], 1);
}
/// An unknown number from 0 to `most`. Its name (identities.hpp) is made of `kind` and `axis`; a number of blocks has
/// another `kind` than the index of a block.
[[nodiscard]] inline value open_extent(std::uint64_t kind, unsigned axis, std::uint64_t most) {
  std::uint64_t const zeros = ~(~std::uint64_t{0} >> std::countl_zero(most | 1));
  return most == 0 ? exact(0) : identified(settled(0, zeros, 0), named(name_of(kind, axis), part_of_number::lower));
}
[[nodiscard]] inline value grid_size(binary_launch const& launch, unsigned axis) {
  if (!has_any_grid(launch)) return exact(extents_of(launch.grid)[axis]);
  return open_extent(0x67726964u, axis, most_blocks(launch, axis));
}
/// The index along one axis of a block that stands for `count` neighbouring blocks: any number from `first` to first +
/// count - 1.
[[nodiscard]] inline value index_among(std::uint64_t first, std::uint64_t count, unsigned axis) {
  std::uint64_t const last = first + count - 1, same = ~(~std::uint64_t{0} >> std::countl_zero((first ^ last) | 1));
  if (count == 1) return exact(first);
  identity const is{name_of(0x616d6f6e67u, axis), first, first, part_of_number::lower, count - 1};
  return identified(settled(first, same, 0), is);
}
[[nodiscard]] inline value block_index(binary_launch const& launch, place const& block, unsigned axis) {
  std::uint64_t const of[] = {block.x, block.y, block.z};
  if (!launch.any_block) return index_among(of[axis], launch.alike[axis], axis);
  std::uint64_t const most = (has_any_grid(launch) ? most_blocks(launch, axis) : extents_of(launch.grid)[axis]) - 1;
  return open_extent(0x626c6f636bu, axis, most);
}

/// A buffer in global memory.
struct global_array {
  std::string name = {};
  std::uint64_t base = 0, extent = 0;
  bool has_contents = false;
  known_bytes bytes = {};    ///< the contents that the launch gives; empty if it gives none
  std::uint64_t before = 0;  ///< how many bytes before `base` belong to the buffer, too
  /// If the argument is an unknown number that may point to this buffer: the name that stands for this number
  /// (identities.hpp). 0: the launch says that the argument is a buffer.
  std::uint64_t open_name = 0;
};

/// All buffers. Buffer k, counted from 0, begins at byte (k + 1) * 2^40, as array k does when the source of a kernel is
/// recorded. There are at most 127 buffers, so addresses have at most 48 bits. A buffer has at most 2^40 bytes, so
/// buffers do not overlap.
class global_memory {
 public:
  static constexpr std::uint64_t spacing = std::uint64_t{1} << 40;

  explicit global_memory(std::vector<binary_argument> const& arguments) {
    unsigned place = 0;
    for (binary_argument const& each : arguments) {
      if (each.is_buffer || each.may_point) {
        bool const is_any = each.is_buffer && each.extent == binary_argument::any_extent;
        std::uint64_t const extent = is_any ? spacing / 2 : each.extent, before = is_any ? spacing / 2 : 0;
        if (extent > spacing || arrays_.size() == 127)
          throw binary_refused("a launch has at most 127 buffers of 2^40 bytes each");
        bool const full = !each.contents.empty();
        arrays_.push_back({each.name.empty() ? "arg" + std::to_string(place) : each.name,
                           (arrays_.size() + 1) * spacing + before, extent, full,
                           full ? known_bytes(each.extent, each.contents) : known_bytes(), before,
                           each.may_point ? open_name_of(place) : 0});
      }
      ++place;
    }
  }
  /// Calls give(offset, value, bytes) for each argument, to put it where a kernel reads it. Refused: sizes that an
  /// argument cannot have.
  template <class Give>
  void place_arguments(std::vector<binary_argument> const& arguments, Give const& give) const {
    std::uint64_t next = 0;
    unsigned place = 0;
    buffer_number buffers = 0;
    for (binary_argument const& each : arguments) {
      if (each.bytes == 0 || each.bytes > 8)
        throw binary_refused("an argument is a buffer or a number of 1 to 8 bytes");
      std::uint64_t const at =
          each.at != binary_argument::next_place ? each.at : (next + each.bytes - 1) / each.bytes * each.bytes;
      if (each.is_buffer || each.may_point) ++buffers;
      value is = exact(each.is_buffer ? arrays_[buffers - 1u].base : each.bits);
      if (each.is_buffer)
        is.in = buffers;
      else
        is = open_number(each, place, buffers);
      give(at, is, each.bytes);
      next = at + each.bytes, ++place;
    }
  }
  [[nodiscard]] std::vector<global_array> const& arrays() const { return arrays_; }
  [[nodiscard]] std::vector<global_array>& arrays() { return arrays_; }
  /// The buffer that holds all `bytes` bytes from `address` on; null if no buffer does.
  [[nodiscard]] global_array* of(std::uint64_t address, unsigned bytes) {
    std::uint64_t const number = address / spacing;
    if (number == 0 || number > arrays_.size()) return nullptr;
    global_array& found = arrays_[number - 1];
    std::uint64_t const offset = address - (found.base - found.before), all = found.before + found.extent;
    return bytes <= all && offset <= all - bytes ? &found : nullptr;
  }
  /// Forgets the contents of all buffers, as known_bytes::forget does.
  void forget(cause why) {
    for (global_array& each : arrays_) each.bytes.forget(why);
  }
  template <class Now>
  cause forget(cause why, Now const& now) {
    cause early = 0;
    for (global_array& each : arrays_) early = either(early, each.bytes.forget(why, now));
    return early;
  }
  [[nodiscard]] std::uint64_t changes() const {
    std::uint64_t all = 0;
    for (global_array const& each : arrays_) all += each.bytes.changes();
    return all;
  }
  /// Whether anything was stored, or may have been stored, to a buffer whose contents the launch gives. Another block
  /// may then load what was stored.
  [[nodiscard]] bool is_stored() const {
    bool any = false;
    for (global_array const& each : arrays_) any = any || (each.has_contents && each.bytes.is_stored());
    return any;
  }
  /// Forgets the contents of all buffers for good, because a wave that is no longer followed may store to any of them.
  void give_up(cause why) {
    for (global_array& each : arrays_) each.bytes.give_up(why);
  }

 private:
  /// The name that stands for the argument at this position, if the argument is an unknown number (identities.hpp).
  [[nodiscard]] static std::uint64_t open_name_of(unsigned place) { return name_of(0x617267756d656e74u, place); }
  /// The value of an argument that is a number. It has an identity if bits of it are unknown.
  [[nodiscard]] static value open_number(binary_argument const& of, unsigned place, buffer_number buffer) {
    value const is = settled(of.bits & of.every_bit(), of.known | ~of.every_bit(), 0);
    part_of_number const part = of.bytes == 8 ? part_of_number::whole : part_of_number::lower;
    return identified(is, named(open_name_of(place), part), of.may_point ? buffer : buffer_number{0});
  }
  std::vector<global_array> arrays_;
};

}  // namespace coalescing::binary

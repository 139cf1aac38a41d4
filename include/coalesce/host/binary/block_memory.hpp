// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/binary/access.hpp>
#include <coalesce/host/binary/loops.hpp>
#include <coalesce/host/binary/memory.hpp>
#include <coalesce/record/sums.hpp>

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// All memory that the waves of a block load from and store to.

namespace coalescing::binary {

/// Memory that the runtime fills before the kernel starts. Loads from it are not recorded.
struct filled_memory {
  std::uint64_t base = 0;
  given_bytes bytes = {};

  void put(std::uint64_t at, value number, unsigned count) { bytes.give(at, number, count); }
  void put(std::uint64_t at, std::uint64_t number, unsigned count) { put(at, exact(number), count); }
  [[nodiscard]] bool has(std::uint64_t address) const { return address >> 40 == base >> 40; }
  [[nodiscard]] value load(std::uint64_t address, unsigned count, cause why) const {
    return bytes.load(address - base, count, why);
  }
};

/// The block's own shared memory (LDS), the buffers of the launch, and the memory that the runtime has filled.
class block_memory {
 public:
  /// `name` is what the vendor calls shared memory. A block has `shared_bytes` bytes of it.
  block_memory(global_memory& global, std::string name, std::uint64_t shared_bytes,
               std::vector<filled_memory> filled = {})
      : global_(global), name_(std::move(name)), shared_bytes_(shared_bytes), filled_(std::move(filled)) {}

  /// Loads that may run too early (early_load) are added to `found`. A load that is there already has an unknown
  /// result.
  void watch(std::set<std::size_t>& found) { found_ = &found; }
  void begin_block() { shared_ = known_bytes(shared_bytes_); }
  [[nodiscard]] std::string const& shared_name() const { return name_; }
  [[nodiscard]] std::uint64_t shared_bytes() const { return shared_bytes_; }
  [[nodiscard]] std::vector<filled_memory> const& filled() const { return filled_; }
  [[nodiscard]] bool is_filled(std::uint64_t address) const {
    for (filled_memory const& each : filled_)
      if (each.has(address)) return true;
    return false;
  }

  /// The name of the array that holds all `bytes` bytes from `address` on. If no array holds them, this function calls
  /// refuse(near), which may throw, and returns an empty name. Each buffer has a range of 2^40 addresses to itself
  /// (global_memory). `near` is the buffer whose range contains `address`; it is null if there is none, and always for
  /// shared memory.
  template <class Refuse>
  [[nodiscard]] std::string_view array_of(memory_space space, std::uint64_t address, unsigned bytes,
                                          Refuse const& refuse) const {
    global_array const* near = nullptr;
    if (space == memory_space::shared) {
      if (bytes <= shared_bytes_ && address <= shared_bytes_ - bytes) return name_;
    } else {
      if (global_array const* const found = global_.of(address, bytes)) return found->name;
      std::uint64_t const number = address / global_memory::spacing;
      if (number != 0 && number <= global_.arrays().size()) near = &global_.arrays()[number - 1];
    }
    refuse(near);
    return {};
  }

  /// Loads up to 8 bytes. `now` says which wave loads and when, as in known_bytes::load. Addresses of shared memory
  /// have 32 bits.
  template <class Now>
  [[nodiscard]] value load(memory_space space, std::uint64_t address, unsigned bytes, Now const& now, cause why) {
    if (space == memory_space::shared) return load_from(shared_, address & 0xffffffffu, bytes, now, why);
    for (filled_memory const& each : filled_)
      if (each.has(address)) return each.load(address, bytes, why);
    global_array* const in = global_.of(address, bytes);
    if (in == nullptr || !in->has_contents) return low(unknown(why), 8 * bytes);
    return load_from(in->bytes, address - in->base, bytes, now, why);
  }
  template <class Now>
  void store(memory_space space, std::uint64_t address, unsigned bytes, value what, Now const& now) {
    if (space == memory_space::shared) return note(shared_.store(address & 0xffffffffu, bytes, what, now));
    global_array* const in = global_.of(address, bytes);
    if (in != nullptr && in->has_contents) note(in->bytes.store(address - in->base, bytes, what, now));
  }
  /// Forgets the contents of global memory, of shared memory, or of both, because something that is not followed may
  /// have written them.
  void forget(bool global, bool shared, cause why) {
    if (global) global_.forget(why);
    if (shared) shared_.forget(why);
  }
  /// The same, because a store at the moment `now` went to an unknown address.
  template <class Now>
  void forget(bool global, bool shared, cause why, Now const& now) {
    if (global) note(global_.forget(why, now));
    if (shared) note(shared_.forget(why, now));
  }
  /// Forgets the bytes that a store to unknown addresses may overwrite. Call this after the lanes with known addresses
  /// have stored, since any lane of an instruction may store last. An address that was computed from a pointer to a
  /// buffer is assumed to lie in that buffer. `is_generic`: an unknown address may lie in global or in shared memory.
  template <class Now>
  void forget_unknown(lane_access const& one, cause why, Now const& now, bool is_generic = false) {
    bool const shared = one.space == memory_space::shared;
    bool everywhere = !one.why.empty() && one.lanes() != 0;
    buffer_number last = 0;  // the buffer of the lanes before, which is forgotten already
    each_lane(everywhere ? 0 : one.lanes(), [&](unsigned lane) {
      if (one.base[lane] == 0 || (last != 0 && one.in[lane] == last)) return;
      last = shared ? buffer_number{0} : one.in[lane];
      if (last != 0)
        note(global_.arrays()[one.in[lane] - 1u].bytes.forget(why, now));
      else
        everywhere = true;
    });
    if (everywhere) forget(!shared, shared || is_generic, why, now);
  }
  /// How often a byte, or what is known of a byte, has changed so far.
  [[nodiscard]] std::uint64_t changes() const { return global_.changes() + shared_.changes(); }
  /// The name of a buffer; empty if it is not known which buffer it is.
  [[nodiscard]] std::string_view name_of(buffer_number in) const {
    return in == 0 ? std::string_view() : global_.arrays()[in - 1u].name;
  }
  /// Notes where a lane's unknown address can lie: in shared memory, or in the buffer that it points into.
  void keep_within(lane_access& one, unsigned lane) const {
    if (one.space == memory_space::shared) return one.keep_within(lane, 0, shared_bytes_);
    if (one.in[lane] == 0) return;
    global_array const& in = global_.arrays()[one.in[lane] - 1u];
    if (in.open_name == 0) one.keep_within(lane, in.base - in.before, in.base + in.extent);
  }
  /// If the buffer belongs to an argument that is an unknown number: the name that stands for this number
  /// (identities.hpp). 0: the launch gives the buffer, or there is no buffer.
  [[nodiscard]] std::uint64_t open_name_of(buffer_number in) const {
    return in == 0 ? 0 : global_.arrays()[in - 1u].open_name;
  }
  /// Makes global memory, shared memory or both unknown for good, because a wave that is no longer followed may still
  /// store there.
  void give_up(bool global, bool shared, cause why) {
    if (global) global_.give_up(why);
    if (shared) shared_.give_up(why);
  }

 private:
  template <class Now>
  [[nodiscard]] value load_from(known_bytes& from, std::uint64_t at, unsigned bytes, Now const& now, cause why) {
    if (found_ != nullptr && why != 0) {
      if (found_->count(early_load(why - 1)) != 0) return low(unknown(why), 8 * bytes);
      from.note_load(at, bytes, now, why);
    }
    return from.load(at, bytes, now, why);
  }
  /// Takes what known_bytes::store returns.
  void note(cause early) {
    if (found_ != nullptr && early != 0) found_->insert(early_load(early - 1));
  }
  std::set<std::size_t>* found_ = nullptr;
  global_memory& global_;
  std::string name_;
  std::uint64_t shared_bytes_;
  std::vector<filled_memory> filled_;
  known_bytes shared_ = {};
};

}  // namespace coalescing::binary

// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/kernel/interface.hpp>

#include <unistd.h>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

// What a program that runs on the host tells `coalesce run` through a pipe: launches, and the accesses of their warps.
// Both ends are of one build of this library, on one machine. Places are offsets in the program's file.

namespace coalescing::detail {

enum class message : std::uint8_t {
  array,        ///< number (of the next one), base, bytes, space, name
  launch,       ///< kernel, place, grid, block
  warp,         ///< block, warp, then for each lane its number of accesses and these
  block_ends,   ///< nothing
  launch_ends,  ///< the blocks of the grid
  refused,      ///< the sentence
};

/// An access of a lane, as a pipe has it.
struct sent_access {
  std::uint64_t place, address;
  std::uint32_t bytes, array;
  std::uint8_t kind, unwritten;
  std::uint8_t unused[6];
};

/// Writes messages, many at a time.
class message_writer {
 public:
  explicit message_writer(int file) : file_(file) {}
  message_writer(message_writer const&) = delete;
  message_writer& operator=(message_writer const&) = delete;
  ~message_writer() { flush(); }

  template <class T>
  void put(T const& plain) {
    bytes_.append(reinterpret_cast<char const*>(&plain), sizeof plain);
  }
  void put(std::string const& words) { put(static_cast<std::uint32_t>(words.size())), bytes_ += words; }
  /// The message is complete.
  void end() {
    if (bytes_.size() >= enough) flush();
  }
  /// Returns whether all has been taken.
  bool flush() {
    std::size_t sent = 0;
    while (sent != bytes_.size()) {
      auto const now = write(file_, bytes_.data() + sent, bytes_.size() - sent);
      if (now <= 0) break;
      sent += static_cast<std::size_t>(now);
    }
    bool const is_sent = sent == bytes_.size();
    bytes_.clear();
    return is_sent;
  }

 private:
  static constexpr std::size_t enough = std::size_t{1} << 18;
  int file_;
  std::string bytes_;
};

/// Reads them.
class message_reader {
 public:
  explicit message_reader(int file) : file_(file) {}
  /// Whether another message follows, and not the end.
  [[nodiscard]] bool has_more() { return at_ != bytes_.size() || fill(1); }
  /// Returns whether it was there: a program that dies may leave half a message.
  template <class T>
  [[nodiscard]] bool take(T& plain) {
    if (bytes_.size() - at_ < sizeof plain && !fill(sizeof plain)) return false;
    std::memcpy(&plain, bytes_.data() + at_, sizeof plain), at_ += sizeof plain;
    return true;
  }
  [[nodiscard]] bool take(std::string& words) {
    std::uint32_t length = 0;
    if (!take(length) || (bytes_.size() - at_ < length && !fill(length))) return false;
    words.assign(bytes_.data() + at_, length), at_ += length;
    return true;
  }

 private:
  bool fill(std::size_t needed) {
    bytes_.erase(0, at_), at_ = 0;
    while (bytes_.size() < needed) {
      std::size_t const known = bytes_.size();
      bytes_.resize(known + (std::size_t{1} << 18));
      auto const now = read(file_, bytes_.data() + known, bytes_.size() - known);
      bytes_.resize(known + (now <= 0 ? 0 : static_cast<std::size_t>(now)));
      if (now <= 0) return false;
    }
    return true;
  }
  int file_;
  std::string bytes_;
  std::size_t at_ = 0;
};

/// Writes a warp. `load` is added to the places, so that they are offsets in the program's file.
inline void put_warp(message_writer& to, host_warp const& warp, std::uint64_t load) {
  to.put(message::warp), to.put(warp.block), to.put(warp.warp);
  for (auto const& list : warp.lanes) {
    to.put(static_cast<std::uint32_t>(list.size()));
    for (host_access const& one : list)
      to.put(sent_access{one.place == 0 ? 0 : one.place + load,
                         one.address,
                         one.bytes,
                         one.array,
                         static_cast<std::uint8_t>(one.kind),
                         one.unwritten,
                         {}});
  }
  to.end();
}
/// Reads what follows message::warp, into as many lanes as the list has. Returns whether all of it was there.
[[nodiscard]] inline bool take_warp(message_reader& from, place& block, unsigned& warp,
                                    std::vector<std::vector<host_access>>& lanes) {
  if (!from.take(block) || !from.take(warp)) return false;
  for (auto& list : lanes) {
    std::uint32_t count = 0;
    if (!from.take(count)) return false;
    list.resize(count);
    for (host_access& to : list) {
      sent_access one;
      if (!from.take(one)) return false;
      to = {one.place, one.address, one.bytes, one.array, static_cast<touch>(one.kind), nullptr, one.unwritten != 0};
    }
  }
  return true;
}

}  // namespace coalescing::detail

// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/kernel/instructions.hpp>

#include <unistd.h>
#include <bit>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

// The messages that a program on the host sends to `coalesce run` through a pipe: launches, and the instructions of
// their warps. Both ends of the pipe are on one machine and of one build of this library, so values are sent as the
// bytes that they have in memory. A place is sent as its address minus the address at which the program is loaded.

namespace coalescing::detail {

/// The kinds of messages. The comment beside each kind lists the values that follow the kind in the pipe.
enum class message : std::uint8_t {
  array,         ///< base, bytes, space, name; arrays are numbered in the order of their messages
  launch,        ///< kernel, place, grid, block
  place,         ///< address, bytes, array, kind, is_copy; places are numbered in the order of their messages
  warp,          ///< block, warp
  instruction,   ///< sent_instruction, addresses; the instruction is of the warp in the last message `warp`
  block_ends,    ///< no value follows
  launch_ends,   ///< how many blocks the grid has
  launch_fails,  ///< kernel, place; the launch asks for more than a GPU has
  refused,       ///< a sentence: why the program is refused
};

/// An instruction of a warp, in the form that goes through the pipe. The addresses of its active lanes follow.
struct sent_instruction {
  std::uint64_t active;
  std::uint32_t place;
  bool uneven, unwritten;
  std::uint8_t unused[2];
};

/// Collects messages, and writes many of them into a pipe at a time.
class message_writer {
 public:
  explicit message_writer(int file) : file_(file) {}
  message_writer(message_writer const&) = delete;
  message_writer& operator=(message_writer const&) = delete;
  ~message_writer() { flush(); }

  template <class T>
  void put(T const& plain) {
    put(&plain, 1);
  }
  /// Writes `count` values.
  template <class T>
  void put(T const* plain, std::size_t count) {
    bytes_.append(reinterpret_cast<char const*>(plain), count * sizeof *plain);
  }
  void put(std::string const& words) { put(static_cast<std::uint32_t>(words.size())), bytes_ += words; }
  /// Drops the messages that are not written yet.
  void forget() { bytes_.clear(); }
  /// Says that a message is complete.
  void end() {
    if (bytes_.size() >= enough) flush();
  }
  /// Writes all messages into the pipe. If the pipe does not take them, the program ends: what it would do from here on
  /// could not be counted.
  void flush() {
    for (std::size_t sent = 0; sent != bytes_.size();) {
      auto const now = write(file_, bytes_.data() + sent, bytes_.size() - sent);
      if (now < 0 && errno == EINTR) continue;  // a signal of the program's came between
      if (now <= 0) {
        std::fputs(
            "coalesce: the program's messages do not reach `coalesce run`; does it close files that it has not "
            "opened?\n",
            stderr);
        std::_Exit(2);
      }
      sent += static_cast<std::size_t>(now);
    }
    bytes_.clear();
  }

 private:
  static constexpr std::size_t enough = std::size_t{1} << 18;
  int file_;
  std::string bytes_;
};

/// Reads the messages that a message_writer has written into a pipe.
class message_reader {
 public:
  explicit message_reader(int file) : file_(file) {}
  /// Whether anything follows before the end of the pipe.
  [[nodiscard]] bool has_more() { return at_ != bytes_.size() || fill(1); }
  /// Reads a value. Returns false if a part of it is missing: a program that dies may leave half a message.
  template <class T>
  [[nodiscard]] bool take(T& plain) {
    return take(&plain, 1);
  }
  /// Reads `count` values.
  template <class T>
  [[nodiscard]] bool take(T* plain, std::size_t count) {
    std::size_t const bytes = count * sizeof *plain;
    if (bytes_.size() - at_ < bytes && !fill(bytes)) return false;
    std::memcpy(plain, bytes_.data() + at_, bytes), at_ += bytes;
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
      auto now = read(file_, bytes_.data() + known, bytes_.size() - known);
      while (now < 0 && errno == EINTR) now = read(file_, bytes_.data() + known, bytes_.size() - known);
      bytes_.resize(known + (now <= 0 ? 0 : static_cast<std::size_t>(now)));
      if (now <= 0) return false;
    }
    return true;
  }
  int file_;
  std::string bytes_;
  std::size_t at_ = 0;
};

/// Writes a place. Its address is sent as an offset in the program: `load` is minus the address at which the program is
/// loaded.
inline void put_place(message_writer& to, host_place const& at, std::uint64_t load) {
  to.put(message::place), to.put(at.address + load), to.put(at.bytes), to.put(at.array), to.put(at.kind);
  to.put(at.is_copy);
}
/// Reads what follows message::place. Returns whether all of it was there.
[[nodiscard]] inline bool take_place(message_reader& from, host_place& at) {
  at.instruction = nullptr;
  return from.take(at.address) && from.take(at.bytes) && from.take(at.array) && from.take(at.kind) &&
         from.take(at.is_copy);
}
template <unsigned Lanes>
void put_instruction(message_writer& to, visit_of_lanes<Lanes> const& v, bool uneven, bool unwritten) {
  to.put(message::instruction), to.put(sent_instruction{v.asked.active, v.place, uneven, unwritten, {}});
  std::uint64_t packed[Lanes];
  unsigned count = 0;
  for (std::uint64_t left = v.asked.active; left != 0; left &= left - 1)
    packed[count++] = v.asked.address[static_cast<unsigned>(std::countr_zero(left))];
  to.put(packed, count);
}
template <unsigned Lanes>
[[nodiscard]] bool take_instruction(message_reader& from, visit_of_lanes<Lanes>& v, bool& uneven, bool& unwritten) {
  sent_instruction one;
  if (!from.take(one)) return false;
  v = {}, v.place = one.place, v.asked.active = one.active, uneven = one.uneven, unwritten = one.unwritten;
  std::uint64_t packed[Lanes];
  unsigned count = 0;
  if (!from.take(packed, static_cast<unsigned>(std::popcount(one.active)))) return false;
  for (std::uint64_t left = one.active; left != 0; left &= left - 1) {
    std::uint64_t const address = packed[count++];
    v.asked.address[static_cast<unsigned>(std::countr_zero(left))] = address;
    v.any |= address, v.all &= address;
  }
  return true;
}

}  // namespace coalescing::detail

// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/rdna/counters/gfx10_and_gfx11.hpp>

#include <cstdint>

// The counters of gfx12 and gfx1250.

namespace coalescing::rdna {

namespace rules {

/// A counter, its largest value, and the opcode of the instruction S_WAIT_... that waits for it.
template <class Waits>
struct counter {
  // Without this alias, nvcc turns `unsigned Waits::*value` into code that g++ warns about (-Wparentheses).
  using value_of = unsigned Waits::*;
  char const* name;
  value_of value;
  unsigned most;
  std::uint32_t word;
};
template <class Waits, unsigned Count>
struct counters {
  counter<Waits> rows[Count];
};

template <class Waits>
COALESCE_API constexpr bool waits_for(Waits const& waits, counter<Waits> const& one) {
  unsigned const value = waits.*one.value;
  if (value > one.most) refused::rdna_counter_is_out_of_range(value);
  return value != one.most;
}
template <class Waits>
COALESCE_API constexpr wait_text text_of(Waits const& waits) {
  wait_text lines;
  auto const all = Waits::counters();
  for (auto const& one : all.rows) {
    if (!waits_for(waits, one)) continue;
    if (!lines.empty()) lines.append("\n");
    lines.append("s_wait_"), lines.append(one.name), lines.append(" ");
    lines.append_hexadecimal(waits.*one.value);
  }
  return lines;
}
template <class Waits>
COALESCE_API constexpr instruction_words words_of(Waits const& waits) {
  instruction_words made;
  auto const all = Waits::counters();
  for (auto const& one : all.rows)
    if (waits_for(waits, one)) made.words[made.count++] = one.word | waits.*one.value;
  return made;
}
/// Reads the counters that one instruction waits for. S_WAIT_LOADCNT_DSCNT and S_WAIT_STORECNT_DSCNT wait for two
/// counters: bits 15:8 have loadcnt or storecnt, bits 7:0 have dscnt.
template <class Waits>
COALESCE_API constexpr Waits decoded(std::uint32_t word) {
  Waits found;
  std::uint32_t const opcode = word & 0xffff'0000;
  unsigned const first = word >> 8 & 0xff, second = word & 0xff;
  if (opcode == 0xbfc8'0000 || opcode == 0xbfc9'0000) {
    if (first > Waits::most_loadcnt || second > Waits::most_dscnt) refused::no_such_wait(word);
    (opcode == 0xbfc8'0000 ? found.loadcnt : found.storecnt) = first;
    found.dscnt = second;
    return found;
  }
  auto const all = Waits::counters();
  for (auto const& one : all.rows)
    if (one.word == opcode) {
      found.*one.value = word & 0xffff;
      static_cast<void>(waits_for(found, one));
      return found;
    }
  refused::no_such_wait(word);
}

}  // namespace rules

/// The wait counters of gfx12. Each has a wait instruction of its own.
template <>
struct waits<gfx12> {
  static constexpr unsigned most_loadcnt = 63, most_storecnt = 63, most_samplecnt = 63, most_bvhcnt = 7;
  static constexpr unsigned most_expcnt = 7, most_dscnt = 63, most_kmcnt = 31;

  unsigned loadcnt = most_loadcnt;      ///< counts loads, atomics that return a value, global_inv
  unsigned storecnt = most_storecnt;    ///< counts stores, atomics that return nothing, global_wb, global_wbinv
  unsigned samplecnt = most_samplecnt;  ///< counts image_sample and image_gather4 instructions
  unsigned bvhcnt = most_bvhcnt;        ///< counts image_bvh instructions (ray tracing)
  unsigned expcnt = most_expcnt;        ///< counts exports, LDS parameter loads
  unsigned dscnt = most_dscnt;          ///< counts accesses to LDS, FLAT
  unsigned kmcnt = most_kmcnt;          ///< counts scalar memory, messages

  bool operator==(waits const&) const = default;

  /// The instructions that wait for these counters. Empty if every counter has its largest value, since then nothing
  /// waits.
  [[nodiscard]] COALESCE_API constexpr instruction_words encoding() const { return rules::words_of(*this); }
  /// Reads which counters one instruction waits for. Refused: a word that encodes no such instruction.
  [[nodiscard]] COALESCE_API static constexpr waits decode(std::uint32_t word) { return rules::decoded<waits>(word); }
  /// A line for each counter that is waited for: "s_wait_loadcnt 0x0".
  [[nodiscard]] COALESCE_API constexpr wait_text text() const { return rules::text_of(*this); }

  COALESCE_API static constexpr rules::counters<waits, 7> counters() {
    return {{{"loadcnt", &waits::loadcnt, most_loadcnt, 0xbfc0'0000},
             {"storecnt", &waits::storecnt, most_storecnt, 0xbfc1'0000},
             {"samplecnt", &waits::samplecnt, most_samplecnt, 0xbfc2'0000},
             {"bvhcnt", &waits::bvhcnt, most_bvhcnt, 0xbfc3'0000},
             {"expcnt", &waits::expcnt, most_expcnt, 0xbfc4'0000},
             {"dscnt", &waits::dscnt, most_dscnt, 0xbfc6'0000},
             {"kmcnt", &waits::kmcnt, most_kmcnt, 0xbfc7'0000}}};
  }
};

/// The wait counters of gfx1250. The chip has no counters for images and exports. It has xcnt, asynccnt and tensorcnt,
/// which gfx12 lacks.
template <>
struct waits<gfx1250> {
  static constexpr unsigned most_loadcnt = 63, most_storecnt = 63, most_dscnt = 63, most_kmcnt = 31, most_xcnt = 63;
  static constexpr unsigned most_asynccnt = 63, most_tensorcnt = 63;

  unsigned loadcnt = most_loadcnt;
  unsigned storecnt = most_storecnt;
  unsigned dscnt = most_dscnt;
  unsigned kmcnt = most_kmcnt;
  unsigned xcnt = most_xcnt;            ///< counts translations of addresses
  unsigned asynccnt = most_asynccnt;    ///< counts asynchronous loads and stores between memory and LDS
  unsigned tensorcnt = most_tensorcnt;  ///< counts tensor copies

  bool operator==(waits const&) const = default;

  [[nodiscard]] COALESCE_API constexpr instruction_words encoding() const { return rules::words_of(*this); }
  [[nodiscard]] COALESCE_API static constexpr waits decode(std::uint32_t word) { return rules::decoded<waits>(word); }
  [[nodiscard]] COALESCE_API constexpr wait_text text() const { return rules::text_of(*this); }

  COALESCE_API static constexpr rules::counters<waits, 7> counters() {
    return {{{"loadcnt", &waits::loadcnt, most_loadcnt, 0xbfc0'0000},
             {"storecnt", &waits::storecnt, most_storecnt, 0xbfc1'0000},
             {"dscnt", &waits::dscnt, most_dscnt, 0xbfc6'0000},
             {"kmcnt", &waits::kmcnt, most_kmcnt, 0xbfc7'0000},
             {"xcnt", &waits::xcnt, most_xcnt, 0xbfc5'0000},
             {"asynccnt", &waits::asynccnt, most_asynccnt, 0xbfca'0000},
             {"tensorcnt", &waits::tensorcnt, most_tensorcnt, 0xbfcb'0000}}};
  }
};

}  // namespace coalescing::rdna

// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/config.hpp>
#include <coalesce/core/text.hpp>
#include <coalesce/rdna/generations.hpp>
#include <coalesce/rdna/misuse.hpp>
#include <coalesce/rdna/rows.hpp>

#include <cstdint>

// The instructions that wait for counters, as each generation has them: values, encodings, texts. What counts in which
// is in rdna/issued.hpp. Encodings: LLVM 22's assembler (tests/truth/outside/llvm compares every value); widths: ISA3,
// ISA4 and of gfx1250 CDNA5 3.1 (rdna/documents.hpp).

namespace coalescing::rdna {

/// Instructions of one 32-bit word each, in the order of the text.
struct instruction_words {
  static constexpr unsigned capacity = 7;

  std::uint32_t words[capacity] = {};
  unsigned count = 0;

  [[nodiscard]] COALESCE_API constexpr unsigned size() const { return count; }
  [[nodiscard]] COALESCE_API constexpr bool empty() const { return count == 0; }
  [[nodiscard]] COALESCE_API constexpr std::uint32_t const* begin() const { return words; }
  [[nodiscard]] COALESCE_API constexpr std::uint32_t const* end() const { return words + count; }
  [[nodiscard]] COALESCE_API constexpr std::uint32_t operator[](unsigned index) const {
    if (index >= count) refused::list_has_no_such_word(index);
    return words[index];
  }
  bool operator==(instruction_words const&) const = default;
};

using wait_text = coalescing::text<136>;  // gfx1250 waits for all its counters

namespace rules {

/// Where S_WAITCNT has its counters, and the words of it and of S_WAITCNT_VSCNT; those for vmcnt, expcnt and lgkmcnt
/// alone follow the latter.
template <class Generation>
struct waitcnt_row;
template <>
struct waitcnt_row<gfx10> {
  static constexpr std::uint32_t together = 0xbf8c'0000, vscnt_alone = 0xbbfd'0000;
  static constexpr unsigned vm_at = 0, vm_low_bits = 4, vm_high_at = 14, exp_at = 4, lgkm_at = 8;
};
template <>
struct waitcnt_row<gfx11> {
  static constexpr std::uint32_t together = 0xbf89'0000, vscnt_alone = 0xbc7c'0000;
  static constexpr unsigned vm_at = 10, vm_low_bits = 6, vm_high_at = 16, exp_at = 0, lgkm_at = 4;
};
inline constexpr std::uint32_t from_form_to_form = 0x80'0000;

/// A counter that has an instruction of its own, S_WAIT_...
template <class Waits>
struct counter {
  char const* name;
  unsigned Waits::*value;
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
/// S_WAIT_LOADCNT_DSCNT and S_WAIT_STORECNT_DSCNT too: the first in bits 15:8, dscnt in 7:0.
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

/// Wait until each counter is at most that value; the largest, the default, does not wait. This is gfx10's and gfx11's:
/// one S_WAITCNT, and S_WAITCNT_VSCNT for stores.
template <class Generation>
struct waits {
  static constexpr unsigned most_vmcnt = 63;
  static constexpr unsigned most_expcnt = 7;
  static constexpr unsigned most_lgkmcnt = 63;
  static constexpr unsigned most_vscnt = 63;

  unsigned vmcnt = most_vmcnt;      ///< loads, samples, atomics that return a value
  unsigned expcnt = most_expcnt;    ///< exports
  unsigned lgkmcnt = most_lgkmcnt;  ///< LDS, scalar memory, messages, FLAT
  unsigned vscnt = most_vscnt;      ///< stores, atomics that return nothing

  bool operator==(waits const&) const = default;

  /// The immediate of S_WAITCNT, which has all but vscnt.
  [[nodiscard]] COALESCE_API constexpr unsigned simm16() const {
    if (vmcnt > most_vmcnt) refused::rdna_counter_is_out_of_range(vmcnt);
    if (expcnt > most_expcnt) refused::rdna_counter_is_out_of_range(expcnt);
    if (lgkmcnt > most_lgkmcnt) refused::rdna_counter_is_out_of_range(lgkmcnt);
    if (vscnt > most_vscnt) refused::rdna_counter_is_out_of_range(vscnt);
    unsigned const low = vmcnt & ((1u << row::vm_low_bits) - 1), high = vmcnt >> row::vm_low_bits;
    return low << row::vm_at | high << row::vm_high_at | expcnt << row::exp_at | lgkmcnt << row::lgkm_at;
  }
  /// The words of those that wait, none where nothing does.
  [[nodiscard]] COALESCE_API constexpr instruction_words encoding() const {
    instruction_words made;
    if (simm16() != waits{}.simm16()) made.words[made.count++] = row::together | simm16();
    if (vscnt != most_vscnt) made.words[made.count++] = row::vscnt_alone | vscnt;
    return made;
  }
  /// What one word waits for: S_WAITCNT, or one of the four for a counter alone.
  [[nodiscard]] COALESCE_API static constexpr waits decode(std::uint32_t word) {
    unsigned const immediate = word & 0xffff;
    waits found;
    if ((word & 0xffff'0000) == row::together) {
      unsigned const low = immediate >> row::vm_at & ((1u << row::vm_low_bits) - 1);
      found.vmcnt = low | (immediate >> row::vm_high_at & 3) << row::vm_low_bits;
      found.expcnt = immediate >> row::exp_at & most_expcnt;
      found.lgkmcnt = immediate >> row::lgkm_at & most_lgkmcnt;
      if (found.simm16() != immediate) refused::no_such_wait(word);
      return found;
    }
    constexpr unsigned waits::*alone[] = {&waits::vscnt, &waits::vmcnt, &waits::expcnt, &waits::lgkmcnt};
    for (unsigned form = 0; form != 4; ++form)
      if ((word & 0xffff'0000) == row::vscnt_alone + form * rules::from_form_to_form) {
        found.*alone[form] = immediate;
        static_cast<void>(found.simm16());  // refuses what there is not
        return found;
      }
    refused::no_such_wait(word);
  }
  /// As an assembler reads it, naming the counters that are waited for: "s_waitcnt vmcnt(3)", and on a line of its own
  /// "s_waitcnt_vscnt null, 0x3e". Empty where nothing waits.
  [[nodiscard]] COALESCE_API constexpr wait_text text() const {
    wait_text words;
    if (simm16() != waits{}.simm16()) {
      words.append("s_waitcnt");
      if (vmcnt != most_vmcnt) words.append(" vmcnt("), words.append(vmcnt), words.append(")");
      if (expcnt != most_expcnt) words.append(" expcnt("), words.append(expcnt), words.append(")");
      if (lgkmcnt != most_lgkmcnt) words.append(" lgkmcnt("), words.append(lgkmcnt), words.append(")");
      if (vscnt != most_vscnt) words.append("\n");
    }
    if (vscnt != most_vscnt) words.append("s_waitcnt_vscnt null, "), words.append_hexadecimal(vscnt);
    return words;
  }

 private:
  using row = rules::waitcnt_row<Generation>;
};

/// gfx12: an instruction for each counter.
template <>
struct waits<gfx12> {
  static constexpr unsigned most_loadcnt = 63, most_storecnt = 63, most_samplecnt = 63, most_bvhcnt = 7;
  static constexpr unsigned most_expcnt = 7, most_dscnt = 63, most_kmcnt = 31;

  unsigned loadcnt = most_loadcnt;      ///< loads, atomics that return a value, global_inv
  unsigned storecnt = most_storecnt;    ///< stores, atomics that return nothing, global_wb, global_wbinv
  unsigned samplecnt = most_samplecnt;  ///< sampled and gathered images
  unsigned bvhcnt = most_bvhcnt;        ///< BVH
  unsigned expcnt = most_expcnt;        ///< exports, LDS parameter loads
  unsigned dscnt = most_dscnt;          ///< LDS, FLAT
  unsigned kmcnt = most_kmcnt;          ///< scalar memory, messages

  bool operator==(waits const&) const = default;

  /// The words of those that wait, none where nothing does.
  [[nodiscard]] COALESCE_API constexpr instruction_words encoding() const { return rules::words_of(*this); }
  /// What one word waits for.
  [[nodiscard]] COALESCE_API static constexpr waits decode(std::uint32_t word) { return rules::decoded<waits>(word); }
  /// One instruction a line, of those that wait: "s_wait_loadcnt 0x0".
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

/// gfx1250: gfx12's without those of images and exports, and others.
template <>
struct waits<gfx1250> {
  static constexpr unsigned most_loadcnt = 63, most_storecnt = 63, most_dscnt = 63, most_kmcnt = 31, most_xcnt = 63;
  static constexpr unsigned most_asynccnt = 63, most_tensorcnt = 63;

  unsigned loadcnt = most_loadcnt;
  unsigned storecnt = most_storecnt;
  unsigned dscnt = most_dscnt;
  unsigned kmcnt = most_kmcnt;
  unsigned xcnt = most_xcnt;            ///< translations of addresses
  unsigned asynccnt = most_asynccnt;    ///< loads and stores between memory and LDS
  unsigned tensorcnt = most_tensorcnt;  ///< tensor copies

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

/// The waits of a generation, or of a chip's.
template <class Machine>
using waitcnt = waits<typename generation_of<Machine>::type>;

}  // namespace coalescing::rdna

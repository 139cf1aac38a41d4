// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/text.hpp>
#include <coalesce/rdna/generations.hpp>
#include <coalesce/rdna/misuse.hpp>

#include <cstdint>

// The types for the encodings and texts of wait instructions, and the wait counters of gfx10 and gfx11.

namespace coalescing::rdna {

/// The encodings of wait instructions, of 32 bits each, in the order in which text() lists the instructions.
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

/// The text of the waits, one instruction on a line. The longest text, with a wait for each counter of gfx1250, has 136
/// characters.
using wait_text = coalescing::text<136>;

namespace rules {

/// The encodings of the wait instructions. `together` is the opcode of S_WAITCNT. The members whose names end in _at
/// are the bits of S_WAITCNT at which its counters begin. (vmcnt is split: its low vm_low_bits bits begin at vm_at, its
/// other bits at vm_high_at.) `vscnt_alone` is the opcode of S_WAITCNT_VSCNT. The opcodes of the instructions that wait
/// for vmcnt alone, expcnt alone and lgkmcnt alone come next, in this order. Each opcode is the one before it plus
/// from_form_to_form.
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

}  // namespace rules

/// A wait, which lasts until each counter is at most the value that its member has. A member's default is the counter's
/// largest value, which means: do not wait for this counter. A larger value is refused. gfx10 and gfx11 wait for vscnt
/// with S_WAITCNT_VSCNT, and for the other counters with S_WAITCNT.
template <class Generation>
struct waits {
  static constexpr unsigned most_vmcnt = 63;
  static constexpr unsigned most_expcnt = 7;
  static constexpr unsigned most_lgkmcnt = 63;
  static constexpr unsigned most_vscnt = 63;

  unsigned vmcnt = most_vmcnt;      ///< counts loads, samples, atomics that return a value
  unsigned expcnt = most_expcnt;    ///< counts exports
  unsigned lgkmcnt = most_lgkmcnt;  ///< counts LDS, scalar memory, messages, FLAT
  unsigned vscnt = most_vscnt;      ///< counts stores, atomics that return nothing

  bool operator==(waits const&) const = default;

  /// The immediate of S_WAITCNT, which has every counter except vscnt.
  [[nodiscard]] COALESCE_API constexpr unsigned simm16() const {
    if (vmcnt > most_vmcnt) refused::rdna_counter_is_out_of_range(vmcnt);
    if (expcnt > most_expcnt) refused::rdna_counter_is_out_of_range(expcnt);
    if (lgkmcnt > most_lgkmcnt) refused::rdna_counter_is_out_of_range(lgkmcnt);
    if (vscnt > most_vscnt) refused::rdna_counter_is_out_of_range(vscnt);
    unsigned const low = vmcnt & ((1u << row::vm_low_bits) - 1), high = vmcnt >> row::vm_low_bits;
    return low << row::vm_at | high << row::vm_high_at | expcnt << row::exp_at | lgkmcnt << row::lgkm_at;
  }
  /// The instructions that wait for these counters. Empty if every counter has its largest value, since then nothing
  /// waits.
  [[nodiscard]] COALESCE_API constexpr instruction_words encoding() const {
    instruction_words made;
    if (simm16() != waits{}.simm16()) made.words[made.count++] = row::together | simm16();
    if (vscnt != most_vscnt) made.words[made.count++] = row::vscnt_alone | vscnt;
    return made;
  }
  /// Reads which counters one instruction waits for. The instruction is S_WAITCNT, or one of the four that wait for a
  /// single counter. Refused: a word that encodes no such instruction.
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
    // Without this alias, nvcc turns `unsigned waits::*alone[]` into code that g++ warns about (-Wparentheses).
    using counter = unsigned waits::*;
    constexpr counter alone[] = {&waits::vscnt, &waits::vmcnt, &waits::expcnt, &waits::lgkmcnt};
    for (unsigned form = 0; form != 4; ++form)
      if ((word & 0xffff'0000) == row::vscnt_alone + form * rules::from_form_to_form) {
        found.*alone[form] = immediate;
        static_cast<void>(found.simm16());  // refuses a value above the counter's largest
        return found;
      }
    refused::no_such_wait(word);
  }
  /// The waits in assembler syntax: "s_waitcnt vmcnt(3)". A wait for vscnt stands on a line of its own:
  /// "s_waitcnt_vscnt null, 0x3e". Empty if every counter has its largest value.
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

}  // namespace coalescing::rdna

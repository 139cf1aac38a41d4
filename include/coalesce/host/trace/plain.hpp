// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/trace/recorder.hpp>

#include <array>
#include <bit>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>

// Reads this library's own format, which a script can print: one line for each access. Blanks stand between words; a #
// begins a comment line. Numbers are decimal, or hexadecimal after 0x.
//
//     coalesce trace 1                        the first line
//     kernel NAME                             the kernel of the accesses that follow
//     block X Y Z                             the block of these accesses. All lines of a block must stand together
//     warp W                                  the warp of these accesses
//     KIND MEMORY BYTES AT MASK ADDRESS ...   one access of the warp
//     end                                     the last line, without which the trace is cut
//
// KIND is load, store or atomic. MEMORY is global or shared. BYTES says how many bytes each lane moves. AT says where
// the access stands: an offset in the binary (0x1f0), FILE:LINE or FILE:LINE:COLUMN. Lines count from 1. AT may begin
// with ARRAY@, which names the array. Bit k of MASK is lane k. ADDRESS stands once for each active lane. Or one word,
// BASE+STRIDE or BASE-STRIDE, gives all addresses: the address of lane k is BASE plus (or minus) k times STRIDE.
// Addresses in shared memory begin at 0.

namespace coalescing::detail {

template <class Recorder>
class plain_reader {
 public:
  explicit plain_reader(Recorder& to) : to_(to) {}

  void line(std::string_view text) {
    trace_words words(text);
    auto const first = words.next();
    if (first.empty() || first[0] == '#') return;
    if (!is_open_) return open(first, words);
    if (first == "load") return access(touch::load, first, words);
    if (first == "store") return access(touch::store, first, words);
    if (first == "atomic") return access(touch::atomic, first, words);
    if (first == "block") {
      std::array<unsigned, 3> at = {};
      if (!words.number(at[0]) || !words.number(at[1]) || !words.number(at[2]) || !words.is_empty())
        to_.refuse("block: three numbers");
      check_kernel();
      if (place const next = {at[0], at[1], at[2]}; next != block_) {
        end_block(), block_ = next;
        if (done_.contains(at)) to_.refuse("the kernel has this block already: its lines do not stand together");
      }
      warp_ = 0;
    } else if (first == "warp") {
      if (!words.number(warp_) || !words.is_empty()) to_.refuse("warp: a number");
      check_kernel();
    } else if (first == "kernel") {
      if (words.is_empty()) to_.refuse("kernel: a name");
      end_block(), done_.clear();
      to_.kernel(words.rest()), has_kernel_ = true, block_ = {}, warp_ = 0;
    } else if (first == "end") {
      if (!words.is_empty()) to_.refuse("end: nothing comes after it");
      end_block(), is_open_ = has_kernel_ = false;
    } else {
      to_.refuse("a line begins with kernel, block, warp, load, store, atomic, end or #");
    }
    if (has_kernel_) to_.begin(block_, warp_);
  }
  void end() {
    if (is_open_) to_.refuse("the trace is cut: no line says end");
    if (!has_trace_) to_.refuse("there is no trace: no line says coalesce trace 1");
  }

 private:
  void open(std::string_view first, trace_words& words) {
    if (first != "coalesce" || words.next() != "trace" || words.next() != "1" || !words.is_empty())
      to_.refuse("a trace begins with: coalesce trace 1");
    is_open_ = has_trace_ = true;
  }
  void check_kernel() {
    if (!has_kernel_) to_.refuse("no kernel is named before");
  }
  void end_block() {
    if (!has_access_) return;
    to_.block_done(), done_.insert({block_.x, block_.y, block_.z});
    has_access_ = false;
  }
  void access(touch kind, std::string_view word, trace_words& words) {
    check_kernel();
    auto const memory = words.next();
    if (memory != "global" && memory != "shared") to_.refuse("the memory is global or shared");
    auto const bytes_word = words.peek();
    unsigned bytes = 0;
    if (!words.number(bytes) || bytes == 0 || bytes > 256) to_.refuse("the bytes of a lane are 1 to 256");
    auto const at = words.next();
    if (!words.number(row_.active)) to_.refuse("the mask is not a number");

    words_ = word, words_ += ' ', words_ += memory, words_ += ' ', words_ += bytes_word, words_ += ' ', words_ += at;
    trace_site& s = to_.site(words_);
    if (s.is_new) {
      s.is_new = false;
      s.facts = {memory == "global" ? trace_memory::global : trace_memory::shared, kind, bytes, ""};
      s.is_the_blocks = true;
      stand_at(s, at);
    }
    addresses(words);
    if (!words.is_empty()) to_.refuse("more addresses than active lanes");
    has_access_ = true;
    to_.take(s, row_);
  }
  void stand_at(trace_site& s, std::string_view at) const {
    if (auto const sign = at.find('@'); sign != at.npos) {
      s.array = at.substr(0, sign);
      at.remove_prefix(sign + 1);
    }
    auto const colon = at.find(':');
    if (colon == at.npos) {
      trace_words words(at);
      if (!at.starts_with("0x") || !words.hexadecimal(s.at.offset))
        to_.refuse("where the access stands is neither 0xOFFSET nor FILE:LINE nor FILE:LINE:COLUMN");
      return;
    }
    s.at.file = at.substr(0, colon);
    at.remove_prefix(colon + 1);
    auto const second = at.find(':');
    trace_words line(at.substr(0, second)), column(second == at.npos ? "0" : at.substr(second + 1));
    if (!line.decimal(s.at.line) || !line.is_empty() || !column.decimal(s.at.column) || !column.is_empty())
      to_.refuse("where the access stands is neither 0xOFFSET nor FILE:LINE nor FILE:LINE:COLUMN");
    if (s.at.line == 0) to_.refuse("the access stands at line 0, and lines count from 1");
  }
  void addresses(trace_words& words) {
    auto const first = words.peek();
    if (auto const sign = first.find_first_of("+-"); sign != first.npos) {
      words.next();
      trace_words base_words(first.substr(0, sign)), step_words(first.substr(sign + 1));
      std::uint64_t base = 0, step = 0;
      if (!base_words.number(base) || !step_words.number(step) || !base_words.is_empty() || !step_words.is_empty())
        to_.refuse("BASE+STRIDE: two numbers");
      bool const is_down = first[sign] == '-';
      std::uint64_t const room = is_down ? base : ~base;
      if (row_.active != 0 && step != 0 && room / step < static_cast<unsigned>(63 - std::countl_zero(row_.active)))
        to_.refuse(is_down ? "an active lane's address lies below 0" : "an active lane's address lies past 2^64");
      for (unsigned lane = 0; lane != 64; ++lane)
        row_.address[lane] = is_down ? base - lane * step : base + lane * step;
      return;
    }
    for (std::uint64_t left = row_.active; left != 0; left &= left - 1)
      if (!words.number(row_.address[std::countr_zero(left)]))
        to_.refuse("fewer addresses than active lanes, or no number");
  }

  Recorder& to_;
  bool is_open_ = false, has_kernel_ = false, has_trace_ = false;
  bool has_access_ = false;  ///< whether the current block has had an access
  place block_ = {};
  std::set<std::array<unsigned, 3>> done_;  ///< the ended blocks that had accesses, since the last line `kernel`
  unsigned warp_ = 0;
  trace_row row_ = {};
  std::string words_;
};

}  // namespace coalescing::detail

// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/trace/recorder.hpp>

#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>

// Reads Accel-Sim's text traces. A file has one kernel, and a line is one warp instruction. (accel-sim-framework:
// util/tracer_nvbit's tracer_tool.cu and post-traces-processing.cpp write them,
// gpu-simulator/trace-parser/trace_parser.cc reads them.)
//
//     -kernel name = saxpy                     and more lines "-name = value"
//     ctaX ctaY ctaZ warp PC mask ndst [dst] opcode nsrc [src] mem_width [form addresses]
//
// Form 0 lists the addresses of the active lanes; form 1 is a base and the stride of neighbouring lanes; form 2 is a
// base and the difference of each active lane from the active lane before it. A processed trace (.traceg) names the
// block and the warp once, before all their lines, and gives the number of lines of each warp.

namespace coalescing::detail {

template <class Recorder>
class accel_sim_reader {
 public:
  explicit accel_sim_reader(Recorder& to) : to_(to) {}

  void line(std::string_view text) {
    if (text.empty()) return;
    if (text[0] == '-') return header(text.substr(1));
    if (text[0] == '#') return mark(text);
    if (is_grouped_ && !detail::is_hexadecimal_digit(text[0])) return place_line(text);
    instruction(text);
  }
  void end() {
    if (is_grouped_) to_.refuse("the trace is cut: a thread block does not end");
    if (!to_.has_kernel()) to_.refuse("there is no trace: no line says -kernel name = ...");
    launch_done();
  }

 private:
  /// A launch as the head of the trace describes it, and which parts of the launch are in a processed trace.
  struct launch_parts {
    unsigned grid[3] = {};                          ///< the grid in blocks; 0: the head does not give it
    unsigned warps = 0;                             ///< how many warps a block has; 0: the head does not give it
    std::set<std::array<unsigned, 3>> blocks = {};  ///< the blocks that are in the trace
    std::set<unsigned> of_block = {};               ///< the warps of the current block that have lines
    std::uint64_t missing_warps = 0;
    bool has_place = false;  ///< a line has given the current block's place in the grid
    bool is_raw = false;     ///< a line stands outside #BEGIN_TB and #END_TB
  };

  void header(std::string_view text) {
    auto const equals = text.find(" = ");
    if (equals == text.npos) to_.refuse("a line of the head is -name = value");
    auto const name = text.substr(0, equals);
    trace_words value(text.substr(equals + 3));
    bool read = true;
    if (name == "kernel name") {
      if (is_grouped_) to_.refuse("a kernel begins inside a thread block");
      launch_done();
      to_.kernel(value.rest()), to_.forget_windows(), version_ = 0, has_lines_ = false, block_ = {}, warp_ = 0;
      launch_ = {};
    } else if (name == "grid dim") {
      read = size(value.rest(), launch_.grid) && launch_.grid[0] >> 31 == 0 && launch_.grid[1] >> 16 == 0 &&
             launch_.grid[2] >> 16 == 0;
    } else if (name == "block dim") {
      unsigned block[3] = {};
      read = size(value.rest(), block) && block[0] <= 1024 && block[1] <= 1024 && block[2] <= 64 &&
             block[0] * block[1] * block[2] <= 1024;
      launch_.warps = (block[0] * block[1] * block[2] + 31) / 32;
    } else if (name == "accelsim tracer version") {
      read = value.decimal(version_) && value.is_empty();
    } else if (name == "enable lineinfo") {
      unsigned has_lines = 0;
      read = value.decimal(has_lines) && value.is_empty() && has_lines < 2, has_lines_ = has_lines == 1;
    } else if (name == "shmem base_addr") {
      read = window(value, to_.shared);
    } else if (name == "local mem base_addr") {
      read = window(value, to_.local);
    }
    if (!read) to_.refuse("a line of the head has no such value");
  }
  /// Reads a size in the head, (x,y,z). Refused: a size that comes after a block of the launch. (The callers check the
  /// greatest sizes of a grid and a block: CUDA Programming Guide 13.0, "Technical Specifications per Compute
  /// Capability".)
  bool size(std::string_view text, unsigned (&to)[3]) const {
    if (!to_.has_kernel()) to_.refuse("no kernel is named before (-kernel name = ...)");
    if (is_grouped_ || !launch_.blocks.empty()) to_.refuse("the head goes on after a thread block");
    if (!text.starts_with('(') || !text.ends_with(')') || text.size() < 2) return false;
    return detail::read_triple(text.substr(1, text.size() - 2), to) && to[0] != 0 && to[1] != 0 && to[2] != 0;
  }
  /// Adds the block to those of the launch, and counts its warps that have no line. Refused: a block that lies outside
  /// the grid, and one that the launch has already.
  void block_done() {
    std::array<unsigned, 3> const at = {block_.x, block_.y, block_.z};
    for (unsigned k = 0; k != 3; ++k)
      if (launch_.grid[0] != 0 && at[k] >= launch_.grid[k]) to_.refuse("the grid has no such thread block");
    if (!launch_.blocks.insert(at).second) to_.refuse("the launch has this thread block already");
    if (launch_.warps != 0) launch_.missing_warps += launch_.warps - launch_.of_block.size();
  }
  /// Counts the blocks and warps of the launch that a processed trace (.traceg) lacks. A raw trace is not examined,
  /// since it does not tell whether the lines of a block or warp are complete.
  void launch_done() {
    auto const tell = [this](char const* what, std::uint64_t missing, std::uint64_t all, char const* of) {
      if (missing != 0)
        to_.skip_part(what, std::to_string(missing) + " of " + std::to_string(all) + of + " not in the trace", missing);
    };
    std::uint64_t const seen = launch_.blocks.size();
    std::uint64_t const all = std::uint64_t{launch_.grid[0]} * launch_.grid[1] * launch_.grid[2];
    if (launch_.is_raw && seen == 0) return;
    if (all != 0) tell("the grid's blocks", all - seen, all, " blocks are");
    tell("the blocks' warps", launch_.missing_warps, launch_.warps * seen, " warps of these blocks are");
  }
  /// Reads the base of a window of NVIDIA's generic addresses (shared or local memory). The window is taken as 2^24
  /// bytes, since every such window has at least 2^24 bytes. A base of 0 means that the tracer did not know it.
  static bool window(trace_words& value, std::optional<address_window>& to) {
    std::uint64_t base = 0;
    if (!value.hexadecimal(base) || !value.is_empty()) return false;
    if (base != 0) to = address_window{base, shared_end};
    return true;
  }
  void mark(std::string_view text) {
    if (text.starts_with("#BEGIN_TB")) {
      if (is_grouped_) to_.refuse("a thread block begins inside another one");
      if (!to_.has_kernel()) to_.refuse("no kernel is named before (-kernel name = ...)");
      is_grouped_ = true, left_ = 0, launch_.has_place = false, launch_.of_block.clear();
    } else if (text.starts_with("#END_TB")) {
      if (!is_grouped_) to_.refuse("a thread block ends that did not begin");
      check_count();
      block_done();
      is_grouped_ = false;
      to_.block_done();
    }
  }
  void check_count() const {
    if (left_ != 0) to_.refuse("the trace is cut: the warp has fewer lines than it says (insts = ...)");
  }
  void place_line(std::string_view text) {
    auto const equals = text.find(" = ");
    auto const name = text.substr(0, equals);
    auto const value = text.substr(equals == text.npos ? text.size() : equals + 3);
    trace_words words(value);
    bool read = false;
    if (name == "thread block") {
      unsigned at[3] = {};
      if (launch_.has_place) to_.refuse("a thread block begins inside another one");
      read = detail::read_triple(value, at), block_ = {at[0], at[1], at[2]}, launch_.has_place = true;
    } else if (name == "warp") {
      check_count();
      read = words.decimal(warp_) && words.is_empty();
    } else if (name == "insts") {
      check_count();
      read = words.decimal(left_) && words.is_empty();
      if (launch_.warps != 0 && warp_ >= launch_.warps) to_.refuse("the block has no such warp");
      if (left_ != 0 && !launch_.of_block.insert(warp_).second) to_.refuse("the block has this warp already");
    }
    if (!read) to_.refuse("neither an instruction nor a line that says thread block, warp or insts");
    to_.begin(block_, warp_);
  }

  void instruction(std::string_view text) {
    trace_words words(text);
    if (!to_.has_kernel()) to_.refuse("no kernel is named before (-kernel name = ...)");
    if (is_grouped_ && left_ == 0) to_.refuse("the warp has more lines than it says (insts = ...)");
    if (is_grouped_) --left_;
    launch_.is_raw = launch_.is_raw || !is_grouped_;
    unsigned at[3] = {}, warp = 0, line = 0, registers = 0;
    std::uint64_t pc = 0, width = 0;
    if (!is_grouped_ || version_ < 3) {  // such a line names its block and warp, as Accel-Sim's parser has it
      if (!words.decimal(at[0]) || !words.decimal(at[1]) || !words.decimal(at[2]) || !words.decimal(warp))
        to_.refuse("the line does not begin with the block's x y z and the warp");
      if (!is_grouped_) to_.begin({at[0], at[1], at[2]}, warp);
    }
    auto const line_word = has_lines_ ? words.peek() : std::string_view{};
    if (has_lines_ && !words.decimal(line)) to_.refuse("no line of the source stands before the PC");
    auto const pc_word = words.next();
    trace_words pc_words(pc_word);
    if (!pc_words.hexadecimal(pc)) to_.refuse("the PC is not a hexadecimal number");
    if (words.peek().size() != 8 || !words.hexadecimal(row_.active))
      to_.refuse("the mask has not eight hexadecimal digits");
    if (!words.decimal(registers) || !skip_registers(words, registers)) to_.refuse("the destination registers");
    auto const opcode = words.next();
    if (opcode.empty() || opcode[0] < 'A' || opcode[0] > 'Z') to_.refuse("no opcode comes after the registers");
    if (!words.decimal(registers) || !skip_registers(words, registers)) to_.refuse("the source registers");
    if (!words.decimal(width)) to_.refuse("no width of memory comes after the registers");

    words_.assign(pc_word), words_ += ' ', words_ += opcode, words_ += ' ', words_ += line_word;
    trace_site& s = to_.site(words_);
    if (s.is_new)
      s.is_new = false, s.facts = detail::facts_of(opcode), s.at.opcode = opcode, s.at.offset = pc, s.at.line = line;
    bool const is_unseen = s.facts.memory == trace_memory::unseen;
    if (width == 0) {
      end_of(words);
      if (s.facts.memory == trace_memory::nothing || (is_unseen && std::string_view(s.facts.why) == why_not_known))
        return;
      return to_.skip(s, is_unseen ? s.facts.why : why_no_address);
    }
    addresses(words);
    end_of(words);
    to_.take(s, row_);
  }
  /// Checks that the line ends. Since version 4 of the tracer, immediates may follow. Their form depends on the
  /// version, so they are left unread.
  void end_of(trace_words& words) const {
    if (version_ < 4 && !words.is_empty()) to_.refuse("more comes after the addresses");
  }
  static bool skip_registers(trace_words& words, unsigned count) {
    for (; count != 0; --count) {
      auto const name = words.next();
      if (name.size() < 2 || name[0] != 'R') return false;
    }
    return true;
  }
  void addresses(trace_words& words) {
    std::uint64_t form = 0, base = 0, step = 0;
    if (!words.decimal(form) || form > 2) to_.refuse("the form of the addresses is not 0, 1 or 2");
    if (form != 0 && !words.hexadecimal(base)) to_.refuse("the base is not a hexadecimal number");
    if (form == 1) {
      if (!words.signed_decimal(step)) to_.refuse("the stride is not a number");
      std::uint64_t const run = row_.active == 0 ? 0 : row_.active >> std::countr_zero(row_.active);
      if ((run & (run + 1)) != 0) to_.refuse("a stride, though the active lanes are not neighbours");
    }
    bool is_first = true;
    for (unsigned lane = 0; lane != 32; ++lane) {
      if ((row_.active >> lane & 1) == 0) continue;
      if (form == 0) {
        if (!words.hexadecimal(base)) to_.refuse("fewer addresses than active lanes, or no hexadecimal number");
      } else if (!is_first) {
        if (form == 2 && !words.signed_decimal(step)) to_.refuse("fewer differences than active lanes, or no number");
        bool const is_down = step >> 63 != 0;
        if (is_down ? base < 0 - step : step > ~base) to_.refuse("an active lane's address lies below 0 or past 2^64");
        base += step;
      }
      row_.address[lane] = base, is_first = false;
    }
  }

  Recorder& to_;
  bool is_grouped_ = false;  ///< whether the line is between #BEGIN_TB and #END_TB
  bool has_lines_ = false;   ///< whether each instruction has the number of its source line
  unsigned version_ = 0, warp_ = 0;
  unsigned left_ = 0;  ///< how many lines of the current warp are still to come
  place block_ = {};
  launch_parts launch_ = {};
  trace_row row_ = {};
  std::string words_;
};

}  // namespace coalescing::detail

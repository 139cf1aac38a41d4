// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/trace/recorder.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

// Reads the lines that NVBit's tool mem_trace prints between the program's own lines (NVBit,
// tools/mem_trace/mem_trace.cu):
//
//     MEMTRACE: CTX 0x.. - LAUNCH - Kernel pc 0x.. - Kernel name saxpy - grid launch id 0 - grid size ...
//     MEMTRACE: CTX 0x.. - grid_launch_id 0 - CTA x,y,z - warp w - LDG.E - 0x.. 0x.. (32 addresses)
//
// The lines have no PC, so all accesses of a kernel with one opcode are one site. They have no mask either, and an
// inactive lane has an arbitrary address: the user has to say that all lanes are active (replay_options::all_lanes).
// The tool writes sixteen digits of each address, so an address with fewer digits shows that the line is torn.
// The warp's number counts the warps of the multiprocessor, not those of the block.

namespace coalescing::detail {

template <class Recorder>
class mem_trace_reader {
 public:
  explicit mem_trace_reader(Recorder& to) : to_(to) {}

  void line(std::string_view text) {
    constexpr std::string_view ours = "MEMTRACE: ";
    if (text.empty()) return;
    bool const is_torn = text.find("grid_launch_id") != text.npos;  // only lines of accesses have this word
    if (!text.starts_with(ours)) {
      if (text.find(ours) != text.npos) return to_.skip_line("other words stand before mem_trace's", true);
      return to_.skip_line(is_torn ? why_torn : "not of mem_trace", is_torn);
    }
    text.remove_prefix(ours.size());
    auto const dash = text.starts_with("CTX ") ? text.find(" - ") : text.npos;
    if (dash != text.npos) return text.substr(dash).starts_with(" - LAUNCH - ") ? launch(text) : access(text);
    to_.skip_line(is_torn ? why_torn : "mem_trace says how it goes on", is_torn);
  }
  void end() {}

 private:
  static constexpr char const* why_torn = "a part of an access of mem_trace: other words tore its line";

  void launch(std::string_view text) {
    constexpr std::string_view name_is = " - Kernel name ", launch_is = " - grid launch id ", size_is = " - grid size ";
    auto const name = text.find(name_is), launch = text.rfind(launch_is), size = text.rfind(size_is);
    std::uint64_t id = 0;
    if (name == text.npos || launch == text.npos || size == text.npos || name + name_is.size() > launch ||
        launch > size)
      to_.refuse("the line of a launch has no kernel's name, launch id or grid size");
    trace_words words(text.substr(launch + launch_is.size(), size - launch - launch_is.size()));
    if (!words.decimal(id) || !words.is_empty()) to_.refuse("the launch id is not a number");
    names_[id] = text.substr(name + name_is.size(), launch - name - name_is.size());
    has_current_ = false;
  }
  /// Takes the text up to the next " - ". This text must start with `begins`. Returns what comes after `begins`.
  std::string_view part(std::string_view& text, std::string_view begins) {
    auto const dash = text.find(" - ");
    auto word = text.substr(0, dash);
    if (dash == text.npos || !word.starts_with(begins))
      to_.refuse(
          "the line is not an access of mem_trace: CTX, grid_launch_id, CTA, warp, opcode, with \" - \" between");
    text.remove_prefix(dash + 3), word.remove_prefix(begins.size());
    return word;
  }
  void access(std::string_view text) {
    if (!to_.options.all_lanes)
      to_.refuse(
          "mem_trace does not tell which lanes are active: say .all_lanes = true, or --all-lanes, if all of them are");
    part(text, "CTX ");
    std::uint64_t id = 0;
    unsigned at[3] = {}, warp = 0;
    trace_words launch(part(text, "grid_launch_id "));
    if (!launch.decimal(id) || !launch.is_empty()) to_.refuse("the launch id is not a number");
    if (!detail::read_triple(part(text, "CTA "), at)) to_.refuse("the block is not x,y,z");
    trace_words number(part(text, "warp "));
    if (!number.decimal(warp) || !number.is_empty()) to_.refuse("the warp is not a number");
    auto const opcode = part(text, "");
    if (opcode.empty() || opcode[0] < 'A' || opcode[0] > 'Z' || opcode.find(' ') != opcode.npos)
      to_.refuse("no opcode comes after the warp");
    row_.active = wave_mask<32>;
    trace_words words(text);
    for (unsigned lane = 0; lane != 32; ++lane)
      if (!words.sixteen_digits(row_.address[lane]))
        to_.refuse("fewer addresses than 32, or one that is not 0x and sixteen hexadecimal digits");
    if (!words.is_empty()) to_.refuse("more addresses than 32");

    if (!has_current_ || id != current_) {
      auto const known = names_.find(id);
      to_.kernel(known != names_.end() ? known->second : "grid launch " + std::to_string(id));
      current_ = id, has_current_ = true;
    }
    to_.begin({at[0], at[1], at[2]}, warp);
    words_ = opcode;
    trace_site& s = to_.site(words_);
    if (s.is_new) s.is_new = false, s.facts = detail::facts_of(opcode), s.at.opcode = opcode;
    to_.take(s, row_);
  }

  Recorder& to_;
  std::map<std::uint64_t, std::string> names_;  ///< the kernels' names, by the launch id
  std::uint64_t current_ = 0;
  bool has_current_ = false;
  trace_row row_ = {};
  std::string words_;
};

}  // namespace coalescing::detail

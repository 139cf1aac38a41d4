// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/record/trace/taker.hpp>

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

// The address log of AMD's Omniprobe as comma-separated values (AMDResearch/omniprobe, src/message_logger.cc):
//
//     ADDRESS_MESSAGE,timestamp,kernel,src_line,dispatch,exec_mask,xcc_id,se_id,cu_id,kind,address
//     ADDRESS_MESSAGE,81,"saxpy(float*)",33,1,0x000000000000000f,0,0,0,1,0x.. (an address for each active lane)
//
// The kind is 1 for a read, 2 for a write, 3 for both (dh_comms, include/message.h). A site is a line of the source and
// a kind. The lines tell neither the width of an access nor its memory (replay_options::widths, bytes, shared), and
// neither the work-group nor the wave.

namespace coalescing::detail {

template <class Taker>
class omniprobe_reader {
 public:
  explicit omniprobe_reader(Taker& to) : to_(to) {}

  void line(std::string_view text) {
    constexpr std::string_view ours = "ADDRESS_MESSAGE,";
    if (text.starts_with("ADDRESS_MESSAGE,timestamp,")) {
      if (text != "ADDRESS_MESSAGE,timestamp,kernel,src_line,dispatch,exec_mask,xcc_id,se_id,cu_id,kind,address")
        to_.refuse("an older Omniprobe, or a newer one: the columns are not those of 2026");
      return;
    }
    if (text.starts_with(ours)) return message(text.substr(ours.size()));
    bool const has_ours = text.find(ours) != text.npos;
    if (!text.empty())
      to_.skip_line(has_ours ? "other words stand before Omniprobe's" : "no ADDRESS_MESSAGE of Omniprobe", has_ours);
  }
  void end() {}

 private:
  std::string_view field() {
    if (is_at_end_) to_.refuse("the line has fewer fields than Omniprobe writes");
    auto const comma = rest_.find(',');
    auto const word = rest_.substr(0, comma);
    is_at_end_ = comma == rest_.npos;
    rest_.remove_prefix(is_at_end_ ? rest_.size() : comma + 1);
    return word;
  }
  std::uint64_t number(char const* what, bool is_hexadecimal = false) {
    trace_words words(field());
    std::uint64_t made = 0;
    if (!(is_hexadecimal ? words.hexadecimal(made) : words.decimal(made)) || !words.is_empty())
      to_.refuse(std::string("no number: ") + what);
    return made;
  }
  void message(std::string_view text) {
    rest_ = text, is_at_end_ = false;
    number("the timestamp");
    auto const quote = rest_.find("\",");
    if (!rest_.starts_with('"') || quote == rest_.npos || quote == 0)
      to_.refuse("the kernel's name stands in no quotes");
    auto const name = rest_.substr(1, quote - 1);
    rest_.remove_prefix(quote + 2);
    std::uint64_t const source_line = number("the line of the source");
    number("the dispatch");
    row_.active = number("the mask", true);
    number("xcc_id"), number("se_id"), number("cu_id");
    std::uint64_t const kind = number("the kind");
    if (source_line >> 32 != 0) to_.refuse("the line of the source has more than 32 bits");
    if (kind > 3) to_.refuse("the kind is not 0, 1, 2 or 3");
    for (std::uint64_t left = row_.active; left != 0; left &= left - 1)
      row_.address[std::countr_zero(left)] = number("an address", true);
    if (!is_at_end_) to_.refuse("more addresses than active lanes");

    to_.kernel(name);
    auto const line = static_cast<unsigned>(source_line);
    words_ = std::to_string(source_line), words_ += ' ', words_ += static_cast<char>('0' + kind);
    trace_site& s = to_.site(words_);
    if (s.is_new) {
      s.is_new = false, s.at.line = line, s.at.opcode = kinds[kind];
      if (kind == 0)
        s.facts = {.memory = trace_memory::unseen, .why = "Omniprobe does not tell whether it reads or writes"};
      else
        s.facts = {trace_memory::generic,
                   kind == 1   ? touch::load
                   : kind == 2 ? touch::store
                               : touch::atomic,
                   bytes_at(line), ""};
    }
    to_.begin({}, 0);
    to_.take(s, row_);
  }
  unsigned bytes_at(unsigned line) const {
    for (auto const& one : to_.options.widths)
      if (one.line == line) return one.bytes;
    if (to_.options.bytes == 0)
      to_.refuse("Omniprobe does not tell how many bytes a lane moves: say .bytes, or .widths for line " +
                 std::to_string(line) + " of the source (--bytes, --width " + std::to_string(line) + "=BYTES)");
    return to_.options.bytes;
  }

  static constexpr char const* kinds[] = {"undefined", "read", "write", "read_write"};
  Taker& to_;
  std::string_view rest_ = {};
  bool is_at_end_ = false;
  trace_row row_ = {};
  std::string words_;
};

}  // namespace coalescing::detail

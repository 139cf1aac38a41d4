// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/trace/recorder.hpp>

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

// Reads the address log of AMD's Omniprobe (AMDResearch/omniprobe, src/message_logger.cc). The log has comma-separated
// values:
//
//     ADDRESS_MESSAGE,timestamp,kernel,src_line,dispatch,exec_mask,xcc_id,se_id,cu_id,kind,address
//     ADDRESS_MESSAGE,81,"saxpy(float*)",33,1,0x000000000000000f,0,0,0,1,0x.. (an address for each active lane)
//
// where the mask and the addresses have sixteen digits,
//
// or, with LOGDUR_LOG_FORMAT=json, one JSON object on each line, with these fields in this order:
//
//     {"kernel_name": "saxpy(float*)","dispatch_id": 1,"exec": 15,"timestamp": 81,"dwarf_line": 33,"dwarf_column": 10,
//      "block_idx_x": 0,"block_idx_y": 0,"block_idx_z": 0,"wave_num": 0,"xcc_id": 0,"se_id": 0,"cu_id": 0,
//      "active_lane_count": 4,"user_type": 0,"op_type": "read","addresses": [4096,4100,4104,4108]}
//
// The kind is 1 for a read, 2 for a write, 3 for both, and 0 if Omniprobe does not know it (dh_comms,
// include/message.h). All accesses of one kind at one line of the source (and, in JSON, at one column) are one site.
// Neither form tells how wide an access is or which memory it accesses: the user gives both in the options
// (replay_options::widths, bytes, shared). Only the JSON form tells the work-group and the wave.

namespace coalescing::detail {

template <class Recorder>
class omniprobe_reader {
 public:
  explicit omniprobe_reader(Recorder& to) : to_(to) {}

  void line(std::string_view text) {
    constexpr std::string_view ours = "ADDRESS_MESSAGE,", our_object = "{\"kernel_name\": \"";
    if (text.starts_with("ADDRESS_MESSAGE,timestamp,")) {
      if (text != "ADDRESS_MESSAGE,timestamp,kernel,src_line,dispatch,exec_mask,xcc_id,se_id,cu_id,kind,address")
        to_.refuse("an older Omniprobe, or a newer one: the columns are not those of 2026");
      return;
    }
    if (text.starts_with(ours)) return message(text.substr(ours.size()));
    if (text.starts_with(our_object)) return object(text);
    bool const has_ours = text.find(ours) != text.npos || text.find(our_object) != text.npos;
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
  std::uint64_t number(char const* what) {
    trace_words words(field());
    std::uint64_t made = 0;
    if (!words.decimal(made) || !words.is_empty()) to_.refuse(std::string("no number: ") + what);
    return made;
  }
  std::uint64_t sixteen_digits(char const* what) {
    trace_words words(field());
    std::uint64_t made = 0;
    if (!words.sixteen_digits(made) || !words.is_empty())
      to_.refuse(std::string("not 0x and sixteen hexadecimal digits: ") + what);
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
    row_.active = sixteen_digits("the mask");
    number("xcc_id"), number("se_id"), number("cu_id");
    std::uint64_t const kind = number("the kind");
    if (source_line >> 32 != 0) to_.refuse("the line of the source has more than 32 bits");
    if (kind > 3) to_.refuse("the kind is not 0, 1, 2 or 3");
    for (std::uint64_t left = row_.active; left != 0; left &= left - 1)
      row_.address[std::countr_zero(left)] = sixteen_digits("an address");
    if (!is_at_end_) to_.refuse("more addresses than active lanes");

    words_ = std::to_string(source_line), words_ += ' ', words_ += static_cast<char>('0' + kind);
    access(name, {.line = static_cast<unsigned>(source_line)}, kind, {}, 0);
  }

  /// Skips `words`. Refused: a line in which other characters come next.
  void expect(std::string_view words) {
    if (!rest_.starts_with(words))
      to_.refuse("the fields are not those that Omniprobe writes in 2026: no " + std::string(words));
    rest_.remove_prefix(words.size());
  }
  std::uint64_t value() {
    auto const end = rest_.find_first_of(",]}");
    trace_words words(rest_.substr(0, end));
    std::uint64_t made = 0;
    if (end == rest_.npos || !words.decimal(made) || !words.is_empty()) to_.refuse("no number in a field");
    rest_.remove_prefix(end);
    return made;
  }
  std::uint64_t value_of(std::string_view name) {
    expect(",\""), expect(name), expect("\": ");
    return value();
  }
  unsigned number_of(std::string_view name) {
    auto const made = value_of(name);
    if (made >> 32 != 0) to_.refuse("a field has more than 32 bits: " + std::string(name));
    return static_cast<unsigned>(made);
  }
  void object(std::string_view text) {
    constexpr std::string_view after_the_name = "\",\"dispatch_id\": ";
    rest_ = text;
    expect("{\"kernel_name\": \"");
    auto const quote = rest_.find(after_the_name);
    if (quote == rest_.npos) to_.refuse("no dispatch_id stands after the kernel's name");
    auto const name = rest_.substr(0, quote);
    rest_.remove_prefix(quote + 1);
    value_of("dispatch_id");
    row_.active = value_of("exec");
    value_of("timestamp");
    found_at at;
    at.line = number_of("dwarf_line"), at.column = number_of("dwarf_column");
    place block;
    block.x = number_of("block_idx_x"), block.y = number_of("block_idx_y"), block.z = number_of("block_idx_z");
    unsigned const wave = number_of("wave_num");
    value_of("xcc_id"), value_of("se_id"), value_of("cu_id");
    if (value_of("active_lane_count") != static_cast<std::uint64_t>(std::popcount(row_.active)))
      to_.refuse("active_lane_count is not the number of lanes in exec");
    value_of("user_type");
    if (rest_.starts_with(",\"user_data\"")) {
      value_of("user_data"), close();
      return to_.skip_line("Omniprobe tells no addresses in this message", false);
    }
    expect(",\"op_type\": \"");
    unsigned kind = 0;
    while (kind != 4 && !rest_.starts_with(std::string(words_of_kinds[kind]) + '"')) ++kind;
    if (kind == 4) to_.refuse("op_type is not undefined, read, write or readwrite");
    expect(words_of_kinds[kind]), expect("\"");
    if (row_.active != 0) {
      std::string_view before = ",\"addresses\": [";
      for (std::uint64_t left = row_.active; left != 0; left &= left - 1, before = ",") {
        expect(before);
        row_.address[std::countr_zero(left)] = value();
      }
      expect("]");
    }
    close();
    words_ = std::to_string(at.line), words_ += ' ', words_ += std::to_string(at.column), words_ += ' ';
    words_ += static_cast<char>('0' + kind);
    access(name, at, kind, block, wave);
  }
  void close() {
    expect("}");
    if (!rest_.empty()) to_.refuse("something stands after the object");
  }

  /// Records an access at the site that words_ names.
  void access(std::string_view kernel, found_at const& at, std::uint64_t kind, place const& block, unsigned wave) {
    to_.kernel(kernel);
    trace_site& s = to_.site(words_);
    if (s.is_new) {
      s.is_new = false, s.at.line = at.line, s.at.column = at.column, s.at.opcode = kinds[kind];
      if (kind == 0)
        s.facts = {.memory = trace_memory::unseen, .why = "Omniprobe does not tell whether it reads or writes"};
      else
        s.facts = {trace_memory::generic,
                   kind == 1   ? touch::load
                   : kind == 2 ? touch::store
                               : touch::atomic,
                   bytes_at(at.line), ""};
    }
    to_.begin(block, wave);
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

  static constexpr char const *kinds[] = {"undefined", "read", "write", "read_write"},
                              *words_of_kinds[] = {"undefined", "read", "write", "readwrite"};
  Recorder& to_;
  std::string_view rest_ = {};
  bool is_at_end_ = false;
  trace_row row_ = {};
  std::string words_;
};

}  // namespace coalescing::detail

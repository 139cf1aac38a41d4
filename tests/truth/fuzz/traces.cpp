// SPDX-License-Identifier: BSL-1.0
//
// Traces of all formats, whole and damaged, beside a slow reader: equal recordings, equal accounts of what is skipped,
// or an error at an equal line.
#include <coalesce/cuda.hpp>
#include <coalesce/host/trace.hpp>
#include <coalesce/rdna.hpp>

#include "truth/fuzz/input.hpp"
#include "truth/oracle/traces.hpp"

#include <map>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>

namespace {

using namespace coalescing_tests;
namespace co = coalescing;
using co::cuda::cc90;

/// What a reader makes of a trace: a text, or the line of the error.
struct outcome {
  std::string text;
  std::uint64_t error = 0;
};
std::string told(std::string const& name, co::recording<co::any_number> const& seen) {
  std::ostringstream out;
  out << name << '\n' << seen.text() << "blocks " << seen.blocks << ' ' << seen.blocks_alike << '\n';
  for (auto const& s : seen)
    out << s.worst_block.x << ' ' << s.worst_block.y << ' ' << s.worst_block.z << ' ' << s.worst_warp << '\n';
  return out.str();
}

template <class Machine>
outcome fast(std::string const& text, co::trace_format format, co::replay_options const& options) {
  std::istringstream from(text);
  try {
    auto const all = co::replay<Machine>(from, format, options);
    outcome made;
    for (auto const& kernel : all.kernels) made.text += told(kernel.name, kernel.seen);
    std::map<std::pair<std::string, std::string>, std::uint64_t> skipped;
    for (auto const& one : all.skipped) {
      expect(!one.what.empty(), "what is skipped has a name");
      expect(one.kernel.empty() || one.what != "a line", "a line that is no instruction is no kernel's");
      skipped[{one.what, one.why}] += one.count;
    }
    for (auto const& [words, count] : skipped)
      made.text += words.first + '|' + words.second + '|' + std::to_string(count) + '\n';
    made.text += std::to_string(all.instructions);
    return made;
  } catch (co::trace_error const& wrong) {
    return {"", wrong.line()};
  }
}

template <class Machine>
outcome slow(std::string const& text, co::trace_format format, slow_options const& options) {
  slow_reader reader(text, options);
  outcome made;
  try {
    switch (format) {
      case co::trace_format::accel_sim:
        reader.accel_sim();
        break;
      case co::trace_format::mem_trace:
        reader.mem_trace();
        break;
      case co::trace_format::omniprobe:
        reader.omniprobe();
        break;
      case co::trace_format::plain:
        reader.plain();
        break;
    }
  } catch (slow_reader::damaged const&) {
    made.error = reader.number;
  }
  std::map<std::string, co::row_recorder<Machine>> recorders;
  std::uint64_t instructions = 0;
  for (auto const& one : reader.accesses) {
    auto& to = recorders[one.kernel];
    if (one.ends_a_block) {
      to.block_done();
      continue;
    }
    std::uint64_t active = 0, address[64] = {};
    for (auto const& [lane, at] : one.address) active |= std::uint64_t{1} << lane, address[lane] = at;
    unsigned alignment = 1;
    while (alignment != 256 && one.bytes % (2 * alignment) == 0) alignment *= 2;
    auto const part = [&](unsigned k) { return static_cast<unsigned>(one.block[k]); };
    try {
      auto const name = one.space == co::memory_space::global ? "global" : "shared";
      co::found_at const at{one.file, one.line, one.column, one.offset, one.opcode};
      std::string const array = one.array.empty() ? name : one.array;
      unsigned site = 0;
      if (one.matrices == 0)
        site = to.open(at, array, one.space, one.kind, one.bytes, alignment);
      else if constexpr (std::is_same_v<Machine, cc90>)
        site = one.kind == co::touch::load
                   ? one.matrices == 1   ? to.template open_as<cc90::ldmatrix<1>>(at, array, one.space, one.kind)
                     : one.matrices == 2 ? to.template open_as<cc90::ldmatrix<2>>(at, array, one.space, one.kind)
                                         : to.template open_as<cc90::ldmatrix<4>>(at, array, one.space, one.kind)
               : one.matrices == 1 ? to.template open_as<cc90::stmatrix<1>>(at, array, one.space, one.kind)
               : one.matrices == 2 ? to.template open_as<cc90::stmatrix<2>>(at, array, one.space, one.kind)
                                   : to.template open_as<cc90::stmatrix<4>>(at, array, one.space, one.kind);
      to.begin({part(0), part(1), part(2)}, static_cast<unsigned>(one.warp));
      to.take(site, active, address);
      ++instructions;
    } catch (co::misuse const&) {
      return {"", one.number};
    }
  }
  if (made.error != 0) return made;
  for (auto const& name : reader.kernels) made.text += told(name, recorders[name].result());
  for (auto const& [words, count] : reader.skipped)
    made.text += words.first + '|' + words.second + '|' + std::to_string(count) + '\n';
  made.text += std::to_string(instructions);
  return made;
}

// ---- Traces as the tools write them, from an input's choices ----

class writer {
 public:
  explicit writer(fuzz_input& in) : in_(in) {}

  std::string accel_sim() {
    static char const* const opcodes[] = {
        "LDG.E.SYS",    "LDG.E.128",     "STG.E.64",  "LDS",           "LDS.U8",       "STS.128", "LD.E",
        "ST.E.64",      "ATOMS.ADD",     "ATOMG.E",   "RED.E",         "LDGSTS.E.128", "LDSM.16", "LDSM.16.M88.4",
        "LDSM.16.MT88", "STSM.16.M88.2", "LDL",       "LDC",           "IMAD",         "CCTL",    "LDQ.64",
        "LDG.E.F7",     "ATOM.CAS.64",   "LDG.E.U16", "LDG.E.ENL2.256"};
    bool const is_grouped = in_.one_in(2), has_lines = in_.one_in(3);
    unsigned const version = in_.one_in(4) ? 5 : in_.one_in(4) ? 2 : 3;
    std::string text = "-kernel name = k" + std::to_string(in_.below(2)) + "\n-shmem = 0\n";
    text += "-accelsim tracer version = " + std::to_string(version) + "\n";
    if (!in_.one_in(4)) text += "-shmem base_addr = 0x7f8125000000\n-local mem base_addr = 0x7f8123000000\n";
    if (has_lines) text += "-enable lineinfo = 1\n";
    if (in_.one_in(2)) text += "-grid dim = (" + std::to_string(1 + in_.below(4)) + ",1,1)\n";
    if (in_.one_in(2)) text += "-block dim = (" + std::to_string(1 + in_.below(128)) + ",1,1)\n";
    for (std::uint64_t block = 0, blocks = 1 + in_.below(3); block != blocks; ++block) {
      std::uint64_t const lines = in_.below(4);
      if (is_grouped)
        text += "\n#BEGIN_TB\nthread block = " + std::to_string(block) +
                ",0,0\nwarp = 1\ninsts = " + std::to_string(lines) + "\n";
      for (std::uint64_t k = 0; k != lines; ++k) {
        if (!is_grouped || version < 3) text += std::to_string(block) + " 0 0 1 ";
        if (has_lines) text += "7 ";
        auto const mask = static_cast<unsigned>(active());
        std::string const opcode = in_.one_of(opcodes);
        text += hex(16 * in_.below(4), 4) + ' ' + hex(mask, 8) + " 1 R1 " + opcode + " 2 R2 R3 ";
        if (in_.one_in(8)) {
          text += "0";
        } else {
          auto const form = in_.below(3);
          auto const to = addresses(opcode.find('S') != opcode.npos && opcode[0] != 'S' ? 1 : in_.below(8));
          text += "4 " + std::to_string(form);
          bool is_first = true;
          std::uint64_t last = 0;
          for (unsigned lane = 0; lane != 32; ++lane) {
            if ((mask >> lane & 1) == 0) continue;
            if (form == 0)
              text += " 0x" + hex(to[lane], 16);
            else if (is_first)
              text += " 0x" + hex(to[lane], 0);
            else if (form == 2)
              text += ' ' + std::to_string(static_cast<std::int64_t>(to[lane] - last));
            is_first = false, last = to[lane];
          }
          if (form != 0 && is_first) text += " 0x0";
          if (form == 1) text += " 16";
        }
        text += version == 5 ? " 0 \n" : " \n";
      }
      if (is_grouped) text += "#END_TB\n";
    }
    return text;
  }
  std::string mem_trace() {
    static char const* const opcodes[] = {"LDG.E", "STG.E.64", "LDS.128", "LD.E", "LDL", "LDGSTS.E", "RED.E.ADD"};
    std::string text = "the program says\n";
    if (in_.one_in(8)) text += "10 % MEMTRACE: CTX 0x1 - grid_launch_id 0\n";
    if (in_.one_in(8)) text += "MEMTRACE: the program says\nCTX 0x1 - grid_launch_id 0\n";
    for (std::uint64_t k = 0, lines = 1 + in_.below(5); k != lines; ++k) {
      auto const id = std::to_string(in_.below(3));
      if (in_.one_in(3))
        text += "MEMTRACE: CTX 0x1 - LAUNCH - Kernel pc 0x2 - Kernel name k" + std::to_string(in_.below(2)) +
                "(int) - grid launch id " + id + " - grid size 1,1,1 - block size 32,1,1\n";
      text += "MEMTRACE: CTX 0x1 - grid_launch_id " + id + " - CTA 1,0,0 - warp 3 - " + in_.one_of(opcodes) + " - ";
      auto const to = addresses(in_.below(8));
      for (unsigned lane = 0; lane != 32; ++lane) text += "0x" + hex(to[lane], 16) + ' ';
      text += "\n";
    }
    return text;
  }
  std::string omniprobe() {
    std::string text;
    for (std::uint64_t k = 0, lines = 1 + in_.below(5); k != lines; ++k) {
      auto const mask = in_.one_in(16) ? in_.number(8) : active();
      if (in_.one_in(2)) {
        text += object(mask);
        continue;
      }
      text += "ADDRESS_MESSAGE,1,\"k" + std::to_string(in_.below(2)) + "(int, char)\"," +
              std::to_string(5 + in_.below(3)) + ",1,0x" + hex(mask, 16) + ",0,0,1," + std::to_string(in_.below(4));
      auto const to = addresses(in_.below(8));
      for (unsigned lane = 0; lane != 64; ++lane)
        if ((mask >> lane & 1) != 0) text += ",0x" + hex(to[lane % 32], 16);
      text += "\n";
    }
    return text;
  }
  /// A message of Omniprobe as JSON.
  std::string object(std::uint64_t mask) {
    auto const field = [](char const* name, std::uint64_t value) {
      return ",\"" + std::string(name) + "\": " + std::to_string(value);
    };
    static char const* const kinds[] = {"undefined", "read", "write", "readwrite"};
    std::string text = "{\"kernel_name\": \"k" + std::to_string(in_.below(2)) + "(int, char)\"";
    text += field("dispatch_id", 1) + field("exec", mask) + field("timestamp", 7) +
            field("dwarf_line", 5 + in_.below(3)) + field("dwarf_column", in_.below(2)) +
            field("block_idx_x", in_.below(3)) + field("block_idx_y", 0) + field("block_idx_z", 1) +
            field("wave_num", in_.below(4)) + field("xcc_id", 0) + field("se_id", 1) + field("cu_id", 2);
    std::uint64_t lanes = 0;
    for (std::uint64_t left = mask; left != 0; left &= left - 1) ++lanes;
    text += field("active_lane_count", lanes) + field("user_type", 0);
    if (in_.one_in(8)) return text + field("user_data", in_.below(9)) + "}\n";
    text += ",\"op_type\": \"" + std::string(kinds[in_.below(4)]) + "\"";
    auto const to = addresses(in_.below(8));
    char const* before = ",\"addresses\": [";
    for (unsigned lane = 0; lane != 64; ++lane)
      if ((mask >> lane & 1) != 0) text += before + std::to_string(to[lane % 32]), before = ",";
    return text + (mask != 0 ? "]}\n" : "}\n");
  }
  std::string plain() {
    static char const* const words[] = {"load global 4 ",   "store shared 16 ", "atomic global 4 ", "load shared 1 ",
                                        "store global 12 ", "load global 3 ",   "atomic shared 8 ", "load global 32 "};
    static char const* const places[] = {"0x10", "a@0x20", "k.py:7", "b@k.py:8:9", "0x10"};
    std::string text = "coalesce trace 1\n# a comment\nkernel k\n";
    for (std::uint64_t k = 0, lines = 1 + in_.below(6); k != lines; ++k) {
      if (in_.one_in(4)) text += "block " + std::to_string(in_.below(3)) + " 0 0x1\n";
      if (in_.one_in(4)) text += "warp " + std::to_string(in_.below(3)) + "\n";
      if (in_.one_in(8)) text += "kernel other one\n";
      std::string const word = in_.one_of(words);
      auto const mask = active();
      text += word + in_.one_of(places) + (in_.one_in(2) ? " 0x" + hex(mask, 0) : ' ' + std::to_string(mask));
      auto const to = addresses(word.find("shared") != word.npos ? 1 : in_.below(8));
      if (in_.one_in(3))
        text += ' ' + std::to_string(to[0]) + (in_.one_in(2) ? "+" : "-") +
                std::to_string(in_.one_in(8) ? in_.number(8) : 16 * in_.below(9));
      else
        for (unsigned lane = 0; lane != 32; ++lane)
          if ((mask >> lane & 1) != 0) text += " 0x" + hex(to[lane], 0);
      text += "\n";
    }
    return text + "end\n";
  }
  /// A few characters, words and lines are changed, or the end is missing.
  void damage(std::string& text) {
    static char const* const words[] = {" ", "\n", "0", "-", "x", "\t", "\r\n", "ffffffff", "99999999999999999999",
                                        "\0"};
    for (std::uint64_t times = in_.below(4); times != 0 && !text.empty(); --times) {
      std::size_t const at = in_.below(text.size());
      switch (in_.below(5)) {
        case 0:
          text[at] = static_cast<char>(in_.byte());
          break;
        case 1:
          text.insert(at, in_.one_of(words));
          break;
        case 2:
          text.erase(at, 1 + in_.below(4));
          break;
        case 3:
          text.resize(at);
          break;
        default:
          text.insert(at, text.substr(in_.below(text.size()), in_.below(100)));
      }
    }
  }

 private:
  static std::string hex(std::uint64_t number, std::size_t digits) {
    std::string made;
    do made.insert(made.begin(), "0123456789abcdef"[number % 16]), number /= 16;
    while (number != 0 || made.size() < digits);
    return made;
  }
  std::uint64_t active() {
    return in_.one_in(2)   ? 0xffff'ffff
           : in_.one_in(4) ? 0
                           : std::uint64_t{0xffff'ffff} >> in_.below(32) & in_.number(4);
  }
  std::vector<std::uint64_t> addresses(std::uint64_t where) {
    // The last two lie in a cluster of CC 9.0, behind the block's own shared memory, and behind the cluster.
    std::uint64_t const bases[] = {
        0x7f0000000000, 0, 0x7f8125000000, 0x7f8123000000, 0x1000000, ~std::uint64_t{0} << 7, 0x7f8126000000,
        0x7f8224ffffc0};
    std::uint64_t const base = bases[where % 8] + 16 * in_.below(64), step = 16 * in_.below(5);
    std::vector<std::uint64_t> made;
    for (unsigned lane = 0; lane != 32; ++lane) made.push_back(base + lane * step);
    if (in_.one_in(4)) made[in_.below(32)] = bases[in_.below(8)] + in_.below(64);
    return made;
  }
  fuzz_input& in_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  fuzz_input in(data, size);
  constexpr co::trace_format formats[] = {co::trace_format::accel_sim, co::trace_format::mem_trace,
                                          co::trace_format::omniprobe, co::trace_format::plain};
  auto const format = in.one_of(formats);
  co::replay_options options{.all_lanes = !in.one_in(16), .widths = {{.line = 5, .bytes = 8}}};
  slow_options slowly{.all_lanes = options.all_lanes, .widths = {{5, 8}}, .is_wrong = oracle_is_broken};
  if (!in.one_in(8)) options.bytes = slowly.bytes = 4;
  if (!in.one_in(4)) {
    options.shared = co::address_window{0x7f8125000000, 1 << 24}, slowly.shared = {0x7f8125000000, 1 << 24};
    if (in.one_in(2)) options.local = co::address_window{0x7f8123000000, 512}, slowly.local = {0x7f8123000000, 512};
  }
  std::string text;
  if (in.one_in(16)) {
    text.assign(reinterpret_cast<char const*>(data), size);
  } else {
    writer write(in);
    switch (format) {
      case co::trace_format::accel_sim:
        text = write.accel_sim();
        break;
      case co::trace_format::mem_trace:
        text = write.mem_trace();
        break;
      case co::trace_format::omniprobe:
        text = write.omniprobe();
        break;
      case co::trace_format::plain:
        text = write.plain();
        break;
    }
    if (in.one_in(2)) write.damage(text);
  }
  using gfx1100 = co::rdna::gfx1100;
  bool const is_amd = format == co::trace_format::omniprobe;
  slowly.has_clusters = !is_amd;
  auto const made = is_amd ? fast<gfx1100>(text, format, options) : fast<cc90>(text, format, options);
  auto const expected = is_amd ? slow<gfx1100>(text, format, slowly) : slow<cc90>(text, format, slowly);
  expect(made.error == expected.error, "the line of the error");
  expect(made.text == expected.text, "the recordings");
  return 0;
}

// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/record/sums.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

// A slow reader of traces, beside those of host/trace/: the text as a vector of lines, a line as a vector of words, a
// number as its digits. It tells the accesses of a trace one by one, or the line at which it is damaged.

namespace coalescing_tests {

struct slow_access {
  std::string kernel, file, opcode, array;
  unsigned line = 0, column = 0;
  std::uint64_t offset = coalescing::not_counted;
  coalescing::memory_space space = {};
  coalescing::touch kind = {};
  unsigned bytes = 0;
  unsigned matrices = 0;  ///< of LDSM and STSM
  std::uint64_t block[3] = {}, warp = 0;
  std::map<unsigned, std::uint64_t> address;  ///< of each active lane
  std::uint64_t number = 0;                   ///< of the trace's line
  bool ends_a_block = false;                  ///< no access: the kernel's block has ended
};

struct slow_window {
  std::uint64_t base = 0, bytes = 0;
  [[nodiscard]] bool has(std::uint64_t address) const { return address >= base && address - base < bytes; }
};

/// What no format tells.
struct slow_options {
  unsigned lanes = 32;        ///< of the machine
  bool has_clusters = false;  ///< CC 9.0 and later: a generic address may be another block's shared memory
  bool all_lanes = false;
  std::map<std::uint64_t, unsigned> widths = {};
  unsigned bytes = 0;
  std::optional<slow_window> shared = {}, local = {};
  bool is_wrong = false;  ///< the control: differences of addresses are taken from the base
};

class slow_reader {
 public:
  struct damaged {};

  slow_reader(std::string const& text, slow_options const& options) : options_(options) {
    std::size_t from = 0;
    for (std::size_t k = 0; k != text.size(); ++k)
      if (text[k] == '\n') {
        auto line = text.substr(from, k - from);
        bool const is_text = std::none_of(line.begin(), line.end(), [](char c) { return c == 0; });
        lines_.push_back(line.size() > 65536 || !is_text ? "\n" : line), from = k + 1;
        if (lines_.back() != "\n" && !line.empty() && line.back() == '\r') lines_.back().pop_back();
      }
    if (from != text.size()) lines_.push_back("\n");
  }

  std::vector<slow_access> accesses;
  std::map<std::pair<std::string, std::string>, std::uint64_t> skipped;
  std::vector<std::string> kernels;
  std::uint64_t number = 0;  ///< of the line that is read, counted from 1

  /// Reads all lines. Thrown: damaged, with `number` at the line.
  template <class Line, class End>
  void each_line(Line const& line, End const& end) {
    for (auto const& text : lines_) {
      ++number;
      if (text == "\n") throw damaged();
      line(text);
    }
    number = std::max<std::uint64_t>(number, 1);
    end();
  }

  void accel_sim() {
    bool in_block = false, has_lines = false, has_kernel = false;
    std::uint64_t version = 0, left = 0;
    slow_access now;
    auto shared = options_.shared, local = options_.local;
    // Of the launch: the grid's and the block's size as the head has them, and each block's lines of each warp.
    using triple_of = std::vector<std::uint64_t>;
    triple_of grid, threads;
    std::map<triple_of, std::map<std::uint64_t, std::uint64_t>> finished;
    std::map<std::uint64_t, std::uint64_t> lines_of_warps;
    bool is_raw = false, has_place = false;
    auto const product = [](triple_of const& of) { return of[0] * of[1] * of[2]; };
    auto const warps = [&] { return product(threads) / 32 + (product(threads) % 32 != 0); };
    auto const finish = [&] {
      auto const lacks = [&](std::string const& what, std::uint64_t there, std::uint64_t all, std::string const& of) {
        if (there != all)
          skipped[{what, std::to_string(all - there) + " of " + std::to_string(all) + of + " are not in the trace"}] +=
              all - there;
      };
      if (!is_raw || !finished.empty()) {
        if (!grid.empty()) lacks("the grid's blocks", finished.size(), product(grid), " blocks");
        std::uint64_t there = 0;
        for (auto const& [at, lines] : finished)
          there += static_cast<std::uint64_t>(
              std::count_if(lines.begin(), lines.end(), [](auto const& one) { return one.second != 0; }));
        if (!threads.empty()) lacks("the blocks' warps", there, warps() * finished.size(), " warps of these blocks");
      }
      grid.clear(), threads.clear(), finished.clear(), is_raw = false;
    };
    each_line(
        [&](std::string const& text) {
          auto const w = words(text);
          if (text.empty()) return;
          if (text[0] == '-') {
            auto const equals = text.find(" = ");
            check(equals != std::string::npos);
            auto const name = text.substr(1, std::max<std::size_t>(equals, 1) - 1), value = text.substr(equals + 3);
            auto const v = words(value);
            if (name == "kernel name") {
              check(!in_block);
              finish();
              now.kernel = trimmed(value), has_kernel = true, version = 0, has_lines = false;
              shared = options_.shared, local = options_.local;
              meet(now.kernel);
              for (auto& part : now.block) part = 0;
              now.warp = 0;
            } else if (name == "grid dim" || name == "block dim") {
              auto const words_in = trimmed(value);
              check(has_kernel && !in_block && finished.empty() && words_in.size() > 1);
              check(words_in.front() == '(' && words_in.back() == ')');
              std::uint64_t to[3];
              triple(words_in.substr(1, words_in.size() - 2), to);
              bool const is_grid = name[0] == 'g';
              std::uint64_t const most[2][3] = {{1024, 1024, 64}, {0x7fff'ffff, 0xffff, 0xffff}};
              for (unsigned k = 0; k != 3; ++k) check(to[k] >= 1 && to[k] <= most[is_grid][k]);
              (is_grid ? grid : threads) = {to[0], to[1], to[2]};
              check(threads.empty() || product(threads) <= 1024);
            } else if (name == "accelsim tracer version") {
              check(v.size() == 1), version = small(v[0]);
            } else if (name == "enable lineinfo") {
              check(v.size() == 1 && small(v[0]) < 2), has_lines = small(v[0]) == 1;
            } else if (name == "shmem base_addr" || name == "local mem base_addr") {
              check(v.size() == 1);
              auto const base = hexadecimal(v[0]);
              if (base != 0) (name[0] == 's' ? shared : local) = slow_window{base, 1 << 24};
            }
            return;
          }
          if (text[0] == '#') {
            if (text.rfind("#BEGIN_TB", 0) == 0) {
              check(!in_block && has_kernel), in_block = true, left = 0;
              has_place = false, lines_of_warps.clear();
            }
            if (text.rfind("#END_TB", 0) == 0) {
              check(in_block && left == 0), in_block = false;
              triple_of const at(now.block, now.block + 3);
              for (std::size_t k = 0; k != grid.size(); ++k) check(at[k] < grid[k]);
              check(finished.count(at) == 0), finished[at] = lines_of_warps;
              slow_access done;
              done.kernel = now.kernel, done.ends_a_block = true;
              accesses.push_back(done);
            }
            return;
          }
          if (in_block && std::string("0123456789abcdefABCDEF").find(text[0]) == std::string::npos) {
            auto const equals = text.find(" = ");
            auto const name = text.substr(0, equals),
                       value = equals == std::string::npos ? "" : text.substr(equals + 3);
            if (name == "thread block") {
              check(!has_place), has_place = true;
              triple(value, now.block);
            } else {
              auto const v = words(value);
              check((name == "warp" || name == "insts") && left == 0 && v.size() == 1);
              (name == "warp" ? now.warp : left) = small(v[0]);
              if (name == "insts") {
                check(threads.empty() || now.warp < warps());
                auto& lines = lines_of_warps[now.warp];
                check(left == 0 || lines == 0), lines += left;
              }
            }
            return;
          }
          check(has_kernel);
          if (in_block) check(left != 0), --left;
          is_raw = is_raw || !in_block;
          std::size_t at = 0;
          auto const next = [&] { return at < w.size() ? w[at++] : throw damaged(); };
          if (!in_block || version < 3) {
            std::uint64_t place[4];
            for (auto& part : place) part = small(next());
            if (!in_block) std::copy(place, place + 3, now.block), now.warp = place[3];
          }
          auto const line = has_lines ? small(next()) : 0;
          auto const pc_word = next();
          auto const pc = hexadecimal(pc_word);
          auto const mask_word = next();
          check(mask_word.size() == 8);
          auto const mask = hexadecimal(mask_word);
          auto const registers = [&] {
            for (auto count = small(next()); count != 0; --count) {
              auto const name = next();
              check(name.size() > 1 && name[0] == 'R');
            }
          };
          registers();
          auto const opcode = next();
          check(opcode[0] >= 'A' && opcode[0] <= 'Z');
          registers();
          auto const width = decimal(next());
          if (width == 0) {
            check(version >= 4 || at == w.size());
            auto const [memory, kind, bytes] = opcode_of(opcode);
            if (memory == "nothing" || memory == "the opcode is not known") return;
            bool const has_address = memory == "global" || memory == "shared" || memory == "generic" ||
                                     memory == "copied" || memory == "matrices";
            return skip(opcode, has_address ? "the line has no addresses" : memory);
          }
          auto const form = next();
          check(decimal(form) < 3);
          std::map<unsigned, std::uint64_t> address;
          std::uint64_t base = decimal(form) != 0 ? hexadecimal(next()) : 0;
          std::uint64_t const stride = decimal(form) == 1 ? with_sign(next()) : 0;
          std::uint64_t last = base;
          for (unsigned lane = 0; lane != 32; ++lane) {
            if ((mask >> lane & 1) == 0) continue;
            if (decimal(form) == 0) {
              address[lane] = hexadecimal(next());
            } else if (address.empty()) {
              address[lane] = base;
            } else if (decimal(form) == 1) {
              check((mask >> (lane - 1) & 1) != 0);
              address[lane] = moved(address[lane - 1], stride);
            } else {
              auto const step = with_sign(next());
              address[lane] = options_.is_wrong ? base + step : moved(last, step);
            }
            last = address[lane];
          }
          check(version >= 4 || at == w.size());
          now.opcode = opcode, now.offset = pc, now.line = static_cast<unsigned>(line);
          take_opcode(now, address, shared, local);
        },
        [&] { check(!in_block && has_kernel), finish(); });
  }

  void mem_trace() {
    std::map<std::uint64_t, std::string> names;
    auto const is_a_piece = [](std::string const& line) {
      std::string const word = "grid_launch_id";
      return std::search(line.begin(), line.end(), word.begin(), word.end()) != line.end();
    };
    each_line(
        [&](std::string const& line) {
          std::string const ours = "MEMTRACE: ";
          if (line.rfind("{\"kernel_name\": \"", 0) == 0) return omniprobe_object(line);
          if (line.rfind(ours, 0) != 0) {
            if (line.find(ours) != std::string::npos) return skip("a line", "other words stand before mem_trace's");
            if (line.empty()) return;
            return skip("a line", is_a_piece(line) ? "a part of an access of mem_trace: other words tore its line"
                                                   : "not of mem_trace");
          }
          auto const text = line.substr(ours.size());
          if (text.rfind("CTX ", 0) != 0 || text.find(" - ") == std::string::npos)
            return skip("a line", is_a_piece(text) ? "a part of an access of mem_trace: other words tore its line"
                                                   : "mem_trace says how it goes on");
          if (text.find(" - LAUNCH - ") == text.find(" - ")) {
            auto const name = text.find(" - Kernel name "), id = text.rfind(" - grid launch id "),
                       size = text.rfind(" - grid size ");
            check(name != std::string::npos && id != std::string::npos && size != std::string::npos && name <= id &&
                  id <= size && name + 15 <= id);
            auto const w = words(text.substr(id + 18, size - id - 18));
            check(w.size() == 1);
            names[decimal(w[0])] = text.substr(name + 15, id - name - 15);
            return;
          }
          check(options_.all_lanes);
          std::vector<std::string> parts;
          std::string rest = text;
          while (parts.size() != 5) {
            auto const dash = rest.find(" - ");
            check(dash != std::string::npos);
            parts.push_back(rest.substr(0, dash)), rest = rest.substr(dash + 3);
          }
          slow_access now;
          auto const after = [&](unsigned k, std::string const& begins) {
            check(parts[k].rfind(begins, 0) == 0);
            return parts[k].substr(begins.size());
          };
          auto const id = words(after(1, "grid_launch_id "));
          check(id.size() == 1);
          auto const launch = decimal(id[0]);
          triple(after(2, "CTA "), now.block);
          auto const warp = words(after(3, "warp "));
          check(warp.size() == 1), now.warp = small(warp[0]);
          now.opcode = parts[4];
          check(!now.opcode.empty() && now.opcode[0] >= 'A' && now.opcode[0] <= 'Z' &&
                now.opcode.find(' ') == std::string::npos);
          auto const w = words(rest);
          check(w.size() == 32);
          std::map<unsigned, std::uint64_t> address;
          for (unsigned lane = 0; lane != 32; ++lane) address[lane] = sixteen(w[lane]);
          if (options_.is_wrong) address[31] = address[0];
          now.kernel = names.count(launch) != 0 ? names[launch] : "grid launch " + std::to_string(launch);
          meet(now.kernel);
          take_opcode(now, address, options_.shared, options_.local);
        },
        [] {});
  }

  void omniprobe() {
    each_line(
        [&](std::string const& line) {
          std::string const ours = "ADDRESS_MESSAGE,";
          if (line.rfind(ours + "timestamp,", 0) == 0)
            return check(
                line == "ADDRESS_MESSAGE,timestamp,kernel,src_line,dispatch,exec_mask,xcc_id,se_id,cu_id,kind,address");
          if (line.rfind("{\"kernel_name\": \"", 0) == 0) return omniprobe_object(line);
          if (line.rfind(ours, 0) != 0) {
            if (line.find(ours) != std::string::npos || line.find("{\"kernel_name\": \"") != std::string::npos)
              return skip("a line", "other words stand before Omniprobe's");
            if (!line.empty()) skip("a line", "no ADDRESS_MESSAGE of Omniprobe");
            return;
          }
          auto const first = line.find(',', ours.size()), quote = line.find("\",", first + 2);
          check(first != std::string::npos && line.size() > first + 1 && line[first + 1] == '"' &&
                quote != std::string::npos);
          decimal(one(line.substr(ours.size(), first - ours.size())));
          slow_access now;
          now.kernel = line.substr(first + 2, quote - first - 2);
          std::vector<std::string> fields(1);
          for (char const c : line.substr(quote + 2))
            if (c == ',')
              fields.emplace_back();
            else
              fields.back() += c;
          check(fields.size() >= 7);
          now.line = static_cast<unsigned>(small(one(fields[0])));
          decimal(one(fields[1]));
          auto const mask = sixteen(one(fields[2]));
          for (unsigned k = 3; k != 6; ++k) decimal(one(fields[k]));
          auto const kind = decimal(one(fields[6]));
          check(kind < 4);
          std::size_t at = 7;
          std::map<unsigned, std::uint64_t> address;
          for (unsigned lane = 0; lane != 64; ++lane)
            if ((mask >> lane & 1) != 0) {
              check(at != fields.size());
              address[lane] = sixteen(one(fields[at++]));
            }
          check(at == fields.size());
          omniprobe_access(now, kind, address);
        },
        [] {});
  }

  void plain() {
    using triple_of = std::vector<std::uint64_t>;
    bool is_open = false, has_kernel = false, has_access = false, has_trace = false;
    slow_access now;
    std::vector<triple_of> left;  // the launch's blocks that another one follows
    auto const end_block = [&] {
      if (!has_access) return;
      left.emplace_back(now.block, now.block + 3);
      slow_access done;
      done.kernel = now.kernel, done.ends_a_block = true;
      accesses.push_back(done), has_access = false;
    };
    each_line(
        [&](std::string const& text) {
          auto const w = words(text);
          if (w.empty() || w[0][0] == '#') return;
          if (!is_open) {
            check(w == std::vector<std::string>{"coalesce", "trace", "1"});
            is_open = has_trace = true;
          } else if (w[0] == "kernel") {
            check(w.size() > 1);
            end_block(), left.clear();
            auto const behind = text.find("kernel") + 6;
            now = slow_access(), now.kernel = trimmed(text.substr(behind)), has_kernel = true;
            meet(now.kernel);
          } else if (w[0] == "block") {
            check(w.size() == 4 && has_kernel);
            triple_of const next = {small_number(w[1]), small_number(w[2]), small_number(w[3])};
            now.warp = 0;
            if (next == triple_of(now.block, now.block + 3)) return;
            end_block();
            check(std::count(left.begin(), left.end(), next) == 0);
            std::copy(next.begin(), next.end(), now.block);
          } else if (w[0] == "warp") {
            check(w.size() == 2 && has_kernel);
            now.warp = small_number(w[1]);
          } else if (w[0] == "end") {
            check(w.size() == 1);
            end_block(), is_open = has_kernel = false;
          } else {
            check(w[0] == "load" || w[0] == "store" || w[0] == "atomic");
            check(has_kernel && w.size() >= 5 && (w[1] == "global" || w[1] == "shared"));
            slow_access one = now;
            one.kind = w[0] == "load"    ? coalescing::touch::load
                       : w[0] == "store" ? coalescing::touch::store
                                         : coalescing::touch::atomic;
            one.bytes = static_cast<unsigned>(small_number(w[2]));
            check(one.bytes != 0 && one.bytes <= 256);
            auto place = w[3];
            if (auto const sign = place.find('@'); sign != std::string::npos)
              one.array = place.substr(0, sign), place = place.substr(sign + 1);
            if (auto const colon = place.find(':'); colon == std::string::npos) {
              check(place.rfind("0x", 0) == 0), one.offset = hexadecimal(place);
            } else {
              one.file = place.substr(0, colon), place = place.substr(colon + 1);
              auto const second = place.find(':');
              one.line = static_cast<unsigned>(small(place.substr(0, second)));
              if (second != std::string::npos) one.column = static_cast<unsigned>(small(place.substr(second + 1)));
            }
            auto const mask = number_of(w[4]);
            std::map<unsigned, std::uint64_t> address;
            if (w.size() > 5 && w[5].find_first_of("+-") != std::string::npos) {
              check(w.size() == 6);
              auto const sign = w[5].find_first_of("+-");
              auto const base = number_of(w[5].substr(0, sign)), step = number_of(w[5].substr(sign + 1));
              std::uint64_t to = base;
              bool has_wrapped = false;
              for (unsigned lane = 0; lane != 64; ++lane) {
                if ((mask >> lane & 1) != 0) check(!has_wrapped), address[lane] = to;
                auto const before = to;
                to = w[5][sign] == '+' ? to + step : to - step;
                has_wrapped = has_wrapped || (w[5][sign] == '+' ? to < before : to > before);
              }
            } else {
              std::size_t at = 5;
              for (unsigned lane = 0; lane != 64; ++lane)
                if ((mask >> lane & 1) != 0) check(at < w.size()), address[lane] = number_of(w[at++]);
              check(at == w.size());
            }
            if (options_.is_wrong && address.count(1) != 0) address[1] = address.begin()->second;
            has_access = true;
            take(one, w[1] == "shared" ? "the block's" : w[1], address, {}, {});
          }
        },
        [&] { check(!is_open && has_trace); });
  }

 private:
  static void check(bool good) {
    if (!good) throw damaged();
  }
  /// An address and a difference, which lead to no address below 0 or past 2^64.
  static std::uint64_t moved(std::uint64_t from, std::uint64_t by) {
    std::uint64_t const to = from + by;
    check(by >> 63 != 0 ? to < from : to >= from);
    return to;
  }
  void meet(std::string const& kernel) {
    if (std::find(kernels.begin(), kernels.end(), kernel) == kernels.end()) kernels.push_back(kernel);
  }
  void skip(std::string const& what, std::string const& why) { ++skipped[{what, why}]; }

  void omniprobe_access(slow_access now, std::uint64_t kind, std::map<unsigned, std::uint64_t> const& address) {
    if (options_.is_wrong) now.line ^= 1;
    meet(now.kernel);
    now.opcode = kind == 0 ? "undefined" : kind == 1 ? "read" : kind == 2 ? "write" : "read_write";
    if (kind == 0) {
      if (!address.empty())
        check_lanes(address), skip("undefined", "Omniprobe does not tell whether it reads or writes");
      return;
    }
    now.kind = kind == 1 ? coalescing::touch::load : kind == 2 ? coalescing::touch::store : coalescing::touch::atomic;
    auto const width = options_.widths.find(now.line);
    now.bytes = width != options_.widths.end() ? width->second : options_.bytes;
    check(now.bytes != 0);
    take(now, "generic", address, options_.shared, options_.local);
  }
  /// An object is cut at each `,"`, which no value but the kernel's name has; addresses at each comma.
  void omniprobe_object(std::string const& line) {
    std::string const begin = "{\"kernel_name\": \"", dispatch = "\",\"dispatch_id\": ";
    auto const end = line.find(dispatch, begin.size());
    check(end != std::string::npos && line.back() == '}');
    slow_access now;
    now.kernel = line.substr(begin.size(), end - begin.size());
    std::vector<std::pair<std::string, std::string>> fields;
    std::string rest = line.substr(end + 1, line.size() - end - 2);
    while (!rest.empty()) {
      check(rest.rfind(",\"", 0) == 0);
      auto const colon = rest.find("\": ");
      check(colon != std::string::npos);
      auto const next = rest.find(",\"", colon + 3);
      fields.emplace_back(rest.substr(2, colon - 2),
                          rest.substr(colon + 3, next == std::string::npos ? next : next - colon - 3));
      rest = next == std::string::npos ? "" : rest.substr(next);
    }
    char const* const names[] = {"dispatch_id", "exec",        "timestamp",         "dwarf_line", "dwarf_column",
                                 "block_idx_x", "block_idx_y", "block_idx_z",       "wave_num",   "xcc_id",
                                 "se_id",       "cu_id",       "active_lane_count", "user_type"};
    std::vector<std::uint64_t> values;
    check(fields.size() > 14);
    for (unsigned k = 0; k != 14; ++k) {
      check(fields[k].first == names[k]);
      check(fields[k].second.find_first_of("]}") == std::string::npos);
      values.push_back(decimal(one(fields[k].second)));
    }
    for (unsigned const k : {3u, 4u, 5u, 6u, 7u, 8u}) check(values[k] < std::uint64_t{1} << 32);
    auto const mask = values[1];
    std::uint64_t lanes = 0;
    for (unsigned lane = 0; lane != 64; ++lane) lanes += mask >> lane & 1;
    check(lanes == values[12]);
    now.line = static_cast<unsigned>(values[3]), now.column = static_cast<unsigned>(values[4]);
    for (unsigned k = 0; k != 3; ++k) now.block[k] = values[5 + k];
    now.warp = values[8];
    if (fields[14].first == "user_data") {
      check(fields.size() == 15), decimal(one(fields[14].second));
      return skip("a line", "Omniprobe tells no addresses in this message");
    }
    check(fields[14].first == "op_type");
    auto const op = fields[14].second;
    std::uint64_t const kind = op == "\"undefined\"" ? 0 : op == "\"read\"" ? 1 : op == "\"write\"" ? 2 : 3;
    check(kind != 3 || op == "\"readwrite\"");
    std::map<unsigned, std::uint64_t> address;
    check(fields.size() == (mask == 0 ? 15 : 16));
    if (mask != 0) {
      auto list = fields[15].second;
      check(fields[15].first == "addresses" && list.size() > 1 && list.front() == '[' && list.back() == ']');
      list = list.substr(1, list.size() - 2) + ",";
      for (unsigned lane = 0; lane != 64; ++lane)
        if ((mask >> lane & 1) != 0) {
          auto const comma = list.find(',');
          check(comma != std::string::npos);
          address[lane] = decimal(one(list.substr(0, comma))), list = list.substr(comma + 1);
        }
      check(list.empty());
    }
    omniprobe_access(now, kind, address);
  }
  static std::vector<std::string> words(std::string const& text) {
    std::vector<std::string> all;
    std::string word;
    for (char const c : text + " ")
      if (c != ' ' && c != '\t')
        word += c;
      else if (!word.empty())
        all.push_back(word), word.clear();
    return all;
  }
  static std::string trimmed(std::string const& text) {
    auto const first = text.find_first_not_of(" \t");
    return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(" \t") - first + 1);
  }
  /// The only word.
  static std::string one(std::string const& text) {
    auto const w = words(text);
    check(w.size() == 1);
    return w[0];
  }
  static std::uint64_t decimal(std::string digits) {
    check(!digits.empty() && digits.find_first_not_of("0123456789") == std::string::npos);
    while (digits.size() > 1 && digits[0] == '0') digits.erase(0, 1);
    check(digits.size() < 20 || (digits.size() == 20 && digits <= "18446744073709551615"));
    std::uint64_t made = 0;
    for (char const c : digits) made = made * 10 + static_cast<std::uint64_t>(c - '0');
    return made;
  }
  static std::uint64_t hexadecimal(std::string digits) {
    if (digits.size() > 2 && digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X')) digits.erase(0, 2);
    check(!digits.empty());
    std::uint64_t made = 0;
    for (char const c : digits) {
      auto const value = std::string("0123456789abcdef0123456789ABCDEF").find(c);
      check(value != std::string::npos && made >> 60 == 0);
      made = made * 16 + value % 16;
    }
    return made;
  }
  static std::uint64_t sixteen(std::string const& word) {
    check(word.size() == 18 && word.rfind("0x", 0) == 0);
    return hexadecimal(word);
  }
  static std::uint64_t number_of(std::string const& word) {
    bool const is_hexadecimal = word.size() > 2 && (word.rfind("0x", 0) == 0 || word.rfind("0X", 0) == 0);
    return is_hexadecimal ? hexadecimal(word) : decimal(word);
  }
  static std::uint64_t small(std::string const& word) {
    auto const made = decimal(word);
    check(made < std::uint64_t{1} << 32);
    return made;
  }
  static std::uint64_t small_number(std::string const& word) {
    auto const made = number_of(word);
    check(made < std::uint64_t{1} << 32);
    return made;
  }
  static std::uint64_t with_sign(std::string const& word) {
    bool const is_negative = word[0] == '-';
    auto const made = decimal(word.substr(is_negative ? 1 : 0));
    check(made <= 0x7fff'ffff'ffff'ffff || (is_negative && made == 0x8000'0000'0000'0000));
    return is_negative ? ~made + 1 : made;
  }
  static void triple(std::string const& text, std::uint64_t (&to)[3]) {
    auto const first = text.find(','), second = text.find(',', first + 1);
    check(first != std::string::npos && second != std::string::npos);
    to[0] = small(one(text.substr(0, first)));
    to[1] = small(one(text.substr(first + 1, second - first - 1)));
    to[2] = small(one(text.substr(second + 1)));
  }

  struct known_opcode {
    std::string memory;  ///< or why it is skipped
    coalescing::touch kind;
    unsigned bytes;
  };
  static known_opcode opcode_of(std::string const& opcode) {
    using coalescing::touch;
    known_opcode const unknown{"this form of the opcode is not known", touch::load, 0};
    std::vector<std::string> parts(1);
    for (char const c : opcode)
      if (c == '.')
        parts.emplace_back();
      else
        parts.back() += c;
    auto const among = [&](std::set<std::string> const& names) { return names.count(parts[0]) != 0; };
    if (among({"LDL", "STL"})) return {"local memory: a trace has each lane's own offset, not where it lies", {}, 0};
    if (among({"LDC", "LDCU", "ULDC"})) return {"constant memory: the trace has no addresses", {}, 0};
    if (among({"TEX", "TLD", "TLD4", "TXD", "TMML", "SULD", "SUST", "SUATOM", "SURED"}))
      return {"textures and surfaces: the trace has no addresses", {}, 0};
    if (among({"UBLKCP", "UBLKRED", "UTMALDG", "UTMASTG", "UTMAREDG"}))
      return {"bulk copies: the trace has no boxes", {}, 0};
    if (among({"STAS", "REDAS"})) return {"shared memory of a cluster: the trace does not tell whose", {}, 0};
    if (among({"LDSM", "STSM"})) {
      auto const rest = opcode.substr(4);
      auto const kind = opcode[0] == 'L' ? touch::load : touch::store;
      for (std::string const matrix : {".16.M88", ".16.MT88"})
        if (rest == matrix || rest == matrix + ".2" || rest == matrix + ".4")
          return {"matrices", kind, rest == matrix ? 1u : rest == matrix + ".2" ? 2u : 4u};
      return unknown;
    }
    if (among({"CCTL", "CCTLL", "CCTLT", "QSPC"})) return {"nothing", {}, 0};
    known_opcode made{"", touch::load, 0};
    if (among({"ATOM", "ATOMG", "ATOMS", "RED", "REDG"})) made.kind = touch::atomic;
    if (among({"ST", "STG", "STS"})) made.kind = touch::store;
    if (among({"LDG", "STG", "ATOMG", "REDG"})) made.memory = "global";
    if (among({"LDS", "STS", "ATOMS"})) made.memory = "shared";
    if (among({"LD", "ST", "ATOM", "RED"})) made.memory = "generic";
    if (among({"LDGSTS"})) made.memory = "copied";
    if (made.memory.empty()) return {"the opcode is not known", touch::load, 0};
    std::map<std::string, unsigned> const bits{
        {"8", 8},        {"16", 16},    {"32", 32},     {"64", 64},     {"128", 128},  {"256", 256},   {"U8", 8},
        {"U16", 16},     {"U32", 32},   {"U64", 64},    {"S8", 8},      {"S16", 16},   {"S32", 32},    {"S64", 64},
        {"F32", 32},     {"F64", 64},   {"F16x2", 32},  {"F16x4", 64},  {"F32x2", 64}, {"F32x4", 128}, {"BF16x2", 32},
        {"BF16_V2", 32}, {"LTC64B", 0}, {"LTC128B", 0}, {"LTC256B", 0}, {"ENL2", 0}};
    for (std::size_t k = 1; k != parts.size(); ++k) {
      if (std::none_of(parts[k].begin(), parts[k].end(), [](char c) { return c >= '0' && c <= '9'; })) continue;
      auto const found = bits.find(parts[k]);
      if (found == bits.end() || (found->second != 0 && made.bytes != 0)) return unknown;
      made.bytes = std::max(made.bytes, found->second / 8);
    }
    if (made.bytes == 0) made.bytes = 4;
    return made;
  }

  void check_lanes(std::map<unsigned, std::uint64_t> const& address) const {
    if (!address.empty()) check(address.rbegin()->first < options_.lanes);
  }
  void take_opcode(slow_access now, std::map<unsigned, std::uint64_t> const& address,
                   std::optional<slow_window> const& shared, std::optional<slow_window> const& local) {
    auto const known = opcode_of(now.opcode);
    now.kind = known.kind, now.bytes = known.bytes;
    take(now, known.memory, address, shared, local);
  }
  void take(slow_access now, std::string const& memory, std::map<unsigned, std::uint64_t> const& address,
            std::optional<slow_window> const& shared, std::optional<slow_window> const& local) {
    if (address.empty()) return;
    check_lanes(address);
    unsigned low = 0, in_shared = 0, in_local = 0, in_cluster = 0;
    for (auto const& [lane, to] : address) {
      low += to < 1 << 24;
      in_shared += shared.has_value() && shared->has(to);
      in_local += local.has_value() && local->has(to);
      in_cluster += options_.has_clusters && shared.has_value() && shared->bytes != 0 && !shared->has(to) &&
                    !(local.has_value() && local->has(to)) && to >= shared->base + (1 << 24) &&
                    to < shared->base + (std::uint64_t{1} << 32);
    }
    auto const put = [&](coalescing::memory_space space, std::uint64_t base) {
      now.space = space, now.number = number;
      for (auto const& [lane, to] : address) now.address[lane] = to - base;
      accesses.push_back(now);
    };
    constexpr auto in_global = coalescing::memory_space::global, banked = coalescing::memory_space::shared;
    std::string const what = now.opcode;
    if (memory == "nothing") return;
    if (memory == "global") return put(in_global, 0);
    if (memory == "the block's") return put(banked, 0);
    if (memory == "shared" || memory == "matrices") {
      if (memory == "matrices") now.matrices = now.bytes;
      return low == address.size() ? put(banked, 0)
                                   : skip(what, "shared memory of a cluster: the trace does not tell whose");
    }
    if (memory == "copied") {
      now.kind = low == 0 ? coalescing::touch::load : coalescing::touch::store;
      if (low != 0 && low != address.size()) return skip(what, "lanes in different memories");
      return put(low == 0 ? in_global : banked, 0);
    }
    if (memory != "generic") return skip(what, memory);
    if (!shared.has_value())
      return skip(what,
                  "a generic address: say where shared memory lies (.shared, .local), which the trace does not tell");
    if (in_local == address.size())
      return skip(what, "local memory: a trace has each lane's own offset, not where it lies");
    if (in_cluster == address.size()) return skip(what, "shared memory of a cluster: the trace does not tell whose");
    if (in_shared == 0 && in_local == 0 && in_cluster == 0) return put(in_global, 0);
    if (in_shared != address.size()) return skip(what, "lanes in different memories");
    put(banked, shared->base);
  }

  slow_options options_;
  std::vector<std::string> lines_;
};

}  // namespace coalescing_tests

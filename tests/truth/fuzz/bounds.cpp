// SPDX-License-Identifier: BSL-1.0
//
// Upper bounds: random kernels whose branches, loops and addresses depend on what they load, in NVIDIA's and AMD's
// text, without contents. Beside them, runs of the same kernels warp by warp with contents, random and adverse ones, in
// different orders of warps, of the two ways of a branch, and of lanes that store to one word. No run exceeds a bound,
// and numbers that are told as exact are those of each run.
#include <coalesce/host/binary/amd.hpp>
#include <coalesce/host/binary/nvidia.hpp>

#include "host/binary/nvidia/written.hpp"
#include "truth/fuzz/input.hpp"
#include "truth/oracle/issued.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace coalescing_tests;
namespace co = coalescing;

constexpr unsigned threads = 128, registers = 6, words_of_in = 1024, words_of_tile = 256, own_words = 32;

/// A statement. Registers are six words of a thread; `to`, `a` and `b` are numbers of registers.
struct statement {
  enum class op {
    add,
    mul,
    conjunction,
    exclusive,
    right,  ///< a shifted by `number`
    constant,
    lane,          ///< to becomes the thread's number
    load,          ///< to = in[a & number]
    store,         ///< out[1024 + 128 * number + thread] = a
    scatter,       ///< out[b & number] = a
    shared_load,   ///< to = tile[a & number]
    shared_store,  ///< tile[b & number] = a
    own_load,      ///< to = own[a & number], which each thread has
    own_store,     ///< own[b & number] = a
    wait,          ///< for the block
    leave,         ///< threads end where a < b
    branch,   ///< body where a < b, else other; where `number` is 1, by predicates and not by jumps, if it is short
    counted,  ///< body `number` times; lanes leave it before where not a < b
    until     ///< body 1 + (a & number) times
  };
  op does = op::add;
  unsigned to = 0, a = 0, b = 0;
  std::uint32_t number = 0;
  std::vector<statement> body = {}, other = {};
};
using statements = std::vector<statement>;
using op = statement::op;

statements random_statements(fuzz_input& in, unsigned depth, std::uint32_t& rows) {
  static constexpr op plain[] = {op::add,      op::add,      op::mul,     op::conjunction, op::exclusive,
                                 op::right,    op::constant, op::lane,    op::load,        op::load,
                                 op::load,     op::store,    op::scatter, op::shared_load, op::shared_store,
                                 op::own_load, op::own_store};
  static constexpr op nested[] = {op::branch, op::branch, op::counted, op::until};
  static constexpr std::uint32_t masks[] = {0, 1, 7, 31, 127, 255}, ends[] = {1, 3};
  statements made;
  for (auto left = 2 + in.below(depth == 0 ? 10 : 4); left != 0; --left) {
    auto const pick = [&in] { return static_cast<unsigned>(in.below(registers)); };
    statement each{in.one_of(plain), pick(), pick(), pick()};
    if (depth == 0 && in.one_in(10)) each.does = in.one_in(2) ? op::leave : op::wait;
    if (depth < 2 && in.one_in(depth == 0 ? 3 : 5)) each.does = in.one_of(nested);
    bool const is_own = each.does == op::own_load || each.does == op::own_store;
    bool const is_access = each.does == op::load || each.does == op::scatter || each.does == op::shared_load ||
                           each.does == op::shared_store || is_own;
    each.number = each.does == op::right      ? 1 + static_cast<std::uint32_t>(in.below(28))
                  : each.does == op::constant ? static_cast<std::uint32_t>(in.number(4) >> in.below(32))
                  : each.does == op::counted  ? 1 + static_cast<std::uint32_t>(in.below(3))
                  : each.does == op::until    ? in.one_of(ends)
                  : each.does == op::store    ? rows++
                  : is_access                 ? in.one_of(masks)
                                              : 0;
    if (is_own) each.number %= own_words;
    if (each.does == op::load && in.one_in(3)) each.number = words_of_in - 1;
    if (each.does == op::branch || each.does == op::counted || each.does == op::until)
      each.body = random_statements(in, depth + 1, rows);
    if (each.does == op::branch) each.number = in.one_in(2);
    if (each.does == op::branch && in.one_in(2)) each.other = random_statements(in, depth + 1, rows);
    made.push_back(std::move(each));
  }
  return made;
}

/// The order in which a run takes warps, ways and lanes.
struct order {
  bool last_warp_first = false, other_way_first = false, first_lane_stays = false;
};

/// Runs a kernel with contents: warp by warp from one barrier to the next, and all lanes of a warp statement by
/// statement. Lanes that a branch or a loop parted meet where it ends.
class runner {
 public:
  all_issued sums;

  runner(target_pieces const& on, std::vector<std::uint32_t> in, order how, fuzz_input& data)
      : on_(on),
        in_(std::move(in)),
        how_(how),
        r_(threads, std::vector<std::uint32_t>(registers)),
        tile_(words_of_tile),
        own_(threads, std::vector<std::uint32_t>(own_words)) {
    for (unsigned t = 0; t != threads; ++t)
      for (unsigned k = 0; k != registers; ++k) r_[t][k] = t * (k + 1);
    for (std::uint32_t& each : tile_) each = static_cast<std::uint32_t>(data.number(4) >> data.below(32));
    for (unsigned t = 0; t != threads; ++t)
      for (unsigned k = 0; k != own_words; ++k) own_[t][k] = tile_[(t * 5 + k) % words_of_tile];
  }
  void run(statements const& all) {
    unsigned const warps = threads / on_.lanes;
    for (std::size_t begin = 0, end = 0; begin != all.size(); begin = end) {
      if (end = begin + 1; all[begin].does == op::wait) continue;
      while (end != all.size() && all[end].does != op::wait) ++end;
      for (unsigned k = 0; k != warps; ++k) {
        first_ = (how_.last_warp_first ? warps - 1 - k : k) * on_.lanes;
        for (std::size_t at = begin; at != end; ++at) run({all[at]}, every_lane());
      }
    }
  }

 private:
  using mask = std::vector<unsigned>;  ///< the threads that are active, in order

  [[nodiscard]] mask every_lane() const {
    mask made;
    for (unsigned t = first_; t != first_ + on_.lanes; ++t)
      if (gone_.count(t) == 0) made.push_back(t);
    return made;
  }
  /// The threads of which something holds, and the others.
  template <class Holds>
  [[nodiscard]] static std::pair<mask, mask> parted(mask const& active, Holds const& holds) {
    std::pair<mask, mask> made;
    for (unsigned const t : active) (holds(t) ? made.first : made.second).push_back(t);
    return made;
  }
  void run(statements const& all, mask const& active) {
    if (active.empty()) return;
    for (statement const& each : all) step(each, active);
  }
  void issue(unsigned kind, mask const& active, std::uint64_t base, std::vector<std::uint32_t> const& word) {
    std::vector<std::uint64_t> addresses;
    for (std::size_t k = 0; k != active.size(); ++k) addresses.push_back(base + 4 * word[k]);
    add_issue(sums, on_, kind, addresses, 4);
  }
  void step(statement const& s, mask const& active) {
    std::vector<std::uint32_t> word;  // that each active lane accesses
    for (unsigned const t : active) {
      std::uint32_t const a = r_[t][s.a], b = r_[t][s.b];
      bool const by_b = s.does == op::scatter || s.does == op::shared_store || s.does == op::own_store;
      word.push_back(s.does == op::store ? 1024 + threads * s.number + t : (by_b ? b : a) & s.number);
    }
    switch (s.does) {
      case op::load:
        issue(0, active, in_begin, word);
        break;
      case op::store:
      case op::scatter:
        issue(1, active, out_begin, word);
        break;
      case op::shared_load:
        issue(shared_kinds, active, 0, word);
        break;
      case op::shared_store:
        issue(shared_kinds + 1, active, 0, word);
        for (std::size_t k = 0; k != active.size(); ++k) {
          std::size_t const lane = how_.first_lane_stays ? active.size() - 1 - k : k;
          tile_[word[lane]] = r_[active[lane]][s.a];
        }
        break;
      case op::own_load:
      case op::own_store: {  // the first word of each lane, then the second one of each
        std::vector<std::uint32_t> row;
        for (std::size_t k = 0; k != active.size(); ++k) row.push_back(word[k] * on_.lanes + active[k] % on_.lanes);
        issue(s.does == op::own_load ? 0 : 1, active, own_begin, row);
        break;
      }
      case op::leave:
        for (unsigned const t : active)
          if (r_[t][s.a] < r_[t][s.b]) gone_.insert(t);
        break;
      case op::branch: {
        auto const ways = parted(active, [&](unsigned t) { return r_[t][s.a] < r_[t][s.b]; });
        if (how_.other_way_first) run(s.other, ways.second);
        run(s.body, ways.first);
        if (!how_.other_way_first) run(s.other, ways.second);
        break;
      }
      case op::counted:
      case op::until: {
        std::vector<std::uint32_t> left(threads);
        for (unsigned const t : active) left[t] = s.does == op::counted ? s.number : 1 + (r_[t][s.a] & s.number);
        unsigned const more = oracle_is_broken ? 1 : 0;  // the control: a round too many
        for (mask now = active; !now.empty();) {
          run(s.body, now);
          now = parted(now, [&](unsigned t) {
                  return left[t]-- + more != 1 && (s.does != op::counted || r_[t][s.a] < r_[t][s.b]);
                }).first;
        }
        break;
      }
      default:
        break;
    }
    for (std::size_t k = 0; k != active.size(); ++k) {
      std::vector<std::uint32_t>& r = r_[active[k]];
      std::uint32_t const a = r[s.a], b = r[s.b];
      std::uint32_t& to = r[s.to];
      if (s.does == op::add) to = a + b;
      if (s.does == op::mul) to = a * b;
      if (s.does == op::conjunction) to = a & b;
      if (s.does == op::exclusive) to = a ^ b;
      if (s.does == op::right) to = a >> s.number;
      if (s.does == op::constant) to = s.number;
      if (s.does == op::lane) to = active[k];
      if (s.does == op::load) to = in_[word[k]];
      if (s.does == op::shared_load) to = tile_[word[k]];
      if (s.does == op::own_load) to = own_[active[k]][word[k]];
      if (s.does == op::own_store) own_[active[k]][word[k]] = a;
    }
  }
  static constexpr std::uint64_t in_begin = 1 << 20, out_begin = 1 << 21, own_begin = 1 << 22;
  target_pieces const& on_;
  std::vector<std::uint32_t> in_;
  order how_;
  std::vector<std::vector<std::uint32_t>> r_;
  std::vector<std::uint32_t> tile_;
  std::vector<std::vector<std::uint32_t>> own_;
  std::set<unsigned> gone_;  ///< threads that have ended
  unsigned first_ = 0;       ///< thread of the warp
};

/// Lines of a text, and what they are made of.
struct writer {
  std::vector<std::string> lines;
  unsigned labels = 0;
  std::string guard = {};  ///< before each instruction
  template <class... Of>
  void put(char const* format, Of... of) {
    char words[160];
    if constexpr (sizeof...(of) == 0)
      lines.emplace_back(guard + format);
    else
      std::snprintf(words, sizeof words, format, of...), lines.emplace_back(guard + words);
  }
};

/// Whether no statement has others within.
bool is_plain(statements const& all) {
  return std::all_of(all.begin(), all.end(), [](statement const& s) { return s.body.empty(); });
}

/// Writes the statements as NVIDIA's compiler does. R0 is the thread, R1 points to memory of its own, registers are R2
/// to R7, R8 to R15 are temporary; R20 on are counts.
void write_nvidia(writer& w, statements const& all, unsigned depth) {
  for (statement const& s : all) {
    unsigned const to = s.to + 2, a = s.a + 2, b = s.b + 2, count = 20 + depth;
    auto const global = [&](unsigned argument) { w.put("IMAD.WIDE.U32 R10, R8, R19, c[0x0][0x%x]", argument); };
    auto const word = [&](unsigned of) { w.put("LOP3.LUT R8, R%u, 0x%x, RZ, 0xc0, !PT", of, s.number); };
    switch (s.does) {
      case op::add:
        w.put("IADD3 R%u, R%u, R%u, RZ", to, a, b);
        break;
      case op::mul:
        w.put("IMAD R%u, R%u, R%u, RZ", to, a, b);
        break;
      case op::conjunction:
        w.put("LOP3.LUT R%u, R%u, R%u, RZ, 0xc0, !PT", to, a, b);
        break;
      case op::exclusive:
        w.put("LOP3.LUT R%u, R%u, R%u, RZ, 0x3c, !PT", to, a, b);
        break;
      case op::right:
        w.put("SHF.R.U32.HI R%u, RZ, 0x%x, R%u", to, s.number, a);
        break;
      case op::constant:
        w.put("IMAD.MOV.U32 R%u, RZ, RZ, 0x%x", to, s.number);
        break;
      case op::lane:
        w.put("MOV R%u, R0", to);
        break;
      case op::load:
        word(a), global(0x210), w.put("LDG.E R%u, desc[UR4][R10.64]", to);
        break;
      case op::store:
        w.put("IADD3 R8, R0, 0x%x, RZ", 1024 + threads * s.number), global(0x218);
        w.put("STG.E desc[UR4][R10.64], R%u", a);
        break;
      case op::scatter:
        word(b), global(0x218), w.put("STG.E desc[UR4][R10.64], R%u", a);
        break;
      case op::shared_load:
        word(a), w.put("SHF.L.U32 R8, R8, 0x2, RZ"), w.put("LDS R%u, [R8]", to);
        break;
      case op::shared_store:
        word(b), w.put("SHF.L.U32 R8, R8, 0x2, RZ"), w.put("STS [R8], R%u", a);
        break;
      case op::own_load:
        word(a), w.put("LEA R8, R8, R1, 0x2"), w.put("LDL R%u, [R8]", to);
        break;
      case op::own_store:
        word(b), w.put("LEA R8, R8, R1, 0x2"), w.put("STL [R8], R%u", a);
        break;
      case op::wait:
        w.put("BAR.SYNC.DEFER_BLOCKING 0x0");
        break;
      case op::leave:
        w.put("ISETP.LT.U32.AND P0, PT, R%u, R%u, PT", a, b), w.put("@P0 EXIT");
        break;
      case op::branch: {
        if (s.number == 1 && is_plain(s.body) && s.other.empty()) {
          w.put("ISETP.LT.U32.AND P1, PT, R%u, R%u, PT", a, b), w.guard = "@P1 ";
          write_nvidia(w, s.body, depth + 1), w.guard.clear();
          break;
        }
        unsigned const end = ++w.labels, other = ++w.labels;
        w.put("BSSY B%u, `(.L_%u)", depth, end);
        w.put("ISETP.LT.U32.AND P0, PT, R%u, R%u, PT", a, b), w.put("@!P0 BRA `(.L_%u)", s.other.empty() ? end : other);
        write_nvidia(w, s.body, depth + 1);
        if (!s.other.empty()) {
          w.put("BRA `(.L_%u)", end), w.put(".L_%u:", other);
          write_nvidia(w, s.other, depth + 1);
        }
        w.put(".L_%u:", end), w.put("BSYNC B%u", depth);
        break;
      }
      case op::counted:
      case op::until: {
        unsigned const end = ++w.labels, head = ++w.labels;
        if (s.does == op::counted)
          w.put("IMAD.MOV.U32 R%u, RZ, RZ, 0x%x", count, s.number);
        else
          w.put("LOP3.LUT R%u, R%u, 0x%x, RZ, 0xc0, !PT", count, a, s.number),
              w.put("IADD3 R%u, R%u, 0x1, RZ", count, count);
        w.put("BSSY B%u, `(.L_%u)", depth, end), w.put(".L_%u:", head);
        write_nvidia(w, s.body, depth + 1);
        w.put("IADD3 R%u, R%u, -0x1, RZ", count, count), w.put("ISETP.NE.AND P0, PT, R%u, RZ, PT", count);
        if (s.does == op::counted) w.put("ISETP.LT.U32.AND P0, PT, R%u, R%u, P0", a, b);
        w.put("@P0 BRA `(.L_%u)", head), w.put(".L_%u:", end), w.put("BSYNC B%u", depth);
        break;
      }
    }
  }
}
std::string nvidia_text(statements const& all) {
  writer w;
  for (char const* line : {"LDC R1, c[0x0][0x28]", "IADD3 R1, R1, -0x80, RZ", "S2R R0, SR_TID.X",
                           "ULDC.64 UR4, c[0x0][0x208]", "IMAD.MOV.U32 R19, RZ, RZ, 0x4"})
    w.put(line);
  for (unsigned k = 0; k != registers; ++k) w.put("IMAD R%u, R0, 0x%x, RZ", k + 2, k + 1);
  write_nvidia(w, all, 0), w.put("EXIT");
  return ".target sm_90\n.section .text.k,\"ax\",@progbits\n.text.k:\n" + coalescing_tests::sass_code(w.lines);
}

/// Writes the statements as clang does for gfx942. v0 is the thread, registers are v2 to v7, v[8:9] are temporary; v20
/// on and s70 on are counts, and s[20:23] on the masks of each depth.
void write_amd(writer& w, statements const& all, unsigned depth) {
  for (statement const& s : all) {
    unsigned const to = s.to + 2, a = s.a + 2, b = s.b + 2, count = 20 + depth, scalar = 70 + depth;
    unsigned const saved = 20 + 4 * depth, where = saved + 2;
    auto const word = [&](unsigned of) {
      w.put("v_and_b32_e32 v8, 0x%x, v%u", s.number, of), w.put("v_lshlrev_b32_e32 v8, 2, v8");
    };
    auto const below = [&] { w.put("v_cmp_lt_u32_e64 s[%u:%u], v%u, v%u", where, where + 1, a, b); };
    switch (s.does) {
      case op::add:
        w.put("v_add_u32_e32 v%u, v%u, v%u", to, a, b);
        break;
      case op::mul:
        w.put("v_mul_lo_u32 v%u, v%u, v%u", to, a, b);
        break;
      case op::conjunction:
        w.put("v_and_b32_e32 v%u, v%u, v%u", to, a, b);
        break;
      case op::exclusive:
        w.put("v_xor_b32_e32 v%u, v%u, v%u", to, a, b);
        break;
      case op::right:
        w.put("v_lshrrev_b32_e32 v%u, %u, v%u", to, s.number, a);
        break;
      case op::constant:
        w.put("v_mov_b32_e32 v%u, 0x%x", to, s.number);
        break;
      case op::lane:
        w.put("v_mov_b32_e32 v%u, v0", to);
        break;
      case op::load:
        word(a), w.put("global_load_dword v%u, v8, s[4:5]", to), w.put("s_waitcnt vmcnt(0)");
        break;
      case op::store:
        w.put("v_lshlrev_b32_e32 v8, 2, v0"), w.put("v_add_u32_e32 v8, 0x%x, v8", 4 * (1024 + threads * s.number));
        w.put("global_store_dword v8, v%u, s[6:7]", a);
        break;
      case op::scatter:
        word(b), w.put("global_store_dword v8, v%u, s[6:7]", a);
        break;
      case op::shared_load:
        word(a), w.put("ds_read_b32 v%u, v8", to), w.put("s_waitcnt lgkmcnt(0)");
        break;
      case op::shared_store:
        word(b), w.put("ds_write_b32 v8, v%u", a);
        break;
      case op::own_load:
        word(a), w.put("scratch_load_dword v%u, v8, off", to), w.put("s_waitcnt vmcnt(0)");
        break;
      case op::own_store:
        word(b), w.put("scratch_store_dword v8, v%u, off", a);
        break;
      case op::wait:
        w.put("s_barrier");
        break;
      case op::leave:
        below(), w.put("s_andn2_b64 exec, exec, s[%u:%u]", where, where + 1), w.put("s_cbranch_execz .LBB0_0");
        break;
      case op::branch: {
        unsigned const other = ++w.labels, end = ++w.labels;
        below(), w.put("s_and_saveexec_b64 s[%u:%u], s[%u:%u]", saved, saved + 1, where, where + 1);
        w.put("s_cbranch_execz .LBB0_%u", other);
        write_amd(w, s.body, depth + 1);
        w.put(".LBB0_%u:", other);
        if (!s.other.empty()) {
          w.put("s_andn2_b64 exec, s[%u:%u], s[%u:%u]", saved, saved + 1, where, where + 1);
          w.put("s_cbranch_execz .LBB0_%u", end);
          write_amd(w, s.other, depth + 1);
        }
        w.put(".LBB0_%u:", end), w.put("s_mov_b64 exec, s[%u:%u]", saved, saved + 1);
        break;
      }
      case op::counted:
      case op::until: {
        unsigned const head = ++w.labels, end = ++w.labels;
        bool const counts = s.does == op::counted;
        if (counts)
          w.put("s_mov_b32 s%u, %u", scalar, s.number);
        else
          w.put("v_and_b32_e32 v%u, 0x%x, v%u", count, s.number, a), w.put("v_add_u32_e32 v%u, 1, v%u", count, count);
        w.put("s_mov_b64 s[%u:%u], exec", saved, saved + 1), w.put(".LBB0_%u:", head);
        write_amd(w, s.body, depth + 1);
        if (counts) {
          below();
        } else {
          w.put("v_subrev_u32_e32 v%u, 1, v%u", count, count);
          w.put("v_cmp_ne_u32_e64 s[%u:%u], 0, v%u", where, where + 1, count);
        }
        w.put("s_and_b64 exec, exec, s[%u:%u]", where, where + 1), w.put("s_cbranch_execz .LBB0_%u", end);
        if (counts) {
          w.put("s_sub_i32 s%u, s%u, 1", scalar, scalar), w.put("s_cmp_lg_u32 s%u, 0", scalar);
          w.put("s_cbranch_scc1 .LBB0_%u", head);
        } else {
          w.put("s_branch .LBB0_%u", head);
        }
        w.put(".LBB0_%u:", end), w.put("s_mov_b64 exec, s[%u:%u]", saved, saved + 1);
        break;
      }
    }
  }
}
std::string amd_text(statements const& all) {
  writer w;
  w.put("s_load_dwordx4 s[4:7], s[0:1], 0x0"), w.put("s_waitcnt lgkmcnt(0)");
  for (unsigned k = 0; k != registers; ++k) w.put("v_mul_lo_u32 v%u, v0, %u", k + 2, k + 1);
  write_amd(w, all, 0), w.put(".LBB0_0:"), w.put("s_endpgm");
  std::string text =
      ".amdhsa_kernel k\n\t.amdhsa_kernarg_size 16\n\t.amdhsa_group_segment_fixed_size 1024\n"
      "\t.amdhsa_private_segment_fixed_size 128\n\t.amdhsa_user_sgpr_kernarg_segment_ptr 1\n.end_amdhsa_kernel\nk:\n";
  for (std::string const& line : w.lines) text += (line.back() == ':' ? "" : "\t") + line + '\n';
  return text;
}

/// Words for `in`: all alike, strided, alternating, or random.
std::vector<std::uint32_t> contents(fuzz_input& in) {
  std::vector<std::uint32_t> made(words_of_in);
  auto const how = in.below(6), step = in.below(64);
  auto const first = static_cast<std::uint32_t>(in.number(4) >> in.below(32));
  std::uint64_t state = in.number(8);
  for (std::uint32_t k = 0; k != words_of_in; ++k) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    auto const random = static_cast<std::uint32_t>(state >> 32);
    made[k] = how == 0   ? first
              : how == 1 ? first + k * static_cast<std::uint32_t>(step)
              : how == 2 ? (k & 1) * first
              : how == 3 ? random >> step % 32
                         : random >> random % 32;
  }
  return made;
}

unsigned long long kernels, answered, exact, rounds, runs;
struct said_at_exit {
  ~said_at_exit() {
    std::fprintf(stderr, "%llu kernels, %llu answered, %llu exact, %llu with loops on data, %llu runs\n", kernels,
                 answered, exact, rounds, runs);
  }
} const said;

template <class Record>
void ask(statements const& all, std::uint32_t rows, target_pieces const& on, Record const& record,
         std::string const& text, fuzz_input in) {
  co::binary_launch launch;
  launch.block = {threads};
  launch.arguments = {co::binary_argument::buffer(4 * words_of_in),
                      co::binary_argument::buffer(4 * (1024 + threads * std::uint64_t{rows}))};
  co::binary_answer const answer = record(text, launch);
  ++kernels;
  if (!answer.unknown.empty()) return;
  ++answered;
  all_issued const told = sums_of(answer, on);
  exact += !answer.sites.total().at_most;
  rounds += answer.sites.total().left_out != 0;
  for (unsigned n = 0; n != 12; ++n, ++runs) {
    order const how{in.one_in(2), on.is_nvidia() && in.one_in(2), in.one_in(2)};
    std::vector<std::uint32_t> words = contents(in);
    runner is(on, std::move(words), how, in);
    is.run(all);
    for (unsigned k = 0; k != told.size(); ++k) {
      issued_sums const& bound = told[k];
      auto const hold = [&](std::uint64_t number, std::uint64_t most, char const* what) {
        if (bound.at_most ? number <= most : number == most) return;
        report((std::string(on.name) + ": " + std::to_string(number) + ' ' + what + " of " + name_of_kind(k) +
                ", and the answer has " + (bound.at_most ? "at most " : "") + std::to_string(most) + "\n" + text)
                   .c_str());
      };
      if (is.sums[k].worst > bound.worst) hold(is.sums[k].worst, bound.worst, "in one access");
      if (bound.of_a_round) continue;
      hold(is.sums[k].issued, bound.issued, "issued");
      hold(is.sums[k].pieces, bound.pieces, "pieces");
      if (k < shared_kinds) hold(is.sums[k].bytes, bound.bytes, "bytes");
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  fuzz_input in(data, size);
  std::uint32_t rows = 0;
  // Two registers are data: one has another word for each thread, one the same for all.
  statements all = {{op::load, 0, 2, 0, 255}, {op::load, 1, 3, 0, 0}};
  for (statement& each : random_statements(in, 0, rows)) all.push_back(std::move(each));
  ask(
      all, rows, targets_of_binaries[2],
      [](auto const& text, auto const& launch) { return co::sass::record<co::cuda::cc90>(text, launch); },
      nvidia_text(all), in);
  ask(
      all, rows, targets_of_binaries[6],
      [](auto const& text, auto const& launch) { return co::amdgcn::record<co::cdna::gfx942>(text, launch); },
      amd_text(all), in);
  return 0;
}

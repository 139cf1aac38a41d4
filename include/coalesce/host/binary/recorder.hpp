// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/misuse.hpp>
#include <coalesce/host/binary/access.hpp>
#include <coalesce/host/binary/answer.hpp>
#include <coalesce/host/binary/loops.hpp>
#include <coalesce/host/bounds.hpp>
#include <coalesce/host/threads.hpp>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

// Runs the blocks of a launch, collects what their waves report, and makes the answer. The code for a vendor supplies
// the runner, which executes a block, and finds the library's type for the instruction of an access.

namespace coalescing::binary {

/// The role that an instruction has in the answer.
enum class role : unsigned char {
  other,
  access,      ///< an access; binary_answer::unknown lists it if no wave reached it and some wave ended early
  passed_over  ///< its opcode is not in the tables, and it is not an access
};

/// Blocks that cost the same, so only the first one runs. `count` is the number of blocks along each axis.
struct block_group {
  place first = {};
  extents count = {1, 1, 1};
  [[nodiscard]] std::uint64_t size() const { return product(count); }
};

/// The groups of blocks that a launch runs, in the order of their first blocks. are_alike(group) says whether the
/// blocks of a group are known to cost the same. If they are not, the group is halved along its longest axis, again and
/// again, down to single blocks. After too many such failures, all groups that are left become single blocks. Refused:
/// a launch that names a block twice.
template <class AreAlike>
[[nodiscard]] std::vector<block_group> groups_of(binary_launch const& launch, AreAlike const& are_alike) {
  std::vector<block_group> made;
  std::set<std::tuple<unsigned, unsigned, unsigned>> named;
  for (place const& each : launch.blocks) {
    if (!named.emplace(each.x, each.y, each.z).second)
      throw binary_refused("the block " + words({each.x, each.y, each.z}, ",") + " is to run twice");
    made.push_back({each});
  }
  if (!made.empty()) return made;
  if (!launch.every_block) return {block_group{}};
  std::uint64_t const all = coalescing::detail::count_of(launch.grid), most_failed = 8 + all / 16;
  std::uint64_t failed = 0;
  std::vector<block_group> waiting{{{}, extents_of(launch.grid)}};
  while (!waiting.empty()) {
    block_group now = waiting.back();
    waiting.pop_back();
    if (now.size() == 1 || (failed <= most_failed && are_alike(now))) {
      made.push_back(now);
      continue;
    }
    ++failed;
    std::size_t const axis =
        static_cast<std::size_t>(std::max_element(now.count.begin(), now.count.end()) - now.count.begin());
    unsigned place::*const index[] = {&place::x, &place::y, &place::z};
    block_group rest = now;
    now.count[axis] /= 2, rest.count[axis] -= now.count[axis];
    rest.first.*index[axis] += static_cast<unsigned>(now.count[axis]);
    waiting.push_back(rest), waiting.push_back(now);
  }
  std::sort(made.begin(), made.end(), [](block_group const& a, block_group const& b) {
    return std::tuple(a.first.z, a.first.y, a.first.x) < std::tuple(b.first.z, b.first.y, b.first.x);
  });
  return made;
}
/// The blocks that a launch runs, each as a group of its own.
[[nodiscard]] inline std::vector<block_group> single_blocks(binary_launch const& launch) {
  return groups_of(launch, [](block_group const&) { return false; });
}

/// Calls answer(loops) again and again, until a call finds no new loop that only unknown data can end. `loops` holds
/// the first instructions of the loops found so far. A call adds the loops that it finds, and its answer is then not
/// used.
template <class Answer>
[[nodiscard]] binary_answer answer_with_loops(Answer const& answer) {
  for (std::set<std::size_t> loops;;) {
    std::size_t const known = loops.size();
    try {
      binary_answer made = answer(loops);
      if (loops.size() == known) return made;
    } catch (found_loop const& found) {
      loops.insert(found.head);
    } catch (binary_refused const&) {
      if (loops.size() == known) throw;
    }
  }
}

/// Records a kernel. `Sites` has a row_recorder named `rows`, and open(instruction, access), which opens the access's
/// site: its row in the recording.
template <class Sites, class Instruction>
class recorder {
 public:
  using access = typename Sites::access;

  /// `wave` is the vendor's word for a wave, `shared` its word for the memory of a block. If a run adds a loop to
  /// `loops`, the answer of the run is not used (answer_with_loops). So the run stops before it starts or resumes
  /// another wave.
  recorder(std::vector<Instruction> const& code, binary_launch const& launch, std::string wave, char const* shared,
           std::set<std::size_t> const& loops)
      : memory(launch.arguments), code_(code), launch_(launch), wave_(std::move(wave)), reached_(code.size()) {
    for (global_array const& each : memory.arrays()) sites_.rows.array(each.name);
    sites_.rows.array(shared);
    reports.wave_goes_on = [this, &loops, known = loops.size()](place const& block, unsigned number) {
      if (loops.size() != known) throw found_loop{*loops.begin()};
      sites_.rows.begin(block, number);
    };
    reports.wave_accesses = [this](std::size_t index, access const& one, std::size_t loop) { take(index, one, loop); };
    reports.round_ends = [this] { sites_.rows.end_round(); };
    reports.assumes = [this](std::size_t index, std::string const& what) {
      assumed_.insert("line " + std::to_string(code_[index].line) + ", " + code_[index].printed + ": " + what);
    };
    reports.wave_ends_early = [this](std::size_t index, std::string const& why) {
      note(index, wave_ + "s end here: " + why, 1);
      if (first_end_.empty()) first_end_ = "line " + std::to_string(code_[index].line) + ", where " + why;
    };
  }
  recorder(recorder const&) = delete;
  recorder& operator=(recorder const&) = delete;

  global_memory memory;
  observer<access> reports = {};

  /// Runs the first block of each group by runner.run(block, number). `number` counts these blocks, from 1 on. Refused:
  /// a block outside the grid.
  template <class Runner>
  void run(Runner& runner, std::span<block_group const> groups) {
    std::uint32_t number = 0;
    for (block_group const& each : groups) {
      ++blocks_run_;
      if (each.first.x >= launch_.grid.x || each.first.y >= launch_.grid.y || each.first.z >= launch_.grid.z)
        throw binary_refused("the block lies outside the grid");
      runner.run(each.first, ++number);
      sites_.rows.block_done();
    }
  }
  /// From now on, a run throws blocks_differ if the blocks of a group may differ in the cost of an access or in
  /// anything else. (binary_launch::alike says how many blocks the group has.) If nothing is thrown, the same lanes
  /// make the same accesses in each block. Only the addresses may differ: from one block to the next, all addresses of
  /// an access move by the same number of bytes. The cost does not change, because the number is a multiple of
  /// row_recorder::period_of().
  struct blocks_differ {};
  void check_blocks_are_alike() {
    auto const differ = [] { throw blocks_differ{}; };
    reports.ways_part = reports.round_ends = differ;
    reports.assumes = reports.wave_ends_early = [differ](std::size_t, std::string const&) { differ(); };
    reports.wave_accesses = [this](std::size_t index, access const& one, std::size_t loop) {
      if (loop != observer<access>::no_loop || !moves_as_one(index, one)) throw blocks_differ{};
    };
  }
  /// Whether all numbers are exact, and nothing is assumed.
  [[nodiscard]] bool is_exact() {
    bool all = notes_.empty() && assumed_.empty() && !shares_bases_;
    for (site const& each : sites_.rows.result()) all = all && !each.at_most && each.cost.left_out == 0;
    return all;
  }
  /// Multiplies the costs of the one block that has run by `blocks`.
  void repeat(std::uint64_t blocks) { sites_.rows.repeat(blocks); }
  /// Adds what another recorder has seen of later blocks.
  void add(recorder& later) {
    sites_.rows.add(std::move(later.sites_.rows));
    blocks_run_ += later.blocks_run_;
    for (std::size_t k = 0; k != reached_.size(); ++k) reached_[k] = reached_[k] || later.reached_[k];
    assumed_.merge(later.assumed_);
    shares_bases_ = shares_bases_ || later.shares_bases_;
    if (first_end_.empty()) first_end_ = later.first_end_;
    for (auto const& [key, issued] : later.notes_) notes_[key] += issued;
  }

  /// The answer about the blocks that have run. role_of(k) is the role of instruction k.
  template <class Role>
  [[nodiscard]] binary_answer answer(std::string machine, std::string kernel, Role const& role_of) {
    binary_answer made{.machine = std::move(machine), .kernel = std::move(kernel)};
    made.checksum = coalescing::detail::checksum_of({});
    for (std::size_t k = 0; k != code_.size(); ++k) {
      made.checksum = coalescing::detail::checksum_of(std::to_string(code_[k].checksum), made.checksum);
      role const is = role_of(k);
      if (is == role::passed_over) ++made.passed_over;
      if (is == role::access && !first_end_.empty() && !reached_[k])
        note(k, "a " + wave_ + " ended before it, at " + first_end_, 0);
    }
    made.sites = sites_.rows.result();
    made.assumed.assign(assumed_.begin(), assumed_.end());
    if (shares_bases_) made.assumed.push_back(no_wrap);
    for (global_array const& each : memory.arrays())
      if (launch_.any_block && each.has_contents)
        made.assumed.push_back("other blocks do not change the contents of " + each.name + " that this block reads");
    made.any_block = launch_.any_block, made.blocks_run = blocks_run_;
    for (auto const& [key, issued] : notes_) made.unknown.push_back({place_of(code_[key.first]), key.second, issued});
    made.buffers = memory.arrays();
    return made;
  }

 private:
  void take(std::size_t index, access const& one, std::size_t loop) {
    reached_[index] = true;
    if (!one.why.empty()) return note(index, one.why, 1);
    Instruction const& i = code_[index];
    try {
      if (loop == observer<access>::no_loop && one.is_exact())
        sites_.rows.take(sites_.open(i, one), one.active, one.address.data());
      else
        sites_.rows.take_at_most(sites_.open(i, one), possible(one), line_of(loop));
      if (one.open_pointer != 0)
        assumed_.insert(memory.arrays()[one.open_pointer - 1u].name +
                        " is a pointer where it is an address, and a multiple of 256 bytes");
    } catch (misuse const& refused) {
      throw binary_refused(i.printed + ": " + refused.what(), i.line);
    }
  }
  /// Whether the access has the same cost in each block of a group. That is so if all its addresses are known, since
  /// they then do not depend on the block. It is also so if all addresses lie in one buffer, and each is the sum of a
  /// known number and the same unknown multiple of row_recorder::period_of(): a move of all addresses by so many bytes
  /// does not change the cost.
  [[nodiscard]] bool moves_as_one(std::size_t index, access const& one) {
    if (!one.why.empty() || one.perhaps != 0 || one.open_pointer != 0) return false;
    if (one.is_exact()) return true;
    unsigned const first = static_cast<unsigned>(std::countr_zero(one.active));
    bool all = one.space == memory_space::global && one.in[first] != 0 && (one.active & ~one.inside) == 0;
    each_lane(one.active, [&](unsigned lane) {
      all = all && one.base[lane] != 0 && one.base[lane] == one.base[first] && one.in[lane] == one.in[first];
    });
    return all &&
           (std::uint64_t{1} << (one.aligned[first] & 63)) % sites_.rows.period_of(sites_.open(code_[index], one)) == 0;
  }
  /// The access as a recording takes it. The names of unknown numbers (identities.hpp) become small numbers.
  [[nodiscard]] auto possible(access const& one) {
    possible_access<decltype(sites_.rows)::lanes> made;
    made.may = one.lanes(), made.surely = one.active;
    std::map<std::uint64_t, std::uint32_t> numbers;
    for (unsigned lane = 0; lane != decltype(sites_.rows)::lanes; ++lane) {
      if ((made.may >> lane & 1) == 0) continue;
      made.address[lane] = one.address[lane], made.aligned[lane] = one.aligned[lane];
      if (one.base[lane] == 0) continue;
      auto const [at, is_new] = numbers.try_emplace(one.base[lane], static_cast<std::uint32_t>(numbers.size() + 1));
      made.from[lane] = one.from[lane], made.to[lane] = one.to[lane];
      made.base[lane] = at->second, shares_bases_ = shares_bases_ || !is_new;
    }
    return made;
  }
  /// The line of a loop's first instruction: in the source, if the text states source lines; else in the text.
  [[nodiscard]] unsigned line_of(std::size_t loop) const {
    if (loop == observer<access>::no_loop) return 0;
    return code_[loop].source_line != 0 ? code_[loop].source_line : code_[loop].line;
  }
  /// Counts an instruction whose cost is not known, or at which waves end. `why` is the reason.
  void note(std::size_t index, std::string const& why, std::uint64_t issued) { notes_[{index, why}] += issued; }

  std::vector<Instruction> const& code_;
  binary_launch const& launch_;
  std::string wave_;
  Sites sites_ = {};
  std::vector<bool> reached_;
  std::uint64_t blocks_run_ = 0;
  std::set<std::string> assumed_;
  bool shares_bases_ = false;  // in some access, two addresses are the same unknown number plus known numbers
  std::string first_end_;      // where the first wave ended early, and why
  std::map<std::pair<std::size_t, std::string>, std::uint64_t> notes_;
};

/// While such an object exists, this thread makes no identity that assumes that a sum of 32 bits does not wrap around.
struct no_wrap_assumed {
  no_wrap_assumed() { assumes_no_wrap = false; }
  no_wrap_assumed(no_wrap_assumed const&) = delete;
  no_wrap_assumed& operator=(no_wrap_assumed const&) = delete;
  ~no_wrap_assumed() { assumes_no_wrap = true; }
};

/// The parts of a launch, which several threads run. The results of the parts, added up in the order of the parts, are
/// what one run of all blocks gives.
template <class Recorder>
class block_parts {
 public:
  struct part {
    std::span<block_group const> groups;
    std::unique_ptr<Recorder> seen = {};
    std::set<std::size_t> loops = {};
    std::exception_ptr error = {};
  };

  /// Makes one part, which has all blocks.
  explicit block_parts(std::vector<block_group> groups) : groups_(std::move(groups)) { parts_.push_back({groups_}); }
  /// Makes parts for `jobs` threads. A group of several blocks is a part of its own.
  block_parts(std::vector<block_group> groups, unsigned jobs) : jobs_(jobs), groups_(std::move(groups)) {
    constexpr std::size_t parts_of_thread = 8;
    std::size_t const most = jobs < 2 ? groups_.size() : groups_.size() / (parts_of_thread * jobs) + 1;
    for (std::size_t from = 0, to = 0; from != groups_.size(); from = to) {
      bool const is_single = groups_[from].size() == 1;
      for (to = from + 1; is_single && to != groups_.size() && groups_[to].size() == 1 && to - from != most;) ++to;
      parts_.push_back({std::span(groups_).subspan(from, to - from)});
    }
  }

  /// Runs run_part(part) for each part. Returns false if a part stores to a buffer whose contents are given, since
  /// another part may load from it. Returns false, too, if a group of several blocks fails or is not exact. Then all
  /// blocks must run in one part.
  template <class RunPart>
  [[nodiscard]] bool run(RunPart const& run_part) {
    std::atomic<std::size_t> next = 0;
    std::atomic<bool> depend = false;
    auto const work = [&] {
      for (std::size_t k = next++; k < parts_.size() && !depend; k = next++) {
        part& now = parts_[k];
        try {
          run_part(now);
        } catch (...) {
          now.error = std::current_exception();
        }
        if (!now.seen || (parts_.size() == 1 && now.groups[0].size() == 1)) continue;
        std::uint64_t const blocks = now.groups[0].size();
        if (now.seen->memory.is_stored() || (blocks != 1 && (now.error || !now.seen->is_exact()))) depend = true;
        if (!now.error && blocks != 1) now.seen->repeat(blocks);
        if (k != 0) now.seen->memory = global_memory({});
      }
    };
    std::size_t const most = std::min<std::size_t>(jobs_, parts_.size());
    auto helpers = coalescing::detail::helpers_of(most == 0 ? 0 : most - 1, work);
    work();
    for (std::thread& each : helpers) each.join();
    return !depend;
  }
  /// Adds up what all parts have recorded. If parts failed or found a loop, throws for the first such part: its error,
  /// or found_loop.
  [[nodiscard]] Recorder& all(std::set<std::size_t>& loops) {
    for (part& each : parts_) {
      bool const has_more_loops = each.loops.size() > loops.size();
      if (has_more_loops) loops = each.loops;
      if (each.error) std::rethrow_exception(each.error);
      if (has_more_loops) throw found_loop{*loops.begin()};
      if (&each != &parts_[0]) parts_[0].seen->add(*each.seen);
    }
    return *parts_[0].seen;
  }

 private:
  unsigned jobs_ = 1;
  std::vector<block_group> groups_;
  std::vector<part> parts_;
};

/// Makes the answer about a kernel. run(recorder, launch, loops, use) makes a runner, an object that runs blocks and
/// reports to the recorder, and calls use(runner). Blocks that are known to cost the same are a group, and one block of
/// the group runs. launch.jobs threads run the parts of the grid. If a block stores where another block may load, or if
/// the numbers of a group are not exact, every block runs, one after the other.
template <class Recorder, class Instruction, class Run, class Role>
[[nodiscard]] binary_answer answer_of(std::vector<Instruction> const& code, binary_launch const& launch,
                                      char const* wave, char const* shared, std::string const& machine,
                                      std::string const& kernel, Run const& run, Role const& role_of) {
  bool has_contents = false;
  for (binary_argument const& each : launch.arguments) has_contents = has_contents || !each.contents.empty();
  return answer_with_loops([&](std::set<std::size_t>& loops) {
    auto const are_alike = [&](block_group const& group) {
      if (has_contents) return false;
      binary_launch one = launch;
      one.alike = group.count;
      std::set<std::size_t> known = loops;
      Recorder recorder(code, one, wave, shared, known);
      recorder.check_blocks_are_alike();
      no_wrap_assumed const strictly;
      try {
        run(recorder, one, known, [&](auto& runner) { runner.run(group.first, 1); });
      } catch (typename Recorder::blocks_differ const&) {
        return false;
      } catch (binary_refused const&) {
        return false;
      } catch (found_loop const&) {
        return false;
      }
      return true;
    };
    block_parts<Recorder> parts(groups_of(launch, are_alike), launch.jobs);
    auto const run_part = [&](auto& part) {
      part.loops = loops;
      part.seen = std::make_unique<Recorder>(code, launch, wave, shared, part.loops);
      run(*part.seen, launch, part.loops, [&](auto& runner) { part.seen->run(runner, part.groups); });
    };
    if (!parts.run(run_part)) {
      parts = block_parts<Recorder>(single_blocks(launch));
      static_cast<void>(parts.run(run_part));
    }
    return parts.all(loops).answer(machine, kernel, role_of);
  });
}

}  // namespace coalescing::binary

// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/misuse.hpp>
#include <coalesce/host/binary/access.hpp>
#include <coalesce/host/binary/answer.hpp>
#include <coalesce/host/binary/loops.hpp>
#include <coalesce/host/bounds.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

// Runs the blocks of a launch, takes what their waves report, and makes the answer. The code of a vendor brings the
// runner, which executes a block, and says which of the library's instructions an access is.

namespace coalescing::binary {

/// The role that an instruction has in the answer.
enum class role : unsigned char {
  other,
  access,      ///< an access; it is listed if no wave reached it and some wave ended early
  passed_over  ///< its opcode is not in the tables, and it is not an access
};

/// Calls run(block) for each block that the launch names, one after the other. Refused: a block outside the grid.
template <class Run>
void run_blocks(binary_launch const& launch, Run const& run) {
  for (place const& each : launch.blocks) {
    if (each.x >= launch.grid.x || each.y >= launch.grid.y || each.z >= launch.grid.z)
      throw binary_refused("the block lies outside the grid");
    run(each);
  }
  if (!launch.blocks.empty()) return;
  auto const all = coalescing::detail::count_of(launch.grid);
  for (std::uint64_t k = 0; k != (launch.every_block ? all : 1); ++k) run(coalescing::detail::place_of(k, launch.grid));
}

/// Calls answer(loops) again and again until it finds no more loops that data alone can keep going. `loops` holds the
/// first instructions of the loops that are known. If a call adds one, the answer is asked for again.
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

/// Records a kernel. `Sites` has the rows of a recording; its open(instruction, access) opens the site of an access.
template <class Sites, class Instruction>
class recorder {
 public:
  using access = typename Sites::access;

  /// `wave` is what the vendor calls a wave, `shared` what it calls the memory of a block. If loops were found since
  /// the run began, the run ends before the next turn of a wave, since its answer would be asked for again
  /// (answer_with_loops).
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

  /// Runs each block by runner.run(block, number), with numbers from 1 on. role_of(k) is the role of instruction k.
  template <class Runner, class Role>
  [[nodiscard]] binary_answer answer(std::string machine, std::string kernel, Runner& runner, Role const& role_of) {
    std::uint32_t number = 0;
    run_blocks(launch_, [&](place const& block) {
      runner.run(block, ++number);
      sites_.rows.block_done();
    });
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
    if (shares_bases_)
      made.assumed.push_back(
          "sums of 32 bits do not wrap around before they become 64 bits wide, or are shifted to the right");
    for (global_array const& each : memory.arrays())
      if (launch_.any_block && each.has_contents)
        made.assumed.push_back("other blocks do not change the contents of " + each.name + " that this block reads");
    made.any_block = launch_.any_block;
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
  /// The access in the form that a recording takes. The names of unknown numbers become small numbers.
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
  /// The line of a loop's first instruction: in the source, if the text tells it; else in the text.
  [[nodiscard]] unsigned line_of(std::size_t loop) const {
    if (loop == observer<access>::no_loop) return 0;
    return code_[loop].source_line != 0 ? code_[loop].source_line : code_[loop].line;
  }
  /// Counts an instruction that has no cost, or at which waves end, with the reason.
  void note(std::size_t index, std::string const& why, std::uint64_t issued) { notes_[{index, why}] += issued; }

  std::vector<Instruction> const& code_;
  binary_launch const& launch_;
  std::string wave_;
  Sites sites_ = {};
  std::vector<bool> reached_;
  std::set<std::string> assumed_;
  bool shares_bases_ = false;  // some lanes add numbers to the same unknown number
  std::string first_end_;      // the reason why the first wave ended early
  std::map<std::pair<std::size_t, std::string>, std::uint64_t> notes_;
};

}  // namespace coalescing::binary

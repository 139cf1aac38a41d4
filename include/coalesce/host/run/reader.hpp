// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/kernel/recorder.hpp>
#include <coalesce/host/kernel/symbolizer.hpp>
#include <coalesce/host/run/messages.hpp>

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

// Reads the messages that an unmodified program on the host sends about its kernels (run/messages.hpp). Makes one
// recording for each kernel, of all its launches.

namespace coalescing::detail {

/// A kernel that a program has launched.
struct run_kernel {
  std::string name;
  std::uint64_t launches = 0;
  std::uint64_t blocks = 0;  ///< the blocks of all its launches; the recording may have fewer
  recording<any_number> seen = {};
  /// Where its launches are that failed, since they ask for more than a GPU has, and how many there are at each place.
  std::map<std::uint64_t, std::pair<host_line, std::uint64_t>> failed = {};
};
struct run_result {
  std::vector<run_kernel> kernels = {};  ///< in the order of their first launch
  std::string refused = {};              ///< why the program was stopped; empty: it was not
  std::uint64_t failed = 0;              ///< how many launches failed
  std::string first_failed = {};         ///< the first of them: its kernel, and its line
};

template <unsigned Lanes>
class run_reader {
 public:
  /// `program`: the path of the program's file. `dynamic`: the name of the shared array whose size a launch gives.
  run_reader(machine_facts<Lanes> const& machine, std::string const& program, std::string dynamic)
      : machine_(machine), symbolizer_(program), dynamic_(std::move(dynamic)) {}
  std::function<void(std::string const& kernel, std::uint64_t launches, std::uint64_t blocks)> tell = {};

  /// Reads until the program closes the pipe. A program that ends inside a launch is refused, since the rest of that
  /// launch is not counted.
  run_result read(int pipe) {
    message_reader from(pipe);
    message kind = {};
    bool is_whole = true;
    while (is_whole && from.has_more()) is_whole = from.take(kind) && read_one(from, kind);
    run_result all = result_;
    if (all.refused.empty() && (runs_ || !is_whole))
      all.refused = "the program ended inside a launch" + (runs_ ? " of " + now_->made.name : "") +
                    ", so what that launch does is not counted in full";
    for (known_kernel& each : kernels_) {
      each.made.seen = each.rows.result();
      all.kernels.push_back(std::move(each.made));
    }
    return all;
  }

 private:
  struct known_kernel {
    run_kernel made;
    rows_of_machine<Lanes> rows;
    instruction_recorder<Lanes> recorder;
    known_kernel(run_reader& of, std::string name, std::uint64_t place)
        : made{std::move(name)},
          rows(of.machine_),
          recorder(
              rows, of.arrays_, [&of](std::uint64_t at) { return of.line(at); }, place) {}
  };

  bool read_one(message_reader& from, message kind) {
    switch (kind) {
      case message::array:
        return read_array(from);
      case message::launch:
        return read_launch(from);
      case message::place:
        return detail::take_place(from, places_.emplace_back());
      case message::warp:
        return read_warp(from);
      case message::instruction:
        return read_instruction(from);
      case message::block_ends:
        now_->rows.block_done();
        if (tell) tell(now_->made.name, now_->made.launches, ++told_);
        return true;
      case message::launch_ends: {
        std::uint64_t blocks = 0;
        bool const is_read = from.take(blocks);
        now_->made.blocks += blocks, told_ = 0, runs_ = false;
        return is_read;
      }
      case message::refused:
        return from.take(result_.refused);
      case message::launch_fails:
        return read_failed(from);
    }
    return false;
  }
  bool read_array(message_reader& from) {
    host_array made;
    if (!from.take(made.base) || !from.take(made.bytes) || !from.take(made.space) || !from.take(made.name))
      return false;
    if (made.name == "coalesce_dynamic_shared") made.name = dynamic_;
    arrays_.push_back(made);
    return true;
  }
  bool read_launch(message_reader& from) {
    std::string name;
    std::uint64_t place = 0;
    host::dim3 grid, block;
    if (!from.take(name) || !from.take(place) || !from.take(grid) || !from.take(block)) return false;
    now_ = &kernel(name, place), ++now_->made.launches, runs_ = true;
    return true;
  }
  /// The kernel with a name, or the one that is launched at a place if it has no name.
  known_kernel& kernel(std::string const& name, std::uint64_t place) {
    std::string const called = name.empty() ? "launched at " + line(place).words() : name;
    auto const [found, is_new] = numbers_.try_emplace(called, kernels_.size());
    if (is_new) kernels_.emplace_back(*this, called, place);
    return kernels_[found->second];
  }
  bool read_failed(message_reader& from) {
    std::string name;
    std::uint64_t place = 0;
    if (!from.take(name) || !from.take(place)) return false;
    if (result_.failed++ == 0) result_.first_failed = (name.empty() ? "" : name + " at ") + line(place).words();
    auto& [at, times] = kernel(name, place).made.failed[place];
    at = line(place), ++times;
    return true;
  }
  bool read_warp(message_reader& from) {
    place block = {};
    unsigned warp = 0;
    if (!from.take(block) || !from.take(warp)) return false;
    now_->recorder.begin_warp(block, warp);
    return true;
  }
  bool read_instruction(message_reader& from) {
    visit_of_lanes<Lanes> made;
    bool uneven = false, unwritten = false;
    if (!detail::take_instruction(from, made, uneven, unwritten)) return false;
    made.asked.bytes = places_[made.place].bytes;
    now_->recorder.take(made, places_[made.place], uneven, unwritten);
    return true;
  }
  host_line const& line(std::uint64_t place) {
    auto const [at, is_new] = lines_.try_emplace(place);
    if (is_new) at->second = symbolizer_.find(place - 1), at->second.offset = place - 1;
    return at->second;
  }

  machine_facts<Lanes> const& machine_;
  symbolizer symbolizer_;
  std::string dynamic_;
  run_result result_;  // all but its kernels, which are in kernels_
  std::vector<host_array> arrays_;
  std::deque<known_kernel> kernels_;
  std::map<std::string, std::size_t> numbers_;
  std::map<std::uint64_t, host_line> lines_;
  std::vector<host_place> places_;
  known_kernel* now_ = nullptr;  // the kernel of the last launch
  bool runs_ = false;            // whether the last launch has not ended yet
  std::uint64_t told_ = 0;
};

}  // namespace coalescing::detail

// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/recording.hpp>
#include <coalesce/host/trace/lines.hpp>
#include <coalesce/host/trace/options.hpp>
#include <coalesce/record/table.hpp>
#ifndef COALESCE_HOST_COMPILED
#include <coalesce/host/files.hpp>
#include <coalesce/host/threads.hpp>
#include <coalesce/host/trace/accel_sim.hpp>
#include <coalesce/host/trace/mem_trace.hpp>
#include <coalesce/host/trace/omniprobe.hpp>
#include <coalesce/host/trace/plain.hpp>
#include <coalesce/host/trace/recorder.hpp>

#include <algorithm>
#include <atomic>
#include <exception>
#include <fstream>
#include <iostream>
#include <memory>
#include <mutex>
#endif

#include <cstddef>
#include <cstdint>
#include <istream>
#include <map>
#include <string>
#include <utility>
#include <vector>

// Makes recordings of traces: what an instrumented kernel's accesses cost, kernel by kernel and instruction by
// instruction. Opt-in, for the host. The manual's page on traces tells how to make traces, and has the grammar of this
// library's own format (trace_format::plain). In a program that links coalesce::host, CMake sets
// COALESCE_HOST_COMPILED, and this header only declares what that library has compiled.

namespace coalescing {

/// The format of a trace. The header of the same name describes it (host/trace/).
enum class trace_format { accel_sim, mem_trace, omniprobe, plain };

constexpr bool is_enumerator(trace_format format) {
  switch (format) {
    case trace_format::accel_sim:
    case trace_format::mem_trace:
    case trace_format::omniprobe:
    case trace_format::plain:
      return true;
  }
  return false;
}

namespace refused {

[[noreturn]] inline void trace_has_warps_of_32_lanes() {
  detail::refuse("Accel-Sim and mem_trace trace warps of 32 lanes, and the machine's waves have another number");
}
[[noreturn]] inline void trace_cannot_be_opened(std::string const& file) {
  detail::refuse(("the trace cannot be opened: " + file).c_str());
}
[[noreturn]] inline void trace_is_a_folder(std::string const& file) {
  detail::refuse(("this is a folder, and not a trace: " + file).c_str());
}
[[noreturn]] inline void standard_input_is_one_trace() { detail::refuse("only one of the traces is standard input"); }

}  // namespace refused

/// A kernel of a trace. The costs of all its launches add up.
struct replayed_kernel {
  std::string name;
  /// The recording of the kernel. It has two arrays, "global" and "shared", unless the trace names arrays.
  /// `seen.blocks` is the number of blocks if the trace tells where a block ends, as Accel-Sim's processed format and
  /// this library's own format do. Otherwise `seen.blocks` is 0.
  recording<any_number> seen;
};

/// What a replay returns.
struct replayed {
  std::vector<replayed_kernel> kernels = {};  ///< in the order in which they begin in the trace
  /// What was skipped. Each entry counts what was skipped with the same name, reason, kernel and place in the kernel.
  std::vector<skipped_accesses> skipped = {};
  std::uint64_t instructions = 0;  ///< how many memory instructions of warps or waves the recordings have

  /// How many instructions of the kernels may access memory and have no cost here: those that were skipped, and those
  /// whose cost no source tells. An instruction counts once, however often it ran. Any other entry of `skipped` that
  /// may hide an access, such as a damaged line, counts once, too. (Lines that the program or the tool has printed do
  /// not count.) 0: the recordings are complete.
  [[nodiscard]] std::uint64_t unknown() const {
    std::uint64_t sum = 0;
    for (auto const& one : skipped) sum += one.may_be_access;
    for (auto const& kernel : kernels)
      for (site const& s : kernel.seen) sum += !s.cost.is_counted;
    return sum;
  }
  /// The tables of all kernels, and what was skipped.
  [[nodiscard]] std::string text() const {
    std::string all;
    for (auto const& kernel : kernels) all += kernel.name + "\n" + kernel.seen.text() + "\n";
    // The sum of the counts for each thing that was skipped and each reason.
    std::map<std::pair<std::string, std::string>, std::uint64_t> sums;
    for (auto const& one : skipped) sums[{one.what, one.why}] += one.count;
    for (auto const& [words, count] : sums)
      all += "skipped: " + std::to_string(count) + " of " + words.first + ": " + words.second + "\n";
    return all;
  }
};

/// Makes the recordings of a trace on the Machine, which must have the trace's number of lanes. Besides the sites of
/// each kernel, at most 1 MiB of the trace is in memory at a time. Thrown: trace_error, with the number of the line.
/// The reasons: a line is damaged or cut; the machine's instruction cannot have an address; an option must be given
/// because the format lacks a fact. (Omniprobe, for example, does not tell how many bytes a lane moves.)
///
///     std::ifstream file("kernel-1.traceg");
///     auto const all = co::replay<co::cuda::cc80>(file, co::trace_format::accel_sim);
///     std::puts(all.text().c_str());
template <class Machine>
[[nodiscard]] replayed replay(std::istream& from, trace_format format, replay_options const& options = {});

/// Makes the recordings of many traces, which `options.jobs` threads read; "-" is standard input. The costs of kernels
/// with the same name add up, in the order of the files. If several files are damaged, the first one's error is thrown.
/// Refused: a folder, a file that cannot be opened, "-" twice.
template <class Machine>
[[nodiscard]] replayed replay_files(std::vector<std::string> const& files, trace_format format,
                                    replay_options const& options = {});

#ifndef COALESCE_HOST_COMPILED
namespace detail {

template <template <class> class Reader, class Recorder>
void read_trace(std::istream& from, Recorder& to, std::string const& file, std::uint64_t of_bytes) {
  trace_lines lines(from);
  Reader<Recorder> reader(to);
  auto const tell = [&] {
    if (to.options.progress) to.options.progress({file, lines.number(), lines.bytes(), of_bytes, to.instructions});
  };
  for (std::string_view line; lines.next(line);) {
    to.line = lines.number();
    reader.line(line);
    if (to.options.every != 0 && to.line % to.options.every == 0) tell();
  }
  reader.end();
  tell();
}
template <class Recorder>
void read_trace(std::istream& from, trace_format format, Recorder& to, std::string const& file,
                std::uint64_t of_bytes = 0) {
  detail::check_enumerator(format);
  switch (format) {
    case trace_format::accel_sim:
      if constexpr (Recorder::lanes == 32)
        return detail::read_trace<accel_sim_reader>(from, to, file, of_bytes);
      else
        refused::trace_has_warps_of_32_lanes();
    case trace_format::mem_trace:
      if constexpr (Recorder::lanes == 32)
        return detail::read_trace<mem_trace_reader>(from, to, file, of_bytes);
      else
        refused::trace_has_warps_of_32_lanes();
    case trace_format::omniprobe:
      return detail::read_trace<omniprobe_reader>(from, to, file, of_bytes);
    case trace_format::plain:
      return detail::read_trace<plain_reader>(from, to, file, of_bytes);
  }
}
template <class Recorder>
replayed replayed_of(Recorder& from) {
  replayed all;
  from.each_kernel([&](std::string const& name, auto const& seen) { all.kernels.push_back({name, seen}); });
  for (auto const& [entry, count] : from.account()) all.skipped.push_back(entry), all.skipped.back().count = count;
  all.instructions = from.instructions;
  return all;
}

template <unsigned Lanes>
replayed replay_on(machine_facts<Lanes> const& on, std::istream& from, trace_format format,
                   replay_options const& options) {
  trace_recorder<Lanes> to(on, options);
  detail::read_trace(from, format, to, "");
  return detail::replayed_of(to);
}
template <unsigned Lanes>
replayed replay_files_on(machine_facts<Lanes> const& on, std::vector<std::string> const& files, trace_format format,
                         replay_options const& options) {
  std::mutex telling;
  replay_options each = options;
  if (options.progress)
    each.progress = [&](replay_progress const& so_far) {
      std::lock_guard const one_at_a_time(telling);
      options.progress(so_far);
    };
  std::vector<std::unique_ptr<trace_recorder<Lanes>>> recorders(files.size());
  if (std::count(files.begin(), files.end(), "-") > 1) refused::standard_input_is_one_trace();
  auto const name_of_file = [&files](std::size_t k) { return files[k] == "-" ? "standard input" : files[k]; };
  auto const read = [&](std::size_t k) {
    std::ifstream file;
    bool const is_input = files[k] == "-";
    if (detail::is_folder(files[k])) refused::trace_is_a_folder(name_of_file(k));
    if (!is_input) file.open(files[k], std::ios::binary);
    if (!file) refused::trace_cannot_be_opened(files[k]);
    recorders[k] = std::make_unique<trace_recorder<Lanes>>(on, each);
    detail::read_trace(is_input ? std::cin : file, format, *recorders[k], name_of_file(k),
                       detail::size_of_file(files[k]));
  };
#ifdef __cpp_exceptions
  std::vector<std::exception_ptr> errors(files.size());
  auto const read_file = [&](std::size_t k) {
    try {
      read(k);
    } catch (trace_error const& wrong) {
      errors[k] = std::make_exception_ptr(trace_error(wrong.line(), wrong.sentence(), name_of_file(k)));
    } catch (...) {
      errors[k] = std::current_exception();
    }
  };
#else
  auto const& read_file = read;
#endif
  std::atomic<std::size_t> next = 0;
  auto const work = [&] {
    for (std::size_t k = next++; k < files.size(); k = next++) read_file(k);
  };
  std::size_t const most = std::min<std::size_t>(options.jobs, files.size());
  auto helpers = detail::helpers_of(most == 0 ? 0 : most - 1, work);
  work();
  for (auto& helper : helpers) helper.join();
#ifdef __cpp_exceptions
  for (auto const& error : errors)
    if (error) std::rethrow_exception(error);
#endif
  trace_recorder<Lanes> all(on, options);
  for (auto& one : recorders) all.add(*one), one.reset();
  return detail::replayed_of(all);
}

}  // namespace detail

template <class Machine>
replayed replay(std::istream& from, trace_format format, replay_options const& options) {
  return detail::replay_on(detail::instructions_of_machine<Machine>, from, format, options);
}
template <class Machine>
replayed replay_files(std::vector<std::string> const& files, trace_format format, replay_options const& options) {
  return detail::replay_files_on(detail::instructions_of_machine<Machine>, files, format, options);
}
#endif

}  // namespace coalescing

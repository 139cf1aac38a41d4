// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/misuse.hpp>

#include <cstdint>
#include <string>

// What a kernel that runs on the host may not do. A refusal names the thread, and the line at which the thread is.

namespace coalescing::refused {

[[noreturn]] inline void access_lies_outside_every_array(std::string const& thread, unsigned bytes,
                                                         std::string const& more) {
  detail::refuse((thread + ": an access of " + std::to_string(bytes) +
                  " bytes lies outside every array that the launch names, shared memory and the thread's stack" + more)
                     .c_str());
}
[[noreturn]] inline void thread_copies_too_many_bytes(std::string const& thread, std::uint64_t bytes) {
  detail::refuse(
      (thread + ": copies or sets " + std::to_string(bytes) + " bytes at once; a copy of 4 GiB or more is not counted")
          .c_str());
}
[[noreturn]] inline void thread_waits_for_another(std::string const& thread) {
  detail::refuse(
      (thread + ": too many accesses before a barrier (.most_accesses); does it wait for another block?").c_str());
}
[[noreturn]] inline void block_has_too_many_barriers(std::string const& thread, std::uint64_t most) {
  detail::refuse((thread + " waits at a barrier after " + std::to_string(most) +
                  " others (.most_barriers); does the loop around it end?")
                     .c_str());
}
/// `reads` and `writes` are " at file:line", or empty if that is not known.
[[noreturn]] inline void lanes_rely_on_lockstep(std::string const& thread, std::string const& array,
                                                std::string const& reads, unsigned lane, std::string const& writes) {
  detail::refuse((thread + ": went wrong after it read \"" + array + "\"" + reads + ", which lane " +
                  std::to_string(lane) + " of its warp writes" + writes +
                  " without __syncwarp() between. Lanes run one after another here, not in lockstep")
                     .c_str());
}
[[noreturn]] inline void access_has_no_line(std::string const& array, std::uint64_t offset) {
  detail::refuse(("array \"" + array + "\", offset " + std::to_string(offset) +
                  " of the program: an atomic, or an instruction of host::issue, has no line, so several may look like "
                  "one. Compile the kernel with -g -fno-optimize-sibling-calls")
                     .c_str());
}
[[noreturn]] inline void barrier_is_not_reached_by_all(std::string const& waits, std::string const& left) {
  detail::refuse(
      (waits + " waits at a barrier; " + left + " has left the kernel (if that is meant: .threads_may_leave)").c_str());
}
[[noreturn]] inline void threads_wait_at_different_barriers(std::string const& one, std::string const& other) {
  detail::refuse((one + " and " + other + " wait at different barriers").c_str());
}
[[noreturn]] inline void lane_is_not_there(std::string const& thread, unsigned lane) {
  detail::refuse(
      (thread + ": reads from lane " + std::to_string(lane) + ", which has left or does not take part").c_str());
}
[[noreturn]] inline void lanes_of_the_mask_do_not_come(std::string const& thread, std::uint64_t lanes) {
  unsigned first = 0;
  while (first != 63 && (lanes >> first & 1) == 0) ++first;
  detail::refuse(
      (thread + " waits for lanes of its mask that do not come; the first is " + std::to_string(first)).c_str());
}
[[noreturn]] inline void mask_leaves_out_the_lane_itself(std::string const& thread) {
  detail::refuse((thread + ": the mask does not name the lane itself").c_str());
}
[[noreturn]] inline void lanes_exchange_too_many_bytes() {
  detail::refuse("lanes exchange values of at most 16 bytes");
}
[[noreturn]] inline void kernel_runs_already() {
  detail::refuse("a kernel runs on the host already: a kernel that it calls cannot be recorded");
}
[[noreturn]] inline void lanes_contradict_each_other(std::string const& place) {
  detail::refuse((place +
                  ": lanes of a warp come here and to other accesses in different orders; which accesses are one "
                  "instruction is unknown (__syncwarp() tells where lanes are together)")
                     .c_str());
}
[[noreturn]] inline void instruction_is_of_another_machine() {
  detail::refuse("host::issue: the instruction is of a machine with wider or narrower warps or waves");
}
[[noreturn]] inline void arrays_overlap(std::string const& one, std::string const& other) {
  detail::refuse(
      ("the arrays \"" + one + "\" and \"" + other +
       "\" overlap: the kernel works on a copy of each, so what it stores in one would be missing in the other")
          .c_str());
}
[[noreturn]] inline void launch_skips_every_block() { detail::refuse("host::launch: .every is 0"); }

}  // namespace coalescing::refused

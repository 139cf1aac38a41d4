// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/amd/misuse.hpp>

// The errors for arguments that CDNA's functions refuse. Those of the core are in core/misuse.hpp.

namespace coalescing::refused {

[[noreturn]] COALESCE_API inline void agent_has_no_l2_cache() {
  detail::refuse("an agent has at least one L2 cache: environment::l2_caches is 0");
}
[[noreturn]] COALESCE_API inline void aux_has_bits_that_are_not_sc0_nt_or_sc1(unsigned) {
  detail::refuse("the aux operand has bits other than SC0 (1), NT (2) and SC1 (16)");
}
[[noreturn]] COALESCE_API inline void atomics_have_device_or_system_scope() {
  detail::refuse("there is no atomic of wave or group scope: it runs as one of device scope");
}
[[noreturn]] COALESCE_API inline void product_has_no_such_partition() {
  detail::refuse("the product cannot be partitioned so");
}
[[noreturn]] COALESCE_API inline void counter_is_out_of_range(unsigned) {
  detail::refuse("s_waitcnt: vmcnt is at most 63, expcnt at most 7, lgkmcnt at most 15 (the most means: do not wait)");
}
[[noreturn]] COALESCE_API inline void simm16_has_bits_that_are_no_counter(unsigned) {
  detail::refuse("s_waitcnt: bits 7, 12, 13 and those above 15 of simm16 are zero");
}
[[noreturn]] COALESCE_API inline void lds_cannot_be_used_under_tg_split() {
  detail::refuse("under tg_split the waves of a work-group share no LDS");
}
[[noreturn]] COALESCE_API inline void transpose_loads_need_every_lane() {
  detail::refuse("ds_read_tr needs all 64 lanes active (CDNA4 ISA 11.4)");
}
[[noreturn]] COALESCE_API inline void transpose_has_no_such_lane_or_value(unsigned, unsigned) {
  detail::refuse("the lane is not less than 64, or the value not less than ds_read_tr's values");
}
[[noreturn]] COALESCE_API inline void load_to_lds_has_no_such_lane(unsigned) {
  detail::refuse("a wave has lanes 0 to 63");
}
[[noreturn]] COALESCE_API inline void m0_or_offset_of_a_load_to_lds_is_out_of_range(unsigned, unsigned) {
  detail::refuse(
      "the offset of a load to LDS is at most 4095, and its M0 has 16 bits (gfx950: 18): both are multiples of 4 here, "
      "since the manual's sections differ where they are not");
}
[[noreturn]] COALESCE_API inline void compute_unit_holds_1_to_32_work_groups(unsigned) {
  detail::refuse("a compute unit holds 1 to 32 work-groups: it has room for 32 waves");
}
[[noreturn]] COALESCE_API inline void litmus_has_four_locations(unsigned) {
  detail::refuse("a litmus test has the locations 0 to 3 (a sequence with an access needs one: say which)");
}
[[noreturn]] COALESCE_API inline void litmus_wave_has_too_many_accesses() {
  detail::refuse("a wave of a litmus test has at most 8 accesses (cdna::litmus_wave::most_accesses)");
}
[[noreturn]] COALESCE_API inline void litmus_wave_has_too_many_instructions() {
  detail::refuse("a wave of a litmus test has at most 48 instructions, with those of its fences, and 18 write-backs");
}
[[noreturn]] COALESCE_API inline void litmus_wave_has_no_such_instruction(unsigned) {
  detail::refuse("the wave of the litmus test has no instruction of that number");
}
[[noreturn]] COALESCE_API inline void agent_has_no_such_xcd(unsigned) {
  detail::refuse("a wave's xcd is not less than environment::l2_caches: an XCD has one L2");
}
[[noreturn]] COALESCE_API inline void litmus_test_has_no_such_wave(unsigned) {
  detail::refuse("the litmus test has no wave of that number");
}
[[noreturn]] COALESCE_API inline void litmus_has_no_lds() {
  detail::refuse("LDS is not modelled in litmus tests: only global memory is");
}
[[noreturn]] COALESCE_API inline void litmus_values_are_0_and_1(unsigned) {
  detail::refuse("in a litmus test each location holds 0, and whoever writes it writes 1");
}
[[noreturn]] COALESCE_API inline void outcome_has_another_number_of_values(unsigned) {
  detail::refuse("an outcome has a value for each load and returning atomic, wave by wave");
}
[[noreturn]] COALESCE_API inline void outcome_has_no_such_value(unsigned) {
  detail::refuse("the outcome has no value of that number: outcome `number` of `size` values is less than 2^size");
}
[[noreturn]] COALESCE_API inline void nothing_writes_that_location(unsigned) {
  detail::refuse("no wave of the litmus test writes that location, so nothing can reach its reader");
}
[[noreturn]] COALESCE_API inline void litmus_question_is_too_large(unsigned) {
  detail::refuse("the litmus question has more than 4194304 states: take instructions or a wave away");
}

}  // namespace coalescing::refused

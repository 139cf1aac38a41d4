// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/amd/misuse.hpp>

// The refusals of RDNA's functions. Refusals that all families share are in core/misuse.hpp, those that AMD's families
// share in amd/misuse.hpp.

namespace coalescing::refused {

[[noreturn]] COALESCE_API inline void gfx1250_has_cu_mode_only() {
  detail::refuse(
      "gfx1250 has one mode, which LLVM calls CU mode: environment::cu_mode is true there (its work-groups run on a "
      "whole "
      "workgroup processor)");
}
[[noreturn]] COALESCE_API inline void occupancy_of_the_chip_is_unknown() {
  detail::refuse(
      "no source tells how many waves fit on gfx1170, gfx1171, gfx1172 and gfx1310: only how much LDS a work-group "
      "has");
}
[[noreturn]] COALESCE_API inline void lds_granule_of_the_chip_is_unknown(unsigned) {
  detail::refuse("no source tells in what granules gfx1170, gfx1171, gfx1172 and gfx1310 give LDS to work-groups");
}
[[noreturn]] COALESCE_API inline void rdna_counter_is_out_of_range(unsigned) {
  detail::refuse(
      "the value is above the counter's largest (waitcnt's defaults, which mean: do not wait); an assembler that takes "
      "it waits for something else");
}
[[noreturn]] COALESCE_API inline void no_such_wait(unsigned) {
  detail::refuse("that 32-bit word is no wait of this generation, or has bits that are no counter");
}
[[noreturn]] COALESCE_API inline void list_has_no_such_word(unsigned) {
  detail::refuse("the index is not less than the number of words");
}
[[noreturn]] COALESCE_API inline void generation_does_not_issue_that() {
  detail::refuse(
      "this generation has no such instruction, or no source says what it counts in: gfx10 and gfx11 have no "
      "write-back, their invalidations and BVH are in none of our sources, gfx1250 has no counters for images, and it "
      "alone has asynchronous and tensor copies");
}
[[noreturn]] COALESCE_API inline void aux_has_bits_that_are_not_glc_slc_or_dlc(unsigned) {
  detail::refuse(
      "the aux operand has bits other than GLC (1), SLC (2) and DLC (4): 8 is no cache bit, and 16 is SC1 of gfx942 or "
      "part of the scope of gfx12");
}
[[noreturn]] COALESCE_API inline void aux_has_bits_that_are_not_th_or_scope(unsigned) {
  detail::refuse("the aux operand has bits other than TH (0 to 7) and the scope (8, 16, 24)");
}
[[noreturn]] COALESCE_API inline void th_is_out_of_range(unsigned) {
  detail::refuse("TH has three bits, in scalar loads two");
}
[[noreturn]] COALESCE_API inline void th_is_reserved() { detail::refuse("TH 7 of a load is reserved"); }
[[noreturn]] COALESCE_API inline void cascading_atomics_return_nothing() {
  detail::refuse(
      "an atomic of deferred scope (CASCADE) returns no value, and has a name in assembly at device and system scope "
      "only");
}
[[noreturn]] COALESCE_API inline void scalar_loads_have_no_slc() { detail::refuse("scalar loads have no SLC"); }
[[noreturn]] COALESCE_API inline void one_source_alone_tells_of_these_bits() {
  detail::refuse(
      "one comment in Mesa alone tells what gfx10's caches do with these bits (known here: no bit, GLC, GLC DLC, SLC)");
}

}  // namespace coalescing::refused

// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/kernel/interface.hpp>
#include <coalesce/host/kernel/run.hpp>

#include <cstddef>
#include <cstring>

// The functions that instrumented code calls at each access. Compilers insert the calls for clang's
// -fsanitize-coverage=trace-loads,trace-stores and for -fsanitize=thread, whose own library is not linked. Sources of
// the functions' names: Clang's SanitizerCoverage, "Tracing data flow"; LLVM,
// compiler-rt/lib/tsan/rtl/tsan_interface.h.

namespace coalescing::detail {

// The kernel's instrumented code calls these functions. Accesses that these functions make themselves are not noted.
// (The functions use inline functions. The linker keeps one copy of each inline function. If that copy comes from the
// kernel's file, it is instrumented.)

/// A range of bytes that is copied as a whole, and the place of the call that reported it.
struct copied_range {
  void const *begin = nullptr, *place = nullptr;
  std::size_t bytes = 0;
};
/// The last two ranges that instrumented code of g++ has reported: one that is read, and one that is written. When a
/// struct is copied, this code reports the struct that is read and the struct that is written. It does not report a
/// local variable. If the struct has many bytes, the code then calls memcpy for the same copy. note_copy() looks here,
/// so that it does not note that copy again.
inline copied_range last_read, last_written;

void note_on_host(void const volatile* to, unsigned bytes, touch kind, void const* place,
                  issued_instruction const* instruction) {
  if (!running.is_noted || !runs_the_block) return;
  running.is_noted = false;
  block_that_runs->note(reinterpret_cast<std::uint64_t>(to), bytes, kind, place, instruction);
  running.is_noted = true;
}
void note_copy_on_host(void const volatile* to, std::size_t bytes, touch kind, void const* place) {
  if (!running.is_noted || !runs_the_block || bytes == 0) return;  // memcpy may copy nothing
  running.is_noted = false;
  block_that_runs->note_copy(reinterpret_cast<std::uint64_t>(to), bytes, kind, place);
  running.is_noted = true;
}
/// Whether instrumented code has reported the beginning of a basic block. Until then, calls are not recorded.
inline bool blocks_are_told = false;

void begin_block_on_host(void const* place) {
  if (!running.is_noted || !runs_the_block) return;
  running.is_noted = false, blocks_are_told = true;
  block_that_runs->begin_block(place);
  running.is_noted = true;
}
void call_on_host(void const* caller) {
  if (!blocks_are_told || !running.is_noted || !runs_the_block) return;
  running.is_noted = false;
  block_that_runs->call(caller);
  running.is_noted = true;
}
void leave_on_host() {
  if (!blocks_are_told || !running.is_noted || !runs_the_block) return;
  running.is_noted = false;
  block_that_runs->leave();
  running.is_noted = true;
}
unsigned barrier_on_host(bool vote, void const* place) {
  unnoted const own;
  return block_that_runs->barrier(vote, place);
}
std::uint64_t exchange_on_host(std::uint64_t mask, void const* given, unsigned bytes, void const* place) {
  unnoted const own;
  return block_that_runs->exchange(mask, given, bytes, place);
}
void taken_on_host(unsigned lane, void* to, unsigned bytes, void const* place) {
  unnoted const own;
  block_that_runs->taken(lane, to, bytes, place);
}

}  // namespace coalescing::detail

// Macros write out the functions below. Their names differ by a number, and each function needs its caller's address.
#define COALESCE_NOTE(kind, bytes) \
  coalescing::detail::note_on_host(to, bytes, coalescing::touch::kind, __builtin_return_address(0))
#define COALESCE_NOTE_COPY(kind, bytes) \
  coalescing::detail::note_copy_on_host(to, bytes, coalescing::touch::kind, __builtin_return_address(0))
#define COALESCE_LOAD_COPY(name, bytes) \
  void name(void const* to) { COALESCE_NOTE_COPY(load, bytes); }
#define COALESCE_STORE_COPY(name, bytes) \
  void name(void* to) { COALESCE_NOTE_COPY(store, bytes); }
#define COALESCE_LOAD(name, bytes) \
  void name(void const* to) { COALESCE_NOTE(load, bytes); }
#define COALESCE_STORE(name, bytes) \
  void name(void* to) { COALESCE_NOTE(store, bytes); }
#define COALESCE_ACCESSES(N)                        \
  COALESCE_LOAD(__sanitizer_cov_load##N, N)         \
  COALESCE_STORE(__sanitizer_cov_store##N, N)       \
  COALESCE_LOAD(__tsan_read##N, N)                  \
  COALESCE_STORE(__tsan_write##N, N)                \
  COALESCE_LOAD_COPY(__tsan_unaligned_read##N, N)   \
  COALESCE_STORE_COPY(__tsan_unaligned_write##N, N) \
  COALESCE_LOAD(__tsan_volatile_read##N, N)         \
  COALESCE_STORE(__tsan_volatile_write##N, N)       \
  void __tsan_read_write##N(void* to) { COALESCE_NOTE(load, N), COALESCE_NOTE(store, N); }
#define COALESCE_FETCH(bits, name)                                                                            \
  std::uint##bits##_t __tsan_atomic##bits##_fetch_##name(void volatile* to, std::uint##bits##_t value, int) { \
    COALESCE_NOTE(atomic, bits / 8);                                                                          \
    return __atomic_fetch_##name(static_cast<volatile std::uint##bits##_t*>(to), value, __ATOMIC_SEQ_CST);    \
  }
#define COALESCE_EXCHANGE(bits, strength)                                                                             \
  int __tsan_atomic##bits##_compare_exchange_##strength(void volatile* to, void* expected, std::uint##bits##_t value, \
                                                        int, int) {                                                   \
    COALESCE_NOTE(atomic, bits / 8);                                                                                  \
    return __atomic_compare_exchange_n(static_cast<volatile std::uint##bits##_t*>(to),                                \
                                       static_cast<std::uint##bits##_t*>(expected), value, false, __ATOMIC_SEQ_CST,   \
                                       __ATOMIC_SEQ_CST);                                                             \
  }
#define COALESCE_COPY(name)                                              \
  void* __tsan_##name(void* into, void const* from, std::size_t bytes) { \
    void const* to = from;                                               \
    COALESCE_NOTE_COPY(load, bytes);                                     \
    to = into;                                                           \
    COALESCE_NOTE_COPY(store, bytes);                                    \
    coalescing::detail::unnoted const own;                               \
    return std::name(into, from, bytes);                                 \
  }
#define COALESCE_ATOMICS(bits)                                                                            \
  COALESCE_FETCH(bits, add)                                                                               \
  COALESCE_FETCH(bits, sub)                                                                               \
  COALESCE_FETCH(bits, and)                                                                               \
  COALESCE_FETCH(bits, or)                                                                                \
  COALESCE_FETCH(bits, xor)                                                                               \
  COALESCE_FETCH(bits, nand)                                                                              \
  COALESCE_EXCHANGE(bits, strong)                                                                         \
  COALESCE_EXCHANGE(bits, weak)                                                                           \
  std::uint##bits##_t __tsan_atomic##bits##_load(void const volatile* to, int) {                          \
    COALESCE_NOTE(load, bits / 8);                                                                        \
    return __atomic_load_n(static_cast<const volatile std::uint##bits##_t*>(to), __ATOMIC_SEQ_CST);       \
  }                                                                                                       \
  void __tsan_atomic##bits##_store(void volatile* to, std::uint##bits##_t value, int) {                   \
    COALESCE_NOTE(store, bits / 8);                                                                       \
    __atomic_store_n(static_cast<volatile std::uint##bits##_t*>(to), value, __ATOMIC_SEQ_CST);            \
  }                                                                                                       \
  std::uint##bits##_t __tsan_atomic##bits##_exchange(void volatile* to, std::uint##bits##_t value, int) { \
    COALESCE_NOTE(atomic, bits / 8);                                                                      \
    return __atomic_exchange_n(static_cast<volatile std::uint##bits##_t*>(to), value, __ATOMIC_SEQ_CST);  \
  }

extern "C" {

COALESCE_ACCESSES(1)
COALESCE_ACCESSES(2)
COALESCE_ACCESSES(4)
COALESCE_ACCESSES(8)
COALESCE_ACCESSES(16)
COALESCE_ATOMICS(8)
COALESCE_ATOMICS(16)
COALESCE_ATOMICS(32)
COALESCE_ATOMICS(64)

void __tsan_read_range(void const* to, std::size_t bytes) {
  COALESCE_NOTE_COPY(load, bytes);
  coalescing::detail::last_read = {to, __builtin_return_address(0), bytes};
}
void __tsan_write_range(void* to, std::size_t bytes) {
  COALESCE_NOTE_COPY(store, bytes);
  coalescing::detail::last_written = {to, __builtin_return_address(0), bytes};
}
// Instrumented code calls the next functions when it copies or fills a struct as a whole.
COALESCE_COPY(memcpy)
COALESCE_COPY(memmove)
void* __tsan_memset(void* to, int value, std::size_t bytes) {
  COALESCE_NOTE_COPY(store, bytes);
  coalescing::detail::unnoted const own;
  return std::memset(to, value, bytes);
}

void __tsan_func_entry(void* caller) { coalescing::detail::call_on_host(caller); }
void __tsan_func_exit() { coalescing::detail::leave_on_host(); }
void __sanitizer_cov_trace_pc() { coalescing::detail::begin_block_on_host(__builtin_return_address(0)); }

// An object's pointer to its table of virtual functions is loaded and stored like other pointers.
COALESCE_LOAD(__tsan_vptr_read, sizeof(void*))
void __tsan_vptr_update(void** to, void*) { COALESCE_NOTE(store, sizeof(void*)); }

// Instrumented code calls these functions, too. The functions do nothing, since no call of them is an access.
void __tsan_init() {}
void __tsan_atomic_thread_fence(int) {}
void __tsan_atomic_signal_fence(int) {}

}  // extern "C"

#undef COALESCE_NOTE
#undef COALESCE_NOTE_COPY
#undef COALESCE_LOAD_COPY
#undef COALESCE_STORE_COPY
#undef COALESCE_LOAD
#undef COALESCE_STORE
#undef COALESCE_ACCESSES
#undef COALESCE_FETCH
#undef COALESCE_COPY
#undef COALESCE_EXCHANGE
#undef COALESCE_ATOMICS

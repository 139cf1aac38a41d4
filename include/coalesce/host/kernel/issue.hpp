// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/kernel/interface.hpp>
#include <coalesce/host/kernel/threads.hpp>
#include <coalesce/host/pieces.hpp>

#include <cstdint>
#include <cstring>

// Records the instructions that a kernel writes as intrinsics or inline assembly. Most kernels wrap each such
// instruction in a small function. A test gives this function a body for the host. The body calls a function of this
// header, which names the instruction for the recorder. load_across() and cp_async() also move the data; issue() does
// not. Include this header, and define the bodies, before the kernel.

namespace coalescing {

namespace detail {

/// An instruction that a kernel issues by an intrinsic. A recorder gets its facts and its cost from one of these
/// functions, for warps of 32 or of 64 lanes.
struct issued_instruction {
  piece<32> (*of_32)() = nullptr;
  piece<64> (*of_64)() = nullptr;
};
template <class Instruction>
constexpr issued_instruction make_issued() {
  issued_instruction made;
  if constexpr (wave_of<Instruction> == 32) made.of_32 = &detail::piece_of<Instruction, 32>;
  if constexpr (wave_of<Instruction> == 64) made.of_64 = &detail::piece_of<Instruction, 64>;
  return made;
}
template <class Instruction>
inline constexpr issued_instruction issued_as = detail::make_issued<Instruction>();

}  // namespace detail

namespace host {

#ifdef __clang__  // each call keeps its own line: no tail calls, and no call shared by two branches
#pragma clang attribute push(__attribute__((not_tail_called)), apply_to = function)
#pragma clang attribute push(__attribute__((nomerge)), apply_to = function)
#endif
/// The running lane issues an instruction at an address. A lane whose address the instruction does not take issues
/// nothing: ldmatrix<1> takes the addresses of lanes 0 to 7. The caller must be inlined (__forceinline__), so that the
/// recorded line is a line of the kernel.
template <class Instruction>
[[gnu::noinline]] void issue(void const* address) {
  if (detail::running.lane < detail::asked_lanes<Instruction>)
    detail::note_on_host(address, Instruction::bytes, touch::issued, __builtin_return_address(0),
                         &detail::issued_as<Instruction>);
}

/// A load by which lanes receive what lies at other lanes' addresses, as ldmatrix and ds_read_tr do.
/// Instruction::source_of(k, v) says where value v of lane k comes from. All lanes of the warp must come here together.
template <class Instruction, class T, unsigned Values>
[[gnu::noinline]] void load_across(T (&values)[Values], void const* address) {
  void const* const place = __builtin_return_address(0);
  if (detail::running.lane < detail::asked_lanes<Instruction>)
    detail::note_on_host(address, Instruction::bytes, touch::issued, place, &detail::issued_as<Instruction>);
  detail::host_lanes::exchange<void const*> const all(0, address, place);
  detail::unnoted const quiet;
  for (unsigned v = 0; v != Values; ++v) {
    auto const from = Instruction::source_of(detail::running.lane, v);
    std::memcpy(&values[v], static_cast<char const*>(all.of(from.lane)) + from.element * sizeof(T), sizeof(T));
  }
}

/// cp.async: copies from global to shared memory, at once. (On the GPU the bytes are there only after a wait. This
/// function does not find out that a kernel reads the bytes before the wait.)
template <class Instruction>
[[gnu::noinline]] void cp_async(void* to, void const* from) {
  void const* const place = __builtin_return_address(0);
  detail::note_on_host(from, Instruction::global::bytes, touch::issued, place,
                       &detail::issued_as<typename Instruction::global>);
  detail::note_on_host(to, Instruction::shared::bytes, touch::issued, place,
                       &detail::issued_as<typename Instruction::shared>);
  detail::unnoted const quiet;
  std::memcpy(to, from, Instruction::shared::bytes);
}

#ifdef __clang__
#pragma clang attribute pop
#pragma clang attribute pop
#endif

}  // namespace host
}  // namespace coalescing

// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/text.hpp>
#include <coalesce/rdna/misuse.hpp>
#include <coalesce/rdna/rows.hpp>

#include <cstdint>

// The cache bits of RDNA's memory instructions: GLC, SLC and DLC on gfx10 and gfx11, TH and a scope on gfx12 and
// gfx1250. They have three forms: the operand of the buffer intrinsics (aux, LLVM's cpol), text, and bits of the
// instruction. All three are LLVM 22's; tests/truth/outside/llvm compares them. rdna/caches.hpp says what the caches do
// with the bits. CDNA has other bits, so an aux operand means something else there.

namespace coalescing::rdna {

/// The encoding of a memory instruction. It decides where the cache bits stand.
enum class instruction_format { global, buffer, scalar };  // `global` also stands for flat and scratch
COALESCE_API constexpr bool is_enumerator(instruction_format value) {
  return value == instruction_format::global || value == instruction_format::buffer ||
         value == instruction_format::scalar;
}

/// The kind of an access. The values of TH (the temporal hint) mean something else for each kind.
enum class access_kind { load, store, atomic };
COALESCE_API constexpr bool is_enumerator(access_kind value) {
  return value == access_kind::load || value == access_kind::store || value == access_kind::atomic;
}

/// The scopes that instructions of gfx12 and gfx1250 name: a compute unit (gfx1250: a workgroup processor, which LLVM
/// calls SCOPE_CU too), a shader engine, the device, the system.
enum class cache_scope { cu = 0, wgp = cu, se = 1, dev = 2, sys = 3 };
COALESCE_API constexpr bool is_enumerator(cache_scope value) {
  return value == cache_scope::cu || value == cache_scope::se || value == cache_scope::dev || value == cache_scope::sys;
}

namespace rules {

/// Whether the memory instructions of a generation have a scope among their bits.
template <class Generation>
inline constexpr bool names_a_scope = false;
template <>
inline constexpr bool names_a_scope<gfx12> = true;
template <>
inline constexpr bool names_a_scope<gfx1250> = true;

/// The positions of GLC, DLC and SLC in an instruction of gfx10 or gfx11, as bit numbers. Scalar loads have no SLC.
struct policy_positions {
  unsigned glc, dlc, slc{};
};
template <class Generation>
COALESCE_API constexpr policy_positions positions_of(instruction_format in);
template <>
COALESCE_API constexpr policy_positions positions_of<gfx10>(instruction_format in) {
  constexpr policy_positions rows[] = {{16, 12, 17}, {14, 15, 54}, {16, 14}};
  return rows[static_cast<unsigned>(in)];
}
template <>
COALESCE_API constexpr policy_positions positions_of<gfx11>(instruction_format in) {
  constexpr policy_positions rows[] = {{14, 13, 15}, {14, 13, 12}, {14, 13}};
  return rows[static_cast<unsigned>(in)];
}

}  // namespace rules

/// The cache bits of gfx10 and gfx11.
template <class Generation>
struct policy {
  bool glc = false;
  bool slc = false;
  bool dlc = false;

  bool operator==(policy const&) const = default;

  /// The operand of the buffer intrinsics: GLC is bit 0, SLC bit 1, DLC bit 2.
  [[nodiscard]] COALESCE_API constexpr unsigned aux() const {
    return (glc ? 1u : 0u) | (slc ? 2u : 0u) | (dlc ? 4u : 0u);
  }
  /// Reads the operand that aux() makes. Refused: an operand with a bit other than GLC, SLC and DLC.
  [[nodiscard]] COALESCE_API static constexpr policy from_aux(unsigned aux) {
    if (aux > 7) refused::aux_has_bits_that_are_not_glc_slc_or_dlc(aux);
    return {.glc = (aux & 1) != 0, .slc = (aux & 2) != 0, .dlc = (aux & 4) != 0};
  }
  /// The bits at their places in the first 64 bits of the instruction. Refused: SLC of a scalar load.
  [[nodiscard]] COALESCE_API constexpr std::uint64_t encoding(instruction_format in) const {
    coalescing::detail::check_enumerator(in);
    if (slc && in == instruction_format::scalar) refused::scalar_loads_have_no_slc();
    auto const at = rules::positions_of<Generation>(in);
    return (glc ? std::uint64_t{1} << at.glc : 0) | (slc ? std::uint64_t{1} << at.slc : 0) |
           (dlc ? std::uint64_t{1} << at.dlc : 0);
  }
  /// Reads the bits from the first 64 bits of an instruction, and ignores all other bits.
  [[nodiscard]] COALESCE_API static constexpr policy decode(std::uint64_t instruction, instruction_format in) {
    auto const said = [&](policy one) { return (instruction & one.encoding(in)) != 0; };
    return {.glc = said({.glc = true}),
            .slc = in != instruction_format::scalar && said({.slc = true}),
            .dlc = said({.dlc = true})};
  }
  /// The bits in assembler syntax, which is the same for every kind of access: "glc slc dlc".
  [[nodiscard]] COALESCE_API constexpr coalescing::text<48> text(access_kind of) const {
    coalescing::detail::check_enumerator(of);
    coalescing::text<48> words;
    if (glc) words.append("glc");
    if (slc) words.append(words.empty() ? "slc" : " slc");
    if (dlc) words.append(words.empty() ? "dlc" : " dlc");
    return words;
  }
};

/// The cache bits of gfx12 and gfx1250. TH, 0 to 7, says how the kernel will use the cache line (rdna/caches.hpp).
template <class Generation>
requires rules::names_a_scope<Generation>
struct policy<Generation> {
  unsigned th = 0;
  cache_scope scope = cache_scope::cu;

  bool operator==(policy const&) const = default;

  /// The operand of the buffer intrinsics: TH in bits 2:0, the scope in 4:3. Refused: TH above 7.
  [[nodiscard]] COALESCE_API constexpr unsigned aux() const {
    coalescing::detail::check_enumerator(scope);
    if (th > 7) refused::th_is_out_of_range(th);
    return th | static_cast<unsigned>(scope) << 3;
  }
  /// Reads the operand that aux() makes. Refused: an operand with a bit above bit 4.
  [[nodiscard]] COALESCE_API static constexpr policy from_aux(unsigned aux) {
    if (aux > 31) refused::aux_has_bits_that_are_not_th_or_scope(aux);
    return {.th = aux & 7, .scope = static_cast<cache_scope>(aux >> 3)};
  }
  /// The bits at their places in the first 64 bits of the instruction. Refused: a scalar load with a TH above 3.
  [[nodiscard]] COALESCE_API constexpr std::uint64_t encoding(instruction_format in) const {
    coalescing::detail::check_enumerator(in);
    std::uint64_t const low = aux() & 7, high = aux() >> 3;
    if (in != instruction_format::scalar) return high << 50 | low << 52;
    if (th > 3) refused::th_is_out_of_range(th);
    return high << 21 | low << 23;
  }
  /// Reads the bits from the first 64 bits of an instruction, and ignores all other bits.
  [[nodiscard]] COALESCE_API static constexpr policy decode(std::uint64_t instruction, instruction_format in) {
    coalescing::detail::check_enumerator(in);
    bool const scalar = in == instruction_format::scalar;
    return {.th = static_cast<unsigned>(instruction >> (scalar ? 23 : 52)) & (scalar ? 3u : 7u),
            .scope = static_cast<cache_scope>(instruction >> (scalar ? 21 : 50) & 3)};
  }
  /// The bits in assembler syntax: "th:TH_LOAD_NT scope:SCOPE_DEV". Refused: TH above 7; TH 7 of a load; an atomic of
  /// deferred scope (CASCADE: TH 4 to 7) that returns a value, or whose scope is narrower than the device.
  [[nodiscard]] COALESCE_API constexpr coalescing::text<48> text(access_kind of) const {
    static_cast<void>(aux());  // refuses a TH above 7
    coalescing::detail::check_enumerator(of);
    constexpr char const* loads[] = {"", "NT", "HT", "LU", "NT_RT", "RT_NT", "NT_HT", ""};
    constexpr char const* stores[] = {"", "NT", "HT", "WB", "NT_RT", "RT_NT", "NT_HT", "NT_WB"};
    constexpr char const* atomics[] = {"", "RETURN", "NT", "NT_RETURN", "CASCADE_RT", "", "CASCADE_NT", ""};
    constexpr char const* scopes[] = {"", "scope:SCOPE_SE", "scope:SCOPE_DEV", "scope:SCOPE_SYS"};
    if (of == access_kind::load && th == 7) refused::th_is_reserved();
    if (of == access_kind::atomic && th >= 4 && ((th & 1) != 0 || scope < cache_scope::dev))
      refused::cascading_atomics_return_nothing();
    bool const bypass = of != access_kind::atomic && th == 3 && scope == cache_scope::sys;
    coalescing::text<48> words;
    if (th != 0) {
      words.append(of == access_kind::load    ? "th:TH_LOAD_"
                   : of == access_kind::store ? "th:TH_STORE_"
                                              : "th:TH_ATOMIC_");
      words.append(bypass ? "BYPASS"
                          : (of == access_kind::load    ? loads
                             : of == access_kind::store ? stores
                                                        : atomics)[th]);
    }
    if (th != 0 && scope != cache_scope::cu) words.append(" ");
    words.append(scopes[static_cast<unsigned>(scope)]);
    return words;
  }
};

/// The cache bits of a machine, which is a generation or a chip. A chip has those of its generation.
template <class Machine>
using bits = policy<typename generation_of<Machine>::type>;

/// Reads the aux operand that a kernel passes to a buffer intrinsic. The caller names the machine, since the operand
/// means something else in each family.
template <class Machine>
[[nodiscard]] COALESCE_API constexpr bits<Machine> from_aux(unsigned aux) {
  return bits<Machine>::from_aux(aux);
}

}  // namespace coalescing::rdna

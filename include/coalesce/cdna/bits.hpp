// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cdna/misuse.hpp>

// The bits SC1, SC0 and NT, by which a vector memory instruction of CDNA 3 and 4 states its scope and reuse. The
// documents are in cdna/documents.hpp.

namespace coalescing::cdna {

/// Who must see the access: a wave's 64 lanes, a work-group, the agent (the GPU, or the partition of it that the
/// program sees), or several agents and the CPU.
enum class scope { wave, group, device, system };
COALESCE_API constexpr bool is_enumerator(scope value) {
  return value == scope::wave || value == scope::group || value == scope::device || value == scope::system;
}

/// Whether the line is expected to be used again.
enum class reuse { temporal, non_temporal };
COALESCE_API constexpr bool is_enumerator(reuse value) {
  return value == reuse::temporal || value == reuse::non_temporal;
}

/// The agent that the access runs on, and how its work-groups were launched.
struct environment {
  unsigned l2_caches = 1;  ///< how many L2s the agent has (product::l2_caches of cdna/products.hpp)
  bool tg_split = false;   ///< the waves of a work-group may run on several compute units of an XCD
};

/// The cache control bits of a vector memory instruction (flat, global, scratch, buffer).
struct bits {
  bool sc1 = false;
  bool sc0 = false;
  bool nt = false;

  /// These bits as the operand aux of a buffer intrinsic: SC0 is bit 0, NT bit 1, SC1 bit 4 (OPTGUIDE).
  [[nodiscard]] COALESCE_API constexpr unsigned aux() const {
    return (sc0 ? 1u : 0u) | (nt ? 2u : 0u) | (sc1 ? 16u : 0u);
  }
  bool operator==(bits const&) const = default;
};

/// The bits that a buffer intrinsic's operand aux states. Refused: an operand with a bit other than SC0, NT and SC1.
[[nodiscard]] COALESCE_API constexpr bits from_aux(unsigned aux) {
  bits const known{.sc1 = (aux & 16) != 0, .sc0 = (aux & 1) != 0, .nt = (aux & 2) != 0};
  if (known.aux() != aux) refused::aux_has_bits_that_are_not_sc0_nt_or_sc1(aux);
  return known;
}

/// The bits that state a scope and a reuse. {SC1, SC0} as a number of two bits is 0 for wave, 1 for group, 2 for
/// device, 3 for system; NT says that no reuse is expected (ISA4 9.1.10.2).
[[nodiscard]] COALESCE_API constexpr bits encode(scope visible, reuse hint = reuse::temporal) {
  coalescing::detail::check_enumerator(visible);
  coalescing::detail::check_enumerator(hint);
  unsigned const count = static_cast<unsigned>(visible);
  return {.sc1 = (count & 2) != 0, .sc0 = (count & 1) != 0, .nt = hint == reuse::non_temporal};
}

namespace rules {
/// {SC1, SC0} as a number: 0 wave, 1 group, 2 device, 3 system.
COALESCE_API constexpr unsigned scope_index(bits said) { return (said.sc1 ? 2u : 0u) + (said.sc0 ? 1u : 0u); }
/// Appends the bits that are set, in assembler syntax: " sc0 nt sc1".
template <class Text>
COALESCE_API constexpr void append_bits(Text& to, bits const& said) {
  if (said.sc0) to.append(" sc0");
  if (said.nt) to.append(" nt");
  if (said.sc1) to.append(" sc1");
}

}  // namespace rules

/// The scope and reuse that the bits of a load or store state.
struct decoded {
  cdna::scope scope = scope::system;
  cdna::reuse reuse = reuse::temporal;

  bool operator==(decoded const&) const = default;
};
[[nodiscard]] COALESCE_API constexpr decoded decode(bits said) {
  return {.scope = static_cast<scope>(rules::scope_index(said)),
          .reuse = said.nt ? reuse::non_temporal : reuse::temporal};
}

/// The meaning of the bits on an atomic (ISA4 9.1.10.2). An atomic bypasses L1 whatever its scope. So SC0 is not part
/// of the scope there, but says whether the atomic returns a value.
struct atomic_control {
  bool returns_value = false;         ///< SC0: returns the value that was there before the operation
  cdna::scope scope = scope::system;  ///< SC1: system, else device; never wave or group
  bool allocates_in_llc = true;       ///< the bit NT is not set

  bool operator==(atomic_control const&) const = default;
};
[[nodiscard]] COALESCE_API constexpr atomic_control decode_atomic(bits said) {
  return {.returns_value = said.sc0, .scope = said.sc1 ? scope::system : scope::device, .allocates_in_llc = !said.nt};
}
/// The bits of an atomic. Refused: wave and group scope. The hardware runs such an atomic with device scope, so name
/// device scope.
[[nodiscard]] COALESCE_API constexpr bits encode_atomic(atomic_control const& atomic) {
  coalescing::detail::check_enumerator(atomic.scope);
  if (atomic.scope != scope::device && atomic.scope != scope::system) refused::atomics_have_device_or_system_scope();
  return {.sc1 = atomic.scope == scope::system, .sc0 = atomic.returns_value, .nt = !atomic.allocates_in_llc};
}

}  // namespace coalescing::cdna

// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/config.hpp>

#include <cstddef>
#include <string>
#include <string_view>

// How the names of machines may be spelled, since nvcc, hip, profilers and people spell one machine differently.
//
// - Upper and lower case are alike, and '_', '-' and blanks are left out: H100, RTX 4090.
// - cc90, sm_90, compute_90, CC 9.0 and 9.0 are one capability. The letter a or f after it, as in sm_90a or sm_100f,
//   says which instructions a compiler may use (nvcc 13.0, "GPU Feature List"). The machine is the same, so each
//   capability may have either letter.
// - A target of AMD may have its features after it, gfx942:sramecc+:xnack-, which change no cost.
// - ::wave64 after a chip of RDNA means its waves of 64 lanes.

namespace coalescing::detail {

/// A letter of ASCII in lower case; any other character as it is, whatever the locale.
[[nodiscard]] constexpr char lower_case(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
[[nodiscard]] inline std::string lower_case(std::string_view word) {
  std::string lower(word);
  for (char& c : lower) c = lower_case(c);
  return lower;
}

/// A target of AMD whose name may have features after it, each at most once: gfx942:sramecc+:xnack-. Source: LLVM 22,
/// AMDGPUUsage, "Processors" and "Target ID".
struct target_features {
  std::string_view target;
  bool has_sramecc;  ///< whether it has sramecc; all of these targets have xnack
};
inline constexpr target_features targets_with_features[] = {
    {"gfx90a", true}, {"gfx942", true}, {"gfx950", true}, {"gfx1010", false}, {"gfx1012", false}};

/// Removes :sramecc+, :sramecc-, :xnack+ and :xnack- from the end of a name, if its target has them.
[[nodiscard]] inline std::string_view without_features(std::string_view name) {
  auto const family = name.rfind("::");
  auto const begin = family == name.npos ? 0 : family + 2;
  auto const colon = name.find(':', begin);
  if (colon == name.npos) return name;
  for (target_features const& each : targets_with_features) {
    if (name.substr(begin, colon - begin) != each.target) continue;
    bool may_be_sramecc = each.has_sramecc, may_be_xnack = true;
    std::string_view rest = name.substr(colon);
    while (!rest.empty()) {
      std::string_view const word = rest.substr(0, rest.find(':', 1));
      bool const is_sramecc = word == ":sramecc+" || word == ":sramecc-",
                 is_xnack = word == ":xnack+" || word == ":xnack-";
      if (!(is_sramecc && may_be_sramecc) && !(is_xnack && may_be_xnack)) return name;
      may_be_sramecc = may_be_sramecc && !is_sramecc, may_be_xnack = may_be_xnack && !is_xnack;
      rest.remove_prefix(word.size());
    }
    return name.substr(0, colon);
  }
  return name;
}

/// The name cc90 of a capability that is spelled sm90, compute90, cc9.0, 9.0 or sm90a. Empty if the name is not a
/// capability's.
[[nodiscard]] inline std::string capability_of(std::string_view name) {
  bool has_prefix = false;
  for (std::string_view const prefix : {"sm", "compute", "cc"})
    if (!has_prefix && name.starts_with(prefix)) has_prefix = true, name.remove_prefix(prefix.size());
  if (name.ends_with('a') || name.ends_with('f')) name.remove_suffix(1);
  bool const has_dot = name.size() > 2 && name[name.size() - 2] == '.';
  std::string digits(name);
  if (has_dot) digits.erase(digits.size() - 2, 1);
  bool const is_number = !digits.empty() && digits.find_first_not_of("0123456789") == digits.npos;
  return is_number && (has_prefix || has_dot) ? "cc" + digits : "";
}

/// A machine's name in the one form that all its spellings share, without ::wave64. is_wave64 says whether the name had
/// ::wave64.
struct machine_spelling {
  std::string name;
  bool is_wave64 = false;
};
[[nodiscard]] inline machine_spelling spelling_of(std::string_view asked) {
  std::string lower = detail::lower_case(asked);
  constexpr std::string_view wave64 = "::wave64";
  bool const is_wave64 = lower.ends_with(wave64);
  if (is_wave64) lower.resize(lower.size() - wave64.size());
  std::string packed;
  for (char const c : detail::without_features(lower))
    if (c != ' ' && c != '_' && c != '-') packed += c;
  auto const family = packed.rfind("::");
  auto const begin = family == packed.npos ? 0 : family + 2;
  if (auto const capability = detail::capability_of(std::string_view(packed).substr(begin)); !capability.empty())
    packed = packed.substr(0, begin) + capability;
  return {packed, is_wave64};
}

}  // namespace coalescing::detail

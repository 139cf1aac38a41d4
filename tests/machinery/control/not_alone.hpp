// SPDX-License-Identifier: BSL-1.0
#pragma once
// Does not compile alone: it uses std::uint64_t without including <cstdint>.
inline std::uint64_t forgotten = 0;

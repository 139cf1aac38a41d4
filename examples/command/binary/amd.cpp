// SPDX-License-Identifier: BSL-1.0
#include "../binary.hpp"

#include <coalesce/host/binary/amd.hpp>

coalescing::binary_answer answer_of_amd(std::string const& machine, std::string const& text,
                                        coalescing::binary_launch const& launch) {
  return coalescing::amdgcn::record(machine, text, launch);
}

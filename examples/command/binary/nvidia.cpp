// SPDX-License-Identifier: BSL-1.0
#include "../binary.hpp"

#include <coalesce/host/binary/nvidia.hpp>

coalescing::binary_answer answer_of_nvidia(std::string const& machine, std::string const& text,
                                           coalescing::binary_launch const& launch) {
  return coalescing::sass::record(machine, text, launch);
}

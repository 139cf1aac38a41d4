// SPDX-License-Identifier: BSL-1.0
#pragma once
#include "run.hpp"

#include <cstddef>
#include <string>

// Kernels with so many registers, so much LDS and such work-groups, and what LLVM 22's comments say of them.

namespace coalescing_tests {

/// A kernel that clobbers registers ("~{v99},~{s3}"), and names its LDS. work_group_size: 0 is any.
inline std::string kernel_text(std::size_t number, std::string const& clobbers, unsigned lds_bytes,
                               unsigned work_group_size) {
  auto const n = std::to_string(number), size = std::to_string(work_group_size);
  std::string text;
  if (lds_bytes != 0)
    text += "@lds" + n + " = internal addrspace(3) global [" + std::to_string(lds_bytes) + " x i8] poison\n";
  text +=
      "define amdgpu_kernel void @k" + n + "() #" + n + " {\n  call void asm sideeffect \"\", \"" + clobbers + "\"()\n";
  if (lds_bytes != 0) text += "  call void asm sideeffect \"; $0\", \"s\"(ptr addrspace(3) @lds" + n + ")\n";
  return text + "  ret void\n}\nattributes #" + n + " = { \"amdgpu-flat-work-group-size\"=\"" +
         (work_group_size == 0 ? "1,1024" : size + "," + size) + "\" }\n";
}

/// Where the assembly of a kernel begins.
inline std::size_t kernel_at(std::string const& assembly, std::size_t number) {
  auto const at = assembly.find("\nk" + std::to_string(number) + ":");
  if (at == assembly.npos) fail("llc does not print kernel " + std::to_string(number));
  return at;
}
/// The number after some words, from a place on.
inline unsigned number_after(std::string const& text, char const* words, std::size_t from) {
  auto const at = text.find(words, from);
  if (at == text.npos) fail(std::string("llc does not print ") + words);
  return static_cast<unsigned>(std::stoul(text.substr(at + std::string(words).size())));
}

}  // namespace coalescing_tests

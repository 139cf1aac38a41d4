// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/rdna/counters/gfx10_and_gfx11.hpp>
#include <coalesce/rdna/counters/gfx12_and_gfx1250.hpp>
#include <coalesce/rdna/rows.hpp>

// The instructions that wait for counters: values, encodings, texts. rdna/issued.hpp says which counter an instruction
// counts in. The encodings are those of LLVM 22's assembler; tests/truth/outside/llvm compares every value. The widths
// are from ISA3, ISA4 and, for gfx1250, CDNA5 3.1 (rdna/documents.hpp).

namespace coalescing::rdna {

/// The wait counters of a generation, or of a chip's generation. Refused: a chip that is only named.
template <class Machine>
using waitcnt = waits<typename generation_of<Machine>::type>;

}  // namespace coalescing::rdna

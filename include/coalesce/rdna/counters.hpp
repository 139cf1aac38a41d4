// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/rdna/counters/gfx10_and_gfx11.hpp>
#include <coalesce/rdna/counters/gfx12_and_gfx1250.hpp>
#include <coalesce/rdna/rows.hpp>

// The instructions that wait for counters: the values that they wait for, their encodings and texts. rdna/issued.hpp
// says which counter an instruction counts in. The encodings are those of LLVM 22's assembler; tests/truth/outside/llvm
// compares the encoding of every value. The widths of the counters are from ISA3, ISA4 and, for gfx1250, CDNA5 3.1
// (rdna/documents.hpp).

namespace coalescing::rdna {

/// The wait counters of a machine, which is a generation or a chip. A chip has those of its generation. Refused: a chip
/// of which only the name and the size of LDS are known.
template <class Machine>
using waitcnt = waits<typename generation_of<Machine>::type>;

}  // namespace coalescing::rdna

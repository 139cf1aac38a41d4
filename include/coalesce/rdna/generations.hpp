// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/machines.hpp>

// The names of RDNA's chips and generations. A chip's row in rdna/rows.hpp has the chip's numbers and its generation.
// rdna/counters.hpp and rdna/bits.hpp have a generation's counters and encodings. gfx1170, gfx1171, gfx1172 and gfx1310
// are in LLVM's newest sources, but in no release that the tests compare with; here they have only a name and the size
// of LDS.

namespace coalescing::rdna {

enum class chip {
  // RDNA 1
  gfx1010,
  gfx1012,
  // RDNA 2
  gfx1030,
  gfx1036,
  // RDNA 3
  gfx1100,
  gfx1101,
  gfx1102,
  gfx1103,
  // RDNA 3.5
  gfx1150,
  gfx1151,
  gfx1152,
  gfx1153,
  // RDNA 4
  gfx1200,
  gfx1201,
  // CDNA 5: the instructions are like gfx12's, the hardware is not
  gfx1250,
  gfx1251,
  // RDNA 4m, a name in LLVM's newest sources
  gfx1170,
  gfx1171,
  gfx1172,
  // gfx13, a name in LLVM's newest sources, too
  gfx1310
};

/// The instructions of a chip (rdna.hpp).
template <chip Chip>
struct machine;

/// The generations. Each is an instruction set that several chips share. synchronize() and waitcnt take a generation or
/// a chip. gfx1250 is a chip and also a generation, to which gfx1251 belongs, too.
struct gfx10 {
  using generation = gfx10;
};
struct gfx11 {
  using generation = gfx11;
};
struct gfx12 {
  using generation = gfx12;
};

using gfx1010 = machine<chip::gfx1010>;
using gfx1012 = machine<chip::gfx1012>;
using gfx1030 = machine<chip::gfx1030>;
using gfx1036 = machine<chip::gfx1036>;
using gfx1100 = machine<chip::gfx1100>;
using gfx1101 = machine<chip::gfx1101>;
using gfx1102 = machine<chip::gfx1102>;
using gfx1103 = machine<chip::gfx1103>;
using gfx1150 = machine<chip::gfx1150>;
using gfx1151 = machine<chip::gfx1151>;
using gfx1152 = machine<chip::gfx1152>;
using gfx1153 = machine<chip::gfx1153>;
using gfx1200 = machine<chip::gfx1200>;
using gfx1201 = machine<chip::gfx1201>;
using gfx1250 = machine<chip::gfx1250>;
using gfx1251 = machine<chip::gfx1251>;
using gfx1170 = machine<chip::gfx1170>;
using gfx1171 = machine<chip::gfx1171>;
using gfx1172 = machine<chip::gfx1172>;
using gfx1310 = machine<chip::gfx1310>;

/// The list of every chip, for tests and examples.
using every_machine = machine_list<       // by architecture
    gfx1010, gfx1012,                     // RDNA 1
    gfx1030, gfx1036,                     // RDNA 2
    gfx1100, gfx1101, gfx1102, gfx1103,   // RDNA 3
    gfx1150, gfx1151, gfx1152, gfx1153,   // RDNA 3.5
    gfx1200, gfx1201,                     // RDNA 4
    gfx1250, gfx1251,                     // CDNA 5
    gfx1170, gfx1171, gfx1172, gfx1310>;  // only the name and the size of LDS are known
/// The names in every_machine, in the same order. By them co::compare sees which machines follow one another.
inline constexpr char names_of_machines[] =
    "gfx1010 gfx1012 gfx1030 gfx1036 gfx1100 gfx1101 gfx1102 gfx1103 gfx1150 gfx1151 gfx1152 gfx1153 gfx1200 gfx1201 "
    "gfx1250 gfx1251 gfx1170 gfx1171 gfx1172 gfx1310";

}  // namespace coalescing::rdna

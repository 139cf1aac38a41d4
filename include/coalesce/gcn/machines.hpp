// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/machines.hpp>
#include <coalesce/core/name.hpp>
#include <coalesce/gcn/rows.hpp>

namespace coalescing::gcn {

/// GCN is one machine. Its instructions stand in the namespace itself (gcn.hpp).
struct machine {
  using row = gcn::row;
  static constexpr char const* name = row::name;
  static constexpr machine_name identity{.family = {.name = "gcn"}, .counted_by = profiler::rocprof_mi100};
  struct issues;  // the instructions that record.hpp counts; defined in gcn.hpp
};
using every_machine = machine_list<machine>;

}  // namespace coalescing::gcn

// SPDX-License-Identifier: BSL-1.0
#include <coalesce/host/binary.hpp>
#include <coalesce/host/trace.hpp>

// In a program that links coalesce::host these templates are declared and not defined, so this file may define them.

template <class Machine>
coalescing::binary_answer coalescing::amdgcn::record(std::string_view, binary_launch const&) {
  return {};
}
template <class Machine>
coalescing::binary_answer coalescing::sass::record(std::string_view, binary_launch const&) {
  return {};
}
template <class Machine>
coalescing::replayed coalescing::replay(std::istream&, trace_format, replay_options const&) {
  return {};
}
template <class Machine>
coalescing::replayed coalescing::replay_files(std::vector<std::string> const&, trace_format, replay_options const&) {
  return {};
}

// SPDX-License-Identifier: BSL-1.0
// Reads what a program compiled by `coalesce run --keep` writes to its pipe, and prints for each access to global
// memory how many lines of 128 bytes its warps touched, as an instrumented run on a GPU prints it (gpudrano.py compares
// them):
//
//     warps PROGRAM < PIPE        file, line, column, kind, then for addresses as they are, and for distances from the
//                                 warp's lowest address: issued, sum, least, most

#include <coalesce/host/kernel/symbolizer.hpp>
#include <coalesce/host/run/messages.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace co = coalescing;

namespace {

struct counted {
  std::uint64_t issued = 0, sum = 0, least = ~std::uint64_t{0}, most = 0;
  void add(std::uint64_t lines) {
    ++issued, sum += lines, least = std::min(least, lines), most = std::max(most, lines);
  }
};

std::uint64_t lines_of(co::detail::visit_of_lanes<32> const& visit, bool is_relative) {
  std::array<std::uint64_t, 64> lines;
  auto end = lines.begin();
  std::uint64_t lowest = ~std::uint64_t{0};
  for (unsigned lane = 0; lane != 32; ++lane)
    if ((visit.asked.active >> lane & 1) != 0) lowest = std::min(lowest, visit.asked.address[lane]);
  for (unsigned lane = 0; lane != 32; ++lane) {
    if ((visit.asked.active >> lane & 1) == 0) continue;
    std::uint64_t const first = visit.asked.address[lane] - (is_relative ? lowest : 0);
    *end++ = first / 128, *end++ = (first + visit.asked.bytes - 1) / 128;
  }
  std::sort(lines.begin(), end);
  return static_cast<std::uint64_t>(std::unique(lines.begin(), end) - lines.begin());
}

}  // namespace

int main(int count, char** words) {
  if (count != 2) return 2;
  co::detail::symbolizer lines(words[1]);
  co::detail::message_reader from(0);
  std::vector<co::memory_space> spaces;
  std::map<std::pair<std::uint64_t, co::touch>, std::pair<counted, counted>> places;
  std::vector<co::detail::host_place> known;
  co::detail::message kind = {};
  bool more = true;
  while (more && from.has_more() && from.take(kind)) {
    std::uint64_t number = 0;
    std::string name;
    co::host::dim3 extents;
    co::place block = {};
    unsigned warp = 0;
    switch (kind) {
      case co::detail::message::array:
        spaces.emplace_back();
        more = from.take(number) && from.take(number) && from.take(spaces.back()) && from.take(name);
        break;
      case co::detail::message::launch:
        more = from.take(name) && from.take(number) && from.take(extents) && from.take(extents);
        break;
      case co::detail::message::place:
        more = co::detail::take_place(from, known.emplace_back());
        break;
      case co::detail::message::warp:
        more = from.take(block) && from.take(warp);
        break;
      case co::detail::message::instruction: {
        co::detail::visit_of_lanes<32> visit;
        bool uneven = false, unwritten = false;
        more = co::detail::take_instruction(from, visit, uneven, unwritten);
        if (!more) break;
        auto const& place = known[visit.place];
        if (spaces[place.array] != co::memory_space::global) break;
        visit.asked.bytes = place.bytes;
        auto& [absolute, relative] = places[{place.address, place.kind}];
        absolute.add(lines_of(visit, false)), relative.add(lines_of(visit, true));
        break;
      }
      case co::detail::message::block_ends:
        break;
      case co::detail::message::launch_ends:
        more = from.take(number);
        break;
      case co::detail::message::launch_fails:
        std::fputs("a launch failed\n", stderr);
        return 1;
      case co::detail::message::refused:
        if (from.take(name)) std::fprintf(stderr, "%s\n", name.c_str());
        return 1;
    }
  }
  for (auto const& [place, counts] : places) {
    auto const line = lines.find(place.first - 1);
    auto const& [a, r] = counts;
    std::printf("%s\t%u\t%u\t%s\t%llu\t%llu\t%llu\t%llu\t%llu\t%llu\t%llu\t%llu\n", line.file.c_str(), line.line,
                line.column,
                place.second == co::touch::load    ? "load"
                : place.second == co::touch::store ? "store"
                                                   : "atomic",
                static_cast<unsigned long long>(a.issued), static_cast<unsigned long long>(a.sum),
                static_cast<unsigned long long>(a.least), static_cast<unsigned long long>(a.most),
                static_cast<unsigned long long>(r.issued), static_cast<unsigned long long>(r.sum),
                static_cast<unsigned long long>(r.least), static_cast<unsigned long long>(r.most));
  }
}

// SPDX-License-Identifier: BSL-1.0
#include "questions.hpp"

#include <cstdio>
#include <cstring>

namespace recompute {

namespace {

std::uint64_t mask_for(random_numbers& random, unsigned lanes) {
  std::uint64_t const all = ~std::uint64_t{0} >> (64 - lanes);
  switch (random.below(12)) {
    default:
      return all;
    case 5:
      return random.next() & all;
    case 6:
      return random.next() & random.next() & random.next() & all;
    case 7:
      return all >> random.below(lanes);
    case 8:
      return std::uint64_t{1} << random.below(lanes);
    case 9:
      return ((std::uint64_t{1} << random.below(lanes)) | (std::uint64_t{1} << random.below(lanes)));
    case 10:
      return 0x1111'1111'1111'1111 * random.below(16) & all;
    case 11:
      return (std::uint64_t{0xffff} << 16 * random.below(4) | std::uint64_t{0xff} << 8 * random.below(8)) & all;
  }
}

/// The kinds that kernels make, and those that break models.
addresses addresses_for(random_numbers& random, instruction const& about, std::uint64_t active) {
  std::uint64_t const bytes = about.bytes, room = about.capacity != 0 ? about.capacity : std::uint64_t{1} << 48;
  std::uint64_t base = random.below(3) == 0 ? bytes * random.below(64) : random.below(room / 4) / 256 * 256;
  if (random.one_in(4)) base += bytes * random.below(32);
  addresses made{};
  auto const each = [&](auto const& address) {
    for (unsigned lane = 0; lane != 64; ++lane) made.of_lane[lane] = address(lane);
  };
  bool const merges = about.name.starts_with("shared_load") && bytes >= 8;
  switch (merges && random.one_in(2) ? 10 : random.below(12)) {
    case 0:  // neighbours
      each([&](unsigned lane) { return base + lane * bytes; });
      break;
    case 1: {  // a stride, up or down
      std::uint64_t const strides[] = {2 * bytes, 3 * bytes, bytes * random.below(70), 32, 64, 128,
                                       256,       512,       4 * random.below(300),    0};
      std::uint64_t const stride = strides[random.below(10)] / (bytes < 4 ? bytes : 4) * (bytes < 4 ? bytes : 4);
      bool const down = random.one_in(3);
      each([&](unsigned lane) { return base + (down ? 63 - lane : lane) * (stride / bytes * bytes); });
      break;
    }
    case 2: {  // a permutation within groups of 2 to 64 lanes: all of it, or a swap or two
      each([&](unsigned lane) { return base + lane * bytes; });
      unsigned const group = 2u << random.below(6);
      std::uint64_t const swaps = random.one_in(2) ? 64 : random.below(4);
      for (std::uint64_t k = 0; k != swaps; ++k) {
        auto const lane = static_cast<unsigned>(swaps == 64 ? k : random.below(64));
        auto const other = lane / group * group + static_cast<unsigned>(random.below(group));
        std::uint64_t const kept = made.of_lane[lane];
        made.of_lane[lane] = made.of_lane[other], made.of_lane[other] = kept;
      }
      break;
    }
    case 3: {  // few words
      std::uint64_t const words = 1 + random.below(5), apart = bytes << random.below(8);
      each([&](unsigned) { return base + random.below(words) * apart; });
      break;
    }
    case 4: {  // anywhere in a small window
      std::uint64_t const words = std::uint64_t{1} << random.below(9);
      each([&](unsigned) { return base + random.below(words) * bytes; });
      break;
    }
    case 5:  // anywhere
      each([&](unsigned) { return random.below(room) / bytes * bytes; });
      break;
    case 6: {  // a tile
      auto const width = static_cast<unsigned>(1u << random.below(6));
      std::uint64_t const pitch = bytes * random.below(300);
      each([&](unsigned lane) { return base + lane % width * bytes + lane / width * pitch; });
      break;
    }
    case 7: {  // a tile of a swizzled layout, 16-byte chunks
      auto const shift = random.below(4);
      std::uint64_t const pitch = std::uint64_t{64} << random.below(4);
      each([&](unsigned lane) {
        std::uint64_t const at = lane % 8 * (bytes < 16 ? 16 : bytes) + lane / 8 * pitch;
        return (base / 4096 * 4096 + (at ^ (at >> shift & 0x70))) / bytes * bytes;
      });
      break;
    }
    case 8: {  // the same bank, mostly
      std::uint64_t const row = random.one_in(2) ? 128 : 256;
      each([&](unsigned) { return base + row * random.below(12) + (random.one_in(5) ? bytes * random.below(9) : 0); });
      break;
    }
    case 9: {  // runs of each four lanes, in any order, with repeats
      for (unsigned quad = 0; quad != 64; quad += 4) {
        std::uint64_t const start = base + bytes * random.below(200);
        for (unsigned lane = quad; lane != quad + 4; ++lane)
          made.of_lane[lane] = start + bytes * (random.one_in(30) ? random.below(6) : random.below(4));
      }
      break;
    }
    case 11: {  // neighbours in each 16 lanes, from a boundary on or just beside it; some with one lane elsewhere
      for (unsigned first = 0; first != 64; first += 16) {
        std::uint64_t const start = base / 64 * 64 + 64 * random.below(16) + (random.one_in(5) ? bytes : 0);
        for (unsigned lane = first; lane != first + 16; ++lane) made.of_lane[lane] = start + (lane - first) * bytes;
        if (random.one_in(3)) made.of_lane[first + random.below(16)] = start + bytes * random.below(16);
      }
      break;
    }
    case 10: {  // pairs of lanes on one word
      unsigned const bit = 1u << random.below(3);
      std::uint64_t const apart = bytes * (1 + random.below(9));
      each([&](unsigned lane) { return base + (lane & ~bit) * apart + (random.one_in(200) ? bytes : 0); });
      break;
    }
  }
  if (about.capacity != 0)
    each([&](unsigned lane) { return made.of_lane[lane] % (about.capacity - bytes) / bytes * bytes; });
  std::uint64_t const off = (bytes == 12 ? 4 : bytes) * random.below(4);
  if (bytes == 12 && random.one_in(2)) each([&](unsigned lane) { return made.of_lane[lane] / 12 * 16; });
  if (about.capacity == 0 && random.one_in(12)) {  // the top of the address space, and past it
    std::uint64_t most = 0;
    for (std::uint64_t const address : made.of_lane) most = most < address ? address : most;
    each([&](unsigned lane) { return made.of_lane[lane] - most - bytes + (random.one_in(400) ? bytes / 2 : 0); });
  } else if (about.capacity != 0 && random.one_in(12)) {  // the end of the memory, and past it
    unsigned highest = 0;
    for (unsigned lane = 1; lane != about.lanes; ++lane)
      if (made.of_lane[highest] < made.of_lane[lane]) highest = lane;
    std::uint64_t const up = (about.capacity - bytes - made.of_lane[highest]) / bytes * bytes;
    each([&](unsigned lane) { return made.of_lane[lane] + up; });
    if (random.one_in(4)) made.of_lane[random.one_in(2) ? highest : random.below(64)] += bytes;
  } else if (about.below != 0 && random.one_in(4)) {  // from below byte 0 on, at times too low
    unsigned lowest = 0;
    for (unsigned lane = 1; lane != about.lanes; ++lane)
      if (made.of_lane[lowest] > made.of_lane[lane]) lowest = lane;
    std::uint64_t const down = made.of_lane[lowest] + about.below;
    each([&](unsigned lane) { return made.of_lane[lane] - down; });
    if (random.one_in(8)) made.of_lane[lowest] -= bytes;
  } else if (random.one_in(12)) {  // all misaligned, or aligned by less than the access has bytes
    each([&](unsigned lane) { return made.of_lane[lane] + off / 4; });
  } else if (random.one_in(16)) {  // a lane that is misaligned
    made.of_lane[random.below(64)] += 1 + random.below(bytes);
  }
  if (random.one_in(8))  // what inactive lanes have does not matter
    for (unsigned lane = 0; lane != 64; ++lane)
      if ((active >> lane & 1) == 0) made.of_lane[lane] = random.next();
  return made;
}

}  // namespace

char const* kind_of(char const* sentence) {
  struct {
    char const *words, *kind;
  } const kinds[] = {{"multiple of this instruction's alignment", "misaligned"},
                     {"past the top", "top"},
                     {"past the end", "end"},
                     {"the mask names lanes", "mask"},
                     {"all 64 lanes active", "inactive_lanes"},
                     {"all lanes of the warp execute", "inactive_lanes"},
                     {"scalar load is one request", "lanes_differ"}};
  for (auto const& [words, kind] : kinds)
    if (std::strstr(sentence, words) != nullptr) return kind;
  std::fprintf(stderr, "kind_of has no kind for \"%s\"\n", sentence);
  return "unknown";
}

namespace {

void print(std::string& line, addresses const& at, unsigned lanes) {
  char number[64];
  std::snprintf(number, sizeof number, "%llx", static_cast<unsigned long long>(at.of_lane[0]));
  line += number;
  for (unsigned lane = 1; lane != lanes;) {
    std::uint64_t const step = at.of_lane[lane] - at.of_lane[lane - 1];
    unsigned times = 1;
    while (lane + times != lanes && at.of_lane[lane + times] - at.of_lane[lane + times - 1] == step) ++times;
    bool const down = step >> 63 != 0;
    std::snprintf(number, sizeof number, ":%s%llx", down ? "-" : "",
                  static_cast<unsigned long long>(down ? 0 - step : step));
    line += number;
    if (times != 1) line += "*" + std::to_string(times);
    lane += times;
  }
}

}  // namespace

void ask(instruction const& about, unsigned questions) {
  random_numbers random(about.machine + about.name);
  for (unsigned k = 0; k != questions; ++k) {
    std::uint64_t active = recompute::mask_for(random, about.lanes);
    if (about.needs_all_lanes && !random.one_in(8)) active = ~std::uint64_t{0} >> (64 - about.lanes);
    auto const at = recompute::addresses_for(random, about, active);
    if (about.lanes < 64 && random.one_in(200))
      active |= std::uint64_t{1} << (about.lanes + random.below(64 - about.lanes));
    if (about.lanes < 64 && active == ~std::uint64_t{0}) active = 1;
    char mask[20];
    std::snprintf(mask, sizeof mask, "%llx", static_cast<unsigned long long>(active));
    std::string line =
        about.machine + " " + about.name + " lanes=" + std::to_string(about.lanes) + " mask=" + mask + " at=";
    recompute::print(line, at, about.lanes);
    line += " :";
    try {
      line += about.answer(at, active);
    } catch (co::misuse const& refused) {
      line.append(" refused=").append(recompute::kind_of(refused.what()));
      if (refused.lane() != co::misuse::no_lane) line += " lane=" + std::to_string(refused.lane());
    }
    std::puts(line.c_str());
  }
}

}  // namespace recompute

int main() {
  recompute::ask_tesla_to_kepler();
  recompute::ask_maxwell_and_pascal();
  recompute::ask_volta_to_ada();
  recompute::ask_hopper_on();
  recompute::ask_gcn();
  recompute::ask_cdna();
  recompute::ask_rdna();
  recompute::ask_launches();
}

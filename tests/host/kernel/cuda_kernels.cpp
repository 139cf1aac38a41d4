// SPDX-License-Identifier: BSL-1.0
#include <coalesce/cuda.hpp>
#include <coalesce/record.hpp>

#include <coalesce/host/cuda.hpp>

#include "kernels/attention.cu"
#include "kernels/block_sort.cu"
#include "kernels/histogram.cu"
#include "kernels/layer_norm.cu"
#include "kernels/paged_gather.cu"
#include "kernels/reduction.cu"
#include "kernels/scan.cu"
#include "kernels/sgemm.cu"
#include "kernels/spmv.cu"
#include "kernels/stencil.cu"
#include "kernels/transpose.cu"
//
#include "by_hand.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <numeric>

// Eleven CUDA kernels in the style of public ones, unmodified; what they cost by hand; and co::record of their bodies.
// (Shuffles touch no memory: the bodies leave them out.)

namespace co = coalescing;
using by_hand::count_up, by_hand::pieces, by_hand::rounds;
using co::cuda::cc90;
using co::host::array;

__shared__ int sorted[64];  // extern in block_sort

TEST_CASE("host: a transpose through a padded tile") {
  auto in = count_up(128 * 128), out = count_up(128 * 128);
  co::launch const threads{.grid = {4, 4}, .block = {32, 8}};
  auto const seen = co::host::record<cc90>(transpose, threads, array{"out", out}, array{"in", in}, 128u);
  for (unsigned y = 0; y != 128; ++y)
    for (unsigned x = 0; x != 128; ++x) CHECK(out[x * 128 + y] == in[y * 128 + x]);
  CHECK((seen.blocks == 16 && seen.blocks_alike));
  CHECK((seen.loads("in").issued == 16 * 32 && seen.loads("in").transactions == 16 * 32 * 4));
  CHECK((seen.stores("out").issued == 16 * 32 && seen.stores("out").transactions == 16 * 32 * 4));
  CHECK((seen.of("tile").conflicts == 0 && seen.of("tile").issued == 16 * 64));
  CHECK(std::string(seen[0].at.file).ends_with("kernels/transpose.cu"));
  CHECK((seen.at(5).issued == 16 * 64 && seen.at(8).issued == 16 * 64));
#ifdef __clang__  // the page quotes the table, with clang's columns
  std::string const here = __FILE__;
  std::ifstream page(here.substr(0, here.rfind('/')) + "/../../../include/coalesce/manual/your_kernel.md");
  std::string const words{std::istreambuf_iterator<char>(page), {}};
  CHECK(words.find("```text\n" + seen.text() + "```") != std::string::npos);
#endif

  auto const body = [](auto const& t, auto to, auto from, auto tile, unsigned width) {
    unsigned x = t.block.x * 32 + t.thread.x, y = t.block.y * 32 + t.thread.y;
    for (unsigned j = 0; j < 32; j += 8) tile[t.thread.y + j][t.thread.x] = from[(y + j) * width + x];
    t.sync();
    x = t.block.y * 32 + t.thread.x, y = t.block.x * 32 + t.thread.y;
    for (unsigned j = 0; j < 32; j += 8) to[(y + j) * width + x] = tile[t.thread.x][t.thread.y + j];
  };
  auto const bound = [body](auto const& t, auto to, auto from, auto tile) { body(t, to, from, tile, 128u); };
  co::kernel const same{threads, bound, co::global<float>{"out"}, co::global<float const>{"in"},
                        co::shared<float[32][33]>{"tile"}};
  CHECK(by_hand::agree(seen, co::record<cc90>(same, co::every_block), {"in", "out", "tile"}));
}

TEST_CASE("host: a reduction with shuffles") {
  auto in = count_up(4096);
  std::vector<float> out(2);
  auto const seen = co::host::record<cc90>(reduce, co::launch{.grid = {2}, .block = {256}}, array{"in", in},
                                           array{"out", out}, 4096u);
  CHECK(out[0] + out[1] == std::accumulate(in.begin(), in.end(), 0.f));
  CHECK((seen.loads("in").issued == 4096 / 32 && seen.loads("in").transactions == 4096 / 8));
  CHECK((seen.stores("sums").issued == 16 && seen.stores("sums").rounds == 16));
  CHECK((seen.loads("sums").issued == 2 && seen.loads("sums").rounds == 2));
  CHECK((seen.stores("out").issued == 2 && seen.stores("out").transactions == 2));

  auto const body = [](auto const& t, auto from, auto to, auto sums) {
    unsigned const thread = t.thread.x;
    float sum = 0.f;
    for (unsigned i = t.block.x * 256 + thread; i < 4096; i += 512) sum += from[i];
    if (thread % 32 == 0) sums[thread / 32] = sum;
    t.sync();
    if (thread < 8) sum = sums[thread];
    if (thread == 0) to[t.block.x] = sum;
  };
  co::kernel const same{co::launch{.grid = {2}, .block = {256}}, body, co::global<float const>{"in"},
                        co::global<float>{"out"}, co::shared<float[32]>{"sums"}};
  CHECK(by_hand::agree(seen, co::record<cc90>(same, co::every_block), {"in", "out", "sums"}));
}

TEST_CASE("host: a scan without padding") {
  std::vector<float> data(64, 1.f);
  auto const seen = co::host::record<cc90>(scan<64>, co::launch{.block = {32}}, array{"data", data});
  for (unsigned k = 0; k != 64; ++k) CHECK(data[k] == static_cast<float>(k));
  // Five of the six levels of the tree have two lanes on each bank. The last has one lane.
  constexpr std::uint64_t level = 5 * 2 + 1;
  CHECK((seen.loads("data").issued == 2 && seen.loads("data").transactions == 16));
  CHECK((seen.stores("data").issued == 2 && seen.stores("data").transactions == 16));
  CHECK((seen.loads("temp").issued == 2 * 6 + 3 * 6 + 2 && seen.loads("temp").rounds == 5 * level + 4));
  CHECK((seen.stores("temp").issued == 2 + 6 + 1 + 2 * 6 && seen.stores("temp").rounds == 4 + 3 * level + 1));

  auto const body = [](auto const& t, auto values, auto temp) {
    unsigned const k = t.thread.x;
    unsigned offset = 1;
    temp[2 * k] = values[2 * k];
    temp[2 * k + 1] = values[2 * k + 1];
    for (unsigned d = 32; d > 0; d /= 2) {
      t.sync();
      if (k < d) temp[offset * (2 * k + 2) - 1] += temp[offset * (2 * k + 1) - 1];
      offset *= 2;
    }
    if (k == 0) temp[63] = 0.f;
    for (unsigned d = 1; d < 64; d *= 2) {
      offset /= 2;
      t.sync();
      if (k < d) {
        unsigned const a = offset * (2 * k + 1) - 1, b = offset * (2 * k + 2) - 1;
        float const left = temp[a];
        temp[a] = temp[b];
        temp[b] = temp[b] + left;
      }
    }
    t.sync();
    values[2 * k] = temp[2 * k];
    values[2 * k + 1] = temp[2 * k + 1];
  };
  co::kernel const same{co::launch{.block = {32}}, body, co::global<float>{"data"}, co::shared<float[64]>{"temp"}};
  CHECK(by_hand::agree(seen, co::record<cc90>(same), {"data"}));
  // The host's compiler keeps temp[b] in a register where the source reads it again.
  CHECK(seen.stores("temp") == co::record<cc90>(same).stores("temp"));
}

TEST_CASE("host: a bitonic sort in dynamic shared memory") {
  std::vector<int> data(64);
  for (int k = 0; k != 64; ++k) data[static_cast<unsigned>(k)] = k * 37 % 64;
  auto const before = data;
  auto const seen = co::host::record<cc90>(block_sort, co::launch{.block = {64}}, array{"data", data});
  CHECK(std::is_sorted(data.begin(), data.end()));
  CHECK((seen.loads("sorted").issued == 21 * 2 * 2 + 2 && seen.stores("sorted").issued == 21 * 2 + 2));
  CHECK((seen.of("sorted").conflicts == 0 && seen.of("data").transactions == 16));

  auto const body = [](auto const& t, auto values, auto s) {
    unsigned const thread = t.thread.x;
    s[thread] = values[thread];
    t.sync();
    for (unsigned k = 2; k <= 64; k *= 2)
      for (unsigned j = k / 2; j > 0; j /= 2) {
        unsigned const other = thread ^ j;
        int const mine = s[thread], theirs = s[other];
        t.sync();
        bool const up = (thread & k) == 0, low = thread < other;
        s[thread] = (mine < theirs) == (up == low) ? mine : theirs;
        t.sync();
      }
    values[thread] = s[thread];
  };
  co::kernel const same{co::launch{.block = {64}}, body, co::global<int>{.name = "data", .contents = before},
                        co::shared<int[64]>{"sorted"}};
  CHECK(by_hand::agree(seen, co::record<cc90>(same), {"data", "sorted"}));
}

TEST_CASE("host: a tiled GEMM with float4") {
  auto a = count_up(128 * 64), b = count_up(64 * 128);
  std::vector<float> c(128 * 128);
  auto const seen = co::host::record<cc90>(sgemm, co::launch{.grid = {2, 2}, .block = {256}}, 128, 128, 64,
                                           array{"A", a}, array{"B", b}, array{"C", c});
  for (unsigned y = 0; y < 128; y += 17)
    for (unsigned x = 0; x != 128; ++x) {
      float sum = 0.f;
      for (unsigned k = 0; k != 64; ++k) sum += a[y * 64 + k] * b[k * 128 + x];
      CHECK(c[y * 128 + x] == sum);
    }
  // Blocks, tiles, warps; a warp's load of A has 16 rows of a sector, of B two rows of 256 bytes.
  for (char const* array : {"A", "B"})
    CHECK((seen.loads(array).issued == 4 * 8 * 4 && seen.loads(array).transactions == 4 * 8 * 4 * 16));
  CHECK((seen.stores("C").issued == 4 * 4 * 8 && seen.stores("C").transactions == 4 * 4 * 8 * 16));
  CHECK((seen.stores("As").issued == 4 * 8 * 4 * 4 && seen.stores("As").conflicts == 4 * 8 * 4 * 4));
  CHECK((seen.stores("Bs").issued == 4 * 8 * 4 && seen.stores("Bs").conflicts == 0));
  CHECK((seen.loads("As").issued == 4 * 8 * 8 * 8 && seen.loads("As").conflicts == 0));
  CHECK((seen.loads("Bs").issued == 4 * 8 * 8 * 8 && seen.loads("Bs").conflicts == 0));
  for (auto const& s : seen)
    if (s.space == co::memory_space::global) CHECK(s.bits == 128);

  auto const body = [](auto const& t, auto A, auto B, auto C, auto As, auto Bs) {
    unsigned const k = t.thread.x, tx = k % 16, ty = k / 16, row = t.block.y * 64, column = t.block.x * 64;
    for (unsigned step = 0; step < 64; step += 8) {
      if (k < 128) {
        float4 const four = co::as<float4 const>(&A[(row + k / 2) * 64 + step + k % 2 * 4])[0];
        As[k % 2 * 4 + 0][k / 2] = four.x;
        As[k % 2 * 4 + 1][k / 2] = four.y;
        As[k % 2 * 4 + 2][k / 2] = four.z;
        As[k % 2 * 4 + 3][k / 2] = four.w;
      } else {
        unsigned const s = k - 128;
        co::as<float4>(&Bs[s / 16][s % 16 * 4])[0] =
            co::value(co::as<float4 const>(&B[(step + s / 16) * 128 + column + s % 16 * 4])[0]);
      }
      t.sync();
      for (unsigned j = 0; j < 8; ++j) {
        (void)co::value(co::as<float4 const>(&As[j][ty * 4])[0]);
        (void)co::value(co::as<float4 const>(&Bs[j][tx * 4])[0]);
      }
      t.sync();
    }
    for (unsigned y = 0; y < 4; ++y) co::as<float4>(&C[(row + ty * 4 + y) * 128 + column + tx * 4])[0] = float4{};
  };
  co::kernel const same{co::launch{.grid = {2, 2}, .block = {256}},
                        body,
                        co::global<float const>{"A"},
                        co::global<float const>{"B"},
                        co::global<float>{"C"},
                        co::shared<float[8][64]>{"As"},
                        co::shared<float[8][64]>{"Bs"}};
  CHECK(by_hand::agree(seen, co::record<cc90>(same, co::every_block), {"A", "B", "C", "As", "Bs"}));
}

TEST_CASE("host: a tile of attention") {
  auto q = count_up(32 * 32), k = count_up(64 * 32), v = count_up(64 * 32);
  std::vector<float> out(32 * 32);
  auto const seen = co::host::record<cc90>(attention, co::launch{.block = {32}}, array{"q", q}, array{"k", k},
                                           array{"v", v}, array{"out", out}, 64, 0.001f);
  float weights = 0.f, sum = 0.f;  // row 3, column 5
  for (unsigned j = 0; j != 64; ++j) {
    float score = 0.f;
    for (unsigned d = 0; d != 32; ++d) score += q[3 * 32 + d] * k[j * 32 + d];
    weights += std::exp(score * 0.001f), sum += std::exp(score * 0.001f) * v[j * 32 + 5];
  }
  CHECK(out[3 * 32 + 5] == doctest::Approx(sum / weights).epsilon(0.001));
  for (char const* array : {"k", "v"}) CHECK((seen.loads(array).issued == 64 && seen.loads(array).transactions == 256));
  for (char const* array : {"ks", "vs"}) {
    CHECK((seen.stores(array).issued == 64 && seen.loads(array).issued == 2 * 32 * 32));
    CHECK(seen.of(array).conflicts == 0);
  }
  CHECK((seen.stores("scores").issued == 64 && seen.loads("scores").issued == 64 && seen.of("scores").conflicts == 0));
  CHECK((seen.stores("out").issued == 32 && seen.stores("out").transactions == 32 * 32));

  auto const body = [](auto const& t, auto queries, auto keys, auto values, auto to, auto ks, auto vs, auto scores) {
    unsigned const thread = t.thread.x, row = t.block.x * 32 + thread;
    for (unsigned tile = 0; tile < 64; tile += 32) {
      for (unsigned j = 0; j < 32; ++j) {
        ks[j][thread] = keys[(tile + j) * 32 + thread];
        vs[j][thread] = values[(tile + j) * 32 + thread];
      }
      t.sync();
      for (unsigned j = 0; j < 32; ++j) {
        float score = 0.f;
        for (unsigned d = 0; d < 32; ++d) score += queries[row * 32 + d] * ks[j][d];
        scores[thread][j] = score;
      }
      for (unsigned j = 0; j < 32; ++j) {
        float const p = scores[thread][j];
        float weighted = 0.f;
        for (unsigned d = 0; d < 32; ++d) weighted += p * vs[j][d];
      }
      t.sync();
    }
    for (unsigned d = 0; d < 32; ++d) to[row * 32 + d] = 0.f;
  };
  co::kernel const same{co::launch{.block = {32}},          body,
                        co::global<float const>{"q"},       co::global<float const>{"k"},
                        co::global<float const>{"v"},       co::global<float>{"out"},
                        co::shared<float[32][32]>{"ks"},    co::shared<float[32][32]>{"vs"},
                        co::shared<float[32][33]>{"scores"}};
  CHECK(by_hand::agree(seen, co::record<cc90>(same), {"k", "v", "out", "ks", "vs", "scores"}));
}

TEST_CASE("host: a histogram") {
  std::vector<unsigned> keys(1024), bins(256);
  for (unsigned k = 0; k != 1024; ++k) keys[k] = 3 * k;
  auto const seen = co::host::record<cc90>(histogram, co::launch{.grid = {2}, .block = {256}}, array{"keys", keys},
                                           array{"bins", bins}, 1024u);
  for (unsigned const bin : bins) CHECK(bin == 4);
  CHECK((seen.loads("keys").issued == 32 && seen.loads("keys").transactions == 128));
  CHECK((seen.atomics("local").issued == 32 && seen.atomics("local").conflicts == 0));  // three is odd
  CHECK((seen.stores("local").issued == 16 && seen.loads("local").issued == 16));
  CHECK((seen.atomics("bins").issued == 16 && seen.atomics("bins").operations == 512));

  auto const body = [](auto const& t, auto values, auto all, auto local) {
    local[t.thread.x] = 0u;
    t.sync();
    for (unsigned i = t.block.x * 256 + t.thread.x; i < 1024; i += 512) co::atomic_add(local[values[i] & 255u], 1u);
    t.sync();
    co::atomic_add(all[t.thread.x], local[t.thread.x]);
  };
  co::kernel const same{co::launch{.grid = {2}, .block = {256}}, body,
                        co::global<unsigned const>{.name = "keys", .contents = keys}, co::global<unsigned>{"bins"},
                        co::shared<unsigned[256]>{"local"}};
  CHECK(by_hand::agree(seen, co::record<cc90>(same, co::every_block), {"keys", "bins", "local"}));
}

TEST_CASE("host: a sparse product, a thread for each row") {
  std::vector<int> starts(65), columns;
  for (int row = 0; row != 64; ++row) {
    for (int k = 0; k <= row % 4; ++k) columns.push_back((row * 5 + k * 17) % 64);
    starts[static_cast<unsigned>(row) + 1] = static_cast<int>(columns.size());
  }
  std::vector<float> values(columns.size(), 2.f), x = count_up(64), y(64);
  auto const seen =
      co::host::record<cc90>(spmv, co::launch{.block = {64}}, 64, array{"starts", starts}, array{"columns", columns},
                             array{"values", values}, array{"x", x}, array{"y", y});
  std::uint64_t of_values = 0, of_x = 0;
  for (unsigned warp = 0; warp != 2; ++warp)
    for (int k = 0; k != 4; ++k) {
      auto const entry = [&](unsigned lane) {
        unsigned const row = warp * 32 + lane;
        return starts[row] + k < starts[row + 1] ? starts[row] + k : -1;
      };
      of_values += pieces(32, 4, 32, entry);
      of_x += pieces(32, 4, 32,
                     [&](unsigned lane) { return entry(lane) < 0 ? -1 : columns[static_cast<unsigned>(entry(lane))]; });
    }
  CHECK((seen.loads("values").issued == 8 && seen.loads("values").transactions == of_values));
  CHECK((seen.loads("columns").issued == 8 && seen.loads("columns").transactions == of_values));
  CHECK((seen.loads("x").issued == 8 && seen.loads("x").transactions == of_x));
  CHECK((seen.stores("y").issued == 2 && seen.stores("y").transactions == 8));
  for (auto const& s : seen)
    if (std::string(s.array) == "values") CHECK(s.uneven);
  CHECK(y[3] == 2 * (x[15] + x[32] + x[49] + x[2]));

  auto const body = [](auto const& t, auto first, auto at, auto of, auto from, auto to) {
    unsigned const row = t.thread.x;
    float products = 0.f;
    int k = first[row];
    for (auto again = t.loop(); again(k < first[row + 1]); ++k) products += of[k] * from[at[k]];
    to[row] = products;
  };
  co::kernel const same{co::launch{.block = {64}},
                        body,
                        co::global<int const>{.name = "starts", .contents = starts},
                        co::global<int const>{.name = "columns", .contents = columns},
                        co::global<float const>{"values"},
                        co::global<float const>{"x"},
                        co::global<float>{"y"}};
  CHECK(by_hand::agree(seen, co::record<cc90>(same), {"columns", "values", "x", "y"}));
}

TEST_CASE("host: a stencil with a halo") {
  auto in = count_up(66 * 18);
  std::vector<float> out(66 * 18);
  co::launch const threads{.grid = {2, 2}, .block = {32, 8}};
  auto const seen = co::host::record<cc90>(stencil, threads, array{"in", in}, array{"out", out}, 66);
  std::uint64_t sectors = 0;
  for (int row = 1; row != 17; ++row)
    for (int column = 1; column != 65; column += 32)
      sectors += pieces(32, 4, 32, [&](unsigned lane) { return row * 66 + column + static_cast<int>(lane); });
  CHECK((seen.stores("out").issued == 32 && seen.stores("out").transactions == sectors));
  CHECK((seen.loads("tile").issued == 5 * 32 && seen.of("tile").conflicts == 0));

  auto const body = [](auto const& t, auto from, auto to, auto tile) {
    int const width = 66, tx = static_cast<int>(t.thread.x), ty = static_cast<int>(t.thread.y);
    int const x = static_cast<int>(t.block.x) * 32 + tx + 1, y = static_cast<int>(t.block.y) * 8 + ty + 1;
    tile[ty + 1][tx + 1] = from[y * width + x];
    if (tx == 0) tile[ty + 1][0] = from[y * width + x - 1];
    if (tx == 31) tile[ty + 1][33] = from[y * width + x + 1];
    if (ty == 0) tile[0][tx + 1] = from[(y - 1) * width + x];
    if (ty == 7) tile[9][tx + 1] = from[(y + 1) * width + x];
    t.sync();
    to[y * width + x] = 0.2f * (tile[ty + 1][tx + 1] + tile[ty + 1][tx] + tile[ty + 1][tx + 2] + tile[ty][tx + 1] +
                                tile[ty + 2][tx + 1]);
  };
  co::kernel const same{threads, body, co::global<float const>{"in", 66 * 18}, co::global<float>{"out", 66 * 18},
                        co::shared<float[10][34]>{"tile"}};
  CHECK(by_hand::agree(seen, co::record<cc90>(same, co::every_block), {"in", "out", "tile"}));
}

TEST_CASE("host: a gather from pages") {
  std::vector<uint4> cache(8 * 16 * 40), out(32 * 40);
  std::vector<int> pages{5, 2};
  for (unsigned k = 0; k != cache.size(); ++k) cache[k] = make_uint4(k, 0, 0, 0);
  co::launch const threads{.grid = {32}, .block = {32}};
  auto const seen = co::host::record<cc90>(paged_gather, threads, array{"cache", cache}, array{"pages", pages},
                                           array{"out", out}, 16, 40);
  CHECK((out[0].x == 5 * 16 * 40 && out[16 * 40].x == 2 * 16 * 40));
  CHECK((seen.loads("cache").issued == 64 && seen.loads("cache").transactions == 32 * (16 + 4)));
  CHECK((seen.stores("out").issued == 64 && seen.stores("out").transactions == 32 * (16 + 4)));
  CHECK((seen.loads("pages").issued == 32 && seen.loads("pages").transactions == 32));

  auto const body = [](auto const& t, auto from, auto table, auto to) {
    unsigned const token = t.block.x;
    int const page = table[token / 16];
    for (unsigned i = t.thread.x; i < 40; i += 32)
      to[token * 40 + i] = co::value(from[(static_cast<unsigned>(page) * 16 + token % 16) * 40 + i]);
  };
  co::kernel const same{threads, body, co::global<uint4 const>{.name = "cache", .any_value = true},
                        co::global<int const>{.name = "pages", .contents = pages}, co::global<uint4>{"out"}};
  CHECK(by_hand::agree(seen, co::record<cc90>(same, co::every_block), {"cache", "pages", "out"}));
}

TEST_CASE("host: a layer norm, a warp for each row") {
  auto in = count_up(8 * 256);
  std::vector<float> out(8 * 256);
  auto const seen = co::host::record<cc90>(layer_norm<256>, co::launch{.grid = {2}, .block = {32, 4}}, array{"in", in},
                                           array{"out", out}, 0.f);
  float sum = 0.f, squares = 0.f;
  for (unsigned k = 0; k != 256; ++k) sum += out[256 + k], squares += out[256 + k] * out[256 + k];
  CHECK((std::abs(sum) < 0.01f && squares == doctest::Approx(256).epsilon(0.001)));
  for (char const* array : {"in", "out"})
    CHECK((seen.of(array).issued == 16 && seen.of(array).transactions == 16 * 16));
  for (auto const& s : seen) CHECK(s.bits == 128);

  auto const body = [](auto const& t, auto from, auto to) {
    unsigned const row = t.block.x * 4 + t.thread.y;
    for (unsigned k = 0; k < 2; ++k) (void)co::value(co::as<float4 const>(from + row * 256)[k * 32 + t.thread.x]);
    for (unsigned k = 0; k < 2; ++k) co::as<float4>(to + row * 256)[k * 32 + t.thread.x] = float4{};
  };
  co::kernel const same{co::launch{.grid = {2}, .block = {32, 4}}, body, co::global<float const>{"in"},
                        co::global<float>{"out"}};
  CHECK(by_hand::agree(seen, co::record<cc90>(same, co::every_block), {"in", "out"}));
}

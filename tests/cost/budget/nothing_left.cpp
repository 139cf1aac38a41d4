// SPDX-License-Identifier: BSL-1.0
//
// Every verb in a constant expression, about patterns and masks of every kind: nothing of them may be left in the
// object file, not even where the compiler does not optimize. (Lambdas have no name, since g++ keeps what has one.)
#include <coalesce/cdna/litmus.hpp>
#include <coalesce/claims.hpp>
#include <coalesce/coalesce.hpp>
#include <coalesce/compare.hpp>
#include <coalesce/explain.hpp>
#include <coalesce/record.hpp>
#include <coalesce/suggest.hpp>
#include <coalesce/total.hpp>

#include <array>

namespace co = coalescing;
using co::cuda::cc90, co::cdna::gfx942;

static_assert(co::cost<cc90::load<32>>(co::linear{.stride = 4}).transactions == 4);
static_assert(co::cost<cc90::load<32>>([](unsigned lane) { return 4 * lane; }).transactions == 4);
static_assert(co::cost<cc90::load<32>>([](unsigned lane) { return 4 * lane; }, 0xff).transactions == 1);
static_assert(co::cost<cc90::load<32>>([](unsigned lane) { return 4 * lane; }, [](unsigned lane) { return lane < 8; })
                  .transactions == 1);
static_assert(co::cost<cc90::store<32>>([](unsigned lane) { return 4 * lane; }).partial_sectors == 0);
static_assert(co::cost<cc90::shared_load<32>>([](unsigned lane) { return 4 * lane; }).conflicts == 0);
static_assert(co::cost<co::cuda::cc13::load<32>>([](unsigned lane) { return 4 * lane; }).transactions == 2);
static_assert(co::cost<co::gcn::buffer_load<32>>([](unsigned lane) { return 4 * lane; }).clocks == 4);
static_assert(co::cost<gfx942::global_load<32>>([](unsigned lane) { return 4 * lane; }).transactions == 2);
static_assert(co::cost<gfx942::ds_read<32>>(std::array<unsigned, 64>{}).conflicts == 0);
static_assert(co::transactions<cc90::load<32>>([](unsigned lane) { return 4 * lane; },
                                               [](unsigned lane) { return lane < 8; })
                  .size() == 1);
static_assert(co::phases<cc90::shared_load<32>>([](unsigned lane) { return 4 * lane; }).size() == 1);
static_assert(co::footprint<64>([](unsigned lane) { return 4 * lane; }, 4) == 256);
static_assert((2 * co::cost<cc90::load<32>>([](unsigned lane) { return 4 * lane; })).transactions == 8);

static_assert(co::explain<cc90::store<32>>([](unsigned lane) { return 8 * lane; }).size() > 1000);
static_assert(co::compare([](unsigned lane) { return 4 * lane; }, co::on<cc90::load<32>, co::cuda::cc10::load<32>>())
                  .size() == 2);
static_assert(co::total<cc90::shared_load<32>>([](unsigned lane, unsigned step) { return 4 * lane + 128 * step; },
                                               co::domain{8})
                  .conflicts == 0);
static_assert(co::worst<cc90::load<32>>([](unsigned lane) { return 4 * lane; }, co::every_base{.alignment = 4})
                  .cost.transactions == 5);
static_assert(co::total<cc90::load<32>>(co::layout<2>{.shape = {64, 64}, .stride = {4, 260}}).transactions != 0);
static_assert(co::record<cc90>(co::kernel{co::launch{.block = {32}},
                                          [](auto const& t, auto a, auto s) {
                                            s[t.lane()] = a[t.lane()];
                                            t.sync();
                                            co::atomic_add(a[0], float{s[31 - t.lane()]});
                                          },
                                          co::global<float>{"a"}, co::shared<float[32]>{"s"}})
                  .of("s")
                  .rounds == 2);
static_assert(co::suggest(co::tile{.rows = 32, .columns = 32, .element_bytes = 4},
                          co::use<cc90::shared_store<32>>([](unsigned lane) {
                            return co::cell{0, lane};
                          }),
                          co::use<cc90::shared_load<32>>(
                              [](unsigned lane, unsigned step) {
                                return co::cell{lane, step};
                              },
                              co::domain{2}))
                  .is_optimal);
static_assert(co::suggest(co::tile{.rows = 32, .columns = 32, .element_bytes = 4}, co::paddings,
                          co::use<cc90::shared_load<32>>([](unsigned lane) {
                            return co::cell{lane, 0};
                          }))
                  .is_optimal);
static_assert(co::suggest(co::tile{.rows = 64, .columns = 32, .element_bytes = 4},
                          co::copied<gfx942::global_load_lds<32>>(), co::use<gfx942::ds_read<32>>([](unsigned lane) {
                            return co::cell{lane, 0};
                          }))
                  .source(1, 0)
                  .row == 0);
static_assert(co::suggest(co::tile{.rows = 64, .columns = 64, .element_bytes = 2}, co::tensor_boxes,
                          co::use<cc90::ldmatrix<4>>([](unsigned lane) {
                            return co::cell{lane % 16, lane / 16 * 8};
                          }))
                  .boxes == 1);
static_assert(co::cdna::synchronize({.kind = co::cdna::operation::fence, .scope = co::cdna::scope::device},
                                    {.l2_caches = 8})
                  .text()
                  .size() != 0);
static_assert(
    !co::cdna::litmus(
         {.l2_caches = 8},
         co::cdna::litmus_wave{}.store(0).release(co::cdna::scope::device).store(1, co::cdna::scope::device),
         co::cdna::litmus_wave{.xcd = 1}.load(1, co::cdna::scope::device).acquire(co::cdna::scope::device).load(0))
         .allows({1, 0}));

static_assert(co::worst<cc90::shared_load<32>>([](unsigned, unsigned bin) { return 4 * bin; }, co::any{33}).cost.ways ==
              2);

#ifdef COALESCE_ASK_AT_RUN_TIME
std::uint64_t sectors(unsigned stride) {
  return co::cost<cc90::load<32>>([=](unsigned lane) { return std::uint64_t{stride} * lane; }).transactions;
}
#endif

// SPDX-License-Identifier: BSL-1.0
//
// Every instruction of GCN, at widths that differ in something.
#include <coalesce/gcn.hpp>

#include "truth/fuzz/answers.hpp"
#include "truth/oracle/gcn.hpp"

namespace {

using namespace coalescing_tests;
namespace gcn = coalescing::gcn;

cost_answer vector(random_access const& made, unsigned bytes, std::uint64_t clocks) {
  auto answer = slow_pieces(made, bytes, 64);
  answer.numbers.clocks = clocks;
  return answer;
}
cost_answer coalesced(random_access const& made, access_form const& form) {
  auto const how = oracle_is_broken ? gcn_reading::no_mixing : gcn_reading::ours;
  return vector(made, form.bytes, coalesced_clocks(made, form.bytes, how));
}
template <unsigned Clocks>
cost_answer by_quads(random_access const& made, access_form const& form) {
  return vector(made, form.bytes, Clocks * slow_quads(made));
}
cost_answer store(random_access const& made, access_form const& form) {
  auto answer = by_quads<1>(made, form);
  answer.numbers.operations = slow_addresses(made);
  return answer;
}
cost_answer atomic(random_access const& made, access_form const& form) {
  auto answer = by_quads<1>(made, form);
  answer.numbers.operations = slow_lanes(made);
  return answer;
}
cost_answer scalar(random_access const& made, access_form const& form) { return slow_pieces(made, form.bytes, 64); }
template <auto& Phases>
cost_answer lds(random_access const& made, access_form const& form) {
  return slow_lds(made, form.bytes, Phases, 32);
}

/// Elements of less than a dword lie anywhere, others at multiples of 4.
constexpr access_form memory(unsigned bytes) { return {.bytes = bytes, .alignment = bytes < 4 ? 1u : 4u}; }
constexpr access_form in_lds(unsigned bytes) {
  return {.bytes = bytes, .alignment = bytes == 12 ? 16 : bytes, .capacity = 65536};
}

std::vector<fuzzed_instruction> const all = {
    fuzzed<gcn::buffer_load<8>>("buffer_load<8>", memory(1), coalesced),
    fuzzed<gcn::buffer_load<16>>("buffer_load<16>", memory(2), coalesced),
    fuzzed<gcn::buffer_load<32>>("buffer_load<32>", memory(4), coalesced),
    fuzzed<gcn::buffer_load<8, 2>>("buffer_load<8, 2>", memory(2), by_quads<1>),
    fuzzed<gcn::buffer_load<8, 4>>("buffer_load<8, 4>", memory(4), by_quads<1>),
    fuzzed<gcn::buffer_load<64>>("buffer_load<64>", memory(8), by_quads<1>),
    fuzzed<gcn::buffer_load<32, 3>>("buffer_load<32, 3>", memory(12), by_quads<1>),
    fuzzed<gcn::buffer_load<128>>("buffer_load<128>", memory(16), by_quads<1>),
    fuzzed<gcn::image_load<16>>("image_load<16>", memory(2), by_quads<1>),
    fuzzed<gcn::image_load<128>>("image_load<128>", memory(16), by_quads<1>),
    fuzzed<gcn::image_sample<32>>("image_sample<32>", memory(4), by_quads<1>),
    fuzzed<gcn::image_sample<64>>("image_sample<64>", memory(8), by_quads<2>),
    fuzzed<gcn::image_sample<128>>("image_sample<128>", memory(16), by_quads<4>),
    fuzzed<gcn::buffer_store<8>>("buffer_store<8>", memory(1), store),
    fuzzed<gcn::buffer_store<32>>("buffer_store<32>", memory(4), store),
    fuzzed<gcn::buffer_store<32, 4>>("buffer_store<32, 4>", memory(16), store),
    fuzzed<gcn::image_store<64>>("image_store<64>", memory(8), store),
    fuzzed<gcn::buffer_atomic<32>>("buffer_atomic<32>", memory(4), atomic),
    fuzzed<gcn::buffer_atomic<64>>("buffer_atomic<64>", memory(8), atomic),
    fuzzed<gcn::s_load<1>>("s_load<1>", {.lanes = 1, .bytes = 4}, scalar),
    fuzzed<gcn::s_load<4>>("s_load<4>", {.lanes = 1, .bytes = 16}, scalar),
    fuzzed<gcn::s_load<16>>("s_load<16>", {.lanes = 1, .bytes = 64}, scalar),
    fuzzed<gcn::ds_read<8>>("ds_read<8>", in_lds(1), lds<lds_phases::halves>),
    fuzzed<gcn::ds_read<32>>("ds_read<32>", in_lds(4), lds<lds_phases::halves>),
    fuzzed<gcn::ds_read<64>>("ds_read<64>", in_lds(8), lds<lds_phases::quarters>),
    fuzzed<gcn::ds_read<96>>("ds_read<96>", in_lds(12), lds<lds_phases::crossed>),
    fuzzed<gcn::ds_read<128>>("ds_read<128>", in_lds(16), lds<lds_phases::crossed>),
    fuzzed<gcn::ds_write<16>>("ds_write<16>", in_lds(2), lds<lds_phases::halves>),
    fuzzed<gcn::ds_write<64>>("ds_write<64>", in_lds(8), lds<lds_phases::quarters>),
    fuzzed<gcn::ds_write<128>>("ds_write<128>", in_lds(16), lds<lds_phases::eighths>),
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  ask_one(all, data, size);
  return 0;
}

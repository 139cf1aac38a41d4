// SPDX-License-Identifier: BSL-1.0
//
// Litmus questions about two waves at device scope on two XCDs: message passing, store buffering.
#include <coalesce/cdna/litmus.hpp>

namespace co = coalescing;
namespace cdna = co::cdna;
using cdna::operation, cdna::scope;

enum : unsigned { data, flag };
constexpr cdna::environment mi300x{.l2_caches = 8};
constexpr cdna::instruction_sequence seq_cst(operation kind) {
  return cdna::synchronize({.kind = kind, .space = cdna::address_space::global, .scope = scope::device}, mi300x);
}
constexpr cdna::litmus_wave producer =
    cdna::litmus_wave{}.store(data).release(scope::device).store(flag, scope::device);
constexpr cdna::litmus_wave consumer =
    cdna::litmus_wave{.xcd = 1}.load(flag, scope::device).acquire(scope::device).load(data);
constexpr cdna::litmus_wave first =
    cdna::litmus_wave{}.sequence(seq_cst(operation::store), data).sequence(seq_cst(operation::load), flag);
constexpr cdna::litmus_wave second =
    cdna::litmus_wave{.xcd = 1}.sequence(seq_cst(operation::store), flag).sequence(seq_cst(operation::load), data);
constexpr cdna::litmus_test passing = cdna::litmus(mi300x, producer, consumer);
constexpr cdna::litmus_test buffering = cdna::litmus(mi300x, first, second);

constexpr auto passing_forbidden = co::cdna::litmus_test(passing).allows({1, 0});
constexpr auto passing_allowed = co::cdna::litmus_test(passing).allows({1, 1});
constexpr auto buffering_forbidden = co::cdna::litmus_test(buffering).allows({0, 0});
constexpr auto buffering_allowed = co::cdna::litmus_test(buffering).allows({1, 1});
constexpr auto passing_judged = co::cdna::litmus_test(passing).judge({1, 0}).load_bearing;
constexpr auto passing_trace = co::cdna::litmus_test(passing).judge({1, 1}).text();
constexpr auto buffering_judged = co::cdna::litmus_test(buffering).judge({0, 0}).load_bearing;
constexpr auto passing_reaches = co::cdna::litmus_test(passing).reaches(flag, scope::device);
constexpr auto passing_necessary = co::cdna::litmus_test(passing).necessary({1, 0});

// SPDX-License-Identifier: BSL-1.0
//
// Prints the edition of every source that an instruction or a compute unit names, a line each. citations.cmake compiles
// it with rows whose citations each have an edition of their own.
#include <coalesce/coalesce.hpp>

#include "truth/instructions/cdna.hpp"
#include "truth/instructions/cuda.hpp"
#include "truth/instructions/gcn.hpp"
#include "truth/instructions/rdna.hpp"

#include <cstdio>
#include <string>
#include <type_traits>
#include <utility>

namespace {

namespace co = coalescing;
namespace gcn = co::gcn;
namespace cdna = co::cdna;
namespace rdna = co::rdna;

void print(co::fact_list const& facts) {
  for (co::named_fact const& each : facts) std::puts(each.from.edition);
}
template <auto... Members, class Sources>
void print(co::detail::members<Members...>, Sources const& sources) {
  (std::puts((sources.*Members).edition), ...);
}
struct printer {
  template <class Instruction>
  void operator()(std::string const&, std::string const&) const {
    print(Instruction::rests_on);
    print(typename std::remove_cvref_t<decltype(Instruction::sources)>::numbers{}, Instruction::sources);
  }
};
template <class... Machines>
void print_facts_of() {
  (print(Machines::rests_on), ...);
}

}  // namespace

int main() {
  []<unsigned... Capability>(std::integer_sequence<unsigned, Capability...>) {
    (coalescing_tests::each_instruction<Capability>(printer{}), ...);
  }
  (std::integer_sequence<unsigned, 10, 11, 12, 13, 20, 21, 30, 32, 35, 37, 50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86,
                         87, 88, 89, 90, 100, 103, 107, 110, 120, 121>{});
  for (co::source const& of_tensors : {co::cuda::row<90>::tensor_copies, co::cuda::row<107>::narrow_tensor_copies,
                                       co::cuda::row<120>::narrow_tensor_copies})
    std::puts(of_tensors.edition);  // cuda/tma cites them for each rule
  coalescing_tests::each_instruction_of_gcn(printer{});
  coalescing_tests::each_instruction_of_cdna(printer{});
  coalescing_tests::each_instruction_of_rdna(printer{});
  print_facts_of<gcn::compute_unit, cdna::gfx942, cdna::gfx950, cdna::gfx90a::buffer_load_lds<32>,
                 cdna::gfx942::buffer_load_lds<32>, cdna::gfx942::global_load_lds<32>,
                 cdna::gfx950::buffer_load_lds<128>, cdna::gfx950::global_load_lds<128>,
                 cdna::gfx950::ds_read_tr<96, 6>>();
  print_facts_of<rdna::gfx1010, rdna::gfx1012, rdna::gfx1030, rdna::gfx1036, rdna::gfx1100, rdna::gfx1101,
                 rdna::gfx1102, rdna::gfx1103, rdna::gfx1150, rdna::gfx1151, rdna::gfx1152, rdna::gfx1153,
                 rdna::gfx1200, rdna::gfx1201, rdna::gfx1250, rdna::gfx1251, rdna::gfx1170, rdna::gfx1171,
                 rdna::gfx1172, rdna::gfx1310>();
}

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

}  // namespace

int main() {
  co::cuda::every_machine::each([]<class Device>() { coalescing_tests::each_instruction<Device>(printer{}); });
  for (co::source const& of_tensors : {co::cuda::row<90>::tensor_copies, co::cuda::row<107>::narrow_tensor_copies,
                                       co::cuda::row<120>::narrow_tensor_copies})
    std::puts(of_tensors.edition);  // cuda/tma cites them for each rule
  coalescing_tests::each_instruction_of_gcn(printer{});
  coalescing_tests::each_instruction_of_cdna(printer{});
  coalescing_tests::each_instruction_of_rdna(printer{});
  print(gcn::compute_unit::rests_on);
  cdna::every_machine::each([]<class Chip>() {
    constexpr coalescing_tests::cdna_abilities has = coalescing_tests::abilities_of_cdna<Chip>();
    print(Chip::template buffer_load_lds<has.buffer_lds_bits>::rests_on);
    print(Chip::rests_on);
    if constexpr (has.global_lds_bits != 0) print(Chip::template global_load_lds<has.global_lds_bits>::rests_on);
    if constexpr (has.transpose_loads) print(Chip::template ds_read_tr<96, 6>::rests_on);
  });
  rdna::every_machine::each([]<class Chip>() { print(Chip::rests_on); });
}

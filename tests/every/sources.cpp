// SPDX-License-Identifier: BSL-1.0
//
// Every number of every instruction can be traced: a document with a title and an address, a claim, and an evidence
// that fits them.
#include <coalesce/cdna/fragments.hpp>
#include <coalesce/coalesce.hpp>
#include <coalesce/cuda/fragments.hpp>
#include <coalesce/cuda/tma.hpp>
#include <coalesce/explain/counters.hpp>

#include "cuda/devices.hpp"
#include "every/evidence.hpp"
#include "every/machines.hpp"
#include "every/measured_by.hpp"
#include "every/not_opened.hpp"
#include "machinery/check.hpp"
#include "truth/instructions/cdna.hpp"
#include "truth/instructions/cuda.hpp"
#include "truth/instructions/gcn.hpp"
#include "truth/instructions/rdna.hpp"

#include <set>
#include <string>
#include <type_traits>
#include <utility>

namespace co = coalescing;
namespace gcn = co::gcn;
namespace cdna = co::cdna;
using namespace coalescing_tests;

namespace {

bool has(std::string const& text, char const* words) { return text.find(words) != std::string::npos; }

/// The fault of a source; empty if it has no fault.
std::string fault(co::source const& from) {
  std::string const document = from.document, address = from.address, claim = from.claim, assumes = from.assumes;
  if (document.empty() || document == "none") return "no document";
  if (claim.empty()) return "no claim";
  // Our own measurements stand in this tree.
  bool const can_be_opened = address.starts_with("https://") || address.starts_with("tests/truth/measured/");
  if (!can_be_opened && address != "none known" && address != "none needed") return "an address that is none";
  // A vendor's own number identifies a document whose address is unknown.
  bool const numbered = has(from.edition, "PG-0");
  if (!can_be_opened && !numbered && address == "none known" && from.evidence != co::evidence::inferred)
    return "nobody can look it up, and it is not inferred";
  for (char const* moving : {"/blob/HEAD/", "/blob/main/", "/blob/master/", "/tree/HEAD", "/tree/main", "/tree/master"})
    if (has(address, moving)) return "an address that moves";
  if (is_measured_without_figures(from)) return "measured, and no public figures are known";
  // A documented or measured claim has no inferred part: that stands in `assumes`.
  if (from.evidence != co::evidence::inferred && (has(claim, "inferred") || has(claim, "we take")))
    return "a mixed claim";
  return "";
}

/// An instruction of three numbers.
struct sources_of_three {
  co::source rounds, conflicts, ways;
  using numbers = co::detail::members<&sources_of_three::rounds, &sources_of_three::conflicts, &sources_of_three::ways>;
};
struct made_up {
  static constexpr co::document post{"a post", "2020", "https://example.org"};
  static constexpr co::document lost{"J. Cheng, M. Grossman, T. McKercher, Professional CUDA C Programming",
                                     "Wrox, 2014", "none known"};
  static constexpr sources_of_three sources{post.says("1", "so", "that it is so"), post.shows("2", "so"),
                                            lost.implies("3", "so", "that it is so")};
};

unsigned checked = 0;
std::set<std::string> documents;

void check(std::string const& machine, std::string const& instruction, co::source const& from) {
  INFO(machine, " ", instruction, ": ", from.document, ", ", from.section, ": ", from.claim);
  CHECK(fault(from) == "");
  documents.insert(from.document), ++checked;
}
struct checker {
  template <auto... Members, class Sources>
  static void check_all(std::string const& machine, std::string const& instruction, co::detail::members<Members...>,
                        Sources const& sources) {
    static_assert(sizeof...(Members) * sizeof(co::source) == sizeof(Sources), "every number of the cost is looked at");
    (check(machine, instruction, sources.*Members), ...);
  }
  template <class Instruction>
  void operator()(std::string const& machine, std::string const& instruction) const {
    check_all(machine, instruction, typename std::remove_cvref_t<decltype(Instruction::sources)>::numbers{},
              Instruction::sources);
  }
};

}  // namespace

TEST_CASE("every number of every instruction of NVIDIA has a source that can be opened, or is inferred") {
  cuda::every_machine::each([]<class Device>() {
    each_instruction<Device>(checker{});
    CHECK(fault(Device::row::shared_bytes.from) == "");
    CHECK(fault(Device::row::widest_bits.from) == "");
  });
  CHECK(checked > 5'500);
  CHECK(documents.contains("NVIDIA Nsight Compute, Profiling Guide"));
}
TEST_CASE("every number of every instruction of GCN and CDNA has a source that can be opened, or is inferred") {
  each_instruction_of_gcn(checker{});
  each_instruction_of_cdna(checker{});
  CHECK(fault(cdna::gfx950::ds_read_tr<64, 16>::map_from) == "");
  CHECK(fault(cdna::gfx950::ds_read_tr<64, 4>::map_from) == "");
  CHECK(fault(cdna::gfx950::ds_read_tr<96, 6>::map_from) == "");
  CHECK(fault(cdna::gfx942::row::pair_offset.from) == "");
  CHECK(fault(cdna::gfx942::row::equal_offsets) == "");
  CHECK(fault(cdna::gfx942::row::offsets_wrap) == "");
  CHECK(fault(cdna::gfx90a::row::m0_bits.from) == "");
  CHECK(fault(cdna::gfx950::row::m0_bits.from) == "");
  CHECK(fault(cdna::gfx950::row::wide_lds_slot.from) == "");
  CHECK(fault(cdna::gfx942::row::global_lds_bits.from) == "");
  CHECK(fault(cdna::scoped_load<cdna::scope::device>::from) == "");
  CHECK(fault(cdna::scoped_store<cdna::scope::device>::from) == "");
  CHECK(fault(cdna::scoped_store<cdna::scope::device>::reach_from) == "");
}
TEST_CASE("every number of RDNA's instructions has a source that can be opened, or is inferred; so has every row") {
  namespace rdna = co::rdna;
  each_instruction_of_rdna(checker{});
  rdna::every_machine::each([]<class Chip>() {
    using facts = typename Chip::row;
    CHECK(fault(facts::lds_bytes.from) == "");
    if constexpr (requires { facts::lds_of_two_simds; }) CHECK(fault(facts::lds_of_two_simds.from) == "");
    if constexpr (!lists("gfx1170 gfx1171 gfx1172 gfx1310", Chip::name))  // nothing else is known of these
      for (co::source const& from :
           {facts::lanes.from, facts::vgprs.from, facts::vgpr_granule.from, facts::vgprs_of_a_wave.from,
            facts::waves_per_simd.from, facts::work_group_lanes.from, facts::wave64.from, facts::simds_of_wgp.from,
            facts::lds_of_wgp.from, facts::groups_of_wgp.from, facts::lds_granule.from, facts::banks.from,
            facts::bank_bytes.from})
        CHECK(fault(from) == "");
    if constexpr (requires { facts::line_bytes; })
      for (co::source const& from :
           {facts::line_bytes.from, facts::simds_of_cu.from, facts::lds_of_cu.from, facts::groups_of_cu.from})
        CHECK(fault(from) == "");
    if constexpr (requires { facts::groups_of_wgp_by_llvm; })
      for (co::source const& from : {facts::groups_of_wgp_by_llvm.from, facts::sgprs_of_a_wave.from})
        CHECK(fault(from) == "");
  });
}
TEST_CASE("every map of a fragment, and every shape, has a source that can be opened") {
  auto const operands = []<class... Operands>(Operands...) {
    auto const check_one = [](co::fragment_sources const& sources) {
      CHECK(fault(sources.map) == "");
      CHECK(fault(sources.shape) == "");
    };
    (check_one(Operands::sources), ...);
  };
  auto const check_all = [&]<class... Instructions>(devices<Instructions...>) {
    (operands(typename Instructions::a{}, typename Instructions::b{}, typename Instructions::c{}), ...);
  };
  check_all(devices<cuda::mma<16, 8, 8, 16>, cuda::mma<16, 8, 16, 16>, cuda::mma<16, 8, 32, 8>, cuda::mma<16, 8, 4, 32>,
                    cuda::mma<16, 8, 8, 32>>{});
  check_all(devices<cdna::mfma<16, 16, 16, 16>, cdna::mfma<4, 4, 4, 64, 4>, cdna::mfma<16, 16, 128, 8>,
                    cdna::mfma<32, 32, 64, 4>>{});
  operands(cuda::wgmma<64, 16>::a{}, cuda::wgmma<64, 16>::c{});
}
TEST_CASE("every number and every rule of TMA has a source that can be opened, or is inferred") {
  checker{}.operator()<cuda::tensor_map>("cuda", "tensor_map");
  checker{}.operator()<cuda::cp_async_bulk>("cuda", "cp_async_bulk");
  auto const rules = [](auto last) {
    for (int k = 0; k <= static_cast<int>(last); ++k)
      CHECK(fault(cuda::rule_of(static_cast<decltype(last)>(k)).from) == "");
  };
  rules(cuda::tensor_fault::machine_has_no_elements_below_a_byte);
  rules(cuda::bulk_fault::machine_has_no_bulk_copies);
  rules(cuda::operand_fault::offset_is_not_below_2_18);
  for (int k = 0; k != 7; ++k) CHECK(fault(cuda::row_of(static_cast<cuda::tensor_swizzle>(k)).from) == "");
  CHECK(cuda::row_of(cuda::tensor_swizzle::none).from.evidence == co::evidence::documented);
  CHECK(fault(cuda::row<90>::tensor_copies) == "");
  CHECK(fault(cuda::row<107>::narrow_tensor_copies) == "");
  CHECK(fault(cuda::row<121>::narrow_tensor_copies) == "");
}
TEST_CASE("control: what a source can lack is noticed") {
  co::document const post{"a post", "2020", "https://example.org"}, lost{"a book", "1990", "none known"};
  CHECK(fault({post, "1", "so", co::evidence::documented}) == "");
  CHECK(fault(co::source{}) == "no document");
  CHECK(fault({post, "1", "", co::evidence::documented}) == "no claim");
  CHECK(fault({lost, "1", "so", co::evidence::documented}) == "nobody can look it up, and it is not inferred");
  CHECK(fault({lost, "1", "so", co::evidence::inferred}) == "");
  CHECK(fault({{"a post", "2020", "somewhere"}, "1", "so", co::evidence::inferred}) == "an address that is none");
  CHECK(fault({post, "1", "so; the rest is inferred", co::evidence::documented}) == "a mixed claim");
  CHECK(fault({{"a page", "2020", "https://example.org/blob/HEAD/page"}, "1", "so", co::evidence::documented}) ==
        "an address that moves");
}
TEST_CASE("control: what is measured has public figures, so neither loom's table nor a guide without figures is") {
  constexpr auto measured = co::evidence::measured;
  char const* none = "measured, and no public figures are known";
  CHECK(fault({co::amd::documents::shark, "cdna3info", "so", measured}) == "");
  CHECK(fault({co::amd::documents::shark, "cdna4info", "so", measured}) == none);  // of ds_read_b32, say
  CHECK(fault({co::rdna::documents::loom, "ds_write", "so", measured}) == none);
  CHECK(fault({co::rdna::documents::loom, "ds_write", "so", co::evidence::inferred}) == "");
  CHECK(fault({cdna::documents::kernel_guide, "Avoiding LDS Bank Conflicts, MI300", "so", measured}) == none);
  CHECK(fault({{"a post", "2020", "https://example.org"}, "1", "so", measured}) == none);
}
TEST_CASE("each document, or section, that we have not opened is cited, and what was opened instead is said") {
  std::set<not_opened const*> cited;
  auto const see = [&](co::source const& from) {
    if (auto const* const found = not_opened_of(from)) cited.insert(found);
  };
  struct visits_figures {
    decltype(see)& look;
    void figure(std::string const&, std::string const&, std::string const&, co::source const& from) { look(from); }
    static void missing(std::string const&, std::string const&) {}
  } rows{see};
  show_cuda(rows), show_gcn(rows), show_cdna(rows), show_rdna(rows);
  for (co::counter const& line : co::all_counters().lines) see(line.from);
  for (not_opened const& each : not_opened_list) {
    INFO(each.document, ", ", each.edition);
    CHECK(cited.contains(&each));
    CHECK(std::string(each.instead) != "");
  }
}
TEST_CASE("control: a citation of another edition, another document, or a section that was read is not in that list") {
  co::document const post = co::amd::documents::gcn_post;
  CHECK(not_opened_of(post.says("Coalescing for L1 Access Via Buffer Operations", "so")) != nullptr);
  CHECK(not_opened_of(post.says("Reviewing peak throughput limits for a GCN Compute Unit", "so")) == nullptr);
  CHECK(not_opened_of(co::document{post.title, "2025", post.address}.says("Coalescing", "so")) == nullptr);
  CHECK(not_opened_of(co::document{"a post", post.edition, post.address}.says("Coalescing", "so")) == nullptr);
}
TEST_CASE("the numbers by evidence are counted one by one") {
  evidence_count count;
  unsigned instructions = 0;
  counts_numbers const counter{count, instructions};
  counter.operator()<made_up>("machine", "made_up");
  counter.operator()<made_up>("machine", "made_up");
  CHECK(instructions == 2);
  // Two documented with an assumption, two measured, two inferred from a book that we have not opened.
  CHECK(count == evidence_count{.documented = 2, .measured = 2, .inferred = 2, .assuming = 2, .not_opened = 2});
  CHECK(count.all() == 6);
}
TEST_CASE("a figure taken over from another machine is inferred, and says what is assumed") {
  constexpr auto taken = co::taken_over(cuda::row<90>::sector_bytes, "that it is so");
  COALESCE_CHECK(taken.value == 32);
  COALESCE_CHECK(taken.from.evidence == co::evidence::inferred);
  CHECK(std::string(taken.from.assumes) == "that it is so");
  CHECK(std::string(taken.from.document) == cuda::row<90>::sector_bytes.from.document);
}

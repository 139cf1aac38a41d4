// SPDX-License-Identifier: BSL-1.0
// What each opcode of a target writes, reads from memory and does to the program counter, beside LLVM 22's tables of
// instructions. LLVM's disassembler makes instructions of random words; the interpreter of the binary executes the
// text. A register that LLVM says is written has to change or become unknown, a register of the tables' opcodes that
// LLVM does not name has to stay, and no access to memory may pass unseen.
//   implied TARGET LANES [--break] [--page FILE]   --break takes SCC from LLVM's lists, and must find mismatches;
//   --page: the row of the page with the classes of the target's opcodes has to be this one
#include <coalesce/host/binary/amd/block.hpp>
#include <coalesce/host/binary/amd/targets.hpp>

#include <llvm/MC/MCAsmInfo.h>
#include <llvm/MC/MCContext.h>
#include <llvm/MC/MCDisassembler/MCDisassembler.h>
#include <llvm/MC/MCInst.h>
#include <llvm/MC/MCInstPrinter.h>
#include <llvm/MC/MCInstrInfo.h>
#include <llvm/MC/MCRegisterInfo.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/MCTargetOptions.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>

#include <array>
#include <csetjmp>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace amdgcn = coalescing::amdgcn;
using coalescing::binary::exact;
using coalescing::binary::value;

namespace {

/// What LLVM 22 says of an instruction.
struct described {
  std::string text;
  std::set<unsigned> written;  ///< as cells, below
  bool reads_memory = false, writes_memory = false, leaves = false;
};
/// A register as one number: scalar ones by theirs, SCC, then vector ones.
constexpr unsigned scc_cell = 1000, vector_cells = 2000;

std::jmp_buf back;
extern "C" void crashed(int) {
  sigset_t signals;
  sigemptyset(&signals), sigaddset(&signals, SIGSEGV), sigprocmask(SIG_UNBLOCK, &signals, nullptr);
  std::longjmp(back, 1);
}

/// The cell of a register of LLVM's, by its name; 0 where it is none that is followed (MODE, FLAT_SCR).
unsigned cell_of(std::string_view name, bool& is_followed) {
  auto const number = [&](std::size_t prefix) {
    unsigned n = 0;
    for (char const c : name.substr(prefix)) {
      if (c < '0' || c > '9') break;
      n = 10 * n + static_cast<unsigned>(c - '0');
    }
    return n;
  };
  auto const is = [&](std::string_view prefix) { return name.substr(0, prefix.size()) == prefix; };
  is_followed = true;
  if (is("SCC")) return scc_cell;
  if (is("VCC_LO")) return 106;
  if (is("VCC_HI")) return 107;
  if (is("EXEC_LO")) return 126;
  if (is("EXEC_HI")) return 127;
  if (is("M0")) return 124;
  if (is("FLAT_SCR_LO")) return 102;
  if (is("FLAT_SCR_HI")) return 103;
  if (is("XNACK_MASK_LO")) return 104;
  if (is("XNACK_MASK_HI")) return 105;
  for (std::string_view const half : {"_LO16", "_HI16"})
    if (name.size() > half.size() && name.substr(name.size() - half.size()) == half) name.remove_suffix(half.size());
  bool const numbered = name.size() > 4 && name[4] >= '0' && name[4] <= '9' && name.find('_', 4) == name.npos;
  if (is("VGPR") && numbered) return vector_cells + number(4);
  if (is("AGPR") && numbered) return vector_cells + amdgcn::accumulation + number(4);
  if (is("SGPR") && numbered) return number(4);
  if (is("TTMP") && name.size() > 4 && name[4] >= '0' && name[4] <= '9') return 108 + number(4);
  is_followed = false;
  return 0;
}

/// Up to `most` instructions of each opcode that LLVM's disassembler knows on the target.
class llvm_tables {
 public:
  explicit llvm_tables(std::string const& target, unsigned lanes) {
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTarget();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUDisassembler();
    std::string error;
    found_ = llvm::TargetRegistry::lookupTarget(triple_, error);
    if (found_ == nullptr) throw coalescing::binary_refused("LLVM has no target: " + error);
    registers_.reset(found_->createMCRegInfo(triple_));
    info_.reset(found_->createMCAsmInfo(*registers_, triple_, options_));
    instructions_.reset(found_->createMCInstrInfo());
    std::string features = target[3] == '9' ? "" : lanes == 32 ? "+wavefrontsize32" : "+wavefrontsize64";
    if (target[3] != '9' && target.substr(0, 5) != "gfx10") features += ",+real-true16";
    subtarget_.reset(found_->createMCSubtargetInfo(triple_, target, features));
    printer_.reset(found_->createMCInstPrinter(triple_, 0, *info_, *instructions_, *registers_));
  }
  std::map<unsigned, std::vector<described>> take(std::size_t most) {
    llvm::MCContext context(triple_, info_.get(), registers_.get(), subtarget_.get());
    std::unique_ptr<llvm::MCDisassembler> const reader(found_->createMCDisassembler(*subtarget_, context));
    std::map<unsigned, std::vector<described>> all;
    std::mt19937_64 random(1);
    static_cast<void>(std::signal(SIGSEGV, crashed));
    for (unsigned long left = 0; left != 3'000'000; ++left) {
      std::uint64_t bits[2] = {random(), random()};
      if (left % 2 == 0)  // each upper half of the first word in turn, with few ones beside it
        bits[0] = (bits[0] & random() & random() & ~std::uint64_t{0xffff0000}) | (left / 2 % 65536) << 16;
      std::memcpy(bytes_, bits, 16);
      take_unless_it_crashes(*reader, all, most);
    }
    return all;
  }

 private:
  // LLVM 22's disassembler crashes at some words: they are left out. (A function of its own, since a longjmp may change
  // the variables of the one that calls setjmp.)
  void take_unless_it_crashes(llvm::MCDisassembler const& reader, std::map<unsigned, std::vector<described>>& all,
                              std::size_t most) {
    if (setjmp(back) == 0) take_one(reader, all, most);
  }
  void take_one(llvm::MCDisassembler const& reader, std::map<unsigned, std::vector<described>>& all, std::size_t most) {
    llvm::MCInst one;
    std::uint64_t size = 0;
    if (reader.getInstruction(one, size, llvm::ArrayRef<std::uint8_t>(bytes_, 16), 0, llvm::nulls()) !=
        llvm::MCDisassembler::Success)
      return;
    auto& of = all[one.getOpcode()];
    if (of.size() == most) return;
    if (described const made = described_of(one); made.text.find("/*") == made.text.npos) of.push_back(made);
  }
  described described_of(llvm::MCInst const& one) {
    described to;
    llvm::raw_string_ostream stream(to.text);
    printer_->printInst(&one, 0, "", *subtarget_, stream);
    for (char& c : to.text)
      if (c == '\t' || c == '\n') c = ' ';
    llvm::MCInstrDesc const& is = instructions_->get(one.getOpcode());
    for (unsigned k = 0; k != is.getNumDefs() && k != one.getNumOperands(); ++k)
      if (one.getOperand(k).isReg()) add(to, one.getOperand(k).getReg());
    for (auto const each : is.implicit_defs()) add(to, each);
    to.reads_memory = is.mayLoad(), to.writes_memory = is.mayStore();
    to.leaves = is.isBranch() || is.isCall() || is.isReturn() || is.isIndirectBranch();
    return to;
  }
  void add(described& to, llvm::MCRegister which) {
    for (auto const each : registers_->subregs_inclusive(which)) {
      bool is_followed = false;
      unsigned const cell = cell_of(registers_->getName(each), is_followed);
      if (is_followed) to.written.insert(cell);
    }
  }

  std::uint8_t bytes_[16] = {};
  llvm::Triple const triple_ = llvm::Triple("amdgcn-amd-amdhsa");
  llvm::MCTargetOptions const options_;
  llvm::Target const* found_ = nullptr;
  std::unique_ptr<llvm::MCRegisterInfo> registers_;
  std::unique_ptr<llvm::MCAsmInfo> info_;
  std::unique_ptr<llvm::MCInstrInfo> instructions_;
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget_;
  std::unique_ptr<llvm::MCInstPrinter> printer_;
};

/// A wave whose registers are known numbers, or unknown with a cause of their own.
constexpr coalescing::binary::cause marker = 1;
amdgcn::wave filled(unsigned lanes, bool known, std::uint64_t seed) {
  amdgcn::wave w(lanes, 0);
  std::mt19937_64 random(seed);
  auto const next = [&] {
    if (!known) return low(coalescing::binary::unknown(marker), 32);
    return exact(seed == 1 ? 0 : seed == 2 ? 0xffffffff : random() & 0xffffffff);
  };
  for (unsigned k = 0; k != amdgcn::scalar_registers; ++k) w.set_scalar(k, 32, next());
  for (unsigned k = 0; k != amdgcn::vector_registers; ++k)
    for (unsigned lane = 0; lane != w.lanes; ++lane) w.set_lane_anyway(k, lane, next());
  w.set_scalar(amdgcn::m0_register, 32, exact(0));
  w.scc = known ? exact(seed & 1) : coalescing::binary::unknown(marker);
  w.set_exec(exact(known && seed % 2 == 0 ? random() & w.every_lane() : w.every_lane()));
  return w;
}
bool differ(value a, value b) { return a.bits != b.bits || a.known != b.known || a.why != b.why; }
/// The cells that differ. A vector register that LLVM does not name is compared in two lanes, each register in others:
/// what writes a register unasked writes it in every lane.
std::set<unsigned> changed(amdgcn::wave const& before, amdgcn::wave const& after, std::set<unsigned> const& named) {
  std::set<unsigned> all;
  for (unsigned k = 0; k != amdgcn::scalar_registers; ++k)
    if (differ(before.scalar(k, 32), after.scalar(k, 32))) all.insert(k);
  for (unsigned k = 0; k != amdgcn::vector_registers; ++k) {
    unsigned const step = named.count(vector_cells + k) != 0 ? 1 : before.lanes / 2;
    for (unsigned lane = k % step; lane < before.lanes; lane += step)
      if (differ(before.lane(k, lane, 32), after.lane(k, lane, 32))) all.insert(vector_cells + k);
  }
  if (differ(before.scc, after.scc)) all.insert(scc_cell);
  return all;
}
std::string named(std::set<unsigned> const& cells) {
  std::string all;
  for (unsigned const each : cells)
    all += each == scc_cell                              ? " scc"
           : each >= vector_cells + amdgcn::accumulation ? " a" + std::to_string(each - vector_cells - 512)
           : each >= vector_cells                        ? " v" + std::to_string(each - vector_cells)
                                                         : " s" + std::to_string(each);
  return all;
}

/// Executes an instruction on a wave: the interpreter's own dispatch.
struct execution {
  amdgcn::wave const& before;
  amdgcn::wave after;
  bool is_refused = false;
  unsigned told = 0, stopped = 0;
};
execution executed(amdgcn::program const& code, std::vector<amdgcn::decoded> const& meanings, amdgcn::target const& on,
                   unsigned lanes, bool known, std::uint64_t seed) {
  static std::map<std::pair<bool, std::uint64_t>, amdgcn::wave> waves;  // filling one takes longer than executing
  auto wave = waves.find({known, seed});
  if (wave == waves.end()) wave = waves.emplace(std::pair{known, seed}, filled(lanes, known, seed)).first;
  execution made{wave->second, wave->second};
  coalescing::binary_launch launch;
  launch.block = {lanes};
  coalescing::binary::global_memory memory(launch.arguments);
  amdgcn::observer reports;
  reports.wave_accesses = [&](std::size_t, amdgcn::wave_access const&, std::size_t) { ++made.told; };
  reports.round_ends = [] {};
  reports.assumes = [](std::size_t, std::string const&) {};
  reports.wave_ends_early = [&](std::size_t, std::string const&) { ++made.stopped; };
  try {
    made.after.counter = 1;
    std::set<std::size_t> loops;
    amdgcn::block_runner(code, meanings, on, lanes, launch, memory, reports, loops).step(made.after);
  } catch (coalescing::binary_refused const&) {
    made.is_refused = true;
  }
  return made;
}

}  // namespace

int main(int count, char** given) try {
  if (count < 3) return 2;
  std::string const target = given[1];
  auto const lanes = static_cast<unsigned>(std::stoul(given[2]));
  bool const is_broken = count > 3 && std::strcmp(given[3], "--break") == 0;
  bool const has_page = count > 4 && std::strcmp(given[3], "--page") == 0;
  amdgcn::target const& on = amdgcn::target_of(target);
  llvm_tables tables(target, lanes);
  unsigned long compared = 0, mismatches = 0, refused = 0, opcodes = 0, accesses = 0;
  std::map<std::string, unsigned> shown;  // a line for each opcode
  std::map<std::string, amdgcn::opcode_class> classes;
  auto const wrong = [&](described const& of, std::string const& what) {
    std::string const opcode = of.text.substr(0, of.text.find(' ', 1));
    if (shown[opcode]++ == 0 && mismatches < (is_broken ? 3u : 40u))
      std::printf("%s: %s\n", of.text.c_str(), what.c_str());
    ++mismatches;
  };
  for (auto const& [opcode, all] : tables.take(3)) {
    if (is_broken && mismatches > 2) break;
    ++opcodes;
    std::size_t silent = 0;  // instructions whose registers stay: one that copies a register to itself does that
    for (described each : all) {
      if (is_broken) each.written.erase(scc_cell);
      if (lanes == 32) each.written.erase(107), each.written.erase(127);  // the high halves of VCC and EXEC
      if (each.text.find("v_cmpx_t") != each.text.npos) each.written.erase(126), each.written.erase(127);  // EXEC stays
      amdgcn::program code;
      code.code.push_back(amdgcn::read_instruction("s_nop 0", 1));  // the causes of unknown values are counted from 1
      code.code.push_back(amdgcn::read_instruction(amdgcn::trimmed(each.text), 2));
      std::vector<amdgcn::decoded> meanings;
      for (auto const& i : code.code) meanings.push_back(amdgcn::decode(i.opcode));
      amdgcn::action const does = meanings[1].does;
      std::string name = code.code[1].opcode;
      // The prefix says that a source lies in LDS. LLVM's opcodes have no class for that.
      if (amdgcn::begins(name, "lds_v_")) name.erase(0, 4);
      classes.emplace(name, amdgcn::class_of(amdgcn::decode(name)));
      using amdgcn::action;
      ++compared;

      bool const goes_on = does != action::jump && does != action::leaving && does != action::end;
      if (each.leaves && goes_on) wrong(each, "LLVM says that it changes the program counter");
      if (!each.leaves && does == action::jump) wrong(each, "LLVM does not know it as a branch");
      if (does == action::jump || does == action::leaving || does == action::end) continue;

      bool const exports = code.code[1].opcode == "exp" || code.code[1].opcode == "export";
      bool const memory = (each.reads_memory || each.writes_memory) && !exports;
      if (memory && does != action::memory && does != action::nothing) wrong(each, "LLVM says that it accesses memory");
      if (does == action::memory && meanings[1].moves.by != amdgcn::unit::exchange) {
        execution const made = executed(code, meanings, on, lanes, false, 1);
        refused += made.is_refused;
        auto const by = meanings[1].moves.by;
        accesses += made.told;
        // A scalar offset near 2^32 is out of range of whatever descriptor: no lane accesses memory.
        bool const is_out_of_range = by == amdgcn::unit::buffer && (each.text.find(", -") != each.text.npos ||
                                                                    each.text.find("exec") != each.text.npos);
        if (!made.is_refused && made.told == 0 && !is_out_of_range) wrong(each, "its access is not told");
        auto const may = amdgcn::stores_of(code.code[1], meanings[1].moves);
        if (each.writes_memory && !each.reads_memory && !may.global && !may.lds && by != amdgcn::unit::scratch)
          wrong(each, "LLVM says that it writes memory");
        auto const found = changed(made.before, made.after, each.written);
        // LLVM gives a compare-and-swap its two operands for a result; memory's old value is the lower one.
        bool const swaps = code.code[1].opcode.find("cmpswap") != std::string::npos && by == amdgcn::unit::buffer;
        std::set<unsigned> beyond;
        for (unsigned const cell : each.written)
          if (!made.is_refused && !swaps && found.count(cell) == 0) beyond.insert(cell);
        if (!beyond.empty()) wrong(each, "LLVM says that it writes" + named(beyond));
        continue;
      }
      std::set<unsigned> found, beyond;
      bool is_refused = false;
      for (std::uint64_t seed = 1; seed != 8; ++seed) {
        execution const made = executed(code, meanings, on, lanes, seed != 7, seed);
        is_refused = is_refused || made.is_refused;
        for (unsigned const cell : changed(made.before, made.after, each.written)) found.insert(cell);
      }
      refused += is_refused;
      if (is_refused) continue;
      if (found.count(126) != 0) each.written.erase(127);  // ~10 & EXEC leaves the high half as it is
      for (unsigned const cell : each.written)
        if (cell != 125 && found.count(cell) == 0) beyond.insert(cell);
      auto const leaves_out = [&each](char const* mask) { return each.text.find(mask) != each.text.npos; };
      bool const has_no_lane =  // DPP that leaves all lanes out
          leaves_out("_mask:0x0") ||
          (lanes == 32 && (leaves_out("row_mask:0x4") || leaves_out("row_mask:0x8") || leaves_out("row_mask:0xc")));
      // One bit of a pair of registers changes.
      if (code.code[1].opcode.rfind("s_bitset", 0) == 0 && beyond.size() < each.written.size()) beyond.clear();
      bool const may_copy = amdgcn::class_of(meanings[1]) == amdgcn::opcode_class::computes;
      if (!beyond.empty() && !has_no_lane && (!may_copy || ++silent == all.size()))
        wrong(each, "LLVM says that it writes" + named(beyond));
      if (!meanings[1].computes()) continue;
      beyond.clear();
      for (unsigned const cell : found)
        if (each.written.count(cell) == 0 && !(cell == 127 && each.written.count(126) != 0) &&
            !(lanes == 32 && (cell == 107 || cell == 127)))
          beyond.insert(cell);
      if (!beyond.empty()) wrong(each, "LLVM does not say that it writes" + named(beyond));
    }
  }
  std::array<unsigned, 6> of_class = {};
  std::string unlisted;
  for (auto const& [name, is] : classes) {
    ++of_class[static_cast<std::size_t>(is)];
    if (is == amdgcn::opcode_class::unknown) unlisted += " " + name;
  }
  std::string row = "| " + target + " | " + std::to_string(classes.size()) + " |";
  for (unsigned const each : of_class) row += " " + std::to_string(each) + " |";
  std::printf("%s\nnot in the tables:%s\n", row.c_str(), unlisted.c_str());
  if (has_page) {
    std::ifstream file(given[4]);
    std::string const page((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    if (page.find(row) == page.npos) ++mismatches, std::printf("the page lacks this row\n");
  }
  std::printf("%s, waves of %u: compared %lu instructions of %lu opcodes, %lu refused, %lu accesses; %lu mismatches\n",
              target.c_str(), lanes, compared, opcodes, refused, accesses, mismatches);
  return mismatches == 0 ? 0 : 1;
} catch (std::exception const& refused) {
  std::printf("refused: %s\n", refused.what());
  return 2;
}

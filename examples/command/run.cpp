// SPDX-License-Identifier: BSL-1.0
#include "run.hpp"

#include "expression.hpp"
#include "files.hpp"
#include "programs.hpp"

#include <coalesce/cuda.hpp>
#include <coalesce/host/named/replay.hpp>
#include <coalesce/host/run/odd_sizes.hpp>
#include <coalesce/host/run/sources.hpp>

#include <unistd.h>
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>

namespace {

namespace co = coalescing;
namespace fs = std::filesystem;

/// The library's headers: beside an installed command, or where this one was built.
fs::path headers() {
  std::error_code failed;
  fs::path const self = fs::read_symlink("/proc/self/exe", failed);
  fs::path const beside = self.parent_path().parent_path() / "include";
  fs::path const found = fs::exists(beside / "coalesce/host/run/runtime.hpp", failed) ? beside : COALESCE_HEADERS;
  if (!fs::exists(found / "coalesce/host/run/runtime.hpp", failed))
    throw refusal("the library's headers are not beside this command, in " + beside.string());
  return found;
}
std::string compiler_of(told_program const& told) {
  if (!told.compiler.empty()) return told.compiler;
  if (char const* const chosen = std::getenv("CXX"); chosen != nullptr && *chosen != 0) return chosen;
  std::vector<std::string> names{"clang++"};
  for (int version = 30; version != 13; --version) names.push_back("clang++-" + std::to_string(version));
  for (char const* const each : {"g++", "g++-14", "g++-13", "g++-12"}) names.emplace_back(each);
  for (std::string const& name : names)
    if (!path_of_program(name).empty()) return name;
  throw refusal("there is no C++ compiler: install clang++ or g++, or name one by --cxx");
}
bool is_toolkit(fs::path const& folder) { return fs::exists(folder / "cuda_runtime.h"); }
/// The folders in which NVIDIA's cuda_fp16.h lies. The headers of this library come before theirs.
std::vector<fs::path> toolkits(std::vector<std::string> const& told) {
  std::vector<fs::path> all;
  std::copy_if(told.begin(), told.end(), std::back_inserter(all), is_toolkit);
  for (char const* const variable : {"CUDA_HOME", "CUDA_PATH"})
    if (char const* const found = std::getenv(variable); found != nullptr) all.push_back(fs::path(found) / "include");
  all.emplace_back("/usr/local/cuda/include");
  std::erase_if(all, [](fs::path const& each) { return !fs::exists(each / "cuda_fp16.h"); });
  return all;
}

/// Where the compiled runtime is kept from one run to the next: its name is a hash of all headers, of the compiler and
/// of its options. Empty if the environment names no folder for it.
fs::path kept_runtime(fs::path const& include, std::vector<std::string> const& words) {
  char const* const cache = std::getenv("XDG_CACHE_HOME");
  char const* const home = std::getenv("HOME");
  if ((cache == nullptr || *cache == 0) && home == nullptr) return {};
  fs::path const folder = (cache != nullptr && *cache != 0 ? fs::path(cache) : fs::path(home) / ".cache") / "coalesce";
  std::error_code failed;
  fs::create_directories(folder, failed);
  std::string all;
  std::vector<fs::path> files;
  for (auto const& each : fs::recursive_directory_iterator(include / "coalesce", failed))
    if (each.path().extension() == ".hpp") files.push_back(each.path());
  std::sort(files.begin(), files.end());
  for (fs::path const& each : files) all += each.string() + bytes_of_file(each.string());
  for (std::string const& word : words) all += word + " ";
  std::string const name = path_of_program(words[0]);
  all += name + std::to_string(fs::file_size(name, failed));
  return folder / ("runtime-" + std::to_string(std::hash<std::string>{}(all)) + ".o");
}

struct compilation {
  std::vector<std::string> words;
  std::string source;
};

/// The first error of a compiler's text; `otherwise` where it has none.
std::string first_error(std::string const& text, std::string const& otherwise) {
  for (std::size_t at = 0; at < text.size();) {
    std::size_t const end = std::min(text.find('\n', at), text.size());
    std::string const line = text.substr(at, end - at);
    at = end + 1;
    for (char const* const word : {": fatal error: ", ": error: ", ": Error: ", "undefined reference to",
                                   "undefined symbol", "multiple definition"})
      if (line.find(word) != line.npos) return line;
  }
  return otherwise;
}

/// Runs compilers, `jobs` at a time. If one fails, and the sources ask for what a host does not have, the refusal names
/// that.
void compile(std::vector<compilation> const& all, unsigned jobs, co::detail::source_tree const& sources) {
  for (std::size_t first = 0; first < all.size(); first += jobs) {
    std::vector<started_program> run;
    std::vector<std::string> texts;
    std::size_t const past = std::min(all.size(), first + jobs);
    for (std::size_t k = first; k != past; ++k) run.push_back(start(all[k].words, 2));
    for (auto const& each : run) texts.push_back(text_of(each));
    std::string why;
    for (std::size_t k = 0; k != run.size(); ++k)
      if (int const status = status_of(run[k]); status != 0 && why.empty())
        why = first_error(texts[k], all[first + k].source + " does not compile");
    if (why.empty()) continue;
    if (why.find("boost") != why.npos)
      throw refusal("Boost.Context is not here: 'apt-get install libboost-context-dev' on Debian");
    std::string names;
    for (auto const& [place, name] : sources.missing)
      if (names.find(name) == names.npos) names += (names.empty() ? "" : ", ") + name;
    if (!names.empty())
      why = sources.missing[0].first + ": the program asks for " + names + ", which this host does not have";
    throw refusal(why + "; ask for the compiled kernel: 'coalesce binary'");
  }
}

template <unsigned Lanes>
ran read_of(co::detail::machine_facts<Lanes> const& machine, std::vector<std::string> const& command,
            std::vector<std::string> const& environment, std::string const& dynamic, bool tells) {
  co::detail::run_reader<Lanes> reader(machine, command[0], dynamic);
  if (tells)
    reader.tell = [](std::string const& kernel, std::uint64_t launches, std::uint64_t blocks) {
      if ((blocks & (blocks - 1)) == 0) std::cerr << kernel << ", launch " << launches << ": " << blocks << " blocks\n";
    };
  started_program const program = start(command, 100, environment);
  ran made{reader.read(program.reads)};
  made.status = status_of(program);
  return made;
}

/// Bytes of shared memory: of a block, of a block whose kernel asks for more, and of a multiprocessor.
struct shared_sizes {
  std::uint64_t of_block, of_asking_block, of_multiprocessor;
};
/// A multiprocessor has what the machine's row says, and a block at most 48 KiB of it. A block whose kernel asks for
/// more can have all of it on CC 7.x, and all but 1 KiB from CC 8.0 on. Before CC 7.0 it cannot have more. Sources:
/// CUDA C++ Programming Guide, "Technical Specifications per Compute Capability"; CCCL,
/// reserved_shared_memory_per_block.
template <class... Devices>
shared_sizes shared_sizes_of(unsigned capability, co::machine_list<Devices...>) {
  std::uint64_t all = 0;
  ((all = Devices::identity.capability == capability ? Devices::row::shared_bytes.value : all), ...);
  constexpr std::uint64_t always = 48 * 1024;
  return {std::min(all, always), capability < 70 ? std::min(all, always) : capability < 80 ? all : all - 1024, all};
}

}  // namespace

ran run_program(told_program const& told) {
  co::detail::named_replay const& machine = co::detail::replay_of(told.machine);
  unsigned const lanes = machine.of_32 != nullptr ? 32 : 64;
  co::machine_name const& identity = machine.of_32 != nullptr ? machine.of_32->identity : machine.of_64->identity;
  bool const is_nvidia = identity.capability != 0;
  fs::path const include = headers(), shims = include / "coalesce/host/run";
  std::string const compiler = compiler_of(told);
  bool const is_clang = compiler.find("clang") != compiler.npos;
  work_folder const work(told.keep);

  std::vector<std::string> common{compiler,   "-std=gnu++20",  "-g", "-w", "-fno-optimize-sibling-calls",
                                  "-isystem", include.string()};
  std::vector<std::string> instrumented{"-fsanitize=thread"};
  if (is_clang)
    for (char const* const each : {"-O1", "-fno-builtin", "-mllvm", "-tsan-instrument-read-before-write=1",
                                   "-fsanitize-coverage=bb,no-prune,trace-pc", "-fno-unroll-loops", "-mllvm",
                                   "-sink-common-insts=0", "-mllvm", "-hoist-common-insts=0"})
      instrumented.emplace_back(each);
  else
    for (char const* const each : {"-O0", "-fno-builtin", "-fpermissive", "-fsanitize-coverage=trace-pc"})
      instrumented.emplace_back(each);
  std::vector<std::string> words{"-isystem", (shims / (is_nvidia ? "cuda" : "hip")).string()};
  if (is_nvidia) {
    words.push_back("-DCOALESCE_RUN_ARCH=" + std::to_string(identity.capability) + "0");
  } else {
    std::string const name = identity.name;
    words.push_back("-D__" + name.substr(name.rfind(':') + 1) + "__=1");
  }
  std::vector<fs::path> const after = toolkits(told.folders);
  std::vector<fs::path> folders;
  std::remove_copy_if(told.folders.begin(), told.folders.end(), std::back_inserter(folders), is_toolkit);
  co::detail::source_tree sources(folders, work.path());
  std::vector<compilation> all, all_of_text;
  std::vector<std::string> objects, libraries, rewritten, texts;
  std::vector<std::pair<std::string, fs::path>> units;
  for (std::string const& source : told.sources) {
    std::string const kind = fs::path(source).extension().string();
    if (kind == ".o" || kind == ".a" || kind == ".so") {
      libraries.push_back(source);
      continue;
    }
    if (kind != ".c") {
      rewritten.push_back(source);
      units.emplace_back(source, sources.add(source));
    } else {
      units.emplace_back(source, source);
      sources.checksum = co::detail::checksum_of(text_of_file(source), sources.checksum);
    }
  }
  for (auto const& [source, made] : units) {
    objects.push_back((work.path() / ("object_" + std::to_string(all.size()) + ".o")).string());
    bool const is_c = fs::path(source).extension() == ".c";
    compilation one{common, source};
    if (is_c) one.words = {compiler, "-g", "-w", "-O1", "-x", "c"};
    if (is_c && !is_clang) one.words[0] = "gcc";
    if (!is_c) {
      one.words.insert(one.words.end(), instrumented.begin(), instrumented.end());
      bool const is_device = fs::path(source).extension() == ".cu" || fs::path(source).extension() == ".hip";
      if (is_device)
        one.words.insert(one.words.end(), {"-include", is_nvidia ? "cuda_runtime.h" : "hip/hip_runtime.h"});
    }
    one.words.insert(one.words.end(), words.begin(), words.end());
    for (std::string const& each : sources.folders()) one.words.insert(one.words.end(), {"-iquote", each});
    for (fs::path const& each : folders) one.words.push_back("-I" + each.string());
    for (std::string const& each : told.defines) one.words.push_back("-D" + each);
    for (fs::path const& each : after) one.words.insert(one.words.end(), {"-idirafter", each.string()});
    one.words.insert(one.words.end(), told.options.begin(), told.options.end());
    if (is_c || !is_clang) {
      if (!is_c) one.words.insert(one.words.end(), {"-x", "c++"});
      one.words.insert(one.words.end(), {"-c", made.string(), "-o", objects.back()});
    } else {  // clang writes LLVM's text, which gets more reports before it becomes an object
      texts.push_back(objects.back() + ".ll");
      one.words.insert(one.words.end(), {"-x", "c++", "-S", "-emit-llvm", made.string(), "-o", texts.back()});
      compilation of_text{{compiler, "-g", "-w", "-O1", "-Xclang", "-disable-llvm-passes"}, source};
      of_text.words.insert(of_text.words.end(), told.options.begin(), told.options.end());
      of_text.words.insert(of_text.words.end(), {"-x", "ir", "-c", texts.back(), "-o", objects.back()});
      all_of_text.push_back(std::move(of_text));
    }
    all.push_back(std::move(one));
  }
  unsigned left = 0;
  auto const compile_all = [&](co::detail::source_tree const& of) {
    compile(all, std::max(1u, told.jobs), of);
    left = 0;
    for (std::string const& text : texts) {
      co::detail::reported_odd_sizes const made(text_of_file(text));
      left += made.left;
      std::ofstream to(text);
      if (!(to << made.text).flush()) throw refusal(text + " cannot be written");
    }
    compile(all_of_text, std::max(1u, told.jobs), of);
  };
  fs::path const runtime = work.path() / "runtime.cpp";
  std::ofstream(runtime) << "#include <coalesce/host/run/runtime.hpp>\n";
  objects.push_back((work.path() / "runtime.o").string());
  compilation of_runtime{common, "the runtime"};
  of_runtime.words.insert(of_runtime.words.end(), {"-O2", "-g0"});
  fs::path const kept = kept_runtime(include, of_runtime.words);
  std::error_code failed;
  bool const is_kept =
      !kept.empty() && fs::copy_file(kept, objects.back(), fs::copy_options::overwrite_existing, failed);
  of_runtime.words.insert(of_runtime.words.end(), {"-c", runtime.string(), "-o", objects.back()});
  if (!is_kept) all.insert(all.begin(), of_runtime);  // it takes longest
  std::string constants;
  try {
    compile_all(sources);
  } catch (refusal const&) {
    // The program may need a constexpr array in a constant expression. The same files are written once more, with it.
    if (sources.constexpr_arrays.empty()) throw;
    for (std::string const& each : sources.constexpr_arrays) constants += (constants.empty() ? "" : ", ") + each;
    co::detail::source_tree again(folders, work.path());
    again.keeps_constexpr = true;
    for (std::string const& source : rewritten) again.add(source);
    compile_all(again);
  }
  if (!is_kept && !kept.empty()) {  // under another name first: several commands may run
    fs::path const part = kept.string() + "." + std::to_string(getpid());
    fs::copy_file(objects.back(), part, failed), fs::rename(part, kept, failed);
  }

  std::string const program = (work.path() / "program").string();
  compilation link{{compiler, "-g"}, "the program"};
  link.words.insert(link.words.end(), objects.begin(), objects.end());
  link.words.insert(link.words.end(), libraries.begin(), libraries.end());
  for (std::string const& each : told.libraries) link.words.push_back("-l" + each);
  for (char const* const each : {"memcpy", "memmove", "memset"})
    link.words.push_back(std::string("-Wl,--wrap=") + each);
  link.words.insert(link.words.end(), {"-lboost_context", "-ldl", "-lpthread", "-lm", "-o", program});
  compile({link}, 1, sources);

  std::string const dynamic = sources.dynamic.size() == 1 ? sources.dynamic[0] : "dynamic shared memory";
  std::vector<std::string> command{program};
  command.insert(command.end(), told.arguments.begin(), told.arguments.end());
  shared_sizes const shared =
      is_nvidia ? shared_sizes_of(identity.capability, co::cuda::every_machine()) : shared_sizes{65536, 65536, 65536};
  std::string const figures = std::to_string(lanes) + " " + std::to_string(identity.capability / 10) + " " +
                              std::to_string(identity.capability % 10) + " " + std::to_string(told.multiprocessors) +
                              " " + std::to_string(shared.of_block) + " " + std::to_string(shared.of_asking_block) +
                              " " + std::to_string(shared.of_multiprocessor) + " " + told.machine;
  std::vector<std::string> const environment{
      "COALESCE_RUN_PIPE=100", "COALESCE_RUN_MARGIN=" + std::to_string(told.margin), "COALESCE_RUN_MACHINE=" + figures,
      "COALESCE_RUN_BLOCKS=" + std::to_string(told.blocks == 0 ? ~std::uint64_t{0} : told.blocks)};
  ran made = lanes == 32 ? read_of(*machine.of_32, command, environment, dynamic, told.tells_progress)
                         : read_of(*machine.of_64, command, environment, dynamic, told.tells_progress);
  made.checksum = sources.checksum;
  for (auto const& words_of_user : {told.defines, told.options})
    for (std::string const& each : words_of_user) made.checksum = co::detail::checksum_of(each + "\n", made.checksum);
  auto const add = [&made](std::string const& sentence) {
    made.unchecked += (made.unchecked.empty() ? "" : "; ") + sentence;
  };
  if (!constants.empty())
    add("the loads from the constexpr array at " + constants + ", which the program needs in a constant expression");
  if (made.failed != 0)
    add(std::to_string(made.failed) +
        (made.failed == 1 ? " launch failed (invalid configuration): "
                          : " launches failed (invalid configuration), the first of them ") +
        made.first_failed);
  if (left != 0) add(std::to_string(left) + " loads or stores of several values at once, which clang++ does not tell");
  if (!is_clang)
    add("g++ does not tell where a struct is passed to a function or returned by one, nor of __builtin_memcpy and its "
        "like; clang++ tells every access");
  return made;
}

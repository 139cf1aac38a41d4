// SPDX-License-Identifier: BSL-1.0
#include "objects.hpp"

#include "expression.hpp"
#include "files.hpp"
#include "programs.hpp"

#include <coalesce/host/binary/kernels.hpp>
#include <coalesce/host/files.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>

namespace {

namespace co = coalescing;
namespace fs = std::filesystem;

// ---- The programs ----

/// Where NVIDIA's programs lie if not on PATH: in CUDA's folder, and in those of Python's packages (Triton's, and
/// NVIDIA's own, as nvidia-cuda-nvdisasm).
constexpr char const* folders_of_packages =
    "import importlib.util, os\n"
    "def folders(name):\n"
    "  found = importlib.util.find_spec(name)\n"
    "  return list(found.submodule_search_locations or []) if found else []\n"
    "for each in folders('triton'): print(each + '/backends/nvidia/bin')\n"
    "for each in folders('nvidia'): [print(f'{each}/{name}/bin') for name in sorted(os.listdir(each))]\n";

class disassembler {
 public:
  explicit disassembler(std::string const& called) : called_(called) {}

  /// The text of a cubin.
  std::string text_of_cubin(fs::path const& file) const { return output_of({of_cuda("nvdisasm"), "-gi", file}); }
  /// The text of AMD's code object, after its metadata.
  std::string text_of_code_object(fs::path const& file) const {
    std::string const metadata = output_of({of_llvm("llvm-readelf"), "--notes", file});
    std::vector<std::string> words{of_llvm("llvm-objdump"), "-l", "-D", "-j", ".rodata", "-j", ".text"};
    if (metadata.find("-gfx12") != metadata.npos) words.push_back("--mattr=+real-true16");  // manual/amd.md, "The text"
    words.push_back(file);
    return metadata + output_of(words);
  }
  /// Takes the cubins out of a file, and returns their names.
  std::vector<fs::path> cubins_of(fs::path const& file) const {
    output_of({of_cuda("cuobjdump"), "-xelf", "all", file});
    std::vector<fs::path> cubins;
    for (fs::directory_entry const& each : fs::directory_iterator(folder))
      if (each.path().extension() == ".cubin") cubins.push_back(each.path());
    std::sort(cubins.begin(), cubins.end());
    return cubins;
  }
  /// Takes the code objects out of a compressed bundle: their targets, and their files.
  std::vector<std::pair<std::string, fs::path>> objects_of(fs::path const& file) const {
    std::string const bundler = of_llvm("clang-offload-bundler"), input = "--input=" + file.string();
    std::vector<std::pair<std::string, fs::path>> objects;
    std::vector<std::string> words{bundler, "--unbundle", "--type=o", input};
    std::istringstream list{output_of({bundler, "--list", "--type=o", input})};
    std::string targets;
    for (std::string line; std::getline(list, line);)
      if (line.find("amdgcn") != line.npos) {
        targets += (targets.empty() ? "" : ",") + line;
        objects.emplace_back(line, folder / ("object" + std::to_string(objects.size())));
        words.push_back("--output=" + objects.back().second.string());
      }
    words.push_back("--targets=" + targets);
    if (!objects.empty()) output_of(words);
    return objects;
  }
  /// A file with these bytes, under a name that no program mistakes for an option.
  fs::path file_with(std::string_view bytes) const {
    fs::path const file = folder / "binary";
    std::ofstream to(file, std::ios::binary);
    to.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    if (!to.flush()) throw refusal(file.string() + " cannot be written");
    return file;
  }

 private:
  /// Runs a program and returns what it prints. Refused: a program that fails. The refusal quotes the first line that
  /// the program printed.
  std::string output_of(std::vector<std::string> const& words) const {
    started_program const program = start(words, 1, {}, folder.string());
    std::string const all = text_of(program);
    int const status = status_of(program);
    if (status == 0) return all;
    std::ifstream said(folder / said_in_folder);
    std::string why;
    while (why.empty() && std::getline(said, why)) continue;
    for (char& c : why)
      if (c < ' ' || c > '~') c = '?';
    for (std::size_t at = 0; (at = why.find(folder.string() + "/")) != why.npos;)
      why.erase(at, folder.string().size() + 1);
    std::string const name = fs::path(words[0]).filename();
    throw refusal(called_ + " is not read by " + name + ": " +
                  (why.empty() ? "it ended with status " + std::to_string(status) : why));
  }
  std::string of_cuda(std::string const& name) const {
    std::vector<std::string> places{name};
    for (char const* const variable : {"CUDA_HOME", "CUDA_PATH"})
      if (char const* const home = std::getenv(variable); home != nullptr)
        places.push_back(std::string(home) + "/bin/" + name);
    places.push_back("/usr/local/cuda/bin/" + name);
    if (std::string const found = first_of(places); !found.empty()) return found;
    places.clear();
    if (std::string const python = path_of_program("python3"); !python.empty()) {
      std::istringstream lines{output_of({python, "-c", folders_of_packages})};
      for (std::string line; std::getline(lines, line);) places.push_back(line + "/" + name);
    }
    if (std::string const found = first_of(places); !found.empty()) return found;
    throw refusal(called_ + " is of CUDA, and there is no " + name +
                  " on PATH, in /usr/local/cuda/bin, or among Python's packages: NVIDIA's toolkit has it, and so has "
                  "'pip install nvidia-cuda-" +
                  name + "'");
  }
  std::string of_llvm(std::string const& name) const {
    std::vector<std::string> places;  // the newest first: it knows the most targets
    for (int version = 40; version != 13; --version) places.push_back(name + "-" + std::to_string(version));
    places.push_back(name);
    if (char const* const home = std::getenv("ROCM_PATH"); home != nullptr)
      places.push_back(std::string(home) + "/llvm/bin/" + name);
    places.push_back("/opt/rocm/llvm/bin/" + name);
    if (std::string const found = first_of(places); !found.empty()) return found;
    throw refusal(called_ + " is of AMD, and there is no " + name +
                  " on PATH or in /opt/rocm/llvm/bin: ROCm has it, and Debian's packages llvm and clang have it");
  }
  static std::string first_of(std::vector<std::string> const& places) {
    for (std::string const& each : places)
      if (std::string const path = path_of_program(each); !path.empty()) return path;
    return "";
  }

  std::string called_;
  work_folder work_;
  fs::path folder = work_.path();
};

// ---- The files ----

using namespace std::string_view_literals;
constexpr std::string_view elf = "\177ELF", bundle = "__CLANG_OFFLOAD_BUNDLE__", compressed = "CCOB",
                           fat_binary = "\x50\xed\x55\xba", archive = "!<arch>\n";
bool is_binary(std::string_view beginning) {
  for (std::string_view const each : {elf, bundle, compressed, fat_binary, archive})
    if (beginning.starts_with(each)) return true;
  return false;
}

/// A number of the file, the lowest byte first; past the end 0.
std::uint64_t number_at(std::string_view bytes, std::size_t at, unsigned count) {
  std::uint64_t number = 0;
  for (unsigned k = count; k-- != 0;)
    number = number << 8 | (at + k < bytes.size() ? static_cast<unsigned char>(bytes[at + k]) : 0U);
  return number;
}

/// Whether a container of CUDA's lies in a file: its mark, its version, the bytes of its header, and the bytes after
/// it. (CUDA's fatbinary_section.h has the mark; the rest is inferred from what nvcc 13.0 writes.)
bool has_fat_binary(std::string_view bytes) {
  for (std::size_t at = 0; (at = bytes.find(fat_binary, at)) != bytes.npos; at += fat_binary.size()) {
    std::uint64_t const version = number_at(bytes, at + 4, 2), header = number_at(bytes, at + 6, 2);
    if (version == 1 && header == 16 && number_at(bytes, at + 8, 8) <= bytes.size() - at) return true;
  }
  return false;
}

/// The target that a bundle's entry names: gfx942 of hipv4-amdgcn-amd-amdhsa--gfx942:sramecc+:xnack-.
std::string target_of_entry(std::string_view entry) {
  std::size_t const at = entry.rfind("gfx");
  return at == entry.npos ? "" : std::string(entry.substr(at, entry.find(':', at) - at));
}

class reader {
 public:
  reader(std::string const& name, std::function<bool(std::string const&)> const& is_asked)
      : name_(name == "-" ? "standard input" : name), is_asked_(is_asked) {}

  void read(std::string bytes) {
    std::string_view const all = bytes;
    if (!is_binary(all)) return void(codes.push_back({std::move(bytes), {}, {}, false}));
    std::uint64_t const machine = all.starts_with(elf) ? number_at(all, 18, 2) : 0;
    disassembler const with(name_);
    if (machine == 190) return void(codes.push_back({with.text_of_cubin(with.file_with(all)), {}, {}}));
    if (machine == 224) return void(codes.push_back({with.text_of_code_object(with.file_with(all)), {}, {}}));
    std::size_t const before = codes.size();
    for (std::size_t at = 0; (at = all.find(bundle, at)) != all.npos; at += bundle.size())
      read_bundle(with, all.substr(at));
    for (std::size_t at = 0; (at = all.find(compressed, at)) != all.npos; at += compressed.size())
      read_compressed(with, all.substr(at));
    if (has_fat_binary(all))
      for (fs::path const& each : with.cubins_of(with.file_with(all))) {
        std::string target = each.stem();  // binary.1.sm_90a
        target.erase(0, target.rfind('.') + 1);
        if (takes(target)) codes.push_back({with.text_of_cubin(each), {}, {}});
      }
    if (codes.size() != before) return;
    std::sort(others_.begin(), others_.end()),
        others_.erase(std::unique(others_.begin(), others_.end()), others_.end());
    throw refusal(name_ + (others_.empty()
                               ? " is a binary, and has no code of a GPU that is compiled for one target: no "
                                 "cubin of CUDA, and no code object of HIP"
                               : " has no code for this machine: it has some for " + co::binary::first_of(others_)));
  }
  void read_folder() {
    std::vector<fs::path> files;
    std::error_code stop;
    for (fs::recursive_directory_iterator at(name_, fs::directory_options::skip_permission_denied, stop), end;
         !stop && at != end; at.increment(stop))
      if (auto const type = at->path().extension(); type == ".cubin" || type == ".hsaco") files.push_back(at->path());
    if (files.empty())
      throw refusal(name_ + " is a folder, and not a file, and has no kernel of Triton's (.cubin, .hsaco)");
    std::sort(files.begin(), files.end());
    std::string const folder = name_;
    for (fs::path const& each : files) {
      fs::path const beside = fs::path(each).replace_extension(".json");
      code_of_file launch;
      std::string target;
      if (fs::exists(beside)) {
        nlohmann::json const told = nlohmann::json::parse(text_of_file(beside), nullptr, false);
        try {
          auto const& on = told.at("target");
          auto const warps = told.at("num_warps").get<unsigned>(), lanes = on.at("warp_size").get<unsigned>();
          launch.block = std::to_string(warps * lanes);
          launch.shared = std::to_string(told.at("shared").get<unsigned>());
          target = on.at("arch").is_string() ? on.at("arch").get<std::string>()
                                             : "sm_" + std::to_string(on.at("arch").get<unsigned>());
        } catch (nlohmann::json::exception const&) {
          throw refusal(beside.string() + " does not state num_warps, shared and target, as Triton writes them");
        }
      }
      if (!target.empty() && !takes(target)) continue;
      name_ = each;
      std::size_t const first = codes.size();
      read(bytes_of_file(each));
      for (std::size_t k = first; k != codes.size(); ++k)
        codes[k].block = launch.block, codes[k].shared = launch.shared;
    }
    if (codes.empty())
      throw refusal(folder + " has no code for this machine: it has some for " + co::binary::first_of(others_));
  }

  std::vector<code_of_file> codes;

 private:
  bool takes(std::string const& target) {
    if (is_asked_(target)) return true;
    others_.push_back(target);
    return false;
  }
  /// A bundle: its mark, how many entries it has, and of each the offset, the size and the name. (clang,
  /// ClangOffloadBundler, "Bundled Code Object File Layout".)
  void read_bundle(disassembler const& with, std::string_view bytes) {
    std::uint64_t const count = number_at(bytes, bundle.size(), 8);
    std::size_t at = bundle.size() + 8;
    for (std::uint64_t k = 0; k != count && at + 24 <= bytes.size(); ++k) {
      std::uint64_t const offset = number_at(bytes, at, 8), size = number_at(bytes, at + 8, 8),
                          length = number_at(bytes, at + 16, 8);
      at += 24;
      if (length > bytes.size() - at) return;
      std::string const target = target_of_entry(bytes.substr(at, length));
      at += length;
      if (target.empty() || offset > bytes.size() || size > bytes.size() - offset) continue;
      std::string_view const object = bytes.substr(offset, size);
      if (object.starts_with(elf) && takes(target))
        codes.push_back({with.text_of_code_object(with.file_with(object)), {}, {}});
    }
  }
  /// A compressed bundle: its mark, its version, how it is compressed, and how many bytes it has. (The same document,
  /// "Compressed Bundle": versions 2 and 3.)
  void read_compressed(disassembler const& with, std::string_view bytes) {
    std::uint64_t const version = number_at(bytes, 4, 2), how = number_at(bytes, 6, 2);
    if ((version != 2 && version != 3) || how > 1) return;
    std::uint64_t const size = number_at(bytes, 8, version == 2 ? 4 : 8);
    if (size > bytes.size()) return;
    for (auto const& [entry, file] : with.objects_of(with.file_with(bytes.substr(0, size))))
      if (takes(target_of_entry(entry))) codes.push_back({with.text_of_code_object(file), {}, {}});
  }

  std::string name_;
  std::function<bool(std::string const&)> const& is_asked_;
  std::vector<std::string> others_;  ///< targets that are not asked for
};

}  // namespace

std::vector<code_of_file> codes_of_file(std::string const& name,
                                        std::function<bool(std::string const&)> const& is_asked) {
  reader all(name, is_asked);
  if (name != "-" && co::detail::is_folder(name))
    all.read_folder();
  else
    all.read(contents_of_file(name, is_binary));
  return std::move(all.codes);
}

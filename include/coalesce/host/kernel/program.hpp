// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/kernel/interface.hpp>

#include <cxxabi.h>
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

// Reads what the program's file tells: the names and places of the arrays in shared memory (thread-local variables
// here), the constants, and the lines of the source, which LLVM's or GNU's symbolizer finds.

extern char** environ;

namespace coalescing::detail {

struct byte_range {
  std::uint64_t begin = 0, end = 0;
  bool has(std::uint64_t address) const { return address - begin < end - begin; }
};

/// The process of a symbolizer. A line of its input asks for an address. It answers with the lines of the source that
/// are inlined there, the innermost first.
class symbolizer {
 public:
  symbolizer(symbolizer const&) = delete;
  symbolizer& operator=(symbolizer const&) = delete;
  explicit symbolizer(std::string const& file) {
    char const* const chosen = std::getenv("LLVM_SYMBOLIZER");
    std::vector<std::string> names{"llvm-symbolizer"};
    for (int version = 30; version != 13; --version) names.push_back("llvm-symbolizer-" + std::to_string(version));
    if (chosen != nullptr) names = {chosen};
    for (std::string const& name : names)
      if (start({name, "--obj=" + file, "--functions=none", "--inlines"})) return;
    is_gnu_ = start({"addr2line", "-i", "-a", "-e", file});
  }
  ~symbolizer() {
    if (to_ != nullptr) std::fclose(to_), std::fclose(from_), waitpid(process_, nullptr, 0);
  }

  /// The innermost line at that offset which is outside this library's headers for the host.
  host_line find(std::uint64_t offset) {
    host_line found;
    if (to_ == nullptr) return found;
    // addr2line does not mark the end of an answer. So a second question follows, whose answer begins with its address.
    std::fprintf(to_, is_gnu_ ? "0x%llx\n0\n" : "0x%llx\n", static_cast<unsigned long long>(offset)), std::fflush(to_);
    unsigned answers = 0;
    for (std::string said; read(said);) {
      if (!is_gnu_ && said.empty()) break;
      if (is_gnu_ && said.starts_with("0x") && ++answers == 2) {
        read(said), read(said);
        break;
      }
      if (found.line == 0) take(said, found);
    }
    return found;
  }

 private:
  bool start(std::vector<std::string> const& words) {
    int in[2], out[2];
    if (pipe(in) != 0) return false;
    if (pipe(out) != 0) return close(in[0]), close(in[1]), false;
    std::vector<char*> arguments;
    for (std::string const& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, in[0], 0), posix_spawn_file_actions_adddup2(&files, out[1], 1);
    for (int const end : {in[0], in[1], out[0], out[1]}) posix_spawn_file_actions_addclose(&files, end);
    bool const runs = posix_spawnp(&process_, arguments[0], &files, nullptr, arguments.data(), environ) == 0;
    posix_spawn_file_actions_destroy(&files);
    close(in[0]), close(out[1]);
    if (!runs) return close(in[1]), close(out[0]), false;
    to_ = fdopen(in[1], "w"), from_ = fdopen(out[0], "r");
    return true;
  }
  bool read(std::string& line) {
    line.clear();
    int c = std::fgetc(from_);
    for (; c != EOF && c != '\n'; c = std::fgetc(from_)) line.push_back(static_cast<char>(c));
    return c != EOF || !line.empty();
  }
  /// Reads a line such as file:line:column, file:line, or file:line (discriminator 1).
  static void take(std::string line, host_line& found) {
    line = line.substr(0, line.find(" (discriminator"));
    if (line.find("coalesce/host/") != std::string::npos) return;
    unsigned numbers[2] = {}, count = 0;
    while (count != 2) {
      auto const colon = line.rfind(':');
      if (colon == std::string::npos || line.find_first_not_of("0123456789", colon + 1) != std::string::npos) break;
      numbers[count++] = static_cast<unsigned>(std::strtoul(line.c_str() + colon + 1, nullptr, 10));
      line.resize(colon);
    }
    if (count == 0 || numbers[count - 1] == 0) return;
    found.file = line, found.line = numbers[count - 1], found.column = count == 2 ? numbers[0] : 0;
  }

  pid_t process_ = 0;
  bool is_gnu_ = false;
  std::FILE *to_ = nullptr, *from_ = nullptr;
};

/// The program or library that the kernel is in.
class host_program {
 public:
  explicit host_program(void const* kernel) : symbolizer_(find_file(kernel)) {
    dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* self) { return static_cast<host_program*>(self)->look_at(*info); },
        this);
    read_symbols();
    read_constants();
  }
  bool is_of(void const* kernel) const {
    Dl_info info{};
    return dladdr(kernel, &info) != 0 && reinterpret_cast<std::uint64_t>(info.dli_fbase) == base_;
  }

  /// The arrays in shared memory, which are thread-local variables here, with the names of these variables.
  std::vector<host_array> shared;
  /// Memory that nothing can write, and the kernel's __constant__ variables.
  std::vector<byte_range> constants;
  byte_range thread_local_memory;

  host_line const& line(std::uint64_t place) {
    auto const [at, is_new] = lines_.try_emplace(place);
    if (is_new) {
      std::uint64_t const offset = place - 1 - load_;  // the byte before the return address lies within the call
      at->second = symbolizer_.find(offset), at->second.offset = offset;
    }
    return at->second;
  }

 private:
  std::string find_file(void const* kernel) {
    Dl_info info{};
    if (dladdr(kernel, &info) == 0) return "/proc/self/exe";
    base_ = reinterpret_cast<std::uint64_t>(info.dli_fbase);
    std::string const name = info.dli_fname;
    char path[4096];
    auto const length = readlink("/proc/self/exe", path, sizeof path);
    std::string const program(path, length < 0 ? 0 : static_cast<std::size_t>(length));
    // The program's own name may be relative to a folder that it has left.
    auto const file_of = [](std::string const& of) { return of.substr(of.rfind('/') + 1); };
    return file_ = file_of(name) == file_of(program) ? program : name;
  }
  int look_at(dl_phdr_info const& info) {
    std::uint64_t first = ~std::uint64_t{0};
    for (unsigned k = 0; k != info.dlpi_phnum; ++k)
      if (info.dlpi_phdr[k].p_type == PT_LOAD && info.dlpi_phdr[k].p_vaddr < first) first = info.dlpi_phdr[k].p_vaddr;
    if (info.dlpi_addr + (first & ~std::uint64_t{4095}) != base_) return 0;
    load_ = info.dlpi_addr;
    for (unsigned k = 0; k != info.dlpi_phnum; ++k)
      if (info.dlpi_phdr[k].p_type == PT_TLS && info.dlpi_tls_data != nullptr) {
        auto const begin = reinterpret_cast<std::uint64_t>(info.dlpi_tls_data);
        thread_local_memory = {begin, begin + info.dlpi_phdr[k].p_memsz};
      }
    return 1;
  }
  static std::string short_name(char const* symbol) {
    int status = 0;
    char* const words = abi::__cxa_demangle(symbol, nullptr, nullptr, &status);
    std::string name = status == 0 ? words : symbol;
    std::free(words);
    return name.substr(name.rfind(':') + 1);
  }
  void read_symbols() {
    std::ifstream in(file_, std::ios::binary);
    std::string const bytes{std::istreambuf_iterator<char>(in), {}};
    auto const read = [&](auto& to, std::uint64_t at) {
      if (at > bytes.size() || bytes.size() - at < sizeof to) return false;
      std::memcpy(&to, bytes.data() + at, sizeof to);
      return true;
    };
    ElfW(Ehdr) header{};
    if (!read(header, 0)) return;
    auto const section = [&](unsigned k) {
      ElfW(Shdr) found{};
      return read(found, header.e_shoff + k * sizeof found) ? found : ElfW(Shdr){};
    };
    auto const names = section(header.e_shstrndx).sh_offset;
    for (unsigned k = 0; k != header.e_shnum; ++k) {
      ElfW(Shdr) const table = section(k);
      if (std::strcmp(bytes.c_str() + names + table.sh_name, "coalesce_constant") == 0)
        constants.push_back({load_ + table.sh_addr, load_ + table.sh_addr + table.sh_size});
      if (table.sh_type != SHT_SYMTAB) continue;
      auto const words = section(table.sh_link).sh_offset;
      ElfW(Sym) symbol{};
      for (std::uint64_t at = 0; at < table.sh_size && read(symbol, table.sh_offset + at); at += sizeof symbol)
        if ((symbol.st_info & 15) == STT_TLS && symbol.st_size != 0 && symbol.st_shndx != SHN_UNDEF)
          shared.push_back({short_name(bytes.c_str() + words + symbol.st_name),
                            thread_local_memory.begin + symbol.st_value, symbol.st_size, 0, memory_space::shared});
    }
  }
  void read_constants() {
    std::ifstream in("/proc/self/maps");
    for (std::string line; std::getline(in, line);) {
      unsigned long long begin = 0, end = 0;
      char may[5] = "";
      if (std::sscanf(line.c_str(), "%llx-%llx %4s", &begin, &end, may) == 3 && may[0] == 'r' && may[1] == '-')
        constants.push_back({begin, end});
    }
  }

  std::uint64_t base_ = 0, load_ = 0;
  std::string file_;
  symbolizer symbolizer_;
  std::map<std::uint64_t, host_line> lines_;
};

}  // namespace coalescing::detail

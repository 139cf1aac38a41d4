// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/kernel/interface.hpp>
#include <coalesce/host/kernel/symbolizer.hpp>

#include <cxxabi.h>
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <unistd.h>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

// Reads what the program's file tells: the names and places of the arrays in shared memory (thread-local variables
// here), the constants, and the lines of the source, which LLVM's or GNU's symbolizer finds.

namespace coalescing::detail {

struct byte_range {
  std::uint64_t begin = 0, end = 0;
  bool has(std::uint64_t address) const { return address - begin < end - begin; }
};

/// The program or library that the kernel is in.
class host_program {
 public:
  explicit host_program(void const* kernel) : symbolizer_(find_file(kernel)) {
    look();
    read_symbols();
    read_constants();
  }
  bool is_of(void const* kernel) const {
    Dl_info info{};
    return dladdr(kernel, &info) != 0 && reinterpret_cast<std::uint64_t>(info.dli_fbase) == base_;
  }

  /// The arrays in shared memory, which are thread-local variables here, with the names of these variables.
  std::vector<host_array> shared;
  /// The read-only memory of the process, and the program's __constant__ variables.
  std::vector<byte_range> constants;
  /// The program's writable variable at this address, or nullptr. (A variable that a kernel accesses is a __device__
  /// variable.)
  [[nodiscard]] host_array const* variable_of(std::uint64_t address) const {
    auto found = variables_.upper_bound(address);
    if (found == variables_.begin()) return nullptr;
    --found;
    return address - found->first < found->second.bytes ? &found->second : nullptr;
  }
  /// The address of a place minus the address at which the program is loaded.
  [[nodiscard]] std::uint64_t offset_of(void const* place) const {
    return reinterpret_cast<std::uint64_t>(place) - load_;
  }
  byte_range thread_local_memory;
  /// Finds the arrays in shared memory again if the calling thread is not that of the last call. They are among the
  /// thread-local variables of the calling thread.
  void move_to_this_thread() {
    unsigned const calls = number_of_this_thread();
    if (std::exchange(thread_, calls) == calls) return;
    std::uint64_t const before = thread_local_memory.begin;
    look();
    for (host_array& array : shared) array.begin += thread_local_memory.begin - before;
  }

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
    // dladdr() gives the path with which the program was started. That path may be relative to a folder that the
    // program has left since. So the path of the program itself is that of /proc/self/exe.
    auto const file_of = [](std::string const& of) { return of.substr(of.rfind('/') + 1); };
    return file_ = file_of(name) == file_of(program) ? program : name;
  }
  void look() {
    dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* self) { return static_cast<host_program*>(self)->look_at(*info); },
        this);
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
    auto const is_constant = [&](ElfW(Shdr) const& of) {
      return std::strcmp(bytes.c_str() + names + of.sh_name, "coalesce_constant") == 0;
    };
    auto const is_variable = [&](ElfW(Shdr) const& of) { return (of.sh_flags & SHF_WRITE) != 0 && !is_constant(of); };
    for (unsigned k = 0; k != header.e_shnum; ++k) {
      ElfW(Shdr) const table = section(k);
      if (is_constant(table)) constants.push_back({load_ + table.sh_addr, load_ + table.sh_addr + table.sh_size});
      if (table.sh_type != SHT_SYMTAB) continue;
      auto const words = section(table.sh_link).sh_offset;
      ElfW(Sym) symbol{};
      for (std::uint64_t at = 0; at < table.sh_size && read(symbol, table.sh_offset + at); at += sizeof symbol)
        if ((symbol.st_info & 15) == STT_OBJECT && symbol.st_size != 0 && is_variable(section(symbol.st_shndx)))
          variables_[load_ + symbol.st_value] = {short_name(bytes.c_str() + words + symbol.st_name),
                                                 load_ + symbol.st_value, symbol.st_size};
        else if ((symbol.st_info & 15) == STT_TLS && symbol.st_size != 0 && symbol.st_shndx != SHN_UNDEF)
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

  /// A number that no other thread of the program has had.
  static unsigned number_of_this_thread() {
    static std::atomic<unsigned> threads{0};
    static thread_local unsigned const number = ++threads;
    return number;
  }

  unsigned thread_ = number_of_this_thread();  // the thread whose thread-local variables hold the arrays of `shared`
  std::uint64_t base_ = 0, load_ = 0;
  std::string file_;
  symbolizer symbolizer_;
  std::map<std::uint64_t, host_line> lines_;
  std::map<std::uint64_t, host_array> variables_;  // by their first address
};

}  // namespace coalescing::detail

// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/kernel/interface.hpp>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

// Asks LLVM's or GNU's symbolizer for the lines of the source at an address.

extern char** environ;

namespace coalescing::detail {

/// The process of a symbolizer. It reads addresses, one on each line. For each address it writes the line of the source
/// there, and then the lines of the calls that were inlined, the innermost first.
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

  /// Finds the line of the source for an instruction. If it is in inlined calls, several lines belong to it. Then the
  /// innermost line in the user's own files is taken, or else the innermost line that is not this library's.
  host_line find(std::uint64_t offset) {
    host_line found, foreign;
    if (to_ == nullptr) return found;
    // addr2line does not mark the end of an answer. So address 0 is sent, too: the answer to it begins with a line
    // 0x..., which marks the end.
    std::fprintf(to_, is_gnu_ ? "0x%llx\n0\n" : "0x%llx\n", static_cast<unsigned long long>(offset)), std::fflush(to_);
    unsigned answers = 0;
    for (std::string said; read(said);) {
      if (!is_gnu_ && said.empty()) break;
      if (is_gnu_ && said.starts_with("0x") && ++answers == 2) {
        read(said), read(said);
        break;
      }
      take(said, found, foreign);
    }
    return found.line != 0 ? found : foreign;
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
  /// Reads a line of the answer, such as file:line:column, file:line, or file:line (discriminator 1). The first line
  /// in a file of the user goes to `found`. The first line in a file of the toolkit or the system goes to `foreign`.
  static void take(std::string line, host_line& found, host_line& foreign) {
    line = line.substr(0, line.find(" (discriminator"));
    if (line.find("coalesce/host/") != std::string::npos) return;
    bool is_own = true;
    for (char const* const folder :
         {"/usr/include/", "/usr/lib/", "/usr/local/cuda", "/usr/local/include/", "/opt/rocm"})
      is_own = is_own && !line.starts_with(folder);
    for (char const* const header : {"/cuda_fp16.h", "/cuda_bf16.h", "/cuda_fp8.h"})  // CUDA's, wherever the toolkit is
      is_own = is_own && line.find(header) == line.npos;
    unsigned numbers[2] = {}, count = 0;
    while (count != 2) {
      auto const colon = line.rfind(':');
      if (colon == std::string::npos || line.find_first_not_of("0123456789", colon + 1) != std::string::npos) break;
      numbers[count++] = static_cast<unsigned>(std::strtoul(line.c_str() + colon + 1, nullptr, 10));
      line.resize(colon);
    }
    if (count == 0 || numbers[count - 1] == 0) return;
    host_line& to = is_own ? found : foreign;
    if (to.line != 0) return;
    to.file = line, to.line = numbers[count - 1], to.column = count == 2 ? numbers[0] : 0;
  }

  pid_t process_ = 0;
  bool is_gnu_ = false;
  std::FILE *to_ = nullptr, *from_ = nullptr;
};

}  // namespace coalescing::detail

// SPDX-License-Identifier: BSL-1.0
#include "programs.hpp"

#include "expression.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cstdlib>
#include <cstring>

extern char** environ;

started_program start(std::vector<std::string> const& words, int pipe_at, std::vector<std::string> const& environment,
                      std::string const& folder) {
  started_program made;
  int ends[2] = {-1, -1};
  if (pipe_at >= 0 && pipe2(ends, O_CLOEXEC) != 0) throw refusal("no pipe can be made");
  // A pipe with room for several writes lets the program and its reader run side by side. Less room is only slower.
  if (pipe_at >= 0) fcntl(ends[1], F_SETPIPE_SZ, 1 << 20);
  std::vector<char*> arguments, variables;
  for (std::string const& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  for (std::string const& each : environment)
    variables.push_back(const_cast<char*>(each.c_str()));  // before this program's own: the first of a name holds
  for (char** each = environ; *each != nullptr; ++each) variables.push_back(*each);
  arguments.push_back(nullptr), variables.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  if (pipe_at >= 0) posix_spawn_file_actions_adddup2(&files, ends[1], pipe_at);
  if (!folder.empty()) {
    posix_spawn_file_actions_addchdir_np(&files, folder.c_str());
    posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, 2, said_in_folder, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  }
  int const error = posix_spawnp(&made.process, arguments[0], &files, nullptr, arguments.data(), variables.data());
  posix_spawn_file_actions_destroy(&files);
  if (pipe_at >= 0) close(ends[1]);
  if (error != 0) {
    if (pipe_at >= 0) close(ends[0]);
    throw refusal(words[0] + " cannot be started: " + std::strerror(error));
  }
  made.reads = ends[0];
  return made;
}

int status_of(started_program const& program) {
  if (program.reads >= 0) close(program.reads);
  int status = 0;
  while (waitpid(program.process, &status, 0) < 0 && errno == EINTR) continue;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::string text_of(started_program const& program) {
  std::string all;
  char some[4096];
  for (ssize_t count = 0; (count = read(program.reads, some, sizeof some)) > 0;)
    all.append(some, static_cast<std::size_t>(count));
  return all;
}

std::string path_of_program(std::string const& name) {
  if (name.find('/') != name.npos) return access(name.c_str(), X_OK) == 0 ? name : "";
  char const* const path_variable = std::getenv("PATH");
  std::string const folders = path_variable == nullptr ? "" : path_variable;
  for (std::size_t at = 0; at <= folders.size();) {
    std::size_t const end = std::min(folders.find(':', at), folders.size());
    std::string const path = folders.substr(at, end - at) + "/" + name;
    if (end != at && access(path.c_str(), X_OK) == 0) return path;
    at = end + 1;
  }
  return "";
}

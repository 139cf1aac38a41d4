// SPDX-License-Identifier: BSL-1.0
#include <coalesce/host/run/messages.hpp>

#include <doctest/doctest.h>

#include <sys/time.h>
#include <unistd.h>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <thread>
#include <vector>

// Messages go through a pipe whole, whatever signals the program gets meanwhile.

TEST_CASE("run: signals that interrupt a write lose no message") {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  struct sigaction interrupts = {}, before = {};
  interrupts.sa_handler = [](int) {};  // without SA_RESTART: write() fails with EINTR
  REQUIRE(sigaction(SIGALRM, &interrupts, &before) == 0);
  sigset_t alarms;
  sigemptyset(&alarms), sigaddset(&alarms, SIGALRM);
  constexpr std::uint32_t count = 1 << 18;
  std::vector<std::uint32_t> taken;
  pthread_sigmask(SIG_BLOCK, &alarms, nullptr);  // the reader gets no signal
  std::thread reader([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));  // the pipe is full, and the writer waits
    coalescing::detail::message_reader from(ends[0]);
    for (std::uint32_t one = 0; from.has_more() && from.take(one);) taken.push_back(one);
  });
  pthread_sigmask(SIG_UNBLOCK, &alarms, nullptr);
  itimerval every = {{0, 1000}, {0, 1000}};
  setitimer(ITIMER_REAL, &every, nullptr);
  {
    coalescing::detail::message_writer to(ends[1]);
    for (std::uint32_t k = 0; k != count; ++k) to.put(k);
  }
  every = {};
  setitimer(ITIMER_REAL, &every, nullptr);
  close(ends[1]), reader.join(), close(ends[0]);
  sigaction(SIGALRM, &before, nullptr);
  REQUIRE(taken.size() == count);
  bool are_in_order = true;
  for (std::uint32_t k = 0; k != count; ++k) are_in_order = are_in_order && taken[k] == k;
  CHECK(are_in_order);
}

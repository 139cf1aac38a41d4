// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <cstdint>

// GPGPU-Sim's coalescer, where there is a checkout of GPGPU-Sim. tests/cost/bench/run takes the functions out of it,
// word for word, into the file COALESCE_GPGPU_SIM. Here are the types that these functions use, with the members that
// they use and with GPGPU-Sim's names. Its counterpart is src/abstract_hardware_model.h, 90ec3399.

#ifndef COALESCE_GPGPU_SIM
namespace programs {
inline constexpr std::uint64_t (*gpgpu_sim)(std::uint64_t const*) = nullptr;
}
#else
#include <bitset>
#include <cassert>
#include <list>
#include <map>
#include <vector>

namespace programs::simulator {

using new_addr_type = unsigned long long;
using address_type = unsigned;
constexpr unsigned MAX_ACCESSES_PER_INSN_PER_THREAD = 8, MAX_MEMORY_ACCESS_SIZE = 128;
enum mem_access_type { GLOBAL_ACC_R };
enum memory_space { global_space, local_space, param_space_local };
enum cache_operator_type { CACHE_ALL, CACHE_GLOBAL };
using lanes = std::bitset<32>;
using bytes_of_line = std::bitset<MAX_MEMORY_ACCESS_SIZE>;
using sectors_of_line = std::bitset<4>;

struct gpgpu_context {
  unsigned next_access = 0;
};
struct core_config {
  unsigned warp_size = 32, mem_warp_parts = 1, gpgpu_coalesce_arch = 70;
  bool gmem_skip_L1D = false;
  gpgpu_context* gpgpu_ctx;
};
struct mem_access_t {
  mem_access_t(mem_access_type type, new_addr_type address, unsigned size, bool is_write, lanes const& active,
               bytes_of_line const& bytes, sectors_of_line const& sectors, gpgpu_context* context)
      : context_(context),
        number_(++context->next_access),
        address_(address),
        is_write_(is_write),
        size_(size),
        type_(type),
        active_(active),
        bytes_(bytes),
        sectors_(sectors) {}
  gpgpu_context* context_;
  unsigned number_;
  new_addr_type address_;
  bool is_write_;
  unsigned size_;
  mem_access_type type_;
  lanes active_;
  bytes_of_line bytes_;
  sectors_of_line sectors_;
};
struct warp_inst_t {
  struct transaction_info {
    sectors_of_line chunks;
    bytes_of_line bytes;
    lanes active;
  };
  struct thread {
    new_addr_type memreqaddr[MAX_ACCESSES_PER_INSN_PER_THREAD] = {};
  };
  struct {
    memory_space get_type() const { return global_space; }
  } space;

  bool active(unsigned thread) const { return mask.test(thread); }
  void memory_coalescing_arch(bool is_write, mem_access_type access_type);
  void memory_coalescing_arch_reduce_and_send(bool is_write, mem_access_type access_type, transaction_info const& info,
                                              new_addr_type addr, unsigned segment_size);

  unsigned data_size = 4;
  cache_operator_type cache_op = CACHE_ALL;
  core_config const* m_config;
  lanes mask = lanes().set();
  std::vector<thread> m_per_scalar_thread = std::vector<thread>(32);
  std::list<mem_access_t> m_accessq;
};
#include COALESCE_GPGPU_SIM

}  // namespace programs::simulator

namespace programs {

/// The sectors of a load of 4 bytes by a warp.
inline std::uint64_t gpgpu_sim(std::uint64_t const* a) {
  static simulator::gpgpu_context context;
  static simulator::core_config const config{.gpgpu_ctx = &context};
  static simulator::warp_inst_t warp{.m_config = &config};
  for (unsigned lane = 0; lane != 32; ++lane) warp.m_per_scalar_thread[lane].memreqaddr[0] = a[lane];
  warp.memory_coalescing_arch(false, simulator::GLOBAL_ACC_R);
  std::uint64_t const count = warp.m_accessq.size();
  warp.m_accessq.clear();
  return count;
}

}  // namespace programs
#endif

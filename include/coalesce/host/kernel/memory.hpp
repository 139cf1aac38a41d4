// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/kernel/interface.hpp>
#include <coalesce/host/kernel/program.hpp>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

// The memory that a kernel may access.

namespace coalescing::detail {

class host_memory {
 public:
  host_memory(host_run& run, host_program const& program) : run_(run), program_(program) {}

  /// The array that holds all of these bytes; nullptr if no array does. An instruction mostly accesses one array, so
  /// the array that it accessed last is tried first.
  host_array const* array_of(std::uint64_t address, unsigned bytes, void const* place) {
    std::size_t& last = last_[reinterpret_cast<std::uint64_t>(place) % std::size(last_)];
    auto const has = [=](host_array const& array) {
      return address - array.begin < array.bytes && array.bytes - (address - array.begin) >= bytes;
    };
    if (last < run_.arrays.size() && has(run_.arrays[last])) return &run_.arrays[last];
    for (last = 0; last != run_.arrays.size(); ++last)
      if (has(run_.arrays[last])) return &run_.arrays[last];
    for (host_array const& array : program_.shared) {
      if (has(array)) {
        // As with co::shared, the arrays follow one another at multiples of 128 bytes.
        std::uint64_t end = 0;
        for (host_array const& other : run_.arrays)
          if (other.space == memory_space::shared) end = (other.base + other.bytes + 127) / 128 * 128;
        run_.arrays.push_back(array), run_.arrays.back().base = end;
        if (array.name == "coalesce_dynamic_shared") run_.arrays.back().bytes = run_.dynamic_shared;
        return has(run_.arrays.back()) ? &run_.arrays.back() : nullptr;
      }
    }
    bool const may_be_variable = run_.takes_variables && !is_private(address);
    host_array const* const variable = may_be_variable ? program_.variable_of(address) : nullptr;
    if (variable == nullptr || !has(*variable)) return nullptr;
    run_.arrays.push_back(*variable), run_.arrays.back().base = std::uint64_t{run_.arrays.size()} << 40;
    return &run_.arrays.back();
  }
  /// Notes an access to an array in shared memory. Returns false if it loads bytes that nothing has written since the
  /// block began. (It is not known whether an instruction of co::host::issue writes: it counts as a write.)
  bool touch(unsigned array, std::uint64_t byte, unsigned bytes, coalescing::touch kind) {
    if (written_.size() <= array) written_.resize(array + 1);
    std::vector<bool>& known = written_[array];
    known.resize(run_.arrays[array].bytes);
    bool all = true;
    for (std::uint64_t k = byte; k != byte + bytes; ++k) {
      all = all && known[k];
      if (kind != coalescing::touch::load) known[k] = true;
    }
    return all || kind == coalescing::touch::store || kind == coalescing::touch::issued;
  }
  /// Whether an address lies in memory that is not costed: the state of the thread, the kernel's arguments, and
  /// constants.
  bool is_private(std::uint64_t address) const {
    auto const own = reinterpret_cast<std::uint64_t>(&running), given = reinterpret_cast<std::uint64_t>(run_.arguments);
    if (address - own < sizeof running || address - given < run_.argument_bytes) return true;
    for (byte_range const& range : program_.constants)
      if (range.has(address)) return true;
    return false;
  }

 private:
  host_run& run_;
  host_program const& program_;
  std::vector<std::vector<bool>> written_;  // for each array in shared memory, and each byte: whether it was written
  std::size_t last_[64] = {};               // for each address of a place modulo 64: the array of its last access
};

}  // namespace coalescing::detail

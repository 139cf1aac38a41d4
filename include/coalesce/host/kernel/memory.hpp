// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/kernel/interface.hpp>
#include <coalesce/host/kernel/program.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

// The memory that a kernel may access.

namespace coalescing::detail {

class host_memory {
 public:
  host_memory(host_run& run, host_program const& program) : run_(run), program_(program) {}

  /// The number of an access's place; host_places::none if no array holds all of its bytes. An instruction mostly
  /// accesses one array, so the array that it accessed last is tried first.
  unsigned place_of(std::uint64_t address, unsigned bytes, coalescing::touch kind, std::uint64_t place,
                    issued_instruction const* instruction, bool is_copy) {
    unsigned number = 0;
    host_place const* const recent = run_.places.recent_at(place, number);
    bool const is_known = recent != nullptr && recent->address == place && recent->bytes == bytes &&
                          recent->kind == kind && recent->instruction == instruction && recent->is_copy == is_copy &&
                          has(run_.arrays[recent->array], address, bytes);
    return is_known ? number : find_place(address, {place, instruction, bytes, 0, kind, is_copy});
  }
  /// Notes an access to an array in shared memory. Returns false if the access reads bytes that nothing has written
  /// since the block began. (Whether an instruction of co::host::issue reads or writes is not known. It counts as a
  /// write.)
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
  /// Whether an address lies in `running` (where a kernel reads threadIdx) or in the kernel's arguments. Accesses there
  /// are not recorded.
  [[nodiscard]] bool is_given(std::uint64_t address) const {
    auto const own = reinterpret_cast<std::uint64_t>(&running), given = reinterpret_cast<std::uint64_t>(run_.arguments);
    return address - own < sizeof running || address - given < run_.argument_bytes;
  }
  /// Whether an address lies in constants. Accesses to constants are not recorded.
  [[nodiscard]] bool is_constant(std::uint64_t address) const {
    return std::any_of(program_.constants.begin(), program_.constants.end(),
                       [=](byte_range const& range) { return range.has(address); });
  }

 private:
  /// place_of() for an access that does not fit the place from recent_at().
  [[gnu::noinline]] unsigned find_place(std::uint64_t address, host_place what) {
    host_array const* const array = array_of(address, what.bytes);
    if (array == nullptr) return host_places::none;
    what.array = static_cast<unsigned>(array - run_.arrays.data()), what.space = array->space;
    return run_.places.number_of(what);
  }
  static bool has(host_array const& array, std::uint64_t address, unsigned bytes) {
    return address - array.begin < array.bytes && array.bytes - (address - array.begin) >= bytes;
  }
  /// The array that holds all of these bytes; nullptr if no array does.
  host_array const* array_of(std::uint64_t address, unsigned bytes) {
    auto const has_all = [=](host_array const& array) { return has(array, address, bytes); };
    auto const known = std::find_if(run_.arrays.begin(), run_.arrays.end(), has_all);
    if (known != run_.arrays.end()) return &*known;
    for (host_array const& array : program_.shared) {
      if (has_all(array)) {
        // The arrays follow one another at multiples of 128 bytes, as co::shared places them.
        std::uint64_t end = 0;
        for (host_array const& other : run_.arrays)
          if (other.space == memory_space::shared) end = (other.base + other.bytes + 127) / 128 * 128;
        run_.arrays.push_back(array), run_.arrays.back().base = end;
        if (array.name == "coalesce_dynamic_shared") run_.arrays.back().bytes = run_.dynamic_shared;
        return has_all(run_.arrays.back()) ? &run_.arrays.back() : nullptr;
      }
    }
    bool const may_be_variable = run_.takes_variables && !is_constant(address);
    host_array const* const variable = may_be_variable ? program_.variable_of(address) : nullptr;
    if (variable == nullptr || !has_all(*variable)) return nullptr;
    run_.arrays.push_back(*variable), run_.arrays.back().base = std::uint64_t{run_.arrays.size()} << 40;
    return &run_.arrays.back();
  }

  host_run& run_;
  host_program const& program_;
  std::vector<std::vector<bool>> written_;  // for each array in shared memory, and each byte: whether it was written
};

}  // namespace coalescing::detail

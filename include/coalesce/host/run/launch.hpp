// SPDX-License-Identifier: BSL-1.0
#pragma once
#ifdef __clang__  // the program is instrumented; this library is not
#pragma clang attribute push(__attribute__((no_sanitize("coverage", "thread"))), apply_to = function)
#endif
#include <coalesce/host/kernel/interface.hpp>

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

// Defines what source_rewriter makes of a launch. It turns copy<float><<<grid, block, bytes>>>(to, 4) into this call:
//
//     configured("copy<float>", grid, block, bytes)([=](auto const&... given) { return copy<float>(given...); })(to, 4)

/// The array of shared memory whose size a launch gives. A block of CC 10.7 can have 327 KiB. Each thread of the host
/// has such an array in its stack, so it is not larger.
extern __thread char coalesce_dynamic_shared[std::size_t{3} << 17];

namespace coalescing {

namespace detail {

/// The kernel's name, and what a launch has between <<< and >>>.
struct host_configuration {
  char const* kernel;
  host::dim3 grid, block;
  std::uint64_t bytes = 0;  ///< how many bytes of shared memory the launch adds
};

// ---- defined in run/runtime.hpp ----

/// Runs all blocks of a launch, one after the other. `place`: where the launch stands in the program.
void launch_on_host(host_configuration const& how, void (*call)(void const*), void const* arguments,
                    std::uint64_t argument_bytes, void const* place);

}  // namespace detail

namespace host {

/// An argument that is 0 or NULL. It becomes the number or the pointer that the kernel needs.
struct zero {
  template <class T>
  requires(std::is_arithmetic_v<T> || std::is_pointer_v<T> || std::is_enum_v<T>) constexpr operator T() const {
    return T{};
  }
};

template <class Kernel>
struct launched {
  detail::host_configuration how;
  Kernel kernel;
  template <bool IsNumber, class Argument>
  using passed = std::conditional_t<IsNumber && std::is_same_v<Argument, zero>, int, Argument>;
  /// Whether the kernel can be called with an int for each `zero`. If so, it gets ints, as in C++: a kernel fill(T*, T)
  /// then deduces T from them. If not, each `zero` converts to what the kernel takes, such as a pointer.
  template <class... Arguments>
  static constexpr bool takes_numbers() {
    if constexpr ((std::is_same_v<Arguments, zero> || ...))
      return std::is_invocable_v<Kernel const&, passed<true, Arguments> const&...>;
    else
      return false;
  }
  /// The arguments are copies, since a reference to a static const member of a class would need its definition.
  template <class... Arguments>
  [[gnu::noinline]] void operator()(Arguments... arguments) const {
    constexpr bool are_numbers = takes_numbers<Arguments...>();
    using given = std::tuple<Kernel, std::tuple<passed<are_numbers, Arguments>...>>;
    given const all{kernel, {std::move(arguments)...}};
    detail::launch_on_host(
        how,
        [](void const* self) {
          auto const& of = *static_cast<given const*>(self);
          std::apply(std::get<0>(of), std::get<1>(of));
        },
        &all, sizeof all, __builtin_return_address(0));
  }
};
struct configured : detail::host_configuration {
  /// `stream` is ignored: all launches and copies run in order.
  configured(char const* name, dim3 of_grid, dim3 of_block, std::uint64_t shared = 0, void const* stream = nullptr)
      : host_configuration{name, of_grid, of_block, shared} {
    static_cast<void>(stream);
  }
  template <class Kernel>
  launched<Kernel> operator()(Kernel const& function) const {
    return {*this, function};
  }
};

}  // namespace host
}  // namespace coalescing
#ifdef __clang__
#pragma clang attribute pop
#endif

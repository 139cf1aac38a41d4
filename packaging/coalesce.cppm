// SPDX-License-Identifier: BSL-1.0
//
// `import coalesce;`, in host code: every name of the headers below, so that none can be forgotten, and no macro.
// packaging/README.md says how it is built.
module;
// What those headers include of the standard library has to come first, else it would be exported as ours.
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <new>
#include <source_location>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
export module coalesce;

// extern "C++": the names belong to no module, so that one program may import them here and include them there.
export extern "C++" {
#include <coalesce/coalesce.hpp>
// The opt-ins, which that does not include.
#include <coalesce/cdna/explain.hpp>
#include <coalesce/cdna/fragments.hpp>
#include <coalesce/cdna/litmus.hpp>
#include <coalesce/claims.hpp>
#include <coalesce/compare.hpp>
#include <coalesce/cuda/fragments.hpp>
#include <coalesce/cuda/tma.hpp>
#include <coalesce/explain.hpp>
#include <coalesce/figure.hpp>
#include <coalesce/record.hpp>
#include <coalesce/record/explain.hpp>
#include <coalesce/record/figure.hpp>
#include <coalesce/suggest.hpp>
}

#include <coalesce/coalesce.hpp>
#include <coalesce/total.hpp>
namespace co = coalescing;
using namespace co::cuda;
using gfx942 = co::cdna::gfx942;
constexpr auto v = co::total<cc90::shared_load<128>>(
    co::swizzle{3, 4, 3}.over(co::layout<3>{.shape = {32, 8, 8}, .stride = {128, 4096, 16}}), co::domain{8, 8});

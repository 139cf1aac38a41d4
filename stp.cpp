#include <coalesce/coalesce.hpp>
#include <coalesce/total.hpp>
namespace co = coalescing;
using namespace co::cuda;
using gfx942 = co::cdna::gfx942;
constexpr auto v = co::total<cc90::shared_load<32>>(
    co::tile{.rows = 32, .columns = 64, .element_bytes = 4, .pitch = 132 * 2}, co::domain{64});

// SPDX-License-Identifier: BSL-1.0
#include <coalesce/host/binary/kernels.hpp>
#include <coalesce/host/binary/names.hpp>

#include <string>
#include <vector>

#include "machinery/check.hpp"

// The kernel of a text that a name means. The mangled names are the Itanium ABI's, as c++filt reads them.

namespace co = coalescing;

#if defined(__cpp_exceptions) && __has_include(<cxxabi.h>)
namespace {

std::vector<std::string> const names{
    "_Z4copyPjPKj",           // copy(unsigned int*, unsigned int const*)
    "_Z4copyIiEvPT_",         // void copy<int>(int*)
    "_ZN2ns4copyIfLi4EEEvv",  // void ns::copy<float, 4>()
    "_ZN2ns3sumEv",           // ns::sum()
    "_ZN5other3sumEv",        // other::sum()
    "_ZN12_GLOBAL__N_16hiddenEi",
    "plain_c",
};
std::string kernel(std::string const& asked, std::vector<std::string> const& known = names) {
  try {
    return co::binary::kernel_asked(asked, known);
  } catch (co::binary_refused const& why) {
    return std::string("refused: ") + why.what();
  }
}
bool has(std::string const& text, std::string const& words) { return text.find(words) != std::string::npos; }

}  // namespace

TEST_CASE("kernels: by the name in the text, and by every length of the source's") {
  for (std::string const& each : names) CHECK(kernel(each) == each);
  for (char const* name : {"copy(unsigned int*, unsigned int const*)", "copy(unsigned int*,unsigned int const*)"})
    CHECK(kernel(name) == names[0]);
  CHECK(kernel("copy") == names[0]);  // as it stands; the others are copy<int> and ns::copy
  for (char const* name : {"void copy<int>(int*)", "copy<int>(int*)", "copy<int>"}) CHECK(kernel(name) == names[1]);
  for (char const* name : {"ns::copy", "ns::copy<float, 4>", "ns::copy<float,4>", "void ns::copy<float, 4>()"})
    CHECK(kernel(name) == names[2]);
  for (char const* name : {"hidden", "(anonymous namespace)::hidden", "(anonymous namespace)::hidden(int)"})
    CHECK(kernel(name) == names[5]);
  CHECK(kernel("plain_c") == names[6]);
  CHECK(kernel("", {"_Z1fv"}) == "_Z1fv");
}

TEST_CASE("kernels: a name of two, of none, and no name") {
  CHECK(kernel("sum") ==
        "refused: the text has 2 kernels of the name sum: name one of them: _ZN2ns3sumEv and _ZN5other3sumEv");
  CHECK(kernel("ns::sum") == names[3]);
  CHECK(has(kernel("cpoy"), "refused: the text has no kernel of the name cpoy; the nearest names are copy, "));
  CHECK(has(kernel("copy<char>"), "the nearest names are copy<int>, "));
  CHECK(kernel("") ==
        "refused: the text has 7 kernels: name one of them: _Z4copyPjPKj, _Z4copyIiEvPT_, _ZN2ns4copyIfLi4EEEvv "
        "and 4 more");
  // A part of a name, in the text or in the source, where no kernel has it whole.
  CHECK(kernel("hid") == names[5]);
  CHECK(kernel("plain") == names[6]);
  CHECK(kernel("copy<float") == names[2]);
  CHECK(kernel("other::") == names[4]);
  CHECK(kernel("op") ==
        "refused: the text has 3 kernels with op in their names: name one of them: _Z4copyPjPKj, "
        "_Z4copyIiEvPT_ and _ZN2ns4copyIfLi4EEEvv");
  CHECK(has(kernel("", {"a", "b"}), "2 kernels: name one of them: a and b"));
  CHECK(has(kernel("", {"a", "b", "c", "d"}), "name one of them: a, b, c and d"));
  // What is no name of the ABI stays as it is, whatever stands in it.
  for (char const* name : {"", "_Z", "_Z4", "_ZN", "f(", "f)", "f<", ">", "()", "a b", "::", ")))"})
    CHECK(co::binary::ways_to_say(name)[0] == name);
}
#endif

TEST_CASE("kernels: the names that a text has") {
  using names_of = std::vector<std::string>;
  char const* const nvdisasm =
      ".section .text._Z1av\n.text._Z1av:\n  /*0000*/ EXIT ;\n.L_x_0:\n.text.b:\n/*0000*/ EXIT ;\n";
  CHECK(co::sass::kernels_of(nvdisasm) == names_of{"_Z1av", "b"});
  CHECK(co::sass::kernels_of("\t\tFunction : _Z1av\n  /*0000*/ EXIT ;\n") == names_of{"_Z1av"});
  CHECK(co::sass::kernels_of("  /*0000*/ EXIT ;\n").empty());
  char const* const objdump =
      "0000000000000640 <b.kd>:\n.amdhsa_kernel b\n.end_amdhsa_kernel\n0000000000000680 <_Z1av.kd>:\n\t.byte 0\n"
      "0000000000001000 <b>:\n\ts_endpgm\n";
  CHECK(co::amdgcn::kernels_of(objdump) == names_of{"b", "_Z1av"});
  CHECK(co::amdgcn::kernels_of("b:\n\ts_endpgm\n; .amdhsa_kernel c\n\t.amdhsa_kernel b\n") == names_of{"b"});
}

// SPDX-License-Identifier: BSL-1.0
#include <coalesce/host/run/odd_sizes.hpp>
#include <coalesce/host/run/rewrite.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <string>

// What a CUDA or HIP source is written as for the host's compiler. Lines stay where they are, also in damaged text.

namespace {

std::string rewritten(std::string const& source) {
  return coalescing::detail::source_rewriter(source, "a.cu").rewrite();
}
std::string refusal_of(std::string const& source) {
  try {
    return rewritten(source);
  } catch (std::exception const& why) {
    return why.what();
  }
}
auto lines_of(std::string const& text) { return std::count(text.begin(), text.end(), '\n'); }
std::string launch(std::string const& kernel, std::string const& name, std::string const& how,
                   std::string const& type = "") {
  return "::coalescing::host::configured(\"" + name + "\", " + how + ")([=](auto const&... coalesce_given) " + type +
         "{ return " + kernel + "(coalesce_given...); })";
}

}  // namespace

TEST_CASE("run: launches") {
  CHECK(rewritten("copy<<<1, 32>>>(a, 4);") == launch("copy", "copy", "1, 32") + "(a, 4);");
  CHECK(rewritten("ns::copy<float, 2><<<g, b, 4 * n, s>>>(a);") ==
        launch("ns::copy<float, 2>", "ns::copy<float, 2>", "g, b, 4 * n, s") + "(a);");
  CHECK(rewritten("::copy <std::pair<int, int>> << < f<1>(2), b>> > ();") ==
        launch("::copy <std::pair<int, int>>", "::copy <std::pair<int, int>>", "f<1>(2), b") + " ();");
  CHECK(rewritten("(k)<<<1, 2>>>();") == launch("(k)", "(k)", "1, 2") + "();");
  CHECK(rewritten("NAME(k)<<<1, 2>>>();") == launch("NAME(k)", "NAME(k)", "1, 2") + "();");
  CHECK(rewritten("if (x) this->k<<<1, 2>>>();") == "if (x) " + launch("this->k", "this->k", "1, 2") + "();");
  CHECK(rewritten("k<<<dim3(x > y ? 1 : 2), b[i >> 1]>>>();") ==
        launch("k", "k", "dim3(x > y ? 1 : 2), b[i >> 1]") + "();");
  // An argument that may be a pointer.
  CHECK(rewritten("k<<<1, 2>>>(0, f(0), NULL, 0 + 1);") ==
        launch("k", "k", "1, 2", "-> decltype(k(coalesce_given...)) ") +
            "(::coalescing::host::zero{}, f(0), ::coalescing::host::zero{}, 0 + 1);");
  CHECK(rewritten("k<a, // the first\n b><<<1, 2>>>(0);") ==
        launch("k<a, // the first\n b>", "k<a, // the first  b>", "1, 2", "-> decltype(k<a, b>(coalesce_given...)) ") +
            "(::coalescing::host::zero{});");
  // HIP's names, in the launch and in its arguments.
  CHECK(rewritten("k<hipSuccess><<<1, 2, 0, hipStreamDefault>>>(hipSuccess, NULL); f(hipSuccess);") ==
        launch("k<cudaSuccess>", "k<hipSuccess>", "1, 2, 0, cudaStreamDefault",
               "-> decltype(k<cudaSuccess>(coalesce_given...)) ") +
            "(cudaSuccess, ::coalescing::host::zero{}); f(cudaSuccess);");
  // Comparisons, shifts and brackets in the kernel's name.
  for (std::string const kernel :
       {"k<(N >> 1)>", "k<(N > 1), 2>", "k<(N < 1)>", "k<sizeof(x)>", "table[i]", "a.table[i][2]", "k<table[(i > 2)]>"})
    CHECK(rewritten("f(); " + kernel + "<<<1, 2>>>(a);") == "f(); " + launch(kernel, kernel, "1, 2") + "(a);");
  // In a macro, and over several lines.
  CHECK(rewritten("#define RUN(k) \\\n  k<<<1, 2>>>(a)\n") ==
        "#define RUN(k) \\\n  " + launch("k", "k", "1, 2") + "(a)\n");
  CHECK(rewritten("#define RUN(n) \\\n  k<n> \\\n  <<<1, 2>>>(a)\n") ==
        "#define RUN(n) \\\n  " + launch("k<n>", "k<n>", "1, 2") + "\\\n(a)\n");
  std::string const three = rewritten("k<<<1, // blocks\n 2\n>>>(\n a);");
  CHECK(lines_of(three) == 3);
  CHECK(three.ends_with("(\n a);"));
  // What only looks like one.
  for (char const* const same : {"a << 1; b >> 2;", "\"k<<<1, 2>>>()\"", "// k<<<1, 2>>>()\n", "/* k<<<1, 2>>>() */",
                                 "'<'", "R\"x(k<<<1, 2>>>())x\"", "std::ostream& operator<< <T>(T);", "x = 1'000'000;"})
    CHECK(rewritten(same) == same);
}

TEST_CASE("run: shared memory whose size the launch gives, HIP's names, keywords") {
  CHECK(rewritten("void f() { extern __shared__ float s[]; }") ==
        "void f() { float * const s = (float *)::coalesce_dynamic_shared; }");
  CHECK(rewritten("void f() { extern __shared__ __align__(16) unsigned char s[]; }") ==
        "void f() { unsigned char * const s = (unsigned char *)::coalesce_dynamic_shared; }");
  CHECK(rewritten("void f() { extern volatile __shared__ T s[][4]; }") ==
        "void f() { volatile T (* const s)[4] = (volatile T (*)[4])::coalesce_dynamic_shared; }");
  CHECK(rewritten("namespace n { extern __shared__ int s[]; }") ==
        "namespace n { extern __thread int s[] __asm__(\"coalesce_dynamic_shared\"); }");
  for (std::string const open :
       {"namespace a::b { ", "namespace a::inline b { ", "inline namespace a { ", "namespace { "})
    CHECK(rewritten(open + "extern __shared__ int s[]; }") ==
          open + "extern __thread int s[] __asm__(\"coalesce_dynamic_shared\"); }");
  CHECK(rewritten("struct a : b { void f() { extern __shared__ int s[]; } };") ==
        "struct a : b { void f() { int * const s = (int *)::coalesce_dynamic_shared; } };");
  CHECK(rewritten("extern int s[];") == "extern int s[];");
  coalescing::detail::source_rewriter two(
      "void f() { extern __shared__ int a[]; } void g() { extern __shared__ int b[]; }", "a.cu");
  static_cast<void>(two.rewrite());
  CHECK(two.dynamic == std::vector<std::string>{"a", "b"});
  CHECK(rewritten("hipMalloc(&p, n); hipDeviceProp_t q; hipHostFree(h); hipThreadIdx_x; hip_runtime") ==
        "cudaMalloc(&p, n); cudaDeviceProp q; cudaFreeHost(h); hipThreadIdx_x; hip_runtime");
  CHECK(rewritten("__noinline__ void f(); __attribute__((__noinline__)) void g();") ==
        "__attribute__((noinline)) void f(); __attribute__((__noinline__)) void g();");
  CHECK(rewritten("cudaLaunchKernel((void*)k, g, b, a);") == "cudaLaunchKernel(k, g, b, a);");
  CHECK(rewritten("cudaLaunchKernel((const void*)k<int>, g, b, a);") == "cudaLaunchKernel(k<int>, g, b, a);");
}

TEST_CASE("run: variables of the device are no constants") {
  std::string const used = "__attribute__((used))";
  CHECK(rewritten("__device__ const float t[4] = {1};") == "static " + used + "  float t[4] = {1};");
  CHECK(rewritten("namespace a { constexpr __device__ int t[] {1}; }") ==
        "namespace a {  static " + used + " int t[] {1}; }");
  CHECK(rewritten("static __device__ float const t[4] = {1};") == "static " + used + " float  t[4] = {1};");
  CHECK(rewritten("__device__ const char* const t[2] = {};") == "static " + used + " const char*  t[2] = {};");
  CHECK(rewritten("extern __device__ const float t[4];") == "extern __device__  float t[4];");
  CHECK(rewritten("static __device__ int n = 3;") == "static " + used + " int n = 3;");
  CHECK(rewritten("__device__ ALIGN(16) const float t[4] = {1};") ==
        "static " + used + " ALIGN(16)  float t[4] = {1};");
  CHECK(rewritten("void k() { static __device__ const float t[4] = {1}; }") ==
        "void k() { static " + used + "  float t[4] = {1}; }");
  // Only one branch of an #if is compiled: the braces of the others are not open after it.
  std::string const branches = "#ifdef D\nvoid k(double* o) {\n#else\nvoid k(float* o) {\n#endif\n}\n";
  CHECK(rewritten(branches + "extern __shared__ float s[];") ==
        branches + "extern __thread float s[] __asm__(\"coalesce_dynamic_shared\");");
  for (std::string const function :
       {"__device__ float F(const float* t);", "__device__ V operator+(V const&) const {",
        "__device__ int F(int) const {", "virtual __device__ int G(float) const = 0;",
        "struct s { static constexpr __device__ float t[3] = {1}; };", "__device__ const float S::t[4] = {1};",
        "__device__ auto f(T t) -> const T&;", "auto l = [] __device__ (const int (&t)[4]) { return t[0]; };"})
    CHECK(rewritten(function) == function);
  CHECK(rewritten("__device__ const int n = 3;") == used + " const int n = 3;");
  for (char const* const same :
       {"__constant__ const float t[4] = {1};", "__device__ __constant__ const float t[4] = {1};",
        "const float t[4] = {1};", "__device__ const float* f(const float t[4]) { return t; }",
        "#define TABLE __device__ const\nconst float t[4] = {1};", "__global__ void k() { const float t[4] = {1}; }"})
    CHECK(rewritten(same) == same);
  coalescing::detail::source_rewriter keeps("\n__device__ constexpr int t[] = {1};", "a.cu");
  keeps.keeps_constexpr = true;
  CHECK(keeps.rewrite() == "\n" + used + " constexpr int t[] = {1};");
  CHECK(keeps.constexpr_arrays == std::vector<std::string>{"a.cu:2"});
}

TEST_CASE("run: clang's text gets reports of the loads and stores that it does not report") {
  using coalescing::detail::bits_of_type, coalescing::detail::reported_odd_sizes;
  CHECK((bits_of_type("i24, ptr %p") == 24 && bits_of_type("i1 %b, ptr %p") == 1 &&
         bits_of_type("ptr %p, ptr %q") == 64));
  CHECK((bits_of_type("<3 x float>, ptr %p") == 96 && bits_of_type("<2 x i24> %v, ptr %p") == 48));
  CHECK((bits_of_type("i8** %p, i8*** %q") == 64 && bits_of_type("void (i8*)* @f, void (i8*)** %p") == 64));
  CHECK(
      (bits_of_type("[32 x float]*, [32 x float]** %p") == 64 && bits_of_type("<3 x float>*, <3 x float>** %p") == 64));
  CHECK(bits_of_type("%\"struct.(anonymous namespace)::Q\"* %q, %\"struct.(anonymous namespace)::Q\"** %p") == 64);
  CHECK((bits_of_type("half %h, ptr %p") == 16 && bits_of_type("bfloat %b, ptr %p") == 16));
  CHECK((bits_of_type("float, ptr %p") == 32 && bits_of_type("double, ptr %p") == 64));
  CHECK((bits_of_type("fp128, ptr %p") == 128 && bits_of_type("x86_fp80, ptr %p") == 80 &&
         bits_of_type("{ i64, i32 }, ptr %p") == 0));
  std::string const load = "  %2 = load i24, ptr %1, align 1, !dbg !20, !tbaa !3\n",
                    store = "  store volatile <3 x float> %v, ptr getelementptr (i8, ptr @t, i64 4), align 4\n";
  CHECK(reported_odd_sizes(load).text == "  call void @__tsan_read_range(ptr %1, i64 3), !dbg !20\n" + load +
                                             "declare void @__tsan_read_range(ptr, i64)\n");
  CHECK(reported_odd_sizes(store).text ==
        "  call void @__tsan_write_range(ptr getelementptr (i8, ptr @t, i64 4), i64 12)\n" + store +
            "declare void @__tsan_write_range(ptr, i64)\n");
  // Before LLVM 15.
  std::string const typed = "  %2 = load i48, i48* %1, align 2, !dbg !20\n";
  CHECK(reported_odd_sizes(typed).text ==
        "  %coalesce.0 = bitcast i48* %1 to i8*, !dbg !20\n"
        "  call void @__tsan_read_range(i8* %coalesce.0, i64 6), !dbg !20\n" +
            typed + "declare void @__tsan_read_range(i8*, i64)\n");
  for (std::string const same : {"  %2 = load i32, ptr %1, align 4\n", "  store <4 x float> %v, ptr %1, align 16\n",
                                 "  %2 = load atomic i24, ptr %1 seq_cst, align 4\n", "  %load = call i24 @f()\n",
                                 "; %2 = load i24, ptr %1\n", "  %2 = load i1, ptr %1, align 1\n", ""})
    CHECK(reported_odd_sizes(same).text == same);
  CHECK(reported_odd_sizes("  %2 = load { i64, i8 }, ptr %1, align 8\n").left == 1);
  CHECK(reported_odd_sizes(load).left == 0);
}

TEST_CASE("run: damaged sources end with one sentence, or as they were, and keep their lines") {
  CHECK(refusal_of("f();\nk<<<1, 2>>(a);") == "coalesce: a.cu:2: a launch has no >>> after its <<<");
  CHECK(refusal_of("k<<<1, (2>>>(a);") == "coalesce: a.cu:1: a launch has no >>> after its <<<");
  CHECK(refusal_of("\n\n<<<1, 2>>>(a);") == "coalesce: a.cu:3: <<< has no kernel before it");
  CHECK(refusal_of("k<<<") == "coalesce: a.cu:1: a launch has no >>> after its <<<");
  std::string const source =
      "#include <x>\ntemplate <class T>\n__global__ void k(T* p) { extern __shared__ T s[]; p[0] = s[0]; }\n"
      "int main() {\n  /* a */ k<int><<<dim3(1, 2), 32, 64>>>(0); // b\n  hipFree(0); char c = '\\''; "
      "puts(\"<<<\\\"\");\n}\n";
  CHECK(lines_of(rewritten(source)) == lines_of(source));
  std::mt19937 random(38);
  unsigned taken = 0;
  for (unsigned k = 0; k != 4000; ++k) {
    std::string text = source;
    for (unsigned changes = 1 + static_cast<unsigned>(random() % 3); changes != 0; --changes) {
      std::size_t const at = random() % text.size();
      if (random() % 2 == 0)
        text.erase(at, 1 + random() % 5);
      else
        text.insert(at, 1, "<>(){}[];\"'/*\\,"[random() % 15]);
    }
    try {
      std::string const made = rewritten(text);
      ++taken;
      CHECK(lines_of(made) == lines_of(text));
    } catch (coalescing::misuse const& why) {
      CHECK(std::string(why.what()).starts_with("coalesce: a.cu:"));
    }
  }
  CHECK((taken > 1000 && taken < 4000));
}

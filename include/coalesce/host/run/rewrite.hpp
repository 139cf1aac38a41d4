// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/misuse.hpp>

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

// Rewrites a CUDA or HIP source so that a compiler for the host accepts it. Only what such a compiler cannot take is
// rewritten: launches, shared memory whose size the launch gives, the keyword __noinline__, and the cast of the kernel
// in cudaLaunchKernel. HIP's names for the runtime API become CUDA's. Each line keeps its number.
//
//     copy<float><<<grid, block>>>(to, from);        becomes a call of an object of type host::launched
//     extern __shared__ float tile[];                becomes a name of, or a pointer to, an array of the runtime

namespace coalescing {

namespace refused {

[[noreturn]] inline void source_is_damaged(std::string const& place, std::string const& why) {
  detail::refuse((place + ": " + why).c_str());
}

}  // namespace refused

namespace detail {

/// Something that a program may use and a host does not have. `asked` is the word in the source, or the beginning of a
/// header's name. `name` says what it is.
struct missing_part {
  std::string_view asked, name;
};
inline constexpr missing_part missing_words[] = {
    {"asm", "inline PTX"},        {"__asm__", "inline PTX"},
    {"__asm", "inline PTX"},      {"tex2D", "textures"},
    {"tex3D", "textures"},        {"tex2DLayered", "textures"},
    {"surf2Dread", "surfaces"},   {"surf2Dwrite", "surfaces"},
    {"wmma", "matrix fragments"}, {"this_grid", "a barrier of the whole grid"}};
inline constexpr missing_part missing_headers[] = {{"cooperative_groups", "cooperative groups"},
                                                   {"cub/", "CUB"},
                                                   {"hipcub/", "hipCUB"},
                                                   {"thrust/", "Thrust"},
                                                   {"curand", "cuRAND"},
                                                   {"hiprand", "hipRAND"},
                                                   {"rocrand", "rocRAND"},
                                                   {"cublas", "cuBLAS"},
                                                   {"hipblas", "hipBLAS"},
                                                   {"rocblas", "rocBLAS"},
                                                   {"cusparse", "cuSPARSE"},
                                                   {"hipsparse", "hipSPARSE"},
                                                   {"cusolver", "cuSOLVER"},
                                                   {"cufft", "cuFFT"},
                                                   {"hipfft", "hipFFT"},
                                                   {"cudnn", "cuDNN"},
                                                   {"cutlass/", "CUTLASS"},
                                                   {"cute/", "CuTe"},
                                                   {"cuda/std/", "libcu++"},
                                                   {"cuda/atomic", "libcu++"},
                                                   {"cuda/barrier", "libcu++"},
                                                   {"cuda_pipeline", "libcu++"},
                                                   {"rocprim/", "rocPRIM"},
                                                   {"rocwmma/", "matrix fragments"},
                                                   {"mma.h", "matrix fragments"},
                                                   {"nccl", "NCCL"},
                                                   {"rccl", "RCCL"},
                                                   {"mpi.h", "MPI"},
                                                   {"nvToolsExt", "NVTX"}};

/// A token of a source: a name or number, one character of punctuation, or a literal. Blanks and comments belong to no
/// token.
struct source_token {
  enum class kind { word, mark, literal } is = kind::mark;
  std::size_t begin = 0, end = 0;
};

/// The tokens of a C++ source, and its lines.
class source_tokens {
 public:
  source_tokens(std::string_view source, std::string file) : source_(source), file_(std::move(file)) {
    while (skip_blanks(), at_ < source_.size()) tokens_.push_back(next());
  }
  [[nodiscard]] std::size_t size() const { return tokens_.size(); }
  [[nodiscard]] source_token const& operator[](std::size_t k) const { return tokens_[k]; }
  /// The text of a token; empty past the end.
  [[nodiscard]] std::string_view text(std::size_t k) const {
    return k < tokens_.size() ? source_.substr(tokens_[k].begin, tokens_[k].end - tokens_[k].begin) : "";
  }
  /// Whether the tokens from k on are the characters of `marks`, one by one. Blanks may stand between them.
  [[nodiscard]] bool has(std::size_t k, std::string_view marks) const {
    for (std::size_t n = 0; n != marks.size(); ++n)
      if (text(k + n) != marks.substr(n, 1)) return false;
    return true;
  }
  /// file:line of a token.
  [[nodiscard]] std::string place(std::size_t k) const {
    std::size_t const until = k < tokens_.size() ? tokens_[k].begin : source_.size();
    unsigned line = 1;
    for (std::size_t n = 0; n != until; ++n) line += source_[n] == '\n';
    return file_ + ":" + std::to_string(line);
  }
  /// The index of the closing bracket for the opening bracket at k; size() if there is none.
  [[nodiscard]] std::size_t closing(std::size_t k) const {
    std::string open;
    for (; k < size(); ++k) {
      std::string_view const mark = text(k);
      if (mark == "(" || mark == "[" || mark == "{") open += mark == "(" ? ')' : mark == "[" ? ']' : '}';
      if (mark != ")" && mark != "]" && mark != "}") continue;
      if (open.empty() || open.back() != mark[0]) return size();
      open.pop_back();
      if (open.empty()) return k;
    }
    return size();
  }
  /// The index of the opening bracket for the closing bracket at k; size() if there is none.
  [[nodiscard]] std::size_t opening(std::size_t k) const {
    std::string open;
    for (std::size_t n = k + 1; n-- != 0;) {
      std::string_view const mark = text(n);
      bool const is_comparison = !open.empty() && open.back() != '<';  // inside brackets: (N > 1) is a comparison
      if (mark == ")" || mark == "]" || (mark == ">" && !is_comparison))
        open += mark == ")" ? '(' : mark == "]" ? '[' : '<';
      if (mark == "(" || mark == "[" || (mark == "<" && !is_comparison)) {
        if (open.empty() || open.back() != mark[0]) break;
        open.pop_back();
      }
      if (open.empty()) return n;
      if (mark == ";" || mark == "{" || mark == "}") break;
    }
    return size();
  }

 private:
  static bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  }
  [[nodiscard]] bool starts(std::string_view what) const { return source_.substr(at_).starts_with(what); }
  void skip_to(std::string_view end) {
    std::size_t const found = source_.find(end, at_);
    at_ = found == source_.npos ? source_.size() : found + end.size();
  }
  void skip_blanks() {
    for (; at_ < source_.size();)
      if (starts("//"))
        while (at_ < source_.size() && (source_[at_] != '\n' || source_[at_ - 1] == '\\')) ++at_;
      else if (starts("/*"))
        at_ += 2, skip_to("*/");
      else if (source_[at_] == ' ' || source_[at_] == '\\' || (source_[at_] >= '\t' && source_[at_] <= '\r'))
        ++at_;
      else
        return;
  }
  source_token next() {
    std::size_t const begin = at_;
    using kind = source_token::kind;
    if (!is_word(source_[at_])) {
      if (source_[at_] == '"' || source_[at_] == '\'') return skip_literal(), source_token{kind::literal, begin, at_};
      return source_token{kind::mark, begin, ++at_};
    }
    bool const is_number = source_[at_] <= '9';
    while (at_ < source_.size() && (is_word(source_[at_]) || (is_number && is_in_number()))) ++at_;
    std::string_view const word = source_.substr(begin, at_ - begin);
    if (at_ < source_.size() && source_[at_] == '"' && !is_number && word.ends_with("R") && word.size() <= 3) {
      std::size_t const open = source_.find('(', at_);
      if (open == source_.npos) return at_ = source_.size(), source_token{kind::literal, begin, at_};
      std::string const end = ")" + std::string(source_.substr(at_ + 1, open - at_ - 1)) + "\"";
      return skip_to(end), source_token{kind::literal, begin, at_};
    }
    return {kind::word, begin, at_};
  }
  /// Whether the next character belongs to a number: a dot, or a quote before another digit.
  [[nodiscard]] bool is_in_number() const {
    return source_[at_] == '.' || (source_[at_] == '\'' && at_ + 1 < source_.size() && is_word(source_[at_ + 1]));
  }
  void skip_literal() {
    char const quote = source_[at_++];
    for (; at_ < source_.size() && source_[at_] != quote && source_[at_] != '\n'; ++at_) at_ += source_[at_] == '\\';
    at_ = at_ < source_.size() ? at_ + 1 : source_.size();
  }

  std::string_view source_;
  std::string file_;
  std::size_t at_ = 0;
  std::vector<source_token> tokens_;
};

/// Rewrites a source for the host's compiler.
class source_rewriter {
 public:
  source_rewriter(std::string_view source, std::string const& file) : source_(source), tokens_(source, file) {}

  /// Returns the new source. Refused: a launch whose <<< has no kernel before it or no >>> after it.
  [[nodiscard]] std::string rewrite() {
    std::map<std::size_t, std::size_t> launches;  // from the first token of a kernel's name to its <<<
    for (std::size_t k = 0; k < tokens_.size(); ++k)
      if (is_launch(k)) launches.try_emplace(begin_of_kernel(k), k), k += 2;
    for (std::size_t k = 0; k < tokens_.size(); ++k) {
      follow_directive(k), count_braces(k);
      for (missing_part const& each : missing_words)
        if (tokens_.text(k) == each.asked) missing.emplace_back(tokens_.place(k), each.name);
      if (!is_in_class() && k >= past_variable_ && is_specifier(tokens_.text(k))) read_variable(k);
      auto const launch = launches.find(k);
      if (auto const found = later_.find(k); found != later_.end())
        replace(k, k + 1, found->second);
      else if (launch != launches.end() || is_launch(k))
        k = launch != launches.end() ? rewrite_launch(k, launch->second) : rewrite_launch(begin_of_kernel(k), k);
      else if (tokens_.text(k) == "extern")
        rewrite_shared(k);
      else if (is_of_api(tokens_.text(k)))
        replace(k, k + 1, cuda_name_of(std::string(tokens_.text(k).substr(3))));
      else if (tokens_.text(k) == "__noinline__" && (k == 0 || !tokens_.has(k - 1, "(")))
        replace(k, k + 1, "__attribute__((noinline))");
      else if (tokens_.text(k) == "cudaLaunchKernel")
        drop_cast(k + 1);
    }
    made_ += source_.substr(done_);
    return std::move(made_);
  }
  /// The names of the arrays of shared memory whose size the launch gives.
  std::vector<std::string> dynamic = {};
  /// What the source uses and a host does not have. Each entry is file:line, and what is missing there.
  std::vector<std::pair<std::string, std::string>> missing = {};
  /// Whether constexpr arrays of the device stay constexpr. Compilers do not report the loads from such an array.
  bool keeps_constexpr = false;
  /// file:line of each array of the device that is constexpr.
  std::vector<std::string> constexpr_arrays = {};

 private:
  [[nodiscard]] std::string_view between(std::size_t first, std::size_t past) const {
    return first >= past ? "" : source_.substr(tokens_[first].begin, tokens_[past - 1].end - tokens_[first].begin);
  }
  /// The text of the tokens [first, past), with CUDA's names in the place of HIP's.
  [[nodiscard]] std::string with_cuda_names(std::size_t first, std::size_t past) const {
    std::string made;
    for (std::size_t k = first; k < past; ++k) {
      std::string_view const word = tokens_.text(k);
      made += is_of_api(word) ? cuda_name_of(std::string(word.substr(3))) : word;
      if (k + 1 != past) made += source_.substr(tokens_[k].end, tokens_[k + 1].begin - tokens_[k].end);
    }
    return made;
  }
  /// The text of with_cuda_names(), but with one blank in the place of all blanks, line breaks and comments between two
  /// tokens.
  [[nodiscard]] std::string on_one_line(std::size_t first, std::size_t past) const {
    std::string made;
    for (std::size_t k = first; k < past; ++k) {
      made += with_cuda_names(k, k + 1);
      if (k + 1 != past && tokens_[k].end != tokens_[k + 1].begin) made += ' ';
    }
    return made;
  }
  /// Puts other words in the place of the tokens [first, past). Line breaks are added so that the number of lines
  /// stays the same. In a macro, a backslash is put before each line break.
  void replace(std::size_t first, std::size_t past, std::string const& words) {
    std::string_view const old = between(first, past);
    made_ += source_.substr(done_, tokens_[first].begin - done_);
    made_ += words;
    auto const in_words = std::count(words.begin(), words.end(), '\n');
    auto const breaks = std::count(old.begin(), old.end(), '\n') - in_words;
    std::string_view const line = old.substr(0, old.find('\n'));
    bool const is_in_macro = line.ends_with("\\") || line.ends_with("\\\r");
    for (auto k = breaks; k > 0; --k) made_ += is_in_macro ? "\\\n" : "\n";
    done_ = tokens_[past - 1].end;
  }
  /// The index of the token with which the kernel's name begins. The name may be an expression: ns::kernel<T, 2>,
  /// (kernel), NAME(kernel), a.kernel, kernels[2].
  [[nodiscard]] std::size_t begin_of_kernel(std::size_t launch) const {
    std::size_t k = launch;
    if (k != 0 && (tokens_.text(k - 1) == ">" || tokens_.text(k - 1) == ")")) k = tokens_.opening(k - 1);
    while (k != 0 && tokens_.text(k - 1) == "]") k = tokens_.opening(k - 1);
    if (k == tokens_.size()) return launch;
    bool const is_grouped = k != launch && tokens_.text(k) == "(";
    auto const is_name = [this](std::size_t at) { return at != 0 && tokens_[at - 1].is == source_token::kind::word; };
    if (is_grouped && (!is_name(k) || tokens_.text(k - 1) == "return" || tokens_.text(k - 1) == "else")) return k;
    if (!is_name(k)) return launch;
    for (--k; k >= 2;) {
      if (tokens_.has(k - 2, "::") && is_name(k - 2))
        k -= 3;
      else if (tokens_.has(k - 2, "->") && is_name(k - 2))
        k -= 3;
      else if (tokens_.has(k - 1, ".") && is_name(k - 1))
        k -= 2;
      else
        break;
    }
    return k >= 2 && tokens_.has(k - 2, "::") ? k - 2 : k;
  }
  [[nodiscard]] bool is_launch(std::size_t k) const {
    return tokens_.has(k, "<<<") && (k == 0 || tokens_.text(k - 1) != "operator");
  }
  /// Rewrites kernel<<<grid, block>>> as an object that is called with the arguments. Returns the index of the last
  /// token of >>>.
  std::size_t rewrite_launch(std::size_t kernel, std::size_t launch) {
    if (kernel == launch || tokens_[kernel].begin < done_)
      refused::source_is_damaged(tokens_.place(launch), "<<< has no kernel before it");
    std::size_t end = launch + 3;
    while (end < tokens_.size() && !tokens_.has(end, ">>>") && tokens_.text(end) != ";" && tokens_.text(end) != "}") {
      std::string_view const mark = tokens_.text(end);
      end = mark == "(" || mark == "[" || mark == "{" ? tokens_.closing(end) : end;
      end += end != tokens_.size();
    }
    if (!tokens_.has(end, ">>>") || tokens_.text(end) == ";")
      refused::source_is_damaged(tokens_.place(launch), "a launch has no >>> after its <<<");
    std::string one_line;
    for (char const c : between(kernel, launch)) one_line += c == '\n' || c == '"' || c == '\\' ? ' ' : c;
    std::string const call = with_cuda_names(kernel, launch) + "(coalesce_given...)";
    // If an argument is 0, the lambda's return type is the type of the call. Then host::launched can ask whether the
    // kernel can be called with an int (takes_numbers).
    std::string const type =
        find_zeros(end + 3) ? "-> decltype(" + on_one_line(kernel, launch) + "(coalesce_given...)) " : "";
    replace(kernel, end + 3,
            "::coalescing::host::configured(\"" + one_line + "\", " + with_cuda_names(launch + 3, end) +
                ")([=](auto const&... coalesce_given) " + type + "{ return " + call + "; })");
    return end + 2;
  }
  /// Rewrites extern __shared__ T name[];. Outside a function it becomes another name of the array
  /// coalesce_dynamic_shared. In a function, where compilers refuse such a name, it becomes a pointer to that array.
  void rewrite_shared(std::size_t first) {
    std::size_t end = first, array = 0;
    bool is_shared = false;
    for (; end < tokens_.size() && end != first + 64 && tokens_.text(end) != ";" && tokens_.text(end) != "{"; ++end) {
      is_shared = is_shared || tokens_.text(end) == "__shared__";
      if (array == 0 && tokens_.has(end, "[]")) array = end;
    }
    if (!is_shared || array < first + 3 || tokens_.text(end) != ";") return;
    std::string type;
    for (std::size_t k = first + 1; k < array - 1; ++k) {
      std::string const word(tokens_.text(k));
      bool const has_argument = word == "__align__" || word == "alignas" || word == "__attribute__";
      if (has_argument) k = tokens_.closing(k + 1);
      if (!has_argument && word != "__shared__" && word != "__device__") type += word + " ";
    }
    std::string const name(tokens_.text(array - 1)), rows(between(array + 2, end));
    dynamic.push_back(name);
    std::string const pointer = rows.empty() ? "* const " + name : "(* const " + name + ")" + rows;
    std::string const cast = rows.empty() ? "*" : "(*)" + rows;
    replace(first, end,
            functions_ != 0 ? type + pointer + " = (" + type + cast + ")::coalesce_dynamic_shared"
                            : "extern __thread " + type + name + "[]" + rows + " __asm__(\"coalesce_dynamic_shared\")");
  }
  static bool is_specifier(std::string_view word) {
    return word == "__device__" || word == "__managed__" || word == "const" || word == "constexpr" ||
           word == "static" || word == "extern" || word == "inline";
  }
  /// Returns the end of the preprocessor directive, such as #define, that has token k. npos: k is in no directive.
  [[nodiscard]] std::size_t end_of_directive(std::size_t k) const {
    auto const goes_on = [this](std::size_t line_break) { return line_break != 0 && source_[line_break - 1] == '\\'; };
    std::size_t begin = tokens_[k].begin;
    while (begin != 0 && (source_[begin - 1] != '\n' || goes_on(begin - 1))) --begin;
    if (source_[source_.find_first_not_of(" \t", begin)] != '#') return source_.npos;
    std::size_t end = source_.find('\n', tokens_[k].begin);
    while (end != source_.npos && goes_on(end)) end = source_.find('\n', end + 1);
    return std::min(end, source_.size());
  }
  /// Reads the declaration of a __device__ variable up to its initializer. Compilers do not report the loads from a
  /// variable that they take for a constant. So the variable gets the attribute `used`, and an array loses its const or
  /// constexpr, and becomes static instead. (Other variables stay const, since one may give the size of an array.) A
  /// static array of a function is a __device__ variable, too, if the function is of the device: CUDA C++ Programming
  /// Guide, "Static Variables within Function". All functions are taken to be.
  void read_variable(std::size_t first) {
    std::size_t const limit = end_of_directive(first), none = tokens_.size();
    std::size_t device = none, is_static = none, is_constexpr = none, depth = 0;
    bool is_extern = false, is_linked = false, is_array = false, is_of_class = false;
    std::vector<std::size_t> dropped;  // the words that make the variable itself constant
    auto const is_end = [](std::string_view word) {
      return word == ";" || word == "=" || word == "{" || word == "}" || word == "(" || word == ")" ||
             word == "__constant__" || word == "__shared__";
    };
    auto const is_in_it = [&](std::size_t k) { return k < tokens_.size() && tokens_[k].begin < limit; };
    std::size_t& k = past_variable_;
    for (k = first; is_in_it(k) && (!is_end(tokens_.text(k)) || is_macro_call(k)); ++k) {
      std::string_view const word = tokens_.text(k);
      if (is_macro_call(k)) {
        k = tokens_.closing(k);
        continue;
      }
      is_of_class = is_of_class || (depth == 0 && tokens_.has(k, "::") && k + 3 < tokens_.size() &&
                                    tokens_.text(k + 3) == "[");  // S::t[4]
      if (word == "[") is_array = is_array || !tokens_.has(k, "[[");
      if (word == "[" || word == "__align__" || word == "alignas" || word == "__attribute__") {
        k = tokens_.closing(word == "[" ? k : k + 1);
        continue;
      }
      depth += word == "<", depth -= word == ">" && depth != 0;
      if (depth != 0) continue;
      if (word == "__device__" || word == "__managed__") device = k;
      if (word == "static") is_static = k;
      if (word == "constexpr") is_constexpr = k;
      is_extern = is_extern || word == "extern", is_linked = is_linked || word == "static" || word == "inline";
      if (word == "*") dropped.clear();
      if (word == "const") dropped.push_back(k);
    }
    std::string_view const end = is_in_it(k) ? tokens_.text(k) : "";
    bool const is_constant = !dropped.empty() || is_constexpr != none;
    bool const is_of_function = device == none && functions_ != 0 && is_static != none && is_array && is_constant;
    if (is_of_function) device = is_static;
    if (is_of_class || device == none || (end != ";" && end != "=" && end != "{")) return;
    if (is_array && is_constexpr != none)
      dropped.push_back(is_constexpr), constexpr_arrays.push_back(tokens_.place(first));
    if (!is_array || (is_constexpr != none && keeps_constexpr)) dropped.clear();
    for (std::size_t const each : dropped) later_[each] = "";
    bool const becomes_static = !dropped.empty() && !is_linked && !is_extern;
    bool const says_static = becomes_static || is_of_function;
    if (!is_extern) later_[device] = std::string(says_static ? "static " : "") + "__attribute__((used))";
  }
  /// Whether the bracket at k holds the arguments of a macro that stands among a variable's specifiers, as in
  /// __device__ ALIGN(16) const float table[4]. Such names are taken to be in capitals.
  [[nodiscard]] bool is_macro_call(std::size_t k) const {
    if (k == 0 || tokens_.text(k) != "(") return false;
    std::string_view const name = tokens_.text(k - 1);
    bool const is_in_capitals = std::all_of(
        name.begin(), name.end(), [](char c) { return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; });
    std::size_t const after = tokens_.closing(k) + 1;
    std::string_view const next = tokens_.text(after);
    // After the parameters of a function no type follows.
    bool const is_of_function = next == "noexcept" || next == "override" || next == "final" ||
                                ((next == "const" || next == "volatile") &&
                                 (after + 1 == tokens_.size() || tokens_[after + 1].is != source_token::kind::word));
    return is_in_capitals && !is_of_function && after < tokens_.size() && tokens_[after].is == source_token::kind::word;
  }
  /// Only one branch of an #if is compiled. So each branch begins with the braces that are open at the #if.
  void follow_directive(std::size_t k) {
    if (tokens_.text(k) != "#") return;
    std::size_t const line = source_.rfind('\n', tokens_[k].begin) + 1;  // npos + 1 is 0
    if (source_.find_first_not_of(" \t", line) != tokens_[k].begin) return;
    std::string_view const word = tokens_.text(k + 1);
    if (word.starts_with("if"))
      at_ifs_.emplace_back(braces_, functions_);
    else if (word.starts_with("el") && !at_ifs_.empty())
      std::tie(braces_, functions_) = at_ifs_.back();
    else if (word == "endif" && !at_ifs_.empty())
      at_ifs_.pop_back();
  }
  /// Counts the open braces that do not belong to namespaces. If there is one, the code is taken to be inside a
  /// function.
  void count_braces(std::size_t k) {
    if (tokens_.text(k) == "{") {
      std::size_t first = k;  // the first of the words and colons before the brace: namespace a::b {
      while (first != 0 && tokens_.text(first) != "namespace" &&
             (tokens_[first - 1].is == source_token::kind::word || tokens_.text(first - 1) == ":"))
        --first;
      bool const is_namespace =
          tokens_.text(first) == "namespace" || (k != 0 && tokens_[k - 1].is == source_token::kind::literal);
      braces_.push_back(is_namespace ? brace::of_namespace : begins_class(k) ? brace::of_class : brace::of_function);
      functions_ += !is_namespace;
    } else if (tokens_.text(k) == "}" && !braces_.empty()) {
      functions_ -= braces_.back() != brace::of_namespace, braces_.pop_back();
    }
  }
  /// Whether the brace at k begins the members of a class: one of the words class, struct and union stands before it,
  /// in the same declaration, and no parameters do.
  [[nodiscard]] bool begins_class(std::size_t k) const {
    for (std::size_t n = k; n-- != 0;) {
      std::string_view const word = tokens_.text(n);
      if (word == ";" || word == "{" || word == "}" || word == ")" || word == "=") return false;
      if (word == "class" || word == "struct" || word == "union") return true;
    }
    return false;
  }
  [[nodiscard]] bool is_in_class() const { return !braces_.empty() && braces_.back() == brace::of_class; }
  /// Whether a word is a name of HIP's runtime API, such as hipMalloc, for which cuda_name_of() gives CUDA's name.
  /// False for the names of indices (hipThreadIdx_x) and of launches (hipLaunchKernelGGL).
  static bool is_of_api(std::string_view word) {
    if (!word.starts_with("hip")) return false;
    return word.size() > 4 && word[3] >= 'A' && word[3] <= 'Z' && word.find('_') == word.npos
               ? !word.starts_with("hipLaunchKernelGGL")
               : word == "hipError_t" || word == "hipStream_t" || word == "hipEvent_t" || word == "hipDeviceProp_t" ||
                     word == "hipDeviceAttribute_t";
  }
  static std::string cuda_name_of(std::string const& rest) {
    static constexpr std::pair<char const*, char const*> others[] = {{"DeviceProp_t", "DeviceProp"},
                                                                     {"DeviceAttribute_t", "DeviceAttr"},
                                                                     {"HostMalloc", "MallocHost"},
                                                                     {"HostFree", "FreeHost"}};
    for (auto const& [hip, cuda] : others)
      if (rest == hip) return std::string("cuda") + cuda;
    if (rest.starts_with("DeviceAttribute")) return "cudaDevAttr" + rest.substr(15);
    if (rest.starts_with("HostMalloc")) return "cudaHostAlloc" + rest.substr(10);
    return "cuda" + rest;
  }
  /// Drops the cast of cudaLaunchKernel((void*)kernel, ...), since this library's cudaLaunchKernel takes the types of
  /// the parameters from the kernel's type.
  void drop_cast(std::size_t open) {
    if (!tokens_.has(open, "((")) return;
    std::size_t const end = tokens_.closing(open + 1);
    bool is_void = false;
    for (std::size_t k = open + 2; k < end; ++k) is_void = is_void || tokens_.text(k) == "void";
    if (is_void && end < tokens_.size() && tokens_.text(end - 1) == "*") replace(open + 1, end + 1, "");
  }
  /// Lets each argument that is only NULL, nullptr or 0 become host::zero{}, which becomes a number or a pointer as the
  /// kernel needs it. (A generic lambda would pass a 0 on as an int, which does not convert to a pointer.) Returns
  /// whether there is such an argument. Notes each argument in braces, whose type a generic lambda cannot know.
  bool find_zeros(std::size_t open) {
    std::size_t const end = tokens_.text(open) == "(" ? tokens_.closing(open) : tokens_.size();
    if (end == tokens_.size()) return false;
    bool has_zero = false;
    for (std::size_t k = open + 1; k != end; ++k) {
      bool const is_zero = tokens_.text(k) == "0" || tokens_.text(k) == "NULL" || tokens_.text(k) == "nullptr";
      bool const begins = k == open + 1 || tokens_.text(k - 1) == ",",
                 ends = k + 1 == end || tokens_.text(k + 1) == ",";
      if (is_zero && begins && ends) later_[k] = "::coalescing::host::zero{}", has_zero = true;
      if (tokens_.text(k) == "{" && begins)
        missing.emplace_back(tokens_.place(k), "an argument of a launch in braces without its type");
      if (tokens_.text(k) == "(" || tokens_.text(k) == "{") k = tokens_.closing(k);
    }
    return has_zero;
  }

  std::string_view source_;
  source_tokens tokens_;
  std::string made_;
  std::size_t done_ = 0;  ///< how many bytes of the source have been rewritten to `made_`
  enum class brace { of_namespace, of_class, of_function };
  std::vector<brace> braces_;
  unsigned functions_ = 0;
  std::vector<std::pair<std::vector<brace>, unsigned>> at_ifs_;  ///< braces_ and functions_ at each #if that is open
  std::size_t past_variable_ = 0;                                ///< the first token that read_variable() has not read
  std::map<std::size_t, std::string> later_ = {};  ///< for tokens that come later: the text that replaces them
};

}  // namespace detail
}  // namespace coalescing

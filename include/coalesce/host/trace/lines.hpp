// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/misuse.hpp>
#include <coalesce/host/numbers.hpp>
#include <coalesce/record/table.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <istream>
#include <string>
#include <string_view>
#include <vector>

// Reads a trace as lines, and a line as words. At most 1 MiB of the stream is in memory at a time.

namespace coalescing {

/// Thrown for a line of a trace that is damaged or cut, or that needs an option which was not given.
class trace_error : public misuse {
 public:
  trace_error(std::uint64_t line, std::string const& sentence, std::string const& file = "")
      : misuse(((file.empty() ? "" : std::string(detail::file_name(file.c_str())) + ", ") + "line " +
                std::to_string(line) + ": " + sentence)
                   .c_str()),
        line_(line),
        sentence_(sentence),
        file_(file) {}
  /// The line, counted from 1.
  [[nodiscard]] std::uint64_t line() const noexcept { return line_; }
  /// What is wrong with the line.
  [[nodiscard]] std::string const& sentence() const noexcept { return sentence_; }
  /// The path of the trace if replay_files read it; otherwise empty.
  [[nodiscard]] std::string const& file() const noexcept { return file_; }

 private:
  std::uint64_t line_;
  std::string sentence_, file_;
};

namespace refused {

[[noreturn]] inline void line_of_a_trace(std::uint64_t line, std::string const& sentence) {
#ifdef __cpp_exceptions
  throw trace_error(line, sentence);
#else
  detail::refuse(trace_error(line, sentence).what());
#endif
}

}  // namespace refused

namespace detail {

/// The lines of a stream. Refused: a line of more than 64 KiB, a line with a byte 0, and a last line without a newline.
class trace_lines {
 public:
  static constexpr std::size_t longest = std::size_t{1} << 16;

  explicit trace_lines(std::istream& from) : from_(from), block_(std::size_t{1} << 20) {}

  /// Reads the next line, without its end ("\n" or "\r\n"); returns false after the last one. The next call invalidates
  /// the line.
  bool next(std::string_view& line) {
    for (;;) {
      if (begin_ != end_) {
        char const* const start = block_.data() + begin_;
        if (void const* const found = std::memchr(start, '\n', end_ - begin_)) {
          auto const length = static_cast<std::size_t>(static_cast<char const*>(found) - start);
          begin_ += length + 1, ++number_, bytes_ += length + 1;
          line = {start, length};
          if (length > longest) refused::line_of_a_trace(number_, "the line has more than 65,536 bytes");
          if (std::memchr(start, 0, length) != nullptr)
            refused::line_of_a_trace(number_, "the line has a byte 0, so this is not a text: is the trace packed?");
          if (line.ends_with('\r')) line.remove_suffix(1);
          return true;
        }
        if (end_ - begin_ > longest) refused::line_of_a_trace(number_ + 1, "the line has more than 65,536 bytes");
      }
      if (!read_more()) {
        if (begin_ != end_) refused::line_of_a_trace(number_ + 1, "the trace is cut: its last line does not end");
        return false;
      }
    }
  }
  /// The number of the line that next() gave, counted from 1.
  [[nodiscard]] std::uint64_t number() const { return number_; }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

 private:
  bool read_more() {
    std::memmove(block_.data(), block_.data() + begin_, end_ - begin_);
    end_ -= begin_, begin_ = 0;
    from_.read(block_.data() + end_, static_cast<std::streamsize>(block_.size() - end_));
    auto const read = static_cast<std::size_t>(from_.gcount());
    end_ += read;
    if (from_.bad()) refused::line_of_a_trace(number_ + 1, "the stream cannot be read");
    return read != 0;
  }

  std::istream& from_;
  std::vector<char> block_;
  std::size_t begin_ = 0, end_ = 0;
  std::uint64_t number_ = 0, bytes_ = 0;
};

/// The words of a line, separated by blanks, from left to right. A function that does not find what it is to read
/// returns false. The line is then damaged.
class trace_words {
 public:
  explicit trace_words(std::string_view line) : at_(line.data()), end_(line.data() + line.size()) {}

  /// Takes the next word; it is empty at the end.
  std::string_view next() {
    skip_blanks();
    char const* const start = at_;
    while (at_ != end_ && *at_ != ' ' && *at_ != '\t') ++at_;
    return {start, static_cast<std::size_t>(at_ - start)};
  }
  /// Reads the next word, without taking it.
  [[nodiscard]] std::string_view peek() const { return trace_words(*this).next(); }
  /// The part of the line after the words that were taken, without blanks around it.
  std::string_view rest() {
    skip_blanks();
    std::string_view all{at_, static_cast<std::size_t>(end_ - at_)};
    while (!all.empty() && (all.back() == ' ' || all.back() == '\t')) all.remove_suffix(1);
    at_ = end_;
    return all;
  }
  bool is_empty() {
    skip_blanks();
    return at_ == end_;
  }

  /// Takes a hexadecimal number, with or without 0x.
  bool hexadecimal(std::uint64_t& number) {
    skip_blanks();
    if (end_ - at_ > 2 && at_[0] == '0' && (at_[1] == 'x' || at_[1] == 'X')) at_ += 2;
    return digits(number, 16);
  }
  /// Takes a number as some tools write it: 0x and sixteen hexadecimal digits. A shorter one has lost a part.
  bool sixteen_digits(std::uint64_t& number) {
    skip_blanks();
    char const* const start = at_;
    return hexadecimal(number) && at_ - start == 18 && start[1] == 'x';
  }
  bool decimal(std::uint64_t& number) {
    skip_blanks();
    return digits(number, 10);
  }
  /// Takes a decimal number, with a minus if it is negative. A negative one becomes its two's complement in 64 bits.
  bool signed_decimal(std::uint64_t& number) {
    skip_blanks();
    bool const is_negative = at_ != end_ && *at_ == '-';
    if (is_negative) ++at_;
    if (at_ == end_ || *at_ == ' ' || !decimal(number)) return false;
    bool const fits = number <= (std::uint64_t{1} << 63) - (is_negative ? 0 : 1);
    if (is_negative) number = 0 - number;
    return fits;
  }
  /// Takes a decimal number, or a hexadecimal one that begins with 0x.
  bool number(std::uint64_t& to) {
    skip_blanks();
    return end_ - at_ > 2 && at_[0] == '0' && (at_[1] == 'x' || at_[1] == 'X') ? hexadecimal(to) : decimal(to);
  }
  bool decimal(unsigned& number) { return narrow(number, &trace_words::decimal); }
  bool number(unsigned& to) { return narrow(to, &trace_words::number); }

 private:
  bool digits(std::uint64_t& number, int base) {
    auto const read = detail::read_leading({at_, static_cast<std::size_t>(end_ - at_)}, base, number);
    at_ += read;
    return read != 0 && ends();
  }
  bool narrow(unsigned& to, bool (trace_words::*read)(std::uint64_t&)) {
    std::uint64_t wide = 0;
    bool const fits = (this->*read)(wide) && wide >> 32 == 0;
    to = static_cast<unsigned>(wide);
    return fits;
  }
  void skip_blanks() {
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\t')) ++at_;
  }
  [[nodiscard]] bool ends() const { return at_ == end_ || *at_ == ' ' || *at_ == '\t'; }

  char const* at_;
  char const* end_;
};

/// Reads three decimal numbers with commas between them: x,y,z. Returns whether the whole text has this form.
inline bool read_triple(std::string_view from, unsigned (&to)[3]) {
  for (unsigned k = 0; k != 3; ++k) {
    auto const comma = from.find(',');
    if ((comma == std::string_view::npos) != (k == 2)) return false;
    trace_words words(from.substr(0, comma));
    if (!words.decimal(to[k]) || !words.is_empty()) return false;
    if (k != 2) from.remove_prefix(comma + 1);
  }
  return true;
}

}  // namespace detail
}  // namespace coalescing

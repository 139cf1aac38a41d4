// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cdna/synchronize.hpp>

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

// The oracle of CDNA's synchronization, written from LLVM's words. An access at a scope and an ordering becomes lines
// of text, operation by operation; address spaces are sets, scopes are ranks. It shares only the types of the question
// with the library.

namespace coalescing_tests {

namespace cdna = coalescing::cdna;

class slow_synchronization {
 public:
  /// The text; no value where the question has no answer.
  static std::optional<std::string> text(cdna::description const& asked, cdna::environment const& where) {
    slow_synchronization made(asked, where);
    if (!made.exists()) return std::nullopt;
    made.write();
    std::string all;
    for (auto const& line : made.lines_) all += (all.empty() ? "" : "\n") + line;
    return all;
  }

 private:
  using spaces = std::string;  // one letter each: global, local, scratch, region (GDS)
  using op = cdna::operation;
  using order = cdna::memory_order;

  slow_synchronization(cdna::description const& asked, cdna::environment const& where) : asked_(asked), where_(where) {}

  static bool has(spaces const& set, char one) { return set.find(one) != spaces::npos; }
  template <class T>
  static bool is_one_of(T value, std::initializer_list<T> those) {
    return std::find(those.begin(), those.end(), value) != those.end();
  }

  bool exists() const {
    if (where_.l2_caches == 0 || static_cast<int>(asked_.scope) < 0 || static_cast<int>(asked_.scope) > 3) return false;
    if (static_cast<int>(asked_.space) < 0 || static_cast<int>(asked_.space) > 2) return false;
    if (static_cast<int>(asked_.failure) < 0 || static_cast<int>(asked_.failure) > 5) return false;
    switch (asked_.kind) {
      case op::load:
        if (!is_one_of(asked_.order, {order::unordered, order::monotonic, order::acquire, order::seq_cst}))
          return false;
        break;
      case op::store:
        if (!is_one_of(asked_.order, {order::unordered, order::monotonic, order::release, order::seq_cst}))
          return false;
        break;
      case op::exchange:
        if (!is_one_of(asked_.failure, {order::monotonic, order::acquire, order::seq_cst})) return false;
        [[fallthrough]];
      case op::atomic:
      case op::atomic_return:
        if (!is_one_of(asked_.order,
                       {order::monotonic, order::acquire, order::release, order::acq_rel, order::seq_cst}))
          return false;
        break;
      case op::fence:
        return is_one_of(asked_.order, {order::acquire, order::release, order::acq_rel, order::seq_cst});
      default:
        return false;
    }
    return asked_.space != cdna::address_space::local || !where_.tg_split;
  }

  void write() {
    // 1 wave, 2 work-group, 3 agent, 4 system
    rank_ = 1 + static_cast<int>(asked_.scope);
    spaces const everything = "glsr";
    bool const fence = asked_.kind == op::fence;
    spaces const own = fence                                         ? everything
                       : asked_.space == cdna::address_space::global ? "g"
                       : asked_.space == cdna::address_space::local  ? "l"
                                                                     : "gls";
    if (own == "l") rank_ = std::min(rank_, 2);
    cross_ = !asked_.one_address_space;
    spaces const ordered = cross_ ? everything : own;
    auto const strong = [&](std::initializer_list<order> orders) { return is_one_of(asked_.order, orders); };
    switch (asked_.kind) {
      case op::load:
        if (strong({order::seq_cst})) wait(ordered);
        access(own);
        if (strong({order::acquire, order::seq_cst})) wait(own), invalidate(ordered);
        break;
      case op::store:
        if (strong({order::release, order::seq_cst})) release(ordered);
        access(own);
        break;
      case op::fence:
        strong({order::acquire}) ? wait(ordered) : release(ordered);
        if (!strong({order::release})) invalidate(ordered);
        break;
      default: {
        bool const exchange = asked_.kind == op::exchange;
        if (strong({order::release, order::acq_rel, order::seq_cst}) || (exchange && asked_.failure == order::seq_cst))
          release(ordered);
        access(own);
        if (strong({order::acquire, order::acq_rel, order::seq_cst}) ||
            (exchange && is_one_of(asked_.failure, {order::acquire, order::seq_cst})))
          wait(own), invalidate(ordered);
      }
    }
  }

  void access(spaces const& own) {
    std::string line = own == "g" ? "global_" : own == "l" ? "ds_" : "flat_";
    line += asked_.kind == op::load ? "load" : asked_.kind == op::store ? "store" : "atomic";
    if (has(own, 'g')) {
      if (asked_.kind == op::load || asked_.kind == op::store) {
        if (asked_.order != order::unordered) line += scope_bits(rank_);
      } else {
        if (asked_.kind != op::atomic) line += " sc0";
        if (rank_ == 4) line += " sc1";
      }
    }
    lines_.push_back(line);
  }
  void wait(spaces of) {
    int rank = rank_;
    if (where_.tg_split) {
      if (rank == 2 && (has(of, 'g') || has(of, 's') || has(of, 'r'))) rank = 3;
      of.erase(std::remove(of.begin(), of.end(), 'l'), of.end());
    }
    std::string line;
    if ((has(of, 'g') || has(of, 's')) && rank >= 3) line += " vmcnt(0)";
    if (cross_ && ((has(of, 'l') && rank >= 2) || (has(of, 'r') && rank >= 3))) line += " lgkmcnt(0)";
    if (!line.empty()) lines_.push_back("s_waitcnt" + line);
  }
  void invalidate(spaces const& of) {
    if (has(of, 'g') && (rank_ >= 3 || (rank_ == 2 && where_.tg_split)))
      lines_.push_back("buffer_inv" + scope_bits(rank_));
  }
  void release(spaces const& of) {
    if (has(of, 'g') && rank_ >= 3) lines_.push_back("buffer_wbl2" + scope_bits(rank_));
    wait(of);
  }
  static std::string scope_bits(int rank) {
    return rank == 4 ? " sc0 sc1" : rank == 3 ? " sc1" : rank == 2 ? " sc0" : "";
  }

  cdna::description const& asked_;
  cdna::environment const& where_;
  int rank_ = 0;
  bool cross_ = false;
  std::vector<std::string> lines_;
};

}  // namespace coalescing_tests

// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/rdna/synchronize.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

// The oracle of RDNA's synchronization, written from the rule in words. An access at a scope and an ordering becomes
// lines of text, operation by operation; address spaces are sets, scopes are ranks, a generation is a number. It shares
// only the types of the question with the library.

namespace coalescing_tests {

namespace rdna = coalescing::rdna;

class slow_rdna_synchronization {
 public:
  /// The text for generation 10, 11, 12 or 1250; no value where the question has no answer.
  static std::optional<std::string> text(rdna::description const& asked, unsigned generation, bool cu_mode) {
    slow_rdna_synchronization made(asked, generation, cu_mode);
    if (!made.exists()) return std::nullopt;
    made.write();
    std::string all;
    for (auto const& line : made.lines_) all += (all.empty() ? "" : "\n") + line;
    return all;
  }

 private:
  using spaces = std::string;  // one letter each: global, local, scratch
  using op = rdna::operation;
  using order = rdna::memory_order;
  enum rank { thread, wave, group, cluster, agent, system };

  slow_rdna_synchronization(rdna::description const& asked, unsigned generation, bool cu_mode)
      : asked_(asked), generation_(generation), wgp_(!cu_mode), rank_(static_cast<rank>(asked.scope)) {}

  static bool has(spaces const& set, char one) { return set.find(one) != spaces::npos; }
  bool is(std::vector<op> const& those) const {
    return std::find(those.begin(), those.end(), asked_.kind) != those.end();
  }
  static bool among(order one, std::vector<order> const& those) {
    return std::find(those.begin(), those.end(), one) != those.end();
  }
  bool ordered(std::vector<order> const& those) const { return among(asked_.order, those); }
  bool names_scopes() const { return generation_ >= 12; }

  bool exists() const {
    if (generation_ == 1250 && wgp_) return false;
    auto const within = [](auto value, int last) {
      return static_cast<int>(value) >= 0 && static_cast<int>(value) <= last;
    };
    if (!within(asked_.scope, 5) || !within(asked_.space, 2) || !within(asked_.failure, 5)) return false;
    switch (asked_.kind) {
      case op::load:
        return ordered({order::unordered, order::monotonic, order::acquire, order::seq_cst});
      case op::store:
        return ordered({order::unordered, order::monotonic, order::release, order::seq_cst});
      case op::exchange:
        if (!among(asked_.failure, {order::monotonic, order::acquire, order::seq_cst})) return false;
        [[fallthrough]];
      case op::atomic:
      case op::atomic_return:
        return ordered({order::monotonic, order::acquire, order::release, order::acq_rel, order::seq_cst});
      case op::fence:
        return ordered({order::acquire, order::release, order::acq_rel, order::seq_cst});
    }
    return false;
  }

  void write() {
    spaces const own = asked_.space == rdna::address_space::global  ? "g"
                       : asked_.space == rdna::address_space::local ? "l"
                                                                    : "gls";
    spaces const all = asked_.one_address_space || asked_.kind == op::fence ? own : "gls";
    if (rank_ == cluster && generation_ != 1250) rank_ = agent;
    if (own == "l" && asked_.kind != op::fence) rank_ = std::min(rank_, group);
    auto const acquires = {order::acquire, order::acq_rel, order::seq_cst};
    auto const releases = {order::release, order::acq_rel, order::seq_cst};
    if (asked_.kind == op::load) {
      if (ordered({order::seq_cst})) wait(all, true, true, order::seq_cst, true);
      access(own);
      if (ordered(acquires)) wait(own, true, false, asked_.order), invalidate(all);
    } else if (asked_.kind == op::store) {
      if (ordered(releases)) release(all);
      access(own);
    } else if (asked_.kind == op::fence) {
      ordered({order::acquire}) ? wait(all, true, true, order::acquire) : release(all);
      if (ordered(acquires)) invalidate(all);
    } else {
      bool const exchange = asked_.kind == op::exchange;
      if (ordered(releases) || (exchange && asked_.failure == order::seq_cst)) release(all);
      access(own);
      if (ordered(acquires) || (exchange && among(asked_.failure, {order::acquire, order::seq_cst}))) {
        bool const returns = asked_.kind != op::atomic;
        wait(own, returns, !returns, asked_.order), invalidate(all);
      }
    }
  }

  void access(spaces const& own) {
    std::string line = own == "g" ? "global_" : own == "l" ? "ds_" : "flat_";
    line += is({op::load}) ? "load" : is({op::store}) ? "store" : "atomic";
    if (own != "l") {
      if (generation_ == 1250 && !is({op::load})) lines_.push_back("s_wait_xcnt 0x0");
      bool const returns = is({op::atomic_return, op::exchange}), strong = asked_.order != order::unordered;
      if (names_scopes()) {
        if (returns) line += " th:TH_ATOMIC_RETURN";
        if (strong) line += scope();
      } else if (returns) {
        line += " glc";
      } else if (is({op::load}) && strong && (rank_ > group || (rank_ == group && wgp_))) {
        line += " glc";
        if (generation_ == 10 && rank_ > group) line += " dlc";
      }
    }
    lines_.push_back(line);
  }
  void wait(spaces const& of, bool loads, bool stores, order how, bool images = false) {
    bool vector = has(of, 'g') || has(of, 's');
    if (rank_ < group) vector = false;
    if (rank_ == group && !wgp_ && generation_ != 1250 && !among(how, {order::release, order::acq_rel, order::seq_cst}))
      vector = false;
    bool const lds = has(of, 'l') && rank_ >= group && !asked_.one_address_space;
    if (names_scopes()) {
      std::vector<std::string> counters;
      if (vector && images && generation_ == 12) counters.insert(counters.end(), {"bvhcnt", "samplecnt"});
      if (vector && loads) counters.push_back("loadcnt");
      if (vector && stores) counters.push_back("storecnt");
      if (lds) counters.push_back("dscnt");
      for (auto const& counter : counters) lines_.push_back("s_wait_" + counter + " 0x0");
      return;
    }
    std::string line;
    if (vector && loads) line += " vmcnt(0)";
    if (lds) line += " lgkmcnt(0)";
    if (!line.empty()) lines_.push_back("s_waitcnt" + line);
    if (vector && stores) lines_.push_back("s_waitcnt_vscnt null, 0x0");
  }
  void invalidate(spaces const& of) {
    if (!has(of, 'g') || rank_ < group || (rank_ == group && !wgp_)) return;
    if (names_scopes()) return lines_.push_back("global_inv" + scope());
    if (rank_ > group) lines_.push_back("buffer_gl1_inv");
    lines_.push_back("buffer_gl0_inv");
  }
  void release(spaces const& of) {
    if (names_scopes() && has(of, 'g') && (rank_ == system || (rank_ == agent && generation_ == 1250)))
      lines_.push_back("global_wb" + scope());
    wait(of, true, true, order::release, true);
  }
  std::string scope() const {
    if (rank_ == group && wgp_) return " scope:SCOPE_SE";
    return rank_ == cluster  ? " scope:SCOPE_SE"
           : rank_ == agent  ? " scope:SCOPE_DEV"
           : rank_ == system ? " scope:SCOPE_SYS"
                             : "";
  }

  rdna::description const& asked_;
  unsigned generation_;
  bool wgp_;
  rank rank_;
  std::vector<std::string> lines_;
};

}  // namespace coalescing_tests

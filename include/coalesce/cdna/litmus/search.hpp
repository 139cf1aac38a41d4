// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cdna/litmus/walk.hpp>

#include <cstdint>

// The search through the state space of a litmus test. It is breadth first, so the first trace found is a shortest one.

namespace coalescing::cdna::rules {

/// The states reached so far, in a hash table. Each node has a state, the number of the parent state, and the move that
/// led from the parent to the state.
class litmus_states {
 public:
  static constexpr unsigned most = 1u << 22;

  struct node {
    litmus_state state;
    unsigned parent;
    litmus_move move;
  };

  /// Makes an empty table for at most `limit` states. insert() refuses a state beyond the limit. The limit must be 64
  /// times a power of four, since the table starts with room for 64 states and grows by factors of four.
  COALESCE_API constexpr explicit litmus_states(unsigned limit = most) : limit_(limit) {}
  litmus_states(litmus_states const&) = delete;
  litmus_states& operator=(litmus_states const&) = delete;
  COALESCE_API constexpr ~litmus_states() {
    delete[] nodes_;
    delete[] slots_;
  }

  [[nodiscard]] COALESCE_API constexpr unsigned size() const { return size_; }
  [[nodiscard]] COALESCE_API constexpr node const& operator[](unsigned number) const { return nodes_[number]; }

  /// Adds a state, unless the table already has it.
  COALESCE_API constexpr void insert(node const& met) {
    unsigned slot = slot_of(met.state);
    if (slots_[slot] != 0) return;
    if (size_ == capacity_) {
      grow();
      slot = slot_of(met.state);
    }
    nodes_[size_] = met;
    slots_[slot] = ++size_;
  }

 private:
  /// The slot of a state, or the free slot where it belongs.
  COALESCE_API constexpr unsigned slot_of(litmus_state const& state) const {
    unsigned slot = static_cast<unsigned>(state.hash()) & (2 * capacity_ - 1);
    while (slots_[slot] != 0 && nodes_[slots_[slot] - 1].state != state) slot = (slot + 1) & (2 * capacity_ - 1);
    return slot;
  }
  COALESCE_API constexpr void grow() {
    if (capacity_ == limit_) refused::litmus_question_is_too_large(capacity_);
    node* const fewer = nodes_;
    nodes_ = new node[4 * capacity_];
    delete[] slots_;
    capacity_ *= 4;
    slots_ = new unsigned[2 * capacity_]();
    for (unsigned k = 0; k != size_; ++k) {
      nodes_[k] = fewer[k];
      slots_[slot_of(nodes_[k].state)] = k + 1;
    }
    delete[] fewer;
  }

  unsigned limit_, size_ = 0, capacity_ = 64;
  node* nodes_ = new node[64];
  unsigned* slots_ = new unsigned[128]();  // a hash table: each slot has a node's number plus 1, or 0 if it is free
};

/// Searches for a state that `found` accepts, and returns the number of the first such state, or states.size() if there
/// is none.
template <class Found>
COALESCE_API constexpr unsigned search(litmus_walk const& walk, litmus_model const& model, litmus_states& states,
                                       Found const& found) {
  litmus_silence silence;
  litmus_state state = walk.first();
  if (!walk.settle(state, silence)) return 0;
  states.insert({state, 0, {0, 0}});
  auto const try_move = [&](unsigned from, litmus_move to) {
    litmus_state then = state;
    if (walk.move(then, to, silence) && walk.settle(then, silence)) states.insert({then, from, to});
  };
  for (unsigned k = 0; k != states.size(); ++k) {
    state = states[k].state;
    if (found(state)) return k;
    for (unsigned wave = 0; wave != model.count; ++wave) {
      // Try every operation that settle() has left for later.
      std::uint32_t const pending = walk.pending(state, wave);
      std::uint32_t const may_pass_l2 = pending & model.waves[wave].may_pass_l2;
      for (unsigned number = 0; pending >> number != 0; ++number) {
        if ((pending >> number & 1) != 0) try_move(k, {wave, number});
        if ((may_pass_l2 >> number & 1) != 0) try_move(k, {wave, litmus_move::past_l2 + number});
      }
      unsigned const next = state.next(wave);
      if (next == model.waves[wave].size) continue;
      litmus_step const& step = model.waves[wave].steps[next];
      if (step.kind != litmus_kind::wait) try_move(k, {wave, litmus_move::go_on});
      if (step.kind == litmus_kind::invalidate && walk.may_lose(step)) try_move(k, {wave, litmus_move::go_on_losing});
    }
  }
  return states.size();
}

}  // namespace coalescing::cdna::rules

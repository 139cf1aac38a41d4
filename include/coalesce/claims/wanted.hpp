// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/claims/matching.hpp>
#include <coalesce/core/config.hpp>
#include <coalesce/core/misuse.hpp>
#include <coalesce/total/room.hpp>

#include <cstdint>

// Each lane picks a number, its choice, which decides the word that it wants (claims/any.hpp). This header notes which
// lanes can want which words, over all choices. Some lanes must all pick the same number: they pick together. The first
// of them is their picker: it stands for all of them. A place, such as a bank, serves one word at a time. With each
// choice, lanes that pick together want several words at a place: a set. Any two sets are equal, or have no word in
// common. (Choices whose sets overlap in part are refused.) So a set is matched as if it were one word, and its weight
// is the number of its words.

namespace coalescing {

namespace refused {

[[noreturn]] COALESCE_API inline void choices_overlap_in_part(unsigned lane) {
  detail::refuse(
      "any: two choices of lanes that pick together share some of their words or pieces, and not all: no matching "
      "tells the worst",
      lane);
}

}  // namespace refused

namespace detail {

/// A word in the table of all words. Lanes that must make the same choice want several words at once: such words are a
/// set. The first word of a set also has `lanes`, `weight` and `next`, which are about the whole set.
/// A place is what serves the word, such as a bank. A picker is the first of the lanes that must make the same choice,
/// and stands for all of them.
struct wanted_word {
  std::uint64_t number;  ///< the word's address / bytes of a word
  std::uint64_t where;   ///< the number of the place that serves the word; each group of lanes has its own places
  std::uint64_t set;     ///< the number of the set that contains this word
  std::uint64_t turn;    ///< the number of the last call of take_together() with this word, from 1 on; 0: none yet
  std::uint64_t lanes;   ///< for the first word of a set: a mask of the pickers that can want the set
  std::uint64_t weight;  ///< for the first word of a set: how many words the set has
  std::uint64_t next;  ///< for the first word of a set: 1 + the number of the next set at this place; 0: no further set
};

/// The set that take_together() is gathering at one place (such as a bank): the words that lanes want there if they all
/// pick the same number. (Such lanes are not free to pick different numbers.)
struct gathered_set {
  std::uint64_t turn, set, weight;
};

/// The words that lanes can want at each of `Wheres` places (such as banks).
template <unsigned Wheres>
class wanted_words {
 public:
  /// Notes the words of lanes that each pick on their own: each lane can want word number[lane] at place where[lane].
  COALESCE_API constexpr void take_alone(std::uint64_t const* number, std::uint64_t const* where, std::uint64_t lanes) {
    wanted_word* word = nullptr;  // kept from lane to lane, since neighbouring lanes often want the same word
    for (unsigned lane = 0; lanes != 0; lanes >>= 1, ++lane)
      if ((lanes & 1) != 0) {
        if (word == nullptr || word->number != number[lane] || word->where != where[lane]) {
          std::uint64_t const index = index_of(number[lane], where[lane]);  // this call may move the array words_
          word = words_ + index;
          if (word->weight == 0) open(*word, 1);
        }
        word->lanes |= std::uint64_t{1} << lane;
      }
  }
  /// Notes one number (a choice) that `lanes` can pick. They all pick the same number, and with this one, each of them
  /// wants word number[lane] at place where[lane]. Refused: a choice that wants some, but not all, of the words that
  /// another choice wants at one place.
  COALESCE_API constexpr void take_together(std::uint64_t const* number, std::uint64_t const* where,
                                            std::uint64_t lanes) {
    ++turn_;
    unsigned const picker = detail::lowest_lane(lanes);
    for (std::uint64_t rest = lanes; rest != 0; rest &= rest - 1) {
      unsigned const lane = detail::lowest_lane(rest);
      std::uint64_t const index = index_of(number[lane], where[lane]);  // this call may move the array words_
      wanted_word& word = words_[index];
      if (word.turn == turn_) continue;  // an earlier lane of `lanes` wants this word too
      bool const is_new = word.turn == 0;
      gathered_set& gathered = gathered_[where[lane]];
      if (gathered.turn != turn_) gathered = {turn_, word.set, 0};
      if (is_new ? words_[gathered.set].weight != 0 : word.set != gathered.set) refused::choices_overlap_in_part(lane);
      word.turn = turn_, word.set = gathered.set, ++gathered.weight;
    }
    for (std::uint64_t rest = lanes; rest != 0; rest &= rest - 1) {
      unsigned const lane = detail::lowest_lane(rest);
      gathered_set const& gathered = gathered_[where[lane]];
      wanted_word& set = words_[gathered.set];
      if (set.weight == 0) open(set, gathered.weight);
      if (set.weight != gathered.weight) refused::choices_overlap_in_part(lane);
      set.lanes |= std::uint64_t{1} << picker;
    }
  }
  /// The number of the set that a word belongs to. (The words of a set are always wanted together.)
  COALESCE_API constexpr std::uint64_t set_of(std::uint64_t number, std::uint64_t where) {
    std::uint64_t const index = index_of(number, where);  // this call may move the array words_
    return words_[index].set;
  }

  /// How many words of a single place (such as a bank) lanes can want at once.
  struct most_words {
    std::uint64_t words = 0;
    /// The words that the lanes want if some lanes must make the same choice. The first of these lanes, their picker,
    /// stands for all. Together they want several words, a set, so word_of[picker] is the number of a set.
    matching pickers = {};
  };
  /// The largest number of words that lanes can want at once from one place (such as a bank), out of the places `from`
  /// to `end` - 1. `pickers` is a mask of the lanes that can want words there (one lane for all that pick together).
  COALESCE_API constexpr most_words most_of(std::uint64_t from, std::uint64_t end, std::uint64_t pickers) const {
    auto const lanes_of = [words = words_](std::uint64_t set) { return words[set].lanes; };
    most_words most;
    for (std::uint64_t where = from; where != end; ++where) {
      if (weight_[where] <= most.words) continue;  // all words of this place together are no more than those in `most`
      most_words here;
      for (std::uint64_t weight = heaviest_, lighter = 0; weight != 0; weight = lighter, lighter = 0)
        for (std::uint64_t set = first_[where]; set != 0 && here.pickers.matched != pickers; set = words_[set - 1].next)
          if (wanted_word const& word = words_[set - 1]; word.weight == weight)
            here.words += here.pickers.add(set - 1, lanes_of) ? weight : 0;
          else if (word.weight < weight && word.weight > lighter)
            lighter = word.weight;
      if (here.words > most.words) most = here;
    }
    return most;
  }
  /// The most lanes that can want the same word, if all lanes were noted by take_alone().
  COALESCE_API constexpr std::uint64_t most_lanes() const {
    std::uint64_t most = 0;
    for (std::uint64_t k = 0; k != count_; ++k)
      if (std::uint64_t const lanes = detail::count_bits(words_[k].lanes); lanes > most) most = lanes;
    return most;
  }

 private:
  /// The index of a word in words_. A word that is not there yet is added as a new set, to which the caller may add
  /// further words. So the weight of the set (its number of words) stays 0 until the caller knows it and calls open().
  COALESCE_API constexpr std::uint64_t index_of(std::uint64_t number, std::uint64_t where) {
    if (2 * count_ == capacity_) grow();
    std::uint64_t slot = slot_of(number, where), index = slots_[slot];
    for (; index != 0 && (words_[index - 1].number != number || words_[index - 1].where != where); index = slots_[slot])
      slot = (slot + 1) & (capacity_ - 1);
    if (index == 0) words_[count_] = {number, where, count_, 0, 0, 0, 0}, slots_[slot] = index = ++count_;
    return index - 1;
  }
  COALESCE_API constexpr std::uint64_t slot_of(std::uint64_t number, std::uint64_t where) const {
    return ((number + (where << 40)) * 0x9e37'79b9'7f4a'7c15 >> 32) & (capacity_ - 1);  // 2^64 over the golden ratio
  }
  COALESCE_API constexpr void grow() {
    capacity_ *= 2;
    room<wanted_word> room_for_words(capacity_ / 2);
    room<std::uint64_t> room_for_slots(capacity_);
    wanted_word* const words = room_for_words.begin();
    std::uint64_t* const table = room_for_slots.begin();
    for (std::uint64_t k = 0, slot = 0; k != count_; table[slot] = ++k) {
      words[k] = words_[k], slot = slot_of(words[k].number, words[k].where);
      while (table[slot] != 0) slot = (slot + 1) & (capacity_ - 1);
    }
    room_for_words_.swap(room_for_words), room_for_slots_.swap(room_for_slots);
    words_ = words, slots_ = table;
  }
  /// Gives a new set of words its weight (its number of words). Each place (such as a bank) has a list of the sets that
  /// lanes want there; the function puts the set at the head of the list of the place `set.where`.
  COALESCE_API constexpr void open(wanted_word& set, std::uint64_t weight) {
    set.weight = weight, set.next = first_[set.where], first_[set.where] = set.set + 1, weight_[set.where] += weight;
    if (weight > heaviest_) heaviest_ = weight;
  }

  std::uint64_t capacity_ = 128, count_ = 0, turn_ = 0, heaviest_ = 0;
  room<wanted_word> room_for_words_{64};
  room<std::uint64_t> room_for_slots_{128};
  wanted_word* words_ = room_for_words_.begin();
  /// A hash table. Each slot holds 1 + the index of a word in words_, or 0 if the slot is free.
  std::uint64_t* slots_ = room_for_slots_.begin();
  std::uint64_t first_[Wheres] = {}, weight_[Wheres] = {};
  gathered_set gathered_[Wheres] = {};
};

}  // namespace detail
}  // namespace coalescing

// How much of something limited one taker may hold: places at a door, bytes that are kept for
// somebody.
//
// Nobody keeps the others out, however many try: a taker may hold at most a part of what is still
// free, so that something is left for the next one. What is reserved goes only to those who come
// first.
#pragma once

#include <cstddef>
#include <map>
#include <string>

namespace almanac {

class Share {
public:
  struct Limits {
    std::size_t all = 0;      ///< what there is
    std::size_t reserved = 0; ///< of it, for those who come first
    std::size_t always = 0;   ///< what anybody may hold as long as so much is free
    std::size_t part = 8;     ///< beyond that a taker may hold one part in so many of what is free
  };
  enum class Rank { ordinary, first };

  explicit Share(Limits limits) : limits_(limits) {}

  /// Takes `amount` for `who`, or nothing: false.
  bool take(const std::string& who, std::size_t amount, Rank rank = Rank::ordinary);
  /// Gives back what was taken; more than that is what was taken.
  void give_back(const std::string& who, std::size_t amount);

  /// What `from` holds is held by `to` from now on, or nothing changes: false.
  bool pass(const std::string& from, const std::string& to, std::size_t amount);

  std::size_t held() const { return held_; }
  std::size_t held(const std::string& who) const;

private:
  Limits limits_;
  std::size_t held_ = 0;
  std::map<std::string, std::size_t> of_; ///< who holds something
};

} // namespace almanac

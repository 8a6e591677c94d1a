// Where the elements of a list are, by the hashes of their keys: for very many small elements, which
// have their keys themselves. It takes 11 to 22 bytes for each.
//
// Open addressing: whoever asks says which element it is. As with Lookup, nothing can be walked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace almanac {

class PositionIndex {
public:
  /// The position of the element with this hash for which `is_it(position)` holds.
  template <class IsIt> std::optional<std::uint32_t> find(std::uint64_t hash, IsIt is_it) const {
    if (size_ == 0) return std::nullopt;
    const auto wanted = static_cast<std::uint32_t>(hash);
    for (auto at = home_of(wanted); places_[at].position != none; at = behind(at))
      if (places_[at].hash == wanted && is_it(places_[at].position)) return places_[at].position;
    return std::nullopt;
  }
  /// Of an element that is not in it.
  void insert(std::uint64_t hash, std::uint32_t position) {
    if ((size_ + 1) * 4 > places_.size() * 3) grow();
    ++size_;
    put({static_cast<std::uint32_t>(hash), position});
  }
  /// Of one that is.
  void erase(std::uint64_t hash, std::uint32_t position) {
    auto gap = home_of(static_cast<std::uint32_t>(hash));
    while (places_[gap].position != position) gap = behind(gap);
    --size_;
    // What comes behind the gap moves into it, unless that lies before its home.
    for (auto at = behind(gap); places_[at].position != none; at = behind(at))
      if (distance(home_of(places_[at].hash), at) >= distance(gap, at))
        places_[gap] = places_[at], gap = at;
    places_[gap] = {};
  }

private:
  static constexpr auto none = static_cast<std::uint32_t>(-1);
  struct Place {
    std::uint32_t hash = 0, position = none;
  };

  std::size_t behind(std::size_t at) const { return (at + 1) & (places_.size() - 1); }
  std::size_t home_of(std::uint32_t hash) const { return hash & (places_.size() - 1); }
  std::size_t distance(std::size_t from, std::size_t to) const {
    return (to - from) & (places_.size() - 1);
  }
  void put(Place place) {
    auto at = home_of(place.hash);
    while (places_[at].position != none) at = behind(at);
    places_[at] = place;
  }
  void grow() {
    constexpr std::size_t first = 8;
    const auto before =
        std::exchange(places_, std::vector<Place>(places_.empty() ? first : places_.size() * 2));
    for (const auto& place : before)
      if (place.position != none) put(place);
  }

  std::vector<Place> places_; ///< as many as a power of two
  std::size_t size_ = 0;
};

} // namespace almanac

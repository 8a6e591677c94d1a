// A table of records by their keys. Records are shared with whoever took them, and never change.
#pragma once

#include <cstddef>
#include <iterator>
#include <map>
#include <memory>
#include <type_traits>
#include <utility>

namespace almanac {

/// key_of(record) stands beside each record.
template <class R> using KeyOf = std::remove_cvref_t<decltype(key_of(std::declval<const R&>()))>;
template <class R> using Table = std::map<KeyOf<R>, std::shared_ptr<const R>>;

/// Records one after the other, some or all of a table, ascending by key. None may be put or erased
/// while it is walked; they may be edited.
template <class R> class Listing {
public:
  class Iterator {
  public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = R;
    using difference_type = std::ptrdiff_t;
    using pointer = const R*;
    using reference = const R&;

    explicit Iterator(typename Table<R>::const_iterator at) : at_(at) {}
    const R& operator*() const { return *at_->second; }
    const R* operator->() const { return at_->second.get(); }
    Iterator& operator++() { return ++at_, *this; }
    Iterator operator++(int) { return Iterator(at_++); }
    bool operator==(const Iterator&) const = default;

  private:
    typename Table<R>::const_iterator at_;
  };
  explicit Listing(const Table<R>& table) : first_(table.begin()), last_(table.end()) {}
  Listing(typename Table<R>::const_iterator first, typename Table<R>::const_iterator last)
      : first_(first), last_(last) {}
  Iterator begin() const { return Iterator(first_); }
  Iterator end() const { return Iterator(last_); }
  bool empty() const { return first_ == last_; }
  /// Counts them.
  std::size_t size() const { return static_cast<std::size_t>(std::distance(first_, last_)); }

private:
  typename Table<R>::const_iterator first_, last_;
};

} // namespace almanac

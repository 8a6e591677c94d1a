// A large part of a record that hardly ever changes: copies of the record share it.
#pragma once

#include <memory>
#include <utility>

namespace almanac {

/// Any number of threads may look at it at once.
template <class T> class Shared {
public:
  Shared() : value_(nothing()) {}
  Shared(T value) : value_(std::make_shared<const T>(std::move(value))) {}

  const T& operator*() const { return *value_; }
  const T* operator->() const { return value_.get(); }
  operator const T&() const { return *value_; }
  /// A copy that is this record's own; others keep what was there.
  T& edit() {
    auto own = std::make_shared<T>(*value_);
    value_ = own;
    return *own;
  }
  bool operator==(const Shared& other) const {
    return value_ == other.value_ || *value_ == *other.value_;
  }

private:
  static const std::shared_ptr<const T>& nothing() {
    static const auto none = std::make_shared<const T>();
    return none;
  }

  std::shared_ptr<const T> value_;
};

/// Those who visit the fields of a record without changing them say `only_looks`; others get a copy.
template <class V, class T> void describe(V& visit, Shared<T>& value) {
  if constexpr (requires { V::only_looks; }) describe(visit, const_cast<T&>(*value));
  else describe(visit, value.edit());
}

} // namespace almanac

// A value, or the reason why there is none.
//
// The text of an Error is read by a person: it names the option or the field and the value. What the
// planner says is a Statement (core/answer) instead.
#pragma once

#include "core/base/check.hpp"

#include <string>
#include <utility>
#include <variant>

namespace almanac {

struct Error {
  std::string what;
};

template <class T, class E = Error> class [[nodiscard]] Result {
public:
  Result(T value) : content_(std::move(value)) {}
  Result(E error) : content_(std::move(error)) {}

  explicit operator bool() const { return content_.index() == 0; }
  bool ok() const { return content_.index() == 0; }

  const T& value() const {
    check(ok(), "a Result is asked for its value only where it has one");
    return std::get<0>(content_);
  }
  T& value() {
    check(ok(), "a Result is asked for its value only where it has one");
    return std::get<0>(content_);
  }
  const T& operator*() const& { return value(); }
  T& operator*() & { return value(); }
  T&& operator*() && { return std::move(value()); }
  const T* operator->() const { return &value(); }
  T* operator->() { return &value(); }

  const E& error() const { return std::get<1>(content_); }
  const std::string& what() const { return error().what; }

private:
  std::variant<T, E> content_;
};

struct Done {};
/// The outcome of something that has no value to give.
using Outcome = Result<Done>;

} // namespace almanac

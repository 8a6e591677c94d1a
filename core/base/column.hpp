// A column of a table, of options or of attributes: it is written in each row, or the row does not
// compile.
#pragma once

#include <concepts>
#include <utility>

namespace almanac {

template <class T> class Column {
public:
  template <class U>
  requires std::convertible_to<U, T>
  constexpr Column(U value) : value_(value) {}

  constexpr const T& operator*() const { return value_; }
  constexpr const T* operator->() const { return &value_; }

private:
  T value_;
};

template <class> struct Member;
template <class Owner_, class T> struct Member<T Owner_::*> { using Owner = Owner_; };
/// The struct that a member belongs to: &Job::name of Job.
template <auto member> using OwnerOf = typename Member<decltype(member)>::Owner;

} // namespace almanac

// Makes one field of a record what no program of ours would write there: a number at the end of its
// range, a text that nobody types, a list that is too short or too long.
//
// Not thread-safe; all of it is decided by `chance`.
#pragma once

#include "core/base/describe.hpp"

#include <cstdint>
#include <random>
#include <string>
#include <type_traits>
#include <variant>

namespace almanac {

/// Numbers at the ends of their ranges, and some between.
std::int64_t hostile_number(std::mt19937_64& chance);
/// Control characters, NUL, what is not UTF-8, long ones, patterns, names of others.
std::string hostile_text(std::mt19937_64& chance);

class Spoiler {
public:
  explicit Spoiler(std::mt19937_64& chance) : chance_(chance) {}

  /// One field of it, wherever it lies.
  template <class T> void spoil(T& record) {
    fields_ = 0, wanted_ = none;
    visit(record);
    if (fields_ == 0) return;
    wanted_ = chance_() % fields_;
    fields_ = 0;
    visit(record);
  }

  template <class T> void operator()(const char*, T& field) { visit(field); }

private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  template <class T> void visit(T& field) {
    if constexpr (is_variant<T>::value) std::visit([this](auto& one) { this->visit(one); }, field);
    else if constexpr (std::is_same_v<T, std::string>) {
      if (is_it()) field = hostile_text(chance_);
    } else if constexpr (std::is_same_v<T, Bytes>) {
      if (is_it()) field.content = hostile_text(chance_);
    } else if constexpr (std::is_same_v<T, bool>) {
      if (is_it()) field = !field;
    } else if constexpr (std::is_enum_v<T>) {
      if (is_it()) field = static_cast<T>(chance_() % (static_cast<std::size_t>(last_of<T>) + 1));
    } else if constexpr (std::is_integral_v<T>) {
      if (is_it()) field = static_cast<T>(hostile_number(chance_));
    } else if constexpr (is_vector<T>::value) visit_list(field);
    else describe(*this, field);
  }

  template <class T> void visit_list(T& list) {
    constexpr std::size_t many = 300;
    if (is_it()) {
      const auto one = list.empty() ? typename T::value_type() : list.front();
      list.assign(chance_() % 2 ? many : chance_() % 3, one);
      return;
    }
    for (auto& one : list) visit(one);
  }

  bool is_it() { return fields_++ == wanted_; }

  std::mt19937_64& chance_;
  std::size_t fields_ = 0, wanted_ = none;
};

} // namespace almanac

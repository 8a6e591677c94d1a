// Makes the fields of a record hostile, one after the other.
#pragma once

#include "core/base/describe.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <variant>
#include <vector>

namespace almanac {

inline const std::vector<std::int64_t> hostile_numbers{0, -1, 1LL << 62,
                                                       std::numeric_limits<std::int64_t>::max(),
                                                       std::numeric_limits<std::int64_t>::min()};
inline const std::vector<std::string> hostile_texts{"",
                                                    std::string("x\0user\0", 7),
                                                    "\x1b[2J\n",
                                                    "\xff\xfe",
                                                    std::string(1 << 20, 'a'),
                                                    "*",
                                                    "((!|",
                                                    "-1",
                                                    "1.1-9223372036854775807:1",
                                                    "9223372036854775808"};
inline constexpr std::size_t many = 20'000;

// Walks through the fields of a record and makes one of them hostile: the `field`-th, by its
// `way`-th value.
class Spoiler {
public:
  Spoiler(int field, std::size_t way) : left_(field), way_(way) {}
  bool found() const { return found_; }     ///< there is such a field
  bool changed() const { return changed_; } ///< and it has so many values

  template <class T> void operator()(const char*, T& field) { visit(field); }
  template <class T> void visit(T& field) {
    if (found_) return;
    if constexpr (is_variant<T>::value) std::visit([this](auto& one) { visit(one); }, field);
    else if constexpr (std::is_same_v<T, std::string>) take(hostile_texts, field);
    else if constexpr (std::is_same_v<T, Bytes>) take(hostile_texts, field.content);
    else if constexpr (std::is_same_v<T, bool>) take(std::array{false, true}, field);
    else if constexpr (std::is_enum_v<T>) take(std::array{T{}, last_of<T>}, field);
    else if constexpr (std::is_integral_v<T>) take(hostile_numbers, field);
    else if constexpr (is_vector<T>::value) visit_list(field);
    else describe(*this, field);
  }

private:
  template <class T> void visit_list(T& field) {
    constexpr std::array<std::size_t, 3> lengths{0, 2, many};
    auto length = field.size();
    take(lengths, length);
    if (!found_)
      for (auto& one : field) visit(one);
    else if (changed_)
      field.assign(length, field.empty() ? typename T::value_type() : field.front());
  }
  template <class Values, class T> void take(const Values& values, T& field) {
    if (left_-- > 0) return;
    found_ = true, changed_ = way_ < values.size();
    if (changed_) field = values[way_];
  }

  int left_;
  std::size_t way_;
  bool found_ = false, changed_ = false;
};

/// Tells `use` each record that differs from `sample` in one field, with the numbers of field and
/// way.
template <class T, class Use> void each_spoiled(const T& sample, Use use) {
  for (int field = 0;; ++field)
    for (std::size_t way = 0;; ++way) {
      auto record = sample;
      Spoiler spoiler(field, way);
      spoiler.visit(record);
      if (!spoiler.found()) return;
      if (!spoiler.changed()) break;
      use(record, field, way);
    }
}

} // namespace almanac

// How a record from outside is looked through: what is found wrong first is the answer.
#pragma once

#include "core/base/describe.hpp"
#include "core/base/result.hpp"
#include "core/text/names.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace almanac {

inline constexpr std::size_t longest_text =
    131'071; // an argument or variable of a process, as Linux takes it
inline constexpr std::size_t longest_list = 100'000;
inline constexpr std::size_t longest_choice = 10'000; // of jobs, users, objects

// The first thing that was found wrong.
class Findings {
public:
  void require(bool holds, const char* what) {
    if (!holds && !found_) found_ = what;
  }
  void note(const Outcome& outcome, const char* before = "") {
    if (!outcome && !found_) found_ = before + outcome.what();
  }
  void range(const char* what, std::int64_t value, std::int64_t low, std::int64_t high) {
    if (found_ || (low <= value && value <= high)) return;
    found_ = std::string(what) + " " + std::to_string(value) + " is not in the range of " +
             std::to_string(low) + " to " + std::to_string(high);
  }
  void size(const char* what, std::size_t count, std::size_t most) {
    if (found_ || count <= most) return;
    found_ = std::to_string(count) + " " + what + " are too many: at most " + std::to_string(most) +
             " are taken";
  }
  bool any() const { return found_.has_value(); }
  Outcome outcome() const { return found_ ? Outcome(Error{*found_}) : Outcome(Done{}); }

private:
  std::optional<std::string> found_;
};

using FieldNames = std::vector<std::string_view>;

// Visits all texts and lists of a record, whatever they mean. Those in `free` are the user's own
// affair (arguments, paths): any bytes, and printed with care.
class TextCheck {
public:
  static constexpr bool only_looks = true;

  TextCheck(Findings& findings, FieldNames free, std::size_t longest = longest_text)
      : findings_(findings), free_(std::move(free)), longest_(longest) {}

  template <class T> void operator()(const char* name, T& field) {
    const bool outer = is_free_;
    is_free_ = is_free_ || std::find(free_.begin(), free_.end(), name) != free_.end();
    look(name, field);
    is_free_ = outer;
  }
  template <class T> void look(const char* name, T& field) {
    if (findings_.any()) return;
    if constexpr (std::is_same_v<T, std::string>) text(name, field);
    else if constexpr (IsText<T>) text(name, field.text());
    else if constexpr (is_vector<T>::value) {
      findings_.size(name, field.size(), is_free_ ? longest_list : longest_choice);
      for (auto& element : field) look(name, element);
    } else if constexpr (!std::is_same_v<T, Bytes> && !std::is_enum_v<T> && !std::is_integral_v<T>)
      describe(*this, field);
  }

private:
  void text(const char* name, const std::string& value) {
    if (value.empty()) return;
    const auto wrong = [&](const char* why) {
      findings_.note(Error{std::string(name) + " " + why});
    };
    if (value.size() > longest_) return wrong("is too long");
    if (value.find('\0') != value.npos) return wrong("holds a NUL character");
    if (is_free_) return;
    // Files of configuration may have tabs between their words.
    if (std::any_of(value.begin(), value.end(), [](char c) { return is_control(c) && c != '\t'; }))
      wrong("holds a control character");
    else if (!is_utf8(value)) wrong("is not valid UTF-8");
  }

  Findings& findings_;
  FieldNames free_;
  std::size_t longest_;
  bool is_free_ = false;
};

template <class T> void check_texts(Findings& findings, const T& record, FieldNames free = {}) {
  TextCheck check(findings, std::move(free));
  describe(check, const_cast<T&>(record)); // reads only
}

} // namespace almanac

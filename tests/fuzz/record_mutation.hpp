// Changes one field of a record, whatever it is: plain bytes find no longer text, since a Cap'n
// Proto message says how long each of its parts is.
#pragma once

#include "core/base/describe.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t limit);

namespace almanac {

class RecordMutation {
public:
  explicit RecordMutation(unsigned seed) : random_(seed) {}

  /// Changes one field of the record, chosen at random.
  template <class T> void change(T& record) {
    left_ = -1, fields_ = 0;
    visit(record);
    if (fields_ == 0) return;
    left_ = static_cast<std::int64_t>(random_() % fields_);
    visit(record);
  }

  template <class T> void operator()(const char*, T& field) { visit(field); }

  std::size_t below(std::size_t limit) { return random_() % limit; }
  std::string any_bytes(std::string text) {
    constexpr std::size_t room = 24;
    const auto size = text.size();
    text.resize(size + room);
    text.resize(LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(text.data()), size, size + room));
    return text;
  }

private:
  // Counts fields when left_ is negative, else changes the field that it has come to.
  bool is_chosen() {
    if (left_ < 0) {
      ++fields_;
      return false;
    }
    return left_-- == 0 && (left_ = std::numeric_limits<std::int64_t>::max(), true);
  }

  template <class T> void visit(T& field) {
    if constexpr (std::is_same_v<T, std::string>) {
      if (is_chosen()) change_text(field);
    } else if constexpr (std::is_same_v<T, Bytes>) {
      if (is_chosen()) field.content = any_bytes(std::move(field.content));
    } else if constexpr (std::is_same_v<T, bool>) {
      if (is_chosen()) field = !field;
    } else if constexpr (std::is_enum_v<T>) {
      if (is_chosen()) field = static_cast<T>(below(static_cast<std::size_t>(last_of<T>) + 1));
    } else if constexpr (std::is_integral_v<T>) {
      if (is_chosen()) change_number(field);
    } else if constexpr (is_vector<T>::value) visit_list(field);
    else if constexpr (is_variant<T>::value) {
      std::visit([this](auto& one) { this->visit(one); }, field);
    } else describe(*this, field);
  }

  template <class T> void visit_list(std::vector<T>& list) {
    if (is_chosen()) change_list(list);
    else
      for (auto& one : list) visit(one);
  }
  template <class T> void change_list(std::vector<T>& list) {
    if (!list.empty() && below(3) == 0) list.erase(list.begin() + below(list.size()));
    else if (!list.empty() && below(2) == 0) list.push_back(list[below(list.size())]);
    else list.emplace_back();
  }

  template <class T> void change_number(T& number) {
    constexpr std::array<std::int64_t, 12> values{0,
                                                  1,
                                                  -1,
                                                  2,
                                                  60,
                                                  3600,
                                                  86400,
                                                  1'000'000,
                                                  9'999'999,
                                                  1LL << 62,
                                                  std::numeric_limits<std::int64_t>::max(),
                                                  std::numeric_limits<std::int64_t>::min()};
    const auto bits = static_cast<std::uint64_t>(number);
    switch (below(4)) {
    case 0: number = static_cast<T>(values[below(values.size())]); break;
    case 1: number = static_cast<T>(bits + below(9) - 4); break;
    case 2: number = static_cast<T>(bits ^ std::uint64_t{1} << below(64)); break;
    default: number = static_cast<T>(below(5000));
    }
  }

  void change_text(std::string& text) {
    // What names and values there are in a cell (tests/fuzz/request.cpp).
    static constexpr std::array<const char*, 46> texts{
        "",       "1",        "2",         "3",        "0",       "-1",   "NONE",      "TRUE",
        "FALSE",  "*",        "all.q",     "all.q@h1", "h1",      "h2",   "@allhosts", "smp",
        "alice",  "root",     "users",     "arusers",  "h_rt",    "s_rt", "slots",     "mem_free",
        "h_vmem", "INFINITY", "0:10:0",    "60",       "1G",      "1.5",  "4",         "hostname",
        "$user",  "1-3",      "UNDEFINED", "global",   "all.q@*", "!h1",  "h1|h2",     "1.2",
        "[h1=2]", "4,[h1=2]", "slots=2",   "load_avg", "-l",      "year"};
    if (below(2) == 0) text = texts[below(texts.size())];
    else text = any_bytes(std::move(text));
  }

  std::mt19937 random_;
  std::int64_t left_ = -1;
  std::size_t fields_ = 0;
};

} // namespace almanac

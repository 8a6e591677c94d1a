// What a record that somebody has sent takes up in the master, roughly: its texts and lists, and
// a flat part for all else. Who sends records without end meets a limit (qmaster_params
// MAX_USER_MB).
#pragma once

#include "core/base/describe.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

namespace almanac {

class TextBytes {
public:
  static constexpr bool only_looks = true;
  static constexpr std::int64_t letters = 4096; ///< that are on their way to one address
  std::int64_t count = 0;

  template <class T> void operator()(const char* name, T& field) {
    if constexpr (std::is_same_v<T, std::string>) count += static_cast<std::int64_t>(field.size());
    else if constexpr (std::is_same_v<T, Bytes>)
      count += static_cast<std::int64_t>(field.content.size());
    else if constexpr (is_vector<T>::value) {
      count += static_cast<std::int64_t>(field.size() * sizeof(field[0]));
      if (name == std::string_view("mail_to"))
        count += static_cast<std::int64_t>(field.size()) * letters;
      for (auto& element : field) (*this)("", element);
    } else if constexpr (!std::is_enum_v<T> && !std::is_integral_v<T>) describe(*this, field);
  }
};

template <class R> std::int64_t kept_bytes(const R& record) {
  constexpr std::int64_t flat = 2048;
  TextBytes texts;
  describe(texts, const_cast<R&>(record));
  return flat + texts.count;
}

} // namespace almanac

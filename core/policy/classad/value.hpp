// Values of the policy language (spec/plus.md section 7, P7.27).
//
// 1. Reals are finite: what would not be is an error instead, so no result depends on how a machine
//    shows infinity.
// 2. Texts, lists and records are shared and never change: a copy of a value is cheap.
#pragma once

#include "core/base/time.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

namespace almanac {

struct AdUndefined {};
struct AdError {
  const char* what = "error"; ///< why, in a few words; it lives as long as the program
};
struct AbsTime {
  double seconds = 0;    ///< since the epoch
  std::int32_t zone = 0; ///< seconds that its clock is ahead of UTC
};
struct RelTime {
  double seconds = 0;
};
using AdText = std::shared_ptr<const std::string>;

struct AdValue;
class AdScope;

/// The first `count` of these items. Whoever owns them may append to them: lists that were taken
/// before stay as they were.
struct AdList {
  std::shared_ptr<const std::vector<AdValue>> items;
  std::size_t count = 0;

  const AdValue* begin() const;
  const AdValue* end() const;
};

/// Names of a record's attributes. Many records share them.
struct AdNames {
  std::vector<std::string> shown;
  std::vector<std::string> lower; ///< the same in lower case
};
std::shared_ptr<const AdNames> ad_names(std::vector<std::string> shown);

/// A record whose attributes are values. One that is undefined counts as missing.
struct AdFields {
  std::shared_ptr<const AdNames> names;
  std::vector<AdValue> values; ///< as many as there are names
};
using AdRecord = std::shared_ptr<const AdFields>;

struct AdValue {
  /// An AdScope is a record of the text itself. It exists only while something is evaluated.
  using Content = std::variant<AdUndefined, AdError, bool, std::int64_t, double, AdText, AbsTime,
                               RelTime, AdList, AdRecord, AdScope*>;
  Content content;

  AdValue() = default;
  template <class T>
  requires(!std::is_same_v<T, AdValue> &&
           std::is_constructible_v<Content, std::in_place_type_t<T>, T>) AdValue(T value)
      : content(std::in_place_type<T>, std::move(value)) {}

  template <class T> const T* as() const { return std::get_if<T>(&content); }
  bool is_undefined() const { return content.index() == 0; }
  bool is_error() const { return content.index() == 1; }
  bool is_true() const {
    const auto* truth = as<bool>();
    return truth && *truth;
  }
};

inline const AdValue* AdList::begin() const { return items ? items->data() : nullptr; }
inline const AdValue* AdList::end() const { return begin() + count; }

AdValue ad_text(std::string text);
AdValue ad_list(std::vector<AdValue> items);
AdValue ad_texts(const std::vector<std::string>& texts);
/// UTC.
AdValue ad_time(Instant at);
AdValue ad_duration(Duration length);
/// The second in which an absTime lies; nothing: it is none, or thousands of years away.
std::optional<Instant> instant_of(const AdValue& value);
/// The real that is nearest to `amount` / `unit`; `unit` is not 0.
AdValue ad_ratio(std::int64_t amount, std::int64_t unit);

/// The attribute of this name, given in lower case; null: the record lacks it.
const AdValue* find(const AdFields& record, std::string_view lower_name);
std::size_t size_of(const AdFields& record);

/// The value as the language writes it, cut behind `most` bytes and then ended by "...".
std::string print_value(const AdValue& value, std::size_t most = 65'536);

/// The shortest text that reads back as this real, and as no integer: "5.0", "1e+300".
std::string print_real(double value);
/// The text in double quotes, as the language reads it back.
std::string quoted_text(std::string_view text);

} // namespace almanac

// Records <-> JSON, for people and for moving them to another store: each field under the name that
// describe() gives it.
//
// An enumeration is its number, a time seconds, one without end null. Text that is not UTF-8 is an object
// {"bytes": "hexadecimal digits"}, so nothing is lost.
#pragma once

#include "actors/trust/keyring.hpp"
#include "core/base/describe.hpp"
#include "core/base/result.hpp"
#include "core/text/names.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <type_traits>
#include <utility>

namespace almanac {

using Json = nlohmann::ordered_json;

/// What is not text: whole, or only how much it is.
enum class JsonBytes { whole, size };

// ---- writing ------------------------------------------------------------------------------------

template <JsonBytes how> struct JsonWriter {
  static constexpr bool only_looks = true;
  Json object = Json::object();
  template <class T> void operator()(const char* name, T& field) { object[name] = convert(field); }

  static Json text(const std::string& text) {
    if (how == JsonBytes::size || is_utf8(text)) return text;
    return {{"bytes", to_hex(text)}};
  }
  template <class T> static Json convert(T& field) {
    if constexpr (std::is_same_v<T, std::string>) return text(field);
    else if constexpr (std::is_same_v<T, bool>) return field;
    else if constexpr (IsText<T>) return text(field.text());
    else if constexpr (IsId<T>) return field.value;
    else if constexpr (std::is_same_v<T, Bytes>)
      return how == JsonBytes::size ? Json(std::to_string(field.content.size()) + " bytes")
                                    : Json{{"bytes", to_hex(field.content)}};
    else if constexpr (std::is_same_v<T, Instant> || std::is_same_v<T, Duration>) {
      if (field.seconds == Duration::endless().seconds) return nullptr;
      return field.seconds;
    } else if constexpr (std::is_enum_v<T>) return static_cast<int>(field);
    else if constexpr (std::is_integral_v<T>) return field;
    else if constexpr (is_vector<T>::value) {
      auto list = Json::array();
      for (auto& element : field) list.push_back(convert(element));
      return list;
    } else {
      JsonWriter inner;
      describe(inner, field);
      return inner.object;
    }
  }
};

template <JsonBytes how = JsonBytes::whole, class T> Json to_json(const T& record) {
  return JsonWriter<how>::convert(const_cast<T&>(record)); // it only looks
}

// ---- reading ------------------------------------------------------------------------------------

/// Reads a record; what is not there is as in a new one. It throws an Error, which names the field: what is
/// no field of it, and what is not of its kind.
class JsonReader {
public:
  template <class T> static void read(const Json& from, T& value, const std::string& where) {
    if constexpr (std::is_same_v<T, std::string>) value = text(from, where);
    else if constexpr (std::is_same_v<T, bool>) {
      require(from.is_boolean(), where, "true or false");
      value = from.get<bool>();
    } else if constexpr (IsText<T>) {
      auto parsed = T::parse(text(from, where));
      if (!parsed) throw Error{where + ": " + parsed.what()};
      value = std::move(*parsed);
    } else if constexpr (IsId<T>) value.value = number<std::int64_t>(from, where);
    else if constexpr (std::is_same_v<T, Bytes>) value.content = bytes(from, where);
    else if constexpr (std::is_same_v<T, Instant> || std::is_same_v<T, Duration>)
      value.seconds =
          from.is_null() ? Duration::endless().seconds : number<std::int64_t>(from, where);
    else if constexpr (std::is_enum_v<T>) {
      const auto index = number<std::int64_t>(from, where);
      require(index >= 0 && index <= static_cast<std::int64_t>(last_of<T>), where,
              "a number from 0 to " + std::to_string(static_cast<std::int64_t>(last_of<T>)));
      value = static_cast<T>(index);
    } else if constexpr (std::is_integral_v<T>) value = number<T>(from, where);
    else if constexpr (is_vector<T>::value) {
      require(from.is_array(), where, "a list");
      value.clear();
      for (const auto& element : from) {
        const auto at = where + "[" + std::to_string(value.size()) + "]";
        read(element, value.emplace_back(), at);
      }
    } else {
      require(from.is_object(), where, "an object");
      JsonReader inner(from, where);
      describe(inner, value);
      inner.check_all_known();
    }
  }

  template <class T> void operator()(const char* name, T& field) {
    known_.insert(name);
    if (const auto found = object_.find(name); found != object_.end())
      read(*found, field, where_ + "." + name);
  }

  /// Of any bytes: a script may hold what no text does.
  static void read_text(const Json& from, std::string& value, const std::string& where) {
    if (from.is_object()) value = bytes(from, where);
    else {
      require(from.is_string(), where, "a text");
      value = from.get<std::string>();
    }
  }

private:
  JsonReader(const Json& object, std::string where) : object_(object), where_(std::move(where)) {}

  static void require(bool is_so, const std::string& where, const std::string& what) {
    if (!is_so) throw Error{where + " is not " + what};
  }
  static std::string bytes(const Json& from, const std::string& where) {
    const bool is_one = from.is_object() && from.size() == 1 && from.contains("bytes") &&
                        from.at("bytes").is_string();
    require(is_one, where, "an object with bytes");
    auto content = from_hex(from.at("bytes").get<std::string>());
    if (!content) throw Error{where + ": " + content.what()};
    return std::move(*content);
  }
  static std::string text(const Json& from, const std::string& where) {
    std::string read;
    read_text(from, read, where);
    require(read.find('\0') == std::string::npos, where, "a text without a NUL character");
    return read;
  }
  template <class T> static T number(const Json& from, const std::string& where) {
    require(from.is_number_integer(), where, "a whole number");
    if (!from.is_number_unsigned()) {
      const auto value = from.get<std::int64_t>();
      require(!std::is_unsigned_v<T>, where, "a number of at least 0");
      return static_cast<T>(value);
    }
    const auto value = from.get<std::uint64_t>();
    require(value <= static_cast<std::uint64_t>(std::numeric_limits<T>::max()), where,
            "a number of at most " + std::to_string(std::numeric_limits<T>::max()));
    return static_cast<T>(value);
  }
  void check_all_known() const {
    for (const auto& item : object_.items())
      if (!known_.contains(item.key()))
        throw Error{where_ + " has no field \"" + excerpt(item.key()) + "\""};
  }

  const Json& object_;
  std::string where_;
  std::set<std::string, std::less<>> known_;
};

} // namespace almanac

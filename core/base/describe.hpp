// One listing of fields per record, read by everybody who needs them.
//
// A record R offers `template <class V> void describe(V& visit, R& record)` which calls
// visit("field_name", record.field) for each field in a fixed order. The codec, the
// digest and the console are such visitors, so a field is added in one place (and in
// the Cap'n Proto schema, where the name is written in camelCase).
#pragma once

#include "core/base/ids.hpp"
#include "core/base/time.hpp"

#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

namespace almanac {

/// The highest valid enumerator; every enumeration that is stored or sent specialises it.
template <class E> inline constexpr E last_of = E{};

/// Bytes that are not text: scripts, frames, signatures.
struct Bytes {
  std::string content;
  bool operator==(const Bytes&) const = default;
};

/// A value that is written as one text: names of several parts.
template <class T>
concept IsText = requires(const T& value, std::string_view text) {
  { value.text() } -> std::same_as<std::string>;
  T::parse(text).ok();
};

template <class T> struct is_vector : std::false_type {};
template <class T> struct is_vector<std::vector<T>> : std::true_type {};
template <class T> struct is_variant : std::false_type {};
template <class... Ts> struct is_variant<std::variant<Ts...>> : std::true_type {};

template <class V> void describe(V& visit, Duration& value) { visit("seconds", value.seconds); }
template <class V> void describe(V& visit, Instant& value) { visit("seconds", value.seconds); }
template <class V> void describe(V& visit, Window& value) {
  visit("start", value.start);
  visit("end", value.end);
}

/// For those who only look for texts; what is no text of that kind afterwards is left as it was.
template <class V, IsText T> void describe(V& visit, T& value) {
  auto text = value.text();
  visit("text", text);
  if (auto parsed = T::parse(text)) value = std::move(*parsed);
}

} // namespace almanac

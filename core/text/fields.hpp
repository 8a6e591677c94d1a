// Records as text that a small program reads without a codec: "name length\nvalue\n" for each
// field, in the order of describe(). A list says first how many items it has.
//
// What users have written lies in many of the fields: nothing in it can end a field. One that is
// not whole, or is there twice, spoils the record.
#pragma once

#include "core/base/describe.hpp"
#include "core/base/result.hpp"
#include "core/text/numbers.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace almanac {

class FieldPrinter {
public:
  explicit FieldPrinter(std::string_view format) : text(format) {}
  std::string text;
  std::int64_t version = INT64_MAX; ///< of the record: it may leave out what came later

  template <class T> void operator()(const char* name, T& value) {
    if constexpr (std::is_same_v<T, std::string>) put(name, value);
    else if constexpr (std::is_same_v<T, Bytes>) put(name, value.content);
    else if constexpr (std::is_enum_v<T> || IsNumber<T>)
      put(name, std::to_string(static_cast<std::int64_t>(value)));
    else if constexpr (is_vector<T>::value) {
      put(name, std::to_string(value.size()));
      for (auto& item : value) (*this)("item", item);
    } else describe(*this, value);
  }

private:
  void put(const char* name, const std::string& value) {
    text.append(name).append(" ").append(std::to_string(value.size())).append("\n");
    text.append(value).append("\n");
  }
};

/// Whether texts may have them: the system would take what comes before one for the whole.
enum class ZeroBytes { refused, taken };

/// Takes back what was printed, and nothing else: after the first thing that is wrong, nothing.
class FieldParser {
public:
  /// Both have to outlive the parser.
  FieldParser(std::string_view text, std::string_view format, ZeroBytes zero_bytes)
      : rest_(text), zero_bytes_(zero_bytes) {
    if (!skip(format)) fail("format", "is not what is read here");
  }
  std::int64_t version = INT64_MAX; ///< as that of the printer

  template <class T> void operator()(const char* name, T& value) {
    if (!problem_.empty()) return;
    if constexpr (std::is_same_v<T, std::string>) {
      value = take(name);
      if (zero_bytes_ == ZeroBytes::refused && value.find('\0') != std::string::npos)
        fail(name, "has a zero byte in it");
    } else if constexpr (std::is_same_v<T, Bytes>) value.content = take(name);
    else if constexpr (std::is_enum_v<T>)
      value = static_cast<T>(number(name, 0, static_cast<std::int64_t>(last_of<T>)));
    else if constexpr (std::is_same_v<T, bool>) value = number(name, 0, 1) == 1;
    else if constexpr (IsNumber<T>) value = {number(name, INT64_MIN, INT64_MAX)};
    else if constexpr (is_vector<T>::value) {
      value.clear();
      for (auto count = number(name, 0, INT64_MAX); count > 0 && problem_.empty(); --count)
        (*this)("item", value.emplace_back());
    } else describe(*this, value);
  }

  /// Whether all of it was as it has to be, and nothing follows; the error begins with `whose`.
  Outcome finish(const char* whose) {
    if (problem_.empty() && !rest_.empty()) fail("end", "is followed by something");
    if (!problem_.empty()) return Error{std::string(whose) + ": " + problem_};
    return Done{};
  }

private:
  std::string take(const char* name) {
    if (!problem_.empty()) return {};
    if (!skip(name) || !skip(" ")) return fail(name, "is expected");
    const auto line_end = rest_.find('\n');
    const auto length = parse_number(std::string(rest_.substr(0, line_end)));
    if (line_end == std::string_view::npos || !length) return fail(name, "has no length");
    rest_.remove_prefix(line_end + 1);
    if (static_cast<std::uint64_t>(*length) >= rest_.size()) return fail(name, "is cut off");
    std::string value(rest_.substr(0, static_cast<std::size_t>(*length)));
    rest_.remove_prefix(value.size());
    if (!skip("\n")) return fail(name, "is longer than it says");
    return value;
  }
  std::int64_t number(const char* name, std::int64_t least, std::int64_t most) {
    const auto text = take(name);
    if (!problem_.empty()) return least;
    const auto number = parse_signed(text);
    if (number && *number >= least && *number <= most) return *number;
    fail(name, "is not a number that it can have");
    return least;
  }
  bool skip(std::string_view expected) {
    if (!rest_.starts_with(expected)) return false;
    rest_.remove_prefix(expected.size());
    return true;
  }
  std::string fail(const char* name, const char* why) {
    if (problem_.empty()) problem_ = std::string(name) + " " + why;
    return {};
  }

  std::string_view rest_;
  ZeroBytes zero_bytes_;
  std::string problem_;
};

template <class T> std::string print_fields(const T& record, std::string_view format,
                                            std::int64_t version = INT64_MAX) {
  FieldPrinter printer(format);
  printer.version = version;
  describe(printer, const_cast<T&>(record));
  return std::move(printer.text);
}

template <class T> Result<T> parse_fields(std::string_view text, std::string_view format,
                                          const char* whose,
                                          ZeroBytes zero_bytes = ZeroBytes::refused,
                                          std::int64_t version = INT64_MAX) {
  T record;
  FieldParser parser(text, format, zero_bytes);
  parser.version = version;
  describe(parser, record);
  if (auto whole = parser.finish(whose); !whole) return whole.error();
  return record;
}

} // namespace almanac

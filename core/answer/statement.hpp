// One thing that is said: a code, and the details of its sentence.
#pragma once

#include "core/answer/code.hpp"
#include "core/base/ids.hpp"
#include "core/base/time.hpp"

#include <concepts>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace almanac {

struct Statement;

enum class DetailKind : std::uint16_t { text, number, duration, statement, instant };
template <> inline constexpr DetailKind last_of<DetailKind> = DetailKind::instant;

/// A value of a statement, by name. A statement may have others in it: why something is so.
struct Detail {
  std::string name;
  DetailKind kind = DetailKind::text;
  std::string text;
  std::int64_t number = 0; ///< also seconds of a duration, or since the epoch
  std::vector<Statement> inner;

  Detail() = default;
  Detail(const char* name, std::string text);
  Detail(const char* name, const char* text);
  Detail(const char* name, std::int64_t number);
  Detail(const char* name, Duration duration);
  Detail(const char* name, Instant at);
  Detail(const char* name, Statement statement);
  Detail(const char* name, std::vector<Statement> statements);
  template <IsId T> Detail(const char* name, T id);
  template <std::integral T> Detail(const char* name, T number);

  bool operator==(const Detail&) const;
};

struct Statement {
  AnswerCode code = AnswerCode::said;
  std::vector<Detail> details;
  bool trouble = false; ///< a refusal or a warning: for the stream of errors

  /// What a parser found wrong, which is put in words where it is found.
  static Statement said(std::string text);
  const Detail* find(std::string_view name) const;
  bool operator==(const Statement&) const = default;
};

// Here, since what makes a detail can also destroy it, and needs to know what a statement is.
template <IsId T> Detail::Detail(const char* name, T id) : Detail(name, id.value) {}
template <std::integral T> Detail::Detail(const char* name, T number)
    : Detail(name, static_cast<std::int64_t>(number)) {}

template <class V> void describe(V& visit, Detail& detail) {
  visit("name", detail.name);
  visit("kind", detail.kind);
  visit("text", detail.text);
  visit("number", detail.number);
  visit("inner", detail.inner);
}
template <class V> void describe(V& visit, Statement& statement) {
  visit("code", statement.code);
  visit("details", statement.details);
  visit("trouble", statement.trouble);
}

} // namespace almanac

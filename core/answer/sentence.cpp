#include "core/answer/sentence.hpp"

#include "core/base/last_second.hpp"
#include "core/text/values.hpp"

#include <chrono>
#include <cstdio>

namespace almanac {

namespace {

std::string in_utc(std::int64_t seconds) {
  if (seconds < 0 || seconds > last_second) return std::to_string(seconds);
  const std::chrono::sys_seconds at{std::chrono::seconds(seconds)};
  const auto midnight = std::chrono::floor<std::chrono::days>(at);
  const std::chrono::year_month_day date{midnight};
  const std::chrono::hh_mm_ss time{at - midnight};
  char text[64];
  std::snprintf(text, sizeof text, "%04d-%02u-%02u %02d:%02d:%02d UTC",
                static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                static_cast<unsigned>(date.day()), static_cast<int>(time.hours().count()),
                static_cast<int>(time.minutes().count()), static_cast<int>(time.seconds().count()));
  return text;
}

using Wording = std::function<std::string(const Statement&)>;

std::string printed(const Detail& detail, std::string_view between, const Wording& nested) {
  switch (detail.kind) {
  case DetailKind::text: return detail.text;
  case DetailKind::number: return std::to_string(detail.number);
  case DetailKind::duration: return print_duration(Duration{detail.number});
  case DetailKind::instant: return in_utc(detail.number);
  case DetailKind::statement: {
    std::string text;
    for (const auto& inner : detail.inner) {
      if (!text.empty()) text += between;
      text += nested(inner);
    }
    return text;
  }
  }
  return {};
}

// A sentence from its first character to the last, or to the end of brackets.
class Filling {
public:
  Filling(std::string_view sentence, const Statement& statement, const Wording& nested)
      : rest_(sentence), statement_(statement), nested_(nested) {}

  std::string run() {
    std::string text;
    bool any = false;
    fill(text, any);
    return text;
  }

private:
  void fill(std::string& text, bool& any) {
    while (!rest_.empty()) {
      const auto next = rest_.find_first_of("{[]");
      text += rest_.substr(0, next);
      if (next == std::string_view::npos) return;
      const char sign = rest_[next];
      rest_.remove_prefix(next + 1);
      if (sign == ']') return;
      if (sign == '{') add_detail(text, any);
      else add_brackets(text, any);
    }
  }
  void add_detail(std::string& text, bool& any) {
    const auto close = rest_.find('}');
    const auto field = rest_.substr(0, close);
    const auto colon = field.find(':');
    const auto between =
        colon == std::string_view::npos ? std::string_view("; ") : field.substr(colon + 1);
    if (const auto* detail = statement_.find(field.substr(0, colon))) {
      text += printed(*detail, between, nested_);
      any = true;
    }
    rest_.remove_prefix(close == std::string_view::npos ? rest_.size() : close + 1);
  }
  void add_brackets(std::string& text, bool& any) {
    std::string inner;
    bool has_detail = false;
    fill(inner, has_detail);
    if (has_detail) text += inner;
    any = any || has_detail;
  }

  std::string_view rest_;
  const Statement& statement_;
  const Wording& nested_;
};

} // namespace

std::string filled(std::string_view sentence, const Statement& statement,
                   const std::function<std::string(const Statement&)>& nested) {
  return Filling(sentence, statement, nested).run();
}

void say_times(std::vector<Statement>& statements,
               const std::function<std::string(Instant)>& print) {
  for (auto& statement : statements)
    for (auto& detail : statement.details) {
      if (detail.kind == DetailKind::instant)
        detail.kind = DetailKind::text, detail.text = print({detail.number});
      say_times(detail.inner, print);
    }
}

std::string bare(const Statement& statement,
                 const std::function<std::string(const Statement&)>& nested) {
  std::string text;
  for (const auto& detail : statement.details)
    text += (text.empty() ? "" : ", ") + detail.name + "=" + printed(detail, "; ", nested);
  return std::string(name_of(statement.code)) + (text.empty() ? "" : " (" + text + ")");
}

} // namespace almanac

#include "core/answer/sentence.hpp"

#include "core/text/values.hpp"

namespace almanac {

namespace {

std::string printed(const Detail& detail,
                    const std::function<std::string(const Statement&)>& nested) {
  switch (detail.kind) {
  case DetailKind::text: return detail.text;
  case DetailKind::number: return std::to_string(detail.number);
  case DetailKind::duration: return print_duration(Duration{detail.number});
  case DetailKind::statement: {
    std::string text;
    for (const auto& inner : detail.inner) text += (text.empty() ? "" : "; ") + nested(inner);
    return text;
  }
  }
  return {};
}

} // namespace

std::string filled(std::string_view sentence, const Statement& statement,
                   const std::function<std::string(const Statement&)>& nested) {
  std::string text;
  while (!sentence.empty()) {
    const auto open = sentence.find('{');
    text += sentence.substr(0, open);
    if (open == std::string_view::npos) break;
    const auto close = sentence.find('}', open);
    if (const auto* detail = statement.find(sentence.substr(open + 1, close - open - 1)))
      text += printed(*detail, nested);
    if (close == std::string_view::npos) break;
    sentence.remove_prefix(close + 1);
  }
  return text;
}

std::string bare(const Statement& statement,
                 const std::function<std::string(const Statement&)>& nested) {
  std::string text;
  for (const auto& detail : statement.details)
    text += (text.empty() ? "" : ", ") + detail.name + "=" + printed(detail, nested);
  return std::string(name_of(statement.code)) + (text.empty() ? "" : " (" + text + ")");
}

} // namespace almanac

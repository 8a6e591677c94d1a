#include "core/answer/statement.hpp"

#include <algorithm>

namespace almanac {

std::string_view name_of(AnswerCode code) {
  static constexpr std::string_view names[] = {
#define CODE(name) #name,
#include "core/answer/codes.def"
#undef CODE
  };
  const auto index = static_cast<std::size_t>(code);
  return index < known_answer_codes ? names[index] : "unknown";
}

Detail::Detail(const char* name, std::string text) : name(name), text(std::move(text)) {}
Detail::Detail(const char* name, const char* text) : name(name), text(text) {}
Detail::Detail(const char* name, std::int64_t number)
    : name(name), kind(DetailKind::number), number(number) {}
Detail::Detail(const char* name, Duration duration)
    : name(name), kind(DetailKind::duration), number(duration.seconds) {}
Detail::Detail(const char* name, Instant at)
    : name(name), kind(DetailKind::instant), number(at.seconds) {}
Detail::Detail(const char* name, Statement statement) : name(name), kind(DetailKind::statement) {
  inner.push_back(std::move(statement));
}
Detail::Detail(const char* name, std::vector<Statement> statements)
    : name(name), kind(DetailKind::statement), inner(std::move(statements)) {}
// By hand: clang 14 does not survive a default one, since a statement has details.
bool Detail::operator==(const Detail& other) const {
  return name == other.name && kind == other.kind && text == other.text && number == other.number &&
         inner == other.inner;
}

Statement Statement::said(std::string text) {
  return {AnswerCode::said, {{"text", std::move(text)}}};
}

const Detail* Statement::find(std::string_view name) const {
  const auto found = std::find_if(details.begin(), details.end(),
                                  [&](const Detail& detail) { return detail.name == name; });
  return found == details.end() ? nullptr : &*found;
}

} // namespace almanac

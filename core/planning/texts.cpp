#include "core/planning/texts.hpp"

#include "core/answer/gridengine.hpp"

namespace almanac {

std::string text_of(const Statement& statement) { return gridengine::text_of(statement); }

std::vector<std::string> texts_of(const std::vector<Statement>& statements) {
  std::vector<std::string> texts;
  for (const auto& statement : statements) texts.push_back(text_of(statement));
  return texts;
}

} // namespace almanac

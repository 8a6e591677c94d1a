#include "core/planning/stored_text.hpp"

#include "core/answer/gridengine.hpp"

namespace almanac {

std::string stored_text(const Statement& statement) { return gridengine::text_of(statement); }

std::vector<std::string> stored_texts(const std::vector<Statement>& statements) {
  std::vector<std::string> texts;
  for (const auto& statement : statements) texts.push_back(stored_text(statement));
  return texts;
}

} // namespace almanac

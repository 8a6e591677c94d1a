#include "core/request/named.hpp"

#include "core/text/pattern.hpp"
#include "core/text/ranges.hpp"
#include "core/text/values.hpp"

namespace almanac {

namespace {

// "12" of "12.1-5:2"; "" where no range of tasks follows.
std::string before_tasks(const std::string& word) {
  const auto dot = word.find('.');
  if (dot == std::string::npos || !parse_task_range(word.substr(dot + 1))) return "";
  return word.substr(0, dot);
}

bool fits(Named::Of of, const std::string& word, const std::string& name) {
  return of == Named::Of::jobs ? word == name || matches_expression(word, name)
                               : matches_pattern(word, name);
}

} // namespace

Named::Named(const std::vector<std::string>& words, char letter, Of of) : of_(of) {
  for (const auto& word : words) {
    const auto at = words_.size();
    words_.push_back({word});
    if (const auto number = parse_number(word)) {
      numbers_.emplace(*number, at);
      continue;
    }
    patterns_.push_back(at);
    if (letter != 0 && word.starts_with(letter)) note_number(word.substr(1), at);
    if (of == Of::jobs) note_number(before_tasks(word), at);
  }
}

void Named::note_number(const std::string& text, std::size_t at) {
  if (const auto number = parse_number(text)) numbers_.emplace(*number, at);
}

bool Named::takes(std::int64_t number, const std::string& name) {
  if (words_.empty()) return true;
  bool taken = false;
  const auto note = [&](std::size_t at) { words_[at].found = taken = true; };
  const auto [first, last] = numbers_.equal_range(number);
  for (auto it = first; it != last; ++it) note(it->second);
  if (name.empty()) return taken;
  for (const auto at : patterns_)
    if (fits(of_, words_[at].text, name)) note(at);
  return taken;
}

std::vector<std::string> Named::unknown() const {
  std::vector<std::string> texts;
  for (const auto& word : words_)
    if (!word.found) texts.push_back(word.text);
  return texts;
}

} // namespace almanac

#include "core/execution/host_words.hpp"

#include <vector>

namespace almanac {

namespace {

// The first word is called A.
struct WordList {
  std::vector<std::string*> words;
  void operator()(const char*, std::string& word) { words.push_back(&word); }
};

WordList list_of(HostWords& words) {
  WordList list;
  describe(list, words);
  return list;
}

} // namespace

HostWords marks() {
  HostWords words;
  char letter = 'A';
  for (auto* word : list_of(words).words) *word = {'\0', letter++};
  return words;
}

Outcome fill_in(std::string& text, HostWords words) {
  auto at = text.find('\0');
  if (at == std::string::npos) return Done{};
  const auto list = list_of(words).words;
  std::string filled = text.substr(0, at);
  while (at != std::string::npos) {
    const auto which =
        at + 1 < text.size() ? static_cast<std::size_t>(text[at + 1] - 'A') : list.size();
    if (which >= list.size()) return Error{"a text has a zero byte in it"};
    const auto next = text.find('\0', at + 1);
    filled += *list[which] + text.substr(at + 2, next == std::string::npos ? next : next - at - 2);
    at = next;
  }
  text = std::move(filled);
  return Done{};
}

} // namespace almanac

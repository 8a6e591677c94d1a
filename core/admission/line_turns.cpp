#include "core/admission/line_turns.hpp"

#include <algorithm>
#include <utility>

namespace almanac {

namespace {

constexpr std::size_t longest_word = 32;

std::string first_word(std::string_view line) {
  const auto begin = std::min(line.find_first_not_of(" \t"), line.size());
  line.remove_prefix(begin);
  auto word = std::string(line.substr(0, std::min(line.find_first_of(" \t;"), longest_word)));
  for (auto& c : word)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return word;
}

} // namespace

void LineTurns::add(std::string line) {
  bytes_ += line.size();
  auto word = first_word(line);
  entries_.push_back({State::waits, std::move(word), std::move(line)});
}

bool LineTurns::may_go(const Entry& entry) const {
  if (in_flight_ == 0) return true;
  return in_flight_ < limits_.ahead && entry.word == word_in_flight_ && entry.word != limits_.alone;
}

std::optional<LineTurns::Question> LineTurns::next() {
  if (next_ == entries_.size()) return std::nullopt;
  auto& entry = entries_[next_];
  if (!may_go(entry)) return std::nullopt;
  entry.state = State::is_asked;
  word_in_flight_ = entry.word;
  ++in_flight_;
  bytes_ -= entry.text.size();
  return Question{first_ + next_++, std::exchange(entry.text, {})};
}

void LineTurns::answered(std::uint64_t number, std::string text) {
  if (number < first_ || number - first_ >= next_) return;
  auto& entry = entries_[number - first_];
  if (entry.state != State::is_asked) return;
  entry.state = State::is_answered;
  bytes_ += text.size();
  entry.text = std::move(text);
  --in_flight_;
}

std::string LineTurns::take_ready() {
  std::string ready;
  for (; !entries_.empty() && entries_.front().state == State::is_answered; entries_.pop_front()) {
    ready += entries_.front().text;
    bytes_ -= entries_.front().text.size();
    ++first_, --next_;
  }
  return ready;
}

} // namespace almanac

#include "core/policy/classad/matcher.hpp"

#include <optional>
#include <string>
#include <tuple>
#include <utility>

namespace almanac {

namespace {

using Do = Matcher::Do;
using Step = Matcher::Step;
using Steps = Matcher::Steps;
using Set = Matcher::Bytes;

constexpr std::size_t most_steps = 2'000;
constexpr int deepest = 50, most_repeats = 200;

std::int32_t length(const Steps& steps) { return static_cast<std::int32_t>(steps.size()); }
void append(Steps& steps, const Steps& more) {
  steps.insert(steps.end(), more.begin(), more.end());
}

Set range(unsigned char from, unsigned char to) {
  Set set;
  for (unsigned c = from; c <= to; ++c) set.set(c);
  return set;
}

// Of \d \w \s and those in capital letters.
std::optional<Set> class_of(char letter) {
  switch (letter) {
  case 'd': return range('0', '9');
  case 'w': return range('a', 'z') | range('A', 'Z') | range('0', '9') | range('_', '_');
  case 's': return range('\t', '\r') | range(' ', ' ');
  case 'D': return ~*class_of('d');
  case 'W': return ~*class_of('w');
  case 'S': return ~*class_of('s');
  default: return {};
  }
}

Set with_both_cases(Set set) {
  for (unsigned c = 'a'; c <= 'z'; ++c) {
    const auto capital = c - 'a' + 'A';
    if (set[c] || set[capital]) set.set(c), set.set(capital);
  }
  return set;
}

// From text to steps, by recursive descent. After a failure nothing is left to read.
class Compiler {
public:
  Compiler(std::string_view text, TextCase text_case) : rest_(text), case_(text_case) {}

  Result<Steps> compile() {
    auto steps = alternatives();
    if (error_.empty() && !rest_.empty()) fail("a ) opens nowhere");
    if (!error_.empty()) return Error{error_};
    return steps;
  }
  std::vector<Set> sets;

private:
  void fail(const char* what) {
    if (error_.empty()) error_ = what;
    rest_ = {};
  }
  char next() const { return rest_.empty() ? '\0' : rest_.front(); }
  bool take(std::string_view text) {
    if (!rest_.starts_with(text)) return false;
    rest_.remove_prefix(text.size());
    return true;
  }
  char take_one() {
    const char c = rest_.front();
    rest_.remove_prefix(1);
    return c;
  }
  Steps bounded(Steps steps) {
    if (steps.size() <= most_steps) return steps;
    fail("the regular expression is too long");
    return {};
  }

  Steps alternatives() {
    if (++depth_ > deepest) fail("the regular expression is nested too deeply");
    auto steps = sequence();
    while (take("|")) {
      const auto other = sequence();
      Steps both{{Do::split, 1, length(steps) + 2}};
      append(both, steps);
      both.push_back({Do::jump, length(other) + 1});
      append(both, other);
      steps = bounded(std::move(both));
    }
    --depth_;
    return steps;
  }
  Steps sequence() {
    Steps steps;
    while (!rest_.empty() && next() != '|' && next() != ')') {
      append(steps, repeated(atom()));
      steps = bounded(std::move(steps));
    }
    return steps;
  }
  Steps repeated(Steps one) {
    for (int count = 0; !rest_.empty(); ++count) {
      int least = 0, most = -1;
      if (take("+")) least = 1;
      else if (take("?")) most = 1;
      else if (next() == '{') std::tie(least, most) = bounds();
      else if (!take("*")) break;
      take("?"); // the shortest match or the longest: it matches alike
      if (count >= deepest) fail("the regular expression is nested too deeply");
      one = times(one, least, most);
    }
    return one;
  }
  // {m}, {m,} and {m,n}; the second number is -1 where there is no end.
  std::pair<int, int> bounds() {
    take("{");
    const int least = number();
    int most = least;
    if (take(",")) most = next() == '}' ? -1 : number();
    if (!take("}") || least < 0 || (most >= 0 && most < least))
      fail("a {} in a regular expression is {m}, {m,} or {m,n}, up to 200");
    return {least, most};
  }
  int number() {
    int value = next() >= '0' && next() <= '9' ? 0 : -1;
    while (next() >= '0' && next() <= '9') {
      value = value * 10 + (take_one() - '0');
      if (value > most_repeats)
        fail("a {} in a regular expression is {m}, {m,} or {m,n}, up to 200");
    }
    return value;
  }
  Steps times(const Steps& one, int least, int most) {
    Steps steps;
    for (int i = 0; i < least; ++i) append(steps, one), steps = bounded(std::move(steps));
    if (most < 0) {
      steps.push_back({Do::split, 1, length(one) + 2});
      append(steps, one);
      steps.push_back({Do::jump, -(length(one) + 1)});
    }
    for (int i = least; i < most && error_.empty(); ++i) {
      steps.push_back({Do::split, 1, length(one) + 1});
      append(steps, one);
      steps = bounded(std::move(steps));
    }
    return bounded(std::move(steps));
  }

  Steps atom() {
    if (take("(?:") || take("(")) {
      if (next() == '?') fail("a regular expression has (?: ) and no other (?");
      auto steps = alternatives();
      if (!take(")")) fail("a ( is not closed");
      return steps;
    }
    if (take("^")) return {{Do::at_begin}};
    if (take("$")) return {{Do::at_end}};
    if (take(".")) return taking(~range('\n', '\n'));
    if (take("[")) return taking(bracket());
    if (next() == '*' || next() == '+' || next() == '?' || next() == '{')
      fail("there is nothing to repeat in the regular expression");
    return rest_.empty() ? Steps() : taking(one_character());
  }
  Steps taking(const Set& set) {
    sets.push_back(case_ == TextCase::ignored ? with_both_cases(set) : set);
    Step step{Do::take};
    step.bytes = static_cast<std::uint32_t>(sets.size() - 1);
    return {step};
  }
  // A byte, or what a backslash makes of a letter.
  Set one_character() {
    const char c = take_one();
    if (c != '\\') return range(static_cast<unsigned char>(c), static_cast<unsigned char>(c));
    if (rest_.empty()) return fail("a \\ ends the regular expression"), Set();
    const char letter = take_one();
    if (const auto set = class_of(letter)) return *set;
    const auto plain = letter == 'n' ? '\n' : letter == 't' ? '\t' : letter == 'r' ? '\r' : letter;
    const bool is_word = (*class_of('w'))[static_cast<unsigned char>(letter)];
    if (is_word && plain == letter)
      fail("a \\ in a regular expression is \\d, \\w, \\s, \\n, \\t, \\r or before a sign");
    return range(static_cast<unsigned char>(plain), static_cast<unsigned char>(plain));
  }
  Set bracket() {
    const bool negates = take("^");
    Set set;
    for (bool is_first = true; !rest_.empty() && (is_first || next() != ']'); is_first = false) {
      if (rest_.starts_with("[:")) fail("a regular expression has no named classes");
      if (rest_.empty()) break;
      const auto from = one_character();
      if (!rest_.starts_with("-") || rest_.starts_with("-]")) {
        set |= from;
        continue;
      }
      take("-");
      set |= rest_.empty() ? Set() : between(from, one_character());
    }
    if (!take("]")) fail("a [ is not closed");
    return negates ? ~set : set;
  }
  Set between(const Set& from, const Set& to) {
    const auto low = lowest(from), high = lowest(to);
    if (from.count() == 1 && to.count() == 1 && low <= high) return range(low, high);
    fail("a range in [] goes from a lower character to a higher one");
    return {};
  }
  static unsigned char lowest(const Set& set) {
    unsigned c = 0;
    while (c < 255 && !set[c]) ++c;
    return static_cast<unsigned char>(c);
  }

  std::string_view rest_;
  TextCase case_;
  int depth_ = 0;
  std::string error_;
};

// The steps that are reached before the next byte, each once.
class Threads {
public:
  Threads(const Steps& steps, std::size_t text_size)
      : steps_(steps), size_(text_size), seen_(steps.size() + 1, 0) {}

  /// Begins the set of a place in the text.
  void begin(std::size_t at) { at_ = at, ++round_, takes_.clear(); }
  void add(std::size_t first) {
    open_.push_back(first);
    while (!open_.empty()) {
      const auto place = open_.back();
      open_.pop_back();
      if (seen_[place] == round_) continue;
      seen_[place] = round_;
      follow(place);
    }
  }
  bool matched() const { return matched_; }
  const std::vector<std::size_t>& takes() const { return takes_; }

private:
  void follow(std::size_t place) {
    if (place == steps_.size()) {
      matched_ = true;
      return;
    }
    const auto& step = steps_[place];
    const auto after = [&](std::int32_t by) {
      open_.push_back(static_cast<std::size_t>(static_cast<std::int64_t>(place) + by));
    };
    switch (step.what) {
    case Do::take: takes_.push_back(place); break;
    case Do::split: after(step.or_to), after(step.to); break;
    case Do::jump: after(step.to); break;
    case Do::at_begin:
      if (at_ == 0) after(1);
      break;
    case Do::at_end:
      if (at_ == size_) after(1);
      break;
    }
  }

  const Steps& steps_;
  std::size_t size_, at_ = 0;
  std::vector<std::uint64_t> seen_; ///< in which round it was reached last
  std::uint64_t round_ = 0;
  std::vector<std::size_t> open_, takes_;
  bool matched_ = false;
};

} // namespace

Result<Matcher> Matcher::parse(std::string_view expression, TextCase text_case) {
  Compiler compiler(expression, text_case);
  auto steps = compiler.compile();
  if (!steps) return steps.error();
  Matcher matcher;
  matcher.steps_ = std::move(*steps);
  matcher.sets_ = std::move(compiler.sets);
  return matcher;
}

bool Matcher::matches(std::string_view text) const {
  Threads threads(steps_, text.size());
  std::vector<std::size_t> taken;
  for (std::size_t at = 0;; ++at) {
    threads.begin(at);
    for (const auto place : taken) threads.add(place);
    threads.add(0);
    if (threads.matched()) return true;
    if (at == text.size()) return false;
    taken.clear();
    for (const auto place : threads.takes())
      if (sets_[steps_[place].bytes][static_cast<unsigned char>(text[at])])
        taken.push_back(place + 1);
  }
}

} // namespace almanac

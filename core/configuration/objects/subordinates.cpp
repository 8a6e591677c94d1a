#include "core/configuration/objects/subordinates.hpp"

#include "core/text/numbers.hpp"
#include "core/text/words.hpp"

#include <algorithm>

namespace almanac {

namespace {

constexpr std::int64_t most = 9'999'999;

Result<std::int64_t> count_of(std::string_view text, std::int64_t least) {
  const auto number = parse_number(text);
  if (!number || *number < least || *number > most)
    return Error{"\"" + std::string(text) + "\" is not a number from " + std::to_string(least) +
                 " to " + std::to_string(most)};
  return *number;
}

// "queue" or "queue=n".
Result<Subordinate> parse_whole(std::string_view text) {
  Subordinate one;
  const auto equals = text.find('=');
  one.queue = text.substr(0, equals);
  if (equals == std::string_view::npos) return one;
  const auto count = count_of(text.substr(equals + 1), 1);
  if (!count) return count.error();
  one.used_slots = *count;
  return one;
}

// "queue", "queue:seq_no", "queue:action" or "queue:seq_no:action".
Result<Subordinate> parse_slotwise(std::string_view text) {
  Subordinate one;
  const auto parts = split(text, ':');
  one.queue = parts.empty() ? "" : parts.front();
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const auto& part = parts[i];
    if (i + 1 == parts.size() && (part == "sr" || part == "lr")) {
      one.longest_first = part == "lr";
    } else if (i == 1) {
      const auto seq_no = count_of(part, 0);
      if (!seq_no) return seq_no.error();
      one.seq_no = *seq_no;
    } else {
      return Error{"\"" + part + "\" is not sr or lr"};
    }
  }
  return one;
}

} // namespace

Result<Subordinates> Subordinates::parse(std::string_view text) {
  Subordinates list;
  auto inside = trim(text);
  if (equal_ignoring_case(inside, "NONE")) return list;
  if (inside.starts_with("slots=") && inside.find('(') != std::string_view::npos) {
    const auto open = inside.find('(');
    if (!inside.ends_with(')'))
      return Error{"\"" + std::string(text) + "\": slots=number(queues) ends with )"};
    const auto count = count_of(trim(inside.substr(6, open - 6)), 1);
    if (!count) return count.error();
    list.most_slots = *count;
    inside = inside.substr(open + 1, inside.size() - open - 2);
  }
  for (const auto& word : words(inside)) {
    auto one = list.is_slotwise() ? parse_slotwise(word) : parse_whole(word);
    if (!one) return one.error();
    if (auto valid = valid_object_name(one->queue); !valid) return valid.error();
    const auto is_same = [&](const Subordinate& known) { return known.queue == one->queue; };
    if (std::any_of(list.queues.begin(), list.queues.end(), is_same))
      return Error{"\"" + one->queue + "\" appears twice"};
    list.queues.push_back(std::move(*one));
  }
  if (list.queues.empty()) return Error{"\"" + std::string(text) + "\" names no queue"};
  return list;
}

} // namespace almanac

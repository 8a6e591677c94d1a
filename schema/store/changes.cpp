#include "schema/store/changes.hpp"

#include "core/text/numbers.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace almanac::store {

namespace {

using Of = EventKind::Of;

constexpr std::array kinds{std::pair{Of::object, 'o'},      std::pair{Of::job, 'j'},
                           std::pair{Of::reservation, 'r'}, std::pair{Of::host, 'h'},
                           std::pair{Of::instance, 'i'},    std::pair{Of::series, 's'}};
constexpr std::array verbs{std::pair{EventVerb::modified, '~'}, std::pair{EventVerb::added, '+'},
                           std::pair{EventVerb::removed, '-'}};

template <class Table, class T> char letter_of(const Table& table, T value) {
  return std::find_if(table.begin(), table.end(), [&](auto& row) { return row.first == value; })
      ->second;
}
template <class Table> auto find_letter(const Table& table, char letter) {
  const auto row =
      std::find_if(table.begin(), table.end(), [&](auto& one) { return one.second == letter; });
  return row == table.end() ? std::nullopt : std::optional(row->first);
}

bool has_number(EventKind kind) {
  return kind.of == Of::job || kind.of == Of::reservation || kind.of == Of::series;
}

// "77", "77/12/sleep".
bool read_numbers(std::string_view text, Event& event) {
  const auto first = text.find('/');
  const auto key = parse_number(text.substr(0, first));
  if (!key || *key == 0) return false;
  event.key = *key;
  if (first == std::string_view::npos) return event.verb != EventVerb::removed;
  text.remove_prefix(first + 1);
  const auto second = text.find('/');
  const auto number = parse_number(text.substr(0, second));
  if (!number || second == std::string_view::npos) return false;
  event.number = *number, event.name = text.substr(second + 1);
  return true;
}

std::optional<Event> read_event(std::string_view text) {
  if (text.size() < 2) return std::nullopt;
  const auto of = find_letter(kinds, text.front());
  if (!of) return std::nullopt;
  Event event{{*of, {}}, {}, 0, 0, {}};
  text.remove_prefix(1);
  if (*of == Of::object) {
    const int kind = text.front() - 'a';
    if (kind < 0 || kind > static_cast<int>(last_of<ObjectKind>)) return std::nullopt;
    event.kind.object = static_cast<ObjectKind>(kind);
    text.remove_prefix(1);
  }
  const auto verb = text.empty() ? std::nullopt : find_letter(verbs, text.front());
  if (!verb) return std::nullopt;
  event.verb = *verb;
  text.remove_prefix(1);
  if (has_number(event.kind))
    return read_numbers(text, event) ? std::optional(event) : std::nullopt;
  event.name = text;
  return event;
}

} // namespace

std::vector<ChangeRow> rows_of(Sequence sequence, const std::vector<Event>& events) {
  std::vector<ChangeRow> rows;
  rows.reserve(events.size());
  for (const auto& event : events)
    rows.push_back({sequence, static_cast<std::int64_t>(rows.size()), event});
  return rows;
}

std::vector<ChangeRow> merged(std::vector<ChangeRow> rows) {
  return almanac::merged(std::move(rows), [](ChangeRow& row) -> Event& { return row.event; });
}

std::string change_key(Sequence sequence, std::int64_t position) {
  return number_key(sequence.value) + number_key(position);
}

std::string key_behind(const ChangeCursor& cursor) {
  return change_key(cursor.sequence, cursor.position) + '\0';
}

Write write_of(const ChangeRow& row) {
  const auto& [kind, verb, key, number, name] = row.event;
  std::string value(1, letter_of(kinds, kind.of));
  if (kind.of == Of::object) value += static_cast<char>('a' + static_cast<int>(kind.object));
  value += letter_of(verbs, verb);
  value += has_number(kind) ? std::to_string(key) : name;
  if (has_number(kind) && verb == EventVerb::removed)
    value += "/" + std::to_string(number) + "/" + name;
  return {Family::changes, change_key(row.sequence, row.position), std::move(value)};
}

std::optional<ChangeRow> change_row(std::string_view key, std::string_view value) {
  if (key.size() != 16) return std::nullopt;
  auto event = read_event(value);
  if (!event) return std::nullopt;
  return ChangeRow{{key_number(key)}, key_number(key.substr(8)), std::move(*event)};
}

} // namespace almanac::store

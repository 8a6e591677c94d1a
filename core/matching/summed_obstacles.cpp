#include "core/matching/summed_obstacles.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <string>

namespace almanac {

namespace {

constexpr std::size_t most_alike = 4, told_of_more = 3;

bool is_place(const Detail& detail) { return detail.name == "queue" || detail.name == "host"; }

bool is_of_other_host(const Statement& statement) {
  const auto* resource = statement.find("resource");
  return statement.code == AnswerCode::offers_other_in_queue && resource &&
         resource->text == "hostname";
}

// Equal where two statements say the same of different places.
void write(std::string& key, const Statement& statement, bool is_outer) {
  key += std::to_string(static_cast<int>(statement.code)) + "\x1e";
  const bool any_value = is_outer && is_of_other_host(statement);
  for (const auto& detail : statement.details) {
    if (is_outer && (is_place(detail) || (any_value && detail.name == "value"))) continue;
    key += detail.name + "\x1f" + detail.text + "\x1f" + std::to_string(detail.number) + "\x1f";
    for (const auto& inner : detail.inner) write(key, inner, false);
  }
  key += "\x1d";
}

// Nothing where it names no place.
std::optional<std::string> kind_of(const Statement& statement) {
  if (std::none_of(statement.details.begin(), statement.details.end(), is_place))
    return std::nullopt;
  std::string key;
  write(key, statement, true);
  return key;
}

using Alike = std::vector<const Statement*>;

void add(const Alike& alike, std::vector<Statement>& list) {
  const auto& first = *alike.front();
  const bool is_summed = alike.size() > most_alike;
  if (is_summed && is_of_other_host(first)) {
    Statement sum{AnswerCode::not_on_requested_host, {{"count", alike.size()}}, first.trouble};
    if (const auto* request = first.find("request")) sum.details.push_back(*request);
    list.push_back(std::move(sum));
    return;
  }
  const auto told = is_summed ? told_of_more : alike.size();
  std::transform(alike.begin(), alike.begin() + static_cast<std::ptrdiff_t>(told),
                 std::back_inserter(list), [](const auto* statement) { return *statement; });
  if (!is_summed) return;
  const auto* queue = alike[told - 1]->find("queue");
  const auto* place = queue ? queue : alike[told - 1]->find("host");
  list.push_back({queue ? AnswerCode::same_of_more_queues : AnswerCode::same_of_more_hosts,
                  {{"more", alike.size() - told}, {"place", place->text}},
                  first.trouble});
}

} // namespace

std::vector<Statement> summed_up(const std::vector<Statement>& obstacles) {
  std::vector<Alike> all;
  std::map<std::string, std::size_t> known; // places in `all`
  for (const auto& statement : obstacles) {
    const auto kind = kind_of(statement);
    const auto place = kind ? known.try_emplace(*kind, all.size()).first->second : all.size();
    if (place == all.size()) all.emplace_back();
    all[place].push_back(&statement);
  }
  std::vector<Statement> list;
  for (const auto& alike : all) add(alike, list);
  return list;
}

std::vector<Statement> summed_up(const Obstacles& obstacles) {
  return obstacles.are_in_full() ? obstacles.list() : summed_up(obstacles.list());
}

} // namespace almanac

#include "core/configuration/objects/plus_params.hpp"

#include "core/text/values.hpp"
#include "core/text/words.hpp"

#include <string_view>
#include <utility>

namespace almanac {

namespace {

Outcome read_time(Duration& into, const std::string& value) {
  const auto read = parse_duration(value);
  if (!read || read->is_endless() || read->seconds < 1) return Error{"is not a time"};
  into = *read;
  return Done{};
}

Outcome read_on(bool& into, const std::string& value) {
  const auto on = value.empty() ? Result<bool>(true) : parse_switch(value);
  if (!on) return Error{"is not true or false"};
  into = *on;
  return Done{};
}

Outcome read_not_rerunnable(NotRerunnable& into, const std::string& value) {
  constexpr std::pair<std::string_view, NotRerunnable> words[]{{"requeue", NotRerunnable::requeue},
                                                               {"kill", NotRerunnable::kill},
                                                               {"refuse", NotRerunnable::refuse}};
  for (const auto& [word, meaning] : words)
    if (value == word) return into = meaning, Outcome(Done{});
  return Error{"is not requeue, kill or refuse"};
}

Outcome read_sort_mode(bool& into, const std::string& value) {
  if (value != "plus" && value != "default") return Error{"is not plus or default"};
  into = value == "plus";
  return Done{};
}

Outcome read_allowance(PlusSettings& into, const std::string& value) {
  const auto slash = value.find('/');
  const auto number = parse_number(value.substr(0, slash));
  const auto hours =
      slash == std::string::npos ? Result<std::int64_t>(0) : parse_number(value.substr(slash + 1));
  if (!number || !hours) return Error{"is not a number of reservations, or that and /node-hours"};
  into.meta_reservations = *number, into.meta_node_hours = *hours;
  return Done{};
}

} // namespace

std::optional<Outcome> read_plus_param(PlusSettings& settings, const std::string& name,
                                       const std::string& value) {
  if (name == "PLUS_HOLD_TIMEOUT") return read_time(settings.longest_hold, value);
  if (name == "PLUS_FILL") return read_on(settings.fills, value);
  if (name == "PLUS_NORERUN") return read_not_rerunnable(settings.not_rerunnable, value);
  if (name == "SORT_MODE") return read_sort_mode(settings.sorts, value);
  if (name == "PLUS_QUEUES") {
    settings.queues = value == "all" ? std::vector<std::string>() : words(value, "|");
    return Done{};
  }
  if (name == "GMETA_HORIZON") return read_time(settings.meta_horizon, value);
  if (name == "GMETA_USER_MAX") return read_allowance(settings, value);
  if (name == "GMETA_REQUIRE_KEY") return read_on(settings.meta_needs_key, value);
  if (name == "GMETA_PORT") {
    if (value.empty()) return Outcome(Error{"is not the name of a user"});
    settings.meta_port = value;
    return Done{};
  }
  return std::nullopt;
}

} // namespace almanac

#include "core/host/sensor_report.hpp"

#include "core/text/names.hpp"
#include "core/text/words.hpp"

#include <algorithm>

namespace almanac {

namespace {

constexpr std::size_t longest_line = 1024;

std::string_view without_domain(std::string_view host) { return host.substr(0, host.find('.')); }

bool is_sound(std::string_view text, std::size_t longest) {
  return !text.empty() && text.size() <= longest && is_utf8(text) &&
         std::none_of(text.begin(), text.end(), is_control);
}

} // namespace

bool SensorReport::take(std::string_view output) {
  bool ended = false;
  for (;;) {
    const auto end = output.find('\n');
    const auto piece = output.substr(0, end);
    if (line_.size() + piece.size() > longest_line) is_too_long_ = true;
    else line_ += piece;
    if (end == std::string_view::npos) return ended;
    if (is_too_long_) drop(line_);
    else ended = take_line(line_) || ended;
    line_.clear(), is_too_long_ = false;
    output.remove_prefix(end + 1);
  }
}

bool SensorReport::take_line(std::string_view line) {
  const auto trimmed = trim(line);
  if (trimmed == "begin" || trimmed == "start") {
    is_within_ = true, coming_.clear();
    return false;
  }
  if (trimmed == "end" && is_within_) {
    is_within_ = false;
    values_ = std::exchange(coming_, {});
    return true;
  }
  if (is_within_ && !trimmed.empty()) take_value(trimmed);
  else if (!trimmed.empty()) drop(trimmed);
  return false;
}

// The value may have colons, as a time has.
void SensorReport::take_value(std::string_view line) {
  const auto first = line.find(':');
  const auto second = first == std::string_view::npos ? first : line.find(':', first + 1);
  if (second == std::string_view::npos) return drop(line);
  const auto host = line.substr(0, first), name = line.substr(first + 1, second - first - 1),
             value = line.substr(second + 1);
  const bool is_of_cell = host == whole_cell;
  if ((!is_of_cell && !is_own(host)) || !is_sound(name, longest_load_name) ||
      !is_sound(value, longest_load_value))
    return drop(line);
  LoadValue said{std::string(name), std::string(value), is_of_cell ? whole_cell : ""};
  const auto same = std::find_if(coming_.begin(), coming_.end(), [&](const LoadValue& one) {
    return one.name == said.name && one.host == said.host;
  });
  if (same != coming_.end()) same->value = std::move(said.value);
  else if (coming_.size() < most_load_values) coming_.push_back(std::move(said));
  else drop(line);
}

void SensorReport::drop(std::string_view line) {
  if (dropped_++ == 0) first_dropped_ = excerpt(line);
}

bool SensorReport::is_own(std::string_view host) const {
  return host.empty() || equal_ignoring_case(host, host_) ||
         equal_ignoring_case(without_domain(host), without_domain(host_));
}

} // namespace almanac

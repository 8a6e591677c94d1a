#include "core/text/ranges.hpp"

#include "core/text/names.hpp"
#include "core/text/task_numbers.hpp"
#include "core/text/values.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <limits>

namespace almanac {

Result<std::vector<SlotRange>> parse_slot_ranges(std::string_view text) {
  std::vector<SlotRange> ranges;
  const auto bad = [&](const char* why) {
    return Error{"\"" + excerpt(text) + "\" is not a valid slot range: " + why};
  };
  for (const auto& part : split(text, ',')) {
    SlotRange range{1, most_slots};
    const auto dash = part.find('-');
    const auto low = part.substr(0, dash);
    const auto high = dash == std::string::npos ? low : part.substr(dash + 1);
    if (low.empty() && high.empty()) return bad("a number is missing");
    if (!low.empty()) {
      auto number = parse_number(low);
      if (!number) return bad("it contains no decimal number");
      range.low = *number;
    }
    if (!high.empty()) {
      auto number = parse_number(high);
      if (!number) return bad("it contains no decimal number");
      range.high = *number;
    }
    if (range.low < 1 || range.high < 1) return bad("pe range must be greater than zero");
    if (range.low > range.high) return bad("its low end is above its high end");
    if (range.high > most_slots) return bad("at most 9999999 slots can be requested");
    ranges.push_back(range);
  }
  if (ranges.empty()) return bad("it is empty");
  return ranges;
}

std::string print_slot_ranges(const std::vector<SlotRange>& ranges) {
  std::vector<std::string> parts;
  for (const auto& range : ranges) {
    if (range.low == range.high) parts.push_back(std::to_string(range.low));
    else if (range.high == most_slots) parts.push_back(std::to_string(range.low) + "-");
    else parts.push_back(std::to_string(range.low) + "-" + std::to_string(range.high));
  }
  return join(parts, ",");
}

bool contains(const std::vector<SlotRange>& ranges, std::int64_t slots) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [&](auto& r) { return r.low <= slots && slots <= r.high; });
}

std::int64_t lowest(const std::vector<SlotRange>& ranges) {
  std::int64_t result = most_slots;
  for (const auto& range : ranges) result = std::min(result, range.low);
  return result;
}

std::int64_t highest(const std::vector<SlotRange>& ranges) {
  std::int64_t result = 0;
  for (const auto& range : ranges) result = std::max(result, range.high);
  return result;
}

// The distance is taken without a sign, where it cannot overflow. The count ends at the
// highest number there is.
std::int64_t TaskRange::count() const {
  if (step < 1 || last < first) return 0;
  const auto distance = static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first);
  const auto steps = distance / static_cast<std::uint64_t>(step);
  constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  return static_cast<std::int64_t>(std::min(steps, most - 1) + 1);
}

bool TaskRange::contains(std::int64_t task) const {
  if (step < 1 || task < first || task > last) return false;
  const auto distance = static_cast<std::uint64_t>(task) - static_cast<std::uint64_t>(first);
  return distance % static_cast<std::uint64_t>(step) == 0;
}

Result<TaskRange> parse_task_range(std::string_view text) {
  const auto bad = [&](const char* why) {
    return Error{"\"" + excerpt(text) + "\" is not a valid task range: " + why};
  };
  TaskRange range;
  auto rest = text;
  if (const auto colon = rest.find(':'); colon != std::string_view::npos) {
    auto step = parse_number(rest.substr(colon + 1));
    if (!step || *step < 1) return bad("the step must be a number from 1");
    range.step = *step;
    rest = rest.substr(0, colon);
  }
  const auto dash = rest.find('-');
  auto first = parse_number(rest.substr(0, dash));
  auto last = dash == std::string_view::npos ? first : parse_number(rest.substr(dash + 1));
  if (!first || !last) return bad("n[-m[:s]] is expected");
  if (*first < 1) return bad("tasks are numbered from 1");
  if (*last < *first) return bad("the first task comes after the last");
  if (*last > most_slots) return bad("the highest task is 9999999");
  range.first = *first;
  range.last = *last;
  return range;
}

Result<std::vector<TaskRange>> parse_task_ranges(std::string_view text) {
  std::vector<TaskRange> ranges;
  for (const auto& part : split(text, ',')) {
    const auto range = parse_task_range(part);
    if (!range) return range.error();
    ranges.push_back(reached(*range));
  }
  if (ranges.empty()) return Error{"no task is named"};
  return ranges;
}

std::string print_tasks(const std::vector<std::int64_t>& tasks) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < tasks.size();) {
    std::size_t end = i + 1;
    const auto step = end < tasks.size() ? tasks[end] - tasks[i] : 1;
    while (end < tasks.size() && tasks[end] - tasks[end - 1] == step) ++end;
    if (end - i > 2) {
      parts.push_back(std::to_string(tasks[i]) + "-" + std::to_string(tasks[end - 1]) + ":" +
                      std::to_string(step));
      i = end;
    } else parts.push_back(std::to_string(tasks[i++]));
  }
  return join(parts, ",");
}

std::string print_tasks(const std::vector<TaskRange>& ranges) {
  std::vector<std::string> parts;
  for (const auto& range : ranges) {
    const auto count = range.count();
    const auto last = range.first + (count - 1) * range.step; // the one that the steps reach
    if (count > 0) parts.push_back(std::to_string(range.first));
    if (count == 2) parts.push_back(std::to_string(last));
    if (count > 2) parts.back() += "-" + std::to_string(last) + ":" + std::to_string(range.step);
  }
  return join(parts, ",");
}

} // namespace almanac

#include "core/configuration/objects/sort_keys.hpp"

#include "core/text/names.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <utility>

namespace almanac {

namespace {

// In the order of their enumerations.
constexpr std::array<std::string_view, 14> job_words{"JobPriority",
                                                     "SubmitTime",
                                                     "LeastCPURequested",
                                                     "MostCPURequested",
                                                     "LeastNodeRequested",
                                                     "MostNodeRequested",
                                                     "LeastTimeRequested",
                                                     "MostTimeRequested",
                                                     "QueuePriority",
                                                     "QueueRoundRobin",
                                                     "ByQueue",
                                                     "OwnersName",
                                                     "OwnersGroup",
                                                     "OwnersHost"};
constexpr std::array<std::string_view, 4> node_words{"NodeName", "LowestLoadAverage",
                                                     "LongestIdleTime", "LargestPhysicalMemory"};
// As an older manual has it (spec/plus.md P8.5).
constexpr std::string_view misspelled_memory = "LargestPhysicalPhisicalMemory";

template <class Words>
std::optional<std::size_t> place_in(const Words& words, std::string_view word) {
  const auto it = std::find_if(words.begin(), words.end(), [&](std::string_view known) {
    return equal_ignoring_case(known, word);
  });
  if (it == words.end()) return std::nullopt;
  return static_cast<std::size_t>(it - words.begin());
}

std::optional<JobSortKey> job_key(std::string_view word) {
  const auto place = place_in(job_words, word);
  return place ? std::optional(static_cast<JobSortKey>(*place)) : std::nullopt;
}

std::optional<NodeSortKey> node_key(std::string_view word) {
  if (equal_ignoring_case(word, misspelled_memory)) return NodeSortKey::largest_memory;
  const auto place = place_in(node_words, word);
  return place ? std::optional(static_cast<NodeSortKey>(*place)) : std::nullopt;
}

// Which list a key of owners needs.
std::optional<std::string_view> list_of(JobSortKey key) {
  switch (key) {
  case JobSortKey::owners_name: return "OwnersOrder";
  case JobSortKey::owners_group: return "GroupsOrder";
  case JobSortKey::owners_host: return "HostsOrder";
  default: return std::nullopt;
  }
}

std::string quoted(std::string_view word) { return "\"" + excerpt(word) + "\""; }

class Reader {
public:
  Outcome read(std::size_t number, std::string_view line) {
    line_ = number;
    if (!is_utf8(line)) return wrong("the text is not valid UTF-8");
    if (std::any_of(line.begin(), line.end(),
                    [](char c) { return is_control(c) && c != '\t' && c != '\r'; }))
      return wrong("the text holds a control character");
    const auto text = trim(line.substr(0, line.find('#')));
    if (text.empty()) return Done{};
    const auto colon = text.find(':');
    if (colon == std::string_view::npos) return wrong(quoted(text) + " has no colon");
    const auto key = trim(text.substr(0, colon));
    const auto place = place_in(line_words, key);
    if (!place) return wrong(quoted(key) + " is not a key of this file");
    if (!lines_.emplace(*place, number).second)
      return wrong(std::string(line_words[*place]) + " stands in two lines");
    auto values = split(text.substr(colon + 1), ',');
    for (auto& value : values) value = trim(value);
    if (values.empty() || std::find(values.begin(), values.end(), "") != values.end())
      return wrong(std::string(line_words[*place]) + " lacks a value");
    return take(*place, values);
  }

  Result<SortKeys> finish() {
    for (const auto key : keys_.jobs)
      if (const auto list = list_of(key); list && !lines_.contains(*place_in(line_words, *list))) {
        line_ = lines_.at(jobs_line);
        return wrong(std::string(name_of(key)) + " needs a line " + std::string(*list)).error();
      }
    return std::move(keys_);
  }

private:
  static constexpr std::array<std::string_view, 5> line_words{
      "NodeSortKey", "JobSortKey", "OwnersOrder", "GroupsOrder", "HostsOrder"};
  static constexpr std::size_t nodes_line = 0, jobs_line = 1, owners_line = 2, hosts_line = 4;

  Outcome wrong(const std::string& what) const {
    return Error{"line " + std::to_string(line_) + ": " + what};
  }

  Outcome take(std::size_t place, const std::vector<std::string>& values) {
    if (place == nodes_line) return take_keys(values, keys_.nodes, node_key, "NodeSortKey");
    if (place == jobs_line) {
      if (auto taken = take_keys(values, keys_.jobs, job_key, "JobSortKey"); !taken) return taken;
      if (std::count_if(keys_.jobs.begin(), keys_.jobs.end(), is_grouping) > 1)
        return wrong("QueueRoundRobin and ByQueue exclude each other");
      return Done{};
    }
    auto& list = place == owners_line  ? keys_.owners
                 : place == hosts_line ? keys_.hosts
                                       : keys_.groups;
    for (const auto& value : values) {
      auto name = value;
      if (place == hosts_line) {
        name = lower(value.starts_with('.') ? value.substr(1) : value);
        if (!valid_host_name(name)) return wrong(quoted(value) + " is not a host or a domain");
      }
      list.emplace(std::move(name), static_cast<std::int64_t>(list.size()));
    }
    return Done{};
  }

  template <class Key>
  Outcome take_keys(const std::vector<std::string>& values, std::vector<Key>& keys,
                    std::optional<Key> (*key_of_word)(std::string_view), std::string_view where) {
    keys.clear();
    for (const auto& value : values) {
      const auto key = key_of_word(value);
      if (!key) return wrong(quoted(value) + " is not a value of " + std::string(where));
      if (std::find(keys.begin(), keys.end(), *key) != keys.end())
        return wrong(std::string(name_of(*key)) + " stands there twice");
      keys.push_back(*key);
    }
    return Done{};
  }

  SortKeys keys_;
  std::map<std::size_t, std::size_t> lines_; ///< where each of line_words stands
  std::size_t line_ = 0;
};

} // namespace

std::string_view name_of(JobSortKey key) { return job_words[static_cast<std::size_t>(key)]; }
std::string_view name_of(NodeSortKey key) { return node_words[static_cast<std::size_t>(key)]; }

Result<SortKeys> parse_sort_keys(std::string_view text) {
  Reader reader;
  std::size_t number = 0;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    if (auto read = reader.read(++number, text.substr(0, end)); !read) return read.error();
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return reader.finish();
}

} // namespace almanac

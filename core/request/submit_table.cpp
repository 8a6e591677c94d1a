#include "core/request/submit_table.hpp"

#include "core/request/submit_rows.hpp"

#include <algorithm>

namespace almanac {

namespace {

// Those of later Grid Engines name what comes nearest.
const OptionRule not_built[]{
    {"-scope", 1, false, "it is of later Grid Engines; -masterq is for the first slot"},
    {"-display", 1, false, "nothing here opens a window; -v DISPLAY=... sets the variable"},
    {"-par", 1, false, "it is of later Grid Engines; -alloc has a rule without a PE"}};

template <class Wanted> std::vector<UsageLine> usage_of(const Wanted& wanted) {
  std::vector<UsageLine> lines;
  for (const auto& option : submit_table())
    if (!option.is_soft() && wanted(option))
      lines.push_back(
          {std::string(*option.name), std::string(*option.values), std::string(*option.help)});
  return lines;
}

} // namespace

const std::string* SubmitSite::variable(const std::string& name) const {
  for (const auto& entry : environment)
    if (entry.name == name) return &entry.value;
  return nullptr;
}

bool SubmitOptions::was_given(std::string_view row) const {
  return std::find(given.begin(), given.end(), row) != given.end();
}

std::span<const SubmitOption> submit_table() {
  static const auto all = [] {
    std::vector<SubmitOption> rows;
    for (const auto& part : {submit_rows::identity(), submit_rows::execution(),
                             submit_rows::structure(), submit_rows::command()})
      rows.insert(rows.end(), part.begin(), part.end());
    return rows;
  }();
  return all;
}
std::span<const OptionRule> submit_options_not_built() { return not_built; }

const SubmitOption* find_submit_option(std::string_view name) {
  const auto table = submit_table();
  const auto found =
      std::find_if(table.begin(), table.end(), [&](auto& row) { return *row.name == name; });
  return found == table.end() ? nullptr : &*found;
}

std::string class_key(const JobRequest& request) {
  std::string key;
  for (const auto& option : submit_table())
    if (*option.in_class == PartOfClass::yes) option.fields->write(key, request);
  return key;
}

std::vector<UsageLine> submit_usage() {
  return usage_of([](const SubmitOption&) { return true; });
}
std::vector<UsageLine> alter_usage() {
  return usage_of(
      [](const SubmitOption& option) { return option.alter->kind != Alteration::Kind::never; });
}

} // namespace almanac

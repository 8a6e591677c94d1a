#include "core/request/submit_table.hpp"

#include "core/request/submit_rows.hpp"

#include <algorithm>

namespace almanac {

namespace {

const OptionRule not_built[]{
    {"-display", 1, false, "nothing here opens a window; -v DISPLAY=... sets the variable"}};

template <class Wanted> std::vector<UsageLine> usage_of(const Wanted& wanted) {
  std::vector<UsageLine> lines;
  for (const auto& option : submit_table())
    if (!option.is_positional() && wanted(option))
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

const SubmitOption* find_submit_option(const std::string& name, const Position& position) {
  const bool depends = name == "-l" || name == "-q";
  if (!depends || (!position.soft && position.scope == Scope::global))
    return find_submit_option(name);
  if (position.scope == Scope::global) return find_submit_option("-soft " + name);
  if (position.soft) return nullptr;
  if (position.scope == Scope::slave) return find_submit_option("-scope slave " + name);
  return find_submit_option(name == "-q" ? "-masterq" : "-scope master " + name);
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

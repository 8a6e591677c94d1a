#include "core/host/operating_system.hpp"

#include "core/text/words.hpp"

#include <algorithm>
#include <utility>

namespace almanac {

namespace {

// First parts of architectures, and their systems.
constexpr std::pair<std::string_view, std::string_view> known[]{
    {"lx", "linux"},   {"ulx", "linux"},     {"sol", "solaris"}, {"darwin", "darwin"},
    {"aix", "aix"},    {"fbsd", "freebsd"},  {"nbsd", "netbsd"}, {"obsd", "openbsd"},
    {"hp11", "hp-ux"}, {"win32", "windows"}, {"win", "windows"}};

std::string_view first_part(std::string_view architecture) {
  return architecture.substr(0, architecture.find('-'));
}

} // namespace

std::string operating_system_of(std::string_view architecture) {
  const auto part = first_part(architecture);
  for (const auto& [name, system] : known)
    if (equal_ignoring_case(part, name)) return std::string(system);
  std::string small(part);
  std::transform(small.begin(), small.end(), small.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return small;
}

bool is_operating_system(std::string_view architecture, std::string_view wanted) {
  if (architecture.empty()) return false;
  return equal_ignoring_case(architecture, wanted) ||
         equal_ignoring_case(first_part(architecture), wanted) ||
         equal_ignoring_case(operating_system_of(architecture), wanted);
}

std::string architectures_of(std::string_view system) {
  std::string all;
  const auto add = [&all](std::string_view part) {
    all += (all.empty() ? "" : "|") + std::string(part) + "|" + std::string(part) + "-*";
  };
  add(system);
  for (const auto& [part, name] : known)
    if (equal_ignoring_case(name, system) && part != system) add(part);
  return all;
}

} // namespace almanac

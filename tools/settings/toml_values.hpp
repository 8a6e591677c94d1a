// Values of the TOML files that programs with settings of their own read, and what is wrong with them.
#pragma once

#include "core/base/result.hpp"
#include "core/text/names.hpp"
#include "core/text/values.hpp"

#include <toml++/toml.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>

namespace almanac {

/// Thrown while a file is read, and caught where this was begun: who reads one setting has no other
/// way out of the readers around it.
struct TomlProblem {
  toml::source_region where;
  std::string what;
};

[[noreturn]] inline void refuse(const toml::node& node, const std::string& what) {
  throw TomlProblem{node.source(), what};
}

/// Also an empty one.
inline std::string text_of(const toml::node& node) {
  if (!node.is_string()) refuse(node, "a text in quotes is expected");
  const auto& text = node.as_string()->get();
  if (!is_utf8(text) || std::any_of(text.begin(), text.end(), is_control))
    refuse(node, "the text holds characters that cannot be printed");
  return text;
}

inline std::int64_t number_of(const toml::node& node, std::int64_t least, std::int64_t most) {
  const auto number = node.is_integer() ? node.as_integer()->get() : least - 1;
  if (number < least || number > most)
    refuse(node, "a number from " + std::to_string(least) + " to " + std::to_string(most) +
                     " is expected");
  return number;
}

/// The name of a file, absolute; one that does not begin with a slash is in `folder`.
inline std::string file_of(const toml::node& node, const std::string& folder) {
  const auto name = text_of(node);
  if (name.empty()) refuse(node, "the name of a file is expected");
  return (std::filesystem::path(folder) / name).lexically_normal().string();
}

inline std::string host_of(const toml::node& node) {
  auto host = text_of(node);
  if (!is_host_or_address(host)) refuse(node, "an address or the name of a host is expected");
  return host;
}

inline Error at_line(const toml::source_region& where, const std::string& what) {
  return {"line " + std::to_string(where.begin.line) + ": " + what};
}

} // namespace almanac

#include "core/configuration/objects/user_limit.hpp"

#include "core/text/names.hpp"
#include "core/text/numbers.hpp"
#include "core/text/words.hpp"

#include <algorithm>

namespace almanac {

namespace {

Result<std::optional<std::int64_t>> most_of(std::string_view text, std::int64_t highest) {
  if (equal_ignoring_case(text, "INFINITY")) return std::optional<std::int64_t>();
  const auto number = parse_number(text);
  if (!number || *number > highest)
    return Error{"\"" + excerpt(text) + "\" is neither INFINITY nor a number up to " +
                 std::to_string(highest)};
  return std::optional(*number);
}

Result<UserLimit::Exception> exception_of(std::string_view text, std::int64_t highest) {
  const auto equals = text.find('=');
  const bool is_one = text.starts_with('[') && text.ends_with(']') && equals != text.npos;
  if (!is_one)
    return Error{"\"" + excerpt(text) + "\" is neither [user=number] nor [@userset=number]"};
  const auto of = trim(text.substr(1, equals - 1));
  const auto name = of.starts_with('@') ? of.substr(1) : of;
  if (auto valid = valid_object_name(name); !valid) return valid.error();
  const auto most = most_of(trim(text.substr(equals + 1, text.size() - equals - 2)), highest);
  if (!most) return most.error();
  return UserLimit::Exception{std::string(of), *most};
}

} // namespace

Result<UserLimit> UserLimit::parse(std::string_view text, std::int64_t highest) {
  UserLimit limit;
  const auto parts = split(text, ',');
  const auto most = most_of(parts.empty() ? "" : trim(parts.front()), highest);
  if (!most) return most.error();
  limit.most = *most;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    auto exception = exception_of(trim(parts[i]), highest);
    if (!exception) return exception.error();
    const auto is_same = [&](const Exception& other) { return other.of == exception->of; };
    if (std::any_of(limit.exceptions.begin(), limit.exceptions.end(), is_same))
      return Error{"\"" + excerpt(exception->of) + "\" is named twice"};
    limit.exceptions.push_back(std::move(*exception));
  }
  return limit;
}

std::vector<std::string> UserLimit::lists() const {
  std::vector<std::string> names;
  for (const auto& exception : exceptions)
    if (exception.of.starts_with('@')) names.push_back(exception.of.substr(1));
  return names;
}

} // namespace almanac

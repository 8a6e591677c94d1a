#include "core/configuration/objects/squash.hpp"

#include "core/configuration/objects/lists.hpp"
#include "core/text/values.hpp"
#include "core/text/words.hpp"

#include <algorithm>

namespace almanac {

namespace {

constexpr std::int64_t highest_uid = 4'294'967'295;

Result<std::int64_t> parse_uid(const std::string& text) {
  auto uid = parse_number(text);
  if (!uid || *uid > highest_uid) return Error{"\"" + text + "\" is not a uid"};
  return *uid;
}

} // namespace

Result<Squash> Squash::parse(const std::string& text) {
  Squash squash;
  for (const auto& word : parse_name_list(text)) {
    if (equal_ignoring_case(word, "all")) {
      squash.uids_.emplace_back(0, highest_uid);
      continue;
    }
    const auto dash = word.find('-');
    auto first = parse_uid(word.substr(0, dash));
    if (!first) return first.error();
    auto last = dash == std::string::npos ? first : parse_uid(word.substr(dash + 1));
    if (!last) return last.error();
    if (*last < *first) return Error{"the range of uids \"" + word + "\" ends before it begins"};
    squash.uids_.emplace_back(*first, *last);
  }
  return squash;
}

bool Squash::includes(std::int64_t uid) const {
  return std::any_of(uids_.begin(), uids_.end(), [uid](const auto& range) {
    return uid >= range.first && uid <= range.second;
  });
}

} // namespace almanac

#include "tools/simulator/world/expectation.hpp"

#include "core/text/words.hpp"

#include <algorithm>

namespace almanac {

namespace {

// Only '*' is special: brackets and question marks are common in output.
bool fits(std::string_view pattern, std::string_view text) {
  const auto star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == text;
  if (!text.starts_with(pattern.substr(0, star))) return false;
  const auto rest = pattern.substr(star + 1);
  for (auto at = star; at <= text.size(); ++at)
    if (fits(rest, text.substr(at))) return true;
  return false;
}

bool all_fit_from(const std::vector<std::string>& expected, const std::vector<std::string>& lines,
                  std::size_t i, std::size_t j) {
  for (; i < expected.size(); ++i, ++j) {
    if (expected[i] == "...") {
      for (auto next = j; next <= lines.size(); ++next)
        if (all_fit_from(expected, lines, i + 1, next)) return true;
      return false;
    }
    if (j >= lines.size() || !fits(expected[i], trim(lines[j]))) return false;
  }
  return j == lines.size();
}

} // namespace

bool all_fit(const std::vector<std::string>& expected, const std::vector<std::string>& lines) {
  return all_fit_from(expected, lines, 0, 0);
}

Result<std::vector<std::string>> rewritten(const std::vector<std::string>& expected,
                                           const std::vector<std::string>& lines) {
  const auto most = std::min(expected.size(), lines.size());
  std::size_t before = 0, after = 0;
  while (before < most && fits(expected[before], trim(lines[before]))) ++before;
  while (before + after < most &&
         fits(expected[expected.size() - 1 - after], trim(lines[lines.size() - 1 - after])))
    ++after;
  const auto end_of_old = expected.end() - static_cast<std::ptrdiff_t>(after);
  const auto begin_of_old = expected.begin() + static_cast<std::ptrdiff_t>(before);
  if (std::find(begin_of_old, end_of_old, "...") != end_of_old)
    return Error{"\"...\" stands between lines that do not fit: write them by hand"};
  std::vector<std::string> result(expected.begin(), begin_of_old);
  for (auto i = before; i + after < lines.size(); ++i) result.emplace_back(trim(lines[i]));
  result.insert(result.end(), end_of_old, expected.end());
  if (result.empty()) result.emplace_back("(nothing)");
  return result;
}

} // namespace almanac

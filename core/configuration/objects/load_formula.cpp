#include "core/configuration/objects/load_formula.hpp"

#include "core/text/names.hpp"
#include "core/text/values.hpp"
#include "core/text/words.hpp"

namespace almanac {

namespace {

Result<LoadTerm> parse_term(std::string_view text, std::int64_t sign) {
  const auto wrong = [&](const char* why) {
    return Error{"\"" + std::string(text) + "\": " + why};
  };
  LoadTerm term;
  const auto star = text.find('*');
  auto head = text.substr(0, star);
  const bool is_number =
      !head.empty() && (head.front() == '.' || (head.front() >= '0' && head.front() <= '9'));
  if (is_number && star != std::string_view::npos)
    return wrong("a factor is written behind the name");
  const auto number = is_number                        ? head
                      : star == std::string_view::npos ? "1"
                                                       : text.substr(star + 1);
  auto factor = parse_millionths(number);
  if (!factor) return wrong("it is not a number");
  term.factor = sign * *factor;
  if (is_number) return term;
  if (head.starts_with('$')) head.remove_prefix(1);
  if (auto valid = valid_name_unlike_number(head); !valid) return valid.error();
  term.name = head;
  return term;
}

} // namespace

Result<std::vector<LoadTerm>> parse_load_formula(std::string_view text) {
  std::vector<LoadTerm> terms;
  if (equal_ignoring_case(text, "none")) return Error{"\"none\" is not a load formula"};
  if (text.find_first_of(" \t") != std::string_view::npos)
    return Error{"\"" + std::string(text) + "\" holds blanks"};
  const bool signed_first = text.starts_with('-') || text.starts_with('+');
  std::int64_t sign = text.starts_with('-') ? -1 : 1;
  for (std::size_t from = signed_first ? 1 : 0; from <= text.size();) {
    const auto to = std::min(text.find_first_of("+-", from), text.size());
    auto term = parse_term(text.substr(from, to - from), sign);
    if (!term) return term.error();
    terms.push_back(std::move(*term));
    sign = to < text.size() && text[to] == '-' ? -1 : 1;
    from = to + 1;
  }
  return terms;
}

} // namespace almanac

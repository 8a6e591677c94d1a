#include "core/coallocation/site_answer.hpp"

#include "core/text/names.hpp"
#include "core/text/numbers.hpp"
#include "core/text/token_list.hpp"

#include <utility>

namespace almanac {

const std::string* find_token(const std::vector<Attribute>& tokens, std::string_view name) {
  for (const auto& token : tokens)
    if (token.name == name) return &token.value;
  return nullptr;
}

std::string SiteAnswer::reason() const {
  const auto* const message = find("MSG");
  return (message ? excerpt(*message, 200) + " " : std::string()) +
         "(SC=" + std::to_string(status) + ")";
}

Result<std::optional<SiteAnswer>> AnswerReader::take(std::string_view line) {
  if (line.size() > longest_answer_line) return Error{"a line of the answer is too long"};
  auto tokens = parse_token_list(line);
  if (!tokens) return tokens.error();
  const bool has_status = !tokens->empty() && tokens->front().name == "SC";
  if (missing_ < 0) {
    if (!has_status) return Error{"the answer \"" + excerpt(line) + "\" does not begin with SC="};
    const auto status = parse_signed(tokens->front().value);
    if (!status || *status > 0 || *status < -9999)
      return Error{"the answer \"" + excerpt(line) + "\" has no status code"};
    tokens->erase(tokens->begin());
    answer_ = {*status, *std::move(tokens), {}};
    const auto* const count = answer_.find("COUNT");
    const auto lines = count ? parse_number(*count) : Result<std::int64_t>(0);
    if (!lines || *lines > most_answer_lines)
      return Error{"the answer \"" + excerpt(line) + "\" announces too many lines"};
    missing_ = *lines;
  } else {
    if (has_status) tokens->erase(tokens->begin());
    answer_.others.push_back(*std::move(tokens));
    --missing_;
  }
  if (missing_ > 0) return std::optional<SiteAnswer>();
  missing_ = -1;
  return std::optional(std::exchange(answer_, {}));
}

} // namespace almanac

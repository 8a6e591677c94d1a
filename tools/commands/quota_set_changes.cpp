#include "tools/commands/quota_set_changes.hpp"

#include "core/configuration/objects/quota_file.hpp"
#include "core/text/numbers.hpp"
#include "core/text/values.hpp"
#include "tools/commands/qconf_change.hpp"

#include <algorithm>
#include <ostream>

namespace almanac {

namespace {

using Changes = std::vector<ConfigurationChange>;

// With room for what the door's message has beside the texts.
constexpr std::size_t most_of_a_request = door::largest_request / 4 * 3;

std::size_t size_of(const ConfigurationChange& change) {
  constexpr std::size_t beside_texts = 64;
  std::size_t size = 4 * beside_texts + change.object.name.size();
  for (const auto& attribute : change.object.attributes)
    size += beside_texts + attribute.name.size() + attribute.value.size();
  return size;
}

std::vector<Changes> parts_of(Changes changes) {
  std::vector<Changes> parts(1);
  std::size_t size = 0;
  for (auto& change : changes) {
    const auto more = size_of(change);
    if (size + more > most_of_a_request && !parts.back().empty()) parts.emplace_back(), size = 0;
    size += more;
    parts.back().push_back(std::move(change));
  }
  return parts;
}

// "rule A/2: ..." of what the master says, with its line in front.
class RuleLines {
public:
  explicit RuleLines(const WrittenSets& written)
      : path_(written.path), lines_(quota_rule_lines(written.text)) {}

  void name_in(Answer& answer) const {
    if (path_.empty()) return;
    for (auto& statement : answer.statements)
      for (auto& detail : statement.details)
        if (const auto line = line_of(detail.text); line > 0)
          detail.text = path_ + ": line " + std::to_string(line) + ": " + detail.text;
  }

private:
  // 0: it is not about a rule that was written there.
  std::size_t line_of(std::string_view text) const {
    constexpr std::string_view word = "rule ";
    if (!text.starts_with(word)) return 0;
    const auto place = text.substr(word.size(), text.find(": ") - word.size());
    const auto slash = std::min(place.rfind('/'), place.size());
    const auto set = lines_.find(std::string(place.substr(0, slash)));
    const auto number = parse_number(place.substr(std::min(slash + 1, place.size())));
    if (set == lines_.end() || !number || *number < 1) return 0;
    const auto at = static_cast<std::size_t>(*number - 1);
    return at < set->second.size() ? set->second[at] : 0;
  }

  std::string path_;
  std::map<std::string, std::vector<std::size_t>> lines_;
};

// What it would be refused for is printed.
int try_change(Context& context, const Changes& changes, const RuleLines& lines) {
  int code = 0;
  const int asked = ask<Answer>(context, door::AskConfigure{ConfigureAll{changes}}, [&](Answer& a) {
    if (a.exit_code == 0) return;
    lines.name_in(a);
    code = print_answer(context, a);
  });
  return asked != 0 ? asked : code;
}

} // namespace

int change_quota_sets(Context& context, Changes changes, const WrittenSets& written) {
  const RuleLines lines(written);
  const auto parts = parts_of(std::move(changes));
  if (parts.size() > 1 && !context.only_tries)
    for (const auto& part : parts)
      if (const int refused = try_change(context, part, lines); refused != 0) return refused;
  int code = 0;
  for (std::size_t at = 0; at < parts.size(); ++at) {
    const int done = change_configuration(context, ConfigureAll{parts[at]},
                                          [&](Answer& answer) { lines.name_in(answer); });
    code = std::max(code, done);
    if (done == 0 || context.only_tries) continue;
    if (at > 0)
      complain(context, "only the changes above were made, from \"" +
                            parts[at].front().object.name +
                            "\" on nothing: the configuration has changed meanwhile");
    break;
  }
  return code;
}

} // namespace almanac

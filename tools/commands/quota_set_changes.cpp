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

// Of a request, with room for what the door's message has beside the texts.
constexpr std::size_t most_at_once = door::largest_request / 4 * 3;

std::size_t size_of(const ConfigurationChange& change) {
  constexpr std::size_t beside_texts = 64;
  std::size_t size = 4 * beside_texts + change.object.name.size();
  for (const auto& attribute : change.object.attributes)
    size += beside_texts + attribute.name.size() + attribute.value.size();
  return size;
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

} // namespace

int change_quota_sets(Context& context, const Changes& changes, const WrittenSets& written) {
  std::size_t size = 0;
  for (const auto& change : changes) size += size_of(change);
  if (size > most_at_once)
    return complain(context, "the changed resource quota sets take " + std::to_string(size) +
                                 " bytes, and at most " + std::to_string(most_at_once) +
                                 " can be changed at once: nothing was changed");
  const RuleLines lines(written);
  return change_configuration(context, ConfigureAll{changes},
                              [&](Answer& answer) { lines.name_in(answer); });
}

} // namespace almanac

#include "core/request/options.hpp"

#include "core/text/table.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <cctype>
#include <tuple>

namespace almanac {

namespace {

constexpr std::size_t usage_width = 100, help_column = 29;

// Behind what stands there already, in lines that begin at the column.
std::string wrapped(std::string before, const std::string& help) {
  auto text = left(before, help_column);
  std::size_t length = text.size();
  if (before.size() >= help_column) text += " ", ++length;
  bool begins = true;
  for (const auto& word : words(help, " ")) {
    if (!begins && length + 1 + word.size() > usage_width) {
      text += "\n" + std::string(help_column, ' ');
      length = help_column, begins = true;
    }
    if (!begins) text += " ", ++length;
    text += word, length += word.size(), begins = false;
  }
  return text + "\n";
}

auto find_rule(const std::vector<OptionRule>& rules, const std::string& word) {
  return std::find_if(rules.begin(), rules.end(), [&](auto& rule) { return rule.name == word; });
}

bool is_option(const std::vector<OptionRule>& rules, const std::string& word) {
  return word.starts_with('-') && find_rule(rules, word) != rules.end();
}

// One of no command may be a slip, too; -5 is a number, "-f root" a word that was put into quotes.
bool looks_like_option(const std::string& word) {
  if (word == "--") return true;
  return word.size() > 1 && word.front() == '-' &&
         std::isalpha(static_cast<unsigned char>(word[1])) != 0 &&
         word.find_first_of(" \t\n") == std::string::npos;
}

// Why the next word is none of the option's values; "" if it may be one.
std::string why_no_value(const std::vector<OptionRule>& rules, const std::string& word) {
  if (is_option(rules, word)) return ", and " + word + " is an option";
  return looks_like_option(word) ? ", and " + word + " looks like an option" : "";
}

bool may_come_before(const OptionRule& rule, const std::string& word) {
  return std::find(rule.before.begin(), rule.before.end(), word) != rule.before.end();
}

} // namespace

Error GivenOption::wrong(const std::string& why) const {
  return {"option " + name + " " + join(values, " ") + ": " + why};
}

bool GivenOptions::has(const std::string& name) const {
  return last(name) != nullptr ||
         std::any_of(options.begin(), options.end(), [&](auto& o) { return o.name == name; });
}

const std::string* GivenOptions::last(const std::string& name) const {
  for (auto it = options.rbegin(); it != options.rend(); ++it)
    if (it->name == name && !it->values.empty()) return &it->values.back();
  return nullptr;
}

Result<GivenOptions> parse_options(const std::vector<std::string>& arguments,
                                   const std::vector<OptionRule>& rules, Operands operands) {
  GivenOptions given;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const auto& word = arguments[i];
    if (word.size() < 2 || word.front() != '-') {
      given.operands.push_back(word);
      if (operands == Operands::end_options) {
        given.operands.insert(given.operands.end(),
                              arguments.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                              arguments.end());
        break;
      }
      continue;
    }
    if (word == "--") {
      given.dashes = given.operands.size();
      given.operands.insert(given.operands.end(),
                            arguments.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                            arguments.end());
      break;
    }
    const auto rule = find_rule(rules, word);
    if (rule == rules.end()) return Error{"invalid option argument \"" + word + "\""};
    if (!rule->built)
      return Error{"option " + word + " is not built yet" +
                   (rule->why.empty() ? "" : ": " + rule->why)};
    GivenOption option{word, {}};
    if (i + 1 < arguments.size() && may_come_before(*rule, arguments[i + 1]))
      option.values.push_back(arguments[++i]);
    const bool last_may_be_missing = rule->values < 0;
    const int needed = last_may_be_missing ? -rule->values - 1 : rule->values;
    for (int n = 0; n < needed; ++n) {
      // A forgotten value would make the next option one, and what follows that a command.
      const bool is_there = i + 1 < arguments.size();
      const auto why = is_there ? why_no_value(rules, arguments[i + 1]) : "";
      if (!is_there || !why.empty())
        return Error{"option " + word + " needs " + std::to_string(needed) +
                     (needed == 1 ? " value" : " values") + why};
      option.values.push_back(arguments[++i]);
    }
    if (last_may_be_missing && i + 1 < arguments.size() &&
        !(arguments[i + 1].size() > 1 && arguments[i + 1].front() == '-'))
      option.values.push_back(arguments[++i]);
    given.options.push_back(std::move(option));
  }
  return given;
}

int count_values(std::string_view values) {
  const auto all = words(std::string(values), " ");
  const auto count = static_cast<int>(all.size() - (words_before(values).empty() ? 0 : 1));
  return count > 0 && all.back().starts_with('[') ? -count : count;
}

std::vector<std::string> words_before(std::string_view values) {
  const auto all = words(values, " ");
  if (all.size() < 2 || !all.front().starts_with('[')) return {};
  return words(all.front(), "[|]");
}

std::string print_usage(std::vector<UsageLine> lines) {
  const auto rank = [](const UsageLine& line) {
    return std::make_tuple(line.name == "-help", lower(line.name));
  };
  std::sort(lines.begin(), lines.end(), [&](const UsageLine& a, const UsageLine& b) {
    return std::make_tuple(rank(a), b.name) < std::make_tuple(rank(b), a.name);
  });
  std::string text;
  for (const auto& [name, values, help] : lines)
    text += wrapped("   " + name + (values.empty() ? "" : " " + values), help);
  return text;
}

} // namespace almanac

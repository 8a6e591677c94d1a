#include "tools/commands/default_options.hpp"

#include "core/text/names.hpp"
#include "core/text/words.hpp"
#include "tools/client/client.hpp"
#include "tools/commands/small_file.hpp"

#include <algorithm>
#include <cstdlib>

namespace almanac {

namespace {

struct Word {
  std::string text;
  std::size_t line;
};

Error at_line(const std::string& path, std::size_t line, const std::string& why) {
  return {path + ":" + std::to_string(line) + ": " + why};
}

bool is_text(std::string_view line) {
  return is_utf8(line) && std::none_of(line.begin(), line.end(), [](char c) {
           return is_control(c) && c != '\t' && c != '\r';
         });
}

Result<std::vector<Word>> words_of(const std::string& path, std::string_view content) {
  std::vector<Word> words;
  for (std::size_t number = 1; !content.empty(); ++number) {
    const auto end = std::min(content.find('\n'), content.size());
    const auto line = content.substr(0, end);
    content.remove_prefix(std::min(end + 1, content.size()));
    if (!is_text(line)) return at_line(path, number, "this is no text");
    auto trimmed = trim(line);
    if (trimmed.starts_with('#')) continue;
    // An option may go on in the next line anyway (spec/cli.md C2.25).
    if (trimmed.ends_with('\\')) trimmed.remove_suffix(1);
    auto found = shell_words(trimmed);
    if (!found) return at_line(path, number, found.what());
    for (auto& word : *found) words.push_back({std::move(word), number});
  }
  return words;
}

// How many words belong to the option at `at`, with its name, if they are there.
std::size_t length_of_option(const std::vector<Word>& words, std::size_t at,
                             const std::vector<OptionRule>& rules) {
  const auto rule = std::find_if(rules.begin(), rules.end(),
                                 [&](const OptionRule& r) { return r.name == words[at].text; });
  if (rule == rules.end()) return 1;
  auto length = 1 + static_cast<std::size_t>(std::abs(rule->values));
  length = std::min(length, words.size() - at);
  const bool last_is_next_option = rule->values < 0 &&
                                   length == 1 + static_cast<std::size_t>(-rule->values) &&
                                   words[at + length - 1].text.starts_with('-');
  return last_is_next_option ? length - 1 : length;
}

} // namespace

std::vector<std::string> default_files(const Context& context, const std::string& name,
                                       DefaultFiles which) {
  std::vector<std::string> paths{find_cell(context.environment).common + "/" + name};
  if (const auto* home = context.variable("HOME"); home && !home->empty())
    paths.push_back(*home + "/." + name);
  if (which == DefaultFiles::directory_too) paths.push_back(context.directory + "/." + name);
  return paths;
}

namespace {

Result<std::vector<GivenOption>> options_in(const SmallFile& file, const std::string& path,
                                            const std::vector<OptionRule>& rules) {
  std::vector<GivenOption> options;
  const auto content = file.read();
  if (!content) return Error{path + ": " + content.what()};
  const auto words = words_of(path, *content);
  if (!words) return words.error();
  // One option after the other, so that what is wrong is in the line of its first word.
  for (std::size_t at = 0; at < words->size();) {
    const auto end = at + length_of_option(*words, at, rules);
    std::vector<std::string> texts;
    for (auto i = at; i < end; ++i) texts.push_back((*words)[i].text);
    auto parsed = parse_options(texts, rules, Operands::anywhere);
    if (!parsed) return at_line(path, (*words)[at].line, parsed.what());
    if (!parsed->operands.empty())
      return at_line(path, (*words)[at].line,
                     "\"" + excerpt(parsed->operands.front()) + "\" is no option");
    for (auto& option : parsed->options) options.push_back(std::move(option));
    at = end;
  }
  return options;
}

} // namespace

Result<std::vector<GivenOption>> read_default_file(const std::string& path,
                                                   const std::vector<OptionRule>& rules) {
  const SmallFile file(path);
  if (file.is_missing()) return std::vector<GivenOption>();
  return options_in(file, path, rules);
}

Result<std::vector<GivenOption>> read_named_file(const std::string& path,
                                                 const std::vector<OptionRule>& rules) {
  return options_in(SmallFile(path), path, rules);
}

Result<std::vector<std::vector<GivenOption>>>
read_default_files(const Context& context, const std::string& name, DefaultFiles which,
                   const std::vector<OptionRule>& rules) {
  std::vector<std::vector<GivenOption>> files;
  for (const auto& path : default_files(context, name, which)) {
    auto options = read_default_file(path, rules);
    if (!options) return options.error();
    files.push_back(std::move(*options));
  }
  return files;
}

OptionsOf options_of_files(const Context& context, const std::vector<OptionRule>& rules) {
  return [&context, &rules](const std::string& path) {
    return read_named_file(path.starts_with('/') ? path : context.directory + "/" + path, rules);
  };
}

Outcome add_default_options(const Context& context, const std::string& name, DefaultFiles which,
                            const std::vector<OptionRule>& rules, GivenOptions& given) {
  std::vector<GivenOption> all;
  auto files = read_default_files(context, name, which, rules);
  if (!files) return files.error();
  for (auto& options : *files)
    all.insert(all.end(), std::make_move_iterator(options.begin()),
               std::make_move_iterator(options.end()));
  given.options.insert(given.options.begin(), std::make_move_iterator(all.begin()),
                       std::make_move_iterator(all.end()));
  return Done{};
}

} // namespace almanac

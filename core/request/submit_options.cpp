#include "core/request/submit_options.hpp"

#include "core/text/names.hpp"
#include "core/text/words.hpp"

#include <algorithm>

namespace almanac {

namespace {

// One source of options: the script or the command line.
Outcome apply_all(SubmitOptions& into, const GivenOptions& given, const SubmitSite& site) {
  bool soft = false;
  std::vector<const SubmitOption*> read;
  for (const auto& option : given.options) {
    const auto* row = soft ? find_submit_option("-soft " + option.name) : nullptr;
    if (!row) row = find_submit_option(option.name);
    const bool is_first = std::find(read.begin(), read.end(), row) == read.end();
    if (auto done = (*row->read)({into, option, site, soft, is_first}); !done) return done;
    read.push_back(row);
    if (!into.was_given(*row->name)) into.given.emplace_back(*row->name);
  }
  return Done{};
}

// A name can't hold special characters; a file's name may.
std::string name_of_file(const std::string& path) {
  auto name = path.substr(path.rfind('/') + 1);
  name = name.substr(0, name.find_first_of(" \t;|&"));
  const bool readable = is_utf8(name);
  std::replace_if(
      name.begin(), name.end(),
      [&](char c) {
        const bool ascii = static_cast<unsigned char>(c) < 0x80;
        return ascii ? !valid_object_name(std::string(1, c)) : !readable;
      },
      '_');
  return name.empty() ? "STDIN" : name;
}

void note_origin(JobRequest& request, const SubmitSite& place) {
  const std::pair<const char*, const char*> names[]{
      {"SGE_O_HOME", "HOME"},    {"SGE_O_LOGNAME", "LOGNAME"}, {"SGE_O_PATH", "PATH"},
      {"SGE_O_SHELL", "SHELL"},  {"SGE_O_TZ", "TZ"},           {"SGE_O_MAIL", "MAIL"},
      {"SGE_O_HOST", "HOSTNAME"}};
  for (const auto& [name, source] : names)
    if (const auto* value = place.variable(source)) request.origin.push_back({name, *value});
  request.origin.push_back({"SGE_O_WORKDIR", place.directory});
}

template <class Built> std::vector<OptionRule> rules_of(const Built& is_built) {
  std::vector<OptionRule> rules;
  for (const auto& option : submit_table())
    if (!option.is_soft())
      rules.push_back({std::string(*option.name), count_values(*option.values), is_built(option)});
  const auto others = submit_options_not_built();
  rules.insert(rules.end(), others.begin(), others.end());
  return rules;
}

} // namespace

const std::vector<OptionRule>& submit_option_rules() {
  static const auto rules = rules_of([](const SubmitOption&) { return true; });
  return rules;
}

const std::vector<OptionRule>& alter_option_rules() {
  static const auto rules = [] {
    auto all = rules_of(
        [](const SubmitOption& option) { return option.alter->kind != Alteration::Kind::never; });
    all.push_back({"-u", 1, true});
    all.push_back({"-uall", 0, false});
    return all;
  }();
  return rules;
}

Result<std::vector<std::string>> script_options(std::string_view script, std::string_view prefix) {
  std::vector<std::string> result;
  if (prefix.empty()) return result;
  for (const auto& line : split(script, '\n')) {
    if (!line.starts_with(prefix)) continue;
    auto parsed = shell_words(std::string_view(line).substr(prefix.size()));
    if (!parsed) return parsed.error();
    const auto comment = std::find_if(parsed->begin(), parsed->end(),
                                      [](auto& word) { return word.starts_with('#'); });
    result.insert(result.end(), parsed->begin(), comment);
  }
  return result;
}

Result<SubmitOptions>
parse_submission(const std::vector<std::string>& arguments, const SubmitSite& place,
                 const std::function<Result<std::string>(const std::string&)>& read_script) {
  auto given = parse_options(arguments, submit_option_rules(), Operands::end_options);
  if (!given) return given.error();
  SubmitOptions first; // what decides how the rest is read
  if (auto applied = apply_all(first, *given, place); !applied) return applied.error();
  SubmitOptions result;
  result.command = given->operands;
  if (first.help) {
    result.help = true;
    return result;
  }
  if (!given->operands.empty() && given->operands.front().empty())
    return Error{"the command is an empty word: is a variable not set?"};
  const bool from_input = given->operands.empty() || given->operands.front() == "-";
  std::string script;
  if (!first.request.binary) {
    auto content = read_script(from_input ? "-" : given->operands.front());
    if (!content) return content.error();
    script = *content;
    auto words = script_options(script, first.prefix);
    if (!words) return Error{"in the script: " + words.what()};
    auto in_script = parse_options(*words, submit_option_rules(), Operands::anywhere);
    if (!in_script) return Error{"in the script: " + in_script.what()};
    if (!in_script->operands.empty())
      return Error{"in the script: invalid option argument \"" +
                   excerpt(in_script->operands.front()) + "\""};
    if (auto applied = apply_all(result, *in_script, place); !applied)
      return Error{"in the script: " + applied.what()};
  } else if (given->operands.empty()) return Error{"command required for a binary job"};
  if (auto applied = apply_all(result, *given, place); !applied) return applied.error();

  auto& request = result.request;
  request.binary = first.request.binary;
  request.script.content = script;
  if (!given->operands.empty()) {
    request.command = from_input ? "STDIN" : given->operands.front();
    request.arguments.assign(given->operands.begin() + 1, given->operands.end());
  } else request.command = "STDIN";
  if (!result.was_given("-N")) request.name = name_of_file(request.command);
  note_origin(request, place);
  return result;
}

} // namespace almanac

#include "core/request/submit_options.hpp"

#include "core/text/names.hpp"
#include "core/text/words.hpp"

#include <algorithm>

namespace almanac {

namespace {

// One source of options: a request file, the script or the command line.
class Source {
public:
  Source(SubmitOptions& into, const SubmitSite& site, const OptionsOf& options_of)
      : into_(into), site_(site), options_of_(options_of) {}

  Outcome apply(const std::vector<GivenOption>& options, bool is_named_file = false) {
    for (const auto& option : options) {
      const auto done = option.name == "-@" ? apply_file(option, is_named_file) : apply(option);
      if (!done) return done;
    }
    return Done{};
  }

private:
  Outcome apply(const GivenOption& option) {
    const auto* row = find_submit_option(option.name, position_);
    if (!row)
      return option.wrong("soft requests are for the whole job: -scope global or -hard first");
    const bool is_first = std::find(read_.begin(), read_.end(), row) == read_.end();
    if (auto done = (*row->read)({into_, option, site_, position_, is_first}); !done) return done;
    read_.push_back(row);
    if (!into_.was_given(*row->name)) into_.given.emplace_back(*row->name);
    return Done{};
  }
  Outcome apply_file(const GivenOption& option, bool is_named_file) {
    if (!options_of_) return option.wrong("no file of options is read here");
    if (is_named_file) return option.wrong("it stands in a file of options itself");
    const auto options = options_of_(option.values.front());
    if (!options) return options.error();
    return apply(*options, true);
  }

  SubmitOptions& into_;
  const SubmitSite& site_;
  const OptionsOf& options_of_;
  Position position_;
  std::vector<const SubmitOption*> read_;
};

Outcome apply_all(SubmitOptions& into, const std::vector<GivenOption>& options,
                  const SubmitSite& site, const OptionsOf& options_of) {
  return Source(into, site, options_of).apply(options);
}

Outcome apply_defaults(SubmitOptions& into, const SubmitSources& sources, const SubmitSite& site) {
  for (const auto& file : sources.defaults)
    if (auto applied = apply_all(into, file, site, sources.options_of); !applied) return applied;
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
  // Shells know it, and few of them export it.
  if (!place.variable("HOSTNAME") && !place.host.empty())
    request.origin.push_back({"SGE_O_HOST", place.host});
  request.origin.push_back({"SGE_O_WORKDIR", place.directory});
}

template <class Meant> std::vector<OptionRule> rules_of(const Meant& is_meant) {
  std::vector<OptionRule> rules;
  for (const auto& option : submit_table())
    if (!option.is_positional() && is_meant(option))
      rules.push_back({std::string(*option.name), count_values(*option.values), true, "",
                       words_before(*option.values)});
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
    // Of its own: which jobs and tasks are meant, holds with letters, and that nothing is changed.
    all.insert(all.end(),
               {{"-u", 1},
                {"-uall", 0},
                {"-t", 1},
                {"-h", 1},
                {"-verify", 0},
                {"-jsv", 1, false, "a JSV verifies jobs that are submitted (jsv_allowed_mod)"}});
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

namespace {

// The options of a script's lines, after what request files say.
Outcome apply_script(SubmitOptions& into, const std::string& script, const std::string& prefix,
                     const SubmitSite& place, const OptionsOf& options_of) {
  const auto in_script = [](const std::string& why) { return Error{"in the script: " + why}; };
  const auto words = script_options(script, prefix);
  if (!words) return in_script(words.what());
  const auto given = parse_options(*words, submit_option_rules(), Operands::anywhere);
  if (!given) return in_script(given.what());
  if (!given->operands.empty())
    return in_script("invalid option argument \"" + excerpt(given->operands.front()) + "\"");
  const auto applied = apply_all(into, given->options, place, options_of);
  return applied ? applied : in_script(applied.what());
}

} // namespace

Result<SubmitOptions> parse_submission(const std::vector<std::string>& arguments,
                                       const SubmitSite& place, const SubmitSources& sources) {
  const auto given = parse_options(arguments, submit_option_rules(), Operands::end_options);
  if (!given) return given.error();
  SubmitOptions result;
  result.help = given->has("-help");
  if (result.help) return result; // whatever stands in files
  const auto& options_of = sources.options_of;
  SubmitOptions first; // what decides how the rest is read
  if (auto applied = apply_defaults(first, sources, place); !applied) return applied.error();
  if (auto applied = apply_all(first, given->options, place, options_of); !applied)
    return applied.error();
  result.command = given->operands;
  if (!given->operands.empty() && given->operands.front().empty())
    return Error{"the command is an empty word: is a variable not set?"};
  if (auto applied = apply_defaults(result, sources, place); !applied) return applied.error();
  const bool from_input = given->operands.empty() || given->operands.front() == "-";
  std::string script;
  if (!first.request.binary) {
    auto content = sources.read_script(from_input ? "-" : given->operands.front());
    if (!content) return content.error();
    script = *content;
    if (auto applied = apply_script(result, script, first.prefix, place, options_of); !applied)
      return applied.error();
  } else if (given->operands.empty()) return Error{"command required for a binary job"};
  if (auto applied = apply_all(result, given->options, place, options_of); !applied)
    return applied.error();

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

Result<SubmitOptions> parse_job_alteration(const GivenOptions& given, const SubmitSite& place,
                                           const OptionsOf& options_of) {
  SubmitOptions result;
  auto site = place;
  site.is_alteration = true;
  if (auto applied = apply_all(result, given.options, site, options_of); !applied)
    return applied.error();
  result.request.arguments.assign(given.operands.begin() +
                                      static_cast<std::ptrdiff_t>(given.before_dashes()),
                                  given.operands.end());
  if (given.dashes) result.given.emplace_back("--");
  return result;
}

} // namespace almanac

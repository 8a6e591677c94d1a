#include "core/request/submit_options.hpp"

#include "core/mail/letter.hpp"
#include "core/request/resources.hpp"
#include "core/text/names.hpp"
#include "core/text/words.hpp"

#include <algorithm>

namespace almanac {

namespace {

constexpr std::int64_t most_tickets = 9'999'999;

Error in_option(const GivenOption& option, const std::string& why) {
  return {"option " + option.name + " " + join(option.values, " ") + ": " + why};
}

const std::string* variable(const SubmitSite& place, const std::string& name) {
  for (const auto& entry : place.environment)
    if (entry.name == name) return &entry.value;
  return nullptr;
}

void export_variable(JobRequest& request, const std::string& name, const std::string& value) {
  for (auto& entry : request.environment)
    if (entry.name == name) {
      entry.value = value;
      return;
    }
  request.environment.push_back({name, value});
}

Outcome export_variables(JobRequest& request, const std::string& list, const SubmitSite& place) {
  for (const auto& entry : split(list, ',')) {
    const auto equals = entry.find('=');
    const auto name = entry.substr(0, equals);
    if (!is_plain_variable(name))
      return Error{"\"" + excerpt(name) + "\" is not a name of a variable"};
    if (equals != std::string::npos) export_variable(request, name, entry.substr(equals + 1));
    else if (const auto* value = variable(place, name)) export_variable(request, name, *value);
    else export_variable(request, name, "");
  }
  return Done{};
}

Result<Validation> parse_validation(const std::string& text) {
  if (text == "e") return Validation::error;
  if (text == "w") return Validation::warning;
  if (text == "n") return Validation::none;
  if (text == "v") return Validation::verify;
  if (text == "p") return Validation::poke;
  return Error{"e, w, n, v or p is expected"};
}

// What one source of options, the script or the command line, has said so far. Its lists of queues
// begin anew, and -soft and -hard hold to its end.
struct Source {
  bool soft = false;
  bool queues = false, soft_queues = false, master_queues = false; ///< given before

  void list(std::vector<std::string>& into, bool& given, const std::string& names) const {
    if (!given) into.clear();
    given = true;
    for (auto& name : split(names, ',')) into.push_back(std::move(name));
  }
};

// One option's effect.
Outcome apply(SubmitOptions& into, const GivenOption& option, const SubmitSite& place,
              Source& source) {
  auto& request = into.request;
  const auto& name = option.name;
  const auto value = option.values.empty() ? std::string() : option.values.front();
  const auto toggle = [&](bool& target) -> Outcome {
    auto parsed = parse_switch(value);
    if (!parsed) return in_option(option, "y or n is expected");
    target = *parsed;
    return Done{};
  };
  if (name == "-N") request.name = value, into.name_given = true;
  else if (name == "-A") request.account = value;
  else if (name == "-o") request.output = value;
  else if (name == "-e") request.error = value;
  else if (name == "-j") return toggle(request.join);
  else if (name == "-cwd") request.directory = place.directory;
  else if (name == "-wd")
    request.directory = value.starts_with('/') ? value : place.directory + "/" + value;
  else if (name == "-V") {
    for (const auto& entry : place.environment) export_variable(request, entry.name, entry.value);
  } else if (name == "-v") {
    if (auto exported = export_variables(request, value, place); !exported)
      return in_option(option, exported.what());
  } else if (name == "-b") return toggle(request.binary);
  else if (name == "-shell") {
    bool shell = true;
    if (auto parsed = toggle(shell); !parsed) return parsed;
    request.direct = !shell;
  } else if (name == "-S") {
    request.shell = value;
    for (const auto& entry : split(value, ',')) {
      const auto colon = entry.find(':');
      const bool has_host = colon < entry.find('/');
      if (!std::string_view(entry).substr(has_host ? colon + 1 : 0).starts_with('/'))
        return in_option(option, "an absolute path is expected");
    }
  } else if (name == "-l") {
    auto& list = source.soft ? request.soft_resources : request.resources;
    if (auto added = add_resource_requests(list, value); !added)
      return in_option(option, added.what());
  } else if (name == "-q") {
    if (source.soft) source.list(request.soft_queues, source.soft_queues, value);
    else source.list(request.queues, source.queues, value);
  } else if (name == "-masterq") {
    source.list(request.master_queues, source.master_queues, value);
  } else if (name == "-soft" || name == "-hard") {
    source.soft = name == "-soft";
  } else if (name == "-now") return toggle(request.immediate);
  else if (name == "-P") request.project = value;
  else if (name == "-js" || name == "-ot") {
    auto number = parse_number(value);
    if (!number || *number > most_tickets)
      return in_option(option, "a number from 0 to 9999999 is expected");
    (name == "-js" ? request.job_share : request.override_tickets) = *number;
  } else if (name == "-pe") {
    auto ranges = parse_slot_ranges(option.values[1]);
    if (!ranges) return in_option(option, ranges.what());
    request.pe = value, request.slots = *ranges;
  } else if (name == "-t") {
    auto range = parse_task_range(value);
    if (!range) return in_option(option, range.what());
    request.tasks = *range;
  } else if (name == "-m") {
    auto occasions = parse_mail_occasions(value, "beas");
    if (!occasions) return in_option(option, occasions.what());
    request.mail_at = *occasions;
  } else if (name == "-M") {
    auto list = parse_mail_list(value);
    if (!list) return in_option(option, list.what());
    request.mail_to = *list;
  } else if (name == "-R") return toggle(request.reserve);
  else if (name == "-p") {
    auto priority = parse_signed(value);
    if (!priority || *priority < -1023 || *priority > 1024)
      return in_option(option, "a number from -1023 to 1024 is expected");
    request.priority = *priority;
  } else if (name == "-a") {
    auto instant = parse_instant("-a", value, place.to_instant);
    if (!instant) return instant.error();
    request.execution_time = *instant;
  } else if (name == "-dl") {
    auto instant = parse_instant("-dl", value, place.to_instant);
    if (!instant) return instant.error();
    request.deadline = *instant;
  } else if (name == "-tc") {
    auto number = parse_number(value);
    if (!number) return in_option(option, "a number from 0 is expected");
    request.most_running = *number;
  } else if (name == "-h") request.held_by_user = true;
  else if (name == "-notify") request.notify = true;
  else if (name == "-hold_jid") {
    request.predecessors.clear();
    for (const auto& word : split(value, ',')) {
      if (trim(word).empty()) return in_option(option, "a job is missing");
      request.predecessors.emplace_back(trim(word));
    }
  } else if (name == "-ar") {
    auto number = parse_reservation_id(value);
    if (!number) return Error{"invalid advance reservation id, must be an unsigned integer"};
    request.reservation = *number;
  } else if (name == "-r") {
    bool rerun = false;
    if (auto parsed = toggle(rerun); !parsed) return parsed;
    request.rerun = rerun ? Rerun::yes : Rerun::no;
  } else if (name == "-w") {
    auto validation = parse_validation(value);
    if (!validation) return in_option(option, validation.what());
    request.validation = *validation;
  } else if (name == "-terse") into.terse = true;
  else if (name == "-sync") return toggle(into.sync);
  else if (name == "-C") into.prefix = value;
  else if (name == "-clear") {
    const auto command = into.command;
    into = SubmitOptions();
    into.command = command;
  } else if (name == "-help") into.help = true;
  return Done{};
}

Outcome apply_all(SubmitOptions& into, const GivenOptions& given, const SubmitSite& place) {
  Source source;
  for (const auto& option : given.options)
    if (auto applied = apply(into, option, place, source); !applied) return applied;
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
    if (const auto* value = variable(place, source)) request.origin.push_back({name, *value});
  request.origin.push_back({"SGE_O_WORKDIR", place.directory});
}

} // namespace

const std::vector<OptionRule>& submit_option_rules() {
  static const std::vector<OptionRule> rules{{"-N", 1, true},        {"-A", 1, true},
                                             {"-o", 1, true},        {"-e", 1, true},
                                             {"-j", 1, true},        {"-cwd", 0, true},
                                             {"-wd", 1, true},       {"-V", 0, true},
                                             {"-v", 1, true},        {"-b", 1, true},
                                             {"-S", 1, true},        {"-l", 1, true},
                                             {"-hard", 0, true},     {"-q", 1, true},
                                             {"-pe", 2, true},       {"-t", 1, true},
                                             {"-R", 1, true},        {"-p", 1, true},
                                             {"-a", 1, true},        {"-h", 0, true},
                                             {"-hold_jid", 1, true}, {"-ar", 1, true},
                                             {"-r", 1, true},        {"-w", 1, true},
                                             {"-terse", 0, true},    {"-sync", 1, true},
                                             {"-C", 1, true},        {"-clear", 0, true},
                                             {"-help", 0, true},     {"-soft", 0, true},
                                             {"-i", 1, false},       {"-m", 1, true},
                                             {"-M", 1, true},        {"-masterq", 1, true},
                                             {"-notify", 0, true},   {"-now", 1, true},
                                             {"-P", 1, true},        {"-ac", 1, false},
                                             {"-dc", 1, false},      {"-sc", 1, false},
                                             {"-c", 1, false},       {"-ckpt", 1, false},
                                             {"-dl", 1, true},       {"-hold_jid_ad", 1, false},
                                             {"-js", 1, true},       {"-shell", 1, true},
                                             {"-tc", 1, true},       {"-verify", 0, false},
                                             {"-binding", 1, false}, {"-jsv", 1, false},
                                             {"-@", 1, false},       {"-scope", 1, false},
                                             {"-par", 1, false},     {"-ot", 1, true},
                                             {"-display", 1, false}, {"-alloc", 2, false},
                                             {"-reserve", 1, false}};
  return rules;
}

Result<Instant> parse_instant(const std::string& option, const std::string& text,
                              const std::function<Result<Instant>(const DateTime&)>& to_instant) {
  const Error wrong{"Wrong date/time format \"" + text + "\" specified to " + option + " option"};
  auto date = parse_date_time(text);
  if (!date) return wrong;
  auto instant = to_instant(*date);
  if (!instant) return wrong;
  return instant;
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
  if (!result.name_given) request.name = name_of_file(request.command);
  note_origin(request, place);
  return result;
}

} // namespace almanac

#include "core/request/jsv_parameters.hpp"

#include "core/request/binding_parameters.hpp"
#include "core/request/checks.hpp"
#include "core/request/submit_columns.hpp"
#include "core/request/submit_options.hpp"
#include "core/text/names.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <utility>

namespace almanac {

namespace {

using R = JobRequest;

// A change of one parameter; the value is "" where it is deleted.
struct Change {
  R& request;
  const std::string& value;
  const JsvDates& dates;
};

struct Parameter {
  std::string_view name;
  std::string_view option; ///< of qalter, which says the same; "": none
  std::string (*print)(const R& request, const JsvDates& dates); ///< "": the job has none
  Outcome (*change)(const Change& change);
};

// ---- changes ----------------------------------------------------------------------------------

// As if the option had been given instead of what the job had.
Outcome by_option(const Change& change, const char* name) {
  const auto& row = *find_submit_option(name);
  row.fields->copy(change.request, R());
  if (change.value.empty()) return Done{};
  const GivenOption option{std::string(name), {change.value}};
  const SubmitSite site{"", {}, change.dates.read};
  SubmitOptions into;
  into.request = std::move(change.request);
  Position position;
  auto read = (*row.read)({into, option, site, position, true});
  change.request = std::move(into.request);
  return read;
}

Result<std::int64_t> number_of(const Change& change, std::int64_t least, std::int64_t most) {
  const auto number = parse_number(change.value);
  if (number && *number >= least && *number <= most) return *number;
  return Error{"a number from " + std::to_string(least) + " to " + std::to_string(most) +
               " is expected"};
}

Outcome is_fixed(const Change&) { return Error{"a JSV cannot change it"}; }

Outcome must_be_there(const Change& change, const char* option) {
  if (change.value.empty()) return Error{"it cannot be deleted"};
  return by_option(change, option);
}

Outcome change_hold(const Change& change) {
  if (!change.value.empty() && change.value != "u" && change.value != "n")
    return Error{"u or n is expected"};
  change.request.held_by_user = change.value == "u";
  return Done{};
}

Outcome change_directory(const Change& change) {
  if (!change.value.empty() && !change.value.starts_with('/'))
    return Error{"an absolute path is expected"};
  change.request.directory = change.value;
  return Done{};
}

Outcome change_pe(const Change& change) {
  auto& request = change.request;
  request.pe = change.value;
  if (change.value.empty()) request.slots.clear(), request.pe_rule.clear();
  else if (request.slots.empty()) request.slots = {SlotRange{}};
  if (!change.value.empty()) request.allocation_rule.clear();
  return Done{};
}

// Several ranges become the one from the least to the largest number.
template <auto bound> Outcome change_slots(const Change& change) {
  const auto number = number_of(change, 1, most_slots);
  if (!number) return number.error();
  auto& slots = change.request.slots;
  if (slots.empty()) slots = {SlotRange{*number, *number}};
  slots = {SlotRange{lowest(slots), highest(slots)}};
  slots.front().*bound = *number;
  return Done{};
}

template <auto part> Outcome change_tasks(const Change& change) {
  auto& tasks = change.request.tasks;
  if (change.value.empty()) return tasks = TaskRange(), Done{};
  const auto number = number_of(change, 1, most_slots);
  if (!number) return number.error();
  if (!tasks.is_array()) tasks = {1, 1, 1};
  tasks.*part = *number;
  return Done{};
}

// Whichever of the three came last.
Outcome settle_tasks(R& request) {
  auto& tasks = request.tasks;
  if (!tasks.is_array()) return Done{};
  const auto range =
      parse_task_range(std::to_string(tasks.first) + "-" + std::to_string(tasks.last) + ":" +
                       std::to_string(tasks.step));
  if (!range) return range.error();
  tasks = *range;
  return Done{};
}

// The content of a script was read before; a program is only named.
Outcome change_command(const Change& change) {
  auto& request = change.request;
  if (!request.binary) return Error{"the script has been read already (-b n)"};
  if (change.value.empty()) return Error{"a job needs a command"};
  request.command = change.value;
  return Done{};
}

Outcome change_argument_count(const Change& change) {
  const auto number = number_of(change, 0, longest_wish);
  if (!number) return number.error();
  change.request.arguments.resize(static_cast<std::size_t>(*number));
  return Done{};
}

Outcome change_argument(const Change& change, std::string_view position) {
  const auto number = parse_number(position);
  if (!number || *number >= static_cast<std::int64_t>(longest_wish))
    return Error{"it is not CMDARG with a number below " + std::to_string(longest_wish)};
  auto& arguments = change.request.arguments;
  const auto at = static_cast<std::size_t>(*number);
  if (arguments.size() <= at) arguments.resize(at + 1);
  arguments[at] = change.value;
  return Done{};
}

// ---- printing ---------------------------------------------------------------------------------

std::string number(std::int64_t value) { return value != 0 ? std::to_string(value) : ""; }
std::string yes(bool value) { return value ? "y" : ""; }
std::string slots_of(const R& r, std::int64_t (*bound)(const std::vector<SlotRange>&)) {
  return r.pe.empty() || r.slots.empty() ? "" : std::to_string(bound(r.slots));
}
bool is_interval(const std::string& times) {
  return !times.empty() && times.front() >= '0' && times.front() <= '9';
}
std::string letter_of(Validation validation) {
  switch (validation) {
  case Validation::unset: return "";
  case Validation::none: return "n";
  case Validation::error: return "e";
  case Validation::warning: return "w";
  case Validation::verify: return "v";
  case Validation::poke: return "p";
  }
  return "";
}

// A value may be missing, and then stands for true.
template <auto member> std::string show_resources(const R& request, const JsvDates&) {
  std::string text;
  for (const auto& [name, value] : request.*member)
    text += (text.empty() ? "" : ",") + name + (value.empty() ? "" : "=" + value);
  return text;
}

template <auto member> std::string show(const R& request, const JsvDates&) {
  return columns::text_of(request.*member, nullptr);
}

// ---- the parameters ---------------------------------------------------------------------------

const Parameter parameters[]{
    {"a", "-a",
     [](const R& r, const JsvDates& d) {
       return r.execution_time.seconds ? d.print(r.execution_time) : "";
     },
     [](const Change& c) { return by_option(c, "-a"); }},
    {"ac", "-ac", [](const R& r, const JsvDates&) { return print_context(r.context); },
     [](const Change& c) { return c.request.context.clear(), by_option(c, "-sc"); }},
    {"ar", "-ar", show<&R::reservation>, [](const Change& c) { return by_option(c, "-ar"); }},
    {"A", "-A", show<&R::account>, [](const Change& c) { return by_option(c, "-A"); }},
    {"b", "", [](const R& r, const JsvDates&) { return yes(r.binary); }, is_fixed},
    {"c_interval", "-c",
     [](const R& r, const JsvDates&) {
       return is_interval(r.checkpoint_at) ? r.checkpoint_at : std::string();
     },
     [](const Change& c) { return by_option(c, "-c"); }},
    {"c_occasion", "-c",
     [](const R& r, const JsvDates&) {
       return is_interval(r.checkpoint_at) ? std::string() : r.checkpoint_at;
     },
     [](const Change& c) { return by_option(c, "-c"); }},
    {"ckpt", "-ckpt", show<&R::checkpoint>, [](const Change& c) { return by_option(c, "-ckpt"); }},
    {"cwd", "-wd", show<&R::directory>, change_directory},
    {"dl", "-dl",
     [](const R& r, const JsvDates& d) { return r.deadline.seconds ? d.print(r.deadline) : ""; },
     [](const Change& c) { return by_option(c, "-dl"); }},
    {"e", "-e", show<&R::error>, [](const Change& c) { return by_option(c, "-e"); }},
    {"h", "-h", [](const R& r, const JsvDates&) { return std::string(r.held_by_user ? "u" : ""); },
     change_hold},
    {"hold_jid", "-hold_jid", show<&R::predecessors>,
     [](const Change& c) { return by_option(c, "-hold_jid"); }},
    {"hold_jid_ad", "-hold_jid_ad", show<&R::array_predecessors>,
     [](const Change& c) { return by_option(c, "-hold_jid_ad"); }},
    {"i", "-i", show<&R::input>, [](const Change& c) { return by_option(c, "-i"); }},
    {"j", "-j", [](const R& r, const JsvDates&) { return yes(r.join); },
     [](const Change& c) { return by_option(c, "-j"); }},
    {"js", "-js", [](const R& r, const JsvDates&) { return number(r.job_share); },
     [](const Change& c) { return by_option(c, "-js"); }},
    {"l_hard", "-l", show_resources<&R::resources>,
     [](const Change& c) { return by_option(c, "-l"); }},
    {"l_soft", "-soft -l", show_resources<&R::soft_resources>,
     [](const Change& c) { return by_option(c, "-soft -l"); }},
    {"m", "-m",
     [](const R& r, const JsvDates&) { return r.mail_at.empty() ? std::string("n") : r.mail_at; },
     [](const Change& c) { return must_be_there(c, "-m"); }},
    {"M", "-M", show<&R::mail_to>, [](const Change& c) { return by_option(c, "-M"); }},
    {"masterq", "-masterq", show<&R::master_queues>,
     [](const Change& c) { return by_option(c, "-masterq"); }},
    {"master_l_hard", "-scope master -l", show_resources<&R::master_resources>,
     [](const Change& c) { return by_option(c, "-scope master -l"); }},
    {"N", "-N", show<&R::name>, [](const Change& c) { return must_be_there(c, "-N"); }},
    {"notify", "-notify", [](const R& r, const JsvDates&) { return yes(r.notify); },
     [](const Change& c) -> Outcome {
       const auto on = c.value.empty() ? Result<bool>(false) : parse_switch(c.value);
       if (!on) return Error{"y or n is expected"};
       return c.request.notify = *on, Done{};
     }},
    {"now", "-now", [](const R& r, const JsvDates&) { return yes(r.immediate); }, is_fixed},
    {"o", "-o", show<&R::output>, [](const Change& c) { return by_option(c, "-o"); }},
    {"p", "-p", [](const R& r, const JsvDates&) { return number(r.priority); },
     [](const Change& c) { return by_option(c, "-p"); }},
    {"P", "-P", show<&R::project>, [](const Change& c) { return by_option(c, "-P"); }},
    {"par", "-par", show<&R::pe_rule>, [](const Change& c) { return by_option(c, "-par"); }},
    {"pe_name", "-pe", show<&R::pe>, change_pe},
    {"pe_min", "-pe", [](const R& r, const JsvDates&) { return slots_of(r, lowest); },
     change_slots<&SlotRange::low>},
    {"pe_max", "-pe", [](const R& r, const JsvDates&) { return slots_of(r, highest); },
     change_slots<&SlotRange::high>},
    {"q_hard", "-q", show<&R::queues>, [](const Change& c) { return by_option(c, "-q"); }},
    {"q_soft", "-soft -q", show<&R::soft_queues>,
     [](const Change& c) { return by_option(c, "-soft -q"); }},
    {"r", "-r", [](const R& r, const JsvDates&) { return yes(r.rerun == Rerun::yes); },
     [](const Change& c) { return by_option(c, "-r"); }},
    {"R", "-R", [](const R& r, const JsvDates&) { return yes(r.reserve); },
     [](const Change& c) { return by_option(c, "-R"); }},
    {"shell", "-shell",
     [](const R& r, const JsvDates&) { return std::string(r.direct ? "n" : ""); },
     [](const Change& c) { return by_option(c, "-shell"); }},
    {"slave_l_hard", "-scope slave -l", show_resources<&R::slave_resources>,
     [](const Change& c) { return by_option(c, "-scope slave -l"); }},
    {"slave_q_hard", "-scope slave -q", show<&R::slave_queues>,
     [](const Change& c) { return by_option(c, "-scope slave -q"); }},
    {"S", "-S", show<&R::shell>, [](const Change& c) { return by_option(c, "-S"); }},
    {"t_min", "", [](const R& r, const JsvDates&) { return number(r.tasks.first); },
     change_tasks<&TaskRange::first>},
    {"t_max", "", [](const R& r, const JsvDates&) { return number(r.tasks.last); },
     change_tasks<&TaskRange::last>},
    {"t_step", "",
     [](const R& r, const JsvDates&) { return r.tasks.is_array() ? number(r.tasks.step) : ""; },
     change_tasks<&TaskRange::step>},
    {"tc", "-tc", [](const R& r, const JsvDates&) { return number(r.most_running); },
     [](const Change& c) { return by_option(c, "-tc"); }},
    {"tcon", "-tcon", [](const R& r, const JsvDates&) { return yes(r.concurrent); },
     [](const Change& c) { return by_option(c, "-tcon"); }},
    {"w", "-w", [](const R& r, const JsvDates&) { return letter_of(r.validation); },
     [](const Change& c) { return by_option(c, "-w"); }},
};

constexpr std::string_view told_only[]{"VERSION", "CONTEXT", "CLIENT", "USER", "GROUP", "JOB_ID"};

Outcome change(R& request, const std::string& name, const std::string& value,
               const JsvDates& dates) {
  const Change wanted{request, value, dates};
  for (const auto& parameter : parameters)
    if (parameter.name == name) return (*parameter.change)(wanted);
  if (name == "CMDNAME") return change_command(wanted);
  if (name == "CMDARGS") return change_argument_count(wanted);
  if (name.starts_with("CMDARG")) return change_argument(wanted, name.substr(6));
  if (is_binding_parameter(name)) return valid_binding_parameter(name, value);
  if (std::find(std::begin(told_only), std::end(told_only), name) != std::end(told_only))
    return is_fixed(wanted);
  return Error{"there is no such parameter"};
}

Outcome change(R& request, const JsvChanges::Variable& variable) {
  if (auto valid = valid_variable(variable.name, variable.value); !valid) return valid;
  const auto is_it = [&](const Attribute& known) { return known.name == variable.name; };
  auto& environment = request.environment;
  const auto known = std::find_if(environment.begin(), environment.end(), is_it);
  if (variable.verb == JsvChanges::Verb::remove) std::erase_if(environment, is_it);
  else if (known != environment.end()) known->value = variable.value;
  else environment.push_back({variable.name, variable.value});
  return Done{};
}

constexpr std::pair<char, char> escapes[]{{'\\', '\\'}, {'\n', 'n'}, {'\r', 'r'}, {'\t', 't'}};

} // namespace

std::vector<Attribute> jsv_parameters(const JobRequest& request, const JsvOccasion& occasion,
                                      const JsvDates& dates) {
  const auto& arguments = request.arguments;
  std::vector<Attribute> all{{"VERSION", "1.0"},
                             {"CONTEXT", occasion.context},
                             {"CLIENT", occasion.client},
                             {"USER", occasion.user},
                             {"GROUP", occasion.group},
                             {"CMDNAME", request.command.empty() ? "NONE" : request.command},
                             {"CMDARGS", std::to_string(arguments.size())}};
  for (std::size_t i = 0; i < arguments.size(); ++i)
    all.push_back({"CMDARG" + std::to_string(i), arguments[i]});
  for (const auto& parameter : parameters)
    if (auto value = (*parameter.print)(request, dates); !value.empty())
      all.push_back({std::string(parameter.name), std::move(value)});
  const auto binding = binding_parameters(request);
  all.insert(all.end(), binding.begin(), binding.end());
  return all;
}

Result<JobRequest> jsv_corrected(JobRequest request, const JsvChanges& changes,
                                 const JsvDates& dates) {
  for (const auto& [name, value] : changes.parameters)
    if (auto changed = change(request, name, value, dates); !changed)
      return Error{"parameter " + excerpt(name) + (value.empty() ? "" : " " + excerpt(value)) +
                   ": " + changed.what()};
  if (auto bound = change_binding(request, changes.parameters); !bound)
    return Error{"parameters binding_*: " + bound.what()};
  for (const auto& variable : changes.environment)
    if (auto changed = change(request, variable); !changed)
      return Error{"variable " + excerpt(variable.name) + ": " + changed.what()};
  if (auto settled = settle_tasks(request); !settled)
    return Error{"parameters t_min, t_max and t_step: " + settled.what()};
  if (request.pe.empty() && request.allocation_rule.empty() && !request.slots.empty())
    return Error{"parameters pe_min and pe_max need a pe_name"};
  return request;
}

bool jsv_allows(const std::vector<std::string>& allowed, std::string_view option) {
  if (option == "-w") return true;
  // What is not told to a JSV cannot be allowed by name; its option is, without the dash.
  if (option == "-cwd") option = "-wd";
  if (option == "-dc" || option == "-sc") option = "-ac";
  const auto is_allowed = [&](std::string_view name) {
    return std::find(allowed.begin(), allowed.end(), name) != allowed.end();
  };
  return is_allowed(option.substr(1)) ||
         (option == "-binding" &&
          std::any_of(allowed.begin(), allowed.end(), is_binding_parameter)) ||
         std::any_of(std::begin(parameters), std::end(parameters), [&](const Parameter& one) {
           return one.option == option && is_allowed(one.name);
         });
}

JsvDates jsv_dates(TimeZone zone) {
  const auto print = [zone](Instant at) {
    using namespace std::chrono;
    const sys_seconds local{seconds(at.seconds + zone.ahead(at))};
    const year_month_day date(floor<days>(local));
    const hh_mm_ss time(local - floor<days>(local));
    char text[64];
    std::snprintf(text, sizeof text, "%04d%02u%02u%02d%02d.%02d", static_cast<int>(date.year()),
                  static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                  static_cast<int>(time.hours().count()), static_cast<int>(time.minutes().count()),
                  static_cast<int>(time.seconds().count()));
    return std::string(text);
  };
  const auto read = [zone](const DateTime& date) -> Result<Instant> {
    using namespace std::chrono;
    if (date.year < 0) return Error{"the year is missing"};
    const year_month_day day{year(date.year), month(static_cast<unsigned>(date.month)),
                             std::chrono::day(static_cast<unsigned>(date.day))};
    if (!day.ok()) return Error{"there is no such day"};
    const auto local = sys_days(day).time_since_epoch() + hours(date.hour) + minutes(date.minute) +
                       seconds(date.second);
    return moment_of(zone, duration_cast<seconds>(local).count()).at;
  };
  return {print, read};
}

std::string jsv_escaped(std::string_view value) {
  std::string text;
  for (const char c : value) {
    const auto* escape = std::find_if(std::begin(escapes), std::end(escapes),
                                      [c](const auto& pair) { return pair.first == c; });
    if (escape == std::end(escapes)) text += c;
    else text += '\\', text += escape->second;
  }
  return text;
}

std::string jsv_unescaped(std::string_view value) {
  std::string text;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const auto* escape =
        value[i] != '\\' || i + 1 == value.size()
            ? std::end(escapes)
            : std::find_if(std::begin(escapes), std::end(escapes),
                           [&](const auto& pair) { return pair.second == value[i + 1]; });
    if (escape == std::end(escapes)) text += value[i];
    else text += escape->first, ++i;
  }
  return text;
}

} // namespace almanac

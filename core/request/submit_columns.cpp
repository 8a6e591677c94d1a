#include "core/request/submit_columns.hpp"

#include "core/configuration/objects/jsv_url.hpp"
#include "core/job/core_binding.hpp"
#include "core/mail/letter.hpp"
#include "core/request/valid.hpp"
#include "core/text/names.hpp"

#include <algorithm>
#include <utility>

namespace almanac::columns {

// ---- reading ----------------------------------------------------------------------------------

Outcome read_mail_occasions(const OptionReading& reading) {
  const auto occasions = parse_mail_occasions(reading.value(), mail_of_jobs);
  if (!occasions) return reading.wrong(occasions.what());
  reading.request().mail_at = *occasions;
  return Done{};
}

Outcome read_mail_list(const OptionReading& reading) {
  auto list = parse_mail_list(reading.value());
  if (!list) return reading.wrong(list.what());
  reading.request().mail_to = std::move(*list);
  return Done{};
}

Outcome read_priority(const OptionReading& reading) {
  const auto priority = parse_signed(reading.value());
  if (!priority || *priority < lowest_priority || *priority > highest_priority)
    return reading.wrong("a number from -1023 to 1024 is expected");
  reading.request().priority = *priority;
  return Done{};
}

Outcome read_rerun(const OptionReading& reading) {
  const auto rerun = y_or_n(reading.option);
  if (!rerun) return rerun.error();
  reading.request().rerun = *rerun ? Rerun::yes : Rerun::no;
  return Done{};
}

Outcome read_shells(const OptionReading& reading) {
  reading.request().shell = reading.value();
  for (const auto& entry : split(reading.value(), ',')) {
    const auto colon = entry.find(':');
    const bool has_host = colon < entry.find('/');
    if (!std::string_view(entry).substr(has_host ? colon + 1 : 0).starts_with('/'))
      return reading.wrong("an absolute path is expected");
  }
  return Done{};
}

Outcome read_no_shell(const OptionReading& reading) {
  const auto shell = y_or_n(reading.option);
  if (!shell) return shell.error();
  reading.request().direct = !*shell;
  return Done{};
}

Outcome read_here(const OptionReading& reading) {
  reading.request().directory = reading.site.directory;
  return Done{};
}

Outcome read_directory(const OptionReading& reading) {
  const auto& path = reading.value();
  reading.request().directory = path.starts_with('/') ? path : reading.site.directory + "/" + path;
  return Done{};
}

namespace {
void export_variable(JobRequest& request, const std::string& name, const std::string& value) {
  for (auto& entry : request.environment)
    if (entry.name == name) {
      entry.value = value;
      return;
    }
  request.environment.push_back({name, value});
}
} // namespace

Outcome read_environment(const OptionReading& reading) {
  for (const auto& entry : reading.site.environment)
    export_variable(reading.request(), entry.name, entry.value);
  return Done{};
}

Outcome read_variables(const OptionReading& reading) {
  for (const auto& entry : split(reading.value(), ',')) {
    const auto equals = entry.find('=');
    const auto name = entry.substr(0, equals);
    if (!is_plain_variable(name))
      return reading.wrong("\"" + excerpt(name) + "\" is not a name of a variable");
    const auto* known = reading.site.variable(name);
    const auto value = equals != std::string::npos ? entry.substr(equals + 1) : known ? *known : "";
    export_variable(reading.request(), name, value);
  }
  return Done{};
}

// The instance is a word of its own, which may be missing.
Outcome read_binding(const OptionReading& reading) {
  const auto binding = parse_core_binding(join(reading.option.values, " "));
  if (!binding) return reading.wrong(binding.what());
  reading.request().binding = print_core_binding(*binding);
  return Done{};
}

Outcome read_checkpoint(const OptionReading& reading) {
  if (reading.value().empty()) return reading.wrong("no checkpointing environment is named");
  return read_text<&JobRequest::checkpoint>(reading);
}

namespace {

// What -c takes: letters, each once, or seconds between two checkpoints.
Outcome valid_checkpoint_times(const std::string& text) {
  const auto time = parse_duration(text);
  const bool is_interval = time && time->seconds > 0 && !time->is_endless();
  bool are_letters = !text.empty();
  for (std::size_t i = 0; i < text.size(); ++i)
    are_letters = are_letters && std::string_view("nsmx").find(text[i]) != std::string_view::npos &&
                  text.find(text[i]) == i;
  if (is_interval || are_letters) return Done{};
  return Error{"letters of n, s, m and x, each once, or a time above 0 are expected"};
}

} // namespace

Outcome read_checkpoint_times(const OptionReading& reading) {
  if (auto valid = valid_checkpoint_times(reading.value()); !valid)
    return reading.wrong(valid.what());
  return read_text<&JobRequest::checkpoint_at>(reading);
}

Outcome read_nothing(const OptionReading&) { return Done{}; }

// It runs as whoever submits.
Outcome read_jsv(const OptionReading& reading) {
  const auto url = parse_jsv_url(reading.value());
  if (!url) return reading.wrong(url.what());
  if (url->words.empty()) return reading.wrong("a JSV is expected");
  if (!url->user.empty()) return reading.wrong("a JSV of a client runs as who submits: no user@");
  auto& all = reading.into.jsv;
  if (reading.is_first) all.emplace_back();
  if (all.empty()) all.emplace_back(); // behind -clear
  all.back().push_back(reading.value());
  return Done{};
}

Outcome read_key_file(const OptionReading& r) {
  if (r.value().empty()) return r.wrong("a file is expected");
  r.into.key_file = r.value();
  return Done{};
}

Outcome read_reservation(const OptionReading& reading) {
  const auto number = named_reservation(reading.value(), reading.site.reservation_called);
  if (!number) return number.error();
  if (!*number) return Error{"invalid advance reservation id, must be an unsigned integer"};
  const auto meant = **number;
  reading.request().reservation = meant, reading.request().stays_outside = !meant;
  return Done{};
}

Outcome read_pbs_reservation(const OptionReading& reading) {
  constexpr std::string_view before = "x=rsvid:";
  const std::string_view value = reading.value();
  const auto number = value.starts_with(before) ? parse_reservation_id(value.substr(before.size()))
                                                : Result<ReservationNumber>(Error{});
  if (!number || number->value <= 0)
    return reading.wrong("of its attributes only x=rsvid:R<id> is understood");
  reading.request().reservation = *number, reading.request().stays_outside = false;
  return Done{};
}

Outcome read_reserve_time(const OptionReading& reading) {
  const auto time = parse_duration(reading.value());
  if (!time || time->seconds <= 0 || time->is_endless())
    return reading.wrong("a time above 0 is expected");
  reading.request().reserve_for = *time;
  return Done{};
}

Outcome read_tasks(const OptionReading& reading) {
  const auto range = parse_task_range(reading.value());
  if (!range) return reading.wrong(range.what());
  reading.request().tasks = *range;
  return Done{};
}

Outcome read_most_running(const OptionReading& reading) {
  const auto number = parse_number(reading.value());
  if (!number) return reading.wrong("a number from 0 is expected");
  reading.request().most_running = *number;
  return Done{};
}

Outcome read_validation(const OptionReading& reading) {
  constexpr std::pair<std::string_view, Validation> letters[]{{"e", Validation::error},
                                                              {"w", Validation::warning},
                                                              {"n", Validation::none},
                                                              {"v", Validation::verify},
                                                              {"p", Validation::poke}};
  for (const auto& [letter, validation] : letters)
    if (letter == reading.value()) {
      reading.request().validation = validation;
      return Done{};
    }
  return reading.wrong("e, w, n, v or p is expected");
}

Outcome read_sync(const OptionReading& reading) {
  WaitFor wait;
  if (const auto value = parse_switch(reading.value())) wait.end = *value;
  else
    for (const char letter : reading.value())
      if (letter == 'r') wait.start = true;
      else if (letter == 'x') wait.end = true;
      else return reading.wrong("y, n, or letters of r (it runs) and x (it is over) are expected");
  reading.into.wait = wait;
  return Done{};
}

Outcome read_scope(const OptionReading& reading) {
  constexpr std::pair<std::string_view, Scope> scopes[]{
      {"global", Scope::global}, {"master", Scope::master}, {"slave", Scope::slave}};
  for (const auto& [word, scope] : scopes)
    if (word == reading.value()) return reading.position.scope = scope, Done{};
  return reading.wrong("global, master or slave is expected");
}

Outcome forget_all(const OptionReading& reading) {
  auto command = std::move(reading.into.command);
  reading.into = SubmitOptions();
  reading.into.command = std::move(command);
  reading.position = {};
  return Done{};
}

// ---- what fields may hold ---------------------------------------------------------------------

void no_more(Findings&, const JobRequest&) {}

void check_reserve_time(Findings& findings, const JobRequest& request) {
  if (request.reserve_for == Duration{}) return;
  findings.range("reserve time", request.reserve_for.seconds, 1, longest_time);
  findings.require(!request.reservation, "-reserve and -ar exclude each other");
  findings.require(!request.immediate, "-reserve and -now exclude each other");
  findings.require(request.validation != Validation::verify &&
                       request.validation != Validation::poke,
                   "-reserve and -w v or -w p exclude each other: ask qrsub -w v");
  findings.require(request.master_resources.empty() && request.slave_resources.empty() &&
                       request.slave_queues.empty(),
                   "-reserve and -scope exclude each other: -masterq is for the first slot");
}

void check_tasks(Findings& findings, const JobRequest& request) {
  findings.require(request.tasks == TaskRange() || is_typed_range(request.tasks),
                   "the range of tasks is not n-m:s with 1 <= n <= m <= 9999999 and s >= 1");
}

void check_context(Findings& findings, const JobRequest& request) {
  findings.size("variables of a context", request.context.size(), longest_wish);
  for (const auto& variable : request.context)
    findings.require(!variable.name.empty(), "a variable of the context has no name");
}

void check_array_predecessors(Findings& findings, const JobRequest& request) {
  check_job_patterns(findings, request.array_predecessors);
  findings.require(request.array_predecessors.empty() || !request.immediate,
                   "-hold_jid_ad and -now exclude each other");
}

void check_binding(Findings& findings, const JobRequest& request) {
  if (request.binding.empty()) return;
  const auto binding = parse_core_binding(request.binding);
  if (!binding) findings.note(binding.error(), "-binding: ");
}

void check_checkpoint_times(Findings& findings, const JobRequest& request) {
  if (!request.checkpoint_at.empty())
    findings.note(valid_checkpoint_times(request.checkpoint_at), "-c: ");
}

// ---- showing ----------------------------------------------------------------------------------

std::string text_of(const std::string& value, PrintTime) { return value; }

std::string text_of(const std::vector<std::string>& values, PrintTime) { return join(values, ","); }

std::string text_of(const std::vector<Attribute>& values, PrintTime) {
  return print_resource_requests(values);
}

std::string text_of(std::int64_t value, PrintTime) {
  return value > 0 ? std::to_string(value) : "";
}

std::string text_of(Instant value, PrintTime print) { return value.seconds ? print(value) : ""; }

std::string text_of(ReservationNumber value, PrintTime) { return value ? to_string(value) : ""; }

std::string text_of(bool value, PrintTime) { return value ? "y" : ""; }

std::string show_notify(const JobRequest& request, PrintTime) {
  return request.notify ? "TRUE" : "";
}

std::string show_priority(const JobRequest& request, PrintTime) {
  return std::to_string(request.priority);
}

std::string show_rerun(const JobRequest& request, PrintTime) {
  return request.rerun == Rerun::as_queue ? "" : request.rerun == Rerun::yes ? "y" : "n";
}

std::string show_no_shell(const JobRequest& request, PrintTime) {
  return request.direct ? "n" : "";
}

std::string show_pe(const JobRequest& request, PrintTime) {
  return request.pe.empty() ? "" : request.pe + " range: " + print_slot_ranges(request.slots);
}

std::string show_allocation(const JobRequest& request, PrintTime) {
  const auto& rule = request.allocation_rule;
  return rule.empty() ? "" : rule + " range: " + print_slot_ranges(request.slots);
}

std::string show_tasks(const JobRequest& request, PrintTime) {
  const auto& tasks = request.tasks;
  if (!tasks.is_array()) return "";
  return std::to_string(tasks.first) + "-" + std::to_string(tasks.last) + ":" +
         std::to_string(tasks.step);
}

std::string show_context(const JobRequest& request, PrintTime) {
  return print_context(request.context);
}

} // namespace almanac::columns

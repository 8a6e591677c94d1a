#include "core/request/reserve_table.hpp"

#include "core/mail/letter.hpp"
#include "core/request/alternative_kind.hpp"
#include "core/request/checks.hpp"
#include "core/request/reserve_checks.hpp"
#include "core/request/valid.hpp"
#include "core/text/names.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <utility>

namespace almanac {

namespace {

using namespace columns;
using R = ReservationRequest;

constexpr std::int64_t most_spares = 999; // hosts

// ---- reading ----------------------------------------------------------------------------------

Outcome read_duration(const ReserveReading& reading) {
  const auto duration = parse_duration(reading.value());
  if (!duration)
    return Error{"Wrong time format \"" + reading.value() + "\" specified to -d option"};
  reading.request().duration = *duration, reading.request().has_duration = true;
  return Done{};
}

Outcome read_start(const ReserveReading& reading) {
  auto& request = reading.request();
  reading.into.series.start = reading.value();
  request.asap = equal_ignoring_case(reading.value(), "asap");
  if (!request.asap) return read_instant<&R::start>(reading);
  request.start = {};
  return Done{};
}

// Of a series it is a time of day: which it is shows when all options have been read.
Outcome read_end(const ReserveReading& reading) {
  reading.into.series.end = reading.value();
  reading.request().end = {};
  return is_time_of_day(reading.value()) ? Outcome(Done{}) : read_instant<&R::end>(reading);
}

template <auto member> Outcome read_of_series(const ReserveReading& reading) {
  if (reading.value().empty()) return reading.wrong("nothing is given");
  reading.into.series.*member = reading.value();
  return Done{};
}

Outcome read_repeat(const ReserveReading& reading) {
  const auto rule = parse_repeat_rule(reading.value());
  if (!rule) return Error{"option -repeat: " + rule.what()}; // it may be of any length
  return read_of_series<&SeriesOptions::rule>(reading);
}

Outcome read_skipped(const ReserveReading& reading) {
  auto& skipped = reading.into.series.skipped;
  if (reading.value().empty()) return reading.wrong("no day is named");
  if (reading.is_first()) skipped.clear();
  for (auto& word : split(reading.value(), ',')) skipped.push_back(std::move(word));
  return Done{};
}

Outcome read_zone(const ReserveReading& reading) {
  if (!is_zone_name(reading.value())) return reading.wrong("unknown time zone");
  return read_of_series<&SeriesOptions::zone>(reading);
}

Outcome read_conflict(const ReserveReading& reading) {
  if (reading.value() != "refuse" && reading.value() != "wait")
    return reading.wrong("\"refuse\" or \"wait\" is expected");
  return read_of_series<&SeriesOptions::conflict>(reading);
}

// What "n" stands behind does not count.
Outcome read_occasions(const ReserveReading& reading) {
  const auto occasions = parse_mail_occasions(reading.value(), "bean");
  if (!occasions) return reading.wrong("expected letters of b, e, a and n");
  auto& mail_at = reading.request().mail_at;
  if (occasions->empty() || reading.is_first()) mail_at.clear();
  for (const char letter : *occasions) {
    if (letter == 'n') mail_at.clear();
    else if (mail_at.find(letter) == std::string::npos) mail_at += letter;
  }
  return Done{};
}

Outcome read_addresses(const ReserveReading& reading) {
  auto list = parse_mail_list(reading.value());
  if (!list) return reading.wrong(list.what());
  auto& mail_to = reading.request().mail_to;
  if (reading.is_first()) mail_to.clear();
  for (auto& address : *list)
    if (std::find(mail_to.begin(), mail_to.end(), address) == mail_to.end())
      mail_to.push_back(std::move(address));
  return Done{};
}

Outcome read_name(const ReserveReading& reading) {
  reading.request().name = reading.value();
  if (auto valid = valid_reservation_name(reading.value()); !valid)
    return Error{"denied: " + valid.what()};
  return Done{};
}

Outcome read_host(const ReserveReading& reading) {
  if (auto added = add_resource_requests(reading.request().resources, "h=" + reading.value());
      !added)
    return reading.wrong(added.what());
  return Done{};
}

template <auto member> Outcome read_more(const ReserveReading& reading) {
  auto& list = reading.request().*member;
  if (reading.is_first()) list.clear();
  for (auto& word : split(reading.value(), ',')) list.push_back(std::move(word));
  return Done{};
}

// No queue is not every queue.
template <auto member> Outcome read_queue_list(const ReserveReading& reading) {
  if (words(reading.value(), ", ").empty()) return reading.wrong("no queue is named");
  for (const auto& name : split(reading.value(), ','))
    if (words(name, " ").empty()) return reading.wrong("a name is empty");
  return read_more<member>(reading);
}

Outcome read_users(const ReserveReading& reading) {
  const auto names = split(reading.value(), ',');
  if (words(reading.value(), ", !@").empty()) return reading.wrong("no user is named");
  for (const auto& name : names)
    if (words(name, "!@").empty()) return reading.wrong("a name is empty");
  return read_more<&R::users>(reading);
}

Outcome read_named_pe(const ReserveReading& reading) {
  if (reading.value().empty()) return reading.wrong("no parallel environment is named");
  // In Grid Engine's words (spec/observed-gridengine.md section 2).
  const auto& range = reading.option.values[1];
  if (!range.empty() && range.find_first_of("0123456789") == std::string::npos)
    return Error{"Numerical value invalid!\nThe initial portion of string \"" + excerpt(range) +
                 "\" contains no decimal number"};
  if (!range.empty() && range.find_first_not_of("0-,") == std::string::npos)
    return Error{"\"advance_reservation\" rejected: pe range must be greater than zero"};
  return read_pe<&R::pe, &R::slots, &R::allocation_rule>(reading);
}

Outcome read_checkpoint(const ReserveReading& reading) {
  if (reading.value().empty()) return reading.wrong("no checkpointing environment is named");
  return read_text<&R::checkpoint>(reading);
}

// The word may be missing: then it means yes.
Outcome read_immediate(const ReserveReading& reading) {
  const auto immediate =
      reading.option.values.empty() ? Result<bool>(true) : y_or_n(reading.option);
  if (!immediate) return immediate.error();
  reading.request().immediate = *immediate;
  return Done{};
}

Outcome read_project(const ReserveReading& reading) {
  if (reading.value().empty()) return reading.wrong("no project is named");
  return read_text<&R::project>(reading);
}

Outcome read_from_job(const ReserveReading& reading) {
  const auto number = parse_number(reading.value());
  if (!number || *number < 1 || *number > most_slots) return reading.wrong("no such job");
  reading.into.from_job = {*number};
  return Done{};
}

// Seconds, then what may be offered instead. How long is at most allowed the master knows.
Outcome read_offer(const ReserveReading& reading) {
  auto kinds = split(reading.value(), ',');
  const auto seconds = parse_number(kinds.empty() ? "" : kinds.front());
  if (!seconds || *seconds < 1)
    return reading.wrong("a number of seconds is expected, from 1 to max_offer_time");
  kinds.erase(kinds.begin());
  for (const auto& kind : kinds)
    if (!is_alternative(kind))
      return reading.wrong("\"" + excerpt(kind) +
                           "\" is not one of later, earlier, shorter, fewer, elsewhere");
  reading.into.offer_for = {std::min(*seconds, longest_time)};
  reading.into.offer_kinds = std::move(kinds);
  return Done{};
}

// On the command line it is read before everything else.
Outcome read_accepted(const ReserveReading& reading) {
  return reading.wrong("it does not stand in a file");
}

// They count as if they stood where the file is named.
Outcome read_file(const ReserveReading& reading) {
  if (!reading.options_of) return reading.wrong("no file of options is read here");
  const auto options = reading.options_of(reading.value());
  if (!options) return options.error();
  for (const auto& option : *options)
    if (option.name == reading.option.name)
      return reading.wrong("it names a file of options itself");
  return read_reserve_options(reading.into, *options, reading.date, reading.options_of,
                              reading.read);
}

Outcome read_repair(const ReserveReading& reading) {
  const auto& value = reading.value();
  auto& repair = reading.request().repair;
  const auto is_on = parse_switch(value);
  if (is_on) repair = *is_on ? Repair::yes : Repair::no;
  else if (value == "repair") repair = Repair::yes;
  else if (value == "wait") repair = Repair::no;
  else if (value == "fail") repair = Repair::fail;
  else return reading.wrong("\"" + excerpt(value) + "\" is not one of repair, wait, fail, y, n");
  return Done{};
}

Outcome read_spare(const ReserveReading& reading) {
  const auto hosts = parse_number(reading.value());
  if (!hosts) return reading.wrong("a number of hosts is expected");
  reading.request().spare = *hosts;
  return Done{};
}

// In minutes, or "none".
Outcome read_idle(const ReserveReading& reading) {
  auto& request = reading.request();
  const auto minutes = parse_number(reading.value());
  if (!minutes && !equal_ignoring_case(reading.value(), "none"))
    return reading.wrong("a number of minutes or \"none\" is expected");
  request.ends_when_idle = minutes.ok();
  request.idle_for = {minutes ? std::min(*minutes, longest_time) * 60 : 0};
  return Done{};
}

Outcome read_hosts(const ReserveReading& reading) {
  if (words(reading.value(), ",@").empty()) return reading.wrong("no host is named");
  for (const auto& name : split(reading.value(), ','))
    if (words(name, "@").empty()) return reading.wrong("a name is empty");
  return read_more<&R::hosts>(reading);
}

Outcome read_running(const ReserveReading& reading) {
  const auto& value = reading.value();
  if (value != "leave" && value != "requeue") return reading.wrong("leave or requeue is expected");
  reading.request().requeue_running = value == "requeue";
  reading.into.names_running = true;
  return Done{};
}

Outcome read_validation(const ReserveReading& reading) {
  const auto& value = reading.value();
  if (value != "e" && value != "v" && value != "p")
    return Error{"invalid option argument \"-w " + value + "\""};
  reading.into.verify = value != "e", reading.into.price = value == "p";
  return Done{};
}

// ---- what fields may hold ---------------------------------------------------------------------

void no_more(Findings&, const R&) {}

// ---- the rows ---------------------------------------------------------------------------------

const ReserveOption table[]{
    {.name = "-pe",
     .values = "pe slot_range",
     .help = "slots of a parallel environment",
     .read = read_named_pe,
     .check = check_pe},
    {.name = "-alloc",
     .values = "rule slot_range",
     .help = "slots by a rule (a number per host, $pe_slots, $fill_up, $round_robin), without a "
             "parallel environment; with it -l c=a/b asks for a for every b slots",
     .read = read_allocation<&R::pe, &R::slots, &R::allocation_rule>,
     .check = no_more},
    {.name = "-par",
     .values = "rule",
     .help = "with -pe: in place of the allocation_rule of the parallel environment",
     .read = read_pe_rule<&R::pe_rule>,
     .check = no_more},
    {.name = "-q",
     .values = "queue_list",
     .help = "queues it may lie in",
     .read = read_queue_list<&R::queues>,
     .check = [](Findings& f, const R& r) { f.size("queues", r.queues.size(), longest_wish); }},
    {.name = "-masterq",
     .values = "queue_list",
     .help = "with -pe or -alloc: queues that its first slots may lie in",
     .read = read_queue_list<&R::master_queues>,
     .check = check_master_queues},
    {.name = "-now",
     .values = "[y|n]",
     .help = "y, also without a word: only queues of type INTERACTIVE",
     .read = read_immediate,
     .check = no_more},
    {.name = "-P",
     .values = "project",
     .help = "the project it belongs to",
     .read = read_project,
     .check = no_more},
    {.name = "-l",
     .values = "resource_list",
     .help = "requests, as name=value,...",
     .read = read_resources<&R::resources>,
     .check = [](Findings& f,
                 const R& r) { f.size("resources", r.resources.size(), longest_wish); }},
    {.name = "-h",
     .values = "host",
     .help = "the same as -l h=host",
     .read = read_host,
     .check = no_more},
    {.name = "-a",
     .values = "date_time|asap",
     .help = "start of the reservation, now if it is missing; asap: as soon as it fits",
     .read = read_start,
     .check = check_start},
    {.name = "-e",
     .values = "date_time",
     .help = "its end; with -repeat a time of day, hhmm",
     .read = read_end,
     .check = [](Findings& f, const R& r) { check_instant(f, "end time", r.end); }},
    {.name = "-d",
     .values = "time",
     .help = "its duration",
     .read = read_duration,
     .check = check_duration},
    {.name = "-ckpt",
     .values = "ckpt_name",
     .help = "only queue instances that list this checkpointing environment",
     .read = read_checkpoint,
     .check = no_more},
    {.name = "-m",
     .values = "b|e|a|n",
     .help = "mail at its begin, its end, or in error and when it is healthy again",
     .read = read_occasions,
     .check = [](Findings& f,
                 const R& r) { check_mail_occasions(f, r.mail_at, mail_of_reservations); }},
    {.name = "-M",
     .values = "user[@host],...",
     .help = "who gets it, beside the owner",
     .read = read_addresses,
     .check = [](Findings& f, const R& r) { check_mail_addresses(f, r.mail_to); }},
    {.name = "-N", .values = "name", .help = "its name", .read = read_name, .check = no_more},
    {.name = "-A",
     .values = "account",
     .help = "account string",
     .read = read_text<&R::account>,
     .check = no_more},
    {.name = "-u",
     .values = "user_list",
     .help = "users, patterns and @lists who may use it; with ! those who may not",
     .read = read_users,
     .check = no_more},
    {.name = "-he",
     .values = "y|n",
     .help = "hard error handling: no job starts while a part of it is lost",
     .read = read_switch<&R::hard>,
     .check = no_more},
    {.name = "-repair",
     .values = "repair|wait|fail|y|n",
     .help = "what is lost of it is replaced by other slots (repair, y) or missed until it is back "
             "(wait, n); fail: replaced, and if that can't be done in time "
             "(qmaster_params repair_patience) it ends; as the site decides (qmaster_params "
             "REPAIR_AR) if it is missing",
     .read = read_repair,
     .check = no_more},
    {.name = "-spare",
     .values = "hosts",
     .help = "so many more hosts stand ready in its window, for as many that it may lose; it is "
             "repaired then if -repair does not say wait",
     .read = read_spare,
     .check = [](Findings& f, const R& r) { f.range("spare hosts", r.spare, 0, most_spares); }},
    {.name = "-idle",
     .values = "minutes|none",
     .help = "it ends when nothing has used it for so long; 0: with its last job",
     .read = read_idle,
     .check = check_idle},
    {.name = "-maintenance",
     .values = "",
     .help = "for managers: a maintenance, which closes hosts; reservations move away from them",
     .read = [](const ReserveReading& r) -> Outcome {
       return r.request().maintenance = true, Done{};
     },
     .check = check_maintenance},
    {.name = "-hosts",
     .values = "host_list",
     .help = "with -maintenance: its hosts, as names, patterns and @groups",
     .read = read_hosts,
     .check = check_hosts},
    {.name = "-running",
     .values = "leave|requeue",
     .help = "with -maintenance: whether jobs that still run at its start are left alone, or put "
             "back where they may be run again",
     .read = read_running,
     .check = check_running},
    {.name = "-f",
     .values = "",
     .help = "with -maintenance: also where reservations cannot move away",
     .read = [](const ReserveReading& r) -> Outcome { return r.into.force = true, Done{}; },
     .check = no_more},
    {.name = "-attract",
     .values = "y|n",
     .help = "whether jobs of its users that did not name it may run inside, where they have a run "
             "limit and end in time",
     .read = read_switch<&R::attract>,
     .check = no_more},
    {.name = "-w",
     .values = "e|v|p",
     .help = "v: only verify, reserve nothing; p: and say what it would cost others",
     .read = read_validation,
     .check = no_more},
    {.name = "-override-holds",
     .values = "",
     .help = "for managers: take places that are held for waiting jobs (-R y), too",
     .read = [](const ReserveReading& r) -> Outcome {
       return r.into.override_holds = true, Done{};
     },
     .check = no_more},
    {.name = "-from-job",
     .values = "job_id",
     .help = "what this waiting job asks for, as soon as it fits; the job is bound to it",
     .read = read_from_job,
     .check = no_more},
    {.name = "-offer",
     .values = "seconds[,kinds]",
     .help = "offer it, or else the first alternative of these kinds (later, earlier, shorter, "
             "fewer, elsewhere; later and earlier if none is named), for so long; exit status 2",
     .read = read_offer,
     .check = no_more},
    {.name = "-accept",
     .values = "token",
     .help = "accept what -offer has offered; no other option goes with it",
     .read = read_accepted,
     .check = no_more},
    {.name = "-repeat",
     .values = "rule",
     .help = "it comes again by this rule (RFC 5545): FREQ=DAILY|WEEKLY|MONTHLY|YEARLY;INTERVAL=n;"
             "COUNT=n;BYDAY=MO,TH and others; -a is its first day and time of day",
     .read = read_repeat,
     .check = no_more},
    {.name = "-until",
     .values = "date_time",
     .help = "with -repeat: the last day, or moment, on which it may begin",
     .read = read_of_series<&SeriesOptions::until>,
     .check = no_more},
    {.name = "-skip",
     .values = "date,...",
     .help = "with -repeat: days on which it does not come",
     .read = read_skipped,
     .check = no_more},
    {.name = "-zone",
     .values = "time_zone",
     .help =
         "with -repeat: whose wall clock counts, as Europe/Berlin; the caller's if it is missing",
     .read = read_zone,
     .check = no_more},
    {.name = "-conflict",
     .values = "refuse|wait",
     .help = "with -repeat: all or nothing; wait: what does not fit now is tried again",
     .read = read_conflict,
     .check = no_more},
    {.name = "-explain",
     .values = "",
     .help = "where it is refused: what is needed, what is free, and who has the rest for how long",
     .read = [](const ReserveReading& r) -> Outcome { return r.into.explain = true, Done{}; },
     .check = no_more},
    {.name = "-@",
     .values = "file",
     .help = "read options from this file",
     .read = read_file,
     .check = no_more},
    {.name = "-help",
     .values = "",
     .help = "print this help",
     .read = [](const ReserveReading& r) -> Outcome { return r.into.help = true, Done{}; },
     .check = no_more},
};

} // namespace

std::span<const ReserveOption> reserve_table() { return table; }

bool ReserveReading::is_first() const {
  return std::find(read.begin(), read.end(), option.name) == read.end();
}

Outcome read_reserve_options(ReserveOptions& into, const std::vector<GivenOption>& options,
                             const ToInstant& date, const OptionsOf& options_of,
                             std::vector<std::string>& read) {
  for (const auto& option : options) {
    const auto* row = find_reserve_option(option.name);
    check(row != nullptr, "an option that is read stands in the table");
    if (auto done = (*row->read)({into, option, date, options_of, read}); !done) return done;
    read.push_back(option.name);
  }
  return Done{};
}

const ReserveOption* find_reserve_option(std::string_view name) {
  const auto* found = std::find_if(std::begin(table), std::end(table),
                                   [&](auto& row) { return *row.name == name; });
  return found == std::end(table) ? nullptr : found;
}

std::vector<UsageLine> reserve_usage() {
  std::vector<UsageLine> lines;
  for (const auto& option : table)
    lines.push_back(
        {std::string(*option.name), std::string(*option.values), std::string(*option.help)});
  return lines;
}

} // namespace almanac

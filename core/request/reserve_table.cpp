#include "core/request/reserve_table.hpp"

#include "core/mail/letter.hpp"
#include "core/request/checks.hpp"
#include "core/request/valid.hpp"
#include "core/text/names.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <utility>

namespace almanac {

namespace {

using namespace columns;
using R = ReservationRequest;

constexpr std::int64_t longest_idle = 525'600; // minutes

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
  request.asap = equal_ignoring_case(reading.value(), "asap");
  if (!request.asap) return read_instant<&R::start>(reading);
  request.start = {};
  return Done{};
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
  if (auto valid = valid_name_unlike_number(reading.value()); !valid)
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

Outcome read_users(const ReserveReading& reading) {
  const auto names = split(reading.value(), ',');
  if (words(reading.value(), ", !@").empty()) return reading.wrong("no user is named");
  for (const auto& name : names)
    if (words(name, "!@").empty()) return reading.wrong("a name is empty");
  return read_more<&R::users>(reading);
}

Outcome read_named_pe(const ReserveReading& reading) {
  if (reading.value().empty()) return reading.wrong("no parallel environment is named");
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
  const auto repair = y_or_n(reading.option);
  if (!repair) return repair.error();
  reading.request().repair = *repair ? Repair::yes : Repair::no;
  return Done{};
}

// In minutes, or "none".
Outcome read_idle(const ReserveReading& reading) {
  auto& request = reading.request();
  const auto minutes = parse_number(reading.value());
  if (!minutes && !equal_ignoring_case(reading.value(), "none"))
    return reading.wrong("a number of minutes or \"none\" is expected");
  request.ends_when_idle = minutes.ok();
  request.idle_for = {minutes ? std::min(*minutes, longest_idle + 1) * 60 : 0};
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

// Without an end is refused later, as the command's users know it.
void check_duration(Findings& findings, const R& r) {
  if (r.duration.is_endless()) return;
  findings.range("duration", r.duration.seconds, 0, longest_time);
  if (!findings.any() && r.has_duration) check_instant(findings, "end time", r.start + r.duration);
}

void check_start(Findings& findings, const R& r) {
  check_instant(findings, "start time", r.start);
  findings.require(!r.asap || r.start == Instant{}, "asap and a start time exclude each other");
}

void check_idle(Findings& findings, const R& r) {
  findings.range("idle minutes", r.idle_for.seconds / 60, 0, longest_idle);
  findings.require(r.idle_for.seconds % 60 == 0, "idle time is counted in whole minutes");
  findings.require(r.ends_when_idle || r.idle_for == Duration{}, "idle time without -idle");
}

void check_master_queues(Findings& findings, const R& r) {
  findings.size("master queues", r.master_queues.size(), longest_wish);
  findings.require(r.master_queues.empty() || !r.slots.empty(), "-masterq needs -pe");
}

void check_pe(Findings& findings, const R& r) {
  const bool has_name = !r.pe.empty() || !r.allocation_rule.empty();
  findings.require(has_name == !r.slots.empty(), "-pe needs a name and a slot range");
  findings.require(r.pe.empty() || r.allocation_rule.empty(), "-pe and -alloc exclude each other");
  check_slots(findings, r.slots);
  check_allocation_rule(findings, r.allocation_rule);
}

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
    {.name = "-q",
     .values = "queue_list",
     .help = "queues it may lie in",
     .read = read_more<&R::queues>,
     .check = [](Findings& f, const R& r) { f.size("queues", r.queues.size(), longest_wish); }},
    {.name = "-masterq",
     .values = "queue_list",
     .help = "with -pe or -alloc: queues that its first slots may lie in",
     .read = read_more<&R::master_queues>,
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
     .help = "its end",
     .read = read_instant<&R::end>,
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
     .values = "y|n",
     .help = "whether what is lost of it is replaced by other slots; as the site decides "
             "(qmaster_params REPAIR_AR) if it is missing",
     .read = read_repair,
     .check = no_more},
    {.name = "-idle",
     .values = "minutes|none",
     .help = "it ends when nothing has used it for so long; 0: with its last job",
     .read = read_idle,
     .check = check_idle},
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

// ---- what qralter changes of it ------------------------------------------------------------------

template <auto... members> void copy(R& into, const R& from) {
  ((into.*members = from.*members), ...);
}

const ReserveAlteration alterations[]{
    {.name = "-a", .copy = copy<&R::start, &R::asap>, .reshapes = true, .clears = false},
    {.name = "-e", .copy = copy<&R::end>, .reshapes = true, .clears = false},
    {.name = "-d", .copy = copy<&R::duration, &R::has_duration>, .reshapes = true, .clears = false},
    {.name = "-l", .copy = copy<&R::resources>, .reshapes = true, .clears = true},
    {.name = "-q", .copy = copy<&R::queues>, .reshapes = true, .clears = true},
    {.name = "-pe",
     .copy = copy<&R::pe, &R::slots, &R::allocation_rule>,
     .reshapes = true,
     .clears = false},
    {.name = "-u", .copy = copy<&R::users, &R::groups>, .reshapes = true, .clears = true},
    {.name = "-he", .copy = copy<&R::hard>, .reshapes = false, .clears = false},
    {.name = "-repair", .copy = copy<&R::repair>, .reshapes = false, .clears = false},
    {.name = "-idle",
     .copy = copy<&R::ends_when_idle, &R::idle_for>,
     .reshapes = false,
     .clears = false},
    {.name = "-m", .copy = copy<&R::mail_at>, .reshapes = false, .clears = false},
    {.name = "-M", .copy = copy<&R::mail_to>, .reshapes = false, .clears = true},
    {.name = "-N", .copy = copy<&R::name>, .reshapes = false, .clears = true},
    {.name = "-A", .copy = copy<&R::account>, .reshapes = false, .clears = false},
};

const OptionRule not_built[]{
    {"-spare", 1, false},       {"-offer", 1, false},    {"-accept", 1, false},
    {"-repeat", 1, false},      {"-skip", 1, false},     {"-until", 1, false},
    {"-zone", 1, false},        {"-conflict", 1, false}, {"-attract", 1, false},
    {"-maintenance", 0, false}, {"-hosts", 1, false},    {"-running", 1, false}};

} // namespace

std::span<const ReserveOption> reserve_table() { return table; }
std::span<const OptionRule> reserve_options_not_built() { return not_built; }

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

std::span<const ReserveAlteration> reserve_alterations() { return alterations; }

const ReserveAlteration* find_reserve_alteration(std::string_view name) {
  const auto* found = std::find_if(std::begin(alterations), std::end(alterations),
                                   [&](auto& row) { return *row.name == name; });
  return found == std::end(alterations) ? nullptr : found;
}

std::vector<UsageLine> reserve_alteration_usage() {
  std::vector<UsageLine> lines{
      {"-f", "", "also where jobs in it are in the way: they end earlier, or get a user hold"},
      {"-rest", "", "this occurrence of a series and all later ones"}};
  for (auto& line : reserve_usage())
    if (find_reserve_alteration(line.name) || line.name == "-help") lines.push_back(line);
    else if (line.name == "-w")
      lines.push_back(
          {"-w", line.values, "v: only tell what would change; p: and what it would cost others"});
  return lines;
}

std::vector<UsageLine> reserve_usage() {
  std::vector<UsageLine> lines;
  for (const auto& option : table)
    lines.push_back(
        {std::string(*option.name), std::string(*option.values), std::string(*option.help)});
  return lines;
}

} // namespace almanac

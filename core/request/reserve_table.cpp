#include "core/request/reserve_table.hpp"

#include "core/request/checks.hpp"
#include "core/request/reserve_checks.hpp"
#include "core/request/reserve_columns.hpp"

#include <algorithm>

namespace almanac {

namespace {

using namespace columns;
using R = ReservationRequest;

constexpr std::int64_t most_spares = 999; // hosts

void no_more(Findings&, const R&) {}

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

#include "tools/commands/commands.hpp"

#include "core/text/pattern.hpp"
#include "core/text/values.hpp"
#include "core/text/words.hpp"
#include "tools/commands/instance_options.hpp"
#include "tools/commands/output_form.hpp"
#include "tools/commands/qstat_details.hpp"
#include "tools/output/instance_list.hpp"
#include "tools/output/job_json.hpp"
#include "tools/output/job_table.hpp"
#include "tools/output/job_xml.hpp"
#include "tools/output/queue_summary.hpp"

#include <algorithm>
#include <iostream>
#include <iterator>
#include <set>

namespace almanac {

namespace {

constexpr const char* usage = R"(usage: qstat [options]
   -dj                       refused: it shows what only Grid Engine's own qstat keeps in memory
   -dq                       refused, as -dj
   -explain a|A|c|d|E        -f with the reasons why queue instances are in these states; E also
                             says which maintenance closes them
   -ext                      with tickets, project, department and what is used
   -f                        queue instances with their jobs
   -F [resources]            the same with resources: names or shortcuts
   -g c|d|t                  c: sums for each cluster queue; d: a line for each task; t: a line for
                             each slot of a parallel job
   -help                     print this help
   -j [job_list]             jobs in detail, with the reasons why they wait; without a list, the
                             reasons of all that wait
   -json                     as JSON (share/schemas/qstat.schema.json, with -j qstat_job.schema.json)
   -l resource_list          only queue instances that offer this now, as name=value,..., and jobs
                             that run there or could
   -ncb                      with -j: without the cores that jobs ask to be bound to
   -ne                       with -f: without queue instances on which nothing runs
   -pe pe_list               the same for queue instances with one of these parallel environments
   -pri                      with the parts of the priority
   -q queue_list             the same for these: queues, instances, host groups, patterns
   -qs letters               the same for those in one of the states a, A, C, D, d, u, E, S, s, c, o
   -r                        with the requests of each job
   -s p|r|s|z|h|hu|ho|hs|hd|hj|ha|a
                             only pending, running, suspended, finished or held jobs, or all but
                             finished ones; hu, ho, hs: held by a user, an operator, the system;
                             hj, hd: by jobs, or tasks, that come before; ha: by its start time
   -t                        with the tasks of parallel jobs, as -g t
   -u user_list              jobs of these users; * for all, yours if it is missing
   -U user_list              as -q, for queue instances that one of these users may use
   -urg                      with the parts of the urgency
   -xml                      as XML
)";

const std::vector<OptionRule>& option_rules() {
  static const std::vector<OptionRule> rules = [] {
    std::vector<OptionRule> all{{"-f", 0},   {"-F", -1},        {"-explain", 1},  {"-help", 0},
                                {"-j", -1},  {"-s", 1},         {"-u", 1},        {"-r", 0},
                                {"-ne", 0},  {"-g", 1},         {"-ext", 0},      {"-pri", 0},
                                {"-urg", 0}, {"-t", 0},         {"-xml", 0},      {"-json", 0},
                                {"-ncb", 0}, {"-dj", 0, false}, {"-dq", 0, false}};
    const auto& of_instances = instance_option_rules();
    all.insert(all.end(), of_instances.begin(), of_instances.end());
    return all;
  }();
  return rules;
}

// What the options say of what is listed, and how.
struct Listing {
  InstanceSelection selection;
  JobStates states;
  JobGrouping grouping;
  JobColumns columns;
  InstanceDetail detail;
  bool with_instances = false, sums = false;
  DetailForm form = DetailForm::text;
  std::vector<std::string> users;
};

DetailForm form_of(const GivenOptions& given) {
  const auto form = last_form(given);
  return form == "-xml" ? DetailForm::xml : form == "-json" ? DetailForm::json : DetailForm::text;
}

Result<Listing> listing_of(const Context& context, const GivenOptions& given) {
  Listing listing;
  auto selection = instance_selection(context, given);
  if (!selection) return selection.error();
  listing.selection = std::move(*selection);
  if (const auto* letters = given.last("-s")) {
    auto states = JobStates::parse(*letters);
    if (!states) return states.error();
    listing.states = *states;
  }
  for (const auto& option : given.options) {
    const auto has_other = [&](const char* letters) {
      const auto& value = option.values.front();
      return value.empty() || value.find_first_not_of(letters) != std::string::npos;
    };
    const auto has = [&](char letter) {
      return option.values.front().find(letter) != std::string::npos;
    };
    if (option.name == "-g") {
      if (has_other("cdt")) return option.wrong("expected letters of c, d and t");
      listing.sums |= has('c');
      listing.grouping.each_task |= has('d'), listing.grouping.each_slot |= has('t');
    }
    if (option.name == "-explain") {
      if (has_other("aAcdE")) return option.wrong("expected letters of a, A, c, d and E");
      listing.detail.reasons += option.values.front();
    }
  }
  listing.columns.tasks = given.has("-t");
  listing.grouping.each_slot |= given.has("-t");
  listing.columns.roles = listing.grouping.each_slot;
  listing.columns.priority = given.has("-pri"), listing.columns.urgency = given.has("-urg");
  listing.columns.extended = given.has("-ext"), listing.columns.requests = given.has("-r");
  listing.detail.resources = given.has("-F"), listing.detail.hide_empty = given.has("-ne");
  if (const auto* resources = given.last("-F")) listing.detail.named = words(*resources);
  if (const auto* load = context.variable("SGE_QSTAT_LOAD_AVG"); load && !load->empty())
    listing.detail.load = *load;
  // Only who asks for it, and only on a terminal.
  const auto* colour = context.variable("ALMANAC_COLOR");
  const auto wants_colour = parse_switch(colour ? *colour : "n");
  if (context.shows_person && wants_colour && *wants_colour) listing.columns.colour = Colour::shown;
  listing.with_instances =
      given.has("-f") || listing.detail.resources || !listing.detail.reasons.empty();
  listing.form = form_of(given);
  const auto* users = given.last("-u");
  listing.users = split(users ? *users : "$user", ',');
  return listing;
}

int fetch(Context& context, const Listing& listing, ClusterList& cluster) {
  door::GetCluster query;
  query.selection = listing.selection;
  return ask<door::Cluster>(context, std::move(query),
                            [&](door::Cluster& frame) { cluster.add(frame); });
}

int fetch(Context& context, const Listing& listing, std::vector<door::Lines>& frames) {
  door::GetLines query;
  query.users = listing.users, query.selection = listing.selection;
  query.all_grants = listing.with_instances || listing.grouping.each_slot;
  query.requests = listing.columns.requests;
  return ask<door::Lines>(context, std::move(query),
                          [&](door::Lines& frame) { frames.push_back(std::move(frame)); });
}

// The last ones that ended, of the users who are listed.
int fetch_finished(Context& context, const Listing& listing, std::vector<door::Lines>& frames) {
  constexpr std::size_t most = 100;
  std::vector<AccountingRecord> records;
  AccountingFilter filter;
  filter.tasks_only = true;
  const int asked =
      ask<door::Accounting>(context, door::GetAccounting{filter}, [&](door::Accounting& frame) {
        for (auto& record : frame.records)
          if (std::any_of(listing.users.begin(), listing.users.end(), [&](const std::string& user) {
                return user == "$user" ? record.owner == context.user
                                       : matches_pattern(user, record.owner);
              }))
            records.push_back(std::move(record));
        if (records.size() > most)
          records.erase(records.begin(), records.end() - static_cast<std::ptrdiff_t>(most));
      });
  if (asked == 0) frames.push_back(finished_lines(records));
  return asked;
}

int print_sums(Context& context, const Listing& listing) {
  ClusterList cluster;
  if (const int asked = fetch(context, listing, cluster); asked != 0) return asked;
  const auto states = listing.columns.extended ? SummaryStates::shown : SummaryStates::hidden;
  const auto sums = summaries_of(cluster);
  if (listing.form == DetailForm::xml) print_summaries_xml(context.out, sums, states);
  else if (listing.form == DetailForm::json) print_summaries_json(context.out, sums);
  else print_summaries(context.out, sums, states);
  return 0;
}

int print_list(Context& context, Listing& listing) {
  std::vector<door::Lines> frames;
  ClusterList cluster;
  int asked = fetch(context, listing, frames);
  if (asked == 0 && listing.states.wants_finished())
    asked = fetch_finished(context, listing, frames);
  if (asked == 0 && listing.with_instances) asked = fetch(context, listing, cluster);
  if (asked != 0) return asked;
  // Not among the rows, which programs read.
  for (const auto& frame : frames)
    if (!frame.notice.empty()) context.err << "warning: " << frame.notice << "\n";
  auto rows = job_rows(frames, listing.grouping);
  std::erase_if(rows, [&](const JobRow& row) { return !listing.states.wants(row); });
  auto& columns = listing.columns;
  columns.queue_width = queue_width(context.variable("SGE_LONG_QNAMES"), rows);
  columns.number_width = number_width(rows);
  auto& out = context.out;
  switch (listing.form) {
  case DetailForm::xml:
    if (listing.with_instances) print_instances_xml(out, cluster, rows, listing.detail, columns);
    else print_jobs_xml(out, rows, columns);
    break;
  case DetailForm::json:
    if (listing.with_instances) print_instances_json(out, cluster, rows, listing.detail);
    else print_jobs_json(out, rows);
    break;
  case DetailForm::text:
    if (listing.with_instances) print_instances(out, cluster, rows, listing.detail, columns);
    else print_jobs(out, rows, columns);
  }
  return 0;
}

// Of each -j.
std::string named_jobs(const GivenOptions& given) {
  std::vector<std::string> lists;
  for (const auto& [name, values] : given.options)
    if (name == "-j") lists.insert(lists.end(), values.begin(), values.end());
  return join(lists, ",");
}

} // namespace

int qstat(Context& context) {
  int code = 0;
  const auto given = read_options(context, option_rules(), usage, code, "sge_qstat");
  if (!given) return code;
  const auto* users = given->last("-u");
  if (users && words(*users).empty()) return complain(context, "option -u: no user is named");
  const auto form = form_of(*given);
  if (given->last("-j"))
    return print_details(context, named_jobs(*given), form,
                         given->has("-ncb") ? Bindings::left_out : Bindings::shown);
  if (given->has("-j")) return print_reasons(context, users, form);
  auto listing = listing_of(context, *given);
  if (!listing) return complain(context, listing.what());
  return listing->sums ? print_sums(context, *listing) : print_list(context, *listing);
}

} // namespace almanac

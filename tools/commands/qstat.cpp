#include "tools/commands/commands.hpp"

#include "core/answer/gridengine.hpp"
#include "core/request/submit_table.hpp"
#include "core/text/pattern.hpp"
#include "core/text/words.hpp"
#include "core/text/table.hpp"

#include <algorithm>
#include <iostream>
#include <map>
#include <set>
#include <tuple>

namespace almanac {

namespace {

constexpr const char* usage = R"(usage: qstat [options]
   -f                        queue instances with their jobs
   -F [resources]            the same with resources
   -ext                      with tickets, project and department
   -explain E                with -f: the reason of an error state, or of D in a maintenance
   -help                     print this help
   -j [job_list]             jobs in detail, with the reasons why they wait; without a list, the
                             reasons of all that wait
   -pri                      with the parts of the priority
   -s p|r|s|h|a              only pending, running, suspended, held or all jobs
   -u user_list              jobs of these users; * for all, yours if it is missing
   -urg                      with the parts of the urgency
)";

// One line of the table; it points into the frames.
struct Row {
  const door::JobLines* job = nullptr;
  const JobLine* line = nullptr;
};

std::vector<Row> rows_of(const std::vector<door::Lines>& frames) {
  std::vector<Row> rows;
  for (const auto& frame : frames)
    for (const auto& job : frame.jobs)
      for (const auto& line : job.lines) rows.push_back({&job, &line});
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
    return std::make_tuple(!a.line->running, -a.job->priority.value, a.job->number) <
           std::make_tuple(!b.line->running, -b.job->priority.value, b.job->number);
  });
  return rows;
}

// The parts of the priority that are asked for (-pri, -urg, -ext).
struct Columns {
  bool priority = false, urgency = false, extended = false;
};

std::string weight(std::int64_t millionths) {
  return fixed(static_cast<double>(millionths) / 1e6, 5);
}
std::string whole(std::int64_t millionths, std::size_t width) {
  return right(std::to_string(millionths / 1'000'000), width) + " ";
}

std::string priority_columns(const door::JobLines& job, const Columns& columns) {
  const auto& priority = job.priority;
  std::string text;
  if (columns.priority)
    text += weight(priority.normal_urgency) + " " + weight(priority.posix) + " " +
            weight(priority.normal_tickets) + " " + right(std::to_string(job.posix_priority), 5) +
            " ";
  if (columns.urgency)
    text += weight(priority.normal_urgency) + " " + whole(priority.urgency.sum(), 8) +
            whole(priority.urgency.resources, 8) + whole(priority.urgency.waiting, 8) +
            whole(priority.urgency.deadline, 8);
  if (columns.extended) text += weight(priority.normal_tickets) + " ";
  return text;
}

// Without a share tree there are no tickets of it, and no shares.
std::string ticket_columns(const door::JobLines& job) {
  const auto& tickets = job.priority.tickets;
  const auto column = [](std::int64_t number) { return right(std::to_string(number), 5) + " "; };
  return column(tickets.sum()) + column(job.override_tickets) + column(tickets.override_part) +
         column(tickets.functional_part) + column(0) + "0.00  ";
}

// `slots`: of the line, or of it on one instance.
std::string print_row(const Row& row, std::int64_t slots, bool with_queue, const Columns& columns) {
  const auto& [job, shown] = row;
  auto text = right(to_string(job->number), 7) + " " + weight(job->priority.value) + " " +
              priority_columns(*job, columns) + left_cut(job->name, 10) + " " +
              left_cut(job->user, 12) + " ";
  if (columns.extended)
    text += left_cut(job->project.empty() ? "NA" : job->project, 16) + " " +
            left_cut(job->department, 10) + " ";
  text += left_cut(shown->state, 5) + " " + print_time(shown->time) + " ";
  if (columns.urgency)
    text += left(job->deadline.seconds ? print_time(job->deadline) : "", 19) + " ";
  if (columns.extended)
    text += left("NA", 10) + " " + left("NA", 7) + " " + left("NA", 7) + " " + ticket_columns(*job);
  if (with_queue)
    text += left_cut(shown->running ? shown->grants.front().instance.text() : "", 30) + " ";
  return line(text + right(std::to_string(slots), 5) + " " + shown->tasks);
}

std::string heading(const Columns& columns) {
  std::string text = "job-ID  prior   ";
  if (columns.priority) text += "nurg    npprior ntckts   ppri ";
  if (columns.urgency) text += "nurg        urg  rrcontr  wtcontr  dlcontr ";
  if (columns.extended) text += "ntckts  ";
  text += "name       user         ";
  if (columns.extended) text += "project          department ";
  text += "state submit/start at     ";
  if (columns.urgency) text += "deadline            ";
  if (columns.extended) text += "cpu        mem     io      tckts ovrts otckt ftckt stckt share ";
  return text + "queue                          slots ja-task-ID ";
}

void print_jobs(std::ostream& out, const std::vector<Row>& rows, const Columns& columns) {
  if (rows.empty()) return;
  const auto head = heading(columns); // ends with a blank, which the dashes leave out
  out << head << "\n" << std::string(head.size() - 1, '-') << "\n";
  for (const auto& row : rows) out << print_row(row, row.line->slots, true, columns);
}

bool wanted_state(const Row& row, const std::string& letters) {
  if (letters.empty() || letters == "a") return true;
  return std::any_of(letters.begin(), letters.end(), [&](char letter) {
    return (letter == 'p' && !row.line->running) || (letter == 'r' && row.line->running) ||
           (letter == 's' && row.line->suspended) || (letter == 'h' && row.line->held);
  });
}

// Not among the rows, which programs read.
void warn_of_cell(Context& context, const std::string& notice) {
  if (!notice.empty()) context.err << "warning: " << notice << "\n";
}

struct ClusterFrames {
  std::vector<door::InstanceView> instances;
  std::map<std::string, door::HostView> hosts;
  std::string notice;
};

int fetch(Context& context, ClusterFrames& cluster) {
  return ask<door::Cluster>(context, door::GetCluster{}, [&](door::Cluster& frame) {
    for (auto& instance : frame.instances) cluster.instances.push_back(std::move(instance));
    for (auto& host : frame.hosts) cluster.hosts[host.state.name] = host;
    if (!frame.notice.empty()) cluster.notice = std::move(frame.notice);
  });
}

void print_resources(std::ostream& out, const door::InstanceView& instance,
                     const std::vector<std::string>& wanted) {
  for (const auto& resource : instance.resources)
    if (wanted.empty() || std::count(wanted.begin(), wanted.end(), resource.name))
      out << "\t" << resource.kind << ":" << resource.name << "=" << resource.value << "\n";
}

void print_full(std::ostream& out, const ClusterFrames& cluster, const std::vector<Row>& rows,
                const GivenOptions& given, const Columns& columns) {
  const auto heading = [&](const std::string& name, const std::string& type,
                           const std::string& slots, const std::string& load,
                           const std::string& arch, const std::string& states) {
    out << line(left(name, 30) + " " + left(type, 5) + " " + left(slots, 14) + " " + left(load, 8) +
                " " + left(arch, 13) + " " + states);
  };
  const auto* resources = given.last("-F");
  const auto wanted = resources ? words(*resources) : std::vector<std::string>();
  heading("queuename", "qtype", "resv/used/tot.", "load_avg", "arch", "states");
  for (const auto& instance : cluster.instances) {
    const auto host = cluster.hosts.find(instance.host);
    const bool known =
        host != cluster.hosts.end() && host->second.state.phase != HostPhase::unknown;
    out << std::string(81, '-') << "\n";
    heading(instance.name, instance.qtype,
            std::to_string(instance.reserved) + "/" + std::to_string(instance.used) + "/" +
                std::to_string(instance.total),
            known && host->second.load.is_known()
                ? fixed(static_cast<double>(host->second.load.load_medium) / 100, 2)
                : "-NA-",
            known ? host->second.state.facts.arch : "-NA-", instance.letters);
    if (given.has("-F")) print_resources(out, instance, wanted);
    if (given.has("-explain") && !instance.reason.empty()) out << "\t" << instance.reason << "\n";
    for (const auto& row : rows)
      for (const auto& grant : row.line->grants)
        if (grant.instance.text() == instance.name)
          out << print_row(row, grant.slots, false, columns);
  }
  if (std::none_of(rows.begin(), rows.end(), [](auto& row) { return !row.line->running; })) return;
  out << "\n"
      << std::string(76, '#')
      << "\n - PENDING JOBS - PENDING JOBS - PENDING JOBS - PENDING JOBS - PENDING JOBS\n"
      << std::string(76, '#') << "\n";
  for (const auto& row : rows)
    if (!row.line->running) out << print_row(row, row.line->slots, false, columns);
}

std::string attracted(const std::vector<ReservationNumber>& reservations) {
  std::vector<std::string> numbers;
  for (const auto& number : reservations) numbers.push_back(to_string(number));
  return numbers.empty() ? "" : join(numbers, ",") + " (attracted)";
}

void print_detail(Context& context, const door::JobView& view) {
  const auto& job = view.job;
  auto& out = context.out;
  const auto put = [&](const std::string& label, const std::string& value) {
    if (!value.empty()) out << line(left(label + ":", 28) + value);
  };
  // Its value may be withheld from who asks; the line is there.
  const auto put_always = [&](const std::string& label, const std::string& value) {
    out << line(left(label + ":", 28) + value);
  };
  const JobRequest& request = job.request;
  const auto put_options = [&](Shown::Place place) {
    for (const auto& option : submit_table())
      if (option.shown->place == place)
        put(option.shown->label, option.shown->text(request, print_time));
  };
  out << std::string(62, '=') << "\n";
  put("job_number", to_string(job.number));
  put("submission_time", print_time(job.submitted));
  put_options(Shown::Place::before_owner);
  put("owner", job.owner.user);
  put("uid", std::to_string(job.owner.uid));
  put("group", job.owner.group);
  put("gid", std::to_string(job.owner.gid));
  for (const auto& [name, value] : request.origin)
    put_always(name == "SGE_O_LOGNAME" ? "sge_o_log_name" : lower(name), value);
  put_options(Shown::Place::before_script);
  if (!request.arguments.empty()) put_always("job_args", join(request.arguments, ","));
  put_always("script_file", request.command);
  put_options(Shown::Place::after_script);
  put("ar_id", attracted(view.attracted_by));
  for (const auto& task : job.tasks) {
    const auto number = std::to_string(std::max<std::int64_t>(1, task.number));
    std::vector<std::string> grants;
    for (const auto& grant : task.grants)
      grants.push_back(grant.instance.text() + "=" + std::to_string(grant.slots));
    put("granted " + number, join(grants, ","));
    if (!task.reason.empty())
      put((task.state == TaskState::error ? "error reason " : "note ") + number, task.reason);
  }
  if (job.waiting_tasks() == 0) return;
  int code = ask<Answer>(context, door::AskWhy{job.number}, [&](Answer& answer) {
    const auto lines = gridengine::lines_of(answer);
    for (std::size_t i = 0; i < lines.size(); ++i)
      out << left(i == 0 ? "scheduling info:" : "", 28) << lines[i].text << "\n";
  });
  if (code != 0) put("scheduling info", "not available");
}

// The reasons of all jobs that wait, each told once with the jobs that it keeps. Of many waiting
// jobs the first are asked about: each answer is work for the master.
int print_reasons(Context& context, const std::string* users) {
  constexpr std::size_t most = 100;
  std::vector<door::Lines> frames;
  const auto query = door::GetLines{users ? split(*users, ',') : std::vector<std::string>{"*"}};
  if (const int asked = ask<door::Lines>(
          context, query, [&](door::Lines& frame) { frames.push_back(std::move(frame)); });
      asked != 0)
    return asked;
  std::vector<JobNumber> waiting; // by priority
  for (const auto& row : rows_of(frames))
    if (!row.line->running && !std::count(waiting.begin(), waiting.end(), row.job->number))
      waiting.push_back(row.job->number);
  const auto all = waiting.size();
  if (all > most) waiting.resize(most);
  // In the order in which they come; those of quota sets behind the others, under their heading.
  std::vector<std::string> reasons, of_quotas;
  std::map<std::string, std::vector<std::string>> jobs_of;
  for (const auto number : waiting) {
    const int asked = ask<Answer>(context, door::AskWhy{number}, [&](Answer& answer) {
      for (const auto& reason : gridengine::lines_of(answer)) {
        auto& jobs = jobs_of[reason.text];
        const bool is_of_quota = reason.text.starts_with("cannot run because it exceeds limit ");
        if (jobs.empty()) (is_of_quota ? of_quotas : reasons).push_back(reason.text);
        jobs.push_back(to_string(number));
      }
    });
    if (asked != 0) return asked;
  }
  auto label = left("scheduling info:", 28);
  const auto print = [&](const std::string& line) {
    context.out << label << line << "\n";
    label.assign(28, ' ');
  };
  const auto print_all = [&](const std::vector<std::string>& list) {
    for (const auto& reason : list) print(reason), print("  jobs: " + join(jobs_of[reason], ", "));
  };
  print_all(reasons);
  if (!of_quotas.empty())
    print("Jobs cannot run because they exceeds limit in resource quota sets"); // Q7.3
  print_all(of_quotas);
  if (all > most) context.out << "(of the first " << most << " of " << all << " waiting jobs)\n";
  return 0;
}

int print_details(Context& context, const std::string& list) {
  door::GetJobs query;
  query.detail = true;
  query.jobs = words(list, ", ");
  if (query.jobs.empty()) return complain(context, "option -j: no job is named");
  std::vector<door::JobView> jobs;
  std::vector<std::string> unknown;
  const int asked = ask<door::Jobs>(context, query, [&](door::Jobs& frame) {
    for (auto& view : frame.jobs) jobs.push_back(std::move(view));
    unknown.insert(unknown.end(), frame.unknown.begin(), frame.unknown.end());
  });
  if (asked != 0) return asked;
  for (const auto& job : jobs) print_detail(context, job);
  if (unknown.empty()) return 0;
  context.err << "Following jobs do not exist: \n";
  for (const auto& id : unknown) context.err << id << "\n";
  return 1;
}

void warn_of_keys(Context& context, const std::string& host, const door::HostKeyView& key) {
  constexpr Duration alarm_shown{86'400};
  if (key.state == KeyState::revoked)
    context.err << "qhost: the key of host " << host << " is revoked\n";
  if (!key.alarm.empty() && context.now() - key.alarm_at < alarm_shown)
    context.err << "qhost: alarm of " << print_iso_time(key.alarm_at) << ": host " << host << ": "
                << key.alarm << "\n";
}

} // namespace

int qstat(Context& context) {
  static const std::vector<OptionRule> rules{
      {"-f", 0},         {"-F", -1},        {"-explain", 1},   {"-help", 0},
      {"-j", -1},        {"-s", 1},         {"-u", 1},         {"-r", 0, false},
      {"-q", 1, false},  {"-U", 1, false},  {"-pe", 1, false}, {"-l", 1, false},
      {"-qs", 1, false}, {"-ne", 0, false}, {"-g", 1, false},  {"-ext", 0},
      {"-pri", 0},       {"-urg", 0},       {"-t", 0, false},  {"-xml", 0, false}};
  static const std::vector<std::string> kinds_of_hold{"hu", "ho", "hs", "hd", "hj", "ha", "z", "f"};
  int code = 0;
  const auto given = read_options(context, rules, usage, code, "sge_qstat");
  if (!given) return code;
  const auto* users = given->last("-u");
  if (users && words(*users).empty()) return complain(context, "option -u: no user is named");
  if (const auto* list = given->last("-j")) return print_details(context, *list);
  if (given->has("-j")) return print_reasons(context, users);
  const auto* states = given->last("-s");
  if (states && std::count(kinds_of_hold.begin(), kinds_of_hold.end(), *states))
    return complain(context, "option -s " + *states + " is not built yet");
  if (states && states->find_first_not_of("prsha") != std::string::npos)
    return complain(context, "option -s " + *states + ": expected letters of p, r, s, h and a");
  if (const auto* kinds = given->last("-explain"); kinds && *kinds != "E")
    return complain(context, "option -explain " + *kinds + ": only E is built yet");
  const bool full = given->has("-f") || given->has("-F");
  door::GetLines query;
  query.all_grants = full;
  query.users = split(users ? *users : "$user", ',');
  std::vector<door::Lines> frames;
  int asked = ask<door::Lines>(context, query,
                               [&](door::Lines& frame) { frames.push_back(std::move(frame)); });
  ClusterFrames cluster;
  if (asked == 0 && full) asked = fetch(context, cluster);
  if (asked != 0) return asked;
  for (const auto& frame : frames) warn_of_cell(context, frame.notice);
  auto rows = rows_of(frames);
  if (states) std::erase_if(rows, [&](const Row& row) { return !wanted_state(row, *states); });
  const Columns columns{given->has("-pri"), given->has("-urg"), given->has("-ext")};
  if (full) print_full(context.out, cluster, rows, *given, columns);
  else print_jobs(context.out, rows, columns);
  return 0;
}

int qhost(Context& context) {
  static const std::vector<OptionRule> rules{
      {"-q", 0},        {"-help", 0},     {"-h", 1},          {"-F", -1, false}, {"-j", 0, false},
      {"-l", 1, false}, {"-u", 1, false}, {"-xml", 0, false}, {"-cb", 0, false}};
  constexpr const char* help = "usage: qhost [options]\n"
                               "   -h host_list              only these hosts\n"
                               "   -q                        with their queue instances\n"
                               "   -help                     print this help\n";
  int code = 0;
  const auto given = read_options(context, rules, help, code);
  if (!given) return code;
  ClusterFrames cluster;
  if (const int asked = fetch(context, cluster); asked != 0) return asked;
  warn_of_cell(context, cluster.notice);
  auto& out = context.out;
  const auto row = [&](const std::string& name, const std::string& arch, const std::string& cpus,
                       const std::string& load, const std::string& total, const std::string& used,
                       const std::string& swap, const std::string& swapped) {
    out << line(left(name, 23) + " " + left(arch, 13) + right(cpus, 5) + right(load, 7) +
                right(total, 8) + right(used, 8) + right(swap, 8) + right(swapped, 8));
  };
  row("HOSTNAME", "ARCH", "NCPU", "LOAD", "MEMTOT", "MEMUSE", "SWAPTO", "SWAPUS");
  out << std::string(80, '-') << "\n";
  row("global", "-", "-", "-", "-", "-", "-", "-");
  const auto* wanted = given->last("-h");
  for (const auto& [name, host] : cluster.hosts) {
    const auto names = wanted ? words(*wanted) : std::vector<std::string>();
    if (wanted && std::none_of(names.begin(), names.end(),
                               [n = lower(name)](auto& w) { return matches_pattern(lower(w), n); }))
      continue;
    const auto& facts = host.state.facts;
    if (host.state.phase == HostPhase::unknown)
      row(name, facts.arch.empty() ? "-" : facts.arch,
          facts.processors ? std::to_string(facts.processors) : "-", "-", "-", "-", "-", "-");
    else {
      const auto& load = host.load;
      const auto memory = [&](std::int64_t bytes) {
        return load.is_known() ? short_memory(static_cast<double>(bytes)) : std::string("-");
      };
      row(name, facts.arch, std::to_string(facts.processors),
          load.is_known() ? fixed(static_cast<double>(load.load_medium) / 100, 2) : "-",
          short_memory(static_cast<double>(facts.memory)), memory(facts.memory - load.memory_free),
          memory(load.swap_total), memory(load.swap_total - load.swap_free));
    }
    if (!host.notice.empty()) out << line("   " + host.notice);
    warn_of_keys(context, name, host.key);
    if (!given->has("-q")) continue;
    for (const auto& instance : cluster.instances)
      if (instance.host == name)
        out << line("   " + left(instance.queue, 20) + " " + left(instance.qtype, 5) + " " +
                    left(std::to_string(instance.most_reserved) + "/" +
                             std::to_string(instance.used) + "/" + std::to_string(instance.total),
                         14) +
                    " " + instance.letters);
  }
  return 0;
}

} // namespace almanac

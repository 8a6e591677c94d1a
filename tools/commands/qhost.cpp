#include "tools/commands/commands.hpp"

#include "core/text/pattern.hpp"
#include "core/text/words.hpp"
#include "tools/commands/instance_options.hpp"
#include "tools/output/hosts.hpp"

#include <algorithm>
#include <iostream>

namespace almanac {

namespace {

constexpr const char* usage = R"(usage: qhost [options]
   -cb                       with columns for sockets, cores and threads
   -F [resources]            with what the hosts and the cell offer
   -h host_list              only these hosts
   -help                     print this help
   -j                        with the jobs that run there
   -json                     as JSON (share/schemas/qhost.schema.json)
   -l resource_list          only hosts that offer this now, as name=value,...
   -ncb                      without those columns, as it is without -cb
   -q                        with their queue instances
   -u user_list              with the jobs of these users
   -xml                      as XML
)";

void warn_of_keys(Context& context, const std::string& host, const door::HostKeyView& key) {
  constexpr Duration alarm_shown{86'400};
  if (key.state == KeyState::revoked)
    context.err << "qhost: the key of host " << host << " is revoked\n";
  if (!key.alarm.empty() && context.now() - key.alarm_at < alarm_shown)
    context.err << "qhost: alarm of " << print_iso_time(key.alarm_at) << ": host " << host << ": "
                << key.alarm << "\n";
}

std::vector<const door::HostView*> named_hosts(const ClusterList& cluster,
                                               const std::string* names) {
  std::vector<const door::HostView*> hosts;
  const auto wanted = names ? words(*names) : std::vector<std::string>{"*"};
  for (const auto& [name, host] : cluster.hosts)
    if (std::any_of(wanted.begin(), wanted.end(), [n = lower(name)](const std::string& pattern) {
          return matches_pattern(lower(pattern), n);
        }))
      hosts.push_back(&host);
  return hosts;
}

int print(Context& context, const GivenOptions& given, const HostDetail& detail,
          const ClusterList& cluster, const std::vector<door::Lines>& jobs) {
  if (!cluster.notice.empty()) context.err << "warning: " << cluster.notice << "\n";
  const auto hosts = named_hosts(cluster, given.last("-h"));
  const auto rows = job_rows(jobs, {.each_task = false, .each_slot = true});
  if (given.has("-xml")) {
    print_hosts_xml(context.out, cluster, hosts, rows, detail);
    return 0;
  }
  if (given.has("-json")) {
    print_hosts_json(context.out, cluster, hosts, rows, detail);
    return 0;
  }
  HostTable table(context.out, cluster, rows, detail);
  table.print_heading();
  for (const auto* host : hosts) {
    table.print(*host);
    warn_of_keys(context, host->state.name, host->key);
  }
  return 0;
}

} // namespace

int qhost(Context& context) {
  static const std::vector<OptionRule> rules{{"-q", 0},  {"-help", 0}, {"-h", 1},   {"-F", -1},
                                             {"-j", 0},  {"-l", 1},    {"-u", 1},   {"-xml", 0},
                                             {"-cb", 0}, {"-ncb", 0},  {"-json", 0}};
  int code = 0;
  const auto given = read_options(context, rules, usage, code);
  if (!given) return code;
  const auto* users = given->last("-u");
  if (users && words(*users).empty()) return complain(context, "option -u: no user is named");
  if (given->has("-cb") && given->has("-ncb"))
    return complain(context, "-cb and -ncb exclude each other");
  auto requests = resource_requests(*given, "-l");
  if (!requests) return complain(context, requests.what());
  HostDetail detail;
  detail.queues = given->has("-q"), detail.resources = given->has("-F");
  detail.jobs = given->has("-j") || users, detail.topology = given->has("-cb");
  if (const auto* named = given->last("-F")) detail.named = words(*named);
  door::GetCluster query;
  query.of_hosts = std::move(*requests), query.host_resources = detail.resources;
  ClusterList cluster;
  if (const int asked = ask<door::Cluster>(context, std::move(query),
                                           [&](door::Cluster& frame) { cluster.add(frame); });
      asked != 0)
    return asked;
  std::vector<door::Lines> jobs;
  if (detail.jobs) {
    door::GetLines lines;
    lines.users = words(users ? *users : "*"), lines.all_grants = true;
    if (const int asked =
            ask<door::Lines>(context, std::move(lines),
                             [&](door::Lines& frame) { jobs.push_back(std::move(frame)); });
        asked != 0)
      return asked;
  }
  return print(context, *given, detail, cluster, jobs);
}

} // namespace almanac

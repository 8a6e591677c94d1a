#include "core/execution/environment.hpp"

#include "core/configuration/configuration.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <set>

namespace almanac {

namespace {

std::string task_text(const Task& task) {
  return task.number > 0 ? std::to_string(task.number) : "undefined";
}

} // namespace

std::string default_output_name(const Job& job, const Task& task, char kind) {
  auto name = job.request.name + "." + kind + std::to_string(job.number);
  if (task.number > 0) name += "." + std::to_string(task.number);
  return name;
}

std::string working_directory(const Job& job, const ExecutionPlace& place) {
  return job.request.directory.empty() ? place.home : job.request.directory;
}

std::string expand_path(const std::string& path, const Job& job, const Task& task,
                        const ExecutionPlace& place) {
  const std::vector<std::pair<std::string, std::string>> variables{
      {"$HOME", place.home},
      {"$USER", job.owner.user},
      {"$JOB_ID", std::to_string(job.number)},
      {"$JOB_NAME", job.request.name},
      {"$HOSTNAME", place.host},
      {"$TASK_ID", task_text(task)}};
  // A "host:" in front names the host that the path is for: only "any host" (":") is known here.
  std::string result = path.starts_with(':') ? path.substr(1) : path;
  for (const auto& [name, value] : variables)
    for (auto at = result.find(name); at != std::string::npos;
         at = result.find(name, at + value.size()))
      result.replace(at, name.size(), value);
  if (!result.empty() && result.front() != '/')
    result = working_directory(job, place) + "/" + result;
  return result;
}

std::string pe_hostfile(const Task& task) {
  std::string text;
  for (const auto& grant : task.grants)
    text += host_of(grant.instance) + " " + std::to_string(grant.slots) + " " + grant.instance +
            " UNDEFINED\n";
  return text;
}

std::vector<Attribute> job_environment(const Job& job, const Task& task,
                                       const ExecutionPlace& place) {
  std::vector<Attribute> environment;
  const auto set = [&](const std::string& name, std::string value) {
    const auto it = std::find_if(environment.begin(), environment.end(),
                                 [&](auto& entry) { return entry.name == name; });
    if (it == environment.end()) environment.push_back({name, std::move(value)});
    else it->value = std::move(value);
  };
  // What the user exports comes first: the system's own names win.
  set("PATH", "/usr/local/bin:/bin:/usr/bin");
  for (const auto& [name, value] : job.request.environment) set(name, value);
  for (const auto& [name, value] : job.request.origin) set(name, value);
  auto& path = std::find_if(environment.begin(), environment.end(), [](auto& entry) {
                 return entry.name == "PATH";
               })->value;
  path = place.tmpdir + ":" + path;

  std::int64_t slots = 0;
  std::set<std::string> hosts, queues;
  for (const auto& grant : task.grants) {
    slots += grant.slots;
    hosts.insert(host_of(grant.instance));
    queues.insert(queue_of(grant.instance));
  }
  const auto& range = job.request.tasks;
  const auto number = [&](std::int64_t value) {
    return range.is_array() ? std::to_string(value) : std::string("undefined");
  };
  const auto id = std::to_string(job.number);
  set("JOB_ID", id);
  set("JOB_NAME", job.request.name);
  set("REQUEST", job.request.name);
  set("SGE_TASK_ID", task_text(task));
  set("SGE_TASK_FIRST", number(range.first));
  set("SGE_TASK_LAST", number(range.last));
  set("SGE_TASK_STEPSIZE", number(range.step));
  set("NSLOTS", std::to_string(slots));
  set("NHOSTS", std::to_string(hosts.size()));
  set("NQUEUES", std::to_string(queues.size()));
  if (!task.pe.empty()) {
    set("PE", task.pe);
    set("PE_HOSTFILE", place.pe_hostfile);
  }
  set("QUEUE", queue_of(task.grants.front().instance));
  set("HOSTNAME", place.host);
  set("TMPDIR", place.tmpdir);
  set("TMP", place.tmpdir);
  set("SGE_STDIN_PATH", "/dev/null");
  set("SGE_CWD_PATH", working_directory(job, place));
  set("SGE_JOB_SPOOL_DIR", place.spool);
  set("SGE_ROOT", place.agent_directory);
  set("SGE_CELL", place.cell);
  set("SGE_ARCH", place.arch);
  set("ARC", place.arch);
  set("SGE_BINARY_PATH", place.binary_directory);
  set("ALMANAC_DIR", place.agent_directory);
  set("SGE_ACCOUNT", job.request.account);
  set("JOB_SCRIPT", job.request.binary ? job.request.command : place.spool + "/script");
  set("ENVIRONMENT", "BATCH");
  set("RESTARTED", task.restarted ? "1" : "0");
  if (job.request.reservation) set("SGE_AR_ID", std::to_string(job.request.reservation));
  set("HOME", place.home);
  set("USER", job.owner.user);
  set("LOGNAME", job.owner.user);
  set("SHELL", place.shell);
  return environment;
}

} // namespace almanac

#include "core/execution/environment.hpp"

#include "core/configuration/configuration.hpp"
#include "core/text/task_numbers.hpp"
#include "core/text/names.hpp"
#include "core/text/words.hpp"

#include <set>

namespace almanac {

namespace {

std::string task_text(const Task& task) {
  return task.number > 0 ? std::to_string(task.number) : "undefined";
}

// What the system knows about a task, without a word of the user's.
void set_facts(Variables& variables, const Job& job, const Task& task, const TaskSite& place) {
  std::int64_t slots = 0;
  std::set<std::string> hosts;
  std::set<InstanceName> instances;
  for (const auto& grant : task.grants) {
    slots += grant.slots;
    hosts.insert(grant.instance.host);
    instances.insert(grant.instance);
  }
  const auto& range = job.request->tasks;
  const auto number = [&](std::int64_t value) {
    return range.is_array() ? std::to_string(value) : std::string("undefined");
  };
  variables.set("JOB_ID", to_string(job.number));
  variables.set("SGE_TASK_ID", task_text(task));
  variables.set("SGE_TASK_FIRST", number(range.first));
  variables.set("SGE_TASK_LAST", number(reached(range).last));
  variables.set("SGE_TASK_STEPSIZE", number(range.step));
  variables.set("NSLOTS", std::to_string(slots));
  variables.set("NHOSTS", std::to_string(hosts.size()));
  // Grid Engine counts queue instances, not cluster queues.
  variables.set("NQUEUES", std::to_string(instances.size()));
  if (!task.pe.empty()) {
    variables.set("PE", task.pe);
    variables.set("PE_HOSTFILE", place.pe_hostfile);
  }
  variables.set("QUEUE", task.grants.front().instance.queue);
  variables.set("HOSTNAME", place.host);
  variables.set("SGE_JOB_SPOOL_DIR", place.spool);
  variables.set("SGE_ROOT", place.agent_directory);
  variables.set("SGE_CELL", place.cell);
  variables.set("SGE_ARCH", place.arch);
  variables.set("ARC", place.arch);
  variables.set("SGE_BINARY_PATH", place.binary_directory);
  variables.set("ALMANAC_DIR", place.agent_directory);
  variables.set("ENVIRONMENT", "BATCH");
  variables.set("RESTARTED", task.restarted ? "1" : "0");
  if (job.request->reservation) variables.set("SGE_AR_ID", to_string(job.request->reservation));
}

} // namespace

std::string default_output_name(const Job& job, const Task& task, std::string_view kind) {
  auto name = job.request->name + "." + std::string(kind) + to_string(job.number);
  if (task.number > 0) name += "." + std::to_string(task.number);
  return name;
}

std::string working_directory(const Job& job, const TaskSite& place) {
  return job.request->directory.empty() ? place.home : job.request->directory;
}

std::string expand_path(const std::string& path, const Job& job, const Task& task,
                        const TaskSite& place) {
  return expanded_path(path, job,
                       {place.home, working_directory(job, place), place.host, task_text(task)});
}

std::string pe_hostfile(const Task& task, const std::vector<std::string>& processors) {
  std::string text;
  for (std::size_t i = 0; i < task.grants.size(); ++i) {
    const auto& grant = task.grants[i];
    const bool is_known = i < processors.size() && !processors[i].empty();
    text += grant.instance.host + " " + std::to_string(grant.slots) + " " + grant.instance.text() +
            " " + (is_known ? processors[i] : "UNDEFINED") + "\n";
  }
  return text;
}

std::vector<Attribute> job_environment(const Job& job, const Task& task, const TaskSite& place) {
  Variables variables;
  // What the user exports comes first: the system's own names win.
  for (const auto& [name, value] : job.request->environment) variables.set(name, value);
  for (const auto& [name, value] : job.request->origin) variables.set(name, value);
  // Who asked, and where, is what the system says of them, whatever their environment does.
  variables.set("SGE_O_LOGNAME", job.owner.user);
  if (!job.owner.host.empty()) variables.set("SGE_O_HOST", job.owner.host);
  const auto* path = variables.find("PATH");
  variables.set("PATH",
                path_of_job(place.tmpdir, path ? &path->value : nullptr, place.binary_directory));
  set_facts(variables, job, task, place);
  variables.set("JOB_NAME", job.request->name);
  variables.set("REQUEST", job.request->name);
  variables.set("TMPDIR", place.tmpdir);
  variables.set("TMP", place.tmpdir);
  variables.set("SGE_STDIN_PATH", "/dev/null");
  variables.set("SGE_CWD_PATH", working_directory(job, place));
  variables.set("SGE_ACCOUNT", job.request->account);
  variables.set("JOB_SCRIPT", job.request->binary ? job.request->command : place.spool + "/script");
  variables.set("HOME", place.home);
  variables.set("USER", job.owner.user);
  variables.set("LOGNAME", job.owner.user);
  variables.set("SHELL", place.shell);
  return std::move(variables.list);
}

namespace {

// What makes a loader or a shell do something else before the command begins: a user could let the
// site's command fail with it, and the queue instance be put into error.
bool steers_programs(std::string_view name) {
  return name.starts_with("LD_") || name == "GLIBC_TUNABLES" || name == "BASH_ENV" ||
         name == "ENV" || name == "SHELLOPTS" || name == "BASHOPTS" || name == "PS4" ||
         name == "IFS" || name == "CDPATH" || name == "POSIXLY_CORRECT";
}

} // namespace

bool is_for_own_steps(std::string_view name) {
  return is_plain_variable(name) && !steers_programs(name) && name != "PATH";
}

std::vector<Attribute> foreign_step_environment(const Job& job, const Task& task,
                                                const TaskSite& place, const StepUser& user) {
  Variables variables;
  variables.set("PATH", usual_path);
  set_facts(variables, job, task, place);
  variables.set("HOME", user.home);
  variables.set("USER", user.name);
  variables.set("LOGNAME", user.name);
  variables.set("SHELL", user.shell);
  return std::move(variables.list);
}

} // namespace almanac

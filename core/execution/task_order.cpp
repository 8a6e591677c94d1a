#include "core/execution/task_order.hpp"

#include "core/execution/checkpoint_steps.hpp"
#include "core/execution/environment.hpp"
#include "core/execution/host_words.hpp"
#include "core/execution/interactive_order.hpp"
#include "core/configuration/objects/control_method.hpp"
#include "core/configuration/objects/step_line.hpp"
#include "core/execution/step_command.hpp"
#include "core/job/core_binding.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <cctype>

namespace almanac {

namespace {

std::int64_t seconds_of(Duration limit) {
  return limit.is_endless() ? 0 : std::max<std::int64_t>(1, limit.seconds);
}

// `words` are what the setting's words mean for the task.
SignalMethod method_of(const MethodSetting& setting, std::vector<std::string> words,
                       const std::string& directory) {
  SignalMethod method;
  method.signal = setting.signal;
  if (words.empty()) return method;
  method.command = as_owner(std::move(words), directory);
  return method;
}

// Which number is meant where none is given, only the slots of each host say. "": it asks for none.
std::string binding_on(const std::string& host, const std::string& asked, const Task& task) {
  auto binding = parse_core_binding(asked);
  if (!binding) return "";
  if (binding->amount == 0)
    for (const auto& grant : task.grants)
      if (grant.instance.host == host) binding->amount += grant.slots;
  return print_core_binding(*binding);
}

// In place of what the user may have exported by this name.
void share(ShepherdOrder& order, const std::string& name, const std::string& value) {
  for (auto* list : {&order.job.environment, &order.environment})
    std::erase_if(*list, [&](const auto& variable) { return variable.name == name; });
  order.environment.push_back({name, value});
}

// The POSIX shell reads no file of the user's when it is given a command: one that is a path, with
// arguments in which there is nothing to expand, means the same without it, and is begun sooner.
bool needs_shell(const JobRequest& request, const std::vector<std::string>& shell) {
  const auto& command = request.command;
  const auto is_plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) ||
           std::string_view("/._+-").find(c) != std::string_view::npos;
  };
  const auto expands = [](const std::string& argument) {
    return argument.find_first_of("$`\\") != std::string::npos;
  };
  const auto& arguments = request.arguments;
  return shell != std::vector<std::string>{"/bin/sh"} || !command.starts_with('/') ||
         !std::all_of(command.begin(), command.end(), is_plain) ||
         std::any_of(arguments.begin(), arguments.end(), expands);
}

// Without a notice there is nobody to notify, but for who gives way there is a time.
void add_notice(ShepherdOrder& order, const TaskSetting& setting) {
  const bool notifies = !setting.notice.is_endless() && setting.notice > Duration{0};
  order.notice = notifies ? setting.notice.seconds : setting.patience;
  if (!notifies) return;
  order.notice_of_kill = signal_called(setting.notice_of_kill);
  order.notice_of_suspension = signal_called(setting.notice_of_suspension);
}

class OrderMaker {
public:
  OrderMaker(const Job& job, const Task& task, const TaskSetting& setting)
      : job_(job), task_(task), setting_(setting) {
    share_environment();
    order.job.directory = working_directory(job_, place_);
    order.limits = setting_.limits;
    order.fence = task_.fence.seconds;
    order.binding = binding_on(setting_.host, job_.request->binding, task_);
  }

  Outcome add_steps() {
    for (const auto& [text, step] :
         {std::pair(&setting_.prolog, &order.prolog),
          std::pair(&setting_.pe_start, &order.pe_start),
          std::pair(&setting_.pe_stop, &order.pe_stop), std::pair(&setting_.epilog, &order.epilog)})
      if (auto made = make_step(*text, *step); !made) return made;
    return Done{};
  }

  void add_methods() {
    for (const auto& [setting, method] :
         {std::pair(&setting_.suspend, &order.suspend), std::pair(&setting_.resume, &order.resume),
          std::pair(&setting_.terminate, &order.terminate)})
      *method = method_of(*setting, expand_step_command(setting->words, job_, task_, place_),
                          working_directory(job_, place_));
    order.nice = setting_.nice;
  }

  void add_output() {
    order.output = file(job_.request->output, "o"), order.error = file(job_.request->error, "e");
    order.pe_output = file(job_.request->output, "po");
    order.pe_error = file(job_.request->error, "pe");
    order.join = job_.request->join;
    auto& own = order.job.environment;
    if (const auto path = entry_for_host(job_.request->input, setting_.host); !path.empty()) {
      order.input = expand_path(path, job_, task_, place_);
      own.push_back({"SGE_STDIN_PATH", order.input});
    }
    own.push_back({"SGE_STDOUT_PATH", order.output.path});
    own.push_back({"SGE_STDERR_PATH", order.join ? order.output.path : order.error.path});
  }

  void add_checkpoint() {
    const auto& name = job_.request->checkpoint;
    if (name.empty()) return;
    share(order, "SGE_CKPT_ENV", name);
    share(order, "SGE_CKPT_DIR", setting_.checkpoint_directory);
    order.checkpoint = checkpoint_steps(checkpoint_site(), job_, task_, place_);
  }

  void add_times() {
    order.limit = seconds_of(task_.limit), order.soft_limit = seconds_of(task_.soft_limit);
    add_notice(order, setting_);
    order.remove_after = words_.tmpdir;
  }

  void add_command() {
    if (auto restart = restart_words(checkpoint_site(), job_, task_, place_); !restart.empty()) {
      order.job.arguments = std::move(restart), order.by_starter = true;
      return;
    }
    if (!setting_.starter.empty()) return add_started_command();
    const JobRequest& request = job_.request;
    if (request.binary && request.direct) return add_direct_command();
    auto& own = order.job.arguments;
    // -S may name a shell with words of its own, as in "/usr/bin/env bash".
    own = words(entry_for_host(request.shell, setting_.host), " \t");
    const bool has_shell = !own.empty();
    if (!has_shell) own = {setting_.shell};
    order.login = is_login_shell(own.front());
    if (request.binary)
      return order.login || needs_shell(request, own) ? add_shell_command() : add_as_shell_would();
    const auto script = words_.folder + "/script";
    if (setting_.shell_start_mode == "script_from_stdin") {
      own.push_back("-s");
      order.input = script;
    } else if (setting_.shell_start_mode == "unix_behavior" && !has_shell &&
               setting_.has_interpreter) {
      own = {script};
    } else own.push_back(script);
    own.insert(own.end(), request.arguments.begin(), request.arguments.end());
  }

  ShepherdOrder order;

private:
  // What the user exports and a command of the site may have, too, is there once for all processes.
  void share_environment() {
    for (auto& variable : job_environment(job_, task_, place_)) {
      auto& list = is_for_own_steps(variable.name) ? order.environment : order.job.environment;
      list.push_back(std::move(variable));
    }
    order.job.is_users = true;
  }

  CheckpointSite checkpoint_site() const {
    return {setting_.checkpoint, setting_.checkpoint_directory, working_directory(job_, place_)};
  }

  OutputFile file(const std::string& asked, const char* kind) const {
    const auto name = default_output_name(job_, task_, kind);
    const auto path = entry_for_host(asked, setting_.host);
    return {expand_path(path.empty() ? name : path, job_, task_, place_), name};
  }

  Outcome make_step(const std::string& text, ShepherdProcess& step) const {
    auto command = parse_step_command(text);
    if (!command) return command.error();
    if (command->words.empty()) return Done{};
    auto words = expand_step_command(command->words, job_, task_, place_);
    if (command->user.empty() || command->user == job_.owner.user) {
      step = as_owner(std::move(words), working_directory(job_, place_));
    } else {
      step.arguments = std::move(words);
      step.as.user = command->user;
      step.environment =
          foreign_step_environment(job_, task_, place_, {command->user, words_.home, words_.shell});
      step.directory = "/";
    }
    return Done{};
  }

  bool is_login_shell(const std::string& path) const {
    const auto name = path.substr(path.rfind('/') + 1);
    const auto& names = setting_.login_shells;
    return setting_.shell_start_mode == "posix_compliant" &&
           std::find(names.begin(), names.end(), name) != names.end();
  }

  // The site's program is given what is to be run, and hears how that would have been done
  // (queue_conf(5), starter_method).
  void add_started_command() {
    const JobRequest& request = job_.request;
    const auto shell = words(entry_for_host(request.shell, setting_.host), " \t");
    const auto path = shell.empty() ? setting_.shell : shell.front();
    auto& variables = order.job.environment;
    variables.push_back({"SGE_STARTER_SHELL_PATH", path});
    variables.push_back({"SGE_STARTER_SHELL_START_MODE", setting_.shell_start_mode});
    variables.push_back({"SGE_STARTER_USE_LOGIN_SHELL", is_login_shell(path) ? "true" : "false"});
    auto& own = order.job.arguments;
    own = expand_step_command(setting_.starter, job_, task_, place_);
    order.by_starter = true;
    own.push_back(request.binary ? request.command : words_.folder + "/script");
    own.insert(own.end(), request.arguments.begin(), request.arguments.end());
  }

  void add_direct_command() {
    const JobRequest& request = job_.request;
    auto& own = order.job.arguments;
    // env looks along the job's own PATH, as a shell would.
    auto command = request.command;
    if (command.find_first_of("/=") == std::string::npos) own = {"/usr/bin/env", "--"};
    else {
      if (!command.starts_with('/')) command = working_directory(job_, place_) + "/" + command;
      order.must_exist = command;
    }
    own.push_back(command);
    own.insert(own.end(), request.arguments.begin(), request.arguments.end());
  }

  void add_as_shell_would() {
    order.job.arguments.clear();
    add_direct_command();
    const auto directory = working_directory(job_, place_);
    for (auto* list : {&order.job.environment, &order.environment})
      std::erase_if(*list, [](const auto& variable) { return variable.name == "PWD"; });
    order.job.environment.push_back({"PWD", directory});
  }

  // Arguments stand in double quotes, as in Grid Engine: $SGE_TASK_ID in one is the task's.
  void add_shell_command() {
    const JobRequest& request = job_.request;
    auto line = request.command;
    if (line.starts_with('/') && line.find(' ') == std::string::npos) {
      order.must_exist = line;
      line = "exec " + line; // no shell that only waits
    }
    const bool is_csh = order.job.arguments.front().ends_with("csh");
    for (const auto& argument : request.arguments) line += " " + shell_expanded(argument, is_csh);
    order.job.arguments.insert(order.job.arguments.end(), {"-c", line});
  }

  const Job& job_;
  const Task& task_;
  const TaskSetting& setting_;
  const HostWords words_ = marks();
  const TaskSite place_{setting_.host,    words_.home,     words_.shell,
                        words_.folder,    words_.tmpdir,   words_.folder + "/pe_hostfile",
                        words_.directory, words_.binaries, setting_.cell,
                        words_.arch};
};

} // namespace

Result<ShepherdOrder> task_order(const Job& job, const Task& task, const TaskSetting& setting) {
  OrderMaker maker(job, task, setting);
  maker.add_output();
  maker.add_checkpoint();
  maker.add_times();
  maker.add_methods();
  if (auto made = maker.add_steps(); !made) return made.error();
  maker.add_command();
  if (job.request->interaction != Interaction::none) make_interactive(maker.order, job);
  return std::move(maker.order);
}

ShepherdOrder call_order(const Job& job, const Task& task, const TaskSetting& setting) {
  OrderMaker maker(job, task, setting);
  maker.order.notice = setting.patience;
  return std::move(maker.order);
}

std::int64_t patience_of(Duration notify) {
  constexpr std::int64_t without_notify = 5;
  return notify.is_endless() || notify <= Duration{0} ? without_notify : notify.seconds;
}

} // namespace almanac

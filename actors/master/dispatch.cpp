#include "actors/master/dispatch.hpp"

#include "core/execution/checkpoint_rules.hpp"
#include "core/execution/process_limits.hpp"
#include "core/execution/task_order.hpp"
#include "core/job/inside.hpp"

#include <caf/send.hpp>

namespace almanac {

namespace {

session::Methods methods_of(const InstanceSettings& settings, const GlobalConfiguration& global) {
  const auto method = [](const ControlMethod& given) {
    return session::Method{given.signal, given.words};
  };
  return {settings.starter_method,
          method(settings.suspend_method),
          method(settings.resume_method),
          method(settings.terminate_method),
          settings.priority,
          global.login_shells};
}

std::vector<ProcessLimit> limits_of(const Configuration& configuration, const JobRequest& request,
                                    const Grant& grant) {
  const auto* instance = configuration.instance(grant.instance);
  if (!instance) return {};
  auto limits = process_limits(configuration.complexes(), request.resources,
                               instance->settings.process_limits, grant.slots);
  for (auto& limit : host_limits(configuration.on(grant.instance.host).process_limits))
    limits.push_back(std::move(limit));
  return limits;
}

void add_checkpoint(LaunchPlan& plan, const Configuration& configuration, const Job& job,
                    const Task& task) {
  const auto* environment = checkpoint_of(configuration, job.request);
  if (!environment) return;
  plan.checkpoint_directory = environment->directory;
  if (const auto* instance = configuration.instance(task.grants.front().instance))
    plan.checkpoint =
        checkpoint_plan(*environment, job.request, instance->settings, task.checkpoint_pid);
}

} // namespace

LaunchPlan Dispatch::plan(const State& state, const Task& task) const {
  const auto& job = *state.job(task.job);
  LaunchPlan plan;
  if (const auto* inside = state.reservation(reservation_of(job, task)))
    plan.reservation = inside->number;
  for (const auto& grant : task.grants) {
    const auto host = grant.instance.host;
    const auto* instance = state.configuration().instance(grant.instance);
    const auto tmpdir = instance ? instance->settings.tmpdir : "/tmp";
    if (plan.parts.empty() && instance) {
      plan.shell = instance->settings.shell;
      const auto& global = state.configuration().on(host);
      const auto& own = instance->settings;
      plan.shell_start_mode =
          own.shell_start_mode.empty() ? global.shell_start_mode : own.shell_start_mode;
      if (job.request->notify)
        plan.notice = {own.notify, global.notify.kill, global.notify.suspend};
      plan.notice.patience = patience_of(own.notify);
      plan.prolog = own.prolog.empty() ? global.prolog : own.prolog;
      plan.epilog = own.epilog.empty() ? global.epilog : own.epilog;
      plan.methods = methods_of(own, global);
    }
    plan.parts.push_back({host, grant.instance, grant.slots, state.host(host).facts.address, tmpdir,
                          limits_of(state.configuration(), *job.request, grant),
                          state.host_key(host).key, instance ? instance->settings.processors : ""});
  }
  if (const auto pe = state.configuration().environment(task.pe)) {
    plan.control_slaves = pe->control_slaves;
    plan.job_is_first_task = pe->job_is_first_task;
    plan.daemon_forks_slaves = pe->daemon_forks_slaves;
    plan.pe_start = pe->start, plan.pe_stop = pe->stop;
  }
  add_checkpoint(plan, state.configuration(), job, task);
  return plan;
}

HostActor& Dispatch::host_actor(const std::string& name) {
  auto it = hosts_.find(name);
  if (it == hosts_.end()) {
    it = hosts_.emplace(name, spawn_host(system_, context_, name)).first;
    send_record(name);
  }
  return it->second;
}

caf::strong_actor_ptr Dispatch::host(const std::string& name) const {
  const auto it = hosts_.find(name);
  return it == hosts_.end() ? nullptr : caf::actor_cast<caf::strong_actor_ptr>(it->second);
}

caf::strong_actor_ptr Dispatch::job(JobKey key) const {
  const auto it = jobs_.find(key);
  return it == jobs_.end() ? nullptr : caf::actor_cast<caf::strong_actor_ptr>(it->second);
}

void Dispatch::send_record(const std::string& host) {
  caf::anon_send(host_actor(host),
                 HostChanged{host_records_[host], host_settings_[host], host_keys_[host]});
}

void Dispatch::follow(const Configuration& configuration) {
  for (const auto& [name, host] : configuration.hosts()) {
    if (name == "global") continue;
    const auto& on_host = configuration.on(name);
    const HostSettings settings{on_host.max_unheard,
                                {on_host.load_report_time, on_host.log_level, true},
                                on_host.load_sensors};
    const bool is_news = settings != std::exchange(host_settings_[name], settings);
    if (!hosts_.contains(name)) host_actor(name);
    else if (is_news) send_record(name);
  }
  std::erase_if(hosts_, [&](auto& entry) {
    if (configuration.hosts().contains(entry.first)) return false;
    caf::anon_send(entry.second, HostGone{});
    host_records_.erase(entry.first);
    host_settings_.erase(entry.first);
    return true;
  });
  for (const auto& instance : configuration.instances())
    if (!instances_.contains(instance.name))
      instances_.emplace(instance.name, spawn_queue_instance(system_, context_, instance.name));
  std::erase_if(instances_, [&](auto& entry) {
    if (configuration.instance(entry.first)) return false;
    caf::anon_send_exit(entry.second, caf::exit_reason::user_shutdown);
    return true;
  });
}

void Dispatch::send(const Effect& effect, const std::map<TaskId, LaunchPlan>& plans) {
  if (const auto* job = std::get_if<JobPtr>(&effect)) {
    auto it = jobs_.find((*job)->key);
    if (it == jobs_.end())
      it = jobs_.emplace((*job)->key, spawn_job(system_, context_, (*job)->number)).first;
    caf::anon_send(it->second, JobChanged{*job});
  } else if (const auto* task = std::get_if<TaskPtr>(&effect)) {
    const auto it = jobs_.find((*task)->job);
    if (it == jobs_.end()) return;
    TaskChanged change{*task, std::nullopt};
    if (const auto plan = plans.find((*task)->id()); plan != plans.end()) {
      change.plan = plan->second;
      for (const auto& part : change.plan->parts)
        change.plan->hosts.push_back(caf::actor_cast<caf::strong_actor_ptr>(host_actor(part.host)));
    }
    caf::anon_send(it->second, std::move(change));
  } else if (const auto* ended = std::get_if<Erased<Task>>(&effect)) {
    if (const auto it = jobs_.find(ended->key.job); it != jobs_.end())
      caf::anon_send(it->second, TaskGone{ended->key.task});
  } else if (const auto* gone = std::get_if<Erased<Job>>(&effect)) {
    if (const auto it = jobs_.find(gone->key); it != jobs_.end()) {
      caf::anon_send(it->second, JobGone{});
      jobs_.erase(it);
    }
  } else if (const auto* reservation = std::get_if<ReservationPtr>(&effect)) {
    const auto key = (*reservation)->key;
    auto it = reservations_.find(key);
    if (it == reservations_.end())
      it = reservations_.emplace(key, spawn_reservation(system_, context_, (*reservation)->number))
               .first;
    caf::anon_send(it->second, ReservationChanged{*reservation});
  } else if (const auto* removed = std::get_if<Erased<Reservation>>(&effect)) {
    if (const auto it = reservations_.find(removed->key); it != reservations_.end()) {
      caf::anon_send(it->second, ReservationGone{});
      reservations_.erase(it);
    }
  } else if (const auto* host = std::get_if<HostState>(&effect)) {
    if (!hosts_.contains(host->name)) return; // deleted since
    host_records_[host->name] = *host;
    send_record(host->name);
  } else if (const auto* key = std::get_if<HostKey>(&effect)) {
    host_keys_[key->host] = *key; // also of hosts that are gone: they may come again
    if (hosts_.contains(key->host)) send_record(key->host);
  } else if (const auto* instance = std::get_if<InstanceState>(&effect)) {
    if (const auto it = instances_.find(instance->name); it != instances_.end())
      caf::anon_send(it->second, InstanceChanged{*instance});
  }
}

} // namespace almanac

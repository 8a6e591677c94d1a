// Sends durable effects to the life-cycle actors; makes and ends them with their records.
//
// Belongs to the calendar actor and runs in it.
#pragma once

#include "actors/master/life_cycles.hpp"
#include "core/planning/state.hpp"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace almanac {

class Dispatch {
public:
  Dispatch(caf::actor_system& system, LifeCycleContext context)
      : system_(system), context_(std::move(context)) {}

  /// What a task needs to be launched, taken when that is decided.
  LaunchPlan plan(const State& state, const Task& task) const;
  /// To be called before the effects of a batch are sent, if one of them changes the configuration.
  void follow(const Configuration& configuration);
  void send(const Effect& effect, const std::map<TaskId, LaunchPlan>& plans);

  /// Nothing if there is none.
  caf::strong_actor_ptr host(const std::string& name) const;
  caf::strong_actor_ptr job(JobKey key) const;

private:
  HostActor& host_actor(const std::string& name);
  void send_record(const std::string& host);

  caf::actor_system& system_;
  LifeCycleContext context_;
  std::map<JobKey, JobActor> jobs_;
  std::map<ReservationKey, ReservationActor> reservations_;
  std::map<std::string, HostActor> hosts_;
  std::map<std::string, HostState> host_records_;
  std::map<std::string, HostKey> host_keys_;
  std::map<std::string, HostSettings> host_settings_;
  std::map<InstanceName, QueueInstanceActor> instances_;
};

} // namespace almanac

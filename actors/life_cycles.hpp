// The actors that live as long as a record: one for each job, reservation, host and queue instance.
#pragma once

#include "actors/interfaces.hpp"
#include "actors/ports/clock.hpp"
#include "actors/trust/handshake.hpp"

#include <string>

namespace almanac {

struct LifeCycleContext {
  CalendarActor calendar;
  JournalActor journal;
  ViewsActor views;
  GateActor gate; ///< for frames that agents relay
  DirectoryActor directory;
  const Clock* clock = nullptr;
  const Identity* identity = nullptr;
  std::string store_id;
  std::int64_t term = 0;
};

JobActor spawn_job(caf::actor_system& system, const LifeCycleContext& context, std::int64_t number);
ReservationActor spawn_reservation(caf::actor_system& system, const LifeCycleContext& context,
                                   std::int64_t number);
HostActor spawn_host(caf::actor_system& system, const LifeCycleContext& context,
                     const std::string& host);
QueueInstanceActor spawn_queue_instance(caf::actor_system& system, const LifeCycleContext& context,
                                        const std::string& instance);

} // namespace almanac

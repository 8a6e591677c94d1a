// The actors that live as long as a record: one for each job, reservation, host and queue instance.
#pragma once

#include "actors/interfaces.hpp"
#include "actors/ports/accounts.hpp"
#include "actors/ports/clock.hpp"
#include "actors/trust/handshake.hpp"

#include <atomic>
#include <memory>
#include <optional>
#include <string>

namespace almanac {

struct LifeCycleContext {
  CalendarActor calendar;
  ArchiveActor archive;
  ViewsActor views;
  GateActor gate; ///< for frames that agents relay
  DirectoryActor directory;
  const Clock* clock = nullptr;
  const Identity* identity = nullptr;
  std::string store_id;
  Term term;
  VouchFor vouched = nullptr;      ///< for whom agents name; nullptr: they are believed
  CommonFilesActor common_files{}; ///< or none: agents hear nothing of them
  /// How many warrants this master has signed: one count for all hosts, whatever becomes of them.
  std::shared_ptr<std::atomic<std::int64_t>> warrants =
      std::make_shared<std::atomic<std::int64_t>>(0);
};

JobActor spawn_job(caf::actor_system& system, const LifeCycleContext& context, JobNumber number);
ReservationActor spawn_reservation(caf::actor_system& system, const LifeCycleContext& context,
                                   ReservationNumber number);
HostActor spawn_host(caf::actor_system& system, const LifeCycleContext& context,
                     const std::string& host);
QueueInstanceActor spawn_queue_instance(caf::actor_system& system, const LifeCycleContext& context,
                                        const InstanceName& instance);

} // namespace almanac

// The change of one record: at once what is stored, what readers see and what actors act upon.
#pragma once

#include "core/configuration/object.hpp"
#include "core/host/host.hpp"
#include "core/host/host_key.hpp"
#include "core/job/accounting_record.hpp"
#include "core/job/job.hpp"
#include "core/job/task.hpp"
#include "core/mail/letter.hpp"
#include "core/records/counters.hpp"
#include "core/reservation/reservation.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace almanac {

using ReservationPtr = std::shared_ptr<const Reservation>;

struct JobErased {
  JobKey key;
};
struct TaskErased {
  TaskId id;
};
struct ReservationErased {
  ReservationKey key;
};
struct ObjectErased {
  ObjectKind kind = ObjectKind::cluster_queue;
  std::string name;
};

using Effect = std::variant<JobPtr, JobErased, ReservationPtr, ReservationErased,
                            ConfigurationObject, ObjectErased, HostState, InstanceState, Counters,
                            AccountingRecord, Letter, HostKey, TaskPtr, TaskErased>;

/// The state as stored records, in any order.
struct Records {
  std::vector<ConfigurationObject> objects;
  std::vector<HostState> hosts;
  std::vector<HostKey> keys;
  std::vector<InstanceState> instances;
  std::vector<Job> jobs;
  std::vector<Task> tasks;
  std::vector<Reservation> reservations;
  Counters counters;
};

} // namespace almanac

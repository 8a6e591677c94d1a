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
#include "core/records/table.hpp"
#include "core/reservation/reservation.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace almanac {

using ReservationPtr = std::shared_ptr<const Reservation>;

template <class R> struct Erased { KeyOf<R> key; };
struct ObjectErased {
  ObjectKind kind = ObjectKind::cluster_queue;
  std::string name;
};

using Effect =
    std::variant<JobPtr, Erased<Job>, ReservationPtr, Erased<Reservation>, ConfigurationObject,
                 ObjectErased, HostState, InstanceState, Counters, AccountingRecord, Letter,
                 HostKey, TaskPtr, Erased<Task>, SettledTransaction, Erased<SettledTransaction>>;

/// The state as stored records, in any order.
struct RecordSet {
  std::vector<ConfigurationObject> objects;
#define KIND(type, table, family) std::vector<type> table;
#include "core/records/kinds.def"
#undef KIND
  Counters counters;
};

} // namespace almanac

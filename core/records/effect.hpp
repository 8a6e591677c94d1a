// The change of one record: at once what is stored, what readers see and what actors act upon.
#pragma once

#include "core/configuration/objects/object.hpp"
#include "core/job/accounting_record.hpp"
#include "core/mail/letter.hpp"
#include "core/records/counters.hpp"
#include "core/records/kinds.hpp"
#include "core/records/table.hpp"
#include "core/reservation/hook_call.hpp"
#include "core/reservation/reporting_record.hpp"

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

/// How a record that has come or changed is handed on: large ones are shared.
template <class R> struct HandedOn { using Type = R; };
template <> struct HandedOn<Job> { using Type = JobPtr; };
template <> struct HandedOn<Task> { using Type = TaskPtr; };
template <> struct HandedOn<Reservation> { using Type = ReservationPtr; };

#define KIND(type, table, family) HandedOn<type>::Type, Erased<type>,
using Effect = std::variant<
#include "core/records/kinds.def"
    ConfigurationObject, ObjectErased, Counters, AccountingRecord, Letter, HookCall,
    ReportingRecord>;
#undef KIND

/// The state as stored records, in any order.
struct RecordSet {
  std::vector<ConfigurationObject> objects;
#define KIND(type, table, family) std::vector<type> table;
#include "core/records/kinds.def"
#undef KIND
  Counters counters;
};

} // namespace almanac

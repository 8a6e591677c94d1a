// What can be asked of the planner: answered on its present state, never journaled.
#pragma once

#include "core/request/command.hpp"

#include <cstdint>
#include <variant>

namespace almanac {

/// Why a job waits (qstat -j). `alternatives`: and with what it would start now.
struct ExplainJob {
  JobNumber number;
  bool alternatives = false;
};
/// Whether a request would fit (-w v, -w p).
struct VerifySubmit {
  Caller caller;
  Submit command;
  AlterJobs jobs{}; ///< if it has any: whether these would fit, as they would be changed

  bool is_of_jobs() const { return !jobs.targets.empty() || !jobs.users.empty(); }
};
struct VerifyReserve {
  Caller caller;
  Reserve command;
  bool alternatives = false; ///< what could be had instead, where it would not fit
};
/// Whether somebody may see actors, their messages and the journal (almanac-console).
struct MayLookInside {
  Caller caller;
};
/// Whether somebody is on a host of the cell at all.
struct MayEnter {
  Caller caller;
};
/// What a change of a reservation would come to (qralter -w v and -w p).
struct VerifyAlterReservation {
  Caller caller;
  AlterReservation command;
};
/// What a change of the configuration would be refused for, and what it would break or touch
/// (qconf -w v).
struct VerifyConfigure {
  Caller caller;
  ConfigureCommand command;
};
/// When a job would start that is submitted now (QUERY).
struct AskWhen {
  Caller caller;
  WhenQuery query;
};
/// When a reservation could start (RESQUERY).
struct AskStarts {
  Caller caller;
  StartsQuery query;
};
/// What time it is, and whether the caller may act for that user (HELLO); how a reservation stands
/// (STATUS).
struct AskSite {
  Caller caller;
  OnBehalf whom;
  ReservationNumber reservation{}; ///< 0: none
};
/// Which nodes a reservation could have, however many it asks for (plus_availnodes).
struct FindNodes {
  Caller caller;
  ReservationRequest request;
};
using Question =
    std::variant<ExplainJob, VerifySubmit, VerifyReserve, MayLookInside, MayEnter,
                 VerifyAlterReservation, VerifyConfigure, AskWhen, AskStarts, AskSite, FindNodes>;

} // namespace almanac

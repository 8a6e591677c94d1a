// The messages of those who write, keep and read what is stored, or work beside the planner on it.
#pragma once

#include "actors/ports/archive.hpp"
#include "actors/ports/hook_runner.hpp"
#include "actors/ports/job_verifier.hpp"
#include "core/configuration/objects/retention.hpp"
#include "core/job/accounting_filter.hpp"
#include "core/planning/valid_input.hpp"
#include "core/records/effect.hpp"
#include "schema/door/requests.hpp"
#include "schema/store/changes.hpp"
#include "schema/store/keys.hpp"

#include <caf/actor_control_block.hpp>
#include <caf/allowed_unsafe_message_type.hpp>

#include <memory>
#include <string>
#include <vector>

namespace almanac {

// ---- journal ----------------------------------------------------------------------------------

struct CommitBatch {
  std::shared_ptr<const std::vector<store::Write>> batch;
};

// ---- pricer -----------------------------------------------------------------------------------

/// What would a reservation, or a change of one, cost others? When would a job start?
struct AskPrice {
  ValidQuestion question;         ///< a VerifyReserve, a VerifyAlterReservation or an AskWhen
  caf::strong_actor_ptr calendar; ///< who has the records
};
/// To the calendar: all of them as they are now, which need not be durable yet.
struct GetRecords {};
struct RecordsNow {
  std::shared_ptr<const std::vector<Effect>> records;
  Instant now;
};

// ---- verifiers --------------------------------------------------------------------------------

/// Whether a job may be submitted, and as what.
struct VerifyJob {
  std::string url; ///< of the JSV
  Caller caller;
  std::shared_ptr<const JobRequest> request;
};
struct JobVerified {
  std::string refusal; ///< "": it may, as `request` says
  std::shared_ptr<const JobRequest> request;
};
/// INTERNAL: a JSV has spoken, or failed.
struct JsvEnded {
  std::int64_t number = 0; ///< of the talk
  std::shared_ptr<const JsvOutcome> outcome;
};

// ---- hooks ------------------------------------------------------------------------------------

/// To hooks: whom to tell how they ended.
struct MeetCalendar {
  caf::strong_actor_ptr calendar;
};
/// INTERNAL: a hook has been run, in a thread of its own.
struct HookRan {
  std::int64_t sequence = 0;
  std::string failure; ///< "": it has succeeded
  std::string output;
  std::string said; ///< the first line on its standard error
};

/// To a host: a hook that its agent is to run as this user.
struct RunHook {
  std::int64_t sequence = 0; ///< of the call
  std::string user;
  std::int64_t uid = 0;
  HookRun run;
};
/// INTERNAL, of a host: the time of that call is over.
struct HookOverdue {
  std::int64_t sequence = 0;
};

// ---- archive ----------------------------------------------------------------------------------

struct GetScript {
  std::string hash;
};
struct ScriptContent {
  std::shared_ptr<const std::string> content;
};
/// Accounting records as an answer, whose first frame comes at once.
struct FindAccounting {
  AccountingQuery query;
  std::int64_t reader = 0;  ///< a uid: readers take turns
  std::int64_t version = 1; ///< of the door's protocol, as the reader knows it
};
/// The same of inputs, in a few words each.
struct FindInputs {
  door::GetInputs query;
  std::int64_t reader = 0, version = 1; ///< as above
};
/// The same of what became of each slot-second.
struct FindUsage {
  door::GetUsage query;
  std::int64_t reader = 0, version = 1; ///< as above
};
/// To the archive: how long records are kept, from now on, and who begins checkpoints.
struct RetentionsChanged {
  Retentions retentions;
  caf::strong_actor_ptr calendar{};
};
/// To the calendar: a checkpoint is wanted.
struct WantCheckpoint {};
/// To the archive: the store as it was behind an input.
struct SnapshotTaken {
  std::shared_ptr<const Archive> snapshot;
  Sequence sequence; ///< of that input
};

/// The trace of one scheduling run.
struct ScheduleRun {
  std::vector<std::string> lines;
  Instant at;
};

// ---- feed -------------------------------------------------------------------------------------

/// What people hear of inputs that have become durable, in their order.
struct PublishChanges {
  std::shared_ptr<const std::vector<store::ChangeRow>> rows;
  Sequence last; ///< of these inputs; 0: there is none
};
/// A subscription is to begin.
struct Follow {
  door::Subscribe request;
  Caller caller;
  std::int64_t version = 1;     ///< of the door's protocol, as the reader knows it
  caf::strong_actor_ptr keeper; ///< of the door, with the request's connection
  std::int64_t connection = 0;
};
/// What became of the objects that these rows name, as the caller may see them.
struct GetChanged {
  Caller caller;
  door::ChangeFilter filter;
  std::shared_ptr<const std::vector<store::ChangeRow>> rows;
};

} // namespace almanac

#define ALMANAC_LOCAL_MESSAGE(name) CAF_ALLOW_UNSAFE_MESSAGE_TYPE(almanac::name)
ALMANAC_LOCAL_MESSAGE(CommitBatch)
ALMANAC_LOCAL_MESSAGE(AskPrice)
ALMANAC_LOCAL_MESSAGE(GetRecords)
ALMANAC_LOCAL_MESSAGE(RecordsNow)
ALMANAC_LOCAL_MESSAGE(MeetCalendar)
ALMANAC_LOCAL_MESSAGE(HookRan)
ALMANAC_LOCAL_MESSAGE(VerifyJob)
ALMANAC_LOCAL_MESSAGE(JobVerified)
ALMANAC_LOCAL_MESSAGE(JsvEnded)
ALMANAC_LOCAL_MESSAGE(RunHook)
ALMANAC_LOCAL_MESSAGE(HookOverdue)
ALMANAC_LOCAL_MESSAGE(GetScript)
ALMANAC_LOCAL_MESSAGE(ScriptContent)
ALMANAC_LOCAL_MESSAGE(FindAccounting)
ALMANAC_LOCAL_MESSAGE(FindInputs)
ALMANAC_LOCAL_MESSAGE(FindUsage)
ALMANAC_LOCAL_MESSAGE(RetentionsChanged)
ALMANAC_LOCAL_MESSAGE(WantCheckpoint)
ALMANAC_LOCAL_MESSAGE(SnapshotTaken)
ALMANAC_LOCAL_MESSAGE(ScheduleRun)
ALMANAC_LOCAL_MESSAGE(PublishChanges)
ALMANAC_LOCAL_MESSAGE(Follow)
ALMANAC_LOCAL_MESSAGE(GetChanged)

#include "core/answer/ggf.hpp"

#include "core/text/token_list.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace almanac::ggf {

namespace {

struct Message {
  std::int64_t code;
  std::string_view text; ///< what is before the name of a token
};

constexpr Message messages[] = {
    {-10, "syntax"},
    {-11, "unknown token"},
    {-12, "missing token"},
    {-13, "bad value for"},
    {-14, "unknown verb"},
    {-20, "not authenticated"},
    {-21, "not allowed to act for user"},
    {-22, "user not allowed to reserve"},
    {-23, "over reservation allowance"},
    {-30, "no capacity at that time"},
    {-31, "can never run"},
    {-32, "outside horizon"},
    {-33, "reservation in RESACCESS unknown or not yours"},
    {-40, "unknown reservation"},
    {-41, "operation pending"},
    {-42, "hold expired or aborted"},
    {-43, "wrong state"},
    {-51, "key invalid"},
    {-52, "proof invalid"},
    {-53, "challenge unknown, used or expired"},
    {-60, "busy, try later"},
    {-61, "internal"},
    {-62, "shutting down"},
};

struct Row {
  AnswerCode code;
  std::int64_t status;
  std::string_view token{}; ///< whose value is wrong
};

using A = AnswerCode;

constexpr Row rows[] = {
    // the request
    {A::start_in_the_past, -13, "STARTTIME"},
    {A::start_has_passed, -43},
    {A::reservation_is_canceled, -43},
    {A::reservation_is_over, -43},
    {A::end_in_the_past, -13, "STARTTIME"},
    {A::ends_too_late, -32},
    {A::search_has_ended, -13, "TIMESPEC"},
    {A::end_or_duration_missing, -13, "TIMENEEDED"},
    {A::no_such_userset, -13, "ACL"},
    {A::no_such_user, -13, "ACL"},
    {A::no_such_project, -13, "PROJECT"},
    {A::over_before_commit, -13, "STARTTIME"},
    {A::transaction_made_reservation, -13, "TXID"},
    {A::transaction_made_other_change, -13, "TXID"},
    // who asks
    {A::neither_submit_nor_admin_host, -20},
    {A::no_submit_host, -20},
    {A::account_of_the_system, -20},
    {A::squashed_user, -20},
    {A::not_for_other_users, -21},
    {A::subject_may_not_act, -21},
    {A::no_admin_host, -21},
    {A::no_port_of_metaschedulers, -21},
    {A::no_right_to_change_reservation, -21},
    {A::no_right_to_delete_reservation, -21},
    {A::no_right_to_settle, -21},
    {A::arusers_needed, -22},
    {A::no_access_to_project, -22},
    {A::project_needed, -22},
    {A::user_object_needed, -22},
    {A::uid_below_min_uid, -22},
    {A::gid_below_min_gid, -22},
    {A::site_denied, -22},
    {A::site_did_not_agree, -22},
    {A::too_few_nodes_reservable, -22},
    {A::policy_is_unreadable, -22},
    {A::too_many_reservations, -23},
    {A::too_many_reservations_of_user, -23},
    {A::too_many_slot_hours, -23},
    {A::reservations_over_allowance, -23},
    {A::node_hours_over_allowance, -23},
    {A::rejected, -23},
    {A::too_many_jobs, -23},
    {A::too_many_jobs_of_user, -23},
    {A::job_rejected, -23},
    // capacity
    {A::no_suitable_queues_for_reservation, -30},
    {A::not_enough_nodes, -30},
    {A::nodes_are_fixed, -43},
    {A::fewer_nodes_after_start, -43},
    {A::no_feasible_start, -30},
    {A::no_start_before, -30},
    {A::fits_never, -31},
    {A::unable_to_run_job, -31},
    {A::unknown_resource, -31},
    {A::resource_not_requestable, -31},
    {A::unknown_hostname, -31},
    {A::unknown_queue, -31},
    {A::no_such_pe, -31},
    {A::slots_requested, -13, "RES"},
    {A::amount_below_zero, -13, "RES"},
    {A::resource_value_malformed, -13, "RES"},
    {A::ratio_without_rule, -13, "RES"},
    {A::starts_outside_horizon, -32},
    {A::room_not_lent, -33},
    // reservations
    {A::no_such_reservation, -40},
    {A::operation_pending, -41},
    {A::nothing_held, -42},
    {A::change_was_aborted, -42},
    {A::transaction_was_aborted, -42},
    {A::offer_ended, -42},
    {A::deleted_while_site_was_asked, -42},
    {A::change_was_committed, -43},
    {A::maintenance_by_plus, -43},
    {A::denied, -43}, // what jobs in it have is in the way
    {A::reservation_needed, -40},
    // keys
    {A::reservation_has_no_key, -43},
    {A::key_is_invalid, -51},
    {A::key_for_another, -51},
    {A::key_needed, -51},
    {A::proof_is_invalid, -52},
    {A::challenge_is_unknown, -53},
    // the master
    {A::too_many_challenges, -60},
};

const Row* row_of(AnswerCode code) {
  const auto* it = std::find_if(std::begin(rows), std::end(rows),
                                [&](const Row& row) { return row.code == code; });
  return it == std::end(rows) ? nullptr : it;
}

// Why something is so says more than that it is so ("unable to run job", because ...).
const Statement* reason_of(const Statement& statement) {
  for (const auto& detail : statement.details)
    for (const auto& inner : detail.inner)
      if (const auto* reason = reason_of(inner)) return reason;
  return row_of(statement.code) ? &statement : nullptr;
}

// The last one that has a row.
const Statement* reason_of(const Answer& answer) {
  const auto& said = answer.statements;
  for (auto it = said.rbegin(); it != said.rend(); ++it)
    if (const auto* reason = reason_of(*it)) return reason;
  return nullptr;
}

} // namespace

Status status(std::int64_t code, std::string_view token) {
  if (code == 0) return {};
  const auto* it = std::find_if(std::begin(messages), std::end(messages),
                                [&](const Message& message) { return message.code == code; });
  std::string text(it == std::end(messages) ? "internal" : it->text);
  if (!token.empty()) text.append(" ").append(token);
  return {code, std::move(text)};
}

Status status_of(const Answer& answer) {
  if (answer.exit_code == 0) return {};
  const auto* reason = reason_of(answer);
  if (!reason) return status(-61);
  const auto* row = row_of(reason->code);
  return status(row->status, row->token);
}

std::string refused_resource(const Answer& answer) {
  const auto* reason = answer.exit_code == 0 ? nullptr : reason_of(answer);
  const auto* resource = reason ? reason->find("resource") : nullptr;
  return resource ? resource->text : "";
}

std::string answer_line(std::int64_t code, const std::vector<Attribute>& tokens) {
  auto line = "SC=" + std::to_string(code);
  if (!tokens.empty()) line += ";" + print_token_list(tokens);
  return line;
}

std::string quoted(std::string_view info) {
  std::string text = "\"";
  for (const char c : info) {
    if (c == '"' || c == '\\') text += '\\';
    if (c == '\n') text += "\\n";
    else text += c;
  }
  return text + "\"";
}

} // namespace almanac::ggf

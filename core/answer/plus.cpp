#include "core/answer/plus.hpp"

#include "core/answer/gridengine.hpp"
#include "core/answer/gridengine_row.hpp"
#include "core/answer/sentence.hpp"

#include <algorithm>
#include <iterator>

namespace almanac::plus {

namespace {

using gridengine::Row;

constexpr Row rows[] = {
    {AnswerCode::no_such_reservation, "there is no reservation R{reservation}"},
    {AnswerCode::no_right_to_change_reservation,
     "R{reservation} belongs to somebody else: \"{user}\" is neither its owner nor operator"},
    {AnswerCode::no_right_to_delete_reservation,
     "R{reservation} belongs to somebody else: \"{user}\" is neither its owner nor operator"},
    {AnswerCode::no_right_to_settle,
     "the operation on R{reservation} is somebody else's: \"{user}\" is neither who asked for it "
     "nor manager"},
    {AnswerCode::no_reservations_of_users, "there is no reservation of {users}"},
    {AnswerCode::all_reservations_for_managers,
     "\"{user}\" must be manager to change reservations of others"},
    {AnswerCode::arusers_needed,
     "\"{user}\" may not reserve: this takes a manager, or a member of userset \"arusers\""},
    {AnswerCode::operation_pending,
     "operation pending on R{reservation}: plus_commit or plus_abort comes first"},
    {AnswerCode::nothing_held, "nothing is held for R{reservation}"},
    {AnswerCode::reservation_is_canceled, "R{reservation} is canceled"},
    {AnswerCode::reservation_is_over, "R{reservation} has expired"},
    {AnswerCode::change_was_committed, "the operation on R{reservation} was committed"},
    {AnswerCode::change_was_aborted, "the operation on R{reservation} was aborted"},
    {AnswerCode::over_before_commit, "it would be over before it could be committed"},
    {AnswerCode::no_suitable_queues_for_reservation, "no nodes can be reserved in this time"},
    {AnswerCode::start_in_the_past, "the start (-s) has passed"},
    {AnswerCode::end_in_the_past, "the end (-e) has passed"},
    {AnswerCode::unknown_queue, "there is no queue \"{queue}\""},
    {AnswerCode::slots_requested, "slots are asked for with -sn, not with -l"},
    {AnswerCode::scheduler_already_so, "the scheduler {state} already"},
    {AnswerCode::pe_offers_few, "no further node has more than {slots} slots free in this time"},
    {AnswerCode::fewer_nodes_after_start, "R{reservation} has begun: it keeps its {nodes} nodes"},
    {AnswerCode::start_has_passed, "it has begun: its start cannot be changed"},
    {AnswerCode::ends_too_late, "it would end more than 100 years from now"},
    {AnswerCode::too_many_reservations_of_user,
     "only {limit} reservations are allowed for user \"{user}\""},
    {AnswerCode::too_many_reservations, "only {limit} reservations are allowed in this cell"},
    {AnswerCode::site_did_not_agree, "the site has not agreed to R{reservation} in time ({hook})"},
    {AnswerCode::deleted_while_site_was_asked,
     "R{reservation} was destroyed while the site was asked about it"},
    {AnswerCode::share_of_reservation, "R{reservation}: {amount}[ {end}]"},
    {AnswerCode::key_is_invalid,
     "the key is not one of R{reservation} as it is now: ask for its key again"},
    {AnswerCode::proof_is_invalid, "the proof for R{reservation} is not one of this request"},
    {AnswerCode::challenge_is_unknown,
     "the challenge for R{reservation} is not known, was used, or is older than {seconds} s"},
    {AnswerCode::key_needed,
     "R{reservation} needs its key (-reskey), since the site has set GMETA_REQUIRE_KEY"},
    {AnswerCode::key_for_another,
     "the key is that of R{reservation}, and the request is about another one"},
    {AnswerCode::reservation_has_no_key, "R{reservation} has no key"},
    {AnswerCode::reservation_shares_room,
     "it lends room to another reservation, or uses room of another one"},
    {AnswerCode::owner_not_admitted, "user \"{user}\" may not use R{reservation}"},
    {AnswerCode::longer_than_reservation,
     "the job is longer than the reservation[ R{reservation}] ({requested} requested, {reserved} "
     "reserved less {offset} s)"},
    {AnswerCode::begins_too_late, "the job would run beyond the end of the reservation[ "
                                  "R{reservation}] (it begins {after} after "
                                  "the reservation does, {reserved} reserved less {offset} s)"},
    {AnswerCode::exceeds_reservation,
     "the job would run beyond the end of the reservation[ R{reservation}] ({requested} requested, "
     "{reserved} reserved less {offset} s)"},
    {AnswerCode::not_part_of_series, "R{reservation} is not part of a series"},
    {AnswerCode::transaction_made_reservation,
     "another operation has made R{reservation}: a change needs a name of its own"},
    {AnswerCode::transaction_made_other_change,
     "another change of R{reservation} has this name already"},
};

// Grid Engine's last line, which says only that there is no place.
bool is_general(const Statement& statement) {
  return statement.code == AnswerCode::no_suitable_queues_for_reservation;
}

// Whoever reserves nodes asks for no parallel environment: it says how many slots a node has free.
bool is_about_slots(const Statement& statement) {
  return statement.code == AnswerCode::pe_offers_few;
}
std::int64_t free_slots(const Statement& statement) {
  const auto* slots = statement.find("slots");
  return slots ? slots->number : 0;
}

// Others say more, or speak of what was asked for. Of the slots of nodes it is said what most have.
bool is_covered_by(const Statement& other, const Statement& statement) {
  if (!other.trouble || &other == &statement) return false;
  if (is_about_slots(other)) {
    if (!is_about_slots(statement)) return false;
    const auto more = free_slots(other), less = free_slots(statement);
    return more > less || (more == less && &other < &statement);
  }
  if (is_about_slots(statement)) return free_slots(statement) == 0;
  return is_general(statement) && !is_general(other);
}

bool is_covered_by_others(const Answer& answer, const Statement& statement) {
  return std::any_of(answer.statements.begin(), answer.statements.end(),
                     [&](const Statement& other) { return is_covered_by(other, statement); });
}

std::string in_one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

} // namespace

std::string_view sentence_of(AnswerCode code) {
  const auto* found = std::find_if(std::begin(rows), std::end(rows),
                                   [&](const Row& row) { return row.code == code; });
  return found == std::end(rows) ? gridengine::sentence_of(code) : found->sentence;
}

std::string text_of(const Statement& statement) {
  const auto sentence = sentence_of(statement.code);
  return sentence.empty() ? bare(statement, text_of) : filled(sentence, statement, text_of);
}

std::vector<std::string> troubles_of(const Answer& answer) {
  std::vector<std::string> texts;
  if (answer.statements.empty())
    for (const auto& line : answer.lines)
      if (line.trouble) texts.push_back(line.text);
  for (const auto& statement : answer.statements)
    if (statement.trouble && !is_covered_by_others(answer, statement))
      texts.push_back(in_one_line(text_of(statement)));
  return texts;
}

} // namespace almanac::plus

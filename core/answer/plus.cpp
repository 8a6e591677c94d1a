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
    {AnswerCode::change_was_committed, "the operation on R{reservation} was committed"},
    {AnswerCode::change_was_aborted, "the operation on R{reservation} was aborted"},
    {AnswerCode::over_before_commit, "it would be over before it could be committed"},
    {AnswerCode::no_suitable_queues_for_reservation, "no nodes can be reserved in this time"},
    {AnswerCode::start_in_the_past, "the start (-s) has passed"},
    {AnswerCode::end_in_the_past, "the end (-e) has passed"},
    {AnswerCode::unknown_queue, "there is no queue \"{queue}\""},
    {AnswerCode::slots_requested, "slots are asked for with -sn, not with -l"},
    {AnswerCode::scheduler_already_so, "the scheduler {state} already"},
};

// Grid Engine's last line, which says only that there is no place.
bool is_general(const Statement& statement) {
  return statement.code == AnswerCode::no_suitable_queues_for_reservation;
}

// Whoever reserves nodes asks for no parallel environment.
bool is_about_pe(const Statement& statement) { return statement.code == AnswerCode::pe_offers_few; }

// Others say more, or speak of what was asked for.
bool is_covered_by_others(const Answer& answer, const Statement& statement) {
  const auto covers = [&](const Statement& other) {
    if (!other.trouble || is_about_pe(other)) return false;
    return is_about_pe(statement) || (is_general(statement) && !is_general(other));
  };
  return std::any_of(answer.statements.begin(), answer.statements.end(), covers);
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

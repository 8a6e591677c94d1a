#include "core/planning/valid_input.hpp"

#include "core/request/valid.hpp"

#include <optional>

namespace almanac {

namespace {

// qsub says that it could not run a job, also where it only asks.
template <class Body> std::optional<Answer> refusal_of(const Caller& caller, const Body& body) {
  if (const auto known = valid(caller); !known) return Answer::refusal(known.what());
  const auto outcome = valid(body);
  if (outcome) return std::nullopt;
  if (!std::holds_alternative<Submit>(body)) return Answer::refusal(outcome.what());
  return Answer::refusal(
      {AnswerCode::unable_to_run_job, {{"why", Statement::said(outcome.what())}}});
}

CommandBody body_of(const ConfigureCommand& command) {
  return std::visit([](const auto& one) { return CommandBody(one); }, command);
}
template <class T> CommandBody body_of(const T& command) { return command; }

std::optional<Answer> refusal(const Command& command) {
  if (auto why = refusal_of(command.caller, command.body)) return why;
  const auto outcome = valid_whom(command.body, command.whom);
  return outcome ? std::nullopt : std::optional(Answer::refusal(outcome.what()));
}
std::optional<Answer> refusal(const VerifySubmit& question) {
  return question.is_of_jobs() ? refusal_of(question.caller, CommandBody(question.jobs))
                               : refusal_of(question.caller, CommandBody(question.command));
}
template <class Asked>
std::optional<Answer> refusal_of_query(const Caller& caller, const Asked& asked) {
  if (const auto known = valid(caller); !known) return Answer::refusal(known.what());
  if (const auto outcome = valid(asked); !outcome) return Answer::refusal(outcome.what());
  return std::nullopt;
}
std::optional<Answer> refusal(const AskWhen& question) {
  return refusal_of_query(question.caller, question.query);
}
std::optional<Answer> refusal(const AskStarts& question) {
  return refusal_of_query(question.caller, question.query);
}
std::optional<Answer> refusal(const AskSite& question) {
  return refusal_of_query(question.caller, question.whom);
}
// It holds what a reservation asks for.
std::optional<Answer> refusal(const FindNodes& question) {
  return refusal_of(question.caller, CommandBody(Reserve{question.request}));
}
template <class Question> std::optional<Answer> refusal(const Question& question) {
  return refusal_of(question.caller, body_of(question.command));
}

} // namespace

template <class T> std::variant<Valid<T>, Answer> validated(T request) {
  if (auto why = refusal(request)) return *why;
  return Valid<T>(std::move(request));
}
template std::variant<Valid<Command>, Answer> validated(Command);
template std::variant<Valid<VerifySubmit>, Answer> validated(VerifySubmit);
template std::variant<Valid<VerifyReserve>, Answer> validated(VerifyReserve);
template std::variant<Valid<VerifyAlterReservation>, Answer> validated(VerifyAlterReservation);
template std::variant<Valid<VerifyConfigure>, Answer> validated(VerifyConfigure);
template std::variant<Valid<AskWhen>, Answer> validated(AskWhen);
template std::variant<Valid<AskStarts>, Answer> validated(AskStarts);
template std::variant<Valid<AskSite>, Answer> validated(AskSite);
template std::variant<Valid<FindNodes>, Answer> validated(FindNodes);

std::variant<ValidInput, Answer> validated_input(Input input) {
  if (auto* command = std::get_if<Command>(&input)) {
    auto found = validated(std::move(*command));
    if (auto* refusal = std::get_if<Answer>(&found)) return *refusal;
    return ValidInput(std::get<0>(found));
  }
  return std::visit(
      [](auto& fact) -> std::variant<ValidInput, Answer> {
        if constexpr (std::is_same_v<std::decay_t<decltype(fact)>, Command>)
          throw Bug("a command was looked through");
        else return ValidInput(std::move(fact));
      },
      input);
}

} // namespace almanac

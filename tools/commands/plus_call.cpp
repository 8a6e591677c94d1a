#include "tools/commands/plus_call.hpp"

#include "core/answer/plus.hpp"
#include "core/answer/sentence.hpp"
#include "tools/commands/reservation_key.hpp"

#include <iostream>

namespace almanac {

std::optional<PlusOptions> read_plus(Context& context, std::string_view command, int& code) {
  const PlusClock clock{
      context.now(), [&context](const DateTime& date) { return to_instant(date, context.now()); }};
  auto options = parse_plus(command, context.arguments, clock);
  if (!options) {
    code = complain(context, options.what(), plus_exit::usage);
    return std::nullopt;
  }
  if (options->help) {
    context.out << plus_usage(command);
    code = plus_exit::done;
    return std::nullopt;
  }
  if (!options->refusal.empty()) {
    code = complain(context, options->refusal, plus_exit::refused);
    return std::nullopt;
  }
  return *options;
}

int tell_troubles(Context& context, const Answer& given) {
  auto answer = given;
  say_times(answer.statements, print_iso_time);
  for (const auto& text : plus::troubles_of(answer)) complain(context, text);
  return answer.exit_code == 0 ? plus_exit::done : plus_exit::refused;
}

int tell_failure(Context& context, const std::string& why) {
  return complain(context, why,
                  context.door.is_at_fault() ? plus_exit::refused : plus_exit::unreached);
}

namespace {

int run(Context& context, door::RunCommand command, const std::function<void(const Answer&)>& use) {
  int code = plus_exit::done;
  const auto called = context.door.call(std::move(command), [&](door::ReplyBody& frame) {
    const auto* answer = std::get_if<Answer>(&frame);
    if (!answer) return;
    code = tell_troubles(context, *answer);
    if (code == plus_exit::done && use) use(*answer);
  });
  return called ? code : tell_failure(context, called.what());
}

} // namespace

int run_plus(Context& context, CommandBody body, const std::function<void(const Answer&)>& use) {
  return run(context, {std::move(body), {}}, use);
}

int run_plus_with_key(Context& context, CommandBody body, const std::string& key_file) {
  auto command = claiming(context, std::move(body), key_file);
  if (command) return run(context, std::move(*command), {});
  const auto& why = command.error();
  if (why.answer) return tell_troubles(context, *why.answer);
  return why.is_unreached ? tell_failure(context, why.text)
                          : complain(context, why.text, plus_exit::refused);
}

int find_for_plus(Context& context, ReservationNumber number,
                  std::optional<door::ReservationView>& found) {
  door::GetReservations query;
  query.reservations = {to_string(number)};
  query.past = true;
  const int code =
      ask_plus<door::Reservations>(context, std::move(query), [&](door::Reservations& frame) {
        for (auto& one : frame.reservations)
          if (one.number == number) found = std::move(one);
      });
  if (code != plus_exit::done || found) return code;
  return complain(context,
                  plus::text_of({AnswerCode::no_such_reservation, {{"reservation", number}}}),
                  plus_exit::refused);
}

std::string path_of(const Context& context, const std::string& file) {
  return file.starts_with('/') ? file : context.directory + "/" + file;
}

Duration held_for(const PlusOptions& options) {
  return options.holds ? longest_wish_to_hold : Duration{};
}

} // namespace almanac

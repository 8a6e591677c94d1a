#include "actors/master/reservation_claims.hpp"

#include "schema/codec.hpp"

namespace almanac {

namespace {

// One that is there has its secret already.
template <class T> bool is_for_new_one(const T& command) {
  if constexpr (requires { command.number; }) return !command.number;
  else return true;
}

} // namespace

std::string proved_by_claim(const CommandBody& command) {
  return canonical(door::RunCommand{command, {}});
}

Outcome draw_for(CommandBody& command, const Caller& caller, const SharedKeys& keys) {
  return std::visit(
      [&](auto& one) -> Outcome {
        if constexpr (requires { one.sealed_secret; }) {
          one.sealed_secret.clear();
          if (!one.with_key || !one.request.public_key.empty() || !is_for_new_one(one))
            return Done{};
          if (!keys) return Error{"this cell has no keys of reservations"};
          one.sealed_secret = keys->draw_secret(caller);
        } else if constexpr (requires { one.nonce; }) {
          if (!keys) return Error{"this cell has no keys of reservations"};
          one.nonce = keys->draw_nonce();
        }
        return Done{};
      },
      command);
}

door::ReplyBody key_for(const Caller& caller, ReservationNumber number,
                        const FoundReservation& found, const SharedKeys& keys) {
  if (!found.reservation || !keys)
    return Answer::refusal({AnswerCode::no_such_reservation, {{"reservation", number}}});
  if (!found.is_callers)
    return Answer::refusal({AnswerCode::no_right_to_change_reservation,
                            {{"user", caller.user}, {"reservation", number}}});
  auto text = keys->text(*found.reservation, found.now);
  if (!text) return Answer::refusal("denied: " + text.what());
  return door::KeyOfReservation{std::move(*text)};
}

} // namespace almanac

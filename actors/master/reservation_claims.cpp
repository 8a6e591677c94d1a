#include "actors/master/reservation_claims.hpp"

#include "schema/codec.hpp"

namespace almanac {

namespace {

constexpr const char* no_keys = "this cell has no keys of reservations";

// What a client says of the secret counts for nothing. A reservation that is there has its own already.
Outcome draw_secret(PrepareReservation& command, const Caller& owner, const SharedKeys& keys) {
  command.sealed_secret.clear();
  if (!command.with_key || !command.request.public_key.empty() || command.number) return Done{};
  if (!keys) return Error{no_keys};
  command.sealed_secret = keys->draw_secret(owner);
  return Done{};
}

} // namespace

std::string proved_by_claim(const CommandBody& command) {
  return canonical(door::RunCommand{command, {}});
}

Outcome draw_for(CommandBody& command, const Caller& caller, const SharedKeys& keys) {
  return std::visit(
      [&](auto& one) -> Outcome {
        if constexpr (requires { one.nonce; }) {
          if (!keys) return Error{no_keys};
          one.nonce = keys->draw_nonce();
        } else if constexpr (requires { one.prepare.sealed_secret; }) {
          const auto& user = one.whom.user;
          const auto& owner = user.user.empty() || user.user == caller.user ? caller : user;
          return draw_secret(one.prepare, owner, keys);
        } else if constexpr (requires { one.sealed_secret; }) return draw_secret(one, caller, keys);
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

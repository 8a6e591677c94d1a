// What the gate does about keys of reservations (spec/metascheduler.md section 6): it draws what the
// planner cannot, since that draws nothing.
#pragma once

#include "actors/messages.hpp"
#include "actors/trust/reservation_key.hpp"
#include "core/request/command.hpp"

#include <memory>
#include <string>

namespace almanac {

/// None: this cell has no keys of reservations.
using SharedKeys = std::shared_ptr<const ReservationKeys>;

/// What is proved with a claim: the command as it was sent. To be asked before anything is changed
/// in it.
std::string proved_by_claim(const CommandBody& command, const std::vector<OnBehalf>& whom = {});

/// Draws the nonce of a challenge, and the secret of a reservation that is to have one; what the
/// client says of these is dropped. `owner` is whose it will be. An error: there are no keys to do it with.
Outcome draw_for(CommandBody& command, const Caller& owner, const SharedKeys& keys);

/// RESKEY of what was found for this number, or why the caller gets none: it may have its secret in
/// it, so only the owner does, whoever acts for the owner, and managers.
door::ReplyBody key_for(const Caller& caller, ReservationNumber number,
                        const FoundReservation& found, const SharedKeys& keys);

} // namespace almanac

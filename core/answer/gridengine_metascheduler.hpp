// The sentences of what metaschedulers ask. Part of the table in gridengine.cpp; what gmeta prints
// has status codes instead (site_status.hpp).
#pragma once

#include "core/answer/gridengine_row.hpp"

namespace almanac::gridengine {

inline constexpr Row rows_of_metascheduler[] = {
    {AnswerCode::not_for_other_users, "denied: \"{user}\" may not act for \"{owner}\""},
    {AnswerCode::starts_outside_horizon,
     "denied: this cell looks {limit} ahead for starts (GMETA_HORIZON)"},
    {AnswerCode::search_has_ended, "denied: the last start asked for has passed"},
    {AnswerCode::start_range, "a start from {first} to {last}"},
    {AnswerCode::no_feasible_start, "denied: no start within the time asked for has a place"},
    {AnswerCode::meta_reservation_held,
     "advance reservation {reservation} from {start} is held until {until}[ in state {state}]"},
    {AnswerCode::meta_reservation_granted,
     "advance reservation {reservation} begins at {start}[ in state {state}]"},
    {AnswerCode::room_not_lent, "denied: the room of advance reservation {reservation} cannot be "
                                "used: it is unknown, or not open to \"{user}\""},
    {AnswerCode::reservations_over_allowance,
     "rejected: \"{user}\" has {count} advance reservations of {limit} (GMETA_USER_MAX)"},
    {AnswerCode::node_hours_over_allowance,
     "rejected: \"{user}\" would have more than {limit} node-hours reserved (GMETA_USER_MAX)"},
    {AnswerCode::would_start_at, "it would start at {at}"},
    {AnswerCode::would_start_later_than, "it would not start before {at}"},
    {AnswerCode::meta_reservation_state,
     "advance reservation {reservation} is {state} from {start} to {end} on {nodes} hosts[, held "
     "until {until}]"},
    {AnswerCode::site_time, "it is {now}"},
    {AnswerCode::searches_start, "looks for the start of an advance reservation"},
    {AnswerCode::transaction_was_aborted, "denied: transaction \"{transaction}\" was aborted"},
    {AnswerCode::transaction_made_reservation,
     "denied: transaction \"{transaction}\" has made advance_reservation {reservation}: a change "
     "needs a name of its own"},
    {AnswerCode::reservation_is_canceled, "denied: advance_reservation {reservation} is canceled"},
    {AnswerCode::reservation_is_over, "denied: advance_reservation {reservation} is over"},
    {AnswerCode::transaction_made_other_change,
     "denied: transaction \"{transaction}\" has made another change of advance_reservation "
     "{reservation}"},
    {AnswerCode::subject_may_not_act,
     "denied: access list \"gmeta_{subject}\" does not let it act for user \"{user}\""},
    {AnswerCode::no_port_of_metaschedulers,
     "denied: \"{user}\" is not the user of this cell's port for metaschedulers (GMETA_PORT)"},
    {AnswerCode::said_for, "{who}[ by {subject}][ for {user}]: {what}"},
    {AnswerCode::fits_never, "denied: the cell can never have room for it"},
};

} // namespace almanac::gridengine

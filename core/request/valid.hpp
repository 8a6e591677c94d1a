// Whether what comes from outside can be worked with at all, whoever sent it.
//
// Commands check their words to be helpful; nobody has to use them. So every request is asked here
// by the gate before anything else: what the planner takes is a type that only a request which is
// valid becomes (core/planning/valid_input.hpp). Every stored record is asked when it is read.
//
// 1. What is valid has numbers, times and lists within bounds: sums of them do not overflow, and
//    loops over them end.
// 2. It is valid by itself: whether what it names exists is asked later, by the rules.
// 3. The error is a sentence for who sent it, and is short whatever was sent.
#pragma once

#include "core/base/last_second.hpp"
#include "core/job/job.hpp"
#include "core/job/task.hpp"
#include "core/request/command.hpp"
#include "core/reservation/series.hpp"

namespace almanac {

inline constexpr std::int64_t longest_time = hundred_years.seconds;

Outcome valid(const JobRequest& request);
Outcome valid(const ReservationRequest& request);
Outcome valid(const CommandBody& body);
/// Of a reservation whose start is looked for, beside what is valid of each.
Outcome valid_new_start(const ReservationRequest& request);
Outcome valid(const StartSearch& search);
Outcome valid(const OnBehalf& whom);
/// Whether this command can be for somebody else, if it is: only those about reservations can.
Outcome valid_whom(const CommandBody& body, const std::vector<OnBehalf>& whom);
Outcome valid(const StartsQuery& query);
Outcome valid(const WhenQuery& query);
Outcome valid(const Caller& caller);
/// What qrsh -inherit starts: a command whose arguments, variables and folder a system would take.
Outcome valid_process(const std::vector<std::string>& command,
                      const std::vector<Attribute>& environment, const std::string& directory);
/// Texts that name or choose something: short, few, UTF-8 without control characters.
Outcome valid_texts(const std::vector<std::string>& texts);

/// As it is stored.
Outcome valid(const Job& job);
/// Of the job with this key.
Outcome valid(const Task& task, const Job& job);
Outcome valid(const Reservation& reservation);
Outcome valid(const Series& series);

} // namespace almanac

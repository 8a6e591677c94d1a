// What a reservation may ask for, by the option that asks for it (reserve_table.cpp), beside what
// every text and list has to be.
#pragma once

#include "core/request/findings.hpp"
#include "core/reservation/reservation_request.hpp"

#include <cstdint>
#include <string_view>

namespace almanac {

inline constexpr std::int64_t longest_idle = 525'600; // minutes

void check_duration(Findings& findings, const ReservationRequest& request);
void check_start(Findings& findings, const ReservationRequest& request);
void check_idle(Findings& findings, const ReservationRequest& request);
void check_maintenance(Findings& findings, const ReservationRequest& request);
void check_hosts(Findings& findings, const ReservationRequest& request);
void check_running(Findings& findings, const ReservationRequest& request);
void check_master_queues(Findings& findings, const ReservationRequest& request);
void check_nodes(Findings& findings, const ReservationRequest& request);
void check_pe(Findings& findings, const ReservationRequest& request);

/// A valid object name that cannot be taken for an id, as 84 and R84 can (spec/rulings.md D9). Only
/// what is asked for is checked so: names that were granted before this rule are kept.
Outcome valid_reservation_name(std::string_view name);

} // namespace almanac

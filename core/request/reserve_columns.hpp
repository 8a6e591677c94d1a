// What stands in the rows of reserve_table.cpp: how options of qrsub and qralter are read into fields.
// What the fields may hold stands in reserve_checks.hpp.
#pragma once

#include "core/request/read_columns.hpp"
#include "core/request/reserve_table.hpp"
#include "core/text/words.hpp"

#include <string>
#include <utility>

namespace almanac::columns {

template <auto member> Outcome read_of_series(const ReserveReading& reading) {
  if (reading.value().empty()) return reading.wrong("nothing is given");
  reading.into.series.*member = reading.value();
  return Done{};
}

template <auto member> Outcome read_more(const ReserveReading& reading) {
  auto& list = reading.request().*member;
  if (reading.is_first()) list.clear();
  for (auto& word : split(reading.value(), ',')) list.push_back(std::move(word));
  return Done{};
}

// No queue is not every queue.
template <auto member> Outcome read_queue_list(const ReserveReading& reading) {
  if (words(reading.value(), ", ").empty()) return reading.wrong("no queue is named");
  for (const auto& name : split(reading.value(), ','))
    if (words(name, " ").empty()) return reading.wrong("a name is empty");
  return read_more<member>(reading);
}

Outcome read_duration(const ReserveReading& reading);
Outcome read_start(const ReserveReading& reading);
Outcome read_end(const ReserveReading& reading);
Outcome read_repeat(const ReserveReading& reading);
Outcome read_skipped(const ReserveReading& reading);
Outcome read_zone(const ReserveReading& reading);
Outcome read_conflict(const ReserveReading& reading);
Outcome read_occasions(const ReserveReading& reading);
Outcome read_addresses(const ReserveReading& reading);
Outcome read_name(const ReserveReading& reading);
Outcome read_host(const ReserveReading& reading);
Outcome read_users(const ReserveReading& reading);
Outcome read_named_pe(const ReserveReading& reading);
Outcome read_checkpoint(const ReserveReading& reading);
Outcome read_immediate(const ReserveReading& reading);
Outcome read_project(const ReserveReading& reading);
Outcome read_from_job(const ReserveReading& reading);
Outcome read_offer(const ReserveReading& reading);
Outcome read_accepted(const ReserveReading& reading);
Outcome read_file(const ReserveReading& reading);
Outcome read_repair(const ReserveReading& reading);
Outcome read_spare(const ReserveReading& reading);
Outcome read_idle(const ReserveReading& reading);
Outcome read_hosts(const ReserveReading& reading);
Outcome read_running(const ReserveReading& reading);
Outcome read_validation(const ReserveReading& reading);

} // namespace almanac::columns

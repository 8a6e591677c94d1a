// What stands in the rows of submit_table.cpp: how options are read into fields, what these may hold,
// and how they are shown.
#pragma once

#include "core/request/checks.hpp"
#include "core/request/read_columns.hpp"
#include "core/request/submit_options.hpp"
#include "core/text/resource_list.hpp"
#include "core/text/words.hpp"

#include <string>
#include <type_traits>
#include <vector>

namespace almanac::columns {

// ---- fields -----------------------------------------------------------------------------------

// Ends of values and of lists: no text of a class holds a control character (valid.hpp).
template <class T> void write_value(std::string& key, const T& value) {
  if constexpr (std::is_same_v<T, std::string>) key += value;
  else if constexpr (is_vector<T>::value) {
    for (const auto& each : value) write_value(key, each);
    key += '\x1e';
  } else if constexpr (std::is_integral_v<T> || std::is_enum_v<T>)
    key += std::to_string(static_cast<std::int64_t>(value));
  else {
    const auto visit = [&](const char*, auto& field) { write_value(key, field); };
    describe(visit, const_cast<T&>(value)); // reads only
  }
  key += '\x1f';
}

template <auto... member> constexpr RequestFields fields{
    [](JobRequest& into, const JobRequest& from) { ((into.*member = from.*member), ...); },
    [](std::string& key, const JobRequest& from) { (write_value(key, from.*member), ...); }};

constexpr RequestFields no_fields{[](JobRequest&, const JobRequest&) {},
                                  [](std::string&, const JobRequest&) {}};

// ---- reading ----------------------------------------------------------------------------------

template <auto member> Outcome read_flag(const OptionReading& reading) {
  reading.request().*member = true;
  return Done{};
}

template <auto member> Outcome read_queues(const OptionReading& reading) {
  if (reading.value().empty() && !reading.site.is_alteration)
    return reading.wrong("no queue is named");
  auto& list = reading.request().*member;
  if (reading.is_first) list.clear();
  for (auto& name : split(reading.value(), ',')) list.push_back(std::move(name));
  return Done{};
}

template <auto member> Outcome read_tickets(const OptionReading& reading) {
  const auto number = parse_number(reading.value());
  if (!number || *number > most_tickets)
    return reading.wrong("a number from 0 to " + std::to_string(most_tickets) + " is expected");
  reading.request().*member = *number;
  return Done{};
}
Outcome read_mail_occasions(const OptionReading& reading);
Outcome read_mail_list(const OptionReading& reading);
Outcome read_priority(const OptionReading& reading);
Outcome read_rerun(const OptionReading& reading);
Outcome read_shells(const OptionReading& reading);
Outcome read_no_shell(const OptionReading& reading);
Outcome read_here(const OptionReading& reading);
Outcome read_directory(const OptionReading& reading);
Outcome read_environment(const OptionReading& reading);
Outcome read_variables(const OptionReading& reading);
template <auto member> Outcome read_predecessors(const OptionReading& reading) {
  auto& list = reading.request().*member;
  list.clear();
  for (const auto& word : split(reading.value(), ',')) {
    if (trim(word).empty()) return reading.wrong("a job is missing");
    list.emplace_back(trim(word));
  }
  return Done{};
}
template <ContextVerb verb> Outcome read_context(const OptionReading& reading) {
  auto variables = parse_context(reading.value());
  if (!variables) return reading.wrong(variables.what());
  reading.into.context.push_back({verb, std::move(*variables)});
  change_context(reading.request().context, reading.into.context.back());
  return Done{};
}
Outcome read_binding(const OptionReading& reading);
Outcome read_checkpoint(const OptionReading& reading);
Outcome read_checkpoint_times(const OptionReading& reading);
/// Of what is read elsewhere: "-@", "--".
Outcome read_nothing(const OptionReading& reading);
/// What -jsv names.
Outcome read_jsv(const OptionReading& reading);
Outcome read_reservation(const OptionReading& reading);
Outcome read_pbs_reservation(const OptionReading& reading);
Outcome read_key_file(const OptionReading& reading);
Outcome read_reserve_time(const OptionReading& reading);
Outcome read_tasks(const OptionReading& reading);
Outcome read_most_running(const OptionReading& reading);
Outcome read_validation(const OptionReading& reading);
Outcome read_sync(const OptionReading& reading);
Outcome read_scope(const OptionReading& reading);
Outcome forget_all(const OptionReading& reading);

// ---- what fields may hold ---------------------------------------------------------------------

void no_more(Findings&, const JobRequest&);
void check_reserve_time(Findings& findings, const JobRequest& request);
void check_tasks(Findings& findings, const JobRequest& request);
void check_context(Findings& findings, const JobRequest& request);
void check_array_predecessors(Findings& findings, const JobRequest& request);
void check_binding(Findings& findings, const JobRequest& request);
void check_checkpoint_times(Findings& findings, const JobRequest& request);

template <auto member> void check_queues(Findings& findings, const JobRequest& request) {
  findings.size("queues", (request.*member).size(), longest_wish);
}

template <auto member> void check_resources(Findings& findings, const JobRequest& request) {
  findings.size("resources", (request.*member).size(), longest_wish);
}

// ---- showing ----------------------------------------------------------------------------------

std::string text_of(const std::string& value, PrintTime);
std::string text_of(const std::vector<std::string>& values, PrintTime);
std::string text_of(const std::vector<Attribute>& values, PrintTime);
std::string text_of(std::int64_t value, PrintTime);
std::string text_of(Instant value, PrintTime print);
std::string text_of(ReservationNumber value, PrintTime);
std::string text_of(bool value, PrintTime);

template <auto member> std::string show(const JobRequest& request, PrintTime print) {
  return text_of(request.*member, print);
}
std::string show_notify(const JobRequest& request, PrintTime);
std::string show_priority(const JobRequest& request, PrintTime);
std::string show_rerun(const JobRequest& request, PrintTime);
std::string show_no_shell(const JobRequest& request, PrintTime);
std::string show_pe(const JobRequest& request, PrintTime);
std::string show_allocation(const JobRequest& request, PrintTime);
std::string show_tasks(const JobRequest& request, PrintTime);
std::string show_context(const JobRequest& request, PrintTime);

} // namespace almanac::columns

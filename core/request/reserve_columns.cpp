#include "core/request/reserve_columns.hpp"

#include "core/mail/letter.hpp"
#include "core/request/alternative_kind.hpp"
#include "core/request/reserve_checks.hpp"
#include "core/request/valid.hpp"
#include "core/text/names.hpp"

#include <algorithm>
#include <utility>

namespace almanac::columns {

namespace {

using R = ReservationRequest;

} // namespace

Outcome read_duration(const ReserveReading& reading) {
  const auto duration = parse_duration(reading.value());
  if (!duration)
    return Error{"Wrong time format \"" + reading.value() + "\" specified to -d option"};
  reading.request().duration = *duration, reading.request().has_duration = true;
  return Done{};
}

Outcome read_start(const ReserveReading& reading) {
  auto& request = reading.request();
  reading.into.series.start = reading.value();
  request.asap = equal_ignoring_case(reading.value(), "asap");
  if (!request.asap) return read_instant<&R::start>(reading);
  request.start = {};
  return Done{};
}

// Of a series it is a time of day: which it is shows when all options have been read.
Outcome read_end(const ReserveReading& reading) {
  reading.into.series.end = reading.value();
  reading.request().end = {};
  return is_time_of_day(reading.value()) ? Outcome(Done{}) : read_instant<&R::end>(reading);
}

Outcome read_repeat(const ReserveReading& reading) {
  const auto rule = parse_repeat_rule(reading.value());
  if (!rule) return Error{"option -repeat: " + rule.what()}; // it may be of any length
  return read_of_series<&SeriesOptions::rule>(reading);
}

Outcome read_skipped(const ReserveReading& reading) {
  auto& skipped = reading.into.series.skipped;
  if (reading.value().empty()) return reading.wrong("no day is named");
  if (reading.is_first()) skipped.clear();
  for (auto& word : split(reading.value(), ',')) skipped.push_back(std::move(word));
  return Done{};
}

Outcome read_zone(const ReserveReading& reading) {
  if (!is_zone_name(reading.value())) return reading.wrong("unknown time zone");
  return read_of_series<&SeriesOptions::zone>(reading);
}

Outcome read_conflict(const ReserveReading& reading) {
  if (reading.value() != "refuse" && reading.value() != "wait")
    return reading.wrong("\"refuse\" or \"wait\" is expected");
  return read_of_series<&SeriesOptions::conflict>(reading);
}

// What "n" stands behind does not count.
Outcome read_occasions(const ReserveReading& reading) {
  const auto occasions = parse_mail_occasions(reading.value(), "bean");
  if (!occasions) return reading.wrong("expected letters of b, e, a and n");
  auto& mail_at = reading.request().mail_at;
  if (occasions->empty() || reading.is_first()) mail_at.clear();
  for (const char letter : *occasions) {
    if (letter == 'n') mail_at.clear();
    else if (mail_at.find(letter) == std::string::npos) mail_at += letter;
  }
  return Done{};
}

Outcome read_addresses(const ReserveReading& reading) {
  auto list = parse_mail_list(reading.value());
  if (!list) return reading.wrong(list.what());
  auto& mail_to = reading.request().mail_to;
  if (reading.is_first()) mail_to.clear();
  for (auto& address : *list)
    if (std::find(mail_to.begin(), mail_to.end(), address) == mail_to.end())
      mail_to.push_back(std::move(address));
  return Done{};
}

Outcome read_name(const ReserveReading& reading) {
  reading.request().name = reading.value();
  if (auto valid = valid_reservation_name(reading.value()); !valid)
    return Error{"denied: " + valid.what()};
  return Done{};
}

Outcome read_host(const ReserveReading& reading) {
  if (auto added = add_resource_requests(reading.request().resources, "h=" + reading.value());
      !added)
    return reading.wrong(added.what());
  return Done{};
}

Outcome read_users(const ReserveReading& reading) {
  const auto names = split(reading.value(), ',');
  if (words(reading.value(), ", !@").empty()) return reading.wrong("no user is named");
  for (const auto& name : names)
    if (words(name, "!@").empty()) return reading.wrong("a name is empty");
  return read_more<&R::users>(reading);
}

Outcome read_named_pe(const ReserveReading& reading) {
  if (reading.value().empty()) return reading.wrong("no parallel environment is named");
  // In Grid Engine's words (spec/observed-gridengine.md section 2).
  const auto& range = reading.option.values[1];
  if (!range.empty() && range.find_first_of("0123456789") == std::string::npos)
    return Error{"Numerical value invalid!\nThe initial portion of string \"" + excerpt(range) +
                 "\" contains no decimal number"};
  if (!range.empty() && range.find_first_not_of("0-,") == std::string::npos)
    return Error{"\"advance_reservation\" rejected: pe range must be greater than zero"};
  return read_pe<&R::pe, &R::slots, &R::allocation_rule>(reading);
}

Outcome read_checkpoint(const ReserveReading& reading) {
  if (reading.value().empty()) return reading.wrong("no checkpointing environment is named");
  return read_text<&R::checkpoint>(reading);
}

// The word may be missing: then it means yes.
Outcome read_immediate(const ReserveReading& reading) {
  const auto immediate =
      reading.option.values.empty() ? Result<bool>(true) : y_or_n(reading.option);
  if (!immediate) return immediate.error();
  reading.request().immediate = *immediate;
  return Done{};
}

Outcome read_project(const ReserveReading& reading) {
  if (reading.value().empty()) return reading.wrong("no project is named");
  return read_text<&R::project>(reading);
}

Outcome read_from_job(const ReserveReading& reading) {
  const auto number = parse_number(reading.value());
  if (!number || *number < 1 || *number > most_slots) return reading.wrong("no such job");
  reading.into.from_job = {*number};
  return Done{};
}

// Seconds, then what may be offered instead. How long is at most allowed the master knows.
Outcome read_offer(const ReserveReading& reading) {
  auto kinds = split(reading.value(), ',');
  const auto seconds = parse_number(kinds.empty() ? "" : kinds.front());
  if (!seconds || *seconds < 1)
    return reading.wrong("a number of seconds is expected, from 1 to max_offer_time");
  kinds.erase(kinds.begin());
  for (const auto& kind : kinds)
    if (!is_alternative(kind))
      return reading.wrong("\"" + excerpt(kind) +
                           "\" is not one of later, earlier, shorter, fewer, elsewhere");
  reading.into.offer_for = {std::min(*seconds, longest_time)};
  reading.into.offer_kinds = std::move(kinds);
  return Done{};
}

// On the command line it is read before everything else.
Outcome read_accepted(const ReserveReading& reading) {
  return reading.wrong("it does not stand in a file");
}

// They count as if they stood where the file is named.
Outcome read_file(const ReserveReading& reading) {
  if (!reading.options_of) return reading.wrong("no file of options is read here");
  const auto options = reading.options_of(reading.value());
  if (!options) return options.error();
  for (const auto& option : *options)
    if (option.name == reading.option.name)
      return reading.wrong("it names a file of options itself");
  return read_reserve_options(reading.into, *options, reading.date, reading.options_of,
                              reading.read);
}

Outcome read_repair(const ReserveReading& reading) {
  const auto& value = reading.value();
  auto& repair = reading.request().repair;
  const auto is_on = parse_switch(value);
  if (is_on) repair = *is_on ? Repair::yes : Repair::no;
  else if (value == "repair") repair = Repair::yes;
  else if (value == "wait") repair = Repair::no;
  else if (value == "fail") repair = Repair::fail;
  else return reading.wrong("\"" + excerpt(value) + "\" is not one of repair, wait, fail, y, n");
  return Done{};
}

Outcome read_spare(const ReserveReading& reading) {
  const auto hosts = parse_number(reading.value());
  if (!hosts) return reading.wrong("a number of hosts is expected");
  reading.request().spare = *hosts;
  return Done{};
}

// In minutes, or "none".
Outcome read_idle(const ReserveReading& reading) {
  auto& request = reading.request();
  const auto minutes = parse_number(reading.value());
  if (!minutes && !equal_ignoring_case(reading.value(), "none"))
    return reading.wrong("a number of minutes or \"none\" is expected");
  request.ends_when_idle = minutes.ok();
  request.idle_for = {minutes ? std::min(*minutes, longest_time) * 60 : 0};
  return Done{};
}

Outcome read_hosts(const ReserveReading& reading) {
  if (words(reading.value(), ",@").empty()) return reading.wrong("no host is named");
  for (const auto& name : split(reading.value(), ','))
    if (words(name, "@").empty()) return reading.wrong("a name is empty");
  return read_more<&R::hosts>(reading);
}

Outcome read_running(const ReserveReading& reading) {
  const auto& value = reading.value();
  if (value != "leave" && value != "requeue") return reading.wrong("leave or requeue is expected");
  reading.request().requeue_running = value == "requeue";
  reading.into.names_running = true;
  return Done{};
}

Outcome read_validation(const ReserveReading& reading) {
  const auto& value = reading.value();
  if (value != "e" && value != "v" && value != "p")
    return Error{"invalid option argument \"-w " + value + "\""};
  reading.into.verify = value != "e", reading.into.price = value == "p";
  return Done{};
}

} // namespace almanac::columns

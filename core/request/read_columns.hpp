// What stands in the rows of more than one table of options: how a word is read into a field.
//
// A reader takes the reading of the request that its field belongs to: Reading<JobRequest>,
// Reading<ReservationRequest>.
#pragma once

#include "core/request/options.hpp"
#include "core/text/ranges.hpp"
#include "core/text/resource_list.hpp"
#include "core/text/values.hpp"

#include <functional>
#include <optional>
#include <utility>

namespace almanac {

/// Where and when a date of a command line is.
using ToInstant = std::function<Result<Instant>(const DateTime&)>;

/// The options of a file that is named among options (-@).
using OptionsOf = std::function<Result<std::vector<GivenOption>>(const std::string& path)>;

/// The reservation that a person calls by its name; nothing: none has it. Where nobody looks for it,
/// only numbers are taken.
using ReservationCalled =
    std::function<Result<std::optional<ReservationNumber>>(const std::string& name)>;
/// A reservation by its id, or by its name; nothing: the text is neither.
Result<std::optional<ReservationNumber>> named_reservation(const std::string& text,
                                                           const ReservationCalled& called);

/// A point in time as -a takes it: names option and value where it can't be read.
Result<Instant> parse_instant(const GivenOption& option, const ToInstant& to_instant);

template <class Request> struct ReadingOf;
template <class Request> using Reading = typename ReadingOf<Request>::Type;

namespace columns {

template <class> struct FieldOf;
template <class R, class T> struct FieldOf<T R::*> { using Request = R; };
/// The reading that a reader of this field takes.
template <auto member> using Read = const Reading<typename FieldOf<decltype(member)>::Request>&;

Result<bool> y_or_n(const GivenOption& option);

template <auto member> Outcome read_text(Read<member> reading) {
  reading.request().*member = reading.value();
  return Done{};
}

template <auto member> Outcome read_switch(Read<member> reading) {
  const auto value = y_or_n(reading.option);
  if (!value) return value.error();
  reading.request().*member = *value;
  return Done{};
}

template <auto member> Outcome read_instant(Read<member> reading) {
  const auto instant = parse_instant(reading.option, reading.to_instant());
  if (!instant) return instant.error();
  reading.request().*member = *instant;
  return Done{};
}

template <auto member> Outcome read_resources(Read<member> reading) {
  if (auto added = add_resource_requests(reading.request().*member, reading.value()); !added)
    return reading.wrong(added.what());
  return Done{};
}

// Each of -pe and -alloc takes the place of the other.
template <auto pe, auto slots, auto rule> Outcome read_pe(Read<pe> reading) {
  auto ranges = parse_slot_ranges(reading.option.values[1]);
  if (!ranges) return reading.wrong(ranges.what());
  auto& request = reading.request();
  request.*pe = reading.value(), request.*slots = std::move(*ranges), (request.*rule).clear();
  return Done{};
}

/// As allocation_rule of a PE has it; '$' may be missing, since shells take it for theirs.
Result<std::string> parse_allocation_rule(const std::string& text);

/// Of -par; "none" is that of the PE itself.
Result<std::string> parse_pe_rule(const std::string& text);

template <auto rule> Outcome read_pe_rule(Read<rule> reading) {
  auto read = parse_pe_rule(reading.value());
  if (!read) return reading.wrong(read.what());
  reading.request().*rule = std::move(*read);
  return Done{};
}

template <auto pe, auto slots, auto rule> Outcome read_allocation(Read<pe> reading) {
  auto ranges = parse_slot_ranges(reading.option.values[1]);
  if (!ranges) return reading.wrong(ranges.what());
  auto read = parse_allocation_rule(reading.value());
  if (!read) return reading.wrong(read.what());
  auto& request = reading.request();
  request.*rule = std::move(*read), request.*slots = std::move(*ranges), (request.*pe).clear();
  return Done{};
}

} // namespace columns

} // namespace almanac

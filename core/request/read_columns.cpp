#include "core/request/read_columns.hpp"

#include "core/configuration/objects/parallel_environment.hpp"
#include "core/request/reserve_checks.hpp"
#include "core/text/words.hpp"

namespace almanac {

Result<std::optional<ReservationNumber>> named_reservation(const std::string& text,
                                                           const ReservationCalled& called) {
  if (const auto number = parse_reservation_id(text)) return std::optional(*number);
  if (called && valid_reservation_name(text)) return called(text);
  return std::optional<ReservationNumber>();
}

Result<Instant> parse_instant(const GivenOption& option, const ToInstant& to_instant) {
  const auto& text = option.values.front();
  const Error wrong{"Wrong date/time format \"" + text + "\" specified to " + option.name +
                    " option"};
  auto date = parse_date_time(text);
  if (!date) return wrong;
  auto instant = to_instant(*date);
  if (!instant) return wrong;
  return instant;
}

Result<std::string> columns::parse_allocation_rule(const std::string& text) {
  ParallelEnvironment pe;
  const auto rule = pe.set_rule("$" + text) ? "$" + text : text;
  if (auto read = pe.set_rule(rule); !read) return read.error();
  return pe.rule == AllocationRule::fixed ? std::to_string(pe.per_host) : rule;
}

Result<std::string> columns::parse_pe_rule(const std::string& text) {
  if (equal_ignoring_case(text, "none")) return std::string();
  return parse_allocation_rule(text);
}

Result<bool> columns::y_or_n(const GivenOption& option) {
  const auto value = parse_switch(option.values.front());
  if (!value) return option.wrong("y or n is expected");
  return value;
}

} // namespace almanac

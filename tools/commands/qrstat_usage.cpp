#include "tools/commands/qrstat_usage.hpp"

#include "core/text/names.hpp"
#include "core/text/numbers.hpp"
#include "core/text/table.hpp"
#include "core/text/values.hpp"
#include "core/text/words.hpp"
#include "tools/output/usage.hpp"

#include <iostream>
#include <set>

namespace almanac {

namespace {

constexpr Duration a_day{24 * 3600};

Result<Instant> time_of(const Context& context, const GivenOptions& given, const char* option) {
  const auto* text = given.last(option);
  if (!text) return Instant{};
  const auto date = parse_date_time(*text);
  if (!date) return Error{"option " + std::string(option) + ": " + date.what()};
  auto at = to_instant(*date, context.now());
  if (!at) return Error{"option " + std::string(option) + ": " + at.what()};
  return at;
}

// Without -from: of reservations all that is known, of the cell the last day.
Result<door::GetUsage> query_of(const Context& context, const GivenOptions& given) {
  door::GetUsage query;
  if (const auto* list = given.last("-usage"))
    for (const auto& word : words(*list, ", ")) {
      const auto number = parse_reservation_id(word);
      if (!number || !*number)
        return Error{"\"" + excerpt(word) + "\" is not the number of an advance reservation"};
      query.reservations.push_back(number->value);
    }
  const auto from = time_of(context, given, "-from"), to = time_of(context, given, "-to");
  if (!from) return from.error();
  if (!to) return to.error();
  query.from = *from, query.to = *to;
  if (!given.has("-from") && query.reservations.empty())
    query.from = (given.has("-to") ? query.to : context.now()) - a_day;
  return query;
}

// As text unless the last -fmt says otherwise.
Result<bool> wants_json(const GivenOptions& given) {
  if (given.has("-xml")) return Error{"-usage and -xml exclude each other"};
  if (given.has("-json")) return true;
  const auto* form = given.last("-fmt");
  if (!form || *form == "plain") return false;
  if (*form == "json") return true;
  return Error{"option -fmt " + excerpt(*form) + ": with -usage it is plain or json"};
}

void print(std::ostream& out, const door::GetUsage& query, const door::UsageReport& report) {
  const auto put = [&](const char* name, const std::string& value) {
    out << line(left(name, 16) + right(value, 20));
  };
  put("from", print_time(report.during.start));
  put("to", print_time(report.during.end));
  if (query.reservations.empty()) print_cell_usage(out, report.cell);
  print_usage_table(out, report.reservations);
}

// Of a reservation that is asked for and has nothing in that time, the line says so.
int name_unknown(Context& context, const door::GetUsage& query, const door::UsageReport& report) {
  std::set<std::int64_t> missing(query.reservations.begin(), query.reservations.end());
  for (const auto& row : report.reservations) missing.erase(row.number.value);
  for (const auto number : missing)
    context.err << "qrstat: advance reservation " << number << " had nothing in that time\n";
  return missing.empty() ? 0 : 1;
}

} // namespace

void add_frame(door::UsageReport& whole, door::UsageReport& frame) {
  auto rows = std::move(whole.reservations);
  for (auto& row : frame.reservations) rows.push_back(std::move(row));
  whole = {frame.during, frame.cell, std::move(rows)};
}

int ask_usage(Context& context, const door::GetUsage& query,
              const std::function<void(const door::UsageReport&)>& use) {
  door::UsageReport whole;
  bool any = false;
  const int asked = ask<door::UsageReport>(context, query, [&](door::UsageReport& frame) {
    any = true;
    add_frame(whole, frame);
  });
  if (asked == 0 && any) use(whole);
  return asked;
}

int show_usage(Context& context, const GivenOptions& given) {
  const auto as_json = wants_json(given);
  if (!as_json) return complain(context, as_json.what());
  const auto query = query_of(context, given);
  if (!query) return complain(context, query.what());
  int code = 0;
  const int asked = ask_usage(context, *query, [&](const door::UsageReport& report) {
    if (*as_json) print_usage_json(context.out, report);
    else print(context.out, *query, report);
    code = name_unknown(context, *query, report);
  });
  return asked != 0 ? asked : code;
}

} // namespace almanac

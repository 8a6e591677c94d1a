#include "tools/commands/commands.hpp"
#include "tools/commands/plus_call.hpp"
#include "tools/commands/qrstat_usage.hpp"
#include "tools/commands/record_lines.hpp"

#include "core/reservation/reported_reservations.hpp"
#include "tools/output/plus_accounts.hpp"

namespace almanac {

namespace {

using Rows = std::vector<door::ReservationUsageView>;
constexpr std::int64_t a_day = 86'400, usual_days = 30;

Window window_of(const Context& context, const PlusOptions& options) {
  const auto end = options.end.value_or(context.now());
  const auto days = options.days > 0 ? options.days : usual_days;
  return {options.start.value_or(end - Duration{days * a_day}), end};
}

AccountRow row_of(const PlusOptions& options) {
  if (options.only_total) return AccountRow::all;
  if (options.each) return AccountRow::reservation;
  if (options.by_node) return options.by_owner ? AccountRow::owner_and_node : AccountRow::node;
  return AccountRow::owner;
}

// The records that qrstat -usage goes by.
int ask_master(Context& context, const Window& window, Rows& rows) {
  door::GetUsage query;
  query.from = window.start, query.to = window.end, query.nodes = true;
  door::UsageReport whole;
  const int code = ask_plus<door::UsageReport>(
      context, std::move(query), [&](door::UsageReport& frame) { add_frame(whole, frame); });
  rows = std::move(whole.reservations);
  return code;
}

int read_file(Context& context, const std::string& path, const Window& window, Rows& rows) {
  ReportedReservations reported(window);
  const auto read = each_record_line(
      path, [&](std::string_view line) { return reported.take(line); },
      [&](const std::string& warning) { complain(context, warning); });
  if (!read) return complain(context, read.what(), plus_exit::refused);
  for (auto& one : reported.found()) {
    door::ReservationUsageView row;
    row.number = one.id.number, row.submitted = one.id.submitted, row.owner = one.owner;
    row.given_up = one.given_up;
    row.reserved_for = one.reserved.reserved_for, row.nodes = std::move(one.reserved.nodes);
    rows.push_back(std::move(row));
  }
  return plus_exit::done;
}

} // namespace

int plus_account(Context& context) {
  int code = 0;
  const auto options = read_plus(context, "account", code);
  if (!options) return code;
  const auto window = window_of(context, *options);
  if (window.end <= window.start)
    return complain(context, "the end (-e) is not after the start (-s)", plus_exit::usage);
  Rows rows;
  code = options->file.empty() ? ask_master(context, window, rows)
                               : read_file(context, path_of(context, options->file), window, rows);
  if (code != plus_exit::done) return code;
  const AccountsWanted wanted{row_of(*options), options->owner, options->nodes};
  print_plus_accounts(context.out, wanted.row, accounts_of(rows, wanted));
  return plus_exit::done;
}

} // namespace almanac

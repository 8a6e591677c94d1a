#include "tools/console/views.hpp"

#include "core/text/words.hpp"
#include "tools/commands/user_groups.hpp"
#include "tools/output/quotas.hpp"

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

namespace almanac::console {

namespace {

using Json = nlohmann::ordered_json;

Json as_json(Instant at) { return at == Instant::never() ? Json() : Json(print_iso_time(at)); }

Json as_json(const door::QuotaView& row) {
  auto steps = Json::array(), holders = Json::array();
  for (const auto& step : row.steps) steps.push_back({as_json(step.at), step.amount});
  for (const auto& holder : row.holders)
    holders.push_back({{"job", holder.job.value},
                       {"task", holder.task},
                       {"amount", holder.amount},
                       {"from", as_json(holder.window.start)},
                       {"to", as_json(holder.window.end)}});
  return {{"rule", row.rule},
          {"filter", filter_text(row)},
          {"resource", row.resource},
          {"limit", row.limit},
          {"used", row.used},
          {"steps", steps},
          {"more_steps", row.more_steps},
          {"holders", holders},
          {"more_holders", row.more_holders}};
}

std::string more(std::int64_t count) {
  return count > 0 ? " and " + std::to_string(count) + " more" : "";
}

// "now 5, 2026-11-20T10:00:00 3"
std::string steps_text(const door::QuotaView& row) {
  std::vector<std::string> texts;
  for (const auto& step : row.steps)
    texts.push_back((texts.empty() ? "now" : print_iso_time(step.at)) + " " + step.amount);
  return join(texts, ", ") + more(row.more_steps);
}

std::string holder_text(const door::QuotaHolderView& holder, Instant now) {
  auto text = "job " + to_string(holder.job);
  if (holder.task > 0) text += "." + std::to_string(holder.task);
  text += " " + holder.amount;
  if (holder.window.start > now) text += " from " + print_iso_time(holder.window.start);
  return holder.window.end == Instant::never() ? text
                                               : text + " to " + print_iso_time(holder.window.end);
}

void print(Context& context, const door::QuotaView& row) {
  context.out << quota_line(row);
  if (!row.steps.empty()) context.out << "    planned: " << steps_text(row) << "\n";
  std::vector<std::string> holders;
  for (const auto& holder : row.holders) holders.push_back(holder_text(holder, context.now()));
  if (!holders.empty())
    context.out << "    held by: " << join(holders, ", ") << more(row.more_holders) << "\n";
}

} // namespace

int quotas(Context& context, const std::string& users, bool json) {
  door::GetQuotas query;
  query.plan = true;
  query.selection.users = words(users, ", ");
  if (query.selection.users.empty()) query.selection.users = {"*"};
  query.selection.groups = known_groups(context, query.selection.users, most_told_groups);
  std::vector<door::QuotaView> rows;
  const int asked = ask<door::Quotas>(context, std::move(query), [&](door::Quotas& frame) {
    std::move(frame.rows.begin(), frame.rows.end(), std::back_inserter(rows));
  });
  if (asked != 0) return asked;
  if (!json) {
    for (const auto& row : rows) print(context, row);
    return 0;
  }
  auto list = Json::array();
  for (const auto& row : rows) list.push_back(as_json(row));
  context.out << list.dump(2) << "\n";
  return 0;
}

} // namespace almanac::console

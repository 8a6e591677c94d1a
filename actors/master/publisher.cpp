#include "actors/master/publisher.hpp"

#include "actors/support.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace almanac {

namespace {

bool is_of_configuration(const std::vector<Effect>& effects) {
  return std::any_of(effects.begin(), effects.end(), [](const Effect& effect) {
    return std::holds_alternative<ConfigurationObject>(effect) ||
           std::holds_alternative<ObjectErased>(effect);
  });
}

PublishChanges changes_of(std::vector<Decided>& batch) {
  PublishChanges news;
  std::vector<store::ChangeRow> rows;
  for (auto& entry : batch) {
    news.last = std::max(news.last, entry.sequence);
    rows.insert(rows.end(), std::make_move_iterator(entry.changes.begin()),
                std::make_move_iterator(entry.changes.end()));
  }
  news.rows = std::make_shared<const std::vector<store::ChangeRow>>(std::move(rows));
  return news;
}

} // namespace

void Publisher::begin(const State& state, std::vector<Effect> records, Instant now) {
  std::map<TaskId, LaunchPlan> plans;
  for (const auto& task : state.tasks())
    if (task.is_active()) plans[task.id()] = dispatch_.plan(state, task);
  auto all = std::make_shared<std::vector<std::vector<Effect>>>();
  const auto& effects = all->emplace_back(std::move(records));
  caf::anon_send(readers_.views, Publish{all, now});
  if (readers_.hooks) caf::anon_send(readers_.hooks, MeetCalendar{readers_.calendar});
  follow(state.configuration());
  for (const auto& effect : effects) dispatch_.send(effect, plans);
}

std::map<TaskId, LaunchPlan> Publisher::plans(const State& state,
                                              const Decisions& decisions) const {
  std::map<TaskId, LaunchPlan> plans;
  for (const auto& effect : decisions.effects)
    if (const auto* task = std::get_if<TaskPtr>(&effect); task && (*task)->state == TaskState::sent)
      plans[(*task)->id()] = dispatch_.plan(state, **task);
  return plans;
}

void Publisher::publish(std::vector<Decided>& batch, const Configuration& configuration,
                        Instant now) {
  auto decided = std::make_shared<std::vector<std::vector<Effect>>>();
  auto causes = std::make_shared<std::vector<Cause>>();
  for (auto& entry : batch) {
    decided->push_back(entry.decisions.effects);
    causes->push_back({entry.sequence, std::move(entry.cause)});
  }
  if (std::any_of(decided->begin(), decided->end(), is_of_configuration)) follow(configuration);
  caf::anon_send(readers_.views, Publish{decided, now, std::move(causes)});
  // Behind the views: the feed asks them for what has changed, and they have it by then.
  if (readers_.feed) caf::anon_send(readers_.feed, changes_of(batch));
  caf::anon_send(readers_.exporter, Publish{decided, now});
  if (readers_.postman) caf::anon_send(readers_.postman, Publish{decided, now});
  if (readers_.hooks) caf::anon_send(readers_.hooks, Publish{decided, now});
  for (const auto& entry : batch)
    for (const auto& warning : entry.decisions.warnings) spdlog::warn("{}", warning);
  for (auto& entry : batch)
    if (!entry.decisions.schedule.empty())
      caf::anon_send(readers_.exporter, ScheduleRun{std::move(entry.decisions.schedule), now});
  for (const auto& entry : batch)
    for (const auto& effect : entry.decisions.effects) dispatch_.send(effect, entry.plans);
}

void Publisher::follow(const Configuration& configuration) {
  if (readers_.set_log_level) readers_.set_log_level(configuration.global().log_level);
  dispatch_.follow(configuration);
  if (auto now_first = precedence_in(configuration); now_first != precedence_) {
    precedence_ = std::move(now_first);
    caf::anon_send(readers_.gate, PrecedenceChanged{precedence_});
  }
  const auto& global = configuration.global();
  if (global.hooks != hooks_ || global.jsv_url != jsv_url_) {
    hooks_ = global.hooks, jsv_url_ = global.jsv_url;
    caf::anon_send(readers_.gate, HooksChanged{hooks_, jsv_url_});
  }
  if (const auto& kept = configuration.global().kept; kept != retentions_) {
    retentions_ = kept;
    caf::anon_send(readers_.archive, RetentionsChanged{kept, readers_.calendar});
  }
}

} // namespace almanac

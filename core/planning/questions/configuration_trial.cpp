#include "core/planning/questions/configuration_trial.hpp"

#include "core/configuration/foreign_attributes.hpp"
#include "core/planning/commands/configuration_commands.hpp"
#include "core/planning/commands/configuration_guards.hpp"
#include "core/planning/questions/waiting_trial.hpp"
#include "core/policy/quota_plans.hpp"
#include "core/policy/standing.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

namespace almanac::rules {

namespace {

using Changes = std::vector<ConfigurationChange>;

constexpr std::size_t most_named = 10; // holders of one thing

void name_some(Statement& statement, std::vector<Statement> holders, std::int64_t more) {
  if (holders.size() > most_named) {
    more += static_cast<std::int64_t>(holders.size() - most_named);
    holders.resize(most_named);
  }
  statement.details.emplace_back("holders", std::move(holders));
  if (more > 0) statement.details.emplace_back("more", more);
}

// ---- what is refused, or has no effect --------------------------------------------------------

std::vector<Statement> errors_of(const State& state, const Changes& changes, const Error& first) {
  auto errors = state.configuration().errors_of(changes);
  if (errors.empty()) errors.push_back(first);
  std::vector<Statement> lines;
  for (const auto& error : errors)
    for (auto& line : statements_of(error)) lines.push_back(std::move(line));
  return lines;
}

// What is there already is not said again.
std::vector<Statement> without_effect(const Configuration& before, const Changes& changes) {
  std::vector<Statement> found;
  for (const auto& [verb, object, entries] : changes) {
    const auto* stored = before.find(object.kind, object.name);
    for (const auto& [name, value] : object.attributes) {
      const auto* known = stored ? stored->find(name) : nullptr;
      if (verb == ChangeVerb::erase || !why_unused(object.kind, {name, value}) ||
          (known && *known == value))
        continue;
      Statement said{
          AnswerCode::stored_without_effect,
          {{"kind", std::string(kind_name(object.kind))}, {"attribute", name}, {"value", value}}};
      if (!object.name.empty()) said.details.emplace_back("object", object.name);
      found.push_back(std::move(said));
    }
  }
  return found;
}

// Reserved queue instances that would live on for their reservations only.
std::vector<Statement> orphaned(const State& state, const Configuration& next) {
  std::map<InstanceName, std::vector<Statement>> holders;
  for (const auto& reservation : state.reservations()) {
    std::set<InstanceName> reserved;
    for (const auto* shape : shapes_of(reservation))
      for (const auto& grant : shape->with_spares()) reserved.insert(grant.instance);
    for (const auto& name : reserved) {
      const auto* before = state.configuration().instance(name);
      const auto* after = next.instance(name);
      if (after && after->orphaned && before && !before->orphaned)
        holders[name].push_back({AnswerCode::a_reservation, {{"reservation", reservation.number}}});
    }
  }
  std::vector<Statement> found;
  for (auto& [name, reservations] : holders) {
    Statement said{AnswerCode::would_be_orphaned, {{"queue", name.text()}}};
    name_some(said, std::move(reservations), 0);
    found.push_back(std::move(said));
  }
  return found;
}

// ---- quotas -----------------------------------------------------------------------------------

Statement holder_of(const QuotaHolder& holder) {
  Statement said{holder.task > 0 ? AnswerCode::share_of_task : AnswerCode::share_of_job,
                 {{"job", holder.job}, {"amount", holder.amount}}};
  if (holder.task > 0) said.details.emplace_back("task", holder.task);
  return said;
}

// What stands above its limit already is no affair of the change.
std::vector<Statement> above_quotas(const std::vector<QuotaRow>& before, const State& other,
                                    Instant now) {
  auto rows = quota_rows_above(other.records(), other.quotas(), now);
  const auto name = [](const QuotaRow& row) {
    return std::tie(row.label, row.resource, row.member, row.limit, row.used);
  };
  std::erase_if(rows, [&](const QuotaRow& row) {
    return std::any_of(before.begin(), before.end(),
                       [&](const QuotaRow& known) { return name(known) == name(row); });
  });
  const auto plans = quota_plans(other.records(), other.quotas(), rows, now, most_named);
  std::vector<Statement> found;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto& row = rows[i];
    Statement said{AnswerCode::stands_above_quota,
                   {{"rule", row.label},
                    {"key", other.quotas().text_of(row.key)},
                    {"resource", row.resource},
                    {"used", row.used},
                    {"limit", row.limit}}};
    std::vector<Statement> holders;
    for (const auto& holder : plans[i].holders) holders.push_back(holder_of(holder));
    name_some(said, std::move(holders), plans[i].more_holders);
    found.push_back(std::move(said));
  }
  return found;
}

// ---- all of it --------------------------------------------------------------------------------

class ConfigurationTrial : public Answering {
public:
  ConfigurationTrial(const State& state, WantedChanges wanted, Instant now)
      : state_(state), wanted_(std::move(wanted)), now_(now) {}

  bool look() override {
    switch (stage_) {
    case Stage::changes: return look_at_changes();
    case Stage::running: return go_on(other_->copy_more(), Stage::holders);
    case Stage::holders: return go_on(holds_->take_over(state_), Stage::waiting);
    case Stage::waiting: return go_on(pending_->take_over(state_), Stage::quotas);
    case Stage::quotas:
      above_quotas_ = above_quotas(above_before_, other_->state(), now_);
      return go_on(false, Stage::holds);
    case Stage::holds: return go_on(holds_->look(*other_), Stage::pending);
    case Stage::pending: return pending_->look(before_->state(), other_->state());
    }
    return false;
  }
  bool stands_alone() const override { return stage_ >= Stage::quotas; }

  Answer answer() override {
    Answer answer;
    for (auto& note : wanted_.notes) answer.say(std::move(note));
    const bool is_refused = !refusals_.empty();
    add(answer, std::move(refusals_), true);
    add(answer, std::move(above_quotas_));
    add(answer, std::move(orphaned_));
    if (holds_) add(answer, holds_->found());
    if (pending_) add(answer, pending_->found());
    add(answer, std::move(warnings_), true);
    add(answer, std::move(without_effect_));
    answer.say(
        {is_refused ? AnswerCode::change_would_be_refused : AnswerCode::change_would_be_accepted,
         {}});
    answer.exit_code = is_refused ? 1 : 0;
    return answer;
  }

private:
  // The state is looked at in the first four; then there are copies.
  enum class Stage { changes, running, holders, waiting, quotas, holds, pending };

  bool go_on(bool is_more, Stage next) {
    if (!is_more) stage_ = next;
    return true;
  }

  // True if there is a configuration to be looked at. One that is refused by a guard is, too: who
  // mends what that says learns of the rest at once.
  bool look_at_changes() {
    without_effect_ = without_effect(state_.configuration(), wanted_.changes);
    refusals_ = obstacles_to_erasing(state_, wanted_.changes);
    const auto next = configuration_after(state_, wanted_.changes);
    auto more = next ? obstacles(state_, next->last(), wanted_.changes, now_)
                     : errors_of(state_, wanted_.changes, next.error());
    for (auto& refusal : more) refusals_.push_back(std::move(refusal));
    if (!next) return false;
    warnings_ = warnings_of(next->last(), wanted_.changes);
    orphaned_ = orphaned(state_, next->last());
    above_before_ = quota_rows_above(state_.records(), state_.quotas(), now_);
    before_.emplace(state_, state_.configuration(), now_);
    other_.emplace(state_, next->last(), now_);
    holds_.emplace(state_, now_), pending_.emplace(now_);
    return go_on(false, Stage::running);
  }

  static void add(Answer& answer, std::vector<Statement> lines, bool are_trouble = false) {
    constexpr std::size_t most = 50;
    const auto left_out = lines.size() > most ? lines.size() - most : 0;
    lines.resize(lines.size() - left_out);
    if (left_out > 0) lines.push_back({AnswerCode::and_more, {{"count", left_out}}});
    for (auto& line : lines)
      are_trouble ? answer.warn(std::move(line)) : answer.say(std::move(line));
  }

  const State& state_;
  WantedChanges wanted_;
  Instant now_;
  Stage stage_ = Stage::changes;
  std::vector<Statement> refusals_, above_quotas_, orphaned_, warnings_, without_effect_;
  std::vector<QuotaRow> above_before_;
  std::optional<TrialCell> before_, other_; ///< the former without what runs
  std::optional<HoldTrial> holds_;
  std::optional<PendingTrial> pending_;
};

std::unique_ptr<Answering> refused(const Configuration& configuration, const Caller& caller,
                                   Answer refusal) {
  explain_standing(configuration, caller, refusal);
  refusal.say({AnswerCode::change_would_be_refused, {}});
  return std::make_unique<Answered>(std::move(refusal));
}

} // namespace

std::unique_ptr<Answering> configuration_trial(const State& state, const VerifyConfigure& asked,
                                               Instant now) {
  const auto& [caller, command] = asked;
  const auto& configuration = state.configuration();
  const auto body = std::visit([](const auto& one) { return CommandBody(one); }, command);
  if (auto why = host_obstacle(configuration, caller, body))
    return refused(configuration, caller, Answer::refusal(*why));
  auto wanted = wanted_changes(configuration, caller, command);
  if (!wanted) return refused(configuration, caller, wanted.error());
  return std::make_unique<ConfigurationTrial>(state, std::move(*wanted), now);
}

} // namespace almanac::rules

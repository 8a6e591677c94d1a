#include "core/planning/questions/alternatives.hpp"

#include "core/matching/assumption.hpp"
#include "core/planning/alternative_search.hpp"
#include "core/planning/commands/reserve_from_job.hpp"
#include "core/planning/proposals.hpp"
#include "core/planning/soonest_start.hpp"

#include <iterator>
#include <utility>

namespace almanac::rules {

namespace {

std::int64_t slots_of_cell(const Configuration& configuration) {
  std::int64_t slots = 0;
  for (const auto& instance : configuration.instances())
    if (!instance.orphaned) slots += instance.settings.slots;
  return slots;
}

Statement told(const Alternative& found, const Window& asked) {
  const auto& [start, end] = found.window;
  switch (found.kind) {
  case AlternativeKind::later:
    return {AnswerCode::alternative_later,
            {{"start", start}, {"end", end}, {"seconds", found.moved.seconds}}};
  case AlternativeKind::earlier:
    return {AnswerCode::alternative_earlier,
            {{"start", start}, {"end", end}, {"seconds", -found.moved.seconds}}};
  case AlternativeKind::shorter:
    return {AnswerCode::alternative_shorter,
            {{"seconds", found.window.length().seconds}, {"asked", asked.length().seconds}}};
  case AlternativeKind::fewer: return {AnswerCode::alternative_fewer, {{"slots", found.slots}}};
  case AlternativeKind::elsewhere: break;
  }
  return {AnswerCode::alternative_elsewhere, {{"option", found.option}}};
}

class Alternatives : public Answering {
public:
  Alternatives(std::unique_ptr<Assumption> assumed, const Snapshot& state, const Caller& caller,
               const ReservationRequest& request, Window window, const Demand& demand, Instant now)
      : assumed_(std::move(assumed)),
        state_(state),
        window_(window),
        slots_(demand.slots.empty() ? 1 : lowest(demand.slots)),
        search_(state_, caller, request, window, demand, now) {}

  bool look() override {
    if (next_ == std::end(all_alternatives)) return false;
    if (!search_.look(*next_)) ++next_;
    return next_ != std::end(all_alternatives);
  }

  Answer answer() override {
    Answer answer;
    for (const auto kind : all_alternatives)
      for (const auto& found : search_.found(kind)) answer.warn(told(found, window_));
    if (answer.statements.empty()) answer.warn(nothing());
    return answer;
  }

private:
  Statement nothing() const {
    Statement none{AnswerCode::no_alternative, {{"days", reservation_horizon.seconds / 86400}}};
    const auto has = slots_of_cell(state_.configuration());
    if (slots_ > has)
      none.details.emplace_back("slots", slots_), none.details.emplace_back("has", has);
    return none;
  }

  const std::unique_ptr<Assumption> assumed_; ///< that the state is under, or nullptr
  const Snapshot state_;
  const Window window_;
  const std::int64_t slots_; ///< the fewest that are requested
  AlternativeSearch search_;
  const AlternativeKind* next_ = std::begin(all_alternatives);
};

// What there could be instead of this, in this state.
std::unique_ptr<Answering> instead_of(const ReservationRequest& request, const State& state,
                                      std::unique_ptr<Assumption> assumed, const Caller& caller,
                                      Instant now) {
  const auto nothing = [] { return std::make_unique<Answered>(Answer()); };
  if (simple_obstacle(state, caller, request, true)) return nothing();
  const auto window = asked_window(request, now);
  if (!window) return nothing();
  const auto demand = demand_of_reservation(state, caller, request);
  if (!demand) return nothing();
  const auto seen = assumed ? assumed->look() : Snapshot(state);
  return std::make_unique<Alternatives>(std::move(assumed), seen, caller, request, *window, *demand,
                                        now);
}

} // namespace

std::unique_ptr<Answering> alternatives(const State& state, const VerifyReserve& asked,
                                        Instant now) {
  const auto nothing = [] { return std::make_unique<Answered>(Answer()); };
  if (!state.configuration().global().names_alternatives) return nothing();
  const auto& [caller, command, wanted] = asked;
  if (!command.from_job) return instead_of(command.request, state, nullptr, caller, now);
  const auto for_job = asked_for_job(state, caller, command);
  if (!for_job) return nothing();
  auto without_its_hold = std::make_unique<Assumption>(state);
  without_its_hold->drop_holds(*state.job(for_job->job));
  return instead_of(for_job->command.request, state, std::move(without_its_hold), for_job->owner,
                    now);
}

} // namespace almanac::rules

#include "core/planning/questions/inquiry.hpp"

#include "core/planning/questions/configuration_trial.hpp"
#include "core/planning/questions/explanation.hpp"
#include "core/planning/questions/free_nodes.hpp"
#include "core/planning/questions/starts.hpp"
#include "core/planning/questions/verification.hpp"
#include "core/policy/standing.hpp"

#include <algorithm>
#include <limits>

namespace almanac {

namespace {

// Each kind of question names its rule.
class Begin {
public:
  Begin(const State& state, Instant now) : state_(state), now_(now) {}

  std::unique_ptr<Answering> operator()(const ExplainJob& asked) const {
    return rules::explanation(state_, asked, now_);
  }
  std::unique_ptr<Answering> operator()(const VerifySubmit& asked) const {
    return rules::verification(state_, asked, now_);
  }
  std::unique_ptr<Answering> operator()(const VerifyReserve& asked) const {
    return rules::verification(state_, asked, now_);
  }
  std::unique_ptr<Answering> operator()(const VerifyAlterReservation& asked) const {
    return rules::verification(state_, asked, now_);
  }
  std::unique_ptr<Answering> operator()(const VerifyConfigure& asked) const {
    return rules::configuration_trial(state_, asked, now_);
  }
  std::unique_ptr<Answering> operator()(const AskStarts& asked) const {
    return rules::starts(state_, asked, now_);
  }
  std::unique_ptr<Answering> operator()(const AskSite& asked) const {
    return std::make_unique<Answered>(rules::site(state_, asked, now_));
  }
  // It takes a plan of its own, which the pricer makes (price/when.hpp).
  std::unique_ptr<Answering> operator()(const AskWhen&) const {
    throw Bug("when a job would start is asked of the pricer");
  }
  std::unique_ptr<Answering> operator()(const FindNodes& asked) const {
    return rules::free_nodes(state_, asked, now_);
  }
  // Managers alone see actors, messages and the journal.
  std::unique_ptr<Answering> operator()(const MayLookInside& asked) const {
    const auto caller = believed(state_.configuration(), asked.caller);
    auto answer = for_managers(state_.configuration(), caller);
    explain_standing(state_.configuration(), caller, answer);
    return std::make_unique<Answered>(std::move(answer));
  }
  std::unique_ptr<Answering> operator()(const MayEnter& asked) const {
    const auto why = host_obstacle(state_.configuration(), asked.caller);
    return std::make_unique<Answered>(why ? Answer::refusal(*why) : Answer());
  }

private:
  const State& state_;
  Instant now_;
};

// A slice has one look at least.
std::size_t looks_of(const rules::SliceLimits& limits, std::size_t instances) {
  const auto most = static_cast<std::size_t>(limits.instances);
  return std::max<std::size_t>(1, most / std::max<std::size_t>(1, instances));
}

} // namespace

std::optional<Answer> Inquiry::go_on(const State& state, std::uint64_t handled, Instant now,
                                     rules::SliceLimits limits) {
  if (!answering_ || (handled_ != handled && !answering_->stands_alone())) {
    answering_.reset();
    answering_ = std::visit(Begin(state, now), **question_);
    handled_ = handled, ++beginnings_;
  }
  auto looks = looks_of(limits, state.configuration().instances().size());
  const bool is_alone = answering_->stands_alone();
  if (beginnings_ == most_beginnings && !is_alone) looks = std::numeric_limits<std::size_t>::max();
  for (; looks > 0; --looks) {
    if (!answering_->look()) return answering_->answer();
    if (!is_alone && answering_->stands_alone()) return std::nullopt; // the rest has time
  }
  return std::nullopt;
}

} // namespace almanac

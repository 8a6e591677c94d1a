#include "actors/master/verifiers.hpp"

#include "actors/inspection.hpp"
#include "core/admission/turns.hpp"
#include "core/text/names.hpp"

#include <caf/event_based_actor.hpp>

#include <map>

namespace almanac {

namespace {

constexpr std::size_t most_talks = 4;

struct AskedJob {
  VerifyJob job;
  caf::typed_response_promise<JobVerified> promise;
};

void log(const AskedJob& asked, const JsvOutcome& outcome) {
  using Level = JsvVerdict::Log::Level;
  const auto& user = asked.job.caller.user;
  for (const auto& [level, text] : outcome.verdict.log) {
    const auto said = printable(excerpt(text, 400));
    if (level == Level::info) spdlog::info("jsv of a job of {}: {}", user, said);
    else if (level == Level::warning) spdlog::warn("jsv of a job of {}: {}", user, said);
    else spdlog::warn("jsv of a job of {} says ERROR: {}", user, said);
  }
  if (!outcome.failure.empty())
    spdlog::warn("jsv {} failed for a job of {}: {}", asked.job.url, user, outcome.failure);
}

JobVerified verified(const AskedJob& asked, const JsvOutcome& outcome, const JsvDates& dates) {
  const auto& request = asked.job.request;
  const auto fails = [&](const std::string& why) {
    return JobVerified{"the JSV " + excerpt(asked.job.url) + " failed: " + why, nullptr};
  };
  if (!outcome.failure.empty()) return fails(outcome.failure);
  const auto& verdict = outcome.verdict;
  using State = JsvVerdict::State;
  const auto text = excerpt(verdict.text, 1000);
  switch (verdict.state) {
  case State::accept: return {"", request};
  case State::reject: return {text.empty() ? "job rejected by the JSV of the cell" : text, nullptr};
  case State::reject_wait:
    return {text.empty() ? "job rejected by the JSV of the cell; try again later" : text, nullptr};
  case State::none: return fails("it gave no result");
  case State::correct: break;
  }
  auto corrected = jsv_corrected(*request, verdict.changes, dates);
  if (!corrected) return fails(corrected.what());
  return {"", std::make_shared<const JobRequest>(std::move(*corrected))};
}

struct VerifiersState {
  static inline const char* name = "verifiers";
  explicit VerifiersState(VerifiersActor::pointer self) : self(self) {}

  void begin(VerifiersSetup given) {
    setup = std::move(given);
    dates = jsv_dates(setup.zone);
    enlist(self, setup.directory, "verifiers", "");
  }

  caf::typed_response_promise<JobVerified> verify(const VerifyJob& job) {
    auto promise = self->make_response_promise<JobVerified>();
    waiting.add(job.caller.uid, Share::Rank::ordinary, {job, promise});
    go_round();
    return promise;
  }

  void go_round() {
    while (auto next = waiting.next()) {
      const auto number = ++last_number;
      const auto& [url, caller, request] = next->entry.job;
      JsvDialogue dialogue(
          jsv_parameters(*request, {"server", "qmaster", caller.user, caller.group}, dates),
          request->environment);
      const auto talk = [verifier = setup.verifier, url = url, dialogue = std::move(dialogue),
                         number, to = VerifiersActor(self)] {
        caf::anon_send(to, JsvEnded{number, std::make_shared<const JsvOutcome>(
                                                verifier->verify(url, dialogue))});
      };
      talking.emplace(number, std::move(next->entry));
      if (setup.thread == Thread::own) self->system().spawn<caf::detached>(talk);
      else talk();
    }
  }

  void end(const JsvEnded& ended) {
    auto asked = talking.extract(ended.number);
    if (asked.empty()) return;
    waiting.leave(Share::Rank::ordinary);
    log(asked.mapped(), *ended.outcome);
    asked.mapped().promise.deliver(verified(asked.mapped(), *ended.outcome, dates));
    go_round();
  }

  VerifiersActor::pointer self;
  VerifiersSetup setup;
  JsvDates dates;
  Turns<std::int64_t, AskedJob> waiting{{most_talks, 0}}; ///< by uid
  std::map<std::int64_t, AskedJob> talking;
  std::int64_t last_number = 0;
};

VerifiersActor::behavior_type verifiers(Watched<VerifiersActor, VerifiersState> self,
                                        std::shared_ptr<VerifiersSetup> setup) {
  end_process_on_exception(self, "verifiers");
  self->state.begin(std::move(*setup));
  return {
      [self](const VerifyJob& job) { return self->state.verify(job); },
      [self](const JsvEnded& ended) { self->state.end(ended); },
      [self](const Inspect&) {
        const auto& state = self->state;
        return ActorState{"talking: " + std::to_string(state.talking.size()) +
                          "\nwaiting: " + std::to_string(state.waiting.size()) + "\n"};
      },
  };
}

} // namespace

VerifiersActor spawn_verifiers(caf::actor_system& system, VerifiersSetup setup) {
  return system.spawn(verifiers, std::make_shared<VerifiersSetup>(std::move(setup)));
}

} // namespace almanac

#include "actors/master/pricer.hpp"

#include "core/planning/price/price_answer.hpp"
#include "core/planning/price/when.hpp"

#include <caf/typed_event_based_actor.hpp>

#include <ctime>
#include <type_traits>

namespace almanac {

namespace {

constexpr std::int64_t budget_ms = 2'000; // of this thread

std::int64_t used_ms() {
  timespec used{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  return used.tv_sec * 1000 + used.tv_nsec / 1'000'000;
}

template <class R> std::vector<R>& table_of(RecordSet& records) {
#define KIND(type, table, family)                                                                  \
  if constexpr (std::is_same_v<R, type>) return records.table;                                     \
  else
#include "core/records/kinds.def"
#undef KIND
  static_assert(std::is_void_v<R>, "no kind of record");
}

// The records that all effects are about; nothing is erased by them.
struct Collect {
  RecordSet& records;

  template <class R> void operator()(const R& record) {
    if constexpr (requires { key_of(record); }) table_of<R>(records).push_back(record);
  }
  template <class R> void operator()(const std::shared_ptr<const R>& record) {
    table_of<R>(records).push_back(*record);
  }
  void operator()(const ConfigurationObject& object) { records.objects.push_back(object); }
  void operator()(const Counters& counters) { records.counters = counters; }
};

RecordSet records_of(const std::vector<Effect>& effects) {
  RecordSet records;
  for (const auto& effect : effects) std::visit(Collect{records}, effect);
  return records;
}

template <class Asked> Answer price_of(const Asked& asked, const RecordsNow& from) {
  const auto end = used_ms() + budget_ms; // both plans are made in it, too
  Pricing pricing(records_of(*from.records), asked.caller, asked.command, from.now);
  if (pricing.refusal()) return *pricing.refusal();
  while (used_ms() < end && pricing.look()) {
  }
  return answer_of(pricing);
}

Answer start_of(const AskWhen& asked, const RecordsNow& from) {
  const auto end = used_ms() + budget_ms;
  StartForecast forecast(records_of(*from.records), asked, from.now);
  while (used_ms() < end && forecast.look()) {
  }
  return forecast.answer();
}

Answer price_of(const Question& question, const RecordsNow& from) {
  if (const auto* job = std::get_if<AskWhen>(&question)) return start_of(*job, from);
  if (const auto* change = std::get_if<VerifyAlterReservation>(&question))
    return price_of<>(*change, from);
  return price_of<>(std::get<VerifyReserve>(question), from);
}

struct PricerState {
  static inline const char* name = "pricer";
  explicit PricerState(PricerActor::pointer self) : self(self) {}

  caf::typed_response_promise<Answer> price(const AskPrice& ask) {
    auto promise = self->make_response_promise<Answer>();
    self->request(caf::actor_cast<CalendarActor>(ask.calendar), caf::infinite, GetRecords{})
        .then([this, promise, question = ask.question](const RecordsNow& records) mutable {
          promise.deliver(price_of(*question, records));
          ++priced;
        });
    return promise;
  }

  PricerActor::pointer self;
  std::int64_t priced = 0;
};

PricerActor::behavior_type pricer(Watched<PricerActor, PricerState> self,
                                  DirectoryActor directory) {
  end_process_on_exception(self, "pricer");
  enlist(self, directory, "pricer", "");
  return {
      [self](const AskPrice& ask) { return self->state.price(ask); },
      [self](const Inspect&) {
        return ActorState{"priced: " + std::to_string(self->state.priced) + "\n"};
      },
  };
}

} // namespace

PricerActor spawn_pricer(caf::actor_system& system, DirectoryActor directory, Thread thread) {
  if (thread == Thread::own) return system.spawn<caf::detached>(pricer, std::move(directory));
  return system.spawn(pricer, std::move(directory));
}

} // namespace almanac

// Tells everybody what is durable: views, exporter and postman each decision, the feed what people
// hear of them, the actors of single records theirs (dispatch.hpp); gate, archive and log what they
// follow of the configuration.
//
// Belongs to the calendar actor and runs in it.
#pragma once

#include "actors/master/decided.hpp"
#include "actors/master/dispatch.hpp"

#include <map>
#include <optional>
#include <vector>

namespace almanac {

class Publisher {
public:
  /// Those who are there all the time.
  struct Readers {
    ViewsActor views{};
    ExporterActor exporter{};
    PostmanActor postman{}; ///< or none
    HooksActor hooks{};     ///< or none
    ArchiveActor archive{};
    GateActor gate{};
    FeedActor feed{};                          ///< or none
    void (*set_log_level)(LogLevel) = nullptr; ///< or none
    caf::strong_actor_ptr calendar{}; ///< whom the archive asks for checkpoints and hooks tell
  };
  Publisher(caf::actor_system& system, LifeCycleContext context, Readers readers)
      : dispatch_(system, std::move(context)), readers_(std::move(readers)) {}

  /// At the start: all records are news to the views and make their actors. `records`: those of the
  /// state.
  void begin(const State& state, std::vector<Effect> records, Instant now);
  /// What its tasks need to be launched, to be taken when that is decided.
  std::map<TaskId, LaunchPlan> plans(const State& state, const Decisions& decisions) const;
  /// A batch that has become durable, and the configuration as it is now.
  void publish(std::vector<Decided>& batch, const Configuration& configuration, Instant now);

  /// Nobody if there is none.
  caf::strong_actor_ptr host(const std::string& name) const { return dispatch_.host(name); }
  caf::strong_actor_ptr job(JobKey key) const { return dispatch_.job(key); }

private:
  void follow(const Configuration& configuration);

  Dispatch dispatch_;
  Readers readers_;
  Precedence precedence_;                ///< as the gate knows it
  std::string jsv_url_;                  ///< likewise
  ReservationHooks hooks_;               ///< as the gate knows them
  std::optional<Retentions> retentions_; ///< as the archive knows them
};

} // namespace almanac

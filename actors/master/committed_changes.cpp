// What became of objects, as those see it who follow the changes of the cell.
#include "actors/master/committed_state.hpp"

#include "actors/master/record_views.hpp"
#include "core/policy/standing.hpp"
#include "core/text/pattern.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <deque>
#include <functional>
#include <optional>
#include <utility>

namespace almanac {

namespace {

using Of = EventKind::Of;
using Maybe = std::optional<door::Change>;

constexpr std::size_t listed_in_a_frame = 100;

bool is_hidden(const Reservation& reservation) {
  return reservation.phase == ReservationPhase::proposed ||
         reservation.phase == ReservationPhase::expired;
}

door::Change change_of(EventKind kind, EventVerb verb, std::string id, std::string name = {}) {
  door::Change change;
  change.event = event_name(kind, verb), change.kind = prefix_of(kind), change.verb = verb;
  change.id = std::move(id), change.name = std::move(name);
  return change;
}

door::Change change_of(const Job& job, const std::vector<TaskPtr>& tasks, std::string department,
                       EventVerb verb) {
  auto change = change_of({Of::job, {}}, verb, to_string(job.number), job.request->name);
  change.job.push_back({brief_view_of(job, tasks), {}, std::move(department)});
  return change;
}

// A list as it is when somebody begins to listen; each frame of it is made when its turn comes.
class ListFrames : public AnswerFrames {
public:
  using Make = std::function<door::Change()>;

  void add(Make make) { entries_.push_back(std::move(make)); }
  std::optional<door::ReplyBody> next() override {
    if (!is_first_ && entries_.empty()) return std::nullopt;
    door::Changes frame;
    frame.begins_list = std::exchange(is_first_, false);
    for (; !entries_.empty() && frame.changes.size() < listed_in_a_frame; entries_.pop_front())
      frame.changes.push_back(entries_.front()());
    return frame;
  }

private:
  std::deque<Make> entries_;
  bool is_first_ = true;
};

} // namespace

// Nothing is shown of what is gone meanwhile: another row says so.
class CommittedState::ChangeViews {
public:
  ChangeViews(const CommittedState& state, door::ChangeFilter filter)
      : state_(state), filter_(std::move(filter)) {}

  Maybe of(const Event& event) {
    const auto& [kind, verb, key, number, name] = event;
    if (verb == EventVerb::removed) return removed(event);
    switch (kind.of) {
    case Of::job: return of_job(JobKey{key}, verb);
    case Of::reservation: return of_reservation(ReservationKey{key}, verb);
    case Of::host: return of_host(name, verb);
    case Of::instance: return of_instance(name, verb);
    case Of::object: return of_object(kind, name, verb);
    case Of::series: return of_series(ReservationNumber{key}, verb);
    }
    return std::nullopt;
  }

  bool wants(const Job& job) const {
    return is_of(job.owner) && is_meant(to_string(job.number), job.request->name);
  }
  std::string department_of(const Caller& owner) const {
    return configuration().department_of(owner.user, primary_group(owner));
  }

private:
  const Configuration& configuration() const { return state_.configuration(); }
  bool is_of(const Caller& owner) const {
    return filter_.owner.empty() || matches_expression(filter_.owner, owner.user);
  }
  bool is_meant(const std::string& id, const std::string& name = {}) const {
    return filter_.id.empty() || matches_expression(filter_.id, id) ||
           (!name.empty() && matches_expression(filter_.id, name));
  }

  Maybe removed(const Event& event) const {
    const auto& [kind, verb, key, number, name] = event;
    const auto id = key > 0 ? std::to_string(number) : name;
    if (!is_meant(id, name)) return std::nullopt;
    return change_of(kind, verb, id, key > 0 ? name : "");
  }
  Maybe of_job(JobKey key, EventVerb verb) const {
    const auto* job = state_.records_.find<Job>(key);
    if (!job || !wants(*job)) return std::nullopt;
    return change_of(*job, state_.tasks_of(key), department_of(job->owner), verb);
  }
  Maybe of_reservation(ReservationKey key, EventVerb verb) const {
    const auto* found = state_.records_.find<Reservation>(key);
    if (!found || is_hidden(*found) || !is_of(found->owner)) return std::nullopt;
    auto change =
        change_of({Of::reservation, {}}, verb, to_string(found->number), found->request.name);
    if (!is_meant(change.id, change.name)) return std::nullopt;
    change.reservation.push_back(view_of(*found, configuration().complexes(), state_.records_));
    return change;
  }
  Maybe of_series(ReservationNumber number, EventVerb verb) const {
    const auto* found = state_.records_.find<Series>(number);
    if (!found || !is_of(found->owner)) return std::nullopt;
    auto change = change_of({Of::series, {}}, verb, to_string(number), found->request.name);
    if (!is_meant(change.id, change.name)) return std::nullopt;
    change.series.push_back(view_of(*found, state_.occurrences_of(number)));
    return change;
  }
  Maybe of_host(const std::string& name, EventVerb verb) const {
    const bool is_machine = name != "global" && configuration().hosts().contains(name);
    if (!is_machine || !is_meant(name)) return std::nullopt;
    auto change = change_of({Of::host, {}}, verb, name);
    change.host.push_back(state_.view_of_host(name));
    return change;
  }
  Maybe of_instance(const std::string& name, EventVerb verb) {
    const auto* instance = configuration().instance(name);
    if (!instance || !is_meant(name)) return std::nullopt;
    if (!use_) use_ = state_.use();
    auto change = change_of({Of::instance, {}}, verb, name);
    change.instance.push_back(state_.view(*instance, *use_));
    return change;
  }
  Maybe of_object(EventKind kind, const std::string& name, EventVerb verb) const {
    const auto* object = configuration().find(kind.object, name);
    if (!object || !is_meant(name)) return std::nullopt;
    auto change = change_of(kind, verb, name);
    change.object.push_back(*object);
    return change;
  }

  const CommittedState& state_;
  door::ChangeFilter filter_;
  std::optional<Use> use_; ///< where it was asked for: all tasks are looked at for it
};

door::ReplyBody CommittedState::changes(const Caller& given, const door::ChangeFilter& filter,
                                        const std::vector<store::ChangeRow>& rows) const {
  if (const auto why = host_obstacle(configuration(), believed(configuration(), given)))
    return Answer::refusal(*why);
  ChangeViews views(*this, filter);
  door::Changes frame;
  for (const auto& row : store::merged(rows)) {
    auto change = views.of(row.event);
    if (!change) continue;
    change->sequence = row.sequence.value, change->position = row.position;
    frame.changes.push_back(std::move(*change));
  }
  return frame;
}

// Each job is held as it is now, and shown later: there may be many.
std::shared_ptr<AnswerFrames>
CommittedState::answer_list(const door::Subscribe& subscription) const {
  constexpr auto listed = EventVerb::listed;
  ChangeViews views(*this, subscription.filter);
  const auto frames = std::make_shared<ListFrames>();
  const auto add = [&](EventKind kind, std::int64_t key, const std::string& name) {
    if (auto change = views.of({kind, listed, key, 0, name}))
      frames->add([change = std::move(*change)] { return change; });
  };
  const auto add_jobs = [&] {
    for (const auto& [key, job] : records_.all<Job>())
      if (views.wants(*job))
        frames->add(
            [job = job, tasks = tasks_of(key), department = views.department_of(job->owner)] {
              return change_of(*job, tasks, department, listed);
            });
  };
  const auto wants = [&](EventKind kind) {
    const auto& words = subscription.kinds;
    return words.empty() || std::any_of(words.begin(), words.end(), [&](const auto& word) {
             return equal_ignoring_case(prefix_of(kind), word);
           });
  };
  for (const auto kind : event_kinds()) {
    if (!wants(kind)) continue;
    if (kind.of == Of::job) add_jobs();
    if (kind.of == Of::reservation)
      for (const auto& [key, reservation] : records_.all<Reservation>()) add(kind, key.value, {});
    if (kind.of == Of::series)
      for (const auto& [number, series] : records_.all<Series>()) add(kind, number.value, {});
    if (kind.of == Of::host)
      for (const auto& [name, host] : configuration().hosts()) add(kind, 0, name);
    if (kind.of == Of::instance)
      for (const auto& instance : configuration().instances()) add(kind, 0, instance.name.text());
  }
  for (const auto& object : configuration().objects())
    if (const EventKind kind{Of::object, object.kind}; wants(kind)) add(kind, 0, object.name);
  return frames;
}

} // namespace almanac

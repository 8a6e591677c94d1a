#include "core/matching/class_request.hpp"

#include "core/configuration/objects/process_limit.hpp"
#include "core/execution/checkpoint_rules.hpp"
#include "core/matching/instance_obstacles.hpp"
#include "core/text/words.hpp"

#include <algorithm>

namespace almanac {

namespace {

bool asks_for_limit(const FixedDemand& fixed) {
  const auto& name = fixed.complex->name;
  return name == "h_rt" || name == "s_rt" || is_process_limit(name);
}

// All of a demand that decides which instances suit it, but for its limits.
std::string lasting_part(const Demand& demand) {
  std::string name = join(demand.queues, ",");
  for (const auto& [user, group] : demand.users) name += "\x1f" + user + "/" + group;
  for (const auto& fixed : demand.fixed)
    if (!asks_for_limit(fixed)) name += "\x1f" + fixed.complex->name + "=" + fixed.value;
  for (const auto& consumption : demand.consumables)
    if (consumption.asked) name += "\x1f" + consumption.resource;
  name += "\x1f" + demand.project + (demand.interactive ? "\x1fI" : "");
  if (!demand.checkpoint.empty()) name += "\x1f@" + demand.checkpoint;
  return name;
}

std::shared_ptr<const Instances> without_obstacle(const Snapshot& state, const Demand& demand) {
  auto found = std::make_shared<Instances>();
  auto unread = Obstacles::unwanted();
  for (const auto& instance : state.configuration().instances())
    if (!instance.orphaned && could_serve(state, instance, demand, unread))
      found->push_back(&instance);
  return found;
}

} // namespace

// Limits differ from job to job, and hardly any instance has some.
std::shared_ptr<const Instances> suitable_for(const Snapshot& state, const Demand& demand) {
  auto& shared = state.suitable(lasting_part(demand));
  if (!shared) {
    auto rest = demand;
    std::erase_if(rest.fixed, asks_for_limit);
    shared = without_obstacle(state, rest);
  }
  const auto limits = [](const QueueInstance* instance) {
    return !instance->settings.hard_run_time.is_endless() ||
           !instance->settings.soft_run_time.is_endless() ||
           !instance->settings.process_limits.empty();
  };
  const bool asks = std::any_of(demand.fixed.begin(), demand.fixed.end(), asks_for_limit);
  if (!asks || std::none_of(shared->begin(), shared->end(), limits)) return shared;
  auto own = std::make_shared<Instances>();
  auto unread = Obstacles::unwanted();
  for (const auto* instance : *shared)
    if (!limits(instance) || could_serve(state, *instance, demand, unread))
      own->push_back(instance);
  return own;
}

bool is_suitable(const ClassRequest& wanted, const QueueInstance* instance) {
  return std::binary_search(wanted.suitable->begin(), wanted.suitable->end(), instance);
}

// Which of the places the first task gets is not known before.
Claim claim_of(const Configuration& configuration, const JobRequest& request,
               const Instances& places) {
  if (runs_again_when_lost(configuration, request)) return Claim::rerunnable;
  const bool is_rerunnable =
      request.rerun == Rerun::as_queue
          ? !places.empty() && std::all_of(places.begin(), places.end(),
                                           [](const auto* one) { return one->settings.rerun; })
          : request.rerun == Rerun::yes;
  return is_rerunnable ? Claim::rerunnable : Claim::plain;
}

bool gives_way(const Configuration& configuration, Claim claim) {
  const auto& plus = configuration.scheduler().plus;
  return plus.fills && (claim == Claim::rerunnable || plus.not_rerunnable != NotRerunnable::refuse);
}

Result<ClassRequest, Statement> make_class_request(const Snapshot& state, const Job& job) {
  auto demand = demand_of_job(state.configuration(), job.request, job.owner);
  if (!demand) return demand.error();
  ClassRequest wanted;
  wanted.demand = std::move(*demand);
  const auto& scheduler = state.configuration().scheduler();
  wanted.endless = asked_limit(job.request).is_endless();
  auto length = job.reservation_key ? sure_length(job.request) : asked_length(job.request);
  if (length.is_endless() && !job.reservation_key) length = scheduler.default_duration;
  wanted.length = length + scheduler.duration_offset;
  wanted.slots = least_slots(job.request);
  if (job.reservation_key) return wanted;
  wanted.suitable = suitable_for(state, wanted.demand);
  wanted.claim = claim_of(state.configuration(), job.request, *wanted.suitable);
  wanted.gives_way = gives_way(state.configuration(), wanted.claim);
  return wanted;
}

void add_lasting_obstacles(const Snapshot& state, const Job& job, const ClassRequest& wanted,
                           Obstacles& obstacles) {
  if (job.reservation_key) return;
  for (const auto& instance : state.configuration().instances())
    if (!instance.orphaned) could_serve(state, instance, wanted.demand, obstacles);
}

} // namespace almanac

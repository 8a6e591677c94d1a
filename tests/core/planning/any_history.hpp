// A history of a small cell, made by chance: jobs, reservations, ends, losses, and passes over them.
#pragma once

#include "planner_fixture.hpp"

#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace almanac {

// Holds move later only for a cause that they name; those of an array are for its next tasks.
struct Seen {
  std::vector<Hold> holds;
  std::int64_t waiting = 0;
};
inline void check_holds(const State& state, std::map<JobKey, Seen>& seen) {
  std::map<JobKey, Seen> now;
  for (const auto& [key, job] : state.jobs()) {
    const auto& holds = job->holds;
    const auto waiting = waiting_tasks(*job, state.tally(key));
    RC_ASSERT(static_cast<std::int64_t>(holds.size()) <= waiting);
    now[key] = {holds, waiting};
    const auto before = seen.find(key);
    if (before == seen.end()) continue;
    const auto& held = before->second.holds;
    // Those that have started stood before the others.
    const auto started = std::max<std::int64_t>(0, before->second.waiting - waiting);
    const bool named = std::any_of(holds.begin(), holds.end(),
                                   [](const Hold& hold) { return !hold.cause.empty(); });
    for (auto i = static_cast<std::size_t>(started); i < held.size() && i - started < holds.size();
         ++i)
      RC_ASSERT(named || holds[i - started].window.start <= held[i].window.start);
  }
  seen = std::move(now);
}

inline ValidInput valid_one(const Input& input) {
  return std::get<ValidInput>(validated_input(input));
}

struct World {
  Planner planner{*Planner::restore(Planner::initial_records("root", "master"))};
  std::vector<std::pair<Input, Instant>> inputs;
  Instant now{1000};
  std::map<JobKey, Seen> seen;
  Caller root{"root", "root", 0, 0, "master"};

  Decisions handle(const Input& input) {
    inputs.emplace_back(input, now);
    auto decisions = planner.handle(valid_one(input), now);
    check_holds(planner.state(), seen);
    return decisions;
  }
  void command(CommandBody body) { handle(Command{root, std::move(body)}); }
};

inline std::vector<Attempt> active(const State& state) {
  std::vector<Attempt> result;
  for (const auto& task : state.tasks())
    if (task.is_active()) result.push_back({task.job, task.number, task.attempt});
  return result;
}

template <class IsMeant> bool any_task(const State& state, IsMeant is_meant) {
  for (const auto& task : state.tasks())
    if (is_meant(task)) return true;
  return false;
}

// Two hosts of three slots.
inline void set_up(World& world) {
  for (const char* host : {"h1", "h2"}) {
    world.command(AddHost{host, 3});
    world.handle(HostRegistered{host, {"lx", 4, 1, "b", "s", "a"}});
  }
  world.command(
      Configure{{ChangeVerb::modify,
                 {ObjectKind::scheduler_configuration,
                  "",
                  {{"max_reservation", *rc::gen::element<std::string>("0", "1", "9")},
                   {"default_duration", *rc::gen::element<std::string>("100", "INFINITY")},
                   {"params", *rc::gen::element<std::string>("NONE", "SORT_MODE=plus")}}},
                 {}}});
}

// What the site sorts by, where it does so; one text that cannot be read.
inline void random_sort_keys(World& world) {
  world.handle(SiteFileRead{"sched_conf", *rc::gen::element<std::string>(
                                              "", "JobSortKey: SubmitTime", "JobSortKey: x",
                                              "JobSortKey: MostTimeRequested, JobPriority",
                                              "JobSortKey: QueueRoundRobin, LeastCPURequested",
                                              "JobSortKey: JobPriority, ByQueue, SubmitTime")});
}

inline void random_step(World& world) {
  const auto dice = *rc::gen::inRange(0, 13);
  const auto slots = *rc::gen::inRange<std::int64_t>(1, 5);
  world.now = world.now + Duration{*rc::gen::inRange<std::int64_t>(0, 50)};
  const auto running = active(world.planner.state());
  const auto pick = [&] {
    return running[static_cast<std::size_t>(*rc::gen::inRange<std::size_t>(0, running.size()))];
  };
  if (dice < 3) {
    JobRequest job;
    job.name = "j";
    if (*rc::gen::arbitrary<bool>())
      job.resources = {{"h_rt", std::to_string(*rc::gen::inRange(1, 300))}};
    if (*rc::gen::arbitrary<bool>()) job.pe = "fill", job.slots = {{1, slots}};
    job.reserve = *rc::gen::arbitrary<bool>();
    if (*rc::gen::inRange(0, 3) == 0) job.tasks = {1, 4, 1};
    job.concurrent = job.tasks.is_array() && !job.reserve;
    job.priority = *rc::gen::element<std::int64_t>(0, 0, 100);
    if (*rc::gen::inRange(0, 3) == 0 && !world.planner.state().reservations().empty())
      job.reservation = world.planner.state().reservations().begin()->number;
    world.command(Submit{job, "h"});
  } else if (dice < 5) {
    ReservationRequest ar;
    ar.start = world.now + Duration{*rc::gen::inRange<std::int64_t>(0, 200)};
    ar.duration = {*rc::gen::inRange<std::int64_t>(1, 300)}, ar.has_duration = true;
    ar.pe = "fill", ar.slots = {{1, slots}};
    ar.attract = *rc::gen::arbitrary<bool>();
    Reserve reserve{ar};
    if (*rc::gen::inRange(0, 4) == 0) reserve.offer_for = {20};
    if (*rc::gen::arbitrary<bool>()) world.command(std::move(reserve));
    else world.command(PrepareReservation{"", 0, ReservationVerb::change, ar, {20}});
  } else if (dice == 5 && !running.empty()) world.handle(TaskStarted{pick()});
  else if (dice == 6 && !running.empty()) {
    ExitRecord record;
    record.exit_status = *rc::gen::element(0, 0, 99, 100);
    world.handle(TaskEnded{pick(), record});
  } else if (dice == 7) world.command(DeleteJobs{{"j"}, {}, {}, false});
  else if (dice == 8 && !world.planner.state().reservations().empty()) {
    const auto number = world.planner.state().reservations().begin()->number;
    if (*rc::gen::arbitrary<bool>())
      world.command(SettleReservation{*rc::gen::element<std::string>("t", ""), number,
                                      *rc::gen::arbitrary<bool>()});
    else world.command(DeleteReservations{{to_string(number)}, {}, *rc::gen::arbitrary<bool>()});
  } else if (dice == 9) world.handle(HostSilent{"h1", *rc::gen::arbitrary<bool>()});
  else if (dice == 10) world.handle(HostRegistered{"h1", {"lx", 4, 1, "b", "s", "a"}});
  else if (dice == 11) {
    JobRequest change;
    if (!world.planner.state().reservations().empty() && *rc::gen::arbitrary<bool>())
      change.reservation = world.planner.state().reservations().begin()->number;
    world.command(AlterJobs{{"j"}, {}, {"-ar"}, change});
  } else if (dice == 12) random_sort_keys(world);
  std::vector<ReservationKey> due;
  for (const auto& reservation : world.planner.state().reservations())
    due.push_back(reservation.key);
  for (const auto key : due) world.handle(ReservationDue{key});
  // What is past its booked end is said to be, as the job actors do: the invariant below needs it.
  for (const auto& attempt : active(world.planner.state())) world.handle(TaskOverdue{attempt});
  world.handle(Pass{});
}

} // namespace almanac

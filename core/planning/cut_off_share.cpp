#include "core/planning/cut_off_share.hpp"

#include "core/planning/letters.hpp"
#include "core/planning/tasks_inside.hpp"
#include "core/planning/texts.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace almanac::rules {

const std::string* out_of_reach(const State& state, const Task& task) {
  for (const auto& grant : task.grants)
    if (state.host(grant.instance.host).phase != HostPhase::up) return &grant.instance.host;
  return nullptr;
}

namespace {

// Where tasks lie that would run beyond the window and cannot be told, as far as that is part of it.
std::set<InstanceName> cut_off_share(const State& state, const Reservation& reservation,
                                     Window window) {
  std::set<InstanceName> share;
  if (window.end >= reservation.shape.window.end) return share;
  each_task_inside(state, reservation, [&](const Job& job, const Task& task) {
    if (task.deleting || !overrun_of(state, job, task, window) || !out_of_reach(state, task))
      return;
    for (const auto& grant : task.grants)
      if (reservation.shape.slots_on(grant.instance) > 0) share.insert(grant.instance);
  });
  return share;
}

bool is_part_of(const Booking& booking, const std::set<InstanceName>& share) {
  const auto& container = booking.container;
  return std::any_of(share.begin(), share.end(), [&](const InstanceName& instance) {
    return container == Container::queue(instance) || container == Container::host(instance.host);
  });
}

void book_share(const State& state, const Reservation& own, const std::set<InstanceName>& share,
                Assumption& without) {
  each_task_inside(state, own, [&](const Job&, const Task& task) {
    auto bookings = task.bookings;
    std::erase_if(bookings, [&](const Booking& booking) { return !is_part_of(booking, share); });
    const auto end = std::max(own.shape.window.end, task.booked.end);
    without.reserve(bookings, {own.shape.window.start, end});
  });
}

// Nothing more is looked for there: what is left behind has all of its share.
void close_hosts(const std::set<InstanceName>& share, Window window, Assumption& without) {
  Reservation closed;
  closed.request.maintenance = true;
  for (const auto& instance : share) closed.request.hosts.push_back(instance.host);
  closed.shape.window = window;
  without.close(closed, nullptr);
}

Found find_place_without(const State& state, const Reservation& own,
                         const std::set<InstanceName>& share, Demand demand, Window window,
                         Instant now, std::vector<Grant> pinned) {
  const auto in_share = [&](const Grant& grant) { return share.contains(grant.instance); };
  auto rest = own;
  std::erase_if(rest.shape.grants, in_share);
  std::erase_if(pinned, in_share);
  Assumption without(state);
  set_free(without, own);
  book_share(state, own, share, without);
  close_hosts(share, window, without);
  auto found = find_place_off_hosts(without, rest, demand, window, now, pinned);
  const auto slots = rest.shape.slots();
  if (found.assignment || slots == 0) return found;
  demand.slots = {{slots, slots}};
  if (demand.nodes.count > 0) {
    demand.slots.clear();
    demand.nodes.count = static_cast<std::int64_t>(granted_hosts(rest.shape.grants).size());
  }
  return find_place_off_hosts(without, rest, demand, window, now, pinned);
}

} // namespace

Found find_place_beside_share(const State& state, const Reservation& own, const Demand& demand,
                              Window window, Instant now, const std::vector<Grant>& pinned) {
  if (const auto share = cut_off_share(state, own, window); !share.empty()) {
    auto found = find_place_without(state, own, share, demand, window, now, pinned);
    if (found.assignment) return found;
  }
  return find_changed_place(state, own, demand, window, now, pinned);
}

std::vector<Grant> original_beside_share(const State& state, const Reservation& own,
                                         const ReservationRequest& request, const Shape& next) {
  if (request.pe != own.request.pe || request.slots != own.request.slots) return {};
  const auto share = cut_off_share(state, own, next.window);
  const bool stays = std::all_of(share.begin(), share.end(), [&](const InstanceName& instance) {
    return next.slots_on(instance) >= own.shape.slots_on(instance);
  });
  if (stays) return {};
  return own.original.empty() ? own.shape.grants : own.original;
}

std::vector<LeftBehind> left_with_share(const State& state, const Reservation& reservation,
                                        const Shape& next) {
  auto left = reservation.left_behind;
  const auto share = cut_off_share(state, reservation, next.window);
  if (share.empty()) return left;
  for (auto& one : left_behind(state, reservation, next))
    if (share.contains(one.instance)) {
      std::erase_if(left, [&](const LeftBehind& old) { return old.instance == one.instance; });
      left.push_back(std::move(one));
    }
  return left;
}

void cut_what_was_left(State& state, const Reservation& reservation, Instant now) {
  const auto& left = reservation.left_behind;
  const auto was_left = [&](const Grant& grant) {
    return std::any_of(left.begin(), left.end(),
                       [&](const LeftBehind& one) { return one.instance == grant.instance; });
  };
  const auto window = reservation.shape.window;
  std::vector<std::pair<TaskId, Instant>> cut;
  std::map<JobKey, std::vector<Statement>> told;
  each_task_inside(state, reservation, [&](const Job& job, const Task& task) {
    if (task.deleting || !overrun_of(state, job, task, window) || out_of_reach(state, task) ||
        std::none_of(task.grants.begin(), task.grants.end(), was_left))
      return;
    const auto end = end_before(state, task, window.end, now);
    if (end == task.ended_at) return;
    cut.emplace_back(task.id(), end);
    told[job.key].push_back(cut_short(job, task, end, now));
  });
  for (const auto& [id, end] : cut)
    state.edit<Task>(id, [end = end](Task& task) { task.ended_at = end; });
  for (const auto& [key, what] : told)
    mail_change(state, *state.job(key), join(texts_of(what), "; "));
}

} // namespace almanac::rules

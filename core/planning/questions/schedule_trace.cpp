#include "core/planning/questions/schedule_trace.hpp"

#include "core/matching/demand.hpp"
#include "core/text/values.hpp"

#include <algorithm>

namespace almanac {

namespace {

class Trace {
public:
  explicit Trace(const Configuration& configuration) : configuration_(configuration) {}

  void add(JobNumber job, std::int64_t task, const char* what, Window window,
           const std::vector<Booking>& bookings) {
    const auto length = window.length();
    const auto head = to_string(job) + ":" + std::to_string(task) + ":" + what + ":" +
                      std::to_string(window.start.seconds) + ":" +
                      std::to_string(length.is_endless() ? 4294967295 : length.seconds) + ":";
    for (const auto& booking : bookings)
      if (!booking.resource.beside)
        lines.push_back(head + place(booking.container) + ":" + booking.resource.name + ":" +
                        utilization(booking));
  }

  std::vector<std::string> lines{"::::::::"};

private:
  static std::string place(const Container& container) {
    switch (container.kind) {
    case Container::Kind::global: return "G:global";
    case Container::Kind::host: return "H:" + container.name;
    case Container::Kind::pe: return "P:" + container.name;
    default: return "Q:" + container.name;
    }
  }
  std::string utilization(const Booking& booking) const {
    const auto* complex = configuration_.complexes().find(booking.resource.name);
    return complex && complex->type == ValueType::decimal
               ? print_millionths(booking.amount)
               : std::to_string(booking.amount) + ".000000";
  }

  const Configuration& configuration_;
};

const char* word_for(const Task& task, Instant now) {
  if (task.deleting && (is_tried_again(task.after_end) || !task.gives_way_to.empty()))
    return "MIGRATING";
  if (task.suspended) return "SUSPENDED";
  return task.state == TaskState::sent && task.booked.start == now ? "STARTING" : "RUNNING";
}

} // namespace

std::vector<std::string> schedule_trace(const State& state, Instant now) {
  Trace trace(state.configuration());
  const auto tasks = [&](bool starting) {
    for (const auto& task : state.tasks()) {
      const std::string word = word_for(task, now);
      if (task.is_active() && (word == "STARTING") == starting)
        trace.add(state.job(task.job)->number, std::max<std::int64_t>(1, task.number), word.c_str(),
                  task.booked, task.bookings);
    }
  };
  tasks(false);
  for (const auto& reservation : state.reservations())
    if (reservation.is_granted())
      trace.add({0}, 0, "RESERVING", reservation.shape.window, reservation.shape.bookings);
  tasks(true);
  for (const auto& [rank, key] : state.waiting().holders()) {
    const auto& job = *state.job(key);
    const auto tasks = next_waiting(job, state.tally(key), job.holds.size());
    for (std::size_t i = 0; i < tasks.size(); ++i)
      trace.add(job.number, std::max<std::int64_t>(1, tasks[i]), "RESERVING", job.holds[i].window,
                job.holds[i].bookings);
  }
  return std::move(trace.lines);
}

} // namespace almanac

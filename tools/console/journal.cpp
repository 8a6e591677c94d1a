#include "tools/console/views.hpp"

#include "core/text/pattern.hpp"
#include "core/text/values.hpp"
#include "core/text/words.hpp"

#include <chrono>
#include <functional>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <thread>

namespace almanac::console {

namespace {

constexpr std::chrono::milliseconds poll_interval{300};

void print(Context& context, const Happening& one, bool json) {
  if (json)
    context.out << nlohmann::ordered_json{{"sequence", one.sequence},
                                          {"at", one.at.seconds},
                                          {"what", one.what},
                                          {"about", one.about}}
                       .dump()
                << "\n";
  else context.out << print_iso_time(one.at) << " " << one.sequence << "  " << one.what << "\n";
}

// Calls `take` for each input after `after`, and after each look `look`, until that says stop or
// the time is over.
int follow(Context& context, std::int64_t after, std::int64_t seconds,
           const std::function<void(const Happening&)>& take, const std::function<bool()>& look) {
  const auto begun = std::chrono::steady_clock::now();
  for (;;) {
    bool any = true;
    while (any) {
      any = false;
      const int asked =
          ask<door::Happenings>(context, door::GetInputs{after}, [&](door::Happenings& frame) {
            for (const auto& one : frame.inputs) take(one), after = one.sequence, any = true;
          });
      if (asked != 0) return asked;
      after = std::max<std::int64_t>(after, 0);
    }
    if (look()) return 0;
    context.out.flush();
    if (seconds >= 0 && std::chrono::steady_clock::now() - begun >= std::chrono::seconds(seconds))
      return 0;
    std::this_thread::sleep_for(poll_interval);
  }
}

// What is traced: a record, and how to see it in inputs.
struct Subject {
  std::set<std::string> tags;
  std::function<std::optional<std::string>()> state; ///< nothing: it is gone

  bool is_meant(const Happening& one) const {
    return std::any_of(one.about.begin(), one.about.end(),
                       [&](const std::string& about) { return tags.contains(about); });
  }
};

std::string text_of(const Job& job) {
  std::string text = "job " + std::to_string(job.number) + ":";
  const bool held = job.is_held() || !job.waits_for.empty();
  if (job.waiting_tasks() > 0) text += std::string(held ? " hqw" : " qw");
  for (const auto& task : job.tasks) {
    if (!task.is_active()) continue;
    text += " " + (task.number > 0 ? std::to_string(task.number) + " " : std::string()) +
            state_letters(task, held);
    for (const auto& grant : task.grants)
      text += " " + grant.instance + "=" + std::to_string(grant.slots);
  }
  for (const auto& hold : job.holds)
    text += " held from " + print_iso_time(hold.window.start) + " on";
  return text;
}

std::string text_of(const Reservation& reservation) {
  auto text = "reservation " + std::to_string(reservation.number) + ": " +
              std::string(1, state_letter(reservation));
  for (const auto& grant : reservation.shape.grants)
    text += " " + grant.instance + "=" + std::to_string(grant.slots);
  for (const auto& bad : reservation.bad) text += "; " + bad;
  return text + (reservation.note.empty() ? "" : "; " + reservation.note);
}

std::optional<Job> find_job(Context& context, const std::string& name) {
  std::optional<Job> found;
  ask<door::Jobs>(context, door::GetJobs{{name}, {}, false}, [&](door::Jobs& frame) {
    for (const auto& view : frame.jobs)
      if (!found) found = view.job;
  });
  return found;
}

std::optional<Reservation> find_reservation(Context& context, const std::string& number) {
  std::optional<Reservation> found;
  ask<door::Reservations>(context, door::GetReservations{}, [&](door::Reservations& frame) {
    for (const auto& reservation : frame.reservations)
      if (std::to_string(reservation.number) == number) found = reservation;
  });
  return found;
}

std::optional<std::string> host_state(Context& context, const std::string& name) {
  std::optional<std::string> found;
  ask<door::Cluster>(context, door::GetCluster{}, [&](door::Cluster& frame) {
    for (const auto& host : frame.hosts)
      if (host.state.name == name) found = "host " + name + ": " + phase_name(host.state.phase);
  });
  return found;
}

std::optional<Subject> subject_of(Context& context, const std::string& kind,
                                  const std::string& name) {
  const auto shown = [](const auto& record) {
    return record ? std::optional(text_of(*record)) : std::nullopt;
  };
  if (kind == "job") {
    const auto job = find_job(context, name);
    if (!job) return std::nullopt;
    const auto number = std::to_string(job->number);
    return Subject{
        {"job " + std::to_string(job->key), "name " + number, "name " + job->request.name},
        [&context, number, shown] { return shown(find_job(context, number)); }};
  }
  if (kind == "reservation") {
    const auto reservation = find_reservation(context, name);
    if (!reservation) return std::nullopt;
    return Subject{{"reservation " + std::to_string(reservation->key), "name " + name},
                   [&context, name, shown] { return shown(find_reservation(context, name)); }};
  }
  if (!host_state(context, name)) return std::nullopt;
  return Subject{{"host " + name}, [&context, name] { return host_state(context, name); }};
}

} // namespace

int journal(Context& context, std::int64_t last, std::int64_t seconds, bool json) {
  return follow(
      context, -last, seconds, [&](const Happening& one) { print(context, one, json); },
      [] { return false; });
}

int trace(Context& context, const std::string& what, const std::string& name, std::int64_t seconds,
          bool json) {
  const auto subject = subject_of(context, what, name);
  if (!subject) return complain(context, "trace: there is no " + what + " " + name);
  auto before = subject->state();
  const auto print_state = [&](const std::string& text) {
    if (json) context.out << nlohmann::ordered_json{{"state", text}}.dump() << "\n";
    else context.out << "    " << text << "\n";
  };
  if (before) print_state(*before);
  return follow(
      context, -1, seconds,
      [&](const Happening& one) {
        if (subject->is_meant(one)) print(context, one, json);
      },
      [&] {
        auto now = subject->state();
        if (now && now != before) print_state(*now);
        before = std::move(now);
        if (!before) print_state(what + " " + name + " is gone");
        return !before.has_value();
      });
}

} // namespace almanac::console

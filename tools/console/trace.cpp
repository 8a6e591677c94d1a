#include "tools/console/inputs.hpp"
#include "tools/console/views.hpp"

#include "core/text/values.hpp"
#include "core/text/words.hpp"

#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

namespace almanac::console {

namespace {

using Json = nlohmann::ordered_json;

// What is traced: a record, and how to see it in inputs.
struct Subject {
  InputFilter inputs;
  std::function<std::optional<std::string>()> state; ///< nothing: it is gone
};

std::string text_of(const door::ShownJob& job) {
  std::string text = "job " + to_string(job.number) + ":";
  const bool held = job.is_held();
  if (job.waiting_tasks() > 0) text += std::string(held ? " hqw" : " qw");
  for (const auto& task : job.tasks) {
    if (!task.is_active()) continue;
    text += " " + (task.number > 0 ? std::to_string(task.number) + " " : std::string()) +
            task.letters(held);
    for (const auto& grant : task.grants)
      text += " " + grant.instance.text() + "=" + std::to_string(grant.slots);
  }
  for (const auto& hold : job.holds)
    text += " held from " + print_iso_time(hold.window.start) + " on";
  return text;
}

std::string text_of(const door::ReservationView& reservation) {
  auto text =
      "reservation " + to_string(reservation.number) + ": " + std::string(1, reservation.letter());
  for (const auto& grant : reservation.shape.grants)
    text += " " + grant.instance.text() + "=" + std::to_string(grant.slots);
  for (const auto& bad : reservation.bad) text += "; " + bad;
  return text + (reservation.note.empty() ? "" : "; " + reservation.note);
}

std::optional<door::ShownJob> find_job(Context& context, const std::string& name) {
  std::optional<door::ShownJob> found;
  ask<door::Jobs>(context, door::GetJobs{{name}, {}, false}, [&](door::Jobs& frame) {
    for (const auto& view : frame.jobs)
      if (!found) found = view.job;
  });
  return found;
}

std::optional<door::ReservationView> find_reservation(Context& context, const std::string& number) {
  std::optional<door::ReservationView> found;
  ask<door::Reservations>(context, door::GetReservations{{number}, {}},
                          [&](door::Reservations& frame) {
                            for (const auto& reservation : frame.reservations)
                              if (to_string(reservation.number) == number) found = reservation;
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
    const auto number = to_string(job->number);
    return Subject{{{"job " + to_string(job->key), "name " + number, "name " + job->request->name}},
                   [&context, number, shown] { return shown(find_job(context, number)); }};
  }
  if (kind == "reservation") {
    const auto reservation = find_reservation(context, name);
    if (!reservation) return std::nullopt;
    return Subject{{{"reservation " + to_string(reservation->key), "name " + name}},
                   [&context, name, shown] { return shown(find_reservation(context, name)); }};
  }
  if (kind != "host" || !host_state(context, name)) return std::nullopt;
  return Subject{{{"host " + name}}, [&context, name] { return host_state(context, name); }};
}

// What an actor is told. It is followed by its name: a restart of the master makes a new one.
class Messages {
public:
  Messages(Context& context, std::string kind, std::string name, bool json)
      : context_(context), kind_(std::move(kind)), name_(std::move(name)), json_(json) {}

  /// The exit code of having asked.
  int find() {
    actors_.clear();
    id_ = 0;
    return ask<door::Actors>(context_, door::ListActors{}, [&](door::Actors& frame) {
      for (const auto& actor : frame.actors) {
        actors_[actor.id] = actor.kind + (actor.name.empty() ? "" : "/" + actor.name);
        if (actor.kind == kind_ && (name_.empty() || actor.name == name_)) id_ = actor.id;
      }
    });
  }
  bool found() const { return id_ > 0; }

  int take() {
    if (id_ == 0) return 0;
    return ask<door::TracedMessages>(context_, door::GetMessages{id_, after_},
                                     [&](door::TracedMessages& frame) {
                                       for (const auto& message : frame.messages)
                                         print(message), after_ = message.sequence;
                                     });
  }

private:
  const std::string& name_of(std::int64_t id) {
    static const std::string nobody = "-";
    if (id > 0 && !actors_.contains(id)) {
      find();
      actors_.try_emplace(id, "actor " + std::to_string(id));
    }
    return id == 0 ? nobody : actors_.at(id);
  }
  void print(const door::TracedMessage& message) {
    const auto from = name_of(message.sender), to = name_of(id_);
    if (json_) {
      context_.out << Json{{"at_ms", message.at_ms},
                           {"from", from},
                           {"to", to},
                           {"message", message.what}}
                          .dump()
                   << "\n";
      return;
    }
    const auto ms = std::to_string(1000 + message.at_ms % 1000).substr(1);
    context_.out << print_iso_time({message.at_ms / 1000}) << "." << ms << "  " << from << " -> "
                 << to << "  " << message.what << "\n";
  }

  Context& context_;
  std::string kind_, name_;
  bool json_;
  std::int64_t id_ = 0, after_ = 0;
  std::map<std::int64_t, std::string> actors_;
};

} // namespace

int trace(Context& context, const std::string& what, const std::string& name, std::int64_t seconds,
          bool json) {
  const auto subject = subject_of(context, what, name);
  Messages messages(context, what, name, json);
  if (const int asked = messages.find(); asked != 0) return asked;
  if (!messages.found() && !subject)
    return complain(context, "trace: there is no " + what + (name.empty() ? "" : " " + name));
  std::int64_t after = -1;
  std::optional<std::string> before;
  return look_on(context, seconds, [&]() -> std::optional<int> {
    if (const int asked = messages.take(); asked != 0) return asked;
    if (!subject) return std::nullopt;
    const int asked = take_inputs(context, after, subject->inputs, [&](const InputSummary& one) {
      print_input(context, one, json);
    });
    if (asked != 0) return asked;
    const auto now = subject->state();
    const auto text = now.value_or(what + " " + name + " is gone");
    if (now != before || !now)
      context.out << (json ? Json{{"state", text}}.dump() : "    " + text) << "\n";
    before = now;
    return now ? std::nullopt : std::optional(0);
  });
}

} // namespace almanac::console

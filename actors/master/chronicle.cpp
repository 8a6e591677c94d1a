#include "actors/master/chronicle.hpp"

#include "core/text/names.hpp"

#include <utility>

namespace almanac {

namespace {

// "name=value" after "name=value"; texts of people in quotes, so that each line can be split again.
class Step {
public:
  Step& add(const char* name, const std::string& value) {
    if (value.empty()) return *this;
    line_ += (line_.empty() ? "" : " ") + std::string(name) + "=" + value;
    return *this;
  }
  Step& add(const char* name, std::int64_t value) { return add(name, std::to_string(value)); }
  Step& quote(const char* name, const std::string& text) {
    if (text.empty()) return *this;
    std::string quoted = "\"";
    for (const char c : excerpt(text, 300)) {
      if (c == '"' || c == '\\') quoted += '\\';
      quoted += c;
    }
    return add(name, quoted + '"');
  }
  const std::string& line() const { return line_; }

private:
  std::string line_;
};

const char* word(const Task& task) {
  switch (task.state) {
  case TaskState::pending: return task.rests() ? "resting" : "waiting";
  case TaskState::error: return "error";
  case TaskState::sent:
  case TaskState::running: break;
  }
  if (task.deleting) return is_tried_again(task.after_end) ? "ending-to-run-again" : "ending";
  if (task.state == TaskState::sent) return "sent";
  if (!task.suspended) return "running";
  return task.suspended_by_user                               ? "suspended-by-user"
         : task.suspended_by_queue || task.suspended_by_slots ? "suspended-by-queue"
                                                              : "suspended-by-threshold";
}

std::string held(const Job& job) {
  std::string kinds;
  if (job.held_by_user) kinds += 'u';
  if (job.held_by_operator) kinds += 'o';
  if (job.held_by_system) kinds += 's';
  if (!job.waits_for.empty() || !job.waits_for_tasks.empty()) kinds += 'j';
  return kinds.empty() ? "none" : kinds;
}

std::string places(const Task& task) {
  std::string text;
  for (const auto& grant : task.grants)
    text += (text.empty() ? "" : ",") + grant.instance.text() +
            (grant.slots > 1 ? "*" + std::to_string(grant.slots) : "");
  return excerpt(text, 300);
}

std::string phase(const HostState* host) {
  static const char* const phases[] = {"unknown", "suspect", "up"};
  return host ? phases[static_cast<int>(host->phase)] : "unknown";
}

std::string states(const InstanceState* instance) {
  std::string text;
  if (!instance) return "open";
  const auto add = [&](bool is_so, const char* what) {
    if (is_so) text += (text.empty() ? "" : ",") + std::string(what);
  };
  add(instance->disabled, "disabled"), add(instance->suspended, "suspended");
  add(instance->subordinated, "subordinated"), add(instance->error, "error");
  add(instance->opening == Opening::off, "closed-by-calendar");
  add(instance->opening == Opening::suspended, "suspended-by-calendar");
  add(static_cast<bool>(instance->maintenance), "maintenance");
  return text.empty() ? "open" : text;
}

} // namespace

std::vector<std::string> Chronicle::take(const Cause& cause) {
  Step why;
  if (cause.input) why.add("input", to_string(cause.input));
  why.quote("cause", cause.what);
  auto lines = std::exchange(steps_, {});
  if (!why.line().empty())
    for (auto& line : lines) line += " " + why.line();
  return lines;
}

void Chronicle::changed(const Job* before, const Job* after) {
  if (!listens_) return;
  Step step;
  const auto& job = after ? *after : *before;
  step.add("job", to_string(job.number));
  if (!before) {
    step.add("to", "submitted").quote("user", job.owner.user).quote("name", job.request->name);
    if (job.is_held()) step.add("held", held(job));
  } else if (!after) step.add("to", "gone");
  else if (held(*before) != held(*after))
    step.add("to", held(*after) == "none" ? "released" : "held").add("held", held(*after));
  else return;
  steps_.push_back(step.line());
}

void Chronicle::changed(const Task* before, const Task* after) {
  if (!listens_) return;
  const std::string from = before ? word(*before) : "waiting", to = after ? word(*after) : "gone";
  const bool is_next_attempt = before && after && before->attempt != after->attempt;
  const bool is_saved = after && after->checkpoint_pid != (before ? before->checkpoint_pid : 0);
  if (from == to && !is_next_attempt && !is_saved) return;
  const auto& task = after ? *after : *before;
  const auto* job = records_.find<Job>(task.job);
  if (!job) return;
  Step step;
  step.add("job", to_string(job->number));
  if (task.number > 0) step.add("task", task.number);
  step.add("to", to).add("from", from);
  if (!task.grants.empty()) step.add("host", task.grants.front().instance.host);
  step.add("queue", places(task)).add("attempt", task.attempt);
  if (is_saved) step.add("checkpointed_process", after->checkpoint_pid);
  if (after) step.quote("reason", after->reason);
  steps_.push_back(step.line());
}

void Chronicle::appended(const AccountingRecord& record) {
  if (!listens_ || !record.pe_task.empty()) return;
  const auto& end = record.record;
  Step step;
  step.add("job", to_string(record.job_number));
  if (record.task > 0) step.add("task", record.task);
  step.add("to", "ended").add("host", record.host);
  step.add("exit_status", end.exit_status).add("failed", end.failed).quote("reason", end.reason);
  step.add("wallclock", end.wallclock);
  steps_.push_back(step.line());
}

void Chronicle::changed(const Reservation* before, const Reservation* after) {
  if (!listens_) return;
  const std::string from = before ? std::string(1, state_letter(*before)) : "";
  const std::string to = after ? std::string(1, state_letter(*after)) : "gone";
  const bool is_moved = before && after && before->shape.window != after->shape.window;
  if (from == to && !is_moved) return;
  const auto& reservation = after ? *after : *before;
  Step step;
  step.add("reservation", to_string(reservation.number)).add("to", to).add("from", from);
  if (!before) step.quote("user", reservation.owner.user).quote("name", reservation.request.name);
  if (is_moved || !before)
    step.add("start", reservation.shape.window.start.seconds)
        .add("end", reservation.shape.window.end.seconds);
  if (after && !after->bad.empty()) step.quote("reason", after->bad.front());
  steps_.push_back(step.line());
}

void Chronicle::changed(const InstanceState* before, const InstanceState* after) {
  if (!listens_) return;
  const auto from = states(before), to = states(after);
  if (from == to) return;
  const auto& instance = after ? *after : *before;
  Step step;
  step.add("queue", instance.name.text()).add("host", instance.name.host);
  step.add("to", to).add("from", from);
  if (after && after->error) step.quote("reason", after->reason);
  if (after && after->disabled) step.quote("why", after->drain.why);
  steps_.push_back(step.line());
}

void Chronicle::changed(const HostState* before, const HostState* after) {
  if (!listens_) return;
  const auto from = phase(before), to = phase(after);
  if (from == to) return;
  Step step;
  steps_.push_back(
      step.add("host", (after ? after : before)->name).add("to", to).add("from", from).line());
}

} // namespace almanac

#include "core/job/task_machine.hpp"

#include <algorithm>
#include <array>

namespace almanac {

namespace {

struct TaskStep {
  TaskState from;
  TaskEvent event;
  std::optional<TaskState> to; ///< nothing: the task is gone
};

const TaskStep* step_of(TaskState state, TaskEvent event) {
  using enum TaskState;
  using enum TaskEvent;
  constexpr std::nullopt_t gone = std::nullopt;
  static constexpr std::array<TaskStep, 11> steps{{
      {pending, placed, sent},
      {sent, forked, running},
      {sent, returned, pending},
      {running, returned, pending},
      {sent, failed, error},
      {running, failed, error},
      {error, cleared, pending},
      {sent, finished, gone},
      {running, finished, gone},
      {pending, dropped, gone},
      {error, dropped, gone},
  }};
  const auto* step = std::find_if(steps.begin(), steps.end(), [&](const TaskStep& one) {
    return one.from == state && one.event == event;
  });
  return step == steps.end() ? nullptr : step;
}

} // namespace

std::optional<TaskState> next(TaskState state, TaskEvent event) {
  const auto* step = step_of(state, event);
  return step ? step->to : std::nullopt;
}

bool ends(TaskState state, TaskEvent event) {
  const auto* step = step_of(state, event);
  return step && !step->to;
}

} // namespace almanac

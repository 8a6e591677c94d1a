#include "core/planning/migration.hpp"

#include "core/execution/checkpoint_rules.hpp"
#include "core/planning/texts.hpp"

namespace almanac::rules {

bool moves_when_suspended(const State& state, const Job& job) {
  const JobRequest& request = job.request;
  const auto* ckpt = checkpoint_of(state.configuration(), request);
  return ckpt && checkpoint_occasions(*ckpt, request).find('x') != std::string::npos;
}

void move_if_suspended(State& state, const TaskId& id) {
  const auto& task = *state.task(id);
  const auto& job = *state.job(id.job);
  if (!task.suspended || task.deleting || !moves_when_suspended(state, job)) return;
  const auto reason = text_of({AnswerCode::job_moves, {{"ckpt", job.request->checkpoint}}});
  state.edit<Task>(id, [&](Task& moving) {
    moving.deleting = true, moving.after_end = AfterEnd::moved;
    moving.reason = reason;
  });
}

} // namespace almanac::rules

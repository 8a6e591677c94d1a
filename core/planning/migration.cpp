#include "core/planning/migration.hpp"

#include "core/planning/texts.hpp"

namespace almanac::rules {

bool moves_when_suspended(const State& state, const Job& job) {
  const JobRequest& request = job.request;
  const auto& known = state.configuration().checkpoints();
  const auto found = known.find(request.checkpoint);
  if (request.checkpoint.empty() || found == known.end()) return false;
  const auto& ckpt = found->second;
  // The others are done by the system, and none of them is there.
  if (ckpt.interface != CheckpointInterface::userdefined &&
      ckpt.interface != CheckpointInterface::application_level)
    return false;
  const auto& occasions = request.checkpoint_at.empty() ? ckpt.when : request.checkpoint_at;
  return occasions.find('x') != std::string::npos;
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

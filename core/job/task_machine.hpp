// Which event takes a task from which state to which: one table, drawn in docs/pictures.md.
//
// Rules say what has happened; core/planning/transitions alone asks the table.
#pragma once

#include "core/base/describe.hpp"
#include "core/job/task.hpp"

#include <cstdint>
#include <optional>

namespace almanac {

enum class TaskEvent : std::uint8_t {
  placed,   ///< a pass has found its place
  forked,   ///< its host has started the job's process
  returned, ///< it is to be tried again: launch failed, exit status 99, its host lost it
  failed,   ///< its user has to mend something: exit status 100, no such directory
  cleared,  ///< qmod -cj
  finished, ///< it has ended for good, or is written off
  dropped   ///< it is deleted while it waits
};
template <> inline constexpr TaskEvent last_of<TaskEvent> = TaskEvent::dropped;

/// The state after the event; nothing: the event does not come in this state, or ends the task.
std::optional<TaskState> next(TaskState state, TaskEvent event);

/// Whether the task is gone after the event.
bool ends(TaskState state, TaskEvent event);

} // namespace almanac

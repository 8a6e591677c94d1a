// The sentences of arrays whose tasks start at the same time (-tcon). Part of the table in
// gridengine.cpp.
#pragma once

#include "core/answer/gridengine_row.hpp"

namespace almanac::gridengine {

inline constexpr Row rows_of_arrays[] = {
    {AnswerCode::concurrent_without_array, "-tcon y is for array jobs: there is no -t"},
    {AnswerCode::more_tasks_than_at_once,
     "its {tasks} tasks start at the same time (-tcon y), and {setting} allows {limit}"},
    {AnswerCode::concurrent_and_reserving, "-tcon y and {option} exclude each other: places are "
                                           "reserved for one task after the other"},
    {AnswerCode::concurrency_is_settled,
     "denied: -tcon of job {job} cannot be changed any more: {gone} of its {tasks} tasks have "
     "started or are deleted"},
    {AnswerCode::concurrent_tasks_are_held,
     "{held} of its {tasks} tasks are on hold or wait for other jobs, and all start at the same "
     "time (-tcon y)"},
    {AnswerCode::more_tasks_than_user_may,
     "its {tasks} tasks start at the same time (-tcon y): {running} jobs of \"{user}\" run, and "
     "{limit} may (maxujobs)"},
    {AnswerCode::some_tasks_would_fit,
     "{placed} of its {tasks} tasks would find a place now, and all start at the same time (-tcon "
     "y)"},
    {AnswerCode::one_task_was_verified,
     "verification: looked for a place of one task, not of all {tasks} at the same time (-tcon y)"},
};

} // namespace almanac::gridengine

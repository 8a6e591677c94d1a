// Who is told by mail.
#pragma once

#include "core/job/exit_record.hpp"
#include "core/planning/state.hpp"

namespace almanac::rules {

/// While the task still holds its place.
void mail(State& state, Occasion occasion, const Job& job, const Task& task,
          const ExitRecord& record = {});

/// About one that did not run; `number` 0: about all its tasks.
void mail(State& state, Occasion occasion, const Job& job, std::int64_t number,
          const ExitRecord& record);

void mail(State& state, Occasion occasion, const Reservation& reservation);
/// The note instead of what repair has noted.
void mail(State& state, Occasion occasion, const Reservation& reservation, const std::string& note);

/// To those whom administrator_mail names, whoever else hears of it.
void mail_administrators(State& state, Occasion occasion, const Reservation& reservation,
                         const std::string& note);
void mail_administrators(State& state, const Job& job, const Task& task,
                         const std::string& reason); ///< it is in error
void mail_administrators(State& state, const InstanceName& instance,
                         const std::string& reason); ///< likewise

/// To the owner, whatever the job's -m says: what a change of its reservation means for it.
void mail_change(State& state, const Job& job, const std::string& note);

} // namespace almanac::rules

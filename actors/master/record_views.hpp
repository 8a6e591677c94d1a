// Views of records (schema/door/views.hpp), made by the master, who knows the configuration.
#pragma once

#include "core/configuration/objects/complex.hpp"
#include "core/host/host_key.hpp"
#include "core/job/job.hpp"
#include "core/job/task.hpp"
#include "core/records/effect.hpp"
#include "core/records/records.hpp"
#include "core/reservation/reservation.hpp"
#include "core/reservation/series.hpp"
#include "schema/door/views.hpp"

#include <vector>

namespace almanac {

door::ShownJob view_of(const Job& job, const std::vector<TaskPtr>& tasks);
/// Without what nobody looks at but for one job: its command, its arguments, its environment.
door::ShownJob brief_view_of(const Job& job, const std::vector<TaskPtr>& tasks);
/// Amounts are printed as these complexes say; one of a resource that is no longer there as it is.
/// Who has what it lends is found among the records.
door::ReservationView view_of(const Reservation& reservation, const ComplexTable& complexes,
                              const Records& records);
/// `granted`: its occurrences that are not over.
door::SeriesView view_of(const Series& series, const std::vector<ReservationPtr>& granted);
door::ShownHost view_of(const HostState& host);
door::HostKeyView view_of(const HostKey& key);

} // namespace almanac

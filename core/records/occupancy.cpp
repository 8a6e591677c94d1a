#include "core/records/occupancy.hpp"

#include "core/records/records.hpp"

namespace almanac {

namespace {

template <class Map, class Key> auto* find_in(Map& map, const Key& key) {
  const auto it = map.find(key);
  return it == map.end() ? nullptr : &it->second;
}

// Takes one of a set of sets, and the set if it was the last.
template <class Map, class Key, class Entry>
void take_from(Map& sets, const Key& key, const Entry& entry) {
  const auto it = sets.find(key);
  if (it != sets.end() && it->second.erase(entry) > 0 && it->second.empty()) sets.erase(it);
}

template <class Number, class... Used> Number next_number(std::int64_t last, const Used&... used) {
  check(static_cast<std::int64_t>((used.size() + ...)) < highest_number,
        "there are unused numbers");
  do last = last >= highest_number ? 1 : last + 1;
  while ((used.contains(Number{last}) || ...));
  return {last};
}

// Tells an index of all records of a kind as if they came one after the other.
template <class R, class I> void tell_all(const Records& records, I& index) {
  for (const auto& record : Listing<R>(records.all<R>()))
    index.changed(static_cast<const R*>(nullptr), &record);
}

} // namespace

// ---- numbers ----------------------------------------------------------------------------------

void NumbersInUse::rebuild(const Records& records) {
  jobs_.clear(), reservations_.clear(), settled_.clear(), series_.clear();
  tell_all<Job>(records, *this), tell_all<Reservation>(records, *this);
  tell_all<SettledTransaction>(records, *this), tell_all<Series>(records, *this);
}

void NumbersInUse::changed(const Job* before, const Job* after) {
  if (!after) jobs_.erase(before->number);
  else if (!before) jobs_[after->number] = after->key;
}

void NumbersInUse::changed(const Reservation* before, const Reservation* after) {
  if (!after) reservations_.erase(before->number);
  else if (!before) reservations_[after->number] = after->key;
}

void NumbersInUse::changed(const SettledTransaction* before, const SettledTransaction* after) {
  if (after) settled_[after->number].emplace(after->order, after->transaction);
  if (!before || (after && after->order == before->order)) return;
  auto& of_number = settled_.at(before->number);
  of_number.erase({before->order, before->transaction});
  if (of_number.empty()) settled_.erase(before->number);
}

void NumbersInUse::changed(const Series* before, const Series* after) {
  if (!after) series_.erase(before->number);
  else series_.insert(after->number);
}

JobKey NumbersInUse::job(JobNumber number) const {
  const auto* key = find_in(jobs_, number);
  return key ? *key : JobKey();
}
ReservationKey NumbersInUse::reservation(ReservationNumber number) const {
  const auto* key = find_in(reservations_, number);
  return key ? *key : ReservationKey();
}
JobNumber NumbersInUse::next(JobNumber last) const {
  return next_number<JobNumber>(last.value, jobs_);
}
ReservationNumber NumbersInUse::next(ReservationNumber last) const {
  return next_number<ReservationNumber>(last.value, reservations_, settled_, series_);
}

const std::string* NumbersInUse::last_settled(ReservationNumber number) const {
  const auto* settled = find_in(settled_, number);
  return settled ? &settled->rbegin()->second : nullptr;
}

// ---- jobs of reservations, reservations on hosts ----------------------------------------------

void JobsOf::rebuild(const Records& records) {
  jobs_.clear();
  tell_all<Job>(records, *this);
}

void JobsOf::changed(const Job* before, const Job* after) {
  if (before && after && before->reservation_key == after->reservation_key) return;
  if (before && before->reservation_key) take_from(jobs_, before->reservation_key, before->key);
  if (after && after->reservation_key) jobs_[after->reservation_key].insert(after->key);
}

std::vector<JobKey> JobsOf::of(ReservationKey key) const {
  const auto* keys = find_in(jobs_, key);
  return keys ? std::vector(keys->begin(), keys->end()) : std::vector<JobKey>();
}

void ReservationsOn::rebuild(const Records& records) {
  reservations_.clear();
  tell_all<Reservation>(records, *this);
}

void ReservationsOn::changed(const Reservation* before, const Reservation* after) {
  const auto is_past = [](const Reservation* one) {
    return one->phase == ReservationPhase::expired;
  };
  if (before && after && before->shape.grants == after->shape.grants &&
      before->shape.spares == after->shape.spares && is_past(before) == is_past(after))
    return;
  const auto each_host = [](const Reservation& one, auto use) {
    for (const auto* list : {&one.shape.grants, &one.shape.spares})
      for (const auto& grant : *list) use(grant.instance.host);
  };
  if (before && !is_past(before))
    each_host(*before,
              [&](const std::string& host) { take_from(reservations_, host, before->key); });
  if (after && !is_past(after))
    each_host(*after, [&](const std::string& host) { reservations_[host].insert(after->key); });
}

std::set<ReservationKey> ReservationsOn::on(const std::string& host) const {
  const auto* keys = find_in(reservations_, host);
  return keys ? *keys : std::set<ReservationKey>();
}

void ReservedInstances::rebuild(const Records& records) {
  grants_.clear();
  tell_all<Reservation>(records, *this);
}

void ReservedInstances::changed(const Reservation* before, const Reservation* after) {
  const bool is_same = before && after && before->phase == after->phase &&
                       before->proposed.empty() && after->proposed.empty() &&
                       before->shape.grants == after->shape.grants &&
                       before->shape.spares == after->shape.spares &&
                       before->shape.bookings.empty() == after->shape.bookings.empty();
  if (is_same) return;
  if (before) count(*before, -1);
  if (after) count(*after, 1);
}

void ReservedInstances::count(const Reservation& reservation, std::int64_t sign) {
  for (const auto* shape : shapes_of(reservation))
    for (const auto& grant : shape->with_spares()) {
      const auto it = grants_.try_emplace(grant.instance).first;
      if ((it->second += sign) == 0) grants_.erase(it);
    }
}

std::vector<InstanceName> ReservedInstances::all() const {
  std::vector<InstanceName> names;
  for (const auto& [name, grants] : grants_) names.push_back(name);
  return names;
}

// ---- what is over -----------------------------------------------------------------------------

void SettledEnds::rebuild(const Records& records) {
  ends_.clear();
  tell_all<SettledTransaction>(records, *this);
}

void SettledEnds::changed(const SettledTransaction* before, const SettledTransaction* after) {
  if (before) ends_.erase({before->until, key_of(*before)});
  if (after) ends_.emplace(after->until, key_of(*after));
}

std::optional<TransactionKey> SettledEnds::overdue(Instant now) const {
  if (ends_.empty() || ends_.begin()->first > now) return std::nullopt;
  return ends_.begin()->second;
}

void PastReservations::rebuild(const Records& records) {
  ends_.clear();
  tell_all<Reservation>(records, *this);
}

void PastReservations::changed(const Reservation* before, const Reservation* after) {
  if (before && before->phase == ReservationPhase::expired)
    ends_.erase({before->shape.window.end, before->key});
  if (after && after->phase == ReservationPhase::expired)
    ends_.emplace(after->shape.window.end, after->key);
}

// ---- who waits for whom -----------------------------------------------------------------------

void Successors::rebuild(const Records& records) {
  successors_.clear(), waits_.clear(), free_.clear();
  tell_all<Job>(records, *this);
}

bool Successors::agrees(const Records& records) const {
  Successors rebuilt(records);
  rebuilt.rebuild(records);
  return successors_ == rebuilt.successors_ && waits_ == rebuilt.waits_ && free_ == rebuilt.free_;
}

void Successors::changed(const Job* before, const Job* after) {
  if (before && after && before->waits_for == after->waits_for) return;
  if (before) leave(*before);
  if (after) return enter(*after);
  const auto freed = successors_.extract(before->key);
  if (!freed.empty())
    for (const auto successor : freed.mapped())
      if (--waits_.at(successor) == 0) waits_.erase(successor), free_.insert(successor);
}

void Successors::enter(const Job& job) {
  for (const auto predecessor : job.waits_for)
    if (records_.find<Job>(predecessor))
      successors_[predecessor].insert(job.key), ++waits_[job.key];
  if (!job.waits_for.empty() && !waits_.contains(job.key)) free_.insert(job.key);
}

void Successors::leave(const Job& job) {
  free_.erase(job.key);
  waits_.erase(job.key);
  for (const auto predecessor : job.waits_for) take_from(successors_, predecessor, job.key);
}

void ArraySuccessors::rebuild(const Records& records) {
  successors_.clear();
  tell_all<Job>(records, *this);
}

void ArraySuccessors::changed(const Job* before, const Job* after) {
  if (before && after && before->waits_for_tasks == after->waits_for_tasks) return;
  if (before)
    for (const auto key : before->waits_for_tasks) take_from(successors_, key, before->key);
  if (after)
    for (const auto key : after->waits_for_tasks) successors_[key].insert(after->key);
}

std::vector<JobKey> ArraySuccessors::of(JobKey predecessor) const {
  const auto it = successors_.find(predecessor);
  if (it == successors_.end()) return {};
  return {it->second.begin(), it->second.end()};
}

// ---- tasks ------------------------------------------------------------------------------------

void TaskEnds::rebuild(const Records& records) {
  ends_.clear(), booked_.clear();
  tell_all<Task>(records, *this);
}

void TaskEnds::changed(const Task* before, const Task* after) {
  if (before && !before->bookings.empty()) {
    ends_.erase({before->booked.end, before->id()});
    if (--booked_.at(before->job) == 0) booked_.erase(before->job);
  }
  if (!after || after->bookings.empty()) return;
  ++booked_[after->job];
  if (!after->booked.end.is_never()) ends_.insert({after->booked.end, after->id()});
}

std::optional<TaskId> TaskEnds::overdue(Instant now) const {
  if (ends_.empty() || ends_.begin()->first > now) return std::nullopt;
  return ends_.begin()->second;
}

std::vector<JobKey> TaskEnds::jobs() const {
  std::vector<JobKey> keys;
  for (const auto& [key, tasks] : booked_) keys.push_back(key);
  return keys;
}

// ---- holds, users -----------------------------------------------------------------------------

void JobsWithHolds::rebuild(const Records& records) {
  keys_.clear();
  tell_all<Job>(records, *this);
}

void JobsWithHolds::changed(const Job* before, const Job* after) {
  if (after && !after->holds.empty()) keys_.insert(after->key);
  else keys_.erase((before ? before : after)->key);
}

void TroubledReservations::rebuild(const Records& records) {
  keys_.clear();
  tell_all<Reservation>(records, *this);
}

void TroubledReservations::changed(const Reservation* before, const Reservation* after) {
  const bool is_troubled = after && !after->is_over() && !after->request.maintenance &&
                           !(after->bad.empty() && after->original.empty() && after->note.empty() &&
                             after->left_behind.empty() && after->request.spare == 0);
  if (is_troubled) keys_.insert(after->key);
  else keys_.erase((before ? before : after)->key);
}

void RunningTasks::rebuild(const Records& records) {
  tasks_.clear();
  tell_all<Task>(records, *this);
}

bool RunningTasks::agrees(const Records& records) const {
  RunningTasks rebuilt(records);
  rebuilt.rebuild(records);
  return tasks_ == rebuilt.tasks_;
}

void RunningTasks::changed(const Task* before, const Task* after) {
  if (before && after && before->is_active() == after->is_active()) return;
  if (before) count(*before, -1);
  if (after) count(*after, 1);
}

void RunningTasks::count(const Task& task, std::int64_t sign) {
  const auto* job = records_.find<Job>(task.job);
  if (!job || !task.is_active()) return;
  const auto it = tasks_.emplace(job->owner.user, 0).first;
  if ((it->second += sign) == 0) tasks_.erase(it);
}

std::int64_t RunningTasks::of(const std::string& user) const {
  const auto* tasks = find_in(tasks_, user);
  return tasks ? *tasks : 0;
}

} // namespace almanac

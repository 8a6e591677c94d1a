#include "core/planning/state.hpp"

#include "core/base/fingerprint.hpp"
#include "core/base/wide.hpp"
#include "core/matching/demand.hpp"
#include "core/matching/host_load.hpp"
#include "core/matching/instance_condition.hpp"

#include <algorithm>
#include <atomic>
#include <limits>

namespace almanac {

namespace {

constexpr std::int64_t highest_number = 9'999'999;

template <class Map, class Key> auto* find_in(Map& map, const Key& key) {
  const auto it = map.find(key);
  return it == map.end() ? nullptr : &it->second;
}

// What a reservation keeps booked: its window, and beyond it while tasks of it are still there.
Window booked_window(const Reservation& reservation) {
  if (reservation.is_ending()) return {reservation.shape.window.start, Instant::never()};
  return reservation.shape.window;
}

void book_in(Ledger& ledger, const Reservation& reservation) {
  if (reservation.phase != ReservationPhase::proposed)
    ledger.book(reservation.shape.bookings, booked_window(reservation));
  for (const auto& proposal : reservation.proposed)
    ledger.book(proposal.shape.bookings, proposal.shape.window);
}

void release_in(Ledger& ledger, const Reservation& reservation) {
  if (reservation.phase != ReservationPhase::proposed)
    ledger.release(reservation.shape.bookings, booked_window(reservation));
  for (const auto& proposal : reservation.proposed)
    ledger.release(proposal.shape.bookings, proposal.shape.window);
}

// Reservations and holds count with different lengths of it.
bool needs_two_lengths(const JobRequest& request) {
  return asked_length(request) != sure_length(request);
}

// The next number after the last one that nobody has.
template <class Number, class Key>
Number next_number(std::int64_t last, const std::map<Number, Key>& used) {
  check(static_cast<std::int64_t>(used.size()) < highest_number, "there are unused numbers");
  do last = last >= highest_number ? 1 : last + 1;
  while (used.contains(Number{last}));
  return {last};
}

} // namespace

Window firm_window(const Task& task) {
  const bool ends =
      task.booked == Window{} || (!task.limit.is_endless() && task.booked.length() >= task.limit);
  return {task.booked.start, ends ? task.booked.end : Instant::never()};
}

Result<State> State::restore(Records records) {
  if (auto sound = valid(records.counters); !sound) return sound.error();
  State state;
  auto configuration = Configuration::restore(records.objects);
  if (!configuration) return configuration.error();
  state.configuration = std::move(*configuration);
  state.counters_ = records.counters;
  for (const auto& host : records.hosts) state.hosts_[host.name] = host;
  for (const auto& instance : records.instances) state.instances_[instance.name] = instance;
  for (const auto& key : records.keys) state.host_keys_[key.host] = key;
  state.rebuild_instance_order();
  for (const auto& reservation : records.reservations) {
    state.reservations_[reservation.key] = reservation;
    state.reservation_numbers_[reservation.number] = reservation.key;
    state.book(reservation);
  }
  for (auto& record : records.jobs) {
    const auto job = std::make_shared<const Job>(std::move(record));
    state.jobs_[job->key] = job;
    state.job_numbers_[job->number] = job->key;
    state.resume(job->holds);
  }
  for (auto& task : records.tasks) state.put(std::move(task));
  state.changed_tasks_.clear(), state.touched_jobs_.clear();
  for (const auto& [key, job] : state.jobs_) state.index(*job);
  state.split_ledgers();
  state.restarted({});
  return state;
}

const Job* State::job(JobKey key) const {
  const auto* job = find_in(jobs_, key);
  return job ? job->get() : nullptr;
}
const Job* State::job_by_number(JobNumber number) const {
  const auto* key = find_in(job_numbers_, number);
  return key ? job(*key) : nullptr;
}
const Task* State::task(const TaskId& id) const {
  const auto* task = find_in(tasks_, id);
  return task ? task->get() : nullptr;
}
TaskList State::tasks_of(JobKey key) const {
  constexpr auto last = std::numeric_limits<std::int64_t>::max();
  return {tasks_.lower_bound({key, 0}), tasks_.upper_bound({key, last})};
}
WholeJob State::whole(const Job& job) const {
  WholeJob whole{job, {}};
  for (const auto& task : tasks_of(job.key)) whole.tasks.push_back(task);
  return whole;
}
const Reservation* State::reservation(ReservationKey key) const {
  return find_in(reservations_, key);
}
const Reservation* State::reservation_by_number(ReservationNumber number) const {
  const auto* key = find_in(reservation_numbers_, number);
  return key ? reservation(*key) : nullptr;
}

const HostState& State::host(const std::string& name) const {
  static const HostState none;
  const auto* host = find_in(hosts_, name);
  return host ? *host : none;
}
const InstanceState& State::instance(const InstanceName& name) const {
  static const InstanceState none;
  const auto* instance = find_in(instances_, name);
  return instance ? *instance : none;
}

const HostKey& State::host_key(const std::string& host) const {
  static const HostKey none;
  const auto* key = find_in(host_keys_, host);
  return key ? *key : none;
}

Job& State::add_job() {
  counters_changed_ = true;
  const JobKey key{next_key()};
  counters_.last_key = key.value;
  auto job = std::make_shared<Job>();
  job->key = key;
  job->number = next_number(counters_.last_job_number, job_numbers_);
  counters_.last_job_number = job->number.value;
  job_numbers_[job->number] = key;
  touch(key);
  jobs_[key] = job;
  return *job;
}

void State::skip_keys(std::int64_t highest) {
  // A host may say anything, and say it again and again.
  const auto skipped = highest - counters_.last_key;
  if (skipped <= 0 || skipped > believable_loss - counters_.skipped) return;
  counters_.skipped += skipped;
  counters_changed_ = true;
  if (counters_.lost_from == 0) counters_.lost_from = next_key();
  counters_.lost_to = counters_.last_key = highest;
  // Each job has a key: no more numbers than that were given, either.
  if (counters_.last_job_number + skipped <= highest_number) counters_.last_job_number += skipped;
}

void State::believe_anew() {
  counters_changed_ = counters_changed_ || counters_.skipped != 0;
  counters_.skipped = 0;
}

Reservation& State::add_reservation() {
  counters_changed_ = true;
  const ReservationKey key{next_key()};
  counters_.last_key = key.value;
  auto& reservation = reservations_[key];
  reservation.key = key;
  reservation.number = next_number(counters_.last_reservation_number, reservation_numbers_);
  counters_.last_reservation_number = reservation.number.value;
  reservation_numbers_[reservation.number] = key;
  changed_reservations_.insert(key);
  return reservation;
}

void State::touch(JobKey key) {
  changed_jobs_.insert(key);
  touched_jobs_.insert(key);
}

Job& State::edit_job(JobKey key) {
  touch(key);
  auto* job = find_in(jobs_, key);
  check(job != nullptr, "a job that is edited exists");
  if (job->use_count() > 1) {
    before_.push_back(*job);
    *job = std::make_shared<Job>(**job);
  }
  // Whoever let go of it has read what they read before we write.
  std::atomic_thread_fence(std::memory_order_acquire);
  return const_cast<Job&>(**job); // made as a Job, and nobody else has it
}
void State::put(TaskPtr task) {
  auto& known = tasks_[task->id()];
  changed(known.get(), task.get());
  if (known) before_.push_back(known);
  known = std::move(task);
}

void State::erase(const TaskId& id) {
  auto gone = tasks_.extract(id);
  changed(gone.mapped().get(), nullptr);
  before_.push_back(std::move(gone.mapped()));
}

void State::changed(const Task* before, const Task* after) {
  const auto key = (before ? before : after)->job;
  changed_tasks_.insert((before ? before : after)->id());
  touched_jobs_.insert(key);
  tallies_.changed(before, after);
  if (before && after && before->bookings == after->bookings && before->booked == after->booked &&
      before->grants == after->grants && before->limit == after->limit)
    return;
  const auto within = jobs_.at(key)->reservation_key;
  if (before) release(*before, within);
  if (after) book(*after, within);
}

Reservation& State::edit_reservation(ReservationKey key) {
  changed_reservations_.insert(key);
  auto* reservation = find_in(reservations_, key);
  check(reservation != nullptr, "a reservation that is edited exists");
  return *reservation;
}
HostState& State::edit_host(const std::string& name) {
  changed_hosts_.insert(name);
  healthy_.clear();
  auto& host = hosts_[name];
  host.name = name;
  if (const auto index = configuration.host_index(name)) {
    stale_places_.insert(*index);
    host_states_[*index] = &host;
  }
  return host;
}
HostKey& State::edit_host_key(const std::string& host) {
  changed_keys_.insert(host);
  auto& key = host_keys_[host];
  key.host = host;
  return key;
}
InstanceState& State::edit_instance(const InstanceName& name) {
  changed_instances_.insert(name);
  healthy_.clear();
  auto& instance = instances_[name];
  instance.name = name;
  if (const auto* known = configuration.instance(name))
    instance_states_[position_of(configuration, *known)] = &instance;
  return instance;
}

void State::erase_job(JobKey key) {
  const auto& job = *jobs_.at(key);
  check(tally(key).active == 0, "a job that is erased holds nothing");
  for (auto it = tasks_.lower_bound({key, 0}); it != tasks_.end() && it->first.job == key;)
    erase(std::exchange(it, std::next(it))->first);
  for (const auto& hold : job.holds) give_up(hold);
  job_numbers_.erase(job.number);
  forget_waits(job);
  if (auto* others = find_in(reservation_jobs_, job.reservation_key))
    if (others->erase(key) > 0 && others->empty()) reservation_jobs_.erase(job.reservation_key);
  before_.push_back(jobs_.at(key));
  jobs_.erase(key);
  touch(key);
}

void State::erase_reservation(ReservationKey key) {
  release(reservations_.at(key));
  want_repair(); // others may need what it held
  reservation_numbers_.erase(reservations_.at(key).number);
  reservations_.erase(key);
  private_ledgers_.erase(key);
  changed_reservations_.insert(key);
}

void State::replace_configuration(Configuration::Changed changed) {
  configuration = std::move(changed.configuration);
  for (auto& object : changed.stored) other_effects_.push_back(std::move(object));
  reindex_all_ = true;
  next_turn_ = {};
  closures_.forget();
  split_ledgers();
  rebuild_instance_order();
  for (const auto& object : changed.erased)
    other_effects_.push_back(ObjectErased{object.kind, object.name});
}

void State::account(AccountingRecord record) {
  counters_changed_ = true;
  record.sequence = ++counters_.last_accounting;
  other_effects_.push_back(std::move(record));
}

void State::send(Letter letter) {
  counters_changed_ = true;
  letter.sequence = ++counters_.last_letter;
  other_effects_.push_back(std::move(letter));
}

void State::switch_passes(bool off) {
  counters_changed_ = counters_changed_ || counters_.passes_off != off;
  counters_.passes_off = off;
}

// Of a job that goes: it waits no more, and nobody waits for it.
void State::forget_waits(const Job& job) {
  free_.erase(job.key);
  waits_.erase(job.key);
  for (const auto predecessor : job.waits_for)
    if (auto* others = find_in(successors_, predecessor))
      if (others->erase(job.key) > 0 && others->empty()) successors_.erase(predecessor);
  const auto freed = successors_.extract(job.key);
  if (!freed.empty())
    for (const auto successor : freed.mapped())
      if (--waits_.at(successor) == 0) waits_.erase(successor), free_.insert(successor);
}
JobKey State::waits_for_nobody() const { return free_.empty() ? JobKey{} : *free_.begin(); }
void State::stop_waiting(JobKey key) {
  edit_job(key).waits_for.clear();
  free_.erase(key);
}

void State::index(const Job& job) {
  for (const auto predecessor : job.waits_for)
    if (jobs_.contains(predecessor)) successors_[predecessor].insert(job.key), ++waits_[job.key];
  if (!job.waits_for.empty() && !waits_.contains(job.key)) free_.insert(job.key);
  if (job.reservation_key) reservation_jobs_[job.reservation_key].insert(job.key);
}

std::vector<JobKey> State::jobs_of(ReservationKey reservation_key) const {
  const auto* keys = find_in(reservation_jobs_, reservation_key);
  return keys ? std::vector(keys->begin(), keys->end()) : std::vector<JobKey>();
}

std::vector<JobKey> State::jobs_with_bookings() const {
  std::vector<JobKey> keys;
  for (const auto& [key, tasks] : booked_tasks_) keys.push_back(key);
  return keys;
}

const Ledger& State::ledger_of(ReservationKey reservation_key) const {
  static const Ledger nothing_booked;
  const auto* ledger = find_in(private_ledgers_, reservation_key);
  return ledger ? *ledger : nothing_booked;
}

Ledger& State::ledger_for(ReservationKey within) {
  return within ? private_ledgers_[within] : ledger_;
}

// Only those of instances that are there: with the configuration all is counted anew.
void State::count_slots(const std::vector<Booking>& bookings, Window window, std::int64_t sign) {
  std::int64_t slots = 0;
  for (const auto& booking : bookings)
    if (booking.resource == "slots" && booking.container.kind == Container::Kind::queue &&
        configuration.instance(booking.container.name))
      slots += booking.amount;
  if (slots == 0) return;
  if (sign > 0) all_slots_.add(window, slots);
  else all_slots_.remove(window, slots);
}

void State::count_slots(const Reservation& reservation, std::int64_t sign) {
  if (reservation.phase != ReservationPhase::proposed)
    count_slots(reservation.shape.bookings, booked_window(reservation), sign);
  for (const auto& proposal : reservation.proposed)
    count_slots(proposal.shape.bookings, proposal.shape.window, sign);
}

void State::rebuild_all_slots() {
  all_slots_ = {};
  for (const auto& [key, reservation] : reservations_) count_slots(reservation, 1);
  for (const auto& [key, job] : jobs_) {
    for (const auto& hold : job->holds) count_slots(hold.bookings, hold.window, 1);
    if (job->reservation_key) continue;
    for (const auto& task : tasks_of(key)) count_slots(task.bookings, task.booked, 1);
  }
}

void State::book(const Task& task, ReservationKey within) {
  ledger_for(within).book(task.bookings, task.booked);
  if (!task.bookings.empty()) ++booked_tasks_[task.job];
  if (!task.bookings.empty() && !task.booked.end.is_never())
    ends_.insert({task.booked.end, task.id()});
  note_start(task, true);
  if (within) return;
  if (firm_) firm_->book(task.bookings, firm_window(task));
  count_slots(task.bookings, task.booked, 1);
  if (!task.bookings.empty()) instance_order_.take(configuration, task.grants, 1);
}

void State::unbook(const Task& task, ReservationKey within) {
  ledger_for(within).release(task.bookings, task.booked);
  if (!task.bookings.empty() && --booked_tasks_.at(task.job) == 0) booked_tasks_.erase(task.job);
  ends_.erase({task.booked.end, task.id()});
  note_start(task, false);
  if (within) return;
  if (firm_) firm_->release(task.bookings, firm_window(task));
  count_slots(task.bookings, task.booked, -1);
  if (!task.bookings.empty()) instance_order_.take(configuration, task.grants, -1);
}

void State::release(const Task& task, ReservationKey within) {
  unbook(task, within);
  if (!task.bookings.empty()) waiting_.note_early_end(task.booked.end);
}

std::optional<TaskId> State::overdue(Instant now) const {
  if (ends_.empty() || ends_.begin()->first > now) return std::nullopt;
  return ends_.begin()->second;
}

void State::note_start(const Task& task, bool is_there) {
  const QueueInstance* before = nullptr;
  for (const auto& grant : task.grants) {
    const auto* instance = configuration.instance(grant.instance);
    if (!instance || (before && before->host_index == instance->host_index)) continue;
    before = instance;
    auto& starts = starts_[instance->host_index];
    if (is_there) starts.insert({task.booked.start, task.id()});
    else starts.erase({task.booked.start, task.id()});
    stale_places_.insert(instance->host_index);
  }
}

std::int64_t State::started_lately(std::size_t host_index, Instant now) const {
  const auto decay = configuration.scheduler().load_decay;
  std::int64_t sum = 0;
  const auto& starts = starts_[host_index];
  for (auto it = starts.rbegin(); it != starts.rend() && it->first + decay > now; ++it)
    sum += (it->first + decay - now).seconds * fixed_point::unit / decay.seconds;
  return sum;
}

std::set<TaskId> State::tasks_on(const std::string& host) const {
  std::set<TaskId> found;
  if (const auto index = configuration.host_index(host))
    for (const auto& [start, task] : starts_[*index]) found.insert(task);
  return found;
}

void State::note_place(const Reservation& reservation, bool is_there) {
  for (const auto& grant : reservation.shape.grants) {
    const auto host = grant.instance.host;
    auto& keys = reserved_on_[host];
    if (is_there) keys.insert(reservation.key);
    else keys.erase(reservation.key);
    if (keys.empty()) reserved_on_.erase(host);
  }
}

std::set<ReservationKey> State::reserved_on(const std::string& host) const {
  const auto it = reserved_on_.find(host);
  return it == reserved_on_.end() ? std::set<ReservationKey>() : it->second;
}

void State::refresh_order(Instant now) {
  const auto& scheduler = configuration.scheduler();
  const auto& instances = configuration.instances();
  if (!all_places_stale_ && stale_places_.empty()) return;
  const auto place = [&](std::size_t position) {
    const auto load = host_load(*this, instances[position], now)
                          .value_or(std::numeric_limits<std::int64_t>::max());
    const auto seq_no = instances[position].settings.seq_no;
    instance_order_.place(position, scheduler.load_before_seq_no ? load : seq_no,
                          scheduler.load_before_seq_no ? seq_no : load);
  };
  if (all_places_stale_) {
    for (std::size_t position = 0; position < instances.size(); ++position) place(position);
  } else
    for (const auto host : stale_places_)
      for (const auto position : instance_order_.on_host(host)) place(position);
  all_places_stale_ = false;
  stale_places_.clear();
}

void State::suspend(const Hold& hold) {
  ledger_.release(hold.bookings, hold.window);
  count_slots(hold.bookings, hold.window, -1);
}
void State::resume(const Hold& hold) {
  ledger_.book(hold.bookings, hold.window);
  count_slots(hold.bookings, hold.window, 1);
}

void State::suspend(const std::vector<Hold>& holds) {
  for (const auto& hold : holds) suspend(hold);
}
void State::resume(const std::vector<Hold>& holds) {
  for (const auto& hold : holds) resume(hold);
}

void State::set_aside(const Job& job) {
  aside_ = job.key;
  suspend(job.holds);
}
void State::put_back(const Job& job) {
  aside_ = {};
  resume(job.holds);
}

void State::hold(JobKey job_key, Hold hold) {
  resume(hold);
  auto holds = edit_job(job_key).holds;
  holds.push_back(std::move(hold));
  set_holds(job_key, std::move(holds));
}

void State::set_holds(JobKey job_key, std::vector<Hold> holds) {
  std::stable_sort(holds.begin(), holds.end(),
                   [](const Hold& a, const Hold& b) { return a.window.start < b.window.start; });
  edit_job(job_key).holds = std::move(holds);
}

void State::keep_holds(JobKey job_key, std::size_t count) {
  auto& holds = edit_job(job_key).holds;
  for (; holds.size() > count; holds.pop_back()) give_up(holds.back());
}

// Others may have it now.
void State::give_up(const Hold& hold) {
  suspend(hold);
  waiting_.note_early_end(hold.window.end);
}

// Where jobs without a limit are taken for endless by reservations and for shorter by holds, one
// ledger is not enough.
void State::split_ledgers() {
  const bool split = !configuration.scheduler().default_duration.is_endless() ||
                     std::any_of(jobs_.begin(), jobs_.end(), [](const auto& entry) {
                       return needs_two_lengths(entry.second->request);
                     });
  if (split == firm_.has_value()) return;
  if (split) return fill_firm_ledgers();
  firm_.reset(), reserved_.reset();
  capacity_indexes_.clear();
}

void State::expect(const JobRequest& request) {
  if (!firm_ && needs_two_lengths(request)) fill_firm_ledgers();
}

void State::fill_firm_ledgers() {
  capacity_indexes_.clear(); // they point into what is there
  firm_.emplace(), reserved_.emplace();
  for (const auto& [key, reservation] : reservations_)
    book_in(*firm_, reservation), book_in(*reserved_, reservation);
  for (const auto& [key, job] : jobs_)
    if (!job->reservation_key)
      for (const auto& task : tasks_of(key)) firm_->book(task.bookings, firm_window(task));
}

void State::rebuild_instance_order() {
  healthy_.clear(), capacity_indexes_.clear();
  instance_order_.rebuild(configuration);
  host_states_.assign(configuration.instance_hosts(), nullptr);
  instance_states_.clear();
  for (const auto& instance : configuration.instances()) {
    host_states_[instance.host_index] = &host(instance.name.host);
    instance_states_.push_back(&this->instance(instance.name));
  }
  rebuild_all_slots();
  starts_.assign(configuration.instance_hosts(), {});
  all_places_stale_ = true;
  for (const auto& task : tasks()) {
    note_start(task, true);
    if (!jobs_.at(task.job)->reservation_key) instance_order_.take(configuration, task.grants, 1);
  }
}

const std::vector<char>& State::healthy() const {
  if (healthy_.empty())
    for (const auto& instance : configuration.instances())
      healthy_.push_back(reserved_instance_trouble(*this, instance.name) ? 0 : 1);
  return healthy_;
}

const CapacityIndex& State::capacity_index(const Resource& resource) const {
  const auto it = capacity_indexes_.find(resource);
  if (it != capacity_indexes_.end()) return it->second;
  return capacity_indexes_
      .emplace(resource,
               CapacityIndex(configuration, resource, ledger_, firm_ledger(), reserved_ledger()))
      .first->second;
}

void State::reindex(JobKey job_key, Instant now) {
  waiting_.refresh(configuration, job_key, job(job_key), tally(job_key), now);
}

void State::restarted(Instant now, TimeZone zone) {
  closures_.set_zone(std::move(zone));
  next_turn_ = {};
  all_places_stale_ = repair_wanted_ = true;
  waiting_ = Waiting();
  for (const auto& [key, job] : jobs_) reindex(key, now);
  waiting_.disturb();
  waiting_.unsettle("");
}

void State::book(const Reservation& reservation) {
  book_in(ledger_, reservation);
  if (firm_) book_in(*firm_, reservation), book_in(*reserved_, reservation);
  count_slots(reservation, 1);
  note_place(reservation, true);
}
void State::release(const Reservation& reservation) {
  release_in(ledger_, reservation);
  if (firm_) release_in(*firm_, reservation), release_in(*reserved_, reservation);
  count_slots(reservation, -1);
  note_place(reservation, false);
  waiting_.note_early_end(booked_window(reservation).end);
}

std::vector<Effect> State::take_effects(Instant now) {
  // What is held for tasks goes when they wait no more.
  for (const auto key : touched_jobs_)
    if (const auto* job = this->job(key); job && !job->holds.empty()) {
      const auto wanted = is_eligible(*job, tally(key))
                              ? next_waiting(*job, tally(key), job->holds.size()).size()
                              : std::size_t{0};
      if (wanted < job->holds.size()) keep_holds(key, wanted);
    }
  if (reindex_all_) {
    waiting_.forget_class_requests();
    waiting_.forget_urgencies();
    for (const auto& [key, job] : jobs_) reindex(key, now);
    reindex_all_ = false;
  }
  for (const auto key : touched_jobs_) reindex(key, now);
  std::vector<Effect> effects = std::move(other_effects_);
  other_effects_.clear();
  for (auto& effect : effects)
    if (auto* letter = std::get_if<Letter>(&effect)) letter->at = now;
  for (const auto& name : changed_hosts_) effects.push_back(hosts_.at(name));
  for (const auto& name : changed_instances_) effects.push_back(instances_.at(name));
  for (const auto& name : changed_keys_) effects.push_back(host_keys_.at(name));
  for (const auto key : changed_reservations_) {
    if (const auto* reservation = this->reservation(key))
      effects.push_back(std::make_shared<const Reservation>(*reservation));
    else effects.push_back(ReservationErased{key});
  }
  for (const auto key : changed_jobs_) {
    if (const auto* job = find_in(jobs_, key)) effects.push_back(*job);
    else effects.push_back(JobErased{key});
  }
  for (const auto& id : changed_tasks_) {
    if (const auto* task = find_in(tasks_, id)) effects.push_back(*task);
    else effects.push_back(TaskErased{id});
  }
  if (counters_changed_) effects.push_back(counters_);
  changed_hosts_.clear(), changed_instances_.clear(), changed_keys_.clear(),
      changed_reservations_.clear(), changed_jobs_.clear(), touched_jobs_.clear(),
      changed_tasks_.clear();
  counters_changed_ = false;
  before_.clear();
  rewriting_ = {};
  return effects;
}

std::uint64_t State::digest() const {
  Fingerprint digest;
  auto all = records_but_jobs();
  digest.add_field(all.objects);
  digest.add_field(all.hosts);
  digest.add_field(all.instances);
  digest.add_field(all.keys);
  digest.add_field(all.reservations);
  digest.add_number(jobs_.size());
  for (const auto& [key, job] : jobs_) digest.add_field(const_cast<Job&>(*job)); // reads only
  digest.add_number(tasks_.size());
  for (const auto& [id, task] : tasks_) digest.add_field(const_cast<Task&>(*task));
  digest.add_field(all.counters);
  return digest.value();
}

Records State::records() const {
  auto records = records_but_jobs();
  for (const auto& [key, job] : jobs_) records.jobs.push_back(*job);
  for (const auto& task : tasks()) records.tasks.push_back(task);
  return records;
}

Records State::records_but_jobs() const {
  Records records;
  records.objects = configuration.objects();
  for (const auto& [name, host] : hosts_) records.hosts.push_back(host);
  for (const auto& [name, instance] : instances_) records.instances.push_back(instance);
  for (const auto& [host, key] : host_keys_) records.keys.push_back(key);
  for (const auto& [key, reservation] : reservations_) records.reservations.push_back(reservation);
  records.counters = counters_;
  return records;
}

} // namespace almanac

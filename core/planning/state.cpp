#include "core/planning/state.hpp"

#include "core/matching/host_load.hpp"
#include "core/planning/job_reports.hpp"
#include "core/planning/loans.hpp"
#include "core/planning/place_reports.hpp"
#include "core/records/idle_watch.hpp"
#include "core/reservation/reports.hpp"

#include <algorithm>
#include <limits>

namespace almanac {

namespace {

// What is given back lies open for others: whoever has a hold looks again.
class EarlyEnds : public Index {
public:
  explicit EarlyEnds(Waiting& waiting) : waiting_(waiting) {}

  using Index::changed;
  void rebuild(const Records&) override {}
  bool agrees(const Records&) const override { return true; }
  void changed(const Task* before, const Task* after) override {
    if (!before || before->bookings.empty()) return;
    if (after && after->bookings == before->bookings && after->booked == before->booked) return;
    waiting_.note_early_end(before->booked.end);
  }
  void changed(const Reservation* before, const Reservation* after) override {
    if (before && !(after && books_the_same(*before, *after)))
      waiting_.note_early_end(booked_until(*before));
  }

private:
  Waiting& waiting_;
};

// Jobs of which something has changed since the effects were taken.
class Touched : public Index {
public:
  using Index::changed;
  void rebuild(const Records&) override {}
  bool agrees(const Records&) const override { return true; }
  void changed(const Job* before, const Job* after) override {
    jobs.insert((before ? before : after)->key);
  }
  void changed(const Task* before, const Task* after) override {
    jobs.insert((before ? before : after)->job);
  }

  std::set<JobKey> jobs;
};

// Hosts of which something has changed that queues below others depend on.
class Ranked : public Index {
public:
  explicit Ranked(const Records& records) : records_(records) {}

  using Index::changed;
  void rebuild(const Records&) override { all_hosts = true; }
  bool agrees(const Records&) const override { return true; }
  void reconfigured(const Records&, ChangedKinds kinds) override {
    all_hosts = all_hosts || kinds.may_change_instances();
  }
  void changed(const Task* before, const Task* after) override {
    if (records_.configuration().subordinating().empty()) return;
    for (const auto* task : {before, after})
      if (task)
        for (const auto& grant : task->grants) hosts.insert(grant.instance.host);
  }
  void changed(const InstanceState* before, const InstanceState* after) override {
    if (records_.configuration().subordinating().empty()) return;
    hosts.insert((before ? before : after)->name.host);
  }

  std::set<std::string> hosts;
  bool all_hosts = true;

private:
  const Records& records_;
};

// Hosts that a task has left. Only while somebody goes by how long they are idle: LongestIdleTime
// of sched_conf, and idleTime of reservable.ad.
class LeftHosts : public Index {
public:
  explicit LeftHosts(const Records& records) : records_(records) {}

  using Index::changed;
  void rebuild(const Records&) override { hosts.clear(); }
  bool agrees(const Records&) const override { return true; }
  void changed(const Task* before, const Task* after) override {
    if (!before || (after && after->grants == before->grants)) return;
    if (!records_.configuration().scheduler().plus.sorts &&
        !records_.find<SiteFile>("reservable.ad"))
      return;
    for (const auto& grant : before->grants) hosts.insert(grant.instance.host);
  }

  std::set<std::string> hosts;

private:
  const Records& records_;
};

// What the reporting file is to be told of each change, in the order in which they came.
class ReportsToCome : public Index {
public:
  using Index::changed;
  void rebuild(const Records&) override {}
  bool agrees(const Records&) const override { return true; }
  void changed(const Reservation* before, const Reservation* after) override {
    for (auto& report : reports_of(before, after)) found.push_back(std::move(report));
  }

  std::vector<ReportingRecord> found;
};

} // namespace

struct State::Parts {
  Parts() {
    cluster.records.follow(priorities);
    cluster.records.follow(early_ends);
    cluster.records.follow(touched);
    cluster.records.follow(idle);
    cluster.records.follow(reports);
    cluster.records.follow(job_reports);
    cluster.records.follow(place_reports);
    cluster.records.follow(ranked);
    cluster.records.follow(left);
  }

  Cluster cluster;
  PriorityTally priorities{cluster.records};
  Waiting waiting;
  EarlyEnds early_ends{waiting};
  Touched touched;
  IdleWatch idle{cluster.records};
  std::string master_host;
  ReportsToCome reports;
  JobReports job_reports{cluster.records, master_host};
  PlaceReports place_reports{cluster.records};
  Ranked ranked{cluster.records};
  LeftHosts left{cluster.records};
  Rewriting rewriting;
  Instant next_turn;
  bool repair_wanted = true;
  bool reindex_all = false; ///< who waits is to be looked at anew, whatever was touched
};

State::State() : State(std::make_unique<Parts>()) {}
State::State(std::unique_ptr<Parts> parts) : Snapshot(parts->cluster), parts_(std::move(parts)) {}
State::State(State&&) noexcept = default;
State& State::operator=(State&&) noexcept = default;
State::~State() = default;

Result<State> State::restore(RecordSet records) {
  State state;
  if (auto restored = state.own_records().restore(std::move(records)); !restored)
    return restored.error();
  state.restarted({});
  return state;
}

Records& State::own_records() { return parts_->cluster.records; }

void State::append(AccountingRecord record) {
  own_records().edit_counters([&](Counters& c) { record.sequence = ++c.last_accounting; });
  own_records().append(std::move(record));
}
void State::append(Letter letter) {
  own_records().edit_counters([&](Counters& c) { letter.sequence = ++c.last_letter; });
  own_records().append(std::move(letter));
}
void State::append(ReportingRecord record) {
  own_records().edit_counters([&](Counters& c) { record.sequence = ++c.last_report; });
  own_records().append(std::move(record));
}

std::int64_t State::append(HookCall call) {
  own_records().edit_counters([&](Counters& c) { call.sequence = ++c.last_hook; });
  const auto sequence = call.sequence;
  own_records().append(std::move(call));
  return sequence;
}

void State::reconfigure(Configuration::Changed changed) {
  const auto before = configuration().global().max_aj_instances;
  const bool sorted = configuration().scheduler().plus.sorts;
  own_records().reconfigure(std::move(changed));
  // Nothing else of the configuration says which jobs of a class may be placed.
  if (configuration().global().max_aj_instances != before) parts_->reindex_all = true;
  if (configuration().scheduler().plus.sorts != sorted) waiting().next_sweep = {};
  forget_class_requests();
  parts_->next_turn = {};
  parts_->cluster.forget_places();
}

// ---- what reservations lend -----------------------------------------------------------------------

void State::follow_loans(const Reservation& changed) {
  if (!changed.lent.empty()) follow_loans_of(changed.key);
  if (!changed.request.room_of.empty()) end_loans(changed.request.room_of);
}

void State::end_loans(const std::vector<ReservationNumber>& lenders) {
  for (const auto number : lenders)
    if (const auto* lender = reservation_by_number(number); lender && !lender->lent.empty())
      follow_loans_of(lender->key);
}

void State::follow_loans_of(ReservationKey lender) {
  auto kept = rules::kept_loans(*this, *reservation(lender));
  if (kept != reservation(lender)->lent)
    own_records().edit<Reservation>(lender,
                                    [&](Reservation& changed) { changed.lent = std::move(kept); });
}

// ---- keys and numbers ---------------------------------------------------------------------------

void State::name(Job& job) {
  own_records().edit_counters([&](Counters& counters) {
    job.key = {++counters.last_key};
    job.number = occupancy().numbers.next(JobNumber{counters.last_job_number});
    counters.last_job_number = job.number.value;
  });
}

void State::name(Reservation& reservation) {
  own_records().edit_counters([&](Counters& counters) {
    reservation.key = {++counters.last_key};
    reservation.number =
        occupancy().numbers.next(ReservationNumber{counters.last_reservation_number});
    counters.last_reservation_number = reservation.number.value;
  });
}

void State::name(Series& series) {
  own_records().edit_counters([&](Counters& counters) {
    series.order = ++counters.last_key;
    series.number = occupancy().numbers.next(ReservationNumber{counters.last_reservation_number});
    counters.last_reservation_number = series.number.value;
  });
}

void State::name(SettledTransaction& settled) {
  own_records().edit_counters([&](Counters& counters) { settled.order = ++counters.last_settled; });
}

void State::take_back(ReservationKey key, const Counters& before) {
  const auto number = reservation(key)->number;
  erase<Reservation>(key);
  std::erase_if(parts_->reports.found, [&](const auto& report) { return report.number == number; });
  own_records().edit_counters([&](Counters& counters) { counters = before; });
}

void State::skip_keys(std::int64_t highest) {
  // A host may say anything, and say it again and again.
  const auto skipped = highest - counters().last_key;
  if (skipped <= 0 || skipped > believable_loss - counters().skipped) return;
  own_records().edit_counters([&](Counters& c) {
    c.skipped += skipped;
    if (c.lost_from == 0) c.lost_from = c.last_key + 1;
    c.lost_to = c.last_key = highest;
    // Each job has a key: no more numbers than that were given, either.
    if (c.last_job_number + skipped <= highest_number) c.last_job_number += skipped;
  });
}

void State::believe_anew() {
  if (counters().skipped != 0) own_records().edit_counters([](Counters& c) { c.skipped = 0; });
}

void State::switch_passes(bool off) {
  if (counters().passes_off != off)
    own_records().edit_counters([&](Counters& c) {
      c.passes_off = off;
      if (!off) c.stopped_by.clear();
    });
}

void State::stop_passes(const std::string& by) {
  own_records().edit_counters([&](Counters& c) { c.passes_off = true, c.stopped_by = by; });
}

void State::note_turn(const std::string& queue) {
  if (counters().last_queue != queue)
    own_records().edit_counters([&](Counters& c) { c.last_queue = queue; });
}

void State::expect(const JobRequest& request) { parts_->cluster.bookkeeping.expect(request); }

// ---- holds ----------------------------------------------------------------------------------------

void State::set_holds(JobKey key, std::vector<Hold> holds) {
  std::stable_sort(holds.begin(), holds.end(),
                   [](const Hold& a, const Hold& b) { return a.window.start < b.window.start; });
  edit<Job>(key, [&](Job& job) { job.holds = std::move(holds); });
}

void State::keep_holds(JobKey key, std::size_t count) {
  const auto& holds = job(key)->holds;
  for (auto i = count; i < holds.size(); ++i) waiting().note_early_end(holds[i].window.end);
  edit<Job>(key, [&](Job& job) { job.holds.resize(std::min(count, job.holds.size())); });
}

// ---- who waits ------------------------------------------------------------------------------------

Waiting& State::waiting() { return parts_->waiting; }
const Waiting& State::waiting() const { return parts_->waiting; }
const PriorityTally& State::priorities() const { return parts_->priorities; }

void State::reindex(JobKey key, Instant now) {
  waiting().refresh(configuration(), key, job(key), tally(key), now);
}

bool State::may_write(JobKey key, std::int64_t bytes) {
  return parts_->touched.jobs.contains(key) || parts_->rewriting.has_room_for(bytes);
}

void State::forget_class_requests() {
  waiting().forget_class_requests();
  parts_->cluster.suitable.clear();
}

void State::unsettle_order() { parts_->cluster.positions.all_are_stale = true; }

void State::refresh_order(Instant now) {
  auto& positions = parts_->cluster.positions;
  if (!positions.all_are_stale && positions.stale.empty()) return;
  const auto& scheduler = configuration().scheduler();
  const auto& instances = configuration().instances();
  const auto place = [&](std::size_t position) {
    const auto load = host_load(*this, instances[position], now)
                          .value_or(std::numeric_limits<std::int64_t>::max());
    const auto seq_no = instances[position].settings.seq_no;
    positions.order.place(position, scheduler.load_before_seq_no ? load : seq_no,
                          scheduler.load_before_seq_no ? seq_no : load);
  };
  if (positions.all_are_stale) {
    for (std::size_t position = 0; position < instances.size(); ++position) place(position);
  } else
    for (const auto host : positions.stale)
      for (const auto position : positions.order.on_host(host)) place(position);
  positions.all_are_stale = false;
  positions.stale.clear();
}

// ---- what is not in the records -------------------------------------------------------------------

void State::want_repair() { parts_->repair_wanted = true; }
bool State::take_repair_wanted() { return std::exchange(parts_->repair_wanted, false); }
std::set<ReservationKey> State::take_idle_touched() { return parts_->idle.take_touched(); }
const std::set<ReservationKey>& State::idle_reservations() const { return parts_->idle.watched(); }
RankedHosts State::take_ranked_hosts() {
  auto& ranked = parts_->ranked;
  RankedHosts result{std::exchange(ranked.hosts, {}), std::exchange(ranked.all_hosts, false)};
  if (!result.are_reconfigured) return result;
  const auto& above = configuration().subordinating();
  for (const auto& instance : configuration().instances()) {
    const auto& condition = condition_of(instance);
    if (condition.subordinated || condition.outranked || above.contains(instance.name.queue))
      result.hosts.insert(instance.name.host);
  }
  return result;
}
std::set<std::string> State::take_left_hosts() { return std::exchange(parts_->left.hosts, {}); }
Instant State::next_turn() const { return parts_->next_turn; }
void State::set_next_turn(Instant next) { parts_->next_turn = next; }
const std::string& State::master_host() const { return parts_->master_host; }
void State::note_command(const Caller& caller) { parts_->job_reports.note_command(caller); }
void State::set_master_host(const std::string& host) { parts_->master_host = host; }

void State::restarted(Instant now, TimeZone zone) {
  parts_->cluster.closures.set_zone(std::move(zone));
  parts_->next_turn = {};
  unsettle_order(), want_repair();
  waiting() = Waiting();
  for (const auto& [key, job] : jobs()) reindex(key, now);
  waiting().disturb();
  waiting().unsettle(std::nullopt);
}

std::vector<Effect> State::take_effects(Instant now) {
  auto& touched = parts_->touched.jobs;
  // What is held for tasks goes when they wait no more.
  for (const auto key : touched)
    if (const auto* job = this->job(key); job && !job->holds.empty()) {
      const auto wanted = is_eligible(*job, tally(key))
                              ? next_waiting(*job, tally(key), job->holds.size()).size()
                              : std::size_t{0};
      if (wanted < job->holds.size()) keep_holds(key, wanted);
    }
  if (std::exchange(parts_->reindex_all, false))
    for (const auto& [key, job] : jobs()) reindex(key, now);
  for (const auto key : touched) reindex(key, now);
  touched.clear();
  parts_->rewriting = {};
  auto reports = std::exchange(parts_->reports.found, {});
  auto of_jobs = parts_->job_reports.take();
  auto of_places = parts_->place_reports.take(*this);
  if (configuration().global().writes_reports)
    for (auto* told : {&reports, &of_jobs, &of_places})
      for (auto& report : *told) append(std::move(report));
  return own_records().take_effects(now);
}

// ---- out of the books for a while -----------------------------------------------------------------

Unbooked::Unbooked(State& state, JobKey key) : state_(&state), job_(key) {
  state.parts_->cluster.bookkeeping.set_aside(key);
  state.parts_->cluster.quotas.set_aside(key);
}
Unbooked::Unbooked(State& state, ReservationKey key) : state_(&state), reservation_(key) {
  state.waiting().note_early_end(booked_until(*state.reservation(key)));
  state.parts_->cluster.bookkeeping.set_aside(key);
}
Unbooked::Unbooked(Unbooked&& other) noexcept
    : state_(std::exchange(other.state_, nullptr)),
      job_(other.job_),
      reservation_(other.reservation_),
      booked_(std::move(other.booked_)),
      lent_(std::move(other.lent_)),
      held_(std::move(other.held_)) {}

Unbooked::~Unbooked() {
  if (!state_) return;
  clear();
  auto& cluster = state_->parts_->cluster;
  for (const auto& loan : lent_)
    cluster.bookkeeping.take_out(negated(loan.bookings), loan.window, true, Claim::plain);
  if (job_) cluster.bookkeeping.put_back(job_), cluster.quotas.put_back(job_);
  else cluster.bookkeeping.put_back(reservation_);
}

void Unbooked::book(std::vector<Booking> bookings, Window window, Claim claim) {
  state_->parts_->cluster.bookkeeping.enter(bookings, window, bool(reservation_), claim);
  booked_.push_back({std::move(bookings), window, claim});
}

void Unbooked::book(const Hold& hold) {
  book(hold.bookings, hold.window, hold.rerunnable ? Claim::rerunnable : Claim::plain);
  held_.push_back(hold);
  if (const auto* job = state_->job(job_)) state_->parts_->cluster.quotas.count(*job, hold, 1);
}

void Unbooked::free_lent_room() {
  lent_ = state_->reservation(reservation_)->lent;
  for (const auto& loan : lent_)
    state_->parts_->cluster.bookkeeping.enter(negated(loan.bookings), loan.window, true,
                                              Claim::plain);
}

void Unbooked::clear() {
  if (const auto* job = state_->job(job_))
    for (const auto& hold : held_) state_->parts_->cluster.quotas.count(*job, hold, -1);
  held_.clear();
  for (const auto& [bookings, window, claim] : booked_)
    state_->parts_->cluster.bookkeeping.take_out(bookings, window, bool(reservation_), claim);
  booked_.clear();
}

} // namespace almanac

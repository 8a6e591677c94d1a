#include "actors/master/committed_state.hpp"

#include "actors/master/quota_views.hpp"
#include "actors/master/record_views.hpp"
#include "core/matching/instance_condition.hpp"
#include "core/matching/occupants.hpp"
#include "core/planning/commands/targets.hpp"
#include "core/planning/texts.hpp"
#include "core/policy/priority.hpp"
#include "core/policy/standing.hpp"
#include "core/request/named.hpp"
#include "core/text/values.hpp"
#include "core/utilization/ledger.hpp"

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

namespace almanac {

namespace {

constexpr std::size_t jobs_in_a_frame = 100;
constexpr std::size_t lines_in_a_frame = 400;
constexpr std::size_t others_in_a_frame = 200;
constexpr std::size_t series_in_a_frame = 2; // with all their conflicts

// Cuts a list into frames of a bounded size; an empty list is one empty frame.
template <class Frame, class Item> std::vector<door::ReplyBody>
framed(std::vector<Item> items, std::vector<Item> Frame::*list, std::size_t most) {
  std::vector<door::ReplyBody> frames;
  for (std::size_t at = 0; at < items.size() || frames.empty(); at += most) {
    Frame frame;
    const auto end = std::min(items.size(), at + most);
    (frame.*list)
        .assign(std::make_move_iterator(items.begin() + static_cast<std::ptrdiff_t>(at)),
                std::make_move_iterator(items.begin() + static_cast<std::ptrdiff_t>(end)));
    frames.emplace_back(std::move(frame));
  }
  return frames;
}

struct Listed {
  JobPtr job;
  std::vector<TaskPtr> tasks;
  Priority priority;
  std::string department;
  std::vector<ReservationNumber> attracted_by{};
};

// Jobs as they were when they were asked for; what is sent of each is made when its turn comes.
template <class Frame> class JobFrames : public AnswerFrames {
public:
  using Item = typename decltype(Frame::jobs)::value_type;
  JobFrames(std::size_t in_a_frame, std::function<Item(Listed)> make)
      : in_a_frame_(in_a_frame), make_(std::move(make)) {}
  void add(Listed entry) { entries_.push_back(std::move(entry)); }
  void set_unknown(std::vector<std::string> unknown) { unknown_ = std::move(unknown); }
  void set_notice(std::string notice) { notice_ = std::move(notice); }

  std::optional<door::ReplyBody> next() override {
    if (std::exchange(begun_, true) && at_ == entries_.size()) return std::nullopt;
    Frame frame;
    for (; at_ < entries_.size() && frame.jobs.size() < in_a_frame_; ++at_)
      frame.jobs.push_back(make_(std::exchange(entries_[at_], {})));
    if constexpr (requires { frame.unknown; })
      if (at_ == entries_.size()) frame.unknown = std::move(unknown_);
    if constexpr (requires { frame.notice; }) frame.notice = std::exchange(notice_, {});
    return frame;
  }

private:
  std::size_t in_a_frame_;
  std::function<Item(Listed)> make_;
  bool begun_ = false;
  std::vector<Listed> entries_;
  std::size_t at_ = 0;
  std::vector<std::string> unknown_;
  std::string notice_;
};

door::JobView whole(Listed entry) {
  return {view_of(*entry.job, entry.tasks), entry.priority, std::move(entry.department),
          std::move(entry.attracted_by)};
}

// What a job is given is its owner's affair and the operators': others see that there is something
// (ruling in spec/rulings.md).
door::JobView withheld(Listed entry) {
  auto view = whole(std::move(entry));
  auto& request = view.job.request.edit();
  request.command.clear();
  request.arguments.clear();
  for (auto* list : {&request.environment, &request.origin})
    for (auto& variable : *list) variable.value.clear();
  return view;
}

door::JobView brief(Listed entry) {
  return {brief_view_of(*entry.job, entry.tasks), entry.priority, std::move(entry.department),
          std::move(entry.attracted_by)};
}

door::JobLines as_lines(Listed entry, bool all_grants) {
  const JobRequest& request = entry.job->request;
  return {entry.job->number, entry.priority,
          request.name,      entry.job->owner.user,
          request.project,   std::move(entry.department),
          request.priority,  request.override_tickets,
          request.deadline,  lines_of(*entry.job, entry.tasks, all_grants)};
}

} // namespace

std::vector<TaskPtr> CommittedState::tasks_of(JobKey key) const {
  const auto& tasks = records_.all<Task>();
  std::vector<TaskPtr> found;
  for (auto it = tasks.lower_bound({key, 0}); it != tasks.end() && it->first.job == key; ++it)
    found.push_back(it->second);
  return found;
}

// Each once, ascending.
std::vector<ReservationNumber> CommittedState::attracting(const std::vector<TaskPtr>& tasks) const {
  std::set<ReservationNumber> numbers;
  for (const auto& task : tasks)
    if (const auto* reservation = records_.find<Reservation>(task->attracted_by))
      numbers.insert(reservation->number);
  return {numbers.begin(), numbers.end()};
}

std::shared_ptr<AnswerFrames> CommittedState::answer(const Caller& given,
                                                     const door::RequestBody& query) {
  const auto caller = believed(configuration(), given);
  if (auto why = host_obstacle(configuration(), caller))
    return ready_frames({Answer::refusal(*why)});
  if (auto why = too_many_names(query))
    return ready_frames({Answer::refusal({AnswerCode::denied, {{"why", std::move(*why)}}})});
  if (const auto* jobs = std::get_if<door::GetJobs>(&query)) return answer_jobs(caller, *jobs);
  if (const auto* lines = std::get_if<door::GetLines>(&query)) return answer_lines(caller, *lines);
  if (const auto* reservations = std::get_if<door::GetReservations>(&query))
    return ready_frames(answer_reservations(caller, *reservations));
  if (std::holds_alternative<door::GetCluster>(query)) return ready_frames(answer_cluster());
  if (const auto* objects = std::get_if<door::GetObjects>(&query))
    return ready_frames(answer_objects(objects->kind));
  if (const auto* subscription = std::get_if<door::Subscribe>(&query))
    return answer_list(*subscription);
  if (const auto* quotas = std::get_if<door::GetQuotas>(&query))
    return answer_quotas(records_, quotas_, caller, *quotas, now_);
  return ready_frames({Answer::refusal("this query is not for the views")});
}

PriorityScale CommittedState::priority_scale() const {
  PriorityScale scale;
  scale.urgencies = priorities_.urgencies(now_);
  if (!priorities_.has_tickets()) return scale;
  scale.tickets.emplace(configuration());
  for (const auto& [key, job] : records_.all<Job>()) scale.tickets->count(Party::of(*job), 1);
  scale.tickets->settle();
  return scale;
}

std::optional<Statement> CommittedState::too_many_names(const door::RequestBody& query) const {
  std::vector<std::string> users, names;
  if (const auto* jobs = std::get_if<door::GetJobs>(&query))
    users = jobs->users, names = jobs->jobs;
  if (const auto* lines = std::get_if<door::GetLines>(&query)) users = lines->users;
  const auto* reservations = std::get_if<door::GetReservations>(&query);
  if (reservations) users = reservations->users, names = reservations->reservations;
  if (users.empty() && names.empty()) return std::nullopt;
  std::erase_if(names, [](const std::string& name) { return parse_number(name).ok(); });
  NamesToMatch all;
  if (reservations)
    for (const auto& [key, r] : records_.all<Reservation>()) all.add(r->owner, r->request.name);
  if (reservations)
    for (const auto& [key, series] : records_.all<Series>())
      all.add(series->owner, series->request.name);
  else
    for (const auto& [key, job] : records_.all<Job>()) all.add(job->owner, job->request->name);
  return all.obstacle(users, names);
}

std::shared_ptr<AnswerFrames> CommittedState::answer_jobs(const Caller& caller,
                                                          const door::GetJobs& query) const {
  const bool sees_all = is_operator(configuration(), caller);
  const auto detail = [sees_all, caller](Listed entry) {
    return sees_all || owns(caller, entry.job->owner) ? whole(std::move(entry))
                                                      : withheld(std::move(entry));
  };
  const auto frames = query.detail
                          ? std::make_shared<JobFrames<door::Jobs>>(1, detail)
                          : std::make_shared<JobFrames<door::Jobs>>(jobs_in_a_frame, brief);
  const auto scale = priority_scale();
  Named wanted(query.jobs);
  for (const auto& [key, job] : records_.all<Job>()) {
    if (!query.users.empty() && !owner_listed(configuration(), query.users, job->owner, caller))
      continue;
    if (!wanted.takes(job->number.value, job->request->name)) continue;
    auto tasks = tasks_of(key);
    auto attracted_by = attracting(tasks);
    frames->add({job, std::move(tasks), priority_of(configuration(), *job, scale, now_),
                 configuration().department_of(job->owner.user, job->owner.group),
                 std::move(attracted_by)});
  }
  frames->set_unknown(wanted.unknown());
  return frames;
}

std::shared_ptr<AnswerFrames> CommittedState::answer_lines(const Caller& caller,
                                                           const door::GetLines& query) const {
  const auto frames = std::make_shared<JobFrames<door::Lines>>(
      lines_in_a_frame,
      [all = query.all_grants](Listed entry) { return as_lines(std::move(entry), all); });
  frames->set_notice(notice_);
  const auto scale = priority_scale();
  for (const auto& [key, job] : records_.all<Job>())
    if (query.users.empty() || owner_listed(configuration(), query.users, job->owner, caller))
      frames->add({job, tasks_of(key), priority_of(configuration(), *job, scale, now_),
                   configuration().department_of(job->owner.user, job->owner.group)});
  return frames;
}

namespace {

// Clients know no letter for what is only offered: it is there for who asks for it by its id, or for
// offers (spec/beyond.md B3.6).
bool is_shown(const Reservation& reservation, const door::GetReservations& query, Named& wanted) {
  if (is_offer(reservation))
    return query.offers ||
           (!query.reservations.empty() && wanted.takes(reservation.number.value, ""));
  return !query.offers && reservation.phase != ReservationPhase::proposed &&
         reservation.phase != ReservationPhase::expired;
}

} // namespace

std::vector<ReservationPtr> CommittedState::occurrences_of(ReservationNumber series) const {
  std::vector<ReservationPtr> list;
  for (const auto key : series_.occurrences(series))
    list.push_back(records_.all<Reservation>().at(key));
  return list;
}

std::vector<door::ReplyBody>
CommittedState::answer_reservations(const Caller& caller,
                                    const door::GetReservations& query) const {
  std::vector<door::ReservationView> list;
  std::vector<door::SeriesView> series_list;
  Named wanted(query.reservations, 'R');
  const auto is_listed = [&](const Caller& owner) {
    return query.users.empty() || owner_listed(configuration(), query.users, owner, caller);
  };
  std::set<ReservationNumber> meant; // series: all of their occurrences are
  for (const auto& [number, series] : records_.all<Series>()) {
    if (!is_listed(series->owner)) continue;
    const bool is_named = query.series || !query.reservations.empty();
    if (!is_named || !wanted.takes(number.value, query.series ? series->request.name : ""))
      continue;
    meant.insert(number);
    series_list.push_back(view_of(*series, occurrences_of(number)));
  }
  for (const auto& [key, reservation] : records_.all<Reservation>()) {
    if (query.series) break;
    if (!is_shown(*reservation, query, wanted) || !is_listed(reservation->owner)) continue;
    if (query.usable &&
        !(reservation->is_granted() && admits(configuration(), *reservation, caller)))
      continue;
    const bool is_meant = reservation->series && meant.contains(reservation->series);
    if (wanted.takes(reservation->number.value, reservation->request.name) || is_meant)
      list.push_back(view_of(*reservation, configuration().complexes()));
  }
  auto frames = framed(std::move(list), &door::Reservations::reservations, others_in_a_frame);
  std::get<door::Reservations>(frames.back()).unknown = wanted.unknown();
  if (series_list.empty()) return frames;
  for (auto& frame : framed(std::move(series_list), &door::Reservations::series, series_in_a_frame))
    frames.push_back(std::move(frame));
  return frames;
}

std::vector<door::ResourceView> CommittedState::resources(
    const QueueInstance& instance,
    const std::map<std::pair<Container, Resource>, std::int64_t>& used) const {
  std::vector<door::ResourceView> list;
  const auto add_values = [&](char domain, const Container& container,
                              const std::map<std::string, std::string>& values) {
    for (const auto& [name, value] : values) {
      const auto* complex = configuration().complexes().find(name);
      if (!complex) continue;
      if (!complex->is_consumable()) {
        list.push_back({std::string(1, domain) + "f", name, value});
        continue;
      }
      const auto offered = complex->amount(value);
      if (!offered) continue; // written when the attribute had another type
      const auto taken = used.find({container, name});
      list.push_back({std::string(1, domain) + "c", name,
                      complex->print_amount(*offered - (taken == used.end() ? 0 : taken->second))});
    }
  };
  add_values('g', Container::global(), configuration().host_values("global"));
  if (const auto* host = records_.find<HostState>(instance.name.host);
      host && host->phase == HostPhase::up) {
    const auto& facts = host->facts;
    list.push_back({"hl", "arch", facts.arch});
    list.push_back({"hl", "num_proc", std::to_string(facts.processors)});
    list.push_back({"hl", "mem_total", print_memory(facts.memory)});
    if (const auto load = loads_.find(instance.name.host); load != loads_.end()) {
      list.push_back({"hl", "load_avg", print_millionths(load->second.load_medium * 10'000)});
      list.push_back({"hl", "mem_free", print_memory(load->second.memory_free)});
      list.push_back({"hl", "mem_used", print_memory(facts.memory - load->second.memory_free)});
      list.push_back({"hl", "swap_free", print_memory(load->second.swap_free)});
      list.push_back({"hl", "swap_total", print_memory(load->second.swap_total)});
    }
  }
  add_values('h', Container::host(instance.name.host),
             configuration().host_values(instance.name.host));
  add_values('q', Container::queue(instance.name), instance.settings.complex_values);
  const auto taken = used.find({Container::queue(instance.name), "slots"});
  list.push_back(
      {"qc", "slots",
       std::to_string(instance.settings.slots - (taken == used.end() ? 0 : taken->second))});
  list.push_back({"qf", "qname", instance.name.queue});
  list.push_back({"qf", "hostname", instance.name.host});
  list.push_back({"qf", "rerun", instance.settings.rerun ? "1" : "0"});
  list.push_back({"qf", "tmpdir", instance.settings.tmpdir});
  list.push_back({"qf", "seq_no", std::to_string(instance.settings.seq_no)});
  list.push_back({"qf", "s_rt", print_duration(instance.settings.soft_run_time)});
  list.push_back({"qf", "h_rt", print_duration(instance.settings.hard_run_time)});
  for (const auto& [name, limit] : instance.settings.process_limits)
    list.push_back({"qf", name, configuration().complexes().find(name)->print_amount(limit)});
  return list;
}

// What is in use of the cell now, and what is reserved.
CommittedState::Use CommittedState::use() const {
  Use use;
  for (const auto& [id, task] : records_.all<Task>())
    for (const auto& booking : task->bookings)
      use.used[{booking.container, booking.resource}] += booking.amount;
  for (const auto& [key, reservation] : records_.all<Reservation>()) {
    if (reservation->phase == ReservationPhase::proposed ||
        reservation->phase == ReservationPhase::expired)
      continue;
    use.ahead.book(reservation->shape.bookings, reservation->shape.window);
    use.ahead.book(reservation->shape.spare_bookings, reservation->shape.window);
    if (reservation->phase == ReservationPhase::running)
      for (const auto& grant : reservation->shape.with_spares())
        use.reserved[grant.instance] += grant.slots;
    if (reservation->is_over())
      for (const auto& [place, amount] : amounts_of(reservation->shape.bookings))
        use.left_over[place] += amount;
  }
  return use;
}

std::string CommittedState::reason_of(const InstanceState& condition) const {
  if (!condition.maintenance) return condition.reason;
  auto end = Instant::never();
  for (const auto& [key, reservation] : records_.all<Reservation>())
    if (reservation->number == condition.maintenance) end = reservation->shape.window.end;
  const auto closed = text_of({AnswerCode::closed_by_maintenance,
                               {{"reservation", condition.maintenance}, {"end", taken_to(end)}}});
  return condition.reason.empty() ? closed : condition.reason + "; " + closed;
}

door::InstanceView CommittedState::view(const QueueInstance& instance, const Use& use) const {
  static const HostState no_host;
  static const InstanceState no_state;
  const auto found = [](const auto& amounts, const auto& key) {
    const auto it = amounts.find(key);
    return it == amounts.end() ? std::int64_t{0} : it->second;
  };
  const auto* host = records_.find<HostState>(instance.name.host);
  const auto* state = records_.find<InstanceState>(instance.name);
  const auto& condition = state ? *state : no_state;
  const std::pair slots{Container::queue(instance.name), Resource("slots")};
  door::InstanceView view;
  view.name = instance.name.text(), view.queue = instance.name.queue,
  view.host = instance.name.host;
  view.qtype = std::string(instance.settings.batch ? "B" : "") +
               (instance.settings.interactive ? "I" : "") +
               (instance.settings.ckpt_list.empty() ? "" : "C") +
               (instance.settings.pe_list.empty() ? "" : "P");
  view.letters = instance_letters(configuration(), instance, host ? *host : no_host, condition);
  view.reason = reason_of(condition);
  view.sequence = instance.settings.seq_no;
  view.reserved = found(use.reserved, instance.name) + found(use.left_over, slots);
  view.most_reserved = use.ahead.used(slots.first, "slots", {now_, Instant::never()});
  view.used = found(use.used, slots);
  view.total = instance.settings.slots;
  view.resources = resources(instance, use.used);
  return view;
}

door::HostView CommittedState::view_of_host(const std::string& name) const {
  door::HostView view;
  view.state.name = name;
  if (const auto* state = records_.find<HostState>(name)) view.state = view_of(*state);
  if (const auto it = loads_.find(name);
      it != loads_.end() && view.state.phase != HostPhase::unknown)
    view.load = it->second;
  if (const auto it = notices_.find(name); it != notices_.end()) view.notice = it->second;
  if (const auto* key = records_.find<HostKey>(name)) view.key = view_of(*key);
  return view;
}

std::vector<door::ReplyBody> CommittedState::answer_cluster() const {
  const auto in_use = use();
  std::vector<door::InstanceView> instances;
  for (const auto& instance : configuration().instances())
    instances.push_back(view(instance, in_use));
  std::vector<door::HostView> hosts;
  for (const auto& [name, host] : configuration().hosts())
    if (name != "global") hosts.push_back(view_of_host(name));
  auto frames = framed(std::move(instances), &door::Cluster::instances, others_in_a_frame);
  auto more = framed(std::move(hosts), &door::Cluster::hosts, others_in_a_frame);
  std::get<door::Cluster>(more.front()).notice = notice_;
  frames.insert(frames.end(), std::make_move_iterator(more.begin()),
                std::make_move_iterator(more.end()));
  return frames;
}

std::vector<door::ReplyBody> CommittedState::answer_objects(ObjectKind kind) const {
  std::vector<ConfigurationObject> list;
  for (auto& object : configuration().objects())
    if (object.kind == kind) list.push_back(std::move(object));
  return framed(std::move(list), &door::Objects::objects, others_in_a_frame);
}

} // namespace almanac

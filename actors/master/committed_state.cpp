#include "actors/master/committed_state.hpp"

#include "actors/master/instance_views.hpp"
#include "actors/master/job_requests_view.hpp"
#include "actors/master/quota_views.hpp"
#include "actors/master/record_views.hpp"
#include "core/host/sensed_values.hpp"
#include "core/matching/instance_condition.hpp"
#include "core/matching/occupants.hpp"
#include "core/planning/acting.hpp"
#include "core/planning/commands/targets.hpp"
#include "core/planning/texts.hpp"
#include "core/policy/priority.hpp"
#include "core/policy/standing.hpp"
#include "core/request/named.hpp"
#include "core/text/numbers.hpp"
#include "core/utilization/ledger.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace almanac {

namespace {

constexpr std::size_t jobs_in_a_frame = 100;
constexpr std::size_t lines_in_a_frame = 400; // jobs, each with its lines
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

// The lines of those tasks that run on the instances, or wait and could.
std::vector<JobLine> selected_lines(SelectedInstances& only, const ListedJob& entry,
                                    bool all_grants) {
  auto lines = lines_with_usage(entry, true);
  std::erase_if(lines, [&](const JobLine& line) {
    if (!line.running) return !only.could_take(*entry.job);
    return std::none_of(line.grants.begin(), line.grants.end(),
                        [&](const Grant& grant) { return only.has(grant.instance); });
  });
  if (!all_grants)
    for (auto& line : lines)
      if (line.grants.size() > 1) line.grants.resize(1);
  return lines;
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
  if (const auto* cluster = std::get_if<door::GetCluster>(&query))
    return ready_frames(answer_cluster(*cluster));
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

std::vector<JobNumber> CommittedState::numbers_of(const std::vector<JobKey>& jobs) const {
  std::vector<JobNumber> numbers;
  for (const auto key : jobs)
    if (const auto* job = records_.find<Job>(key)) numbers.push_back(job->number);
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

// What every list of jobs needs of one.
ListedJob CommittedState::listed(JobKey key, const JobPtr& job, const PriorityScale& scale) const {
  auto tasks = tasks_of(key);
  auto usage = usage_.of(tasks, configuration());
  return {job, std::move(tasks), priority_of(configuration(), *job, scale, now_),
          configuration().department_of(job->owner.user, primary_group(job->owner)),
          std::move(usage)};
}

std::shared_ptr<AnswerFrames> CommittedState::answer_jobs(const Caller& caller,
                                                          const door::GetJobs& query) const {
  const bool sees_all = is_operator(configuration(), caller);
  const auto detail = [sees_all, caller](ListedJob entry) {
    return sees_all || owns(caller, entry.job->owner) ? whole(std::move(entry))
                                                      : withheld(std::move(entry));
  };
  const auto frames = query.detail
                          ? std::make_shared<JobFrames<door::Jobs>>(1, detail)
                          : std::make_shared<JobFrames<door::Jobs>>(jobs_in_a_frame, brief);
  const auto scale = priority_scale();
  std::map<JobKey, std::vector<JobKey>> successors;
  if (query.detail)
    for (const auto& [key, job] : records_.all<Job>())
      for (const auto predecessor : job->waits_for) successors[predecessor].push_back(key);
  Named wanted(query.jobs, 0, Named::Of::jobs);
  for (const auto& [key, job] : records_.all<Job>()) {
    if (!query.users.empty() && !owner_listed(configuration(), query.users, job->owner, caller))
      continue;
    if (!wanted.takes(job->number.value, job->request->name)) continue;
    auto entry = listed(key, job, scale);
    entry.attracted_by = attracting(entry.tasks);
    if (query.detail) entry.predecessors = numbers_of(job->waits_for);
    if (query.detail && !job->request->binding.empty())
      for (const auto& task : entry.tasks)
        if (auto binding = usage_.binding_of(*task); !binding.empty())
          entry.bindings.emplace(task->number, std::move(binding));
    if (const auto found = successors.find(key); found != successors.end())
      entry.successors = numbers_of(found->second);
    frames->add(std::move(entry));
  }
  frames->set_unknown(wanted.unknown());
  return frames;
}

Result<SelectedInstances, Statement> CommittedState::selected(const InstanceSelection& selection,
                                                              const Use& in_use) const {
  static const HostState no_host;
  return SelectedInstances::of(
      configuration(), selection,
      {[this](const QueueInstance& instance) { return letters_of(instance); },
       [&](const QueueInstance& instance) {
         return offered_at_instance(configuration(), instance, measured(instance.name.host),
                                    in_use.used);
       },
       [this](const QueueInstance& instance) -> const HostState& {
         const auto* host = records_.find<HostState>(instance.name.host);
         return host ? *host : no_host;
       }});
}

std::shared_ptr<AnswerFrames> CommittedState::answer_lines(const Caller& caller,
                                                           const door::GetLines& query) const {
  std::shared_ptr<SelectedInstances> only;
  if (!query.selection.is_empty()) {
    auto found = selected(query.selection, query.selection.resources.empty() ? Use() : use());
    if (!found) return ready_frames({Answer::refusal(found.error())});
    only = std::make_shared<SelectedInstances>(std::move(*found));
  }
  const auto frames = std::make_shared<JobFrames<door::Lines>>(
      lines_in_a_frame, [all = query.all_grants, apart = scripts_apart()](ListedJob entry) {
        return as_lines(std::move(entry), all, apart);
      });
  frames->set_notice(notice_);
  const auto scale = priority_scale();
  for (const auto& [key, job] : records_.all<Job>()) {
    if (!query.users.empty() && !owner_listed(configuration(), query.users, job->owner, caller))
      continue;
    auto entry = listed(key, job, scale);
    // What is asked of the configuration is asked now: the frames are made later on.
    if (only) {
      entry.lines = selected_lines(*only, entry, query.all_grants);
      if (entry.lines->empty()) continue;
    }
    if (query.requests)
      entry.requests.push_back(
          requests_view(configuration(), job->request, numbers_of(job->waits_for)));
    frames->add(std::move(entry));
  }
  return frames;
}

// Parallel environments whose jobs have a script beside their slots.
std::set<std::string> CommittedState::scripts_apart() const {
  std::set<std::string> names;
  for (const auto& [name, pe] : configuration().parallel_environments())
    if (!pe.job_is_first_task) names.insert(name);
  return names;
}

namespace {

// Clients know no letter for what is only offered or held: whoever asks for it by its id is shown
// it, or for offers (spec/beyond.md B3.6, spec/plus.md P4.18).
bool is_shown(const Reservation& reservation, const door::GetReservations& query, Named& wanted) {
  if (query.past) return true;
  if (query.offers && is_offer(reservation)) return true;
  if (query.offers) return false;
  if (reservation.phase == ReservationPhase::proposed)
    return !query.reservations.empty() && wanted.takes(reservation.number.value, "");
  return reservation.phase != ReservationPhase::expired;
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
      list.push_back(view_of(*reservation, configuration().complexes(), records_));
  }
  auto frames = framed(std::move(list), &door::Reservations::reservations, others_in_a_frame);
  std::get<door::Reservations>(frames.back()).unknown = wanted.unknown();
  if (series_list.empty()) return frames;
  for (auto& frame : framed(std::move(series_list), &door::Reservations::series, series_in_a_frame))
    frames.push_back(std::move(frame));
  return frames;
}

// The host with its load as it was measured last.
HostState CommittedState::measured(const std::string& name) const {
  auto host = recorded(name);
  const auto load = loads_.find(name);
  auto said = std::move(host.load.values); // nobody waits for those
  host.load = load == loads_.end() ? HostLoad{} : load->second;
  host.load.values = std::move(said);
  return host;
}

// With what load sensors say of the cell.
HostState CommittedState::recorded(const std::string& name) const {
  const auto* known = records_.find<HostState>(name);
  HostState host = known ? *known : HostState{};
  host.name = name;
  const auto* cell = records_.find<HostState>(whole_cell);
  return cell ? with_cell_values(std::move(host), *cell) : host;
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

std::string CommittedState::letters_of(const QueueInstance& instance) const {
  static const InstanceState no_state;
  const auto* state = records_.find<InstanceState>(instance.name);
  return instance_letters(configuration(), instance, recorded(instance.name.host),
                          state ? *state : no_state);
}

door::InstanceView CommittedState::view(const QueueInstance& instance, const Use& use) const {
  static const InstanceState no_state;
  const auto found = [](const auto& amounts, const auto& key) {
    const auto it = amounts.find(key);
    return it == amounts.end() ? std::int64_t{0} : it->second;
  };
  const auto host = measured(instance.name.host);
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
  if (view.qtype.empty()) view.qtype = "N";
  view.letters = letters_of(instance);
  view.reason = reason_of(condition);
  const auto& drain = condition.drain;
  view.drain = {drain.why, drain.by, drain.since, drain.until};
  view.sequence = instance.settings.seq_no;
  view.reserved = found(use.reserved, instance.name) + found(use.left_over, slots);
  view.most_reserved = use.ahead.used(slots.first, "slots", {now_, Instant::never()});
  view.used = found(use.used, slots);
  view.total = instance.settings.slots;
  view.resources =
      views_of(strictest(offered_at_instance(configuration(), instance, host, use.used)));
  view.load_alarm = load_alarm(configuration(), instance, host);
  view.suspend_alarm = suspend_alarm(configuration(), instance, host);
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

std::vector<door::ReplyBody> CommittedState::answer_cluster(const door::GetCluster& query) const {
  const auto in_use = use();
  const auto only = selected(query.selection, in_use);
  if (!only) return {Answer::refusal(only.error())};
  const auto of_hosts = known_requests(configuration(), query.of_hosts);
  if (!of_hosts) return {Answer::refusal(of_hosts.error())};
  std::vector<door::InstanceView> instances;
  for (const auto& instance : configuration().instances())
    if (only->has(instance.name)) instances.push_back(view(instance, in_use));
  std::vector<door::HostView> hosts;
  for (const auto& [name, host] : configuration().hosts()) {
    if (name == "global") continue;
    const auto offered = query.host_resources || !of_hosts->empty()
                             ? offered_at_host(configuration(), measured(name), in_use.used)
                             : std::vector<OfferedValue>();
    if (!std::all_of(of_hosts->begin(), of_hosts->end(),
                     [&](auto& asked) { return is_met(offered, *asked.first, asked.second); }))
      continue;
    hosts.push_back(view_of_host(name));
    if (query.host_resources) hosts.back().resources = views_of(strictest(offered));
  }
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

FoundReservation CommittedState::find(const FindReservation& wanted) const {
  const auto& [caller, number, key, whom] = wanted;
  FoundReservation found{nullptr, false, now_};
  const auto& all = records_.all<Reservation>();
  const auto it = all.find(key ? key : numbers_.reservation(number));
  if (it == all.end()) return found;
  found.reservation = it->second;
  const auto asks = believed(configuration(), caller);
  const auto user = rules::acting_for(configuration(), asks, whom);
  found.is_callers =
      user && (owns(*user, found.reservation->owner) || is_manager(configuration(), asks));
  return found;
}

} // namespace almanac

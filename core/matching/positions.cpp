#include "core/matching/positions.hpp"

#include "core/base/wide.hpp"
#include "core/job/inside.hpp"

namespace almanac {

namespace {

const HostState no_host;
const InstanceState no_condition;

template <class R> const R* known_or(const R* known, const R& otherwise) {
  return known ? known : &otherwise;
}

} // namespace

void Positions::rebuild(const Records& records) {
  const auto& configuration = records.configuration();
  ++changes_;
  order.rebuild(configuration);
  hosts_.assign(configuration.instance_hosts(), &no_host);
  instances_.clear();
  for (const auto& instance : configuration.instances()) {
    hosts_[instance.host_index] = known_or(records.find<HostState>(instance.name.host), no_host);
    instances_.push_back(known_or(records.find<InstanceState>(instance.name), no_condition));
  }
  starts_.assign(configuration.instance_hosts(), {});
  all_are_stale = true;
  for (const auto& task : Listing<Task>(records.all<Task>())) changed(nullptr, &task);
}

// Whatever else has changed may say how the load of a host is counted.
void Positions::reconfigured(const Records& records, ChangedKinds kinds) {
  if (kinds.may_change_instances()) return rebuild(records);
  ++changes_;
  all_are_stale = true;
}

bool Positions::agrees(const Records& records) const {
  Positions rebuilt(records);
  rebuilt.rebuild(records);
  return hosts_ == rebuilt.hosts_ && instances_ == rebuilt.instances_ &&
         starts_ == rebuilt.starts_ && order.counts_the_same(rebuilt.order);
}

void Positions::changed(const HostState* before, const HostState* after) {
  ++changes_;
  const auto& name = (before ? before : after)->name;
  all_are_stale = all_are_stale || name == whole_cell; // a formula may count what is said of it
  const auto index = records_.configuration().host_index(name);
  if (!index) return;
  stale.insert(*index);
  hosts_[*index] = known_or(after, no_host);
}

void Positions::changed(const InstanceState* before, const InstanceState* after) {
  ++changes_;
  const auto& configuration = records_.configuration();
  if (const auto* known = configuration.instance((before ? before : after)->name))
    instances_[position_of(configuration, *known)] = known_or(after, no_condition);
}

void Positions::changed(const Task* before, const Task* after) {
  if (before && after && before->grants == after->grants &&
      before->booked.start == after->booked.start)
    return;
  ++task_changes_;
  const auto* job = records_.find<Job>((before ? before : after)->job);
  const auto in_reservation = [&](const Task& task) { return job && reservation_of(*job, task); };
  if (before) count(*before, in_reservation(*before), false);
  if (after) count(*after, in_reservation(*after), true);
}

void Positions::count(const Task& task, bool in_reservation, bool is_there) {
  const auto& configuration = records_.configuration();
  const QueueInstance* last = nullptr;
  for (const auto& grant : task.grants) {
    const auto* instance = configuration.instance(grant.instance);
    if (!instance || (last && last->host_index == instance->host_index)) continue;
    last = instance;
    auto& starts = starts_[instance->host_index];
    if (is_there) starts.insert({task.booked.start, task.id()});
    else starts.erase({task.booked.start, task.id()});
    stale.insert(instance->host_index);
  }
  if (!in_reservation && !task.grants.empty())
    order.take(configuration, task.grants, is_there ? 1 : -1);
}

std::set<TaskId> Positions::tasks_on(const std::string& host) const {
  std::set<TaskId> found;
  if (const auto index = records_.configuration().host_index(host))
    for (const auto& [start, task] : starts_[*index]) found.insert(task);
  return found;
}

std::int64_t Positions::started_lately(std::size_t host_index, Instant now) const {
  const auto decay = records_.configuration().scheduler().load_decay;
  std::int64_t sum = 0;
  const auto& starts = starts_[host_index];
  for (auto it = starts.rbegin(); it != starts.rend() && it->first + decay > now; ++it)
    sum += (it->first + decay - now).seconds * fixed_point::unit / decay.seconds;
  return sum;
}

} // namespace almanac

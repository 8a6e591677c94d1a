#include "core/planning/place_reports.hpp"

#include "core/matching/instance_condition.hpp"
#include "core/text/values.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <utility>

namespace almanac {

namespace {

// The variables of a host, those of the cell where it has none.
const std::vector<std::string>& variables_of(const Configuration& configuration,
                                             const std::string& host) {
  static const std::vector<std::string> none;
  const auto& hosts = configuration.hosts();
  for (const auto& name : {host, std::string("global")})
    if (const auto it = hosts.find(name); it != hosts.end() && !it->second.report_variables.empty())
      return it->second.report_variables;
  return none;
}

bool is_wanted(const Configuration& configuration, const std::vector<std::string>& variables,
               const Complex& complex) {
  return std::any_of(variables.begin(), variables.end(), [&](const std::string& name) {
    return configuration.complexes().find(name) == &complex;
  });
}

bool wants_consumables(const Configuration& configuration) {
  const auto& global = configuration.global();
  const auto& hosts = configuration.hosts();
  return global.writes_reports &&
         (global.logs_consumables || std::any_of(hosts.begin(), hosts.end(), [](const auto& host) {
            return !host.second.report_variables.empty();
          }));
}

// With six decimals, whatever the type is.
std::string number(const Complex& complex, std::int64_t amount) {
  return complex.type == ValueType::decimal ? print_millionths(amount)
                                            : std::to_string(amount) + ".000000";
}

// One container's consumables, name=used=total each.
class Consumption {
public:
  Consumption(const Configuration& configuration, const UsedAmounts& used,
              const Container& container, const std::string& host,
              const std::set<std::string>& touched)
      : configuration_(configuration),
        used_(used),
        container_(container),
        variables_(variables_of(configuration, host)),
        touched_(touched) {}

  void add(const std::string& name, const std::string& value) {
    const auto* complex = configuration_.complexes().find(name);
    if (!complex || !complex->is_consumable() || !is_told(*complex)) return;
    const auto total = complex->amount(value);
    if (!total) return; // written when the attribute had another type
    const auto used = used_.find({container_, complex->name});
    list_.push_back(complex->name + "=" + number(*complex, used == used_.end() ? 0 : used->second) +
                    "=" + number(*complex, *total));
  }
  void add(const std::map<std::string, std::string>& values) {
    for (const auto& [name, value] : values) add(name, value);
  }
  std::string text() {
    std::sort(list_.begin(), list_.end());
    return join(list_, ",");
  }

private:
  // Of the variables only what has changed.
  bool is_told(const Complex& complex) const {
    return configuration_.global().logs_consumables ||
           (touched_.contains(complex.name) && is_wanted(configuration_, variables_, complex));
  }

  const Configuration& configuration_;
  const UsedAmounts& used_;
  Container container_;
  const std::vector<std::string>& variables_;
  const std::set<std::string>& touched_;
  std::vector<std::string> list_;
};

std::string load_values(const Configuration& configuration, const HostState& host) {
  const auto& variables = variables_of(configuration, host.name);
  if (variables.empty()) return "";
  const auto offered = offered_at_host(configuration, host, {});
  std::vector<std::string> list;
  for (const auto& name : variables) {
    const auto* complex = configuration.complexes().find(name);
    const auto found = std::find_if(offered.begin(), offered.end(), [&](const OfferedValue& one) {
      return one.complex == complex && one.kind.back() == 'l';
    });
    if (complex && found != offered.end()) list.push_back(complex->name + "=" + found->value);
  }
  return join(list, ",");
}

std::string letters_of(const Snapshot& state, const QueueInstance& instance) {
  return instance_letters(state.configuration(), instance, state.host_of(instance),
                          state.condition_of(instance));
}

ReportingRecord report_of(ReportKind kind, const InstanceName& place, std::string state) {
  ReportingRecord report;
  report.kind = kind, report.queue = place.queue, report.host = place.host;
  report.state = std::move(state);
  return report;
}

} // namespace

void PlaceReports::rebuild(const Records& records) {
  counts_ = wants_consumables(records.configuration());
  used_.clear();
  if (!counts_) return;
  for (const auto& [id, task] : records.all<Task>()) count(*task, 1);
  touched_.clear();
}

bool PlaceReports::agrees(const Records& records) const {
  PlaceReports rebuilt(records_);
  rebuilt.rebuild(records);
  return counts_ == rebuilt.counts_ && used_ == rebuilt.used_;
}

void PlaceReports::reconfigured(const Records& records, ChangedKinds kinds) {
  if (!kinds.has(ObjectKind::global_configuration) && !kinds.has(ObjectKind::exec_host)) return;
  if (wants_consumables(records.configuration()) != counts_) rebuild(records);
}

void PlaceReports::count(const Task& task, std::int64_t sign) {
  for (const auto& booking : task.bookings) {
    if (booking.resource.beside) continue;
    const auto kind = booking.container.kind;
    if (kind == Container::Kind::pe || kind == Container::Kind::quota) continue;
    const auto at = used_.try_emplace({booking.container, booking.resource}, 0).first;
    at->second += sign * booking.amount;
    if (at->second == 0) used_.erase(at);
    touched_[booking.container].insert(booking.resource.name);
  }
}

void PlaceReports::changed(const Task* before, const Task* after) {
  if (!counts_) return;
  if (before && after && before->bookings == after->bookings) return;
  if (before) count(*before, -1);
  if (after) count(*after, 1);
}

void PlaceReports::changed(const InstanceState* before, const InstanceState* after) {
  if (!is_told()) return;
  const auto& name = (before ? before : after)->name;
  instances_.try_emplace(name, before ? *before : InstanceState{});
}

void PlaceReports::changed(const HostState* before, const HostState* after) {
  if (!is_told()) return;
  const auto& name = (before ? before : after)->name;
  hosts_.try_emplace(name, before ? *before : HostState{});
}

std::vector<ReportingRecord> PlaceReports::take(const Snapshot& state) {
  std::vector<ReportingRecord> found;
  if (instances_.empty() && hosts_.empty() && touched_.empty()) return found;
  add_states(state, found);
  add_consumables(state, found);
  add_loads(state, found);
  instances_.clear(), hosts_.clear(), touched_.clear();
  return found;
}

// What is wrong with a host is in the states of all its instances.
void PlaceReports::add_states(const Snapshot& state, std::vector<ReportingRecord>& found) const {
  const auto& configuration = state.configuration();
  std::set<InstanceName> names;
  for (const auto& [name, before] : instances_) names.insert(name);
  for (const auto& [host, before] : hosts_)
    if (const auto index = configuration.host_index(host))
      for (const auto position : state.instance_order().on_host(*index))
        names.insert(configuration.instances()[position].name);
  for (const auto& name : names) {
    const auto* instance = configuration.instance(name);
    if (!instance) continue;
    const auto condition = instances_.find(name);
    const auto host = hosts_.find(name.host);
    const auto before = instance_letters(
        configuration, *instance, host == hosts_.end() ? state.host_of(*instance) : host->second,
        condition == instances_.end() ? state.condition_of(*instance) : condition->second);
    auto letters = letters_of(state, *instance);
    if (letters != before) found.push_back(report_of(ReportKind::queue, name, std::move(letters)));
  }
}

void PlaceReports::add_consumables(const Snapshot& state,
                                   std::vector<ReportingRecord>& found) const {
  const auto& configuration = state.configuration();
  for (const auto& [container, resources] : touched_) {
    if (container.kind == Container::Kind::queue) {
      const auto* instance = configuration.instance(std::string_view(container.name));
      if (!instance) continue;
      Consumption values(configuration, used_, container, instance->name.host, resources);
      values.add(instance->settings.complex_values);
      values.add("slots", std::to_string(instance->settings.slots));
      auto& report = found.emplace_back(
          report_of(ReportKind::queue_consumable, instance->name, letters_of(state, *instance)));
      report.resources = values.text();
    } else {
      const auto host = container.kind == Container::Kind::global ? "global" : container.name;
      Consumption values(configuration, used_, container, host, resources);
      values.add(configuration.host_values(host));
      found.emplace_back(report_of(ReportKind::host_consumable, {"", host}, "")).resources =
          values.text();
    }
    if (found.back().resources.empty()) found.pop_back();
  }
}

void PlaceReports::add_loads(const Snapshot& state, std::vector<ReportingRecord>& found) const {
  for (const auto& [name, before] : hosts_) {
    const auto& host = state.host(name);
    if (host.phase != HostPhase::up || host.load == before.load) continue;
    auto values = load_values(state.configuration(), host);
    if (values.empty()) continue;
    found.emplace_back(report_of(ReportKind::host, {"", name}, "")).resources = std::move(values);
  }
}

} // namespace almanac

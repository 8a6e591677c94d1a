#include "core/records/records.hpp"

#include "core/base/fingerprint.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <set>

namespace almanac {

Outcome Records::restore(RecordSet records) {
  if (auto sound = valid(records.counters); !sound) return sound;
  auto configuration = Configuration::restore(records.objects);
  if (!configuration) return configuration.error();
  configuration_ = std::move(*configuration);
  counters_ = records.counters;
  const auto take = [&]<class R>(std::vector<R>& from) {
    auto& table = kept<R>().table;
    for (auto& record : from) {
      const auto key = key_of(record);
      table.insert_or_assign(table.end(), key, std::make_shared<const R>(std::move(record)));
    }
  };
#define KIND(type, table, family) take(records.table);
#include "core/records/kinds.def"
#undef KIND
  for (auto* index : followers_) index->rebuild(*this);
  return Done{};
}

bool Records::followers_agree() const {
  return std::all_of(followers_.begin(), followers_.end(),
                     [&](const Index* index) { return index->agrees(*this); });
}

Listing<Task> Records::tasks_of(JobKey key) const {
  constexpr auto last = std::numeric_limits<std::int64_t>::max();
  const auto& tasks = all<Task>();
  return {tasks.lower_bound({key, 0}), tasks.upper_bound({key, last})};
}

RecordSet Records::copy() const {
  RecordSet records;
  records.objects = configuration_.objects();
  const auto put = [&]<class R>(std::vector<R>& into) {
    for (const auto& record : Listing<R>(all<R>())) into.push_back(record);
  };
#define KIND(type, table, family) put(records.table);
#include "core/records/kinds.def"
#undef KIND
  records.counters = counters_;
  return records;
}

std::uint64_t Records::digest() const {
  Fingerprint digest;
  auto objects = configuration_.objects();
  digest.add_field(objects);
  const auto add = [&]<class R>(const Table<R>& table) {
    digest.add_number(table.size());
    for (const auto& [key, record] : table) digest.add_field(const_cast<R&>(*record)); // reads only
  };
#define KIND(type, table, family) add(all<type>());
#include "core/records/kinds.def"
#undef KIND
  auto counters = counters_;
  digest.add_field(counters);
  return digest.value();
}

void Records::append(AccountingRecord record) {
  for (auto* index : followers_) index->appended(record);
  log_.push_back(std::move(record));
}

void Records::reconfigure(Configuration::Changed changed) {
  note_objects(changed);
  note_instances(changed.configuration);
  configuration_ = std::move(changed.configuration);
  for (auto& object : changed.stored) log_.push_back(std::move(object));
  for (const auto& object : changed.erased) log_.push_back(ObjectErased{object.kind, object.name});
  for (auto* index : followers_) index->reconfigured(*this, changed.kinds);
}

// ---- events ---------------------------------------------------------------------------------------

namespace {

Event event_of(EventKind::Of of, EventVerb verb, std::string name, ObjectKind kind = {}) {
  return {{of, kind}, verb, 0, 0, std::move(name)};
}

// The pseudo host "global" is an object without a machine.
bool is_machine(const ConfigurationObject& object) {
  return object.kind == ObjectKind::exec_host && object.name != "global";
}

std::set<InstanceName> names_of(const std::vector<QueueInstance>& instances) {
  std::set<InstanceName> names;
  for (const auto& instance : instances) names.insert(instance.name);
  return names;
}

bool have_equal_names(const std::vector<QueueInstance>& a, const std::vector<QueueInstance>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](auto& one, auto& other) { return one.name == other.name; });
}

} // namespace

void Records::note_objects(const Configuration::Changed& changed) {
  const auto note = [this](const ConfigurationObject& object, EventVerb verb) {
    noted_.push_back(event_of(EventKind::Of::object, verb, object.name, object.kind));
    if (is_machine(object)) noted_.push_back(event_of(EventKind::Of::host, verb, object.name));
  };
  for (const auto& object : changed.stored)
    note(object,
         configuration_.find(object.kind, object.name) ? EventVerb::modified : EventVerb::added);
  for (const auto& object : changed.erased) note(object, EventVerb::removed);
}

void Records::note_instances(const Configuration& after) {
  if (have_equal_names(configuration_.instances(), after.instances())) return;
  const auto were = names_of(configuration_.instances()), are = names_of(after.instances());
  const auto note = [this](const auto& names, const auto& others, EventVerb verb) {
    for (const auto& name : names)
      if (!others.contains(name))
        noted_.push_back(event_of(EventKind::Of::instance, verb, name.text()));
  };
  note(were, are, EventVerb::removed);
  note(are, were, EventVerb::added);
}

// ---- effects of elsewhere -----------------------------------------------------------------------

void Records::apply_configuration(const std::vector<Effect>& effects) {
  Configuration::News news;
  for (const auto& effect : effects)
    if (const auto* object = std::get_if<ConfigurationObject>(&effect))
      news[{object->kind, object->name}] = *object;
    else if (const auto* erased = std::get_if<ObjectErased>(&effect))
      news[{erased->kind, erased->name}] = std::nullopt;
  if (news.empty()) return;
  ChangedKinds kinds;
  for (const auto& [key, object] : news) kinds.add(key.first);
  const auto followed = configuration_.follow(news);
  check(followed.ok(), "what was decided is consistent");
  for (auto* index : followers_) index->reconfigured(*this, kinds);
}

template <class R> void Records::take_out(const std::vector<Effect>& effects) {
  for (const auto& effect : effects)
    if (const auto* erased = std::get_if<Erased<R>>(&effect))
      if (const auto known = all<R>().find(erased->key); known != all<R>().end()) remove<R>(known);
}

// Tasks before their job, jobs before their reservation: the other way round than kinds.def has them.
void Records::take_out_all(const std::vector<Effect>& effects) {
  static constexpr std::array kinds{
#define KIND(type, table, family) &Records::take_out<type>,
#include "core/records/kinds.def"
#undef KIND
  };
  for (auto kind = kinds.rbegin(); kind != kinds.rend(); ++kind) (this->**kind)(effects);
}

void Records::apply(const std::vector<Effect>& effects) {
  apply_configuration(effects);
  take_out_all(effects);
  const auto enter = [&]<class T>(const T& what) {
    if constexpr (requires { key_of(*what); })
      replace<std::remove_const_t<typename T::element_type>>(key_of(*what), what);
    else if constexpr (requires { key_of(what); })
      replace<T>(key_of(what), std::make_shared<const T>(what));
    else if constexpr (std::is_same_v<T, Counters>) counters_ = what;
    else if constexpr (std::is_same_v<T, AccountingRecord>)
      for (auto* index : followers_) index->appended(what);
  };
  for (const auto& effect : effects) std::visit(enter, effect);
  replaced_.clear();
}

namespace {

template <class R> Effect effect_of(const std::shared_ptr<const R>& record) {
  if constexpr (std::is_constructible_v<Effect, std::shared_ptr<const R>>) return record;
  else return *record;
}

} // namespace

std::vector<Effect> Records::as_effects() const {
  std::vector<Effect> effects;
  for (auto& object : configuration_.objects()) effects.push_back(std::move(object));
  const auto add = [&]<class R>(const Table<R>& table) {
    for (const auto& [key, record] : table) effects.push_back(effect_of<R>(record));
  };
#define KIND(type, table, family) add(all<type>());
#include "core/records/kinds.def"
#undef KIND
  effects.push_back(counters_);
  return effects;
}

template <class R> void Records::take(std::vector<Effect>& effects) {
  for (const auto& [key, before] : kept<R>().before) {
    const auto it = all<R>().find(key);
    const bool is_there = it != all<R>().end();
    if (is_there) effects.push_back(effect_of<R>(it->second));
    else effects.push_back(Erased<R>{key});
    if (!is_there && !before) continue; // nobody has seen it
    if (auto event = event_of(before.get(), is_there ? it->second.get() : nullptr))
      events_.push_back(std::move(*event));
  }
  kept<R>().before.clear();
}

std::vector<Effect> Records::take_effects(Instant now) {
  std::vector<Effect> effects = std::exchange(log_, {});
  events_ = std::exchange(noted_, {});
  for (auto& effect : effects)
    if (auto* letter = std::get_if<Letter>(&effect)) letter->at = now;
    else if (auto* call = std::get_if<HookCall>(&effect)) call->at = now;
    else if (auto* report = std::get_if<ReportingRecord>(&effect)) report->at = now;
#define KIND(type, table, family) take<type>(effects);
#include "core/records/kinds.def"
#undef KIND
  if (std::exchange(counters_changed_, false)) effects.push_back(counters_);
  events_ = merged(std::move(events_));
  replaced_.clear();
  return effects;
}

} // namespace almanac

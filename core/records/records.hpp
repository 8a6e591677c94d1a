// The truth: tables of records, and the only way to change them.
//
// 1. A record changes through edit(), put() and erase() alone. Followers hear at once of what was
//    before and what is there after; so nothing that is derived is kept up by hand.
// 2. What was replaced lives until take_effects(), since rules may still look at it.
// 3. It stays where it is: followers and whoever looks at it point into it.
#pragma once

#include "core/configuration/configuration.hpp"
#include "core/records/effect.hpp"
#include "core/records/event.hpp"
#include "core/records/index.hpp"
#include "core/records/table.hpp"

#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace almanac {

class Records {
public:
  Records() = default;
  Records(const Records&) = delete;
  Records& operator=(const Records&) = delete;
  /// An error says what of it can't be worked with. For new ones; followers are made of it.
  Outcome restore(RecordSet records);

  const Configuration& configuration() const { return configuration_; }
  const Counters& counters() const { return counters_; }
  template <class R> const Table<R>& all() const { return kept<R>().table; }
  template <class R> const R* find(const KeyOf<R>& key) const {
    const auto it = all<R>().find(key);
    return it == all<R>().end() ? nullptr : it->second.get();
  }
  /// Those of the job that have records.
  Listing<Task> tasks_of(JobKey key) const;
  /// Takes each job, and those of its tasks that have records: both tables are walked once, side by
  /// side.
  template <class Take> void each_job(Take take) const;
  RecordSet copy() const;
  /// As if all of them had just come.
  std::vector<Effect> as_effects() const;
  std::uint64_t digest() const;

  /// Whoever follows is told of all changes from now on, after those who follow already.
  void follow(Index& index) { followers_.push_back(&index); }
  /// Whether each follower is what it would be if it were made anew.
  bool followers_agree() const;

  /// What is known of hosts and instances is made when it is first edited; others have to be there.
  template <class R, class Change> void edit(const KeyOf<R>& key, Change change) {
    auto after = edited<R>(key);
    change(*after);
    put<R>(std::move(after));
  }
  template <class R> void put(R record) { put<R>(std::make_shared<const R>(std::move(record))); }
  template <class R> void erase(const KeyOf<R>& key);
  template <class Change> void edit_counters(Change change) {
    change(counters_);
    counters_changed_ = true;
  }
  void reconfigure(Configuration::Changed changed);
  void append(AccountingRecord record);
  /// It gets the time of the input.
  void append(Letter letter) { log_.push_back(std::move(letter)); }
  void append(HookCall call) { log_.push_back(std::move(call)); }
  void append(ReportingRecord record) { log_.push_back(std::move(record)); } ///< likewise

  /// What whoever decides has decided in one input, there where it is followed: it is no effect of
  /// these. What goes goes first, parts before what they are part of; so followers of a task find
  /// its job.
  void apply(const std::vector<Effect>& effects);

  /// Whether it was changed since the effects were taken.
  template <class R> bool has_changed(const KeyOf<R>& key) const {
    return kept<R>().before.contains(key);
  }
  /// All changes since the last call, by kind, then by key.
  std::vector<Effect> take_effects(Instant now);
  /// What people hear of the effects that were taken last, each object once.
  const std::vector<Event>& events() const { return events_; }

private:
  template <class R> struct Kept {
    Table<R> table;
    Table<R> before; ///< what was there of those that have changed; nullptr: nothing
  };
  template <class R> static auto& kept_of(auto& records) {
#define KIND(type, table, family)                                                                  \
  if constexpr (std::is_same_v<R, type>) return records.table##_;                                  \
  else
#include "core/records/kinds.def"
#undef KIND
    static_assert(std::is_void_v<R>, "no kind of record");
  }
  template <class R> Kept<R>& kept() { return kept_of<R>(*this); }
  template <class R> const Kept<R>& kept() const { return kept_of<R>(*this); }
  template <class R> std::shared_ptr<R> edited(const KeyOf<R>& key) const;
  template <class R> void put(std::shared_ptr<const R> record);
  template <class R> void replace(const KeyOf<R>& key, std::shared_ptr<const R> record);
  template <class R> void remove(typename Table<R>::const_iterator gone);
  template <class R> void take_out(const std::vector<Effect>& effects);
  void take_out_all(const std::vector<Effect>& effects);
  void apply_configuration(const std::vector<Effect>& effects);
  template <class R> void tell(const R* before, const R* after) {
    for (auto* index : followers_) index->changed(before, after);
  }
  template <class R> void note_before(const KeyOf<R>& key);
  template <class R> void take(std::vector<Effect>& effects);
  void note_objects(const Configuration::Changed& changed);
  void note_instances(const Configuration& after);

  Configuration configuration_;
  Counters counters_;
#define KIND(type, table, family) Kept<type> table##_;
#include "core/records/kinds.def"
#undef KIND
  std::vector<Index*> followers_;
  std::vector<std::shared_ptr<const void>> replaced_;
  std::vector<Effect> log_;           ///< and what changed of the configuration
  std::vector<Event> noted_, events_; ///< of the configuration until now, and of the last effects
  bool counters_changed_ = false;
};

template <class Take> void Records::each_job(Take take) const {
  const auto& tasks = all<Task>();
  auto first = tasks.begin();
  for (const auto& [key, job] : all<Job>()) {
    while (first != tasks.end() && first->first.job < key) ++first;
    auto last = first;
    while (last != tasks.end() && last->first.job == key) ++last;
    take(*job, Listing<Task>(first, last));
    first = last;
  }
}

template <class R> std::shared_ptr<R> Records::edited(const KeyOf<R>& key) const {
  if (const auto* known = find<R>(key)) return std::make_shared<R>(*known);
  if constexpr (requires(R record) { set_key(record, key); }) {
    auto made = std::make_shared<R>();
    set_key(*made, key);
    return made;
  } else check(false, "a record that is edited exists");
  return nullptr;
}

template <class R> void Records::put(std::shared_ptr<const R> record) {
  const auto key = key_of(*record);
  note_before<R>(key);
  replace<R>(key, std::move(record));
}

template <class R> void Records::erase(const KeyOf<R>& key) {
  note_before<R>(key);
  remove<R>(kept<R>().table.find(key));
}

template <class R> void Records::note_before(const KeyOf<R>& key) {
  auto& [table, before] = kept<R>();
  const auto known = table.find(key);
  before.try_emplace(key, known == table.end() ? nullptr : known->second);
}

template <class R> void Records::replace(const KeyOf<R>& key, std::shared_ptr<const R> record) {
  auto& known = kept<R>().table[key];
  auto before = std::exchange(known, std::move(record));
  tell<R>(before.get(), known.get());
  if (before) replaced_.push_back(std::move(before));
}

template <class R> void Records::remove(typename Table<R>::const_iterator gone) {
  auto node = kept<R>().table.extract(gone);
  tell<R>(node.mapped().get(), nullptr);
  replaced_.push_back(std::move(node.mapped()));
}

} // namespace almanac

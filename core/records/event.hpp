// What an input has changed, as people hear of it: of each object that one can look at, that it was
// added, modified or removed.
//
// Nothing is decided by it: it is no effect, and no fingerprint counts it.
#pragma once

#include "core/base/describe.hpp"
#include "core/configuration/objects/object.hpp"

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace almanac {

struct ClaimChallenge;
struct HostKey;
struct HostState;
struct InstanceState;
struct Job;
struct Reservation;
struct Series;
struct SiteFile;
struct SettledTransaction;
struct Task;

/// Listed: it is there already when somebody begins to listen.
enum class EventVerb : std::uint8_t { modified, added, removed, listed };
template <> inline constexpr EventVerb last_of<EventVerb> = EventVerb::listed;

/// What it is an event of.
struct EventKind {
  enum class Of : std::uint8_t { object, job, reservation, host, instance, series };
  Of of = Of::object;
  ObjectKind object = ObjectKind::cluster_queue; ///< of an object of the configuration

  auto operator<=>(const EventKind&) const = default;
};

struct Event {
  EventKind kind;
  EventVerb verb = EventVerb::modified;
  std::int64_t key = 0;    ///< of a job or a reservation; of a series its number
  std::int64_t number = 0; ///< of one that was removed, as people call it
  std::string name;        ///< of one that was removed; of anything else always

  /// The object, whatever happened to it.
  auto subject() const {
    return std::tuple<EventKind, std::int64_t, std::string_view>(
        kind, key, key > 0 ? std::string_view() : std::string_view(name));
  }
  bool operator==(const Event&) const = default;
};

/// "JOB", "CQUEUE", "AR", …: the words of Grid Engine's events (spec/reservations.md section 14).
std::string_view prefix_of(EventKind kind);
/// "JOB_MOD", "CQUEUE_ADD", "AR_DEL", "HGROUP_LIST".
std::string event_name(EventKind kind, EventVerb verb);
/// All of them, jobs first.
const std::vector<EventKind>& event_kinds();
/// The kind that this word names, in capital or small letters.
std::optional<EventKind> event_kind(std::string_view word);

// What people hear where `before` was and `after` is there now. nullptr: it was not, or is not.
// Nothing where there is nothing to see: a proposed reservation is nobody's affair but its owner's.
std::optional<Event> event_of(const HostState* before, const HostState* after);
std::optional<Event> event_of(const InstanceState* before, const InstanceState* after);
std::optional<Event> event_of(const HostKey* before, const HostKey* after);
std::optional<Event> event_of(const Reservation* before, const Reservation* after);
std::optional<Event> event_of(const Job* before, const Job* after);
/// A change of its job.
std::optional<Event> event_of(const Task* before, const Task* after);
std::optional<Event> event_of(const SettledTransaction* before, const SettledTransaction* after);
std::optional<Event> event_of(const Series* before, const Series* after);
std::optional<Event> event_of(const SiteFile* before, const SiteFile* after);
std::optional<Event> event_of(const ClaimChallenge* before, const ClaimChallenge* after);

/// The verb that stands for both: a change of what was added or removed tells nothing more.
EventVerb merged(EventVerb earlier, EventVerb later);

/// Each object once, where it was changed last: steps in between are merged, what became of it in
/// the end is not lost. `event_in` finds the event of an item.
template <class Item, class EventIn>
std::vector<Item> merged(std::vector<Item> items, EventIn event_in) {
  if (items.size() < 2) return items;
  std::map<decltype(event_in(items.front()).subject()), Item*> last;
  for (auto& item : items) {
    Event& event = event_in(item);
    auto& known = last[event.subject()];
    if (known) {
      const Event& earlier = event_in(*known);
      const bool is_over = event.verb == EventVerb::modified && earlier.verb == EventVerb::removed;
      event.verb = merged(earlier.verb, event.verb);
      if (is_over && event.key > 0) event.number = earlier.number, event.name = earlier.name;
    }
    known = &item;
  }
  std::vector<Item> result;
  for (auto& item : items)
    if (last.at(event_in(item).subject()) == &item) result.push_back(item);
  return result;
}
inline std::vector<Event> merged(std::vector<Event> events) {
  return merged(std::move(events), [](Event& event) -> Event& { return event; });
}

} // namespace almanac

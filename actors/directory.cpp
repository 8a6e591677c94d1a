#include "actors/directory.hpp"

#include "actors/support.hpp"

#include <map>

namespace almanac {

namespace {

struct DirectoryState {
  static inline const char* name = "directory";
  explicit DirectoryState(DirectoryActor::pointer self) : self(self) {}

  struct Entry {
    Enlist who;
    Instant since;
  };

  void enlist(const Enlist& who) {
    const auto actor = caf::actor_cast<caf::strong_actor_ptr>(who.address);
    if (!actor) return; // it ended before it could be entered
    self->monitor(caf::actor_cast<caf::actor>(actor));
    entries[who.actor_id] = {who, clock->now()};
  }

  ActorList list() const {
    ActorList result;
    for (const auto& [id, entry] : entries)
      result.actors.push_back({static_cast<std::int64_t>(id), entry.who.kind, entry.who.name,
                               (clock->now() - entry.since).seconds});
    return result;
  }

  caf::result<ActorState> inspect(const InspectOne& query) {
    const auto it = entries.find(static_cast<std::uint64_t>(query.actor));
    if (it == entries.end()) return caf::make_error(caf::sec::invalid_argument);
    const auto target = caf::actor_cast<caf::strong_actor_ptr>(it->second.who.address);
    if (!target) return caf::make_error(caf::sec::invalid_argument);
    return self->delegate(caf::actor_cast<InspectableActor>(target), Inspect{query.json});
  }

  DirectoryActor::pointer self;
  const Clock* clock = nullptr;
  std::map<std::uint64_t, Entry> entries;
};

DirectoryActor::behavior_type directory(Watched<DirectoryActor, DirectoryState> self,
                                        const Clock* clock) {
  self->state.clock = clock;
  self->set_down_handler(
      [self](const caf::down_msg& down) { self->state.entries.erase(down.source.id()); });
  return {
      [self](const Enlist& who) { self->state.enlist(who); },
      [self](const GetActors&) { return self->state.list(); },
      [self](const InspectOne& query) { return self->state.inspect(query); },
  };
}

} // namespace

DirectoryActor spawn_directory(caf::actor_system& system, const Clock& clock) {
  return system.spawn(directory, &clock);
}

} // namespace almanac

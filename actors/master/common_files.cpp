#include "actors/master/common_files.hpp"

#include <map>

namespace almanac {

namespace {

constexpr auto look_period = std::chrono::seconds(5);

struct CommonFilesState {
  static inline const char* name = "common-files";
  explicit CommonFilesState(CommonFilesActor::pointer self) : self(self) {}

  void look() {
    if (auto found = source->look()) {
      files = std::make_shared<const std::vector<CommonFileContent>>(std::move(*found));
      spdlog::info("common files of the cell: {} are shown to agents", files->size());
      for (const auto& [id, host] : hosts) tell(host);
    }
    self->delayed_send(self, look_period, Wake{});
  }

  void follow(const caf::strong_actor_ptr& host) {
    if (!host || !hosts.emplace(host->id(), host).second) return;
    self->monitor(caf::actor_cast<caf::actor>(host));
    if (files) tell(host);
  }

  void tell(const caf::strong_actor_ptr& host) const {
    caf::anon_send(caf::actor_cast<Follower>(host), CommonFilesChanged{files});
  }

  ActorState inspect() const {
    std::string shown = "hosts: " + std::to_string(hosts.size()) + "\n";
    if (files)
      for (const auto& file : *files)
        shown += file.version.name + ": " + std::to_string(file.content.size()) + " bytes\n";
    return {shown};
  }

  using Follower = caf::typed_actor<caf::reacts_to<CommonFilesChanged>>;
  CommonFilesActor::pointer self;
  CommonFileSource* source = nullptr;
  SharedCommonFiles files; ///< nullptr: nothing is known of them yet
  std::map<caf::actor_id, caf::strong_actor_ptr> hosts;
};

CommonFilesActor::behavior_type common_files(Watched<CommonFilesActor, CommonFilesState> self,
                                             DirectoryActor directory, CommonFileSource* source) {
  end_process_on_exception(self, "common-files");
  self->set_down_handler(
      [self](const caf::down_msg& down) { self->state.hosts.erase(down.source.id()); });
  enlist(self, directory, "common-files", "");
  self->state.source = source;
  self->state.look();
  return {
      [self](const FollowCommonFiles&) { self->state.follow(self->current_sender()); },
      [self](const Wake&) { self->state.look(); },
      [self](const Inspect&) { return self->state.inspect(); },
  };
}

} // namespace

CommonFilesActor spawn_common_files(caf::actor_system& system, const DirectoryActor& directory,
                                    CommonFileSource& source, Thread thread) {
  if (thread == Thread::own) return system.spawn<caf::detached>(common_files, directory, &source);
  return system.spawn(common_files, directory, &source);
}

} // namespace almanac

#include "actors/views.hpp"

#include "actors/committed_state.hpp"
#include "actors/support.hpp"

namespace almanac {

namespace {

struct ViewsState {
  static inline const char* name = "views";
  explicit ViewsState(ViewsActor::pointer) {}
  CommittedState committed;
};

ViewsActor::behavior_type views(ViewsActor::stateful_pointer<ViewsState> self,
                                DirectoryActor directory) {
  end_process_on_exception(self, "views");
  enlist(self, directory, "views", "");
  return {
      [self](const Publish& news) {
        self->state.committed.set_time(news.now);
        for (const auto& effect : *news.effects) self->state.committed.apply(effect);
      },
      [self](const PublishLoad& news) { self->state.committed.apply_load(news.host, news.load); },
      [self](const Query& query) {
        return QueryReply{self->state.committed.answer(query.caller, query.body)};
      },
      [self](const Inspect&) {
        return ActorState{"jobs: " + std::to_string(self->state.committed.jobs()) + "\n"};
      },
  };
}

} // namespace

ViewsActor spawn_views(caf::actor_system& system, const DirectoryActor& directory) {
  return system.spawn(views, directory);
}

} // namespace almanac

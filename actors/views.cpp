#include "actors/views.hpp"

#include "actors/committed_state.hpp"
#include "actors/support.hpp"
#include "core/monitor/monitor.hpp"

namespace almanac {

namespace {

struct ViewsState {
  static inline const char* name = "views";
  explicit ViewsState(ViewsActor::pointer self) : self(self) {}

  void take(const Publish& news) {
    committed.set_time(news.now);
    for (const auto& effect : *news.effects) committed.apply(effect);
    watch(news);
  }

  // What a master finds at its start is taken as it is; from then on each change is checked.
  void watch(const Publish& news) {
    if (!std::exchange(watching, true)) return monitor.begin(committed.records());
    for (const auto& effect : *news.effects)
      monitor.note(effect, committed.configuration(), news.now);
    monitor.settle();
    monitor.tick(news.now, steady());
    if (monitor.violation() && !std::exchange(told, true))
      spdlog::error("the records break {}", monitor.violation()->text());
  }

  Instant steady() const {
    const auto since = self->clock().now().time_since_epoch();
    return {std::chrono::floor<std::chrono::seconds>(since).count()};
  }

  ActorState inspect() const {
    return {"jobs: " + std::to_string(committed.jobs()) +
            "\nrecords_checked: " + std::to_string(monitor.checked()) + "\nviolation: " +
            (monitor.violation() ? monitor.violation()->text() : std::string("none")) +
            "\nmailbox: " + std::to_string(self->mailbox().size()) + "\n"};
  }

  ViewsActor::pointer self;
  CommittedState committed;
  Monitor monitor;
  bool watching = false, told = false;
};

ViewsActor::behavior_type views(Watched<ViewsActor, ViewsState> self, DirectoryActor directory) {
  end_process_on_exception(self, "views");
  enlist(self, directory, "views", "");
  return {
      [self](const Publish& news) { self->state.take(news); },
      [self](const PublishLoad& news) { self->state.committed.apply_load(news.host, news.load); },
      [self](const PublishNotice& news) { self->state.committed.apply_notice(news.host, news.text); },
      [self](const Query& query) {
        return QueryReply{self->state.committed.answer(query.caller, query.body)};
      },
      [self](const Inspect&) { return self->state.inspect(); },
  };
}

} // namespace

ViewsActor spawn_views(caf::actor_system& system, const DirectoryActor& directory) {
  return system.spawn(views, directory);
}

} // namespace almanac

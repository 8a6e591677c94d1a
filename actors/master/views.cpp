#include "actors/master/views.hpp"

#include "actors/answer_frames.hpp"
#include "actors/master/chronicle.hpp"
#include "actors/master/committed_state.hpp"
#include "actors/master/kept_answers.hpp"
#include "actors/support.hpp"
#include "actors/warnings.hpp"
#include "actors/master/suspects.hpp"
#include "core/monitor/monitor.hpp"

namespace almanac {

namespace {

struct ViewsState {
  static inline const char* name = "views";
  explicit ViewsState(ViewsActor::pointer self) : self(self) {}

  void take(const Publish& news) {
    committed.set_time(news.now);
    chronicle.listen(spdlog::should_log(spdlog::level::info));
    for (std::size_t i = 0; i < news.decided->size(); ++i) {
      committed.apply((*news.decided)[i]);
      monitor.settle();
      tell(news.causes ? (*news.causes)[i] : Cause{});
    }
    warn_of_quota_gaps();
    watch(news);
  }

  void tell(const Cause& cause) {
    for (const auto& line : chronicle.take(cause)) spdlog::info("{}", line);
  }

  // Once for each rule and host (spec/quotas.md Q4.32).
  void warn_of_quota_gaps() {
    for (const auto& gap : committed.take_quota_gaps())
      warn_of("resource quota rule " + gap.rule,
              "the limit " + gap.limit + " of resource quota rule " + gap.rule + " is 0 on " +
                  gap.host + ": neither this host nor the global one has a value for " +
                  gap.complex);
  }

  // What a master finds at its start is taken as it is; from then on each change is checked.
  void watch(const Publish& news) {
    if (!std::exchange(watching, true)) {
      monitor.rebuild(committed.records());
      committed.follow(chronicle);
      return committed.follow(monitor);
    }
    monitor.tick(news.now, steady());
    if (monitor.violation() && !std::exchange(told, true))
      spdlog::error("the records break {}", monitor.violation()->text());
  }

  Instant steady() const {
    const auto since = self->clock().now().time_since_epoch();
    return {std::chrono::floor<std::chrono::seconds>(since).count()};
  }

  QueryReply answer(const Query& query) {
    return in_hand(query.caller, "query " + std::to_string(query.body.index()), [&] {
      committed.set_notice(store->has_space() ? "" : nearly_full);
      return committed.answer(query.caller, query.body);
    });
  }

  QueryReply answer(const GetChanged& query) {
    return in_hand(query.caller, "changes", [&] {
      return ready_frames({committed.changes(query.caller, query.filter, *query.rows)});
    });
  }

  // A crash over it is remembered.
  template <class Make>
  QueryReply in_hand(const Caller& caller, const std::string& what, Make make) {
    const auto key = answer_key(caller, what);
    if (auto refusal = crashed_over(*notebook, caller, key))
      return {ready_frames({std::move(*refusal)})};
    notebook->note(key);
    crash_point("query");
    auto frames = make();
    notebook->note({});
    return {std::move(frames)};
  }

  ActorState inspect() const {
    return {"jobs: " + std::to_string(committed.records().all<Job>().size()) +
            "\nrecords_checked: " + std::to_string(monitor.checked()) + "\nviolation: " +
            (monitor.violation() ? monitor.violation()->text() : std::string("none")) +
            "\nmailbox: " + std::to_string(self->mailbox().size()) + "\n"};
  }

  ViewsActor::pointer self;
  Notebook* notebook = nullptr;
  const Journal* store = nullptr;
  CommittedState committed;
  Monitor monitor{committed.records()};
  Chronicle chronicle{committed.records()};
  bool watching = false, told = false;
};

ViewsActor::behavior_type views(Watched<ViewsActor, ViewsState> self, DirectoryActor directory,
                                Notebook* notebook, const Journal* store) {
  end_process_on_exception(self, "views");
  self->state.notebook = notebook, self->state.store = store;
  enlist(self, directory, "views", "");
  return {
      [self](const Publish& news) { self->state.take(news); },
      [self](const PublishLoad& news) {
        self->state.committed.apply_load(news.host, news.load, news.notice);
      },
      [self](const PublishUsage& news) { self->state.committed.apply_usage(news.host, news.said); },
      [self](const PublishNotice& news) {
        self->state.committed.apply_notice(news.host, news.text);
      },
      [self](const Query& query) { return self->state.answer(query); },
      [self](const FindReservation& wanted) { return self->state.committed.find(wanted); },
      [self](const GetChanged& query) { return self->state.answer(query); },
      [self](const Inspect&) { return self->state.inspect(); },
  };
}

} // namespace

ViewsActor spawn_views(caf::actor_system& system, const DirectoryActor& directory,
                       Notebook* notebook, const Journal* store) {
  return system.spawn(views, directory, notebook, store);
}

} // namespace almanac

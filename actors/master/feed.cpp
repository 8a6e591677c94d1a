#include "actors/master/feed.hpp"

#include "actors/master/followers.hpp"
#include "actors/master/kept_changes.hpp"

#include <optional>
#include <utility>

namespace almanac {

namespace {

constexpr std::size_t most_rows = 128; // that are looked at for one frame
constexpr std::chrono::seconds between_beats{15};
// Through an agent nobody hears that a reader has gone: it does not come for the next frame.
constexpr int beats_of_patience = 4;

// Who follows, and what each has heard (Followers), and what is kept for them (KeptChanges) have
// files of their own.
struct FeedState {
  static inline const char* name = "feed";
  explicit FeedState(FeedActor::pointer self) : self(self) {}

  void begin(FeedSetup given) {
    views = given.views;
    kept.emplace(*given.store, given.term, given.last);
  }

  // ---- who follows ----------------------------------------------------------------------------

  caf::result<DoorReply> follow(const Follow& request) {
    auto at = kept->end();
    if (const auto& after = request.request.after; !after.empty()) {
      const auto cursor = ChangeCursor::parse(after);
      if (!cursor || !kept->reach_back_to(*cursor)) return last_reply(request, gone_changes());
      at = *cursor;
    }
    auto* follower = followers.add(request, at);
    if (!follower)
      return last_reply(request, Answer::refusal("there are too many subscriptions to changes, of "
                                                 "this user or of all: end one of them"));
    auto promise = follower->first = self->make_response_promise<DoorReply>();
    follower->subscription.asks();
    if (!std::exchange(beats, true)) self->delayed_send(self, between_beats, Beat{});
    if (request.request.list && request.request.after.empty()) ask_for_list(*follower);
    else tell(*follower);
    return promise;
  }

  void take(const TakeFrame& wanted) {
    auto* follower = followers.find(wanted.rest ? wanted.rest->reader : 0);
    if (follower) {
      follower->subscription.asks(), follower->quiet_beats = 0;
      return tell(*follower);
    }
    Follow given_up;
    given_up.connection = wanted.connection;
    self->send(caf::actor_cast<DoorKeeperActor>(self->current_sender()),
               last_reply(given_up, gone_changes()));
  }

  void leave(const ReaderGone& gone) {
    if (auto* follower = followers.find(self->current_sender(), gone.connection))
      end(*follower, gone_changes());
  }

  // ---- what they are told ---------------------------------------------------------------------

  void take(const PublishChanges& news) {
    if (news.last) kept->extend(news.last);
    followers.each([&](Follower& follower) {
      follower.subscription.note(*news.rows);
      tell(follower);
    });
  }

  // Whoever is told the last frame is none of them any more.
  void tell(Follower& follower) {
    auto& subscription = follower.subscription;
    if (!subscription.is_asking() || follower.is_making) return;
    if (!follower.ready.empty()) return send_ready(follower);
    if (subscription.is_too_slow()) return end(follower, gone_changes());
    if (follower.list) return tell_list(follower);
    const auto piece = kept->behind(subscription.at(), most_rows);
    if (!piece) return end(follower, gone_changes());
    if (auto rows = subscription.wanted(piece->rows); !rows.empty())
      return ask_for_changes(follower, std::move(rows), piece->to);
    const bool is_at_end = piece->to == kept->end();
    subscription.skip(piece->to);
    if (is_at_end && follower.is_once()) return end(follower, where(follower));
    if (!is_at_end || follower.wants_cursor) tell_where(follower);
  }

  static door::Changes where(const Follower& follower) {
    door::Changes nothing_more;
    nothing_more.cursor = follower.subscription.at().text();
    return nothing_more;
  }

  // Nothing has changed up to there.
  void tell_where(Follower& follower) {
    follower.ready = frames_of({}, follower.subscription.at());
    follower.wants_cursor = false;
    send_ready(follower);
  }

  void ask_for_list(Follower& follower) {
    ask_views(follower, Query{follower.from.caller, follower.from.request},
              [this](Follower& asking, const std::shared_ptr<AnswerFrames>& frames) {
                asking.list = frames;
                tell(asking);
              });
  }

  void tell_list(Follower& follower) {
    auto body = follower.list->next();
    if (!body) {
      follower.list = nullptr;
      return tell(follower);
    }
    auto* changes = std::get_if<door::Changes>(&*body);
    if (!changes) return end(follower, std::move(*body)); // a refusal
    follower.ready = frames_of(std::move(*changes), std::nullopt);
    send_ready(follower);
  }

  void ask_for_changes(Follower& follower, std::vector<store::ChangeRow> rows, ChangeCursor to) {
    auto shared = std::make_shared<const std::vector<store::ChangeRow>>(std::move(rows));
    ask_views(follower,
              GetChanged{follower.from.caller, follower.from.request.filter, std::move(shared)},
              [this, to](Follower& asking, const std::shared_ptr<AnswerFrames>& frames) {
                tell_changes(asking, *frames->next(), to);
              });
  }

  void tell_changes(Follower& follower, door::ReplyBody body, const ChangeCursor& to) {
    auto* changes = std::get_if<door::Changes>(&body);
    if (!changes) return end(follower, std::move(body)); // a refusal
    follower.subscription.skip(to);
    if (changes->changes.empty()) return tell(follower); // it is shown nothing of them
    follower.ready = frames_of(std::move(*changes), to);
    follower.wants_cursor = false;
    send_ready(follower);
  }

  // `use` hears the answer, if anybody still waits for it.
  template <class Question, class Use>
  void ask_views(Follower& follower, Question question, Use use) {
    follower.is_making = true;
    self->request(views, caf::infinite, std::move(question))
        .then([this, id = follower.id, use](const QueryReply& found) {
          auto* asking = followers.find(id);
          if (!asking) return;
          asking->is_making = false;
          use(*asking, found.frames);
        });
  }

  void send_ready(Follower& follower) {
    follower.subscription.told();
    send(follower, follower.next_reply(caf::actor_cast<caf::strong_actor_ptr>(self)));
  }

  void end(Follower& follower, door::ReplyBody body) {
    send(follower, follower.last_reply(std::move(body)));
    followers.remove(follower.id);
  }

  void send(Follower& follower, DoorReply reply) {
    follower.quiet_beats = 0;
    if (follower.first.pending()) follower.first.deliver(std::move(reply));
    else self->send(caf::actor_cast<DoorKeeperActor>(follower.from.keeper), std::move(reply));
  }

  // Who hears nothing for long does not know whether the master is there, nor where to go on.
  void beat() {
    followers.each([this](Follower& follower) {
      const bool is_late = ++follower.quiet_beats > beats_of_patience;
      if (follower.is_making) return;
      if (follower.subscription.is_asking()) tell_where(follower);
      else if (is_late && follower.is_once()) followers.remove(follower.id);
    });
    beats = !followers.empty();
    if (beats) self->delayed_send(self, between_beats, Beat{});
  }

  ActorState inspect() const {
    return {followers.shown() + "end: " + kept->end().text() +
            "\nmailbox: " + std::to_string(self->mailbox().size()) + "\n"};
  }

  FeedActor::pointer self;
  ViewsActor views;
  std::optional<KeptChanges> kept;
  Followers followers;
  bool beats = false;
};

FeedActor::behavior_type feed(Watched<FeedActor, FeedState> self, FeedSetup setup) {
  end_process_on_exception(self, "feed");
  enlist(self, setup.directory, "feed", "");
  self->state.begin(std::move(setup));
  return {
      [self](const PublishChanges& news) { self->state.take(news); },
      [self](const Follow& request) { return self->state.follow(request); },
      [self](const TakeFrame& wanted) { self->state.take(wanted); },
      [self](const ReaderGone& gone) { self->state.leave(gone); },
      [self](const Beat&) { self->state.beat(); },
      [self](const Inspect&) { return self->state.inspect(); },
  };
}

} // namespace

FeedActor spawn_feed(caf::actor_system& system, FeedSetup setup, Thread thread) {
  if (thread == Thread::own) return system.spawn<caf::detached>(feed, std::move(setup));
  return system.spawn(feed, std::move(setup));
}

} // namespace almanac

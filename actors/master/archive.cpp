#include "actors/master/archive.hpp"

#include "actors/master/accounting_frames.hpp"
#include "actors/master/input_frames.hpp"
#include "actors/master/upkeep.hpp"
#include "actors/master/usage_frames.hpp"
#include "core/admission/turns.hpp"

#include <algorithm>
#include <variant>

namespace almanac {

namespace {

constexpr std::chrono::seconds between_upkeeps{600};

// Readers take turns, a frame each; upkeep has its turn after each of them.
struct ArchiveState {
  static inline const char* name = "archive";
  explicit ArchiveState(ArchiveActor::pointer self) : self(self) {}

  void begin(ArchiveSetup given) {
    setup = std::move(given);
    upkeep.emplace(*setup.store);
    is_indexed = upkeep->is_indexed();
  }

  ScriptContent script(const std::string& hash) const {
    auto content = setup.store->get(store::Family::scripts, hash);
    return {std::make_shared<const std::string>(content.value_or(""))};
  }

  // ---- answers --------------------------------------------------------------------------------

  struct Reading {
    std::shared_ptr<EncodedFrames> frames; ///< nothing yet: the query is to begin
    std::variant<FindAccounting, FindInputs, FindUsage> query;
    caf::typed_response_promise<DoorReply> first;
    caf::strong_actor_ptr keeper; ///< who wants the next frame
    std::int64_t connection = 0;
  };

  template <class Find> caf::result<DoorReply> find(Find& query) {
    Reading reading;
    reading.first = self->make_response_promise<DoorReply>();
    auto promise = reading.first;
    const bool waits = !is_indexed && needs_index(query);
    reading.query = std::move(query);
    if (waits) until_indexed.push_back(std::move(reading));
    else await_turn(std::move(reading));
    return promise;
  }
  // The records of a job are found by it: until it is complete, their readers wait.
  static bool needs_index(const FindAccounting& query) { return bool(query.query.filter.number); }
  static bool needs_index(const FindInputs&) { return false; }
  static bool needs_index(const FindUsage&) { return false; }

  void take(const TakeFrame& wanted) {
    Reading reading;
    reading.frames = wanted.rest, reading.connection = wanted.connection;
    reading.keeper = self->current_sender();
    await_turn(std::move(reading));
  }

  void await_turn(Reading reading) {
    const auto reader =
        reading.frames ? reading.frames->reader
                       : std::visit([](const auto& query) { return query.reader; }, reading.query);
    readers.add(reader, Share::Rank::ordinary, std::move(reading));
    go_on();
  }

  void go_on() {
    if (readers.size() > 0 && !std::exchange(going_on, true)) self->send(self, Wake{});
  }

  void wake(const Wake& wake) {
    if (wake.generation == 0) return read_one();
    if (wake.generation == rest_number && std::exchange(rests, false)) keep_up();
  }

  void read_one() {
    going_on = false;
    if (auto turn = readers.next()) {
      readers.leave(turn->place);
      read(turn->entry);
      ++frames_made;
    }
    go_on();
  }

  void read(Reading& reading) {
    if (!reading.frames)
      std::visit([&](auto& query) { reading.frames = begin_reading(query); }, reading.query);
    DoorReply reply{reading.connection, *reading.frames->next(), false, nullptr};
    reply.last = reading.frames->is_over();
    if (!reply.last)
      reply.rest = reading.frames, reply.maker = caf::actor_cast<caf::strong_actor_ptr>(self);
    if (reading.first.pending()) reading.first.deliver(std::move(reply));
    else self->send(caf::actor_cast<DoorKeeperActor>(reading.keeper), std::move(reply));
  }

  template <class Find> std::shared_ptr<EncodedFrames> begin_reading(Find& query) const {
    auto frames = std::make_shared<EncodedFrames>(frames_of(query), query.version);
    frames->reader = query.reader;
    return frames;
  }
  std::shared_ptr<AnswerFrames> frames_of(FindAccounting& query) const {
    return accounting_frames(*setup.store, std::move(query.query));
  }
  std::shared_ptr<AnswerFrames> frames_of(FindInputs& query) const {
    return input_frames(*setup.store, std::move(query.query));
  }
  std::shared_ptr<AnswerFrames> frames_of(FindUsage& query) const {
    return usage_frames(setup.store->snapshot(), std::move(query.query), setup.clock->now());
  }

  // ---- upkeep ---------------------------------------------------------------------------------

  void keep(const RetentionsChanged& news) {
    upkeep->follow(news.retentions), calendar = news.calendar;
    const bool begins = !std::exchange(keeping, true);
    if (std::exchange(rests, false) || begins) self->send(self, Beat{});
  }

  void take(const SnapshotTaken& news) {
    upkeep->begin_checkpoint(news.snapshot, news.sequence, setup.clock->now());
    if (std::exchange(rests, false)) self->send(self, Beat{});
  }

  // One piece after the other, each durable before the next, until there is nothing to be done.
  void keep_up() {
    is_indexed = upkeep->is_indexed(); // the last piece is durable
    if (is_indexed)
      for (auto& reading : std::exchange(until_indexed, {})) await_turn(std::move(reading));
    auto piece = upkeep->next(setup.clock->now());
    if (piece.wants_checkpoint && calendar)
      self->send(caf::actor_cast<CalendarActor>(calendar), WantCheckpoint{});
    if (piece.is_last && piece.writes.empty()) return rest();
    removed += std::count_if(piece.writes.begin(), piece.writes.end(),
                             [](const store::Write& write) { return !write.value; });
    if (piece.writes.empty()) return self->send(self, Beat{});
    const CommitBatch batch{
        std::make_shared<const std::vector<store::Write>>(std::move(piece.writes))};
    self->request(setup.journal, caf::infinite, batch).then([this](const Durable&) {
      self->send(self, Beat{});
    });
  }

  void rest() {
    rests = true;
    self->delayed_send(self, between_upkeeps, Wake{++rest_number});
  }

  ActorState inspect() {
    return {"reading: " + std::to_string(readers.size()) + "\nframes_made: " +
            std::to_string(frames_made) + "\nis_indexed: " + (is_indexed ? "yes" : "no") +
            "\nremoved: " + std::to_string(removed) +
            "\nmailbox: " + std::to_string(self->mailbox().size()) + "\n"};
  }

  ArchiveActor::pointer self;
  ArchiveSetup setup;
  std::optional<Upkeep> upkeep;
  Turns<std::int64_t, Reading> readers{{1, 0}}; ///< by uid
  std::vector<Reading> until_indexed;
  caf::strong_actor_ptr calendar; ///< who begins checkpoints
  bool is_indexed = false, going_on = false, keeping = false, rests = false;
  std::int64_t frames_made = 0, removed = 0, rest_number = 0;
};

ArchiveActor::behavior_type archive(Watched<ArchiveActor, ArchiveState> self, ArchiveSetup setup) {
  end_process_on_exception(self, "archive");
  enlist(self, setup.directory, "archive", "");
  self->state.begin(std::move(setup));
  return {
      [self](const GetScript& query) { return self->state.script(query.hash); },
      [self](FindAccounting& query) { return self->state.find(query); },
      [self](FindInputs& query) { return self->state.find(query); },
      [self](FindUsage& query) { return self->state.find(query); },
      [self](const TakeFrame& wanted) { self->state.take(wanted); },
      [](const ReaderGone&) {}, // nothing is kept between two frames
      [self](const RetentionsChanged& news) { self->state.keep(news); },
      [self](const SnapshotTaken& news) { self->state.take(news); },
      [self](const Wake& wake) { self->state.wake(wake); },
      [self](const Beat&) { self->state.keep_up(); },
      [self](const Inspect&) { return self->state.inspect(); },
  };
}

} // namespace

ArchiveActor spawn_archive(caf::actor_system& system, ArchiveSetup setup, Thread thread) {
  if (thread == Thread::own) return system.spawn<caf::detached>(archive, std::move(setup));
  return system.spawn(archive, std::move(setup));
}

} // namespace almanac

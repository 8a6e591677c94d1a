#include "actors/master/postman.hpp"

#include "actors/support.hpp"
#include "core/mail/outbox.hpp"
#include "schema/codec.hpp"

#include <ctime>

namespace almanac {

namespace {

// As ctime() writes it, which mails of Grid Engine have.
std::string local_time(Instant instant) {
  const auto seconds = static_cast<std::time_t>(instant.seconds);
  std::tm parts{};
  char text[64];
  return {text, std::strftime(text, sizeof text, "%a %b %e %H:%M:%S %Y",
                              ::localtime_r(&seconds, &parts))};
}

struct PostmanState {
  static inline const char* name = "postman";
  explicit PostmanState(PostmanActor::pointer self) : self(self) {}

  void begin(PostmanSetup given) {
    setup = std::move(given);
    enlist(self, setup.directory, "postman", "");
    setup.store->scan(store::Family::letters, [this](std::string_view, std::string_view value) {
      if (auto letter = decode<Letter>(value)) outbox.add(std::move(*letter));
    });
    go_round();
  }

  // Most commits hold no letter: those that wait have their timer.
  void take(const Publish& news) {
    bool any = false;
    for (const auto& effects : *news.decided)
      for (const auto& effect : effects)
        if (const auto* letter = std::get_if<Letter>(&effect)) outbox.add(*letter), any = true;
        else if (const auto* object = std::get_if<ConfigurationObject>(&effect)) follow(*object);
    if (any) go_round();
  }

  void follow(const ConfigurationObject& object) {
    if (object.kind != ObjectKind::global_configuration) return;
    if (auto global = GlobalConfiguration::parse(object)) setup.program = global->mailer;
  }

  // Tries all that are due. Those that are done with leave the store together.
  void go_round() {
    const auto done = std::make_shared<std::vector<store::Write>>();
    while (const auto* letter = outbox.due(setup.clock->now()))
      if (const auto sequence = letter->sequence; deliver(*letter))
        done->push_back({store::Family::letters, store::number_key(sequence), std::nullopt});
    if (!done->empty()) caf::anon_send(setup.journal, CommitBatch{done});
    ++generation;
    if (const auto next = outbox.next_try(); !next.is_never())
      self->delayed_send(self, until(next, setup.clock->now()), Wake{generation});
  }

  // True if it need not be kept.
  bool deliver(const Letter& letter) {
    const auto sequence = letter.sequence;
    const auto subject = subject_of(letter), to = letter.to;
    const auto handed_over = setup.program.empty()
                                 ? Outcome(Done{})
                                 : setup.mailer->send(setup.program, to, subject,
                                                      text_of(letter, setup.store_id, local_time));
    if (handed_over) {
      outbox.sent(sequence);
      ++sent;
      return true;
    }
    const bool again = outbox.failed(sequence, setup.clock->now());
    spdlog::log(again ? spdlog::level::warn : spdlog::level::err, "mail to {}: {}: {}{}", to,
                subject, handed_over.what(), again ? "" : "; it is given up");
    return !again;
  }

  PostmanActor::pointer self;
  PostmanSetup setup;
  Outbox outbox;
  std::int64_t sent = 0, generation = 0;
};

PostmanActor::behavior_type postman(Watched<PostmanActor, PostmanState> self,
                                    std::shared_ptr<PostmanSetup> setup) {
  end_process_on_exception(self, "postman");
  self->state.begin(std::move(*setup));
  return {
      [self](const Publish& news) { self->state.take(news); },
      [self](const Wake& wake) {
        if (wake.generation == self->state.generation) self->state.go_round();
      },
      [self](const Inspect&) {
        return ActorState{"sent: " + std::to_string(self->state.sent) +
                          "\nwaiting: " + std::to_string(self->state.outbox.size()) + "\n"};
      },
  };
}

} // namespace

PostmanActor spawn_postman(caf::actor_system& system, PostmanSetup setup) {
  return system.spawn<caf::detached>(postman, std::make_shared<PostmanSetup>(std::move(setup)));
}

} // namespace almanac

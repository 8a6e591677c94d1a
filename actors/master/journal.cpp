#include "actors/master/journal.hpp"

#include "actors/support.hpp"

#include <cstdlib>

namespace almanac {

namespace {

struct JournalState {
  static inline const char* name = "journal";
  explicit JournalState(JournalActor::pointer self) : self(self) {}

  Durable commit(const CommitBatch& request) {
    crash_point("before-commit");
    const auto outcome = journal->commit(*request.batch, term);
    if (outcome == Commit::durable) {
      ++commits;
      crash_point("after-commit");
      return {};
    }
    spdlog::critical("{}", outcome == Commit::fenced
                               ? "another master has opened the store: this one ends"
                               : "the store can't be written: the master ends");
    std::_Exit(1);
  }

  JournalActor::pointer self;
  Journal* journal = nullptr;
  Term term;
  std::int64_t commits = 0;
};

JournalActor::behavior_type journal_actor(Watched<JournalActor, JournalState> self,
                                          DirectoryActor directory, Journal* journal, Term term) {
  end_process_on_exception(self, "journal");
  self->state.journal = journal, self->state.term = term;
  enlist(self, directory, "journal", "");
  return {
      [self](const CommitBatch& request) { return self->state.commit(request); },
      [self](const Inspect&) {
        return ActorState{"term: " + to_string(self->state.term) +
                          "\ncommits: " + std::to_string(self->state.commits) +
                          "\nmailbox: " + std::to_string(self->mailbox().size()) + "\n"};
      },
  };
}

} // namespace

JournalActor spawn_journal(caf::actor_system& system, const DirectoryActor& directory,
                           Journal& journal, Term term, Thread thread) {
  if (thread == Thread::own)
    return system.spawn<caf::detached>(journal_actor, directory, &journal, term);
  return system.spawn(journal_actor, directory, &journal, term);
}

} // namespace almanac

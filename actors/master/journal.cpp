#include "actors/master/journal.hpp"

#include "actors/master/accounting_frames.hpp"
#include "actors/support.hpp"
#include "schema/codec.hpp"

#include <algorithm>
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
    spdlog::shutdown();
    std::_Exit(1);
  }

  ScriptContent script(const std::string& hash) const {
    auto content = journal->get(store::Family::scripts, hash);
    return {std::make_shared<const std::string>(content.value_or(""))};
  }

  FoundAccountingRecords accounting_of(const FindAccountingRecords& query) const {
    constexpr std::size_t most = 500;
    FoundAccountingRecords result;
    std::size_t seen = 0;
    journal->scan_from(store::Family::accounting, query.from,
                       [&](std::string_view key, std::string_view value) {
                         if (++seen > most) {
                           result.next = key;
                           return false;
                         }
                         auto record = decode<AccountingRecord>(value);
                         if (record && query.jobs->contains(record->job_number))
                           result.records.push_back(std::move(*record));
                         return true;
                       });
    return result;
  }

  InputSummaries happenings(std::int64_t after) const {
    constexpr std::size_t most = 200;
    if (after < 0) {
      const auto last = journal->last(store::Family::inputs);
      const auto newest = last ? decode<JournaledInput>(*last) : Result<JournaledInput>(Error{""});
      after = newest ? std::max<std::int64_t>(0, newest->sequence.value + after) : 0;
    }
    InputSummaries result;
    journal->scan_from(store::Family::inputs, store::number_key(after + 1),
                       [&](std::string_view, std::string_view value) {
                         if (auto input = decode<JournaledInput>(value))
                           result.inputs.push_back(summary_of(*input));
                         return result.inputs.size() < most;
                       });
    return result;
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
      [self](const GetScript& query) { return self->state.script(query.hash); },
      [self](const GetAccountingRecords&) {
        return QueryReply{accounting_frames(*self->state.journal)};
      },
      [self](const FindAccountingRecords& query) { return self->state.accounting_of(query); },
      [self](const GetInputSummaries& query) { return self->state.happenings(query.after); },
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

#include "actors/agent/agent_parts.hpp"
#include "actors/support.hpp"
#include "actors/trust/keyring.hpp"

#include <deque>

namespace almanac {

namespace {

// One file is asked for after the other, so that a master of many hosts has few of them on the way.
//
//   list --what differs--> asked, one at a time --its content comes--> kept --> the next one
//
// A list that comes meanwhile begins anew: what was asked for before it is taken if it is what the
// new list means, too.
struct CommonCopiesState {
  static inline const char* name = "common-copies";
  explicit CommonCopiesState(CommonCopiesActor::pointer self) : self(self) {}

  CommonFileCopies& copies() const { return *context->setup.common_copies; }

  void hear(const CommonFilesListed& news) {
    masters = news.list.files;
    const auto steps = common_file_steps(masters, copies().all());
    for (const auto& file : steps.to_remove) note(copies().remove(file), "is removed", file);
    wanted.assign(steps.to_ask.begin(), steps.to_ask.end());
    ask();
  }

  void hear(const CommonFileCame& news) {
    const auto& [file, content] = news.file;
    if (wanted.empty() || wanted.front() != file) return;
    wanted.pop_front();
    // If it is not, the next list is on its way.
    const bool is_kept = content.content.size() <= largest_common_file &&
                         is_current(masters, {file, sha256(content.content)});
    if (is_kept) note(copies().write(file, content.content), "is another one now", file);
    ask();
  }

  void ask() {
    if (!wanted.empty()) self->send(context->agent, WantCommonFile{wanted.front()});
  }

  // What could not be done is tried again with the next list: in the next session at the latest.
  void note(const Outcome& outcome, const char* what, const std::string& file) {
    if (outcome) spdlog::info("common file {}: {}", file, what), ++changes;
    else spdlog::warn("common file {}: {}", file, outcome.what());
  }

  CommonCopiesActor::pointer self;
  std::shared_ptr<const AgentContext> context;
  std::vector<CommonFileVersion> masters;
  std::deque<std::string> wanted; ///< the first one is asked for
  std::int64_t changes = 0;
};

CommonCopiesActor::behavior_type common_copies(Watched<CommonCopiesActor, CommonCopiesState> self,
                                               std::shared_ptr<const AgentContext> context) {
  end_process_on_exception(self, "common-copies");
  enlist(self, context->setup.directory, "common-copies", "");
  self->state.context = std::move(context);
  return {
      [self](const CommonFilesListed& news) { self->state.hear(news); },
      [self](const CommonFileCame& news) { self->state.hear(news); },
      [self](const Inspect&) {
        return ActorState{"listed: " + std::to_string(self->state.masters.size()) +
                          "\nwanted: " + std::to_string(self->state.wanted.size()) +
                          "\nchanges: " + std::to_string(self->state.changes) + "\n"};
      },
  };
}

} // namespace

CommonCopiesActor spawn_common_copies(caf::actor_system& system,
                                      std::shared_ptr<const AgentContext> context) {
  return system.spawn(common_copies, std::move(context));
}

} // namespace almanac

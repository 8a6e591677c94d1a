#include "actors/master/site_files.hpp"

#include "core/configuration/objects/site_file.hpp"
#include "core/policy/site_policy.hpp"

#include <optional>
#include <utility>

namespace almanac {

namespace {

constexpr auto look_period = std::chrono::seconds(5);

// A text of nothing means that there is no file. One that is there, and empty, is another matter:
// of an editor that writes it anew one may see it so.
std::string content_of(const CommonFileContent& file) {
  return file.content.empty() ? "\n" : file.content;
}

struct SiteFilesState {
  static inline const char* name = "site-files";
  explicit SiteFilesState(SiteFilesActor::pointer self) : self(self) {}

  void begin(SiteFilesSetup given) {
    setup.emplace(std::move(given));
    look();
  }

  void look() {
    for (const auto& [name, source] : setup->sources)
      if (const auto found = source->look())
        tell(name, found->empty() ? "" : content_of(found->front()));
    self->delayed_send(self, look_period, Wake{});
  }

  void tell(const std::string& name, const std::string& text) {
    auto& known = setup->known[name];
    if (known == text) return;
    known = text;
    if (text.empty()) setup->in_force.erase(name);
    else if (!site_file_fault(name, text)) setup->in_force.insert(name);
    if (why_unusable(text).empty())
      spdlog::info("site file read name={} bytes={}", name, text.size());
    caf::anon_send(setup->calendar, Tell{SiteFileRead{name, text}});
  }

  ActorState inspect() const {
    std::string shown;
    for (const auto& [name, text] : setup->known) {
      if (!text) continue;
      if (text->empty()) shown += name + ": there is none\n";
      else if (why_unusable(*text).empty()) shown += line_of_site_file(name, *text) + "\n";
      const auto fault = site_file_fault(name, *text);
      if (!fault) continue;
      shown += name + " is not in force: " + *fault + "\n";
      if (setup->in_force.contains(name)) shown += name + ": what was read before is in force\n";
    }
    return {shown};
  }

  SiteFilesActor::pointer self;
  std::optional<SiteFilesSetup> setup;
};

SiteFilesActor::behavior_type site_files(Watched<SiteFilesActor, SiteFilesState> self,
                                         SiteFilesSetup setup) {
  end_process_on_exception(self, "site-files");
  enlist(self, setup.directory, "site-files", "");
  self->state.begin(std::move(setup));
  return {
      [self](const Wake&) { self->state.look(); },
      [self](const Inspect&) { return self->state.inspect(); },
  };
}

} // namespace

SiteFilesActor spawn_site_files(caf::actor_system& system, SiteFilesSetup setup, Thread thread) {
  if (thread == Thread::own) return system.spawn<caf::detached>(site_files, std::move(setup));
  return system.spawn(site_files, std::move(setup));
}

} // namespace almanac

#include "actors/master/exporter.hpp"

#include "actors/support.hpp"
#include "core/job/accounting_line.hpp"
#include "schema/codec.hpp"

namespace almanac {

namespace {

struct ExporterState {
  static inline const char* name = "exporter";
  explicit ExporterState(ExporterActor::pointer) {}

  void recover(const Journal& journal) {
    if (!files.accounting) return;
    last = files.accounting->recover();
    std::string lines;
    journal.scan(store::Family::accounting, [&](std::string_view, std::string_view value) {
      auto record = decode<AccountingRecord>(value);
      if (!record || record->sequence <= last) return;
      if (writes) lines += accounting_line(*record) + "\n";
      last = record->sequence;
    });
    write(lines);
  }

  // What can't be written waits for the next time.
  void write(const std::string& lines) {
    unwritten += lines;
    if (files.accounting->append(unwritten, last)) unwritten.clear();
  }

  void take(const Publish& news) {
    std::string lines;
    const auto before = last;
    for (const auto& effects : *news.decided)
      for (const auto& effect : effects) {
        if (const auto* object = std::get_if<ConfigurationObject>(&effect)) follow(*object);
        const auto* record = std::get_if<AccountingRecord>(&effect);
        if (!files.accounting || !record || record->sequence <= last) continue;
        if (writes) lines += accounting_line(*record) + "\n";
        last = record->sequence;
      }
    if (last != before || !unwritten.empty()) write(lines);
    if (files.schedule) files.schedule->clear_away(news.now);
  }

  void take(const ScheduleRun& run) {
    if (files.schedule) files.schedule->append(run.lines, run.at);
  }

  void follow(const ConfigurationObject& object) {
    if (object.kind != ObjectKind::global_configuration) return;
    if (auto global = GlobalConfiguration::parse(object)) follow(*global);
  }
  void follow(const GlobalConfiguration& global) {
    writes = global.writes_accounting;
    if (files.schedule) files.schedule->follow(global.kept.schedule);
  }

  ExportFiles files;
  bool writes = true;
  std::string unwritten;
  std::int64_t last = 0;
};

ExporterActor::behavior_type exporter(Watched<ExporterActor, ExporterState> self,
                                      DirectoryActor directory, const Journal* journal,
                                      ExportFiles files, GlobalConfiguration global) {
  end_process_on_exception(self, "exporter");
  enlist(self, directory, "exporter", "accounting");
  self->state.files = files;
  self->state.follow(global);
  self->state.recover(*journal);
  return {
      [self](const Publish& news) { self->state.take(news); },
      [self](const ScheduleRun& run) { self->state.take(run); },
      [self](const Inspect&) {
        return ActorState{"exported: " + std::to_string(self->state.last) + "\n"};
      },
  };
}

} // namespace

ExporterActor spawn_exporter(caf::actor_system& system, const DirectoryActor& directory,
                             const Journal& journal, ExportFiles files,
                             const GlobalConfiguration& global) {
  return system.spawn(exporter, directory, &journal, files, global);
}

} // namespace almanac

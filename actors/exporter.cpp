#include "actors/exporter.hpp"

#include "actors/support.hpp"
#include "core/execution/accounting_line.hpp"
#include "schema/codec.hpp"

namespace almanac {

namespace {

struct ExporterState {
  static inline const char* name = "exporter";
  explicit ExporterState(ExporterActor::pointer) {}

  void recover(const Journal& journal) {
    last = file->recover();
    std::string lines;
    journal.scan(store::Family::accounting, [&](std::string_view, std::string_view value) {
      auto record = decode<AccountingRecord>(value);
      if (!record || record->sequence <= last) return;
      lines += accounting_line(*record) + "\n";
      last = record->sequence;
    });
    if (!lines.empty()) file->append(lines, last);
  }

  void take(const std::vector<Effect>& effects) {
    std::string lines;
    for (const auto& effect : effects) {
      const auto* record = std::get_if<AccountingRecord>(&effect);
      if (!record || record->sequence <= last) continue;
      lines += accounting_line(*record) + "\n";
      last = record->sequence;
    }
    if (!lines.empty()) file->append(lines, last);
  }

  ExportFile* file = nullptr;
  std::int64_t last = 0;
};

ExporterActor::behavior_type exporter(ExporterActor::stateful_pointer<ExporterState> self,
                                      DirectoryActor directory, const Journal* journal,
                                      ExportFile* file) {
  end_process_on_exception(self, "exporter");
  enlist(self, directory, "exporter", "accounting");
  self->state.file = file;
  if (file) self->state.recover(*journal);
  return {
      [self](const Publish& news) {
        if (self->state.file) self->state.take(*news.effects);
      },
      [self](const Inspect&) {
        return ActorState{"exported: " + std::to_string(self->state.last) + "\n"};
      },
  };
}

} // namespace

ExporterActor spawn_exporter(caf::actor_system& system, const DirectoryActor& directory,
                             const Journal& journal, ExportFile* file) {
  return system.spawn(exporter, directory, &journal, file);
}

} // namespace almanac

#include "actors/master/exporter.hpp"

#include "actors/support.hpp"
#include "core/job/accounting_line.hpp"
#include "core/reservation/reporting_line.hpp"
#include "schema/codec.hpp"

namespace almanac {

namespace {

std::string line_of(const AccountingRecord& record) { return accounting_line(record); }
std::string line_of(const ReportingRecord& record) { return reporting_line(record); }

// One file, and the family of the store that it follows.
template <class Record> class Export {
public:
  bool writes = true; ///< false: what comes is passed over
  std::int64_t last() const { return last_; }

  /// nullptr: nothing is exported.
  void recover(ExportFile* file, const Journal& journal, store::Family family) {
    file_ = file;
    if (!file_) return;
    last_ = marked_ = file_->recover();
    journal.scan_from(family, store::number_key(last_ + 1),
                      [this](std::string_view, std::string_view value) {
                        if (const auto record = decode<Record>(value)) take(*record);
                        return true;
                      });
  }

  void take(const Effect& effect) {
    if (const auto* record = std::get_if<Record>(&effect)) take(*record);
  }

  /// What can't be written waits for the next time.
  void write() {
    if (!unwritten_.empty() || last_ != marked_) write_file();
  }
  /// The same, and the file is there even if there was nothing to be written.
  void write_file() {
    if (file_ && file_->append(unwritten_, last_)) unwritten_.clear(), marked_ = last_;
  }

private:
  void take(const Record& record) {
    if (!file_ || record.sequence <= last_) return;
    if (writes) unwritten_ += line_of(record) + "\n";
    last_ = record.sequence;
  }

  ExportFile* file_ = nullptr;
  std::string unwritten_;
  std::int64_t last_ = 0, marked_ = 0; ///< what is taken, and what the file is known to hold
};

struct ExporterState {
  static inline const char* name = "exporter";
  explicit ExporterState(ExporterActor::pointer) {}

  void recover(const ExportFiles& files, const Journal& journal) {
    accounting.recover(files.accounting, journal, store::Family::accounting);
    reporting.recover(files.reporting, journal, store::Family::reports);
    accounting.write_file(), reporting.write();
  }

  void write() { accounting.write(), reporting.write(); }

  void take(const Publish& news) {
    for (const auto& effects : *news.decided)
      for (const auto& effect : effects) {
        if (const auto* object = std::get_if<ConfigurationObject>(&effect)) follow(*object);
        accounting.take(effect), reporting.take(effect);
      }
    write();
    if (schedule) schedule->clear_away(news.now);
  }

  void take(const ScheduleRun& run) {
    if (schedule) schedule->append(run.lines, run.at);
  }

  void follow(const ConfigurationObject& object) {
    if (object.kind != ObjectKind::global_configuration) return;
    if (auto global = GlobalConfiguration::parse(object)) follow(*global);
  }
  void follow(const GlobalConfiguration& global) {
    accounting.writes = global.writes_accounting;
    if (schedule) schedule->follow(global.kept.schedule);
  }

  ActorState inspect() const {
    return {"exported: " + std::to_string(accounting.last()) +
            "\nreported: " + std::to_string(reporting.last()) + "\n"};
  }

  ScheduleFile* schedule = nullptr;
  Export<AccountingRecord> accounting;
  Export<ReportingRecord> reporting;
};

ExporterActor::behavior_type exporter(Watched<ExporterActor, ExporterState> self,
                                      DirectoryActor directory, const Journal* journal,
                                      ExportFiles files, GlobalConfiguration global) {
  end_process_on_exception(self, "exporter");
  enlist(self, directory, "exporter", "accounting");
  self->state.schedule = files.schedule;
  self->state.follow(global);
  self->state.recover(files, *journal);
  return {
      [self](const Publish& news) { self->state.take(news); },
      [self](const ScheduleRun& run) { self->state.take(run); },
      [self](const Inspect&) { return self->state.inspect(); },
  };
}

} // namespace

ExporterActor spawn_exporter(caf::actor_system& system, const DirectoryActor& directory,
                             const Journal& journal, ExportFiles files,
                             const GlobalConfiguration& global) {
  return system.spawn(exporter, directory, &journal, files, global);
}

} // namespace almanac

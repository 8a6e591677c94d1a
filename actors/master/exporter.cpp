#include "actors/master/exporter.hpp"

#include "actors/support.hpp"
#include "core/job/accounting_line.hpp"
#include "core/reservation/reporting_line.hpp"
#include "schema/codec.hpp"

#include <utility>

namespace almanac {

namespace {

std::string line_of(const AccountingRecord& record) { return accounting_line(record); }
std::string line_of(const ReportingRecord& record) { return reporting_line(record); }

// One file, and the family of the store that it follows.
template <class Record> class Export {
public:
  explicit Export(store::Family family) : family_(family) {}

  bool writes = true;    ///< false: what comes is passed over
  Duration gather;       ///< lines may wait so long
  bool is_timed = false; ///< somebody comes back to write them
  std::int64_t last() const { return last_; }

  /// nullptr: nothing is exported.
  void recover(ExportFile* file, const Journal& journal) {
    file_ = file, journal_ = &journal;
    if (!file_) return;
    last_ = marked_ = file_->recover();
    read_on();
  }

  void take(const Effect& effect) {
    const auto* record = std::get_if<Record>(&effect);
    if (!record || !file_ || is_behind_) return;
    if (is_full()) is_behind_ = true;
    else add(*record);
  }

  bool waits() const { return !unwritten_.empty() || is_behind_ || last_ != marked_; }
  /// What can't be written waits for the next time.
  void write() {
    while (waits() && write_file() && is_behind_) read_on();
  }
  /// The file is there even if there was nothing to be written.
  bool write_file() {
    if (!file_ || !file_->append(unwritten_, last_)) return false;
    unwritten_.clear(), marked_ = last_;
    return true;
  }

private:
  bool is_full() const { return unwritten_.size() >= most_unwritten; }

  void add(const Record& record) {
    if (record.sequence <= last_) return;
    if (writes) unwritten_ += line_of(record) + "\n";
    last_ = record.sequence;
  }

  // What is in the store behind the last one, as far as it may wait in memory.
  void read_on() {
    is_behind_ = false;
    journal_->scan_from(family_, store::number_key(last_ + 1),
                        [this](std::string_view, std::string_view value) {
                          is_behind_ = is_full();
                          if (is_behind_) return false;
                          if (const auto record = decode<Record>(value)) add(*record);
                          return true;
                        });
  }

  store::Family family_;
  ExportFile* file_ = nullptr;
  const Journal* journal_ = nullptr;
  std::string unwritten_;
  bool is_behind_ = false;             ///< the store has more than what was taken
  std::int64_t last_ = 0, marked_ = 0; ///< what is taken, and what the file is known to hold
};

struct ExporterState {
  static inline const char* name = "exporter";
  explicit ExporterState(ExporterActor::pointer self) : self(self) {}

  void recover(const ExportFiles& files, const Journal& journal) {
    accounting.recover(files.accounting, journal);
    reporting.recover(files.reporting, journal);
    accounting.write_file(), accounting.write(), reporting.write();
  }

  // Each file has its own timer, told by its number.
  template <class Record> void write_in_time(Export<Record>& file, std::int64_t number) {
    if (!file.waits()) return;
    if (file.gather.seconds == 0) file.write();
    else if (!std::exchange(file.is_timed, true))
      self->delayed_send(self, to_chrono(file.gather), Wake{number});
  }
  void write() { write_in_time(accounting, of_accounting), write_in_time(reporting, of_reporting); }

  void wake(const Wake& wake) {
    if (wake.generation == of_accounting) accounting.is_timed = false, accounting.write();
    else reporting.is_timed = false, reporting.write();
    write(); // what could not be written is tried again
  }

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
    accounting.gather = global.accounting_flush, reporting.gather = global.report_flush;
    if (schedule) schedule->follow(global.kept.schedule);
  }

  ActorState inspect() const {
    return {"exported: " + std::to_string(accounting.last()) +
            "\nreported: " + std::to_string(reporting.last()) + "\n"};
  }

  static constexpr std::int64_t of_accounting = 0, of_reporting = 1;

  ExporterActor::pointer self;
  ScheduleFile* schedule = nullptr;
  Export<AccountingRecord> accounting{store::Family::accounting};
  Export<ReportingRecord> reporting{store::Family::reports};
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
      [self](const Wake& wake) { self->state.wake(wake); },
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

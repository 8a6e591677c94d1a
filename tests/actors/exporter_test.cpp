// What the exporter hands on to its files.
#include "actors/master/exporter.hpp"
#include "schema/codec.hpp"
#include "tests/actors/memory_store.hpp"

#include <algorithm>
#include <chrono>

using namespace almanac;

namespace {

class Trace : public ScheduleFile {
public:
  void follow(const Retention& now) override { retention = now; }
  void append(const std::vector<std::string>& lines, Instant now) override {
    runs.emplace_back(lines, now);
  }
  void clear_away(Instant now) override { looked = now; }

  Retention retention;
  std::vector<std::pair<std::vector<std::string>, Instant>> runs;
  Instant looked;
};

class GivenAnExporterOfTheTraceAlone : public ActorFixture {
public:
  MemoryStore store;
  Trace trace;
  ExporterActor exporter =
      keep(spawn_exporter(system, directory, store, {nullptr, &trace}, GlobalConfiguration{}));

  void publish(std::vector<Effect> effects, Instant now) {
    std::vector<std::vector<Effect>> decided;
    decided.push_back(std::move(effects));
    tell(
        exporter,
        Publish{std::make_shared<const std::vector<std::vector<Effect>>>(std::move(decided)), now});
  }
};

// A file that may refuse, and remembers what a crash leaves of it.
class ExportedLines : public ExportFile {
public:
  std::int64_t recover() override { return sequence; }
  bool append(const std::string& lines, std::int64_t up_to) override {
    if (refuses) return false;
    text += lines, sequence = up_to;
    longest = std::max(longest, lines.size()), ++appended;
    return true;
  }

  std::string text;
  std::int64_t sequence = 0;
  std::size_t longest = 0;
  int appended = 0;
  bool refuses = false;
};

ReportingRecord report_numbered(std::int64_t sequence) {
  ReportingRecord record;
  record.sequence = sequence, record.at = {7}, record.number = {sequence};
  record.submitted = {5}, record.owner = "ann";
  return record;
}

class GivenReportsInTheStore : public ActorFixture {
public:
  MemoryStore store;
  ExportedLines file;
  ExporterActor exporter;

  GivenReportsInTheStore() {
    for (std::int64_t sequence = 1; sequence <= 3; ++sequence)
      keep_in_store(report_numbered(sequence));
  }
  void keep_in_store(const ReportingRecord& record) {
    store.families[store::Family::reports][store::number_key(record.sequence)] = encode(record);
  }
  void begin(Duration gather = {}) {
    ExportFiles files;
    files.reporting = &file;
    GlobalConfiguration global;
    global.report_flush = gather;
    exporter = keep(spawn_exporter(system, directory, store, files, global));
    settle();
  }
  void publish(std::int64_t sequence) {
    keep_in_store(report_numbered(sequence));
    publish_all(sequence, sequence);
  }
  void publish_all(std::int64_t first, std::int64_t last) {
    std::vector<std::vector<Effect>> decided(1);
    for (auto sequence = first; sequence <= last; ++sequence)
      decided.front().push_back(report_numbered(sequence));
    tell(
        exporter,
        Publish{std::make_shared<const std::vector<std::vector<Effect>>>(std::move(decided)), {8}});
  }
  static std::string lines(std::int64_t from, std::int64_t to) {
    std::string text;
    for (auto number = from; number <= to; ++number)
      text += "7:new_ar:5:" + std::to_string(number) + ":ann\n";
    return text;
  }
};

} // namespace

TEST_F(GivenReportsInTheStore, WhenTheFileIsBehindThenWhatIsMissingIsWrittenAndNothingTwice) {
  file.sequence = 1;
  begin();
  EXPECT_EQ(file.text, lines(2, 3));
  publish(4);
  EXPECT_EQ(file.text, lines(2, 4));
  EXPECT_EQ(file.sequence, 4);
}

TEST_F(GivenReportsInTheStore, WhenTheFileCannotBeWrittenThenAllOfItComesLater) {
  file.refuses = true;
  begin();
  publish(4);
  EXPECT_EQ(file.text, "");
  file.refuses = false;
  publish(5);
  EXPECT_EQ(file.text, lines(1, 5));
}

// C11.16
TEST_F(GivenReportsInTheStore, WhenLinesAreGatheredThenTheyComeTogetherInTime) {
  file.sequence = 3;
  begin({15});
  publish(4);
  pass(std::chrono::seconds(10));
  publish(5);
  EXPECT_EQ(file.text, "");
  pass(std::chrono::seconds(6));
  EXPECT_EQ(file.text, lines(4, 5));
  EXPECT_EQ(file.appended, 1);
  file.refuses = true;
  publish(6);
  pass(std::chrono::seconds(15));
  file.refuses = false;
  pass(std::chrono::seconds(15));
  EXPECT_EQ(file.text, lines(4, 6)) << "tried again";
}

TEST_F(GivenReportsInTheStore, WhenTheFileCannotBeWrittenThenOnlySomeOfItWaitsInMemory) {
  store.families.clear();
  begin();
  file.refuses = true;
  const std::int64_t last = 60'000; // more than a MB of lines
  for (std::int64_t sequence = 1; sequence <= last; ++sequence)
    keep_in_store(report_numbered(sequence));
  publish_all(1, last);
  file.refuses = false;
  publish(last + 1);
  EXPECT_EQ(file.text, lines(1, last + 1)) << "no gap, nothing twice";
  EXPECT_LE(file.longest, most_unwritten + 100);
  EXPECT_EQ(file.sequence, last + 1);
}

TEST_F(GivenReportsInTheStore, WhenNothingIsToldThenTheFileIsLeftAlone) {
  store.families.clear();
  file.refuses = true;
  begin();
  EXPECT_EQ(file.sequence, 0);
  EXPECT_EQ(file.text, "");
}

TEST_F(GivenAnExporterOfTheTraceAlone, WhenARunComesThenItIsWritten) {
  tell(exporter, ScheduleRun{{"::::::::"}, {7}});
  ASSERT_EQ(trace.runs.size(), 1u);
  EXPECT_EQ(trace.runs[0].first, std::vector<std::string>{"::::::::"});
  EXPECT_EQ(trace.runs[0].second, Instant{7});
}

TEST_F(GivenAnExporterOfTheTraceAlone, WhenTheConfigurationChangesThenTheTraceIsKeptThatLong) {
  settle();
  EXPECT_EQ(trace.retention, (Retention{{7 * 24 * 3600}, 1024}));
  publish({ConfigurationObject{ObjectKind::global_configuration,
                               "global",
                               {{"qmaster_params", "SCHEDULE_DAYS=2 SCHEDULE_MB=0"}}}},
          {9});
  EXPECT_EQ(trace.retention, (Retention{{2 * 24 * 3600}, 0}));
  EXPECT_EQ(trace.looked, Instant{9}) << "time goes on where nothing is written";
}

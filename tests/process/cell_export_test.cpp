// A cell in a file, and back.
#include "master/cell_export.hpp"

#include "actors/record_json.hpp"
#include "actors/trust/keyring.hpp"
#include "core/planning/planner.hpp"
#include "master/replay.hpp"
#include "master/rocks_journal.hpp"
#include "schema/codec.hpp"
#include "schema/store/checkpoint.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

using namespace almanac;

namespace {

const std::string script = std::string("#!/bin/sh\n\0\xff", 12);

// A reservation that runs, a job of it that runs, and one that waits for it.
Planner planner_at_work() {
  auto planner = *Planner::restore(Planner::initial_records("root", "master"));
  const Instant now{1'000'000};
  const Caller root{"root", "root", 0, 0, "master"};
  const auto tell = [&](const Input& input) {
    const auto checked = validated_input(input);
    return planner.handle(std::get<ValidInput>(checked), now);
  };
  const auto command = [&](CommandBody body) {
    const auto answer = *tell(Command{root, std::move(body)}).answer;
    EXPECT_EQ(answer.exit_code, 0);
    return answer.number;
  };
  command(AddHost{"h1", 4});
  tell(HostRegistered{"h1", {"lx-amd64", 4, 8LL << 30, "boot", "spool", "127.0.0.1:1"}});
  Reserve reserve;
  reserve.request.name = "course", reserve.request.duration = {7200};
  reserve.request.has_duration = true;
  const auto reservation = command(reserve);
  Submit submit;
  submit.request.name = "inside", submit.request.reservation = {reservation};
  submit.request.environment = {{"LATIN", "\xe9"}};
  submit.script_hash = sha256(script);
  const auto job = command(submit);
  submit.request.name = "behind", submit.request.predecessors = {std::to_string(job)};
  submit.request.reservation = {};
  command(submit);
  tell(Pass{});
  return planner;
}

class GivenACellAtWork : public ::testing::Test {
public:
  GivenACellAtWork() : planner(planner_at_work()) {
    char name[] = "/tmp/almanac-export-XXXXXX";
    folder = ::mkdtemp(name);
    auto writes = store::writes_of(planner.state().records().copy());
    writes.push_back({store::Family::scripts, sha256(script), script});
    old_cell = make("old", std::move(writes));
    const auto first = Planner::initial_records("root", "master");
    auto empty = store::writes_of(first);
    for (auto& write : store::checkpoint_writes(first, {}, {1})) empty.push_back(std::move(write));
    new_cell = make("new", std::move(empty));
  }

  ~GivenACellAtWork() override { std::filesystem::remove_all(folder); }

  std::unique_ptr<RocksJournal> make(const std::string& name,
                                     const std::vector<store::Write>& writes) {
    const auto path = folder + "/" + name;
    EXPECT_TRUE(RocksJournal::create(path, writes).ok());
    return std::move(*RocksJournal::open(path));
  }
  Result<CellImport> import(const std::string& text) {
    return import_cell(*new_cell, new_cell->term(), text);
  }
  /// Refused for this, and the store is as it was.
  void expect_refused(const Json& json, const std::string& why) {
    const auto refused = import(json.dump());
    ASSERT_FALSE(refused.ok()) << why;
    EXPECT_NE(refused.what().find(why), std::string::npos) << refused.what();
    EXPECT_TRUE(store::read_records(scan_of(*new_cell))->jobs.empty());
  }

  std::string folder;
  Planner planner;
  std::unique_ptr<RocksJournal> old_cell, new_cell;
};

} // namespace

TEST_F(GivenACellAtWork, WhenExportedAndImportedThenItIsTheSame) {
  const auto exported = export_cell(*old_cell);
  ASSERT_TRUE(exported.ok());
  EXPECT_EQ(exported->jobs, 2u);
  EXPECT_EQ(exported->reservations, 1u);
  EXPECT_TRUE(exported->left_out.empty());
  const auto imported = import(exported->text);
  ASSERT_TRUE(imported.ok()) << imported.what();
  EXPECT_EQ(imported->jobs, 2u);
  const auto records = store::read_records(scan_of(*new_cell));
  ASSERT_TRUE(records.ok());
  auto expected = planner.state().records().copy();
  expected.keys.clear(); // of hosts: they belong to the authority of the old cell
  EXPECT_EQ(Planner::restore(*records)->digest(), Planner::restore(expected)->digest());
  EXPECT_EQ(new_cell->get(store::Family::scripts, sha256(script)), script);
  EXPECT_EQ(export_cell(*new_cell)->text, exported->text);
  const auto replayed = replay(*new_cell);
  ASSERT_TRUE(replayed.ok()) << replayed.what();
  EXPECT_FALSE(import(exported->text).ok()) << "it is not empty any more";
}

TEST_F(GivenACellAtWork, WhenTheTextIsWrongThenItIsSaidWhereAndNothingIsImported) {
  const auto good = Json::parse(export_cell(*old_cell)->text);
  auto bad = good;
  bad["format"] = 2;
  expect_refused(bad, "it has format 2: this version reads format 1");
  bad = good, bad["jobs"][0]["colour"] = "red";
  expect_refused(bad, "jobs[0] has no field \"colour\"");
  bad = good, bad["jobs"][0]["number"] = "1";
  expect_refused(bad, "jobs[0].number is not a whole number");
  bad = good, bad["jobs"][0]["request"]["name"] = "a/b";
  expect_refused(bad, "job 1: ");
  bad = good, bad["tasks"][0]["state"] = 99;
  expect_refused(bad, "tasks[0].state is not a number from 0 to ");
  bad = good, bad["jobs"].erase(0);
  expect_refused(bad, "there are tasks without their job");
  bad["tasks"] = Json::array();
  expect_refused(bad, "job 2: it waits for a job that is missing");
  bad = good, bad["reservations"] = Json::array();
  expect_refused(bad, "job 1: the advance reservation that it runs in is missing");
  bad = good, bad["scripts"] = Json::object();
  expect_refused(bad, "job 1: its script is missing");
  bad = good, bad["scripts"][sha256(script)] = "another";
  expect_refused(bad, "is not what its hash says");
  bad = good, bad["counters"]["last_key"] = 0;
  expect_refused(bad, "counters.last_key is 0");
  bad = good, bad.erase("tasks");
  expect_refused(bad, "it has no tasks");
  EXPECT_EQ(import("{").what(), "it is not JSON, or not all of it");
  EXPECT_EQ(import("[]").what(), "it is no export of a cell");
}

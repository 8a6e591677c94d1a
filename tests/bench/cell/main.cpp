// Makes a cell of any size on the disk, with the store that its master opens: for benches of a real
// master without agents.
//
//     bench_cell DIR --hosts 1000 --jobs 100000 --reservations 1000
//     almanac-master --dir DIR
#include "actors/process/users.hpp"
#include "master/cell.hpp"
#include "master/rocks_journal.hpp"
#include "schema/store/checkpoint.hpp"
#include "tests/bench/cell/made_cell.hpp"

#include <CLI/CLI.hpp>

#include <ctime>
#include <iostream>
#include <sys/stat.h>

using namespace almanac;

namespace {

constexpr std::size_t bytes_in_a_batch = 4 << 20;

Outcome write_all(RocksJournal& journal, std::vector<store::Write> writes) {
  std::vector<store::Write> batch;
  std::size_t bytes = 0;
  for (auto& write : writes) {
    bytes += write.value->size();
    batch.push_back(std::move(write));
    if (bytes < bytes_in_a_batch) continue;
    if (auto written = journal.write(batch); !written) return written;
    batch.clear(), bytes = 0;
  }
  return journal.commit(batch, journal.term()) == Commit::durable
             ? Outcome(Done{})
             : Outcome(Error{"the last batch cannot be written"});
}

// The journal begins with these records: no input tells how they came.
Outcome fill_store(const std::string& path, const RecordSet& records) {
  auto journal = RocksJournal::open(path);
  if (!journal) return journal.error();
  if (auto written = write_all(**journal, store::writes_of(records)); !written) return written;
  return write_all(**journal, store::checkpoint_writes(records, {}));
}

} // namespace

int main(int argc, char** argv) {
  CLI::App app("Makes a cell with hosts, jobs and reservations, for benches.", "bench_cell");
  app.option_defaults()->always_capture_default();
  std::string directory;
  CellSize size;
  size.now = {std::time(nullptr)};
  app.add_option("DIR", directory, "the cell's folder; it is empty or not there")->required();
  app.add_option("--hosts", size.hosts, "hosts, as if their agents had just registered");
  app.add_option("--slots", size.slots, "slots of each host");
  app.add_option("--users", size.users, "users who own jobs; 0: root owns them");
  app.add_option("--jobs", size.jobs, "jobs that wait");
  app.add_option("--classes", size.classes, "different run times of jobs");
  app.add_option("--tasks", size.tasks, "tasks of each job; more than one: an array");
  app.add_flag("--holds", size.holds, "jobs are submitted with -R y");
  app.add_option("--reservations", size.reservations, "reservations of an hour each");
  app.add_option("--sets", size.sets, "resource quota sets of 50 rules each");
  app.add_option("--seed", size.seed, "the same seed and --now make the same records");
  app.add_option("--now", size.now.seconds, "when all of it happens: seconds since 1970; now");
  CLI11_PARSE(app, argc, argv);
  const auto fail = [](const Outcome& outcome) {
    std::cerr << "bench_cell: " << outcome.what() << "\n";
    return 1;
  };
  if (auto sound = valid(size); !sound) return fail(sound);
  ::umask(022);
  if (auto made = create_cell(directory, "bench", "root"); !made) return fail(made);
  const MadeCell cell(size, "root", host_name());
  const auto records = cell.planner().state().records().copy();
  if (auto filled = fill_store(directory + "/store", records); !filled) return fail(filled);
  std::cout << directory << ": " << size.hosts << " hosts, " << records.jobs.size() << " jobs, "
            << records.reservations.size() << " reservations, digest " << std::hex
            << cell.planner().digest() << "\n";
}

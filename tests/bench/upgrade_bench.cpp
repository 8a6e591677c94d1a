// How long it takes to bring a store of format 1 to ours.
//   bench_upgrade FOLDER [JOBS [TASKS_OF_EACH]]
#include "master/rocks_journal.hpp"
#include "schema/codec.hpp"
#include "schema/earlier_records.hpp"
#include "schema/store/upgrade.hpp"

#include <chrono>
#include <cstdlib>
#include <iostream>

using namespace almanac;

namespace {

store::JobOfFormat1 array(std::int64_t key, std::int64_t tasks) {
  store::JobOfFormat1 job;
  job.key = {key}, job.number = {key}, job.owner = {"alice", "users", 1001, 100, "h"};
  auto& request = job.request.edit();
  request.name = "array", request.command = "true";
  request.environment = {{"HOME", "/home/alice"}, {"PATH", "/usr/bin:/bin"}};
  request.tasks = {1, tasks, 1};
  for (std::int64_t number = 1; number <= tasks; ++number) {
    Task task;
    const auto host = "n" + std::to_string(number);
    task.number = number, task.attempt = 1, task.state = TaskState::running;
    task.grants = {{{"all.q", host}, 1}};
    task.bookings = {{Container::queue({"all.q", host}), "slots", 1},
                     {Container::host(host), "slots", 1}};
    task.booked = {Instant{1'000'000}, Instant{2'000'000}};
    job.tasks.push_back(std::move(task));
  }
  return job;
}

Outcome make_store(const std::string& path, std::int64_t jobs, std::int64_t tasks) {
  if (auto made = RocksJournal::create(path, {}); !made) return made;
  auto journal = RocksJournal::open(path);
  if (!journal) return journal.error();
  for (std::int64_t key = 1; key <= jobs; ++key)
    if (auto written = (*journal)->write(
            {{store::Family::jobs, store::number_key(key), encode(array(key, tasks))}});
        !written)
      return written;
  return (*journal)->write({{store::Family::meta, "format", "1"}});
}

} // namespace

int main(int count, char** arguments) {
  if (count < 2) {
    std::cerr << "bench_upgrade FOLDER [JOBS [TASKS_OF_EACH]]\n";
    return 2;
  }
  const std::string path = arguments[1] + std::string("/store");
  const auto number = [&](int place, std::int64_t otherwise) {
    return count > place ? std::atoll(arguments[place]) : otherwise;
  };
  const auto jobs = number(2, 1000), tasks = number(3, 1000);
  if (auto made = make_store(path, jobs, tasks); !made) {
    std::cerr << made.what() << "\n";
    return 1;
  }
  const auto begun = std::chrono::steady_clock::now();
  const auto journal = RocksJournal::open(path);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
  if (!journal) {
    std::cerr << journal.what() << "\n";
    return 1;
  }
  std::cout << "upgrade/tasks:" << jobs * tasks << "  " << took.count() << " s\n";
}

// What reading the past and removing it cost those who commit.
//   bench_archive FOLDER [RECORDS [JOBS_A_DAY]]
#include "actors/master/accounting_frames.hpp"
#include "actors/master/upkeep.hpp"
#include "core/planning/input.hpp"
#include "master/rocks_journal.hpp"
#include "schema/codec.hpp"
#include "schema/store/checkpoint.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <thread>

using namespace almanac;
using store::Family;
using Clock = std::chrono::steady_clock;

namespace {

constexpr std::int64_t day = 24 * 3600;

AccountingRecord record(std::int64_t sequence, Instant ended) {
  AccountingRecord made;
  made.sequence = sequence, made.job = {sequence}, made.job_number = {sequence};
  made.queue = "all.q", made.host = "node" + std::to_string(sequence % 1000);
  made.owner = "user" + std::to_string(sequence % 100), made.group = "users";
  made.job_name = "job", made.account = "sge", made.department = "defaultdepartment";
  made.submitted = made.started = ended, made.ended = ended;
  made.category = "-U arusers -l h_rt=3600";
  return made;
}

class Past {
public:
  explicit Past(RocksJournal& journal) : journal_(journal) {}

  void account(std::int64_t count, Instant ended) {
    for (; count > 0; --count) {
      const auto made = record(++accounts_, ended);
      add({Family::accounting, store::number_key(made.sequence), encode(made)});
      add(store::index_of(made));
    }
  }
  void input(std::int64_t count, Instant at) {
    for (; count > 0; --count) {
      ++inputs_;
      add({Family::inputs, store::number_key(inputs_),
           encode(JournaledInput{inputs_, at, 1, TaskOverdue{{{inputs_}, 0, 1}}, 1})});
    }
  }
  void write() {
    check(journal_.write(batch_).ok(), "the store can be written");
    batch_.clear();
  }
  std::int64_t inputs() const { return inputs_; }

private:
  void add(store::Write one) {
    batch_.push_back(std::move(one));
    if (batch_.size() >= 10'000) write();
  }
  RocksJournal& journal_;
  std::vector<store::Write> batch_;
  std::int64_t accounts_ = 0, inputs_ = 0;
};

double ms(Clock::duration took) { return std::chrono::duration<double, std::milli>(took).count(); }

// Commits as a master makes them, until `is_over` says so.
void commit_beside(const char* what, RocksJournal& journal, const std::function<bool()>& is_over) {
  std::vector<double> took;
  while (!is_over()) {
    std::vector<store::Write> batch;
    for (std::int64_t i = 0; i < 10; ++i)
      batch.push_back({Family::answers, "bench/" + std::to_string(i), std::string(300, 'x')});
    const auto begun = Clock::now();
    check(journal.commit(batch, journal.term()) == Commit::durable, "the store can be written");
    took.push_back(ms(Clock::now() - begun));
  }
  std::sort(took.begin(), took.end());
  if (took.empty()) return;
  std::printf("%-44s %6zu commits, median %.2f ms, 99 %% below %.2f ms, longest %.2f ms\n", what,
              took.size(), took[took.size() / 2], took[took.size() * 99 / 100], took.back());
}

std::int64_t read_all(const Archive& archive, AccountingFilter filter) {
  std::int64_t found = 0;
  const auto frames = accounting_frames(archive, {std::move(filter), {}, {}});
  while (const auto frame = frames->next())
    found += static_cast<std::int64_t>(std::get<door::Accounting>(*frame).records.size());
  return found;
}

// One after the other, as the archive has the journal commit them.
std::int64_t keep_up(Upkeep& upkeep, RocksJournal& journal, Instant now, std::int64_t inputs) {
  std::int64_t removed = 0;
  for (;;) {
    const auto piece = upkeep.next(now);
    if (!piece.writes.empty())
      check(journal.commit(piece.writes, journal.term()) == Commit::durable, "it can be written");
    removed += std::count_if(piece.writes.begin(), piece.writes.end(),
                             [](const auto& write) { return !write.value; });
    if (piece.wants_checkpoint) upkeep.begin_checkpoint(journal.snapshot(), {inputs}, now);
    else if (piece.is_last && piece.writes.empty()) return removed;
  }
}

void read_and_remove(const std::string& path, std::int64_t records) {
  auto made = RocksJournal::open(path);
  check(made.ok(), "the store can be opened");
  auto& journal = **made;
  const Instant now{2'000'000'000};
  Past past(journal);
  for (std::int64_t i = 0; i < 500; ++i)
    past.account(records / 500, now - Duration{(500 - i) * day});
  past.write();

  const auto until = Clock::now() + std::chrono::seconds(5);
  commit_beside("nobody else", journal, [&] { return Clock::now() >= until; });
  std::atomic<bool> is_over = false;
  std::int64_t found = 0;
  double took = 0;
  const auto beside = [&](const char* what, const std::function<std::int64_t()>& work) {
    is_over = false;
    std::thread other([&] {
      const auto begun = Clock::now();
      found = work();
      took = ms(Clock::now() - begun);
      is_over = true;
    });
    commit_beside(what, journal, [&] { return is_over.load(); });
    other.join();
  };
  beside("beside a reader who takes all", [&] { return read_all(journal, {}); });
  std::printf("  %lld records read in %.1f s\n", static_cast<long long>(found), took / 1000);
  AccountingFilter nobody;
  nobody.owner = "nobody";
  beside("beside a reader who finds nothing", [&] { return read_all(journal, nobody); });
  std::printf("  looked at all in %.1f s\n", took / 1000);
  AccountingFilter one;
  one.number = {records / 2};
  const auto begun = Clock::now();
  found = read_all(journal, one);
  std::printf("the records of one job: %lld, in %.2f ms\n", static_cast<long long>(found),
              ms(Clock::now() - begun));
  Upkeep upkeep(journal);
  upkeep.follow({});
  beside("beside the removal of what is too old",
         [&] { return keep_up(upkeep, journal, now, past.inputs()); });
  std::printf("  %lld entries removed in %.1f s\n", static_cast<long long>(found), took / 1000);
}

void a_year(const std::string& path, std::int64_t jobs_a_day) {
  auto made = RocksJournal::open(path);
  check(made.ok(), "the store can be opened");
  auto& journal = **made;
  Past past(journal);
  Upkeep upkeep(journal);
  upkeep.follow({{{100 * day}, 0}, {{7 * day}, 0}});
  const Instant begin{1'000'000'000};
  for (std::int64_t of_year = 1; of_year <= 365; ++of_year) {
    const auto now = begin + Duration{of_year * day};
    past.account(jobs_a_day, now);
    past.input(3 * jobs_a_day, now);
    past.write();
    keep_up(upkeep, journal, now, past.inputs());
    if (of_year % 60 == 5)
      std::printf("day %3lld: accounting %.1f MB, inputs %.1f MB\n",
                  static_cast<long long>(of_year),
                  static_cast<double>(journal.bytes_of(Family::accounting)) / 1e6,
                  static_cast<double>(journal.bytes_of(Family::inputs)) / 1e6);
  }
}

Outcome make_store(const std::string& path) {
  return RocksJournal::create(path, store::checkpoint_writes({}, {}, {1'000'000'000}));
}

} // namespace

int main(int count, char** arguments) {
  if (count < 2) {
    std::cerr << "bench_archive FOLDER [RECORDS [JOBS_A_DAY]]\n";
    return 2;
  }
  const auto number = [&](int place, std::int64_t otherwise) {
    return count > place ? std::atoll(arguments[place]) : otherwise;
  };
  const std::string folder = arguments[1];
  for (const char* name : {"/past", "/year"})
    if (const auto made = make_store(folder + name); !made) {
      std::cerr << made.what() << "\n";
      return 1;
    }
  read_and_remove(folder + "/past", number(2, 1'000'000));
  std::printf("a year of %lld jobs a day, accounting kept for 100 days, inputs for 7\n",
              static_cast<long long>(number(3, 5'000)));
  a_year(folder + "/year", number(3, 5'000));
}

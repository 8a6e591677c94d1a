// qralter under kill -9, over a real store: changes_under_kill FOLDER CHANGES [SEED]
//
// A process decides random changes of reservations that have jobs in them, and writes each as the
// master does: one batch, durable. It is killed before the write, between the write and everything
// that follows it, after the answer, or by its parent at any moment. Whoever goes on with the store
// finds the state of before or of after the change, as the phase says, never another one; bookings
// are those of a rebuild from the records; a change that was refused has left nothing (beyond Q7,
// B0.3, B0.31, B12.12).
#include "core/planning/planner.hpp"
#include "master/rocks_journal.hpp"
#include "schema/store/records.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <random>

using namespace almanac;

namespace {

enum class Death : std::uint8_t { before_the_write, after_the_write, after_the_answer, any };

// What a process says of an input that it has decided, and again once that is written.
struct Told {
  std::uint64_t before = 0, after = 0; ///< digests
  std::int64_t now = 100'000;
  bool is_written = false;
};
struct Count {
  std::int64_t changed = 0, refused = 0;
};
struct Line {
  Told told;
  Count count; ///< of this process
};

[[noreturn]] void fail(const std::string& what) {
  std::cerr << "changes_under_kill: " << what << std::endl;
  std::_Exit(1);
}
void require(bool holds, const char* what) {
  if (!holds) fail(what);
}

[[noreturn]] void die() {
  ::kill(::getpid(), SIGKILL);
  std::_Exit(1); // never reached
}

// ---- who decides and writes -----------------------------------------------------------------------

// Three hosts of three slots. All jobs have limits, and end by them.
class Decider {
public:
  Decider(const std::string& store, std::uint64_t seed, Instant now, int pipe)
      : chance_(seed), journal_(opened(store)), planner_(restored(*journal_)), pipe_(pipe) {
    line_.told.now = now.seconds;
  }

  std::uint64_t digest() const { return planner_.digest(); }
  void check_books() const {
    require(planner_.state().records().followers_agree(), "the books differ from the records");
    auto again = Planner::restore(planner_.state().records().copy());
    require(again.ok() && again->digest() == digest(), "what is rebuilt is another state");
    // Killed between the end of a job's time and its end, its slots are another's already.
    for (const auto& task : planner_.state().tasks())
      if (has_outstayed(task)) return;
    for (const auto& instance : planner_.state().configuration().instances())
      require(planner_.state().ledger().used(Container::queue(instance.name), "slots",
                                             {now(), Instant::never()}) <= instance.settings.slots,
              "more is booked than there is");
  }
  void set_up() {
    for (const char* host : {"h1", "h2", "h3"}) {
      command(AddHost{host, 3});
      decide(HostRegistered{host, {"lx", 4, 1, "b", "s", "a"}});
    }
    command(Configure{{ChangeVerb::modify,
                       {ObjectKind::scheduler_configuration, "", {{"params", "DURATION_OFFSET=0"}}},
                       {}}});
  }
  /// So many changes, with what happens between them; ends as it is told to with the last one.
  void run(int changes, Death death) {
    while (changes-- > 0) {
      go_on();
      if (dice(2) == 0) command(Reserve{any_request(), false});
      if (dice(2) == 0) submit();
      if (changes == 0) check_books(), dies_ = death;
      alter();
    }
    if (death != Death::any) die();
    ::pause(); // the parent was late
  }

private:
  static std::unique_ptr<RocksJournal> opened(const std::string& store) {
    auto journal = RocksJournal::open(store);
    if (!journal) fail(journal.what());
    return std::move(*journal);
  }
  static Planner restored(const RocksJournal& journal) {
    auto records = store::read_records([&](store::Family family, const auto& visit) {
      journal.scan(family, [&](auto key, auto value) { visit(key, value); });
    });
    if (!records) fail(records.what());
    auto planner = Planner::restore(std::move(*records));
    if (!planner) fail(planner.what());
    return std::move(*planner);
  }

  std::int64_t dice(std::int64_t sides) {
    return static_cast<std::int64_t>(chance_() % static_cast<std::uint64_t>(sides));
  }
  Instant now() const { return {line_.told.now}; }
  bool has_outstayed(const Task& task) const {
    return task.is_active() && task.last_moment() <= now();
  }

  Answer command(CommandBody body) {
    auto found = validated(Command{{"root", "root", 0, 0, "master"}, std::move(body)});
    if (const auto* why = std::get_if<Answer>(&found)) return *why;
    return *decide(std::get<0>(found)).answer;
  }
  Decisions decide(const ValidInput& input) {
    auto& told = line_.told;
    told.before = digest();
    auto decisions = planner_.handle(input, now());
    told.after = digest(), told.is_written = false;
    tell();
    if (dies_ == Death::before_the_write) die();
    const auto done = journal_->commit(store::writes_of(decisions), journal_->term());
    require(done == Commit::durable, "the store takes nothing");
    if (dies_ == Death::after_the_write) die();
    told.is_written = true;
    tell();
    if (dies_ == Death::after_the_answer) die();
    return decisions;
  }
  void tell() const {
    require(::write(pipe_, &line_, sizeof line_) == sizeof line_, "nobody listens");
  }

  // ---- what happens -------------------------------------------------------------------------------

  ReservationRequest any_request() {
    ReservationRequest request;
    request.duration = {1 + dice(300)}, request.has_duration = true;
    request.start = now() + Duration{dice(200)};
    request.pe = "fill", request.slots = {{1, 1 + dice(6)}};
    if (dice(2) == 0) request.slots.front().low = request.slots.front().high;
    if (dice(4) == 0) request.users = {dice(2) == 0 ? "root" : "alice"};
    return request;
  }
  ReservationNumber any_reservation() {
    std::vector<ReservationNumber> numbers{{1}};
    for (const auto& one : planner_.state().reservations())
      if (one.is_granted()) numbers.push_back(one.number);
    return numbers[static_cast<std::size_t>(dice(static_cast<std::int64_t>(numbers.size())))];
  }
  void submit() {
    JobRequest job;
    job.name = "j";
    if (dice(3) != 0) job.reservation = any_reservation();
    job.resources = {{"h_rt", std::to_string(1 + dice(120))}};
    if (dice(3) == 0) job.pe = "fill", job.slots = {{1, 1 + dice(3)}};
    command(Submit{job, "h"});
  }
  void alter() {
    AlterReservation change;
    change.number = any_reservation();
    for (const char* option : {"-a", "-d", "-pe", "-u", "-N"})
      if (dice(3) == 0) change.options.emplace_back(option);
    if (change.options.empty()) change.options = {"-d"};
    change.request = any_request();
    change.request.name = "n", change.force = dice(2) == 0;
    if (change.options.front() == "-a" && dice(3) == 0)
      change.request.start = {}, change.request.asap = true;
    const auto before = digest();
    const auto answer = command(change);
    ++(answer.exit_code == 0 ? line_.count.changed : line_.count.refused);
    require(answer.exit_code == 0 || digest() == before,
            "a change that was refused left something");
  }
  void go_on() {
    line_.told.now += dice(30);
    std::vector<Attempt> over, sent;
    for (const auto& task : planner_.state().tasks())
      if (has_outstayed(task)) over.push_back({task.job, task.number, task.attempt});
      else if (task.state == TaskState::sent) sent.push_back({task.job, task.number, task.attempt});
    for (const auto& attempt : sent) decide(TaskStarted{attempt});
    for (const auto& attempt : over) decide(TaskOverdue{attempt}), decide(TaskEnded{attempt, {}});
    std::vector<ReservationKey> due;
    for (const auto& reservation : planner_.state().reservations())
      if (step(reservation, now()).is_due()) due.push_back(reservation.key);
    for (const auto key : due) decide(ReservationDue{key});
    decide(Pass{});
  }

  std::mt19937_64 chance_;
  std::unique_ptr<RocksJournal> journal_;
  Planner planner_;
  int pipe_;
  Line line_;
  std::optional<Death> dies_;
};

// ---- who kills and compares -----------------------------------------------------------------------

// Both ends of a pipe, for as long as one process lives.
struct Ears {
  std::array<int, 2> ends{};
  Ears() { require(::pipe(ends.data()) == 0, "no pipe"); }
  ~Ears() { ::close(ends[0]); }

  /// The last whole line that was said.
  std::optional<Line> last() {
    ::close(ends[1]);
    std::optional<Line> last;
    Line line;
    while (::read(ends[0], &line, sizeof line) == sizeof line) last = line;
    return last;
  }
};

// Whether the store may hold this state, by what its last writer said before it died.
bool may_be(std::uint64_t digest, const Told& told, Death death) {
  if (told.is_written || death == Death::after_the_write) return digest == told.after;
  if (death == Death::before_the_write) return digest == told.before;
  return digest == told.before || digest == told.after;
}

class Killer {
public:
  Killer(std::string folder, std::uint64_t seed) : folder_(std::move(folder)), chance_(seed) {}

  /// Until so many changes were asked for.
  void run(std::int64_t changes) {
    while (count_.changed + count_.refused < changes) {
      make_store();
      for (int i = 0; i < most_processes && count_.changed + count_.refused < changes; ++i)
        round(static_cast<int>(1 + dice(16)));
      round(1); // looks at what the last one left
    }
  }
  std::string text() const {
    return std::to_string(count_.changed) + " changes and " + std::to_string(count_.refused) +
           " refusals, " + std::to_string(killed_) +
           " processes killed: the old state or the new one each time";
  }

private:
  // Each start leaves files that nobody is there for long enough to merge: another store is faster.
  static constexpr int most_processes = 40;

  std::int64_t dice(std::int64_t sides) {
    return static_cast<std::int64_t>(chance_() % static_cast<std::uint64_t>(sides));
  }

  void make_store() {
    store_ = folder_ + "/store" + std::to_string(++stores_);
    told_ = {}, death_ = Death::after_the_answer, is_new_ = true;
    const auto maker = ::fork(); // threads of a store would not be in a child
    if (maker == 0) {
      const auto made = RocksJournal::create(
          store_, store::writes_of(Planner::initial_records("root", "master")));
      if (!made) fail(made.what());
      std::_Exit(0);
    }
    int status = 0;
    ::waitpid(maker, &status, 0);
    require(status == 0, "no store could be made");
  }

  // A process that goes on with what the one before left, and is killed.
  void round(int changes) {
    const auto next = is_new_ ? Death::after_the_answer : static_cast<Death>(dice(4));
    const auto seed = chance_();
    const auto patience_us = 2000 + dice(40'000);
    Ears ears;
    const auto child = ::fork();
    require(child >= 0, "no process");
    if (child == 0) {
      ::close(ears.ends[0]);
      Decider decider(store_, seed, {told_.now}, ears.ends[1]);
      require(is_new_ || may_be(decider.digest(), told_, death_),
              "the store holds neither the old state nor the new one");
      decider.check_books();
      if (is_new_) decider.set_up();
      decider.run(changes, next);
      std::_Exit(0);
    }
    if (next == Death::any) ::usleep(static_cast<useconds_t>(patience_us)), ::kill(child, SIGKILL);
    const auto line = ears.last();
    int status = 0;
    ::waitpid(child, &status, 0);
    require(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL, "a process ended by itself");
    ++killed_, is_new_ = false;
    if (!line) return; // it was killed before it said anything: all is as it was
    told_ = line->told, death_ = next;
    count_.changed += line->count.changed, count_.refused += line->count.refused;
  }

  const std::string folder_;
  std::mt19937_64 chance_;
  std::string store_;
  int stores_ = 0;
  bool is_new_ = true;
  Told told_; ///< of the last process, when it spoke last
  Death death_ = Death::after_the_answer;
  Count count_;
  std::int64_t killed_ = 0;
};

} // namespace

int main(int argc, char** argv) {
  require(argc >= 3, "usage: changes_under_kill FOLDER CHANGES [SEED]");
  Killer killer(argv[1], argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 1);
  killer.run(std::atoll(argv[2]));
  std::cout << killer.text() << "\n";
  return 0;
}

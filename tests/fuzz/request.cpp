// Requests of anybody, and facts of any agent, behind a planner that has a small cell: whatever was
// sent, the planner answers, stays whole, and writes only what it can read again.
#include "core/monitor/monitor.hpp"
#include "core/answer/gridengine.hpp"
#include "core/planning/planner.hpp"
#include "schema/codec.hpp"
#include "schema/door_objection.hpp"
#include "schema/store/records.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tests/fuzz/record_mutation.hpp"

#include <algorithm>
#include <cstring>

using namespace almanac;

namespace {

const Caller callers[]{{"root", "root", 0, 0, "master"},
                       {"alice", "users", 1001, 1001, "master"},
                       {"bob", "users", 1002, 1002, "h1"},
                       {"eve", "users", 1003, 1003, "elsewhere"}};

class Cell {
public:
  /// As a master finds it at its start.
  explicit Cell(const RecordSet& records) : planner_(*Planner::restore(records)) {
    check(committed_.restore(records).ok(), "the records can be worked with");
    monitor_.rebuild(committed_);
    committed_.follow(monitor_);
  }

  /// Of a cell with two hosts, jobs and reservations.
  static RecordSet example() {
    Cell cell(Planner::initial_records("root", "master"));
    cell.set_up();
    return cell.planner_.state().records().copy();
  }

  void send(unsigned who, const door::Request& request) {
    const auto objection = door::objection(request.body);
    const auto digest = planner_.digest();
    const auto jobs = planner_.state().jobs().size();
    if (const auto* command = std::get_if<door::RunCommand>(&request.body)) {
      check_answer(*handle(Command{callers[who], command->body, {}, command->whom}).answer);
      check(planner_.state().jobs().size() <= jobs + 1, "a command makes one job at the most");
    } else {
      ask(who, request.body);
      check(planner_.digest() == digest, "a question changes nothing");
    }
    check(!objection || planner_.digest() == digest, "what is not valid changes nothing");
  }

  // As the actors make it of what an agent says.
  void tell(Input fact) {
    // Commands come through a door; what a master tells itself comes from nobody else.
    if (std::holds_alternative<Command>(fact) || std::holds_alternative<Restarted>(fact)) return;
    if (auto* news = std::get_if<HostRegistered>(&fact))
      news->highest_key = std::max<std::int64_t>(0, news->highest_key);
    if (auto* news = std::get_if<LoadChanged>(&fact))
      news->load = quantised(news->load, planner_.state().host(news->host).facts.memory);
    handle(fact);
  }

  void wait(std::int64_t seconds) {
    now_ = now_ + Duration{seconds};
    std::vector<ReservationKey> due;
    for (const auto& reservation : planner_.state().reservations()) due.push_back(reservation.key);
    for (const auto key : due) handle(ReservationDue{key});
    handle(TaskOverdue{});
    pass();
  }

  // Stored, it is all there is.
  void check_whole() const {
    const auto records = planner_.state().records().copy();
    const auto restored = Planner::restore(records);
    check(restored.ok(), "what is stored can be restored");
    check(restored->digest() == planner_.digest(), "what is restored is the same");
    const auto writes = store::writes_of(records);
    const auto stored = store::read_stored([&](store::Family family, const auto& visit) {
      for (const auto& write : writes)
        if (write.family == family && write.value) visit(write.key, *write.value);
    });
    check(stored.ok() && stored->set_aside.empty(), "what the planner writes is valid");
    check(!monitor_.violation(), "no invariant is broken");
  }

private:
  void set_up() {
    for (const auto* host : {"h1", "h2"}) {
      run(0, AddHost{host, 4});
      handle(HostRegistered{host, {"lx-amd64", 4, 8LL << 30, "boot", "spool", "127.0.0.1:1"}});
    }
    JobRequest job;
    job.name = "runs", job.resources = {{"h_rt", "0:10:0"}};
    run(1, Submit{job, "hash"});
    job.name = "array", job.resources = {{"h_rt", "1:0:0"}}, job.tasks = {1, 20, 1},
    job.reserve = true;
    run(1, Submit{job, "hash"});
    ReservationRequest reservation;
    reservation.start = {now_.seconds + 7200}, reservation.duration = {3600};
    reservation.has_duration = true;
    run(0, Reserve{reservation});
    reservation.start = {now_.seconds + 20000};
    run(0, PrepareReservation{"t", {}, ReservationVerb::change, reservation, {600}});
    pass();
  }

  void run(unsigned who, CommandBody body) {
    check(handle(Command{callers[who], std::move(body)}).answer->exit_code == 0,
          "the cell is set up");
  }

  Decisions handle(Input input) {
    const auto found = validated_input(std::move(input));
    if (const auto* refusal = std::get_if<Answer>(&found)) {
      Decisions refused;
      refused.answer = *refusal;
      return refused;
    }
    auto decisions = planner_.handle(std::get<ValidInput>(found), now_);
    for (const auto& effect : decisions.effects) store::write_of(effect);
    committed_.apply(decisions.effects);
    monitor_.settle();
    return decisions;
  }

  void pass() {
    for (int turn = 0; handle(Pass{}).pass_wanted; ++turn)
      check(turn < 1000, "passes come to an end");
  }

  void ask(unsigned who, const door::RequestBody& body) {
    if (const auto* submit = std::get_if<door::AskSubmit>(&body))
      ask_whether(VerifySubmit{callers[who], submit->command, submit->jobs});
    if (const auto* reserve = std::get_if<door::AskReserve>(&body))
      ask_whether(VerifyReserve{callers[who], reserve->command});
    if (const auto* change = std::get_if<door::AskAlterReservation>(&body))
      ask_whether(VerifyAlterReservation{callers[who], change->command});
    if (const auto* configure = std::get_if<door::AskConfigure>(&body))
      ask_whether(VerifyConfigure{callers[who], configure->command});
    if (const auto* starts = std::get_if<door::AskStarts>(&body))
      ask_whether(AskStarts{callers[who], starts->query});
    if (const auto* site = std::get_if<door::AskSite>(&body))
      ask_whether(AskSite{callers[who], site->whom, site->reservation});
    if (const auto* nodes = std::get_if<door::AskNodes>(&body))
      ask_whether(FindNodes{callers[who], nodes->request});
    if (const auto* why = std::get_if<door::AskWhy>(&body))
      check_answer(planner_.ask(ExplainJob{why->job, why->alternatives}, now_));
  }

  template <class Question> void ask_whether(Question question) {
    const auto found = validated(std::move(question));
    if (const auto* refusal = std::get_if<Answer>(&found)) return check_answer(*refusal);
    check_answer(planner_.ask(std::get<0>(found), now_));
  }

  static void check_answer(const Answer& answer) {
    std::size_t size = 0;
    for (const auto& line : gridengine::lines_of(answer)) size += line.text.size();
    check(size < 100'000, "an answer is short");
  }

  Planner planner_;
  Records committed_;
  Monitor monitor_{committed_};
  Instant now_{1'000'000};
};

// What an input is made of: who, how long what follows is, and that. Above the callers a step is a
// fact, or time that passes.
struct Step {
  unsigned kind = 0;
  std::string content;
};
constexpr unsigned facts = std::size(callers), waits = facts + 1, kinds = waits + 1;

std::vector<Step> steps_of(std::string_view input) {
  std::vector<Step> steps;
  Pieces pieces(input);
  while (!pieces.at_end() && steps.size() < 20) {
    Step step{pieces.byte() % kinds, {}};
    const auto size = pieces.number();
    step.content = step.kind == waits ? std::string(2, '\0') : std::string(pieces.bytes(size));
    if (step.kind == waits) std::memcpy(step.content.data(), &size, 2);
    steps.push_back(std::move(step));
  }
  return steps;
}

} // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto example = Cell::example();
  Cell cell(example);
  for (const auto& [kind, content] : steps_of(as_text(data, size))) {
    if (kind == waits) {
      cell.wait(static_cast<std::int64_t>(Pieces(content).number()));
    } else if (kind == facts) {
      if (const auto input = decode<JournaledInput>(as_message(content))) cell.tell(input->input);
    } else if (const auto request = decode<door::Request>(as_message(content)))
      cell.send(kind, *request);
  }
  cell.wait(1);
  cell.check_whole();
  return 0;
}

#ifdef ALMANAC_FUZZ
namespace {

template <class T> void change(std::string& content, RecordMutation& mutation) {
  auto record = decode<T>(as_message(content));
  if (!record) return;
  mutation.change(*record);
  content = words_of(encode(*record));
}

std::string printed(const std::vector<Step>& steps) {
  std::string input;
  for (const auto& [kind, content] : steps) {
    input += static_cast<char>(kind);
    if (kind != waits) {
      input += static_cast<char>(content.size());
      input += static_cast<char>(content.size() >> 8);
    }
    input += content;
  }
  return input;
}

std::size_t take(const std::vector<Step>& steps, std::uint8_t* data, std::size_t limit) {
  const auto input = printed(steps);
  if (input.size() > limit) return 0;
  std::memcpy(data, input.data(), input.size());
  return input.size();
}

} // namespace

// Most of the time a field of a step is changed, or a step is added, taken out or moved.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t limit, unsigned seed) {
  RecordMutation mutation(seed);
  auto steps = steps_of(as_text(data, size));
  if (steps.empty() || mutation.below(8) == 0) return LLVMFuzzerMutate(data, size, limit);
  const auto place = mutation.below(steps.size());
  auto& step = steps[place];
  switch (mutation.below(12)) {
  case 0: steps.insert(steps.begin() + place, step); break;
  case 1: steps.erase(steps.begin() + place); break;
  case 2: std::swap(step, steps[mutation.below(steps.size())]); break;
  case 3:
    steps.insert(steps.begin() + place, {waits, mutation.any_bytes(std::string(2, '\x10'))});
    break;
  case 4:
    if (step.kind < facts) step.kind = mutation.below(std::size(callers));
    break;
  default:
    if (step.kind < facts) change<door::Request>(step.content, mutation);
    else if (step.kind == facts) change<JournaledInput>(step.content, mutation);
    else step.content = mutation.any_bytes(std::move(step.content));
  }
  for (auto& one : steps)
    if (one.kind == waits) one.content.resize(2);
  const auto made = take(steps, data, limit);
  return made ? made : LLVMFuzzerMutate(data, size, limit);
}

// The steps of one, then those of the other, up to somewhere.
extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* one, std::size_t one_size,
                                                 const std::uint8_t* other, std::size_t other_size,
                                                 std::uint8_t* out, std::size_t limit,
                                                 unsigned seed) {
  auto steps = steps_of(as_text(one, one_size));
  const auto more = steps_of(as_text(other, other_size));
  steps.resize(steps.empty() ? 0 : seed % (steps.size() + 1));
  steps.insert(steps.end(), more.begin() + (more.empty() ? 0 : seed / 32 % more.size()),
               more.end());
  return take(steps, out, limit);
}
#endif

// A planner with hosts h1, h2, … of some slots each, driven by hand.
#pragma once

#include "core/answer/gridengine.hpp"
#include "core/planning/planner.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace almanac {

/// A job with those of its tasks that have records.
struct JobAndTasks : Job {
  std::vector<Task> tasks;

  const Task* find(std::int64_t number) const {
    const auto it =
        std::find_if(tasks.begin(), tasks.end(), [&](auto& t) { return t.number == number; });
    return it == tasks.end() ? nullptr : &*it;
  }
  std::int64_t active_tasks() const {
    return std::count_if(tasks.begin(), tasks.end(), [](auto& t) { return t.is_active(); });
  }
  std::int64_t waiting_tasks() const {
    return fresh_tasks() + std::count_if(tasks.begin(), tasks.end(),
                                         [](auto& t) { return t.state == TaskState::pending; });
  }
};

class PlannerFixture : public ::testing::Test {
public:
  Planner planner{*Planner::restore(Planner::initial_records("root", "master"))};
  Instant now{1'000'000};
  Caller root{"root", "root", 0, 0, "master"};
  Caller alice{"alice", "users", 1001, 1001, "master"};
  Caller bob{"bob", "users", 1002, 1002, "master"};

  void hosts(int count, std::int64_t slots) {
    for (int i = 1; i <= count; ++i) {
      const auto name = "h" + std::to_string(i);
      EXPECT_EQ(command(root, AddHost{name, slots}).exit_code, 0);
      register_host(name);
    }
  }
  /// Its agent says that it is there.
  void register_host(const std::string& host) {
    tell(HostRegistered{host, {"lx-amd64", 4, 8LL << 30, "boot", "spool", "127.0.0.1:1"}});
  }
  void lose(const std::string& host) { tell(HostSilent{host, true}), pass(); }
  void come_back(const std::string& host) { register_host(host), pass(); }

  virtual Decisions handle(const Input& input) {
    const auto checked = validated_input(input);
    if (const auto* refusal = std::get_if<Answer>(&checked)) return refused(*refusal);
    return planner.handle(std::get<ValidInput>(checked), now);
  }
  static Decisions refused(const Answer& answer) {
    Decisions decisions;
    decisions.answer = answer;
    return decisions;
  }
  /// A question about a request, as the gate brings it.
  template <class Question>
  requires is_request<Question> Answer ask(Question question) {
    const auto checked = validated(std::move(question));
    if (const auto* refusal = std::get_if<Answer>(&checked)) return *refusal;
    return planner.ask(std::get<0>(checked), now);
  }
  Answer command(const Caller& caller, CommandBody body) {
    return *handle(Command{caller, std::move(body)}).answer;
  }
  void tell(const Input& input) { handle(input); }
  void pass() { handle(Pass{}); }

  /// What is not named of an object that is modified stays as it is.
  void change(ConfigurationObject object, ChangeVerb verb = ChangeVerb::modify) {
    const auto answer = command(root, Configure{{verb, std::move(object), {}}});
    ASSERT_EQ(answer.exit_code, 0) << text(answer);
  }
  void scheduler(std::vector<Attribute> attributes) {
    change({ObjectKind::scheduler_configuration, "", std::move(attributes)});
  }
  void global(std::vector<Attribute> attributes) {
    change({ObjectKind::global_configuration, "", std::move(attributes)});
  }
  void queue(const std::string& name, std::vector<Attribute> attributes) {
    const bool is_new = !planner.state().configuration().queues().contains(name);
    change({ObjectKind::cluster_queue, name, std::move(attributes)},
           is_new ? ChangeVerb::add : ChangeVerb::modify);
  }
  /// The user may reserve.
  void allow(const std::string& user) {
    const ConfigurationObject list{ObjectKind::userset, "arusers", {}};
    ASSERT_EQ(command(root, Configure{{ChangeVerb::add_entries, list, {user}}}).exit_code, 0);
  }

  static JobRequest job(const std::string& name, const std::string& limit = "") {
    JobRequest request;
    request.name = name;
    if (!limit.empty()) request.resources = {{"h_rt", limit}};
    return request;
  }
  static JobRequest array(std::int64_t last, std::int64_t step = 1) {
    auto request = job("array");
    request.tasks = {1, last, step};
    return request;
  }
  std::int64_t submit(const Caller& caller, JobRequest request) {
    const auto answer = command(caller, Submit{std::move(request), "hash"});
    EXPECT_EQ(answer.exit_code, 0) << text(answer);
    return answer.number;
  }
  /// A job that runs from now on.
  std::int64_t running(JobRequest request) {
    const auto number = submit(alice, std::move(request));
    pass();
    EXPECT_TRUE(is_active(number));
    return number;
  }
  static ReservationRequest window(std::int64_t start, std::int64_t length) {
    ReservationRequest request;
    request.start = {start};
    request.duration = {length}, request.has_duration = true;
    return request;
  }
  static ReservationRequest on_pe(ReservationRequest request, const std::string& pe,
                                  std::int64_t slots) {
    request.pe = pe;
    request.slots = {{slots, slots}};
    return request;
  }
  std::int64_t reserve(const Caller& caller, ReservationRequest request) {
    const auto answer = command(caller, Reserve{std::move(request)});
    EXPECT_EQ(answer.exit_code, 0) << text(answer);
    return answer.number;
  }

  /// As it is now; what it points to is another job once that number is looked for again.
  const JobAndTasks* find(std::int64_t number) const {
    const auto* job = planner.state().job_by_number({number});
    return job ? &(found_[number] = with_tasks(*job)) : nullptr;
  }
  const Task& task(std::int64_t number) const { return *find(number)->find(0); }
  bool is_active(std::int64_t number) const {
    return find(number) && find(number)->active_tasks() > 0;
  }
  Attempt attempt(std::int64_t number, std::int64_t task = 0) const {
    return {find(number)->key, task, find(number)->find(task)->attempt};
  }
  void start(std::int64_t number, std::int64_t task = 0) {
    tell(TaskStarted{attempt(number, task)});
  }
  void end(std::int64_t number, std::int64_t exit_status = 0, std::int64_t task = 0) {
    ExitRecord record;
    record.exit_status = exit_status;
    tell(TaskEnded{attempt(number, task), record});
  }
  const Reservation& reservation(std::int64_t number = 1) const {
    return *planner.state().reservation_by_number({number});
  }
  void due(std::int64_t number) { tell(ReservationDue{reservation(number).key}); }
  /// "h1=4 h2=2"
  static std::string text_of(const std::vector<Grant>& grants) {
    std::string text;
    for (const auto& grant : grants)
      text += (text.empty() ? "" : " ") + grant.instance.host + "=" + std::to_string(grant.slots);
    return text;
  }
  /// Where a reservation lies.
  std::string places(std::int64_t number) const {
    return text_of(reservation(number).shape.grants);
  }
  /// As qrstat shows it; '-': not at all.
  char letter(std::int64_t number) const {
    const auto* r = planner.state().reservation_by_number({number});
    return r && r->phase != ReservationPhase::expired ? state_letter(*r) : '-';
  }
  static std::string text(const Answer& answer) {
    std::string all;
    for (const auto& line : gridengine::lines_of(answer)) all += line.text + "\n";
    return all;
  }
  static bool says(const std::string& whole, const std::string& part) {
    return whole.find(part) != std::string::npos;
  }
  static bool says(const Answer& answer, const std::string& part) {
    return says(text(answer), part);
  }
  /// Slots taken on any instance at any time to come are there.
  bool is_within_capacity() const {
    for (const auto& instance : planner.state().configuration().instances())
      if (planner.state().ledger().used(Container::queue(instance.name), "slots",
                                        {now, Instant::never()}) > instance.settings.slots)
        return false;
    return true;
  }

private:
  JobAndTasks with_tasks(const Job& job) const {
    JobAndTasks whole{job, {}};
    for (const auto& task : planner.state().tasks_of(job.key)) whole.tasks.push_back(task);
    return whole;
  }
  mutable std::map<std::int64_t, JobAndTasks> found_;
};

} // namespace almanac
